"""The checker against thousands of single edits, and against records as a person at a table writes them."""

import dataclasses
import json
import random
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from ginsim.cards import Hand
from ginsim.records import GameRecord, HandRecord, RecordError, play_game, play_hand, read_record
from ginsim.rules import Rules

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))
CARDS = [str(Hand([card])) for card in Hand(0x1FFF_1FFF_1FFF_1FFF).positions]
SPOKEN = """
0 1 2 10 31 99 -1 AS KD TH seat shows draws takes throws knocks with passes leaves = [ ] , : ... gin knock on
points x ² big oklahoma standard None to - +
"""
WORDS = [*SPOKEN.split(), "lays off", "declares big gin", "[4H 5H 6H]"]


def normal(text: str) -> list[str]:
    return [line for line in (" ".join(line.split()) for line in text.splitlines()) if line]


def edits_of(text: str, rng: random.Random, number: int) -> Iterator[str]:
    """Texts with one edit each: of a word, a letter, or a line."""
    lines = [line for line in text.splitlines() if line]
    for _ in range(number):
        edited = list(lines)
        at = rng.randrange(len(edited))
        words = edited[at].split()
        kind = rng.randrange(8)
        if kind == 0:
            words[rng.randrange(len(words))] = rng.choice(WORDS + CARDS)
        elif kind == 1:
            words.pop(rng.randrange(len(words)))
        elif kind == 2:
            words.insert(rng.randrange(len(words) + 1), rng.choice(WORDS + CARDS))
        elif kind == 3:
            one, two = rng.randrange(len(words)), rng.randrange(len(words))
            words[one], words[two] = words[two], words[one]
        elif kind == 4:
            line = edited[at]
            place = rng.randrange(len(line))
            words = [line[:place] + rng.choice("ASHDC2T90 []=,.x") + line[place + rng.randrange(2) :]]
        elif kind == 5:
            numbers = list(re.finditer("[0-9]+", edited[at]))
            if numbers:
                found = rng.choice(numbers)
                other = str(int(found[0]) + rng.choice([-1, 1, 10]))
                words = [edited[at][: found.start()] + other + edited[at][found.end() :]]
        elif kind == 6:
            edited.insert(rng.randrange(len(edited) + 1), edited[at])
        else:
            other = rng.randrange(len(edited))
            edited[at], edited[other] = edited[other], edited[at]
            words = edited[at].split()
        edited[at] = edited[at] if kind == 6 else " ".join(words)
        yield "\n".join(edited)


def play_of(record: HandRecord) -> tuple[Any, ...]:
    """What was dealt and done and what it came to: all but the names of things."""
    return (
        record.dealer,
        record.deck,
        record.actions,
        record.facts,
        record.outcome,
        record.winner,
        record.points,
    )


def differs_only_in_names(one: HandRecord | GameRecord, other: HandRecord | GameRecord) -> bool:
    """The same play, with other rules that make no difference to it, other players' names or no seed."""
    hands, others = (x.hands if isinstance(x, GameRecord) else [x] for x in (one, other))
    if isinstance(one, GameRecord) and isinstance(other, GameRecord) and one.columns != other.columns:
        return False
    return list(map(play_of, hands)) == list(map(play_of, others))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_an_edit_of_a_text_is_refused_or_makes_no_difference(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = read_record(text)
    right = normal(text)
    refused: list[str] = []
    for edited in edits_of(text, random.Random(path.stem), 40 if path.stem.endswith("-game") else 200):
        try:
            found = read_record(edited)
        except RecordError as error:
            refused.append(str(error))
            continue
        assert differs_only_in_names(found, record), edited
        again = normal(found.to_text())
        assert read_record(found.to_text()) == found
        head = re.compile("rules: |seed: |seat [01]: ")
        assert [x for x in again if not head.match(x)] == [x for x in right if not head.match(x)]
    assert refused
    assert [told for told in refused if not re.match(r"(line \d+|end of the text): ", told)] == []


# ---------------------------------------------------------------- JSON


def places_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places_of(inner, (*path, key))


def other_value(value: Any, rng: random.Random) -> Any:
    choices = [
        None,
        True,
        False,
        0,
        1,
        7,
        -1,
        1.0,
        2**70,
        "",
        "AS",
        "KD",
        "x",
        [],
        {},
        [value],
        rng.choice(CARDS),
    ]
    if type(value) is int:
        choices += [value + 1, value - 1, float(value), str(value), bool(value)]
    return rng.choice(choices)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_an_edit_of_a_json_record_is_refused_or_makes_no_difference(path: Path) -> None:
    record = read_record(path.read_text(encoding="utf-8"))
    data = record.to_dict_with_turns()
    rng = random.Random(path.stem)
    places = list(places_of(data))
    for _ in range(25 if path.stem.endswith("-game") else 200):
        place = rng.choice(places)
        edited = deepcopy(data)
        parent = edited
        for key in place[:-1]:
            parent = parent[key]
        value = parent[place[-1]]
        kind = rng.randrange(4)
        if kind == 0 and isinstance(parent, list):
            parent.pop(place[-1])
        elif kind == 1 and isinstance(parent, list):
            parent.insert(place[-1], deepcopy(value))
        else:
            parent[place[-1]] = other_value(value, rng)
        try:
            found = read_record(json.dumps(edited))
        except RecordError:
            continue
        assert differs_only_in_names(found, record), place
        assert read_record(json.dumps(found.to_dict())) == found


@pytest.mark.parametrize(
    "text", ["{", "{}", '{"format": 1}', "[" * 5000, '{"format": "ginsim game 1"}', "{" * 9999]
)
def test_what_is_no_json_record(text: str) -> None:
    with pytest.raises(RecordError):
        read_record(text)


# ---------------------------------------------------------------- written by hand

BY_HAND = """
ginsim hand 1
rules: standard
seat 0: Ann
seat 1: Bob
dealer: seat 1
seat 0 holds 4h 5h 6h 10s js qs 2d 2c kd 9c
seat 1 holds AS AH 3D 4D 8C 8D KS QH 7C JD
upcard 2H
seat 0 takes the upcard 2H, throws KD
seat 1 draws 5C, throws KS
seat 0 draws 3H, throws 9C
seat 1 takes 9C, throws QH
seat 0 draws KC, knocks with KC
seat 0 shows [3H 4H 5H 6H] [TS JS QS] 2D 2C 2H = 6
"""


def by_hand(*lines: str) -> str:
    return BY_HAND + "\n".join(lines)


def test_a_record_by_hand_needs_neither_stock_nor_counts() -> None:
    text = by_hand("seat 1 shows AS AH 3D 4D 5C 8C 8D 9C 7C JD", "knock: 48 points to seat 0")
    text = text.replace("[3H 4H 5H 6H] [TS JS QS] 2D 2C 2H = 6", "[4H 5H 6H] [TS JS QS] [2D 2C 2H] 3H = 3")
    text = text.replace("AS AH 3D 4D 5C 8C 8D 9C 7C JD", "[7C 8C 9C] AS AH 3D 4D 5C 8D JD")
    record = read_record(text.replace("48 points", "29 points"))
    assert isinstance(record, HandRecord)
    assert (record.seed, record.players, record.stock) == (None, ("Ann", "Bob"), ("5C", "3H", "KC"))
    assert (record.facts.knocker_count, record.facts.defender_count, record.points) == (3, 32, 29)
    assert read_record(record.to_text()) == read_record(record.to_json()) == record
    assert "stock 5C 3H KC ..." in record.to_text()
    with pytest.raises(RecordError, match=r"^line 17: 'knock: 48 points to seat 0'; by the rules it is"):
        read_record(text)
    # What a person writes is held to what is known: any card of the hand twice, any wrong count.
    for old, new, told in (
        ("draws 3H", "draws 5C", "line 12: the card drawn, number 2 of the stock, is not known"),
        ("draws 5C", "draws 4H", "line 11: the card drawn, number 1 of the stock, is not known"),
        ("2d 2c kd", "2d 2c 2d", "line 7: .*2D twice"),
        ("AS AH 3D", "AS AH 4H", "line 8: 4H is dealt twice"),
        ("knocks with KC", "throws KC", "line 15: .*asked 'draw'"),
        ("throws KS", "throws 5D", "line 11: .*not in the hand"),
        ("[2D 2C 2H] 3H = 3", "[2D 2C 2H] 3H = 4", "line 15: the count is 4; by the rules it is 3"),
        ("[2D 2C 2H] 3H", "[2D 2C 3H] 2H", r"line 15: \[3H 2D 2C\] is no meld"),
        ("[7C 8C 9C] AS AH 3D 4D 5C 8D JD", "[7C 8C 9C] AS AH 3D 4D 5C 8D", "line 16: the cards are"),
    ):
        assert old in text
        with pytest.raises(RecordError, match=told):
            read_record(text.replace(old, new))


def test_a_stock_known_in_part_is_held_to_what_is_drawn() -> None:
    record = play_hand("greedy", "simple", seed=3)
    drawn = sum(action.answer == ("stock",) for action in record.actions)
    drawn += (
        sum(a.answer == ("pass",) for a in record.actions) // 2 * (record.rules.after_two_passes == "stock")
    )
    known = dataclasses.replace(record, seed=None, deck=record.deck[: 21 + drawn])
    known.verify()
    assert read_record(known.to_text()) == read_record(known.to_json()) == known
    less = dataclasses.replace(known, deck=known.deck[:-1])
    with pytest.raises(
        RecordError, match=r"action \d+, the card drawn, number \d+ of the stock, is not known"
    ):
        less.verify()
    with pytest.raises(RecordError, match="deck has 51 cards"):
        dataclasses.replace(record, deck=record.deck[:-1]).verify()
    text = known.to_text()
    for edited in (text.replace(" ...", ""), record.to_text().replace(f" {record.stock[-1]}\n", " ...\n", 1)):
        with pytest.raises(RecordError, match=r"^line \d+: (deck has \d+ cards|the stock ends in)"):
            read_record(edited)


def test_a_game_by_hand_counts_its_hands_and_needs_no_sheet() -> None:
    game = play_game("greedy", "simple", "classic", seed=2, index=1)
    lines = [line for line in game.to_text().splitlines() if not line.startswith("seed:")]
    text = "\n".join(lines)
    text = text[: text.index("score sheet")]
    found = read_record(text)
    assert isinstance(found, GameRecord)
    assert (found.columns, found.result) == (game.columns, game.result)
    assert [hand.hand_number for hand in found.hands] == list(range(len(game.hands)))
    assert read_record(found.to_text()) == found


def test_a_hand_that_does_not_fit_its_game_is_named_by_its_first_line() -> None:
    game = play_game("greedy", "simple", "classic", seed=2, index=1)
    lines = [line for line in game.to_text().splitlines() if not line.startswith("seed:")]
    third = [number for number, line in enumerate(lines) if line == "ginsim hand 1"][2]
    assert lines[third + 2] == "seat 0: greedy"
    lines[third + 2] = "seat 0: Ann"
    told = rf"^line {third + 1}: hand 2: players is \('Ann', 'simple'\); by the rules it is "
    with pytest.raises(RecordError, match=told):
        read_record("\n".join(lines))


def test_every_tail_of_a_line_may_be_left_out_whole() -> None:
    for path in GOLDEN:
        if path.stem.endswith("-game"):
            continue
        text = path.read_text(encoding="utf-8")
        short = re.sub(r"(?m)^( +[0-9]+)?( +seat .*?, (?:throws|knocks with) ..|.*big gin) .*$", r"\2", text)
        short = re.sub(r"(?m)^(upcard ..), .*$", r"\1", short)
        assert short != text
        assert read_record(short) == read_record(text)


def test_independent_deals_are_named() -> None:
    record = play_hand("greedy", "simple", seed=3, index=5, deals=2)
    assert record.deck != play_hand("greedy", "simple", seed=3, index=5).deck
    assert "seed: 3, deals 2, index 5, orientation 0, hand 0" in record.to_text()
    assert read_record(record.to_text()) == record
    with pytest.raises(RecordError, match=r"line 3: seat 0 holds .*index 5 of seed 3 deals "):
        read_record(record.to_text().replace("deals 2, ", ""))


def test_numbers_out_of_range_are_refused_in_text_too() -> None:
    text = play_hand("greedy", "simple", seed=3).to_text()
    for old, new, told in (
        ("seed: 3", f"seed: {2**128}", "line 3: seed is"),
        ("index 0", f"index {2**48}", "line 3: index is"),
        ("hand 0\n", "hand 1000\n", "line 3: hand_number is 1000; allowed: 0 to 999"),
    ):
        with pytest.raises(RecordError, match=told):
            read_record(text.replace(old, new, 1))


def test_rules_that_do_not_allow_the_hand_are_refused() -> None:
    record = play_hand("greedy", "simple", seed=7)
    with pytest.raises(RecordError):
        dataclasses.replace(record, rules=Rules(knock_limit=0)).verify()


def test_the_turns_of_a_record_are_those_of_its_text() -> None:
    for path in GOLDEN:
        record = read_record(path.read_text(encoding="utf-8"))
        if isinstance(record, GameRecord):
            assert read_record(json.dumps(record.to_dict_with_turns())) == record
            continue
        lines = normal(record.to_text())
        for turn in record.to_dict_with_turns()["turns"]:
            line = next(line for line in lines if line.startswith(f"{turn['turn']} seat {turn['seat']} "))
            assert line.endswith(f"= {turn['deadwood']}")
            assert sorted(turn["hand"]) == sorted(
                re.findall(r"\b[A2-9TJQK][SHDC]\b", line)[-len(turn["hand"]) :]
            )
            assert f" {turn['drawn']}, {turn['does']}" in line
            assert (turn["thrown"] or "big gin") in line
            assert (" draws " in line) == (turn["from"] == "stock")


def test_wrong_turns_are_refused() -> None:
    data = play_hand("greedy", "simple", seed=7).to_dict_with_turns()
    data["turns"][2]["deadwood"] += 1
    with pytest.raises(RecordError, match=r"turn 3 is .*; by the rules it is "):
        read_record(json.dumps(data))
    with pytest.raises(RecordError, match="turns are not the "):
        read_record(json.dumps({**data, "turns": data["turns"][1:]}))
