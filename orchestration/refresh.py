"""One refresh in this process: the `refresh` job, recorded in the data folder's DAGSTER_HOME."""

from __future__ import annotations

import uuid

import dagster as dg

from assets.contract.errors import PaperfoldError
from assets.contract.refresh import Refresh, Reporter, Silent
from orchestration.definitions import REFRESH, build_defs
from orchestration.instance import BUILD_TAG, end_killed_runs, open_instance
from orchestration.resources import RunInputs, build_resources

_QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


def run_refresh(inputs: RunInputs, reporter: Reporter | None = None) -> Refresh:
    """Run the refresh job and return what it came to. The caller holds the writer's lock.

    Raises:
        PaperfoldError: when the input or a check stands against a release, or a step failed; the message says why.
    """
    run_id = str(uuid.uuid4())
    refresh = Refresh(inputs.folder, run_id, reporter or Silent())
    defs = build_defs(build_resources(lambda: inputs, refresh), inputs.settings.schedule)
    error = None
    try:
        with open_instance(inputs.folder) as instance:
            end_killed_runs(instance)
            result = defs.resolve_job_def(REFRESH).execute_in_process(
                run_config=_QUIET, instance=instance, raise_on_error=False, run_id=run_id, tags=BUILD_TAG
            )
        if not result.success:
            error = _explain(result, refresh)
            refresh.fail(str(error))
    finally:
        refresh.write_last()
    if error:
        raise error
    return refresh


def _explain(result: dg.ExecuteInProcessResult, refresh: Refresh) -> PaperfoldError:
    """Return what a person needs to know of a failed run: our own message where there is one, else where to look."""
    own = _own_errors()
    for event in result.all_events:
        if event.is_step_failure and (error := event.step_failure_data.error):
            while error.cause and error.cls_name not in own:
                error = error.cause
            words = error.message.strip().split(": ", 1)[-1]
            if error.cls_name == "DagsterExecutionInterruptedError":
                raise KeyboardInterrupt
            if error.cls_name == "DagsterAssetCheckFailedError":
                continue
            if error.cls_name in own:
                return PaperfoldError(words)
            return PaperfoldError(
                f"The step {event.step_key!r} failed: {error.cls_name}: {words.splitlines()[0] if words else ''}\n"
                f"The current release stays as it was. Run {refresh.run_id} in the Dagster UI has the details."
            )
    blocking = [row for row in refresh.failed_checks if row["severity"] == "ERROR"]
    lines = "\n".join(f"  {row['check']}: {row['says']}" for row in blocking)
    return PaperfoldError(f"Nothing was published: {len(blocking)} check(s) failed.\n{lines}")


def _own_errors() -> set[str]:
    """Return the names of the errors whose text is written for people."""
    pending, names = [PaperfoldError], set()
    while pending:
        kind = pending.pop()
        names.add(kind.__name__)
        pending += kind.__subclasses__()
    return names
