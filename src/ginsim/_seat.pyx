# cython: language_level=3
"""A policy at a seat of a hand that is stepped from Python: asked and told, one thing at a time.

It is shown nothing but views of its seat. Its stream of chance is put to the place of each decision, as in
forks, so that an answer depends on the decision and not on how often others were asked for before: a hand
that was taken back and played again has the same chance.
"""
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from ._bits cimport NONE
from ._core cimport BIG_GIN, DISCARD, KNOCK, LAST, NO, OFFER, YES, Answer, Event, Policy, Stakes, ask
from ._forks cimport key_by_decision
from ._rng cimport MAX_ENTRANTS, Rng, open_stream
from ._score cimport GameLedger, set_stakes
from ._table cimport SeatView, answer_in_words

from ._core import QUESTIONS
from ._play import PlayFault, failure_in_words

CHOICES = {"take": YES, "pile": YES, "knock": KNOCK, "big_gin": BIG_GIN}


cdef class Seat:
    """One policy, for one hand after another; `begin` opens each."""

    cdef readonly Policy policy
    cdef readonly bint remembers     # it keeps something of the hand, so that it has to be asked and told all
    cdef void* memory
    cdef Rng rng
    cdef Stakes stakes

    def __cinit__(self, *args):
        self.memory = NULL

    def __init__(self, Policy policy not None):
        self.policy = policy
        self.remembers = policy.begins or policy.sees or policy.memory_size > 0
        self.memory = calloc(1, policy.memory_size + 1)
        if self.memory == NULL:
            raise MemoryError(f"no {policy.memory_size} bytes for a policy's memory")

    def __dealloc__(self):
        free(self.memory)

    def begin(
        self, SeatView view not None, GameLedger ledger not None, bint doubled, unsigned long long key,
        int entrant=1, int orientation=0, long long index=0, int hand_number=0
    ):
        """Open a hand: `view` is the seat's as dealt, `ledger` has the scores, `doubled` is the hand's fact.

        The rest names the policy's stream, as in a `Match`.
        """
        if not (0 <= entrant < MAX_ENTRANTS and orientation in (0, 1) and 0 <= index < 1 << 48):
            raise ValueError(
                f"entrant {entrant}, orientation {orientation}, index {index}: allowed are 0 to "
                f"{MAX_ENTRANTS - 1}, 0 or 1, 0 to 2**48 - 1"
            )
        memset(self.memory, 0, self.policy.memory_size)
        set_stakes(&self.stakes, &ledger.game, &ledger.rules, view.v.seat, self.policy.reads, doubled)
        open_stream(&self.rng, key, 1 + 2 * entrant + orientation, index, hand_number)
        if self.policy.begins or self.policy.memory_size > 0:
            view = self.staked(view)
            view.v.question = OFFER
            self.policy.begin(&view.v, self.memory, &self.rng)
            self.check()

    def staked(self, SeatView view not None):
        """The view with what the policy declares to read of scores and scoring knobs."""
        cdef SeatView staked = SeatView()
        staked.v = view.v
        staked.v.stakes = self.stakes
        return staked

    def answer(self, SeatView view not None):
        """Its answer to the view's question, as `Table` takes it. Raises PlayFault where the policy fails."""
        cdef SeatView asked = self.staked(view)
        cdef Answer answer
        memset(&answer, 0, sizeof(Answer))
        key_by_decision(&self.rng, &asked.v)
        ask(self.policy, &asked.v, &answer, self.memory, &self.rng)
        self.check()
        return answer_in_words(&asked.v, &answer)

    def see(self, SeatView view not None, int seat, str question, answer):
        """Tell it that a seat gave an answer to a question; `view` is its own after that."""
        cdef SeatView after = self.staked(view)
        cdef Event event
        if not self.policy.sees:
            return
        event.seat = seat
        event.question = QUESTIONS.index(question)
        event.choice = CHOICES.get(answer[0], NO)
        event.card = NONE
        if event.question <= LAST and event.choice == YES:
            event.card = after.v.taken_at[seat][after.v.turns[seat] - 1]
        elif event.question == DISCARD and event.choice == NO:
            event.card = answer[1]
        self.policy.see(&after.v, &event, self.memory, &self.rng)
        self.check()

    cdef int check(self) except -1:
        """PlayFault, or the interruption itself, where the policy has failed."""
        failure = self.policy.failure
        if isinstance(failure, KeyboardInterrupt):
            raise failure
        if failure is not None:
            raise PlayFault(failure_in_words(failure), policy=str(self.policy))
        return 0
