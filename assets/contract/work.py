"""A layer's intermediates under work/: made aside, swapped in whole, with a note of what they were made from.

The notes form a chain. A layer that was made from other inputs than those that lie there now is stale, and the
release refuses it: this is what keeps half-refreshed work, whether from a crash or from single materializations in
the UI, out of a release.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from assets.contract.disk import file_sha256, write_text_atomically
from assets.contract.errors import StaleWorkError
from assets.contract.folder import DataFolder

NOTE = "layer.json"


@dataclass(frozen=True)
class LayerNote:
    """What a finished layer is.

    Attributes:
        files: SHA-256 of each of its Parquet files, by file name.
        token: The hash over them.
        made_from: Token of the layer that it was made from.
        base_release: The release that it builds on.
    """

    files: Mapping[str, str]
    token: str
    made_from: str | None
    base_release: str | None


@contextmanager
def layer_staging(
    folder: DataFolder, layer: str, made_from: str | None = None, base_release: str | None = None
) -> Iterator[Path]:
    """Yield an empty folder; when the block ends without an error it becomes the layer, note included."""
    target = folder.work(layer)
    staging = target.with_name(f".{layer}-staging")
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir(parents=True)
    yield staging
    hashes = {path.name: file_sha256(path) for path in sorted(staging.glob("*.parquet"))}
    token = hashlib.sha256(json.dumps(hashes, sort_keys=True).encode()).hexdigest()
    note = {"files": hashes, "token": token, "made_from": made_from, "base_release": base_release}
    write_text_atomically(staging / NOTE, json.dumps(note, indent=2) + "\n")
    shutil.rmtree(target, ignore_errors=True)
    staging.rename(target)


def read_note(folder: DataFolder, layer: str) -> LayerNote:
    """Return the note of a finished layer.

    Raises:
        StaleWorkError: when the layer was never finished.
    """
    try:
        note = json.loads((folder.work(layer) / NOTE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StaleWorkError(f"work/{layer} is not there: materialize the {layer} assets first.") from None
    return LayerNote(note["files"], note["token"], note["made_from"], note["base_release"])


def demand_fresh(folder: DataFolder, layers: tuple[str, ...]) -> None:
    """Check that each layer was made from what the layer before it holds now.

    Raises:
        StaleWorkError: naming the layer to materialize again.
    """
    for before, layer in itertools.pairwise(layers):
        if read_note(folder, layer).made_from != read_note(folder, before).token:
            raise StaleWorkError(
                f"work/{layer} was made from another state of work/{before}: "
                f"materialize the {layer} assets and all after them, or launch the refresh job."
            )


def extra_files(layer: Path) -> list[Path]:
    """Return the files that a finished layer holds beside its tables and its note."""
    return [path for path in sorted(layer.iterdir()) if path.suffix != ".parquet" and path.name != NOTE]


def scan_work(folder: DataFolder, layer: str, table: str) -> pl.LazyFrame:
    """Return a table of a finished layer.

    Raises:
        StaleWorkError: when the layer was never finished.
    """
    read_note(folder, layer)
    return pl.scan_parquet(folder.work(layer) / f"{table}.parquet")
