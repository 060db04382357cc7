"""Specs: what they build, how they are written, what is refused and how."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginsim.policies import PolicyError, available, find, parse_spec
from ginsim.policies.registry import stock

NAMES = [
    "random",
    "simple",
    "greedy",
    "threshold",
    "gin_only",
    "early",
    "keeper",
    "cautious",
    "marjj",
    "linear",
    "expert",
    "search",
]
STOCK = stock()


STOCK_INFOS = [find(name) for name in NAMES if name != "search"]  # whose knobs exclude each other


@st.composite
def settings(draw: st.DrawFn) -> tuple[str, dict[str, int | str]]:
    """A policy and values for some of its knobs, in any order."""
    info = draw(st.sampled_from(STOCK_INFOS))
    knobs = draw(st.permutations([knob for knob in info.knobs if knob.allowed is not str]))
    knobs = knobs[: draw(st.integers(0, len(knobs)))]
    values = {knob.name: draw(st.sampled_from(knob.allowed)) for knob in knobs}
    return info.name, values


def test_all_stock_policies_are_there_and_say_what_they_are() -> None:
    assert [info.name for info in available()] == NAMES == list(STOCK)
    for info in available():
        assert parse_spec(info.name).spec == info.name
        assert info.summary.endswith(".")
        assert "\n" not in info.summary
        assert len(info.source) > 3
        assert info.summary in info.description
        assert find(info.name) == info


def test_every_knob_is_named_in_the_docstring_and_has_a_help() -> None:
    for info in available():
        listed = STOCK[info.name].__doc__.partition("Knobs: ")[2]
        for knob in info.knobs:
            assert knob.name in listed
            assert knob.default in ("none", "own") if knob.allowed is str else knob.default in knob.allowed
            assert knob.help
        assert info.knobs or listed.startswith("none")


@given(settings())
def test_the_canonical_spec_lists_what_differs_and_builds_the_same_policy(chosen: tuple) -> None:
    name, values = chosen
    spec = f"{name}:{','.join(f'{knob}={value}' for knob, value in values.items())}" if values else name
    policy = parse_spec(spec)
    knobs = {knob.name: knob.default for knob in find(name).knobs}
    differing = {knob: value for knob, value in (knobs | values).items() if value != knobs[knob]}
    assert policy.knobs == knobs | values
    settings_text = ",".join(f"{knob}={value}" for knob, value in differing.items())
    assert policy.spec == str(policy) == name + ":" * bool(differing) + settings_text
    assert parse_spec(policy.spec).knobs == policy.knobs
    assert parse_spec(policy.spec).spec == policy.spec


def test_blanks_and_signs_are_forgiven() -> None:
    assert str(parse_spec(" threshold : then_at = +2 , knock_at=07 ")) == "threshold:knock_at=7,then_at=2"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("gready", "unknown policy 'gready', did you mean greedy? allowed: random, simple, greedy,"),
        ("xyz", f"unknown policy 'xyz'; allowed: {', '.join(NAMES)}"),
        ("Greedy", "unknown policy 'Greedy', did you mean greedy?"),
        ("", "unknown policy ''; allowed: random,"),
        ("greedy:", "policy spec is 'greedy:'; allowed: name or name:knob=value,knob=value"),
        ("threshold:knock_at", "policy spec is 'threshold:knock_at'; allowed: name or"),
        ("threshold:knock_at=", "allowed: name or name:knob=value"),
        ("threshold:=5", "allowed: name or name:knob=value"),
        ("threshold:knock_at=5,", "allowed: name or name:knob=value"),
        ("threshold:knock_at=5,knock_at=6", "sets knock_at twice; allowed: each knob once"),
        ("threshold:knock=5", "threshold has no knob 'knock', did you mean knock_at? allowed: knock_at: a"),
        (
            "cautious:x=1",
            "cautious has no knob 'x'; allowed: caution: a whole number from 0 to 100; knock_at",
        ),
        ("greedy:knock_at=5", "policy greedy has no knob 'knock_at': it has no knobs at all"),
        ("threshold:knock_at=99", "policy threshold: knock_at is 99; allowed: a whole number from 0 to 98"),
        ("threshold:knock_at=-1", "policy threshold: knock_at is -1; allowed: a whole number from 0 to 98"),
        ("threshold:until_turn=126", "threshold: until_turn is 126; allowed: a whole number from 0 to 125"),
        ("threshold:knock_at=ten", "threshold: knock_at is 'ten'; allowed: a whole number from 0 to 98"),
        ("threshold:knock_at=5.0", "policy threshold: knock_at is '5.0'; allowed: a whole number"),
        ("threshold:knock_at=5=6", "policy threshold: knock_at is '5=6'; allowed: a whole number"),
        ("simple:defence=best", "policy simple: defence is 'best'; allowed: eaai or exact"),
        ("simple:defence=1", "policy simple: defence is 1; allowed: eaai or exact"),
    ],
)
def test_what_is_no_spec_is_refused_with_what_is_allowed(spec: str, message: str) -> None:
    with pytest.raises(PolicyError) as refused:
        parse_spec(spec)
    assert message in str(refused.value)
    with pytest.raises(PolicyError) as refused:
        find(spec)
    assert message in str(refused.value)


def test_keywords_are_checked_like_specs() -> None:
    policy = STOCK["threshold"](knock_at=np.int64(7))
    assert policy.spec == "threshold:knock_at=7"
    assert type(policy.knobs["knock_at"]) is int
    for value in (True, 7.0, None, "7"):
        with pytest.raises(ValueError, match="policy threshold: knock_at is"):
            STOCK["threshold"](knock_at=value)


def test_the_registry_loads_no_compiled_module_before_it_is_asked() -> None:
    code = "import sys, ginsim.policies; sys.exit(bool({'ginsim._policies', 'numpy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
