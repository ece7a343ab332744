"""The releases of a data folder: which there are, which one readers see, how that changes in one atomic step.

`current` is a relative symlink that is only ever replaced by rename, so a reader finds one whole release or the other.
While a rollback pins `current`, refreshes go on behind it: `pin.json` names the latest release, which the next
refresh builds on and which readers get back with `--unpin`.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from assets.contract.disk import file_sha256, flush, write_text_atomically
from assets.contract.errors import PaperfoldError
from assets.contract.folder import DATABASE, MANIFEST, DataFolder
from assets.release.manifest import Manifest, read_manifest, write_manifest

STAGING_PREFIX = ".staging-"


class Pin(NamedTuple):
    """A rollback that holds: the release that readers see, and the one that refreshes build on."""

    release: str
    latest: str


def current_release(folder: DataFolder) -> str | None:
    """Return the id of the release that readers see, or None before the first."""
    try:
        return folder.current.readlink().name
    except FileNotFoundError:
        return None


def read_pin(folder: DataFolder) -> Pin | None:
    """Return the pin, or None when `current` is free to move."""
    try:
        pin = json.loads(folder.pin.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return Pin(pin["release"], pin["latest"])


def latest_release(folder: DataFolder) -> str | None:
    """Return the id of the release that the next refresh builds on."""
    pin = read_pin(folder)
    return pin.latest if pin else current_release(folder)


def list_releases(folder: DataFolder) -> list[Manifest]:
    """Return the manifests of all whole releases, newest first."""
    if not folder.releases.is_dir():
        return []
    found = [read_manifest(path.parent) for path in folder.releases.glob(f"[!.]*/{MANIFEST}")]
    return sorted(found, key=lambda manifest: (manifest.sequence, manifest.release_id), reverse=True)


def resolve_release(folder: DataFolder, name: str | None) -> Manifest:
    """Return the release that a person means: an id, an unmistakable beginning of one, or None for the current one.

    Raises:
        PaperfoldError: when there is no such release, or several.
    """
    if name is None:
        release_id = current_release(folder)
        if release_id is None:
            raise PaperfoldError(f"{folder.root} has no release yet: make one with `paperfold build RAW`.")
        return read_manifest(folder.release(release_id))
    releases = list_releases(folder)
    exact = [release for release in releases if release.release_id == name]
    found = exact or [release for release in releases if release.release_id.startswith(name)]
    if len(found) != 1:
        known = ", ".join(release.release_id for release in releases) or "none"
        raise PaperfoldError(f"{'No' if not found else 'More than one'} release {name!r}. There are: {known}.")
    return found[0]


def publish(folder: DataFolder, staging: Path, manifest: Manifest) -> None:
    """Make a staged, audited release the latest one, and the current one unless a rollback holds `current`.

    Every byte is flushed before the folder gets its name, and the name is there before `current` points to it: a
    crash at any moment leaves `current` as it was or as it is to be.
    """
    write_manifest(manifest, staging)
    for path in staging.rglob("*"):
        flush(path)
    flush(staging)
    target = folder.release(manifest.release_id)
    if target.exists():
        _replace_damaged(folder, staging, target)
    else:
        staging.rename(target)
    flush(folder.releases)
    make_latest(folder, manifest.release_id)


def make_latest(folder: DataFolder, release_id: str) -> None:
    """Let readers see a whole release, or note it as the latest one while a rollback holds `current`."""
    pin = read_pin(folder)
    if pin:
        write_text_atomically(folder.pin, json.dumps({"release": pin.release, "latest": release_id}) + "\n")
    else:
        _swap(folder, folder.release(release_id))


def pin_release(folder: DataFolder, release_id: str) -> None:
    """Point `current` to an earlier release and hold it there through refreshes."""
    latest = latest_release(folder)
    write_text_atomically(folder.pin, json.dumps({"release": release_id, "latest": latest}) + "\n")
    _swap(folder, folder.release(release_id))


def unpin(folder: DataFolder) -> str | None:
    """Give readers the latest release again; return its id, or None when nothing was pinned."""
    pin = read_pin(folder)
    if pin is None:
        return None
    _swap(folder, folder.release(pin.latest))
    folder.pin.unlink()
    return pin.latest


def damaged_files(release: Path, manifest: Manifest) -> list[str]:
    """Return in words which files of a release are missing or differ from its manifest."""
    wanted = {f"{name}.parquet": file.sha256 for name, file in manifest.tables.items()}
    wanted[DATABASE] = manifest.database_sha256
    problems = []
    for name, digest in wanted.items():
        path = release / name
        if not path.exists():
            problems.append(f"{name} is missing")
        elif file_sha256(path) != digest:
            problems.append(f"{name} differs from the manifest's SHA-256")
    if (release / f"{DATABASE}.wal").exists():
        problems.append(f"{DATABASE}.wal was left by a writer: the database was opened for writing")
    return problems


def retire(folder: DataFolder, keep: int) -> list[str]:
    """Remove all but the last `keep` releases, what readers see and what refreshes build on; return the removed ids."""
    pin = read_pin(folder)
    kept = {current_release(folder), latest_release(folder)} | (set(pin) if pin else set())
    releases = [manifest.release_id for manifest in list_releases(folder)]
    removed = [release_id for release_id in releases[keep:] if release_id not in kept]
    for release_id in removed:
        # The manifest goes first: what is left of a release that was half removed is no release.
        (folder.release(release_id) / MANIFEST).unlink()
        shutil.rmtree(folder.release(release_id))
    return removed


def remove_leftovers(folder: DataFolder) -> list[str]:
    """Remove what crashed runs left under releases/; return the names. Only the holder of the writer's lock may."""
    if not folder.releases.is_dir():
        return []
    left = [
        path
        for path in folder.releases.iterdir()
        if path.name.startswith(".") or (path.is_dir() and not (path / MANIFEST).exists())
    ]
    for path in left:
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    return sorted(path.name for path in left)


def unreferenced_contents(folder: DataFolder, needed: Sequence[str]) -> list[Path]:
    """Return the stored contents that are none of the needed hashes."""
    wanted = set(needed)
    return [path for path in sorted(folder.raw.glob("*/*")) if path.name not in wanted]


def _swap(folder: DataFolder, release: Path) -> None:
    temporary = folder.root / f".current-{os.getpid()}"
    temporary.unlink(missing_ok=True)
    temporary.symlink_to(release.relative_to(folder.root), target_is_directory=True)
    temporary.replace(folder.current)
    flush(folder.root)


def _replace_damaged(folder: DataFolder, staging: Path, target: Path) -> None:
    """Put a staged release in the place of a damaged one of the same id, `current` whole at every moment."""
    is_current = current_release(folder) == target.name
    if is_current:
        _swap(folder, staging)
    shutil.rmtree(target)
    shutil.copytree(staging, target, copy_function=os.link)
    if is_current:
        _swap(folder, target)
    shutil.rmtree(staging)
