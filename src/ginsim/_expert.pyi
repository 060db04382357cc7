from typing import Any

from ._nets import Net
from ._policies import StockPolicy
from ._table import SeatView
from ._worth import Worth
from .rules import Rules

OWN_NETS: str

class Valuer(StockPolicy):
    @property
    def nets(self) -> tuple[Net, ...]: ...
    @property
    def learned(self) -> tuple[Rules, ...]: ...
    @property
    def worths(self) -> tuple[Worth, ...]: ...
    @property
    def content(self) -> dict[str, str]: ...
    def __init__(self, net: Net, rules: Rules, worth: Worth | None = None) -> None: ...
    def values(self, view: SeatView) -> list[tuple[int, float]]: ...

class Expert(Valuer):
    def __init__(self, **knobs: Any) -> None: ...
    def check_rules(self, rules: Rules) -> None: ...

LEARNED: dict[str, type[StockPolicy]]
