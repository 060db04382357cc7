"""What is checked of a policy, one function a line of the report.

Everything is played through `hands.match`, so what bounds a policy's time there bounds it in every check.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .._core import QUESTIONS
from .._lockstep import Batch
from .._play import PlayFault
from .._table import Table
from ..experiment.executors import ProcessPool, open_pool
from ..experiment.plan import STOP, Experiment, Faults, check_range
from ..experiment.run import RunError
from ..experiment.spawning import ADVICE, stop_if_starting
from ..experiment.tally import Tally
from ..policies import PolicyError, PolicyLike, is_local, parse_spec, specs_of, speed_class
from ..rules import Rules
from ..seeds import check_seed
from . import hands as at
from .apart import NotApart, apart
from .report import Asked, Fault, Line, Report, Speed
from .watch import Notes, OwnClasses, declared, undeclared, watched, watched_batch

if TYPE_CHECKING:
    from .._core import Policy
    from .._play import Match

__all__ = ["check"]

HANDS = 10_000
REFERENCE = 1000
"""Hands that are played in several ways and compared, where not fewer are asked for."""
ALONE, ALONE_SECONDS = 200, 5
"""Hands played with a fresh object each: so many, or as many objects as are made in so many seconds."""
_WRITING = r"not writable|read-only|has no setter|'View' object has no attribute"
"""What Python and numpy say to those who write where they should not."""

CHUNK = 256  # pairs, as many as there are blocks of counters: then each pair has one of its own

LINES = ("legal", "questions", "repeatable", "hash seeds", "no memory", "views", "spawned", "reads", "speed")
"""Those of every policy; one that answers in batches has one more."""
_NOT_ALL = "not every hand was played"

Progress: TypeAlias = Callable[[str], None]
"""Is told now and then what is being done."""

Played: TypeAlias = list[tuple[Experiment, at.Place, list[at.Hand]]]


class Untried(Exception):
    """Why a check could not be made."""


def check(
    policy: PolicyLike,
    *,
    hands: int = HANDS,
    seed: int = 1,
    time_limit: float = STOP.time_limit,
    progress: Progress | None = None,
) -> Report:
    """Check that a policy keeps to what ginsim and its author's readers rely on.

    `policy` is a spec, or a subclass of `Policy` or its object. It plays `hands` hands under each preset and
    under two other sets of rules, against stock policies of several styles, in either seat, single hands and
    games; a part of them again with the same seed, in another order, alone, in spawned processes and under
    two hash seeds. No answer of a policy in Python may take longer than `time_limit` seconds. The hands of
    `legal`, by far the most, are played in a process of their own, so that a policy which ends its process,
    or never lets go of it, is told as a fault and tried no further; one that only the caller can make is not
    guarded so. What is wrong stands in the report, with the hand and the command that shows it. Raises
    PolicyError for what names no policy, ExperimentError or SeedError for numbers that are not allowed, and
    RunError in a script without a main guard.

    >>> report = check("greedy", hands=20)
    >>> report.ok, report["legal"].mark
    (True, 'ok')
    """
    stop_if_starting()
    own_classes = OwnClasses()
    hands = check_range("hands", hands, 1, 10**9)
    seed = check_seed(seed)
    faults = Faults(time_limit=time_limit)
    progress = progress or (lambda doing: None)
    with specs_of([policy]) as (spec,):
        try:
            legal = None if is_local(spec) else _apart(spec, hands, seed, faults, progress)
        except Fault as ended:
            rest = (Line(name, None, "not tried: see legal") for name in LINES[1:])
            return Report(spec, seed, (Line(LINES[0], False, _NOT_ALL, str(ended)), *rest), Asked(), None)
        try:
            one = parse_spec(spec)
        except PolicyError:
            raise
        except Exception as error:  # whatever the code of a policy may raise
            fault = f"policy {spec!r} cannot be made: {type(error).__name__}: {error}"
            return Report(spec, seed, (Line("made", False, "from its spec", fault),), Asked(), None)
        name = spec if is_local(spec) else str(one)
        try:
            return _Check(name, one, hands, seed, faults, progress, own_classes, legal).report()
        finally:
            own_classes.put_back()


def _apart(spec: str, hands: int, seed: int, faults: Faults, progress: Progress) -> tuple[Line, Asked] | None:
    """The line `legal` as a spawned process finds it; None where that cannot start or make the policy.

    Raises Fault where the policy ends the process, or never lets go of it.
    """
    try:
        found: tuple[Line, Asked] | None = apart(
            _legal,
            spec,
            hands,
            seed,
            faults,
            time_limit=faults.time_limit,
            progress=progress,
            told=lambda did: f"policy {spec!r} {did}",
        )
    except NotApart:
        return None
    return found


def _legal(spec: str, hands: int, seed: int, faults: Faults, progress: Progress) -> tuple[Line, Asked] | None:
    """In the process: the line `legal`, and then the hands with which the caller begins."""
    try:
        policy = at.made(spec)
    except Fault:
        return None  # the caller tries it, and says so
    check = _Check(str(policy), policy, hands, seed, faults, progress, OwnClasses())
    line = _line("legal", _NOT_ALL, check.legal)
    with contextlib.suppress(Fault, Untried):
        check.failed = line.fault
        len(check.reference)
    return line, check.asked


class _Check:
    """A check under way."""

    def __init__(
        self,
        spec: str,
        policy: Policy,
        hands: int,
        seed: int,
        faults: Faults,
        progress: Progress,
        own_classes: OwnClasses,
        legal: tuple[Line, Asked] | None = None,
    ) -> None:
        self.spec = spec
        self.policy = policy
        self.hands = hands
        self.seed = seed
        self.faults = faults
        self.own_classes = own_classes
        self.progress = progress
        self.hands_played = 0
        self.failed: str | None = None
        self.played = legal[0] if legal else None
        """The line `legal`, where another process has found it."""
        self.asked = legal[1] if legal else Asked()
        self.speed: Speed | None = None

    def report(self) -> Report:
        """All lines, in order."""
        return Report(self.spec, self.seed, tuple(self.lines()), self.asked, self.speed)

    def lines(self) -> Iterator[Line]:
        """Check after check."""
        legal = self.played or _line("legal", _NOT_ALL, self.legal)
        self.failed = legal.fault
        yield legal
        yield _line("questions", "", self.questions)
        yield _line("repeatable", "the same hands twice with fresh objects", self.repeatable)
        yield _line("hash seeds", "the same hands in processes under two hash seeds", self.hash_seeds)
        yield _line("no memory", "the same hands in another order and alone", self.no_memory)
        yield _line("views", "views before and after the policy had them", self.views)
        yield _line("spawned", "the same hands in a spawned process", self.spawned)
        if isinstance(self.policy, Batch):
            yield _line("batches", "many hands at once and one by one", self.batches)
        yield _line("reads", "", self.reads)
        yield _line("speed", "", self.rate)

    # ---- legal, and the questions

    def legal(self) -> str:
        """Legal answers to every question, under all rules."""
        sets, rivals = at.rule_sets(), at.opponents(self.spec)
        share = -(-self.hands // (2 * len(rivals)))
        for name, rules in sets.items():
            put, declared = self.asked.under(name)
            for rival in rivals:
                for unit in ("hands", "games"):
                    experiment = at.against(self.spec, rival, rules, unit, self.seed, self.faults)
                    volume = _volume_at_once if isinstance(self.policy, Batch) else _volume
                    for played in volume(experiment, share, put, declared):
                        self.hands_played += played
                        self.progress(f"legal: {self.hands_played:,} hands, rules {name}")
        self._long_hands(at.against(self.spec, rivals[2], at.LAST, "hands", self.seed, self.faults))
        styles = ", ".join(rivals[:-1]) + f" and {rivals[-1]}"
        presets = len(Rules.presets())
        return (
            f"{self.hands_played:,} hands: {self.hands:,} or more under each of {presets} presets and "
            f"{len(sets) - presets} other sets of rules; against {styles}; as dealer and not; "
            "single hands and games"
        )

    def _long_hands(self, experiment: Experiment) -> None:
        """Deals that come to the last discard more often than others."""
        put, declared = self.asked.under(experiment.rules.describe())
        policy, notes = at.made(self.spec), Notes()
        batch = watched_batch(policy, notes) if isinstance(policy, Batch) else None
        counts = (put, declared) if batch is None else (Counter(), Counter())
        match = at.match(experiment, batch)
        for index in at.long_deals(self.seed)[: self.hands]:
            self.hands_played += _pair(match, experiment, index, *counts)
        put.update(notes.put)
        declared.update(notes.declared)

    def questions(self) -> str:
        """How often each question was put."""
        put, declared = self.asked.total()
        words = ", ".join(f"{name} {put[name]:,}" for name in QUESTIONS[:6] if put[name])
        did = ", ".join(
            f"{text} {declared[name]:,}"
            for name, text in (("take", "last discards taken"), ("knock", "knocks"), ("big_gin", "big gins"))
        )
        never = [name for name in QUESTIONS[:6] if not put[name]]
        unseen = f"; never put, or left to the default: {', '.join(never)}" if never else ""
        raise Untried(f"{words or 'none'}; {did}{unseen}")

    # ---- the same hands in several ways

    @cached_property
    def reference(self) -> Played:
        """Hands in a row, to compare others with, up to one in which the policy fails."""
        n = min(self.hands, REFERENCE)
        one, *_, other = at.opponents(self.spec)
        parts = (
            (at.against(self.spec, one, Rules(), "hands", self.seed, self.faults), -(-n // 2)),
            (
                at.against(self.spec, other, Rules.preset("fifty_card"), "games", self.seed, self.faults),
                -(-n // 50),
            ),
        )
        found: Played = []
        for experiment, pairs in parts:
            match = at.match(experiment)
            try:
                for place in ((index, seat) for index in range(pairs) for seat in range(2)):
                    hands = at.traced(match, experiment, place)
                    found.append((experiment, place, [hand["actions"] for hand in hands]))
            except Fault:
                if self.failed is None:  # else it is told, and what was played till then is compared
                    raise
        if not found:
            raise Untried("not tried: it fails in the first hand, see legal")
        return found

    @property
    def count(self) -> int:
        """Hands of the reference."""
        return sum(len(hands) for _, _, hands in self.reference)

    def _again(self, played: Callable[[Experiment, list[at.Place]], list[list[at.Hand]]], how: str) -> None:
        """Play the reference in another way; Fault for the first hand that differs."""
        for experiment in dict.fromkeys(experiment for experiment, _, _ in self.reference):
            before = {place: hands for other, place, hands in self.reference if other == experiment}
            now = dict(zip(before, played(experiment, list(before)), strict=True))
            _compare(experiment, before, now, ("played in a row", how))

    def repeatable(self) -> str:
        """The same hands by the same seed."""
        self.progress("repeatable")
        self._again(at.played, "played so once more")
        return f"{self.count:,} hands in a row, twice with fresh objects"

    def no_memory(self) -> str:
        """A hand does not depend on those before it."""
        self.progress("no memory")

        def reverse(experiment: Experiment, places: list[at.Place]) -> list[list[at.Hand]]:
            return at.played(experiment, places[::-1])[::-1]

        self._again(reverse, "played in reverse order")
        started = time.perf_counter()
        at.made(self.spec)
        affordable = int(ALONE_SECONDS / max(time.perf_counter() - started, 1e-6))
        chosen = self.reference[:: max(-(-len(self.reference) // max(min(ALONE, affordable), 1)), 1)]
        for experiment, place, before in chosen:
            (now,) = at.played(experiment, [place])
            _compare(experiment, {place: before}, {place: now}, ("played in a row", "alone"))
        alone = sum(len(hands) for _, _, hands in chosen)
        return f"{self.count:,} hands in reverse order, {alone:,} of them alone with fresh objects"

    # ---- other processes

    @cached_property
    def elsewhere(self) -> list[list[list[list[at.Hand]]]]:
        """The reference as two spawned processes play it, under the hash seeds 1 and 2."""
        if is_local(self.spec):
            raise Untried(
                "not tried: only this process can make it (a class of the script itself, of a notebook or of "
                "a function, or an object changed after it was made), so the caller plays its hands; a class "
                "in a module or a file of its own can play in processes"
            )
        parts: dict[Experiment, list[at.Place]] = {}
        for experiment, place, _ in self.reference:
            parts.setdefault(experiment, []).append(place)
        found = []
        for hash_seed in (1, 2):
            self.progress(f"spawned process under hash seed {hash_seed}")
            found.append(_spawned(list(parts.items()), hash_seed))
        return found

    def hash_seeds(self) -> str:
        """No set's order, and no hash, decides anything."""
        one, two = self.elsewhere
        parts = list(dict.fromkeys(experiment for experiment, _, _ in self.reference))
        for experiment, before, now in zip(parts, one, two, strict=True):
            places = [place for other, place, _ in self.reference if other == experiment]
            how = ("with PYTHONHASHSEED=1", "with PYTHONHASHSEED=2")
            _compare(
                experiment, dict(zip(places, before, strict=True)), dict(zip(places, now, strict=True)), how
            )
        return f"{self.count:,} hands, in processes under the hash seeds 1 and 2"

    def spawned(self) -> str:
        """Another process makes it again, and it plays the same there."""
        parts = iter(self.elsewhere[0])
        if self.elsewhere[0] != self.elsewhere[1]:
            raise Untried("it is made and plays there, but not the same twice: see hash seeds or repeatable")
        self._again(lambda experiment, places: next(parts), "played in a spawned process")
        return f"made again from its spec in a spawned process: {self.count:,} hands as in the caller"

    # ---- views

    def views(self) -> str:
        """No view is changed, and nothing of ginsim's own."""
        self.progress("views")
        if self.failed is not None and re.search(_WRITING, self.failed):
            raise Fault(self.failed)
        notes = Notes()
        policy = at.made(self.spec)
        looked_at = watched(policy, notes)
        for experiment in dict.fromkeys(experiment for experiment, _, _ in self.reference):
            match = at.match(experiment, looked_at or policy)
            for other, place, _ in self.reference:
                if other == experiment:
                    _replay(experiment, place, self._traced_again(match, experiment, place))
        self.notes = notes
        if notes.changed:
            raise Fault(
                f"policy {self.spec!r} changed the view that {notes.changed[0]} was given, in "
                f"{len(notes.changed):,} of {notes.views:,} calls; a view is to be read only"
            )
        if notes.changed_later():
            raise Fault(
                f"policy {self.spec!r} changed {notes.changed_later():,} views that it was given before"
            )
        if changed := self.own_classes.changed():
            raise Fault(
                f"policy {self.spec!r} changes ginsim's own classes as it plays: {', '.join(changed)}"
            )
        replayed = f"all actions of {self.count:,} hands fit the rules at a table of its own"
        if looked_at is None:
            program = speed_class(self.spec) == "program"
            why = "its views reach it as text" if program else "compiled code is not looked into"
            return f"{replayed}; {why}"
        return f"{notes.views:,} views the same after the policy had them; {replayed}"

    def _traced_again(self, match: Match, experiment: Experiment, place: at.Place) -> list[Any]:
        """Hands that the policy got through before."""
        try:
            return at.traced(match, experiment, place)
        except Fault:
            raise Untried("not tried to the end: it fails in hands it got through before") from None

    def reads(self) -> str:
        """What it declares to read of scores and bonuses."""
        names = declared(self.policy)
        notes: Notes | None = getattr(self, "notes", None)
        if notes is not None and (more := undeclared(self.policy, notes)):
            raise Fault(
                f"policy {self.spec!r} reads {', '.join(sorted(more))} of view.stakes, which it does not "
                f"declare in `reads`; so that is 0 there in every hand"
            )
        return f"{', '.join(names) or 'nothing'} of scores and bonuses declared; all else is 0 in its views"

    # ---- batches

    def batches(self) -> str:
        """Row by row, unless it says otherwise; the same chunk by chunk in any case."""
        self.progress("batches")
        kind = type(self.policy)
        experiment = at.against(
            self.spec, at.opponents(self.spec)[0], Rules(), "hands", self.seed, self.faults
        )
        self._chunks(experiment)
        chunks = f"chunks of {CHUNK} pairs the same again, and after another chunk"
        if not getattr(kind, "row_by_row", True):
            return f"{chunks}; it declares row_by_row = False, so a hand alone may come out otherwise"
        rivals = {experiment.entrants[1]: Rules(), at.opponents(self.spec)[-1]: Rules.preset("fifty_card")}
        rows = sum(
            self._rows(at.against(self.spec, rival, rules, "hands", self.seed, self.faults))
            for rival, rules in rivals.items()
        )
        return f"{rows:,} answers the same in a batch and alone, as row_by_row says; {chunks}"

    def _chunks(self, experiment: Experiment) -> None:
        try:
            first, again, carried = at.match(experiment), at.match(experiment), at.match(experiment)
            pairs = [(first.play(CHUNK, 2 * CHUNK), again.play(CHUNK, 2 * CHUNK), "once more")]
            carried.play(0, CHUNK)
            pairs.append((pairs[0][0], carried.play(CHUNK, 2 * CHUNK), "after another chunk"))
        except PlayFault as fault:
            raise at.told(fault, experiment) from None
        for before, now, how in pairs:
            if (rows := np.flatnonzero((before[0] != now[0]).any(axis=1))).size:
                place = at.place_told(experiment, (CHUNK + int(rows[0]), 0))
                raise Fault(
                    f"policy {self.spec!r}, asked for a chunk of {CHUNK} pairs {how}, plays it otherwise: "
                    f"first in {place} or 1"
                )

    def _rows(self, experiment: Experiment) -> int:
        pairs = -(-min(self.hands, REFERENCE) // 4)
        together, alone = Notes(), Notes()
        try:
            at.match(experiment, self._noting(together)).play(0, pairs)
        except PlayFault as fault:
            raise at.told(fault, experiment) from None
        answers = {view: answer for view, _, answer in together.answers}
        match = at.match(experiment, self._noting(alone))
        for place in ((index, seat) for index in range(pairs) for seat in range(2)):
            known = len(alone.answers)
            at.traced(match, experiment, place)
            for view, question, answer in alone.answers[known:]:
                if answers.get(view) != answer:
                    raise Fault(
                        f"policy {self.spec!r}, asked {question!r}, answers {answers.get(view)} among other "
                        f"rows and {answer} alone ({at.place_told(experiment, place)}); answers that depend "
                        f"on the batch are declared by row_by_row = False"
                    )
        return len(alone.answers)

    def _noting(self, notes: Notes) -> Batch:
        policy = at.made(self.spec)
        assert isinstance(policy, Batch)
        return watched_batch(policy, notes, keep=True)

    # ---- speed

    def rate(self) -> str:
        """Hands and decisions a second."""
        self.progress("speed")
        rival = at.opponents(self.spec)[0]
        experiment = at.against(self.spec, rival, Rules(), "hands", self.seed, self.faults)
        kind = speed_class(self.spec)
        clock = time.perf_counter if kind == "program" else time.process_time
        put: Counter[str] = Counter()
        sample = min(self.hands, 200) // 2 or 1
        match = at.match(experiment)
        try:
            for place in ((index, seat) for index in range(sample) for seat in range(2)):
                (hand,) = at.traced(match, experiment, place)
                _count(hand["actions"], place[1], put, Counter())
            pairs, taken = 16, 0.0
            while taken < 0.25 and pairs <= max(self.hands, 16) * 16:
                started = clock()
                match.play(0, pairs)
                taken = max(clock() - started, 1e-9)
                pairs *= 2
        except PlayFault as fault:
            raise Untried(f"not measured: {fault.reason}") from None
        except Fault:
            raise Untried("not measured: it fails in the hands that would be timed") from None
        hands = pairs / taken  # the last were half as many pairs, of two hands each
        self.speed = Speed(hands, hands * put.total() / (2 * sample), kind, rival)
        told = f"{_rounded(hands)} hands/s, {_rounded(self.speed.decisions)} decisions/s of its own"
        raise Untried(f"{told}, against {rival} on one core: {kind}")


def _line(name: str, tried: str, run: Callable[[], str]) -> Line:
    """Run a check, which returns what it tried."""
    try:
        return Line(name, True, run())
    except Untried as reason:
        return Line(name, None, str(reason))
    except Fault as fault:
        return Line(name, False, tried, str(fault))


def _compare(
    experiment: Experiment,
    before: dict[at.Place, list[at.Hand]],
    now: dict[at.Place, list[at.Hand]],
    how: tuple[str, str],
) -> None:
    for place, hands in before.items():
        if hands != now[place]:
            raise Fault(at.difference(experiment, place, hands, now[place], how))


def _pair(match: Match, experiment: Experiment, index: int, put: Counter[str], declared: Counter[str]) -> int:
    """Play a pair and count what is asked; returns how many hands it was."""
    played = 0
    for seat in range(2):
        for hand in at.traced(match, experiment, (index, seat)):
            _count(hand["actions"], seat, put, declared)
            played += 1
    return played


def _count(actions: at.Hand, seat: int, put: Counter[str], declared: Counter[str]) -> None:
    """Count the questions put to a seat, and what it declared."""
    for actor, question, answer in actions:
        if actor == seat:
            put[question] += 1
            if answer[0] in ("knock", "big_gin") or (question == "last" and answer[0] == "take"):
                declared[answer[0]] += 1


def _volume(experiment: Experiment, share: int, put: Counter[str], declared: Counter[str]) -> Iterator[int]:
    """Play at least so many hands, counting what is asked; yields now and then how many it has played."""
    match = at.match(experiment)
    played = 0
    for index in itertools.count():
        of_pair = _pair(match, experiment, index, put, declared)
        yield of_pair
        played += of_pair
        if played >= share:
            return


def _volume_at_once(
    experiment: Experiment, share: int, put: Counter[str], declared: Counter[str]
) -> Iterator[int]:
    """As `_volume`, many hands at once."""
    policy, notes = at.made(experiment.entrants[0]), Notes()
    assert isinstance(policy, Batch)
    match = at.match(experiment, watched_batch(policy, notes))
    step = -(-share // 2) if experiment.unit == "hands" else max(share // 16, 1)
    played = 0
    for start in itertools.count(0, step):
        try:
            counters = match.play(start, start + step)
        except PlayFault as fault:
            raise at.told(fault, experiment) from None
        of_chunk = int(Tally(*counters)["hands"])
        yield of_chunk
        played += of_chunk
        if played >= share:
            break
    put.update(notes.put)
    declared.update(notes.declared)


def _spawned(parts: list[tuple[Experiment, list[at.Place]]], hash_seed: int) -> list[list[list[at.Hand]]]:
    """The hands of places in a spawned process."""
    pool = open_pool("processes", 1)
    assert isinstance(pool, ProcessPool)
    try:
        with _hash_seed(hash_seed), pool:
            try:
                return [pool.submit(at.played, *part).result() for part in parts]
            except KeyboardInterrupt:
                pool.stop_now()
                raise
    except BrokenExecutor:
        if pool.lacks_main_guard():
            raise RunError(ADVICE) from None
        spec = parts[0][0].entrants[0]
        raise Fault(f"policy {spec!r}: the spawned process that played it ended before it was done") from None


@contextlib.contextmanager
def _hash_seed(seed: int) -> Iterator[None]:
    """Processes that start now have this hash seed."""
    before = os.environ.get("PYTHONHASHSEED")
    os.environ["PYTHONHASHSEED"] = str(seed)
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONHASHSEED"]
        else:
            os.environ["PYTHONHASHSEED"] = before


def _replay(experiment: Experiment, place: at.Place, hands: list[Any]) -> None:
    """Apply the actions of hands at a table of their own; Fault where they do not fit."""
    for hand in hands:
        table = Table(experiment.rules.codes(), hand["deck"], hand["dealer"])
        try:
            for seat, question, answer in hand["actions"]:
                if (table.actor, table.question) != (seat, question):
                    raise ValueError(f"seat {table.actor} was to answer {table.question!r}")
                table.apply(answer)
            if table.facts != hand["facts"]:
                raise ValueError("the hand ended otherwise")
        except ValueError as error:
            raise Fault(
                f"policy {experiment.entrants[0]!r} changed the hand it played: its actions, at a table of "
                f"their own, do not fit the rules: {error} ({at.place_told(experiment, place)})"
            ) from None


def _rounded(rate: float) -> str:
    """A rate in two figures: more are not to be had."""
    return f"{float(f'{rate:.2g}'):,.0f}"
