"""The rooms of ``src/ginsim`` are those of docs/design.md's table; each imports only from rooms above it."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "ginsim"
SUFFIXES = {".py", ".pyi", ".pyx", ".pxd"}
IMPORTS_NO_OTHER_ROOM = {"stats"}
IMPORTED_AS = {"pillow": "PIL"}
LOADED_WHEN_USED = {"distributed", "jinja2", "matplotlib", "pandas", "pyarrow", "rich", "scipy"}


def rows_of(design: str) -> list[list[str]]:
    """The file and folder names in the first column of the room table, row by row."""
    table = design.partition("| room | job |")[2].partition("\n\n")[0]
    rows = []
    for line in table.splitlines()[2:]:
        names: list[str] = []
        for quoted in re.findall(r"`([^`]+)`", line.split("|")[1]):
            first, *other_suffixes = quoted.split("/") if not quoted.endswith("/") else [quoted]
            names += [first, *(first.partition(".")[0] + suffix for suffix in other_suffixes)]
        rows.append(names)
    return rows


def room_of(name: str) -> str:
    return name.rstrip("/").partition(".")[0]


ROWS = rows_of((ROOT / "docs" / "design.md").read_text(encoding="utf-8"))
PLACE = {room_of(name): place for place, names in enumerate(ROWS) for name in names}


def sources() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*") if path.suffix in SUFFIXES)


def modules_named(path: Path, text: str) -> Iterator[str]:
    """The dotted names that a source file imports or cimports; relative ones come out absolute."""
    package = ["ginsim", *path.relative_to(SOURCE).parent.parts]
    for module, names in statements(path, text):
        dots = len(module) - len(module.lstrip("."))
        base = package[: len(package) - dots + 1] if dots else []
        full = ".".join([*base, *filter(None, [module[dots:]])])
        if full == "ginsim":  # what is taken from it may itself be a room
            yield from (f"ginsim.{name}" if name in PLACE else "ginsim" for name in names)
        else:
            yield full


def statements(path: Path, text: str) -> Iterator[tuple[str, list[str]]]:
    """Each import as (module, names taken from it)."""
    if path.suffix in {".py", ".pyi"}:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                yield from ((alias.name, [""]) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield "." * node.level + (node.module or ""), [alias.name for alias in node.names]
    else:
        text = re.sub(r"\(([^()]*)\)", lambda inside: " ".join(inside[1].split()), text)
        for module, names in re.findall(r"^[ \t]*from[ \t]+(\S+)[ \t]+c?import[ \t]+([^#\n]+)", text, re.M):
            yield module, [name.split()[0] for name in names.split(",") if name.strip()]
        for modules in re.findall(r"^[ \t]*c?import[ \t]+([^#\n]+)", text, re.M):
            yield from ((module.split()[0], [""]) for module in modules.split(","))


def rooms_imported(path: Path, text: str) -> set[str]:
    """The rooms that a file imports from; the package's own front is ``__init__``."""
    parts = (module.split(".") for module in modules_named(path, text))
    return {room for top, room, *_ in ([*part, "__init__"] for part in parts) if top == "ginsim"}


@pytest.mark.parametrize(
    ("file", "text", "rooms"),
    [
        ("_core.pyx", "from ._bits cimport mask_t, bit  # masks", {"_bits"}),
        ("_core.pyx", "from ginsim._melds cimport (\n    Spread,\n    Defence,\n)", {"_melds"}),
        ("_core.pyx", "    cimport ginsim._rng as rng, libc.stdlib", {"_rng"}),
        ("_core.pxd", "from . cimport _bits, _rng as r", {"_bits", "_rng"}),
        ("_core.pxd", "cdef extern from 'x.h':\n    pass\nfrom libc.stdint cimport uint64_t", set()),
        ("cards.py", "import os, ginsim._melds", {"_melds"}),
        ("cards.py", "from ginsim import _melds, tournament", {"_melds", "__init__"}),
        ("cards.py", "import ginsim", {"__init__"}),
        ("cards.py", "def f():\n    from ._melds import deadwood", {"_melds"}),
        ("policies/spec.py", "from ..cards import Hand\nfrom .. import _core", {"cards", "_core"}),
        ("policies/spec.py", "from . import registry\nfrom .base import Policy", {"policies"}),
    ],
)
def test_imports_are_read(monkeypatch: pytest.MonkeyPatch, file: str, text: str, rooms: set[str]) -> None:
    for room in ("_bits", "_rng", "_melds", "_core", "cards", "policies"):
        monkeypatch.setitem(PLACE, room, 0)
    assert rooms_imported(SOURCE / file, text) == rooms


def test_the_table_is_read() -> None:
    table = "| room | job |\n|---|---|\n| `_a.pyx/.pxd`, `_b.pxd` | of `c.py` |\n| `d/` | e |"
    rows = rows_of(f"# Rooms\n\n{table}\n\n| `f.py` | in another table |\n")
    assert rows == [["_a.pyx", "_a.pxd", "_b.pxd"], ["d/"]]


def test_the_table_names_every_room_and_no_other() -> None:
    files = {path.name for path in SOURCE.iterdir() if path.suffix in SUFFIXES | {".h"}}
    folders = {f"{path.parent.name}/" for path in SOURCE.glob("*/__init__.py")}
    assert sorted(name for names in ROWS for name in names) == sorted(files | folders)


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_a_room_imports_only_from_rooms_above(path: Path) -> None:
    room = room_of(path.relative_to(SOURCE).parts[0])
    others = rooms_imported(path, path.read_text(encoding="utf-8")) - {room}
    allowed = set() if room in IMPORTS_NO_OTHER_ROOM else {r for r in PLACE if PLACE[r] <= PLACE[room]}
    assert others <= allowed, f"{room} may not import from {', '.join(sorted(others - allowed))}"


def test_the_command_line_is_the_last_room() -> None:
    assert "cli" in map(room_of, ROWS[-1])


def test_every_library_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    requirements = [
        *project["dependencies"],
        *extras["cluster"],
        *extras["parquet"],
    ]  # an extra says so where it is missing
    declared = {re.split(r"[^\w-]", requirement)[0] for requirement in requirements}
    declared |= {IMPORTED_AS[name] for name in declared & IMPORTED_AS.keys()}
    imported = {
        module.partition(".")[0]
        for path in sources()
        if path.suffix == ".py"
        for module in modules_named(path, path.read_text(encoding="utf-8"))
    }
    assert imported - set(sys.stdlib_module_names) - {"ginsim"} <= declared


def test_help_loads_no_library_of_later_work() -> None:
    show_help = (
        "import sys; sys.argv = ['ginsim', '--help']\n"
        "from ginsim.cli import main\n"
        "try: main()\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", show_help], capture_output=True, text=True, check=True)
    assert done.stdout
    assert not LOADED_WHEN_USED & set(done.stderr.split())
