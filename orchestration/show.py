"""`paperfold show`: one paper, where it stands, its versions with their differences, folds, conflicts and facts."""

from __future__ import annotations

from typing import Any

import polars as pl
from rich.console import Console
from rich.text import Text

from assets.analytical.changes.edits import beginning, difference, one_line, shortened
from assets.contract.folder import DataFolder
from assets.contract.vocabulary import CONFLICT_KINDS
from assets.folded.canonical import canonical_text
from orchestration.lookup import FoundId, OpenRelease, find_occurrence, find_paper, occurrences_where, open_release
from orchestration.terminal import print_below, shown_edits


def read_paper(folder: DataFolder, asked: str) -> dict[str, Any]:
    """Return all that the current release knows of a paper.

    Raises:
        PaperfoldError: when the id, or the beginning of one, stands for no paper or for several.
    """
    with open_release(folder) as release:
        found = _find(release, asked)
        paper = release.one("SELECT * FROM papers WHERE paper_id = ?", [found.id])
        occurrences = occurrences_where(release, "paper_id = ?", [found.id])
        return {
            "release_id": release.release_id,
            "note": found.note,
            **paper,
            "occurrences": [_stands(row) for row in occurrences],
            "versions": _versions(paper["text"], occurrences),
            "folds": _folds(release, found.id),
            "conflicts": _conflicts(release, found.id),
            "facts": release.rows("SELECT * FROM facts WHERE paper_id = ? ORDER BY char_start, char_end", [found.id]),
        }


def _find(release: OpenRelease, asked: str) -> FoundId:
    """Return the paper of an id; that of an occurrence is the paper that it belongs to."""
    if not asked.startswith("occ_"):
        return find_paper(release, asked)
    occurrence = find_occurrence(release, asked).id
    paper = release.one("SELECT paper_id FROM occurrences WHERE occurrence_id = ?", [occurrence])["paper_id"]
    return FoundId(paper, f"{occurrence} is an occurrence of {paper}.")


def _stands(row: dict[str, Any]) -> dict[str, Any]:
    names = ("occurrence_id", "source", "file_name", "list_key", "snapshot_at", "position", "match_kind", "similarity")
    return {name: row[name] for name in names}


def _versions(text: str | None, occurrences: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the distinct texts in the order in which they appeared, each with its difference from the paper's text."""
    with_text = [row for row in occurrences if row["text"] is not None]
    if not with_text:
        return []
    forms = pl.DataFrame({"text": [row["text"] for row in with_text]}).select(canonical_text(pl.col("text")))
    versions: dict[str, dict[str, Any]] = {}
    for form, row in zip(forms.to_series().to_list(), with_text, strict=True):
        version = versions.setdefault(
            form,
            {"version": len(versions) + 1, "words": row["words"], "text": row["text"], "occurrence_ids": []},
        )
        version["occurrence_ids"].append(row["occurrence_id"])
        if row["text"] == text:
            version["text"] = row["text"]
    for version in versions.values():
        edits = difference(text or "", version["text"])
        version["is_the_papers_text"] = version["text"] == text
        version["difference"] = [{"edit": edit, "words": words} for edit, words in edits]
    return list(versions.values())


def _folds(release: OpenRelease, paper_id: str) -> list[dict[str, Any]]:
    return release.rows(
        """
        WITH stands AS (
            SELECT occurrence_id, file_name, position
            FROM occurrences JOIN documents ON documents.document_id = occurrences.document_id
            WHERE paper_id = $1
        )
        SELECT
            folds.* EXCLUDE (paper_id),
            folded.file_name,
            folded.position,
            matched.file_name AS matched_file_name,
            matched.position AS matched_position
        FROM folds
        JOIN stands AS folded ON folded.occurrence_id = folds.occurrence_id
        LEFT JOIN stands AS matched ON matched.occurrence_id = folds.matched_occurrence_id
        WHERE folds.paper_id = $1
        ORDER BY folded.file_name, folded.position, folds.occurrence_id
        """,
        [paper_id],
    )


def _conflicts(release: OpenRelease, paper_id: str) -> list[dict[str, Any]]:
    return release.rows(
        """
        SELECT conflicts.*, other.paper_id AS other_paper_id, papers.title AS other_title, papers.text AS other_text
        FROM (
            SELECT conflicts.*, CASE WHEN one.paper_id = $1 THEN occurrence_id_b ELSE occurrence_id_a END AS theirs
            FROM conflicts
            JOIN occurrences AS one ON one.occurrence_id = occurrence_id_a
            JOIN occurrences AS two ON two.occurrence_id = occurrence_id_b
            WHERE one.paper_id = $1 OR two.paper_id = $1
        ) AS conflicts
        JOIN occurrences AS other ON other.occurrence_id = theirs
        JOIN papers ON papers.paper_id = other.paper_id
        ORDER BY occurrence_id_a, occurrence_id_b
        """,
        [paper_id],
    )


def show(paper: dict[str, Any], console: Console) -> None:
    """Print a paper."""
    if paper["note"]:
        console.print(Text(paper["note"], "yellow"))
    if paper["title"]:
        console.print(Text(one_line(paper["title"]), "bold"))
    if paper["authors"]:
        console.print(Text(one_line(", ".join(paper["authors"]))))
    console.print(Text(_facts_in_brief(paper), "dim"))
    console.print()
    console.print(Text(one_line(paper["text"]) if paper["text"] else "No copy of it has an abstract."))
    _show_places(paper, console)
    _show_versions(paper, console)
    _show_folds(paper, console)
    _show_conflicts(paper, console)
    _show_facts(paper, console)


def _facts_in_brief(paper: dict[str, Any]) -> str:
    lists = sorted({row["list_key"] for row in paper["occurrences"]})
    ids = [f"{i['scheme']}:{i['value']}{i['version'] or ''}" for i in paper["external_ids"] or ()]
    return one_line(" · ".join([paper["paper_id"], *lists, *ids, *([paper["url"]] if paper["url"] else [])]))


def _heading(words: str, console: Console) -> None:
    console.print()
    console.print(Text(words, "bold"))


def _show_places(paper: dict[str, Any], console: Console) -> None:
    _heading(f"Stands in {_counted(paper['document_count'], 'document')}", console)
    for row in paper["occurrences"]:
        day = f"{row['snapshot_at']:%Y-%m-%d}" if row["snapshot_at"] else "no date   "
        console.print(
            Text(f"  {day}  {one_line(row['file_name'])}, position {row['position']}  ({row['match_kind']})  ")
            .append_text(Text(row["occurrence_id"], "dim"))
        )  # fmt: skip


def _show_versions(paper: dict[str, Any], console: Console) -> None:
    if len(paper["versions"]) < 2:
        return
    lowest = f", lowest similarity of two copies {paper['min_similarity']:.2f}" if paper["min_similarity"] else ""
    _heading(f"{len(paper['versions'])} versions of its text{lowest}", console)
    for version in paper["versions"]:
        copies = _counted(len(version["occurrence_ids"]), "copy", "copies")
        which = ": the text above" if version["is_the_papers_text"] else ", and how it differs from the text above:"
        console.print(Text(f"  {version['version']}  {version['words']:,} words, {copies}{which}"))
        if not version["is_the_papers_text"]:
            edits = shortened([(edit["edit"], edit["words"]) for edit in version["difference"]])
            print_below(shown_edits(edits, coloured=console.is_terminal), 5, console)


def _show_folds(paper: dict[str, Any], console: Console) -> None:
    if not paper["folds"]:
        return
    _heading(f"{_counted(len(paper['folds']), 'copy', 'copies')} folded into it", console)
    for fold in paper["folds"]:
        figures = (
            "" if fold["jaccard"] is None else f", Jaccard {fold['jaccard']:.2f}, containment {fold['containment']:.2f}"
        )
        said = f": {one_line(fold['detail'])}" if fold["detail"] else ""
        console.print(
            Text(
                f"  {one_line(fold['file_name'])} {fold['position']} with {one_line(fold['matched_file_name'] or '')} "
                f"{fold['matched_position']}: {fold['match_kind']}{figures}{said}"
            )
        )


def _show_conflicts(paper: dict[str, Any], console: Console) -> None:
    if not paper["conflicts"]:
        return
    _heading("Looks like, and was kept apart from", console)
    for row in paper["conflicts"]:
        name = one_line(row["other_title"]) if row["other_title"] else beginning(row["other_text"])
        console.print(Text(f"  {row['other_paper_id']}  {name}"))
        detail = f" ({one_line(row['detail'])})" if row["detail"] else ""
        console.print(Text(f"      {row['kind']}: {CONFLICT_KINDS[row['kind']]}{detail}"))


def _show_facts(paper: dict[str, Any], console: Console) -> None:
    if not paper["facts"]:
        return
    _heading("Facts read out of its text", console)
    for fact in paper["facts"]:
        stands_for = f" ({one_line(fact['expansion'])})" if fact["expansion"] else ""
        console.print(Text(f"  {fact['kind']:<12}{one_line(fact['value'])}{stands_for}"))


def _counted(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"
