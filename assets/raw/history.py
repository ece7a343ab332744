"""What a data folder remembers of a source: its last fetch, and the contents that it had, each with its time.

One small file a source, `sources/<name>.json`. It depends on nothing that Dagster keeps. A file that is torn or gone
is made anew from the release before, which holds the same documents.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, ValidationError

from assets.contract.disk import write_text_atomically
from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder

Outcome = Literal["new", "unchanged", "failed"]
_LONGEST_NAME = 120


class Snapshot(BaseModel):
    """A content that a source had: under which file name, from when on, and what its server said of it."""

    model_config = ConfigDict(frozen=True)

    file_name: str
    content_sha256: str
    bytes: int
    snapshot_at: datetime | None
    encoding: str | None = None
    media_type: str | None = None
    url: str | None = None


class SourceState(BaseModel):
    """What is remembered of a source: where it is, what its last fetch came to, validators, contents in order."""

    model_config = ConfigDict(frozen=True)

    source: str
    place: str
    checked_at: datetime | None = None
    outcome: Outcome | None = None
    says: str = ""
    succeeded_at: datetime | None = None
    etag: str | None = None
    last_modified: str | None = None
    snapshots: tuple[Snapshot, ...] = ()


class DamagedStateError(PaperfoldError):
    """What is remembered of a source can't be read; the message names the file."""


def state_path(folder: DataFolder, label: str) -> Path:
    """Return where a source's state lies; a label with signs that file names can't have is escaped."""
    name = quote(label, safe=" ()+,=@")
    name = f"%2E{name[1:]}" if name.startswith(".") else name
    if len(name) > _LONGEST_NAME:
        name = f"{name[:80]}-{hashlib.sha256(label.encode()).hexdigest()[:20]}"
    return folder.source_states / f"{name}.json"


def read_state(folder: DataFolder, label: str) -> SourceState | None:
    """Return what is remembered of a source, or None when nothing is.

    Raises:
        DamagedStateError: when the file is torn or is no such state.
    """
    path = state_path(folder, label)
    try:
        return _parse(path)
    except FileNotFoundError:
        return None


def read_states(folder: DataFolder) -> Iterator[SourceState]:
    """Yield all that is remembered, also of sources that the settings name no more.

    Raises:
        DamagedStateError: at a file that is torn.
    """
    for path in sorted(folder.source_states.glob("*.json")):
        if not path.name.startswith("."):
            yield _parse(path)


def write_state(folder: DataFolder, state: SourceState) -> None:
    """Remember a source's state; a reader finds the old or the new one."""
    folder.source_states.mkdir(parents=True, exist_ok=True)
    values: dict[str, Any] = state.model_dump(mode="json", exclude_none=True)
    text = json.dumps(values, indent=1, ensure_ascii=True)
    write_text_atomically(state_path(folder, state.source), text + "\n")


def _parse(path: Path) -> SourceState:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        for snapshot in values["snapshots"]:
            snapshot.setdefault("snapshot_at", None)
        return SourceState.model_validate(values)
    except (ValueError, KeyError, TypeError, AttributeError, ValidationError) as error:
        raise DamagedStateError(
            f"{path} is damaged. The next refresh makes it anew from the release; `paperfold build` does so now."
        ) from error
