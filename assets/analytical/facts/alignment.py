"""Whether a short form can stand for a run of words, and how well: the letters of the short form in the words.

After Schwartz and Hearst (2003), "A simple algorithm for identifying abbreviation definitions in biomedical text":
each letter of the short form stands in the words, in order, the first at the start of the first word. Unlike there,
all ways to place the letters are weighed: letters at the start of words cost nothing, letters inside words and words
without a letter cost something, and the run of words with the lowest cost wins.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from assets.analytical.facts.patterns import word_set

SMALL_WORDS = word_set("""a an and as at by for from in into of on or over the through to under using via with""")

_PARTS = re.compile(r"[^\W_]+(?:[’'][a-z]+)?")
_DIGITS = {"2": ("to", "two", "too"), "3": ("three", "triple"), "4": ("for", "four"), "1": ("one",), "8": ("eight",)}
_SPELLED = frozenset(_DIGITS) | {"x"}
_INSIDE, _SKIPPED, _SKIPPED_SMALL = 2.0, 1.5, 0.25
_NEVER = 1e9


def letters_of(short: str) -> str:
    """Return the letters and digits of a short form in lower case, without a plural ending and accents."""
    if len(short) > 2 and short.endswith("s") and short[-2].isupper():
        short = short[:-1]
    plain = unicodedata.normalize("NFKD", short)
    return "".join(c for c in plain.lower() if c.isalnum())


def alignment_cost(letters: str, words: str) -> float | None:
    """Return what it costs to place all letters in the words, the first in the first word; None when they don't fit."""
    first = words[:1]
    told = bool(letters) and letters[0] not in _SPELLED and first.isascii() and first.isalnum()
    if told and first.lower() != letters[0]:
        return None  # as most words: told before they are taken apart
    return _cost(letters, words)


@lru_cache(maxsize=1 << 16)
def _cost(letters: str, words: str) -> float | None:
    parts = _PARTS.findall(unicodedata.normalize("NFKD", words).lower().replace("’", "'"))
    if not parts or not letters or len(parts) > 24:
        return None
    if parts[0][0] != letters[0] and not _spells(letters[0], parts[0]):
        return None
    if "".join(part[0] for part in parts) == letters:
        return 0.0
    cost = _place(letters, tuple(parts))
    return cost if cost < _NEVER else None


def _place(letters: str, parts: tuple[str, ...]) -> float:
    """Return the lowest cost by dynamic programming over (letters placed, words passed)."""
    best = [_NEVER] * (len(letters) + 1)
    best[0] = 0.0
    for number, part in enumerate(parts):
        following = [_NEVER] * (len(letters) + 1)
        skipped = _SKIPPED_SMALL if part in SMALL_WORDS else _SKIPPED
        for placed, cost in enumerate(best):
            if cost >= _NEVER:
                continue
            if number and cost + skipped < following[placed]:
                following[placed] = cost + skipped
            for taken, price in _taken(letters, placed, part):
                if cost + price < following[placed + taken]:
                    following[placed + taken] = cost + price
        best = following
    return best[len(letters)]


def _taken(letters: str, placed: int, part: str) -> list[tuple[int, float]]:
    """Return how many of the next letters a word can take, and at what cost: a prefix is free, gaps are not."""
    if placed == len(letters):
        return []
    if part[0] != letters[placed]:
        return [(1, 0.0)] if _spells(letters[placed], part) else []
    found, price, place = [(1, 0.0)], 0.0, 1
    for taken, letter in enumerate(letters[placed + 1 :], 2):
        at = part.find(letter, place)
        if at < 0:
            break
        price += 0.1 if at == place else _INSIDE
        found.append((taken, price))
        place = at + 1
    return found


def _spells(letter: str, part: str) -> bool:
    """Return whether a digit or an x stands for a word: graph-to-graph is G2G, cross-lingual XL."""
    if letter == "x":
        return part.startswith(("ex", "cross", "trans"))
    return part in _DIGITS.get(letter, ())
