"""The fold index: what a refresh keeps from the last fold, so that it costs what the new work costs.

Pure functions of a text or of a pair are remembered: words and shingles of texts, which pairs were proposed, what was
judged of them, and what each paper was made of. An index that is missing, of another version, of other settings or
damaged is not read at all; folding then begins anew and comes to the same result.

Arrays are plain NumPy files, tables Arrow files; both are mapped and not loaded. `index.json` names the version, the
settings and a checksum of each file, and is written last.
"""

from __future__ import annotations

import json
import mmap
import os
import shutil
from collections.abc import Mapping, Sequence
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
        entries: The entries with variant_key, title_key, match_kind, similarity and version; document_order and paper
            are rows of documents and papers.
        documents: document_id, document_key: what the entries were read from.
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


def save_texts(texts: Texts, proposed: Proposed, folder: Path) -> Texts:
    """Write the texts and what was proposed into a folder of its own (whatever was there is gone), and map the texts.

    They are most of what folding has in memory, and what follows needs few of them.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for prefix, arrays in ((_TEXTS, texts), (_PROPOSED, proposed)):
        for field in fields(arrays):
            _put(getattr(arrays, field.name), folder / f"{prefix}.{field.name}.npy")
    return _mapped_texts(folder)


def save_tables(tables: Mapping[str, pl.DataFrame], folder: Path, key: str) -> None:
    """Write the tables of the index (see `FoldIndex`), and last of all what it is."""
    for name in _TABLES:
        tables[name].rechunk().write_ipc(folder / f"{name}.arrow", compression="uncompressed")
    sums = {file.name: _checksum(file) for file in sorted(folder.iterdir())}
    (folder / _MANIFEST).write_text(json.dumps({"key": key, "files": sums}, indent=1), encoding="utf-8")


def _put(array: np.ndarray, file: Path) -> None:
    """Write an array; one that is mapped from a file whole shares that file, which nobody writes to again."""
    if isinstance(array, np.memmap) and array.filename and isinstance(array.base, mmap.mmap):
        try:
            os.link(array.filename, file)
        except OSError:
            shutil.copyfile(array.filename, file)
    else:
        np.save(file, array)


def load(folder: Path | None, key: str) -> FoldIndex | None:
    """Return the index of a folder, or None when it is missing, damaged or was made with something else."""
    if folder is None or not (folder / _MANIFEST).is_file():
        return None
    try:
        manifest: dict[str, Any] = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
        if manifest["key"] != key or any(_checksum(folder / n) != c for n, c in manifest["files"].items()):
            return None
        texts = _mapped_texts(folder)
        proposed = Proposed(**{f.name: _mapped(folder / f"{_PROPOSED}.{f.name}.npy") for f in fields(Proposed)})
        tables = {name: pl.read_ipc(folder / f"{name}.arrow") for name in _TABLES}
    except (OSError, ValueError, KeyError, TypeError, pl.exceptions.PolarsError):
        return None
    return FoldIndex(texts=texts, proposed=proposed, **tables)


def _mapped_texts(folder: Path) -> Texts:
    return Texts(**{f.name: _mapped(folder / f"{_TEXTS}.{f.name}.npy") for f in fields(Texts)})


def _mapped(file: Path) -> np.ndarray:
    return np.load(file, mmap_mode="r", allow_pickle=False)


def _checksum(file: Path) -> str:
    """Return size and sum of a file's 64-bit words, at the speed of memory, with the bytes that are left over."""
    size = file.stat().st_size
    whole = np.memmap(file, dtype=np.uint64, mode="r", shape=(size // 8,)) if size >= 8 else np.empty(0, np.uint64)
    with np.errstate(over="ignore"):
        total = int(np.add.reduce(whole, dtype=np.uint64)) if len(whole) else 0
    with file.open("rb") as stream:
        stream.seek(size - size % 8)
        return f"{size}:{total:016x}:{stream.read().hex()}"
