# cython: language_level=3
"""Melds, deadwood and lay-offs on masks: exact, without allocation, at the speed of table look-ups.

How it works. Choose which ranks are melded as sets; the runs of the other cards are then forced, since every
maximal sequence of three or more is melded whole, and what is left is loose. Most hands have no rank of three
cards, hence one choice. A rank none of whose cards touches a run is always melded whole. So the choices to
compare are those of the *contested* ranks only: no set, all the cards, or all but one card that a run can use.

A choice is written as the mask of the cards melded in sets; per rank it holds 0, 3 or 4 cards.
"""
from operator import index

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint16_t

from ._bits cimport DECK, SUIT, count, highest, lowest, mask_t, rank_cards, suit_ranks

cdef enum:
    PATTERNS = 8192             # subsets of the 13 ranks of a suit
    MAX_CHOICES = 72            # three contested ranks of 4, 4 and 3 cards: 6 * 6 * 2
    TALLY_BITS = 10             # the deck's 340 points fit
    NOTHING = 1 << 20           # more than any deadwood
    ONE = 1 << 10               # weight 1 in the fixed point of the knocker's expectation

cdef uint8_t POINTS[PATTERNS]   # value of the cards of a suit
cdef uint16_t TALLY[PATTERNS]   # the number of its cards in the upper bits, LOOSE in the lower TALLY_BITS
cdef uint8_t LOOSE[PATTERNS]    # value of those in no run
cdef mask_t TOP[16]             # by the highest rank: the ranks of the same value, in all suits
cdef uint8_t VALUE[16]          # by rank

cdef mask_t ONE_RANK = <mask_t>0x0001000100010001


cdef inline mask_t run_cards(mask_t cards) noexcept nogil:
    """The cards in a sequence of three or more; the empty bits between suits keep them apart."""
    cdef mask_t starts = cards & (cards >> 1) & (cards >> 2)
    return starts | (starts << 1) | (starts << 2)


cdef inline int set_ranks(mask_t hand) noexcept nogil:
    """The ranks, as 13 bits, of which the hand has three or four cards."""
    cdef mask_t both = hand & (hand >> 16)
    cdef mask_t either = hand | (hand >> 16)
    return <int>(((both & (either >> 32)) | ((both >> 32) & either)) & SUIT)


cdef inline int fold(mask_t cards) noexcept nogil:
    """The ranks, as 13 bits, of the cards."""
    cards |= cards >> 32
    return <int>((cards | (cards >> 16)) & SUIT)


cdef inline mask_t unfold(int ranks) noexcept nogil:
    """All cards of the ranks."""
    return ONE_RANK * <mask_t>ranks


cdef inline int points(mask_t cards) noexcept nogil:
    return (POINTS[suit_ranks(cards, 0)] + POINTS[suit_ranks(cards, 1)]
            + POINTS[suit_ranks(cards, 2)] + POINTS[suit_ranks(cards, 3)])


cdef inline int loose_points(mask_t cards) noexcept nogil:
    """Value of the cards in no run."""
    return (LOOSE[suit_ranks(cards, 0)] + LOOSE[suit_ranks(cards, 1)]
            + LOOSE[suit_ranks(cards, 2)] + LOOSE[suit_ranks(cards, 3)])


cdef int set_choices(mask_t hand, int ranks, mask_t* choices) noexcept nogil:
    """Write every choice of sets worth comparing and return how many; ``ranks`` is ``set_ranks(hand)``.

    Left out are only choices that leave a card loose which a set could hold and no run can: worse by that
    card's value, also after the best discard if another loose card may go.
    """
    cdef mask_t in_runs = run_cards(hand)
    cdef int contested = fold(in_runs & hand & unfold(ranks)) & ranks
    cdef int n = 1, i, before
    cdef mask_t whole, wanted, card
    choices[0] = hand & unfold(ranks ^ contested)
    while contested:
        whole = rank_cards(hand, lowest(contested))
        contested &= contested - 1
        before = n
        for i in range(before):
            choices[n] = choices[i] | whole
            n += 1
        if count(whole) == 4:
            wanted = whole & in_runs
            while wanted:
                card = wanted & (0 - wanted)
                wanted ^= card
                for i in range(before):
                    choices[n] = choices[i] | (whole ^ card)
                    n += 1
    return n


cdef int least_over_choices(mask_t hand, int ranks) noexcept nogil:
    cdef mask_t choices[MAX_CHOICES]
    cdef int n = set_choices(hand, ranks, choices)
    cdef int least = loose_points(hand & ~choices[0]), here, i
    for i in range(1, n):
        here = loose_points(hand & ~choices[i])
        if here < least:
            least = here
    return least


cdef int deadwood(mask_t hand) noexcept nogil:
    cdef int ranks = set_ranks(hand)
    if ranks == 0:
        return loose_points(hand)
    return least_over_choices(hand, ranks)


cdef int try_each_discard(mask_t hand, mask_t forbidden, mask_t* best) noexcept nogil:
    cdef mask_t left = hand & ~forbidden, card, reach = 0
    cdef int least = NOTHING, here
    while left:
        card = left & (0 - left)
        left ^= card
        here = deadwood(hand ^ card)
        if here < least:
            least = here
            reach = 0
        if here == least:
            reach |= card
    if best != NULL:
        best[0] = reach
    return least


cdef int discards_over_choices(mask_t hand, int ranks, mask_t forbidden, mask_t* best) noexcept nogil:
    cdef mask_t choices[MAX_CHOICES]
    cdef int n = set_choices(hand, ranks, choices)
    cdef int least = NOTHING, starved = NOTHING, here, top, i
    cdef mask_t rest, may, reach = 0
    for i in range(n):
        rest = hand & ~choices[i]
        here = loose_points(rest)
        may = rest & ~run_cards(rest) & ~forbidden
        if may == 0:
            if here < starved:
                starved = here
            continue
        top = highest(fold(may))
        here -= VALUE[top]
        if here < least:
            least = here
            reach = 0
        if here == least:
            reach |= may & TOP[top]
    if starved <= least:
        return try_each_discard(hand, forbidden, best)
    if best != NULL:
        best[0] = reach
    return least


cdef int best_discards(mask_t hand, mask_t forbidden, mask_t* best) noexcept nogil:
    cdef int ranks = set_ranks(hand)
    if ranks:
        return discards_over_choices(hand, ranks, forbidden, best)
    cdef mask_t may = hand & ~run_cards(hand) & ~forbidden
    if may == 0:
        return try_each_discard(hand, forbidden, best)
    cdef int top = highest(fold(may))
    if best != NULL:
        best[0] = may & TOP[top]
    return loose_points(hand) - VALUE[top]


cdef bint is_meld(mask_t cards) noexcept nogil:
    if cards == 0 or cards & ~DECK:
        return False
    cdef int n = count(cards)
    cdef mask_t low = cards & (0 - cards)
    if n < 3:
        return False
    if cards & (cards + low) == 0:      # no gap above the lowest card: a run
        return True
    return cards == rank_cards(cards, lowest(cards) & 15)


cdef bint card_melds(mask_t hand, int card) noexcept nogil:
    return (run_cards(hand) >> card) & 1 or (set_ranks(hand) >> (card & 15)) & 1


cdef inline void add_meld(Spread* spread, mask_t meld) noexcept nogil:
    """Put a meld in its place: melds are kept in the order of their lowest cards."""
    cdef int i = spread.n
    cdef mask_t low = meld & (0 - meld)
    while i > 0 and (spread.melds[i - 1] & (0 - spread.melds[i - 1])) > low:
        spread.melds[i] = spread.melds[i - 1]
        i -= 1
    spread.melds[i] = meld
    spread.n += 1


cdef void open_spread(mask_t choice, int loose, Spread* out) noexcept nogil:
    """A spread of the chosen sets alone; ``loose`` is its deadwood once the runs are added."""
    cdef int ranks = fold(choice)
    cdef int i
    out.n = 0
    out.deadwood = loose
    for i in range(MAX_MELDS):
        out.melds[i] = 0
    while ranks:
        add_meld(out, rank_cards(choice, lowest(ranks)))
        ranks &= ranks - 1


cdef inline mask_t lowest_run(mask_t runs) noexcept nogil:
    """The lowest unbroken sequence of the cards."""
    return runs & ~(runs + (runs & (0 - runs)))


cdef void spread_of_choice(mask_t hand, mask_t choice, int loose, Spread* out) noexcept nogil:
    """The spread with the chosen sets and every run unsplit."""
    cdef mask_t runs = run_cards(hand & ~choice), run
    open_spread(choice, loose, out)
    while runs:
        run = lowest_run(runs)
        runs ^= run
        add_meld(out, run)


cdef int add_splits(mask_t runs, const Spread* so_far, Spread* out, int n) noexcept nogil:
    """Append ``so_far`` with the runs split in every way, unsplit first; return the new count."""
    cdef Spread longer
    cdef mask_t run, part, card
    cdef int length, i
    if runs == 0:
        if n < MAX_SPREADS:
            out[n] = so_far[0]
            n += 1
        return n
    run = lowest_run(runs)
    length = count(run)
    longer = so_far[0]
    add_meld(&longer, run)
    n = add_splits(runs ^ run, &longer, out, n)
    part = 0
    for i in range(1, length - 2):
        card = run & ~part
        part |= card & (0 - card)
        if i >= 3:
            longer = so_far[0]
            add_meld(&longer, part)
            n = add_splits(runs ^ part, &longer, out, n)
    return n


cdef int best_choices(mask_t hand, mask_t* choices, int* least) noexcept nogil:
    """Write the choices of sets that reach the least deadwood, in the order of ``set_choices``."""
    cdef int ranks = set_ranks(hand)
    cdef int n, i, here, kept = 0
    if ranks == 0:
        choices[0] = 0
        least[0] = loose_points(hand)
        return 1
    n = set_choices(hand, ranks, choices)
    least[0] = NOTHING
    for i in range(n):
        here = loose_points(hand & ~choices[i])
        if here < least[0]:
            least[0] = here
            kept = 0
        if here == least[0]:
            choices[kept] = choices[i]
            kept += 1
    return kept


cdef int all_spreads(mask_t hand, Spread* out) noexcept nogil:
    cdef mask_t choices[MAX_CHOICES]
    cdef Spread sets
    cdef int least, i, n = 0
    for i in range(best_choices(hand, choices, &least)):
        open_spread(choices[i], least, &sets)
        n = add_splits(run_cards(hand & ~choices[i]), &sets, out, n)
    return n


cdef inline int64_t weight(mask_t card, mask_t known, mask_t unseen, int64_t chance) noexcept nogil:
    return ONE if card & known else chance if card & unseen else 0


cdef int64_t expected_lay_offs(mask_t hand, mask_t choice, mask_t known, mask_t unseen,
                               int64_t chance) noexcept nogil:
    """Points that the expected opponent can lay off on the spread of a choice, in units of 1 / ONE."""
    cdef mask_t runs = run_cards(hand & ~choice), run, low, card
    cdef int ranks = fold(choice), rank
    cdef int64_t total = 0, chain
    while ranks:
        rank = lowest(ranks)
        ranks &= ranks - 1
        card = unfold(1 << rank) & ~choice
        if card:
            total += weight(card, known, unseen, chance) * VALUE[rank]
    while runs:
        run = lowest_run(runs)
        runs ^= run
        low = run & (0 - run)
        card = low >> 1
        chain = weight(card, known, unseen, chance)
        while chain:
            total += chain * VALUE[lowest(card) & 15]
            card >>= 1
            chain = chain * weight(card, known, unseen, chance) >> 10
        card = run + low
        chain = weight(card, known, unseen, chance)
        while chain:
            total += chain * VALUE[lowest(card) & 15]
            card <<= 1
            chain = chain * weight(card, known, unseen, chance) >> 10
    return total


cdef void knock_spread(mask_t hand, mask_t known, mask_t unseen, Spread* out) noexcept nogil:
    cdef mask_t choices[MAX_CHOICES]
    cdef int least, i, n = best_choices(hand, choices, &least), shown = 0
    cdef int64_t chance = 0, fewest, here
    if n > 1 and least > 0:
        if unseen and count(known) < 10:
            chance = (10 - count(known)) * ONE // count(unseen)
            if chance > ONE:
                chance = ONE
        fewest = expected_lay_offs(hand, choices[0], known, unseen, chance)
        for i in range(1, n):
            here = expected_lay_offs(hand, choices[i], known, unseen, chance)
            if here < fewest:
                fewest = here
                shown = i
    spread_of_choice(hand, choices[shown], least, out)


cdef bint spread_fits(mask_t hand, const Spread* shown) noexcept nogil:
    cdef mask_t left = hand
    cdef int i
    if shown.n < 0 or shown.n > MAX_MELDS:
        return False
    for i in range(shown.n):
        if not is_meld(shown.melds[i]) or shown.melds[i] & ~left:
            return False
        left ^= shown.melds[i]
    return shown.deadwood == points(left)


cdef inline mask_t next_below(mask_t run) noexcept nogil:
    """The card that would extend a run downwards; no card of the deck below an ace."""
    return (run & (0 - run)) >> 1


cdef inline mask_t next_above(mask_t run) noexcept nogil:
    """The card that would extend a run upwards; no card of the deck above a king."""
    return run + (run & (0 - run))


cdef inline bint is_run(mask_t meld) noexcept nogil:
    """Tell a run from a set."""
    return (meld & (meld >> 1)) != 0


cdef inline mask_t extending(mask_t meld) noexcept nogil:
    """The cards any one of which may be laid off on a meld (and bits that are no cards)."""
    if is_run(meld):
        return next_below(meld) | next_above(meld)
    return unfold(fold(meld)) ^ meld


cdef void try_lay_offs(mask_t rest, const Spread* shown, int i, mask_t* laid, Defence* out) noexcept nogil:
    """Try every way to lay off on the melds from i on; keep in ``out`` the first of the least count."""
    cdef mask_t meld, low, high, card
    cdef int here, j
    if i == shown.n:
        here = deadwood(rest)
        if here < out.deadwood:
            out.deadwood = here
            for j in range(shown.n):
                out.laid[j] = laid[j]
        return
    meld = shown.melds[i]
    if not is_run(meld):
        laid[i] = 0
        try_lay_offs(rest, shown, i + 1, laid, out)
        card = extending(meld) & rest
        if card:
            laid[i] = card
            try_lay_offs(rest ^ card, shown, i + 1, laid, out)
        return
    low = 0
    while True:
        high = 0
        while True:
            laid[i] = low | high
            try_lay_offs(rest & ~(low | high), shown, i + 1, laid, out)
            card = next_above(meld | low | high) & rest
            if card == 0:
                break
            high |= card
        card = next_below(meld | low) & rest
        if card == 0:
            break
        low |= card


cdef void own_melds(mask_t rest, Defence* out) noexcept nogil:
    """Meld what was not laid off; the first arrangement of least deadwood."""
    cdef Spread spread
    cdef mask_t choices[MAX_CHOICES]
    cdef int least, i
    best_choices(rest, choices, &least)
    spread_of_choice(rest, choices[0], least, &spread)
    out.deadwood = least
    out.n = spread.n
    for i in range(MAX_MELDS):
        out.melds[i] = spread.melds[i]


cdef void defend(mask_t hand, const Spread* shown, Defence* out) noexcept nogil:
    cdef mask_t laid[MAX_MELDS]
    cdef mask_t takes = 0, rest = hand
    cdef int i
    for i in range(MAX_MELDS):
        out.laid[i] = 0
    for i in range(shown.n):
        takes |= extending(shown.melds[i])
    if takes & hand:
        out.deadwood = NOTHING
        try_lay_offs(hand, shown, 0, laid, out)
        for i in range(shown.n):
            rest ^= out.laid[i]
    own_melds(rest, out)


cdef void defend_own_melds_first(mask_t hand, const Spread* own, const Spread* shown, Defence* out) noexcept nogil:
    cdef mask_t loose = hand, left, card, takes
    cdef int i
    out.n = own.n
    for i in range(MAX_MELDS):
        out.laid[i] = 0
        out.melds[i] = own.melds[i] if i < own.n else 0
        loose &= ~out.melds[i]
    left = loose
    while left:
        card = left & (0 - left)
        left ^= card
        for i in range(shown.n):
            takes = extending(shown.melds[i] | out.laid[i])
            if takes & card:
                out.laid[i] |= card
                loose ^= card
                left = loose            # a longer run may now take a card passed before
                break
    out.deadwood = points(loose)


cdef bint defence_fits(mask_t hand, const Spread* shown, const Defence* answer) noexcept nogil:
    cdef mask_t left = hand
    cdef int i
    if answer.n < 0 or answer.n > MAX_MELDS:
        return False
    for i in range(answer.n):
        if not is_meld(answer.melds[i]) or answer.melds[i] & ~left:
            return False
        left ^= answer.melds[i]
    for i in range(MAX_MELDS):
        if answer.laid[i] & ~left:
            return False
        if answer.laid[i]:
            if i >= shown.n or answer.laid[i] & shown.melds[i] or not is_meld(shown.melds[i] | answer.laid[i]):
                return False
        left ^= answer.laid[i]
    return answer.deadwood == points(left)


cdef void fill_tables() noexcept nogil:
    cdef int pattern, rank
    for rank in range(16):
        VALUE[rank] = rank + 1 if rank < 9 else 10
        TOP[rank] = unfold(1 << rank if rank < 9 else 0x1E00)
    for pattern in range(PATTERNS):
        POINTS[pattern] = 0
        for rank in range(13):
            if pattern >> rank & 1:
                POINTS[pattern] += VALUE[rank]
    for pattern in range(PATTERNS):
        LOOSE[pattern] = POINTS[pattern & ~<int>run_cards(pattern)]
        TALLY[pattern] = <uint16_t>(count(pattern) << TALLY_BITS | LOOSE[pattern])


fill_tables()


# ---- for Python: one hand -------------------------------------------------------------------------

def _hand(name, mask, int fewest=1, int most=11):
    """Return a mask as an int, or refuse it by name."""
    mask = index(mask)
    if not 0 <= mask < 1 << 64 or mask & ~DECK:
        raise ValueError(f"{name} = {mask:#x} has bits outside the deck: allowed are the bits of {DECK:#x}")
    if not fewest <= mask.bit_count() <= most:
        raise ValueError(f"{name} = {mask:#x} holds {mask.bit_count()} cards: allowed are {fewest} to {most}")
    return mask


def deadwood_of(hand):
    """Least deadwood of a hand of 1 to 11 cards, in points."""
    return deadwood(_hand("hand", hand))


def is_meld_of(cards):
    """Whether the cards are one set of three or four, or one run of three or more."""
    return bool(is_meld(_hand("cards", cards, 0, 52)))


def card_melds_of(hand, card):
    """Whether a card of the hand (a bit position) is in some set or run within the hand."""
    cdef mask_t mask = _hand("hand", hand, 1, 52)
    if not 0 <= card < 64 or not mask >> card & 1:
        raise ValueError(f"card = {card} is not in hand = {mask:#x}: allowed are the positions of its bits")
    return bool(card_melds(mask, card))


def spreads_of(hand):
    """Every arrangement of least deadwood of 1 to 11 cards, each a tuple of melds as masks.

    Melds are in the order of their lowest cards. A long run split differently is a different arrangement.
    """
    cdef Spread spreads[MAX_SPREADS]
    cdef int i, n = all_spreads(_hand("hand", hand), spreads)
    return [_melds_of(&spreads[i]) for i in range(n)]


def best_discards_of(hand, forbidden=0):
    """Least deadwood of a hand of 2 to 11 cards after one discard, and the mask of all discards that reach it.

    ``forbidden`` is the mask of the cards that may not go; a ValueError is raised if it covers the hand.
    """
    cdef mask_t best = 0, mask = _hand("hand", hand, 2), kept = _hand("forbidden", forbidden, 0, 52)
    if mask & ~kept == 0:
        raise ValueError(f"forbidden = {kept:#x} covers hand = {mask:#x}: at least one card must be free to go")
    cdef int least = best_discards(mask, kept, &best)
    return least, best


def knock_spread_of(hand, known=0, unseen=0):
    """The spread, as a tuple of melds, that leaves the expected opponent least to lay off.

    ``known`` are the opponent's cards known to the knocker, ``unseen`` those whose place it does not know;
    see ``knock_spread`` in the C face for the measure.
    """
    cdef Spread spread
    knock_spread(_hand("hand", hand), _hand("known", known, 0, 52), _hand("unseen", unseen, 0, 52), &spread)
    return _melds_of(&spread)


def defend_of(hand, melds):
    """The least count of a hand against shown melds: ``(deadwood, own melds, lay-offs)``.

    ``melds`` are up to three disjoint melds as masks; the lay-offs are masks in the same places.
    """
    cdef Spread shown
    cdef Defence answer
    cdef mask_t mask = _hand("hand", hand), seen = mask
    cdef int i
    if len(melds) > MAX_MELDS:
        raise ValueError(f"melds = {melds} are {len(melds)}: allowed are up to {MAX_MELDS}")
    shown.n = len(melds)
    shown.deadwood = 0
    for i in range(shown.n):
        shown.melds[i] = _hand(f"melds[{i}]", melds[i], 3, 13)
        if not is_meld(shown.melds[i]):
            raise ValueError(f"melds[{i}] = {melds[i]:#x} is no meld: allowed are sets of three or four and runs")
        if shown.melds[i] & seen:
            raise ValueError(f"melds[{i}] = {melds[i]:#x} shares cards with the hand or an earlier meld")
        seen |= shown.melds[i]
    defend(mask, &shown, &answer)
    return (answer.deadwood, tuple([answer.melds[i] for i in range(answer.n)]),
            tuple([answer.laid[i] for i in range(shown.n)]))


cdef tuple _melds_of(const Spread* spread):
    cdef int i
    return tuple([spread.melds[i] for i in range(spread.n)])


# ---- for Python: arrays of hands ------------------------------------------------------------------

def _masks(name, values):
    """Return integers of any shape and layout as a contiguous array of uint64."""
    given = np.asarray(values)
    if given.dtype.kind not in "iu" and given.size:
        raise TypeError(f"{name} has dtype {given.dtype}: allowed are integer masks")
    return np.ascontiguousarray(given, dtype=np.uint64).reshape(given.shape)


cdef Py_ssize_t first_misfit(const mask_t[::1] hands, int fewest, int most) noexcept nogil:
    """Place of the first mask that is no hand of so many cards, or the length if all are."""
    cdef mask_t outside, misfits, m
    cdef Py_ssize_t n = hands.shape[0], start, stop, i
    for start in range(0, n, 1024):
        stop = min(start + 1024, n)
        outside = 0
        misfits = 0
        for i in range(start, stop):    # plain arithmetic on 64 bits, which compilers turn into vectors
            m = hands[i]
            outside |= m
            m = m - ((m >> 1) & <mask_t>0x5555555555555555)
            m = (m & <mask_t>0x3333333333333333) + ((m >> 2) & <mask_t>0x3333333333333333)
            m = (m + (m >> 4)) & <mask_t>0x0F0F0F0F0F0F0F0F
            m = m + (m >> 32)
            m = m + (m >> 16)
            m = m + (m >> 8)            # the lowest byte is the number of cards
            misfits |= (m - fewest) | (most - m)
        if outside & ~DECK or misfits & 0x80:
            for i in range(start, stop):
                if hands[i] & ~DECK or not fewest <= count(hands[i]) <= most:
                    return i
    return n


def _check_hands(name, masks, int fewest, int most):
    """Refuse the first mask that is no hand of so many cards."""
    cdef const mask_t[::1] flat = masks.reshape(-1)
    cdef Py_ssize_t misfit
    with nogil:
        misfit = first_misfit(flat, fewest, most)
    if misfit < flat.shape[0]:
        _hand(_place(name, masks, misfit), int(flat[misfit]), fewest, most)


def _place(name, array, flat_index):
    """``name[1, 2]`` for an error message."""
    return f"{name}[{', '.join(str(int(i)) for i in np.unravel_index(flat_index, array.shape))}]"


def deadwood_array(hands):
    """Least deadwood of each hand, as uint8 of the same shape; ``hands`` are masks of 1 to 11 cards."""
    masks = _masks("hands", hands)
    result = np.empty(masks.shape, dtype=np.uint8)
    cdef const mask_t[::1] flat = masks.reshape(-1)
    cdef uint8_t[::1] out = result.reshape(-1)
    cdef int fewest = 1 << TALLY_BITS, most = (12 << TALLY_BITS) - 1
    cdef int tally, ranks, misfits = 0
    cdef mask_t outside = 0, hand
    cdef Py_ssize_t i
    with nogil:
        for i in range(flat.shape[0]):
            hand = flat[i]
            outside |= hand
            ranks = set_ranks(hand)
            tally = (TALLY[suit_ranks(hand, 0)] + TALLY[suit_ranks(hand, 1)]
                     + TALLY[suit_ranks(hand, 2)] + TALLY[suit_ranks(hand, 3)])
            misfits |= (tally - fewest) | (most - tally)
            if ranks == 0 or tally > most:
                out[i] = <uint8_t>tally
            else:
                out[i] = <uint8_t>least_over_choices(hand, ranks)
    if outside & ~DECK or misfits < 0:
        _check_hands("hands", masks, 1, 11)
    return result


def best_discards_array(hands, forbidden=None):
    """Least deadwood after one discard (uint8) and the masks of all discards that reach it (uint64).

    ``hands`` are masks of 2 to 11 cards, ``forbidden`` the masks of cards that may not go, of the same shape
    or broadcast to it. A ValueError is raised where they cover a hand.
    """
    masks = _masks("hands", hands)
    _check_hands("hands", masks, 2, 11)
    kept = _masks("forbidden", 0 if forbidden is None else forbidden)
    _check_hands("forbidden", kept, 0, 52)
    kept = np.ascontiguousarray(np.broadcast_to(kept, masks.shape))
    least = np.empty(masks.shape, dtype=np.uint8)
    best = np.empty(masks.shape, dtype=np.uint64)
    cdef const mask_t[::1] flat = masks.reshape(-1), flat_kept = kept.reshape(-1)
    cdef uint8_t[::1] out = least.reshape(-1)
    cdef mask_t[::1] out_best = best.reshape(-1)
    cdef Py_ssize_t i, n = flat.shape[0], covered = n
    with nogil:
        for i in range(n):
            if flat[i] & ~flat_kept[i] == 0:
                covered = i
                break
            out[i] = <uint8_t>best_discards(flat[i], flat_kept[i], &out_best[i])
    if covered < n:
        best_discards_of(int(flat[covered]), int(flat_kept[covered]), place=_place("", masks, covered))
    return least, best
