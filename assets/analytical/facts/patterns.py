"""Patterns that a reader can check: alternatives as plain words, and long patterns over several lines."""

from __future__ import annotations

import re


def any_of(words: str) -> str:
    """Return a pattern for any of the words of a text that white space divides; each may be a pattern itself."""
    return f"(?:{'|'.join(words.split())})"


def joined(lines: str) -> str:
    """Return a pattern written over several lines as one: line ends and the white space around them go."""
    return re.sub(r"\s*\n\s*", "", lines).strip()


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text that white space divides."""
    return frozenset(words.split())
