"""`paperfold verify`: a release checked again, file by file and rule by rule."""

from __future__ import annotations

from typing import Any

import polars as pl

from assets.analytical.views import load_views
from assets.contract.folder import MANIFEST, DataFolder
from assets.contract.vocabulary import CONTRACT_VERSION
from assets.raw.contents import damaged_contents
from assets.release.audit import audit, failures
from assets.release.checks import SHRUNK
from assets.release.store import damaged_files, resolve_release

_SHOWN = 10
"""Lost contents that a report names."""


def verify_release(folder: DataFolder, release: str | None) -> dict[str, Any]:
    """Return a report: whether all holds, damaged files, broken rules, the number of rules, lost source contents.

    Raises:
        PaperfoldError: when there is no such release.
    """
    manifest = resolve_release(folder, release)
    path = folder.release(manifest.release_id)
    damaged = damaged_files(path, manifest)
    contents: list[str] = []
    if not damaged:
        contents = pl.read_parquet(path / "documents.parquet")["content_sha256"].drop_nulls().unique().sort().to_list()
    lost = damaged_contents(folder, contents)
    judged, broken = [], []
    if not damaged and manifest.contract_version == CONTRACT_VERSION:
        base = folder.release(manifest.base_release) if manifest.base_release else None
        judged = audit(path, base if base and (base / MANIFEST).exists() else None, load_views())
        # That papers are gone was accepted when the release was published, or it would not be here.
        broken = failures(judged, (SHRUNK,))
    return {
        "ok": not damaged and not lost and not broken,
        "release_id": manifest.release_id,
        "files": len(manifest.tables) + len(manifest.files) + 1,
        "damaged": damaged,
        "contents": len(contents),
        "lost": lost,
        "checks": len(judged),
        "broken": broken,
    }


def render(report: dict[str, Any]) -> str:
    """Return a report as text."""
    if report["ok"]:
        return (
            f"{report['release_id']} is whole: {report['files']} files as published, "
            f"{report['checks']} checks hold, {report['contents']:,} source contents are stored as they came."
        )
    lines: list[str] = []
    if report["damaged"] or report["broken"]:
        lines += [f"{report['release_id']} is not whole:"]
        lines += [f"  {problem}" for problem in (*report["damaged"], *report["broken"])]
        lines += ["Roll back to another release, or build again: a damaged release of the same content is replaced."]
    if lost := report["lost"]:
        lines += [f"{len(lost):,} source content(s) of {report['release_id']} are not stored as they came:"]
        lines += [f"  {problem}" for problem in lost[:_SHOWN]]
        lines += [f"  ... and {len(lost) - _SHOWN:,} more"] if len(lost) > _SHOWN else []
        lines += [
            "Readers lose nothing. Remove what was changed and build again: a source that has it still fills it in."
        ]
    return "\n".join(lines)
