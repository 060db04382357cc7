"""Policies by name: specs, and what there is to choose from."""

from .registry import KnobInfo, PolicyError, PolicyInfo, available, find, parse_spec

__all__ = ["KnobInfo", "PolicyError", "PolicyInfo", "available", "find", "parse_spec"]
