from ._policies import StockPolicy

class Linear(StockPolicy): ...

SCORED: dict[str, type[StockPolicy]]
