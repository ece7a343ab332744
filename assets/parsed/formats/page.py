"""Saved web pages: turned into text by the parser of the standard library, then read as a text list.

The text is a view of the page: each stretch of it knows where in the page it stands, so that the spans of records are
those of the saved file. Tags belong to the records that they stand in; scripts, styles and navigation are furniture.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from html.parser import HTMLParser

from assets.parsed.formats import labelled, pasted, ruled
from assets.parsed.formats import text as text_lists
from assets.parsed.record import Heading, Parsed, Piece, Record, UnsupportedError

NAME = "html"
_START = re.compile(r"\s*(?:<!--.*?-->\s*)?(?:<!DOCTYPE\s+html|<html\b|<head\b|<body\b)", re.IGNORECASE | re.DOTALL)
_SKIPPED = frozenset({"script", "style", "noscript", "template", "svg", "nav", "select", "button", "iframe", "footer"})
_BLOCKS = frozenset(
    {
        "p", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "tr", "table", "section", "article",
        "dt", "dd", "dl", "blockquote", "header", "main", "aside", "hr", "center", "details", "summary", "figure",
        "pre", "title", "body",
    }
)  # fmt: skip
_INLINE_KEPT = frozenset({"sup", "sub"})
_FIELDS = frozenset({"a", "span", "strong", "b", "em", "i", "cite", "small"})
"""Inline elements that hold a field of a paper where one follows another without a space between."""
_TAGS_BEFORE = re.compile(r"(?:<(?!/?(?:script|style|nav|footer)\b)[^<>]*>\s*)+\Z", re.IGNORECASE)


def probe(text: str) -> float:
    """Return how sure it is that the text is a web page."""
    head = text[:4000]
    if _START.match(head):
        return 0.95
    tags = len(
        re.findall(
            r"</?(?:div|p|li|ul|table|tr|td|h[1-6]|span|a|br|body|section|article)\b[^<>]*>",
            text[:20_000],
            re.IGNORECASE,
        )
    )
    return 0.8 if head.lstrip().startswith("<") and tags >= 8 else 0.0


def parse(text: str) -> Parsed:
    """Return the records of a page.

    Raises:
        UnsupportedError: when the text of the page reads like no list of papers.
    """
    view = View(text)
    try:
        read = _read(view.text)
    except UnsupportedError as error:
        raise UnsupportedError(f"a web page: {error}") from error
    if not read.records:
        raise UnsupportedError("a web page without papers in it")
    parsed = Parsed(NAME, gap_reason="page_furniture")
    for record in read.records:
        parsed.records.append(_mapped(view, text, record))
    for piece in read.pieces:
        parsed.pieces.append(Piece(*view.span(piece.start, piece.end), piece.reason, piece.detail))
    if read.heading:
        h = read.heading
        parsed.heading = Heading(*view.span(h.start, h.end), h.venue, h.year, h.language)
    return parsed


def _read(text: str) -> Parsed:
    readers = [
        (labelled.probe(text), labelled.parse),
        (pasted.probe(text), pasted.parse),
        (ruled.probe(text), ruled.parse),
        (0.1, text_lists.parse),
    ]
    return max(readers, key=lambda r: r[0])[1](text)


def _mapped(view: View, text: str, record: Record) -> Record:
    record.start, record.end = view.span(record.start, record.end)
    # The tags right before a record, its link among them, belong to it.
    before = _TAGS_BEFORE.search(text[max(record.start - 2000, 0) : record.start])
    record.start -= len(before[0]) if before else 0
    if record.abstract_span:
        record.abstract_span = view.span(*record.abstract_span)
    inside = text[record.start : record.end]
    links = re.findall(r"href\s*=\s*[\"'](https?://[^\"'\s<>]+)", inside)
    from assets.parsed.external_ids import from_url

    for link in links:
        found = from_url(link)
        record.ids += found
        if found and record.url is None:
            record.url = link
    return record


class View:
    """The readable text of a page and where each stretch of it stands in the page."""

    def __init__(self, page: str) -> None:
        builder = _Builder(page)
        builder.run()
        self.text = "".join(builder.parts)
        self._view_starts = builder.view_starts
        self._page_spans = builder.page_spans

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the page of a span in the view; stretches are taken whole where they were entities."""
        return self._place(start, after=False), self._place(end - 1, after=True) if end > start else self._place(
            start, after=False
        )

    def _place(self, at: int, *, after: bool) -> int:
        index = bisect_right(self._view_starts, at) - 1
        if index < 0:
            return 0
        begin, size = self._view_starts[index], self._page_spans[index]
        start, stop, exact = size
        if exact:
            return min(start + (at - begin) + (1 if after else 0), stop)
        return stop if after else start


class _Builder(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=False)
        self.page = page
        self.parts: list[str] = []
        self.view_starts: list[int] = []
        self.page_spans: list[tuple[int, int, bool]] = []
        self._size = 0
        self._skipping: list[str] = []
        self._closed: tuple[str, int] = ("", -1)
        # The page's title repeats its first heading, with the site's name.
        self._skipped = _SKIPPED | {"title"} if re.search(r"<h1\b", page, re.IGNORECASE) else _SKIPPED
        self._line_starts = [0, *(m.end() for m in re.finditer("\n", page))]

    def run(self) -> None:
        self.feed(self.page)
        self.close()

    def _at(self) -> int:
        line, column = self.getpos()
        return min(self._line_starts[min(line, len(self._line_starts)) - 1] + column, len(self.page))

    def _add(self, piece: str, start: int, stop: int, *, exact: bool) -> None:
        if not piece:
            return
        self.view_starts.append(self._size)
        self.page_spans.append((start, stop, exact))
        self.parts.append(piece)
        self._size += len(piece)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in self._skipped:
            self._skipping.append(tag)
        self._mark(tag, opening=True)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self._mark(tag, opening=True)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._skipping:
            while self._skipping and self._skipping.pop() != tag:
                pass
        self._mark(tag, opening=False)

    def _mark(self, tag: str, *, opening: bool) -> None:
        if self._skipping:
            return
        at = self._at()
        if tag in _FIELDS:
            self._part_fields(tag, at, opening=opening)
        elif tag in _INLINE_KEPT:
            self._add(f"<{'' if opening else '/'}{tag}>", at, at, exact=False)
        elif tag in _BLOCKS:
            self._add("\n\n", at, at, exact=False)
        elif tag == "br":
            self._add("\n", at, at, exact=False)
        elif tag in ("td", "th"):
            self._add(" ", at, at, exact=False)

    def _part_fields(self, tag: str, at: int, *, opening: bool) -> None:
        """Put a space between two like elements that touch (badges), a line end between unlike ones (fields)."""
        if not opening:
            end = self.page.find(">", at) + 1
            # Where two elements end at once a field does, whatever its last element is.
            self._closed = ("" if self._closed[1] == at else tag, end)
        elif self._closed[1] == at:
            self._add(" " if self._closed[0] == tag else "\n", at, at, exact=False)

    def handle_data(self, data: str) -> None:
        at = self._at()
        if self._skipping:
            return
        if self.page[at : at + len(data)] == data:
            flat = re.sub(r"[\r\n\t\x0b\x0c\x85\u2028\u2029]", " ", data)
            self._add(flat, at, at + len(data), exact=True)
        else:
            self._add(data, at, at, exact=False)

    def handle_entityref(self, name: str) -> None:
        self._reference(f"&{name}")

    def handle_charref(self, name: str) -> None:
        self._reference(f"&#{name}")

    def _reference(self, written: str) -> None:
        import html

        if self._skipping:
            return
        at = self._at()
        semicolon = self.page[at + len(written) : at + len(written) + 1] == ";"
        whole = written + (";" if semicolon else "")
        meant = html.unescape(whole) if semicolon else written
        # What an entity stands for must not be taken for markup of the view.
        self._add({"<": "&lt;", "&": "&amp;"}.get(meant, meant), at, at + len(whole), exact=False)
