"""Exports of reference databases in lines with tags: RIS, MEDLINE, Web of Science, EndNote, RefWorks, CNKI.

A dialect says what a tag line looks like, which tag begins a record and which lines go on with a field. Lines that
look like tags inside a field are told apart by that: MEDLINE's continuation lines are indented whatever they say.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

from assets.parsed import external_ids
from assets.parsed.formats.names import split_names
from assets.parsed.formats.values import natural_name
from assets.parsed.record import ExternalId, Format, Parsed, Piece, Record
from assets.parsed.spans import Span, lines_of, trim


@dataclass(frozen=True)
class Dialect:
    """A kind of tagged export."""

    name: str
    tag: re.Pattern[str]
    """Matches a tag line; groups `tag` and `value`."""
    first: frozenset[str]
    """Tags that begin a record."""
    last: str | None
    """Tag that ends a record."""
    known: re.Pattern[str]
    """Matches at least once per file of this kind; what the probe looks for."""
    title: tuple[str, ...]
    abstract: tuple[str, ...]
    authors: tuple[str, ...]
    url: tuple[str, ...] = ()
    doi: tuple[str, ...] = ()
    pmid: tuple[str, ...] = ()
    indented: bool = False
    """Whether only indented lines go on with a field."""
    blank_ends: bool = False
    """Whether a blank line ends a record."""
    joined_authors: bool = False
    """Whether one field may hold several authors."""


RIS = Dialect(
    name="ris",
    tag=re.compile(r"^(?P<tag>[A-Z][A-Z0-9]) {2}-(?:$| ?(?P<value>.*)$)"),
    first=frozenset({"TY"}),
    last="ER",
    known=re.compile(r"^TY {2}- ?[A-Z]", re.MULTILINE),
    title=("TI", "T1", "CT", "BT", "ST"),
    abstract=("AB", "N2"),
    authors=("AU", "A1"),
    url=("UR", "L2", "LK"),
    doi=("DO", "DI", "M3"),
)
MEDLINE = Dialect(
    name="medline",
    tag=re.compile(r"^(?P<tag>[A-Z][A-Z0-9]{1,3})(?=.{0,2}- ?) {0,2}-(?:$| ?(?P<value>.*)$)"),
    first=frozenset({"PMID"}),
    last=None,
    known=re.compile(r"^PMID- ?\d", re.MULTILINE),
    title=("TI", "BTI", "TT"),
    abstract=("AB", "OAB"),
    authors=("FAU", "AU", "CN"),
    doi=("LID", "AID"),
    pmid=("PMID",),
    indented=True,
)
WOS = Dialect(
    name="wos",
    tag=re.compile(r"^(?P<tag>[A-Z][A-Z0-9])(?:$| (?P<value>.*)$)"),
    first=frozenset({"PT"}),
    last="ER",
    known=re.compile(r"^(?:FN .+\r?\n|\r)?(?:VR .+)?(?:\r\n|\n|\r)?PT [A-Z]\s*$", re.MULTILINE),
    title=("TI",),
    abstract=("AB",),
    authors=("AF", "AU"),
    doi=("DI",),
    pmid=("PM",),
    indented=True,
)
REFWORKS = Dialect(
    name="refworks",
    tag=re.compile(r"^(?P<tag>[A-Z][A-Z0-9])(?:$| (?P<value>.*)$)"),
    first=frozenset({"RT"}),
    last=None,
    known=re.compile(r"^RT [A-Z][a-z]+[^\n]*(?:\r\n|\n|\r)(?:SR|ID|A1|T1|AU) ", re.MULTILINE),
    title=("T1",),
    abstract=("AB",),
    authors=("A1",),
    url=("UL", "LK"),
    doi=("DO",),
    blank_ends=True,
)
ENDNOTE = Dialect(
    name="endnote",
    tag=re.compile(r"^%(?P<tag>[0-9A-Z@!&$?~*#+<>()\[\]^|:;=])(?:$| (?P<value>.*)$)"),
    first=frozenset({"0"}),
    last=None,
    known=re.compile(r"^%0 [A-Z]", re.MULTILINE),
    title=("T",),
    abstract=("X",),
    authors=("A",),
    url=("U",),
    doi=("R",),
    blank_ends=False,
)
CNKI = Dialect(
    name="cnki",
    tag=re.compile(r"^\{(?P<tag>[^{}\r\n]{2,40})\}\s*[:：]\s?(?P<value>.*)$"),
    first=frozenset({"Reference Type"}),
    last=None,
    known=re.compile(r"^\{Reference Type\}\s*[:：]", re.MULTILINE),
    title=("Title",),
    abstract=("Abstract",),
    authors=("Author",),
    url=("URL",),
    doi=("DOI",),
    joined_authors=True,
)
CNKI_FIELDS = Dialect(
    name="cnki",
    tag=re.compile(
        r"^(?P<tag>[A-Z][A-Za-z]{1,30})-(?:[\u4e00-\u9fff]{1,12}|DOI|ISSN|ISBN|URL)\s*[:：]\s?(?P<value>.*)$"
    ),
    first=frozenset({"SrcDatabase"}),
    last=None,
    known=re.compile(r"^SrcDatabase-[\u4e00-\u9fff]{1,12}\s*[:：]", re.MULTILINE),
    title=("Title",),
    abstract=("Summary", "Abstract"),
    authors=("Author",),
    url=("Link", "URL"),
    doi=("DOI",),
    joined_authors=True,
)
DIALECTS = (RIS, MEDLINE, WOS, REFWORKS, ENDNOTE, CNKI, CNKI_FIELDS)


def formats() -> tuple[Format, ...]:
    """Return one format per dialect."""
    return tuple(Format(d.name, lambda text, d=d: probe(text, d), lambda text, d=d: parse(text, d)) for d in DIALECTS)  # type: ignore[misc]


def probe(text: str, dialect: Dialect) -> float:
    """Return how sure it is that the text is an export of this dialect."""
    sample = text[:100_000]
    match = dialect.known.search(_unified(sample))
    if match is None:
        return 0.0
    lines = [line for line in sample[:20_000].splitlines() if line.strip()]
    tags = sum(bool(dialect.tag.match(line)) for line in lines)
    return 0.9 if tags >= 2 and tags * 8 >= len(lines) else 0.3


def _unified(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


@dataclass(slots=True)
class _Field:
    tag: str
    start: int
    end: int


def parse(text: str, dialect: Dialect) -> Parsed:
    """Return the records of an export; lines that belong to no record become pieces."""
    parsed = Parsed(dialect.name)
    fields: list[_Field] = []
    begin = end = 0
    in_record = False
    blank = False

    def close() -> None:
        nonlocal in_record
        if in_record:
            parsed.records.append(_record(text, dialect, fields, begin, end))
        fields.clear()
        in_record = False

    for start, stop in lines_of(text):
        line = text[start:stop]
        if not line.strip():
            blank = True
            continue
        match = dialect.tag.match(line)
        if match and match["tag"] in dialect.first:
            close()
            in_record, begin = True, start
            fields.append(_Field(match["tag"], start + max(match.start("value"), 0), stop))
        elif not in_record:
            parsed.pieces.append(Piece(start, stop, _outside(line, match), None))
            continue
        elif match and match["tag"] == dialect.last:
            end = stop
            close()
            continue
        elif match:
            value_at = match.start("value")
            fields.append(_Field(match["tag"], start + value_at if value_at >= 0 else stop, stop))
        elif _continues(line, dialect, blank=blank):
            fields[-1].end = stop
        else:
            close()
            parsed.pieces.append(Piece(start, stop, "fragment", "a line between records"))
            continue
        end = stop
        blank = False
    close()
    parsed.pieces = _merged(text, parsed.pieces)
    return parsed


def _outside(line: str, match: re.Match[str] | None) -> str:
    bare = line.strip()
    if match or re.fullmatch(r"\W*\d{1,6}\W*", bare) or not any(c.isalnum() for c in bare) or bare in ("EF", "ER"):
        return "structure"
    return "fragment"


def _continues(line: str, dialect: Dialect, *, blank: bool) -> bool:
    """Return whether a line without a tag goes on with the field before it."""
    if line[:1].isspace():
        return not (blank and dialect.blank_ends)
    if dialect.indented:
        return not blank and dialect is not MEDLINE
    return not (blank and dialect.blank_ends)


def _merged(text: str, pieces: list[Piece]) -> list[Piece]:
    """Join neighbouring pieces of one reason."""
    merged: list[Piece] = []
    for piece in pieces:
        last = merged[-1] if merged else None
        if last and last.reason == piece.reason and not text[last.end : piece.start].strip():
            last.end = piece.end
        else:
            merged.append(piece)
    return merged


def _record(text: str, dialect: Dialect, fields: list[_Field], start: int, end: int) -> Record:
    spans: dict[str, list[Span]] = defaultdict(list)
    for field in fields:
        span = trim(text, field.start, field.end)
        if span[0] < span[1]:
            spans[field.tag].append(span)
    record = Record(start, end)
    if title := _first(spans, dialect.title):
        record.title = text[title[0] : title[1]]
    if abstract := _longest(spans, dialect.abstract):
        record.abstract_span, record.abstract = abstract, text[abstract[0] : abstract[1]]
    record.authors = _authors(text, dialect, spans)
    _addresses(text, dialect, spans, record)
    return record


def _first(spans: dict[str, list[Span]], tags: tuple[str, ...]) -> Span | None:
    return next((spans[tag][0] for tag in tags if tag in spans), None)


def _longest(spans: dict[str, list[Span]], tags: tuple[str, ...]) -> Span | None:
    found = [span for tag in tags for span in spans.get(tag, ())]
    return max(found, key=lambda span: span[1] - span[0], default=None)


def _authors(text: str, dialect: Dialect, spans: dict[str, list[Span]]) -> list[str] | None:
    tag = next((tag for tag in dialect.authors if tag in spans), None)
    if tag is None:
        return None
    names: list[str] = []
    for start, end in spans[tag]:
        value = text[start:end]
        if dialect.joined_authors or ";" in value:
            names += split_names(value)
        else:
            names += [name for line in value.splitlines() if (name := natural_name(line.strip(" *")))]
    return names or None


def _addresses(text: str, dialect: Dialect, spans: dict[str, list[Span]], record: Record) -> None:
    for tag in dialect.doi:
        for start, end in spans.get(tag, ()):
            if identity := external_ids.doi(text[start:end]):
                record.ids.append(identity)
    for tag in dialect.pmid:
        for start, end in spans.get(tag, ()):
            if match := re.match(r"(?:MEDLINE:)?(\d{4,9})\b", text[start:end]):
                record.ids.append(ExternalId("pmid", match[1]))
    for tag in dialect.url:
        for start, end in spans.get(tag, ()):
            for url in re.findall(r"https?://\S+", text[start:end]):
                record.ids += external_ids.from_url(url)
                record.url = record.url or url
