"""From files to documents, occurrences and rejects: the order of the steps, in batches of bounded size.

Each file is decoded, taken apart by its format, covered without a gap, and its records become occurrences once their
texts are resolved. How any of that is done stands in the modules named here.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from assets.contract.arrow import polars_schema
from assets.contract.ids import occurrence_id
from assets.parsed import detection, placeholders, snapshot
from assets.parsed.coverage import cover
from assets.parsed.decoding import DecodingError, decode
from assets.parsed.external_ids import unique
from assets.parsed.options import ReadingSettings, SourceOptions
from assets.parsed.record import Heading, Piece, Record, UnsupportedError
from assets.parsed.resolving import Columns, raw_columns, resolve_columns
from assets.parsed.spans import count_nonblank, trim
from assets.parsed.workers import Frames, in_workers, worker_count

READER_VERSION = "3"
"""Raised whenever the output of reading changes: documents read by an older reader are read again."""

REJECT_CHARS = 2000
FAILED = "its reader failed, which is a fault of Paperfold; please report it"
DOCUMENT_CHARS = 200
"""What a document itself counts for in a batch, so that many empty ones make several batches too."""


@dataclass(frozen=True)
class Reading:
    """A batch of what was read; each frame conforms to its table of the contract."""

    documents: pl.DataFrame
    occurrences: pl.DataFrame
    rejects: pl.DataFrame


def read_key(options: SourceOptions | None, settings: ReadingSettings) -> str:
    """Return the fingerprint of all that decides how a document is read, besides its content and name."""
    parts = {
        "reader": READER_VERSION,
        "options": (options or SourceOptions()).model_dump(),
        "settings": settings.model_dump(exclude={"batch_chars", "parallel_chars", "workers"}),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def read_documents(
    files: pl.DataFrame,
    load: Callable[[str], bytes],
    options: Mapping[str, SourceOptions],
    settings: ReadingSettings,
    *,
    progress: Callable[[int], None] | None = None,
    scratch: Path | None = None,
) -> Iterator[Reading]:
    """Yield what the files hold, in batches, in the order of the files.

    Large inputs are read by worker processes, group by group; what comes out is the same, batch for batch.

    Args:
        files: The contract's table `files`.
        load: Returns the stored bytes of a content by its SHA-256; picklable when worker processes may be started.
        options: Overrides by name of source; a source that is not in it has none.
        settings: Limits.
        progress: Called with the number of files finished since it was called last.
        scratch: A folder for what worker processes hand over; the system's own when there is none.

    Yields:
        Frames that conform to `documents`, `parsed_occurrences` and `rejects`. A document's row comes in the batch in
        which the document ends.
    """
    read = partial(_read_group, load=load, options=options, settings=settings)
    groups = _groups(files, settings.batch_chars)
    workers = worker_count(settings.workers, int(files["bytes"].sum() or 0), settings.parallel_chars)
    batches = in_workers(groups, read, workers, scratch) if workers > 1 else (b for g in groups for b in read(g))
    for documents, occurrences, rejects in batches:
        yield Reading(documents, occurrences, rejects)
        if progress and documents.height:
            progress(documents.height)


def _groups(files: pl.DataFrame, least_bytes: int) -> Iterator[list[dict[str, Any]]]:
    """Yield runs of files that make about one batch each; a large file is a group of its own."""
    group: list[dict[str, Any]] = []
    size = 0
    for file in files.iter_rows(named=True):
        group.append(file)
        size += (file["bytes"] or 0) + DOCUMENT_CHARS
        if size >= least_bytes:
            yield group
            group, size = [], 0
    if group:
        yield group


def _read_group(
    files: list[dict[str, Any]],
    load: Callable[[str], bytes],
    options: Mapping[str, SourceOptions],
    settings: ReadingSettings,
) -> Iterator[Frames]:
    """Yield the three tables of each batch of a group of files."""
    for batch in _batches(files, load, options, settings):
        reading = _assemble(batch, resolve_columns(raw_columns(batch)), settings)
        yield reading.documents, reading.occurrences, reading.rejects


@dataclass
class _Draft:
    """A document on its way: its row, its text, its pieces, and what has been counted so far."""

    row: dict[str, Any]
    text: str
    pieces: list[Piece]
    repeated: set[str] = field(default_factory=set)
    occurrences: int = 0
    rejects: int = 0


@dataclass(frozen=True)
class Part:
    """Records and pieces of one document that stand in one batch; `last` closes the document."""

    draft: _Draft
    records: list[Record]
    pieces: list[Piece]
    last: bool


def _batches(
    files: list[dict[str, Any]],
    load: Callable[[str], bytes],
    options: Mapping[str, SourceOptions],
    settings: ReadingSettings,
) -> Iterator[list[Part]]:
    batch: list[Part] = []
    chars = 0
    for file in files:
        draft, records = _read_file(file, load, options.get(file["source"], SourceOptions()), settings)
        pieces = deque(draft.pieces)
        run: list[Record] = []
        for record in records:
            run.append(record)
            chars += record.end - record.start
            if chars >= settings.batch_chars:
                before = [pieces.popleft() for _ in range(len(pieces)) if pieces[0].start < record.end]
                yield [*batch, Part(draft, run, before, last=False)]
                batch, run, chars = [], [], 0
        batch.append(Part(draft, run, list(pieces), last=True))
        chars += DOCUMENT_CHARS
    if batch:
        yield batch


def _read_file(
    file: dict[str, Any], load: Callable[[str], bytes], options: SourceOptions, settings: ReadingSettings
) -> tuple[_Draft, list[Record]]:
    row = _document_row(file, options, settings)
    if file["problem"] is not None:
        return _refused(row, "", file["problem"], file["problem_detail"]), []
    try:
        decoded = decode(
            load(file["content_sha256"]),
            encoding=options.encoding,
            hint=file["encoding"],
            max_unpacked_bytes=settings.max_unpacked_bytes,
        )
    except DecodingError as error:
        return _refused(row, "", error.reason, str(error)), []
    except OSError as error:
        return _refused(row, "", "unreadable_file", f"the stored content could not be read: {error}"), []
    text = decoded.text
    row |= {"encoding": decoded.encoding, "chars_nonblank": count_nonblank(text)}
    try:
        parsed = detection.parse(text, options.format, file["file_name"])
    except UnsupportedError as error:
        return _refused(row, text, "unsupported_format", str(error)), []
    except Exception as error:  # noqa: BLE001 - one document that a reader fails on must not stop the others
        return _refused(row, text, "unsupported_format", f"{FAILED} ({type(error).__name__}: {error})"), []
    covered = cover(text, parsed)
    row |= {"format": parsed.format, **_heading_columns(text, covered.heading, options, file["file_name"])}
    draft = _Draft(row, text, covered.pieces)
    draft.repeated = placeholders.repeated_texts(covered.records, settings.placeholder_titles)
    return draft, covered.records


def _document_row(file: dict[str, Any], options: SourceOptions, settings: ReadingSettings) -> dict[str, Any]:
    kept = ("document_id", "source", "file_name", "content_sha256", "bytes")
    return {
        **{name: file[name] for name in kept},
        **_heading_columns("", None, options, file["file_name"]),
        "format": None,
        "encoding": None,
        "chars_nonblank": 0,
        "snapshot_at": file["snapshot_at"] or snapshot.snapshot_time(file["file_name"]),
        "read_key": read_key(options, settings),
    }


def _heading_columns(text: str, heading: Heading | None, options: SourceOptions, file_name: str) -> dict[str, Any]:
    venue = options.venue or (heading.venue if heading else None)
    year = options.year or (heading.year if heading else None)
    return {
        "heading": unicodedata.normalize("NFC", text[heading.start : heading.end]) if heading else None,
        "heading_start": heading.start if heading else None,
        "heading_end": heading.end if heading else None,
        "venue": unicodedata.normalize("NFC", venue) if venue else None,
        "year": year,
        "language": options.language or (heading.language if heading else None),
        "list_key": snapshot.list_key(options.name, venue, year, file_name),
    }


def _refused(row: dict[str, Any], text: str, reason: str, detail: str | None) -> _Draft:
    """A file that is one reject: of span 0..0 when it was never decoded, else of all its text."""
    return _Draft(row, text, [Piece(*trim(text, 0, len(text)), reason, detail)])


def _assemble(batch: list[Part], columns: Columns, settings: ReadingSettings) -> Reading:
    documents: list[dict[str, Any]] = []
    occurrences: list[tuple[Any, ...]] = []
    rejects: list[tuple[Any, ...]] = []
    at = 0
    for part in batch:
        draft = part.draft
        before = len(rejects)
        for record in part.records:
            _assemble_record(draft, record, columns, at, settings, occurrences, rejects)
            at += 1
        rejects += [_reject(draft, p.start, p.end, p.reason, p.detail, None) for p in part.pieces]
        rejects[before:] = sorted(rejects[before:], key=lambda reject: int(reject[2]))
        draft.rejects += len(rejects) - before
        if part.last:
            documents.append({**draft.row, "occurrences": draft.occurrences, "rejects": draft.rejects})
    return Reading(
        pl.DataFrame(documents, schema=polars_schema("documents")),
        pl.DataFrame(occurrences, schema=polars_schema("parsed_occurrences"), orient="row"),
        pl.DataFrame(rejects, schema=polars_schema("rejects"), orient="row"),
    )


def _assemble_record(
    draft: _Draft,
    record: Record,
    columns: Columns,
    at: int,
    settings: ReadingSettings,
    occurrences: list[tuple[Any, ...]],
    rejects: list[tuple[Any, ...]],
) -> None:
    document = draft.row["document_id"]
    text, title = columns.text[at], columns.title[at]
    problem = _problem(draft, record, text, columns.words[at], settings)
    if problem:
        text = None
    if text is None and title is None:
        reason, detail = problem or ("no_abstract", None)
        rejects.append(_reject(draft, record.start, record.end, reason, detail, None))
        return
    draft.occurrences += 1
    identity = occurrence_id(document, draft.occurrences)
    if problem and record.abstract_span and record.abstract_span[0] < record.abstract_span[1]:
        rejects.append(_reject(draft, *record.abstract_span, *problem, identity))
    notes = [note for note in (record.detail, columns.detail.get(at)) if note]
    ids = unique([*record.ids, *columns.ids.get(at, ())])
    occurrences.append(
        (
            identity,
            document,
            draft.occurrences,
            record.start,
            record.end,
            draft.text[record.start : record.end],
            text,
            title,
            columns.authors[at],
            record.url,
            [{"scheme": i.scheme, "value": i.value, "version": i.version} for i in ids],
            columns.language[at] if text is not None else None,
            columns.words[at] if text is not None else 0,
            "; ".join(notes) or None,
        )
    )


def _problem(
    draft: _Draft, record: Record, text: str | None, words: int, settings: ReadingSettings
) -> tuple[str, str] | None:
    """Return reason and detail when the abstract of a record is none."""
    if text is None or record.abstract is None:
        return None
    if placeholders.is_placeholder(text):
        return "placeholder", "a site message or a note that there is no abstract"
    if draft.repeated and placeholders.text_key(record.abstract) in draft.repeated:
        return (
            "placeholder",
            f"the same text under {settings.placeholder_titles} or more unlike titles of this document",
        )
    if words < settings.min_abstract_words:
        return "too_short", f"{words} word(s); an abstract has at least {settings.min_abstract_words}"
    return None


def _reject(
    draft: _Draft, start: int, end: int, reason: str, detail: str | None, occurrence: str | None
) -> tuple[Any, ...]:
    whole = draft.text[start:end]
    decoded = draft.row["encoding"] is not None
    return (
        draft.row["document_id"],
        occurrence,
        start,
        end,
        whole[:REJECT_CHARS] if decoded else None,
        count_nonblank(whole),
        reason,
        detail,
    )
