"""One hand of two players as a step machine: who is asked what, what may be answered, what follows."""

from dataclasses import asdict

from .cards import DECK, deadwood, in_order, loose, meldings, total, value
from .showdown import Facts, check_defence, check_spread, defences, price, score_hand


class TwinHand:
    """A hand between seats 0 and 1, from the deal to its facts.

    ``deck`` lists 52 cards: seat 0's ten, seat 1's ten, the upcard, then the stock, first drawn first.
    ``question`` says what seat ``actor`` is asked now; both are None when the hand is over.

    ======= ======================================================================================
    offer   ``"take"`` or ``"pass"`` the upcard
    draw    ``"stock"`` or ``"pile"``
    last    ``"take"`` the pile's top in order to declare at once, or ``"pass"``: the hand is void
    discard ``("discard", card)``, ``("knock", card)`` or ``("big_gin", None)``
    spread  the melds shown, a sequence of melds
    defend  ``(own melds, lay-offs)``: for each meld shown, in its order, the cards laid off on it, maybe none
    ======= ======================================================================================
    """

    def __init__(self, deck, dealer, rules):
        if sorted(deck) != sorted(DECK):
            raise ValueError("the deck is not the 52 cards, each once")
        self.rules = rules
        self.dealer = dealer
        self.hands = [set(deck[:10]), set(deck[10:20])]
        self.upcard = deck[20]
        self.pile = [self.upcard]  # the top card last
        self.stock = list(deck[21:])  # the next card first
        self.limit = self._limit_in_force()
        self.passes = []  # seats that refused the upcard, in order
        self.turns = [0, 0]  # draws of each seat, a taken upcard included
        self.discards = [[], []]  # plain discards of each seat, in order
        self.known = [set(), set()]  # cards taken from the pile and not thrown since
        self.forbidden = None  # the card the actor may not throw this turn
        self.must_declare = False  # after the last discard was taken
        self.face_down = None  # the knocker's discard
        self.declared = None  # "knock" or "big_gin"
        self.shown = None  # the knocker's melds, in the order given
        self.facts = None
        self.question, self.actor = "offer", 1 - dealer

    def _limit_in_force(self):
        if not self.rules.oklahoma:
            return self.rules.knock_limit
        if self.upcard[0] == "A" and self.rules.oklahoma_ace == "gin":
            return 0
        return value(self.upcard)

    @property
    def score(self):
        """Points by seat and winner, priced from the facts; None while the hand goes on."""
        return price(self.facts, self.rules) if self.facts else None

    def legal(self):
        """All legal answers to the question, cards and melds in the order of the deck."""
        if self.question == "offer" or self.question == "last":
            return ["take", "pass"]
        if self.question == "draw":
            return ["stock", "pile"]
        hand = self.hands[self.actor]
        if self.question == "discard":
            plain = [("discard", card) for card in in_order(hand) if card != self.forbidden]
            return ([] if self.must_declare else plain) + self._declarations(hand, self.forbidden)
        if self.question == "spread":
            limit = self._spread_limit()
            return [_plain(melds) for melds in meldings(hand) if total(loose(hand, melds)) <= limit]
        if self.question == "defend":
            return [(_plain(melds), _plain(layoffs)) for melds, layoffs in defences(hand, self.shown)]
        return []

    def _declarations(self, cards, forbidden):
        """Knocks, gins among them, and big gin that are legal with these eleven cards."""
        declarations = [
            ("knock", card)
            for card in in_order(cards)
            if card != forbidden and deadwood(cards - {card}) <= self.limit
        ]
        if self.rules.big_gin_bonus is not None and deadwood(cards) == 0:
            declarations.append(("big_gin", None))
        return declarations

    def _spread_limit(self):
        return 0 if self.declared == "big_gin" else self.limit

    def apply(self, answer):
        """Answer the question; ValueError, and nothing changed, if the answer is not legal."""
        if self.question is None:
            raise ValueError("the hand is over")
        if self.question == "spread":
            check_spread(self.hands[self.actor], answer, self._spread_limit())
        elif self.question == "defend":
            check_defence(self.hands[self.actor], self.shown, *answer)
        elif answer not in self.legal():
            raise ValueError(f"{answer!r} is not a legal answer to {self.question!r}: {self.legal()}")
        getattr(self, "_" + self.question)(answer)

    def _offer(self, answer):
        if answer == "take":
            self._take_from_pile()
            return
        self.passes.append(self.actor)
        if len(self.passes) == 1:
            self.actor = self.dealer
            return
        self.actor = 1 - self.dealer
        if self.rules.after_two_passes == "stock":
            self._take_from_stock()
        else:
            self.question = "draw"

    def _draw(self, answer):
        if answer == "pile":
            self._take_from_pile()
        else:
            self._take_from_stock()

    def _last(self, answer):
        if answer == "pass":
            self._end_without_winner("void")
        else:
            self.must_declare = True
            self._take_from_pile()

    def _take_from_pile(self):
        card = self.pile.pop()
        self.known[self.actor].add(card)
        self._hold(card, forbidden=None if self.rules.discard_taken else card)

    def _take_from_stock(self):
        self._hold(self.stock.pop(0), forbidden=None)

    def _hold(self, card, forbidden):
        self.hands[self.actor].add(card)
        self.turns[self.actor] += 1
        self.forbidden = forbidden
        self.question = "discard"

    def _discard(self, answer):
        kind, card = answer
        self.forbidden = None
        if kind == "big_gin":
            self.declared, self.question = kind, "spread"
            return
        self.hands[self.actor].remove(card)
        self.known[self.actor].discard(card)
        if kind == "knock":
            self.face_down = card
            self.declared, self.question = kind, "spread"
            return
        self.pile.append(card)
        self.discards[self.actor].append(card)
        self._after_plain_discard()

    def _after_plain_discard(self):
        self.actor = 1 - self.actor
        self.question = "draw"
        last_stock = 0 if self.rules.stock_end == "exhaust" else 2
        if len(self.stock) == last_stock:
            if self.rules.stock_end == "last_discard" and self._last_discard_helps():
                self.question = "last"
            else:
                self._end_without_winner("void")
        elif sum(self.turns) >= self.rules.max_turns:
            self._end_without_winner("cut")

    def _last_discard_helps(self):
        """Whether the actor could declare at once with the pile's top card."""
        top = self.pile[-1]
        forbidden = None if self.rules.discard_taken else top
        return bool(self._declarations(self.hands[self.actor] | {top}, forbidden))

    def _spread(self, melds):
        self.shown = tuple(frozenset(meld) for meld in melds)
        if loose(self.hands[self.actor], self.shown):
            self.question, self.actor = "defend", 1 - self.actor
        else:
            self._end_declared(self.actor, defence=None)

    def _defend(self, defence):
        self._end_declared(1 - self.actor, defence)

    def _end_declared(self, knocker, defence):
        self.facts = score_hand(
            self.declared,
            self.upcard,
            knocker,
            self.hands[knocker],
            self.shown,
            self.hands[1 - knocker],
            defence,
        )
        self.question = self.actor = None

    def _end_without_winner(self, how):
        self.facts = Facts(how, self.upcard)
        self.question = self.actor = None

    def snapshot(self):
        """The whole state as plain values: strings, numbers, None, and tuples of them."""
        facts = asdict(self.facts) if self.facts else None
        if facts and facts["layoffs"] is not None:
            facts["layoffs"] = _plain(facts["layoffs"])
        return {
            "dealer": self.dealer,
            "question": self.question,
            "actor": self.actor,
            "hands": _plain(self.hands),
            "upcard": self.upcard,
            "pile": tuple(self.pile),
            "stock": tuple(self.stock),
            "limit": self.limit,
            "passes": tuple(self.passes),
            "turns": tuple(self.turns),
            "discards": tuple(tuple(cards) for cards in self.discards),
            "known": _plain(self.known),
            "forbidden": self.forbidden,
            "face_down": self.face_down,
            "declared": self.declared,
            "shown": None if self.shown is None else _plain(self.shown),
            "facts": facts,
            "score": self.score and tuple(self.score),
        }


def _plain(groups):
    """Groups of cards as a tuple of tuples, each in the order of the deck."""
    return tuple(in_order(group) for group in groups)


def conservation(hand):
    """Raise ValueError unless there are 52 distinct cards, as many in each hand as is called for."""
    face_down = [hand.face_down] if hand.face_down else []
    places = [*hand.hands[0], *hand.hands[1], *hand.pile, *hand.stock, *face_down]
    if sorted(places) != sorted(DECK):
        raise ValueError(f"{len(places)} cards, {len(set(places))} distinct; 52 expected")
    holds_eleven = hand.question == "discard" or hand.declared == "big_gin"
    sizes = sorted(len(cards) for cards in hand.hands)
    if sizes != ([10, 11] if holds_eleven else [10, 10]):
        raise ValueError(f"hands of {sizes} cards at the question {hand.question!r}")
