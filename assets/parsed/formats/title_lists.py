"""Lists of titles: one title a line, or a title and its authors, with or without a heading."""

from __future__ import annotations

import re

from assets.parsed.formats.fields import clean_title, is_abstract_like, label_of
from assets.parsed.formats.layout import ends_sentence, is_cjk, weight
from assets.parsed.formats.names import looks_like_authors, split_names
from assets.parsed.record import Record
from assets.parsed.spans import Span

LONGEST_TITLE = 240
TITLE_SHARE = 0.9
"""Share of the lines that must be titles or authors."""
AUTHORS_SHARE = 0.25
"""Share of lines that read as several names from which they are authors and not titles that look so."""
UNNAMED = "a line of a list without a heading in which every line looks like a title"
_TITLE_WORD_LIST = (
    "the of at for from with without after before under over between through against new are how what why when using "
    "via by towards toward"
)
_TITLE_WORDS = frozenset(_TITLE_WORD_LIST.split())
"""Words that stand in titles and in no names."""
_CJK_TITLE = re.compile(
    "的|于|与|和|及|之|基|面向|方法|研究|分析|模型|学习|算法|系统|网络|应用|识别|检测|预测|生成|综述|の|による|"
    "ための|に関する|を用いた|に基づく|研究|手法|위한|기반|연구|방법|이용한|분석"
)
"""Words that stand in titles in Chinese, Japanese and Korean."""
_AUTHORS_BEHIND = re.compile(r"^(?P<title>.+?)\s*(?:[—–]|\s-\s|\t|\s\|\s)\s*(?P<authors>[^\t]+)$")
_SEPARATED = re.compile(r"[,;，；、]|\s(?:and|und|et|&)\s", re.IGNORECASE)


def read_titles(text: str, lines: list[Span], *, named: bool) -> list[Record]:
    """Return a record per title, or nothing when the lines don't look like a list of titles.

    Args:
        text: The decoded text.
        lines: The lines without heading, rules and furniture.
        named: Whether a heading names the list; without one every line must look like a title, in title case or by
            the words in it.
    """
    least = 2 if named else 3
    if len(lines) < least or sum(b - a <= LONGEST_TITLE for a, b in lines) < TITLE_SHARE * len(lines):
        return []
    pieces = [text[a:b] for a, b in lines]
    if any(label_of(piece) for piece in pieces):
        return []
    titles = [is_title(piece) for piece in pieces]
    authors = _author_lines(pieces)
    known = sum(a or t for a, t in zip(authors, titles, strict=True))
    if known < TITLE_SHARE * len(lines) or len(lines) - sum(authors) < 0.4 * len(lines):
        return []
    own = [piece for piece, is_authors in zip(pieces, authors, strict=True) if not is_authors]
    if not named and not _in_title_case(own) and not _in_words_of_titles(own):
        return []
    if not any(authors) and (both := _with_authors(lines, pieces, named=named)):
        return both
    records: list[Record] = []
    for (start, end), piece, titled, is_authors in zip(lines, pieces, titles, authors, strict=True):
        last = records[-1] if records else None
        if is_authors and last and last.authors is None and last.abstract is None:
            last.end, last.authors = end, split_names(piece) or None
        elif titled or is_authors:
            records.append(Record(start, end, title=clean_title(piece), detail=None if named else UNNAMED))
        elif last and last.abstract is None and is_abstract_like(piece):
            last.end, last.abstract, last.abstract_span = end, piece, (start, end)
    return records


def _with_authors(lines: list[Span], pieces: list[str], *, named: bool) -> list[Record]:
    """Return the titles of a list in which authors stand behind each, after a tab or a dash."""
    records = []
    for (start, end), piece in zip(lines, pieces, strict=True):
        match = _AUTHORS_BEHIND.match(piece)
        known = match is not None and looks_like_authors(match["authors"])
        records.append(
            Record(
                start,
                end,
                title=clean_title(match["title"] if match and known else piece),
                authors=(split_names(match["authors"]) or None) if match and known else None,
                detail=None if named else UNNAMED,
            )
        )
    return records if sum(record.authors is not None for record in records) >= 0.8 * len(records) else []


def _author_lines(pieces: list[str]) -> list[bool]:
    """Return which lines are authors: every second one, or enough lines of several names; a few are titles too."""
    names = [looks_like_authors(piece) and _TITLE_WORDS.isdisjoint(piece.lower().split()) for piece in pieces]
    upper, lower = names[0::2], names[1::2]
    if len(pieces) >= 4 and sum(lower) >= TITLE_SHARE * len(lower) and sum(upper) <= 0.5 * len(upper):
        return [bool(index % 2) and is_names for index, is_names in enumerate(names)]
    several = [is_names and bool(_SEPARATED.search(piece)) for is_names, piece in zip(names, pieces, strict=True)]
    several[0] = False
    return several if sum(several) >= AUTHORS_SHARE * len(pieces) else [False] * len(pieces)


def is_title(line: str) -> bool:
    """Return whether a line reads as a title: no sentence, begun as one, and made of letters."""
    return (
        4 <= weight(line) <= LONGEST_TITLE
        and (not ends_sentence(line) or line.endswith(("?", "!", "？", "！")))
        and (line[:1].isalnum() or line[:1] in "\"'“‘«《「¿¡$")
        and sum(c.isalpha() or c.isspace() for c in line) >= 0.7 * len(line)
    )


def _in_title_case(titles: list[str]) -> bool:
    """Return whether lines that no heading names are plainly titles: capitals on their long words, several words."""
    if any(is_cjk(title) or not is_title(title) for title in titles):
        return False
    words = [title.split() for title in titles]
    capital = sum(_has_capitals(title) for title in words)
    return capital >= 0.8 * len(titles) and 2 * sum(len(title) >= 4 for title in words) >= len(titles)


def _in_words_of_titles(titles: list[str]) -> bool:
    """Return whether lines in sentence case or in Chinese, Japanese or Korean are titles by the words in them."""
    if not all(is_title(title) and _begins_as_title(title) for title in titles):
        return False
    cjk = [is_cjk(title) for title in titles]
    if all(cjk):
        spoken = sum(bool(_CJK_TITLE.search(title)) for title in titles)
        return spoken >= 0.6 * len(titles) and all(6 <= len(title) <= 80 for title in titles)
    if any(cjk):
        return False
    words = [title.lower().split() for title in titles]
    spoken = sum(not _TITLE_WORDS.isdisjoint(title) for title in words)
    usual = sorted(len(title) for title in words)[len(words) // 2]
    return spoken >= 0.6 * len(titles) and usual >= 5 and all(len(title) >= 3 for title in words)


def _begins_as_title(title: str) -> bool:
    return not title[:1].islower() and not title.endswith((":", ",", ";", "：", "，", "；"))


def _has_capitals(words: list[str]) -> bool:
    long_words = [word for word in words if len(word) >= 4 and word[0].isalpha()] or words
    return sum(word[0].isupper() for word in long_words) >= 0.7 * len(long_words) and len(words) <= 30
