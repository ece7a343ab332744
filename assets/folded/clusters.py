"""Clusters: which variants make one paper, so that every member is joined to the representative itself.

Connected components would fold a chain A~B~C whose ends share nothing. Here a paper is a star: the best copy that is
still free stands in the middle, and a copy joins when the rule accepts it with that very copy and no member speaks
against it. The result depends on the set of variants and pairs alone, never on their order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components


@dataclass
class Stars:
    """The clusters: for each variant the row of the variant in the middle of its star."""

    centre: np.ndarray
    left_apart: list[tuple[int, int]] = field(default_factory=list)


def components(size: int, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a label per node; nodes that a path of pairs joins share one."""
    links = coo_array((np.ones(len(a), dtype=np.int8), (a, b)), shape=(size, size))
    return connected_components(links, directed=False)[1]


def stars(
    size: int,
    a: np.ndarray,
    b: np.ndarray,
    rank: np.ndarray,
    *,
    accepts: Callable[[int, Sequence[int]], Iterable[bool]],
    bears: Callable[[int, Sequence[int]], bool],
) -> Stars:
    """Return the stars that the accepted pairs make.

    Args:
        size: Number of variants.
        a: One variant of each accepted pair.
        b: The other.
        rank: Place of each variant from best (0) to worst; all different.
        accepts: Asked with a centre and others that no pair joins to it: whether the rule accepts each with the centre.
        bears: Asked with a newcomer and the members so far: whether it may stand beside all of them.
    """
    centre = np.arange(size)
    if not len(a):
        return Stars(centre)
    neighbours: dict[int, set[int]] = defaultdict(set)
    for one, other in zip(a.tolist(), b.tolist(), strict=True):
        neighbours[one].add(other)
        neighbours[other].add(one)
    free = set(neighbours)
    left_apart: list[tuple[int, int]] = []
    for middle in sorted(neighbours, key=rank.__getitem__):
        if middle not in free:
            continue
        free.discard(middle)
        members = [middle]
        asked = {middle}
        wave = [n for n in neighbours[middle] if n in free]
        while wave:
            wave = sorted((n for n in set(wave) if n in free and n not in asked), key=rank.__getitem__)
            asked.update(wave)
            strangers = [n for n in wave if n not in neighbours[middle]]
            verdicts = dict(zip(strangers, accepts(middle, strangers), strict=True)) if strangers else {}
            joined = []
            for newcomer in wave:
                if verdicts.get(newcomer, True) and (len(members) == 1 or bears(newcomer, members)):
                    members.append(newcomer)
                    joined.append(newcomer)
            free.difference_update(joined)
            centre[joined] = middle
            wave = [n for newcomer in joined for n in neighbours[newcomer] if n in free]
    for one, other in zip(a.tolist(), b.tolist(), strict=True):
        if centre[one] != centre[other]:
            left_apart.append((one, other))
    return Stars(centre, left_apart)
