"""A refresh under way: the data folder that it writes, whom it tells of progress, and what it came to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

from assets.contract.check import Check, Verdict
from assets.contract.disk import write_text_atomically
from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder

FOUND_CHARS = 600
"""How much is kept of what a failed check found: its failing rows hold text of any length."""


class Reporter(Protocol):
    """Whoever wants to know how far the work is."""

    def begin(self, words: str, total: int | None = None) -> None:
        """Be told that a step begins, and of how many units it has if that is known."""

    def advance(self, units: int) -> None:
        """Be told that some units of the step are done."""


class Silent:
    """A reporter that tells nobody."""

    def begin(self, words: str, total: int | None = None) -> None:
        """Do nothing."""

    def advance(self, units: int) -> None:
        """Do nothing."""


_LONGEST_ERROR = 2000


def utc_now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


@dataclass
class Refresh:
    """One refresh of a data folder, held by its one writer."""

    folder: DataFolder
    run_id: str
    reporter: Reporter = field(default_factory=Silent)
    clock: Callable[[], datetime] = utc_now
    outcome: str | None = None
    release_id: str | None = None
    failed_checks: list[dict[str, str]] = field(default_factory=list)
    news: list[dict[str, str]] = field(default_factory=list)
    """Of the failed checks those that were judged now, and not when an unchanged release was published."""
    sources: list[dict[str, Any]] = field(default_factory=list)
    """What became of each source: the rows of the table `sources`."""
    error: str | None = None

    def judge(self, check: Check, verdict: Verdict, is_news: bool = True) -> None:
        """Keep a check that did not pass, for `paperfold status` and, as news, for whoever is alerted."""
        if not verdict.passed:
            found = verdict.in_words()[:FOUND_CHARS]
            row = {"check": check.name, "severity": check.severity, "says": check.description, "found": found}
            self.failed_checks.append(row)
            if is_news:
                self.news.append(row)

    def fail(self, words: str) -> None:
        """Note in words why the refresh failed; the first reason is the one that counts."""
        self.error = self.error or words[:_LONGEST_ERROR]

    def conclude(self, outcome: str, release_id: str) -> None:
        """Note what the refresh came to."""
        self.outcome, self.release_id = outcome, release_id

    def write_last(self) -> None:
        """Write what the refresh came to where `paperfold status` finds it."""
        unique = {row["check"]: row for row in self.failed_checks}
        last = {
            "run_id": self.run_id,
            "ended_at": self.clock().isoformat(timespec="seconds"),
            "outcome": self.outcome or "failed",
            "release_id": self.release_id,
            "error": None if self.outcome else self.error,
            "failed_checks": list(unique.values()),
        }
        write_text_atomically(self.folder.last_refresh, json.dumps(last, indent=2) + "\n")


@contextmanager
def failure_told(folder: DataFolder, run_id: str | None = None) -> Iterator[None]:
    """Let `paperfold status` know of an error for people that ends a refresh before it begins, and pass it on.

    It is written where there is a data folder that can be written to.
    """
    try:
        yield
    except PaperfoldError as error:
        if folder.root.is_dir():
            refresh = Refresh(folder, run_id or "none")
            refresh.fail(str(error))
            with suppress(OSError):
                refresh.write_last()
        raise
