"""A PostgreSQL server of the tests' own, where one is installed: a fresh cluster on loopback with one database."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PASSWORD = "pw/with:signs@in-it"
QUOTED = "pw%2Fwith%3Asigns%40in-it"
_USERS = ("postgres", "nobody")
_PROGRAMS = ("initdb", "pg_ctl", "createdb")


def find_programs() -> Path | None:
    """Return the folder of the newest server's programs."""
    on_path = shutil.which("pg_ctl")
    installed = Path("/usr/lib/postgresql").glob("*/bin")
    places = sorted(installed, key=lambda path: float(path.parent.name), reverse=True)
    places += [Path(on_path).resolve().parent] if on_path else []
    return next((path for path in places if all((path / name).exists() for name in _PROGRAMS)), None)


class Server:
    """A running server."""

    def __init__(self, programs: Path, place: Path, prefix: list[str], port: int) -> None:
        self.programs, self.place, self.prefix, self.port = programs, place, prefix, port
        self.url = f"postgresql://paperfold:{QUOTED}@127.0.0.1:{port}/runs"

    def do(self, program: str, *arguments: str) -> None:
        environment = {**os.environ, "PGPASSWORD": PASSWORD}
        done = subprocess.run(
            [*self.prefix, str(self.programs / program), *arguments],
            env=environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout

    def start(self) -> None:
        options = f"-p {self.port} -k {self.place} -c listen_addresses=127.0.0.1 -c fsync=off"
        self.do("pg_ctl", "start", "-w", "-D", f"{self.place}/db", "-l", f"{self.place}/log", "-o", options)

    def stop(self) -> None:
        self.do("pg_ctl", "stop", "-w", "-m", "immediate", "-D", f"{self.place}/db")


@contextmanager
def postgres() -> Iterator[Server]:
    """Yield a running server; skip the test where PostgreSQL is not installed."""
    programs = find_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (Debian, Ubuntu: apt-get install postgresql)")
    place, prefix = Path(tempfile.mkdtemp(prefix="pf-pg-")), []
    if os.getuid() == 0:
        user = next((name for name in _USERS if _exists(name)), None)
        if user is None or not shutil.which("runuser"):
            pytest.skip("PostgreSQL does not start as root, and there is no other user to start it as")
        prefix = ["runuser", "-u", user, "--"]
        shutil.chown(place, user)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = Server(programs, place, prefix, port)
    try:
        password = place / "password"
        password.write_text(PASSWORD)
        password.chmod(0o644)
        authentication = ["-U", "paperfold", "-A", "scram-sha-256", f"--pwfile={password}"]
        server.do("initdb", "-D", f"{place}/db", *authentication, "-E", "UTF8", "--locale=C")
        server.start()
        try:
            server.do("createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "paperfold", "runs")
            yield server
        finally:
            if (place / "db" / "postmaster.pid").exists():
                server.stop()
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True
