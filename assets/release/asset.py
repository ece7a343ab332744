"""The release asset: staged, audited, published; the one step that changes what readers see."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import dagster as dg
import polars as pl

from assets.analytical.views import View
from assets.contract.asset import PREVIEW_ROWS, check_result, check_specs, column_schema, failing_clearly, preview
from assets.contract.check import Check, Verdict
from assets.contract.errors import AuditError
from assets.contract.folder import DATABASE
from assets.contract.refresh import Refresh
from assets.contract.tables import TABLES
from assets.release.audit import all_checks, figures_in_words
from assets.release.publication import Publication, Waivers, publish_work
from assets.release.settings import ReleaseSettings
from assets.release.store import read_pin

LAYER = "release"
ASSET = "release"
AUDIT = "audit"
MAIN_TABLE = "papers"
OUTCOMES = {
    "published": "published a new release",
    "unchanged": "unchanged: the current release holds this content already",
    "returned": "returned to an earlier release that holds this content",
}
_OWN = ("papers_not_shrunk", "drift", "database_equals_parquet", "views_keep_contract", "search_index_agrees")
"""Checks that only a whole release can be asked; the others ran after their layers and show together as the audit."""


def build_release(views: Sequence[View]) -> dg.AssetsDefinition:
    """Return the release asset with the checks of its audit."""
    own = [check for check in all_checks(Path(), views) if check.name in _OWN]
    audit_spec = dg.AssetCheckSpec(
        AUDIT,
        asset=ASSET,
        description="Every check of every layer, run again on the staged files before they are published.",
        blocking=True,
    )

    @dg.asset(
        name=ASSET,
        group_name=LAYER,
        deps=[*TABLES, *(view.name for view in views)],
        check_specs=[audit_spec, *check_specs(own, (ASSET,))],
        kinds={"duckdb", "parquet"},
        description="One immutable, checked set of Parquet and DuckDB, published by one atomic swap of `current`. "
        "Rows, columns and preview are those of its main table, papers.",
        metadata={"dagster/column_schema": column_schema(MAIN_TABLE)},
    )
    @failing_clearly
    def release(
        refresh: dg.ResourceParam[Refresh],
        release_settings: dg.ResourceParam[ReleaseSettings],
        waivers: dg.ResourceParam[Waivers],
    ) -> Iterator[dg.MaterializeResult | dg.AssetCheckResult]:
        refresh.reporter.begin("Staging, auditing and publishing the release")
        try:
            publication = publish_work(refresh.folder, views, release_settings, waivers, refresh.clock())
        except AuditError as error:
            yield from _results(error.judged, refresh)
            raise
        refresh.conclude(publication.outcome, publication.manifest.release_id)
        yield _materialized(publication, refresh)
        yield from _results(publication.judged, refresh)

    return release


def _results(judged: Sequence[tuple[Check, Verdict]], refresh: Refresh) -> Iterator[dg.AssetCheckResult]:
    """Yield the audit as one result with a row per check, then the checks that only a release can be asked."""
    for check, verdict in judged:
        refresh.judge(check, verdict)
    rows = pl.DataFrame(
        {
            "check": [check.name for check, _ in judged],
            "passed": [verdict.passed for _, verdict in judged],
            "severity": [check.severity for check, _ in judged],
            "figures": [figures_in_words(verdict) for _, verdict in judged],
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
            "outcome": OUTCOMES[publication.outcome],
            "release_id": manifest.release_id,
            "pinned": f"readers are held at {pin.release} until `paperfold rollback --unpin`" if pin else "no",
            "release": dg.MetadataValue.path(release),
            "database": dg.MetadataValue.path(release / DATABASE),
            "tables": preview(pl.DataFrame(files, schema=("table", "rows", "bytes", "sha256"), orient="row")),
            "preview": preview(pl.scan_parquet(release / f"{MAIN_TABLE}.parquet").head(PREVIEW_ROWS).collect()),
            "checks": len(manifest.checks),
            "checks_passed": sum(check.passed for check in manifest.checks.values()),
            "releases_retired": len(publication.retired),
            **{name: dg.MetadataValue.int(rows) for name, rows in manifest.counts.items()},
        },
    )
