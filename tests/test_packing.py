"""A chunk's file: the arrays come back, and no byte of it changes unseen."""

from __future__ import annotations

import numpy as np
import pytest

from ginsim._rows import ROW
from ginsim.experiment.packing import packed, unpacked

ARRAYS = {
    "seal": np.arange(32, dtype=np.uint8),
    "one": np.array([7], dtype=np.int8),
    "counts": np.arange(-6, 6, dtype=np.int32).reshape(3, 4),
    "none": np.zeros((0, 5), dtype=np.int64),
    "total": np.array(-(2**62)),
    "rows": np.zeros(3, dtype=ROW),
}


def test_the_arrays_come_back() -> None:
    back = unpacked(packed(ARRAYS))
    assert list(back) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert back[name].dtype == array.dtype
        assert np.array_equal(back[name], array)


def test_equal_arrays_make_equal_bytes_whatever_their_layout() -> None:
    turned = ARRAYS | {"counts": np.asfortranarray(ARRAYS["counts"])}
    assert packed(turned) == packed(ARRAYS)


def test_every_changed_missing_and_added_byte_is_seen() -> None:
    whole = packed(ARRAYS)
    changed = [whole[:at] + bytes([whole[at] ^ 64]) + whole[at + 1 :] for at in range(len(whole))]
    cut = [whole[:at] + whole[at + 1 :] for at in range(len(whole))]
    added = [whole + b"\0", b"\0" + whole, whole + whole[-32:], b"", whole[-32:]]
    for spoiled in (*changed, *cut, *added):
        if spoiled != whole:
            with pytest.raises(ValueError, match="its bytes are not those that were written"):
                unpacked(spoiled)
