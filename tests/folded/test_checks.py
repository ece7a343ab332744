"""Each check of the folded layer holds on what was folded, and fires when its promise is broken."""

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from assets.folded.checks import CHECKS
from tests.folded.lists import Built, Record, build
from tests.folded.test_lookalikes import BREAD, REVISED, ROUTES

Frames = dict[str, pl.DataFrame]


def frames(made: Built, before: Built | None = None) -> Frames:
    found = {name: frame.collect() for name, frame in made.tables().items()}
    found["base_papers"] = before.papers if before else made.papers.clear()
    found["base_occurrences"] = before.occurrences if before else made.occurrences.clear()
    return found


def failing(tables: Frames) -> set[str]:
    lazy = {name: frame.lazy() for name, frame in tables.items()}
    return {check.name for check in CHECKS if not check.judge(lazy).passed}


@pytest.fixture
def made(tmp_path: Path) -> Built:
    return build(
        {
            "a": [Record(ROUTES, "Two plans for one round"), Record(ROUTES, "Loaves and fairs"), BREAD],
            "b": [Record(REVISED, "Two plans for one round"), BREAD.upper()],
        },
        tmp_path,
    )


def test_all_hold_on_what_was_folded(made: Built) -> None:
    assert failing(frames(made, made)) == set()


def test_every_check_reads_what_it_names(made: Built) -> None:
    tables = frames(made)
    for check in CHECKS:
        assert check.judge({name: tables[name].lazy() for name in check.tables}).passed, check.name


def _without_first(table: str) -> Callable[[Frames], None]:
    def breaks(tables: Frames) -> None:
        tables[table] = tables[table].slice(1)

    return breaks


def _set(table: str, **columns: pl.Expr) -> Callable[[Frames], None]:
    def breaks(tables: Frames) -> None:
        tables[table] = tables[table].with_columns(**columns)

    return breaks


def _twice(table: str) -> Callable[[Frames], None]:
    def breaks(tables: Frames) -> None:
        tables[table] = pl.concat([tables[table], tables[table].head(1)])

    return breaks


def _apart(tables: Frames) -> None:
    """Tear the revised copy off into a paper of its own, and say so in every table."""
    torn = tables["occurrences"].filter(pl.col("match_kind") == "revised").row(0, named=True)
    other = "pap_" + "e" * 20
    is_torn = pl.col("occurrence_id") == torn["occurrence_id"]
    tables["occurrences"] = tables["occurrences"].with_columns(
        paper_id=pl.when(is_torn).then(pl.lit(other)).otherwise("paper_id"),
        match_kind=pl.when(is_torn).then(pl.lit("first")).otherwise("match_kind"),
    )
    tables["folds"] = tables["folds"].filter(~is_torn)
    whole = tables["papers"].filter(pl.col("paper_id") == torn["paper_id"])
    new = whole.with_columns(
        paper_id=pl.lit(other),
        text=pl.lit(torn["text"]),
        representative_occurrence_id=pl.lit(torn["occurrence_id"]),
        occurrence_count=pl.lit(1, pl.Int64),
    )
    one_less = pl.when(pl.col("paper_id") == torn["paper_id"]).then(pl.col("occurrence_count") - 1)
    tables["papers"] = pl.concat(
        [tables["papers"].with_columns(occurrence_count=one_less.otherwise("occurrence_count")), new]
    )


def _reused(tables: Frames) -> None:
    ids = tables["papers"].get_column("paper_id").to_list()
    turned = dict(zip(ids, [*ids[1:], ids[0]], strict=True))
    for table in ("papers", "occurrences", "folds"):
        tables[table] = tables[table].with_columns(pl.col("paper_id").replace_strict(turned))


@pytest.mark.parametrize(
    ("breaks", "expected"),
    [
        (_without_first("folds"), "occurrences_are_papers_and_folds"),
        (_without_first("papers"), "occurrences_are_papers_and_folds"),
        (_set("papers", occurrence_count=pl.lit(7, pl.Int64)), "occurrences_are_papers_and_folds"),
        (_twice("papers"), "folded_keys_hold"),
        (_twice("folds"), "folded_keys_hold"),
        (_set("folds", matched_occurrence_id=pl.lit("occ_" + "f" * 20)), "folded_keys_hold"),
        (_set("papers", first_document_id=pl.lit("doc_" + "f" * 20)), "folded_keys_hold"),
        (
            _set("papers", representative_occurrence_id=pl.col("representative_occurrence_id").reverse()),
            "members_belong_together",
        ),
        (_without_first("conflicts"), "equal_texts_are_in_conflict"),
        (_set("papers", min_similarity=pl.lit(0.01)), "no_two_members_are_unlike"),
        (_set("papers", version_count=pl.lit(9)), "versions_are_numbered"),
        (_set("occurrences", version=pl.lit(7)), "versions_are_numbered"),
        (_apart, "no_accepted_pair_is_apart"),
        (_reused, "ids_last"),
    ],
)
def test_it_fires(made: Built, breaks: Callable[[Frames], None], expected: str) -> None:
    tables = frames(made, made)
    breaks(tables)
    assert expected in failing(tables)


def test_a_lost_id_is_found(made: Built, tmp_path: Path) -> None:
    later = build({"a": [BREAD]}, tmp_path, base=made)
    tables = frames(later, made)
    assert failing(tables) == set()
    tables["paper_aliases"] = tables["paper_aliases"].slice(1)
    assert failing(tables) == {"ids_last"}


def test_few_pairs_apart_among_many_papers_warn_and_hold_nothing_up(
    made: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    torn = frames(made)
    _apart(torn)
    lazy = {name: frame.lazy() for name, frame in torn.items()}
    [check] = [check for check in CHECKS if check.name == "no_accepted_pair_is_apart"]
    judged, verdict = check.judged(lazy)
    assert (judged.severity, verdict.passed) == ("ERROR", False)
    monkeypatch.setattr("assets.folded.checks.TOLERATED", 1.0)
    judged, verdict = check.judged(lazy)
    assert (judged.severity, verdict.passed) == ("WARN", False)
