"""What every format module returns: records, pieces and the heading, each with its exact span.

Values are as they stand in the document, markup and line ends included; `markup.py` makes the published text of
them. Spans count characters of the decoded text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from assets.parsed.spans import Span


@dataclass(frozen=True)
class ExternalId:
    """The id of a paper elsewhere."""

    scheme: str
    value: str
    version: str | None = None


@dataclass(slots=True)
class Record:
    """The stretch of a document that holds one paper, with the separator that follows it."""

    start: int
    end: int
    abstract: str | None = None
    abstract_span: Span | None = None
    title: str | None = None
    authors: list[str] | None = None
    url: str | None = None
    ids: list[ExternalId] = field(default_factory=list)
    detail: str | None = None


@dataclass(slots=True)
class Piece:
    """A stretch of a document that is no record, with the reason why."""

    start: int
    end: int
    reason: str
    detail: str | None = None


@dataclass(frozen=True)
class Heading:
    """The line or lines that name a list, and what they say."""

    start: int
    end: int
    venue: str | None = None
    year: int | None = None
    language: str | None = None


@dataclass
class Parsed:
    """A document taken apart. Stretches that neither records, pieces nor the heading cover become `gap_reason`."""

    format: str
    records: list[Record] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    heading: Heading | None = None
    gap_reason: str = "structure"


@dataclass(frozen=True)
class Format:
    """A format of paper lists: its name, how sure its probe is about a text (0 to 1), and its reader."""

    name: str
    probe: Callable[[str], float]
    parse: Callable[[str], Parsed]


class UnsupportedError(Exception):
    """The content is recognised and can't be read; the message names the kind for a person."""
