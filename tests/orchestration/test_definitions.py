"""The definitions: which assets and checks there are, what loading them reads, and the schedule."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import pytest

from assets.analytical.views import load_views
from assets.contract.tables import TABLES
from assets.contract.vocabulary import LAYERS
from orchestration.definitions import REFRESH, build_defs
from orchestration.settings import ScheduleSettings
from tests.conftest import ROOT
from tests.orchestration.snapshot import SNAPSHOT, describe_assets

SPECS = {spec.key.to_user_string(): spec for spec in build_defs().resolve_all_asset_specs()}

LOADING = """
import json, os, sys
import orchestration.definitions
opened, written = [], []
def watch(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        writes = "w" in (arguments[1] or "") or arguments[2] & (os.O_WRONLY | os.O_RDWR)
        (written if writes else opened).append(arguments[0])
sys.addaudithook(watch)
orchestration.definitions.definitions()
print(json.dumps({"opened": opened, "written": written}))
"""


def test_the_assets_are_those_of_the_snapshot() -> None:
    assert describe_assets(build_defs()) == SNAPSHOT.read_text(encoding="utf-8"), (
        "assets or checks changed; if that is meant, run `python -m tests.orchestration.snapshot` and review the file"
    )


def test_every_table_every_view_and_the_release_is_an_asset() -> None:
    published = {*TABLES, *(view.name for view in load_views())}
    assert set(SPECS) == published | {"sources", "files", "parsed_occurrences", "release"}
    assert {dep.asset_key.to_user_string() for dep in SPECS["release"].deps} == published


@pytest.mark.parametrize("name", sorted(SPECS))
def test_an_asset_is_described_grouped_and_has_its_columns(name: str) -> None:
    spec = SPECS[name]
    assert spec.group_name in LAYERS
    assert len(spec.description or "") > 15
    assert spec.kinds
    columns = spec.metadata["dagster/column_schema"].columns
    assert [column.name for column in columns if not column.description] == []
    assert len(columns) > 1


@pytest.mark.parametrize("name", sorted(SPECS))
def test_an_asset_reads_from_its_own_or_an_earlier_group(name: str) -> None:
    spec = SPECS[name]
    groups = [SPECS[dep.asset_key.to_user_string()].group_name for dep in spec.deps]
    assert all(LAYERS.index(group) <= LAYERS.index(spec.group_name) for group in groups)


def test_every_check_is_described_and_every_asset_is_checked() -> None:
    graph = build_defs().resolve_asset_graph()
    specs = [graph.get_check_spec(key) for key in graph.asset_check_keys]
    assert [spec.name for spec in specs if len(spec.description or "") < 15] == []
    assert {spec.asset_key.to_user_string() for spec in specs} == set(SPECS)
    assert sorted(spec.name for spec in specs if not spec.blocking) == [
        "decisions_hold",
        "drift",
        "readers_see_the_latest",
        "sources_fetched",
    ]


def test_definitions_use_nothing_deprecated_superseded_or_unfinished() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dg.Definitions.validate_loadable(build_defs())


def test_loading_reads_the_views_and_the_settings_and_writes_nothing() -> None:
    here = Path.cwd()
    settings = here / "paperfold.toml"
    settings.write_text('[schedule]\ncron = "30 5 * * *"\n', encoding="utf-8")
    environment = {**os.environ, "PAPERFOLD_DATA": str(here / "data"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", LOADING], cwd=here, env=environment, capture_output=True, text=True, check=True
    )
    files = json.loads(done.stdout)
    own = {Path(name).resolve() for name in files["opened"]}
    python = (Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve(), Path("/usr/share/zoneinfo"))
    own = {path for path in own if not any(path.is_relative_to(home) for home in python) and path.suffix != ".py"}
    assert own == {settings, *(ROOT / "sql").glob("*.sql")}
    assert files["written"] == []
    assert [path.name for path in here.iterdir()] == ["paperfold.toml"]


def test_the_daily_refresh_runs_by_default_when_the_settings_say() -> None:
    defs = build_defs(schedule=ScheduleSettings(cron="30 5 * * 1", time_zone="Europe/Berlin"))
    schedule = defs.resolve_schedule_def("daily_refresh")
    assert schedule.default_status is dg.DefaultScheduleStatus.RUNNING
    assert (schedule.cron_schedule, schedule.execution_timezone) == ("30 5 * * 1", "Europe/Berlin")
    assert schedule.job_name == REFRESH


def test_a_tick_of_the_schedule_asks_for_the_refresh_of_all_assets() -> None:
    defs = build_defs()
    with dg.DagsterInstance.ephemeral() as instance:
        context = dg.build_schedule_context(
            instance=instance, scheduled_execution_time=datetime(2026, 12, 1, 6, tzinfo=UTC)
        )
        (request,) = defs.resolve_schedule_def("daily_refresh").evaluate_tick(context).run_requests
    assert request.job_name in (None, REFRESH)
    job = defs.resolve_job_def(REFRESH)
    assert {key.to_user_string() for key in job.asset_layer.selected_asset_keys} == set(SPECS)
