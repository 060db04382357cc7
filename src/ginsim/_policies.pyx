# cython: language_level=3
"""The stock policies, native.

All arithmetic that decides play is in integers or fixed point, so that play is equal to the bit on every
machine. Where a source leaves a choice open, the class says what was chosen ("our choice").

A tie between discards goes to the highest card: the higher rank, and among equal ranks the first suit in
the order spades, hearts, diamonds, clubs.
"""
import re
from itertools import groupby
from operator import index

from cython cimport final
from libc.stdint cimport int32_t, int64_t

from ._bits cimport bit, count, highest, lowest, mask_t, rank_cards, uint8_t, value_of
from ._core cimport BIG_GIN, KNOCK, Policy, View, unseen
from ._melds cimport (
    MAX_SPREADS, Defence, Spread, all_spreads, best_discards, deadwood, defend_own_melds_first, points,
)
from ._melds cimport defend as exact_defence
from ._rng cimport Rng, below
from ._shape cimport cheaper, neighbours, one, ranks_of, reach, unfold

cdef enum:
    ALL_TURNS = 125      # more own turns than a hand can have
    CERTAIN = 1 << 8     # a chance of 1 in cautious's fixed point
    MOST_TRIED = 7       # discards that marjj looks ahead from
    FRACTION = 16        # bits after the point of marjj's weights

cdef int64_t NEVER = <int64_t>1 << 62   # more than any cost or score
cdef int32_t LOOK_AHEAD[ALL_TURNS]      # marjj's weight of the look-ahead by own turn - 1


# ---------------------------------------------------------------- cards

cdef int highest_card(mask_t cards) noexcept nogil:
    """The highest rank, of its cards the first suit."""
    return lowest(rank_cards(cards, highest(ranks_of(cards))))


cdef inline int any_card(mask_t cards, Rng* rng) noexcept nogil:
    """One of the cards, each as likely."""
    cdef int skipped = below(rng, count(cards))
    while skipped:
        cards &= cards - 1
        skipped -= 1
    return lowest(cards)


cdef inline mask_t back_forbidden(const View* v) noexcept nogil:
    """The upcard where it could not be thrown back at once, else nothing."""
    return 0 if v.discard_taken else bit(v.upcard)


cdef int outs(mask_t hand, mask_t hidden) noexcept nogil:
    """How many hidden cards would complete a meld: lower the deadwood just by coming to the ten cards."""
    cdef int before = deadwood(hand), n = 0
    cdef mask_t left = hidden & reach(hand), card
    while left:
        card = left & (0 - left)
        left ^= card
        if deadwood(hand | card) < before:
            n += 1
    return n


# ---------------------------------------------------------------- what all share

cdef class StockPolicy(Policy):
    """A stock policy: built from keywords, named by a spec.

    Attributes: `name`; `spec`, the text that builds it again, with the knobs that are not at their
    defaults; `knobs`, all knobs with their values. Class attributes: `NAME`; `SPEED`, of
    `policies.SPEED_CLASSES`; `KNOBS`, by name (default, low, high, help) for a whole number or (default,
    choices, help) for a choice or (default, check, help) for a text, where check gives its shortest form.
    ValueError for a knob or value not allowed.
    """

    NAME = ""
    SPEED = "native"
    KNOBS = {}

    def __init__(self, **knobs):
        kind = type(self)
        self.name = kind.NAME
        self.knobs = checked(kind.NAME, kind.KNOBS, knobs)
        changed = [f"{knob}={value}" for knob, value in self.knobs.items() if value != kind.KNOBS[knob][0]]
        self.spec = f"{kind.NAME}:{','.join(changed)}" if changed else kind.NAME
        self.settle()

    cdef int settle(self) except -1:
        """Put the knobs into fields, where the methods without the GIL find them."""
        return 0

    def __str__(self):
        return self.spec

    def __repr__(self):
        return f"<policy {self.spec}>"


def checked(policy, knobs, given):
    """The values of all knobs of a policy, in the order of `knobs`, those given checked."""
    for knob in given:
        if knob not in knobs:
            raise unknown_knob(policy, knobs, knob)
    values = {knob: given.get(knob, about[0]) for knob, about in knobs.items()}
    return {knob: checked_value(policy, knob, knobs[knob], value) for knob, value in values.items()}


def unknown_knob(policy, knobs, name):
    """The error for a knob that the policy does not have."""
    import difflib      # here and not above, to keep start-up short

    if not knobs:
        return ValueError(f"policy {policy} has no knob {name!r}: it has no knobs at all")
    near = difflib.get_close_matches(name, knobs, n=1, cutoff=0.5)
    hint = f", did you mean {near[0]}?" if near else ";"
    allowed = "; ".join(f"{knob}: {allowed_values(about)}" for knob, about in knobs.items())
    return ValueError(f"policy {policy} has no knob {name!r}{hint} allowed: {allowed}")


def checked_value(policy, knob, about, value):
    """The value, whole numbers of any kind as int; ValueError where it is not allowed."""
    if callable(about[1]):
        try:
            return about[1](value)
        except ValueError:
            pass
    elif len(about) == 3:
        if value in about[1]:
            return value
    elif not isinstance(value, bool):
        try:
            number = index(value)
        except TypeError:
            number = None
        if number is not None and about[1] <= number <= about[2]:
            return number
    raise ValueError(f"policy {policy}: {knob} is {value!r}; allowed: {allowed_values(about)}")


def allowed_values(about):
    """What a knob allows, in words."""
    if callable(about[1]):
        return about[1].allowed
    if len(about) == 3:
        return " or ".join(about[1])
    return f"a whole number from {about[1]} to {about[2]}"


cdef class Random(StockPolicy):
    """Takes the upcard, the pile and a legal knock with probability 1/2 each, throws any card.

    The discard is chosen first, uniformly among the legal ones; where the other ten cards may knock, it
    knocks with probability 1/2. Our choice: where eleven cards all meld it first declares big gin with
    probability 1/2; spread and defence are the exact ones.

    Source: the usual random baseline; this order of discard and knock is the one that reproduces the figures
    of scripts/check_reference.py.

    Knobs: none.
    """

    NAME = "random"

    cdef bint take_upcard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return below(rng, 2)

    cdef bint take_last(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return below(rng, 2)

    cdef bint draw_pile(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return below(rng, 2)

    cdef int discard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        cdef int card
        if v.big_gin and deadwood(v.hand) == 0 and below(rng, 2):
            return BIG_GIN
        if v.must_declare:
            return any_card(self.knocking_discards(v), rng) | KNOCK
        card = any_card(v.hand & ~one(v.forbidden), rng)
        if deadwood(v.hand ^ bit(card)) <= v.knock_limit and below(rng, 2):
            return card | KNOCK
        return card

    cdef mask_t knocking_discards(self, const View* v) noexcept nogil:
        cdef mask_t left = v.hand & ~one(v.forbidden), card, found = 0
        while left:
            card = left & (0 - left)
            left ^= card
            if deadwood(v.hand ^ card) <= v.knock_limit:
                found |= card
        return found


cdef struct Pairs:
    # By card: the cards that were drawn when it was thrown, or thrown when it was drawn.
    mask_t partners[64]


cdef class Simple(StockPolicy):
    """The baseline player of the EAAI-2021 challenge: melds what it can, throws any of the least deadwood.

    Takes the face-up card if and only if it makes a meld with cards of the hand. Throws uniformly among the
    discards that leave least deadwood, never one that would repeat an unordered pair {card drawn, card
    thrown} of its own in this hand. Knocks as soon as that leaves no more than the limit. Shows any of its
    least-deadwood spreads, long runs split in all ways. Defence `eaai`: any of its own least-deadwood
    spreads, then the loose cards laid off one after another; `exact`: the least count.

    Our choice, where the original has no answer: when every discard is barred by the pairs it throws
    uniformly among the least deadwood all the same; it declares big gin where it may; it takes the last
    discard if it can then declare with a discard that is not barred.

    Source: SimpleGinRummyPlayer in the framework of the EAAI-2021 Gin Rummy Undergraduate Research Challenge
    (T. W. Neller).

    Knobs: defence.
    """

    NAME = "simple"
    KNOBS = {"defence": ("eaai", ("eaai", "exact"), "own melds first, as the original, or the exact one")}

    cdef bint exact

    cdef int settle(self) except -1:
        self.exact = self.knobs["defence"] == "exact"
        self.memory_size = sizeof(Pairs)
        return 0

    cdef bint take_upcard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return (reach(v.hand) >> v.upcard) & 1

    cdef bint draw_pile(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return (reach(v.hand) >> v.upcard) & 1

    cdef bint take_last(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        cdef mask_t hand = v.hand | bit(v.upcard), best
        if v.big_gin and deadwood(hand) == 0:
            return True
        return self.candidates(v, hand, v.upcard, back_forbidden(v), memory, &best) <= v.knock_limit

    cdef int candidates(
        self, const View* v, mask_t hand, int drawn, mask_t forbidden, void* memory, mask_t* best
    ) noexcept nogil:
        """The least deadwood that a discard leaves, and the discards that leave it."""
        cdef mask_t barred = forbidden | (<Pairs*>memory).partners[drawn]
        if hand & ~barred == 0:
            barred = forbidden
        return best_discards(hand, barred, best)

    cdef int discard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        cdef Pairs* pairs = <Pairs*>memory
        cdef mask_t best
        cdef int least, card
        if v.big_gin and deadwood(v.hand) == 0:
            return BIG_GIN
        least = self.candidates(v, v.hand, v.drawn, one(v.forbidden), memory, &best)
        card = any_card(best, rng)
        if least <= v.knock_limit:
            return card | KNOCK
        pairs.partners[v.drawn] |= bit(card)
        pairs.partners[card] |= bit(v.drawn)
        return card

    cdef void spread(self, const View* v, Spread* out, void* memory, Rng* rng) noexcept nogil:
        cdef Spread spreads[MAX_SPREADS]
        cdef int n = all_spreads(v.hand, spreads)
        out[0] = spreads[below(rng, n)]

    cdef void defend(self, const View* v, Defence* out, void* memory, Rng* rng) noexcept nogil:
        cdef Spread own
        if self.exact:
            exact_defence(v.hand, &v.shown, out)
        else:
            self.spread(v, &own, memory, rng)
            defend_own_melds_first(v.hand, &own, &v.shown, out)


# ---------------------------------------------------------------- players of least deadwood

THREE_KNOBS = ("knock_at", "until_turn", "then_at")
NO_TABLE = "none"
MOST_THRESHOLD = 98


def thresholds_of(table):
    """The thresholds by own turn that a text names, such as 10x3-7-0: 10 on turns 1 to 3, 7 on 4, then 0."""
    thresholds = []
    for part in str(table).split("-"):
        found = re.fullmatch("([0-9]{1,2})(?:x([0-9]{1,3}))?", part)
        if not found or int(found[1]) > MOST_THRESHOLD or not 1 <= int(found[2] or 1) <= ALL_TURNS:
            raise ValueError(f"{part!r} is no threshold")
        thresholds += [int(found[1])] * int(found[2] or 1)
    if len(thresholds) > ALL_TURNS:
        raise ValueError(f"{len(thresholds)} turns are too many")
    return tuple(thresholds)


def table_text(thresholds):
    """The text of thresholds by own turn, from 1, the last of which holds on; as short as it can be."""
    *runs, (last, _) = [(value, len(list(turns))) for value, turns in groupby(thresholds)]
    return "-".join([*(f"{value}x{times}" if times > 1 else str(value) for value, times in runs), str(last)])


def checked_table(value):
    """The text of a table in its shortest form; ValueError for what is none."""
    return value if value == NO_TABLE else table_text(thresholds_of(value))


checked_table.allowed = (
    f"{NO_TABLE}, or deadwoods from 0 to {MOST_THRESHOLD} by own turn such as 10x3-7-0, which is 10 on turns "
    f"1 to 3, 7 on turn 4 and 0 from then on, for at most {ALL_TURNS} turns"
)


def knock_knobs(knock_at, until_turn, then_at):
    """The knobs of when to knock, with these defaults."""
    return {
        "knock_at": (knock_at, 0, 98, "knocks at this deadwood or less, within the limit in force"),
        "until_turn": (until_turn, 0, ALL_TURNS, "the last own turn on which knock_at holds"),
        "then_at": (then_at, 0, 98, "knocks at this deadwood or less on later turns; 0 is gin only"),
        "table": (NO_TABLE, checked_table, "instead of these, the deadwood to knock at by own turn"),
    }


cdef class LeastDeadwood(StockPolicy):
    """What `greedy` and its kin share; most of them change one thing.

    Takes the pile's card if that lowers the deadwood left after the best discard, or makes gin or big gin
    at once. Declares big gin and gin wherever it can; knocks at `knock_at` or less on own turns up to
    `until_turn`, later at `then_at` or less, always within the limit in force, and with the highest of the
    discards that leave least deadwood. Takes the last discard if and only if it then declares.
    """

    cdef uint8_t knocks[ALL_TURNS + 2]      # by own turn: knocks at this deadwood or less

    KNOCKS = (98, ALL_TURNS, 0)      # knock_at, until_turn, then_at where they are no knobs

    cdef int settle(self) except -1:
        cdef int turn
        thresholds = self.thresholds
        for turn in range(1, ALL_TURNS + 2):
            self.knocks[turn] = thresholds[min(turn, len(thresholds)) - 1]
        return 0

    @property
    def thresholds(self):
        """By own turn, from 1: knocks at this deadwood or less, within the limit; the last holds on."""
        kind = type(self)
        table = self.knobs.get("table", NO_TABLE)
        if table != NO_TABLE:
            named = [knob for knob in THREE_KNOBS if self.knobs[knob] != kind.KNOBS[knob][0]]
            if named:
                raise ValueError(
                    f"policy {kind.NAME}: table and {named[0]} are both given; allowed: a table, or the "
                    f"others of {', '.join(THREE_KNOBS)}"
                )
            return thresholds_of(table)
        knock_at, until_turn, then_at = (
            self.knobs.get(knob, default) for knob, default in zip(THREE_KNOBS, kind.KNOCKS)
        )
        return ((knock_at,) * until_turn + (then_at,))[:ALL_TURNS]

    cdef bint wants(self, const View* v) noexcept nogil:
        """Whether the pile's card is worth taking."""
        cdef mask_t taken = bit(v.upcard), can_meld = reach(v.hand), dearer
        cdef int before, after
        if not can_meld & taken:
            # It would stay loose: good only in the place of a dearer card, and of a loose one without fail.
            dearer = v.hand & ~cheaper(value_of(v.upcard) + 1)
            if not dearer:
                return False
            if dearer & ~can_meld:
                return True
        before = deadwood(v.hand)
        after = best_discards(v.hand | taken, taken, NULL)
        return after < before or after == 0

    cdef int throw(self, const View* v, mask_t best) noexcept nogil:
        """The plain discard; `best` are those that leave least deadwood."""
        return highest_card(best)

    @final
    cdef inline bint declares(self, const View* v, int left, int turn) noexcept nogil:
        """Whether it ends the hand on this own turn, when the best discard leaves this deadwood."""
        return left <= v.knock_limit and left <= self.knocks[turn]

    cdef bint take_upcard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.wants(v)

    cdef bint draw_pile(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.wants(v)

    cdef bint take_last(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        cdef int left = best_discards(v.hand | bit(v.upcard), back_forbidden(v), NULL)
        return self.declares(v, left, v.turns[v.seat] + 1)

    cdef int discard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        cdef mask_t best
        cdef int left = best_discards(v.hand, one(v.forbidden), &best)
        # Eleven melded cards have a meld of four or more, and either of two of its cards could go: left is 0.
        if left == 0 and v.big_gin and deadwood(v.hand) == 0:
            return BIG_GIN
        if v.must_declare or self.declares(v, left, v.turns[v.seat]):
            return highest_card(best) | KNOCK
        return self.throw(v, best)


cdef class Greedy(LeastDeadwood):
    """Least deadwood at every turn, and knocks as soon as that is legal.

    Takes the pile's card if and only if that lowers the deadwood left after the best discard. Throws the
    highest of the discards that leave least deadwood.

    Our choice: with gin dealt it takes an upcard that leaves it gin, which lowers nothing but ends the hand.

    Source: the common baseline of Gin Rummy programs.

    Knobs: none.
    """

    NAME = "greedy"


cdef class Threshold(LeastDeadwood):
    """Plays as `greedy`, but knocks only at or below a deadwood of its choice.

    Knocks at `knock_at` or less on own turns up to `until_turn`, at `then_at` or less on later ones, always
    within the limit in force; it never plays on with gin.

    Our choice: by default one threshold for the whole hand, and a low one, since of the fixed thresholds the
    lowest score best against the other stock policies.

    Source: the fixed or falling knocking threshold of many Gin Rummy programs.

    Knobs: knock_at, until_turn, then_at; or table.
    """

    NAME = "threshold"
    KNOBS = knock_knobs(3, ALL_TURNS, 0)


cdef class GinOnly(LeastDeadwood):
    """Plays as `greedy`, but never knocks: it plays on for gin.

    Source: ours.

    Knobs: none.
    """

    NAME = "gin_only"
    KNOCKS = (0, ALL_TURNS, 0)


cdef class Early(LeastDeadwood):
    """Plays as `greedy`, but knocks only on its own turns 1 to 3, at 10 or less, and then plays for gin.

    Source: the knocking rule of `marjj`.

    Knobs: none; `threshold:knock_at=10,until_turn=3` plays the same with knobs.
    """

    NAME = "early"
    KNOCKS = (10, 3, 0)


cdef class Keeper(LeastDeadwood):
    """Plays as `greedy`, but among equal discards keeps the cards that can grow.

    Of the discards that leave least deadwood it throws the one that leaves most outs: unseen cards that
    would complete a meld, which is to say lower the deadwood just by coming to the ten cards. Ties go to
    the highest card.

    Our choice: as a knock ends the hand, outs play no part in its discard; it knocks as soon as that is
    legal.

    Source: ours.

    Knobs: knock_at, until_turn, then_at; or table.
    """

    NAME = "keeper"
    KNOBS = knock_knobs(*LeastDeadwood.KNOCKS)

    cdef int throw(self, const View* v, mask_t best) noexcept nogil:
        cdef mask_t hidden = unseen(v)
        cdef int most = -1, thrown = 0, card, here
        if best & (best - 1) == 0:      # no tie
            return lowest(best)
        while best:
            card = highest_card(best)
            best ^= bit(card)
            here = outs(v.hand ^ bit(card), hidden)
            if here > most:
                most = here
                thrown = card
        return thrown


cdef struct Odds:
    # What the opponent may hold, as far as the view tells.
    mask_t known         # certainly held
    mask_t hidden        # cards whose place is not known
    mask_t courted       # those that could be in one meld with a card it is known to hold
    mask_t scorned       # those that could have been in one meld with a card it threw or left lying
    int chance           # of a hidden card, all else equal, in units of 1 / CERTAIN


cdef inline int held(const Odds* odds, mask_t card) noexcept nogil:
    """The chance that the opponent holds a card, of CERTAIN; 0 for what is no card."""
    cdef int chance = odds.chance
    if card & odds.known:
        return CERTAIN
    if not card & odds.hidden:
        return 0
    if card & odds.courted:
        chance *= 2
    if card & odds.scorned:
        chance >>= 1
    return chance if chance < CERTAIN else CERTAIN


cdef int use(const Odds* odds, mask_t card) noexcept nogil:
    """The chance that the opponent can meld a card, of CERTAIN squared: a sum over pairs of partners."""
    cdef int low = held(odds, card >> 1), high = held(odds, card << 1)
    cdef int a = held(odds, card << 16 | card >> 48)
    cdef int b = held(odds, card << 32 | card >> 32)
    cdef int c = held(odds, card << 48 | card >> 16)
    cdef int chance = low * high + low * held(odds, card >> 2) + high * held(odds, card << 2)
    chance += a * b + a * c + b * c
    return chance if chance < CERTAIN * CERTAIN else CERTAIN * CERTAIN


cdef class Cautious(LeastDeadwood):
    """Plays as `greedy`, but weighs what a discard offers the opponent against what it keeps.

    Throws the card with the least sum of: the deadwood left, minus 1 for each out of the ten cards left (as
    `keeper` counts them), plus `caution` times the chance that the opponent can meld the card. That chance
    is the sum, at most 1, over the pairs of cards it would meld with, of the product of the chances that
    the opponent holds them: 1 for a card it took and keeps, 0 for one that lies elsewhere, else the share
    of the hidden cards that it holds, doubled for a card that could be in one meld of three with a card it
    took and keeps, halved for one that could have been in one with a card it threw, passed or left lying.
    Chances are in fixed point with 8 bits after the point, rounded down.

    Our choice: all of this. Ties go to the discard that leaves less deadwood, then to the highest card; it
    knocks as soon as that is legal.

    Source: ours.

    Knobs: caution; knock_at, until_turn, then_at; or table.
    """

    NAME = "cautious"
    KNOBS = {
        "caution": (5, 0, 100, "points that it costs to throw a card the opponent can meld"),
        **knock_knobs(*LeastDeadwood.KNOCKS),
    }

    cdef int caution

    cdef int settle(self) except -1:
        LeastDeadwood.settle(self)
        self.caution = self.knobs["caution"]
        return 0

    cdef int throw(self, const View* v, mask_t best) noexcept nogil:
        cdef Odds odds
        cdef mask_t barred = one(v.forbidden), tied, card
        cdef int most_outs, thrown = 0, left
        cdef int64_t cost, least = NEVER
        odds.known = v.known
        odds.hidden = unseen(v)
        odds.courted = neighbours(v.known)
        odds.scorned = neighbours(v.thrown[1 - v.seat] | v.refused[1 - v.seat])
        odds.chance = (10 - count(v.known)) * CERTAIN // count(odds.hidden) if odds.hidden else 0
        most_outs = count(odds.hidden & reach(v.hand))
        while v.hand & ~barred:
            left = best_discards(v.hand, barred, &tied)
            if <int64_t>(left - most_outs) * CERTAIN * CERTAIN >= least:
                break
            barred |= tied
            while tied:
                card = bit(highest_card(tied))
                tied ^= card
                cost = <int64_t>(left - outs(v.hand ^ card, odds.hidden)) * CERTAIN * CERTAIN
                cost += self.caution * use(&odds, card)
                if cost < least:
                    least = cost
                    thrown = lowest(card)
        return thrown


cdef int64_t sum_after_draw(mask_t hand, mask_t hidden, int before) noexcept nogil:
    """Sum over the hidden cards of the least deadwood after drawing one of them and throwing the best card.

    `before` is the deadwood of the ten cards. A card that melds with nothing in them goes again, or takes
    the place of the card whose loss lowers the deadwood most: all such cards of one side of that gain are
    summed at once.
    """
    cdef mask_t melding = hidden & reach(hand), others = hidden ^ melding, kept, card
    cdef int nine = best_discards(hand, 0, NULL)
    cdef int64_t total
    kept = others & cheaper(before - nine)
    total = points(kept) + nine * count(kept) + before * count(others ^ kept)
    while melding:
        card = melding & (0 - melding)
        melding ^= card
        total += best_discards(hand | card, 0, NULL)
    return total


cdef class Marjj(LeastDeadwood):
    """Looks one card ahead, fears what a discard offers, knocks early or goes for gin.

    Takes the pile's card only into a meld that lowers deadwood. Throws the card with the least sum of: the
    deadwood left; 18 * 0.9^(own turn - 1) times the mean, over the unseen cards, of the least deadwood
    after drawing that card and throwing the best; and the danger of the discard. It looks at the seven
    discards of least deadwood. Knocks at 10 or less on own turns 1 to 3 and later only with gin; shows the
    spread that leaves least to lay off.

    Danger: 20 if the opponent is known to hold two cards that the discard would meld with, -10 if no two
    cards that it may hold would. A neighbour in suit, a card two away and one of the same rank count 5, 3
    and 4 if it is known to hold one, and -5, -3 and -4 if it threw one (also this card itself).

    Our choice: this reading of the danger. The card taken must be melded in every arrangement of least
    deadwood of the eleven. Ties go to the discard that leaves less deadwood, then to the highest card, and
    so does the choice of the seven. The weight is rounded down to 16 bits after the point, the rest exact.

    Source: the later public bot of the EAAI-2021 challenge's champion team, as far as its rules are public.

    Knobs: knock_at, until_turn, then_at; or table.
    """

    NAME = "marjj"
    KNOBS = knock_knobs(10, 3, 0)

    cdef bint wants(self, const View* v) noexcept nogil:
        cdef mask_t taken = bit(v.upcard)
        cdef int before, after
        if not reach(v.hand) & taken:
            return False
        before = deadwood(v.hand)
        after = best_discards(v.hand | taken, taken, NULL)
        return (after < before or after == 0) and deadwood(v.hand | taken) < before + value_of(v.upcard)

    cdef int throw(self, const View* v, mask_t best) noexcept nogil:
        cdef mask_t hidden = unseen(v), barred = one(v.forbidden), tied, card
        cdef int n = count(hidden), tried = 0, thrown = 0, left
        cdef int64_t weight = LOOK_AHEAD[v.turns[v.seat] - 1], score, least = NEVER
        while tried < MOST_TRIED and v.hand & ~barred:
            left = best_discards(v.hand, barred, &tied)
            barred |= tied
            while tied and tried < MOST_TRIED:
                card = bit(highest_card(tied))
                tied ^= card
                tried += 1
                # The mean's division by n is left out: all is n times as large.
                score = (<int64_t>(left + danger(v, card, hidden)) << FRACTION) * n
                score += weight * sum_after_draw(v.hand ^ card, hidden, left)
                if score < least:
                    least = score
                    thrown = lowest(card)
        return thrown


cdef int danger(const View* v, mask_t card, mask_t hidden) noexcept nogil:
    """What marjj fears of a discard."""
    cdef mask_t held = v.known, threw = v.thrown[1 - v.seat]
    cdef mask_t beside = card << 1 | card >> 1, two_away = card << 2 | card >> 2
    cdef mask_t same_rank = unfold(ranks_of(card))
    cdef int total = 0
    if reach(held) & card:
        total += 20
    elif not reach(held | hidden) & card:
        total -= 10
    total += 5 * (((beside & held) != 0) - ((beside & threw) != 0))
    total += 3 * (((two_away & held) != 0) - ((two_away & threw) != 0))
    total += 4 * (((same_rank & held) != 0) - ((same_rank & threw) != 0))
    return total


STOCK = {
    policy.NAME: policy
    for policy in (Random, Simple, Greedy, Threshold, GinOnly, Early, Keeper, Cautious, Marjj)
}


cdef int fill_tables() except -1:
    cdef int turn
    weight = 18 << FRACTION     # a Python integer, so that the powers are exact
    for turn in range(ALL_TURNS):
        LOOK_AHEAD[turn] = weight * 9 ** <object>turn // 10 ** <object>turn
    return 0


fill_tables()
