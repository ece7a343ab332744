"""Keeps finished stretches of a text from the steps that follow: formulas must not lose stars to Markdown.

A stretch is replaced by a token made of two noncharacters, which no text may hold, and put back at the end.
"""

from __future__ import annotations

import re

OPEN, CLOSE = "\ufdd0", "\ufdd1"
_TOKEN = re.compile(f"{OPEN}(\\d+){CLOSE}")


class Shield:
    """Hidden stretches of one text."""

    def __init__(self) -> None:
        self._hidden: list[str] = []

    def hide(self, stretch: str) -> str:
        """Return a token that stands for the stretch."""
        self._hidden.append(stretch)
        return f"{OPEN}{len(self._hidden) - 1}{CLOSE}"

    def reveal(self, text: str) -> str:
        """Return the text with every token replaced by its stretch, also where stretches were hidden in others."""
        return self._reveal(text, len(self._hidden))

    def _reveal(self, text: str, below: int) -> str:
        """A stretch can hold only stretches that were hidden before it, so this ends whatever the text holds."""

        def stretch(match: re.Match[str]) -> str:
            index = int(match[1])
            return self._reveal(self._hidden[index], index) if index < below else ""

        return _TOKEN.sub(stretch, text) if OPEN in text else text
