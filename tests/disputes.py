"""The disputes over the rules as data, for the core and for its twin: cards as text, and what is right.

Text writes cards as rank and suit, ``5H6H7H 2S``, and parts melds by commas.
"""

from types import SimpleNamespace as Case

DECK = tuple(rank + suit for suit in "SHDC" for rank in "A23456789TJQK")


def cards(text):
    """Cards of a text such as ``5H6H7H 2S``."""
    joined = text.replace(" ", "")
    return tuple(joined[place : place + 2] for place in range(0, len(joined), 2))


def melds(text):
    """Melds of a text such as ``5H6H7H, TCTDTS``; lay-offs too, where a part may be empty."""
    return tuple(frozenset(cards(part)) for part in text.split(","))


def lay_out(seat0, seat1, upcard, stock="", bottom=""):
    """A deck with these hands, upcard, first and last cards of the stock; between them the rest in order."""
    placed = [*cards(seat0), *cards(seat1), *cards(upcard), *cards(stock)]
    rest = [card for card in DECK if card not in placed and card not in cards(bottom)]
    return [*placed, *rest, *cards(bottom)]


# A hand far from any knock, and one that only a card such as 7C keeps from gin, with its gin.
RAGS = "AS4D7HTC AD5H8CJH 2C QD"
READY = "5S6S7S 4C5C6C KSKDKC 2H"
READY_GIN = "4C5C6C7C, 5S6S7S, KSKDKC"

CASES = {
    "layoff-chain": Case(
        knocker="5H6H7H TCTDTS 2C2D2H AC",
        shown="5H6H7H, TCTDTS, 2C2D2H",
        defender="4H 3H KS QD JC 9S 8C 7D 5C 2S",
        count=59,
        laid="4H3H, , 2S",
    ),
    "break-own-set": Case(
        knocker="KSKCKD 5S6S7S 9CTCJC JD",
        shown="KSKCKD, 5S6S7S, 9CTCJC",
        defender="2S 8S 9S AC 2C 7C 8C 2D 8D 2H",
        counts=(10, 9),
        undercut=25 + 1,
    ),
    "run-before-set": Case(
        knocker="JSQSKS TCTDTH 3H3D3S AC",
        shown="JSQSKS, TCTDTH, 3H3D3S",
        defender="TS 9S 2D 4H 6C 8D 4C 5H 7D AH",
        left="2D 4H 6C 8D 4C 5H 7D AH",
        laid="TS9S, , ",
    ),
    "order-free": Case(
        knocker="2C2H2S 3D4D5D TCTDTH AC",
        orders=("2C2H2S, 3D4D5D, TCTDTH", "3D4D5D, 2C2H2S, TCTDTH"),
        defender="AD 2D KS QH JC 9S 8C 6H 5C 4S",
        count=62,
    ),
    "after-layoffs": Case(
        knocker="3S4S5S 9H9D9C KSKHKD 2C",
        shown="3S4S5S, 9H9D9C, KSKHKD",
        defender="4H5H6H TDJDQD 6S TS 8C 4C",
        before=28,
        laid="6S, , ",
        points=20,
    ),
    "tie": Case(
        knocker="AS2S3S 4C5C6C 7D8D9D 5H",
        shown="AS2S3S, 4C5C6C, 7D8D9D",
        defender="AH2H3H TCJCQC 4D5D6D 5S",
        own="AH2H3H, TCJCQC, 4D5D6D",
        count=5,
        undercut=25 + 0,
    ),
    "zero-against-gin": Case(
        knocker="AS2S3S 4C5C6C 7D8D9DTD",
        shown="AS2S3S, 4C5C6C, 7D8D9DTD",
        could_clear="AH2H3H JHQHKH KSKDKC 4S",
        own="AH2H3H, JHQHKH, KSKDKC",
        lay_off="4S, , ",
        points=25 + 4,
        all_melded="AH2H3H 9H9C9S KSKDKCKH",
        points_at_zero=25 + 0,
    ),
    "undercut-wins-game": Case(
        before=((95, 0), (90, 1)),  # points and winner of the hands so far
        knocker="AS2S3S 4C5C6C 7D8D9D 5H",
        shown="AS2S3S, 4C5C6C, 7D8D9D",
        defender="AH2H3H TCJCQC TDJDQD 4S",
        undercut=25 + 5,
        totals=(95 + 25, 120 + 100 + 2 * 25),
    ),
    "target-not-winner": Case(
        hands=((10, 1),) * 9 + ((60, 0),) * 2,
        reached_by=0,
        totals=(120 + 100 + 2 * 25, 90 + 9 * 25),
    ),
    "gin-declined": Case(ten=READY, eleventh="7C", upcard="8D", other=RAGS, thrown="2H"),
    "big-gin-shed": Case(
        ten="4S5S6S 4C5C6C 4D5D6D 4H",
        eleventh="5H",
        upcard="9S",
        other="AS2H3D7C8HTDJSQCKHKD",
        spread="4S4C4D4H, 5S5C5D5H, 6S6C6D",
        gin_spread="4S4C4D4H, 5S5C5D, 6S6C6D",
        gin_discards="4S5S 4H5H 4D5D 4C5C",
    ),
    "limit-inclusive": Case(
        legal="5S6S7S 4C5C6C7C AH3D6D",
        refused="5S6S7S 4C5C6C7C AH4D6D",
        other="AS2S7HTCAD5H8CJH2CQD",
        upcard="KS",
        drawn="9H",
    ),
    "oklahoma-ace": Case(
        # 9H is drawn into nothing; without it the ten cards count 1
        ten="5S6S7S 4C5C6C KSKDKC AH",
        other="2S4D7HTCAD5H8CJH2CQD",
        upcard="AC",
        drawn="9H",
    ),
    "take-and-return": Case(
        ten="5S6S7S 4C5C6C KSKDKC 2H", other="3S4D7HTCAD5H8CJH2CQD", upcard="AC", may_knock="2H"
    ),
    "endless-swap": Case(seat0="2S4S6S8STSQS2H4H6H8H", seat1="3C5C7C9CJCKC3D5D7D9D", upcard="AS"),
    "stock-two": Case(upcard="9S", bottom="7C3S2D", useless_bottom="TH3S2D", knocks_with="2H"),
    "void-dealer": Case(
        # next_dealer: dealer after a void hand that seat 1 dealt, then after a hand that seat 1 won
        next_dealer={
            "alternate": (0, 1),
            "winner": (1, 1),
            "loser": (1, 0),
            "alternate_scored": (1, 0),
        }
    ),
    "no-high-ace": Case(three="KC KD AD", ten="QH KH AH 2C 3D 5S 7C 9H JD 8S", deadwood=65),
    "hidden-gins": Case(
        gins=(
            "6H QH QC 5H KD KH 7H KC 4H QD",
            "KC 3S 3C 9C KH 3H 9H 3D 9D KD",
            "TC 2H 3H 2S TD 5H 3S 4H 4S TS",
            "5S 4H 6S TH 3H JH 5H 9H 2H 4S",
        )
    ),
    "disjoint-runs": Case(ten="JC 9D 8S 6D JS 8H TD 8D 7D JD", deadwood=16),
    "upcard-order": None,
    "long-runs": None,
    "last-bit": None,
    "conserve": None,
}
"""By the name of the dispute; None where there are no cards to share."""
