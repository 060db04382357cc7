# cython: language_level=3
"""The linear policy: a sum of a few plain things, each times a knob.

All of it is in integers: points in hundredths, chances with 8 bits after the point, rounded down.
"""
from libc.stdint cimport int64_t
from libc.string cimport memset

from ._bits cimport bit, count, lowest, mask_t
from ._core cimport BIG_GIN, KNOCK, OFFER, View, unseen
from ._melds cimport best_discards, deadwood, points
from ._policies cimport StockPolicy, highest_card
from ._rng cimport Rng
from ._shape cimport cheaper, neighbours, one, pair_ranks, reach, run_cards, set_ranks, unfold

cdef enum:
    CERTAIN = 1 << 8     # a chance of 1
    CLOSELY = 4          # discards looked at closely
    BEHIND = 1200        # of which none is so far behind the best at a glance
    DEARER = 20          # points more than the least deadwood that a discard may leave
    LOW = 5              # a low count is this or less

cdef int64_t NEVER = -(<int64_t>1 << 62)   # less than any worth


cdef struct Scene:
    # What a view says that all discards have in common.
    mask_t hidden        # cards whose place is not known
    int n                # hidden cards
    int held[68]         # by card + 2: the chance that the opponent holds it, of CERTAIN; else 0


cdef struct Hopes:
    # What a draw can bring to ten cards.
    int gain             # points that it lowers the deadwood by, summed over the hidden cards
    int low              # melding hidden cards that bring it to a low count
    int gin              # those of them that make gin


cdef struct Throw:
    # A discard seen at a glance.
    mask_t card
    int left             # deadwood
    int64_t worth


cdef int use(const Scene* s, int card) noexcept nogil:
    """The chance that the opponent can meld a card, of CERTAIN squared: a sum over pairs of partners."""
    cdef const int* here = &s.held[card]     # two below the card in its suit
    cdef int a = s.held[((card + 16) & 63) + 2]
    cdef int b = s.held[((card + 32) & 63) + 2]
    cdef int c = s.held[((card + 48) & 63) + 2]
    cdef int chance = a * b + (a + b) * c + here[1] * (here[0] + here[3]) + here[3] * here[4]
    return chance if chance < CERTAIN * CERTAIN else CERTAIN * CERTAIN


cdef inline int loose_cards(mask_t ten) noexcept nogil:
    """How many cards have no other of their rank and none within two in their suit beside them."""
    return count(ten & ~(unfold(pair_ranks(ten)) | ten << 1 | ten >> 1 | ten << 2 | ten >> 2))


cdef void hope(const Scene* s, mask_t ten, int before, Hopes* out) noexcept nogil:
    """What a draw can bring to ten cards of this deadwood."""
    cdef mask_t melding = s.hidden & reach(ten), others = s.hidden ^ melding, kept, card
    cdef int after, nine = best_discards(ten, 0, NULL)
    # A card that melds with nothing takes the place of the one whose loss lowers the deadwood most.
    kept = others & cheaper(before - nine) if before > nine else 0
    out.gain = (before - nine) * count(kept) - points(kept)
    out.low = out.gin = 0
    while melding:
        card = melding & (0 - melding)
        melding ^= card
        after = best_discards(ten | card, 0, NULL)
        if after < before:
            out.gain += before - after
            out.low += after <= LOW
            out.gin += after == 0


cdef class Linear(StockPolicy):
    """Adds up a few plain things about the cards it keeps and the card it throws, each times a knob.

    Ten cards are worth `meld` for each of them in a run or set, `out` for each unseen card that would meld
    with two of them, `low` more for each of these with which a count of 5 or less could be left, `gin` more
    where that is gin, and `gain` for each point that a draw lowers the deadwood by in the mean; less their
    deadwood, and `loose` for each card with no other of its rank and none within two in its suit.

    Throwing a card costs `fear` times the chance that the opponent can meld it: the sum, at most 1, over the
    pairs of cards it would meld with, of the product of the chances that the opponent holds them. That is 1
    for a card it took and keeps, 0 for one that lies elsewhere, else the share of the hidden cards that it
    holds, changed by `court` for a card that could be in one meld of three with a card it took and keeps, by
    `scorn` for one that could have been in one with a card it threw or left lying.

    It throws what is worth most. It takes the pile's card if that melds and the hand after the best discard
    is then worth `take` more than the hand as it is; the first upcard also if it only comes near others and
    the hand is worth `build` more; and either where it then knocks. It declares gin and big gin wherever it
    can, and knocks if the deadwood, `wait` for each gin out and `late` for each own turn gone by together
    weigh no more than `knock`: so poor hands early, while a good one waits for gin.

    Our choice: all of this. What takes a look at every draw (`low`, `gin`, `gain`) is reckoned only for the
    four discards that are best without it, of which none is 1200 behind the first, nor leaves 20 points more
    than the least deadwood. Ties go to the discard that is best without it, then to the highest card. A card
    that neither melds nor comes near others is left lying, and so is one that is 1200 short without it.
    Deadwood counts 100 a point, and all worths and costs are of that unit; chances have 8 bits after the
    point, and everything is rounded down.

    Source: ours; the knobs are rounded from what `ginsim tune` found under `eaai` against `simple`, `early`,
    `gin_only` and `marjj` (docs/linear.md).

    Knobs: meld, out, gain, low, gin, loose, fear, court, scorn, take, build, knock, wait, late.
    """

    NAME = "linear"
    KNOBS = {   # worths and costs in hundredths of a point, where a point of deadwood costs 100
        "meld": (400, 0, 2000, "worth of a card in a run or set"),
        "out": (270, 0, 1000, "worth of an unseen card that would meld with two of the hand"),
        "gain": (100, 0, 1000, "worth of a point that a draw lowers the deadwood by in the mean"),
        "low": (150, 0, 1000, "worth, added, of an out that would bring the deadwood to 5 or less"),
        "gin": (1200, 0, 3000, "worth, added, of an out that would make gin"),
        "loose": (600, 0, 2000, "cost of keeping a card with no other of its rank or near in its suit"),
        "fear": (2400, 0, 10000, "cost of throwing a card that the opponent melds without fail"),
        "court": (110, 100, 1000, "chance that it holds a card near those it took, in percent of any other"),
        "scorn": (85, 0, 100, "chance that it holds a card near those it threw or left, in percent of it"),
        "take": (300, -2000, 2000, "what the pile's card must gain to be taken, if it melds"),
        "build": (700, -2000, 3000, "what the upcard must gain to be taken, if it does not meld"),
        "knock": (2000, 0, 10000, "knocks where deadwood, gin outs and turns weigh no more than this"),
        "wait": (500, 0, 5000, "weight of a gin out against a knock"),
        "late": (220, -1000, 1000, "weight of a turn gone by against a knock"),
    }

    cdef int64_t meld, gain, out, low, gin, loose, fear, take, build, knock, wait, late
    cdef int court, scorn

    cdef int settle(self) except -1:
        self.meld = self.knobs["meld"]
        self.gain = self.knobs["gain"]
        self.out = self.knobs["out"]
        self.low = self.knobs["low"]
        self.gin = self.knobs["gin"]
        self.loose = self.knobs["loose"]
        self.fear = self.knobs["fear"]
        self.court = self.knobs["court"]
        self.scorn = self.knobs["scorn"]
        self.take = self.knobs["take"]
        self.build = self.knobs["build"]
        self.knock = self.knobs["knock"]
        self.wait = self.knobs["wait"]
        self.late = self.knobs["late"]
        return 0

    cdef void look(self, const View* v, Scene* out) noexcept nogil:
        cdef int other = 1 - v.seat, chance, card
        cdef int chances[4]
        cdef mask_t courted = neighbours(v.known), left
        cdef mask_t scorned = neighbours(v.thrown[other] | v.refused[other])
        out.hidden = left = unseen(v)
        out.n = count(left)
        chance = (10 - count(v.known)) * CERTAIN // out.n if out.n else 0
        chances[0] = chance
        chances[1] = chance * self.scorn // 100
        chances[2] = min(chance * self.court // 100, CERTAIN)
        chances[3] = min(chance * self.court * self.scorn // 10000, CERTAIN)
        memset(out.held, 0, sizeof(out.held))
        while left:
            card = lowest(left)
            out.held[card + 2] = chances[2 * (courted >> card & 1) + (scorned >> card & 1)]
            left &= left - 1
        left = v.known
        while left:
            out.held[lowest(left) + 2] = CERTAIN
            left &= left - 1

    cdef int64_t glance(self, const Scene* s, mask_t ten, int left) noexcept nogil:
        """The worth of ten cards of this deadwood, without what a draw leaves."""
        return (
            self.meld * count(run_cards(ten) | (ten & unfold(set_ranks(ten))))
            + self.out * count(s.hidden & reach(ten))
            - 100 * left
            - self.loose * loose_cards(ten)
        )

    cdef int64_t hoped(self, const Scene* s, mask_t ten, int left) noexcept nogil:
        """The worth of what a draw leaves of the deadwood of ten cards."""
        cdef Hopes hopes
        hope(s, ten, left, &hopes)
        return self.low * hopes.low + self.gin * hopes.gin + (self.gain * hopes.gain // s.n if s.n else 0)

    cdef int64_t best_throw(
        self, const Scene* s, mask_t eleven, mask_t forbidden, int64_t least, mask_t* thrown
    ) noexcept nogil:
        """The most that a discard is worth, and that discard: the best of those that are best at a glance."""
        cdef Throw best[CLOSELY + 1]
        cdef Throw throw
        cdef mask_t cards = eleven & ~forbidden
        cdef int n = 0, i, most_left = best_discards(eleven, forbidden, NULL) + DEARER
        cdef int64_t here, most = NEVER
        best[0].worth = NEVER
        while cards:
            throw.card = bit(highest_card(cards))
            cards ^= throw.card
            throw.left = deadwood(eleven ^ throw.card)
            if throw.left > most_left:
                continue
            throw.worth = self.glance(s, eleven ^ throw.card, throw.left)
            throw.worth -= self.fear * use(s, lowest(throw.card)) >> 16
            i = n
            while i and best[i - 1].worth < throw.worth:
                best[i] = best[i - 1]
                i -= 1
            best[i] = throw
            n = min(n + 1, CLOSELY)
        if best[0].worth < least - BEHIND:
            return NEVER
        for i in range(n):
            if best[i].worth < best[0].worth - BEHIND:
                break
            here = best[i].worth + self.hoped(s, eleven ^ best[i].card, best[i].left)
            if here > most:
                most = here
                thrown[0] = best[i].card
        return most

    cdef bint declares(self, const Scene* s, int limit, mask_t ten, int left, int turn) noexcept nogil:
        """Whether it ends the hand with ten cards of this deadwood on this own turn."""
        cdef Hopes hopes
        if left == 0 or left > limit:
            return left == 0
        if not self.dares(left, 0, turn):
            return False
        hope(s, ten, left, &hopes)
        return self.dares(left, hopes.gin, turn)

    cdef bint dares(self, int left, int gin, int turn) noexcept nogil:
        return 100 * left + self.wait * gin + self.late * (turn - 1) <= self.knock

    cdef bint wants(self, const View* v) noexcept nogil:
        """Whether the pile's card is worth taking."""
        cdef Scene scene
        cdef mask_t taken = bit(v.upcard), eleven = v.hand | taken, best, thrown
        cdef mask_t forbidden = 0 if v.discard_taken else taken
        cdef int turn = v.turns[v.seat], left = best_discards(eleven, forbidden, &best)
        cdef int before
        cdef int64_t least, after
        cdef bint melds = (reach(v.hand) & taken) != 0
        if left and not melds and not (v.question == OFFER and neighbours(v.hand) & taken):
            return False
        self.look(v, &scene)
        if self.declares(&scene, v.knock_limit, eleven ^ bit(highest_card(best)), left, turn + 1):
            return True
        before = deadwood(v.hand)
        least = self.glance(&scene, v.hand, before) + (self.take if melds else self.build)
        after = self.best_throw(&scene, eleven, forbidden, least, &thrown)
        return after != NEVER and after >= least + self.hoped(&scene, v.hand, before)

    cdef bint take_upcard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.wants(v)

    cdef bint draw_pile(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.wants(v)

    cdef bint take_last(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        cdef int turn = v.turns[v.seat] + 1
        cdef int left = best_discards(v.hand | bit(v.upcard), 0 if v.discard_taken else bit(v.upcard), NULL)
        return left == 0 or (left <= v.knock_limit and self.dares(left, 0, turn))

    cdef int discard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        cdef Scene scene
        cdef mask_t best, thrown
        cdef int card, left = best_discards(v.hand, one(v.forbidden), &best)
        # Eleven melded cards have a meld of four or more, and either of two of its cards could go: left is 0.
        if left == 0 and v.big_gin and deadwood(v.hand) == 0:
            return BIG_GIN
        card = highest_card(best)
        self.look(v, &scene)
        if v.must_declare or self.declares(
            &scene, v.knock_limit, v.hand ^ bit(card), left, v.turns[v.seat]
        ):
            return card | KNOCK
        self.best_throw(&scene, v.hand, one(v.forbidden), NEVER, &thrown)
        return lowest(thrown)


SCORED = {Linear.NAME: Linear}
