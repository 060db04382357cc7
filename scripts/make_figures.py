"""The README's picture: the cross-table of a tournament of the default field.

python scripts/make_figures.py [--pairs N] [--seed N]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import ginsim
from ginsim.report.plots.tournament import cross_table
from ginsim.stats.means import half_width

IMAGES = Path(__file__).parents[1] / "docs" / "images"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    result = ginsim.tournament(pairs=options.pairs, seed=options.seed)
    experiment = result.experiment
    half = result.cross_table_se.map(lambda se: half_width(se, experiment.pairs))
    rules = experiment.rules.describe()
    note = f"{experiment.pairs:,} mirrored pairs a pairing, rules: {rules}, seed {experiment.seed}."
    IMAGES.mkdir(parents=True, exist_ok=True)
    cross_table(result.cross_table, half, note).savefig(IMAGES / "cross_table.png", dpi=130)


if __name__ == "__main__":
    main()
