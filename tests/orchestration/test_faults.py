"""Faults: after each the release that readers see is whole, the message is clear, and the next refresh is right.

Right means: the tables are, to the byte, those of a refresh from the same release that was never disturbed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from assets.contract.tables import TABLES
from assets.release.store import current_release, list_releases
from orchestration.lock import writer_lock
from orchestration.refresh import run_refresh
from orchestration.resources import RunInputs
from orchestration.settings import Settings
from orchestration.sources import configured_sources
from orchestration.status import read_status
from orchestration.verify import verify_release
from tests.building import build, rows, write_list
from tests.conftest import ROOT
from tests.orchestration.served import wait_for

pytestmark = [
    pytest.mark.dagster_home,
    pytest.mark.skipif(sys.platform != "linux", reason="its faults are those of Linux"),
]
LAYERS = ("raw", "parsed", "folded", "analytical")
MARKS = {**{layer: f".{layer}-staging" for layer in LAYERS}, "release": "releases/.staging-", "swap": ".current-"}


def hashes(folder: DataFolder) -> dict[str, str]:
    return {name: hashlib.sha256((folder.current / f"{name}.parquet").read_bytes()).hexdigest() for name in TABLES}


class Case:
    """A data folder with a release, and lists that have changed since."""

    def __init__(self, place: Path) -> None:
        self.place, self.folder, self.lists = place, DataFolder(place / "data"), place / "lists"
        write_list(self.lists / "a.txt", "robot", "bread")
        write_list(self.lists / "b.txt", "bread", "spill")
        build(self.folder, self.lists)
        write_list(self.lists / "b.txt", "tide", "bread", "spill")
        write_list(self.lists / "c.txt", "lexicon")
        self.before = current_release(self.folder)

    def copy(self, target: Path) -> Case:
        """Return a case of its own in another place, with lists of the same name."""
        copied = object.__new__(Case)
        shutil.copytree(self.place, target, symlinks=True, dirs_exist_ok=True)
        copied.place, copied.folder, copied.lists = target, DataFolder(target / "data"), target / "lists"
        copied.before = self.before
        return copied

    def command(self, *command: str, fault: str = "none", argument: str = "") -> subprocess.Popen[str]:
        """Start a command of the command line, struck by a fault."""
        program = [sys.executable, "-m", "tests.orchestration.disturbed", fault, argument]
        return subprocess.Popen(
            [*program, *command, "--data", str(self.folder.root)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *command: str, fault: str = "none", argument: str = "") -> tuple[int, str, str]:
        """Run a command and return exit code, output and what it told on standard error."""
        process = self.command(*command, fault=fault, argument=argument)
        out, err = process.communicate(timeout=240)
        return process.returncode, out, err

    def build(self, fault: str, argument: str = "") -> tuple[int, str]:
        """Build, struck by a fault; return the exit code and what was told on standard error."""
        code, _, err = self.run("build", str(self.lists), fault=fault, argument=argument)
        return code, err


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return Case(tmp_path_factory.mktemp("prepared"))


@pytest.fixture(scope="module")
def undisturbed(prepared: Case, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The tables of a refresh that no fault strikes."""
    case = prepared.copy(tmp_path_factory.mktemp("undisturbed"))
    build(case.folder, case.lists)
    return hashes(case.folder)


@pytest.fixture
def case(prepared: Case, tmp_path: Path) -> Case:
    return prepared.copy(tmp_path / "case")


def still_whole(case: Case) -> None:
    """Check that readers have the release from before the fault, whole."""
    assert current_release(case.folder) == case.before
    assert verify_release(case.folder, None)["ok"]
    assert rows(case.folder, "SELECT papers FROM corpus_summary") == [(3,)]


def next_is_right(case: Case, undisturbed: dict[str, str]) -> None:
    """Check that the next refresh ends as one that was never disturbed, and leaves nothing of the disturbed one."""
    build(case.folder, case.lists)
    assert hashes(case.folder) == undisturbed
    assert verify_release(case.folder, None)["ok"]
    assert [path.name for path in case.folder.releases.iterdir() if path.name.startswith(".")] == []


# --- killed in each step --------------------------------------------------------------------------------------------


def check_kill(case: Case, step: str, undisturbed: dict[str, str]) -> None:
    code, _ = case.build(f"kill:{MARKS[step]}")
    assert code == -signal.SIGKILL
    still_whole(case)
    next_is_right(case, undisturbed)
    from orchestration.instance import open_instance

    with open_instance(case.folder) as instance:
        assert sorted(run.status.value for run in instance.get_runs()) == ["FAILURE", "SUCCESS", "SUCCESS"]


@pytest.mark.parametrize("step", ["folded", "swap"])
def test_a_build_killed_in_a_step_harms_nothing(case: Case, step: str, undisturbed: dict[str, str]) -> None:
    check_kill(case, step, undisturbed)


@pytest.mark.slow
@pytest.mark.parametrize("step", [step for step in MARKS if step not in ("folded", "swap")])
def test_a_build_killed_in_any_other_step_harms_nothing(case: Case, step: str, undisturbed: dict[str, str]) -> None:
    check_kill(case, step, undisturbed)


# --- no room, no rights ---------------------------------------------------------------------------------------------


def test_a_disk_that_fills_up_while_the_database_is_written_is_named(case: Case, undisturbed: dict[str, str]) -> None:
    code, told = case.build(f"full:{MARKS['release']}", "700000")
    assert code == 1
    assert "File too large" in told
    assert "The current release stays as it was" in told
    assert "Traceback" not in told
    still_whole(case)
    next_is_right(case, undisturbed)


@pytest.mark.parametrize("layer", ["parsed", "folded"])
def test_a_disk_that_fills_up_in_a_layer_is_named(case: Case, layer: str, undisturbed: dict[str, str]) -> None:
    code, told = case.build(f"full:{MARKS[layer]}", "10")
    assert code == 1
    assert "error: File too large. The current release stays as it was." in told
    assert "Traceback" not in told
    still_whole(case)
    next_is_right(case, undisturbed)


@pytest.fixture
def small_disk(case: Case) -> Iterator[Callable[[int], None]]:
    """Yield a function that puts the releases on a disk of their own with so many bytes."""
    mounted: list[str] = []

    def mount(size: int) -> None:
        place = case.folder.releases
        aside = place.with_name("aside")
        place.rename(aside)
        place.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
        if os.getuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
            pytest.skip("mounting a small disk needs root and a machine that allows it")
        mounted.append(str(place))
        shutil.copytree(aside, place, symlinks=True, dirs_exist_ok=True)
        shutil.rmtree(aside)

    yield mount
    for place in mounted:
        subprocess.run(["umount", "-l", place], check=True)


def test_a_small_disk_of_its_own_fills_up_in_staging(
    case: Case, small_disk: Callable[[int], None], undisturbed: dict[str, str]
) -> None:
    size = sum(path.stat().st_size for path in case.folder.releases.rglob("*") if path.is_file())
    small_disk(size + 400_000)
    code, told = case.build("none")
    assert code == 1
    assert "space" in told.lower()
    assert "Traceback" not in told
    still_whole(case)
    subprocess.run(["mount", "-o", "remount,size=200M", str(case.folder.releases)], check=True)
    next_is_right(case, undisturbed)


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A place that every user can reach, unlike the folders of the tests."""
    place = Path(tempfile.mkdtemp(prefix="pf-fault-"))
    place.chmod(0o755)
    yield place
    for path in [place, *place.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
    shutil.rmtree(place)


def test_a_read_only_data_folder_can_be_read_and_says_why_it_is_not_written(
    prepared: Case, open_place: Path, undisturbed: dict[str, str]
) -> None:
    case = prepared.copy(open_place / "case")
    for path in [case.place, *case.place.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o555 if path.is_dir() else 0o444)
    fault = "nobody:" if os.getuid() == 0 else "none"
    code, told = case.build(fault)
    assert code == 1
    assert told.startswith(f"error: The data folder {case.folder.root} can't be written: Permission denied.")
    for command in (["status"], ["verify"], ["query", "SELECT papers FROM corpus_summary", "--format", "csv"]):
        code, out, err = case.run(*command, fault=fault)
        assert code == 0, err
    assert out == "papers\n3\n"
    still_whole(case)
    for path in [case.place, *case.place.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
    next_is_right(case, undisturbed)


# --- what goes away or moves ----------------------------------------------------------------------------------------


def test_a_source_folder_that_disappears_leaves_the_release_and_is_named(
    case: Case, undisturbed: dict[str, str]
) -> None:
    build(case.folder, case.lists)
    published = current_release(case.folder)
    case.lists.rename(case.place / "elsewhere")
    code, _, told = case.run("build", str(case.lists))
    assert code == 1
    assert str(case.lists) in told
    assert "is not there" in told
    assert current_release(case.folder) == published
    assert verify_release(case.folder, None)["ok"]
    (case.place / "elsewhere").rename(case.lists)
    next_is_right(case, undisturbed)


def test_a_lost_dagster_home_costs_history_alone(case: Case, undisturbed: dict[str, str]) -> None:
    shutil.rmtree(case.folder.dagster_home)
    still_whole(case)
    next_is_right(case, undisturbed)
    assert (case.folder.dagster_home / "dagster.yaml").exists()


def test_a_dagster_home_lost_during_a_build_harms_nothing(case: Case, undisturbed: dict[str, str]) -> None:
    code, told = case.build(f"remove:{MARKS['folded']}", str(case.folder.dagster_home))
    assert code == 1
    assert "error: The run could not be recorded: " in told
    assert "Build again" in told
    assert "Traceback" not in told
    still_whole(case)
    next_is_right(case, undisturbed)


def test_a_data_folder_that_moved_goes_on_in_its_new_place(case: Case, undisturbed: dict[str, str]) -> None:
    moved = DataFolder(case.place / "other" / "place")
    moved.root.parent.mkdir()
    case.folder.root.rename(moved.root)
    case.folder = moved
    still_whole(case)
    assert read_status(moved)["release_id"] == case.before
    build(moved)  # from the remembered sources
    assert hashes(moved) == undisturbed
    assert verify_release(moved, None)["ok"]


# --- time and company -----------------------------------------------------------------------------------------------


def test_a_clock_that_jumps_back_changes_no_order(case: Case, undisturbed: dict[str, str]) -> None:
    build(case.folder, case.lists)  # the sources are remembered; published now
    write_list(case.lists / "d.txt", "tide")
    long_ago = datetime.now(UTC) - timedelta(days=400)
    settings = Settings()
    inputs = RunInputs(settings, case.folder, *configured_sources(settings, case.folder))
    with writer_lock(case.folder, "a test"):
        run_refresh(inputs, clock=lambda: long_ago)
    newest, *older = list_releases(case.folder)
    assert newest.published_at == long_ago < older[0].published_at
    assert current_release(case.folder) == newest.release_id
    assert verify_release(case.folder, None)["ok"]
    # The next refresh builds on it, as if time had gone on, and one from the past is no younger than now.
    (case.lists / "d.txt").unlink()
    assert build(case.folder)["outcome"] == "returned"
    assert hashes(case.folder) == undisturbed
    assert read_status(case.folder)["age_seconds"] >= 0


def test_of_two_builds_at_once_the_second_names_the_first_or_waits(case: Case, undisturbed: dict[str, str]) -> None:
    flag = case.place / "paused"
    first = case.command("build", str(case.lists), fault=f"pause:{MARKS['folded']}", argument=str(flag))
    try:
        wait_for(flag.exists, 120, "first build in its third step")
        code, told = case.build("none")
        assert code == 1
        assert f"is being written by process {first.pid} (paperfold build, since " in told
        assert "--wait SECONDS" in told
        still_whole(case)
        waiting = case.command("build", "--wait", "120", str(case.lists))
        assert waiting.stderr
        assert waiting.stderr.readline().startswith(f"Waiting for process {first.pid}")
    finally:
        flag.unlink(missing_ok=True)
        first.communicate(timeout=120)
    out, err = waiting.communicate(timeout=120)
    assert (first.returncode, waiting.returncode) == (0, 0), err
    assert "nothing new" in out
    assert hashes(case.folder) == undisturbed


def test_a_fault_is_no_success(case: Case) -> None:
    with pytest.raises(PaperfoldError, match="is not there"):
        build(case.folder, case.lists / "nowhere")
    still_whole(case)
