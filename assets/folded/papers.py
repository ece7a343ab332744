"""Papers: the best of each cluster's copies, field by field, with the occurrence that gave it.

What one row of `papers` takes from which occurrence belongs here. Which occurrences make a paper does not.
"""

from __future__ import annotations

import polars as pl

from assets.contract.arrow import conform, polars_schema

_OF_MEMBER = [
    "paper_id", "occurrence_id", "document_id", "representative_occurrence_id", "document_order", "position", "venue",
    "year",
]  # fmt: skip
PER_COPY = ["occurrence_id", "title", "authors", "url", "external_ids"]
PER_PAPER = ["text", "language", "words"]
"""Columns of occurrences that a paper takes from each copy, and from its representative."""


def paper_rows(
    alone: pl.DataFrame, several: pl.DataFrame, occurrences: pl.LazyFrame, spread: pl.DataFrame
) -> pl.LazyFrame:
    """Return the table `papers`, sorted by paper_id.

    Args:
        alone: Occurrences that are all their paper has: paper_id, occurrence_id, document_id, text_key,
            representative_occurrence_id, document_order, position, venue, year.
        several: The same of the others, one row per occurrence.
        occurrences: The occurrences' own columns, at least of these members.
        spread: paper_id, version_count, min_similarity of papers with several occurrences.
    """
    alone_spread = alone.select(
        "paper_id",
        version_count=pl.col("text_key").is_not_null().cast(pl.Int64),
        min_similarity=pl.lit(None, pl.Float64),
    )
    spread = pl.concat([alone_spread, spread.select(alone_spread.columns)])
    per_copy = occurrences.select(PER_COPY)
    fields = pl.concat(
        [
            made(members.select(_OF_MEMBER).lazy().join(per_copy, on="occurrence_id", how="left").collect())
            for made, members in ((_of_one, alone), (_of_several, several))
        ]
    )
    texts = occurrences.select("occurrence_id", *PER_PAPER)
    rows = (
        fields.lazy()
        .join(spread.lazy(), on="paper_id", how="left")
        .join(texts, left_on="representative_occurrence_id", right_on="occurrence_id", how="left")
        .with_columns(
            field_sources=pl.struct(
                text=pl.when(pl.col("text").is_not_null()).then("representative_occurrence_id"),
                title="title_source",
                authors="authors_source",
            )
        )
        .select(polars_schema("papers").keys())
    )
    return conform(rows, "papers").sort("paper_id")


def _sorted_list(name: str) -> pl.Expr:
    return pl.col(name).drop_nulls().unique().sort().alias(f"{name}s")


def _of_one(copies: pl.DataFrame) -> pl.DataFrame:
    """Return the fields of papers with a single copy."""
    return copies.select(
        "paper_id",
        "representative_occurrence_id",
        "title",
        "authors",
        "url",
        external_ids=pl.col("external_ids").fill_null([]),
        title_source=pl.when(pl.col("title").is_not_null()).then("occurrence_id"),
        authors_source=pl.when(pl.col("authors").is_not_null()).then("occurrence_id"),
        venues=pl.concat_list("venue").list.drop_nulls(),
        years=pl.concat_list("year").list.drop_nulls(),
        occurrence_count=pl.lit(1, pl.Int64),
        document_count=pl.lit(1, pl.Int64),
        first_document_id="document_id",
        last_document_id="document_id",
    )


def _of_several(copies: pl.DataFrame) -> pl.DataFrame:
    """Return the fields of papers with two copies or more.

    The title is one that does not shout, then the one that most copies have, then the longest; the authors are the
    longest list, then the one with the fullest names.
    """
    ordered = copies.sort("paper_id", "document_order", "position", "occurrence_id")
    shouting = ~pl.col("title").str.contains(r"\p{Ll}") & pl.col("title").str.contains(r"[A-Z]{3}")
    titles = (
        ordered.filter(pl.col("title").is_not_null())
        .with_columns(
            shouting=shouting, times=pl.len().over("paper_id", "title"), letters=pl.col("title").str.len_chars()
        )
        .sort(
            ["paper_id", "shouting", "times", "letters", "title", "document_order", "position", "occurrence_id"],
            descending=[False, False, True, True, False, False, False, False],
        )
        .unique("paper_id", keep="first", maintain_order=True)
        .select("paper_id", "title", title_source="occurrence_id")
    )
    authors = (
        ordered.filter(pl.col("authors").is_not_null())
        .with_columns(
            people=pl.col("authors").list.len(),
            loud=~pl.col("authors").list.join("").str.contains(r"\p{Ll}"),
            letters=pl.col("authors").list.join(" ").str.len_chars(),
            names=pl.col("authors").list.join("\n"),
        )
        .sort(
            ["paper_id", "people", "loud", "letters", "names", "document_order", "position", "occurrence_id"],
            descending=[False, True, False, True, False, False, False, False],
        )
        .unique("paper_id", keep="first", maintain_order=True)
        .select("paper_id", "authors", authors_source="occurrence_id")
    )
    urls = (
        ordered.filter(pl.col("url").is_not_null())
        .with_columns(other=pl.col("occurrence_id") != pl.col("representative_occurrence_id"))
        .sort("paper_id", "other", "document_order", "position", "occurrence_id")
        .unique("paper_id", keep="first", maintain_order=True)
        .select("paper_id", "url")
    )
    counted = ordered.group_by("paper_id", maintain_order=True).agg(
        pl.col("representative_occurrence_id").first(),
        _sorted_list("venue"),
        _sorted_list("year"),
        occurrence_count=pl.len().cast(pl.Int64),
        document_count=pl.col("document_id").n_unique().cast(pl.Int64),
        first_document_id=pl.col("document_id").first(),
        last_document_id=pl.col("document_id").last(),
    )
    ids_type = polars_schema("papers")["external_ids"]
    return (
        counted.join(titles, on="paper_id", how="left")
        .join(authors, on="paper_id", how="left")
        .join(urls, on="paper_id", how="left")
        .join(_all_ids(ordered), on="paper_id", how="left")
        .with_columns(pl.col("external_ids").fill_null(pl.lit([], dtype=ids_type)))
        .select(
            "paper_id",
            "representative_occurrence_id",
            "title",
            "authors",
            "url",
            "external_ids",
            "title_source",
            "authors_source",
            "venues",
            "years",
            "occurrence_count",
            "document_count",
            "first_document_id",
            "last_document_id",
        )
    )


def _all_ids(copies: pl.DataFrame) -> pl.DataFrame:
    """Return paper_id and the distinct ids of all copies, each with its highest version."""
    return (
        copies.select("paper_id", "external_ids")
        .filter(pl.col("external_ids").list.len() > 0)
        .explode("external_ids")
        .unnest("external_ids")
        .with_columns(number=pl.col("version").str.extract(r"(\d+)").cast(pl.Int64, strict=False))
        .sort(
            "paper_id",
            "scheme",
            "value",
            "number",
            "version",
            descending=[False, False, False, True, True],
            nulls_last=True,
        )
        .unique(["paper_id", "scheme", "value"], keep="first", maintain_order=True)
        .group_by("paper_id", maintain_order=True)
        .agg(external_ids=pl.struct("scheme", "value", "version"))
    )
