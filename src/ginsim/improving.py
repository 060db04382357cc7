"""Improve when a policy knocks: study it, adopt the cells that are decided, and see whether that gains.

A round studies the present policy, takes over every cell of own turn and deadwood whose interval leaves out 0
and makes of them the table of thresholds, falling from turn to turn, that gains most by these cells. The
candidate is kept only if a match on fresh deals shows a gain. The first that shows none ends the rounds, so
that the chance of ever keeping one that gains nothing is that of the first such, 2.5 %, however many rounds
there are: a fixed sequence of tests (Maurer, Hothorn and Lehmacher 1995). What is claimed in the end is
measured once more, on deals that no round has seen.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._knocks import FIELDS
from ._policies import THREE_KNOBS, LeastDeadwood, table_text
from .analysis import MatchResult, Result, Tournament
from .analysis.findings import Finding, as_dicts, half_of, with_error
from .analysis.knock import KnockResult, difference_of
from .analysis.results import plain
from .experiment.config import options_text
from .experiment.plan import Experiment, ExperimentError, check_range
from .experiment.run import Stage
from .experiment.studies.knock import DEFAULT_PAIRS, DEFAULT_POLICY, plan_knock
from .experiment.studies.match import plan_match
from .experiment.studies.tournament import plan_tournament
from .policies import parse_spec
from .rules import Rules
from .series import Series
from .stats.means import Estimate

if TYPE_CHECKING:
    from .experiment.tally import Counts

MOST_ROUNDS = 10
KEPT = "kept"
TABLED = "threshold"
"""Plays as the policies of its kin that have no knobs, but with a table."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the policy studied, the cells that speak for a change, and what came of the candidate."""

    policy: str
    changes: int
    candidate: str
    gain: Estimate | None
    verdict: str


@dataclass(slots=True)
class Improvement:
    """What all rounds came to. `final` plays in any tournament; `claim` is its gain on deals of their own."""

    start: str
    against: str
    rules: Rules
    pairs: int
    seed: int
    rounds: list[Round] = field(default_factory=list)
    final: str = ""
    cycle: tuple[str, ...] = ()
    claim: Estimate | None = None
    claim_against: Estimate | None = None
    path: Path | None = None

    @property
    def better(self) -> bool:
        """Whether the final policy is shown to be better than the start: its claim lies above 0."""
        return self.claim is not None and self.claim.low > 0

    @property
    def findings(self) -> list[Finding]:
        """What was gained, in sentences with their errors."""
        if self.claim is None:
            told = [f"{self.start}: no change of its knocks is shown to gain anything ({self._basis})."]
        else:
            first = "" if self.better else "No gain is shown after all: "
            told = [
                f"{first}{self.final} against {self.start}, from which it was made: {_told(self.claim)} "
                f"points per hand (95 %, {self.pairs:,} pairs of deals that no round has seen; "
                f"{self._basis})."
            ]
        if self.claim_against is not None:
            told.append(
                f"Against {self.against} it gets {_told(self.claim_against)} points per hand more than "
                f"{self.start} (95 %, {self.pairs:,} pairs each of the same fresh deals)."
            )
        if self.cycle:
            told.append(f"The rounds came back to a table that they had left: {' -> '.join(self.cycle)}.")
        elif self.rounds and self.rounds[-1].verdict == KEPT:
            told.append(f"The last of {len(self.rounds)} rounds still showed a gain: more may lie in others.")
        mind = (
            "The rounds look one decision ahead and against one opponent, who does not adapt: another start, "
            "opponent or order may end elsewhere."
        )
        return [*map(Finding, told), Finding(mind, caution=True)]

    @property
    def _basis(self) -> str:
        return f"{self.rules.describe()} rules, {len(self.rounds)} round{'s' * (len(self.rounds) != 1)}"

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; what cannot be told is None."""
        values = {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if field.name not in ("rules", "rounds", "path", "cycle")
        }
        told: dict[str, Any] = plain(
            values
            | {
                "better": self.better,
                "rules": self.rules.to_dict(),
                "rounds": [dataclasses.asdict(one) for one in self.rounds],
                "cycle": list(self.cycle),
                "path": None if self.path is None else str(self.path),
                "findings": as_dicts(self.findings),
            }
        )
        return told


def _told(gain: Estimate) -> str:
    return with_error(gain.value, half_of(gain), sign=True)


def improve(
    series: Series,
    rounds: int,
    *,
    policy: str = DEFAULT_POLICY,
    against: str | None = None,
    rules: Rules | None = None,
    pairs: int | None = None,
    seed: int,
) -> Improvement:
    """Up to `rounds` rounds (at most 10) from a policy of the greedy kin, or one with a table.

    `series` plays the runs, and goes on with those that it has; `against` is the opponent of all studies and
    matches, by default the policy as it was at the start. `pairs` is the number of each of them, all on deals
    of their own by the seed. Raises ExperimentError for a policy whose knocks are no table, and what playing
    raises.
    """
    number = check_range("pairs", DEFAULT_PAIRS if pairs is None else pairs, 1, 10**8)
    rounds = check_range("improve", rounds, 1, MOST_ROUNDS)
    start = str(parse_spec(policy))
    found = Improvement(
        start=start,
        against=start if against is None else str(parse_spec(against)),
        rules=rules if rules is not None else Rules(),
        pairs=number,
        seed=seed,
        final=start,
        path=series.out,
    )
    thresholds_of_policy(start)  # so that a policy that has none is refused before the first hand
    series.begin(_config(found, rounds))
    _Rounds(found, series, rounds).go()
    series.write("improve.json", json.dumps(found.to_dict(), indent=2) + "\n")
    return found


def _config(found: Improvement, rounds: int) -> str:
    options = {
        "policies": [found.start],
        "against": found.against,
        "pairs": found.pairs,
        "seed": found.seed,
        "improve": rounds,
    }
    return options_text("knock", options, found.rules)


class _Rounds:
    """The rounds of an improvement."""

    def __init__(self, found: Improvement, series: Series, most: int) -> None:
        self.found = found
        self._series = series
        self._most = most

    def go(self) -> None:
        """Round after round, then the claim."""
        found, seen = self.found, [self.found.start]
        for number in range(1, self._most + 1):
            one = self._round(number, found.final, seen)
            found.rounds.append(one)
            if one.verdict != KEPT:
                break
            found.final = one.candidate
            seen.append(one.candidate)
        if found.final != found.start:
            self._claim()

    def _round(self, number: int, policy: str, seen: list[str]) -> Round:
        study = self._played(
            plan_knock(
                [policy],
                against=self.found.against,
                rules=self.found.rules,
                pairs=self.found.pairs,
                seed=seed_of(self.found.seed, f"study {number}"),
            ),
            f"round-{number}",
        )
        assert isinstance(study, KnockResult)
        present = thresholds_of_policy(policy)
        cells = decided(study.tally(0)["cells"])
        wanted = best_falling(cells, present)
        changes = sum(one != other for one, other in zip(wanted, clipped(present, cells), strict=True))
        candidate = with_table(policy, wanted)
        if not changes:
            return Round(policy, 0, policy, None, "no cell asks for a change")
        if candidate in seen:
            self.found.cycle = (*seen[seen.index(candidate) :], candidate)
            return Round(policy, changes, candidate, None, "a cycle: it was left before")
        gain = self._gain(candidate, policy, f"match {number}", f"round-{number}-match")
        return Round(policy, changes, candidate, gain, KEPT if gain.low > 0 else "no gain shown")

    def _gain(self, new: str, old: str, what: str, name: str) -> Estimate:
        """Points per hand that the new one gets more than the old one, both against the opponent."""
        found = self.found
        if found.against == old:
            return self._match(new, old, what, name)
        seed = seed_of(found.seed, what)
        plan = plan_tournament(
            [new, old], gauntlet=found.against, rules=found.rules, pairs=found.pairs, seed=seed
        )
        result = self._played(plan, name)
        assert isinstance(result, Tournament)
        for row in result.differences.to_dict("records"):
            if {row["a"], row["b"]} == {new, old}:
                sign = 1 if row["a"] == new else -1
                low, high = sorted((sign * row["low"], sign * row["high"]))
                return Estimate(sign * row["difference"], row["se"], low, high, found.pairs)
        raise AssertionError(f"{new} and {old} are not compared")

    def _match(self, new: str, old: str, what: str, name: str) -> Estimate:
        found = self.found
        plan = plan_match(new, old, rules=found.rules, pairs=found.pairs, seed=seed_of(found.seed, what))
        result = self._played(plan, name)
        assert isinstance(result, MatchResult)
        return result.points

    def _claim(self) -> None:
        """The final policy against where it began, on deals that no round has seen."""
        found = self.found
        found.claim = self._match(found.final, found.start, "claim", "claim")
        if found.against != found.start:
            found.claim_against = self._gain(found.final, found.start, "claim against", "claim-against")

    def _played(self, plan: Experiment, name: str) -> Result:
        """A run; the title says which of at most how many rounds it is of."""
        title = f"{name} of at most {self._most}" if name.startswith("round") else name
        return self._series.play(plan, name, Stage(title))


def seed_of(seed: int, what: str) -> int:
    """The seed of one part: its deals are those of no other."""
    return int.from_bytes(hashlib.sha256(f"ginsim: {what} of seed {seed}".encode()).digest()[:4])


# ---------------------------------------------------------------- tables


def thresholds_of_policy(spec: str) -> tuple[int, ...]:
    """By own turn, the deadwood at which a policy knocks; ExperimentError where that is no table."""
    policy = parse_spec(spec)
    if not isinstance(policy, LeastDeadwood):
        raise ExperimentError(
            f"policy {spec!r} cannot be improved: when it knocks is no table by own turn; allowed: greedy, "
            "threshold, gin_only, early, keeper, cautious and marjj, with their knobs"
        )
    return policy.thresholds


def with_table(spec: str, thresholds: list[int]) -> str:
    """The policy that draws and throws as this one does, and knocks by the table.

    >>> with_table("early", [10, 10, 6, 0]), with_table("marjj:until_turn=2", [10, 3])
    ('threshold:table=10x2-6-0', 'marjj:table=10-3')
    """
    policy = parse_spec(spec)
    assert isinstance(policy, LeastDeadwood)
    kind, kept = type(policy), {}
    if "table" in kind.KNOBS:
        name = policy.name
        left_out = (*THREE_KNOBS, "table")
        kept = {knob: value for knob, value in policy.knobs.items() if knob not in left_out}
    else:
        name = TABLED
    knobs = ",".join(f"{knob}={value}" for knob, value in (kept | {"table": table_text(thresholds)}).items())
    return str(parse_spec(f"{name}:{knobs}"))


def decided(cells: Counts) -> list[list[int]]:
    """By own turn and deadwood from 1, the sum of K - D where the interval leaves out 0, else 0.

    Of the decisions that the policy reaches by its own play, where these decide, else of those that it
    reaches by declining: no policy reaches what lies behind its own knocks.
    """
    turns, deadwoods = cells.shape[2] - 1, cells.shape[3] - 1
    return [
        [_weight(cells[:, 0, turn, deadwood]) for deadwood in range(1, deadwoods)] for turn in range(turns)
    ]


def _weight(by_states: Counts) -> int:
    for cell in by_states:
        found = difference_of(cell)
        if found.low > 0 or found.high < 0:
            return int(cell[FIELDS.index("y")])
    return 0


def clipped(thresholds: tuple[int, ...], cells: list[list[int]]) -> list[int]:
    """Thresholds for each of the turns of cells, within their deadwoods."""
    return [min(thresholds[min(turn, len(thresholds) - 1)], len(row)) for turn, row in enumerate(cells)]


def best_falling(cells: list[list[int]], present: tuple[int, ...]) -> list[int]:
    """The thresholds that never rise from turn to turn and gain most; of equal ones the nearest to now.

    A threshold gains the sum of its turn's cells up to it. By dynamic programming over turns.

    >>> best_falling([[5, 5], [-3, 9], [0, -4]], (0,)), best_falling([[-1, -1], [4, 4]], (2,))
    ([2, 2, 0], [2, 2])
    """
    best: list[tuple[int, int, list[int]]] = []  # by the last threshold: gain, nearness, thresholds
    for turn, row in enumerate(cells):
        now = clipped(present, cells)[turn]
        gains = [0]
        for weight in row:
            gains.append(gains[-1] + weight)
        before = best or [(0, 0, [])] * len(gains)
        best = [
            max(
                (before[above][0] + gain, before[above][1] - abs(level - now), [*before[above][2], level])
                for above in range(level, len(gains))
            )
            for level, gain in enumerate(gains)
        ]
    return max(best)[2]
