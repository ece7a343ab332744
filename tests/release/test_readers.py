"""Readers in other processes see no error and no mixture of releases while refreshes go on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from assets.contract.folder import DataFolder
from tests.building import TEXTS, build, write_list
from tests.conftest import ROOT


def check_readers(folder: DataFolder, tmp_path: Path, readers: int, refreshes: int) -> None:
    names = list(TEXTS)
    lists, stop = tmp_path / "lists", tmp_path / "stop"
    write_list(lists / "a.txt", *names)
    build(folder, lists)
    command = [sys.executable, "-m", "tests.release.reader", str(folder.root), str(stop)]
    running = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(readers)]
    try:
        for number in range(refreshes):
            write_list(lists / f"{number}.txt", names[number % 5], f"{names[(number + 1) % 5]}")
            if number % 3 == 2:
                (lists / f"{number - 1}.txt").unlink()
            assert build(folder)["outcome"] == "published"
    finally:
        stop.touch()
        outputs = [process.communicate(timeout=60)[0] for process in running]
    for output in outputs:
        assert "WRONG" not in output
        looks = output.split()
        assert int(looks[1]) > refreshes
        assert int(looks[3]) > 1


def test_readers_see_whole_releases(folder: DataFolder, tmp_path: Path) -> None:
    check_readers(folder, tmp_path, readers=2, refreshes=4)


@pytest.mark.slow
def test_four_readers_see_whole_releases_during_twenty_refreshes(folder: DataFolder, tmp_path: Path) -> None:
    check_readers(folder, tmp_path, readers=4, refreshes=20)
