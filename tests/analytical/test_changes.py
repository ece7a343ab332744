"""What counts as a change: between two releases, between two snapshots, and how it is written down."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.analytical.analysis import Given
from assets.analytical.changes.analysis import write_changes
from assets.analytical.changes.compare import compare, compare_snapshots, is_cut
from assets.analytical.changes.edits import beginning, difference, in_plain_text, one_line, shortened
from assets.analytical.changes.markdown import escaped, markdown
from assets.analytical.changes.report import counts_in_words, report
from assets.analytical.changes.standing import snapshots, standing, unordered_lists
from assets.contract.arrow import polars_schema
from assets.contract.check import Tables
from tests.building import TEXTS

Snapshot = Mapping[str, str]
"""paper -> its text, in the order of the list."""


def release(
    lists: Mapping[tuple[str, str | None], Snapshot | Sequence[str]], aliases: Mapping[str, str | None] | None = None
) -> Tables:
    """Return the tables of a release: (list and file name, date) -> papers; the paper's name is its text where the
    snapshot is a mere list of names."""
    documents, occurrences, papers = [], [], {}
    for (name, day), shown in lists.items():
        texts = shown if isinstance(shown, Mapping) else {paper: TEXTS.get(paper, paper) for paper in shown}
        when = datetime.fromisoformat(day) if day else None
        documents.append(
            {
                "document_id": f"{name}@{day}", "list_key": name.split("/")[0], "source": "lists",
                "file_name": f"{name}-{day}", "snapshot_at": when, "occurrences": len(texts),
                "venue": None, "year": None,
            }
        )  # fmt: skip
        for position, (paper, text) in enumerate(texts.items(), 1):
            occurrences.append(
                {
                    "document_id": f"{name}@{day}", "paper_id": paper, "position": position, "text": text or None,
                    "occurrence_id": f"{name}@{day}:{position}:{hash(text)}", "words": len(text.split()),
                    "version": hash(text) % 1_000_000 + 1 if text else None,
                }
            )  # fmt: skip
            papers[paper] = {"paper_id": paper, "title": None, "text": text}
    rows = {
        "documents": documents,
        "occurrences": occurrences,
        "papers": list(papers.values()),
        "paper_aliases": [{"retired_paper_id": old, "paper_id": new} for old, new in (aliases or {}).items()],
    }
    return {
        name: pl.DataFrame(
            found,
            schema={k: v for k, v in polars_schema(name).items() if k in _COLUMNS[name]},
            infer_schema_length=None,
        ).lazy()
        for name, found in rows.items()
    }


_COLUMNS = {
    "documents": ("document_id", "list_key", "source", "file_name", "snapshot_at", "occurrences", "venue", "year"),
    "occurrences": ("document_id", "paper_id", "position", "text", "occurrence_id", "words", "version"),
    "papers": ("paper_id", "title", "text"),
    "paper_aliases": ("retired_paper_id", "paper_id"),
}
MONDAY, TUESDAY, WEDNESDAY = "2026-06-01", "2026-06-02", "2026-06-03"


def changes(now: Tables, before: Tables | None) -> set[tuple[str, str, str]]:
    return set(compare(now, before).select("list_key", "change", "paper_id").iter_rows())


def test_a_paper_that_no_list_showed_before_is_new() -> None:
    before = release({("demo", MONDAY): ["robot"]})
    now = release({("demo", MONDAY): ["robot"], ("demo", TUESDAY): ["robot", "bread"]})
    assert changes(now, before) == {("demo", "new", "bread")}


def test_without_a_release_before_everything_is_new() -> None:
    now = release({("demo", MONDAY): ["robot"], ("other", None): ["bread"]})
    assert changes(now, None) == {("demo", "new", "robot"), ("other", "new", "bread")}


def test_a_paper_that_its_lists_last_snapshot_no_longer_shows_is_dropped() -> None:
    before = release({("demo", MONDAY): ["robot", "bread"]})
    now = release({("demo", MONDAY): ["robot", "bread"], ("demo", TUESDAY): ["robot"]})
    assert changes(now, before) == {("demo", "dropped", "bread")}
    assert compare(now, before)["withdrawn"].to_list() == [False]


def test_a_paper_whose_file_is_gone_is_dropped_and_stands_nowhere_any_more() -> None:
    before = release({("demo", MONDAY): ["robot"], ("other", MONDAY): ["bread"]})
    now = release({("demo", MONDAY): ["robot"]})
    [row] = compare(now, before).to_dicts()
    assert (row["list_key"], row["change"], row["withdrawn"]) == ("other", "dropped", True)
    assert row["text"] == TEXTS["bread"]


def test_a_paper_that_comes_back_or_comes_to_another_list_is_listed_and_not_new() -> None:
    before = release({("demo", MONDAY): ["robot", "bread"], ("demo", TUESDAY): ["robot"]})
    now = release(
        {
            ("demo", MONDAY): ["robot", "bread"],
            ("demo", TUESDAY): ["robot"],
            ("demo", WEDNESDAY): ["robot", "bread"],
            ("other", WEDNESDAY): ["robot"],
        }
    )
    assert changes(now, before) == {("demo", "listed", "bread"), ("other", "listed", "robot")}


def test_a_text_that_differs_in_words_is_revised_and_one_that_differs_in_print_is_not() -> None:
    before = release({("demo", MONDAY): {"robot": TEXTS["robot"], "bread": TEXTS["bread"]}})
    revised = TEXTS["robot"].replace("18%", "21%")
    printed = TEXTS["bread"].replace("-", " – ").upper()
    now = release({("demo", MONDAY): ["robot", "bread"], ("demo", TUESDAY): {"robot": revised, "bread": printed}})
    assert changes(now, before) == {("demo", "revised", "robot")}
    [row] = compare(now, before).to_dicts()
    assert (row["previous_text"], row["text"]) == (TEXTS["robot"], revised)


def test_a_text_that_only_lost_its_end_is_cut() -> None:
    before = release({("demo", MONDAY): ["robot"]})
    now = release({("demo", MONDAY): ["robot"], ("demo", TUESDAY): {"robot": TEXTS["robot"][:90] + " ..."}})
    assert changes(now, before) == {("demo", "cut", "robot")}


def test_a_record_that_lost_its_text_altogether_is_not_called_revised() -> None:
    before = release({("demo", MONDAY): ["robot"]})
    assert changes(release({("demo", TUESDAY): {"robot": ""}}), before) == set()


def test_a_merged_paper_is_neither_new_nor_dropped() -> None:
    before = release({("demo", MONDAY): {"old": TEXTS["robot"]}})
    now = release({("demo", MONDAY): {"heir": TEXTS["robot"]}}, aliases={"old": "heir"})
    assert changes(now, before) == set()


def test_documents_without_a_time_stand_beside_each_other() -> None:
    before = release({("demo/a", None): ["robot"]})
    now = release({("demo/a", None): ["robot"], ("demo/b", None): ["bread"]})
    assert changes(now, before) == {("demo", "new", "bread")}
    orders = unordered_lists(snapshots(now["documents"]), snapshots(before["documents"]))
    assert orders == {"demo"}


def test_a_document_without_a_time_is_never_the_last_snapshot_of_a_list_that_has_times() -> None:
    both = release({("demo/z", None): ["robot", "bread"], ("demo", MONDAY): ["robot"]})
    shown = dict(standing(both).select("paper_id", "listed").iter_rows())
    assert shown == {"robot": True, "bread": False}
    assert unordered_lists(snapshots(both["documents"]), snapshots(both["documents"])) == set()


def test_two_documents_of_one_time_are_one_snapshot() -> None:
    before = release({("demo/a", MONDAY): ["robot"], ("demo/b", MONDAY): ["bread"]})
    now = release({("demo/a", TUESDAY): ["robot"], ("demo/b", TUESDAY): ["tide"]})
    assert changes(now, before) == {("demo", "new", "tide"), ("demo", "dropped", "bread")}


def test_between_two_snapshots_what_an_earlier_one_showed_is_not_new() -> None:
    tables = release(
        {
            ("demo", MONDAY): ["robot"],
            ("demo", TUESDAY): ["bread"],
            ("demo", WEDNESDAY): ["robot", "tide"],
            ("other", TUESDAY): ["spill"],
        }
    )
    shown = snapshots(tables["documents"]).filter(list_key="demo")
    found = compare_snapshots(tables, shown.filter(step=3), shown.filter(step=2))
    told = set(found.select("change", "paper_id", "withdrawn").iter_rows())
    assert told == {("listed", "robot", False), ("new", "tide", False), ("dropped", "bread", False)}


def test_nothing_changed_is_said_in_words() -> None:
    same = release({("demo", MONDAY): ["robot"]})
    assert counts_in_words(report(compare(same, same))["counts"]) == "nothing changed"


@given(st.lists(st.sampled_from("abcdefgh"), min_size=10, max_size=30), st.integers(1, 40))
def test_any_clear_beginning_is_a_cut_copy_and_the_whole_is_none(words: list[str], kept: int) -> None:
    whole = " ".join(f"{word}{place}" for place, word in enumerate(words))
    part = " ".join(whole.split()[:kept])
    assert is_cut(part, whole) == (kept <= 0.9 * len(words))
    assert not is_cut(whole, part)


@given(st.text("ab…- \x1b\n", max_size=30), st.text("ab…- \x1b\n", max_size=30))
def test_a_difference_holds_both_texts_in_order(old: str, new: str) -> None:
    edits = difference(old, new)
    for dropped, whole in (("added", old), ("removed", new)):
        assert " ".join(words for edit, words in edits if edit != dropped) == one_line(whole)
    kinds = [edit for edit, _ in edits]
    assert not any(pair in (("added", "removed"), ("equal", "equal")) for pair in itertools.pairwise(kinds))


def test_a_difference_is_read_as_words_between_marks() -> None:
    edits = difference("the tour ends 18% sooner", "the tour ends 21% sooner still")
    assert in_plain_text(edits) == "the tour ends [-18%-]{+21%+} sooner {+still+}"


def test_equal_stretches_are_shortened_to_what_stands_beside_a_change() -> None:
    old = " ".join(f"w{n}" for n in range(40))
    edits = shortened(difference(old, old.replace("w20 ", "x ")), context=2)
    assert in_plain_text(edits) == "… w18 w19 [-w20-]{+x+} w21 w22 …"


def test_control_characters_of_a_list_do_not_reach_a_terminal() -> None:
    assert one_line("a\x1b[31mb\r\n\u202ec\td") == "a [31mb c d"
    assert beginning("word " * 40).endswith("word …")
    assert len(beginning("字" * 200)) == 42


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a *b* _c_ `d` [e](f)", r"a \*b\* \_c\_ \`d\` \[e\](f)"),
        ("<script>&amp;", "&lt;script&gt;&amp;amp;"),
        ("# no heading", r"\# no heading"),
        ("1. no item", r"1\. no item"),
        ("- no item - here", r"\- no item - here"),
        ("see https://example.org", r"see https\://example.org"),
        ("a | b", r"a \| b"),
    ],
)
def test_text_of_lists_is_no_markdown(text: str, written: str) -> None:
    assert escaped(text) == written


def test_the_file_in_a_release_tells_what_changed(tmp_path: Path) -> None:
    before = release({("demo", MONDAY): {"robot": TEXTS["robot"], "bread": "<b>*Bread*\n\n# of the day</b>"}})
    now = release({("demo", TUESDAY): {"robot": TEXTS["robot"].replace("18%", "21%"), "tide": TEXTS["tide"]}})
    write_changes(Given(now, before, Path("releases/rel_1"), tmp_path))
    lines = (tmp_path / "changes.md").read_text(encoding="utf-8").splitlines()
    assert lines[2] == "Since rel\\_1: 1 new, 1 revised, 1 dropped."
    assert "| demo | 1 | 1 | 0 | 0 | 1 |" in lines
    assert "- &lt;b&gt;\\*Bread\\* # of the day&lt;/b&gt; (`bread`)" in lines
    assert any("ends the tour <del>18%</del> <ins>21%</ins> sooner." in line for line in lines)


def test_the_first_release_says_that_it_is_the_first(tmp_path: Path) -> None:
    write_changes(Given(release({("demo", MONDAY): ["robot"]}), None, None, tmp_path))
    text = (tmp_path / "changes.md").read_text(encoding="utf-8")
    assert "There is no release to compare with" in text
    assert "| demo | 1 | 0 | 0 | 0 | 0 |" in text


def test_long_lists_of_changes_are_cut_in_the_file() -> None:
    now = release({("demo", TUESDAY): [f"paper number {n}" for n in range(140)]})
    before = release({("other", MONDAY): ["robot"]})
    text = markdown(report(compare(now, before)), since="rel_1")
    assert "- … and 40 more: `paperfold changes --json` has them all" in text
