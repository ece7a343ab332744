"""Stored contents: each once, under its SHA-256, flushed before the name appears."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable

from assets.contract.disk import file_sha256
from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder


def store_content(chunks: Iterable[bytes], folder: DataFolder) -> str:
    """Store bytes under their hash and return it; what is there already is written anew, which mends it."""
    folder.raw.mkdir(parents=True, exist_ok=True)
    temporary = folder.raw / f".incoming-{os.getpid()}"
    digest = hashlib.sha256()
    with temporary.open("wb") as target:
        for chunk in chunks:
            digest.update(chunk)
            target.write(chunk)
        target.flush()
        os.fsync(target.fileno())
    stored = folder.content(digest.hexdigest())
    stored.parent.mkdir(exist_ok=True)
    temporary.replace(stored)
    return digest.hexdigest()


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
