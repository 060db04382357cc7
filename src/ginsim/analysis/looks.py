"""Looking at a match while it is played: its rule is asked after every chunk, in the order of the plan."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ..experiment.plan import Chunk, Experiment
from ..experiment.tally import AnyTally, Tally
from ..stats.elo import NORMALISED, expected_share, games_in
from ..stats.means import Estimate, half_width
from ..stats.sprt import LEAST, Sprt, Verdict, exact_share_llr, gaussian_llr, normalised_llr
from .frames import points_per_hand, share_of_games

Ended: TypeAlias = Literal["test", "precision", "pairs"]


@dataclass(frozen=True, slots=True)
class Decision:
    """How a match ended, after how many pairs: by its test, its precision, or because they were all played.

    `looked`: whether how it stood had a say in that. `verdict` is None where no test was made. `llr` speaks
    for A, `llr_of_b` for B, as of the last look; the test stops outside `bounds`. nan: there was no look, or
    there is no such test.
    """

    pairs: int
    ended: Ended
    looked: bool
    verdict: Verdict | None
    llr: float
    llr_of_b: float
    bounds: tuple[float, float]


class Looks:
    """Adds a match's chunks up in the order of the plan until its rule says that it is over.

    Chunks may be told in any order: one that comes early waits. What comes after the end is not counted, so
    that the end, and all that is said of it, is the same whoever played the chunks.
    """

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.rule = experiment.stop
        self.pairs = 0
        self.over = False
        self.looked = False
        self.llr = self.llr_of_b = math.nan
        test = self.rule is not None and self.rule.bounds is not None
        self.test = Sprt(self.rule.alpha, self.rule.beta, self.rule.two_sided) if self.rule and test else None
        self._total: Tally | None = None
        self._waiting: dict[int, tuple[Chunk, Tally]] = {}

    @property
    def total(self) -> Tally:
        """The counters up to the end."""
        if self._total is None:
            raise ValueError("no chunk is finished")
        return self._total

    def add(self, chunk: Chunk, tally: AnyTally) -> None:
        """A chunk is finished."""
        assert isinstance(tally, Tally)
        self._waiting[chunk.start] = chunk, tally
        while not self.over and self.pairs in self._waiting:
            chunk, tally = self._waiting.pop(self.pairs)
            self._total = tally if self._total is None else self._total + tally
            self.pairs = chunk.stop
            self.over = self._look()

    def told(self, chunk: Chunk) -> bool:
        """Whether the chunk has been added, counted yet or not."""
        return chunk.start < self.pairs or chunk.start in self._waiting

    def decision(self) -> Decision:
        """How it ended, once it is over or all pairs are played."""
        verdict = None if self.test is None else self.test.verdict or "not shown"
        ended: Ended = "pairs" if not self.over else "precision" if self.test is None else "test"
        bounds = (math.nan, math.nan) if self.test is None else (self.test.low, self.test.high)
        return Decision(self.pairs, ended, self.looked, verdict, self.llr, self.llr_of_b, bounds)

    def pairs_to_confirm(self) -> int:
        """Pairs to play the claim again: as many as it took, or what the test's own risks ask for if more."""
        from ..stats.power import pairs_needed

        assert self.rule is not None
        found = self.estimate()
        sd = math.sqrt(variance_of(found))
        low, high = self.rule.bounds or (math.nan, math.nan)
        if self.rule.scale == "elo":
            low, high = map(expected_share, (low, high))
        elif self.rule.scale == "nelo":
            low, high = (bound * math.sqrt(games_in(range(5))) * sd / NORMALISED for bound in (low, high))
        return max(self.pairs, pairs_needed(high - low, sd, self.rule.alpha, self.rule.beta))

    def estimate(self) -> Estimate:
        """What the match is about: A minus B in points per hand or, of games, A's share of them."""
        return estimate(self.experiment, self.total)

    def _look(self) -> bool:
        """Whether it is over after the pairs so far."""
        if self.rule is None or self.pairs < LEAST:
            return False
        found = self.estimate()
        if math.isnan(found.se):  # the pairs are all alike
            return False
        self.looked = True
        if self.test is None:
            return half_width(found.se, found.clusters) <= (self.rule.precision or 0)
        self.llr, self.llr_of_b = self._llrs(found)
        return self.test.look(self.pairs, self.llr, self.llr_of_b) is not None

    def _llrs(self, found: Estimate) -> tuple[float, float]:
        """The log-likelihood ratios of "A better", and of "B better" if that is asked."""
        assert self.rule is not None
        assert self.rule.bounds is not None
        low, high = self.rule.bounds
        counts: list[int] = self.total["game_halves"].tolist()
        if self.rule.scale == "points":
            spread = variance_of(found)
            of_a, of_b = (
                gaussian_llr(found.clusters, sign * found.value, spread, low, high) for sign in (1, -1)
            )
        elif self.rule.scale == "elo":
            shares = expected_share(low), expected_share(high)
            of_a, of_b = (exact_share_llr(one, *shares) for one in (counts, counts[::-1]))
        else:
            of_a, of_b = (normalised_llr(one, low, high) for one in (counts, counts[::-1]))
        return of_a, of_b if self.rule.two_sided else math.nan


def estimate(experiment: Experiment, tally: Tally) -> Estimate:
    """A minus B in points per hand, or A's share of games, whichever is played for; clustered by pair."""
    return (
        share_of_games(tally)
        if experiment.unit == "games"
        else points_per_hand(tally, experiment.rules_of(0))
    )


def variance_of(mean: Estimate) -> float:
    """That of one pair (divided by the number of pairs) from the error of their mean."""
    return mean.se**2 * (mean.clusters - 1)
