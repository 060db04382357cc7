# cython: language_level=3
"""The driver: hands, games, mirrored pairs and chunks of pairs between two native policies.

A pair is one deal (or one game's deals) played twice with the entrants' seats swapped. Seat 1 deals first.
Orientation 0 seats entrant A in seat 0, orientation 1 in seat 1. A chunk is a range of pair indices; what it
returns depends on nothing else, so chunks may be played anywhere and in any order.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from ._bits cimport NONE, int64_t, uint8_t
from ._core cimport (
    BIG_GIN, DISCARD, FAILED, FINE, KNOCK, LAST, OFFER, OVER, YES, Answer, Event, Policy, RuleSet, Stakes,
    State, View, apply, ask, deal, face, load_deck, load_rules, look, new_deck,
)
from ._counters cimport (
    BLOCKS, LINKS, N_TURNS, Block, Counters, PairSums, count_hand, count_pair, discard_cell,
)
from ._luck cimport draw_luck
from ._rng cimport DEALS, MAX_ENTRANTS, Rng, open_stream
from ._rows cimport RowList, add_row, sorted_rows
from ._score cimport (
    FORFEIT_HAND, N_DECLARED, Game, Price, begin_game, enter, game_over, price, result, set_stakes,
)
from ._table cimport SeatView, answer_in_words, facts_in_words, legal_answers

from ._core import FAULTS, QUESTIONS, Overtime
from ._score import OUTCOMES


ENGINE = 4    # moves only when the play of a hand, or what is counted of it, changes


ON_ERROR = ("stop", "forfeit")
LONGEST_TEXT = 4000    # characters of a policy's exception in an error


class PlayFault(RuntimeError):
    """A policy failed, or gave an answer that is not legal. `where` has what is needed to see it again."""

    def __init__(self, reason, **where):
        self.reason = reason
        self.where = where
        super().__init__(reason, where)

    def __str__(self):
        return f"{self.reason} ({', '.join(f'{name} {value}' for name, value in self.where.items())})"

    def __reduce__(self):
        return fault_again, (self.reason, self.where)


class Stopped(RuntimeError):
    """A match that was told to stop."""


def failure_in_words(failure):
    """What a policy raised, as text that can be printed, and where: the method asked, file and line."""
    try:
        text = str(failure)
    except BaseException as error:
        text = f"(its text raises {type(error).__name__})"
    text = "".join(c if c.isprintable() or c == "\n" else repr(c).strip("'") for c in text)
    if len(text) > LONGEST_TEXT:
        text = f"{text[:LONGEST_TEXT]}... ({len(text)} characters)"
    method, where = None, ""
    trace = failure.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if not code.co_filename.endswith(".pyx"):
            method = method or code.co_name
            where = f" (in {method}, at {code.co_filename}:{trace.tb_lineno})"
        trace = trace.tb_next
    return f"{type(failure).__name__}: {text}{where}"


def fault_again(reason, where):
    """Rebuild a PlayFault in another process."""
    return PlayFault(reason, **where)


# ---------------------------------------------------------------- one hand

cdef int step(State* s, Player* players, Answer* a) noexcept nogil:
    """Ask whoever is to act and apply the answer; returns a Fault."""
    cdef Player* p = &players[s.view.seat]
    ask(<Policy>p.policy, &s.view, a, p.memory, &p.rng)
    return settle(s, players, a)


cdef inline int settle(State* s, Player* players, const Answer* a) noexcept nogil:
    """Apply an answer and show it to the policies that want to see."""
    cdef int seat = s.view.seat, question = s.view.question
    cdef int fault = apply(s, a)
    if fault == FINE and (players[0].sees or players[1].sees):
        show(s, players, a, seat, question)
    return fault


cdef void show(State* s, Player* players, const Answer* a, int seat, int question) noexcept nogil:
    """Tell what was done to the policies that want to see, each with its own view of it."""
    cdef Event event
    cdef View seen
    cdef int i
    event.question = question
    event.seat = seat
    event.card = NONE
    event.choice = 0
    if question == DISCARD:
        event.choice = a.choice & (KNOCK | BIG_GIN)
        if a.choice < KNOCK:
            event.card = a.choice
    elif question <= LAST:
        event.choice = a.choice
        if a.choice == YES:
            event.card = s.view.taken_at[seat][s.view.turns[seat] - 1]
    for i in range(2):
        if players[i].sees:
            look(s, i, &seen)
            (<Policy>players[i].policy).see(&seen, &event, players[i].memory, &players[i].rng)


cdef void begin_hand(
    State* s, Player* players, unsigned long long key, int orientation, long long index, int hand_number
) noexcept nogil:
    """Open both policies' streams for a dealt hand and let those with a memory begin."""
    cdef int seat, asked = s.view.seat
    cdef Player* p
    for seat in range(2):
        p = &players[seat]
        open_stream(&p.rng, key, 1 + 2 * p.entrant + orientation, index, hand_number)
        if p.begins:
            memset(p.memory, 0, p.memory_size)
            face(s, seat, OFFER)
            (<Policy>p.policy).begin(&s.view, p.memory, &p.rng)
            face(s, asked, OFFER)


cdef int take_answer(
    State* s, Player* players, Counters* c, int entrant_of_seat_0, const Answer* a, int* thrown,
    int64_t* luck,
) noexcept nogil:
    """Apply an answer and show it; returns a Fault.

    Discards are counted into c where it is not NULL; `thrown` is the cell of the discard that now lies on
    top of the pile, or -1, and is -1 when a hand begins. Where `luck` is not NULL, entrant A's luck is added.
    """
    cdef int question = s.view.question, cell = -1, fault, next_card = s.next_card
    if question == DISCARD and c != NULL and 0 <= a.choice < KNOCK:
        cell = discard_cell(s, a.choice, s.view.seat ^ entrant_of_seat_0)
    fault = settle(s, players, a)
    if fault != FINE:
        return fault
    if luck != NULL and s.next_card != next_card:
        luck[0] += (1 - 2 * (s.view.seat ^ entrant_of_seat_0)) * draw_luck(s)
    if question == DISCARD:
        thrown[0] = cell
    elif thrown[0] >= 0 and question <= LAST:
        c.discards[thrown[0]] += 1
        c.discards[thrown[0] + 1] += a.choice
    return FINE


cdef int play_out(
    State* s, Player* players, Counters* c, int entrant_of_seat_0, Answer* a, int64_t* luck
) noexcept nogil:
    """Play a hand to its end; returns a Fault, with the answer at fault in a.

    Discards are counted into c, and A's luck into `luck`, where these are not NULL.
    """
    cdef Player* p
    cdef int fault, thrown = -1
    a.choice = 0
    while s.view.question != OVER:
        p = &players[s.view.seat]
        ask(<Policy>p.policy, &s.view, a, p.memory, &p.rng)
        fault = take_answer(s, players, c, entrant_of_seat_0, a, &thrown, luck)
        if fault != FINE:
            return fault
    return FINE


# ---------------------------------------------------------------- games and pairs

cdef void open_hand(
    Pairing* p, State* s, const Place* at, const uint8_t* deck, const Game* game, int dealer,
    Player* seats, Stakes* stakes,
) noexcept nogil:
    """Deal the hand at a place and seat the entrants; `seats` and `stakes` must live as long as the hand."""
    cdef int seat
    seats[0] = p.players[at.orientation]
    seats[1] = p.players[1 - at.orientation]
    s.stakes = NULL
    deal(s, &p.rules, deck, dealer)
    if p.any_reads:
        for seat in range(2):
            set_stakes(&stakes[seat], game, &p.rules, seat, seats[seat].reads, s.facts.doubled)
        s.stakes = stakes
        face(s, s.view.seat, OFFER)
    begin_hand(s, seats, p.key, at.orientation, at.index, at.hand_number)


cdef int play_one(
    Pairing* p, State* s, Place* at, const uint8_t* deck, const Game* game, int dealer, Counters* c, Price*
    paid, int64_t* luck,
) noexcept nogil:
    """Play the hand at a place and price it; returns a Fault."""
    cdef Player seats[2]
    cdef Stakes stakes[2]
    open_hand(p, s, at, deck, game, dealer, seats, stakes)
    at.fault = play_out(s, seats, c, at.orientation, &at.answer, luck)
    s.stakes = NULL
    if at.fault == FINE and failed(p):
        at.fault = FAILED
    if at.fault == FINE:
        price(&s.facts, &p.rules, paid)
    return at.fault


cdef void deck_at(Pairing* p, const Place* at, uint8_t* deck) noexcept nogil:
    cdef Rng rng
    open_stream(&rng, p.key, DEALS, at.index, at.hand_number)
    new_deck(&rng, deck)


cdef bint failed(const Pairing* p) noexcept nogil:
    """Whether a policy failed in itself, perhaps in seeing the last action, so that nobody asked it again."""
    return (
        <void*>(<Policy>p.players[0].policy).failure != <void*>None
        or <void*>(<Policy>p.players[1].policy).failure != <void*>None
    )


cdef void keep_hand(
    Counters* c, Block* block, PairSums* sums, const State* s, const Price* paid, const Place* at
) noexcept nogil:
    """A hand that is over into the counters, and among the rows where these are kept."""
    count_hand(c, block, sums, s, paid, at.orientation)
    if c.rows != NULL:
        add_row(c.rows, s, at.index, at.orientation, at.hand_number, paid)


cdef bint forfeits(
    Pairing* p, const State* s, const Place* at, bint late, Counters* c, Block* block, PairSums* sums
) noexcept nogil:
    """Whether the hand at fault is a forfeit, and if so count it: for neither a win, a loss or points.

    It is charged to each policy that failed in itself, else to the one whose answer was refused; `late`:
    because that one took too long.
    """
    cdef int e, asked = s.view.seat ^ at.orientation
    cdef bint charged[2]
    cdef bint overtime[2]
    cdef Price nothing
    if p.forfeits == 0:
        return False
    with gil:
        for e in range(2):
            failure = (<Policy>p.players[e].policy).failure
            if isinstance(failure, KeyboardInterrupt):
                return False
            charged[e] = failure is not None
            overtime[e] = isinstance(failure, Overtime)
        if not (charged[0] or charged[1]):
            charged[asked] = True
            overtime[asked] = late
        for e in range(2):
            if charged[e] and not p.forfeits & (FORFEIT_OVERTIME if overtime[e] else FORFEIT_ERRORS):
                return False
        for e in range(2):
            (<Policy>p.players[e].policy).failure = None
    for e in range(2):
        if charged[e] and overtime[e]:
            block.overtimes[e] += 1
        elif charged[e]:
            block.forfeits[e] += 1
    sums.hands += 1
    sums.draws += s.view.turns[0] + s.view.turns[1]
    block.draws += s.view.turns[0] + s.view.turns[1]
    if c != NULL and c.rows != NULL:
        nothing.winner = -1
        nothing.outcome = FORFEIT_HAND
        add_row(c.rows, s, at.index, at.orientation, at.hand_number, &nothing)
    return True


cdef int play_pair(Pairing* p, State* s, Place* at, Counters* c) noexcept nogil:
    """One mirrored pair of hands or games into the counters; returns a Fault."""
    cdef Block* block = &c.blocks[at.index % BLOCKS]
    cdef PairSums sums
    cdef Price paid
    cdef Game game
    cdef uint8_t deck[52]
    cdef int orientation, fault
    cdef int64_t* luck = &sums.luck if p.luck else NULL
    memset(&sums, 0, sizeof(PairSums))
    at.hand_number = 0
    if not p.games:
        deck_at(p, at, &deck[0])
    for orientation in range(2):
        at.orientation = orientation
        if not p.games:
            fault = play_one(p, s, at, &deck[0], NULL, 1, c, &paid, luck)
            if fault == FINE:
                keep_hand(c, block, &sums, s, &paid, at)
            elif not forfeits(p, s, at, False, c, block, &sums):
                return fault
            continue
        begin_game(&game, &p.rules, 1)
        while not game_over(&game) and game.hands < p.rules.max_hands:
            at.hand_number = game.hands
            deck_at(p, at, &deck[0])
            fault = play_one(p, s, at, &deck[0], &game, game.dealer, c, &paid, luck)
            if fault != FINE:
                if forfeits(p, s, at, False, c, block, &sums):
                    break    # a game that is not finished
                return fault
            enter(&game, &p.rules, &paid)
            keep_hand(c, block, &sums, s, &paid, at)
        count_game(&game, &p.rules, block, &sums, orientation)
    count_pair(block, &sums, p.games)
    at.fault = FINE
    return FINE


cdef void count_game(
    const Game* game, const RuleSet* rules, Block* block, PairSums* sums, int orientation
) noexcept nogil:
    """A game's result into the block: A's games won, drawn, lost, unfinished, and the pair's half points."""
    cdef int margin
    if not game_over(game):
        block.games[3] += 1
        sums.game_halves += 1
        return
    margin = result(game, rules)
    if orientation == 1:
        margin = -margin
    sums.margin += margin
    if margin > 0:
        block.games[0] += 1
        sums.game_halves += 2
    elif margin == 0:
        block.games[1] += 1
        sums.game_halves += 1
    else:
        block.games[2] += 1


# ---------------------------------------------------------------- from Python

cdef class Match:
    """Two policies under one set of rules and one key: plays chunks of pairs, single hands and games.

    `codes` are the rules as integers (`ginsim.Rules.codes()`), `key` the 64-bit key of the seed, `entrants`
    the two entrants' numbers in the experiment, which name their random streams. `games`: the unit is a game.
    A hand that a policy cannot play raises PlayFault; with `on_error="forfeit"` it is counted as a forfeit
    and play goes on (a game ends unfinished), and so with `time_forfeit` where a policy takes too long.
    `luck`: the luck of draws from the stock is counted, too (`_luck`); all other counts stay as they are.
    """

    def __cinit__(self, *args, **options):
        memset(&self.pairing, 0, sizeof(Pairing))

    def __init__(self, Policy a not None, Policy b not None, codes, unsigned long long key,
                 bint games=False, entrants=(0, 1), on_error="stop", bint time_forfeit=False,
                 bint luck=False):
        cdef int e
        first, second = entrants
        self.a = a
        self.b = b
        load_rules(&self.pairing.rules, codes)
        self.pairing.key = key
        self.pairing.games = games
        self.pairing.luck = luck
        if on_error not in ON_ERROR:
            raise ValueError(f"on_error is {on_error!r}; allowed: {' or '.join(ON_ERROR)}")
        if on_error == "forfeit":
            self.pairing.forfeits |= FORFEIT_ERRORS
        if time_forfeit:
            self.pairing.forfeits |= FORFEIT_OVERTIME
        if first == second:
            raise ValueError(
                f"entrants are {entrants}; two different numbers are allowed, since they name streams"
            )
        self.deadwoods = (10 if self.pairing.rules.oklahoma else self.pairing.rules.knock_limit) + 1
        for e, entrant, policy in ((0, first, a), (1, second, b)):
            if not 0 <= entrant < MAX_ENTRANTS:
                raise ValueError(f"entrant is {entrant}; allowed is 0 to {MAX_ENTRANTS - 1}")
            self.seat_entrant(&self.pairing.players[e], policy, entrant)
        self.pairing.any_reads = a.reads != 0 or b.reads != 0

    cdef int seat_entrant(self, Player* p, Policy policy, int entrant) except -1:
        p.policy = <void*>policy
        p.memory_size = policy.memory_size
        p.reads = policy.reads
        p.begins = policy.begins or policy.memory_size > 0
        p.sees = policy.sees
        p.entrant = entrant
        if p.memory_size:
            p.memory = calloc(1, p.memory_size)
            if p.memory == NULL:
                raise MemoryError(f"no {p.memory_size} bytes for a policy's memory")
        return 0

    def __dealloc__(self):
        free(self.pairing.players[0].memory)
        free(self.pairing.players[1].memory)

    def stop(self):
        """Have `play`, in whatever thread, raise Stopped at its next pairs; for good."""
        self.stopped = True

    cdef int check(self) except -1:
        """ValueError for a Match that was never set up."""
        if self.a is None or self.b is None:
            raise ValueError("this Match was made without its policies")
        return 0

    def play(self, long long start, long long stop, bint rows=False):
        """Play the pairs start .. stop - 1 without the GIL.

        Returns three int64 arrays: blocks (256, fields of `_counters.layout()`), knocks (2 entrants, 32
        turns, deadwoods, 5 outcomes, 2 in Oklahoma else 1, 3) and discards (2, 32, 13 ranks, 6 links, 2), of
        which `_counters.pxd` tells. With `rows` also, as a fourth, an array of `_rows.ROW`, one for each hand
        in the order of play. Raises PlayFault where a policy's answer is not legal. Not to be called from two
        threads at once.
        """
        cdef Counters c
        cdef RowList kept
        cdef State s
        cdef Place at
        counted = self.new_counters(&c, start, stop)
        memset(&kept, 0, sizeof(RowList))
        c.rows = &kept if rows else NULL
        memset(&s, 0, sizeof(State))
        memset(&at, 0, sizeof(Place))
        at.index = start
        try:
            self.play_pairs(&c, &s, &at, stop)
            return (*counted, sorted_rows(&kept)) if rows else counted
        finally:
            free(kept.rows)

    cdef int play_pairs(self, Counters* c, State* s, Place* at, long long stop) except -1:
        """Play from the pair of a place on; raises PlayFault, or Stopped."""
        with nogil:
            while at.index < stop:
                if at.index % 64 == 0:
                    if self.stopped:
                        break
                    with gil:
                        PyErr_CheckSignals()
                if play_pair(&self.pairing, s, at, c) != FINE:
                    break
                at.index += 1
        if self.stopped:
            raise Stopped(f"stopped at pair {at.index}")
        if at.fault != FINE:
            raise self.fault(s, at)
        return 0

    cdef tuple new_counters(self, Counters* c, long long start, long long stop):
        """The arrays of `play`, all zero, and c pointed into them, for the pairs start .. stop - 1."""
        import numpy as np

        self.check()
        if not 0 <= start <= stop <= 1 << 48:
            raise ValueError(f"pairs {start} to {stop}: allowed are 0 <= start <= stop <= 2**48")
        blocks = np.zeros((BLOCKS, sizeof(Block) // sizeof(int64_t)), dtype=np.int64)
        c.deadwoods = self.deadwoods
        c.spades = 2 if self.pairing.rules.oklahoma else 1
        knocks = np.zeros((2, N_TURNS, c.deadwoods, N_DECLARED, c.spades, 3), dtype=np.int64)
        discards = np.zeros((2, N_TURNS, 13, LINKS, 2), dtype=np.int64)
        cdef int64_t[:, ::1] block_view = blocks
        cdef int64_t[:, :, :, :, :, ::1] knock_view = knocks
        cdef int64_t[:, :, :, :, ::1] discard_view = discards
        c.blocks = <Block*>&block_view[0, 0]
        c.knocks = &knock_view[0, 0, 0, 0, 0, 0]
        c.discards = &discard_view[0, 0, 0, 0, 0]
        c.rows = NULL
        return blocks, knocks, discards

    cdef object fault(self, const State* s, const Place* at):
        """The exception for an answer that was refused, or for a policy that failed."""
        cdef SeatView view = SeatView()
        cdef int entrant = s.view.seat ^ at.orientation
        for number, policy in enumerate((self.a, self.b)):
            if (<Policy>policy).failure is not None:
                entrant = number
        failure = (self.a if entrant == 0 else self.b).failure
        if isinstance(failure, KeyboardInterrupt):
            return failure
        view.v = s.view
        policies = (str(self.a), str(self.b))
        return PlayFault(
            FAULTS[at.fault] if failure is None else failure_in_words(failure),
            failed=failure is not None,
            policy=policies[entrant],
            policies=policies,
            entrant=entrant,
            index=at.index,
            orientation=at.orientation,
            hand_number=at.hand_number,
            question=QUESTIONS[s.view.question],
            answer=None if s.view.question == OVER else answer_in_words(&s.view, &at.answer),
            legal=legal_answers(&s.view),
            view=view,
        )

    def trace_hand(self, long long index, int orientation=0, deck=None, int dealer=1):
        """Play one hand and keep every action.

        Returns a dict: deck, dealer, actions (seat, question, answer as `Table` takes them), facts,
        outcome, winner (seat or None), points; a hand that is forfeited has the outcome "forfeit" and a
        `fault`, in words. It is the hand that `play` plays at this index and orientation
        as a single hand; `deck` (52 positions) and `dealer` replace what it is dealt.
        """
        cdef Place at
        cdef Price paid
        cdef uint8_t cards[52]
        self.set_place(&at, index, orientation)
        if dealer not in (0, 1):
            raise ValueError(f"dealer is {dealer}; allowed are 0 and 1")
        if deck is None:
            deck_at(&self.pairing, &at, &cards[0])
        else:
            load_deck(&cards[0], deck)
        return self.trace(&at, &cards[0], NULL, dealer, &paid)

    def trace_game(self, long long index, int orientation=0):
        """Play one game and keep every hand: a list of dicts as in `trace_hand`."""
        cdef Place at
        cdef Game game
        cdef Price paid
        cdef uint8_t cards[52]
        hands = []
        self.set_place(&at, index, orientation)
        begin_game(&game, &self.pairing.rules, 1)
        while not game_over(&game) and game.hands < self.pairing.rules.max_hands:
            at.hand_number = game.hands
            deck_at(&self.pairing, &at, &cards[0])
            traced = self.trace(&at, &cards[0], &game, game.dealer, &paid)
            hands.append(traced)
            if traced["outcome"] == "forfeit":
                break
            enter(&game, &self.pairing.rules, &paid)
        return hands

    cdef int set_place(self, Place* at, long long index, int orientation) except -1:
        self.check()
        if not 0 <= index < 1 << 48:
            raise ValueError(f"index is {index}; allowed is 0 to 2**48 - 1")
        if orientation not in (0, 1):
            raise ValueError(f"orientation is {orientation}; allowed are 0 and 1")
        memset(at, 0, sizeof(Place))
        at.index = index
        at.orientation = orientation
        return 0

    cdef object trace(self, Place* at, const uint8_t* deck, const Game* game, int dealer, Price* paid):
        cdef State s
        cdef Player seats[2]
        cdef Stakes stakes[2]
        cdef View before
        memset(&s, 0, sizeof(State))
        open_hand(&self.pairing, &s, at, deck, game, dealer, seats, stakes)
        actions = []
        at.fault = FINE
        while s.view.question != OVER and at.fault == FINE:
            before = s.view
            at.fault = step(&s, seats, &at.answer)
            if at.fault == FINE:
                actions.append(
                    (before.seat, QUESTIONS[before.question], answer_in_words(&before, &at.answer))
                )
        s.stakes = NULL
        if at.fault == FINE and failed(&self.pairing):
            at.fault = FAILED
        traced = {
            "deck": [deck[i] for i in range(52)],
            "dealer": dealer,
            "actions": actions,
            "facts": facts_in_words(&s),
        }
        if at.fault != FINE:
            return traced | self.forfeit(&s, at)
        price(&s.facts, &self.pairing.rules, paid)
        return traced | {
            "outcome": OUTCOMES[paid.outcome],
            "winner": None if paid.winner < 0 else paid.winner,
            "points": paid.points,
        }

    cdef dict forfeit(self, const State* s, const Place* at):
        """How a traced hand at fault came out; raises its fault where it is no forfeit."""
        cdef Block block
        cdef PairSums sums
        memset(&block, 0, sizeof(Block))
        memset(&sums, 0, sizeof(PairSums))
        fault = self.fault(s, at)
        if not forfeits(&self.pairing, s, at, False, NULL, &block, &sums):
            raise fault
        return {"outcome": "forfeit", "winner": None, "points": 0, "fault": fault.reason}
