"""Settings: paperfold.toml in the working folder, overridden by PAPERFOLD_* variables, overridden by command options.

Each layer owns the model of its own settings; here they are put together, read and reported on.
"""

from __future__ import annotations

import os
import re
import tomllib
import zoneinfo
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urldefrag, urlsplit

from cronsim import CronSim, CronSimError
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from assets.contract.errors import SettingsError
from assets.folded.settings import Decision, FoldingSettings
from assets.parsed.options import ReadingSettings, SourceOptions
from assets.raw.settings import FetchSettings, IntakeSettings
from assets.release.settings import ReleaseSettings
from orchestration.scrub import scrub

FILE_NAME = "paperfold.toml"
_SECRET = ("alert.webhook", "dagster.storage")
_POSTGRES = "postgresql+psycopg2"
"""With the driver that dagster-postgres brings: without its name SQLAlchemy looks for another one."""
_CRON = re.compile(r"[\d*/,A-Za-z-]+( +[\d*/,A-Za-z-]+){4}")
_ALIASES = {"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *"}


def check_address(value: str) -> str:
    """Return an address that can be fetched, without its fragment.

    Raises:
        ValueError: saying what is wrong with it.
    """
    expected = "expected an address such as 'https://example.org/list.html'"
    if re.search(r"[\x00-\x20\x7f]", value):
        raise ValueError(f"it holds white space or control characters; {expected}")
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"it is no http or https address; {expected}")
    if parts.username or parts.password:
        raise ValueError("it holds a user name or password, which would be shown; fetch such a list another way")
    _ = parts.port  # raises for one that is no number
    return urldefrag(value).url


def cron_fields(expression: str) -> str:
    """Return the five fields of a cron expression, in place of an alias such as @daily; empty when it has others."""
    fields = _ALIASES.get(expression, expression)
    return fields if _CRON.fullmatch(fields) else ""


class SourceSettings(SourceOptions):
    """A [[source]]: where its files are, and what overrides that which is found in them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str | None = Field(
        default=None,
        min_length=1,
        description="Folder, file or glob pattern of paper lists, relative to the working folder. Either this or url.",
    )
    url: str | None = Field(default=None, description="Address of a paper list, http or https. Either this or path.")
    history: bool | None = Field(
        default=None,
        description="Whether each content that it had stays as a document of its own; without it, yes for a url and no "
        "for a path.",
    )

    @field_validator("url")
    @classmethod
    def _fetchable(cls, value: str | None) -> str | None:
        return value if value is None else check_address(value)

    @model_validator(mode="after")
    def _one_place(self) -> SourceSettings:
        if (self.path is None) == (self.url is None):
            raise ValueError("expected either `path` or `url`, not " + ("both" if self.path else "neither"))
        if self.name is None and (self.url or self.history):
            key = "url" if self.url else "history"
            raise ValueError(f"`name` is missing: with `{key}`, what is kept of a source is kept under its name")
        return self

    @property
    def keeps_history(self) -> bool:
        """Whether each content that the source had stays as a document of its own."""
        return self.url is not None if self.history is None else self.history

    @property
    def options(self) -> SourceOptions:
        """What overrides that which is found in its files."""
        return SourceOptions(**self.model_dump(exclude={"path", "url", "history"}))


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
        # Dagster, which takes it in the end, is too heavy for light commands.
        try:
            next(CronSim(cron_fields(value), datetime.now(UTC)))
        except (CronSimError, StopIteration) as error:
            words = f"{value!r} is no cron expression that is ever due; expected five fields such as '0 6 * * *'"
            raise ValueError(words) from error
        return value

    def next_refresh(self, now: datetime) -> datetime:
        """Return when the schedule is due next after a time, in the schedule's time zone."""
        return next(CronSim(cron_fields(self.cron), now.astimezone(zoneinfo.ZoneInfo(self.time_zone))))


class SensorSettings(BaseModel):
    """How the folders of the sources are watched."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = Field(default=True, description="Whether the sensor is on when the daemon starts.")
    interval_seconds: int = Field(default=30, ge=1, description="How often the folders of the sources are looked at.")
    settle_seconds: float = Field(
        default=60,
        ge=0,
        description="From this age on a changed file has settled; a younger one has when two looks find it the same.",
    )


class FreshnessSettings(BaseModel):
    """From which age on the UI calls the release late."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    warn_hours: float = Field(
        default=25, gt=0, description="Hours since the last successful refresh after which the UI warns."
    )
    fail_hours: float = Field(
        default=49, gt=0, description="Hours since the last successful refresh after which the release is stale."
    )

    @model_validator(mode="after")
    def _warns_first(self) -> FreshnessSettings:
        if self.warn_hours >= self.fail_hours:
            raise ValueError(f"warn_hours {self.warn_hours:g} must be less than fail_hours {self.fail_hours:g}")
        return self


class AlertSettings(BaseModel):
    """How failed runs and failed checks reach a person, beside the log."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    webhook: SecretStr | None = Field(
        default=None, description="Address that gets a POST for each run that failed or has failed checks."
    )
    kind: Literal["json", "slack"] = Field(
        default="json",
        description="What is posted: an object with text and figures, or the text alone as Slack takes it.",
    )
    ui_url: str | None = Field(default=None, description="Address of the UI, from which links to runs are made.")

    @field_validator("webhook")
    @classmethod
    def _webhook_is_address(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not _is_http(value.get_secret_value()):
            raise ValueError("expected an address that begins with https:// or http://")
        return value

    @field_validator("ui_url")
    @classmethod
    def _ui_is_address(cls, value: str | None) -> str | None:
        if value is not None and not _is_http(value):
            raise ValueError("expected an address that begins with https:// or http://")
        return value.rstrip("/") if value else value


class DagsterSettings(BaseModel):
    """Where Dagster keeps its records of runs, events and schedules."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    storage: SecretStr | None = Field(
        default=None,
        description="postgresql://user:password@host:port/database; without it, SQLite files in the data folder.",
    )

    @field_validator("storage")
    @classmethod
    def _storage_is_address(cls, value: SecretStr | None) -> SecretStr | None:
        if value is None:
            return None
        scheme, sign, rest = value.get_secret_value().partition("://")
        host, _, database = rest.rpartition("@")[2].partition("/")
        if scheme not in ("postgresql", "postgres", _POSTGRES) or not (sign and host and database):
            raise ValueError("expected postgresql://user:password@host:port/database")
        return SecretStr(f"{_POSTGRES}://{rest}")


def _is_http(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


class Settings(BaseSettings):
    """All settings. Each has a default, so no file is needed."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        env_prefix="PAPERFOLD_",
        env_nested_delimiter="__",
        hide_input_in_errors=True,
        nested_model_default_partial_update=True,
    )

    data: Path = Field(default=Path("data"), description="The data folder.")
    source: tuple[SourceSettings, ...] = Field(default=(), description="Where paper lists come from.")
    decision: tuple[DecisionSettings, ...] = Field(
        default=(), description="A person's word on pairs of papers or occurrences."
    )
    intake: IntakeSettings = Field(default=IntakeSettings(), description="Limits on what is taken in.")
    fetch: FetchSettings = Field(default=FetchSettings(), description="How addresses are fetched.")
    reading: ReadingSettings = Field(default=ReadingSettings(), description="Limits of reading.")
    folding: FoldingSettings = Field(default=FoldingSettings(), description="Thresholds of folding.")
    release: ReleaseSettings = Field(default=ReleaseSettings(), description="How releases are made and kept.")
    schedule: ScheduleSettings = Field(default=ScheduleSettings(), description="When the daily refresh starts.")
    sensor: SensorSettings = Field(default=SensorSettings(), description="How the folders of the sources are watched.")
    freshness: FreshnessSettings = Field(
        default=FreshnessSettings(), description="From which age on the UI calls the release late."
    )
    alert: AlertSettings = Field(
        default=AlertSettings(), description="How failed runs and failed checks reach a person, beside the log."
    )
    dagster: DagsterSettings = Field(default=DagsterSettings(), description="Where Dagster keeps its records.")
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
        # Without the cause: it quotes values, and a traceback of the definitions shows it in the UI and the log.
        raise SettingsError("\n".join([f"{where} is not valid:", *lines])) from None


def data_path(folder: Path | None = None) -> Path:
    """Return where the data folder is, also when the settings are not valid otherwise."""
    if named := os.environ.get("PAPERFOLD_DATA"):
        return Path(named)
    try:
        values = tomllib.loads(((folder or Path()) / FILE_NAME).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError):
        values = {}
    named = values.get("data")
    return Path(named) if isinstance(named, str) else Path("data")


def _explain(problem: Any) -> str:
    key = ".".join(str(part + 1) if isinstance(part, int) else part for part in problem["loc"]) or "settings"
    message = (
        "no such setting" if problem["type"] == "extra_forbidden" else problem["msg"].removeprefix("Value error, ")
    )
    if problem["type"] == "tuple_type":
        message = "expected several values: write [[source]] for a table, [id, id] for a pair"
    is_told = key in _SECRET or isinstance(problem["input"], dict) or message.startswith(("no such", "'"))
    return scrub(f"  {key}: {message}" + ("" if is_told else f" (found {problem['input']!r})"))
