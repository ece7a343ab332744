"""Runs whose process is gone: they are known as such, recorded as failed, and a person is told."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from assets.contract.folder import DataFolder
from orchestration.alert import ALERTED_TAG
from orchestration.definitions import REFRESH, build_defs
from orchestration.instance import open_instance
from orchestration.process import PROCESS_TAG, is_dead, this_process
from orchestration.watch import KILLED, end_killed_runs, ended_processes, failed_runs
from tests.orchestration.receiver import receiving
from tests.orchestration.test_alerts import told_by_sensor

pytestmark = [
    pytest.mark.dagster_home,
    pytest.mark.skipif(sys.platform != "linux", reason="asks /proc when a process began"),
]


def mark_of(process: subprocess.Popen) -> str:
    host, _, _ = this_process().rsplit(":", 2)
    stat = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return f"{host}:{process.pid}:{stat[19]}"


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen]:
    process = subprocess.Popen(["sleep", "600"])
    yield process
    process.kill()
    process.wait()


def test_a_process_is_alive_until_it_ends(sleeper: subprocess.Popen) -> None:
    mark = mark_of(sleeper)
    assert not is_dead(mark)
    assert not is_dead(this_process())
    sleeper.kill()
    os.waitid(os.P_PID, sleeper.pid, os.WEXITED | os.WNOWAIT)
    assert is_dead(mark), "a process that nobody has waited for is dead too"
    sleeper.wait()
    assert is_dead(mark)


def test_a_number_that_was_given_again_is_another_process() -> None:
    host, number, began = this_process().rsplit(":", 2)
    assert is_dead(f"{host}:{number}:{int(began) - 1}")


def test_a_process_of_another_machine_is_not_judged() -> None:
    assert not is_dead("another.example:1:1")


def started(instance: dg.DagsterInstance, mark: str) -> str:
    """Record a run as under way in a process and return its id."""
    job = build_defs().resolve_job_def(REFRESH)
    run = instance.create_run_for_job(job, status=dg.DagsterRunStatus.STARTED, tags={PROCESS_TAG: mark})
    return run.run_id


def test_a_run_whose_process_was_killed_fails_and_is_told_of_once(
    folder: DataFolder, sleeper: subprocess.Popen, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiving() as receiver, open_instance(folder) as instance:
        monkeypatch.setenv("PAPERFOLD_ALERT__WEBHOOK", receiver.url)
        mark = mark_of(sleeper)
        alive, killed = started(instance, this_process()), started(instance, mark)
        assert end_killed_runs(instance) == []
        sleeper.kill()
        sleeper.wait()
        context = dg.build_sensor_context(instance)
        assert killed in (ended_processes(context).skip_message or "")
        assert end_killed_runs(instance) == []
        assert instance.get_run_by_id(alive).status is dg.DagsterRunStatus.STARTED
        assert instance.get_run_by_id(killed).status is dg.DagsterRunStatus.FAILURE
        told_by_sensor(instance, killed)
        assert told_by_sensor(instance, killed) == f"Run {killed} was told of."
        assert ALERTED_TAG in instance.get_run_by_id(killed).tags
    (text,) = receiver.texts
    assert KILLED in text


def test_the_sensors_are_on_from_the_start() -> None:
    assert {sensor.default_status for sensor in (ended_processes, failed_runs)} == {dg.DefaultSensorStatus.RUNNING}
