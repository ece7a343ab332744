"""Worker processes: groups of documents read side by side, their tables handed back as Arrow files.

A group is read by the same function in this process and in a worker, so the result does not depend on how many there
are. Tables go through files and not through pipes, so that neither side holds more than one batch of them.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TypeVar

import polars as pl

from assets.contract.errors import PaperfoldError

MOST_WORKERS = 8
G = TypeVar("G")
Frames = tuple[pl.DataFrame, ...]


def worker_count(wanted: int | None, input_bytes: int, least_bytes: int) -> int:
    """Return how many processes are to read: one for small inputs, else as many as wanted or as there are cores."""
    if input_bytes < least_bytes or multiprocessing.current_process().daemon:
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return wanted or min(cores, MOST_WORKERS)


def in_workers(
    groups: Iterable[G], read: Callable[[G], Iterator[Frames]], workers: int, scratch: Path | None = None
) -> Iterator[Frames]:
    """Yield the batches that `read` gives for each group, in the order of the groups.

    Args:
        groups: What is read as one piece of work; must be picklable.
        read: Yields the batches of a group; must be picklable.
        workers: How many processes to start.
        scratch: A folder for the files in between; the system's own when there is none.

    Raises:
        PaperfoldError: when a worker process dies, for want of memory as a rule.
    """
    with (
        tempfile.TemporaryDirectory(prefix=".reading-", dir=scratch) as folder,
        ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool,
    ):
        waiting: deque[Future[list[list[Path]]]] = deque()
        try:
            for number, group in enumerate(groups):
                waiting.append(pool.submit(_write_batches, read, group, Path(folder) / str(number)))
                if len(waiting) > workers + 1:
                    yield from _taken(waiting.popleft())
            while waiting:
                yield from _taken(waiting.popleft())
        except BrokenProcessPool as error:
            raise PaperfoldError(
                "A worker process that reads documents was killed, as happens when memory runs out. Build again with "
                "fewer of them (reading.workers = 1), or split the largest files."
            ) from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _write_batches(read: Callable[[G], Iterator[Frames]], group: G, stem: Path) -> list[list[Path]]:
    """Read a group in a worker; return the files of each batch, one a table."""
    written: list[list[Path]] = []
    for number, frames in enumerate(read(group)):
        paths = [stem.with_name(f"{stem.name}-{number}-{table}.arrow") for table in range(len(frames))]
        for frame, path in zip(frames, paths, strict=True):
            frame.write_ipc(path)
        written.append(paths)
    return written


def _taken(future: Future[list[list[Path]]]) -> Iterator[Frames]:
    for paths in future.result():
        frames = tuple(pl.read_ipc(path.read_bytes()) for path in paths)
        for path in paths:
            path.unlink()
        yield frames
