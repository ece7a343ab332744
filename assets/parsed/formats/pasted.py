"""Pages of conference sites and archives pasted as text: the same small lines of the site around every paper.

OpenReview, the ACL Anthology, CVF, PMLR, virtual conference sites, arXiv's listings and search results differ in
their small lines ("pdf bib abs", "Poster", "Related Material", "Submitted 3 January, 2026") and agree in the rest: a
title above its authors, with or without an abstract below. So lines that come again and again are told apart first,
whatever they say; what remains is titles, authors and abstracts.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from assets.parsed.external_ids import from_text
from assets.parsed.formats.continuation import begins_as_text, refers_back
from assets.parsed.formats.fields import clean_title, is_abstract_like, label_of, take_addresses
from assets.parsed.formats.layout import LONG, blocks_of, is_prose, is_rule, is_wrapped, weight
from assets.parsed.formats.names import looks_like_authors, split_names
from assets.parsed.formats.text import top_heading
from assets.parsed.furniture import is_furniture
from assets.parsed.record import Parsed, Piece, Record
from assets.parsed.spans import Span, trim

NAME = "text"
LONGEST_MARK = 160
"""Characters up to which a line that recurs counts as one of the site."""
SURE = 0.71
SAMPLE = 200_000
MARK_SHARE = 0.5
"""Share of the papers around which a line must recur."""
SHORTEST_TITLE = 5
_DATES = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|"
    r"sat(?:urday)?|sun(?:day)?|am|pm)\b\.?"
)
_LINKS = re.compile(r"^(?:\[[^\[\]\n]{1,40}\][\s|·,]*)+$")
_GOES_ON = re.compile(
    r"(?:[:,\-–—&]|\b(?:a|an|the|of|for|and|or|with|via|in|on|to|from|by|using|under|between))$", re.IGNORECASE
)


@dataclass(slots=True)
class _Line:
    start: int
    end: int
    kind: str  # title, names, body, mark, furniture, rule
    value: int
    """Where its value begins: behind its label, if it has one."""
    label: str | None
    after_blank: bool


def probe(text: str) -> float:
    """Return how sure it is that small lines of a site recur around titles with authors."""
    sample = text[:SAMPLE]
    short = Counter(
        form for line in sample.splitlines() if 1 < len(line) <= LONGEST_MARK and (form := _form(line.strip()))
    )
    if not any(count >= 2 for count in short.values()):
        return 0.0
    lines = _lines(sample)
    records = _records(sample, lines)
    if len(records) < 2:
        return 0.0
    marks = sum(line.kind == "mark" and line.label is None for line in lines)
    authors = sum(any(line.kind == "names" for line in record.lines) for record in records)
    titles = sum(record.title is not None for record in records)
    taken = sum(line.end - line.start for record in records for line in record.lines)
    left = sum(line.end - line.start for line in lines if line.kind in ("title", "names", "body"))
    left -= sum(
        line.end - line.start for record in records for line in record.lines if line.kind in ("title", "names", "body")
    )
    sure = (
        marks >= 0.8 * len(records)
        and authors >= 0.6 * len(records)
        and titles >= 0.9 * len(records)
        and left <= 0.6 * max(taken, 1)
    )
    return SURE if sure else 0.0


def parse(text: str) -> Parsed:
    """Return one record per title; lines of the site outside records are furniture."""
    parsed = Parsed(NAME, heading=top_heading(text))
    lines = _lines(text)
    taken: set[int] = set()
    for draft in _records(text, lines):
        taken |= {line.start for line in draft.lines}
        parsed.records.append(_record(text, draft))
    heading = parsed.heading
    for line in lines:
        if line.start in taken or (heading and line.start < heading.end and heading.start < line.end):
            continue
        reason = {"rule": "structure", "mark": "page_furniture", "furniture": "page_furniture"}.get(line.kind)
        parsed.pieces.append(Piece(line.start, line.end, reason or "fragment"))
    return parsed


def _form(line: str) -> str:
    """Return a line folded so that those of a site agree: digits, dates and case don't count."""
    return re.sub(r"\d+", "0", _DATES.sub("m", line.casefold()))


def _opening(form: str) -> str:
    """Return the first two words of a folded line, or nothing of a line of one."""
    words = form.split(None, 2)
    return " ".join(words[:2]) if len(words) > 1 else ""


def _lines(text: str) -> list[_Line]:
    """Return the non-blank lines with what they are; lines of a wrapped abstract are one."""
    lines: list[_Line] = []
    for block in blocks_of(text):
        for index, (start, end) in enumerate(block.lines):
            lines.append(_classified(text, start, end, after_blank=index == 0))
    papers = max(
        sum(line.kind == "body" for line in lines),
        sum(b.kind == "names" and a.kind in ("title", "names") for a, b in pairwise(lines)),
    )
    _mark_recurring(text, lines, papers)
    return _unwrapped(text, lines)


def _classified(text: str, start: int, end: int, *, after_blank: bool) -> _Line:
    piece = text[start:end]
    label = label_of(piece)
    value = start
    if is_rule(piece):
        return _Line(start, end, "rule", value, None, after_blank)
    if label is not None:
        field, value = label[0], trim(text, start + label[1], end)[0] if start + label[1] < end else end
        kind = {"title": "title", "authors": "names", "abstract": "body"}.get(field, "mark")
        return _Line(start, end, "mark" if value >= end else kind, value, field, after_blank)
    if is_furniture(piece):
        kind = "furniture"
    elif _LINKS.match(piece):
        kind = "mark"
    elif is_abstract_like(piece):
        kind = "body"
    elif end - start <= 4000 and looks_like_authors(piece):
        kind = "names"
    else:
        kind = "title"
    return _Line(start, end, kind, value, None, after_blank)


def _mark_recurring(text: str, lines: list[_Line], papers: int) -> None:
    """Turn the lines that come again and again into marks of the site."""
    forms = {
        line.start: _form(text[line.start : line.end])
        for line in lines
        if line.end - line.start <= LONGEST_MARK
        and line.label is None
        and line.kind in ("title", "names", "body", "furniture")
    }
    whole = Counter(forms.values())
    openings = Counter(opening for form in forms.values() if (opening := _opening(form)))
    least = max(2, MARK_SHARE * papers)
    often = max(3, 1.2 * MARK_SHARE * papers)
    for line in lines:
        form = forms.get(line.start)
        if form is None:
            continue
        recurs = whole[form] >= (max(least, 3) if line.kind == "names" else least)
        opens = line.kind != "names" and openings[_opening(form)] >= often
        if recurs or opens:
            line.kind = "mark"


def _unwrapped(text: str, lines: list[_Line]) -> list[_Line]:
    """Return the lines with those of an abstract that is broken at a width put together."""
    found: list[_Line] = []
    at = 0
    while at < len(lines):
        stop = at + 1
        while stop < len(lines) and lines[stop].kind in ("title", "names", "body") and not lines[stop].after_blank:
            if lines[stop].label is not None:
                break
            stop += 1
        first = next((i for i in range(at, stop - 1) if _is_wrapped_abstract(text, lines[i:stop])), None)
        if first is None:
            found += lines[at:stop]
        else:
            head = lines[first]
            found += lines[at:first]
            found.append(_Line(head.start, lines[stop - 1].end, "body", head.value, head.label, head.after_blank))
        at = stop
    return found


def _is_wrapped_abstract(text: str, lines: list[_Line]) -> bool:
    spans = [(max(line.start, line.value), line.end) for line in lines]
    whole = text[spans[0][0] : spans[-1][1]]
    if lines[0].label not in (None, "abstract") or weight(whole) < LONG or not is_prose(whole):
        return False
    return lines[0].label == "abstract" or (len(lines) >= 3 and is_wrapped(text, spans))


@dataclass(slots=True)
class _Draft:
    lines: list[_Line]
    title: list[_Line] | None
    names: _Line | None
    body: list[_Line]


def _records(text: str, lines: list[_Line]) -> list[_Draft]:
    """Return the papers: a title above its authors, or above an abstract, up to the next one."""
    starts = _title_lines(text, lines)
    drafts: list[_Draft] = []
    for (begin, names), (stop, _) in pairwise([*starts, (len(lines), None)]):
        first = begin
        while first > 0 and lines[first - 1].kind == "mark" and _states_id(text, lines[first - 1]):
            first -= 1
        if drafts:
            drafts[-1].lines = [line for line in drafts[-1].lines if line.start < lines[first].start]
        drafts.append(_draft(text, lines, first, begin, names, stop))
    return drafts


def _states_id(text: str, line: _Line) -> bool:
    piece = text[line.start : line.end]
    return bool(from_text(piece)) or bool(re.fullmatch(r"[\[(#]?\d{1,5}[\]).:]?", piece))


def _title_lines(text: str, lines: list[_Line]) -> list[tuple[int, int | None]]:
    """Return (index of the title's first line, index of the authors' line) of each paper."""
    bodies = [i for i, line in enumerate(lines) if line.kind == "body"]
    pairs = _pairs(text, lines)
    found: list[tuple[int, int | None]] = []
    if len(bodies) < 0.5 * len(pairs):
        below = [i for i in pairs if lines[min(i + 1, len(lines) - 1)].kind == "mark"]
        marked = [i for i in pairs if _is_marked(lines, i)]
        kept = next((some for some in (below, marked) if 2 * len(some) > len(pairs)), pairs)
        return [(_first_of_title(text, lines, i), i) for i in kept]
    gaps = [
        (before + 1, body)
        for before, body in pairwise([-1, *bodies])
        if body - before > 1 and lines[body].kind == "body"
    ]
    for start, stop in gaps:
        inside = [i for i in pairs if start < i < stop]
        if inside:
            # Papers without an abstract may stand above the last one; what looks so in the page's head has no marks.
            kept = [i for i in inside[:-1] if _is_marked(lines, i)] + inside[-1:]
            found += [(_first_of_title(text, lines, i), i) for i in kept]
        elif (title := _lone_title(lines, start, stop)) is not None:
            found.append((title, None))
    tail = bodies[-1] + 1 if bodies else 0
    found += [(_first_of_title(text, lines, i), i) for i in pairs if i > tail and _is_marked(lines, i)]
    return found


def _is_marked(lines: list[_Line], names: int) -> bool:
    """Return whether a line of the site stands above a title or below its authors."""
    return lines[max(names - 2, 0)].kind == "mark" or lines[min(names + 1, len(lines) - 1)].kind == "mark"


def _pairs(text: str, lines: list[_Line]) -> list[int]:
    """Return the indexes of the lines of authors that stand right below what may be a title."""
    pairs: list[int] = []
    for index, (above, line) in enumerate(pairwise(lines), 1):
        if line.kind != "names" or above.kind not in ("title", "names"):
            continue
        # A place below the authors may look like a name; it is none of a further paper.
        second = bool(pairs) and pairs[-1] == index - 1 and not line.after_blank
        if not second and weight(text[above.value : above.end]) >= SHORTEST_TITLE and text[above.end - 1] not in ":：":
            pairs.append(index)
    return pairs


def _first_of_title(text: str, lines: list[_Line], names: int) -> int:
    """Return where the title above a line of authors begins; titles are broken over lines now and then."""
    first = names - 1
    while first > 0 and not lines[first].after_blank and lines[first - 1].kind == "title" and first > names - 3:
        above, piece = text[lines[first - 1].start : lines[first - 1].end], text[lines[first].start : lines[first].end]
        if lines[first].label is not None or not (_GOES_ON.search(above) or piece[:1].islower()):
            break
        first -= 1
    return first


def _lone_title(lines: list[_Line], start: int, stop: int) -> int | None:
    """Return the title above an abstract without authors: the last run of lines that are none of the site's."""
    last = next((i for i in range(stop - 1, start - 1, -1) if lines[i].kind in ("title", "names")), None)
    if last is None:
        return None
    while last > start and lines[last - 1].kind == "title" and not lines[last].after_blank:
        last -= 1
    return last


def _draft(text: str, lines: list[_Line], first: int, begin: int, names: int | None, stop: int) -> _Draft:
    title = lines[begin : names if names is not None else begin + 1]
    at = (names if names is not None else begin) + 1
    body: list[_Line] = []
    last = at - 1
    for index in range(at, stop):
        line = lines[index]
        if line.kind == "body" and (not body or _is_further(text, lines, index, last)):
            body.append(line)
            last = index
        elif not body and line.kind != "rule":
            continue
        elif line.kind == "mark" and line.label in ("url", "id", "other"):
            last = index
    if not body:
        while last + 1 < stop and lines[last + 1].kind == "mark":
            last += 1
    return _Draft(lines[first : last + 1], title, lines[names] if names is not None else None, body)


def _is_further(text: str, lines: list[_Line], index: int, last: int) -> bool:
    """Return whether a paragraph right below an abstract belongs to it."""
    piece = text[lines[index].start : lines[index].end]
    return index == last + 1 or not begins_as_text(piece) or refers_back(piece)


def _record(text: str, draft: _Draft) -> Record:
    record = Record(draft.lines[0].start, draft.lines[-1].end)
    if draft.title:
        record.title = clean_title(text[draft.title[0].value : draft.title[-1].end])
    if draft.names:
        record.authors = split_names(text[draft.names.value : draft.names.end]) or None
    if draft.body:
        span: Span = (draft.body[0].value, draft.body[-1].end)
        record.abstract, record.abstract_span = text[slice(*span)], span
    take_addresses(text, [(line.start, line.end) for line in draft.lines], record)
    return record
