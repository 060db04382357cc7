# cython: language_level=3
"""The linear policy: a sum of a few plain things, each times a knob.

All of it is in integers: points in hundredths, chances with 8 bits after the point, rounded down.
"""
from libc.stdint cimport int64_t

from ._bits cimport DECK, NONE, bit, count, lowest, mask_t
from ._core cimport BIG_GIN, KNOCK, View, unseen
from ._melds cimport best_discards, deadwood, points
from ._policies cimport StockPolicy, highest_card
from ._rng cimport Rng
from ._shape cimport neighbours, pair_ranks, ranks_of, reach, unfold

cdef enum:
    CERTAIN = 1 << 8     # a chance of 1
    FRACTION = 16        # bits after the point of what is left of a hope
    TRIED = 4            # discards looked at
    LOW = 5              # a low count is this or less

cdef int64_t NEVER = -(<int64_t>1 << 62)   # less than any worth


cdef inline mask_t one(int card) noexcept nogil:
    """The mask of a card, empty for NONE."""
    return 0 if card == NONE else bit(card)


cdef inline int held(const Scene* s, mask_t card) noexcept nogil:
    """The chance that the opponent holds a card, of CERTAIN; 0 for what is no card."""
    if card & s.known:
        return CERTAIN
    if not card & s.hidden:
        return 0
    return s.chances[2 * ((card & s.courted) != 0) + ((card & s.scorned) != 0)]


cdef int use(const Scene* s, mask_t card) noexcept nogil:
    """The chance that the opponent can meld a card, of CERTAIN squared: a sum over pairs of partners."""
    cdef int low = held(s, card >> 1), high = held(s, card << 1)
    cdef int a = held(s, card << 16 | card >> 48)
    cdef int b = held(s, card << 32 | card >> 32)
    cdef int c = held(s, card << 48 | card >> 16)
    cdef int chance = a * b + a * c + b * c + low * high
    if low:
        chance += low * held(s, card >> 2)
    if high:
        chance += high * held(s, card << 2)
    return chance if chance < CERTAIN * CERTAIN else CERTAIN * CERTAIN


cdef inline int loose_cards(mask_t ten) noexcept nogil:
    """How many cards have no other of their rank and none within two in their suit beside them."""
    return count(ten & ~(unfold(pair_ranks(ten)) | ten << 1 | ten >> 1 | ten << 2 | ten >> 2))


cdef inline mask_t cheaper(int value) noexcept nogil:
    """The cards of a lower value than this, which is at least 1."""
    return DECK if value > 10 else unfold((<mask_t>1 << (value - 1)) - 1)


cdef void hope(const Scene* s, mask_t ten, int before, Hopes* out) noexcept nogil:
    """What a draw can bring to ten cards of this deadwood."""
    cdef mask_t melding = s.hidden & reach(ten), others = s.hidden ^ melding, kept, card
    cdef int after, nine = best_discards(ten, 0, NULL)
    # A card that melds with nothing takes the place of the one whose loss lowers the deadwood most.
    kept = others & cheaper(before - nine) if before > nine else 0
    out.gain = (before - nine) * count(kept) - points(kept)
    out.outs = out.low = out.gin = 0
    while melding:
        card = melding & (0 - melding)
        melding ^= card
        after = best_discards(ten | card, 0, NULL)
        if after < before:
            out.gain += before - after
            out.outs += 1
            out.low += after <= LOW
            out.gin += after == 0


cdef class Linear(StockPolicy):
    """Adds up a few plain things about the cards it keeps and the card it throws.

    Knobs: gain, out, low, gin, fade, loose, fear, court, scorn, take, knock, wait, late.
    """

    NAME = "linear"
    KNOBS = {
        "gain": (95, 0, 300, "hundredths of a point for each point that a draw lowers the deadwood in the mean"),
        "out": (30, 0, 300, "for each unseen card that would lower the deadwood by melding"),
        "low": (20, 0, 300, "for each of them that would bring it to 5 or less"),
        "gin": (50, 0, 500, "for each of them that would make gin"),
        "fade": (95, 50, 110, "percent of these four hopes that are left each turn"),
        "loose": (50, 0, 400, "hundredths of a point that it costs to keep a card without neighbours"),
        "fear": (400, 0, 3000, "hundredths of a point that it costs to throw a card that the opponent can meld"),
        "court": (200, 100, 800, "percent of the chance that it holds a card near those it took"),
        "scorn": (50, 0, 100, "percent of the chance that it holds a card near those it threw or left"),
        "take": (0, -1500, 1500, "hundredths of a point that the pile's card must gain to be taken"),
        "knock": (1000, 0, 3000, "hundredths of a point that it knocks at on its first turn, without hopes"),
        "wait": (200, 0, 2000, "hundredths of a point that it counts for each gin out when it may knock"),
        "late": (20, 0, 200, "percent by which each turn makes a point weigh more when it may knock"),
    }

    cdef int settle(self) except -1:
        cdef int turn
        self.gain = self.knobs["gain"]
        self.out = self.knobs["out"]
        self.low = self.knobs["low"]
        self.gin = self.knobs["gin"]
        self.loose = self.knobs["loose"]
        self.fear = self.knobs["fear"]
        self.court = self.knobs["court"]
        self.scorn = self.knobs["scorn"]
        self.take = self.knobs["take"]
        self.knock = self.knobs["knock"]
        self.wait = self.knobs["wait"]
        self.late = self.knobs["late"]
        fade = self.knobs["fade"]
        for turn in range(TURNS):
            self.left[turn] = min((fade ** <object>turn << FRACTION) // 100 ** <object>turn, 1 << 20)
        return 0

    cdef void look(self, const View* v, Scene* out) noexcept nogil:
        cdef int other = 1 - v.seat, chance
        out.hidden = unseen(v)
        out.known = v.known
        out.courted = neighbours(v.known)
        out.scorned = neighbours(v.thrown[other] | v.refused[other])
        out.n = count(out.hidden)
        chance = (10 - count(v.known)) * CERTAIN // out.n if out.n else 0
        out.chances[0] = chance
        out.chances[1] = chance * self.scorn // 100
        out.chances[2] = min(chance * self.court // 100, CERTAIN)
        out.chances[3] = min(chance * self.court * self.scorn // 10000, CERTAIN)

    cdef int64_t worth(self, const Scene* s, mask_t ten, mask_t thrown, int turn) noexcept nogil:
        """Of ten cards kept and a card thrown (none: 0) after so many own turns, in hundredths of a point."""
        cdef Hopes hopes
        cdef int left = deadwood(ten)
        cdef int64_t hoped
        hope(s, ten, left, &hopes)
        hoped = self.out * hopes.outs + self.low * hopes.low + self.gin * hopes.gin
        if s.n:
            hoped += self.gain * hopes.gain // s.n
        hoped = hoped * self.left[turn] >> FRACTION
        return hoped - 100 * left - self.loose * loose_cards(ten) - (self.fear * use(s, thrown) >> 16)

    cdef int64_t best_throw(
        self, const Scene* s, mask_t eleven, mask_t forbidden, int turn, mask_t* thrown
    ) noexcept nogil:
        """The most that a discard is worth, and that discard."""
        cdef mask_t barred = forbidden, tied, card
        cdef int tried = 0
        cdef int64_t here, most = NEVER
        while tried < TRIED and eleven & ~barred:
            best_discards(eleven, barred, &tied)
            barred |= tied
            while tied and tried < TRIED:
                card = bit(highest_card(tied))
                tied ^= card
                tried += 1
                here = self.worth(s, eleven ^ card, card, turn)
                if here > most:
                    most = here
                    thrown[0] = card
        return most

    cdef bint declares(self, const Scene* s, int limit, mask_t ten, int count, int turn) noexcept nogil:
        """Whether it ends the hand with ten cards of this count on this own turn."""
        cdef Hopes hopes
        cdef int64_t doubt
        if count == 0 or count > limit:
            return count == 0
        doubt = count * (100 + self.late * (turn - 1))
        if doubt > self.knock:
            return False
        hope(s, ten, count, &hopes)
        return doubt + (self.wait * hopes.gin * self.left[turn] >> FRACTION) <= self.knock

    cdef bint wants(self, const View* v) noexcept nogil:
        """Whether the pile's card is worth taking."""
        cdef Scene scene
        cdef mask_t taken = bit(v.upcard), eleven = v.hand | taken, best, thrown
        cdef mask_t forbidden = 0 if v.discard_taken else taken
        cdef int turn = v.turns[v.seat], left = best_discards(eleven, forbidden, &best)
        if left and not reach(v.hand) & taken:
            return False
        self.look(v, &scene)
        if self.declares(&scene, v.knock_limit, eleven ^ bit(highest_card(best)), left, turn + 1):
            return True
        return (
            self.best_throw(&scene, eleven, forbidden, turn + 1, &thrown)
            >= self.worth(&scene, v.hand, 0, turn) + self.take
        )

    cdef bint take_upcard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.wants(v)

    cdef bint draw_pile(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.wants(v)

    cdef bint take_last(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        cdef int turn = v.turns[v.seat] + 1
        cdef int left = best_discards(v.hand | bit(v.upcard), 0 if v.discard_taken else bit(v.upcard), NULL)
        return left <= v.knock_limit and left * (100 + self.late * (turn - 1)) <= self.knock

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
        self.best_throw(&scene, v.hand, one(v.forbidden), v.turns[v.seat], &thrown)
        return lowest(thrown)


SCORED = {Linear.NAME: Linear}
