"""Sources from end to end: addresses on a real server, folders with a history, and sources that fail."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from assets.raw.history import read_state, state_path
from assets.release.store import current_release
from orchestration.gc import collect_garbage
from orchestration.summary import render
from tests.building import TEXTS, build, ids_by_text, rows, write_list
from tests.raw.web import Page, Web, serve, with_etag

MANNERS = "[fetch]\npause_seconds = 0\nattempts = 1\nread_seconds = 0.5\nmax_bytes = 20000\n"


@pytest.fixture
def web() -> Iterator[Web]:
    with serve() as served:
        yield served


def page(*names: str, heading: str = "DemoConf 2026 Papers") -> bytes:
    """Return a web page with a list of the named texts."""
    items = "\n".join(f"<p>{TEXTS[name]}</p>" for name in names)
    return f"<!DOCTYPE html><html><body><h1>{heading}</h1>\n{items}\n</body></html>\n".encode()


def settings(*sources: str) -> None:
    """Write paperfold.toml with these sources, each given by the lines of its table."""
    Path("paperfold.toml").write_text(MANNERS + "".join(f"\n[[source]]\n{source}\n" for source in sources))


def texts(folder: DataFolder) -> set[str]:
    names = {text: name for name, text in TEXTS.items()}
    return {names[text] for text in ids_by_text(folder)}


def outcomes(summary: dict) -> dict[str, tuple[str, str | None]]:
    return {source["source"]: (source["outcome"], source["detail"]) for source in summary["sources"]}


def test_a_page_becomes_a_document_with_its_time(folder: DataFolder, web: Web) -> None:
    web.pages["/demo%20list.html"] = Page(page("robot", "bread"), headers={"Content-Type": "text/html; charset=utf-8"})
    settings(f'name = "demo"\nurl = "{web.url("/demo%20list.html")}"')
    summary = build(folder)
    assert texts(folder) == {"robot", "bread"}
    assert outcomes(summary) == {"demo": ("new", None)}
    sql = "SELECT source, file_name, format, list_key, snapshot_at FROM documents"
    [(source, name, format_, key, taken)] = rows(folder, sql)
    assert abs(taken - datetime.now(UTC).replace(tzinfo=None)) < timedelta(hours=1)
    assert (source, format_, key) == ("demo", "html", "demo")
    assert name.startswith("demo list_20")
    assert name.endswith("Z.html")


def test_each_changed_answer_is_a_document_and_an_unchanged_one_costs_nothing(folder: DataFolder, web: Web) -> None:
    settings(f'name = "demo"\nurl = "{web.url("/list")}"')
    web.pages["/list"] = with_etag(page("robot", "bread"), '"one"')
    first = build(folder)["release_id"]
    again = build(folder)
    assert (again["outcome"], outcomes(again)) == ("unchanged", {"demo": ("unchanged", None)})
    assert [asked.get("if-none-match") for asked in web.asked_for("/list")] == [None, '"one"']
    web.pages["/list"] = Page(page("robot", "bread"))
    assert build(folder)["outcome"] == "unchanged", "equal bytes without a validator"
    web.pages["/list"] = Page(page("bread", "tide"))
    changed = build(folder)
    assert changed["release_id"] != first
    assert changed["documents"] == 2
    assert texts(folder) == {"robot", "bread", "tide"}
    web.pages["/list"] = Page(page("robot", "bread"))
    assert build(folder)["documents"] == 3, "earlier content that returns is the newest snapshot"
    times = rows(folder, "SELECT snapshot_at FROM documents ORDER BY file_name")
    assert times == sorted(times)
    assert len(set(times)) == 3


def test_without_history_only_the_last_answer_counts(folder: DataFolder, web: Web) -> None:
    settings(f'name = "demo"\nurl = "{web.url("/list")}"\nhistory = false')
    web.pages["/list"] = [Page(page("robot")), Page(page("tide"))]
    build(folder)
    assert outcomes(build(folder)) == {"demo": ("new", None)}
    assert texts(folder) == {"tide"}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Page(status=404), "404 Not Found"),
        (Page(status=500), "500 Internal Server Error"),
        (Page(page("tide"), declared=9999), "cut short after"),
        (Page(bytes(30_000)), "30,000 bytes; the limit max_bytes is 20,000"),
        (Page(pieces=(page("tide"),), pause=2), "silent for 0.5 seconds"),
        (Page(status=302, headers={"Location": "file:///etc/passwd"}), "redirects to file:///etc/passwd"),
        (Page(status=302, headers={"Location": "/demo"}), "redirects in a circle"),
        (Page(hang_up=True), "the connection broke"),
    ],
)
def test_a_source_that_fails_is_told_and_its_documents_stay(
    folder: DataFolder, web: Web, tmp_path: Path, answer: Page, reason: str
) -> None:
    write_list(tmp_path / "lists" / "a.txt", "spill")
    settings(f'name = "demo"\nurl = "{web.url("/demo")}"', f'path = "{tmp_path / "lists"}"')
    web.pages["/demo"] = Page(page("robot", "bread"))
    build(folder)
    web.pages["/demo"] = answer
    write_list(tmp_path / "lists" / "b.txt", "tide")
    summary = build(folder)
    assert summary["outcome"] == "published"
    assert texts(folder) == {"robot", "bread", "spill", "tide"}
    assert outcomes(summary)["lists"] == ("new", None)
    outcome, detail = outcomes(summary)["demo"]
    assert outcome == "failed"
    assert detail.startswith(reason)
    assert f"  Source demo ({web.url('/demo')}) failed: {detail}; its 1 document(s) stay" in render(summary, folder)
    last = json.loads(folder.last_refresh.read_text())
    assert [(row["check"], row["severity"]) for row in last["failed_checks"]] == [("sources_fetched", "WARN")]
    state = read_state(folder, "demo")
    assert (state.outcome, state.says) == ("failed", f"failed: {detail}")
    assert state.succeeded_at < state.checked_at


def test_when_everything_fails_and_nothing_was_ever_there_each_is_named(
    folder: DataFolder, web: Web, tmp_path: Path
) -> None:
    settings(f'name = "demo"\nurl = "{web.url("/demo")}"', f'path = "{tmp_path / "nowhere"}"')
    with pytest.raises(PaperfoldError) as raised:
        build(folder)
    assert f"demo ({web.url('/demo')}): 404 Not Found" in str(raised.value)
    assert f"nowhere ({tmp_path / 'nowhere'}): {tmp_path / 'nowhere'} is not there" in str(raised.value)
    assert current_release(folder) is None


def test_documents_of_a_folder_that_disappeared_stay_and_a_removed_file_goes(
    folder: DataFolder, tmp_path: Path
) -> None:
    lists = tmp_path / "lists"
    write_list(lists / "a.txt", "robot")
    write_list(lists / "b.txt", "bread")
    (lists / "c.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(99))
    (lists / "d.txt").symlink_to(lists / "nowhere")
    first = build(folder, lists)
    lists.rename(tmp_path / "unmounted")
    summary = build(folder)
    assert (summary["outcome"], summary["release_id"]) == ("unchanged", first["release_id"])
    assert outcomes(summary) == {"lists": ("failed", f"{lists} is not there")}
    assert build(folder, full=True)["release_id"] == first["release_id"]
    (tmp_path / "unmounted").rename(lists)
    (lists / "b.txt").unlink()
    assert outcomes(build(folder)) == {"lists": ("new", None)}
    assert texts(folder) == {"robot"}


@pytest.mark.parametrize("harm", ["removed", "torn", "of another kind"])
def test_a_state_that_is_lost_is_made_anew_from_the_release(folder: DataFolder, web: Web, harm: str) -> None:
    settings(f'name = "demo"\nurl = "{web.url("/list")}"')
    web.pages["/list"] = [Page(page("robot")), Page(page("bread"))]
    build(folder)
    second = build(folder)
    path = state_path(folder, "demo")
    if harm == "removed":
        path.unlink()
    else:
        path.write_text(path.read_text()[:-40] if harm == "torn" else "[]")
        with pytest.raises(PaperfoldError, match=r"demo\.json is damaged"):
            collect_garbage(folder, 5)
    summary = build(folder)
    assert (summary["outcome"], summary["release_id"]) == ("unchanged", second["release_id"])
    [(outcome, detail)] = outcomes(summary).values()
    assert outcome == "unchanged"
    assert detail == (
        None if harm == "removed" else "what was remembered of it was damaged, and is made anew from the release"
    )
    assert len(read_state(folder, "demo").snapshots) == 2


def test_a_lost_dagster_home_changes_nothing(folder: DataFolder, web: Web) -> None:
    settings(f'name = "demo"\nurl = "{web.url("/list")}"')
    web.pages["/list"] = with_etag(page("robot"))
    build(folder)
    shutil.rmtree(folder.dagster_home, ignore_errors=True)
    assert build(folder)["outcome"] == "unchanged"
    assert web.asked_for("/list")[-1]["if-none-match"] == '"one"'


def test_contents_of_a_history_survive_gc_and_a_lost_one_is_fetched_again(folder: DataFolder, web: Web) -> None:
    settings(f'name = "demo"\nurl = "{web.url("/list")}"\nhistory = false')
    web.pages["/list"] = [Page(page("robot")), with_etag(page("bread"))]
    build(folder)
    build(folder)
    collect_garbage(folder, 1)
    assert len(list(folder.raw.glob("*/*"))) == 2
    settings(f'name = "demo"\nurl = "{web.url("/list")}"')
    assert build(folder)["documents"] == 2
    folder.content(read_state(folder, "demo").snapshots[-1].content_sha256).unlink()
    build(folder)
    assert "if-none-match" not in web.asked_for("/list")[-1]
    assert texts(folder) == {"robot", "bread"}


def test_each_content_of_a_file_stays_where_its_history_is_kept(folder: DataFolder, tmp_path: Path) -> None:
    lists = tmp_path / "lists"
    settings(f'name = "demo"\npath = "{lists}"\nhistory = true')
    write_list(lists / "a.txt", "robot", "bread")
    write_list(lists / "b.txt", "spill")
    build(folder)
    write_list(lists / "a.txt", "bread", "tide")
    assert build(folder)["documents"] == 3
    assert texts(folder) == {"robot", "bread", "tide", "spill"}
    assert rows(folder, "SELECT file_name, occurrences FROM documents ORDER BY file_name, snapshot_at NULLS FIRST") == [
        ("a.txt", 2),
        ("a.txt", 2),
        ("b.txt", 1),
    ]
    assert build(folder)["outcome"] == "unchanged"
    full = build(folder, full=True)
    assert full["outcome"] == "unchanged"
    write_list(lists / "a.txt", "robot", "bread")
    assert build(folder)["documents"] == 3, "a content is one document, however often it returns"
    (lists / "a.txt").unlink()
    build(folder)
    assert texts(folder) == {"spill"}, "a file that is gone takes all its contents with it"


def test_a_history_begins_with_what_the_release_has(folder: DataFolder, tmp_path: Path) -> None:
    lists = tmp_path / "lists"
    write_list(lists / "a.txt", "robot")
    settings(f'name = "demo"\npath = "{lists}"')
    build(folder)
    settings(f'name = "demo"\npath = "{lists}"\nhistory = true')
    write_list(lists / "a.txt", "bread")
    build(folder)
    assert texts(folder) == {"robot", "bread"}


CHINESE = (
    "DemoConf 2026 论文列表\n\n"
    "我们研究仓库机器人如何在货架移动时规划路线，并保留两张地图。这种方法在三个仓库的实验中缩短了路程。\n"
)
FRENCH = (
    "DemoConf 2026 Papers\n\n"
    "Nous étudions la façon dont un robot d'entrepôt prévoit sa tournée, où les étagères sont déplacées.\n"
)


@pytest.mark.parametrize(
    ("text", "encoding", "header", "read_as"),
    [
        (FRENCH, "utf-8", "iso-8859-1", "utf-8"),
        (FRENCH, "latin-1", "iso-8859-1", "cp1252"),
        (FRENCH, "iso8859-15", "iso-8859-15", "iso8859-15"),
        (CHINESE, "gbk", "gbk", "gb18030"),
        (CHINESE, "gbk", "utf-8", "gb18030"),
        (CHINESE, "gbk", "iso-8859-1", "gb18030"),
        (CHINESE, "utf-8", "gb2312", "utf-8"),
        (CHINESE, "gbk", None, "gb18030"),
        (CHINESE, "big5", "big5", "big5"),
        (CHINESE, "gbk", "base64", "gb18030"),
        (CHINESE, "gbk", "x-unheard-of", "gb18030"),
    ],
)
def test_the_charset_of_the_header_is_kept_to_unless_it_cannot_be(
    folder: DataFolder, web: Web, text: str, encoding: str, header: str | None, read_as: str
) -> None:
    if encoding == "big5":
        text = text.replace("论", "論").replace("们", "們").replace("仓", "倉").replace("库", "庫").replace("机", "機")
        text = "".join(c for c in text if c.encode("big5", "ignore"))
    kind = "text/plain" + (f"; charset={header}" if header else "")
    body = gzip.compress(text.encode(encoding))
    web.pages["/list"] = Page(body, headers={"Content-Type": kind, "Content-Encoding": "gzip"})
    settings(f'name = "demo"\nurl = "{web.url("/list")}"')
    build(folder)
    [(found, raw)] = rows(folder, "SELECT encoding, raw_text FROM documents JOIN occurrences USING (document_id)")
    assert (found, raw) == (read_as, text.split("\n\n")[1].strip())
