"""Where Dagster keeps its records: SQLite in the data folder, or a real PostgreSQL server by one setting."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from pydantic import SecretStr

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from assets.release.store import current_release
from orchestration.instance import CONFIG, STORAGE_VARIABLE, dagster_home, open_instance
from orchestration.settings import load_settings
from tests.building import build, write_list
from tests.orchestration.postgres import PASSWORD, QUOTED, Server, postgres
from tests.orchestration.served import Served

pytestmark = pytest.mark.dagster_home

ADDRESS = SecretStr("postgresql://someone:hunter22@db.example/runs")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with postgres() as running:
        yield running


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    write_list(tmp_path / "lists" / "a.txt", "robot", "bread")
    return tmp_path / "lists"


def config(folder: DataFolder) -> dict:
    return yaml.safe_load((folder.dagster_home / CONFIG).read_text(encoding="utf-8"))


def holds(folder: DataFolder, secret: str) -> list[str]:
    """Return the files of a data folder that hold a text."""
    found = [path for path in folder.root.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]
    return [str(path.relative_to(folder.root)) for path in found]


def test_sqlite_files_in_the_data_folder_are_the_default(folder: DataFolder) -> None:
    dagster_home(folder)
    assert "storage" not in config(folder)
    with open_instance(folder) as instance:
        assert "Sqlite" in type(instance.run_storage).__name__


def test_the_configuration_follows_the_setting_and_never_holds_the_address(folder: DataFolder) -> None:
    dagster_home(folder)
    dagster_home(folder, ADDRESS)
    assert config(folder)["storage"] == {"postgres": {"postgres_url": {"env": STORAGE_VARIABLE}}}
    assert holds(folder, "hunter22") == []
    dagster_home(folder)
    assert "storage" not in config(folder)


def test_an_edited_configuration_stays_as_it_is(folder: DataFolder) -> None:
    dagster_home(folder)
    path = folder.dagster_home / CONFIG
    path.write_text(path.read_text() + "retention: {}\n")
    dagster_home(folder)
    assert "retention" in config(folder)
    with pytest.raises(
        PaperfoldError, match=r"dagster\.yaml was edited and does not use the PostgreSQL storage"
    ) as told:
        dagster_home(folder, ADDRESS)
    assert f"env: {STORAGE_VARIABLE}" in str(told.value)
    path.write_text(path.read_text() + f"storage: {{postgres: {{postgres_url: {{env: {STORAGE_VARIABLE}}}}}}}\n")
    dagster_home(folder, ADDRESS)
    assert "retention" in config(folder)


def test_builds_are_recorded_in_postgresql(
    folder: DataFolder, lists: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(STORAGE_VARIABLE, server.url)
    build(folder, lists)
    write_list(lists / "b.txt", "spill")
    assert build(folder)["outcome"] == "published"
    with open_instance(folder, load_settings().dagster.storage) as instance:
        assert type(instance.run_storage).__name__ == "PostgresRunStorage"
        assert [run.status.value for run in instance.get_runs(limit=2)] == ["SUCCESS", "SUCCESS"]
    assert list(folder.dagster_home.rglob("*.db")) == []
    assert holds(folder, PASSWORD) == holds(folder, QUOTED) == []


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc which processes are left")
def test_the_ui_and_the_daemon_run_on_postgresql(folder: DataFolder, tmp_path: Path, server: Server) -> None:
    (tmp_path / "paperfold.toml").write_text(f'[dagster]\nstorage = "{server.url}"\n', encoding="utf-8")
    served = Served(folder, tmp_path / "dev.log")
    try:
        served.wait_until_loaded()
        assert served.run("refresh") == "SUCCESS"
        assert current_release(folder)
    finally:
        served.stop()
    assert list(folder.dagster_home.rglob("runs.db")) == []
    assert QUOTED not in served.log.read_text(encoding="utf-8")


def test_a_server_that_is_not_there_is_named_and_the_release_stays(
    folder: DataFolder, lists: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    release = build(folder, lists)["release_id"]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    monkeypatch.setenv(STORAGE_VARIABLE, f"postgresql://someone:hunter22@127.0.0.1:{port}/runs")
    write_list(lists / "b.txt", "spill")
    with pytest.raises(PaperfoldError, match=f"PostgreSQL storage can't be used: 127.0.0.1:{port}/runs") as told:
        build(folder)
    assert "Connection refused" in str(told.value)
    assert "hunter22" not in str(told.value) + caplog.text
    assert current_release(folder) == release
    monkeypatch.delenv(STORAGE_VARIABLE)
    assert build(folder)["outcome"] == "published"
