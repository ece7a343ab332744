"""Markdown lists: dailies with a heading per paper, awesome lists of links, pipe tables, bold titles."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assets.parsed.formats import text as text_lists
from assets.parsed.formats.fields import (
    apply_labels,
    clean_title,
    has_number,
    is_abstract_like,
    label_of,
    take_addresses,
)
from assets.parsed.formats.layout import LONG, blocks_of, ends_sentence, is_prose, is_rule, weight
from assets.parsed.formats.markdown_items import BOLD, LINK, MARKER, is_generic, read_item
from assets.parsed.formats.names import looks_like_authors, split_names
from assets.parsed.formats.pipe_tables import is_divider, read_table
from assets.parsed.furniture import is_furniture
from assets.parsed.heading import find_heading, read_heading
from assets.parsed.record import Heading, Parsed, Piece, Record, UnsupportedError
from assets.parsed.spans import LINE_END, Span, lines_of, trim

NAME = "markdown"
LONGEST_TAGS = 2000
"""Characters of a line of images or tags at most."""
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
# The patterns of the probe are asked line by line: over many lines at once they would take quadratic time.
_BOLD_LABEL = re.compile(r"(?:[-*+>][ \t]+)?\*\*[^*\n]{2,24}(?:\*\*[ \t]*[:：]|[:：][ \t]*\*\*)")
_LINK_ITEM = re.compile(r"(?:[-*+]|\d{1,4}[.)])[ \t]+(?:\*\*)?\[[^\]\n]{4,}\]\(http")
_BOLD_ITEM = re.compile(r"(?:[-*+]|\d{1,4}[.)])[ \t]+\*\*[^*\n]{8,}\*\*(?![ \t]*[:：])")
_BOLD_LINE = re.compile(r"(?:\*\*|__)[^\s*_][^\n]{6,}")
_BOLD_TITLE = re.compile(
    r"^(?:\d{1,4}[.)]\s+|[-*+]\s+)?(?:\*\*|__)(?=\S)([\s\S]{4,400}?\S)(?:\*\*|__)(?:\\|<br\s*/?>|[.:：]|$|(?=\s|"
    r"[(\[]))"
)
_IMAGE_LINE = re.compile(
    r"^(?:\[?!\[[^\]]*\]\([^)]*\)\]?(?:\([^)]*\))?\s*|<img\b[^>]*>\s*|<a\b[^>]*/?>\s*(?:</a>)?|<br\s*/?>\s*)+$",
    re.IGNORECASE,
)
_HASHES = re.compile(r"^#+\s*")
_BADGES = re.compile(r"(?:\s*\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?)+\s*$")
_LINKS_ONLY = re.compile(r"^[\s\[\]()|,/·•:>*_-]*$")
_SETEXT = re.compile(r"^(?:=+|-{4,})$")
_TAG_LINE = re.compile(r"^(?:</?[a-zA-Z][^>]*>\s*)+$")
_ITALIC_LINE = re.compile(r"^[*_](?![*_])([\s\S]+?)[*_]$")
_QUOTE = re.compile(r"(?:^|(?<=[\r\n]))[ \t]*>[ \t]?")
_SECTION = re.compile(
    r"^\W*(?:table of contents?|contents?|toc|introduction|overview|about|news|updates?|usage|install(?:ation)?|"
    r"requirements|license|licence|citation|"
    r"contribut(?:ing|ors|ions)|acknowledge?ments?|references?|related (?:work|links?|projects?)|contact|faq|"
    r"star history|disclaimer|changelog|todo|"
    r"目录|简介|介绍|更新|说明|贡献|引用|许可|联系|相关|致谢)\W*$",
    re.IGNORECASE,
)


def probe(text: str) -> float:
    """Return how sure it is that the text is a Markdown list."""
    lines = [line.strip()[:600] for line in text[:100_000].splitlines()]
    headings = sum(bool(_HEADING.match(line)) for line in lines)
    headings += sum(
        bool(_SETEXT.match(line) and above and not before and len(above) <= 300 and not ends_sentence(above))
        for before, above, line in zip(["", *lines], lines, lines[1:], strict=False)
    )
    tables = sum(is_divider(line) for line in lines)
    labels = sum(bool(_BOLD_LABEL.match(line)) for line in lines)
    items = sum(bool(_LINK_ITEM.match(line) or _BOLD_ITEM.match(line)) for line in lines)
    bold = sum(bool(_BOLD_LINE.match(line)) for line in lines) - labels
    if (headings and labels) or tables or items >= 3 or (headings and items):
        return 0.85
    if labels >= 2 or headings >= 3 or (headings >= 2 and len(lines) < 400):
        return 0.72
    return 0.72 if bold >= 3 and bold * 6 >= sum(bool(line.strip()) for line in lines) else 0.0


@dataclass(slots=True)
class _Line:
    start: int
    end: int
    indent: int
    kind: str  # heading, rule, table, item, bold, tag, image, other
    level: int = 0
    blank_before: bool = False


def parse(text: str) -> Parsed:
    """Return the papers of a Markdown list.

    Raises:
        UnsupportedError: when nothing in it names a paper and it does not read as a text list.
    """
    reader = _Reader(text)
    reader.read()
    if reader.parsed.records:
        reader.parsed.heading = reader.heading()
        for record in reader.parsed.records:
            if record.abstract and ">" in record.abstract:
                record.abstract = _QUOTE.sub("", record.abstract)
        return reader.parsed
    return _as_text(text)


def _as_text(text: str) -> Parsed:
    """Read as a text list what has Markdown's marks and no Markdown record, if it is mostly abstracts."""
    blocks = blocks_of(text)
    long = sum(b.end - b.start for b in blocks if _is_long_prose(text[b.start : b.end]))
    if long < 0.6 * sum(b.end - b.start for b in blocks):
        raise UnsupportedError("Markdown in which no heading, list item or table row names a paper")
    return text_lists.parse(text)


def _is_long_prose(piece: str) -> bool:
    return weight(piece) >= LONG and is_prose(piece) and not MARKER.match(piece)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.parsed = Parsed(NAME)
        self.lines = list(self._classified())
        self.asides: list[Span] = []

    def _classified(self) -> list[_Line]:
        found: list[_Line] = []
        blank = True
        for start, end in lines_of(self.text):
            a, b = trim(self.text, start, end)
            if a == b:
                blank = True
                continue
            line = _Line(a, b, a - start, *_kind(self.text[a:b]), blank_before=blank)
            if line.kind == "rule" and not blank and found and self._underlines(found, line):
                found[-1] = _Line(
                    found[-1].start, b, 0, "heading", 1 if self.text[a] == "=" else 2, found[-1].blank_before
                )
                continue
            found.append(line)
            blank = False
        return found

    def _underlines(self, found: list[_Line], rule: _Line) -> bool:
        """Return whether a row makes a heading of the line above it, which stands alone under a blank line."""
        above = found[-1]
        piece = self._slice(above)
        return (
            bool(_SETEXT.match(self._slice(rule)))
            and above.kind in ("other", "bold")
            and above.blank_before
            and len(piece) <= 300
            and not (ends_sentence(piece) and not piece.endswith(("?", "!")))
            and label_of(piece) is None
        )

    def _slice(self, line: _Line) -> str:
        return self.text[line.start : line.end]

    def read(self) -> None:
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            reading = {"heading": self._heading, "table": self._table, "item": self._item, "bold": self._bold}.get(
                line.kind
            )
            at = reading(at) if reading else self._other(at)

    def heading(self) -> Heading | None:
        """Return the list's heading: one that names venue and year, else the first heading that is no paper."""
        top = [span for span in self.asides if span[1] - span[0] <= 200][:40]
        named = find_heading(self.text, top)
        if named:
            self._forget(named.start, named.end)
            return named
        first = next((line for line in self.lines if line.kind == "heading"), None)
        if first and first.level <= 2 and (first.start, first.end) in self.asides:
            title = _BADGES.sub("", _title_of(self._slice(first))).rstrip()
            start = self.text.index(title, first.start)
            end = start + len(title)
            if start == end:
                return None
            self._forget(start, end)
            return Heading(start, end)
        return None

    def _forget(self, start: int, end: int) -> None:
        self.parsed.pieces = [p for p in self.parsed.pieces if not (p.start < end and start < p.end)]

    def _aside(self, line: _Line) -> None:
        piece = self._slice(line)
        self.asides.append((line.start, line.end))
        if line.kind in ("heading", "rule", "tag", "table"):
            reason = "structure"
        elif line.kind == "image" or is_furniture(piece):
            reason = "page_furniture"
        else:
            reason = "fragment"
        self.parsed.pieces.append(Piece(line.start, line.end, reason))

    def _other(self, at: int) -> int:
        self._aside(self.lines[at])
        return at + 1

    def _heading(self, at: int) -> int:
        """A heading is a paper's title when the lines below it are a paper's: labels, authors, an abstract."""
        stop = at + 1
        while stop < len(self.lines) and self.lines[stop].kind != "rule":
            if self.lines[stop].kind == "heading" and label_of(self._slice(self.lines[stop])) is None:
                break
            stop += 1
        body = self.lines[at + 1 : stop]
        title_line = self.lines[at]
        title = _title_of(self._slice(title_line))
        if not self._is_paper(title, body):
            self._aside(title_line)
            return at + 1
        record = Record(title_line.start, (body[-1] if body else title_line).end, title=clean_title(title))
        if link := LINK.search(title):
            record.url = link[3] if link[3].startswith("http") else None
        self._fill(record, body)
        spans = [(line.start, line.end) for line in self.lines[at:stop]]
        take_addresses(self.text, spans, record)
        while stop < len(self.lines) and self.lines[stop].kind == "rule":
            record.end = self.lines[stop].end
            stop += 1
        self.parsed.records.append(record)
        return stop

    def _is_paper(self, title: str, body: list[_Line]) -> bool:
        if not body or _SECTION.match(title) or weight(title) < 3:
            return False
        if any(
            line.kind == "item" and label_of(self._slice(line)) is None and self._names_paper(line) for line in body
        ):
            return False
        labels = [mark[0] for line in body if (mark := label_of(self._slice(line)))]
        if "abstract" in labels or "authors" in labels:
            if "title" in labels and (labels.count("title") > 1 or not _reads_as_title(title)):
                return False
            # A translation may stand beside the abstract, under a label of its own.
            return labels.count("abstract") <= 2 and labels.count("authors") <= 1
        if any(line.kind in ("table", "bold") for line in body) or read_heading(title):
            return False
        whole = self.text[body[0].start : body[-1].end]
        prose = [line for line in body if line.kind == "other" and is_abstract_like(self._slice(line))]
        authors = looks_like_authors(_bare(self._slice(body[0])))
        return bool(
            (prose and weight(whole) >= LONG * 0.6 and len(title.split()) >= 2) or (authors and len(title.split()) >= 3)
        )

    def _names_paper(self, line: _Line) -> bool:
        item = read_item(self._slice(line))
        return item is not None and item.title is not None

    def _fill(self, record: Record, body: list[_Line]) -> None:
        """Set authors and abstract of a record from the lines below its title."""
        spans = [(line.start, line.end) for line in body if line.kind not in ("image", "tag")]
        title = record.title
        if apply_labels(self.text, spans, record):
            record.title = title or record.title
            return
        spans = self._without_links(spans)
        if spans and looks_like_authors(_bare(self.text[slice(*spans[0])])):
            record.authors = split_names(_bare(self.text[slice(*spans[0])])) or None
            spans = spans[1:]
        prose = [i for i, span in enumerate(spans) if is_abstract_like(self.text[slice(*span)])]
        if prose:
            start, end = spans[prose[0]][0], spans[-1][1]
            record.abstract, record.abstract_span = self.text[start:end], (start, end)

    def _without_links(self, spans: list[Span]) -> list[Span]:
        """Leave out the lines that hold links and nothing else."""
        return [span for span in spans if not _LINKS_ONLY.match(LINK.sub("", self.text[slice(*span)]))]

    def _table(self, at: int) -> int:
        stop = at
        while (
            stop < len(self.lines)
            and self.lines[stop].kind == "table"
            and (stop == at or not self.lines[stop].blank_before)
        ):
            stop += 1
        rows = [(line.start, line.end) for line in self.lines[at:stop]]
        records = read_table(self.text, rows)
        taken = {record.start for record in records}
        self.parsed.records += records
        for line in self.lines[at:stop]:
            if line.start not in taken:
                self._aside(line)
        return stop

    def _item(self, at: int) -> int:
        """An item and the lines that go on with it; deeper items are its own unless they name papers themselves."""
        first = self.lines[at]
        labelled = self._labelled_item(at)
        if not labelled and (label_of(self._slice(first)) is not None or not self._names_paper(first)):
            self._aside(first)
            return at + 1
        stop = at + 1
        while stop < len(self.lines) and (
            self._goes_on(first, self.lines[stop]) or (labelled and self._is_field(self.lines[stop]))
        ):
            stop += 1
        if labelled and stop > at + 1:
            record = Record(first.start, self.lines[stop - 1].end)
            apply_labels(self.text, [(line.start, line.end) for line in self.lines[at:stop]], record)
            take_addresses(self.text, [(line.start, line.end) for line in self.lines[at:stop]], record)
            self.parsed.records.append(record)
            return stop
        group = self.lines[at:stop]
        end = group[-1].end
        record = read_item(self._slice(first)) or Record(0, 0)
        if record.abstract_span:
            record.abstract_span = (first.start + record.abstract_span[0], first.start + record.abstract_span[1])
        record.start, record.end = first.start, end
        rest = [(line.start, line.end) for line in group[1:]]
        title, abstract = record.title, record.abstract
        if rest:
            if apply_labels(self.text, rest, record):
                record.title, record.abstract = title or record.title, abstract or record.abstract
            else:
                self._fill_item(record, rest)
            take_addresses(self.text, rest, record)
        self.parsed.records.append(record)
        return stop

    def _is_field(self, line: _Line) -> bool:
        """Return whether an item is a labelled field that goes on with the record that a title's label begins."""
        mark = label_of(self._slice(line)) if line.kind == "item" else None
        return mark is not None and mark[0] != "title"

    def _labelled_item(self, at: int) -> bool:
        mark = label_of(self._slice(self.lines[at]))
        return mark is not None and mark[0] == "title"

    def _fill_item(self, record: Record, rest: list[Span]) -> None:
        for start, end in rest:
            piece = _bare(self.text[start:end])
            if record.authors is None and looks_like_authors(piece) and len(piece.split()) > 1:
                record.authors = split_names(piece) or None
            elif record.abstract is None and weight(piece) >= LONG and is_prose(piece):
                record.abstract, record.abstract_span = self.text[start:end], (start, end)

    def _goes_on(self, first: _Line, line: _Line) -> bool:
        if line.kind in ("heading", "rule", "table"):
            return False
        if line.kind == "item":
            return line.indent > first.indent and not self._names_paper(line)
        return not line.blank_before or line.indent > first.indent

    def _bold(self, at: int) -> int:
        """A block that begins with a bold title: title, authors, and the blocks below it up to the next one."""
        stop = at + 1
        while stop < len(self.lines) and self.lines[stop].kind not in ("heading", "rule", "table"):
            if (
                self.lines[stop].kind in ("bold", "item")
                and self.lines[stop].blank_before
                and label_of(self._slice(self.lines[stop])) is None
            ):
                break
            stop += 1
        group = self.lines[at:stop]
        whole = self.text[group[0].start : group[-1].end]
        match = _BOLD_TITLE.match(whole)
        if match is None or is_generic(match[1]) or label_of(self._slice(group[0])) is not None:
            self._aside(self.lines[at])
            return at + 1
        record = Record(group[0].start, group[-1].end, title=clean_title(match[1]))
        spans = self._after(group[0].start + match.end(), group)
        self._fill_bold(record, spans)
        take_addresses(self.text, [(line.start, line.end) for line in group], record)
        while stop < len(self.lines) and self.lines[stop].kind == "rule":
            record.end = self.lines[stop].end
            stop += 1
        self.parsed.records.append(record)
        return stop

    def _after(self, at: int, group: list[_Line]) -> list[Span]:
        spans = [trim(self.text, max(line.start, at), line.end) for line in group if line.end > at]
        return [span for span in spans if span[0] < span[1]]

    def _fill_bold(self, record: Record, spans: list[Span]) -> None:
        if not spans or apply_labels(self.text, spans, record):
            return
        # Names in italics may be wrapped over several lines.
        start = spans[0][0]
        italic = re.compile(r"[*_](?![*_])([^*]+?)[*_](?=\s|\\|$|<br)").match(self.text, start, spans[-1][1])
        if italic:
            record.authors = split_names(italic[1]) or None
            spans = [trim(self.text, max(a, italic.end()), b) for a, b in spans if b > italic.end()]
        elif looks_like_authors(_bare(self.text[slice(*spans[0])])):
            record.authors = split_names(_bare(self.text[slice(*spans[0])])) or None
            spans = spans[1:]
        spans = self._without_links([span for span in spans if span[0] < span[1]])
        if spans and is_abstract_like(self.text[spans[0][0] : spans[-1][1]]):
            record.abstract_span = (spans[0][0], spans[-1][1])
            record.abstract = self.text[slice(*record.abstract_span)]


def _reads_as_title(title: str) -> bool:
    """Return whether a heading is a paper's title rather than the name of a section."""
    return has_number(_HASHES.sub("", title)) or len(title.split()) >= 4 or weight(title) >= 36


def _title_of(line: str) -> str:
    """Return the words of a heading, without its marks."""
    match = _HEADING.match(line)
    return match[2] if match else LINE_END.split(line)[0].rstrip()


def _bare(piece: str) -> str:
    return re.sub(r"^[\s*_>\\]+|[\s*_\\]+$", "", re.sub(r"<br\s*/?>$", "", piece))


def _kind(line: str) -> tuple[str, int]:
    if match := _HEADING.match(line):
        return "heading", len(match[1])
    if is_rule(line):
        return "rule", 0
    if line.startswith("|") or is_divider(line) or (line.count("|") >= 2 and line.endswith("|")):
        return "table", 0
    if len(line) < LONGEST_TAGS and _IMAGE_LINE.match(line):
        return "image", 0
    if (len(line) < LONGEST_TAGS and _TAG_LINE.match(line)) or line.startswith(("```", "<!--")):
        return "tag", 0
    if MARKER.match(line):
        return "item", 0
    if line.startswith(("**", "__")) and label_of(line) is None and (BOLD.match(line) or "**" not in line[2:]):
        return "bold", 0
    return "other", 0
