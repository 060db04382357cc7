"""Every fork of the discard study played again from the deal, by players in plain Python.

A fork is the record of its hand up to the decision, the discard forced there, and all that both players then
answer. Nothing is copied: new players sit down, are asked everything again and must say what the record has.
Their chance is `knock_twin.Words`, put before each question to the place that the question names.
"""

import random
import sys
from types import SimpleNamespace

from brute import cards_of
from discards_twin import kind_of, known_of, maxims, turn_of
from knock_twin import QUESTIONS, Words
from test_policies import highest, least_discards, may_go
from twin import Facts, price

import ginsim
from ginsim._melds import deadwood_of
from ginsim._table import Table, deck_of

DRAWS = 65534  # the stream that alternatives and decisions are drawn from


class Study:
    """The discard study of entrant 0 against entrant 1; `makers` build their players."""

    def __init__(self, makers, rules, key, reference="own", sample=0, every=1):
        self.makers, self.rules, self.key = makers, rules, key
        self.reference, self.sample, self.every = reference, sample, every

    def decisions(self, index):
        """What `DiscardStudy.decisions` has of the pair."""
        return [one for subject in (0, 1) for one in self.of_hand(index, subject)]

    def of_hand(self, index, subject):
        draws = Words(self.key, DRAWS, index)
        draws.place = subject, *draws.place[1:]
        record = Replay(self, index, subject).play()
        for number, (view, answer) in enumerate(record.asked):
            if view.seat != subject or view.question != "discard" or answer[0] != "discard":
                continue
            if self.every > 1 and draws.below(self.every):
                continue
            yield self.decision(index, subject, record, number, draws)

    def decision(self, index, subject, record, number, draws):
        view, own = record.asked[number]
        legal = sorted(may_go(view))
        _, best = least_discards(view.hand, legal)
        kinds = {card: kind_of(view, card) for card in legal}
        known = {card: known_of(view, card) for card in legal}
        reference = own[1] if self.reference == "own" else highest(best)
        candidates = {}
        for card, weight in self.weights(legal, reference, draws).items():
            found = {"value": 0, "offered": False, "taken": False}
            if weight or card == own[1]:
                given = [answer for _, answer in record.asked[:number]]
                found = Replay(self, index, subject, given, ("discard", card)).play().came_to(number)
            candidates[card] = found | {"weight": weight, "kind": kinds[card], "known": known[card]}
        sets = maxims(view, legal, best, kinds, known)
        return {
            "turn": turn_of(view.turns[view.seat]),
            "own": own[1],
            "reference": reference,
            "candidates": candidates,
            "sets": {name: tuple(sum(1 << card for card in cards) for cards in sets[name]) for name in sets},
        }

    def weights(self, legal, reference, draws):
        """How many discards each stands for, as the module has it."""
        others = [card for card in legal if card != reference]
        if not self.sample or self.sample >= len(others):
            return dict.fromkeys(legal, self.sample or 1)
        left, drawn = list(others), []
        for first in range(self.sample):
            place = first + draws.below(len(left) - first)
            left[first], left[place] = left[place], left[first]
            drawn.append(left[first])
        return {card: self.sample if card == reference else len(others) * (card in drawn) for card in legal}


class Replay:
    """A hand from its deal: answers that must come again, one that is forced, and what follows."""

    def __init__(self, study, index, subject, given=(), forced=None):
        self.rules, self.given, self.forced = study.rules, given, forced
        self.subject = subject
        self.table = Table(study.rules.codes(), deck_of(study.key, index))
        entrants = (subject, 1 - subject)  # by seat: entrant 0 has the seat of the orientation's number
        self.streams = [(study.key, 1 + 2 * entrant + subject, index) for entrant in entrants]
        self.players = [study.makers[entrant]() for entrant in entrants]
        for player, stream in zip(self.players, self.streams, strict=True):
            player.begin(Words(*stream))
        self.asked = []

    def play(self):
        while self.table.question != "over":
            view = SimpleNamespace(**self.table.view().as_dict())
            place = (view.turns[view.seat] * 8 + QUESTIONS.index(view.question) + 1) << 16
            words = Words(*self.streams[view.seat], place)
            answer = self.players[view.seat].answer(view, words, self.table.legal()[0])
            number = len(self.asked)
            if number < len(self.given):
                assert answer == self.given[number], (view, answer, self.given[number])
            elif number == len(self.given) and self.forced:
                answer = self.forced
            self.asked.append((view, answer))
            self.table.apply(answer)
        return self

    def came_to(self, number):
        """What the discard that was forced as answer `number` came to."""
        facts = self.table.facts
        ended = Facts(
            facts["ending"],
            "AS" if facts["doubled"] else "AH",  # of the upcard only the suit counts
            *(facts[name] for name in ("knocker", "knocker_count", "defender_count")),
        )
        points, _ = price(ended, self.rules)
        after = self.asked[number + 1 : number + 2]  # nobody is asked where the hand is void
        return {
            "value": points[self.subject] - points[1 - self.subject],
            "offered": bool(after),
            "taken": bool(after) and after[0][1][0] in ("pile", "take"),
        }


# ---------------------------------------------------------------- players with chance of their own


class Dicey(ginsim.Policy):
    """Draws at random all that it decides, and goes by what it has seen and drawn in the hand so far."""

    def begin(self, view):
        self.limit = self.rng.below(11)
        self.mood = 0

    def take_upcard(self, view):
        return self.rng.below(3) == 0

    def draw(self, view):
        self.mood += self.rng.below(5)
        return "pile" if self.mood % 4 == 0 else "stock"

    def discard(self, view):
        barred = 0 if view.forbidden_position is None else 1 << view.forbidden_position
        left = {card: deadwood_of(view.hand_mask ^ 1 << card) for card in cards_of(view.hand_mask & ~barred)}
        in_order = sorted(left, key=lambda card: (left[card], card))
        card = in_order[self.rng.below(3)]
        self.mood += card
        if left[in_order[0]] <= min(self.limit, view.knock_limit):
            return in_order[0] | 64
        return card


class AsPolicy:
    """A player of the twin that asks a policy in Python, with the twin's words for its own."""

    def __init__(self, kind):
        self.policy = kind()

    def begin(self, words):
        self.policy.rng = words
        self.policy.begin(None)

    def answer(self, view, words, default):
        self.policy.rng = words
        view.hand_mask, view.forbidden_position = view.hand, view.forbidden
        if view.question == "offer":
            return ("take",) if self.policy.take_upcard(view) else ("pass",)
        if view.question == "draw":
            return (self.policy.draw(view),)
        if view.question == "discard":
            answer = self.policy.discard(view)
            return ("knock" if answer & 64 else "discard", answer & 63)
        return ("pass",) if view.question == "last" else default


class Program:
    """What `dicey_bot.py` plays, with the seed of its hand as the protocol makes it."""

    def begin(self, words):
        self.dice = random.Random(words.word() << 20 | words.word() >> 12)

    def answer(self, view, words, default):
        if view.question in ("spread", "defend"):
            return default
        hand = sorted(cards_of(view.hand) - {view.forbidden})
        answer = throw(view.question, view.stock, len(hand), self.dice)
        return answer if isinstance(answer, tuple) else ("discard", hand[answer])


def throw(question, stock, cards, dice):
    """The answer of the program: a word, or the place of the card to throw."""
    if question == "draw":
        return ("pile" if dice.random() < 0.3 else "stock",)
    if question != "discard":
        return ("take",) if question == "offer" and dice.random() < 0.2 else ("pass",)
    return dice.randrange(cards)


def bot():
    """The program itself: it throws any card, draws as it likes and never knocks."""
    import json

    dice = random.Random()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print('{"protocol": 1, "name": "dicey", "version": "1", "hash": "1"}', flush=True)
        elif message["type"] == "hand":
            dice.seed(message["seed"])
        elif message["type"] == "question":
            order = "A23456789TJQK", "SHDC"
            hand = sorted(
                set(message["hand"].split()) - {message["forbidden"]},
                key=lambda card: (order[1].index(card[1]), order[0].index(card[0])),
            )
            answer = throw(message["question"], message["stock"], len(hand), dice)
            said = answer[0] if isinstance(answer, tuple) else {"discard": hand[answer]}
            print(json.dumps({"id": message["id"], "answer": said}), flush=True)


if __name__ == "__main__":
    bot()
