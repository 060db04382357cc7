"""The commands that are the game on paper: what they print, as text and as JSON, and how they refuse."""

import json
import tomllib

import pytest
from click.testing import CliRunner, Result

from ginsim.cli import main
from ginsim.hands import best_discards, defend, spreads
from ginsim.records import GameRecord, HandRecord, play_game, play_hand
from ginsim.rules import Rules

ELEVEN = "4H 5H 6H 7H 7S 7D KD 2C 3C 9S QC"
DEFENDER = "2S 8S 9S AC 2C 7C 8C 2D 8D 2H"
MELDS = ("KS KC KD", "5S 6S 7S", "9C TC JC")


def ginsim(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def said(*words: str) -> str:
    result = ginsim(*words)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


# ---------------------------------------------------------------- deadwood


def test_deadwood_of_ten_cards() -> None:
    assert said("deadwood", "3C4C5C6C7C8C KD") == (
        "deadwood 10\n"
        "  [3C 4C 5C 6C 7C 8C] KD = 10\n"
        "  [3C 4C 5C] [6C 7C 8C] KD = 10\n"
    )  # fmt: skip


def test_deadwood_of_eleven_cards() -> None:
    assert said("deadwood", *ELEVEN.split()) == (
        "deadwood 34\n"
        "  [7S 7H 7D] [4H 5H 6H] 9S KD 2C 3C QC = 34\n"
        "after the best discard 24: KD or QC\n"
    )  # fmt: skip
    assert said("deadwood", ELEVEN, "--forbidden", "QC").endswith("after the best discard 24: KD\n")


def test_deadwood_as_json() -> None:
    data = json.loads(said("deadwood", ELEVEN, "--json"))
    best = best_discards(ELEVEN)
    assert data == {
        "hand": ["7S", "9S", "4H", "5H", "6H", "7H", "7D", "KD", "2C", "3C", "QC"],
        "deadwood": 34,
        "spreads": [
            {"melds": [list(meld) for meld in spread.melds], "loose": list(spread.loose)}
            for spread in spreads(ELEVEN)
        ],
        "best_discards": {"deadwood": best.deadwood, "cards": list(best.cards)},
    }
    assert "best_discards" not in json.loads(said("deadwood", "4H5H6H", "--json"))


# ---------------------------------------------------------------- defend


def test_defend() -> None:
    melds = [word for meld in MELDS for word in ("--meld", meld)]
    assert said("defend", DEFENDER, *melds) == (
        "deadwood 9\n"
        "  melds    [2S 2H 2D 2C]\n"
        "  lays off 8S 9S on [5S 6S 7S]\n"
        "  lays off 7C 8C on [9C TC JC]\n"
        "  loose    8D AC\n"
    )  # fmt: skip
    assert said("defend", *DEFENDER.split(), *melds, "--gin") == (
        "deadwood 17\n  melds    [2S 2H 2D 2C] [8S 8D 8C]\n  loose    9S AC 7C\n"
    )
    assert said("defend", DEFENDER, "--gin") == said("defend", DEFENDER, *melds, "--gin")


def test_defend_as_json() -> None:
    melds = [word for meld in MELDS for word in ("--meld", meld)]
    reply = defend(DEFENDER, MELDS)
    assert json.loads(said("defend", DEFENDER, *melds, "--json")) == {
        "hand": ["2S", "8S", "9S", "2H", "2D", "8D", "AC", "2C", "7C", "8C"],
        "deadwood": 9,
        "melds": [["2S", "2H", "2D", "2C"]],
        "layoffs": [{"cards": list(laid.cards), "meld": list(laid.meld)} for laid in reply.layoffs],
        "loose": ["8D", "AC"],
    }


# ---------------------------------------------------------------- rules


def test_rules_lists_the_presets() -> None:
    listed = said("rules")
    assert listed == said("rules", "list")
    assert [line.split()[0] for line in listed.splitlines() if line[0] != " "] == list(Rules.presets())
    assert "straight    knock_limit=0\n" in listed
    assert "            oklahoma_spades_double=true\n" in listed
    data = json.loads(said("rules", "--json"))
    assert data == json.loads(said("rules", "list", "--json"))
    for name, changes in data.items():
        assert Rules.from_dict(changes) == Rules.preset(name)


@pytest.mark.parametrize("preset", Rules.presets())
def test_rules_shows_a_preset(preset: str) -> None:
    shown = said("rules", "show", preset)
    rules = Rules.preset(preset)
    assert shown.startswith(f"{preset}\n")
    for name, value in rules.to_dict().items():
        mark = "*" if name in rules.difference(Rules()) else " "
        text = str(value).lower() if isinstance(value, bool) else value
        assert f"\n{mark} {name} = {text}\n" in shown
    assert all(len(line) <= 100 for line in shown.splitlines())
    assert Rules.from_dict(json.loads(said("rules", "show", preset, "--json"))) == rules
    assert Rules.from_dict(tomllib.loads(said("rules", "show", preset, "--toml"))) == rules


def test_rules_shows_a_changed_preset() -> None:
    shown = said("rules", "show", "classic", "--set", "undercut_bonus=5", "--set", "columns=3", "--toml")
    assert shown == Rules.preset("classic").replace(undercut_bonus=5, columns=3).to_toml()
    assert said("rules", "show") == said("rules", "show", "standard")


# ---------------------------------------------------------------- play-hand


def test_play_hand_prints_a_record() -> None:
    words = ("play-hand", "greedy", "simple", "--seed", "7", "--index", "2", "--orientation", "1")
    record = play_hand("greedy", "simple", seed=7, index=2, orientation=1)
    assert said(*words) == record.to_text()
    assert HandRecord.from_json(said(*words, "--json")) == record
    assert said("play-hand", "greedy", "simple") == play_hand("greedy", "simple").to_text()


def test_play_hand_takes_rules() -> None:
    text = said("play-hand", "greedy", "simple", "--rules", "classic", "--set", "target=50")
    assert HandRecord.from_text(text).rules == Rules.preset("classic").replace(target=50)


def test_play_hand_plays_a_game() -> None:
    game = play_game("greedy", "simple", "palace", seed=3)
    words = ("play-hand", "greedy", "simple", "--rules", "palace", "--seed", "3", "--game")
    assert said(*words) == game.to_text()
    assert GameRecord.from_json(said(*words, "--json")) == game


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("deadwood", "4Z"), "ginsim: hand: '4Z' is no card; a card is "),
        (("deadwood", "4H 4H"), "ginsim: hand holds 4H twice; "),
        (("deadwood", "4H", "--forbidden", "4H"), "ginsim: hand has 1 card; allowed: 11"),
        (("deadwood", ELEVEN, "--forbidden", "AS"), "ginsim: forbidden is AS; allowed: a card of the hand"),
        (("defend", "4H", "--gin"), "ginsim: hand has 1 card; allowed: 10"),
        (("defend", DEFENDER, "--meld", "KS KC"), "ginsim: melds[0] is KS KC, which is no meld; allowed: "),
        (("rules", "show", "clasic"), "ginsim: unknown preset 'clasic', did you mean classic? allowed: "),
        (("rules", "show", "--set", "undercut=1"), "ginsim: unknown knob 'undercut', did you mean "),
        (("rules", "show", "--set", "target=0"), "ginsim: target is 0; allowed: "),
        (("play-hand", "greedy", "nobody"), "ginsim: "),
        (("play-hand", "greedy", "simple", "--rules", "x"), "ginsim: unknown preset 'x'"),
        (("play-hand", "greedy", "simple", "--set", "x"), "ginsim: rule setting is 'x'; allowed: "),
    ],
)
def test_a_mistake_is_one_line(words: tuple[str, ...], told: str) -> None:
    result = ginsim(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(told)
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("deadwood",), "Missing argument"),
        (("defend", DEFENDER), "no meld to lay off on"),
        (("rules", "show", "--toml", "--json"), "--toml and --json are both given"),
        (("play-hand", "greedy"), "Missing argument"),
        (("play-hand", "greedy", "simple", "--seed", "-1"), "-1 is not in the range"),
        (("play-hand", "greedy", "simple", "--index", "x"), "'x' is not a valid integer"),
        (("play-hand", "greedy", "simple", "--orientation", "2"), "2 is not in the range"),
    ],
)
def test_wrong_usage(words: tuple[str, ...], told: str) -> None:
    result = ginsim(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr


def test_a_hand_of_independent_deals_can_be_played_again() -> None:
    hand = ("play-hand", "greedy", "simple", "--seed", "3", "--index", "5")
    text = said(*hand, "--deals", "2")
    assert HandRecord.from_text(text) == play_hand("greedy", "simple", seed=3, index=5, deals=2)
    assert text != said(*hand)
