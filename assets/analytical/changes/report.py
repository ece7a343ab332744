"""The report of changes: what the command's print, its JSON and the Markdown in a release have in common."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

import polars as pl

from assets.analytical.changes.compare import CHANGES, counted
from assets.analytical.changes.edits import beginning, difference, one_line

Report = dict[str, Any]


def report(changed: pl.DataFrame, unordered: Container[str] = (), **about: Any) -> Report:
    """Return changes (columns compare.CHANGED) as counts and lists, ready for JSON.

    Args:
        changed: What changed.
        unordered: Keys of lists of which it is not known which state is the later one.
        about: What was compared with what; it comes first in the report.
    """
    return {
        **about,
        "counts": counted(changed),
        "lists": [
            {
                "list_key": str(key),
                "order_known": key not in unordered,
                "counts": counted(rows),
                "changes": [_change(row) for row in rows.iter_rows(named=True)],
            }
            for (key,), rows in changed.group_by("list_key", maintain_order=True)
        ],
    }


def _change(row: dict[str, Any]) -> dict[str, Any]:
    names = ("change", "paper_id", "position", "previous_position", "title", "text")
    found = {name: row[name] for name in names}
    if row["change"] == "dropped":
        found["withdrawn"] = row["withdrawn"]
    if row["previous_text"] is not None:
        found["previous_text"] = row["previous_text"]
        edits = difference(row["previous_text"], row["text"])
        found["difference"] = [{"edit": edit, "words": words} for edit, words in edits]
    return found


def counts_in_words(counts: dict[str, int]) -> str:
    """Return counts as `12 new, 3 revised`; what did not occur is left out."""
    return ", ".join(f"{count:,} {kind}" for kind, count in counts.items() if count) or "nothing changed"


def name_of(change: dict[str, Any]) -> str:
    """Return by what a person knows a paper: its title, or the first words of its text."""
    return one_line(change["title"]) if change["title"] else beginning(change["text"]) or change["paper_id"]


def by_kind(changes: Sequence[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the changes of each kind that occurs, in the order in which kinds are told."""
    grouped = [(kind, [change for change in changes if change["change"] == kind]) for kind in CHANGES]
    return [(kind, found) for kind, found in grouped if found]
