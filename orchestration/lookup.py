"""Looking things up in the current release: papers, occurrences and ids as a person writes them. Read-only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DATABASE, DataFolder
from assets.contract.vocabulary import ALIAS_KINDS
from assets.release.store import resolve_release

SHOWN_IDS = 5
"""Ids that an error lists when a beginning fits several."""


@dataclass(frozen=True)
class OpenRelease:
    """A release that is open for reading."""

    release_id: str
    path: Path
    connection: duckdb.DuckDBPyConnection

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """Return the rows of a query as column -> value."""
        result = self.connection.execute(sql, list(parameters))
        names = [column[0] for column in result.description or []]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]

    def one(self, sql: str, parameters: Sequence[Any] = ()) -> dict[str, Any]:
        """Return the one row of a query."""
        [row] = self.rows(sql, parameters)
        return row


@dataclass(frozen=True)
class FoundId:
    """An id that a release knows, and a word about how it was found when that is not what was asked for."""

    id: str
    note: str | None = None


@contextmanager
def open_release(folder: DataFolder, release: str | None = None) -> Iterator[OpenRelease]:
    """Open a release (default: the current one) for reading.

    Raises:
        PaperfoldError: when there is none, or its database can't be opened.
    """
    release_id = resolve_release(folder, release).release_id
    path = folder.release(release_id)
    try:
        connection = duckdb.connect(str(path / DATABASE), read_only=True)
    except duckdb.Error as error:
        raise PaperfoldError(f"{path / DATABASE} can't be opened: {str(error).splitlines()[0]}") from error
    with closing(connection):
        yield OpenRelease(release_id, path, connection)


def find_paper(release: OpenRelease, asked: str) -> FoundId:
    """Return the paper that an id, or an unmistakable beginning of one, stands for; a retired id finds its heir.

    Raises:
        PaperfoldError: when the release knows no such paper, several, or the paper was withdrawn.
    """
    if len(found := _beginning_with(release, "papers", "paper_id", asked)) == 1:
        return FoundId(found[0])
    retired = release.rows("SELECT * FROM paper_aliases WHERE starts_with(retired_paper_id, ?)", [asked])
    exact = [row for row in retired if row["retired_paper_id"] == asked]
    if not found and len(exact or retired) == 1:
        row = (exact or retired)[0]
        if row["paper_id"] is None:
            raise PaperfoldError(
                f"{row['retired_paper_id']} was withdrawn: {ALIAS_KINDS['withdrawn']}. "
                f"{row['retired_after']} was the last release that had it."
            )
        note = f"{row['retired_paper_id']} is retired ({row['kind']}): it stands for {row['paper_id']} now."
        return FoundId(row["paper_id"], note)
    raise _no_such("paper", asked, "pap_", sorted([*found, *(row["retired_paper_id"] for row in retired)]), release)


def find_occurrence(release: OpenRelease, asked: str) -> FoundId:
    """Return the occurrence that an id, or an unmistakable beginning of one, stands for.

    Raises:
        PaperfoldError: when the release knows no such occurrence, or several.
    """
    if len(found := _beginning_with(release, "occurrences", "occurrence_id", asked)) == 1:
        return FoundId(found[0])
    raise _no_such("occurrence", asked, "occ_", found, release)


def occurrences_where(release: OpenRelease, condition: str, parameters: Sequence[Any]) -> list[dict[str, Any]]:
    """Return occurrences with where they stand, in the order of their snapshots."""
    return release.rows(
        f"""
        SELECT occurrences.*, source, file_name, list_key, snapshot_at, venue, year
        FROM occurrences JOIN documents USING (document_id)
        WHERE {condition}
        ORDER BY snapshot_at NULLS LAST, file_name, source, document_id, position
        """,
        parameters,
    )


def _beginning_with(release: OpenRelease, table: str, column: str, asked: str) -> list[str]:
    exact = release.rows(f"SELECT {column} AS id FROM {table} WHERE {column} = ?", [asked])
    rows = exact or release.rows(
        f"SELECT {column} AS id FROM {table} WHERE starts_with({column}, ?) ORDER BY 1", [asked]
    )
    return [row["id"] for row in rows]


def _no_such(what: str, asked: str, prefix: str, found: list[str], release: OpenRelease) -> PaperfoldError:
    if found:
        more = f" and {len(found) - SHOWN_IDS:,} more" if len(found) > SHOWN_IDS else ""
        listed = ", ".join(found[:SHOWN_IDS])
        return PaperfoldError(
            f"{asked!r} is the beginning of {len(found):,} {what} ids: {listed}{more}. Write more of it."
        )
    return PaperfoldError(
        f"{release.release_id} has no {what} {asked!r}. Expected an id that begins with {prefix}, or the beginning of "
        f'one; `paperfold query "SELECT {what}_id, left(text, 60) FROM {what}s"` lists them.'
    )
