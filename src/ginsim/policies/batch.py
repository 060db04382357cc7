"""Policies that answer many hands with one call: `BatchPolicy`, and what vectorised answers are made of."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._bridge import reads_code
from .._lockstep import METHODS, Batch, whole_numbers

__all__ = ["BIG_GIN", "KNOCK", "NO_CARD", "BatchPolicy", "card_planes", "highest_cards", "one_card"]

Views: TypeAlias = NDArray[np.void]
"""Rows of views: a structured array with the fields of `View` in `_core.pxd`."""

KNOCK = 64
"""An answer to `discard`: the card's position | KNOCK."""
BIG_GIN = 128
"""An answer to `discard`: all eleven cards are melded."""
NO_CARD = 255
"""In a view, no card."""


class BatchPolicy(Batch):
    """A policy that answers arrays of views, for vectorised code and neural networks.

    A subclass has `discard` and, where it does not want the defaults, the other methods; each is given rows
    of views and returns an array with an answer for each row. Or it has `answer`, which is given all rows
    that wait for a choice, and which otherwise calls the method of each question. Views are read only and
    hold for the call: copy what is to be kept. Their fields are those of `View` in `_core.pxd`; cards are
    masks (`hand`, `known`, `pile_cards`, ...) or positions (`upcard`, `drawn`, ..., 255 for none).

    The hands of a chunk advance together, in any order, so a policy keeps nothing of a hand in itself: the
    view has the whole public history. Chance comes from `rng`, the rows' own `Streams`, which is set before
    each call. `reads` names what the policy reads of scores and bonuses, as in `_core.READS`; all else is 0.
    `row_by_row` declares that an answer depends on its own row alone. Where it does not (a matrix product may
    round differently with the number of rows), say False: then results depend on the chunk too, and a single
    hand that is played again may come out otherwise. `files` is that of `ginsim.Policy`: files, such as the
    weights of a network, that identify the policy in a run along with its code.

    Raises TypeError for a class without `discard` and `answer`, ValueError for an unknown name in `reads`.

    >>> class Highest(BatchPolicy):
    ...     def discard(self, views):
    ...         return highest_cards(views["hand"] & ~one_card(views["forbidden"]))
    >>> from ginsim._lockstep import Lockstep
    >>> from ginsim._policies import Greedy
    >>> from ginsim.rules import Rules
    >>> blocks, _, _ = Lockstep(Highest(), Greedy(), Rules().codes(), key=1).play(0, 100)
    """

    reads: ClassVar[Iterable[str]] = ()
    row_by_row: ClassVar[bool] = True
    files: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.reads_code = reads_code(cls.reads)
        names = (*METHODS[:4], "answer", *METHODS[4:])
        own = {name for name in names if getattr(cls, name) is not getattr(BatchPolicy, name)}
        cls.own = frozenset(METHODS[:4]) | own if "answer" in own else frozenset(own)

    def __new__(cls, *args: Any, **knobs: Any) -> BatchPolicy:
        """A policy of the class; TypeError where the class cannot answer `discard`."""
        if "discard" not in cls.own:
            raise TypeError(f"batch policy {cls.__name__} has no method discard; allowed: discard or answer")
        return super().__new__(cls, *args, **knobs)

    own: ClassVar[frozenset[str]] = frozenset()
    reads_code: ClassVar[int] = 0

    def answer(self, views: Views) -> ArrayLike:
        """The choices of rows that come in the order of their questions, as whole numbers.

        1 takes the pile's card, 0 does not; at "discard" a card's position, position | KNOCK, or BIG_GIN.
        """
        streams = self.rng
        answers = np.empty(len(views), dtype=np.int64)
        questions = views["question"]
        starts = [0, *(np.flatnonzero(questions[1:] != questions[:-1]) + 1), len(views)]
        for start, end in pairwise(starts):
            question = int(questions[start])
            self.rng = streams[start:end]
            part = getattr(self, METHODS[question])(views[start:end])
            answers[start:end] = whole_numbers(part, f"the answer of {METHODS[question]}", (end - start,))
        return answers

    def take_upcard(self, views: Views) -> ArrayLike:
        """True where the first upcard is taken."""
        return np.zeros(len(views), dtype=bool)

    def draw(self, views: Views) -> ArrayLike:
        """True where the pile's card is drawn, False for the stock."""
        return np.zeros(len(views), dtype=bool)

    def take_last(self, views: Views) -> ArrayLike:
        """True where the last discard is taken to declare at once (rules with stock_end=last_discard)."""
        return np.zeros(len(views), dtype=bool)

    def discard(self, views: Views) -> ArrayLike:
        """The position of the card thrown, position | KNOCK to knock with it, or BIG_GIN."""
        raise NotImplementedError

    def spread(self, views: Views) -> ArrayLike:
        """The melds shown, as masks: shape (rows, 3), 0 for none. Without it, the exact best are shown."""
        raise NotImplementedError

    def defend(self, views: Views) -> tuple[ArrayLike, ArrayLike]:
        """Own melds, and the cards laid off on each meld of `shown`: two arrays of masks (rows, 3).

        Without it, the defence is exact.
        """
        raise NotImplementedError


def one_card(cards: ArrayLike) -> NDArray[np.uint64]:
    """Cards given by their positions as masks of one card; 0 for NO_CARD.

    >>> one_card([0, 17, NO_CARD]).tolist()
    [1, 131072, 0]
    """
    positions = np.asarray(cards, dtype=np.uint64)
    return np.where(positions == NO_CARD, 0, np.uint64(1) << (positions & np.uint64(63))).astype(np.uint64)


def card_planes(masks: ArrayLike) -> NDArray[np.uint8]:
    """Masks as rows of 64 zeros and ones, by card position: what a network takes.

    >>> card_planes(np.array([0b101], dtype=np.uint64))[0, :4].tolist()
    [1, 0, 1, 0]
    """
    words = np.ascontiguousarray(masks, dtype="<u8")
    return np.unpackbits(words.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")


def highest_cards(masks: ArrayLike) -> NDArray[np.int64]:
    """Of each mask, which must not be empty, the highest rank's card, of these the first suit's.

    >>> highest_cards(np.array([0b111, 0b10 | 0b10 << 16], dtype=np.uint64)).tolist()
    [2, 1]
    """
    by_rank = card_planes(masks).reshape(-1, 4, 16).transpose(0, 2, 1)[:, ::-1].reshape(-1, 64)
    places = by_rank.argmax(axis=1)
    cards: NDArray[np.int64] = places % 4 * 16 + 15 - places // 4
    return cards
