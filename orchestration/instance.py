"""The Dagster instance of a data folder: its own DAGSTER_HOME inside it, telemetry off, one run at a time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assets.contract.disk import write_text_atomically
from assets.contract.folder import DataFolder

if TYPE_CHECKING:
    import dagster as dg

BUILD_TAG = {"paperfold/started_by": "paperfold build"}
_DAGSTER_YAML = """\
# Written by Paperfold when it is missing; edit it as you like.
telemetry:
  enabled: false
nux:
  enabled: false
concurrency:
  runs:
    max_concurrent_runs: 1
# The steps print nothing, and capturing what they print starts two processes a step.
compute_logs:
  module: dagster._core.storage.noop_compute_log_manager
  class: NoOpComputeLogManager
"""


def dagster_home(folder: DataFolder) -> Path:
    """Return the data folder's DAGSTER_HOME as an absolute path, made and configured when it is not there."""
    home = folder.dagster_home.absolute()
    home.mkdir(parents=True, exist_ok=True)
    if not (home / "dagster.yaml").exists():
        write_text_atomically(home / "dagster.yaml", _DAGSTER_YAML)
    return home


def open_instance(folder: DataFolder) -> dg.DagsterInstance:
    """Return the Dagster instance of a data folder."""
    import dagster as dg  # costs most of a second, and only what runs assets needs it

    return dg.DagsterInstance.from_config(str(dagster_home(folder)))


def end_killed_runs(instance: dg.DagsterInstance) -> None:
    """Record builds that were killed as failed, or the queue of the UI would wait for them. For the lock's holder."""
    import dagster as dg

    unfinished = dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.STARTING], tags=BUILD_TAG)
    for run in instance.get_runs(filters=unfinished):
        instance.report_run_failed(run, "The process of this build was killed.")
