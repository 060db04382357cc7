"""A position, from text as a player would tell it or from a record: the view that the engine would give.

>>> position = position_of("AS 2S 3S 4H 5H 6H 9C 9D KH KD", mine="JD", theirs="QC 9S", dealer="me")
>>> print(position)
your turn 2, to draw: the stock (28 cards) or 9S
>>> position_of("AS 2S 3S 4H 5H 6H 9C 9D KH KD", upcard="KH")
Traceback (most recent call last):
ginsim.coaching.history.PositionError: upcard is KH, which is in your hand; allowed: a card not in it
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from .._core import QUESTIONS
from .._score import GameLedger
from .._table import SeatView, view_from_bytes
from ..cards import Hand, as_mask, card_text, parse_card, parse_cards
from ..records import GameRecord, HandRecord
from ..records.check import answer as apply_action
from ..rules import ENUMS, Rules
from .history import ME, THEM, WHO, Card, PositionError, Walk, mask_of

__all__ = ["Position", "PositionError", "position_at", "position_of", "with_stakes"]

DEALERS = ("me", "them")
UNKNOWN = "?"
"""Stands for a discard that is not known."""
NO_CARD = 255
DECISIONS = ("offer", "draw", "last", "discard")
"""Questions that there is something to choose at."""


@dataclass(frozen=True, slots=True)
class Position:
    """What a player sees where it is asked, and the rules and scores that it plays for."""

    view: SeatView
    rules: Rules
    scores: tuple[int, int] = (0, 0)
    """Toward the target: the player's, the opponent's."""
    unknown: int = 0
    """Cards of the pile that the player no longer knows."""

    @property
    def hand(self) -> Hand:
        """The player's cards."""
        return Hand(self.view.hand)

    @property
    def turn(self) -> int:
        """The player's own turn, from 1: the one it is in or asked to begin."""
        return self.view.turns[self.view.seat] + (self.view.question != "discard")

    def __str__(self) -> str:
        view = self.view
        top = "nothing" if view.upcard is None else card_text(view.upcard)
        what = {
            "offer": f"the first upcard, {top}: take it or pass",
            "draw": f"to draw: the stock ({view.stock} cards) or {top}",
            "last": f"the last discard, {top}: take it to knock, or the hand is void",
            "discard": f"to discard; {view.stock} cards in the stock",
        }[view.question]
        return f"your turn {self.turn}, {what}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a player tells of a position; None is what was not told."""

    rules: Rules
    hand: tuple[int, ...]
    upcard: Card
    first: Card
    discards: tuple[list[Card] | None, list[Card] | None]
    takes: tuple[list[int], list[int]]
    turn: int | None
    dealer: int | None
    passes: int | None
    scores: tuple[int, int] = (0, 0)
    drawn: Card = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "drawn", self.hand[10] if len(self.hand) == 11 else None)


def position_of(
    hand: str,
    rules: Rules | None = None,
    *,
    upcard: str | None = None,
    first: str | None = None,
    mine: str | None = None,
    theirs: str | None = None,
    i_took: str | None = None,
    they_took: str | None = None,
    turn: int | None = None,
    dealer: str | None = None,
    passes: int | None = None,
    scores: tuple[int, int] = (0, 0),
    seat: int = 0,
) -> Position:
    """The position that a player tells of.

    `hand`: ten cards before a draw, eleven after it, of which the last is the card drawn. `upcard`: the top
    of the pile; `first`: the card turned up at the deal. `mine`, `theirs`: all discards in order, `?` for one
    that is forgotten; with fewer than there were turns, the first ones are. `i_took`, `they_took`: cards
    taken from the pile, in order; who has taken none drew from the stock. `turn`: own turn, from 1; by
    default as the discards have it. `dealer`: "me" or "them"; `passes` of the first upcard. `seat`: that the
    player gets. What was not told is filled in in the most usual way in which the rest can have come about:
    the opponent dealt, and both passed.

    Raises PositionError for a position that cannot be, `CardError` for text that is no card.
    """
    rules = rules or Rules()
    told = Told(
        rules=rules,
        hand=parse_cards(hand, "hand"),
        upcard=None if upcard is None else parse_card(upcard),
        first=None if first is None else parse_card(first),
        discards=(discards_of(mine), discards_of(theirs)),
        takes=(list(parse_cards(i_took or "", "taken")), list(parse_cards(they_took or "", "taken"))),
        turn=turn,
        dealer=None if dealer is None else place_of(dealer),
        passes=passes,
        scores=scores,
    )
    refuse_plain(told)
    failures: list[tuple[bool, PositionError]] = []
    for story in stories(told):
        try:
            return story.position(seat)
        except PositionError as error:
            failures.append((not story.counts, error))
    raise min(failures, key=lambda failure: failure[0])[1]


def discards_of(text: str | None) -> list[Card] | None:
    """Discards in order, None for each `?`; None where nothing is told."""
    if text is None:
        return None
    found: list[Card] = []
    for number, part in enumerate(text.split(UNKNOWN)):
        found += [None] * (number > 0)
        found += parse_cards(part, "discards")
    return found


def sides_of(text: str | None, what: str) -> tuple[str | None, str | None]:
    """What a text such as "mine: KH QD; theirs: 9C" says of either side; None where it says nothing.

    >>> sides_of("theirs: 9C 2H", "discards")
    (None, '9C 2H')
    """
    found: dict[str, str] = {}
    for part in (text or "").split(";"):
        whose, colon, cards = part.partition(":")
        whose = whose.strip().lower()
        if not part.strip():
            continue
        if not colon or whose not in WHO or whose in found:
            raise PositionError(f"{what}: {part.strip()!r}; allowed: 'mine: CARDS; theirs: CARDS', each once")
        found[whose] = cards.strip()
    return found.get(WHO[ME]), found.get(WHO[THEM])


def scores_of(text: str | None) -> tuple[int, int]:
    """Scores such as "40-85", the player's first; 0 where nothing is told."""
    if text is None:
        return 0, 0
    match = re.fullmatch(r"\s*([0-9]{1,6})\s*[-:]\s*([0-9]{1,6})\s*", text)
    if match is None:
        raise PositionError(f"scores are {text!r}; allowed: MINE-THEIRS, such as 40-85")
    return int(match[1]), int(match[2])


def place_of(dealer: str) -> int:
    """The side of a dealer."""
    if dealer not in DEALERS:
        raise PositionError(f"dealer is {dealer!r}; allowed: me or them")
    return DEALERS.index(dealer)


def refuse_plain(told: Told) -> None:
    """PositionError for what cannot be, however the hand went."""
    as_mask([*told.hand])  # refuses a card held twice
    if len(told.hand) not in (10, 11):
        raise PositionError(
            f"hand has {len(told.hand)} cards; allowed: 10 before a draw, 11 after it, the card drawn last"
        )
    ranges = (("turn", told.turn, 1, 125), ("passes", told.passes, 0, 2))
    for name, value, low, high in ranges:
        if value is not None and not low <= value <= high:
            raise PositionError(f"{name} is {value}; allowed: {low} to {high}")
    for whose, score in zip(WHO, told.scores, strict=True):
        if not 0 <= score < told.rules.target:
            raise PositionError(f"score, {whose}, is {score}; allowed: 0 to {told.rules.target - 1}")
    if told.upcard is not None and told.upcard in told.hand[:10]:
        raise PositionError(
            f"upcard is {card_text(told.upcard)}, which is in your hand; allowed: a card not in it"
        )
    if told.rules.oklahoma and told.first is None and told.discards != (None, None):
        raise PositionError(
            "first is missing; allowed: the card turned up at the deal, oklahoma's knock limit"
        )


@dataclass(slots=True)
class Story:
    """One way in which a hand may have come to what is told of it."""

    told: Told
    dealer: int
    passes: int
    mine: int = 0
    """Whole turns of the player."""
    theirs: int = 0
    counts: bool = False
    """Whether the numbers of turns and discards fit."""

    @property
    def first_side(self) -> int:
        """Who drew first."""
        return self.dealer if self.passes == 1 else 1 - self.dealer

    def position(self, seat: int) -> Position:
        """The position by this story; PositionError where it does not fit what is told."""
        self.count_turns()
        told, ten = self.told, len(self.told.hand) == 10
        throws, takes, first = self.filled()
        offered = ten and not self.mine and not self.theirs and self.passes < 2
        walk = Walk(
            told.rules,
            self.first_side,
            self.passes,
            self.passes < 2 or told.passes == 2,
            throws,
            takes,
            [first],
        )
        walk.play((self.mine, self.theirs))
        if offered and first is None:
            raise PositionError("upcard is missing; allowed: the card turned up at the deal")
        question = "offer" if offered else self.go_to_question(walk, first)
        walk.refuse_leftovers(mask_of(told.hand))
        self.refuse_top(walk)
        return Position(
            self.view(walk, question, seat, first), told.rules, told.scores, walk.pile.count(None)
        )

    def count_turns(self) -> None:
        """How many turns are over, by what is told; PositionError where that does not fit."""
        told, ahead = self.told, int(self.first_side == THEM)
        mine, theirs = told.discards
        if told.turn is not None:
            self.mine = told.turn - 1
        elif mine is not None:
            self.mine = len(mine)
        elif theirs is not None:
            self.mine = len(theirs) - ahead
        self.theirs = self.mine + ahead
        for whose, cards, turns in zip(WHO, told.discards, (self.mine, self.theirs), strict=True):
            short = told.turn is None and cards is not None and len(cards) < turns
            if turns < 0 or short or len(cards or ()) > turns:
                either = whose == WHO[THEM] and told.dealer is None  # as many as yours, or one more
                allowed = f"{self.mine} or {self.mine + 1}" if either else max(turns, 0)
                raise PositionError(
                    f"discards, {whose}: {len(cards or ())} by your turn {self.mine + 1}; allowed: {allowed}"
                )
        self.counts = True

    def filled(self) -> tuple[tuple[list[Card], list[Card]], tuple[list[int], list[int]], Card]:
        """Discards, cards taken and the first upcard, with what follows from the rest."""
        told = self.told
        throws: list[list[Card]] = []
        for cards, turns in zip(told.discards, (self.mine, self.theirs), strict=True):
            known = cards or []
            throws.append([*[None] * (turns - len(known)), *known])
        takes = (list(told.takes[ME]), list(told.takes[THEM]))
        first, drawn = told.first, told.drawn
        begun = (self.mine, self.theirs)[self.first_side] > 0
        if begun and self.passes < 2 and first is not None and not takes[self.first_side]:
            takes[self.first_side].append(first)  # which is how a hand begins that both did not pass
        last = throws[THEM][-1] if self.theirs else first
        if drawn is not None and drawn in (last, told.upcard) and takes[ME][-1:] != [drawn]:
            takes[ME].append(drawn)
        top = drawn if drawn is not None and takes[ME][-1:] == [drawn] else told.upcard
        if last is None and top is not None:  # it lay on top, so it is what was thrown, or turned up, last
            if self.theirs:
                throws[THEM][-1] = top
            else:
                first = top
        return (throws[ME], throws[THEM]), takes, first

    def go_to_question(self, walk: Walk, first: Card) -> str:
        """Go into the player's turn: the question that it is asked."""
        told, last = self.told, walk.is_last()
        if not last:
            walk.refuse_end()
        if told.drawn is not None:
            walk.draw(ME)
            if last and walk.taken_at[ME][-1] is None:
                raise PositionError(
                    f"{card_text(told.drawn)} is drawn, and the stock is at its end; allowed: none"
                )
            if last and not walk.may_declare(mask_of(told.hand), told.drawn, self.limit(first)):
                raise PositionError(
                    f"{card_text(told.drawn)} is taken with the stock at its end, and the hand allows no "
                    "knock; allowed: a last discard to knock with"
                )
            return "discard"
        if walk.pile[-1] is None:
            raise PositionError("upcard is missing; allowed: the card on top of the pile")
        if last and not walk.may_declare(
            mask_of(told.hand) | 1 << walk.pile[-1], walk.pile[-1], self.limit(first)
        ):
            raise PositionError(
                "the stock is at its end and the last discard allows no knock: the hand is void"
            )
        if told.rules.after_two_passes == "stock" and not walk.done[ME] + walk.done[THEM]:
            raise PositionError(
                "passes is 2, and the first draw is then from the stock (after_two_passes is stock); "
                "allowed: the eleven cards after it"
            )
        return "last" if last else "draw"

    def refuse_top(self, walk: Walk) -> None:
        """PositionError where the top of the pile is told to be another card than lies there."""
        upcard = self.told.upcard
        if upcard is None or upcard == self.told.drawn:
            return
        if not walk.pile or walk.pile[-1] not in (None, upcard):
            top = "empty" if not walk.pile else card_text(walk.pile[-1] or 0)
            raise PositionError(f"upcard is {card_text(upcard)}; allowed by the discards: {top}")
        if walk.pile[-1] is None:
            if upcard in walk.pile:
                raise PositionError(
                    f"upcard is {card_text(upcard)}, which lies deeper; allowed: another card"
                )
            walk.pile[-1] = upcard
            walk.held[THEM] &= ~(1 << upcard)  # whoever had taken it has thrown it since

    def limit(self, first: Card) -> int:
        """The knock limit in force."""
        rules = self.told.rules
        if not rules.oklahoma:
            return rules.knock_limit
        if first is None:
            raise PositionError(
                "first is missing; allowed: the card turned up at the deal, which is oklahoma's knock limit"
            )
        rank = first & 15
        return 0 if rank == 0 and rules.oklahoma_ace == "gin" else min(rank + 1, 10)

    def view(self, walk: Walk, question: str, seat: int, first: Card) -> SeatView:
        """The view as the engine has it; of the pile and of histories what is known."""
        record, told = empty_view(), self.told
        by_seat = (ME, THEM) if seat == 0 else (THEM, ME)
        pile = [card for card in walk.pile if card is not None]
        drawn, taken = told.drawn, told.drawn is not None and walk.taken_at[ME][-1] is not None
        values: dict[str, Any] = dict(
            hand=mask_of(told.hand),
            known=walk.held[THEM],
            exposed=walk.held[ME],
            pile_cards=mask_of(pile),
            thrown=[mask_of(walk.throws[side]) for side in by_seat],
            refused=[walk.refused[side] for side in by_seat],
            question=QUESTIONS.index(question),
            seat=seat,
            dealer=seat if self.dealer == ME else 1 - seat,
            upcard=walk.pile[-1] if walk.pile and walk.pile[-1] is not None else NO_CARD,
            drawn=NO_CARD if drawn is None else drawn,
            forbidden=drawn if taken and not told.rules.discard_taken else NO_CARD,
            knock_limit=self.limit(first),
            big_gin=told.rules.big_gin_bonus is not None,
            must_declare=taken and walk.is_last(),
            discard_taken=told.rules.discard_taken,
            stock_end=ENUMS["stock_end"].index(told.rules.stock_end),
            passes=self.passes,
            stock=walk.stock,
            n_pile=len(pile),
            turns=[len(walk.taken_at[side]) for side in by_seat],
        )
        for name, value in values.items():
            record[name] = value
        record["pile"][: len(pile)] = pile
        for place, side in enumerate(by_seat):
            for name, cards in (("taken_at", walk.taken_at[side]), ("thrown_at", walk.throws[side])):
                record[name][place, : len(cards)] = [NO_CARD if card is None else card for card in cards]
            record["thrown_at"][place, walk.done[side] : len(walk.taken_at[side])] = NO_CARD
        doubled = told.rules.oklahoma_spades_double and first is not None and first < 16
        set_stakes(record, told.rules, told.scores, doubled)
        return view_from_bytes(record.tobytes())


def stories(told: Told) -> Iterator[Story]:
    """The ways in which a hand may have gone, the most usual first."""
    dealers = (THEM, ME) if told.dealer is None else (told.dealer,)
    fresh = len(told.hand) == 10 and told.turn in (None, 1) and not any(told.discards)
    usual = (0, 1, 2) if fresh else (2, 0, 1)
    for dealer in dealers:
        for passes in usual if told.passes is None else (told.passes,):
            yield Story(told, dealer, passes)


def empty_view() -> Any:
    """A record of the core's `View` with nothing in it."""
    import numpy as np

    from .._lockstep import view_dtype

    return np.zeros(1, dtype=view_dtype)[0]


def set_stakes(record: Any, rules: Rules, scores: Sequence[int], doubled: bool) -> None:
    """Fill in all that a policy might read of scores and bonuses."""
    stakes = record["stakes"]
    stakes["scores"][0] = scores
    stakes["hand_number"] = 1
    for name in ("target", "game_bonus", "box_bonus", "gin_bonus", "undercut_bonus", "undercut_on_tie"):
        stakes[name] = getattr(rules, name)
    stakes["big_gin_bonus"] = -1 if rules.big_gin_bonus is None else rules.big_gin_bonus
    stakes["multiplier"] = 2 if doubled else 1


def with_stakes(view: SeatView, rules: Rules, scores: Sequence[int], doubled: bool) -> SeatView:
    """The same view with the scores and bonuses in it."""
    import numpy as np

    from .._lockstep import view_dtype

    record = np.frombuffer(view.tobytes(), dtype=view_dtype).copy()[0]
    set_stakes(record, rules, scores, doubled)
    return view_from_bytes(record.tobytes())


# ---------------------------------------------------------------- from records


def decisions(record: HandRecord, scores: tuple[int, int] = (0, 0)) -> Iterator[tuple[int, Position, Any]]:
    """Each move of a hand that was a choice: its number from 1, the position, the answer.

    `scores`: by seat, before the hand.
    """
    table = record.table()
    for number, action in enumerate(record.actions, 1):
        if action.question in DECISIONS:
            seat = action.seat
            own = (scores[seat], scores[1 - seat])
            view = with_stakes(table.view(), record.rules, own, record.facts.doubled)
            yield number, Position(view, record.rules, own), action.answer
        apply_action(table, action)


def position_at(record: HandRecord, move: int, scores: tuple[int, int] = (0, 0)) -> tuple[Position, Any]:
    """The position before a move, and what was answered; PositionError for a move with no choice."""
    numbers = []
    for number, position, answer in decisions(record, scores):
        if number == move:
            return position, answer
        numbers.append(number)
    raise PositionError(f"move is {move}; allowed: moves at which there is a choice, {ranges(numbers)}")


def ranges(numbers: Sequence[int]) -> str:
    """Whole numbers in words.

    >>> ranges([1, 2, 3, 7])
    '1 to 3, 7'
    """
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(f"{part[0]} to {part[-1]}" if len(part) > 1 else str(part[0]) for part in parts)


def scores_before(game: GameRecord, number: int) -> tuple[int, int]:
    """The points of both seats in the first column before a hand of a game."""
    ledger = GameLedger(game.rules.codes())
    for hand in game.hands[:number]:
        ledger.enter(hand.winner, hand.points)
    return ledger.columns()[0]["points"]
