"""The rules of the game: one frozen `Rules` object whose fields are the knobs, and the named presets.

A game is played by one `Rules`. It is checked when it is built, printed in every report and stored in every
run; each knob can be set and swept from the command line.

>>> rules = Rules.preset("classic").replace(undercut_bonus=25)
>>> rules.describe()
'classic with undercut_bonus=25'
>>> rules.difference(Rules.preset("classic"))
{'undercut_bonus': (25, 10)}
>>> Rules.from_json(rules.to_json()) == Rules.from_toml(rules.to_toml()) == rules
True
>>> Rules(knock_limit=99)
Traceback (most recent call last):
ginsim.rules.RulesError: knock_limit is 99; allowed: a whole number from 0 to 98 (points)
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import operator
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, TypeAlias, cast

__all__ = ["ENUMS", "Knob", "Rules", "RulesError", "as_rules", "parse_knob"]

Value: TypeAlias = int | bool | str | None
"""What a knob may hold; None is off."""

_SWITCHES = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class RulesError(ValueError):
    """Rules that cannot be: names the knob, its value and what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """One knob of the rules as data: what the command line lists and reads.

    >>> print(Rules.knobs()[0])
    knock_limit=10: most deadwood a knocker may show, 0 is gin only; a whole number from 0 to 98 (points)
    """

    name: str
    default: Value
    allowed: range | tuple[Value, ...]
    """A range of whole numbers, or the choices."""
    optional: bool
    """Whether it may also be off (None)."""
    unit: str
    """Empty where the value has none."""
    help: str

    @property
    def type(self) -> type:
        """int, bool or str; an optional knob may also hold None."""
        return type(self.allowed[0])

    @property
    def allowed_text(self) -> str:
        """What is allowed, in words and with the unit."""
        if isinstance(self.allowed, range):
            text = f"a whole number from {self.allowed[0]} to {self.allowed[-1]}"
        else:
            text = " or ".join(map(value_text, self.allowed))
        return text + " or off" * self.optional + f" ({self.unit})" * bool(self.unit)

    def check(self, value: Any) -> Value:
        """`value` as the rules hold it, an integer of any kind as int; `RulesError` if it is not allowed."""
        if value is None and self.optional:
            return None
        if self.type is int and not isinstance(value, bool):
            with contextlib.suppress(TypeError):
                value = operator.index(value)
        if type(value) is self.type and value in self.allowed:
            return cast("Value", value)
        raise RulesError(f"{self.name} is {value!r}; allowed: {self.allowed_text}")

    def parse(self, text: str) -> Value:
        """The value that `text` names in upper or lower case, as on a command line; `RulesError` if none."""
        word = text.strip().lower()
        value: Value = text
        if self.optional and word == "off":
            value = None
        elif self.type is bool:
            value = _SWITCHES.get(word, text)
        elif self.type is str:
            value = word if word in self.allowed else text
        elif re.fullmatch("[+-]?[0-9]{1,18}", word):
            value = int(word)
        return self.check(value)

    def code(self, value: Value) -> int:
        """`value` as the core reads it: off is -1, a text its place in `ENUMS`, a switch 0 or 1."""
        if value is None:
            return -1
        return ENUMS[self.name].index(value) if isinstance(value, str) else int(value)

    def __str__(self) -> str:
        return f"{self.name}={value_text(self.default)}: {self.help}; {self.allowed_text}"


def _knob(
    default: Value, allowed: range | tuple[Value, ...], help: str, unit: str = "", optional: bool = False
) -> Any:
    """A field of `Rules`; what `Knob` adds to a dataclass field travels in its metadata."""
    about = {"allowed": allowed, "help": help, "unit": unit, "optional": optional}
    return field(default=default, metadata=about)


def _number(default: int, least: int, most: int, unit: str, help: str) -> Any:
    return _knob(default, range(least, most + 1), help, unit)


def _bonus(default: int, help: str, optional: bool = False) -> Any:
    return _knob(default, range(10_001), help, "points", optional)


def _switch(default: bool, help: str) -> Any:
    return _knob(default, (False, True), help)


def _choice(allowed: tuple[Value, ...], help: str) -> Any:
    """The first of the choices is the default."""
    return _knob(allowed[0], allowed, help)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of a game. The defaults are the preset `standard`; immutable and hashable.

    Each field below is a knob with its default, what it allows, its unit and its meaning; `Rules.knobs()` is
    the same table as data. Integers of any kind (numpy's too) are taken, other types only as they stand: text
    is converted by `from_text`. Raises `RulesError` for a value that is not allowed and for a knob that
    cannot matter under the others: `knock_limit` under Oklahoma, Oklahoma's own knobs without it, and
    `shutout_bonus` without a flat shutout.

    >>> Rules(oklahoma=True, knock_limit=5)
    Traceback (most recent call last):
    ginsim.rules.RulesError: knock_limit is 5; allowed: 10 (with oklahoma=true the first upcard is the limit)
    """

    knock_limit: int = _number(10, 0, 98, "points", "most deadwood a knocker may show, 0 is gin only")

    # Points of a hand.
    gin_bonus: int = _bonus(25, "added to the opponent's deadwood for gin")
    big_gin_bonus: int | None = _bonus(31, "the same for eleven melded cards; off: no big gin", optional=True)
    undercut_bonus: int = _bonus(25, "added to the difference for a defender who undercuts")
    undercut_on_tie: bool = _switch(True, "an equal count is an undercut; false: it scores nothing")

    # Points of a game.
    target: int = _number(100, 1, 100_000, "points", "score that ends the game")
    game_bonus: int = _bonus(100, "for the player who reached the target")
    box_bonus: int = _bonus(25, "for each hand won, to each player")
    box_timing: str = _choice(("end", "immediate"), "boxes count at the end, or at once toward target")
    shutout: str = _choice(("double", "flat", "none"), "every hand won: points twice, or a bonus")
    shutout_bonus: int = _bonus(100, "the bonus of a flat shutout")
    shutout_ties: bool = _switch(False, "a shutout survives hands without a winner")

    # The course of a hand, then of a game.
    after_two_passes: str = _choice(("either", "stock"), "first draw: upcard or stock, or stock only")
    stock_end: str = _choice(
        ("void", "last_discard", "exhaust"),
        "with two stock cards left: no more; last discard may be taken to knock; or play to the last card",
    )
    next_dealer: str = _choice(
        ("alternate", "winner", "loser", "alternate_scored"),
        "in turn; winner or loser of the last hand; or in turn, but only after a hand with a winner",
    )
    discard_taken: bool = _switch(False, "the card just taken from the pile may be discarded")
    columns: int = _choice((1, 3), "columns of the score sheet; 3 is Hollywood")

    # Oklahoma.
    oklahoma: bool = _switch(False, "the value of the first upcard is the hand's knock limit")
    oklahoma_ace: str = _choice(("one", "gin"), "the limit under an ace: one point, or gin only")
    oklahoma_spades_double: bool = _switch(False, "a spade upcard doubles all points of the hand")

    # An end to what would not end.
    max_turns: int = _number(200, 2, 250, "turns", "turns of both players after which a hand is cut")
    max_hands: int = _number(1000, 1, 1000, "hands", "hands after which a game is unfinished")

    def __post_init__(self) -> None:
        for knob in _KNOBS.values():
            object.__setattr__(self, knob.name, knob.check(getattr(self, knob.name)))
        for name, idle, why in (
            ("knock_limit", self.oklahoma, "with oklahoma=true the first upcard is the limit"),
            ("oklahoma_ace", not self.oklahoma, "anything else needs oklahoma=true"),
            ("oklahoma_spades_double", not self.oklahoma, "anything else needs oklahoma=true"),
            ("shutout_bonus", self.shutout != "flat", "anything else needs shutout=flat"),
        ):
            value, default = getattr(self, name), _KNOBS[name].default
            if idle and value != default:
                raise RulesError(f"{name} is {value_text(value)}; allowed: {value_text(default)} ({why})")

    @staticmethod
    def knobs() -> tuple[Knob, ...]:
        """All knobs, in the order of the fields."""
        return tuple(_KNOBS.values())

    @staticmethod
    def presets() -> tuple[str, ...]:
        """Names of the presets, `standard` first.

        >>> Rules.presets()
        ('standard', 'oklahoma', 'straight', 'hollywood', 'classic', 'palace', 'eaai', 'fifty_card')
        """
        return tuple(_PRESETS)

    @staticmethod
    def preset(name: str) -> Rules:
        """The preset of that name; `RulesError` with the names if there is none."""
        if name not in _PRESETS:
            raise _unknown("preset", name, _PRESETS)
        return _PRESETS[name]

    @property
    def preset_name(self) -> str | None:
        """Name of the preset that these rules equal, or None."""
        return next((name for name, preset in _PRESETS.items() if preset == self), None)

    def difference(self, other: Rules) -> dict[str, tuple[Value, Value]]:
        """The knobs that differ, each as (value here, value in `other`), in the order of the fields."""
        pairs = {name: (getattr(self, name), getattr(other, name)) for name in _KNOBS}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}

    def describe(self) -> str:
        """The preset with the fewest differing knobs (the first of equals) and what differs from it.

        >>> Rules(undercut_bonus=10, big_gin_bonus=None).describe()
        'standard with big_gin_bonus=off, undercut_bonus=10'
        """
        nearest, changes = self._from_nearest()
        return f"{nearest} with {', '.join(changes)}" if changes else nearest

    def as_options(self) -> str:
        """The same as options of the command line.

        >>> Rules(undercut_bonus=10).as_options()
        '--rules standard --set undercut_bonus=10'
        """
        nearest, changes = self._from_nearest()
        return " ".join([f"--rules {nearest}", *(f"--set {change}" for change in changes)])

    def _from_nearest(self) -> tuple[str, list[str]]:
        nearest = min(_PRESETS, key=lambda name: len(self.difference(_PRESETS[name])))
        differing = self.difference(_PRESETS[nearest])
        return nearest, [f"{name}={value_text(mine)}" for name, (mine, _) in differing.items()]

    def replace(self, **knobs: Any) -> Rules:
        """These rules with some knobs changed; `RulesError` for an unknown knob or a refused value."""
        for name in knobs:
            _find(name)
        return dataclasses.replace(self, **knobs)

    def codes(self) -> tuple[int, ...]:
        """Every knob as an integer (`Knob.code`), in the order of the fields: what the core reads."""
        return tuple(knob.code(getattr(self, knob.name)) for knob in _KNOBS.values())

    @classmethod
    def from_text(cls, texts: Mapping[str, str], base: Rules | None = None) -> Rules:
        """`base` (default `standard`) with knobs set from text, as on a command line.

        >>> Rules.from_text({"big_gin_bonus": "off", "columns": "3"}).describe()
        'hollywood with big_gin_bonus=off'
        """
        return (base or cls()).replace(**{name: _find(name).parse(text) for name, text in texts.items()})

    def to_dict(self) -> dict[str, int | bool | str]:
        """All knobs as plain values, the same for JSON and TOML: a bonus that is off is the text `off`."""
        values = {name: getattr(self, name) for name in _KNOBS}
        return {name: "off" if value is None else value for name, value in values.items()}

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> Rules:
        """The rules that `to_dict` wrote; knobs left out are `standard`, unknown ones are refused."""
        if not isinstance(values, Mapping):
            raise RulesError(f"rules are {values!r}; allowed: a table of knobs and their values")
        off = [name for name, value in values.items() if _find(name).optional and value == "off"]
        return cls().replace(**{**values, **dict.fromkeys(off)})

    def to_json(self) -> str:
        """All knobs as a JSON object, one a line."""
        return json.dumps(self.to_dict(), indent=2)

    @classmethod
    def from_json(cls, text: str) -> Rules:
        """The rules in a JSON object, read as `from_dict` does; `RulesError` if it is no JSON."""
        try:
            values = json.loads(text)
        except ValueError as error:
            raise RulesError(f"rules are not valid JSON: {error}") from error
        return cls.from_dict(values)

    def to_toml(self) -> str:
        """All knobs as TOML, one a line, under a comment that describes them."""
        # TOML and JSON write whole numbers, switches and plain texts alike.
        lines = [f"{name} = {json.dumps(value)}" for name, value in self.to_dict().items()]
        return "\n".join([f"# {self.describe()}", *lines, ""])

    @classmethod
    def from_toml(cls, text: str) -> Rules:
        """The rules in TOML, read as `from_dict` does; `RulesError` if it is no TOML."""
        import tomllib  # here and not above, to keep start-up short

        try:
            values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise RulesError(f"rules are not valid TOML: {error}") from error
        return cls.from_dict(values)


def as_rules(rules: Rules | str) -> Rules:
    """`rules` itself, or the preset of that name; `RulesError` for what is neither."""
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, str):
        return Rules.preset(rules)
    raise RulesError(f"rules are {rules!r}; allowed: a Rules, or one of {', '.join(Rules.presets())}")


def parse_knob(text: str) -> tuple[str, Value]:
    """Name and value of one knob written `knob=value`; `RulesError` for what is no knob or not allowed.

    >>> parse_knob("undercut_bonus=10"), parse_knob("big_gin_bonus = off")
    (('undercut_bonus', 10), ('big_gin_bonus', None))
    >>> parse_knob("undercut=10")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ginsim.rules.RulesError: unknown knob 'undercut', did you mean undercut_bonus? allowed: knock_limit, ...
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise RulesError(f"rule setting is {text!r}; allowed: knob=value, such as undercut_bonus=10")
    name = name.strip()
    return name, _find(name).parse(value)


def value_text(value: Value) -> str:
    """A value as it is written on the command line."""
    if value is None:
        return "off"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _find(name: str) -> Knob:
    if name not in _KNOBS:
        raise _unknown("knob", name, _KNOBS)
    return _KNOBS[name]


def _unknown(what: str, name: str, names: Iterable[str]) -> RulesError:
    import difflib  # here and not above, to keep start-up short

    near = difflib.get_close_matches(str(name), names, n=1, cutoff=0.5)
    hint = f", did you mean {near[0]}?" if near else ";"
    return RulesError(f"unknown {what} {name!r}{hint} allowed: {', '.join(names)}")


_KNOBS = {f.name: Knob(name=f.name, default=cast("Value", f.default), **f.metadata) for f in fields(Rules)}

ENUMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {name: tuple(map(value_text, knob.allowed)) for name, knob in _KNOBS.items() if knob.type is str}
)
"""The texts of each knob that has texts; the code of a text is its place here."""

# The protocol of the EAAI-2021 challenge, whose published figures ginsim compares with.
_EAAI = Rules(
    big_gin_bonus=None,
    game_bonus=0,
    box_bonus=0,
    shutout="none",
    after_two_passes="stock",
    next_dealer="alternate_scored",
)

_PRESETS = {
    "standard": Rules(),
    "oklahoma": Rules(oklahoma=True, oklahoma_spades_double=True),
    "straight": Rules(knock_limit=0),
    "hollywood": Rules(columns=3),
    "classic": Rules(
        gin_bonus=20,
        big_gin_bonus=None,
        undercut_bonus=10,
        box_bonus=20,
        shutout="flat",
        shutout_ties=True,
        after_two_passes="stock",
        next_dealer="winner",
    ),
    "palace": Rules(
        big_gin_bonus=None,
        undercut_bonus=20,
        game_bonus=0,
        box_bonus=10,
        box_timing="immediate",
        shutout="none",
        after_two_passes="stock",
    ),
    "eaai": _EAAI,
    "fifty_card": _EAAI.replace(stock_end="last_discard", next_dealer="alternate"),
}
