"""The score sheet: every hand in its columns, boxes, and at the end the bonuses."""

from __future__ import annotations

from collections.abc import Sequence

from .._score import GameLedger
from ..records import Column, GameRecord
from ..rules import Rules

__all__ = ["result_line", "sheet_lines"]

CELL = 9
Row = tuple[str, list[str]]


def sheet_lines(record: GameRecord, names: Sequence[str], first: int = 0) -> list[str]:
    """The sheet of a game, the player `first` on the left, in lines that fit a terminal of 80 columns."""
    seats = (first, 1 - first)
    rows = [] if len(record.columns) == 1 else [_heads(len(record.columns))]
    rows.append(("score sheet", [names[seat][: CELL - 1] for _ in record.columns for seat in seats]))
    rows += _hand_rows(record, seats)
    rows += _sum_rows(record.rules, record.columns, seats)
    wide = max(len(label) for label, _ in rows)
    return [f"{label:{wide}}" + "".join(f"{cell:>{CELL}}" for cell in cells) for label, cells in rows]


def _heads(columns: int) -> Row:
    return "", [cell for number in range(1, columns + 1) for cell in ("", f"column {number}")]


def _hand_rows(record: GameRecord, seats: Sequence[int]) -> list[Row]:
    """What each hand added, by column and seat, as the ledger enters it."""
    ledger = GameLedger(record.rules.codes())
    rows: list[Row] = []
    for hand in record.hands:
        before = ledger.columns()
        ledger.enter(hand.winner, hand.points)
        added = [
            after["points"][seat] - old["points"][seat]
            for old, after in zip(before, ledger.columns(), strict=True)
            for seat in seats
        ]
        label = f"{hand.hand_number + 1} {hand.outcome.replace('_', ' ')}"
        rows.append((label, [str(points) if points else "-" for points in added]))
    return rows


def _sum_rows(rules: Rules, columns: Sequence[Column], seats: Sequence[int]) -> list[Row]:
    """Sums so far; where a column is closed also what makes its grand total."""
    made = [_parts(rules, column, seat) for column in columns for seat in seats]
    labels = [label for label in max(made, key=len) if any(parts.get(label) for parts in made)]
    return [(label, [str(parts.get(label, "-")) for parts in made]) for label in labels]


def _parts(rules: Rules, column: Column, seat: int) -> dict[str, int]:
    """What a player has in a column."""
    parts = {f"points of {rules.target}": column.points[seat], "boxes": column.boxes[seat]}
    if column.totals is None:
        return parts
    worth = column.boxes[seat] * rules.box_bonus
    bonus = rules.game_bonus * (column.closed_by == seat)
    shutout = column.totals[seat] - column.points[seat] - worth - bonus
    closed = {f"boxes at {rules.box_bonus}": worth, "game bonus": bonus, "shutout": shutout}
    return parts | closed | {"grand total": column.totals[seat]}


def result_line(record: GameRecord, names: Sequence[str], you: int) -> str:
    """Who has won, and by how much."""
    if record.unfinished:
        return f"the game is unfinished after {len(record.hands)} hands; nobody wins"
    if record.winner is None:
        return "the game is drawn"
    by = f"{abs(record.result or 0)} points"
    return (
        f"you win the game by {by}"
        if record.winner == you
        else f"{names[record.winner]} wins the game by {by}"
    )
