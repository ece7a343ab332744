"""Fields of structured records (JSON, tables, exports): which key means what, and how its value reads.

Keys are compared in lower case without anything but letters and digits of any script.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from typing import Any

from assets.parsed import external_ids
from assets.parsed.formats.names import split_names
from assets.parsed.record import ExternalId, Record

_TITLE = (
    "title papertitle articletitle documenttitle primarytitle ti t1 displayname 标题 论文标题 题名 篇名 題名 "
    "タイトル 제목 "
    "titre titel título "
)
TITLE = tuple(_TITLE.split())
_ABSTRACT = (
    "abstract paperabstract abstracttext abstractnote abstractoriginal summary ab n2 abs 摘要 内容摘要 论文摘要 要旨 "
    "抄録 概要 초록 résumé zusammenfassung resumen "
)
ABSTRACT = tuple(_ABSTRACT.split())
_AUTHORS = (
    "authorfullnames af authors author paperauthors authornames authorlist authorslist authorships creators creator au "
    "firstauthors 作者 著者 저자 auteurs autoren "
)
AUTHORS = tuple(_AUTHORS.split())
_URL = (
    "url link paperurl site urls absurl htmlurl articleurl paperlink arxivurl landingpageurl "
    "openreviewurl forumurl arxivlink pdf pdfurl pdflink id 链接 论文链接 "
)
URL = tuple(_URL.split())
IDS = {
    "doi": "doi",
    "di": "doi",
    "arxivid": "arxiv",
    "arxiv": "arxiv",
    "eprint": "arxiv",
    "pmid": "pmid",
    "pubmedid": "pmid",
    "pmcid": "pmcid",
    "forum": "openreview",
    "openreviewid": "openreview",
    "openreview": "openreview",
    "corpusid": "s2",
}  # fmt: skip


def key_of(name: str) -> str:
    """Return a key or a column's name folded for comparison."""
    return re.sub(r"[\W_]+", "", name).casefold()


def unwrap(value: Any) -> Any:
    """Return what a wrapped value holds: {"value": x}, {"#text": x} and lists of one text are x."""
    for _ in range(4):
        if isinstance(value, dict) and "value" in value and len(value) <= 3:
            value = value["value"]
        elif isinstance(value, dict) and "#text" in value:
            value = value["#text"]
        else:
            break
    return value


def text_of(value: Any) -> str | None:
    """Return a value as one text, or None when it holds none; lists of texts are joined as paragraphs."""
    value = unwrap(value)
    if isinstance(value, str):
        return value if value.strip() else None
    if isinstance(value, list) and value and all(isinstance(unwrap(v), str) for v in value):
        return "\n".join(unwrap(v) for v in value).strip() or None
    return None


def from_inverted_index(index: Any) -> str | None:
    """Return the text that a word -> positions index stands for."""
    if not isinstance(index, dict) or not index:
        return None
    try:
        places = [(int(at), str(word)) for word, positions in index.items() for at in positions]
    except (TypeError, ValueError):
        return None
    return " ".join(word for _, word in sorted(places)) or None


def names_of(value: Any) -> list[str] | None:
    """Return the authors that a value lists: a joined text, a list of texts or of objects with names."""
    value = unwrap(value)
    if isinstance(value, str):
        stripped = value.strip()
        if stripped.startswith("[") and stripped.endswith("]"):
            try:
                listed = ast.literal_eval(stripped)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                listed = None
            if isinstance(listed, list):
                return names_of(listed)
        names = split_names(value)
        if ";" in value or "；" in value:
            names = [natural for name in names if (natural := natural_name(name))]
        return names or None
    if isinstance(value, dict):
        value = value.get("author") or value.get("authors") or value.get("name") or [value]
        if isinstance(value, str | dict):
            value = [value]
    if not isinstance(value, list):
        return None
    names = [name for entry in value if (name := _name_of(unwrap(entry)))]
    return names or None


def _name_of(entry: Any) -> str | None:
    if isinstance(entry, str):
        return natural_name(entry)
    if isinstance(entry, list):
        return " ".join(str(part) for part in reversed(entry[:2]) if part).strip() or None
    if not isinstance(entry, dict):
        return None
    keys = {key_of(k): v for k, v in entry.items() if isinstance(k, str)}
    for whole in ("name", "fullname", "displayname", "rawauthorname", "authorname", "literal", "text"):
        if isinstance(keys.get(whole), str) and keys[whole].strip():
            return natural_name(keys[whole])
    given = next((keys[k] for k in ("given", "first", "firstname", "forename", "givenname") if keys.get(k)), "")
    family = next((keys[k] for k in ("family", "last", "lastname", "surname", "familyname") if keys.get(k)), "")
    joined = " ".join(str(part).strip() for part in (given, keys.get("middle"), family) if part)
    return joined.strip() or (_name_of(unwrap(keys["author"])) if isinstance(keys.get("author"), dict) else None)


def natural_name(name: str) -> str | None:
    """Return a name in reading order: "Beispiel, Ada" -> "Ada Beispiel", "Muster, Jr., Ben" -> "Ben Muster Jr."."""
    parts = [part.strip() for part in re.sub(r"\s+", " ", name).strip(" ,;").split(",")]
    parts = [part for part in parts if part]
    if len(parts) == 2 and not re.fullmatch(r"(?i)jr\.?|sr\.?|ii|iii|iv|ph\.?d\.?|m\.?d\.?", parts[1]):
        return f"{parts[1]} {parts[0]}"
    if len(parts) == 3 and re.fullmatch(r"(?i)jr\.?|sr\.?|ii|iii|iv", parts[1]):
        return f"{parts[2]} {parts[0]} {parts[1]}"
    return " ".join(parts) or None


def pick(fields: Mapping[str, Any], names: Iterable[str]) -> Any:
    """Return the first non-empty value under one of the names."""
    for name in names:
        value = unwrap(fields.get(name))
        if value not in (None, "", [], {}):
            return value
    return None


def ids_of(fields: Mapping[str, Any]) -> list[ExternalId]:
    """Return the ids that a record's fields state."""
    found: list[ExternalId] = []
    for key, value in fields.items():
        value = unwrap(value)
        if key == "externalids" and isinstance(value, dict):
            found += ids_of({key_of(k): v for k, v in value.items()})
            continue
        scheme = IDS.get(key)
        text = str(value).strip() if isinstance(value, str | int) else ""
        if scheme and text:
            found += _identity(scheme, text)
    return found


def _identity(scheme: str, text: str) -> list[ExternalId]:
    if scheme == "doi":
        identity = external_ids.doi(text)
    elif scheme == "arxiv":
        identity = external_ids.arxiv(text) or next(iter(external_ids.from_url(text)), None)
    elif re.match(r"https?://", text):
        return external_ids.from_url(text)
    elif scheme in ("pmid", "s2"):
        match = re.match(r"\d{3,}", text)
        identity = ExternalId(scheme, match[0]) if match else None
    else:
        identity = ExternalId(scheme, text) if re.fullmatch(r"[\w.~-]{4,40}", text) else None
    return [identity] if identity else []


def fill(record: Record, fields: Mapping[str, Any]) -> Record:
    """Set title, authors, address and ids of a record from its fields (keys folded by `key_of`)."""
    record.title = text_of(pick(fields, TITLE))
    record.authors = names_of(pick(fields, AUTHORS))
    record.ids += ids_of(fields)
    for name in URL:
        for value in _texts(fields.get(name)):
            if match := re.match(r"https?://[^\s<>\"]+", value.strip()):
                record.ids += external_ids.from_url(match[0])
                record.url = record.url or match[0]
    if isinstance(fields.get("id"), str) and (identity := external_ids.arxiv(fields["id"])):
        record.ids.append(identity)
    return record


def _texts(value: Any) -> list[str]:
    value = unwrap(value)
    if isinstance(value, str):
        return [value]
    return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []
