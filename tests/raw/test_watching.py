"""Watching: what counts as a change, when it has settled, and which refreshes are asked for. No Dagster here."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

from assets.contract.folder import DataFolder
from assets.raw import watching
from assets.raw.inventory import take_inventory
from assets.raw.settings import IntakeSettings
from assets.raw.sources import Source, find_files
from assets.raw.watching import Change, Look, Memory, find_changes, look

SETTLE = 60
START = datetime(2026, 6, 1, 12, tzinfo=UTC)


class Watcher:
    """A watched folder: its clock, the memory from look to look, and the inventory that each refresh takes."""

    def __init__(self, root: Path) -> None:
        self.lists = root / "lists"
        self.lists.mkdir()
        self.folder = DataFolder(root / "data")
        self.source = Source("lists", str(self.lists))
        self.now = START
        self.memory = Memory()
        self.inventory: pl.DataFrame | None = None
        self.refreshes = 0
        self.keys: list[str] = []

    def write(self, name: str, text: str, age: float = 0) -> None:
        (self.lists / name).write_text(text)
        at = (self.now - timedelta(seconds=age)).timestamp()
        os.utime(self.lists / name, (at, at))

    def refresh(self) -> None:
        self.inventory = take_inventory(find_files(self.source), self.folder, IntakeSettings())
        self.refreshes += 1

    def changes(self) -> list[Change]:
        return find_changes([self.source], self.inventory)

    def look(self, after: float = 30) -> Look:
        """Look again after some seconds; a memory goes through its text, as in a cursor."""
        self.now += timedelta(seconds=after)
        seen = look(self.changes(), self.memory, [f"lists {self.refreshes}"], self.now, SETTLE)
        self.memory = Memory.load(seen.memory.dump())
        if seen.run_key:
            self.keys.append(seen.run_key)
        return seen


@pytest.fixture
def watcher(tmp_path: Path) -> Watcher:
    made = Watcher(tmp_path)
    made.write("a.txt", "one", age=3600)
    made.refresh()
    return made


def test_nothing_changed_is_nothing_to_do(watcher: Watcher) -> None:
    assert watcher.look() == Look("No file changed since the last refresh.")


def test_new_changed_and_removed_files_are_changes(watcher: Watcher) -> None:
    watcher.write("b.txt", "two", age=3600)
    watcher.refresh()
    watcher.write("a.txt", "three", age=100)
    watcher.write("c.txt", "four", age=100)
    (watcher.lists / "b.txt").unlink()
    assert [(change.file_name, change.path is None, change.is_new) for change in watcher.changes()] == [
        ("a.txt", False, False),
        ("c.txt", False, True),
        ("b.txt", True, False),
    ]


def test_a_file_that_is_old_enough_has_settled_at_once(watcher: Watcher) -> None:
    watcher.write("b.txt", "two", age=SETTLE)
    assert watcher.look().run_key


def test_a_young_file_has_settled_when_two_looks_find_it_the_same(watcher: Watcher) -> None:
    watcher.write("b.txt", "tw")
    assert watcher.look(5).says == "1 file(s) changed; waiting until lists/b.txt has settled."
    watcher.write("b.txt", "two")
    assert watcher.look(5).run_key is None
    assert watcher.look(5).run_key


def test_changes_are_batched_into_one_refresh(watcher: Watcher) -> None:
    watcher.write("b.txt", "two", age=SETTLE)
    watcher.write("c.txt", "three")
    assert watcher.look(5).run_key is None, "one that settled waits for the other"
    assert watcher.look(5).says == "2 file(s) changed."
    watcher.refresh()
    assert watcher.look().run_key is None


def test_a_file_that_never_stops_growing_does_not_hold_the_others_for_ever(watcher: Watcher) -> None:
    watcher.write("b.txt", "two", age=SETTLE)
    asked = 0
    for i in range(25):
        watcher.write("log.txt", "x" * i)
        asked += bool(watcher.look(30).run_key)
    assert asked == 1


def test_the_same_content_is_asked_for_once(watcher: Watcher) -> None:
    watcher.write("b.txt", "two", age=SETTLE)
    assert watcher.look().run_key
    assert [watcher.look().run_key for _ in range(3)] == [None, None, None]


def test_a_lost_memory_gives_the_same_key_until_a_refresh_looked_through(watcher: Watcher) -> None:
    watcher.write("b.txt", "two", age=SETTLE)
    watcher.look()
    watcher.memory = Memory()
    watcher.look()
    assert watcher.keys[0] == watcher.keys[1]


def test_a_failed_refresh_is_not_asked_for_again(watcher: Watcher) -> None:
    watcher.write("b.txt", "two", age=SETTLE)
    assert watcher.look().run_key
    watcher.refresh()  # it took its inventory, and a later step failed
    assert watcher.look().run_key is None
    watcher.write("c.txt", "three", age=SETTLE)
    assert watcher.look().run_key, "the next change is another matter"


def test_a_file_that_returns_to_earlier_content_is_seen_each_time(watcher: Watcher) -> None:
    for text in ("two", "one", "two", "one"):
        watcher.write("a.txt", text, age=SETTLE)
        assert watcher.look().run_key, text
        watcher.refresh()
    assert len(set(watcher.keys)) == 4


def test_a_file_that_comes_and_goes_is_seen_each_time(watcher: Watcher) -> None:
    for _ in range(2):
        watcher.write("b.txt", "two", age=SETTLE)
        assert watcher.look().run_key
        watcher.refresh()
        (watcher.lists / "b.txt").unlink()
        assert watcher.look(5).run_key is None, "a file may be gone for the moment in which it is replaced"
        assert watcher.look(5).run_key
        watcher.refresh()
    assert len(set(watcher.keys)) == 4


def test_a_touched_file_is_hashed_once_and_asks_for_nothing(watcher: Watcher, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed = []
    whole = watching.file_sha256
    monkeypatch.setattr(watching, "file_sha256", lambda path: hashed.append(path.name) or whole(path))
    watcher.write("a.txt", "one", age=SETTLE)
    assert watcher.look().says == "1 file(s) touched and not changed."
    assert watcher.look().run_key is None
    assert hashed == ["a.txt"]


def test_so_much_that_hashing_takes_long_is_told_by_size_and_time(
    watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "_HASHED_BYTES", 2)
    watcher.write("a.txt", "one", age=SETTLE)
    assert watcher.look().run_key, "at most a refresh that finds nothing new"


def test_before_the_first_refresh_all_files_are_new(watcher: Watcher) -> None:
    watcher.inventory = None
    assert watcher.look().run_key


def test_what_cannot_be_read_is_no_change_while_it_stays_so(watcher: Watcher) -> None:
    (watcher.lists / "gone.txt").symlink_to(watcher.lists / "nowhere")
    os.mkfifo(watcher.lists / "pipe")
    watcher.refresh()
    assert watcher.changes() == []


def test_a_folder_that_is_not_there_and_addresses_are_left_to_the_schedule(watcher: Watcher) -> None:
    shutil.rmtree(watcher.lists)
    assert find_changes([watcher.source, Source("page", url="http://127.0.0.1:9/")], watcher.inventory) == []


def test_past_contents_of_a_file_do_not_hide_its_return(watcher: Watcher) -> None:
    past = watcher.inventory
    assert past is not None
    watcher.write("a.txt", "two", age=200)
    watcher.refresh()
    assert watcher.inventory is not None
    watcher.inventory = pl.concat([watcher.inventory, past.with_columns(modified_at=None)])
    watcher.write("a.txt", "one", age=SETTLE)
    assert watcher.look().run_key


@pytest.mark.parametrize("text", [None, "", "{", "[]", '{"unknown": 1}', "null"])
def test_a_memory_that_cannot_be_read_is_none(text: str | None) -> None:
    assert Memory.load(text) == Memory()
