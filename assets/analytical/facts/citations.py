"""Works that a text cites: `[Name et al., 2025]`, `(Name & Name, 2025)`, `Name et al. (2025)`, `[KM25]`, `[3, 7]`."""

from __future__ import annotations

import re

from assets.analytical.facts.fact import Fact
from assets.analytical.facts.patterns import any_of

_PARTICLE = any_of("[Vv]an [Vv]on [Dd]e der den [Dd]i [Dd]a [Ll]a [Ll]e [Ee]l al ten dos")
_NAME = rf"(?:{_PARTICLE}\s+){{0,2}}[^\W\d_a-z][^\W\d_]+(?:[-’'][^\W\d_]+)*"
_SECOND = rf"(?:,?\s*(?:&|and|und|et)\s+{_NAME})"
_NAMES = rf"{_NAME}(?:,\s*{_NAME}){{0,3}}?(?:{_SECOND}|,?\s*et\.?\s+al\.?(?:’s|'s)?)?"
_YEAR = r"(?:(?:19|20)\d\d[a-z]?|in press|to appear|forthcoming)"
_WORK = rf"{_NAMES},?\s*(?:\({_YEAR}\)|{_YEAR})(?:\s*,\s*{_YEAR})*"
_KEY = r"(?:[A-Z]{1,6}\+?|[A-Z][a-zA-Z]{1,6}\+?)\d\d[a-z]?(?![\d])"

_SEE = r"(?:(?:see|see also|e\.g\.,?|cf\.|i\.e\.,?|by|in|following)\s+)*"
_BRACKETED = re.compile(rf"[(\[]{_SEE}{_WORK}(?:\s*[;,]\s*(?:(?:and|see)\s+)?{_WORK})*[)\]]")
_KEYED = re.compile(rf"\[{_KEY}(?:\s*[,;]\s*{_KEY})*\]")
_NUMBERED = re.compile(r"(?<=[\w.,)] )\[[1-9]\d{0,2}(?:\s*[,;–-]\s*[1-9]\d{0,2})*\](?![\w(\[^])")
_INTERVAL_BEFORE = re.compile(r"(?:∈|=|\b(?:in|interval|range|between|from|scale|over|to|on|within))\s*$")
_NARRATIVE = re.compile(rf"\b{_NAMES}\s*[(\[](?:{_YEAR})(?:\s*,\s*{_YEAR})*[)\]]")
_ET_AL = re.compile(rf"\b{_NAME}(?:,\s*{_NAME}){{0,2}},?\s+et\.?\s+al\b\.?(?:,?\s*(?:\({_YEAR}\)|{_YEAR}))?")
_AND_YEAR = re.compile(rf"\b{_NAME}\s+(?:and\s+{_NAME},|&\s+{_NAME},?)\s+{_YEAR}")
_BY_SOMEONE = re.compile(r"by (?<!\wby )(?=[A-Z])")
_PAIR = re.compile(rf"({_NAME} and {_NAME})(?=[.,;)]|\s+(?:in|for|to|on|as|and|who|that|which)\b|$)")
_YEAR_SIGNS = ("19", "20", "in press", "to appear", "forthcoming")
_DATED_BRACKET = re.compile(rf"[(\[][^()\[\]]*{_YEAR}\s*[)\];,]")
_INTRODUCED_BY = re.compile(
    r"\b(?:introduced|proposed|initiated|studied|developed|posed|asked|given|shown|proved|proven|considered|defined|"
    r"formulated|suggested|described|raised|established|pioneered|due|framework|model|work|result|results) by $"
)
_NOT_A_NAME = re.compile(
    r"^(?:January|February|March|April|May|June|July|August|September|October|November|December|Since|Until|During|"
    r"After|Before|Between|In|Spring|Summer|Autumn|Fall|Winter|Task|Track|Workshop|Conference|Challenge|Version|"
    r"Olympics?|Year|Windows|Section|Table|Figure|Algorithm|Theorem|Shared|The|This|We|Our|For|From|Dataset)\b"
)
_ENDS = " ,;"


def find_citations(text: str) -> list[Fact]:
    """Return the citations of a text in order, each as it stands: with its brackets where these hold nothing else."""
    spans: list[tuple[int, int]] = []

    def add(start: int, end: int) -> None:
        while end > start and text[end - 1] in _ENDS:
            end -= 1
        if text[start:end].count("(") > text[start:end].count(")"):
            return
        if all(end <= a or start >= b for a, b in spans):
            spans.append((start, end))

    has_year = any(sign in text for sign in _YEAR_SIGNS)
    if "[" in text:
        for found in _KEYED.finditer(text):
            add(*found.span())
        for found in _NUMBERED.finditer(text):
            several = not found[0][1:-1].isdigit()
            if not (several and _INTERVAL_BEFORE.search(text, max(0, found.start() - 12), found.start())):
                add(*found.span())
    if has_year and _DATED_BRACKET.search(text):
        for pattern in (_BRACKETED, _NARRATIVE):
            for found in pattern.finditer(text):
                if not _NOT_A_NAME.match(found[0].lstrip("([")) and _surnames(found[0]):
                    add(*found.span())
    if " et al" in text or " et. al" in text:
        for found in _ET_AL.finditer(text):
            add(*found.span())
    if has_year and (" & " in text or " and " in text):
        for found in _AND_YEAR.finditer(text):
            if not _NOT_A_NAME.match(found[0]) and _surnames(found[0]):
                add(*found.span())
    if " by " in text:
        for by in _BY_SOMEONE.finditer(text):
            pair = _PAIR.match(text, by.end())
            if pair and _surnames(pair[1]) and _INTRODUCED_BY.search(text, max(0, by.start() - 20), by.end()):
                add(*pair.span(1))
    return [Fact("citation", start, end) for start, end in sorted(spans)]


def _surnames(words: str) -> bool:
    """Return whether the capitalised words are spelled as surnames: no capital or digit inside, as BERT (2018) has."""
    names = re.findall(r"[^\W\d_]{2,}", re.sub(rf"{_YEAR}|\b(?:et|al|and|see|van|von|de|der)\b", " ", words))
    return all(re.fullmatch(r"(?:Mc|Mac|De|Di|La|Le|Van|Von|O)?[^\W\d_a-z]?[^\W\d_A-Z]+", name) for name in names)
