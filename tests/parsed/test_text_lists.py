"""Text lists: pages saved as text, abstracts in blank-line blocks, one a line, with and without titles."""

import textwrap

import pytest

FERRIES = (
    "Ferries that wait for late trains lose less time than those that do not. We watch nine ferries for a year, "
    "compare their delays with the delays of the trains, and fit a waiting rule that a captain can keep in mind. "
    "The rule saves eleven minutes a day on the slow lines and nothing on the fast ones."
)
MOSS = (
    "Moss on roofs keeps attics cool in summer and dry in winter, or so the owners say. We measure forty attics with "
    "and without moss over two years. Attics under moss are two degrees cooler in July. In January we find no "
    "difference, and one roof leaked because of the moss."
)
HATS = (
    "Street musicians choose their places by ear, by sun and by the smell of bread. We interview thirty of them and "
    "map their places hour by hour. Bread explains more of the map than sun does, and the ear explains the rest. "
    "We publish the map and the interviews."
)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_blank_lines_part_abstracts_whatever_ends_lines(read, end: str, mark: str) -> None:
    text = f"{mark}ToyConf 2026 论文列表\n\n{FERRIES}\n\n{MOSS}\n".replace("\n", end)
    got = read(text)
    assert got.texts == [FERRIES, MOSS]
    assert got.document["heading"] == "ToyConf 2026 论文列表"
    assert (got.document["venue"], got.document["year"], got.document["language"]) == ("ToyConf", 2026, "zh")
    assert got.document["list_key"] == "toyconf 2026"
    assert got.document["encoding"] == ("utf-8-sig" if mark else "utf-8")
    assert got.occurrences["language"].to_list() == ["en", "en"]
    assert got.rejects.is_empty()


def test_paragraphs_of_an_abstract_stay_together(read) -> None:
    second = "Our second result is about ferries without trains. They lose no time at all."
    code = "Code and tables are at https://example.org/ferries"
    got = read(f"ToyConf 2026 Papers\n\n{FERRIES}\n\n{second}\n\n{code}\n\n{MOSS}\n")
    assert got.texts == [f"{FERRIES} {second} {code}", MOSS]
    assert "possible fragment" in got.occurrences["detail"][0]
    assert got.occurrences["detail"][1] is None


def test_lists_and_formulas_between_blank_lines_stay_in_their_abstract(read) -> None:
    body = (
        f"{FERRIES} We show that:\n\n- trains are late;\n\n- ferries wait.\n\n$$ d = t + w $$\n\nwhere $w$ is the wait."
    )
    got = read(f"ToyConf 2026 Papers\n\n{body}\n\n{MOSS}\n\n{HATS}")
    assert len(got.texts) == 3
    assert got.texts[0].endswith("- trains are late; - ferries wait. d = t+w where w is the wait.")


def test_hard_wrapped_lines_are_joined_and_hyphens_undone(read) -> None:
    wrapped = (
        "Ferries that wait for late trains lose less time than those that\ndo not. We watch nine ferries for a "
        "year, com-\n"
        "pare their delays with the delays of the trains, and fit a wait\u00ading\nrule that a captain can keep "
        "in mind. The rule "
        "saves eleven minutes\na day on the slow lines and nothing on the fast ones."
    )
    got = read(f"ToyConf 2026 Papers\n\n{wrapped}\n\n{FERRIES}\n")
    assert got.texts == [FERRIES, FERRIES]
    assert got.occurrences["raw_text"].to_list() == [wrapped, FERRIES]


def test_lines_of_the_page_are_rejects_each_with_its_reason(read) -> None:
    got = read(
        f"Sign in to ListHub\n\nHome | Calendar | Papers | Sponsors\n\nToyConf 2026 Papers\n\nShowing 1–3 of "
        f"5,310 papers\n\n"
        f"{FERRIES}\n\nLoad more\n\nPage 2 of 77\n\n{MOSS}\n\nToyConf 2026 Papers\n\n第 3 页 共 20 页\n\n{HATS}\n\n"
        "© 2026 ToyConf Society. Privacy policy · Contact · This site uses cookies so that it works on every "
        "machine.\n"
    )
    assert got.texts == [FERRIES, MOSS, HATS]
    assert got.document["heading"] == "ToyConf 2026 Papers"
    assert set(got.reasons().values()) == {"page_furniture", "heading_repeat"}
    assert got.reasons()["ToyConf 2026 Papers"] == "heading_repeat"
    assert got.rejects.height == 8


def test_a_row_of_stars_parts_title_authors_and_abstract(read) -> None:
    row = "*" * 29
    got = read(
        f"Sign in to ListHub · ListHub\n{row}\nFerries and Trains\nAda Beispiel, Ben Muster\n{FERRIES}\n{row}\n"
        f"Moss: A Roof Story\nEva Voorbeeld\n{MOSS}\n{row}\n"
    )
    assert got.titles == ["Ferries and Trains", "Moss: A Roof Story"]
    assert got.occurrences["authors"].to_list() == [["Ada Beispiel", "Ben Muster"], ["Eva Voorbeeld"]]
    assert got.texts == [FERRIES, MOSS]
    assert got.reasons() == {"Sign in to ListHub · ListHub": "page_furniture", row: "structure"}


def test_a_site_message_under_three_titles_is_no_abstract(read) -> None:
    message = "This record is being moved to a new server and will be shown again when the move is done, thank you."
    row = "-" * 20
    records = [f"{title}\nAda Beispiel\n{message}\n{row}\n" for title in ("Rafts", "Tents in wind", "Ropes that wear")]
    got = read(f"{''.join(records)}Moss: A Roof Story\nEva Voorbeeld\n{MOSS}\n{row}\n")
    assert got.texts == [None, None, None, MOSS]
    placeholders = got.rejects.filter(reason="placeholder")
    assert placeholders["raw_text"].to_list() == [message] * 3
    assert placeholders["occurrence_id"].to_list() == got.occurrences["occurrence_id"].to_list()[:3]


def test_a_text_repeated_in_a_list_without_titles_is_kept(read) -> None:
    got = read("\n\n".join(["ToyConf 2026 Papers", FERRIES, FERRIES, FERRIES]))
    assert got.texts == [FERRIES] * 3


def test_title_authors_and_abstract_in_blocks_of_their_own(read) -> None:
    got = read(
        f"ToyConf 2026 Papers\n\nFerries and Trains\n\nAda Beispiel, Ben Muster\n\n{FERRIES}\n\n"
        f"Moss: A Roof Story\n\nEva Voorbeeld\n\n{MOSS}\n"
    )
    assert got.titles == ["Ferries and Trains", "Moss: A Roof Story"]
    assert got.occurrences["authors"].to_list() == [["Ada Beispiel", "Ben Muster"], ["Eva Voorbeeld"]]
    assert got.texts == [FERRIES, MOSS]


def test_one_abstract_a_line_without_blank_lines(read) -> None:
    got = read(f"{FERRIES}\n{MOSS}\n{HATS}\n")
    assert got.texts == [FERRIES, MOSS, HATS]


def test_an_unknown_heading_keeps_venue_null(read) -> None:
    got = read(f"Things to read on the train\n\n{FERRIES}\n\n{MOSS}\n\n{HATS}\n", name="train-2026-05-03.txt")
    assert got.document["heading"] == "Things to read on the train"
    assert got.document["venue"] is None
    assert got.document["list_key"] == "train"
    assert str(got.document["snapshot_at"]) == "2026-05-03 00:00:00"
    assert got.texts == [FERRIES, MOSS, HATS]


NOTHING = {
    "": ("too_short", None, 0),
    " \n \n\t": ("too_short", None, 0),
    "Please sign in to continue": ("page_furniture", "Please sign in to continue", 22),
}


@pytest.mark.parametrize("content", NOTHING)
def test_a_file_without_a_paper_is_accounted_for(read, content: str) -> None:
    reason, raw, chars = NOTHING[content]
    got = read(content)
    assert got.occurrences.is_empty()
    assert got.rejects.select("reason", "raw_text", "chars_nonblank").row(0) == (reason, raw, chars)


def test_a_heading_alone_is_a_document_without_papers(read) -> None:
    got = read("ToyConf 2026 Papers\n")
    assert (got.document["heading"], got.document["occurrences"], got.document["rejects"]) == (
        "ToyConf 2026 Papers",
        0,
        0,
    )


def test_what_is_neither_known_nor_prose_is_refused(read) -> None:
    got = read("x = {k: v[0] for k in d}\n\nif (x >> 2) == 0x1F: return [x ^ 3, y]\n\n0.12 0.44 0.19 0.22\n")
    assert got.reasons() == {got.rejects["raw_text"][0]: "unsupported_format"}
    assert got.document["format"] is None
    assert got.document["encoding"] == "utf-8"


def test_a_feed_prefix_becomes_an_id(read) -> None:
    got = read(f"ToyConf 2026 Papers\n\narXiv:2699.00001v2 Announce Type: replace-cross Abstract: {FERRIES}\n")
    assert got.texts == [FERRIES]
    assert got.occurrences["external_ids"].to_list() == [[{"scheme": "arxiv", "value": "2699.00001", "version": "2"}]]


def test_abstracts_in_title_case_or_capitals_are_abstracts(read) -> None:
    titled = (
        "Ferries That Wait For Late Trains Lose Less Time Than Those That Do Not, As We Find On Nine Of Them. We Watch "
        "The Ferries For A Year And Count The Minutes, And Then We Ask The Crews What They Would Do In The Winter."
    )
    shouted = (
        "MOSS ON ROOFS KEEPS ATTICS COOL IN SUMMER. WE MEASURE FORTY ATTICS WITH AND WITHOUT MOSS AND COMPARE THEM. "
        "THE DIFFERENCE IS TWO DEGREES AT NOON AND NONE AT NIGHT, AND IT GROWS WITH THE AGE OF THE MOSS, WHICH WE TAKE "
        "FROM OLD PHOTOGRAPHS OF THE STREETS."
    )
    got = read(f"ToyConf 2026 论文列表\n\n共 412 篇论文，显示第 1–14 篇\n\n{titled}\n\n{shouted}\n\n{titled}\n")
    assert got.occurrences["raw_text"].to_list() == [titled, shouted, titled]
    assert got.titles == [None, None, None]
    assert got.rejects["reason"].to_list() == ["page_furniture"]


SHORT = [
    "Ferries that wait for late trains lose less time than those that do not wait at all.",
    "Moss on roofs keeps attics cool in July, as forty attics and two summers of records show.",
    "We show that street musicians choose their places by ear and by the smell of bread.",
    "Lamps under bridges draw moths from both banks when the light is cold and the air is still.",
    "Ropes that dry in the sun wear twice as fast as those under a roof of reed or of tin.",
]
MEDIUM = [f"{SHORT[n]} {SHORT[n - 1]}" for n in range(5)]
CHINESE = [
    "我们研究渡轮在火车晚点时的等待规则，并用九艘船一年的记录加以检验。",
    "本文测量四十个屋顶的苔藓，发现七月的阁楼温度因此下降两度。",
    "桥下的灯吸引两岸的飞蛾，冷光比暖光吸引得更多，风大时没有差别。",
]


@pytest.mark.parametrize("heading", ["", "ToyConf 2026 Papers\n\n", "ToyConf 2026 Papers\n"])
@pytest.mark.parametrize("abstracts", [SHORT[:2], SHORT[:3], SHORT, MEDIUM, [*MEDIUM, *SHORT], CHINESE])
def test_short_abstracts_one_a_line_stay_apart(read, heading: str, abstracts: list[str]) -> None:
    got = read(heading + "\n".join(abstracts) + "\n")
    assert got.texts == abstracts
    assert got.rejects.is_empty()
    assert any("taken for an abstract of its own" in (note or "") for note in got.occurrences["detail"]) or (
        abstracts == CHINESE
    )


@pytest.mark.parametrize("width", [50, 65, 80, 100])
@pytest.mark.parametrize("heading", ["", "ToyConf 2026 Papers\n\n"])
@pytest.mark.parametrize("abstract", [FERRIES, MOSS, HATS])
def test_a_wrapped_abstract_is_one_whatever_the_width(read, heading: str, abstract: str, width: int) -> None:
    assert read(heading + textwrap.fill(abstract, width) + "\n").texts == [abstract]


def test_an_abstract_with_a_sentence_a_line_is_one_where_blank_lines_part_them(read) -> None:
    blocks = ["\n".join(SHORT[:3]), "\n".join(reversed(SHORT))]
    got = read("ToyConf 2026 Papers\n\n" + "\n\n".join(blocks) + "\n")
    assert got.texts == [block.replace("\n", " ") for block in blocks]
    assert all("taken for one abstract" in note for note in got.occurrences["detail"])


def test_sentences_that_speak_of_one_another_are_one_abstract(read) -> None:
    lines = [
        SHORT[0],
        "This is true of nine ferries in winter and in summer alike, on slow and on fast lines.",
        SHORT[3],
    ]
    assert read("\n".join(lines)).texts == [" ".join(lines)]


@pytest.mark.parametrize("heading", ["", "ToyConf 2026 Papers\n\n"])
@pytest.mark.parametrize("abstracts", [SHORT[:2], SHORT, MEDIUM, [SHORT[2], MEDIUM[2]], CHINESE])
def test_short_abstracts_between_blank_lines_stay_apart(read, heading: str, abstracts: list[str]) -> None:
    got = read(heading + "\n\n".join(abstracts) + "\n")
    assert got.texts == abstracts
    assert got.rejects.is_empty()


@pytest.mark.parametrize("second", ["Our second result is that nobody waits for ferries.", "Nobody waits for ferries."])
def test_a_short_paragraph_among_long_abstracts_goes_on_with_the_one_before(read, second: str) -> None:
    got = read(f"ToyConf 2026 Papers\n\n{FERRIES}\n\n{second}\n\n{MOSS}\n\n{HATS}\n")
    assert got.texts == [f"{FERRIES} {second}", MOSS, HATS]
    assert "possible fragment" in got.occurrences["detail"][0]


TITLES = [
    "Ferries After Midnight",
    "Light Ropes of a Harbour",
    "A New Ferry Here",
    "Balanced Waiting for Sparse Trains",
    "Roofs Without Moss",
    "Bread, Sun and Music",
    "On Lamps",
    "What Do Moths See From Below?",
    "Counting Ropes From Below with Radar and Patience",
]


@pytest.mark.parametrize("between", ["\n", "\n\n", "\r\n"])
@pytest.mark.parametrize("heading", ["ToyConf 2026 accepted papers\n\n", "ToyConf 2026 accepted papers\n", ""])
@pytest.mark.parametrize("titles", [TITLES, TITLES[:4], TITLES[2:7]])
def test_in_a_list_of_titles_every_line_is_one(read, heading: str, titles: list[str], between: str) -> None:
    got = read(heading + between.join(titles) + "\n")
    assert got.titles == titles
    assert got.texts == [None] * len(titles)
    assert got.occurrences["authors"].to_list() == [None] * len(titles)
    assert got.rejects.is_empty()
    assert all((note is None) == bool(heading) for note in got.occurrences["detail"])


@pytest.mark.parametrize("names", [["Ada Beispiel", "Ben Muster", "Eva Voorbeeld"], ["Ada Beispiel, Ben Muster"] * 3])
@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_every_second_line_of_a_list_of_titles_may_be_the_authors(read, names: list[str], between: str) -> None:
    papers = between.join(f"{title}\n{name}" for title, name in zip(TITLES, names, strict=False))
    got = read(f"ToyConf 2026 Papers\n\n{papers}\n")
    assert got.titles == TITLES[:3]
    assert got.occurrences["authors"].to_list() == [name.split(", ") for name in names]


def test_a_list_of_titles_keeps_the_one_abstract_in_it_and_loses_no_line(read) -> None:
    lines = [*TITLES, FERRIES, *reversed(TITLES), "Showing 1–18 of 5,310 papers", "> 12 + 4"]
    got = read("ToyConf 2026 Papers\n\n" + "\n".join(lines))
    assert got.titles == [*TITLES, *reversed(TITLES)]
    assert [text for text in got.texts if text] == [FERRIES]
    assert got.reasons() == {"Showing 1–18 of 5,310 papers": "page_furniture", "> 12 + 4": "fragment"}


def test_lines_that_only_look_like_notes_are_no_titles_without_a_heading(read) -> None:
    got = read("buy bread and rope\nask about the lamps\ncall the ferry\nwater the moss\n")
    assert got.occurrences.is_empty()
    assert set(got.reasons().values()) == {"unsupported_format"}
