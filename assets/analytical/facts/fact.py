"""A fact, and the text that it is read from. The rules that find facts belong to the module of their kind."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from string import ascii_uppercase
from typing import NamedTuple

from assets.analytical.facts.names import Token, marked_tokens

BLANK = "\x00"
"""Stands for each character of an address or a citation, so that no other rule reads into it."""

_SENTENCE_END = re.compile(r"[.!?。！？\n](?:(?<=[.!?])['\"”’)\]]*\s+(?=[^\sa-z])|(?<=[。！？])|(?<=\n)\s*\n)")
_NO_END = re.compile(
    r"(?:\b(?:al|e\.g|i\.e|cf|vs|etc|resp|approx|Fig|Figs|Eq|Eqs|Sec|Tab|Thm|No|Nos|Dr|Mr|Mrs|Prof|St|w\.r\.t|a\.k\.a"
    r"|i\.i\.d)|(?<![A-Za-z0-9])[A-Z])\.\s+$"
)
_MAY_GO_ON = (
    *(
        "al",
        "e.g",
        "i.e",
        "cf",
        "vs",
        "etc",
        "resp",
        "approx",
        "ig",
        "igs",
        "q",
        "qs",
        "ec",
        "ab",
        "hm",
        "o",
        "os",
        "r",
    ),
    *("rs", "rof", "t", "k.a", "i.d", *ascii_uppercase),
)


class Fact(NamedTuple):
    """Something read out of a text: its kind, what it stands for if the text says so, its span, and a detail."""

    kind: str
    start: int
    end: int
    expansion: str | None = None
    detail: str | None = None


class Span(NamedTuple):
    """A stretch of a text."""

    start: int
    end: int


class Signs(NamedTuple):
    """Which signs a text shows, without which a rule finds nothing in it (signs.py); all where none were looked for."""

    link: bool = True
    citation: bool = True
    spelled: bool = True
    figure: bool = True
    our: bool = True
    called: bool = True
    passive: bool = True
    trained: bool = True
    proof: bool = True
    bound: bool = True
    analysis: bool = True


ALL_SIGNS = Signs()


class Text:
    """A text and its sentences; `read` has the addresses and citations blanked out, at the same length.

    Attributes:
        whole: The text as it stands.
        read: The text for all rules that look for words and names.
        signs: The signs that it shows.
    """

    def __init__(self, whole: str, hidden: Iterable[Span] = (), signs: Signs = ALL_SIGNS) -> None:
        self.whole = whole
        self.signs = signs
        self.read = _blanked(whole, hidden)

    @cached_property
    def sentences(self) -> Sequence[Span]:
        """The sentences in order; together they cover the text."""
        ends = [found.end() for found in _SENTENCE_END.finditer(self.read) if not self._goes_on(found)]
        if not ends or ends[-1] < len(self.read):
            ends.append(len(self.read))
        return [Span(start, end) for start, end in zip([0, *ends], ends, strict=False)]

    @cached_property
    def tokens(self) -> Sequence[Token]:
        """The words that may be names, or parts of names, in order."""
        return marked_tokens(self.read)

    def _goes_on(self, found: re.Match[str]) -> bool:
        start, end = found.span()
        if not self.read.endswith(_MAY_GO_ON, 0, start):
            return False
        return _NO_END.search(self.read, max(0, start - 8), end) is not None

    @cached_property
    def _sentence_starts(self) -> list[int]:
        return [sentence.start for sentence in self.sentences]

    def sentence_at(self, place: int) -> Span:
        """Return the sentence that a character stands in."""
        return self.sentences[max(0, bisect_right(self._sentence_starts, place) - 1)]


def _blanked(whole: str, hidden: Iterable[Span]) -> str:
    read = whole
    for start, end in hidden:
        read = read[:start] + BLANK * (end - start) + read[end:]
    return read
