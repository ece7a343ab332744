"""Texts of many records resolved at once: the columns of a batch, by worker processes where the input is large.

A batch is resolved by the same function in this process and in a worker, so the result does not depend on how many
there are.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain
from types import TracebackType
from typing import Protocol, Self, TypeVar

import polars as pl

from assets.parsed.language import languages, words
from assets.parsed.markup import resolve_column
from assets.parsed.options import ReadingSettings
from assets.parsed.record import ExternalId, Record


class _Part(Protocol):
    @property
    def records(self) -> list[Record]: ...


P = TypeVar("P", bound=_Part)


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


class Resolver:
    """Resolves batches in order, in this process or, when the input is large, in worker processes."""

    def __init__(self, settings: ReadingSettings, input_bytes: int) -> None:
        self._workers = settings.workers or os.cpu_count() or 1
        parallel = self._workers > 1 and input_bytes >= settings.parallel_chars
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(self._workers, mp_context=context) if parallel else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def resolve(self, batches: Iterable[list[P]]) -> Iterator[tuple[list[P], Columns]]:
        """Yield each batch with its resolved columns, in the order of the batches."""
        if self._pool is None:
            for batch in batches:
                yield batch, resolve_columns(raw_columns(batch))
            return
        waiting: deque[tuple[list[P], Future[Columns]]] = deque()
        for batch in batches:
            waiting.append((batch, self._pool.submit(resolve_columns, raw_columns(batch))))
            if len(waiting) > self._workers:
                first, future = waiting.popleft()
                yield first, future.result()
        for batch, future in waiting:
            yield batch, future.result()
