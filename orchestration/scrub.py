"""What must not be told: credentials in addresses, and what the environment holds under a secret's name.

For every text that leaves this program as an alert, or that quotes an address.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote, unquote, urlsplit

HIDDEN = "[hidden]"

_ADDRESS = re.compile(r"""\b(?P<scheme>[a-z][a-z0-9+.-]*://)(?P<rest>[^\s<>"'`|\\^{}]+)""", re.IGNORECASE)
_SECRET_NAME = re.compile(
    r"TOKEN|SECRET|PASS(WORD|WD|PHRASE)?(_|$)|PWD_|_KEY(_|$)|CREDENTIAL|AUTH(_|$|ORIZATION)|COOKIE|DSN|WEBHOOK|DAGSTER__STORAGE",
    re.IGNORECASE,
)
_HOST = re.compile(r"[^:]*(:\d*[.,;)\]]*)?")
_SHORTEST_SECRET = 6
"""A shorter value stands in ordinary words."""
_LONG_PIECE = 12


def scrub(text: str, secrets: Iterable[str] = (), environment: Mapping[str, str] | None = None) -> str:
    """Return a text without the given secrets, secret variables of the environment and credentials in addresses.

    Of an address the user, the password, the query and the fragment are hidden; scheme, host and path stay.
    """
    known = os.environ if environment is None else environment
    hidden = {*secrets, *(value for name, value in known.items() if _SECRET_NAME.search(name))}
    # Longest first, so that a secret that is a part of another leaves nothing of it behind.
    for secret in sorted({form for value in hidden for form in _forms(value)}, key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return _ADDRESS.sub(_without_credentials, text)


def _forms(secret: str) -> set[str]:
    """Return a secret and, where it is an address, the parts of it that are secret by themselves."""
    parts = {secret}
    if "://" in secret:
        try:
            split = urlsplit(secret)
        except ValueError:
            return parts
        parts |= {split.password or "", split.query}
        if split.scheme in ("http", "https"):
            # What a webhook lets a sender in by is in its path.
            path = split.path.strip("/")
            parts |= {path, *(piece for piece in path.split("/") if len(piece) >= _LONG_PIECE)}
    parts |= {form for part in tuple(parts) for form in (quote(part, safe=""), unquote(part))}
    return {part for part in parts if len(part) >= _SHORTEST_SECRET}


def _without_credentials(found: re.Match[str]) -> str:
    rest = found["rest"]
    authority, slash, path = rest.partition("/")
    if "@" in authority:
        authority = f"{HIDDEN}@{authority.rpartition('@')[2]}"
    elif not authority.startswith("[") and not _HOST.fullmatch(authority):
        # What follows the colon is no port: a password that was cut off before its host.
        authority = f"{HIDDEN}"
    address = authority + slash + path
    for mark in "?#":
        head, sign, _ = address.partition(mark)
        if sign:
            return found["scheme"] + head + sign + HIDDEN
    return found["scheme"] + address
