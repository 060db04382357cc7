"""Policies in Python: the class to subclass, what it may answer, and how the core asks it."""

from __future__ import annotations

import inspect
import pickle
import sys
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias, final

from .._bridge import METHODS, PythonPolicy, reads_code
from .._melds import defend_of, knock_spread_of
from .._table import RandomStream, SeatView
from ..cards import CardError, CardLike, Hand, HandLike, as_mask, card_text, parse_card
from .info import PolicyError
from .knobs import keywords_of, knobs_of, settings_text
from .view import POSITIONS, View

__all__ = ["BIG_GIN", "BigGin", "Event", "Knock", "LayOffs", "Policy", "adapt"]

KNOCK_BIT = 64  # KNOCK and BIG_GIN of _core.pxd
BIG_GIN_CODE = 128

Card: TypeAlias = "CardLike | Hand"
"""A card in an answer: text, a position, or a hand of one card."""

LayOffs: TypeAlias = "Iterable[tuple[HandLike, HandLike]] | Iterable[HandLike]"
"""Pairs of the cards laid off and the meld they go on, or one hand for each meld shown."""


@final
class Knock:
    """The answer that throws a card face down and knocks; with no deadwood left it is gin.

    >>> Knock("TS")
    Knock('TS')
    """

    __slots__ = ("card",)

    def __init__(self, card: Card) -> None:
        self.card = position_of(card)

    def __eq__(self, other: object) -> bool:
        return self.card == other.card if isinstance(other, Knock) else NotImplemented

    def __hash__(self) -> int:
        return hash((Knock, self.card))

    def __repr__(self) -> str:
        return f"Knock({card_text(self.card)!r})"


@final
class BigGin:
    """The type of `BIG_GIN`, the answer that declares eleven cards in melds."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "BIG_GIN"

    def __reduce__(self) -> str:
        return "BIG_GIN"


BIG_GIN = BigGin()


class Event(NamedTuple):
    """What somebody did, as the policy may know it."""

    mine: bool
    """The policy itself did it."""
    question: str
    """offer, draw, last, discard, spread or defend."""
    action: str
    """pass, take, stock, pile, discard, knock, big_gin, spread or defend."""
    card: str | None
    """Taken from the pile or thrown face up; None for one drawn from the stock or thrown to knock."""


class Policy:
    """The base of policies in Python: subclass it and answer `discard`; all else has a default.

    The keywords of the constructor are the policy's knobs. An object plays one seat, one hand after another;
    what it keeps in its attributes stays there from hand to hand, so `begin` is the place to forget. Random
    draws come from `self.rng`, a new stream in every hand, so that a run can be repeated. `reads` names what
    the policy wants to know of scores and bonuses (`view.stakes`): scores, game, gin_bonus, big_gin_bonus,
    undercut_bonus, undercut_on_tie, double; all others are 0 there. `files` names files that its play depends
    on, such as weights, by paths from the folder of its module: they are part of what identifies it in a run.

    >>> class Simplest(Policy):
    ...     def discard(self, view):
    ...         return view.best_discards().cards.cards[0]
    """

    reads: ClassVar[tuple[str, ...]] = ()
    files: ClassVar[tuple[str, ...]] = ()
    KNOB_HELP: ClassVar[Mapping[str, str]] = {}
    """What each knob does, in a few words, for `ginsim policies`."""
    rng: RandomStream
    """The policy's own random numbers of the hand at hand."""
    _arguments: tuple[tuple[Any, ...], dict[str, Any]]
    _spec: str | None

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Note the arguments; not done in __init__, which a subclass may replace without calling it."""
        self = super().__new__(cls)
        self._arguments = args, kwargs
        self._spec = None
        return self

    def __init__(self) -> None:
        pass

    def begin(self, view: View) -> None:
        """A hand has been dealt; the view is at "offer"."""

    def see(self, view: View, event: Event) -> None:
        """Somebody, oneself included, did something; the view is the one after it."""

    def take_upcard(self, view: View) -> bool:
        """Whether to take the first upcard; by default never."""
        return False

    def take_last(self, view: View) -> bool:
        """Whether to take the last discard once the stock has run out, to declare with it; default never."""
        return False

    def draw(self, view: View) -> str:
        """Draw from the "pile" or the "stock"; by default always the stock."""
        return "stock"

    def discard(self, view: View) -> Card | Knock | BigGin:
        """Of the eleven cards the one to throw, or `Knock(card)`, or `BIG_GIN`."""
        raise NotImplementedError

    def spread(self, view: View) -> Iterable[HandLike]:
        """The melds to show in a knock; by default the least deadwood, and then the least to lay off."""
        melds = knock_spread_of(view.hand_mask, view.known_mask, view.unseen_mask)
        return [Hand(meld) for meld in melds]

    def defend(self, view: View) -> tuple[Iterable[HandLike], LayOffs]:
        """Own melds, and what to lay off, against a knock; by default the least count there is."""
        _, own, laid = defend_of(view.hand_mask, view.shown_masks)
        return [Hand(meld) for meld in own], [Hand(cards) for cards in laid]

    @property
    def arguments(self) -> dict[str, Any]:
        """What the constructor was given, by name."""
        args, kwargs = self._arguments
        return dict(inspect.Signature(keywords_of(type(self))).bind(*args, **kwargs).arguments)

    def __str__(self) -> str:
        return self._spec or spec_of(self).text

    def __repr__(self) -> str:
        return f"<policy {self}>"

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "rng"}


def adapt(policy: Policy) -> PythonPolicy:
    """The native policy that asks this one; PolicyError where it is no complete `Policy`."""
    kind = type(policy)
    if not isinstance(policy, Policy):
        raise PolicyError(f"{policy!r} is no policy; allowed: an object of a subclass of ginsim.Policy")
    if kind.discard is Policy.discard:
        raise PolicyError(f"policy {kind.__qualname__} has no method discard; it alone has no default")
    if isinstance(kind.reads, str):
        raise PolicyError(f"policy {kind.__qualname__}: reads is {kind.reads!r}; allowed: a tuple of names")
    try:
        reads = reads_code(kind.reads)
    except ValueError as error:
        raise PolicyError(f"policy {kind.__qualname__}: {error}") from None
    own = [name for name in METHODS if getattr(kind, name) is not getattr(Policy, name)]
    return PythonPolicy(policy, View, read_answer, own, reads)


# ---------------------------------------------------------------- answers


def position_of(card: Any) -> int:
    """The position of a card in any form; CardError for what is none."""
    if isinstance(card, str):
        position = POSITIONS.get(card)
        return parse_card(card) if position is None else position
    if isinstance(card, Hand):
        return as_mask(card, cards=1, what="card").bit_length() - 1
    (position,) = Hand([card]).positions
    return position


def read_answer(question: str, view: SeatView, answer: Any) -> Any:
    """A policy's answer in the core's words (see `PythonPolicy`); PolicyError where it is none.

    With question "see" it is an event of the core that is turned into an `Event`.
    """
    try:
        return _READERS[question](view, answer)
    except CardError as error:
        raise PolicyError(f"{_METHOD[question]} answered {answer!r}: {error}") from None


_METHOD = {"offer": "take_upcard", "last": "take_last"} | {
    name: name for name in ("draw", "discard", "spread", "defend", "see")
}


def _refuse(question: str, answer: Any, allowed: str) -> PolicyError:
    return PolicyError(f"{_METHOD[question]} answered {answer!r}; allowed: {allowed}")


def _read_take(question: str, answer: Any) -> bool:
    if type(answer).__name__ in ("bool", "bool_"):  # numpy's too
        return bool(answer)
    raise _refuse(question, answer, "True or False")


def _read_draw(view: SeatView, answer: Any) -> str:
    for word in ("pile", "stock"):
        if isinstance(answer, str) and answer == word:
            return word
    raise _refuse("draw", answer, '"pile" or "stock"')


def _read_discard(view: SeatView, answer: Any) -> int:
    if isinstance(answer, str) and (position := POSITIONS.get(answer)) is not None:
        return position
    if isinstance(answer, Knock):
        return answer.card | KNOCK_BIT
    if answer is BIG_GIN:
        return BIG_GIN_CODE
    if answer is None or isinstance(answer, bool):
        raise _refuse("discard", answer, 'a card such as "TS", Knock(card) or BIG_GIN')
    return position_of(answer)


def _read_melds(question: str, answer: Any) -> list[int]:
    if isinstance(answer, (str, Hand)) or not isinstance(answer, Iterable):
        raise _refuse(question, answer, "a list of melds such as ['5H 6H 7H', 'TS TD TC']")
    return [as_mask(meld, what="meld") for meld in answer]


def _read_defence(view: SeatView, answer: Any) -> tuple[list[int], list[int]]:
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise _refuse("defend", answer, "two lists: own melds, and lay-offs")
    shown: list[int] = view.shown_masks if isinstance(view, View) else view.shown
    return _read_melds("defend", answer[0]), _read_lay_offs(shown, answer[1])


def _read_lay_offs(shown: list[int], lay_offs: Any) -> list[int]:
    """One mask for each meld shown."""
    if isinstance(lay_offs, (str, Hand)) or not isinstance(lay_offs, Iterable):
        raise _refuse("defend", lay_offs, "lay-offs as a list of (cards, meld)")
    lay_offs = list(lay_offs)
    if not any(isinstance(laid, tuple) and len(laid) == 2 for laid in lay_offs):
        if len(lay_offs) not in (0, len(shown)):
            allowed = f"lay-offs as (cards, meld), or one hand for each of the {len(shown)} melds shown"
            raise _refuse("defend", lay_offs, allowed)
        return [as_mask(laid, what="lay-offs") for laid in lay_offs] or [0] * len(shown)
    laid_on = dict.fromkeys(shown, 0)
    for cards, meld in lay_offs:
        mask = as_mask(meld, what="meld laid off on")
        if mask not in laid_on:
            raise _refuse(
                "defend", lay_offs, "lay-offs on melds shown: " + ", ".join(f"[{Hand(m)}]" for m in shown)
            )
        laid_on[mask] |= as_mask(cards, what="cards laid off")
    return list(laid_on.values())


def _read_event(view: SeatView, event: Any) -> Event:
    seat, question, (action, *card) = event
    return Event(seat == view.seat, question, action, card_text(card[0]) if card else None)


_READERS = {
    "offer": lambda view, answer: _read_take("offer", answer),
    "last": lambda view, answer: _read_take("last", answer),
    "draw": _read_draw,
    "discard": _read_discard,
    "spread": lambda view, answer: _read_melds("spread", answer),
    "defend": _read_defence,
    "see": _read_event,
}


# ---------------------------------------------------------------- the spec of an object


class Spec(NamedTuple):
    """The text that names a policy object, and whether the policy can be made again from it anywhere."""

    text: str
    travels: bool


def spec_of(policy: Policy) -> Spec:
    """The spec of an object: `module:Class:knobs`, or `file.py:Class:knobs` for a class of such a file.

    It travels where its class can be imported by name and the object is as its constructor made it.
    """
    kind = type(policy)
    given = policy.arguments
    knobs = knobs_of(kind)
    settings = settings_text(knobs, given)
    module = sys.modules.get(kind.__module__)
    home = getattr(module, "__policy_file__", kind.__module__)
    name = f"{home}:{kind.__qualname__}"
    if settings is None:
        shown = ",".join(f"{knob}={_short(value)}" for knob, value in given.items())
        return Spec(f"{name}:{shown}", False)
    text = f"{name}:{settings}" if settings else name
    return Spec(text, _importable(kind, module) and _as_made(policy))


def _short(value: object) -> str:
    text = str(value) if isinstance(value, (bool, int, float, str)) else f"<{type(value).__name__}>"
    return "_".join(text.replace(",", ";").split())


def _importable(kind: type, module: object) -> bool:
    """Whether another process finds the class under its module's name (or file)."""
    if kind.__module__ == "__main__" or getattr(module, "__spec__", None) is None:
        return False
    found: object = module
    for part in kind.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is kind


def _as_made(policy: Policy) -> bool:
    """Whether the object is what its constructor would make now: nothing was changed since.

    Compared as pickles, since attributes may be arrays or objects without a comparison of their own.
    """
    args, kwargs = policy._arguments
    try:
        return pickle.dumps(policy.__getstate__()) == pickle.dumps(
            type(policy)(*args, **kwargs).__getstate__()
        )
    except Exception:
        return False
