"""Manners towards hosts: their robots.txt, and a pause between two requests to one of them."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from protego import Protego


class Manners:
    """What is known of hosts (scheme, name and port) while one refresh lasts."""

    def __init__(
        self,
        agent: str,
        pause_seconds: float,
        longest_pause_seconds: float,
        monotonic: Callable[[], float],
        sleep: Callable[[float], None],
    ) -> None:
        """Make the manners of an agent, a name that robots.txt files call it by."""
        self._agent, self._pause, self._longest = agent, pause_seconds, longest_pause_seconds
        self._monotonic, self._sleep = monotonic, sleep
        self._rules: dict[tuple[str, str], Protego] = {}
        self._asked_last: dict[tuple[str, str], float] = {}

    def knows(self, url: str) -> bool:
        """Return whether the rules of an address's host were learnt."""
        return _host(url) in self._rules

    def learn(self, url: str, robots: bytes | None) -> None:
        """Keep the robots.txt of an address's host; None when it has none, and all is allowed."""
        self._rules[_host(url)] = Protego.parse((robots or b"").decode("utf-8", "replace"))

    def allows(self, url: str) -> bool:
        """Return whether the host's robots.txt lets this agent fetch an address."""
        return bool(self._rules[_host(url)].can_fetch(url, self._agent))

    def pause(self, url: str) -> None:
        """Wait until the host may be asked again, and note that it is asked now.

        A host's Crawl-delay goes before the settings' pause where it is longer, up to the longest pause.
        """
        host = _host(url)
        asked = self._rules[host].crawl_delay(self._agent) if host in self._rules else None
        delay = max(self._pause, min(float(asked or 0), self._longest))
        if host in self._asked_last:
            left = self._asked_last[host] + delay - self._monotonic()
            if left > 0:
                self._sleep(left)
        self._asked_last[host] = self._monotonic()


def _host(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()
