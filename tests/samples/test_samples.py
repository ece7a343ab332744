"""The sample lists are what their expected rows say, before any reader has seen them."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from charset_normalizer import from_bytes

LISTS = Path(__file__).parents[2] / "data" / "samples" / "lists"
EXPECTED: dict[str, Any] = json.loads(Path(__file__).with_name("expected.json").read_text(encoding="utf-8"))
DOCUMENTS: list[dict[str, Any]] = EXPECTED["documents"]
READABLE = [document for document in DOCUMENTS if document["encoding"]]


def _named(document: dict[str, Any]) -> str:
    return document["file"]


def _decoded(document: dict[str, Any]) -> str:
    return (LISTS / document["file"]).read_bytes().decode("utf-8").removeprefix("\ufeff")


def _abstracts(document: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    """Each occurrence that has an abstract, with the abstract as it stands in the file; they follow one another."""
    text, at, found = _decoded(document), 0, []
    for occurrence in document["occurrences"]:
        if occurrence["copy"] == "none":
            continue
        start = text.index(occurrence["begins"], at)
        at = text.index(occurrence["ends"], start) + len(occurrence["ends"])
        found.append((occurrence, text[start:at]))
    return found


def test_every_file_is_expected_and_every_expected_file_is_there() -> None:
    assert sorted(path.name for path in LISTS.iterdir()) == sorted(map(_named, DOCUMENTS))


def test_the_readme_tells_what_each_file_shows() -> None:
    readme = (LISTS.parent / "README.md").read_text(encoding="utf-8")
    for document in DOCUMENTS:
        row = rf"^\| `{re.escape(document['file'])}` \| {len(document['occurrences'])} \|"
        assert re.search(row, readme, re.MULTILINE), f"{document['file']} and its number of occurrences"


@pytest.mark.parametrize("document", READABLE, ids=_named)
def test_bytes_are_of_the_stated_kind(document: dict[str, Any]) -> None:
    content = (LISTS / document["file"]).read_bytes()
    assert content.startswith(b"\xef\xbb\xbf") == (document["encoding"] == "utf-8-sig")
    line_ends = {"lf": content.count(b"\n") - content.count(b"\r\n"), "crlf": content.count(b"\r\n")}
    assert [kind for kind, number in line_ends.items() if number] == [document["line_ends"]]


def test_the_undecodable_file_fits_no_encoding() -> None:
    (document,) = [document for document in DOCUMENTS if not document["encoding"]]
    content = (LISTS / document["file"]).read_bytes()
    assert b"\0" not in content
    for encoding in ("utf-8", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "cp1252", "big5", "shift_jis", "euc_kr"):
        with pytest.raises(UnicodeDecodeError):
            content.decode(encoding)
    assert from_bytes(content).best() is None


@pytest.mark.parametrize("document", READABLE, ids=_named)
def test_the_heading_stands_once_and_its_repeats_are_rejects(document: dict[str, Any]) -> None:
    repeats = [reject for reject in document["rejects"] if reject["reason"] == "heading_repeat"]
    assert _decoded(document).splitlines().count(document["heading"]) == 1 + len(repeats)
    assert document["heading"].startswith(f"{document['venue']} {document['year']} ")
    assert ("论文列表" in document["heading"]) == (document["language"] == "zh")


@pytest.mark.parametrize("document", DOCUMENTS, ids=_named)
def test_the_snapshot_is_dated_by_the_file_name(document: dict[str, Any]) -> None:
    dates = re.findall(r"\d{4}-\d{2}-\d{2}", document["file"])
    assert dates == ([document["snapshot"]] if document["snapshot"] else [])


@pytest.mark.parametrize("document", READABLE, ids=_named)
def test_heading_occurrences_and_rejects_account_for_every_character(document: dict[str, Any]) -> None:
    left = _decoded(document)
    for _, abstract in _abstracts(document):
        left = left.replace(abstract, "", 1)
    for reject in document["rejects"]:
        assert reject["text"] in left
        left = left.replace(reject["text"], "", 1)
    left = left.replace(document["heading"], "", 1)
    for occurrence in document["occurrences"]:
        if "title" in occurrence:
            markup = f"# {occurrence['title']}\n\n**Authors**: {', '.join(occurrence['authors'])}\n\n**Abstract**: "
            assert markup in left
            left = left.replace(markup, "", 1).replace("---", "", 1)
    assert left.split() == []


def test_positions_and_paper_keys_are_consistent() -> None:
    for document in DOCUMENTS:
        positions = [occurrence["position"] for occurrence in document["occurrences"]]
        assert positions == list(range(1, len(positions) + 1))
    used = {occurrence["paper"] for document in DOCUMENTS for occurrence in document["occurrences"]}
    assert used == set(EXPECTED["papers"])
    assert {key for conflict in EXPECTED["conflicts"] for key in conflict["papers"]} <= used


def test_copies_of_one_form_are_equal_and_copies_of_two_forms_are_not() -> None:
    texts: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for document in READABLE:
        for occurrence, abstract in _abstracts(document):
            form = occurrence["form"] if occurrence["copy"] == "whole" else occurrence["copy"]
            texts[occurrence["paper"]][form].add(abstract)
    for key, forms in texts.items():
        assert all(len(copies) == 1 for copies in forms.values()), key
    every = [text for forms in texts.values() for copies in forms.values() for text in copies]
    assert len(every) == len(set(every)), "an abstract stands under two papers or two forms"


def test_a_cut_copy_ends_early_and_a_revised_copy_keeps_most_words() -> None:
    whole: dict[str, set[str]] = {}
    others = []
    for document in READABLE:
        for occurrence, abstract in _abstracts(document):
            if occurrence["copy"] == "whole":
                whole.setdefault(occurrence["paper"], set(abstract.split()))
            else:
                others.append((occurrence, abstract))
    for occurrence, abstract in others:
        words, of_whole = set(abstract.split()), whole[occurrence["paper"]]
        if occurrence["copy"] == "cut":
            assert abstract.endswith(("...", "…", "[...]"))
            assert len(words) < len(of_whole) / 2
        else:
            assert 0.8 < len(words & of_whole) / len(words | of_whole) < 1


def test_totals_follow_from_the_rows() -> None:
    occurrences = [occurrence for document in DOCUMENTS for occurrence in document["occurrences"]]
    whole = Counter((row["paper"], row["form"]) for row in occurrences if row["copy"] in ("whole", "none"))
    forms = Counter(paper for paper, _ in whole)
    copies = Counter(row["copy"] for row in occurrences)
    folds = {
        "exact": sum(number - 1 for number in whole.values()),
        "markup": sum(number - 1 for number in forms.values()),
        "revised": copies["revised"],
        "truncated": copies["cut"],
    }
    rejects = Counter(reject["reason"] for document in DOCUMENTS for reject in document["rejects"])
    assert EXPECTED["totals"] == {
        "documents": len(DOCUMENTS),
        "occurrences": len(occurrences),
        "papers": len(forms),
        "folds": folds,
        "papers_without_near_duplicate_folding": len(forms) + copies["revised"] + copies["cut"],
        "rejects": dict(sorted(rejects.items())),
    }
    assert len(occurrences) == len(forms) + sum(folds.values())


def test_the_lists_of_a_conference_grow_reorder_and_drop() -> None:
    dated = [document for document in READABLE if document["snapshot"] and document["venue"] == "Meridian"]
    dated.sort(key=lambda document: document["snapshot"])
    pairs = list(itertools.pairwise([row["paper"] for row in document["occurrences"]] for document in dated))
    assert any(set(after) - set(before) and set(after) & set(before) for before, after in pairs)
    assert any(set(before) - set(after) for before, after in pairs)
    shared = [([k for k in a if k in b], [k for k in b if k in a]) for a, b in pairs]
    assert any(list(dict.fromkeys(a)) != list(dict.fromkeys(b)) for a, b in shared)


def test_every_address_is_one_that_belongs_to_nobody() -> None:
    for document in READABLE:
        for host in re.findall(r"(?:https?://|@)([\w.-]+\w)", _decoded(document)):
            assert host in ("example.org", "example.com", "example.net")
