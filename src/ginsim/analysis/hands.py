"""The hands behind the numbers: played again from a run's plan, as records, as rows and as frames."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .._play import ENGINE, Match
from .._score import OUTCOMES
from ..cards import card_text
from ..experiment import worker
from ..experiment.handid import HandId
from ..experiment.plan import Chunk, Experiment, ExperimentError
from ..experiment.rows import NONE, ROW, Rows, rows_of_pair
from ..experiment.store import MemoryStore, RunStore, StoreError, differences
from ..policies import parse_spec
from ..records import GameRecord, HandRecord, play_game, play_hand
from .filters import Filter

if TYPE_CHECKING:
    from collections.abc import Iterable

SIDES = ("a", "b")
CARDS = tuple(card_text(place) if place & 15 < 13 else "" for place in range(61))
BATCH = 2048
"""Hands that are played before a filter looks at them."""


def manifest_of(store: RunStore) -> dict[str, Any]:
    """What the run's directory says of how it was made."""
    found: dict[str, Any] = json.loads((store.path / "run.json").read_text(encoding="utf-8"))
    return found


def refuse_changes(store: RunStore | MemoryStore) -> None:
    """StoreError where the engine or a policy is another than the run's: other hands would come."""
    if isinstance(store, MemoryStore):
        return
    changed = differences(store)
    engine = manifest_of(store).get("engine")
    if engine != ENGINE:
        changed.insert(0, f"the engine's number was {engine!r} and is {ENGINE!r}")
    if changed:
        raise StoreError(f"the hands of {str(store.path)!r} cannot be played again: {'; '.join(changed)}")


def replay(experiment: Experiment, hand: HandId) -> HandRecord | GameRecord:
    """A hand of the experiment again, or a whole game where the unit is games and no hand of it is named."""
    a, b = experiment.pairings[hand.pairing]
    play: Callable[..., HandRecord | GameRecord] = play_hand if experiment.unit == "hands" else play_game
    game = play(
        experiment.entrants[a],
        experiment.entrants[b],
        experiment.rules,
        seed=experiment.seed,
        index=hand.pair,
        orientation=hand.orientation,
        entrants=(a, b),
        deals=hand.pairing + 1 if experiment.independent_deals else 0,
    )
    if hand.hand is None or isinstance(game, HandRecord):
        return game
    if hand.hand >= len(game.hands):
        raise ExperimentError(
            f"hand of {hand} is {hand.hand}; allowed: 0 to {len(game.hands) - 1}, as its game has"
        )
    return game.hands[hand.hand]


def rows(experiment: Experiment, pairing: int | None = None, size: int = BATCH) -> Iterator[Rows]:
    """The hands of the experiment, or of one pairing, in the order of the plan, `size` at a time.

    They are played again in the caller, one by one as they are asked for.
    """
    chunks = experiment.chunks() if pairing is None else experiment.chunks_of(pairing)
    made = chain.from_iterable(_rows_of_chunks(experiment, chunks))
    while batch := list(islice(made, size)):
        yield np.array(batch, dtype=ROW)


def _rows_of_chunks(
    experiment: Experiment, chunks: Iterable[Chunk]
) -> Iterator[Iterator[tuple[object, ...]]]:
    games = experiment.unit == "games"

    @functools.lru_cache(maxsize=64)
    def match_of(pairing: int) -> Match:
        task = experiment.task(Chunk(pairing, 0, 1))
        a, b = map(parse_spec, task.policies)
        return worker.match_of(a, b, task.rules, task.key, task.games, task.entrants)

    for chunk in chunks:
        for pair in range(chunk.start, chunk.stop):
            yield rows_of_pair(match_of(chunk.pairing), games, chunk.pairing, pair)


def frame(experiment: Experiment, rows: Rows) -> pd.DataFrame:
    """Rows as a frame: whole numbers stay whole numbers, codes become texts, NONE becomes a missing value.

    Columns: pairing, pair, orientation and hand_in_game (together the hand's id, see `ids`); a and b, the
    policies; dealer, knocker and winner, each ``a`` or ``b``; outcome; turn, the knocker's own, and draws, of
    both; knocker_deadwood at the knock, defender_before and defender_deadwood before and after lay-offs,
    laid_off (cards); points, A minus B; upcard, limit, doubled.
    """
    pairings = np.array(experiment.pairings, dtype=np.int64)[rows["pairing"]]
    return pd.DataFrame(
        {
            "pairing": rows["pairing"].astype(np.int64),
            "pair": rows["pair"].astype(np.int64),
            "orientation": rows["orientation"].astype(np.int64),
            "hand_in_game": rows["hand_in_game"].astype(np.int64),
            "a": _texts(pairings[:, 0], experiment.names),
            "b": _texts(pairings[:, 1], experiment.names),
            "dealer": _texts(rows["dealer"], SIDES),
            "knocker": _texts(rows["knocker"], SIDES),
            "winner": _texts(rows["winner"], SIDES),
            "outcome": _texts(rows["outcome"], OUTCOMES),
            "turn": _numbers(rows["turn"]),
            "draws": rows["draws"].astype(np.int64),
            **{
                name: _numbers(rows[name])
                for name in ("knocker_deadwood", "defender_before", "defender_deadwood", "laid_off")
            },
            "points": rows["points"].astype(np.int64),
            "upcard": _texts(_CARD_PLACES[rows["upcard"]], _CARD_TEXTS),
            "limit": rows["limit"].astype(np.int64),
            "doubled": rows["doubled"].astype(bool),
        }
    )


_CARD_TEXTS = tuple(filter(None, CARDS))
_CARD_PLACES = np.cumsum([bool(text) for text in CARDS]) - 1


def _texts(codes: NDArray[np.signedinteger], names: Sequence[str]) -> pd.Categorical[str]:
    return pd.Categorical.from_codes(codes, categories=pd.Index(names))


def _numbers(values: NDArray[np.int8]) -> pd.arrays.IntegerArray:
    """Whole numbers of which some are missing."""
    return pd.arrays.IntegerArray(values.astype(np.int64), values == NONE)


def ids(experiment: Experiment, hands: pd.DataFrame) -> list[str]:
    """The id of each hand of a frame, as `ginsim replay` takes it."""
    games = experiment.unit == "games"
    columns = (hands[name] for name in ("pairing", "pair", "orientation", "hand_in_game"))
    return [
        str(HandId(pairing, pair, orientation, hand if games else None))
        for pairing, pair, orientation, hand in zip(*columns, strict=True)
    ]


def find(
    experiment: Experiment, where: str | None = None, limit: int | None = None, pairing: int | None = None
) -> tuple[pd.DataFrame, int, bool]:
    """The first hands (at most `limit`) that meet a condition, how many were gone through, and whether all.

    The frame is that of `frame` with the hands' ids in front. FilterError for a condition that cannot be.
    """
    empty = frame(experiment, np.empty(0, dtype=ROW))
    condition = None if where is None else Filter(where, empty)
    found, seen, left = [empty], 0, limit
    for batch in rows(experiment, pairing, BATCH if condition else min(BATCH, limit or BATCH)):
        hands = frame(experiment, batch)
        if condition is not None:
            hands = hands[condition(hands)]
        if left is not None and len(hands) >= left:
            hands = hands.iloc[:left]
            last = len(batch) if condition is None else int(hands.index[-1]) + 1
            return _with_ids(experiment, [*found, hands]), seen + last, False
        found.append(hands)
        seen += len(batch)
        left = None if left is None else left - len(hands)
    return _with_ids(experiment, found), seen, True


def _with_ids(experiment: Experiment, parts: list[pd.DataFrame]) -> pd.DataFrame:
    hands = pd.concat(parts, ignore_index=True)
    hands.insert(0, "hand", pd.Series(ids(experiment, hands), dtype="str"))
    return hands
