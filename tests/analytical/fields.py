"""Invented papers of three fields, told apart by nothing but their words, and what an analysis is given."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from assets.analytical.analysis import Given
from assets.contract.ids import document_id, occurrence_id, paper_id

_FIELDS = {
    "tides": (
        "tide gauge",
        ["harbour", "sea level", "storm surge", "tide gauge", "salt marsh", "estuary", "coastal flooding", "dredging"],
        "The {0} was seen beside the {1}; the {2} changes the {3} in spring. A tide gauge near the {2} tells the {0}.",
    ),
    "bread": (
        "sourdough",
        ["sourdough", "rye flour", "wild yeast", "crust", "gluten network", "proofing time", "oven steam", "bran"],
        "We bake with {0} and weigh the {1}. The {2} softens the {3}; sourdough with more {2} keeps its {0} longer.",
    ),
    "chess": (
        "chess engine",
        [
            "endgame tables",
            "opening book",
            "pawn chain",
            "rook lift",
            "queen sacrifice",
            "tournament",
            "castling",
            "clock",
        ],
        "A chess engine weighs the {0} against the {1}. After the {2} the {3} decides, and the engine prefers the {0}.",
    ),
}


def paper(field: str, number: int) -> dict[str, str | None]:
    """Return paper_id, title, text, language of the paper of a field with a number: its words are the field's."""
    subject, words, form = _FIELDS[field]
    chosen = [words[(number * (step + 1) + step + number // 8) % len(words)] for step in range(4)]
    text = f"{form.format(*chosen)} Report {field}{number} has the figures."
    return {
        "paper_id": paper_id(field, str(number)),
        "title": f"On {subject} and {chosen[0]}",
        "text": text,
        "language": "en",
    }


def papers(**counts: int) -> pl.DataFrame:
    """Return so many papers of each field, in the order of their ids."""
    rows = [paper(field, number) for field, count in counts.items() for number in range(count)]
    return frame(rows)


def frame(rows: list[dict[str, str | None]]) -> pl.DataFrame:
    """Return rows of paper_id, title, text, language as a table sorted by id."""
    schema = {"paper_id": pl.String, "title": pl.String, "text": pl.String, "language": pl.String}
    return pl.DataFrame(rows, schema=schema).sort("paper_id")


def field_of(papers_: pl.DataFrame) -> dict[str, str]:
    """Return paper_id -> field."""
    fields = {}
    for identity, text in papers_.select("paper_id", "text").iter_rows():
        fields[identity] = next(field for field in _FIELDS if f"Report {field}" in text)
    return fields


def given(
    papers_: pl.DataFrame, out: Path, base: dict[str, pl.DataFrame] | None = None, before: Path | None = None
) -> Given:
    """Return what an analysis is given: the papers as the occurrences of one list, and a release before."""
    document = document_id("lists", "demo.txt", None)
    ids = papers_.get_column("paper_id").to_list()
    documents = pl.DataFrame({"document_id": [document], "list_key": ["demo-2026"], "year": [2026]})
    occurrences = pl.DataFrame(
        {
            "occurrence_id": [occurrence_id(document, place) for place, _ in enumerate(ids, 1)],
            "document_id": [document] * len(ids),
            "paper_id": ids,
        },
        schema={"occurrence_id": pl.String, "document_id": pl.String, "paper_id": pl.String},
    )
    out.mkdir(parents=True, exist_ok=True)
    tables = {"papers": papers_, "occurrences": occurrences, "documents": documents}
    return Given(
        {name: table.lazy() for name, table in tables.items()},
        {name: table.lazy() for name, table in base.items()} if base else None,
        before,
        out,
    )
