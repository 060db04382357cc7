"""The hands behind a run: their ids, rows, filters, replay and export."""

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

import ginsim
from ginsim._score import OUTCOMES
from ginsim.analysis import Tournament, results
from ginsim.analysis.filters import Filter, FilterError
from ginsim.analysis.hands import find, frame, ids, refuse_changes, replay, rows
from ginsim.cli import main
from ginsim.experiment.handid import HandId, find_hand, find_pairing
from ginsim.experiment.plan import Experiment, ExperimentError
from ginsim.experiment.pricing import prices
from ginsim.experiment.rows import ROW, cut
from ginsim.experiment.store import MemoryStore, RunStore, StoreError, sealed
from ginsim.experiment.studies.tournament import plan_tournament
from ginsim.hands import deadwood
from ginsim.records import GameRecord, HandRecord, play_hand, read_record
from ginsim.report import export
from ginsim.rules import Rules

FIELD = ["greedy", "simple", "random"]


def plan(**options: object) -> Experiment:
    return plan_tournament(**{"policies": FIELD, "pairs": 40, "seed": 5, **options})


def all_hands(experiment: Experiment) -> pd.DataFrame:
    return pd.concat([frame(experiment, part) for part in rows(MemoryStore(experiment))], ignore_index=True)


def ginsim_says(*words: object, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, list(map(str, words)), input=stdin, catch_exceptions=False)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "run"
    ginsim.tournament(FIELD, pairs=300, seed=5, processes=1, out=path)
    return path


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "games"
    ginsim.tournament(["greedy", "simple"], pairs=4, seed=5, unit="games", processes=1, out=path)
    return path


# ---------------------------------------------------------------- ids


def test_the_number_of_a_hand_counts_the_hands_in_the_order_of_the_plan() -> None:
    experiment = Experiment(
        **{**vars_of(plan()), "chunk": 7}  # a last chunk that is shorter
    )
    hands = ids(experiment, all_hands(experiment))
    assert len(hands) == len(set(hands)) == 2 * 40 * 3
    assert [str(find_hand(experiment, str(number))) for number in range(len(hands))] == hands
    assert [str(find_hand(experiment, f" {text} ")) for text in hands] == hands


def vars_of(experiment: Experiment) -> dict[str, object]:
    return {name: getattr(experiment, name) for name in experiment.__dataclass_fields__}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("240", "hand is 240; allowed: 0 to 239, or PAIRING:PAIR:ORIENTATION"),
        ("3:0:0", "pairing of hand '3:0:0' is 3; allowed: 0 to 2"),
        ("0:40:0", "pair of hand '0:40:0' is 40; allowed: 0 to 39"),
        ("0:0:2", "hand is '0:0:2'; allowed: PAIRING:PAIR"),
        ("0:0:0:0", "hand is '0:0:0:0'; allowed: PAIRING:PAIR:ORIENTATION"),
        ("-1", "hand is '-1'; allowed"),
        ("", "hand is ''; allowed"),
        ("²", "hand is '²'; allowed"),
    ],
)
def test_a_hand_that_is_not_there_is_refused(text: str, told: str) -> None:
    with pytest.raises(ExperimentError, match=told):
        find_hand(plan(), text)


def test_a_pairing_is_named_in_either_order() -> None:
    experiment = plan()
    assert find_pairing(experiment, "random", "greedy") == find_pairing(experiment, "greedy", "random") == 1
    with pytest.raises(
        ExperimentError, match="pairing is greedy nobody; allowed: greedy simple, greedy random, "
    ):
        find_pairing(experiment, "greedy", "nobody")


# ---------------------------------------------------------------- rows


def test_a_row_is_small_and_its_fields_hold_what_they_must() -> None:
    assert ROW.itemsize <= 32
    for name, most in (
        ("pair", 10**10),
        ("pairing", 499_500),
        ("points", 2 * (10_000 + 98)),
        ("hand_in_game", 999),
        ("turn", 125),
        ("draws", 250),
        ("limit", 98),
        ("knocker_deadwood", 98),
        ("defender_before", 100),
        ("upcard", 60),
    ):
        assert np.iinfo(ROW[name]).max >= most, name


@pytest.mark.parametrize(
    "options",
    [
        dict(),
        dict(independent_deals=True),
        dict(rules=Rules.preset("classic")),
        dict(rules=Rules.preset("oklahoma")),
        dict(rules=Rules.preset("fifty_card")),
        dict(unit="games", pairs=3),
        dict(unit="games", pairs=2, rules=Rules.preset("palace")),
    ],
    ids=str,
)
def test_the_rows_come_to_the_counters_of_the_run(options: dict) -> None:
    """Played again hand by hand, a run comes to what its counters say: outcomes, draws, points, knocks."""
    experiment = plan(**options)
    result = ginsim.play(experiment, processes=1)
    hands = all_hands(experiment)
    for number in range(len(experiment.pairings)):
        tally, mine = result.tally(number), hands[hands.pairing == number]
        assert len(mine) == tally["hands"]
        assert mine.draws.sum() == tally["draws"]
        assert [(mine.outcome == name).sum() for name in ("void", "cut")] == [tally["voids"], tally["cuts"]]
        scored = mine.winner.where(mine.outcome != "tie", mine.knocker.map({"a": "b", "b": "a"}))
        for entrant, side in enumerate("ab"):
            won = [((mine.outcome == name) & (scored == side)).sum() for name in OUTCOMES[:5]]
            assert won == list(tally["outcomes"][entrant])
        assert mine.points.sum() == prices(experiment.rules) @ tally["parts"]
    knocks = hands[hands.knocker.notna()]
    counted = knocks.groupby(["pairing", "knocker", "turn", "knocker_deadwood"], observed=True).size()
    told = {}
    for number in range(len(experiment.pairings)):
        cells = result.tally(number).knocks[..., 0].sum(axis=(-1, -2))
        for side, turn, count in zip(*np.nonzero(cells), strict=True):
            told[number, "ab"[side], turn + 1, count] = cells[side, turn, count]
    assert counted.to_dict() == told


@pytest.mark.parametrize("preset", Rules.presets())
def test_a_row_says_what_the_record_of_its_hand_says(preset: str) -> None:
    experiment = plan(policies=["greedy", "simple"], pairs=30, rules=Rules.preset(preset))
    hands = all_hands(experiment)
    for text, row in zip(ids(experiment, hands), hands.itertuples(), strict=True):
        record = replay(experiment, find_hand(experiment, text))
        assert isinstance(record, HandRecord)
        facts, side = record.facts, "ab"[:: -1 if row.orientation else 1]
        assert (row.outcome, row.limit, row.doubled) == (record.outcome, facts.limit, facts.doubled)
        assert (row.dealer, row.upcard) == (side[record.dealer], facts.upcard)
        assert row.draws == sum(action.question == "discard" for action in record.actions)
        assert abs(row.points) == record.points
        if facts.knocker is None:
            assert pd.isna(row.knocker)
            assert pd.isna(row.turn)
            assert pd.isna(row.defender_before)
            continue
        assert row.knocker == side[facts.knocker]
        assert (row.knocker_deadwood, row.defender_deadwood) == (facts.knocker_count, facts.defender_count)
        assert row.laid_off == len(facts.laid)
        table = record.table()
        for action in record.actions:
            table.apply(action.answer)
        assert row.turn == table.view().turns[facts.knocker]
        assert row.defender_before == deadwood(table.hands()[1 - facts.knocker])
        if record.winner is not None:
            assert (row.winner, row.points > 0) == (side[record.winner], side[record.winner] == "a")


def test_whole_numbers_stay_whole_numbers_also_where_some_are_missing() -> None:
    experiment = plan(policies=["gin_only", "simple"], pairs=100)
    hands = all_hands(experiment)
    assert hands.turn.isna().any()
    assert not hands.select_dtypes("floating").columns.tolist()
    assert hands.dtypes.equals(frame(experiment, np.empty(0, dtype=ROW)).dtypes)


# ---------------------------------------------------------------- filters


@pytest.mark.parametrize(
    "text",
    [
        "outcome == 'undercut' and turn > 8",
        "not (turn <= 8) or doubled",
        "3 < turn < 9",
        "winner in ['a'] and outcome not in ('gin', 'big_gin')",
        "points * 2 - knocker_deadwood > -40",
        "a == 'greedy' and knocker == winner",
        "(turn > 8) & ~doubled | (pair % 2 == 0)",
        "turn\n> 8",
    ],
)
def test_a_condition_finds_what_pandas_finds(text: str) -> None:
    experiment = plan()
    hands = all_hands(experiment)
    expected = hands.query(text.replace("\n", " "), engine="python")
    found, seen, ended = find(MemoryStore(experiment), text)
    assert (seen, ended) == (len(hands), True)
    pd.testing.assert_frame_equal(found.drop(columns="hand"), expected.reset_index(drop=True))
    assert 0 < len(found) < len(hands)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "cannot be read"),
        ("turn >", "cannot be read"),
        ("@turn > 1", "cannot be read"),
        ("turn > 1; turn", "cannot be read"),
        ("(" * 900, "cannot be read"),
        ("turn > 1 or " * 200 + "turn > 1", "has 2408 characters; allowed: 1000"),
        ("speed > 1", "names 'speed', which is no column"),
        ("__import__('os').system('ls')", "has a attribute|has a call|names '__import__'"),
        ("turn.abs() > 1", "has a call|has a attribute"),
        ("turn.values", "has a attribute"),
        ("turn[0] > 1", "has a subscript"),
        ("(lambda: 1)() > 1", "has a "),
        ("turn > 10 ** 9", "has a pow"),
        ("turn > (x := 3)", "has a namedexpr|names 'x'"),
        ("f'{turn}' == 'x'", "has a "),
        ("turn is 3", "has a is"),
        ("turn > None", "has the value None"),
        ("turn > 1j", "has the value 1j"),
        ("turn + 1", "is no condition"),
        ("True", "is no condition"),
        ("turn == 'x'", "turn is compared with 'x'; allowed: numbers"),
        ("outcome == 'undercutt'", "outcome is compared with 'undercutt'; allowed: 'knock', 'gin'"),
        ("winner in ['a', 'c']", "winner is compared with 'c'; allowed: 'a', 'b'"),
        ("outcome > 'gin'", "cannot be evaluated"),
        ("outcome + 1 > turn", "cannot be evaluated"),
    ],
)
def test_a_condition_that_cannot_be_is_refused_before_a_hand_is_played(text: str, told: str) -> None:
    empty = frame(plan(), np.empty(0, dtype=ROW))
    with pytest.raises(FilterError, match=told) as error:
        Filter(text, empty)
    assert isinstance(error.value, ValueError)
    if "compared" not in told:
        assert "columns: pairing, pair, " in str(error.value)


def test_finding_stops_at_the_limit_and_plays_no_more_than_it_must() -> None:
    endless = plan(pairs=10**10)
    found, seen, ended = find(MemoryStore(endless), limit=3)
    assert (list(found.hand), seen, ended) == (["0:0:0", "0:0:1", "0:1:0"], 3, False)
    found, seen, ended = find(MemoryStore(endless), "outcome == 'gin' and points < 0", limit=5, pairing=2)
    assert (len(found), ended) == (5, False)
    last = find_hand(endless, found.hand.iloc[-1])
    assert seen == 2 * last.pair + last.orientation + 1
    assert set(found.pairing) == {2}
    some = list(islice(cut(rows(MemoryStore(endless)), 100), 3))
    assert [len(batch) for batch in some] == [100] * 3


def test_a_tournament_in_python_has_its_hands_and_shows_them_again(run: Path) -> None:
    for result in (Tournament(RunStore.open(run)), ginsim.tournament(FIELD, pairs=300, seed=5, processes=1)):
        found = result.hands("outcome == 'gin' and turn < 6", limit=2, pairing=("random", "greedy"))
        assert (len(found), set(found.pairing), set(found.outcome)) == (2, {1}, {"gin"})
        record = result.replay(found.hand[0])
        assert isinstance(record, HandRecord)
        assert record == result.replay(str(record_number(found)))
        assert (record.outcome, set(record.players)) == ("gin", {"random", "greedy"})
        assert len(result.hands(limit=7)) == 7


def record_number(found: pd.DataFrame) -> int:
    """The number of the first hand found, of pairing 1 and the first chunk, which has 256 pairs."""
    return 512 + 2 * int(found.pair[0]) + int(found.orientation[0])


# ---------------------------------------------------------------- the commands


def test_hands_prints_ids_that_replay_takes(run: Path) -> None:
    where = "outcome == 'undercut' and turn > 8"
    done = ginsim_says("hands", run, "--where", where, "--limit", 3)
    assert done.exit_code == 0
    assert done.stderr.startswith("ginsim: 3 found in the first ")
    told = json.loads(ginsim_says("hands", run, "--where", where, "--limit", 3, "--json").stdout)
    assert [row["hand"] in done.stdout for row in told] == [True] * 3
    text = ginsim_says("hands", run, "--where", where, "--limit", 3, "--format", "csv").stdout
    assert list(pd.read_csv(io.StringIO(text)).hand) == [row["hand"] for row in told]
    for row in told:
        shown = ginsim_says("replay", run, "--hand", row["hand"])
        assert shown.exit_code == 0
        record = read_record(shown.stdout)
        assert isinstance(record, HandRecord)
        assert (record.outcome, record.points) == ("undercut", abs(row["points"]))
        assert row["turn"] > 8
        assert type(row["turn"]) is int
        as_json = ginsim_says("replay", run, "--hand", row["hand"], "--json").stdout
        assert read_record(as_json) == record


def test_hands_between_two_and_all_of_a_run(run: Path) -> None:
    done = ginsim_says(
        "hands", run, "--where", "points > 90", "--pairing", "simple", "greedy", "--limit", 999
    )
    assert done.stderr.endswith("found in all 600 hands\n")
    none = ginsim_says("hands", run, "--where", "points > 9000", "--json")
    assert (json.loads(none.stdout), none.exit_code) == ([], 0)
    empty = ginsim_says("hands", run, "--where", "points > 9000", "--format", "csv")
    assert empty.stdout.startswith("hand,pairing,pair,")
    assert "points" in ginsim_says("hands", run, "--limit", 300).stdout  # some without a knock


def test_replay_by_number_is_replay_by_id(run: Path) -> None:
    by_number, by_id = (ginsim_says("replay", run, "--hand", text) for text in ("1025", "2:0:1"))
    assert by_number.stdout == by_id.stdout != ""
    record = play_hand("simple", "random", seed=5, index=0, orientation=1, entrants=(1, 2))
    assert read_record(by_id.stdout) == record


def test_replay_of_a_game_and_of_a_hand_in_it(games: Path) -> None:
    game = read_record(ginsim_says("replay", games, "--hand", "0:1:1").stdout)
    assert isinstance(game, GameRecord)
    hand = read_record(ginsim_says("replay", games, "--hand", "0:1:1:2").stdout)
    assert hand == game.hands[2]
    for text, told in (
        ("0:1:1:99", f"hand of 0:1:1:99 is 99; allowed: 0 to {len(game.hands) - 1}"),
        ("17", "hand is 17; allowed with unit games: PAIRING:PAIR:ORIENTATION"),
    ):
        done = ginsim_says("replay", games, "--hand", text)
        assert (done.exit_code, told in done.stderr) == (2, True)
    told = json.loads(ginsim_says("hands", games, "--limit", 3, "--json").stdout)
    assert [row["hand"] for row in told] == ["0:0:0:0", "0:0:0:1", "0:0:0:2"]


def test_replay_of_independent_deals(tmp_path: Path) -> None:
    path = tmp_path / "run"
    ginsim.tournament(FIELD, pairs=3, seed=5, independent_deals=True, processes=1, out=path)
    record = read_record(ginsim_says("replay", path, "--hand", "1:2:0").stdout)
    assert isinstance(record, HandRecord)
    assert record.deals == 2


def test_replay_checks_a_record_of_a_file(tmp_path: Path) -> None:
    record = play_hand("greedy", "simple", seed=7)
    path = tmp_path / "hand.txt"
    path.write_text(record.to_text(), encoding="utf-8")
    assert ginsim_says("replay", path).stdout == record.to_text()
    assert ginsim_says("replay", "-", stdin="\ufeff" + record.to_json()).stdout == record.to_text()
    path.write_text(record.to_text().replace("dealer: seat 1", "dealer: seat 0"), encoding="utf-8")
    done = ginsim_says("replay", path)
    assert (done.exit_code, done.stdout) == (1, "")
    assert f"ginsim: '{path}': line " in done.stderr
    assert len(done.stderr.splitlines()) == 1
    path.write_bytes(b"\xff\xfe")
    assert ginsim_says("replay", path).exit_code == 1
    assert ginsim_says("replay", tmp_path / "none").exit_code == 1
    assert ginsim_says("replay", path, "--hand", "0:0:0").exit_code == 2
    assert ginsim_says("replay", tmp_path).exit_code == 2


def test_a_run_of_another_engine_or_policy_is_not_replayed(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    code = """
from ginsim import Policy

class Mine(Policy):
    'Mine.'

    def discard(self, view):
        return view.throwable.highest
"""
    bot.write_text(code, encoding="utf-8")
    path = tmp_path / "run"
    ginsim.tournament(["greedy", f"{bot}:Mine"], pairs=2, seed=5, processes=1, out=path)
    commands = (
        ("hands", path),
        ("replay", path, "--hand", "0"),
        ("export", path, "--format", "csv", "--table", "hands"),
    )
    assert [ginsim_says(*command).exit_code for command in commands] == [0, 0, 0]
    manifest = json.loads((path / "run.json").read_text(encoding="utf-8"))
    (path / "run.json").write_text(json.dumps(sealed({**manifest, "engine": 0})), encoding="utf-8")
    bot.write_text(f"{code}\n# another\n", encoding="utf-8")
    for command in commands:
        done = ginsim_says(*command)
        assert (done.exit_code, done.stdout) == (1, "")
        assert "the engine's behaviour number was 0 and is " in done.stderr
        assert f"policy '{bot}:Mine' has changed" in done.stderr
    with pytest.raises(StoreError, match="cannot be played again"):
        refuse_changes(RunStore.open(path))


def test_wrong_requests_are_told_in_one_line(run: Path, tmp_path: Path) -> None:
    for code, told, command in (
        (2, "is no column; columns: pairing", ("hands", run, "--where", "speed > 1")),
        (2, "pairing is a b; allowed: greedy simple", ("hands", run, "--pairing", "a", "b")),
        (1, "is no run directory of ginsim: it has no run.json", ("hands", tmp_path)),
        (1, "none' cannot be read: No such file or directory\n", ("replay", tmp_path / "none")),
        (1, "is no run directory", ("export", tmp_path, "--format", "csv")),
        (1, "is no run directory", ("replay", tmp_path, "--hand", "0")),
        (2, "needs --out FILE", ("export", run, "--format", "parquet")),
        (2, "--pairing needs --table hands", ("export", run, "--format", "csv", "--pairing", "a", "b")),
        (
            1,
            f"ginsim: {str(tmp_path / 'none' / 'x.csv')!r} cannot be written: No such file or directory\n",
            ("export", run, "--format", "csv", "--out", tmp_path / "none" / "x.csv"),
        ),
    ):
        done = ginsim_says(*command)
        assert (done.exit_code, done.stdout) == (code, ""), command
        assert told in done.stderr
        assert "Traceback" not in done.stderr


# ---------------------------------------------------------------- export


TABLES = (*results.TABLES, "hands")


def table_of(run: Path, table: str) -> pd.DataFrame:
    store = RunStore.open(run)
    return all_hands(store.experiment) if table == "hands" else getattr(Tournament(store), table)


def plain(frame: pd.DataFrame) -> list[dict]:
    return export.plain_rows(frame)


@pytest.mark.parametrize("table", TABLES)
def test_csv_holds_the_table_and_says_what_it_was_made_from(run: Path, tmp_path: Path, table: str) -> None:
    path = tmp_path / "table.csv"
    done = ginsim_says("export", run, "--format", "csv", "--table", table, "--out", path)
    assert (done.exit_code, done.output) == (0, "")
    text = path.read_text(encoding="utf-8")
    assert text == ginsim_says("export", run, "--format", "csv", "--table", table).stdout
    first, _, rest = text.partition("\n")
    about = json.loads(first.removeprefix("# "))
    assert about["table"] == table
    assert about["run"] == json.loads((run / "run.json").read_text(encoding="utf-8"))
    expected = table_of(run, table)
    read = pd.read_csv(path, skiprows=1, dtype=dict.fromkeys(whole_numbers(expected), "Int64"))
    assert plain(read) == plain(expected)
    assert ".0," not in rest if table == "hands" else rest


def whole_numbers(frame: pd.DataFrame) -> list[str]:
    return [name for name in frame.columns if pd.api.types.is_integer_dtype(frame[name])]


@pytest.mark.parametrize("table", TABLES)
def test_json_holds_the_table_and_says_what_it_was_made_from(run: Path, table: str) -> None:
    done = ginsim_says("export", run, "--format", "json", "--table", table)
    data = json.loads(done.stdout)
    assert data["provenance"]["run"]["experiment"]["seed"] == 5
    expected = table_of(run, table)
    assert data["rows"] == plain(expected)
    for name in whole_numbers(expected):
        assert {type(row[name]) for row in data["rows"]} <= {int, type(None)}


@pytest.mark.parametrize("table", TABLES)
def test_parquet_holds_the_table_and_says_what_it_was_made_from(
    run: Path, tmp_path: Path, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(export, "GROUP", 700)
    paths = [tmp_path / "one.parquet", tmp_path / "two.parquet"]
    for path in paths:
        assert (
            ginsim_says("export", run, "--format", "parquet", "--table", table, "--out", path).exit_code == 0
        )
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert sorted(tmp_path.iterdir()) == paths
    file = parquet.ParquetFile(paths[0])
    assert json.loads(file.schema_arrow.metadata[b"ginsim"])["table"] == table
    expected = table_of(run, table)
    assert file.num_row_groups == (3 if table == "hands" else 1)
    read = pd.read_parquet(paths[0])
    assert plain(read) == plain(expected)
    assert list(map(str, read.dtypes)) == list(map(str, expected.dtypes))


@pytest.mark.parametrize("table", TABLES)
def test_npz_holds_the_table_and_says_what_it_was_made_from(run: Path, tmp_path: Path, table: str) -> None:
    path = tmp_path / "table.npz"
    assert ginsim_says("export", run, "--format", "npz", "--table", table, "--out", path).exit_code == 0
    expected = table_of(run, table)
    with np.load(path, allow_pickle=False) as found:
        assert json.loads(str(found["provenance"]))["table"] == table
        assert set(found.files) == {"provenance", *expected.columns}
        for name in expected:
            if pd.api.types.is_integer_dtype(expected[name]):
                assert found[name].dtype.kind == "i"
                assert list(found[name]) == list(expected[name].fillna(-1))
            elif pd.api.types.is_float_dtype(expected[name]):
                assert np.array_equal(found[name], expected[name], equal_nan=True)
            elif not pd.api.types.is_bool_dtype(expected[name]):
                assert list(found[name]) == ["" if x is None or x != x else x for x in expected[name]]


def test_hands_of_one_pairing_are_exported(run: Path) -> None:
    done = ginsim_says("export", run, "--format", "csv", "--table", "hands", "--pairing", "random", "simple")
    hands = pd.read_csv(io.StringIO(done.stdout), skiprows=1)
    assert len(hands) == 600
    assert set(hands.pairing) == {2}


def test_parquet_without_pyarrow_says_what_to_install(run: Path, tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules['pyarrow'] = None; sys.modules['pyarrow.parquet'] = None\n"
        "from ginsim.cli import main; main()"
    )
    words = ["export", str(run), "--format", "parquet", "--out", str(tmp_path / "x")]
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "pip install 'ginsim-rummy[parquet]'" in done.stderr
    assert not list(tmp_path.iterdir())


def test_an_export_that_fails_leaves_what_was_there(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("before", encoding="utf-8")

    def broken(*_: object) -> Iterator[pd.DataFrame]:
        yield pd.DataFrame({"x": [1]})
        raise StoreError("broken")

    monkeypatch.setattr(export, "frames_of", broken)
    assert ginsim_says("export", run, "--format", "csv", "--out", path).exit_code == 1
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("x.csv", "before")]


def test_an_id_prints_as_it_is_read() -> None:
    for text in ("0:0:0", "12:3456789:1", "0:9999999999:1:999"):
        assert str(HandId.parse(text)) == text
