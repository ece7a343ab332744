"""A refresh folds as a full build does: the same papers, the same rows, whatever was added, changed or removed."""

import random
import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.folded import texts
from assets.folded.settings import FoldingSettings
from tests.folded.lists import Built, Record, build

SUBJECTS = ("kite", "clock", "bakery", "glacier", "violin", "harbour")
VERBS = ("measure", "explain", "predict", "repair", "compare")
WORDS = (
    "wind", "winter", "oil", "bread", "slow", "narrow", "signal", "river", "timber", "copper", "lantern", "pasture",
    "ledger", "orchard", "canyon", "meadow", "pencil", "basin", "furnace", "gravel", "anchor", "ribbon", "saddle",
    "thunder", "velvet", "walnut", "zephyr", "quarry", "marble", "feather",
)  # fmt: skip


def abstract(seed: int) -> str:
    """An invented abstract; equal seeds give equal texts."""
    chance = random.Random(seed)
    subject = SUBJECTS[seed % len(SUBJECTS)]
    sentences = [f"We {chance.choice(VERBS)} how a {subject} behaves near {chance.choice(WORDS)} number {seed}."]
    for _ in range(4):
        words = " ".join(chance.choice(WORDS) for _ in range(11))
        sentences.append(f"The {words} of the {subject} changes with {chance.choice(WORDS)}.")
    return " ".join(sentences)


def copy_of(seed: int, how: int) -> str | Record:
    """A copy of an abstract: as it is, shouting, revised, cut, with a title, or a title alone."""
    text = abstract(seed)
    words = text.split()
    chance = random.Random(seed * 31 + how)
    match how % 9:
        case 1:
            return text.upper()
        case 2 | 3:
            for _ in range(3):
                words[chance.randrange(len(words))] = chance.choice(WORDS)
            return " ".join(words)
        case 4:
            return " ".join(words[: len(words) * 3 // 5]) + " ..."
        case 5:
            return Record(text, title=f"On the {SUBJECTS[seed % 6]} number {seed} by the sea", authors=("Ada Muster",))
        case 6:
            return Record(title=f"On the {SUBJECTS[seed % 6]} number {seed} by the sea", authors=("A. Muster",))
        case 7:
            return Record(text, title=f"An unlike heading {seed}")
        case 8:
            return Record(text, external_ids=(("arxiv", f"2699.{seed % 4:05d}"),))
    return text


copies = st.tuples(st.integers(0, 5), st.integers(0, 8))
files = st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), st.lists(copies, max_size=6), max_size=4)


def lists_of(content: dict[str, list[tuple[int, int]]]) -> dict[str, list[str | Record]]:
    return {name: [copy_of(seed, how) for seed, how in records] for name, records in content.items()}


def same(one: Built, other: Built) -> None:
    for table in ("occurrences", "papers", "folds", "conflicts", "paper_aliases"):
        assert getattr(one, table).equals(getattr(other, table)), table


@settings(max_examples=20, deadline=None)
@given(steps=st.lists(files, min_size=2, max_size=4), added_share=st.sampled_from([0, texts.ADDED_SHARE]))
def test_a_refresh_equals_a_full_build(steps: list[dict[str, list[tuple[int, int]]]], added_share: int) -> None:
    # At 0 what was added never becomes one with what lay there, as in a large release.
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "ADDED_SHARE", added_share)
        path = Path(folder)
        last: Built | None = None
        for content in steps:
            lists = lists_of(content)
            refreshed = build(lists, path, base=last)
            rebuilt = build(lists, path, base=last, with_index=False)
            same(refreshed, rebuilt)
            afresh = build(lists, path, shuffle=1)
            assert refreshed.partition() == afresh.partition()
            last = refreshed


@settings(max_examples=10, deadline=None)
@given(content=files, seed=st.integers(0, 3))
def test_the_order_of_rows_changes_nothing(content: dict[str, list[tuple[int, int]]], seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        one = build(lists_of(content), Path(folder))
        other = build(lists_of(dict(reversed(content.items()))), Path(folder), shuffle=seed)
        assert one.partition() == other.partition()
        assert one.papers.equals(other.papers)
        assert one.conflicts.equals(other.conflicts)


@pytest.mark.parametrize("damage", ["missing", "shortened", "flipped", "manifest"])
def test_a_damaged_index_is_not_read(tmp_path: Path, damage: str) -> None:
    one = build({"a": [abstract(1), abstract(2)]}, tmp_path)
    assert one.base.index is not None
    file = one.base.index / "texts.codes.npy"
    if damage == "missing":
        file.unlink()
    elif damage == "shortened":
        file.write_bytes(file.read_bytes()[:-4])
    elif damage == "flipped":
        content = bytearray(file.read_bytes())
        content[-6] ^= 1
        file.write_bytes(content)
    else:
        (one.base.index / "index.json").write_text("{", encoding="utf-8")
    lists = {"a": [abstract(1), abstract(2)], "b": [copy_of(1, 2), abstract(3)]}
    same(build(lists, tmp_path, base=one), build(lists, tmp_path, base=one, with_index=False))


def test_other_settings_fold_as_a_full_build_with_them(tmp_path: Path) -> None:
    reworded = abstract(1).replace("We explain", "This report says").replace("furnace number", "a cold stove, no.")
    lists = {"a": [abstract(1), reworded, copy_of(1, 4)]}
    one = build(lists, tmp_path)
    strict = FoldingSettings(revised_jaccard=0.99, plain_jaccard=0.99, short_jaccard=0.99, cut_containment=1.0)
    assert one.papers.height == 1
    refreshed = build(lists, tmp_path, base=one, settings=strict)
    assert refreshed.partition() == build(lists, tmp_path, settings=strict).partition()
    assert refreshed.papers.height > 1


def test_unchanged_lists_give_the_same_rows(tmp_path: Path) -> None:
    lists = lists_of({"a": [(1, 0), (2, 0)], "b": [(1, 2), (2, 6)]})
    one = build(lists, tmp_path)
    two = build(lists, tmp_path, base=one)
    for table in ("papers", "folds", "conflicts", "paper_aliases"):
        assert getattr(one, table).equals(getattr(two, table)), table
    assert two.papers.get_column("paper_id").is_sorted()
    assert isinstance(two.papers, pl.DataFrame)


def test_a_refresh_shares_the_arrays_that_it_left_as_they_were(tmp_path: Path) -> None:
    one = build({"a": [abstract(n) for n in range(40)]}, tmp_path)
    two = build({"a": [abstract(n) for n in range(40)], "b": [abstract(50)]}, tmp_path, base=one)
    assert one.base.index is not None
    assert two.base.index is not None
    for name in ("texts.codes.npy", "texts.postings.npy"):
        assert (two.base.index / name).samefile(one.base.index / name)
    assert two.papers.height == one.papers.height + 1


@pytest.mark.parametrize("added_share", [0, texts.ADDED_SHARE])
def test_lists_that_become_common_and_rare_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, added_share: int
) -> None:
    monkeypatch.setattr(texts, "ADDED_SHARE", added_share)
    strict = FoldingSettings(common_shingle=3)
    tail = " ".join(sorted(WORDS))
    many = {f"f{n}": [f"{abstract(n)} {tail}", copy_of(n, 2)] for n in range(8)}
    few = {name: records for name, records in many.items() if name < "f2"}
    last: Built | None = None
    for lists in (few, many, few, many):
        refreshed = build(lists, tmp_path, base=last, settings=strict)
        same(refreshed, build(lists, tmp_path, base=last, settings=strict, with_index=False))
        assert refreshed.partition() == build(lists, tmp_path, settings=strict).partition()
        last = refreshed
