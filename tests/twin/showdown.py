"""The end of a hand: what is shown, what is laid off, the facts, and the points they are worth."""

from collections import namedtuple
from dataclasses import dataclass

from .cards import MELDS, loose, meldings, total

Defence = namedtuple("Defence", "melds layoffs")
"""The defender's own melds, and for each of the knocker's melds the set of cards laid off on it."""

Score = namedtuple("Score", "points winner")
"""Points of seat 0 and seat 1, and the seat that won the hand (None: a hand without a winner)."""


@dataclass(frozen=True)
class Facts:
    """What a finished hand records; points are priced from it and the rules.

    ``how`` is ``knock``, ``gin``, ``big_gin``, ``void`` or ``cut``; the fields after ``upcard`` are None
    unless somebody declared. ``layoffs`` has one set of cards for each meld shown by the knocker.
    """

    how: str
    upcard: str
    knocker: int | None = None
    knocker_count: int | None = None
    defender_count: int | None = None
    layoffs: tuple | None = None


def check_melds(cards, melds):
    """Raise ValueError unless these are disjoint melds out of the cards."""
    left = set(cards)
    for meld in melds:
        if frozenset(meld) not in MELDS:
            raise ValueError(f"{sorted(meld)} is not a meld")
        if not left >= set(meld):
            raise ValueError(f"{sorted(meld)} is not in the hand, or a card of it is in another meld")
        left -= set(meld)


def check_spread(cards, melds, limit):
    """The deadwood shown when these melds are laid out of the cards; ValueError if that is not allowed."""
    check_melds(cards, melds)
    shown = total(loose(cards, melds))
    if shown > limit:
        raise ValueError(f"deadwood shown is {shown}, at most {limit} is allowed")
    return shown


def layoff_choices(shown, cards):
    """Every way to lay the cards off on the shown melds: tuples of one set of added cards (or none) per meld.

    Laying off makes a shown meld into a larger meld of the deck, which also covers chains on a run.
    """
    if not shown:
        return [()]
    first, *rest = shown
    additions = [meld - frozenset(first) for meld in MELDS if meld >= frozenset(first)]
    return [
        (added, *others)
        for added in additions
        if added <= cards
        for others in layoff_choices(rest, cards - added)
    ]


def defences(cards, shown):
    """Every legal defence: own melds and lay-offs that share no card."""
    layings_off = layoff_choices(shown, frozenset(cards))
    return [
        Defence(melds, layoffs)
        for melds in meldings(cards)
        for layoffs in layings_off
        if not frozenset().union(*melds) & frozenset().union(*layoffs)
    ]


def defence_count(cards, defence):
    """The value of the cards that the defence leaves, neither melded nor laid off."""
    return total(loose(cards, [*defence.melds, *defence.layoffs]))


def best_defences(cards, shown):
    """(the defender's least count, all defences that reach it)."""
    counted = [(defence_count(cards, defence), defence) for defence in defences(cards, shown)]
    least = min(count for count, _ in counted)
    return least, [defence for count, defence in counted if count == least]


def check_defence(cards, shown, melds, layoffs):
    """The count that the defence leaves; ValueError if the defence is not legal."""
    check_melds(cards, melds)
    if len(layoffs) != len(shown):
        raise ValueError(f"lay-offs for {len(layoffs)} melds, but {len(shown)} are shown")
    left = set(loose(cards, melds))
    for meld, added in zip(shown, layoffs, strict=True):
        if not left >= set(added):
            raise ValueError(f"{sorted(added)} cannot be laid off: not in the hand, or already used")
        if set(meld) & set(added) or frozenset([*meld, *added]) not in MELDS:
            raise ValueError(f"{sorted(added)} cannot be laid off on {sorted(meld)}")
        left -= set(added)
    return total(left)


def score_hand(how, upcard, knocker, knocker_cards, shown, defender_cards, defence=None):
    """Facts of a hand that ended with a declaration.

    ``how`` is ``big_gin`` (eleven knocker's cards) or ``knock`` (ten; it becomes ``gin`` if and only if
    nothing is left unmelded). ``defence`` defaults to the best one; against gin that is the defender's best
    own melds.
    """
    knocker_count = check_spread(knocker_cards, shown, limit=0 if how == "big_gin" else total(knocker_cards))
    if how == "knock" and knocker_count == 0:
        how = "gin"
    open_to_layoffs = shown if how == "knock" else ()
    if defence is None:
        defence = best_defences(defender_cards, open_to_layoffs)[1][0]
    count = check_defence(defender_cards, open_to_layoffs, *defence)
    layoffs = tuple(map(frozenset, defence[1])) if how == "knock" else tuple(frozenset() for _ in shown)
    return Facts(how, upcard, knocker, knocker_count, count, layoffs)


def price(facts, rules):
    """The score of a hand with these facts under these rules."""
    if facts.how in ("void", "cut"):
        return Score((0, 0), None)
    lead = facts.defender_count - facts.knocker_count
    winner = facts.knocker
    if facts.how == "gin":
        points = rules.gin_bonus + facts.defender_count
    elif facts.how == "big_gin":
        points = rules.big_gin_bonus + facts.defender_count
    elif lead > 0:
        points = lead
    elif lead == 0 and not rules.undercut_on_tie:
        return Score((0, 0), None)
    else:
        winner = 1 - facts.knocker
        points = rules.undercut_bonus - lead
    if rules.oklahoma and rules.oklahoma_spades_double and facts.upcard[1] == "S":
        points *= 2
    return Score((points, 0) if winner == 0 else (0, points), winner)
