"""Entries: one row per occurrence with the keys that folding compares, instead of its text.

What is read from an occurrence belongs here: hashes of text and words, forms of title and ids, how well the copy is
formed. Nothing here compares two occurrences.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from assets.folded.agreement import IDENTIFYING_SCHEMES
from assets.folded.canonical import title_form
from assets.folded.words import Keys, Words, hash_words, sequence_keys, stable_hash

_CUT = r"(?:\.\s*\.\s*\.|…|\[\s*(?:\.\.\.|…)\s*\])\s*$"
_ARXIV_DOI = r"^10\.48550/arxiv\."

ENTRY_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "occurrence_id": pl.String,
    "document_id": pl.String,
    "position": pl.Int64,
    "text_key": pl.UInt64,
    "raw_key": pl.UInt64,
    "words": pl.Int64,
    "flaws": pl.UInt8,
    "title_form": pl.String,
    "authors": pl.List(pl.String),
    "ids": pl.List(pl.String),
}
"""Columns of entries. text_key is the key of the word sequence, raw_key of the abstract as it came."""


def document_order(documents: pl.LazyFrame) -> pl.DataFrame:
    """Return document_id, list_key, venue, year, `document_order` and `document_key`.

    The order is that of snapshot time (unknown last), then name. The key changes when anything that folding takes from
    the document, or how it was read, changes.
    """
    said = ("document_id", "read_key", "list_key", "venue", "year", "snapshot_at", "source", "file_name")
    return (
        documents.select(said)
        .sort("snapshot_at", "file_name", "source", "document_id", nulls_last=True)
        .with_row_index("document_order")
        .with_columns(
            document_key=stable_hash(
                pl.concat_str([pl.col(name).cast(pl.String).fill_null("\x00") for name in said], separator="\x1e")
            )
        )
        .select("document_id", "document_order", "list_key", "venue", "year", "document_key")
        .collect()
    )


def normal_ids(ids: pl.Expr) -> pl.Expr:
    """Return external_ids as sorted distinct "scheme:value" strings of schemes that name one paper, else null."""
    scheme = pl.element().struct.field("scheme").str.to_lowercase()
    value = pl.element().struct.field("value").str.to_lowercase().str.strip_chars()
    is_arxiv_doi = (scheme == "doi") & value.str.contains(_ARXIV_DOI)
    name = (
        pl.when(is_arxiv_doi)
        .then(pl.format("arxiv:{}", value.str.replace(_ARXIV_DOI, "")))
        .otherwise(pl.format("{}:{}", scheme, value))
    )
    listed = ids.list.eval(name.filter(scheme.is_in(list(IDENTIFYING_SCHEMES)))).list.unique().list.sort()
    return pl.when(listed.list.len() > 0).then(listed)


def flaws(text: pl.Expr) -> pl.Expr:
    """Return what a copy suffers from: 4 shouting or undecodable characters, 2 cut, 1 markup left over, in sum."""
    shouting = ~text.str.contains(r"\p{Ll}{3}") & text.str.contains(r"[A-Z]{3}")
    broken = text.str.contains("\ufffd", literal=True)
    cut = text.str.tail(9).str.contains(_CUT)
    markup = text.str.contains(r"\\[a-zA-Z]|</?[a-z]+>|&[a-z]+;")
    return (4 * (shouting | broken).cast(pl.UInt8) + 2 * cut.cast(pl.UInt8) + markup.cast(pl.UInt8)).cast(pl.UInt8)


def text_keys(text: pl.Series) -> tuple[Keys, Words]:
    """Return the key of each text's word sequence, and its hashed words.

    A text without a word (signs alone) has the key of its characters.
    """
    words = hash_words(text)
    keys = sequence_keys(words)
    wordless = words.counts == 0
    if wordless.any():
        of_characters = text.to_frame("t").select(stable_hash(pl.col("t"))).to_series().to_numpy()
        keys = np.where(wordless, of_characters, keys)
    return keys, words


def entries(occurrences: pl.DataFrame) -> tuple[pl.DataFrame, Keys, Words]:
    """Return the entries of a batch of occurrences, and its distinct texts: their keys and their hashed words."""
    frame = occurrences.select(
        "occurrence_id",
        "document_id",
        "position",
        "text",
        "authors",
        title_form=title_form(pl.col("title")),
        ids=normal_ids(pl.col("external_ids")),
        raw_key=pl.when(pl.col("text").is_not_null())
        .then(pl.when(pl.col("title").is_null()).then(pl.col("raw_text").str.strip_chars()).otherwise(pl.col("text")))
        .pipe(stable_hash),
        as_read=stable_hash(pl.col("text")),
    )
    distinct = frame.filter(pl.col("text").is_not_null()).unique("as_read", maintain_order=True, keep="first")
    keys, words = text_keys(distinct.get_column("text"))
    read = distinct.select("as_read", flaws=flaws(pl.col("text"))).with_columns(
        text_key=pl.Series(keys, dtype=pl.UInt64), words=pl.Series(words.counts, dtype=pl.Int64)
    )
    rows = frame.drop("text").join(read, on="as_read", how="left", maintain_order="left")
    return rows.select(pl.col(name).cast(dtype) for name, dtype in ENTRY_SCHEMA.items()), keys, words
