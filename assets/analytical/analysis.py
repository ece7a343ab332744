"""An analysis: contract tables, and files beside them, that are made from the papers after folding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from assets.contract.check import Check


@dataclass(frozen=True)
class Given:
    """What an analysis works on.

    Attributes:
        tables: The tables of the layers before, as they are now.
        base: All tables of the release that the refresh builds on; None in a first or a full build.
        base_release: Folder of that release, for files beside its tables; None where `base` is.
        out: Folder for files that go into the release beside the tables.
    """

    tables: Mapping[str, pl.LazyFrame]
    base: Mapping[str, pl.LazyFrame] | None
    base_release: Path | None
    out: Path


@dataclass(frozen=True)
class Analysis:
    """What an analysis makes, how, and the rules that its tables keep.

    Attributes:
        name: What it is called.
        version: Changes when the same papers lead to other tables; part of every release id.
        tables: Names of the contract tables that it makes.
        run: Returns each of them; same input on the same base, same rows in the same order.
        checks: Rules that go beyond the schema; each judges tables of this layer and of those before.
    """

    name: str
    version: str
    tables: tuple[str, ...]
    run: Callable[[Given], Mapping[str, pl.DataFrame | pl.LazyFrame]]
    checks: Sequence[Check] = ()
