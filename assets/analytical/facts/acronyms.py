"""Short forms that a text defines, with what they stand for. Which of them the paper introduces is not decided here.

Read are `expansion (SHORT)`, `SHORT (expansion)`, `SHORT, short for expansion`, `expansion, abbreviated as SHORT` and
the apposition `SHORT, a Capitalised Expansion`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from assets.analytical.facts.alignment import SMALL_WORDS, alignment_cost, letters_of
from assets.analytical.facts.fact import Fact, Span, Text
from assets.analytical.facts.names import Token
from assets.analytical.facts.patterns import joined

_PARENTHESIS = re.compile(r"[(（\[]([^()（）\[\]\x00]{2,160}+)[)）\]]")
_SHORT = re.compile(
    r"(?:(?:the|or|i\.e\.,?|abbreviated(?: as| to)?|abbr\.|denoted(?: as| by)?|called|termed|named|dubbed|hereafter|"
    r"henceforth|aka|a\.k\.a\.|in short|for short)[,:]?\s+)?"
    r"[\"“'‘]?([^\W_](?:[\w&+./*∞-]|['’](?=\w)){0,17}?[\w+*∞])[\"”'’]?(?:\s*[,;:].*|\s+for short|\s+hereafter)?",
    re.DOTALL,
)
_WORD = re.compile(r"[^\s()\[\]]+")
_SHORT_BEFORE = re.compile(r"(?<![\w-])([^\W_][\w&+./∞-]{1,18})\s?$")
_STANDS_FOR = re.compile(
    joined(
        r"""(?<![\w-])(\w[\w&+./-]{1,18}+),?\s+
        (?:\(?(?:is )?short for|(?:which )?stand(?:s|ing) for|an? (?:acronym|abbreviation) (?:of|for)|for)\s+
        [\"“']?(?:the\s+)?([^,.;:()\x00]{5,120})"""
    )
)
_ABBREVIATED = re.compile(
    joined(
        r""",?\s+(?:or\s+|(?:which (?:is|we) )?(?:abbreviated|shortened|denoted|abbreviate)\s+(?:as|to|by)\s+)
        ([A-Z][\w-]{1,12})(?=,| for short| in short|\))"""
    )
)
_LINK = r"(?:of|for|and|with|in|to|the|on|via|by|from)"
_APPOSITION = re.compile(
    rf",\s+(?:an?|the|our)\s+(?:novel\s+|new\s+)?([A-Z][\w-]+(?:\s+(?:{_LINK}\s+){{0,2}}[A-Z][\w-]+){{1,8}})"
)
_SPELLED = ("short for", "stand", "acronym", "abbreviation", ", for ")
_BOUNDARY = re.compile(r"[.;:!?\x00]\s|[()\[\]]|[.;:!?\x00]$|,\s+(?:which|that|where|but|we|and we)\s")
_EDGES = " ,;:\"“”'‘’*"


class Definition(NamedTuple):
    """A short form and its expansion, each with its span."""

    short: Span
    expansion: Span


def find_acronyms(text: Text) -> list[Fact]:
    """Return the short forms that a text defines, one for each different form and expansion, in order."""
    return [
        Fact("acronym", d.short.start, d.short.end, text.read[d.expansion.start : d.expansion.end])
        for d in find_definitions(text)
    ]


def find_definitions(text: Text) -> list[Definition]:
    """Return the definitions of a text in order; a short form that is defined twice alike counts once."""
    read, found, seen = text.read, [], set()
    for definition in _definitions(text):
        short = letters_of(read[definition.short.start : definition.short.end])
        if short not in seen:
            seen.add(short)
            found.append(definition)
    return sorted(found)


def _definitions(text: Text) -> Iterator[Definition]:
    read = text.read
    for bracket in _PARENTHESIS.finditer(read):
        if definition := _before(read, bracket) or _inside(read, bracket):
            yield definition
    if text.signs.spelled and any(cue in read for cue in _SPELLED):
        yield from _spelled_out(read)
    if "abbreviat" in read or " for short" in read:
        yield from _abbreviated(read)
    for token in text.tokens:
        if read.startswith(", ", token.end) and (definition := _apposed(read, token)):
            yield definition


def is_short_form(word: str) -> bool:
    """Return whether a word is spelled as short forms are: two capitals, or one inside or beside a digit."""
    if not 2 <= len(word) <= 20 or not any(c.isalpha() for c in word):
        return False
    if word[0].isdigit() and not re.match(r"\d[A-Z]{2}", word):
        return False
    capitals = sum(c.isupper() for c in word)
    return capitals >= 2 or (capitals == 1 and any(c.isdigit() for c in word))


def _before(read: str, bracket: re.Match[str]) -> Definition | None:
    """Return `expansion (SHORT)`."""
    inside = _SHORT.fullmatch(bracket[1].strip())
    if inside is None or not is_short_form(inside[1]):
        return None
    short = inside[1]
    letters = letters_of(short)
    if len(letters) < 2:
        return None
    words = _words_before(read, bracket.start(), len(letters))
    best: tuple[float, int] | None = None
    end = bracket.start()
    while end > 0 and read[end - 1] in _EDGES:
        end -= 1
    for start in words:
        if start >= end:
            continue
        cost = alignment_cost(letters, read[start:end])
        if cost is not None and (best is None or cost < best[0]):
            best = (cost, start)
    if best is None or best[0] > _allowed(letters, read[best[1] : end]):
        return None
    expansion = read[best[1] : end]
    if not _is_expansion(expansion, short):
        return None
    at = read.index(short, bracket.start())
    return Definition(Span(at, at + len(short)), Span(best[1], end))


def _inside(read: str, bracket: re.Match[str]) -> Definition | None:
    """Return `SHORT (expansion)`."""
    content = re.split(r"[;:]|,\s(?:a|an|the|which|see)\s", bracket[1], maxsplit=1)[0].strip(_EDGES)
    if " " not in content and "-" not in content:
        return None
    head = _SHORT_BEFORE.search(read, max(0, bracket.start() - 22), bracket.start())
    if head is None or not is_short_form(head[1]):
        return None
    letters = letters_of(head[1])
    content = re.sub(r"^(?:i\.e\.,?|short for|stands for|from|the|an?)\s+", "", content)
    cost = alignment_cost(letters, content)
    if cost is None or cost > _allowed(letters, content) + 2 or not _is_expansion(content, head[1]):
        return None
    at = read.index(content, bracket.start())
    return Definition(Span(head.start(1), head.end(1)), Span(at, at + len(content)))


def _spelled_out(read: str) -> Iterator[Definition]:
    """Yield `SHORT, short for expansion`, `SHORT, for Expansion` and the like."""
    for found in _STANDS_FOR.finditer(read):
        short = found[1]
        if not is_short_form(short):
            continue
        definition = _longest_fit(short, found.start(1), found[2], found.start(2))
        if definition:
            yield definition


def _longest_fit(short: str, at: int, words: str, start: int) -> Definition | None:
    """Return the definition by the shortest run of words, from the first on, that holds all letters at low cost."""
    letters, best = letters_of(short), None
    for word in _WORD.finditer(words):
        run = words[: word.end()].rstrip(_EDGES)
        cost = alignment_cost(letters, run)
        if cost is not None and cost <= 0.5 * len(letters) and (best is None or cost < best[0]):
            best = (cost, len(run))
    if best is None or " " not in words[: best[1]]:
        return None
    return Definition(Span(at, at + len(short)), Span(start, start + best[1]))


def _abbreviated(read: str) -> Iterator[Definition]:
    """Yield `expansion, abbreviated as SHORT` and `expansion, or SHORT for short`."""
    for found in _ABBREVIATED.finditer(read):
        letters = letters_of(found[1])
        fits = [
            (cost, start)
            for start in _words_before(read, found.start(), len(letters))
            if (cost := alignment_cost(letters, read[start : found.start()])) is not None
        ]
        if fits and min(fits)[0] <= _allowed(letters, read[min(fits)[1] : found.start()]) and is_short_form(found[1]):
            yield Definition(Span(*found.span(1)), Span(min(fits)[1], found.start()))


def _apposed(read: str, token: Token) -> Definition | None:
    """Return `SHORT, a Capitalised Expansion`."""
    if not is_short_form(token.text) or not (found := _APPOSITION.match(read, token.end)):
        return None
    letters = letters_of(token.text)
    cost = alignment_cost(letters, found[1])
    if cost is None or cost > 0.5 * len(letters):
        return None
    return Definition(Span(token.start, token.end), Span(*found.span(1)))


def _words_before(read: str, end: int, letters: int) -> list[int]:
    """Return where the words before a place begin, nearest first, within the clause and a window by letters."""
    window = min(letters + 5, letters * 2) + 1
    start = max(0, end - 20 * window)
    clause = start
    for boundary in _BOUNDARY.finditer(read, start, max(start, end - 1)):
        clause = boundary.end()
    starts = [word.start() + _opening(word[0]) for word in _WORD.finditer(read, clause, end)]
    if clause == start and start > 0 and starts:
        starts = starts[1:]
    return starts[::-1][:window]


def _opening(word: str) -> int:
    """Return how many marks open a word."""
    return len(word) - len(word.lstrip("\"“”'‘’*-–—/"))


def _allowed(letters: str, words: str) -> float:
    """Return the highest cost at which words still count as an expansion: two letters must both begin words."""
    if len(words) >= 9 and " " not in words and "-" not in words:
        return 2.0 * (len(letters) - 1)  # one long word, as in electroencephalography (EEG)
    return 1.8 if len(letters) == 2 else 1.3 * (len(letters) - 1) + 1


def _is_expansion(words: str, short: str) -> bool:
    """Return whether words can be an expansion: more than the short form itself, and no small word at the edges."""
    ends = words.split()
    if len(ends) < 2 and "-" not in words and len(words) < len(short) + 4:
        return False
    if ends[-1].lower() in SMALL_WORDS or short.lower() in (end.strip(_EDGES).lower() for end in ends):
        return False
    return ends[0].lower() not in SMALL_WORDS or ends[0].lower() in ("in", "on", "over", "out") or ends[0][0].isupper()
