"""`make dev`: the Dagster UI and the daemon over one data folder, until Ctrl-C.

The two are started from Python so that both end with it: a background server that a shell starts may ignore the
signals that would end it.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from assets.contract.folder import DataFolder
from orchestration.instance import dagster_home
from orchestration.lock import writer_lock
from orchestration.settings import load_settings
from orchestration.sources import remember_paths, remembered_paths

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: list[str] | None = None) -> int:
    """Serve until a signal or until one of the two servers ends; return its exit code."""
    options = _parse(arguments)
    folder = DataFolder(options.data)
    _name_a_source(folder, options.samples)
    environment = {
        **os.environ,
        "DAGSTER_HOME": str(dagster_home(folder)),
        "PAPERFOLD_DATA": str(folder.root.absolute()),
    }
    scripts = Path(sys.executable).parent
    workspace = ["--workspace", str(ROOT / "workspace.yaml")]
    web = [str(scripts / "dagster-webserver"), "--host", options.host, "--port", str(options.port), *workspace]
    daemon = [str(scripts / "dagster-daemon"), "run", *workspace]
    servers = [
        subprocess.Popen(command, env=environment, cwd=ROOT, preexec_fn=_default_signals) for command in (web, daemon)
    ]
    print(f"Paperfold on http://{options.host}:{options.port}/, data in {folder.root} (Ctrl-C ends it)", flush=True)  # noqa: T201
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        while all(server.poll() is None for server in servers):
            time.sleep(0.2)
        return next(server.returncode for server in servers if server.returncode is not None)
    except KeyboardInterrupt:
        return 0
    finally:
        for server in servers:
            server.send_signal(signal.SIGINT)
        for server in servers:
            _end(server)


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m orchestration.dev", description=__doc__)
    parser.add_argument("--data", type=Path, default=load_settings().data, help="the data folder")
    parser.add_argument("--samples", type=Path, default=None, help="lists that a fresh folder reads")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=3000)
    return parser.parse_args(arguments)


def _name_a_source(folder: DataFolder, samples: Path | None) -> None:
    """Let a folder without any source read the samples."""
    if samples and not remembered_paths(folder) and not load_settings().source:
        with writer_lock(folder, "make dev"):
            remember_paths(folder, [samples])


def _default_signals() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _end(server: subprocess.Popen[bytes]) -> None:
    try:
        server.wait(timeout=15)
    except subprocess.TimeoutExpired:
        server.kill()


if __name__ == "__main__":
    sys.exit(main())
