"""The parsed assets: documents, the occurrences read now, and rejects."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import dagster as dg
import polars as pl

from assets.contract.arrow import empty
from assets.contract.asset import build_checks, failing_clearly, materialized, table_spec
from assets.contract.check import Check, Tables
from assets.contract.folder import DataFolder
from assets.contract.parquet import write_batches, write_table
from assets.contract.plot import plot_bars, plot_named
from assets.contract.refresh import Refresh
from assets.contract.schema import schema_checks
from assets.contract.work import layer_staging, read_note, scan_work
from assets.parsed.checks import CHECKS as READING_CHECKS
from assets.parsed.checks import slices
from assets.parsed.incremental import order_documents, order_rejects, unchanged_documents
from assets.parsed.options import ReadingSettings, SourceOptions
from assets.parsed.reading import read_documents, read_key
from assets.raw.contents import load_content

LAYER = "parsed"
TABLES = ("documents", "parsed_occurrences", "rejects")
CARRIED = "carried"
"""Ids of the documents whose rows are taken from the base release."""


@dg.multi_asset(
    name="read_documents",
    specs=[table_spec(table, LAYER, deps=["files"]) for table in TABLES],
)
@failing_clearly
def documents(
    refresh: dg.ResourceParam[Refresh],
    base_release: dg.ResourceParam[str],
    source_options: dg.ResourceParam[Mapping[str, SourceOptions]],
    reading: dg.ResourceParam[ReadingSettings],
    full: dg.ResourceParam[bool],
) -> Iterator[dg.MaterializeResult]:
    """Read the documents that are new or are to be read differently; carry the others over from the base release."""
    folder = refresh.folder
    base = folder.release(base_release) if base_release and not full else None
    files = scan_work(folder, "raw", "files").collect()
    keys = {source: read_key(_options(source_options, source), reading) for source in files["source"].unique()}
    base_documents = pl.scan_parquet(base / "documents.parquet") if base else None
    carried = unchanged_documents(files, base_documents, keys)
    to_read = files.join(carried, on="document_id", how="anti", maintain_order="left")
    refresh.reporter.begin("Reading documents", to_read.height)
    with layer_staging(folder, LAYER, read_note(folder, "raw").token, base_release or None) as staging:
        parts: dict[str, list[pl.DataFrame]] = {"documents": [], "rejects": []}

        def occurrences() -> Iterator[pl.DataFrame]:
            options = {source: _options(source_options, source) for source in keys}
            for batch in read_documents(
                to_read,
                partial(load_content, folder),
                options,
                reading,
                progress=refresh.reporter.advance,
                scratch=staging,
            ):
                parts["documents"].append(batch.documents)
                parts["rejects"].append(batch.rejects)
                yield batch.occurrences

        write_batches(occurrences(), "parsed_occurrences", staging / "parsed_occurrences.parquet")
        all_documents = order_documents(pl.concat([carried, *parts["documents"]]))
        write_table(all_documents, "documents", staging / "documents.parquet")
        rejects = order_rejects(pl.concat([_carried_rejects(base, carried), *parts["rejects"]]), all_documents)
        write_table(rejects, "rejects", staging / "rejects.parquet")
        carried.select("document_id").write_parquet(staging / f"{CARRIED}.parquet")
    figures = {"documents_read": to_read.height, "documents_carried_over": carried.height}
    plots = plots_of(folder)
    for table in TABLES:
        yield materialized(folder, LAYER, table, **figures, **plots.get(table, {}))


def plots_of(folder: DataFolder) -> dict[str, dict[str, dg.MarkdownMetadataValue]]:
    """Return table -> name -> plot of what was read."""
    documents = scan_work(folder, LAYER, "documents").sort("source", "file_name")
    counts = documents.select("occurrences", "rejects").collect()
    reasons = (
        scan_work(folder, LAYER, "rejects").group_by("reason").len().sort("len", "reason", descending=[True, False])
    ).collect()
    most = max(counts["occurrences"].to_list(), default=0)
    read = plot_bars(
        f"Occurrences in each of {counts.height:,} documents, in the order of source and file name; "
        f"the most in one: {most:,}.",
        counts["occurrences"].to_list(),
    )
    left_out = plot_named(f"{int(counts['rejects'].sum()):,} rejects by reason", list(reasons.iter_rows()))
    return {
        "documents": {"occurrences_by_document": dg.MetadataValue.md(read)},
        "rejects": {"rejects_by_reason": dg.MetadataValue.md(left_out)},
    }


def _options(source_options: Mapping[str, SourceOptions], source: str) -> SourceOptions:
    return source_options.get(source, SourceOptions())


def _carried_rejects(base: Path | None, carried: pl.DataFrame) -> pl.DataFrame:
    if base is None:
        return empty("rejects")
    return pl.scan_parquet(base / "rejects.parquet").join(carried.lazy(), on="document_id", how="semi").collect()


def read_now(folder: DataFolder) -> dict[str, pl.LazyFrame]:
    """Return the parsed tables, those rows left out that are carried over from the base release."""
    tables = {table: scan_work(folder, LAYER, table) for table in TABLES}
    carried = scan_work(folder, LAYER, CARRIED)
    return {
        table: frame.join(carried, on="document_id", how="anti", maintain_order="left")
        for table, frame in tables.items()
    }


def checks_of(folder: DataFolder) -> list[Check]:
    """Return the checks of this layer; the last one compares with the contents that the folder stores."""
    slices_check = Check(
        "slices",
        "Each raw text is the slice of the stored content that its span names, asked of 64 MB of documents.",
        ("parsed_occurrences", "documents", "rejects"),
        lambda tables: slices(
            _some_documents(tables), "parsed_occurrences", lambda sha256: load_content(folder, sha256)
        ),
    )
    return [*schema_checks(TABLES), *READING_CHECKS, slices_check]


def _some_documents(tables: Tables) -> Tables:
    """Return the tables with the documents that begin in the first 64 MB by document_id, which is as good as drawn."""
    few = tables["documents"].sort("document_id").filter(pl.col("bytes").cum_sum() - pl.col("bytes") < 64_000_000)
    return {**tables, "documents": few}


checks = build_checks("check_parsed", TABLES, checks_of, lambda folder, _: read_now(folder))
"""What is carried over was judged when it was published, and is again in the audit; here, what was read now."""
