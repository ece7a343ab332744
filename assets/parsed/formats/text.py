"""Text lists: pages saved as text, abstracts in blank-line blocks, one a line, or with titles and authors.

Lists whose records are parted by rows of stars or dashes are in `ruled.py`, numbered lists in `numbered.py`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import pairwise

from assets.parsed.formats.continuation import (
    LOWER_CASE,
    MIDDLE,
    TOO_SHORT,
    WEAK,
    continues,
    is_alike,
)
from assets.parsed.formats.fields import is_abstract_like, label_of, read_record
from assets.parsed.formats.glued import DETAIL, glued_starts
from assets.parsed.formats.layout import (
    LONG,
    Block,
    blocks_of,
    ends_sentence,
    weight,
)
from assets.parsed.formats.names import looks_like_authors
from assets.parsed.formats.text_units import (
    ASIDE,
    ONE_SENTENCE,
    Unit,
    is_titled,
    take_short_abstracts,
    take_titles_with_stops,
    units_of,
)
from assets.parsed.formats.title_lists import read_titles
from assets.parsed.furniture import LONGEST
from assets.parsed.heading import find_heading
from assets.parsed.record import Heading, Parsed, Piece, Record, UnsupportedError
from assets.parsed.spans import Span

NAME = "text"
USUAL_SHARE = 0.6
"""Share of the abstracts above which as many short blocks must stand for that to be the rule of a list."""
KEPT_APART = "it may go on with the abstract before it; kept apart, as it looks like the others"
TOP_BLOCKS = 40
"""Blocks among which the heading is looked for."""


def parse(text: str) -> Parsed:
    """Return the records of a text list.

    Raises:
        UnsupportedError: when nothing in it reads like a list of papers.
    """
    heading = top_heading(text)
    units = units_of(text, heading)
    parsed = Parsed(NAME, heading=heading)
    if _take_titles(text, units, parsed):
        return parsed
    take_short_abstracts(text, units)
    titled = is_titled(text, units)
    if titled:
        take_titles_with_stops(text, units)
    if heading is None and not titled:
        parsed.heading = heading = _unknown_heading(units)
    _collect(text, units, parsed, titled=titled)
    if not parsed.records and parsed.heading is None and any(p.reason == "fragment" for p in parsed.pieces):
        raise UnsupportedError("not recognised as a list of papers, and it does not read like prose")
    return parsed


def _take_titles(text: str, units: list[Unit], parsed: Parsed) -> bool:
    """Read a list in which lines are titles, or titles and authors; return whether it is one."""
    named = parsed.heading is not None
    bodies = [unit for unit in units if unit.kind in ("short", "prose", "record")]
    heading = None if named else _heading_of_titles(bodies)
    lines = [line for unit in bodies if unit is not heading for line in unit.block.lines]
    parsed.records = read_titles(text, lines, named=named)
    if not parsed.records:
        return False
    if heading is not None:
        heading.kind = "heading"
        parsed.heading = Heading(heading.block.start, heading.block.end)
    for unit in units:
        if unit.kind in ASIDE:
            _set_aside(unit, parsed)
    starts = [record.start for record in parsed.records]
    for start, end in lines:
        index = bisect_right(starts, start) - 1
        if index < 0 or end > parsed.records[index].end:
            parsed.pieces.append(Piece(start, end, "fragment"))
    return True


def _heading_of_titles(bodies: list[Unit]) -> Unit | None:
    """A line alone above a block of several titles names the list, in words that we don't know."""
    if len(bodies) > 1 and len(bodies[0].block.lines) == 1 and len(bodies[1].block.lines) > 2:
        return bodies[0] if bodies[0].kind == "short" else None
    return None


def top_heading(text: str) -> Heading | None:
    """Return the heading among the short lines near the top, or None."""
    lines: list[Span] = []
    for block in blocks_of(text, 0, min(len(text), 20_000))[:TOP_BLOCKS]:
        lines += [line for line in block.lines if line[1] - line[0] <= LONGEST]
    return find_heading(text, lines)


def _unknown_heading(units: list[Unit]) -> Heading | None:
    """A short line above the first abstract of a list without titles names the list, in words that we don't know."""
    for index, unit in enumerate(units[:-1]):
        if unit.kind in ("rule", "furniture"):
            continue
        if (
            unit.kind == "short"
            and units[index + 1].kind in ("prose", "furniture", "rule")
            and len(unit.block.lines) == 1
        ):
            unit.kind = "heading"
            return Heading(unit.block.start, unit.block.end)
        return None
    return None


def _collect(text: str, units: list[Unit], parsed: Parsed, *, titled: bool) -> None:
    """Make records and pieces of the units, in order."""
    usual, most = _usual_length(text, units), _usual_head(units)
    lower = _often_lower(text, units)
    pending: list[Unit] = []  # short blocks that may be title and authors of the next abstract
    for unit in units:
        block = unit.block
        if unit.kind in ASIDE:
            _collect_other(unit, parsed)
            continue
        if unit.kind == "short":
            if titled or not _goes_on(text, unit, parsed, usual, lower=lower):
                pending.append(unit)
            continue
        if unit.kind == "prose" and not pending and _goes_on(text, unit, parsed, usual, lower=lower, certain=titled):
            continue
        if unit.kind == "record":
            _reject_short(text, pending, parsed)
            parsed.records.append(read_record(text, block.lines, start=block.start, end=block.end))
        elif pending and titled:
            head = _title_units(text, pending, most)
            _reject_short(text, pending[: len(pending) - len(head)], parsed)
            lines = [line for part in head for line in part.block.lines]
            record = read_record(text, [*lines, *block.lines], start=lines[0][0], end=block.end)
            parsed.records.append(_with_title(text, record, head, block))
        else:
            _reject_short(text, pending, parsed)
            parsed.records += _untitled(text, block, unit.detail)
        pending = []
    _reject_short(text, pending, parsed)


def _often_lower(text: str, units: list[Unit]) -> bool:
    """Return whether so many abstracts of a list begin in lower case that it says nothing."""
    starts = [text[unit.block.start] for unit in units if unit.kind == "prose"]
    return len(starts) >= 3 and 2 * sum(start.islower() for start in starts) >= len(starts)


def _usual_length(text: str, units: list[Unit]) -> int:
    """Return the length of the longer abstracts of a list, the upper quartile; at most `MIDDLE`."""
    sizes = []
    for unit in units:
        if unit.kind == "prose":
            size = unit.block.end - unit.block.start
            sizes.append(MIDDLE if size >= MIDDLE else weight(text[unit.block.start : unit.block.end]))
    return min(sorted(sizes)[3 * len(sizes) // 4], MIDDLE) if sizes else MIDDLE


def _untitled(text: str, block: Block, detail: str | None) -> list[Record]:
    """Return the abstract that a block is, or the abstracts that are glued together in it."""
    starts = glued_starts(text, block.start, block.end)
    detail = DETAIL if len(starts) > 1 else detail
    return [
        Record(start, end, abstract=text[slice(*span)], abstract_span=span, detail=detail)
        for start, end in pairwise([*starts, block.end])
        for span in [_within_quotes(text, start, end)]
    ]


def _within_quotes(text: str, start: int, end: int) -> Span:
    """Return the span of an abstract without the quotes around all of it."""
    if text[start] == '"' == text[end - 1] and end - start > 2 and text.count('"', start, end) == 2:
        return start + 1, end - 1
    return start, end


def _with_title(text: str, record: Record, head: list[Unit], block: Block) -> Record:
    """In a list with titles the blocks before an abstract are title and authors, whatever their lines look like."""
    from assets.parsed.formats.fields import clean_title
    from assets.parsed.formats.names import split_names

    if any((mark := label_of(text[a:b])) for a, b in [line for unit in head for line in unit.block.lines]) and mark:
        return record
    title = head[0].block
    record.title = clean_title(text[title.start : title.end])
    if len(title.lines) == 2 and looks_like_authors(text[title.lines[1][0] : title.lines[1][1]]):
        record.title = clean_title(text[title.lines[0][0] : title.lines[0][1]])
        record.authors = split_names(text[title.lines[1][0] : title.lines[1][1]]) or None
    for unit in head[1:]:
        piece = text[unit.block.start : unit.block.end]
        if record.authors is None and looks_like_authors(piece):
            record.authors = split_names(piece) or None
    record.abstract = text[block.start : block.end]
    record.abstract_span = (block.start, block.end)
    return record


def _title_units(text: str, pending: list[Unit], most: int) -> list[Unit]:
    """Return the short blocks that are title and authors; headings of sessions may stand above them."""
    head = pending[-most:]
    first = text[head[0].block.start : head[0].block.end]
    return pending[-most - 1 :] if len(head[0].block.lines) == 1 and looks_like_authors(first) else head


def _usual_head(units: list[Unit]) -> int:
    """Return how many short blocks stand above an abstract as a rule; four when there is no rule."""
    heads: Counter[int] = Counter()
    run = 0
    for unit in units:
        if unit.kind == "short":
            run += 1
        elif unit.kind in ("prose", "record"):
            heads[run] += run > 0
            run = 0
    usual, often = max(heads.items(), key=lambda item: item[1], default=(4, 0))
    return usual if usual and often >= 3 and often >= USUAL_SHARE * heads.total() else 4


def _goes_on(text: str, unit: Unit, parsed: Parsed, usual: int, *, lower: bool, certain: bool = False) -> bool:
    """Join a block to the abstract before it when it is a further paragraph of it."""
    last = parsed.records[-1] if parsed.records else None
    if last is None or last.abstract_span is None or (parsed.pieces and parsed.pieces[-1].start >= last.end):
        return False
    start, end = last.abstract_span
    piece = text[unit.block.start : unit.block.end]
    reason = continues(text[max(start, end - 120) : end], piece)
    if (
        reason in (TOO_SHORT, WEAK)
        and unit.kind == "prose"
        and is_alike(piece, weight(piece) if unit.is_line else usual)
    ):
        if reason == WEAK and unit.detail is None:
            unit.detail = KEPT_APART
        reason = None
    if (
        reason == LOWER_CASE
        and unit.kind == "prose"
        and ends_sentence(text[start:end])
        and (lower or weight(piece) >= max(LONG, 0.8 * usual))
        and ends_sentence(piece)
    ):
        # "iCaRL is ..." begins an abstract as well; one that is as long as the others stays apart.
        unit.detail = unit.detail or KEPT_APART
        reason = None
    if reason == TOO_SHORT and unit.detail == ONE_SENTENCE:
        reason = None
    if reason is None and not certain:
        return False
    last.end = unit.block.end
    last.abstract_span = (start, unit.block.end)
    last.abstract = text[start : unit.block.end]
    if not certain:
        note = f"possible fragment: a paragraph was joined to the abstract ({reason})"
        last.detail = note if last.detail is None else last.detail
    return True


def _collect_other(unit: Unit, parsed: Parsed) -> None:
    if unit.kind != "rule" or not parsed.records or any(p.start >= parsed.records[-1].end for p in parsed.pieces[-1:]):
        _set_aside(unit, parsed)
    else:
        parsed.records[-1].end = unit.block.end


def _set_aside(unit: Unit, parsed: Parsed) -> None:
    """Make a piece of a unit that is no part of a record, unless it is the heading itself."""
    block, heading = unit.block, parsed.heading
    if unit.kind == "heading":
        if heading is None or not (block.start <= heading.start and heading.end <= block.end):
            parsed.pieces.append(Piece(block.start, block.end, "heading_repeat"))
    else:
        reason = "page_furniture" if unit.kind == "furniture" else "structure"
        parsed.pieces.append(Piece(block.start, block.end, reason))


def _reject_short(text: str, pending: list[Unit], parsed: Parsed) -> None:
    for unit in pending:
        piece = text[unit.block.start : unit.block.end]
        if is_abstract_like(piece):
            parsed.records.append(
                Record(
                    unit.block.start, unit.block.end, abstract=piece, abstract_span=(unit.block.start, unit.block.end)
                )
            )
        else:
            reason = "too_short" if len(piece.split()) < 5 and weight(piece) < 40 else "fragment"
            parsed.pieces.append(Piece(unit.block.start, unit.block.end, reason))
