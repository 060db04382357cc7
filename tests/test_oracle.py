"""`scripts/compare_openspiel.py` in small: it agrees with OpenSpiel, and it would find a wrong core."""

import importlib.util
import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install '.[oracle]'")

SCRIPT = Path(__file__).parents[1] / "scripts" / "compare_openspiel.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location(SCRIPT.stem, SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[SCRIPT.stem] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[SCRIPT.stem]


def test_the_core_agrees_but_for_known_deviations(script: ModuleType) -> None:
    checks, counts = script.compare(seed=2, n=2000)
    assert [text for check in checks for text in check.disagreements] == []
    assert all(check.compared for check in checks)
    seen = sum((check.deviations for check in checks), Counter())
    assert {*seen} >= {"eleven cards", "repeat", "fifty draws", "long lay-off", "melds against gin"}
    assert {*counts} >= {"knock", "gin", "undercut", "void", "with lay-offs"}


def deadwood_one_more(core: ModuleType) -> dict:
    return {"deadwood_array": lambda hands: core.deadwood_array(hands) + 1}


def one_best_discard_only(core: ModuleType) -> dict:
    def one_of(hand: int, forbidden: int = 0) -> tuple[int, int]:
        least, best = core.best_discards_of(hand, forbidden)
        return least, best & -best

    return {"best_discards_of": one_of}


def no_lay_offs(core: ModuleType) -> dict:
    def own_melds_only(hand: int, melds: tuple[int, ...]) -> tuple:
        least, own, _ = core.defend_of(hand, ())
        return least, own, (0,) * len(melds)

    return {"defend_of": own_melds_only}


def lay_offs_that_do_not_fit(core: ModuleType) -> dict:
    def all_on_the_first(hand: int, melds: tuple[int, ...]) -> tuple:
        return core.defend_of(hand, melds)[0], (), (hand, *(0,) * (len(melds) - 1))

    return {"defend_of": all_on_the_first}


def a_point_for_every_hand(core: ModuleType) -> dict:
    return {"price_of": lambda codes, ending, knocker, *counts: ("knock", knocker or 0, 1)}


@pytest.mark.parametrize(
    ("module", "wrong", "row"),
    [
        ("_melds", deadwood_one_more, "deadwood of ten cards, random"),
        ("_melds", one_best_discard_only, "best discards of eleven cards, overlapping"),
        ("_melds", no_lay_offs, "defences against the game tree"),
        ("_melds", lay_offs_that_do_not_fit, "defences played in OpenSpiel"),
        ("_score", a_point_for_every_hand, "whole hands: results"),
    ],
)
def test_a_wrong_core_is_found(
    script: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
    module: str,
    wrong: Callable[[ModuleType], dict],
    row: str,
) -> None:
    core = getattr(script, module)
    monkeypatch.setattr(script, module, SimpleNamespace(**{**vars(core), **wrong(core)}))
    assert script.main(["--hands", "400", "--json"]) == 1
    captured = capsys.readouterr()
    rows = {check["name"]: check for check in json.loads(captured.out)["checks"]}
    assert rows[row]["disagreements"]
    assert row in captured.err


def test_what_is_printed(script: ModuleType, capsys: pytest.CaptureFixture) -> None:
    assert script.main(["--hands", "40"]) == 0
    captured = capsys.readouterr()
    assert "whole hands: cards and turns" in captured.out
    assert all(name in captured.out for name in script.DEVIATIONS)
    assert captured.err == ""
    assert script.main(["--hands", "40", "--quiet"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("arguments", [["--hands", "0"], ["--seed", "-1"]])
def test_bad_usage(script: ModuleType, capsys: pytest.CaptureFixture, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        script.main(arguments)
    assert exit_.value.code == 2
    assert f"{arguments[0]} is {arguments[1]}; allowed is" in capsys.readouterr().err
