"""The report of changes as Markdown, `changes.md` in a release.

Whatever stands in a list is text here: characters that mean something in Markdown or HTML are escaped.
"""

from __future__ import annotations

import html
import re
from typing import Any

from assets.analytical.changes.compare import CHANGES
from assets.analytical.changes.edits import shortened
from assets.analytical.changes.report import Report, by_kind, counts_in_words, name_of

SHOWN = 100
"""Papers of one kind shown per list."""

_SPECIAL = re.compile(r"[\\`*_\[\]|~$@]|:(?=//)|(?<=\bwww)\.|^(?:[#+=-]|\d+[.)])", re.IGNORECASE)
"""Marks of Markdown, what makes a link of an address, and what begins a heading or an item of a list."""


def markdown(report: Report, *, since: str | None) -> str:
    """Return the report as Markdown.

    Args:
        report: What changed.
        since: The release that it is compared with; None where there is none.
    """
    if since is None:
        opening = [
            "There is no release to compare with: this is the first one, or it was built in full. All that it holds",
            f"counts as new ({counts_in_words(report['counts'])}).",
        ]
        return "\n".join(["# Changes", "", *opening, "", *_counts(report)]) + "\n"
    lines = ["# Changes", "", f"Since {escaped(since)}: {counts_in_words(report['counts'])}."]
    if report["lists"]:
        lines += ["", *_counts(report)]
    for listed in report["lists"]:
        lines += ["", f"## {escaped(listed['list_key'])}"]
        if not listed["order_known"]:
            lines += ["", "The order of these snapshots is not known: neither names nor sources state all times."]
        for kind, changes in by_kind(listed["changes"]):
            lines += ["", f"### {kind.capitalize()}: {CHANGES[kind]}", ""]
            for change in changes[:SHOWN]:
                lines += _change(change)
            if len(changes) > SHOWN:
                lines.append(f"- … and {len(changes) - SHOWN:,} more: `paperfold changes --json` has them all")
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Return a text whose characters stand for themselves in Markdown."""
    return html.escape(_SPECIAL.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", text), quote=False)


def _counts(report: Report) -> list[str]:
    heads = ["list", *CHANGES]
    rows = [
        [escaped(listed["list_key"]), *(f"{listed['counts'][kind]:,}" for kind in CHANGES)]
        for listed in report["lists"]
    ]
    return [_row(heads), _row(["---", *("--:" for _ in CHANGES)]), *map(_row, rows)]


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _change(change: dict[str, Any]) -> list[str]:
    lines = [f"- {escaped(name_of(change))} (`{change['paper_id']}`)"]
    if "difference" in change:
        edits = shortened([(edit["edit"], edit["words"]) for edit in change["difference"]])
        marks = {"equal": "{}", "removed": "<del>{}</del>", "added": "<ins>{}</ins>"}
        lines.append("  <br>" + " ".join(marks[edit].format(escaped(words)) for edit, words in edits))
    return lines
