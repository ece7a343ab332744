"""What a build tells: the counts of the release, what became of each file, where to go from here."""

from __future__ import annotations

import shlex
import shutil
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb

from assets.contract.folder import DATABASE, DataFolder
from assets.release.manifest import Manifest
from assets.release.publication import OUTCOMES
from assets.release.store import read_pin

_FILES_SHOWN = 100


def summarize(folder: DataFolder, manifest: Manifest, outcome: str) -> dict[str, Any]:
    """Return the figures of a release: counts, folds and rejects by kind, files, checks, where it is."""
    release = folder.release(manifest.release_id)
    with closing(duckdb.connect(str(release / DATABASE), read_only=True)) as connection:
        count = dict(
            connection.execute(
                "SELECT unnest(['documents', 'occurrences', 'papers', 'folded', 'conflicts', 'rejects']), "
                "unnest([documents, occurrences, papers, folded, conflicts, rejects]) FROM corpus_summary"
            ).fetchall()
        )
        folds = dict(
            connection.execute("SELECT match_kind, count(*) FROM folds GROUP BY 1 ORDER BY 2 DESC, 1").fetchall()
        )
        rejects = dict(connection.execute("SELECT reason, rejects FROM reject_reasons").fetchall())
        files = connection.execute(
            """
            SELECT source, file_name, format, occurrences,
                (SELECT map_from_entries(list((reason, n))) FROM (
                    SELECT reason, count(*) AS n FROM rejects
                    WHERE rejects.document_id = documents.document_id GROUP BY reason ORDER BY n DESC, reason)),
                (SELECT arg_min(detail, char_start) FROM rejects WHERE rejects.document_id = documents.document_id)
            FROM documents ORDER BY source, file_name
            """
        ).fetchall()
        unheard = connection.execute(
            """
            SELECT setting, outcome,
                CASE WHEN outcome = 'overruled' OR paper_id_a IS NULL THEN id_a END,
                CASE WHEN outcome = 'overruled' OR paper_id_b IS NULL THEN id_b END
            FROM decisions WHERE outcome <> 'holds' ORDER BY setting
            """
        ).fetchall()
    pin = read_pin(folder)
    return {
        "outcome": outcome,
        "release_id": manifest.release_id,
        **count,
        "folds_by_kind": folds,
        "rejects_by_reason": rejects,
        "checks": len(manifest.checks),
        "checks_passed": sum(check.passed for check in manifest.checks.values()),
        "failed_checks": sorted(name for name, check in manifest.checks.items() if not check.passed),
        "unheard_decisions": [
            {"setting": setting, "outcome": outcome_, "ids": [i for i in ids if i]}
            for setting, outcome_, *ids in unheard
        ],
        "database": str(folder.current / DATABASE),
        "pinned_to": pin.release if pin else None,
        "files": [
            {
                "source": source,
                "file_name": name,
                "format": format_,
                "occurrences": occurrences,
                "rejects": by_reason or {},
                "detail": detail,
            }
            for source, name, format_, occurrences, by_reason, detail in files
        ],
    }


def render(summary: dict[str, Any], folder: DataFolder) -> str:
    """Return a summary as text for a terminal."""
    lines = [f"Paperfold: {OUTCOMES[summary['outcome']]}.", ""]
    lines += [f"  {name:<12}{summary[name]:>9,}{_kinds(summary, name)}" for name in _COUNTS]
    failed = f"  (not passed: {', '.join(summary['failed_checks'])})" if summary["failed_checks"] else ""
    lines += [f"  {'checks':<12}{summary['checks_passed']:>9,} of {summary['checks']} passed{failed}", ""]
    if summary["unheard_decisions"]:
        lines += [*(_unheard(decision) for decision in summary["unheard_decisions"]), ""]
    if lost := [source for source in summary["sources"] if source["outcome"] == "failed"]:
        lines += [*(_failed_source(source) for source in lost), ""]
    if summary["outcome"] != "unchanged":
        lines += [*_files(summary["files"]), ""]
    if summary["pinned_to"]:
        lines += [
            f"Readers are held at {summary['pinned_to']} by a rollback; `paperfold rollback --unpin` lets go.",
            "",
        ]
    data = "" if folder.root == Path("data") else f" --data {shlex.quote(str(folder.root))}"
    lines += [
        f"Release   {summary['release_id']}",
        f"Database  {summary['database']}",
        f'Try       {_program()} query "{_EXAMPLE}"{data}',
    ]
    return "\n".join(lines)


_EXAMPLE = "SELECT occurrence_count, left(text, 80) AS begins FROM papers ORDER BY ALL DESC LIMIT 5"


def _program() -> str:
    """Return how this program is called from here."""
    called = Path(sys.argv[0])
    if called.name != "paperfold" or shutil.which("paperfold") == str(called):
        return "paperfold"
    return str(called.relative_to(Path.cwd())) if called.is_relative_to(Path.cwd()) else str(called)


_COUNTS = ("documents", "occurrences", "papers", "folded", "conflicts", "rejects")


def _kinds(summary: dict[str, Any], name: str) -> str:
    kinds = {"folded": summary["folds_by_kind"], "rejects": summary["rejects_by_reason"]}.get(name)
    return f"  ({', '.join(f'{kind} {count:,}' for kind, count in kinds.items())})" if kinds else ""


def _unheard(decision: dict[str, Any]) -> str:
    """Return in words which decision of a person did not come to what it says, and what to do."""
    ids = " and ".join(decision["ids"])
    if decision["outcome"] == "overruled":
        return f"  {decision['setting']} ({ids}) is overruled by another decision: remove one of the two"
    return (
        f"  {decision['setting']}: nothing in this release answers to {ids}; correct the id in paperfold.toml, "
        "or remove the decision"
    )


def _failed_source(source: dict[str, Any]) -> str:
    kept = f"its {source['documents']:,} document(s) stay" if source["documents"] else "it has no document yet"
    return f"  Source {source['source']} ({source['place']}) failed: {source['detail']}; {kept}"


def _files(files: list[dict[str, Any]]) -> list[str]:
    """Return a line per file; of very many files, those of which nothing was read and those with rejects come first."""
    if len(files) <= _FILES_SHOWN:
        return [_file(file) for file in files]
    ordered = sorted(files, key=lambda file: (file["occurrences"] > 0, not file["rejects"]))
    unread = sum(not file["occurrences"] for file in files)
    shown, rest = ordered[: max(_FILES_SHOWN, unread)], ordered[max(_FILES_SHOWN, unread) :]
    lines = [_file(file) for file in shown]
    if rest:
        found = sum(file["occurrences"] for file in rest)
        lines.append(
            f"  ... and {len(rest):,} more files, {found:,} read from them; FROM quality_summary shows each of them"
        )
    return lines


def _file(file: dict[str, Any]) -> str:
    """Return in words what became of a file."""
    name = f"  {file['source']}/{file['file_name']}: "
    if not file["occurrences"]:
        reasons = ", ".join(file["rejects"]) or "no paper in it"
        detail = f" ({file['detail']})" if file["detail"] else ""
        return f"{name}nothing read: {reasons}{detail}"
    rejects = ", ".join(f"{reason} {count:,}" for reason, count in file["rejects"].items())
    return f"{name}{file['occurrences']:,} read as {file['format']}" + (f"; rejects: {rejects}" if rejects else "")
