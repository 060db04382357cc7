from collections.abc import Sequence
from typing import Any

from ._core import Policy
from ._score import GameLedger
from ._table import SeatView

class Seat:
    @property
    def policy(self) -> Policy: ...
    @property
    def remembers(self) -> bool: ...
    def __init__(self, policy: Policy) -> None: ...
    def begin(
        self,
        view: SeatView,
        ledger: GameLedger,
        doubled: bool,
        key: int,
        entrant: int = 1,
        orientation: int = 0,
        index: int = 0,
        hand_number: int = 0,
    ) -> None: ...
    def staked(self, view: SeatView) -> SeatView: ...
    def answer(self, view: SeatView) -> tuple[Any, ...]: ...
    def see(self, view: SeatView, seat: int, question: str, answer: Sequence[Any]) -> None: ...
