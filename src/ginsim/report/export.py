"""Tables of a run as files of other programs, each with what it was made from inside."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from .._version import __version__
from ..analysis.results import Played

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    from numpy.typing import NDArray

    from ..analysis import Result
    from ..experiment.store import RunStore

    Writer: TypeAlias = Callable[[BinaryIO, Iterator[pd.DataFrame], str], None]

GROUP = 1 << 16
"""Hands that are held at once, which are a row group of Parquet."""


class ExportError(ValueError):
    """An export that cannot be made."""


def writer_of(form: str) -> Writer:
    """What writes frames with their provenance to a file; ExportError where its library is missing."""
    if form == "parquet":
        try:
            import pyarrow.parquet  # noqa: F401
        except ImportError:
            raise ExportError(
                "format parquet needs pyarrow, which is not installed: pip install 'ginsim-rummy[parquet]'"
            ) from None
    return _WRITERS[form]


def check_table(result: Result, table: str | None) -> str:
    """The name of a table that a result has, by default its first; ExportError for one that it has not."""
    allowed = [*result.TABLES, *result.ON_REQUEST, *["hands"] * isinstance(result, Played)]
    if table is None:
        return allowed[0]
    if table not in allowed:
        raise ExportError(f"table is {table!r}; allowed of a {result.experiment.kind}: {', '.join(allowed)}")
    return table


def frames_of(store: RunStore, result: Result, table: str, pairing: int | None) -> Iterator[pd.DataFrame]:
    """The table, of hands in parts, one at a time: they may be played again.

    Raises StoreError at once, before anything is written, where the run does not hold or cannot be replayed.
    """
    from ..experiment.store import StoreError

    if table != "hands":
        try:
            store.check_finished()
        except StoreError as error:
            error.add_note(store.advice)
            raise
        return iter([getattr(result, table)])
    from ..analysis import hands
    from ..experiment.rows import cut

    parts = cut(hands.rows(store, pairing), GROUP)
    return (hands.frame(store.experiment, rows) for rows in parts)


def provenance(manifest: dict[str, Any], table: str) -> str:
    """What a table was made from, as JSON in one line: the run's manifest, and the version that wrote it."""
    return json.dumps({"table": table, "exported_by": f"ginsim {__version__}", "run": manifest})


def _write_csv(file: BinaryIO, frames: Iterator[pd.DataFrame], about: str) -> None:
    """One line of provenance that begins with ``#``, then the table; numbers in full, nothing is rounded."""
    file.write(f"# {about}\n".encode())
    for number, frame in enumerate(frames):
        file.write(frame.to_csv(index=False, header=number == 0, lineterminator="\n").encode())


def _write_json(file: BinaryIO, frames: Iterator[pd.DataFrame], about: str) -> None:
    """An object of ``provenance`` and ``rows``, a row in a line; what is missing is null."""
    file.write(f'{{"provenance": {about}, "rows": ['.encode())
    rows = chain.from_iterable(map(plain_rows, frames))
    for number, row in enumerate(rows):
        file.write(f"{',' * (number > 0)}\n{json.dumps(row, allow_nan=False)}".encode())
    file.write(b"\n]}\n")


def plain_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows as plain values for JSON; what is missing is None."""
    plain = frame.astype(object)
    rows: list[dict[str, Any]] = plain.where(plain.notna(), None).to_dict("records")  # type: ignore[assignment]
    return rows


def _write_parquet(file: BinaryIO, frames: Iterator[pd.DataFrame], about: str) -> None:
    """A row group for each frame; the provenance is the file's metadata ``ginsim``."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    first = pa.Table.from_pandas(next(frames), preserve_index=False)
    schema = first.schema.with_metadata({**first.schema.metadata, b"ginsim": about.encode()})
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        writer.write_table(first.cast(schema))
        for frame in frames:
            writer.write_table(pa.Table.from_pandas(frame, schema=schema, preserve_index=False))


def _write_npz(file: BinaryIO, frames: Iterator[pd.DataFrame], about: str) -> None:
    """An array for each column and ``provenance``; texts are arrays of str, what is missing is -1 or nan."""
    import numpy as np
    import pandas as pd

    frame = pd.concat(frames, ignore_index=True)
    columns = {str(name): _array(frame[name]) for name in frame}
    np.savez(file, allow_pickle=False, provenance=np.array(about), **columns)


def _array(column: pd.Series[Any]) -> NDArray[Any]:
    """A column as an array that needs no pickle."""
    import numpy as np
    import pandas as pd

    if pd.api.types.is_numeric_dtype(column.dtype):
        return column.to_numpy() if column.dtype.kind != "i" else column.fillna(-1).to_numpy(dtype=np.int64)
    return column.astype(object).where(column.notna(), "").to_numpy(dtype=np.str_)


_WRITERS: dict[str, Writer] = {
    "csv": _write_csv,
    "json": _write_json,
    "parquet": _write_parquet,
    "npz": _write_npz,
}
