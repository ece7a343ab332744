"""The source sensor with a real Dagster instance: what it asks for, and when it keeps still."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from assets.contract.folder import DataFolder
from assets.release.store import current_release
from orchestration.definitions import REFRESH, build_defs
from orchestration.instance import open_instance
from orchestration.lock import writer_lock
from orchestration.process import PROCESS_TAG
from orchestration.resources import RunInputs, build_resources
from orchestration.sensor import SENSOR, SENSOR_TAG
from orchestration.settings import SensorSettings, Settings
from orchestration.sources import configured_sources, remember_paths
from orchestration.watch import end_killed_runs
from tests.building import TEXTS, ids_by_text, write_list


class Daemon:
    """What Dagster's daemon does with the sensor: evaluates it, keeps its cursor, launches a run for a new key."""

    def __init__(self, folder: DataFolder, instance: dg.DagsterInstance) -> None:
        def inputs() -> RunInputs:
            settings = Settings()
            return RunInputs(settings, folder, *configured_sources(settings, folder))

        self.folder, self.instance, self.cursor = folder, instance, None
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.defs = build_defs(build_resources(inputs), inputs=inputs, sensor=SensorSettings(settle_seconds=10))
        self.sensor = self.defs.resolve_sensor_def(SENSOR)

    def tick(self) -> str | None:
        """Evaluate the sensor once; return the key of the run that it asks for, unless it was run already."""
        context = dg.build_sensor_context(instance=self.instance, cursor=self.cursor)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = self.sensor.evaluate_tick(context)
        self.cursor = result.cursor
        self.says = result.skip_message
        assert len(result.run_requests) <= 1
        for request in result.run_requests:
            if not self.instance.get_runs(dg.RunsFilter(tags={"dagster/run_key": request.run_key})):
                assert request.tags.items() >= SENSOR_TAG.items()
                return request.run_key
        return None

    def launch(self, key: str) -> bool:
        tags = {**SENSOR_TAG, "dagster/run_key": key}
        job = self.defs.resolve_job_def(REFRESH)
        quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
        result = job.execute_in_process(run_config=quiet, instance=self.instance, raise_on_error=False, tags=tags)
        return result.success


@pytest.fixture
def lists(folder: DataFolder, tmp_path: Path) -> Path:
    path = tmp_path / "lists"
    write(path / "a.txt", "robot")
    remember_paths(folder, [path])
    return path


@pytest.fixture
def daemon(folder: DataFolder, lists: Path) -> Iterator[Daemon]:
    with open_instance(folder) as instance:
        yield Daemon(folder, instance)


def write(path: Path, *names: str, age: float = 3600) -> None:
    write_list(path, *names)
    os.utime(path, (time.time() - age, time.time() - age))


def test_changes_of_files_lead_to_one_refresh_each(daemon: Daemon, lists: Path) -> None:
    first = daemon.tick()
    assert first
    assert daemon.launch(first)
    assert daemon.tick() is None
    assert daemon.says == "No file changed since the last refresh."
    write(lists / "b.txt", "bread", "tide", age=1800)
    second = daemon.tick()
    assert second
    assert daemon.tick() is None, "it is asked for already"
    assert daemon.launch(second)
    assert len(ids_by_text(daemon.folder)) == 3
    write(lists / "b.txt", "bread", "tide", age=900)
    assert daemon.tick() is None
    assert daemon.says == "1 file(s) touched and not changed."


def test_a_return_to_earlier_content_is_refreshed(daemon: Daemon, lists: Path) -> None:
    for age, names in ((5000, ["robot"]), (4000, ["robot", "bread"]), (3000, ["robot"]), (2000, ["robot", "bread"])):
        write(lists / "a.txt", *names, age=age)
        key = daemon.tick()
        assert key, names
        assert daemon.launch(key)
        assert set(ids_by_text(daemon.folder)) == {TEXTS[name] for name in names}


def test_a_lost_cursor_and_a_lost_home_run_nothing_twice_for_long(
    daemon: Daemon, lists: Path, folder: DataFolder
) -> None:
    key = daemon.tick()
    assert key
    assert daemon.launch(key)
    release = current_release(folder)
    daemon.cursor = None
    assert daemon.tick() is None
    with dg.DagsterInstance.ephemeral() as other:
        daemon.instance = other
        assert daemon.tick() is None
    assert current_release(folder) == release


def test_a_run_that_failed_is_not_asked_for_again(daemon: Daemon, lists: Path) -> None:
    key = daemon.tick()
    assert key
    for path in lists.iterdir():
        path.write_bytes(b"")
        os.utime(path, (1, 1))
    assert not daemon.launch(key)
    assert [daemon.tick() for _ in range(3)] == [None] * 3


def test_a_run_that_failed_before_it_looked_is_not_asked_for_again(daemon: Daemon, folder: DataFolder) -> None:
    key = daemon.tick()
    assert key
    with writer_lock(folder, "a test"), pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAPERFOLD_QUEUE_SECONDS", "0")
        assert not daemon.launch(key)
    assert daemon.tick() is None
    daemon.cursor = None
    assert daemon.tick() is None, "the key is that of the failed run"


@pytest.mark.parametrize("status", [dg.DagsterRunStatus.NOT_STARTED, dg.DagsterRunStatus.STARTED])
def test_it_keeps_still_while_a_run_is_queued_or_under_way(daemon: Daemon, status: dg.DagsterRunStatus) -> None:
    run = daemon.instance.create_run_for_job(daemon.defs.resolve_job_def(REFRESH), status=status)
    assert daemon.tick() is None
    assert daemon.says == f"Run {run.run_id[:8]} is {status.value.lower()}."


def test_a_run_that_was_killed_holds_it_until_its_end_is_recorded(daemon: Daemon) -> None:
    job = daemon.defs.resolve_job_def(REFRESH)
    with subprocess.Popen(["true"]) as ended:
        ended.wait()
        tags = {PROCESS_TAG: f"{socket.gethostname()}:{ended.pid}:1"}
    daemon.instance.create_run_for_job(job, status=dg.DagsterRunStatus.STARTED, tags=tags)
    assert daemon.tick() is None
    assert end_killed_runs(daemon.instance)
    assert daemon.tick()


def test_it_keeps_still_while_the_folder_is_written(daemon: Daemon, folder: DataFolder) -> None:
    with writer_lock(folder, "a test"):
        assert daemon.tick() is None
    assert "is being written by process" in daemon.says
    assert daemon.tick()


def test_a_file_that_grows_is_waited_for(daemon: Daemon, lists: Path) -> None:
    write(lists / "b.txt", "bread", age=0)
    assert daemon.tick() is None
    assert daemon.says == "2 file(s) changed; waiting until lists/b.txt has settled."
    assert daemon.tick()


def test_a_folder_without_a_source_says_so(folder: DataFolder) -> None:
    with open_instance(folder) as instance:
        daemon = Daemon(folder, instance)
        assert daemon.tick() is None
        assert "has no source yet" in daemon.says


def test_it_is_on_from_the_start_unless_the_settings_say_no() -> None:
    for enabled, status in ((True, dg.DefaultSensorStatus.RUNNING), (False, dg.DefaultSensorStatus.STOPPED)):
        sensor = build_defs(sensor=SensorSettings(enabled=enabled, interval_seconds=7)).resolve_sensor_def(SENSOR)
        assert (sensor.default_status, sensor.minimum_interval_seconds) == (status, 7)
