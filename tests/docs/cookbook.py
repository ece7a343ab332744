"""Runs the queries of docs/cookbook.md on the sample lists; as a program, writes their answers into the page.

python -m tests.docs.cookbook
"""

from __future__ import annotations

import io
import re
import tempfile
from contextlib import closing
from pathlib import Path

import duckdb

from assets.contract.folder import DATABASE, DataFolder
from orchestration.output import Format, print_rows
from tests.building import build

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "cookbook.md"
SAMPLES = ROOT / "data" / "samples" / "lists"

_RECIPE = re.compile(
    r"^### (?P<question>.+?)\n(?P<between>.*?)```sql\n(?P<sql>.*?)```\n(?:\n```text\n.*?```\n)?",
    re.DOTALL | re.MULTILINE,
)


def recipes(page: str) -> dict[str, str]:
    """Return question -> SQL of a page."""
    return {found["question"]: found["sql"] for found in _RECIPE.finditer(page)}


def answer(connection: duckdb.DuckDBPyConnection, sql: str) -> str:
    """Return what `paperfold query` prints into a pipe, without white space at line ends."""
    result = connection.execute(sql)
    out = io.StringIO()
    print_rows([column[0] for column in result.description or []], result.fetchall(), Format.TABLE, out)
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    return "\n".join(lines).strip("\n")


def answered(page: str, connection: duckdb.DuckDBPyConnection) -> str:
    """Return the page with the answer of each query below it."""

    def with_answer(found: re.Match[str]) -> str:
        said = answer(connection, found["sql"])
        return f"### {found['question']}\n{found['between']}```sql\n{found['sql']}```\n\n```text\n{said}\n```\n"

    return _RECIPE.sub(with_answer, page)


def renewed(folder: DataFolder) -> str:
    """Return the page with its answers on the release of a data folder."""
    with closing(duckdb.connect(str(folder.current.resolve() / DATABASE), read_only=True)) as connection:
        return answered(PAGE.read_text(encoding="utf-8"), connection)


def main() -> None:
    """Build the sample lists and write the answers anew."""
    with tempfile.TemporaryDirectory() as place:
        folder = DataFolder(Path(place) / "data")
        build(folder, SAMPLES)
        PAGE.write_text(renewed(folder), encoding="utf-8")


if __name__ == "__main__":
    main()
