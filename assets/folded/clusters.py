"""Clusters: which variants make one paper, so that every member is joined to the one in the middle itself.

Connected components would fold a chain A~B~C whose ends share nothing. Here a paper is a star: a good copy that is
still free stands in the middle, and a copy joins when the rule accepts it with that very copy and no member speaks
against it. The result depends on the set of variants and pairs alone, never on their order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from assets.folded.words import Keys, Rows, mix

SMALL = 32
"""Up to so many nodes every pair of a component is measured. Beyond it a centre asks its neighbours, and theirs."""


@dataclass(frozen=True)
class Word:
    """What is known of a pair.

    Attributes:
        accepted: Whether the rule accepts it.
        similarity: How similar the texts are.
        opposed: Whether titles, ids or subjects say that it is two papers.
        containment: How much of the shorter text the longer contains.
        cut: Whether one is a cut copy of the other.
    """

    accepted: bool
    similarity: float | None
    opposed: bool
    containment: float | None = None
    cut: bool = False


WORD = ("accepted", "similarity", "opposed", "containment", "cut")
"""Columns of what is known of pairs, in the order of `Word`."""

Ask = Callable[[Sequence[tuple[int, int]]], Sequence[Word]]
"""Measures and judges pairs (smaller row first) that are not in the table yet."""


def components(size: int, a: Rows, b: Rows) -> Rows:
    """Return a label per node; nodes that a path of pairs joins share one."""
    links = coo_array((np.ones(len(a), dtype=np.int8), (a, b)), shape=(size, size))
    return connected_components(links, directed=False)[1].astype(np.int64)


def component_prints(pairs: pl.DataFrame, labels: Rows, keys: Keys, flaws: np.ndarray) -> Keys:
    """Return a fingerprint per component: of its variants, how well they are formed, and its accepted pairs."""
    with np.errstate(over="ignore"):
        prints = np.zeros(int(labels.max(initial=-1)) + 1, dtype=np.uint64)
        np.add.at(prints, labels, mix(keys + flaws.astype(np.uint64)))
        accepted = pairs.filter(pl.col("accepted"))
        a, b = accepted.get_column("a").to_numpy(), accepted.get_column("b").to_numpy()
        np.add.at(prints, labels[a], mix(mix(keys[a]) + keys[b]))
        return mix(prints)


def remembered_centres(labels: Rows, prints: Keys, keys: Keys, stars_before: pl.DataFrame | None) -> Rows:
    """Return the row of the middle for variants of components that are as they were, else -1.

    Args:
        labels: Component of each variant.
        prints: Fingerprint of each component.
        keys: Key of each variant, ascending.
        stars_before: variant_key, centre_key, print: the stars of components of more than one variant.
    """
    centre = np.full(len(keys), -1, dtype=np.int64)
    if stars_before is None or stars_before.is_empty() or not len(keys):
        return centre
    variant, middle, print_ = (stars_before.get_column(n).to_numpy() for n in ("variant_key", "centre_key", "print"))
    row = np.minimum(np.searchsorted(keys, variant), len(keys) - 1)
    middle_row = np.minimum(np.searchsorted(keys, middle), len(keys) - 1)
    same = (keys[row] == variant) & (keys[middle_row] == middle) & (prints[labels[row]] == print_)
    centre[row[same]] = middle_row[same]
    return centre


def groups_of(labels: Rows, nodes: Rows) -> list[Rows]:
    """Return the nodes of each label, smallest label first, nodes in ascending order."""
    order = np.lexsort((nodes, labels[nodes]))
    ordered = nodes[order]
    cuts = np.flatnonzero(np.diff(labels[ordered])) + 1
    return np.split(ordered, cuts) if len(ordered) else []


def missing_pairs(size: int, a: Rows, b: Rows, accepted: np.ndarray) -> tuple[Rows, Rows]:
    """Return the pairs within small components of the accepted pairs that are not among the pairs yet."""
    labels = components(size, a[accepted], b[accepted])
    counts = np.bincount(labels, minlength=1)
    nodes = np.flatnonzero((counts[labels] > 2) & (counts[labels] <= SMALL))
    found: list[np.ndarray] = []
    by_size: dict[int, list[Rows]] = defaultdict(list)
    for group in groups_of(labels, nodes):
        by_size[len(group)].append(group)
    for length, groups in by_size.items():
        table = np.stack(groups)
        one, other = np.triu_indices(length, 1)
        found.append(np.stack([table[:, one].ravel(), table[:, other].ravel()]))
    if not found:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    every = np.concatenate(found, axis=1)
    known = np.minimum(a, b) * size + np.maximum(a, b)
    fresh = ~np.isin(every[0] * size + every[1], known)
    return every[0][fresh], every[1][fresh]


def stars(pairs: pl.DataFrame, rank: Rows, lengths: Rows, says: Rows, floor: float, ask: Ask) -> Rows:
    """Return for each variant the row of the variant in the middle of its star (its own where it stands alone).

    Args:
        pairs: a, b (a < b), accepted, similarity, opposed: what is known of pairs of variants.
        rank: Place of each variant from best (0) to worst; all different.
        lengths: Words of each variant's text.
        says: A number per variant for its title and ids; variants of one number never oppose each other by them.
        floor: Lowest similarity of two members.
        ask: Gives the word on pairs that are not among `pairs`.
    """
    size = len(rank)
    centre = np.arange(size)
    accepted = pairs.get_column("accepted").to_numpy()
    a, b = pairs.get_column("a").to_numpy(), pairs.get_column("b").to_numpy()
    labels = components(size, a[accepted], b[accepted])
    counts = np.bincount(labels, minlength=1)

    # Where every pair is accepted, all are one star, and the best of them stands in the middle.
    accepted_in = np.bincount(labels[a[accepted]], minlength=len(counts))
    whole = accepted_in == counts * (counts - 1) // 2
    best = np.full(len(counts), size, dtype=np.int64)
    np.minimum.at(best, labels, rank)
    by_rank = np.empty(size, dtype=np.int64)
    by_rank[rank] = np.arange(size)
    in_whole = np.flatnonzero(whole[labels])
    centre[in_whole] = by_rank[best[labels[in_whole]]]

    nodes = np.flatnonzero(~whole[labels])
    table = _Table(pairs.filter(pl.Series(~whole[labels[a]])), size, ask)
    for group in groups_of(labels, nodes):
        members = group.tolist()
        if len(members) <= SMALL:
            found = _complete_stars(members, table, rank, lengths, floor)
        else:
            found = _growing_stars(members, table, rank, says, floor)
        for middle, joined in found:
            centre[joined] = middle
    return centre


class _Table:
    """The words on pairs that are known, and those that are asked for on the way."""

    def __init__(self, pairs: pl.DataFrame, size: int, ask: Ask) -> None:
        self._size, self._ask = size, ask
        self._known: dict[int, Word] = {}
        self.neighbours: dict[int, list[int]] = defaultdict(list)
        for a, b, accepted, *rest in pairs.select("a", "b", *WORD).iter_rows():
            self._known[a * size + b] = Word(accepted, *rest)
            if accepted:
                self.neighbours[a].append(b)
                self.neighbours[b].append(a)

    def forget(self, one: int, other: int) -> None:
        """Let two variants that the rule accepts be no neighbours."""
        self.neighbours[one].remove(other)
        self.neighbours[other].remove(one)

    def words(self, one: int, others: Sequence[int]) -> list[Word]:
        """Return the words on one variant with others."""
        keys = [min(one, other) * self._size + max(one, other) for other in others]
        unknown = [key for key in keys if key not in self._known]
        if unknown:
            asked = self._ask([divmod(key, self._size) for key in unknown])
            self._known.update(zip(unknown, asked, strict=True))
        return [self._known[key] for key in keys]


CUT_SHARE = 0.7
"""A copy shorter than this share of a whole text may be the beginning of another as well."""

CLEARLY = 0.03
"""How much more of a cut copy its own text must contain than another that it fits."""

Split = Iterable[tuple[int, list[int]]]


def _bears(words: Iterable[Word], floor: float) -> bool:
    return all(not w.opposed and (w.accepted or w.similarity is None or w.similarity >= floor) for w in words)


def _unclear_cuts(nodes: list[int], table: _Table, rank: Rows, lengths: Rows) -> set[int]:
    """Return the cut copies that fit two whole texts as well; where one fits clearly better, forget the other.

    A beginning that two papers share belongs to neither, unless one contains clearly more of it.
    """
    unclear = set()
    for node in nodes:
        longer = [n for n in table.neighbours[node] if lengths[node] < CUT_SHARE * lengths[n]]
        wholes = [(w, n) for w, n in zip(table.words(node, longer), longer, strict=True) if w.cut]
        if len(wholes) < 2:
            continue
        mine, best = min(wholes, key=lambda whole: (-(whole[0].containment or 0), rank[whole[1]]))
        for theirs, other in wholes:
            if other == best or table.words(best, [other])[0].accepted or _bridged(best, other, node, lengths, table):
                continue
            if (mine.containment or 0) < (theirs.containment or 0) + CLEARLY:
                unclear.add(node)
            else:
                table.forget(node, other)
    return unclear


def _bridged(one: int, other: int, cut: int, lengths: Rows, table: _Table) -> bool:
    """Return whether a third text, longer than the cut copy, goes with both: then they are versions of one paper."""
    thirds = [n for n in table.neighbours[cut] if lengths[n] > lengths[cut] and n not in (one, other)]
    return any(all(word.accepted for word in table.words(third, [one, other])) for third in thirds)


def _complete_stars(nodes: list[int], table: _Table, rank: Rows, lengths: Rows, floor: float) -> Split:
    """Yield stars of a small component: in the middle is the copy that most others go with, then the best."""
    unclear = _unclear_cuts(nodes, table, rank, lengths)
    free = set(nodes) - unclear
    while free:
        degree = {node: sum(other in free for other in table.neighbours[node]) for node in free}
        middle = min(free, key=lambda node: (-degree[node], rank[node]))
        free.discard(middle)
        joined: list[int] = []
        for newcomer in sorted((n for n in table.neighbours[middle] if n in free), key=rank.__getitem__):
            if _bears(table.words(newcomer, joined), floor):
                joined.append(newcomer)
        free.difference_update(joined)
        yield middle, joined


def _growing_stars(nodes: list[int], table: _Table, rank: Rows, says: Rows, floor: float) -> Split:
    """Yield stars of a large component: the best free copy asks its neighbours, then the neighbours of who joined."""
    # Jaccard distance is a metric: two members this similar to the centre keep the floor without being measured.
    sure_similarity = (1 + floor) / 2
    free = set(nodes)
    for middle in sorted(nodes, key=rank.__getitem__):
        if middle not in free:
            continue
        free.discard(middle)
        joined: list[int] = []
        voices = {int(says[middle]): middle}
        unsure: list[int] = []
        asked: set[int] = set()
        wave = {n for n in table.neighbours[middle] if n in free}
        while wave:
            asked |= wave
            newcomers = sorted(wave, key=rank.__getitem__)
            came = []
            for newcomer, word in zip(newcomers, table.words(middle, newcomers), strict=True):
                if not word.accepted:
                    continue
                sure = word.similarity is not None and word.similarity >= sure_similarity
                beside = [v for s, v in voices.items() if s != says[newcomer]] + unsure if sure else joined
                if not _bears(table.words(newcomer, beside), floor):
                    continue
                joined.append(newcomer)
                came.append(newcomer)
                voices.setdefault(int(says[newcomer]), newcomer)
                if not sure:
                    unsure.append(newcomer)
            free.difference_update(came)
            wave = {n for newcomer in came for n in table.neighbours[newcomer] if n in free and n not in asked}
        yield middle, joined
