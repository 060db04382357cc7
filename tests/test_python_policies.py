"""Policies in Python: what they are asked, what they may answer, what they see, and where they play."""

import copy
import pickle
import random
import subprocess
import sys
import textwrap
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import brute
import numpy as np
import pytest
from beside import positions
from players import shuffled

import ginsim
from ginsim import BIG_GIN, Hand, Knock, PolicyError, View
from ginsim._melds import deadwood_after_each_of, outs_of, partners_of, ways_to_meld_of
from ginsim._play import Match, PlayFault
from ginsim._table import RandomStream, Table
from ginsim.policies.python import adapt, position_of, read_answer
from ginsim.policies.sources import FileSource

RULES = ginsim.Rules().codes()
KEY = 7


EXAMPLE = Path(__file__).parents[1] / "examples" / "python_policy.py"
Greedy = FileSource(str(EXAMPLE), "Greedy").load()  # the stock policy, written again


class Tuned(ginsim.Policy):
    """Knocks at a number."""

    def __init__(self, knock_at: int = 10):
        self.knock_at = knock_at

    def discard(self, view):
        least, cards = view.best_discards()
        return Knock(cards.highest) if least <= min(self.knock_at, view.knock_limit) else cards.highest


class Chatty(Greedy):
    """Greedy in everything, with every method its own, and each in another form."""

    def __init__(self):
        self.heard = []

    def begin(self, view):
        assert view.question == "offer"
        self.heard = []

    def see(self, view, event):
        self.heard.append(event)

    def discard(self, view):
        answer = super().discard(view)
        if isinstance(answer, str):
            return self.rng.choice([answer, Hand(answer), position_of(answer), np.int64(position_of(answer))])
        return answer

    def spread(self, view):
        melds = super().spread(view)
        return [str(meld) for meld in melds] if self.rng.random() < 0.5 else [int(meld) for meld in melds]

    def defend(self, view):
        melds, laid = super().defend(view)
        if self.rng.random() < 0.5:
            return melds, laid
        return melds, [(cards, meld) for cards, meld in zip(laid, view.shown, strict=True) if cards]


def match(a, b="simple", rules="standard", **changes):
    rules = ginsim.Rules.preset(rules).replace(**changes)
    return Match(ginsim.policies.native(a), ginsim.policies.native(b), rules.codes(), KEY)


def tallies(*players, pairs=150, **changes):
    return [array.tobytes() for array in match(*players, **changes).play(0, pairs)]


# ---- what is asked and answered


@pytest.mark.parametrize("rules", ["standard", "straight", "oklahoma", "fifty_card"])
@pytest.mark.parametrize("kind", [Greedy, Chatty])
def test_a_policy_in_python_plays_as_the_native_one(kind, rules):
    assert tallies(kind, rules=rules) == tallies("greedy", rules=rules)
    assert tallies(kind, kind, rules=rules) == tallies("greedy", "greedy", rules=rules)


def test_the_defaults_never_take_the_pile_and_are_exact():
    class Least(ginsim.Policy):
        def discard(self, view):
            least, cards = view.best_discards()
            return Knock(cards.highest) if least <= view.knock_limit else cards.highest

    answers = Counter()
    for index in range(40):
        for seat, question, answer in match(Least, "greedy").trace_hand(index)["actions"]:
            if seat == 0:
                answers[question, answer[0]] += 1
    assert {answer for question, answer in answers if question in ("offer", "draw")} == {"pass", "stock"}
    table = Table(RULES, positions(shuffled(random.Random(1))))
    view = View.of(table.view())
    assert Least().take_last(view) is False
    assert Least().spread(view) == list(ginsim.knock_spread(view.hand).melds)


def test_events_tell_who_did_what():
    player = adapt(Chatty())
    playing = Match(player, ginsim.parse_spec("greedy"), RULES, KEY)
    for index in range(20):
        hand = playing.trace_hand(index)
        told = player.player.heard
        assert [(event.mine, event.question, event.action) for event in told] == [
            (seat == 0, question, answer[0]) for seat, question, answer in hand["actions"]
        ]
        for event, (_, _, answer) in zip(told, hand["actions"], strict=True):
            if answer[0] == "discard":
                assert position_of(event.card) == answer[1]
            elif answer[0] in ("take", "pile"):
                assert event.card is not None
            else:
                assert event.card is None


@pytest.mark.parametrize(
    ("question", "answer", "message"),
    [
        ("offer", None, "take_upcard answered None; allowed: True or False"),
        ("last", 1, "take_last answered 1; allowed: True or False"),
        ("draw", "deck", 'draw answered \'deck\'; allowed: "pile" or "stock"'),
        ("draw", True, "draw answered True; allowed"),
        ("discard", None, "discard answered None; allowed: a card such as"),
        ("discard", True, "discard answered True; allowed: a card such as"),
        ("discard", "1S", "discard answered '1S': card: '1S' is no card"),
        ("discard", Hand("TS 9S"), "discard answered Hand('9S TS'): card has 2 cards; allowed: 1"),
        ("discard", 5.0, "discard answered 5.0: hand: 5.0 is no card"),
        ("spread", "5H 6H 7H", "spread answered '5H 6H 7H'; allowed: a list of melds"),
        ("spread", None, "spread answered None; allowed: a list of melds"),
        ("spread", ["5H 6X"], "spread answered ['5H 6X']: meld: '6X' is no card"),
        ("defend", None, "defend answered None; allowed: two lists"),
        ("defend", ([], "5H"), "defend answered '5H'; allowed: lay-offs as a list of (cards, meld)"),
        ("defend", ([], [("5H", "AS 2S 3S")]), "allowed: lay-offs on melds shown: [6H 7H 8H]"),
        ("defend", ([], ["5H", "6H"]), "or one hand for each of the 1 melds shown"),
    ],
)
def test_an_answer_that_cannot_be_read_is_refused_with_what_is_allowed(question, answer, message):
    class Shown(View):
        shown_masks = (int(Hand("6H 7H 8H")),)

    with pytest.raises(PolicyError) as refused:
        read_answer(question, Shown.of(Table(RULES, range_of_deck()).view()), answer)
    assert message in str(refused.value)


def range_of_deck():
    return [card for card in range(64) if card % 16 < 13]


def test_answers_that_can_be_read():
    view = View.of(Table(RULES, range_of_deck()).view())
    assert read_answer("offer", view, np.True_) is True
    assert read_answer("draw", view, "".join(["pi", "le"])) == "pile"
    assert read_answer("discard", view, "10h") == read_answer("discard", view, Hand("TH")) == 25
    assert read_answer("discard", view, Knock(25)) == 25 | 64
    assert read_answer("discard", view, BIG_GIN) == 128
    assert read_answer("defend", view, ([], [])) == ([], [])


def test_what_a_policy_does_wrong_is_a_fault_that_says_so():
    class Wrong(ginsim.Policy):
        def discard(self, view):
            return self.answer

    class Raises(Wrong):
        @property
        def answer(self):
            raise KeyError("oops")

    class Nothing(Wrong):
        answer = None

    class Huge(Wrong):
        answer = 1 << 80

    for kind, words in ((Raises, "KeyError: 'oops'"), (Nothing, "discard answered None"), (Huge, "Overflow")):
        with pytest.raises(PlayFault, match=words) as fault:
            match(kind).play(0, 5)
        assert fault.value.where["question"] == "discard"
        assert kind.__qualname__ in fault.value.where["policy"]


def test_declarations_are_values():
    assert Knock("TS") == Knock(9) == Knock(Hand("TS")) != Knock("TH")
    assert len({Knock("TS"), Knock(9)}) == 1
    assert repr(Knock("TS")) == "Knock('TS')"
    assert pickle.loads(pickle.dumps(BIG_GIN)) is copy.deepcopy(BIG_GIN) is BIG_GIN


def test_a_policy_must_discard_and_read_what_there_is():
    class Idle(ginsim.Policy):
        pass

    class Curious(Tuned):
        reads = ("cards",)

    class Careless(Tuned):
        reads = "scores"

    with pytest.raises(PolicyError, match=r"has no method discard"):
        adapt(Idle())
    with pytest.raises(PolicyError, match=r"reads names 'cards'; allowed: scores"):
        adapt(Curious())
    with pytest.raises(PolicyError, match=r"reads is 'scores'; allowed: a tuple of names"):
        adapt(Careless())
    with pytest.raises(PolicyError, match=r"is no policy"):
        adapt(object())


def test_what_is_not_read_is_zero():
    seen = []

    class Reader(Tuned):
        reads = ("gin_bonus",)

        def discard(self, view):
            seen.append(view.stakes)
            return super().discard(view)

    match(Reader).play(0, 2)
    assert {stakes["gin_bonus"] for stakes in seen} == {25}
    assert {stakes["undercut_bonus"] for stakes in seen} == {0}


# ---- random numbers


def test_each_hand_has_its_own_stream_and_can_be_repeated():
    drawn = []

    class Dice(Tuned):
        def begin(self, view):
            drawn.append(self.rng.word())

    playing = match(Dice)
    playing.play(0, 20)
    playing.play(0, 20)
    playing.trace_hand(13, 1)
    assert drawn[:40] == drawn[40:80]
    assert len(set(drawn)) == 40
    assert drawn[80:] == [drawn[27]]


def test_draws_are_uniform():
    stream = RandomStream(1, 2, 3)
    draws = [stream.random() for _ in range(4000)]
    assert all(0 <= draw < 1 for draw in draws)
    assert abs(np.mean(draws) - 0.5) < 0.02
    assert abs(np.var(draws) - 1 / 12) < 0.01
    chosen = Counter(stream.choice(Hand("AS 2S 3S")) for _ in range(3000))
    assert set(chosen) == {"AS", "2S", "3S"}
    assert min(chosen.values()) > 900
    orders = Counter()
    for _ in range(6000):
        cards = ["AS", "2S", "3S"]
        stream.shuffle(cards)
        orders[tuple(cards)] += 1
    assert len(orders) == 6
    assert min(orders.values()) > 850


def test_choices_without_an_order_are_refused():
    stream = RandomStream(1, 2, 3)
    with pytest.raises(TypeError, match=r"whose order may change"):
        stream.choice({1, 2})
    with pytest.raises(ValueError, match=r"choice from nothing"):
        stream.choice([])


# ---- what is seen


def views(n):
    """Views at every question, as policies have them."""
    found = []

    class Looks(Greedy):
        def take_upcard(self, view):
            found.append(view)
            return super().take_upcard(view)

        def draw(self, view):
            found.append(view)
            return super().draw(view)

        def discard(self, view):
            found.append(view)
            return super().discard(view)

        def defend(self, view):
            found.append(view)
            return super().defend(view)

    playing = match(Looks, Looks)
    for index in range(n):
        playing.trace_hand(index)
    return found


VIEWS = views(12)


def test_cards_are_hands_and_text_and_masks_beside_them():
    for view in VIEWS:
        for name in ("hand", "known", "exposed", "unseen"):
            assert getattr(view, name) == Hand(getattr(view, f"{name}_mask"))
        assert Hand(view.pile) == Hand(view.pile_mask)
        assert view.upcard == (view.pile[-1] if view.pile else None)
        for name in ("upcard", "drawn", "forbidden"):
            card, position = getattr(view, name), getattr(view, f"{name}_position")
            assert (card is None) == (position is None)
            assert card is None or position_of(card) == position
        assert view.shown == [Hand(meld) for meld in view.shown_masks]
        groups = [view.hand, view.known, view.unseen, Hand(view.pile)]
        assert sum(map(len, groups)) == 52


def test_histories_are_in_order_and_mine_are_mine():
    for view in VIEWS:
        me, they = view.seat, 1 - view.seat
        assert (view.my_discards, view.their_discards) == (view.thrown[me], view.thrown[they])
        assert view.my_pickups == [card for card in view.taken[me] if card]
        assert view.their_pickups == [card for card in view.taken[they] if card]
        assert (view.my_refusals, view.their_refusals) == (view.refused[me], view.refused[they])
        assert Hand(view.my_discards) - view.ever_thrown[me] == Hand()
        assert view.turn == view.turns[me]
        if view.question != "defend":
            assert view.known - Hand(view.their_pickups) == Hand()


def test_a_view_is_read_only_and_survives_copies():
    view = VIEWS[5]
    for name in ("hand", "anything"):
        with pytest.raises(AttributeError):
            setattr(view, name, Hand())
    for other in (pickle.loads(pickle.dumps(view)), copy.deepcopy(view), View.of(view)):
        assert type(other) is View
        assert other.tobytes() == view.tobytes()
    assert view.as_dict()["hand"] == view.hand


def test_a_view_prints_what_a_player_wants_to_know():
    view = next(view for view in VIEWS if view.question == "discard" and view.their_pickups)
    text = str(view)
    for words in (str(view.hand), f"deadwood {view.deadwood}", view.drawn, " ".join(view.pile), "they took"):
        assert words in text
    assert repr(view) == f"<view of seat {view.seat} at discard: {view.hand}>"


@pytest.mark.parametrize("view", VIEWS[::7])
def test_helpers_agree_with_trying_everything(view):
    hand = brute.cards_of(view.hand_mask)
    unseen = brute.cards_of(view.unseen_mask)
    assert view.deadwood == brute.deadwood(hand)
    each = {card: brute.deadwood(hand - {card}) for card in hand}
    assert {position_of(card): left for card, left in view.deadwood_after_each().items()} == each
    if len(hand) == 11:
        forbidden = set() if view.forbidden is None else {view.forbidden_position}
        least, best = brute.best_discards(hand, frozenset(forbidden))
        assert view.best_discards() == (least, Hand(brute.mask_of(best)))
        allowed = {card for card in hand - forbidden if each[card] <= view.knock_limit}
        assert view.knocks == Hand(brute.mask_of(allowed))
        assert view.throwable == Hand(brute.mask_of(hand - forbidden))
        gone = min(hand)
        ten = hand - {gone}
        outs = view.outs(gone)
        assert view.deadwood_after(gone) == each[gone]
        with pytest.raises(ginsim.CardError, match=r"allowed: ten, before the draw"):
            view.outs()
    else:
        ten, outs = hand, view.outs()
        with pytest.raises(ginsim.CardError, match=r"allowed: eleven, after the draw"):
            view.best_discards()
    before = brute.deadwood(ten)
    helping = {card for card in unseen if brute.deadwood(ten | {card}) < before}
    assert outs == Hand(brute.mask_of(helping))
    if len(hand) == 10:
        card = max(unseen)
        assert view.helps(card) == (card in helping)
        assert view.deadwood_with(card) == min(brute.deadwood(hand - {gone} | {card}) for gone in hand)
        assert view.helps(None) is False


@pytest.mark.parametrize("view", [view for view in VIEWS if view.question == "discard"][::9])
def test_an_offer_is_what_the_hidden_cards_make_of_it(view):
    known, unseen = brute.cards_of(view.known_mask), brute.cards_of(view.unseen_mask)
    hands = [brute.cards_of(int(hand)) for hand in view.sample_hidden(4000, seed=1)[0]]
    for card in sorted(brute.cards_of(view.hand_mask))[::3]:
        offer = view.offers(card)
        partners = [meld - {card} for meld in brute.melds_in_deck() if len(meld) == 3 and card in meld]
        possible = [pair for pair in partners if pair <= known | unseen]
        assert set(offer.melds) == {Hand(brute.mask_of(pair | {card})) for pair in possible}
        assert offer.sure == any(pair <= known for pair in possible)
        share = np.mean([any(pair <= hand for pair in possible) for hand in hands])
        assert offer.chance == pytest.approx(share, abs=0.03)
        assert offer.chance == 1 or not offer.sure


def test_an_offer_to_an_opponent_of_whom_nothing_is_known():
    """Two melds without a card in common: the chance by inclusion and exclusion."""
    deck = range_of_deck()
    view = View.of(Table(RULES, deck).view())
    assert view.question == "offer"
    unseen = len(view.unseen)

    def both(n):
        share = 1.0
        for i in range(n):
            share *= (10 - i) / (unseen - i)
        return share

    offer = view.offers("KC")
    # Queen and jack of clubs, or two of the other kings.
    assert {str(meld) for meld in offer.melds} == {"JC QC KC", "KS KH KC", "KS KD KC", "KH KD KC"}
    sets = 3 * both(2) - 2 * both(3)
    three_and_run = 3 * both(4) - 2 * both(5)
    assert offer.chance == pytest.approx(sets + both(2) - three_and_run)
    assert offer.sure is False


def test_samples_fit_the_view():
    hands, stocks = VIEWS[9].sample_hidden(50, seed=3)
    assert all(hand.bit_count() == 10 and not hand & VIEWS[9].hand_mask for hand in map(int, hands))
    assert stocks.shape == (50, VIEWS[9].stock)


# ---- specs of objects, and where they play


@dataclass
class Settings(ginsim.Policy):
    """A dataclass is a policy like any other."""

    knock_at: int = 10
    share: float = 0.5
    bold: bool = False

    def discard(self, view):
        return view.best_discards().cards.highest


class Holds(Tuned):
    def __init__(self, model=None):
        self.model = model
        self.knock_at = 10


def test_the_spec_of_an_object_is_how_it_was_made():
    here = __name__
    assert str(Tuned()) == f"{here}:Tuned"
    assert str(Tuned(3)) == str(Tuned(knock_at=3)) == f"{here}:Tuned:knock_at=3"
    assert repr(Tuned(3)) == f"<policy {here}:Tuned:knock_at=3>"
    assert str(Settings(share=0.25, bold=True)) == f"{here}:Settings:share=0.25,bold=true"
    assert str(Holds(model=[1, 2])) == f"{here}:Holds:model=<list>"
    again = ginsim.parse_spec(str(Settings(4, bold=True)))
    assert (again.player.knock_at, again.player.bold, str(again)) == (4, True, str(Settings(4, bold=True)))


def tournament(policies, **options):
    return ginsim.tournament(policies, pairs=60, chunk=20, seed=3, **options).ranking.to_json()


@pytest.mark.parametrize("processes", [None, 1, 2])
def test_classes_and_objects_play_wherever_they_can(processes, capfd):
    table = tournament([Tuned, Tuned(knock_at=3), "greedy", "simple"], processes=processes)
    spec = f"{__name__}:Tuned"
    assert table == tournament([spec, f"{spec}:knock_at=3", "greedy", "simple"], processes=1)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("processes", [None, 2])
def test_what_no_other_process_can_make_plays_here_and_says_so(processes, capfd):
    class Local(Tuned):
        pass

    changed = Tuned()
    changed.knock_at = 4
    table = tournament([Local, changed, Holds(model=[1]), "greedy", "simple"], processes=processes)
    noted = capfd.readouterr().err
    assert noted.count("\n") == 1
    for policy in (Local(), changed, Holds(model=[1])):
        assert str(policy) in noted
    assert table == tournament([Local, changed, Holds(model=[1]), "greedy", "simple"], processes=1)
    assert capfd.readouterr().err == ""


def test_each_seat_has_an_object_of_its_own():
    class Counts(Tuned):
        def __init__(self):
            super().__init__()
            self.hands = 0

        def begin(self, view):
            self.hands += 1
            assert self.hands < 10_000

    mine = Counts()
    tournament([mine, "greedy"])
    assert mine.hands == 0
    assert "rng" not in vars(mine)
    hand = ginsim.play_hand(mine, mine, seed=1)
    assert mine.hands == 0
    assert hand.players[0].endswith("Counts")
    assert ginsim.HandRecord.from_text(hand.to_text()) == hand


def test_the_same_name_may_come_back_with_another_class():
    def made(limit):
        class Same(Tuned):
            def discard(self, view):
                least, cards = view.best_discards()
                return Knock(cards.highest) if least <= limit else cards.highest

        return Same

    assert tournament([made(10), "greedy"]) != tournament([made(0), "greedy"])
    with pytest.raises(PolicyError, match=r"two policies are .*Same"):
        tournament([made(1), made(2)])


def test_what_cannot_be_made_or_copied_is_refused():
    class Needs(Tuned):
        def __init__(self, knock_at):
            super().__init__(knock_at)

    with pytest.raises(PolicyError, match=r"Needs cannot be made without knobs"):
        tournament([Needs, "greedy"])
    with pytest.raises(PolicyError, match=r"is no policy; allowed: a spec"):
        tournament([object(), "greedy"])
    with pytest.raises(PolicyError, match=r"cannot be copied for a seat: TypeError"):
        tournament([Holds(model=(n for n in range(3))), "greedy"])


def script(tmp_path: Path, text: str) -> subprocess.CompletedProcess[str]:
    path = tmp_path / "script.py"
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, timeout=120, cwd=tmp_path, check=False
    )


PLAY = 'ginsim.tournament(["greedy", "simple"], pairs=600, seed=1, processes=2)'


def test_a_missing_main_guard_is_named(tmp_path):
    done = script(tmp_path, f"import ginsim\n{PLAY}\n")
    assert done.returncode == 1
    assert done.stderr.count("Traceback") == 1
    assert "RunError: the worker processes cannot start" in done.stderr
    assert "if __name__ == '__main__':" in done.stderr
    guarded = script(tmp_path, f'import ginsim\nif __name__ == "__main__":\n    {PLAY}\n')
    assert (guarded.returncode, guarded.stderr) == (0, "")


def test_a_class_of_the_script_itself_plays_in_the_script(tmp_path):
    done = script(
        tmp_path,
        """
        import ginsim

        class Mine(ginsim.Policy):
            def discard(self, view):
                return view.best_discards().cards.highest

        if __name__ == "__main__":
            result = ginsim.tournament([Mine, "greedy", "simple"], pairs=300, seed=1, processes=2)
            print(len(result.ranking))
        """,
    )
    assert (done.returncode, done.stdout) == (0, "3\n")
    assert done.stderr.startswith("ginsim: __main__:Mine: no other process can make it again")


# ---- the native helpers on masks


def test_the_partners_of_a_card_are_all_its_melds_of_three():
    for card in brute.DECK:
        melds = {meld for meld in brute.melds_in_deck() if len(meld) == 3 and card in meld}
        assert {brute.cards_of(pair) | {card} for pair in partners_of(card)} == melds
    for card in (-1, 13, 64):
        with pytest.raises(ValueError, match=f"card = {card}: allowed are"):
            partners_of(card)


def test_masks_that_cannot_be_are_refused():
    ten, eleven = (int(Hand(range(n))) for n in (10, 11))
    with pytest.raises(ValueError, match="holds 11 cards: allowed are 1 to 10"):
        outs_of(eleven, ten)
    with pytest.raises(ValueError, match="holds 1 cards: allowed are 2 to 11"):
        deadwood_after_each_of(1)
    with pytest.raises(ValueError, match="pairs have 10 unseen cards; allowed are at most 8"):
        ways_to_meld_of([3 << 2 * i for i in range(5)], 0, ten)
    with pytest.raises(ValueError, match="pairs are more than 16"):
        ways_to_meld_of([3] * 17, 3, 0)
    assert ways_to_meld_of([], 0, ten) == (0, [0])
    assert outs_of(int(Hand("AS 2S")), int(Hand("AS 3S 4S"))) == int(Hand("3S"))
