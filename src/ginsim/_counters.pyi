PART_NAMES: tuple[str, ...]
LINK_NAMES: tuple[str, ...]
TURN_BUCKETS: int
N_BLOCKS: int

def layout() -> tuple[tuple[str, tuple[int, ...]], ...]: ...
def block_size() -> int: ...
