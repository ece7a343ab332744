"""Facts of real abstracts against labels made by hand: the quality that docs/facts.md names is kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from assets.contract.folder import DataFolder
from tests.building import build


def test_the_labelled_seeds_score_at_least_what_is_promised(folder: DataFolder, seeds: Path, shared: Path) -> None:
    build(folder, seeds)
    database = folder.root / "current" / "paperfold.duckdb"
    gold = shared / "gold"
    scored = subprocess.run(
        [sys.executable, str(gold / "score_facts.py"), str(database), str(gold / "seeds_gold.jsonl"), "-v"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert scored.returncode == 0, scored.stdout + scored.stderr
