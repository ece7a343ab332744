"""The operations guide and the units of deploy/: what they name is there."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from orchestration import serve
from tests.conftest import ROOT

GUIDE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
UNITS = sorted((ROOT / "deploy").glob("*.service"))
SOURCE = "\n".join(
    path.read_text(encoding="utf-8") for folder in ("assets", "orchestration") for path in (ROOT / folder).rglob("*.py")
)
FROM_THE_SYSTEM = ("No space left on device",)


def messages() -> list[str]:
    """Return the messages of the table of what to do."""
    table = GUIDE.split("| it says |", 1)[1]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("|") and "---" not in line]
    return [message for row in rows for message in re.findall(r"`([^`]+)`", row)]


def test_there_is_a_pair_of_units() -> None:
    assert [path.name for path in UNITS] == ["paperfold-daemon.service", "paperfold-webserver.service"]


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
def test_a_unit_starts_a_server_that_there_is(unit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = configparser.RawConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(unit, encoding="utf-8")
    program, *arguments = parser["Service"]["ExecStart"].split()
    assert program == "/opt/paperfold/.venv/bin/python"
    assert arguments[:2] == ["-m", "orchestration.serve"]
    command, environment = serve._prepared([*arguments[2:], "--data", "data"])
    assert Path(command[0]).name == f"dagster-{arguments[2]}"
    assert Path(command[0]).exists()
    assert environment["DAGSTER_HOME"] == str(Path("data/dagster").absolute())
    assert parser["Service"]["User"] == "paperfold"


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
def test_systemd_accepts_a_unit(unit: Path, tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed")
    copy = tmp_path / unit.name
    text = unit.read_text(encoding="utf-8").replace("/opt/paperfold/.venv/bin/python", sys.executable)
    copy.write_text(text.replace("/opt/paperfold", str(ROOT)), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", str(copy)], capture_output=True, text=True)
    told = [line for line in done.stderr.splitlines() if unit.name in line]
    assert (done.returncode, told) == (0, []), done.stderr


@pytest.mark.parametrize("message", messages())
def test_each_message_that_the_guide_explains_is_one_that_is_said(message: str) -> None:
    fragments = [part.strip(" `.'(),:") for part in re.split(r"\.\.\.|\bN\b|\(|RELEASE", message)]
    longest = max(fragments, key=len)
    assert len(longest) > 4
    assert message in FROM_THE_SYSTEM or longest in SOURCE, longest


def test_each_setting_and_variable_that_the_guide_names_is_there() -> None:
    settings = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    named = {key.lower().replace("__", ".") for key in re.findall(r"PAPERFOLD_([A-Z]+(?:__[A-Z_]+)?)", GUIDE)}
    named |= set(re.findall(r"`((?:release|alert|dagster|freshness)\.[a-z_]+)`", GUIDE))
    assert {"alert.webhook", "release.keep", "dagster.storage"} <= named
    assert [key for key in sorted(named) if f"`{key}`" not in settings] == []
