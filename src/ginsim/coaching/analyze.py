"""A position looked at from all sides: what each answer is worth, outs, danger, whether to knock, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .._expert import Valuer
from .._melds import best_discards_of
from ..analysis.findings import Finding, listed, with_error
from ..cards import Hand, card_text
from ..hands import spreads
from ..nets import fits
from ..policies import native
from .choices import Choice
from .outs import Danger, Out, Outs, dangers, outs_for
from .positions import Position
from .thinking import PLAYER, Outlook, guesses_of, think

FEARED = 100  # guesses that the danger of a discard is told from
SECONDS = 3.0
"""How long it thinks by default."""


@dataclass(frozen=True)
class Analysis:
    """What was found of a position; the outlooks are sorted, the best first."""

    position: Position
    outlooks: list[Outlook]
    dangers: Mapping[int, Danger]
    """By card that may be thrown."""
    played: Choice | None = None
    """What was played, of a record."""

    @property
    def best(self) -> Outlook:
        """The answer of the highest value."""
        return self.outlooks[0]

    @cached_property
    def outs(self) -> Outs:
        """The outs of the hand, at a discard of what the best plain discard leaves."""
        plain = next((one.choice for one in self.outlooks if one.choice.kind == "discard"), self.best.choice)
        return self.outs_after(plain)

    def outs_after(self, choice: Choice) -> Outs:
        """The outs that a plain discard leaves; of other answers those of the hand as it is."""
        view = self.position.view
        ten = view.hand
        if view.question == "discard":
            ten &= ~(1 << self.thrown(choice))
        return outs_for(ten, view.unseen)

    def thrown(self, choice: Choice) -> int:
        """The card that a choice throws; of big gin the dearest, which it need not."""
        return self.position.hand.positions[-1] if choice.card is None else choice.card

    @cached_property
    def groups(self) -> list[tuple[int, ...]]:
        """The hand as one lays it out: each meld, then the other cards by rank."""
        spread = spreads(self.position.hand)[0]
        loose = tuple(sorted(spread.loose.positions, key=lambda card: (card & 15, card)))
        return [cards for cards in (*(meld.positions for meld in spread.melds), loose) if cards]

    @cached_property
    def knock(self) -> tuple[Outlook, Outlook] | None:
        """The best way to declare and the best not to, where there are both."""
        declared = [one for one in self.outlooks if one.choice.declares]
        others = [one for one in self.outlooks if not one.choice.declares]
        return (declared[0], others[0]) if declared and others else None

    @cached_property
    def findings(self) -> list[Finding]:
        """The advice, in sentences."""
        return [*advice(self), *knocking(self), *verdict(self), *chances(self), *cautions(self)]

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values, for JSON."""
        view = self.position.view
        return {
            "position": str(self.position),
            "question": view.question,
            "hand": list(self.position.hand),
            "upcard": _text(view.upcard),
            "rules": self.position.rules.describe(),
            "scores": list(self.position.scores),
            "played": None if self.played is None else str(self.played),
            "actions": [self.row(one) for one in self.outlooks],
            "outs": {
                "hand": list(Hand(self.outs.ten)),
                "deadwood": self.outs.deadwood,
                "unseen": self.outs.unseen,
                "cards": [
                    {
                        "card": card_text(out.card),
                        "meld": list(out.meld),
                        "deadwood": out.deadwood,
                        "gain": out.gain,
                        "chance": f"1/{self.outs.unseen}",
                    }
                    for out in self.outs.outs
                ],
            },
            "findings": [finding.text for finding in self.findings],
        }

    def row(self, one: Outlook) -> dict[str, Any]:
        """One answer and what it is worth."""
        behind, half = one.ahead_of(self.best)
        danger = self.dangers.get(one.choice.code)
        return {
            "action": str(one.choice),
            "kind": one.choice.kind,
            "card": _text(one.choice.card),
            "points": one.value,
            "error": one.error,
            "behind": behind,
            "behind_error": half,
            "decided": one is self.best or abs(behind) > half,
            "win": one.win,
            "gin": one.gin,
            "undercut": one.undercut,
            "deadwood": one.choice.deadwood,
            "outs": len(self.outs_after(one.choice).melding) if one.choice.kind == "discard" else None,
            "melds_for_opponent": None if danger is None else danger.melds,
            "taken_by_opponent": None if danger is None else danger.taken,
            "guesses": one.guesses,
        }


def analyze(
    position: Position,
    seconds: float | None = SECONDS,
    guesses: int | None = None,
    seed: int = 0,
    played: Choice | None = None,
) -> Analysis:
    """Think a position through: for so many seconds, or with so many guesses of the hidden cards.

    `played`: the answer that was given in it, to be told of.
    """
    view, policy = position.view, native(PLAYER)
    assert isinstance(policy, Valuer)
    outlooks = think(position, None if guesses else seconds, guesses, policy=policy, seed=seed)
    cards = [one.choice.code for one in outlooks if one.choice.kind == "discard"]
    hands, _ = guesses_of(view, min(guesses or FEARED, FEARED), seed)
    return Analysis(position, outlooks, dangers(view, cards, hands, policy), played)


# ---------------------------------------------------------------- in sentences


def advice(found: Analysis) -> list[Finding]:
    """What to do, by how much it is better than the next, and why."""
    best = found.best
    worth = f"{with_error(best.value, best.error, sign=True, digits=1)} points of this hand"
    if len(found.outlooks) == 1:
        return [Finding(f"{_begin(best.choice)}: there is nothing else to do. It is worth {worth}.")]
    second = found.outlooks[1]
    lead, half = best.ahead_of(second)
    gap = f"{with_error(lead, half, sign=True, digits=1)} points"
    if lead > half:
        first = (
            f"{_begin(best.choice)}: it is worth {worth}, {gap} against the next best, to {second.choice}."
        )
    else:
        first = (
            f"{_begin(best.choice)}, or {second.choice}: the difference, {gap}, is undecided. "
            f"To {best.choice} is worth {worth}."
        )
    return [Finding(first), *why(found, best, second)]


def why(found: Analysis, best: Outlook, second: Outlook) -> list[Finding]:
    """One sentence of why the best answer is better than the next."""
    traits = traits_of(found, best, second)
    pros = [text for text, gain in traits if gain > 0]
    cons = [text for text, gain in traits if gain < 0]
    if not pros and not cons:
        return []
    told = f"Why {best.choice} rather than {second.choice}: it {listed(pros)}" if pros else "Against it: it "
    if cons:
        told += f"{', though it ' if pros else ''}{listed(cons)}"
    return [Finding(told + ".")]


def traits_of(found: Analysis, best: Outlook, second: Outlook) -> list[tuple[str, float]]:
    """In what two answers differ: a text about the first and how far that speaks for it."""
    one, other = best.choice, second.choice
    traits: list[tuple[str, float]] = []
    if one.kind == other.kind == "discard":
        outs, others = (len(found.outs_after(choice).melding) for choice in (one, other))
        traits.append((f"keeps {outs} cards that meld against {others}", outs - others))
        left, leaves = one.deadwood or 0, other.deadwood or 0
        traits.append((f"leaves {left} deadwood against {leaves}", leaves - left))
        feared, fear = (found.dangers[choice.code].taken for choice in (one, other))
        text = f"is taken by the opponent in {share(feared)} of the guesses against {share(fear)}"
        traits.append((text, fear - feared if abs(fear - feared) >= 0.05 else 0.0))
    elif one.kind in ("take", "pile") or other.kind in ("take", "pile"):
        traits.append(taking(found, 1 if one.kind in ("take", "pile") else -1))
    for name, sign in (("win", 1), ("gin", 1), ("undercut", -1)):
        mine, theirs = getattr(best, name), getattr(second, name)
        verb = {"win": "wins", "gin": "comes to gin", "undercut": "is undercut"}[name]
        if abs(mine - theirs) >= 0.02:
            traits.append((f"{verb} in {share(mine)} against {share(theirs)}", sign * (mine - theirs)))
    return traits


def taking(found: Analysis, sign: int) -> tuple[str, float]:
    """What the pile's card would bring, against the stock."""
    view = found.position.view
    assert view.upcard is not None
    top = 1 << view.upcard
    after, _ = best_discards_of(view.hand | top, 0 if view.discard_taken else top)
    before, melding = found.outs.deadwood, len(found.outs.melding)
    text = (
        f"brings the deadwood from {before} to {after}"
        if sign > 0
        else f"leaves a card that would bring the deadwood from {before} to {after} "
        f"({melding} of the {found.outs.unseen} unseen cards meld)"
    )
    return text, before - after if sign > 0 else 1


def knocking(found: Analysis) -> list[Finding]:
    """Whether to knock, and by how much."""
    if found.knock is None:
        return []
    now, later = found.knock
    lead, half = now.ahead_of(later)
    verdict = "undecided" if abs(lead) <= half else "yes" if lead > 0 else "no"
    declared = {"knock": "Knock", "gin": "Gin", "big_gin": "Big gin"}[now.choice.kind]
    return [
        Finding(
            f"{declared} now? {verdict.capitalize()}: to {now.choice} rather than to {later.choice} is worth "
            f"{with_error(lead, half, sign=True, digits=1)} points. It wins in {share(now.win)} of the "
            f"guesses and is undercut in {share(now.undercut)}; playing on wins in {share(later.win)}, "
            f"{share(later.gin)} by gin."
        )
    ]


def verdict(found: Analysis) -> list[Finding]:
    """What the answer that was played cost."""
    one = next((one for one in found.outlooks if one.choice == found.played), None)
    if one is None:
        return []
    if one is found.best:
        return [Finding(f"Played was to {one.choice}: nothing better was found.")]
    lost, half = found.best.ahead_of(one)
    told = "" if lost > half else ", which is undecided"
    return [
        Finding(
            f"Played was to {one.choice}: {with_error(lost, half, digits=1)} points behind the best{told}."
        )
    ]


def chances(found: Analysis) -> list[Finding]:
    """What the next card of the stock brings, in exact odds."""
    outs, view = found.outs, found.position.view
    after = f"After {_ing(found, outs)}, " if view.question == "discard" else ""
    parts = [
        f"{name} {_odds(outs, which)}"
        for name, which in (
            ("into a meld", outs.melding),
            (f"to {view.knock_limit} or less", outs.down_to(view.knock_limit)),
            ("to gin", outs.down_to(0)),
        )
    ]
    text = f"{after}the next card from the stock leads {', '.join(parts)}."
    return [Finding(text[0].upper() + text[1:])]


def cautions(found: Analysis) -> list[Finding]:
    """What to mind."""
    told = []
    if found.position.unknown:
        cards = "1 card" if found.position.unknown == 1 else f"{found.position.unknown} cards"
        told.append(
            f"{cards} of the pile were not told and count as unseen, so that values and odds are those of a "
            "player who has forgotten them."
        )
    view = found.position.view
    if any(found.position.scores):
        told.append("values are points of this hand: the score does not change them.")
    if not any(learned_alike(found.position)):
        told.append(
            "expert has not learned these rules and plays by the net of rules near them: a net of one's own "
            "comes from ginsim train."
        )
    if view.question == "discard" and len(found.outlooks) > 1 and found.best.guesses < 100:
        told.append(f"the values come from {found.best.guesses} guesses; --time gives it longer.")
    return [Finding(text[0].upper() + text[1:], caution=True) for text in told]


def share(value: float) -> str:
    """A share in per cent."""
    return f"{100 * value:.0f} %"


def learned_alike(position: Position) -> list[bool]:
    """Of each net that plays, whether it learned rules that play and score a hand as these do."""
    policy = native(PLAYER)
    assert isinstance(policy, Valuer)
    return [not fits(learned, position.rules) for learned in policy.learned]


def _ing(found: Analysis, outs: Outs) -> str:
    """The discard that leaves the ten cards of the outs."""
    return f"throwing {Hand(found.position.view.hand & ~outs.ten)}"


def _odds(outs: Outs, which: list[Out]) -> str:
    chance = outs.chance(which)
    return f"with {len(which)}/{outs.unseen} ({share(float(chance))})"


def _begin(choice: Choice) -> str:
    text = str(choice)
    return text[0].upper() + text[1:]


def _text(card: int | None) -> str | None:
    return None if card is None else card_text(card)


def laid_hand(position: Position) -> str:
    """The hand in its melds."""
    return str(spreads(position.hand)[0])
