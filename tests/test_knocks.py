"""The compiled knock study against its slow twin, and what must hold of any."""

import json
import math
import random
import re

import knock_twin
import matplotlib.text
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from knock_twin import Kin, Simple, read_cells

import ginsim
from ginsim import PolicyError, Rules
from ginsim._forks import TOTALS
from ginsim._knocks import AXIS_NAMES, FIELDS, STATES, KnockStudy
from ginsim._play import Match
from ginsim._policies import thresholds_of
from ginsim.analysis.knock import KnockResult, _threshold
from ginsim.cli import main
from ginsim.experiment.worker import match_of
from ginsim.policies import native
from ginsim.policies.batch import highest_cards, one_card
from ginsim.report.contents import contents_of
from ginsim.report.html import write_report

KEY = 20260101


def cells_of(a, b, rules, pairs, **options):
    return KnockStudy(Match(native(a), native(b), rules.codes(), KEY, **options)).play(0, pairs)["cells"]


def same(found, wanted):
    assert {
        place: {name: count for name, count in cell.items() if count} for place, cell in found.items()
    } == {place: {name: count for name, count in cell.items() if count} for place, cell in wanted.items()}


def twin_of(spec):
    return Simple() if spec == "simple" else Kin(spec)


@pytest.mark.parametrize(
    ("a", "b", "rules", "pairs"),
    [
        ("greedy", "greedy", Rules(), 25),
        ("simple", "greedy", Rules(), 20),
        ("greedy", "simple", Rules.preset("fifty_card"), 20),
        ("early", "simple", Rules.preset("oklahoma"), 14),
        ("threshold:knock_at=4,until_turn=6,then_at=1", "early", Rules(big_gin_bonus=20), 10),
        ("marjj", "early", Rules(), 2),
        ("simple", "simple", Rules(knock_limit=40, discard_taken=True, big_gin_bonus=None), 20),
    ],
)
def test_the_counters_are_those_of_the_slow_twin(a, b, rules, pairs):
    wanted = knock_twin.study(lambda: [twin_of(a), twin_of(b)], rules, KEY, pairs)
    found = read_cells(cells_of(a, b, rules, pairs))
    assert len(found) > 30
    same(found, wanted)


# ---------------------------------------------------------------- policies in Python


class Moody(ginsim.Policy):
    """Throws any card, and knocks at a deadwood drawn for the hand; remembers in itself what it did."""

    def begin(self, view):
        self.limit = self.rng.below(11)
        self.thrown = []

    def draw(self, view):
        return "pile" if (self.rng.below(4) + len(self.thrown)) % 3 == 0 else "stock"

    def discard(self, view):
        cards = [card for card in range(64) if view.hand_mask >> card & 1 and card != view.forbidden_position]
        self.thrown.append(cards[self.rng.below(len(cards))])
        left, best = ginsim._melds.best_discards_of(view.hand_mask, forbidden(view))
        if left <= min(self.limit, view.knock_limit):
            return best.bit_length() - 1 | 64
        return best.bit_length() - 1 if self.rng.below(3) else self.thrown[-1]


class Watching(Moody):
    """The same, and it keeps count of all that is done: a hand that was rewound wrongly would show."""

    def begin(self, view):
        super().begin(view)
        self.seen = 0

    def see(self, view, event):
        self.seen += 1

    def discard(self, view):
        passes = view.passes + sum(view.turns) * 2 - 1
        assert self.seen == passes, (self.seen, passes)
        return super().discard(view)


def forbidden(view):
    return 0 if view.forbidden_position is None else 1 << view.forbidden_position


class MoodyTwin:
    """Asks a Moody of its own with the words of the twin."""

    def __init__(self):
        self.policy = Moody()

    def begin(self, words):
        self.policy.rng = words
        self.policy.begin(None)

    def answer(self, view, words, default):
        self.policy.rng = words
        if view.question == "draw":
            return (self.policy.draw(view),)
        if view.question == "discard":
            view.hand_mask, view.forbidden_position = view.hand, view.forbidden
            answer = self.policy.discard(view)
            return ("knock" if answer & 64 else "discard", answer & 63)
        return ("pass",) if view.question in ("offer", "last") else default


@pytest.mark.parametrize("kind", [Moody, Watching])
def test_a_policy_that_keeps_the_hand_in_itself_is_rewound(kind):
    wanted = knock_twin.study(lambda: [MoodyTwin(), Simple()], Rules(), KEY, 5)
    same(read_cells(cells_of(kind, "simple", Rules(), 5)), wanted)
    wanted = knock_twin.study(lambda: [Simple(), MoodyTwin()], Rules(), KEY, 5)
    same(read_cells(cells_of("simple", kind, Rules(), 5)), wanted)


class Drifting(ginsim.Policy):
    """Throws any card of its own chance, which is not the core's."""

    dice = random.Random(3)

    def discard(self, view):
        cards = [card for card in view.hand if card != view.forbidden]
        return self.dice.choice(cards)


class Faulty(Moody):
    """Throws a card that it does not hold in every hand that begins with the ace of spades."""

    def discard(self, view):
        return "XX" if view.hand_mask & 1 else super().discard(view)


def test_a_policy_that_is_not_repeatable_is_named_with_what_it_said():
    with pytest.raises(
        ginsim.RunError, match=r"Drifting.* failed with another answer than before, \('discard'"
    ):
        ginsim.knock([Drifting], against="greedy", pairs=60, seed=1, processes=1)


def test_a_fault_stops_the_study_or_forfeits_the_hand():
    with pytest.raises(ginsim.RunError, match=r"Faulty.* was asked 'discard' and failed .* in a fork\)"):
        ginsim.knock([Faulty], against="greedy", pairs=60, seed=1, processes=1)
    result = ginsim.knock([Faulty], against="greedy", pairs=60, seed=1, processes=1, on_error="forfeit")
    tally = result.tally(0)
    assert tally["hands"] == 120
    assert 12 < tally["forfeits_a"] < 60
    assert tally["forfeits_b"] == 0
    assert any(
        finding.caution and f"{tally['forfeits_a']} hands" in finding.text for finding in result.findings
    )


class Rows(ginsim.BatchPolicy):
    """Throws the highest legal card and knocks when that card leaves little enough."""

    def discard(self, views):
        cards = highest_cards(views["hand"] & ~one_card(views["forbidden"]))
        left = ginsim.deadwood_array(views["hand"] & ~one_card(cards))
        return np.where(left <= views["knock_limit"], cards | 64, cards)


class OneByOne(ginsim.Policy):
    def discard(self, view):
        (card,) = highest_cards(np.array([view.hand_mask & ~forbidden(view)], dtype=np.uint64)).tolist()
        knocks = ginsim._melds.deadwood_of(view.hand_mask & ~(1 << card)) <= view.knock_limit
        return card | 64 if knocks else card


def test_a_batch_policy_is_studied_as_one_in_python():
    meetings = [
        match_of(native_of(), native("greedy"), Rules().codes(), KEY, False, (0, 1))
        for native_of in (Rows, lambda: native(OneByOne))
    ]
    one, other = (KnockStudy(match).play(0, 60) for match in meetings)
    assert all((one[name] == other[name]).all() for name in one)
    assert one["cells"].any()


# ---------------------------------------------------------------- what must hold


def total(cells, states, axis="turn"):
    """The cell over all places and deadwoods, by field."""
    return dict(
        zip(FIELDS, cells[STATES.index(states), AXIS_NAMES.index(axis), -1, -1].tolist(), strict=True)
    )


@pytest.mark.parametrize("policy", ["greedy", "simple", "marjj", "gin_only", "threshold:table=10x3-4-0"])
def test_margins_add_up_and_the_reached_are_among_the_declining(policy):
    study = KnockStudy(Match(native(policy), native("greedy"), Rules().codes(), KEY))
    counts = study.play(0, 300)
    cells, totals = counts["cells"], dict(zip(TOTALS, counts["totals"].tolist(), strict=True))
    assert (totals["pairs"], totals["hands"]) == (300, 600)
    added = [FIELDS.index(name) for name in ("n", "y", "knock_points", "decline_points", "undercut", "own")]
    sums = cells[..., added]
    assert (sums[:, :, :-1, :-1].sum(axis=(2, 3)) == sums[:, :, -1, -1]).all()
    assert (sums[:, :, -1, :-1].sum(axis=2) == sums[:, :, -1, -1]).all()
    assert (cells[0, ..., FIELDS.index("n")] <= cells[1, ..., FIELDS.index("n")]).all()
    assert (cells[:, 0, -1, -1] == cells[:, 1, -1, -1]).all()
    for states in STATES:
        of = total(cells, states)
        assert of["y"] == of["knock_points"] - of["decline_points"]
        assert of["n"] == sum(of[name] for name in ("knock", "gin", "big_gin", "undercut", "tie"))
    assert total(cells, "declining")["n"] == totals["forks"]
    gin = cells[1, 0, -1, 0]
    assert gin[FIELDS.index("gin")] + gin[FIELDS.index("big_gin")] == gin[FIELDS.index("n")] > 0
    assert cells[:, :, :, 1:-1, [FIELDS.index("gin"), FIELDS.index("big_gin")]].sum() == 0


def test_a_policy_that_knocks_at_once_has_one_decision_a_hand_and_declares_at_all():
    of = total(cells_of("greedy", "greedy", Rules(), 500), "reached")
    assert of["n"] == of["own"]
    assert of["pairs"] == of["n"] == of["nn"]  # of two mirrored hands each player is first in one


def test_declining_for_good_is_what_gin_only_does():
    """What gin_only's D is worth before any gin is the value of its own hand, as a match has it."""
    study = KnockStudy(Match(native("gin_only"), native("greedy"), Rules().codes(), KEY))
    cells = study.play(0, 400)["cells"]
    of = total(cells, "reached")
    assert of["own"] == cells[0, 0, -1, 0, FIELDS.index("own")] > 0  # it declares with gin alone
    assert of["gin"] + of["big_gin"] == cells[0, 0, -1, 0, FIELDS.index("n")]


def test_forks_of_one_chance_are_equal_whatever_else_is_compared():
    alone = ginsim.knock(["simple"], pairs=300, seed=5, processes=1)
    among = ginsim.knock(["greedy", "simple"], compare=["undercut_bonus=10"], pairs=300, seed=5, processes=1)
    assert [study.policy for study in among.studies] == ["greedy", "simple"] * 2
    assert (among.tally(1)["cells"] == alone.tally(0)["cells"]).all()
    assert (among.tally(3)["cells"] != alone.tally(0)["cells"]).any()


def test_a_bonus_changes_the_points_and_no_play():
    cells = [cells_of("greedy", "greedy", Rules(undercut_bonus=bonus), 400) for bonus in (10, 25)]
    n, k, undercut, tie = (FIELDS.index(name) for name in ("n", "knock_points", "undercut", "tie"))
    assert (cells[0][..., [n, undercut, tie]] == cells[1][..., [n, undercut, tie]]).all()
    paid = 15 * (cells[0][..., undercut] + cells[0][..., tie])
    assert (cells[0][..., k] - cells[1][..., k] == paid).all()


# ---------------------------------------------------------------- runs


def files_of(path):
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file() and file.relative_to(path).parts[0] != "log"
    }


def test_bytes_do_not_depend_on_who_plays_and_a_run_is_resumed_extended_and_loaded(tmp_path):
    options = {"compare": ["undercut_bonus=10"], "seed": 3, "chunk": 200}
    one = ginsim.knock(["simple"], pairs=900, processes=1, out=tmp_path / "one", **options)
    ginsim.knock(["simple"], pairs=900, executor="threads", processes=3, out=tmp_path / "two", **options)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")
    for chunk in ("000000-00000000200", "000001-00000000800"):
        (tmp_path / "two" / "chunks" / f"{chunk}.npy").unlink()
    again = ginsim.resume(tmp_path / "two", processes=1)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")
    assert again.to_dict() | {"path": None} == one.to_dict() | {"path": None}
    ginsim.knock(["simple"], pairs=500, processes=1, out=tmp_path / "three", **options)
    ginsim.extend(tmp_path / "three", 900, processes=1)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "three")
    assert ginsim.load(tmp_path / "three").by_turn.equals(one.by_turn)


def says(*words):
    return CliRunner().invoke(main, list(map(str, words)), catch_exceptions=False)


@pytest.fixture(scope="module")
def studied(tmp_path_factory):
    """A study under two sets of rules, played by the command."""
    path = tmp_path_factory.mktemp("studied") / "run"
    options = ["-p", "greedy", "--compare", "undercut_bonus=10", "--pairs", 3000, "--seed", 1, "-j", 1]
    return path, says("knock", *options, "--out", path)


def test_the_command_prints_tables_findings_and_json_and_reads_its_config(studied, tmp_path):
    path, told = studied
    assert told.exit_code == 0
    for words in (
        "Difference: points of greedy in a hand against itself",
        "Declare with so much deadwood or less",
        "standard with undercut_bonus=10",
    ):
        assert words in " ".join(told.stdout.split())
    assert "- Mind: All differences are of one decision" in told.stdout
    findings = " ".join(finding.text for finding in ginsim.load(path).findings)
    assert re.search(r"turns \d+ to \d+", findings)
    assert not re.search(r"\d-\d", findings)
    again = says("knock", "--config", path / "config.toml", "-j", 1, "--json", "--out", tmp_path / "again")
    found = json.loads(again.stdout)
    assert set(found) == {"experiment", "path", "findings", *KnockResult.TABLES}
    assert files_of(path) == files_of(tmp_path / "again")
    assert says("resume", path).exit_code == 0
    exported = says("export", path, "--format", "csv", "--table", "thresholds").stdout
    assert exported.splitlines()[1].startswith("policy,opponent,rules,states,turn,n,threshold")
    for words in (("hands", path), ("replay", path, "--hand", "0.0.0")):
        refused = says(*words)
        assert refused.exit_code == 2, refused.output
        assert "knock study" in refused.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-p", "greedy", "-p", "greedy"], "policy 'greedy' is named twice"),
        (["-p", "gready"], "unknown policy 'gready', did you mean greedy?"),
        (["--compare", "undercut=10"], "unknown knob 'undercut', did you mean undercut_bonus?"),
        (["--compare", "10,20"], "compare is '10'; allowed: KNOB=VALUE"),
        (["--compare", "rules=house"], "unknown preset 'house'"),
        (["--compare", "target=50"], "target makes no difference to single hands"),
        (["--pairs", "0"], "pairs is 0; allowed: a whole number from 1"),
    ],
)
def test_bad_input_is_told_before_the_first_hand(words, message, tmp_path):
    told = says("knock", *words, "--out", tmp_path / "run")
    assert told.exit_code == 2
    assert message in told.stderr
    assert not (tmp_path / "run").exists()


# ---------------------------------------------------------------- what is made of the counters


def test_errors_cover_the_truth_as_often_as_they_say():
    """Small studies against a large one of other deals: of intervals of 95 % few miss it."""
    large = ginsim.knock(["greedy"], pairs=60_000, seed=9, processes=1).by_deadwood
    truth = large[large["states"] == "declining"].set_index("deadwood")["difference"]
    missed = shown = 0
    for seed in range(25):
        frame = ginsim.knock(["greedy"], pairs=1500, seed=100 + seed, processes=1).by_deadwood
        for row in frame[frame["states"] == "declining"].itertuples():
            shown += 1
            missed += not row.difference_low <= truth[row.deadwood] <= row.difference_high
    assert shown == 25 * 11
    assert 0.02 < missed / shown < 0.10  # 5 % with the binomial spread of cells that share their hands


def cell(deadwood, value, half):
    return {
        "deadwood": deadwood,
        "n": 100,
        "difference": value,
        "difference_low": value - half,
        "difference_high": value + half,
    }


def test_a_threshold_is_the_highest_deadwood_that_gains_with_what_the_intervals_leave():
    rows = [
        cell(0, 6, 1),
        cell(1, -3, 1),
        cell(2, -1, 2),
        cell(3, 4, 1),
        cell(4, 1, 2),
        cell(5, -1, 2),
        cell(6, -5, 1),
    ]
    found = _threshold(pd.DataFrame(rows))
    assert found == {"n": 700, "threshold": 4, "low": 3, "high": 5, "declines": "1", "undecided": 3}
    assert _threshold(pd.DataFrame([cell(0, -2, 1)]))["threshold"] == -1
    unknown = _threshold(pd.DataFrame([cell(2, 4, math.nan)]))
    assert (unknown["threshold"], unknown["low"], unknown["high"], unknown["undecided"]) == (2, -1, 2, 1)


# ---------------------------------------------------------------- tables of thresholds


@pytest.mark.parametrize(
    ("text", "short", "thresholds"),
    [
        ("10x3-7-0", "10x3-7-0", (10, 10, 10, 7, 0)),
        ("10-10-10-7x1-0x4", "10x3-7-0", (10, 10, 10, 7, 0, 0, 0, 0)),
        ("5", "5", (5,)),
        ("98x125", "98", (98,) * 125),
    ],
)
def test_a_table_is_read_and_written_in_its_shortest_form(text, short, thresholds):
    policy = ginsim.parse_spec(f"threshold:table={text}")
    assert policy.spec == f"threshold:table={short}"
    assert thresholds_of(text) == thresholds
    assert policy.thresholds == thresholds_of(short)


@pytest.mark.parametrize(
    "text", ["", "10x0", "99", "10-", "-1", "3x126", "10x60-9x66", "ten", "1.5", "10x-3"]
)
def test_what_is_no_table_is_refused(text):
    with pytest.raises(
        PolicyError, match=r"table is .*allowed: none, or deadwoods|allowed: name or name:knob"
    ):
        ginsim.parse_spec(f"threshold:table={text}")


def test_a_table_stands_in_the_place_of_the_other_knobs():
    with pytest.raises(PolicyError, match="table and knock_at are both given"):
        ginsim.parse_spec("marjj:knock_at=4,table=3")


@pytest.mark.parametrize(
    ("table", "knobs"),
    [
        ("threshold:table=10x3-0", "early"),
        ("threshold:table=0", "gin_only"),
        ("threshold:table=98", "greedy"),
        ("keeper:table=6x5-2", "keeper:knock_at=6,until_turn=5,then_at=2"),
        ("cautious:caution=9,table=4", "cautious:caution=9,knock_at=4"),
        ("marjj:table=10x3-0", "marjj"),
    ],
)
def test_a_table_plays_as_the_knobs_that_say_the_same(table, knobs):
    for rules in (Rules(), Rules.preset("fifty_card")):
        played = [
            Match(native(spec), native("simple"), rules.codes(), KEY).play(0, 200) for spec in (table, knobs)
        ]
        assert all((one == other).all() for one, other in zip(*played, strict=True))


# ---------------------------------------------------------------- pictures and pages


def test_a_page_has_findings_figures_and_what_a_number_is_a_mean_of(studied, tmp_path, monkeypatch):
    figures = {}

    def drawn_once(picture, origin, svg):
        figures[picture.name] = picture.draw()
        return {"png": b"", "webp": b""}  # tests/test_report.py has files of figures

    monkeypatch.setattr("ginsim.report.html._images", drawn_once)
    write_report([ginsim.load(studied[0])], tmp_path / "page.html")
    assert list(figures) == ["difference_declining", "thresholds", "difference_reached", "declared"]
    texts = list(map(text_of, figures.values()))
    assert all("3,000 mirrored pairs" in text and "seed 1" in text for text in texts)
    assert "under the rules named" in texts[0]
    assert "undercut_bonus=10" in texts[0]
    assert "by rules?" in texts[1]
    assert "own turn" in texts[1]
    page = (tmp_path / "page.html").read_text()
    for words in ("on the same hidden cards", "The highest deadwood at which declaring is better", "Mind:"):
        assert words in page


def text_of(figure):
    return " ".join(" ".join(text.get_text() for text in figure.findobj(matplotlib.text.Text)).split())


def test_a_study_without_a_decision_says_so(tmp_path):
    result = ginsim.knock(
        ["random"], rules=Rules.preset("straight"), pairs=2, seed=4, processes=1, out=tmp_path / "run"
    )
    assert all(len(getattr(result, name)) == 0 for name in KnockResult.TABLES)
    assert (
        result.findings[0].text
        == "random against itself (straight rules): no decision with a legal declaration came up."
    )
    assert result.to_dict()["thresholds"] == []
    for picture in contents_of(result).pictures:
        picture.draw()
    assert says("resume", tmp_path / "run", "-j", 1).exit_code == 0
