"""The rules that the tables of reading must keep: conservation, keys, counts.

Each rule is a function from tables to a verdict. It runs as an asset check after reading, on `parsed_occurrences`,
and again in the audit of a staged release, on the published `occurrences`: `checks_of` makes the rules for either.
"""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from assets.contract.check import Check, Tables, Verdict, verdict_from_failing
from assets.parsed.decoding import DecodingError, decode
from assets.parsed.spans import nonblank

REJECT_CHARS = 2000


def stretches(tables: Tables, occurrences: str) -> pl.LazyFrame:
    """Return what covers the documents: heading, occurrences, and rejects that lie in no occurrence.

    Columns: document_id, kind, char_start, char_end, chars (without white space).
    """
    heading = (
        tables["documents"]
        .filter(pl.col("heading_start").is_not_null())
        .select(
            "document_id",
            pl.lit("heading").alias("kind"),
            pl.col("heading_start").alias("char_start"),
            pl.col("heading_end").alias("char_end"),
            # NFC may have fewer characters than the slice, yet as many blanks.
            (
                pl.col("heading_end")
                - pl.col("heading_start")
                - pl.col("heading").str.count_matches(r"\s").cast(pl.Int64)
            ).alias("chars"),
        )
    )
    read = tables[occurrences].select(
        "document_id",
        pl.lit("occurrence").alias("kind"),
        "char_start",
        "char_end",
        nonblank(pl.col("raw_text")).alias("chars"),
    )
    left = (
        tables["rejects"]
        .filter(pl.col("occurrence_id").is_null() & pl.col("raw_text").is_not_null())
        .select(
            "document_id",
            pl.lit("reject").alias("kind"),
            "char_start",
            "char_end",
            pl.col("chars_nonblank").alias("chars"),
        )
    )
    return pl.concat([heading, read, left])


def conservation(tables: Tables, occurrences: str) -> Verdict:
    """Every non-blank character of a document is in exactly one stretch: spans are disjoint and the sums agree."""
    spans = stretches(tables, occurrences).sort("document_id", "char_start")
    overlapping = (
        spans.with_columns(pl.col("char_end").shift(1).over("document_id").alias("previous_end"))
        .filter(
            (pl.col("char_start") >= pl.col("char_end")) | (pl.col("char_start") < pl.col("previous_end").fill_null(0))
        )
        .select(
            "document_id",
            pl.format("{} {}..{} overlaps what ends at {}", "kind", "char_start", "char_end", "previous_end").alias(
                "found"
            ),
        )
    )
    sums = spans.group_by("document_id").agg(pl.col("chars").sum())
    unequal = (
        tables["documents"]
        .join(sums, on="document_id", how="left")
        .filter(pl.col("chars").fill_null(0) != pl.col("chars_nonblank"))
        .select(
            "document_id",
            pl.format("{} of {} characters accounted for", pl.col("chars").fill_null(0), "chars_nonblank").alias(
                "found"
            ),
        )
    )
    characters = tables["documents"].select(pl.col("chars_nonblank").sum()).collect().item()
    return verdict_from_failing(pl.concat([overlapping, unequal]), characters=int(characters or 0))


def raw_texts(tables: Tables, occurrences: str) -> Verdict:
    """Every raw text is as long as its span; positions count up from 1 in the order of the spans."""
    wrong_length = (
        tables[occurrences]
        .filter(pl.col("raw_text").str.len_chars() != pl.col("char_end") - pl.col("char_start"))
        .select("document_id", pl.format("raw text of position {} is not its span", "position").alias("found"))
    )
    wrong_reject = (
        tables["rejects"]
        .filter(
            pl.col("raw_text").is_not_null()
            & (
                pl.col("raw_text").str.len_chars()
                != (pl.col("char_end") - pl.col("char_start")).clip(upper_bound=REJECT_CHARS)
            )
        )
        .select("document_id", pl.format("raw text of the reject at {} is not its span", "char_start").alias("found"))
    )
    out_of_order = (
        tables[occurrences]
        .select("document_id", "position", pl.col("char_start").rank("ordinal").over("document_id").alias("rank"))
        .filter(pl.col("position") != pl.col("rank").cast(pl.Int64))
        .select("document_id", pl.format("position {} stands at place {}", "position", "rank").alias("found"))
    )
    return verdict_from_failing(pl.concat([wrong_length, wrong_reject, out_of_order]))


def inner_rejects(tables: Tables, occurrences: str) -> Verdict:
    """A reject that names an occurrence lies inside it."""
    outside = (
        tables["rejects"]
        .filter(pl.col("occurrence_id").is_not_null())
        .join(
            tables[occurrences].select(
                "occurrence_id",
                pl.col("document_id").alias("outer_document"),
                pl.col("char_start").alias("outer_start"),
                pl.col("char_end").alias("outer_end"),
            ),
            on="occurrence_id",
            how="left",
        )
        .filter(
            pl.col("outer_document").is_null()
            | (pl.col("outer_document") != pl.col("document_id"))
            | (pl.col("char_start") < pl.col("outer_start"))
            | (pl.col("char_end") > pl.col("outer_end"))
        )
        .select("document_id", "occurrence_id", "char_start", "char_end")
    )
    return verdict_from_failing(outside)


def keys(tables: Tables, occurrences: str) -> Verdict:
    """Keys are unique, and every occurrence and reject belongs to a document."""
    unique = {
        "documents": ("document_id",),
        occurrences: ("occurrence_id",),
        "rejects": ("document_id", "char_start", "reason"),
    }
    problems = [
        tables[table]
        .group_by(columns)
        .len()
        .filter(pl.col("len") > 1)
        .select(
            pl.lit(table).alias("table"),
            pl.concat_str([pl.col(c).cast(pl.String) for c in columns], separator=" ").alias("key"),
            pl.lit("not unique").alias("found"),
        )
        for table, columns in unique.items()
    ]
    problems += [
        tables[table]
        .join(tables["documents"], on="document_id", how="anti")
        .select(
            pl.lit(table).alias("table"), pl.col("document_id").alias("key"), pl.lit("no such document").alias("found")
        )
        for table in (occurrences, "rejects")
    ]
    return verdict_from_failing(pl.concat(problems))


def counts(tables: Tables, occurrences: str) -> Verdict:
    """The counts of a document are those of its rows, and a document that was not decoded is one reject."""
    rows = tables["documents"].select("document_id", "occurrences", "rejects", "encoding", "chars_nonblank")
    for table, name in ((occurrences, "found_occurrences"), ("rejects", "found_rejects")):
        found = tables[table].group_by("document_id").agg(pl.len().cast(pl.Int64).alias(name))
        rows = rows.join(found, on="document_id", how="left").with_columns(pl.col(name).fill_null(0))
    undecoded = pl.col("encoding").is_null()
    return verdict_from_failing(
        rows.filter(
            (pl.col("occurrences") != pl.col("found_occurrences"))
            | (pl.col("rejects") != pl.col("found_rejects"))
            | (undecoded & ((pl.col("found_rejects") != 1) | (pl.col("found_occurrences") != 0)))
            | (undecoded & (pl.col("chars_nonblank") != 0))
        )
    )


def slices(
    tables: Tables, occurrences: str, load: Callable[[str], bytes], *, max_unpacked_bytes: int = 2 * 1024**3
) -> Verdict:
    """Every raw text and heading is the slice of the stored content that its span names.

    Args:
        tables: documents, the occurrences and rejects.
        occurrences: Name of the table of occurrences.
        load: Returns the stored bytes of a content by its SHA-256.
        max_unpacked_bytes: The limit that the documents were read with.
    """
    documents = tables["documents"].filter(pl.col("encoding").is_not_null()).collect()
    wanted = [
        tables[table]
        .select("document_id", "char_start", "char_end", "raw_text")
        .collect()
        .partition_by("document_id", as_dict=True)
        for table in (occurrences, "rejects")
    ]
    failing: list[dict[str, str]] = []
    for document in documents.iter_rows(named=True):
        identity = document["document_id"]
        try:
            text = decode(
                load(document["content_sha256"]), encoding=document["encoding"], max_unpacked_bytes=max_unpacked_bytes
            ).text
        except (DecodingError, OSError, KeyError) as error:
            failing.append({"document_id": identity, "found": f"the stored content can't be read: {error}"})
            continue
        for parts in wanted:
            for _, start, end, raw in parts[(identity,)].iter_rows() if (identity,) in parts else ():
                if text[start:end][: len(raw)] != raw or len(raw) < min(end - start, REJECT_CHARS):
                    failing.append({"document_id": identity, "found": f"{start}..{end} is not what is stored"})
    return verdict_from_failing(
        pl.DataFrame(failing, schema={"document_id": pl.String, "found": pl.String}), documents=documents.height
    )


def checks_of(occurrences: str) -> tuple[Check, ...]:
    """Return the rules over documents, the named table of occurrences, and rejects."""
    tables = ("documents", occurrences, "rejects")
    rules = (
        ("conservation", conservation),
        ("raw_texts", raw_texts),
        ("inner_rejects", inner_rejects),
        ("reading_keys", keys),
        ("reading_counts", counts),
    )
    return tuple(
        Check(name, (rule.__doc__ or "").strip().splitlines()[0], tables, _on(rule, occurrences))
        for name, rule in rules
    )


def _on(rule: Callable[[Tables, str], Verdict], table: str) -> Callable[[Tables], Verdict]:
    return lambda tables: rule(tables, table)


CHECKS = checks_of("parsed_occurrences")
"""The rules that run after reading."""
