"""How prose is shown: on a terminal with colours and wrapped to its width, else as plain lines."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

if TYPE_CHECKING:
    from assets.analytical.changes.edits import Edits

STYLES = {"equal": "", "removed": "red strike", "added": "bold green"}
"""How words are shown that two texts share, that one lost, that the other has instead."""


def prose_console(out: TextIO | None = None) -> Console:
    """Return a console for prose; a line is a line where the output is no terminal."""
    console = Console(file=out or sys.stdout, highlight=False, emoji=False, markup=False)
    console.soft_wrap = not console.is_terminal
    return console


def shown_edits(edits: Edits, *, coloured: bool) -> Text:
    """Return the edits with changed words coloured, or marked as in `[-18%-]{+21%+}`."""
    from assets.analytical.changes.edits import in_plain_text  # slow to load, and most prose has no edits

    if not coloured:
        return Text(in_plain_text(edits))
    return Text(" ").join(Text(words, STYLES[edit]) for edit, words in edits)


def print_below(text: Text, indent: int, console: Console) -> None:
    """Print a text indented, with its further lines below its first."""
    console.print(Padding(text, (0, 0, 0, indent)) if console.is_terminal else Text(" " * indent).append_text(text))
