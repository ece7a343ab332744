"""`paperfold verify`: a release checked again, file by file and rule by rule."""

from __future__ import annotations

from typing import Any

from assets.analytical.views import load_views
from assets.contract.folder import MANIFEST, DataFolder
from assets.contract.vocabulary import CONTRACT_VERSION
from assets.release.audit import audit, failures
from assets.release.checks import SHRUNK
from assets.release.store import damaged_files, resolve_release


def verify_release(folder: DataFolder, release: str | None) -> dict[str, Any]:
    """Return a report: whether all holds, damaged files, broken rules, the number of rules.

    Raises:
        PaperfoldError: when there is no such release.
    """
    manifest = resolve_release(folder, release)
    path = folder.release(manifest.release_id)
    damaged = damaged_files(path, manifest)
    judged, broken = [], []
    if not damaged and manifest.contract_version == CONTRACT_VERSION:
        base = folder.release(manifest.base_release) if manifest.base_release else None
        judged = audit(path, base if base and (base / MANIFEST).exists() else None, load_views())
        # That papers are gone was accepted when the release was published, or it would not be here.
        broken = failures(judged, (SHRUNK,))
    return {
        "ok": not damaged and not broken,
        "release_id": manifest.release_id,
        "files": len(manifest.tables) + 1,
        "damaged": damaged,
        "checks": len(judged),
        "broken": broken,
    }


def render(report: dict[str, Any]) -> str:
    """Return a report as text."""
    if report["ok"]:
        return f"{report['release_id']} is whole: {report['files']} files as published, {report['checks']} checks hold."
    problems = [f"  {problem}" for problem in (*report["damaged"], *report["broken"])]
    advice = "Roll back to another release, or build again: a damaged release of the same content is replaced."
    return "\n".join([f"{report['release_id']} is not whole:", *problems, advice])
