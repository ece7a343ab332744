"""`changes`, `show` and `why`, as a reader meets them, on real releases."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from assets.release.store import current_release, list_releases
from orchestration.changes import read_changes
from orchestration.changes import show as show_changes
from orchestration.lock import writer_lock
from orchestration.show import read_paper
from orchestration.terminal import prose_console
from orchestration.why import explain
from orchestration.why import show as show_why
from tests.building import TEXTS, build, rows, write_list
from tests.orchestration.test_cli import paperfold

REVISED = TEXTS["robot"].replace("18% sooner", "21% sooner")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    """1 June: robot, bread, spill. 2 June: tide, robot (revised), spill cut. A release after each."""
    place = tmp_path_factory.mktemp("reading")
    folder = DataFolder(place / "data")
    write_list(place / "lists" / "demo-2026-06-01.txt", "robot", "bread", "spill")
    build(folder, place / "lists")
    second = place / "lists" / "demo-2026-06-02.txt"
    second.write_text(
        "\n\n".join(["DemoConf 2026 Papers", TEXTS["tide"], REVISED, TEXTS["spill"][:130] + " ..."]) + "\n",
        encoding="utf-8",
    )
    build(folder)
    return folder


def paper_of(folder: DataFolder, name: str) -> str:
    [(paper,)] = rows(folder, f"SELECT paper_id FROM papers WHERE text LIKE '{TEXTS[name][:40]}%'")
    return paper


def occurrence_of(folder: DataFolder, day: str, position: int) -> str:
    [(occurrence,)] = rows(
        folder,
        "SELECT occurrence_id FROM occurrences JOIN documents USING (document_id) "
        f"WHERE file_name = 'demo-2026-06-{day}.txt' AND position = {position}",
    )
    return occurrence


def printed(show, found, *, width: int | None = None) -> str:
    """What a command prints: to a pipe, or to a terminal of some width."""
    out = io.StringIO()
    console = prose_console(out) if width is None else Console(file=out, width=width, force_terminal=True)
    show(found, console)
    return out.getvalue()


def test_changes_tells_what_is_new_revised_cut_and_dropped(folder: DataFolder) -> None:
    found = read_changes(folder, None, None)
    assert found["counts"] == {"new": 1, "revised": 1, "cut": 1, "listed": 0, "dropped": 1}
    told = {change["change"]: change["paper_id"] for change in found["lists"][0]["changes"]}
    assert told == {
        "new": paper_of(folder, "tide"),
        "revised": paper_of(folder, "robot"),
        "cut": paper_of(folder, "spill"),
        "dropped": paper_of(folder, "bread"),
    }
    text = printed(show_changes, found)
    assert "1 new · 1 revised · 1 cut · 1 dropped" in text
    assert "ends the tour [-18%-]{+21%+} sooner." in text


def test_changes_are_coloured_on_a_terminal_and_plain_in_a_pipe(folder: DataFolder) -> None:
    found = read_changes(folder, None, None)
    assert "\x1b" not in printed(show_changes, found)
    coloured = printed(show_changes, found, width=100)
    assert "\x1b[1;32m21%" in coloured
    assert "[-18%-]" not in coloured


def test_changes_since_a_release_and_since_a_date(folder: DataFolder) -> None:
    newest, oldest = list_releases(folder)
    since_release = read_changes(folder, oldest.release_id[:9], None)
    assert since_release["counts"]["new"] == 1
    assert since_release["since"]["release_id"] == oldest.release_id
    since_date = read_changes(folder, newest.published_at.isoformat(timespec="seconds")[:19], None)
    assert since_date["since"]["release_id"] in (oldest.release_id, newest.release_id)
    assert read_changes(folder, "2999-01-01", None)["counts"]["new"] == 0
    assert read_changes(folder, "2001-01-01", None)["counts"]["new"] == 4


def test_changes_between_the_last_two_snapshots_of_a_list(folder: DataFolder) -> None:
    found = read_changes(folder, None, "demo")
    assert found["snapshots"]["order_known"]
    assert found["counts"] == {"new": 1, "revised": 1, "cut": 1, "listed": 0, "dropped": 1}
    assert "from 2026-06-01 (demo-2026-06-01.txt) to 2026-06-02" in printed(show_changes, found)


@pytest.mark.parametrize(
    ("since", "list_key", "words"),
    [
        ("rel_nowhere", None, "No release 'rel_nowhere'. There are: rel_"),
        ("2026-13-40", None, "Expected a date such as 2026-06-01"),
        (None, "nolist", "No list 'nolist'. There are: democonf 2026."),
        ("2026-06-01", "demo", "No snapshot of 'democonf 2026' is known to be from before 2026-06-01"),
    ],
)
def test_changes_says_what_is_not_there(folder: DataFolder, since: str, list_key: str, words: str) -> None:
    with pytest.raises(PaperfoldError, match=words.replace("(", r"\(")):
        read_changes(folder, since, list_key)


def test_a_list_without_times_says_that_its_order_is_not_known(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    write_list(tmp_path / "lists" / "a.txt", "robot")
    write_list(tmp_path / "lists" / "b.txt", "robot", "bread")
    build(folder, tmp_path / "lists")
    found = read_changes(folder, None, "democonf 2026")
    assert not found["snapshots"]["order_known"]
    assert "The order of the two is not known" in printed(show_changes, found)


def test_the_release_holds_its_changes_as_markdown(folder: DataFolder) -> None:
    text = (folder.current / "changes.md").read_text(encoding="utf-8")
    assert "1 new, 1 revised, 1 cut, 1 dropped" in text
    first = min(list_releases(folder), key=lambda release: release.sequence)
    assert "the first one" in (folder.release(first.release_id) / "changes.md").read_text(encoding="utf-8")


def test_why_explains_a_fold_and_what_the_release_did(folder: DataFolder) -> None:
    one, other = occurrence_of(folder, "01", 1), occurrence_of(folder, "02", 2)
    report = explain(folder, one, other)
    assert (report["rule"]["folds"], report["rule"]["kind"], report["release"]["same_paper"]) == (True, "revised", True)
    [fold] = report["release"]["folds"]
    assert fold["match_kind"] == "revised"
    text = printed(show_why, report)
    assert f"Both are copies of one paper, {paper_of(folder, 'robot')}." in text
    assert "[-18%-]{+21%+}" in text


def test_why_explains_two_papers(folder: DataFolder) -> None:
    report = explain(folder, paper_of(folder, "robot"), paper_of(folder, "bread"))
    assert (report["rule"]["folds"], report["release"]["same_paper"]) == (False, False)
    assert report["difference"] == []


def test_why_takes_files_and_reads_their_markup(folder: DataFolder, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(REVISED.replace("18%", r"18\%").replace("moves", r"\emph{moves}"), encoding="utf-8")
    (tmp_path / "b.txt").write_text(TEXTS["robot"], encoding="utf-8")
    report = explain(folder, str(tmp_path / "a.txt"), str(tmp_path / "b.txt"))
    assert report["rule"]["kind"] == "revised"
    assert report["release"] is None
    beside = explain(folder, str(tmp_path / "b.txt"), occurrence_of(folder, "01", 1))
    assert beside["rule"]["kind"] == "exact"
    assert "is a file and no part of the release" in printed(show_why, beside)


def test_two_files_need_no_release(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXTS["robot"], encoding="utf-8")
    done = paperfold("why", tmp_path / "a.txt", tmp_path / "a.txt", "--data", tmp_path / "none")
    assert (done.returncode, "They fold: exact." in done.stdout) == (0, True)


def test_show_tells_where_a_paper_stands_and_how_its_versions_differ(folder: DataFolder) -> None:
    done = paperfold("show", paper_of(folder, "robot")[:10], "--data", folder.root)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Stands in 2 documents" in done.stdout
    assert "2026-06-01  demo-2026-06-01.txt, position 1" in done.stdout
    assert "2 versions of its text" in done.stdout
    assert "%-]{+" in done.stdout
    paper = read_paper(folder, occurrence_of(folder, "02", 2))
    assert paper["note"].endswith(f"is an occurrence of {paper['paper_id']}.")
    assert [len(version["occurrence_ids"]) for version in paper["versions"]] == [1, 1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("show", "pap_zz"), "has no paper 'pap_zz'. Expected an id that begins with pap_"),
        (("show", "pap_"), "is the beginning of 4 paper ids: pap_"),
        (("why", "occ_zz", "pap_"), "has no occurrence 'occ_zz'"),
        (("why", "nofile.txt", "pap_"), "'nofile.txt' is no file and no id"),
    ],
)
def test_an_unknown_id_is_a_clear_error(folder: DataFolder, arguments: tuple[str, ...], words: str) -> None:
    done = paperfold(*arguments, "--data", folder.root)
    assert (done.returncode, done.stdout) == (1, "")
    assert words in done.stderr


def test_a_retired_id_finds_its_heir_with_a_word_about_it(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    write_list(tmp_path / "lists" / "a.txt", "robot")
    write_list(tmp_path / "lists" / "b.txt", "bread")
    build(folder, tmp_path / "lists")
    retired, heir = paper_of(folder, "bread"), paper_of(folder, "robot")
    Path("paperfold.toml").write_text(f'[[decision]]\nsame = ["{retired}", "{heir}"]\n', encoding="utf-8")
    build(folder)
    [(old, new)] = rows(folder, "SELECT retired_paper_id, paper_id FROM paper_aliases")
    paper = read_paper(folder, old)
    assert paper["paper_id"] == new
    assert "is retired (merged): it stands for" in paper["note"]
    report = explain(folder, occurrence_id(folder, "a.txt"), occurrence_id(folder, "b.txt"))
    assert not report["rule"]["folds"]
    assert report["release"]["same_paper"]
    assert "decision" in printed(show_why, report)


def occurrence_id(folder: DataFolder, name: str) -> str:
    [(found,)] = rows(
        folder, f"SELECT occurrence_id FROM occurrences JOIN documents USING (document_id) WHERE file_name = '{name}'"
    )
    return found


def test_a_withdrawn_paper_says_so(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    write_list(tmp_path / "lists" / "a.txt", "robot", "bread")
    build(folder, tmp_path / "lists")
    gone, had = paper_of(folder, "bread"), current_release(folder)
    write_list(tmp_path / "lists" / "a.txt", "robot")
    build(folder)
    with pytest.raises(PaperfoldError, match=f"was withdrawn: .* {had} was the last release that had it"):
        read_paper(folder, gone)


def test_they_work_while_a_refresh_runs_and_without_dagster(folder: DataFolder) -> None:
    code = (
        "import sys; from orchestration.cli import app\n"
        "try: app(sys.argv[1:])\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "assert 'dagster' not in sys.modules"
    )
    robot = paper_of(folder, "robot")
    with writer_lock(folder, "a refresh"):
        for arguments in (["changes"], ["show", robot], ["why", robot, paper_of(folder, "tide")]):
            command = [sys.executable, "-c", code, *arguments, "--data", str(folder.root), "--json"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
            assert done.returncode == 0, done.stderr
            json.loads(done.stdout)


def test_a_decision_that_nothing_answers_to_is_told_by_the_build(tmp_path: Path) -> None:
    from orchestration.summary import render

    folder = DataFolder(tmp_path / "data")
    write_list(tmp_path / "lists" / "a.txt", "robot", "bread")
    nobody = "pap_" + "0" * 20
    Path("paperfold.toml").write_text(f'[[decision]]\nsame = ["{nobody}", "occ_{"1" * 20}"]\n', encoding="utf-8")
    summary = build(folder, tmp_path / "lists")
    text = render(summary, folder)
    assert f"decision.1.same: nothing in this release answers to {nobody} and occ_111" in text
    assert "not passed: decisions_hold" in text
    Path("paperfold.toml").unlink()
    assert build(folder)["unheard_decisions"] == []
