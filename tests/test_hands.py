"""Hands in any form: the checked cases, the twin, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from twin import DECK as CARDS
from twin import PRESETS, mask, price
from twin import score_hand as twin_score

from ginsim.cards import DECK, CardError, Hand
from ginsim.hands import (
    LayOff,
    best_discards,
    best_discards_array,
    deadwood,
    deadwood_array,
    defend,
    defend_array,
    is_meld,
    knock_spread,
    masks,
    score_hand,
    spreads,
)
from ginsim.rules import Rules, RulesError


def cases(name: str) -> list:
    lines = (Path(__file__).parent / "cases" / f"{name}.jsonl").read_text().splitlines()
    return [pytest.param(case, id=f"{name}-{case['id']}") for case in map(json.loads, lines)]


def arrangement(melds: list) -> frozenset:
    return frozenset(map(Hand, melds))


deals = st.permutations(CARDS)


# ---------------------------------------------------------------- checked cases


@pytest.mark.parametrize("case", cases("deadwood"))
def test_deadwood_case(case: dict) -> None:
    assert deadwood(case["hand"]) == Hand(case["hand"]).deadwood == case["deadwood"]
    found = spreads(case["hand"])
    assert {arrangement(s.melds) for s in found} == {arrangement(melds) for melds in case["arrangements"]}
    assert len(found) == len(case["arrangements"])
    for spread in found:
        assert spread.hand == Hand(case["hand"])
        assert spread.deadwood == spread.loose.points == case["deadwood"]


@pytest.mark.parametrize("case", cases("discard"))
def test_discard_case(case: dict) -> None:
    assert deadwood(case["hand"]) == case["held"]
    assert best_discards(case["hand"], case["forbidden"]) == (case["deadwood"], Hand(case["discards"]))


@pytest.mark.parametrize("case", cases("defence"))
def test_defence_case(case: dict) -> None:
    reply = defend(case["defender_hand"], case["knocker_melds"], gin=case["gin"])
    assert reply.deadwood == reply.loose.points == case["defender_deadwood"]
    parts = [*reply.melds, *(laid.cards for laid in reply.layoffs), reply.loose]
    assert Hand(parts) == Hand(case["defender_hand"]), "every card is in one place"
    assert all(map(is_meld, reply.melds))
    for laid in reply.layoffs:
        assert laid.meld in map(Hand, case["knocker_melds"])
        assert is_meld(laid.meld | laid.cards)
    for ties_undercut, points in ((True, case["knocker_points"]), (False, case["tie_loses"])):
        end = score_hand(
            case["knocker_hand"],
            case["defender_hand"],
            Rules(undercut_on_tie=ties_undercut),
            knocker_melds=case["knocker_melds"],
        )
        assert end.knocker_count == case["knocker_deadwood"]
        assert end.defender == reply
        assert (end.outcome == "gin") == case["gin"]
        assert {"knocker": end.points, "defender": -end.points, None: 0}[end.winner] == points


@pytest.mark.parametrize("case", cases("spread"))
def test_spread_case(case: dict) -> None:
    hand, defender = case["knocker_hand"], case["defender_hand"]
    counts = {arrangement(melds): defend(defender, melds).deadwood for melds in case["arrangements"]}
    assert list(counts.values()) == case["defender_deadwood"]
    shown = knock_spread(hand)
    assert shown.deadwood == case["knocker_deadwood"]
    assert score_hand(hand, defender).defender_count == counts[arrangement(shown.melds)]


# ---------------------------------------------------------------- disputes


def test_layoff_chain() -> None:
    reply = defend("4H 3H KS QD JC 9S 8C 7D 5C 2S", ["5H 6H 7H", "TC TD TS", "2C 2D 2H"])
    assert reply.deadwood == 59
    assert reply.layoffs == (
        LayOff(Hand("3H 4H"), Hand("5H 6H 7H")),
        LayOff(Hand("2S"), Hand("2C 2D 2H")),
    )


def test_break_own_set() -> None:
    end = score_hand(
        "KS KC KD 5S 6S 7S 9C TC JC JD",
        "2S 8S 9S AC 2C 7C 8C 2D 8D 2H",
        knocker_melds=["KS KC KD", "5S 6S 7S", "9C TC JC"],
    )
    assert (end.outcome, end.defender_count, end.points) == ("undercut", 9, 26)


def test_order_free() -> None:
    hand, melds = "AD 2D KS QH JC 9S 8C 6H 5C 4S", ["2C 2H 2S", "3D 4D 5D"]
    assert defend(hand, melds).deadwood == defend(hand, melds[::-1]).deadwood == 62


def test_after_layoffs() -> None:
    """28 less 6 laid off, against 2: the lay-offs are counted once."""
    end = score_hand("4H 5H 6H 7C 8C 9C KS KH KD 2S", "AH 2H 3H AS AC AD 6C QS JD 2C")
    assert sum(laid.cards.points for laid in end.layoffs) == 6
    assert (end.knocker_count, end.defender_count, end.points) == (2, 22, 20)


def test_tie() -> None:
    knocker, defender = "AS 2S 3S 4C 5C 6C 7D 8D 9D 5H", "AH 2H 3H TC JC QC 4D 5D 6D 5S"
    end = score_hand(knocker, defender)
    assert (end.outcome, end.winner, end.points) == ("tie", "defender", 25)
    end = score_hand(knocker, defender, Rules(undercut_on_tie=False))
    assert (end.outcome, end.winner, end.points) == ("tie", None, 0)
    assert str(end).splitlines()[-1] == "tie: nobody scores"


def test_zero_against_gin() -> None:
    knocker, defender = "5H 6H 7H TC TD TS 2C 2D 2H 2S", "3H 4H 8H TH KS KH KD AS AH AD"
    shown = ["5H 6H 7H", "TC TD TS", "2C 2D 2H 2S"]
    assert defend(defender, shown).deadwood == 0
    assert defend(defender, shown, gin=True).layoffs == ()
    end = score_hand(knocker, defender)
    assert (end.outcome, end.winner, end.layoffs) == ("gin", "knocker", ())
    assert end.points == 25 + 3 + 4 + 8 + 10


def test_big_gin() -> None:
    eleven, defender = "4S 5S 6S 4C 5C 6C 4D 5D 6D 4H 5H", "AS AH 3C 7C 9C JD QD KC 8H TH"
    end = score_hand(eleven, defender, big_gin=True)
    assert (end.outcome, end.knocker_count, end.points) == ("big_gin", 0, 31 + deadwood(defender))
    assert str(end).splitlines()[-1] == "big gin: 31 + 69 = 100 points to the knocker"
    with pytest.raises(CardError, match="the knocker shows 10; allowed: 0, as in any big gin"):
        score_hand("4S 5S 6S 4C 5C 6C 4D 5D 6D 4H KH", defender, big_gin=True)
    with pytest.raises(RulesError, match="big_gin is True; allowed: False"):
        score_hand(eleven, defender, "classic", big_gin=True)
    with pytest.raises(CardError, match="knocker_hand has 11 cards; allowed: 10"):
        score_hand(eleven, defender)


def test_limit_inclusive() -> None:
    defender = "QS JS 9S 8D 7D 5D 3C 2C QC KC"
    assert score_hand("4H 5H 6H 7H AS AC AD 2S 3D 5C", defender).knocker_count == 10
    with pytest.raises(CardError, match="the knocker shows 11; allowed: at most 10, the knock limit"):
        score_hand("4H 5H 6H 7H AS AC AD 2S 3D 6C", defender)
    with pytest.raises(CardError, match="the knocker shows 10; allowed: at most 0, the knock limit"):
        score_hand("4H 5H 6H 7H AS AC AD 2S 3D 5C", defender, "straight")


def test_oklahoma() -> None:
    hand, defender = "4H 5H 6H TC TD TS 9H 9D 9C AC", "QS JS 9S 8D 7D 5D 3C 2C QC KC"
    assert score_hand(hand, defender, "oklahoma", upcard="AH").knocker_count == 1
    with pytest.raises(CardError, match="the knocker shows 1; allowed: at most 0"):
        score_hand(hand, defender, Rules(oklahoma=True, oklahoma_ace="gin"), upcard="AH")
    with pytest.raises(CardError, match="the knocker shows 5; allowed: at most 4"):
        score_hand("4H 5H 6H TC TD TS 9H 9D 9C 5C", defender, "oklahoma", upcard="4D")
    with pytest.raises(CardError, match="upcard is None; allowed: the first upcard"):
        score_hand(hand, defender, "oklahoma")
    single, double = (score_hand(hand, defender, "oklahoma", upcard=card) for card in ("KH", "KS"))
    assert (single.multiplier, double.multiplier) == (1, 2)
    assert double.points == 2 * single.points > 0


# ---------------------------------------------------------------- against the twin


@given(deals, st.sampled_from([name for name in PRESETS if not PRESETS[name].oklahoma]))
def test_score_is_the_twins(deal: list, preset: str) -> None:
    """Whatever the hands: the limit is out of the way."""
    knocker, defender = deal[:10], deal[10:20]
    end = score_hand(knocker, defender, Rules.preset(preset).replace(knock_limit=98))
    melds = [frozenset(meld) for meld in end.knocker.melds]
    facts = twin_score("knock", deal[20], 0, tuple(knocker), melds, tuple(defender))
    points, winner = price(facts, PRESETS[preset])
    assert (end.knocker_count, end.defender_count) == (facts.knocker_count, facts.defender_count)
    assert end.winner == {0: "knocker", 1: "defender", None: None}[winner]
    assert end.points == sum(points)


@given(deals, st.sampled_from(["standard", "classic", "oklahoma"]))
def test_the_sum_told_is_the_points(deal: list, preset: str) -> None:
    knocker = list(Hand("4H 5H 6H 7H TC TD TS 2S 2D AC"))
    defender = [card for card in deal if card not in knocker][:10]
    end = score_hand(knocker, defender, preset, upcard="QS")
    said, _, winner = str(end).splitlines()[-1].partition(": ")[2].partition(" points to the ")
    parts, _, points = said.partition(" = ")
    assert eval(parts.replace("x", "*")) == int(points) == end.points
    assert end.points == end.multiplier * (end.bonus + abs(end.defender_count - end.knocker_count))
    assert winner == end.winner


# ---------------------------------------------------------------- forms of hands


HAND = "4H 5H 6H 7S 7D 7C 2S 2H KD KC"
FORMS = [HAND, HAND.split(), Hand(HAND), int(Hand(HAND)), np.uint64(int(Hand(HAND))), Hand(HAND).positions]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: type(form).__name__)
def test_every_form_of_a_hand(form: object) -> None:
    melds = [Hand("QS QH QD"), int(Hand("8H 9H TH")), "AS AH AD"]
    assert deadwood(form) == 24
    assert [str(spread) for spread in spreads(form)] == ["[7S 7D 7C] [4H 5H 6H] 2S 2H KD KC = 24"]
    assert knock_spread(form).deadwood == 24
    assert defend(form, melds).deadwood == 24
    assert score_hand("QS QH QD 8H 9H TH AS AH AD 3C", form).points == 21
    assert masks([form]).tolist() == [int(Hand(HAND))]


def test_cards_given_by_position() -> None:
    eleven = Hand(HAND) | "AC"
    assert best_discards(eleven, forbidden="KD") == best_discards(eleven, Hand("KD").positions[0])
    knocker, defender = "4H 5H 6H TC TD TS 9H 9D 9C AC", "QS JS 9S 8D 7D 5D 3C 2C QC KC"
    by_text, by_place = (score_hand(knocker, defender, "oklahoma", upcard=card) for card in ("AS", 0))
    assert by_text == by_place


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: deadwood(""), "hand has 0 cards; allowed: 1 to 11"),
        (lambda: spreads(DECK), "hand has 52 cards; allowed: 1 to 11"),
        (lambda: best_discards(HAND), "hand has 10 cards; allowed: 11"),
        (lambda: best_discards(f"{HAND} AC", "3S"), "forbidden is 3S; allowed: a card of the hand, "),
        (lambda: best_discards(f"{HAND} AC", "3S 4S"), "forbidden has 2 cards; allowed: 1"),
        (lambda: best_discards(f"{HAND} AC", "3Z"), "forbidden: '3Z' is no card"),
        (lambda: knock_spread("4H 5H 6H"), "hand has 3 cards; allowed: 10 to 11"),
        (lambda: knock_spread(HAND, known="KD"), "known has KD; allowed: no card of the hand"),
        (lambda: knock_spread(HAND, "3S", "3S 4S"), "unseen has 3S; allowed: no card of the hand or the"),
        (lambda: defend("4H 5H", []), "hand has 2 cards; allowed: 10"),
        (lambda: defend(HAND, "8H 9H TH"), "melds is '8H 9H TH'; allowed: a list of melds"),
        (lambda: defend(HAND, Hand("8H 9H TH")), "melds is Hand.*; allowed: a list of melds"),
        (lambda: defend(HAND, 7), "melds is 7; allowed: a list of melds"),
        (lambda: defend(HAND, ["8H 9H"]), "melds.0. is 8H 9H, which is no meld; allowed: three or four of"),
        (lambda: defend(HAND, ["8H 9H TH", "TH TS TD"]), "melds.1. has TH; allowed: no card of an earlier"),
        (
            lambda: defend(HAND, ["7H 8H 9H", "4C 5C 6C", "7C 8C 9C"]),
            "melds.2. has 7C; allowed: no card of the",
        ),
        (
            lambda: defend(HAND, ["8H 9H TH", "QS QH QD", "AS AH AD", "3S 3H 3D"]),
            "melds has 4 melds; allowed: up",
        ),
        (lambda: score_hand(HAND, HAND), "defender_hand has 2S 7S .*; allowed: no card of knocker_hand"),
        (lambda: score_hand(HAND, HAND[:5]), "defender_hand has 2 cards; allowed: 10"),
        (
            lambda: score_hand(HAND, "AS AH AD AC 3S 3H 3D 3C 9S TS", knocker_melds=["QS QH QD"]),
            "knocker_melds.0. has QS QH QD; allowed: cards of the hand, ",
        ),
        (lambda: masks([HAND, "1S"]), "hands.1.: '1S' is no card"),
        (lambda: masks([HAND, "AS"], cards=10), "hands.1. has 1 card; allowed: 10"),
    ],
)
def test_what_is_refused(call, told: str) -> None:
    with pytest.raises(CardError, match=told):
        call()


def test_rules_are_refused() -> None:
    with pytest.raises(RulesError, match="unknown preset 'clasic', did you mean classic"):
        score_hand(HAND, HAND, "clasic")
    with pytest.raises(RulesError, match="rules are 7; allowed: a Rules, or one of standard, "):
        score_hand(HAND, HAND, 7)


@pytest.mark.parametrize("text", ["", "AS", "AS 2S", "QS KS AS", "AS 2S 4S", "AS 2H 3S", "7S 7H"])
def test_what_is_no_meld(text: str) -> None:
    assert not is_meld(text)


def test_a_shorter_spread_may_be_shown() -> None:
    """The count is what is shown, and gin is gin only where nothing is left."""
    hand, defender = "4H 5H 6H 7H TC TD TS 2S 2D 2C", "QS JS 9S 8D 7D 5D 3C 8H QC KC"
    assert score_hand(hand, defender).outcome == "gin"
    end = score_hand(hand, defender, knocker_melds=["4H 5H 6H", "TC TD TS", "2S 2D 2C"])
    assert (end.outcome, end.knocker_count) == ("knock", 7)
    with pytest.raises(CardError, match="the knocker shows 22"):
        score_hand(hand, defender, knocker_melds=["2S 2C 2D", "TS TC TD"])


# ---------------------------------------------------------------- many hands


@given(st.lists(st.permutations(CARDS), min_size=1, max_size=8))
def test_arrays_say_what_single_hands_say(decks: list) -> None:
    tens, elevens = masks([deck[:10] for deck in decks]), masks([deck[:11] for deck in decks])
    assert tens.dtype == np.uint64
    assert deadwood_array(tens).tolist() == [deadwood(deck[:10]) for deck in decks]
    least, best = best_discards_array(elevens)
    assert list(zip(least.tolist(), map(Hand, best), strict=True)) == [
        tuple(best_discards(deck[:11])) for deck in decks
    ]


def test_many_defences() -> None:
    hands = ["4H 3H KS QD JC 9S 8C 7D 5C 2S", "KH QH JH 9H 8H 4S 4D 4C 3S 3D"]
    shown = ["5H 6H 7H", "TC TD TS", "2C 2D 2H"]
    found = defend_array(masks(hands), [masks(shown)] * 2)
    assert found.tolist() == [defend(hand, shown).deadwood for hand in hands]


def test_the_twins_masks_are_ours() -> None:
    assert mask(CARDS[:7]) == int(Hand(CARDS[:7]))
