"""What a person asks for, taken apart: words, "phrases", -exclusions and prefixes*. Nothing here reads a release."""

from __future__ import annotations

import re
from dataclasses import dataclass

# A quote opens a phrase only where a word could begin: in na\"ive it is an accent.
_PART = re.compile(r'(?P<minus>-?)"(?P<phrase>[^"]*)(?:"|$)|(?P<word>\S+)')
HINT = 'Expected words, "a phrase", -excluded or the beginning of a word with a star: memor*.'


@dataclass(frozen=True)
class Query:
    """A query in parts, each as it was typed.

    Attributes:
        asked: The whole query.
        words: The plain words, in order, as one text: any of them counts.
        phrases: What a paper must hold word by word.
        prefixes: Beginnings of words.
        excluded: Words and phrases that a paper must not hold.
        excluded_prefixes: Beginnings of words that a paper must not hold.
    """

    asked: str
    words: str
    phrases: tuple[str, ...]
    prefixes: tuple[str, ...]
    excluded: tuple[str, ...]
    excluded_prefixes: tuple[str, ...]

    def nothing_asked(self) -> str:
        """Return in words that nothing is asked for, and why."""
        if any(sign.isalnum() for part in self.excluded + self.excluded_prefixes for sign in part):
            return f"{self.asked!r} only says what to leave out. Add a word to search for."
        return f"There is no word to search for in {self.asked!r}. {HINT}"


def parse_query(asked: str) -> Query:
    """Return the parts of a query; any text is one, though it may ask for nothing."""
    words: list[str] = []
    phrases: list[str] = []
    prefixes: list[str] = []
    excluded: list[str] = []
    excluded_prefixes: list[str] = []
    for part in _PART.finditer(asked):
        phrase, word = part["phrase"], part["word"]
        if phrase is not None:
            (excluded if part["minus"] else phrases).append(phrase)
            continue
        minus = len(word) > 1 and word[0] == "-"
        word = word[1:] if minus else word
        if len(word) > 1 and word[-1] == "*":
            (excluded_prefixes if minus else prefixes).append(word[:-1])
        elif minus:
            excluded.append(word)
        else:
            words.append(word)
    return Query(asked, " ".join(words), tuple(phrases), tuple(prefixes), tuple(excluded), tuple(excluded_prefixes))
