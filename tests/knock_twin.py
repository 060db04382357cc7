"""The knock study again, slowly: hands stepped at a `Table`, forks as deep copies, D always a fork."""

import copy
from collections import Counter, defaultdict
from types import SimpleNamespace

from brute import cards_of
from test_policies import (
    bit,
    highest,
    least_discards,
    may_go,
    melds_with,
    plain_answer,
    simple_candidates,
    simple_takes_last,
)

from ginsim._knocks import FIELDS, STATES
from ginsim._melds import deadwood_of, defend_own_melds_first_of, spreads_of
from ginsim._score import price_of
from ginsim._table import Table, deck_of, philox_block

QUESTIONS = ("offer", "draw", "last", "discard", "spread", "defend")
ALL = "all"


class Words:
    """A stream of random words from any block on, by the definition of Philox."""

    def __init__(self, key, stream, index, block=0):
        self.key = key & 0xFFFFFFFF, key >> 32
        self.place = 0, index & 0xFFFFFFFF, stream << 16 | index >> 32
        self.block = block
        self.left = []

    def word(self):
        if not self.left:
            self.left = list(philox_block((self.block, *self.place), self.key))
            self.block += 1
        return self.left.pop(0)

    def below(self, n):
        while True:
            product = self.word() * n
            if product & 0xFFFFFFFF >= (1 << 32) % n:
                return product >> 32


class Kin:
    """A policy of the greedy kin, as it is restated in the tests of policies."""

    def __init__(self, spec):
        self.spec = spec

    def begin(self, words):
        """Nothing to remember."""

    def answer(self, view, words, default):
        return default if view.question in ("spread", "defend") else plain_answer(self.spec, view)


class Simple:
    """`simple`, with its memory and its chance."""

    def begin(self, words):
        self.pairs = set()

    def answer(self, view, words, default):
        if view.question in ("offer", "draw"):
            take, leave = ("pile", "stock") if view.question == "draw" else ("take", "pass")
            return (take,) if melds_with(view.upcard, view.hand) else (leave,)
        if view.question == "last":
            return ("take",) if simple_takes_last(view, self.pairs) else ("pass",)
        if view.question == "spread":
            return ("spread", self.any_spread(view, words))
        if view.question == "defend":
            _, melds, laid = defend_own_melds_first_of(view.hand, self.any_spread(view, words), view.shown)
            return ("defend", melds, laid)
        if view.big_gin and deadwood_of(view.hand) == 0:
            return ("big_gin",)
        left, best = simple_candidates(view, view.hand, view.drawn, may_go(view), self.pairs)
        card = sorted(best)[words.below(len(best))]
        if left <= view.knock_limit:
            return ("knock", card)
        self.pairs.add(frozenset((view.drawn, card)))
        return ("discard", card)

    def any_spread(self, view, words):
        spreads = spreads_of(view.hand)
        return spreads[words.below(len(spreads))]


class Hand:
    """A hand in progress with its players: what a fork copies."""

    def __init__(self, table, players, streams, orientation):
        self.table = table
        self.players = players  # by seat
        self.streams = streams
        self.subject = orientation

    def fork(self):
        return Hand(self.table.fork(), copy.deepcopy(self.players), self.streams, self.subject)

    def ask(self, limit=None):
        view = SimpleNamespace(**self.table.view().as_dict())
        if limit is not None:
            view.knock_limit = limit
        block = (view.turns[view.seat] * 8 + QUESTIONS.index(view.question) + 1) << 16
        words = Words(*self.streams[view.seat], block)
        return self.players[view.seat].answer(view, words, self.table.legal()[0])

    def play(self, answer=None):
        """The subject's points when the hand is played out, from the answer on."""
        if answer is not None:
            self.table.apply(answer)
        while self.table.question != "over":
            self.table.apply(self.ask())
        facts = self.table.facts
        names = ("ending", "knocker", "knocker_count", "defender_count", "doubled")
        outcome, winner, points = price_of(self.codes, *(facts[name] for name in names))
        return outcome, 0 if winner is None else points if winner == self.subject else -points


def study(match_of_pair, rules, key, pairs, entrants=(0, 1)):
    """The cells of the study as a dict: (states, axis, place, deadwood) to a Counter of FIELDS."""
    Hand.codes = rules.codes()
    cells = defaultdict(Counter)
    for index in range(pairs):
        found = defaultdict(list)
        for orientation in (0, 1):
            for states in STATES:
                for decision in walk(deal(match_of_pair(), rules, key, index, orientation, entrants), states):
                    found[states].append(decision)
        for states, decisions in found.items():
            count_pair(cells, states, decisions)
    return cells


def deal(players, rules, key, index, orientation, entrants):
    players = players if orientation == 0 else players[::-1]
    numbers = entrants if orientation == 0 else entrants[::-1]
    streams = [(key, 1 + 2 * number + orientation, index) for number in numbers]
    for player, stream in zip(players, streams, strict=True):
        player.begin(Words(*stream))
    return Hand(Table(rules.codes(), deck_of(key, index)), list(players), streams, orientation)


def walk(hand, states):
    """The decisions of a main line: what is known of each, K and D."""
    while hand.table.question != "over":
        if hand.table.question != "discard" or hand.table.actor != hand.subject:
            hand.table.apply(hand.ask())
            continue
        before = copy.deepcopy(hand.players)
        view = hand.table.view()
        own = hand.ask()
        left, best = least_discards(view.hand, may_go(view))
        if left > view.knock_limit or view.must_declare:
            hand.table.apply(own)
            continue
        declares = own[0] in ("knock", "big_gin")
        outcome, knocked = hand.fork().play(own if declares else best_declaration(view, hand, best))
        plain = own
        main_line = hand.fork()
        if declares:
            plain = ("discard", highest(best) if own[0] == "big_gin" else own[1])
            if left > 0:
                hand.players = before
                again = hand.ask(left - 1)
                plain = again if again[0] == "discard" else plain
        _, declined = hand.fork().play(plain)
        yield SimpleNamespace(
            turn=min(view.turns[view.seat], 32), stock=view.stock, deadwood=left, own=declares,
            knocked=knocked, declined=declined, outcome=outcome,
        )  # fmt: skip
        if states == "declining":
            hand.table.apply(plain)
        else:
            hand = main_line
            hand.table.apply(own)


def best_declaration(view, hand, best):
    bonuses = dict(zip(("limit", "gin", "big_gin"), hand.codes, strict=False))
    if view.big_gin and deadwood_of(view.hand) == 0 and bonuses["big_gin"] >= bonuses["gin"]:
        return ("big_gin",)
    return ("knock", highest(best))


def count_pair(cells, states, decisions):
    by_cell = defaultdict(list)
    for decision in decisions:
        for axis in ("turn", "stock"):
            for place in (getattr(decision, axis), ALL):
                for deadwood in (decision.deadwood, ALL):
                    by_cell[states, axis, place, deadwood].append(decision)
    for place, mine in by_cell.items():
        n, y = len(mine), sum(one.knocked - one.declined for one in mine)
        cells[place].update(pairs=1, n=n, y=y, yy=y * y, yn=y * n, nn=n * n)
        for one in mine:
            cells[place].update(knock_points=one.knocked, decline_points=one.declined, own=one.own)
            cells[place][one.outcome] += 1


def read_cells(array):
    """The compiled study's array in the same form."""
    found = {}
    for state, states in enumerate(STATES):
        for axis, name in enumerate(("turn", "stock")):
            places = [*range(1 - axis, array.shape[2] - axis), ALL]
            deadwoods = [*range(array.shape[3] - 1), ALL]
            for i, place in enumerate(places):
                for j, deadwood in enumerate(deadwoods):
                    cell = dict(zip(FIELDS, array[state, axis, i, j].tolist(), strict=True))
                    if cell["n"]:
                        found[states, name, place, deadwood] = cell
    return found


__all__ = ["Kin", "Simple", "Words", "bit", "cards_of", "read_cells", "study"]
