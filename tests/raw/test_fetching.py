"""Fetching: what each kind of answer comes to, what is tried again, and when reading stops. The server is real."""

from __future__ import annotations

import gzip
import re
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from importlib.metadata import version

import pytest

from assets.raw.fetching import Answer, Fetcher, FetchError
from assets.raw.settings import FetchSettings
from tests.raw.web import Page, Web, with_etag

LIST = b"DemoConf 2026 Papers\n\nAn abstract.\n"
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 3))
        self.seconds += seconds

    def now(self) -> datetime:
        return NOON + timedelta(seconds=self.seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def fetch(
    url: str, clock: Clock, etag: str | None = None, last_modified: str | None = None, **settings: object
) -> Answer:
    options = FetchSettings(**{"pause_seconds": 0, **settings})
    return Fetcher(options, clock.now, lambda: clock.seconds, clock.sleep).fetch(url, etag, last_modified)


def failure(url: str, clock: Clock, **settings: object) -> str:
    with pytest.raises(FetchError) as raised:
        fetch(url, clock, **settings)
    return str(raised.value)


def test_an_answer_is_its_bytes_and_what_its_headers_say(web: Web, clock: Clock) -> None:
    modified = "Mon, 01 Jun 2026 10:00:00 GMT"
    headers = {"Content-Type": 'text/html; charset="GBK"', "ETag": '"v1"', "Last-Modified": modified}
    web.pages["/list"] = Page(LIST, headers=headers)
    assert fetch(web.url("/list"), clock) == Answer(web.url("/list"), LIST, '"v1"', modified, "text/html", "gbk")


def test_a_request_names_the_product_its_version_and_the_contact(web: Web, clock: Clock) -> None:
    web.pages["/list"] = Page(LIST)
    fetch(web.url("/list"), clock, contact="https://example.org/us")
    wanted = f"Paperfold/{version('paperfold')} (+https://example.org/us)"
    assert [headers["user-agent"] for _, headers in web.asked] == [wanted, wanted]


def test_validators_are_sent_and_304_is_no_content(web: Web, clock: Clock) -> None:
    web.pages["/list"] = with_etag(LIST)
    assert fetch(web.url("/list"), clock, '"old"').content == LIST
    assert fetch(web.url("/list"), clock, '"one"', "Mon, 01 Jun 2026 10:00:00 GMT").content is None
    assert web.asked_for("/list")[-1]["if-modified-since"] == "Mon, 01 Jun 2026 10:00:00 GMT"


def test_gzip_is_undone_and_a_packed_file_stays_packed(web: Web, clock: Clock) -> None:
    packed = gzip.compress(LIST)
    web.pages["/list"] = Page(packed, headers={"Content-Encoding": "gzip"})
    web.pages["/list.gz"] = Page(packed, headers={"Content-Type": "application/gzip"})
    assert fetch(web.url("/list"), clock).content == LIST
    assert fetch(web.url("/list.gz"), clock).content == packed


@pytest.mark.parametrize(
    ("status", "words"),
    [(404, "404 Not Found"), (403, "403 Forbidden"), (410, "410 Gone"), (204, "204 No Content"), (304, "304 Not Mod")],
)
def test_an_answer_that_stays_is_asked_for_once(web: Web, clock: Clock, status: int, words: str) -> None:
    web.pages["/list"] = Page(status=status)
    assert failure(web.url("/list"), clock).startswith(words)
    assert (len(web.asked_for("/list")), clock.slept) == (1, [])


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_what_may_pass_is_tried_again_after_longer_and_longer_waits(web: Web, clock: Clock, status: int) -> None:
    web.pages["/list"] = [Page(status=status), Page(status=status), Page(LIST)]
    assert fetch(web.url("/list"), clock).content == LIST
    first, second = clock.slept
    assert 1 <= first < second <= 4


def test_a_failure_that_does_not_pass_is_given_up(web: Web, clock: Clock) -> None:
    web.pages["/list"] = Page(status=500)
    assert failure(web.url("/list"), clock, attempts=3) == "500 Internal Server Error (3 attempts)"
    assert len(web.asked_for("/list")) == 3


@pytest.mark.parametrize("header", ["7", format_datetime(NOON + timedelta(seconds=7), usegmt=True)])
def test_retry_after_is_kept_to(web: Web, clock: Clock, header: str) -> None:
    web.pages["/list"] = [Page(status=429, headers={"Retry-After": header}), Page(LIST)]
    assert fetch(web.url("/list"), clock).content == LIST
    assert clock.slept == [7]


def test_a_server_that_wants_a_longer_rest_is_left_alone(web: Web, clock: Clock) -> None:
    web.pages["/list"] = Page(status=429, headers={"Retry-After": "3600"})
    words = failure(web.url("/list"), clock)
    assert words == "429 Too Many Requests; it asks to be left alone for 3600 seconds"
    assert (len(web.asked_for("/list")), clock.slept) == (1, [])


def test_no_wait_goes_beyond_the_total_time(web: Web, clock: Clock) -> None:
    web.pages["/list"] = Page(status=503, headers={"Retry-After": "50"})
    assert failure(web.url("/list"), clock, total_seconds=120, attempts=9) == "503 Service Unavailable (3 attempts)"
    assert clock.slept == [50, 50]


def test_a_large_answer_is_not_read_to_its_end(web: Web, clock: Clock) -> None:
    web.pages["/declared"] = Page(LIST, declared=10_000_000)
    assert "10,000,000 bytes; the limit max_bytes is 1,000" in failure(web.url("/declared"), clock, max_bytes=1000)
    web.pages["/packed"] = Page(gzip.compress(bytes(10_000_000)), headers={"Content-Encoding": "gzip"})
    assert failure(web.url("/packed"), clock, max_bytes=20_000) == "larger than the limit max_bytes, 20,000"
    assert (len(web.asked_for("/declared")), len(web.asked_for("/packed"))) == (1, 1)


def test_a_body_that_is_cut_short_is_a_failure(web: Web, clock: Clock) -> None:
    web.pages["/list"] = Page(LIST, declared=len(LIST) + 100)
    words = failure(web.url("/list"), clock, attempts=2)
    assert words == f"cut short after {len(LIST)} bytes (2 attempts)"
    web.pages["/list"] = [Page(LIST, declared=len(LIST) + 100), Page(LIST)]
    assert fetch(web.url("/list"), clock).content == LIST


def test_a_connection_that_breaks_is_tried_again(web: Web, clock: Clock) -> None:
    web.pages["/list"] = [Page(hang_up=True), Page(LIST)]
    assert fetch(web.url("/list"), clock).content == LIST


def test_damaged_gzip_is_a_failure(web: Web, clock: Clock) -> None:
    web.pages["/list"] = Page(b"no gzip at all", headers={"Content-Encoding": "gzip"})
    assert failure(web.url("/list"), clock) == "its content-encoding is damaged"


def test_a_silent_server_is_not_waited_for(web: Web, clock: Clock) -> None:
    web.pages["/list"] = Page(pieces=(LIST,), pause=5)
    assert failure(web.url("/list"), clock, read_seconds=0.2, attempts=1) == "silent for 0.2 seconds (read_seconds)"


def test_a_server_that_sends_little_by_little_is_cut_off(web: Web) -> None:
    web.pages["/list"] = Page(pieces=(b"x",) * 100, pause=0.1)
    fetcher = Fetcher(FetchSettings(pause_seconds=0, total_seconds=0.5))
    with pytest.raises(FetchError, match=re.escape("not finished within 0.5 seconds (total_seconds)")):
        fetcher.fetch(web.url("/list"))


def test_an_empty_answer_is_no_list(web: Web, clock: Clock) -> None:
    web.pages["/list"] = Page(b"")
    assert failure(web.url("/list"), clock) == "an empty answer"


def test_nobody_there_is_said(clock: Clock) -> None:
    assert failure("http://127.0.0.1:9/list", clock) == "no connection: Connection refused (4 attempts)"
    assert failure("http://nowhere.invalid/list", clock, attempts=1) == "its host name can't be resolved"


def test_redirects_are_followed_and_the_last_address_is_told(web: Web, clock: Clock) -> None:
    web.pages["/old"] = Page(status=301, headers={"Location": "/newer#top"})
    web.pages["/newer"] = Page(status=307, headers={"Location": web.url("/new")})
    web.pages["/new"] = Page(LIST)
    answer = fetch(web.url("/old"), clock)
    assert (answer.url, answer.content) == (web.url("/new"), LIST)


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/list", "data:text/plain,list"])
def test_a_redirect_out_of_the_web_is_refused(web: Web, clock: Clock, target: str) -> None:
    web.pages["/list"] = Page(status=302, headers={"Location": target})
    assert re.fullmatch(r"redirects to .*, which is no http address", failure(web.url("/list"), clock))


def test_redirects_in_a_circle_and_without_end_are_given_up(web: Web, clock: Clock) -> None:
    web.pages["/a"] = Page(status=302, headers={"Location": "/b"})
    web.pages["/b"] = Page(status=302, headers={"Location": "/a"})
    assert failure(web.url("/a"), clock) == f"redirects in a circle, back to {web.url('/a')}"
    web.pages |= {f"/{i}": Page(status=302, headers={"Location": f"/{i + 1}"}) for i in range(9)}
    assert failure(web.url("/0"), clock, max_redirects=3).startswith("more than 3 redirects (max_redirects)")


def test_robots_txt_is_respected_and_asked_for_once(web: Web, clock: Clock) -> None:
    web.pages |= {
        "/open/list": Page(LIST),
        "/closed/list": Page(LIST),
        "/away": Page(status=302, headers={"Location": "/closed/list"}),
    }
    web.pages["/robots.txt"] = Page(b"User-agent: *\nAllow: /\n\nUser-agent: paperfold\nDisallow: /closed*\n")
    fetcher = Fetcher(FetchSettings(pause_seconds=0), clock.now, lambda: clock.seconds, clock.sleep)
    assert fetcher.fetch(web.url("/open/list")).content == LIST
    for path in ("/closed/list", "/away"):
        with pytest.raises(FetchError, match=r"the robots\.txt of its host asks not to fetch"):
            fetcher.fetch(web.url(path))
    assert (len(web.asked_for("/robots.txt")), len(web.asked_for("/closed/list"))) == (1, 0)
    assert fetch(web.url("/closed/list"), clock, robots=False).content == LIST


def test_a_robots_txt_that_cannot_be_had_forbids(web: Web, clock: Clock) -> None:
    web.pages |= {"/list": Page(LIST), "/robots.txt": Page(status=503)}
    words = failure(web.url("/list"), clock, attempts=2)
    assert words == f"{web.url('/robots.txt')} can't be asked: 503 Service Unavailable (2 attempts)"
    assert web.asked_for("/list") == []


def test_one_host_is_asked_with_pauses_as_long_as_it_wants(web: Web, clock: Clock) -> None:
    web.pages["/list"] = Page(LIST)
    fetcher = Fetcher(FetchSettings(pause_seconds=2), clock.now, lambda: clock.seconds, clock.sleep)
    for _ in range(2):
        fetcher.fetch(web.url("/list"))
    assert clock.slept == [2, 2]
    web.pages["/robots.txt"] = Page(b"User-agent: *\nCrawl-delay: 20\n")
    clock.slept.clear()
    fetcher = Fetcher(FetchSettings(pause_seconds=2), clock.now, lambda: clock.seconds, clock.sleep)
    fetcher.fetch(web.url("/list"))
    assert clock.slept == [20]
