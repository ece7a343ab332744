"""What each view answers, on three small snapshots of one list; and that a header is a contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.analytical.views import contract_breaches, load_views, parse_view
from assets.contract.folder import DataFolder
from tests.building import TEXTS, build, rows, write_list


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    """1 June: robot, bread, spill. 2 June: tide, spill, robot (revised), lexicon. And an undated list: bread, bread."""
    place = tmp_path_factory.mktemp("views")
    write_list(place / "lists" / "demo-2026-06-01.txt", "robot", "bread", "spill")
    second = place / "lists" / "demo-2026-06-02.txt"
    write_list(second, "tide", "spill", "robot", "lexicon", heading="DemoConf 2026 论文列表")
    second.write_text(second.read_text(encoding="utf-8").replace("18% sooner", "21% sooner"), encoding="utf-8")
    write_list(place / "lists" / "other.txt", "bread", "bread", heading="OtherConf 2025 Papers")
    (place / "lists" / "broken.txt").write_bytes(b"\x00\x01\x02\xff" * 300)
    folder = DataFolder(place / "data")
    build(folder, place / "lists")
    return folder


def names_by_id(release: DataFolder) -> dict[str, str]:
    begins = {text[:30]: name for name, text in TEXTS.items()}
    return {paper_id: begins[text[:30]] for paper_id, text in rows(release, "SELECT paper_id, text FROM papers")}


def test_corpus_summary_counts_everything_once(release: DataFolder) -> None:
    assert rows(
        release, "SELECT documents, lists, occurrences, papers, folded, conflicts, rejects FROM corpus_summary"
    ) == [(4, 3, 9, 5, 4, 0, 1)]
    assert rows(
        release,
        "SELECT round(fold_rate, 4), first_snapshot_at::DATE::TEXT, last_snapshot_at::DATE::TEXT FROM corpus_summary",
    ) == [(0.4444, "2026-06-01", "2026-06-02")]


def test_document_overlap_has_a_row_per_pair_that_shares_a_paper_or_a_list(release: DataFolder) -> None:
    assert rows(
        release,
        "SELECT file_name_a, file_name_b, shared_papers, round(jaccard, 2), round(containment, 2) "
        "FROM document_overlap",
    ) == [
        ("demo-2026-06-01.txt", "demo-2026-06-02.txt", 2, 0.4, 0.67),
        ("demo-2026-06-01.txt", "other.txt", 1, 0.33, 1.0),
    ]


def test_duplicate_clusters_shows_where_each_copy_stands(release: DataFolder) -> None:
    names = names_by_id(release)
    found = rows(
        release, "SELECT paper_id, occurrence_count, document_count, match_kinds, occurrences FROM duplicate_clusters"
    )
    shown = {
        names[paper_id]: (count, documents, kinds, [(o["file_name"], o["position"]) for o in copies])
        for paper_id, count, documents, kinds, copies in found
    }
    assert shown == {
        "bread": (3, 2, ["exact"], [("demo-2026-06-01.txt", 2), ("other.txt", 1), ("other.txt", 2)]),
        "spill": (2, 2, ["exact"], [("demo-2026-06-01.txt", 3), ("demo-2026-06-02.txt", 2)]),
        "robot": (2, 2, ["revised"], [("demo-2026-06-01.txt", 1), ("demo-2026-06-02.txt", 3)]),
    }


def test_list_changes_holds_each_snapshot_against_the_one_before(release: DataFolder) -> None:
    names = names_by_id(release)
    found = rows(release, "SELECT order_known, paper_id, change, previous_position, position FROM list_changes")
    assert {(known, names[paper], *rest) for known, paper, *rest in found} == {
        (True, "tide", "added", None, 1),
        (True, "spill", "moved", 3, 2),
        (True, "robot", "revised", 1, 3),
        (True, "lexicon", "added", None, 4),
        (True, "bread", "dropped", 2, None),
    }


def test_list_changes_says_when_only_file_names_gave_the_order(folder: DataFolder, tmp_path: Path) -> None:
    write_list(tmp_path / "lists" / "a.txt", "robot")
    write_list(tmp_path / "lists" / "b.txt", "robot", "bread")
    build(folder, tmp_path / "lists")
    assert sorted(rows(folder, "SELECT change, order_known FROM list_changes")) == [("added", False), ("kept", False)]


def test_a_paper_that_jumps_to_the_top_moves_alone(folder: DataFolder, tmp_path: Path) -> None:
    write_list(tmp_path / "lists" / "demo-2026-06-01.txt", "robot", "bread", "spill", "tide")
    write_list(tmp_path / "lists" / "demo-2026-06-02.txt", "tide", "robot", "bread", "spill")
    build(folder, tmp_path / "lists")
    assert rows(folder, "SELECT change, position FROM list_changes ORDER BY position") == [
        ("moved", 1),
        ("kept", 2),
        ("kept", 3),
        ("kept", 4),
    ]


def test_paper_versions_has_a_row_per_text(release: DataFolder) -> None:
    names = names_by_id(release)
    found = rows(
        release,
        "SELECT v.paper_id, v.version, v.first_snapshot_at::DATE::TEXT, v.occurrences, v.documents, "
        "(v.kind = 'first') = (v.similarity IS NULL), v.words = o.words, contains(o.text, '21% sooner') "
        "FROM paper_versions AS v JOIN occurrences AS o USING (occurrence_id)",
    )
    assert {(names[paper], *rest) for paper, *rest in found} == {
        ("robot", 1, "2026-06-01", 1, 1, True, True, False),
        ("robot", 2, "2026-06-02", 1, 1, True, True, True),
        ("bread", 1, "2026-06-01", 3, 2, True, True, False),
        ("spill", 1, "2026-06-01", 2, 2, True, True, False),
        ("tide", 1, "2026-06-02", 1, 1, True, True, False),
        ("lexicon", 1, "2026-06-02", 1, 1, True, True, False),
    }
    kinds = rows(release, "SELECT kind, round(similarity, 1) FROM paper_versions WHERE occurrences = 1 ORDER BY ALL")
    assert kinds == [("first", None), ("first", None), ("first", None), ("revised", 0.9)]
    counted = "SELECT paper_id, count(*) FROM paper_versions GROUP BY ALL ORDER BY ALL"
    assert rows(release, counted) == rows(release, "SELECT paper_id, version_count FROM papers ORDER BY ALL")


def test_reject_reasons_counts_and_shows_an_example(release: DataFolder) -> None:
    [row] = rows(release, "SELECT reason, rejects, documents, example_file FROM reject_reasons")
    assert row == ("binary", 1, 1, "broken.txt")


def test_quality_summary_shows_the_worst_first(release: DataFolder) -> None:
    found = rows(release, "SELECT file_name, occurrences, folded, rejects, rejected_share FROM quality_summary")
    assert found[0] == ("broken.txt", 0, 0, 1, None)
    assert sorted(row[:2] for row in found[1:]) == [
        ("demo-2026-06-01.txt", 3),
        ("demo-2026-06-02.txt", 4),
        ("other.txt", 2),
    ]
    assert sum(row[2] for row in found) == 4


def test_views_come_after_those_that_they_read() -> None:
    seen: set[str] = set()
    views = load_views()
    for view in views:
        assert set(view.depends_on) & {other.name for other in views} <= seen
        seen.add(view.name)


def test_dependencies_are_read_from_the_sql_without_its_own_names() -> None:
    view = parse_view(
        "v",
        "-- Says.\n--\n-- a BIGINT: A.\nWITH p AS (FROM papers) SELECT p.a FROM p JOIN (SELECT * FROM folds) f ON true",
    )
    assert view.depends_on == ("folds", "papers")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("SELECT 1", "expected a comment with a description"),
        ("-- Says.\n-- a BIGINT: A.\nSELECT 1", "expected a comment with a description"),
        ("-- Says.\n--\n-- a: no type\nSELECT 1", "v.sql, line 3: expected `-- name TYPE: description`"),
    ],
)
def test_a_header_that_is_no_contract_is_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_view("v", text)


def test_a_view_that_leaves_its_contract_is_described() -> None:
    view = parse_view("v", "-- Says.\n--\n-- a BIGINT: A.\n-- b VARCHAR: B.\nSELECT 1 AS a, 'x' AS b")
    assert contract_breaches(view, [("a", "BIGINT"), ("b", "VARCHAR")]) == []
    assert contract_breaches(view, [("a", "INTEGER"), ("b", "VARCHAR"), ("c", "DATE")]) == [
        "column 1: the contract says a BIGINT, the view has a INTEGER",
        "column 3: the contract says nothing, the view has c DATE",
    ]
