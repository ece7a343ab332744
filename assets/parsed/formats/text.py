"""Text lists: pages saved as text, abstracts in blank-line blocks, one a line, or with titles and authors.

Lists whose records are parted by rows of stars or dashes are in `ruled.py`, numbered lists in `numbered.py`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from assets.parsed.formats.continuation import (
    LOWER_CASE,
    MIDDLE,
    SHORT,
    TOO_SHORT,
    WEAK,
    begins_as_text,
    continues,
    is_alike,
    refers_back,
)
from assets.parsed.formats.fields import is_abstract_like, label_of, read_record
from assets.parsed.formats.glued import DETAIL, glued_starts
from assets.parsed.formats.layout import (
    LONG,
    Block,
    blocks_of,
    ends_sentence,
    is_prose,
    is_rule,
    is_wrapped,
    sentences,
    weight,
)
from assets.parsed.formats.lines import APART, TOGETHER, is_sure, sentence_lines, whole_lines
from assets.parsed.formats.names import looks_like_authors
from assets.parsed.formats.title_lists import LONGEST_TITLE, read_titles
from assets.parsed.furniture import LONGEST, is_emblem, is_furniture
from assets.parsed.heading import find_heading, read_heading
from assets.parsed.record import Heading, Parsed, Piece, Record, UnsupportedError
from assets.parsed.spans import Span

NAME = "text"
USUAL_SHARE = 0.6
"""Share of the abstracts above which as many short blocks must stand for that to be the rule of a list."""
TITLED_SHARE = 0.6
"""Share of abstracts that must follow a title for a list to count as one with titles."""
KEPT_APART = "it may go on with the abstract before it; kept apart, as it looks like the others"
ONE_SENTENCE = "a list of single short sentences: each is taken for an abstract of its own"
FEWEST_WORDS = 5
ASIDE = ("rule", "furniture", "heading", "section")
"""Kinds of units that are no part of a record."""
TOP_BLOCKS = 40
"""Blocks among which the heading is looked for."""


_SESSION = re.compile(
    r"^(?:(?:oral|poster|spotlight|technical|invited|paper|parallel|plenary|workshop|demo)\s+)*"
    r"(?:session|track)s?\b\s*(?:\d{1,3}[a-z]?|[a-z]|[ivx]{1,5})?\s*(?:[:：–—-].{0,80})?$",
    re.IGNORECASE,
)
"""Headings within a list: "Oral Session 1A: Birds"."""
_BULLET = re.compile(r"[-*+•·▪]\s")


@dataclass(slots=True)
class Unit:
    """A block, or a line of one, and what it seems to be."""

    block: Block
    kind: str  # prose, short, record, rule, furniture, heading, section
    detail: str | None = None
    is_line: bool = False
    """Whether it is one line of a block whose lines are abstracts."""


def parse(text: str) -> Parsed:
    """Return the records of a text list.

    Raises:
        UnsupportedError: when nothing in it reads like a list of papers.
    """
    heading = top_heading(text)
    units = _units(text, heading)
    parsed = Parsed(NAME, heading=heading)
    if _take_titles(text, units, parsed):
        return parsed
    _take_short_abstracts(text, units)
    titled = _is_titled(text, units)
    if titled:
        _take_titles_with_stops(text, units)
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


def _units(text: str, heading: Heading | None) -> list[Unit]:
    blocks = blocks_of(text)
    if whole_lines(text, blocks):
        apart, unsure = {block.start for block in blocks}, set[int]()
    else:
        apart, unsure = sentence_lines(text, blocks, lambda line: _line_kind(text, line, heading) is not None)
    units: list[Unit] = []
    for block in blocks:
        if block.start in apart:
            for line in block.lines:
                units += _line_units(text, Block(*line, [line]), heading)
            continue
        parts = _split_block(text, block, heading)
        if block.start in unsure:
            parts = [_as_one(part) for part in parts]
        units += parts
    return units


def _line_units(text: str, line: Block, heading: Heading | None) -> list[Unit]:
    """Return what a line is that is taken apart from its block."""
    units = _split_block(text, line, heading)
    for unit in units:
        unit.is_line = unit.kind == "prose" and ends_sentence(text[line.start : line.end])
        if unit.is_line and not is_sure(text[line.start : line.end]):
            unit.detail = APART
    return units


def _as_one(unit: Unit) -> Unit:
    """Return a block of sentences, one a line, as one abstract."""
    if unit.kind in ("prose", "record") and len(unit.block.lines) > 1:
        return Unit(unit.block, "prose", TOGETHER)
    return unit


def _split_block(text: str, block: Block, heading: Heading | None) -> list[Unit]:
    """Cut lines of furniture, headings and rules off the ends of a block, and say what each part is."""
    if block.end - block.start >= LONGEST and len(block.lines) == 1:
        return [Unit(block, "prose" if is_prose(text[block.start : block.end]) else "short")]
    kinds = [_line_kind(text, line, heading) for line in block.lines]
    units: list[Unit] = []
    run: list[Span] = []
    for line, kind in zip(block.lines, kinds, strict=True):
        if kind is None:
            run.append(line)
            continue
        if run:
            units.append(_body(text, run))
            run = []
        units.append(Unit(Block(*line, [line]), kind))
    if run:
        units.append(_body(text, run))
    return units


def _line_kind(text: str, line: Span, heading: Heading | None) -> str | None:
    start, end = line
    if end - start > LONGEST:
        return None
    piece = text[start:end]
    if heading is not None and start <= heading.start and heading.end <= end:
        return "heading"
    if is_rule(piece) or is_emblem(piece):
        return "rule"
    if _SESSION.match(piece):
        return "section"
    if is_furniture(piece):
        return "furniture"
    if heading is not None and _same_heading(text, heading, piece):
        return "heading"
    return None


def _same_heading(text: str, heading: Heading, piece: str) -> bool:
    """Return whether a line is the heading again, in its own words or in another language."""
    if piece.casefold() == text[heading.start : heading.end].casefold():
        return True
    named = read_heading(piece)
    return named is not None and heading.venue is not None and named[:2] == (heading.venue, heading.year)


def _body(text: str, lines: list[Span]) -> Unit:
    block = Block(lines[0][0], lines[-1][1], lines)
    piece = text[block.start : block.end]
    if len(lines) >= 3 and sum(bool(_BULLET.match(text[a : a + 8])) for a, _ in lines) >= 0.8 * len(lines):
        return Unit(block, "short")
    if len(lines) >= 2 and not is_wrapped(text, lines) and _holds_record(text, lines):
        return Unit(block, "record")
    if weight(piece) >= LONG:
        return Unit(block, "prose" if is_prose(piece) else "short")
    return Unit(block, "prose" if ends_sentence(piece) and is_prose(piece) and weight(piece) >= 40 else "short")


def _holds_record(text: str, lines: list[Span]) -> bool:
    """Return whether the lines of one block are labelled fields, or title, authors and abstract."""
    if any((mark := label_of(text[a:b])) and mark[0] in ("title", "abstract", "authors") for a, b in lines):
        return True
    record = read_record(text, lines, start=lines[0][0], end=lines[-1][1])
    if record.title is None or record.abstract is None or weight(record.abstract) < 60:
        return False
    return is_prose(record.abstract) and (weight(record.abstract) >= LONG or ends_sentence(record.abstract))


def _take_titles_with_stops(text: str, units: list[Unit]) -> None:
    """In a list with titles, a line alone between two abstracts is a title although it ends with a full stop."""
    bodies = [unit for unit in units if unit.kind not in ASIDE]
    for at, unit in enumerate(bodies[:-1]):
        piece = text[unit.block.start : unit.block.end]
        if (
            unit.kind != "prose"
            or len(unit.block.lines) > 1
            or weight(piece) > LONGEST_TITLE
            or sentences(piece) > 1
            or (at and bodies[at - 1].kind not in ("prose", "record"))
        ):
            continue
        following = bodies[at + 1]
        below = text[following.block.start : following.block.end]
        after = bodies[at + 2] if at + 2 < len(bodies) else None
        names = following.kind == "short" and after is not None and after.kind == "prose" and looks_like_authors(below)
        if names or (following.kind == "prose" and weight(below) >= LONG and not refers_back(below[:80])):
            unit.kind = "short"


def _take_short_abstracts(text: str, units: list[Unit]) -> None:
    """In a list of abstracts of one short sentence those of a few words are abstracts too."""
    bodies = [unit for unit in units if unit.kind in ("prose", "short")]
    if len(bodies) < 3 or any(len(u.block.lines) > 1 or u.block.end - u.block.start > SHORT for u in bodies):
        return
    pieces = [text[unit.block.start : unit.block.end] for unit in bodies]
    if sum(ends_sentence(p) and begins_as_text(p) and len(p.split()) >= FEWEST_WORDS for p in pieces) < len(pieces):
        return
    for unit in bodies:
        unit.kind = "prose"
        unit.detail = unit.detail or ONE_SENTENCE


def _is_titled(text: str, units: list[Unit]) -> bool:
    """Return whether the list gives titles: most abstracts come after a short block."""
    after_short = prose = 0
    before = ""
    for unit in units:
        if unit.kind in ASIDE:
            continue
        if unit.kind == "prose" and before == "prose" and refers_back(text[unit.block.start : unit.block.start + 80]):
            continue  # a further part of the abstract before it: "Methods: ..."
        if unit.kind == "prose":
            prose += 1
            after_short += before == "short"
        before = unit.kind
    return prose > 0 and after_short >= TITLED_SHARE * prose


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
