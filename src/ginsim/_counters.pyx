# cython: language_level=3
"""Integer counters of one pairing; see the .pxd for what each of them holds."""
from ._bits cimport bit, int64_t, mask_t, rank_cards, rank_of, suit_of
from ._core cimport State
from ._melds cimport card_melds
from ._score cimport CUT_HAND, N_DECLARED, TIE, VOID_HAND, Price

PART_NAMES = ("base", "gin", "big_gin", "undercut", "tie")
LINK_NAMES = ("alone", "gap", "neighbour", "pair", "pair_and_run", "meld")
TURN_BUCKETS = N_TURNS
N_BLOCKS = BLOCKS


cdef int link_of(mask_t hand, int card) noexcept nogil:
    """How a card is connected in the eleven cards that it is thrown from: a place in LINK_NAMES."""
    cdef mask_t me = bit(card), near, far
    if card_melds(hand, card):
        return 5
    near = (me << 1 | me >> 1) & hand
    far = (me << 2 | me >> 2) & hand
    if rank_cards(hand, rank_of(card)) & ~me:
        return 4 if near | far else 3
    return 2 if near else (1 if far else 0)


cdef int discard_cell(const State* s, int card, int entrant) noexcept nogil:
    """Place in `discards` of the card about to be thrown, judged in the eleven cards it is thrown from."""
    cdef int turn = min(<int>s.view.turns[s.view.seat], <int>N_TURNS) - 1
    return (((entrant * N_TURNS + turn) * 13 + rank_of(card)) * LINKS + link_of(s.view.hand, card)) * 2


cdef void count_hand(
    Counters* c, Block* b, PairSums* sums, const State* s, const Price* p, int entrant_of_seat_0
) noexcept nogil:
    """A finished hand into the pair's sums, the block's outcomes and the table of knocks."""
    cdef int knocker = s.facts.knocker ^ entrant_of_seat_0
    cdef int entrant, sign, first_sign, turn
    cdef int draws = s.view.turns[0] + s.view.turns[1]
    cdef bint spade = s.rules.oklahoma and suit_of(s.facts.upcard) == 0
    cdef int64_t* x = &sums.parts[5 if spade else 0]
    cdef int64_t* first = &sums.first_parts[5 if spade else 0]
    cdef int64_t* cell
    sums.hands += 1
    sums.draws += draws
    b.draws += draws
    if p.outcome == VOID_HAND:
        b.voids += 1
        return
    if p.outcome == CUT_HAND:
        b.cuts += 1
        return
    entrant = p.credit ^ entrant_of_seat_0
    sign = 1 - 2 * entrant
    first_sign = -1 if p.credit == s.view.dealer else 1
    b.outcomes[entrant][p.outcome] += 1
    x[0] += sign * p.base
    first[0] += first_sign * p.base
    if p.outcome > 0:
        x[p.outcome] += sign
        first[p.outcome] += first_sign
    if p.winner >= 0:
        sums.wins[entrant] += 1
    sums.results[entrant_of_seat_0] = 1 + entrant + (2 if p.outcome == TIE else 0)
    turn = s.view.turns[s.facts.knocker] - 1
    if turn >= N_TURNS:
        turn = N_TURNS - 1
    cell = &c.knocks[
        ((((knocker * N_TURNS + turn) * c.deadwoods + s.facts.knocker_count) * N_DECLARED + p.outcome)
         * c.spades + spade) * 3
    ]
    cell[0] += 1
    cell[1] += p.base
    cell[2] += <int64_t>p.base * p.base


cdef void count_pair(Block* b, const PairSums* sums, bint games) noexcept nogil:
    """A finished pair into its block."""
    cdef int i, j, k = 0
    cdef const int64_t* x = &sums.parts[0]
    b.pairs += 1
    b.hands += sums.hands
    b.hands_squared += sums.hands * sums.hands
    if sums.luck:
        count_luck(b, sums)
    for i in range(PARTS):
        b.first_parts[i] += sums.first_parts[i]
        if x[i] == 0:
            k += PARTS - i
            continue
        b.parts[i] += x[i]
        b.parts_hands[i] += x[i] * sums.hands
        for j in range(i, PARTS):
            b.products[k] += x[i] * x[j]
            k += 1
    for i in range(2):
        b.wins[i] += sums.wins[i]
        b.wins_squared[i] += sums.wins[i] * sums.wins[i]
        b.wins_hands[i] += sums.wins[i] * sums.hands
    b.wins_product += sums.wins[0] * sums.wins[1]
    b.draws_squared += sums.draws * sums.draws
    if games:
        b.game_halves[sums.game_halves] += 1
        b.margin += sums.margin
        b.margin_squared += sums.margin * sums.margin
    else:
        b.hand_results[two_results(sums.results[0], sums.results[1])] += 1


cdef inline int two_results(int one, int other) noexcept nogil:
    """Place of two hands' results, in either order, in the upper triangle of them all."""
    cdef int low = min(one, other), high = max(one, other)
    return low * RESULTS - low * (low - 1) // 2 + high - low


cdef void count_luck(Block* b, const PairSums* sums) noexcept nogil:
    cdef int i
    b.luck += sums.luck
    b.luck_squared += sums.luck * sums.luck
    b.luck_hands += sums.luck * sums.hands
    for i in range(PARTS):
        b.luck_parts[i] += sums.luck * sums.parts[i]


def layout():
    """The fields of a block in order: pairs of name and shape; each is int64."""
    return (
        ("pairs", ()),
        ("hands", ()),
        ("hands_squared", ()),
        ("parts", (PARTS,)),
        ("products", (PRODUCTS,)),
        ("parts_hands", (PARTS,)),
        ("wins", (2,)),
        ("wins_squared", (2,)),
        ("wins_product", ()),
        ("wins_hands", (2,)),
        ("outcomes", (2, CREDITED)),
        ("voids", ()),
        ("cuts", ()),
        ("forfeits", (2,)),
        ("overtimes", (2,)),
        ("draws", ()),
        ("draws_squared", ()),
        ("first_parts", (PARTS,)),
        ("hand_results", (TWO_RESULTS,)),
        ("games", (4,)),
        ("game_halves", (5,)),
        ("margin", ()),
        ("margin_squared", ()),
        ("luck", ()),
        ("luck_squared", ()),
        ("luck_parts", (PARTS,)),
        ("luck_hands", ()),
    )


def block_size():
    """Bytes of one block; `layout` must add up to it."""
    return sizeof(Block)
