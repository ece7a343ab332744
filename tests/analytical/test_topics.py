"""Topics: as many as there are subjects, named by words of the subject, recognisable from release to release."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import sparse

from assets.analytical.subjects import TABLES, analyse_subjects
from assets.analytical.topics import factors, model, picture
from assets.analytical.topics.checks import CHECKS
from assets.analytical.topics.phrases import distinctive_terms
from assets.analytical.vectors import vectors
from assets.contract.arrow import schema_of
from assets.contract.ids import paper_id
from tests.analytical.fields import field_of, given, papers

FIELD_WORDS = {
    "tides": "tide gauge harbour sea level storm surge salt marsh estuary coastal flooding dredging spring seen tells "
    "changes",
    "bread": "sourdough rye flour wild yeast crust gluten network proofing time oven steam bran bake weigh softens "
    "keeps",
    "chess": "chess engine endgame tables opening book pawn chain rook lift queen sacrifice tournament castling clock "
    "decides prefers weighs",
}


def analysed(
    rows: pl.DataFrame, out: Path, before: Path | None = None, old: pl.DataFrame | None = None
) -> dict[str, pl.DataFrame]:
    """Return the tables of an analysis, and keep them where the next one looks for a base."""
    base = None
    if before is not None and old is not None:
        base = {name: pl.read_parquet(before / f"{name}.parquet") for name in TABLES} | {"papers": old}
    tables = dict(analyse_subjects(given(rows, out, base, before)))
    for name, table in tables.items():
        table.write_parquet(out / f"{name}.parquet")
    return tables


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    return papers(tides=16, bread=14, chess=12)


@pytest.fixture(scope="module")
def three(rows: pl.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> dict[str, pl.DataFrame]:
    """The topics of three fields, asked for as three."""
    patch = pytest.MonkeyPatch()
    patch.setattr(model, "topic_count", lambda _papers: 3)
    made = analysed(rows, tmp_path_factory.mktemp("three"))
    patch.undo()
    return made


def test_each_field_is_a_topic(rows: pl.DataFrame, three: dict[str, pl.DataFrame]) -> None:
    fields = field_of(rows)
    main = three["topic_papers"].filter(pl.col("rank") == 1)
    found: dict[str, set[str]] = {}
    for topic, paper in main.select("topic_id", "paper_id").iter_rows():
        found.setdefault(topic, set()).add(fields[paper])
    assert sorted(found.values(), key=str) == [{"bread"}, {"chess"}, {"tides"}]
    assert three["topics"].get_column("papers").to_list() == [16, 14, 12]


def test_a_topic_is_named_by_words_of_its_field_as_they_are_written(
    rows: pl.DataFrame, three: dict[str, pl.DataFrame]
) -> None:
    fields = field_of(rows)
    main = dict(three["topic_papers"].filter(pl.col("rank") == 1).select("topic_id", "paper_id").iter_rows())
    for topic, name, terms in three["topics"].select("topic_id", "name", "terms").iter_rows():
        assert name == " · ".join(terms[:3])
        words = FIELD_WORDS[fields[main[topic]]].split()
        assert {word for term in terms[:3] for word in term.split()} <= set(words)
        assert len({word for term in terms for word in term.split()}) == sum(len(term.split()) for term in terms)


@pytest.mark.parametrize(
    ("count", "topics"), [(0, 0), (19, 0), (20, 3), (40, 5), (200, 9), (1_500, 15), (10_000, 20), (1_000_000, 20)]
)
def test_the_number_of_topics_follows_the_number_of_papers(count: int, topics: int) -> None:
    assert model.topic_count(count) == topics


def test_few_papers_have_no_topics_and_a_picture_that_says_so(tmp_path: Path) -> None:
    tables = analysed(papers(tides=10, bread=9), tmp_path)
    assert tables["topics"].is_empty()
    assert tables["topic_papers"].is_empty()
    assert "Too few papers for topics" in (tmp_path / picture.PICTURE).read_text(encoding="utf-8")


def test_the_order_of_papers_does_not_matter(rows: pl.DataFrame, tmp_path: Path) -> None:
    analysed(rows, tmp_path / "a")
    analysed(rows.sample(fraction=1, shuffle=True, seed=3), tmp_path / "b")
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert {"topics.parquet", "topic_papers.parquet", "similar_papers.parquet", "topics.svg"} <= set(files)
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_tables_keep_their_contract_and_pass_the_checks(rows: pl.DataFrame, three: dict[str, pl.DataFrame]) -> None:
    for name in TABLES:
        assert schema_of(name).is_valid(three[name])
    lazy = {name: table.lazy() for name, table in {**three, "papers": rows}.items()}
    assert all(check.judge(lazy).passed for check in CHECKS)


def test_an_unchanged_refresh_carries_everything_on(rows: pl.DataFrame, tmp_path: Path) -> None:
    analysed(rows, tmp_path / "a")
    analysed(rows, tmp_path / "b", tmp_path / "a", rows)
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes(), path.name


def test_topics_keep_their_ids_when_papers_come_and_they_are_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "topic_count", lambda _papers: 3)
    old, now = papers(tides=12, bread=12, chess=12), papers(tides=20, bread=14, chess=13)
    first = analysed(old, tmp_path / "a")
    second = analysed(now, tmp_path / "b", tmp_path / "a", old)
    fields = field_of(now)

    def subjects(tables: dict[str, pl.DataFrame]) -> dict[str, str]:
        main = tables["topic_papers"].filter(pl.col("rank") == 1)
        return {topic: fields[paper] for topic, paper in main.select("topic_id", "paper_id").iter_rows()}

    assert subjects(first) == subjects(second)


def test_a_subject_that_comes_new_is_a_new_topic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, now = papers(tides=12, bread=12), papers(tides=12, bread=12, chess=16)
    monkeypatch.setattr(model, "topic_count", lambda size: 2 if size == 24 else 3)
    first = analysed(old, tmp_path / "a")
    second = analysed(now, tmp_path / "b", tmp_path / "a", old)
    before, after = set(first["topics"].get_column("topic_id")), set(second["topics"].get_column("topic_id"))
    assert before < after
    [new] = after - before
    fields = field_of(now)
    members = second["topic_papers"].filter(topic_id=new, rank=1).get_column("paper_id")
    assert {fields[paper] for paper in members} == {"chess"}


def test_a_large_corpus_gives_new_papers_the_topics_that_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "ALWAYS_WHOLE", 0)
    monkeypatch.setattr(model, "topic_count", lambda _papers: 3)
    old, now = papers(tides=20, bread=20, chess=20), papers(tides=20, bread=20, chess=23)
    first = analysed(old, tmp_path / "a")
    gone = now.filter(pl.col("paper_id") != paper_id("tides", "4"))
    second = analysed(gone, tmp_path / "b", tmp_path / "a", old)
    assert (
        first["topics"]
        .sort("topic_id")
        .select("topic_id", "name", "terms")
        .equals(second["topics"].sort("topic_id").select("topic_id", "name", "terms"))
    )
    main = dict(first["topic_papers"].filter(rank=1).select("paper_id", "topic_id").iter_rows())
    before, after = (dict(tables["topics"].select("topic_id", "papers").iter_rows()) for tables in (first, second))
    chess, tides = main[paper_id("chess", "1")], main[paper_id("tides", "4")]
    assert after == before | {chess: before[chess] + 3, tides: before[tides] - 1}
    kept = first["topic_papers"].filter(pl.col("paper_id") != paper_id("tides", "4"))
    assert kept.join(second["topic_papers"], on=kept.columns, how="anti").is_empty()


def test_a_damaged_base_leads_to_a_whole_build(rows: pl.DataFrame, tmp_path: Path) -> None:
    whole = analysed(rows, tmp_path / "a")
    (tmp_path / "a" / model.STATE).write_bytes(b"no table")
    again = analysed(rows, tmp_path / "b", tmp_path / "a", rows)
    assert all(whole[name].equals(again[name]) for name in TABLES)


def test_factors_find_the_parts_that_a_matrix_is_made_of() -> None:
    parts = np.array([[4.0, 3, 0, 0, 0, 0], [0, 0, 2, 5, 0, 0], [0, 0, 0, 0, 1, 6]])
    shares = np.vstack([np.eye(3)[[0, 0, 1, 1, 2, 2]], [[0.5, 0.5, 0], [0, 0.3, 0.7]]])
    papers_ = sparse.csr_array(shares @ parts)
    begun = factors.exemplars(papers_, 3, np.zeros((0, 6)))
    found, terms = factors.fitted(papers_, begun)
    assert np.allclose(found.T @ terms, papers_.toarray(), atol=1e-3)
    assert np.allclose(factors.projected(papers_[[7]], terms), found[:, [7]], atol=1e-3)


def test_terms_are_phrases_where_the_word_mostly_stands_in_one() -> None:
    texts = [
        ("We denoise with diffusion models.", 0),
        ("A diffusion model beats the GAN.", 0),
        ("Both the GAN and diffusion models are a mixture of experts.", 0),
        ("Diffusion models have a mixture of experts.", 0),
        ("Bayesian inference is slow.", 1),
        ("The Bayesian posterior and the bayesian prior.", 1),
        ("A posterior is what Bayesian inference gives.", 1),
    ]
    frame = pl.DataFrame(
        [{"text": text, "language": "en", "group": group} for text, group in texts],
        schema={"text": pl.String, "language": pl.String, "group": pl.Int64},
    )
    stems = {0: ["diffus", "expert", "gan", "denois"], 1: ["bayesian", "posterior", "infer"]}
    importance = pl.DataFrame(
        [(group, stem, 1.0 - place / 10) for group, words in stems.items() for place, stem in enumerate(words)],
        schema={"group": pl.Int64, "stem": pl.String, "importance": pl.Float64},
        orient="row",
    )
    terms = dict(distinctive_terms(frame, importance).iter_rows())
    assert terms[0][0] == "diffusion models"
    assert {"mixture of experts", "GAN"} <= set(terms[0])
    assert terms[1][0] == "Bayesian inference"
    assert "posterior" in terms[1]


def test_the_picture_escapes_what_it_shows_and_is_well_formed() -> None:
    topics = pl.DataFrame(
        {"topic_id": ["top_1", "top_2"], "name": ["a <b> & 'c'\x00", "d"], "terms": [["a"], ["d"]], "papers": [3, 1]}
    )
    counted = pl.DataFrame(
        {
            "list_key": ["<script>alert(1)</script>", "other"],
            "year": [2026, None],
            "topic_id": ["top_1", "top_2"],
            "papers": [3, 1],
        }
    )
    drawn = picture.draw(topics, counted)
    assert "<script>" not in drawn
    texts = [element.text for element in ET.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]
    assert "a <b> & 'c'" in texts
    assert "2 topics of 4 papers" in texts


T1, T2, P1, P2 = "top_1", "top_2", "pap_1", "pap_2"
SOUND_LINKS = [(T1, P1, 0.7, 1), (T2, P1, 0.3, 2), (T2, P2, 1.0, 1)]
SOUND_TOPICS = [(T1, "one", ["one"], 1), (T2, "two", ["two"], 1)]


@pytest.mark.parametrize(
    ("check", "links", "topics"),
    [
        ("topic_papers_hold", [*SOUND_LINKS, ("top_3", P2, 0.0, 2)], SOUND_TOPICS),
        ("topic_papers_hold", [*SOUND_LINKS, (T1, "pap_3", 1.0, 2)], SOUND_TOPICS),
        ("topic_papers_hold", [(T1, P1, 0.7, 1), (T2, P1, 0.3, 3), (T2, P2, 1.0, 1)], SOUND_TOPICS),
        ("topic_papers_hold", [(T1, P1, 0.3, 1), (T2, P1, 0.7, 2), (T2, P2, 1.0, 1)], SOUND_TOPICS),
        ("topic_papers_hold", [(T1, P1, 0.8, 1), (T2, P1, 0.7, 2), (T2, P2, 1.0, 1)], SOUND_TOPICS),
        ("topics_are_named_and_counted", SOUND_LINKS, [(T1, "one", ["one"], 2), (T2, "two", ["two"], 1)]),
        ("topics_are_named_and_counted", SOUND_LINKS, [(T1, "one", ["one"], 1), (T2, "one", ["two"], 1)]),
        ("topics_are_named_and_counted", SOUND_LINKS, [(T1, "one", [], 1), (T2, "two", ["two"], 1)]),
    ],
)
def test_a_check_fires(check: str, links: list[tuple[object, ...]], topics: list[tuple[object, ...]]) -> None:
    def passed(links: list[tuple[object, ...]], topics: list[tuple[object, ...]]) -> dict[str, bool]:
        tables = {
            "papers": pl.LazyFrame({"paper_id": [P1, P2]}),
            "topic_papers": pl.LazyFrame(links, schema=["topic_id", "paper_id", "weight", "rank"], orient="row"),
            "topics": pl.LazyFrame(
                topics,
                schema={"topic_id": pl.String, "name": pl.String, "terms": pl.List(pl.String), "papers": pl.Int64},
                orient="row",
            ),
        }
        return {one.name: one.judge(tables).passed for one in CHECKS}

    assert all(passed(SOUND_LINKS, SOUND_TOPICS).values())
    assert not passed(links, topics)[check]
