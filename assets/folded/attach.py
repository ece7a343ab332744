"""Attaching: records without a text find their paper, and a person's decisions join papers.

Both work on whole clusters after the texts have spoken: a title in a list of titles joins the one paper that it fits,
and stays alone when it fits two.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from assets.folded.words import Rows


@dataclass
class Attached:
    """Clusters after attaching.

    Attributes:
        centre: For each variant the row in the middle of its cluster.
        through: Variant -> the member of its cluster that it was matched with, where that is not the centre.
        decided: Variants that a person's decision brought to their cluster.
        ambiguous: Pairs that the rule accepts and that were left apart because the record fits two papers.
    """

    centre: Rows
    through: dict[int, int] = field(default_factory=dict)
    decided: set[int] = field(default_factory=set)
    ambiguous: list[tuple[int, int]] = field(default_factory=list)


def attach_textless(
    centre: Rows, has_text: np.ndarray, rank: Rows, accepted: pl.DataFrame, different: set[tuple[int, int]]
) -> Attached:
    """Return the clusters with every cluster of textless variants moved to the one paper that it fits.

    Args:
        centre: The stars, in which texts and textless variants are not mixed.
        has_text: Per variant.
        rank: Per variant, 0 is best.
        accepted: a, b, kind of pairs that the rule accepts and of which exactly one side has a text.
        different: Pairs that a person keeps apart.
    """
    made = Attached(centre.copy())
    if accepted.is_empty():
        return made
    fits: dict[int, dict[int, list[tuple[int, int, int, int]]]] = defaultdict(lambda: defaultdict(list))
    for a, b, kind, same_list in accepted.select("a", "b", "kind", "same_list").iter_rows():
        textless, other = (b, a) if has_text[a] else (a, b)
        strength = 0 if kind == "same_id" else 1 if same_list else 2
        fits[int(centre[textless])][int(centre[other])].append((strength, int(rank[other]), textless, other))
    members: dict[int, list[int]] = defaultdict(list)
    for row in np.flatnonzero(np.isin(centre, list(fits))):
        members[int(centre[row])].append(int(row))
    for group in sorted(fits, key=rank.__getitem__):
        papers = fits[group]
        best = min(min(found)[0] for found in papers.values())
        fitting = [paper for paper, found in papers.items() if min(found)[0] == best]
        apart = any(
            (min(row, other), max(row, other)) in different for found in papers.values() for _, _, row, other in found
        )
        if len(fitting) > 1 or apart:
            made.ambiguous.extend(
                (min(row, other), max(row, other)) for found in papers.values() for _, _, row, other in found
            )
            continue
        partners = {row: other for _, _, row, other in sorted(papers[fitting[0]], reverse=True)}
        nearest = min(papers[fitting[0]])[3]
        for variant in members[group]:
            made.centre[variant] = fitting[0]
            made.through[variant] = partners.get(variant, nearest)
    return made


def join_decided(
    made: Attached, rank: Rows, same: Iterable[tuple[int, int]], different: set[tuple[int, int]]
) -> Attached:
    """Return the clusters with those joined that a person calls the same, unless a person keeps members apart."""
    for one, other in same:
        first, second = int(made.centre[one]), int(made.centre[other])
        if first == second:
            continue
        middle, leaving = (first, second) if rank[first] < rank[second] else (second, first)
        moved = np.flatnonzero(made.centre == leaving)
        staying = np.flatnonzero(made.centre == middle)
        if any((min(a, b), max(a, b)) in different for a in moved.tolist() for b in staying.tolist()):
            continue
        made.centre[moved] = middle
        for row in moved.tolist():
            made.decided.add(row)
            made.through.pop(row, None)
    return made
