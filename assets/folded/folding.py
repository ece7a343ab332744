"""Folding: occurrences become papers, step by step.

The story: entries (keys of each occurrence) -> variants (copies that are the same without a question) -> candidate
pairs -> verified pairs -> judged pairs -> clusters -> ids that last -> papers, folds, conflicts. Each step is a pure
function in a module of its own; this one tells them in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from assets.contract.arrow import empty
from assets.folded.attach import Attached, attach_textless, join_decided
from assets.folded.candidates import candidate_pairs
from assets.folded.clusters import Word, missing_pairs, stars
from assets.folded.decisions import Decided, pinned_occurrences, resolve
from assets.folded.entries import ENTRY_SCHEMA, document_order, entries
from assets.folded.evidence import conflicts_of, folds_of, spread_of, with_kinds, with_matches
from assets.folded.lineage import trace
from assets.folded.links import LINKS, equal_title_links, same_text_links, shared_id_links
from assets.folded.measure import lowest_similarity
from assets.folded.pairs import judged, links_of_texts, with_words, words_on
from assets.folded.papers import paper_rows
from assets.folded.rule import VERDICT
from assets.folded.settings import Decision, FoldingSettings
from assets.folded.texts import Texts, TextsPart, part_of, texts_of
from assets.folded.variants import natural_ids, variant_keys, variants_of
from assets.folded.words import Rows, stable_hash

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
        unresolved: Decisions that name an id which nothing of this build answers to.
    """

    assignments: pl.DataFrame
    papers: pl.LazyFrame
    folds: pl.DataFrame
    conflicts: pl.DataFrame
    paper_aliases: pl.DataFrame
    unresolved: tuple[Decision, ...] = ()


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
    index_out.mkdir(parents=True, exist_ok=True)
    told = progress or (lambda _step, _done, _total: None)
    read, texts = _read(occurrences, documents, decisions, told)
    variants, member_of = _variants(read, texts)
    members = read.with_columns(variant=pl.Series(member_of, dtype=pl.Int64))
    before, ledger, named_before = _before(base, decisions, told)
    decided = _decided(decisions, variants, members, before, ledger, named_before)

    candidates = candidate_pairs(texts, settings)
    told("candidates", len(candidates[0]), len(candidates[0]))
    pairs = _judged_pairs(candidates, variants, members, texts, settings)
    told("pairs", pairs.height, pairs.height)
    made, pairs = _clusters(pairs, variants, texts, settings, decided)
    told("clusters", variants.height, variants.height)

    members = members.with_columns(cluster=pl.Series(made.centre).gather(members.get_column("variant")))
    lineage = trace(
        members.select("cluster", "text_key", "title_key").unique(),
        variants.filter(pl.Series(made.centre == range(variants.height))).select(cluster="row", paper_id="natural_id"),
        before,
        ledger,
        base.release_id if base else None,
    )
    members = members.join(lineage.ids, on="cluster", how="left", maintain_order="left")
    leads = variants.select("row", occurrence_id="lead_occurrence_id")
    members = with_kinds(with_matches(members, made, pairs, leads), occurrences)
    spread = spread_of(
        members.with_columns(text_row=variants.get_column("text_row").gather(members.get_column("variant"))),
        _with_texts(pairs, variants),
        made,
        lambda rows: lowest_similarity(texts, rows),
    )
    return Folded(
        assignments=members.select(ASSIGNMENT),
        papers=paper_rows(members, occurrences, spread),
        folds=folds_of(members),
        conflicts=conflicts_of(pairs, made, leads, decided.different),
        paper_aliases=lineage.aliases,
        unresolved=tuple(decided.unresolved),
    )


def _read(
    occurrences: pl.LazyFrame, documents: pl.LazyFrame, decisions: Sequence[Decision], told: Progress
) -> tuple[pl.DataFrame, Texts]:
    """Return the entries of all occurrences with their variant_key, and the distinct texts."""
    read, parts = _entries_of(occurrences, told)
    pinned = pinned_occurrences(decisions)
    keyed = variant_keys(
        read.join(document_order(documents), on="document_id", how="left", maintain_order="left").with_columns(
            pin=pl.when(pl.col("occurrence_id").is_in(pinned)).then("occurrence_id")
        )
    )
    return keyed, texts_of(parts)


def _entries_of(occurrences: pl.LazyFrame, told: Progress) -> tuple[pl.DataFrame, list[TextsPart]]:
    total = occurrences.select(pl.len()).collect().item()
    read, parts = [], []
    for start in range(0, total, BATCH_ROWS):
        batch = occurrences.slice(start, BATCH_ROWS).select(
            "occurrence_id", "document_id", "position", "raw_text", "text", "title", "authors", "external_ids"
        )
        rows, keys, words = entries(batch.collect())
        read.append(rows)
        parts.append(part_of(keys, words))
        told("words", min(start + BATCH_ROWS, total), total)
    return (pl.concat(read) if read else pl.DataFrame(schema=ENTRY_SCHEMA)), parts


def _variants(read: pl.DataFrame, texts: Texts) -> tuple[pl.DataFrame, Rows]:
    """Return the variants with text_row (-1 without a text) and natural_id, and each entry's row among them."""
    variants, member_of = variants_of(read)
    order = np.argsort(texts.keys)
    keys = variants.get_column("text_key").fill_null(0).to_numpy()
    place = np.minimum(np.searchsorted(texts.keys[order], keys), max(len(texts) - 1, 0))
    row = order[place] if len(texts) else np.zeros(len(keys), dtype=np.int64)
    has_text = variants.get_column("text_key").is_not_null().to_numpy()
    natural = natural_ids(variants).get_column("paper_id")
    return variants.with_columns(text_row=pl.Series(np.where(has_text, row, -1)), natural_id=natural), member_of


def _judged_pairs(
    candidates: tuple[Rows, Rows],
    variants: pl.DataFrame,
    members: pl.DataFrame,
    texts: Texts,
    settings: FoldingSettings,
) -> pl.DataFrame:
    """Return the rule's word on every pair that texts, ids or titles propose, each pair once."""
    lists = members.select(row="variant", list_key="list_key").unique()
    proposed = pl.concat(
        [
            same_text_links(variants),
            shared_id_links(variants),
            equal_title_links(variants, lists),
        ]
    )
    certain = judged(proposed, variants, texts, settings)
    similar = judged(links_of_texts(variants, *candidates), variants, texts, settings, drop_unlike=True)
    return pl.concat([certain, similar.join(certain, on=["a", "b"], how="anti")]).sort("a", "b")


def _clusters(
    pairs: pl.DataFrame, variants: pl.DataFrame, texts: Texts, settings: FoldingSettings, decided: Decided
) -> tuple[Attached, pl.DataFrame]:
    """Return the clusters, and the pairs with those that were judged on the way."""
    has_text = variants.get_column("text_row").to_numpy() >= 0
    rank = variants.get_column("rank").to_numpy()
    asked: list[pl.DataFrame] = []

    def judge_more(a: Rows, b: Rows) -> pl.DataFrame:
        links = pl.DataFrame({"a": a, "b": b, "same_list": False}, schema=LINKS)
        asked.append(_with_decisions(judged(links, variants, texts, settings), decided))
        return asked[-1]

    def ask(wanted: Sequence[tuple[int, int]]) -> Sequence[Word]:
        a, b = np.array(wanted, dtype=np.int64).T
        order = pl.DataFrame({"a": a, "b": b})
        return words_on(order.join(judge_more(a, b), on=["a", "b"], how="left", maintain_order="left"))

    pairs = _with_decisions(pairs, decided)
    of_kind = pl.Series(has_text).gather(pairs.get_column("a")) == pl.Series(has_text).gather(pairs.get_column("b"))
    alike = with_words(pairs.filter(of_kind))
    a, b = alike.get_column("a").to_numpy(), alike.get_column("b").to_numpy()
    more = missing_pairs(variants.height, a, b, alike.get_column("accepted").to_numpy())
    if len(more[0]):
        alike = pl.concat([alike, with_words(judge_more(*more))])
    says = variants.select(
        pl.struct(pl.col("title_form"), pl.col("ids").list.join(" "), pl.col("authors").list.join(";")).rank("dense")
    ).to_series()
    centre = stars(alike, rank, says.to_numpy().astype(np.int64), settings.floor, ask)
    mixed = pairs.filter(~of_kind & pl.col("kind").is_not_null())
    made = attach_textless(centre, has_text, rank, mixed, decided.different)
    made = join_decided(made, rank, decided.same, decided.different)
    return made, pl.concat([pairs, *asked]).unique(["a", "b"], keep="first", maintain_order=True)


def _with_decisions(pairs: pl.DataFrame, decided: Decided) -> pl.DataFrame:
    """Return the pairs with those that a person keeps apart opposed, whatever the rule said."""
    if not decided.different:
        return pairs
    kept_apart = pl.DataFrame(sorted(decided.different), schema={"a": pl.Int64, "b": pl.Int64}, orient="row")
    return (
        pairs.join(kept_apart.with_columns(person=True), on=["a", "b"], how="left", maintain_order="left")
        .with_columns(
            kind=pl.when(pl.col("person").is_null()).then("kind"),
            conflict=pl.when("person")
            .then(
                pl.when(pl.col("text_verdict") == "same")
                .then(pl.lit("same_text_other_title"))
                .otherwise(pl.lit("template"))
            )
            .otherwise("conflict"),
            detail=pl.when("person").then(pl.lit("a person's decision keeps them apart")).otherwise("detail"),
        )
        .select(VERDICT.keys())
    )


def _with_texts(pairs: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    rows = variants.get_column("text_row")
    one, other = rows.gather(pairs.get_column("a")), rows.gather(pairs.get_column("b"))
    return pairs.with_columns(one=one, other=other).with_columns(
        text_a=pl.min_horizontal("one", "other"), text_b=pl.max_horizontal("one", "other")
    )


def _before(
    base: Base | None, decisions: Sequence[Decision], told: Progress
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return what the papers of the release before held, its ledger, and what the occurrences that decisions name held."""
    content = {"text_key": pl.UInt64, "title_key": pl.UInt64}
    if base is None:
        held = pl.DataFrame(schema={"paper_id": pl.String, **content})
        return held, empty("paper_aliases"), pl.DataFrame(schema={"occurrence_id": pl.String, **content})
    read, _ = _entries_of(base.table("occurrences"), told)
    read = read.with_columns(title_key=stable_hash(pl.col("title_form")))
    papers = base.table("occurrences").select("occurrence_id", "paper_id").collect()
    held = read.join(papers, on="occurrence_id", how="left").select("paper_id", *content).unique()
    named = [i for d in decisions for i in (d.first, d.second)]
    return (
        held,
        base.table("paper_aliases").collect(),
        read.filter(pl.col("occurrence_id").is_in(named)).select("occurrence_id", *content),
    )


def _decided(
    decisions: Sequence[Decision],
    variants: pl.DataFrame,
    members: pl.DataFrame,
    before: pl.DataFrame,
    ledger: pl.DataFrame,
    named_before: pl.DataFrame,
) -> Decided:
    named = [i for d in decisions for i in (d.first, d.second)]
    here = members.filter(pl.col("occurrence_id").is_in(named)).select("occurrence_id", "variant")
    return resolve(decisions, variants, dict(here.iter_rows()), before, ledger, named_before)
