"""What folding builds on and what it makes: the release before, and the tables of the new one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from assets.folded.settings import Decision

ASSIGNMENT = ["occurrence_id", "paper_id", "match_kind", "similarity", "version"]
"""What folding adds to an occurrence."""


@dataclass(frozen=True)
class Base:
    """The release that this one builds on.

    Attributes:
        release_id: Its id.
        table: Gives one of its tables by name.
        index: Its folder `index/`; it may be missing.
    """

    release_id: str
    table: Callable[[str], pl.LazyFrame]
    index: Path | None = None


@dataclass(frozen=True)
class Folded:
    """What folding made; every table conforms to the contract.

    Attributes:
        assignments: occurrence_id, paper_id, match_kind, similarity, version; in no order.
        papers: Sorted by paper_id.
        folds: Sorted by occurrence_id.
        conflicts: Sorted by occurrence_id_a, occurrence_id_b.
        paper_aliases: Sorted by retired_paper_id.
        decisions: In the order of the settings.
        unresolved: Decisions that name an id which nothing of this build answers to.
    """

    assignments: pl.DataFrame
    papers: pl.LazyFrame
    folds: pl.DataFrame
    conflicts: pl.DataFrame
    paper_aliases: pl.DataFrame
    decisions: pl.DataFrame
    unresolved: tuple[Decision, ...] = ()
