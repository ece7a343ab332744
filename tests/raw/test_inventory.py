"""The inventory holds every file of a source, readable or not, and stores each content once."""

from __future__ import annotations

import hashlib
import os
import socket
from pathlib import Path

import polars as pl
import pytest

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from assets.raw.contents import load_content
from assets.raw.inventory import take_inventory
from assets.raw.settings import IntakeSettings
from assets.raw.sources import Source, find_files, label_sources


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    path = tmp_path / "lists"
    path.mkdir()
    return path


def take(path: Path | str, folder: DataFolder, **limits: int) -> pl.DataFrame:
    [source] = label_sources([(None, str(path))])
    return take_inventory(find_files(source, leave_out=folder.own), folder, IntakeSettings(**limits))


def problems(inventory: pl.DataFrame) -> dict[str, str | None]:
    return dict(inventory.select("file_name", "problem").iter_rows())


def test_a_readable_file_is_hashed_and_stored(lists: Path, folder: DataFolder) -> None:
    (lists / "a.txt").write_bytes(b"DemoConf 2026 Papers\n")
    [row] = take(lists, folder).to_dicts()
    assert row["content_sha256"] == hashlib.sha256(b"DemoConf 2026 Papers\n").hexdigest()
    assert folder.content(row["content_sha256"]).read_bytes() == b"DemoConf 2026 Papers\n"
    assert (row["source"], row["file_name"], row["bytes"], row["problem"]) == ("lists", "a.txt", 21, None)


def test_equal_bytes_under_two_names_are_two_files_and_one_content(lists: Path, folder: DataFolder) -> None:
    for name in ("a.txt", "b.txt"):
        (lists / name).write_bytes(b"same")
    inventory = take(lists, folder)
    assert inventory["document_id"].n_unique() == 2
    assert len([path for path in folder.raw.rglob("*") if path.is_file()]) == 1


def test_names_are_kept_whatever_they_hold(lists: Path, folder: DataFolder) -> None:
    names = ["with space.txt", "quo'te\".txt", "#hash.txt", "论文列表.txt", "sub/deep/er.txt", "[brackets].txt"]
    for name in names:
        (lists / name).parent.mkdir(parents=True, exist_ok=True)
        (lists / name).write_text(name, encoding="utf-8")
    assert sorted(take(lists, folder)["file_name"]) == sorted(names)


def test_a_name_that_is_no_unicode_is_shown_with_escapes(lists: Path, folder: DataFolder) -> None:
    Path(os.fsdecode(os.fsencode(lists) + b"/caf\xe9.txt")).write_text("x")
    assert take(lists, folder)["file_name"].to_list() == ["caf\\xe9.txt"]


def test_what_cannot_be_read_is_a_row_with_its_problem(lists: Path, folder: DataFolder) -> None:
    (lists / "gone.txt").symlink_to(lists / "nowhere")
    os.mkfifo(lists / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(lists / "socket"))
        found = problems(take(lists, folder))
    assert found == {"gone.txt": "unreadable_file", "pipe": "unreadable_file", "socket": "unreadable_file"}


@pytest.mark.skipif(os.geteuid() != 0, reason="dropping privileges needs root; as another user the mode is enough")
def test_a_file_without_permission_is_a_row_with_its_problem(lists: Path, folder: DataFolder) -> None:
    secret = lists / "secret.txt"
    secret.write_text("x")
    secret.chmod(0o000)
    closed = lists / "closed"
    closed.mkdir(mode=0o000)
    for path in (lists, *lists.parents):
        if path.is_relative_to("/tmp") and path != Path("/tmp"):
            path.chmod(0o755)
    os.seteuid(65534)
    try:
        folder_for_all = DataFolder(Path("/tmp") / f"paperfold-{os.getpid()}")
        found = take(lists, folder_for_all)
    finally:
        os.seteuid(0)
    assert problems(found) == {"secret.txt": "unreadable_file", "closed": "unreadable_file"}
    assert all("Permission denied" in detail for detail in found["problem_detail"])


def test_a_file_over_the_limit_is_too_large_and_is_not_stored(lists: Path, folder: DataFolder) -> None:
    (lists / "big.txt").write_bytes(b"x" * 101)
    (lists / "fits.txt").write_bytes(b"x" * 100)
    found = take(lists, folder, max_file_bytes=100)
    assert problems(found) == {"big.txt": "too_large", "fits.txt": None}
    assert "101 bytes" in found.filter(problem="too_large")["problem_detail"].item()


def test_hidden_files_and_what_paperfold_keeps_are_left_out(tmp_path: Path) -> None:
    around = DataFolder(tmp_path / "all")
    for name in (".DS_Store", "list.txt", "raw/ab/abc", "releases/rel_1/papers.parquet", "sources.json"):
        (around.root / name).parent.mkdir(parents=True, exist_ok=True)
        (around.root / name).write_text("x")
    assert take(around.root, around)["file_name"].to_list() == ["list.txt"]


def test_a_link_back_to_a_folder_above_is_walked_once(lists: Path, folder: DataFolder) -> None:
    (lists / "a.txt").write_text("x")
    (lists / "loop").symlink_to(lists)
    assert take(lists, folder)["file_name"].to_list() == ["a.txt"]


def test_a_pattern_selects_files(lists: Path, folder: DataFolder) -> None:
    for name in ("x/a.txt", "x/b.md", "y/c.txt"):
        (lists / name).parent.mkdir(exist_ok=True)
        (lists / name).write_text(name)
    assert take(f"{lists}/**/*.txt", folder)["file_name"].to_list() == ["x/a.txt", "y/c.txt"]


def test_hidden_files_are_left_out_of_a_pattern_too(lists: Path, folder: DataFolder) -> None:
    for name in (".git/config", ".DS_Store", "x/.hidden", "x/a.txt"):
        (lists / name).parent.mkdir(exist_ok=True)
        (lists / name).write_text(name)
    assert take(f"{lists}/**/*", folder)["file_name"].to_list() == ["x/a.txt"]


@pytest.mark.parametrize("link", [False, True])
def test_a_data_folder_inside_the_source_is_not_read(tmp_path: Path, link: bool) -> None:
    inside = DataFolder(tmp_path / "all" / "data")
    (inside.release("rel_1")).mkdir(parents=True)
    (inside.release("rel_1") / "papers.parquet").write_text("x")
    inside.current.symlink_to("releases/rel_1")
    (tmp_path / "all" / "list.txt").write_text("x")
    (tmp_path / "alias").symlink_to(tmp_path / "all")
    place = tmp_path / ("alias" if link else "all")
    assert take(place, inside)["file_name"].to_list() == ["list.txt"]
    assert take(place, inside)["file_name"].to_list() == ["list.txt"]


def test_a_stored_content_that_was_changed_is_named(lists: Path, folder: DataFolder) -> None:
    (lists / "a.txt").write_text("x")
    [sha256] = take(lists, folder)["content_sha256"]
    assert load_content(folder, sha256) == b"x"
    folder.content(sha256).write_text("y")
    with pytest.raises(PaperfoldError, match="was changed since it was stored"):
        load_content(folder, sha256)


def test_a_stored_content_that_was_cut_short_is_stored_again(lists: Path, folder: DataFolder) -> None:
    (lists / "a.txt").write_text("DemoConf")
    [sha256] = take(lists, folder)["content_sha256"]
    folder.content(sha256).write_text("Demo")
    take(lists, folder)
    assert load_content(folder, sha256) == b"DemoConf"


def test_a_source_that_is_not_there_is_named(folder: DataFolder, tmp_path: Path) -> None:
    with pytest.raises(PaperfoldError, match=r"Source 'nowhere' \(.*nowhere is not there"):
        take(tmp_path / "nowhere", folder)


def test_sources_of_one_name_are_told_apart() -> None:
    assert label_sources([(None, "/a/lists"), (None, "/b/lists"), ("lists", "/c")]) == [
        Source("lists", "/a/lists"),
        Source("lists-2", "/b/lists"),
        Source("lists-3", "/c"),
    ]


def test_a_folder_that_moves_keeps_its_document_ids(tmp_path: Path, folder: DataFolder) -> None:
    for place in ("one", "two"):
        (tmp_path / place / "lists").mkdir(parents=True)
        (tmp_path / place / "lists" / "a.txt").write_text("x")
    ids = [take(tmp_path / place / "lists", folder)["document_id"].item() for place in ("one", "two")]
    assert ids[0] == ids[1]
