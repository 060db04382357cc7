"""The rounds of a training: play, learn, measure, keep; and go on where they stopped."""

from __future__ import annotations

import json
import os
import time
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import Policy
from .._counters import layout
from .._expert import Valuer
from .._lessons import Learner, Lessons
from .._nets import Net
from .._play import Match
from .._version import __version__
from .._worth import Worth
from ..nets import IN_WORDS, NetFile, nearest, open_archive, read_net, write_net
from ..policies import parse_spec
from ..policies.watch import LIMIT, watch
from ..rules import Rules
from ..seeds import key_of_seed
from ..stats.elo import share_of
from .course import GUIDE, START, Course, CourseError
from .perceptron import Adam, Head, fresh, from_integers, learn, to_net
from .scores import Scores

__all__ = ["Progress", "Strength", "Training", "TrainingError"]

SNAPSHOT_EVERY = 32  # rounds
MOST_SNAPSHOTS = 64
DIVERGED = 1000.0  # points: no hand is worth more
FRESH_DEALS, LESSONS, RESULTS = 1, 2, 3  # of a seed's keys
BLOCK = np.dtype([(name, "<i8", shape) for name, shape in layout()])
STATE, PARTIAL = "state.npz", "state.partial"


class TrainingError(RuntimeError):
    """A training that cannot go on: what is wrong, and what to do."""


def starting_net(path: Path | None, rules: Rules, aim: str) -> NetFile | None:
    """The net that a training begins with, None for nothing; TrainingError for one of another aim."""
    if path is None:
        return None if aim == "points" else nearest(rules)
    file = read_net(path)
    if file.aim != "points":
        raise TrainingError(
            f"{path} plays for {IN_WORDS[file.aim]}; allowed to begin with: a net that plays for points"
        )
    return file


@dataclass(frozen=True)
class Strength:
    """Points per hand against a policy, on deals that nothing was learned from; `error`: 95 % half-width.

    Where the net plays for the game: games won over half, in per cent of all.
    """

    against: str
    points: float
    error: float
    pairs: int


@dataclass(frozen=True)
class Progress:
    """Where a training stands: hands, seconds, the heads' errors in points, and strength where measured."""

    hands: int
    seconds: float
    errors: tuple[float, ...]
    strength: tuple[Strength, ...] = ()


def _begun(folder: Path) -> bool:
    """Whether a training lies in a folder, which is made where there is none.

    CourseError for one with anything else in it: no file of others is written over, or taken for a net.
    """
    if folder.exists() and not folder.is_dir():
        raise CourseError(f"{str(folder)!r} is a file; allowed: a folder for the training's state")
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / STATE).exists():
        return True
    if others := sorted(path.name for path in folder.iterdir() if path.name != PARTIAL):
        raise CourseError(
            f"{str(folder)!r} has {others[0]!r}, and no training's state; allowed: a folder with a training, "
            "an empty one, or a new one"
        )
    return False


class Training:
    """A training under way.

    `folder` keeps its state; one that lies there already is gone on with, if the course is the same.
    `threads`: how many play and learn at once; the net does not depend on it. `run` yields a Progress after
    every round, `write` the net's file. `start`: a net to begin with, in the place of one that has learned
    nothing, which the course's `start` names. Against one policy there is also a Progress before the first
    round, and a snapshot with each measurement: `checkpoints` has them.
    """

    def __init__(
        self,
        course: Course,
        folder: Path,
        threads: int = 1,
        start: Sequence[Mapping[str, NDArray[Any]]] | None = None,
    ) -> None:
        self.course = course
        self.folder = folder
        self.threads = threads
        self.heads: list[Head] = (
            fresh(np.random.default_rng((course.seed, 0)))
            if start is None
            else [from_integers(head) for head in start]
        )
        self._opponents: dict[int, Policy] = {}
        self.adams = [Adam(head) for head in self.heads]
        self.snapshots: list[tuple[Mapping[str, NDArray[Any]], ...]] = []
        self.round = 0
        self.seconds = 0.0
        self.log: list[Progress] = []
        self.scores: Scores | None = None
        self.worth: Worth | None = None
        if start is not None and course.against is None:
            self.snapshots.append(tuple(start))
        if _begun(folder):
            self._load()
        elif course.aim == "game":
            self._aim(self._measured())

    def _measured(self) -> Scores:
        """What scores are worth by how hands come out of the net that it begins with."""
        one, other = (Valuer(Net(self.snapshots[0]), self.course.rules) for _ in range(2))
        key = key_of_seed(self.course.seed, RESULTS)
        return Scores.measured((one, other), self.course.rules, key, self.course.result_pairs)

    def _aim(self, scores: Scores) -> None:
        """Play for the game, by what these scores are worth."""
        self.scores, self.worth = scores, Worth(scores.chances, self.course.rules.codes())

    @property
    def done(self) -> bool:
        """Whether all rounds are played."""
        return self.round >= self.course.rounds

    def run(self) -> Iterable[Progress]:
        """Play the rounds that are left; a Progress after each. TrainingError where the weights diverge.

        An interruption says what is kept.
        """
        pool = ThreadPoolExecutor(self.threads)
        try:
            yield from self._rounds(pool.map if self.threads > 1 else map)
        except KeyboardInterrupt as error:
            if (self.folder / STATE).exists():
                error.add_note(f"the training is kept in {str(self.folder)!r}; the same command goes on")
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # who interrupts does not wait for what is played
        self._opponents.clear()  # with them their programs end

    def _rounds(self, together: Callable[..., Iterable[Any]]) -> Iterable[Progress]:
        if self.course.against is not None and not self.log:
            yield self._progress((), time.monotonic(), together)
        while not self.done:
            start = time.monotonic()
            errors = self._learn(self._lessons(together), together)
            self.round += 1
            yield self._progress(errors, start, together)

    def _progress(
        self, errors: tuple[float, ...], start: float, together: Callable[..., Iterable[Any]]
    ) -> Progress:
        """Where it stands after a round, or before the first: measured and kept where it is time."""
        alone = self.course.against is not None
        measured = self.round % self.course.measure_every == 0 or self.done
        strength = self.measure(self.course.measured_pairs, together, self.course.pool) if measured else ()
        due = measured if alone else self.round % SNAPSHOT_EVERY == 0 and len(self.snapshots) < MOST_SNAPSHOTS
        if due:
            self.snapshots.append(to_net(self.heads)[1])
        self.seconds += time.monotonic() - start
        here = Progress(self.round * self.course.round_hands, self.seconds, errors, strength)
        self.log.append(here)
        if measured:
            self._save()
        return here

    @property
    def checkpoints(self) -> list[tuple[Progress, tuple[Mapping[str, NDArray[Any]], ...]]]:
        """Of a training against one policy, each measurement with the net that was measured."""
        return list(zip((step for step in self.log if step.strength), self.snapshots, strict=True))

    # ------------------------------------------------------------ one round

    def _lessons(self, together: Callable[..., Iterable[Any]]) -> NDArray[np.void]:
        """The positions of a round, with their targets."""
        course = self.course
        net, _ = to_net(self.heads)
        rivals = course.rivals(self.round, len(self.snapshots))
        pairs = course.round_hands // 2 // len(rivals)
        key = key_of_seed(course.seed, LESSONS)
        guided = course.is_guided(self.round)
        trace = 1.0 if guided else course.trace

        def learner() -> Policy:
            guide = parse_spec(GUIDE) if guided else None
            explore = 0 if guided else round(course.explore * 65536)
            return Learner(net, course.rules, explore, guide, self.worth)

        def play(part: int, rival: str | int | None) -> NDArray[np.void]:
            if rival is None:
                other = learner()
            elif isinstance(rival, str):
                other = self._opponent(part, rival)
            else:
                other = Valuer(Net(self.snapshots[rival]), course.rules, self.worth)
            start = (self.round * len(rivals) + part) * pairs
            match = Match(learner(), other, course.rules.codes(), key)
            scores = self._scores_at(part, pairs)
            return Lessons(match, trace, self.worth).play(start, start + pairs, scores)

        return np.concatenate(list(together(play, range(len(rivals)), rivals)))

    def _scores_at(self, part: int, pairs: int) -> NDArray[np.int32] | None:
        """The scores at which the pairs of a part of a round are played; None for points."""
        if self.scores is None:
            return None
        return self.scores.drawn(np.random.default_rng((self.course.seed, self.round, 3, part)), pairs)

    def _opponent(self, part: int, spec: str) -> Policy:
        """The policy that a part of a round is played against: the one that all are is made once a part."""
        if spec == START:
            return Valuer(Net(self.snapshots[0]), self.course.rules)
        if spec != self.course.against:
            return parse_spec(spec)
        if part not in self._opponents:
            policy = self._opponents[part] = parse_spec(spec)
            if policy.in_python:
                watch(policy, LIMIT)
        return self._opponents[part]

    def _learn(
        self, samples: NDArray[np.void], together: Callable[..., Iterable[float]]
    ) -> tuple[float, ...]:
        """Take the samples' steps; the errors of the heads before them, in points."""
        rng = np.random.default_rng((self.course.seed, self.round, 2))
        rate = self.course.rate_at(self.round)
        errors = []
        for number, (head, adam) in enumerate(zip(self.heads, self.adams, strict=True)):
            which = np.flatnonzero(samples["head"] == number)
            rng.shuffle(which)
            errors.append(learn(head, adam, samples, which, rate, together, self.course.learned))
        if not all(error < DIVERGED or np.isnan(error) for error in errors) or not self._finite():
            raise TrainingError(
                f"the training diverged in round {self.round + 1}: the errors are "
                f"{', '.join(f'{error:.1f}' for error in errors)} points; the state before is kept in "
                f"{self.folder}; train with a smaller step size, or another seed"
            )
        return tuple(errors)

    def _finite(self) -> bool:
        return all(np.isfinite(array).all() for head in self.heads for array in head.arrays())

    # ------------------------------------------------------------ strength

    def measure(
        self, pairs: int, together: Callable[..., Iterable[Any]], pool: tuple[str, ...]
    ) -> tuple[Strength, ...]:
        """How it does against policies on deals of their own."""
        net, _ = to_net(self.heads)

        def play(against: str) -> Strength:
            match = Match(
                Valuer(net, self.course.rules, self.worth),
                self._opponent(0, against),
                self.course.rules.codes(),
                key_of_seed(self.course.seed, FRESH_DEALS),
                games=self.worth is not None,
            )
            blocks, _, _, rows = match.play(0, pairs, rows=True)
            if self.worth is not None:
                share = share_of(blocks.view(BLOCK)["game_halves"].sum(axis=(0, 1)).tolist())
                return Strength(against, 100 * share.value - 50, 50 * (share.high - share.low), pairs)
            means = rows["points"].reshape(pairs, 2).mean(axis=1)
            return Strength(against, float(means.mean()), float(1.96 * means.std(ddof=1) / pairs**0.5), pairs)

        return tuple(together(play, pool))

    # ------------------------------------------------------------ keeping

    def provenance(self) -> dict[str, Any]:
        """How the net was made, as plain values."""
        last = next((step for step in reversed(self.log) if step.strength), None)
        return {
            "command": f"ginsim train {self.course.rules.as_options()}{self._origin()} "
            f"--hands {self.course.hands} --seed {self.course.seed}",
            "ginsim": __version__,
            "seed": self.course.seed,
            "hands": self.round * self.course.round_hands,
            "strength": [asdict(one) for one in last.strength] if last else [],
        } | ({} if self.course.start is None else {"start": self.course.start, "unit": self.course.unit})

    def _origin(self) -> str:
        """The command's options of a net that has learned before."""
        aim = "" if self.course.aim == "points" else f" --for {self.course.aim}"
        return aim if self.course.start is None else f"{aim} --start FILE"

    def write(self, path: Path) -> None:
        """Write the net's file."""
        chances = None if self.scores is None else self.scores.chances
        write_net(path, to_net(self.heads)[1], self.course.rules, self.provenance(), chances)

    def _about(self) -> dict[str, Any]:
        course = asdict(self.course) | {"rules": json.loads(self.course.rules.to_json())}
        return {"ginsim": __version__, "course": course}

    def _save(self) -> None:
        """Keep the state, whole or not at all."""
        arrays: dict[str, Any] = {}
        for number, (head, adam) in enumerate(zip(self.heads, self.adams, strict=True)):
            for kind, group in (("w", head.arrays()), ("m", adam.means), ("v", adam.squares)):
                arrays |= {f"{kind}{number}_{place}": array for place, array in enumerate(group)}
        for which, snapshot in enumerate(self.snapshots):
            for number, arrays_of in enumerate(snapshot):
                arrays |= {f"s{which}_{number}_{name}": array for name, array in arrays_of.items()}
        if self.scores is not None:
            arrays |= {"chances": self.scores.chances, "shares": self.scores.shares}
        about = self._about() | {
            "round": self.round,
            "seconds": self.seconds,
            "steps": [adam.steps for adam in self.adams],
            "snapshots": len(self.snapshots),
            "log": [asdict(step) for step in self.log],
        }
        partial = self.folder / PARTIAL
        with partial.open("wb") as file:
            np.savez(file, about=np.frombuffer(json.dumps(about).encode(), dtype=np.uint8), **arrays)
        os.replace(partial, self.folder / STATE)

    def _load(self) -> None:
        """Go on from a kept state; CourseError where it is of another course or version."""
        from .._nets import LAYERS

        try:
            with open_archive((self.folder / STATE).read_bytes()) as kept:
                about = json.loads(kept["about"].tobytes())
                self._check(about)
                for number, (head, adam) in enumerate(zip(self.heads, self.adams, strict=True)):
                    for kind, group in (("w", head.arrays()), ("m", adam.means), ("v", adam.squares)):
                        for place, array in enumerate(group):
                            array[...] = kept[f"{kind}{number}_{place}"]
                    adam.steps = about["steps"][number]
                self.snapshots = [
                    tuple({name: kept[f"s{which}_{number}_{name}"] for name in LAYERS} for number in range(3))
                    for which in range(about["snapshots"])
                ]
                if self.course.aim == "game":
                    self._aim(Scores(kept["chances"], kept["shares"]))
        except CourseError:
            raise
        except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
            raise TrainingError(
                f"{str(self.folder / STATE)!r} is no training's state: {error}; allowed: another folder"
            ) from error
        self.round, self.seconds = about["round"], about["seconds"]
        self.log = [
            Progress(
                step["hands"],
                step["seconds"],
                tuple(step["errors"]),
                tuple(Strength(**one) for one in step["strength"]),
            )
            for step in about["log"]
        ]

    def _check(self, about: Mapping[str, Any]) -> None:
        mine = self._about()
        if about.get("ginsim") != mine["ginsim"]:
            raise CourseError(
                f"{self.folder} is a training of ginsim {about.get('ginsim')}; allowed: {__version__}"
            )
        for name, value in mine["course"].items():
            there = about["course"].get(name)
            if there != value and name == "rules":
                there, value = Rules.from_json(json.dumps(there)).describe(), self.course.rules.describe()
            if there != value:
                raise CourseError(
                    f"{self.folder} is a training with {name} {there}, not {value}; allowed: the same, or "
                    "another folder"
                )
