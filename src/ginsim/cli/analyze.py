"""`ginsim analyze`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..rules import Rules
from .common import print_json, rules_options, told_option
from .replay import hand_number, record_of

if TYPE_CHECKING:
    from ..coaching.choices import Choice
    from ..coaching.positions import Position

SIDES = {
    "discards": {
        "mine": "Your discards so far, in order, ? for one forgotten [not known]",
        "theirs": "The opponent's [not known]",
    },
    "taken": {"mine": "Cards you took from the pile [none]", "theirs": "Cards the opponent took [none]"},
}
"""What is asked, by option and side."""


@click.command()
@click.argument(
    "source", metavar="[RUN|FILE|-]", required=False, type=click.Path(path_type=Path, allow_dash=True)
)
@click.option(
    "--hand",
    metavar="CARDS|ID",
    help="Your cards: ten before a draw, eleven after it, the card drawn last. With a RUN the hand's id, "
    "with a FILE of a game its number.",
)
@click.option("--upcard", metavar="CARD", help="The top of the pile.")
@click.option(
    "--discards",
    metavar="CARDS",
    help="All discards in order, such as 'mine: KH QD; theirs: 9C 2H'; ? for one that is forgotten.",
)
@click.option(
    "--taken", metavar="CARDS", help="Cards taken from the pile, in order, such as 'theirs: KH; mine: 9C'."
)
@click.option("--first", metavar="CARD", help="The card turned up at the deal.")
@click.option("--turn", type=int, metavar="N", help="Your turn, from 1.  [default: by the discards]")
@click.option("--dealer", metavar="me|them", help="Who dealt.  [default: them]")
@click.option("--passes", type=int, metavar="N", help="Of the first upcard, 0 to 2.  [default: what fits]")
@click.option("--scores", metavar="MINE-THEIRS", help="Of the game, such as 40-85.")
@click.option(
    "--move", type=int, metavar="M", help="With RUN or FILE: the move, as `ginsim review` numbers them."
)
@click.option(
    "--time",
    "seconds",
    type=float,
    default=3.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to think.",
)
@click.option(
    "--guesses",
    type=int,
    metavar="N",
    help="Think with so many guesses of the hidden cards instead; the same again gives the same.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**32 - 1),
    default=0,
    show_default=True,
    metavar="N",
    help="Of the guesses.",
)
@click.option(
    "--picture",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.png",
    help="Draw the hand with the values, too.",
)
@click.option("--force", is_flag=True, help="Write over a picture that is there.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@rules_options
def analyze(
    source: Path | None,
    seconds: float,
    guesses: int | None,
    seed: int,
    picture: Path | None,
    force: bool,
    as_json: bool,
    rules: Rules,
    **told: Any,
) -> None:
    """What to do in a position: every legal answer with its value, the outs, the danger, and why.

    The position is told by options, taken from a hand of RUN or a record in FILE (- for stdin) before its
    --move, or asked for where nothing is said.
    """
    from ..coaching.analyze import analyze as think_through
    from ..report.console_coach import print_analysis

    refuse_picture(picture, force)
    if source is not None and (given := told_option("preset", "settings")):
        raise click.UsageError(f"{given} is told, and {str(source)!r} has its rules; choose one")
    position, played = of_record(source, **told) if source is not None else (of_words(rules, **told), None)
    found = think_through(position, seconds, guesses, seed, played)
    if picture is not None:
        from ..report.plots.coach import hand_with_values

        hand_with_values(found).savefig(picture, dpi=150)
    if as_json:
        print_json(found.to_dict())
    else:
        print_analysis(found)


def of_words(rules: Rules, **told: Any) -> Position:
    """The position that the options tell, or that is asked for."""
    from ..coaching.positions import position_of, scores_of, sides_of

    if told["move"] is not None:
        raise click.UsageError("--move is of a record; allowed: with RUN or FILE")
    if told["hand"] is None:
        given = [name for name, value in told.items() if value is not None]
        if given:
            raise click.UsageError(f"--hand is missing beside --{given[0]}; allowed: 10 or 11 cards")
        told |= asked_for()
    mine, theirs = sides_of(told["discards"], "discards")
    i_took, they_took = sides_of(told["taken"], "taken")
    return position_of(
        told["hand"],
        rules,
        upcard=told["upcard"],
        first=told["first"],
        mine=mine,
        theirs=theirs,
        i_took=i_took,
        they_took=they_took,
        turn=told["turn"],
        dealer=told["dealer"],
        passes=told["passes"],
        scores=scores_of(told["scores"]),
    )


def asked_for() -> dict[str, Any]:
    """What a player tells when asked; an empty answer is what was not told."""
    from ..cards import parse_cards

    def hand(text: str) -> str:
        if len(parse_cards(text)) not in (10, 11):
            raise ValueError("allowed: 10 cards before a draw, 11 after it, the card drawn last")
        return text

    def cards(text: str) -> str | None:
        parse_cards(text.replace("?", ""))
        return text.strip() or None

    def number(text: str) -> int | None:
        return int(text) if text.strip() else None

    told: dict[str, Any] = {"hand": ask("Your cards (of eleven the card drawn last)", hand)}
    told["upcard"] = ask("Top of the pile [none]", cards)
    told["turn"] = ask("Your turn, from 1 [by the discards]", number)
    for name, questions in SIDES.items():
        answers = [(side, ask(question, cards)) for side, question in questions.items()]
        told[name] = "; ".join(f"{side}: {answer}" for side, answer in answers if answer) or None
    return told


def ask(question: str, read: Callable[[str], Any]) -> Any:
    """An answer from the terminal; what cannot be read is asked again."""

    def checked(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None

    return click.prompt(question, default="", show_default=False, err=True, value_proc=checked)


def of_record(source: Path, **told: Any) -> tuple[Position, Choice]:
    """The position before a move of a record, and what was played."""
    from ..coaching.choices import choice_of
    from ..coaching.positions import position_at, scores_before
    from ..records import GameRecord

    move, hand = told.pop("move"), told.pop("hand")
    if given := [name for name, value in told.items() if value is not None]:
        raise click.UsageError(f"--{given[0]} tells a position, and {str(source)!r} has them; choose one")
    if move is None:
        raise click.UsageError("--move is missing; allowed: a move as `ginsim review` numbers them")
    record, scores = record_of(source, hand if source.is_dir() else None), (0, 0)
    if isinstance(record, GameRecord):
        number = hand_number(record, hand)
        scores, record = scores_before(record, number), record.hands[number]
    elif hand is not None and not source.is_dir():
        raise click.UsageError(f"--hand is {hand}, and {str(source)!r} is a single hand; allowed: without it")
    position, answer = position_at(record, move, scores)
    return position, choice_of(position.view, answer)


def refuse_picture(picture: Path | None, force: bool) -> None:
    """A usage error where a picture cannot be written, before anything is thought."""
    if picture is None:
        return
    if picture.suffix.lower() not in (".png", ".svg"):
        raise click.UsageError(f"--picture is {str(picture)!r}; allowed: a file that ends in .png or .svg")
    if picture.exists() and not force:
        raise click.UsageError(f"{str(picture)!r} is there; --force writes over it")
    if not picture.parent.is_dir():
        raise click.UsageError(
            f"--picture is {str(picture)!r}, and there is no folder {str(picture.parent)!r}"
        )
    if not os.access(picture if picture.exists() else picture.parent, os.W_OK):
        raise click.UsageError(f"--picture is {str(picture)!r}, which cannot be written")
