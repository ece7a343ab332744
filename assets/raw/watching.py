"""Watching folders: which files changed since the last inventory, whether they have settled, what to ask for.

What is compared with is the last inventory in the data folder. The memory that is handed from one look to the next
only saves work: who loses it asks for one refresh more at most.
"""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple

import polars as pl

from assets.contract.disk import file_sha256
from assets.raw.sources import Source, SourceError, find_files

_HASHED_BYTES = 256 << 20
"""How much is read in one look to tell a touched file from a changed one; beyond it, its size and time stand for it."""
_PATIENCE = 10
"""After so many settling times, files that go on growing hold the others back no more."""


class Mark(NamedTuple):
    """What the file system says of a file without opening it."""

    size: int
    modified_at: datetime


@dataclass(frozen=True)
class Change:
    """A file that is not as in the last inventory; without a path it is gone, without a mark it can't be looked at."""

    source: str
    file_name: str
    path: Path | None
    mark: Mark | None
    known: frozenset[str | None] = frozenset()
    is_new: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """What the change looks like from outside."""
        return self.source, self.file_name, "gone" if self.path is None else str(self.mark and (*self.mark,))


@dataclass(frozen=True)
class Memory:
    """What one look tells the next: the changes that it saw, since when, and what it made of them."""

    seen: str = ""
    since: float = 0
    verdict: Literal["nothing", "waiting", "same", "asked"] = "nothing"

    @staticmethod
    def load(text: str | None) -> Memory:
        """Return what `dump` wrote; nothing remembered when it can't be read."""
        try:
            return Memory(**json.loads(text or "{}"))
        except (ValueError, TypeError):
            return Memory()

    def dump(self) -> str:
        """Return the memory as text."""
        return json.dumps(asdict(self))


@dataclass(frozen=True)
class Look:
    """What a look came to: words for a person, what to remember, and the key of the refresh to ask for, if any."""

    says: str
    memory: Memory = field(default_factory=Memory)
    run_key: str | None = None


def find_changes(
    sources: Sequence[Source], inventory: pl.DataFrame | None, leave_out: Sequence[Path] = ()
) -> list[Change]:
    """Return the files of the folders that differ from the last inventory in size or time, in order.

    Args:
        sources: all sources; addresses are left to the schedule, and so is a folder that is not there.
        inventory: the table `files` of the last refresh, if there was one.
        leave_out: what Paperfold itself keeps.
    """
    known = _known(inventory)
    changes = []
    for source in sources:
        if source.url:
            continue
        try:
            found = {file.file_name: file for file in find_files(source, leave_out)}
        except SourceError:
            continue
        for name, file in sorted(found.items()):
            was, mark = known.get((source.label, name)), None if file.problem else _mark(file.path)
            if was is None:
                changes.append(Change(source.label, name, file.path, mark, is_new=True))
            elif mark not in was.marks:
                changes.append(Change(source.label, name, file.path, mark, was.contents))
        gone = [name for label, name in known if label == source.label and name not in found]
        changes += [Change(source.label, name, None, None) for name in sorted(gone)]
    return changes


def look(changes: Sequence[Change], memory: Memory, state: Sequence[str], now: datetime, settle_seconds: float) -> Look:
    """Return what to do about changes.

    A refresh is asked for when every changed file is older than the settling time or was seen like this in the look
    before. Its key is made of the contents and of the `state`, which names the last inventory, so that no content is
    asked for twice, and one that returns after another was read is asked for again.
    """
    if not changes:
        return Look("No file changed since the last refresh.")
    # With the state: what was asked for on another inventory says nothing about this one.
    seen = _digest([list(state), [change.key for change in changes]])
    since = memory.since if memory.verdict == "waiting" else now.timestamp()
    if seen == memory.seen and memory.verdict in ("same", "asked"):
        words = "touched and not changed" if memory.verdict == "same" else "in a refresh that was asked for"
        return Look(f"{len(changes)} file(s) {words}.", memory)
    moving = [change for change in changes if not _has_settled(change, now, settle_seconds)]
    lost_patience = len(moving) < len(changes) and now.timestamp() - since >= _PATIENCE * settle_seconds
    if moving and seen != memory.seen and not lost_patience:
        return Look(
            f"{len(changes)} file(s) changed; waiting until {moving[0].source}/{moving[0].file_name} has settled.",
            Memory(seen, since, "waiting"),
        )
    contents = _contents(changes)
    if not contents:
        return Look(f"{len(changes)} file(s) touched and not changed.", Memory(seen, since, "same"))
    run_key = _digest([list(state), sorted(contents.items())])
    return Look(f"{len(contents)} file(s) changed.", Memory(seen, since, "asked"), run_key)


@dataclass(frozen=True)
class _Known:
    marks: frozenset[Mark | None]
    contents: frozenset[str | None]


def _known(inventory: pl.DataFrame | None) -> Mapping[tuple[str, str], _Known]:
    """Return (source, file name) -> what the last inventory says of the file as it was then.

    Rows without a time are past contents, or were kept for a source that failed: they do not say what a file is now,
    unless there is no other.
    """
    if inventory is None:
        return {}
    known: dict[tuple[str, str], _Known] = {}
    dated = pl.col("modified_at").is_not_null() | pl.col("problem").is_not_null()
    for rows in (inventory.filter(~dated), inventory.filter(dated)):
        of_kind: dict[tuple[str, str], _Known] = {}
        for row in rows.iter_rows(named=True):
            key = row["source"], row["file_name"]
            mark = Mark(row["bytes"], row["modified_at"]) if row["modified_at"] else None
            marks = frozenset() if mark is None and row["problem"] is None else frozenset([mark])
            before = of_kind.get(key, _Known(frozenset(), frozenset()))
            of_kind[key] = _Known(before.marks | marks, before.contents | {row["content_sha256"]})
        known |= of_kind
    return known


def _mark(path: Path) -> Mark | None:
    try:
        status = path.stat()
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return Mark(status.st_size, datetime.fromtimestamp(status.st_mtime, UTC).replace(tzinfo=None))


def _has_settled(change: Change, now: datetime, settle_seconds: float) -> bool:
    if change.mark is None:
        return False
    return (now.astimezone(UTC).replace(tzinfo=None) - change.mark.modified_at).total_seconds() >= settle_seconds


def _contents(changes: Sequence[Change]) -> dict[str, str | None]:
    """Return source and file name -> content, of the changes that are more than a touch."""
    contents: dict[str, str | None] = {}
    budget = _HASHED_BYTES
    for change in changes:
        content: str | None = None
        if change.path and change.mark:
            budget -= change.mark.size
            content = _content(change.path) if budget >= 0 else change.key[-1]
        if change.path is None or change.is_new or content not in change.known:
            contents[f"{change.source}/{change.file_name}"] = content
    return contents


def _content(path: Path) -> str | None:
    try:
        return file_sha256(path)
    except OSError:
        return None


def _digest(values: object) -> str:
    return hashlib.sha256(json.dumps(values, default=str).encode()).hexdigest()
