"""`paperfold build`: remember the sources, hold the writer's lock, refresh, sum up."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assets.contract.folder import DataFolder
from assets.contract.refresh import failure_told
from assets.release.manifest import read_manifest
from assets.release.publication import Waivers
from assets.release.store import settle, unpin
from orchestration.lock import writer_lock
from orchestration.pinned import show_pin
from orchestration.progress import show_progress
from orchestration.refresh import run_refresh
from orchestration.resources import RunInputs
from orchestration.settings import load_settings
from orchestration.sources import configured_sources, named_sources, remember_paths
from orchestration.summary import summarize


def run_build(
    folder: DataFolder,
    raw: Sequence[Path],
    *,
    full: bool = False,
    wait_seconds: float = 0,
    drift: bool = False,
    empty: bool = False,
) -> dict[str, Any]:
    """Refresh the data folder and return the summary.

    Raises:
        PaperfoldError: when the folder is busy, a source is not there, nothing could be read or a check failed.
    """
    with failure_told(folder):
        settings = load_settings()
    with writer_lock(folder, "paperfold build", wait_seconds, on_wait=_say_waiting):
        with failure_told(folder):
            settle(folder)
            sources, options = named_sources(raw) if raw else configured_sources(settings, folder)
        inputs = RunInputs(settings, folder, sources, options, Waivers(drift=drift, empty=empty), full=full)
        with show_progress() as reporter:
            refresh = run_refresh(inputs, reporter)
        if raw:
            remember_paths(folder, raw)
        if unpin(folder):
            show_pin(folder, settings.dagster.storage)
        manifest = read_manifest(folder.release(refresh.release_id or ""))
        return {**summarize(folder, manifest, refresh.outcome or ""), "sources": refresh.sources}


def _say_waiting(holder: str) -> None:
    print(f"Waiting for {holder} ...", file=sys.stderr)  # noqa: T201
