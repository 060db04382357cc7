"""Files of options with comments, one for each study, as `ginsim init` writes them; {file} is the name."""

from __future__ import annotations

_HEAD = """\
# {what} of ginsim. To play it:
#
#     ginsim {kind} --config {{file}}
#
# What is given on the command line beats this file: add, say, --pairs 50000. Every key is an option of the
# command, with _ for -; a line that is left out or behind a # stands for its default.

command = "{kind}"  # the command that reads this file; no other will

# Policies as specs, or as tables of a name and knobs. `ginsim policies` lists those that there are. A file of
# your own is "path/mine.py:Class", seen from the folder in which the command runs.
"""

_SEED = """\
seed = 1  # same seed, same cards; drawn and printed if left out
"""

_UNIT = """\
unit = "hands"  # or "games"
"""

_CHUNK = """\
# chunk = 256  # pairs that are played and kept together; more chunks keep more workers busy
"""

_TAIL = """\
# on_error = "stop"  # or "forfeit": count the hand apart when a policy is at fault
# time_limit = 60.0  # seconds for one answer of a policy in Python
# time_forfeit = false  # true: forfeit the hand where an answer takes too long; not reproducible

# Who plays and where it is kept change no result.
# processes = 2
# out = "my-run"

# A preset and knobs that differ from it; `ginsim rules` lists them. rules = "classic" will do, too.
[rules]
preset = "standard"
undercut_bonus = 25
"""

_COMPARE = """\
compare = ["undercut_bonus=10"]  # the same under other rules; "rules=oklahoma" names a preset
"""


def _example(kind: str, what: str, *parts: str) -> str:
    return _HEAD.format(kind=kind, what=what) + "".join(parts) + _TAIL


EXAMPLES = {
    "tournament": _example(
        "tournament",
        "A tournament",
        """\
policies = [
    "greedy",
    "gin_only",
    {{ name = "threshold", knock_at = 5 }},
]
# gauntlet = "early"  # this one against each of the others, instead of all pairings

pairs = 2000  # mirrored pairs for each pairing: two hands on the same cards, seats swapped
""",
        _UNIT,
        _SEED,
        "\n",
        _CHUNK,
        """\
# rows = false  # true: keep every hand, for ginsim hands and export
# luck = false  # true: also points with the luck of draws taken off, for slow policies
# independent_deals = false  # true: other deals for every pairing, instead of the same
""",
    ),
    "match": _example(
        "match",
        "A match",
        """\
a = "marjj"
b = {{ name = "threshold", knock_at = 5 }}

pairs = 2000  # mirrored pairs: two hands on the same cards, seats swapped; with a rule, at most
""",
        _UNIT,
        _SEED,
        """\

# A rule ends it as soon as enough is known; give one at most (docs/match.md).
# sprt = [0.0, 0.5]  # a sequential test, in points per hand; elo and nelo are for games
# precision = 0.1  # end when half of the 95 % interval is as small
# alpha = 0.05  # with a test: the risk of a false "A better"
# beta = 0.05  # with a test: the risk of a false "not shown"
# two_sided = false  # with a test: ask for "A better" and "B better"
# confirm = false  # with a test: play a winner's claim again on other deals

# rows = false  # true: keep every hand, for ginsim hands and export
# luck = false  # true: also points with the luck of draws taken off, for slow policies
""",
    ),
    "sweep": _example(
        "sweep",
        "A sweep",
        """\
policies = ["threshold", "gin_only"]  # two or more, which may be the same
# gauntlet = "early"  # this one, number 1, against each of the others

# What is varied: knobs of the rules, and NAME.KNOB of a policy; several make a grid.
vary = ["undercut_bonus=0:50:10", "threshold.knock_at=0,5,10"]
baseline = ["undercut_bonus=20"]  # the cell that others are compared with

pairs = 2000  # mirrored pairs of each meeting in a cell: two hands on the same cards, seats swapped
""",
        _UNIT,
        _SEED,
        """\

# reprice = true  # false: play also the cells that differ only in what hands pay
""",
        _CHUNK,
    ),
    "knock": _example(
        "knock",
        "A study of when to knock",
        """\
policies = ["threshold"]  # those that are studied
# against = "early"  # their opponent, instead of the policy itself
""",
        _COMPARE,
        """\

pairs = 20000  # mirrored pairs for each study; 1,000,000 by default
""",
        _SEED,
        """\

# states = "declining"  # which decisions are printed: "reached" by its own play, "declining", or "both"
""",
        _CHUNK,
    ),
    "discards": _example(
        "discards",
        "A study of discards",
        """\
policies = ["greedy"]  # those whose discards are studied
# against = "early"  # their opponent, instead of the policy itself
""",
        _COMPARE,
        """\

pairs = 2000  # mirrored pairs for each pairing; 60,000 by default
""",
        _SEED,
        """\

# reference = "own"  # what costs are measured against: the policy's own discard, or that of "least" deadwood
# sample = 0  # more: play only so many alternatives to it, drawn at random and weighted
# every = 1  # more: study one decision in so many, for slow policies
""",
        _CHUNK,
    ),
    "tune": _example(
        "tune",
        "A tuning",
        """\
policy = "threshold"  # the one whose knobs are looked for
against = ["greedy", "gin_only"]  # its opponents; by default the stock policies of other names
knobs = ["knock_at=0:10:2"]  # a knob and its values, or KNOB alone for all that it may be; several together

pairs = 500  # mirrored pairs of each meeting in the first round; each after it plays twice as many
rounds = 3  # rounds of the race at most
""",
        _UNIT,
        _SEED,
        """\

# search = 0  # rounds of proposals before the race; 20 by default where there are many combinations
# candidates = 64  # proposals in a round of the search
""",
    ),
}
