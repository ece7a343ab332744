"""The cookbook's answers are what its queries return on the sample lists."""

from __future__ import annotations

import pytest

from assets.contract.folder import DataFolder
from tests.building import build
from tests.docs.cookbook import PAGE, SAMPLES, answered, recipes, renewed


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    folder = DataFolder(tmp_path_factory.mktemp("cookbook") / "data")
    build(folder, SAMPLES)
    return folder


def test_every_answer_is_what_the_query_returns(sample: DataFolder) -> None:
    assert renewed(sample) == PAGE.read_text(encoding="utf-8"), "run `python -m tests.docs.cookbook`"


def test_it_holds_at_least_fifteen_questions_each_with_its_sql() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(recipes(page)) >= 15
    assert len(recipes(page)) == page.count("\n### ") == page.count("```sql")


def test_a_wrong_answer_would_be_found() -> None:
    import duckdb

    page = "### How many?\n\n```sql\nSELECT 2 AS n;\n```\n\n```text\n  n\n ───\n  1\n\n1 row\n```\n"
    with duckdb.connect(":memory:") as connection:
        assert answered(page, connection) != page
        assert answered(page, connection).endswith("  n\n ───\n  2\n\n1 row\n```\n")
