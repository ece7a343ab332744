"""Texts of many records resolved at once: the columns of a batch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

import polars as pl

from assets.parsed.language import languages, words
from assets.parsed.markup import resolve_column
from assets.parsed.record import ExternalId, Record


class _Part(Protocol):
    @property
    def records(self) -> list[Record]: ...


@dataclass(frozen=True)
class Columns:
    """What was resolved of a batch's records, in their order; `ids` and `detail` by index of the record."""

    text: list[str | None]
    title: list[str | None]
    authors: list[list[str] | None]
    language: list[str | None]
    words: list[int]
    ids: dict[int, tuple[ExternalId, ...]]
    detail: dict[int, str]


@dataclass(frozen=True)
class RawColumns:
    """The raw values of a batch's records, in their order."""

    abstract: list[str | None]
    title: list[str | None]
    authors: list[list[str] | None]


def raw_columns(parts: Iterable[_Part]) -> RawColumns:
    """Return the raw values of all records of the parts."""
    records = list(chain.from_iterable(part.records for part in parts))
    return RawColumns([r.abstract for r in records], [r.title for r in records], [r.authors for r in records])


def resolve_columns(raw: RawColumns) -> Columns:
    """Return the resolved values of a batch."""
    abstracts = resolve_column(pl.Series(_encodable(raw.abstract), dtype=pl.String))
    frame = abstracts.texts.to_frame("text").with_columns(words(pl.col("text")).alias("words"))
    titles = resolve_column(pl.Series(_encodable(raw.title), dtype=pl.String)) if any(raw.title) else None
    ids = dict(abstracts.ids)
    for index, found in (titles.ids if titles else {}).items():
        ids[index] = (*ids.get(index, ()), *found)
    return Columns(
        frame["text"].to_list(),
        titles.texts.to_list() if titles else [None] * len(raw.title),
        _resolve_names(raw.authors),
        languages(frame["text"]).to_list(),
        frame["words"].to_list(),
        ids,
        abstracts.details,
    )


def _encodable(values: list[str | None]) -> list[str | None]:
    """Lone surrogates come out of JSON escapes; no table can hold them."""
    return [v if v is None or v.isascii() else v.encode("utf-8", "replace").decode() for v in values]


def _resolve_names(authors: list[list[str] | None]) -> list[list[str] | None]:
    if not any(authors):
        return [None] * len(authors)
    flat = pl.Series(_encodable([name for names in authors for name in names or ()]), dtype=pl.String)
    resolved = iter(resolve_column(flat).texts.to_list())
    lists = [[name for name in (next(resolved) for _ in names) if name] if names else None for names in authors]
    return [names or None for names in lists]
