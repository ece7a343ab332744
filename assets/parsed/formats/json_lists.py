"""JSON and JSON Lines of conference lists: arrays of objects, OpenReview notes, API replies, one object a line.

Objects are found one by one, so that each has its span and a file that is cut off or damaged in one place still gives
the records around it.
"""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from assets.parsed.external_ids import from_text
from assets.parsed.formats.markdown_items import read_item
from assets.parsed.formats.values import (
    ABSTRACT,
    AUTHORS,
    TITLE,
    fill,
    from_inverted_index,
    key_of,
    pick,
    text_of,
    unwrap,
)
from assets.parsed.heading import read_heading
from assets.parsed.record import ExternalId, Heading, Parsed, Piece, Record, UnsupportedError
from assets.parsed.spans import WHITE

NAME = "json"
LINES_NAME = "jsonl"
MAX_DEPTH = 12
MOST_DAMAGES = 200
"""Damaged places after which the rest of a file is given up as one piece."""
_NEXT_OBJECT = re.compile(r"(?<=[\r\n])\s*\{")
_SCAN = json.JSONDecoder(strict=False)
_BLANK = re.compile(f"[{WHITE}\x1c-\x1f]*")
_OPENING = re.compile(r"\s*(?:\[\s*(?:[{\[\"\]]|$)|\{\s*(?:\"|\}|$))")
_ITEM = re.compile(r"^\s*(?:[-*|]|\d+\.)\s*\S")


def probe(text: str) -> float:
    """Return how sure it is that the text is JSON or JSON Lines."""
    return 0.95 if _OPENING.match(text[:2000]) else 0.0


def refuse_lines(text: str) -> None:
    """Refuse a file that is named as JSON Lines and is none.

    Raises:
        UnsupportedError: names the first line that is no JSON.
    """
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                _SCAN.decode(line)
            except (ValueError, RecursionError) as error:
                raise UnsupportedError(f"named as JSON Lines, and line {number} is no JSON: {_why(error)}") from error
            return


def parse(text: str) -> Parsed:
    """Return the records of all objects that hold a title or an abstract.

    Raises:
        UnsupportedError: when the text is no JSON, or no object in it has a title or an abstract.
    """
    reader = _Reader(text)
    reader.read()
    parsed = reader.parsed
    if not parsed.records:
        if reader.first_error:
            raise UnsupportedError(f"not JSON: {reader.first_error}")
        if reader.by_columns:
            raise UnsupportedError(
                f"JSON by columns: {reader.by_columns} holds the titles of all papers at once; save it as one object a "
                "paper (in pandas: to_json(orient='records'))"
            )
        keys = ", ".join(sorted(reader.keys)[:12]) or "none"
        raise UnsupportedError(f"JSON in which no object has the key title or abstract; keys found: {keys}")
    return parsed


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.parsed = Parsed(NAME)
        self.first_error: str | None = None
        self.keys: set[str] = set()
        self.by_columns: str | None = None
        self.damages = 0

    def read(self) -> None:
        """Read the values that follow each other in the text."""
        at, values = 0, 0
        while (at := self._skip(at)) < len(self.text):
            start = at
            at = self._value(at, 0, listed=False)
            values += 1
            if at <= start:
                at = self._resume(start)
        if values > 1:
            self.parsed.format = LINES_NAME

    def _skip(self, at: int) -> int:
        match = _BLANK.match(self.text, at)
        return match.end() if match else at

    def _resume(self, start: int) -> int:
        """After damage: leave the line out and go on with the next one that begins an object."""
        self.damages += 1
        following = _NEXT_OBJECT.search(self.text, start + 1) if self.damages < MOST_DAMAGES else None
        end = following.start() if following else len(self.text)
        self.parsed.pieces.append(Piece(start, end, "fragment", self._error_at(start)))
        return end

    def _error_at(self, start: int) -> str:
        try:
            _SCAN.raw_decode(self.text, start)
        except (ValueError, RecursionError) as error:
            message = _why(error)
            line = self.text.count("\n", 0, start) + 1
            found = message if message.startswith("line") else f"line {line}: {message}"
            self.first_error = self.first_error or found
            return f"not JSON: {found}"
        return "text between JSON values"

    def _value(self, at: int, depth: int, *, listed: bool) -> int:
        """Read the value at a position; return the position after it, or `at` when it is damaged."""
        opening = self.text[at : at + 1]
        if opening == "[" and depth < MAX_DEPTH:
            return self._array(at, depth)
        try:
            value, end = _SCAN.raw_decode(self.text, at)
        except (ValueError, RecursionError):
            if opening == "{" and depth < MAX_DEPTH and not listed:
                return self._members(at, depth)
            return at
        if isinstance(value, dict):
            self.keys.update(str(key) for key in list(value)[:40])
            if self._is_record(value):
                self._add(value, at, end)
            elif depth < MAX_DEPTH:
                self._members(at, depth)
        return end

    def _array(self, at: int, depth: int) -> int:
        at = self._skip(at + 1)
        while at < len(self.text) and self.text[at] != "]":
            start = at
            at = self._value(at, depth + 1, listed=True)
            if at <= start:
                at = self._resume(start)
                if at >= len(self.text):
                    return at
                continue
            at = self._skip(at)
            if self.text[at : at + 1] == ",":
                self._take_comma(at)
                at = self._skip(at + 1)
        return at + 1

    def _take_comma(self, at: int) -> None:
        """The separator after a record belongs to it."""
        last = self.parsed.records[-1] if self.parsed.records else None
        if last and last.end <= at and self._skip(last.end) == at:
            last.end = at + 1

    def _members(self, at: int, depth: int) -> int:
        """Read the members of an object that is no record itself, for records inside them."""
        start = at
        at = self._skip(at + 1)
        if self.text[at : at + 1] not in ('"', "}"):
            return start
        while at < len(self.text) and self.text[at] == '"':
            try:
                key, at = scanstring(self.text, at + 1, False)
            except ValueError:
                return start
            at = self._skip(at)
            if self.text[at : at + 1] != ":":
                return start
            at = self._skip(at + 1)
            begin = at
            at = self._member(key, at, depth)
            if at <= begin:
                return start if begin == start else self._resume(begin)
            at = self._skip(at)
            if self.text[at : at + 1] == ",":
                at = self._skip(at + 1)
        return at + 1

    def _member(self, key: str, at: int, depth: int) -> int:
        if self.text[at : at + 1] in ("[", "{"):
            return self._value(at, depth + 1, listed=False)
        try:
            value, end = _SCAN.raw_decode(self.text, at)
        except (ValueError, RecursionError):
            return at
        if isinstance(value, str):
            self._text_member(key, value, at, end)
        return end

    def _text_member(self, key: str, value: str, at: int, end: int) -> None:
        """A member may be a row of Markdown that holds a paper, or name the list."""
        if _ITEM.match(value) and (record := read_item(value)) and record.title:
            record.start, record.end, record.abstract_span = at, end, None
            record.ids += from_text(f"arXiv:{key}")
            self.parsed.records.append(record)
        elif self.parsed.heading is None and not self.parsed.records and (named := read_heading(value)):
            self.parsed.heading = Heading(at + 1, end - 1, *named)

    def _is_record(self, value: dict[str, Any]) -> bool:
        fields = _fields(value)
        if columns := _columns(fields):
            self.by_columns = self.by_columns or columns
            return False
        title, abstract = text_of(pick(fields, TITLE)), _abstract(fields)
        if title is None and abstract is None:
            return False
        return not any(_lists_papers(member) for member in value.values())

    def _add(self, value: dict[str, Any], start: int, end: int) -> None:
        fields = _fields(value)
        record = fill(Record(start, end), fields)
        record.abstract = _abstract(fields)
        if record.title is None and record.abstract:
            record.title = text_of(fields.get("name"))
        record.abstract_span = self._abstract_span(start, end) if record.abstract else None
        if "content" in value and isinstance(value.get("id"), str):
            record.ids.append(ExternalId("openreview", value.get("forum") or value["id"]))
        self.parsed.records.append(record)

    def _abstract_span(self, start: int, end: int) -> tuple[int, int] | None:
        for match in _abstract_keys().finditer(self.text, start, end):
            try:
                _, after = scanstring(self.text, match.end(), False)
            except ValueError:
                continue
            if after - 1 > match.end():
                return match.end(), min(after - 1, end)
        return None


def _abstract_keys() -> re.Pattern[str]:
    return re.compile(
        r'"(?:paper_?)?(?:abstract\w*|summary|摘要|ab)"\s*:\s*(?:\{\s*"value"\s*:\s*|\[\s*)?"', re.IGNORECASE
    )


def _fields(value: dict[str, Any]) -> dict[str, Any]:
    """Return an object's fields by folded key; those of its `content` or `attributes` count as its own."""
    fields: dict[str, Any] = {}
    for inner in ("content", "attributes", "paper"):
        if isinstance(value.get(inner), dict):
            fields |= {key_of(str(k)): v for k, v in value[inner].items()}
    return fields | {key_of(str(k)): v for k, v in value.items() if not (key_of(str(k)) in fields and v is None)}


def _abstract(fields: dict[str, Any]) -> str | None:
    return text_of(pick(fields, ABSTRACT)) or from_inverted_index(fields.get("abstractinvertedindex"))


def _columns(fields: dict[str, Any]) -> str | None:
    """Return the key under which an object holds the titles of many papers, each of its members being a column."""
    sizes: dict[str, int] = {}
    for name in (*TITLE, *ABSTRACT, *AUTHORS):
        value = unwrap(fields.get(name))
        if isinstance(value, dict) and value and all(key.isdigit() for key in value):
            value = list(value.values())
        if isinstance(value, list) and len(value) > 1:
            sizes[name] = len(value)
    title = next((name for name in TITLE if name in sizes), None)
    others = [name for name in sizes if name not in TITLE and sizes[name] == sizes.get(title or "")]
    return title if title and any(name in ABSTRACT or len(fields) > 1 for name in others) else None


def _lists_papers(member: Any) -> bool:
    """Return whether a member is a list of objects with titles: then its owner is the list, not a paper."""
    member = unwrap(member)
    if not isinstance(member, list) or not member or not isinstance(member[0], dict):
        return False
    fields = _fields(member[0])
    return bool(text_of(pick(fields, TITLE)) and (_abstract(fields) or "authors" in fields or "author" in fields))


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno} column {error.colno}: {error.msg}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)
