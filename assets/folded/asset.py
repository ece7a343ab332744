"""The folded assets: occurrences with their papers, papers, folds, conflicts and the ledger of ids."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import dagster as dg
import polars as pl

from assets.contract.asset import build_checks, failing_clearly, materialized, table_spec
from assets.contract.base import base_tables, conformed_tables
from assets.contract.check import Check
from assets.contract.folder import INDEX, DataFolder
from assets.contract.parquet import write_table
from assets.contract.plot import histogram, plot_bars
from assets.contract.refresh import Refresh, Reporter
from assets.contract.schema import schema_checks
from assets.contract.work import layer_staging, read_note, scan_work
from assets.folded.checks import checks as folding_checks
from assets.folded.folding import Base, fold
from assets.folded.record import read_settings, write_settings
from assets.folded.settings import Decision, FoldingSettings
from assets.parsed.incremental import merge_occurrences

LAYER = "folded"
TABLES = ("occurrences", "papers", "folds", "conflicts", "paper_aliases", "decisions")


@dg.multi_asset(
    name="fold_occurrences",
    specs=[table_spec(table, LAYER, deps=["documents", "parsed_occurrences"]) for table in TABLES],
)
@failing_clearly
def papers(
    refresh: dg.ResourceParam[Refresh],
    base_release: dg.ResourceParam[str],
    folding: dg.ResourceParam[FoldingSettings],
    decisions: dg.ResourceParam[Sequence[Decision]],
    full: dg.ResourceParam[bool],
) -> Iterator[dg.MaterializeResult]:
    """Fold the occurrences into papers, with evidence, conflicts and lasting ids."""
    folder = refresh.folder
    documents = scan_work(folder, "parsed", "documents")
    parsed = all_occurrences(folder, "" if full else base_release)
    base = _base(folder.release(base_release), full) if base_release else None
    with layer_staging(folder, LAYER, read_note(folder, "parsed").token, base_release or None) as staging:
        index = staging / INDEX
        index.mkdir()
        folded = fold(
            occurrences_to_fold(folder, "" if full else base_release),
            documents,
            base=base,
            settings=folding,
            decisions=decisions,
            index_out=index,
            progress=_told(refresh.reporter),
        )
        occurrences = parsed.join(folded.assignments.lazy(), on="occurrence_id", how="left", maintain_order="left")
        write_settings(folding, staging)
        write_table(occurrences, "occurrences", staging / "occurrences.parquet")
        for table in TABLES[1:]:
            write_table(getattr(folded, table), table, staging / f"{table}.parquet")
    plots = plots_of(folder)
    for table in TABLES:
        yield materialized(folder, LAYER, table, **plots.get(table, {}))


def plots_of(folder: DataFolder) -> dict[str, dict[str, dg.MarkdownMetadataValue]]:
    """Return table -> name -> plot of what became of the occurrences."""
    documents = scan_work(folder, "parsed", "documents").select("document_id", "source", "file_name")
    by_document = (
        scan_work(folder, LAYER, "occurrences")
        .group_by("document_id")
        .agg(pl.len().alias("occurrences"), (pl.col("match_kind") != "first").sum().alias("folds"))
    )
    counts = documents.join(by_document, on="document_id", how="left").sort("source", "file_name").collect()
    occurrences, folds = counts["occurrences"].fill_null(0), counts["folds"].fill_null(0)
    folded = plot_bars(
        f"Occurrences in each of {counts.height:,} documents, in the order of source and file name; "
        f"darker: those folded into a paper that another began ({int(folds.sum()):,} of {int(occurrences.sum()):,}).",
        occurrences.to_list(),
        folds.to_list(),
    )
    words = scan_work(folder, LAYER, "papers").filter(pl.col("text").is_not_null()).group_by("words").len().collect()
    bins, width = histogram(words["words"].to_list(), words["len"].to_list())
    lengths = plot_bars(
        f"Papers by length of their text, from 0 words on, {width:,} words to a bar; all longer ones in the last bar.",
        bins,
    )
    shown = dg.MetadataValue.md(folded)
    return {
        "occurrences": {"folds_by_document": shown},
        "folds": {"folds_by_document": shown},
        "papers": {"length_distribution": dg.MetadataValue.md(lengths)},
    }


def _base(release: Path, full: bool) -> Base:
    """Return the release to build on; a full build uses its ids, and not its index."""
    return Base(release.name, conformed_tables(release).__getitem__, None if full else release / INDEX)


def _told(reporter: Reporter) -> Callable[[str, int, int], None]:
    """Return how the steps of folding are told to a reporter."""
    told: dict[str, int] = {}

    def tell(step: str, done: int, total: int) -> None:
        if step not in told:
            reporter.begin(f"Folding: {step}", total)
        reporter.advance(done - told.get(step, 0))
        told[step] = done

    return tell


def all_occurrences(folder: DataFolder, base_release: str) -> pl.LazyFrame:
    """Return the parsed occurrences of all documents, read now or carried over from the base release."""
    base = pl.scan_parquet(folder.release(base_release) / "occurrences.parquet") if base_release else None
    return merge_occurrences(
        scan_work(folder, "parsed", "documents"),
        scan_work(folder, "parsed", "parsed_occurrences"),
        base,
        scan_work(folder, "parsed", "carried"),
    )


def occurrences_to_fold(folder: DataFolder, base_release: str) -> pl.LazyFrame:
    """Return the rows of `all_occurrences` in no order, so that a filter reaches the files and spares reading them."""
    read = scan_work(folder, "parsed", "parsed_occurrences")
    if not base_release:
        return read
    carried = scan_work(folder, "parsed", "carried").select("document_id").collect().to_series()
    base = pl.scan_parquet(folder.release(base_release) / "occurrences.parquet")
    kept = base.filter(pl.col("document_id").is_in(carried.implode())).select(read.collect_schema().names())
    return pl.concat([kept, read])


def tables_to_judge(folder: DataFolder, base_release: str) -> dict[str, pl.LazyFrame]:
    """Return the tables that the checks of this layer read."""
    tables = {table: scan_work(folder, LAYER, table) for table in TABLES}
    tables |= {table: scan_work(folder, "parsed", table) for table in ("documents", "rejects")}
    return tables | base_tables(folder.release(base_release) if base_release else None)


def checks_of(folder: DataFolder) -> list[Check]:
    """Return the checks of this layer; folding is judged by the settings that it had."""
    return [*schema_checks(TABLES), *folding_checks(read_settings(folder.work(LAYER)))]


checks = build_checks("check_folded", TABLES, checks_of, tables_to_judge)
