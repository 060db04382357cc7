ROWS: int
WIDEST: int
LAYOUT_NUMBER: int
GROUPS: tuple[tuple[str, int], ...]
