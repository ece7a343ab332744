"""The views of sql/: their contracts, read from the header comments, and their dependencies, read from the SQL.

A view file opens with its contract: what it answers, an empty comment line, then one line per column,
`-- name TYPE: description`. The query follows. A line `-- (stored)` after the description says that its rows are
computed once, with the release, because asking for a few of them would cost as much as asking for all. Nothing here
runs a query.

A file may define a table macro instead: its description ends with `-- Call: name(...)`, a call that shows what it is,
and its query is a row of CREATE MACRO statements, helpers first, the table macro of the file's name last.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter
from itertools import zip_longest
from pathlib import Path

import sqlglot
from sqlglot import exp

SQL_FOLDER = Path(__file__).resolve().parents[2] / "sql"

_COLUMN = re.compile(r"^(?P<name>\w+) (?P<type>.+?): (?P<description>.+)$")
_CALL = "Call: "
_STORED = "(stored)"
_MACRO = re.compile(r"(?m)^(?=CREATE MACRO )")
_AS_TABLE = " AS TABLE"


@dataclass(frozen=True)
class ViewColumn:
    """A column that a view promises: its name, DuckDB type and description."""

    name: str
    type: str
    description: str


@dataclass(frozen=True)
class View:
    """A view or a table macro: its name, what it answers, its columns, its query and what that query reads.

    Attributes:
        call: How a macro is called, in an example; None for a view.
        stored: Whether the database holds its rows, computed once.
    """

    name: str
    description: str
    columns: tuple[ViewColumn, ...]
    query: str
    depends_on: tuple[str, ...]
    call: str | None = None
    stored: bool = False

    @property
    def relation(self) -> str:
        """What stands after FROM to read it."""
        return self.call or self.name

    @property
    def selects(self) -> str:
        """The query that gives its rows: of a macro, what stands behind its last AS TABLE."""
        return self.query if self.call is None else self.query.rpartition(_AS_TABLE)[2]

    @property
    def helpers(self) -> tuple[str, ...]:
        """The statements that make what a macro calls, in order."""
        return self.statements[:-1]

    @property
    def statements(self) -> tuple[str, ...]:
        """The statements that make it in a database."""
        if self.call is None:
            return (f"CREATE VIEW {self.name} AS {self.query}",)
        return tuple(part.rstrip().rstrip(";") for part in _MACRO.split(self.query) if part.startswith("CREATE MACRO"))


def load_views(folder: Path = SQL_FOLDER) -> list[View]:
    """Return the views of a folder, each after the views that it reads, else by name.

    Raises:
        ValueError: when a header is no contract; the message names the file and the line.
    """
    views = {
        path.stem: parse_view(path.stem, path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.sql"))
    }
    graph = {name: sorted(set(view.depends_on) & set(views)) for name, view in views.items()}
    return [views[name] for name in TopologicalSorter(graph).static_order()]


def load_macro(name: str) -> View:
    """Return one macro of sql/."""
    return parse_view(name, (SQL_FOLDER / f"{name}.sql").read_text(encoding="utf-8"))


def parse_view(name: str, text: str) -> View:
    """Return the view that a file describes.

    Raises:
        ValueError: when the header is no contract.
    """
    lines = text.splitlines()
    size = next((i for i, line in enumerate(lines) if not line.startswith("--")), len(lines))
    header = [line[2:].strip() for line in lines[:size]]
    if "" not in header or not header[0]:
        raise ValueError(f"{name}.sql: expected a comment with a description, an empty line and the columns.")
    gap = header.index("")
    columns = []
    for number, line in enumerate(header[gap + 1 :], gap + 2):
        if not (found := _COLUMN.match(line)):
            raise ValueError(f"{name}.sql, line {number}: expected `-- name TYPE: description`, found `-- {line}`.")
        columns.append(ViewColumn(found["name"], found["type"], found["description"]))
    query = "\n".join(lines[size:]).strip()
    call = next((line.removeprefix(_CALL) for line in header[:gap] if line.startswith(_CALL)), None)
    if (call is None) == bool(_MACRO.search(query)):
        raise ValueError(
            f"{name}.sql: expected a line `-- {_CALL}{name}(...)` in the header of a macro, and only there."
        )
    description = " ".join(line for line in header[:gap] if not line.startswith((_CALL, _STORED)))
    view = View(name, description, tuple(columns), query, (), call, _STORED in header[:gap])
    return replace(view, depends_on=_dependencies(name, view.selects))


def _dependencies(name: str, query: str) -> tuple[str, ...]:
    """Return the tables and views that a query reads, its own CTEs and what lies in other schemas left out."""
    tree = sqlglot.parse_one(query, dialect="duckdb")
    own = {cte.alias for cte in tree.find_all(exp.CTE)}
    names = {table.name for table in tree.find_all(exp.Table) if not table.db}
    return tuple(sorted(names - own - {name}))


def contract_breaches(view: View, found: Sequence[tuple[str, str]]) -> list[str]:
    """Return in words where the columns of a view, as (name, DuckDB type), differ from its contract."""
    wanted = [f"{column.name} {_plain(column.type)}" for column in view.columns]
    have = [f"{name} {_plain(type_)}" for name, type_ in found]
    pairs = zip_longest(wanted, have, fillvalue="nothing")
    return [
        f"column {place}: the contract says {want}, the view has {has}"
        for place, (want, has) in enumerate(pairs, 1)
        if want != has
    ]


def _plain(type_: str) -> str:
    """Return a type without quotes: which names DuckDB quotes differs between its versions."""
    return type_.replace('"', "")
