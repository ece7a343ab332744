"""The inventory: every file that the sources have now, hashed, its content stored once under its SHA-256."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import polars as pl

from assets.contract.arrow import polars_schema
from assets.contract.disk import file_sha256
from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from assets.contract.ids import document_id
from assets.raw.settings import IntakeSettings
from assets.raw.sources import FoundFile

_CHUNK = 1 << 20


def take_inventory(
    found: Iterable[FoundFile],
    folder: DataFolder,
    settings: IntakeSettings,
    progress: Callable[[int], None] | None = None,
) -> pl.DataFrame:
    """Store each content that is new and return the table `files`, sorted by source and file name.

    A file that can't be read is a row with its problem, never an error. `progress` is told the bytes of each file.
    """
    rows = []
    for file in found:
        row = _take(file, folder, settings)
        rows.append(row)
        if progress:
            progress(row["bytes"])
    return pl.DataFrame(rows, schema=polars_schema("files")).unique("document_id").sort("source", "file_name")


class _ReadError(Exception):
    """The source side failed; a failure to store is no fault of the file and goes on as the OSError that it is."""


def _take(file: FoundFile, folder: DataFolder, settings: IntakeSettings) -> dict[str, Any]:
    row: dict[str, Any] = {
        "source": file.source,
        "file_name": file.file_name,
        "content_sha256": None,
        "bytes": 0,
        "problem": None,
        "problem_detail": file.problem,
    }
    try:
        if file.problem:
            raise _ReadError(file.problem)
        row |= _store(file.path, folder, settings)
    except _ReadError as error:
        row |= {"problem": "unreadable_file", "problem_detail": str(error), "bytes": _size(file.path)}
    return row | {"document_id": document_id(file.source, file.file_name, row["content_sha256"])}


def _store(path: Path, folder: DataFolder, settings: IntakeSettings) -> dict[str, Any]:
    """Return what is known of a readable file; its content lies in the folder afterwards.

    The bytes that are hashed are the bytes that are stored, whatever happens to the file meanwhile.
    """
    with _open(path) as source:
        status = os.fstat(source.fileno())
        row = {"bytes": status.st_size, "modified_at": datetime.fromtimestamp(status.st_mtime, UTC)}
        if status.st_size > settings.max_file_bytes:
            limit = f"{status.st_size:,} bytes; the limit max_file_bytes is {settings.max_file_bytes:,}"
            return row | {"problem": "too_large", "problem_detail": limit}
        digest, size = hashlib.sha256(), 0
        for chunk in _chunks(source):
            digest.update(chunk)
            size += len(chunk)
        sha256 = digest.hexdigest()
        if _size(folder.content(sha256)) != size or not folder.content(sha256).exists():
            source.seek(0)
            sha256 = _copy(source, folder)
        return row | {"content_sha256": sha256, "bytes": folder.content(sha256).stat().st_size}


def load_content(folder: DataFolder, sha256: str) -> bytes:
    """Return the bytes of a stored content.

    Raises:
        PaperfoldError: when what lies there is not what was stored; names the file.
    """
    path = folder.content(sha256)
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != sha256:
        raise PaperfoldError(f"{path} was changed since it was stored. Remove it, and build again from the sources.")
    return content


def damaged_contents(folder: DataFolder, sha256s: Iterable[str]) -> list[str]:
    """Return in words which of these contents are no longer stored as they came."""
    problems = []
    for sha256 in sha256s:
        path = folder.content(sha256)
        if not path.exists():
            problems.append(f"{path.relative_to(folder.root)} is missing")
        elif file_sha256(path) != sha256:
            problems.append(f"{path.relative_to(folder.root)} was changed since it was stored")
    return problems


def _size(path: Path) -> int:
    try:
        status = path.stat()
    except OSError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def _open(path: Path) -> BinaryIO:
    try:
        # O_NONBLOCK: opening a named pipe that nobody writes to would wait for ever.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError as error:
        if path.is_symlink() and not path.exists():
            raise _ReadError(f"a link to {path.readlink()}, which is not there") from error
        raise _ReadError(f"the file can't be opened: {error.strerror}") from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise _ReadError("not a regular file")
    return os.fdopen(handle, "rb")


def _chunks(source: BinaryIO) -> Iterator[bytes]:
    try:
        while chunk := source.read(_CHUNK):
            yield chunk
    except OSError as error:
        raise _ReadError(f"the file can't be read: {error.strerror}") from error


def _copy(source: BinaryIO, folder: DataFolder) -> str:
    """Store the bytes of an open file under their hash, flushed before the name appears, and return the hash."""
    folder.raw.mkdir(parents=True, exist_ok=True)
    temporary = folder.raw / f".incoming-{os.getpid()}"
    digest = hashlib.sha256()
    with temporary.open("wb") as target:
        for chunk in _chunks(source):
            digest.update(chunk)
            target.write(chunk)
        target.flush()
        os.fsync(target.fileno())
    stored = folder.content(digest.hexdigest())
    stored.parent.mkdir(exist_ok=True)
    temporary.replace(stored)
    return digest.hexdigest()
