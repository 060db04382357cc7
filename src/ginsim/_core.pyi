ABI: int
CHECKED: bool
QUESTIONS: tuple[str, ...]
ENDINGS: tuple[str, ...]
FAULTS: tuple[str, ...]
READS: dict[str, int]

def check_abi(built_for: int) -> None: ...

class Policy:
    @property
    def reads(self) -> int: ...
    @property
    def memory_size(self) -> int: ...
    @property
    def begins(self) -> bool: ...
    @property
    def sees(self) -> bool: ...
    @property
    def failure(self) -> BaseException | None: ...
