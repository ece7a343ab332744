"""Settings of the release layer."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class ReleaseSettings(BaseModel):
    """How releases are kept and made."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    keep: int = Field(default=5, ge=1, description="How many of the last releases stay on disk.")
    memory_limit: str = Field(
        default="4GB",
        pattern=r"^\d+(\.\d+)?\s?(MB|GB|MiB|GiB)$",
        description="Memory that DuckDB may take while it builds a database; beyond it, it uses the disk.",
    )
