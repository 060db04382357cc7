"""Native policies without a compiler: the core's C functions and structs for numba, ctypes and cffi.

A policy's methods are C functions `int (const View *, void *memory, Rng *)` that answer as `_core.pxd` has
it; `policy` makes a native policy of them. `deadwood`, `best_discards`, `outs` and `below` are ctypes
functions, which numba calls straight from compiled code; `addresses` and `capsules` are for others.

>>> from ginsim import Hand, capi
>>> capi.deadwood(int(Hand("AS 2S 3S 4C 5C 6C 7D 8D 9D 5H")))
5
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from ._bridge import METHODS, CPolicy, c_functions
from ._core import ABI, check_abi
from ._lockstep import defence_dtype, event_dtype, spread_dtype, stakes_dtype, view_dtype

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

__all__ = [
    "ABI",
    "BIG_GIN",
    "KNOCK",
    "METHODS",
    "NO_CARD",
    "addresses",
    "below",
    "best_discards",
    "capsules",
    "check_abi",
    "deadwood",
    "defence_dtype",
    "event_dtype",
    "header",
    "outs",
    "policy",
    "signature",
    "spread_dtype",
    "stakes_dtype",
    "view_dtype",
    "view_record",
]

KNOCK = 64
"""An answer to `discard`: the card's position | KNOCK."""
BIG_GIN = 128
"""An answer to `discard`: all eleven cards are melded."""
NO_CARD = 255
"""In a view, no card."""

addresses: dict[str, int] = {name: address for name, (address, _) in c_functions().items()}
"""The addresses of the core's C functions by name; they hold as long as the process."""

capsules: dict[str, object] = {name: capsule for name, (_, capsule) in c_functions().items()}
"""The same as PyCapsules, each named by its C signature (as scipy's LowLevelCallable takes them)."""

deadwood = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64)(addresses["deadwood"])
"""`int deadwood(uint64_t hand)`: the exact deadwood of up to 11 cards."""

best_discards = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p)(
    addresses["best_discards"]
)
"""`int best_discards(uint64_t hand, uint64_t forbidden, uint64_t *best)`: the least deadwood that a discard
outside `forbidden` leaves; the cards that leave it go to `best`, unless that is NULL. In numba, where a
variable has no address, a policy's memory serves for `best`."""

outs = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, ctypes.c_uint64)(addresses["outs"])
"""`int outs(uint64_t hand, uint64_t unseen)`: how many of the unseen cards would lower the deadwood of the
ten cards just by coming to them."""

below = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32)(addresses["below"])
"""`int below(Rng *rng, uint32_t n)`: a uniform draw from 0 .. n - 1, n >= 1, from the hand's own stream."""

_RESULTS = {"see": event_dtype, "spread": spread_dtype, "defend": defence_dtype}
"""The struct that a method is given after the view, if any."""


def header() -> str:
    """The structs and constants in C, for a C compiler (after <stdint.h>) or `cffi.FFI().cdef`.

    >>> print(header().splitlines()[0])
    #define GINSIM_ABI 2
    """
    structs = {"Spread": spread_dtype, "Defence": defence_dtype, "Event": event_dtype}
    structs |= {"Stakes": stakes_dtype, "View": view_dtype}
    names = {struct: name for name, struct in structs.items()}
    lines = [f"#define {name} {value}" for name, value in _CONSTANTS.items()]
    for name, struct in structs.items():
        lines.append("typedef struct {")
        for field, (kind, *_) in (struct.fields or {}).items():
            sizes = "".join(f"[{size}]" for size in kind.shape)
            lines.append(f"    {names.get(kind.base) or _C_TYPES[kind.base.str[1:]]} {field}{sizes};")
        lines.append(f"}} {name};")
    return "\n".join([*lines, "typedef struct Rng Rng;", ""])


_CONSTANTS = {"GINSIM_ABI": ABI, "KNOCK": KNOCK, "BIG_GIN": BIG_GIN, "NO_CARD": NO_CARD}
_C_TYPES = {"u1": "uint8_t", "i4": "int32_t", "u8": "uint64_t"}


def view_record() -> Any:
    """The `View` struct as a numba record type. Needs numba."""
    return _record(view_dtype)


def signature(method: str) -> Any:
    """The signature of a policy's method for `numba.cfunc`. Needs numba; ValueError for an unknown method.

    All take the view first and the memory and the stream last, as `numba.types.voidptr`; `see`, `spread` and
    `defend` take a pointer to their own struct between them and, like `begin`, return nothing. The others
    return an int32.
    """
    if method not in METHODS:
        raise ValueError(f"method is {method!r}; allowed: {', '.join(METHODS)}")
    types = import_module("numba").types
    structs = [view_dtype, *([_RESULTS[method]] if method in _RESULTS else [])]
    pointers = [types.CPointer(_record(struct)) for struct in structs]
    result = types.void if method in ("begin", *_RESULTS) else types.int32
    return result(*pointers, types.voidptr, types.voidptr)


def policy(
    functions: Mapping[str, object] | None = None,
    *,
    memory_size: int = 0,
    reads: Iterable[str] = (),
    spec: str = "C functions",
    **methods: object,
) -> CPolicy:
    """A native policy of C functions: `policy(discard=..., draw=..., memory_size=8)`.

    Each is a numba `cfunc`, a ctypes function, a cffi function pointer, or an address; by the names of
    `METHODS`, as keywords or in `functions`. `discard` is needed; a function left out does as in every
    policy: never take the pile, the exact spread, the exact defence. `memory_size` bytes are zeroed for each
    hand and passed to every call; `reads` names what is read of scores and bonuses (see `_core.READS`);
    `spec` is what the policy is called. The functions are kept alive with the policy. They run without the
    GIL and in several threads at once: what they remember of a hand belongs in the memory.

    Raises ValueError for an unknown or missing method, TypeError for what is no C function.
    """
    given = {**(functions or {}), **methods}
    found = {name: address_of(name, function) for name, function in given.items()}
    return CPolicy(found, memory_size=memory_size, reads=reads, keep=given, spec=spec)


def address_of(name: str, function: object) -> int:
    """Where a C function is."""
    if isinstance(function, int) and not isinstance(function, bool):
        address = function
    elif isinstance(function, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        address = ctypes.cast(function, ctypes.c_void_p).value or 0
    elif type(function).__module__ == "_cffi_backend":
        address = int(import_module("cffi").FFI().cast("uintptr_t", function))
    else:
        address = getattr(function, "address", 0)
    if not isinstance(address, int) or address <= 0:
        raise TypeError(
            f"{name} is {function!r}; allowed: a numba cfunc, a ctypes or cffi function, or an address"
        )
    return address


def _record(struct: DTypeLike) -> Any:
    return import_module("numba").from_dtype(np.dtype(struct))
