"""What stands before an abstract and is none of it: labels and the lines of feeds.

Ids that a prefix carries are returned, so that they are not lost with it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assets.parsed.external_ids import ARXIV
from assets.parsed.record import ExternalId

LABEL_WORDS = (
    "abstract|summary|paper abstract|tl;?dr|摘\\s*要|内容摘要|中文摘要|论文摘要|概要|要旨|抄録|초록|요약|résumé|"
    "resume|resumen|"
    "zusammenfassung|kurzfassung|riassunto|resumo|аннотация"
)
_FEED = re.compile(
    rf"^\s*arXiv:\s*(?P<id>{ARXIV})(?:\s*\[[^\]]*\])?\s*(?:Announce\s*Type:\s*(?P<type>[\w-]+))?\s*", re.IGNORECASE
)
_LABEL = re.compile(
    rf"^[\s>#*_【\[<]*(?:{LABEL_WORDS})[\s*_】\]>]*(?:\(#br\)|[:：﹕．.]|[—–-](?=\s)|"
    rf"[\r\n])(?:[*_]{{1,2}}(?=\s))?\s*",
    re.IGNORECASE,
)
# "Abstract interpretation is ..." begins an abstract: a label without punctuation counts only before a usual opening.
_GLUED = re.compile(
    r"^\s*(?:Abstract|ABSTRACT)(?:\s+[—–-]\s*|\s+(?=(?:We|This|The|In|A|An|Our|To|Recent|Recently|While|Although|"
    r"Many|"
    r"Most|For|With|It|These|There|As|Despite|Background|Objectives?|Purpose|Motivation)\b))"
)
_TITLED = re.compile(
    rf"^\s*<(?:jats:)?(?P<tag>title|h[1-6]|b|strong)>\s*(?:{LABEL_WORDS})\s*[:：.]?\s*</(?:jats:)?(?P=tag)>\s*|^\s*【\s*(?:{LABEL_WORDS})\s*】\s*",
    re.IGNORECASE,
)
_MORE = re.compile(r"\A.{0,700}?▽\s*More\s+(?=\S)", re.DOTALL)
_LESS = re.compile(r"\s*△\s*Less\s*\Z")
"""What a page of search results shows of an abstract before all of it, and after it."""
_BREAK_MARK = re.compile(r"\(#br\)", re.IGNORECASE)
MIGHT_BE = rf"(?i)^[\s>#*_【\[<]*(?:{LABEL_WORDS}|arxiv:)|\(#br\)|△"
"""A pattern (for Polars too) of texts that may begin with a prefix."""


@dataclass(frozen=True)
class Unprefixed:
    """A text without its prefixes and the ids that they carried."""

    text: str
    ids: tuple[ExternalId, ...] = ()


def strip_prefixes(text: str) -> Unprefixed:
    """Return the text without feed lines and labels such as "Abstract:" at its start."""
    ids: list[ExternalId] = []
    for _ in range(4):
        before = text
        if match := _FEED.match(text):
            value, version = split_version(match["id"])
            ids.append(ExternalId("arxiv", value, version))
            text = text[match.end() :]
        if (match := _LABEL.match(text)) or (match := _GLUED.match(text)) or (match := _TITLED.match(text)):
            text = text[match.end() :]
        if text == before:
            break
    if "△" in text:
        text = _LESS.sub("", _MORE.sub("", text, count=1))
    return Unprefixed(_BREAK_MARK.sub(" ", text), tuple(ids))


def split_version(value: str) -> tuple[str, str | None]:
    """Return an arXiv id and its version: `2601.00001v2` -> (`2601.00001`, `2`)."""
    match = re.fullmatch(r"(.+?)v(\d{1,3})", value.strip(), re.IGNORECASE)
    return (match[1], match[2]) if match else (value.strip(), None)
