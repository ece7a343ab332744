"""Resources: what a run is given. Settings are read when a run starts, not when definitions load."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from assets.contract.refresh import Refresh, failure_told
from assets.contract.vocabulary import CONTRACT_VERSION
from assets.parsed.options import SourceOptions
from assets.raw.sources import Source
from assets.release.asset import ASSET as RELEASE
from assets.release.manifest import read_manifest
from assets.release.publication import Waivers
from assets.release.store import settle, usable_base
from orchestration.alert import Alert, tell_once
from orchestration.failure import explain_failure, failures_of, was_stopped
from orchestration.lock import writer_lock
from orchestration.process import PROCESS_TAG, this_process
from orchestration.settings import Settings, data_path, load_settings
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
        return dg.ResourceDefinition(lambda context: pick(context.resources.inputs), required_resource_keys={"inputs"})

    return {
        "inputs": dg.ResourceDefinition(_inputs_of(inputs)),
        "refresh": dg.ResourceDefinition(_hold_lock, required_resource_keys={"inputs"}) if refresh is None else refresh,
        # Which release is the latest is certain only while this run is the one that may change it.
        "base_release": dg.ResourceDefinition(
            lambda context: usable_base(context.resources.inputs.folder) or "",
            required_resource_keys={"inputs", "refresh"},
        ),
        "full": dg.ResourceDefinition(
            lambda context: context.resources.inputs.full or is_older(context.resources),
            required_resource_keys={"inputs", "base_release"},
        ),
        "sources": of(lambda given: given.sources),
        "source_options": of(lambda given: given.source_options),
        "intake": of(lambda given: given.settings.intake),
        "fetch": of(lambda given: given.settings.fetch),
        "reading": of(lambda given: given.settings.reading),
        "folding": of(lambda given: given.settings.folding),
        "decisions": of(lambda given: [entry.decision() for entry in given.settings.decision]),
        "release_settings": of(lambda given: given.settings.release),
        "waivers": of(lambda given: given.waivers),
    }


def is_older(resources: Any) -> bool:
    """Return whether the base was made under another contract: then all is read and folded again, the ids kept."""
    base: str = resources.base_release
    folder: DataFolder = resources.inputs.folder
    return bool(base) and read_manifest(folder.release(base)).contract_version != CONTRACT_VERSION


def _inputs_of(inputs: Callable[[], RunInputs]) -> Callable[[dg.InitResourceContext], RunInputs]:
    def read(context: dg.InitResourceContext) -> RunInputs:
        if context.run and context.instance and PROCESS_TAG not in context.run.tags:
            context.instance.add_run_tags(context.run.run_id, {PROCESS_TAG: this_process()})
        run_id = context.run.run_id if context.run else None
        # Where the settings can't be read, nobody but the file and the environment can say where the folder is.
        told = failure_told(DataFolder(data_path()), run_id) if _publishes(context.run) else nullcontext()
        with _said_in_the_log(context), told:
            return inputs()

    return read


def _hold_lock(context: dg.InitResourceContext) -> Iterator[Refresh]:
    given: RunInputs = context.resources.inputs
    run_id = context.run.run_id if context.run else "none"
    refresh = Refresh(given.folder, run_id)
    with ExitStack() as held:
        with _said_in_the_log(context):
            held.enter_context(
                writer_lock(
                    given.folder,
                    f"Dagster run {run_id[:8]}",
                    wait_seconds=given.settings.queue_seconds,
                    on_wait=lambda holder: _log(context).info(f"Waiting for {holder}"),
                )
            )
        settle(given.folder)
        try:
            yield refresh
        finally:
            if _publishes(context.run):
                refresh.write_last()
    _tell(context, given, refresh)


def _tell(context: dg.InitResourceContext, given: RunInputs, refresh: Refresh) -> None:
    """Tell a person of a run that failed or has failed checks; the folder is free for the next writer meanwhile."""
    if context.instance is None:
        return
    events = [entry.dagster_event for entry in context.instance.all_logs(refresh.run_id) if entry.dagster_event]
    failures = failures_of(events)
    if was_stopped(failures):
        return
    reason = explain_failure(failures, refresh.run_id, refresh.failed_checks) if failures else None
    alert = Alert(refresh.run_id, str(given.folder.root), reason, refresh.release_id, refresh.news)
    tell_once(context.instance, alert, given.settings.alert, _log(context).error if reason else _log(context).warning)


def _publishes(run: dg.DagsterRun | None) -> bool:
    """Return whether a run goes as far as the release; one that makes a single layer anew is no refresh."""
    if run is None or not (run.asset_selection or run.asset_check_selection):
        return True
    return dg.AssetKey(RELEASE) in (run.asset_selection or ())


@contextmanager
def _said_in_the_log(context: dg.InitResourceContext) -> Iterator[None]:
    """Write an error for people into the run's log, where it stands without the traceback that Dagster adds."""
    try:
        yield
    except PaperfoldError as error:
        _log(context).error(str(error))
        raise


def _log(context: dg.InitResourceContext) -> dg.DagsterLogManager:
    assert context.log is not None
    return context.log
