"""The raw asset: the inventory of the sources' files."""

from collections.abc import Sequence

import dagster as dg
import polars as pl

from assets.contract.asset import build_checks, failing_clearly, materialized, table_spec
from assets.contract.parquet import write_table
from assets.contract.refresh import Refresh
from assets.contract.schema import schema_checks
from assets.contract.work import layer_staging, scan_work
from assets.raw.inventory import take_inventory
from assets.raw.settings import IntakeSettings
from assets.raw.sources import Source, find_files

LAYER = "raw"
CHECKS = schema_checks(("files",))


@dg.multi_asset(name="take_inventory", specs=[table_spec("files", LAYER)])
@failing_clearly
def files(
    refresh: dg.ResourceParam[Refresh],
    sources: dg.ResourceParam[Sequence[Source]],
    intake: dg.ResourceParam[IntakeSettings],
) -> dg.MaterializeResult:
    """List and hash the files of every source, and store each content that is new."""
    folder = refresh.folder
    found = [file for source in sources for file in find_files(source, leave_out=folder.own)]
    refresh.reporter.begin("Taking inventory", len(found))
    inventory = take_inventory(found, folder, intake, lambda _: refresh.reporter.advance(1))
    with layer_staging(folder, LAYER) as staging:
        write_table(inventory, "files", staging / "files.parquet")
    return materialized(
        folder,
        LAYER,
        "files",
        bytes=int(inventory["bytes"].sum()),
        problems=inventory.filter(pl.col("problem").is_not_null()).height,
    )


checks = build_checks(
    "check_raw", ("files",), lambda _: CHECKS, lambda folder, _: {"files": scan_work(folder, LAYER, "files")}
)
