"""A finished run of hands under other prices: told from its counters, nothing is played.

A tournament or match under other prices is again one, and with knobs varied a sweep; a sweep stays a sweep.
Everything that is told of it is what playing it anew would tell, to the last unit, errors included.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cache
from typing import Any

from ..policies import parse_spec
from ..rules import Rules, parse_knob
from .grid import Axis, Sweep, SweepError, cells_of, check_size, meetings_of, read_vary, rule_axis
from .plan import Chunk, Experiment, ExperimentError
from .pricing import PRICES, played_apart, repriced
from .store import RunStore, StoreError, differences
from .studies.sweep import baseline_of
from .tally import AnyTally, Tally

ALLOWED = ", ".join(PRICES)


class Repriced(RunStore):
    """A run whose counters are told under the rules of another experiment, which plays the same hands."""

    def __init__(self, store: RunStore, experiment: Experiment) -> None:
        super().__init__(store.path, experiment, store.manifest)
        self._played = store

    def load(self, pairing: int) -> AnyTally:
        """The sum of a pairing's chunks, priced."""
        return self._priced(self._played.load(pairing), pairing)

    def load_chunk(self, chunk: Chunk, whole: bool = False) -> AnyTally:
        """A chunk's counters, priced; without rows, which have prices."""
        return self._priced(self._played.load_chunk(chunk), chunk.pairing)

    def _priced(self, tally: AnyTally, pairing: int) -> Tally:
        assert isinstance(tally, Tally)
        return repriced(tally, self.experiment.rules_of(pairing))


def reprice_run(
    store: RunStore, settings: Sequence[str], vary: Sequence[str] = (), baseline: Sequence[str] = ()
) -> Repriced:
    """A run with knobs of its rules set (`KNOB=VALUE`) and varied (`KNOB=VALUES`).

    Raises ExperimentError, SweepError or RulesError for a run of games or of forks, a knob that is no mere
    price and a policy that reads one; StoreError where the run is not finished, or was played by another
    engine or other policies.
    """
    before = store.experiment
    if before.fork is not None:
        raise ExperimentError(
            f"run {str(store.path)!r} is a {before.kind} study; allowed: a tournament, match or sweep"
        )
    if before.unit == "games":
        raise ExperimentError(
            f"run {str(store.path)!r} is of games, in which what a hand pays decides what comes next; "
            "allowed: runs of hands"
        )
    if not settings and not vary:
        raise SweepError(f"nothing is set or varied; allowed: KNOB=VALUE of {ALLOWED}")
    store.check_finished()
    if changed := differences(store):
        raise StoreError(f"run {str(store.path)!r} cannot be re-priced: {'; '.join(changed)}")
    experiment, axes = _plain(before) if before.sweep is None else before, [_axis(text) for text in vary]
    set_here = {name for name, _ in map(parse_knob, settings)}
    if both := next((axis.name for axis in axes if axis.name in set_here), None):
        raise SweepError(f"{both} is set and varied; allowed: one of the two")
    after = _with_axes(_with_rules(experiment, settings), axes, baseline)
    _check_prices(before, after)
    return Repriced(store, after)


def _plain(experiment: Experiment) -> Experiment:
    """Without what does not go with other prices: kept rows have prices, and a match's end was by its own."""
    return dataclasses.replace(experiment, rows=False, stop=None)


def _axis(text: str) -> Axis:
    name, values = read_vary(text)
    if "." in name:
        raise SweepError(
            f"{name} is a knob of a policy, with which other hands are played; allowed: {ALLOWED}"
        )
    return rule_axis(name, values)


def _with_rules(experiment: Experiment, settings: Sequence[str]) -> Experiment:
    """The experiment under changed rules; those that a sweep's pairings were played under stay."""
    changes: dict[str, Any] = {}
    for name, value in map(parse_knob, settings):
        if name in changes:
            raise SweepError(f"{name} is set twice; allowed: each knob once")
        changes[name] = value
    varied = [] if experiment.sweep is None else [axis.name for axis in experiment.sweep.axes]
    for name in changes:
        if name in varied:
            raise SweepError(f"{name} is varied in the run; allowed: another knob")
    return dataclasses.replace(experiment, rules=experiment.rules.replace(**changes))


def _with_axes(experiment: Experiment, axes: Sequence[Axis], baseline: Sequence[str]) -> Experiment:
    """With more axes, as a sweep; as it is without any."""
    if not axes:
        return experiment
    sweep = experiment.sweep or _as_sweep(experiment)
    names = [axis.name for axis in (*sweep.axes, *axes)]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise SweepError(f"{twice} is varied twice; allowed: each knob once")
    before = list(cells_of(sweep.axes))
    check_size((*sweep.axes, *axes), len(sweep.meetings))
    new = list(cells_of(axes))
    place = baseline_of(axes, baseline, sweep.policies, experiment.rules)
    return dataclasses.replace(
        experiment,
        kind="sweep",
        pairing_rules=tuple(map(experiment.rules_of, range(len(experiment.pairings)))),
        sweep=dataclasses.replace(
            sweep,
            axes=(*sweep.axes, *axes),
            baseline=sweep.baseline * len(new) + place,
            plays=tuple(sweep.plays[cell.number] for cell in before for _ in new),
        ),
    )


def _as_sweep(experiment: Experiment) -> Sweep:
    """A tournament or match as a sweep of one cell."""
    n, met = len(experiment.entrants), experiment.pairings
    gauntlet = met == meetings_of(n, gauntlet=True) and n > 2
    if met != meetings_of(n, gauntlet):
        raise ExperimentError("this run is neither a round robin nor a gauntlet; allowed: one of the two")
    return Sweep(experiment.entrants, gauntlet, (), 0, reprice=True, plays=(tuple(range(len(met))),))


def _check_prices(before: Experiment, after: Experiment) -> None:
    """ExperimentError where some pairing would play other hands."""
    parse = cache(parse_spec)
    for pairing, rules in _wanted(after):
        specs = [before.entrants[entrant] for entrant in before.pairings[pairing]]
        played = before.rules_of(pairing)
        for spec in specs:
            apart = played_apart(played, rules, parse(spec).reads)
            if not apart:
                continue
            mere = played_apart(played, rules)
            if not mere:
                raise ExperimentError(
                    f"policy {spec!r} reads {apart[0]} and may play other hands by it; play it anew"
                )
            if mere[0] == "big_gin_bonus":
                raise ExperimentError(
                    "big_gin_bonus off and on are different games; allowed: other numbers where it is on"
                )
            raise ExperimentError(f"{mere[0]} changes what hands are played; allowed: {ALLOWED}")


def _wanted(experiment: Experiment) -> set[tuple[int, Rules]]:
    """The pairings with all rules that they are to be told under."""
    if experiment.sweep is None:
        return {(pairing, experiment.rules_of(pairing)) for pairing in range(len(experiment.pairings))}
    return {
        (play, experiment.sweep.rules_of(cell, experiment.rules))
        for cell, plays in zip(experiment.sweep.cells, experiment.sweep.plays, strict=True)
        for play in plays
    }
