# cython: language_level=3
"""Beliefs: samples of the opponent's hand, as likely as its play makes them.

A hand gets a score, a sum of weights of what holds of it: its deadwood and its melds at this turn, its cards
near those that the opponent threw, took and left lying. The chance of a hand is proportional to the
exponential of its score. Samples are made by a walk: a card of the hand is proposed to change places with one
of the stock, and does so always where that does not lower the score, else as often as the scores say. Known
cards stay. After some steps of the walk comes a question that takes longer to answer: by how much the
opponent's last throw was, in the eyes of `expert`, worse than its best answer, had it kept this hand. The
steps are taken back as often as this says.

The weights were fitted to tell the true hand from such a swap of it, which needs no sum over all hands; see
`scripts/fit_beliefs.py`. They are in 1/WEIGHT nats, so that all is in whole numbers.

Source: N. Metropolis et al., J. Chem. Phys. 21, 1953, for the walk; C. Ceylan and M. Gutmann, "Conditional
noise-contrastive estimation of unnormalised models", ICML 2018, for the fit.
"""
from libc.stdint cimport int16_t, int32_t, uint64_t
from libc.string cimport memcpy, memset

from ._bits cimport DECK, NONE, bit, count, lowest, mask_t, rank_of, uint8_t, uint16_t, uint32_t, value_of
from ._core cimport DISCARD, FINE, OVER, Stakes, State, View, unseen
from ._expert cimport Choices, Expert
from ._melds cimport deadwood
from ._nets cimport POINT
from ._play cimport Match, Place, Player, deck_at, open_hand, step
from ._rng cimport Rng, below, next_word, open_stream, shuffle
from ._shape cimport one, pair_ranks, ranks_of, reach, run_cards, set_ranks, unfold
from ._table cimport SAMPLES, SeatView

from ._belief_values import VALUES

cdef enum:
    WEIGHT = 256             # units of a weight in a nat
    STAGES = 9
    PHASES = 4
    COUNTS = 32              # levels of deadwood
    MELDED = 11
    DOUBTS = 8               # levels of doubt in the last throw
    COSTS = 16 * WEIGHT      # a swap that costs more is never made
    # Where the weights of a group begin.
    AT_COUNT = 0
    AT_MELDED = AT_COUNT + STAGES * COUNTS
    AT_CARD = AT_MELDED + STAGES * MELDED
    AT_THROWN = AT_CARD + PHASES * 2 * 13
    AT_LEFT = AT_THROWN + PHASES * AGES * 4
    AT_KNOWN = AT_LEFT + PHASES * AGES * 4
    AT_ABOVE = AT_KNOWN + PHASES * 2 * 3
    AT_DOUBT = AT_ABOVE + PHASES * 2 * 2
    N_WEIGHTS = AT_DOUBT + DOUBTS

cdef int16_t WEIGHTS[N_WEIGHTS]
cdef uint32_t CHANCE[COSTS]          # of a swap by its cost, in 2**-32
cdef mask_t VALUED_ABOVE[11]         # the cards of a higher value than this

WEIGHT_UNITS = WEIGHT
WEIGHTS_OF_A_HAND = N_WEIGHTS


cdef void set_up():
    cdef int i, card
    cdef uint64_t chance = 0xFFFFFFFF
    for i in range(COSTS):
        CHANCE[i] = <uint32_t>chance
        chance = (chance * <uint64_t>4278222805) >> 32      # exp(-1 / WEIGHT) * 2**32
    for i in range(11):
        VALUED_ABOVE[i] = 0
        for card in range(64):
            if DECK >> card & 1 and value_of(card) > i:
                VALUED_ABOVE[i] |= bit(card)


def use_weights(values):
    """Score by these weights, in 1/WEIGHT nats, from now on: for fitting them."""
    cdef int i
    if len(values) != N_WEIGHTS:
        raise ValueError(f"{len(values)} weights; allowed: {N_WEIGHTS}")
    for i in range(N_WEIGHTS):
        WEIGHTS[i] = values[i]


# ---------------------------------------------------------------- evidence

cdef inline int age_of(int turns_ago) noexcept nogil:
    return turns_ago if turns_ago < 2 else 2 if turns_ago < 4 else 3


cdef void weigh(const View* v, Evidence* out) noexcept nogil:
    """Read from a view what bears on the opponent's hand."""
    cdef int seat = 1 - v.seat, me = v.seat, turns = v.turns[seat], k, card, mine
    cdef int own_first      # the player asked drew first in this hand
    cdef mask_t dated = 0
    memset(out, 0, sizeof(Evidence))
    out.known = v.known
    out.hidden = unseen(v)
    own_first = (v.turns[me] - (v.question == DISCARD)) == turns
    for k in range(turns):
        card = v.thrown_at[seat][k]
        if card != NONE:         # it is where a position was told by one who has forgotten it
            out.thrown[age_of(turns - 1 - k)] |= bit(card)
            if turns - 1 - k < 2:
                out.above[turns - 1 - k] = VALUED_ABOVE[value_of(card)]
        if v.taken_at[seat][k] != NONE:
            if k == turns - 1:
                out.fresh = bit(v.taken_at[seat][k]) & v.known
            continue
        mine = k if own_first else k - 1
        if mine >= 0 and v.thrown_at[me][mine] != NONE:
            out.left[age_of(turns - 1 - k)] |= bit(v.thrown_at[me][mine])
            dated |= bit(v.thrown_at[me][mine])
    out.left[AGES - 1] |= v.refused[seat] & ~dated
    out.stage = turns if turns < 6 else 6 if turns < 8 else 7 if turns < 10 else 8
    out.phase = 0 if turns < 2 else 1 if turns < 4 else 2 if turns < 7 else 3


cdef inline int level_of(int points) noexcept nogil:
    """A count of deadwood as one of COUNTS levels."""
    if points <= 12:
        return points
    points = 13 + (points - 13) // 3
    return points if points < COUNTS else COUNTS - 1


cdef inline int note(uint16_t* where, uint8_t* often, int n, int place, int times) noexcept nogil:
    where[n] = place
    often[n] = times
    return n + (times != 0)


cdef int describe(const Evidence* e, mask_t hand, uint16_t* where, uint8_t* often) noexcept nogil:
    """What holds of a hand, and how often: places of weights. Returns how many."""
    cdef mask_t melded = run_cards(hand) | (hand & unfold(set_ranks(hand)))
    cdef mask_t linked = (
        (hand << 1) | (hand >> 1) | (hand << 2) | (hand >> 2) | unfold(pair_ranks(hand))
    ) & hand & ~melded
    cdef mask_t loose = hand & ~(melded | linked), melding = reach(hand), cards, some
    cdef int n = 0, kind, age, place
    n = note(where, often, n, AT_COUNT + e.stage * COUNTS + level_of(deadwood(hand)), 1)
    n = note(where, often, n, AT_MELDED + e.stage * MELDED + count(melded), 1)
    for kind in range(2):
        cards = linked if kind else loose
        while cards:
            n = note(where, often, n, AT_CARD + (e.phase * 2 + kind) * 13 + rank_of(lowest(cards)), 1)
            cards &= cards - 1
    for kind in range(2):
        for age in range(AGES):
            cards = e.left[age] if kind else e.thrown[age]
            if cards == 0:
                continue
            place = (AT_LEFT if kind else AT_THROWN) + (e.phase * AGES + age) * 4
            n = note(where, often, n, place, count(cards & melding))
            n = note(where, often, n, place + 1, count(hand & unfold(ranks_of(cards))))
            n = note(where, often, n, place + 2, count(hand & ((cards << 1) | (cards >> 1))))
            n = note(where, often, n, place + 3, count(hand & ((cards << 2) | (cards >> 2))))
    for kind in range(2):
        some = e.known & (e.fresh if kind else ~e.fresh)
        if some:
            place = AT_KNOWN + (e.phase * 2 + kind) * 3
            n = note(where, often, n, place, count(some & melded))
            n = note(where, often, n, place + 1, count(some & linked))
            n = note(where, often, n, place + 2, count(some & loose))
    for age in range(2):
        place = AT_ABOVE + (e.phase * 2 + age) * 2
        n = note(where, often, n, place, count(loose & e.above[age]))
        n = note(where, often, n, place + 1, count(linked & e.above[age]))
    return n


cdef int32_t score(const Evidence* e, mask_t hand) noexcept nogil:
    """How likely a hand is, in 1/WEIGHT nats and up to a constant of the view."""
    cdef uint16_t where[MOST_NOTES]
    cdef uint8_t often[MOST_NOTES]
    cdef int i, n = describe(e, hand, where, often)
    cdef int32_t total = 0
    for i in range(n):
        total += WEIGHTS[where[i]] * often[i]
    return total


# ---------------------------------------------------------------- the opponent's last throw

cdef bint last_throw(const View* v, View* out) noexcept nogil:
    """The view that the opponent had at its last throw, its cards apart; False where none is known.

    What it drew from the stock then is not told by it, nor what was refused for the first time since.
    """
    cdef int me = v.seat, seat = 1 - v.seat, turns = v.turns[seat], k, card, drew
    card = v.thrown_at[seat][turns - 1] if turns else NONE
    if card == NONE:
        return False
    out[0] = v[0]
    if v.question == DISCARD:
        drew = v.taken_at[me][v.turns[me] - 1]
        out.turns[me] -= 1
        out.taken_at[me][out.turns[me]] = 0
        out.thrown_at[me][out.turns[me]] = 0
        out.stock += drew == NONE
    else:
        drew = NONE
    if drew == NONE:
        out.n_pile -= 1
    out.pile[out.n_pile] = 0
    out.pile_cards &= ~bit(card)
    out.upcard = out.pile[out.n_pile - 1] if out.n_pile else NONE
    out.known = v.exposed & ~bit(card)
    out.exposed = v.known
    out.thrown[seat] &= ~bit(card)
    for k in range(turns):
        if v.taken_at[seat][k] == card:
            out.exposed |= bit(card)
        if k < turns - 1 and v.thrown_at[seat][k] == card:
            out.thrown[seat] |= bit(card)
    out.refused[me] &= ~bit(card)
    out.thrown_at[seat][turns - 1] = NONE
    out.drawn = v.taken_at[seat][turns - 1]
    out.forbidden = NONE if v.discard_taken else out.drawn
    out.must_declare = False
    out.question = DISCARD
    out.seat = seat
    out.hand = bit(card)
    return True


cdef int doubt(Expert expert, View* then, mask_t hand) noexcept nogil:
    """By how much the last throw was worse than the best answer, had it kept this hand (1/POINT points)."""
    cdef Choices choices
    cdef mask_t thrown = then.hand
    cdef int i, card = lowest(thrown), worst, best
    then.hand |= hand
    expert.value_discards(then, one(then.forbidden), False, &choices)
    then.hand = thrown
    best = worst = choices.throw.value
    for i in range(choices.tried):
        worst = min(worst, choices.throws[i].value)
        if choices.throws[i].answer == card:
            worst = choices.throws[i].value
            break
    if choices.knock.answer >= 0:
        best = max(best, choices.knock.value)
    return best - worst


cdef int doubt_level(Expert expert, Chain* c) noexcept nogil:
    """How doubtful a chain's hand is, in steps."""
    cdef int loss = doubt(expert, &c.then, c.hand), level = 0
    while level < DOUBTS - 1 and loss > (0 if level == 0 else POINT // 8 << level):
        level += 1
    return level


cdef int32_t trust(Expert expert, Chain* c) noexcept nogil:
    return WEIGHTS[AT_DOUBT + doubt_level(expert, c)] if c.threw else 0


# ---------------------------------------------------------------- the walk

cdef void set_chain(Expert expert, const View* v, mask_t hand, Chain* c) noexcept nogil:
    """Put a chain at a hand."""
    weigh(v, &c.evidence)
    cdef mask_t own = hand & ~c.evidence.known, rest = c.evidence.hidden & ~hand
    cdef int i = 0
    c.threw = last_throw(v, &c.then)
    c.hand = hand
    c.score = score(&c.evidence, hand)
    c.trust = trust(expert, c)
    c.n_own = count(own)
    c.n = c.n_own + count(rest)
    while own:
        c.cards[i] = lowest(own)
        own &= own - 1
        i += 1
    while rest:
        c.cards[i] = lowest(rest)
        rest &= rest - 1
        i += 1


cdef void begin_chain(Expert expert, const View* v, Chain* out, Rng* rng) noexcept nogil:
    """A walk from any hand to a likely one. The view is of the seat asked, before any declaration."""
    cdef uint8_t cards[52]
    cdef mask_t left = unseen(v), hand = v.known
    cdef int i, n = count(left), wanted = 10 - count(v.known)
    for i in range(n):
        cards[i] = lowest(left)
        left &= left - 1
    shuffle(rng, cards, n)
    for i in range(wanted):
        hand |= bit(cards[i])
    set_chain(expert, v, hand, out)
    walk(expert, out, SETTLING, STEPS, rng)


cdef inline bint refused(int32_t now, int32_t then, Rng* rng) noexcept nogil:
    """Whether to go back from a score to a higher one."""
    return now < then and (then - now >= COSTS or next_word(rng) >= CHANCE[then - now])


cdef void walk(Expert expert, Chain* c, int rounds, int steps, Rng* rng) noexcept nogil:
    """Walk so many rounds of so many steps."""
    cdef uint8_t cards[52]
    cdef int _round
    cdef mask_t hand
    cdef int32_t before, found
    if c.n_own == 0 or c.n == c.n_own:
        return
    for _round in range(rounds):
        hand = c.hand
        before = c.score
        memcpy(cards, c.cards, sizeof(cards))
        take_steps(c, steps, rng)
        if not c.threw or c.hand == hand:
            continue
        found = trust(expert, c)
        if refused(found, c.trust, rng):
            c.hand = hand
            c.score = before
            memcpy(c.cards, cards, sizeof(cards))
        else:
            c.trust = found


cdef void take_steps(Chain* c, int steps, Rng* rng) noexcept nogil:
    """Propose so many swaps."""
    cdef int i, j, _step
    cdef int32_t found
    cdef mask_t hand
    cdef uint8_t card
    for _step in range(steps):
        i = below(rng, c.n_own)
        j = c.n_own + below(rng, c.n - c.n_own)
        hand = c.hand ^ bit(c.cards[i]) ^ bit(c.cards[j])
        found = score(&c.evidence, hand)
        if refused(found, c.score, rng):
            continue
        c.hand = hand
        c.score = found
        card = c.cards[i]
        c.cards[i] = c.cards[j]
        c.cards[j] = card


cdef void draw_stock(Chain* c, int stock, uint8_t* out, Rng* rng) noexcept nogil:
    """An order of the stock behind the hand where the chain stands."""
    cdef uint8_t rest[52]
    memcpy(rest, &c.cards[c.n_own], c.n - c.n_own)
    shuffle(rng, rest, c.n - c.n_own)
    memcpy(out, rest, stock)


# ---------------------------------------------------------------- from Python

def sample_likely(SeatView view not None, int n, unsigned long long seed=0, Expert expert=None):
    """Samples of the hidden cards, the opponent's hand as likely as its play makes it.

    `expert` is asked what it would have thrown; the package's unless given. Returns two arrays, as
    `_table.sample_hidden` does: the opponent's hand as masks (uint64, shape (n,)) and the stock from its top
    (uint8 positions, shape (n, cards in the stock)). The samples are of one walk: neighbours are alike.
    ValueError for a view of a seat that is not asked before a declaration.
    """
    import numpy as np

    cdef const View* v = &view.v
    cdef Expert asked = Expert() if expert is None else expert
    if n < 1:
        raise ValueError(f"n is {n}; allowed is 1 or more")
    if v.question > DISCARD or count(v.hand) != (11 if v.question == DISCARD else 10):
        raise ValueError("view is not of the seat asked, before a declaration; allowed is that alone")
    hands = np.empty(n, dtype=np.uint64)
    stocks = np.empty((n, v.stock), dtype=np.uint8)
    cdef unsigned long long[::1] hand_out = hands
    cdef unsigned char[:, ::1] stock_out = stocks
    cdef Rng rng
    cdef Chain chain
    cdef int i
    open_stream(&rng, seed, SAMPLES, 1, 0)
    with nogil:
        begin_chain(asked, v, &chain, &rng)
        for i in range(n):
            walk(asked, &chain, BETWEEN, STEPS, &rng)
            hand_out[i] = chain.hand
            if v.stock:
                draw_stock(&chain, v.stock, &stock_out[i, 0], &rng)
    return hands, stocks


# ---------------------------------------------------------------- to fit them

def positions(Match match not None, long long start, long long stop):
    """Views at all discards of the hands at pairs start .. stop - 1, and the hands that they do not show.

    Two arrays: views as bytes (uint8, shape (n, bytes of a view)) and the opponents' hands (uint64, (n,)).
    """
    import numpy as np

    cdef State s
    cdef Player seats[2]
    cdef Stakes stakes[2]
    cdef Place at
    cdef uint8_t deck[52]
    views, hands = [], []
    match.check()
    memset(&at, 0, sizeof(Place))
    for at.index in range(start, stop):
        deck_at(&match.pairing, &at, deck)
        memset(&s, 0, sizeof(State))
        open_hand(&match.pairing, &s, &at, deck, NULL, 1, seats, stakes)
        while s.view.question != OVER:
            if s.view.question == DISCARD:
                views.append((<const char*>&s.view)[:sizeof(View)])
                hands.append(s.hands[1 - s.view.seat])
            at.fault = step(&s, seats, &at.answer)
            if at.fault != FINE:
                raise match.fault(&s, &at)
    flat = np.frombuffer(b"".join(views), dtype=np.uint8)
    return flat.reshape(len(views), sizeof(View)).copy(), np.array(hands, dtype=np.uint64)


def statements(
    Expert expert not None, const unsigned char[:, ::1] views, const unsigned long long[::1] hands
):
    """What holds of each hand: the arrays (data, indices, indptr) of a sparse matrix by hand and weight."""
    import numpy as np

    cdef Py_ssize_t i, n = hands.shape[0], at = 0
    cdef Chain c
    data = np.empty(n * MOST_NOTES, dtype=np.uint8)
    indices = np.empty(n * MOST_NOTES, dtype=np.uint16)
    ends = np.zeros(n + 1, dtype=np.int64)
    cdef uint8_t[::1] data_at = data
    cdef uint16_t[::1] index_at = indices
    cdef long long[::1] end_at = ends
    with nogil:
        for i in range(n):
            set_chain(expert, <const View*>&views[i, 0], hands[i], &c)
            at += describe(&c.evidence, hands[i], &index_at[at], &data_at[at])
            if c.threw:
                index_at[at] = AT_DOUBT + doubt_level(expert, &c)
                data_at[at] = 1
                at += 1
            end_at[i + 1] = at
    return data[:at].copy(), indices[:at].copy(), ends


def scores(Expert expert not None, const unsigned char[:, ::1] views, const unsigned long long[::1] hands):
    """The score of each hand, in 1/WEIGHT nats (int32)."""
    import numpy as np

    cdef Py_ssize_t i, n = hands.shape[0]
    cdef Chain c
    found = np.empty(n, dtype=np.int32)
    cdef int[::1] found_at = found
    with nogil:
        for i in range(n):
            set_chain(expert, <const View*>&views[i, 0], hands[i], &c)
            found_at[i] = c.score + c.trust
    return found


def walked(
    Expert expert not None, const unsigned char[:, ::1] views, const unsigned long long[::1] hands,
    int rounds, int steps, unsigned long long seed,
):
    """Where a walk of so many rounds of so many steps from each hand comes to (uint64)."""
    import numpy as np

    cdef Py_ssize_t i, n = hands.shape[0]
    cdef Chain c
    cdef Rng rng
    found = np.empty(n, dtype=np.uint64)
    cdef unsigned long long[::1] found_at = found
    open_stream(&rng, seed, SAMPLES, 2, 0)
    with nogil:
        for i in range(n):
            set_chain(expert, <const View*>&views[i, 0], hands[i], &c)
            walk(expert, &c, rounds, steps, &rng)
            found_at[i] = c.hand
    return found


set_up()
use_weights([int(value) for value in VALUES.split()])
