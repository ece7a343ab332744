"""Each check of the facts holds on what was read, and fires when its promise is broken."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest

from assets.analytical.facts.checks import CHECKS
from assets.analytical.facts.table import read_table
from tests.analytical.facts.tables import papers

Frames = dict[str, pl.DataFrame]

TEXT = (
    "We propose gravel sorting networks (GSN), which beat Deep Q-Networks (DQNs) and BERT on CIFAR-10. "
    "It is 6× faster. We prove a bound [Moor et al., 2025]: https://example.org/hills."
)


@pytest.fixture
def tables() -> Frames:
    table = papers(hills=TEXT, more="We introduce FoxTarn, a sorter of 14 hills.")
    return {"papers": table, "facts": pl.concat(read_table(table))}


def failing(tables: Frames) -> set[str]:
    lazy = {name: frame.lazy() for name, frame in tables.items()}
    return {check.name for check in CHECKS if not check.judge({name: lazy[name] for name in check.tables}).passed}


def test_all_hold_on_what_was_read(tables: Frames) -> None:
    assert tables["facts"]["kind"].n_unique() == 8
    assert failing(tables) == set()


def _of(kind: str, **columns: pl.Expr) -> Callable[[Frames], None]:
    def breaks(tables: Frames) -> None:
        here = pl.col.kind == kind
        tables["facts"] = tables["facts"].with_columns(
            **{name: pl.when(here).then(value).otherwise(pl.col(name)) for name, value in columns.items()}
        )

    return breaks


def _drop_papers(tables: Frames) -> None:
    tables["papers"] = tables["papers"].clear()


def _claim_twice(tables: Frames) -> None:
    claim = tables["facts"].filter(pl.col.kind == "claim").head(1)
    shorter = claim.with_columns(char_end=pl.col.char_end - 1, value=pl.col.value.str.head(-1))
    tables["facts"] = pl.concat([tables["facts"], shorter])


BREAKS: dict[str, tuple[Callable[[Frames], None], str]] = {
    "another value": (_of("model", value=pl.lit("BART")), "facts_are_slices"),
    "span moved": (_of("claim", char_start=pl.col.char_start + 1), "facts_are_slices"),
    "span beyond the text": (_of("url", char_end=pl.col.char_end + 99), "facts_are_slices"),
    "span turned round": (_of("url", char_end=pl.col.char_start - 1), "facts_are_slices"),
    "papers gone": (_drop_papers, "facts_have_papers"),
    "a model that is also a data set": (_of("dataset", char_start=pl.lit(0), char_end=pl.lit(5)), "facts_are_slices"),
    "a citation where an address is": (
        _of("citation", char_start=pl.col.char_start + 25, char_end=pl.col.char_end + 25),
        "facts_do_not_collide",
    ),
    "a claim inside a claim": (_claim_twice, "facts_do_not_collide"),
}


@pytest.mark.parametrize(("breaks", "check"), BREAKS.values(), ids=BREAKS)
def test_a_broken_promise_fires(tables: Frames, breaks: Callable[[Frames], None], check: str) -> None:
    breaks(tables)
    assert check in failing(tables)


def test_two_kinds_on_the_same_name_collide(tables: Frames) -> None:
    model = tables["facts"].filter(pl.col.kind == "model").tail(1)
    tables["facts"] = pl.concat([tables["facts"], model.with_columns(kind=pl.lit("dataset"))])
    assert failing(tables) == {"facts_do_not_collide"}
