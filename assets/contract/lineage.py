"""From which columns each column of a table comes, as far as the contract says.

A column comes from the one of the same name in the tables that its own is made from; what comes from elsewhere is
named here. A column that no entry covers is made by the step itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from assets.contract.arrow import polars_schema

Sources = tuple[tuple[str, str], ...]
"""Pairs of table and column."""

READS: Mapping[str, tuple[str, ...]] = {
    "sources": (),
    "files": (),
    "documents": ("files",),
    "parsed_occurrences": ("files",),
    "rejects": ("files",),
    "occurrences": ("documents", "parsed_occurrences"),
    "papers": ("documents", "parsed_occurrences"),
    "folds": ("documents", "parsed_occurrences"),
    "conflicts": ("documents", "parsed_occurrences"),
    "paper_aliases": ("documents", "parsed_occurrences"),
    "decisions": ("documents", "parsed_occurrences"),
}
"""The tables that a table is made from; one of the analytical layer is made from the papers."""
_PAPERS = ("papers",)

_CONTENT: Sources = (("files", "content_sha256"),)
_WHAT_FOLDS: Sources = tuple(("parsed_occurrences", column) for column in ("text", "title", "authors", "external_ids"))
_FIRST_SEEN: Sources = (("documents", "snapshot_at"), ("documents", "file_name"), ("documents", "document_id"))
_TEXT: Sources = (("parsed_occurrences", "text"),)
_ID: Sources = (("parsed_occurrences", "occurrence_id"),)

_OTHERS: Mapping[str, Sources] = {
    "documents": _CONTENT,
    "parsed_occurrences": _CONTENT,
    "rejects": _CONTENT,
    "decisions": _ID,
    **dict.fromkeys(("facts", "similar_papers", "topics", "topic_papers", "terms"), (("papers", "text"),)),
}
"""Where all columns of a table come from that have no entry and no column of the same name."""

_NAMED: Mapping[str, Mapping[str, Sources]] = {
    "documents": {
        "list_key": (("files", "source"), ("files", "file_name"), *_CONTENT),
        "snapshot_at": (("files", "source"), ("files", "file_name")),
    },
    "parsed_occurrences": {"occurrence_id": (("files", "document_id"), *_CONTENT)},
    "occurrences": dict.fromkeys(("paper_id", "match_kind", "similarity"), _WHAT_FOLDS),
    "papers": {
        "paper_id": _WHAT_FOLDS,
        "venues": (("documents", "venue"),),
        "years": (("documents", "year"),),
        "occurrence_count": _WHAT_FOLDS,
        "document_count": (("parsed_occurrences", "document_id"),),
        "version_count": _TEXT,
        "min_similarity": _TEXT,
        "field_sources": _ID,
        "representative_occurrence_id": _ID,
        "first_document_id": _FIRST_SEEN,
        "last_document_id": _FIRST_SEEN,
    },
    "folds": {
        "paper_id": _WHAT_FOLDS,
        "matched_occurrence_id": _ID,
        "match_kind": _WHAT_FOLDS,
        "jaccard": _TEXT,
        "containment": _TEXT,
        "detail": _WHAT_FOLDS,
    },
    "conflicts": {
        "occurrence_id_a": _ID,
        "occurrence_id_b": _ID,
        "kind": _WHAT_FOLDS,
        "jaccard": _TEXT,
        "detail": _WHAT_FOLDS,
    },
    "paper_aliases": {
        "paper_id": _WHAT_FOLDS,
        "kind": _WHAT_FOLDS,
        "content_keys": (("parsed_occurrences", "text"), ("parsed_occurrences", "title")),
    },
}


def table_lineage(table: str) -> dict[str, Sources]:
    """Return column -> the columns that it comes from; a column that comes from none is left out."""
    found: dict[str, Sources] = {}
    for column in polars_schema(table):
        same = tuple((read, column) for read in READS.get(table, _PAPERS) if column in polars_schema(read))
        sources = _NAMED.get(table, {}).get(column) or same or _OTHERS.get(table, ())
        if sources:
            found[column] = sources
    return found
