"""Tune a policy's knobs: race candidates on common deals, then measure the winner on deals it never saw.

Each round plays the candidates that are left against a pool, on the same deals and with the same chances, for
twice as many pairs as the round before. Who is behind the best by more than the 95 % interval of their paired
difference drops out; sums of all rounds count. The score that made the winner is never told as its strength:
the gain is that of a confirmation on fresh deals. Source: Birattari et al., "A racing algorithm for
configuring metaheuristics", GECCO 2002; Jamieson and Talwalkar, AISTATS 2016, for rounds of doubled length.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .analysis import MatchResult, Played
from .analysis.findings import Finding, as_dicts, with_error
from .analysis.results import plain
from .experiment.executors import Kind
from .experiment.plan import STOP, Experiment, ExperimentError, Faults, Unit, check_range, check_unit
from .experiment.pricing import prices
from .experiment.run import Progress
from .experiment.store import RunStore
from .experiment.studies.tournament import DEFAULT_FIELD, listed
from .experiment.studies.tune import FIRST_PAIRS, ROUNDS, candidates, plan_duel, plan_round, seed_of
from .playing import play, resume
from .policies import name_of, parse_spec
from .rules import Rules, as_rules
from .stats.means import Estimate, linearised, of_residuals

if TYPE_CHECKING:
    import pandas as pd

Sums = NDArray[np.int64]


@dataclass(frozen=True)
class Standing:
    """A candidate after a round: how far it is behind the best, paired on the same deals, and if it stays."""

    round: int
    policy: str
    pairs: int
    behind: Estimate
    kept: bool


@dataclass(frozen=True)
class Tuned:
    """What a tuning found. `gain` and `duel` are None where the start stays the best.

    `gain` is the winner's mean over the pool less the start's, on fresh deals; `duel` the winner less the
    start in direct play; both points per hand, or shares of games.
    """

    start: str
    winner: str
    pool: tuple[str, ...]
    unit: Unit
    standings: tuple[Standing, ...]
    gain: Estimate | None
    against: dict[str, Estimate]
    """The winner against each of the pool, on the fresh deals."""
    duel: Estimate | None
    pairs: int
    """Of the confirmation."""
    seed: int

    @cached_property
    def rounds(self) -> pd.DataFrame:
        """A row for each candidate and round: pairs so far, how far behind the best with its error, kept."""
        import pandas as pd

        rows = [
            {
                "round": one.round,
                "policy": one.policy,
                "pairs": one.pairs,
                "behind": one.behind.value,
                "behind_se": one.behind.se,
                "behind_low": one.behind.low,
                "behind_high": one.behind.high,
                "kept": one.kept,
            }
            for one in self.standings
        ]
        return pd.DataFrame(rows)

    @property
    def better(self) -> bool:
        """Whether the winner is shown to be better than the start: the interval of its gain lies above 0."""
        return self.gain is not None and self.gain.low > 0

    @cached_property
    def findings(self) -> list[Finding]:
        """What it says in plain sentences."""
        measure = "points per hand" if self.unit == "hands" else "share of games"
        basis = f"95 %, {self.pairs:,} pairs of {self.unit} on deals that chose nothing"
        if self.gain is None:
            return [Finding(f"{self.start} stays: of all candidates none came out ahead of it in the race.")]
        gain = with_error(self.gain.value, self.gain.high - self.gain.value, sign=True)
        over = f"in its mean {measure} over {', '.join(self.pool)} ({basis})"
        text = (
            f"{self.winner} is better than {self.start}: {gain} {over}."
            if self.better
            else f"No gain is shown: {self.winner}, first in the race, gains {gain} on {self.start} {over}."
        )
        found = [Finding(text)]
        if self.duel is not None:
            duel = with_error(self.duel.value, self.duel.high - self.duel.value, sign=True)
            found.append(
                Finding(f"{self.winner} against {self.start} in direct play: {duel} {measure} ({basis}).")
            )
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        values: dict[str, Any] = plain(
            {
                "start": self.start,
                "winner": self.winner,
                "better": self.better,
                "pool": list(self.pool),
                "unit": self.unit,
                "seed": self.seed,
                "pairs_to_confirm": self.pairs,
                "gain": self.gain,
                "duel": self.duel,
                "against": self.against,
                "rounds": self.rounds.to_dict("records"),
            }
        )
        return values | {"findings": as_dicts(self.findings)}


def tune(
    policy: str,
    knobs: Iterable[str],
    against: Iterable[str] = (),
    *,
    pairs: int | None = None,
    rounds: int = ROUNDS,
    rules: Rules | str = "standard",
    unit: Unit = "hands",
    seed: int | None = None,
    processes: int | None = None,
    executor: Kind | None = None,
    faults: Faults = STOP,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Tuned:
    """Look for better knobs of a policy against a pool of opponents.

    `knobs` are texts `KNOB=VALUES` (`knock_at=0:10`, `knock_at=2,5`) or `KNOB` for the whole range that it
    declares; all their combinations, and the policy as it is, are candidates. `against` are specs, by default
    the stock policies of other names. The first of at most `rounds` rounds plays `pairs` for each meeting
    (2,000 of hands, 200 of games), each one after it twice as many, until one candidate is left. The
    confirmation plays as many as the longest round could. With `out`, a directory, every round is kept there
    as a run, and the same call goes on where it was interrupted. Raises SweepError, PolicyError or
    ExperimentError for what cannot be.
    """
    check_unit(unit)
    specs = candidates(policy, knobs)
    names = listed(against) or [name for name in DEFAULT_FIELD if name != name_of(specs[0])]
    pool = tuple(str(parse_spec(spec)) for spec in names)
    pairs = check_range("pairs", FIRST_PAIRS[unit] if pairs is None else pairs, 16, 10**8)
    rounds = check_range("rounds", rounds, 1, 12)
    seed = secrets.randbelow(2**32) if seed is None else seed
    player = _Player(None if out is None else Path(out), processes, executor, progress)
    shared: dict[str, Any] = {"rules": as_rules(rules), "unit": unit, "faults": faults}
    race = _Race(specs, unit)
    for number in range(1, rounds + 1):
        planned = plan_round(
            race.left, pool, pairs=pairs * 2 ** (number - 1), seed=seed_of(seed, f"round {number}"), **shared
        )
        race.add(player.play(planned, f"round-{number}"))
        if len(race.left) == 1:
            break
    winner = race.best
    most = pairs * 2 ** (rounds - 1)
    found: dict[str, Any] = {"gain": None, "against": {}, "duel": None}
    if winner != specs[0]:
        fresh = seed_of(seed, "confirmation")
        again = plan_round([winner, specs[0]], pool, pairs=most, seed=fresh, **shared)
        duel = plan_duel(winner, specs[0], pairs=most, seed=seed_of(seed, "duel"), **shared)
        found = _confirmed(player.play(again, "confirm"), player.play(duel, "duel"), pool)
    return Tuned(
        start=specs[0], winner=winner, pool=pool, unit=unit, standings=tuple(race.standings), pairs=most,
        seed=seed, **found,
    )  # fmt: skip


class _Player:
    """Plays runs in memory, or in a directory, where those that are there already are gone on with."""

    def __init__(
        self, out: Path | None, processes: int | None, executor: Kind | None, progress: Progress | None
    ) -> None:
        self.out = out
        self.options: dict[str, Any] = {"processes": processes, "executor": executor, "progress": progress}

    def play(self, experiment: Experiment, name: str) -> Played:
        """A planned run, or the rest of it. ExperimentError where the directory has another."""
        path = None if self.out is None else self.out / name
        if path is not None and path.exists():
            if RunStore.open(path).experiment != experiment:
                raise ExperimentError(f"{str(path)!r} is of another tuning; allowed: a directory of its own")
            result = resume(path, **self.options)
        else:
            result = play(experiment, out=path, **self.options)
        assert isinstance(result, Played)
        return result


class _Race:
    """The candidates that are left, and all that they have scored."""

    def __init__(self, specs: tuple[str, ...], unit: Unit) -> None:
        self.left = list(specs)
        self.unit = unit
        self.number = self.pairs = 0
        self.standings: list[Standing] = []
        self._sums: dict[str, list[tuple[Sums, Sums]]] = {}

    @property
    def best(self) -> str:
        """The candidate of the highest mean; of equals the one named first, so that the start stays."""
        return max(self.left, key=lambda spec: linearised(self._sums[spec])[0])

    def add(self, result: Played) -> None:
        """A round was played: add it up and drop who is behind."""
        self.number += 1
        self.pairs += result.experiment.pairs
        for spec, ratios in zip(self.left, _ratios(result, len(self.left)), strict=True):
            before = self._sums.get(spec)
            self._sums[spec] = ratios if before is None else [
                (y + more_y, h + more_h) for (y, h), (more_y, more_h) in zip(before, ratios, strict=True)
            ]  # fmt: skip
        first = self.best
        kept = []
        for spec in self.left:
            behind = _difference(self._sums[first], self._sums[spec])
            stays = not behind.low > 0
            self.standings.append(Standing(self.number, spec, self.pairs, behind, stays))
            if stays:
                kept.append(spec)
        self.left = kept


def _ratios(result: Played, candidates: int) -> list[list[tuple[Sums, Sums]]]:
    """By candidate and opponent, what it scored in each block and what that is out of."""
    experiment = result.experiment
    found: list[list[tuple[Sums, Sums]]] = []
    each = len(experiment.pairings) // candidates
    for candidate in range(candidates):
        tallies = [result.tally(candidate * each + other) for other in range(each)]
        if experiment.unit == "games":
            halves = [tally.by_block("game_halves") for tally in tallies]
            found.append([(half @ np.arange(5), 4 * half.sum(axis=1)) for half in halves])
        else:
            price = prices(experiment.rules)
            found.append([(tally.by_block("parts") @ price, tally.by_block("hands")) for tally in tallies])
    return found


def _difference(one: list[tuple[Sums, Sums]], other: list[tuple[Sums, Sums]]) -> Estimate:
    """The mean of the one less that of the other, over the pool, paired block by block."""
    (value, residuals), (base, of_base) = linearised(one), linearised(other)
    used = int(np.any([h > 0 for _, h in one], axis=0).sum())
    return of_residuals(value - base, residuals - of_base, used)


def _confirmed(again: Played, duel: Played, pool: tuple[str, ...]) -> dict[str, Any]:
    """What fresh deals say of the winner."""
    winner, start = _ratios(again, 2)
    blocks = int(np.any([h > 0 for _, h in winner], axis=0).sum())
    against = {
        name: of_residuals(*linearised([ratio]), blocks) for name, ratio in zip(pool, winner, strict=True)
    }
    assert isinstance(duel, MatchResult)
    level = duel.points if duel.games is None else _above_half(duel.games)
    return {"gain": _difference(winner, start), "against": against, "duel": level}


def _above_half(share: Estimate) -> Estimate:
    return Estimate(share.value - 0.5, share.se, share.low - 0.5, share.high - 0.5, share.clusters)
