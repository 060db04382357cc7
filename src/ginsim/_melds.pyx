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

from libc.stdint cimport int64_t, uint8_t

from ._bits cimport DECK, SUIT, count, highest, lowest, mask_t, rank_cards, suit_ranks

cdef enum:
    RANKS = 13
    PATTERNS = 8192             # subsets of the 13 ranks of a suit
    MAX_CHOICES = 72            # three contested ranks of 4, 4 and 3 cards: 6 * 6 * 2
    NOTHING = 1 << 20           # more than any deadwood
    ONE = 1 << 10               # weight 1 in the fixed point of the knocker's expectation

cdef uint8_t POINTS[PATTERNS]   # value of the cards of a suit
cdef uint8_t LOOSE[PATTERNS]    # value of those in no run
cdef uint8_t VALUE[RANKS]       # of a card, by rank

# By 1 + the highest rank of some cards, 0 for no cards: the value of the dearest, and all cards of that value.
cdef uint8_t TOP_VALUE[RANKS + 1]
cdef mask_t TOP_CARDS[RANKS + 1]

cdef mask_t STARVED = <mask_t>1 << 15   # no card, but in a mask of discards: "here no loose card may go"
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


cdef inline int contested_ranks(int ranks, mask_t in_runs) noexcept nogil:
    """Those of ``ranks`` of which some card could be in a run instead of a set."""
    return ranks & fold(in_runs)


cdef int set_choices(mask_t hand, int ranks, mask_t in_runs, mask_t* choices) noexcept nogil:
    """Write every choice of sets worth comparing and return how many.

    ``ranks`` is ``set_ranks(hand)``, ``in_runs`` is ``run_cards(hand)``. Left out are only choices that leave a
    card loose which a set could hold and no run can: worse by that card's value, also after the best discard
    if another loose card may go.
    """
    cdef int contested = contested_ranks(ranks, in_runs)
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
        if whole == unfold(fold(whole)):            # all four
            wanted = whole & in_runs
            while wanted:
                card = wanted & (0 - wanted)
                wanted ^= card
                for i in range(before):
                    choices[n] = choices[i] | (whole ^ card)
                    n += 1
    return n


cdef int least_over_choices(mask_t hand, int ranks, mask_t in_runs) noexcept nogil:
    cdef mask_t choices[MAX_CHOICES]
    cdef int n = set_choices(hand, ranks, in_runs, choices)
    cdef int least = loose_points(hand & ~choices[0]), here, i
    for i in range(1, n):
        here = loose_points(hand & ~choices[i])
        if here < least:
            least = here
    return least


cdef int deadwood(mask_t hand) noexcept nogil:
    cdef int ranks = set_ranks(hand)
    cdef mask_t in_runs = run_cards(hand)
    if contested_ranks(ranks, in_runs):
        return least_over_choices(hand, ranks, in_runs)
    return points(hand & ~(in_runs | unfold(ranks)))


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


cdef inline void consider(mask_t rest, mask_t forbidden, int* least, mask_t* reach) noexcept nogil:
    """Add the best discards of one choice of sets, ``rest`` being the cards not in them.

    The dearest loose card goes. Where no loose card may go, the points of the loose cards are a bound that a
    discard out of a meld cannot better; if that bound is the least, ``reach`` holds STARVED.
    """
    cdef mask_t may = rest & ~run_cards(rest) & ~forbidden
    cdef int top = highest(<mask_t>fold(may) << 1 | 1)
    cdef int here = loose_points(rest) - TOP_VALUE[top]
    cdef mask_t these = (may | STARVED) & TOP_CARDS[top]
    # conditional moves: which of the three it is cannot be predicted
    these |= reach[0] if here == least[0] else 0
    reach[0] = these if here <= least[0] else reach[0]
    least[0] = here if here <= least[0] else least[0]


cdef int discards_over_choices(mask_t hand, int ranks, mask_t in_runs, mask_t forbidden,
                               mask_t* best) noexcept nogil:
    cdef mask_t choices[MAX_CHOICES]
    cdef int n = set_choices(hand, ranks, in_runs, choices)
    cdef int i, least = NOTHING
    cdef mask_t reach = 0
    for i in range(n):
        consider(hand & ~choices[i], forbidden, &least, &reach)
    if reach & STARVED:
        return try_each_discard(hand, forbidden, best)
    if best != NULL:
        best[0] = reach
    return least


cdef int best_discards(mask_t hand, mask_t forbidden, mask_t* best) noexcept nogil:
    cdef int ranks = set_ranks(hand)
    cdef mask_t in_runs = run_cards(hand)
    if contested_ranks(ranks, in_runs):
        return discards_over_choices(hand, ranks, in_runs, forbidden, best)
    cdef mask_t loose = hand & ~(in_runs | unfold(ranks)), may = loose & ~forbidden
    if may == 0:
        return try_each_discard(hand, forbidden, best)
    cdef int top = 1 + highest(fold(may))
    if best != NULL:
        best[0] = may & TOP_CARDS[top]
    return points(loose) - TOP_VALUE[top]


cdef bint is_meld(mask_t cards) noexcept nogil:
    if cards == 0 or cards & ~DECK:
        return False
    if cards & (cards + (cards & (0 - cards))) == 0:     # one unbroken sequence
        return (cards & (cards >> 1) & (cards >> 2)) != 0
    return set_ranks(cards) != 0 and cards == rank_cards(cards, lowest(cards) & 15)


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
    n = set_choices(hand, ranks, run_cards(hand), choices)
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
    TOP_VALUE[0] = 0
    TOP_CARDS[0] = STARVED
    for rank in range(RANKS):
        VALUE[rank] = rank + 1 if rank < 9 else 10
        TOP_VALUE[rank + 1] = VALUE[rank]
        TOP_CARDS[rank + 1] = unfold(1 << rank if rank < 9 else 0x1E00)
    for pattern in range(PATTERNS):
        POINTS[pattern] = 0
        for rank in range(RANKS):
            if pattern >> rank & 1:
                POINTS[pattern] += VALUE[rank]
    for pattern in range(PATTERNS):
        LOOSE[pattern] = POINTS[pattern & ~<int>run_cards(pattern)]


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
    cdef mask_t mask = _hand("hand", hand)
    cdef mask_t[MAX_MELDS] places
    cdef int i, n = len(melds), fault
    if n > MAX_MELDS:
        raise ValueError(f"melds are {n}: allowed are up to {MAX_MELDS}")
    for i in range(n):
        places[i] = _hand(f"melds[{i}]", melds[i], 3, 13)
    fault = show(mask, places, n, &shown)
    if fault >= 0:
        _refuse_meld(f"melds[{fault}]", places[fault])
    defend(mask, &shown, &answer)
    return (answer.deadwood, tuple([answer.melds[i] for i in range(answer.n)]),
            tuple([answer.laid[i] for i in range(n)]))


cdef tuple _melds_of(const Spread* spread):
    cdef int i
    return tuple([spread.melds[i] for i in range(spread.n)])


# ---- for Python: arrays of hands ------------------------------------------------------------------

def deadwood_array(hands):
    """Least deadwood of each hand, as uint8 of the same shape; ``hands`` are masks of 1 to 11 cards."""
    masks = _masks("hands", hands, 1, 11)
    least = np.empty(masks.shape, dtype=np.uint8)
    cdef const mask_t[::1] flat = masks.reshape(-1)
    cdef uint8_t[::1] out = least.reshape(-1)
    cdef Py_ssize_t i
    with nogil:
        for i in range(flat.shape[0]):
            out[i] = <uint8_t>deadwood(flat[i])
    return least


def best_discards_array(hands, forbidden=None):
    """Least deadwood after one discard (uint8) and the masks of all discards that reach it (uint64).

    ``hands`` are masks of 2 to 11 cards, ``forbidden`` the masks of cards that may not go, of the same shape
    or broadcast to it. A ValueError is raised where they cover a hand.
    """
    masks = _masks("hands", hands, 2, 11)
    kept = _masks("forbidden", 0 if forbidden is None else forbidden, 0, 52)
    kept = np.ascontiguousarray(np.broadcast_to(kept, masks.shape))
    least = np.empty(masks.shape, dtype=np.uint8)
    best = np.empty(masks.shape, dtype=np.uint64)
    cdef const mask_t[::1] flat = masks.reshape(-1), flat_kept = kept.reshape(-1)
    cdef uint8_t[::1] out = least.reshape(-1)
    cdef mask_t[::1] out_best = best.reshape(-1)
    cdef Py_ssize_t i = 0, n = flat.shape[0]
    with nogil:
        while i < n and flat[i] & ~flat_kept[i]:
            out[i] = <uint8_t>best_discards(flat[i], flat_kept[i], &out_best[i])
            i += 1
    if i < n:
        raise ValueError(f"{_place('forbidden', masks, i)} = {flat_kept[i]:#x} covers the hand {flat[i]:#x}:"
                         " at least one card must be free to go")
    return least, best


def defend_array(hands, melds):
    """Least count (uint8) of each hand of 1 to 11 cards against the melds shown to it.

    ``melds`` has one axis more than ``hands``, of length 3; 0 stands for no meld. The melds of a row and its
    hand must be disjoint.
    """
    masks = _masks("hands", hands, 1, 11)
    shown_masks = _masks("melds", melds, 0, 13)
    if shown_masks.shape != (*masks.shape, MAX_MELDS):
        raise ValueError(f"melds has shape {shown_masks.shape}: allowed is {(*masks.shape, MAX_MELDS)},"
                         f" the shape of hands and an axis of {MAX_MELDS}")
    least = np.empty(masks.shape, dtype=np.uint8)
    cdef const mask_t[::1] flat = masks.reshape(-1)
    cdef const mask_t[:, ::1] flat_melds = shown_masks.reshape(-1, MAX_MELDS)
    cdef uint8_t[::1] out = least.reshape(-1)
    cdef Py_ssize_t i, n = flat.shape[0]
    cdef int j, fault = -1
    cdef Spread shown
    cdef Defence answer
    with nogil:
        for i in range(n):
            fault = show(flat[i], &flat_melds[i, 0], MAX_MELDS, &shown)
            if fault >= 0:
                break
            defend(flat[i], &shown, &answer)
            out[i] = <uint8_t>answer.deadwood
    if fault >= 0:
        _refuse_meld(_place("melds", shown_masks, i * MAX_MELDS + fault), int(flat_melds[i, fault]))
    return least


def _masks(name, values, int fewest, int most):
    """Masks of any shape and layout as a contiguous array of uint64; refuse the first with a wrong count."""
    given = np.asarray(values)
    if given.dtype.kind not in "iu" and given.size:
        raise TypeError(f"{name} has dtype {given.dtype}: allowed are integer masks")
    masks = np.ascontiguousarray(given, dtype=np.uint64).reshape(given.shape)
    cdef const mask_t[::1] flat = masks.reshape(-1)
    cdef Py_ssize_t misfit
    with nogil:
        misfit = first_misfit(flat, fewest, most)
    if misfit < flat.shape[0]:
        _hand(_place(name, masks, misfit), flat[misfit], fewest, most)
    return masks


def _place(name, array, flat_index):
    """``name[1, 2]`` for an error message."""
    return f"{name}[{', '.join(str(i) for i in np.unravel_index(flat_index, array.shape))}]" if array.ndim else name


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


cdef int show(mask_t hand, const mask_t* melds, int n, Spread* out) noexcept nogil:
    """Make the non-empty melds a spread; return the place of one that is no meld or not disjoint, or -1."""
    cdef mask_t seen = hand
    cdef int i
    out.n = 0
    out.deadwood = 0
    for i in range(n):
        if melds[i] == 0:
            continue
        if not is_meld(melds[i]) or melds[i] & seen:
            return i
        seen |= melds[i]
        out.melds[out.n] = melds[i]
        out.n += 1
    return -1


def _refuse_meld(name, meld):
    raise ValueError(f"{name} = {meld:#x} is no meld free to be shown: allowed are sets of three or four and runs of"
                     " three or more, disjoint from the hand and the other melds")
