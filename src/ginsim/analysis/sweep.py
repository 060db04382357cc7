"""What a sweep found: its cells, the best values of knobs, crossovers, and how well a game is balanced."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from .results import Played

if TYPE_CHECKING:
    import pandas as pd

    from .findings import Finding
    from .sweep_grid import Grid


class SweepResult(Played):
    """A finished sweep. Every table has the varied knobs as columns, by the names they were given by.

    A cell whose hands are those of another's under other prices is `repriced`: told from the counters of the
    cell that was played, equal to playing it to the last unit, errors included.
    """

    TABLES: ClassVar[tuple[str, ...]] = ("cells", "meetings", "best", "crossovers", "balance")
    TOLD: ClassVar[tuple[str, ...]] = TABLES
    ON_REQUEST: ClassVar[tuple[str, ...]] = ("knocks",)

    @cached_property
    def _grid(self) -> Grid:
        from .sweep_grid import Grid

        return Grid(self.experiment, self.tally)

    @cached_property
    def cells(self) -> pd.DataFrame:
        """A row for each cell and policy: policy, spec (with the cell's knobs), its mean over its opponents.

        The columns are those of a tournament's ranking, with errors by block. `change` is its points (of
        games its share) less the same in the baseline cell. All cells play the same deals, so that its error
        joins the two block by block; it is 0 where both are the same hands.
        """
        return self._grid.cells()

    @cached_property
    def meetings(self) -> pd.DataFrame:
        """A row for each cell and meeting: a, b, and the columns of a tournament's pairings.

        `pairing` is the play that it is told from, for `hands` and `replay`. Errors are by mirrored pair, but
        that of `change`, the points less those of the baseline cell on the same deals, which is by block.
        """
        return self._grid.meetings()

    @cached_property
    def best(self) -> pd.DataFrame:
        """The best of each policy's own knobs for every value of what is varied besides.

        `best` is what all blocks choose, `likely` what 95 % of resamples choose. `gain` is what a choice
        gains on `standing`, the knobs of the baseline cell, without the winner's curse: `even_blocks` choose
        and the odd ones measure, and the other way round. `at_an_end` names the knobs whose best lies at an
        end of the range. No rows where no policy's knob is varied.
        """
        from .sweep_answers import best

        return best(self._grid)

    @cached_property
    def crossovers(self) -> pd.DataFrame:
        """Where one of two that meet overtakes the other, `along` a knob of the rules.

        Where no rule is varied, along policies' knobs. From `at` on `overtakes` is ahead; `low` to `high`
        hold 95 % of resamples, infinite where that is open. nan, with `overtakes` empty: it crosses nowhere
        in the range. `shown`: the interval ends within the range. `first` and `last` are a minus b at the
        ends. Between the values of a knob the difference is taken to be linear, as in a bonus it is exactly.
        """
        from .sweep_answers import crossovers

        return crossovers(self._grid)

    @cached_property
    def balance(self) -> pd.DataFrame:
        """A row for each cell, over all its meetings: what a designer of games looks at.

        Shares of hands by how they ended, whoever scored; draws a hand (both players'); for hands the
        non-dealer's edge and `sd`, the spread of a hand's points about 0; for games hands_per_game and the
        spread of a result (a win is 1/2). `skill` is the share of the spread (as variance) that lies between
        the policies, not in the cards: the mean square of their true differences over the mean square of
        results. After `hands_to_half` (or games) as much of it is skill as luck. It is about these policies.
        """
        return self._grid.balance()

    @cached_property
    def knocks(self) -> pd.DataFrame:
        """How knocks came out in each cell, for each policy and opponent: as a tournament's `knocks`."""
        return self._grid.knocks(self.tally)

    @cached_property
    def findings(self) -> list[Finding]:
        """What it says in plain sentences: best values, crossovers, what a rule does, the balance."""
        from .sweep_findings import findings

        return findings(self)
