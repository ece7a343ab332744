"""`paperfold gc`: what nobody needs any more is removed."""

from __future__ import annotations

from typing import Any

import polars as pl

from assets.contract.folder import DataFolder
from assets.raw.history import read_states
from assets.release.store import (
    list_releases,
    remove_leftovers,
    resolve_release,
    retire,
    settle,
    unreferenced_contents,
)
from orchestration.lock import writer_lock


def collect_garbage(folder: DataFolder, keep: int) -> dict[str, Any]:
    """Remove releases beyond the last `keep`, leftovers of crashed runs and contents that nothing refers to.

    Contents stay that a kept release came from, and those in the history of a source.

    Raises:
        FolderBusyError: when another process writes the folder.
        PaperfoldError: when what is remembered of a source is damaged, so that nobody can say what it refers to.
    """
    with writer_lock(folder, "paperfold gc"):
        settle(folder)
        if folder.current.is_symlink() or list_releases(folder):
            # Without a whole current release nobody can say which contents are needed.
            resolve_release(folder, None)
        remembered = {entry.content_sha256 for state in read_states(folder) for entry in state.snapshots}
        leftovers = remove_leftovers(folder)
        retired = retire(folder, keep)
        documents = [folder.release(release.release_id) / "documents.parquet" for release in list_releases(folder)]
        documents += list(folder.work("raw").glob("files.parquet"))
        needed = (
            pl.concat([pl.scan_parquet(path).select("content_sha256").drop_nulls() for path in documents])
            .unique()
            .collect()
            if documents
            else pl.DataFrame({"content_sha256": []})
        )
        contents = unreferenced_contents(folder, [*needed["content_sha256"].to_list(), *remembered])
        freed = sum(path.stat().st_size for path in contents)
        for path in contents:
            path.unlink()
    return {"retired": retired, "leftovers": leftovers, "contents": len(contents), "bytes": freed}


def render(report: dict[str, Any]) -> str:
    """Return a report as text."""
    return (
        f"Removed {len(report['retired'])} old release(s), {len(report['leftovers'])} leftover(s) of crashed runs and "
        f"{report['contents']:,} stored content(s) of {report['bytes']:,} bytes."
    )
