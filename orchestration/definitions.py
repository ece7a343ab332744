"""Definitions: one factory that wires assets, checks, resources, the refresh job, its schedule and sensors.

`build_defs` makes fresh definitions, so that tests and the command line swap any part; `definitions` is what Dagster
loads. Loading reads the SQL files and the settings, and opens nothing of the data folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import dagster as dg

import assets.folded.asset as folded
import assets.parsed.asset as parsed
import assets.raw.asset as raw
from assets.analytical import asset as analytical
from assets.analytical.views import load_views
from assets.release.asset import build_release
from orchestration.resources import RunInputs, build_resources, read_inputs
from orchestration.sensor import build_sensor
from orchestration.settings import FreshnessSettings, ScheduleSettings, SensorSettings, load_settings
from orchestration.watch import ended_processes, failed_runs

REFRESH = "refresh"


def build_defs(
    resources: Mapping[str, Any] | None = None,
    schedule: ScheduleSettings | None = None,
    freshness: FreshnessSettings | None = None,
    sensor: SensorSettings | None = None,
    inputs: Callable[[], RunInputs] = read_inputs,
) -> dg.Definitions:
    """Return fresh definitions.

    Args:
        resources: what runs are given; by default what the settings and the data folder say when a run starts.
        schedule: when the daily refresh starts.
        freshness: from which age on the release is late.
        sensor: how the folders of the sources are watched.
        inputs: gives the data folder and its sources to runs and to the sensor.
    """
    views = load_views()
    wanted = schedule or ScheduleSettings()
    job = dg.define_asset_job(
        REFRESH,
        selection=dg.AssetSelection.all(),
        description="Take inventory, read what is new, fold, and publish a release if it passes every check.",
    )
    daily = dg.ScheduleDefinition(
        name="daily_refresh",
        job=job,
        cron_schedule=wanted.cron,
        execution_timezone=wanted.time_zone,
        default_status=dg.DefaultScheduleStatus.RUNNING,
        description="Refreshes the release every day at the time that the settings say.",
    )
    return dg.Definitions(
        assets=[
            raw.files,
            parsed.documents,
            folded.papers,
            analytical.analyses,
            analytical.build_views(views),
            build_release(views, _late(freshness or FreshnessSettings())),
        ],
        asset_checks=[raw.checks, parsed.checks, folded.checks, analytical.checks],
        jobs=[job],
        schedules=[daily],
        sensors=[build_sensor(job, sensor or SensorSettings(), inputs), ended_processes, failed_runs],
        resources=dict(build_resources(inputs) if resources is None else resources),
        # A process of its own for each step costs seconds, and the run holds the writer's lock as one.
        executor=dg.in_process_executor,
    )


def _late(freshness: FreshnessSettings) -> dg.FreshnessPolicy:
    """Return from when on the release is late: every refresh that succeeds counts, one that found nothing new too."""
    return dg.FreshnessPolicy.time_window(
        fail_window=timedelta(hours=freshness.fail_hours), warn_window=timedelta(hours=freshness.warn_hours)
    )


@dg.definitions
def definitions() -> dg.Definitions:
    """Return the definitions of this code location."""
    settings = load_settings()
    return build_defs(schedule=settings.schedule, freshness=settings.freshness, sensor=settings.sensor)
