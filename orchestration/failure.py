"""Why a run failed, in words for a person: our own message where there is one, else where to look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import dagster as dg

from assets.contract.errors import PaperfoldError

_STOPPED = "DagsterExecutionInterruptedError"
_CHECK_FAILED = "DagsterAssetCheckFailedError"
_STAYS = "The current release stays as it was."


class ErrorInfo(Protocol):
    """An error as Dagster records it: its class, its message, what caused it."""

    @property
    def cls_name(self) -> str | None:
        """Name of its class."""

    @property
    def message(self) -> str:
        """Its text, the name of its class in front."""

    @property
    def cause(self) -> ErrorInfo | None:
        """What caused it."""


Failures = Sequence[tuple[str, ErrorInfo]]
"""The step and the error of each failure; no step where the run failed outside of any."""


def failures_of(events: Iterable[dg.DagsterEvent]) -> Failures:
    """Return the step and the error of each failed step; of a run that failed before any step, its own error."""
    listed = list(events)
    steps: Failures = [
        (event.step_key or "", event.step_failure_data.error)
        for event in listed
        if event.is_step_failure and event.step_failure_data.error
    ]
    if steps:
        return steps
    runs = [
        event.job_failure_data.error
        for event in listed
        if event.event_type == dg.DagsterEventType.RUN_FAILURE
        # A run that its process did not end itself has no data.
        and event.job_failure_data
        and event.job_failure_data.error
    ]
    return [("", error) for error in runs]


def was_stopped(failures: Failures) -> bool:
    """Return whether a person stopped the run."""
    return any(found.cls_name == _STOPPED for _, error in failures for found in _chain(error))


def explain_failure(failures: Failures, run_id: str, failed_checks: Sequence[Mapping[str, str]]) -> str:
    """Return why a run failed: the first error that is no failed check, else the checks that block."""
    own = _own_errors()
    for step, error in failures:
        chain = list(_chain(error))
        if any(found.cls_name == _CHECK_FAILED for found in chain):
            continue
        told = next((found for found in chain if found.cls_name in own), chain[-1])
        words = told.message.strip().split(": ", 1)[-1].strip()
        if told.cls_name in own:
            return words
        where = f"The step {step!r}" if step else "The run"
        first = words.splitlines()[0] if words else ""
        return f"{where} failed: {told.cls_name}: {first}\n{_STAYS} Run {run_id} in the Dagster UI has the details."
    blocking = [row for row in failed_checks if row["severity"] == "ERROR"]
    lines = "\n".join(f"  {row['check']}: {row['says']}" for row in blocking)
    if not blocking:
        return f"The run ended without a reason of its own. {_STAYS} Run {run_id} in the Dagster UI has the details."
    return f"Nothing was published: {len(blocking)} check(s) failed.\n{lines}"


def _chain(error: ErrorInfo | None) -> Iterator[ErrorInfo]:
    """Yield an error and what caused it."""
    while error:
        yield error
        error = error.cause


def _own_errors() -> set[str]:
    """Return the names of the errors whose text is written for people."""
    pending, names = [PaperfoldError], set()
    while pending:
        kind = pending.pop()
        names.add(kind.__name__)
        pending += kind.__subclasses__()
    return names
