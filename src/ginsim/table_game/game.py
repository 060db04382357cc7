"""The course of a game between a person and a policy: nothing here reads or prints."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .._core import QUESTIONS, Policy
from .._play import PlayFault
from .._score import GameLedger
from .._seat import Seat
from .._table import RandomStream, SeatView, Table, deck_of
from ..policies.view import View
from ..records import Action, Facts, GameRecord, HandRecord
from ..records.check import answer as answer_table
from ..records.check import priced
from ..rules import Rules
from ..seeds import key_of_seed
from .levels import Level

__all__ = ["YOU", "Deal", "Game", "Notes"]

YOU = "you"
ERRORS = 65534
"""The stream of the opponent's errors; no policy's reaches it."""


@dataclass
class Notes:
    """What is noted of a hand beside its record."""

    undone: int = 0
    """How often the player took a decision back."""
    hints: int = 0
    """How often it asked for a hint."""


class Opponent:
    """The policy at the other side of the table, with the errors of its level."""

    def __init__(self, level: Level, rules: Rules, key: int) -> None:
        self.level = level
        self.key = key
        self.seat = Seat(level.policy(rules))

    def answer(self, table: Table, hand_number: int) -> tuple[Any, ...]:
        """Its answer to what it is asked."""
        view = table.view()
        own = self.seat.answer(view)
        return self._error(table, view, hand_number) or own

    def _error(self, table: Table, view: SeatView, hand_number: int) -> tuple[Any, ...] | None:
        """A draw or plain discard at random in the place of its own, where it is time to err."""
        one_in = self.level.one_error_in
        if not one_in or view.question not in ("offer", "draw", "discard"):
            return None
        decision = QUESTIONS.index(view.question) + len(QUESTIONS) * view.turns[view.seat]
        chance = RandomStream(self.key, ERRORS, decision, hand_number)
        choices = [a for a in table.legal() if a[0] in ("pass", "take", "stock", "pile", "discard")]
        return chance.choice(choices) if choices and chance.below(one_in) == 0 else None


class Deal:
    """One hand at the table: stepped by answers, each of which can be taken back."""

    def __init__(self, game: Game, number: int, dealer: int, ledger: GameLedger) -> None:
        self.game = game
        self.number = number
        self.dealer = dealer
        self.ledger = ledger
        self.deck = deck_of(game.key, 0, number)
        self.notes = Notes()
        self._lay_out()

    def _lay_out(self) -> None:
        """The hand as dealt."""
        self.table = Table(self.game.rules.codes(), self.deck, self.dealer)
        self.actions: list[Action] = []
        self.decisions: list[int] = []
        self.seat_at_table(self.game.opponent.seat, self.game.opponent_seat, entrant=1)

    def seat_at_table(self, seat: Seat, at: int, entrant: int) -> None:
        """Let a policy begin the hand at a place of the table."""
        seat.begin(
            self.table.view(at),
            self.ledger,
            self.table.facts["doubled"],
            self.game.key,
            entrant=entrant,
            orientation=self.game.you,
            hand_number=self.number,
        )

    @property
    def over(self) -> bool:
        """Whether the hand has come to its end."""
        return self.table.question == "over"

    @property
    def yours(self) -> bool:
        """Whether the player is asked."""
        return self.table.actor == self.game.you

    def view(self) -> View:
        """What the player may know."""
        return View.of(self.table.view(self.game.you))

    def act(self, answer: tuple[Any, ...], automatic: bool = False) -> Action:
        """Give an answer for whoever is asked; RecordError, and nothing done, where it is not legal.

        One of the player's that is not `automatic` is a decision, to which `undo` may go back.
        """
        actor = self.table.actor
        if actor is None:
            raise AssertionError("nobody is asked")
        action = Action(actor, self.table.question, answer)
        answer_table(self.table, action)
        if actor == self.game.you and not automatic:
            self.decisions.append(len(self.actions))
        self.actions.append(action)
        seat = self.game.opponent.seat
        seat.see(self.table.view(self.game.opponent_seat), *action)
        return action

    def opponent_acts(self) -> Action:
        """Let the opponent answer; PlayFault where it fails or its answer is not legal."""
        answer = self.game.opponent.answer(self.table, self.number)
        try:
            return self.act(answer)
        except ValueError as error:
            raise PlayFault(str(error), policy=self.game.opponent.level.player()) from None

    def replay(self, actions: list[Action]) -> None:
        """The hand from its deal on through these actions; RecordError where one is not legal.

        An opponent that remembers is asked again for what it did, so that it knows it; what it now says does
        not count.
        """
        self._lay_out()
        for action in actions:
            if self.game.opponent.seat.remembers and self.table.actor == self.game.opponent_seat:
                self.game.opponent.answer(self.table, self.number)
            self.act(action.answer, automatic=action.question in ("spread", "defend"))

    def undo(self) -> bool:
        """Take back the player's last decision and what came after it; False where there is none."""
        if not self.decisions:
            return False
        self.replay(self.actions[: self.decisions[-1]])
        self.notes.undone += 1
        return True

    def record(self) -> HandRecord:
        """The record of a hand that is over."""
        facts = Facts.of(self.table.facts)
        outcome, winner, points = priced(self.game.rules, facts)
        return HandRecord(
            rules=self.game.rules,
            seed=self.game.seed,
            orientation=self.game.you,
            hand_number=self.number,
            players=self.game.players,
            dealer=self.dealer,
            deck=tuple(self.deck),
            actions=tuple(self.actions),
            facts=facts,
            outcome=outcome,
            winner=winner,
            points=points,
        )


@dataclass
class Game:
    """A game: hands that are over, and the one that is being played."""

    rules: Rules
    seed: int
    you: int
    """The player's seat; seat 1 deals first."""
    level: Level
    adaptive: bool = False
    """Whether the level was chosen by the player's results."""
    hands: list[HandRecord] = field(default_factory=list)
    notes: list[Notes] = field(default_factory=list)
    """Of each of the hands."""

    def __post_init__(self) -> None:
        self.key = key_of_seed(self.seed)
        self.opponent = Opponent(self.level, self.rules, self.key)
        self.deal = self._next_deal()

    @property
    def opponent_seat(self) -> int:
        """The other seat."""
        return 1 - self.you

    @property
    def players(self) -> tuple[str, str]:
        """As a record names them, by seat."""
        other = self.level.player()
        return (other, YOU) if self.you else (YOU, other)

    @property
    def names(self) -> tuple[str, str]:
        """As the screen names them, by seat: short."""
        other = self.level.spec.partition(":")[0] if self.level.number else "opponent"
        return (other, YOU) if self.you else (YOU, other)

    def ledger(self) -> GameLedger:
        """The score sheet of the hands that are over."""
        ledger = GameLedger(self.rules.codes())
        for hand in self.hands:
            ledger.enter(hand.winner, hand.points)
        return ledger

    @property
    def over(self) -> bool:
        """Whether the game has come to its end."""
        ledger = self.ledger()
        return ledger.over or ledger.unfinished

    def _next_deal(self) -> Deal:
        ledger = self.ledger()
        return Deal(self, len(self.hands), ledger.dealer, ledger)

    def keep_hand(self) -> HandRecord:
        """Enter the hand that is over."""
        record = self.deal.record()
        self.hands.append(record)
        self.notes.append(self.deal.notes)
        return record

    def next_hand(self) -> None:
        """Deal the next hand."""
        self.deal = self._next_deal()

    def undo(self) -> bool:
        """Take back the player's last decision of this hand, also where that hand was entered already."""
        if self.deal.decisions and self.deal.number < len(self.hands):
            self.hands.pop()
            self.notes.pop()
        return self.deal.undo()

    def record(self) -> GameRecord:
        """The record of the hands that are over; RecordError where there is none yet."""
        return GameRecord.of(self.hands, going=not self.over)

    def advice(self, policy: Policy) -> tuple[tuple[Any, ...], list[tuple[int, float]]]:
        """What a policy would answer in the player's place, and what it thinks each answer is worth.

        The latter are pairs of an answer and points, as `Valuer.values` gives them; empty where a policy has
        no such thing.
        """
        seat = Seat(policy)
        self.deal.seat_at_table(seat, self.you, entrant=2)
        view = seat.staked(self.deal.table.view())
        values = getattr(policy, "values", None)
        return seat.answer(view), values(view) if values else []
