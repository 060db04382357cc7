from ._forks import Forks

STATES: tuple[str, ...]
AXIS_NAMES: tuple[str, ...]
FIELDS: tuple[str, ...]

class KnockStudy(Forks): ...
