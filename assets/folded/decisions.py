"""Decisions: a person's word on a pair, brought to the variants that it speaks of, and what it came to.

An occurrence or paper id names content; the content is looked for among the variants of this build, so a decision
holds when the occurrence moved, the paper was merged, or its file changed around it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from assets.contract.arrow import conform, empty
from assets.folded.lineage import CONTENT, ledger_contents
from assets.folded.named import as_remembered
from assets.folded.settings import Decision
from assets.folded.words import Rows


@dataclass(frozen=True)
class Decided:
    """Decisions as rows of variants.

    Attributes:
        same: Pairs of rows that a person joins.
        different: Pairs of rows that a person keeps apart, the smaller first.
        unresolved: Decisions that name an id which nothing of this build answers to.
        rows: For each decision, in the order given, the rows that its two ids speak of.
    """

    same: list[tuple[int, int]] = field(default_factory=list)
    different: set[tuple[int, int]] = field(default_factory=set)
    unresolved: list[Decision] = field(default_factory=list)
    rows: list[tuple[Decision, list[int], list[int]]] = field(default_factory=list)


def resolve(
    decisions: Sequence[Decision],
    variants: pl.DataFrame,
    pinned: Mapping[str, list[int]],
    named: pl.DataFrame,
    before: pl.DataFrame,
    ledger: pl.DataFrame,
) -> Decided:
    """Return the decisions as rows of variants.

    Args:
        decisions: What a person decided.
        variants: The variants, with natural_id.
        pinned: Named occurrence -> rows of the variants that are set apart for it.
        named: What the named occurrences stand or stood for (columns named.NAMED).
        before: paper_id, text_key, title_key: what each paper of the release before held.
        ledger: paper_aliases of the release before.
    """
    if not decisions:
        return Decided()
    find = _Finder(decisions, variants, pinned, named, before, ledger)
    decided = Decided()
    for decision in decisions:
        first, second = find.pair(decision)
        decided.rows.append((decision, first, second))
        if not first or not second:
            decided.unresolved.append(decision)
        elif decision.verdict == "same":
            decided.same.extend(_chain([*first, *second]))
        else:
            decided.different.update((min(a, b), max(a, b)) for a in first for b in second)
    decided.same.sort()
    return decided


class _Finder:
    """Finds the rows of variants that ids speak of."""

    def __init__(
        self,
        decisions: Sequence[Decision],
        variants: pl.DataFrame,
        pinned: Mapping[str, list[int]],
        named: pl.DataFrame,
        before: pl.DataFrame,
        ledger: pl.DataFrame,
    ) -> None:
        self._pinned = pinned
        self._of_variant = dict(variants.select("variant_key", "row").iter_rows())
        self._of_content: dict[tuple[int | None, int | None], list[int]] = {}
        for row, *content in variants.select("row", *CONTENT).iter_rows():
            self._of_content.setdefault(tuple(content), []).append(row)
        self._named = {row["id"]: row for row in named.iter_rows(named=True)}
        asked = {i for d in decisions for i in (d.first, d.second)}
        papers = [*asked, *(row["paper_id"] for row in self._named.values() if row["paper_id"])]
        self._held: dict[str, list[tuple[int | None, int | None]]] = {}
        for frame in (ledger_contents(ledger), before):
            here = frame.filter(pl.col("paper_id").is_in(papers)).select("paper_id", *CONTENT).unique()
            for paper, *content in here.iter_rows():
                self._held.setdefault(paper, []).append(tuple(content))
        self._natural = dict(
            variants.filter(pl.col("natural_id").is_in(list(asked))).select("natural_id", "row").iter_rows()
        )

    def pair(self, decision: Decision) -> tuple[list[int], list[int]]:
        """Return the rows of both ids; none in common where a person calls them different."""
        for exact in (False, True) if decision.verdict == "different" else (True,):
            first, second = self._rows(decision.first, exact), self._rows(decision.second, exact)
            if not set(first) & set(second):
                break
        if decision.verdict == "different" and set(first) & set(second):
            return [], []
        return (
            first or self._last_paper(decision.first, without=second),
            second or self._last_paper(decision.second, without=first),
        )

    def _rows(self, name: str, exact: bool) -> list[int]:
        """Return the rows that hold the content that an id names, or, exactly, the record that it names."""
        if name not in self._named:
            found = sorted({row for content in self._held.get(name, ()) for row in self._of_content.get(content, ())})
            return found or ([self._natural[name]] if name in self._natural else [])
        if exact and (found := self._pinned.get(name, [])):
            return found
        stood = self._named[name]
        if exact and (row := self._of_variant.get(stood["variant_key"])) is not None:
            return [row]
        return self._of_content.get((stood["text_key"], stood["title_key"]), [])

    def _last_paper(self, name: str, without: list[int]) -> list[int]:
        """Return the rows of the paper that an occurrence was in last, when its own text is gone."""
        paper = self._named.get(name, {}).get("paper_id")
        found = {row for content in self._held.get(paper or "", ()) for row in self._of_content.get(content, ())}
        return sorted(found - set(without))


def decisions_table(decided: Decided, centre: Rows, ids: pl.DataFrame, named: pl.DataFrame) -> pl.DataFrame:
    """Return the table `decisions`, in the order of the settings.

    Args:
        decided: The decisions as rows of variants.
        centre: For each variant the row in the middle of its cluster.
        ids: cluster, paper_id.
        named: What the named occurrences stand or stood for.
    """
    stood = as_remembered(named)
    papers = dict(ids.select("cluster", "paper_id").iter_rows()) if decided.rows else {}
    rows = []
    for place, (decision, first, second) in enumerate(decided.rows, 1):
        sides = [sorted({papers[int(centre[row])] for row in side}) for side in (first, second)]
        if not first or not second:
            outcome = "unresolved"
        elif decision.verdict == "same":
            outcome = "holds" if sides[0] == sides[1] and len(sides[0]) == 1 else "overruled"
        else:
            outcome = "overruled" if set(sides[0]) & set(sides[1]) else "holds"
        rows.append(
            {
                "setting": f"decision.{place}.{decision.verdict}",
                "verdict": decision.verdict,
                "outcome": outcome,
                "id_a": decision.first,
                "id_b": decision.second,
                "paper_id_a": next(iter(sides[0]), None),
                "paper_id_b": next(iter(sides[1]), None),
                "stood_for_a": stood.get(decision.first),
                "stood_for_b": stood.get(decision.second),
            }
        )
    return conform(pl.DataFrame(rows, schema=empty("decisions").schema).lazy(), "decisions").collect()


def _chain(rows: list[int]) -> list[tuple[int, int]]:
    return [(rows[0], other) for other in rows[1:] if other != rows[0]]
