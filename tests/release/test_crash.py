"""A build that is killed at any moment leaves the release before in place, and the next build is right."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from assets.contract.folder import DataFolder
from assets.contract.tables import TABLES
from assets.release.manifest import read_manifest
from assets.release.store import current_release, damaged_files, list_releases
from tests.building import write_list
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc what is behind a handle")


class Builder:
    """A process that builds in children of its own; see `fork_server`."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.release.fork_server"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "POLARS_MAX_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            text=True,
        )

    def build(self, folder: DataFolder, lists: Path, point: int = 0) -> dict[str, Any]:
        """Build, or be killed at an act; return how it ended."""
        assert self.process.stdin
        assert self.process.stdout
        request = {"data": str(folder.root), "raw": str(lists), "point": point}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


class Prepared:
    """A data folder with a release of two lists, the lists as the next build finds them, and what that build makes."""

    def __init__(self, place: Path, builder: Builder) -> None:
        self.builder, self.data, self.lists = builder, place / "data", place / "lists"
        write_list(self.lists / "a.txt", "robot", "bread")
        write_list(self.lists / "b.txt", "bread", "spill")
        first = builder.build(DataFolder(self.data), self.lists)
        assert not first["error"], first["error"]
        write_list(self.lists / "b.txt", "tide", "bread", "spill")
        write_list(self.lists / "c.txt", "lexicon")
        undisturbed = self.copy(place / "undisturbed")
        done = builder.build(undisturbed, self.lists)
        assert not done["error"], done["error"]
        self.acts: list[str] = done["acts"]
        self.hashes = hashes(undisturbed)

    def copy(self, target: Path) -> DataFolder:
        shutil.copytree(self.data, target, symlinks=True)
        return DataFolder(target)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prepared]:
    builder = Builder()
    try:
        yield Prepared(tmp_path_factory.mktemp("prepared"), builder)
    finally:
        builder.process.communicate(timeout=60)


def hashes(folder: DataFolder) -> dict[str, str]:
    return {name: hashlib.sha256((folder.current / f"{name}.parquet").read_bytes()).hexdigest() for name in TABLES}


def check_crash_at(point: int, prepared: Prepared, place: Path) -> None:
    folder = prepared.copy(place)
    before = current_release(folder)

    done = prepared.builder.build(folder, prepared.lists, point)
    assert done["code"] == -signal.SIGKILL, done

    # What readers see is whole: the release before, or the next one if the swap was done.
    seen = read_manifest(folder.current)
    assert damaged_files(folder.current, seen) == []
    assert seen.counts["papers"] == (3 if seen.release_id == before else 5)

    # The next build ends where one ends that was never disturbed, to the byte.
    again = prepared.builder.build(folder, prepared.lists)
    assert not again["error"], (prepared.acts[point - 1], again["error"])
    assert hashes(folder) == prepared.hashes
    assert len(list_releases(folder)) == 2
    assert [path.name for path in folder.releases.iterdir() if path.name.startswith(".")] == []


def sample(acts: list[str]) -> list[int]:
    """Return points for all kinds of acts: of like ones in a row the first, the middle and the last."""
    points = []
    for _, group in groupby(enumerate(acts, 1), key=lambda numbered: kind(numbered[1])):
        stretch = [point for point, _ in group]
        points += sorted({stretch[0], stretch[len(stretch) // 2], stretch[-1]})
    return points


def kind(act: str) -> str:
    """Return what an act does to which part of the data folder."""
    name, _, path = act.partition(" ")
    parts = Path(path).parts
    return " ".join([name, *parts[:2]]) if parts[:1] in [("work",), ("releases",)] else " ".join([name, *parts[:1]])


def test_the_sample_has_each_kind_of_act_and_is_a_part_of_all(prepared: Prepared) -> None:
    points = sample(prepared.acts)
    assert {kind(act) for act in prepared.acts} == {kind(prepared.acts[point - 1]) for point in points}
    assert all(1 <= point <= len(prepared.acts) for point in points)


@pytest.mark.parametrize("share", [0.5, 0.97])
def test_a_killed_build_harms_nothing(share: float, prepared: Prepared, tmp_path: Path) -> None:
    check_crash_at(max(1, round(share * len(prepared.acts))), prepared, tmp_path / "data")


@pytest.mark.slow
def test_a_build_killed_at_each_kind_of_its_acts_harms_nothing(prepared: Prepared, tmp_path: Path) -> None:
    for point in sample(prepared.acts):
        check_crash_at(point, prepared, tmp_path / str(point))
        shutil.rmtree(tmp_path / str(point))
