"""Plots: pictures that are small enough to be shown in their place, and text that is never markup."""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.contract.plot import LONGEST, histogram, plot_bars, plot_named

TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc")))
COUNTS = st.lists(st.integers(0, 10**9), max_size=2000)


def picture(markdown: str) -> ET.Element:
    found = re.fullmatch(r"!\[plot\]\(data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)\)\n\n.*", markdown, re.DOTALL)
    assert found, markdown
    return ET.fromstring(base64.b64decode(found[1]))


@given(COUNTS)
def test_bars_are_well_formed_and_short(counts: list[int]) -> None:
    for markdown in (plot_bars("words", counts), plot_bars("words", counts, [count // 2 for count in counts])):
        assert len(markdown) <= LONGEST
        assert picture(markdown).tag.endswith("svg")


@given(
    st.lists(st.tuples(st.text(st.characters(exclude_categories=("Cs", "Cc"))), st.integers(0, 10**12)), max_size=40)
)
def test_named_bars_are_well_formed_and_short(rows: list[tuple[str, int]]) -> None:
    assert len(plot_named("words", rows)) <= LONGEST
    picture(plot_named("words", rows))


def test_heights_are_in_proportion() -> None:
    (path,) = picture(plot_bars("words", [4, 2, 0, 1]))
    assert re.findall(r"v-(\d+)", path.attrib["d"]) == ["48", "24", "0", "12"]


def test_the_darker_part_lies_over_its_total() -> None:
    total, part = picture(plot_bars("words", [4, 2], [2, 2]))
    assert re.findall(r"v-(\d+)", total.attrib["d"]) == ["48", "24"]
    assert re.findall(r"v-(\d+)", part.attrib["d"]) == ["24", "24"]


def test_neighbours_of_very_many_are_added_up() -> None:
    (path,) = picture(plot_bars("words", [1] * 60))
    assert re.findall(r"v-(\d+)", path.attrib["d"]) == ["48"] * 30


def test_names_are_text_and_many_are_counted() -> None:
    markdown = plot_named("Rejects", [("<script>&'\"", 5), ("](x)", 3), *((f"n{i}", 1) for i in range(9))])
    assert [node.text for node in picture(markdown) if node.tag.endswith("text")][:2] == ["<script>&'\" 5", "](x) 3"]
    assert "script" not in markdown
    assert re.search(r"Rejects; \d more$", markdown)


@pytest.mark.parametrize("counts", [[], [0], [0, 0]])
def test_nothing_to_draw_is_a_picture_too(counts: list[int]) -> None:
    picture(plot_bars("words", counts))
    picture(plot_named("words", []))


def test_a_histogram_counts_all_and_is_not_flattened_by_one_giant() -> None:
    bins, width = histogram([*range(100, 200), 90_000], [1] * 101, bins=20)
    assert (sum(bins), width) == (101, 10)
    assert bins[10:] == [10] * 9 + [11]
    assert histogram([], []) == ([0] * 24, 1)
