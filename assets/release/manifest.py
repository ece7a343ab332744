"""The manifest of a release: what it holds, what made it, how it was judged; written last, so it marks a whole."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from assets.contract.disk import write_text_atomically
from assets.contract.errors import PaperfoldError
from assets.contract.folder import MANIFEST
from assets.contract.ids import make_id
from assets.contract.vocabulary import CONTRACT_VERSION, Severity

_LIBRARIES = ("paperfold", "dagster", "duckdb", "polars", "pyarrow")


class TableFile(BaseModel):
    """One Parquet file of a release."""

    model_config = ConfigDict(frozen=True)

    rows: int
    bytes: int
    sha256: str


class CheckOutcome(BaseModel):
    """How one check judged the staged release."""

    model_config = ConfigDict(frozen=True)

    passed: bool
    severity: Severity
    figures: Mapping[str, int | float | str]


class Manifest(BaseModel):
    """What a release says of itself."""

    model_config = ConfigDict(frozen=True)

    release_id: str
    sequence: int
    published_at: datetime
    contract_version: str
    base_release: str | None
    versions: dict[str, str]
    tables: dict[str, TableFile]
    files: dict[str, str] = Field(default_factory=dict)
    """SHA-256 of each file beside the tables and the database, by name."""
    database_sha256: str
    checks: dict[str, CheckOutcome]

    @property
    def counts(self) -> dict[str, int]:
        """Rows by table."""
        return {name: file.rows for name, file in self.tables.items()}


def make_release_id(
    table_sha256: Mapping[str, str], analyses: Mapping[str, str], view_queries: Mapping[str, str]
) -> str:
    """Return the id of a release.

    It follows from what the papers are and from what makes the rest of them, so that content that returns to an
    earlier release is known, though topics and the like lean on the release before.

    Args:
        table_sha256: Hash of the Parquet of each table up to the papers and the ledger of ids.
        analyses: Version of each analysis.
        view_queries: SQL of each view and macro.
    """
    parts = [f"{name} {digest}" for name, digest in sorted(table_sha256.items())]
    parts += [f"{name} {version}" for name, version in sorted(analyses.items())]
    parts += [f"{name} {query}" for name, query in sorted(view_queries.items())]
    return make_id("rel", CONTRACT_VERSION, *parts)


def library_versions() -> dict[str, str]:
    """Return library -> version of what makes a release."""
    return {name: version(name) for name in _LIBRARIES}


def write_manifest(manifest: Manifest, release: Path) -> None:
    """Write the manifest into a release folder in one step."""
    write_text_atomically(release / MANIFEST, manifest.model_dump_json(indent=2) + "\n")


def read_manifest(release: Path) -> Manifest:
    """Return the manifest of a release folder.

    Raises:
        PaperfoldError: when there is none or it can't be read.
    """
    path = release / MANIFEST
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise PaperfoldError(f"No release at {release}: {MANIFEST} is not there.") from None
    except ValueError as error:
        raise PaperfoldError(f"{path} is damaged: {str(error).splitlines()[0]}.") from error
