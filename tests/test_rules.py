"""`Rules`: the presets are those of the specification, and what cannot be is refused by name."""

import dataclasses
import doctest
import json
import pickle
import re
import tomllib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginsim import rules
from ginsim.rules import ENUMS, Knob, Rules, RulesError, parse_knob

FIELDS = [field.name for field in dataclasses.fields(Rules)]

# The specification, written out a second time.
STANDARD = {
    "knock_limit": 10,
    "gin_bonus": 25,
    "big_gin_bonus": 31,
    "undercut_bonus": 25,
    "undercut_on_tie": True,
    "target": 100,
    "game_bonus": 100,
    "box_bonus": 25,
    "box_timing": "end",
    "shutout": "double",
    "shutout_bonus": 100,
    "shutout_ties": False,
    "after_two_passes": "either",
    "stock_end": "void",
    "next_dealer": "alternate",
    "discard_taken": False,
    "columns": 1,
    "oklahoma": False,
    "oklahoma_ace": "one",
    "oklahoma_spades_double": False,
    "max_turns": 200,
    "max_hands": 1000,
}
PRESETS: dict[str, dict[str, Any]] = {
    "standard": {},
    "oklahoma": {"oklahoma": True, "oklahoma_spades_double": True},
    "straight": {"knock_limit": 0},
    "hollywood": {"columns": 3},
    "classic": {
        "gin_bonus": 20,
        "big_gin_bonus": None,
        "undercut_bonus": 10,
        "box_bonus": 20,
        "shutout": "flat",
        "shutout_ties": True,
        "after_two_passes": "stock",
        "next_dealer": "winner",
    },
    "palace": {
        "big_gin_bonus": None,
        "undercut_bonus": 20,
        "game_bonus": 0,
        "box_bonus": 10,
        "box_timing": "immediate",
        "shutout": "none",
        "after_two_passes": "stock",
    },
    "eaai": {
        "big_gin_bonus": None,
        "game_bonus": 0,
        "box_bonus": 0,
        "shutout": "none",
        "after_two_passes": "stock",
        "next_dealer": "alternate_scored",
    },
    "fifty_card": {
        "big_gin_bonus": None,
        "game_bonus": 0,
        "box_bonus": 0,
        "shutout": "none",
        "after_two_passes": "stock",
        "stock_end": "last_discard",
    },
}
RANGES = {
    "knock_limit": (0, 98),
    "gin_bonus": (0, 10_000),
    "big_gin_bonus": (0, 10_000),
    "undercut_bonus": (0, 10_000),
    "target": (1, 100_000),
    "game_bonus": (0, 10_000),
    "box_bonus": (0, 10_000),
    "shutout_bonus": (0, 10_000),
    "max_turns": (2, 250),
    "max_hands": (1, 1000),
}
CHOICES = {
    "box_timing": ("end", "immediate"),
    "shutout": ("double", "flat", "none"),
    "after_two_passes": ("either", "stock"),
    "stock_end": ("void", "last_discard", "exhaust"),
    "next_dealer": ("alternate", "winner", "loser", "alternate_scored"),
    "oklahoma_ace": ("one", "gin"),
}
SWITCHES = ("undercut_on_tie", "shutout_ties", "discard_taken", "oklahoma", "oklahoma_spades_double")

# What must stand beside a knob for it to matter.
BESIDE: dict[str, dict[str, Any]] = {
    "oklahoma_ace": {"oklahoma": True},
    "oklahoma_spades_double": {"oklahoma": True},
    "shutout_bonus": {"shutout": "flat"},
}


def values_of(name: str) -> st.SearchStrategy[Any]:
    if name in RANGES:
        numbers = st.integers(*RANGES[name])
        return st.none() | numbers if name == "big_gin_bonus" else numbers
    if name in SWITCHES:
        return st.booleans()
    return st.sampled_from(CHOICES.get(name, (1, 3)))


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Any rules at all: a few knobs drawn, those dropped that cannot matter beside the others."""
    names = draw(st.sets(st.sampled_from(FIELDS)))
    knobs = {name: draw(values_of(name)) for name in sorted(names)}
    if knobs.get("oklahoma"):
        knobs.pop("knock_limit", None)
    for name, needed in BESIDE.items():
        if any(knobs.get(other, STANDARD[other]) != value for other, value in needed.items()):
            knobs.pop(name, None)
    return Rules(**knobs)


def test_doctests() -> None:
    assert doctest.testmod(rules).failed == 0


# ---- presets


def test_standard_is_the_default() -> None:
    assert dataclasses.asdict(Rules()) == STANDARD
    assert list(STANDARD) == FIELDS
    assert Rules() == Rules.preset("standard")


def test_the_presets_and_their_order() -> None:
    assert Rules.presets() == tuple(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_standard_plus_its_changes(name: str) -> None:
    preset = Rules.preset(name)
    assert dataclasses.asdict(preset) == {**STANDARD, **PRESETS[name]}
    assert preset.difference(Rules()) == {
        knob: (value, STANDARD[knob]) for knob, value in PRESETS[name].items()
    }
    assert preset.preset_name == preset.describe() == name


def test_rules_of_no_preset() -> None:
    assert Rules(gin_bonus=20).preset_name is None


def test_an_unknown_preset() -> None:
    with pytest.raises(RulesError) as refused:
        Rules.preset("clasic")
    assert str(refused.value) == (
        "unknown preset 'clasic', did you mean classic? allowed: "
        "standard, oklahoma, straight, hollywood, classic, palace, eaai, fifty_card"
    )


@pytest.mark.parametrize(
    ("made", "described"),
    [
        (Rules(undercut_bonus=10), "standard with undercut_bonus=10"),
        (Rules(discard_taken=True, gin_bonus=20), "standard with gin_bonus=20, discard_taken=true"),
        (Rules(columns=3, knock_limit=0), "straight with columns=3"),
        (Rules(oklahoma=True), "standard with oklahoma=true"),
        (Rules.preset("eaai").replace(stock_end="last_discard"), "eaai with stock_end=last_discard"),
        (Rules.preset("classic").replace(big_gin_bonus=31), "classic with big_gin_bonus=31"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_rules_are_described_by_the_nearest_preset(made: Rules, described: str) -> None:
    assert made.describe() == described


@given(any_rules())
def test_a_description_says_all(made: Rules) -> None:
    """Read back as command-line text, it gives the rules; and no preset is nearer."""
    name, _, changes = made.describe().partition(" with ")
    settings = [parse_knob(change) for change in changes.split(", ") if change]
    assert Rules.preset(name).replace(**dict(settings)) == made
    assert len(settings) == min(len(made.difference(Rules.preset(other))) for other in PRESETS)


# ---- values


@pytest.mark.parametrize("name", RANGES)
def test_whole_numbers_have_bounds(name: str) -> None:
    least, most = RANGES[name]
    for value in (least, most):
        assert getattr(Rules(**{**BESIDE.get(name, {}), name: value}), name) == value
    for value in (least - 1, most + 1, -(10**30), 10**30):
        with pytest.raises(
            RulesError, match=rf"^{name} is {value}; allowed: a whole number from {least} to {most}"
        ):
            Rules(**{**BESIDE.get(name, {}), name: value})


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize("value", [True, 10.0, "10", "off", [10], np.array([10]), np.float64(10)], ids=repr)
def test_whole_numbers_only(name: str, value: object) -> None:
    with pytest.raises(
        RulesError, match=rf"^{name} is {re.escape(repr(value))}; allowed: a whole number from"
    ):
        Rules(**{**BESIDE.get(name, {}), name: value})


@pytest.mark.parametrize("name", sorted(RANGES.keys() - {"big_gin_bonus"}))
def test_only_big_gin_can_be_off(name: str) -> None:
    with pytest.raises(RulesError, match=rf"^{name} is None; allowed: .*\d \(\w+\)$"):
        Rules(**{**BESIDE.get(name, {}), name: None})
    with pytest.raises(RulesError, match=rf"^{name} is 'off'; allowed: "):
        parse_knob(f"{name}=off")


@pytest.mark.parametrize("name", CHOICES)
def test_choices(name: str) -> None:
    for value in CHOICES[name]:
        assert getattr(Rules(**{**BESIDE.get(name, {}), name: value}), name) == value
    for wrong in ("", "x", CHOICES[name][0].upper(), 0, None, True):
        with pytest.raises(RulesError) as refused:
            Rules(**{**BESIDE.get(name, {}), name: wrong})
        assert str(refused.value) == f"{name} is {wrong!r}; allowed: {' or '.join(CHOICES[name])}"


@pytest.mark.parametrize("name", SWITCHES)
def test_switches(name: str) -> None:
    for value in (True, False):
        assert getattr(Rules(**{**BESIDE.get(name, {}), name: value}), name) is value
    for wrong in (0, 1, "true", None, 1.0, np.True_):
        with pytest.raises(RulesError, match=rf"^{name} is .*; allowed: false or true$"):
            Rules(**{**BESIDE.get(name, {}), name: wrong})


def test_columns_are_1_or_3() -> None:
    assert Rules(columns=3).columns == 3
    for wrong in (0, 2, 4, True, 1.0, "3", None):
        with pytest.raises(RulesError, match=r"^columns is .*; allowed: 1 or 3$"):
            Rules(columns=wrong)  # type: ignore[arg-type]


def test_numpy_integers_become_plain_ones() -> None:
    made = Rules(undercut_bonus=np.int16(10), columns=np.int64(3))  # type: ignore[arg-type]
    assert made == Rules(undercut_bonus=10, columns=3)
    assert type(made.undercut_bonus) is type(made.columns) is int
    assert Rules.from_json(made.to_json()) == made


@pytest.mark.parametrize(
    ("knobs", "message"),
    [
        (
            {"oklahoma": True, "knock_limit": 5},
            "knock_limit is 5; allowed: 10 (with oklahoma=true the first upcard is the limit)",
        ),
        ({"oklahoma_ace": "gin"}, "oklahoma_ace is gin; allowed: one (anything else needs oklahoma=true)"),
        (
            {"oklahoma_spades_double": True},
            "oklahoma_spades_double is true; allowed: false (anything else needs oklahoma=true)",
        ),
        ({"shutout_bonus": 50}, "shutout_bonus is 50; allowed: 100 (anything else needs shutout=flat)"),
        (
            {"shutout": "none", "shutout_bonus": 0},
            "shutout_bonus is 0; allowed: 100 (anything else needs shutout=flat)",
        ),
    ],
)
def test_impossible_combinations(knobs: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError) as refused:
        Rules(**knobs)
    assert str(refused.value) == message


def test_a_preset_cannot_be_changed_into_the_impossible() -> None:
    with pytest.raises(RulesError, match="oklahoma_spades_double is true"):
        Rules.preset("oklahoma").replace(oklahoma=False)


# ---- an object


def test_rules_do_not_change() -> None:
    made = Rules()
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.gin_bonus = 20  # type: ignore[misc]
    assert made.replace(gin_bonus=20).gin_bonus == 20
    assert made == Rules()


def test_rules_are_keys() -> None:
    table = {Rules.preset(name): name for name in Rules.presets()}
    assert len(table) == len(PRESETS)
    assert table[Rules(columns=3)] == "hollywood"


def test_knobs_are_given_by_name() -> None:
    with pytest.raises(TypeError):
        Rules(10)  # type: ignore[call-arg]


@given(any_rules(), any_rules())
def test_difference(one: Rules, other: Rules) -> None:
    difference = one.difference(other)
    assert (not difference) == (one == other)
    assert list(difference) == [name for name in FIELDS if getattr(one, name) != getattr(other, name)]
    assert other.replace(**{name: mine for name, (mine, _) in difference.items()}) == one
    assert other.difference(one) == {name: (theirs, mine) for name, (mine, theirs) in difference.items()}


# ---- round trips


@given(any_rules())
def test_round_trips(made: Rules) -> None:
    values = made.to_dict()
    assert list(values) == FIELDS
    for again in (
        Rules.from_dict(json.loads(json.dumps(values))),
        Rules.from_json(made.to_json()),
        Rules.from_toml(made.to_toml()),
        Rules.from_dict(dataclasses.asdict(made)),
        pickle.loads(pickle.dumps(made)),
    ):
        assert again == made
        assert hash(again) == hash(made)
        assert list(map(type, again.to_dict().values())) == list(map(type, values.values()))
    assert json.loads(made.to_json()) == tomllib.loads(made.to_toml()) == values


@given(any_rules(), any_rules())
def test_text_round_trip_over_any_base(made: Rules, base: Rules) -> None:
    texts = {name: str(value) for name, value in made.to_dict().items()}
    assert Rules.from_text(texts, base=base) == made


def test_toml_is_written_for_people() -> None:
    lines = Rules.preset("eaai").replace(box_bonus=25).to_toml().splitlines()
    assert lines[0] == "# eaai with box_bonus=25"
    assert lines[1:6] == [
        "knock_limit = 10",
        "gin_bonus = 25",
        'big_gin_bonus = "off"',
        "undercut_bonus = 25",
        "undercut_on_tie = true",
    ]


def test_knobs_left_out_are_standard() -> None:
    assert Rules.from_toml("undercut_bonus = 10") == Rules(undercut_bonus=10)
    assert Rules.from_json('{"big_gin_bonus": null}') == Rules(big_gin_bonus=None)
    assert Rules.from_dict({}) == Rules()


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (Rules.from_json, "{", "rules are not valid JSON: "),
        (Rules.from_json, "[1]", r"rules are \[1\]; allowed: a table of knobs and their values"),
        (Rules.from_json, '{"undercut": 10}', "unknown knob 'undercut', did you mean undercut_bonus"),
        (Rules.from_json, '{"undercut_bonus": 10.0}', "undercut_bonus is 10.0; allowed: a whole number"),
        (Rules.from_json, '{"undercut_bonus": "10"}', "undercut_bonus is '10'; allowed: a whole number"),
        (Rules.from_json, '{"undercut_bonus": "off"}', "undercut_bonus is 'off'; allowed: a whole number"),
        (Rules.from_json, '{"oklahoma": 1}', "oklahoma is 1; allowed: false or true"),
        (Rules.from_toml, "undercut_bonus = ", "rules are not valid TOML: "),
        (Rules.from_toml, "[hand]\ngin_bonus = 25", "unknown knob 'hand'"),
        (Rules.from_toml, "gin_bonus = [25]", r"gin_bonus is \[25\]; allowed: a whole number"),
        (Rules.from_dict, {1: "off"}, "unknown knob 1; allowed: knock_limit, gin_bonus"),
    ],
)
def test_what_cannot_be_read(read: Any, text: object, message: str) -> None:
    with pytest.raises(RulesError, match=f"^{message}"):
        read(text)


# ---- text from the command line


@pytest.mark.parametrize(
    ("text", "knob"),
    [
        ("undercut_bonus=10", ("undercut_bonus", 10)),
        (" undercut_bonus = 010 ", ("undercut_bonus", 10)),
        ("big_gin_bonus=off", ("big_gin_bonus", None)),
        ("big_gin_bonus=OFF", ("big_gin_bonus", None)),
        ("big_gin_bonus=0", ("big_gin_bonus", 0)),
        ("oklahoma=true", ("oklahoma", True)),
        ("oklahoma=Yes", ("oklahoma", True)),
        ("oklahoma=on", ("oklahoma", True)),
        ("oklahoma=false", ("oklahoma", False)),
        ("oklahoma=no", ("oklahoma", False)),
        ("oklahoma=Off", ("oklahoma", False)),
        ("stock_end=Last_Discard", ("stock_end", "last_discard")),
        ("columns=3", ("columns", 3)),
    ],
)
def test_knobs_from_text(text: str, knob: tuple[str, object]) -> None:
    name, value = parse_knob(text)
    assert (name, value) == knob
    assert type(value) is type(knob[1])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "undercut_bonus",
            "rule setting is 'undercut_bonus'; allowed: knob=value, such as undercut_bonus=10",
        ),
        ("undercut_bonus=", "undercut_bonus is ''; allowed: a whole number from 0 to 10000 (points)"),
        ("undercut_bonus=ten", "undercut_bonus is 'ten'; allowed: a whole number from 0 to 10000 (points)"),
        ("undercut_bonus=1_0", "undercut_bonus is '1_0'; allowed: a whole number from 0 to 10000 (points)"),
        ("undercut_bonus=10.0", "undercut_bonus is '10.0'; allowed: a whole number from 0 to 10000 (points)"),
        ("undercut_bonus=-5", "undercut_bonus is -5; allowed: a whole number from 0 to 10000 (points)"),
        ("big_gin_bonus=x", "big_gin_bonus is 'x'; allowed: a whole number from 0 to 10000 or off (points)"),
        ("knock_limit=99", "knock_limit is 99; allowed: a whole number from 0 to 98 (points)"),
        ("max_turns=1", "max_turns is 1; allowed: a whole number from 2 to 250 (turns)"),
        ("stock_end=Later", "stock_end is 'Later'; allowed: void or last_discard or exhaust"),
        ("oklahoma=maybe", "oklahoma is 'maybe'; allowed: false or true"),
        ("columns=2", "columns is 2; allowed: 1 or 3"),
        (
            "kock_limit=5",
            f"unknown knob 'kock_limit', did you mean knock_limit? allowed: {', '.join(STANDARD)}",
        ),
        ("zzz=5", f"unknown knob 'zzz'; allowed: {', '.join(STANDARD)}"),
    ],
)
def test_text_that_is_refused(text: str, message: str) -> None:
    with pytest.raises(RulesError) as refused:
        parse_knob(text)
    assert str(refused.value) == message


def test_a_number_too_long_to_be_one() -> None:
    with pytest.raises(RulesError, match=r"^target is '9{5000}'; allowed: a whole number"):
        parse_knob("target=" + "9" * 5000)


def test_text_over_a_base() -> None:
    made = Rules.from_text({"shutout_bonus": "50", "undercut_on_tie": "no"}, base=Rules.preset("classic"))
    assert made == Rules.preset("classic").replace(shutout_bonus=50, undercut_on_tie=False)
    assert Rules.from_text({}) == Rules()


@pytest.mark.parametrize("change", [Rules().replace, lambda **knobs: Rules.from_text(knobs)])
def test_unknown_knobs_are_refused(change: Any) -> None:
    with pytest.raises(RulesError, match=r"^unknown knob 'gin', did you mean gin_bonus"):
        change(gin="20")


# ---- knobs as data, and as the core reads them


def test_the_table_of_knobs() -> None:
    knobs = Rules.knobs()
    assert [knob.name for knob in knobs] == FIELDS
    assert {knob.name: knob.default for knob in knobs} == STANDARD
    assert {knob.name for knob in knobs if knob.type is bool} == set(SWITCHES)
    assert {knob.name for knob in knobs if knob.type is str} == set(CHOICES)
    assert [knob.name for knob in knobs if knob.optional] == ["big_gin_bonus"]
    for name, (least, most) in RANGES.items():
        knob = knobs[FIELDS.index(name)]
        assert knob.type is int
        assert knob.allowed == range(least, most + 1)
        assert knob.unit in ("points", "turns", "hands")
    assert len({knob.help for knob in knobs}) == len(knobs)


def test_a_knob_in_words() -> None:
    assert [str(knob) for knob in Rules.knobs() if knob.name in ("big_gin_bonus", "columns")] == [
        "big_gin_bonus=31: the same for eleven melded cards; off: no big gin; "
        "a whole number from 0 to 10000 or off (points)",
        "columns=1: columns of the score sheet; 3 is Hollywood; 1 or 3",
    ]


def test_enums() -> None:
    assert dict(ENUMS) == CHOICES
    with pytest.raises(TypeError):
        ENUMS["shutout"] = ()  # type: ignore[index]


def test_codes_of_a_preset() -> None:
    codes = dict(zip(FIELDS, Rules.preset("fifty_card").codes(), strict=True))
    assert codes == {
        **STANDARD,
        "big_gin_bonus": -1,
        "undercut_on_tie": 1,
        "game_bonus": 0,
        "box_bonus": 0,
        "box_timing": 0,
        "shutout": 2,
        "shutout_ties": 0,
        "after_two_passes": 1,
        "stock_end": 1,
        "next_dealer": 0,
        "discard_taken": 0,
        "oklahoma": 0,
        "oklahoma_ace": 0,
        "oklahoma_spades_double": 0,
    }


@given(any_rules())
def test_codes_are_plain_integers_that_tell_the_rules(made: Rules) -> None:
    codes = made.codes()
    assert all(type(code) is int for code in codes)

    def value(knob: Knob, code: int) -> Any:
        if knob.optional and code == -1:
            return None
        return ENUMS[knob.name][code] if knob.name in ENUMS else knob.type(code)

    assert (
        Rules(**{knob.name: value(knob, code) for knob, code in zip(made.knobs(), codes, strict=True)})
        == made
    )
