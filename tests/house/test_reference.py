"""The reference in docs/ says what the code says: every table, view, column, command and setting."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.analytical.views import load_views
from assets.contract.arrow import column_descriptions
from assets.contract.tables import TABLES, WORK_TABLES
from orchestration.cli import app
from orchestration.reference import write_reference
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("docs")
    return {path.name: path.read_text(encoding="utf-8") for path in write_reference(folder, app)}


@pytest.mark.parametrize("name", ["data-dictionary.md", "commands.md", "settings.md"])
def test_the_generated_files_are_up_to_date(reference: dict[str, str], name: str) -> None:
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == reference[name], "run `make docs`"


def test_every_column_of_every_table_is_described() -> None:
    for table in (*TABLES, *WORK_TABLES):
        undescribed = [name for name, words in column_descriptions(table).items() if len(words) < 10]
        assert undescribed == [], table


def test_every_view_and_its_columns_are_described() -> None:
    for view in load_views():
        assert len(view.description) > 10
        assert [column.name for column in view.columns if len(column.description) < 5] == [], view.name


def test_every_command_has_help_and_stands_in_the_reference(reference: dict[str, str]) -> None:
    for command in app.registered_commands:
        assert command.callback is not None
        assert f"## paperfold {command.callback.__name__}" in reference["commands.md"]
        assert command.callback.__doc__


def test_every_setting_is_described(reference: dict[str, str]) -> None:
    rows = [line.split("|") for line in reference["settings.md"].splitlines() if line.startswith("| `")]
    assert len(rows) > 10
    assert [row[1] for row in rows if len(row[4].strip()) < 10] == []


def test_the_readme_links_lead_somewhere() -> None:
    import re

    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / Path(target)).exists(), f"{page.name} links to {target}"
