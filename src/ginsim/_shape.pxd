# cython: language_level=3
"""Header-only: which cards of a hand are in melds, and which cards lie near others."""
from ._bits cimport DECK, NONE, SUIT, bit, count, highest, mask_t


cdef inline mask_t one(int card) noexcept nogil:
    """The mask of a card, empty for NONE."""
    return 0 if card == NONE else bit(card)


cdef inline mask_t ranks_of(mask_t cards) noexcept nogil:
    """The ranks of the cards, as the lowest 13 bits."""
    cards |= cards >> 32
    return (cards | cards >> 16) & SUIT


cdef inline mask_t unfold(mask_t ranks) noexcept nogil:
    """All cards of the ranks."""
    return ranks * <mask_t>0x0001000100010001


cdef inline mask_t cheaper(int value) noexcept nogil:
    """The cards of a lower deadwood value than this."""
    if value > 10:
        return DECK
    return unfold((<mask_t>1 << (value - 1)) - 1) if value > 0 else 0


cdef inline int worth(mask_t cards) noexcept nogil:
    """The value of the cards: for each binary digit, how many have it in their value."""
    return (
        count(cards & unfold(0x155)) + 2 * count(cards & unfold(0x1e66))
        + 4 * count(cards & unfold(0x78)) + 8 * count(cards & unfold(0x1f80))
    )


cdef inline mask_t run_cards(mask_t cards) noexcept nogil:
    """The cards in a sequence of three or more; the empty bits between suits keep them apart."""
    cdef mask_t starts = cards & (cards >> 1) & (cards >> 2)
    return starts | (starts << 1) | (starts << 2)


cdef inline mask_t set_ranks(mask_t hand) noexcept nogil:
    """The ranks, as 13 bits, of which the hand has three or four cards."""
    cdef mask_t both = hand & (hand >> 16), either = hand | (hand >> 16)
    return ((both & (either >> 32)) | ((both >> 32) & either)) & SUIT


cdef inline mask_t pair_ranks(mask_t hand) noexcept nogil:
    """The ranks, as 13 bits, of which the hand has two cards or more."""
    cdef mask_t both = hand & (hand >> 16), either = hand | (hand >> 16)
    return (both | (both >> 32) | (either & (either >> 32))) & SUIT


cdef inline mask_t run_reach(mask_t hand) noexcept nogil:
    """The cards that make a run of three with two cards of the hand."""
    return (
        ((hand >> 1) & (hand >> 2)) | ((hand << 1) & (hand << 2)) | ((hand << 1) & (hand >> 1))
    ) & DECK


cdef inline mask_t reach(mask_t hand) noexcept nogil:
    """The cards of the deck that make a meld of three with two cards of the hand.

    Of the cards outside the hand these are the ones that would meld in it; a card of the hand that is not
    among them is loose.
    """
    return run_reach(hand) | unfold(pair_ranks(hand))


cdef inline mask_t beside(mask_t cards) noexcept nogil:
    """The cards one or two ranks from one of the cards, in its suit."""
    return ((cards << 1) | (cards >> 1) | (cards << 2) | (cards >> 2)) & DECK


cdef inline mask_t dearest(mask_t cards) noexcept nogil:
    """A card of the highest rank among the cards; none of none."""
    cdef mask_t ranks = ranks_of(cards)
    if ranks == 0:
        return 0
    cards &= unfold(<mask_t>1 << highest(ranks))
    return cards & (0 - cards)


cdef inline mask_t neighbours(mask_t cards) noexcept nogil:
    """The cards that could be in one meld of three with one of the cards."""
    return beside(cards) | unfold(ranks_of(cards))
