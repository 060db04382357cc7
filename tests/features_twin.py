"""What the nets are told of a position, by sets of cards: slow, and shares nothing with the core.

A row is named (group, value).
"""

from collections.abc import Iterable

from brute import DECK, Cards, cards_of, mask_of, value

from ginsim._melds import deadwood_of  # as test_melds.py holds it against brute force


def place(card: int) -> int:
    return card // 16 * 13 + card % 16


def threes(card: int) -> list[Cards]:
    """All melds of three that have the card."""
    rank, suit = card % 16, card // 16
    others = [card % 16 + 16 * s for s in range(4) if s != suit]
    sets = [frozenset({card, a, b}) for a in others for b in others if a < b]
    runs = [
        frozenset(suit * 16 + r for r in range(low, low + 3))
        for low in range(rank - 2, rank + 1)
        if low >= 0 and low + 2 <= 12
    ]
    return sets + runs


def makes_meld(card: int, cards: Cards) -> bool:
    """Whether the card makes a meld of three with two of the cards."""
    return any(three - {card} <= cards for three in threes(card))


def in_runs(cards: Cards) -> Cards:
    return frozenset(
        card for card in cards if any(len({c // 16 for c in m}) == 1 and m <= cards for m in threes(card))
    )


def of_ranks(cards: Cards, ranks: Iterable[int]) -> Cards:
    wanted = set(ranks)
    return frozenset(card for card in cards if card % 16 in wanted)


def in_sets(cards: Cards) -> Cards:
    ranks = [card % 16 for card in cards]
    return of_ranks(cards, (rank for rank in ranks if ranks.count(rank) >= 3))


def near(card: int, cards: Iterable[int]) -> bool:
    """Whether the card could be in one meld of three with one of the cards."""
    return any((three - {card}) & set(cards) for three in threes(card))


def common(view, left: str | None, taking: bool) -> list[tuple[str, int]]:
    """What holds whatever is answered; `left`: which card is left lying, if one is."""
    me, other = view.seat, 1 - view.seat
    known = cards_of(view.known)
    rows = [("opponent's known cards", place(card)) for card in known]
    turns = view.turns[other]
    thrown = dict(enumerate(view.thrown[other]))
    for ago in range(3):
        if turns - 1 - ago in thrown and turns - 1 - ago >= 0:
            rows.append(("opponent's last discards", 13 * ago + thrown[turns - 1 - ago] % 16))
    takes = [sum(card is not None for card in view.taken[seat]) for seat in (0, 1)]
    exposed = cards_of(view.exposed) & cards_of(view.hand)
    stage = {None: 0, "first": 1, "second": 2, "pile": 3}[left]
    rows += [
        ("turn", view.turns[me] + (left is not None or taking)),
        ("stock", view.stock),
        ("opponent's takes", takes[other]),
        ("own takes", takes[me] + taking),
        ("own cards known", len(exposed) + taking),
        ("knock limit", view.knock_limit),
        ("question", stage),
        ("opponent's known cards, number", len(known)),
        ("opponent's known cards in melds", len(in_runs(known) | in_sets(known))),
    ]
    if target := view.stakes["target"]:
        mine, theirs = view.stakes["scores"][0]
        rows.append(("points to win", level(target - mine)))
        rows.append(("points that the opponent needs", level(target - theirs)))
    rows += [("opponent's discards", place(card)) for card in cards_of(view.ever_thrown[other])]
    rows += [("own discards", place(card)) for card in cards_of(view.ever_thrown[me])]
    return rows


def level(need: int) -> int:
    """Of points to the target: finer where there are few."""
    return sum(need > most for most in (*range(2, 11, 2), 13, 16, *range(20, 41, 5), 50, 60, 80))


def of_answer(view, ten: Cards, card: int) -> list[tuple[str, int]]:
    """What holds of the ten cards kept and the card thrown or left lying, own cards apart."""
    hidden, known = cards_of(view.unseen), cards_of(view.known)
    return [
        *_outs(ten, hidden, view.knock_limit),
        *_shape(ten, hidden, known),
        *_card(view, card, hidden, known),
    ]


def deadwood(cards: Cards) -> int:
    return deadwood_of(mask_of(cards))


def after_a_draw(ten: Cards, card: int) -> int:
    """The least deadwood after drawing the card and throwing the best one."""
    eleven = ten | {card}
    return min(deadwood(eleven - {thrown}) for thrown in eleven)


def _outs(ten: Cards, hidden: Cards, limit: int) -> list[tuple[str, int]]:
    before = deadwood(ten)
    melding = {card: after_a_draw(ten, card) for card in hidden if makes_meld(card, ten)}
    other = {card: after_a_draw(ten, card) for card in hidden if card not in melding}
    lower = [after for after in other.values() if after < before]
    every = [*melding.values(), *lower]
    gain = sum(before - after for after in every if after < before)
    return [
        ("deadwood", before),
        ("gin outs", sum(after == 0 for after in melding.values())),
        ("outs to 5", sum(after <= 5 for after in every)),
        ("outs to knock", sum(after <= limit for after in every)),
        ("outs", sum(after < before for after in melding.values())),
        ("outs of 10 points", sum(after + 10 <= before for after in melding.values())),
        ("mean gain", 3 * gain // len(hidden) if hidden else 0),
    ]


def _shape(ten: Cards, hidden: Cards, known: Cards) -> list[tuple[str, int]]:
    runs, sets = in_runs(ten), in_sets(ten)
    free = ten - runs - sets
    ranks = [card % 16 for card in free]
    pairs = {rank for rank in ranks if ranks.count(rank) >= 2}
    one_suit = [
        c for c in hidden if any(len({x // 16 for x in m}) == 1 and m - {c} <= ten for m in threes(c))
    ]
    loose = [card for card in free if not near(card, ten - {card})]
    dearest = [*sorted((value([card]) for card in free), reverse=True), 0, 0]
    ends = {
        c
        for c in (hidden | known) - runs
        if any(len({x // 16 for x in m}) == 1 and m - {c} <= runs for m in threes(c))
    }
    fits = {c for c in ends if {c - 1, c + 1} & runs} | of_ranks(
        (hidden | known) - ten, {c % 16 for c in sets}
    )
    return [
        ("cards in runs", len(runs)),
        ("cards in sets", len(sets)),
        ("outs to sets", len(of_ranks(hidden, pairs))),
        ("outs to runs", len(one_suit)),
        ("loose cards", len(loose)),
        ("value of loose cards", value(loose) // 3),
        ("dearest cards", dearest[0]),
        ("dearest cards", 12 + dearest[1]),
        ("lay-offs", len(fits)),
        ("value of lay-offs", value(fits) // 4),
        ("safe cards", sum(not makes_meld(card, hidden | known) for card in free)),
    ]


def _card(view, card: int, hidden: Cards, known: Cards) -> list[tuple[str, int]]:
    other = 1 - view.seat
    elsewhere = hidden | known
    runs = [m - {card} for m in threes(card) if len({c // 16 for c in m}) == 1]
    scorned = cards_of(view.ever_thrown[other]) | cards_of(view.refused[other])
    alike = of_ranks(DECK, {card % 16})
    beside = [c for c in scorned if c // 16 == card // 16 and 1 <= abs(c - card) <= 2]
    half = [c for c in hidden if near(card, known) and near(card, {c}) and makes_meld(card, known | {c})]
    return [
        ("card thrown", place(card)),
        ("sure to be taken", int(makes_meld(card, known))),
        ("half known partners", len(half)),
        ("set partners", len(elsewhere & alike)),
        ("run partners", sum(pair <= elsewhere for pair in runs)),
        ("scorned partners", 4 * min(len(scorned & alike), 3) + min(len(beside), 3)),
    ]
