"""The source sensor: asks for a refresh when files of the sources changed and have settled, one at a time.

What changed and what to do about it is decided in `assets/raw/watching.py`; here is what Dagster has to do with it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import dagster as dg
import polars as pl

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from assets.contract.refresh import utc_now
from assets.raw.history import DamagedStateError, read_state
from assets.raw.sources import Source
from assets.raw.watching import Memory, find_changes, look
from orchestration.lock import is_busy, read_holder
from orchestration.resources import RunInputs, read_inputs
from orchestration.settings import SensorSettings

SENSOR = "source_sensor"
SENSOR_TAG = {"paperfold/started_by": SENSOR}
_UNFINISHED = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]


def build_sensor(
    job: Any,
    settings: SensorSettings,
    inputs: Callable[[], RunInputs] = read_inputs,
    clock: Callable[[], datetime] = utc_now,
) -> dg.SensorDefinition:
    """Return the sensor of a job.

    Args:
        job: the refresh job.
        settings: whether it is on from the start, how often it looks, when a file counts as settled.
        inputs: gives the data folder and its sources at each look.
        clock: gives the time.
    """

    @dg.sensor(
        name=SENSOR,
        job=job,
        minimum_interval_seconds=settings.interval_seconds,
        default_status=dg.DefaultSensorStatus.RUNNING if settings.enabled else dg.DefaultSensorStatus.STOPPED,
        description="Sees new, changed and removed files in the folders of the sources and asks for one refresh when "
        "they have settled. Addresses are fetched by the scheduled refresh.",
    )
    def source_sensor(context: dg.SensorEvaluationContext) -> dg.RunRequest | dg.SkipReason:
        try:
            given = inputs()
        except PaperfoldError as error:
            return dg.SkipReason(str(error))
        if holder := _occupied(context.instance, given.folder):
            return dg.SkipReason(holder)
        changes = find_changes(given.sources, _last_inventory(given.folder), given.folder.own)
        state = [_last_look_through(given.folder, source) for source in given.sources]
        seen = look(changes, Memory.load(context.cursor), state, clock(), settings.settle_seconds)
        context.update_cursor(seen.memory.dump())
        if seen.run_key is None:
            return dg.SkipReason(seen.says)
        context.log.info(seen.says)
        return dg.RunRequest(run_key=seen.run_key, tags=SENSOR_TAG)

    return source_sensor


def _occupied(instance: dg.DagsterInstance, folder: DataFolder) -> str | None:
    """Return who refreshes the folder or is about to, in words; runs of dead processes are ended by another sensor."""
    if is_busy(folder):
        return f"The data folder is being written by {read_holder(folder)}."
    unfinished = instance.get_runs(dg.RunsFilter(statuses=_UNFINISHED), limit=1)
    return f"Run {unfinished[0].run_id[:8]} is {unfinished[0].status.value.lower()}." if unfinished else None


def _last_inventory(folder: DataFolder) -> pl.DataFrame | None:
    path = folder.work("raw") / "files.parquet"
    try:
        return pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError):
        return None


def _last_look_through(folder: DataFolder, source: Source) -> str:
    """Return when a refresh last looked through a source, which tells inventories of equal content apart."""
    try:
        state = read_state(folder, source.label)
    except DamagedStateError:
        state = None
    return f"{source.label} {state.checked_at if state else 'never'}"
