"""A record read from text; docs/records.md has the grammar.

The text is replayed while it is read: each line is compared with what the rules make of the lines before it,
so that a text that is read is also true, and an error names the first line that is not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import zip_longest
from typing import Any, NamedTuple, NoReturn, TypeVar

from .._melds import is_meld_of
from .._table import Table
from ..cards import Hand, as_mask, card_text, parse_card
from ..rules import Rules, parse_knob
from .check import STOCK, answer, check_deal, check_numbers, compare, priced, refuse_unknown, table_of
from .facts import BIG_GIN, DRAWS, THROWS, Action, Facts, RecordError
from .plain import loads
from .record import GameRecord, HandRecord
from .writing import GAME, GOING, HAND, UNKNOWN, limit_text, play_lines, sheet_lines, turns

T = TypeVar("T")

_DOES = {phrase: key for key, phrase in DRAWS.items()}
_THREW = {phrase: word for word, phrase in THROWS.items()}
_FIRST = "|".join(sorted(_DOES, key=len, reverse=True))
_THEN = "|".join(_THREW)
_TURN = re.compile(
    rf"(?:([0-9]+) )?seat ([01]) ({_FIRST}) (\w+)(?:, (?:({_THEN}) (\w+)|({BIG_GIN}))(?: (.*))?)?"
)
_ACTS = re.compile(r"(?:[0-9]+ )?seat [01] ")
_DRAWN = re.compile(r"(?:[0-9]+ )?seat [01] draws (\w+)(?:,.*)?")
_SHOWS = re.compile(r"seat ([01]) shows (.*?)(?:, lays off (.+))?")
_LAY_OFF = re.compile(r"([^\[\]]+) on \[([^\[\]]*)\]")
_MELD = re.compile(r"\[([^\[\]]*)\]")
_N = "([0-9]{1,39})"


def read_record(text: str) -> HandRecord | GameRecord:
    """The record of a hand or a game in a text or a JSON object, verified; `RecordError` where it is wrong.

    >>> read_record("ginsim hand 2")
    Traceback (most recent call last):
    ginsim.records.facts.RecordError: line 1: 'ginsim hand 2'; allowed: 'ginsim hand 1' or 'ginsim game 1'
    """
    if text.lstrip().startswith("{"):
        data = loads(text)
        of_game = isinstance(data, dict) and data.get("format") == GAME
        record = GameRecord.from_dict(data) if of_game else HandRecord.from_dict(data)
        record.verify()
        _check_turns(data, record)
        return record
    first = _Lines(text)
    if first.next == GAME:
        return read_game(text)
    first.take(re.escape(HAND), f"{HAND!r} or {GAME!r}")
    return read_hand(text)


def _check_turns(data: Any, record: HandRecord | GameRecord) -> None:
    """RecordError where a record in JSON tells turns that are not those of its actions."""
    if isinstance(record, GameRecord):
        for plain, hand in zip(data["hands"], record.hands, strict=True):
            _check_turns(plain, hand)
    elif "turns" in data:
        right = turns(record)
        said = data["turns"]
        if not isinstance(said, list) or len(said) != len(right):
            raise RecordError(f"turns are not the {len(right)} that the actions make")
        for number, (one, other) in enumerate(zip(said, right, strict=True), 1):
            compare(f"turn {number}", one, other)


def read_hand(text: str) -> HandRecord:
    """The record of a hand."""
    return _read(text, _read_hand)


def read_game(text: str) -> GameRecord:
    """The record of a game."""
    return _read(text, _read_game)


class _Lines:
    """The lines of a text that are not blank, with their numbers and their white space made single."""

    def __init__(self, text: str) -> None:
        lines = [(number, " ".join(line.split())) for number, line in enumerate(text.splitlines(), 1)]
        self.lines = [(number, line) for number, line in lines if line]
        self.place = 0

    @property
    def next(self) -> str:
        """The next line, empty at the end."""
        return self.lines[self.place][1] if self.place < len(self.lines) else ""

    def take(self, pattern: str | re.Pattern[str], like: str) -> re.Match[str]:
        """The next line, which must match; `like` is what is allowed."""
        match = re.fullmatch(pattern, self.next)
        if match is None:
            self.refuse(f"{self.next!r}; allowed: {like}" if self.next else f"missing is {like}")
        self.place += 1
        return match

    def refuse(self, reason: object) -> NoReturn:
        """Raise a RecordError at the next line."""
        where = f"line {self.lines[self.place][0]}" if self.next else "end of the text"
        raise RecordError(f"{where}: {reason}") from None

    @contextmanager
    def understanding(self, place: int | None = None) -> Iterator[None]:
        """Raise errors at the line just taken, or the one at a place."""
        try:
            yield
        except ValueError as error:
            self.place = self.place - 1 if place is None else place
            self.refuse(error)

    def compare(self, start: int, told: Iterable[str]) -> None:
        """Refuse the first of the lines taken since `start` that is not as told."""
        right = list(filter(None, (" ".join(line.split()) for line in told)))
        stop = self.place
        said = [line for _, line in self.lines[start:stop]]
        for self.place, (one, other) in enumerate(zip_longest(said, right), start):
            if one != other:
                self.refuse(f"{one or 'nothing'!r}; by the rules it is {other or 'nothing'!r}")
        self.place = stop


def _read(text: str, read: Callable[[_Lines], T]) -> T:
    """The record that a text holds, and nothing else."""
    lines = _Lines(text)
    record = read(lines)
    if lines.next:
        lines.refuse(f"{lines.next!r}; allowed: nothing after the end")
    return record


def _read_game(lines: _Lines) -> GameRecord:
    lines.take(re.escape(GAME), repr(GAME))
    hands: list[HandRecord] = []
    starts: list[int] = []
    while lines.next == HAND:
        starts.append(lines.place)
        hands.append(_read_hand(lines, len(hands)))
    try:
        record = GameRecord.of(hands, going=lines.lines[-1][1] == GOING)
    except RecordError as error:
        at = re.match("hand ([0-9]+): ", str(error))  # the first line of a hand that does not fit
        lines.place = starts[int(at[1])] if at else lines.place
        lines.refuse(error)
    if lines.next:  # by hand, the score sheet may be left out whole
        start, lines.place = lines.place, len(lines.lines)
        lines.compare(start, sheet_lines(record))
    return record


def _read_hand(lines: _Lines, number: int = 0) -> HandRecord:
    start = lines.place
    known = _read_header(lines, number)
    deck, table = _read_deal(lines, known["rules"], known["dealer"], dealt=known["seed"] is not None)
    actions = _read_actions(lines, table, deck)
    if table.question != "over":
        lines.refuse(f"{lines.next!r}; allowed: what seat {table.actor} does, asked {table.question!r}")
    facts = Facts.of(table.facts)
    outcome, winner, points = priced(known["rules"], facts)
    record = HandRecord(
        deck=deck, actions=actions, facts=facts, outcome=outcome, winner=winner, points=points, **known
    )
    _read_outcome(lines, record)
    with lines.understanding(start + 2):  # where a seed is named
        check_numbers(record)
        check_deal(record)
    return record


def _read_header(lines: _Lines, number: int) -> dict[str, Any]:
    lines.take(re.escape(HAND), repr(HAND))
    rules = lines.take("rules: (.+)", "'rules: PRESET' or 'rules: PRESET with KNOB=VALUE, ...'")
    with lines.understanding():
        found: dict[str, Any] = {"rules": _rules_of(rules[1])}
    found |= {"seed": None, "hand_number": number}
    if lines.next.startswith("seed"):  # by hand, it may be left out
        dealt = lines.take(
            rf"seed: {_N}(?:, deals {_N})?, index {_N}, orientation ([01]), hand {_N}",
            "'seed: N, index N, orientation 0 or 1, hand N'",
        )
        names = ("seed", "deals", "index", "orientation", "hand_number")
        found |= zip(names, (int(n or 0) for n in dealt.groups()), strict=True)
    found["players"] = tuple(lines.take(f"seat {s}: (.+)", f"'seat {s}: SPEC'")[1] for s in (0, 1))
    found["dealer"] = int(lines.take("dealer: seat ([01])", "'dealer: seat 0' or 'dealer: seat 1'")[1])
    return found


def _rules_of(text: str) -> Rules:
    """The inverse of `Rules.describe`."""
    name, _, knobs = text.partition(" with ")
    return Rules.preset(name).replace(**dict(map(parse_knob, knobs.split(", ") if knobs else ())))


# ---------------------------------------------------------------- the deal


def _read_deal(lines: _Lines, rules: Rules, dealer: int, dealt: bool) -> tuple[tuple[int, ...], Table]:
    """The deck as far as it is known, and the hand dealt of it."""
    deck: list[int] = []

    def deal(cards: Iterable[int]) -> None:
        for card in cards:
            if card in deck:
                raise RecordError(f"{card_text(card)} is dealt twice; allowed: each card once")
            deck.append(card)

    for seat in (0, 1):
        hand = lines.take(rf"seat {seat} holds (.+)", f"'seat {seat} holds CARDS = N'")
        with lines.understanding():
            cards = _laid_out(hand[1])
            deal(Hand(as_mask(cards.cards, cards=10)).positions)
            _compare_layout(cards, cards.cards)
    place = lines.place
    upcard = lines.take(r"upcard (\w+)(?:, (.+))?", "'upcard CARD, knock limit N'")
    with lines.understanding():
        deal([parse_card(upcard[1])])
    _read_stock(lines, deal, dealt)
    deck += _drawn_later(lines, deck) if not dealt else []
    with lines.understanding():
        table = table_of(rules, deck, dealer, dealt)
    limit = limit_text(table.facts["limit"], table.facts["doubled"])
    with lines.understanding(place):
        _compare("after the upcard", upcard[2], limit)
    return tuple(deck), table


def _read_stock(lines: _Lines, deal: Callable[[Iterable[int]], None], dealt: bool) -> None:
    """The line of the stock; where no seed dealt it, it may end in UNKNOWN or be left out."""
    if not dealt and not lines.next.startswith("stock"):
        return
    stock = lines.take(r"stock (.+)", "'stock CARDS'")
    words = stock[1].split()
    with lines.understanding():
        if words[-1] == UNKNOWN:
            words.pop()
            if dealt:
                raise RecordError(f"the stock ends in {UNKNOWN!r}; allowed: all of it, where a seed is named")
        elif len(words) != 52 - STOCK:
            raise RecordError(
                f"deck has {STOCK + len(words)} cards; a deck has 52 "
                f"(a stock that is known in part ends in {UNKNOWN!r})"
            )
        deal(map(parse_card, words))


def _drawn_later(lines: _Lines, deck: list[int]) -> list[int]:
    """The cards that the turns to come draw from the stock beyond those already in the deck, in order."""
    drawn = []
    for _, line in lines.lines[lines.place :]:
        if not _ACTS.match(line):
            break
        if found := _DRAWN.fullmatch(line):
            drawn.append(found[1])
    later = []
    for text in drawn[len(deck) - STOCK :]:
        try:
            card = parse_card(text)
        except ValueError:
            break  # the turn's own line will say so
        if card in deck or card in later:
            break
        later.append(card)
    return later


# ---------------------------------------------------------------- cards laid out


class _Layout(NamedTuple):
    """Cards as a line shows them: those in melds, the others, and what these are said to count."""

    melds: tuple[int, ...]
    loose: int
    stated: int | None

    @property
    def cards(self) -> int:
        """All of them."""
        return sum(self.melds) | self.loose


def _laid_out(text: str) -> _Layout:
    """The cards of ``CARDS`` or ``CARDS = N``."""
    cards, equals, count = text.partition("=")
    if equals and not re.fullmatch("[0-9]{1,3}", count.strip()):
        raise RecordError(f"{count.strip()!r} after '='; allowed: what the cards outside melds count")
    melds = tuple(as_mask(meld) for meld in _MELD.findall(cards))
    others = _MELD.sub(" ", cards)
    if "[" in others or "]" in others:  # as text of a hand they would be passed over
        raise RecordError(f"{cards.strip()!r} has a bracket without its other; allowed: melds as [4S 5S 6S]")
    loose = as_mask(others)
    together = 0
    for meld in melds:
        if not is_meld_of(meld):
            raise RecordError(
                f"[{Hand(meld)}] is no meld; allowed: three or more of a rank, or in a row of a suit"
            )
        if meld & together:
            raise RecordError(f"[{Hand(meld)}] shares a card with another meld; allowed: each card once")
        together |= meld
    if loose & together:
        raise RecordError(f"{Hand(loose & together)} is in a meld and outside; allowed: each card once")
    return _Layout(melds, loose, int(count) if equals else None)


def _compare_layout(said: _Layout, hand: int, least: bool = True) -> None:
    """RecordError unless these are the cards of the hand and count what is said: the `least` there is."""
    if said.cards != hand:
        raise RecordError(f"the cards are {Hand(said.cards)}; by the rules they are {Hand(hand)}")
    found = Hand(hand).deadwood if least else Hand(said.loose).points
    if said.stated not in (None, found):
        raise RecordError(f"the count is {said.stated}; by the rules it is {found}")
    if least and said.melds and Hand(said.loose).points != found:
        raise RecordError(f"the melds leave {Hand(said.loose).points}; the least is {found}")


def _compare(what: str, said: str | None, found: str) -> None:
    """RecordError where something is said that is not so."""
    if said is not None and said != found:
        raise RecordError(f"{what} stands {said!r}; by the rules it is {found!r}")


# ---------------------------------------------------------------- the play


def _read_actions(lines: _Lines, table: Table, deck: tuple[int, ...]) -> tuple[Action, ...]:
    """The actions of the lines up to the outcome, each applied to the table."""
    actions: list[Action] = []
    over = False
    while _ACTS.match(lines.next) and not over:
        over = table.question == "over"  # then this line is the last: what a gin leaves the defender with
        if over or " shows " in lines.next:
            shows = lines.take(_SHOWS, "'seat 0 shows CARDS = N', or with ', lays off CARDS on [MELD]'")
            with lines.understanding():
                actions += _show(shows, table)
        else:
            turn = lines.take(_TURN, "a turn, such as '1 seat 0 draws 4H, throws KS'")
            with lines.understanding():
                actions += _turn(turn, table, deck)
    return tuple(actions)


def _turn(turn: re.Match[str], table: Table, deck: tuple[int, ...]) -> list[Action]:
    """The actions of a turn or a pass, applied; what else the line says is compared."""
    number, seat_text, does, card, throws, thrown, declares, after = turn.groups()
    seat, (question, word) = int(seat_text), _DOES[does]
    upcard, forced = table.view().upcard, table.question == "discard"
    actions = []
    if not (forced and (question, word) == ("draw", "stock")):
        actions.append(Action(seat, question, (word,)))  # after two passes, nobody may be asked for the draw
        answer(table, actions[0])
    if word == "pass":
        _compare_card(card, upcard)
        if number or throws or declares:
            raise RecordError(f"{turn[0]!r}; allowed: 'seat {seat} {does} {card}'")
        return actions
    refuse_unknown(table, deck)
    if not throws and not declares:
        raise RecordError(f"{turn[0]!r} has no discard; allowed: {', '.join([*_THREW, BIG_GIN])}")
    _compare_card(card, table.view(seat).drawn if word == "stock" else upcard)
    _compare("the number of the turn", number, str(table.view(seat).turns[seat]))
    actions.append(Action(seat, "discard", (_THREW[throws], parse_card(thrown)) if throws else ("big_gin",)))
    answer(table, actions[-1])
    if after is not None:
        _compare_layout(_laid_out(after), table.hands()[seat])
    return actions


def _compare_card(said: str, found: int | None) -> None:
    if parse_card(said) != found:
        right = "no card" if found is None else card_text(found)
        raise RecordError(f"the card is {said}; by the rules it is {right}")


def _show(shows: re.Match[str], table: Table) -> list[Action]:
    """The spread or the defence that a line shows, applied; what is left after a gin is only compared."""
    seat, said, laid = int(shows[1]), _laid_out(shows[2]), shows[3]
    if table.question == "over":
        facts = table.facts
        if facts["ending"] not in ("gin", "big_gin") or seat == facts["knocker"] or laid:
            raise RecordError(f"{shows[0]!r}; allowed: the outcome (or what a gin leaves the defender with)")
        _compare_layout(said, table.hands()[seat])
        return []
    if table.question == "defend":
        own = tuple(said.melds)
        action = Action(seat, "defend", ("defend", own, _laid_off(laid, table.view().shown)))
        off = sum(action.answer[2])
    else:
        action = Action(seat, "spread", ("spread", tuple(said.melds)))
        off = 0
        if laid:
            raise RecordError(f"lays off {laid!r}; allowed: nothing, by who knocks")
    answer(table, action)
    _compare_layout(said, table.hands()[seat] & ~off, least=False)
    return [action]


def _laid_off(text: str | None, shown: list[int]) -> tuple[int, ...]:
    """The cards laid off on each meld shown."""
    laid = dict.fromkeys(shown, 0)
    for part in text.split(", ") if text else ():
        lay_off = _LAY_OFF.fullmatch(part)
        if lay_off is None or as_mask(lay_off[2]) not in laid:
            raise RecordError(f"{part!r}; allowed: 'CARDS on [MELD]', a meld that is shown")
        cards, meld = as_mask(lay_off[1]), as_mask(lay_off[2])
        if laid[meld]:
            raise RecordError(f"{part!r}: the meld is named twice; allowed: once, with all its cards")
        laid[meld] = cards
    return tuple(laid.values())


def _read_outcome(lines: _Lines, record: HandRecord) -> None:
    """The last line of a hand: the outcome, and what it pays with or without the way it comes about."""
    full = play_lines(record)[-1]
    name = full.partition(":")[0]
    allowed = {full, name}
    if record.winner is not None:
        allowed.add(f"{name}: {record.points} points to seat {record.winner}")
    said = lines.take(r"[a-z ]+(: .+)?", f"{full!r}")[0]
    if said not in allowed:
        lines.place -= 1
        lines.refuse(f"{said!r}; by the rules it is {full!r}")
