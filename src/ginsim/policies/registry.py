"""Specs, the text in which a policy travels, and what there is to choose from.

A spec is `NAME`, `FILE.py:Class` or `module:Class`, each with or without `:knob=value,knob=value` behind it.
`NAME` is a stock policy or one that an installed package offers.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .._version import __version__
from .info import KnobInfo, PolicyError, PolicyInfo, PolicyWarning, Value, value_text
from .knobs import guess, knobs_of, read_settings, settings_text, values_of
from .local import PolicyLike, copy_of, fresh_local, is_local, local_identity, object_of

if TYPE_CHECKING:
    from .._core import Policy as NativePolicy
    from .._policies import StockPolicy, _Knob
    from ..rules import Rules
    from .sources import PluginSource, Source

__all__ = [
    "KnobInfo",
    "PolicyError",
    "PolicyInfo",
    "PolicyWarning",
    "available",
    "check_rules",
    "find",
    "identity",
    "is_program",
    "knob_text",
    "name_of",
    "native",
    "parse_spec",
    "speed_class",
    "stays_here",
    "with_knobs",
]


def available() -> list[PolicyInfo]:
    """All policies that have a name: stock policies, then those that installed packages offer.

    The latter are not imported, so no more is told of them than where they come from. What cannot be used is
    a PolicyWarning.

    >>> simple = available()[1]
    >>> simple.name, simple.knobs[0].default
    ('simple', 'eaai')
    """
    from .sources import plugins

    offered, problems = plugins()
    usable, unused = _usable(offered)
    for problem in dict.fromkeys([*problems, *unused]):
        warnings.warn(problem, PolicyWarning, stacklevel=2)
    return [*map(_stock_info, stock().values()), *map(_unread_info, usable)]


def _usable(offered: list[PluginSource]) -> tuple[list[PluginSource], list[str]]:
    """Those of the policies of other packages that their name leads to, and what is wrong with the rest."""
    own = stock()
    usable = []
    problems = []
    for plugin in offered:
        try:
            _only(plugin.name, offered)
        except PolicyError as error:
            problems.append(str(error))
            continue
        if plugin.name in own:
            owner = f"{plugin.distribution} {plugin.version}"
            problems.append(
                f"policy {plugin.name!r} of {owner} is not used: that is the name of a stock policy; "
                f"it can be named {plugin.found.name}"
            )
        else:
            usable.append(plugin)
    return usable, problems


def find(spec: str) -> PolicyInfo:
    """All about the policy that a spec names, loaded where need be; PolicyError where there is none.

    Knobs that the spec sets are tried, so that one that is unknown or not allowed is a PolicyError, too.
    """
    if is_program(spec):
        from .external import program_info

        return program_info(spec)
    found, settings = _resolve(spec)
    if settings is not None:
        parse_spec(spec)
    return _stock_info(found) if isinstance(found, type) else _loaded_info(found)


def parse_spec(text: str) -> NativePolicy:
    """The policy that a spec names, built with its knobs; `str` of it is the canonical spec.

    Raises PolicyError for text that is no spec, an unknown policy or knob, a value that is not allowed, or a
    class that cannot be loaded or made. A spec that a running experiment holds for an object of this process
    gives a new copy of that object.

    >>> str(parse_spec("threshold: then_at=0, knock_at=7"))
    'threshold:knock_at=7'
    >>> parse_spec("treshold")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ginsim.policies.info.PolicyError: unknown policy 'treshold', did you mean threshold? allowed: ...
    """
    if not isinstance(text, str):
        raise PolicyError(f"policy spec is {text!r}; allowed: text, name or name:knob=value,knob=value")
    if is_local(text):
        from .python import adapt

        return adapt(fresh_local(text))
    if is_program(text):
        from .external import external_policy  # here and not above, to keep start-up short

        return external_policy(text)
    found, settings = _resolve(text)
    given = read_settings(text, settings) if settings is not None else {}
    if not isinstance(found, type):
        return _build(found, given)
    try:
        return found(**{knob: guess(value) for knob, value in given.items()})
    except ValueError as error:
        raise PolicyError(str(error)) from error


def native(policy: PolicyLike) -> NativePolicy:
    """The native policy that asks a policy in any form: of a spec, or of a copy of an object."""
    if isinstance(policy, str):
        return parse_spec(policy)
    from .python import adapt

    made = object_of(policy)
    return adapt(copy_of(made, str(made)))


def with_knobs(spec: str, changes: Mapping[str, str]) -> str:
    """The canonical spec of the same policy with some knobs changed; PolicyError where that cannot be.

    >>> with_knobs("threshold:knock_at=7,then_at=3", {"knock_at": "5"})
    'threshold:knock_at=5,then_at=3'
    """
    if is_local(spec) or is_program(spec):
        kind = "a program" if is_program(spec) else "an object of this process"
        raise PolicyError(f"policy {spec!r} is {kind}, which has no knobs to set; allowed: a class or a name")
    found, settings = _resolve(spec)
    name = found.NAME if isinstance(found, type) else found.name
    knobs = (read_settings(spec, settings) if settings else {}) | dict(changes)
    text = ",".join(f"{knob}={value}" for knob, value in knobs.items())
    return str(parse_spec(f"{name}:{text}"))


def name_of(spec: str) -> str:
    """The name of the policy of a spec, without its knobs.

    >>> name_of("threshold:knock_at=7")
    'threshold'
    """
    if is_local(spec) or is_program(spec):
        return spec
    found, _ = _resolve(spec)
    return found.NAME if isinstance(found, type) else found.name


def knob_text(spec: str, knob: str) -> str | None:
    """The value that a knob has in a spec, or by default; None where that is not told."""
    if is_local(spec) or is_program(spec):
        return None
    _, settings = _resolve(spec)
    given = read_settings(spec, settings) if settings else {}
    defaults = {one.name: one.default for one in find(spec).knobs}
    default = defaults.get(knob)
    return given.get(knob, None if default is None else value_text(default))


def identity(spec: str) -> dict[str, Any]:
    """What tells this version of a policy from another, as plain values; a run keeps it in run.json."""
    if is_local(spec):
        return local_identity(spec)
    if is_program(spec):
        from .external import program_identity

        return program_identity(spec)
    found, _ = _resolve(spec)
    if isinstance(found, type):
        from .._play import ENGINE

        known: dict[str, Any] = {"kind": "stock", "engine": ENGINE}
        policy = parse_spec(spec)
        files = getattr(policy, "content", None)
        clock = {"clock": True} if getattr(policy, "by_clock", False) else {}
        return known | ({"files": files} if files else {}) | clock
    known = found.identity()
    if getattr(found.load(), "row_by_row", True):
        return known
    from .._lockstep import WIDTH

    return known | {"width": WIDTH}  # its answers depend on how many hands are asked about at once


def speed_class(spec: str) -> str:
    """Which of `SPEED_CLASSES` the policy of a spec is in."""
    if is_local(spec):
        return "python"
    if is_program(spec):
        return "program"
    found, _ = _resolve(spec)
    return found.SPEED if isinstance(found, type) else _speed_of(found.load())


def check_rules(policy: NativePolicy | str, rules: Rules) -> None:
    """PolicyError where a policy, or that of a spec, cannot be played under these rules."""
    if isinstance(policy, str):
        if is_local(policy) or is_program(policy):
            return
        policy = parse_spec(policy)
    check = getattr(policy, "check_rules", None)
    if check is not None:
        try:
            check(rules)
        except ValueError as error:
            raise PolicyError(str(error)) from error


def is_program(spec: str) -> bool:
    """Whether a spec names a program, `exec:COMMAND`."""
    return spec.lstrip().startswith("exec:")


def stays_here(spec: str, kind: str) -> bool:
    """Whether the pairings of a policy are played by the caller itself under an executor of this kind.

    Those of an object of this process always; those of any policy in Python where workers are threads, which
    would only wait for each other.
    """
    if is_local(spec) or kind != "threads":
        return is_local(spec)
    if is_program(spec):
        return True
    from .._bridge import PythonPolicy

    return isinstance(parse_spec(spec), PythonPolicy)


# ---------------------------------------------------------------- from text to a class


def _resolve(text: str) -> tuple[type[StockPolicy] | Source, str | None]:
    """A stock class or where another one is, and the settings behind it."""
    head, colon, rest = text.partition(":")
    name = head.strip()
    settings = rest if colon else None
    from .._policies import STOCK  # the others bring libraries with them: only where they are meant

    own = STOCK if name in STOCK else stock()
    if name in own:
        return own[name], settings
    from .sources import FileSource, ModuleSource, plugins  # here and not above, to keep start-up short

    if file := re.fullmatch(r"\s*(.+?\.py)\s*(?::\s*([^:=,]*?)\s*(?::(.*))?)?", text, re.S):
        path, kind, settings = file.groups()
        if not kind:
            raise PolicyError(f"policy spec {text!r} names no class; allowed: {path}:Class")
        return FileSource(path, kind), settings
    offered, problems = plugins()
    if any(plugin.name == name for plugin in offered):
        return _only(name, offered), settings
    if module := re.fullmatch(r"([\w.]+):\s*([\w.]+)\s*(?::(.*))?", text.strip(), re.S):
        return ModuleSource(module[1], module[2]), module[3]
    usable, unused = _usable(offered)
    raise _unknown(name, [*own, *(plugin.name for plugin in usable)], [*problems, *unused])


def _only(name: str, offered: list[PluginSource]) -> PluginSource:
    """The one plugin of a name; PolicyError where two distributions have it."""
    found = [plugin for plugin in offered if plugin.name == name]
    if len(found) > 1:
        owners = " and ".join(f"{plugin.distribution} {plugin.version}" for plugin in found)
        instead = " or ".join(plugin.found.name for plugin in found)
        raise PolicyError(f"policy {name!r} is offered by {owners}; allowed: one of them, or name {instead}")
    return found[0]


def _unknown(name: str, names: list[str], problems: list[str]) -> PolicyError:
    import difflib  # here and not above, to keep start-up short

    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f", did you mean {near[0]}?" if near else ";"
    text = (
        f"unknown policy {name!r}{hint} allowed: {', '.join(names)}; or path/file.py:Class, or module:Class"
    )
    broken = [problem for problem in problems if name and repr(name) in problem]
    return PolicyError("; ".join([text, *broken]))


def stock() -> dict[str, type[StockPolicy]]:
    """The stock policies by name, in the order in which they are listed."""
    from .._expert import LEARNED  # here and not above, to keep start-up short
    from .._linear import SCORED
    from .._policies import STOCK
    from .._search import THINKING

    return STOCK | SCORED | LEARNED | THINKING


# ---------------------------------------------------------------- from a class to a policy


def _build(source: Source, given: dict[str, str]) -> NativePolicy:
    """A policy of a class that was found somewhere."""
    from .._core import Policy as NativePolicy
    from .python import Policy, adapt

    kind, name = source.load(), source.name
    if not isinstance(kind, type):
        return _from_function(kind, name, given)
    if issubclass(kind, Policy):
        knobs = knobs_of(kind)
        values = values_of(name, knobs, given)
        policy = _make(kind, name, values)
        settings = settings_text(knobs, values)
        policy._spec = f"{name}:{settings}" if settings else name
        return adapt(policy)
    if issubclass(kind, NativePolicy):
        values = {knob: _number(value) for knob, value in given.items()}
        settings = ",".join(f"{knob}={value_text(value)}" for knob, value in values.items())
        compiled: NativePolicy = _make(_named(kind, f"{name}:{settings}" if settings else name), name, values)
        return compiled
    raise PolicyError(f"{name} is no policy; allowed: a subclass of ginsim.Policy, or a native one")


def _from_function(make: Any, name: str, given: dict[str, str]) -> NativePolicy:
    """The policy that a function makes, say of C functions (`ginsim.capi.policy`)."""
    from .._core import Policy as NativePolicy

    values = {knob: _number(value) for knob, value in given.items()}
    settings = ",".join(f"{knob}={value_text(value)}" for knob, value in values.items())
    made = _make(make, name, values) if callable(make) else None
    if not isinstance(made, NativePolicy) or not hasattr(made, "spec"):
        raise PolicyError(
            f"{name} is no policy; allowed: a subclass of ginsim.Policy, or a function that makes one"
        )
    made.spec = f"{name}:{settings}" if settings else name
    return made


def _make(kind: Any, name: str, values: dict[str, Value]) -> Any:
    try:
        return kind(**values)
    except (TypeError, ValueError) as error:
        raise PolicyError(f"policy {name} cannot be made: {error}") from error


def _number(text: str) -> Value:
    """A knob of a compiled class, which does not tell its types: what the text looks like."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return float(text) if isinstance(value := guess(text), str) else value
    except ValueError:
        return text


def _named(kind: type[NativePolicy], spec: str) -> type[NativePolicy]:
    """A native class whose objects say their spec."""
    return type(kind.__name__, (kind,), {"__doc__": kind.__doc__, "__str__": lambda self: spec})


# ---------------------------------------------------------------- what is told


def _stock_info(policy: type[StockPolicy]) -> PolicyInfo:
    paragraphs, source = _paragraphs(policy)
    return PolicyInfo(
        name=policy.NAME,
        summary=paragraphs[0],
        description="\n\n".join(paragraphs),
        source=source,
        knobs=tuple(_knob_info(name, about) for name, about in policy.KNOBS.items()),
        distribution="ginsim-rummy",
        version=__version__,
        speed=policy.SPEED,
    )


def _unread_info(plugin: PluginSource) -> PolicyInfo:
    return PolicyInfo(plugin.name, "", "", plugin.found.name, (), plugin.distribution, plugin.version)


def _loaded_info(source: Source) -> PolicyInfo:
    from .python import Policy

    kind = source.load()
    paragraphs, said = _paragraphs(kind)
    known = source.identity()
    return PolicyInfo(
        name=source.name,
        summary=" ".join(paragraphs[0].split()) if paragraphs else "",
        description="\n\n".join(paragraphs),
        source=said or known["kind"],
        knobs=knobs_of(kind) if isinstance(kind, type) and issubclass(kind, Policy) else (),
        distribution=known.get("distribution"),
        version=known.get("version"),
        speed=_speed_of(kind),
    )


def _speed_of(kind: Any) -> str:
    """The speed class of what was found: a class, or a function that makes a policy of C functions."""
    from .._lockstep import Batch
    from .python import Policy

    if isinstance(kind, type) and issubclass(kind, Batch):
        return "batch"
    return "python" if isinstance(kind, type) and issubclass(kind, Policy) else "compiled"


def _paragraphs(kind: Any) -> tuple[list[str], str]:
    """A docstring: its paragraphs but "Source:" and "Knobs:", and the source."""
    import inspect  # here and not above, to keep start-up short

    paragraphs = inspect.cleandoc(kind.__doc__ or "").split("\n\n")
    source = next((text.removeprefix("Source: ") for text in paragraphs if text.startswith("Source: ")), "")
    plain = [text for text in paragraphs if text and not text.startswith(("Source: ", "Knobs: "))]
    return plain, " ".join(source.split())


def _knob_info(name: str, about: _Knob) -> KnobInfo:
    if len(about) == 3:
        return KnobInfo(name, about[0], str if callable(about[1]) else about[1], about[2])
    return KnobInfo(name, about[0], range(about[1], about[2] + 1), about[3])
