"""`exec:COMMAND`: a policy that is a program of its own, asked over its standard streams.

One JSON object a line goes each way; docs/policies-exec.md is the protocol. The program runs without a shell,
in a session of its own, so that it can be ended together with whatever it starts.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import shlex
import signal
import subprocess
import time
import weakref
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import IO, Any, TypeAlias

from .._bridge import PythonPolicy, reads_code
from .._core import Overtime
from .._table import RandomStream, SeatView
from .._version import __version__
from ..cards import RANKS, SUITS, CardError, as_mask, parse_card
from .info import KnobInfo, PolicyError, PolicyInfo

__all__ = [
    "PROTOCOL",
    "BotError",
    "Command",
    "ExternalPlayer",
    "Identity",
    "external_policy",
    "program_identity",
    "program_info",
    "stakes_read",
]

PROTOCOL = 1
"""Version of the line protocol; it moves when a program written for the last one would no longer play."""

KNOCK, BIG_GIN = 64, 128  # the core's words for declarations, as in _core.pxd

_LONGEST = 1 << 16  # bytes of a line from a program
_STDERR_LINES, _STDERR_BYTES = 20, 8192
_GRACE = 1.0  # seconds to end in, once told to quit
_LIMIT = r"\s*\w+\s*=\s*[^\s,=:]+\s*"
_LIMITS = re.compile(rf"({_LIMIT}(?:,{_LIMIT})*):")
_OPTIONAL = ("spread", "defend")  # questions that are put only to a program that wants them

_Defence: TypeAlias = tuple[list[int], list[int]]


class BotError(RuntimeError):
    """A program that failed: says which, at what, how it ended, and the last it wrote to stderr."""


class BotOvertime(BotError, Overtime):
    """A program that did not answer within its limit."""


class _Trouble(Exception):
    """What is wrong with a program, before it is known who asks."""

    error = BotError


class _Late(_Trouble):
    error = BotOvertime


# ---------------------------------------------------------------- the spec


@dataclass(frozen=True, slots=True)
class Command:
    """What an `exec:` spec says: the program's words and its time limits in seconds.

    >>> str(Command.parse("exec: time=2.0,start=10 : python  'my bot.py' --depth=3"))
    "exec:time=2:python 'my bot.py' --depth=3"
    """

    words: tuple[str, ...]
    start: float = 10
    """To say hello in, from the start of the process."""
    time: float = 5
    """To answer one question in."""

    @classmethod
    def parse(cls, spec: str) -> Command:
        """A spec as `exec:COMMAND` or `exec:start=SECONDS,time=SECONDS:COMMAND`; PolicyError for any other.

        Limits are read only where all up to the first colon has the form `name=value,name=value`; so a colon
        or comma in the command is its own, and a command may say `a=b:c` after limits.
        """
        command = spec.strip().removeprefix("exec:")
        limits = {}
        if found := _LIMITS.match(command):
            limits = _limits(spec, found[1])
            command = command[found.end() :]
        try:
            words = tuple(shlex.split(command))
        except ValueError as error:
            raise PolicyError(
                f"policy spec is {spec!r}: {error}; allowed: words quoted as in a shell"
            ) from None
        if not words:
            raise PolicyError(f"policy spec is {spec!r}; allowed: exec:COMMAND or exec:time=SECONDS:COMMAND")
        return cls(words, **limits)

    def __str__(self) -> str:
        command = shlex.join(self.words)
        limits = {field.name: getattr(self, field.name) for field in fields(self)[1:]}
        defaults = {field.name: field.default for field in fields(self)[1:]}
        changed = {name: limit for name, limit in limits.items() if limit != defaults[name]}
        if not changed and _LIMITS.match(command):  # a command that itself looks like limits
            changed = limits
        settings = ",".join(f"{name}={str(limit).removesuffix('.0')}" for name, limit in changed.items())
        return f"exec:{settings}{':' * bool(changed)}{command}"


def _limits(spec: str, settings: str) -> dict[str, float]:
    limits: dict[str, float] = {}
    for setting in settings.split(","):
        name, _, value = (part.strip() for part in setting.partition("="))
        if name not in ("start", "time"):
            raise PolicyError(f"policy spec {spec!r} has no limit {name!r}; allowed: start, time")
        if name in limits:
            raise PolicyError(f"policy spec {spec!r} sets {name} twice; allowed: each limit once")
        try:
            limits[name] = float(value)
        except ValueError:
            limits[name] = -1.0
        if not 0.001 <= limits[name] <= 86_400:
            raise PolicyError(f"policy spec {spec!r}: {name} is {value}; allowed: 0.001 to 86400 (seconds)")
    return limits


# ---------------------------------------------------------------- the process


class _Process:
    """A program and its three pipes. Waits for nothing without a limit, and takes its children with it."""

    def __init__(self, words: tuple[str, ...]) -> None:
        pipe = subprocess.PIPE
        self._popen = subprocess.Popen(
            words, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
        )
        self._in, self._out, self._err = (end.fileno() for end in _pipes(self._popen))
        self._poll = select.poll()
        for pipe_end in (self._in, self._out, self._err):
            os.set_blocking(pipe_end, False)
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._heard = b""
        self._stderr = b""
        self.queue: list[bytes] = []
        """Lines that want no answer: they go out with the next question, in one write."""
        self._end = weakref.finalize(self, _end, self._popen, self.queue)

    @property
    def pid(self) -> int:
        return self._popen.pid

    def exchange(self, line: bytes, seconds: float) -> bytes:
        """Write the queue and a line, and wait for a line; _Trouble where none comes."""
        deadline = time.monotonic() + seconds
        self.queue.append(line)
        to_write = self._write(b"".join(self.queue))
        self.queue.clear()
        late = False
        while True:
            if len(self._heard) > _LONGEST:
                raise _Trouble(
                    f"wrote more than {_LONGEST} bytes where one line was awaited: {_quoted(self._heard)}"
                )
            if not to_write:
                answer, end, rest = self._heard.partition(b"\n")
                if end:
                    self._heard = rest
                    return answer
            if late:
                partial = f", only the beginning of a line, {_quoted(self._heard)}," if self._heard else ""
                raise _Late(f"gave no answer{partial} within {seconds:g} s and was stopped")
            left = deadline - time.monotonic()
            late = left <= 0  # then look once more: it may be this process that was stopped for a while
            to_write = self._attend(to_write, max(left, 0))

    def _attend(self, to_write: bytes, seconds: float) -> bytes:
        """Wait until something can be read or written, and do that; returns what is left to write."""
        if to_write:
            self._poll.register(self._in, select.POLLOUT)
        ready = self._poll.poll(seconds * 1000)
        if to_write:
            self._poll.unregister(self._in)
        for pipe_end, _ in ready:
            if pipe_end == self._in:
                to_write = self._write(to_write)
            elif pipe_end == self._err:
                self._read_stderr()
            else:
                heard = os.read(self._out, _LONGEST)
                if not heard:
                    raise _Trouble(self._how_it_ended())
                self._heard += heard
        return to_write

    def _write(self, data: bytes) -> bytes:
        """What of the data the pipe has no room for yet."""
        try:
            return data[os.write(self._in, data) :]
        except BlockingIOError:
            return data
        except BrokenPipeError:  # it reads no more: what became of it shows at its stdout
            return b""

    def _read_stderr(self) -> bool:
        """Keep the end of what was written to stderr; False where there is no more to come now."""
        try:
            data = os.read(self._err, _LONGEST)
        except BlockingIOError:
            return False
        self._stderr = (self._stderr + data)[-_STDERR_BYTES:]
        if not data:
            with contextlib.suppress(KeyError):  # its end was met before
                self._poll.unregister(self._err)
        return bool(data)

    def _how_it_ended(self) -> str:
        partial = f" after the beginning of a line, {_quoted(self._heard)}" if self._heard else ""
        try:
            code = self._popen.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return f"closed its stdout{partial} and was stopped"
        if code < 0:
            return f"was ended by signal {-code} ({signal.Signals(-code).name}){partial}"
        return f"ended with exit code {code}{partial}"

    def kill(self) -> str:
        """End it at once; returns the last lines of its stderr."""
        _kill(self._popen)
        for _ in range(64):  # not for ever: one that left the group may still be writing
            if not self._read_stderr():
                break
        self._end.detach()
        _close(self._popen)
        lines = self._stderr.decode("utf-8", "replace").splitlines()[-_STDERR_LINES:]
        return "\n".join(lines)

    def close(self) -> None:
        """Tell it to quit, and end it if it does not."""
        self._end()


def _end(popen: subprocess.Popen[bytes], queue: list[bytes]) -> None:
    """Tell a program to quit, give it time to, then kill what is left of it and its children."""
    to_program, *_ = _pipes(popen)
    with contextlib.suppress(OSError):
        to_program.write(b"".join([*queue, b'{"type":"quit"}\n']))
    to_program.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        popen.wait(_GRACE)
    _kill(popen)
    _close(popen)


def _kill(popen: subprocess.Popen[bytes]) -> None:
    # The program may be gone and its children not: the group is theirs too. macOS refuses for a dead group.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(popen.pid, signal.SIGKILL)
    popen.wait()


def _close(popen: subprocess.Popen[bytes]) -> None:
    for pipe in _pipes(popen):
        pipe.close()


def _pipes(popen: subprocess.Popen[bytes]) -> list[IO[bytes]]:
    return [pipe for pipe in (popen.stdin, popen.stdout, popen.stderr) if pipe is not None]


def _quoted(data: bytes) -> str:
    """The beginning of a line, fit to print."""
    return repr(data[:80].decode("utf-8", "backslashreplace")) + "..." * (len(data) > 80)


# ---------------------------------------------------------------- cards as text


class _SuitText(dict[int, str]):
    """From the 13 bits of a suit to the text of its cards, each followed by a blank."""

    def __init__(self, suit: str) -> None:
        self.suit = suit

    def __missing__(self, ranks: int) -> str:
        self[ranks] = "".join(f"{rank}{self.suit} " for i, rank in enumerate(RANKS) if ranks >> i & 1)
        return self[ranks]


_S, _H, _D, _C = map(_SuitText, SUITS)
_POSITION = {RANKS[rank] + SUITS[suit]: suit * 16 + rank for suit in range(4) for rank in range(13)}
_CARD: dict[int | None, str] = {position: text for text, position in _POSITION.items()}
_CARD_OR_EMPTY = {**_CARD, None: ""}
_CARD_OR_STOCK = {**_CARD, None: "-"}


def _set_text(cards: int) -> str:
    """A mask's cards in the order of suits and ranks."""
    return (_S[cards & 0x1FFF] + _H[cards >> 16 & 0x1FFF] + _D[cards >> 32 & 0x1FFF] + _C[cards >> 48])[:-1]


def _list_text(cards: Iterable[int | None]) -> str:
    """Cards in their own order; "-" where there is none."""
    return " ".join([_CARD_OR_STOCK[card] for card in cards])


# ---------------------------------------------------------------- the player


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a program says it is."""

    name: str
    version: str
    hash: str
    """Of its content, by a rule of its own: it moves when the program may play otherwise."""


class ExternalPlayer:
    """The player of an `exec:` spec, with the methods that `_bridge.PythonPolicy` asks.

    The program is started at once and must say hello. `identity` is who it says it is, `own` the questions it
    takes itself, `reads` what it declares to read. It is ended with this object, and by any error; the next
    hand then starts it anew. Raises PolicyError for a command that cannot be started and BotError for a
    program that fails.
    """

    def __init__(self, command: Command) -> None:
        self.command = command
        self.rng = RandomStream(0, 0, 0)  # replaced for each hand by the policy that asks
        self._asked = self._lines = 0
        self._line = b""
        self._at = "hello"
        self._of_hand = ""
        self._process: _Process | None = None
        hello = self._start()
        self.identity = Identity(hello["name"], hello["version"], hello["hash"])
        self.reads = reads_code(hello["reads"])
        self._read_names = hello["reads"]
        self.said = {name: hello[name] for name in ("hash", "reads", "questions", "events")}
        self.own = frozenset(
            ["begin", "take_upcard", "take_last", "draw", "discard", *hello["questions"]]
            + ["see"] * hello["events"]
        )

    def __str__(self) -> str:
        return str(self.command)

    @property
    def asked(self) -> int:
        """Questions put so far."""
        return self._asked

    @property
    def pid(self) -> int | None:
        """The process, while there is one."""
        return None if self._process is None else self._process.pid

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._process.close()
            self._process = None

    # ---- what the policy asks

    def begin(self, view: SeatView) -> None:
        """A new hand: told with the first question."""
        if self._process is None:
            self._restart()
        assert self._process
        # 52 bits, so that the seed is a whole number in every language.
        seed = self.rng.word() << 20 | self.rng.word() >> 12
        stakes = dict(view.stakes)
        of_hand = {
            "seat": view.seat,
            "dealer": view.dealer,
            "knock_limit": view.knock_limit,
            "big_gin": view.big_gin,
            "discard_taken": view.discard_taken,
            "stakes": {name: stakes[name] for name in stakes_read(self._read_names)},
        }
        self._of_hand = _compact(of_hand)[1:-1]
        self._process.queue.append(
            f'{{"type":"hand","seed":{seed},"hand":"{_set_text(view.hand)}",'
            f'"upcard":"{_CARD_OR_EMPTY[view.upcard]}",{self._of_hand}}}\n'.encode()
        )

    def see(self, view: SeatView, event: tuple[int, str, tuple[Any, ...]]) -> None:
        """An event: told with the next question."""
        seat, question, answer = event
        told: dict[str, Any] = {"type": "event", "seat": seat, "did": answer[0]}
        if len(answer) > 1:
            told["card"] = _CARD[answer[1]]
        if question == "spread":
            told["melds"] = [_set_text(meld) for meld in view.shown]
        if self._process is not None:
            self._process.queue.append(_compact(told).encode() + b"\n")

    def take_upcard(self, view: SeatView) -> bool:
        """Whether it takes the first upcard."""
        return self._choice(view, "take", "pass")

    def take_last(self, view: SeatView) -> bool:
        """Whether it takes the last discard, to declare."""
        return self._choice(view, "take", "pass")

    def draw(self, view: SeatView) -> str:
        """pile or stock."""
        return "pile" if self._choice(view, "pile", "stock") else "stock"

    def discard(self, view: SeatView) -> int:
        """A card's position, with KNOCK where it knocks; or BIG_GIN."""
        answer = self._ask(view)
        if type(answer) is dict and len(answer) == 1:
            (word, value), *_ = answer.items()
            if word == "big_gin" and value is True:
                return BIG_GIN
            if word in ("discard", "knock"):
                card = self._card(value)
                return card | KNOCK if word == "knock" else card
        raise self._refused(answer, '{"discard": CARD}, {"knock": CARD} or {"big_gin": true}')

    def spread(self, view: SeatView) -> list[int]:
        """Its melds, as masks."""
        answer = self._ask(view)
        if type(answer) is dict and list(answer) == ["spread"]:
            return self._melds("spread", answer["spread"])
        raise self._refused(answer, '{"spread": [CARDS, ...]}')

    def defend(self, view: SeatView) -> _Defence:
        """Its melds and, for each meld shown, what it lays off there, as masks."""
        shown = _compact([_set_text(meld) for meld in view.shown])
        answer = self._ask(view, f'"shown":{shown},"shown_deadwood":{view.shown_deadwood},')
        if type(answer) is dict and sorted(answer) == ["defend", "lay_off"]:
            laid = self._melds("lay_off", answer["lay_off"])
            if len(laid) == len(view.shown):
                return self._melds("defend", answer["defend"]), laid
        raise self._refused(
            answer,
            '{"defend": [CARDS, ...], "lay_off": [CARDS, ...]}, '
            f"lay_off with one text for each of the {len(view.shown)} melds shown",
        )

    # ---- the protocol

    def _choice(self, view: SeatView, yes: str, no: str) -> bool:
        answer = self._ask(view)
        if answer not in (yes, no):
            raise self._refused(answer, f'"{yes}" or "{no}"')
        return bool(answer == yes)

    def _ask(self, view: SeatView, more: str = "") -> Any:
        """Put the view's question, with more fields where it has them; returns the answer."""
        self._asked += 1
        thrown, taken, refused, turns = view.thrown, view.taken, view.refused, view.turns
        line = (
            f'{{"type":"question","id":{self._asked},"question":"{view.question}",'
            f'"hand":"{_set_text(view.hand)}","drawn":"{_CARD_OR_EMPTY[view.drawn]}",'
            f'"forbidden":"{_CARD_OR_EMPTY[view.forbidden]}",'
            f'"must_declare":{"true" if view.must_declare else "false"},'
            f'"upcard":"{_CARD_OR_EMPTY[view.upcard]}","pile":"{_list_text(view.pile)}",'
            f'"known":"{_set_text(view.known)}","exposed":"{_set_text(view.exposed)}",'
            f'"thrown":["{_list_text(thrown[0])}","{_list_text(thrown[1])}"],'
            f'"taken":["{_list_text(taken[0])}","{_list_text(taken[1])}"],'
            f'"refused":["{_set_text(refused[0])}","{_set_text(refused[1])}"],'
            f'"passes":{view.passes},"stock":{view.stock},"turns":[{turns[0]},{turns[1]}],'
            f"{more}{self._of_hand}}}\n"
        )
        message = self._exchange(line.encode(), self.command.time, view.question)
        number = message.get("id")
        if type(number) is not int or number != self._asked:
            raise self._refused_line(f"answered question {_shown(number)}; allowed: {self._asked}")
        if len(message) != 2 or "answer" not in message:
            raise self._refused_line("answered with other fields than allowed: id, answer")
        return message["answer"]

    def _card(self, text: Any) -> int:
        position = _POSITION.get(text) if type(text) is str else None
        if position is not None:
            return position
        try:
            return parse_card(text)
        except CardError as error:
            raise self._refused_line(f"answered with a {error}") from None

    def _melds(self, what: str, texts: Any) -> list[int]:
        try:
            if type(texts) is not list or any(type(text) is not str for text in texts):
                raise CardError(f"{what} is {_shown(texts)}; allowed: a list of texts such as '7S 7H 7D'")
            return [as_mask(text, what=what) for text in texts]
        except CardError as error:
            raise self._refused_line(f"answered with melds that cannot be: {error}") from None

    def _exchange(self, line: bytes, seconds: float, at: str) -> dict[str, Any]:
        """Write a line and read the object that comes back. Any error ends the program."""
        self._at = at
        if self._process is None:
            raise self._failed("does not run")
        try:
            self._line = self._process.exchange(line, seconds)
            self._lines += 1
        except _Trouble as trouble:
            raise self._failed(str(trouble), trouble.error) from None
        except BaseException:  # Ctrl-C above all: nobody will read what it answers
            self._stop()
            raise
        try:
            message = json.loads(self._line.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise self._refused_line(f"wrote a line that is no JSON ({error})") from None
        if type(message) is not dict:
            raise self._refused_line("wrote a line that is no JSON object")
        return message

    def _refused(self, answer: Any, allowed: str) -> BotError:
        return self._refused_line(f"answered {_shown(answer)}; allowed: {allowed}")

    def _refused_line(self, what: str) -> BotError:
        return self._failed(f"{what}; line {self._lines} of its output is {_quoted(self._line)}")

    def _failed(self, what: str, error: type[BotError] = BotError) -> BotError:
        """End the program; the error to raise."""
        stderr = self._stop()
        end = f"; the end of its stderr:\n{stderr}" if stderr else ""
        return error(f"{self}, at {self._at}, {what}{end}")

    def _stop(self) -> str:
        """End the program at once; returns the last lines of its stderr."""
        process, self._process = self._process, None
        return "" if process is None else process.kill()

    def _start(self) -> dict[str, Any]:
        """Start the program; returns its hello, whole."""
        try:
            self._process = _Process(self.command.words)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise PolicyError(f"policy {str(self)!r} cannot be started: {reason}") from None
        hello = _compact({"type": "hello", "protocol": PROTOCOL, "ginsim": __version__})
        self._lines = 0
        said = self._exchange(hello.encode() + b"\n", self.command.start, "hello")
        message = {"questions": [], "events": False, "reads": [], **said}
        trouble = _hello_trouble(message)
        if trouble:
            raise self._refused_line(f"said hello with {trouble}")
        return message

    def _restart(self) -> None:
        """Start the program again, after an error; it must be the one that it was."""
        hello = self._start()
        identity = Identity(hello["name"], hello["version"], hello["hash"])
        if identity != self.identity:
            raise self._failed(f"was started again and is now {identity}; it was {self.identity}")


def external_policy(spec: str) -> PythonPolicy:
    """The policy of an `exec:` spec, its program started; `player` is its ExternalPlayer.

    Raises PolicyError for a spec that cannot be, BotError for a program that does not say a proper hello.
    """
    player = ExternalPlayer(Command.parse(spec))
    return PythonPolicy(player, SeatView, _as_it_is, player.own, player.reads)


def program_identity(spec: str) -> dict[str, Any]:
    """What the program of an `exec:` spec says of itself, as plain values."""
    player = ExternalPlayer(Command.parse(spec))
    try:
        return {"kind": "exec", **asdict(player.identity)}
    finally:
        player.close()


def program_info(spec: str) -> PolicyInfo:
    """All about the program of an `exec:` spec; it is started for that."""
    player = ExternalPlayer(Command.parse(spec))
    player.close()
    usual = Command(())
    return PolicyInfo(
        name=str(player),
        summary="a program of its own",
        description="A program of its own; what follows is what it says of itself as it starts.",
        source="program",
        knobs=(
            KnobInfo("start", usual.start, float, "seconds to say hello in"),
            KnobInfo("time", usual.time, float, "seconds to answer one question in"),
        ),
        distribution=player.identity.name,
        version=player.identity.version,
        speed="program",
        says=player.said,
    )


def _as_it_is(question: str, view: SeatView, answer: Any) -> Any:
    """The player answers in the core's words already."""
    return answer


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _shown(value: Any) -> str:
    """A piece of a message, for an error."""
    text = _compact(value)
    return text if len(text) <= 80 else text[:77] + "..."


def stakes_read(reads: Iterable[str]) -> Iterable[str]:
    """The stakes that the names of `_core.READS` stand for."""
    for name in reads:
        yield from {
            "scores": ("scores", "boxes", "hand_number"),
            "game": ("target", "game_bonus", "box_bonus"),
            "double": ("multiplier",),
        }.get(name, (name,))


def _hello_trouble(message: dict[str, Any]) -> str | None:
    """What is wrong with a hello, if anything."""
    wanted = {"protocol", "name", "version", "hash", "questions", "events", "reads"}
    for name in sorted(wanted - set(message)):
        return f"no field {name!r}"
    for name in sorted(set(message) - wanted):
        return f"a field {name!r}; allowed: {', '.join(sorted(wanted))}"
    if type(message["protocol"]) is not int or message["protocol"] != PROTOCOL:
        return f"protocol {_shown(message['protocol'])}; allowed: {PROTOCOL}"
    for name in ("name", "version", "hash"):
        text = message[name]
        if type(text) is not str or not 1 <= len(text) <= 100 or not text.isprintable():
            return f"{name} {_shown(text)}; allowed: a printable text of 1 to 100 characters"
    questions = message["questions"]
    if type(questions) is not list or any(name not in _OPTIONAL for name in questions):
        return f"questions {_shown(questions)}; allowed: a list of {' and '.join(_OPTIONAL)}"
    if type(message["events"]) is not bool:
        return f"events {_shown(message['events'])}; allowed: true or false"
    if type(message["reads"]) is not list or any(type(name) is not str for name in message["reads"]):
        return f"reads {_shown(message['reads'])}; allowed: a list of names"
    try:
        reads_code(message["reads"])
    except ValueError as error:
        return str(error)
    return None
