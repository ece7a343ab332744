"""One of the two servers of a data folder, in the place of this process: what a service manager starts.

`python -m orchestration.serve webserver` and `python -m orchestration.serve daemon`. Both may start at the same time;
`make dev` starts both together and ends them together.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from orchestration.instance import dagster_home, open_instance, server_environment
from orchestration.settings import load_settings

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Become the server; return an exit code only when that is not possible."""
    try:
        command, environment = _prepared(arguments)
    except (PaperfoldError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)  # noqa: T201
        return 1
    return _become(command, environment)


def _become(command: list[str], environment: dict[str, str]) -> int:
    os.execve(command[0], command, environment)  # noqa: S606 - the command is ours, and no shell is wanted


def _prepared(arguments: Sequence[str] | None) -> tuple[list[str], dict[str, str]]:
    """Return the command of the server and its environment, the data folder's Dagster home made."""
    parser = argparse.ArgumentParser(prog="python -m orchestration.serve", description=__doc__)
    parser.add_argument("server", choices=("webserver", "daemon"))
    parser.add_argument("--data", type=Path, help="the data folder (default: that of the settings)")
    parser.add_argument("--host", default="127.0.0.1", help="the address that the webserver listens on")
    parser.add_argument("--port", type=int, default=3000, help="the port that the webserver listens on")
    parser.add_argument("--path-prefix", default="", help="the path that a reverse proxy serves the UI under")
    parser.add_argument("--read-only", action="store_true", help="a UI that shows everything and starts nothing")
    options = parser.parse_args(arguments)
    settings = load_settings()
    folder = DataFolder(options.data or settings.data)
    prepare(folder)
    environment = server_environment(folder, settings.dagster.storage)
    if options.server == "daemon":
        return daemon_command(), environment
    return webserver_command(options.host, options.port, options.path_prefix, options.read_only), environment


def prepare(folder: DataFolder) -> None:
    """Make the Dagster home of a data folder, one server at a time: two that do it at once trip over each other."""
    storage = load_settings().dagster.storage
    with (dagster_home(folder, storage) / ".prepare.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        open_instance(folder, storage).dispose()


def webserver_command(host: str, port: int, path_prefix: str = "", read_only: bool = False) -> list[str]:
    """Return the command of the webserver."""
    more = (["--path-prefix", path_prefix] if path_prefix else []) + (["--read-only"] if read_only else [])
    return [_script("dagster-webserver"), "--host", host, "--port", str(port), *_workspace(), *more]


def daemon_command() -> list[str]:
    """Return the command of the daemon, which runs the schedule, the sensors and the queue."""
    return [_script("dagster-daemon"), "run", *_workspace()]


def _script(name: str) -> str:
    return str(Path(sys.executable).parent / name)


def _workspace() -> list[str]:
    return ["--workspace", str(ROOT / "workspace.yaml")]


if __name__ == "__main__":
    sys.exit(main())
