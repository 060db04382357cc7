"""The discard study done slowly: cards judged one by one, sums in plain Python.

`count` sums decisions, as `DiscardStudy.decisions` and `forks_twin.Study` have them, to the arrays of
`DiscardStudy.play`.
"""

from collections import Counter

import numpy as np
from brute import DECK, cards_of, mask_of
from test_policies import melds_with

from ginsim import _discards as d

# ---------------------------------------------------------------- cards


def turn_of(turn):
    for name in d.TURNS:
        low, _, high = name.partition("-")
        if name.endswith("+"):
            return name
        if int(low) <= turn <= int(high or low):
            return name
    raise AssertionError(turn)


def kind_of(view, card):
    hand = cards_of(view.hand)
    if melds_with(card, view.hand & ~(1 << card)):
        return "meld"
    near = {card - 1, card + 1} & hand
    far = {card - 2, card + 2} & hand
    if any(other % 16 == card % 16 for other in hand - {card}):
        if near or far:
            return "both"
        return "high_pair" if card % 16 >= 9 else "pair"
    return "neighbour" if near else "gap" if far else "alone"


def known_of(view, card):
    theirs = DECK - cards_of(view.hand) - set(view.pile)
    other = 1 - view.seat
    if not melds_with(card, mask_of(theirs)):
        return "dead"
    if akin(card, cards_of(view.known)):
        return "rank"
    if adjoins(card, cards_of(view.known)):
        return "next"
    gone = cards_of(view.ever_thrown[other]) | cards_of(view.refused[other])
    return "safe" if akin(card, gone) or adjoins(card, gone) else "unknown"


def akin(card, others):
    return any(other % 16 == card % 16 for other in others)


def adjoins(card, others):
    return any(abs(other - card) == 1 for other in others)


def value(card):
    return min(card % 16 + 1, 10)


def maxims(view, legal, best, kinds, known):
    """The two sets of every maxim."""
    alone = {card for card in legal if kinds[card] == "alone"}
    pairs = {card for card in legal if kinds[card] in ("pair", "high_pair")}
    free = {card for card in alone if known[card] not in ("rank", "next")}
    threw = {card for card in free if akin(card, cards_of(view.ever_thrown[1 - view.seat]))}
    values = {value(card) for card in alone}
    turn = view.turns[view.seat]

    def kind(*names):
        return {card for card in legal if kinds[card] in names}

    def ranked(*ranks):
        return {card for card in alone if "A23456789TJQK"[card % 16] in ranks}

    several = len(values) > 1
    return {
        "melds_last": (set(legal) - kind("meld"), kind("meld")),
        "least_deadwood": (set(best), set(legal) - set(best)),
        "high_first": tuple(
            {card for card in alone if several and value(card) == pick(values)} for pick in (max, min)
        )
        if values
        else (set(), set()),
        "king_first": (ranked("K", "Q"), ranked("T", "J")),
        "middle": (ranked("A", "2", "Q", "K"), ranked("5", "6", "7", "8")),
        "ace": (alone - ranked("A"), ranked("A")),
        "king_nine": (ranked("K"), ranked("9")),
        "next_taken": (free, {card for card in alone if known[card] == "next"}),
        "rank_taken": (free, {card for card in alone if known[card] == "rank"}),
        "thrown_rank": (threw, free - threw),
        "dead": (
            {card for card in alone if known[card] == "dead"},
            {card for card in alone if known[card] != "dead"},
        ),
        "gap": (alone, kind("gap")),
        "gap_pair": (kind("gap"), pairs),
        "pair_neighbour": (pairs, kind("neighbour")),
        "both": (pairs | kind("neighbour"), kind("both")),
        "high_pair_early": (alone if turn <= 4 else set(), kind("high_pair")),
        "high_pair_late": (kind("high_pair") if turn >= 8 else set(), alone),
        "loose_first": (alone, set(legal) - alone - kind("meld")),
    }


# ---------------------------------------------------------------- sums


def count(pairs, scale=1):
    """The arrays "cells" and "maxims" of decisions by pair index."""
    cells = np.zeros((2, d.N_CELLS, 1 + 6 * len(d.RATIOS)), dtype=np.int64)
    effects = np.zeros((len(d.MAXIMS), len(d.TURNS) + 1, 13), dtype=np.int64)
    for index, made in pairs.items():
        n, y = Counter(), Counter()
        for one in made:
            count_cells(one, cells[index % 2], n, y)
            count_maxims(one, scale, effects, n, y)
        for (array, *place), weight in n.items():
            sums = {"cells": cells[index % 2], "maxims": effects}[array][tuple(place[:-1])]
            paid = y[(array, *place)]
            sums[place[-1] : place[-1] + 6] += (1, weight, paid, paid**2, paid * weight, weight**2)
    return cells, effects


def count_cells(one, half, n, y):
    paid = one["candidates"][one["reference"]]["value"]
    for card, found in one["candidates"].items():
        weight, cost = found["weight"], paid - found["value"]
        if not weight:
            continue
        at = {"turn": one["turn"], "rank": card % 16, "kind": found["kind"], "known": found["known"]}
        for number in cells_of(at):
            half[number, 0] += weight * (card == one["reference"])
            ratios = {0: cost}
            if found["offered"]:
                ratios |= {1: found["taken"], 2 if found["taken"] else 3: cost}
            for ratio, amount in ratios.items():
                place = "cells", number, 1 + 6 * ratio
                n[place] += weight
                y[place] += weight * amount


def cells_of_tables():
    """The number of every cell by its table and its place there."""
    names = {"turn": d.TURNS, "rank": range(13), "kind": d.KINDS, "known": d.KNOWN}
    numbers = {}
    for table in d.TABLES:
        places = [()]
        for axis in table:
            places = [(*place, name) for place in places for name in names[axis]]
        for place in places:
            numbers[table, place] = len(numbers)
    return numbers


NUMBERS = cells_of_tables()


def cells_of(at):
    for table in d.TABLES:
        if "kind" in table or at["kind"] != "meld":
            yield NUMBERS[table, tuple(at[axis] for axis in table)]


def count_maxims(one, scale, effects, n, y):
    paid = one["candidates"][one["reference"]]["value"]
    for number, name in enumerate(d.MAXIMS):
        first, second = (
            [card for card in one["candidates"] if mask >> card & 1] for mask in one["sets"][name]
        )
        if not first or not second:
            continue
        gain = safer = points = 0
        for a in first:
            for b in second:
                won, lost = one["candidates"][a], one["candidates"][b]
                gain += lost["weight"] * (paid - lost["value"]) - won["weight"] * (paid - won["value"])
                safer += lost["weight"] * lost["taken"] - won["weight"] * won["taken"]
                points += scale * (value(a) - value(b))
        for turn in (d.TURNS.index(one["turn"]), len(d.TURNS)):
            effects[number, turn, 0] += points
            for place, amount in ((1, gain), (7, safer)):
                n["maxims", number, turn, place] += scale * len(first) * len(second)
                y["maxims", number, turn, place] += amount
