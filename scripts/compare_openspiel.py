"""Hold ginsim's core to OpenSpiel's gin rummy, an engine with which it shares no code.

    pip install ".[oracle]"
    python scripts/compare_openspiel.py            # a minute or two
    python scripts/compare_openspiel.py --speed    # measures both engines instead

Compared are the deadwood of ten cards, the best discards of eleven, the defender's least count against a
search of OpenSpiel's game tree, and whole hands action by action. Where OpenSpiel is known to differ
(`DEVIATIONS`, explained in docs/oracle.md) each difference is checked to be that one and is counted; any
other is a disagreement. Exit code: 0 all as documented, 1 a disagreement, 2 bad usage or no OpenSpiel.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version

import numpy as np

from ginsim import _melds, _score, _table
from ginsim._play import Match
from ginsim._policies import Greedy
from ginsim.cards import Hand
from ginsim.rules import Rules

try:
    import pyspiel
    from pyspiel.gin_rummy import (
        DRAW_STOCK_ACTION,
        DRAW_UPCARD_ACTION,
        KNOCK_ACTION,
        MAX_NUM_DRAW_UPCARD_ACTIONS,
        MELD_ACTION_BASE,
        PASS_ACTION,
        GinRummyUtils,
        Phase,
    )
except ImportError:
    print("OpenSpiel is not installed; pip install '.[oracle]'", file=sys.stderr)
    sys.exit(2)

DEVIATIONS = {
    "eleven cards": "its figure for eleven cards is that of one best melding less the dearest loose card",
    "knock refused": "by that figure it offers no knock where some discard leaves the limit or less",
    "repeat": "it ends the hand when two turns running throw back the card just taken",
    "fifty draws": f"it ends the hand at the {MAX_NUM_DRAW_UPCARD_ACTIONS}th draw from the pile",
    "long lay-off": "it takes no third card at an end of a run; three there are a run of the defender's own",
    "long run": "its melds have five cards at most; a longer run is shown in pieces",
    "melds against gin": "it counts what the defender melds against gin; ginsim counts the least deadwood",
}

# OpenSpiel's parameters for whole hands, a different set each hand in turn.
VARIANTS: tuple[dict[str, int | bool], ...] = (
    {},
    {"oklahoma": True},
    {"knock_card": 5, "gin_bonus": 20, "undercut_bonus": 10},
    {"gin_bonus": 0, "undercut_bonus": 0},
    {"knock_card": 0},
)

UTILS = GinRummyUtils(13, 4, 10)
MELDS = {tuple(cards) for cards in UTILS.int_to_meld.values()}

# OpenSpiel's card is suit * 13 + rank with the suits S C D H; ginsim's is suit * 16 + rank with S H D C.
THEIRS = {suit * 16 + rank: (0, 3, 2, 1)[suit] * 13 + rank for suit in range(4) for rank in range(13)}
OURS = {theirs: ours for ours, theirs in THEIRS.items()}


def to_theirs(mask: int) -> list[int]:
    return [THEIRS[card] for card in Hand(mask).positions]


def to_mask(cards: list[int]) -> int:
    return sum(1 << OURS[card] for card in cards)


@dataclass
class Check:
    """One row of the report: how many comparisons, and those that did not agree."""

    name: str
    compared: int = 0
    deviations: Counter[str] = field(default_factory=Counter)
    disagreements: list[str] = field(default_factory=list)

    @property
    def agreed(self) -> int:
        """Comparisons with equal answers."""
        return self.compared - self.deviations.total() - len(self.disagreements)

    def same(self, ours: object, theirs: object, where: object) -> None:
        """Compare two answers; `where` is put into words only if they differ."""
        self.compared += 1
        if ours != theirs:
            self.disagreements.append(f"{self.name}: ginsim {ours}, OpenSpiel {theirs}; {where}")

    def deviation(self, name: str, as_documented: bool, where: object) -> None:
        """Count a difference: known if all that is documented of it holds, else a disagreement."""
        self.compared += 1
        if as_documented:
            self.deviations[name] += 1
        else:
            self.disagreements.append(f"{self.name}: not the documented deviation {name!r}; {where}")

    def refusal(self, error: Exception, where: object) -> None:
        """Count an action of one engine that the other does not allow."""
        self.compared += 1
        self.disagreements.append(f"{self.name}: refused ({error}); {where}")


# ---------------------------------------------------------------- hands


def draws(rng: np.random.Generator, n: int, cards: int, ranks: int) -> np.ndarray:
    """n draws of so many cards, as positions, each from a random window of neighbouring ranks."""
    lowest = rng.integers(0, 14 - ranks, (n, 1))
    picks = rng.random((n, 4 * ranks)).argsort(axis=1)[:, :cards]
    return picks // ranks * 16 + picks % ranks + lowest


def masks_of(positions: np.ndarray) -> np.ndarray:
    """The mask of each row of card positions."""
    return np.bitwise_or.reduce(np.uint64(1) << positions.astype(np.uint64), axis=1)


def kinds_of_hands(rng: np.random.Generator, n: int, cards: int) -> dict[str, np.ndarray]:
    """Masks of n random hands, and of n in which melds overlap: from four, five or six neighbouring ranks."""
    crowded = [masks_of(draws(rng, -(-n // 3), cards, ranks)) for ranks in (4, 5, 6)]
    return {"random": masks_of(draws(rng, n, cards, 13)), "overlapping": np.concatenate(crowded)[:n]}


def check_deadwood(rng: np.random.Generator, n: int) -> Iterator[Check]:
    """The deadwood of ten cards."""
    for kind, hands in kinds_of_hands(rng, n, 10).items():
        check = Check(f"deadwood of ten cards, {kind}")
        for mask, ours in zip(hands.tolist(), _melds.deadwood_array(hands).tolist(), strict=True):
            check.same(ours, UTILS.min_deadwood(to_theirs(mask)), Hand(mask))
        yield check


def check_discards(rng: np.random.Generator, n: int) -> Iterator[Check]:
    """The best discards of eleven cards, found card by card, with and without a card that may not go."""
    for kind, hands in kinds_of_hands(rng, n, 11).items():
        best = Check(f"best discards of eleven cards, {kind}")
        figures = Check(f"OpenSpiel's figure for eleven cards, {kind}")
        for mask, place in zip(hands.tolist(), rng.integers(0, 11, n).tolist(), strict=True):
            cards = Hand(mask).positions
            after = {card: UTILS.min_deadwood(to_theirs(mask & ~(1 << card))) for card in cards}
            best.same(_melds.best_discards_of(mask), least_of(after), Hand(mask))
            kept = cards[place]
            others = {card: points for card, points in after.items() if card != kept}
            best.same(_melds.best_discards_of(mask, 1 << kept), least_of(others), Hand(mask))
            compare_figures(figures, mask, min(after.values()), UTILS.min_deadwood(to_theirs(mask)))
        yield from (best, figures)


def least_of(after: dict[int, int]) -> tuple[int, int]:
    """The least deadwood over discards, and the mask of the cards that leave it."""
    least = min(after.values())
    return least, sum(1 << card for card, points in after.items() if points == least)


def compare_figures(check: Check, mask: int, exact: int, theirs: int) -> None:
    """OpenSpiel's own figure for eleven cards: exact, or too high for the documented reason."""
    if theirs == exact:
        check.same(exact, theirs, Hand(mask))
        return
    melded = [card for meld in UTILS.best_meld_group(to_theirs(mask)) for card in meld]
    loose = [UTILS.card_value(card) for card in to_theirs(mask) if card not in melded]
    check.deviation("eleven cards", theirs > exact and theirs == sum(loose) - max(loose), Hand(mask))


# ---------------------------------------------------------------- defences


def rules_of(parameters: dict[str, int | bool]) -> Rules:
    """The rules that OpenSpiel plays by under these parameters, as knobs of ginsim."""
    knobs = {"knock_limit" if name == "knock_card" else name: value for name, value in parameters.items()}
    return Rules(
        big_gin_bonus=None,
        undercut_on_tie=False,
        discard_taken=True,
        stock_end="last_discard",
        after_two_passes="stock",
        oklahoma_ace="gin" if "oklahoma" in knobs else "one",
        **knobs,
    )


def returns_of(
    rules: Rules, ending: str, knocker: int | None, knocker_count: int | None, defender_count: int | None
) -> list[float]:
    """Both players' points by ginsim's scoring, as OpenSpiel writes them."""
    _, winner, points = _score.price_of(rules.codes(), ending, knocker, knocker_count, defender_count)
    return [0.0, 0.0] if winner is None else [float(points if seat == winner else -points) for seat in (0, 1)]


def best_return(state: pyspiel.State, player: int, found: dict[tuple[int, ...], float]) -> float:
    """The best return that a defender can reach from here in OpenSpiel's tree of lay-offs and melds.

    The order in which cards went down does not matter there: what may still be laid off follows from the
    cards that are gone, what may be melded, and the return, from those that are left. Each is searched once.
    """
    if state.is_terminal():
        return state.player_return(player)
    key = (state.finished_layoffs(), *sorted(state.hands()[player]))
    if key not in found:
        found[key] = max(best_return(state.child(action), player, found) for action in state.legal_actions())
    return found[key]


def shown_melds(state: pyspiel.State, player: int) -> tuple[int, ...]:
    return tuple(to_mask(UTILS.int_to_meld[meld]) for meld in state.layed_melds()[player])


def lay_down(check: Check, state: pyspiel.State, melds: tuple[int, ...], where: object) -> None:
    """Meld in OpenSpiel, a run of more than five cards in pieces."""
    for cards in map(to_theirs, melds):
        if len(cards) > 5:
            check.deviation("long run", tuple(cards) not in MELDS, where)
        while len(cards) > 5:
            state.apply_action_with_legality_check(MELD_ACTION_BASE + UTILS.meld_to_int(cards[:3]))
            cards = cards[3:]
        state.apply_action_with_legality_check(MELD_ACTION_BASE + UTILS.meld_to_int(cards))


def play_defence(
    check: Check,
    state: pyspiel.State,
    shown: tuple[int, ...],
    own: tuple[int, ...],
    laid: tuple[int, ...],
    where: object,
) -> None:
    """Play ginsim's defence in OpenSpiel, the cards laid off in an order that its runs can grow by."""
    for meld, mask in zip(shown, laid, strict=True):
        below = [card for card in reversed(to_theirs(mask)) if 1 << OURS[card] < meld]
        above = [card for card in to_theirs(mask) if 1 << OURS[card] > meld]
        for card in (*below, *above):
            state.apply_action_with_legality_check(card)
    state.apply_action_with_legality_check(PASS_ACTION)
    lay_down(check, state, own, where)
    state.apply_action_with_legality_check(PASS_ACTION)


def compare_third(check: Check, shown: tuple[int, ...], defender: int) -> None:
    """Where the defender holds the three cards next to a run, OpenSpiel takes two of them and ginsim all."""
    for run in (meld for meld in shown if UTILS.is_suit_meld(to_theirs(meld))):
        lowest, *_, highest = Hand(run).positions
        for chain in ([lowest - i for i in (1, 2, 3)], [highest + i for i in (1, 2, 3)]):
            if not all(card in THEIRS and defender >> card & 1 for card in chain):
                continue
            *two, third = (THEIRS[card] for card in chain)
            refused = third not in UTILS.all_layoffs([UTILS.meld_to_int(to_theirs(run))], two)
            ours = _melds.is_meld_of(run | to_mask([*two, third]))
            check.deviation("long lay-off", ours and refused, f"{Hand(defender)} against {Hand(run)}")


def check_defences(rng: np.random.Generator, n: int) -> Iterator[Check]:
    """The defender's least count after knocks, where the defender's cards extend and overlap the melds shown.

    The count is held to the search of OpenSpiel's tree, and the melds and lay-offs are played there too.
    """
    searched = Check("defences against the game tree")
    with_lay_offs = Check("of them, where the exact defence lays off")
    played = Check("defences played in OpenSpiel")
    third = Check("third lay-offs at an end of a run")
    game, rules = pyspiel.load_game("gin_rummy"), rules_of({})
    chance = random.Random(int(rng.integers(2**32)))
    for eleven, defender in knock_positions(rng, n):
        state = knock(game, eleven, defender, chance)
        if state is None:
            theirs = UTILS.min_deadwood(to_theirs(eleven))
            searched.deviation("knock refused", theirs > 10, Hand(eleven))
            continue
        shown, count = shown_melds(state, 0), state.deadwood()[0]
        if count == 0:
            continue
        compare_third(third, shown, defender)
        least, own, laid = _melds.defend_of(defender, shown)
        where = f"{Hand(defender)} against {', '.join(str(Hand(meld)) for meld in shown)} and {count}"
        ours, theirs = returns_of(rules, "knock", 0, count, least)[1], best_return(state, 1, {})
        for check in (searched, with_lay_offs) if any(laid) else (searched,):
            check.same(ours, theirs, where)
        try:
            play_defence(played, state, shown, own, laid, where)
            played.same(ours, state.player_return(1), where)
        except pyspiel.SpielError as refusal:
            played.refusal(refusal, where)
    yield from (searched, with_lay_offs, played, third)


def knock_positions(rng: np.random.Generator, n: int) -> Iterator[tuple[int, int]]:
    """n pairs of eleven cards that may knock and ten of a defender, from six to nine neighbouring ranks."""
    left = n
    while left:
        for ranks in (6, 7, 8, 9):
            positions = draws(rng, 2000, 21, ranks)
            eleven, ten = masks_of(positions[:, :11]), masks_of(positions[:, 11:])
            able = (_melds.best_discards_array(eleven)[0] <= 10).nonzero()[0][:left]
            yield from zip(eleven[able].tolist(), ten[able].tolist(), strict=True)
            left -= len(able)


def knock(game: pyspiel.Game, eleven: int, defender: int, chance: random.Random) -> pyspiel.State | None:
    """A hand of OpenSpiel's in which player 0 takes the upcard and knocks at random; None if it may not."""
    state = game.new_initial_state()
    *ten, upcard = to_theirs(eleven)
    for card in (*ten, *to_theirs(defender), upcard):
        state.apply_action(card)
    state.apply_action(DRAW_UPCARD_ACTION)
    if KNOCK_ACTION not in state.legal_actions():
        return None
    state.apply_action(KNOCK_ACTION)
    while state.current_player() == 0:
        state.apply_action(chance.choice(state.legal_actions()))
    return state


# ---------------------------------------------------------------- whole hands


@dataclass(frozen=True)
class Style:
    """How a player plays: by ginsim's least deadwood, spread and defence, or at random."""

    least_deadwood: bool
    knocks: float
    """The chance that it knocks when it may."""
    takes: float = 0.5
    """The chance that it takes the upcard, where it plays at random."""


GREEDY, PATIENT = Style(True, knocks=0.5), Style(True, knocks=0.1)
RANDOM, SWAPPER = Style(False, knocks=0.5), Style(False, knocks=0.0, takes=1.0)

# Players 0 and 1 of whole hands, again in turn.
PLAYERS = (
    (GREEDY, GREEDY),
    (PATIENT, PATIENT),
    (GREEDY, PATIENT),
    (GREEDY, GREEDY),
    (PATIENT, PATIENT),
    (PATIENT, GREEDY),
    (GREEDY, RANDOM),
    (RANDOM, PATIENT),
    (RANDOM, RANDOM),
    (GREEDY, SWAPPER),
    (SWAPPER, SWAPPER),
)


class Mirror:
    """One hand played in OpenSpiel with each action repeated on a ginsim table, and both compared throughout.

    `checks` are the rows to fill, `counts` what came of the hands.
    """

    def __init__(
        self,
        checks: dict[str, Check],
        counts: Counter[str],
        parameters: dict[str, int | bool],
        styles: tuple[Style, Style],
        chance: random.Random,
    ) -> None:
        self.checks = checks
        self.counts = counts
        self.styles = styles
        self.chance = chance
        self.rules = rules_of(parameters)
        self.taken: int | None = None  # from the pile, this turn
        self.thrown_back = False  # in the turn before
        self.pile_draws = 0  # without the first upcard
        self.game = pyspiel.load_game("gin_rummy", parameters)
        self.state = self.game.new_initial_state()
        deck = chance.sample(sorted(THEIRS), 52)
        self.table = _table.Table(self.rules.codes(), deck, 1)  # player 0 has the first say in OpenSpiel
        for card in deck[:21]:
            self.state.apply_action(THEIRS[card])

    def __str__(self) -> str:
        return f"{self.game} after the actions {self.state.history()}"

    @property
    def player(self) -> int:
        """Whose turn it is."""
        return self.state.current_player()

    @property
    def style(self) -> Style:
        """How that player plays."""
        return self.styles[self.player]

    @property
    def legal(self) -> set[int]:
        """The actions that OpenSpiel allows."""
        return set(self.state.legal_actions())

    def same(self, check: str, ours: object, theirs: object) -> None:
        """Compare two answers at this point of the hand."""
        self.checks[check].same(ours, theirs, self)

    def play(self) -> None:
        """Play the hand out; an answer that either side refuses is a disagreement and ends it."""
        phases = {
            Phase.FIRST_UPCARD: self.offer,
            Phase.DRAW: self.draw,
            Phase.DISCARD: self.discard,
            Phase.WALL: self.wall,
        }
        try:
            while not self.state.is_terminal():
                self.compare_state()
                phases[self.state.current_phase()]()
        except (ValueError, pyspiel.SpielError) as refusal:
            self.checks["legal actions"].refusal(refusal, self)

    def act(self, action: int, *answer: object) -> None:
        """An action of OpenSpiel, with the card of the stock it may draw, and our answer to match."""
        self.state.apply_action_with_legality_check(action)
        if self.state.is_chance_node():
            self.state.apply_action(THEIRS[self.table.stock()[0]])
        if answer:
            self.table.apply(answer)

    def compare_state(self) -> None:
        """Where all cards are, whose turn it is, and which cards the players know of each other."""
        view, upcard = self.table.view().as_dict(), self.state.upcard()
        pile = [*self.state.discard_pile(), *([] if upcard is None else [upcard])]
        self.same(
            "cards and turns",
            (*self.table.hands(), view["pile"], view["stock"]),
            (*map(to_mask, self.state.hands()), [OURS[card] for card in pile], self.state.stock_size()),
        )
        if self.table.question != "over":  # then nobody is asked
            known = [to_mask(cards) for cards in self.state.known_cards()]
            self.same(
                "cards and turns",
                (self.table.actor, view["knock_limit"], view["exposed"], view["known"]),
                (self.player, self.state.knock_card(), known[self.player], known[1 - self.player]),
            )

    # ---- draws

    def offer(self) -> None:
        """The first upcard."""
        self.same("legal actions", self.table.legal(), [("pass",), ("take",)])
        self.same("legal actions", {PASS_ACTION, DRAW_UPCARD_ACTION}, self.legal)
        if self.wants_upcard():
            self.take_upcard("take")
        elif any(self.state.pass_on_first_upcard()):
            # The draw that two passes lead to is an action of its own in OpenSpiel.
            self.act(PASS_ACTION)
            self.same("legal actions", {DRAW_STOCK_ACTION}, self.legal)
            self.act(DRAW_STOCK_ACTION, "pass")
        else:
            self.act(PASS_ACTION, "pass")

    def draw(self) -> None:
        """Stock or pile."""
        self.same("legal actions", self.table.legal(), [("stock",), ("pile",)])
        self.same("legal actions", {DRAW_STOCK_ACTION, DRAW_UPCARD_ACTION}, self.legal)
        if not self.wants_upcard():
            self.taken = None
            self.act(DRAW_STOCK_ACTION, "stock")
            return
        self.pile_draws += 1
        self.take_upcard("pile")
        self.expect_end("fifty draws", self.pile_draws == MAX_NUM_DRAW_UPCARD_ACTIONS)

    def wants_upcard(self) -> bool:
        """Whether the player takes the upcard."""
        if self.style.least_deadwood:
            hand = self.table.view().hand
            with_upcard = hand | 1 << OURS[self.state.upcard()]
            return _melds.best_discards_of(with_upcard)[0] < _melds.deadwood_of(hand)
        return self.chance.random() < self.style.takes

    def take_upcard(self, answer: str) -> None:
        """Take it in both engines."""
        self.taken = OURS[self.state.upcard()]
        self.act(DRAW_UPCARD_ACTION, answer)

    # ---- discards and knocks

    def discard(self) -> None:
        """A card, or a knock."""
        hand = self.table.view().hand
        plain = {card for word, card in self.table.legal() if word == "discard"}
        self.same("legal actions", {THEIRS[card] for card in plain}, self.legal - {KNOCK_ACTION})
        self.compare_knock(hand, self.state.deadwood()[self.player])
        if KNOCK_ACTION in self.legal and self.chance.random() < self.style.knocks:
            self.knock()
        else:
            self.throw(self.choose_discard(plain))

    def choose_discard(self, allowed: set[int]) -> int:
        """One of the cards allowed."""
        _, best = _melds.best_discards_of(self.table.view().hand)
        return self.chance.choice(Hand(best).positions if self.style.least_deadwood else sorted(allowed))

    def compare_knock(self, hand: int, theirs: int) -> None:
        """OpenSpiel's figure for eleven cards, and whether a knock is offered: too high a figure bars it."""
        exact, limit = _melds.best_discards_of(hand)[0], self.state.knock_card()
        compare_figures(self.checks["figures for eleven cards"], hand, exact, theirs)
        ours = self.table.question == "last" or any(answer[0] == "knock" for answer in self.table.legal())
        offered = KNOCK_ACTION in self.legal
        if exact <= limit < theirs:
            self.checks["legal actions"].deviation("knock refused", ours and not offered, self)
        else:
            self.same("legal actions", ours, offered)

    def throw(self, card: int) -> None:
        """A plain discard."""
        back = card == self.taken
        repeated = back and self.thrown_back
        self.thrown_back = back
        self.act(THEIRS[card], "discard", card)
        self.expect_end("repeat", repeated)

    def expect_end(self, why: str, due: bool) -> None:
        """Where it is due and nowhere else, OpenSpiel ends without points a hand that for us goes on."""
        ended = self.state.is_terminal()
        if ended or due:
            nobody = self.state.returns() == [0, 0] and self.table.facts["ending"] in ("going", "void")
            self.checks["results"].deviation(why, ended and due and nobody, self)
            self.counts[why] += 1

    def wall(self) -> None:
        """Two cards in the stock: OpenSpiel always asks, ginsim only whoever may knock with the upcard."""
        asked = self.table.question == "last"
        self.same("legal actions", {PASS_ACTION}, self.legal - {KNOCK_ACTION})
        hand = self.table.hands()[self.player] | 1 << OURS[self.state.upcard()]
        self.compare_knock(hand, UTILS.min_deadwood(to_theirs(hand)))
        if KNOCK_ACTION in self.legal and self.chance.random() < 0.8:
            self.counts["with the last discard"] += 1
            self.table.apply(("take",))
            self.knock()
        else:
            self.act(PASS_ACTION, *["pass"] * asked)
            self.compare_result()

    def knock(self) -> None:
        """The knock, its discard and its melds, and what comes of it."""
        knocker = self.player
        self.act(KNOCK_ACTION)
        allowed = {answer[1] for answer in self.table.legal() if answer[0] == "knock"}
        self.same("legal actions", {THEIRS[card] for card in allowed}, self.legal)
        card = self.choose_discard(allowed)
        self.act(THEIRS[card], "knock", card)
        if self.style.least_deadwood:
            _, melds = self.table.legal()[0]
            lay_down(self.checks["legal actions"], self.state, melds, self)
        while self.player == knocker:
            within_limit = Hand(to_mask(self.state.hands()[knocker])).points <= self.state.knock_card()
            self.same("legal actions", within_limit, PASS_ACTION in self.legal)
            self.act(self.chance.choice(sorted(self.legal)))
        self.table.apply(("spread", shown_melds(self.state, knocker)))
        if self.table.question == "over":
            self.meld_against_gin()
        else:
            self.defend(knocker)

    # ---- the defender's cards, and points

    def meld_against_gin(self) -> None:
        """The least that the defender can lose is what ginsim counts; in OpenSpiel it may meld less."""
        defender, best = self.player, best_return(self.state, self.player, {})
        self.same("results", self.our_returns()[defender], best)
        self.counts["gin"] += 1
        points = Hand(to_mask(self.state.hands()[defender])).points
        self.act(PASS_ACTION)
        loss = self.state.player_return(defender)
        if loss != best:
            as_documented = loss == -(self.rules.gin_bonus + points)
            self.checks["results"].deviation("melds against gin", as_documented, self)

    def defend(self, knocker: int) -> None:
        """The exact count against the whole tree; then one defence is played out and scored by both."""
        defender, style, shown = self.player, self.style, shown_melds(self.state, knocker)
        count = Hand(to_mask(self.state.hands()[knocker])).points
        least = _melds.defend_of(self.table.view().hand, shown)[0]
        ours = returns_of(self.rules, "knock", knocker, count, least)[defender]
        self.same("defences", ours, best_return(self.state, defender, {}))
        if style.least_deadwood:
            _, own, laid = self.table.legal()[0]
            play_defence(self.checks["legal actions"], self.state, shown, own, laid, self)
        else:
            while not self.state.is_terminal():
                self.act(self.chance.choice(sorted(self.legal)))
            own, laid = shown_melds(self.state, defender), owners(self.state.layoffs(), shown)
        self.counts["with lay-offs"] += any(laid)
        self.table.apply(("defend", own, laid))
        self.compare_result()

    def our_returns(self) -> list[float]:
        """The points of the table's hand, which is over."""
        facts = self.table.facts
        parts = (facts[name] for name in ("ending", "knocker", "knocker_count", "defender_count"))
        return returns_of(self.rules, *parts)

    def compare_result(self) -> None:
        """The points of both players, and the counts they come from."""
        self.same("results", self.our_returns(), self.state.returns())
        knocker, theirs = self.table.facts["knocker"], self.state.deadwood()
        if knocker is None:
            self.counts["void"] += 1
            return
        shown, left = self.table.facts["knocker_count"], self.table.facts["defender_count"]
        self.same("results", (shown, left), (theirs[knocker], theirs[1 - knocker]))
        self.counts["knock" if shown < left else "tie" if shown == left else "undercut"] += 1


def owners(cards: list[int], shown: tuple[int, ...]) -> tuple[int, ...]:
    """Cards laid off, in order and without saying where, as masks by the shown meld that takes them.

    A card that a set and a run both want goes to the run: the set takes no other, the run may go on from it.
    """
    laid = [0] * len(shown)
    sets_last = sorted(range(len(shown)), key=lambda i: UTILS.is_rank_meld(to_theirs(shown[i])))
    for card in cards:
        bit = 1 << OURS[card]
        laid[next(i for i in sets_last if _melds.is_meld_of(shown[i] | laid[i] | bit))] |= bit
    return tuple(laid)


def check_hands(seed: int, n: int) -> tuple[list[Check], Counter[str]]:
    """n whole hands, and what came of them."""
    names = ("cards and turns", "legal actions", "figures for eleven cards", "defences", "results")
    checks = {name: Check(f"whole hands: {name}") for name in names}
    counts: Counter[str] = Counter()
    for number in range(n):
        chance = random.Random(f"{seed}/{number}")
        parameters, styles = VARIANTS[number % len(VARIANTS)], PLAYERS[number % len(PLAYERS)]
        Mirror(checks, counts, parameters, styles, chance).play()
    return list(checks.values()), counts


# ---------------------------------------------------------------- speed


def rate(work: Callable[[], object], items: int) -> float:
    """Items per second of processor time."""
    start = time.process_time()
    work()
    return items / (time.process_time() - start)


def medians(ours: Callable[[], float], theirs: Callable[[], float], rounds: int) -> dict[str, float]:
    """Medians of both rates and of their ratio, measured in turn."""
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    return {
        "ginsim": statistics.median(pair[0] for pair in pairs),
        "OpenSpiel": statistics.median(pair[1] for pair in pairs),
        "ratio": statistics.median(pair[0] / pair[1] for pair in pairs),
    }


def deadwood_speed(seed: int, rounds: int = 7) -> dict[str, float]:
    """Ten-card hands per second, the same hands, each engine given them in the form it wants."""
    hands = masks_of(draws(np.random.default_rng(seed), 20_000, 10, 13))
    lists = [to_theirs(mask) for mask in hands.tolist()]
    return medians(
        lambda: rate(lambda: [_melds.deadwood_array(hands) for _ in range(50)], 50 * len(hands)),
        lambda: rate(lambda: [UTILS.min_deadwood(cards) for cards in lists], len(lists)),
        rounds,
    )


def play_speed(seed: int, rounds: int = 7) -> dict[str, float]:
    """Hands per second of `greedy` and of OpenSpiel's simple bot, each against itself, by the same rules."""
    match = Match(Greedy(), Greedy(), rules_of({}).codes(), seed)
    game = pyspiel.load_game("gin_rummy")
    bots = [pyspiel.make_simple_gin_rummy_bot(game.get_parameters(), player) for player in (0, 1)]
    chance = random.Random(seed)

    def one_hand() -> None:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, chance.getrandbits(31))

    return medians(
        lambda: rate(lambda: match.play(0, 20_000), 40_000),
        lambda: rate(lambda: [one_hand() for _ in range(50)], 50),
        rounds,
    )


# ---------------------------------------------------------------- the command


def compare(seed: int, n: int) -> tuple[list[Check], Counter[str]]:
    """All checks, sized by the number of ten-card hands of each kind, and what came of the whole hands."""
    rng = np.random.default_rng(seed)
    checks = [*check_deadwood(rng, n), *check_discards(rng, -(-n // 5)), *check_defences(rng, -(-n // 20))]
    whole, counts = check_hands(seed, -(-n // 20))
    return [*checks, *whole], counts


def print_report(checks: list[Check], counts: Counter[str]) -> None:
    print(f"{'':50}{'compared':>10}{'agree':>10}{'known':>8}{'disagree':>10}")
    for check in checks:
        known, unknown = check.deviations.total(), len(check.disagreements)
        print(f"{check.name:50}{check.compared:10}{check.agreed:10}{known:8}{unknown:10}")
    print("\nWhole hands:", ", ".join(f"{n} {name}" for name, n in counts.most_common()))
    print("\nKnown deviations of OpenSpiel, each checked to be the one it is counted as:")
    totals = sum((check.deviations for check in checks), Counter())
    for name, text in DEVIATIONS.items():
        print(f"{totals[name]:6}  {name}: {text}")


def print_disagreements(checks: list[Check], most: int = 5) -> None:
    """The first few of each row, on stderr."""
    for check in checks:
        for text in check.disagreements[:most]:
            print(text, file=sys.stderr)
        if len(check.disagreements) > most:
            print(f"{check.name}: ... and {len(check.disagreements) - most} more", file=sys.stderr)


def as_json(checks: list[Check], counts: Counter[str]) -> dict[str, object]:
    rows = [
        {
            "name": check.name,
            "compared": check.compared,
            "agree": check.agreed,
            "known_deviations": dict(check.deviations),
            "disagreements": check.disagreements,
        }
        for check in checks
    ]
    return {"checks": rows, "whole_hands": dict(counts), "deviations": DEVIATIONS}


def print_speed(rows: dict[str, dict[str, float]]) -> None:
    print(f"{'per second of one core':24}{'ginsim':>14}{'OpenSpiel':>14}{'ratio':>10}")
    for name, row in rows.items():
        print(f"{name:24}{row['ginsim']:14,.0f}{row['OpenSpiel']:14,.0f}{row['ratio']:10,.0f}")


def read_options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    size = (
        "ten-card hands of each kind (default 100000); the slower checks take a share of it: "
        "best discards a fifth, defences and whole hands a twentieth"
    )
    parser.add_argument("--hands", type=int, default=100_000, metavar="N", help=size)
    parser.add_argument("--seed", type=int, default=1, help="of all hands and choices (default 1)")
    parser.add_argument("--speed", action="store_true", help="measure speeds instead of comparing answers")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.add_argument("-q", "--quiet", action="store_true", help="print disagreements only")
    options = parser.parse_args(arguments)
    for name, least in (("hands", 1), ("seed", 0)):
        if getattr(options, name) < least:
            parser.error(f"--{name} is {getattr(options, name)}; allowed is {least} or more")
    return options


def main(arguments: list[str] | None = None) -> int:
    """Run the comparison or the measurement and return the exit code."""
    options = read_options(arguments)
    run = {"open_spiel": version("open_spiel"), "seed": options.seed}
    if options.speed:
        rows = {
            "deadwood of ten cards": deadwood_speed(options.seed),
            "hands of self-play": play_speed(options.seed),
        }
        if options.json:
            print(json.dumps({**run, "per_second": rows}, indent=2))
        else:
            print_speed(rows)
        return 0
    checks, counts = compare(options.seed, options.hands)
    if options.json:
        print(json.dumps({**run, "hands": options.hands, **as_json(checks, counts)}, indent=2))
    elif not options.quiet:
        print_report(checks, counts)
    print_disagreements(checks)
    return 1 if any(check.disagreements for check in checks) else 0


if __name__ == "__main__":
    sys.exit(main())
