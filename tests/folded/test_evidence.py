"""The evidence of a fold: the nearest member, the kind relative to it, and a sentence that says it."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from tests.folded.lists import Built, Record, build
from tests.folded.test_exact_and_markup import CLOCKS, KITES

FULLER = KITES.replace("over one bay show", "over one wide and windy northern bay show")
CUT = " ".join(KITES.split()[:28]) + " ..."


def folds(made: Built) -> dict[str, tuple[str, str, str | None]]:
    """Return where each folded copy stands -> (where its match stands, kind, evidence)."""
    where = made.occurrences.join(made.documents.select("document_id", "file_name"), on="document_id").select(
        "occurrence_id", place=pl.format("{}{}", "file_name", "position")
    )
    joined = made.folds.join(where, on="occurrence_id").join(
        where.rename({"occurrence_id": "matched_occurrence_id", "place": "matched"}), on="matched_occurrence_id"
    )
    return {row["place"]: (row["matched"], row["match_kind"], row["detail"]) for row in joined.iter_rows(named=True)}


def test_a_copy_is_matched_with_the_member_that_it_equals_and_not_with_the_representative(tmp_path: Path) -> None:
    made = build({"a": [KITES], "b": [KITES], "c": [FULLER]}, tmp_path)
    assert made.papers["text"].to_list() == [FULLER]
    found = folds(made)
    assert found["b1"] == ("a1", "exact", "the same as it came")
    matched, kind, detail = found["a1"]
    assert (matched, kind) == ("c1", "revised")
    assert detail == "91% of the words of both in common; 39 and 43 words"


def test_matches_lead_to_the_representative_without_a_circle(tmp_path: Path) -> None:
    wrapped = KITES.replace(" when ", "\nwhen ").replace("18%", "18 %")
    spaced = Record(KITES.replace("18%", "18 %"), raw_text=wrapped)
    made = build(
        {"a": [KITES, CUT], "b": [spaced, CUT], "c": [FULLER, KITES.replace(",", ";")], "d": [KITES]}, tmp_path
    )
    [paper] = made.papers.iter_rows(named=True)
    partner = dict(made.folds.select("occurrence_id", "matched_occurrence_id").iter_rows())
    for start in partner:
        steps, here = 0, start
        while here != paper["representative_occurrence_id"]:
            here, steps = partner[here], steps + 1
            assert steps <= len(partner)
    found = folds(made)
    assert found["b1"] == ("a1", "markup", "the same words and signs; markup or print differs")
    assert found["c2"] == ("a1", "revised", "the same words; signs differ")
    assert found["b2"] == ("a2", "exact", "the same as it came")
    assert found["a2"][1:] == ("truncated", "begins as the longer text and ends after 29 of 43 words")


def test_versions_are_numbered_as_they_appeared(tmp_path: Path) -> None:
    lists = {"a": [FULLER, CLOCKS], "b": [KITES, Record(title="A list without abstracts")], "c": [FULLER, CUT]}
    made = build(lists, tmp_path, snapshots={"a": "2026-06-02", "b": "2026-06-01", "c": "2026-06-03"})
    kites = made.occurrences.filter(paper_id=made.paper_of("We measure how far"))
    where = kites.join(made.documents.select("document_id", "file_name"), on="document_id").sort(
        "file_name", "position"
    )
    assert where.select("file_name", "version").rows() == [("a", 2), ("b", 1), ("c", 2), ("c", 3)]
    textless = made.occurrences.filter(pl.col("text").is_null())
    assert textless["version"].to_list() == [None]


def test_a_shared_id_and_equal_titles_are_said(tmp_path: Path) -> None:
    one = Record(KITES, title="Kites at dusk over a bay", authors=("Ada Muster",), external_ids=(("arxiv", "2699.1"),))
    other = Record(title="Kites at dusk over a bay", authors=("A. Muster",))
    third = Record(title="Kites at dusk over the bay", external_ids=(("arxiv", "2699.1"),))
    found = folds(build({"a": [one], "b": [other], "c": [third]}, tmp_path))
    assert found["b1"] == ("a1", "same_title", "titles equal and authors agree")
    assert found["c1"][:2] == ("a1", "same_id")
    assert "shared id arxiv:2699.1" in (found["c1"][2] or "")
