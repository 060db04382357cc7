# cython: language_level=3
"""Rollouts: a hand made whole from a player's view and a guess of the hidden cards, and played to its end.

A view and what it does not show (the opponent's ten cards and the order of the stock) are all that a hand in
progress consists of. `rebuild` puts them together to a state that is, for the players and for what the hand
pays, the one that the view was taken from, if the guess is right. What policies remember is in no view: only
those without a memory can go on from one.
"""
from libc.string cimport memcpy, memset

from ._bits cimport NONE, bit, count, mask_t, suit_of, uint8_t
from ._core cimport (
    DISCARD, FINE, MOST_TURNS, OFFER, READS_GAME, READS_SCORES, Answer, Policy, RuleSet, Stakes,
    State, View, apply, load_rules, unseen,
)
from ._play cimport Player, play_out
from ._rng cimport open_stream
from ._score cimport Price, price, set_stakes
from ._table cimport SeatView, Table

from ._core import FAULTS, QUESTIONS


cdef int first_upcard(const View* v) noexcept nogil:
    """The card that was turned up at the deal: at the bottom of the pile, or taken by a first draw."""
    cdef int taker = v.dealer if v.passes == 1 else 1 - v.dealer
    if v.question != OFFER and v.turns[taker] and v.taken_at[taker][0] != NONE:
        return v.taken_at[taker][0]
    return v.pile[0]


cdef void rebuild(
    const View* v, mask_t theirs, const uint8_t* stock, const RuleSet* rules, State* out
) noexcept nogil:
    """The state at OFFER, DRAW, LAST or DISCARD of a view whose hidden cards are these.

    The deck of the state holds the stock alone. Its stakes are for the caller to set.
    """
    cdef int seat = v.seat
    memset(out, 0, sizeof(State))
    out.view = v[0]
    memset(&out.view.stakes, 0, sizeof(Stakes))
    out.hands[seat] = v.hand
    out.hands[1 - seat] = theirs
    out.known[seat] = v.exposed
    out.known[1 - seat] = v.known
    out.rules = rules
    out.next_card = 52 - v.stock
    memcpy(&out.deck[out.next_card], stock, v.stock)
    out.facts.upcard = first_upcard(v)
    out.facts.limit = v.knock_limit
    out.facts.doubled = (
        rules.oklahoma and rules.oklahoma_spades_double and suit_of(out.facts.upcard) == 0
    )


cdef void rules_seen(const View* v, RuleSet* out) noexcept nogil:
    """The rules of the rest of a hand as the player asked can tell them, after the offers.

    Bonuses that its policy does not declare to read are 0. The most turns of a hand are in no view: it takes
    as many as there can be.
    """
    memset(out, 0, sizeof(RuleSet))
    out.knock_limit = v.knock_limit
    out.gin_bonus = v.stakes.gin_bonus
    out.big_gin_bonus = v.stakes.big_gin_bonus if v.big_gin else -1
    out.undercut_bonus = v.stakes.undercut_bonus
    out.undercut_on_tie = v.stakes.undercut_on_tie
    out.stock_end = v.stock_end
    out.discard_taken = v.discard_taken
    out.max_turns = MOST_TURNS


cdef int play_on(State* s, Player* players, int answer, Price* paid) noexcept nogil:
    """Play a hand to its end from an answer to OFFER, DRAW, LAST or DISCARD; returns a Fault."""
    cdef Answer a
    cdef int fault
    a.choice = answer
    fault = apply(s, &a)
    if fault == FINE:
        fault = play_out(s, players, NULL, 0, &a, NULL)
    if fault == FINE:
        price(&s.facts, s.rules, paid)
    return fault


cdef int points_for(const Price* paid, int seat) noexcept nogil:
    """What a seat won, or, below 0, lost."""
    if paid.winner < 0:
        return 0
    return paid.points if paid.winner == seat else -paid.points


cdef int seat_policy(Player* p, Policy policy) except -1:
    """Set up a player to go on from a view; ValueError for a policy that cannot."""
    name = getattr(policy, "spec", str(policy))
    if policy.in_python:
        raise ValueError(f"policy {name} is not native; allowed for rollouts: a native policy")
    if (policy.memory_size and not policy.may_forget) or policy.begins or policy.sees:
        raise ValueError(
            f"policy {name} remembers the hand, and what it remembers is in no view; "
            "allowed for rollouts: a policy without a memory"
        )
    if policy.reads & (READS_SCORES | READS_GAME):
        raise ValueError(
            f"policy {name} reads the scores of a game, and a rollout is of one hand; "
            "allowed for rollouts: a policy that reads none"
        )
    memset(p, 0, sizeof(Player))
    p.policy = <void*>policy
    p.reads = policy.reads
    return 0


def table_of(SeatView view not None, hand, stock, codes):
    """The `Table` at which a view was taken, if its hidden cards are the opponent's ten and the stock given.

    What of the deck was dealt before is not known to it. ValueError as for `Rollouts.play`.
    """
    import numpy as np

    cdef Table table = Table.__new__(Table)
    cdef const unsigned char[:, ::1] order = np.array([list(stock)], dtype=np.uint8)
    check_guesses(&view.v, np.array([hand], dtype=np.uint64), np.asarray(order))
    load_rules(&table.rules, codes)
    rebuild(&view.v, hand, &order[0, 0] if view.v.stock else NULL, &table.rules, &table.state)
    return table


cdef class Rollouts:
    """Plays hands on from a view, with guesses of what it does not show.

    `policy` plays the seat whose view it is, and `against`, the same unless given, the other. Both must be
    native and without a memory, else ValueError. `codes`: the rules as integers (`ginsim.Rules.codes()`).
    `seed`: of the chance of policies that draw lots; the guess at place i of two calls has the same.
    """

    def __init__(self, Policy policy not None, codes, unsigned long long seed=0, Policy against=None):
        self.policy = policy
        self.against = policy if against is None else against
        seat_policy(&self.player, self.policy)
        seat_policy(&self.opponent, self.against)
        load_rules(&self.rules, codes)
        self.seed = seed

    cdef int roll(
        self, const View* v, int answer, mask_t theirs, const uint8_t* stock, long long index, Price* paid
    ) noexcept nogil:
        """Play one guess to its end; returns a Fault."""
        cdef State s
        cdef Stakes stakes[2]
        cdef Player players[2]
        cdef int seat
        players[v.seat] = self.player
        players[1 - v.seat] = self.opponent
        rebuild(v, theirs, stock, &self.rules, &s)
        for seat in range(2):
            open_stream(&players[seat].rng, self.seed, ROLLOUTS, index, seat)
            set_stakes(&stakes[seat], NULL, &self.rules, seat, players[seat].reads, s.facts.doubled)
        s.stakes = stakes
        return play_on(&s, players, answer, paid)

    def play(self, SeatView view not None, int answer, hands, stocks):
        """Play every guess to its end after an answer to the view's question.

        `answer`: 1 (take the pile's card) or 0 at "offer", "draw" and "last"; at "discard" a card's position,
        with 64 added where it knocks, 128 for big gin. `hands`, `stocks`: as `sample_hidden` gives them, the
        opponent's ten cards (uint64, shape (n,)) and the stock from its top (uint8, shape (n, stock)).

        Returns three arrays of shape (n,): the points of the seat asked (int32), negative where the other
        won; the outcome (int8, a place in `_score.OUTCOMES`); the seat that scored (int8, -1 for nobody).
        ValueError for a view of a seat that is not asked at one of these, an answer that is not legal, and
        cards that cannot be where they are said to be.
        """
        import numpy as np

        cdef const View* v = &view.v
        theirs = np.ascontiguousarray(hands, dtype=np.uint64)
        orders = np.ascontiguousarray(stocks, dtype=np.uint8)
        check_guesses(v, theirs, orders)
        cdef const unsigned long long[::1] hand_at = theirs
        cdef const unsigned char[:, ::1] stock_at = orders
        cdef Py_ssize_t i, n = len(theirs)
        points = np.empty(n, dtype=np.int32)
        outcomes = np.empty(n, dtype=np.int8)
        winners = np.empty(n, dtype=np.int8)
        cdef int[::1] points_at = points
        cdef signed char[::1] outcome_at = outcomes, winner_at = winners
        cdef const uint8_t* stock
        cdef Price paid
        cdef int fault = FINE
        for i in range(n):
            with nogil:
                stock = &stock_at[i, 0] if v.stock else NULL
                fault = self.roll(v, answer, hand_at[i], stock, i, &paid)
            if fault != FINE:
                raise ValueError(f"answer {answer} to {QUESTIONS[v.question]!r}: {FAULTS[fault]}")
            points_at[i] = points_for(&paid, v.seat)
            outcome_at[i] = paid.outcome
            winner_at[i] = paid.winner
        return points, outcomes, winners


cdef int check_guesses(const View* v, object hands, object stocks) except -1:
    """ValueError unless every guess fits the view."""
    cdef mask_t left = unseen(v), hand, seen
    cdef int i, j
    if v.question > DISCARD or count(v.hand) != (11 if v.question == DISCARD else 10):
        raise ValueError(
            f"view is of seat {v.seat} at {QUESTIONS[v.question]!r}; allowed is the view of the seat asked, "
            f"at {', '.join(QUESTIONS[:DISCARD])} or discard"
        )
    if hands.ndim != 1 or stocks.shape != (len(hands), v.stock):
        raise ValueError(
            f"hands of shape {hands.shape} and stocks of shape {stocks.shape}; "
            f"allowed: (n,) and (n, {v.stock})"
        )
    for i in range(len(hands)):
        hand = hands[i]
        if v.known & ~hand or hand & ~(v.known | left) or count(hand) != 10:
            raise ValueError(
                f"hand {i} is {int(hand):#x}; "
                "allowed: ten cards, the known ones among them, the others unseen"
            )
        seen = hand
        for j in range(v.stock):
            card = int(stocks[i, j])
            if card > 63 or not left >> card & 1 or seen >> card & 1:
                raise ValueError(f"stock {i} holds {card} at place {j}; allowed: unseen cards, each once")
            seen |= bit(card)
    return 0
