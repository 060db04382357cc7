"""What a study found, in plain sentences: each with whose view it takes, its unit, its error and its number.

The sentences of a study are made in a module of their own beside this one; here is what they share.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..stats.means import Estimate

SHOWN = 8  # things in a list
NORMAL = 1.959963984540054  # half of a 95 % interval in standard errors
TINY = 1e-9  # of a share: what rounding makes
MOST_PAIRS = 10**9  # more are no advice


@dataclass(frozen=True, slots=True)
class Finding:
    """One complete sentence, or a few that belong together; the first of a study answers its question.

    `caution`: it says what to mind before the others are believed.
    """

    text: str
    caution: bool = False


def half_of(estimate: Estimate) -> float:
    """Half of the 95 % interval, the longer half where it is cut off at an end; nan where untold."""
    return max(estimate.high - estimate.value, estimate.value - estimate.low)


def with_error(value: float, half: float, sign: bool = False, digits: int = 2) -> str:
    """A value with half of its 95 % interval, to two decimals, or as many as the error needs.

    >>> with_error(1.7834, 0.16), with_error(-0.123456, 0.00321, sign=True)
    ('1.78 ± 0.16', '-0.123 ± 0.003')
    """
    if 0 < half < 10**-digits:
        digits = min(-math.floor(math.log10(half)), 6)
    number = f"{value:+z.{digits}f}" if sign else f"{value:z.{digits}f}"
    return f"{number} ± {half:.{digits}f}" if half == half else f"{number} (error not known)"


def percent(share: float, half: float) -> str:
    """A share in per cent with half of its 95 % interval, or the one bound where that would pass 0 or 100 %.

    >>> percent(0.4441, 0.0012), percent(1, 0.095), percent(0, 0)
    ('44.4 ± 0.1 %', '100 % (at least 90.5 %)', '0 %')
    >>> percent(0.03, 0.05), percent(0.5, 0.7)
    ('3.0 % (at most 8.0 %)', '50.0 % (error not known)')
    """
    if half != half:
        return f"{100 * share:z.1f} % (error not known)"
    if not half:
        return f"{100 * share:g} %"
    sides = beyond(share, half)
    if sides is None:
        return f"{with_error(100 * share, 100 * half, digits=1)} %"
    told = f"{100 * share:.0f} %" if share in (0, 1) else f"{100 * share:z.1f} %"
    bounds = {"<": f"at most {100 * (share + half):.1f} %", ">": f"at least {100 * (share - half):.1f} %"}
    return f"{told} ({bounds.get(sides, 'error not known')})"


def share_cell(
    share: float, low: float, high: float, shown: str = "", digits: int = 1, least: float = 0
) -> str:
    """The same in a table, in per cent without the sign; `shown` is the share's own text, where it has one.

    A difference of shares may be as low as `least`, -1.

    >>> share_cell(0.5, 0.4, 0.6), share_cell(0.03, 0, 0.08), share_cell(1, 0.9, 1)
    ('50.0 ±10.0', '3.0 ≤8.0', '100.0 ≥90.0')
    """
    form = f"{'+' * (least < 0)}z.{digits}f"
    told, half = shown or f"{100 * share:{form}}", max(share - low, high - share)
    if half != half:  # a share of all or nothing, seen too seldom to say more, stands by itself
        return told if share in (least, 1) else f"{told} ±n/a"
    if not half:
        return told
    bounds = {"<": f"≤{100 * (share + half):{form}}", ">": f"≥{100 * (share - half):{form}}"}
    sides = beyond(share, half, least, 10**-digits / 200)  # what is not seen at so many digits
    return f"{told} {bounds.get(sides, '±n/a') if sides else f'±{100 * half:.{digits}f}'}"


def beyond(share: float, half: float, least: float = 0, room: float = TINY) -> str | None:
    """The end of an interval that alone says something, "<" or ">", where it passes `least` or 1 by `room`.

    None where neither does, "" where both do.

    >>> beyond(0.5, 0.1), beyond(0.1, 0.2), beyond(0.9, 0.2), beyond(0.5, 0.7)
    (None, '<', '>', '')
    """
    under = share - half < least - room or share == least
    over = share + half > 1 + room or share == 1
    return ("" if over else "<") if under else (">" if over else None)


def mirrored_pairs(pairs: int) -> str:
    """A number of pairs in words."""
    return f"{pairs:,} mirrored pair{'' if pairs == 1 else 's'}"


def as_advice(told: str) -> str:
    """A sentence of its own after another.

    >>> as_advice("about 200 pairs would do"), as_advice("")
    (' About 200 pairs would do.', '')
    """
    return f" {told[0].upper()}{told[1:]}." if told else ""


def more_pairs(half: float, pairs: int, wanted: float, unit: str, of: str = "") -> str:
    """About how many pairs would make an error as small as is wanted; nothing where that cannot be told.

    >>> more_pairs(2.0, 200, 0.5, "points"), more_pairs(0.3, 200, 0.5, "points")
    ('about 3,300 pairs would bring the errors to ± 0.5 points or less', '')
    """
    from ..stats.power import pairs_for_precision

    if not wanted < half < math.inf:  # nan: the error is not known
        return ""
    needed = pairs_for_precision(wanted, half * math.sqrt(pairs) / NORMAL)
    return f"about {rounded(needed)} pairs would bring the errors{of} to ± {wanted:g} {unit} or less"


def pairs_to_tell(difference: float, half: float, pairs: int, unit: str) -> str:
    """About how many pairs would show a difference as large as the one seen; nothing where that is nothing.

    >>> pairs_to_tell(0.5, 1.0, 200, "points per hand")
    'about 2,800 pairs would show a true difference of 0.50 points per hand, as large as that seen'
    """
    from ..stats.power import pairs_needed

    if not (difference and math.isfinite(half)):
        return ""
    needed = pairs_needed(abs(difference), half * math.sqrt(pairs) / NORMAL)
    if needed > MOST_PAIRS:
        return ""
    size = with_digits(abs(difference))
    return (
        f"about {rounded(needed)} pairs would show a true difference of {size} {unit}, as large as that seen"
    )


def rounded(number: int) -> str:
    """A number to two digits, upwards.

    >>> rounded(123_456), rounded(87)
    ('130,000', '87')
    """
    unit = 10 ** max(len(str(number)) - 2, 0)
    return f"{-(-number // unit) * unit:,}"


def with_digits(value: float) -> str:
    """Two decimals, or one digit that is not 0."""
    return f"{value:.2f}" if value >= 0.01 else f"{value:.1g}"


def listed(things: Iterable[str], shown: int = SHOWN) -> str:
    """Things in a sentence, the first few of many.

    >>> listed(["a", "b", "c"]), listed("abcd", 2)
    ('a, b and c', 'a, b and 2 more')
    """
    things = list(things)
    if len(things) > shown:
        return f"{', '.join(things[:shown])} and {len(things) - shown} more"
    return " and ".join(filter(None, [", ".join(things[:-1]), *things[-1:]]))


def as_dicts(findings: Sequence[Finding]) -> list[dict[str, str | bool]]:
    """Plain JSON values."""
    return [{"text": finding.text, "caution": finding.caution} for finding in findings]
