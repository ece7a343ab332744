"""BibTeX: entries found one by one, so that a damaged one harms no other.

Fields are read here rather than by a library: the spans of values must be known, and a lost brace or an @ in a field
must not swallow the entries after it. What LaTeX the values hold is resolved later, as everywhere.
"""

from __future__ import annotations

import re

from assets.parsed import external_ids
from assets.parsed.formats.values import IDS, key_of, natural_name
from assets.parsed.record import ExternalId, Parsed, Piece, Record
from assets.parsed.spans import Span, trim

NAME = "bibtex"
_NO_ENTRY = frozenset({"comment", "string", "preamble"})
_ENTRY = re.compile(r"^[ \t]*@([A-Za-z]{3,20})\s*([{(])", re.MULTILINE)
_KEYED = re.compile(r"^[ \t]*@[A-Za-z]{3,20}\s*[{(]\s*[^\s,{}()=]*\s*,", re.MULTILINE)
_FIELD = re.compile(r"[\s,]*([A-Za-z][\w:.+-]*)\s*=\s*")
_LOST_END = re.compile(r"[}\"]\s*,?\s*(?:\r\n|\n|\r)\s*(?=[A-Za-z][\w-]*\s*=|[})])")
_PROTECTED = re.compile(r"(?<![\\\w^_}])\{([^{}\\$]*)\}|(?<=[\w^_}])\{((?:[A-Z][^{}\\$]*)?)\}(?![{])")


def probe(text: str) -> float:
    """Return how sure it is that the text is BibTeX."""
    sample = _lf(text[:200_000])
    entries = len(_KEYED.findall(sample))
    if not entries:
        return 0.0
    return 0.9 if re.search(r"^\s*[A-Za-z_-]+\s*=\s*[{\"\d]", sample, re.MULTILINE) else 0.2


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n ").replace("\r", "\n") if "\r" in text else text


def parse(text: str) -> Parsed:
    """Return the entries of a BibTeX file."""
    parsed = Parsed(NAME)
    source = text.replace("\r", "\n")  # one character for one: spans stay
    starts = list(_ENTRY.finditer(source))
    keyed = [m.start() for m in _KEYED.finditer(source)]
    at = 0
    for match in starts:
        if match.start() < at:
            continue
        limit = next((k for k in keyed if k > match.start()), len(source))
        end = _balanced(source, match.end() - 1, limit)
        closed = end is not None
        following = next((m.start() for m in starts if m.start() > match.start()), len(source))
        at = end if end is not None else following
        start, stop = trim(text, match.start(), at)
        if match[1].lower() in _NO_ENTRY:
            parsed.pieces.append(Piece(start, stop, "structure"))
            continue
        record = _entry(text, source, match.end(), stop - 1 if closed else stop, Record(start, stop))
        if not closed:
            line = source.count("\n", 0, start) + 1
            record.detail = f"entry at line {line} has unbalanced braces"
        if record.title is None and record.abstract is None:
            parsed.pieces.append(Piece(start, stop, "no_abstract", "an entry without title and abstract"))
        else:
            parsed.records.append(record)
    return parsed


def _balanced(source: str, at: int, limit: int) -> int | None:
    """Return the position after the closing brace of the entry that opens at `at`; escaped braces don't count."""
    closing = "}" if source[at] == "{" else ")"
    depth = 0
    for match in re.compile(r"\\.|[{}()]", re.DOTALL).finditer(source, at, limit):
        sign = match[0]
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth == 0 and closing == "}":
                return match.end()
            if depth < 0:
                return None
        elif sign == ")" and closing == ")" and depth == 0:
            return match.end()
    return None


def _entry(text: str, source: str, at: int, end: int, record: Record) -> Record:
    comma = source.find(",", at, end)
    if comma < 0:
        return record
    fields = _fields(source, comma + 1, end)
    if title := fields.get("title"):
        record.title = _value(text, title)
    if abstract := fields.get("abstract"):
        record.abstract, record.abstract_span = _value(text, abstract), abstract
    if authors := fields.get("author"):
        record.authors = split_bibtex_names(_value(text, authors) or "") or None
    for name in ("url", "link", "howpublished", "ee"):
        start, stop = fields.get(name, (0, 0))
        if match := re.search(r"https?://[^\s{}]+", text[start:stop]):
            url = re.sub(r"\\([%_&#])", r"\1", match[0])
            record.url = record.url or url
            record.ids += external_ids.from_url(url)
    for name, span in fields.items():
        _identity(IDS.get(key_of(name)), text[span[0] : span[1]], record)
    return record


def _identity(scheme: str | None, value: str, record: Record) -> None:
    value = value.strip().replace("\\_", "_")
    if (scheme == "doi" and (identity := external_ids.doi(value))) or (
        scheme == "arxiv" and (identity := external_ids.arxiv(value))
    ):
        record.ids.append(identity)
    elif scheme == "pmid" and re.fullmatch(r"\d{4,9}", value):
        record.ids.append(ExternalId("pmid", value))


def _fields(source: str, at: int, end: int) -> dict[str, Span]:
    """Return field name (lower case) -> span of its value, without the delimiters."""
    fields: dict[str, Span] = {}
    while match := _FIELD.match(source, at, end):
        name = match[1].lower()
        start, stop, at = _field_value(source, match.end(), end)
        fields.setdefault(name, trim(source, start, stop))
        following = re.compile(r"\s*#[^,]*").match(source, at, end)
        at = following.end() if following else at
        skipped = re.compile(r"[^,]*?,").match(source, at, end)
        at = skipped.end() if skipped else at
    return {name: span for name, span in fields.items() if span[0] < span[1]}


def _field_value(source: str, at: int, end: int) -> tuple[int, int, int]:
    """Return start and end of a value and the position after it."""
    opening = source[at : at + 1]
    if opening == "{":
        depth = 0
        for match in re.compile(r"\\.|[{}]", re.DOTALL).finditer(source, at, end):
            depth += (match[0] == "{") - (match[0] == "}")
            if depth == 0 and match[0] == "}":
                return at + 1, match.start(), match.end()
        lost = _LOST_END.search(source, at + 1, end)
        return (at + 1, lost.start(), lost.start() + 1) if lost else (at + 1, end, end)
    if opening == '"':
        depth = 0
        for match in re.compile(r"\\.|[{}\"]", re.DOTALL).finditer(source, at + 1, end):
            depth += (match[0] == "{") - (match[0] == "}")
            if match[0] == '"' and depth <= 0:
                return at + 1, match.start(), match.end()
        return at + 1, end, end
    plain = re.compile(r"[^,}\s]*").match(source, at, end)
    stop = plain.end() if plain else at
    return at, stop, stop


def _value(text: str, span: Span) -> str | None:
    """Return a value without the braces that only protect upper case; formulas and macros keep theirs."""
    parts = re.split(r"(\$[^$]*\$)", text[span[0] : span[1]])
    for index in range(0, len(parts), 2):
        for _ in range(6):
            before = parts[index]
            parts[index] = _PROTECTED.sub(lambda m: m[1] if m[1] is not None else m[2], before)
            if parts[index] == before:
                break
    value = "".join(parts)
    while value.startswith("{") and value.endswith("}") and value.count("{") == 1:
        value = value[1:-1]
    return value.strip() or None


def split_bibtex_names(value: str) -> list[str]:
    """Return the names of an author field, in reading order."""
    pieces = re.split(r"\s+and\s+", re.sub(r"\s+", " ", value), flags=re.IGNORECASE)
    names = [natural_name(piece) for piece in pieces if piece.strip().lower() not in ("others", "")]
    return [name for name in names if name]
