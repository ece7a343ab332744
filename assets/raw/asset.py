"""The raw assets: what became of each source, and the inventory of the files that the sources have."""

from collections.abc import Iterator, Sequence

import dagster as dg
import polars as pl

from assets.contract.asset import build_checks, failing_clearly, materialized, table_spec
from assets.contract.parquet import write_table
from assets.contract.refresh import Refresh
from assets.contract.schema import schema_checks
from assets.contract.work import layer_staging, scan_work
from assets.raw.checks import FETCHED
from assets.raw.fetching import Fetcher
from assets.raw.intake import take_in
from assets.raw.settings import FetchSettings, IntakeSettings
from assets.raw.sources import Source

LAYER = "raw"
TABLES = ("sources", "files")
CHECKS = [*schema_checks(TABLES), FETCHED]


@dg.multi_asset(name="take_inventory", specs=[table_spec(table, LAYER) for table in TABLES])
@failing_clearly
def files(
    refresh: dg.ResourceParam[Refresh],
    base_release: dg.ResourceParam[str],
    sources: dg.ResourceParam[Sequence[Source]],
    intake: dg.ResourceParam[IntakeSettings],
    fetch: dg.ResourceParam[FetchSettings],
) -> Iterator[dg.MaterializeResult]:
    """Fetch and list every source, hash its files, and store each content that is new."""
    folder = refresh.folder
    base = folder.release(base_release) if base_release else None
    fetcher = Fetcher(fetch, refresh.clock)
    taken = take_in(sources, folder, base, intake, fetcher, refresh.clock(), refresh.reporter)
    refresh.sources = taken.sources.to_dicts()
    with layer_staging(folder, LAYER) as staging:
        write_table(taken.sources, "sources", staging / "sources.parquet")
        write_table(taken.files, "files", staging / "files.parquet")
    yield materialized(folder, LAYER, "sources", failed=taken.sources.filter(outcome="failed").height)
    yield materialized(
        folder,
        LAYER,
        "files",
        bytes=int(taken.files["bytes"].sum()),
        problems=taken.files.filter(pl.col("problem").is_not_null()).height,
    )


checks = build_checks(
    "check_raw",
    TABLES,
    lambda _: CHECKS,
    lambda folder, _: {table: scan_work(folder, LAYER, table) for table in TABLES},
)
