"""The intake: every source looked through once, what it has stored, and what became of it.

A source that fails keeps the documents that it had: those that its history names, else those of the release before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

import polars as pl

from assets.contract.arrow import polars_schema
from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from assets.contract.refresh import Reporter
from assets.raw.contents import store_content
from assets.raw.fetching import Answer, Fetcher, FetchError
from assets.raw.history import DamagedStateError, Outcome, Snapshot, SourceState, read_state, write_state
from assets.raw.inventory import take_inventory
from assets.raw.kept import documents_before, rows_before, snapshot_rows, snapshots_before
from assets.raw.settings import IntakeSettings
from assets.raw.sources import FoundFile, Source, SourceError, find_files

_NAME_CHARS = 80


@dataclass(frozen=True)
class Intake:
    """What the sources have: the tables `files` and `sources`."""

    files: pl.DataFrame
    sources: pl.DataFrame


@dataclass
class _Visit:
    """One source while it is looked through: what is remembered of it, what it has now, and what went wrong."""

    source: Source
    state: SourceState
    before: pl.DataFrame
    answer: Answer | None = None
    found: list[FoundFile] = field(default_factory=list)
    failure: str | None = None
    notes: list[str] = field(default_factory=list)


def take_in(
    sources: Sequence[Source],
    folder: DataFolder,
    base: Path | None,
    settings: IntakeSettings,
    fetcher: Fetcher,
    now: datetime,
    reporter: Reporter,
) -> Intake:
    """Fetch or list every source, store each content that is new, remember what came of it, and return all files.

    Args:
        sources: the sources, told apart by their labels.
        folder: the data folder, whose writer's lock the caller holds.
        base: the folder of the release before, if there is one.
        settings: limits on files.
        fetcher: fetches the addresses.
        now: the time of this refresh.
        reporter: told how far the work is.

    Raises:
        PaperfoldError: when sources failed and there is no document at all; names each with its reason.
    """
    before = documents_before(base)
    reporter.begin("Fetching sources", len(sources))
    visits = []
    for source in sources:
        visits.append(_visit(source, folder, before, fetcher))
        reporter.advance(1)
    reporter.begin("Taking inventory", sum(len(visit.found) for visit in visits))
    parts = [_take(visit, folder, settings, now, reporter) for visit in visits]
    files = pl.concat([pl.DataFrame(schema=polars_schema("files")), *parts])
    failed = [visit for visit in visits if visit.failure]
    rows = [_conclude(visit, part, folder, now) for visit, part in zip(visits, parts, strict=True)]
    if failed and files.is_empty():
        raise PaperfoldError(_explain(failed))
    return Intake(
        files.unique("document_id").sort("source", "file_name", "document_id"),
        pl.DataFrame(rows, schema=polars_schema("sources")).sort("source"),
    )


def _visit(source: Source, folder: DataFolder, before: pl.DataFrame, fetcher: Fetcher) -> _Visit:
    known = before.filter(source=source.label)
    visit = _Visit(source, SourceState(source=source.label, place=source.place), known)
    try:
        state = read_state(folder, source.label)
    except DamagedStateError:
        state = None
        visit.notes.append("what was remembered of it was damaged, and is made anew from the release")
    visit.state = _complete(state or visit.state, source, known)
    try:
        if source.url:
            visit.answer = fetcher.fetch(source.url, **_validators(visit.state, source.url, folder))
        else:
            visit.found = list(find_files(source, leave_out=folder.own))
    except (FetchError, SourceError) as error:
        visit.failure = getattr(error, "reason", None) or str(error)
    return visit


def _complete(state: SourceState, source: Source, before: pl.DataFrame) -> SourceState:
    """Return what is remembered of a source with the contents of the release before that a history must not lack."""
    if not (source.history or source.url) or (source.url and state.snapshots):
        return state
    known = {(entry.file_name, entry.content_sha256) for entry in state.snapshots}
    lacking = [entry for entry in snapshots_before(before) if (entry.file_name, entry.content_sha256) not in known]
    return state.model_copy(update={"snapshots": (*lacking, *state.snapshots)})


def _validators(state: SourceState, url: str, folder: DataFolder) -> dict[str, str | None]:
    """Return what lets a server answer that nothing changed; nothing when its last content is not at hand."""
    if state.place != url or not state.snapshots or not folder.content(state.snapshots[-1].content_sha256).exists():
        return {}
    return {"etag": state.etag, "last_modified": state.last_modified}


def _take(
    visit: _Visit, folder: DataFolder, settings: IntakeSettings, now: datetime, reporter: Reporter
) -> pl.DataFrame:
    """Return a source's rows of the table `files`; its new contents are stored, and in its state, afterwards."""
    if visit.failure and not visit.source.url:
        return rows_before(visit.source.label, visit.before, folder)
    if visit.source.url:
        if visit.answer:
            visit.state = _with_answer(visit.state, visit.source.url, visit.answer, folder, now)
        kept = visit.state.snapshots if visit.source.history else visit.state.snapshots[-1:]
        return snapshot_rows(visit.source.label, kept, folder)
    current = take_inventory(visit.found, folder, settings, lambda _: reporter.advance(1))
    if not visit.source.history:
        return current
    visit.state = _with_files(visit.state, current, now)
    times = {(entry.file_name, entry.content_sha256): entry for entry in visit.state.snapshots}
    names = set(current["file_name"])
    have = set(zip(current["file_name"], current["content_sha256"], strict=True))
    past = [entry for key, entry in times.items() if entry.file_name in names and key not in have]
    stated = [
        entry.snapshot_at.replace(tzinfo=None) if (entry := times.get(key)) and entry.snapshot_at else None
        for key in zip(current["file_name"], current["content_sha256"], strict=True)
    ]
    current = current.with_columns(pl.Series("snapshot_at", stated, dtype=polars_schema("files")["snapshot_at"]))
    return pl.concat([current, snapshot_rows(visit.source.label, past, folder)])


def _with_answer(state: SourceState, url: str, answer: Answer, folder: DataFolder, now: datetime) -> SourceState:
    """Return the state after an answer; one with other bytes than the last became a snapshot."""
    validators = {"etag": answer.etag, "last_modified": answer.last_modified}
    if answer.content is None:
        # A 304 need not repeat what still holds.
        return state.model_copy(update={name: value for name, value in validators.items() if value})
    sha256 = store_content([answer.content], folder)
    last = state.snapshots[-1] if state.snapshots else None
    snapshots = state.snapshots
    if last is None or last.content_sha256 != sha256:
        at = now.replace(microsecond=0)
        if last and last.snapshot_at and at <= last.snapshot_at:
            # A clock that went back must not put a newer content before an older one.
            at = last.snapshot_at + timedelta(seconds=1)
        taken = Snapshot(
            file_name=_snapshot_name(url, at),
            content_sha256=sha256,
            bytes=len(answer.content),
            snapshot_at=at,
            encoding=answer.charset,
            media_type=answer.media_type,
            url=answer.url,
        )
        snapshots = (*snapshots, taken)
    return state.model_copy(update={**validators, "snapshots": snapshots})


def _snapshot_name(url: str, at: datetime) -> str:
    """Return the file name of a snapshot: the last part of its address with the time before the extension."""
    parts = urlsplit(url)
    last = unquote(PurePosixPath(parts.path).name) or parts.hostname or "page"
    path = PurePosixPath(re.sub(r"[\x00-\x1f/\\]", "_", last))
    suffix = path.suffix if re.fullmatch(r"\.[A-Za-z][A-Za-z0-9]{0,7}", path.suffix) else ""
    stem = path.name.removesuffix(suffix)[:_NAME_CHARS]
    return f"{stem}_{at:%Y-%m-%dT%H%M%S}Z{suffix}"


def _with_files(state: SourceState, current: pl.DataFrame, now: datetime) -> SourceState:
    """Return the state with each content of a file that it did not have; the first one's time is its file name's."""
    known = {(entry.file_name, entry.content_sha256) for entry in state.snapshots}
    named = {entry.file_name for entry in state.snapshots}
    added = [
        Snapshot(
            file_name=row["file_name"],
            content_sha256=row["content_sha256"],
            bytes=row["bytes"],
            snapshot_at=_in_utc(row["modified_at"], now) if row["file_name"] in named else None,
        )
        for row in current.drop_nulls("content_sha256").iter_rows(named=True)
        if (row["file_name"], row["content_sha256"]) not in known
    ]
    return state.model_copy(update={"snapshots": (*state.snapshots, *added)})


def _in_utc(modified_at: datetime | None, now: datetime) -> datetime:
    return modified_at.replace(tzinfo=now.tzinfo) if modified_at else now


def _conclude(visit: _Visit, files: pl.DataFrame, folder: DataFolder, now: datetime) -> dict[str, Any]:
    """Remember what became of a source and return its row of the table `sources`."""
    known, now_there = set(visit.before["document_id"]), set(files["document_id"])
    new, gone = len(now_there - known), len(known - now_there)
    outcome: Outcome = "failed" if visit.failure else "new" if new or gone else "unchanged"
    counts = ", ".join(f"{count} {word}" for count, word in ((new, "new"), (gone, "gone")) if count)
    says = f"failed: {visit.failure}" if visit.failure else counts or "unchanged"
    state = visit.state.model_copy(
        update={
            "place": visit.state.place if visit.failure else visit.source.place,
            "checked_at": now,
            "outcome": outcome,
            "says": "; ".join([says, *visit.notes]),
            **({} if visit.failure else {"succeeded_at": now}),
        }
    )
    write_state(folder, state)
    return {
        "source": visit.source.label,
        "place": visit.source.place,
        "outcome": outcome,
        "detail": "; ".join(filter(None, [visit.failure, *visit.notes])) or None,
        "documents": len(now_there),
        "new_documents": new,
        "gone_documents": gone,
    }


def _explain(failed: Sequence[_Visit]) -> str:
    lines = [f"  {visit.source.label} ({visit.source.place}): {visit.failure}" for visit in failed]
    return "\n".join(
        [
            f"No document was found, and {len(failed)} source(s) failed:",
            *lines,
            "Correct the sources in paperfold.toml, or name a folder of paper lists: `paperfold build RAW`.",
        ]
    )
