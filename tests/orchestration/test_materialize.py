"""Runs as the UI starts them: what each asset and check shows, single layers, and what a failed run says."""

from __future__ import annotations

import json
import re
import threading
import warnings
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import dagster as dg
import polars as pl
import pytest
from dagster._utils.warnings import BetaWarning, PreviewWarning, SupersessionWarning

from assets.analytical.analyses import TABLES as ANALYTICAL
from assets.contract.asset import PREVIEW_ROWS
from assets.contract.folder import DATABASE, DataFolder
from assets.contract.tables import TABLES
from assets.folded.asset import TABLES as FOLDED
from assets.release.store import current_release
from orchestration.definitions import build_defs
from orchestration.instance import open_instance
from orchestration.lock import writer_lock
from orchestration.resources import RunInputs, build_resources
from orchestration.settings import Settings
from orchestration.sources import configured_sources, remember_paths
from tests.building import write_list
from tests.conftest import SAMPLES
from tests.orchestration.served import wait_for

_PLOT = re.compile(r"!\[[^\]]*\]\(data:image/svg\+xml[^)\s]*\)")
"""A picture of ours; it is a picture on purpose."""
HOSTILE = """DemoConf 2026 Papers

We study how a warehouse | robot plans a route ![x](http://localhost/y.png) while [shelves](javascript:alert(1)) move.
<script>alert(1)</script> The planner keeps two maps and spends more sensing effort where they disagree with each other.
"""


class Run:
    """A run over a data folder with what the settings and the folder say, as one that the UI starts."""

    def __init__(
        self,
        folder: DataFolder,
        assets: Sequence[str] | None = None,
        checks_of: str | None = None,
        queue_seconds: int = 60,
    ) -> None:
        """Materialize all assets or some with their checks, or run the checks of one asset."""

        def inputs() -> RunInputs:
            settings = Settings(queue_seconds=queue_seconds)
            return RunInputs(settings, folder, *configured_sources(settings, folder))

        defs = build_defs(build_resources(inputs))
        job = defs.resolve_implicit_global_asset_job_def()
        keys = None if assets is None else [dg.AssetKey(name) for name in assets]
        if checks_of:
            graph = defs.resolve_asset_graph()
            chosen = graph.get_check_keys_for_assets({dg.AssetKey(checks_of)})
            job, keys = job.get_subset(asset_selection=set(), asset_check_selection=set(chosen)), None
        with open_instance(folder) as instance, warnings.catch_warnings():
            for category in (DeprecationWarning, BetaWarning, PreviewWarning, SupersessionWarning):
                warnings.simplefilter("error", category)
            self.result = job.execute_in_process(
                run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
                instance=instance,
                raise_on_error=False,
                asset_selection=keys,
            )
            self.log = [entry.user_message for entry in instance.all_logs(self.result.run_id)]

    @property
    def shown(self) -> dict[str, dict[str, Any]]:
        """Asset -> name -> value of what its materialization shows."""
        events = [event for event in self.result.all_events if event.is_step_materialization]
        return {
            event.asset_key.to_user_string(): {
                name: plain(entry) for name, entry in event.step_materialization_data.materialization.metadata.items()
            }
            for event in events
            if event.asset_key
        }

    @property
    def verdicts(self) -> dict[tuple[str, str], dg.AssetCheckEvaluation]:
        """(asset, check) -> how it was judged."""
        judged = self.result.get_asset_check_evaluations()
        return {(entry.asset_key.to_user_string(), entry.check_name): entry for entry in judged}

    @property
    def failure(self) -> str:
        """What the failed steps say first."""
        events = [event.step_failure_data.error for event in self.result.all_events if event.is_step_failure]
        return "\n".join(error.message for error in events if error)


def last_outcome(folder: DataFolder) -> str:
    return json.loads(folder.last_refresh.read_text(encoding="utf-8"))["outcome"]


def plain(entry: dg.MetadataValue) -> Any:
    """Return a metadata value; a table as a list of its rows."""
    return [dict(row.data) for row in entry.records] if isinstance(entry, dg.TableMetadataValue) else entry.value


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> tuple[DataFolder, Run]:
    """A fresh data folder in which everything was materialized once."""
    folder = DataFolder(tmp_path_factory.mktemp("samples") / "data")
    remember_paths(folder, [SAMPLES])
    return folder, Run(folder)


@pytest.fixture
def lists(folder: DataFolder, tmp_path: Path) -> Path:
    """A list of two papers, remembered as the source of the data folder."""
    path = tmp_path / "lists"
    write_list(path / "a.txt", "robot", "bread")
    remember_paths(folder, [path])
    return path


def test_every_asset_shows_rows_columns_and_a_preview(samples: tuple[DataFolder, Run]) -> None:
    folder, run = samples
    assert run.result.success
    keys = build_defs().resolve_asset_graph().get_all_asset_keys()
    assert set(run.shown) == {key.to_user_string() for key in keys}
    specs = {spec.key.to_user_string(): spec for spec in build_defs().resolve_all_asset_specs()}
    for name, shown in run.shown.items():
        names = [column.name for column in specs[name].metadata["dagster/column_schema"].columns]
        rows = shown["preview"]
        assert len(rows) == min(PREVIEW_ROWS, shown["dagster/row_count"]), name
        assert all(list(row) == names for row in rows), name
    for table in TABLES:
        assert run.shown[table]["dagster/row_count"] == pl.read_parquet(folder.current / f"{table}.parquet").height


def test_every_check_has_its_verdict(samples: tuple[DataFolder, Run]) -> None:
    _, run = samples
    wanted = build_defs().resolve_asset_graph().asset_check_keys
    assert set(run.verdicts) == {(key.asset_key.to_user_string(), key.name) for key in wanted}
    assert [name for name, verdict in run.verdicts.items() if not verdict.passed] == []
    assert all(verdict.metadata for verdict in run.verdicts.values())


def test_the_release_says_where_it_is_and_what_is_in_it(samples: tuple[DataFolder, Run]) -> None:
    folder, run = samples
    shown = run.shown["release"]
    assert shown["release_id"] == current_release(folder)
    assert Path(shown["database"]) == folder.releases / shown["release_id"] / DATABASE
    assert {row["table"]: row["rows"] for row in shown["tables"]} == {name: shown[name] for name in TABLES}
    assert shown["outcome"] == "published a new release"
    assert last_outcome(folder) == "published"


def test_text_of_lists_stays_text(folder: DataFolder, tmp_path: Path) -> None:
    path = tmp_path / "lists"
    path.mkdir()
    (path / "<b>![x](y) a|b.txt").write_text(HOSTILE, encoding="utf-8")
    remember_paths(folder, [path])
    run = Run(folder)
    assert run.result.success
    text = HOSTILE.split("\n\n", 1)[1].strip()
    shown = run.shown["parsed_occurrences"]["preview"][0]["raw_text"]
    assert shown == text[:79] + "…"
    assert run.shown["documents"]["preview"][0]["file_name"] == "<b>![x](y) a|b.txt"
    for asset, metadata in run.shown.items():
        words = {name: _PLOT.sub("", value) for name, value in metadata.items() if isinstance(value, str)}
        free = [name for name, value in words.items() if "](" in value]
        assert free == [], f"{asset} shows text of a list outside a table, where Markdown would be drawn"


def test_a_failing_check_shows_figures_and_rows_and_blocks(folder: DataFolder, lists: Path) -> None:
    assert Run(folder).result.success
    path = folder.work("folded") / "papers.parquet"
    papers = pl.read_parquet(path)
    pl.concat([papers, papers.head(1)]).write_parquet(path)
    run = Run(folder, checks_of="papers")
    verdict = run.verdicts["papers", "papers_schema"]
    assert not run.result.success
    assert (verdict.passed, verdict.blocking, verdict.severity) == (False, True, dg.AssetCheckSeverity.ERROR)
    assert {name: verdict.metadata[name].value for name in ("rows", "failing_rows")} == {"rows": 3, "failing_rows": 2}
    failing = plain(verdict.metadata["failing_rows_shown"])
    assert [row["paper_id"] for row in failing] == [papers["paper_id"][0]] * 2
    assert "papers: papers_schema" in run.failure


def test_the_release_alone_is_unchanged_after_a_refresh(folder: DataFolder, lists: Path) -> None:
    Run(folder)
    run = Run(folder, ["release"])
    assert run.result.success
    assert run.shown["release"]["outcome"].startswith("nothing new")


def test_layers_one_by_one_make_a_release(folder: DataFolder, lists: Path) -> None:
    views = sorted(path.stem for path in (Path(__file__).parents[2] / "sql").glob("*.sql"))
    for layer in (
        ["sources", "files"],
        ["documents", "parsed_occurrences", "rejects"],
        FOLDED,
        [*ANALYTICAL, *views],
        ["release"],
    ):
        assert Run(folder, layer).result.success, layer
    assert last_outcome(folder) == "published"


def test_a_release_of_layers_that_do_not_belong_together_is_refused_with_what_to_do(
    folder: DataFolder, lists: Path
) -> None:
    Run(folder)
    published = current_release(folder)
    write_list(lists / "b.txt", "spill")
    assert Run(folder, ["sources", "files"]).result.success
    assert last_outcome(folder) == "published", "one layer alone is no refresh"
    run = Run(folder, ["release"])
    assert not run.result.success
    assert "Failure: work/parsed was made from another state of work/raw: materialize the parsed assets" in run.failure
    assert current_release(folder) == published
    assert last_outcome(folder) == "failed"


def test_checks_before_any_materialization_say_what_is_missing(folder: DataFolder, lists: Path) -> None:
    run = Run(folder, checks_of="papers")
    assert "Failure: work/folded is not there: materialize the folded assets first." in run.failure


def test_a_source_that_is_gone_is_named_in_the_failure(folder: DataFolder, lists: Path) -> None:
    lists.rename(lists.with_name("elsewhere"))
    run = Run(folder)
    assert run.failure.startswith("dagster._core.definitions.events.Failure: No document was found, and 1 source(s)")
    assert f"lists ({lists}): {lists} is not there" in run.failure


def test_a_folder_without_a_source_says_so_in_the_log(folder: DataFolder) -> None:
    run = Run(folder)
    assert not run.result.success
    assert any("has no source yet. Name a folder of paper lists" in line for line in run.log)


def test_a_run_waits_for_the_writer_before_it(folder: DataFolder, lists: Path) -> None:
    open_instance(folder).dispose()
    held = ExitStack()
    held.enter_context(writer_lock(folder, "paperfold build"))

    def release_once_waited_for() -> None:
        with held, open_instance(folder) as instance:
            wait_for(lambda: any(map(says_waiting, logged(instance))), 60, "word of waiting")

    writer = threading.Thread(target=release_once_waited_for)
    writer.start()
    run = Run(folder, ["sources", "files"], queue_seconds=120)
    writer.join()
    assert run.result.success
    assert any(map(says_waiting, run.log))


def says_waiting(line: str) -> bool:
    return line.startswith("Waiting for process") and "(paperfold build, since" in line


def logged(instance: dg.DagsterInstance) -> list[str]:
    return [entry.user_message for run in instance.get_runs() for entry in instance.all_logs(run.run_id)]


def test_a_run_that_waited_too_long_names_the_holder(folder: DataFolder, lists: Path) -> None:
    with writer_lock(folder, "paperfold build"):
        run = Run(folder, ["sources", "files"], queue_seconds=0)
    assert not run.result.success
    assert any("is being written by process" in line and "(paperfold build, since" in line for line in run.log)
