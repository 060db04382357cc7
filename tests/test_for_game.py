"""Playing for the game: what points are worth toward it, what is learned of them, and who may play so."""

from functools import cache

import numpy as np
import pytest
from click.testing import CliRunner
from players import at_scores

from ginsim import _beliefs, nets
from ginsim._core import READS
from ginsim._lessons import Learner, Lessons
from ginsim._play import Match
from ginsim._table import view_from_bytes
from ginsim._worth import Worth
from ginsim.chances import EquityError, sheet_of
from ginsim.cli import main
from ginsim.nets import NetError, packaged, read_net, write_net
from ginsim.policies import PolicyError, check_rules, identity, parse_spec
from ginsim.rules import Rules
from ginsim.training import Course, CourseError, Training
from ginsim.training.scores import Scores, visits

EAAI = Rules.preset("eaai")
NEXT = ("alternate", "winner", "loser", "alternate_scored")


def some_chances(target, seed=1):
    """Chances that rise with my score and fall with the opponent's."""
    noise = np.random.default_rng(seed).integers(0, 300, (target, target, 2))
    lead = np.arange(target)[:, None, None] - np.arange(target)[None, :, None]
    return (32768 + 30000 * lead // target + noise).astype("<u2")


def plainly(chances, rules, mine, theirs, deals, points):
    """A hand's worth by the words of `_worth`: the change of the chance, by what 25 points change."""
    box = rules.box_bonus if rules.box_timing == "immediate" else 0

    def chance(mine, theirs, deals):
        if mine >= rules.target or theirs >= rules.target:
            return 65535 if mine >= rules.target else 0
        return int(chances[mine, theirs, 0 if deals else 1])

    def after(deals, points):
        then = not deals
        if points == 0 and rules.next_dealer != "alternate":
            then = deals
        elif points and rules.next_dealer in ("winner", "loser"):
            then = (points > 0) == (rules.next_dealer == "winner")
        won, lost = (points + box if points > 0 else 0), (box - points if points < 0 else 0)
        return chance(mine + won, theirs + lost, then)

    point = sum(after(dealt, 25) - after(dealt, -25) for dealt in (True, False)) / 100
    return (after(deals, points) - chance(mine, theirs, deals)) / point


@pytest.mark.parametrize("next_dealer", NEXT)
@pytest.mark.parametrize("box_timing", ["end", "immediate"])
def test_a_hand_is_worth_what_it_does_to_the_chance(next_dealer, box_timing):
    rules = Rules(next_dealer=next_dealer, box_timing=box_timing)
    chances = some_chances(100)
    worth = Worth(chances, rules.codes())
    dice = np.random.default_rng(2)
    for _ in range(300):
        mine, theirs, points = (int(one) for one in dice.integers((0, 0, -60), (100, 100, 61)))
        deals = bool(dice.integers(2))
        wanted = plainly(chances, rules, mine, theirs, deals, points)
        assert worth.points(mine, theirs, deals, points) == pytest.approx(wanted, abs=1 / 128)


def test_the_usual_points_are_worth_what_they_pay_and_what_comes_to_nothing_nothing():
    worth = Worth(some_chances(100), EAAI.codes())
    for mine, theirs in ((0, 0), (90, 30), (50, 99)):
        dealt = [
            worth.points(mine, theirs, deals, 25) - worth.points(mine, theirs, deals, -25)
            for deals in (True, False)
        ]
        assert sum(dealt) / 2 == pytest.approx(50, abs=0.05)
    assert worth.points(95, 20, True, 5) == worth.points(95, 20, True, 60)
    assert worth.points(20, 95, True, -5) == worth.points(20, 95, True, -60)


def test_a_table_of_another_shape_is_refused():
    with pytest.raises(
        ValueError, match=r"uint16 and shape \(90, 90, 2\); allowed: uint16 and \(100, 100, 2\)"
    ):
        Worth(some_chances(90), EAAI.codes())
    with pytest.raises(ValueError, match="its rules have 3 columns; allowed: 1"):
        Worth(some_chances(100), Rules(columns=3).codes())


def test_scores_are_played_as_often_as_games_come_to_them():
    won = np.zeros(8)
    won[[2, 3, 7]] = 0.2, 0.1, 0.05
    sheet = sheet_of(Rules(target=9, box_bonus=1, box_timing="immediate"))

    @cache
    def often(a, b):
        if (a, b) == (0, 0):
            return 1.0
        steps = [(points, share / 0.35) for points, share in ((3, 0.2), (4, 0.1), (8, 0.05))]
        return sum(
            share / 2 * ((often(a - step, b) if a >= step else 0) + (often(a, b - step) if b >= step else 0))
            for step, share in steps
        )

    found = visits(won, sheet)
    assert found == pytest.approx(np.array([[often(a, b) for b in range(9)] for a in range(9)]))


def test_what_a_hand_teaches_is_what_it_is_worth():
    """With trace 1 and no exploring, beside a net that was never told scores: its play is that for points."""
    worth = Worth(some_chances(100), EAAI.codes())
    net = packaged("eaai").net
    player, other = Learner(net, EAAI, worth=worth), parse_spec("marjj")
    match = Match(player, other, EAAI.codes(), 5)
    scores = np.random.default_rng(3).integers(0, 100, (12, 2)).astype(np.int32)
    learned = Lessons(match, 1.0, worth).play(0, 12, scores)
    wanted = []
    for index, at in enumerate(scores.tolist()):
        for seat in (0, 1):
            traced = match.trace_hand(index, seat)
            paid = 0 if traced["winner"] is None else traced["points"]
            paid = paid if traced["winner"] == seat else -paid
            left = sum(
                one == seat and answer[0] in ("pass", "stock", "discard")
                for one, _, answer in traced["actions"]
            )
            wanted += [worth.points(at[seat], at[1 - seat], traced["dealer"] == seat, paid)] * left
    assert sorted(learned["target"][learned["head"] < 2]) == pytest.approx(sorted(wanted))
    knocks = learned["target"][learned["head"] == 2]
    plain = Lessons(Match(Learner(net, EAAI), other, EAAI.codes(), 5), 1.0).play(0, 12)
    assert len(knocks) == 4 * (plain["head"] == 2).sum() > 20
    with pytest.raises(ValueError, match=r"scores have the shape \(12, 2\); allowed: \(3, 2\)"):
        Lessons(match, 1.0, worth).play(0, 3, scores)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A net that has learned a little to play for the game, interrupted once, and the folder of its state."""
    folder = tmp_path_factory.mktemp("game")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("ginsim.training.course.LEAST_HANDS", 1024)
        patched.setattr(Course, "measured_pairs", 20)
        file = packaged("eaai")
        course = Course.of(EAAI, hands=8192, seed=3, start=file.digest, aim="game", round_hands=4096)
        first = Training(course, folder / "state", 1, file.heads)
        next(iter(first.run()))
        first._save()
        rest = Training(course, folder / "state", 2, file.heads)
        assert rest.round == 1
        assert (rest.scores.chances == first.scores.chances).all()
        assert len(list(rest.run())) == 1
        rest.write(folder / "game.net")
    return folder / "game.net"


def test_it_is_trained_from_a_net_for_points(trained):
    file = read_net(trained)
    assert (file.aim, file.rules) == ("game", EAAI)
    assert file.chances[0, 0].astype(int).sum() == pytest.approx(65535, abs=700)
    assert file.chances[90, 10].min() > 55_000
    assert (
        file.provenance["command"]
        == "ginsim train --rules eaai --for game --start FILE --hands 8192 --seed 3"
    )
    assert file.provenance["start"] == packaged("eaai").digest
    assert [one["against"] for one in file.provenance["strength"]] == ["the net it began with"]
    needs = slice(-32, None)
    assert all(not head["rows"][needs].any() for head in packaged("eaai").heads)
    assert all(head["rows"][needs].any() for head in file.heads)


def test_it_plays_games_by_the_score_and_a_hand_as_the_first(trained):
    spec = f"expert:net={trained},for=game"
    player = parse_spec(spec)
    assert str(player) == spec
    assert identity(spec)["files"] == {"net": read_net(trained).digest}
    games = Match(player, parse_spec("marjj"), EAAI.codes(), 3, games=True)
    assert games.play(0, 4)[0].sum() > 0
    one = Match(player, parse_spec("marjj"), EAAI.codes(), 3).trace_hand(5)
    assert one["actions"] == games.trace_game(5)[0]["actions"]


def test_search_plays_for_the_game(trained, monkeypatch):
    """Both sides of its rollouts by the net for the game, and the opponent's past by that for points."""
    packed = packaged
    monkeypatch.setattr(nets, "PACKAGED_FOR_GAME", ("eaai",))
    monkeypatch.setattr(
        nets, "packaged", lambda name, aim="points": read_net(trained) if aim == "game" else packed(name)
    )
    player = parse_spec("search:samples=8,for=game")
    assert player.reads & READS["scores"]
    assert player.reads & READS["game"]
    assert set(player.content) == {"eaai", *(f"{name}-believed" for name in nets.PACKAGED), "beliefs"}
    match = Match(player, parse_spec("greedy"), EAAI.codes(), 3, games=True)
    assert match.trace_game(1)[-1]["points"] > 0
    with pytest.raises(ValueError, match="columns is 3; allowed: 1"):
        player.check_rules(EAAI.replace(columns=3))
    views = [
        view_from_bytes(view.tobytes())
        for view in _beliefs.positions(Match(player, player, EAAI.codes(), 3), 0, 4)[0]
    ]
    thought = [[player.thoughts(at_scores(view, 100, *at), 1) for at in ((0, 0), (98, 50))] for view in views]
    assert sum(level != ahead for level, ahead in thought if level and ahead) > 3


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (
            "expert:net={game}",
            "its net learned to play for the game, and is to play for points; allowed: for=game",
        ),
        (
            "expert:net={points},for=game",
            "learned to play for points, and is to play for the game; allowed: for=p",
        ),
        ("expert:for=boxes", "policy expert: for is 'boxes'; allowed: points or game"),
        ("search:for=boxes", "policy search: for is 'boxes'; allowed: points or game"),
    ],
)
def test_a_net_of_the_other_kind_is_refused(trained, tmp_path, spec, words):
    file = packaged("eaai")
    write_net(tmp_path / "points.net", file.heads, file.rules, {})
    with pytest.raises(PolicyError, match=words):
        parse_spec(spec.format(game=trained, points=tmp_path / "points.net"))


def test_other_games_are_refused(trained, tmp_path):
    player = parse_spec(f"expert:net={trained},for=game")
    player.check_rules(EAAI.replace(max_hands=7))
    with pytest.raises(
        ValueError, match=r"with target 100 \(here 250\); allowed: rules that score and play a game"
    ):
        player.check_rules(EAAI.replace(target=250))
    with pytest.raises(ValueError, match="columns is 3; allowed: 1, for it goes by one score of each side"):
        check_rules(f"expert:net={trained},rules=any,for=game", EAAI.replace(columns=3))
    file = read_net(trained)
    write_net(tmp_path / "a.net", file.heads, file.rules, {}, file.chances[:-1])
    with pytest.raises(
        NetError, match=r"net '.*a.net': its chances are of type uint16 and shape \(99, 100, 2\)"
    ):
        read_net(tmp_path / "a.net")


def test_what_cannot_be_trained_is_refused(trained, tmp_path, monkeypatch):
    with pytest.raises(CourseError, match="aim is 'game' without a start"):
        Course(EAAI, aim="game")
    with pytest.raises(CourseError, match="aim is 'boxes'; allowed: points or game"):
        Course(EAAI, aim="boxes", start="0")
    hollywood = Rules(columns=3)
    with pytest.raises(EquityError, match="columns is 3"):
        Training(
            Course.of(hollywood, aim="game", start="0"), tmp_path / "x", start=packaged("standard").heads
        )
    monkeypatch.chdir(tmp_path)
    made = CliRunner().invoke(main, ["train", "--start", str(trained), "--out", "b.net"])
    assert made.exit_code == 1
    assert "game.net plays for the game; allowed to begin with: a net that plays for points" in made.stderr
    assert not (tmp_path / "b.net").exists()


def test_shares_are_more_where_more_hangs_on_a_hand():
    players = parse_spec("marjj"), parse_spec("marjj")
    scores = Scores.measured(players, EAAI.replace(target=40), 1, 100)
    assert scores.shares.sum() == pytest.approx(1)
    drawn = scores.drawn(np.random.default_rng(1), 2000)
    assert drawn.shape == (2000, 2)
    assert drawn.min() >= 0
    assert drawn.max() < 40
    worth = Worth(scores.chances, EAAI.replace(target=40).codes())
    assert worth.weight(35, 35) > worth.weight(35, 2) > 0
    assert drawn.mean(axis=0) == pytest.approx(scores.shares.sum(axis=1) @ np.arange(40), abs=1)
