"""The luck of draws from the stock: counted right, 0 in the mean, and taken off without moving the mean."""

import functools
import itertools
import random
import runpy
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import ginsim
from ginsim._counters import layout
from ginsim._lockstep import Lockstep
from ginsim._luck import LEVELS, PAIRS, UNITS, luck_of, value_of
from ginsim._luck_values import VALUES
from ginsim._melds import best_discards_of, deadwood_of, is_meld_of
from ginsim._play import Match
from ginsim._table import Table
from ginsim.analysis.frames import points_per_hand
from ginsim.analysis.luck import points_less_luck
from ginsim.cli import main
from ginsim.experiment.pricing import prices
from ginsim.experiment.tally import Tally
from ginsim.policies import parse_spec
from ginsim.rules import Rules
from ginsim.stats.luck import Sums, ratio_less_luck
from ginsim.stats.means import ratio_of_sums

EXAMPLE = Path(__file__).parents[1] / "examples" / "batch_policy.py"
KEY = 0x0123_4567_89AB_CDEF
CARDS = [suit * 16 + rank for suit in range(4) for rank in range(13)]
LUCK = ("luck", "luck_squared", "luck_parts", "luck_hands")


def match_of(a, b, rules=None, luck=True, **options):
    return Match(parse_spec(a), parse_spec(b), (rules or Rules()).codes(), KEY, luck=luck, **options)


def bits(mask):
    return [card for card in CARDS if mask >> card & 1]


# ---------------------------------------------------------------- the value and the luck, once more in Python

TABLES, _start = {}, 0
for _pair in PAIRS:
    _rows, _columns = (LEVELS[feature] for feature in _pair)
    _cells = list(map(int, VALUES.split()[_start : _start + _rows * _columns]))
    TABLES[_pair] = [_cells[row * _columns : (row + 1) * _columns] for row in range(_rows)]
    _start += _rows * _columns


def level(number, upper_ends):
    return sum(number > end for end in upper_ends)


def deadwood_level(points, limit):
    return level(points + 10 - limit if points else 0, (0, 2, 4, 6, 8, 10, 14, 18, 22, 26, 31, 37))


def outs_level(number):
    return level(number, (0, 1, 2, 3, 4, 5, 7, 9))


THREES = [
    mask
    for mask in (sum(1 << card for card in three) for three in itertools.combinations(CARDS, 3))
    if is_meld_of(mask)
]


@functools.cache
def melding(hand):
    """The cards that make a meld of three with two of the hand."""
    lacking = (three & ~hand for three in THREES)
    return {mask.bit_length() - 1 for mask in lacking if mask.bit_count() == 1}


def twin_value(hand, other, stock, card, limit):
    eleven, left = hand | 1 << card, set(bits(stock)) - {card}
    own, best = best_discards_of(eleven)
    thrown = min(bits(best))
    count = picked = deadwood_of(other)
    if thrown in melding(other):
        picked = min(count, best_discards_of(other | 1 << thrown, 1 << thrown)[0])
    features = (
        deadwood_level(own, limit),
        outs_level(len(melding(eleven ^ 1 << thrown) & left)),
        deadwood_level(count, limit),
        deadwood_level(picked, limit),
        outs_level(len(melding(other) & left)),
        level(len(left), (4, 8, 12, 16, 21, 25)),
    )
    return sum(table[features[i]][features[j]] for (i, j), table in TABLES.items())


def twin_luck(hand, other, stock, card, limit):
    values = {c: twin_value(hand, other, stock, c, limit) for c in bits(stock)}
    mean, over = divmod(sum(values.values()), len(values))
    return values[card] - mean - (bits(stock).index(card) < over)


def luck_of_hand(codes, hand, orientation, luck):
    """A's luck in a traced hand, each draw's by `luck`, and the number of draws from the stock."""
    table, total, draws = Table(codes, hand["deck"], hand["dealer"]), 0, 0
    for _, _, answer in hand["actions"]:
        hands, stock = table.hands(), table.stock()
        table.apply(answer)
        if len(table.stock()) == len(stock):
            continue
        (card,) = set(stock) - set(table.stock())
        seat = next(seat for seat in (0, 1) if table.hands()[seat] >> card & 1)
        mask = sum(1 << left for left in stock)
        here = luck(hands[seat], hands[1 - seat], mask, card, hand["facts"]["limit"])
        total += here if seat == orientation else -here
        draws += 1
    return total, draws


def traces(match, index, orientation, games):
    return match.trace_game(index, orientation) if games else [match.trace_hand(index, orientation)]


@pytest.mark.parametrize("games", [False, True])
@pytest.mark.parametrize("preset", Rules.presets())
def test_the_core_counts_what_the_twin_does(preset, games):
    rules, pairs, price = Rules.preset(preset), 3 if games else 12, prices(Rules.preset(preset))
    match = match_of("gin_only", "random", rules, games=games)
    wanted = np.zeros(4, dtype=int)
    for index in range(pairs):
        luck = points = hands = 0
        for orientation in (0, 1):
            for hand in traces(match, index, orientation, games)[: 2 if games else 1]:
                assert luck_of_hand(rules.codes(), hand, orientation, twin_luck) == luck_of_hand(
                    rules.codes(), hand, orientation, luck_of
                )
            for hand in traces(match, index, orientation, games):
                here, draws = luck_of_hand(rules.codes(), hand, orientation, luck_of)
                assert draws
                luck, hands = luck + here, hands + 1
                if hand["winner"] is not None:
                    points += hand["points"] * (1 if hand["winner"] == orientation else -1)
        wanted += luck, luck**2, luck * points, luck * hands
    tally = Tally(*match.play(0, pairs))
    assert wanted[1] > 0
    assert wanted.tolist() == [
        tally["luck"],
        tally["luck_squared"],
        price @ tally["luck_parts"],
        tally["luck_hands"],
    ]


# ---------------------------------------------------------------- its mean is 0


def some_draws(dice, number):
    """Hands, stock and limit of draws, with hands that hold melds as often as not, down to a stock of one."""
    for _ in range(number):
        deck = sorted(CARDS, key=lambda card: (card % 16 // dice.choice((1, 3, 13)), dice.random()))
        cut = dice.randrange(2)
        deck = [*deck[cut::2], *deck[1 - cut :: 2]] if dice.random() < 0.5 else dice.sample(CARDS, 52)
        masks = [sum(1 << card for card in part) for part in (deck[:10], deck[10:20])]
        stock = sum(1 << card for card in deck[21 : 22 + dice.randrange(31)])
        yield *masks, stock, dice.randrange(11)


def test_over_all_cards_of_a_stock_the_luck_is_exactly_0():
    for hand, other, stock, limit in some_draws(random.Random(5), 2_000):
        cards = bits(stock)
        lucks = [luck_of(hand, other, stock, card, limit) for card in cards]
        values = [value_of(hand, other, stock, card, limit) for card in cards]
        assert sum(lucks) == 0
        for luck, value in zip(lucks, values, strict=True):
            assert abs(luck - (value - sum(values) / len(values))) < 1


@pytest.mark.parametrize(
    ("a", "b", "preset"),
    [
        ("greedy", "simple", "standard"),
        ("gin_only", "greedy", "eaai"),
        ("random", "keeper", "fifty_card"),
        ("gin_only", "random", "straight"),
        ("early", "threshold", "oklahoma"),
    ],
)
def test_the_mean_of_many_pairs_is_0(a, b, preset):
    tally = Tally(*match_of(a, b, Rules.preset(preset)).play(0, 10_000))
    assert tally["luck_squared"] > 0
    assert abs(tally["luck"]) < 4 * np.sqrt(tally["luck_squared"])


def test_plain_and_adjusted_have_the_same_mean_and_the_errors_they_claim():
    runs, pairs, rules = 300, 200, Rules()
    match = match_of("greedy", "simple", rules)
    found = []
    for run in range(runs):
        tally = Tally(*match.play(run * pairs, (run + 1) * pairs))
        found.append((points_per_hand(tally, rules), points_less_luck(tally, prices(rules))))
    plain, adjusted = (
        np.array([estimate.value for estimate in column]) for column in zip(*found, strict=True)
    )
    moved = adjusted - plain
    assert abs(moved.mean()) < 4 * moved.std(ddof=1) / np.sqrt(runs)
    assert plain.var(ddof=1) > 1.3 * adjusted.var(ddof=1)
    claimed = np.mean([estimate.se**2 for _, estimate in found])
    # The variance of 300 runs has a relative error of sqrt(2 / 299) = 8 %.
    assert adjusted.var(ddof=1) == pytest.approx(claimed, rel=4 * np.sqrt(2 / (runs - 1)))


# ---------------------------------------------------------------- off, and wherever it is played


def others(counters):
    """All counters but those of luck."""
    tally = Tally(*counters)
    fields = [tally.by_block(name) for name, _ in layout() if name not in LUCK]
    return [*fields, tally.knocks, tally.discards]


@pytest.mark.parametrize("games", [False, True])
def test_all_other_counts_are_those_of_a_run_without_luck(games):
    plain, counting = (
        match_of("simple", "random", luck=luck, games=games).play(3, 60) for luck in (False, True)
    )
    for one, other in zip(others(plain), others(counting), strict=True):
        assert (one == other).all()
    for name in LUCK:
        assert not Tally(*plain).by_block(name).any()
        assert Tally(*counting).by_block(name).any()


@pytest.mark.parametrize("games", [False, True])
def test_lockstep_counts_the_same(games):
    greedy = runpy.run_path(str(EXAMPLE))["Greedy"]
    rules = Rules.preset("oklahoma").codes()
    lockstep = Lockstep(greedy(), parse_spec("simple"), rules, KEY, games, width=7, luck=True).play(0, 40)
    alone = Match(parse_spec("greedy"), parse_spec("simple"), rules, KEY, games, luck=True).play(0, 40)
    assert all((one == other).all() for one, other in zip(lockstep, alone, strict=True))
    assert Tally(*alone)["luck_squared"] > 0


def test_a_run_has_the_same_bytes_in_threads_and_processes(tmp_path):
    kept = []
    for number, processes in enumerate((1, 2, None)):
        path = tmp_path / str(number)
        ginsim.tournament(
            ["greedy", "simple", "random"], pairs=600, seed=2, luck=True, processes=processes, out=path
        )
        files = sorted(file for file in path.rglob("*") if file.is_file() and file.parent.name != "log")
        kept.append([(file.relative_to(path), file.read_bytes()) for file in files])
    assert kept[0] == kept[1] == kept[2]


# ---------------------------------------------------------------- the estimate


def test_the_tables_show_both_and_what_it_gained():
    options = dict(pairs=4_000, seed=6, processes=1)
    plain = ginsim.tournament(["greedy", "simple"], **options)
    both = ginsim.tournament(["greedy", "simple"], luck=True, **options)
    added = ["points_adjusted", "points_adjusted_se", "points_adjusted_low", "points_adjusted_high"]
    assert set(both.pairings) - set(plain.pairings) == {*added, "variance_ratio"}
    assert both.pairings[plain.pairings.columns].equals(plain.pairings)
    assert both.ranking.equals(plain.ranking)
    row = both.pairings.iloc[0]
    assert row.points_adjusted_low < row.points_adjusted < row.points_adjusted_high
    assert row.variance_ratio == pytest.approx((row.points_se / row.points_adjusted_se) ** 2)
    assert row.variance_ratio > 1.4
    assert both.log["luck_seconds"][0] > 0
    assert "luck_seconds" not in plain.log


def test_the_command_prints_both(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["tournament", "-p", "greedy", "-p", "simple", "--pairs", "600", "--seed", "2", "-j", "1"]
    plain, both = (
        CliRunner().invoke(main, [*words, *more], catch_exceptions=False) for more in ([], ["--luck"])
    )
    assert (plain.exit_code, both.exit_code) == (0, 0)
    assert "less luck" not in plain.stdout
    assert "less luck" in both.stdout
    (row,) = (line.split() for line in both.stdout.splitlines() if line.startswith("greedy – simple "))
    variance, time = map(float, row[-2:])
    assert 0 <= time < variance


def test_luck_is_on_or_off():
    with pytest.raises(ginsim.ExperimentError, match="luck is 'yes'; allowed: True or False"):
        ginsim.tournament(["greedy", "simple"], pairs=1, luck="yes")


def test_policies_that_play_alike_have_no_luck_to_take_off():
    """Each has in one hand of a pair what the other has in the other."""
    assert Tally(*match_of("greedy", "greedy").play(0, 500))["luck_squared"] == 0


@pytest.mark.parametrize("pairs", [1, 2, 3])
def test_few_pairs_have_an_estimate(pairs):
    row = ginsim.tournament(["greedy", "simple"], pairs=pairs, seed=1, luck=True, processes=1).pairings.iloc[
        0
    ]
    assert np.isfinite(row.points_adjusted)
    assert (pairs == 1) == np.isnan(row.points_adjusted_se)


def sums_of(y, h, luck):
    return Sums(len(y), y.sum(), y @ y, y @ h, h.sum(), h @ h, luck.sum(), luck @ luck, luck @ y, luck @ h)


def test_the_estimate_is_that_of_the_clusters_one_by_one():
    random = np.random.default_rng(3)
    h, luck = random.integers(1, 9, (2, 50)), random.normal(size=(2, 50))
    y = np.rint(2 * h + 3 * luck + random.normal(size=(2, 50)))
    slopes = [
        luck[other] @ (y[other] - y[other].sum() / h[other].sum() * h[other]) / (luck[other] @ luck[other])
        for other in (1, 0)
    ]
    less = np.concatenate([y[half] - slopes[half] * luck[half] for half in (0, 1)])
    sizes = h.ravel()
    found = ratio_less_luck([sums_of(y[half], h[half], luck[half]) for half in (0, 1)])
    residuals = less - less.sum() / sizes.sum() * sizes
    assert found.value == pytest.approx(less.sum() / sizes.sum())
    assert found.se == pytest.approx(np.sqrt(residuals @ residuals * 100 / 99) / sizes.sum())
    assert found.clusters == 100


def test_without_luck_the_estimate_is_the_plain_one():
    y, h, none = np.array([4, -2, 7, 0]), np.array([2, 2, 3, 1]), np.zeros(4)
    found = ratio_less_luck([sums_of(y[:2], h[:2], none[:2]), sums_of(y[2:], h[2:], none[2:])])
    plain = ratio_of_sums(4, int(y.sum()), int(y @ y), int(y @ h), int(h.sum()), int(h @ h))
    assert (found.value, found.se, found.low, found.high) == pytest.approx(
        (plain.value, plain.se, plain.low, plain.high)
    )


def test_what_is_no_draw_is_refused():
    hand, other = (sum(1 << card for card in CARDS[start : start + 10]) for start in (0, 10))
    stock = 1 << CARDS[30] | 1 << CARDS[40]
    assert luck_of(hand, other, stock, CARDS[30]) == -luck_of(hand, other, stock, CARDS[40])
    for wrong in (
        (hand, hand, stock, CARDS[30], 10),
        (hand ^ 1 << CARDS[0], other, stock, CARDS[30], 10),
        (hand, other, stock | 1 << CARDS[0], CARDS[30], 10),
        (hand, other, stock, CARDS[31], 10),
        (hand, other, stock, 64 + CARDS[30], 10),
        (hand, other, stock, CARDS[30], 11),
    ):
        with pytest.raises(ValueError, match=r"hands are|is not in the stock|limit is"):
            luck_of(*wrong)


def test_values_are_in_units_of_points():
    """A card that makes gin is worth about the bonus and the opponent's deadwood."""
    gin = sum(1 << card for card in (0, 1, 2, 16, 17, 18, 32, 33, 34, 9))
    other = sum(1 << card for card in (12, 11, 27, 26, 40, 39, 38, 53, 54, 60))
    stock = 1 << 3 | 1 << 44 | 1 << 22
    assert 30 * UNITS < value_of(gin, other, stock, 3) < 90 * UNITS
    assert luck_of(gin, other, stock, 3) > 0
