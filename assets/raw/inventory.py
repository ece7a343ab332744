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
from assets.contract.folder import DataFolder
from assets.contract.ids import document_id
from assets.raw.contents import store_content
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
            sha256 = store_content(_chunks(source), folder)
        return row | {"content_sha256": sha256, "bytes": folder.content(sha256).stat().st_size}


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
