"""Words that say nothing about a paper's subject: function words, and the boilerplate of abstracts.

The lists are the text files beside this module. How words are found and reduced to stems is in `tokens.py`.
"""

from __future__ import annotations

from pathlib import Path


def _words(file_name: str) -> frozenset[str]:
    return frozenset(Path(__file__).with_name(file_name).read_text(encoding="utf-8").split())


FUNCTION_WORDS = _words("function_words.txt")
"""Of English, and of the commonest of the other languages that abstracts are written in."""

BOILERPLATE = _words("boilerplate.txt")
"""What abstracts of every subject say. Some of these words do carry meaning within a phrase ("language models")."""
