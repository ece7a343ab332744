"""The writer's lock: one writer at a time, named; free when its holder is dead."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from assets.contract.errors import FolderBusyError
from assets.contract.folder import DataFolder
from orchestration.lock import is_busy, read_holder, writer_lock

HOLD = """
import sys, time
from pathlib import Path
from assets.contract.folder import DataFolder
from orchestration.lock import writer_lock
with writer_lock(DataFolder(Path(sys.argv[1])), "a test"):
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


@pytest.fixture
def holder(folder: DataFolder):
    """Yield a function that starts a process which holds the lock for some seconds."""
    processes = []

    def hold(seconds: float) -> subprocess.Popen:
        command = [sys.executable, "-c", HOLD, str(folder.root), str(seconds)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        processes.append(process)
        return process

    yield hold
    for process in processes:
        process.kill()
        process.wait()


def test_a_second_writer_is_told_who_holds_the_folder(folder: DataFolder, holder) -> None:
    process = holder(60)
    assert is_busy(folder)
    with (
        pytest.raises(FolderBusyError, match=rf"process {process.pid} \(a test, since .*--wait"),
        writer_lock(folder, "b"),
    ):
        pass


def test_waiting_gets_the_lock_when_it_is_free(folder: DataFolder, holder) -> None:
    holder(0.5)
    told = []
    with writer_lock(folder, "b", wait_seconds=30, on_wait=told.append):
        assert read_holder(folder).startswith(f"process {os.getpid()} (b")
    assert len(told) == 1


def test_waiting_ends_at_its_limit(folder: DataFolder, holder) -> None:
    holder(60)
    begin = time.monotonic()
    with pytest.raises(FolderBusyError), writer_lock(folder, "b", wait_seconds=0.3):
        pass
    assert time.monotonic() - begin < 10


def test_the_lock_of_a_killed_process_is_free(folder: DataFolder, holder) -> None:
    process = holder(60)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not is_busy(folder)
    with writer_lock(folder, "b"):
        pass


def test_the_lock_is_free_after_an_error(folder: DataFolder) -> None:
    with pytest.raises(RuntimeError, match="oops"), writer_lock(folder, "b"):
        raise RuntimeError("oops")
    assert not is_busy(folder)
