# cython: language_level=3
"""The exact game: rules, deal, transitions, views, and the base class of native policies.

A hand is a small state machine. `deal` starts it; whoever `view.seat` names is asked `view.question`; the
answer goes through `apply`, which checks it whole before it changes anything and returns a `Fault`. The
same transitions serve self-play at full speed, stepping from Python (`_table`), forks (copy the struct) and
replay.
"""
from cpython.pythread cimport PyThread_get_thread_ident
from libc.stdlib cimport abort
from libc.string cimport memcpy, memset

from ._bits cimport DECK, NONE, bit, count, mask_t, suit_of, uint8_t, value_of
from ._melds cimport (
    MAX_MELDS, Defence, Spread, best_discards, deadwood, defence_fits, knock_spread, spread_fits,
)
from ._melds cimport defend as exact_defence
from ._rng cimport Rng, shuffle

cdef extern from *:
    """
    #ifndef GINSIM_DEBUG
    #define GINSIM_DEBUG 0
    #endif
    """
    const bint DEBUG "GINSIM_DEBUG"

cdef extern from "Python.h":
    int PyThreadState_SetAsyncExc(unsigned long thread, void* exception)

globals()["ABI"] = <int>ABI    # for Python, beside the constant that is compiled into who cimports it
CHECKED = bool(DEBUG)    # a debug build: the state is checked after every action
QUESTIONS = ("offer", "draw", "last", "discard", "spread", "defend", "over")
ENDINGS = ("going", "knock", "gin", "big_gin", "void", "cut")
FAULTS = (
    "fine",
    "not an answer to this question",
    "the card is not in the hand",
    "the card was just taken from the pile",
    "the ten cards left count more than the knock limit",
    "big gin may not be declared",
    "only a declaration is allowed",
    "not a legal spread of the hand within the limit",
    "not a legal defence",
    "the policy failed",
)
READS = {
    "scores": READS_SCORES,
    "game": READS_GAME,
    "gin_bonus": READS_GIN_BONUS,
    "big_gin_bonus": READS_BIG_GIN_BONUS,
    "undercut_bonus": READS_UNDERCUT_BONUS,
    "undercut_on_tie": READS_UNDERCUT_ON_TIE,
    "double": READS_DOUBLE,
}


# ---------------------------------------------------------------- the hand

cdef void deal(State* s, const RuleSet* rules, const uint8_t* deck, int dealer) noexcept nogil:
    """Start a hand: ten cards to each seat, the upcard, 31 in the stock; the non-dealer is asked first.

    `s` must have been zeroed once before its first deal.
    """
    cdef View* v = &s.view
    cdef int i, upcard
    cdef mask_t hand
    for i in range(2):
        memset(&v.taken_at[i][0], 0, v.turns[i])
        memset(&v.thrown_at[i][0], 0, v.turns[i])
        v.thrown[i] = 0
        v.refused[i] = 0
        v.turns[i] = 0
        s.known[i] = 0
    memset(&v.pile[0], 0, MAX_PILE)
    memset(&v.shown, 0, sizeof(Spread))
    memcpy(&s.deck[0], deck, 52)
    hand = 0
    for i in range(10):
        hand |= bit(deck[i])
    s.hands[0] = hand
    hand = 0
    for i in range(10, 20):
        hand |= bit(deck[i])
    s.hands[1] = hand
    upcard = deck[20]
    s.next_card = 21
    s.rules = rules
    memset(&s.facts, 0, sizeof(Facts))
    s.facts.upcard = upcard
    s.facts.limit = rules.knock_limit
    if rules.oklahoma:
        s.facts.limit = 0 if (upcard & 15) == 0 and rules.oklahoma_ace == 1 else value_of(upcard)
        s.facts.doubled = rules.oklahoma_spades_double and suit_of(upcard) == 0
    v.dealer = dealer
    v.upcard = upcard
    v.pile[0] = upcard
    v.n_pile = 1
    v.pile_cards = bit(upcard)
    v.knock_card = 0
    v.drawn = NONE
    v.forbidden = NONE
    v.knock_limit = s.facts.limit
    v.big_gin = rules.big_gin_bonus >= 0
    v.must_declare = 0
    v.discard_taken = rules.discard_taken
    v.stock_end = rules.stock_end
    v.passes = 0
    v.stock = 31
    face(s, 1 - dealer, OFFER)


cdef inline void turn_to(const State* s, int seat, View* out) noexcept nogil:
    """Write a seat's private part of a view."""
    out.seat = seat
    out.hand = s.hands[seat]
    out.known = s.known[1 - seat]
    out.exposed = s.known[seat]
    if s.stakes != NULL:
        out.stakes = s.stakes[seat]


cdef void face(State* s, int seat, int question) noexcept nogil:
    """Turn the view to a seat: write its private part."""
    s.view.question = question
    turn_to(s, seat, &s.view)


cdef void look(const State* s, int seat, View* out) noexcept nogil:
    """Write what a seat may know at this moment, whether it is asked or not."""
    out[0] = s.view
    turn_to(s, seat, out)
    if seat != s.view.seat:
        # Drawn and thrown by the other: from the stock, and face down.
        out.drawn = NONE
        out.knock_card = 0


cdef inline void finish(State* s, int ending) noexcept nogil:
    s.facts.ending = ending
    s.view.question = OVER


cdef inline void draw_stock(State* s, int seat) noexcept nogil:
    cdef View* v = &s.view
    cdef int card = s.deck[s.next_card]
    s.next_card += 1
    v.stock -= 1
    v.taken_at[seat][v.turns[seat]] = NONE
    v.thrown_at[seat][v.turns[seat]] = NONE
    v.turns[seat] += 1
    v.drawn = card
    v.forbidden = NONE
    s.hands[seat] |= bit(card)
    face(s, seat, DISCARD)


cdef inline void draw_upcard(State* s, int seat) noexcept nogil:
    cdef View* v = &s.view
    cdef int card = v.upcard
    v.n_pile -= 1
    v.pile_cards &= ~bit(card)
    v.upcard = v.pile[v.n_pile - 1] if v.n_pile else NONE
    v.pile[v.n_pile] = 0
    v.taken_at[seat][v.turns[seat]] = card
    v.thrown_at[seat][v.turns[seat]] = NONE
    v.turns[seat] += 1
    v.drawn = card
    v.forbidden = NONE if v.discard_taken else card
    s.hands[seat] |= bit(card)
    s.known[seat] |= bit(card)
    face(s, seat, DISCARD)


cdef bint may_declare(const View* v, mask_t hand, mask_t forbidden) noexcept nogil:
    """Whether eleven cards allow a knock, gin or big gin."""
    return best_discards(hand, forbidden, NULL) <= v.knock_limit or (v.big_gin and deadwood(hand) == 0)


cdef int answer_yes_no(State* s, int choice) noexcept nogil:
    """The answer to OFFER, DRAW or LAST: YES takes the pile's top card."""
    cdef View* v = &s.view
    cdef int seat = v.seat
    if choice != YES and choice != NO:
        return NOT_AN_ANSWER
    if choice == YES:
        v.must_declare = v.question == LAST
        draw_upcard(s, seat)
        return FINE
    v.refused[seat] |= bit(v.upcard)
    if v.question == DRAW:
        draw_stock(s, seat)
    elif v.question == LAST:
        finish(s, VOID)
    else:
        v.passes += 1
        if v.passes == 1:
            face(s, 1 - seat, OFFER)
        elif s.rules.after_two_passes == 1:
            draw_stock(s, 1 - seat)
        else:
            face(s, 1 - seat, DRAW)
    return FINE


cdef int answer_discard(State* s, int choice) noexcept nogil:
    """A card, a card | KNOCK, or BIG_GIN."""
    cdef View* v = &s.view
    cdef int seat = v.seat, card
    cdef mask_t thrown
    if choice == BIG_GIN:
        if not v.big_gin or deadwood(v.hand) != 0:
            return NO_BIG_GIN
        s.facts.knocker = seat
        s.facts.ending = BIG_GINNED
        face(s, seat, SPREAD)
        return FINE
    if choice < 0 or choice >= 128:
        return NOT_AN_ANSWER
    card = choice & 63
    thrown = bit(card)
    if not v.hand & thrown:
        return NOT_HELD
    if card == v.forbidden:
        return JUST_TAKEN
    if choice & KNOCK:
        if deadwood(v.hand & ~thrown) > v.knock_limit:
            return OVER_LIMIT
        s.facts.knocker = seat
        s.facts.ending = KNOCKED
        s.hands[seat] = v.hand & ~thrown
        s.known[seat] &= ~thrown
        v.knock_card = thrown
        face(s, seat, SPREAD)
        return FINE
    if v.must_declare:
        return MUST_DECLARE
    s.hands[seat] = v.hand & ~thrown
    s.known[seat] &= ~thrown
    v.thrown[seat] |= thrown
    v.thrown_at[seat][v.turns[seat] - 1] = card
    v.pile[v.n_pile] = card
    v.n_pile += 1
    v.pile_cards |= thrown
    v.upcard = card
    v.drawn = NONE
    v.forbidden = NONE
    next_turn(s, 1 - seat)
    return FINE


cdef inline void next_turn(State* s, int seat) noexcept nogil:
    """After a plain discard: the next player's turn, or the end without a winner."""
    cdef View* v = &s.view
    cdef mask_t taken = bit(v.upcard)
    if v.stock <= 2 and s.rules.stock_end != 2:
        if s.rules.stock_end == 1 and may_declare(
            v, s.hands[seat] | taken, 0 if v.discard_taken else taken
        ):
            face(s, seat, LAST)
        else:
            finish(s, VOID)
    elif v.stock == 0:
        finish(s, VOID)
    elif v.turns[0] + v.turns[1] >= s.rules.max_turns:
        finish(s, CUT)
    else:
        face(s, seat, DRAW)


cdef int answer_spread(State* s, const Spread* shown) noexcept nogil:
    """The knocker's melds. Gin if and only if they leave no deadwood; else the opponent defends."""
    cdef View* v = &s.view
    cdef int seat = v.seat
    if not spread_fits(v.hand, shown) or shown.deadwood > v.knock_limit:
        return BAD_SPREAD
    if s.facts.ending == BIG_GINNED and shown.deadwood != 0:
        return BAD_SPREAD
    s.facts.knocker_count = shown.deadwood
    if shown.deadwood == 0:
        s.facts.defender_count = deadwood(s.hands[1 - seat])
        finish(s, s.facts.ending if s.facts.ending == BIG_GINNED else GINNED)
        return FINE
    v.shown = shown[0]
    v.knock_card = 0
    v.drawn = NONE
    v.forbidden = NONE
    v.must_declare = 0
    s.known[seat] = s.hands[seat]
    face(s, 1 - seat, DEFEND)
    return FINE


cdef int answer_defence(State* s, const Defence* reply) noexcept nogil:
    """The defender's melds and lay-offs; the hand is over."""
    cdef int i
    if not defence_fits(s.view.hand, &s.view.shown, reply):
        return BAD_DEFENCE
    s.facts.defender_count = reply.deadwood
    for i in range(MAX_MELDS):
        s.facts.laid |= reply.laid[i]
    finish(s, KNOCKED)
    return FINE


cdef int apply(State* s, const Answer* a) noexcept nogil:
    """Apply an answer to the question asked; returns a Fault and changes nothing unless FINE."""
    cdef int question = s.view.question, fault
    if question == DISCARD:
        fault = answer_discard(s, a.choice)
    elif question <= LAST:
        fault = answer_yes_no(s, a.choice)
    elif question == SPREAD:
        fault = answer_spread(s, &a.spread)
    elif question == DEFEND:
        fault = answer_defence(s, &a.defence)
    else:
        fault = NOT_AN_ANSWER
    if DEBUG and broken(s):
        abort()
    return fault


cdef int broken(const State* s) noexcept nogil:
    """0 while the state is sound: 52 distinct cards, hands of legal size, and a view that tells no more than
    it should. Otherwise the number of the law that is broken. For debug builds and tests."""
    cdef const View* v = &s.view
    cdef mask_t stock = 0, pile = 0
    cdef int i, extra = 1 if v.question == DISCARD else 0
    if s.facts.ending == BIG_GINNED:
        extra = 1
    for i in range(s.next_card, 52):
        stock |= bit(s.deck[i])
    for i in range(v.n_pile):
        pile |= bit(v.pile[i])
    # A knocking discard lies face down, in no pile.
    cdef bint knocked = s.facts.ending == KNOCKED or s.facts.ending == GINNED
    if pile != v.pile_cards or (v.n_pile and v.pile[v.n_pile - 1] != v.upcard):
        return 1
    if s.hands[0] & s.hands[1] or stock & pile or (s.hands[0] | s.hands[1]) & (stock | pile):
        return 2
    if count(s.hands[0] | s.hands[1] | stock | pile) + (1 if knocked else 0) != 52:
        return 3
    if v.stock != 52 - s.next_card or count(pile) != v.n_pile:
        return 4
    if count(s.hands[0]) + count(s.hands[1]) != 20 + extra:
        return 5
    if s.known[0] & ~s.hands[0] or s.known[1] & ~s.hands[1]:
        return 6
    if v.question != OVER and (v.hand != s.hands[v.seat] or v.known != s.known[1 - v.seat]):
        return 7
    if v.question == OVER and s.facts.ending == GOING:
        return 8
    return 0


cdef mask_t unseen(const View* v) noexcept nogil:
    """Cards whose place the player does not know: the stock and the opponent's unknown cards."""
    return DECK & ~(v.hand | v.known | v.pile_cards | v.knock_card)


cdef void ask(Policy policy, const View* v, Answer* out, void* memory, Rng* rng) noexcept nogil:
    """Put the view's question to a policy."""
    if v.question == DISCARD:
        out.choice = policy.discard(v, memory, rng)
    elif v.question == DRAW:
        out.choice = policy.draw_pile(v, memory, rng)
    elif v.question == OFFER:
        out.choice = policy.take_upcard(v, memory, rng)
    elif v.question == SPREAD:
        policy.spread(v, &out.spread, memory, rng)
    elif v.question == DEFEND:
        policy.defend(v, &out.defence, memory, rng)
    elif v.question == LAST:
        out.choice = policy.take_last(v, memory, rng)


# ---------------------------------------------------------------- policies

cdef class Policy:
    """Base class of native policies: virtual methods without the GIL, knobs in fields.

    A policy object is shared by many hands and threads at once, so what it remembers of a hand lives in
    `memory` (`memory_size` bytes, zeroed before `begin`), and its chance comes from `rng`, its own stream of
    this hand. Subclasses must answer `discard`; the other answers have defaults: never take the pile, the
    spread that leaves least to lay off, the exact defence.
    """

    cdef void begin(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        """Called for each hand before its first question, when `begins` is set or `memory_size` is not 0."""

    cdef void see(self, const View* v, const Event* event, void* memory, Rng* rng) noexcept nogil:
        """Called after each action of either player, when `sees` is set."""

    cdef bint take_upcard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return False

    cdef bint take_last(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        """Take the last discard to declare at once. Whoever says yes must declare at DISCARD."""
        return False

    cdef bint draw_pile(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return False

    cdef int discard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        """A card, a card | KNOCK, or BIG_GIN."""
        return -1

    cdef void spread(self, const View* v, Spread* out, void* memory, Rng* rng) noexcept nogil:
        knock_spread(v.hand, v.known, unseen(v), out)

    cdef void defend(self, const View* v, Defence* out, void* memory, Rng* rng) noexcept nogil:
        exact_defence(v.hand, &v.shown, out)

    cdef void enter(self) noexcept:
        """Python code of the policy's own begins to run; needs the GIL, as `leave` does."""
        self._thread = PyThread_get_thread_ident()
        self._calls += 1

    cdef void leave(self) noexcept:
        """It has ended, well or not. Where it was found overdue, that is the policy's failure."""
        self._calls += 1
        if self._overdue is not None:
            PyThreadState_SetAsyncExc(self._thread, NULL)    # in case it has not been met yet
            self.failure = self._overdue
            self._overdue = None


class Overtime(RuntimeError):
    """A policy that gave no answer within its time limit."""


# ---------------------------------------------------------------- from Python

def check_abi(int built_for):
    """Raise ImportError unless this core has the ABI that a module was built for.

    A module that cimports `ginsim._core` calls it when it is imported, with the `ABI` that it cimported.
    """
    if built_for != ABI:
        raise ImportError(
            f"a module was built for ABI {built_for} of ginsim._core, and this ginsim has ABI {ABI}; "
            "build the module again with this ginsim"
        )


cdef int load_rules(RuleSet* rules, object codes) except -1:
    """Fill the struct from `ginsim.Rules.codes()`, the knobs as integers in field order."""
    cdef int32_t* field = <int32_t*>rules
    cdef int i, size = sizeof(RuleSet) // sizeof(int32_t)
    values = tuple(codes)
    if len(values) != size:
        raise ValueError(f"rules have {len(values)} knobs; the core takes {size}")
    for i in range(size):
        field[i] = values[i]
    # Fields that arrays and branches rely on; all the rest is for `ginsim.Rules` to say.
    for name, value, low, high in (
        ("knock_limit", rules.knock_limit, 0, 98),
        ("box_timing", rules.box_timing, 0, 1),
        ("shutout", rules.shutout, 0, 2),
        ("after_two_passes", rules.after_two_passes, 0, 1),
        ("stock_end", rules.stock_end, 0, 2),
        ("next_dealer", rules.next_dealer, 0, 3),
        ("discard_taken", rules.discard_taken, 0, 1),
        ("columns", rules.columns, 1, 3),
        ("oklahoma", rules.oklahoma, 0, 1),
        ("oklahoma_ace", rules.oklahoma_ace, 0, 1),
        ("max_turns", rules.max_turns, 1, MOST_TURNS),
    ):
        if not low <= value <= high:
            raise ValueError(f"rules have {name} {value}; the core takes {low} to {high}")
    return 0


cdef int load_deck(uint8_t* out, object deck) except -1:
    """Fill 52 places from card positions and check that they are the deck."""
    cdef mask_t seen = 0
    cards = list(deck)
    if len(cards) != 52:
        raise ValueError(f"deck has {len(cards)} cards; a deck has 52")
    for i, card in enumerate(cards):
        if not 0 <= card < 64 or not bit(card) & DECK:
            raise ValueError(f"deck place {i} holds {card}; a card is suit * 16 + rank, rank 0 to 12")
        if seen & bit(card):
            raise ValueError(f"deck holds card {card} twice")
        seen |= bit(card)
        out[i] = card
    return 0


cdef void new_deck(Rng* rng, uint8_t* cards) noexcept nogil:
    """A shuffled deck from a stream."""
    cdef int i
    for i in range(52):
        cards[i] = (i // 13) * 16 + i % 13
    shuffle(rng, cards, 52)
