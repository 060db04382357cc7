"""Every snippet of docs/policies-batch.md runs, those of a way together and in their order."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ginsim

TEXT = (Path(__file__).parents[1] / "docs" / "policies-batch.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", TEXT, re.M | re.S)
NEEDS = {"numba": ("numba",), "cython": ("Cython", "setuptools")}
NEEDS_COMPILER = ("cc", "cython")


def test_all_snippets_are_of_a_known_kind():
    assert [(language, tag) for language, tag, _ in SNIPPETS] == [
        ("python", ""),
        ("python", ""),
        ("python", ""),
        ("python", "numba"),
        ("c", "dearest.c"),
        ("python", "cc"),
        ("cython", "mine.pyx"),
        ("python", "cython"),
    ]


@pytest.mark.parametrize("way", ["", "numba", "cc", "cython"])
def test_snippets_run(way, tmp_path):
    for module in NEEDS.get(way, ()):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    if way in NEEDS_COMPILER and shutil.which("cc") is None:
        pytest.skip("no C compiler here")
    for language, name, code in SNIPPETS:
        if language != "python":
            (tmp_path / name).write_text(code, encoding="utf-8")
    home = str(Path(ginsim.__file__).parents[1])
    run = {"check": True, "cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": home, "CFLAGS": "-O1 -w"}}
    if way == "cython":
        subprocess.run([sys.executable, "-m", "Cython.Build.Cythonize", "-i", "-q", "mine.pyx"], **run)
    script = "\n".join(code for language, tag, code in SNIPPETS if (language, tag) == ("python", way))
    subprocess.run([sys.executable, "-W", "error", "-c", script], **run)
