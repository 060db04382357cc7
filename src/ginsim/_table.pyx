# cython: language_level=3
"""A hand for Python: stepped at a `Table`, seen through a `SeatView`, answers in words; decks and streams."""
from libc.string cimport memcpy, memset

from ._bits cimport DECK, NONE, bit, count, lowest, mask_t, uint8_t, uint32_t
from ._core cimport (
    BIG_GIN, CUT, DEFEND, DISCARD, DRAW, FINE, GOING, KNOCK, LAST, MAX_OWN_TURNS, MAX_PILE, NO, OFFER, OVER,
    SPREAD, VOID, YES, Answer, Facts, Policy, State, View, apply, ask, broken, deal, load_deck, load_rules,
    look, new_deck, unseen,
)
from ._melds cimport MAX_MELDS, deadwood, points
from ._rng cimport DEALS, Rng, below, next_word, open_stream, philox, shuffle

from ._core import ENDINGS, FAULTS, QUESTIONS

VIEW_FIELDS = (
    "question", "seat", "dealer", "hand", "known", "exposed", "unseen", "upcard", "drawn", "forbidden",
    "pile", "thrown", "taken", "ever_thrown", "refused", "passes", "stock", "turns", "knock_limit", "big_gin",
    "must_declare", "discard_taken", "shown", "shown_deadwood", "stakes",
)


def deck_of(unsigned long long key, long long index, long long hand_number=0):
    """The 52 cards of one deal: seat 0's ten, seat 1's ten, the upcard, the stock from its top."""
    cdef RandomStream stream = RandomStream(key, DEALS, index, hand_number)
    cdef uint8_t cards[52]
    new_deck(&stream.rng, &cards[0])
    return [cards[i] for i in range(52)]


def philox_block(counter, key):
    """The four words of Philox4x32-10 for a counter of four words and a key of two."""
    cdef uint32_t counter_words[4]
    cdef uint32_t key_words[2]
    cdef uint32_t out[4]
    counter_words[0], counter_words[1], counter_words[2], counter_words[3] = counter
    key_words[0], key_words[1] = key
    philox(&counter_words[0], &key_words[0], &out[0])
    return out[0], out[1], out[2], out[3]


cdef class RandomStream:
    """The random numbers of (key, stream, index, part), as deals and policies draw them; see `_rng.pxd`."""

    def __init__(self, unsigned long long key, long long stream, long long index, long long part=0):
        for name, value, bits in (("stream", stream, 16), ("index", index, 48), ("part", part, 32)):
            if not 0 <= value < 1 << bits:
                raise ValueError(f"{name} is {value}; allowed is 0 to 2**{bits} - 1")
        open_stream(&self.rng, key, stream, index, part)

    def word(self):
        """The next 32 random bits."""
        return next_word(&self.rng)

    def below(self, long long n):
        """A uniform draw from 0 .. n - 1, for n from 1 to 2**31 - 1."""
        if not 1 <= n < 1 << 31:
            raise ValueError(f"n is {n}; allowed is 1 to 2**31 - 1")
        return below(&self.rng, n)

    def shuffled(self, int size):
        """A uniform permutation of 0 .. size - 1 as bytes, for sizes from 0 to 256."""
        cdef uint8_t places[256]
        cdef int i
        if not 0 <= size <= 256:
            raise ValueError(f"size is {size}; allowed is 0 to 256")
        for i in range(size):
            places[i] = i
        shuffle(&self.rng, &places[0], size)
        return (<const char*>places)[:size]

    def random(self):
        """A uniform float from 0 to below 1, a multiple of 2**-53."""
        cdef unsigned long long high = next_word(&self.rng) >> 5, low = next_word(&self.rng) >> 6
        return (high * 67108864.0 + low) / 9007199254740992.0

    def choice(self, items):
        """One of the items of a sequence or hand, each as likely; sets are refused: they have no order."""
        if isinstance(items, (set, frozenset)):
            raise TypeError("choice from a set, whose order may change from run to run; allowed: a sequence")
        items = tuple(items)
        if not items:
            raise ValueError("choice from nothing; allowed: one item or more")
        return items[below(&self.rng, len(items))]

    def shuffle(self, list items):
        """Put a list into a uniformly random order, in place."""
        cdef int i, j
        for i in range(len(items) - 1, 0, -1):
            j = below(&self.rng, i + 1)
            items[i], items[j] = items[j], items[i]


cdef class SeatView:
    """What one player sees at one moment: a copy, read only. Cards are masks, a single card a position.

    `None` stands for "no card". Pairs are by seat; `seat` is the player itself. The fields are those of
    `View` in `_core.pxd`, and `unseen`, the cards whose place the player does not know.
    """

    @property
    def question(self):
        """offer, draw, last, discard, spread, defend; over where the hand has ended."""
        return QUESTIONS[self.v.question]

    @property
    def seat(self):
        return self.v.seat

    @property
    def dealer(self):
        return self.v.dealer

    @property
    def hand(self):
        """Own cards: ten, eleven at "discard" and before a big gin's spread."""
        return self.v.hand

    @property
    def known(self):
        """The opponent's cards that the player knows."""
        return self.v.known

    @property
    def exposed(self):
        """Own cards that the opponent knows."""
        return self.v.exposed

    @property
    def unseen(self):
        """Cards in the stock or among the opponent's unknown ones."""
        return unseen(&self.v)

    @property
    def upcard(self):
        """Top of the pile."""
        return card_or_none(self.v.upcard)

    @property
    def drawn(self):
        """Own card drawn this turn."""
        return card_or_none(self.v.drawn)

    @property
    def forbidden(self):
        """The card that may not be thrown this turn."""
        return card_or_none(self.v.forbidden)

    @property
    def pile(self):
        """The pile from bottom to top."""
        return [self.v.pile[i] for i in range(self.v.n_pile)]

    @property
    def thrown(self):
        """Cards thrown face up, in order, by seat."""
        return [[self.v.thrown_at[s][i] for i in range(threw(&self.v, s))] for s in range(2)]

    @property
    def taken(self):
        """By own turn, what was taken from the pile (None: drew from the stock), by seat."""
        return [[card_or_none(self.v.taken_at[s][i]) for i in range(self.v.turns[s])] for s in range(2)]

    @property
    def ever_thrown(self):
        """Every card thrown face up so far, wherever it is now, by seat."""
        return [self.v.thrown[0], self.v.thrown[1]]

    @property
    def refused(self):
        """Every card that was left lying when it could be taken, by seat."""
        return [self.v.refused[0], self.v.refused[1]]

    @property
    def passes(self):
        """How often the first upcard was passed."""
        return self.v.passes

    @property
    def stock(self):
        """Cards left in the stock."""
        return self.v.stock

    @property
    def turns(self):
        """Draws made so far, by seat."""
        return [self.v.turns[0], self.v.turns[1]]

    @property
    def knock_limit(self):
        """In force in this hand."""
        return self.v.knock_limit

    @property
    def big_gin(self):
        """Big gin may be declared under these rules."""
        return bool(self.v.big_gin)

    @property
    def must_declare(self):
        """A plain discard is not allowed."""
        return bool(self.v.must_declare)

    @property
    def discard_taken(self):
        """The card just taken may be thrown back."""
        return bool(self.v.discard_taken)

    @property
    def pile_cards(self):
        """All cards in the pile."""
        return self.v.pile_cards

    @property
    def shown(self):
        """At "defend": the knocker's melds."""
        return [self.v.shown.melds[i] for i in range(self.v.shown.n)]

    @property
    def shown_deadwood(self):
        """At "defend": what the knocker's other cards count."""
        return self.v.shown.deadwood

    @property
    def stakes(self):
        """Scores and scoring knobs, as far as the policy declares to read them; else 0."""
        return self.v.stakes

    def as_dict(self):
        """All fields as plain Python values."""
        return {name: getattr(self, name) for name in VIEW_FIELDS}

    def tobytes(self):
        """The view's bytes: all that a policy is given."""
        return (<const char*>&self.v)[:sizeof(View)]

    def __reduce__(self):
        return view_from_bytes, (self.tobytes(), type(self))


def view_from_bytes(bytes data, kind=SeatView):
    """The inverse of `SeatView.tobytes`; `kind` is SeatView or a subclass."""
    if len(data) != sizeof(View):
        raise ValueError(f"view has {len(data)} bytes; this version's views have {sizeof(View)}")
    cdef SeatView view = kind.__new__(kind)
    memcpy(&view.v, <const char*>data, sizeof(View))
    cdef const View* v = &view.v
    if (
        v.question > OVER or v.seat > 1 or v.dealer > 1 or v.n_pile > MAX_PILE
        or not 0 <= v.shown.n <= MAX_MELDS or v.turns[0] > MAX_OWN_TURNS or v.turns[1] > MAX_OWN_TURNS
    ):
        raise ValueError("view's bytes are no view: a count in them is out of range")
    return view


cdef inline object card_or_none(int card):
    return None if card == NONE else card


cdef inline int threw(const View* v, int seat):
    """How many cards a seat has thrown face up: one a draw, but for a turn that goes on or ended the hand."""
    cdef int turns = v.turns[seat]
    return turns - 1 if turns and v.thrown_at[seat][turns - 1] == NONE else turns


def sample_hidden(SeatView view not None, int n, unsigned long long seed=0):
    """Uniform samples of the hidden cards consistent with the view of the player asked.

    Returns two numpy arrays: the opponent's hand as masks (uint64, shape (n,)) and the rest of the unseen
    cards in a random order (uint8 positions, shape (n, cards in the stock)). At "defend" the knocker's cards
    are all known and the face-down knocking discard is among the unseen ones that are left out.
    """
    import numpy as np

    if n < 1:
        raise ValueError(f"n is {n}; allowed is 1 or more")
    cdef const View* v = &view.v
    if count(v.hand) < 10:
        raise ValueError("view is empty; allowed is the view of the seat asked")
    cdef bint in_turn = v.question == DISCARD or v.question == SPREAD
    if v.question == OVER or (in_turn and v.drawn == NONE) or (v.question == DEFEND and count(v.known) < 10):
        raise ValueError(
            f"view is of seat {v.seat} at {QUESTIONS[v.question]!r}, which is not asked; "
            "allowed is the view of the seat asked"
        )
    cdef mask_t left = unseen(v)
    cdef uint8_t cards[52]
    cdef int size = count(left), wanted = 10 - count(v.known), i, j
    hands = np.empty(n, dtype=np.uint64)
    stocks = np.empty((n, v.stock), dtype=np.uint8)
    cdef unsigned long long[::1] hand_out = hands
    cdef unsigned char[:, ::1] stock_out = stocks
    cdef Rng rng
    cdef mask_t hand
    for i in range(size):
        cards[i] = lowest(left)
        left &= left - 1
    open_stream(&rng, seed, SAMPLES, 0, 0)
    with nogil:
        for i in range(n):
            shuffle(&rng, &cards[0], size)
            hand = v.known
            for j in range(wanted):
                hand |= bit(cards[j])
            hand_out[i] = hand
            for j in range(v.stock):
                stock_out[i, j] = cards[wanted + j]
    return hands, stocks


cdef class Table:
    """One hand, stepped from Python: ask `question` and `view()`, answer with `apply`, until "over".

    `codes` are the rules as integers (`ginsim.Rules.codes()`), `deck` 52 card positions in the order seat 0's
    ten, seat 1's ten, upcard, stock from its top. Answers are pairs of a word and what it needs:
    ("pass",), ("take",), ("stock",), ("pile",), ("discard", card), ("knock", card), ("big_gin",),
    ("spread", melds), ("defend", melds, laid) with melds and laid as masks, laid one mask for each meld
    shown. An answer that is not legal raises ValueError and changes nothing.
    """

    def __init__(self, codes, deck, int dealer=1):
        cdef uint8_t cards[52]
        if dealer not in (0, 1):
            raise ValueError(f"dealer is {dealer}; allowed are 0 and 1")
        load_rules(&self.rules, codes)
        load_deck(&cards[0], deck)
        memset(&self.state, 0, sizeof(State))
        deal(&self.state, &self.rules, &cards[0], dealer)

    @property
    def question(self):
        return QUESTIONS[self.state.view.question]

    @property
    def actor(self):
        """The seat asked; None when the hand is over."""
        return None if self.state.view.question == OVER else self.state.view.seat

    @property
    def facts(self):
        """What happened: ending, knocker's seat, both counts, cards laid off, the upcard, limit, doubled."""
        return facts_in_words(&self.state)

    def hands(self):
        """Both hands as masks, by seat: the table knows what players do not."""
        return self.state.hands[0], self.state.hands[1]

    def stock(self):
        """The cards left in the stock, from its top."""
        return [self.state.deck[i] for i in range(self.state.next_card, 52)]

    def view(self, seat=None):
        """What a seat may know; the one asked, unless `seat` says otherwise."""
        cdef SeatView view = SeatView()
        if seat not in (None, 0, 1):
            raise ValueError(f"seat is {seat!r}; allowed are 0, 1 and None")
        look(&self.state, self.state.view.seat if seat is None else seat, &view.v)
        return view

    def fork(self, deck=None):
        """An independent copy. `deck` replaces the cards to come: the positions of the stock in order."""
        cdef Table other = Table.__new__(Table)
        other.state = self.state
        other.rules = self.rules
        other.state.rules = &other.rules
        if deck is not None:
            stock = sorted(self.stock())
            if sorted(deck) != stock:
                raise ValueError(f"deck holds {sorted(deck)}; the stock holds {stock}")
            for i, card in enumerate(deck):
                other.state.deck[self.state.next_card + i] = card
        return other

    def broken(self):
        """0 while the state is sound; see the core's `broken`."""
        return broken(&self.state)

    def legal(self):
        """The legal answers; for "spread" and "defend" the default one, since any legal melds will do."""
        return legal_answers(&self.state.view)

    def apply(self, answer):
        """Apply an answer (see the class). Raises ValueError with the reason where it is not legal."""
        cdef Answer a
        memset(&a, 0, sizeof(Answer))
        fill_answer(&self.state.view, answer, &a)
        cdef int fault = apply(&self.state, &a)
        if fault != FINE:
            raise ValueError(f"{answer!r} to {self.question!r}: {FAULTS[fault]}")


cdef list legal_answers(const View* v):
    """The legal answers to a view's question; for "spread" and "defend" the default one."""
    cdef mask_t left = v.hand
    cdef Answer default
    if v.question == OFFER or v.question == LAST:
        return [("pass",), ("take",)]
    if v.question == DRAW:
        return [("stock",), ("pile",)]
    if v.question == SPREAD or v.question == DEFEND:
        memset(&default, 0, sizeof(Answer))
        ask(Policy.__new__(Policy), v, &default, NULL, NULL)
        return [answer_in_words(v, &default)]
    if v.question == OVER:
        return []
    answers = []
    while left:
        card = lowest(left)
        left &= left - 1
        if card == v.forbidden:
            continue
        if not v.must_declare:
            answers.append(("discard", card))
        if deadwood(v.hand & ~bit(card)) <= v.knock_limit:
            answers.append(("knock", card))
    if v.big_gin and deadwood(v.hand) == 0:
        answers.append(("big_gin",))
    return answers


cdef object facts_in_words(const State* s):
    """The facts of a hand as a dict; None for what has not happened."""
    cdef const Facts* f = &s.facts
    over = s.view.question == OVER
    declared = over and f.ending != VOID and f.ending != CUT
    return {
        "ending": ENDINGS[f.ending if over else GOING],
        "knocker": f.knocker if declared else None,
        "knocker_count": f.knocker_count if declared else None,
        "defender_count": f.defender_count if declared else None,
        "laid": f.laid,
        "upcard": f.upcard,
        "limit": f.limit,
        "doubled": bool(f.doubled),
    }


cdef object answer_in_words(const View* v, const Answer* a):
    """The inverse of `fill_answer`: v is the view the answer was given to. A choice that is none: itself."""
    if v.question <= LAST and a.choice != YES and a.choice != NO:
        return (a.choice,)
    if v.question == OFFER or v.question == LAST:
        return ("take",) if a.choice == YES else ("pass",)
    if v.question == DRAW:
        return ("pile",) if a.choice == YES else ("stock",)
    if v.question == DISCARD:
        if a.choice == BIG_GIN:
            return ("big_gin",)
        if not 0 <= a.choice < 2 * KNOCK or not DECK >> (a.choice & 63) & 1:
            return (a.choice,)
        return ("knock" if a.choice & KNOCK else "discard", a.choice & 63)
    if v.question == SPREAD:
        return ("spread", tuple(a.spread.melds[i] for i in range(a.spread.n)))
    own = tuple(a.defence.melds[i] for i in range(a.defence.n))
    return ("defend", own, tuple(a.defence.laid[i] for i in range(v.shown.n)))


cdef int fill_answer(const View* v, object answer, Answer* out) except -1:
    """An answer in words as a struct."""
    kinds = {
        OFFER: {"pass": NO, "take": YES},
        LAST: {"pass": NO, "take": YES},
        DRAW: {"stock": NO, "pile": YES},
        DISCARD: {"discard": 0, "knock": KNOCK, "big_gin": BIG_GIN},
        SPREAD: {"spread": 0},
        DEFEND: {"defend": 0},
        OVER: {},
    }[v.question]
    word = answer[0] if answer else None
    if word not in kinds:
        raise ValueError(
            f"{word!r} is no answer to {QUESTIONS[v.question]!r}; allowed: {', '.join(kinds) or 'none'}"
        )
    cdef int parts = 1 if v.question <= LAST or word == "big_gin" else 3 if v.question == DEFEND else 2
    if len(answer) != parts:
        raise ValueError(f"{answer!r} has {len(answer)} parts; {word!r} has {parts}")
    if v.question <= LAST or word == "big_gin":
        out.choice = kinds[word]
    elif v.question == DISCARD:
        if not 0 <= answer[1] < 64:
            raise ValueError(f"{answer!r}: a card is suit * 16 + rank, 0 to 60")
        out.choice = kinds[word] | answer[1]
    elif v.question == SPREAD:
        fill_melds(&out.spread.melds[0], answer[1], "spread")
        out.spread.n = len(answer[1])
        out.spread.deadwood = points(v.hand & ~union(&out.spread.melds[0]))
    else:
        if len(answer[2]) != v.shown.n:
            raise ValueError(f"lay-offs: {len(answer[2])} masks; one for each of the {v.shown.n} melds shown")
        fill_melds(&out.defence.melds[0], answer[1], "own melds")
        fill_melds(&out.defence.laid[0], answer[2], "lay-offs")
        out.defence.n = len(answer[1])
        out.defence.deadwood = points(
            v.hand & ~(union(&out.defence.melds[0]) | union(&out.defence.laid[0]))
        )
    return 0


cdef int fill_melds(mask_t* out, object melds, str what) except -1:
    if len(melds) > MAX_MELDS:
        raise ValueError(f"{what}: {len(melds)} melds; a hand holds at most {MAX_MELDS}")
    for i, meld in enumerate(melds):
        if not 0 <= meld < 1 << 64:
            raise ValueError(f"{what}: {meld} is no mask of cards")
        out[i] = meld
    return 0


cdef inline mask_t union(const mask_t* melds) noexcept nogil:
    cdef mask_t all_cards = 0
    cdef int i
    for i in range(MAX_MELDS):
        all_cards |= melds[i]
    return all_cards
