"""Tests of the twin itself: checked cases, disputes by name, turns, the score sheet, self-play."""

import copy
import json
import random
from pathlib import Path
from types import SimpleNamespace

import pytest
from disputes import CASES, RAGS, READY, READY_GIN, cards, lay_out, melds
from players import sensible, wild
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


# ---------------------------------------------------------------- disputes


def dispute_layoff_chain(case):
    count, best = best_defences(cards(case.defender), melds(case.shown))
    assert count == case.count
    assert [defence.layoffs for defence in best] == [melds(case.laid)]


def dispute_break_own_set(case):
    knocker, shown = cards(case.knocker), melds(case.shown)
    facts = score_hand("knock", "AH", 0, knocker, shown, cards(case.defender))
    assert (facts.knocker_count, facts.defender_count) == case.counts
    assert price(facts, STANDARD) == ((0, case.undercut), 1)


def dispute_run_before_set(case):
    count, best = best_defences(cards(case.defender), melds(case.shown))
    assert count == total(cards(case.left))
    assert [defence.layoffs for defence in best] == [melds(case.laid)]


def dispute_order_free(case):
    for order in case.orders:
        assert best_defences(cards(case.defender), melds(order))[0] == case.count


def dispute_after_layoffs(case):
    defender = cards(case.defender)
    assert deadwood(defender) == case.before
    facts = score_hand("knock", "AH", 0, cards(case.knocker), melds(case.shown), defender)
    assert facts.layoffs == melds(case.laid)
    assert price(facts, STANDARD) == ((case.points, 0), 0)


def dispute_tie(case):
    defence = (melds(case.own), ((), (), ()))
    facts = score_hand(
        "knock", "KH", 0, cards(case.knocker), melds(case.shown), cards(case.defender), defence
    )
    assert (facts.knocker_count, facts.defender_count) == (case.count, case.count)
    assert price(facts, STANDARD) == ((0, case.undercut), 1)
    assert price(facts, variant(undercut_on_tie=False)) == ((0, 0), None)


def dispute_zero_against_gin(case):
    knocker, shown, could_clear = cards(case.knocker), melds(case.shown), cards(case.could_clear)
    assert best_defences(could_clear, shown)[0] == 0
    facts = score_hand("knock", "9S", 1, knocker, shown, could_clear)
    assert (facts.how, facts.knocker_count, facts.defender_count) == ("gin", 0, 4)
    assert facts.layoffs == (set(), set(), set())
    assert price(facts, STANDARD) == ((0, case.points), 1)
    melded = score_hand("knock", "4S", 1, knocker, shown, cards(case.all_melded))
    assert price(melded, STANDARD) == ((0, case.points_at_zero), 1)
    with pytest.raises(ValueError, match="0 are shown"):
        score_hand("knock", "9S", 1, knocker, shown, could_clear, (melds(case.own), melds(case.lay_off)))


def dispute_undercut_wins_game(case):
    game = TwinGame(STANDARD)
    for points, winner in case.before:
        game.add((points, 0) if winner == 0 else (0, points), winner)
    facts = score_hand("knock", "KH", 0, cards(case.knocker), melds(case.shown), cards(case.defender))
    assert facts.defender_count == 0
    assert price(facts, STANDARD) == ((0, case.undercut), 1)
    game.add(*price(facts, STANDARD))
    assert game.columns[0].points == [95, 90 + case.undercut]
    assert game.result() == ("won", 1, (case.totals,), case.totals[0] - case.totals[1])


def dispute_target_not_winner(case):
    game = TwinGame(STANDARD)
    for points, winner in case.hands:
        assert not game.over
        game.add((points, 0) if winner == 0 else (0, points), winner)
    assert game.columns[0].reached_by == case.reached_by
    assert game.result() == ("won", 1, (case.totals,), case.totals[0] - case.totals[1])


def dispute_gin_declined(case):
    deck = lay_out(case.ten, case.other, case.upcard, stock=case.eleventh)
    hand = play(TwinHand(deck, dealer=1, rules=STANDARD), "pass", "pass", "stock")
    assert ("knock", case.thrown) in hand.legal()
    assert deadwood(hand.hands[0] - {case.thrown}) == 0
    play(hand, ("discard", case.thrown))
    assert (hand.question, hand.actor, hand.facts) == ("draw", 1, None)


def dispute_big_gin_shed(case):
    deck = lay_out(case.ten, case.other, case.upcard, stock=case.eleventh)
    hand = play(TwinHand(deck, dealer=1, rules=STANDARD), "pass", "pass", "stock")
    eleven = cards(case.ten + case.eleventh)
    assert deadwood(eleven) == 0
    assert as_sets([melds(case.spread)]) <= as_sets(arrangements(eleven))
    assert best_discards(eleven) == (0, in_order(cards(case.gin_discards)))
    assert ("big_gin", None) in hand.legal()
    play(hand, ("big_gin", None))
    assert all(sum(map(len, spread)) == 11 for spread in hand.legal())
    with pytest.raises(ValueError, match="deadwood shown is 5"):
        hand.apply(melds(case.gin_spread))
    play(hand, melds(case.spread))
    assert (hand.facts.how, hand.facts.defender_count) == ("big_gin", deadwood(hand.hands[1]))
    assert hand.score == ((31 + deadwood(hand.hands[1]), 0), 0)
    off = TwinHand(deck, dealer=1, rules=variant(big_gin_bonus=None))
    assert ("big_gin", None) not in play(off, "pass", "pass", "stock").legal()


def dispute_limit_inclusive(case):
    for ten, legal in ((case.legal, True), (case.refused, False)):
        deck = lay_out(ten, case.other, case.upcard, stock=case.drawn)
        hand = play(TwinHand(deck, 1, STANDARD), "pass", "pass", "stock")
        assert (("knock", case.drawn) in hand.legal()) == legal
        assert ("discard", case.drawn) in hand.legal()


def dispute_oklahoma_ace(case):
    for ace, limit, knock in (("one", 1, True), ("gin", 0, False)):
        rules = variant("oklahoma", oklahoma_ace=ace)
        deck = lay_out(case.ten, case.other, case.upcard, stock=case.drawn)
        hand = play(TwinHand(deck, dealer=1, rules=rules), "pass", "pass", "stock")
        assert hand.limit == limit
        assert deadwood(hand.hands[0] - {case.drawn}) == 1
        assert (("knock", case.drawn) in hand.legal()) == knock


def dispute_upcard_order(_):
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


def dispute_take_and_return(case):
    deck = lay_out(case.ten, case.other, case.upcard)
    refused = play(TwinHand(deck, dealer=1, rules=STANDARD), "take")
    assert refused.forbidden == case.upcard
    returns = {("discard", case.upcard), ("knock", case.upcard)}
    assert not returns & set(refused.legal())
    assert ("knock", case.may_knock) in refused.legal()
    before = refused.snapshot()
    for answer in returns:
        with pytest.raises(ValueError, match="not a legal answer"):
            refused.apply(answer)
    assert refused.snapshot() == before
    allowed = play(TwinHand(deck, dealer=1, rules=variant(discard_taken=True)), "take")
    assert allowed.forbidden is None
    assert returns <= set(allowed.legal())


def dispute_endless_swap(case):
    deck = lay_out(case.seat0, case.seat1, case.upcard)
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


def dispute_stock_two(case):
    # 28 draws leave three cards; seat 0 draws the 29th, which leaves two, and may knock with it
    def three_left(rules, seat0, seat1, bottom):
        hand = TwinHand(lay_out(seat0, seat1, case.upcard, bottom=bottom), 1, rules)
        play(hand, "pass", "pass")
        while len(hand.stock) > 3:
            draw_and_throw(hand)
        return hand

    knock = ("knock", case.knocks_with)
    knocks = three_left(STANDARD, READY, RAGS, case.bottom)
    assert knocks.actor == 0
    play(knocks, "stock", knock, melds(READY_GIN))
    assert (knocks.facts.how, len(knocks.stock)) == ("gin", 2)

    void = draw_and_throw(three_left(STANDARD, READY, RAGS, case.bottom))
    assert (void.question, void.facts.how, void.score) == (None, "void", ((0, 0), None))

    # the card that seat 0 throws as its last one serves seat 1, who holds the ready hand here
    def opponent_may(rules, bottom=case.bottom):
        return draw_and_throw(three_left(rules, RAGS, READY, bottom))

    last = variant(stock_end="last_discard")
    asked = opponent_may(last)
    assert (asked.question, asked.actor, asked.legal()) == ("last", 1, ["take", "pass"])
    passed = play(copy.deepcopy(asked), "pass")
    assert passed.facts.how == "void"
    play(asked, "take")
    assert {kind for kind, _ in asked.legal()} == {"knock"}
    assert ("knock", case.bottom[:2]) not in asked.legal()
    play(asked, knock, melds(READY_GIN))
    assert asked.facts.how == "gin"
    assert asked.score.winner == 1

    # a hand that could knock only by throwing the card just taken is not asked where that is forbidden
    useless = variant(stock_end="last_discard", knock_limit=2)
    assert opponent_may(useless, case.useless_bottom).facts.how == "void"
    may_return = variant(stock_end="last_discard", knock_limit=2, discard_taken=True)
    assert opponent_may(may_return, case.useless_bottom).question == "last"
    assert opponent_may(STANDARD).facts.how == "void"


def dispute_void_dealer(case):
    for knob, (after_void, after_win_of_seat_1) in case.next_dealer.items():
        game = TwinGame(variant(next_dealer=knob))
        assert game.dealer == 1
        game.add((0, 0), None)
        assert game.dealer == after_void, knob
        game.add((0, 5), 1)
        assert game.dealer == after_win_of_seat_1, knob


def dispute_no_high_ace(case):
    assert meldings(cards(case.three)) == [()]
    assert meldings(cards(case.ten)) == [()]
    assert deadwood(cards(case.ten)) == case.deadwood


def dispute_hidden_gins(case):
    for text in case.gins:
        assert deadwood(cards(text)) == 0


def dispute_disjoint_runs(case):
    assert deadwood(cards(case.ten)) == case.deadwood


def dispute_long_runs(_):
    for suit in SUITS:
        for size in range(3, 12):
            run = [rank + suit for rank in RANKS[:size]]
            assert deadwood(run) == 0
            assert as_sets([[run]]) <= as_sets(arrangements(run))
        assert deadwood([rank + suit for rank in RANKS[:10]] + ["K" + suit]) == 10


def dispute_last_bit(_):
    for suit in SUITS:
        others = [other for other in SUITS if other != suit]
        hand = [rank + other for other in others for rank in "234"] + ["A" + suit, "K" + suit]
        assert best_discards(hand) == (1, ("K" + suit,))


def dispute_conserve(_):
    for seed in range(5):
        dice = random.Random(seed)
        hand = TwinHand(dice.sample(DECK, 52), dealer=seed % 2, rules=STANDARD)
        while hand.question:
            play(hand, dice.choice(hand.legal()))
        hand.pile[-1:] = hand.pile[:1] * 2
        with pytest.raises(ValueError, match="52 expected"):
            conservation(hand)


@pytest.mark.parametrize("name", CASES)
def test_dispute(name):
    globals()[f"dispute_{name.replace('-', '_')}"](CASES[name])


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


@pytest.mark.parametrize(
    ("own", "layoffs", "complaint"),
    [
        ("2S3S", [(), ()], "not a meld"),
        ("8S9STS", [(), ()], "not in the hand"),
        ("2S2H2D, 2S3S4S", [(), ()], "another meld"),
        ("2S2H2D", [()], "lay-offs for 1 melds, but 2 are shown"),
        ("2S2H2D", [("2S",), ()], "already used"),
        ("2S2H2D", [(), ("QH",)], "cannot be laid off on"),
        ("2S2H2D", [("TC",), ()], "not in the hand"),
    ],
)
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


@pytest.mark.parametrize(
    ("changes", "voids", "total0"),
    [
        (dict(shutout="double"), 0, 2 * 110 + 100 + 50),
        (dict(shutout="double"), 1, 110 + 100 + 50),
        (dict(shutout="double", shutout_ties=True), 1, 2 * 110 + 100 + 50),
        (dict(shutout="flat", shutout_bonus=70), 0, 110 + 70 + 100 + 50),
        (dict(shutout="flat", shutout_bonus=70), 1, 110 + 100 + 50),
        (dict(shutout="none"), 0, 110 + 100 + 50),
        (dict(shutout="double", box_timing="immediate"), 0, 2 * 110 + 100 + 50),
    ],
)
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
