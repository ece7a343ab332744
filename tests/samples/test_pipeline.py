"""The sample lists go through the whole pipeline and come out as tests/samples/expected.json says."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from assets.contract.folder import DataFolder
from tests.building import build, rows
from tests.conftest import ROOT, SAMPLES

EXPECTED = json.loads((Path(__file__).parent / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    folder = DataFolder(tmp_path_factory.mktemp("sample") / "data")
    build(folder, SAMPLES)
    return folder


def test_every_document_is_read_as_it_should_be(sample: DataFolder) -> None:
    found = rows(
        sample,
        "SELECT file_name, heading, venue, year, language, encoding, snapshot_at::DATE::TEXT, occurrences "
        "FROM documents ORDER BY file_name",
    )
    expected = [
        (
            document["file"],
            document["heading"],
            document["venue"],
            document["year"],
            document["language"],
            document["encoding"],
            document["snapshot"],
            len(document["occurrences"]),
        )
        for document in sorted(EXPECTED["documents"], key=lambda document: document["file"])
    ]
    assert found == expected


def test_every_occurrence_belongs_to_the_paper_that_it_should(sample: DataFolder) -> None:
    keys = {
        (document["file"], occurrence["position"]): occurrence["paper"]
        for document in EXPECTED["documents"]
        for occurrence in document["occurrences"]
    }
    found = rows(sample, "SELECT file_name, position, paper_id FROM occurrences JOIN documents USING (document_id)")
    papers_of: dict[str, set[str]] = defaultdict(set)
    for file, position, paper_id in found:
        papers_of[keys[file, position]].add(paper_id)
    assert {key: len(ids) for key, ids in papers_of.items()} == dict.fromkeys(EXPECTED["papers"], 1)
    assert len({paper_id for _, _, paper_id in found}) == EXPECTED["totals"]["papers"]


def test_cut_copies_are_known_as_such(sample: DataFolder) -> None:
    cut = {
        (document["file"], occurrence["position"])
        for document in EXPECTED["documents"]
        for occurrence in document["occurrences"]
        if occurrence["copy"] == "cut"
    }
    found = rows(
        sample,
        "SELECT file_name, position FROM occurrences JOIN documents USING (document_id) WHERE match_kind = 'truncated'",
    )
    assert set(found) == cut


def test_the_texts_are_fit_to_read(sample: DataFolder) -> None:
    texts = [text for (text,) in rows(sample, "SELECT text FROM occurrences WHERE text IS NOT NULL")]
    for mark in EXPECTED["never_in_text"]:
        assert [text for text in texts if mark in text] == []
    for key, paper in EXPECTED["papers"].items():
        for words in paper.get("reads", []):
            assert any(words in text for text in texts), (key, words)


def test_every_reject_has_its_reason(sample: DataFolder) -> None:
    found = Counter(dict(rows(sample, "SELECT reason, rejects FROM reject_reasons")))
    assert found == Counter(EXPECTED["totals"]["rejects"])


def test_the_two_archives_are_one_conflict_and_two_papers(sample: DataFolder) -> None:
    assert rows(sample, "SELECT kind FROM conflicts") == [("template",)]


def test_every_query_of_the_readme_answers(sample: DataFolder) -> None:
    queries = re.findall(r"```sql\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(queries) >= 3
    for query in queries:
        assert rows(sample, query), query
