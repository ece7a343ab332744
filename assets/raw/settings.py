"""Settings of the raw layer."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class IntakeSettings(BaseModel):
    """Limits on what is taken in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_file_bytes: int = Field(
        default=1 << 30, gt=0, description="A larger file is not read: it becomes a reject with the reason too_large."
    )
