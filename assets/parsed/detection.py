"""Which format a text is in, by its content; the place where formats are registered.

Probes look at the content, never at the name. The surest probe wins; what no probe knows is read as a text list, and
that format refuses what does not read like one.
"""

from __future__ import annotations

from assets.parsed.formats import (
    arxiv_mail,
    bare_tables,
    bibtex,
    bullets,
    front_matter,
    json_lists,
    labelled,
    markdown,
    numbered,
    page,
    pasted,
    proquest,
    refused,
    ruled,
    tables,
    tagged,
    text,
    xml_lists,
)
from assets.parsed.record import Format, Parsed, UnsupportedError

_REFUSED = refused.formats()
FORMATS: tuple[Format, ...] = (
    *_REFUSED,
    Format("json", json_lists.probe, json_lists.parse),
    Format("xml", xml_lists.probe, xml_lists.parse),
    Format("html", page.probe, page.parse),
    Format("proquest", proquest.probe, proquest.parse),
    Format("arxiv", arxiv_mail.probe, arxiv_mail.parse),
    Format("front_matter", front_matter.probe, front_matter.parse),
    *tagged.formats(),
    Format("bibtex", bibtex.probe, bibtex.parse),
    Format("csv", tables.probe, tables.parse),
    Format("csv", bare_tables.probe, bare_tables.parse),
    Format("markdown", markdown.probe, markdown.parse),
    Format("text", labelled.probe, labelled.parse),
    Format("text", pasted.probe, pasted.parse),
    Format("text", ruled.probe, ruled.parse),
    Format("text", bullets.probe, bullets.parse),
    Format("text", numbered.probe, numbered.parse),
    Format("text", lambda _: 0.1, text.parse),
)
"""Every format, in the order in which equally sure probes win."""

ALIASES = {"tsv": "csv", "jsonl": "json", "nbib": "medline", "bib": "bibtex", "md": "markdown", "txt": "text"}


def format_names() -> list[str]:
    """Return the names that a source's `format` setting may have."""
    refusals = {f.name for f in _REFUSED}
    return sorted({f.name for f in FORMATS if f.name not in refusals} | set(ALIASES))


def detect(content: str) -> Format:
    """Return the format whose probe is surest about the content."""
    return max(FORMATS, key=lambda f: f.probe(content))


def parse(content: str, format_name: str | None = None, file_name: str = "") -> Parsed:
    """Return the document taken apart, in the format that is given or else found.

    Args:
        content: The decoded text.
        format_name: The format that the source's settings name, if any.
        file_name: Only says that a file is meant to be JSON Lines, to refuse one that is not.

    Raises:
        UnsupportedError: when the content is of a kind that is not read.
    """
    if format_name is None:
        found = detect(content)
        if file_name.lower().endswith((".jsonl", ".ndjson")) and found.name != "json":
            json_lists.refuse_lines(content)
        return found.parse(content)
    wanted = ALIASES.get(format_name.lower(), format_name.lower())
    named = [f for f in FORMATS if f.name == wanted and f not in _REFUSED]
    if not named:
        known = ", ".join(format_names())
        raise UnsupportedError(f"the source's settings say format {format_name!r}; known formats are {known}")
    return max(named, key=lambda f: f.probe(content)).parse(content)
