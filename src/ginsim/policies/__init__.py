"""Policies by name: specs, what there is to choose from, and the class to write one's own in Python."""

from .info import SPEED_CLASSES, KnobInfo, PolicyError, PolicyInfo, PolicyWarning
from .local import PolicyLike, is_local, specs_of
from .registry import (
    available,
    check_rules,
    find,
    identity,
    knob_text,
    name_of,
    native,
    parse_spec,
    speed_class,
    stays_here,
    with_knobs,
)

__all__ = [
    "SPEED_CLASSES",
    "KnobInfo",
    "PolicyError",
    "PolicyInfo",
    "PolicyLike",
    "PolicyWarning",
    "available",
    "check_rules",
    "find",
    "identity",
    "is_local",
    "knob_text",
    "name_of",
    "native",
    "parse_spec",
    "specs_of",
    "speed_class",
    "stays_here",
    "with_knobs",
]
