"""The fold index: what a refresh keeps from the last fold, so that it costs what the new work costs.

Pure functions of a text or of a pair are remembered: words and shingles of texts, which pairs were proposed, what was
judged of them, and what each paper was made of. An index that is missing, of another version, of other settings or
damaged is not read at all; folding then begins anew and comes to the same result.

Arrays are plain NumPy files, mapped and not loaded; tables are Parquet; `index.json` names the version, the settings
and a checksum of each file, and is written last.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assets.folded.candidates import Proposed
from assets.folded.settings import RULE_VERSION, Decision, FoldingSettings, decisions_fingerprint
from assets.folded.texts import Texts

_MANIFEST = "index.json"
_TEXTS = "texts"
_PROPOSED = "proposed"


@dataclass(frozen=True)
class FoldIndex:
    """What is remembered of a fold.

    Attributes:
        texts: The distinct texts; a text that is gone keeps its row, with key 0 and no postings.
        proposed: Pairs of texts that were proposed.
        judged: The word on every pair of variants that was judged: key_a, key_b, same_list and rule.VERDICT.
        stars: variant_key, centre_key, print: the stars of components of more than one variant.
        entries: The entries with variant_key, title_key and paper_id.
        documents: document_key: what the entries were read from.
        papers: paper_id, fingerprint: what each paper was made of.
    """

    texts: Texts
    proposed: Proposed
    judged: pl.DataFrame
    stars: pl.DataFrame
    entries: pl.DataFrame
    documents: pl.DataFrame
    papers: pl.DataFrame


_TABLES = ("judged", "stars", "entries", "documents", "papers")


def index_key(settings: FoldingSettings, decisions: Sequence[Decision]) -> str:
    """Return what an index must have been made with to be read."""
    return f"{RULE_VERSION}:{settings.fingerprint()}:{decisions_fingerprint(decisions)}"


def save(index: FoldIndex, folder: Path, key: str) -> None:
    """Write the index into a folder of its own; whatever was there is gone."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for field in fields(Texts):
        np.save(folder / f"{_TEXTS}.{field.name}.npy", getattr(index.texts, field.name))
    for field in fields(Proposed):
        np.save(folder / f"{_PROPOSED}.{field.name}.npy", getattr(index.proposed, field.name))
    for name in _TABLES:
        getattr(index, name).write_parquet(folder / f"{name}.parquet", compression="lz4", statistics=False)
    sums = {file.name: _checksum(file) for file in sorted(folder.iterdir())}
    (folder / _MANIFEST).write_text(json.dumps({"key": key, "files": sums}, indent=1), encoding="utf-8")


def load(folder: Path | None, key: str) -> FoldIndex | None:
    """Return the index of a folder, or None when it is missing, damaged or was made with something else."""
    if folder is None or not (folder / _MANIFEST).is_file():
        return None
    try:
        manifest: dict[str, Any] = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
        if manifest["key"] != key or any(_checksum(folder / n) != c for n, c in manifest["files"].items()):
            return None
        texts = Texts(**{f.name: _mapped(folder / f"{_TEXTS}.{f.name}.npy") for f in fields(Texts)})
        proposed = Proposed(**{f.name: _mapped(folder / f"{_PROPOSED}.{f.name}.npy") for f in fields(Proposed)})
        tables = {name: pl.read_parquet(folder / f"{name}.parquet") for name in _TABLES}
    except (OSError, ValueError, KeyError, TypeError, pl.exceptions.PolarsError):
        return None
    return FoldIndex(texts=texts, proposed=proposed, **tables)


def _mapped(file: Path) -> np.ndarray:
    return np.load(file, mmap_mode="r", allow_pickle=False)


def _checksum(file: Path) -> str:
    """Return size, sum and parity of an array file's 64-bit words, at the speed of memory; SHA-256 of other files."""
    if file.suffix != ".npy":
        return hashlib.sha256(file.read_bytes()).hexdigest()
    size = file.stat().st_size
    whole = np.memmap(file, dtype=np.uint64, mode="r", shape=(size // 8,)) if size >= 8 else np.empty(0, np.uint64)
    with np.errstate(over="ignore"):
        total = int(np.add.reduce(whole, dtype=np.uint64)) if len(whole) else 0
    with file.open("rb") as stream:
        stream.seek(size - size % 8)
        rest = stream.read().hex()
    return f"{size}:{total:016x}:{int(np.bitwise_xor.reduce(whole)) if len(whole) else 0:016x}:{rest}"
