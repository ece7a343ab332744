"""Small releases to publish, roll back to and retire, without a refresh."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from assets.contract.disk import file_sha256
from assets.contract.folder import DATABASE, DataFolder
from assets.contract.tables import TABLES
from assets.release.manifest import Manifest, TableFile
from assets.release.store import list_releases, publish


def stage(folder: DataFolder, content: str) -> tuple[Path, Manifest]:
    """Return a staged release whose files hold the given content, and its manifest."""
    staging = folder.releases / ".staging-test"
    staging.mkdir(parents=True)
    for table in TABLES:
        (staging / f"{table}.parquet").write_text(f"{table} {content}")
    (staging / DATABASE).write_text(content)
    manifest = Manifest(
        release_id=f"rel_{content}",
        sequence=max((release.sequence for release in list_releases(folder)), default=0) + 1,
        published_at=datetime(2026, 6, 1, tzinfo=UTC),
        contract_version="1",
        base_release=None,
        versions={},
        tables={
            table: TableFile(rows=1, bytes=1, sha256=file_sha256(staging / f"{table}.parquet")) for table in TABLES
        },
        database_sha256=file_sha256(staging / DATABASE),
        checks={},
    )
    return staging, manifest


def publish_content(folder: DataFolder, content: str) -> str:
    """Publish a release with the given content and return its id."""
    staging, manifest = stage(folder, content)
    publish(folder, staging, manifest)
    return manifest.release_id
