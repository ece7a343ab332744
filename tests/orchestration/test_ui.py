"""The UI as `make dev` serves it: assets, checks and schedule over GraphQL, and buttons pressed in a real browser."""

from __future__ import annotations

import shutil
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
    webdriver = pytest.importorskip("selenium.webdriver")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not (chromium and driver):
        pytest.skip("no chromium with its chromedriver on this machine")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in ("headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-sync"):
        options.add_argument(f"--{flag}")
    options.add_argument("--disable-background-networking")
    options.add_argument("--disable-component-update")
    options.add_argument("--window-size=1500,1800")
    options.add_argument(f"--user-data-dir={tmp_path / 'profile'}")
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        browser.get(f"{served.url}/asset-groups")

        def text() -> str:
            return browser.find_element("tag name", "body").text

        def press(label: str) -> None:
            path = f"//*[normalize-space(text())='{label}']"
            buttons = wait_for(
                lambda: [found for found in browser.find_elements("xpath", path) if found.is_displayed()],
                60,
                f"button {label!r}",
            )
            buttons[0].click()

        before = len(_runs(served))
        wait_for(lambda: all(layer in text() for layer in LAYERS), 60, "graph of the five groups")
        press("Materialize all")
        wait_for(lambda: len(_runs(served)) > before, 60, "run of the button")
        wait_for(lambda: _runs(served)[0] == "SUCCESS", 90, "success of the run")
        browser.get(f"{served.url}/assets/papers?view=overview")
        wait_for(lambda: "Row count" in text() and "one row per distinct paper" in text(), 60, "overview of papers")
        wait_for(lambda: "representative_occurrence_id" in text(), 60, "columns of papers")
        browser.get(f"{served.url}/assets/release?view=checks&checkDetail=audit")
        wait_for(lambda: "occurrences_are_papers_and_folds" in text(), 120, "verdicts of the audit")
        assert "Passed" in text()
    finally:
        browser.quit()


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
