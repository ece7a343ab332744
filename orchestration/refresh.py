"""One refresh in this process: the `refresh` job, recorded in the data folder's DAGSTER_HOME."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from datetime import datetime

import dagster as dg

from assets.contract.errors import PaperfoldError
from assets.contract.refresh import Refresh, Reporter, Silent, utc_now
from orchestration.alert import Alert, tell_once
from orchestration.definitions import REFRESH, build_defs
from orchestration.failure import explain_failure, failures_of, was_stopped
from orchestration.instance import open_instance
from orchestration.process import PROCESS_TAG, this_process
from orchestration.resources import RunInputs, build_resources
from orchestration.scrub import scrub
from orchestration.watch import alert_of, end_killed_runs

BUILD_TAG = {"paperfold/started_by": "paperfold build"}
LOG = logging.getLogger("paperfold")
_QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


def run_refresh(
    inputs: RunInputs, reporter: Reporter | None = None, clock: Callable[[], datetime] = utc_now
) -> Refresh:
    """Run the refresh job and return what it came to. The caller holds the writer's lock; `clock` dates the release.

    Raises:
        PaperfoldError: when the input or a check stands against a release, or a step failed; the message says why.
    """
    run_id = str(uuid.uuid4())
    refresh = Refresh(inputs.folder, run_id, reporter or Silent(), clock)
    settings = inputs.settings
    defs = build_defs(build_resources(lambda: inputs, refresh), settings.schedule, settings.freshness)
    try:
        with open_instance(inputs.folder, settings.dagster.storage) as instance:
            _tell_of_killed_runs(instance, inputs)
            result = _execute(defs, instance, run_id)
            failures = failures_of(result.all_events)
            if was_stopped(failures):
                raise KeyboardInterrupt
            reason = None if result.success else explain_failure(failures, run_id, refresh.failed_checks)
            if reason is not None:
                refresh.fail(reason)
            refresh.write_last()
            alert = Alert(run_id, str(inputs.folder.root), reason, refresh.release_id, refresh.news)
            # The command line prints the reason of a failure itself.
            tell_once(instance, alert, settings.alert, LOG.info if reason else LOG.warning)
    except BaseException:
        refresh.write_last()
        raise
    if reason is not None:
        raise PaperfoldError(reason)
    return refresh


def _execute(defs: dg.Definitions, instance: dg.DagsterInstance, run_id: str) -> dg.ExecuteInProcessResult:
    """Execute the job; an error of a step is in its result, what is raised comes from Dagster's own records.

    Raises:
        PaperfoldError: when the run could not be recorded.
    """
    try:
        return defs.resolve_job_def(REFRESH).execute_in_process(
            run_config=_QUIET,
            instance=instance,
            raise_on_error=False,
            run_id=run_id,
            tags={**BUILD_TAG, PROCESS_TAG: this_process()},
        )
    except Exception as error:
        words = scrub(str(error).splitlines()[0] if str(error) else type(error).__name__)
        raise PaperfoldError(
            f"The run could not be recorded: {words}. Dagster's records were removed or can't be written; readers have "
            "a whole release. Build again: records that are gone are made anew, and no data depends on them."
        ) from error


def _tell_of_killed_runs(instance: dg.DagsterInstance, inputs: RunInputs) -> None:
    """Record runs that were killed as failed, or the queue of the UI would wait for them; tell of each."""
    for run_id in end_killed_runs(instance):
        alert = alert_of(instance, run_id, str(inputs.folder.root))
        if alert:
            tell_once(instance, alert, inputs.settings.alert, LOG.warning)
