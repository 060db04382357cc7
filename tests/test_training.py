"""Training: gradients, targets, and that a net is a function of its course, whatever interrupts it."""

import dataclasses

import numpy as np
import pytest
from click.testing import CliRunner

from ginsim._learning import SCALE, add_gradients
from ginsim._lessons import SAMPLE, Learner, Lessons
from ginsim._nets import LAYERS, Net
from ginsim._play import Match
from ginsim._table import Table
from ginsim.cli import main
from ginsim.nets import packaged, read_net
from ginsim.policies import parse_spec
from ginsim.rules import Rules
from ginsim.training import Course, CourseError, Training, TrainingError
from ginsim.training.perceptron import Adam, fresh, learn, to_net

EAAI = Rules.preset("eaai")
SHORT = Course(EAAI, hands=16_384, seed=3, guided=4096, round_hands=4096)


def value_of(head, rows):
    """The perceptron in double precision, by numpy, in units of SCALE points."""
    w = [array.astype(np.float64) for array in head.arrays()]
    first = np.clip(w[0][rows].sum(axis=0) + w[1], 0, 4095 / 512)
    second = np.clip(first @ w[2] + w[3], 0, 4095 / 512)
    return second @ w[4] + w[5][0]


@pytest.fixture(scope="module")
def samples():
    player = Learner(packaged("eaai").net, EAAI, 20_000)
    other = Learner(packaged("eaai").net, EAAI, 20_000)
    return Lessons(Match(player, other, EAAI.codes(), 5)).play(0, 60)


def lively(seed):
    """A head all of whose weights are something."""
    rng = np.random.default_rng(seed)
    head = fresh(rng)[0]
    head.rows[...] = rng.normal(0, 0.1, head.rows.shape)
    return head


def slopes(head, rows, target):
    """The gradient of half the squared error of one position, by numpy in double precision."""
    w = [array.astype(np.float64) for array in head.arrays()]
    most = 4095 / 512
    one = w[0][rows].sum(axis=0) + w[1]
    first = np.clip(one, 0, most)
    two = first @ w[2] + w[3]
    second = np.clip(two, 0, most)
    error = second @ w[4] + w[5][0] - target / SCALE
    of_two = error * w[4] * ((two > 0) & (two < most))
    of_one = w[2] @ of_two * ((one > 0) & (one < most))
    of_rows = np.zeros_like(w[0])
    np.add.at(of_rows, rows, of_one)
    return of_rows, of_one, np.outer(first, of_two), of_two, error * second, np.array([error])


def test_gradients_are_slopes(samples):
    """Of half the squared error, held against numpy, which is held against differences."""
    head = lively(1)
    chosen = np.flatnonzero(samples["head"] == 0)[:200].astype(np.int64)
    positions = [(one["rows"][: one["n"]], float(one["target"])) for one in samples[chosen]]
    gradients = head.zeros()
    total = add_gradients(samples, chosen, head.arrays(), gradients)
    errors = [value_of(head, rows) - target / SCALE for rows, target in positions]
    assert total == pytest.approx(sum(error**2 for error in errors), rel=1e-5)
    wanted = [sum(parts) for parts in zip(*(slopes(head, *one) for one in positions), strict=True)]
    for gradient, slope in zip(gradients, wanted, strict=True):
        assert np.abs(gradient - slope).max() < 1e-4 * np.abs(slope).max()

    rows, target = positions[0]
    slope = slopes(head, rows, target)[2]
    place = np.unravel_index(np.abs(slope).argmax(), slope.shape)
    losses = []
    for step in (1e-3, -1e-3):
        moved = lively(1)
        moved.second[place] += step
        losses.append((value_of(moved, rows) - target / SCALE) ** 2 / 2)
    assert (losses[0] - losses[1]) / 2e-3 == pytest.approx(slope[place], rel=0.01)


def test_whole_numbers_come_near_the_weights(samples):
    """A value in integers is that in floating point, but for rounding."""
    heads = [lively(seed) for seed in (1, 2, 3)]
    net, arrays = to_net(heads)
    assert isinstance(net, Net)
    for one in samples[:200]:
        rows, number = one["rows"][: one["n"]], one["head"]
        head = {name: arrays[number][name].astype(np.int64) for name in LAYERS}
        two = head["second"].transpose(0, 2, 1).reshape(64, 32)
        first = np.clip((head["first_bias"] + head["rows"][rows].sum(axis=0)) >> head["shifts"][0], 0, 4095)
        second = np.clip((head["second_bias"] + first @ two) >> head["shifts"][1], 0, 4095)
        points = int((head["third_bias"][0] + second @ head["third"]) >> head["shifts"][2]) / 256
        assert points == pytest.approx(SCALE * value_of(heads[number], rows), abs=0.15)


def test_the_hand_is_what_is_learned_without_a_trace_cut():
    """With trace 1 and no exploring a position's target is what its hand paid; knocks' what they pay."""
    player, other = Learner(packaged("eaai").net, EAAI), parse_spec("marjj")
    match = Match(player, other, EAAI.codes(), 5)
    learned = Lessons(match, 1.0).play(0, 25)
    wanted, knocks = [], []
    for index in range(25):
        for orientation in (0, 1):
            traced = match.trace_hand(index, orientation)
            paid = 0 if traced["winner"] is None else traced["points"]
            paid = paid if traced["winner"] == orientation else -paid
            table = Table(EAAI.codes(), traced["deck"], traced["dealer"])
            left = 0
            for seat, question, answer in traced["actions"]:
                if seat == orientation and answer[0] in ("pass", "stock", "discard"):
                    left += 1
                if seat == orientation and question == "discard":
                    knocks += knock_of(table, player)
                table.apply(answer)
            wanted += [paid] * left
    assert sorted(learned["target"][learned["head"] < 2]) == sorted(wanted)
    assert sorted(learned["target"][learned["head"] == 2]) == sorted(knocks)
    assert len(knocks) > 30


def knock_of(table, player):
    """What the knock that it thinks the best would pay, where there is one that is no gin."""
    values = [(value, answer) for answer, value in player.values(table.view()) if answer >= 64]
    if not values:
        return []
    end = table.fork()
    end.apply(("knock", max(values)[1] - 64))
    while end.question != "over":
        end.apply(end.legal()[0])  # the default spread and defence
    if end.facts["knocker_count"] == 0:
        return []
    difference = end.facts["defender_count"] - end.facts["knocker_count"]
    return [difference if difference > 0 else difference - EAAI.undercut_bonus]


def interrupt(*_):
    raise KeyboardInterrupt


def test_a_net_is_a_function_of_its_course(tmp_path, monkeypatch):
    """Whatever the number of threads, and where it is interrupted."""
    monkeypatch.setattr(Course, "measured_pairs", 50)
    whole = Training(SHORT, tmp_path / "whole", 1)
    errors = [step.errors for step in whole.run()]
    assert len(errors) == 4
    assert whole.done
    whole.write(tmp_path / "whole.net")

    again = Training(SHORT, tmp_path / "again", 2)
    for number, _ in enumerate(again.run()):
        if number == 1:
            again._save()  # as every 32 rounds
            break
    stopped = Training(SHORT, tmp_path / "again", 2)
    monkeypatch.setattr(stopped, "_lessons", interrupt)
    with pytest.raises(KeyboardInterrupt) as interrupted:
        list(stopped.run())
    assert interrupted.value.__notes__[0].endswith("the same command goes on")
    rest = Training(SHORT, tmp_path / "again", 2)
    assert rest.round == 2
    assert [step.errors for step in rest.run()] == errors[2:]
    rest.write(tmp_path / "again.net")
    files = [read_net(tmp_path / name) for name in ("whole.net", "again.net")]
    for head, other in zip(files[0].heads, files[1].heads, strict=True):
        assert all((head[name] == other[name]).all() for name in LAYERS)
    assert files[0].provenance["command"] == "ginsim train --rules eaai --hands 16384 --seed 3"
    assert files[0].provenance["hands"] == 16_384
    assert {one["against"] for one in files[0].provenance["strength"]} == {
        "early",
        "gin_only",
        "marjj",
        "simple:defence=exact",
    }
    with pytest.raises(CourseError, match="is a training with seed 3, not 4; allowed: the same, or "):
        Training(dataclasses.replace(SHORT, seed=4), tmp_path / "again")
    with pytest.raises(CourseError, match="is a training with rules eaai, not classic"):
        Training(dataclasses.replace(SHORT, rules=Rules.preset("classic")), tmp_path / "again")
    (tmp_path / "again" / "state.npz").write_bytes(b"no state")
    with pytest.raises(TrainingError, match="is no training's state"):
        Training(SHORT, tmp_path / "again")


def test_steps_go_downhill(samples):
    head = fresh(np.random.default_rng(1))[0]
    adam = Adam(head)
    many = np.concatenate([samples] * 4)
    which = np.flatnonzero(many["head"] == 0).astype(np.int64)
    errors = [learn(head, adam, many, which, 1e-3) for _ in range(15)]
    assert errors[-1] < errors[0] - 3


def test_a_training_that_diverges_says_so(tmp_path):
    wild = dataclasses.replace(SHORT, rate=1e4, last_rate=1e4)
    with pytest.raises(TrainingError, match=r"the training diverged in round [12]: .* smaller step size"):
        list(Training(wild, tmp_path / "wild", 2).run())


@pytest.mark.parametrize("hands", [0, 16_383, -1, True, 1.5, 10**11])
def test_hands_that_cannot_be(hands):
    with pytest.raises(CourseError, match=r"hands is .*; allowed: a whole number from 16384 to 10\*\*10"):
        Course(EAAI, hands=hands)


def test_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = CliRunner().invoke(main, ["train", "--rules", "eaai", "--hands", "1000", "--out", "a.net"])
    assert (made.exit_code, made.stdout) == (2, "")
    assert "hands is 1000; allowed: a whole number from 16384" in made.stderr
    (tmp_path / "a.net").write_bytes(b"dear to me")
    made = CliRunner().invoke(main, ["train", "--hands", "16384", "--out", "a.net"])
    assert made.exit_code == 2
    assert "--out is 'a.net', which is there; allowed: another, or --force" in made.stderr
    assert (tmp_path / "a.net").read_bytes() == b"dear to me"
    made = CliRunner().invoke(main, ["train", "--hands", "16384", "--out", ""])
    assert (made.exit_code, "--out is '.'; allowed: a file" in made.stderr) == (2, True)


def test_a_folder_of_others_is_left_as_it_is(tmp_path):
    (tmp_path / "strength.png").write_bytes(b"mine")
    with pytest.raises(CourseError, match=r"has 'strength.png', and no training's state; allowed: a folder"):
        Training(SHORT, tmp_path)
    with pytest.raises(CourseError, match="is a file; allowed: a folder"):
        Training(SHORT, tmp_path / "strength.png")
    assert [path.name for path in tmp_path.iterdir()] == ["strength.png"]
    assert SAMPLE.itemsize == 232
