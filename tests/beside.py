"""The core and its twin side by side: a hand stepped in both, and everything compared after every action."""

from collections import Counter

import twin
from twin import DECK, MELDS, TwinHand, arrangements, best_defences, in_order, loose, meldings, total

from ginsim._score import price_of
from ginsim._table import Table

# The twin's cards as the core's, by their place in a mask; None is no card in both.
PLACE = {card: twin.mask([card]).bit_length() - 1 for card in DECK} | {None: None}
ALL_CARDS = twin.mask(DECK)


def positions(cards):
    return [PLACE[card] for card in cards]


def mask(cards):
    return sum(1 << PLACE[card] for card in cards)


def masks(groups):
    return tuple(map(mask, groups))


def in_core(question, answer):
    """An answer of the twin as the core takes it."""
    if question == "discard":
        kind, card = answer
        return ("big_gin",) if kind == "big_gin" else (kind, PLACE[card])
    if question == "spread":
        return "spread", masks(answer)
    if question == "defend":
        return "defend", masks(answer[0]), masks(answer[1])
    return (answer,)


def everything(table):
    """All that can be read from a table, to see whether it has changed."""
    views = [table.view(seat).tobytes() for seat in (0, 1)]
    return views, table.question, table.actor, table.hands(), table.stock(), table.facts


def refused(table, answer):
    """Whether the core refuses an answer; if so it must have changed nothing."""
    before = everything(table)
    try:
        table.apply(answer)
    except ValueError:
        assert everything(table) == before
        return True
    return False


class Beside:
    """One hand in the core and in the twin; `apply` takes the twin's answers."""

    def __init__(self, deck, dealer, rules):
        self.rules = rules
        self.codes = rules.codes()
        self.twin = TwinHand(deck, dealer, rules)
        self.table = Table(self.codes, positions(deck), dealer)
        # What the twin does not remember: cards drawn and refused.
        self.drawn = None
        self.taken = [[], []]
        self.refused = [set(), set()]
        self.asked = Counter()  # how often each question was put
        self.compare()

    def apply(self, answer):
        twin, question, actor = self.twin, self.twin.question, self.twin.actor
        top, held, turns = twin.pile[-1:], twin.hands[0] | twin.hands[1], list(twin.turns)
        self.asked[question] += 1
        twin.apply(answer)
        self.table.apply(in_core(question, answer))
        if answer in ("pass", "stock"):
            self.refused[actor].update(top)
        for seat in (0, 1):
            if twin.turns[seat] > turns[seat]:
                (self.drawn,) = (twin.hands[0] | twin.hands[1]) - held
                self.taken[seat].append(self.drawn if answer in ("take", "pile") else None)
        self.compare()

    def compare(self):
        table, twin = self.table, self.twin
        assert table.broken() == 0
        assert table.question == (twin.question or "over")
        assert table.actor == twin.actor
        assert table.hands() == masks(twin.hands)
        assert table.stock() == positions(twin.stock)
        assert table.facts == self.facts()
        if twin.question is None:
            assert table.legal() == []
            self.compare_score()
            return
        assert table.view().tobytes() == table.view(twin.actor).tobytes()
        for seat in (0, 1):
            view, expected = table.view(seat).as_dict(), self.view(seat)
            assert {name: view[name] for name in expected} == expected
        self.compare_legal()

    def doubled(self):
        return self.rules.oklahoma_spades_double and self.twin.upcard[1] == "S"

    def facts(self):
        """What the core must say happened."""
        twin, facts = self.twin, self.twin.facts
        return {
            "upcard": PLACE[twin.upcard],
            "limit": twin.limit,
            "doubled": self.doubled(),
            "ending": facts.how if facts else "going",
            "knocker": facts and facts.knocker,
            "knocker_count": facts and facts.knocker_count,
            "defender_count": facts and facts.defender_count,
            "laid": mask(frozenset().union(*facts.layoffs)) if facts and facts.layoffs else 0,
        }

    def view(self, seat):
        """What a seat may know."""
        twin = self.twin
        defending = twin.question == "defend"
        in_turn = twin.question in ("discard", "spread") and seat == twin.actor
        knocker = 1 - twin.actor if defending else None
        revealed = [twin.hands[s] if s == knocker else twin.known[s] for s in (0, 1)]
        places = [*twin.hands[seat], *revealed[1 - seat], *twin.pile]
        if in_turn and twin.face_down:
            places.append(twin.face_down)
        view = {
            "question": twin.question,
            "seat": seat,
            "dealer": twin.dealer,
            "hand": mask(twin.hands[seat]),
            "known": mask(revealed[1 - seat]),
            "exposed": mask(revealed[seat]),
            "unseen": ALL_CARDS & ~mask(places),
            "upcard": PLACE[twin.pile[-1]] if twin.pile else None,
            "drawn": PLACE[self.drawn] if in_turn else None,
            "pile": positions(twin.pile),
            "thrown": [positions(cards) for cards in twin.discards],
            "taken": [positions(cards) for cards in self.taken],
            "refused": list(masks(self.refused)),
            "passes": len(twin.passes),
            "stock": len(twin.stock),
            "turns": twin.turns,
            "knock_limit": twin.limit,
            "big_gin": self.rules.big_gin_bonus is not None,
            "shown": list(masks(twin.shown)) if defending else [],
            "shown_deadwood": total(loose(twin.hands[knocker], twin.shown)) if defending else 0,
        }
        if twin.question == "discard":
            view |= {"forbidden": PLACE[twin.forbidden], "must_declare": twin.must_declare}
        return view

    def compare_legal(self):
        """The core names the twin's answers; of spreads and defences it names one of the best."""
        twin, legal = self.twin, self.table.legal()
        if twin.question == "spread":
            ((_, shown),) = legal
            best = arrangements(twin.hands[twin.actor])
            assert set(shown) in [set(masks(melds)) for melds in best]
        elif twin.question == "defend":
            ((_, own, laid),) = legal
            hand = twin.hands[twin.actor]
            left = [card for card in hand if not mask([card]) & sum((*own, *laid))]
            assert total(left) == best_defences(hand, twin.shown)[0]
            assert not refused(self.table.fork(), legal[0])
        else:
            assert sorted(legal) == sorted(in_core(twin.question, answer) for answer in twin.legal())

    def compare_score(self):
        facts, (points, winner) = self.twin.facts, self.twin.score
        self.outcome = facts.how
        if facts.how == "knock" and facts.defender_count <= facts.knocker_count:
            self.outcome = "tie" if facts.defender_count == facts.knocker_count else "undercut"
        counts = facts.knocker, facts.knocker_count, facts.defender_count
        priced = price_of(self.codes, facts.how, *counts, self.doubled())
        assert priced == (self.outcome, winner, sum(points))

    def try_others(self, dice):
        """Many answers, legal and not: the core accepts just those that the twin does."""
        question, legal, others = self.twin.question, *self.legal_and_others(dice)
        for answer in others:
            assert refused(self.table.fork(), in_core(question, answer)) == (answer not in legal), answer
        illegal = [answer for answer in others if answer not in legal]
        snapshot = self.twin.snapshot()
        for answer in dice.sample(illegal, min(2, len(illegal))):
            assert refused(self.table, in_core(question, answer))
            try:
                self.twin.apply(answer)
            except ValueError:
                assert self.twin.snapshot() == snapshot
            else:
                raise AssertionError(f"the twin accepts {answer}")

    def legal_and_others(self, dice):
        """The twin's legal answers as a set, and answers of the same form."""
        twin = self.twin
        if twin.question == "discard":
            others = [(kind, card) for kind in ("discard", "knock") for card in DECK]
            return set(twin.legal()), [*others, ("big_gin", None)]
        if twin.question == "spread":
            hand = twin.hands[twin.actor]
            some = dice.choices(meldings(hand), k=5) + [near_melds(dice, hand) for _ in range(10)]
            return set(map(in_any_order, twin.legal())), [in_any_order(melds) for melds in some]
        if twin.question == "defend":
            hand, legal = twin.hands[twin.actor], twin.legal()
            some = dice.choices(legal, k=5)
            some += [(near_melds(dice, hand), near_lay_offs(dice, hand, twin.shown)) for _ in range(10)]
            some += [(melds, near_lay_offs(dice, hand, twin.shown)) for melds, _ in dice.choices(legal, k=5)]
            return {(in_any_order(melds), laid) for melds, laid in legal}, [
                (in_any_order(melds), laid) for melds, laid in some
            ]
        return set(twin.legal()), ["take", "pass", "stock", "pile"]


def in_any_order(melds):
    """Melds in a form that does not depend on their order."""
    return tuple(sorted(map(in_order, melds)))


def near_melds(dice, hand):
    """Up to three groups of cards, most of them melds, some of them not of the hand or not apart."""
    own = [meld for meld in MELDS if len(meld & hand) >= len(meld) - 1]
    cards = sorted(hand)
    groups = [*dice.choices(own, k=3), dice.sample(cards, 2), dice.sample(cards, 3)] if own else [cards[:3]]
    return dice.sample(groups, dice.randrange(min(4, len(groups) + 1)))


def near_lay_offs(dice, hand, shown):
    """For each meld shown no card, or some that may not fit."""
    longer = [[meld - set(onto) for meld in MELDS if meld > set(onto)] for onto in shown]
    fitting = [[added for added in choices if len(added - hand) <= dice.randrange(2)] for choices in longer]
    return tuple(
        in_order(dice.choice([(), (), *choices, dice.sample(sorted(hand), 1)])) for choices in fitting
    )
