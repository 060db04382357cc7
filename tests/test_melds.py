"""Deadwood, spreads, discards and defences: checked cases, disputes by name, brute force, all hands."""

import importlib
import itertools
import json
import math
import random
from pathlib import Path

import brute
import numpy as np
import pytest
from brute import DECK, cards_of, from_text, mask_of
from hypothesis import given
from hypothesis import strategies as st

from ginsim._melds import (
    best_discards_array,
    best_discards_of,
    card_melds_of,
    deadwood_array,
    deadwood_counts,
    deadwood_of,
    defence_fits_of,
    defend_array,
    defend_of,
    defend_own_melds_first_of,
    is_meld_of,
    knock_spread_of,
    spread_fits_of,
    spreads_of,
)


def cases(name):
    lines = (Path(__file__).parent / "cases" / f"{name}.jsonl").read_text().splitlines()
    return [pytest.param(case, id=str(case["id"])) for case in map(json.loads, lines)]


def mask(cards):
    """Cards as text, or as a list of texts, as a mask."""
    return mask_of(from_text(cards if isinstance(cards, str) else " ".join(cards)))


def masks(melds):
    return tuple(mask(meld) for meld in melds)


def as_sets(spreads):
    """Spreads without the order of their melds."""
    return {frozenset(melds) for melds in spreads}


# ---------------------------------------------------------------- hands full of overlaps


def deck_for(random, kind):
    """Cards among which melds overlap: few ranks, few suits, or one long suit and some sets."""
    low = random.randrange(8)
    if kind == "few ranks":
        return [card for card in DECK if low <= card % 16 < low + random.randint(4, 5)]
    if kind == "few suits":
        return [card for card in DECK if low <= card % 16 < low + 7 and card // 16 < random.randint(2, 4)]
    if kind == "long suit":
        return [card for card in DECK if card // 16 == low % 4 or card % 16 in (low, low + 2)]
    return list(DECK)


KINDS = ("any", "few ranks", "few suits", "long suit")


def some_hands(seed, number, sizes):
    """Seeded hands as frozensets, of all kinds in turn."""
    source = random.Random(seed)
    for i in range(number):
        deck = sorted(deck_for(source, KINDS[i % len(KINDS)]))
        yield frozenset(source.sample(deck, min(source.choice(sizes), len(deck))))


def melds_shown(source, cards):
    """One to three disjoint melds of the cards, or none if there are none."""
    choices = brute.melds_within(frozenset(cards))
    shown = []
    for meld in source.sample(choices, len(choices)):
        if len(shown) < 3 and len(meld) < 7 and not any(meld & other for other in shown):
            shown.append(meld)
    return tuple(shown)


@st.composite
def hands(draw, fewest=1, most=11):
    source = draw(st.randoms(use_true_random=False))
    deck = sorted(deck_for(source, draw(st.sampled_from(KINDS))))
    return frozenset(draw(st.permutations(deck))[: draw(st.integers(fewest, most))])


# ---------------------------------------------------------------- checked cases


@pytest.mark.parametrize("case", cases("deadwood"))
def test_case_of_deadwood(case):
    hand = mask(case["hand"])
    assert deadwood_of(hand) == case["deadwood"]
    assert as_sets(spreads_of(hand)) == {frozenset(masks(melds)) for melds in case["arrangements"]}


@pytest.mark.parametrize("case", cases("discard"))
def test_case_of_discard(case):
    hand = mask(case["hand"])
    assert deadwood_of(hand) == case["held"]
    forbidden = mask(case["forbidden"]) if case["forbidden"] else 0
    assert best_discards_of(hand, forbidden) == (case["deadwood"], mask(case["discards"]))


@pytest.mark.parametrize("case", cases("defence"))
def test_case_of_defence(case):
    knocker, defender = mask(case["knocker_hand"]), mask(case["defender_hand"])
    shown = masks(case["knocker_melds"])
    assert spread_fits_of(knocker, shown, case["knocker_deadwood"])
    if case["gin"]:
        assert deadwood_of(defender) == case["defender_deadwood"]  # no lay-offs against gin
        return
    deadwood, own, laid = defend_of(defender, shown)
    assert deadwood == case["defender_deadwood"]
    assert defence_fits_of(defender, shown, own, laid, deadwood)
    shortcuts = [defend_own_melds_first_of(defender, spread, shown) for spread in spreads_of(defender)]
    assert case["own_melds_first"] in [answer[0] for answer in shortcuts]
    for deadwood, own, laid in shortcuts:
        assert defence_fits_of(defender, shown, own, laid, deadwood)


@pytest.mark.parametrize("case", cases("spread"))
def test_case_of_spread(case):
    knocker, defender = mask(case["knocker_hand"]), mask(case["defender_hand"])
    assert deadwood_of(knocker) == case["knocker_deadwood"]
    arrangements = [masks(melds) for melds in case["arrangements"]]
    assert as_sets(spreads_of(knocker)) == as_sets(arrangements)
    counts = [defend_of(defender, melds)[0] for melds in arrangements]
    assert counts == case["defender_deadwood"]
    assert frozenset(knock_spread_of(knocker, known=defender)) in as_sets(arrangements)


# ---------------------------------------------------------------- disputes, by name


def test_layoff_chain():
    shown = masks(["5H 6H 7H", "TC TD TS", "2C 2D 2H"])
    deadwood, _, laid = defend_of(mask("4H 3H KS QD JC 9S 8C 7D 5C 2S"), shown)
    assert deadwood == 59
    assert laid == masks(["3H 4H", "", "2S"])


def test_break_own_set():
    shown = masks(["KS KC KD", "5S 6S 7S", "9C TC JC"])
    hand = mask("2S 8S 9S AC 2C 7C 8C 2D 8D 2H")
    deadwood, own, laid = defend_of(hand, shown)
    assert deadwood == 9  # not above the knocker's JD: an undercut
    assert own == masks(["2S 2C 2D 2H"])
    assert laid == masks(["", "8S 9S", "7C 8C"])
    assert defend_own_melds_first_of(hand, spreads_of(hand)[0], shown)[0] > 10


def test_run_before_set():
    shown = masks(["JS QS KS", "TC TD TH"])
    deadwood, own, laid = defend_of(mask("TS 9S AH 3D"), shown)
    assert (deadwood, own) == (4, ())
    assert laid == masks(["9S TS", ""])


def test_order_free():
    hand, melds = mask("AD 2D KS QH JC 9S 8C 6H 5C 4S"), masks(["2C 2H 2S", "3D 4D 5D"])
    assert defend_of(hand, melds)[0] == 62
    assert defend_of(hand, melds[::-1])[0] == 62


def test_big_gin_shed():
    hand = mask("4S 5S 6S 4C 5C 6C 4D 5D 6D 4H 5H")
    assert deadwood_of(hand) == 0
    assert best_discards_of(hand) == (0, mask("4S 5S 4C 5C 4D 5D 4H 5H"))


@pytest.mark.parametrize(("hand", "deadwood"), [("KC KD AD", 21), ("QH KH AH 2C 3D 5S 7C 9H JD 8S", 65)])
def test_no_high_ace(hand, deadwood):
    assert spreads_of(mask(hand)) == [()]
    assert deadwood_of(mask(hand)) == deadwood
    assert not is_meld_of(mask("QH KH AH"))
    assert not is_meld_of(mask("KH AH 2H"))
    assert is_meld_of(mask("AH 2H 3H"))


@pytest.mark.parametrize(
    "hand",
    [
        "6H QH QC 5H KD KH 7H KC 4H QD",
        "KC 3S 3C 9C KH 3H 9H 3D 9D KD",
        "TC 2H 3H 2S TD 5H 3S 4H 4S TS",
        "5S 4H 6S TH 3H JH 5H 9H 2H 4S",
    ],
)
def test_hidden_gins(hand):
    assert deadwood_of(mask(hand)) == 0


def test_disjoint_runs():
    assert deadwood_of(mask("JC 9D 8S 6D JS 8H TD 8D 7D JD")) == 16


@pytest.mark.parametrize("suit", "SHDC")
def test_long_runs(suit):
    """A to T of a suit and a king are one run of ten; runs of 3 to 11 are found at every place."""
    run = " ".join(rank + suit for rank in "A23456789T")
    king = "KS" if suit != "S" else "KH"
    assert deadwood_of(mask(f"{run} {king}")) == 10
    assert (mask(run),) in spreads_of(mask(f"{run} {king}"))
    ranks = "A23456789TJQK"
    for length in range(3, 12):
        for first in range(14 - length):
            run = mask(" ".join(rank + suit for rank in ranks[first : first + length]))
            assert deadwood_of(run) == 0
            assert (run,) in spreads_of(run)


@pytest.mark.parametrize("king", ["KS", "KH", "KD", "KC"])
def test_last_bit(king):
    """The mask has no edge: kings at the end of each suit go, stay in runs and are laid off like any card."""
    others = "2S 2H 2D 5S 6S 7S 9H TH JH"
    assert best_discards_of(mask(f"{others} {king} AC")) == (1, mask(king))
    below = mask(" ".join(rank + king[1] for rank in "TJQ"))
    assert defend_of(mask(f"{king} 4S"), [below]) == (4, (), (mask(king),))
    assert deadwood_of(below | mask(king)) == 0


# ---------------------------------------------------------------- against brute force


@pytest.mark.parametrize("seed", range(4))
def test_deadwood_and_spreads_by_brute_force(seed):
    for hand in some_hands(seed, 600, range(1, 12)):
        spreads = spreads_of(mask_of(hand))
        assert deadwood_of(mask_of(hand)) == brute.deadwood(hand)
        assert len(spreads) == len(as_sets(spreads))
        assert as_sets(spreads) == {frozenset(map(mask_of, melds)) for melds in brute.spreads(hand)}
        for melds in spreads:
            assert list(melds) == sorted(melds, key=lambda meld: meld & -meld)
            assert spread_fits_of(mask_of(hand), melds, brute.deadwood(hand))


@pytest.mark.parametrize("seed", range(4))
def test_best_discards_by_brute_force(seed):
    source = random.Random(seed)
    for hand in some_hands(seed, 600, (2, 3, 6, 8, 10, 11, 11, 11)):
        if len(hand) > 1:
            forbidden = frozenset(source.sample(sorted(hand), source.choice((0, 1, 1, 1, len(hand) - 1))))
            least, best = best_discards_of(mask_of(hand), mask_of(forbidden))
            assert (least, cards_of(best)) == brute.best_discards(hand, forbidden)


@pytest.mark.parametrize("seed", range(4))
def test_best_discards_next_to_gin(seed):
    """Ten melded cards and one more, which may be forbidden: where a choice of sets leaves no card to go."""
    source = random.Random(seed)
    for hand in some_hands(seed, 400, (11,)):
        kept = source.choice(list(brute.arrangements(hand)))
        hand = hand - brute.left_over(hand, kept) | {source.choice(sorted(hand))}
        if len(hand) > 1:
            for forbidden in (*map(frozenset, zip(hand)), frozenset()):
                least, best = best_discards_of(mask_of(hand), mask_of(forbidden))
                assert (least, cards_of(best)) == brute.best_discards(hand, forbidden)


@pytest.mark.parametrize("seed", range(4))
def test_defence_by_brute_force(seed):
    source = random.Random(seed)
    for hand in some_hands(seed, 600, (1, 4, 7, 9, 10, 10, 10, 11)):
        rest = DECK - hand
        near = [card for card in rest if any(abs(card - own) in (1, 2, 16, 32, 48) for own in hand)]
        shown = melds_shown(source, source.choice((rest, near)))
        deadwood, own, laid = defend_of(mask_of(hand), [mask_of(meld) for meld in shown])
        assert deadwood == brute.defence(hand, shown)
        assert defence_fits_of(mask_of(hand), [mask_of(meld) for meld in shown], own, laid, deadwood)


@given(hands())
def test_melds_of_any_hand(hand):
    within = brute.melds_within(hand)
    for card in hand:
        assert card_melds_of(mask_of(hand), card) == any(card in meld for meld in within)
    assert deadwood_of(mask_of(hand)) == brute.deadwood(hand)
    spreads = {frozenset(map(mask_of, melds)) for melds in brute.spreads(hand)}
    assert as_sets(spreads_of(mask_of(hand))) == spreads


@given(hands(fewest=2), st.data())
def test_discards_of_any_hand(hand, data):
    forbidden = data.draw(st.frozensets(st.sampled_from(sorted(hand)), max_size=len(hand) - 1))
    least, best = best_discards_of(mask_of(hand), mask_of(forbidden))
    assert (least, cards_of(best)) == brute.best_discards(hand, forbidden)


@given(hands(most=10), st.randoms(use_true_random=False))
def test_defence_of_any_hand(hand, source):
    shown = melds_shown(source, DECK - hand)
    assert defend_of(mask_of(hand), list(map(mask_of, shown)))[0] == brute.defence(hand, shown)


def test_the_melds_of_the_deck():
    """65 sets and 264 runs, and no other set of cards of one suit or one rank is a meld."""
    columns = [[1 << (suit * 16 + rank) for suit in range(4)] for rank in range(13)]
    sets = {sum(part) for column in columns for n in range(5) for part in itertools.combinations(column, n)}
    runs = {pattern << (16 * suit) for suit in range(4) for pattern in range(8192)}
    found = {cards for cards in sets | runs if is_meld_of(cards)}
    assert found == {mask_of(meld) for meld in brute.melds_in_deck()}
    assert (len(found & sets), len(found & runs)) == (65, 264)


def test_no_meld_mixes_suits_and_ranks():
    source = random.Random(0)
    for hand in some_hands(0, 2000, (2, 3, 4, 5)):
        assert is_meld_of(mask_of(hand)) == brute.is_meld(hand)
        other = hand ^ frozenset(source.sample(sorted(DECK), 1))
        assert is_meld_of(mask_of(other)) == (bool(other) and brute.is_meld(other))


# ---------------------------------------------------------------- the knocker's spread


def expected_lay_offs(melds, known, unseen):
    """The documented measure, in 1/1024 point, of a spread as it is: runs may be split."""
    chance = dict.fromkeys(known, 1024) | dict.fromkeys(unseen, 1024 * (10 - len(known)) // len(unseen))
    total = 0
    for meld in melds:
        if len({card % 16 for card in meld}) == 1:
            fourths = [card for card in DECK - meld if card % 16 == min(meld) % 16]
            total += sum(chance.get(card, 0) * brute.value([card]) for card in fourths)
            continue
        for card, step in ((min(meld) - 1, -1), (max(meld) + 1, 1)):
            product = 1024
            while product := product * chance.get(card, 0) // 1024:
                total += product * brute.value([card])
                card += step
    return total


@pytest.mark.parametrize("seed", range(4))
def test_knock_spread_leaves_least(seed):
    """No spread of least deadwood, runs split or not, leaves less; of equals the first is shown."""
    source = random.Random(seed)
    compared = 0
    for hand in some_hands(seed, 4000, (9, 10, 10, 10)):
        spreads = spreads_of(mask_of(hand))
        if len(spreads) == 1:
            continue
        compared += 1
        rest = source.sample(sorted(DECK - hand), len(DECK - hand))
        near = [card for card in rest if {card - 2, card - 1, card + 1, card + 2} & hand]
        known = frozenset((near if compared % 2 else rest)[: source.randrange(11)])
        unseen = frozenset(source.sample(rest, source.randint(16, len(rest)))) - known
        shown = knock_spread_of(mask_of(hand), mask_of(known), mask_of(unseen))
        left = [expected_lay_offs(map(cards_of, melds), known, unseen) for melds in spreads]
        # with gin nothing can be laid off, so any will do
        assert shown == spreads[left.index(min(left)) if brute.deadwood(hand) else 0]
    assert compared > 100


def test_knock_spread_looks_at_what_is_known():
    hand = mask("9S TS JS 9H TH 9D TD 9C TC JC")
    run_of_clubs = masks(["9S 9H 9D", "TS TH TD", "9C TC JC"])
    run_of_spades = masks(["9S TS JS", "9H 9D 9C", "TH TD TC"])
    for known, shown in (("QS KS", run_of_clubs), ("QC KC", run_of_spades)):
        others = DECK - cards_of(hand) - from_text(known)
        assert set(knock_spread_of(hand, mask(known), mask_of(others))) == set(shown)


def test_knock_spread_of_equals_is_the_first():
    hand = mask("9S TS JS 9H TH 9D TD 9C TC JC")
    assert knock_spread_of(hand) == spreads_of(hand)[0]


def test_knock_spread_refuses_overlap():
    with pytest.raises(ValueError, match="overlap"):
        knock_spread_of(mask("4S 5S 6S"), known=mask("6S"))


# ---------------------------------------------------------------- what fits


def test_spread_that_does_not_fit():
    hand = mask("4S 5S 6S 4H 4D 4C 9S 9H 9D KS")
    sets = masks(["4S 4H 4D 4C", "9S 9H 9D"])
    assert spread_fits_of(hand, sets, 21)
    assert not spread_fits_of(hand, sets, 20)  # miscounted
    assert not spread_fits_of(hand, masks(["4S 5S 6S", "4S 4H 4D"]), 37)  # one card twice
    assert not spread_fits_of(hand, masks(["9S 9H 9C"]), 46)  # not in the hand
    assert not spread_fits_of(hand, masks(["5S 6S"]), 53)  # no meld
    assert spread_fits_of(hand, (), 64)


def test_defence_that_does_not_fit():
    hand, shown = mask("4S 8S 9S 2H 2D 2C KC"), masks(["5S 6S 7S", "KS KH KD"])
    twos = masks(["2H 2D 2C"])
    assert defence_fits_of(hand, shown, twos, masks(["4S 8S 9S", "KC"]), 0)
    assert not defence_fits_of(hand, shown, twos, masks(["4S 8S 9S", "KC"]), 1)  # miscounted
    assert not defence_fits_of(hand, shown, twos, masks(["9S", "KC"]), 12)  # a gap
    assert not defence_fits_of(hand, shown, twos, masks(["KC", "4S"]), 17)  # the wrong meld
    assert not defence_fits_of(hand, shown, twos, masks(["4S 3S", "KC"]), 17)  # not in the hand
    assert not defence_fits_of(hand, shown, masks(["2H 2D"]), masks(["4S", ""]), 29)
    assert not defence_fits_of(hand, shown[:1], twos, masks(["4S", "KC"]), 17)  # on no meld
    assert defence_fits_of(hand, shown, (), masks(["", ""]), 37)


# ---------------------------------------------------------------- arrays


@pytest.fixture(scope="module")
def many():
    return np.array([mask_of(hand) for hand in some_hands(9, 400, (11,)) if len(hand) == 11], dtype=np.uint64)


def test_arrays_agree_with_single_hands(many):
    assert deadwood_array(many).tolist() == [deadwood_of(hand) for hand in many]
    least, best = best_discards_array(many)
    assert list(zip(least.tolist(), best.tolist(), strict=True)) == [best_discards_of(hand) for hand in many]
    lowest = many & (~many + np.uint64(1))
    least, best = best_discards_array(many, lowest)
    expected = [best_discards_of(hand, card) for hand, card in zip(many, lowest, strict=True)]
    assert list(zip(least.tolist(), best.tolist(), strict=True)) == expected


def test_defend_array_agrees_with_single_hands():
    source = random.Random(3)
    rows = []
    for hand in some_hands(3, 400, (10,)):
        shown = [mask_of(meld) for meld in melds_shown(source, DECK - hand)]
        rows.append((mask_of(hand), shown, shown + [0] * (3 - len(shown))))
    hands, melds = (np.array([row[i] for row in rows], dtype=np.uint64) for i in (0, 2))
    assert defend_array(hands, melds).tolist() == [defend_of(hand, shown)[0] for hand, shown, _ in rows]
    assert defend_array(hands[::-2], melds[::-2, ::-1]).tolist() == defend_array(hands, melds)[::-2].tolist()


def test_arrays_of_any_shape_and_layout(many):
    block = many[:240].reshape(4, 6, 10)
    expected = deadwood_array(many[:240]).reshape(4, 6, 10)
    assert deadwood_array(block).dtype == np.uint8
    for seen_as in (lambda array: array, np.transpose, lambda array: array[::-1, ::2, 3:]):
        view = seen_as(block)
        assert np.array_equal(deadwood_array(view), seen_as(expected))
        least, best = best_discards_array(view)
        assert least.shape == best.shape == view.shape
        assert best.dtype == np.uint64
        assert np.array_equal(best, best_discards_array(np.ascontiguousarray(view))[1])
    assert np.array_equal(deadwood_array(many.astype(">u8")), deadwood_array(many))
    assert np.array_equal(deadwood_array(many.astype(np.int64)), deadwood_array(many))
    frozen = many.copy()
    frozen.flags.writeable = False
    assert np.array_equal(deadwood_array(frozen), deadwood_array(many))
    assert deadwood_array(many[0]).shape == ()
    assert deadwood_array(many[:7].tolist()).tolist() == deadwood_array(many[:7]).tolist()


@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0)])
def test_empty_arrays(shape):
    empty = np.zeros(shape, dtype=np.uint64)
    assert deadwood_array(empty).shape == shape
    assert [part.shape for part in best_discards_array(empty)] == [shape, shape]
    assert defend_array(empty, np.zeros((*shape, 3), dtype=np.uint64)).shape == shape
    assert deadwood_array([]).shape == (0,)


@pytest.mark.parametrize("place", [0, 1, 1023, 1024, 2999])
@pytest.mark.parametrize(
    ("value", "message"),
    [
        (1 << 13, r"\] = 0x2000 has bits outside the deck: allowed are the bits of 0x1fff1fff1fff1fff"),
        (1 << 63, r"\] = 0x8000000000000000 has bits outside the deck"),
        (0, r"\] = 0x0 holds 0 cards: allowed are [12] to 11"),
        (0xFFF, r"\] = 0xfff holds 12 cards: allowed are [12] to 11"),
        (0x1FFF1FFF1FFF1FFF, r"holds 52 cards"),
    ],
)
def test_array_with_a_wrong_mask(place, value, message):
    hands = np.full(3000, mask("4S 5S 6S KH"), dtype=np.uint64)
    hands[place] = value
    for function in (deadwood_array, best_discards_array):
        with pytest.raises(ValueError, match=rf"hands\[{place}{message}" if message[0] == "\\" else message):
            function(hands)
    with pytest.raises(ValueError, match=rf"hands\[{place // 100}, {place % 100}\]"):
        deadwood_array(hands.reshape(30, 100))


def test_arrays_refuse_what_is_no_mask(many):
    with pytest.raises(TypeError, match="hands has dtype float64: allowed are integer masks"):
        deadwood_array(many.astype(float))
    with pytest.raises(ValueError, match=r"hands\[0\] = 0xffffffffffffffff has bits outside"):
        deadwood_array([-1])


def test_best_discards_array_refuses_a_covered_hand(many):
    kept = np.zeros_like(many)
    kept[5] = many[5]
    with pytest.raises(ValueError, match=r"forbidden\[5\] = .* covers the hand"):
        best_discards_array(many, kept)
    with pytest.raises(ValueError, match=r"forbidden has shape \(2,\): allowed are shapes that broadcast"):
        best_discards_array(many, kept[:2])
    with pytest.raises(ValueError, match="forbidden = 0x2000 has bits outside the deck"):
        best_discards_array(many, 1 << 13)


def test_defend_array_refuses_wrong_melds():
    hands = np.full(4, mask("4S 5S 6S KH"), dtype=np.uint64)
    melds = np.zeros((4, 3), dtype=np.uint64)
    assert defend_array(hands, melds).tolist() == [10] * 4
    with pytest.raises(ValueError, match=r"melds has shape \(4, 2\): allowed is \(4, 3\)"):
        defend_array(hands, melds[:, :2])
    for wrong in ("7S 8S TS", "6S 7S 8S"):  # no meld; a card of the hand
        melds[2, 1] = mask(wrong)
        with pytest.raises(ValueError, match=r"melds\[2, 1\] = 0x\w+ does not fit"):
            defend_array(hands, melds)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: deadwood_of(1 << 15), "hand = 0x8000 has bits outside the deck"),
        (lambda: deadwood_of(-1), "hand = -0x1 has bits outside the deck"),
        (lambda: deadwood_of(1 << 70), "has bits outside the deck"),
        (lambda: deadwood_of(0), "hand = 0x0 holds 0 cards: allowed are 1 to 11"),
        (lambda: spreads_of(0x1FFF), "holds 13 cards: allowed are 1 to 11"),
        (lambda: best_discards_of(1), "holds 1 cards: allowed are 2 to 11"),
        (lambda: best_discards_of(3, 3), "forbidden = 0x3 covers hand = 0x3"),
        (lambda: card_melds_of(7, 3), "card = 3 is not in hand = 0x7"),
        (lambda: knock_spread_of(7, known=0x7FF0), "known = 0x7ff0 has bits outside"),
        (lambda: knock_spread_of(7, known=0x71FF8), "known = 0x71ff8 holds 13 cards: allowed are 0 to 10"),
        (lambda: defend_of(7, [0x38] * 4), "melds are 4 masks: allowed are up to 3"),
        (lambda: defend_of(7, [0x38, 0x38]), r"melds\[1\] = 0x38 does not fit"),
        (lambda: defend_of(7, [0x1C]), r"melds\[0\] = 0x1c does not fit"),
        (lambda: defend_of(7, [0x18]), r"melds\[0\] = 0x18 holds 2 cards: allowed are 3 to 13"),
        (lambda: defend_own_melds_first_of(7, [0x38], []), r"own\[0\] = 0x38 does not fit"),
        (lambda: deadwood_counts(12), "cards = 12: allowed are 1 to 11"),
        (lambda: deadwood_counts(10, 5, 4), "start, stop = 5, 4: allowed are"),
    ],
)
def test_wrong_masks_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# ---------------------------------------------------------------- all hands


def all_hands(cards):
    """Every hand of so many cards, as masks."""
    deck = sorted(DECK)
    combinations = itertools.combinations(range(52), cards)
    places = np.fromiter(itertools.chain.from_iterable(combinations), dtype=np.uint8).reshape(-1, cards)
    return np.left_shift(np.uint64(1), np.array(deck, dtype=np.uint64)[places]).sum(axis=1, dtype=np.uint64)


@pytest.mark.parametrize("cards", [1, 2, 3])
def test_counts_of_small_hands_by_brute_force(cards):
    counts, meldless, _ = deadwood_counts(cards)
    expected, without = np.zeros_like(counts), np.zeros_like(counts)
    for hand in map(frozenset, itertools.combinations(sorted(DECK), cards)):
        expected[brute.deadwood(hand)] += 1
        without[brute.deadwood(hand)] += not brute.melds_within(hand)
    assert np.array_equal(counts, expected)
    assert np.array_equal(meldless, without)


@pytest.mark.parametrize("cards", [4, 5])
def test_counts_of_all_hands_one_by_one(cards):
    counts, meldless, classes = deadwood_counts(cards)
    hands = all_hands(cards)
    deadwood = deadwood_array(hands)
    assert np.array_equal(counts, np.bincount(deadwood, minlength=len(counts)))
    values = [(np.uint64(card), np.uint64(brute.value([card]))) for card in DECK]
    points = sum((hands >> card & np.uint64(1)) * value for card, value in values)
    assert np.array_equal(meldless, np.bincount(deadwood[deadwood == points], minlength=len(counts)))
    shifts = np.arange(0, 64, 16, dtype=np.uint64)
    suits = np.sort(hands[:, None] >> shifts & np.uint64(0x1FFF), axis=1)
    assert classes == len(np.unique((suits << shifts).sum(axis=1)))


def test_counts_add_up_from_parts():
    whole = deadwood_counts(6)
    parts = [deadwood_counts(6, start, stop) for start, stop in ((0, 1), (1, 9), (9, 9), (9, 8192))]
    for i in range(3):
        assert np.array_equal(sum(part[i] for part in parts), whole[i])


@pytest.fixture
def enumerate_hands(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "scripts")
    return importlib.import_module("enumerate_hands")


def test_all_hands_of_ten_cards(enumerate_hands, capsys):
    assert enumerate_hands.main(["--cards", "10", "-j", "1", "--json"]) == 0
    rows = {row["quantity"]: row["computed"] for row in json.loads(capsys.readouterr().out)}
    assert rows["ten-card hands"] == f"{math.comb(52, 10):,}"
    assert {name for name in enumerate_hands.EXPECTED if "eleven" not in name} == rows.keys()


def test_a_wrong_count_is_seen(enumerate_hands, capsys, monkeypatch):
    monkeypatch.setattr(enumerate_hands, "computed", lambda cards, processes: enumerate_hands.melds())
    assert enumerate_hands.main([]) == 0
    monkeypatch.setitem(enumerate_hands.EXPECTED, "sets", "66")
    assert enumerate_hands.main([]) == 1
    assert capsys.readouterr().out.count("DIFFERS") == 1
