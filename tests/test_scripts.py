"""Every script still finds what it imports; what each of them says is measured and checked when it is run."""

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPTS = sorted((Path(__file__).parents[1] / "scripts").glob("*.py"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_loads(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if path.stem == "compare_openspiel":
        pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install '.[oracle]'")
    spec = importlib.util.spec_from_file_location(f"script_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)  # dataclasses look themselves up there
    spec.loader.exec_module(module)
    assert callable(module.main)
