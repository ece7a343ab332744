"""Exports and structured lists as people really have them: wrapped, damaged, empty in places."""

import json

import pytest

ABSTRACT = (
    "A lamp under a bridge attracts moths. We count moths for a month with warm and with cold light, "
    "and see fewer with warm."
)


def test_a_continuation_line_that_looks_like_a_tag_is_none(read) -> None:
    got = read(
        "PMID- 90000001\nOWN - NLM\nTI  - Lamps of the kind\n      LM - 4 under old bridges.\nAB  - A lamp of "
        "the kind LM-4 attracts moths. "
        "We compared it with\n      MTH - 2 type lamps over a month. The moths\n      stayed away from "
        "both.\nFAU - Beispiel, Ada\n"
        "AU  - Beispiel A\n\nPMID- 90000002\nTI  - A second record.\n"
    )
    assert got.titles == ["Lamps of the kind LM - 4 under old bridges.", "A second record."]
    assert got.texts[0].endswith("MTH - 2 type lamps over a month. The moths stayed away from both.")
    assert got.texts[1] is None
    assert got.rejects.is_empty()


def test_text_between_ris_records_is_in_no_record_and_not_lost(read) -> None:
    got = read(
        f"1. \nTY  - JOUR\nT1  - Lamps\nN2  - {ABSTRACT[:40]}\n{ABSTRACT[40:]}\nIS  - 9\nSP  -\nPB  - Toy Hous"
        f"e\nER  -\n\n"
        "Link to the text: http://example.org/ft?id=1\n\nSearch history:\n---------\n1  lamps.mp.\n\n2. \nTY  - "
        "JOUR\nT1  - Moths\nER  -\n"
    )
    assert got.titles == ["Lamps", "Moths"]
    assert got.texts == [ABSTRACT, None]
    assert any("Search history" in (raw or "") for raw in got.rejects["raw_text"])


def test_a_tagged_export_is_known_by_its_content_whatever_its_name(read) -> None:
    got = read(
        f"%0 Journal Article\n%T Lamps\n%A Exempel, Cecilia\n%X {ABSTRACT}\n\n%0 Book\n%T Moths\n", name="refs.txt"
    )
    assert got.document["format"] == "endnote"
    assert got.texts == [ABSTRACT, None]


def test_a_record_without_title_and_abstract_is_a_reject(read) -> None:
    got = read("\ufeffTY  - JOUR\nDO  - 10.1000/toy.1\nER  - \n")
    assert got.occurrences.is_empty()
    assert got.rejects["reason"].to_list() == ["no_abstract"]


def test_signs_and_lost_braces_in_bibtex_harm_no_other_entry(read) -> None:
    got = read(
        "@article{one,\n  title = {{Filters that read @mentions\n   @home and @work}},\n  abstract = {We read "
        "{nested {braces}} and $\\{x : x > 0\\}$ daily.}\n}\n\n"
        "@article{two,\n  title = {A title with a lost brace \\{ in it},\n  abstract = {The brace above is "
        "escaped and has no partner here.}\n}\n\n"
        "@article{three,\n  title = {A title with a real lost brace { in it},\n  year = 2020\n}\n\n@comment{x}\n"
        '@article{four,\n  title = "After the bad one",\n  abstract = {If entry three breaks the reader, this'
        " disappears.}\n}\n"
    )
    titles = got.titles
    assert titles[0] == "Filters that read @mentions @home and @work"
    assert titles[1] == "A title with a lost brace { in it"
    assert titles[-1] == "After the bad one"
    assert "unbalanced braces" in got.occurrences["detail"][2]
    assert got.texts[0] == "We read nested braces and {x : x > 0} daily."
    assert got.reasons()["@comment{x}"] == "structure"


def test_wrapped_values_are_unwrapped_and_missing_ones_are_null(read) -> None:
    whole = {"id": "abc123", "content": {"title": {"value": "Lamps\nand  moths"}, "abstract": {"value": ABSTRACT}}}
    bare = {"id": "def456", "content": {"title": {"value": "Counting"}}}
    got = read(json.dumps({"notes": [whole, bare]}, indent=1), name="v2.json")
    assert got.titles == ["Lamps and moths", "Counting"]
    assert got.texts == [ABSTRACT, None]
    assert [i[0]["value"] for i in got.occurrences["external_ids"]] == ["abc123", "def456"]


def test_json_of_an_unknown_shape_is_refused_with_the_keys_that_it_has(read) -> None:
    got = read('[{"name": "x", "score": 3}]')
    assert got.rejects["reason"].to_list() == ["unsupported_format"]
    assert "no object has the key title or abstract; keys found: name, score" in got.rejects["detail"][0]


def test_json_that_is_cut_off_gives_the_records_before_the_cut(read) -> None:
    whole = json.dumps([{"title": f"Lamp {n}", "abstract": ABSTRACT} for n in range(3)], indent=1)
    got = read(whole[:-60])
    assert got.titles == ["Lamp 0", "Lamp 1"]
    assert "fragment" in got.rejects["reason"].to_list()
    assert any("not JSON: line" in (d or "") for d in got.rejects["detail"])


def test_a_broken_line_of_json_lines_is_a_reject_that_names_it(read) -> None:
    good = [json.dumps({"title": f"Lamp {n}", "abstract": ABSTRACT}) for n in (1, 2)]
    got = read(f"{good[0]}\n{{broken: line}}\n{good[1]}\n")
    assert got.titles == ["Lamp 1", "Lamp 2"]
    assert got.rejects.select("reason", "raw_text").row(0) == ("fragment", "{broken: line}")
    assert "line 2" in got.rejects["detail"][0]


def test_a_file_named_jsonl_that_is_none_is_refused_with_its_line(read) -> None:
    got = read(f"\n{ABSTRACT}\n", name="papers.jsonl")
    assert got.rejects["reason"].to_list() == ["unsupported_format"]
    assert "line 2 is no JSON" in got.rejects["detail"][0]


def test_lone_surrogates_and_nan_in_json_do_no_harm(read) -> None:
    got = read('[{"title": "A \\ud83d lamp", "abstract": "' + ABSTRACT + '", "score": NaN, "authors": ["\\udc00 X"]}]')
    assert got.texts == [ABSTRACT]
    assert got.titles == ["A ? lamp"]


def test_an_inverted_index_is_put_in_order(read) -> None:
    index: dict[str, list[int]] = {}
    for place, word in enumerate(ABSTRACT.split()):
        index.setdefault(word, []).append(place)
    got = read(json.dumps({"results": [{"display_name": "Lamps", "abstract_inverted_index": index}]}))
    assert got.texts == [ABSTRACT]


@pytest.mark.parametrize("abstract", ["", "TBA", "n/a", "No abstract available.", "暂无摘要", "Coming soon", "None"])
def test_empty_and_tiny_texts_are_no_abstracts(read, abstract: str) -> None:
    got = read(
        f"# Short one\n**Abstract**: {abstract}\n\n---\n# Lamps\n**Abstract**: {ABSTRACT}\n\n---\n", name="list.md"
    )
    assert got.titles == ["Short one", "Lamps"]
    assert got.texts == [None, ABSTRACT]
    assert got.rejects["reason"].to_list() == (["placeholder"] if abstract else [])


def test_a_table_without_texts_is_refused_with_its_columns(read) -> None:
    got = read("paper_id\t0\t1\tdecision\nRAW9\t8.0\t6.0\tAccept\nDa3Z\t6.0\t5.0\tReject\nAz-7\t6.0\t6.0\tAccept\n")
    assert got.rejects["reason"].to_list() == ["unsupported_format"]
    assert "paper_id, 0, 1, decision" in got.rejects["detail"][0]


def test_quoted_cells_may_hold_lines_and_separators(read) -> None:
    got = read(
        f'Title,Abstract,DOI\n"Lamps, moths","{ABSTRACT}\n\nA ""second"" part, too.",10.1000/toy.1\nOnly a title,,\n'
    )
    assert got.titles == ["Lamps, moths", "Only a title"]
    assert got.texts == [f'{ABSTRACT} A "second" part, too.', None]


def test_labelled_sections_and_inline_elements_of_xml_are_kept(read) -> None:
    got = read(
        '<?xml version="1.0"?><PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>900001</PMID><Article><'
        "ArticleTitle>Lamps &amp; <i>moths</i></ArticleTitle>"
        '<Abstract><AbstractText Label="METHODS">We count <sup>2</sup>H moths &lt; 5 cm with a lamp.</Abstrac'
        'tText><AbstractText Label="RESULTS">Few of the moths came.'
        "</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle><PubmedArticle><broken></Pubme"
        "dArticle></PubmedArticleSet>"
    )
    assert got.titles == ["Lamps & moths"]
    assert got.texts == ["METHODS: We count ²H moths < 5 cm with a lamp. RESULTS: Few of the moths came."]
    assert "fragment" in got.rejects["reason"].to_list()


def test_several_lists_in_one_numbered_file(read) -> None:
    got = read(
        "List of accepted papers for ToyConf 2014\n7\tAda Beispiel and Ben M. Muster. CCM: Lamps over "
        "bridges\n19\tEva Voorbeeld. Moths\n\n"
        "List of accepted papers for MiniConf 2014\n1   Dario E. Ejemplo. Kites\n2   Cecilia Exempel. Harbours "
        "at night\n"
    )
    assert got.titles == ["CCM: Lamps over bridges", "Moths", "Kites", "Harbours at night"]
    assert got.occurrences["authors"].to_list() == [
        ["Ada Beispiel", "Ben M. Muster"],
        ["Eva Voorbeeld"],
        ["Dario E. Ejemplo"],
        ["Cecilia Exempel"],
    ]
    assert (got.document["venue"], got.document["year"]) == ("ToyConf", 2014)


def test_abstracts_glued_together_are_cut_where_sentences_touch(read) -> None:
    one = " ".join([ABSTRACT] * 10)
    got = read(f"{one}PURPOSE: {one}BACKGROUND: {one}", name="dump.txt")
    assert len(got.texts) == 3
    assert got.occurrences["detail"][0].startswith("no separator")


CNKI = """\
SrcDatabase-来源库: 期刊
Title-题名: 桥下的灯与飞蛾
Author-作者: 甲一;乙二;
Organ-单位: 某某学院
Summary-摘要: 桥下的灯吸引飞蛾。我们用冷光和暖光各观察一个月，
发现暖光下的飞蛾较少。
DOI-DOI: 10.5555/lamp.1

SrcDatabase-来源库: 期刊
Title-题名: Moths of the Harbour
Author-作者: Ada Beispiel, Ben Muster
"""


def test_the_export_of_cnki_with_fields_in_two_languages_is_known_by_them(read) -> None:
    got = read(CNKI)
    assert got.document["format"] == "cnki"
    assert got.titles == ["桥下的灯与飞蛾", "Moths of the Harbour"]
    assert got.texts == ["桥下的灯吸引飞蛾。我们用冷光和暖光各观察一个月，发现暖光下的飞蛾较少。", None]
    assert got.occurrences["authors"].to_list() == [["甲一", "乙二"], ["Ada Beispiel", "Ben Muster"]]
    assert got.occurrences["external_ids"].to_list()[0] == [
        {"scheme": "doi", "value": "10.5555/lamp.1", "version": None}
    ]


@pytest.mark.parametrize("rule", ["_" * 60, "-" * 40])
def test_a_numbering_line_of_documents_is_no_title(read, rule: str) -> None:
    papers = "".join(
        f"Document {n} of 2\n\n{title}\n\nAuthor: Ada Beispiel, Ben Muster\n\nAbstract: {ABSTRACT}\n\n{rule}\n\n"
        for n, title in ((1, "Lamps under Bridges"), (2, "Moths of the Harbour"))
    )
    got = read(f"{rule}\n\n{papers}")
    assert got.titles == ["Lamps under Bridges", "Moths of the Harbour"]
    assert got.texts == [ABSTRACT, ABSTRACT]
    assert got.occurrences["authors"].to_list() == [["Ada Beispiel", "Ben Muster"]] * 2


def test_a_report_with_surnames_first_keeps_double_surnames_whole(read) -> None:
    papers = "".join(
        f"Document {n} of 2\n\n{title}\n\nAuthor: {author}\n\nAbstract: {ABSTRACT}\n\n{'_' * 60}\n\n"
        for n, title, author in (
            (1, "Lamps under Bridges", "Beispiel, Ada"),
            (2, "Moths of the Harbour", "Prueba Ejemplo, Ana María"),
        )
    )
    got = read(f"{'_' * 60}\n\n{papers}")
    assert got.occurrences["authors"].to_list() == [["Ada Beispiel"], ["Ana María Prueba Ejemplo"]]
