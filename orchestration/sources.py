"""Which sources a data folder has: those that a build remembered there, else those of the settings."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assets.contract.disk import write_text_atomically
from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from assets.parsed.options import SourceOptions
from assets.raw.sources import Source, label_sources
from orchestration.settings import Settings


def configured_sources(settings: Settings, folder: DataFolder) -> tuple[list[Source], dict[str, SourceOptions]]:
    """Return the sources, and source label -> what overrides that which is found in its files.

    Raises:
        PaperfoldError: when neither the data folder nor the settings name a source.
    """
    remembered = remembered_paths(folder)
    if remembered:
        return label_sources([(None, path) for path in remembered]), {}
    if not settings.source:
        raise PaperfoldError(
            f"{folder.root} has no source yet. Name a folder of paper lists, `paperfold build RAW`, "
            "or write a [[source]] into paperfold.toml."
        )
    labelled = label_sources([(source.name, source.url or source.path or "") for source in settings.source])
    pairs = list(zip(labelled, settings.source, strict=True))
    sources = [replace(source, history=setting.keeps_history) for source, setting in pairs]
    return sources, {source.label: setting.options for source, setting in pairs}


def named_sources(paths: Sequence[Path]) -> tuple[list[Source], dict[str, SourceOptions]]:
    """Return the sources that paths name, without any override.

    Raises:
        PaperfoldError: when one is not there.
    """
    for path in paths:
        if not path.exists():
            raise PaperfoldError(f"{path} is not there. Expected a folder or a file of paper lists.")
    return label_sources([(None, path) for path in _absolute(paths)]), {}


def _absolute(paths: Sequence[Path]) -> list[str]:
    """Return each path once, as an absolute one."""
    once = {path.resolve(): path for path in reversed(paths)}
    return [os.path.abspath(path) for path in reversed(once.values())]  # noqa: PTH100 - links stay as they are named


def remembered_paths(folder: DataFolder) -> list[str]:
    """Return the paths that a build remembered, as absolute ones.

    Raises:
        PaperfoldError: when the note can't be read.
    """
    try:
        return list(json.loads(folder.sources.read_text(encoding="utf-8"))["paths"])
    except FileNotFoundError:
        return []
    except (ValueError, KeyError, TypeError) as error:
        raise PaperfoldError(f"{folder.sources} is damaged: remove it, and name the sources again.") from error


def remember_paths(folder: DataFolder, paths: Sequence[Path]) -> None:
    """Let these paths be all the sources of the data folder from now on."""
    folder.root.mkdir(parents=True, exist_ok=True)
    write_text_atomically(folder.sources, json.dumps({"paths": _absolute(paths)}, indent=2, ensure_ascii=True) + "\n")
