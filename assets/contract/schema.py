"""The schema check of each table: names, types, nullability, keys and value rules of its dataframely schema."""

from __future__ import annotations

from functools import partial

import polars as pl

from assets.contract.arrow import polars_schema, schema_of
from assets.contract.check import SHOWN_ROWS, Check, Tables, Verdict


def schema_checks(tables: tuple[str, ...]) -> list[Check]:
    """Return a check for each table, named `<table>_schema`."""
    return [
        Check(
            f"{table}_schema",
            f"{table} has the columns, types, nullability, key and value rules of its contract.",
            (table,),
            partial(judge_schema, table=table),
        )
        for table in tables
    ]


def judge_schema(tables: Tables, table: str) -> Verdict:
    """Judge one table; the figures count the failing rows of each broken rule."""
    frame, wanted = tables[table], polars_schema(table)
    found = frame.collect_schema()
    if list(found.items()) != list(wanted.items()):
        differing = pl.DataFrame(
            [
                {"column": name, "contract": str(wanted.get(name)), "found": str(found.get(name))}
                for name in dict.fromkeys([*wanted, *found])
                if wanted.get(name) != found.get(name)
            ],
            schema={"column": str, "contract": str, "found": str},
        )
        return Verdict(False, {"differing_columns": differing.height}, differing)
    rows = frame.collect()
    _, failure = schema_of(table).filter(rows)
    invalid = failure.invalid()
    figures: dict[str, int | float | str] = {"rows": rows.height, "failing_rows": len(failure), **failure.counts()}
    return Verdict(len(failure) == 0, figures, invalid.head(SHOWN_ROWS))
