"""A build that is killed at any moment leaves the release before in place, and the next build is right."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from assets.contract.folder import DataFolder
from assets.release.manifest import read_manifest
from assets.release.store import current_release, damaged_files, list_releases
from orchestration.verify import verify_release
from tests.building import build, partition, write_list
from tests.conftest import ROOT


def crash(folder: DataFolder, lists: Path, point: int) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "tests.release.crash_build", str(folder.root), str(lists), str(point)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A data folder with a release of two lists, and the lists as the next build finds them."""
    place = tmp_path_factory.mktemp("prepared")
    write_list(place / "lists" / "a.txt", "robot", "bread")
    write_list(place / "lists" / "b.txt", "bread", "spill")
    done = crash(DataFolder(place / "data"), place / "lists", 0)
    assert done.returncode == 0, done.stderr
    write_list(place / "lists" / "b.txt", "tide", "bread", "spill")
    write_list(place / "lists" / "c.txt", "lexicon")
    return place / "data", place / "lists"


@pytest.fixture(scope="module")
def acts(prepared: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many acts on the disk the next build has."""
    copy = tmp_path_factory.mktemp("counted") / "data"
    shutil.copytree(prepared[0], copy, symlinks=True)
    done = crash(DataFolder(copy), prepared[1], 0)
    assert done.returncode == 0, done.stderr
    return int(done.stdout.split()[-1])


def check_crash_at(point: int, prepared: tuple[Path, Path], tmp_path: Path) -> None:
    data, lists = prepared
    folder = DataFolder(tmp_path / "data")
    shutil.copytree(data, folder.root, symlinks=True)
    before = current_release(folder)

    done = crash(folder, lists, point)
    assert done.returncode == -signal.SIGKILL, done.stderr

    # What readers see is whole: the release before, or the next one if the swap was done.
    seen = read_manifest(folder.current)
    assert damaged_files(folder.current, seen) == []
    assert seen.counts["papers"] == (3 if seen.release_id == before else 5)

    summary = build(folder, lists)
    assert (summary["papers"], summary["occurrences"]) == (5, 6)
    assert verify_release(folder, None)["ok"]
    fresh = DataFolder(tmp_path / "fresh")
    build(fresh, lists)
    assert partition(folder) == partition(fresh)
    assert len(list_releases(folder)) == 2
    assert [path.name for path in folder.releases.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("share", [0.35, 0.8, 0.97])
def test_a_killed_build_harms_nothing(share: float, acts: int, prepared: tuple[Path, Path], tmp_path: Path) -> None:
    check_crash_at(max(1, round(share * acts)), prepared, tmp_path)


@pytest.mark.slow
def test_a_build_killed_at_each_of_its_acts_harms_nothing(
    acts: int, prepared: tuple[Path, Path], tmp_path: Path
) -> None:
    for point in range(1, acts + 1):
        (tmp_path / str(point)).mkdir()
        check_crash_at(point, prepared, tmp_path / str(point))
        shutil.rmtree(tmp_path / str(point))
