"""Evidence: how each occurrence came to its paper, and which pairs look alike and are not one.

The tables `folds` and `conflicts`, and what `occurrences` says of matches, are made here from what was judged.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl

from assets.contract.arrow import conform, empty
from assets.folded.attach import Attached
from assets.folded.canonical import canonical_text
from assets.folded.words import Rows

NEAREST = 5
"""Conflicts shown per occurrence at most."""


def alone_and_several(members: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the members that are all their paper has, with what is known of them at once, and the others.

    Args:
        members: One row per occurrence: occurrence_id, cluster.
    """
    cluster = members.get_column("cluster").to_numpy()
    is_alone = pl.Series(np.bincount(cluster, minlength=1)[cluster] == 1)
    alone = members.filter(is_alone).with_columns(
        representative_occurrence_id="occurrence_id",
        match_kind=pl.lit("first"),
        similarity=pl.lit(None, pl.Float64),
        version=pl.when(pl.col("text_key").is_not_null()).then(pl.lit(1, pl.Int64)),
    )
    return alone, members.filter(~is_alone)


def pairs_within(pairs: pl.DataFrame, made: Attached, members: pl.DataFrame) -> pl.DataFrame:
    """Return the judged pairs that lie within one of the clusters of these members."""
    wanted = np.zeros(len(made.centre), dtype=bool)
    wanted[members.get_column("cluster").to_numpy()] = True
    a, b = (made.centre[pairs.get_column(side).to_numpy()] for side in ("a", "b"))
    return pairs.filter(pl.Series((a == b) & wanted[a]))


def with_matches(members: pl.DataFrame, made: Attached, pairs: pl.DataFrame, leads: pl.DataFrame) -> pl.DataFrame:
    """Return the members with the variant each was matched with, and the judged pair of the two.

    Args:
        members: One row per occurrence: occurrence_id, variant, cluster, text_key, raw_key.
        made: The clusters.
        pairs: Judged pairs (rule.VERDICT), each once.
        leads: row, occurrence_id: the first of each variant's occurrences.
    """
    through = pl.DataFrame(
        {"variant": list(made.through), "through": list(made.through.values())},
        schema={"variant": pl.Int64, "through": pl.Int64},
    )
    decided = pl.DataFrame(
        {"variant": sorted(made.decided), "decided": True}, schema={"variant": pl.Int64, "decided": pl.Boolean}
    )
    return (
        members.join(through, on="variant", how="left", maintain_order="left")
        .join(decided, on="variant", how="left", maintain_order="left")
        .with_columns(partner=pl.coalesce("through", "cluster"), decided=pl.col("decided").fill_null(False))
        .with_columns(a=pl.min_horizontal("variant", "partner"), b=pl.max_horizontal("variant", "partner"))
        .join(
            pairs.select("a", "b", "jaccard", "containment", "similarity", "kind", "detail", "text_verdict"),
            on=["a", "b"],
            how="left",
            maintain_order="left",
        )
        .join(
            leads.select(cluster="row", representative_occurrence_id="occurrence_id"),
            on="cluster",
            how="left",
            maintain_order="left",
        )
        .join(
            leads.select(partner="row", matched_occurrence_id="occurrence_id"),
            on="partner",
            how="left",
            maintain_order="left",
        )
        .drop("a", "b", "through")
    )


def with_kinds(members: pl.DataFrame, occurrences: pl.LazyFrame) -> pl.DataFrame:
    """Return the members with match_kind, jaccard, containment, similarity, detail, `version` and `version_key`.

    A copy is matched with the nearest member: one whose abstract came as its own did (`exact`: of a record without a
    title, the whole record; of others, the text that was read), else one whose canonical text is its own (`markup`),
    else one with the same words, else the text in the middle, by which the rule let it in. version_key: a key of the
    canonical text; version: the number of the text among the paper's, in the order in which they appeared.
    """
    several = members.filter(
        pl.col("text_key").is_not_null() & (pl.col("raw_key").n_unique().over("cluster", "text_key") > 1)
    )
    canonical = (
        occurrences.select("occurrence_id", "text")
        .join(several.select("occurrence_id").lazy(), on="occurrence_id", how="semi")
        .select("occurrence_id", version_key=canonical_text(pl.col("text")).hash(seed=0))
        .collect()
    )
    read = members.join(canonical, on="occurrence_id", how="left", maintain_order="left").with_columns(
        version_key=pl.when(pl.col("text_key").is_not_null()).then(pl.coalesce("version_key", "text_key"))
    )
    read = read.join(_nearest(read), on="occurrence_id", how="left", maintain_order="left")
    first = pl.col("occurrence_id") == pl.col("representative_occurrence_id")
    equal = pl.col("equal").is_not_null()
    textless_copy = pl.col("text_key").is_null() & (pl.col("variant") == pl.col("partner"))
    kind = (
        pl.when(first)
        .then(pl.lit("first"))
        .when("decided")
        .then(pl.lit("decision"))
        .when(equal)
        .then(pl.col("equal").replace("signs", "revised"))
        .when(textless_copy)
        .then(pl.lit("same_title"))
        .otherwise(
            pl.coalesce(
                "kind", pl.when(pl.col("text_key").is_null()).then(pl.lit("same_title")).otherwise(pl.lit("revised"))
            )
        )
    )

    def measured(name: str) -> pl.Expr:
        return pl.when(first).then(None).when(equal).then(1.0).otherwise(pl.col(name)).alias(name)

    told = read.with_columns(
        measured("jaccard"),
        measured("containment"),
        measured("similarity"),
        match_kind=kind,
        matched_occurrence_id=pl.coalesce("nearest", "matched_occurrence_id"),
        version=pl.coalesce("version", pl.when(pl.col("text_key").is_not_null()).then(1)),
    )
    compared = told.filter(~equal & pl.col("match_kind").is_in(["revised", "truncated"]))
    wanted = pl.concat([compared["occurrence_id"], compared["matched_occurrence_id"]]).unique()
    lengths = (
        occurrences.select("occurrence_id", "words")
        .join(wanted.to_frame("occurrence_id").lazy(), on="occurrence_id", how="semi")
        .collect()
    )
    for own, name in (("occurrence_id", "length"), ("matched_occurrence_id", "matched_length")):
        told = told.join(
            lengths.rename({"occurrence_id": own, "words": name}), on=own, how="left", maintain_order="left"
        )
    return told.with_columns(detail=_in_words(textless_copy))


def _nearest(read: pl.DataFrame) -> pl.DataFrame:
    """Return occurrence_id, nearest, equal, version for papers of several occurrences.

    nearest: the member with an equal text that comes first (the representative before all), null where there is none;
    equal: how equal the two are, `exact`, `markup` or `signs` (the same words).
    """
    first = pl.col("occurrence_id") == pl.col("representative_occurrence_id")
    here = (
        read.filter((pl.len().over("cluster") > 1) & pl.col("text_key").is_not_null())
        .sort(~first, "decided", "document_order", "position", "occurrence_id")
        .select(
            "occurrence_id",
            "cluster",
            "version_key",
            apart=first | pl.col("decided"),
            place=pl.struct("document_order", "position").rank("dense").cast(pl.Int64),
            exact=pl.col("occurrence_id").first().over("cluster", "text_key", "raw_key"),
            markup=pl.col("occurrence_id").first().over("cluster", "version_key"),
            signs=pl.col("occurrence_id").first().over("cluster", "text_key"),
        )
    )
    other = {name: pl.when(pl.col(name) != pl.col("occurrence_id")).then(name) for name in ("exact", "markup", "signs")}
    equal = pl.coalesce(pl.when(found.is_not_null()).then(pl.lit(name)) for name, found in other.items())
    return here.with_columns(appeared=pl.col("place").min().over("cluster", "version_key")).select(
        "occurrence_id",
        nearest=pl.when(~pl.col("apart")).then(pl.coalesce(*other.values())),
        equal=pl.when(~pl.col("apart")).then(equal),
        version=pl.col("appeared").rank("dense").over("cluster").cast(pl.Int64),
    )


def _in_words(textless_copy: pl.Expr) -> pl.Expr:
    """Return the evidence of each fold in a sentence."""
    longer = pl.col("length") > pl.col("matched_length")
    by_words = (
        pl.when((pl.col("match_kind") == "truncated") & ~longer)
        .then(pl.format("begins as the longer text and ends after {} of {} words", "length", "matched_length"))
        .when(pl.col("match_kind") == "truncated")
        .then(pl.format("goes on to {} words where the other ends after {}", "length", "matched_length"))
        .when((pl.col("match_kind") == "revised") & pl.col("jaccard").is_not_null())
        .then(
            pl.format(
                "{}% of the words of both in common; {} and {} words",
                (pl.col("jaccard") * 100).floor().cast(pl.Int64),
                "length",
                "matched_length",
            )
        )
    )
    return (
        pl.when(pl.col("match_kind") == "first")
        .then(None)
        .when("decided")
        .then(pl.lit("a person's decision"))
        .when(pl.col("equal") == "exact")
        .then(pl.lit("the same as it came"))
        .when(pl.col("equal") == "markup")
        .then(pl.lit("the same words and signs; markup or print differs"))
        .when(pl.col("equal") == "signs")
        .then(pl.lit("the same words; signs differ"))
        .when(textless_copy)
        .then(pl.lit("the same title, authors and ids"))
        .otherwise(pl.concat_str(by_words, "detail", separator="; ", ignore_nulls=True).replace("", None))
    )


def folds_of(members: pl.DataFrame) -> pl.DataFrame:
    """Return the table `folds`, sorted by occurrence_id."""
    folded = members.filter(pl.col("match_kind") != "first").select(empty("folds").columns)
    return conform(folded.lazy(), "folds").sort("occurrence_id").collect()


def conflicts_of(
    pairs: pl.DataFrame, made: Attached, leads: pl.DataFrame, different: set[tuple[int, int]]
) -> pl.DataFrame:
    """Return the table `conflicts`, sorted by its key: one row per pair of papers, the nearest pair of their texts.

    Args:
        pairs: Judged pairs (rule.VERDICT), each once.
        made: The clusters.
        leads: row, occurrence_id: the first of each variant's occurrences.
        different: Pairs that a person keeps apart.
    """
    ambiguous = pl.DataFrame(made.ambiguous, schema={"a": pl.Int64, "b": pl.Int64}, orient="row").unique()
    kept_apart = pl.DataFrame(sorted(different), schema={"a": pl.Int64, "b": pl.Int64}, orient="row")
    apart = (
        pairs.filter(pl.col("kind").is_not_null() | pl.col("conflict").is_not_null())
        .with_columns(
            centre_a=pl.lit(pl.Series(made.centre)).gather(pl.col("a")),
            centre_b=pl.lit(pl.Series(made.centre)).gather(pl.col("b")),
        )
        .filter(pl.col("centre_a") != pl.col("centre_b"))
        .join(ambiguous.with_columns(fits_two=True), on=["a", "b"], how="left", maintain_order="left")
        .join(kept_apart.with_columns(person=True), on=["a", "b"], how="left", maintain_order="left")
    )
    accepted = pl.col("kind").is_not_null()
    why = (
        pl.when("person")
        .then(pl.lit("a person's decision keeps them apart"))
        .when("fits_two")
        .then(pl.lit("fits two papers"))
        .when(accepted)
        .then(pl.lit("the other members do not support it"))
    )
    kind = (
        pl.when(~accepted)
        .then("conflict")
        .when(pl.col("person") & (pl.col("text_verdict") == "same"))
        .then(pl.lit("same_text_other_title"))
        .otherwise(pl.lit("chain"))
    )
    lead = leads.get_column("occurrence_id")
    named = apart.with_columns(
        kind=kind,
        one=lead.gather(apart.get_column("a")),
        other=lead.gather(apart.get_column("b")),
        detail=pl.concat_str(why, "detail", separator="; ", ignore_nulls=True),
        of_papers=pl.struct(
            low=pl.min_horizontal("centre_a", "centre_b"), high=pl.max_horizontal("centre_a", "centre_b")
        ),
        same=(pl.col("text_verdict") == "same").fill_null(False),
    ).select(
        occurrence_id_a=pl.min_horizontal("one", "other"),
        occurrence_id_b=pl.max_horizontal("one", "other"),
        kind="kind",
        jaccard="jaccard",
        detail=pl.when(pl.col("detail") != "").then("detail"),
        of_papers="of_papers",
        same="same",
    )
    nearest = named.sort(
        "same", "jaccard", "occurrence_id_a", "occurrence_id_b", descending=[True, True, False, False], nulls_last=True
    ).unique("of_papers", keep="first", maintain_order=True)
    shown: dict[str, int] = {}
    keep = []
    for one, other in nearest.select("occurrence_id_a", "occurrence_id_b").iter_rows():
        few = shown.get(one, 0) < NEAREST and shown.get(other, 0) < NEAREST
        if few:
            shown[one], shown[other] = shown.get(one, 0) + 1, shown.get(other, 0) + 1
        keep.append(few)
    table = nearest.filter(pl.Series(keep, dtype=pl.Boolean)).select(empty("conflicts").columns)
    return conform(table.lazy(), "conflicts").sort("occurrence_id_a", "occurrence_id_b").collect()


def spread_of(
    members: pl.DataFrame, pairs: pl.DataFrame, made: Attached, measure_more: Callable[[Rows], float]
) -> pl.DataFrame:
    """Return paper_id, version_count, min_similarity.

    Args:
        members: One row per occurrence, with paper_id, cluster, version_key, text_row.
        pairs: Judged pairs.
        made: The clusters.
        measure_more: Gives the lowest similarity among many texts (rows), for clusters whose pairs are not all judged.
    """
    counted = members.group_by("paper_id", "cluster").agg(
        version_count=pl.col("version_key").drop_nulls().n_unique().cast(pl.Int64),
        with_text=pl.col("text_key").count(),
        texts=pl.col("text_row").filter(pl.col("text_row") >= 0).unique().sort(),
    )
    centre = pl.Series(made.centre)
    inside = (
        pairs.filter(pl.col("similarity").is_not_null() & (pl.col("text_verdict") != "same"))
        .with_columns(cluster=pl.lit(centre).gather(pl.col("a")), other=pl.lit(centre).gather(pl.col("b")))
        .filter(pl.col("cluster") == pl.col("other"))
        .group_by("cluster")
        .agg(lowest=pl.col("similarity").min(), known=pl.struct("text_a", "text_b").n_unique())
    )
    joined = counted.join(inside, on="cluster", how="left").with_columns(
        size=pl.col("texts").list.len().cast(pl.Int64), known=pl.col("known").fill_null(0).cast(pl.Int64)
    )
    incomplete = joined.filter((pl.col("size") > 1) & (pl.col("known") < pl.col("size") * (pl.col("size") - 1) // 2))
    more = pl.DataFrame(
        {
            "cluster": incomplete.get_column("cluster"),
            "measured": [measure_more(np.array(t)) for t in incomplete.get_column("texts").to_list()],
        },
        schema={"cluster": pl.Int64, "measured": pl.Float64},
    )
    return joined.join(more, on="cluster", how="left").select(
        "paper_id",
        "version_count",
        min_similarity=pl.when(pl.col("with_text") > 1).then(
            pl.when(pl.col("size") == 1).then(1.0).otherwise(pl.coalesce("measured", "lowest"))
        ),
    )
