"""`paperfold changes`: what is new, revised, cut or gone since a release, since a date, or between two snapshots."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import polars as pl
from rich.console import Console
from rich.text import Text

from assets.analytical.changes.compare import CHANGES, compare, compare_snapshots
from assets.analytical.changes.edits import one_line, shortened
from assets.analytical.changes.report import Report, by_kind, counts_in_words, name_of, report
from assets.analytical.changes.standing import snapshots, unordered_lists
from assets.contract.base import conformed_tables
from assets.contract.check import Tables
from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from assets.release.manifest import Manifest
from assets.release.store import list_releases, resolve_release
from orchestration.terminal import print_below, shown_edits

SHOWN = 10
"""Papers of one kind shown per list."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?Z?")
_STYLES = {"new": "bold green", "revised": "bold yellow", "cut": "bold yellow", "listed": "bold", "dropped": "bold red"}
_MARKS = {"new": "+", "revised": "~", "cut": "~", "listed": "+", "dropped": "-"}


def read_changes(folder: DataFolder, since: str | None, list_key: str | None) -> Report:
    """Return what changed in the current release.

    Args:
        folder: The data folder.
        since: A release, or a date; None for the release before or, with a list, the snapshot before.
        list_key: A list, or an unmistakable part of its key; None for all.

    Raises:
        PaperfoldError: when there is no such release or list, or nothing that old is kept.
    """
    now = resolve_release(folder, None)
    tables = conformed_tables(folder.release(now.release_id))
    about: dict[str, Any] = {"release_id": now.release_id, "published_at": now.published_at}
    if list_key is None:
        before = _release_before(folder, now) if since is None else _release_since(folder, now, since)
        return _since_release(folder, tables, before, None, about)
    shown = snapshots(tables["documents"])
    key = _find_list(shown, list_key)
    shown = shown.filter(pl.col("list_key") == key)
    if since is not None and not _DATE.fullmatch(since):
        return _since_release(folder, tables, resolve_release(folder, since), key, about)
    later, earlier = _two_snapshots(shown, key, _moment(since) if since else None)
    changed = compare_snapshots(tables, later, earlier)
    order_known = bool(later["step"].min() != earlier["step"].max() and earlier["step"].min())
    return report(
        changed,
        () if order_known else {key},
        **about,
        list_key=key,
        snapshots={"from": _of(earlier), "to": _of(later), "order_known": order_known},
    )


def _since_release(
    folder: DataFolder, tables: Tables, before: Manifest | None, key: str | None, about: dict[str, Any]
) -> Report:
    earlier = conformed_tables(folder.release(before.release_id)) if before else None
    unordered = unordered_lists(snapshots(tables["documents"]), snapshots(earlier["documents"])) if earlier else ()
    changed = compare(tables, earlier)
    if key is not None:
        changed, about = changed.filter(pl.col("list_key") == key), {**about, "list_key": key}
    return report(changed, unordered, **about, since=_named(before))


def _named(release: Manifest | None) -> dict[str, Any] | None:
    return {"release_id": release.release_id, "published_at": release.published_at} if release else None


def _release_before(folder: DataFolder, now: Manifest) -> Manifest | None:
    """Return the release that the current one builds on, or the newest before it that is left."""
    earlier = [release for release in list_releases(folder) if release.sequence < now.sequence]
    return next((r for r in earlier if r.release_id == now.base_release), next(iter(earlier), None))


def _release_since(folder: DataFolder, now: Manifest, since: str) -> Manifest | None:
    """Return the release that a person means, or the last one published before a date.

    None stands for the time before the first release.
    """
    if not _DATE.fullmatch(since):
        return resolve_release(folder, since)
    moment, kept = _moment(since), list_releases(folder)
    before = [release for release in kept if release.published_at < moment]
    if before:
        return before[0]
    oldest = min(kept, key=lambda release: release.sequence, default=now)
    if oldest.base_release is None:
        return None
    raise PaperfoldError(
        f"No release from before {since} is kept; the oldest is {oldest.release_id}, published "
        f"{oldest.published_at:%Y-%m-%d %H:%M} UTC. `--since {oldest.release_id}` compares with that one; "
        "`release.keep` in the settings says how many are kept."
    )


def _moment(since: str) -> datetime:
    try:
        found = datetime.fromisoformat(since)
    except ValueError as error:
        raise PaperfoldError(f"--since {since}: {error}. Expected a date such as 2026-06-01, or a release.") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _find_list(shown: pl.DataFrame, asked: str) -> str:
    keys: list[str] = shown["list_key"].unique().sort().to_list()
    found = (
        [key for key in keys if key == asked]
        or [key for key in keys if key.casefold() == asked.casefold()]
        or [key for key in keys if asked.casefold() in key.casefold()]
    )
    if len(found) != 1:
        raise PaperfoldError(
            f"{'No list' if not found else 'More than one list'} {asked!r}. There are: {', '.join(found or keys)}."
        )
    return found[0]


def _two_snapshots(shown: pl.DataFrame, key: str, since: datetime | None) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the last snapshot of a list and the one before it, or the last one before a moment.

    The documents of one time are one snapshot; of documents without a time each is one, in the order of their names.
    """
    parts = shown.partition_by("step", maintain_order=True)
    steps = [row for part in parts for row in (part.iter_slices(1) if part["step"][0] == 0 else [part])]
    if len(steps) < 2:
        [only] = steps
        raise PaperfoldError(
            f"{key!r} has one snapshot, {', '.join(only['file_name'])}: there is none to compare it with."
        )
    if since is None:
        return steps[-1], steps[-2]
    moment = since.astimezone(UTC).replace(tzinfo=None)
    earlier = [step for step in steps[:-1] if step["step"][0] and step["snapshot_at"][0] < moment]
    if not earlier:
        times = [f"{step['snapshot_at'][0]:%Y-%m-%d}" for step in steps if step["step"][0]]
        raise PaperfoldError(
            f"No snapshot of {key!r} is known to be from before {since:%Y-%m-%d}. Those with a time are from: "
            f"{', '.join(times) or 'none'}."
        )
    return steps[-1], earlier[-1]


def _of(snapshot: pl.DataFrame) -> dict[str, Any]:
    return {"files": snapshot["file_name"].to_list(), "snapshot_at": snapshot["snapshot_at"][0]}


def show(found: Report, console: Console) -> None:
    """Print what changed: counts first, then each list with its papers."""
    console.print(Text(_compared(found), "bold"))
    if "snapshots" in found and not found["snapshots"]["order_known"]:
        console.print(Text("The order of the two is not known: the names of the files gave it.", "yellow"))
    console.print(_counts(found["counts"]))
    first = found.get("since", found) is None
    for listed in found["lists"]:
        console.print()
        console.print(
            Text(one_line(listed["list_key"]), "bold underline").append(
                f"  {counts_in_words(listed['counts'])}", "not underline not bold"
            )
        )
        if not listed["order_known"] and "snapshots" not in found:
            console.print(Text("  The order of its snapshots is not known.", "yellow"))
        for kind, changes in by_kind(listed["changes"]):
            _show_kind(kind, changes, console, shown=3 if first else SHOWN)


def _compared(found: Report) -> str:
    if two := found.get("snapshots"):
        before, after = (_dated(two[side]) for side in ("from", "to"))
        return f"{one_line(found['list_key'])}: from {before} to {after}"
    until = f"{found['release_id']}, {found['published_at']:%Y-%m-%d %H:%M} UTC"
    if found["since"] is None:
        return f"Everything is new in {until}: there is no release before it."
    since = found["since"]
    return f"From {since['release_id']}, {since['published_at']:%Y-%m-%d %H:%M} UTC, to {until}"


def _dated(snapshot: dict[str, Any]) -> str:
    names = one_line(", ".join(snapshot["files"]))
    return f"{snapshot['snapshot_at']:%Y-%m-%d} ({names})" if snapshot["snapshot_at"] else f"{names} (no date)"


def _counts(counts: dict[str, int]) -> Text:
    parts = [Text(f"{count:,} {kind}", _STYLES[kind]) for kind, count in counts.items() if count]
    return Text(" · ").join(parts) if parts else Text("Nothing changed.")


def _show_kind(kind: str, changes: list[dict[str, Any]], console: Console, shown: int) -> None:
    console.print(Text(f"  {kind}", _STYLES[kind]).append(f"  {CHANGES[kind]}", "not bold dim"))
    shown = len(changes) if len(changes) == shown + 1 else shown
    for change in changes[:shown]:
        place = f" (position {change['position']})" if change["position"] else ""
        gone = " (it stands nowhere any more)" if change.get("withdrawn") else ""
        line = Text(f"{_MARKS[kind]} ", _STYLES[kind]).append(name_of(change), "not bold")
        line.append(f"{place}{gone}  ", "dim").append(change["paper_id"], "dim")
        print_below(line, 4, console)
        if "difference" in change:
            edits = shortened([(edit["edit"], edit["words"]) for edit in change["difference"]])
            print_below(shown_edits(edits, coloured=console.is_terminal), 8, console)
    if len(changes) > shown:
        print_below(Text(f"… and {len(changes) - shown:,} more, see --json", "dim"), 4, console)
