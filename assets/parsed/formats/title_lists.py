"""Lists of titles without abstracts under a heading: one title a line, or a title and its authors."""

from __future__ import annotations

from assets.parsed.formats.fields import clean_title
from assets.parsed.formats.layout import Block, ends_sentence, weight
from assets.parsed.formats.names import looks_like_authors, split_names
from assets.parsed.record import Record

LONGEST_TITLE = 240


def read_titles(text: str, blocks: list[Block]) -> list[Record]:
    """Return a record per title of blocks without abstracts, or nothing when they don't look like titles."""
    lines = [line for block in blocks for line in block.lines]
    authors = [looks_like_authors(text[a:b]) for a, b in lines]
    titles = [not is_authors and _is_title(text[a:b]) for (a, b), is_authors in zip(lines, authors, strict=True)]
    if len(lines) < 2 or sum(titles) + sum(authors) < 0.9 * len(lines) or sum(titles) < 0.4 * len(lines):
        return []
    records: list[Record] = []
    for (start, end), is_title in zip(lines, titles, strict=True):
        if is_title:
            records.append(Record(start, end, title=clean_title(text[start:end])))
        elif records and records[-1].authors is None:
            records[-1].end = end
            records[-1].authors = split_names(text[start:end]) or None
    return records


def _is_title(line: str) -> bool:
    return (
        12 <= weight(line) <= LONGEST_TITLE and (not ends_sentence(line) or line.endswith("?")) and line[:1].isalnum()
    )
