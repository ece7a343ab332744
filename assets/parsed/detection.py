"""Which format a text is in, by its content; the place where formats are registered.

Probes look at the content, never at the name. The surest probe wins; what no probe knows is read as a text list, and
that format refuses what does not read like one.
"""

from __future__ import annotations

from assets.parsed.formats import ruled, text
from assets.parsed.record import Format, Parsed, UnsupportedError

FORMATS: tuple[Format, ...] = (
    Format("text", ruled.probe, ruled.parse),
    Format("text", lambda _: 0.1, text.parse),
)
"""Every format, in the order in which equally sure probes win."""


def format_names() -> list[str]:
    """Return the names that a source's `format` setting may have."""
    return sorted({f.name for f in FORMATS})


def detect(content: str) -> Format:
    """Return the format whose probe is surest about the content."""
    return max(FORMATS, key=lambda f: f.probe(content))


def parse(content: str, format_name: str | None = None) -> Parsed:
    """Return the document taken apart, in the format that is given or else found.

    Raises:
        UnsupportedError: when the content is of a kind that is not read.
    """
    if format_name is None:
        return detect(content).parse(content)
    named = [f for f in FORMATS if f.name == format_name]
    if not named:
        raise UnsupportedError(
            f"the source's settings say format {format_name!r}; known formats are {', '.join(format_names())}"
        )
    return max(named, key=lambda f: f.probe(content)).parse(content)
