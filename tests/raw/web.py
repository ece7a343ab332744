"""A web server on loopback that answers as a test says, and remembers what it was asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Page:
    """An answer: status, headers and body; a body in pieces is sent one by one with a pause before each."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    pieces: tuple[bytes, ...] = ()
    pause: float = 0
    declared: int | None = None
    hang_up: bool = False


Answer = Page | Callable[[dict[str, str]], Page]


class Web:
    """The pages of a server by path; a list of pages is answered one after the other, the last one for ever."""

    def __init__(self, port: int) -> None:
        """Make a web without pages."""
        self.address = f"http://127.0.0.1:{port}"
        self.pages: dict[str, Answer | list[Answer]] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []

    def url(self, path: str) -> str:
        """Return the address of a page."""
        return f"{self.address}{path}"

    def asked_for(self, path: str) -> list[dict[str, str]]:
        """Return the headers of the requests for a page."""
        return [headers for asked, headers in self.asked if asked == path]

    def answer(self, path: str, headers: dict[str, str]) -> Page:
        """Return the page that a request gets."""
        self.asked.append((path, headers))
        page = self.pages.get(path, Page(b"not here", 404))
        if isinstance(page, list):
            page = page.pop(0) if len(page) > 1 else page[0]
        return page(headers) if callable(page) else page


@contextmanager
def serve() -> Iterator[Web]:
    """Serve a web on a free port of 127.0.0.1 for a block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            page = web.answer(self.path, {name.lower(): value for name, value in self.headers.items()})
            if page.hang_up:
                self.close_connection = True
                return
            body = b"".join(page.pieces) or page.body
            self.send_response(page.status)
            for name, value in page.headers.items():
                self.send_header(name, value)
            if page.status != 304:
                self.send_header("Content-Length", str(len(body) if page.declared is None else page.declared))
            if page.declared is not None:
                self.close_connection = True
            self.end_headers()
            try:
                for piece in page.pieces or (page.body,):
                    time.sleep(page.pause)
                    self.wfile.write(piece)
                    self.wfile.flush()
            except OSError:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    web = Web(server.server_port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield web
    finally:
        server.shutdown()
        server.server_close()


def with_etag(body: bytes, etag: str = '"one"', **headers: str) -> Callable[[dict[str, str]], Page]:
    """Return a page that answers 304 to who names its ETag."""

    def page(asked: dict[str, str]) -> Page:
        known = asked.get("if-none-match") == etag
        return Page(b"" if known else body, 304 if known else 200, {"ETag": etag, **headers})

    return page
