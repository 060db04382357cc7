"""The driver: `Match` plays the game, counts it right, and depends on nothing but the index of the pair."""

import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations_with_replacement, pairwise
from pathlib import Path

import brute
import numpy as np
import pytest
from twin import TwinGame

from ginsim._core import Policy
from ginsim._counters import LINK_NAMES, N_BLOCKS, TURN_BUCKETS, block_size, layout
from ginsim._play import Match, PlayFault, Stopped
from ginsim._policies import GinOnly, Greedy, Random, Simple
from ginsim._score import price_of
from ginsim._table import RandomStream, Table, deck_of
from ginsim.experiment.pricing import hand_halves
from ginsim.policies.registry import stock
from ginsim.rules import Rules

KEY = 0xFEDC_BA98_7654_3210
CREDITED = ("knock", "gin", "big_gin", "undercut", "tie")


def fields(blocks):
    """The counters of blocks by name, each with the block as its first axis."""
    sizes = [int(np.prod(shape)) for _, shape in layout()]
    parts = np.split(blocks, np.cumsum(sizes)[:-1], axis=1)
    return {
        name: part.reshape(len(blocks), *shape) for (name, shape), part in zip(layout(), parts, strict=True)
    }


def totals(blocks):
    return {name: values.sum(axis=0) for name, values in fields(blocks).items()}


def same(one, other):
    return all((a == b).all() for a, b in zip(one, other, strict=True))


# ---- the counters, counted again


def link_of(hand, card):
    """How a card is connected in the eleven cards it is thrown from."""
    cards = brute.cards_of(hand)
    ranks = {other % 16 for other in cards if other // 16 == card // 16}
    rank = card % 16
    gap, neighbour = ({rank - d, rank + d} & ranks for d in (2, 1))
    if any(card in meld for meld in brute.melds_within(cards)):
        return "meld"
    if any(other % 16 == rank for other in cards - {card}):
        return "pair_and_run" if gap or neighbour else "pair"
    return "neighbour" if neighbour else "gap" if gap else "alone"


class Recount:
    """The counters of `Match.play`, from traces and in plain Python."""

    def __init__(self, rules, games):
        self.rules, self.games = rules, games
        self.codes = rules.codes()
        self.blocks = [
            {name: np.zeros(shape, dtype=int) for name, shape in layout()} for _ in range(N_BLOCKS)
        ]
        limit = 10 if rules.oklahoma else rules.knock_limit
        shape = (2, TURN_BUCKETS, limit + 1, len(CREDITED), 1 + rules.oklahoma, 3)
        self.knocks = np.zeros(shape, dtype=int)
        self.discards = np.zeros((2, TURN_BUCKETS, 13, len(LINK_NAMES), 2), dtype=int)

    def add_pair(self, index, match):
        self.block = self.blocks[index % N_BLOCKS]
        self.pair = {"hands": 0, "draws": 0, "margin": 0, "halves": 0, "results": [0, 0]}
        self.x, self.first, self.won = (
            np.zeros(10, dtype=int),
            np.zeros(10, dtype=int),
            np.zeros(2, dtype=int),
        )
        for orientation in (0, 1):
            if self.games:
                self.add_game(match.trace_game(index, orientation), orientation)
            else:
                self.add_hand(match.trace_hand(index, orientation), orientation)
        self.close_pair()

    def close_pair(self):
        block, pair, x, won = self.block, self.pair, self.x, self.won
        block["pairs"] += 1
        block["hands"] += pair["hands"]
        block["hands_squared"] += pair["hands"] ** 2
        block["parts"] += x
        block["products"] += np.outer(x, x)[np.triu_indices(10)]
        block["parts_hands"] += x * pair["hands"]
        block["wins"] += won
        block["wins_squared"] += won**2
        block["wins_product"] += won.prod()
        block["wins_hands"] += won * pair["hands"]
        block["draws_squared"] += pair["draws"] ** 2
        block["first_parts"] += self.first
        if self.games:
            block["game_halves"][pair["halves"]] += 1
            block["margin"] += pair["margin"]
            block["margin_squared"] += pair["margin"] ** 2
        else:
            place = list(combinations_with_replacement(range(5), 2)).index(tuple(sorted(pair["results"])))
            block["hand_results"][place] += 1

    def add_game(self, hands, orientation):
        game = TwinGame(self.rules)
        for hand in hands:
            assert not game.over
            assert hand["dealer"] == game.dealer
            self.add_hand(hand, orientation)
            points = [0, 0]
            if hand["winner"] is not None:
                points[hand["winner"]] = hand["points"]
            game.add(points, hand["winner"])
        outcome, winner, _, difference = game.result()
        if outcome == "won":
            outcome = "won" if winner ^ orientation == 0 else "lost"
        place = ("won", "drawn", "lost", "unfinished").index(outcome)
        self.block["games"][place] += 1
        self.pair["halves"] += (2, 1, 0, 1)[place]
        if outcome != "unfinished":
            self.pair["margin"] += -difference if orientation else difference

    def add_hand(self, hand, orientation):
        facts, outcome, winner = hand["facts"], hand["outcome"], hand["winner"]
        turns = self.add_actions(hand, orientation)
        self.pair["hands"] += 1
        self.pair["draws"] += sum(turns)
        self.block["draws"] += sum(turns)
        if outcome in ("void", "cut"):
            self.block[outcome + "s"] += 1
            return
        seat = facts["knocker"] if outcome in ("knock", "gin", "big_gin") else 1 - facts["knocker"]
        entrant, sign = seat ^ orientation, (-1) ** (seat ^ orientation)
        base = abs(facts["defender_count"] - facts["knocker_count"])
        self.block["outcomes"][entrant][CREDITED.index(outcome)] += 1
        spade = int(self.rules.oklahoma and facts["upcard"] < 16)
        for parts, side in ((self.x, sign), (self.first, -1 if seat == hand["dealer"] else 1)):
            parts[5 * spade] += side * base
            if outcome != "knock":
                parts[5 * spade + ("base", "gin", "big_gin", "undercut", "tie").index(outcome)] += side
        self.pair["results"][orientation] = 1 + entrant + 2 * (outcome == "tie")
        if winner is not None:
            assert winner == seat
            self.won[entrant] += 1
        knocker = facts["knocker"]
        turn = min(turns[knocker], TURN_BUCKETS) - 1
        cell = self.knocks[
            knocker ^ orientation, turn, facts["knocker_count"], CREDITED.index(outcome), spade
        ]
        cell += (1, base, base**2)

    def add_actions(self, hand, orientation):
        """Replay the hand, count its discards, and return the draws by seat."""
        table = Table(self.codes, hand["deck"], hand["dealer"])
        thrown, turns = None, [0, 0]
        for seat, question, answer in hand["actions"]:
            assert (table.actor, table.question) == (seat, question)
            if thrown and question in ("draw", "last"):
                self.discards[thrown] += (1, answer[0] in ("pile", "take"))
            thrown = None
            if answer[0] == "discard":
                turn = min(turns[seat], TURN_BUCKETS) - 1
                link = LINK_NAMES.index(link_of(table.hands()[seat], answer[1]))
                thrown = seat ^ orientation, turn, answer[1] % 16, link
            before = table.hands()
            table.apply(answer)
            for s in (0, 1):
                turns[s] += table.hands()[s].bit_count() > before[s].bit_count()
        assert (table.question, table.facts) == ("over", hand["facts"])
        facts = (
            hand["facts"][name]
            for name in ("ending", "knocker", "knocker_count", "defender_count", "doubled")
        )
        assert price_of(self.codes, *facts) == (hand["outcome"], hand["winner"], hand["points"])
        return turns

    def arrays(self):
        blocks = [np.concatenate([np.ravel(block[name]) for name, _ in layout()]) for block in self.blocks]
        return np.array(blocks), self.knocks, self.discards


# preset, changes, whole games, policies, number of pairs
COUNTED = {
    "random": ("standard", {}, False, (Random, Greedy), 100),
    "ties": ("standard", {"undercut_on_tie": False}, False, (Simple, Greedy), 300),
    "cuts": ("standard", {"max_turns": 9}, False, (Greedy, Random), 100),
    "exhaust": ("standard", {"stock_end": "exhaust", "max_turns": 250}, False, (Random, GinOnly), 80),
    "last discard": ("fifty_card", {}, False, (Random, GinOnly), 100),
    "doubled": ("oklahoma", {}, False, (Greedy, Simple), 200),
    "games": ("classic", {}, True, (Simple, Greedy), 20),
    "doubled games": ("oklahoma", {"oklahoma_ace": "gin"}, True, (Greedy, Simple), 20),
    "short games": (
        "palace",
        {"target": 30, "box_timing": "end", "box_bonus": 8},
        True,
        (Greedy, Simple),
        60,
    ),
    "unfinished games": ("standard", {"max_hands": 7}, True, (Simple, GinOnly), 30),
    "three columns": ("hollywood", {"next_dealer": "loser"}, True, (GinOnly, Greedy), 12),
    "immediate boxes": ("palace", {"next_dealer": "winner"}, True, (GinOnly, Simple), 20),
    "dealer stays": ("eaai", {"knock_limit": 30}, True, (Random, Simple), 20),
}
START = 200  # so that indices go past the last block and on in the first


def match_of(case, **other):
    preset, changes, games, policies, n = COUNTED[case]
    codes = Rules.preset(preset).replace(**changes).codes()
    return Match(*[policy() for policy in policies], codes, KEY, games=games, **other), START + n


@pytest.mark.parametrize("case", COUNTED)
def test_counters_agree_with_a_recount(case):
    preset, changes, games, _, _ = COUNTED[case]
    match, stop = match_of(case, entrants=(4, 9))
    recount = Recount(Rules.preset(preset).replace(**changes), games)
    for index in range(START, stop):
        recount.add_pair(index, match)
    played, counted = match.play(START, stop), recount.arrays()
    for name, values in fields(played[0]).items():
        assert (values == fields(counted[0])[name]).all(), name
    assert same(played, counted)


def test_the_recounts_meet_every_case():
    blocks, knocks, discards = zip(
        *[match.play(START, stop) for match, stop in map(match_of, COUNTED)], strict=True
    )
    met = totals(sum(blocks))
    for name in ("outcomes", "games", "game_halves", "wins", "voids", "cuts"):
        assert np.all(met[name]), name
    assert met["parts"][:5].all()
    assert met["parts"][5:].any()
    assert np.count_nonzero(met["hand_results"]) >= 10
    assert all(table[..., 0].any() for table in knocks)
    assert sum(discards).sum(axis=(0, 1, 2)).all()


def test_the_layout_is_the_struct():
    assert sum(int(np.prod(shape)) for _, shape in layout()) * 8 == block_size()


# ---- pairs are independent


@pytest.mark.parametrize("case", ["random", "last discard", "three columns"])
def test_chunks_add_up_in_any_order(case):
    match, stop = match_of(case)
    whole = match.play(START, stop)
    cuts = [START, START + 1, START + 7, stop - 2, stop]
    chunks = [match.play(*chunk) for chunk in pairwise(cuts)]
    random.Random(case).shuffle(chunks)
    assert same(whole, [sum(parts) for parts in zip(*chunks, strict=True)])
    assert not any(array.any() for array in match.play(START, START))


def test_a_pair_counts_in_the_block_of_its_index():
    match, _ = match_of("random")
    for index in (0, 255, 256, 1000, (1 << 48) - 1):
        pairs = fields(match.play(index, index + 1)[0])["pairs"]
        assert np.flatnonzero(pairs).tolist() == [index % N_BLOCKS]


def test_two_matches_in_two_threads():
    alone = [match.play(START, stop) for match, stop in map(match_of, ("doubled", "games"))]
    with ThreadPoolExecutor(2) as threads:
        jobs = [
            threads.submit(match.play, START, stop) for match, stop in map(match_of, ("doubled", "games"))
        ]
        assert all(same(job.result(), one) for job, one in zip(jobs, alone, strict=True))


@pytest.mark.parametrize("games", [False, True])
def test_mirrored_hands_share_the_deals(games):
    match = Match(Random(), Simple(), Rules().codes(), KEY, games=games)
    for index in (0, 5, 1 << 40):
        for orientation in (0, 1):
            hands = match.trace_game(index, orientation) if games else [match.trace_hand(index, orientation)]
            assert [hand["deck"] for hand in hands] == [deck_of(KEY, index, n) for n in range(len(hands))]
            assert hands[0]["dealer"] == 1


@pytest.mark.parametrize("entrants", [(0, 1), (1, 0), (3, 31_999)])
def test_policies_have_their_own_chances(entrants):
    # The non-dealer, seat 0, is asked first, and the random player's first draw is its answer.
    match = Match(Random(), Random(), Rules().codes(), KEY, entrants=entrants)
    for index in range(40):
        for orientation in (0, 1):
            stream = 1 + 2 * entrants[orientation] + orientation
            takes = RandomStream(KEY, stream, index).below(2)
            first = match.trace_hand(index, orientation)["actions"][0]
            assert first == (0, "offer", ("take",) if takes else ("pass",))


def test_a_trace_takes_another_deck_and_dealer():
    match = Match(Greedy(), Simple(), Rules().codes(), KEY)
    deck = deck_of(KEY, 77)
    trace = match.trace_hand(0, deck=deck, dealer=0)
    assert (trace["deck"], trace["dealer"]) == (deck, 0)
    assert trace["actions"][0][:2] == (1, "offer")
    table = Table(Rules().codes(), deck, 0)
    for _, _, answer in trace["actions"]:
        table.apply(answer)
    assert table.facts == trace["facts"]


# ---- mirrored play


@pytest.mark.parametrize("name", sorted(set(stock()) - {"random", "simple", "search"}))
@pytest.mark.parametrize("preset", ["standard", "hollywood"])
def test_a_policy_without_chance_is_even_with_itself(name, preset):
    games, n = preset == "hollywood", 8 if name in ("marjj", "expert") else 40
    match = Match(stock()[name](), stock()[name](), Rules.preset(preset).codes(), KEY, games=games)
    counted = totals(match.play(0, n)[0])
    assert counted["hands"] > n
    for even in ("parts", "products", "parts_hands", "margin", "margin_squared"):
        assert not np.any(counted[even]), even
    halves = counted["game_halves"] if games else hand_halves(counted["hand_results"], Rules.preset(preset))
    assert halves.tolist() == [0, 0, n, 0, 0]
    assert counted["wins"][0] == counted["wins"][1] > 0


# ---- ends


@pytest.mark.parametrize("preset", Rules.presets())
def test_every_hand_has_one_outcome(preset):
    n = 19_000
    blocks, knocks, discards = Match(Random(), Random(), Rules.preset(preset).codes(), KEY).play(0, n)
    counted = totals(blocks)
    assert (counted["pairs"], counted["hands"]) == (n, 2 * n)
    declared = counted["outcomes"].sum()
    assert declared + counted["voids"] + counted["cuts"] == 2 * n
    assert knocks[..., 0].sum() == declared
    assert declared or preset == "straight"
    assert (discards[..., 0] >= discards[..., 1]).all()
    assert counted["hand_results"].sum() == n


def test_the_soak_finds_nothing(monkeypatch, capsys):
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "scripts")
    import soak

    assert soak.main(["greedy", "simple", "--hands", "8000", "--odd", "32"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()[1:]
    assert head.split() == ["rules", "hands", *soak.COLUMNS]
    assert [sum(map(int, row.split()[-9:-1])) for row in rows] == [2 * 200] * 40  # hands, and their outcomes
    monkeypatch.setattr(soak, "broken_laws", lambda *_: ["a law"])
    assert soak.main(["--hands", "16", "--odd", "0"]) == 1
    assert "BROKEN under standard: a law" in capsys.readouterr().out


def test_the_soak_would_find_a_hand_with_two_outcomes(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "scripts")
    import soak

    rules = Rules()
    blocks, knocks, discards = Match(Greedy(), Simple(), rules.codes(), KEY).play(0, 500)
    for field, place in (("voids", ()), ("cuts", ()), ("outcomes", (0, 0)), ("wins", (0,)), ("hands", ())):
        block = soak.counted(blocks)
        assert soak.broken_laws(rules, 500, block, knocks, discards) == []
        block[field][place] += 1
        assert soak.broken_laws(rules, 500, block, knocks, discards)


def test_hands_cut_short():
    blocks, _, _ = Match(Random(), Greedy(), Rules(max_turns=2).codes(), KEY).play(0, 500)
    counted = totals(blocks)
    assert counted["voids"] == 0
    assert counted["cuts"] == 1000 - counted["outcomes"].sum() > 900
    assert counted["draws"] <= 2000
    assert counted["wins"].sum() == counted["outcomes"].sum()


def test_games_without_a_score_are_unfinished():
    # gin by chance is too rare to be met here
    rules = Rules.preset("straight").replace(big_gin_bonus=None, max_hands=5)
    counted = totals(Match(Random(), Random(), rules.codes(), KEY, games=True).play(0, 40)[0])
    assert counted["hands"] == 2 * 40 * 5
    assert counted["games"].tolist() == [0, 0, 0, 80]
    assert counted["game_halves"].tolist() == [0, 0, 40, 0, 0]
    assert (counted["margin"], counted["margin_squared"]) == (0, 0)


# ---- faults


@pytest.mark.parametrize("games", [False, True])
@pytest.mark.parametrize("entrant", [0, 1])
def test_an_illegal_answer_is_a_fault(entrant, games):
    policies = [Greedy(), Greedy()]
    policies[entrant] = Policy()  # which leaves the discard to those who inherit from it
    match = Match(*policies, Rules().codes(), KEY, games=games)
    with pytest.raises(PlayFault, match="not an answer to this question") as fault:
        match.play(10, 20)
    where = fault.value.where
    assert (where["entrant"], where["index"], where["hand_number"], where["question"]) == (
        entrant,
        10,
        0,
        "discard",
    )
    assert where["policy"] == str(policies[entrant])
    view = where["view"]
    assert (view.question, view.hand.bit_count(), view.seat) == (
        "discard",
        11,
        entrant ^ where["orientation"],
    )
    assert f"entrant {entrant}" in str(fault.value)
    copy = pickle.loads(pickle.dumps(fault.value))
    assert (type(copy), str(copy).split("view")[0]) == (PlayFault, str(fault.value).split("view")[0])
    assert copy.where["view"].tobytes() == view.tobytes()
    trace = match.trace_game if games else match.trace_hand
    with pytest.raises(PlayFault) as again:
        trace(10, where["orientation"])
    assert again.value.where["view"].tobytes() == view.tobytes()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda match: match.play(-1, 5), "pairs -1 to 5: allowed are 0 <= start <= stop <= 2\\*\\*48"),
        (lambda match: match.play(5, 4), "pairs 5 to 4"),
        (lambda match: match.play(0, (1 << 48) + 1), "allowed are 0 <= start"),
        (lambda match: match.trace_hand(-1), "index is -1; allowed is 0 to 2\\*\\*48 - 1"),
        (lambda match: match.trace_game(1 << 48), "index is 281474976710656; allowed"),
        (lambda match: match.trace_hand(0, 2), "orientation is 2; allowed are 0 and 1"),
        (lambda match: match.trace_hand(0, dealer=2), "dealer is 2; allowed are 0 and 1"),
        (lambda match: match.trace_hand(0, deck=range(51)), "deck has 51 cards; a deck has 52"),
        (lambda match: match.trace_hand(0, deck=range(52)), "deck place 13 holds 13; a card is"),
        (lambda match: match.trace_hand(0, deck=[*deck_of(1, 1)[:51], deck_of(1, 1)[0]]), "card \\d+ twice"),
        (
            lambda _: Match(Greedy(), Greedy(), Rules().codes()[:-1], 1),
            "rules have 21 knobs; the core takes 22",
        ),
        (
            lambda _: Match(Greedy(), Greedy(), Rules().codes(), 1, entrants=(0, 32000)),
            "entrant is 32000; allowed",
        ),
    ],
)
def test_what_cannot_be_played_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(Match(Greedy(), Greedy(), Rules().codes(), KEY))


def test_what_was_not_set_up_does_not_play():
    for entrants in ((), (1,), (0, 1, 2), (0, 32_000), (2, 2)):
        with pytest.raises(ValueError, match=r"entrant|unpack"):
            Match(Greedy(), Greedy(), Rules().codes(), KEY, entrants=entrants)
    bare = Match.__new__(Match)
    for use in (lambda: bare.play(0, 1), lambda: bare.trace_hand(0), lambda: bare.trace_game(0)):
        with pytest.raises(ValueError, match="without its policies"):
            use()


@pytest.mark.parametrize("name", ["knock_limit", "columns", "stock_end", "max_turns", "oklahoma"])
def test_codes_that_are_no_rules_are_refused(name):
    knobs = [knob.name for knob in Rules.knobs()]
    for value in (-1, 1000):
        codes = list(Rules().codes())
        codes[knobs.index(name)] = value
        for use in (
            lambda codes: Table(codes, deck_of(1, 1)),
            lambda codes: Match(Greedy(), Greedy(), codes, 1),
        ):
            with pytest.raises(ValueError, match=f"rules have {name} {value}; the core takes"):
                use(codes)


def test_a_match_stops_when_it_is_told():
    match = Match(Greedy(), Greedy(), Rules().codes(), KEY)
    match.stop()
    with pytest.raises(Stopped):
        match.play(0, 10**6)
