"""The audit: every check of every layer, run on the files of a release, staged or published."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from assets.analytical.analyses import checks as analytical_checks
from assets.analytical.views import View
from assets.contract.base import base_tables, release_tables
from assets.contract.check import Check, Verdict
from assets.contract.folder import DATABASE
from assets.contract.schema import schema_checks
from assets.contract.tables import TABLES
from assets.contract.vocabulary import TABLE_LAYERS
from assets.folded.checks import checks as folding_checks
from assets.folded.record import read_settings
from assets.parsed.checks import checks_of as reading_checks
from assets.release.checks import CHECKS as RELEASE_CHECKS
from assets.release.database import check_views, compare_with_parquet
from assets.release.manifest import CheckOutcome
from assets.release.search import check_search_index


def audit(release: Path, base: Path | None, views: Sequence[View]) -> list[tuple[Check, Verdict]]:
    """Judge the files of a release against every rule; nothing is written."""
    tables = release_tables(release) | base_tables(base)
    return [check.judged(tables) for check in all_checks(release, views)]


def all_checks(release: Path, views: Sequence[View]) -> list[Check]:
    """Return every check of a release, in the order of the flow; folding is judged by the settings that it had."""
    return [
        *schema_checks(tuple(table for table, layer in TABLE_LAYERS.items() if layer != "analytical")),
        *reading_checks("occurrences"),
        *folding_checks(read_settings(release)),
        *analytical_checks(),
        *RELEASE_CHECKS,
        *_file_checks(release, views),
    ]


def recall(recorded: Mapping[str, CheckOutcome], checks: Sequence[Check]) -> list[tuple[Check, Verdict]]:
    """Return what a manifest says of the checks; empty when it does not know all of them."""
    if {check.name for check in checks} != set(recorded):
        return []
    return [
        (
            replace(check, severity=recorded[check.name].severity),
            Verdict(recorded[check.name].passed, recorded[check.name].figures),
        )
        for check in checks
    ]


def _file_checks(release: Path, views: Sequence[View]) -> list[Check]:
    parquet = {name: release / f"{name}.parquet" for name in TABLES}
    return [
        Check(
            "database_equals_parquet",
            "Each table of the database equals its Parquet file in columns, rows and content.",
            tuple(TABLES),
            lambda _: compare_with_parquet(release / DATABASE, parquet),
        ),
        Check(
            "views_keep_contract",
            "Each view returns without an error and has the columns that its header names.",
            tuple(TABLES),
            lambda _: check_views(release / DATABASE, views),
        ),
        Check(
            "search_index_agrees",
            "The search index has every paper at its place, every posting under its word, and of a sample of papers "
            "exactly the words that they hold.",
            ("papers",),
            lambda _: check_search_index(release / DATABASE),
        ),
    ]


def outcomes(judged: Sequence[tuple[Check, Verdict]]) -> dict[str, CheckOutcome]:
    """Return what the manifest keeps of an audit."""
    return {
        check.name: CheckOutcome(passed=verdict.passed, severity=check.severity, figures=verdict.figures)
        for check, verdict in judged
    }


def failures(judged: Sequence[tuple[Check, Verdict]], waived: Container[str] = ()) -> list[str]:
    """Return in words each rule of severity ERROR that does not hold, those left out that a person waived."""
    return [
        f"{check.name}: {check.description} ({verdict.in_words()})"
        for check, verdict in judged
        if not verdict.passed and check.severity == "ERROR" and check.name not in waived
    ]
