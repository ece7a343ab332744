"""A person's word on a pair holds over every rule, and outlives the ids that it was given on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from assets.folded.checks import CHECKS
from assets.folded.settings import Decision
from tests.folded.lists import Built, Record, build
from tests.folded.test_incremental import abstract, same
from tests.folded.test_lookalikes import BREAD, REVISED, ROUTES

[DECISIONS_HOLD] = [check for check in CHECKS if check.name == "decisions_hold"]


def occurrence(made: Built, file: str, position: int) -> str:
    [document] = made.documents.filter(pl.col("file_name") == file)["document_id"]
    return made.occurrences.filter(document_id=document, position=position)["occurrence_id"].item()


def refreshed(
    tmp_path: Path, base: Built, steps: Sequence[dict[str, Sequence[str | Record]]], decision: Decision
) -> list[Built]:
    """Refresh step by step; each refresh must equal a full build on the same base."""
    made = []
    for lists in steps:
        one = build(lists, tmp_path, base=base, decisions=[decision])
        full = build(lists, tmp_path, base=base, decisions=[decision], with_index=False)
        same(one, full)
        assert one.decisions.equals(full.decisions)
        made.append(one)
        base = one
    return made


def papers_of(made: Built, *texts: str) -> list[set[str]]:
    """The papers that hold each of the texts."""
    return [set(made.occurrences.filter(text=text)["paper_id"]) for text in texts]


def test_same_holds_over_three_refreshes_that_change_the_files(tmp_path: Path) -> None:
    first = build({"a": [ROUTES, abstract(1)], "b": [BREAD]}, tmp_path)
    decision = Decision("same", occurrence(first, "a", 1), occurrence(first, "b", 1))
    steps = [
        {"a": [abstract(2), ROUTES], "b": [BREAD]},
        {"a": [abstract(3), ROUTES, abstract(1)], "b": [abstract(4), BREAD]},
        {"b": [BREAD], "c": [abstract(5), ROUTES]},
    ]
    for made in refreshed(tmp_path, first, steps, decision):
        [routes], [bread] = papers_of(made, ROUTES, BREAD)
        assert routes == bread
        assert made.decisions["outcome"].to_list() == ["holds"]
        assert made.decisions["paper_id_a"].to_list() == [routes]
        assert DECISIONS_HOLD.judge(made.tables()).passed
        assert "decision" in made.folds["match_kind"].to_list()


def test_different_holds_over_three_refreshes_and_for_all_copies(tmp_path: Path) -> None:
    first = build({"a": [ROUTES, REVISED]}, tmp_path)
    assert first.papers.height == 1
    decision = Decision("different", occurrence(first, "a", 1), occurrence(first, "a", 2))
    steps = [
        {"a": [ROUTES, REVISED]},
        {"a": [abstract(1), REVISED, ROUTES]},
        {"a": [abstract(2), ROUTES], "b": [REVISED, ROUTES], "c": [REVISED]},
    ]
    for made in refreshed(tmp_path, first, steps, decision):
        [routes], [revised] = papers_of(made, ROUTES, REVISED)
        assert routes != revised
        assert made.decisions["outcome"].to_list() == ["holds"]
        assert made.conflicts["detail"].str.contains("person").any()


def test_different_on_equal_texts_follows_their_places_in_their_files(tmp_path: Path) -> None:
    first = build({"a": [ROUTES, abstract(1), ROUTES]}, tmp_path)
    decision = Decision("different", occurrence(first, "a", 1), occurrence(first, "a", 3))
    steps = [
        {"a": [ROUTES, abstract(1), ROUTES]},
        {"a": [abstract(2), ROUTES, ROUTES]},
        {"a": [abstract(2), ROUTES, abstract(3), ROUTES]},
    ]
    ids = []
    for made in refreshed(tmp_path, first, steps, decision):
        [held] = papers_of(made, ROUTES)
        assert len(held) == 2
        ids.append(held)
        assert made.decisions["outcome"].to_list() == ["holds"]
    assert ids[0] == ids[1] == ids[2]


def test_a_decision_given_while_the_file_changes_is_resolved_by_the_release_before(tmp_path: Path) -> None:
    first = build({"a": [ROUTES], "b": [BREAD]}, tmp_path)
    decision = Decision("same", occurrence(first, "a", 1), occurrence(first, "b", 1))
    [made] = refreshed(tmp_path, first, [{"a": [abstract(1), ROUTES], "b": [BREAD, abstract(2)]}], decision)
    assert made.decisions["outcome"].to_list() == ["holds"]


def test_when_the_text_itself_is_gone_its_paper_still_answers(tmp_path: Path) -> None:
    first = build({"a": [ROUTES], "b": [REVISED], "c": [BREAD]}, tmp_path)
    decision = Decision("same", occurrence(first, "a", 1), occurrence(first, "c", 1))
    steps = [{"a": [ROUTES], "b": [REVISED], "c": [BREAD]}, {"b": [REVISED], "c": [BREAD]}, {"c": [BREAD]}]
    kept, half, gone = refreshed(tmp_path, first, steps, decision)
    assert kept.papers.height == half.papers.height == gone.papers.height == 1
    assert [made.decisions["outcome"].item() for made in (kept, half, gone)] == ["holds", "holds", "unresolved"]


def test_a_decision_that_nothing_answers_to_is_a_warning_with_its_key_and_id(tmp_path: Path) -> None:
    nobody = "occ_" + "0" * 20
    first = build({"a": [ROUTES]}, tmp_path)
    routes = first.papers["paper_id"].item()
    made = build({"a": [ROUTES]}, tmp_path, base=first, decisions=[Decision("different", routes, nobody)])
    verdict = DECISIONS_HOLD.judge(made.tables())
    assert not verdict.passed
    assert DECISIONS_HOLD.severity == "WARN"
    assert verdict.failing is not None
    assert verdict.failing.rows() == [("decision.1.different", "unresolved", nobody)]


def test_a_decision_that_another_overrules_is_a_warning(tmp_path: Path) -> None:
    first = build({"a": [ROUTES], "b": [BREAD]}, tmp_path)
    ids = first.papers["paper_id"].to_list()
    made = build(
        {"a": [ROUTES], "b": [BREAD]},
        tmp_path,
        base=first,
        decisions=[Decision("same", *ids), Decision("different", *ids)],
    )
    assert made.papers.height == 2
    assert made.decisions.select("setting", "outcome").rows() == [
        ("decision.1.same", "overruled"),
        ("decision.2.different", "holds"),
    ]
    assert not DECISIONS_HOLD.judge(made.tables()).passed


@pytest.mark.parametrize("verdict", ["same", "different"])
def test_without_decisions_the_table_is_empty(tmp_path: Path, verdict: str) -> None:
    first = build({"a": [ROUTES], "b": [REVISED]}, tmp_path)
    assert first.decisions.is_empty()
    ids = [occurrence(first, "a", 1), occurrence(first, "b", 1)]
    with_one = build({"a": [ROUTES], "b": [REVISED]}, tmp_path, base=first, decisions=[Decision(verdict, *ids)])
    assert with_one.papers.height == (1 if verdict == "same" else 2)
    without = build({"a": [ROUTES], "b": [REVISED]}, tmp_path, base=with_one)
    assert without.decisions.is_empty()
    assert without.papers.height == 1
