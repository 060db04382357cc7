"""`exec:` policies: programs of their own play as they should, and all they can do wrong is an error."""

import collections
import contextlib
import gc
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import ginsim
from ginsim._play import Match, PlayFault
from ginsim._policies import STOCK, Greedy
from ginsim._table import Table
from ginsim.cards import Hand, card_text
from ginsim.cli import main
from ginsim.policies import PolicyError, parse_spec
from ginsim.policies.external import BotError, Command, Identity
from ginsim.rules import Rules

ROOT = Path(__file__).parents[1]
BOTS = ROOT / "examples" / "bots"
PYTHON = shlex.quote(sys.executable)
FAULTY = f"{PYTHON} {shlex.quote(str(ROOT / 'tests' / 'faulty_bot.py'))}"
KEY = 11


@pytest.fixture(scope="session")
def commands(tmp_path_factory: pytest.TempPathFactory):
    """The command of each reference bot, or why there is none."""

    def compiled() -> str | None:
        compiler = shutil.which(os.environ.get("CC", "cc"))
        if compiler is None:
            return None
        program = tmp_path_factory.mktemp("bot") / "bot"
        subprocess.run([compiler, "-std=c11", "-O1", "-o", program, BOTS / "bot.c"], check=True)
        return shlex.quote(str(program))

    node = shutil.which("node")
    return {
        "python": f"{PYTHON} {shlex.quote(str(BOTS / 'bot.py'))}",
        "node": node and f"{shlex.quote(node)} {shlex.quote(str(BOTS / 'bot.js'))}",
        "c": compiled(),
    }


def faulty_spec(mode: str, question: str = "draw", *words: str, limits: str = "", **hello: object) -> str:
    """The spec of tests/faulty_bot.py; words it does not know tell its processes from others."""
    return f"exec:{limits}{FAULTY} {shlex.join([mode, question, json.dumps(hello), *words])}"


def faulty(mode: str, question: str = "draw", *words: str, limits: str = "", **hello: object):
    return parse_spec(faulty_spec(mode, question, *words, limits=limits, **hello))


def match(policy, other=None, preset: str = "standard", games: bool = False, **changes: object) -> Match:
    rules = Rules.preset(preset).replace(**changes)
    return Match(policy, other or STOCK["simple"](), rules.codes(), KEY, games=games)


def is_gone(pid: int) -> bool:
    """Ended and reaped: a zombie still has its number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def running(word: str) -> list[str]:
    """The commands of all processes that have a word in them."""
    commands = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            commands.append(path.read_bytes().decode("utf-8", "replace"))
    if not commands:  # not Linux
        found = subprocess.run(["ps", "-A", "-o", "args="], capture_output=True, text=True, check=True)
        commands = found.stdout.splitlines()
    return [command for command in commands if word in command]


def new_deck() -> list[int]:
    """A deck in the order of suits and ranks."""
    return [suit * 16 + rank for suit in range(4) for rank in range(13)]


# ---- the spec


@pytest.mark.parametrize(
    ("spec", "canonical", "words", "start", "time"),
    [
        ("exec:bot", "exec:bot", ("bot",), 10, 5),
        (" exec: python  bot.py ", "exec:python bot.py", ("python", "bot.py"), 10, 5),
        ("exec:time=2:bot", "exec:time=2:bot", ("bot",), 10, 2),
        ("exec:time=0.25,start=20:bot a,b", "exec:start=20,time=0.25:bot a,b", ("bot", "a,b"), 20, 0.25),
        ("exec: start = 20 , time=5.0 : bot", "exec:start=20:bot", ("bot",), 20, 5),
        ("exec:start=10,time=5:bot", "exec:bot", ("bot",), 10, 5),
        ("exec:bot --at host:80 x=1", "exec:bot --at host:80 x=1", ("bot", "--at", "host:80", "x=1"), 10, 5),
        ("exec:./a:b=c", "exec:./a:b=c", ("./a:b=c",), 10, 5),
        ("exec:'my bot' \"it's\"", """exec:'my bot' 'it'"'"'s'""", ("my bot", "it's"), 10, 5),
        ("exec:time=5:a=b:c", "exec:start=10,time=5:a=b:c", ("a=b:c",), 10, 5),
    ],
)
def test_specs_are_read_and_written(spec, canonical, words, start, time) -> None:
    command = Command.parse(spec)
    assert (command.words, command.start, command.time) == (words, start, time)
    assert str(command) == canonical
    assert Command.parse(str(command)) == command


WORDS = st.text(min_size=1) | st.from_regex("[a=,: ]{1,9}", fullmatch=True)


LIMITS = st.just(5.0) | st.just(10.0) | st.floats(0.001, 86_400)


@given(st.lists(WORDS, min_size=1), LIMITS, LIMITS)
def test_every_command_has_a_spec(words, start, limit) -> None:
    command = Command(tuple(words), start, limit)
    assert Command.parse(str(command)) == command


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("exec:", "policy spec is 'exec:'; allowed: exec:COMMAND or exec:time=SECONDS:COMMAND"),
        ("exec:time=1:", "allowed: exec:COMMAND or"),
        ("exec:'bot", "No closing quotation; allowed: words quoted as in a shell"),
        ("exec:tmie=1:bot", "has no limit 'tmie'; allowed: start, time"),
        ("exec:time=1,time=2:bot", "sets time twice; allowed: each limit once"),
        ("exec:time=0:bot", "time is 0; allowed: 0.001 to 86400 (seconds)"),
        ("exec:time=nan:bot", "time is nan; allowed"),
        ("exec:time=soon:bot", "time is soon; allowed"),
        ("exec:no-such-program-here", "cannot be started: No such file or directory"),
        ("exec:/", "cannot be started: Permission denied"),
    ],
)
def test_what_cannot_be_started_is_refused(spec: str, message: str) -> None:
    with pytest.raises(PolicyError) as refused:
        parse_spec(spec)
    assert message in str(refused.value)


# ---- play


@pytest.mark.parametrize("language", ["python", "node", "c"])
@pytest.mark.parametrize("preset", ["standard", "oklahoma", "straight", "classic", "fifty_card"])
def test_reference_bots_play_exactly_as_greedy(commands, language: str, preset: str) -> None:
    if commands[language] is None:
        pytest.skip(f"no {'C compiler' if language == 'c' else language} here")
    changes = {"discard_taken": True} if preset == "classic" else {}
    bot = parse_spec(f"exec:{commands[language]}")
    theirs = match(bot, preset=preset, **changes)
    ours = match(Greedy(), preset=preset, **changes)
    asked = collections.Counter()
    for index in range(60):
        for orientation in (0, 1):
            trace = theirs.trace_hand(index, orientation)
            assert trace == ours.trace_hand(index, orientation)
            asked.update(answer[0] for seat, _, answer in trace["actions"] if seat == orientation)
    assert {"take", "pass", "pile", "stock", "discard", "knock"} <= set(asked)
    assert bot.player.identity.name.startswith("greedy-")
    assert len(bot.player.identity.hash) > 15


def test_they_agree_where_hands_are_nearly_melded(commands) -> None:
    """Long runs, sets of four, gins and big gins: decks sorted but for a few swaps."""
    dice = random.Random(3)
    deck = new_deck()
    matches = [match(parse_spec(f"exec:{command}")) for command in commands.values() if command]
    ours = match(Greedy())
    endings = set()
    for number in range(60):
        cards = deck if number % 2 else sorted(deck, key=lambda card: (card % 16, card))
        cards = cards[number % 26 :] + cards[: number % 26]
        for _ in range(dice.randrange(12)):
            i, j = dice.randrange(52), dice.randrange(52)
            cards[i], cards[j] = cards[j], cards[i]
        trace = ours.trace_hand(number, 0, deck=cards)
        assert all(theirs.trace_hand(number, 0, deck=cards) == trace for theirs in matches)
        endings.add(trace["facts"]["ending"])
    assert {"knock", "gin", "big_gin"} <= endings


def test_a_question_carries_what_the_view_holds(commands, tmp_path: Path) -> None:
    log = tmp_path / "log"
    shell = f"tee {shlex.quote(str(log))} | {commands['python']}"
    policy = parse_spec(f"exec:sh -c {shlex.quote(shell)}")
    playing = match(policy, preset="fifty_card")
    traces = [playing.trace_hand(index, index % 2) for index in range(20)]
    policy.player.close()
    asked = iter(message for message in map(json.loads, log.read_text().splitlines()))
    assert next(asked)["type"] == "hello"
    for number, trace in enumerate(traces):
        table = Table(Rules.preset("fifty_card").codes(), trace["deck"], trace["dealer"])
        hand = next(asked)
        view = table.view(number % 2)
        assert hand["type"] == "hand"
        assert (hand["hand"], hand["upcard"]) == (str(Hand(view.hand)), card_text(view.upcard))
        for seat, question, answer in trace["actions"]:
            if seat == number % 2 and question not in ("spread", "defend"):
                assert_holds(next(asked), table.view())
            table.apply(answer)
    assert next(asked) == {"type": "quit"}
    assert next(asked, None) is None


def assert_holds(message: dict, view) -> None:
    def card(position):
        return "" if position is None else card_text(position)

    def cards(positions):
        return " ".join("-" if position is None else card_text(position) for position in positions)

    masks = {name: str(Hand(getattr(view, name))) for name in ("hand", "known", "exposed")}
    plain = (
        *("question", "seat", "dealer", "knock_limit", "big_gin", "discard_taken", "must_declare"),
        *("passes", "stock", "turns"),
    )
    assert message.pop("type") == "question"
    assert message.pop("id") > 0
    assert message == masks | {name: getattr(view, name) for name in plain} | {
        "drawn": card(view.drawn),
        "forbidden": card(view.forbidden),
        "upcard": card(view.upcard),
        "pile": cards(view.pile),
        "thrown": [cards(thrown) for thrown in view.thrown],
        "taken": [cards(taken) for taken in view.taken],
        "refused": [str(Hand(refused)) for refused in view.refused],
        "stakes": {},
    }


PROGRAM = """
import json, random, sys
sys.path.insert(0, sys.argv[1])
import faulty_bot
hello = {"protocol": 1, "name": "programmed", "version": "1", "hash": "0"} | json.loads(sys.argv[2])
log = open(sys.argv[3], "a")
for line in sys.stdin:
    message = json.loads(line)
    log.write(line)
    if message["type"] == "hello":
        faulty_bot.say(hello)
    elif message["type"] == "hand":
        dice = random.Random(message["seed"])
    elif message["type"] == "question":
        answer = faulty_bot.legal(message)
        if "discard" in answer:
            free = [card for card in message["hand"].split() if card != message["forbidden"]]
            answer = {"knock" if message["knock_limit"] == 98 else "discard": dice.choice(free)}
        faulty_bot.say({"id": message["id"], "answer": answer})
    elif message["type"] == "quit":
        break
"""


@pytest.fixture
def programmed(tmp_path: Path):
    """A policy that draws its discards from the seed, knocks at a limit of 98, and logs what it is told."""
    (tmp_path / "programmed.py").write_text(PROGRAM)

    def policy(**hello: object):
        words = [sys.executable, str(tmp_path / "programmed.py"), str(ROOT / "tests")]
        return parse_spec("exec:" + shlex.join([*words, json.dumps(hello), str(tmp_path / "log")]))

    policy.log = lambda: [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    return policy


def test_a_hand_has_its_seed(programmed) -> None:
    policy = programmed()
    first = match(policy).trace_hand(5), match(policy).trace_hand(6), match(policy).trace_hand(5, 1)
    again = programmed()
    assert match(again).trace_hand(5, 1) == first[2]
    assert match(again).trace_hand(6) == first[1]
    assert match(again).trace_hand(5) == first[0]
    for player in (policy.player, again.player):
        player.close()
    seeds = [message["seed"] for message in programmed.log() if message["type"] == "hand"]
    assert seeds[:3] == seeds[:2:-1]
    assert len(set(seeds)) == 3
    assert all(0 <= seed < 2**52 for seed in seeds)


def test_events_are_told_in_the_order_of_play(programmed) -> None:
    policy = programmed(events=True)
    trace = match(policy, Greedy()).trace_hand(3)
    policy.player.close()
    events = [message for message in programmed.log() if message["type"] == "event"]
    assert [(event["seat"], event["did"]) for event in events] == [
        (seat, answer[0]) for seat, _, answer in trace["actions"]
    ]
    pile = [trace["deck"][20]]
    for event, (_, _, answer) in zip(events, trace["actions"], strict=True):
        card = pile.pop() if answer[0] in ("take", "pile") else None
        if answer[0] == "discard":
            card = answer[1]
            pile.append(card)
        assert event.get("card") == (None if card is None else card_text(card))
        melds = [str(Hand(meld)) for meld in answer[1]] if answer[0] == "spread" else None
        assert event.get("melds") == melds


def test_stakes_are_told_as_far_as_they_are_read(programmed) -> None:
    policy = programmed(reads=["scores", "gin_bonus", "double"])
    match(policy, Greedy(), games=True).trace_game(1)
    policy.player.close()
    hands = [message for message in programmed.log() if message["type"] == "hand"]
    assert [hand["stakes"]["hand_number"] for hand in hands] == list(range(1, len(hands) + 1))
    assert all(
        set(hand["stakes"]) == {"scores", "boxes", "hand_number", "gin_bonus", "multiplier"} for hand in hands
    )
    assert {(hand["stakes"]["gin_bonus"], hand["stakes"]["multiplier"]) for hand in hands} == {(25, 1)}


def test_spread_and_defence_are_left_to_ginsim_or_asked(programmed) -> None:
    """The program shows no meld and defends with none; ginsim's best has some."""
    opponent = programmed(questions=["defend"])
    shown = {}
    for own in (True, False):
        playing = match(programmed(questions=["spread"] if own else []), opponent, knock_limit=98)
        shown[own] = []
        for index in range(20):
            (knocker, _, spread), (_, question, defence) = playing.trace_hand(index)["actions"][-2:]
            assert (spread[0], question) == ("spread", "defend")
            shown[own] += spread[1] if knocker == 0 else ()
            assert knocker == 1 or defence[1] == ()
    assert len(shown[True]) == 0 < len(shown[False])


# ---- what goes wrong


SOON = "time=1:"
WRONG = {
    "hang": (SOON, "gave no answer within 1 s and was stopped"),
    "hang half way": (SOON, "only the beginning of a line, '{\"id\": ', within 1 s"),
    "close stdin": (SOON, "gave no answer within 1 s"),
    "die": ("", "ended with exit code 3; the end of its stderr:\nno more cards"),
    "killed": ("", "was ended by signal 15 (SIGTERM)"),
    "exit half way": ("", "ended with exit code 0 after the beginning of a line, '{\"id\": '"),
    "close stdout": ("", "closed its stdout and was stopped"),
    "garbage": (
        "",
        "no JSON (Expecting value: line 1 column 1 (char 0)); line 3 of its output is 'I discard",
    ),
    "binary": ("", r"no JSON ('utf-8' codec can't decode byte 0xff in position 1: invalid start byte)"),
    "deep": ("", "wrote a line that is no JSON ("),
    "list": ("", "wrote a line that is no JSON object; line 3 of its output is '[1, 2]'"),
    "empty": ("", "wrote a line that is no JSON"),
    "huge": ("", "wrote more than 65536 bytes where one line was awaited: 'xxx"),
    "flood": ("", "answered question 1; allowed: 2"),
    "wrong id": ("", 'answered question 3; allowed: 2; line 3 of its output is \'{"id": 3'),
    "true id": ("", "answered question true; allowed: 2"),
    "no id": ("", "answered question null; allowed: 2"),
    "twice": ("", "at discard, answered question 2; allowed: 3; line 4 of its output is"),
    "more fields": ("", "answered with other fields than allowed: id, answer"),
    "no answer": ("", "answered with other fields than allowed: id, answer"),
    "word": ("", 'at draw, answered "perhaps"; allowed: "pile" or "stock"'),
    "answer list": ("", 'answered ["pass"]; allowed: "pile" or "stock"'),
}


@pytest.mark.parametrize("mode", WRONG)
def test_a_faulty_program_is_an_error_and_is_ended(mode: str) -> None:
    limits, message = WRONG[mode]
    policy = faulty(mode, limits=limits)
    pid = policy.player.pid
    started = time.monotonic()
    with pytest.raises(PlayFault) as fault:
        match(policy).play(0, 1)
    assert message in str(fault.value)
    kind = "BotOvertime" if limits == SOON else "BotError"
    assert fault.value.reason.startswith(f"{kind}: {policy}, at ")
    assert fault.value.where["entrant"] == 0
    assert time.monotonic() - started < 10
    assert policy.player.pid is None
    assert is_gone(pid)


ILLEGAL = {
    "no card": ("discard", "answered with a card: '1S' is no card; allowed"[:38]),
    "two cards": ("discard", "is 2 cards; allowed: one card; line"),
    "card number": ("discard", "7 is no card"),
    "big gin false": (
        "discard",
        'answered {"big_gin":false}; allowed: {"discard": CARD}, {"knock": CARD} or {"big',
    ),
    "two words": ("discard", "allowed: {"),
    "not held": ("discard", "the card is not in the hand"),
    "knock too high": ("discard", "the ten cards left count more than the knock limit"),
    "big gin": ("discard", "big gin may not be declared"),
    "lay off": ("defend", "lay_off with one text for each of the"),
    "defend word": ("defend", 'answered {"defend":[]}; allowed: {"defend": [CARDS, ...], "lay_off"'),
}


@pytest.mark.parametrize("mode", ILLEGAL)
def test_an_illegal_answer_is_an_error(mode: str) -> None:
    question, message = ILLEGAL[mode]
    policy = faulty(mode, question, questions=["defend"])
    with pytest.raises(PlayFault) as fault:
        match(policy, preset="straight" if question == "discard" else "standard").play(0, 30)
    assert message in fault.value.reason
    assert fault.value.where["question"] == question


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("spread text", "spread is \"7S 7H 7D\"; allowed: a list of texts such as '7S 7H 7D'"),
        (
            "spread cards",
            "answered with melds that cannot be: spread holds 7S twice; allowed: each card once",
        ),
        ("spread word", 'answered {"melds":[]}; allowed: {"spread": [CARDS, ...]}'),
        ("spread four", "4 melds; a hand holds at most 3"),
    ],
)
def test_a_wrong_spread_is_an_error(mode: str, message: str) -> None:
    """Asked of the player itself, so that no hand must lead there."""
    policy = faulty(mode, "spread", questions=["spread"])
    table = Table(Rules(knock_limit=98).codes(), new_deck())
    table.apply(("take",))
    table.apply(next(answer for answer in table.legal() if answer[0] == "knock"))
    policy.player.begin(table.view())
    if mode == "spread four":
        assert len(policy.player.spread(table.view())) == 4
        return
    with pytest.raises(BotError, match=re.escape(message)):
        policy.player.spread(table.view())


@pytest.mark.parametrize("mode", ["hang", "die", "garbage", "close stdout", "huge", "list"])
def test_a_program_that_fails_at_hello_is_an_error(mode: str, tmp_path: Path) -> None:
    limits = "start=1:" if mode == "hang" else ""
    word = str(tmp_path / "asked")
    with pytest.raises(BotError, match="at hello, ") as failed:
        faulty(mode, "hello", word, limits=limits)
    assert WRONG[mode][1].partition("; line 3")[0] in str(failed.value)
    assert running(word) == []


@pytest.mark.parametrize(
    ("hello", "message"),
    [
        ({"protocol": 2}, "protocol 2; allowed: 1"),
        ({"protocol": True}, "protocol true; allowed: 1"),
        ({"name": ""}, 'name ""; allowed: a printable text of 1 to 100 characters'),
        ({"hash": None}, "hash null; allowed: a printable text"),
        ({"version": "1\n2"}, "version"),
        ({"questions": ["discard"]}, 'questions ["discard"]; allowed: a list of spread and defend'),
        ({"questions": "spread"}, "questions"),
        ({"events": 1}, "events 1; allowed: true or false"),
        ({"reads": ["score"]}, "reads names 'score'; allowed: scores, game,"),
        ({"reads": [[]]}, "reads [[]]; allowed: a list of names"),
        ({"event": True}, "a field 'event'; allowed: events, hash, name"),
    ],
)
def test_a_wrong_hello_is_an_error(hello: dict, message: str) -> None:
    with pytest.raises(BotError, match=re.escape(f"at hello, said hello with {message}")) as failed:
        faulty("none", **hello)
    assert '; line 1 of its output is \'{"protocol"' in str(failed.value)


def test_a_field_missing_in_hello_is_named() -> None:
    with pytest.raises(BotError, match="said hello with no field 'hash'"):
        parse_spec('exec:echo \'{"protocol":1,"name":"a","version":"1"}\'')


def test_only_the_end_of_stderr_is_kept() -> None:
    shell = "seq 1 100 >&2; exit 2"
    with pytest.raises(BotError, match="exit code 2") as failed:
        parse_spec(f"exec:sh -c '{shell}'")
    assert str(failed.value).splitlines()[1:] == [str(n) for n in range(81, 101)]


def test_much_on_stderr_stops_nothing() -> None:
    policy = faulty("stderr", "never")
    trace = match(policy).trace_hand(0)
    assert trace["facts"]["ending"] != "going"
    assert policy.player.asked > 2


# ---- processes


def test_a_program_lives_as_long_as_its_policy() -> None:
    policy = faulty("none")
    pid = policy.player.pid
    playing = match(policy)
    playing.play(0, 3)
    playing.play(3, 6)
    assert policy.player.pid == pid
    assert not is_gone(pid)
    del policy, playing
    gc.collect()
    assert is_gone(pid)


def test_a_program_that_does_not_quit_is_killed() -> None:
    policy = faulty("ignore quit")
    pid = policy.player.pid
    started = time.monotonic()
    policy.player.close()
    assert 0.5 < time.monotonic() - started < 5
    assert is_gone(pid)
    policy.player.close()


def test_children_of_a_program_are_ended_with_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        policy = faulty("child", "never", str(pipe))
        wait_for(lambda: is_held(reader))
        policy.player.close()
        wait_for(lambda: not is_held(reader))
    finally:
        os.close(reader)


def is_held(reader: int) -> bool:
    """Whether some process has the pipe open for writing."""
    try:
        return os.read(reader, 1) != b""
    except BlockingIOError:
        return True


def wait_for(condition) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_after_an_error_the_next_hand_has_a_new_process() -> None:
    policy = faulty("die")
    player, pid = policy.player, policy.player.pid
    table = Table(Rules().codes(), new_deck())
    player.begin(table.view())
    table.apply(("pass",))
    table.apply(("pass",))
    with pytest.raises(BotError, match="ended with exit code 3"):
        player.draw(table.view())
    with pytest.raises(BotError, match="at draw, does not run"):
        player.draw(table.view())
    player.begin(table.view())
    assert player.pid not in (None, pid)


def test_another_program_under_the_same_name_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "bot.sh"
    hello = '{"protocol":1,"name":"a","version":"1","hash":"HASH"}'
    script.write_text(f"echo '{hello}'\n")
    player = parse_spec(f"exec:sh {shlex.quote(str(script))}").player
    assert player.identity == Identity("a", "1", "HASH")
    view = Table(Rules().codes(), new_deck()).view()
    player.begin(view)
    with pytest.raises(BotError, match="ended with exit code 0"):
        player.take_upcard(view)
    script.write_text(f"echo '{hello.replace('HASH', 'other')}'\n")
    with pytest.raises(BotError, match=r"was started again and is now Identity.*'other'.*it was .*'HASH'"):
        player.begin(view)


def run_python(code: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_no_program_outlives_the_interpreter() -> None:
    code = f"from ginsim import parse_spec; p = parse_spec({faulty_spec('none')!r}); print(p.player.pid)"
    out, err = run_python(code).communicate(timeout=30)
    assert err == ""
    assert is_gone(int(out))


def test_an_interrupt_ends_a_hanging_program(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    spec = faulty_spec("hang", "draw", str(asked), limits="time=60:")
    code = (
        "from ginsim import parse_spec\n"
        "from ginsim._play import Match\n"
        "from ginsim.rules import Rules\n"
        f"p = parse_spec({spec!r})\n"
        "print(p.player.pid, flush=True)\n"
        "try:\n"
        "    Match(p, parse_spec('greedy'), Rules().codes(), 1).play(0, 10)\n"
        "except KeyboardInterrupt:\n"
        "    print(p.player.pid)\n"
    )
    process = run_python(code)
    pid = int(process.stdout.readline())
    wait_for(asked.exists)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (out, err) == ("None\n", "")
    assert is_gone(pid)


def test_time_in_which_ginsim_itself_stood_still_is_no_time_out(monkeypatch: pytest.MonkeyPatch) -> None:
    player = faulty("none", limits="time=5:").player
    view = Table(Rules().codes(), new_deck()).view()
    player.begin(view)
    clock = iter((0.0, 100.0))

    def stand_still() -> float:
        time.sleep(1)
        return next(clock)

    monkeypatch.setattr("ginsim.policies.external.time", SimpleNamespace(monotonic=stand_still))
    assert player.take_upcard(view) is False
    assert next(clock, None) is None


# ---- tournaments


def test_a_tournament_in_processes_threads_and_one_by_one(commands) -> None:
    """Equal to the native policy's, whoever plays it, and no process is left."""
    word = f"tournament-{os.getpid()}"
    spec = f"exec:{commands['python']} {word}"
    points = {}
    for entrant, processes in ((spec, 2), (spec, None), (spec, 1), ("greedy", 1)):
        result = ginsim.tournament([entrant, "simple"], pairs=80, chunk=20, seed=4, processes=processes)
        ranking = result.ranking.set_index("policy")
        points[entrant, processes] = [ranking.loc[name, "points"] for name in (entrant, "simple")]
        gc.collect()
        # A serial run keeps its policies for the next one in this thread.
        assert len(running(word)) <= (processes == 1)
    assert len(set(map(tuple, points.values()))) == 1


def test_a_faulty_program_stops_a_tournament_with_one_error() -> None:
    word = f"faulty-{os.getpid()}"
    spec = faulty_spec("die", "draw", word)
    with pytest.raises(ginsim.RunError, match="exit code 3") as failed:
        ginsim.tournament([spec, "simple"], pairs=300, seed=4, processes=2)
    assert "no more cards" in str(failed.value)
    for _ in range(100):  # one that a stopped worker had only just started ends when its input does
        if not running(word):
            break
        time.sleep(0.1)
    assert running(word) == []


# ---- the documentation


@pytest.fixture
def documented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The blocks of the documentation by language; their files and a `python` are at hand."""
    text = (ROOT / "docs" / "policies-exec.md").read_text(encoding="utf-8")
    blocks = collections.defaultdict(list)
    for language, block in re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S):
        blocks[language].append(block)
    for block in blocks["python"]:
        (tmp_path / re.match(r"# (\w+\.py)\n", block)[1]).write_text(block)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").write_text(f'#!/bin/sh\nexec {PYTHON} "$@"\n')
    (tmp_path / "bin" / "python").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    return blocks


def run_command(line: str) -> str:
    program, *words = shlex.split(line)
    assert program == "ginsim"
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_documented_commands_run(documented) -> None:
    lines = "".join(documented["console"]).splitlines()
    assert len(lines) == 3
    for line in lines:
        assert "mybot.py" in run_command(line.removeprefix("$ "))
    assert json.loads(Path("bot.log").read_text().splitlines()[0])["name"] == "dearest"


def test_the_bot_in_twenty_lines_has_twenty_lines(documented) -> None:
    (bot,) = documented["python"]
    code = [line for line in bot.splitlines() if line and not line.startswith("#")]
    assert len(code) == 20


def test_the_documented_transcript_is_what_is_said(documented, commands) -> None:
    shell = f"tee host.log | {commands['python']} | tee bot.log"
    run_command(f"ginsim play-hand {shlex.quote('exec:sh -c ' + shlex.quote(shell))} simple --seed 24")
    gc.collect()
    wait_for(lambda: "quit" in Path("host.log").read_text())
    replies = iter(Path("bot.log").read_text().splitlines())
    said = []
    for line in Path("host.log").read_text().splitlines():
        said.append((">", json.loads(line)))
        if said[-1][1]["type"] in ("hello", "question"):
            said.append(("<", json.loads(next(replies))))
    (block,) = documented["transcript"]
    printed = [(line[0], json.loads(line[2:])) for line in re.sub(r"\n +", "", block).splitlines()]
    for transcript in (said, printed):  # these two change with every version
        assert transcript[0][1].pop("ginsim")
        assert len(transcript[1][1].pop("hash")) == 64
    assert printed == said


def test_the_documentation_names_every_field_and_word(documented) -> None:
    text = (ROOT / "docs" / "policies-exec.md").read_text(encoding="utf-8")
    for _, message in (
        (line[0], json.loads(line[2:]))
        for line in re.sub(r"\n +", "", documented["transcript"][0]).splitlines()
    ):
        for field in set(message) - {"type", "ginsim", "answer", "seed"}:
            assert f"`{field}`" in text
