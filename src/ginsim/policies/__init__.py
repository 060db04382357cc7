"""Policies by name: specs, what there is to choose from, and the class to write one's own in Python."""

from .info import KnobInfo, PolicyError, PolicyInfo, PolicyWarning
from .local import PolicyLike, is_local, specs_of
from .registry import available, find, identity, native, parse_spec, stays_here

__all__ = [
    "KnobInfo",
    "PolicyError",
    "PolicyInfo",
    "PolicyLike",
    "PolicyWarning",
    "available",
    "find",
    "identity",
    "is_local",
    "native",
    "parse_spec",
    "specs_of",
    "stays_here",
]
