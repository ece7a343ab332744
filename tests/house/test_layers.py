"""The house rules: arrows go one way, pure modules know no Dagster, modules stay small."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from assets.contract.vocabulary import LAYERS
from tests.conftest import ROOT

ORDER = ("contract", *LAYERS)
MODULES = sorted([*(ROOT / "assets").rglob("*.py"), *(ROOT / "orchestration").rglob("*.py")])
LONGEST = 450


def imports(path: Path) -> set[str]:
    """Return the full names of the modules that a file imports, wherever in the file it does."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively"
            found |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def breaches(path: Path, names: set[str]) -> list[str]:
    """Return the imports that a module of the given path may not have."""
    place = path.relative_to(ROOT).parts
    if place[0] == "orchestration":
        return sorted(name for name in names if name.split(".")[0] in ("tests", "benchmarks"))
    layer = place[1] if len(place) > 2 else "contract"
    later = ORDER[ORDER.index(layer) + 1 :]
    forbidden = ["orchestration", "tests", "benchmarks", *(f"assets.{name}" for name in later)]
    if path.name != "asset.py":
        forbidden.append("dagster")
    return sorted(name for name in names if any(name == word or name.startswith(f"{word}.") for word in forbidden))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_what_comes_before_it(path: Path) -> None:
    assert breaches(path, imports(path)) == []


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("assets/raw/inventory.py", "dagster"),
        ("assets/raw/inventory.py", "assets.parsed.reading"),
        ("assets/contract/tables.py", "assets.raw"),
        ("assets/release/store.py", "orchestration.lock"),
        ("assets/folded/asset.py", "assets.release.store"),
    ],
)
def test_the_rule_fires(path: str, name: str) -> None:
    assert breaches(ROOT / path, {name}) == [name]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_says_what_belongs_in_it_and_stays_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), f"{path} has no docstring"
    assert len(text.splitlines()) <= LONGEST
