"""`orchestration.dev` as `make dev` starts it: real servers on a free port over a fresh folder, asked over GraphQL."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from assets.contract.folder import DataFolder
from tests.conftest import SAMPLES

Found = TypeVar("Found")

SELECTOR = {"repositoryName": "__repository__", "repositoryLocationName": "paperfold"}
LAUNCH = """
mutation($params: ExecutionParams!) {
  launchPipelineExecution(executionParams: $params) { __typename ... on LaunchRunSuccess { run { runId } } }
}
"""
STATUS = "query($id: ID!) { runOrError(runId: $id) { ... on Run { status } } }"


def wait_for(look: Callable[[], Found], seconds: float, what: str) -> Found:
    """Return the first answer that is true, asked again and again."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, f"after {seconds:.0f} s there is no {what}"
        time.sleep(0.3)
    return found


class Served:
    """The servers of one data folder."""

    def __init__(self, folder: DataFolder, log: Path, environment: Mapping[str, str] | None = None) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.folder, self.log, self.url = folder, log, f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "orchestration.dev", "--data", str(folder.root), "--samples", str(SAMPLES)]
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [*command, "--port", str(port)],
                env={**os.environ, **(environment or {})},
                cwd=log.parent,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def ask(self, query: str, **variables: Any) -> dict[str, Any]:
        """Return what GraphQL answers."""
        body = json.dumps({"query": query, "variables": variables}).encode()
        request = urllib.request.Request(f"{self.url}/graphql", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            told = json.load(answer)
        assert "errors" not in told, told["errors"]
        return told["data"]

    def wait_until_loaded(self) -> None:
        """Wait until the UI answers and its code location has loaded."""
        wait_for(self._is_loaded, 90, "UI with its code location")

    def _is_loaded(self) -> bool:
        assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
        try:
            told = self.ask("{ repositoriesOrError { ... on RepositoryConnection { nodes { name } } } }")
        except (urllib.error.URLError, ConnectionError):
            return False
        return bool(told["repositoriesOrError"].get("nodes"))

    def run(self, job: str) -> str:
        """Launch a job and return how its run ended."""
        params = {"selector": {**SELECTOR, "pipelineName": job}, "mode": "default", "runConfigData": {}}
        launched = self.ask(LAUNCH, params=params)["launchPipelineExecution"]
        assert launched["__typename"] == "LaunchRunSuccess", launched

        def ended() -> str | None:
            status = self.ask(STATUS, id=launched["run"]["runId"])["runOrError"]["status"]
            return status if status in ("SUCCESS", "FAILURE", "CANCELED") else None

        return wait_for(ended, 120, f"end of the job {job}") or ""

    def processes(self) -> list[int]:
        """Return the living processes that were given this data folder."""
        mark = f"PAPERFOLD_DATA={self.folder.root}".encode()
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            try:
                is_ours = mark in (path / "environ").read_bytes().split(b"\0")
                is_dead = (path / "stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
            except OSError:
                continue
            if is_ours and not is_dead:
                found.append(int(path.name))
        return found

    def stop(self, name: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal to what `make dev` started and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(name)
        return self.process.wait(timeout=60)
