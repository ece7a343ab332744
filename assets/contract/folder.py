"""Where things lie in a data folder. Paths only: who writes them is the business of the layers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DATABASE = "paperfold.duckdb"
"""The database's file name in a release."""
MANIFEST = "manifest.json"
"""The manifest's file name in a release; a folder without one is no release."""
INDEX = "index"
"""The fold index's folder in a release."""


@dataclass(frozen=True)
class DataFolder:
    """The paths of one data folder."""

    root: Path

    @property
    def raw(self) -> Path:
        """Every content ever read, under its SHA-256."""
        return self.root / "raw"

    def content(self, sha256: str) -> Path:
        """Return the path of a stored content."""
        return self.raw / sha256[:2] / sha256

    def work(self, layer: str) -> Path:
        """Return the folder of a layer's intermediates."""
        return self.root / "work" / layer

    @property
    def releases(self) -> Path:
        """One folder per release."""
        return self.root / "releases"

    def release(self, release_id: str) -> Path:
        """Return the folder of a release."""
        return self.releases / release_id

    @property
    def current(self) -> Path:
        """The symlink to the release that readers see."""
        return self.root / "current"

    @property
    def pin(self) -> Path:
        """Says that a rollback holds `current`, and which release is the latest."""
        return self.root / "pin.json"

    @property
    def sources(self) -> Path:
        """The sources that `paperfold build RAW ...` remembered."""
        return self.root / "sources.json"

    @property
    def source_states(self) -> Path:
        """What is remembered of each source: its last fetch, and the contents that it had."""
        return self.root / "sources"

    @property
    def last_refresh(self) -> Path:
        """What the last refresh did, for `paperfold status`."""
        return self.root / "last_refresh.json"

    @property
    def lock(self) -> Path:
        """The writer's lock."""
        return self.root / ".writer.lock"

    @property
    def own(self) -> list[Path]:
        """What Paperfold itself keeps here, so that a source around the data folder does not read it."""
        kept = (self.raw, self.root / "work", self.releases, self.current, self.dagster_home)
        return [*kept, self.pin, self.sources, self.source_states, self.last_refresh, self.lock]

    @property
    def dagster_home(self) -> Path:
        """Dagster's own storage: runs, events, schedules."""
        return self.root / "dagster"
