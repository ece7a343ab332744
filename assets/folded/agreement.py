"""Agreement of two records in title, authors and ids: what speaks for one paper and what contradicts it.

Functions over plain strings and lists belong here, for one pair at a time. What the texts say is in `measure.py` and
`subject.py`; the rule that weighs all of it is in `rule.py`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

Titles = Literal["equal", "alike", "unlike", "unknown"]
Authors = Literal["agree", "disagree", "unknown"]
Ids = Literal["shared", "contradict", "unknown"]

IDENTIFYING_SCHEMES = ("doi", "arxiv", "openreview", "pmid", "pmcid", "acl", "hal", "ssrn", "semanticscholar", "dblp")
"""Schemes whose ids name one paper. Others (isbn, issn ...) name volumes and say nothing here."""

_EXCLUSIVE_SCHEMES = ("doi", "arxiv", "pmid")
"""A paper has one of these: two values contradict. It may be submitted to OpenReview several times."""

_PREPRINT_DOI = re.compile(r"^10\.(48550|1101|2139|5281|36227|21203|20944|31219|26434|31234|22541|64898)/")
_NOTICES = (
    "erratum", "errata", "corrigendum", "corrigenda", "correction", "corrections", "retraction", "retracted",
    "addendum", "comment", "comments", "reply", "response", "rebuttal", "discussion", "review",
)  # fmt: skip
_SPELLED = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "first": "1", "second": "2", "third": "3"}
_ROMAN_NUMERALS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_ROMAN_VALUES = {roman: str(number) for number, roman in enumerate(_ROMAN_NUMERALS, 1)}
_SMALL_WORDS = frozenset(
    (
        "a", "an", "the", "of", "for", "in", "on", "with", "and", "to", "by", "via", "from", "at", "as", "is", "are",
        "or", "under", "into", "over", "toward", "towards", "using",
    )
)  # fmt: skip


def series_number(word: str) -> str | None:
    """Return the number that a word of a title or series stands for (digits, Roman or spelled), else None."""
    if any(c.isdigit() for c in word):
        return word
    return _ROMAN_VALUES.get(word) or _SPELLED.get(word)


def _numbers(words: Sequence[str]) -> set[str]:
    found = {w for w in words if any(c.isdigit() for c in w)}
    if words and words[-1] in _ROMAN_VALUES:
        found.add(_ROMAN_VALUES[words[-1]])
    for before, word in pairwise(words):
        if before in ("part", "volume", "vol", "chapter", "paper", "no", "task", "track") and (
            n := series_number(word)
        ):
            found.add(n)
    return found


def titles_agree(first: str | None, second: str | None, *, similarity: float, same_text: bool) -> Titles:
    """Return how two titles (as `canonical.title_form` gives them) relate.

    Args:
        first: Words of one title, None when the record has none.
        second: Words of the other title.
        similarity: From which normalised edit similarity on titles are alike.
        same_text: Whether the two texts are equal; then a reworded title is still alike, since a title changes more
            freely than its abstract.
    """
    if first is None or second is None:
        return "unknown"
    if first == second:
        return "equal"
    a, b = first.split(), second.split()
    if (a[0] in _NOTICES) != (b[0] in _NOTICES):
        return "unlike"
    numbers_a, numbers_b = _numbers(a), _numbers(b)
    if numbers_a and numbers_b and not (numbers_a <= numbers_b or numbers_b <= numbers_a):
        return "unlike"
    if first.replace(" ", "") == second.replace(" ", ""):
        return "alike"
    short, long = sorted((a, b), key=len)
    if len(short) >= 2 and f" {' '.join(short)} " in f" {' '.join(long)} ":
        return "alike"
    if same_text:
        content = {w for w in a if w not in _SMALL_WORDS}, {w for w in b if w not in _SMALL_WORDS}
        shared = len(content[0] & content[1])
        smaller = min(len(content[0]), len(content[1]))
        return (
            "alike" if fuzz.token_sort_ratio(first, second) >= 70 or (smaller and shared / smaller >= 0.5) else "unlike"
        )
    edits: list[tuple[str, int, int, int, int]] = Levenshtein.opcodes(a, b).as_list()  # type: ignore[assignment]
    for tag, a0, a1, b0, b1 in edits:
        if tag != "replace":
            continue
        old = [w for w in a[a0:a1] if w not in _SMALL_WORDS]
        new = [w for w in b[b0:b1] if w not in _SMALL_WORDS]
        if old and new and fuzz.ratio(" ".join(old), " ".join(new)) < 60:
            return "unlike"
    close = max(Levenshtein.normalized_similarity(a, b), fuzz.token_sort_ratio(first, second) / 100)
    return "alike" if close >= similarity else "unlike"


def author_form(name: str) -> tuple[str, str]:
    """Return (surname, initials) of a name in lower case without accents: "Ada B. Muster" -> ("muster", "ab")."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)).lower()
    if "," in plain:
        surname, _, given = plain.partition(",")
    else:
        parts = plain.split()
        particles = len(parts) - 1
        while particles > 1 and parts[particles - 1] in (
            "van",
            "von",
            "de",
            "der",
            "den",
            "di",
            "da",
            "la",
            "le",
            "del",
        ):
            particles -= 1
        surname, given = " ".join(parts[particles:]), " ".join(parts[:particles])
    initials = "".join(part[0] for part in re.split(r"[\s.\-]+", given) if part and part[0].isalnum())
    return " ".join(re.findall(r"\w+", surname)), initials


def authors_agree(first: Sequence[str] | None, second: Sequence[str] | None) -> Authors:
    """Return whether two lists of authors can be one paper's.

    They agree when all surnames of the shorter list (but one in five) stand in the longer and no initial contradicts;
    "unknown" when a side names none.
    """
    if not first or not second:
        return "unknown"
    a, b = (dict(author_form(n) for n in names) for names in (first, second))
    if len(b) < len(a):
        a, b = b, a
    shared = [surname for surname in a if surname in b]
    if not shared or len(shared) < len(a) - len(a) // 5:
        return "disagree"
    for surname in shared:
        one, other = a[surname], b[surname]
        if one and other and one[0] != other[0]:
            return "disagree"
    return "agree"


def authors_disjoint(first: Sequence[str] | None, second: Sequence[str] | None) -> bool:
    """Return whether both lists name authors and no surname is in both."""
    if not first or not second:
        return False
    return not ({author_form(n)[0] for n in first} & {author_form(n)[0] for n in second})


def ids_agree(first: Iterable[str], second: Iterable[str]) -> Ids:
    """Return how two sets of ids ("scheme:value") relate: one shared, or values that one paper can't have both."""
    a, b = set(first), set(second)
    if a & b:
        return "shared"
    for scheme in _EXCLUSIVE_SCHEMES:
        one, other = (
            {i for i in ids if i.startswith(scheme + ":") and not _PREPRINT_DOI.match(i[len(scheme) + 1 :])}
            for ids in (a, b)
        )
        if one and other:
            return "contradict"
    return "unknown"
