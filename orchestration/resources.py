"""Resources: what a run is given. Settings are read when a run starts, not when definitions load."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg

from assets.contract.folder import DataFolder
from assets.contract.refresh import Refresh
from assets.parsed.options import SourceOptions
from assets.raw.sources import Source
from assets.release.publication import Waivers
from assets.release.store import latest_release
from orchestration.lock import writer_lock
from orchestration.settings import Settings, load_settings
from orchestration.sources import configured_sources


@dataclass(frozen=True)
class RunInputs:
    """Everything that decides what a run does, read once when it starts."""

    settings: Settings
    folder: DataFolder
    sources: Sequence[Source]
    source_options: Mapping[str, SourceOptions]
    waivers: Waivers = field(default_factory=Waivers)
    full: bool = False


def read_inputs() -> RunInputs:
    """Return the inputs of a run from the settings of the working folder and what the data folder remembers."""
    settings = load_settings()
    folder = DataFolder(Path(settings.data))
    sources, options = configured_sources(settings, folder)
    return RunInputs(settings, folder, sources, options)


def build_resources(inputs: Callable[[], RunInputs] = read_inputs, refresh: Refresh | None = None) -> dict[str, Any]:
    """Return the resources of a run.

    Args:
        inputs: gives the inputs when a run starts.
        refresh: the refresh under way when its caller holds the writer's lock already; without one, the run takes the
            lock itself and waits its turn.
    """

    def of(pick: Callable[[RunInputs], Any]) -> dg.ResourceDefinition:
        return dg.ResourceDefinition(lambda _: pick(inputs()))

    return {
        "full": of(lambda given: given.full),
        "refresh": dg.ResourceDefinition(_refresh_of(inputs)) if refresh is None else refresh,
        "base_release": dg.ResourceDefinition(
            lambda _: latest_release(inputs().folder) or "", required_resource_keys={"refresh"}
        ),
        "sources": of(lambda given: given.sources),
        "source_options": of(lambda given: given.source_options),
        "intake": of(lambda given: given.settings.intake),
        "reading": of(lambda given: given.settings.reading),
        "folding": of(lambda given: given.settings.folding),
        "decisions": of(lambda given: [entry.decision() for entry in given.settings.decision]),
        "release_settings": of(lambda given: given.settings.release),
        "waivers": of(lambda given: given.waivers),
    }


def _refresh_of(inputs: Callable[[], RunInputs]) -> Callable[[dg.InitResourceContext], Iterator[Refresh]]:
    def hold(context: dg.InitResourceContext) -> Iterator[Refresh]:
        given = inputs()
        run_id = context.run.run_id if context.run else "none"
        log = context.log
        with writer_lock(
            given.folder,
            f"Dagster run {run_id[:8]}",
            wait_seconds=given.settings.queue_seconds,
            on_wait=lambda holder: log.info(f"Waiting for {holder}") if log else None,
        ):
            refresh = Refresh(given.folder, run_id)
            try:
                yield refresh
            finally:
                refresh.write_last()

    return hold
