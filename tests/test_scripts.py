"""Every script still finds what it imports; what each of them says is measured and checked when it is run."""

import importlib.util
import re
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


def test_the_table_of_the_cluster_page_is_what_its_formula_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    path = next(path for path in SCRIPTS if path.stem == "scaling")
    spec = importlib.util.spec_from_file_location("script_scaling", path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    page = (path.parents[1] / "docs" / "cluster.md").read_text(encoding="utf-8")
    handle, fixed = 0.004, 3.0
    assert "So *h* is 4 ms; *F* was about 3 s" in page
    rows = re.findall(
        r"^\| .+ \| ([\d,]+) \| ([\d.]+) \| ([\d.]+) % \| (\d+) \| (\d+) \| (\d+) \|$", page, re.M
    )
    assert len(rows) == 7
    for chunks, play, serial, *said in ([float(cell.replace(",", "")) for cell in row] for row in rows):
        told = [module.speed_up(cores, int(chunks), play, handle, fixed) for cores in (10, 100, 1000)]
        assert [round(times) for times in told] == said
        assert 100 * (fixed + chunks * handle) / (fixed + chunks * play) == pytest.approx(serial, rel=0.4)
