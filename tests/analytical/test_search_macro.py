"""`FROM search('...')`: which spellings are one word, what is found, how it is ranked, and that no query breaks it."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import duckdb
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assets.analytical.search import index
from assets.analytical.search.index import K1, TITLE_WEIGHT, B, build_index
from assets.analytical.search.tables import INDEX_TABLES, SCHEMA, index_files
from assets.analytical.views import load_macro, load_views
from assets.contract.arrow import empty, polars_schema
from assets.contract.parquet import write_table
from assets.contract.tables import TABLES
from assets.release.database import build_database
from assets.release.search import check_search_index

OLD_CLIENT = Path(__file__).parents[1] / "clients" / "duckdb-1.4.txt"

PAPERS = [
    (
        "Tide gauges that drift",
        "Floats grow heavy with weed, and the naïve correction of Erdős fails in 9% of harbours.",
    ),
    (None, "Queries over churches and boxes: an analysis of soft-ℓ∞ matching with O(n²) steps and β-VAE priors."),
    ("扩散模型的记忆", "我们研究扩散模型如何记住训练数据，并提出一种新的度量。"),
    ("Bread", None),
    (None, "A gauge is read by hand. The matrix of readings is inverted, and the matrices agree."),
    (None, None),
    ("Gauge gauge gauge", "Nothing here."),
]


def write_papers(path: Path, papers: list[tuple[str | None, str | None]]) -> None:
    given = {
        "paper_id": [f"pap_{number:020x}" for number in range(len(papers))],
        "title": [title for title, _ in papers],
        "text": [text for _, text in papers],
        "venues": [[] for _ in papers],
        "years": [[] for _ in papers],
        "external_ids": [[] for _ in papers],
        "field_sources": [dict.fromkeys(("text", "title", "authors")) for _ in papers],
        **dict.fromkeys(("words", "occurrence_count", "document_count", "version_count"), [1] * len(papers)),
        "representative_occurrence_id": ["occ_" + "0" * 20] * len(papers),
        **dict.fromkeys(("first_document_id", "last_document_id"), ["doc_" + "0" * 20] * len(papers)),
    }
    schema = polars_schema("papers")
    columns = {name: given.get(name, [None] * len(papers)) for name in schema}
    write_table(pl.DataFrame(columns, schema=schema), "papers", path)


def make_database(folder: Path, papers: list[tuple[str | None, str | None]]) -> Path:
    parquet = {table: folder / f"{table}.parquet" for table in TABLES}
    for table in TABLES:
        write_table(empty(table), table, parquet[table])
    write_papers(parquet["papers"], papers)
    for name, frame in build_index(pl.scan_parquet(parquet["papers"])).items():
        frame.write_parquet(index_files(folder)[name])
    build_database(folder / "papers.duckdb", parquet, index_files(folder), load_views(), "1GB")
    return folder / "papers.duckdb"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_database(tmp_path_factory.mktemp("search"), PAPERS)


@pytest.fixture(scope="module")
def connection(database: Path):
    with closing(duckdb.connect(str(database), read_only=True)) as connection:
        yield connection


def found(connection: duckdb.DuckDBPyConnection, query: str, results: int = 10) -> list[int]:
    rows = connection.execute("SELECT paper_id FROM search(?, results := ?)", [query, results]).fetchall()
    return [int(row[0].removeprefix("pap_"), 16) for row in rows]


def words(connection: duckdb.DuckDBPyConnection, text: str) -> list[str]:
    return connection.execute("SELECT search_words(?)", [text]).fetchall()[0][0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("naïve", "NAIVE"),
        ('na\\"ive', "naïve"),
        ("Erd\\H{o}s", "Erdős"),
        ("Poincar\\'e's", "Poincaré"),
        ("S\\o{}ren", "Søren"),
        ("$\\ell_\\infty$", "ℓ∞"),
        ("soft-$\\ell_\\infty$", "soft-ℓ∞"),
        ("$\\beta$-VAE", "β-VAE"),
        ("beta VAE", "β-VAE"),
        ("$O(n^2)$", "O(n²)"),
        ("$\\mathrm{CoT}(r(n)^{1+\\varepsilon})$", "CoT(r(n)^(1+ε))"),
        ("\\emph{every} word", "every word"),
        ("Straße", "STRASSE"),
        ("queries", "query"),
        ("boxes", "box"),
        ("caches", "cache"),
        ("losses", "loss"),
        ("movies", "movie"),
        ("analyses", "analysis"),
        ("hypotheses", "hypothesis"),
        ("matrices", "matrix"),
        ("vertices", "vertex"),
        ("biases", "bias"),
        ("GPUs", "gpu"),
        ("LLMs", "llm"),
        ("corpora", "corpus"),
        ("viruses", "virus"),
        ("state-of-the-art", "state of the art"),
        ("GPT模型", "gpt 模型"),
    ],
)
def test_two_spellings_are_one(connection: duckdb.DuckDBPyConnection, one: str, other: str) -> None:
    assert words(connection, one) == words(connection, other) != []


@pytest.mark.parametrize(("one", "other"), [("news", "new"), ("bus", "bu"), ("process", "proces"), ("basis", "basi")])
def test_a_word_that_only_looks_like_a_plural_stays(
    connection: duckdb.DuckDBPyConnection, one: str, other: str
) -> None:
    assert words(connection, one) != words(connection, other)


@pytest.mark.parametrize(
    ("query", "papers"),
    [
        ("gauges", [6, 0, 4]),  # three times in a title, once in a title, once in a text
        ("GAUGE drift", [0, 6, 4]),
        ("naive", [0]),
        ('na\\"ive Erd\\H{o}s', [0]),
        ("church", [1]),
        ("$\\ell_\\infty$", [1]),
        ("扩散", [2]),
        ("扩散模型", [2]),
        ("散", [2]),
        ("bread", [3]),
        ("matrix", [4]),
        ("zebra", []),
        ("", []),
        ('"', []),
        ("' OR 1=1 --", []),
        ("zebra gauge -drift", [0, 6, 4]),  # a minus is no sign of the macro
    ],
)
def test_what_a_query_finds(connection: duckdb.DuckDBPyConnection, query: str, papers: list[int]) -> None:
    assert found(connection, query) == papers


def test_results_limits_the_rows_and_rank_counts_them(connection: duckdb.DuckDBPyConnection) -> None:
    rows = connection.execute("SELECT rank, score FROM search('gauge', results := 2)").fetchall()
    assert [rank for rank, _ in rows] == [1, 2]
    assert rows[0][1] > rows[1][1] > 0


def test_a_query_without_a_value_finds_nothing(connection: duckdb.DuckDBPyConnection) -> None:
    assert connection.execute("SELECT * FROM search(NULL)").fetchall() == []


def test_the_snippet_shows_where_the_word_stands(tmp_path: Path) -> None:
    text = " ".join([*(f"filler{number}" for number in range(200)), "the lighthouse", *["tail"] * 100])
    path = make_database(
        tmp_path, [(None, text), ("Only a lighthouse", None), (None, "很" * 100 + "灯塔" + "长" * 100)]
    )
    with closing(duckdb.connect(str(path), read_only=True)) as connection:
        rows = connection.execute("SELECT title, snippet FROM search('lighthouses 灯塔')").fetchall()
    snippets = [snippet for _, snippet in rows if snippet]
    assert any("lighthouse" in snippet and snippet.startswith("… ") and snippet.endswith(" …") for snippet in snippets)
    assert any("灯塔" in snippet for snippet in snippets)
    assert all(len(snippet) < 500 for snippet in snippets)
    assert ("Only a lighthouse", None) in rows


def test_the_score_is_bm25(connection: duckdb.DuckDBPyConnection) -> None:
    """Computed again from the papers' words, without the index."""
    counts = []
    for title, text in PAPERS:
        count = Counter(words(connection, text or ""))
        for word in words(connection, title or ""):
            count[word] += TITLE_WEIGHT
        counts.append(count)
    papers = connection.execute("SELECT doc, damping FROM search_index.papers ORDER BY doc").fetchall()
    mean = connection.execute("SELECT mean_length FROM search_index.corpus").fetchall()[0][0]
    holding = sum(count["gauge"] > 0 for count in counts)
    rarity = math.log(1 + (len(PAPERS) - holding + 0.5) / (holding + 0.5))
    expected = {}
    for number, count in enumerate(counts):
        if number != 2:  # Chinese has its single characters in the index too
            assert papers[number][1] == pytest.approx(K1 * (1 - B + B * count.total() / mean), rel=1e-6)
        if count["gauge"]:
            expected[number] = rarity * (K1 + 1) * count["gauge"] / (count["gauge"] + papers[number][1])
    rows = connection.execute("SELECT paper_id, score FROM search('gauge')").fetchall()
    assert {int(row[0][4:], 16): row[1] for row in rows} == pytest.approx(expected, abs=1e-4)


def test_equal_papers_give_equal_files(tmp_path: Path) -> None:
    frames = pl.DataFrame(
        {"paper_id": ["a", "b"], "title": [None, "x y"], "text": ["y z", "扩散"]},
        schema={"paper_id": pl.String, "title": pl.String, "text": pl.String},
    ).lazy()
    first, second = build_index(frames), build_index(frames)
    assert all(first[table.name].equals(second[table.name]) for table in INDEX_TABLES)
    assert first["terms"]["term"].is_sorted()


def test_batches_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame(
        {
            "paper_id": [str(n) for n in range(len(PAPERS))],
            "title": [t for t, _ in PAPERS],
            "text": [t for _, t in PAPERS],
        }
    ).lazy()
    whole = build_index(frame)
    monkeypatch.setattr("assets.analytical.search.index._BATCH", 2)
    parts = build_index(frame)
    assert all(whole[table.name].equals(parts[table.name]) for table in INDEX_TABLES)


@pytest.mark.parametrize("kept", [[], [0, 2], [1, 2, 3, 4, 5, 6], list(range(len(PAPERS)))])
def test_what_is_taken_over_does_not_show(database: Path, kept: list[int]) -> None:
    """Some papers as in the release before, one with another text, one that is new; some are gone."""
    ids = [f"pap_{number:020x}" for number in kept] + ["pap_" + "e" * 20, "pap_" + "f" * 20]
    titles = [PAPERS[number][0] for number in kept] + ["New", None]
    texts = [PAPERS[number][1] for number in kept] + ["A lighthouse and a gauge", "drift"]
    if kept:
        texts[0] = "Another text"
    frame = pl.DataFrame({"paper_id": ids[::-1], "title": titles[::-1], "text": texts[::-1]}).lazy()
    anew, over = build_index(frame), build_index(frame, database)
    assert all(anew[table.name].equals(over[table.name]) for table in INDEX_TABLES)


def test_only_new_papers_are_read(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    count = index._count_words
    monkeypatch.setattr(index, "_count_words", lambda batch: read.append(batch.height) or count(batch))
    rows = [(f"pap_{number:020x}", *PAPERS[number]) for number in range(len(PAPERS))] + [("pap_new", None, "drift")]
    frame = pl.DataFrame(rows, ["paper_id", "title", "text"], orient="row").lazy()
    build_index(frame, database)
    monkeypatch.setattr(index, "TITLE_WEIGHT", 4)  # counted in another way: nothing is taken over
    build_index(frame, database)
    assert read == [1, len(PAPERS) + 1]


def test_an_index_without_papers_finds_nothing(tmp_path: Path) -> None:
    with closing(duckdb.connect(str(make_database(tmp_path, [])), read_only=True)) as connection:
        assert found(connection, "gauge") == []
    assert check_search_index(tmp_path / "papers.duckdb").passed


def test_every_word_of_every_paper_finds_it(connection: duckdb.DuckDBPyConnection) -> None:
    for number, parts in enumerate(PAPERS):
        for word in {word for part in parts if part for word in part.split()}:
            if words(connection, word):
                assert number in found(connection, word), word


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60) | st.text("\"'\\${}*-_%;()\u0000扩散é ", max_size=20))
def test_no_query_breaks_it(connection: duckdb.DuckDBPyConnection, query: str) -> None:
    assert len(found(connection, query)) <= 10


@settings(max_examples=15, deadline=None)
@given(st.lists(st.text("abcé散模αß²-s ", min_size=1, max_size=12), min_size=1, max_size=5))
def test_a_paper_is_found_by_each_word_of_its_own(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    path = make_database(tmp_path_factory.mktemp("own"), [(None, text) for text in texts])
    assert check_search_index(path).passed
    with closing(duckdb.connect(str(path), read_only=True)) as connection:
        for number, text in enumerate(texts):
            for word in words(connection, text):
                assert number in found(connection, word)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("DELETE FROM papers WHERE title = 'Bread'", "place"),
        ("UPDATE papers SET text = 'a zebra' WHERE text LIKE 'A gauge%'", "posting"),
        ("DELETE FROM search_index.postings WHERE doc = 0", "postings"),
        ("UPDATE search_index.terms SET term = 'drifting' WHERE term = 'drift'", "posting"),
        ("DROP SCHEMA search_index CASCADE", "search_index"),
    ],
)
def test_an_index_that_does_not_agree_is_found(database: Path, tmp_path: Path, change: str, what: str) -> None:
    assert check_search_index(database).passed
    copy = tmp_path / "copy.duckdb"
    shutil.copy(database, copy)
    with closing(duckdb.connect(str(copy))) as connection:
        connection.execute(change)
    verdict = check_search_index(copy)
    assert not verdict.passed
    assert verdict.failing is not None
    assert any(what in row["what"] for row in verdict.failing.iter_rows(named=True))


def test_it_works_in_a_file_of_any_name_and_in_an_attached_one(database: Path, tmp_path: Path) -> None:
    shutil.copy(database, tmp_path / "other name.duckdb")
    with closing(duckdb.connect(str(tmp_path / "other name.duckdb"), read_only=True)) as connection:
        assert found(connection, "bread") == [3]
    with closing(duckdb.connect(":memory:")) as connection:
        connection.execute(f"ATTACH '{database}' AS papers_of_may (READ_ONLY)")
        connection.execute("USE papers_of_may")
        assert found(connection, "bread") == [3]
        connection.execute("USE memory")
        connection.execute("ATTACH ':memory:' AS copied")
        connection.execute("COPY FROM DATABASE papers_of_may TO copied")
        connection.execute("USE copied")
        assert found(connection, "bread") == [3]


def test_the_macro_and_the_index_are_described(connection: duckdb.DuckDBPyConnection) -> None:
    comments = connection.execute(
        "SELECT DISTINCT comment FROM duckdb_functions() WHERE function_name = 'search' AND NOT internal"
    ).fetchall()
    assert comments == [(load_macro("search").description,)]
    tables = connection.execute(
        "SELECT table_name, comment FROM duckdb_tables() WHERE schema_name = ?", [SCHEMA]
    ).fetchall()
    assert dict(tables) == {table.name: table.description for table in INDEX_TABLES}


ASK_OLD = """
import json, sys, duckdb
connection = duckdb.connect(sys.argv[1], read_only=True)
answers = [connection.execute("FROM search(?)", [query]).fetchall() for query in json.loads(sys.argv[2])]
memory = duckdb.connect()
memory.execute(f"ATTACH '{sys.argv[1]}' AS elsewhere (READ_ONLY)")
memory.execute("USE elsewhere")
answers.append(memory.execute("FROM search('bread')").fetchall())
print(json.dumps({"version": duckdb.__version__, "answers": answers}))
"""


def test_a_duckdb_1_4_client_gets_the_same_answers(database: Path, tmp_path: Path, connection) -> None:
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes"]
    done = subprocess.run(
        [*install, "--target", str(tmp_path / "client"), "-r", str(OLD_CLIENT)], capture_output=True, text=True
    )
    if done.returncode:
        pytest.skip(f"the old client can't be installed here: {(done.stderr.strip().splitlines() or ['no pip'])[-1]}")
    queries = ["gauges drift", 'na\\"ive', "$\\ell_\\infty$", "扩散模型", "matrices", ""]
    asked = subprocess.run(
        [sys.executable, "-S", "-c", ASK_OLD, str(database), json.dumps(queries)],
        env={"PYTHONPATH": str(tmp_path / "client")},
        capture_output=True,
        text=True,
    )
    assert asked.returncode == 0, asked.stderr
    answer = json.loads(asked.stdout)
    assert answer["version"].startswith("1.4.")
    here = [connection.execute("FROM search(?)", [query]).fetchall() for query in [*queries, "bread"]]
    assert [[tuple(row) for row in rows] for rows in answer["answers"]] == here
