"""Folding: occurrences become papers, step by step.

The story: entries (keys of each occurrence) -> variants (copies that are the same without a question) -> candidate
pairs -> verified pairs -> judged pairs -> clusters -> ids that last -> papers, folds, conflicts. Each step is a pure
function in a module of its own; this one tells them in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from assets.contract.arrow import empty
from assets.folded.attach import Attached, attach_textless, join_decided
from assets.folded.candidates import Proposed, propose, propose_again
from assets.folded.clusters import Word, component_prints, components, missing_pairs, remembered_centres, stars
from assets.folded.decisions import Decided, decisions_table, resolve
from assets.folded.entries import document_order
from assets.folded.evidence import (
    alone_and_several,
    conflicts_of,
    folds_of,
    pairs_within,
    spread_of,
    with_kinds,
    with_matches,
)
from assets.folded.index import FoldIndex, index_key, load, save_tables, save_texts
from assets.folded.lineage import HELD, trace
from assets.folded.links import LINKS, equal_title_links, same_text_links, shared_id_links
from assets.folded.measure import lowest_similarity
from assets.folded.named import with_pins
from assets.folded.pairs import JUDGED, judged, links_of_texts, with_words, words_on
from assets.folded.papers import PER_COPY, PER_PAPER, paper_rows
from assets.folded.recall import KEPT, Progress, entries_now, held_before, named_now, placed_in
from assets.folded.results import ASSIGNMENT, Base, Folded
from assets.folded.settings import Decision, FoldingSettings
from assets.folded.settled import fingerprints, settled_papers, with_settled
from assets.folded.texts import Texts, TextsPart, texts_of, updated_texts
from assets.folded.variants import natural_ids, variants_of
from assets.folded.words import Rows, distinct

__all__ = ["Base", "Folded", "fold"]


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
    told = progress or (lambda _step, _done, _total: None)
    key = index_key(settings, decisions)
    remembered = load(base.index, key) if base else None
    order = document_order(documents)
    read, parts = entries_now(occurrences, order, remembered, told)
    named, pinned = named_now(decisions, read, order, documents, base, remembered, told)
    if not pinned.is_empty():
        read = with_pins(placed_in(order, read), pinned).select(KEPT)
    texts, proposed = _texts(read, parts, remembered, settings)
    candidates = proposed.candidates
    told("candidates", len(candidates[0]), len(candidates[0]))

    variants, member_of = _variants(read, texts)
    members = read.with_columns(variant=pl.Series(member_of, dtype=pl.Int64))
    del read, parts
    ledger = base.table("paper_aliases").collect() if base else empty("paper_aliases")
    held = held_before(base, remembered, decisions, named, told)
    decided = _decided(decisions, variants, members, named, pinned, held, ledger)
    pairs = _judged_pairs(candidates, variants, members, order, texts, settings, remembered)
    told("pairs", pairs.height, pairs.height)
    made, stars_made, pairs = _clusters(pairs, variants, texts, settings, decided, remembered)
    texts = save_texts(texts, proposed, index_out)
    del proposed, candidates
    told("clusters", variants.height, variants.height)

    members = members.with_columns(cluster=pl.Series(made.centre).gather(members.get_column("variant")))
    prints = fingerprints(members, order.get_column("document_key").to_numpy(), variants)
    settled = settled_papers(prints, remembered, variants.height)
    still, changing = settled.split(members)
    lineage = trace(
        changing.select("cluster", *HELD).unique(),
        natural_ids(variants.join(changing.select(row="cluster").unique(), on="row", how="semi")),
        settled.unsettled(held).select("paper_id", *HELD).unique(),
        ledger,
        base.release_id if base else None,
        settled.paper_ids,
    )
    leads = variants.select("row", occurrence_id="lead_occurrence_id")
    changing = (
        changing.drop("match_kind", "similarity", "version")
        .join(lineage.ids, on="cluster", how="left", maintain_order="left")
        .with_columns(
            order.select(pl.col("document_id", "venue", "year").gather(changing.get_column("document_order")))
        )
    )
    if changing.height < still.height:
        wanted = pl.col("occurrence_id").is_in(changing.get_column("occurrence_id").implode())
        occurrences = occurrences.filter(wanted).select(*PER_COPY, *PER_PAPER).collect().lazy()
    alone, several = alone_and_several(changing)
    within = pairs_within(pairs, made, several)
    several = with_kinds(with_matches(several, made, within, leads), occurrences)
    spread = spread_of(
        several.with_columns(text_row=variants.get_column("text_row").gather(several.get_column("variant"))),
        _with_texts(within, variants),
        made,
        lambda rows: lowest_similarity(texts, rows),
    )
    ids = pl.concat([settled.ids, lineage.ids.select(settled.ids.columns)])
    assigned = pl.concat([part.select(*KEPT, "cluster", "paper_id") for part in (alone, several)])
    whole = with_settled(
        Folded(
            assignments=assigned.select(ASSIGNMENT),
            papers=paper_rows(alone, several, occurrences, spread),
            folds=folds_of(several),
            conflicts=conflicts_of(pairs, made, leads, decided.different),
            paper_aliases=lineage.aliases,
            decisions=decisions_table(decided, made.centre, ids, named),
            unresolved=tuple(decided.unresolved),
        ),
        base,
        settled,
        still,
    )
    papers = prints.join(ids, on="cluster")
    number = np.zeros(variants.height, dtype=np.uint32)
    number[papers.get_column("cluster").to_numpy()] = np.arange(papers.height, dtype=np.uint32)
    entries_made = pl.concat([still.select(*KEPT, "cluster"), assigned.drop("paper_id")])
    save_tables(
        {
            "judged": pairs,
            "stars": stars_made,
            "entries": entries_made.with_columns(paper=number[entries_made.get_column("cluster").to_numpy()]).drop(
                "cluster"
            ),
            "documents": order.select("document_id", "document_key"),
            "papers": papers.select("paper_id", "fingerprint"),
        },
        index_out,
        key,
    )
    told("tables", members.height, members.height)
    return whole


def _texts(
    read: pl.DataFrame, parts: list[TextsPart], remembered: FoldIndex | None, settings: FoldingSettings
) -> tuple[Texts, Proposed]:
    """Return the distinct texts and the proposed pairs, from what is remembered where there is something."""
    new = texts_of(parts)
    if remembered is None or len(new) > len(remembered.texts):
        wanted = distinct(read.get_column("text_key").drop_nulls().to_numpy())
        if remembered is not None:
            new = updated_texts(remembered.texts, new, wanted, settings.common_shingle).texts
        return new, propose(new, settings)
    wanted = distinct(read.get_column("text_key").drop_nulls().to_numpy())
    update = updated_texts(remembered.texts, new, wanted, settings.common_shingle)
    return update.texts, propose_again(update, remembered.proposed, settings)


def _variants(read: pl.DataFrame, texts: Texts) -> tuple[pl.DataFrame, Rows]:
    """Return the variants with text_row (-1 without a text), and each entry's row among them."""
    variants, member_of = variants_of(read)
    order = np.argsort(texts.keys)
    keys = variants.get_column("text_key").fill_null(0).to_numpy()
    place = np.minimum(np.searchsorted(texts.keys[order], keys), max(len(texts) - 1, 0))
    row = order[place] if len(texts) else np.zeros(len(keys), dtype=np.int64)
    has_text = variants.get_column("text_key").is_not_null().to_numpy()
    return variants.with_columns(text_row=pl.Series(np.where(has_text, row, -1))), member_of


def _judged_pairs(
    candidates: tuple[Rows, Rows],
    variants: pl.DataFrame,
    members: pl.DataFrame,
    order: pl.DataFrame,
    texts: Texts,
    settings: FoldingSettings,
    remembered: FoldIndex | None,
) -> pl.DataFrame:
    """Return the rule's word on every pair that texts, ids or titles propose, each pair once."""
    list_keys = order.get_column("list_key").gather(members.get_column("document_order"))
    lists = members.lazy().select(row="variant", list_key=pl.lit(list_keys))
    links = pl.concat(
        [
            same_text_links(variants),
            shared_id_links(variants),
            equal_title_links(variants, lists),
            links_of_texts(variants, *candidates),
        ]
    )
    return judged(links, variants, texts, settings, remembered.judged if remembered else None)


def _clusters(
    pairs: pl.DataFrame,
    variants: pl.DataFrame,
    texts: Texts,
    settings: FoldingSettings,
    decided: Decided,
    remembered: FoldIndex | None,
) -> tuple[Attached, pl.DataFrame, pl.DataFrame]:
    """Return the clusters, the stars to remember, and the pairs with those that were judged on the way."""
    has_text = variants.get_column("text_row").to_numpy() >= 0
    rank = variants.get_column("rank").to_numpy()
    known = remembered.judged if remembered else None
    asked: list[pl.DataFrame] = []

    def judge_more(a: Rows, b: Rows) -> pl.DataFrame:
        links = pl.DataFrame({"a": a, "b": b, "same_list": False}, schema=LINKS)
        asked.append(_with_decisions(judged(links, variants, texts, settings, known), decided))
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
    lengths = variants.get_column("words").fill_null(0).to_numpy()
    says = variants.select(
        pl.struct("title_form", pl.col("ids").list.join(" "), pl.col("authors").list.join(";")).hash(seed=0)
    ).to_series()
    keys = variants.get_column("variant_key").to_numpy()
    labels = components(variants.height, *_accepted(alike))
    prints = component_prints(alike, labels, keys, variants.get_column("flaws").fill_null(0).to_numpy())
    centre = remembered_centres(labels, prints, keys, remembered.stars if remembered else None)
    open_ = with_words(alike.filter(pl.Series(centre[alike.get_column("a").to_numpy()] < 0)))
    found = stars(open_, rank, lengths, says.to_numpy(), settings.floor, ask)
    centre = np.where(centre < 0, found, centre)
    joined = distinct(np.concatenate(_accepted(alike)))
    stars_made = pl.DataFrame(
        {"variant_key": keys[joined], "centre_key": keys[centre[joined]], "print": prints[labels[joined]]}
    )
    mixed = pairs.filter(~of_kind & pl.col("kind").is_not_null())
    made = attach_textless(centre, has_text, rank, mixed, decided.different)
    made = join_decided(made, rank, decided.same, decided.different)
    return made, stars_made, pl.concat([pairs, *asked]).unique(["a", "b"], keep="first", maintain_order=True)


def _accepted(pairs: pl.DataFrame) -> tuple[Rows, Rows]:
    accepted = pairs.filter(pl.col("accepted"))
    return accepted.get_column("a").to_numpy(), accepted.get_column("b").to_numpy()


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
        .select(JUDGED.keys())
    )


def _with_texts(pairs: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    rows = variants.get_column("text_row")
    one, other = rows.gather(pairs.get_column("a")), rows.gather(pairs.get_column("b"))
    return pairs.with_columns(one=one, other=other).with_columns(
        text_a=pl.min_horizontal("one", "other"), text_b=pl.max_horizontal("one", "other")
    )


def _decided(
    decisions: Sequence[Decision],
    variants: pl.DataFrame,
    members: pl.DataFrame,
    named: pl.DataFrame,
    pinned: pl.DataFrame,
    held: pl.DataFrame,
    ledger: pl.DataFrame,
) -> Decided:
    if not decisions:
        return Decided()
    variants = variants.with_columns(natural_id=natural_ids(variants).get_column("paper_id"))
    apart = members.join(pinned, on="occurrence_id").group_by("pin").agg(pl.col("variant").unique().sort())
    return resolve(decisions, variants, dict(apart.iter_rows()), named, held, ledger)
