"""What a check reports: one verdict per rule, with figures and the rows that break it.

A check is a pure function from tables to a verdict. The same function runs as a Dagster asset check after its layer
and again in the audit of the staged release, so the two can't disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import polars as pl

from assets.contract.vocabulary import Severity

Tables = Mapping[str, pl.LazyFrame]
"""Table name -> its rows. A check names the tables that it needs in its `Check`."""


SHOWN_ROWS = 20
"""How many failing rows a verdict carries; the figures count them all."""


@dataclass(frozen=True)
class Verdict:
    """The outcome of one check: whether the rule holds, its figures and some of the failing rows.

    Attributes:
        is_slight: Whether what breaks the rule is so little that it is told and holds nothing up.
    """

    passed: bool
    figures: Mapping[str, int | float | str] = field(default_factory=dict)
    failing: pl.DataFrame | None = None
    is_slight: bool = False

    def in_words(self) -> str:
        """Return the figures and the first failing row in words."""
        words = ", ".join(f"{name} {value}" for name, value in self.figures.items())
        if self.failing is not None and not self.failing.is_empty():
            words += f"; first: {self.failing.row(0, named=True)}"
        return words


@dataclass(frozen=True)
class Check:
    """A rule over tables: its name, what it promises, the tables it reads and the function that judges them."""

    name: str
    description: str
    tables: tuple[str, ...]
    judge: Callable[[Tables], Verdict]
    severity: Severity = "ERROR"

    def judged(self, tables: Tables) -> tuple[Check, Verdict]:
        """Return the verdict with this check, which only warns where what breaks it is slight."""
        verdict = self.judge(tables)
        return (replace(self, severity="WARN") if verdict.is_slight else self), verdict


def verdict_from_failing(failing: pl.LazyFrame | pl.DataFrame, **figures: int | float | str) -> Verdict:
    """Return a verdict that passes when no row is failing; the number of failing rows is among its figures."""
    rows = failing.lazy().collect()
    return Verdict(
        passed=rows.is_empty(), figures={"failing_rows": rows.height, **figures}, failing=rows.head(SHOWN_ROWS)
    )
