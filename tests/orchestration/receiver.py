"""A real receiver of alerts on loopback: it keeps what it is sent and answers as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SECRET = "T0ps3cretPath"


class Receiver:
    """What a receiver got, and how it answers: a status for each request in turn, the last one for all others."""

    def __init__(self, statuses: Sequence[int]) -> None:
        self.statuses = list(statuses)
        self.received: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.url = ""
        self.hold = threading.Event()
        self.is_slow = False

    @property
    def texts(self) -> list[str]:
        return [message["text"] for message in self.received]


@contextmanager
def receiving(*statuses: int, slow: bool = False) -> Iterator[Receiver]:
    """Yield a receiver that answers with these statuses (200 without any); a slow one does not answer at all."""
    receiver = Receiver(statuses or (200,))
    receiver.is_slow = slow

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.received.append(json.loads(body))
            receiver.headers.append(dict(self.headers))
            if receiver.is_slow:
                receiver.hold.wait(60)
                return
            status = receiver.statuses[0] if len(receiver.statuses) == 1 else receiver.statuses.pop(0)
            self.send_response(status)
            if status in (301, 302, 307):
                self.send_header("Location", f"{receiver.url}/elsewhere")
            self.end_headers()

        def log_message(self, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver.url = f"http://127.0.0.1:{server.server_address[1]}/hooks/{SECRET}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.hold.set()
        server.shutdown()
        server.server_close()
        thread.join()
