"""From lists to a published release: the main job, on samples and on small lists written here."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import duckdb
import polars as pl
import pytest

from assets.contract.disk import file_sha256
from assets.contract.errors import PaperfoldError, SettingsError
from assets.contract.folder import DATABASE, DataFolder
from assets.contract.tables import TABLES
from assets.release.manifest import read_manifest, write_manifest
from assets.release.store import current_release, latest_release, list_releases
from orchestration.rollback import roll_back
from orchestration.verify import verify_release
from tests.building import TEXTS, build, ids_by_text, partition, rows, write_list


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    """Two overlapping lists: robot, bread | bread, spill."""
    path = tmp_path / "lists"
    write_list(path / "a.txt", "robot", "bread")
    write_list(path / "b.txt", "bread", "spill", heading="DemoConf 2026 论文列表")
    return path


def parquet_hashes(folder: DataFolder) -> dict[str, str]:
    release = folder.current
    return {table: hashlib.sha256((release / f"{table}.parquet").read_bytes()).hexdigest() for table in TABLES}


def test_overlapping_lists_become_one_row_per_paper(folder: DataFolder, lists: Path) -> None:
    summary = build(folder, lists)
    assert {
        name: summary[name] for name in ("documents", "occurrences", "papers", "folded", "conflicts", "rejects")
    } == {
        "documents": 2,
        "occurrences": 4,
        "papers": 3,
        "folded": 1,
        "conflicts": 0,
        "rejects": 0,
    }
    assert summary["outcome"] == "published"
    assert summary["checks_passed"] == summary["checks"] > 15
    assert set(ids_by_text(folder)) == {TEXTS["robot"], TEXTS["bread"], TEXTS["spill"]}
    assert rows(folder, "SELECT heading, venue, year, language FROM documents ORDER BY file_name") == [
        ("DemoConf 2026 Papers", "DemoConf", 2026, "en"),
        ("DemoConf 2026 论文列表", "DemoConf", 2026, "zh"),
    ]


def test_the_same_input_gives_the_same_bytes_and_id_in_any_folder(lists: Path, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere" / "lists"
    shutil.copytree(lists, copy)
    one, other = DataFolder(tmp_path / "one"), DataFolder(tmp_path / "other")
    assert build(one, lists)["release_id"] == build(other, copy)["release_id"]
    assert parquet_hashes(one) == parquet_hashes(other)


def test_an_unchanged_refresh_publishes_nothing_and_says_so(folder: DataFolder, lists: Path) -> None:
    first = build(folder, lists)
    before = (folder.current / DATABASE).stat().st_mtime_ns
    again = build(folder)
    assert (again["outcome"], again["release_id"]) == ("unchanged", first["release_id"])
    assert (folder.current / DATABASE).stat().st_mtime_ns == before
    assert len(list_releases(folder)) == 1


def test_a_refresh_follows_its_sources_and_folds_as_a_full_build_does(
    folder: DataFolder, lists: Path, tmp_path: Path
) -> None:
    build(folder, lists)
    ids = ids_by_text(folder)
    write_list(lists / "0.txt", "tide", "bread")
    write_list(lists / "a.txt", "lexicon", "robot")
    (lists / "b.txt").unlink()
    build(folder)
    fresh = DataFolder(tmp_path / "fresh")
    build(fresh, lists)
    assert partition(folder) == partition(fresh)
    assert set(ids_by_text(folder)) == {TEXTS[name] for name in ("tide", "bread", "lexicon", "robot")}
    assert all(ids[text] == paper_id for text, paper_id in ids_by_text(folder).items() if text in ids)
    assert rows(folder, "SELECT retired_paper_id, paper_id, kind FROM paper_aliases") == [
        (ids[TEXTS["spill"]], None, "withdrawn")
    ]


def test_unchanged_documents_are_not_read_again(
    folder: DataFolder, lists: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(folder, lists)
    import assets.parsed.asset as parsed

    read: list[str] = []
    whole = parsed.read_documents

    def spy(files, *arguments, **options):
        read.extend(files["file_name"])
        return whole(files, *arguments, **options)

    monkeypatch.setattr(parsed, "read_documents", spy)
    write_list(lists / "c.txt", "tide")
    build(folder)
    assert read == ["c.txt"]
    read.clear()
    build(folder, full=True)
    assert read == ["a.txt", "b.txt", "c.txt"]


def test_a_setting_of_a_source_leads_to_reading_its_documents_again(folder: DataFolder, lists: Path) -> None:
    settings = Path("paperfold.toml")
    settings.write_text(f'[[source]]\npath = "{lists}"\n')
    build(folder)
    assert rows(folder, "SELECT DISTINCT venue, list_key = 'my list' FROM documents") == [("DemoConf", False)]
    settings.write_text(f'[[source]]\nname = "my list"\npath = "{lists}"\nvenue = "OtherConf"\n')
    build(folder)
    assert rows(folder, "SELECT DISTINCT venue, list_key FROM documents") == [("OtherConf", "my list")]


def test_sources_are_remembered_and_replaced(folder: DataFolder, lists: Path) -> None:
    build(folder, lists)
    build(folder)
    assert build(folder, lists / "a.txt")["documents"] == 1
    assert build(folder)["documents"] == 1


def test_a_failed_build_keeps_the_remembered_sources(folder: DataFolder, lists: Path, tmp_path: Path) -> None:
    build(folder, lists)
    (tmp_path / "empty").mkdir()
    with pytest.raises(PaperfoldError):
        build(folder, tmp_path / "empty")
    assert build(folder)["documents"] == 2


def test_the_same_folder_given_twice_is_read_once(folder: DataFolder, lists: Path) -> None:
    assert build(folder, lists, lists / ".." / "lists")["documents"] == 2


@pytest.mark.parametrize("harm", ["folder removed", "manifest", "papers", "occurrences", "documents", "rejects"])
def test_a_build_gets_out_of_a_damaged_release(folder: DataFolder, lists: Path, harm: str) -> None:
    whole = build(folder, lists)
    ids = ids_by_text(folder)
    release = folder.release(whole["release_id"])
    if harm == "folder removed":
        shutil.rmtree(release)
    elif harm == "manifest":
        (release / "manifest.json").write_text("{")
    else:
        (release / f"{harm}.parquet").write_bytes(b"PAR1")
    assert build(folder)["papers"] == 3
    assert verify_release(folder, None)["ok"]
    assert ids_by_text(folder) == ids


def test_a_release_of_an_older_contract_leads_to_a_full_build_that_keeps_the_ids(
    folder: DataFolder, lists: Path
) -> None:
    release = folder.release(build(folder, lists)["release_id"])
    ids = ids_by_text(folder)
    documents = pl.read_parquet(release / "documents.parquet").drop("read_key")
    documents.write_parquet(release / "documents.parquet")
    rejects = pl.read_parquet(release / "rejects.parquet").drop("chars_nonblank")
    rejects.write_parquet(release / "rejects.parquet")
    manifest = read_manifest(release)
    tables = {
        name: file.model_copy(update={"sha256": file_sha256(release / f"{name}.parquet")})
        for name, file in manifest.tables.items()
    }
    write_manifest(manifest.model_copy(update={"contract_version": "0", "tables": tables}), release)
    write_list(lists / "c.txt", "tide")
    assert build(folder)["papers"] == 4
    assert {text: ids_by_text(folder)[text] for text in ids} == ids


def test_no_source_at_all_is_said(folder: DataFolder) -> None:
    with pytest.raises(PaperfoldError, match=r"has no source yet. Name a folder"):
        build(folder)


def test_a_missing_folder_is_named_and_not_remembered(folder: DataFolder, lists: Path, tmp_path: Path) -> None:
    build(folder, lists)
    with pytest.raises(PaperfoldError, match=r"nowhere is not there"):
        build(folder, tmp_path / "nowhere")
    assert build(folder)["documents"] == 2


def test_when_nothing_can_be_read_each_file_is_named_and_the_release_stays(
    folder: DataFolder, lists: Path, tmp_path: Path
) -> None:
    kept = build(folder, lists)["release_id"]
    bad = tmp_path / "bad"
    bad.mkdir()
    (bad / "empty.txt").touch()
    (bad / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9)
    (bad / "gone.txt").symlink_to(bad / "nowhere")
    with pytest.raises(PaperfoldError) as raised:
        build(folder, bad)
    message = str(raised.value)
    assert "No paper could be read from 3 file(s)" in message
    for name in ("bad/empty.txt", "bad/image.png", "bad/gone.txt: unreadable_file (a link to"):
        assert name in message
    assert current_release(folder) == kept


def test_an_empty_release_is_published_only_when_it_is_allowed(folder: DataFolder, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(PaperfoldError, match="The sources have no file"):
        build(folder, empty)
    assert current_release(folder) is None
    assert build(folder, empty, empty=True)["papers"] == 0
    assert rows(folder, "SELECT papers, fold_rate FROM corpus_summary") == [(0, None)]


def test_an_explicit_build_lets_a_rollback_go_and_a_failed_one_does_not(
    folder: DataFolder, lists: Path, tmp_path: Path
) -> None:
    first = build(folder, lists)["release_id"]
    write_list(lists / "c.txt", "tide")
    second = build(folder)["release_id"]
    roll_back(folder, first)
    (tmp_path / "empty").mkdir()
    with pytest.raises(PaperfoldError):
        build(folder, tmp_path / "empty")
    assert (current_release(folder), latest_release(folder)) == (first, second)
    assert build(folder, lists)["release_id"] == second
    assert current_release(folder) == second


def test_old_releases_are_retired(folder: DataFolder, lists: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERFOLD_RELEASE__KEEP", "2")
    build(folder, lists)
    for name in ("tide", "lexicon"):
        write_list(lists / f"{name}.txt", name)
        build(folder)
    assert [release.counts["papers"] for release in list_releases(folder)] == [5, 4]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("keep = 3", "keep: no such setting"),
        ("[release]\nkeep = 0", "release.keep: Input should be greater than or equal to 1 (found 0)"),
        ("[schedule]\ncron = 'daily'", "schedule.cron: 'daily' is no cron expression"),
        ("[schedule]\ncron = '0 25 * * *'", "schedule.cron: '0 25 * * *' is no cron expression"),
        ("[schedule]\ncron = '0 0 30 2 *'", "schedule.cron: '0 0 30 2 *' is no cron expression that is ever due"),
        ("[sensor]\ninterval_seconds = 0", "sensor.interval_seconds: Input should be greater than or equal to 1"),
        ("[schedule]\ntime_zone = 'Mars'", "schedule.time_zone: 'Mars' is no IANA time zone"),
        ("[[source]]\npath = 'a'\nyaer = 1", "source.1.yaer: no such setting"),
        ("[[source]]\nname = 'x'", "source.1: expected either `path` or `url`, not neither"),
        (
            "[[source]]\nname = 'x'\npath = 'a'\nurl = 'https://a.org/'",
            "source.1: expected either `path` or `url`, not both",
        ),
        ("[[source]]\nurl = 'https://a.org/'", "source.1: `name` is missing: with `url`"),
        ("[[source]]\npath = 'a'\nhistory = true", "source.1: `name` is missing: with `history`"),
        ("[[source]]\nname = 'x'\nurl = 'file:///etc/passwd'", "source.1.url: it is no http or https address"),
        ("[[source]]\nname = 'x'\nurl = 'https://me:secret@a.org/'", "source.1.url: it holds a user name or password"),
        ("[[source]]\nname = 'x'\nurl = 'https://a.org/a b'", "source.1.url: it holds white space"),
        (
            "[[source]]\nname = 'x'\npath = 'a'\nhistory = 'perhaps'",
            "source.1.history: Input should be a valid",
        ),
        ("[fetch]\nattempts = 0", "fetch.attempts: Input should be greater than or equal to 1 (found 0)"),
        ("[[decision]]\nsame = ['pap_1', 'x']", "decision.1"),
        ("release = [", "can't be read as TOML"),
    ],
)
def test_a_wrong_setting_names_its_key(folder: DataFolder, lists: Path, text: str, words: str) -> None:
    Path("paperfold.toml").write_text(text)
    with pytest.raises(SettingsError) as raised:
        build(folder, lists)
    assert words in str(raised.value)
    assert "paperfold.toml" in str(raised.value)
    assert "secret" not in str(raised.value)


def test_a_wrong_variable_names_its_key(folder: DataFolder, lists: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERFOLD_RELEASE__KEEP", "many")
    with pytest.raises(SettingsError, match=r"release.keep: .*'many'"):
        build(folder, lists)


def test_an_analyst_and_a_refresh_do_not_disturb_each_other(folder: DataFolder, lists: Path) -> None:
    build(folder, lists)
    with duckdb.connect(str((folder.current / DATABASE).resolve()), read_only=True) as analyst:
        assert analyst.execute("SELECT papers FROM corpus_summary").fetchall() == [(3,)]
        write_list(lists / "c.txt", "tide")
        build(folder)
        assert analyst.execute("SELECT papers FROM corpus_summary").fetchall() == [(3,)]
    assert rows(folder, "SELECT papers FROM corpus_summary") == [(4,)]
