"""`paperfold status`: where things stand, answered from small files alone."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DATABASE, DataFolder
from assets.raw.history import read_state
from assets.raw.sources import Source
from assets.release.manifest import read_manifest
from assets.release.store import current_release, read_pin
from orchestration.lock import is_busy, read_holder
from orchestration.settings import load_settings
from orchestration.sources import configured_sources


def read_status(folder: DataFolder, now: datetime | None = None) -> dict[str, Any]:
    """Return the current release with its age and counts, pin, sources, last and next refresh, and writer."""
    now = now or datetime.now(UTC)
    settings = load_settings()
    release_id, pin = current_release(folder), read_pin(folder)
    manifest = read_manifest(folder.release(release_id)) if release_id else None
    try:
        sources = configured_sources(settings, folder)[0]
    except PaperfoldError:
        sources = []
    return {
        "data": str(folder.root),
        "release_id": release_id,
        "published_at": manifest.published_at if manifest else None,
        "age_seconds": round((now - manifest.published_at).total_seconds()) if manifest else None,
        "counts": manifest.counts if manifest else {},
        "database": str(folder.current / DATABASE) if manifest else None,
        "pinned": pin is not None,
        "latest_release_id": pin.latest if pin else release_id,
        "sources": [_source(folder, source) for source in sources],
        "last_refresh": _last_refresh(folder),
        "schedule": {
            "cron": settings.schedule.cron,
            "time_zone": settings.schedule.time_zone,
            "next": settings.schedule.next_refresh(now),
        },
        "sensor": {"enabled": settings.sensor.enabled, "interval_seconds": settings.sensor.interval_seconds},
        "writer": read_holder(folder) if is_busy(folder) else None,
    }


def _source(folder: DataFolder, source: Source) -> dict[str, Any]:
    """Return a source with what its last fetch came to, as far as that is known."""
    try:
        state = read_state(folder, source.label)
        damage = None
    except PaperfoldError as error:
        state, damage = None, str(error)
    return {
        "source": source.label,
        "place": source.place,
        "history": source.history,
        "checked_at": state.checked_at if state else None,
        "outcome": state.outcome if state else None,
        "says": state.says if state else damage or "not fetched yet",
        "succeeded_at": state.succeeded_at if state else None,
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
        lines += [f"              {line}" for line in (last.get("error") or "").splitlines()[:_ERROR_LINES]]
        lines += [f"              {row['severity']} {row['check']}: {row['says']}" for row in last["failed_checks"]]
    for source in state["sources"]:
        lines += [f"Source        {source['source']}: {source['place']}", f"              {_fetch(source)}"]
    schedule = state["schedule"]
    lines.append(
        f"Next refresh  {schedule['next'].isoformat(sep=' ', timespec='minutes')}, "
        f"scheduled as {schedule['cron']} ({schedule['time_zone']})"
    )
    if state["writer"]:
        lines.append(f"Writing now   {state['writer']}")
    return "\n".join(lines)


_ERROR_LINES = 10


def _fetch(source: dict[str, Any]) -> str:
    at = f" at {source['checked_at'].isoformat(timespec='seconds')}" if source["checked_at"] else ""
    if source["outcome"] != "failed":
        return f"{source['says']}{at}"
    last = source["succeeded_at"]
    before = f"; last fetched at {last.isoformat(timespec='seconds')}" if last else "; never fetched before"
    return f"{source['says']}{at}{before}"


def _last_refresh(folder: DataFolder) -> dict[str, Any] | None:
    try:
        last = json.loads(folder.last_refresh.read_text(encoding="utf-8"))
        return {"failed_checks": [], **last}
    except (OSError, ValueError, TypeError):
        return None


def _age(seconds: int) -> str:
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            count = seconds // size
            return f"{count} {unit}{'' if count == 1 else 's'}"
    return f"{max(seconds, 0)} seconds"
