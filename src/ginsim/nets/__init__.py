"""Value nets as files: written, read and checked, and those that come with the package.

A file is numpy's compressed archive: the arrays of the three heads (`_nets.LAYERS`), and as text of JSON what
the net is: the layout of its inputs, the rules that it learned, and how it was made. A net that learned to
play for the game has the table of its chances, too (`_worth`).
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._version import __version__
from ..rules import Rules, RulesError

if TYPE_CHECKING:
    import numpy as np
    from numpy.lib.npyio import NpzFile
    from numpy.typing import NDArray

    from .._nets import Net
    from .._worth import Worth

__all__ = [
    "AIMS",
    "IN_WORDS",
    "PACKAGED",
    "PACKAGED_FOR_GAME",
    "NetError",
    "NetFile",
    "fits",
    "nearest",
    "open_archive",
    "packaged",
    "read_net",
    "write_net",
]

SCHEMA = 1
PACKAGED = ("standard", "eaai", "undercut20", "undercut10")
"""The nets of the package for points: of two presets, and of `standard` with other undercut bonuses."""

PACKAGED_FOR_GAME = ("standard", "eaai")
"""Those for the game, `PRESET-game.net`."""

AIMS = ("points", "game")
IN_WORDS = {"points": "points", "game": "the game"}

MATTER = (
    "knock_limit",
    "gin_bonus",
    "big_gin_bonus",
    "undercut_bonus",
    "undercut_on_tie",
    "after_two_passes",
    "stock_end",
    "discard_taken",
    "oklahoma",
    "oklahoma_ace",
    "oklahoma_spades_double",
)
"""The knobs of the rules that the play of a hand for points depends on."""

OF_THE_GAME = ("target", "game_bonus", "box_bonus", "box_timing", "next_dealer")
"""And those that the play of a hand for the game depends on, too."""


class NetError(ValueError):
    """A file that is no net, or none for this version or these rules."""


@dataclass(frozen=True)
class NetFile:
    """A net and what is known of it.

    `heads`: arrays by name, for each of the three heads. `rules`: what it learned. `provenance`: command,
    seed, hands and strength, as plain values. `digest`: SHA-256 of the file. `chances`: of a net for the
    game, as `_worth.Worth` has them.
    """

    heads: tuple[Mapping[str, NDArray[np.generic]], ...]
    rules: Rules
    provenance: Mapping[str, Any] = field(default_factory=dict)
    digest: str = ""
    chances: NDArray[np.uint16] | None = None

    @property
    def aim(self) -> str:
        """What it learned to play for, one of `AIMS`."""
        return "points" if self.chances is None else "game"

    @cached_property
    def worth(self) -> Worth | None:
        """What points are worth to it, where it plays for the game."""
        from .._worth import Worth

        return None if self.chances is None else Worth(self.chances, self.rules.codes())

    @cached_property
    def net(self) -> Net:
        """The net, set up for the core."""
        from .._nets import Net

        return Net(self.heads)


def fits(net: Rules, rules: Rules, aim: str = "points") -> dict[str, tuple[Any, Any]]:
    """The knobs in which rules differ from those that a net learned, of those that matter to its aim."""
    matter = MATTER if aim == "points" else MATTER + OF_THE_GAME
    return {knob: values for knob, values in rules.difference(net).items() if knob in matter}


def write_net(
    path: Path,
    heads: Sequence[Mapping[str, NDArray[np.generic]]],
    rules: Rules,
    provenance: Mapping[str, Any],
    chances: NDArray[np.uint16] | None = None,
) -> None:
    """Write a net's file, whole or not at all; `chances`: of one that plays for the game."""
    import os

    import numpy as np

    from .._features import LAYOUT_NUMBER

    about = {
        "ginsim": __version__,
        "schema": SCHEMA,
        "layout": LAYOUT_NUMBER,
        "rules": json.loads(rules.to_json()),
        "provenance": dict(provenance),
    }
    arrays = {f"{number}_{name}": array for number, head in enumerate(heads) for name, array in head.items()}
    if chances is not None:
        arrays["chances"] = chances
    text = np.frombuffer(json.dumps(about, sort_keys=True).encode(), dtype=np.uint8)
    partial = path.with_name(path.name + ".partial")
    with partial.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, about=text, **arrays)
    os.replace(partial, path)


def read_net(path: Path | str) -> NetFile:
    """Read a net's file; NetError for one that is none, or of another version or shape."""
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise NetError(f"net {str(path)!r} cannot be read: {error.strerror}") from error
    return _parse(content, str(path))


def open_archive(content: bytes) -> NpzFile:
    """The arrays of an archive, none of them pickled; ValueError where it is none."""
    import io

    import numpy as np

    if not zipfile.is_zipfile(io.BytesIO(content)):
        raise ValueError("no archive of arrays")
    archive: NpzFile = np.load(io.BytesIO(content), allow_pickle=False)
    return archive


@cache
def packaged(name: str, aim: str = "points") -> NetFile:
    """The package's net for a preset and one of `AIMS`."""
    stem = name if aim == "points" else f"{name}-{aim}"
    return _parse(resources.files(__name__).joinpath(f"{stem}.net").read_bytes(), stem)


def nearest(rules: Rules) -> NetFile:
    """The package's net for points that learned rules most like these."""
    return min(map(packaged, PACKAGED), key=lambda file: len(fits(file.rules, rules)))


def _parse(content: bytes, name: str) -> NetFile:
    from .._features import LAYOUT_NUMBER
    from .._nets import HEADS_OF_A_NET, LAYERS

    try:
        with open_archive(content) as archive:
            about = json.loads(archive["about"].tobytes())
            found = about["schema"], about["layout"]
            if found != (SCHEMA, LAYOUT_NUMBER):
                raise NetError(
                    f"net {name!r} is of schema {found[0]} and layout {found[1]} (ginsim {about['ginsim']}); "
                    f"allowed: {SCHEMA} and {LAYOUT_NUMBER} (ginsim {__version__}); train it again"
                )
            heads = tuple(
                {layer: archive[f"{number}_{layer}"] for layer in LAYERS} for number in range(HEADS_OF_A_NET)
            )
            rules = Rules.from_json(json.dumps(about["rules"]))
            chances = archive.get("chances")
    except NetError:
        raise
    except (OSError, KeyError, ValueError, TypeError, EOFError, zipfile.BadZipFile, RulesError) as error:
        raise NetError(f"{name!r} is no net that ginsim wrote: {error}") from error
    made = NetFile(heads, rules, about["provenance"], hashlib.sha256(content).hexdigest(), chances)
    try:
        _ = made.net, made.worth
    except ValueError as error:
        raise NetError(f"net {name!r}: {error}") from error
    return made
