"""A build that kills itself: `crash_build.py DATA RAW POINT` ends by SIGKILL at the POINT-th act on the disk.

With POINT 0 it ends by itself and prints how many such acts there were.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dagster as dg

import orchestration.refresh
from assets.contract.folder import DataFolder
from orchestration.build import run_build

ACTS = ("replace", "rename", "fsync", "link", "symlink", "unlink", "mkdir", "rmdir")


def main(data: str, raw: str, point: int) -> None:
    done = 0

    def counted(act: Callable[..., Any]) -> Callable[..., Any]:
        def perform(*arguments: Any, **options: Any) -> Any:
            nonlocal done
            done += 1
            if done == point:
                os.kill(os.getpid(), signal.SIGKILL)
            return act(*arguments, **options)

        return perform

    # Dagster's own records are not what is tested here.
    orchestration.refresh.open_instance = lambda *_: dg.DagsterInstance.ephemeral()
    for name in ACTS:
        setattr(os, name, counted(getattr(os, name)))
    run_build(DataFolder(Path(data)), [Path(raw)])
    print(done)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
