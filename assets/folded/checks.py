"""Checks of the folded layer: the promises about papers, folds, conflicts and ids, each a function over tables.

They read published columns only (and the tables of the release before, as `base_occurrences` and `base_papers`, both
empty on a first build), so the audit of a staged release asks exactly what the layer's own checks ask.
"""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from assets.contract.check import Check, Tables, Verdict, verdict_from_failing
from assets.folded.canonical import canonical_text, title_form
from assets.folded.entries import text_keys
from assets.folded.exact import accepted_pairs
from assets.folded.settings import FoldingSettings
from assets.folded.words import spaced_words

TOLERATED = 0.001
"""Pairs apart, as a share of the papers compared, that only warn. Candidates are found by sampled shingles, so a pair
that was both cut and heavily revised can be missed; a release without it is still better than none."""

BEGINNING_CHARACTERS = 300
BEGINNING_WORDS = 10
"""Characters in which a text's first words are looked for, and how many of them."""


def _occurrences_are_papers_and_folds(tables: Tables) -> Verdict:
    occurrences = tables["occurrences"].select("occurrence_id", "paper_id", "match_kind", "similarity").collect()
    papers = tables["papers"].select("paper_id", "occurrence_count").collect()
    folds = tables["folds"].select("occurrence_id", fold_paper_id="paper_id", fold_match_kind="match_kind").collect()
    joined = occurrences.join(folds, on="occurrence_id", how="full", coalesce=True)
    is_first = pl.col("match_kind") == "first"
    wrong = joined.filter(
        pl.col("paper_id").is_null()
        | (is_first == pl.col("fold_paper_id").is_not_null())
        | (pl.col("fold_paper_id") != pl.col("paper_id"))
        | (pl.col("fold_match_kind") != pl.col("match_kind"))
    ).select("occurrence_id", "paper_id", problem=pl.lit("fold and occurrence do not say the same"))
    counted = occurrences.group_by("paper_id").agg(found=pl.len().cast(pl.Int64), begun=is_first.sum())
    miscounted = (
        papers.join(counted, on="paper_id", how="full", coalesce=True)
        .filter(
            pl.col("occurrence_count").is_null()
            | pl.col("found").ne_missing(pl.col("occurrence_count"))
            | (pl.col("begun") != 1)
        )
        .select(
            pl.lit(None, pl.String).alias("occurrence_id"),
            "paper_id",
            problem=pl.lit("its occurrences are not as many as it says, or not exactly one of them began it"),
        )
    )
    failing = pl.concat([wrong, miscounted])
    figures = {"occurrences": occurrences.height, "papers": papers.height, "folds": folds.height}
    verdict = verdict_from_failing(failing, **figures)
    adds_up = occurrences.height == papers.height + folds.height
    return Verdict(verdict.passed and adds_up, verdict.figures, verdict.failing)


def _keys_hold(tables: Tables) -> Verdict:
    failing = []
    keys = {
        "occurrences": ["occurrence_id"],
        "papers": ["paper_id"],
        "folds": ["occurrence_id"],
        "conflicts": ["occurrence_id_a", "occurrence_id_b"],
        "paper_aliases": ["retired_paper_id"],
    }
    for table, key in keys.items():
        named = tables[table].select(value=pl.concat_str(key, separator=" "))
        failing.append(
            named.filter(pl.col("value").is_duplicated() | pl.col("value").is_null())
            .unique()
            .select("value", problem=pl.lit(f"{table}: {', '.join(key)} is not unique"))
        )
    references = [
        ("occurrences", "paper_id", "papers", "paper_id"),
        ("papers", "first_document_id", "documents", "document_id"),
        ("papers", "last_document_id", "documents", "document_id"),
        ("papers", "representative_occurrence_id", "occurrences", "occurrence_id"),
        ("folds", "occurrence_id", "occurrences", "occurrence_id"),
        ("folds", "paper_id", "papers", "paper_id"),
        ("folds", "matched_occurrence_id", "occurrences", "occurrence_id"),
        ("conflicts", "occurrence_id_a", "occurrences", "occurrence_id"),
        ("conflicts", "occurrence_id_b", "occurrences", "occurrence_id"),
        ("paper_aliases", "paper_id", "papers", "paper_id"),
    ]
    for table, column, other, other_key in references:
        failing.append(
            tables[table]
            .select(value=pl.col(column))
            .drop_nulls()
            .join(tables[other].select(value=pl.col(other_key)), on="value", how="anti")
            .unique()
            .select("value", problem=pl.lit(f"{table}.{column} is in no row of {other}"))
        )
    failing.append(
        tables["paper_aliases"]
        .select(value="retired_paper_id")
        .join(tables["papers"].select(value="paper_id"), on="value", how="semi")
        .select("value", problem=pl.lit("paper_aliases.retired_paper_id is a living paper"))
    )
    failing.append(
        tables["conflicts"]
        .filter(pl.col("occurrence_id_a") >= pl.col("occurrence_id_b"))
        .select(value="occurrence_id_a", problem=pl.lit("conflicts: the smaller occurrence id does not stand first"))
    )
    return verdict_from_failing(pl.concat(failing))


def _members_belong(tables: Tables) -> Verdict:
    of_paper = tables["occurrences"].select("occurrence_id", "paper_id")
    representative = (
        tables["papers"]
        .select("paper_id", occurrence_id="representative_occurrence_id")
        .join(of_paper.rename({"paper_id": "found_in"}), on="occurrence_id", how="left")
        .filter(pl.col("found_in").ne_missing(pl.col("paper_id")))
        .select("paper_id", "occurrence_id", problem=pl.lit("the representative belongs to another paper"))
    )
    matched = (
        tables["folds"]
        .select("paper_id", occurrence_id="matched_occurrence_id")
        .join(of_paper.rename({"paper_id": "found_in"}), on="occurrence_id", how="left")
        .filter(pl.col("found_in").ne_missing(pl.col("paper_id")))
        .select("paper_id", "occurrence_id", problem=pl.lit("matched with an occurrence of another paper"))
    )
    within = (
        tables["conflicts"]
        .select("occurrence_id_a", "occurrence_id_b")
        .join(of_paper.rename({"paper_id": "a"}), left_on="occurrence_id_a", right_on="occurrence_id")
        .join(of_paper.rename({"paper_id": "b"}), left_on="occurrence_id_b", right_on="occurrence_id")
        .filter(pl.col("a") == pl.col("b"))
        .select(paper_id="a", occurrence_id="occurrence_id_a", problem=pl.lit("a conflict within one paper"))
    )
    return verdict_from_failing(pl.concat([representative, matched, within]))


def _versions_are_numbered(tables: Tables) -> Verdict:
    found = (
        tables["occurrences"]
        .group_by("paper_id")
        .agg(numbers=pl.col("version").n_unique() - pl.col("version").has_nulls(), highest=pl.col("version").max())
    )
    failing = (
        tables["papers"]
        .select("paper_id", "version_count")
        .join(found, on="paper_id", how="left")
        .filter(
            (pl.col("numbers").cast(pl.Int64) != pl.col("version_count"))
            | (pl.col("highest").fill_null(0) != pl.col("version_count"))
        )
    )
    return verdict_from_failing(failing)


def _equal_texts_are_in_conflict(tables: Tables) -> Verdict:
    read = (
        tables["occurrences"].filter(pl.col("text").is_not_null()).select("occurrence_id", "paper_id", "text").collect()
    )
    # Texts with one canonical form begin with the same words, so only those are compared whole.
    begun = spaced_words(read.get_column("text").str.head(BEGINNING_CHARACTERS)).str.split(" ").alias("begun")
    first = pl.col("begun").list.eval(pl.element().filter(pl.element() != "")).list.head(BEGINNING_WORDS).list.join(" ")
    suspects = (
        read.select("occurrence_id", "paper_id", begun=begun)
        .with_columns(begun=first)
        .filter(pl.col("paper_id").n_unique().over("begun") > 1)
    )
    if suspects.is_empty():
        return verdict_from_failing(suspects, pairs=0)
    suspects = suspects.join(read.select("occurrence_id", "text"), on="occurrence_id").with_columns(
        canonical=canonical_text(pl.col("text"))
    )
    held = suspects.group_by("canonical", "paper_id").agg(pl.col("occurrence_id").sort())
    pairs = (
        held.join(held, on="canonical", suffix="_b")
        .filter(pl.col("paper_id") < pl.col("paper_id_b"))
        .select("paper_id", "paper_id_b", "canonical")
    )
    of_paper = tables["occurrences"].select("occurrence_id", "paper_id").collect()
    shown = (
        tables["conflicts"]
        .select("occurrence_id_a", "occurrence_id_b")
        .collect()
        .join(of_paper.rename({"paper_id": "a"}), left_on="occurrence_id_a", right_on="occurrence_id")
        .join(of_paper.rename({"paper_id": "b"}), left_on="occurrence_id_b", right_on="occurrence_id")
        .select(paper_id=pl.min_horizontal("a", "b"), paper_id_b=pl.max_horizontal("a", "b"))
        .unique()
    )
    # A text that stands in very many papers is shown by the five nearest pairs of each, not by all pairs.
    few = pairs.filter(pl.len().over("canonical") <= 10)
    many = pairs.filter(pl.len().over("canonical") > 10)
    bare = many.join(
        pl.concat([shown.select("paper_id"), shown.select(paper_id="paper_id_b")]).unique(), on="paper_id", how="anti"
    )
    failing = pl.concat([few.join(shown, on=["paper_id", "paper_id_b"], how="anti"), bare])
    return verdict_from_failing(failing, pairs=pairs.height)


def _ids_last(tables: Tables) -> Verdict:
    before = tables["base_papers"].select("paper_id", "text", "title").collect()
    now = tables["papers"].select("paper_id", "text", "title").collect()
    aliases = tables["paper_aliases"].select("retired_paper_id").collect()
    lost = (
        before.join(now, on="paper_id", how="anti")
        .join(aliases, left_on="paper_id", right_on="retired_paper_id", how="anti")
        .select("paper_id", problem=pl.lit("neither a paper nor retired"))
    )
    changed = (
        before.join(now, on="paper_id", suffix="_now")
        .filter(
            pl.col("text").ne_missing(pl.col("text_now"))
            | (pl.col("text").is_null() & pl.col("title").ne_missing(pl.col("title_now")))
        )
        .select("paper_id")
    )
    if changed.height:
        sides = []
        for table in ("base_occurrences", "occurrences"):
            found = (
                tables[table]
                .join(changed.lazy(), on="paper_id", how="semi")
                .select("paper_id", "text", "title")
                .collect()
            )
            keys = text_keys(found.get_column("text").fill_null(""))[0]
            held = found.select(
                "paper_id",
                words=pl.when(pl.col("text").is_not_null()).then(pl.Series(keys, dtype=pl.UInt64).cast(pl.String)),
                title=pl.format("title {}", title_form(pl.col("title"))),
            )
            sides.append(
                held.unpivot(index="paper_id", value_name="held").select("paper_id", "held").drop_nulls().unique()
            )
        kept = sides[0].join(sides[1], on=["paper_id", "held"]).select("paper_id").unique()
        changed = changed.join(kept, on="paper_id", how="anti")
    reused = changed.select("paper_id", problem=pl.lit("holds nothing of what it held before"))
    return verdict_from_failing(pl.concat([lost, reused]), papers_before=before.height)


def _decisions_hold(tables: Tables) -> Verdict:
    unheard = tables["decisions"].filter(pl.col("outcome") != "holds")
    failing = unheard.select(
        "setting",
        "outcome",
        ids=pl.concat_str(
            [
                pl.when((pl.col("outcome") == "overruled") | pl.col(f"paper_id_{side}").is_null()).then(f"id_{side}")
                for side in ("a", "b")
            ],
            separator=" and ",
            ignore_nulls=True,
        ),
    ).collect()
    decisions = tables["decisions"].select(pl.len()).collect().item()
    return verdict_from_failing(failing, decisions=decisions)


def _floor_of(settings: FoldingSettings) -> Check:
    def judge(tables: Tables) -> Verdict:
        joined = tables["folds"].filter(pl.col("match_kind").is_in(["same_id", "decision"])).select("paper_id").unique()
        failing = (
            tables["papers"]
            .filter(pl.col("min_similarity") < settings.floor)
            .join(joined, on="paper_id", how="anti")
            .select("paper_id", "min_similarity")
        )
        lowest = tables["papers"].select(pl.col("min_similarity").min()).collect().item()
        return verdict_from_failing(failing, floor=settings.floor, lowest=-1.0 if lowest is None else lowest)

    return Check(
        "no_two_members_are_unlike",
        "No two texts of one paper are less similar than the floor, unless a shared id or a person joined them.",
        ("papers", "folds"),
        judge,
    )


SAMPLE = 10_000
"""Papers that are compared with each other exactly; up to so many, all of them."""


def _none_left_apart(settings: FoldingSettings) -> Check:
    def judge(tables: Tables) -> Verdict:
        papers = (
            tables["papers"]
            .filter(pl.col("text").is_not_null())
            .select("paper_id", "text", "title", "authors", "external_ids", "representative_occurrence_id")
            # The ids are hashes, so the last digits are a sample that is the same on every machine.
            .sort(pl.col("paper_id").str.reverse())
            .head(SAMPLE)
            .collect()
        )
        compared = accepted_pairs(papers, settings)
        accepted = compared.accepted
        of_paper = tables["occurrences"].select("occurrence_id", "paper_id").collect()
        shown = (
            tables["conflicts"]
            .select("occurrence_id_a", "occurrence_id_b")
            .collect()
            .join(of_paper.rename({"paper_id": "a"}), left_on="occurrence_id_a", right_on="occurrence_id")
            .join(of_paper.rename({"paper_id": "b"}), left_on="occurrence_id_b", right_on="occurrence_id")
            .select(paper_id=pl.min_horizontal("a", "b"), paper_id_b=pl.max_horizontal("a", "b"))
            .unique()
        )
        failing = accepted.join(shown, on=["paper_id", "paper_id_b"], how="anti")
        verdict = verdict_from_failing(failing, papers_compared=compared.papers, accepted_pairs=accepted.height)
        return replace(verdict, is_slight=0 < failing.height <= TOLERATED * compared.papers)

    return Check(
        "no_accepted_pair_is_apart",
        "No two papers whose texts the rule accepts stand apart, unless the pair is shown in conflicts; asked of every "
        f"pair among {SAMPLE:,} papers, or fewer where the text repeats itself so much that it would take minutes. "
        f"Pairs up to {TOLERATED:.1%} of these papers are told, and hold nothing up.",
        ("papers", "occurrences", "conflicts"),
        judge,
    )


_ALL = ("documents", "occurrences", "papers", "folds", "conflicts", "paper_aliases")


def checks(settings: FoldingSettings) -> tuple[Check, ...]:
    """Return the checks of the folded layer for these settings."""
    return (
        Check(
            "occurrences_are_papers_and_folds",
            "Every occurrence began exactly one paper or is folded into one: occurrences = papers + folds.",
            ("occurrences", "papers", "folds"),
            _occurrences_are_papers_and_folds,
        ),
        Check(
            "folded_keys_hold",
            "Keys are unique, every reference has its row, and no retired id is in use.",
            _ALL,
            _keys_hold,
        ),
        Check(
            "members_belong_together",
            "A paper's representative and every matched occurrence are its own; no conflict lies within a paper.",
            ("occurrences", "papers", "folds", "conflicts"),
            _members_belong,
        ),
        Check(
            "versions_are_numbered",
            "A paper's versions are numbered from 1 without a gap, as many as it says.",
            ("occurrences", "papers"),
            _versions_are_numbered,
        ),
        Check(
            "equal_texts_are_in_conflict",
            "Two papers with the same canonical text stand as a pair in conflicts.",
            ("occurrences", "conflicts"),
            _equal_texts_are_in_conflict,
        ),
        Check(
            "ids_last",
            "Every paper id of the release before is a paper or retired, and none changed its meaning.",
            ("base_papers", "base_occurrences", "papers", "occurrences", "paper_aliases"),
            _ids_last,
        ),
        Check(
            "decisions_hold",
            "Every decision in the settings speaks of papers that this release has, and none overrules another.",
            ("decisions",),
            _decisions_hold,
            severity="WARN",
        ),
        _floor_of(settings),
        _none_left_apart(settings),
    )


CHECKS = checks(FoldingSettings())
"""The checks with the default thresholds."""
