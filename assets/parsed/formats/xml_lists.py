"""XML lists: ACL Anthology, EndNote, PubMed, Atom and RSS feeds, OAI-PMH, and others with elements for papers.

The element of each record is found in the text, and only its slice is given to the parser of the standard library: a
slice has no document type, so no entity can expand, and a damaged record harms no other.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from assets.parsed import external_ids
from assets.parsed.formats.values import IDS, natural_name
from assets.parsed.heading import read_heading
from assets.parsed.hypertext import ENTITY
from assets.parsed.record import ExternalId, Heading, Parsed, Piece, Record, UnsupportedError

NAME = "xml"
ELEMENTS = (
    "PubmedArticle",
    "PubmedBookArticle",
    "paper",
    "record",
    "entry",
    "item",
    "article|inproceedings|incollection",
    "REC",
    "doc",
    "publication",
)
"""Elements that hold one paper each, in the order in which they are looked for."""
_PROLOG = re.compile(
    r"\s*(?:<\?xml\b|<!DOCTYPE\s+(?!html)\w|<(?:collection|records|PubmedArticleSet|feed|rss|OAI-PMH|xml|papers|"
    r"articles|ArticleSet|dblp|publications)\b|<article\b[^<>]*(?:article-type|xmlns|dtd-version))",
    re.IGNORECASE,
)
_HTML = re.compile(r"<(?:!DOCTYPE\s+html|html|head|body)\b", re.IGNORECASE)
_TITLES = ("title", "articletitle", "article-title", "booktitle", "vernaculartitle", "dc_title")
_ABSTRACTS = ("abstract", "abstracttext", "summary", "description", "otherabstract")
_BREAKS = frozenset({"p", "br", "title", "sec", "abstracttext", "li", "para"})
_SAFE_ENTITIES = frozenset({"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})


def probe(text: str) -> float:
    """Return how sure it is that the text is XML that is no web page."""
    head = text[:3000]
    if not _PROLOG.match(head) or _HTML.search(head):
        return 0.0
    return 0.95


def parse(text: str) -> Parsed:
    """Return the records of an XML list.

    Raises:
        UnsupportedError: when no element that is known to hold a paper is in it.
    """
    spans, cut = _spans(text)
    parsed = Parsed(NAME)
    if cut is not None:
        parsed.pieces.append(Piece(cut, len(text), "fragment", "the last element is cut off"))
    line, counted = 1, 0
    for start, end in spans:
        try:
            element = _element(text[start:end])
        except ET.ParseError as error:
            line += text.count("\n", counted, start)
            counted = start
            parsed.pieces.append(
                Piece(start, end, "fragment", f"element at line {line} is no well-formed XML: {error}")
            )
            continue
        record = _record(element, Record(start, end))
        record.abstract_span = _abstract_span(text, start, end) if record.abstract else None
        if record.title is None and record.abstract is None:
            parsed.pieces.append(Piece(start, end, "no_abstract", "an element without title and abstract"))
        else:
            parsed.records.append(record)
    if not parsed.records:
        root = re.search(r"<([A-Za-z][\w:.-]*)", re.sub(r"<\?.*?\?>|<!.*?>", "", text[:5000]))
        raise UnsupportedError(f"XML without elements of papers; its root element is {root[1] if root else 'unknown'}")
    first = parsed.records[0].start
    for match in re.finditer(r"<(?:booktitle|title|volume-title)\b[^<>]*>([^<>]+)</", text[:first]):
        if named := read_heading(match[1]):
            parsed.heading = Heading(match.start(1), match.end(1), *named)
            break
    return parsed


def _spans(text: str) -> tuple[list[tuple[int, int]], int | None]:
    """Return the spans of the elements that hold papers, and where one begins that is cut off.

    The elements are the outermost of the first kind that has titles in it.
    """
    for name in ELEMENTS:
        found: list[tuple[int, int]] = []
        tags = re.compile(rf"<(?:\w+:)?(?:{name})(?=[\s>/])[^<>]*?(/?)>|</(?:\w+:)?(?:{name})\s*>")
        depth, begin = 0, 0
        for match in tags.finditer(text):
            if match[0].startswith("</"):
                depth = max(depth - 1, 0)
                if depth == 0 and begin >= 0:
                    found.append((begin, match.end()))
                    begin = -1
            elif not match[1]:
                if depth == 0:
                    begin = match.start()
                depth += 1
        titled = [
            span for span in found if re.search(r"<(?:\w+:)?(?:article-?)?title\b", text[slice(*span)], re.IGNORECASE)
        ]
        if titled:
            return found, (begin if depth and begin >= 0 else None)
    return [], None


def _element(source: str) -> ET.Element:
    """Return a slice as an element, without name spaces; HTML entities become characters."""
    source = re.sub(r"(</?)[A-Za-z][\w.-]*:(?=[A-Za-z])", r"\1", source)
    source = re.sub(r"\s[A-Za-z][\w.-]*:([A-Za-z][\w.-]*=)", r" \1", source)
    source = re.sub(r"\sxmlns(?::\w+)?=(\"[^\"]*\"|'[^']*')", "", source)
    source = ENTITY.sub(lambda m: m[0] if m[0] in _SAFE_ENTITIES or m[0].startswith("&#") else _character(m[0]), source)
    source = re.sub(r"&(?![A-Za-z#][\w#]*;)", "&amp;", source)
    return ET.fromstring(source)  # noqa: S314 - a slice without a document type can't define entities


def _character(entity: str) -> str:
    import html

    found = html.unescape(entity)
    return found if found != entity else f"&amp;{entity[1:]}"


def _local(element: ET.Element) -> str:
    return element.tag.lower() if isinstance(element.tag, str) else ""


def _text(element: ET.Element) -> str:
    """Return an element's text; raised and lowered text keeps its tags and formulas their dollars, for `markup.py`."""
    parts = [element.text or ""]
    for child in element:
        name, inner = _local(child), _text(child)
        if name in ("sup", "sub"):
            inner = f"<{name}>{inner}</{name}>"
        elif name in ("tex-math", "inline-formula") and inner.strip() and "$" not in inner:
            inner = f"${inner.strip()}$"
        elif name in _BREAKS:
            inner = f"\n{inner}\n"
        parts += [inner, child.tail or ""]
    return "".join(parts)


def _find(element: ET.Element, names: tuple[str, ...]) -> list[ET.Element]:
    """Return the outermost elements of the first name that occurs."""
    for name in names:
        found = [e for e in element.iter() if _local(e) == name]
        inner = {id(i) for e in found for i in e.iter() if i is not e}
        if found := [e for e in found if id(e) not in inner]:
            return found
    return []


def _record(element: ET.Element, record: Record) -> Record:
    titles = [t for e in _find(element, _TITLES) if (t := _text(e).strip())]
    record.title = titles[0] if titles else None
    abstracts = _find(element, _ABSTRACTS)
    record.abstract = _abstract(abstracts[0]) if abstracts else None
    record.authors = _authors(element)
    _addresses(element, record)
    return record


def _abstract(element: ET.Element) -> str | None:
    """Return an abstract; labelled sections keep their labels."""
    sections = [e for e in element.iter() if _local(e) == "abstracttext" and e.get("Label")]
    if sections:
        return "\n".join(f"{e.get('Label')}: {_text(e).strip()}" for e in sections).strip() or None
    return _text(element).strip() or None


def _authors(element: ET.Element) -> list[str] | None:
    names: list[str] = []
    editors = {id(i) for e in element.iter() if _local(e) in ("editor", "secondary-authors", "meta") for i in e.iter()}
    creators = [e for e in element.iter() if _local(e) in ("creator", "author")]
    for person in element.iter():
        if id(person) in editors or _local(person) not in ("author", "creator", "contrib", "authors"):
            continue
        if _local(person) == "authors" and len(person):
            continue
        parts = {_local(e): "".join(e.itertext()).strip() for e in person.iter() if e is not person}
        family = next((parts[k] for k in ("lastname", "last", "surname", "family", "keyname") if parts.get(k)), None)
        given = next(
            (parts[k] for k in ("forename", "first", "given-names", "forenames", "given", "initials") if parts.get(k)),
            "",
        )
        if family:
            names.append(f"{given} {family}".strip())
        elif parts.get("name") or parts.get("collectivename"):
            names.append(parts.get("name") or parts["collectivename"])
        elif whole := "".join(person.itertext()).strip():
            from assets.parsed.formats.names import split_names

            one = whole.count(",") == 1 and ";" not in whole and " and " not in whole
            # One element with two whole names in it, as feeds have, or a person with the surname first?
            if one and len(creators) == 1 and all(len(part.split()) > 1 for part in whole.split(",")):
                one = False
            plain = natural_name(whole) if one else None
            names += [plain] if plain else split_names(whole)
    return [name for name in names if name] or None


def _addresses(element: ET.Element, record: Record) -> None:
    for e in element.iter():
        name, value = _local(e), "".join(e.itertext()).strip()
        if name == "link" and e.get("href"):
            value = e.get("href") or ""
        if not value or len(value) > 400:
            continue
        kind = (e.get("IdType") or e.get("EIdType") or e.get("pub-id-type") or "").lower()
        if name in ("doi", "electronic-resource-num") or kind == "doi":
            record.ids += [i for i in [external_ids.doi(value)] if i]
        elif (name == "pmid" or kind == "pubmed" or name == "accession-num") and re.fullmatch(r"\d{4,9}", value):
            if name == "pmid" or kind == "pubmed":
                record.ids.append(ExternalId("pmid", value))
        elif IDS.get(name) == "arxiv" and (identity := external_ids.arxiv(value)):
            record.ids.append(identity)
        elif name == "id" and re.fullmatch(external_ids.ARXIV, value):
            record.ids += [i for i in [external_ids.arxiv(value)] if i]
        elif name in ("id", "link", "url", "guid", "related-urls", "identifier", "ee"):
            record.ids += external_ids.from_url(value)
            if value.lower().startswith("doi:"):
                record.ids += [i for i in [external_ids.doi(value)] if i]
            if identity := (external_ids.arxiv(value.rsplit(":", 1)[-1]) if "arxiv" in value.lower() else None):
                record.ids.append(identity)
            if record.url is None and value.startswith("http"):
                record.url = value.split()[0]


def _abstract_span(text: str, start: int, end: int) -> tuple[int, int] | None:
    for name in _ABSTRACTS:
        opening = re.compile(rf"<(?:\w+:)?{name}\b[^<>]*>", re.IGNORECASE).search(text, start, end)
        if opening:
            closing = re.compile(rf"</(?:\w+:)?{name}\s*>", re.IGNORECASE).search(text, opening.end(), end)
            return opening.end(), closing.start() if closing else end
    return None
