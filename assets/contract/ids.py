"""How ids are made: a short prefix and 80 bits of a SHA-256 over content, equal on every machine."""

from __future__ import annotations

import hashlib


def make_id(prefix: str, *parts: str) -> str:
    """Return `<prefix>_<20 hex digits>` from the framed parts: ("ab", "c") differs from ("a", "bc")."""
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return f"{prefix}_{digest.hexdigest()[:20]}"


def document_id(source: str, file_name: str, content_sha256: str | None) -> str:
    """Return the id of a document; a file that could not be read has the id of its name alone."""
    return make_id("doc", source, file_name, content_sha256 or "unread")


def occurrence_id(document: str, position: int) -> str:
    """Return the id of the occurrence at a position (from 1) of a document."""
    return make_id("occ", document, str(position))


def paper_id(*content: str) -> str:
    """Return the id of a paper from the content that founds it, e.g. its canonical text."""
    return make_id("pap", *content)
