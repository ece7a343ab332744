"""`paperfold status`: where things stand, answered from small files alone."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DATABASE, DataFolder
from assets.release.manifest import read_manifest
from assets.release.store import current_release, read_pin
from orchestration.lock import is_busy, read_holder
from orchestration.settings import load_settings
from orchestration.sources import configured_sources


def read_status(folder: DataFolder) -> dict[str, Any]:
    """Return the current release with its age and counts, pin, sources, last refresh, schedule and writer."""
    settings = load_settings()
    release_id, pin = current_release(folder), read_pin(folder)
    manifest = read_manifest(folder.release(release_id)) if release_id else None
    try:
        sources = [{"source": source.label, "path": source.path} for source in configured_sources(settings, folder)[0]]
    except PaperfoldError:
        sources = []
    return {
        "data": str(folder.root),
        "release_id": release_id,
        "published_at": manifest.published_at if manifest else None,
        "age_seconds": round((datetime.now(UTC) - manifest.published_at).total_seconds()) if manifest else None,
        "counts": manifest.counts if manifest else {},
        "database": str(folder.current / DATABASE) if manifest else None,
        "pinned": pin is not None,
        "latest_release_id": pin.latest if pin else release_id,
        "sources": sources,
        "last_refresh": _last_refresh(folder),
        "schedule": {"cron": settings.schedule.cron, "time_zone": settings.schedule.time_zone},
        "writer": read_holder(folder) if is_busy(folder) else None,
    }


def render(state: dict[str, Any]) -> str:
    """Return the status as text."""
    lines = [f"Data folder   {state['data']}"]
    if state["release_id"] is None:
        lines.append("Release       none yet: make one with `paperfold build RAW`")
    else:
        counts = state["counts"]
        lines += [
            f"Release       {state['release_id']}, {_age(state['age_seconds'])} old",
            f"              {counts['papers']:,} papers from {counts['occurrences']:,} occurrences in "
            f"{counts['documents']:,} documents",
            f"Database      {state['database']}",
        ]
    if state["pinned"]:
        lines.append(f"Pinned        by a rollback; the latest release is {state['latest_release_id']}")
    if last := state["last_refresh"]:
        lines.append(f"Last refresh  {last['outcome']} at {last['ended_at']}, run {last['run_id']}")
        lines += [f"  {row['severity']} {row['check']}: {row['says']}" for row in last["failed_checks"]]
    for source in state["sources"]:
        lines.append(f"Source        {source['source']}: {source['path']}")
    lines.append(f"Schedule      {state['schedule']['cron']} ({state['schedule']['time_zone']})")
    if state["writer"]:
        lines.append(f"Writing now   {state['writer']}")
    return "\n".join(lines)


def _last_refresh(folder: DataFolder) -> dict[str, Any] | None:
    try:
        return dict(json.loads(folder.last_refresh.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None


def _age(seconds: int) -> str:
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            count = seconds // size
            return f"{count} {unit}{'' if count == 1 else 's'}"
    return f"{max(seconds, 0)} seconds"
