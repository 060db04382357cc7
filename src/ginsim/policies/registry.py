"""Specs, the text in which a policy travels: `name` or `name:knob=value,knob=value`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from .._core import Policy
    from .._policies import StockPolicy

__all__ = ["KnobInfo", "PolicyError", "PolicyInfo", "available", "find", "parse_spec"]

Value: TypeAlias = int | str
"""What a policy's knob may hold."""


class PolicyError(ValueError):
    """A spec that names no policy: says what is wrong with it and what is allowed."""


@dataclass(frozen=True, slots=True)
class KnobInfo:
    """One knob of a policy."""

    name: str
    default: Value
    allowed: range | tuple[str, ...]
    """A range of whole numbers, or the choices."""
    help: str

    def __str__(self) -> str:
        if isinstance(self.allowed, range):
            allowed = f"{self.allowed[0]} to {self.allowed[-1]}"
        else:
            allowed = " or ".join(self.allowed)
        return f"{self.name}={self.default}: {self.help}; {allowed}"


@dataclass(frozen=True, slots=True)
class PolicyInfo:
    """A policy to choose: its name, what it does in a line and in full, where it comes from, its knobs."""

    name: str
    summary: str
    description: str
    source: str
    knobs: tuple[KnobInfo, ...]


def available() -> list[PolicyInfo]:
    """All policies that a spec can name.

    >>> simple = available()[1]
    >>> simple.name, simple.knobs[0].default
    ('simple', 'eaai')
    """
    return [_info(policy) for policy in _stock().values()]


def find(name: str) -> PolicyInfo:
    """All about the policy of a name; PolicyError where there is none."""
    return _info(_find(name))


def parse_spec(text: str) -> Policy:
    """The policy that a spec names, built with its knobs; `str` of it is the canonical spec.

    Raises PolicyError for text that is no spec, an unknown policy or knob, or a value that is not allowed.

    >>> str(parse_spec("threshold: then_at=0, knock_at=7"))
    'threshold:knock_at=7'
    >>> parse_spec("treshold")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ginsim.policies.registry.PolicyError: unknown policy 'treshold', did you mean threshold? allowed: ...
    """
    if not isinstance(text, str):
        raise PolicyError(f"policy spec is {text!r}; allowed: text, name or name:knob=value,knob=value")
    if text.lstrip().startswith("exec:"):
        from .external import external_policy  # here and not above, to keep start-up short

        return external_policy(text)
    name, colon, settings = text.partition(":")
    policy = _find(name.strip())
    knobs: dict[str, Value] = {}
    for setting in settings.split(",") if colon else ():
        knob, equals, value = (part.strip() for part in setting.partition("="))
        if not (knob and equals and value):
            raise PolicyError(f"policy spec is {text!r}; allowed: name or name:knob=value,knob=value")
        if knob in knobs:
            raise PolicyError(f"policy spec {text!r} sets {knob} twice; allowed: each knob once")
        knobs[knob] = int(value) if re.fullmatch("[+-]?[0-9]{1,18}", value) else value
    try:
        return policy(**knobs)
    except ValueError as error:
        raise PolicyError(str(error)) from error


def _stock() -> dict[str, type[StockPolicy]]:
    from .._policies import STOCK  # here and not above, to keep start-up short

    return STOCK


def _find(name: str) -> type[StockPolicy]:
    import difflib  # here and not above, to keep start-up short

    stock = _stock()
    if name in stock:
        return stock[name]
    near = difflib.get_close_matches(name, stock, n=1, cutoff=0.5)
    hint = f", did you mean {near[0]}?" if near else ";"
    raise PolicyError(f"unknown policy {name!r}{hint} allowed: {', '.join(stock)}")


def _info(policy: type[StockPolicy]) -> PolicyInfo:
    import inspect  # here and not above, to keep start-up short

    paragraphs = inspect.cleandoc(policy.__doc__ or "").split("\n\n")
    source = next(text.removeprefix("Source: ") for text in paragraphs if text.startswith("Source: "))
    return PolicyInfo(
        name=policy.NAME,
        summary=paragraphs[0],
        description="\n\n".join(text for text in paragraphs if not text.startswith(("Source: ", "Knobs: "))),
        source=" ".join(source.split()),
        knobs=tuple(_knob_info(name, about) for name, about in policy.KNOBS.items()),
    )


def _knob_info(name: str, about: tuple[int, int, int, str] | tuple[str, tuple[str, ...], str]) -> KnobInfo:
    if len(about) == 3:
        return KnobInfo(name, about[0], about[1], about[2])
    return KnobInfo(name, about[0], range(about[1], about[2] + 1), about[3])
