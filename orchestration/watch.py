"""Sensors that watch runs: one ends those whose process is gone, one tells of failures that no process told of.

A run tells of its own end (see `resources` and `refresh`). What is left are runs that never got so far: killed ones,
ones that waited too long for the folder, ones whose settings are wrong.
"""

import dagster as dg

from assets.contract.errors import PaperfoldError
from orchestration.alert import ALERTED_TAG, Alert, tell_once
from orchestration.failure import explain_failure, failures_of, was_stopped
from orchestration.process import PROCESS_TAG, is_dead
from orchestration.settings import AlertSettings, load_settings

KILLED = "The process of this run ended before the run did: it was killed, or the machine was."
_EVERY_SECONDS = 30
_UNDER_WAY = (dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING)


@dg.sensor(
    name="ended_processes",
    minimum_interval_seconds=_EVERY_SECONDS,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Records runs whose process is gone as failed; the queue would wait for them for ever.",
)
def ended_processes(context: dg.SensorEvaluationContext) -> dg.SkipReason:
    """End what is recorded as under way and is not."""
    ended = end_killed_runs(context.instance)
    return dg.SkipReason(
        f"Recorded as failed: {', '.join(ended)}." if ended else "Every run under way has its process."
    )


def end_killed_runs(instance: dg.DagsterInstance) -> list[str]:
    """Record each run whose process is gone as failed; return their ids."""
    ended = []
    for run in instance.get_runs(filters=dg.RunsFilter(statuses=list(_UNDER_WAY))):
        mark = run.tags.get(PROCESS_TAG)
        if mark is None or not is_dead(mark):
            continue
        # The process may have noted its end between the question and this moment.
        now = instance.get_run_by_id(run.run_id)
        if now is not None and now.status in _UNDER_WAY:
            instance.report_run_failed(now, KILLED)
            ended.append(run.run_id)
    return ended


@dg.run_failure_sensor(
    name="failed_runs",
    minimum_interval_seconds=_EVERY_SECONDS,
    default_status=dg.DefaultSensorStatus.RUNNING,
    # Builds from the command line belong to no code location.
    monitor_all_code_locations=True,
    description="Tells a person of each failed run that did not do so itself.",
)
def failed_runs(context: dg.RunFailureSensorContext) -> dg.SkipReason:
    """Tell of a failed run, once."""
    run = context.dagster_run
    if ALERTED_TAG in run.tags:
        return dg.SkipReason(f"Run {run.run_id} was told of.")
    try:
        settings = load_settings()
        alerts, data = settings.alert, str(settings.data)
    except PaperfoldError:
        # The run failed for the same reason, most likely; the log is told at least.
        alerts, data = AlertSettings(), "unknown"
    alert = alert_of(context.instance, run.run_id, data)
    if alert is None:
        return dg.SkipReason(f"Run {run.run_id} was stopped by a person.")
    tell_once(context.instance, alert, alerts, context.log.error)
    return dg.SkipReason(f"Told of run {run.run_id}.")


def alert_of(instance: dg.DagsterInstance, run_id: str, data: str) -> Alert | None:
    """Return what is to be told of a failed run, read from its events; None when a person stopped it."""
    events = [entry.dagster_event for entry in instance.all_logs(run_id) if entry.dagster_event]
    failures = failures_of(events)
    if was_stopped(failures):
        return None
    if failures:
        return Alert(run_id, data, explain_failure(failures, run_id, ()))
    told = [event.message for event in events if event.event_type == dg.DagsterEventType.RUN_FAILURE]
    return Alert(run_id, data, told[-1] if told and told[-1] else KILLED)
