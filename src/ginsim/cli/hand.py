"""`ginsim deadwood`, `defend`, `rules` and `play-hand`: the game on paper."""

from __future__ import annotations

import click

from ..rules import Rules
from .common import print_json, rules_of, rules_options, stop

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@click.argument("hand", nargs=-1, required=True)
@click.option(
    "--forbidden", metavar="CARD", help="The card just taken from the pile, which may not be thrown."
)
@json_option
def deadwood(hand: tuple[str, ...], forbidden: str | None, as_json: bool) -> None:
    """Least deadwood of a HAND of 1 to 11 cards, and every way to reach it.

    Cards are written 4H, 10S or TS, with or without spaces. Of eleven cards all count, and the best discards
    are shown besides.
    """
    from ..cards import Hand
    from ..hands import best_discards, spreads

    cards = Hand(" ".join(hand))
    found = spreads(cards)
    best = best_discards(cards, forbidden) if len(cards) == 11 or forbidden is not None else None
    if as_json:
        value = {
            "hand": list(cards),
            "deadwood": found[0].deadwood,
            "spreads": [
                {"melds": [list(meld) for meld in spread.melds], "loose": list(spread.loose)}
                for spread in found
            ],
        }
        if best is not None:
            value["best_discards"] = {"deadwood": best.deadwood, "cards": list(best.cards)}
        print_json(value)
        return
    click.echo(f"deadwood {found[0].deadwood}")
    for spread in found:
        click.echo(f"  {spread}")
    if best is not None:
        click.echo(f"after the best discard {best.deadwood}: {' or '.join(best.cards)}")


@click.command()
@click.argument("hand", nargs=-1, required=True)
@click.option(
    "--meld",
    "melds",
    metavar="CARDS",
    multiple=True,
    help="A meld that the knocker shows, such as 5H6H7H; give each of them.",
)
@click.option("--gin", is_flag=True, help="The knocker has gin or big gin: nothing may be laid off.")
@json_option
def defend(hand: tuple[str, ...], melds: tuple[str, ...], gin: bool, as_json: bool) -> None:
    """The defender's exact best reply to a knock, with the ten cards of HAND.

    Own melds and lay-offs are chosen together, so that the count left is the least there is.
    """
    from ..cards import Hand
    from ..hands import defend as best_defence

    if not melds and not gin:
        raise click.UsageError("no meld to lay off on; give the knocker's melds by --meld, or say --gin")
    cards = Hand(" ".join(hand))
    reply = best_defence(cards, melds, gin=gin)
    if as_json:
        layoffs = [{"cards": list(laid.cards), "meld": list(laid.meld)} for laid in reply.layoffs]
        print_json(
            {
                "hand": list(cards),
                "deadwood": reply.deadwood,
                "melds": [list(meld) for meld in reply.melds],
                "layoffs": layoffs,
                "loose": list(reply.loose),
            }
        )
        return
    click.echo(f"deadwood {reply.deadwood}")
    own = " ".join(f"[{meld}]" for meld in reply.melds)
    for name, text in (("melds", own), *(("lays off", str(laid)) for laid in reply.layoffs)):
        if text:
            click.echo(f"  {name:9}{text}")
    if reply.loose:
        click.echo(f"  {'loose':9}{reply.loose}")


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def rules(context: click.Context, as_json: bool) -> None:
    """The rule presets and their knobs.

    Without a further word: the presets, each with what differs from `standard`.
    """
    if context.invoked_subcommand is None:
        context.invoke(list_presets, as_json=as_json)


@rules.command("list", short_help="The presets, as without a further word.")
@json_option
def list_presets(as_json: bool) -> None:
    """The presets, each with what differs from `standard`."""
    standard = Rules.preset("standard").to_dict()
    changes = {
        name: {knob: value for knob, value in Rules.preset(name).to_dict().items() if value != standard[knob]}
        for name in Rules.presets()
    }
    if as_json:
        print_json(changes)
        return
    for name, knobs in changes.items():
        lines = [f"{knob}={_text(value)}" for knob, value in knobs.items()] or ["the default"]
        for first, line in zip([name, *[""] * len(lines)], lines, strict=False):
            click.echo(f"{first:12}{line}")


@rules.command(short_help="All knobs of a preset and what they mean.")
@click.argument("preset", default="standard")
@click.option(
    "--set",
    "settings",
    metavar="KNOB=VALUE",
    multiple=True,
    help="Change a knob; may be given several times.",
)
@click.option("--toml", "as_toml", is_flag=True, help="Print TOML.")
@json_option
def show(preset: str, settings: tuple[str, ...], as_toml: bool, as_json: bool) -> None:
    """All knobs of a PRESET, what they mean and what they allow; * marks what differs from `standard`."""
    if as_toml and as_json:
        raise click.UsageError("--toml and --json are both given; choose one")
    chosen = rules_of(preset, settings)
    if as_toml:
        click.echo(chosen.to_toml(), nl=False)
    elif as_json:
        print_json(chosen.to_dict())
    else:
        click.echo(chosen.describe())
        changed = chosen.difference(Rules.preset("standard"))
        for knob, (name, value) in zip(Rules.knobs(), chosen.to_dict().items(), strict=True):
            click.echo(f"\n{'*' if name in changed else ' '} {name} = {_text(value)}")
            about = f"{knob.help}; allowed: {knob.allowed_text}"
            click.echo(click.wrap_text(about, width=100, initial_indent=" " * 6, subsequent_indent=" " * 6))


def _text(value: int | bool | str) -> str:
    """A value as it is written on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@click.command("play-hand")
@click.argument("a")
@click.argument("b")
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, metavar="N", help="Of the deals."
)
@click.option(
    "--index",
    type=click.IntRange(0, 2**48 - 1),
    default=0,
    show_default=True,
    metavar="N",
    help="The deal's number under the seed.",
)
@click.option(
    "--orientation",
    type=click.IntRange(0, 1),
    default=0,
    show_default=True,
    metavar="0|1",
    help="0: A sits in seat 0; 1: the same cards with the seats swapped.",
)
@click.option(
    "--entrants",
    type=click.IntRange(0, 31_999),
    nargs=2,
    default=(0, 1),
    show_default=True,
    metavar="N N",
    help="Numbers of A and B in an experiment: they name the streams of policies that draw at random.",
)
@click.option(
    "--deals",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="N",
    help="Other deals of the same seed: with --independent-deals those of a tournament's Nth pairing.",
)
@click.option("--game", is_flag=True, help="Play a whole game.")
@json_option
@rules_options
def play_hand(
    a: str,
    b: str,
    seed: int,
    index: int,
    orientation: int,
    entrants: tuple[int, int],
    deals: int,
    rules: Rules,
    game: bool,
    as_json: bool,
) -> None:
    """Play one hand between the policies A and B and print every move.

    The same seed, index and orientation are the same cards, whoever plays them. What is printed, as text or
    as JSON, is a record that can be read back and checked (`ginsim.HandRecord`, `ginsim.GameRecord`). Where a
    policy is at fault it is what that policy saw.
    """
    from .. import records
    from .._play import PlayFault
    from ..experiment.run import fault_in_words
    from ..policies.view import View

    play = records.play_game if game else records.play_hand
    try:
        record = play(
            a, b, rules, seed=seed, index=index, orientation=orientation, entrants=entrants, deals=deals
        )
    except PlayFault as fault:
        click.echo(View.of(fault.where["view"]))
        stop(fault_in_words(fault, fault.where["policy"]), 1)
    click.echo(record.to_json() if as_json else record.to_text(), nl=as_json)
