"""Card text and `Hand`: what people write is read, the rest is refused by name."""

import doctest
import json
import pickle
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginsim import cards
from ginsim.cards import DECK, CardError, Hand, as_mask, card_text, parse_card

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
SUITS = ["S", "H", "D", "C"]
POSITIONS = {rank + suit: s * 16 + r for s, suit in enumerate(SUITS) for r, rank in enumerate(RANKS)}
CASES = Path(__file__).parent / "cases"

card_sets = st.frozensets(st.sampled_from(sorted(POSITIONS)))


def test_doctests() -> None:
    assert doctest.testmod(cards).failed == 0


def test_reading_cards_loads_nothing_heavy() -> None:
    """Start-up is short: by themselves cards and rules load neither numpy nor pandas nor compiled code."""
    shown = subprocess.run(
        [sys.executable, "-c", "import sys, cards, rules; print(*sys.modules)"],
        cwd=Path(cards.__file__).parent,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name.partition(".")[0] for name in shown.stdout.split()}
    assert {"cards", "rules"} <= loaded
    assert not loaded & {"numpy", "pandas", "_melds", "ginsim"}


# ---- text of a card


def test_every_card_and_its_text() -> None:
    assert len(POSITIONS) == 52
    for text, position in POSITIONS.items():
        assert parse_card(text) == position
        assert card_text(position) == text


@pytest.mark.parametrize(
    ("spelling", "card"),
    [
        *product(
            ["TS", "ts", "Ts", "tS", "10S", "10s", "T♠", "t♤", "10♠", "10♤", "T♠\ufe0f", " (10s), "], ["TS"]
        ),
        *product(["4h", "4♥", "4♡"], ["4H"]),
        *product(["kd", "K♦", "k♢"], ["KD"]),
        *product(["ac", "A♣", "a♧"], ["AC"]),
    ],
)
def test_spellings_of_a_card(spelling: str, card: str) -> None:
    assert parse_card(spelling) == POSITIONS[card]


@pytest.mark.parametrize(
    "text", ["1S", "11S", "0H", "4", "H", "10", "4X", "S4", "Joker", "4 H", "ſ4", "4ß", "K"]
)
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(CardError, match=r"is no card; a card is a rank \(A 2-9 T J Q K, or 10\) and a suit"):
        parse_card(text)


@pytest.mark.parametrize(("text", "count"), [("", 0), (" ", 0), ("4H 5H", 2)])
def test_one_card_is_wanted(text: str, count: int) -> None:
    with pytest.raises(CardError, match=f"is {count} cards; allowed: one card"):
        parse_card(text)


def test_a_card_to_parse_is_text() -> None:
    with pytest.raises(CardError, match="card: 25 is no card"):
        parse_card(25)  # type: ignore[arg-type]


@pytest.mark.parametrize("position", [-1, 13, 15, 63, 64, 1000])
def test_positions_outside_the_deck(position: int) -> None:
    with pytest.raises(CardError, match=f"card: {position} is no card; allowed: suit"):
        card_text(position)


# ---- text of a hand


@pytest.mark.parametrize(
    "text",
    [
        "TS 4H 5H 6H KD",
        "10S4h5H6hK♦",
        "ts,4h,5h,6h,kd",
        "[TS; 4♥, 5♡] (6H) {KD}",
        "\tKD\n6H  5H\u00a04H;;10♤,",
        "4♥\ufe0f5♥\ufe0f6♥\ufe0fK♦\ufe0eT♠\ufe0f",
    ],
)
def test_forgiving_text(text: str) -> None:
    assert Hand(text).cards == ("TS", "4H", "5H", "6H", "KD")


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("4H 1S 5H", "1S"),
        ("4H1S5H", "1S"),
        ("4H, 5X, 6H", "5X"),
        ("4HS", "S"),
        ("410S", "4"),
        ("4H-5H", "-"),
        ("4H 5H of hearts", "of"),
        ("10", "10"),
    ],
)
def test_an_error_names_just_the_piece(text: str, piece: str) -> None:
    with pytest.raises(CardError, match=f"^hand: '{piece}' is no card"):
        Hand(text)


@given(st.text() | st.text("10 aAtTkK2♠♡sSdDß\ufe0f,[)") | st.lists(st.text("1AaTsh♦ ")))
def test_any_text_is_read_whole_or_refused(text: str | list[str]) -> None:
    """What is read is all there was: every character but separators belongs to one of the cards."""
    try:
        hand = Hand(text)
    except CardError:
        return
    letters = re.sub(r"[\s,;()\[\]{}\ufe0e\ufe0f]", "", "".join(text)).replace("10", "T")
    assert len(letters) == 2 * len(hand)


@pytest.mark.parametrize(
    "twice",
    ["4H 5H 4H", "TS 10s", ["4H", 19], [Hand("4H 5H"), "4♥"], [19, np.int64(19)]],
    ids=repr,
)
def test_a_card_held_twice_is_named(twice: object) -> None:
    with pytest.raises(CardError, match=r"^hand holds (4H|TS) twice; allowed: each card once$"):
        Hand(twice)  # type: ignore[arg-type]


# ---- a hand


@given(card_sets)
def test_every_form_makes_the_same_hand(held: frozenset[str]) -> None:
    positions = sorted(POSITIONS[card] for card in held)
    mask = sum(1 << position for position in positions)
    hand = Hand(mask)
    forms = (
        hand,
        np.uint64(mask),
        str(hand),
        hand.pretty(),
        "".join(held),
        held,
        positions,
        np.array(positions, dtype=np.int16),
        [Hand([card]) for card in held],
    )
    for form in forms:
        assert as_mask(form) == mask
        assert Hand(form) == hand
        assert int(Hand(form)) == mask


@given(card_sets)
def test_what_a_hand_shows(held: frozenset[str]) -> None:
    hand = Hand(held)
    in_order = tuple(sorted(held, key=lambda card: POSITIONS[card]))
    assert hand.cards == tuple(hand) == in_order
    assert hand.positions == tuple(POSITIONS[card] for card in in_order)
    assert len(hand) == len(held)
    assert str(hand) == " ".join(in_order)
    assert eval(repr(hand)) == hand
    worth = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}
    assert hand.points == sum(worth.get(card[0]) or int(card[0]) for card in held)
    for card, position in POSITIONS.items():
        assert (card in hand) == (position in hand) == (card in held)


@given(card_sets, card_sets)
def test_a_hand_is_a_set(one: frozenset[str], other: frozenset[str]) -> None:
    a, b = Hand(one), Hand(other)
    assert set(a | b) == one | other
    assert set(a & b) == one & other
    assert set(a - b) == one - other
    assert (a | str(b), a & str(b), a - str(b)) == (a | b, a & b, a - b)
    assert (a == b) == (one == other)
    assert (hash(a) == hash(b)) == (one == other)
    assert {a: "found"}.get(Hand(list(one))) == "found"


def test_repr_and_pretty() -> None:
    hand = Hand("KC 4H AD TS")
    assert repr(hand) == "Hand('TS 4H AD KC')"
    assert hand.pretty() == "T♠ 4♥ A♦ K♣"
    assert repr(Hand()) == "Hand('')"


def test_a_hand_equals_only_hands() -> None:
    hand = Hand("4H 5H")
    assert hand != "4H 5H"
    assert hand != int(hand)
    assert hand != {"4H", "5H"}


def test_sets_of_cards_join_hands_and_text_only() -> None:
    with pytest.raises(TypeError):
        Hand("4H") | 0b1  # type: ignore[operator]
    with pytest.raises(TypeError):
        Hand("4H") - ["4H"]  # type: ignore[operator]


def test_a_hand_does_not_change() -> None:
    hand = Hand("4H 5H")
    with pytest.raises(AttributeError):
        hand.cards = ("4H",)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        hand.owner = "me"  # type: ignore[attr-defined]
    before = hand
    hand |= "6H"
    assert before == Hand("4H 5H")
    assert hand == Hand("4H 5H 6H")


def test_a_hand_travels_between_processes() -> None:
    hand = Hand("4H 5H 6H")
    assert pickle.loads(pickle.dumps(hand)) == hand


@pytest.mark.parametrize("card", ["4X", "4H 5H", 13, 64, -1, None, 4.0])
def test_asking_for_what_is_no_card(card: object) -> None:
    """A slip of the pen is an error, not the answer no."""
    with pytest.raises(CardError):
        card in Hand("4H 5H")  # type: ignore[operator]  # noqa: B015


# ---- masks and other forms


@pytest.mark.parametrize("mask", [1 << 13, 1 << 63, 1 << 64, -1, DECK + 1, np.int64(-1), np.uint64(1 << 15)])
def test_bits_outside_the_deck(mask: int) -> None:
    with pytest.raises(
        CardError, match=r"hand is the mask -?0x[0-9a-f]+; allowed: bits of the deck, 0x1fff1fff"
    ):
        Hand(mask)


def test_the_ends_of_the_deck() -> None:
    assert len(Hand(DECK)) == 52
    assert Hand(0) == Hand("") == Hand([]) == Hand()
    for card in ("AS", "KS", "KH", "KD", "KC"):
        assert Hand(int(Hand(card))).cards == (card,)


@pytest.mark.parametrize("form", [None, True, np.True_, 3.0, b"4H", bytearray(b"4H"), object], ids=repr)
def test_what_is_no_hand(form: object) -> None:
    with pytest.raises(
        CardError, match=r"^meld is .*; allowed: text like '4H 5H 6H', a Hand, an integer mask"
    ):
        as_mask(form, what="meld")  # type: ignore[arg-type]


@pytest.mark.parametrize("part", [None, True, 4.0, ["4H"], 1 << 20, b"4H"], ids=repr)
def test_what_is_no_part_of_a_hand(part: object) -> None:
    with pytest.raises(CardError, match=r"^meld: .* is no card; a"):
        as_mask(["4H", part], what="meld")  # type: ignore[list-item]


def test_an_integer_is_a_mask_and_within_a_list_a_position() -> None:
    assert Hand(16) == Hand("5S")
    assert Hand([16]) == Hand("AH")


@pytest.mark.parametrize(("cards", "allowed"), [(10, "10"), ((1, 11), "1 to 11"), ((3, 3), "3")])
@pytest.mark.parametrize("form", [int, str, list, Hand])
def test_counts(cards: int | tuple[int, int], allowed: str, form: type) -> None:
    least, most = (cards, cards) if isinstance(cards, int) else cards
    for n in range(53):
        held = Hand(list(POSITIONS)[:n])
        if least <= n <= most:
            assert as_mask(form(held), cards, "hand") == int(held)
        else:
            with pytest.raises(CardError) as refused:
                as_mask(form(held), cards, "my hand")
            assert str(refused.value) == f"my hand has {n} card{'' if n == 1 else 's'}; allowed: {allowed}"


# ---- deadwood


def test_deadwood_of_the_checked_hands() -> None:
    with (CASES / "deadwood.jsonl").open(encoding="utf-8") as lines:
        cases = [json.loads(line) for line in lines]
    assert cases
    assert [Hand(case["hand"]).deadwood for case in cases] == [case["deadwood"] for case in cases]


@pytest.mark.parametrize("n", [0, 12, 52])
def test_deadwood_counts_1_to_11_cards(n: int) -> None:
    with pytest.raises(CardError, match=f"hand has {n} cards; allowed: 1 to 11"):
        Hand(list(POSITIONS)[:n]).deadwood  # noqa: B018
