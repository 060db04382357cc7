"""A game of many hands: dealers, columns, boxes, shutouts and grand totals."""

from collections import namedtuple
from dataclasses import dataclass, field

Result = namedtuple("Result", "outcome winner totals difference")
"""``outcome`` is ``won``, ``drawn`` or ``unfinished``; ``winner`` a seat or None; ``totals`` both grand
totals of every column; ``difference`` the sum over columns of seat 0's grand total minus seat 1's."""


@dataclass
class Column:
    """One column of the score sheet; a game without Hollywood scoring has just one."""

    points: list = field(default_factory=lambda: [0, 0])
    boxes: list = field(default_factory=lambda: [0, 0])
    reached_by: int | None = None  # the seat that reached the target and so closed the column

    @property
    def open(self):
        return self.reached_by is None


class TwinGame:
    """A game under the rules; the caller plays each hand with ``dealer`` and adds its score, until ``over``.

    The players are the seats; seat 1 deals first.
    """

    def __init__(self, rules):
        self.rules = rules
        self.dealer = 1
        self.hands = 0
        self.hands_without_winner = 0
        self.columns = [Column() for _ in range(rules.columns)]

    @property
    def finished(self):
        return not any(column.open for column in self.columns)

    @property
    def over(self):
        return self.finished or self.hands >= self.rules.max_hands

    def add(self, points, winner):
        """Enter a hand: points of seat 0 and seat 1, and the seat that won it (None: nobody)."""
        if self.over:
            raise ValueError("the game is over")
        if any(points[seat] for seat in (0, 1) if seat != winner):
            raise ValueError(f"points {points} for a seat that did not win; the winner is {winner}")
        self.hands += 1
        if winner is None:
            self.hands_without_winner += 1
        else:
            for column in self._columns_for(winner):
                column.points[winner] += points[winner]
                column.boxes[winner] += 1
                if self.running_score(column, winner) >= self.rules.target:
                    column.reached_by = winner
        self.dealer = self._next_dealer(winner)

    def _columns_for(self, winner):
        """Open columns where the winner has an entry already, and the first open one where it has none."""
        open_columns = [column for column in self.columns if column.open]
        entered = [column for column in open_columns if column.boxes[winner] > 0]
        new = [column for column in open_columns if column.boxes[winner] == 0]
        return entered + new[:1]

    def running_score(self, column, seat):
        """What counts toward the target: hand points, and boxes too where they are scored immediately."""
        boxes = column.boxes[seat] * self.rules.box_bonus if self.rules.box_timing == "immediate" else 0
        return column.points[seat] + boxes

    def _next_dealer(self, winner):
        if self.rules.next_dealer == "alternate":
            return 1 - self.dealer
        if winner is None:
            return self.dealer
        dealers = {"winner": winner, "loser": 1 - winner, "alternate_scored": 1 - self.dealer}
        return dealers[self.rules.next_dealer]

    def is_shutout(self, column):
        """Whether the player who closed the column won every hand that counts for it."""
        if column.open or column.boxes[1 - column.reached_by] > 0:
            return False
        # with several columns a hand without a winner is entered in none of them, so it can spoil none
        spoilt = self.hands_without_winner > 0 and self.rules.columns == 1 and not self.rules.shutout_ties
        return not spoilt

    def grand_totals(self, column):
        """Hand points and boxes of both seats, with the bonuses for a column that is closed."""
        rules = self.rules
        totals = [column.points[seat] + column.boxes[seat] * rules.box_bonus for seat in (0, 1)]
        if not column.open:
            totals[column.reached_by] += rules.game_bonus
            if self.is_shutout(column) and rules.shutout == "double":
                totals[column.reached_by] += column.points[column.reached_by]
            if self.is_shutout(column) and rules.shutout == "flat":
                totals[column.reached_by] += rules.shutout_bonus
        return tuple(totals)

    def result(self):
        """The result of a game that is over; an unfinished one shows what stands in its columns."""
        if not self.over:
            raise ValueError("the game goes on")
        totals = tuple(self.grand_totals(column) for column in self.columns)
        difference = sum(seat0 - seat1 for seat0, seat1 in totals)
        if not self.finished:
            return Result("unfinished", None, totals, difference)
        if difference == 0:
            return Result("drawn", None, totals, 0)
        return Result("won", 0 if difference > 0 else 1, totals, difference)

    def snapshot(self):
        """The score sheet as plain values: strings, numbers, None, and tuples of them."""
        return {
            "dealer": self.dealer,
            "hands": self.hands,
            "over": self.over,
            "points": tuple(tuple(column.points) for column in self.columns),
            "boxes": tuple(tuple(column.boxes) for column in self.columns),
            "running": tuple(
                (self.running_score(column, 0), self.running_score(column, 1)) for column in self.columns
            ),
            "reached_by": tuple(column.reached_by for column in self.columns),
            "result": tuple(self.result()) if self.over else None,
        }
