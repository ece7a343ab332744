"""The table of facts: of all papers, in one order, with those of unchanged texts carried over."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from assets.analytical.facts import table
from assets.contract.arrow import polars_schema
from tests.analytical.facts.tables import analysed, paper_id, papers

TEXTS = {
    "fox": "We propose FoxTarn, a sorter. It wins on 14 hill benchmarks.",
    "owl": "We introduce gravel sorting networks (GSN) and beat BERT.",
    "none": None,
}


def test_each_paper_with_a_text_has_its_facts_in_order(tmp_path: Path) -> None:
    facts = analysed(papers(**TEXTS), tmp_path / "out")
    assert dict(facts.schema) == polars_schema("facts")
    assert facts.equals(facts.sort("paper_id", "char_start", "char_end", "kind"))
    assert set(facts.select("paper_id", "kind", "value").iter_rows()) == {
        (paper_id("fox"), "introduced", "FoxTarn"),
        (paper_id("fox"), "claim", "14 hill benchmarks"),
        (paper_id("owl"), "introduced", "GSN"),
        (paper_id("owl"), "acronym", "GSN"),
        (paper_id("owl"), "model", "BERT"),
    }


def test_no_paper_no_fact(tmp_path: Path) -> None:
    assert analysed(papers(none=None), tmp_path / "out").is_empty()


class Base:
    """A release whose facts say something else than the rules would: what is carried over can be told."""

    def __init__(self, place: Path) -> None:
        self.papers = papers(**TEXTS)
        self.release = place / "base"
        facts = analysed(self.papers, self.release)
        self.facts = facts.with_columns(expansion=pl.lit("carried over"))

    def then(self, out: Path, **texts: str | None) -> dict[str, set[str | None]]:
        found = analysed(papers(**texts), out, self.papers, self.facts, self.release)
        return {
            name: set(found.filter(pl.col.paper_id == paper_id(name))["expansion"])
            for name in texts
            if paper_id(name) in set(found["paper_id"])
        }


@pytest.fixture
def base(tmp_path: Path) -> Base:
    return Base(tmp_path)


def test_facts_of_unchanged_texts_are_carried_over_and_the_rest_is_read(base: Base, tmp_path: Path) -> None:
    found = base.then(
        tmp_path / "out", fox=TEXTS["fox"], owl="We introduce gravel sorting networks (GSN).", new="We tune GPT-4."
    )
    assert found == {"fox": {"carried over"}, "owl": {"gravel sorting networks"}, "new": {None}}


def test_facts_of_papers_that_are_gone_go_with_them(base: Base, tmp_path: Path) -> None:
    assert set(base.then(tmp_path / "out", owl=TEXTS["owl"])) == {"owl"}


def test_other_rules_read_everything_again(base: Base, tmp_path: Path) -> None:
    (base.release / table.NOTE).write_text(json.dumps({"rules": "of old"}), encoding="utf-8")
    assert base.then(tmp_path / "out", fox=TEXTS["fox"]) == {"fox": {None}}


@pytest.mark.parametrize("note", [None, "", "[]", "{}", "{"])
def test_a_release_without_a_note_that_can_be_read_is_read_again(base: Base, tmp_path: Path, note: str | None) -> None:
    if note is None:
        (base.release / table.NOTE).unlink()
    else:
        (base.release / table.NOTE).write_text(note, encoding="utf-8")
    assert base.then(tmp_path / "out", fox=TEXTS["fox"]) == {"fox": {None}}


def test_the_note_goes_into_the_release(tmp_path: Path) -> None:
    analysed(papers(**TEXTS), tmp_path / "out")
    assert json.loads((tmp_path / "out" / table.NOTE).read_text(encoding="utf-8")) == {"rules": table.FACTS_VERSION}


def test_batches_make_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = analysed(papers(**TEXTS), tmp_path / "a")
    monkeypatch.setattr(table, "BATCH", 1)
    assert analysed(papers(**TEXTS), tmp_path / "b").equals(whole)
