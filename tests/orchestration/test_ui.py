"""The UI as `make dev` serves it: assets, checks and schedule over GraphQL, and buttons pressed in a real browser."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assets.contract.folder import DataFolder
from assets.contract.vocabulary import LAYERS
from assets.release.store import current_release
from orchestration import dev
from orchestration.rollback import roll_back
from orchestration.sources import remember_paths
from tests.building import TEXTS
from tests.orchestration.browser import browsing
from tests.orchestration.served import SELECTOR, Served, wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc which processes are left")

WARNINGS = ("DeprecationWarning", "SupersessionWarning", "BetaWarning", "PreviewWarning")
ASSETS = """
{ assetNodes {
    assetKey { path } groupName description kinds jobNames
    assetChecksOrError { ... on AssetChecks { checks { name description blocking
      executionForLatestMaterialization { status evaluation { metadataEntries { label } } } } } }
    assetMaterializations(limit: 1) { metadataEntries { __typename label
      ... on IntMetadataEntry { intValue }
      ... on TableMetadataEntry { table { records } }
      ... on TableSchemaMetadataEntry { schema { columns { name description } } } } }
} }
"""
SCHEDULE = """
query($selector: RepositorySelector!) { schedulesOrError(repositorySelector: $selector) { ... on Schedules { results {
  name pipelineName scheduleState { status ticks(limit: 5) { status runs { status } } } } } } }
"""


PLOTS = {
    "documents": "occurrences_by_document",
    "rejects": "rejects_by_reason",
    "folds": "folds_by_document",
    "papers": "length_distribution",
    "release": "papers_by_release",
}
HOSTILE = """<script>alert(1)</script> Papers 2026

<script>alert(2)</script> | a | b | ![x](http://evil.example/y.png) We study how a warehouse robot plans a route while
[shelves](javascript:alert(3)) move without notice, and how much of the <b>sensing effort</b> ends the tour sooner.
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The UI over a fresh folder, with a schedule that is due every minute."""
    home = tmp_path_factory.mktemp("served")
    served = Served(DataFolder(home / "data"), home / "dev.log", {"PAPERFOLD_SCHEDULE__CRON": "* * * * *"})
    try:
        served.wait_until_loaded()
        yield served
        assert len(served.processes()) >= 4, "a webserver and a daemon, each with its code server"
        assert served.stop(signal.SIGTERM) == 0
        assert served.processes() == []
        log = served.log.read_text(encoding="utf-8")
        assert [line for line in log.splitlines() if any(kind in line for kind in WARNINGS)] == []
    finally:
        served.stop()


def test_a_job_launched_in_the_ui_fills_every_asset_and_check(served: Served) -> None:
    assert served.run("refresh") == "SUCCESS"
    # The schedule of this server is due every minute, and while its run is under way checks are in progress.
    nodes = wait_for(lambda: _settled(served), 240, "a moment without a check in progress")
    assert {node["groupName"] for node in nodes} == set(LAYERS)
    for node in nodes:
        name = node["assetKey"]["path"][-1]
        assert node["description"], name
        assert node["kinds"], name
        assert "refresh" in node["jobNames"], name
        (materialized,) = node["assetMaterializations"]
        entries = {entry["label"]: entry for entry in materialized["metadataEntries"]}
        assert entries["dagster/row_count"]["intValue"] >= 0, name
        assert isinstance(entries["preview"]["table"]["records"], list), name
        checks = node["assetChecksOrError"]["checks"]
        assert checks, name
        for check in checks:
            execution = check["executionForLatestMaterialization"]
            assert execution["evaluation"]["metadataEntries"], check["name"]
    assert current_release(served.folder)


def _settled(served: Served) -> list | None:
    """Return the assets when every check of every one has succeeded."""
    nodes = served.ask(ASSETS)["assetNodes"]
    checks = [check for node in nodes for check in node["assetChecksOrError"]["checks"]]
    executions = [check["executionForLatestMaterialization"] for check in checks]
    return nodes if all(execution and execution["status"] == "SUCCEEDED" for execution in executions) else None


@pytest.mark.browser
def test_materialize_all_pressed_in_a_browser(served: Served, tmp_path: Path) -> None:
    with browsing(served.url, tmp_path / "profile") as browser:
        before = len(_runs(served))
        browser.open("/asset-groups", *LAYERS)
        browser.shoot("graph")
        browser.press("Materialize all")
        wait_for(lambda: len(_runs(served)) > before, 60, "run of the button")
        wait_for(lambda: _runs(served)[0] == "SUCCESS", 120, "success of the run")
        browser.open("/assets/papers?view=overview", "Row count", "one row per distinct paper")
        browser.open("/assets/papers?view=overview", "representative_occurrence_id")
        browser.open("/assets/release?view=checks&checkDetail=audit", "occurrences_are_papers_and_folds", "Passed")
        browser.shoot("audit")
        browser.open("/automation", "daily_refresh", "failed_runs", "ended_processes")
        browser.shoot("automation")


@pytest.mark.browser
def test_each_page_shows_its_picture_and_where_its_columns_come_from(served: Served, tmp_path: Path) -> None:
    assert served.run("refresh") == "SUCCESS"
    with browsing(served.url, tmp_path / "profile") as browser:
        for asset, plot in PLOTS.items():
            browser.open(
                f"/assets/{asset}?view=overview",
                "Metadata",
                plot,
                "preview",
                "path" if asset != "release" else "database",
            )
            (picture,) = wait_for(browser.pictures, 30, f"picture of {asset}")
            assert picture["width"] == 300, asset
            assert picture["height"] > 0, asset
            browser.run("document.querySelector('img[src^=data]').scrollIntoView({block: 'center'})")
            browser.shoot(f"plot-{asset}")
        shown = browser.open("/assets/document_overlap?view=overview", "column_sources", "documents.file_name")
        assert "paperfold query" in shown
        browser.shoot("view")
        browser.open("/assets/release?view=overview", "Freshness policy", "Passing")
        browser.shoot("release")


@pytest.mark.browser
def test_text_of_lists_is_shown_as_text(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    lists = tmp_path / "lists"
    lists.mkdir()
    (lists / "<b>![x](y) a|b.txt").write_text(HOSTILE, encoding="utf-8")
    remember_paths(folder, [lists])
    hostile = Served(folder, tmp_path / "dev.log")
    try:
        hostile.wait_until_loaded()
        assert hostile.run("refresh") == "SUCCESS"
        with browsing(hostile.url, tmp_path / "profile") as browser:
            for asset, text in {
                "files": "<b>![x](y) a|b.txt",
                "documents": "<script>alert(1)</script> Papers 2026",
                "parsed_occurrences": "<script>alert(2)</script> | a | b | ![x](http://evil.example/y.png)",
                "occurrences": "![x](http://evil.example/y.png)",
                "papers": "| a | b | x We study",
                "quality_summary": "<b>![x](y) a|b.txt",
            }.items():
                shown = browser.open(f"/assets/{asset}?view=overview", "preview", text)
                browser.shoot(f"hostile-{asset}")
                assert "[Show" not in shown or asset == "quality_summary", "no text of a list lies behind a link"
                harmful = browser.run(
                    "return [...document.querySelectorAll('main script, main b, a[href^=javascript]')]"
                    ".filter(e => e.innerText.includes('alert')).length"
                    " + [...document.images].filter(i => i.src.includes('evil.example')).length"
                )
                assert harmful == 0, asset
            with pytest.raises(browser.no_alert):
                browser.driver.switch_to.alert.accept()
            # A rollback between refreshes is said at once.
            (lists / "more.txt").write_text(f"{HOSTILE}\n\n{TEXTS['tide']}\n", encoding="utf-8")
            before = current_release(folder)
            assert hostile.run("refresh") == "SUCCESS"
            roll_back(folder, before)
            browser.open(
                "/assets/release?view=checks&checkDetail=readers_see_the_latest",
                f"Readers are held at {before}",
                "Failed",
            )
            browser.shoot("pinned")
            assert hostile.run("refresh") == "SUCCESS"
            browser.open("/assets/release?view=overview", f"readers are held at {before}")
            roll_back(folder, None)
            browser.open(
                "/assets/release?view=checks&checkDetail=readers_see_the_latest", "No rollback holds.", "Passed"
            )
    finally:
        hostile.stop()


def _runs(served: Served) -> list[str]:
    """Return how the runs that a person launched stand, the newest first."""
    told = served.ask("{ runsOrError { ... on Runs { results { status tags { key } } } } }")["runsOrError"]["results"]
    by_itself = ("dagster/schedule_name", "dagster/sensor_name")
    return [run["status"] for run in told if not any(tag["key"] in by_itself for tag in run["tags"])]


def test_the_schedule_runs_by_itself(served: Served) -> None:
    def launched() -> str | None:
        (schedule,) = served.ask(SCHEDULE, selector=SELECTOR)["schedulesOrError"]["results"]
        assert (schedule["name"], schedule["pipelineName"]) == ("daily_refresh", "refresh")
        assert schedule["scheduleState"]["status"] == "RUNNING"
        runs = [run["status"] for tick in schedule["scheduleState"]["ticks"] for run in tick["runs"]]
        return next((status for status in runs if status in ("SUCCESS", "FAILURE")), None)

    assert wait_for(launched, 120, "finished run of the schedule") == "SUCCESS"


def test_ctrl_c_while_it_starts_leaves_no_process_behind(folder: DataFolder, tmp_path: Path) -> None:
    starting = Served(folder, tmp_path / "dev.log")
    try:
        wait_for(lambda: len(starting.processes()) >= 2, 60, "webserver and daemon")
        assert starting.stop(signal.SIGINT) == 0
        assert starting.processes() == []
    finally:
        starting.stop()


def test_a_port_that_is_taken_is_named(folder: DataFolder, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert dev.main(["--data", str(folder.root), "--port", str(port)]) == 1
    assert f"127.0.0.1:{port} can't be served" in capsys.readouterr().err


def test_a_wrong_setting_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("paperfold.toml").write_text('[schedule]\ntime_zone = "Mars/Olympus"\n', encoding="utf-8")
    assert dev.main([]) == 1
    assert "schedule.time_zone: 'Mars/Olympus' is no IANA time zone" in capsys.readouterr().err
