"""Builds that can be killed anywhere, cheaply: a process that has imported everything and forks one child a build.

It reads one JSON object a line: `{"data", "raw", "point"}`. A child with a point kills itself by SIGKILL at that act on
the disk, one without ends by itself. It answers with `{"code", "acts", "error"}`: how the child ended, and, of a child
that ended by itself, the acts that it did, as `name path`.

The parent imports what is slow to import and starts no thread. Polars starts its threads when it is imported, and
threads do not survive a fork, so that the children import it, and all modules of ours.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dagster as dg
import sqlglot.lineage  # noqa: F401 - slow to import

ACTS = ("replace", "rename", "fsync", "link", "symlink", "unlink", "mkdir", "rmdir")


def build(data: str, raw: str, point: int) -> list[str]:
    """Build and verify, and return the acts on the disk of the build."""
    done: list[str] = []

    def counted(name: str, act: Callable[..., Any]) -> Callable[..., Any]:
        def perform(*arguments: Any, **options: Any) -> Any:
            done.append(f"{name} {_path(arguments[0])}")
            if len(done) == point:
                os.kill(os.getpid(), signal.SIGKILL)
            return act(*arguments, **options)

        return perform

    import orchestration.refresh
    from assets.contract.folder import DataFolder
    from orchestration.build import run_build
    from orchestration.verify import verify_release

    # Dagster's own records are not what is tested here.
    orchestration.refresh.open_instance = lambda *_: dg.DagsterInstance.ephemeral()
    for name in ACTS:
        setattr(os, name, counted(name, getattr(os, name)))
    folder = DataFolder(Path(data))
    run_build(folder, [Path(raw)])
    acts = [act.replace(f"{data}/", "") for act in done]
    report = verify_release(folder, None)
    assert report["ok"], report
    return acts


def _path(first: Any) -> str:
    """Return what an act is done to: a path, or the file behind a handle."""
    return str(Path(f"/proc/self/fd/{first}").readlink()) if isinstance(first, int) else os.fspath(first)


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Do one request in a child of its own."""
    with tempfile.TemporaryFile("w+") as told:
        assert len([*Path("/proc/self/task").iterdir()]) == 1, "threads do not survive a fork"
        child = os.fork()
        if child == 0:
            try:
                json.dump({"acts": build(request["data"], request["raw"], request["point"]), "error": ""}, told)
            except BaseException:  # noqa: BLE001 - told to who asked
                json.dump({"acts": [], "error": traceback.format_exc()}, told)
            told.flush()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        told.seek(0)
        content = told.read()
        said = json.loads(content) if content else {"acts": [], "error": ""}
        return {"code": os.waitstatus_to_exitcode(status), **said}


def main() -> None:
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
