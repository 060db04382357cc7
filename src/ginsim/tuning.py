"""Tune a policy's knobs: search and race on common deals, then measure the winner on deals it never saw.

Few combinations race at once. Of many, rounds of proposals (`stats.proposals`) look for good ones first, each
on deals of its own, and the last centres of the search race. A round of the race plays all that are left
against the pool, on the same deals and with the same chances, for twice as many pairs as the round before.
Who is behind the best by more than the 95 % interval of their paired difference drops out; sums of all rounds
count. The score that made the winner is never told as its strength: the gain is that of a confirmation on
fresh deals. Source: Birattari et al., "A racing algorithm for configuring metaheuristics", GECCO 2002;
Jamieson and Talwalkar, AISTATS 2016, for rounds of doubled length.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .analysis import MatchResult, Played
from .analysis.tuned import NO_CENTRE, Confirmed, Searched, Standing, Tuned
from .experiment.config import options_text
from .experiment.executors import Kind
from .experiment.plan import STOP, Experiment, Faults, Unit
from .experiment.pricing import prices
from .experiment.run import Progress, Stage
from .experiment.store import StoreError
from .experiment.studies.tune import (
    CANDIDATES,
    FINALISTS,
    ROUNDS,
    Tuning,
    plan_duel,
    plan_round,
    plan_tuning,
    seed_of,
)
from .policies import PolicyError, PolicyLike, knob_text, name_of, specs_of
from .rules import Rules, as_rules
from .series import Series
from .stats.means import Estimate, linearised, of_residuals
from .stats.proposals import Places, Proposals

Sums = NDArray[np.int64]
Ratios = list[tuple[Sums, Sums]]
"""Of each opponent what was scored in every block, and what that is out of."""
FOUND = "tune.json"
TRIES = 20  # times as many draws as candidates, where the policy refuses some


def tune(
    policy: PolicyLike,
    knobs: Iterable[str],
    against: Iterable[PolicyLike] = (),
    *,
    pairs: int | None = None,
    budget: int | None = None,
    rounds: int = ROUNDS,
    search: int | None = None,
    candidates: int = CANDIDATES,
    rules: Rules | str = "standard",
    unit: Unit = "hands",
    seed: int | None = None,
    processes: int | None = None,
    executor: Kind | None = None,
    scheduler: str | None = None,
    faults: Faults = STOP,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Tuned:
    """Look for better knobs of a policy against a pool of opponents.

    `knobs` are texts `KNOB=VALUES` (`knock_at=0:10`, `knock_at=2,5`) or `KNOB` for all that it declares to
    allow. `against` are specs, by default the stock policies of other names. At most 200 combinations, and
    the policy as it is, race; of more, `search` rounds (20) of `candidates` proposals (64) look for good ones
    first. `search` may be asked for with fewer, too. A proposal plays `pairs` against each opponent (2,000 of
    hands, 200 of games), as does each candidate in the first of at most `rounds` rounds of the race; each
    round after it has twice as many, until one candidate is left. The confirmation plays as many as the
    longest round could. `budget` in the place of `pairs` is the number of hands (or games) of it all, at
    most.

    With `out`, a directory, every round is kept there as a run, and the same call, or `ginsim resume`, goes
    on where it was interrupted. Raises SweepError, PolicyError or ExperimentError for what cannot be.

    >>> tune("threshold", ["knock_at=0,9"], ["gin_only"], pairs=200, seed=1, processes=1).result
    'threshold:knock_at=0'
    """
    with specs_of([policy, *against]) as (spec, *pool):
        planned = plan_tuning(
            spec,
            knobs,
            pool,
            pairs=pairs,
            budget=budget,
            rounds=rounds,
            search=search,
            candidates=candidates,
            rules=as_rules(rules),
            unit=unit,
            seed=seed,
            faults=faults,
        )
        players = {"processes": processes, "executor": executor, "scheduler": scheduler}
        path = None if out is None else Path(out)
        return play_tuning(planned, Series(path, players, lambda experiment, stage: nullcontext(progress)))


def play_tuning(tuning: Tuning, series: Series) -> Tuned:
    """Play a tuning, or the rest of it; where it is kept, `tune.json` has what it found."""
    rounds = _Rounds(tuning, series)
    race = tuple(dict.fromkeys(tuning.grid())) if not tuning.search else ()
    first = [] if race else rounds.propose()  # what a policy refuses is told before the first hand
    series.begin(options_text("tune", tuning.options(), tuning.rules))
    winner = rounds.race(race or rounds.finalists(first))
    confirmed = None if winner == tuning.start else rounds.confirm(winner)
    searched, standings = tuple(rounds.searched), tuple(rounds.standings)
    found = Tuned(tuning, searched, standings, winner, confirmed, series.out, rounds.origin())
    series.write(FOUND, json.dumps(found.to_dict(), indent=2) + "\n")
    return found


def read_tuning(path: str | os.PathLike[str]) -> Tuned:
    """What a finished tuning found, from its folder; nothing is played, and no policy is looked for.

    Raises StoreError where the tuning is not finished, or its file is not what it was.
    """
    place = Path(path)
    file = place / FOUND
    try:
        return Tuned.from_dict(json.loads(file.read_text(encoding="utf-8")), place)
    except FileNotFoundError:
        error = StoreError(f"tuning {str(place)!r} is not finished")
        error.add_note(Series(place).advice)
        raise error from None
    except OSError as error:
        raise StoreError(f"{str(file)!r} cannot be read: {error.strerror}") from None
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        reason = error if type(error) is ValueError else "it is no result of a tuning"
        raise StoreError(f"{str(file)!r} cannot be read: {reason}") from None


class _Rounds:
    """The runs of a tuning, one after the other."""

    def __init__(self, tuning: Tuning, series: Series) -> None:
        self.tuning = tuning
        self.searched: list[Searched] = []
        self.standings: list[Standing] = []
        self._series = series
        self._manifests: dict[str, dict[str, Any]] = {}  # by the name of a run
        self._played = 0  # pairs, all told
        knobs = tuning.knobs
        self._proposals = Proposals(
            [len(knob.values) for knob in knobs],
            [knob.ordered for knob in knobs],
            tuning.first,
            seed_of(tuning.seed, "proposals"),
        )

    # ------------------------------------------------------------ search

    def propose(self) -> list[tuple[Places, str]]:
        """The candidates of a round; those that the policy refuses are drawn again. PolicyError for all."""
        found: list[tuple[Places, str]] = []
        refusal: PolicyError | None = None
        for _ in range(TRIES):
            for places in self._proposals.draw(self.tuning.candidates):
                try:
                    found.append((places, self.tuning.spec(places)))
                except PolicyError as error:
                    refusal = error
                if len(found) == self.tuning.candidates:
                    return found
        assert refusal is not None
        raise refusal

    def finalists(self, proposed: list[tuple[Places, str]]) -> tuple[str, ...]:
        """Search, beginning with these proposals; the start and the last centres."""
        centres: list[str] = []
        for number in range(1, self.tuning.search + 1):
            proposed = proposed if number == 1 else self.propose()
            specs = list(dict.fromkeys(spec for _, spec in proposed))
            title = f"search, round {number} of {self.tuning.search}, {len(specs)} candidates"
            left = (self.tuning.search - number) * self.tuning.candidates + self._race_at_most(FINALISTS + 1)
            result = self._play(f"search-{number}", specs, self.tuning.pairs, title, left)
            scores = {
                spec: linearised(ratios)[0]
                for spec, ratios in zip(specs, _ratios(result, len(specs)), strict=True)
            }
            self._proposals.learn(
                [places for places, _ in proposed], np.array([scores[spec] for _, spec in proposed])
            )
            centre = self._centre()
            self.searched.append(Searched(number, len(specs), centre or NO_CENTRE, self._proposals.spread))
            if centre is not None:
                centres.append(centre)
        return tuple(dict.fromkeys([self.tuning.start, *centres[-FINALISTS:]]))

    def _centre(self) -> str | None:
        """The candidate in the middle of the proposals; None where the policy refuses it."""
        try:
            return self.tuning.spec(self._proposals.centre)
        except PolicyError:
            return None

    # ------------------------------------------------------------ race

    def race(self, specs: tuple[str, ...]) -> str:
        """The winner of a race: rounds of doubled length, until one is left or they are over."""
        left, best, pairs = list(specs), specs[0], 0
        sums: dict[str, Ratios] = {}
        for number in range(1, self.tuning.rounds + 1):
            title = f"race, round {number} of at most {self.tuning.rounds}, {len(left)} candidates left"
            each = self.tuning.pairs << number - 1
            result = self._play(f"race-{number}", left, each, title, self._race_at_most(len(left), number))
            pairs += each
            for spec, more in zip(left, _ratios(result, len(left)), strict=True):
                sums[spec] = _added(sums[spec], more) if spec in sums else more
            # Of equals the one named first, so that the start stays.
            best = max(left, key=lambda spec: linearised(sums[spec])[0])
            for spec in left:
                behind = _difference(sums[best], sums[spec])
                self.standings.append(Standing(number, spec, pairs, behind, not behind.low > 0))
            left = [one.policy for one in self.standings[-len(left) :] if one.kept]
            if len(left) == 1:
                break
        return best

    def _race_at_most(self, candidates: int, after: int = 0) -> int:
        """How often `pairs` are played against each opponent after a round of the race, at most."""
        longest = 1 << self.tuning.rounds - 1
        return candidates * (2 * longest - (1 << after)) + 2 * longest

    # ------------------------------------------------------------ fresh deals

    def confirm(self, winner: str) -> Confirmed:
        """The winner and the start on deals that chose nothing: over the pool, and against each other."""
        tuning = self.tuning
        result = self._play("confirmation", [winner, tuning.start], tuning.most_pairs, "confirmation", 0)
        duel = self._series.play(
            plan_duel(winner, tuning.start, pairs=tuning.most_pairs, **self._shared("duel")),
            "duel",
            Stage("winner against start", self._played),
        )
        assert isinstance(duel, MatchResult)
        self._manifests["duel"] = duel.manifest
        ratios, of_start = _ratios(result, 2)
        against = {
            name: of_residuals(*linearised([ratio]), _blocks([ratio]))
            for name, ratio in zip(tuning.pool, ratios, strict=True)
        }
        level = duel.points if duel.games is None else _above_half(duel.games)
        return Confirmed(tuning.most_pairs, _difference(ratios, of_start), against, level)

    def _play(self, name: str, specs: Sequence[str], pairs: int, title: str, after: int) -> Played:
        """A run of candidates against the pool; `after`: how often `pairs` may still be played then."""
        tuning = self.tuning
        planned: Experiment = plan_round(specs, tuning.pool, pairs=pairs, **self._shared(name))
        stage = Stage(title, self._played, after * tuning.pairs * len(tuning.pool))
        result = self._series.play(planned, name, stage)
        assert isinstance(result, Played)
        self._played += pairs * len(planned.pairings)
        self._manifests[name] = result.manifest
        return result

    def origin(self) -> dict[str, Any]:
        """What the runs were played with, as `Tuned.origin` has it; the race has start, winner and pool."""
        race = self._manifests["race-1"]
        bare = name_of(self.tuning.start)
        known = dict(zip(race["experiment"]["entrants"], race["policies"], strict=True))
        return {
            "ginsim": race["ginsim"],
            "engine": race["engine"],
            "policies": {spec: known[spec] for spec in (self.tuning.start, *self.tuning.pool)},
            "defaults": {knob.name: knob_text(bare, knob.name) for knob in self.tuning.knobs},
            "runs": {name: manifest["hash"] for name, manifest in self._manifests.items()},
        }

    def _shared(self, name: str) -> dict[str, Any]:
        tuning = self.tuning
        return {
            "seed": seed_of(tuning.seed, name),
            "rules": tuning.rules,
            "unit": tuning.unit,
            "faults": tuning.faults,
        }


def _ratios(result: Played, candidates: int) -> list[Ratios]:
    """By candidate and opponent, what it scored in each block and what that is out of."""
    experiment = result.experiment
    found: list[Ratios] = []
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


def _added(ratios: Ratios, more: Ratios) -> Ratios:
    return [(y + more_y, h + more_h) for (y, h), (more_y, more_h) in zip(ratios, more, strict=True)]


def _difference(one: Ratios, other: Ratios) -> Estimate:
    """The mean of the one less that of the other, over the pool, paired block by block."""
    (value, residuals), (base, of_base) = linearised(one), linearised(other)
    return of_residuals(value - base, residuals - of_base, _blocks(one))


def _blocks(ratios: Ratios) -> int:
    """How many blocks have anything in them."""
    return int(np.any([h > 0 for _, h in ratios], axis=0).sum())


def _above_half(share: Estimate) -> Estimate:
    return Estimate(share.value - 0.5, share.se, share.low - 0.5, share.high - 0.5, share.clusters)
