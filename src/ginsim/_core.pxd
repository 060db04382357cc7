# cython: language_level=3
"""The game as a resumable state machine, what a player sees of it, and the native policy's base class.

Other packages may cimport this module, subclass `Policy` and build; `ABI` moves when a struct or a method
here changes.
"""
from ._bits cimport int16_t, int32_t, mask_t, uint8_t
from ._melds cimport Defence, Spread
from ._rng cimport Rng

cdef enum:
    ABI = 2
    MOST_TURNS = 250         # of both seats together; Rules.max_turns is at most this
    MAX_OWN_TURNS = 128      # more than a seat's half of them
    MAX_PILE = 32            # 52 cards less the two hands

# What a player may be asked. The numbers are part of the record format.
cdef enum Question:
    OFFER = 0        # the first upcard: take it or pass
    DRAW = 1         # stock or pile
    LAST = 2         # stock_end=last_discard: take the pile's top card to declare at once, or let it be void
    DISCARD = 3      # a card to throw, or a declaration
    SPREAD = 4       # the melds the knocker shows
    DEFEND = 5       # the defender's own melds and lay-offs
    OVER = 6         # nothing: the hand has ended

# Answers to OFFER, DRAW and LAST; answers to DISCARD are a card, or a card | KNOCK, or BIG_GIN.
cdef enum:
    NO = 0           # pass, or draw from the stock
    YES = 1          # take the pile's top card
    KNOCK = 64
    BIG_GIN = 128

cdef enum Ending:
    GOING = 0
    KNOCKED = 1
    GINNED = 2
    BIG_GINNED = 3
    VOID = 4
    CUT = 5

# Why an answer was refused.
cdef enum Fault:
    FINE = 0
    NOT_AN_ANSWER = 1
    NOT_HELD = 2
    JUST_TAKEN = 3
    OVER_LIMIT = 4
    NO_BIG_GIN = 5
    MUST_DECLARE = 6
    BAD_SPREAD = 7
    BAD_DEFENCE = 8
    FAILED = 9           # no answer was refused: the policy itself failed

# What a policy may declare to read (Policy.reads); all else of its view's `Stakes` is zero.
cdef enum:
    READS_SCORES = 1             # scores, boxes, hand number
    READS_GAME = 2               # target, game and box bonuses, shutout
    READS_GIN_BONUS = 4
    READS_BIG_GIN_BONUS = 8
    READS_UNDERCUT_BONUS = 16
    READS_UNDERCUT_ON_TIE = 32
    READS_DOUBLE = 64            # oklahoma_spades_double: whether this hand counts double

# The knobs of ginsim.Rules as integers, in its field order.
ctypedef struct RuleSet:
    int32_t knock_limit
    int32_t gin_bonus
    int32_t big_gin_bonus        # -1: off
    int32_t undercut_bonus
    int32_t undercut_on_tie
    int32_t target
    int32_t game_bonus
    int32_t box_bonus
    int32_t box_timing           # 0 end, 1 immediate
    int32_t shutout              # 0 double, 1 flat, 2 none
    int32_t shutout_bonus
    int32_t shutout_ties
    int32_t after_two_passes     # 0 either, 1 stock
    int32_t stock_end            # 0 void, 1 last_discard, 2 exhaust
    int32_t next_dealer          # 0 alternate, 1 winner, 2 loser, 3 alternate_scored
    int32_t discard_taken
    int32_t columns
    int32_t oklahoma
    int32_t oklahoma_ace         # 0 one, 1 gin
    int32_t oklahoma_spades_double
    int32_t max_turns
    int32_t max_hands

# Scores and scoring knobs as a policy sees them: zero where it did not declare to read them.
ctypedef struct Stakes:
    int32_t scores[3][2]         # by column: mine, the opponent's
    int32_t boxes[3][2]
    int32_t hand_number          # in the game, from 1
    int32_t target
    int32_t game_bonus
    int32_t box_bonus
    int32_t gin_bonus
    int32_t big_gin_bonus
    int32_t undercut_bonus
    int32_t undercut_on_tie
    int32_t multiplier           # 2 where all points of the hand are doubled

# All that the player asked may know. Arrays of two are by seat: [v.seat] is the player itself.
ctypedef struct View:
    mask_t hand                  # own cards: ten, eleven at DISCARD and in a big gin's spread
    mask_t known                 # the opponent's cards known to the player
    mask_t exposed               # own cards known to the opponent
    mask_t pile_cards            # all cards in the pile
    mask_t thrown[2]             # every card ever thrown, by seat
    mask_t refused[2]            # every card left lying when it could be taken, by seat
    mask_t knock_card            # at SPREAD: the card thrown face down, known to the knocker alone
    Spread shown                 # at DEFEND: what the knocker shows
    Stakes stakes
    uint8_t question
    uint8_t seat
    uint8_t dealer
    uint8_t upcard               # top of the pile, NONE where the pile is empty
    uint8_t drawn                # own card drawn this turn, else NONE
    uint8_t forbidden            # card that may not be thrown this turn, else NONE
    uint8_t knock_limit          # in force in this hand
    uint8_t big_gin              # big gin may be declared under these rules
    uint8_t must_declare         # a plain discard is not allowed
    uint8_t discard_taken        # the card just taken may be thrown back
    uint8_t stock_end            # as in RuleSet
    uint8_t passes               # of the first upcard, 0 to 2
    uint8_t stock                # cards left in the stock
    uint8_t n_pile
    uint8_t turns[2]             # draws made, the present one included
    uint8_t pile[MAX_PILE]       # bottom to top
    uint8_t taken_at[2][MAX_OWN_TURNS]     # by own turn - 1: card taken from the pile, NONE: drew from stock
    uint8_t thrown_at[2][MAX_OWN_TURNS]    # by own turn - 1: card thrown, NONE: not yet, or face down

# What happened in a hand, before any bonus: points are priced from this and the rules.
ctypedef struct Facts:
    mask_t laid                  # cards laid off
    uint8_t ending
    uint8_t knocker              # seat
    uint8_t knocker_count
    uint8_t defender_count       # after lay-offs
    uint8_t doubled
    uint8_t upcard               # the first one
    uint8_t limit                # knock limit in force

# A hand in progress. Everything hidden is outside `view`.
ctypedef struct State:
    View view                    # of the player asked; its private part is rewritten when the turn changes
    mask_t hands[2]
    mask_t known[2]              # cards of that seat that its opponent knows
    const RuleSet* rules
    const Stakes* stakes         # two, by seat; NULL where neither policy reads any
    Facts facts
    uint8_t deck[52]             # seat 0's ten cards, seat 1's ten, upcard, stock from its top
    uint8_t next_card            # place in the deck of the stock's top

ctypedef struct Answer:
    int choice                   # OFFER, DRAW, LAST, DISCARD
    Spread spread                # SPREAD
    Defence defence              # DEFEND

# An action as the other player sees it (Policy.see).
ctypedef struct Event:
    uint8_t question
    uint8_t seat                 # who acted
    uint8_t choice               # YES or NO; KNOCK or BIG_GIN for a declaration, else 0
    uint8_t card                 # taken from the pile or thrown face up, else NONE

cdef void deal(State* s, const RuleSet* rules, const uint8_t* deck, int dealer) noexcept nogil
cdef void face(State* s, int seat, int question) noexcept nogil
cdef void look(const State* s, int seat, View* out) noexcept nogil
cdef int apply(State* s, const Answer* a) noexcept nogil
cdef void ask(Policy policy, const View* v, Answer* out, void* memory, Rng* rng) noexcept nogil
cdef int answer_yes_no(State* s, int choice) noexcept nogil
cdef int answer_discard(State* s, int choice) noexcept nogil
cdef int answer_spread(State* s, const Spread* shown) noexcept nogil
cdef int answer_defence(State* s, const Defence* reply) noexcept nogil
cdef bint may_declare(const View* v, mask_t hand, mask_t forbidden) noexcept nogil
cdef mask_t unseen(const View* v) noexcept nogil
cdef int broken(const State* s) noexcept nogil
cdef void new_deck(Rng* rng, uint8_t* cards) noexcept nogil
cdef int load_rules(RuleSet* rules, object codes) except -1
cdef int load_deck(uint8_t* out, object deck) except -1


cdef class Policy:
    cdef readonly int reads          # READS_* it declares
    cdef readonly int memory_size    # bytes of memory a hand wants, zeroed before begin
    cdef readonly bint may_forget    # the memory only saves work: it answers alike with none (NULL)
    cdef readonly bint begins        # wants begin(), as do all with a memory
    cdef readonly bint sees          # wants see()
    cdef readonly object failure     # an exception of the policy's own; it then answers nothing more
    # For policies whose answers come from Python code, which another thread may find to take too long:
    cdef readonly bint in_python
    cdef readonly long long _calls   # odd while such code runs
    cdef readonly unsigned long _thread   # that runs it, as `threading.get_ident` has it
    cdef object __weakref__
    cdef public object _overdue      # an Overtime that it is to fail with, whatever it answers, else None

    cdef void enter(self) noexcept
    cdef void leave(self) noexcept

    cdef void begin(self, const View* v, void* memory, Rng* rng) noexcept nogil
    cdef void see(self, const View* v, const Event* event, void* memory, Rng* rng) noexcept nogil
    cdef bint take_upcard(self, const View* v, void* memory, Rng* rng) noexcept nogil
    cdef bint take_last(self, const View* v, void* memory, Rng* rng) noexcept nogil
    cdef bint draw_pile(self, const View* v, void* memory, Rng* rng) noexcept nogil
    cdef int discard(self, const View* v, void* memory, Rng* rng) noexcept nogil
    cdef void spread(self, const View* v, Spread* out, void* memory, Rng* rng) noexcept nogil
    cdef void defend(self, const View* v, Defence* out, void* memory, Rng* rng) noexcept nogil
