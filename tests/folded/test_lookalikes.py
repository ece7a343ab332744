"""What folds and what must not: revisions and cut copies do; templates, series, boilerplate and chains do not."""

import itertools
from pathlib import Path

import pytest

from assets.folded.settings import Decision
from tests.folded.lists import Built, Record, build

ROUTES = (
    "We ask how a delivery bicycle can plan its round when some streets close without notice. The planner keeps two "
    "plans, a bold one and a careful one, and it rides by the careful one where the two disagree. In a simulated town "
    "with sixty streets the rider is back 18% sooner than with one plan. The gain shrinks as more streets close."
)
REVISED = ROUTES.replace("18% sooner", "21% sooner").replace(
    "The gain shrinks", "The gain shrinks, but does not vanish,"
)
BREAD = (
    "The demand for rye bread follows the weather and the calendar of fairs, so small ovens waste dough. We fit a "
    "model that shares strength between neighbouring ovens and gives each its own effect of fairs. In a year of sales "
    "from nine ovens the error falls from fourteen to nine loaves a day. We also say which ovens gain nothing."
)


def papers(made: Built) -> int:
    return made.papers.height


def kinds(made: Built) -> list[str]:
    return sorted(made.occurrences.get_column("match_kind").to_list())


def conflict_kinds(made: Built) -> list[str]:
    return sorted(made.conflicts.get_column("kind").to_list())


def test_a_revised_copy_folds_and_stays_readable(tmp_path: Path) -> None:
    made = build({"june": [ROUTES], "september": [REVISED]}, tmp_path)
    assert kinds(made) == ["first", "revised"]
    assert made.papers.get_column("version_count").to_list() == [2]
    assert 0.8 < made.papers.get_column("min_similarity").item() < 1


@pytest.mark.parametrize("share", [0.3, 0.5, 0.8])
@pytest.mark.parametrize("mark", ["", " ...", "…", " [...]"])
def test_a_cut_copy_folds_into_the_whole_text(tmp_path: Path, share: float, mark: str) -> None:
    cut = ROUTES[: int(len(ROUTES) * share)] + mark
    made = build({"a_digest": [cut], "full": [ROUTES, BREAD]}, tmp_path)
    assert papers(made) == 2
    assert kinds(made) == ["first", "first", "truncated"]
    assert ROUTES in made.papers.get_column("text").to_list()


def test_a_beginning_that_fits_two_texts_is_left_alone(tmp_path: Path) -> None:
    opening = " ".join(ROUTES.split()[:30])
    other = opening + " But we let the riders choose, and report what nine of them did in one wet autumn with old maps."
    third = (
        opening
        + " Nobody had asked the postmen, who know each gate and every dog; their advice beats any plan we made."
    )
    made = build({"a": [other, third], "b": [opening + " ..."]}, tmp_path)
    assert papers(made) == 3
    assert "chain" in conflict_kinds(made)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("radish", "spinach"),
        ("Hindi", "Swahili"),
        ("knee", "shoulder"),
    ],
)
def test_one_form_with_another_subject_is_a_template(tmp_path: Path, one: str, other: str) -> None:
    text = (
        "This data set holds 4,000 records of {0} collected by volunteers over three years. Every {0} record names "
        "its place, its time and the device, and two experts checked each label. We describe how {0} records were "
        "cleaned, give baselines for three tasks and release everything under an open licence for further study."
    )
    made = build({"a": [text.format(one), text.format(other)]}, tmp_path)
    assert papers(made) == 2
    assert conflict_kinds(made) == ["template"]


@pytest.mark.parametrize(("one", "other"), [("Part I", "Part II"), ("part 1", "part 2"), ("Volume 3", "Volume 4")])
def test_parts_of_a_series_are_papers_of_their_own(tmp_path: Path, one: str, other: str) -> None:
    text = "In {} of this study we describe the bridge, its cables and the wind tunnel. " + BREAD
    made = build({"a": [text.format(one), text.format(other)]}, tmp_path)
    assert papers(made) == 2
    assert conflict_kinds(made) == ["template"]


def test_an_erratum_is_no_copy(tmp_path: Path) -> None:
    made = build(
        {"a": [Record(ROUTES, "Two plans for one round"), Record(ROUTES, "Erratum to: Two plans for one round")]},
        tmp_path,
    )
    assert papers(made) == 2
    untitled = build({"a": [ROUTES, "Erratum. " + ROUTES]}, tmp_path)
    assert papers(untitled) == 2


def test_shared_boilerplate_does_not_fold(tmp_path: Path) -> None:
    boilerplate = (
        "This is an open access article under the terms of a licence which permits use, sharing and copying in any "
        "medium, provided that the work is cited. The views are those of the writers and not of their institutions."
    )
    bodies = ["Kites drift with the wind at dusk.", "Oil thickens in tower clocks.", "Bees prefer thyme to pine."]
    made = build({"a": [f"{body} {boilerplate}" for body in bodies]}, tmp_path)
    assert papers(made) == 3


def test_equal_texts_under_unlike_titles_are_a_conflict(tmp_path: Path) -> None:
    made = build(
        {
            "a": [
                Record(ROUTES, "Two plans for one round", ("Ada Muster",)),
                Record(ROUTES, "Counting loaves in nine towns", ("Ben Beispiel",)),
                Record(BREAD, "Robust ovens (2nd edition)", ("Cem Exempel",)),
                Record(ROUTES.replace("bicycle", "cart"), "Robust ovens", ("Dora Ejemplo",)),
            ]
        },
        tmp_path,
    )
    assert papers(made) == 4
    assert set(conflict_kinds(made)) == {"same_text_other_title"}


def test_equal_texts_with_contradicting_ids_are_a_conflict(tmp_path: Path) -> None:
    made = build(
        {
            "a": [
                Record(ROUTES, external_ids=(("doi", "10.1/one"),)),
                Record(ROUTES, external_ids=(("doi", "10.1/two"),)),
            ]
        },
        tmp_path,
    )
    assert papers(made) == 2
    assert conflict_kinds(made) == ["same_text_other_title"]


def test_the_id_of_a_volume_joins_nothing(tmp_path: Path) -> None:
    doi = (("doi", "10.1/volume"),)
    made = build(
        {
            "a": [
                Record(ROUTES, "Two plans for one round", external_ids=doi),
                Record(BREAD, "Loaves and fairs", external_ids=doi),
            ]
        },
        tmp_path,
    )
    assert papers(made) == 2
    assert conflict_kinds(made) == ["shared_id"]


def test_a_shared_id_joins_a_rewritten_abstract_under_its_title(tmp_path: Path) -> None:
    arxiv = (("arxiv", "2699.00001"),)
    made = build(
        {
            "a": [
                Record(ROUTES, "Two plans for one round", external_ids=arxiv),
                Record(BREAD, "Two plans for one round", external_ids=arxiv),
            ]
        },
        tmp_path,
    )
    assert kinds(made) == ["first", "same_id"]


def test_the_poorer_copies_give_what_they_have(tmp_path: Path) -> None:
    title = "Two plans for one round"
    made = build(
        {
            "a_titles": [Record(title=title, authors=("Ada Beispiel",))],
            "b_abstracts": [Record(ROUTES, title)],
            "c_upper": [Record(ROUTES.upper(), title.upper(), ("A. Beispiel",))],
        },
        tmp_path,
    )
    paper = made.papers.row(0, named=True)
    assert papers(made) == 1
    assert (paper["text"], paper["title"], paper["authors"]) == (ROUTES, title, ["Ada Beispiel"])
    sources = paper["field_sources"]
    assert sources["text"] == paper["representative_occurrence_id"] != sources["authors"]


@pytest.mark.parametrize(
    ("authors", "expected"),
    [
        ((("Ada Muster",), ("A. Muster",)), 1),
        ((("Ada Muster",), ("Ben Muster",)), 2),
        ((("Ada Muster",), ("Ada Beispiel",)), 2),
        ((None, None), 2),
    ],
)
def test_a_title_alone_needs_agreeing_authors(
    tmp_path: Path, authors: tuple[tuple[str, ...] | None, tuple[str, ...] | None], expected: int
) -> None:
    title = "Two plans for one round"
    made = build({"a": [Record(ROUTES, title, authors[0])], "b": [Record(title=title, authors=authors[1])]}, tmp_path)
    assert papers(made) == expected


def test_a_title_alone_folds_within_its_list(tmp_path: Path) -> None:
    title = "Two plans for one round"
    made = build({"list@1": [Record(ROUTES, title)], "list@2": [Record(title=title)]}, tmp_path)
    assert kinds(made) == ["first", "same_title"]


def chain(links: int) -> list[str]:
    sentence = (
        "Sentence {0} of the log says that dial {1} rose by {2} marks in week {3} of the run "
        "and then stayed where it was."
    )
    sentences = [sentence.format(n, "ABCDEFGHIJKLMNOP"[n], n + 2, 3 * n + 1) for n in range(links + 5)]
    return [" ".join(sentences[start : start + 6]) for start in range(links)]


def test_the_ends_of_a_chain_are_not_one_paper(tmp_path: Path) -> None:
    texts = chain(7)
    made = build({"a": texts}, tmp_path)
    assert made.paper_of(texts[0][:60]) != made.paper_of(texts[6][:60])
    turned = build({"a": texts[::-1]}, tmp_path, shuffle=2)
    assert {frozenset(p) for p in by_text(made)} == {frozenset(p) for p in by_text(turned)}


def by_text(made: Built) -> list[list[str]]:
    return made.occurrences.group_by("paper_id").agg("text").get_column("text").to_list()


def test_a_thousand_versions_fold_whole(tmp_path: Path) -> None:
    words = (ROUTES + " " + BREAD).split()
    versions = []
    for day in range(1000):
        edited = list(words)
        edited[day % len(words)] = f"word{day}"
        versions.append(" ".join(edited))
    made = build({"daily": versions}, tmp_path)
    assert papers(made) == 1
    assert made.papers.get_column("version_count").item() == 1000
    assert made.papers.get_column("min_similarity").item() > 0.9


def test_texts_of_other_scripts_fold_too(tmp_path: Path) -> None:
    text = (
        "我们研究仓库机器人如何在货架移动时规划路线。规划器保留两张地图，一张可信，一张存疑，并在两者不一致处更多感知。"
    )
    made = build(
        {
            "a": [text],
            "b": [text.replace("仓库", "仓储"), "我们研究面包店的需求如何随天气和学校假期变化，小店因此浪费面包。"],
        },
        tmp_path,
    )
    assert papers(made) == 2


def test_a_person_has_the_last_word(tmp_path: Path) -> None:
    lists = {"a": [ROUTES, BREAD], "b": [REVISED]}
    one = build(lists, tmp_path)
    routes, bread = one.paper_of(ROUTES[:30]), one.paper_of(BREAD[:30])
    joined = build(lists, tmp_path, base=one, decisions=[Decision("same", routes, bread)])
    assert papers(joined) == 1
    assert "decision" in kinds(joined)
    again = build(lists, tmp_path, base=joined, decisions=[Decision("same", routes, bread)])
    assert papers(again) == 1
    assert again.papers.equals(joined.papers)
    occurrences = one.occurrences.filter(one.occurrences["paper_id"] == routes).get_column("occurrence_id").to_list()
    apart = build(lists, tmp_path, base=one, decisions=[Decision("different", *occurrences)])
    assert papers(apart) == 3
    assert apart.conflicts.get_column("detail").str.contains("person").any()


def test_a_decision_that_nothing_answers_to_is_told(tmp_path: Path) -> None:
    from assets.folded.folding import fold
    from assets.folded.settings import FoldingSettings
    from tests.folded.lists import tables

    occurrences, documents = tables({"a": [ROUTES]})
    decision = Decision("same", "occ_" + "0" * 20, "occ_" + "1" * 20)
    made = fold(
        occurrences,
        documents,
        base=None,
        settings=FoldingSettings(),
        decisions=[decision],
        index_out=tmp_path / "index",
    )
    assert made.unresolved == (decision,)


def test_no_text_of_a_mixed_heap_depends_on_its_order(tmp_path: Path) -> None:
    heap = [ROUTES, REVISED, BREAD, ROUTES.upper(), *chain(4), ROUTES[:150] + " ..."]
    partitions = set()
    for number, order in enumerate(itertools.islice(itertools.permutations(heap), 0, 40_000, 8_000)):
        made = build({"a": list(order)}, tmp_path / str(number)) if (tmp_path / str(number)).mkdir() is None else None
        assert made is not None
        partitions.add(frozenset(frozenset(p) for p in by_text(made)))
    assert len(partitions) == 1


def test_the_ends_of_a_chain_of_figures_are_not_one_paper(tmp_path: Path) -> None:
    sentence = (
        "Line {0} of the ledger says that meter {1} rose by {2} marks in month {3} of the survey and then stayed."
    )
    lines = [sentence.format(n, "ABCDEFGHIJKLMNOP"[n], n + 2, 3 * n + 1) for n in range(12)]
    texts = [" ".join(lines[start : start + 6]) for start in range(7)]
    made = build({"a": texts}, tmp_path)
    assert made.paper_of(texts[0][:60]) != made.paper_of(texts[6][:60])
