"""Where the policies of a run lose their points: a sample of its hands, gone through decision by decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..analysis.findings import Finding, with_error
from ..analysis.results import Played
from ..experiment.handid import HandId, hand_number
from ..experiment.plan import Experiment, ExperimentError
from ..experiment.run import RunError
from ..records import GameRecord
from ..stats.means import half_width
from .positions import scores_before
from .review import KINDS, Decision, review_hand

if TYPE_CHECKING:
    import pandas as pd

WORST = 10  # moves listed
TURNS = ((1, 2), (3, 4), (5, 6), (7, 9), (10, None))
KIND_WORDS = {"draw": "by its draws", "discard": "by its discards", "knock": "by when it knocks"}


@dataclass(frozen=True)
class RunReview:
    """The decisions of a sample of a run's hands, and what they cost by policy, kind and turn."""

    experiment: Experiment
    hands: int
    guesses: int
    decisions: list[tuple[str, Decision]]
    """With the policy that took them."""
    forfeited: int = 0
    """Hands or games that were to be looked at, and which a fault had ended: they have no record."""

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The decisions, a row each: policy, hand, move, kind, turn, played, best, lost, error, grade."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "policy": policy,
                    "hand": one.hand,
                    "move": one.move,
                    "seat": one.seat,
                    "kind": one.kind,
                    "turn": one.position.turn,
                    "played": str(one.played),
                    "best": str(one.best),
                    "lost": one.lost,
                    "error": one.error,
                    "grade": one.grade,
                }
                for policy, one in self.decisions
            ]
        )

    @cached_property
    def by_kind(self) -> pd.DataFrame:
        """Points lost per hand, by policy and kind of decision; kind "all" is their sum."""
        return self._lost("kind", KINDS)

    @cached_property
    def by_turn(self) -> pd.DataFrame:
        """Points lost per hand, by policy and own turn."""
        return self._lost("turns", [turns_text(*turns) for turns in TURNS])

    def _lost(self, column: str, groups: Any) -> pd.DataFrame:
        """Points lost per hand in each group, with half of the 95 % interval over the hands."""
        import pandas as pd

        frame = self.frame.assign(turns=[turns_of(turn) for turn in self.frame["turn"]])
        frame["place"] = frame["hand"] + "/" + frame["seat"].astype(str)
        rows = []
        for policy, own in frame.groupby("policy", sort=False):
            places = own["place"].unique()
            for group in (*groups, "all"):
                part = own if group == "all" else own[own[column] == group]
                each = part.groupby("place")["lost"].sum().reindex(places, fill_value=0.0)
                half = half_width(float(each.std(ddof=1) / len(each) ** 0.5), len(each))
                wrong = int((part["grade"] != "best").sum())
                rows.append(
                    {
                        "policy": policy,
                        column: group,
                        "lost": float(each.mean()),
                        "error": half,
                        "hands": len(each),
                        "decisions": len(part),
                        "wrong": wrong,
                    }
                )
        return pd.DataFrame(rows)

    @cached_property
    def worst_first(self) -> pd.DataFrame:
        """`frame`, those decisions first that are shown to have cost most."""
        shown = self.frame["lost"].where(self.frame["grade"] != "best", 0.0)
        return self.frame.loc[shown.sort_values(ascending=False, kind="stable").index]

    @cached_property
    def worst(self) -> list[tuple[str, Decision]]:
        """The moves that cost most, of those whose cost is beyond its error."""
        wrong = [(policy, one) for policy, one in self.decisions if one.grade != "best"]
        return sorted(wrong, key=lambda pair: -pair[1].lost)[:WORST]

    @cached_property
    def findings(self) -> list[Finding]:
        """Where each policy loses its points."""
        told = []
        for policy, own in self.by_kind.groupby("policy", sort=False):
            rows = {row["kind"]: row for row in own.to_dict("records")}
            whole = rows.pop("all")
            parts = ", ".join(f"{_lost_text(row)} {KIND_WORDS[kind]}" for kind, row in rows.items())
            told.append(
                Finding(
                    f"{policy} loses {_lost_text(whole)} points per hand against the best answers found: "
                    f"{parts}; {whole['wrong']} of its {whole['decisions']} decisions are shown to cost "
                    "something."
                )
            )
        if self.forfeited:
            left = f"{self.forfeited} {self.experiment.unit} of the sample were forfeited and are left out."
            told.append(Finding(left, caution=True))
        told.append(
            Finding(
                f"The sample is {self.hands} hands, and losses are those of one answer after which both play "
                f"on as expert does; errors are 95 %, over hands. Each best answer was looked for with "
                f"{self.guesses} guesses of the hidden cards, so that small losses are missed.",
                caution=True,
            )
        )
        return told

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values, for JSON."""
        return {
            "hands": self.hands,
            "forfeited": self.forfeited,
            "guesses": self.guesses,
            "by_kind": self.by_kind.to_dict("records"),
            "by_turn": self.by_turn.to_dict("records"),
            "worst": [{"policy": policy, **one.to_dict()} for policy, one in self.worst],
            "findings": [finding.text for finding in self.findings],
        }


def review_run(
    result: Played,
    hands: int,
    guesses: int,
    *,
    workers: int = 1,
    seed: int = 0,
    done: Callable[[], object] = lambda: None,
) -> RunReview:
    """Go through so many hands of a run, spread over its whole plan; `done` is called after each."""

    def one(number: int, hand: HandId) -> list[tuple[str, Decision]] | None:
        return _review_one(result, hand, number, guesses, seed)

    ids, found = list(sample_of(result.experiment, hands)), []
    pool = ThreadPoolExecutor(workers)
    try:
        for decisions in pool.map(one, range(len(ids)), ids):
            found.append(decisions)
            done()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # who interrupts does not wait for hands under way
    whole = [decisions for decisions in found if decisions is not None]
    if not whole:
        raise ExperimentError(f"all {len(ids)} hands looked at were forfeited; allowed: more hands than that")
    flat = [pair for decisions in whole for pair in decisions]
    return RunReview(result.experiment, len(whole), guesses, flat, len(ids) - len(whole))


def sample_of(experiment: Experiment, hands: int) -> Iterator[HandId]:
    """Hands (or games) spread evenly over the plan, all of them where there are no more."""
    whole = 2 * experiment.pairs * len(experiment.pairings)
    hands = min(hands, whole)
    for number in range(hands):
        place = number * whole // hands
        if experiment.unit == "hands":
            yield hand_number(experiment, place)
        else:
            pairing, rest = divmod(place, 2 * experiment.pairs)
            yield HandId(pairing, rest // 2, rest % 2)


def _review_one(
    result: Played, hand: HandId, number: int, guesses: int, seed: int
) -> list[tuple[str, Decision]] | None:
    """The decisions of one hand; of a game, of one of its hands; None where it was forfeited."""
    scores = (0, 0)
    try:
        record = result.replay(str(hand))
    except RunError:
        faults = result.experiment.faults
        if faults.on_error != "forfeit" and not faults.time_forfeit:
            raise
        return None
    if isinstance(record, GameRecord):
        place = number % len(record.hands)
        scores, record = scores_before(record, place), record.hands[place]
        hand = HandId(hand.pairing, hand.pair, hand.orientation, place)
    found = review_hand(record, guesses, scores=scores, hand=str(hand), seed=seed + number)
    return [(record.players[one.seat], one) for one in found]


def turns_of(turn: int) -> str:
    """The group of an own turn."""
    return next(turns_text(low, high) for low, high in TURNS if high is None or turn <= high)


def turns_text(low: int, high: int | None) -> str:
    """Turns in words."""
    return f"{low} on" if high is None else f"{low} to {high}"


def _lost_text(row: dict[Any, Any]) -> str:
    return with_error(row["lost"], row["error"], digits=1)
