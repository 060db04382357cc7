"""`ginsim history`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common import print_json
from .play import history_option

if TYPE_CHECKING:
    from ..table_game.history import Played
    from ..table_game.keeping import Kept


@click.command()
@history_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def history(folder: Path | None, as_json: bool) -> None:
    """How you play: your results in the games of `ginsim play`, by level and rules.

    Points a hand are yours less the opponent's, with half of the 95 % interval; shares are of all hands.
    Files that hold no game are named and passed over.
    """
    from ..table_game.keeping import HistoryError, Kept, default_folder, games_in

    folder = folder or default_folder()
    found = list(games_in(folder))
    broken = [one for one in found if isinstance(one, HistoryError)]
    games = [one for one in found if isinstance(one, Kept)]
    for error in broken:
        click.echo(f"ginsim: passed over {error}", err=True)
    if as_json:
        from ..table_game.history import plain

        print_json({"folder": str(folder), **plain(games), "broken": list(map(str, broken))})
    elif any(kept.record is not None for kept in games):
        _tell(games)
    else:
        click.echo(f"No hand has been played to its end in {str(folder)!r} yet; `ginsim play` begins a game.")


def _tell(games: list[Kept]) -> None:
    from ..report.terminal import put_table, signed
    from ..stats.means import half_width
    from ..table_game.history import extremes, hands_of, summaries, trend

    rows, shares = [], []
    for one in summaries(games):
        name = f"{one.level} {one.opponent.partition(',')[0]}" if one.level else one.opponent
        points = signed(one.points.value, half_width(one.points.se, one.points.clusters))
        rows.append([name, one.rules, *map(str, (one.games, one.won, one.hands)), points])
        deadwood = "-" if one.deadwood is None else f"{one.deadwood:.1f}"
        parts = (one.wins, one.knocks, one.gins, one.undercuts, one.undercut)
        shares.append([name, one.rules, *(f"{100 * part:.0f}" for part in parts), deadwood])
    put_table("Results", ("", "rules", "games", "won", "hands", "points/hand"), rows, left=("rules",))
    click.echo()
    heads = ("", "rules", "won", "knocked", "gin", "undercut", "was undercut", "deadwood")
    put_table("Hands in per cent, and the mean deadwood in a knock", heads, shares, left=("rules",))
    hands = [hand for kept in games for hand in hands_of(kept)]
    over_time = [
        [f"{start}-{end}", signed(points.value, half_width(points.se, points.clusters))]
        for start, end, points in trend(hands)
    ]
    if over_time:
        click.echo()
        put_table("Over time", ("hands", "points/hand"), over_time)
    best, worst = extremes(hands)
    for title, some in (("Best hands", best), ("Worst hands", worst)):
        if some:
            click.echo()
            put_table(title, ("", "outcome", "points", "file"), _hand_rows(some), left=("outcome", "file"))
    _tell_marks(games, hands)


def _hand_rows(hands: list[Played]) -> list[list[str]]:
    return [
        [
            f"hand {hand.hand + 1}",
            hand.outcome.replace("_", " ") + ", taken back" * (hand.undone > 0),
            f"{hand.points:+d}",
            Path(hand.file).name,
        ]
        for hand in hands
    ]


def _tell_marks(games: list[Kept], hands: list[Played]) -> None:
    """What else is to be known of the games."""
    taken_back = sum(hand.undone > 0 for hand in hands)
    hints = sum(hand.hints for hand in hands)
    click.echo()
    if taken_back:
        click.echo(f"Decisions were taken back in {taken_back} of {len(hands)} hands.")
    if hints:
        click.echo(f"{hints} hints were asked for.")
    for kept in games:
        if not kept.over:
            click.echo(f"Not over: {kept.path.name}")
    click.echo(f"files: {games[0].path.parent}")
