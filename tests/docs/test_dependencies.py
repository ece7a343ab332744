"""docs/dependencies.md gives a reason for each direct dependency, and for nothing else."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def _name(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found, requirement
    return found.group().lower()


def _documented(section: str) -> list[str]:
    return re.findall(r"^\| ([a-z0-9-]+) \| \S", section, re.MULTILINE)[1:]


def test_each_direct_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]
    run_time, tools = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").split("## To develop")
    assert _documented(run_time) == sorted(map(_name, project["project"]["dependencies"]))
    assert sorted(_documented(tools)) == sorted(map(_name, groups["dev"] + groups["build"]))
