"""A paper id keeps its meaning in every later release; retired ids lead on."""

from pathlib import Path

from assets.contract.check import Verdict
from assets.folded.checks import CHECKS
from tests.folded.lists import Built, Record, build

KITES = "We measure how far a kite drifts when the wind turns at dusk. Forty flights over one bay show the drift."
CLOCKS = "Tower clocks lose time in winter because their oil thickens. We replace the oil in nine towers for a year."
BEES = "Bees return to a hive that smells of thyme sooner than to one of pine. Nine hives were moved twice a week."


def verdict(name: str, made: Built, before: Built) -> Verdict:
    check = next(c for c in CHECKS if c.name == name)
    return check.judge(
        {**made.tables(), "base_papers": before.papers.lazy(), "base_occurrences": before.occurrences.lazy()}
    )


def test_a_file_that_sorts_first_renames_nothing(tmp_path: Path) -> None:
    one = build({"m": [KITES, CLOCKS]}, tmp_path)
    two = build({"a": [BEES], "m": [CLOCKS, KITES]}, tmp_path, base=one)
    assert set(one.papers["paper_id"]) < set(two.papers["paper_id"])
    assert one.paper_of("We measure") == two.paper_of("We measure")
    assert verdict("ids_last", two, one).passed


def test_a_first_build_gives_the_ids_of_content(tmp_path: Path) -> None:
    assert build({"m": [KITES]}, tmp_path).paper_of("We") == build({"x": [CLOCKS, KITES]}, tmp_path).paper_of("We")


def test_a_text_that_goes_is_withdrawn_and_gets_its_id_back(tmp_path: Path) -> None:
    one = build({"m": [KITES, CLOCKS]}, tmp_path)
    two = build({"m": [CLOCKS]}, tmp_path, base=one)
    assert two.paper_aliases.select("retired_paper_id", "paper_id", "kind", "retired_after").rows() == [
        (one.paper_of("We measure"), None, "withdrawn", one.base.release_id)
    ]
    assert verdict("ids_last", two, one).passed
    three = build({"m": [CLOCKS], "n": [BEES]}, tmp_path, base=two)
    assert three.paper_aliases.equals(two.paper_aliases)
    four = build({"m": [CLOCKS], "n": [KITES]}, tmp_path, base=three)
    assert four.paper_of("We measure") == one.paper_of("We measure")
    assert four.paper_aliases["retired_paper_id"].to_list() == [three.paper_of("Bees")]


def test_a_paper_keeps_its_id_while_one_copy_is_left(tmp_path: Path) -> None:
    one = build({"a": [KITES], "b": [KITES.upper()]}, tmp_path)
    two = build({"b": [KITES.upper()]}, tmp_path, base=one)
    assert two.papers["paper_id"].to_list() == one.papers["paper_id"].to_list()


def test_equal_text_under_unlike_titles_keeps_two_ids_apart(tmp_path: Path) -> None:
    kites, lamps = Record(KITES, "Kites at dusk"), Record(KITES, "A lamp that follows the reader")
    one = build({"a": [kites], "b": [lamps]}, tmp_path)
    assert one.papers.height == 2
    two = build({"b": [lamps]}, tmp_path, base=one)
    assert two.paper_of("A lamp") == one.paper_of("A lamp")
    assert two.paper_aliases.select("retired_paper_id", "paper_id").rows() == [(one.paper_of("Kites"), None)]


def test_a_title_that_comes_later_renames_nothing(tmp_path: Path) -> None:
    one = build({"a": [KITES]}, tmp_path)
    two = build({"a": [Record(KITES, "Kites at dusk")]}, tmp_path, base=one)
    assert two.papers["paper_id"].to_list() == one.papers["paper_id"].to_list()
    assert two.paper_aliases.is_empty()
    assert verdict("ids_last", two, one).passed
