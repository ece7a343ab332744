"""The command line, as a user meets it: what it prints, in which form, with which exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from assets.contract.folder import DATABASE, DataFolder
from assets.release.store import current_release
from tests.building import build, write_list
from tests.conftest import ROOT, SAMPLES

PAPERFOLD = Path(sys.executable).parent / "paperfold"


def paperfold(*arguments: object, cwd: Path | None = None, **options: object) -> subprocess.CompletedProcess:
    """Run the command as a shell would, its output no terminal."""
    return subprocess.run(
        [str(PAPERFOLD), *map(str, arguments)], capture_output=True, text=True, cwd=cwd, timeout=300, **options
    )


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with two releases of small lists."""
    place = tmp_path_factory.mktemp("cli")
    folder = DataFolder(place / "data")
    write_list(place / "lists" / "a.txt", "robot", "bread")
    build(folder, place / "lists")
    write_list(place / "lists" / "b.txt", "bread", "tide")
    build(folder)
    return folder.root


def test_build_tells_what_it_made_and_what_became_of_each_file(tmp_path: Path) -> None:
    done = paperfold("build", SAMPLES, "--data", tmp_path / "data")
    assert (done.returncode, done.stderr) == (0, "")
    assert "published a new release" in done.stdout
    for line in ("documents", "occurrences", "papers", "folded", "conflicts", "rejects", "checks"):
        assert f"\n  {line} " in done.stdout
    assert "meridian-2026-06-10.txt: nothing read: undecodable (" in done.stdout
    assert f"Database  {tmp_path}/data/current/{DATABASE}" in done.stdout
    [suggestion] = [line for line in done.stdout.splitlines() if line.startswith("Try")]
    assert f"--data {tmp_path}/data" in suggestion
    again = paperfold("build", "--data", tmp_path / "data", "--json")
    assert json.loads(again.stdout)["outcome"] == "unchanged"


def test_errors_are_one_message_on_standard_error_and_exit_code_1(tmp_path: Path) -> None:
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "empty.txt").touch()
    cases = {
        ("build", tmp_path / "nowhere"): "nowhere is not there",
        ("build", tmp_path / "lists"): "lists/empty.txt",
        ("query", "SELECT 1"): "has no release yet",
        ("verify",): "has no release yet",
        ("rollback", "rel_1"): "has no release yet",
        ("rollback", "--unpin"): "has no release yet",
    }
    for arguments, words in cases.items():
        done = paperfold(*arguments, "--data", tmp_path / "data")
        assert done.returncode == 1, arguments
        assert done.stdout == ""
        assert done.stderr.startswith("error: ")
        assert words in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [["bake"], ["build", "--wait", "soon"], ["query"], ["rollback"], ["query", "SELECT 1", "--format", "xml"]],
)
def test_wrong_usage_has_exit_code_2(arguments: list[str], data: Path) -> None:
    assert paperfold(*arguments, cwd=data).returncode == 2


def test_a_busy_folder_names_its_holder(data: Path) -> None:
    hold = (
        "import sys, time; from pathlib import Path; from assets.contract.folder import DataFolder; "
        "from orchestration.lock import writer_lock\n"
        "with writer_lock(DataFolder(Path(sys.argv[1])), 'a long refresh'): print(1, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", hold, str(data)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        done = paperfold("build", "--data", data)
        assert (done.returncode, f"process {holder.pid} (a long refresh" in done.stderr) == (1, True)
        assert f"Writing now   process {holder.pid}" in paperfold("status", "--data", data).stdout
        assert paperfold("query", "SELECT papers FROM corpus_summary", "--data", data).returncode == 0
        holder.kill()


def test_query_prints_tables_csv_json_and_parquet(data: Path, tmp_path: Path) -> None:
    sql = "SELECT file_name, occurrences, ['a', 'b'] AS words FROM documents ORDER BY file_name"
    assert "2 rows" in paperfold("query", sql, "--data", data).stdout
    assert paperfold("query", sql, "--data", data, "--format", "csv").stdout.splitlines() == [
        "file_name,occurrences,words",
        'a.txt,2,"[""a"", ""b""]"',
        'b.txt,2,"[""a"", ""b""]"',
    ]
    assert json.loads(paperfold("query", sql, "--data", data, "--json").stdout) == [
        {"file_name": name, "occurrences": 2, "words": ["a", "b"]} for name in ("a.txt", "b.txt")
    ]
    with (tmp_path / "rows.parquet").open("wb") as out:
        command = [str(PAPERFOLD), "query", sql, "--data", str(data), "--format", "parquet"]
        subprocess.run(command, stdout=out, check=True)
    assert pl.read_parquet(tmp_path / "rows.parquet")["file_name"].to_list() == ["a.txt", "b.txt"]


@pytest.mark.parametrize(
    "sql", ["SELECT nothing FROM papers", "SELEC 1", "DELETE FROM papers", "CREATE TABLE t (a INT)"]
)
def test_a_query_that_fails_or_writes_is_refused(data: Path, sql: str) -> None:
    done = paperfold("query", sql, "--data", data)
    assert done.returncode == 1
    assert done.stderr.startswith("error: The query can't be run: ")


def test_several_statements_are_all_answered_or_refused(data: Path) -> None:
    done = paperfold("query", "SELECT 1 AS one; SELECT 2 AS two", "--data", data)
    assert ("one" in done.stdout, "two" in done.stdout) == (True, True)
    for sql in ("SELECT 1; SELECT 2", ""):
        refused = paperfold("query", sql, "--data", data, "--format", "csv")
        assert (refused.returncode, "Expected one statement" in refused.stderr) == (1, True)


def test_square_brackets_in_a_cell_are_text(data: Path) -> None:
    done = paperfold("query", "SELECT '[bold]x[/bold]' AS cell", "--data", data)
    assert "[bold]x[/bold]" in done.stdout


def test_releases_rollback_and_status_tell_the_same(data: Path) -> None:
    listed = json.loads(paperfold("releases", "--data", data, "--json").stdout)
    assert [release["papers"] for release in listed] == [3, 2]
    assert [release["current"] for release in listed] == ["current", ""]
    older = listed[1]["release_id"]
    assert paperfold("rollback", older[:8], "--data", data).returncode == 0
    assert current_release(DataFolder(data)) == older
    assert f"latest release is {listed[0]['release_id']}" in paperfold("status", "--data", data).stdout
    state = json.loads(paperfold("status", "--data", data, "--json").stdout)
    assert (state["release_id"], state["pinned"]) == (older, True)
    assert "pinned" in paperfold("releases", "--data", data).stdout
    assert paperfold("rollback", "--unpin", "--data", data).returncode == 0
    assert paperfold("rollback", "--unpin", "--data", data).returncode == 1


def test_verify_finds_damage(data: Path, tmp_path: Path) -> None:
    import shutil

    copy = DataFolder(tmp_path / "data")
    shutil.copytree(data, copy.root, symlinks=True)
    assert "is whole" in paperfold("verify", "--data", copy.root).stdout
    content = next(copy.raw.glob("*/*"))
    content.write_bytes(b"overwritten")
    lost = paperfold("verify", "--data", copy.root)
    assert lost.returncode == 1
    assert f"{content.relative_to(copy.root)} was changed since it was stored" in lost.stdout
    content.unlink()
    assert f"{content.relative_to(copy.root)} is missing" in paperfold("verify", "--data", copy.root).stdout
    (copy.current / "papers.parquet").write_bytes(b"PAR1")
    done = paperfold("verify", "--data", copy.root)
    assert done.returncode == 1
    assert "papers.parquet differs from the manifest's SHA-256" in done.stdout
    assert paperfold("rollback", current_release(copy), "--data", copy.root).returncode == 1


def test_gc_removes_what_no_release_needs(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    write_list(tmp_path / "lists" / "a.txt", "robot")
    build(folder, tmp_path / "lists")
    write_list(tmp_path / "lists" / "a.txt", "bread")
    build(folder)
    (folder.releases / ".staging-1").mkdir()
    Path("paperfold.toml").write_text("[release]\nkeep = 1\n")
    report = json.loads(paperfold("gc", "--data", folder.root, "--json").stdout)
    assert (len(report["retired"]), report["leftovers"], report["contents"]) == (1, [".staging-1"], 1)
    assert paperfold("verify", "--data", folder.root).returncode == 0
    assert build(folder)["outcome"] == "unchanged"


def test_status_answers_on_an_empty_folder_and_tells_of_a_failed_refresh(tmp_path: Path) -> None:
    assert "none yet" in paperfold("status", "--data", tmp_path / "data").stdout
    (tmp_path / "lists").mkdir()
    paperfold("build", tmp_path / "lists", "--data", tmp_path / "data")
    state = json.loads(paperfold("status", "--data", tmp_path / "data", "--json").stdout)
    assert state["last_refresh"]["outcome"] == "failed"
    assert state["sources"] == []


def test_status_loads_nothing_heavy(data: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from assets.contract.folder import DataFolder; "
        "from orchestration.status import read_status, render; render(read_status(DataFolder(Path(sys.argv[1])))); "
        "heavy = ('dagster', 'polars', 'duckdb', 'pyarrow', 'numpy', 'urllib3', 'tenacity', 'rich'); "
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(data)], capture_output=True, text=True, cwd=data)
    assert done.stdout.strip() == "[]", done.stderr


def test_the_data_folder_comes_from_option_then_variable_then_file(data: Path, tmp_path: Path) -> None:
    Path("paperfold.toml").write_text('data = "from-file"\n')
    place = {**os.environ, "PAPERFOLD_DATA": "from-variable"}
    assert "from-file" in paperfold("status").stdout
    assert "from-variable" in paperfold("status", env=place).stdout
    assert "from-option" in paperfold("status", "--data", "from-option", env=place).stdout


def test_docs_prints_the_dictionary(tmp_path: Path) -> None:
    assert "### papers" in paperfold("docs").stdout
    assert json.loads(paperfold("docs", "--json").stdout)["tables"][0]["name"] == "documents"
    assert paperfold("docs", tmp_path / "nowhere").returncode == 1


@pytest.mark.dagster_home
def test_a_build_is_recorded_in_the_data_folders_own_dagster_home(tmp_path: Path) -> None:
    write_list(tmp_path / "lists" / "a.txt", "robot")
    folder = DataFolder(tmp_path / "data")
    build(folder, tmp_path / "lists")
    from orchestration.instance import open_instance

    with open_instance(folder) as instance:
        [run] = instance.get_runs()
        assert (run.job_name, run.status.value) == ("refresh", "SUCCESS")
        assert not instance.telemetry_enabled
    assert "telemetry:\n  enabled: false" in (folder.dagster_home / "dagster.yaml").read_text()


def test_the_package_works_from_any_folder(tmp_path: Path) -> None:
    assert ROOT not in tmp_path.parents
    write_list(tmp_path / "lists" / "a.txt", "robot")
    done = paperfold("build", "lists", "--data", "here", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "here" / "current" / DATABASE).exists()
