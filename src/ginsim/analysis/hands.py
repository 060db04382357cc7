"""The hands behind the numbers: kept by a run or played again from its plan, as records and as frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .._play import PlayFault
from .._score import OUTCOMES
from ..cards import card_text
from ..experiment.handid import HandId
from ..experiment.plan import Chunk, Experiment, ExperimentError
from ..experiment.rows import NONE, ROW, Rows, rows_of
from ..experiment.run import RunError, describe
from ..experiment.store import RunStore, Store, StoreError, differences
from ..records import GameRecord, HandRecord, play_game, play_hand
from .filters import Filter

SIDES = ("a", "b")
CARDS = tuple(card_text(place) if place & 15 < 13 else "" for place in range(61))


def refuse_changes(store: Store) -> None:
    """StoreError where the engine or a policy is another than the run's: other hands would come."""
    if not isinstance(store, RunStore):
        return
    if changed := differences(store):
        raise StoreError(f"the hands of {str(store.path)!r} cannot be played again: {'; '.join(changed)}")


def replay(experiment: Experiment, hand: HandId) -> HandRecord | GameRecord:
    """A hand of the experiment again, or a whole game where the unit is games and no hand of it is named.

    Raises RunError, with the fault, for a hand that was forfeited.
    """
    a, b = experiment.pairings[hand.pairing]
    play: Callable[..., HandRecord | GameRecord] = play_hand if experiment.unit == "hands" else play_game
    try:
        game = play(
            experiment.entrants[a],
            experiment.entrants[b],
            experiment.rules_of(hand.pairing),
            seed=experiment.seed,
            index=hand.pair,
            orientation=hand.orientation,
            entrants=(experiment.stream_of(a), experiment.stream_of(b)),
            deals=hand.pairing + 1 if experiment.independent_deals else 0,
            time_limit=experiment.faults.time_limit,
        )
    except PlayFault as fault:
        raise RunError(describe(fault, experiment, Chunk(hand.pairing, hand.pair, hand.pair + 1))) from None
    if hand.hand is None or isinstance(game, HandRecord):
        return game
    if hand.hand >= len(game.hands):
        raise ExperimentError(
            f"hand of {hand} is {hand.hand}; allowed: 0 to {len(game.hands) - 1}, as its game has"
        )
    return game.hands[hand.hand]


def rows(store: Store, pairing: int | None = None) -> Iterator[Rows]:
    """The hands of a run, or of one pairing, in the order of the plan, some at a time.

    They are read where the run kept them, else played again in the caller as they are asked for. Raises
    StoreError where the engine or a policy has changed since, RunError where a policy fails, and
    ExperimentError for a study of forks.
    """
    if store.experiment.fork is not None:
        kind = store.experiment.kind
        raise ExperimentError(f"a {kind} study tells no hands apart; allowed: runs of hands or games")
    if not store.experiment.rows:
        refuse_changes(store)
    return rows_of(store, pairing)


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
    store: Store, where: str | None = None, limit: int | None = None, pairing: int | None = None
) -> tuple[pd.DataFrame, int, bool]:
    """The first hands (at most `limit`) that meet a condition, how many were gone through, and whether all.

    The frame is that of `frame` with the hands' ids in front. FilterError for a condition that cannot be.
    """
    experiment = store.experiment
    empty = frame(experiment, np.empty(0, dtype=ROW))
    condition = None if where is None else Filter(where, empty)
    found, seen, left = [empty], 0, limit
    for batch in rows(store, pairing):
        hands = frame(experiment, batch)
        if condition is not None:
            hands = hands[condition(hands)]
        if left is not None and len(hands) >= left:
            hands = hands.iloc[:left]
            return _with_ids(experiment, [*found, hands]), seen + int(hands.index[-1]) + 1, False
        found.append(hands)
        seen += len(batch)
        left = None if left is None else left - len(hands)
    return _with_ids(experiment, found), seen, True


def _with_ids(experiment: Experiment, parts: list[pd.DataFrame]) -> pd.DataFrame:
    hands = pd.concat(parts, ignore_index=True)
    hands.insert(0, "hand", pd.Series(ids(experiment, hands), dtype="str"))
    return hands
