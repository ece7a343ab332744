"""`paperfold why`: why two texts fold or do not, by the rule, and what the release did with them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from assets.analytical.changes.edits import beginning, difference, one_line, shortened
from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from assets.contract.vocabulary import CONFLICT_KINDS, MATCH_KINDS
from assets.folded.explain import Explanation, Side, explain_pair
from assets.folded.record import read_settings
from assets.folded.settings import Decision, FoldingSettings
from assets.parsed.decoding import DecodingError, decode
from assets.parsed.markup import resolve_text
from orchestration.lookup import OpenRelease, find_occurrence, find_paper, occurrences_where, open_release
from orchestration.settings import load_settings
from orchestration.terminal import print_below, shown_edits

_SIMILAR = 0.3
"""From this Jaccard similarity on the words that differ are shown in their place."""


@dataclass(frozen=True)
class Asked:
    """One side of the question: what was asked for, and the record that stands for it.

    Attributes:
        asked: As the person wrote it.
        side: Text, title, authors and ids.
        occurrence: The row of `occurrences`; None for a file.
        paper_id: The paper that it belongs to; None for a file.
        whole_paper: Whether a paper was asked for, and `occurrence` is the one that stands for it.
        note: A word about how it was found.
    """

    asked: str
    side: Side
    occurrence: dict[str, Any] | None = None
    paper_id: str | None = None
    whole_paper: bool = False
    note: str | None = None


def explain(folder: DataFolder, first: str, second: str) -> dict[str, Any]:
    """Return a report on two texts: the sides, the rule's word on them, and what the release did.

    Raises:
        PaperfoldError: when an id or a file is not there.
    """
    if _is_file(first) and _is_file(second):
        a, b, settings = _from_file(first), _from_file(second), load_settings().folding
        return _report(a, b, explain_pair(a.side, b.side, settings), None)
    with open_release(folder) as release:
        a, b = _find(release, first), _find(release, second)
        settings = read_settings(release.path)
        word = _explained(a, b, settings)
        return _report(a, b, word, _what_the_release_did(release, a, b, word, settings))


def _is_file(asked: str) -> bool:
    return not asked.startswith(("pap_", "occ_")) and Path(asked).is_file()


def _find(release: OpenRelease, asked: str) -> Asked:
    if _is_file(asked):
        return _from_file(asked)
    if asked.startswith("occ_"):
        found = find_occurrence(release, asked)
        return _from_occurrence(release, asked, found.id)
    if not asked.startswith("pap_"):
        raise PaperfoldError(
            f"{asked!r} is no file and no id. Expected a file, or an id that begins with pap_ or occ_."
        )
    paper = find_paper(release, asked)
    row = release.one("SELECT representative_occurrence_id AS id FROM papers WHERE paper_id = ?", [paper.id])
    return _from_occurrence(release, asked, row["id"], whole_paper=True, note=paper.note)


def _from_occurrence(
    release: OpenRelease, asked: str, occurrence_id: str, *, whole_paper: bool = False, note: str | None = None
) -> Asked:
    [row] = occurrences_where(release, "occurrence_id = ?", [occurrence_id])
    return Asked(asked, _side(row), row, row["paper_id"], whole_paper, note)


def _side(row: dict[str, Any]) -> Side:
    return Side(row["text"], row["title"], row["authors"], row["external_ids"] or ())


def _from_file(asked: str) -> Asked:
    try:
        text = resolve_text(decode(Path(asked).read_bytes()).text).text
    except DecodingError as error:
        raise PaperfoldError(f"{asked} can't be read as text: {error}") from error
    if not text:
        raise PaperfoldError(f"{asked} is empty. Expected a file with one abstract.")
    return Asked(asked, Side(text))


def _explained(a: Asked, b: Asked, settings: FoldingSettings) -> Explanation:
    lists = [side.occurrence["list_key"] for side in (a, b) if side.occurrence]
    return explain_pair(a.side, b.side, settings, same_list=len(lists) == 2 and lists[0] == lists[1])


def _what_the_release_did(
    release: OpenRelease, a: Asked, b: Asked, word: Explanation, settings: FoldingSettings
) -> dict[str, Any]:
    """Return what the release did with the two, in figures and in words."""
    did: dict[str, Any] = {
        "release_id": release.release_id,
        "same_paper": None,
        "folds": [],
        "conflicts": [],
        "decisions": [],
        "says": [],
    }
    if a.occurrence is None or b.occurrence is None:
        did["says"] = [f"{side.asked} is a file and no part of the release." for side in (a, b) if not side.occurrence]
        return did
    ids = [a.occurrence["occurrence_id"], b.occurrence["occurrence_id"]]
    did["decisions"] = [
        {"verdict": decision.verdict, "ids": [decision.first, decision.second]}
        for decision in _decisions()
        if _speaks_of(decision, a) and _speaks_of(decision, b)
    ]
    did["same_paper"] = a.paper_id == b.paper_id
    did["folds"] = release.rows(
        "SELECT * FROM folds WHERE occurrence_id IN (?, ?) ORDER BY occurrence_id = ? DESC", [*ids, ids[0]]
    )
    did["conflicts"] = release.rows(
        """
        SELECT conflicts.* FROM conflicts
        JOIN occurrences AS one ON one.occurrence_id = occurrence_id_a
        JOIN occurrences AS other ON other.occurrence_id = occurrence_id_b
        WHERE least(one.paper_id, other.paper_id) = least($1, $2)
            AND greatest(one.paper_id, other.paper_id) = greatest($1, $2)
        ORDER BY occurrence_id_a, occurrence_id_b
        """,
        [a.paper_id, b.paper_id],
    )
    said = _said_of_one_paper if did["same_paper"] else _said_of_two_papers
    did["says"] = said(release, a, b, word, did, settings)
    return did


def _decisions() -> list[Decision]:
    return [entry.decision() for entry in load_settings().decision]


def _speaks_of(decision: Decision, asked: Asked) -> bool:
    known = {asked.paper_id, asked.asked, asked.occurrence and asked.occurrence["occurrence_id"]}
    return not known.isdisjoint({decision.first, decision.second})


def _said_of_one_paper(
    release: OpenRelease, a: Asked, b: Asked, word: Explanation, did: dict[str, Any], settings: FoldingSettings
) -> list[str]:
    one, other = (side.occurrence["occurrence_id"] for side in (a, b) if side.occurrence)
    if one == other:
        what = "One paper was named twice" if a.whole_paper and b.whole_paper else "Both are one occurrence"
        return [f"{what}: {a.paper_id}."]
    said = [f"Both are copies of one paper, {a.paper_id}."]
    said += [_fold_in_words(fold) for fold in did["folds"]]
    by_person = any(fold["match_kind"] == "decision" for fold in did["folds"])
    if word.folds or by_person:
        return said
    centre = release.one("SELECT representative_occurrence_id AS id FROM papers WHERE paper_id = ?", [a.paper_id])["id"]
    if centre not in (one, other):
        [row] = occurrences_where(release, "occurrence_id = ?", [centre])
        said.append(
            f"The rule would not join these two alone; each joined by the text that stands for the paper, {centre}: "
            + " ".join(f"{_name(side)} {_verdict(explain_pair(side.side, _side(row), settings))}." for side in (a, b))
        )
    return said


def _said_of_two_papers(
    release: OpenRelease, a: Asked, b: Asked, word: Explanation, did: dict[str, Any], settings: FoldingSettings
) -> list[str]:
    said = [f"They are two papers: {a.paper_id} and {b.paper_id}."]
    for row in did["conflicts"]:
        pair = {row["occurrence_id_a"], row["occurrence_id_b"]}
        own = pair == {side.occurrence["occurrence_id"] for side in (a, b) if side.occurrence}
        of_which = "They stand" if own else f"Their copies {' and '.join(sorted(pair))} stand"
        detail = f" ({row['detail']})" if row["detail"] else ""
        said.append(f"{of_which} in conflicts as {row['kind']}: {CONFLICT_KINDS[row['kind']]}{detail}.")
    if word.folds:
        said.append("The rule accepts the pair, and the release kept them apart: a copy must go with the whole paper.")
        for side, theirs in ((a, b), (b, a)):
            centre = release.one(
                "SELECT o.*, d.list_key FROM papers JOIN occurrences AS o ON o.occurrence_id = "
                "representative_occurrence_id JOIN documents AS d USING (document_id) WHERE papers.paper_id = ?",
                [theirs.paper_id],
            )
            if theirs.occurrence and centre["occurrence_id"] != theirs.occurrence["occurrence_id"]:
                verdict = _verdict(explain_pair(side.side, _side(centre), settings))
                said.append(f"{_name(side)} {verdict} with the text that stands for {theirs.paper_id}.")
    return said


def _name(asked: Asked) -> str:
    return asked.occurrence["occurrence_id"] if asked.occurrence else asked.asked


def _verdict(word: Explanation) -> str:
    if word.folds:
        return f"folds ({word.kind})"
    return f"does not fold{f' ({word.conflict})' if word.conflict else ''}"


def _fold_in_words(fold: dict[str, Any]) -> str:
    figures = "" if fold["jaccard"] is None else f", {fold['jaccard']:.0%} of the words of both in common"
    detail = f" ({fold['detail']})" if fold["detail"] else ""
    return (
        f"{fold['occurrence_id']} was folded by its match with {fold['matched_occurrence_id']}, "
        f"{fold['match_kind']}: {MATCH_KINDS[fold['match_kind']]}{figures}{detail}."
    )


def _report(a: Asked, b: Asked, word: Explanation, did: dict[str, Any] | None) -> dict[str, Any]:
    edits = difference(a.side.text or "", b.side.text or "") if (word.jaccard or 0) >= _SIMILAR else []
    return {
        "a": _described(a),
        "b": _described(b),
        "rule": {
            "folds": word.folds,
            "kind": word.kind,
            "conflict": word.conflict,
            "jaccard": word.jaccard,
            "containment": word.containment,
            "only_a": word.only_a,
            "only_b": word.only_b,
            "says": word.reasons,
        },
        "release": did,
        "difference": [{"edit": edit, "words": words} for edit, words in edits],
    }


def _described(asked: Asked) -> dict[str, Any]:
    row = asked.occurrence or {}
    return {
        "asked": asked.asked,
        "is": "file" if not row else "paper" if asked.whole_paper else "occurrence",
        "occurrence_id": row.get("occurrence_id"),
        "paper_id": asked.paper_id,
        "file_name": row.get("file_name"),
        "position": row.get("position"),
        "title": asked.side.title,
        "text": asked.side.text,
        "note": asked.note,
    }


def show(report: dict[str, Any], console: Console) -> None:
    """Print a report."""
    coloured = console.is_terminal
    for letter in ("a", "b"):
        side = report[letter]
        where = f", {side['file_name']} {side['position']}" if side["file_name"] else ""
        stands = f", by {side['occurrence_id']}" if side["is"] == "paper" else ""
        console.print(Text(f"{letter.upper()}  {side['asked']}  ({side['is']}{stands}{where})", "bold"))
        console.print(Text(f"   {one_line(side['title']) if side['title'] else beginning(side['text'])}"))
        if side["note"]:
            console.print(Text(f"   {side['note']}", "yellow"))
    console.print()
    console.print(Text("By the rule", "bold"))
    for place, words in enumerate(report["rule"]["says"]):
        style = ("green" if report["rule"]["folds"] else "yellow") if place == 0 else ""
        print_below(Text(one_line(words), style), 2, console)
    if report["release"]:
        console.print()
        console.print(Text(f"In {report['release']['release_id']}", "bold"))
        for words in report["release"]["says"]:
            print_below(Text(one_line(words)), 2, console)
        for decision in report["release"]["decisions"]:
            console.print(Text(f"  A person decided: {decision['verdict']} = {decision['ids']}.", "cyan"))
    if any(edit["edit"] != "equal" for edit in report["difference"]):
        console.print()
        console.print(Text("Word for word, from A to B", "bold"))
        edits = shortened([(edit["edit"], edit["words"]) for edit in report["difference"]])
        print_below(shown_edits(edits, coloured=coloured), 2, console)
