"""What a person can set for reading: overrides per source, and limits.

The classes carry no behaviour; the fingerprint that ties a document to them is in `reading.py`.
"""

from __future__ import annotations

import codecs

from pydantic import BaseModel, ConfigDict, Field, field_validator

FORMATS = (
    "arxiv", "bib", "bibtex", "cnki", "csv", "endnote", "front_matter", "html", "json", "jsonl", "markdown", "md",
    "medline", "nbib", "proquest", "refworks", "ris", "text", "tsv", "txt", "wos", "xml",
)  # fmt: skip
"""Names that `format` may have; kept here so that light commands need not load the formats; a test compares them."""
REPAIRED = "utf-8-repaired"
"""Name of UTF-8 with a few damaged bytes; the only encoding that is no codec of Python."""
USUAL_ENCODINGS = (
    "utf-8, utf-8-sig, utf-16, utf-16-le, utf-16-be, gb18030, big5, shift_jis, euc_kr, cp1252, latin-1, koi8-r"
)


class SourceOptions(BaseModel):
    """Overrides of one source: what is set here is not looked for in the content."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str | None = Field(default=None, min_length=1, description="Name of the list; becomes its list_key.")
    venue: str | None = Field(default=None, min_length=1, description="Conference or journal of the list.")
    year: int | None = Field(default=None, ge=1900, le=2200, description="Year of the list.")
    language: str | None = Field(default=None, pattern="^[a-z]{2}$", description="Language of the list, ISO 639-1.")
    format: str | None = Field(
        default=None, min_length=1, description="Format to read its files as, e.g. text, markdown, ris."
    )
    encoding: str | None = Field(
        default=None, min_length=1, description="Encoding to decode its files with, e.g. gb18030."
    )

    @field_validator("format")
    @classmethod
    def _known_format(cls, value: str | None) -> str | None:
        if value is not None and value.lower() not in FORMATS:
            raise ValueError(f"{value!r} is no format that is read; choose one of {', '.join(FORMATS)}")
        return value

    @field_validator("encoding")
    @classmethod
    def _known_encoding(cls, value: str | None) -> str | None:
        if value is None or value == REPAIRED or _is_text_codec(value):
            return value
        raise ValueError(
            f"{value!r} is no encoding of text that Python knows; choose one of {USUAL_ENCODINGS}, or another of its "
            f"codecs, or {REPAIRED} for UTF-8 with a few damaged bytes"
        )


def _is_text_codec(name: str) -> bool:
    """Return whether a name is that of an encoding of text; Python also lists codecs from bytes to bytes."""
    try:
        codecs.lookup(name)
        "".encode(name)
    except (LookupError, ValueError):
        return False
    return True


class ReadingSettings(BaseModel):
    """Limits of reading; a document that breaks one becomes a reject that names it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_unpacked_bytes: int = Field(
        default=2 * 1024**3, ge=1, description="Largest size of a document after unpacking gzip or zstd, in bytes."
    )
    min_abstract_words: int = Field(
        default=5,
        ge=1,
        description="Fewest words of an abstract; a Chinese, Japanese or Korean character counts as one.",
    )
    placeholder_titles: int = Field(
        default=3, ge=2, description="Unlike titles in one document under which an equal text counts as a placeholder."
    )
    batch_chars: int = Field(
        default=16 * 1024**2,
        ge=1,
        description="Characters read into one batch; bounds memory, never changes the result.",
    )
    parallel_chars: int = Field(
        default=48 * 1024**2,
        ge=1,
        description="Bytes of input from which worker processes are started; changes no result.",
    )
    workers: int | None = Field(
        default=None,
        ge=1,
        description="Processes that read large inputs; as many as there are cores when it is not set.",
    )
