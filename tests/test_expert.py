"""The learned policy: what its nets are told, how they reckon, and that it gives the answer of most worth."""

import dataclasses
import random

import features_twin as twin
import numpy as np
import pytest
from beside import positions
from brute import cards_of, mask_of
from players import at_scores, rich, shuffled

from ginsim._expert import Expert, Valuer
from ginsim._features import GROUPS, ROWS, rows_of
from ginsim._melds import deadwood_of
from ginsim._nets import CLIP, LAYERS, MOST_WEIGHT, SHAPES, TYPES, UNIT, Net, use_avx2
from ginsim._play import Match
from ginsim._table import Table
from ginsim.nets import PACKAGED, NetError, packaged, read_net, write_net
from ginsim.policies import PolicyError, parse_spec
from ginsim.rules import Rules

RULES = Rules(stock_end="last_discard", max_turns=60)
KNOCK = 64
STARTS = dict(GROUPS)
ENDS = dict(zip(STARTS, [*list(STARTS.values())[1:], ROWS], strict=True))


def views(name, n):
    """Views of OFFER, DRAW and DISCARD on the way of hands played with some sense."""
    dice = random.Random(name)
    for number in range(n):
        table = Table(RULES.codes(), positions((rich, shuffled)[number % 2](dice)), number // 2 % 2)
        while table.question != "over":
            view = table.view()
            if table.question in ("offer", "draw", "discard"):
                yield view
            legal = table.legal()
            plain = [one for one in legal if one[0] == "discard"]
            best = (
                min(plain, key=lambda one, held=view.hand: deadwood_of(held & ~(1 << one[1])))
                if plain
                else None
            )
            table.apply(best if plain and dice.random() < 0.7 else dice.choice(legal))


def row(group, number):
    """The row of a group's value; the last one stands for all beyond."""
    size = ENDS[group] - STARTS[group]
    if group == "dearest cards":
        return STARTS[group] + number
    return STARTS[group] + min(number, size - 1)


def test_the_nets_are_told_what_holds():
    """Every row of every answer, beside a twin that reckons with sets of cards."""
    dice = random.Random("rows")
    seen = set()
    for view in views("rows", 10):
        if dice.random() < 0.5:
            view = at_scores(view, 100, dice.randrange(100), dice.randrange(100))
        held = cards_of(view.hand)
        if view.question == "discard":
            card = dice.choice(sorted(held - {view.forbidden}))
            answer, stage, taking, left = held - {card}, 0, False, None
        elif dice.random() < 0.5:
            card, answer, taking = view.upcard, held, False
            left = "pile" if view.question == "draw" else ("first", "second")[view.passes]
            stage = {"first": 1, "second": 2, "pile": 3}[left]
        else:
            card = dice.choice(sorted(held))
            answer, stage, taking, left = held - {card} | {view.upcard}, 0, True, None
        told = rows_of(view, stage, taking, mask_of(answer), card)
        wanted = [*twin.common(view, left, taking), *twin.of_answer(view, answer, card)]
        assert sorted(told) == sorted(row(*one) for one in wanted)
        seen |= {group for group, number in wanted if number}
    assert seen == set(STARTS) - {"own cards"}


def test_three_ranks_in_four_suits_are_told_too():
    """Twelve cards, the outs of eleven, meld in no more ways than there is place for."""
    block = [16 * suit + rank for rank in (4, 5, 6) for suit in range(4)]
    rest = [16 * suit + rank for suit in range(4) for rank in range(13) if rank not in (4, 5, 6)]
    for missing in block[8:]:
        held = [card for card in block if card != missing]
        view = Table(RULES.codes(), held[:10] + rest[:10] + held[10:] + rest[10:] + [missing], 1).view()
        assert view.hand | 1 << view.upcard == mask_of(held)
        for card in held[:10]:
            kept = frozenset(held) - {card}
            wanted = [*twin.common(view, None, True), *twin.of_answer(view, kept, card)]
            assert sorted(rows_of(view, 0, True, mask_of(kept), card)) == sorted(row(*one) for one in wanted)


def reckoned(head, rows):
    """A head's value of a position, in points, by numpy in 64 bits."""
    arrays = {name: head[name].astype(np.int64) for name in LAYERS}
    one, two, three = arrays["shifts"]
    first = np.clip((arrays["first_bias"] + arrays["rows"][rows].sum(axis=0)) >> one, 0, CLIP)
    second = arrays["second"].transpose(0, 2, 1).reshape(64, 32)
    hidden = np.clip((arrays["second_bias"] + first @ second) >> two, 0, CLIP)
    return int((arrays["third_bias"][0] + hidden @ arrays["third"]) >> three) / 256


def wild_heads(seed):
    """Weights as large as they may be, so that every unit is clipped now and then."""
    rng = np.random.default_rng(seed)
    heads = []
    for _ in range(3):
        head = {name: np.zeros(SHAPES[name], TYPES[name]) for name in LAYERS}
        head["rows"][...] = rng.integers(-MOST_WEIGHT, MOST_WEIGHT + 1, SHAPES["rows"])
        head["second"][...] = rng.integers(-3000, 3001, SHAPES["second"])
        head["third"][...] = rng.integers(-9000, 9001, SHAPES["third"])
        head["first_bias"][...] = rng.integers(-50000, 50001, 64)
        head["second_bias"][...] = rng.integers(-(10**6), 10**6, 32)
        head["shifts"][...] = 4, 14, 8
        heads.append(head)
    return tuple(heads)


@pytest.mark.parametrize("heads", [packaged("eaai").heads, wild_heads(1), wild_heads(2)])
def test_values_are_what_the_weights_come_to(heads):
    player = Valuer(Net(heads), RULES)
    told = 0
    for view in views("values", 8):
        held = cards_of(view.hand)
        for answer, value in player.values(view):
            if view.question == "discard":
                ten, card, head = held - {answer % KNOCK}, answer % KNOCK, 2 if answer >= KNOCK else 0
                stage = 0
            elif answer == 0:
                ten, card, head = held, view.upcard, 1
                stage = 3 if view.question == "draw" else 1 + view.passes
            else:
                continue
            rows = rows_of(view, stage, False, mask_of(ten), card) + [twin.place(card) for card in ten]
            assert value == reckoned(heads[head], rows)
            told += 1
    assert told > 300


def test_values_do_not_depend_on_the_processor():
    player = Valuer(Net(wild_heads(4)), RULES)
    seen = list(views("wide", 6))
    try:
        told = []
        for on in (True, False):
            use_avx2(on)
            told.append([player.values(view) for view in seen])
    finally:
        use_avx2(True)
    assert told[0] == told[1]


def test_it_gives_the_answer_of_most_worth():
    player = parse_spec("expert")
    match = Match(player, player, Rules.preset("eaai").codes(), 11)
    rules = Rules.preset("eaai")
    decided = 0
    for index in range(30):
        traced = match.trace_hand(index)
        table = Table(rules.codes(), traced["deck"], traced["dealer"])
        for _, question, answer in traced["actions"]:
            view = table.view()
            if question in ("offer", "draw", "discard"):
                values = dict(player.values(view))
                if question == "discard":
                    given = answer[1] + (KNOCK if answer[0] == "knock" else 0)
                    gin = deadwood_of(view.hand & ~(1 << answer[1])) == 0
                    assert gin or values[given] == max(values.values())
                else:
                    given = int(answer[0] in ("take", "pile"))
                    gin = given and 1 not in values
                    assert gin or values[given] == max(values.values()) or best_is_gin(view)
                decided += 1
            table.apply(answer)
    assert decided > 300


def best_is_gin(view):
    eleven = view.hand | 1 << view.upcard
    return any(deadwood_of(eleven & ~(1 << card)) == 0 for card in cards_of(view.hand))


def test_a_net_is_written_and_read(tmp_path):
    path = tmp_path / "a.net"
    file = packaged("eaai")
    write_net(path, file.heads, file.rules, {"seed": 7})
    again = read_net(path)
    assert again.rules == Rules.preset("eaai")
    assert again.provenance == {"seed": 7}
    for mine, theirs in zip(file.heads, again.heads, strict=True):
        assert all((mine[name] == theirs[name]).all() for name in LAYERS)
    own, given = parse_spec("expert"), parse_spec(f"expert:net={path}")
    codes = Rules.preset("eaai").codes()
    played = [Match(player, parse_spec("marjj"), codes, 3).play(0, 50)[0] for player in (own, given)]
    assert (played[0] == played[1]).all()


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("expert:net=no.net", "net 'no.net' cannot be read: No such file or directory"),
        ("expert:net=README.md", "'README.md' is no net that ginsim wrote: no archive of arrays"),
        ("expert:nett=a", "policy expert has no knob 'nett', did you mean net?"),
        ("expert:rules=all", "policy expert: rules is 'all'; allowed: own or any"),
    ],
)
def test_what_is_no_net_is_refused(spec, words, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "README.md").write_text("no net")
    with pytest.raises(PolicyError, match=words.replace("?", r"\?")):
        parse_spec(spec)


def test_a_net_of_other_shape_or_version_is_refused(tmp_path, monkeypatch):
    heads = [dict(head) for head in packaged("eaai").heads]
    path = tmp_path / "a.net"
    write_net(path, [head | {"third": head["third"][:-1]} for head in heads], RULES, {})
    with pytest.raises(
        NetError, match=r"its third is of type int16 and shape \(31,\); allowed: int16 and \(32,\)"
    ):
        read_net(path)
    write_net(path, [head | {"rows": np.full(SHAPES["rows"], 9000, "<i2")} for head in heads], RULES, {})
    with pytest.raises(NetError, match="it has a weight of 9000 in its rows; allowed: 8191"):
        read_net(path)
    monkeypatch.setattr("ginsim._features.LAYOUT_NUMBER", 99)
    write_net(path, heads, RULES, {})
    monkeypatch.undo()
    with pytest.raises(NetError, match=r"is of schema 1 and layout 99 .* allowed: 1 and 2 .* train it again"):
        read_net(path)


def test_a_net_plays_under_the_rules_that_it_learned(tmp_path):
    path = tmp_path / "a.net"
    file = packaged("eaai")
    write_net(path, file.heads, file.rules, {})
    player = parse_spec(f"expert:net={path}")
    assert isinstance(player, Expert)
    player.check_rules(file.rules)
    player.check_rules(file.rules.replace(target=250, game_bonus=50))
    with pytest.raises(ValueError, match=r"its net learned eaai, with undercut_bonus 25 \(here 10\)"):
        player.check_rules(file.rules.replace(undercut_bonus=10))
    parse_spec(f"expert:net={path},rules=any").check_rules(Rules.preset("standard"))
    parse_spec("expert").check_rules(Rules.preset("oklahoma"))


def test_own_nets_are_chosen_by_the_rules_in_force():
    """Under the rules of each net it plays as that net does; elsewhere as the one of nearest bonuses."""
    standard = Rules.preset("standard")
    near = [
        ("undercut10", standard.replace(undercut_bonus=14)),
        ("standard", standard.replace(undercut_bonus=40)),
    ]
    for name, rules in [*((name, packaged(name).rules) for name in PACKAGED), *near]:
        codes = rules.codes()
        own = Match(parse_spec("expert"), parse_spec("greedy"), codes, 5).play(0, 60)[0]
        net = Valuer(packaged(name).net, rules)
        assert (own == Match(net, parse_spec("greedy"), codes, 5).play(0, 60)[0]).all()


def test_sums_stay_in_their_bits():
    """A net that could overflow is refused, and the widest one that is not is reckoned right."""
    heads = wild_heads(3)
    Net(heads)
    heads[0]["second"][:, 0, :] = 32767
    with pytest.raises(ValueError, match="its second layer could come to"):
        Net(heads)
    assert UNIT * 8 > CLIP
    assert dataclasses.is_dataclass(packaged("eaai"))
