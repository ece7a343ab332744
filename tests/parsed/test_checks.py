"""Every rule of reading fires when it is broken."""

from collections.abc import Callable

import polars as pl
import pytest

from assets.contract.arrow import conform
from assets.contract.ids import make_id
from assets.contract.schema import schema_checks
from assets.parsed.checks import CHECKS, checks_of, slices

RULES = (*CHECKS, *schema_checks(("documents", "parsed_occurrences", "rejects")))

LIST = """ToyConf 2026 Papers

Show more

Ferries that wait for late trains lose less time than those that do not. We watch nine ferries for a year and count.

Moss on roofs keeps attics cool in summer. We measure forty attics with and without moss and find two degrees.
"""


@pytest.fixture
def tables(read):
    return dict(read(LIST).tables)


def change(table: str, **columns: pl.Expr) -> Callable[[dict[str, pl.LazyFrame]], None]:
    def apply(tables: dict[str, pl.LazyFrame]) -> None:
        tables[table] = tables[table].with_columns(**columns)

    return apply


def drop_first(table: str) -> Callable[[dict[str, pl.LazyFrame]], None]:
    def apply(tables: dict[str, pl.LazyFrame]) -> None:
        tables[table] = tables[table].slice(1)

    return apply


def repeat(table: str) -> Callable[[dict[str, pl.LazyFrame]], None]:
    def apply(tables: dict[str, pl.LazyFrame]) -> None:
        tables[table] = pl.concat([tables[table], tables[table]])

    return apply


FAULTS = {
    "a record is lost": ("conservation", drop_first("parsed_occurrences")),
    "a reject is lost": ("conservation", drop_first("rejects")),
    "the heading is lost": ("conservation", change("documents", heading_start=pl.lit(None, dtype=pl.Int64))),
    "records overlap": ("conservation", change("parsed_occurrences", char_start=pl.col("char_start") - 20)),
    "a raw text is cut": ("raw_texts", change("parsed_occurrences", raw_text=pl.col("raw_text").str.head(9))),
    "a reject's text is cut": ("raw_texts", change("rejects", raw_text=pl.col("raw_text").str.head(2))),
    "positions are swapped": ("raw_texts", change("parsed_occurrences", position=3 - pl.col("position"))),
    "a reject lies in no occurrence": ("inner_rejects", change("rejects", occurrence_id=pl.lit("occ_none"))),
    "an occurrence comes twice": ("reading_keys", repeat("parsed_occurrences")),
    "a document comes twice": ("reading_keys", repeat("documents")),
    "a document is missing": ("reading_keys", drop_first("documents")),
    "a count is wrong": ("reading_counts", change("documents", occurrences=pl.col("occurrences") + 1)),
    "an undecoded file has records": ("reading_counts", change("documents", encoding=pl.lit(None, dtype=pl.String))),
    "a reason is unknown": ("rejects_schema", change("rejects", reason=pl.lit("boredom"))),
    "a year is absurd": ("documents_schema", change("documents", year=pl.lit(12, dtype=pl.Int64))),
    "a text is empty": ("parsed_occurrences_schema", change("parsed_occurrences", text=pl.lit(""))),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_rule_fires(tables, fault: str) -> None:
    rule, breaks = FAULTS[fault]
    breaks(tables)
    fired = {check.name for check in RULES if not check.judge(tables).passed}
    assert rule in fired, fault


def test_every_rule_has_a_fault_that_makes_it_fire() -> None:
    assert {rule for rule, _ in FAULTS.values()} == {check.name for check in RULES}


def test_a_sound_reading_passes_every_rule(tables) -> None:
    assert [check.name for check in RULES if not check.judge(tables).passed] == []


def test_the_same_rules_run_on_the_published_table(tables) -> None:
    columns = {
        "paper_id": pl.lit(make_id("pap", "one")),
        "match_kind": pl.lit("first"),
        "similarity": pl.lit(None, dtype=pl.Float64),
        "version": pl.lit(1, dtype=pl.Int64),
    }
    tables["occurrences"] = conform(tables.pop("parsed_occurrences").with_columns(**columns), "occurrences")
    rules = checks_of("occurrences")
    assert [check.name for check in rules if not check.judge(tables).passed] == []
    tables["occurrences"] = tables["occurrences"].slice(1)
    assert not all(check.judge(tables).passed for check in rules)


def test_slices_are_compared_with_the_stored_bytes(read) -> None:
    got = read(LIST)
    assert slices(got.tables, "parsed_occurrences", got.contents.__getitem__).passed
    other = dict.fromkeys(got.contents, LIST.replace("nine", "ten").encode())
    assert not slices(got.tables, "parsed_occurrences", other.__getitem__).passed
    assert not slices(got.tables, "parsed_occurrences", {}.__getitem__).passed
