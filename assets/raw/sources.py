"""Sources: what they are, and which files those in the file system have at this moment. Nothing is opened here."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from assets.contract.errors import PaperfoldError

_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


class SourceError(PaperfoldError):
    """A source can't be fetched; the message names it and says why."""

    def __init__(self, source: Source, reason: str, advice: str = "") -> None:
        super().__init__(f"Source {source.label!r} ({source.place}): {reason}." + (f" {advice}" if advice else ""))
        self.reason = reason


@dataclass(frozen=True)
class Source:
    """A place that documents come from: a label that stands in documents.source, and where it is.

    `path` is a folder, file or glob pattern; with a `url` it is empty. With `history`, each content that the source
    had is a document of its own, else only what it has now.
    """

    label: str
    path: str = ""
    url: str | None = None
    history: bool = False

    @property
    def place(self) -> str:
        """The path, pattern or address."""
        return self.url or self.path


@dataclass(frozen=True)
class FoundFile:
    """A file of a source, or a part of a source that could not be listed (then `problem` says why)."""

    source: str
    file_name: str
    path: Path
    problem: str | None = None


def label_sources(places: Sequence[tuple[str | None, str]]) -> list[Source]:
    """Return a source for each (name, place), labelled by its name, else by the last part of its path.

    A place is an address (http or https), a path or a pattern.

    Equal labels are told apart as `lists`, `lists-2`. A label is no absolute path, so that a folder which is moved or
    copied gives the same document ids.
    """
    sources: list[Source] = []
    for name, place in places:
        url = place if _ADDRESS.match(place) else None
        path = Path(os.path.abspath(place))  # noqa: PTH100 - resolve() would follow links, and the name counts
        stem = name or (urlsplit(place).hostname if url else _name_of(path)) or "root"
        label, number = stem, 1
        while any(source.label == label for source in sources):
            number += 1
            label = f"{stem}-{number}"
        sources.append(Source(label, url=url) if url else Source(label, str(path)))
    return sources


def _name_of(path: Path) -> str:
    fixed = _fixed_part(path)
    # Not Path.is_file(), which fails where this user may not look.
    return (fixed.parent if os.path.isfile(fixed) else fixed).name  # noqa: PTH113


def find_files(source: Source, leave_out: Sequence[Path] = ()) -> Iterator[FoundFile]:
    """Yield the files of a source in the order of their names, hidden ones and those below `leave_out` left out.

    Raises:
        SourceError: when the source's folder or file is not there, or its folder can't be looked into.
    """
    try:
        root, matches = _expand(source)
    except OSError as error:
        raise SourceError(source, f"{source.path} can't be looked into: {error.strerror}") from error
    own = {path.absolute() for path in leave_out} | {path.resolve() for path in leave_out}
    seen: set[Path] = set()
    for path in matches:
        for file, problem in _walk(path, seen, own):
            if problem and file == root:
                raise SourceError(source, f"{root}: {problem}")
            yield FoundFile(source.label, _display(file.relative_to(root)), file, problem)


def _expand(source: Source) -> tuple[Path, list[Path]]:
    """Return the folder that file names are relative to, and the paths to look through."""
    path = Path(source.path)
    if path.is_dir():
        return path, [path]
    if path.exists() or path.is_symlink():
        return path.parent, [path]
    if glob.has_magic(source.path):
        root = _fixed_part(path)
        if root.is_dir():
            found = (match for match in root.glob(str(path.relative_to(root))) if not match.is_dir())
            return root, sorted(match for match in found if not _is_hidden(match.relative_to(root)))
        path = root
    raise SourceError(
        source,
        f"{path} is not there",
        "Expected a folder or a file of paper lists; correct the path, or take the source out of the settings.",
    )


def _fixed_part(path: Path) -> Path:
    """Return a path up to its first part that is a pattern; the whole path when none is, or when it exists as it is."""
    with suppress(OSError):  # a folder that this user may not look into is not asked of the disk
        if path.exists():
            return path
    magic = [i for i, part in enumerate(path.parts) if glob.has_magic(part)]
    return Path(*path.parts[: magic[0]]) if magic else path


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _walk(path: Path, seen: set[Path], own: set[Path]) -> Iterator[tuple[Path, str | None]]:
    """Yield (file, problem); a folder reached twice through links is walked once, Paperfold's own not at all."""
    try:
        real = path.resolve()
        if path.absolute() in own or real in own:
            return
        if not path.is_dir():
            yield path, None
            return
        if real in seen:
            return
        seen.add(real)
        entries = sorted(path.iterdir())
    except (OSError, RuntimeError) as error:
        yield path, f"it can't be looked into: {getattr(error, 'strerror', None) or error}"
        return
    for entry in entries:
        if not entry.name.startswith("."):
            yield from _walk(entry, seen, own)


def _display(path: Path) -> str:
    """Return a file name as valid Unicode with forward slashes; bytes that are no UTF-8 are shown as escapes."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")
