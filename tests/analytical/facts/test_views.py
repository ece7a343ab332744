"""What the views over the facts answer, with rows."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from assets.analytical.facts.table import read_table
from assets.analytical.preview import preview_views
from assets.analytical.views import contract_breaches, load_views
from tests.analytical.facts.tables import paper_id, papers

NAMES = {"introduced_systems", "acronyms", "resources", "links", "claims"}
TEXTS = {
    "fox": "We propose FoxTarn, a sorter of Gravel Sorting Networks (GSNs). Tuned with BERT, it wins in 60% of tests. "
    "Code is at https://www.github.com/Hill/walk.",
    "owl": "A gravel-sorting network (GSN) is old. We test BERT, GPT-4 and FoxTarn on MNIST. See https://hills.example/x.",
    "hen": "We introduce Gentle Sorting Noise (GSN). On MNIST it adds 3 ms, e.g. Here 14 hills agree",
    "moor": "We introduce FOXTARN, a rival.",
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pl.DataFrame]:
    place = tmp_path_factory.mktemp("views")
    table = papers(**TEXTS)
    frames = {"papers": table, "facts": pl.concat(read_table(table))}
    for name, frame in frames.items():
        frame.write_parquet(place / f"{name}.parquet")
    views = [view for view in load_views() if view.name in NAMES]
    shown = list(preview_views({name: place / f"{name}.parquet" for name in frames}, views, NAMES, 100))
    for answer in shown:
        assert contract_breaches(answer.view, answer.columns) == []
    return {answer.view.name: answer.first for answer in shown}


def rows(answers: dict[str, pl.DataFrame], view: str, *columns: str) -> list[tuple[Any, ...]]:
    return answers[view].select(columns).rows()


def test_introduced_systems_has_a_row_per_name_and_paper(answers: dict[str, pl.DataFrame]) -> None:
    found = rows(answers, "introduced_systems", "name", "expansion", "title", "sign", "other_papers")
    assert sorted(found) == [
        ("FOXTARN", None, "moor", "verb", 1),
        ("FoxTarn", None, "fox", "verb", 1),
        ("GSN", "Gentle Sorting Noise", "hen", "defined", 0),
    ]


def test_acronyms_merges_plurals_case_and_hyphens(answers: dict[str, pl.DataFrame]) -> None:
    found = rows(answers, "acronyms", "acronym", "expansion", "papers", "introduced", "meanings", "spellings")
    assert found == [
        ("GSN", "Gravel Sorting Networks", 2, 0, 2, ["GSN", "GSNs"]),
        ("GSN", "Gentle Sorting Noise", 1, 1, 2, ["GSN"]),
    ]


def test_resources_counts_papers_by_use(answers: dict[str, pl.DataFrame]) -> None:
    found = rows(answers, "resources", "name", "kind", "papers", "introduced_in", "venues", "years")
    assert found == [
        ("BERT", "model", 2, [], ["HillConf"], [2026]),
        ("MNIST", "dataset", 2, [], ["HillConf"], [2026]),
        ("FoxTarn", "model", 1, sorted([paper_id("fox"), paper_id("moor")]), ["HillConf"], [2026]),
        ("GPT-4", "model", 1, [], ["HillConf"], [2026]),
    ]


def test_links_tells_host_and_use(answers: dict[str, pl.DataFrame]) -> None:
    assert rows(answers, "links", "title", "url", "host", "use") == [
        ("fox", "https://www.github.com/Hill/walk", "github.com", "code"),
        ("owl", "https://hills.example/x", "hills.example", "page"),
    ]


def test_claims_stand_in_their_sentences(answers: dict[str, pl.DataFrame]) -> None:
    assert sorted(rows(answers, "claims", "title", "claim", "kind", "context")) == [
        ("fox", "60% of tests", "result", "Tuned with BERT, it wins in 60% of tests."),
        ("hen", "14 hills", "scale", "Here 14 hills agree"),
        ("hen", "3 ms", "result", "On MNIST it adds 3 ms, e.g."),
    ]
