"""Native policies without a compiler, through `ginsim.capi`, and a package that cimports the core."""

import ctypes
import os
import random
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest
from test_batch import KEY, load_example, one_by_one, same

from ginsim import Hand, _core, capi
from ginsim._lockstep import Lockstep
from ginsim._melds import best_discards_of, deadwood_of
from ginsim._play import Match, PlayFault
from ginsim._policies import Greedy, Simple
from ginsim._table import RandomStream, SeatView
from ginsim.rules import Rules

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
DECK = [suit * 16 + rank for suit in range(4) for rank in range(13)]

CHOOSE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


def compiler():
    """The C compiler, or a skip that says why."""
    found = shutil.which(os.environ.get("CC", "cc"))
    if found is None:
        pytest.skip("no C compiler here")
    return found


def row_at(address):
    return np.frombuffer(ctypes.string_at(address, capi.view_dtype.itemsize), dtype=capi.view_dtype)[0]


@CHOOSE
def throws_dearest(view, memory, rng):
    """Throws the highest card, or knocks with the best as soon as it may; through the core's functions."""
    row = row_at(view)
    hand = int(row["hand"])
    forbidden = 0 if row["forbidden"] == capi.NO_CARD else 1 << int(row["forbidden"])
    best = ctypes.c_uint64()
    left = capi.best_discards(hand, forbidden, ctypes.addressof(best))
    assert (left, best.value) == best_discards_of(hand, forbidden)
    if left <= row["knock_limit"]:
        return best.value.bit_length() - 1 | capi.KNOCK
    return (hand & ~forbidden).bit_length() - 1


@CHOOSE
def coin(view, memory, rng):
    return capi.below(rng, 2)


# ---- the core's functions


def test_functions_are_the_cores():
    dice = random.Random(5)
    for _ in range(200):
        hand = sum(1 << card for card in dice.sample(DECK, 10))
        assert capi.deadwood(hand) == deadwood_of(hand)
        unseen = sum(1 << card for card in DECK) & ~hand
        helping = [c for c in DECK if unseen >> c & 1 and deadwood_of(hand | 1 << c) < deadwood_of(hand)]
        assert capi.outs(hand, unseen) == len(helping)
        assert capi.outs(hand, 0) == 0
        best = ctypes.c_uint64()
        assert capi.best_discards(hand, 0, ctypes.addressof(best)) == best_discards_of(hand)[0]
        assert best.value == best_discards_of(hand)[1]
        assert capi.best_discards(hand, 0, None) == best_discards_of(hand)[0]


def test_addresses_and_capsules_are_of_the_same_functions():
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    signatures = {
        "deadwood": b"int (uint64_t)",
        "best_discards": b"int (uint64_t, uint64_t, uint64_t *)",
        "outs": b"int (uint64_t, uint64_t)",
        "below": b"int (void *, uint32_t)",
    }
    assert capi.addresses.keys() == capi.capsules.keys() == signatures.keys()
    for name, signature in signatures.items():
        assert get(capi.capsules[name], signature) == capi.addresses[name]


def test_draws_are_those_of_the_hand():
    stream = RandomStream(KEY, 1, 0)
    policy = capi.policy(take_upcard=coin, draw=coin, discard=throws_dearest)
    taken = [
        answer[0] in ("take", "pile")
        for seat, question, answer in one_by_one(policy, Greedy()).trace_hand(0)["actions"]
        if seat == 0 and question in ("offer", "draw")
    ]
    assert taken == [stream.below(2) == 1 for _ in taken]
    assert len(taken) > 3


# ---- policies of C functions


def test_a_policy_of_ctypes_functions_plays_by_function_or_address():
    address = ctypes.cast(throws_dearest, ctypes.c_void_p).value
    by_function = capi.policy(discard=throws_dearest, spec="dearest")
    by_address = capi.policy({"discard": address})
    expected = one_by_one(by_function, Greedy()).play(0, 30)
    assert same(one_by_one(by_address, Greedy()).play(0, 30), expected)
    assert (str(by_function), by_function.memory_size, by_function.keep["discard"]) == (
        "dearest",
        0,
        throws_dearest,
    )


def test_memory_lies_with_the_hand_in_lockstep_too():
    """A policy that counts its turns in its memory plays against a batch policy as one by one."""

    @CHOOSE
    def discard(view, memory, rng):
        turns = ctypes.c_int64.from_address(memory)
        turns.value += 1
        row = row_at(view)
        assert turns.value == row["turns"][row["seat"]]
        return throws_dearest(view, memory, rng)

    policy = capi.policy(discard=discard, memory_size=8)
    batch = load_example().Greedy()
    played = Lockstep(batch, policy, Rules().codes(), KEY).play(0, 40)
    assert same(played, one_by_one(Greedy(), policy).play(0, 40))


@pytest.mark.parametrize("function", [None, 0, True, "discard", lambda view, memory, rng: 0])
def test_what_is_no_function_is_refused(function):
    with pytest.raises(TypeError, match=r"discard is .*; allowed: a numba cfunc, a ctypes or cffi function"):
        capi.policy(discard=function)


def test_names_of_methods_are_checked():
    with pytest.raises(ValueError, match="function 'fold': allowed are begin, see, take_upcard"):
        capi.policy(discard=throws_dearest, fold=throws_dearest)


def test_a_cffi_function_serves():
    cffi = pytest.importorskip("cffi", reason="cffi is not installed")
    ffi = cffi.FFI()
    ffi.cdef(capi.header())
    assert ffi.sizeof("View") == capi.view_dtype.itemsize

    @ffi.callback("int (const View *, void *, Rng *)")
    def discard(view, memory, rng):
        return throws_dearest(int(ffi.cast("uintptr_t", view)), None, None)

    policy = capi.policy(discard=discard)
    assert same(
        one_by_one(policy, Greedy()).play(0, 10),
        one_by_one(capi.policy(discard=throws_dearest), Greedy()).play(0, 10),
    )


# ---- structs


def test_the_header_is_the_struct(tmp_path):
    """A C compiler lays the header's structs out as the core does."""
    checks = []
    for name in ("View", "Stakes", "Spread", "Defence", "Event"):
        struct = getattr(capi, f"{name.lower()}_dtype")
        checks.append(f'_Static_assert(sizeof({name}) == {struct.itemsize}, "{name}");')
        for field, (_, offset) in struct.fields.items():
            checks.append(f'_Static_assert(offsetof({name}, {field}) == {offset}, "{name}.{field}");')
    lines = ["#include <stddef.h>", "#include <stdint.h>", capi.header(), *checks]
    source = tmp_path / "layout.c"
    source.write_text("\n".join(lines), encoding="utf-8")
    subprocess.run([compiler(), "-c", str(source), "-o", str(tmp_path / "layout.o")], check=True)
    assert capi.view_dtype.itemsize == len(SeatView().tobytes())


def test_the_abi_is_checked():
    assert capi.ABI == _core.ABI
    capi.check_abi(_core.ABI)
    with pytest.raises(
        ImportError, match=f"built for ABI 999 of ginsim._core, and this ginsim has ABI {capi.ABI}"
    ):
        _core.check_abi(999)


# ---- numba


def test_greedy_in_numba_is_greedy():
    pytest.importorskip("numba", reason="numba is not installed")
    example = load_example(EXAMPLES / "numba_policy.py")
    for changes in ({}, {"stock_end": "last_discard", "big_gin_bonus": 31}, {"oklahoma": True}):
        rules = Rules(**changes)
        assert same(
            one_by_one(example.make(), Simple(), rules).play(0, 300),
            one_by_one(Greedy(), Simple(), rules).play(0, 300),
        )


def test_every_method_has_a_signature_for_numba():
    numba = pytest.importorskip("numba", reason="numba is not installed")
    shapes = {method: len(capi.signature(method).args) for method in capi.METHODS}
    assert shapes == {method: 3 + (method in ("see", "spread", "defend")) for method in capi.METHODS}
    assert capi.signature("discard").return_type == numba.types.int32
    assert capi.signature("see").return_type == numba.types.void
    assert capi.view_record().size == capi.view_dtype.itemsize
    with pytest.raises(ValueError, match="method is 'fold'; allowed: begin, see, "):
        capi.signature("fold")


# ---- Cython

THEIRS = """
from ginsim._core cimport ABI, KNOCK, Policy, View
from ginsim._melds cimport best_discards
from ginsim._bits cimport bit, highest, mask_t, NONE
from ginsim._rng cimport Rng

from ginsim._core import check_abi

check_abi(ABI)
BUILT_FOR = <int>ABI


cdef class Dearest(Policy):
    cdef int discard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        cdef mask_t best, forbidden = 0 if v.forbidden == NONE else bit(v.forbidden)
        if best_discards(v.hand, forbidden, &best) <= v.knock_limit:
            return highest(best) | KNOCK
        return highest(v.hand & ~forbidden)
"""


def test_a_package_of_ones_own_cimports_the_core(tmp_path):
    pytest.importorskip("Cython", reason="Cython is not installed")
    (tmp_path / "theirs.pyx").write_text(THEIRS, encoding="utf-8")
    home = str(Path(_core.__file__).parents[1])
    run = {"check": True, "cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": home}}
    subprocess.run([sys.executable, "-m", "cython", "-3", "theirs.pyx", "-I", home], **run)
    name = "theirs" + sysconfig.get_config_var("EXT_SUFFIX")
    include = sysconfig.get_path("include")
    shared = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
    subprocess.run(
        [compiler(), "-shared", "-fPIC", *shared, "-O1", "-w", f"-I{include}", "theirs.c", "-o", name], **run
    )
    theirs = load_extension(tmp_path / name)
    assert theirs.BUILT_FOR == _core.ABI
    expected = one_by_one(capi.policy(discard=throws_dearest), Greedy()).play(0, 40)
    assert same(one_by_one(theirs.Dearest(), Greedy()).play(0, 40), expected)
    with pytest.raises(PlayFault):
        Match(theirs.Dearest(), _core.Policy(), Rules().codes(), KEY).play(0, 1)


def load_extension(path):
    from importlib.machinery import ExtensionFileLoader
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("theirs", path, loader=ExtensionFileLoader("theirs", str(path)))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_hands_go_in_as_masks():
    assert capi.deadwood(int(Hand("AS 2S 3S 4C 5C 6C 7D 8D 9D 5H"))) == 5
