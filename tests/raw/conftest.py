"""What the tests of the raw layer share: a web server on loopback."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.raw.web import Web, serve


@pytest.fixture
def web() -> Iterator[Web]:
    """A server without pages; it answers 404 to all, its robots.txt included."""
    with serve() as served:
        yield served
