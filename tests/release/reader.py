"""A reader that never stops reading: `reader.py DATA STOP_FILE` prints a line for each mixture or error it sees.

It opens the database and the Parquet files behind `current`, again and again, and holds them against each other.
"""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb


def read_once(current: Path) -> str:
    """Return what is wrong with one look at the release, or an empty string."""
    release = current.resolve()
    with duckdb.connect(str(release / "paperfold.duckdb"), read_only=True) as connection:
        papers, occurrences, folds, summary = connection.execute(
            "SELECT (SELECT count(*) FROM papers), (SELECT count(*) FROM occurrences), (SELECT count(*) FROM folds), "
            "(SELECT papers FROM corpus_summary)"
        ).fetchall()[0]
        parquet = connection.execute(f"SELECT count(*) FROM '{release}/papers.parquet'").fetchall()[0][0]
    if occurrences != papers + folds or summary != papers or parquet != papers:
        return f"{release.name}: {papers} papers, {occurrences} occurrences, {folds} folds, {parquet} in Parquet"
    return ""


def main(data: str, stop: str) -> None:
    looks, seen = 0, set()
    while not Path(stop).exists():
        try:
            if wrong := read_once(Path(data) / "current"):
                print("WRONG", wrong, flush=True)
        except (OSError, duckdb.Error) as error:
            print("WRONG", type(error).__name__, str(error).splitlines()[0], flush=True)
        looks += 1
        seen.add((Path(data) / "current").resolve().name)
    print("looks", looks, "releases", len(seen), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
