"""What the name of a file says: the date of the snapshot, and the list that it is a snapshot of."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from pathlib import PurePosixPath

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july", "aug august",
            "sep sept september", "oct october", "nov november", "dec december",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_Y, _M, _D = r"(?P<y>(?:19|20)\d\d)", r"(?P<m>0?[1-9]|1[0-2])", r"(?P<d>0?[1-9]|[12]\d|3[01])"
_FREE_BEFORE, _FREE_AFTER = r"(?<![0-9A-Za-z])", r"(?![0-9A-Za-z])"
_TIME = r"(?:[T_ -]?(?P<H>[01]\d|2[0-3])[:h_-]?(?P<M>[0-5]\d)(?:[:m_-]?(?P<S>[0-5]\d))?Z?)?"
_PATTERNS = [
    re.compile(_FREE_BEFORE + pattern + _FREE_AFTER, re.IGNORECASE)
    for pattern in (
        rf"{_Y}(?P<sep>[-_. ]){_M}(?P=sep){_D}{_TIME}",
        r"(?P<y>(?:19|20)\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])" + _TIME,
        rf"{_D}[-_. ]?(?P<name>{_MONTH})[-_. ,]*{_Y}",
        rf"(?P<name>{_MONTH})[-_. ]?{_D}[-_. ,]+{_Y}",
        rf"{_Y}[-_. ](?P<name>{_MONTH})[-_. ]{_D}",
        rf"{_Y}年{_M}月{_D}日?",
        rf"{_D}(?P<sep>[-_.]){_M}(?P=sep){_Y}",
        rf"{_Y}[-_](?P<m>0[1-9]|1[0-2])",
    )
]


def _find(name: str) -> tuple[datetime, int, int] | None:
    for pattern in _PATTERNS:
        matches = list(pattern.finditer(name))
        for match in reversed(matches):
            parts = match.groupdict()
            month = _MONTHS[parts["name"].lower()] if parts.get("name") else int(parts["m"])
            try:
                day = date(int(parts["y"]), month, int(parts.get("d") or 1))
            except ValueError:
                continue
            clock = (int(parts.get("H") or 0), int(parts.get("M") or 0), int(parts.get("S") or 0))
            return datetime(day.year, day.month, day.day, *clock, tzinfo=UTC), *match.span()
    return None


def snapshot_time(file_name: str) -> datetime | None:
    """Return the date (UTC) that a file's name states: `list_2026-06-01.txt`, `20260601`, `11-May-2026/AI.md`."""
    found = _find(file_name)
    return found[0] if found else None


def name_without_date(file_name: str) -> str:
    """Return a file's name without its date and its extensions, the key of lists that name themselves nowhere."""
    path = PurePosixPath(file_name)
    stem = path.name
    while PurePosixPath(stem).suffix and re.fullmatch(r"\.[A-Za-z][A-Za-z0-9]{0,7}", PurePosixPath(stem).suffix):
        stem = PurePosixPath(stem).stem
    whole = str(path.with_name(stem)) if stem else file_name
    found = _find(whole)
    if found:
        _, start, end = found
        whole = re.sub(
            r"[-_. ]+$|^[-_. ]+", "", f"{whole[:start].rstrip('-_. ')}-{whole[end:].lstrip('-_. ')}".strip("-")
        )
        whole = re.sub(r"/-|-/", "/", whole).strip("/")
    return whole or file_name


def list_key(own_name: str | None, venue: str | None, year: int | None, file_name: str) -> str:
    """Return which list a document is a snapshot of: its source's own name, else venue and year, else its name."""
    if own_name:
        return own_name
    if venue and year:
        return f"{venue.casefold()} {year}"
    return name_without_date(file_name)
