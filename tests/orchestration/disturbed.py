"""A command of the real command line that a fault strikes: `disturbed.py FAULT ARGUMENT COMMAND ...`.

A fault strikes at the first act on the disk whose path has a mark in it, e.g. the staging folder of a layer:

    kill:MARK             the process is killed by SIGKILL
    full:MARK             from there on no file can grow beyond ARGUMENT bytes, which fails as a full disk does
    remove:MARK           the folder ARGUMENT is removed, while the process has files in it open
    pause:MARK            the file ARGUMENT is made, and the process waits until it is gone
    nobody:               at once: the process has the rights of a user to whom nothing belongs
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ACTS = ("replace", "rename", "mkdir", "link")
NOBODY = 65534


def strike(fault: str, argument: str) -> None:
    if fault == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif fault == "full":
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(argument), resource.RLIM_INFINITY))
    elif fault == "remove":
        shutil.rmtree(argument)
    elif fault == "pause":
        Path(argument).touch()
        while Path(argument).exists():
            time.sleep(0.05)


def main(fault: str, argument: str, command: list[str]) -> None:
    kind, _, mark = fault.partition(":")
    from orchestration import build, cli, query, status, verify  # noqa: F401 - before rights are given up

    if kind == "nobody":
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    struck = False

    def watched(act: Callable[..., Any]) -> Callable[..., Any]:
        def perform(*arguments: Any, **options: Any) -> Any:
            nonlocal struck
            if mark and not struck and any(mark in str(path) for path in arguments[:2]):
                struck = True
                strike(kind, argument)
            return act(*arguments, **options)

        return perform

    for name in ACTS:
        setattr(os, name, watched(getattr(os, name)))
    sys.argv = ["paperfold", *command]
    cli.main()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
