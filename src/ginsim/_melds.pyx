# cython: language_level=3
"""Melds, deadwood and lay-offs on masks: exact, without allocation, at the speed of table look-ups.

Choose which ranks are melded as sets; the runs of the other cards are then forced, since every unbroken
sequence of three or more is melded whole, and what is left is loose. A rank of three or four cards of which
none could be in a run is always melded whole, so only the choices for the other, *contested* ranks have to be
compared, and most hands have no contested rank. A choice is written as the mask of the cards melded in sets:
of each rank 0, 3 or 4.

Functions of the C face take masks within the deck of at most 11 cards, which callers have checked; those for
Python, at the end, check what they are given.
"""
from operator import index

from libc.stdint cimport int64_t, uint8_t, uint16_t

from ._bits cimport DECK, count, highest, lowest, mask_t, rank_cards, suit_ranks
from ._shape cimport ranks_of, run_cards, set_ranks, unfold

cdef enum:
    MOST_CARDS = 11             # a hand before the discard
    RANKS = 13
    PATTERNS = 8192             # subsets of the ranks of a suit
    MAX_CHOICES = 50            # contested ranks of 4, 4 and 3 cards; three suits have runs: 5 * 5 * 2
    NOTHING = 1 << 20           # more than any deadwood
    BINS = 128                  # more than the deadwood of any hand of 11 cards
    UNIT_BITS = 10              # after the point in the knocker's expectation

cdef uint8_t VALUE[RANKS]       # of a card, by rank
cdef uint8_t POINTS[PATTERNS]   # value of the cards of a suit
cdef uint8_t LOOSE[PATTERNS]    # value of those in no run

# By 1 + the highest rank of some cards, 0 for none: the value of the dearest, and all cards of that value.
cdef uint8_t TOP_VALUE[RANKS + 1]
cdef mask_t TOP_CARDS[RANKS + 1]

cdef mask_t STARVED = <mask_t>1 << 15   # no card; among discards it says: no loose card may go


cdef int points(mask_t cards) noexcept nogil:
    """Value of all the cards, melded or not."""
    return (POINTS[suit_ranks(cards, 0)] + POINTS[suit_ranks(cards, 1)]
            + POINTS[suit_ranks(cards, 2)] + POINTS[suit_ranks(cards, 3)])


cdef inline int loose_points(mask_t cards) noexcept nogil:
    """Value of the cards in no run."""
    return (LOOSE[suit_ranks(cards, 0)] + LOOSE[suit_ranks(cards, 1)]
            + LOOSE[suit_ranks(cards, 2)] + LOOSE[suit_ranks(cards, 3)])


cdef inline mask_t contested_ranks(mask_t ranks, mask_t in_runs) noexcept nogil:
    """Those of ``ranks`` of which some card could be in a run instead of a set."""
    return ranks & ranks_of(in_runs)


cdef int set_choices(mask_t hand, mask_t ranks, mask_t in_runs, mask_t* choices) noexcept nogil:
    """Write every choice of sets worth comparing and return how many.

    ``ranks`` is ``set_ranks(hand)``, ``in_runs`` is ``run_cards(hand)``. Of a contested rank these are no
    set, all the cards, and of four all but one that could be in a run. What is left out keeps a card loose
    that a set could hold and no run can. That is worse; after the best discard it is still worse, except
    where no other loose card may go.
    """
    cdef mask_t contested = contested_ranks(ranks, in_runs)
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
        if whole == unfold(ranks_of(whole)):            # all four
            wanted = whole & in_runs
            while wanted:
                card = wanted & (0 - wanted)
                wanted ^= card
                for i in range(before):
                    choices[n] = choices[i] | (whole ^ card)
                    n += 1
    return n


cdef int least_over_choices(mask_t hand, mask_t ranks, mask_t in_runs) noexcept nogil:
    cdef mask_t choices[MAX_CHOICES]
    cdef int n = set_choices(hand, ranks, in_runs, choices)
    cdef int least = loose_points(hand & ~choices[0]), here, i
    for i in range(1, n):
        here = loose_points(hand & ~choices[i])
        if here < least:
            least = here
    return least


cdef int deadwood(mask_t hand) noexcept nogil:
    """Least deadwood of 0 to 11 cards."""
    cdef mask_t ranks = set_ranks(hand)
    cdef mask_t in_runs = run_cards(hand)
    if contested_ranks(ranks, in_runs):
        return least_over_choices(hand, ranks, in_runs)
    return points(hand & ~(in_runs | unfold(ranks)))


cdef int try_each_discard(mask_t hand, mask_t forbidden, mask_t* best) noexcept nogil:
    """``best_discards`` one by one."""
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
    cdef int top = highest(ranks_of(may) << 1 | 1)
    cdef int here = loose_points(rest) - TOP_VALUE[top]
    cdef mask_t these = (may | STARVED) & TOP_CARDS[top]
    # conditional moves: which of the three it is cannot be predicted
    these |= reach[0] if here == least[0] else 0
    reach[0] = these if here <= least[0] else reach[0]
    least[0] = here if here <= least[0] else least[0]


cdef int discards_over_choices(mask_t hand, mask_t ranks, mask_t in_runs, mask_t forbidden,
                               mask_t* best) noexcept nogil:
    """``best_discards`` of a hand with contested ranks."""
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
    """Least deadwood of 2 to 11 cards after a discard not in ``forbidden``; ``best`` gets all that reach it.

    ``best`` may be NULL. Where every card is forbidden it gets 0.
    """
    cdef mask_t ranks = set_ranks(hand)
    cdef mask_t in_runs = run_cards(hand)
    if contested_ranks(ranks, in_runs):
        return discards_over_choices(hand, ranks, in_runs, forbidden, best)
    cdef mask_t loose = hand & ~(in_runs | unfold(ranks)), may = loose & ~forbidden
    if may == 0:
        return try_each_discard(hand, forbidden, best)
    cdef int top = 1 + highest(ranks_of(may))
    if best != NULL:
        best[0] = may & TOP_CARDS[top]
    return points(loose) - TOP_VALUE[top]


cdef bint is_meld(mask_t cards) noexcept nogil:
    """Whether the cards are one set of three or four, or one run of three or more."""
    if cards == 0 or cards & ~DECK:
        return False
    if cards & (cards + (cards & (0 - cards))) == 0:     # one unbroken sequence
        return (cards & (cards >> 1) & (cards >> 2)) != 0
    return set_ranks(cards) != 0 and cards == rank_cards(cards, lowest(cards) & 15)


cdef bint card_melds(mask_t hand, int card) noexcept nogil:
    """Whether a card of the hand is in some set or run within it, in whatever arrangement."""
    return (run_cards(hand) >> card) & 1 or (set_ranks(hand) >> (card & 15)) & 1


cdef inline mask_t lowest_run(mask_t runs) noexcept nogil:
    """The lowest unbroken sequence of the cards."""
    return runs & ~(runs + (runs & (0 - runs)))


cdef inline mask_t lowest_meld(mask_t choice, mask_t runs) noexcept nogil:
    """The set of the choice, or the unsplit run, that holds the lowest card of both."""
    cdef int card = lowest(choice | runs)
    return rank_cards(choice, card & 15) if choice >> card & 1 else lowest_run(runs)


cdef int write_melds(mask_t hand, mask_t choice, mask_t* melds) noexcept nogil:
    """Write the chosen sets and the runs of the other cards, unsplit, and return how many.

    They are in the order of their lowest cards; places not needed are 0.
    """
    cdef mask_t runs = run_cards(hand & ~choice)
    cdef int i, n = 0
    for i in range(MAX_MELDS):
        melds[i] = 0
    while choice | runs:
        melds[n] = lowest_meld(choice, runs)
        choice &= ~melds[n]
        runs &= ~melds[n]
        n += 1
    return n


cdef int add_splits(mask_t choice, mask_t runs, Spread* so_far, Spread* out, int n) noexcept nogil:
    """Append ``so_far`` with the sets of the choice and the runs split in every way; return the new count."""
    cdef mask_t meld, ends
    if choice | runs == 0:
        if n < MAX_SPREADS:
            out[n] = so_far[0]
            n += 1
        return n
    meld = lowest_meld(choice, runs)
    so_far.n += 1
    so_far.melds[so_far.n - 1] = meld
    n = add_splits(choice & ~meld, runs & ~meld, so_far, out, n)
    # the last cards of a first part of three or more that leaves three or more; a set has none
    ends = meld & (meld << 1) & (meld << 2) & (meld >> 1) & (meld >> 2) & (meld >> 3)
    while ends:
        so_far.melds[so_far.n - 1] = meld & (((ends & (0 - ends)) << 1) - 1)
        n = add_splits(choice, runs & ~so_far.melds[so_far.n - 1], so_far, out, n)
        ends &= ends - 1
    so_far.n -= 1
    so_far.melds[so_far.n] = 0
    return n


cdef int best_choices(mask_t hand, mask_t* choices, int* least) noexcept nogil:
    """Write the choices of sets that reach the least deadwood, in the order of ``set_choices``."""
    cdef mask_t ranks = set_ranks(hand)
    cdef mask_t in_runs = run_cards(hand)
    cdef int n, i, here, kept = 0
    if not contested_ranks(ranks, in_runs):
        choices[0] = hand & unfold(ranks)
        least[0] = points(hand & ~(in_runs | choices[0]))
        return 1
    n = set_choices(hand, ranks, in_runs, choices)
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
    """Write every arrangement of least deadwood of 0 to 11 cards, none twice, and return how many.

    ``out`` has room for MAX_SPREADS. Melds are in the order of their lowest cards. Arrangements come by
    choices of sets (no set of a rank before its set), for each choice the one with unsplit runs first.
    """
    cdef mask_t choices[MAX_CHOICES]
    cdef Spread empty
    cdef int i, n = 0
    empty.n = 0
    for i in range(MAX_MELDS):
        empty.melds[i] = 0
    for i in range(best_choices(hand, choices, &empty.deadwood)):
        n = add_splits(choices[i], run_cards(hand & ~choices[i]), &empty, out, n)
    return n


cdef inline mask_t next_below(mask_t run) noexcept nogil:
    """The card that would extend a run downwards; no card of the deck below an ace."""
    return (run & (0 - run)) >> 1


cdef inline mask_t next_above(mask_t run) noexcept nogil:
    """The card that would extend a run upwards; no card of the deck above a king."""
    return run + (run & (0 - run))


cdef inline int64_t chance_of(mask_t card, mask_t known, mask_t unseen, int64_t if_unseen) noexcept nogil:
    return <int64_t>1 << UNIT_BITS if card & known else if_unseen if card & unseen else 0


cdef int64_t expected_lay_offs(mask_t hand, mask_t choice, mask_t known, mask_t unseen,
                               int64_t if_unseen) noexcept nogil:
    """Points that the expected opponent can lay off on the spread of a choice; see ``knock_spread``."""
    cdef mask_t runs = run_cards(hand & ~choice), run, card
    cdef mask_t fourths = unfold(ranks_of(choice)) & ~choice
    cdef int64_t total = 0, chance
    while fourths:
        card = fourths & (0 - fourths)
        fourths ^= card
        total += chance_of(card, known, unseen, if_unseen) * VALUE[lowest(card) & 15]
    while runs:
        run = lowest_run(runs)
        runs ^= run
        card = next_below(run)
        chance = chance_of(card, known, unseen, if_unseen)
        while chance:
            total += chance * VALUE[lowest(card) & 15]
            card >>= 1
            chance = chance * chance_of(card, known, unseen, if_unseen) >> UNIT_BITS
        card = next_above(run)
        chance = chance_of(card, known, unseen, if_unseen)
        while chance:
            total += chance * VALUE[lowest(card) & 15]
            card <<= 1
            chance = chance * chance_of(card, known, unseen, if_unseen) >> UNIT_BITS
    return total


cdef void knock_spread(mask_t hand, mask_t known, mask_t unseen, Spread* out) noexcept nogil:
    """The knocker's default spread: of those of least deadwood the one that leaves least to lay off.

    The measure is the points that the expected opponent can lay off. It holds each of its ``known`` cards for
    certain and each of the ``unseen``, whose place the knocker does not know, with the same chance p = (10 -
    number known) / (number unseen). A set of three counts p * value of its fourth card; each end of a run
    counts the chain of cards beyond it, p1 * value1 + p1 * p2 * value2 + ... Chances are whole multiples of
    1/1024, rounded down, so that machines agree. Own melds of the opponent and bonuses are not looked at, and
    a card that fits on two melds counts for both. Of equals the first in the order of ``all_spreads`` is
    shown; runs stay unsplit, since a split changes nothing that can be laid off.
    """
    cdef mask_t choices[MAX_CHOICES]
    cdef int least, i, n = best_choices(hand, choices, &least), shown = 0
    cdef int64_t if_unseen = 0, fewest, here
    if n > 1 and least > 0:
        if unseen:
            if_unseen = (max(10 - count(known), 0) << UNIT_BITS) // count(unseen)
            if_unseen = min(if_unseen, <int64_t>1 << UNIT_BITS)
        fewest = expected_lay_offs(hand, choices[0], known, unseen, if_unseen)
        for i in range(1, n):
            here = expected_lay_offs(hand, choices[i], known, unseen, if_unseen)
            if here < fewest:
                fewest = here
                shown = i
    out.n = write_melds(hand, choices[shown], out.melds)
    out.deadwood = least


cdef bint spread_fits(mask_t hand, const Spread* shown) noexcept nogil:
    """Whether the spread is one of the hand: melds of its cards, disjoint, and the count of the others."""
    cdef mask_t left = hand
    cdef int i
    if shown.n < 0 or shown.n > MAX_MELDS:
        return False
    for i in range(shown.n):
        if not is_meld(shown.melds[i]) or shown.melds[i] & ~left:
            return False
        left ^= shown.melds[i]
    return shown.deadwood == points(left)


cdef inline bint is_run(mask_t meld) noexcept nogil:
    """Tell a run from a set."""
    return (meld & (meld >> 1)) != 0


cdef inline mask_t extending(mask_t meld) noexcept nogil:
    """The cards any one of which may be laid off on a meld (and bits that are no cards)."""
    if is_run(meld):
        return next_below(meld) | next_above(meld)
    return unfold(ranks_of(meld)) ^ meld


cdef inline mask_t ends_of_runs(const Spread* shown) noexcept nogil:
    """The cards next to a shown run (and perhaps some that are shown)."""
    cdef mask_t runs = 0
    cdef int i
    for i in range(MAX_MELDS):
        runs |= shown.melds[i] if (i < shown.n) & is_run(shown.melds[i]) else 0
    return (runs << 1) | (runs >> 1)


cdef inline mask_t fourth_cards(const Spread* shown) noexcept nogil:
    """The cards of the ranks of shown sets."""
    cdef mask_t sets = 0
    cdef int i
    for i in range(MAX_MELDS):
        sets |= shown.melds[i] if (i < shown.n) & (not is_run(shown.melds[i])) else 0
    return unfold(ranks_of(sets))


cdef mask_t lay_on_runs(mask_t cards, Spread* shown, mask_t* laid) noexcept nogil:
    """Lay all the cards that fit on shown runs, which grow; return the others."""
    cdef mask_t card
    cdef int i
    for i in range(shown.n):
        if is_run(shown.melds[i]):
            while True:
                card = (next_below(shown.melds[i]) | next_above(shown.melds[i])) & cards
                if card == 0:
                    break
                shown.melds[i] |= card
                laid[i] |= card
                cards ^= card
    return cards


cdef mask_t lay_on_sets(mask_t cards, const Spread* shown, mask_t* laid) noexcept nogil:
    """Lay all the cards that fit on shown sets; return the others."""
    cdef mask_t card
    cdef int i
    for i in range(shown.n):
        if not is_run(shown.melds[i]):
            card = extending(shown.melds[i]) & cards
            laid[i] |= card
            cards ^= card
    return cards


cdef void try_lay_offs(mask_t rest, const Spread* shown, int i, mask_t* laid, Defence* out) noexcept nogil:
    """Try every way to lay off on the melds from i down to the first, beside what is ``laid``.

    Keeps in ``out`` the first way of the least count; fewer cards on a meld are tried before more.
    """
    cdef mask_t meld, before, low, high, card
    cdef int here, j
    if i < 0:
        here = deadwood(rest)
        if here < out.deadwood:
            out.deadwood = here
            for j in range(MAX_MELDS):
                out.laid[j] = laid[j]
        return
    try_lay_offs(rest, shown, i - 1, laid, out)
    meld = shown.melds[i]
    before = laid[i]
    if not is_run(meld):
        card = extending(meld) & rest
        if card:
            laid[i] = card
            try_lay_offs(rest ^ card, shown, i - 1, laid, out)
    else:
        low = 0
        while True:
            high = 0
            while True:
                if low | high:
                    laid[i] = before | low | high
                    try_lay_offs(rest & ~(low | high), shown, i - 1, laid, out)
                card = next_above(meld | low | high) & rest
                if card == 0:
                    break
                high |= card
            card = next_below(meld | low) & rest
            if card == 0:
                break
            low |= card
    laid[i] = before


cdef void own_melds(mask_t rest, Defence* out) noexcept nogil:
    """Meld what was not laid off; the first arrangement of least deadwood."""
    cdef mask_t choices[MAX_CHOICES]
    best_choices(rest, choices, &out.deadwood)
    out.n = write_melds(rest, choices[0], out.melds)


cdef void defend(mask_t hand, const Spread* shown, Defence* out) noexcept nogil:
    """The defender's least count over the joint choice of own melds and lay-offs, and a way to reach it.

    A card is laid off only where that lowers the count, so one that could as well be melded stays in its
    meld.
    """
    cdef mask_t ends = ends_of_runs(shown), fourths = fourth_cards(shown), rest = hand, melding
    cdef mask_t laid[MAX_MELDS]
    cdef Spread longer
    cdef int i
    for i in range(MAX_MELDS):
        out.laid[i] = 0
    if hand & (ends | fourths):
        # A card in no meld of the hand is never worth keeping, nor laying on a set if it fits on a run, where
        # others may follow. Only if a card that could be melded fits as well is there something to search.
        melding = run_cards(hand) | (hand & unfold(set_ranks(hand)))
        longer = shown[0]
        rest = melding | lay_on_runs(hand & ~melding, &longer, out.laid)
        if melding & (ends_of_runs(&longer) | fourths):
            for i in range(MAX_MELDS):
                laid[i] = out.laid[i]
            out.deadwood = NOTHING
            try_lay_offs(rest, &longer, shown.n - 1, laid, out)
            rest = hand
            for i in range(MAX_MELDS):
                rest &= ~out.laid[i]
        else:
            rest = melding | lay_on_sets(rest ^ melding, &longer, out.laid)
    own_melds(rest, out)


cdef void defend_own_melds_first(mask_t hand, const Spread* own, const Spread* shown,
                                 Defence* out) noexcept nogil:
    """The shortcut of the EAAI challenge's framework: own melds as given, then loose cards laid off greedily.

    As long as any fits, the lowest loose card that does is laid on the first meld that takes it. Not always
    the least count.
    """
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
    """Whether a defence is legal: melds and lay-offs of the hand's cards, disjoint, and the count right."""
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
        if answer.laid[i] and (i >= shown.n or not is_meld(shown.melds[i] | answer.laid[i])):
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
        TOP_CARDS[rank + 1] = unfold(<mask_t>1 << rank if rank < 9 else 0x1E00)
    for pattern in range(PATTERNS):
        POINTS[pattern] = 0
        for rank in range(RANKS):
            if pattern >> rank & 1:
                POINTS[pattern] += VALUE[rank]
    for pattern in range(PATTERNS):
        LOOSE[pattern] = POINTS[pattern & ~<int>run_cards(pattern)]


fill_tables()


# ---- for Python: one hand -------------------------------------------------------------------------

def _mask(name, mask, int fewest=1, int most=MOST_CARDS):
    """Return a mask as an int, or refuse it by name."""
    mask = index(mask)
    if not 0 <= mask < 1 << 64 or mask & ~DECK:
        raise ValueError(f"{name} = {mask:#x} has bits outside the deck: allowed are the bits of {DECK:#x}")
    if not fewest <= mask.bit_count() <= most:
        raise ValueError(f"{name} = {mask:#x} holds {mask.bit_count()} cards: allowed are {fewest} to {most}")
    return mask


def deadwood_of(hand):
    """Least deadwood of a hand of 1 to 11 cards, in points."""
    return deadwood(_mask("hand", hand))


def is_meld_of(cards):
    """Whether the cards are one set of three or four, or one run of three or more."""
    return bool(is_meld(_mask("cards", cards, 0, 52)))


def card_melds_of(hand, card):
    """Whether a card of the hand (a bit position) is in some set or run within the hand."""
    cdef mask_t mask = _mask("hand", hand, 1, 52)
    if not 0 <= card < 64 or not mask >> card & 1:
        raise ValueError(f"card = {card} is not in hand = {mask:#x}: allowed are the positions of its bits")
    return bool(card_melds(mask, card))


cdef tuple _melds_of(const Spread* spread):
    cdef int i
    return tuple([spread.melds[i] for i in range(spread.n)])


def spreads_of(hand):
    """Every arrangement of least deadwood of 1 to 11 cards, each a tuple of melds as masks.

    Melds are in the order of their lowest cards. A long run split differently is a different arrangement.
    """
    cdef Spread spreads[MAX_SPREADS]
    cdef int i, n = all_spreads(_mask("hand", hand), spreads)
    return [_melds_of(&spreads[i]) for i in range(n)]


def best_discards_of(hand, forbidden=0):
    """Least deadwood of 2 to 11 cards after one discard, and the mask of all discards that reach it.

    ``forbidden`` is the mask of the cards that may not go; a ValueError is raised if it covers the hand.
    """
    cdef mask_t best = 0, mask = _mask("hand", hand, 2), kept = _mask("forbidden", forbidden, 0, 52)
    if mask & ~kept == 0:
        raise ValueError(f"forbidden = {kept:#x} covers hand = {mask:#x}: a card must be left to go")
    cdef int least = best_discards(mask, kept, &best)
    return least, best


def outs_of(hand, among):
    """The mask of the cards ``among`` that lower the deadwood of 1 to 10 cards just by coming to them.

    Those are the cards that complete a meld; cards of the hand itself are left out.
    """
    cdef mask_t mask = _mask("hand", hand, 1, MOST_CARDS - 1), left = _mask("among", among, 0, 52) & ~mask
    cdef mask_t card, found = 0
    cdef int before = deadwood(mask)
    while left:
        card = left & (0 - left)
        left ^= card
        if deadwood(mask | card) < before:
            found |= card
    return found


def deadwood_after_each_of(hand):
    """By the position of each of 2 to 11 cards, the least deadwood of the others."""
    cdef mask_t mask = _mask("hand", hand, 2), left = mask, card
    each = {}
    while left:
        card = left & (0 - left)
        left ^= card
        each[lowest(card)] = deadwood(mask ^ card)
    return each


def partners_of(int card):
    """The masks of all pairs of cards that make a meld of three with one card (a bit position)."""
    cdef int suit, other, first, i, rank = card & 15
    cdef mask_t own, run
    if not (0 <= card < 64 and DECK >> card & 1):
        raise ValueError(f"card = {card}: allowed are suit * 16 + rank, suit 0 to 3, rank 0 to 12")
    own = <mask_t>1 << card
    pairs = []
    for suit in range(4):
        for other in range(suit + 1, 4):
            if suit != card >> 4 and other != card >> 4:
                pairs.append((<mask_t>1 << (suit * 16 + rank)) | (<mask_t>1 << (other * 16 + rank)))
    for first in range(max(rank - 2, 0), min(rank, RANKS - 3) + 1):
        run = 0
        for i in range(3):
            run |= <mask_t>1 << ((card & 48) + first + i)
        pairs.append(run ^ own)
    return pairs


def ways_to_meld_of(pairs, known, unseen):
    """How a hand that holds ``known`` and some of ``unseen`` may hold one of the pairs.

    Returns the number of unseen cards that matter, m, and a list: by k from 0 to m, how many choices of k of
    them hold a pair, with the known cards. ``pairs`` are masks, at most eight cards of them unseen.
    """
    cdef mask_t held = _mask("known", known, 0, 52), hidden = _mask("unseen", unseen, 0, 52)
    cdef mask_t wanted[16]
    cdef mask_t matter = 0, chosen = 0
    cdef int n = 0, i
    for pair in pairs:
        if pair & ~(held | hidden) == 0:
            if n == 16:
                raise ValueError("pairs are more than 16: allowed are up to 16 that can be held")
            wanted[n] = pair & ~held
            matter |= wanted[n]
            n += 1
    if count(matter) > 8:
        raise ValueError(f"pairs have {count(matter)} unseen cards; allowed are at most 8")
    ways = [0] * (count(matter) + 1)
    while True:      # all subsets of matter
        for i in range(n):
            if wanted[i] & ~chosen == 0:
                ways[count(chosen)] += 1
                break
        chosen = (chosen - matter) & matter
        if chosen == 0:
            return count(matter), ways


def knock_spread_of(hand, known=0, unseen=0):
    """The spread of 1 to 11 cards, as a tuple of melds, that leaves the expected opponent least to lay off.

    ``known`` are the opponent's cards known to the knocker (at most 10), ``unseen`` those whose place it does
    not know. The measure is the sum over shown sets of three of p * value of the fourth card, and over both
    ends of each run of p1 * value1 + p1 * p2 * value2 + ..., where p is 1 for a known card, (10 - known) /
    unseen for an unseen one and 0 for others. A ValueError is raised where the three masks overlap.
    """
    cdef Spread spread
    cdef mask_t mask = _mask("hand", hand)
    cdef mask_t theirs = _mask("known", known, 0, 10), hidden = _mask("unseen", unseen, 0, 52)
    if mask & theirs or mask & hidden or theirs & hidden:
        raise ValueError(f"hand = {mask:#x}, known = {theirs:#x} and unseen = {hidden:#x} overlap:"
                         " allowed are disjoint masks")
    knock_spread(mask, theirs, hidden, &spread)
    return _melds_of(&spread)


cdef int make_spread(mask_t outside, const mask_t* melds, int n, Spread* out) noexcept nogil:
    """Make the non-empty melds a spread; return the place of one that is no meld or not disjoint, or -1."""
    cdef mask_t seen = outside
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


cdef int _fill(name, masks, mask_t* out, int fewest=0) except -1:
    """Write up to three masks, the rest 0, and return how many."""
    cdef int i, n = len(masks)
    if n > MAX_MELDS:
        raise ValueError(f"{name} are {n} masks: allowed are up to {MAX_MELDS}")
    for i in range(MAX_MELDS):
        out[i] = _mask(f"{name}[{i}]", masks[i], fewest, RANKS) if i < n else 0
    return n


cdef int _spread(name, mask_t outside, melds, Spread* out) except -1:
    """Make a spread of a sequence of melds, or refuse by name one that is no meld or not disjoint."""
    cdef mask_t[MAX_MELDS] places
    cdef int i, n = _fill(name, melds, places, 3)
    i = make_spread(outside, places, n, out)
    if i >= 0:
        _refuse_meld(f"{name}[{i}]", places[i])
    return 0


def _refuse_meld(name, meld):
    raise ValueError(f"{name} = {meld:#x} does not fit: allowed are sets of three or four and runs of three"
                     " or more, disjoint, own melds within the hand and others outside")


def defend_of(hand, melds):
    """The least count of a hand against shown melds: ``(deadwood, own melds, lay-offs)``.

    ``hand`` has 1 to 11 cards, ``melds`` are up to three melds as masks, disjoint from it and each other; the
    lay-offs are masks in the same places, 0 where none. A ValueError names a mask that is no such meld.
    """
    cdef Spread shown
    cdef Defence answer
    cdef mask_t mask = _mask("hand", hand)
    _spread("melds", mask, melds, &shown)
    defend(mask, &shown, &answer)
    return _answer_of(&answer, shown.n)


def defend_own_melds_first_of(hand, own, melds):
    """As `defend_of`, but own melds are given, ``own``, and loose cards are then laid off greedily.

    The shortcut of the EAAI challenge's framework; its count is not always the least.
    """
    cdef Spread shown, kept
    cdef Defence answer
    cdef mask_t mask = _mask("hand", hand)
    _spread("own", ~mask, own, &kept)
    _spread("melds", mask, melds, &shown)
    defend_own_melds_first(mask, &kept, &shown, &answer)
    return _answer_of(&answer, shown.n)


def spread_fits_of(hand, melds, int deadwood):
    """Whether up to three masks are disjoint melds of a hand that leave so much deadwood."""
    cdef Spread shown
    shown.deadwood = deadwood
    shown.n = _fill("melds", melds, shown.melds)
    return bool(spread_fits(_mask("hand", hand), &shown))


def defence_fits_of(hand, melds, own, laid, int deadwood):
    """Whether a defence against shown melds is legal and leaves so much; ``laid`` is aligned to ``melds``."""
    cdef Spread shown
    cdef Defence answer
    shown.n = _fill("melds", melds, shown.melds)
    answer.deadwood = deadwood
    answer.n = _fill("own", own, answer.melds)
    _fill("laid", laid, answer.laid)
    return bool(defence_fits(_mask("hand", hand), &shown, &answer))


cdef tuple _answer_of(const Defence* answer, int shown):
    cdef int i
    return (answer.deadwood, tuple([answer.melds[i] for i in range(answer.n)]),
            tuple([answer.laid[i] for i in range(shown)]))


# ---- for Python: arrays of hands ------------------------------------------------------------------

def _masks(name, values, int fewest, int most):
    """Masks of any shape and layout as a contiguous array of uint64; refuse the first with a wrong count."""
    import numpy as np      # here and not above: hands alone need no numpy

    given = np.asarray(values)
    if given.dtype.kind not in "iu" and given.size:
        raise TypeError(f"{name} has dtype {given.dtype}: allowed are integer masks")
    masks = np.ascontiguousarray(given, dtype=np.uint64).reshape(given.shape)
    cdef const mask_t[::1] flat = masks.reshape(-1)
    cdef Py_ssize_t misfit
    with nogil:
        misfit = first_misfit(flat, fewest, most)
    if misfit < flat.shape[0]:
        _mask(_place(name, masks, misfit), flat[misfit], fewest, most)
    return masks


def _place(name, array, flat_index):
    """Such as ``name[1, 2]``, for an error message."""
    import numpy as np

    indices = ", ".join([str(i) for i in np.unravel_index(flat_index, array.shape)])
    return f"{name}[{indices}]" if array.ndim else name


cdef Py_ssize_t first_misfit(const mask_t[::1] hands, int fewest, int most) noexcept nogil:
    """Place of the first mask that is no hand of so many cards, or the length if all are."""
    cdef mask_t outside, misfits, m
    cdef Py_ssize_t n = hands.shape[0], start, stop, i
    for start in range(0, n, 1024):
        stop = min(start + 1024, n)
        outside = 0
        misfits = 0
        for i in range(start, stop):        # plain arithmetic on 64 bits, which compilers turn into vectors
            m = hands[i]
            outside |= m
            m = m - ((m >> 1) & <mask_t>0x5555555555555555)
            m = (m & <mask_t>0x3333333333333333) + ((m >> 2) & <mask_t>0x3333333333333333)
            m = (m + (m >> 4)) & <mask_t>0x0F0F0F0F0F0F0F0F
            m = m + (m >> 32)
            m = m + (m >> 16)
            m = m + (m >> 8)                # the lowest byte is the number of cards
            misfits |= (m - fewest) | (most - m)
        if outside & ~DECK or misfits & 0x80:
            for i in range(start, stop):
                if hands[i] & ~DECK or not fewest <= count(hands[i]) <= most:
                    return i
    return n


def deadwood_array(hands):
    """Least deadwood of each hand, as uint8 of the same shape; ``hands`` are masks of 1 to 11 cards."""
    import numpy as np

    masks = _masks("hands", hands, 1, MOST_CARDS)
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
    import numpy as np

    masks = _masks("hands", hands, 2, MOST_CARDS)
    kept = _masks("forbidden", 0 if forbidden is None else forbidden, 0, 52)
    try:
        kept = np.ascontiguousarray(np.broadcast_to(kept, masks.shape))
    except ValueError:
        raise ValueError(f"forbidden has shape {kept.shape}: allowed are shapes that broadcast to"
                         f" {masks.shape}") from None
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
                         " a card must be left to go")
    return least, best


def defend_array(hands, melds):
    """Least count (uint8) of each hand of 1 to 11 cards against the melds shown to it.

    ``melds`` has one axis more than ``hands``, of length 3; 0 stands for no meld. The melds of a row and its
    hand must be disjoint.
    """
    import numpy as np

    masks = _masks("hands", hands, 1, MOST_CARDS)
    shown_masks = _masks("melds", melds, 0, 13)
    if shown_masks.shape != (*masks.shape, MAX_MELDS):
        raise ValueError(f"melds has shape {shown_masks.shape}: allowed is {(*masks.shape, MAX_MELDS)},"
                         f" the shape of hands and an axis of {MAX_MELDS}")
    least = np.empty(masks.shape, dtype=np.uint8)
    cdef const mask_t[::1] flat = masks.reshape(-1)
    cdef const mask_t[:, ::1] flat_melds = shown_masks.reshape(-1, MAX_MELDS)
    cdef uint8_t[::1] out = least.reshape(-1)
    cdef Py_ssize_t i, n = flat.shape[0]
    cdef int fault = -1
    cdef Spread shown
    cdef Defence answer
    with nogil:
        for i in range(n):
            fault = make_spread(flat[i], &flat_melds[i, 0], MAX_MELDS, &shown)
            if fault >= 0:
                break
            defend(flat[i], &shown, &answer)
            out[i] = <uint8_t>answer.deadwood
    if fault >= 0:
        _refuse_meld(_place("melds", shown_masks, i * MAX_MELDS + fault), int(flat_melds[i, fault]))
    return least


# ---- for Python: all hands ------------------------------------------------------------------------

cdef class _Patterns:
    """The subsets of a suit in the order of their number of cards, then of their masks."""

    cdef uint16_t patterns[PATTERNS]
    cdef uint8_t sizes[PATTERNS]
    cdef uint8_t keys[PATTERNS]         # points of the cards in no run, plus BINS if there is a run
    cdef int starts[RANKS + 2]          # by number of cards

    def __cinit__(self):
        cdef int size, pattern, n = 0
        for size in range(RANKS + 1):
            self.starts[size] = n
            for pattern in range(PATTERNS):
                if count(pattern) == size:
                    self.patterns[n] = pattern
                    self.sizes[n] = size
                    self.keys[n] = LOOSE[pattern] + (BINS if run_cards(pattern) else 0)
                    n += 1
        self.starts[RANKS + 1] = n


cdef inline int orders_of_suits(int p, int q, int r, int s) noexcept nogil:
    """In how many ways the four suits can hold the patterns at p <= q <= r <= s."""
    cdef int same = 1, orders = 24
    same = same + 1 if q == p else 1
    orders //= same
    same = same + 1 if r == q else 1
    orders //= same
    same = same + 1 if s == r else 1
    return orders // same


cdef int64_t count_hands(_Patterns suits, int cards, int start, int stop, int64_t* tally) noexcept nogil:
    """Add hands to ``tally`` by BINS * (0 without a meld, else 1 or 2) + deadwood; return the classes."""
    cdef int p, q, r, s, left, end, base
    cdef mask_t a, b, c, three, hand
    cdef uint16_t d, twice
    cdef int64_t classes = 0, orders
    for p in range(start, stop):
        a = suits.patterns[p]
        if 4 * suits.sizes[p] > cards:
            break
        for q in range(p, PATTERNS):
            b = suits.patterns[q]
            if suits.sizes[p] + 3 * suits.sizes[q] > cards:
                break
            for r in range(q, PATTERNS):
                c = suits.patterns[r]
                left = cards - suits.sizes[p] - suits.sizes[q] - suits.sizes[r]
                if left < suits.sizes[r]:
                    break
                three = a & b & c
                twice = <uint16_t>((a & b) | (a & c) | (b & c))
                hand = a | b << 16 | c << 32
                base = loose_points(hand) + (BINS if run_cards(hand) else 0)
                s = max(r, suits.starts[left])
                end = suits.starts[left + 1]
                classes += end - s
                while s < end:                      # s == r alone, then all the others
                    orders = orders_of_suits(p, q, r, s)
                    for s in range(s, r + 1 if s == r else end):
                        d = suits.patterns[s]
                        if (d & twice) | three:     # a set
                            tally[BINS + deadwood(hand | <mask_t>d << 48)] += orders
                        else:
                            tally[base + suits.keys[s]] += orders
                    s += 1
    return classes


def deadwood_counts(int cards, int start=0, int stop=PATTERNS):
    """Count all hands of 1 to 11 cards by their deadwood, exactly.

    Returns two int64 arrays indexed by deadwood 0 to 127, of all hands and of those with no meld, and the
    number of classes of hands up to permutation of the suits that were looked at.

    A class is four subsets of the 13 ranks in non-decreasing order (of their number of cards, then as masks).
    Only classes whose first subset is at ``start`` to ``stop - 1`` of that order of 8192 are counted, so that
    the work can be split; the sums over such parts are the whole.
    """
    import numpy as np

    if not 1 <= cards <= MOST_CARDS:
        raise ValueError(f"cards = {cards}: allowed are 1 to {MOST_CARDS}")
    if not 0 <= start <= stop <= PATTERNS:
        raise ValueError(f"start, stop = {start}, {stop}: allowed are 0 <= start <= stop <= {PATTERNS}")
    cdef _Patterns suits = _Patterns()
    tally = np.zeros((3, BINS), dtype=np.int64)
    cdef int64_t[:, ::1] view = tally
    cdef int64_t classes
    with nogil:
        classes = count_hands(suits, cards, start, stop, &view[0, 0])
    return tally.sum(axis=0), tally[0].copy(), classes
