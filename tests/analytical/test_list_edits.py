"""A paper moved when it lost its place among those that kept their order; the others did not."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.analytical.changes.list_edits import edited_papers, out_of_order
from tests.analytical.test_changes import MONDAY, TUESDAY, WEDNESDAY, release


def moved(before: str, now: str) -> str:
    tables = release({("demo", MONDAY): list(before), ("demo", TUESDAY): list(now)})
    return "".join(edited_papers(tables)["paper_id"])


@pytest.mark.parametrize(
    ("before", "now", "who"),
    [
        ("abcdef", "abcdef", ""),
        ("abcdef", "fabcde", "f"),
        ("abcdef", "bcdefa", "a"),
        ("abcdef", "acdebf", "b"),
        ("abcdef", "xaybcdef", ""),
        ("abcdef", "abdef", ""),
        ("abcdef", "efabcd", "ef"),
        ("abcdef", "axfybcd", "f"),
        ("", "abc", ""),
    ],
)
def test_the_paper_that_jumped_moved_and_those_that_it_passed_did_not(before: str, now: str, who: str) -> None:
    assert moved(before, now) == who


def test_each_snapshot_is_held_against_the_one_before_of_its_own_list() -> None:
    tables = release(
        {
            ("demo", WEDNESDAY): list("cba"),
            ("demo", MONDAY): list("abc"),
            ("demo", TUESDAY): list("cab"),
            ("other", TUESDAY): list("cba"),
        }
    )
    found = edited_papers(tables).select("document_id", "paper_id").rows()
    assert ("demo@2026-06-02", "c") in found
    assert {document for document, _ in found} == {"demo@2026-06-02", "demo@2026-06-03"}


@given(st.permutations(range(7)))
def test_as_few_as_possible_moved_and_the_rest_is_in_order(places: list[int]) -> None:
    outside = out_of_order(places)
    kept = [place for place, out in zip(places, outside, strict=True) if not out]
    assert kept == sorted(kept)
    longest = max(
        size
        for size in range(len(places) + 1)
        if any(list(run) == sorted(run) for run in itertools.combinations(places, size))
    )
    assert len(kept) == longest
