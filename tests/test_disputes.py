"""The disputes over the rules by name, put to the core; `disputes.py` has the cards, and the twin's turn."""

import random

import pytest
from beside import PLACE, mask, masks, positions
from disputes import CASES, DECK, RAGS, READY, READY_GIN, cards, lay_out, melds

from ginsim._melds import best_discards_of, deadwood_of, defend_of, is_meld_of, spreads_of
from ginsim._score import GameLedger, price_of
from ginsim._table import Table
from ginsim.rules import Rules

STANDARD = Rules()


def mask_of(text):
    return mask(cards(text))


def masks_of(text):
    return masks(melds(text))


def discard(card):
    return "discard", PLACE[card]


def knock(card):
    return "knock", PLACE[card]


def play(table, *answers):
    for answer in answers:
        table.apply(answer)
    return table


def dealt(deck, rules=STANDARD, dealer=1):
    return Table(rules.codes(), positions(deck), dealer)


def drawn(ten, other, upcard, card, rules=STANDARD):
    """Seat 0 has drawn a card from the stock in its first turn."""
    return play(dealt(lay_out(ten, other, upcard, stock=card), rules), ("pass",), ("pass",), ("stock",))


def spare(*texts):
    """Cards that are in none of the texts."""
    return [card for card in reversed(DECK) if card not in cards("".join(texts).replace(",", ""))]


def shown_down(knocker, shown, defender, reply=None, rules=STANDARD):
    """Seat 0 draws a card, knocks with it and shows its melds; seat 1 replies, by default exactly."""
    upcard, card = spare(knocker, defender)[:2]
    table = play(drawn(knocker, defender, upcard, card, rules), knock(card), ("spread", masks_of(shown)))
    if table.question == "defend":
        play(table, reply or table.legal()[0])
    return table


def counts(table):
    return table.facts["knocker_count"], table.facts["defender_count"]


def score(table, rules=STANDARD):
    """(outcome, winner, points) of a hand that is over."""
    facts = table.facts
    names = ("ending", "knocker", "knocker_count", "defender_count", "doubled")
    return price_of(rules.codes(), *(facts[name] for name in names))


def refuses(table, answer, why):
    with pytest.raises(ValueError, match=why):
        table.apply(answer)
    return True


def draw_and_throw(table):
    """A turn that draws from the stock and throws the card drawn."""
    return play(table, ("stock",), ("discard", table.stock()[0]))


# ---- lay-offs and the score


def dispute_layoff_chain(case):
    _, own, laid = defend_of(mask_of(case.defender), masks_of(case.shown))
    assert (own, laid) == ((), masks_of(case.laid))
    table = shown_down(case.knocker, case.shown, case.defender)
    assert table.facts["defender_count"] == case.count
    assert table.facts["laid"] == sum(masks_of(case.laid))


def dispute_break_own_set(case):
    table = shown_down(case.knocker, case.shown, case.defender)
    assert counts(table) == case.counts
    assert score(table) == ("undercut", 1, case.undercut)


def dispute_run_before_set(case):
    table = shown_down(case.knocker, case.shown, case.defender)
    assert table.facts["laid"] == sum(masks_of(case.laid))
    assert defend_of(mask_of(case.defender), masks_of(case.shown))[2] == masks_of(case.laid)


def dispute_order_free(case):
    for order in case.orders:
        assert shown_down(case.knocker, order, case.defender).facts["defender_count"] == case.count


def dispute_after_layoffs(case):
    assert deadwood_of(mask_of(case.defender)) == case.before
    table = shown_down(case.knocker, case.shown, case.defender)
    assert table.facts["laid"] == sum(masks_of(case.laid))
    assert score(table) == ("knock", 0, case.points)


def dispute_tie(case):
    reply = ("defend", masks_of(case.own), (0, 0, 0))
    table = shown_down(case.knocker, case.shown, case.defender, reply)
    assert counts(table) == (case.count, case.count)
    assert score(table) == ("tie", 1, case.undercut)
    assert score(table, STANDARD.replace(undercut_on_tie=False)) == ("tie", None, 0)


def dispute_zero_against_gin(case):
    assert defend_of(mask_of(case.could_clear), masks_of(case.shown))[0] == 0
    table = shown_down(case.knocker, case.shown, case.could_clear)
    assert (table.question, table.facts["ending"], table.facts["laid"]) == ("over", "gin", 0)
    assert counts(table) == (0, 4)
    assert score(table) == ("gin", 0, case.points)
    melded = shown_down(case.knocker, case.shown, case.all_melded)
    assert (counts(melded), score(melded)) == ((0, 0), ("gin", 0, case.points_at_zero))


# ---- games


def enter(ledger, hands):
    for points, winner in hands:
        assert not ledger.over
        ledger.enter(winner, points)


def dispute_undercut_wins_game(case):
    ledger = GameLedger(STANDARD.codes())
    enter(ledger, case.before)
    table = shown_down(case.knocker, case.shown, case.defender)
    outcome, winner, points = score(table)
    assert (outcome, winner, points) == ("undercut", 1, case.undercut)
    enter(ledger, [(points, winner)])
    (column,) = ledger.columns()
    assert (ledger.over, column["closed_by"], column["totals"]) == (True, 1, case.totals)
    assert ledger.difference() == case.totals[0] - case.totals[1]


def dispute_target_not_winner(case):
    ledger = GameLedger(STANDARD.codes())
    enter(ledger, case.hands)
    (column,) = ledger.columns()
    assert (ledger.over, column["closed_by"], column["totals"]) == (True, case.reached_by, case.totals)
    assert ledger.difference() < 0


def dispute_void_dealer(case):
    for knob, (after_void, after_win_of_seat_1) in case.next_dealer.items():
        ledger = GameLedger(STANDARD.replace(next_dealer=knob).codes())
        assert ledger.dealer == 1
        ledger.enter(None, 0)
        assert ledger.dealer == after_void, knob
        ledger.enter(1, 5)
        assert ledger.dealer == after_win_of_seat_1, knob


# ---- declarations


def dispute_gin_declined(case):
    table = drawn(case.ten, case.other, case.upcard, case.eleventh)
    assert knock(case.thrown) in table.legal()
    assert deadwood_of(table.hands()[0] & ~mask_of(case.thrown)) == 0
    play(table, discard(case.thrown))
    assert (table.question, table.actor, table.facts["ending"]) == ("draw", 1, "going")


def dispute_big_gin_shed(case):
    table = drawn(case.ten, case.other, case.upcard, case.eleventh)
    eleven = mask_of(case.ten + case.eleventh)
    assert table.hands()[0] == eleven
    assert deadwood_of(eleven) == 0
    assert set(masks_of(case.spread)) in map(set, spreads_of(eleven))
    assert best_discards_of(eleven) == (0, mask_of(case.gin_discards))
    assert ("big_gin",) in table.legal()
    off = drawn(case.ten, case.other, case.upcard, case.eleventh, STANDARD.replace(big_gin_bonus=None))
    assert ("big_gin",) not in off.legal()
    assert refuses(off, ("big_gin",), "big gin may not be declared")
    play(table, ("big_gin",))
    assert refuses(table, ("spread", masks_of(case.gin_spread)), "not a legal spread")
    play(table, ("spread", masks_of(case.spread)))
    left = deadwood_of(table.hands()[1])
    assert (table.facts["ending"], counts(table)) == ("big_gin", (0, left))
    assert score(table) == ("big_gin", 0, 31 + left)


def dispute_limit_inclusive(case):
    for ten, legal in ((case.legal, True), (case.refused, False)):
        table = drawn(ten, case.other, case.upcard, case.drawn)
        assert (knock(case.drawn) in table.legal()) == legal
        if legal:
            assert play(table, knock(case.drawn)).question == "spread"
        else:
            assert refuses(table, knock(case.drawn), "more than the knock limit")


def dispute_oklahoma_ace(case):
    for ace, limit, legal in (("one", 1, True), ("gin", 0, False)):
        rules = Rules.preset("oklahoma").replace(oklahoma_ace=ace)
        table = drawn(case.ten, case.other, case.upcard, case.drawn, rules)
        assert (table.facts["limit"], table.view().knock_limit) == (limit, limit)
        assert deadwood_of(table.hands()[0] & ~mask_of(case.drawn)) == 1
        assert (knock(case.drawn) in table.legal()) == legal
        if not legal:
            assert refuses(table, knock(case.drawn), "more than the knock limit")


# ---- turns


def dispute_upcard_order(_):
    for after, question in (("either", "draw"), ("stock", "discard")):
        for dealer in (0, 1):
            table = dealt(DECK, STANDARD.replace(after_two_passes=after), dealer)
            assert (table.question, table.actor) == ("offer", 1 - dealer)
            play(table, ("pass",))
            assert (table.question, table.actor) == ("offer", dealer)
            dealer_takes = play(table.fork(), ("take",))
            assert (dealer_takes.question, dealer_takes.actor) == ("discard", dealer)
            own = next(answer for answer in dealer_takes.legal() if answer[0] == "discard")
            play(dealer_takes, own)
            assert (dealer_takes.question, dealer_takes.actor) == ("draw", 1 - dealer)
            play(table, ("pass",))
            assert (table.question, table.actor, table.view().passes) == (question, 1 - dealer, 2)
            assert len(table.stock()) == (31 if after == "either" else 30)


def dispute_take_and_return(case):
    deck = lay_out(case.ten, case.other, case.upcard)
    returns = [discard(case.upcard), knock(case.upcard)]
    table = play(dealt(deck), ("take",))
    assert table.view().forbidden == PLACE[case.upcard]
    assert not set(returns) & set(table.legal())
    assert knock(case.may_knock) in table.legal()
    for answer in returns:
        assert refuses(table, answer, "just taken from the pile")
    allowed = play(dealt(deck, STANDARD.replace(discard_taken=True)), ("take",))
    assert allowed.view().forbidden is None
    assert set(returns) <= set(allowed.legal())
    for answer in returns:
        play(allowed.fork(), answer)


def dispute_endless_swap(case):
    deck = lay_out(case.seat0, case.seat1, case.upcard)
    for max_turns in (2, 7, 200, 250):
        table = play(dealt(deck, STANDARD.replace(max_turns=max_turns)), ("take",))
        while table.question != "over":
            turns = sum(table.view().turns)
            plain = [answer for answer in table.legal() if answer[0] == "discard"]
            play(table, plain[turns % len(plain)])
            if table.question == "draw":
                play(table, ("pile",))
        assert (turns, len(table.stock()), table.facts["ending"]) == (max_turns, 31, "cut")
        assert score(table) == ("cut", None, 0)


def dispute_stock_two(case):
    # 28 draws leave three cards; seat 0 draws the 29th, which leaves two, and may knock with it
    def three_left(rules, seat0, seat1, bottom):
        table = dealt(lay_out(seat0, seat1, case.upcard, bottom=bottom), rules)
        play(table, ("pass",), ("pass",))
        while len(table.stock()) > 3:
            draw_and_throw(table)
        return table

    knocks = knock(case.knocks_with)
    gin = ("spread", masks_of(READY_GIN))
    table = three_left(STANDARD, READY, RAGS, case.bottom)
    assert table.actor == 0
    play(table, ("stock",), knocks, gin)
    assert (table.facts["ending"], len(table.stock())) == ("gin", 2)

    void = draw_and_throw(three_left(STANDARD, READY, RAGS, case.bottom))
    assert (void.question, void.facts["ending"], score(void)) == ("over", "void", ("void", None, 0))

    # the card that seat 0 throws as its last one serves seat 1, who holds the ready hand here
    def opponent_may(rules, bottom=case.bottom):
        return draw_and_throw(three_left(rules, RAGS, READY, bottom))

    last = STANDARD.replace(stock_end="last_discard")
    asked = opponent_may(last)
    assert (asked.question, asked.actor, asked.legal()) == ("last", 1, [("pass",), ("take",)])
    assert play(asked.fork(), ("pass",)).facts["ending"] == "void"
    play(asked, ("take",))
    assert asked.view().must_declare
    assert {answer[0] for answer in asked.legal()} == {"knock"}
    assert refuses(asked, discard("KC"), "only a declaration")
    assert refuses(asked, knock(case.bottom[:2]), "just taken from the pile")
    play(asked, knocks, gin)
    assert (asked.facts["ending"], score(asked)[1]) == ("gin", 1)

    # a hand that could knock only by throwing the card just taken is not asked where that is forbidden
    useless = last.replace(knock_limit=2)
    assert opponent_may(useless, case.useless_bottom).facts["ending"] == "void"
    assert opponent_may(useless.replace(discard_taken=True), case.useless_bottom).question == "last"
    assert opponent_may(STANDARD).facts["ending"] == "void"


# ---- cards


def dispute_no_high_ace(case):
    assert not is_meld_of(mask_of(case.three))
    assert spreads_of(mask_of(case.ten)) == [()]
    assert deadwood_of(mask_of(case.ten)) == case.deadwood


def dispute_hidden_gins(case):
    for text in case.gins:
        assert deadwood_of(mask_of(text)) == 0


def dispute_disjoint_runs(case):
    assert deadwood_of(mask_of(case.ten)) == case.deadwood


def dispute_long_runs(_):
    for suit in range(4):
        for size in range(3, 12):
            run = (1 << size) - 1 << 16 * suit
            assert deadwood_of(run) == 0
            assert (run,) in spreads_of(run)
        assert deadwood_of((1 << 10) - 1 + (1 << 12) << 16 * suit) == 10


def dispute_last_bit(_):
    for suit in "SHDC":
        others = [other for other in "SHDC" if other != suit]
        hand = mask([rank + other for other in others for rank in "234"] + ["A" + suit, "K" + suit])
        assert best_discards_of(hand) == (1, mask(["K" + suit]))


def dispute_conserve(_):
    dice = random.Random(7)
    for number in range(64):
        rules = Rules.preset(Rules.presets()[number % 8])
        table, face_down = dealt(dice.sample(DECK, 52), rules), 0
        while table.question != "over":
            answer = dice.choice(table.legal())
            play(table, answer)
            if answer[0] == "knock":
                face_down = 1 << answer[1]
            piles = sum(1 << card for card in (*table.stock(), *table.view().pile))
            places = (*table.hands(), piles, face_down)
            assert sum(cards.bit_count() for cards in places) == 52
            assert sum(places) == mask(DECK)
            assert table.broken() == 0


@pytest.mark.parametrize("name", CASES)
def test_dispute(name):
    globals()[f"dispute_{name.replace('-', '_')}"](CASES[name])
