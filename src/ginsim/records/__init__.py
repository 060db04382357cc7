"""Records of hands and games: played from specs, printed as a play-by-play, read back and checked.

docs/records.md has the grammar of the text and what a record written by hand may leave out.

>>> record = play_hand("greedy", "simple", seed=7)
>>> HandRecord.from_text(record.to_text()) == HandRecord.from_json(record.to_json()) == record
True
"""

from .facts import Action, Facts, RecordError
from .playing import play_game, play_hand
from .reading import read_record
from .record import Column, GameRecord, HandRecord

__all__ = [
    "Action",
    "Column",
    "Facts",
    "GameRecord",
    "HandRecord",
    "RecordError",
    "play_game",
    "play_hand",
    "read_record",
]
