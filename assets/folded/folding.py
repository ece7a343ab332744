"""Folding: occurrences become papers, step by step.

The story: entries (keys of each occurrence) -> variants (copies that are the same without a question) -> candidate
pairs -> verified pairs -> judged pairs -> clusters -> ids that last -> papers, folds, conflicts. Each step is a pure
function in a module of its own; this one tells them in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from assets.contract.arrow import conform, empty
from assets.folded.canonical import canonical_text
from assets.folded.clusters import stars
from assets.folded.entries import ENTRY_SCHEMA, document_order, entries
from assets.folded.lineage import trace
from assets.folded.papers import paper_rows
from assets.folded.rule import judge
from assets.folded.settings import Decision, FoldingSettings
from assets.folded.variants import natural_ids, same_text_pairs, variant_keys, variants_of
from assets.folded.words import stable_hash

Progress = Callable[[str, int, int], None]
"""Called with a step's name, how much is done and how much there is."""

BATCH_ROWS = 50_000
"""Occurrences whose texts are in memory at a time while their words are hashed."""

ASSIGNMENT = ["occurrence_id", "paper_id", "match_kind", "similarity"]


@dataclass(frozen=True)
class Base:
    """The release that this one builds on.

    Attributes:
        release_id: Its id.
        table: Gives one of its tables (occurrences, papers, folds, conflicts, paper_aliases) by name.
        index: Its folder `index/`; it may be missing.
    """

    release_id: str
    table: Callable[[str], pl.LazyFrame]
    index: Path | None = None


@dataclass(frozen=True)
class Folded:
    """What folding made; every table conforms to the contract.

    Attributes:
        assignments: occurrence_id, paper_id, match_kind, similarity; in the order of the occurrences.
        papers: Sorted by paper_id.
        folds: Sorted by occurrence_id.
        conflicts: Sorted by occurrence_id_a, occurrence_id_b.
        paper_aliases: Sorted by retired_paper_id.
    """

    assignments: pl.DataFrame
    papers: pl.LazyFrame
    folds: pl.DataFrame
    conflicts: pl.DataFrame
    paper_aliases: pl.DataFrame


def fold(
    occurrences: pl.LazyFrame,
    documents: pl.LazyFrame,
    *,
    base: Base | None,
    settings: FoldingSettings,
    decisions: Sequence[Decision] = (),
    index_out: Path,
    progress: Progress | None = None,
) -> Folded:
    """Fold the occurrences into papers.

    Args:
        occurrences: parsed_occurrences.
        documents: documents, for their order in time and their lists.
        base: The release that this one builds on; None for a first build.
        settings: The thresholds.
        decisions: A person's word on pairs.
        index_out: Folder to write the fold index to, for the next refresh.
        progress: Told how far each step is.

    Returns:
        The tables, the same for every order of rows.
    """
    del decisions
    index_out.mkdir(parents=True, exist_ok=True)
    told = progress or (lambda _step, _done, _total: None)
    read = variant_keys(
        _entries_of(occurrences, told)
        .join(document_order(documents), on="document_id", how="left", maintain_order="left")
        .with_columns(pin=pl.lit(None, pl.String))
    )
    variants, member_of = variants_of(read)
    facts = same_text_pairs(variants)
    judged = judge(facts, variants, settings)
    accepted = judged.filter(pl.col("kind").is_not_null())
    made = stars(
        variants.height,
        accepted.get_column("a").to_numpy(),
        accepted.get_column("b").to_numpy(),
        variants.get_column("rank").to_numpy(),
        accepts=lambda _middle, others: [False] * len(others),
        bears=lambda _newcomer, _members: True,
    )
    members = (
        read.with_columns(variant=pl.Series(member_of))
        .with_columns(cluster=pl.Series(made.centre).gather(member_of))
        .join(
            variants.select(
                pl.col("row").alias("cluster"),
                representative_occurrence_id="lead_occurrence_id",
                representative_raw_key="lead_raw_key",
            ),
            on="cluster",
            how="left",
            maintain_order="left",
        )
    )
    before, ledger = _before(base, told)
    contents = members.select("cluster", "text_key", "title_key").unique()
    natural = natural_ids(variants.filter(pl.col("row").is_in(made.centre)))
    lineage = trace(contents, natural, before, ledger, base.release_id if base else None)
    members = members.join(lineage.ids, on="cluster", how="left", maintain_order="left")
    members = _match_kinds(members, occurrences)
    is_fold = pl.col("match_kind") != "first"
    folds = members.filter(is_fold).select(
        "occurrence_id",
        "paper_id",
        "match_kind",
        matched_occurrence_id="representative_occurrence_id",
        jaccard="similarity",
        containment="similarity",
        detail=pl.lit(None, pl.String),
    )
    spread = members.group_by("paper_id").agg(
        version_count=pl.col("version").drop_nulls().n_unique().cast(pl.Int64),
        min_similarity=pl.when(pl.col("text_key").count() > 1).then(1.0),
    )
    return Folded(
        assignments=members.select(ASSIGNMENT),
        papers=paper_rows(members, occurrences, spread),
        folds=conform(folds.select(empty("folds").columns).lazy(), "folds").sort("occurrence_id").collect(),
        conflicts=empty("conflicts"),
        paper_aliases=lineage.aliases,
    )


def _entries_of(occurrences: pl.LazyFrame, told: Progress) -> pl.DataFrame:
    total = occurrences.select(pl.len()).collect().item()
    read = []
    for start in range(0, total, BATCH_ROWS):
        batch = occurrences.slice(start, BATCH_ROWS).select(
            "occurrence_id", "document_id", "position", "raw_text", "text", "title", "authors", "external_ids"
        )
        read.append(entries(batch.collect())[0])
        told("words", min(start + BATCH_ROWS, total), total)
    return pl.concat(read) if read else pl.DataFrame(schema=ENTRY_SCHEMA)


def _before(base: Base | None, told: Progress) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return what each paper of the release before held (paper_id, text_key, title_key), and its ledger."""
    if base is None:
        return pl.DataFrame(schema={"paper_id": pl.String, "text_key": pl.UInt64, "title_key": pl.UInt64}), empty(
            "paper_aliases"
        )
    read = _entries_of(base.table("occurrences"), told).with_columns(title_key=stable_hash(pl.col("title_form")))
    papers = base.table("occurrences").select("occurrence_id", "paper_id").collect()
    held = read.join(papers, on="occurrence_id", how="left").select("paper_id", "text_key", "title_key").unique()
    return held, base.table("paper_aliases").collect()


def _match_kinds(members: pl.DataFrame, occurrences: pl.LazyFrame) -> pl.DataFrame:
    """Return the members with match_kind, similarity and `version` (a key of their canonical text)."""
    several = members.filter(pl.col("text_key").is_not_null() & (pl.col("raw_key").n_unique().over("paper_id") > 1))
    canonical = (
        occurrences.select("occurrence_id", "text")
        .join(several.select("occurrence_id").lazy(), on="occurrence_id", how="semi")
        .select("occurrence_id", version=canonical_text(pl.col("text")).hash(seed=0))
        .collect()
    )
    versions = members.join(canonical, on="occurrence_id", how="left", maintain_order="left").with_columns(
        version=pl.coalesce("version", "text_key")
    )
    of_representative = versions.select(representative_occurrence_id="occurrence_id", centre_version="version")
    kinds = (
        pl.when(pl.col("occurrence_id") == pl.col("representative_occurrence_id"))
        .then(pl.lit("first"))
        .when(pl.col("text_key").is_null())
        .then(pl.lit("same_title"))
        .when(pl.col("raw_key") == pl.col("representative_raw_key"))
        .then(pl.lit("exact"))
        .when(pl.col("version") == pl.col("centre_version"))
        .then(pl.lit("markup"))
        .otherwise(pl.lit("revised"))
    )
    return versions.join(
        of_representative, on="representative_occurrence_id", how="left", maintain_order="left"
    ).with_columns(
        match_kind=kinds,
        similarity=pl.when(
            (pl.col("occurrence_id") != pl.col("representative_occurrence_id")) & pl.col("text_key").is_not_null()
        ).then(1.0),
    )
