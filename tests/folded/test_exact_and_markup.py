"""Copies that differ in print only are one paper; each fold says how."""

import os
import re
from pathlib import Path

import polars as pl
import pytest

from assets.folded.canonical import canonical_text
from tests.folded.lists import Record, build

SHARED = Path(os.environ.get("PAPERFOLD_SHARED", Path(__file__).parents[3] / "shared"))

KITES = (
    "We measure how far a kite drifts when the wind turns at dusk. Forty flights over one bay show a drift of "
    "18% of the line. The drift is smaller for kites with a tail, and we explain why."
)
CLOCKS = (
    "Tower clocks lose time in winter because their oil thickens. We replace the oil in nine towers and log "
    "the pendulum for a year. The loss falls from forty seconds a week to three."
)


def canonical(text: str) -> str:
    return pl.select(canonical_text(pl.lit(text))).item()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a gain of 18% in ε > 0", "a gain of 18 % in ε>0"),
        ("vision–language models", "vision-language  models"),
        ("vision--language models", "vision-language models"),
        ("the “easy” case of Müller's maps", 'The "easy" case of Mu\u0308ller’s maps'),
        ("a shel\u200bves and soft\u00adened edge", "a shelves and softened edge"),
        ("the ﬁrst ﬂow", "the first flow"),
        ("no\u00a0break and\tlines\r\nend", "no break and lines end"),
        ("``quoted'' words", "“quoted” words"),
    ],
)
def test_equal_but_for_print(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("needs Ω(n²) samples", "needs Ω(n³) samples"),
        ("needs n² samples", "needs n2 samples"),
        ("where x > 0 holds", "where x < 0 holds"),
        ("a rate of 18%", "a rate of 18"),
        ("f'(x) is zero", "f(x) is zero"),
    ],
)
def test_different_in_more_than_print(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)


def test_copies_fold_with_their_kind(tmp_path: Path) -> None:
    wrapped = KITES.replace(" when ", "\nwhen ").replace("18%", "18 %")
    made = build(
        {"a": [KITES, CLOCKS], "b": [KITES], "c": [Record(KITES.replace("18%", "18 %"), raw_text=wrapped)]}, tmp_path
    )
    kinds = made.occurrences.sort("match_kind").get_column("match_kind").to_list()
    assert kinds == ["exact", "first", "first", "markup"]
    assert made.folds.get_column("matched_occurrence_id").n_unique() == 1
    assert made.papers.sort("occurrence_count").get_column("version_count").to_list() == [1, 1]


def test_order_of_files_and_rows_does_not_matter(tmp_path: Path) -> None:
    one = build({"a": [KITES, CLOCKS], "b": [CLOCKS.upper(), KITES]}, tmp_path)
    other = build({"b": [CLOCKS.upper(), KITES], "a": [KITES, CLOCKS]}, tmp_path, shuffle=5)
    assert one.papers.equals(other.papers)
    assert one.folds.equals(other.folds)


def test_the_representative_does_not_shout(tmp_path: Path) -> None:
    made = build({"a": [CLOCKS.upper()], "b": [CLOCKS]}, tmp_path)
    assert made.papers.get_column("text").to_list() == [CLOCKS]


def test_nothing_in_gives_nothing_out(tmp_path: Path) -> None:
    made = build({"empty": []}, tmp_path)
    assert made.papers.is_empty()
    assert made.folds.is_empty()


def test_the_three_real_lists(tmp_path: Path) -> None:
    files = sorted((SHARED / "seeds").glob("*.txt"))
    if not files:
        pytest.skip("the real lists are not here")
    lists = {}
    for file in files:
        blocks = [b.strip() for b in re.split(r"\n\s*\n", file.read_text(encoding="utf-8")) if b.strip()]
        lists[file.name] = blocks[1:]
    made = build(lists, tmp_path)
    assert (made.occurrences.height, made.papers.height, made.folds.height, made.conflicts.height) == (49, 35, 14, 0)
