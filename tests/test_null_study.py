"""scripts/null_study.py in small: a match's tests find what is not there as rarely as they say."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "null_study.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("null_study", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


def test_false_verdicts_are_as_rare_as_stated(script: ModuleType) -> None:
    """300 seeded runs of each source; at most alpha + 3 * sqrt(alpha * (1 - alpha) / 300) = 8.8 %."""
    found = list(script.study(300, 1_500, seed=5))
    assert len(found) == 2 * len(script.TESTS)
    assert script.allowed(300) == pytest.approx(0.0877, abs=1e-4)
    for source, test, false in found:
        assert false <= script.allowed(300), (source, test)


def test_the_study_sees_a_test_that_claims_too_much(script: ModuleType) -> None:
    """The same tests do find the difference where there is one, and a source with one would be caught."""
    pairs = script.play_pairs("early", "simple", 3_000, seed=1)
    assert len(pairs) == 3_072
    assert all(claims(pairs) for claims in list(script.TESTS.values())[:-1])
    turned = pairs.take(np.arange(len(pairs)), np.int64(-1))
    assert not script.TESTS["SPRT 0 0.5"](turned)
    assert script.TESTS["SPRT 0 0.5, two-sided"](turned)
