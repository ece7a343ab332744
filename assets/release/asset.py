"""The release asset: staged, audited, published; the one step that changes what readers see."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import dagster as dg
import polars as pl

from assets.analytical.views import View
from assets.contract.arrow import polars_schema
from assets.contract.asset import (
    PREVIEW_ROWS,
    check_result,
    check_specs,
    column_lineage,
    column_schema,
    failing_clearly,
    preview,
)
from assets.contract.check import Check, Verdict
from assets.contract.errors import AuditError
from assets.contract.folder import DATABASE, DataFolder
from assets.contract.plot import plot_bars
from assets.contract.refresh import Refresh
from assets.contract.tables import TABLES
from assets.release.audit import all_checks
from assets.release.publication import OUTCOMES, Publication, Waivers, publish_work
from assets.release.settings import ReleaseSettings
from assets.release.store import current_release, list_releases, read_pin

LAYER = "release"
ASSET = "release"
AUDIT = "audit"
NOT_PINNED = "readers_see_the_latest"
MAIN_TABLE = "papers"
_OWN = ("papers_not_shrunk", "drift", "database_equals_parquet", "views_keep_contract", "search_index_agrees")
"""Checks that only a whole release can be asked; the others ran after their layers and show together as the audit."""


def build_release(views: Sequence[View], freshness: dg.FreshnessPolicy | None = None) -> dg.AssetsDefinition:
    """Return the release asset with the checks of its audit; `freshness` says from when on it is late."""
    own = [check for check in all_checks(Path(), views) if check.name in _OWN]
    audit_spec = dg.AssetCheckSpec(
        AUDIT,
        asset=ASSET,
        description="Every check of every layer, run again on the staged files before they are published.",
        blocking=True,
    )

    pin_spec = dg.AssetCheckSpec(
        NOT_PINNED, asset=ASSET, description="No rollback holds readers at an earlier release.", blocking=False
    )

    @dg.asset(
        name=ASSET,
        group_name=LAYER,
        deps=[*TABLES, *(view.name for view in views)],
        check_specs=[audit_spec, *check_specs(own, (ASSET,)), pin_spec],
        kinds={"duckdb", "parquet"},
        description="One immutable, checked set of Parquet and DuckDB, published by one atomic swap of `current`. "
        "Rows, columns and preview are those of its main table, papers.",
        metadata={"dagster/column_schema": column_schema(MAIN_TABLE)},
        freshness_policy=freshness,
    )
    @failing_clearly
    def release(
        refresh: dg.ResourceParam[Refresh],
        release_settings: dg.ResourceParam[ReleaseSettings],
        waivers: dg.ResourceParam[Waivers],
        base_release: dg.ResourceParam[str],
    ) -> Iterator[dg.MaterializeResult | dg.AssetCheckResult]:
        refresh.reporter.begin("Staging, auditing and publishing the release")
        try:
            publication = publish_work(
                refresh.folder, base_release or None, views, release_settings, waivers, refresh.clock()
            )
        except AuditError as error:
            yield from _results(error.judged, refresh)
            yield dg.AssetCheckResult(**judge_pin(refresh.folder))
            raise
        refresh.conclude(publication.outcome, publication.manifest.release_id)
        yield _materialized(publication, refresh)
        yield from _results(publication.judged, refresh)
        yield dg.AssetCheckResult(**judge_pin(refresh.folder))

    return release


def judge_pin(folder: DataFolder) -> dict[str, Any]:
    """Return the arguments of the check that says whether a rollback holds readers at an earlier release."""
    pin, current = read_pin(folder), current_release(folder)
    words = f"Readers are held at {pin.release} until `paperfold rollback --unpin`." if pin else "No rollback holds."
    return {
        "asset_key": dg.AssetKey(ASSET),
        "check_name": NOT_PINNED,
        "passed": pin is None,
        "severity": dg.AssetCheckSeverity.WARN,
        "description": words,
        "metadata": {
            "readers_see": current or "no release",
            "latest_release": pin.latest if pin else current or "no release",
        },
    }


def _results(judged: Sequence[tuple[Check, Verdict]], refresh: Refresh) -> Iterator[dg.AssetCheckResult]:
    """Yield the audit as one result with a row per check, then the checks that only a release can be asked."""
    for check, verdict in judged:
        refresh.judge(check, verdict, is_news=refresh.outcome != "unchanged")
    rows = pl.DataFrame(
        {
            "check": [check.name for check, _ in judged],
            "passed": [verdict.passed for _, verdict in judged],
            "severity": [check.severity for check, _ in judged],
            "figures": [verdict.in_words() for _, verdict in judged],
        }
    )
    yield dg.AssetCheckResult(
        passed=rows.filter(~pl.col("passed"), severity="ERROR").is_empty(),
        asset_key=ASSET,
        check_name=AUDIT,
        metadata={"checks": rows.height, "passed": rows.filter("passed").height, "verdicts": preview(rows)},
    )
    yield from (check_result(check, verdict, ASSET) for check, verdict in judged if check.name in _OWN)


def _materialized(publication: Publication, refresh: Refresh) -> dg.MaterializeResult:
    manifest, folder = publication.manifest, refresh.folder
    release, pin = folder.release(manifest.release_id), read_pin(folder)
    files = [(name, file.rows, file.bytes, file.sha256) for name, file in manifest.tables.items()]
    return dg.MaterializeResult(
        asset_key=ASSET,
        data_version=dg.DataVersion(manifest.release_id),
        metadata={
            "dagster/row_count": manifest.counts[MAIN_TABLE],
            "dagster/column_schema": column_schema(MAIN_TABLE),
            "dagster/column_lineage": column_lineage(
                {name: [(MAIN_TABLE, name)] for name in polars_schema(MAIN_TABLE)}
            ),
            "outcome": OUTCOMES[publication.outcome],
            "release_id": manifest.release_id,
            "pinned": f"readers are held at {pin.release} until `paperfold rollback --unpin`" if pin else "no",
            "current": dg.MetadataValue.path(refresh.folder.current),
            "release": dg.MetadataValue.path(release),
            "database": dg.MetadataValue.path(release / DATABASE),
            "tables": preview(pl.DataFrame(files, schema=("table", "rows", "bytes", "sha256"), orient="row")),
            "papers_by_release": dg.MetadataValue.md(_growth(refresh.folder)),
            "preview": preview(pl.scan_parquet(release / f"{MAIN_TABLE}.parquet").head(PREVIEW_ROWS).collect()),
            "checks": len(manifest.checks),
            "checks_passed": sum(check.passed for check in manifest.checks.values()),
            "releases_retired": len(publication.retired),
            **{name: dg.MetadataValue.int(rows) for name, rows in manifest.counts.items()},
        },
    )


def _growth(folder: DataFolder) -> str:
    """Return a plot of the papers in each release that is kept, the oldest first."""
    counts = [manifest.counts[MAIN_TABLE] for manifest in reversed(list_releases(folder))]
    return plot_bars(f"Papers in each of the {len(counts)} releases that are kept, the newest last.", counts)
