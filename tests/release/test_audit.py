"""The gate: a release that breaks any rule is not published, however its step was started."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from assets.analytical.views import load_views
from assets.contract.arrow import empty
from assets.contract.base import base_tables
from assets.contract.check import Verdict
from assets.contract.errors import AuditError, PaperfoldError, StaleWorkError
from assets.contract.folder import DataFolder
from assets.contract.parquet import write_table
from assets.contract.vocabulary import TABLE_LAYERS
from assets.contract.work import layer_staging, read_note
from assets.release.audit import all_checks
from assets.release.checks import judge_drift, judge_shrinking
from assets.release.publication import Waivers, publish_work
from assets.release.settings import ReleaseSettings
from assets.release.store import current_release, list_releases, make_latest, usable_base
from orchestration.verify import verify_release
from tests.building import build, write_list

NOW = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture
def built(folder: DataFolder, tmp_path: Path) -> DataFolder:
    """A data folder whose next release is ready under work/: the last one and a list more."""
    write_list(tmp_path / "lists" / "a.txt", "robot", "bread")
    build(folder, tmp_path / "lists")
    write_list(tmp_path / "lists" / "b.txt", "bread", "tide")
    build(folder)
    return folder


def publish(folder: DataFolder, **waivers: bool):
    return publish_work(folder, usable_base(folder), load_views(), ReleaseSettings(), Waivers(**waivers), NOW)


def tamper(folder: DataFolder, table: str, change) -> None:
    """Change a table under work/ as a faulty step would: whole, with notes that belong together."""
    layers = ["raw", "parsed", "folded", "analytical"]
    base = read_note(folder, "folded").base_release
    for layer in layers[layers.index(TABLE_LAYERS[table]) :]:
        made_from = read_note(folder, layers[layers.index(layer) - 1]).token
        frames = {path.stem: pl.read_parquet(path) for path in folder.work(layer).glob("*.parquet")}
        kept = {path.name: path.read_bytes() for path in folder.work(layer).glob("folding.json")}
        with layer_staging(folder, layer, made_from, base if layer != "raw" else None) as staging:
            for name, content in kept.items():
                (staging / name).write_bytes(content)
            for name, frame in frames.items():
                if name == table:
                    write_table(change(frame), name, staging / f"{name}.parquet")
                elif name in TABLE_LAYERS or name == "parsed_occurrences":
                    write_table(frame, name, staging / f"{name}.parquet")
                else:
                    frame.write_parquet(staging / f"{name}.parquet")


FAULTS = {
    "an occurrence is lost": ("occurrences", lambda t: t.slice(1), "conservation"),
    "an occurrence comes twice": ("occurrences", lambda t: pl.concat([t, t.head(1)]), "occurrences_schema"),
    "raw text is no slice": ("occurrences", lambda t: t.with_columns(raw_text=pl.lit("x")), "raw_texts"),
    "a paper is lost": ("papers", lambda t: t.slice(1), "folded_keys_hold"),
    "a fold is lost": ("folds", lambda t: t.slice(1), "occurrences_are_papers_and_folds"),
    "a paper has another id": ("papers", lambda t: t.with_columns(paper_id="pap_" + pl.lit("0" * 20)), "papers_schema"),
    "a count is wrong": ("documents", lambda t: t.with_columns(rejects=pl.lit(7)), "reading_counts"),
    "a document is lost": ("documents", lambda t: t.slice(1), "reading_keys"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_release_that_breaks_a_rule_is_not_published(built: DataFolder, fault: str) -> None:
    table, change, rule = FAULTS[fault]
    before = current_release(built)
    # Only what is built on the latest release reaches the audit.
    build(built, full=True)
    tamper_base(built)
    tamper(built, table, change)
    with pytest.raises(AuditError) as raised:
        publish(built)
    assert rule in str(raised.value)
    assert current_release(built) == before
    assert [path.name for path in built.releases.iterdir() if path.name.startswith(".")] == []
    assert rule in {check.name for check, verdict in raised.value.judged if not verdict.passed}


def tamper_base(folder: DataFolder) -> None:
    """Let the layers under work/ build on the current release."""
    latest = current_release(folder)
    for layer, before in (("parsed", "raw"), ("folded", "parsed"), ("analytical", "folded")):
        frames = {path.name: path.read_bytes() for path in folder.work(layer).iterdir() if path.is_file()}
        frames.pop("layer.json")
        with layer_staging(folder, layer, read_note(folder, before).token, latest) as staging:
            for name, content in frames.items():
                (staging / name).write_bytes(content)


def test_layers_that_do_not_belong_together_are_refused(built: DataFolder) -> None:
    tamper_base(built)
    frames = {path.name: path.read_bytes() for path in built.work("parsed").glob("*.parquet")}
    with layer_staging(built, "parsed", "another inventory", current_release(built)) as staging:
        for name, content in frames.items():
            (staging / name).write_bytes(content)
    with pytest.raises(StaleWorkError, match=r"work/parsed was made from another state of work/raw"):
        publish(built)


def test_work_that_builds_on_another_release_is_refused(built: DataFolder, tmp_path: Path) -> None:
    write_list(tmp_path / "lists" / "c.txt", "spill")
    build(built)
    make_latest(built, list_releases(built)[-1].release_id)
    with pytest.raises(StaleWorkError, match=r"work/parsed builds on release rel_.*, and the latest is rel_"):
        publish(built)


def test_a_layer_that_was_never_finished_is_named(folder: DataFolder) -> None:
    with pytest.raises(StaleWorkError, match=r"work/parsed is not there: materialize the parsed assets first"):
        publish(folder)


def counted(papers: int, occurrences: int = 0, documents: int = 0) -> dict[str, pl.LazyFrame]:
    sizes = {"papers": papers, "occurrences": occurrences, "documents": documents, "rejects": 0}
    return {name: pl.LazyFrame({"n": range(size)}) for name, size in sizes.items()}


def judged(judge, now: dict[str, pl.LazyFrame], before: dict[str, pl.LazyFrame]) -> Verdict:
    return judge({**now, **{f"base_{name}": frame for name, frame in before.items()}})


@pytest.mark.parametrize(
    ("before", "now", "passes"), [(1000, 500, True), (1000, 499, False), (999, 1, True), (0, 0, True)]
)
def test_a_release_may_not_lose_more_than_half_of_many_papers(before: int, now: int, passes: bool) -> None:
    assert judged(judge_shrinking, counted(now), counted(before)).passed is passes


@pytest.mark.parametrize(
    ("before", "now", "jumped"),
    [
        ((100, 120, 30), (151, 180, 30), ["papers"]),
        ((100, 120, 30), (150, 180, 45), []),
        ((100, 120, 30), (100, 178, 30), ["fold_rate"]),
        ((10, 12, 3), (30, 36, 9), []),
    ],
)
def test_drift_is_told(before: tuple[int, int, int], now: tuple[int, int, int], jumped: list[str]) -> None:
    verdict = judged(judge_drift, counted(*now), counted(*before))
    assert verdict.failing is not None
    assert verdict.failing["figure"].to_list() == jumped


def test_accepted_shrinking_is_published_and_stays_so(
    folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assets.release.checks._FLOOR", 3)
    write_list(tmp_path / "lists" / "a.txt", "robot", "bread", "spill")
    build(folder, tmp_path / "lists")
    write_list(tmp_path / "lists" / "a.txt", "robot")
    with pytest.raises(PaperfoldError, match="--accept-drift"):
        build(folder)
    assert build(folder, drift=True)["outcome"] == "published"
    assert build(folder)["outcome"] == "unchanged"
    assert verify_release(folder, None)["ok"]


def test_shrinking_is_refused_unless_it_is_accepted(built: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assets.release.checks._FLOOR", 3)
    build(built, full=True)
    tamper_base(built)
    for table in ("papers", "occurrences", "folds", "documents", "rejects"):
        tamper(built, table, lambda frame: frame.clear())
    with pytest.raises(AuditError, match="--accept-drift"):
        publish(built, empty=True)


def test_every_check_has_a_name_of_its_own_and_says_what_it_promises(tmp_path: Path) -> None:
    checks = all_checks(tmp_path, load_views())
    assert len({check.name for check in checks}) == len(checks)
    assert all(check.description.endswith(".") for check in checks)


def test_the_tables_of_no_release_have_no_rows() -> None:
    assert {name: frame.collect().height for name, frame in base_tables(None).items()} == dict.fromkeys(
        (f"base_{name}" for name in TABLE_LAYERS), 0
    )


def test_a_verdict_in_words_shows_its_first_failing_row() -> None:
    verdict = Verdict(False, {"failing_rows": 2}, empty("folds").head(0))
    assert verdict.in_words() == "failing_rows 2"
    assert "'a': 1" in Verdict(False, {}, pl.DataFrame({"a": [1]})).in_words()
