"""What it costs to ask a view: a look-up by each of its keys and its first 100 rows, p95 in milliseconds.

    python benchmarks/views.py [--size 100000] [--work FOLDER] [--release FOLDER]

Builds a release of invented lists of 1,000 papers, every second of them saved on two days with papers added, dropped,
moved, revised and cut in between; or asks a release that is there. The connection is opened once, as a client does.
Macros (`search`) are no views and are measured by benchmarks of their own. What is over 100 ms is marked.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import duckdb
from text_lists import abstracts

from assets.analytical.views import View, load_views
from assets.contract.folder import DATABASE

PAPERFOLD = Path(sys.executable).parent / "paperfold"
PER_LIST = 1_000
LOOKUPS = 40
LIMIT_MS = 100
KEYS = {
    "corpus_summary": (),
    "document_overlap": ("document_id_a", "document_id_b"),
    "list_changes": ("list_key", "document_id", "paper_id"),
    "paper_versions": ("paper_id", "occurrence_id"),
}
"""Columns that a view is looked up by; of others the first."""


def write_lists(folder: Path, size: int) -> None:
    """Write lists of invented abstracts, every second one as saved on two days."""
    chance = random.Random(7)
    fresh = abstracts(size, seed=3)
    for number in range(size // PER_LIST):
        shown = [next(fresh) for _ in range(PER_LIST)]
        twice = number % 2 == 1
        if twice:
            shown, later = shown[: PER_LIST * 19 // 20], shown[PER_LIST * 19 // 20 :]
        _write(folder / f"toy{number}-2026-06-01.txt", number, shown)
        if twice:
            following = [text for text in shown if chance.random() > 0.02]
            for _ in range(10):
                following.insert(0, following.pop(chance.randrange(len(following))))
            for place in chance.sample(range(len(following)), 30):
                words = following[place].split()
                words[chance.randrange(len(words))] = "otherwise"
                following[place] = " ".join(words if place % 3 else [*words[: len(words) // 2], "..."])
            _write(folder / f"toy{number}-2026-06-02.txt", number, [*later, *following])


def _write(path: Path, number: int, texts: list[str]) -> None:
    path.write_text("\n\n".join([f"Toy{number}Conf 2026 Papers", *texts]) + "\n", encoding="utf-8")


def milliseconds(ask: Callable[[], object]) -> float:
    begin = time.perf_counter()
    ask()
    return (time.perf_counter() - begin) * 1000


def p95(times: list[float]) -> float:
    return sorted(times)[max(0, -(-len(times) * 95 // 100) - 1)]


def look_up(connection: duckdb.DuckDBPyConnection, view: str, key: str, value: tuple[object, ...]) -> None:
    connection.execute(f'SELECT * FROM {view} WHERE "{key}" = ?', value).fetchall()


def measure(connection: duckdb.DuckDBPyConnection, view: View) -> dict[str, float]:
    """Return what is asked -> p95 in milliseconds."""
    head = f"SELECT * FROM {view.name} LIMIT 100"
    connection.execute(head).fetchall()
    found = {"first 100 rows": p95([milliseconds(lambda: connection.execute(head).fetchall()) for _ in range(20)])}
    for key in KEYS.get(view.name, (view.columns[0].name,)):
        values = connection.execute(
            f'SELECT DISTINCT "{key}" FROM {view.name} ORDER BY hash("{key}") LIMIT {LOOKUPS}'
        ).fetchall()
        found[f"by {key}"] = p95([milliseconds(partial(look_up, connection, view.name, key, v)) for v in values])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=100_000, help="papers of the release")
    parser.add_argument("--work", type=Path, default=None, help="folder to work in (default: a temporary one)")
    parser.add_argument("--release", type=Path, default=None, help="a release to ask instead of building one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.work) as place:
        release = options.release
        if release is None:
            lists = Path(place) / "lists"
            lists.mkdir()
            write_lists(lists, options.size)
            subprocess.run(
                [PAPERFOLD, "build", lists, "--data", f"{place}/data"], check=True, stdout=subprocess.DEVNULL
            )
            release = Path(place) / "data" / "current"
        with closing(duckdb.connect(str(release / DATABASE), read_only=True)) as connection:
            [counts] = connection.execute("SELECT papers, occurrences, documents FROM corpus_summary").fetchall()
            print("{:,} papers, {:,} occurrences, {:,} documents; p95 in ms".format(*counts))
            for view in load_views():
                for asked, cost in measure(connection, view).items():
                    mark = "  over 100 ms" if cost > LIMIT_MS else ""
                    print(f"{view.name:<20} {asked:<24} {cost:9.1f}{mark}", flush=True)


if __name__ == "__main__":
    main()
