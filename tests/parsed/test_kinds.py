"""Kinds of lists that people have, one small file each in `kinds/`, the rows that it holds beside it.

A row names what must be read of a paper; what a kind does not carry is left out. No paper may be added or lost.
"""

import json
from pathlib import Path

import pytest

KINDS = Path(__file__).parent / "kinds"
FILES = sorted(path for path in KINDS.iterdir() if not path.name.endswith(".rows.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_papers_of_a_kind_of_list_are_read(read, path: Path) -> None:
    expected = json.loads(path.with_suffix("").with_suffix(".rows.json").read_text(encoding="utf-8"))
    got = read(path.read_bytes(), path.name)
    rows = [
        {
            "title": row["title"],
            "authors": row["authors"],
            "text": row["text"],
            "arxiv": next((i["value"] for i in row["external_ids"] if i["scheme"] == "arxiv"), None),
        }
        for row in got.occurrences.iter_rows(named=True)
    ]
    assert [{name: row[name] for name in wanted} for row, wanted in zip(rows, expected, strict=False)] == expected
    assert len(rows) == len(expected), [row["title"] for row in rows[len(expected) :]]
