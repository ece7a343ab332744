"""What all tests share: an empty data folder, the sample lists, the real lists where they are there."""

from __future__ import annotations

import os
from pathlib import Path

import dagster as dg
import pytest

from assets.contract.folder import DataFolder

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "data" / "samples" / "lists"


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    """An empty data folder."""
    return DataFolder(tmp_path / "data")


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run each test in a working folder of its own, without settings of the machine."""
    for name in [name for name in os.environ if name.startswith("PAPERFOLD_") and name != "PAPERFOLD_SHARED"]:
        monkeypatch.delenv(name)
    work = tmp_path / "cwd"
    work.mkdir()
    monkeypatch.chdir(work)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real lists and cases beside the checkout."""
    path = Path(os.environ.get("PAPERFOLD_SHARED", ROOT.parent / "shared"))
    if not path.is_dir():
        pytest.skip("the real lists are not beside this checkout (../shared, or PAPERFOLD_SHARED)")
    return path


@pytest.fixture(scope="session")
def seeds(shared: Path) -> Path:
    """Three real snapshots of one list."""
    return shared / "seeds"


@pytest.fixture(autouse=True)
def _dagster_in_memory(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep Dagster's records in memory, where a test does not ask for the data folder's own (marker `dagster_home`)."""
    if request.node.get_closest_marker("dagster_home") is None:
        monkeypatch.setattr("orchestration.refresh.open_instance", lambda *_: dg.DagsterInstance.ephemeral())
