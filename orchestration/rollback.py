"""`paperfold rollback`: what readers see is an earlier release, until it is let go."""

from __future__ import annotations

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from assets.release.store import damaged_files, pin_release, resolve_release, unpin
from orchestration.lock import writer_lock
from orchestration.pinned import show_pin
from orchestration.settings import load_settings


def roll_back(folder: DataFolder, release: str | None, wait_seconds: float = 0) -> str:
    """Pin `current` to a release, or let it go when `release` is None; return what was done, in words.

    Raises:
        PaperfoldError: when there is no such release, it is damaged, or nothing is pinned.
    """
    done = _roll_back(folder, release, wait_seconds)
    show_pin(folder, load_settings().dagster.storage)
    return done


def _roll_back(folder: DataFolder, release: str | None, wait_seconds: float) -> str:
    resolve_release(folder, None)
    with writer_lock(folder, "paperfold rollback", wait_seconds):
        if release is None:
            latest = unpin(folder)
            if latest is None:
                raise PaperfoldError("Nothing is pinned: readers see the latest release.")
            return f"Readers see the latest release again, {latest}."
        manifest = resolve_release(folder, release)
        if damaged := damaged_files(folder.release(manifest.release_id), manifest):
            raise PaperfoldError(f"{manifest.release_id} is damaged: {'; '.join(damaged)}. Choose another release.")
        pin_release(folder, manifest.release_id)
        return (
            f"Readers see {manifest.release_id} of {manifest.published_at:%Y-%m-%d %H:%M} UTC, and stay there through "
            "refreshes until `paperfold rollback --unpin` or the next `paperfold build`."
        )
