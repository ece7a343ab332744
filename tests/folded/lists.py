"""Small invented lists for the tests of folding: records in, the tables that folding reads out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from assets.contract import ids
from assets.contract.arrow import conform, polars_schema
from assets.folded.folding import Base, Folded, fold
from assets.folded.settings import Decision, FoldingSettings


@dataclass(frozen=True)
class Record:
    """One record of a list as the reader would give it."""

    text: str | None = None
    title: str | None = None
    authors: tuple[str, ...] | None = None
    external_ids: tuple[tuple[str, str], ...] = ()
    raw_text: str | None = None
    url: str | None = None


Lists = dict[str, Sequence[Record | str]]
"""File name -> its records."""


def tables(lists: Lists, *, snapshots: dict[str, str] | None = None) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """Return parsed_occurrences and documents of the lists; every file is a list of its own."""
    occurrences, documents = [], []
    for name, records in lists.items():
        content = ids.make_id("c", *(repr(r) for r in records))
        document = ids.document_id("lists", name, content)
        listed = name.split("@")[0]
        documents.append(
            {
                "document_id": document, "source": "lists", "file_name": name, "content_sha256": "0" * 64,
                "list_key": listed,
                "venue": "DemoConf", "year": 2026, "bytes": 1, "chars_nonblank": 1, "occurrences": len(records),
                "rejects": 0, "read_key": "1",
                "snapshot_at": datetime.fromisoformat(snapshots[name]).replace(tzinfo=UTC) if snapshots else None,
            }
        )  # fmt: skip
        start = 0
        for position, given in enumerate(records, 1):
            record = Record(given) if isinstance(given, str) else given
            raw = record.raw_text or "\n".join(
                filter(None, (record.title, ", ".join(record.authors or ()), record.text))
            )
            occurrences.append(
                {
                    "occurrence_id": ids.occurrence_id(document, position), "document_id": document,
                    "position": position, "char_start": start, "char_end": start + len(raw), "raw_text": raw,
                    "text": record.text, "title": record.title,
                    "authors": list(record.authors) if record.authors else None, "url": record.url,
                    "external_ids": [{"scheme": s, "value": v, "version": None} for s, v in record.external_ids],
                    "words": len((record.text or "").split()),
                }
            )  # fmt: skip
            start += len(raw) + 2
    return (
        conform(_frame(occurrences, "parsed_occurrences").lazy(), "parsed_occurrences"),
        conform(_frame(documents, "documents").lazy(), "documents"),
    )


def _frame(rows: list[dict], table: str) -> pl.DataFrame:
    return (
        pl.DataFrame(rows, schema_overrides=polars_schema(table), infer_schema_length=None).pipe(
            lambda f: f.with_columns(
                pl.lit(None).cast(dtype).alias(name)
                for name, dtype in polars_schema(table).items()
                if name not in f.columns
            )
        )
        if rows
        else pl.DataFrame(schema=polars_schema(table))
    )


@dataclass(frozen=True)
class Built:
    """A folded set of lists, with what the next build needs."""

    occurrences: pl.DataFrame
    documents: pl.DataFrame
    papers: pl.DataFrame
    folds: pl.DataFrame
    conflicts: pl.DataFrame
    paper_aliases: pl.DataFrame
    decisions: pl.DataFrame
    base: Base

    def tables(self) -> dict[str, pl.LazyFrame]:
        return {
            name: getattr(self, name).lazy()
            for name in ("occurrences", "documents", "papers", "folds", "conflicts", "paper_aliases", "decisions")
        }

    def partition(self) -> set[frozenset[str]]:
        """The occurrences by paper."""
        groups = self.occurrences.group_by("paper_id").agg("occurrence_id").get_column("occurrence_id")
        return {frozenset(g) for g in groups.to_list()}

    def paper_of(self, start: str) -> str:
        """The id of the paper that holds the occurrence whose raw text starts so."""
        found = self.occurrences.filter(pl.col("raw_text").str.starts_with(start)).get_column("paper_id").unique()
        assert len(found) == 1, f"{start!r} stands in {len(found)} papers"
        return found.item()


def build(
    lists: Lists,
    tmp_path: Path,
    *,
    base: Built | None = None,
    settings: FoldingSettings | None = None,
    decisions: Iterable[Decision] = (),
    shuffle: int | None = None,
    snapshots: dict[str, str] | None = None,
    with_index: bool = True,
) -> Built:
    """Fold the lists, on a base or afresh."""
    occurrences, documents = tables(lists, snapshots=snapshots)
    if shuffle is not None:
        occurrences = occurrences.collect().sample(fraction=1.0, shuffle=True, seed=shuffle).lazy()
    index = tmp_path / f"index-{len(list(tmp_path.iterdir()))}"
    before = None
    if base:
        before = Base(base.base.release_id, base.base.table, base.base.index if with_index else None)
    made: Folded = fold(
        occurrences,
        documents,
        base=before,
        settings=settings or FoldingSettings(),
        decisions=list(decisions),
        index_out=index,
    )
    whole = conform(
        occurrences.join(made.assignments.lazy(), on="occurrence_id", how="left", maintain_order="left"), "occurrences"
    ).collect()
    papers = made.papers.lazy().collect()
    found = {
        "occurrences": whole, "documents": documents.collect(), "papers": papers, "folds": made.folds,
        "conflicts": made.conflicts, "paper_aliases": made.paper_aliases, "decisions": made.decisions,
    }  # fmt: skip
    release = ids.make_id("rel", *(str(frame.sort(frame.columns[0]).to_dicts()) for frame in found.values()))
    return Built(**found, base=Base(release, lambda name: found[name].lazy(), index))
