"""Reading as a whole: batches, workers, settings, files that could not be stored."""

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from pydantic import ValidationError

from assets.parsed.detection import format_names
from assets.parsed.options import FORMATS, ReadingSettings, SourceOptions
from assets.parsed.reading import read_documents, read_key
from tests.parsed.conftest import files_table, read_contents
from tests.parsed.list_writers import PAPERS, WRITERS

DOCUMENTS = {f"{kind}.txt": write(PAPERS) for kind, (_, write) in WRITERS.items()}


def as_tables(read) -> list[list[dict]]:
    return [frame.to_dicts() for frame in (read.documents, read.occurrences, read.rejects)]


@pytest.fixture(scope="module")
def whole():
    return as_tables(read_contents(DOCUMENTS))


@pytest.mark.parametrize("batch_chars", [1, 700, 5000])
def test_the_result_does_not_depend_on_batches(whole, batch_chars: int) -> None:
    assert as_tables(read_contents(DOCUMENTS, batch_chars=batch_chars)) == whole


def test_the_result_does_not_depend_on_workers(whole) -> None:
    assert as_tables(read_contents(DOCUMENTS, batch_chars=4000, parallel_chars=1, workers=2)) == whole


def test_the_result_does_not_depend_on_the_order_of_files(whole) -> None:
    turned = read_contents(dict(reversed(DOCUMENTS.items())))
    assert sorted(turned.occurrences["occurrence_id"]) == sorted(row["occurrence_id"] for row in whole[1])
    assert turned.occurrences.sort("occurrence_id")["text"].to_list() == [
        row["text"] for row in sorted(whole[1], key=lambda row: row["occurrence_id"])
    ]


@pytest.mark.parametrize("locale", ["C", "tr_TR.UTF-8", "zh_CN.GBK"])
def test_the_result_does_not_depend_on_the_locale(tmp_path: Path, locale: str) -> None:
    script = (
        "import sys; from tests.parsed.conftest import read_contents as r;"
        "sys.stdout.buffer.write(repr(r({'a.txt': '示例会议 2026 "
        "论文列表\\n\\n渡轮在火车晚点时等待，我们研究等待时间的模型。'.encode('gb18030'),"
        "'I.txt': 'TITLE: ISTANBUL INFO\\nABSTRACT: We find that ferries wait for trains in "
        "winter.'}).occurrences.to_dicts()).encode())"
    )
    root = Path(__file__).parents[2]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=root,
            env={**os.environ, "LC_ALL": value, "LANG": value, "PYTHONPATH": str(root)},
            capture_output=True,
            check=True,
        ).stdout
        for value in (locale, "en_US.UTF-8")
    }
    assert len(outputs) == 1
    assert b"ISTANBUL INFO" in outputs.pop()


def test_memory_is_bounded_by_batches() -> None:
    text = "ToyConf 2026 Papers\n\n" + "\n\n".join(f"{PAPERS[0].abstract} Number {n}." for n in range(400))
    files, stored = files_table({"list.txt": text.encode()})
    readings = list(read_documents(files, stored.__getitem__, {}, ReadingSettings(batch_chars=10_000)))
    assert max(r.occurrences.height for r in readings) <= 40
    assert [r.documents.height for r in readings] == [0] * (len(readings) - 1) + [1]
    assert sum(r.occurrences.height for r in readings) == 400


def test_progress_counts_the_files() -> None:
    files, stored = files_table({name: text.encode() for name, text in DOCUMENTS.items()})
    seen: list[int] = []
    for _ in read_documents(files, stored.__getitem__, {}, ReadingSettings(batch_chars=3000), progress=seen.append):
        pass
    assert sum(seen) == files.height


def test_a_file_with_a_problem_is_one_reject_with_its_reason() -> None:
    problem = {"content_sha256": None, "problem": "unreadable_file", "problem_detail": "Permission denied"}
    files, stored = files_table({"list.txt": b""}, **problem)
    (reading,) = read_documents(files, stored.__getitem__, {}, ReadingSettings())
    assert reading.documents.select("format", "encoding", "chars_nonblank", "rejects").row(0) == (None, None, 0, 1)
    assert reading.rejects.select("char_start", "char_end", "raw_text", "reason", "detail").row(0) == (
        0, 0, None, "unreadable_file", "Permission denied",
    )  # fmt: skip


def test_a_content_that_is_gone_is_a_reject() -> None:
    files, _ = files_table({"list.txt": b"text"})

    def load(_: str) -> bytes:
        raise FileNotFoundError("no such content")

    (reading,) = read_documents(files, load, {}, ReadingSettings())
    assert reading.rejects["reason"].to_list() == ["unreadable_file"]


def test_no_file_gives_no_reading() -> None:
    files, stored = files_table({})
    assert list(read_documents(files, stored.__getitem__, {}, ReadingSettings())) == []


def test_settings_of_a_source_override_what_is_found() -> None:
    options = SourceOptions(name="my list", venue="OtherConf", year=1999, language="fr", encoding="cp1252")
    got = read_contents({"a.txt": WRITERS["blocks"][1](PAPERS)}, {"lists": options}).document
    assert [got[k] for k in ("list_key", "venue", "year", "language", "encoding")] == [
        "my list",
        "OtherConf",
        1999,
        "fr",
        "cp1252",
    ]
    assert got["heading"] == "ToyConf 2026 Papers"
    as_text = read_contents({"a.txt": WRITERS["BibTeX"][1](PAPERS)}, {"lists": SourceOptions(format="text")})
    assert as_text.document["format"] in ("text", None)


@pytest.mark.parametrize(
    ("wrong", "choices"),
    [
        ({"format": "papyrus"}, "'papyrus' is no format that is read; choose one of arxiv, bib"),
        ({"encoding": "klingon"}, "'klingon' is no encoding of text that Python knows; choose one of utf-8"),
        ({"encoding": "zlib"}, "'zlib' is no encoding of text"),
    ],
)
def test_a_setting_that_is_none_of_the_choices_is_an_error_that_lists_them(wrong: dict, choices: str) -> None:
    with pytest.raises(ValidationError, match=choices) as caught:
        SourceOptions(**wrong)
    assert caught.value.errors()[0]["loc"] == tuple(wrong)


def test_the_choices_are_the_formats_that_are_read() -> None:
    assert list(FORMATS) == format_names()
    assert all(SourceOptions(format=name) for name in format_names())


def test_the_read_key_changes_with_what_changes_the_output() -> None:
    plain = read_key(None, ReadingSettings())
    assert plain == read_key(SourceOptions(), ReadingSettings(batch_chars=5, workers=3))
    assert plain != read_key(SourceOptions(venue="ToyConf"), ReadingSettings())
    assert plain != read_key(None, ReadingSettings(min_abstract_words=9))


def test_tables_without_rows_keep_their_schema(read) -> None:
    got = read("")
    assert got.occurrences.schema["external_ids"] == pl.List(
        pl.Struct({"scheme": pl.String, "value": pl.String, "version": pl.String})
    )


def test_a_reader_that_fails_stops_no_other_document(monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("no papers")

    monkeypatch.setattr("assets.parsed.detection.detect", fail)
    got = read_contents({"a.txt": WRITERS["blocks"][1](PAPERS), "b.txt": ""}, check=False)
    assert got.documents.height == 2
    assert "its reader failed" in got.rejects["detail"][0]
    assert got.rejects["chars_nonblank"][0] == got.documents["chars_nonblank"][0]


def test_a_text_whose_markup_can_not_be_resolved_is_kept(monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("no formulas")

    monkeypatch.setattr("assets.parsed.markup.resolve_latex", fail)
    got = read_contents({"a.txt": f"ToyConf 2026 Papers\n\n{PAPERS[0].abstract} It takes $n$\nsteps."}, check=False)
    assert got.texts == [f"{PAPERS[0].abstract} It takes $n$ steps."]
    assert "could not be resolved" in got.occurrences["detail"][0]
