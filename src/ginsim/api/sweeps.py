"""What knobs do: sweeps over rules and policies, and other prices without play."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from ..analysis import Played, SweepResult, result_of
from ..experiment.executors import Kind
from ..experiment.grid import value_text
from ..experiment.plan import Faults, Unit
from ..experiment.repricing import reprice_run
from ..experiment.run import Progress
from ..experiment.store import RunStore
from ..experiment.studies.sweep import plan_sweep
from ..experiment.studies.tournament import listed
from ..playing import play
from ..policies import PolicyLike, specs_of
from ..policies.info import Value
from ..rules import Rules, as_rules

Vary: TypeAlias = Mapping[str, Iterable[Value]] | Iterable[str]
"""Knobs and their values: `{"undercut_bonus": range(0, 51, 5)}`, or texts as `--vary` takes them."""


def sweep(
    policies: Iterable[PolicyLike],
    vary: Vary,
    *,
    gauntlet: PolicyLike | None = None,
    baseline: Mapping[str, Value] | Iterable[str] = (),
    pairs: int | None = None,
    reprice: bool = True,
    rules: Rules | str = "standard",
    unit: Unit = "hands",
    seed: int | None = None,
    chunk: int | None = None,
    processes: int | None = None,
    executor: Kind | None = None,
    scheduler: str | None = None,
    on_error: str = "stop",
    time_forfeit: bool = False,
    time_limit: float = 60,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> SweepResult:
    """Vary knobs of rules and policies over a grid, all cells on the same deals, and return what it found.

    `vary` names knobs of the rules (`undercut_bonus`), or of a policy by its name or its number from 1
    (`threshold.knock_at`, `2.knock_at`), each with its values. In every cell each policy meets each other or,
    with `gauntlet`, that one, number 1, each of them, for `pairs` mirrored pairs (10,000 of hands, 1,000 of
    games). `baseline` says which cell the others are compared with, by default what stands where nothing is
    varied. Cells that differ in nothing but what hands pay are told from the counters of one of them, exactly
    as if they were played, unless `reprice` is off, a policy reads what is varied, or the unit is games. All
    other arguments are those of `tournament`.

    Raises SweepError, PolicyError, RulesError or ExperimentError for what cannot be.

    >>> found = sweep(["greedy", "gin_only"], {"undercut_bonus": [0, 50]}, pairs=200, seed=1, processes=1)
    >>> list(found.meetings["points"].round(2)), list(found.meetings["repriced"])
    ([4.9, -11.6], [False, True])
    """
    with specs_of([*listed(policies), *([] if gauntlet is None else [gauntlet])]) as specs:
        one = None if gauntlet is None else specs.pop()
        experiment = plan_sweep(
            specs,
            _texts(vary),
            gauntlet=one,
            baseline=_texts(baseline),
            pairs=pairs,
            rules=as_rules(rules),
            unit=unit,
            seed=seed,
            chunk=chunk,
            faults=Faults(on_error=on_error, time_forfeit=time_forfeit, time_limit=time_limit),
            reprice=reprice,
        )
        result = play(
            experiment,
            processes=processes,
            executor=executor,
            scheduler=scheduler,
            out=out,
            progress=progress,
        )
        assert isinstance(result, SweepResult)
        return result


def reprice(
    path: str | os.PathLike[str],
    *,
    vary: Vary = (),
    baseline: Mapping[str, Value] | Iterable[str] = (),
    **knobs: Value | None,
) -> Played:
    """A finished run of hands under other prices; nothing is played, and it is exact.

    `knobs` are those of the rules to change: gin_bonus, big_gin_bonus (where it is on), undercut_bonus,
    undercut_on_tie, oklahoma_spades_double. A tournament or match stays what it is; with `vary` (see `sweep`)
    it becomes a SweepResult. A match that its rule ended is told for the pairs that it took. Raises
    ExperimentError where hands would be others: another knob, games, or a policy that reads what is changed.
    """
    settings = [f"{name}={'off' if value is None else value_text(value)}" for name, value in knobs.items()]
    result = result_of(reprice_run(RunStore.open(Path(path)), settings, _texts(vary), _texts(baseline)))
    assert isinstance(result, Played)
    return result


def _texts(values: Mapping[str, Any] | Iterable[str]) -> list[str]:
    """Knobs and their values as texts."""
    if not isinstance(values, Mapping):
        return list(listed(values))
    return [
        f"{knob}={','.join(map(value_text, several if _several(several) else [several]))}"
        for knob, several in values.items()
    ]


def _several(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str)
