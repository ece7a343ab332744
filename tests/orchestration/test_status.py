"""`paperfold status`: sources with their last fetch, the last refresh with its reason, and when the next one is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from dagster._utils.schedules import schedule_execution_time_iterator

from assets.contract.errors import PaperfoldError, SettingsError
from assets.contract.folder import DataFolder
from assets.raw.history import state_path
from orchestration.definitions import REFRESH, build_defs
from orchestration.instance import open_instance
from orchestration.lock import writer_lock
from orchestration.settings import ScheduleSettings, data_path
from orchestration.status import read_status, render
from tests.building import TEXTS, build, write_list
from tests.raw.web import Page, Web, serve


@pytest.fixture
def web() -> Iterator[Web]:
    with serve() as served:
        yield served


def test_each_source_is_shown_with_its_last_fetch(folder: DataFolder, web: Web, tmp_path: Path) -> None:
    lists = tmp_path / "lists"
    write_list(lists / "a.txt", "robot")
    write_list(lists / "b.txt", "bread")
    web.pages["/list"] = Page(f"DemoConf 2026 Papers\n\n{TEXTS['tide']}\n".encode())
    fast = "[fetch]\npause_seconds = 0\nattempts = 1\n"
    folders = f'[[source]]\nname = "folder"\npath = "{lists}"\n'
    page = f'[[source]]\nname = "page"\nurl = "{web.url("/list")}"\n'
    Path("paperfold.toml").write_text(fast + folders + page)
    assert [source["says"] for source in read_status(folder)["sources"]] == ["not fetched yet"] * 2
    build(folder)
    (lists / "b.txt").unlink()
    write_list(lists / "c.txt", "spill")
    web.pages["/list"] = Page(status=404)
    build(folder)
    state = read_status(folder)
    assert [(source["source"], source["outcome"], source["says"]) for source in state["sources"]] == [
        ("folder", "new", "1 new, 1 gone"),
        ("page", "failed", "failed: 404 Not Found"),
    ]
    checked, succeeded = state["sources"][1]["checked_at"], state["sources"][1]["succeeded_at"]
    assert timedelta() < checked - succeeded < timedelta(minutes=10)
    text = render(state)
    assert f"folder: {lists}\n              1 new, 1 gone at {checked:%Y-%m-%dT%H:%M}" in text
    assert f"failed: 404 Not Found at {checked:%Y-%m-%dT%H:%M}" in text
    assert f"; last fetched at {succeeded:%Y-%m-%dT%H:%M}" in text
    assert "WARN sources_fetched: " in text
    build(folder)
    assert read_status(folder)["sources"][0]["says"] == "unchanged"
    state_path(folder, "page").write_text("{")
    assert "is damaged" in read_status(folder)["sources"][1]["says"]


@pytest.mark.parametrize(
    ("cron", "zone", "now", "due"),
    [
        ("0 6 * * *", "UTC", "2026-06-01T05:59:30+00:00", "2026-06-01T06:00:00+00:00"),
        ("0 6 * * *", "UTC", "2026-06-01T06:00:00+00:00", "2026-06-02T06:00:00+00:00"),
        ("30 5 * * MON", "Europe/Berlin", "2026-10-24T12:00:00+00:00", "2026-10-26T05:30:00+01:00"),
        ("@daily", "Asia/Shanghai", "2026-06-01T12:00:00+00:00", "2026-06-02T00:00:00+08:00"),
    ],
)
def test_the_next_refresh_is_told_in_the_zone_of_the_schedule(cron: str, zone: str, now: str, due: str) -> None:
    schedule = ScheduleSettings(cron=cron, time_zone=zone)
    assert schedule.next_refresh(datetime.fromisoformat(now)).isoformat() == due


def test_the_next_refresh_is_when_dagster_starts_it() -> None:
    now = datetime(2026, 3, 28, 20, tzinfo=UTC)
    settings = ScheduleSettings(cron="30 2 * * *", time_zone="Europe/Berlin")
    schedule = build_defs(schedule=settings).resolve_schedule_def("daily_refresh")
    ticks = schedule_execution_time_iterator(now.timestamp(), schedule.cron_schedule, schedule.execution_timezone)
    for _ in range(5):
        due = settings.next_refresh(now)
        assert due.timestamp() == next(ticks).timestamp()
        now = due


def last(folder: DataFolder) -> dict:
    return json.loads(folder.last_refresh.read_text())


def test_a_refresh_that_fails_leaves_its_reason(folder: DataFolder, tmp_path: Path) -> None:
    write_list(tmp_path / "lists" / "a.txt", "robot")
    build(folder, tmp_path / "lists")
    assert last(folder)["error"] is None
    (tmp_path / "lists" / "a.txt").write_text("")
    with pytest.raises(PaperfoldError):
        build(folder)
    assert (last(folder)["outcome"], last(folder)["error"].splitlines()[1]) == (
        "failed",
        "  lists/a.txt: too_short (the file is empty)",
    )
    assert "              No paper could be read from 1 file(s)" in render(read_status(folder))


def test_a_refresh_that_fails_before_it_begins_leaves_its_reason(folder: DataFolder, tmp_path: Path) -> None:
    with pytest.raises(PaperfoldError, match="has no source yet"):
        build(folder)
    assert last(folder)["outcome"] == "failed"
    assert "has no source yet" in last(folder)["error"]
    Path("paperfold.toml").write_text("[schedule]\ncron = 'soon'\n")
    with pytest.raises(SettingsError):
        build(folder)
    assert "schedule.cron: 'soon' is no cron expression" in last(folder)["error"]


def test_who_finds_the_folder_busy_leaves_the_holder_to_tell(folder: DataFolder, tmp_path: Path) -> None:
    write_list(tmp_path / "lists" / "a.txt", "robot")
    build(folder, tmp_path / "lists")
    before = folder.last_refresh.read_text()
    with writer_lock(folder, "a test"), pytest.raises(PaperfoldError, match="is being written by"):
        build(folder)
    assert folder.last_refresh.read_text() == before


def test_a_run_of_the_daemon_whose_settings_are_wrong_leaves_its_reason(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.root.mkdir()
    monkeypatch.setenv("PAPERFOLD_DATA", str(folder.root))
    Path("paperfold.toml").write_text("[release]\nkeep = 0\n")
    quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
    with open_instance(folder) as instance:
        job = build_defs().resolve_job_def(REFRESH)
        result = job.execute_in_process(run_config=quiet, instance=instance, raise_on_error=False)
    assert not result.success
    assert (last(folder)["outcome"], last(folder)["run_id"]) == ("failed", result.run_id)
    assert "release.keep: Input should be greater than or equal to 1" in last(folder)["error"]


def test_a_fault_of_a_step_is_told_of_too(folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_list(tmp_path / "lists" / "a.txt", "robot")

    def broken(*_: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("assets.raw.asset.take_in", broken)
    with pytest.raises(PaperfoldError):
        build(folder, tmp_path / "lists")
    assert last(folder)["error"] == "The step 'files' failed: ZeroDivisionError: division by zero"


def test_the_data_folder_is_found_though_the_settings_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    assert data_path() == Path("data")
    Path("paperfold.toml").write_text('data = "here"\nnonsense = 1\n')
    assert data_path() == Path("here")
    Path("paperfold.toml").write_text("data = [")
    assert data_path() == Path("data")
    monkeypatch.setenv("PAPERFOLD_DATA", "there")
    assert data_path() == Path("there")
