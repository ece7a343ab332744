"""Which process does a run: a mark by which another process of the same machine tells whether it is still alive."""

from __future__ import annotations

import os
import socket
from pathlib import Path

PROCESS_TAG = "paperfold/process"
"""On a run: the mark of the process that does it."""


def this_process() -> str:
    """Return the mark of this process: machine, number and when it began, since numbers are given again."""
    return f"{socket.gethostname()}:{os.getpid()}:{_began(os.getpid())}"


def is_dead(mark: str) -> bool:
    """Return whether the process of a mark has certainly ended; one of another machine can't be judged."""
    host, number, began = mark.rsplit(":", 2)
    if host != socket.gethostname():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return _began(int(number)) != began


def _began(number: int) -> str:
    """Return when a process began, in ticks since the machine did; nothing where the system does not say.

    A dead process that nobody has waited for has a number still: it counts as one that never began.
    """
    try:
        fields = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return ""
    return "ended" if fields[0] in ("Z", "X") else fields[19]
