"""The database: one self-contained file that says what it holds and that DuckDB 1.4 clients open."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import duckdb
import polars as pl
import pyarrow.parquet as pq
import pytest

from assets.analytical.views import load_views
from assets.contract.arrow import column_descriptions
from assets.contract.folder import DATABASE, DataFolder
from assets.contract.tables import TABLES, describe
from assets.release.database import check_views, compare_with_parquet
from tests.building import build, rows, write_list
from tests.conftest import SAMPLES

OLD_CLIENT = Path(__file__).parents[1] / "clients" / "duckdb-1.4.txt"

VIEWS = [view for view in load_views() if view.call is None]
"""Without the macros, which have tests of their own."""

ASK_ALL = """
import json, sys, duckdb
connection = duckdb.connect(sys.argv[1], read_only=True)
names = [row[0] for row in connection.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()]
tables = "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main'"
names += [row[0] for row in connection.execute(tables).fetchall()]
found = {name: len(connection.execute(f"SELECT * FROM {name}").fetchall()) for name in names}
print(json.dumps({"version": duckdb.__version__, "rows": found}))
"""


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    """The release of the sample lists; read it, do not change it."""
    folder = DataFolder(tmp_path_factory.mktemp("sample") / "data")
    build(folder, SAMPLES)
    return folder


@pytest.fixture
def copy(sample: DataFolder, tmp_path: Path) -> Path:
    """A copy of the release's files, to break."""
    shutil.copytree(sample.current, tmp_path / "copy")
    return tmp_path / "copy"


def parquet_files(release: Path) -> dict[str, Path]:
    return {table: release / f"{table}.parquet" for table in TABLES}


def test_every_table_view_and_column_has_its_comment(sample: DataFolder) -> None:
    tables = dict(rows(sample, "SELECT table_name, comment FROM duckdb_tables() WHERE schema_name = 'main'"))
    stored = {view.name: view.description for view in VIEWS if view.stored}
    assert tables == {table: describe(table) for table in TABLES} | stored
    views = dict(rows(sample, "SELECT view_name, comment FROM duckdb_views() WHERE NOT internal"))
    assert views == {view.name: view.description for view in VIEWS if not view.stored and view.call is None}
    columns = rows(
        sample,
        "SELECT table_name, column_name, comment FROM duckdb_columns() WHERE schema_name = 'main' AND NOT internal",
    )
    found = {(table, column): comment for table, column, comment in columns}
    expected = {(table, name): words for table in TABLES for name, words in column_descriptions(table).items()}
    expected |= {
        (view.name, column.name): column.description for view in VIEWS if view.call is None for column in view.columns
    }
    assert found == expected


def test_parquet_fields_carry_descriptions_and_nullability(sample: DataFolder) -> None:
    for table in TABLES:
        schema = pq.read_schema(sample.current / f"{table}.parquet")
        assert {field.name: field.metadata[b"description"].decode() for field in schema} == column_descriptions(table)
    schema = pq.read_schema(sample.current / "papers.parquet")
    assert (schema.field("paper_id").nullable, schema.field("title").nullable) == (False, True)


def test_the_file_works_alone_in_another_place(copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = tmp_path / "alone" / "other name.duckdb"
    alone.parent.mkdir()
    (copy / DATABASE).rename(alone)
    shutil.rmtree(copy)
    monkeypatch.chdir("/")
    with closing(duckdb.connect(":memory:")) as connection:
        connection.execute(f"ATTACH '{alone}' (READ_ONLY)")
        for view in VIEWS:
            connection.execute(f'SELECT * FROM "other name".{view.name}').fetchall()
        assert connection.execute('SELECT papers > 0 FROM "other name".corpus_summary').fetchall() == [(True,)]


def test_a_duckdb_1_4_client_reads_every_table_and_view(sample: DataFolder, tmp_path: Path) -> None:
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes"]
    done = subprocess.run(
        [*install, "--target", str(tmp_path / "client"), "-r", str(OLD_CLIENT)], capture_output=True, text=True
    )
    if done.returncode:
        pytest.skip(f"the old client can't be installed here: {done.stderr.strip().splitlines()[-1]}")
    asked = subprocess.run(
        [sys.executable, "-S", "-c", ASK_ALL, str((sample.current / DATABASE).resolve())],
        env={"PYTHONPATH": str(tmp_path / "client")},
        capture_output=True,
        text=True,
    )
    assert asked.returncode == 0, asked.stderr
    answer = json.loads(asked.stdout)
    assert answer["version"].startswith("1.4.")
    assert set(answer["rows"]) == {*TABLES, *(view.name for view in VIEWS)}
    assert answer["rows"]["papers"] == rows(sample, "SELECT count(*) FROM papers")[0][0]


def test_database_and_parquet_agree(copy: Path) -> None:
    assert compare_with_parquet(copy / DATABASE, parquet_files(copy)).passed


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda papers: papers.head(-1), "rows"),
        (lambda papers: papers.with_columns(words=pl.col("words") + 1), "content"),
        (lambda papers: papers.rename({"words": "wrods"}), "columns"),
    ],
)
def test_a_table_that_differs_from_its_parquet_is_found(copy: Path, change, what: str) -> None:
    path = copy / "papers.parquet"
    change(pl.read_parquet(path)).write_parquet(path)
    verdict = compare_with_parquet(copy / DATABASE, parquet_files(copy))
    assert not verdict.passed
    assert verdict.failing is not None
    assert ("papers", what) in verdict.failing.select("table", "what").rows()


def test_a_view_that_breaks_or_leaves_its_contract_is_found(copy: Path) -> None:
    views = load_views()
    assert check_views(copy / DATABASE, views).passed
    with closing(duckdb.connect(str(copy / DATABASE))) as connection:
        connection.execute("CREATE OR REPLACE VIEW corpus_summary AS SELECT 1 AS documents")
        connection.execute("DROP VIEW reject_reasons")
    verdict = check_views(copy / DATABASE, views)
    assert verdict.failing is not None
    assert {"corpus_summary", "reject_reasons"} == set(verdict.failing["view"])


def test_published_files_are_not_written_to(sample: DataFolder, tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in sample.current.resolve().rglob("*")}
    build(sample)
    assert before == {path: path.stat().st_mtime_ns for path in sample.current.resolve().rglob("*")}


def test_a_table_without_rows_keeps_its_schema(folder: DataFolder, tmp_path: Path) -> None:
    write_list(tmp_path / "lists" / "a.txt", "robot")
    build(folder, tmp_path / "lists")
    assert rows(folder, "SELECT count(*) FROM conflicts") == [(0,)]
    assert pl.read_parquet_schema(folder.current / "conflicts.parquet").names()[:2] == [
        "occurrence_id_a",
        "occurrence_id_b",
    ]
