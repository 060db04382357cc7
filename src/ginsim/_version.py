"""The version number, kept here alone: setup reads it without importing the package."""

__version__ = "0.1.0"
