"""The knobs of a class: its constructor's keywords, from text and back."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, get_args, get_origin

from .info import KnobInfo, PolicyError, Value, value_text

TYPES: dict[object, type[Value]] = {kind: kind for kind in (bool, int, float, str)}
TYPES |= {kind.__name__: kind for kind in (bool, int, float, str)}


def read_settings(text: str, settings: str) -> dict[str, str]:
    """`knob=value,knob=value` as a dict of texts; `text` is the whole spec, for errors."""
    knobs: dict[str, str] = {}
    for setting in settings.split(","):
        knob, equals, value = (part.strip() for part in setting.partition("="))
        if not (knob and equals and value):
            raise PolicyError(f"policy spec is {text!r}; allowed: name or name:knob=value,knob=value")
        if knob in knobs:
            raise PolicyError(f"policy spec {text!r} sets {knob} twice; allowed: each knob once")
        knobs[knob] = value
    return knobs


def guess(value: str) -> int | str:
    """A whole number where the text is one, else the text."""
    return int(value) if re.fullmatch("[+-]?[0-9]{1,18}", value) else value


def keywords_of(kind: type) -> list[inspect.Parameter]:
    """The parameters of a class's constructor after `self`."""
    init: Callable[..., None] = kind.__init__  # type: ignore[misc]
    try:
        signature = inspect.signature(init, eval_str=True)
    except NameError:  # an annotation that names what is there for type checkers only
        signature = inspect.signature(init)
    return list(signature.parameters.values())[1:]


def knobs_of(kind: type) -> tuple[KnobInfo, ...]:
    """The knobs that a class's constructor has, by its annotations and defaults.

    A keyword is a knob where its annotation or, without one, its default is bool, int, float or str, or where
    it is annotated as a Literal of texts. `KNOB_HELP`, a dict of the class, may say what they mean.
    """
    helps = getattr(kind, "KNOB_HELP", {})
    knobs = []
    for parameter in keywords_of(kind):
        allowed = _allowed(parameter)
        if allowed is not None:
            default = None if parameter.default is parameter.empty else parameter.default
            knobs.append(KnobInfo(parameter.name, default, allowed, helps.get(parameter.name, "")))
    return tuple(knobs)


def _allowed(parameter: inspect.Parameter) -> tuple[str, ...] | type[Value] | None:
    if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
        return None
    said = parameter.annotation
    if get_origin(said) is Literal and all(isinstance(choice, str) for choice in get_args(said)):
        return get_args(said)
    if said is not parameter.empty:
        return TYPES.get(said) if isinstance(said, (type, str)) else None
    return TYPES.get(type(parameter.default))


def values_of(policy: str, knobs: Iterable[KnobInfo], given: Mapping[str, str]) -> dict[str, Value]:
    """The texts of a spec as values; PolicyError for an unknown or missing knob or a wrong value."""
    known = {knob.name: knob for knob in knobs}
    for name in given:
        if not known:
            raise PolicyError(f"policy {policy} has no knob {name!r}: it has no knobs at all")
        if name not in known:
            raise PolicyError(
                f"policy {policy} has no knob {name!r}{_near(name, known)} allowed: {_all(known)}"
            )
    for knob in known.values():
        if knob.default is None and knob.name not in given:
            raise PolicyError(f"policy {policy} needs a knob {knob.name}; allowed: {_all(known)}")
    return {name: _value(policy, known[name], text) for name, text in given.items()}


def _near(name: str, known: Mapping[str, KnobInfo]) -> str:
    import difflib  # here and not above, to keep start-up short

    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f", did you mean {near[0]}?" if near else ";"


def _all(known: Mapping[str, KnobInfo]) -> str:
    return "; ".join(f"{knob.name}: {knob.allowed_text}" for knob in known.values())


def _value(policy: str, knob: KnobInfo, text: str) -> Value:
    kind = knob.allowed
    if isinstance(kind, tuple):
        if text in kind:
            return text
    elif kind is bool:
        if text.lower() in ("true", "false"):
            return text.lower() == "true"
    elif kind is int:
        if re.fullmatch("[+-]?[0-9]{1,18}", text):
            return int(text)
    elif kind is float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if math.isfinite(number):
            return number
    else:
        return text
    raise PolicyError(f"policy {policy}: {knob.name} is {text!r}; allowed: {knob.allowed_text}")


def settings_text(knobs: Iterable[KnobInfo], values: Mapping[str, Any]) -> str | None:
    """The part of a spec that says where values differ from the defaults, in the order of the knobs.

    None where a value cannot be said in a spec: it is no knob's, or of another type, or text with a comma.
    """
    known = {knob.name: knob for knob in knobs}
    if any(name not in known for name in values):
        return None
    parts = []
    for name, knob in known.items():
        value = values.get(name, knob.default)
        if value is None or not _sayable(knob, value):
            return None
        if value != knob.default:
            parts.append(f"{name}={value_text(_plain(knob, value))}")
    return ",".join(parts)


def _plain(knob: KnobInfo, value: Any) -> Value:
    """The value in the knob's own type, so that 1 and 1.0 are one spec."""
    plain: Value = float(value) if knob.allowed is float else value
    return plain


def _sayable(knob: KnobInfo, value: Any) -> bool:
    if isinstance(knob.allowed, tuple):
        return value in knob.allowed
    if knob.allowed is str:
        return isinstance(value, str) and bool(value) and value == value.strip() and "," not in value
    if knob.allowed is float:
        return type(value) in (int, float) and math.isfinite(value)
    return type(value) is knob.allowed
