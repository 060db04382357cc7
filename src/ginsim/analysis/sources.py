"""Where an entrant's points come from: its own knocks and gins, its undercuts, and those of its opponents."""

from __future__ import annotations

from typing import Any

import pandas as pd

DEFENDED = ("undercut", "tie")
SOURCES = ("knock", "gin", "big gin", "undercut")


def sources(experiment_names: tuple[str, ...], knocks: pd.DataFrame, pairings: pd.DataFrame) -> pd.DataFrame:
    """Points per hand by policy and source, each opponent counting alike: policy, source, won, lost.

    won less lost, over the sources, is the policy's points per hand in the ranking. An undercut (or a tie
    that pays as one) is won by who defends. All are exact sums of counters; for errors see the ranking.
    """
    counted = knocks.assign(
        total=knocks["hands"] * knocks["points"],
        source=knocks["outcome"].replace({"tie": "undercut", "big_gin": "big gin"}),
    )
    sums: dict[Any, float] = counted.groupby(["policy", "opponent", "source"])["total"].sum().to_dict()
    hands: dict[Any, int] = pairings.set_index(["a", "b"])["hands"].to_dict()
    rows = []
    for policy in experiment_names:
        met = [pairing for pairing in hands if policy in pairing]
        for source in SOURCES:
            won = lost = 0.0
            for pairing in met:
                other = pairing[1] if pairing[0] == policy else pairing[0]
                own, others = (
                    sums.get((*order, source), 0.0) / hands[pairing]
                    for order in ((policy, other), (other, policy))
                )
                # A knock that is undercut pays the defender: the knocker's points are negative.
                gained, given = (-others, -own) if source == "undercut" else (own, others)
                won, lost = won + gained / len(met), lost + given / len(met)
            rows.append((policy, source, won, lost))
    return pd.DataFrame(rows, columns=["policy", "source", "won", "lost"])
