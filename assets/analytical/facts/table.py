"""The table `facts`: of all papers, with those of unchanged texts carried over from the release before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from assets.analytical.analysis import Given
from assets.analytical.facts.reading import FACTS_VERSION, read_facts
from assets.analytical.facts.signs import signs_of
from assets.contract.arrow import empty, polars_schema

NOTE = "facts.json"
"""File of a release that names the version of the rules that read its facts."""

BATCH = 20_000
"""Papers whose facts are rows of Python at one time."""

_ORDER = ["paper_id", "char_start", "char_end", "kind"]


def analyse_facts(given: Given) -> dict[str, pl.DataFrame]:
    """Return the facts of all papers; leaves a note of the rules' version in `given.out`.

    A fact depends on the paper's text and on the rules alone, so papers whose text is as it was keep their facts, and
    only the rest is read. Facts that another version of the rules read are read again.
    """
    papers = given.tables["papers"].select("paper_id", "text")
    kept, rest = _carried_over(given, papers) if _same_rules(given.base_release) else (empty("facts"), papers)
    facts = pl.concat([kept, *(frame for frame in read_table(rest.collect()))])
    (given.out / NOTE).write_text(json.dumps({"rules": FACTS_VERSION}) + "\n", encoding="utf-8")
    return {"facts": facts.sort(_ORDER)}


def read_table(papers: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Yield the facts of papers (paper_id, text), a frame for each batch."""
    with_text = papers.filter(pl.col.text.is_not_null())
    for batch in with_text.iter_slices(BATCH):
        rows = [
            (paper_id, fact.kind, text[fact.start : fact.end], fact.expansion, fact.detail, fact.start, fact.end)
            for paper_id, text, signs in zip(batch["paper_id"], batch["text"], signs_of(batch["text"]), strict=True)
            for fact in read_facts(text, signs)
        ]
        yield pl.DataFrame(rows, schema=polars_schema("facts"), orient="row")


def _same_rules(base_release: Path | None) -> bool:
    if base_release is None:
        return False
    try:
        note = json.loads((base_release / NOTE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False  # a release without facts, or from before they had a note
    return isinstance(note, dict) and note.get("rules") == FACTS_VERSION


def _carried_over(given: Given, papers: pl.LazyFrame) -> tuple[pl.DataFrame, pl.LazyFrame]:
    """Return the base's facts of papers whose text is the same, and the other papers."""
    if given.base is None:
        return empty("facts"), papers
    before = given.base["papers"].select("paper_id", "text")
    same = ["paper_id", "text"]
    unchanged = papers.join(before, on=same, how="semi").select("paper_id")
    kept = given.base["facts"].join(unchanged, on="paper_id", how="semi")
    return kept.select(list(polars_schema("facts"))).collect(), papers.join(before, on=same, how="anti")
