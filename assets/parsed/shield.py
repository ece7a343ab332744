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
        while _TOKEN.search(text):
            text = _TOKEN.sub(lambda m: self._hidden[int(m[1])] if int(m[1]) < len(self._hidden) else "", text)
        return text
