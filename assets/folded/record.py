"""With which settings tables were folded, kept beside them: a check asks them of the rule that made them.

Without this, a threshold that a person changes would make every release before it look wrong.
"""

from __future__ import annotations

from pathlib import Path

from assets.contract.disk import write_text_atomically
from assets.folded.settings import FoldingSettings

FILE_NAME = "folding.json"


def write_settings(settings: FoldingSettings, folder: Path) -> None:
    """Write the settings into the folder of the tables that were folded with them."""
    write_text_atomically(folder / FILE_NAME, settings.model_dump_json(indent=2) + "\n")


def read_settings(folder: Path) -> FoldingSettings:
    """Return the settings that a folder's tables were folded with; the defaults where none are recorded."""
    path = folder / FILE_NAME
    return FoldingSettings.model_validate_json(path.read_bytes()) if path.exists() else FoldingSettings()
