"""Figures, a module for each study: one function each, from a frame to a matplotlib Figure; no window."""
