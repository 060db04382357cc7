"""`--config FILE`: options from a file. The command line beats the file, and the file the defaults."""

from __future__ import annotations

import difflib
import functools
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ..rules import Rules, RulesError
from .common import FILE_RULES

NOT_IN_FILES = {"config", "as_json", "quiet", "preset", "settings", "help"}
CONFIG = "ginsim.config"  # in click's Context.meta


class ConfigError(ValueError):
    """A file of options that cannot be: names the file, the key, its value and what is allowed."""


class SpecType(click.types.StringParamType):
    """A policy's spec; in a file also a table of its name and knobs."""

    name = "spec"


SPEC = SpecType()


class VaryType(click.types.StringParamType):
    """A knob and its values as `KNOB=VALUES`; in a file all of them may be one table."""

    name = "vary"


VARY = VaryType()


@dataclass(frozen=True, slots=True)
class _Config:
    """A file that was read: its options as click takes them, by parameter."""

    path: Path
    options: dict[str, Any]


def config_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """--config FILE, for a command of any options; a mistake in the file is told with its name."""

    @click.option(
        "--config",
        type=click.Path(path_type=Path),
        metavar="FILE",
        is_eager=True,
        expose_value=False,
        callback=_read,
        help="Options from a TOML file, such as `ginsim init` writes; those given here beat it.",
    )
    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except ValueError as error:
            _blame_file(click.get_current_context(), error)
            raise

    return wrapped


def _read(ctx: click.Context, parameter: click.Parameter, path: Path | None) -> None:
    """Have a file's options stand for the defaults."""
    if path is None:
        return
    values = _toml(path)
    try:
        _check_command(ctx, values.pop("command", None))
        parameters = {p.name: p for p in ctx.command.params if p.name not in NOT_IN_FILES}
        takes_rules = any(p.name == "preset" for p in ctx.command.params)
        _check_keys(values, [*map(str, parameters), *["rules"] * takes_rules])
        if "rules" in values:
            ctx.meta[FILE_RULES] = rules_in(values.pop("rules"))
        options = {key: _option(parameters[key], key, value) for key, value in values.items()}
    except ConfigError as error:
        raise ConfigError(f"config {str(path)!r}: {error}") from None
    ctx.meta[CONFIG] = _Config(path, options)
    ctx.default_map = options


def replaces(*names: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """The callback of an option that does not go with others: on the command line it drops them from a file.

    click asks for the options of the command line first, and only then for those that are left.
    """

    def drop(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
        config: _Config | None = ctx.meta.get(CONFIG)
        given = ctx.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE
        if config is not None and given:
            for name in names:
                config.options.pop(name, None)  # which is click's default_map, too
        return value

    return drop


def _toml(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:  # ValueError: no TOML, no UTF-8, a path with a null byte
        reason = (isinstance(error, OSError) and error.strerror) or error
        raise ConfigError(f"config {str(path)!r} cannot be read: {reason}") from None


def _check_command(ctx: click.Context, name: object) -> None:
    if name not in (None, ctx.command.name):
        raise ConfigError(f"command is {name!r}; allowed: {ctx.command.name!r}, which reads it")


def _check_keys(values: Iterable[str], allowed: list[str]) -> None:
    for key in values:
        if key not in allowed:
            near = difflib.get_close_matches(key.replace("-", "_"), allowed, n=1, cutoff=0.5)
            hint = f", did you mean {near[0]}?" if near else ";"
            raise ConfigError(f"unknown key {key!r}{hint} allowed: command, {', '.join(allowed)}")


def _option(parameter: click.Parameter, key: str, value: Any) -> Any:
    """The value of one option; ConfigError unless it is of the option's type."""
    if not parameter.multiple and parameter.nargs == 1:
        return _single(parameter.type, key, value)
    if isinstance(parameter.type, VaryType) and isinstance(value, dict):
        value = list(_varied(key, value))
    if not isinstance(value, list):
        raise _refused(key, value, "a list, such as [...]")
    if parameter.nargs > 1 and len(value) != parameter.nargs:
        raise _refused(key, value, f"a list of {parameter.nargs}")
    # An option of several values has a type for each, such as two numbers.
    kinds = parameter.type.types if isinstance(parameter.type, click.Tuple) else repeat(parameter.type)
    return [
        _single(kind, f"{key}[{number}]", one)
        for number, (kind, one) in enumerate(zip(kinds, value, strict=False))
    ]


def _single(kind: click.ParamType[Any], key: str, value: Any) -> Any:
    if isinstance(kind, SpecType):
        return spec_in(key, value)
    if isinstance(kind, click.Choice):
        fits, allowed = value in kind.choices, " or ".join(f'"{choice}"' for choice in kind.choices)
    elif isinstance(kind, click.types.BoolParamType):
        fits, allowed = isinstance(value, bool), "true or false"
    elif isinstance(kind, click.types.IntParamType):
        fits, allowed = type(value) is int, "a whole number"
    elif isinstance(kind, click.types.FloatParamType):
        fits, allowed = type(value) in (int, float), "a number"
    else:
        fits, allowed = isinstance(value, str), "a text"
    if not fits:
        raise _refused(key, value, allowed)
    try:
        kind.convert(value, None, None)
    except click.BadParameter as error:  # say, out of its range
        raise ConfigError(f"{key} is {value!r}: {error.message}") from None
    return os.path.expanduser(value) if isinstance(kind, click.Path) else value  # no shell reads the file


def spec_in(key: str, value: Any) -> str:
    """The spec of a policy given as text, or as a table of its name and knobs.

    >>> spec_in("policies[0]", {"name": "threshold", "knock_at": 5})
    'threshold:knock_at=5'
    """
    from ..policies import PolicyError, parse_spec

    try:
        spec = _joined(key, value) if isinstance(value, dict) else value
        if not isinstance(spec, str):
            raise _refused(key, value, 'a spec, or a table such as {name = "threshold", knock_at = 5}')
        parse_spec(spec)
    except PolicyError as error:
        raise ConfigError(f"{key}: {error}") from None
    return spec


def _joined(key: str, table: Mapping[str, Any]) -> str:
    """A table of a name and knobs as a spec."""
    name = table.get("name")
    knobs = {knob: value for knob, value in table.items() if knob != "name"}
    if not isinstance(name, str) or (":" in name and name.lstrip().startswith("exec:") and knobs):
        raise _refused(f"{key}.name", name, "a policy's name (a program's options stand in its spec)")
    for knob, value in knobs.items():
        if not isinstance(value, (bool, int, float, str)) or "," in str(value):
            raise _refused(f"{key}.{knob}", value, "true or false, a number, or a text without a comma")
    settings = ",".join(
        f"{knob}={str(value).lower() if isinstance(value, bool) else value}" for knob, value in knobs.items()
    )
    return f"{name}:{settings}" if settings else name


def _varied(key: str, table: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """A table of knobs and their values as texts; a policy's may lie in a table of its name."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _varied(key, value, f"{prefix}{name}.")
            continue
        values = value if isinstance(value, list) else [value]
        if not all(isinstance(one, (bool, int, float, str)) for one in values):
            raise _refused(f"{key}.{prefix}{name}", value, 'values as "0:50:5" or [0, 10, 25]')
        yield f"{prefix}{name}=" + ",".join(
            str(one).lower() if one is True or one is False else str(one) for one in values
        )


def rules_in(value: Any) -> Rules:
    """Rules given as the name of a preset, or as a table of `preset` and knobs.

    >>> rules_in({"preset": "classic", "undercut_bonus": 25}).describe()
    'classic with undercut_bonus=25'
    """
    if isinstance(value, str):
        value = {"preset": value}
    if not isinstance(value, dict):
        raise _refused("rules", value, "a preset's name, or a table of preset and knobs")
    preset = value.get("preset", "standard")
    if not isinstance(preset, str):
        raise _refused("rules.preset", preset, ", ".join(Rules.presets()))
    knobs = {knob: setting for knob, setting in value.items() if knob != "preset"}
    try:
        return Rules.from_dict(Rules.preset(preset).to_dict() | knobs)
    except RulesError as error:
        raise ConfigError(f"rules: {error}") from None


def _refused(key: str, value: Any, allowed: str) -> ConfigError:
    return ConfigError(f"{key} is {value!r}; allowed: {allowed}")


def _blame_file(ctx: click.Context, error: ValueError) -> None:
    """ConfigError where a value that is refused later, as out of its range, came from the file.

    All refusals have one form: the name, its value, and what is allowed.
    """
    config: _Config | None = ctx.meta.get(CONFIG)
    if config is None or not type(error).__module__.startswith("ginsim."):
        return
    for key in config.options:
        from_file = ctx.get_parameter_source(key) is ParameterSource.DEFAULT_MAP
        if from_file and re.match(rf"(number of )?{key} (is|has)\b", str(error)):
            raise ConfigError(f"config {str(config.path)!r}: {error}") from error
