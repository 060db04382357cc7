# cython: language_level=3
"""Policies that are no native classes: C functions by address, and Python objects.

A Python object is asked under the GIL, one question at a time. An exception of its own, or an answer that
cannot be read, is kept in `failure`, and the core is given an answer that it refuses.
"""
from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint32_t, uintptr_t

from ._bits cimport NONE, mask_t
from ._core cimport BIG_GIN, DISCARD, DRAW, LAST, NO, YES, Event, Policy, View
from ._melds cimport MAX_MELDS, Defence, Spread, best_discards, deadwood, points
from ._policies cimport outs
from ._rng cimport Rng, below
from ._table cimport RandomStream, SeatView

from ._core import QUESTIONS, READS

METHODS = ("begin", "see", "take_upcard", "take_last", "draw", "discard", "spread", "defend")

cdef enum:
    UNREADABLE = -1

ctypedef int (*choose_t)(const View* v, void* memory, Rng* rng) noexcept nogil
ctypedef void (*begin_t)(const View* v, void* memory, Rng* rng) noexcept nogil
ctypedef void (*see_t)(const View* v, const Event* event, void* memory, Rng* rng) noexcept nogil
ctypedef void (*spread_t)(const View* v, Spread* out, void* memory, Rng* rng) noexcept nogil
ctypedef void (*defend_t)(const View* v, Defence* out, void* memory, Rng* rng) noexcept nogil


cdef int draw_below(Rng* rng, uint32_t n) noexcept nogil:
    return below(rng, n)


cdef struct Exported:
    const char* name
    const char* signature
    void* address

cdef Exported EXPORTED[4]
EXPORTED[0] = Exported("deadwood", "int (uint64_t)", <void*>deadwood)
EXPORTED[1] = Exported("best_discards", "int (uint64_t, uint64_t, uint64_t *)", <void*>best_discards)
EXPORTED[2] = Exported("outs", "int (uint64_t, uint64_t)", <void*>outs)
EXPORTED[3] = Exported("below", "int (void *, uint32_t)", <void*>draw_below)


def c_functions():
    """The core's functions for C: by name (address, PyCapsule named by the signature)."""
    return {
        entry.name.decode(): (<uintptr_t>entry.address, PyCapsule_New(entry.address, entry.signature, NULL))
        for entry in EXPORTED
    }


def reads_code(reads):
    """The names of `_core.READS` as one number; ValueError for an unknown name."""
    code = 0
    for name in reads:
        if name not in READS:
            raise ValueError(f"reads names {name!r}; allowed: {', '.join(READS)}")
        code |= READS[name]
    return code


cdef class CPolicy(Policy):
    """A policy of C functions, given by their addresses: what numba's `cfunc`, cffi and ctypes make.

    `functions` maps names of `METHODS` to addresses of functions `(const View*, void* memory, Rng*)` that
    return an int as `_core.pxd` has it; `see` takes an `Event*`, `spread` a `Spread*` and `defend` a
    `Defence*` after the view, and these, like `begin`, return nothing. A function left out does as in
    `Policy`. `memory_size` is in bytes, zeroed for each hand; `reads` are names of `_core.READS`. `keep` is
    held as long as the policy, so that the functions stay where they are. Raises ValueError for an unknown
    name. A function at fault can do anything: this is C.
    """

    cdef public str spec
    cdef readonly object keep
    cdef choose_t on_take_upcard
    cdef choose_t on_take_last
    cdef choose_t on_draw
    cdef choose_t on_discard
    cdef begin_t on_begin
    cdef see_t on_see
    cdef spread_t on_spread
    cdef defend_t on_defend

    def __init__(self, functions, int memory_size=0, reads=(), keep=None, str spec="C functions"):
        for name in functions:
            if name not in METHODS:
                raise ValueError(f"function {name!r}: allowed are {', '.join(METHODS)}")
        if "discard" not in functions:
            raise ValueError("a policy of C functions needs a function 'discard'")
        if not 0 <= memory_size <= 1 << 20:
            raise ValueError(f"memory_size is {memory_size}; allowed is 0 to {1 << 20} bytes")
        self.on_begin = <begin_t><uintptr_t>functions.get("begin", 0)
        self.on_see = <see_t><uintptr_t>functions.get("see", 0)
        self.on_take_upcard = <choose_t><uintptr_t>functions.get("take_upcard", 0)
        self.on_take_last = <choose_t><uintptr_t>functions.get("take_last", 0)
        self.on_draw = <choose_t><uintptr_t>functions.get("draw", 0)
        self.on_discard = <choose_t><uintptr_t>functions["discard"]
        self.on_spread = <spread_t><uintptr_t>functions.get("spread", 0)
        self.on_defend = <defend_t><uintptr_t>functions.get("defend", 0)
        self.keep = keep
        self.spec = spec
        self.memory_size = memory_size
        self.begins = self.on_begin != NULL
        self.sees = self.on_see != NULL
        self.reads = reads_code(reads)

    def __str__(self):
        return self.spec

    cdef void begin(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        if self.on_begin != NULL:
            self.on_begin(v, memory, rng)

    cdef void see(self, const View* v, const Event* event, void* memory, Rng* rng) noexcept nogil:
        self.on_see(v, event, memory, rng)

    cdef bint take_upcard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return NO if self.on_take_upcard == NULL else self.on_take_upcard(v, memory, rng)

    cdef bint take_last(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return NO if self.on_take_last == NULL else self.on_take_last(v, memory, rng)

    cdef bint draw_pile(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return NO if self.on_draw == NULL else self.on_draw(v, memory, rng)

    cdef int discard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        return self.on_discard(v, memory, rng)

    cdef void spread(self, const View* v, Spread* out, void* memory, Rng* rng) noexcept nogil:
        if self.on_spread == NULL:
            Policy.spread(self, v, out, memory, rng)
        else:
            self.on_spread(v, out, memory, rng)

    cdef void defend(self, const View* v, Defence* out, void* memory, Rng* rng) noexcept nogil:
        if self.on_defend == NULL:
            Policy.defend(self, v, out, memory, rng)
        else:
            self.on_defend(v, out, memory, rng)


cdef class PythonPolicy(Policy):
    """A native policy that asks `player`, a Python object with methods named as in `METHODS`.

    `own` names the methods that the player has; the others have the native defaults. It is given views of
    `view_type`, a subclass of `SeatView`, and answers in the core's words: True or False, "pile" or "stock",
    a card's position, a position | KNOCK or BIG_GIN, melds as masks, melds and lay-offs as masks.
    `read(question, view, answer)` turns any other answer into these, or raises; as `read("see", view, event)`
    it says what `see` is told. For each hand the player's `rng` is a new stream. One object serves one seat
    at a time.
    """

    cdef readonly object player
    cdef object view_type
    cdef object read
    cdef frozenset own
    cdef RandomStream stream      # the player's `rng` of this hand, kept where the core's own stream is

    def __cinit__(self, *args, **options):
        self.stream = RandomStream.__new__(RandomStream)

    def __init__(self, player, view_type, read, own, int reads=0):
        self.player = player
        self.view_type = view_type
        self.read = read
        self.own = frozenset(own)
        self.in_python = True
        self.reads = reads
        self.begins = True
        self.sees = "see" in self.own

    def __str__(self):
        return str(self.player)

    cdef void enter_with(self, const Rng* rng) noexcept:
        """`enter`, with the player's stream where the core's is: forks put that to other places."""
        self.enter()
        self.stream.rng = rng[0]

    cdef void leave_with(self, Rng* rng) noexcept:
        rng[0] = self.stream.rng
        self.leave()

    cdef SeatView look(self, const View* v):
        cdef SeatView view = self.view_type.__new__(self.view_type)
        view.v = v[0]
        return view

    cdef void begin(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        with gil:
            self.open(v, rng)

    cdef void open(self, const View* v, Rng* rng) noexcept:
        self.stream = RandomStream.__new__(RandomStream)
        self.enter_with(rng)
        try:
            self.player.rng = self.stream
            if "begin" in self.own:
                self.player.begin(self.look(v))
        except BaseException as error:
            self.failure = error
        self.leave_with(rng)

    cdef void see(self, const View* v, const Event* event, void* memory, Rng* rng) noexcept nogil:
        with gil:
            if self.failure is None:
                self.tell(v, event, rng)

    cdef void tell(self, const View* v, const Event* event, Rng* rng) noexcept:
        self.enter_with(rng)
        try:
            view = self.look(v)
            self.player.see(view, self.read("see", view, event_in_words(event)))
        except BaseException as error:
            self.failure = error
        self.leave_with(rng)

    cdef int choose(self, const View* v, str method, object yes, object no, Rng* rng) noexcept:
        """A yes or no, or UNREADABLE."""
        cdef int choice = UNREADABLE
        if self.failure is not None:
            return UNREADABLE
        self.enter_with(rng)
        try:
            view = self.look(v)
            answer = getattr(self.player, method)(view)
            if answer is not yes and answer is not no:
                answer = self.read(QUESTIONS[v.question], view, answer)
            choice = YES if answer == yes else NO
        except BaseException as error:
            self.failure = error
        self.leave_with(rng)
        return choice

    cdef bint take_upcard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        with gil:
            return self.choose(v, "take_upcard", True, False, rng) if "take_upcard" in self.own else NO

    cdef bint take_last(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        with gil:
            return self.choose(v, "take_last", True, False, rng) if "take_last" in self.own else NO

    cdef bint draw_pile(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        with gil:
            return self.choose(v, "draw", "pile", "stock", rng) if "draw" in self.own else NO

    cdef int discard(self, const View* v, void* memory, Rng* rng) noexcept nogil:
        with gil:
            return self.throw(v, rng)

    cdef int throw(self, const View* v, Rng* rng) noexcept:
        cdef int choice = UNREADABLE
        if self.failure is not None:
            return UNREADABLE
        self.enter_with(rng)
        try:
            view = self.look(v)
            answer = self.player.discard(view)
            if type(answer) is not int:
                answer = self.read("discard", view, answer)
            choice = answer
        except BaseException as error:
            self.failure = error
        self.leave_with(rng)
        return choice

    cdef void spread(self, const View* v, Spread* out, void* memory, Rng* rng) noexcept nogil:
        if <void*>self.failure != <void*>None:
            out.n = UNREADABLE
            return
        with gil:
            if "spread" in self.own:
                self.show_melds(v, out, rng)
                return
        Policy.spread(self, v, out, memory, rng)

    cdef void show_melds(self, const View* v, Spread* out, Rng* rng) noexcept:
        cdef mask_t melded = 0
        out.n = UNREADABLE
        self.enter_with(rng)
        try:
            view = self.look(v)
            melds = at_most_three(self.read("spread", view, self.player.spread(view)))
            for i, meld in enumerate(melds):
                out.melds[i] = meld
                melded |= out.melds[i]
            for i in range(len(melds), MAX_MELDS):
                out.melds[i] = 0
            out.deadwood = points(v.hand & ~melded)
            out.n = len(melds)
        except BaseException as error:
            self.failure = error
        self.leave_with(rng)

    cdef void defend(self, const View* v, Defence* out, void* memory, Rng* rng) noexcept nogil:
        if <void*>self.failure != <void*>None:
            out.n = UNREADABLE
            return
        with gil:
            if "defend" in self.own:
                self.reply(v, out, rng)
                return
        Policy.defend(self, v, out, memory, rng)

    cdef void reply(self, const View* v, Defence* out, Rng* rng) noexcept:
        cdef mask_t gone = 0
        out.n = UNREADABLE
        self.enter_with(rng)
        try:
            view = self.look(v)
            melds, laid = map(at_most_three, self.read("defend", view, self.player.defend(view)))
            for i in range(MAX_MELDS):
                out.melds[i] = melds[i] if i < len(melds) else 0
                out.laid[i] = laid[i] if i < len(laid) else 0
                gone |= out.melds[i] | out.laid[i]
            out.deadwood = points(v.hand & ~gone)
            out.n = len(melds)
        except BaseException as error:
            self.failure = error
        self.leave_with(rng)


def at_most_three(melds):
    """The melds as a tuple; ValueError where they are more than a hand can hold."""
    melds = tuple(melds)
    if len(melds) > MAX_MELDS:
        raise ValueError(f"{len(melds)} melds; a hand holds at most {MAX_MELDS}")
    return melds


cdef object event_in_words(const Event* event):
    """(seat, question, answer): who did what; a card drawn from the stock or thrown face down is not told."""
    question = QUESTIONS[event.question]
    if event.question <= LAST:
        taken = ("pile" if event.question == DRAW else "take") if event.choice == YES else None
        refused = "stock" if event.question == DRAW else "pass"
        answer = (refused,) if taken is None else (taken, event.card)
    elif event.question == DISCARD:
        if event.card != NONE:
            answer = ("discard", event.card)
        else:
            answer = ("big_gin",) if event.choice == BIG_GIN else ("knock",)
    else:
        answer = (question,)
    return event.seat, question, answer
