from ._play import Match

TOTALS: tuple[str, ...]

class Forks:
    def __init__(self, match: Match) -> None: ...
    @property
    def match(self) -> Match: ...
