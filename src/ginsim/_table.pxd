# cython: language_level=3
"""A hand for Python: stepped at a `Table`, seen through a `SeatView`, with answers in words."""
from ._core cimport Answer, RuleSet, State, View
from ._rng cimport Rng

cdef enum:
    SAMPLES = 65535          # the stream of sample_hidden; no policy's reaches it

cdef object answer_in_words(const View* v, const Answer* a)
cdef object facts_in_words(const State* s)
cdef list legal_answers(const View* v)


cdef class RandomStream:
    cdef Rng rng


cdef class SeatView:
    cdef View v


cdef class Table:
    cdef State state
    cdef RuleSet rules
