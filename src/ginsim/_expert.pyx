# cython: language_level=3
"""The learned policy: value nets look at what each answer leaves, and the best is given.

Nothing here looks ahead: the nets have learned by self-play what a position after an answer is worth.
"""
from cython cimport embedsignature
from libc.stdint cimport int32_t
from libc.stdlib cimport abs

from ._bits cimport bit, lowest, mask_t, uint16_t
from ._core cimport (
    BIG_GIN, DISCARD, DRAW, KNOCK, LAST, NO, READS_BIG_GIN_BONUS, READS_GAME, READS_GIN_BONUS, READS_SCORES,
    READS_UNDERCUT_BONUS, YES, View,
)
from ._features cimport (
    LEFT, LEFT_FIRST, LEFT_SECOND, THROWN, Sight, Throw, describe, discards_within, own_card, survey,
)
from ._melds cimport best_discards, deadwood
from ._nets cimport AFTER, FIRST, KNOCKING, LEAVING, POINT, Net, Weights, add_rows, begin_sum, value
from ._policies cimport StockPolicy, highest_card
from ._rng cimport Rng
from ._shape cimport one, reach
from ._table cimport SeatView
from ._worth cimport Worth

from . import nets

cdef enum:
    OTHER_GAME = 1000        # farther than any bonus: with or without big gin
    MARGIN = 10              # points above the least deadwood that a discard may leave, to be valued
    KNOCKS_TRIED = 2
    NEVER = -(1 << 30)       # less than any value


OWN_NETS = "own"
AIMS = nets.AIMS


def checked_net(path):
    """The path of a net's file, or `own`; ValueError for what is no path."""
    if not isinstance(path, str) or not path:
        raise ValueError(f"{path!r} is no path")
    return path


checked_net.allowed = f"{OWN_NETS}, or the path of a net's file"


cdef void begin(const Weights* w, const Sight* sight, mask_t hand, int32_t* sums) noexcept nogil:
    """The first layer's sums of what is common, and of all cards of the hand."""
    cdef uint16_t own[11]
    cdef int n = 0
    begin_sum(w, sums)
    add_rows(w, sight.rows, sight.n, sums)
    while hand:
        own[n] = own_card(lowest(hand))
        hand &= hand - 1
        n += 1
    add_rows(w, own, n, sums)


cdef int leaving(const View* v) noexcept nogil:
    """The stage that leaving the pile's card comes to."""
    if v.question == DRAW:
        return LEFT
    return LEFT_FIRST if v.passes == 0 else LEFT_SECOND


cdef int chosen(const Choices* choices) noexcept nogil:
    """The best discard, or the knock that is worth more."""
    return choices.knock.answer if choices.knock.value > choices.throw.value else choices.throw.answer


cdef class Valuer(StockPolicy):
    """Plays by a net that learned these rules, or rules near them; with `worth` one that learned the game."""

    NAME = "valuer"
    SPEED = "learned"

    def __cinit__(self, *args, **knobs):
        self.nets = self.learned = self.worths = ()
        self.content = {}
        self.memory_size = sizeof(Plan)
        self.may_forget = True

    def __init__(self, Net net not None, rules, Worth worth=None):
        StockPolicy.__init__(self)
        self.use(net, rules, worth)

    cdef int use(self, Net net, rules, Worth worth) except -1:
        """Play by this net under rules near those that it learned; it outlives the policy."""
        cdef Trained* trained = &self.trained[self.n]
        self.nets += (net,)
        self.learned += (rules,)
        trained.heads = net.heads
        trained.gin_bonus = rules.gin_bonus
        trained.big_gin_bonus = -1 if rules.big_gin_bonus is None else rules.big_gin_bonus
        trained.undercut_bonus = rules.undercut_bonus
        if worth is not None:
            self.worths += (worth,)
            trained.worth = <void*>worth
            self.reads |= READS_SCORES | READS_GAME
        self.n += 1
        if self.n > 1:
            self.reads |= READS_GIN_BONUS | READS_BIG_GIN_BONUS | READS_UNDERCUT_BONUS
        return 0

    def values(self, SeatView view not None):
        """What each answer to a view's question is worth, in points: pairs of answer and value.

        Of OFFER, DRAW and LAST the answers are 1 (take the pile's card) and 0, of DISCARD a card's position,
        plus 64 where it knocks; only those that are valued. Nothing for other questions.
        """
        cdef const View* v = &view.v
        cdef Choices choices
        cdef Choice leave
        cdef Sight sight
        cdef int i
        found = []
        if v.question > DISCARD:
            return found
        if v.question == DISCARD:
            self.value_discards(v, one(v.forbidden), False, &choices)
            for i in range(choices.tried):
                found.append((choices.throws[i].answer, choices.throws[i].value / <double>POINT))
            if choices.knock.answer >= 0:
                found.append((choices.knock.answer, choices.knock.value / <double>POINT))
            return found
        if v.question == LAST:
            leave.value = 0
        else:
            self.value_leaving(v, leaving(v), &sight, &leave)
        found.append((NO, leave.value / <double>POINT))
        if self.value_taking(v, &choices):
            found.append((YES, max(choices.throw.value, choices.knock.value) / <double>POINT))
        return found

    cdef const Weights* heads(self, const View* v) noexcept nogil:
        return self.nearest(v).heads

    cdef const Trained* nearest(self, const View* v) noexcept nogil:
        """The net whose bonuses are nearest to those in force."""
        cdef int i, best = 0, distance, least = 1 << 30
        if self.n == 1:
            return &self.trained[0]
        for i in range(self.n):
            distance = abs(self.trained[i].gin_bonus - v.stakes.gin_bonus)
            distance += abs(self.trained[i].undercut_bonus - v.stakes.undercut_bonus)
            if (self.trained[i].big_gin_bonus >= 0) != v.big_gin:
                distance += OTHER_GAME
            elif v.big_gin:
                distance += abs(self.trained[i].big_gin_bonus - v.stakes.big_gin_bonus)
            if distance < least:
                least = distance
                best = i
        return &self.trained[best]

    cdef void value_discards(
        self, const View* v, mask_t forbidden, bint taking, Choices* out
    ) noexcept nogil:
        """Value the discards that leave little deadwood, and the best knocks."""
        cdef const Weights* heads = self.heads(v)
        cdef int32_t sums[FIRST]
        cdef Throw throws[11]
        cdef Choice* choice
        cdef int i, n
        survey(v, THROWN, taking, &out.sight)
        n = discards_within(&out.sight.hand, forbidden, MARGIN, throws)
        out.throw.answer = out.knock.answer = -1
        out.throw.value = out.knock.value = NEVER
        out.tried = 0
        if throws[0].left <= v.knock_limit:
            self.value_knocks(heads, &out.sight, throws, n, &out.knock)
        if v.must_declare or v.question == LAST:
            return
        begin(&heads[AFTER], &out.sight, out.sight.hand.cards, sums)
        out.tried = n
        for i in range(n):
            choice = &out.throws[i]
            choice.answer = choice.card = lowest(throws[i].card)
            choice.ten = out.sight.hand.cards ^ throws[i].card
            choice.n = describe(&out.sight, choice.ten, choice.card, choice.rows)
            choice.value = value(&heads[AFTER], sums, own_card(choice.card), choice.rows, choice.n)
            if choice.value > out.throw.value:
                out.throw = choice[0]

    cdef void value_knocks(
        self, const Weights* heads, const Sight* sight, const Throw* throws, int n, Choice* out
    ) noexcept nogil:
        """Value the best knock of those with the least deadwood, which come first of the n throws."""
        cdef int32_t sums[FIRST]
        cdef Choice choice
        cdef int i
        out.value = NEVER
        begin(&heads[KNOCKING], sight, sight.hand.cards, sums)
        for i in range(min(n, KNOCKS_TRIED)):
            if throws[i].left > throws[0].left:
                break
            choice.card = lowest(throws[i].card)
            choice.answer = choice.card | KNOCK
            choice.ten = sight.hand.cards ^ throws[i].card
            choice.n = describe(sight, choice.ten, choice.card, choice.rows)
            choice.value = value(&heads[KNOCKING], sums, own_card(choice.card), choice.rows, choice.n)
            if choice.value > out.value:
                out[0] = choice

    cdef void value_leaving(self, const View* v, int stage, Sight* sight, Choice* out) noexcept nogil:
        """Value leaving the pile's card."""
        cdef const Weights* heads = self.heads(v)
        cdef int32_t sums[FIRST]
        survey(v, stage, False, sight)
        begin(&heads[LEAVING], sight, v.hand, sums)
        out.answer = NO
        out.card = v.upcard
        out.ten = v.hand
        out.n = describe(sight, v.hand, v.upcard, out.rows)
        out.value = value(&heads[LEAVING], sums, -1, out.rows, out.n)

    cdef bint value_taking(self, const View* v, Choices* out) noexcept nogil:
        """Value taking the pile's card, by the best discard or knock after it; False where it is not weighed.

        That is where it would neither lower the deadwood nor meld.
        """
        cdef mask_t eleven = v.hand | bit(v.upcard), forbidden = 0 if v.discard_taken else bit(v.upcard)
        if best_discards(eleven, forbidden, NULL) >= deadwood(v.hand) and not reach(v.hand) >> v.upcard & 1:
            return False
        self.value_discards(v, forbidden, True, out)
        return True

    cdef bint wants(self, const View* v, void* memory) noexcept nogil:
        """Whether taking the pile's card is worth more than leaving it; if so, it plans the discard."""
        cdef Choices taken
        cdef Choice leave
        cdef Sight sight
        if self.takes_gin(v):
            return True
        if not self.value_taking(v, &taken):
            return False
        self.value_leaving(v, leaving(v), &sight, &leave)
        if max(taken.throw.value, taken.knock.value) <= leave.value:
            return False
        if memory != NULL:
            (<Plan*>memory).eleven = v.hand | bit(v.upcard)
            (<Plan*>memory).answer = chosen(&taken)
        return True

    cdef bint takes_gin(self, const View* v) noexcept nogil:
        """Whether the pile's card makes gin."""
        return best_discards(v.hand | bit(v.upcard), 0 if v.discard_taken else bit(v.upcard), NULL) == 0

    cdef bint take_upcard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.wants(v, memory)

    cdef bint draw_pile(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.wants(v, memory)

    cdef bint take_last(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        cdef Choices taken
        return self.takes_gin(v) or (self.value_taking(v, &taken) and taken.knock.value > 0)

    cdef int discard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        cdef Choices choices
        cdef mask_t best
        if best_discards(v.hand, one(v.forbidden), &best) == 0:
            return BIG_GIN if v.big_gin and deadwood(v.hand) == 0 else highest_card(best) | KNOCK
        if memory != NULL and (<Plan*>memory).eleven == v.hand:
            return (<Plan*>memory).answer
        self.value_discards(v, one(v.forbidden), False, &choices)
        return chosen(&choices)


@embedsignature(False)      # the docstring is what is shown of a policy
cdef class Expert(Valuer):
    """Gives the answer that its value nets think the best.

    Three nets of one shape value the position after a discard, the position after the pile's card was left
    lying, and a knock. It takes the pile's card where the best discard, or knock, with it is worth more than
    leaving it, throws the card that leaves the best position, and knocks where that is worth more. It
    declares gin and big gin wherever it can.

    Of the package's nets it plays by the one whose bonuses are nearest to those in force. A net of one's own,
    made by `ginsim train`, plays under the rules that it learned; with rules=any also under others.

    With for=game it plays to win the game: by nets that were told what either side lacks to the target, and
    learned what a hand does to the chance to win it. A hand on its own is played as the first of a game.

    Our choice: all of this. The discards that leave up to 10 points more than the least deadwood are valued,
    and the knocks with the two highest of those that leave the least.

    Source: ours; temporal-difference learning after G. Tesauro's TD-Gammon (CACM 38, 1995).

    Knobs: net, rules, for.
    """

    NAME = "expert"
    KNOBS = {
        "net": (OWN_NETS, checked_net, "a file that `ginsim train` made, in the place of the package's"),
        "rules": ("own", ("own", "any"), "play by that file only under the rules that it learned, or any"),
        "for": ("points", AIMS, "play for the points of each hand, or to win the game"),
    }

    def __init__(self, **knobs):
        StockPolicy.__init__(self, **knobs)

    cdef int settle(self) except -1:
        aim = self.knobs["for"]
        if self.knobs["net"] == OWN_NETS:
            presets = nets.PACKAGED if aim == "points" else nets.PACKAGED_FOR_GAME
            for preset in presets:
                self.add(nets.packaged(preset, aim), preset)
            return 0
        file = nets.read_net(self.knobs["net"])
        if file.aim != aim:
            raise ValueError(
                f"policy {self.spec}: its net learned to play for {nets.IN_WORDS[file.aim]}, and is to play "
                f"for {nets.IN_WORDS[aim]}; allowed: for={file.aim}, or a net made by "
                f"`ginsim train --for {aim}`"
            )
        return self.add(file, "net")

    cdef int add(self, file, str name) except -1:
        self.use(file.net, file.rules, file.worth)
        self.content[name] = file.digest
        return 0

    def check_rules(self, rules):
        """ValueError where the policy has one net, and these rules are not those that it learned.

        For the game also under rules of several columns.
        """
        if self.worths and rules.columns != 1:
            raise ValueError(
                f"policy {self.spec}: columns is {rules.columns}; allowed: 1, for it goes by one score of "
                "each side"
            )
        if self.n > 1 or self.knobs["rules"] == "any":
            return
        differing = nets.fits(self.learned[0], rules, self.knobs["for"])
        if differing:
            knobs = ", ".join(f"{knob} {there} (here {here})" for knob, (here, there) in differing.items())
            raise ValueError(
                f"policy {self.spec}: its net learned {self.learned[0].describe()}, with {knobs}; allowed: "
                f"rules that score and play a {'game' if self.worths else 'hand'} alike, or rules=any"
            )


LEARNED = {Expert.NAME: Expert}
