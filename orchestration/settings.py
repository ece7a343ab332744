"""Settings: paperfold.toml in the working folder, overridden by PAPERFOLD_* variables, overridden by command options.

Each layer owns the model of its own settings; here they are put together, read and reported on.
"""

from __future__ import annotations

import re
import tomllib
import zoneinfo
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from assets.contract.errors import SettingsError
from assets.folded.settings import Decision, FoldingSettings
from assets.parsed.options import ReadingSettings, SourceOptions
from assets.raw.settings import IntakeSettings
from assets.release.settings import ReleaseSettings

FILE_NAME = "paperfold.toml"
_CRON = re.compile(r"@(hourly|daily|weekly|monthly)|[\d*/,A-Za-z-]+( +[\d*/,A-Za-z-]+){4}")


class SourceSettings(SourceOptions):
    """A [[source]]: where its files are, and what overrides that which is found in them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str = Field(description="Folder, file or glob pattern of paper lists, relative to the working folder.")


class DecisionSettings(BaseModel):
    """A [[decision]]: a person's word on a pair, which holds over every rule."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    same: tuple[str, str] | None = Field(default=None, description="Two paper or occurrence ids that are one paper.")
    different: tuple[str, str] | None = Field(default=None, description="Two ids that are different papers.")

    @model_validator(mode="after")
    def _one_verdict(self) -> DecisionSettings:
        if (self.same is None) == (self.different is None):
            raise ValueError("expected either `same = [id, id]` or `different = [id, id]`")
        self.decision()
        return self

    def decision(self) -> Decision:
        """Return the decision as folding takes it."""
        return Decision("same", *self.same) if self.same else Decision("different", *(self.different or ("", "")))


class ScheduleSettings(BaseModel):
    """When the daily refresh starts."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cron: str = Field(default="0 6 * * *", description="Cron expression of the refresh.")
    time_zone: str = Field(default="UTC", description="IANA name of the time zone that cron is read in.")

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        if value not in zoneinfo.available_timezones():
            raise ValueError(f"{value!r} is no IANA time zone; expected a name such as 'Europe/Berlin'")
        return value

    @field_validator("cron")
    @classmethod
    def _valid_cron(cls, value: str) -> str:
        # Only its shape: Dagster judges the rest when definitions load, and is too heavy for light commands.
        if not _CRON.fullmatch(value):
            raise ValueError(f"{value!r} is no cron expression; expected five fields such as '0 6 * * *'")
        return value


class Settings(BaseSettings):
    """All settings. Each has a default, so no file is needed."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        env_prefix="PAPERFOLD_",
        env_nested_delimiter="__",
        nested_model_default_partial_update=True,
    )

    data: Path = Field(default=Path("data"), description="The data folder.")
    source: tuple[SourceSettings, ...] = Field(default=(), description="Where paper lists come from.")
    decision: tuple[DecisionSettings, ...] = Field(
        default=(), description="A person's word on pairs of papers or occurrences."
    )
    intake: IntakeSettings = Field(default=IntakeSettings(), description="Limits on what is taken in.")
    reading: ReadingSettings = Field(default=ReadingSettings(), description="Limits of reading.")
    folding: FoldingSettings = Field(default=FoldingSettings(), description="Thresholds of folding.")
    release: ReleaseSettings = Field(default=ReleaseSettings(), description="How releases are made and kept.")
    schedule: ScheduleSettings = Field(default=ScheduleSettings(), description="When the daily refresh starts.")
    queue_seconds: int = Field(
        default=3600, ge=0, description="How long a scheduled run waits for another writer of the data folder."
    )

    @model_validator(mode="after")
    def _distinct_names(self) -> Settings:
        names = [source.name for source in self.source if source.name]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"source names must differ; given twice: {', '.join(twice)}")
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - the signature is pydantic's
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Let the environment override what the file gave (which comes in as the initial values)."""
        return env_settings, init_settings


def load_settings(folder: Path | None = None) -> Settings:
    """Return the settings of a working folder (default: the current one).

    Raises:
        SettingsError: naming the file or variable, the key, what was found and what was expected.
    """
    path = (folder or Path()) / FILE_NAME
    values: dict[str, Any] = {}
    if path.exists():
        try:
            values = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
            raise SettingsError(f"{path} can't be read as TOML: {error}") from error
    try:
        return Settings(**values)
    except ValidationError as error:
        lines = [_explain(problem) for problem in error.errors()]
        where = f"{path} or a PAPERFOLD_ variable" if path.exists() else "A PAPERFOLD_ variable"
        raise SettingsError("\n".join([f"{where} is not valid:", *lines])) from error


def _explain(problem: Any) -> str:
    key = ".".join(str(part + 1) if isinstance(part, int) else part for part in problem["loc"]) or "settings"
    message = (
        "no such setting" if problem["type"] == "extra_forbidden" else problem["msg"].removeprefix("Value error, ")
    )
    if problem["type"] == "tuple_type":
        message = "expected several values: write [[source]] for a table, [id, id] for a pair"
    found = (
        ""
        if isinstance(problem["input"], dict) or message.startswith(("no such", "'"))
        else f" (found {problem['input']!r})"
    )
    return f"  {key}: {message}{found}"
