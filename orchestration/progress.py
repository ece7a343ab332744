"""Progress on a terminal; nothing at all where the output is no terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from assets.contract.refresh import Reporter, Silent


class TerminalReporter:
    """A reporter that shows each step as a line with a bar."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task: TaskID | None = None

    def begin(self, words: str, total: int | None = None) -> None:
        """End the step before and show the next one."""
        self.end()
        self._task = self._progress.add_task(words, total=total)

    def advance(self, units: int) -> None:
        """Move the bar on."""
        if self._task is not None:
            self._progress.advance(self._task, units)

    def end(self) -> None:
        """Show the step as done."""
        if self._task is not None:
            total = self._progress.tasks[self._task].total or 1
            self._progress.update(self._task, total=total, completed=total)


@contextmanager
def show_progress() -> Iterator[Reporter]:
    """Yield a reporter that writes to standard error when that is a terminal, else a silent one."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Silent()
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as progress:
        reporter = TerminalReporter(progress)
        yield reporter
        reporter.end()
