"""What the blocks of a text list are: abstracts, titles, whole records, rows, furniture, headings of sections.

How records are made of them is the business of `text.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assets.parsed.formats.continuation import SHORT, begins_as_text, refers_back
from assets.parsed.formats.fields import label_of, read_record
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
from assets.parsed.formats.title_lists import LONGEST_TITLE
from assets.parsed.furniture import LONGEST, is_emblem, is_furniture
from assets.parsed.heading import read_heading
from assets.parsed.record import Heading
from assets.parsed.spans import Span

TITLED_SHARE = 0.6
"""Share of abstracts that must follow a title for a list to count as one with titles."""
ONE_SENTENCE = "a list of single short sentences: each is taken for an abstract of its own"
FEWEST_WORDS = 5
ASIDE = ("rule", "furniture", "heading", "section")
"""Kinds of units that are no part of a record."""
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


def units_of(text: str, heading: Heading | None) -> list[Unit]:
    """Return what the blocks of a text, or the lines of some of them, are."""
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


def take_titles_with_stops(text: str, units: list[Unit]) -> None:
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


def take_short_abstracts(text: str, units: list[Unit]) -> None:
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


def is_titled(text: str, units: list[Unit]) -> bool:
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
