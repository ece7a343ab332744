"""Decisions: a person's word on a pair, brought to the variants that it speaks of.

An occurrence or paper id names content; the content is looked for among the variants of this build, so a decision
holds when the occurrence moved, the paper was merged, or its file changed around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from assets.folded.lineage import CONTENT, ledger_contents
from assets.folded.settings import Decision


@dataclass(frozen=True)
class Decided:
    """Decisions as rows of variants.

    Attributes:
        same: Pairs of rows that a person joins.
        different: Pairs of rows that a person keeps apart, the smaller first.
        unresolved: Decisions that name an id which nothing of this build answers to.
    """

    same: list[tuple[int, int]]
    different: set[tuple[int, int]]
    unresolved: list[Decision]


def pinned_occurrences(decisions: Sequence[Decision]) -> list[str]:
    """Return the occurrences that a person sets apart; each is a variant of its own, whatever its text equals."""
    return sorted(
        {i for d in decisions if d.verdict == "different" for i in (d.first, d.second) if i.startswith("occ_")}
    )


def resolve(
    decisions: Sequence[Decision],
    variants: pl.DataFrame,
    variant_of: dict[str, int],
    before: pl.DataFrame,
    ledger: pl.DataFrame,
    occurrences_before: pl.DataFrame,
) -> Decided:
    """Return the decisions as rows of variants.

    Args:
        decisions: What a person decided.
        variants: The variants, with natural_id.
        variant_of: occurrence_id -> row of its variant, at least of the occurrences that decisions name.
        before: paper_id, text_key, title_key: what each paper of the release before held.
        ledger: paper_aliases of the release before.
        occurrences_before: occurrence_id, text_key, title_key of the release before, at least of those named.
    """
    if not decisions:
        return Decided([], set(), [])
    by_content: dict[tuple[int | None, int | None], list[int]] = {}
    for row, text, title in variants.select("row", "text_key", "title_key").iter_rows():
        by_content.setdefault((text, title), []).append(row)
    held: dict[str, list[tuple[int | None, int | None]]] = {}
    named = [i for d in decisions for i in (d.first, d.second)]
    for frame in (ledger_contents(ledger), before):
        for paper, text, title in (
            frame.filter(pl.col("paper_id").is_in(named)).select("paper_id", *CONTENT).iter_rows()
        ):
            held.setdefault(paper, []).append((text, title))
    for occurrence, text, title in occurrences_before.select("occurrence_id", *CONTENT).iter_rows():
        held.setdefault(occurrence, []).append((text, title))
    natural = dict(variants.filter(pl.col("natural_id").is_in(named)).select("natural_id", "row").iter_rows())

    def rows(name: str) -> list[int]:
        if name in variant_of:
            return [variant_of[name]]
        found = sorted({row for content in held.get(name, []) for row in by_content.get(content, [])})
        return found or ([natural[name]] if name in natural else [])

    same: list[tuple[int, int]] = []
    different: set[tuple[int, int]] = set()
    unresolved: list[Decision] = []
    for decision in sorted(decisions):
        first, second = rows(decision.first), rows(decision.second)
        if not first or not second:
            unresolved.append(decision)
        elif decision.verdict == "same":
            same.extend(_chain([*first, *second]))
        else:
            different.update((min(a, b), max(a, b)) for a in first for b in second if a != b)
    return Decided(same, different, unresolved)


def _chain(rows: list[int]) -> list[tuple[int, int]]:
    return [(rows[0], other) for other in rows[1:] if other != rows[0]]
