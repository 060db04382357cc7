"""A slow, readable twin of the whole game: the oracle the compiled core is held against.

Cards are strings like ``"TS"`` and melds are sets of them; everything is found by trying every possibility.
It shares no code with the package under test and takes any object that has the attributes of ``Rules``.
"""

from .cards import (
    DECK,
    MELDS,
    RANKS,
    SUITS,
    arrangements,
    best_discards,
    cards_of,
    deadwood,
    in_order,
    loose,
    mask,
    meldings,
    total,
    value,
)
from .game import Column, Result, TwinGame
from .hand import TwinHand, conservation
from .presets import PRESETS
from .showdown import (
    Defence,
    Facts,
    Score,
    best_defences,
    check_defence,
    check_spread,
    defences,
    price,
    score_hand,
)

__all__ = [
    "DECK",
    "MELDS",
    "PRESETS",
    "RANKS",
    "SUITS",
    "Column",
    "Defence",
    "Facts",
    "Result",
    "Score",
    "TwinGame",
    "TwinHand",
    "arrangements",
    "best_defences",
    "best_discards",
    "cards_of",
    "check_defence",
    "check_spread",
    "conservation",
    "deadwood",
    "defences",
    "in_order",
    "loose",
    "mask",
    "meldings",
    "price",
    "score_hand",
    "total",
    "value",
]
