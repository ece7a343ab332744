"""`paperfold search`: what a query asks for, what is shown, and that no query ends in a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing, suppress

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DATABASE, DataFolder
from orchestration.cli import app
from orchestration.search import search_release
from orchestration.search_query import parse_query
from orchestration.search_snippet import cut_snippet
from tests.building import TEXTS, build, rows, write_list
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    place = tmp_path_factory.mktemp("search")
    write_list(place / "lists" / "demo.txt", *TEXTS)
    folder = DataFolder(place / "data")
    build(folder, place / "lists")
    return folder


def found(release: DataFolder, query: str, limit: int = 10) -> list[str]:
    begins = {text[:20]: name for name, text in TEXTS.items()}
    ids = {paper_id: begins[text[:20]] for paper_id, text in rows(release, "SELECT paper_id, text FROM papers")}
    return [ids[paper.paper_id] for paper in search_release(release, query, limit).found]


@pytest.mark.parametrize(
    ("asked", "words", "phrases", "prefixes", "excluded", "excluded_prefixes"),
    [
        ("diffusion models", "diffusion models", (), (), (), ()),
        ('"tide gauges" weed', "weed", ("tide gauges",), (), (), ()),
        ('-"tide gauges" -weed x', "x", (), (), ("tide gauges", "weed"), ()),
        ("memor* -bay*", "", (), ("memor",), (), ("bay",)),
        ('na\\"ive', 'na\\"ive', (), (), (), ()),
        ('"not closed', "", ("not closed",), (), (), ()),
        ("state-of-the-art", "state-of-the-art", (), (), (), ()),
        ("- *", "- *", (), (), (), ()),
    ],
)
def test_a_query_is_taken_apart(asked, words, phrases, prefixes, excluded, excluded_prefixes) -> None:
    query = parse_query(asked)
    assert (query.words, query.phrases, query.prefixes) == (words, phrases, prefixes)
    assert (query.excluded, query.excluded_prefixes) == (excluded, excluded_prefixes)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("gauge", ["tide"]),
        ("GAUGES", ["tide"]),
        ("village", ["lexicon"]),
        ('"tide gauges"', ["tide"]),
        ('"gauges tide"', []),
        ('"shelf move"', []),
        ('"shelves move" robot', ["robot"]),
        ('"spring tides" "tide gauge"', ["tide"]),
        ("neighbour* -weed", ["bread"]),
        ("neighbour* -tid*", ["bread"]),
        ('weather neighbours -"spring tide"', ["bread"]),
        ('"linear-scan allocators"', ["spill"]),
        ("villages -villages", []),
        ("zebra", []),
    ],
)
def test_what_a_query_finds(release: DataFolder, query: str, names: list[str]) -> None:
    assert found(release, query) == names


def test_neighbours_are_found_by_any_form(release: DataFolder) -> None:
    assert set(found(release, "neighbours")) == set(found(release, "neighbour")) == {"tide"}
    assert set(found(release, "neighbour*")) == {"tide", "bread"}


@pytest.mark.parametrize(
    "query", ["maps and routes", "the", "a weekly tide of bread", "naïve $\\ell_\\infty$", "18% 21%"]
)
def test_plain_words_are_read_as_by_the_macro(release: DataFolder, query: str) -> None:
    ours = [(paper.paper_id, paper.score) for paper in search_release(release, query, 10).found]
    with closing(duckdb.connect(str(release.current.resolve() / DATABASE), read_only=True)) as connection:
        assert ours == connection.execute("SELECT paper_id, score FROM search(?)", [query]).fetchall()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(" ".join(TEXTS.values()).split()), min_size=1, max_size=5).map(" ".join))
def test_any_plain_words_are_read_as_by_the_macro(release: DataFolder, query: str) -> None:
    test_plain_words_are_read_as_by_the_macro(release, query)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=40) | st.text("\"'-* \\${}\u0000a扩é%_;", max_size=15))
def test_a_query_finds_papers_or_says_what_is_wrong(release: DataFolder, query: str) -> None:
    outcome = "refused"
    with suppress(PaperfoldError):
        outcome = f"{len(search_release(release, query, 5).found)} papers"
    if outcome == "refused":
        with pytest.raises(PaperfoldError, match="word to search for"):
            search_release(release, query, 5)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ('"', "There is no word to search for"),
        ("-", "There is no word to search for"),
        ("", "There is no word to search for"),
        ("-tide", "only says what to leave out"),
        ("!!! ???", "There is no word to search for"),
    ],
)
def test_a_query_for_nothing_is_refused_in_words(release: DataFolder, query: str, words: str) -> None:
    with pytest.raises(PaperfoldError, match=words):
        search_release(release, query, 5)


def test_nothing_found_suggests_words_that_papers_hold(release: DataFolder) -> None:
    answer = search_release(release, "vilage zzzzzzzz", 5)
    assert answer.found == []
    assert answer.unknown == {"vilage": ["village"], "zzzzzzzz": []}
    shown = CliRunner().invoke(app, ["search", "vilage", "--data", str(release.root)])
    assert shown.exit_code == 0
    assert "Did you mean village?" in shown.output


def test_piped_output_is_plain_and_a_minus_needs_no_quoting(release: DataFolder) -> None:
    shown = CliRunner().invoke(app, ["search", "tide", "-bread", "--data", str(release.root)])
    assert shown.exit_code == 0
    assert "\x1b" not in shown.output
    assert "(no title)" in shown.output
    assert "Tide gauges drift" in shown.output


def test_json_names_the_places_of_the_words(release: DataFolder) -> None:
    shown = CliRunner().invoke(app, ["search", "gauges", "--limit", "1", "--json", "--data", str(release.root)])
    [paper] = json.loads(shown.output)
    assert [paper["snippet"][start:end] for start, end in paper["hits"]] == ["gauges", "gauge"]
    assert paper["rank"] == 1


def test_the_command_stays_light(release: DataFolder) -> None:
    code = (
        "import sys; from orchestration.cli import app; app(['search', 'tide', '--data', sys.argv[1]], "
        "standalone_mode=False); print([m for m in ('dagster', 'scipy', 'sqlglot') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(release.root)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stdout + done.stderr


def test_a_release_without_an_index_says_what_to_do(release: DataFolder, tmp_path) -> None:
    import shutil

    shutil.copytree(release.root, tmp_path / "data", symlinks=True)
    folder = DataFolder(tmp_path / "data")
    with closing(duckdb.connect(str(folder.current.resolve() / DATABASE))) as connection:
        connection.execute("DROP SCHEMA search_index CASCADE")
    with pytest.raises(PaperfoldError, match="no search index"):
        search_release(folder, "tide", 5)


def test_a_snippet_begins_shortly_before_what_was_asked_for() -> None:
    text = " ".join(["word"] * 80 + ["lighthouse", "keepers"] + ["word"] * 80)
    snippet = cut_snippet(text, {"lighthouse"})
    assert snippet.text.startswith("… word word word word word lighthouse keepers word")
    assert [snippet.text[start:end] for start, end in snippet.hits] == ["lighthouse"]


def test_characters_side_by_side_are_marked_as_one() -> None:
    snippet = cut_snippet("我们研究扩散模型的记忆", {"扩散", "散模", "模型"})
    assert [snippet.text[start:end] for start, end in snippet.hits] == ["扩散模型"]
