from typing import Any, TypedDict

from ._policies import StockPolicy
from ._table import SeatView
from .rules import Rules

class _Candidate(TypedDict):
    answer: int
    value: float
    error: float
    net: float
    samples: int

class Search(StockPolicy):
    @property
    def content(self) -> dict[str, str]: ...
    @property
    def by_clock(self) -> bool: ...
    def __init__(self, **knobs: Any) -> None: ...
    def check_rules(self, rules: Rules) -> None: ...
    def thoughts(self, view: SeatView, seed: int = 0) -> list[_Candidate]: ...

THINKING: dict[str, type[StockPolicy]]
