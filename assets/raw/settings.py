"""Settings of the raw layer: limits on what is taken in, and how addresses are fetched."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class IntakeSettings(BaseModel):
    """Limits on what is taken in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_file_bytes: int = Field(
        default=1 << 30, gt=0, description="A larger file is not read: it becomes a reject with the reason too_large."
    )


class FetchSettings(BaseModel):
    """How addresses are fetched: limits, patience and manners."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_bytes: int = Field(
        default=100 << 20, gt=0, description="Reading stops at a larger answer, and the source counts as failed."
    )
    connect_seconds: float = Field(default=10, gt=0, description="How long a connection may take to come about.")
    read_seconds: float = Field(default=30, gt=0, description="How long a server may be silent.")
    total_seconds: float = Field(
        default=300, gt=0, description="How long a source may take in all, with redirects, retries and pauses."
    )
    attempts: int = Field(
        default=4, ge=1, le=10, description="How often a request is tried that fails in a way that may pass."
    )
    longest_wait_seconds: float = Field(
        default=60,
        ge=0,
        description="Longest wait between two attempts; a server that asks for more (Retry-After) is left alone until "
        "the next refresh.",
    )
    max_redirects: int = Field(default=5, ge=0, le=20, description="How many redirects are followed.")
    pause_seconds: float = Field(
        default=1, ge=0, description="Pause between two requests to one host; its robots.txt may ask for more."
    )
    robots: bool = Field(default=True, description="Whether robots.txt is asked for and respected.")
    contact: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        pattern=r"^[\x20-\x27\x2a-\x7e]+$",
        description="An address or page of yours that the User-Agent names beside the product, for a host's operator.",
    )
