"""Every format: a small list of invented papers, written as the format writes it, and read back."""

import pytest

from assets.parsed.formats.values import natural_name
from tests.parsed.list_writers import PAPERS, WRITERS, Paper

IDS = {
    "arxiv": {"Markdown sections", "Chinese Markdown", "pipe table", "list of links", "arXiv mailing", "Atom feed"},
    "openreview": {"Markdown quotes", "JSON array", "OpenReview notes", "web page"},
    "doi": {
        "JSON Lines", "CSL in an API reply", "RIS", "MEDLINE", "Web of Science", "EndNote", "RefWorks", "CNKI",
        "BibTeX", "CSV", "Anthology XML",
    },
    "pmid": {"MEDLINE", "Web of Science", "PubMed XML"},
}  # fmt: skip
HEADED = {
    "blocks",
    "titled blocks",
    "records in blocks",
    "rows of stars",
    "labels",
    "numbers",
    "Markdown quotes",
    "pipe table",
    "web page",
}


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_papers_of_a_list_are_read_back(read, kind: str, end: str) -> None:
    name, write = WRITERS[kind]
    papers = PAPERS[:1] if kind == "front matter" else PAPERS
    got = read(write(papers).replace("\r\n", "\n").replace("\n", end))
    assert got.document["format"] == name
    assert got.texts == [p.abstract for p in papers]
    if kind != "blocks":
        assert got.titles == [p.title for p in papers]
        assert got.occurrences["authors"].to_list() == [list(p.authors) for p in papers]
    for scheme, kinds in IDS.items():
        found = [{i["scheme"] for i in ids} for ids in got.occurrences["external_ids"]]
        assert all((scheme in ids) == (kind in kinds) for ids in found), (scheme, found)
    if kind in HEADED:
        assert (got.document["venue"], got.document["year"]) == ("ToyConf", 2026)


@pytest.mark.parametrize("kind", sorted(IDS["arxiv"] - {"Chinese Markdown"}))
def test_versions_are_split_off_ids(read, kind: str) -> None:
    got = read(WRITERS[kind][1](PAPERS))
    found = [next(i for i in ids if i["scheme"] == "arxiv") for ids in got.occurrences["external_ids"]]
    assert [i["value"] for i in found] == ["2601.00001", "2601.00002", "2601.00003"]
    assert {i["version"] for i in found} == ({"2"} if kind in ("Markdown sections", "Atom feed") else {None})


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030", "cp1252"])
def test_no_format_depends_on_the_encoding(read, kind: str, encoding: str) -> None:
    papers = (
        Paper("Cafés über alles", ("José Müller",), PAPERS[0].abstract + " Ça va très bien à Zürich, naïve Señor."),
        *PAPERS[1:],
    )
    written = WRITERS[kind][1](papers)
    if encoding == "gb18030":
        written = written.replace("Ferries", "渡轮与火车的论文").replace("Moss", "屋顶上的苔藓").replace("very", "很")
    try:
        content = written.encode(encoding)
    except UnicodeEncodeError:
        pytest.skip("the list holds characters that this encoding has not")
    got, plain = read(content), read(written)
    assert got.texts == plain.texts
    assert got.titles == plain.titles


def test_names_come_in_reading_order() -> None:
    assert natural_name("Beispiel, Ada") == "Ada Beispiel"
    assert natural_name("Muster, Jr., Ben") == "Ben Muster Jr."
    assert natural_name("Toy Consortium") == "Toy Consortium"
