"""The stretch of a text that answers a query best, with the places of the words that were asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

_CJK = "\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_PIECE = re.compile(f"[{_CJK}]|[^\\s{_CJK}]+")
_CHARACTER = re.compile(f"[{_CJK}]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|\S")
_PIECES = 40
_BEFORE = 5
"""Pieces shown before the first one that was asked for."""


@dataclass(frozen=True)
class Snippet:
    """A text and the (start, end) of each part of it that was asked for."""

    text: str
    hits: tuple[tuple[int, int], ...]


def words_of(text: str) -> set[str]:
    """Return what may be asked for in a text: its words, and characters and pairs of them in scripts without spaces."""
    return {text[start:end] for start, end in _candidates(text)}


def cut_snippet(text: str, sought: Set[str]) -> Snippet:
    """Return the best stretch of about forty words or characters; a text that is no longer comes back whole.

    `sought` are those of `words_of(text)` that were asked for.
    """
    plain = " ".join(text.split())
    pieces = [piece.span() for piece in _PIECE.finditer(plain)]
    hits = _hits(plain, sought)
    hit_starts = [start for start, _ in hits]
    first = _best_start(pieces, hit_starts)
    last = min(first + _PIECES, len(pieces)) - 1
    if last < 0:
        return Snippet(plain, ())
    begin, end = pieces[first][0], pieces[last][1]
    before, after = ("… " if first else ""), (" …" if last + 1 < len(pieces) else "")
    shift = len(before) - begin
    inside = tuple((start + shift, stop + shift) for start, stop in hits if begin <= start and stop <= end)
    return Snippet(f"{before}{plain[begin:end]}{after}", inside)


def _best_start(pieces: Sequence[tuple[int, int]], hits: Sequence[int]) -> int:
    """Return the first piece of the window that holds most hits, the earliest of such."""
    places = [place for place, (start, end) in enumerate(pieces) for hit in hits if start <= hit < end]
    if not places or len(pieces) <= _PIECES:
        return 0
    reach = _PIECES - _BEFORE
    best = max(places, key=lambda place: (sum(place <= other < place + reach for other in places), -place))
    return max(0, min(best - _BEFORE, len(pieces) - _PIECES))


def _hits(text: str, sought: Set[str]) -> list[tuple[int, int]]:
    """Return where the sought words stand; characters side by side are one stretch."""
    found: list[tuple[int, int]] = []
    for start, end in _candidates(text):
        if text[start:end] not in sought:
            continue
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _candidates(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for start, end in (word.span() for word in _WORD.finditer(text)):
        if _CHARACTER.match(text[start]):
            spans += [(at, at + size) for at in range(start, end) for size in (1, 2) if at + size <= end]
        else:
            spans.append((start, end))
    return spans
