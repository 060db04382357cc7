"""The presets as plain objects with the attributes of ``Rules``, so that the twin can be tested by itself."""

from types import SimpleNamespace

_STANDARD = dict(
    knock_limit=10,
    gin_bonus=25,
    big_gin_bonus=31,
    undercut_bonus=25,
    undercut_on_tie=True,
    target=100,
    game_bonus=100,
    box_bonus=25,
    box_timing="end",
    shutout="double",
    shutout_bonus=100,
    shutout_ties=False,
    after_two_passes="either",
    stock_end="void",
    next_dealer="alternate",
    discard_taken=False,
    columns=1,
    oklahoma=False,
    oklahoma_ace="one",
    oklahoma_spades_double=False,
    max_turns=200,
    max_hands=1000,
)
_EAAI = dict(
    big_gin_bonus=None,
    game_bonus=0,
    box_bonus=0,
    shutout="none",
    after_two_passes="stock",
    next_dealer="alternate_scored",
)
_CHANGES = {
    "standard": {},
    "oklahoma": dict(oklahoma=True, oklahoma_ace="one", oklahoma_spades_double=True),
    "straight": dict(knock_limit=0),
    "hollywood": dict(columns=3),
    "classic": dict(
        gin_bonus=20,
        big_gin_bonus=None,
        undercut_bonus=10,
        box_bonus=20,
        shutout="flat",
        shutout_bonus=100,
        shutout_ties=True,
        after_two_passes="stock",
        next_dealer="winner",
    ),
    "palace": dict(
        gin_bonus=25,
        big_gin_bonus=None,
        undercut_bonus=20,
        box_bonus=10,
        box_timing="immediate",
        game_bonus=0,
        shutout="none",
        after_two_passes="stock",
    ),
    "eaai": _EAAI,
    "fifty_card": {**_EAAI, "stock_end": "last_discard", "next_dealer": "alternate"},
}
PRESETS = {name: SimpleNamespace(**{**_STANDARD, **changes}) for name, changes in _CHANGES.items()}
