"""Reads small documents that a test states in full, and looks for the shared lists."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from assets.contract.arrow import polars_schema
from assets.contract.check import Tables
from assets.contract.ids import document_id
from assets.parsed.checks import CHECKS, slices
from assets.parsed.options import ReadingSettings, SourceOptions
from assets.parsed.reading import read_documents


@dataclass(frozen=True)
class Read:
    """The three tables that were read, each as rows, and the bytes that they were read from."""

    documents: pl.DataFrame
    occurrences: pl.DataFrame
    rejects: pl.DataFrame
    contents: dict[str, bytes]

    @property
    def document(self) -> dict[str, Any]:
        assert self.documents.height == 1
        return self.documents.row(0, named=True)

    @property
    def texts(self) -> list[str | None]:
        return self.occurrences["text"].to_list()

    @property
    def titles(self) -> list[str | None]:
        return self.occurrences["title"].to_list()

    @property
    def tables(self) -> Tables:
        return {
            "documents": self.documents.lazy(),
            "parsed_occurrences": self.occurrences.lazy(),
            "rejects": self.rejects.lazy(),
        }

    def reasons(self) -> dict[str, str]:
        """Return reject text -> reason."""
        return dict(self.rejects.select("raw_text", "reason").iter_rows())


def files_table(contents: Mapping[str, bytes], **columns: Any) -> tuple[pl.DataFrame, dict[str, bytes]]:
    rows, stored = [], {}
    for name, content in contents.items():
        digest = hashlib.sha256(content).hexdigest()
        stored[digest] = content
        row = {
            "document_id": document_id("lists", name, digest),
            "source": "lists",
            "file_name": name,
            "content_sha256": digest,
            "bytes": len(content),
            "modified_at": None,
            "snapshot_at": None,
            "problem": None,
            "problem_detail": None,
        }
        rows.append({**row, **columns})
    return pl.DataFrame(rows, schema=polars_schema("files")), stored


def read_contents(
    contents: Mapping[str, bytes | str],
    options: Mapping[str, SourceOptions] | None = None,
    *,
    check: bool = True,
    **settings: Any,
) -> Read:
    encoded = {name: c.encode() if isinstance(c, str) else c for name, c in contents.items()}
    files, stored = files_table(encoded)
    readings = list(read_documents(files, stored.__getitem__, options or {}, ReadingSettings(**settings)))
    frames = [pl.concat([getattr(r, name) for r in readings]) for name in ("documents", "occurrences", "rejects")]
    read = Read(*frames, stored)
    if check:
        assert_kept(read)
    return read


def assert_kept(read: Read) -> None:
    """Every rule of reading holds, down to the slices of the stored bytes, and no reader failed."""
    for details in (read.rejects["detail"], read.occurrences["detail"]):
        assert not details.str.contains("fault of Paperfold", literal=True).any(), details.to_list()
    for rule in CHECKS:
        verdict = rule.judge(read.tables)
        assert verdict.passed, (rule.name, verdict.figures, verdict.failing)
    verdict = slices(read.tables, "parsed_occurrences", read.contents.__getitem__)
    assert verdict.passed, verdict.failing


@pytest.fixture(scope="session")
def read() -> Callable[..., Read]:
    """Reads one document (a text or bytes) or several (a mapping of names) and holds the result to every rule."""

    def reads(content: str | bytes | Mapping[str, str | bytes], name: str = "list.txt", **settings: Any) -> Read:
        return read_contents(content if isinstance(content, Mapping) else {name: content}, **settings)

    return reads


@pytest.fixture(scope="session")
def shared() -> Path:
    place = Path(os.environ.get("PAPERFOLD_SHARED", Path(__file__).parents[2] / "../shared")).resolve()
    if not place.is_dir():
        pytest.skip(f"no shared lists at {place}")
    return place
