"""A page of one paper with YAML front matter, as proceedings sites keep them."""

from __future__ import annotations

import re
from typing import Any

from assets.parsed.formats.values import ABSTRACT, fill, key_of, pick, text_of
from assets.parsed.record import Parsed, Record, UnsupportedError

NAME = "front_matter"
_MATTER = re.compile(r"\s*---[ \t]*(?:\r\n|\n|\r)([\s\S]+?)(?:\r\n|\n|\r)(?:---|\.\.\.)[ \t]*(?=[\r\n]|$)")
_KEYS = re.compile(r"^(title|abstract|author|authors|layout|date|paper_title)[ \t]*:", re.MULTILINE)
_ABSTRACT_KEY = re.compile(r"^abstract[ \t]*:[ \t]*(?:[>|][+-]?[ \t]*(?=[\r\n]))?", re.MULTILINE)


def probe(text: str) -> float:
    """Return how sure it is that the text is one paper's page with front matter."""
    match = _MATTER.match(text[:200_000])
    if not match:
        return 0.0
    keys = set(_KEYS.findall(match[1].replace("\r", "\n")))
    return 0.9 if "title" in keys and len(keys) >= 2 else 0.0


def parse(text: str) -> Parsed:
    """Return the page as one record.

    Raises:
        UnsupportedError: when the front matter is no YAML.
    """
    import yaml

    match = _MATTER.match(text)
    if match is None:
        raise UnsupportedError("no front matter between lines of three dashes")
    try:
        matter: Any = yaml.safe_load(match[1])
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UnsupportedError(f"front matter that is no YAML: {error}") from error
    if not isinstance(matter, dict):
        raise UnsupportedError("front matter without keys")
    fields = {key_of(str(k)): v for k, v in matter.items()}
    body_start, body_end = match.end(), len(text)
    record = fill(Record(0, len(text)), fields)
    record.ids = [identity for identity in record.ids if identity.scheme != "openreview"]
    abstract = text_of(pick(fields, ABSTRACT))
    if abstract:
        record.abstract = abstract
        if key := _ABSTRACT_KEY.search(text, match.start(1), match.end(1)):
            following = re.compile(r"[\r\n]+(?=[A-Za-z_]+[ \t]*:)").search(text, key.end(), match.end(1))
            record.abstract_span = (key.end(), following.start() if following else match.end(1))
    elif text[body_start:body_end].strip():
        record.abstract, record.abstract_span = text[body_start:body_end], (body_start, body_end)
    return Parsed(NAME, records=[record])
