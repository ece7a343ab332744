"""`make dev`: the Dagster UI and the daemon over one data folder, until Ctrl-C.

The two are started from Python so that both end with it: a background server that a shell starts may ignore the
signals that would end it.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from orchestration.instance import server_environment
from orchestration.lock import writer_lock
from orchestration.serve import daemon_command, prepare, webserver_command
from orchestration.settings import load_settings
from orchestration.sources import remember_paths, remembered_paths

_GRACE_SECONDS = 15


def main(arguments: list[str] | None = None) -> int:
    """Serve until a signal or until one of the two servers ends; return the exit code."""
    try:
        options = _parse(arguments)
        folder = DataFolder(options.data)
        _name_a_source(folder, options.samples)
        _demand_port(options.host, options.port)
        prepare(folder)
    except PaperfoldError as error:
        print(f"error: {error}", file=sys.stderr)  # noqa: T201
        return 1
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, _stop)
    servers: list[subprocess.Popen[bytes]] = []
    try:
        servers.extend(
            _start(command, folder) for command in (webserver_command(options.host, options.port), daemon_command())
        )
        print(f"Paperfold on http://{options.host}:{options.port}/, data in {folder.root} (Ctrl-C ends it)", flush=True)  # noqa: T201
        while all(server.poll() is None for server in servers):
            time.sleep(0.2)
        return next(server.returncode for server in servers if server.returncode is not None) or 1
    except KeyboardInterrupt:
        return 0
    finally:
        _end(servers)


def _start(command: list[str], folder: DataFolder) -> subprocess.Popen[bytes]:
    """Start a server at the head of a session of its own, so that one signal ends it and one more what it started."""
    environment = server_environment(folder, load_settings().dagster.storage)
    return subprocess.Popen(command, env=environment, start_new_session=True, preexec_fn=_default_signals)


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m orchestration.dev", description=__doc__)
    parser.add_argument("--data", type=Path, default=load_settings().data, help="the data folder")
    parser.add_argument("--samples", type=Path, default=None, help="lists that a fresh folder reads")
    parser.add_argument("--host", default="127.0.0.1", help="the address to serve on")
    parser.add_argument("--port", type=int, default=3000, help="the port to serve on")
    return parser.parse_args(arguments)


def _name_a_source(folder: DataFolder, samples: Path | None) -> None:
    """Let a folder without any source read the samples."""
    if samples and not remembered_paths(folder) and not load_settings().source:
        with writer_lock(folder, "make dev"):
            remember_paths(folder, [samples])


def _demand_port(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise PaperfoldError(
                f"{host}:{port} can't be served ({error.strerror}). Name another port: --port {port + 1}, "
                f"or make dev PORT={port + 1}."
            ) from error


def _default_signals() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_DFL)


def _end(servers: Sequence[subprocess.Popen[bytes]]) -> None:
    """End the servers and all that they started; a second Ctrl-C does not leave half of it behind."""
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    for server in servers:
        server.send_signal(signal.SIGINT)
    for server in servers:
        with suppress(subprocess.TimeoutExpired):
            server.wait(timeout=_GRACE_SECONDS)
        with suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()


if __name__ == "__main__":
    sys.exit(main())
