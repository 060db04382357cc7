"""Conditions on the rows of a frame, as text: names of columns, values and comparisons, and nothing else."""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

LONGEST = 1000

_ALLOWED = (
    *(ast.Expression, ast.Name, ast.Load, ast.Constant, ast.List, ast.Tuple),
    *(ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.Invert, ast.USub),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr),
    *(ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn),
)


_LISTS = (ast.List, ast.Tuple)


class FilterError(ValueError):
    """A condition that cannot be read: says what is wrong and which columns there are."""


class Filter:
    """A condition such as ``outcome == 'undercut' and turn > 8``, checked against the columns of a frame.

    pandas evaluates it (`DataFrame.eval`); what may be written is restricted first: names of columns, numbers
    and texts, comparisons, ``and``, ``or``, ``not``, ``in`` and arithmetic. `example` is any frame with the
    columns, such as an empty one. Raises FilterError before anything is played.
    """

    def __init__(self, text: str, example: pd.DataFrame) -> None:
        self.text = " ".join(text.split())
        self._columns = [str(name) for name in example.columns]
        if len(self.text) > LONGEST:
            raise self._error(f"has {len(self.text)} characters; allowed: {LONGEST}")
        for node in sorted(ast.walk(self._tree()), key=lambda node: isinstance(node, ast.Compare)):
            self._check(node, example)  # comparisons last: all names in them are columns then
        self(example)

    def _tree(self) -> ast.Expression:
        try:
            with warnings.catch_warnings(action="ignore"):
                return ast.parse(self.text, mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            reason = error.msg if isinstance(error, SyntaxError) else error
            raise self._error(f"cannot be read: {reason}") from None

    def _check(self, node: ast.AST, example: pd.DataFrame) -> None:
        if isinstance(node, ast.Name) and node.id not in self._columns:
            raise self._error(f"names {node.id!r}, which is no column")
        if not isinstance(node, _ALLOWED):
            raise self._error(
                f"has a {type(node).__name__.lower()}; allowed: columns, values, comparisons, and, or, not, "
                "in, + - * / // %"
            )
        if isinstance(node, ast.Constant) and not isinstance(node.value, (int, float, str)):
            raise self._error(f"has the value {node.value!r}; allowed: numbers, texts, True and False")
        if isinstance(node, ast.Compare):
            self._check_values(node, example)

    def _check_values(self, node: ast.Compare, example: pd.DataFrame) -> None:
        """A column of texts is compared with what it can hold, one of numbers with no text."""
        sides = [node.left, *node.comparators]
        leaves = [leaf for side in sides for leaf in (side.elts if isinstance(side, _LISTS) else [side])]
        values = [leaf.value for leaf in leaves if isinstance(leaf, ast.Constant)]
        for name in (leaf.id for leaf in leaves if isinstance(leaf, ast.Name)):
            column = example[name]
            texts = list(column.cat.categories) if hasattr(column, "cat") else None
            for value in values:
                if isinstance(value, str) if texts is None else value not in texts:
                    allowed = "numbers" if texts is None else ", ".join(map(repr, texts))
                    raise FilterError(f"where: {name} is compared with {value!r}; allowed: {allowed}")

    def __call__(self, frame: pd.DataFrame) -> NDArray[np.bool_]:
        """Which rows meet the condition; what a row does not have (the turn of no knock) meets none."""
        import pandas as pd

        try:
            found = frame.eval(self.text, engine="python")
        except Exception as error:
            raise self._error(f"cannot be evaluated: {error}") from None
        if not isinstance(found, pd.Series) or found.dtype not in ("bool", "boolean"):
            raise self._error("is no condition; allowed: one that is true or false for each hand")
        mask: NDArray[np.bool_] = found.fillna(False).to_numpy(dtype=bool)
        return mask

    def _error(self, reason: str) -> FilterError:
        return FilterError(f"where {self.text[:200]!r} {reason}; columns: {', '.join(self._columns)}")
