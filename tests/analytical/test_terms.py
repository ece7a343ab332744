"""Terms: which words and phrases set a list apart, and how they grow and fall."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from assets.analytical.terms.distinctive import CHECKS, distinctiveness, list_terms
from assets.analytical.terms.phrases import find_terms
from assets.contract.arrow import polars_schema
from assets.contract.folder import DataFolder
from tests.building import build, rows

TEXTS = {
    ("ToyConf", 2025): [
        "Kernel machines classify birdsong. The kernel trick is old.",
        "A kernel machine for tides (graph neural networks are slower).",
        "Kernel machines again, and birdsong.",
    ],
    ("ToyConf", 2026): [
        "Graph neural networks classify birdsong.",
        "We propose graph neural networks for tides.",
        "Graph neural network, graph neural networks: a survey.",
        "Bridges are inspected by drones.",
    ],
    ("OtherConf", 2026): ["Birdsong of bridges.", "Drones inspect bridges.", "Bridges and birdsong, at length."],
}


def tables(texts: dict[tuple[str, int], list[str]]) -> tuple[pl.LazyFrame, pl.LazyFrame, pl.LazyFrame]:
    """Each text is a paper of its own in the one document of its venue and year."""
    papers, occurrences, documents = [], [], []
    for number, ((venue, year), held) in enumerate(texts.items()):
        documents.append((f"d{number}", f"{venue.lower()} {year}", year, venue))
        for text in held:
            papers.append((f"p{len(papers)}", None, text))
            occurrences.append((f"d{number}", papers[-1][0]))
    return (
        pl.LazyFrame(papers, {"paper_id": pl.String, "title": pl.String, "text": pl.String}, orient="row"),
        pl.LazyFrame(occurrences, {"document_id": pl.String, "paper_id": pl.String}, orient="row"),
        pl.LazyFrame(
            documents,
            {"document_id": pl.String, "list_key": pl.String, "year": pl.Int64, "venue": pl.String},
            orient="row",
        ),
    )


def found(*texts: str) -> dict[str, int]:
    papers = pl.DataFrame({"title": [None] * len(texts), "text": texts}, schema={"title": pl.String, "text": pl.String})
    holdings = find_terms(papers)
    return dict(zip(holdings.terms, np.asarray(holdings.held.sum(axis=0)).ravel().tolist(), strict=True))


def test_phrases_of_two_and_three_words_stand_for_their_parts() -> None:
    assert found("graph neural networks", "Graph neural networks!") == {"graph neural networks": 2}


def test_forms_of_a_word_are_one_term_in_the_commonest_form() -> None:
    assert found("kernels here", "a kernel", "Kernels") == {"kernels": 3}


def test_a_term_counts_papers_not_places() -> None:
    assert found("tide tide tide", "tide") == {"tide": 2}


def test_a_phrase_ends_at_a_stop_word_a_full_stop_and_a_bracket() -> None:
    texts = ("drift of gauges. Weed (moss)", "drift of gauges. Weed (moss)")
    assert found(*texts) == dict.fromkeys(("drift", "gauges", "weed", "moss"), 2)


def test_stop_words_numbers_addresses_and_words_of_one_paper_are_no_terms() -> None:
    assert found("We propose 42 tides https://a.example once", "We propose 42 tides https://a.example") == {"tides": 2}


def test_a_hyphenated_word_is_one_word() -> None:
    assert found("zero-shot transfer", "zero-shot learning") == {"zero-shot": 2}


def test_texts_without_spaces_have_no_terms() -> None:
    assert found("扩散模型的记忆", "扩散模型的记忆") == {}


def test_the_most_distinctive_terms_come_first() -> None:
    terms = list_terms(*tables(TEXTS))
    first = {row["list_key"]: row["term"] for row in terms.filter(rank=1).iter_rows(named=True)}
    assert first == {
        "toyconf 2025": "kernel machines",
        "toyconf 2026": "graph neural networks",
        "otherconf 2026": "bridges",
    }
    assert dict(terms.schema) == polars_schema("terms")


def test_a_term_of_another_year_of_the_venue_stands_without_a_rank() -> None:
    terms = list_terms(*tables(TEXTS))
    row = terms.filter(list_key="toyconf 2025", term="graph neural networks").row(0, named=True)
    assert (row["papers"], row["rank"], row["words"]) == (1, None, 3)
    assert row["share"] == pytest.approx(1 / 3, abs=1e-4)


def test_in_a_corpus_of_one_list_the_commonest_terms_come_first() -> None:
    terms = list_terms(*tables({("ToyConf", 2025): ["tide weed", "tide weed", "tide"]}))
    assert terms.select("term", "papers", "distinctiveness", "rank").rows() == [
        ("tide", 3, 0.0, 1),
        ("tide weed", 2, 0.0, 2),
    ]


def test_the_measure_is_the_log_odds_ratio_with_a_prior() -> None:
    # 30 of 100 papers here and 10 of 300 elsewhere; a prior of ten papers at about the corpus share of 40 in 400.
    inside = np.log((30 + 1.01) / (70 + 8.99))
    outside = np.log((10 + 1.01) / (290 + 8.99))
    expected = (inside - outside) / np.sqrt(1 / 31.01 + 1 / 11.01)
    assert distinctiveness(np.array([30]), 100, np.array([40]), 400)[0] == pytest.approx(expected, abs=1e-3)


def test_equal_papers_give_equal_terms() -> None:
    assert list_terms(*tables(TEXTS)).equals(list_terms(*tables(TEXTS)))


def test_no_papers_give_no_terms() -> None:
    assert list_terms(*tables({("ToyConf", 2025): []})).is_empty()


def test_a_repeated_term_is_found() -> None:
    terms = list_terms(*tables(TEXTS))
    [check] = CHECKS
    assert check.judge({"terms": terms.lazy()}).passed
    assert not check.judge({"terms": pl.concat([terms, terms.head(1)]).lazy()}).passed


def test_term_trends_compares_years(folder: DataFolder, tmp_path: Path) -> None:
    for (venue, year), held in TEXTS.items():
        path = tmp_path / "lists" / f"{venue}-{year}.txt"
        path.parent.mkdir(exist_ok=True)
        # Enough words of its own that no paper is taken for a copy of another.
        body = [
            f"{text} It says {' '.join(f'{chr(97 + number)}{chr(97 + at)}{venue}{year}' for at in range(25))}."
            for number, text in enumerate(held)
        ]
        path.write_text("\n\n".join([f"{venue} {year} Papers", *body]) + "\n", encoding="utf-8")
    build(folder, tmp_path / "lists")
    trends = dict(rows(folder, "SELECT term, trend FROM term_trends WHERE venue = 'ToyConf'"))
    assert (trends["kernel machine"], trends["graph neural networks"]) == ("gone", "grown")
    assert rows(folder, "SELECT DISTINCT previous_year, year FROM term_trends") == [(2025, 2026)]
