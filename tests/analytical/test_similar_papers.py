"""Similar papers: the nearest by their words, why, in which order, and what a refresh carries on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from assets.analytical.similar import neighbours
from assets.analytical.similar.checks import CHECKS
from assets.analytical.similar.table import similar_papers
from assets.analytical.vectors import vectors
from assets.analytical.vectors.weights import UNIT
from assets.contract.arrow import schema_of
from assets.contract.ids import paper_id
from tests.analytical.fields import field_of, frame, paper, papers
from tests.conftest import ROOT


def table_of(rows: pl.DataFrame) -> pl.DataFrame:
    return similar_papers(vectors.refreshed(vectors.readable(rows.lazy()), rows.clear(), None), None)


def text(name: str, words: str | None, title: str | None = None, language: str | None = "en") -> dict[str, str | None]:
    return {"paper_id": paper_id(name), "title": title, "text": words, "language": language}


def test_the_nearest_papers_are_of_the_same_field() -> None:
    rows = papers(tides=12, bread=12, chess=12)
    fields = field_of(rows)
    nearest = table_of(rows).filter(pl.col("rank") <= 5)
    assert nearest.height > 36 * 4
    assert all(
        fields[one] == fields[other] for one, other in nearest.select("paper_id", "similar_paper_id").iter_rows()
    )


def test_shared_terms_are_words_as_they_are_written_that_both_papers_have() -> None:
    rows = papers(tides=12, bread=12, chess=12)
    texts = {row["paper_id"]: f"{row['title']} {row['text']}".lower() for row in rows.iter_rows(named=True)}
    for row in table_of(rows).iter_rows(named=True):
        assert 1 <= len(row["shared_terms"]) <= 5
        for term in row["shared_terms"]:
            assert term.lower()[:4] in texts[row["paper_id"]]
            assert term.lower()[:4] in texts[row["similar_paper_id"]]


def test_inflected_words_are_one_term_shown_in_its_commonest_form() -> None:
    rows = frame(
        [
            text("a", "glacier moraines"),
            text("b", "moraine of glaciers"),
            text("c", "glaciers"),
            text("d", "violins"),
            text("e", "violins"),
        ]
    )
    [row] = table_of(rows).filter(paper_id=paper_id("a"), similar_paper_id=paper_id("b")).iter_rows(named=True)
    assert set(row["shared_terms"]) == {"glaciers", "moraine"}


def test_a_paper_without_abstract_is_found_by_its_title_and_one_without_words_has_no_rows() -> None:
    rows = frame(
        [
            text("a", None, title="Glaciers and moraines"),
            text("b", "Moraines tell how far glaciers came."),
            text("c", None),
            text("d", "We propose a novel method."),
        ]
    )
    assert table_of(rows).select("paper_id", "similar_paper_id").rows() == sorted(
        [(paper_id("a"), paper_id("b")), (paper_id("b"), paper_id("a"))]
    )


def test_texts_without_spaces_are_compared_by_pairs_of_characters() -> None:
    rows = frame(
        [
            text("a", "冰川的运动与冰碛", language="zh"),
            text("b", "冰碛记录了冰川的历史", language="zh"),
            text("c", "小提琴的声音", language="zh"),
            text("d", "大提琴的声音", language="zh"),
        ]
    )
    found = dict(table_of(rows).select("paper_id", "similar_paper_id").iter_rows())
    assert found[paper_id("a")] == paper_id("b")
    assert found[paper_id("c")] == paper_id("d")
    [row] = table_of(rows).filter(paper_id=paper_id("a")).iter_rows(named=True)
    assert set(row["shared_terms"]) == {"冰川", "冰碛"}


def test_equally_near_papers_come_in_the_order_of_their_ids() -> None:
    rows = frame([*(text(str(number), f"glacier moraine {'violin' * (number > 9)}") for number in range(14))])
    table = table_of(rows).filter(paper_id=paper_id("3"))
    twins = sorted(paper_id(str(number)) for number in range(10) if number != 3)
    assert table.get_column("similar_paper_id").to_list()[:9] == twins


def test_no_paper_or_one_paper_has_no_similar_ones() -> None:
    assert table_of(papers()).is_empty()
    assert table_of(papers(chess=1)).is_empty()


WORDS = st.lists(
    st.sampled_from(["glacier", "moraine", "violin", "cello", "harbour", "tide", "rye", "crust"]), max_size=12
)


@settings(max_examples=60, deadline=None)
@for_all(texts=st.lists(WORDS, max_size=25), seed=st.integers(0, 99))
def test_whatever_the_texts_the_table_keeps_its_promises_and_ignores_their_order(
    texts: list[list[str]], seed: int
) -> None:
    rows = frame([text(str(number), " ".join(words) or None) for number, words in enumerate(texts)])
    table = table_of(rows)
    assert table.equals(table_of(rows.sample(fraction=1, shuffle=True, seed=seed)))
    assert schema_of("similar_papers").is_valid(table)
    for check in CHECKS:
        verdict = check.judge({"similar_papers": table.lazy(), "papers": rows.lazy()})
        assert verdict.passed, verdict.failing


@settings(max_examples=40, deadline=None)
@for_all(texts=st.lists(WORDS, min_size=2, max_size=20))
def test_similarity_is_the_cosine_and_the_ten_nearest_are_those_of_all_pairs(texts: list[list[str]]) -> None:
    rows = frame([text(str(number), " ".join(words) or "pawn") for number, words in enumerate(texts)])
    made = vectors.vectors_of(vectors.readable(rows.lazy()))
    ids = made.papers.get_column("paper_id").to_list()
    dense = made.matrix.toarray().astype(np.int64)
    cosine = np.minimum(dense @ dense.T / UNIT**2, 1).round(neighbours.DIGITS)
    expected = []
    for one, row in enumerate(cosine):
        others = sorted((-row[other], ids[other]) for other in range(len(ids)) if other != one)
        expected += [(ids[one], other, -near) for near, other in others[:10] if -near >= neighbours.FLOOR]
    found = table_of(rows).select("paper_id", "similar_paper_id", "similarity").rows()
    assert found == expected


def test_candidates_of_a_large_matrix_find_nearly_all_of_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = papers(tides=60, bread=60, chess=60)
    exact = set(table_of(rows).select("paper_id", "similarity").rows())
    monkeypatch.setattr(neighbours, "EXACT_UP_TO", 10)
    monkeypatch.setattr(neighbours, "ASKING", 5)
    found = set(table_of(rows).select("paper_id", "similarity").rows())
    assert len(exact & found) >= 0.9 * len(exact)


def test_a_refresh_computes_what_a_build_with_the_same_vocabulary_would(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "ALWAYS_WHOLE", 0)
    everything = papers(tides=30, bread=30, chess=30)
    gone = [str(paper("tides", number)["paper_id"]) for number in (3, 8)]
    new = [str(paper(field, number)["paper_id"]) for field, number in (("bread", 7), ("bread", 21), ("chess", 2))]
    before = everything.filter(~pl.col("paper_id").is_in(new))
    now = everything.filter(~pl.col("paper_id").is_in(gone)).with_columns(
        text=pl.when(pl.col("paper_id") == paper("chess", 9)["paper_id"])
        .then(pl.lit("sourdough crust"))
        .otherwise("text")
    )
    old = vectors.readable(before.lazy())
    first = vectors.refreshed(old, old.clear(), None)
    second = vectors.refreshed(vectors.readable(now.lazy()), old, first.vectors)
    assert not second.whole
    assert len(second.fresh) == 4
    assert set(second.gone) == {*gone, str(paper("chess", 9)["paper_id"])}
    carried_on = similar_papers(second, similar_papers(first, None).lazy())
    assert carried_on.equals(similar_papers(second._replace(whole=True), None))


def test_the_vocabulary_is_made_anew_when_too_many_papers_came(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "ALWAYS_WHOLE", 0)
    old = vectors.readable(papers(tides=10, bread=10).lazy())
    first = vectors.refreshed(old, old.clear(), None).vectors
    few, many = papers(tides=10, bread=10, chess=4), papers(tides=10, bread=10, chess=5)
    assert not vectors.refreshed(vectors.readable(few.lazy()), old, first).whole
    assert vectors.refreshed(vectors.readable(many.lazy()), old, first).whole


def test_what_was_kept_is_read_back_and_what_is_damaged_is_not(tmp_path: Path) -> None:
    made = vectors.vectors_of(vectors.readable(papers(tides=6, bread=6).lazy()))
    vectors.save(made, tmp_path)
    read = vectors.load(tmp_path)
    assert read is not None
    assert read.papers.equals(made.papers)
    assert read.vocabulary.terms.equals(made.vocabulary.terms)
    assert (read.matrix != made.matrix).nnz == 0
    for name in (vectors.ROWS, vectors.TERMS, vectors.NOTE):
        whole = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(whole[: len(whole) // 2])
        assert vectors.load(tmp_path) is None
        (tmp_path / name).unlink()
        assert vectors.load(tmp_path) is None
        (tmp_path / name).write_bytes(whole)


_BUILD = """
import hashlib, sys
from pathlib import Path
from assets.analytical.subjects import analyse_subjects
from tests.analytical.fields import given, papers
out = Path(sys.argv[1])
tables = analyse_subjects(given(papers(tides=40, bread=40, chess=40), out))
for name, table in tables.items():
    table.write_parquet(out / f"{name}.parquet")
for path in sorted(out.iterdir()):
    print(path.name, hashlib.sha256(path.read_bytes()).hexdigest())
"""


def test_the_bytes_do_not_depend_on_the_number_of_threads(tmp_path: Path) -> None:
    printed = set()
    for threads in ("1", "2"):
        limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"), threads)
        run = subprocess.run(
            [sys.executable, "-c", _BUILD, str(tmp_path / threads)],
            env=os.environ | limits | {"PYTHONHASHSEED": threads},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        printed.add(run.stdout)
    assert len(printed) == 1
    assert "topics.svg" in printed.pop()


ONE, OTHER, THIRD = sorted(paper_id(name) for name in ("one", "other", "third"))
SOUND = [(ONE, 1, OTHER, 0.5), (ONE, 2, THIRD, 0.4), (OTHER, 1, ONE, 0.5)]


@pytest.mark.parametrize(
    ("check", "rows"),
    [
        ("similar_papers_exist", [(ONE, 1, ONE, 0.5)]),
        ("similar_papers_exist", [(ONE, 1, paper_id("stranger"), 0.5)]),
        ("similar_papers_exist", [(paper_id("stranger"), 1, ONE, 0.5)]),
        ("similar_papers_exist", [(ONE, 1, OTHER, 0.5), (ONE, 2, OTHER, 0.5)]),
        ("similar_ranks_follow_similarity", [(ONE, 2, OTHER, 0.5)]),
        ("similar_ranks_follow_similarity", [(ONE, 1, OTHER, 0.5), (ONE, 3, THIRD, 0.4)]),
        ("similar_ranks_follow_similarity", [(ONE, 1, OTHER, 0.4), (ONE, 2, THIRD, 0.5)]),
    ],
)
def test_a_check_fires(check: str, rows: list[tuple[str, int, str, float]]) -> None:
    known = pl.LazyFrame({"paper_id": [ONE, OTHER, THIRD]})
    verdicts = {}
    for name, table in (("sound", SOUND), ("broken", rows)):
        pairs = pl.LazyFrame(table, schema=["paper_id", "rank", "similar_paper_id", "similarity"], orient="row")
        verdicts[name] = {c.name: c.judge({"similar_papers": pairs, "papers": known}) for c in CHECKS}
    assert all(verdict.passed for verdict in verdicts["sound"].values())
    assert not verdicts["broken"][check].passed
    assert verdicts["broken"][check].figures["failing_rows"] in (1, 2)
