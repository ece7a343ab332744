"""Fetching an address: what its server answers, or in words why there is nothing to use.

Redirects, retries, time-outs and limits are here; robots.txt and pauses in `manners.py`; what becomes of an answer in
`intake.py`. Time and sleep come from outside, so that tests need neither.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from functools import partial
from http import HTTPStatus
from importlib.metadata import version
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

import tenacity
import urllib3
from urllib3 import exceptions as broken

from assets.raw.manners import Manners
from assets.raw.settings import FetchSettings

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse

PRODUCT = "Paperfold"
_CHUNK = 1 << 16
_MAY_PASS = frozenset({408, 425, 429, 500, 502, 503, 504})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ROBOTS_BYTES = 500 << 10


class FetchError(Exception):
    """An address gave nothing to use; the message says why, `status` what the server answered, if it did."""

    def __init__(self, words: str, status: int | None = None) -> None:
        super().__init__(words)
        self.status = status


class _MayPassError(FetchError):
    """A failure that is worth another try, after `wait` seconds where the server says so."""

    def __init__(self, words: str, status: int | None = None, wait: float | None = None) -> None:
        super().__init__(words, status)
        self.wait = wait


@dataclass(frozen=True)
class Answer:
    """What a server answered; `content` is None when it is what was fetched last."""

    url: str
    content: bytes | None
    etag: str | None = None
    last_modified: str | None = None
    media_type: str | None = None
    charset: str | None = None
    location: str | None = None


def user_agent(contact: str | None = None) -> str:
    """Return what requests say of who sends them: product, version, and whom to write to if that is set."""
    return f"{PRODUCT}/{version('paperfold')}" + (f" (+{contact})" if contact else "")


class Fetcher:
    """Fetches addresses, one after the other, with one memory of hosts, their robots.txt and the last request."""

    def __init__(
        self,
        settings: FetchSettings,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Make a fetcher that asks `now` for the time of day, `monotonic` for seconds, and waits with `sleep`."""
        self._settings = settings
        self._now, self._monotonic, self._sleep = now, monotonic, sleep
        self._manners = Manners(
            PRODUCT.lower(), settings.pause_seconds, settings.longest_wait_seconds, monotonic, sleep
        )
        headers = {"User-Agent": user_agent(settings.contact), "Accept-Encoding": "gzip, deflate", "Accept": "*/*"}
        self._direct = urllib3.PoolManager(headers=headers)
        self._proxies = {
            scheme: urllib3.ProxyManager(address, headers=headers)
            for scheme, address in getproxies().items()
            if scheme in ("http", "https")
        }

    def fetch(self, url: str, etag: str | None = None, last_modified: str | None = None) -> Answer:
        """Return the answer of an address, without content when it is still what the validators belong to.

        Raises:
            FetchError: when there is no answer to use, whatever the cause.
        """
        deadline = self._monotonic() + self._settings.total_seconds
        validators = {"If-None-Match": etag, "If-Modified-Since": last_modified}
        headers = {name: value for name, value in validators.items() if value}
        answer = self._follow(url, headers, self._settings.max_bytes, deadline, robots=self._settings.robots)
        if answer.content == b"":
            raise FetchError("an empty answer")
        if answer.content is None and not headers:
            raise FetchError("304 Not Modified, though nothing was known yet", 304)
        return answer

    def _follow(self, url: str, headers: dict[str, str], limit: int, deadline: float, *, robots: bool) -> Answer:
        """Return the answer at the end of an address's redirects."""
        visited: list[str] = []
        while True:
            if url in visited:
                raise FetchError(f"redirects in a circle, back to {url}")
            if len(visited) > self._settings.max_redirects:
                raise FetchError(f"more than {self._settings.max_redirects} redirects (max_redirects), then to {url}")
            visited.append(url)
            if robots:
                self._demand_allowed(url, deadline)
            answer = self._persist(url, headers, limit, deadline)
            if answer.location is None:
                return answer
            url = _redirected(url, answer.location)

    def _demand_allowed(self, url: str, deadline: float) -> None:
        if not self._manners.knows(url):
            place = urljoin(url, "/robots.txt")
            try:
                content = self._follow(place, {}, _ROBOTS_BYTES, deadline, robots=False).content
            except FetchError as error:
                # As RFC 9309 has it: without a robots.txt all is allowed, and with one that can't be had, nothing.
                if error.status is None:
                    raise
                if error.status >= 500 or error.status == HTTPStatus.TOO_MANY_REQUESTS:
                    raise FetchError(f"{place} can't be asked: {error}", error.status) from error
                content = None
            self._manners.learn(url, content)
        if not self._manners.allows(url):
            raise FetchError(f"the robots.txt of its host asks not to fetch {url}")

    def _persist(self, url: str, headers: dict[str, str], limit: int, deadline: float) -> Answer:
        """Return the answer to one request, tried again as long as its failures may pass."""
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(_MayPassError),
            stop=lambda state: (
                state.attempt_number >= self._settings.attempts or self._monotonic() + state.upcoming_sleep >= deadline
            ),
            wait=self._wait,
            sleep=self._sleep,
            reraise=True,
        )
        tried = 0
        try:
            for attempt in retrying:
                with attempt:
                    tried += 1
                    return self._request(url, headers, limit, deadline)
        except _MayPassError as error:
            times = f" ({tried} attempts)" if tried > 1 else ""
            raise FetchError(f"{error}{times}", error.status) from error
        raise AssertionError("unreachable: tenacity returns or raises")

    def _wait(self, state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, _MayPassError) and error.wait is not None:
            return error.wait
        backoff = tenacity.wait_exponential_jitter(initial=1, max=self._settings.longest_wait_seconds)
        return float(min(backoff(state), self._settings.longest_wait_seconds))

    def _request(self, url: str, headers: dict[str, str], limit: int, deadline: float) -> Answer:
        self._manners.pause(url)
        try:
            response = self._pool(url).request(
                "GET",
                url,
                headers={**self._direct.headers, **headers},
                redirect=False,
                retries=False,
                preload_content=False,
                timeout=urllib3.Timeout(connect=self._settings.connect_seconds, read=self._settings.read_seconds),
            )
        except (broken.HTTPError, OSError, UnicodeError) as error:
            raise self._explain(error) from error
        try:
            return self._answer(url, response, limit, deadline)
        except (broken.HTTPError, OSError) as error:
            raise self._explain(error) from error
        finally:
            # Not handed back to the pool: what is left unread of an answer would be taken for the next one.
            response.close()

    def _pool(self, url: str) -> urllib3.PoolManager:
        parts = urlsplit(url)
        proxy = self._proxies.get(parts.scheme)
        return self._direct if proxy is None or proxy_bypass(parts.netloc) else proxy

    def _answer(self, url: str, response: BaseHTTPResponse, limit: int, deadline: float) -> Answer:
        status, headers = response.status, response.headers
        if status in _REDIRECTS and headers.get("Location"):
            return Answer(url, b"", location=headers["Location"])
        words = f"{status} {_phrase(status, response.reason)}".strip()
        if status in _MAY_PASS:
            wait = self._asked_wait(headers.get("Retry-After"))
            if wait is not None and wait > self._settings.longest_wait_seconds:
                raise FetchError(f"{words}; it asks to be left alone for {wait:.0f} seconds", status)
            raise _MayPassError(words, status, wait)
        validators = {"etag": headers.get("ETag"), "last_modified": headers.get("Last-Modified")}
        if status == HTTPStatus.NOT_MODIFIED:
            return Answer(url, None, **validators)
        if status not in (HTTPStatus.OK, HTTPStatus.NON_AUTHORITATIVE_INFORMATION):
            raise FetchError(words, status)
        content = self._body(response, limit, deadline)
        media_type, charset = _content_type(headers.get("Content-Type"))
        return Answer(url, content, **validators, media_type=media_type, charset=charset)

    def _body(self, response: BaseHTTPResponse, limit: int, deadline: float) -> bytes:
        """Return the whole body with its content-encoding undone; one that is cut short raises."""
        declared = response.headers.get("Content-Length", "")
        if declared.isdecimal() and int(declared) > limit:
            raise FetchError(f"{int(declared):,} bytes; the limit max_bytes is {limit:,}")
        body = bytearray()
        for piece in iter(partial(response.read1, _CHUNK), b""):
            body += piece
            if len(body) > limit:
                raise FetchError(f"larger than the limit max_bytes, {limit:,}")
            if self._monotonic() >= deadline:
                raise FetchError(f"not finished within {self._settings.total_seconds:g} seconds (total_seconds)")
        return bytes(body)

    def _asked_wait(self, header: str | None) -> float | None:
        """Return the seconds that a Retry-After asks for, as a number or as a date, or None."""
        if not header:
            return None
        if header.strip().isdecimal():
            return float(header)
        try:
            until = parsedate_to_datetime(header)
        except ValueError:
            return None
        until = until if until.tzinfo else until.replace(tzinfo=UTC)
        return max((until - self._now()).total_seconds(), 0.0)

    def _explain(self, error: Exception) -> FetchError:
        """Return the failure of a connection in words, as one that may pass unless trying again is of no use."""
        settings = self._settings
        if isinstance(error, broken.NameResolutionError):
            return _MayPassError("its host name can't be resolved")
        if isinstance(error, broken.NewConnectionError):
            return _MayPassError(f"no connection: {_words(error)}")
        if isinstance(error, broken.ConnectTimeoutError):
            return _MayPassError(f"no connection within {settings.connect_seconds:g} seconds (connect_seconds)")
        if isinstance(error, broken.ReadTimeoutError | TimeoutError):
            return _MayPassError(f"silent for {settings.read_seconds:g} seconds (read_seconds)")
        if isinstance(error, broken.SSLError):
            return FetchError(f"no secure connection: {error}")
        if isinstance(error, broken.DecodeError):
            return FetchError("its content-encoding is damaged")
        if isinstance(cut := _cause(error), broken.IncompleteRead):
            return _MayPassError(f"cut short after {cut.partial or 0:,} bytes")
        if isinstance(error, broken.ProxyError):
            return _MayPassError(f"the proxy failed: {error.original_error}")
        if isinstance(error, broken.ProtocolError):
            return _MayPassError(f"the connection broke: {_words(error)}")
        if isinstance(error, broken.LocationValueError | UnicodeError):
            return FetchError(f"no address that can be fetched: {error}")
        return _MayPassError(f"the connection failed: {error}")


def _cause(error: Exception) -> BaseException:
    """Return what an error of the HTTP client wraps, else the error itself."""
    inner = [argument for argument in error.args if isinstance(argument, Exception)]
    return inner[0] if inner else error.__cause__ or error.__context__ or error


def _words(error: Exception) -> str:
    cause = _cause(error)
    return cause.strerror if isinstance(cause, OSError) and cause.strerror else str(cause)


def _phrase(status: int, said: str | None) -> str:
    """Return the usual words for a status, and what the server said only for one that has none."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return (said or "")[:80]


def _redirected(url: str, location: str) -> str:
    """Return the address that a redirect leads to.

    Raises:
        FetchError: when it leads out of the web, or from a secure to an open connection.
    """
    target = urldefrag(urljoin(url, location)).url
    before, after = urlsplit(url), urlsplit(target)
    if after.scheme not in ("http", "https") or not after.hostname:
        raise FetchError(f"redirects to {target[:200]}, which is no http address")
    if (before.scheme, after.scheme) == ("https", "http"):
        raise FetchError(f"redirects from a secure to an open connection, {target}; name that address if it is meant")
    return target


def _content_type(header: str | None) -> tuple[str | None, str | None]:
    """Return media type and charset of a Content-Type header."""
    if not header:
        return None, None
    message = Message()
    message["Content-Type"] = header
    charset = (message.get_content_charset() or "").strip("'\" ")
    return message.get_content_type(), charset if re.fullmatch(r"[\w.:+-]{1,40}", charset, re.ASCII) else None
