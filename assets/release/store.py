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
from contextlib import suppress
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
        return Pin(pin["release"], pin["latest"])
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise PaperfoldError(f"{folder.pin} is damaged: remove it to let go of the rollback.") from error


def latest_release(folder: DataFolder) -> str | None:
    """Return the id of the release that the next refresh builds on.

    That is the latest one published, or, where its folder was removed or damaged, the newest that is left.
    """
    pin = read_pin(folder)
    named = pin.latest if pin else current_release(folder)
    kept = [release.release_id for release in list_releases(folder)]
    return named if named in kept else next(iter(kept), None)


def usable_base(folder: DataFolder) -> str | None:
    """Return the release that a run builds on: the latest one whose files are as they were published."""
    latest = latest_release(folder)
    kept = [release.release_id for release in list_releases(folder)]
    for release_id in [latest, *(other for other in kept if other != latest)] if latest else []:
        release = folder.release(release_id or "")
        if not damaged_files(release, read_manifest(release)):
            return release_id
    return None


def list_releases(folder: DataFolder) -> list[Manifest]:
    """Return the manifests of all releases that have their files, newest first; a damaged one is left out."""
    if not folder.releases.is_dir():
        return []
    found = []
    for path in folder.releases.glob(f"[!.]*/{MANIFEST}"):
        with suppress(PaperfoldError):
            manifest = read_manifest(path.parent)
            if all((path.parent / name).exists() for name in _file_hashes(manifest)):
                found.append(manifest)
    return sorted(found, key=lambda manifest: (manifest.sequence, manifest.release_id), reverse=True)


def resolve_release(folder: DataFolder, name: str | None) -> Manifest:
    """Return the release that a person means: an id, an unmistakable beginning of one, or None for the current one.

    Raises:
        PaperfoldError: when there is no such release, or several.
    """
    if name is None:
        return _resolve_current(folder)
    releases = list_releases(folder)
    exact = [release for release in releases if release.release_id == name]
    found = exact or [release for release in releases if release.release_id.startswith(name)]
    if len(found) != 1:
        known = ", ".join(release.release_id for release in releases) or "none"
        raise PaperfoldError(f"{'No' if not found else 'More than one'} release {name!r}. There are: {known}.")
    return found[0]


def _resolve_current(folder: DataFolder) -> Manifest:
    release_id, others = current_release(folder), list_releases(folder)
    if release_id is None and not others:
        raise PaperfoldError(f"{folder.root} has no release yet: make one with `paperfold build RAW`.")
    try:
        if release_id is None:
            raise PaperfoldError(f"{folder.current} is not there.")
        return read_manifest(folder.release(release_id))
    except PaperfoldError as error:
        whole = ", ".join(release.release_id for release in others if release.release_id != release_id)
        advice = f" or go to another release with `paperfold rollback RELEASE`: {whole}" if whole else ""
        raise PaperfoldError(f"{error}\nMake a new release with `paperfold build`{advice}.") from error


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
        _repair(staging, target)
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
    latest = latest_release(folder)
    if pin is None or latest is None:
        return None
    # In this order a crash leaves a pin on the latest release, which the next writer makes true.
    write_text_atomically(folder.pin, json.dumps({"release": latest, "latest": latest}) + "\n")
    _swap(folder, folder.release(latest))
    folder.pin.unlink()
    flush(folder.root)
    return latest


def settle(folder: DataFolder) -> None:
    """Finish a rollback that a crash cut off between its note and its swap; each writer begins with this."""
    pin = read_pin(folder)
    if pin and pin.release != current_release(folder) and (folder.release(pin.release) / MANIFEST).exists():
        _swap(folder, folder.release(pin.release))


def damaged_files(release: Path, manifest: Manifest) -> list[str]:
    """Return in words which files of a release are missing or differ from its manifest."""
    problems = []
    for name, digest in _file_hashes(manifest).items():
        path = release / name
        if not path.exists():
            problems.append(f"{name} is missing")
        elif file_sha256(path) != digest:
            problems.append(f"{name} differs from the manifest's SHA-256")
    if (release / f"{DATABASE}.wal").exists():
        problems.append(f"{DATABASE}.wal was left by a writer: the database was opened for writing")
    return problems


def _file_hashes(manifest: Manifest) -> dict[str, str]:
    """Return file name -> SHA-256 of what a release consists of."""
    tables = {f"{name}.parquet": file.sha256 for name, file in manifest.tables.items()}
    return tables | manifest.files | {DATABASE: manifest.database_sha256}


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
    left += [path for pattern in (".incoming-*",) for path in folder.raw.glob(pattern)]
    left += [path for pattern in (".current-*", ".*.tmp", "sources/.*.tmp") for path in folder.root.glob(pattern)]
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


def _repair(staging: Path, target: Path) -> None:
    """Put the files of a staged release in the place of those of a damaged one with the same id, one by one.

    Both hold the same rows, so a reader finds the damaged or the whole file and never another content; the manifest
    comes last, so that until then the release counts as damaged and the next build goes on.
    """
    files = sorted((path for path in staging.rglob("*") if path.is_file()), key=lambda path: path.name == MANIFEST)
    for path in files:
        place = target / path.relative_to(staging)
        place.parent.mkdir(exist_ok=True)
        path.replace(place)
    (target / f"{DATABASE}.wal").unlink(missing_ok=True)
    for place in (target / "index", target):
        if place.is_dir():
            flush(place)
    shutil.rmtree(staging)
