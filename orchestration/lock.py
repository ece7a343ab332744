"""The writer's lock of a data folder: one writer at a time, whoever asks.

It is an advisory lock of the operating system on a file that names its holder, so it is free the moment the holder
is dead, however it died.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TextIO

from assets.contract.errors import FolderBusyError, PaperfoldError
from assets.contract.folder import DataFolder

_POLL_SECONDS = 0.2


@contextmanager
def writer_lock(
    folder: DataFolder,
    purpose: str,
    wait_seconds: float = 0,
    on_wait: Callable[[str], None] | None = None,
) -> Iterator[None]:
    """Hold the writer's lock for a block; `on_wait` is told once whom it waits for.

    Raises:
        FolderBusyError: when another process holds it for longer than `wait_seconds`; names the holder.
    """
    # At least for a moment: who only asks whether the folder is busy holds the lock for less.
    deadline = time.monotonic() + max(wait_seconds, 2 * _POLL_SECONDS)
    with _open(folder) as file:
        waited = False
        while not _try_lock(file.fileno()):
            if time.monotonic() >= deadline:
                raise FolderBusyError(
                    f"{folder.root} is being written by {read_holder(folder)}. "
                    "Try again when it has ended, or wait for it with --wait SECONDS."
                )
            if on_wait and not waited:
                on_wait(read_holder(folder))
            waited = True
            time.sleep(_POLL_SECONDS)
        file.truncate(0)
        started = datetime.now(UTC).isoformat(timespec="seconds")
        json.dump({"pid": os.getpid(), "purpose": purpose, "since": started}, file)
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)
            fcntl.flock(file.fileno(), fcntl.LOCK_UN)


def _open(folder: DataFolder) -> TextIO:
    try:
        folder.root.mkdir(parents=True, exist_ok=True)
        return folder.lock.open("a+", encoding="utf-8")
    except OSError as error:
        raise PaperfoldError(
            f"The data folder {folder.root} can't be written: {error.strerror}. Name another one with --data."
        ) from error


def read_holder(folder: DataFolder) -> str:
    """Return in words who holds the lock."""
    try:
        holder = json.loads(folder.lock.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "another process"
    return f"process {holder['pid']} ({holder['purpose']}, since {holder['since']})"


def is_busy(folder: DataFolder) -> bool:
    """Return whether a writer holds the folder now."""
    try:
        handle = os.open(folder.lock, os.O_RDONLY)
    except OSError:
        return False
    try:
        if not _try_lock(handle, fcntl.LOCK_SH):
            return True
        fcntl.flock(handle, fcntl.LOCK_UN)
        return False
    finally:
        os.close(handle)


def _try_lock(handle: int, kind: int = fcntl.LOCK_EX) -> bool:
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
