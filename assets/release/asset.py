"""The release asset: staged, audited, published; the one step that changes what readers see."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import dagster as dg

from assets.analytical.views import View
from assets.contract.asset import check_result, check_specs
from assets.contract.errors import AuditError
from assets.contract.folder import DATABASE
from assets.contract.refresh import Refresh
from assets.contract.tables import TABLES
from assets.release.audit import all_checks
from assets.release.publication import Publication, Waivers, publish_work
from assets.release.settings import ReleaseSettings
from assets.release.store import read_pin

LAYER = "release"
ASSET = "release"


def build_release(views: Sequence[View]) -> dg.AssetsDefinition:
    """Return the release asset with every check of the audit."""

    @dg.asset(
        name=ASSET,
        group_name=LAYER,
        deps=[*TABLES, *(view.name for view in views)],
        check_specs=check_specs(all_checks(Path(), views), (ASSET,)),
        kinds={"duckdb", "parquet"},
        description="One immutable, checked set of Parquet and DuckDB, published by one atomic swap of `current`.",
    )
    def release(
        refresh: dg.ResourceParam[Refresh],
        release_settings: dg.ResourceParam[ReleaseSettings],
        waivers: dg.ResourceParam[Waivers],
    ) -> Iterator[dg.MaterializeResult | dg.AssetCheckResult]:
        refresh.reporter.begin("Staging, auditing and publishing the release")
        try:
            publication = publish_work(refresh.folder, views, release_settings, waivers, refresh.clock())
        except AuditError as error:
            for check, verdict in error.judged:
                refresh.judge(check, verdict)
                yield check_result(check, verdict, ASSET)
            raise
        refresh.conclude(publication.outcome, publication.manifest.release_id)
        yield _materialized(publication, refresh)
        for check, verdict in publication.judged:
            refresh.judge(check, verdict)
            yield check_result(check, verdict, ASSET)

    return release


def _materialized(publication: Publication, refresh: Refresh) -> dg.MaterializeResult:
    manifest, folder = publication.manifest, refresh.folder
    pin = read_pin(folder)
    return dg.MaterializeResult(
        asset_key=ASSET,
        data_version=dg.DataVersion(manifest.release_id),
        metadata={
            "outcome": publication.outcome,
            "release_id": manifest.release_id,
            "pinned": f"readers are held at {pin.release} until --unpin" if pin else "no",
            "database": dg.MetadataValue.path(folder.current / DATABASE),
            "checks_passed": sum(check.passed for check in manifest.checks.values()),
            "checks": len(manifest.checks),
            "retired_releases": len(publication.retired),
            **{name: dg.MetadataValue.int(rows) for name, rows in manifest.counts.items()},
        },
    )
