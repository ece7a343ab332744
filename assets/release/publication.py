"""Publication: from finished layers under work/ to a release that readers see, or a reason why not.

Stage, audit, publish. The audit runs every check again on the staged files, so no way of starting this step gets
around the gate.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

import polars as pl

from assets.analytical.analyses import VERSIONS
from assets.analytical.search.tables import index_files
from assets.analytical.views import View
from assets.contract.check import Check, Verdict
from assets.contract.disk import file_sha256, link_or_copy
from assets.contract.errors import AuditError, NothingReadError, StaleWorkError
from assets.contract.folder import DATABASE, INDEX, MANIFEST, DataFolder
from assets.contract.parquet import row_count
from assets.contract.tables import TABLES
from assets.contract.vocabulary import CONTRACT_VERSION, LAYERS, TABLE_LAYERS
from assets.contract.work import demand_fresh, extra_files, read_note
from assets.folded.record import FILE_NAME as FOLDING_SETTINGS
from assets.release import store
from assets.release.audit import all_checks, audit, failures, outcomes, recall
from assets.release.checks import SHRUNK
from assets.release.database import build_database
from assets.release.manifest import Manifest, TableFile, library_versions, make_release_id, read_manifest
from assets.release.settings import ReleaseSettings

OUTCOMES = {
    "published": "published a new release",
    "unchanged": "nothing new: this content is published already",
    "returned": "this content was published before: returned to that release",
}
"""What can become of a refresh, in words."""


@dataclass(frozen=True)
class Waivers:
    """What a person allows for one build."""

    drift: bool = False
    empty: bool = False


@dataclass(frozen=True)
class Publication:
    """What became of a refresh: the release that holds its content, how it got there, how it was judged."""

    outcome: Literal["published", "unchanged", "returned"]
    manifest: Manifest
    judged: Sequence[tuple[Check, Verdict]]
    retired: Sequence[str] = ()


def publish_work(
    folder: DataFolder,
    base: str | None,
    views: Sequence[View],
    settings: ReleaseSettings,
    waivers: Waivers,
    now: datetime,
) -> Publication:
    """Publish what lies under work/ on top of the latest usable release, or say that it is published already.

    Raises:
        StaleWorkError: when the layers do not belong together or to the latest release.
        NothingReadError: when there is no occurrence and an empty release was not allowed.
        AuditError: when the staged release breaks a rule; `current` stays.
    """
    demand_fresh(folder, LAYERS[:-1])
    parquet = {table: folder.work(layer) / f"{table}.parquet" for table, layer in TABLE_LAYERS.items()}
    if not waivers.empty and row_count(parquet["occurrences"]) == 0:
        raise NothingReadError(explain_nothing_read(parquet["documents"], parquet["rejects"]))
    hashes = {table: file_sha256(path) for table, path in parquet.items()}
    index = index_files(folder.work("analytical"))
    release_id = make_release_id(
        {table: digest for table, digest in hashes.items() if TABLE_LAYERS[table] != "analytical"},
        VERSIONS,
        {view.name: view.query for view in views},
    )
    target = folder.release(release_id)
    is_whole = any(release.release_id == release_id for release in store.list_releases(folder)) and not (
        store.damaged_files(target, read_manifest(target))
    )
    if not (is_whole and release_id == base):
        _demand_base(folder, base)
    if is_whole:
        return _take_up(folder, base, release_id, views, waivers)

    store.remove_leftovers(folder)
    staging = folder.releases / f"{store.STAGING_PREFIX}{os.getpid()}"
    staging.mkdir(parents=True)
    for table, path in parquet.items():
        link_or_copy(path, staging / f"{table}.parquet")
    link_or_copy(folder.work("folded") / FOLDING_SETTINGS, staging / FOLDING_SETTINGS)
    folding_index = folder.work("folded") / INDEX
    if folding_index.is_dir():
        shutil.copytree(folding_index, staging / INDEX, copy_function=link_or_copy)
    extras = extra_files(folder.work("analytical"))
    for extra in extras:
        link_or_copy(extra, staging / extra.name)
    staged = {table: staging / f"{table}.parquet" for table in TABLES}
    build_database(staging / DATABASE, staged, index, views, settings.memory_limit)
    judged = _waive(audit(staging, _base_path(folder, base), views), waivers)
    if failed := failures(judged):
        shutil.rmtree(staging)
        raise _refusal(failed, judged)
    sequences = [manifest.sequence for manifest in store.list_releases(folder)]
    manifest = Manifest(
        release_id=release_id,
        sequence=max(sequences, default=0) + 1,
        published_at=now,
        contract_version=CONTRACT_VERSION,
        base_release=base,
        versions=library_versions(),
        tables={
            table: TableFile(rows=row_count(path), bytes=path.stat().st_size, sha256=hashes[table])
            for table, path in staged.items()
        },
        files={path.name: file_sha256(path) for path in extras},
        database_sha256=file_sha256(staging / DATABASE),
        checks=outcomes(judged),
    )
    store.publish(folder, staging, manifest)
    return Publication("published", manifest, judged, store.retire(folder, settings.keep))


def explain_nothing_read(documents: Path, rejects: Path) -> str:
    """Return a message that names each file with the reason why nothing was read from it."""
    rows = (
        pl.scan_parquet(documents)
        .join(pl.scan_parquet(rejects), on="document_id", how="left", maintain_order="left")
        .group_by("source", "file_name", maintain_order=True)
        .agg(pl.col("reason").drop_nulls().unique(maintain_order=True), pl.col("detail").drop_nulls().first())
        .collect()
    )
    if rows.is_empty():
        return "The sources have no file. Name a folder of paper lists: `paperfold build RAW`."
    lines = [
        f"  {row['source']}/{row['file_name']}: {', '.join(row['reason']) or 'no paper in it'}"
        + (f" ({row['detail']})" if row["detail"] else "")
        for row in rows.iter_rows(named=True)
    ]
    return "\n".join(
        [
            f"No paper could be read from {rows.height} file(s); the current release stays as it is.",
            *lines,
            "Use --allow-empty to publish an empty release all the same.",
        ]
    )


def _take_up(
    folder: DataFolder, base: str | None, release_id: str, views: Sequence[View], waivers: Waivers
) -> Publication:
    """Go on with a release that holds this content already: the latest one, or an earlier one to return to."""
    target = folder.release(release_id)
    manifest = read_manifest(target)
    if release_id == base:
        known = recall(manifest.checks, all_checks(target, views))
        return Publication(
            "unchanged", manifest, known or audit(target, _base_path(folder, manifest.base_release), views)
        )
    judged = _waive(audit(target, _base_path(folder, base), views), waivers)
    if failed := failures(judged):
        raise _refusal(failed, judged)
    store.make_latest(folder, release_id)
    return Publication("returned", manifest, judged)


def _demand_base(folder: DataFolder, base: str | None) -> None:
    for layer in ("parsed", "folded", "analytical"):
        made_on = read_note(folder, layer).base_release
        if made_on != base:
            raise StaleWorkError(
                f"work/{layer} builds on release {made_on or 'none'}, and the latest is {base or 'none'}: "
                f"materialize the {layer} assets and all after them, or launch the refresh job."
            )


def _base_path(folder: DataFolder, base: str | None) -> Path | None:
    """Return the folder of the release before, if it is still on disk."""
    return folder.release(base) if base and (folder.release(base) / MANIFEST).exists() else None


def _waive(judged: Sequence[tuple[Check, Verdict]], waivers: Waivers) -> list[tuple[Check, Verdict]]:
    """Return the verdicts, a rule that a person waived as one that only warns."""
    return [
        (replace(check, severity="WARN") if waivers.drift and check.name == SHRUNK else check, verdict)
        for check, verdict in judged
    ]


def _refusal(failed: Sequence[str], judged: Sequence[tuple[Check, Verdict]]) -> AuditError:
    lines = "\n".join(f"  {line}" for line in failed)
    hint = "\nIf the loss is meant, build once with --accept-drift." if any(SHRUNK in line for line in failed) else ""
    return AuditError(f"The release was not published: {len(failed)} rule(s) do not hold.\n{lines}{hint}", judged)
