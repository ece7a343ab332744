"""Releases: readers see one whole release at every moment, and the right one."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DATABASE, MANIFEST, DataFolder
from assets.release import store
from assets.release.manifest import read_manifest
from tests.release.releases import publish_content, stage


def seen(folder: DataFolder) -> str:
    """Return what a reader finds behind `current`."""
    return (folder.current / DATABASE).read_text()


def test_the_first_release_becomes_current(folder: DataFolder) -> None:
    publish_content(folder, "one")
    assert seen(folder) == "one"
    assert folder.current.readlink() == Path("releases/rel_one")


def test_a_reader_of_the_old_release_keeps_it(folder: DataFolder) -> None:
    publish_content(folder, "one")
    with (folder.current / DATABASE).open() as reader:
        publish_content(folder, "two")
        store.retire(folder, keep=1)
        assert reader.read() == "one"
    assert seen(folder) == "two"


def test_a_data_folder_works_after_it_was_moved(folder: DataFolder, tmp_path: Path) -> None:
    publish_content(folder, "one")
    folder.root.rename(tmp_path / "elsewhere")
    assert seen(DataFolder(tmp_path / "elsewhere")) == "one"


def test_a_rollback_holds_while_refreshes_go_on(folder: DataFolder) -> None:
    for content in ("one", "two"):
        publish_content(folder, content)
    store.pin_release(folder, "rel_one")
    publish_content(folder, "three")
    assert seen(folder) == "one"
    assert store.latest_release(folder) == "rel_three"
    assert store.unpin(folder) == "rel_three"
    assert seen(folder) == "three"


def test_unpinning_what_is_not_pinned_changes_nothing(folder: DataFolder) -> None:
    publish_content(folder, "one")
    assert store.unpin(folder) is None
    assert seen(folder) == "one"


def test_a_rollback_that_was_cut_off_is_finished_by_the_next_writer(folder: DataFolder) -> None:
    for content in ("one", "two"):
        publish_content(folder, content)
    folder.pin.write_text('{"release": "rel_one", "latest": "rel_two"}')
    store.settle(folder)
    assert seen(folder) == "one"


def test_a_damaged_pin_is_named(folder: DataFolder) -> None:
    publish_content(folder, "one")
    folder.pin.write_text("{")
    with pytest.raises(PaperfoldError, match=r"pin.json is damaged: remove it"):
        store.read_pin(folder)


def test_a_damaged_release_does_not_stand_in_the_way_of_others(folder: DataFolder) -> None:
    for content in ("one", "two"):
        publish_content(folder, content)
    (folder.release("rel_two") / MANIFEST).write_text("{")
    assert [release.release_id for release in store.list_releases(folder)] == ["rel_one"]
    assert store.latest_release(folder) == store.usable_base(folder) == "rel_one"
    store.pin_release(folder, "rel_one")
    assert seen(folder) == "one"


@pytest.mark.parametrize("current", [True, False])
def test_a_damaged_release_is_replaced_by_a_whole_one_of_the_same_id(folder: DataFolder, current: bool) -> None:
    publish_content(folder, "one")
    if not current:
        publish_content(folder, "two")
    damaged = folder.release("rel_one")
    (damaged / "papers.parquet").write_text("bits")
    (damaged / "folds.parquet").unlink()
    assert store.damaged_files(damaged, read_manifest(damaged)) == [
        "papers.parquet differs from the manifest's SHA-256",
        "folds.parquet is missing",
    ]
    publish_content(folder, "one")
    assert store.damaged_files(damaged, read_manifest(damaged)) == []
    assert seen(folder) == "one"
    assert [path.name for path in folder.releases.iterdir() if path.name.startswith(".")] == []


def test_a_write_ahead_log_beside_the_database_is_damage(folder: DataFolder) -> None:
    publish_content(folder, "one")
    release = folder.release("rel_one")
    (release / f"{DATABASE}.wal").touch()
    assert "opened for writing" in store.damaged_files(release, read_manifest(release))[0]


def test_leftovers_of_crashed_runs_are_removed_and_whole_releases_are_not(folder: DataFolder) -> None:
    publish_content(folder, "one")
    stage(folder, "two")
    (folder.release("rel_half")).mkdir()
    assert store.remove_leftovers(folder) == [".staging-test", "rel_half"]
    assert [release.release_id for release in store.list_releases(folder)] == ["rel_one"]


def test_a_release_is_found_by_the_beginning_of_its_id(folder: DataFolder) -> None:
    for content in ("one", "other"):
        publish_content(folder, content)
    assert store.resolve_release(folder, "rel_on").release_id == "rel_one"
    with pytest.raises(PaperfoldError, match="More than one release 'rel_o'"):
        store.resolve_release(folder, "rel_o")
    with pytest.raises(PaperfoldError, match=r"No release 'rel_x'. There are: rel_other, rel_one"):
        store.resolve_release(folder, "rel_x")


def test_a_damaged_manifest_is_named(folder: DataFolder) -> None:
    publish_content(folder, "one")
    (folder.release("rel_one") / MANIFEST).write_text("{")
    with pytest.raises(PaperfoldError, match=r"(?s)manifest.json is damaged.*Make a new release with"):
        store.resolve_release(folder, None)


class Releases(RuleBasedStateMachine):
    """Publishing, returning, rolling back, letting go and retiring in any order, against a model of three names."""

    @initialize()
    def begin(self) -> None:
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = DataFolder(Path(self.temporary.name))
        self.latest: str | None = None
        self.pinned: str | None = None

    @rule(content=st.sampled_from("abcdefgh"))
    def publish(self, content: str) -> None:
        self.latest = publish_content(self.folder, content)

    @precondition(lambda self: self.latest)
    @rule(data=st.data())
    def roll_back(self, data: st.DataObject) -> None:
        known = [release.release_id for release in store.list_releases(self.folder)]
        self.pinned = data.draw(st.sampled_from(known))
        store.pin_release(self.folder, self.pinned)

    @rule()
    def let_go(self) -> None:
        store.unpin(self.folder)
        self.pinned = None

    @rule(keep=st.integers(1, 3))
    def retire(self, keep: int) -> None:
        removed = store.retire(self.folder, keep)
        assert not {self.latest, self.pinned} & set(removed)
        assert len(store.list_releases(self.folder)) <= keep + 2

    @invariant()
    def readers_see_a_whole_release(self) -> None:
        expected = self.pinned or self.latest
        assert store.current_release(self.folder) == expected
        assert store.latest_release(self.folder) == self.latest
        if expected:
            manifest = read_manifest(self.folder.current)
            assert manifest.release_id == expected
            assert store.damaged_files(self.folder.current, manifest) == []

    def teardown(self) -> None:
        if hasattr(self, "temporary"):
            self.temporary.cleanup()


TestReleases = Releases.TestCase
TestReleases.settings = settings(max_examples=30, stateful_step_count=15, deadline=None)
