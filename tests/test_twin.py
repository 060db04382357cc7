"""Tests of the twin itself: checked cases, disputes by name, turns, the score sheet, self-play."""

import copy
import json
import random
from pathlib import Path
from types import SimpleNamespace

import pytest
from twin import (
    DECK,
    MELDS,
    PRESETS,
    RANKS,
    SUITS,
    TwinGame,
    TwinHand,
    arrangements,
    best_defences,
    best_discards,
    cards_of,
    check_defence,
    check_spread,
    conservation,
    deadwood,
    defences,
    in_order,
    mask,
    meldings,
    price,
    score_hand,
    total,
)

STANDARD = PRESETS["standard"]


def variant(preset="standard", **changes):
    return SimpleNamespace(**{**vars(PRESETS[preset]), **changes})


def cards(text):
    """Cards of a text such as ``5H6H7H 2S``."""
    joined = text.replace(" ", "")
    return tuple(joined[place:place + 2] for place in range(0, len(joined), 2))


def melds(text):
    """Melds of a text such as ``5H6H7H, TCTDTS``."""
    return tuple(frozenset(cards(part)) for part in text.split(","))


def as_sets(lists):
    """Arrangements in a form that does not depend on order."""
    return {frozenset(frozenset(meld) for meld in arrangement) for arrangement in lists}


# ---------------------------------------------------------------- checked cases

def cases(name):
    lines = (Path(__file__).parent / "cases" / f"{name}.jsonl").read_text().splitlines()
    return [pytest.param(case, id=f"{name}-{case['id']}") for case in map(json.loads, lines)]


@pytest.mark.parametrize("case", cases("deadwood"))
def test_deadwood_case(case):
    assert deadwood(case["hand"]) == case["deadwood"]
    assert as_sets(arrangements(case["hand"])) == as_sets(case["arrangements"])
    assert len(arrangements(case["hand"])) == len(case["arrangements"])


@pytest.mark.parametrize("case", cases("discard"))
def test_discard_case(case):
    assert deadwood(case["hand"]) == case["held"]
    assert best_discards(case["hand"], case["forbidden"]) == (case["deadwood"], in_order(case["discards"]))


@pytest.mark.parametrize("case", cases("defence"))
def test_defence_case(case):
    assert check_spread(case["knocker_hand"], case["knocker_melds"], limit=98) == case["knocker_deadwood"]
    facts = score_hand("knock", "AH", 0, case["knocker_hand"], case["knocker_melds"], case["defender_hand"])
    assert (facts.how == "gin") == case["gin"]
    assert facts.knocker_count == case["knocker_deadwood"]
    assert facts.defender_count == case["defender_deadwood"]
    for ties_undercut, expected in ((True, case["knocker_points"]), (False, case["tie_loses"])):
        points, _ = price(facts, variant(undercut_on_tie=ties_undercut))
        assert points[0] - points[1] == expected


@pytest.mark.parametrize("case", cases("spread"))
def test_spread_case(case):
    assert deadwood(case["knocker_hand"]) == case["knocker_deadwood"]
    assert as_sets(arrangements(case["knocker_hand"])) == as_sets(case["arrangements"])
    found = [best_defences(case["defender_hand"], shown)[0] for shown in case["arrangements"]]
    assert found == case["defender_deadwood"]


# ---------------------------------------------------------------- hands to play

def lay_out(seat0, seat1, upcard, stock="", bottom=""):
    """A deck with these hands, upcard, first and last cards of the stock; between them the rest in order."""
    placed = [*cards(seat0), *cards(seat1), *cards(upcard), *cards(stock)]
    rest = [card for card in DECK if card not in placed and card not in cards(bottom)]
    return [*placed, *rest, *cards(bottom)]


def play(hand, *answers):
    """Apply the answers, with conservation checked after each one."""
    conservation(hand)
    for answer in answers:
        hand.apply(answer)
        conservation(hand)
    return hand


def draw_and_throw(hand):
    """A turn that draws from the stock and throws the card drawn."""
    card = hand.stock[0]
    return play(hand, "stock", ("discard", card))


def drain(hand):
    """Turns that throw what they draw, until the hand asks something else than a draw."""
    while hand.question == "draw":
        draw_and_throw(hand)
    return hand


# A hand far from any knock, and one that only a card such as 7C keeps from gin.
RAGS = "AS4D7HTC AD5H8CJH 2C QD".replace(" ", "")
READY = "5S6S7S 4C5C6C KSKDKC 2H"


# ---------------------------------------------------------------- disputes

def dispute_layoff_chain():
    shown = melds("5H6H7H, TCTDTS, 2C2D2H")
    count, best = best_defences(cards("4H 3H KS QD JC 9S 8C 7D 5C 2S"), shown)
    assert count == 59
    assert [defence.layoffs for defence in best] == [({"4H", "3H"}, set(), {"2S"})]


def dispute_break_own_set():
    knocker, shown = cards("KSKCKD 5S6S7S 9CTCJC JD"), melds("KSKCKD, 5S6S7S, 9CTCJC")
    facts = score_hand("knock", "AH", 0, knocker, shown, cards("2S 8S 9S AC 2C 7C 8C 2D 8D 2H"))
    assert (facts.knocker_count, facts.defender_count) == (10, 9)
    assert price(facts, STANDARD) == ((0, 26), 1)


def dispute_run_before_set():
    shown = melds("JSQSKS, TCTDTH")
    count, best = best_defences(cards("TS 9S 2D 4H 6C 8D 3C 5H 7D AH"), shown)
    assert count == total(cards("2D 4H 6C 8D 3C 5H 7D AH"))
    assert [defence.layoffs for defence in best] == [({"TS", "9S"}, set())]


def dispute_order_free():
    defender = cards("AD 2D KS QH JC 9S 8C 6H 5C 4S")
    assert best_defences(defender, melds("2C2H2S, 3D4D5D"))[0] == 62
    assert best_defences(defender, melds("3D4D5D, 2C2H2S"))[0] == 62


def dispute_after_layoffs():
    knocker, shown = cards("3S4S5S 9H9D9C KSKHKD 2C"), melds("3S4S5S, 9H9D9C, KSKHKD")
    defender = cards("4H5H6H TDJDQD 6S TS 8C 4C")
    assert deadwood(defender) == 28
    facts = score_hand("knock", "AH", 0, knocker, shown, defender)
    assert facts.layoffs == ({"6S"}, set(), set())
    assert price(facts, STANDARD) == ((20, 0), 0)


def dispute_tie():
    knocker, shown = cards("AS2S3S 4C5C6C 7D8D9D 5H"), melds("AS2S3S, 4C5C6C, 7D8D9D")
    defender = cards("AH2H3H TCJCQC 4D5D6D 5S")
    own = melds("AH2H3H, TCJCQC, 4D5D6D")
    facts = score_hand("knock", "KH", 0, knocker, shown, defender, (own, ((), (), ())))
    assert (facts.knocker_count, facts.defender_count) == (5, 5)
    assert price(facts, STANDARD) == ((0, 25), 1)
    assert price(facts, variant(undercut_on_tie=False)) == ((0, 0), None)


def dispute_zero_against_gin():
    knocker, shown = cards("AS2S3S 4C5C6C 7D8D9DTD"), melds("AS2S3S, 4C5C6C, 7D8D9DTD")
    could_clear = cards("AH2H3H JHQHKH KSKDKC 4S")
    assert best_defences(could_clear, shown)[0] == 0
    facts = score_hand("knock", "9S", 1, knocker, shown, could_clear)
    assert (facts.how, facts.knocker_count, facts.defender_count) == ("gin", 0, 4)
    assert facts.layoffs == (set(), set(), set())
    assert price(facts, STANDARD) == ((0, 29), 1)
    all_melded = cards("AH2H3H 9H9C9S KSKDKCKH")
    assert price(score_hand("knock", "4S", 1, knocker, shown, all_melded), STANDARD) == ((0, 25), 1)
    with pytest.raises(ValueError, match="0 are shown"):
        score_hand("knock", "9S", 1, knocker, shown, could_clear, (melds("AH2H3H"), (("4S",), (), ())))


def dispute_undercut_wins_game():
    game = TwinGame(variant(target=100))
    for points, winner in (((95, 0), 0), ((0, 90), 1)):
        game.add(points, winner)
    knocker, shown = cards("AS2S3S 4C5C6C 7D8D9D 5H"), melds("AS2S3S, 4C5C6C, 7D8D9D")
    facts = score_hand("knock", "KH", 0, knocker, shown, cards("AH2H3H TCJCQC TDJDQD 4S"))
    game.add(*price(facts, STANDARD))
    assert facts.defender_count == 0
    assert game.columns[0].points == [95, 120]
    assert game.result() == ("won", 1, ((95 + 25, 120 + 100 + 2 * 25),), -150)


def dispute_target_not_winner():
    game = TwinGame(STANDARD)
    for _ in range(9):
        game.add((0, 10), 1)
    game.add((60, 0), 0)
    game.add((60, 0), 0)
    assert game.over
    assert game.columns[0].reached_by == 0
    assert game.result() == ("won", 1, ((120 + 100 + 50, 90 + 9 * 25),), -45)


def dispute_gin_declined():
    hand = TwinHand(lay_out(READY, RAGS, "8D", stock="7C"), dealer=1, rules=STANDARD)
    play(hand, "pass", "pass", "stock")
    assert ("knock", "2H") in hand.legal()
    assert deadwood(hand.hands[0] - {"2H"}) == 0
    play(hand, ("discard", "2H"))
    assert (hand.question, hand.actor, hand.facts) == ("draw", 1, None)


def dispute_big_gin_shed():
    ten, eleventh = "4S5S6S 4C5C6C 4D5D6D 4H", "5H"
    deck = lay_out(ten, "AS2H3D7C8HTDJSQCKHKD", "9S", stock=eleventh)
    hand = play(TwinHand(deck, dealer=1, rules=STANDARD), "pass", "pass", "stock")
    eleven = cards(ten + eleventh)
    assert deadwood(eleven) == 0
    assert as_sets([melds("4S4C4D4H, 5S5C5D5H, 6S6C6D")]) <= as_sets(arrangements(eleven))
    assert best_discards(eleven) == (0, in_order(card for card in eleven if card[0] in "45"))
    assert ("big_gin", None) in hand.legal()
    play(hand, ("big_gin", None))
    assert all(sum(map(len, spread)) == 11 for spread in hand.legal())
    with pytest.raises(ValueError, match="deadwood shown is 5"):
        hand.apply(melds("4S4C4D4H, 5S5C5D, 6S6C6D"))
    play(hand, melds("4S4C4D4H, 5S5C5D5H, 6S6C6D"))
    assert (hand.facts.how, hand.facts.defender_count) == ("big_gin", deadwood(hand.hands[1]))
    assert hand.score == ((31 + deadwood(hand.hands[1]), 0), 0)
    off = TwinHand(deck, dealer=1, rules=variant(big_gin_bonus=None))
    assert ("big_gin", None) not in play(off, "pass", "pass", "stock").legal()


def dispute_limit_inclusive():
    for loose, legal in (("AH3D6D", True), ("AH4D6D", False)):
        deck = lay_out("5S6S7S 4C5C6C7C" + loose, "AS2S7HTCAD5H8CJH2CQD", "KS", stock="9H")
        hand = play(TwinHand(deck, 1, STANDARD), "pass", "pass", "stock")
        assert (("knock", "9H") in hand.legal()) == legal
        assert ("discard", "9H") in hand.legal()


def dispute_oklahoma_ace():
    # 9H is drawn into nothing; without it the ten cards count 1
    for ace, limit, knock in (("one", 1, True), ("gin", 0, False)):
        rules = variant("oklahoma", oklahoma_ace=ace)
        deck = lay_out("5S6S7S 4C5C6C KSKDKC AH", "2S4D7HTCAD5H8CJH2CQD", "AC", stock="9H")
        hand = play(TwinHand(deck, dealer=1, rules=rules), "pass", "pass", "stock")
        assert hand.limit == limit
        assert deadwood(hand.hands[0] - {"9H"}) == 1
        assert (("knock", "9H") in hand.legal()) == knock


def dispute_upcard_order():
    for after, question in (("either", "draw"), ("stock", "discard")):
        for dealer in (0, 1):
            hand = TwinHand(list(DECK), dealer, variant(after_two_passes=after))
            assert (hand.question, hand.actor) == ("offer", 1 - dealer)
            play(hand, "pass")
            assert (hand.question, hand.actor) == ("offer", dealer)
            dealer_takes = play(copy.deepcopy(hand), "take")
            assert (dealer_takes.question, dealer_takes.actor) == ("discard", dealer)
            own = in_order(dealer_takes.hands[dealer] - {hand.upcard})[0]
            play(dealer_takes, ("discard", own))
            assert (dealer_takes.question, dealer_takes.actor) == ("draw", 1 - dealer)
            play(hand, "pass")
            assert (hand.question, hand.actor) == (question, 1 - dealer)
            assert hand.passes == [1 - dealer, dealer]
            assert len(hand.stock) == (31 if after == "either" else 30)


def dispute_take_and_return():
    deck = lay_out("5S6S7S 4C5C6C KSKDKC 2H", "3S4D7HTCAD5H8CJH2CQD", "AC")
    refused = play(TwinHand(deck, dealer=1, rules=STANDARD), "take")
    assert refused.forbidden == "AC"
    assert not {("discard", "AC"), ("knock", "AC")} & set(refused.legal())
    assert ("knock", "2H") in refused.legal()
    before = refused.snapshot()
    for kind in ("discard", "knock"):
        with pytest.raises(ValueError, match="not a legal answer"):
            refused.apply((kind, "AC"))
    assert refused.snapshot() == before
    allowed = play(TwinHand(deck, dealer=1, rules=variant(discard_taken=True)), "take")
    assert allowed.forbidden is None
    assert {("discard", "AC"), ("knock", "AC")} <= set(allowed.legal())


def dispute_endless_swap():
    deck = lay_out("2S4S6S8STSQS2H4H6H8H", "3C5C7C9CJCKC3D5D7D9D", "AS")
    for max_turns in (1, 7, 200):
        hand = TwinHand(deck, 1, variant(max_turns=max_turns))
        play(hand, "take")
        while hand.question:
            if hand.question == "draw":
                play(hand, "pile")
            throwable = [answer for answer in hand.legal() if answer[0] == "discard"]
            play(hand, throwable[sum(hand.turns) % len(throwable)])
        assert (hand.facts.how, sum(hand.turns), len(hand.stock)) == ("cut", max_turns, 31)
        assert hand.score == ((0, 0), None)


def dispute_stock_two():
    # 28 draws leave three cards; seat 0 draws the 29th, which leaves two, and may knock with it
    def three_left(rules, upcard="9S", bottom="7C3S2D"):
        hand = TwinHand(lay_out(READY, RAGS, upcard, bottom=bottom), 1, rules)
        play(hand, "pass", "pass")
        while len(hand.stock) > 3:
            draw_and_throw(hand)
        return hand

    knocks = three_left(STANDARD)
    assert knocks.actor == 0
    play(knocks, "stock", ("knock", "2H"), melds("4C5C6C7C, 5S6S7S, KSKDKC"))
    assert (knocks.facts.how, len(knocks.stock)) == ("gin", 2)

    void = draw_and_throw(three_left(STANDARD))
    assert (void.question, void.facts.how, void.score) == (None, "void", ((0, 0), None))

    # the card that seat 0 throws as its last one serves seat 1, who holds the ready hand here
    def opponent_may(rules, thrown):
        hand = TwinHand(lay_out(RAGS, READY, "9S", bottom=thrown + "3S2D"), 1, rules)
        play(hand, "pass", "pass")
        while len(hand.stock) > 3:
            draw_and_throw(hand)
        return draw_and_throw(hand)

    last = variant(stock_end="last_discard")
    asked = opponent_may(last, "7C")
    assert (asked.question, asked.actor, asked.legal()) == ("last", 1, ["take", "pass"])
    passed = play(copy.deepcopy(asked), "pass")
    assert passed.facts.how == "void"
    play(asked, "take")
    assert {kind for kind, _ in asked.legal()} == {"knock"}
    assert ("knock", "7C") not in asked.legal()
    play(asked, ("knock", "2H"), melds("4C5C6C7C, 5S6S7S, KSKDKC"))
    assert asked.facts.how == "gin"
    assert asked.score.winner == 1

    # a hand that could knock only by throwing the card just taken is not asked where that is forbidden
    useless = SimpleNamespace(**{**vars(last), "knock_limit": 2})
    assert opponent_may(useless, "TH").facts.how == "void"
    assert opponent_may(SimpleNamespace(**{**vars(useless), "discard_taken": True}), "TH").question == "last"
    assert opponent_may(STANDARD, "7C").facts.how == "void"


def dispute_void_dealer():
    for knob, after_void, after_win_of_seat_1 in (
        ("alternate", 0, 1), ("winner", 1, 1), ("loser", 1, 0), ("alternate_scored", 1, 0)
    ):
        game = TwinGame(variant(next_dealer=knob))
        assert game.dealer == 1
        game.add((0, 0), None)
        assert game.dealer == after_void, knob
        game.add((0, 5), 1)
        assert game.dealer == after_win_of_seat_1, knob


def dispute_no_high_ace():
    assert meldings(cards("KC KD AD")) == [()]
    assert meldings(cards("QH KH AH 2C 3D 5S 7C 9H JD 8S")) == [()]
    assert deadwood(cards("QH KH AH 2C 3D 5S 7C 9H JD 8S")) == 65


def dispute_hidden_gins():
    for text in ("6H QH QC 5H KD KH 7H KC 4H QD", "KC 3S 3C 9C KH 3H 9H 3D 9D KD",
                 "TC 2H 3H 2S TD 5H 3S 4H 4S TS", "5S 4H 6S TH 3H JH 5H 9H 2H 4S"):
        assert deadwood(cards(text)) == 0


def dispute_disjoint_runs():
    assert deadwood(cards("JC 9D 8S 6D JS 8H TD 8D 7D JD")) == 16


def dispute_long_runs():
    for suit in SUITS:
        for size in range(3, 12):
            run = [rank + suit for rank in RANKS[:size]]
            assert deadwood(run) == 0
            assert as_sets([[run]]) <= as_sets(arrangements(run))
        assert deadwood([rank + suit for rank in RANKS[:10]] + ["K" + suit]) == 10


def dispute_last_bit():
    for suit in SUITS:
        others = [other for other in SUITS if other != suit]
        hand = [rank + other for other in others for rank in "234"] + ["A" + suit, "K" + suit]
        assert best_discards(hand) == (1, ("K" + suit,))


def dispute_conserve():
    for seed in range(5):
        dice = random.Random(seed)
        hand = TwinHand(dice.sample(DECK, 52), dealer=seed % 2, rules=STANDARD)
        while hand.question:
            play(hand, dice.choice(hand.legal()))
        hand.pile[-1:] = hand.pile[:1] * 2
        with pytest.raises(ValueError, match="52 expected"):
            conservation(hand)


DISPUTES = {
    name.removeprefix("dispute_").replace("_", "-"): check
    for name, check in list(globals().items()) if name.startswith("dispute_")
}


@pytest.mark.parametrize("check", DISPUTES.values(), ids=DISPUTES)
def test_dispute(check):
    check()


# ---------------------------------------------------------------- cards and melds

def test_the_deck_has_329_melds():
    sets = [meld for meld in MELDS if len({card[0] for card in meld}) == 1]
    assert (len(sets), len(MELDS), len(set(MELDS))) == (65, 329, 329)
    assert sorted({len(meld) for meld in MELDS}) == list(range(3, 14))


def test_masks_and_cards_are_inverse():
    assert mask(["AS"]) == 1
    assert mask(["KC"]) == 1 << 60
    places = [16 * suit + rank for suit in range(4) for rank in range(13)]
    assert [mask([card]) for card in DECK] == [1 << place for place in places]
    assert cards_of(mask(cards("2H TS KC"))) == cards("TS 2H KC")


def test_best_discard_respects_the_forbidden_card():
    eleven = cards("2S3S4S 5H6H7H 8D9DTD AC KC")
    assert best_discards(eleven) == (1, ("KC",))
    assert best_discards(eleven, forbidden="KC") == (10, ("AC",))


# ---------------------------------------------------------------- spread and defence

@pytest.mark.parametrize(("own", "layoffs", "complaint"), [
    ("2S3S", [(), ()], "not a meld"),
    ("8S9STS", [(), ()], "not in the hand"),
    ("2S2H2D, 2S3S4S", [(), ()], "another meld"),
    ("2S2H2D", [()], "lay-offs for 1 melds, but 2 are shown"),
    ("2S2H2D", [("2S",), ()], "already used"),
    ("2S2H2D", [(), ("QH",)], "cannot be laid off on"),
    ("2S2H2D", [("TC",), ()], "not in the hand"),
])
def test_illegal_defences_are_refused(own, layoffs, complaint):
    hand, shown = cards("2S2H2D 3S4S JH QH 8S AC KD"), melds("5S6S7S, TH9H8H")
    with pytest.raises(ValueError, match=complaint):
        check_defence(hand, shown, melds(own), layoffs)
    assert check_defence(hand, shown, melds("2S2H2D"), [("4S", "3S", "8S"), ("QH", "JH")]) == 11


def test_the_best_defence_is_least_among_legal_ones():
    hand, shown = cards("2S2H2D 3S4S JH QH 8S AC KD"), melds("5S6S7S, TH9H8H")
    counts = [check_defence(hand, shown, *defence) for defence in defences(hand, shown)]
    assert best_defences(hand, shown)[0] == min(counts) == 11
    assert max(counts) == total(hand)


def test_a_spread_that_hides_a_meld_is_a_knock_and_not_gin():
    deck = lay_out("AS2S3S 4C5C6C 7D8D9D TH", RAGS.replace("AS", "QC").replace("4D", "3D"), "KH", stock="TD")
    hand = play(TwinHand(deck, dealer=1, rules=STANDARD), "pass", "pass", "stock", ("knock", "TH"))
    assert hand.question == "spread"
    with pytest.raises(ValueError, match="deadwood shown is 34, at most 10 is allowed"):
        hand.apply(melds("AS2S3S, 4C5C6C"))
    as_knock = play(copy.deepcopy(hand), melds("4C5C6C, AS2S3S, 7D8D9D"))
    assert (as_knock.question, as_knock.actor) == ("defend", 1)
    as_gin = play(hand, melds("4C5C6C, AS2S3S, 7D8D9DTD"))
    assert as_gin.facts.how == "gin"


# ---------------------------------------------------------------- the turn of a hand

def test_exhaust_ends_after_the_turn_that_drew_the_last_card():
    rules = variant(stock_end="exhaust", after_two_passes="stock")
    hand = TwinHand(lay_out(RAGS, READY, "9S"), 1, rules)
    play(hand, "pass", "pass", ("discard", "AS"))
    while len(hand.stock) > 1:
        draw_and_throw(hand)
    play(hand, "pile")
    play(hand, next(answer for answer in hand.legal() if answer[0] == "discard"))
    assert hand.question == "draw"
    draw_and_throw(hand)
    assert (hand.facts.how, hand.stock) == ("void", [])


def test_limits_that_coincide():
    # the 29th draw leaves two cards: void wins over cut, and a declaration over both
    deck = lay_out(READY, RAGS, "9S", bottom="7C3S2D")
    hand = play(TwinHand(deck, 1, variant(max_turns=29)), "pass", "pass")
    while len(hand.stock) > 3:
        draw_and_throw(hand)
    declared = play(copy.deepcopy(hand), "stock", ("knock", "2H"))
    assert declared.question == "spread"
    assert draw_and_throw(hand).facts.how == "void"
    earlier = drain(play(TwinHand(deck, 1, variant(max_turns=28)), "pass", "pass"))
    assert (earlier.facts.how, sum(earlier.turns)) == ("cut", 28)
    last = variant(max_turns=29, stock_end="last_discard")
    asked = drain(play(TwinHand(lay_out(RAGS, READY, "9S", bottom="7C3S2D"), 1, last), "pass", "pass"))
    assert asked.question == "last"


def test_the_refused_upcard_lies_under_later_discards():
    hand = play(TwinHand(lay_out(RAGS, READY, "9S"), 1, variant(after_two_passes="stock")), "pass", "pass")
    play(hand, ("discard", "AS"))
    assert hand.pile == ["9S", "AS"]
    play(hand, "pile", ("discard", "2H"))
    assert hand.known[1] == {"AS"}
    play(hand, "pile", ("discard", "4D"), "pile", ("discard", "AS"))
    assert hand.known == [{"2H"}, {"4D"}]
    assert hand.discards == [["AS", "4D"], ["2H", "AS"]]
    assert (hand.turns, hand.pile) == ([2, 2], ["9S", "AS"])


def test_oklahoma_limits_and_double():
    ready = "5H6H7H 4C5C6C KHKDKC 2H"
    for upcard, limit, factor in (("9S", 9, 2), ("QS", 10, 2), ("3D", 3, 1), ("AS", 1, 2)):
        deck = lay_out(ready, "2S4DTC8C AD5DJH8H 2C QD", upcard, stock="7C")
        hand = play(TwinHand(deck, 1, PRESETS["oklahoma"]), "pass", "pass", "stock")
        assert hand.limit == limit
        play(hand, ("knock", "2H"), melds("5H6H7H, 4C5C6C7C, KHKDKC"))
        assert hand.score == ((factor * (25 + deadwood(hand.hands[1])), 0), 0)
        no_double, no_oklahoma = dict(oklahoma_spades_double=False), dict(oklahoma=False)
        for changes in (no_double, no_oklahoma):
            assert price(hand.facts, variant("oklahoma", **changes)).points[0] == 25 + deadwood(hand.hands[1])


def test_a_deck_must_be_the_52_cards():
    with pytest.raises(ValueError, match="52 cards"):
        TwinHand([*DECK[:-1], "AS"], 0, STANDARD)


# ---------------------------------------------------------------- the score sheet

def filled(rules, *hands):
    game = TwinGame(rules)
    for points, winner in hands:
        game.add(points, winner)
    return game


def test_boxes_immediate_count_toward_the_target_once():
    hands = [((45, 0), 0), ((0, 30), 1), ((35, 0), 0)]
    assert not filled(STANDARD, *hands).over
    game = filled(PRESETS["palace"], *hands)
    assert game.over
    assert game.snapshot()["running"] == ((100, 40),)
    assert game.result() == ("won", 0, ((100, 40),), 60)


@pytest.mark.parametrize(("changes", "voids", "total0"), [
    (dict(shutout="double"), 0, 2 * 110 + 100 + 50),
    (dict(shutout="double"), 1, 110 + 100 + 50),
    (dict(shutout="double", shutout_ties=True), 1, 2 * 110 + 100 + 50),
    (dict(shutout="flat", shutout_bonus=70), 0, 110 + 70 + 100 + 50),
    (dict(shutout="flat", shutout_bonus=70), 1, 110 + 100 + 50),
    (dict(shutout="none"), 0, 110 + 100 + 50),
    (dict(shutout="double", box_timing="immediate"), 0, 2 * 110 + 100 + 50),
])
def test_shutout(changes, voids, total0):
    game = filled(variant(**changes), *[((0, 0), None)] * voids, ((60, 0), 0), ((50, 0), 0))
    assert game.result() == ("won", 0, ((total0, 0),), total0)


def test_a_won_hand_of_no_points_spoils_a_shutout():
    rules = variant(undercut_bonus=0)
    game = filled(rules, ((60, 0), 0), ((0, 0), 1), ((50, 0), 0))
    assert game.result() == ("won", 0, ((110 + 100 + 50, 25),), 235)


def test_equal_grand_totals_are_a_draw():
    hands = [*[((0, 15), 1)] * 6, ((50, 0), 0), ((40, 0), 0), ((0, 2), 1), ((11, 0), 0)]
    game = filled(STANDARD, *hands)
    assert game.columns[0].points == [101, 92]
    assert game.grand_totals(game.columns[0]) == (101 + 100 + 75, 92 + 175)
    even = filled(variant(game_bonus=91), *hands)
    assert even.result() == ("drawn", None, ((267, 267),), 0)


def test_max_hands_leaves_a_game_unfinished():
    game = filled(variant(max_hands=3), ((0, 0), None), ((30, 0), 0), ((0, 0), None))
    assert game.over
    assert game.result() == ("unfinished", None, ((55, 0),), 55)
    with pytest.raises(ValueError, match="the game is over"):
        game.add((0, 0), None)
    finished = filled(variant(max_hands=2), ((60, 0), 0), ((60, 0), 0))
    assert finished.result().outcome == "won"
    with pytest.raises(ValueError, match="the game goes on"):
        filled(STANDARD, ((60, 0), 0)).result()
    with pytest.raises(ValueError, match="did not win"):
        filled(STANDARD, ((60, 0), 1))


def test_hollywood_columns():
    game = filled(PRESETS["hollywood"], ((40, 0), 0))
    assert game.snapshot()["points"] == ((40, 0), (0, 0), (0, 0))
    game.add((0, 0), None)
    game.add((30, 0), 0)
    assert game.snapshot()["points"] == ((70, 0), (30, 0), (0, 0))
    game.add((40, 0), 0)  # closes column 1: a shutout there, the void hand spoils nothing
    assert game.snapshot()["points"] == ((110, 0), (70, 0), (40, 0))
    assert game.snapshot()["reached_by"] == (0, None, None)
    game.add((0, 20), 1)  # seat 1 has no entry yet and column 1 is closed: its first entry goes to column 2
    assert game.snapshot()["points"] == ((110, 0), (70, 20), (40, 0))
    game.add((30, 0), 0)  # closes column 2
    assert game.snapshot()["reached_by"] == (0, 0, None)
    game.add((0, 20), 1)
    assert game.snapshot()["points"] == ((110, 0), (100, 20), (70, 20))
    assert not game.over
    game.add((0, 90), 1)  # closes column 3
    assert game.over
    column1, column2, column3 = (2 * 110 + 100 + 75, 0), (100 + 100 + 75, 20 + 25), (70 + 50, 110 + 100 + 50)
    assert game.result() == ("won", 0, (column1, column2, column3), 395 + 230 - 140)


# ---------------------------------------------------------------- self-play

def sensible(hand, dice):
    """A random answer, with enough sense that most hands end with a declaration."""
    cards_held = hand.hands[hand.actor]
    if hand.question == "discard":
        declarations = [answer for answer in hand.legal() if answer[0] != "discard"]
        if declarations and (hand.must_declare or dice.random() < 0.8):
            return dice.choice(declarations)
        if dice.random() < 0.9:
            return "discard", dice.choice(best_discards(cards_held, hand.forbidden)[1])
    if hand.question == "defend" and dice.random() < 0.5:
        return best_defences(cards_held, hand.shown)[1][0]
    if hand.question == "spread" and dice.random() < 0.8:
        return arrangements(cards_held)[0]
    return dice.choice(hand.legal())


def wild(hand, dice):
    """A uniformly random answer."""
    return dice.choice(hand.legal())


def self_play(dice, dealer, rules, policy):
    hand = TwinHand(dice.sample(DECK, 52), dealer, rules)
    conservation(hand)
    while hand.question:
        limit, turns = hand.limit, sum(hand.turns)
        assert all(hand.known[seat] <= hand.hands[seat] for seat in (0, 1))
        assert hand.facts is None
        hand.apply(policy(hand, dice))
        conservation(hand)
        assert hand.limit == limit
        assert sum(hand.turns) - turns in (0, 1)
    return hand


def check_outcome(hand, rules):
    facts, (points, winner) = hand.facts, hand.score
    assert 0 <= min(points) == 0
    if facts.how in ("void", "cut"):
        assert (winner, points, facts.knocker) == (None, (0, 0), None)
        assert facts.how == "void" or sum(hand.turns) == rules.max_turns
        return
    assert facts.how in ("knock", "gin") or (facts.how == "big_gin" and rules.big_gin_bonus is not None)
    assert facts.knocker_count <= hand.limit
    assert (facts.knocker_count == 0) == (facts.how in ("gin", "big_gin"))
    assert facts.defender_count <= total(hand.hands[1 - facts.knocker])
    if winner == 1 - facts.knocker:
        assert facts.how == "knock"
        assert facts.defender_count <= facts.knocker_count


@pytest.mark.parametrize("preset", PRESETS)
def test_self_play(preset):
    rules = PRESETS[preset]
    dice = random.Random(f"self-play {preset}")
    endings = set()
    for number in range(50):
        hand = self_play(dice, number % 2, rules, wild if number % 8 == 0 else sensible)
        check_outcome(hand, rules)
        endings.add(hand.facts.how)
    assert endings & {"knock", "gin"}
    assert ("knock" in endings) == (preset != "straight")


@pytest.mark.parametrize("preset", PRESETS)
def test_whole_games(preset):
    rules = PRESETS[preset]
    dice = random.Random(f"games {preset}")
    game, scores = TwinGame(rules), []
    while not game.over:
        hand = self_play(dice, game.dealer, rules, sensible)
        game.add(*hand.score)
        scores.append(hand.score)
    result = game.result()
    assert result.outcome in ("won", "drawn")
    assert game.hands == len(scores)
    assert result.difference == sum(a - b for a, b in result.totals)
    assert all(max(running) >= rules.target for running in game.snapshot()["running"])
    won = [sum(winner == seat for _, winner in scores) for seat in (0, 1)]
    if rules.columns == 1:
        assert game.columns[0].boxes == won
        assert game.columns[0].points == [sum(points[seat] for points, _ in scores) for seat in (0, 1)]
