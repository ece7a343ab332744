"""What a person can set for reading: overrides per source, and limits.

The classes carry no behaviour; the fingerprint that ties a document to them is in `reading.py`.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


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
