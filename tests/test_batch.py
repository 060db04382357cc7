"""Batch policies: in lockstep they play, count and fail just as one by one."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import ginsim
from ginsim._bridge import PythonPolicy
from ginsim._core import Policy
from ginsim._lockstep import WIDTH, Lockstep, Streams, view_dtype
from ginsim._melds import deadwood_of, defend_of, knock_spread_of
from ginsim._play import Match, PlayFault
from ginsim._policies import Greedy, Random, Simple
from ginsim._table import RandomStream, SeatView
from ginsim.experiment.worker import match_of
from ginsim.policies.batch import BIG_GIN, KNOCK, NO_CARD, BatchPolicy, card_planes, highest_cards, one_card
from ginsim.rules import Rules

KEY = 7
EXAMPLE = Path(__file__).parents[1] / "examples" / "batch_policy.py"


def load_example(path=EXAMPLE):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


example = load_example()


def same(one, other):
    return all((a == b).all() for a, b in zip(one, other, strict=True))


def lockstep(a, b, rules=None, games=False, **options):
    return Lockstep(a, b, (rules or Rules()).codes(), KEY, games=games, **options)


def one_by_one(a, b, rules=None, games=False):
    return Match(a, b, (rules or Rules()).codes(), KEY, games=games)


class BatchRandom(BatchPolicy):
    """The stock policy `random`, draw for draw."""

    def take_upcard(self, views):
        return self.rng.below(2)

    draw = take_last = take_upcard

    def discard(self, views):
        hands = views["hand"]
        every = np.arange(len(views))
        answers = np.full(len(views), -1)
        melded = every[(views["big_gin"] != 0) & (ginsim.deadwood_array(hands) == 0)]
        big = melded[self.rng.below(2, melded) == 1]
        answers[big] = BIG_GIN
        allowed = hands & ~one_card(views["forbidden"])
        for row in every[(views["must_declare"] != 0) & (answers < 0)]:
            fit = [
                c
                for c in cards_of(allowed[row])
                if deadwood_of(int(hands[row]) ^ 1 << c) <= views["knock_limit"][row]
            ]
            answers[row] = fit[int(self.rng.below(len(fit), [row])[0])] | KNOCK
        rest = every[answers < 0]
        counts = np.bitwise_count(allowed[rest]).astype(np.int64)
        places = self.rng.below(counts, rest)
        cards = np.array([cards_of(allowed[r])[k] for r, k in zip(rest, places, strict=True)], dtype=np.int64)
        left = ginsim.deadwood_array(hands[rest] ^ one_card(cards))
        may = left <= views["knock_limit"][rest]
        knocks = np.zeros(len(rest), dtype=np.int64)
        knocks[may] = self.rng.below(2, rest[may])
        answers[rest] = cards | knocks * KNOCK
        return answers


def cards_of(mask):
    return [card for card in range(64) if int(mask) >> card & 1]


class Exact(example.Greedy):
    """Greedy with a spread and a defence of its own, which are the exact ones."""

    def spread(self, views):
        unseen = ~(views["hand"] | views["known"] | views["pile_cards"] | views["knock_card"])
        unseen &= np.uint64(0x1FFF1FFF1FFF1FFF)
        rows = [knock_spread_of(*map(int, row)) for row in zip(views["hand"], views["known"], unseen)]  # noqa: B905
        return padded(rows)

    def defend(self, views):
        melds = [shown["melds"][: shown["n"]].tolist() for shown in views["shown"]]
        rows = [defend_of(int(hand), shown) for hand, shown in zip(views["hand"], melds, strict=True)]
        return padded([own for _, own, _ in rows]), padded([laid for _, _, laid in rows])


def padded(rows):
    return np.array([[*row, 0, 0, 0][:3] for row in rows], dtype=np.uint64)


# ---- equal to one-by-one play


@pytest.mark.parametrize("preset", Rules.presets())
@pytest.mark.parametrize("games", [False, True])
def test_vectorised_greedy_is_greedy(preset, games):
    rules = Rules.preset(preset)
    expected = one_by_one(Greedy(), Simple(), rules, games).play(5, 60)
    assert same(lockstep(example.Greedy(), Simple(), rules, games).play(5, 60), expected)
    few = one_by_one(example.Greedy(), Simple(), rules, games).play(5, 20)
    assert same(few, one_by_one(Greedy(), Simple(), rules, games).play(5, 20))


def test_both_may_be_batch_policies():
    expected = one_by_one(Greedy(), Random()).play(0, 300)
    assert same(lockstep(example.Greedy(), BatchRandom()).play(0, 300), expected)
    assert same(lockstep(Exact(), BatchRandom()).play(0, 300), expected)


@pytest.mark.parametrize(
    "changes", [{}, {"stock_end": "last_discard", "big_gin_bonus": 31}, {"oklahoma": True}]
)
def test_each_hand_draws_from_its_own_stream(changes):
    rules = Rules(**changes)
    expected = one_by_one(Random(), Greedy(), rules).play(0, 400)
    assert same(lockstep(BatchRandom(), Greedy(), rules).play(0, 400), expected)


@pytest.mark.parametrize("width", [1, 3, 64, WIDTH])
def test_the_width_changes_nothing(width):
    expected = one_by_one(Random(), Simple(), games=True).play(0, 30)
    assert same(lockstep(BatchRandom(), Simple(), games=True, width=width).play(0, 30), expected)


def test_chunks_add_up_and_an_empty_one_is_empty():
    match = lockstep(BatchRandom(), Greedy(), entrants=(4, 9))
    whole = match.play(0, 90)
    parts = [match.play(start, stop) for start, stop in ((0, 40), (40, 40), (40, 90))]
    assert same([sum(arrays) for arrays in zip(*parts, strict=True)], whole)
    assert not any(array.any() for array in parts[1])


def test_single_hands_and_games_are_those_of_the_chunk():
    batch, native = lockstep(example.Greedy(), Simple()), one_by_one(Greedy(), Simple())
    assert [batch.trace_hand(i, i % 2) for i in range(8)] == [native.trace_hand(i, i % 2) for i in range(8)]
    assert lockstep(Exact(), BatchRandom(), games=True).trace_game(3) == one_by_one(
        Greedy(), Random(), games=True
    ).trace_game(3)


def test_a_worker_plays_batch_policies_in_lockstep():
    rules = Rules().codes()
    match = match_of(example.Greedy(), Greedy(), rules, KEY, False, (0, 1))
    assert (type(match), match.width) == (Lockstep, WIDTH)
    assert type(match_of(Greedy(), Simple(), rules, KEY, False, (0, 1))) is Match


class Forgetful:
    """A Python policy that remembers its hand in itself, and says so by playing worse when it is mixed up."""

    def begin(self, view):
        self.thrown = []

    def discard(self, view):
        card = max(c for c in cards_of(view.hand) if c != view.forbidden)
        assert self.thrown == [c for c in view.thrown[view.seat] if c is not None]
        self.thrown.append(card)
        return card


def test_an_opponent_that_remembers_in_itself_plays_one_hand_at_a_time():
    def forgetful():
        return PythonPolicy(
            Forgetful(), SeatView, lambda question, view, answer: answer, ("begin", "discard")
        )

    match = lockstep(example.Greedy(), forgetful())
    assert match.width == 1
    assert same(match.play(0, 20), one_by_one(Greedy(), forgetful()).play(0, 20))


# ---- what a policy is given


def test_a_row_holds_what_a_view_holds():
    rows = []

    class Keeper(example.Greedy):
        reads = ("scores", "game")

        def answer(self, views):
            rows.extend(views.copy())
            return super().answer(views)

    rules = Rules.preset("oklahoma")
    lockstep(Keeper(), Simple(), rules, games=True).play(0, 3)
    assert {int(row["question"]) for row in rows} == {0, 1, 3}
    for row in rows:
        view = ginsim._table.view_from_bytes(row.tobytes())
        for name in ("hand", "known", "exposed", "seat", "dealer", "passes", "stock", "knock_limit"):
            assert row[name] == getattr(view, name)
        for name in ("upcard", "drawn", "forbidden"):
            card = getattr(view, name)
            assert row[name] == (NO_CARD if card is None else card)
        assert row["turns"].tolist() == list(view.turns)
        assert row["pile"][: row["n_pile"]].tolist() == list(view.pile)
        assert row["thrown"].tolist() == [int(mask) for mask in view.ever_thrown]
        for seat in (0, 1):
            thrown = row["thrown_at"][seat][: row["turns"][seat]].tolist()
            assert [None if c == NO_CARD else c for c in thrown][: len(view.thrown[seat])] == list(
                view.thrown[seat]
            )
        stakes = view.stakes
        assert row["stakes"]["scores"].tolist() == [list(pair) for pair in stakes["scores"]]
        assert row["stakes"]["target"] == stakes["target"] == rules.target
        assert row["stakes"]["gin_bonus"] == 0


def test_the_dtype_is_the_struct():
    assert view_dtype.itemsize == len(SeatView().tobytes())
    assert view_dtype.names[0] == "hand"


def test_views_cannot_be_written():
    class Writer(example.Greedy):
        def discard(self, views):
            views["hand"] = 0
            return super().discard(views)

    for match in (lockstep(Writer(), Greedy()), one_by_one(Writer(), Greedy())):
        with pytest.raises(PlayFault, match="ValueError: assignment destination is read-only"):
            match.play(0, 5)


def test_rows_come_in_the_order_of_their_questions_and_calls_are_wide():
    sizes = []

    class Watcher(example.Greedy):
        def answer(self, views):
            assert (np.diff(views["question"].astype(int)) >= 0).all()
            sizes.append(len(views))
            return super().answer(views)

    lockstep(Watcher(), Greedy(), width=100).play(0, 1000)
    assert max(sizes) == 100
    assert np.mean(sizes) > 50


def test_streams_draw_for_the_rows_asked_for():
    words = np.zeros((3, 11), dtype=np.uint32)
    words[:, 0] = [1, 2, 3]  # the keys
    streams, twins = Streams(words), [RandomStream(key, 0, 0) for key in (1, 2, 3)]
    assert streams.word().tolist() == [twin.word() for twin in twins]
    assert streams.word([1]).tolist() == [twins[1].word()]
    assert streams[1:].below(10).tolist() == [twin.below(10) for twin in twins[1:]]
    bounds = [1, 5, 1000]
    assert streams.below(bounds).tolist() == [t.below(n) for t, n in zip(twins, bounds, strict=True)]
    high, low = twins[0].word() >> 5, twins[0].word() >> 6
    assert streams.random(np.array([True, False, False])).tolist() == [(high * 2**26 + low) / 2**53]
    with pytest.raises(ValueError, match="n is 0 to 3; allowed is 1 to"):
        streams.below([3, 0, 1])


def test_helpers_on_masks():
    random = np.random.default_rng(3)
    cards = np.array([suit * 16 + rank for suit in range(4) for rank in range(13)])
    hands = [random.choice(cards, size, replace=False) for size in (1, 2, 5, 10, 52) for _ in range(20)]
    masks = np.array([sum(1 << int(card) for card in hand) for hand in hands], dtype=np.uint64)
    assert highest_cards(masks).tolist() == [max(hand, key=lambda c: (c % 16, -c)) for hand in hands]
    assert [np.flatnonzero(row).tolist() for row in card_planes(masks)] == [sorted(hand) for hand in hands]
    assert one_card([3, NO_CARD]).tolist() == [8, 0]


# ---- faults


class Refusing(example.Greedy):
    """Greedy but for one hand in a hundred or so, each of which ends with an answer that is refused."""

    def __init__(self, wrong):
        self.wrong = wrong

    def discard(self, views):
        return np.where(views["hand"] % 97 == 5, self.wrong, super().discard(views))


@pytest.mark.parametrize("answer", [-1, 200, 1000, 15, BIG_GIN])
@pytest.mark.parametrize("width", [1, 7, WIDTH])
def test_a_fault_is_the_one_of_one_by_one_play(answer, width):
    faults = []
    for match in (
        one_by_one(Refusing(answer), Simple()),
        lockstep(Refusing(answer), Simple(), width=width),
    ):
        with pytest.raises(PlayFault) as caught:
            match.play(0, 200)
        faults.append(caught.value)
    where = [{name: value for name, value in fault.where.items() if name != "view"} for fault in faults]
    assert faults[0].reason == faults[1].reason
    assert where[0] == where[1]
    assert where[0]["policy"] == "Refusing"
    assert faults[0].where["view"].tobytes() == faults[1].where["view"].tobytes()


def test_a_fault_of_the_native_side_is_found_too():
    class Throws(Policy):
        """The base class answers nothing."""

    with pytest.raises(PlayFault, match="not an answer") as fault:
        lockstep(example.Greedy(), Throws()).play(4, 60)
    assert (fault.value.where["entrant"], fault.value.where["index"]) == (1, 4)


WRONG = {
    "KeyError: 'cards'": lambda views: views["cards"] if "cards" in views.dtype.names else {}["cards"],
    "TypeError: the answer of discard came as an array of float64": lambda views: np.zeros(len(views)),
    "of shape \\(1,\\); allowed: whole numbers or bool of shape": lambda views: np.zeros(1, dtype=int),
}


@pytest.mark.parametrize("why", WRONG)
def test_an_exception_names_the_policy_and_a_hand(why):
    class Wrong(BatchPolicy):
        discard = staticmethod(WRONG[why])

    with pytest.raises(PlayFault, match=why) as fault:
        lockstep(Greedy(), Wrong()).play(10, 40)
    where = fault.value.where
    assert (where["policy"], where["entrant"], where["question"]) == ("Wrong", 1, "discard")
    assert 10 <= where["index"] < 40


def test_an_interrupt_goes_through():
    class Interrupted(BatchPolicy):
        def discard(self, views):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lockstep(Interrupted(), Greedy()).play(0, 10)


@pytest.mark.parametrize("question", ["spread", "defend"])
def test_melds_that_are_none_are_faults(question):
    class Bad(Exact):
        pass

    def wrong(self, views):
        melds = np.ones((len(views), 3), dtype=np.uint64)
        return melds if question == "spread" else (melds, melds)

    setattr(Bad, question, wrong)
    with pytest.raises(PlayFault, match=r"not a legal (spread|defence)") as fault:
        lockstep(Bad(), Greedy()).play(0, 50)
    assert fault.value.where["question"] == question


def test_a_class_says_what_it_lacks():
    class Silent(BatchPolicy):
        pass

    with pytest.raises(
        TypeError, match="batch policy Silent has no method discard; allowed: discard or answer"
    ):
        Silent()
    with pytest.raises(ValueError, match="reads names 'cards'; allowed: scores"):

        class Reader(BatchPolicy):
            reads = ("cards",)

    with pytest.raises(ValueError, match="width is 0; allowed is 1 to 65536"):
        lockstep(example.Greedy(), Greedy(), width=0)


# ---- the example


def test_the_network_of_the_example_learns_and_plays():
    seen, thrown = example.lessons(60, key=1)
    before = example.train(seen, thrown, hidden=16, steps=1)
    after = example.train(seen, thrown, hidden=16, steps=120)
    assert example.agreement(after, seen, thrown) > example.agreement(before, seen, thrown) + 0.1
    network = example.Network(after)
    assert not network.row_by_row
    match = lockstep(network, Greedy())
    assert same(match.play(0, 50), match.play(0, 50))
