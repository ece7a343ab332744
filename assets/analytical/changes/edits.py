"""Edits: how the difference of two texts is shortened and written down as plain text.

What differs is found by `explain.word_diff`; here it becomes something to read. Colours are the terminal's business.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assets.folded.explain import Edit, word_diff

Edits = Sequence[tuple[Edit, str]]
"""Stretches of words that are equal, removed or added, in order."""

CONTEXT = 6
"""Words of equal text shown on each side of a changed stretch."""

LONGEST = 40
"""Words shown of a removed or added stretch."""

_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def one_line(text: str) -> str:
    """Return a text in one line, without the control characters by which a list could write over a terminal."""
    return " ".join(_UNSEEN.sub(" ", text).split())


def difference(old: str, new: str) -> list[tuple[Edit, str]]:
    """Return the words of two texts as edits; at one place what was removed comes before what was added."""
    found: list[tuple[Edit, str]] = []
    changed: dict[Edit, list[str]] = {"removed": [], "added": []}

    def close() -> None:
        found.extend((edit, " ".join(words)) for edit, words in changed.items() if words)
        changed.update({"removed": [], "added": []})

    for edit, words in word_diff(one_line(old), one_line(new)):
        if edit == "equal":
            close()
            found.append((edit, words))
        else:
            changed[edit].append(words)
    close()
    return found


def shortened(edits: Edits, context: int = CONTEXT, longest: int = LONGEST) -> list[tuple[Edit, str]]:
    """Return the edits with equal stretches cut to the words beside a change, and long changes cut in their middle."""
    found: list[tuple[Edit, str]] = []
    last = len(edits) - 1
    for place, (edit, words) in enumerate(edits):
        listed = words.split(" ")
        if edit != "equal":
            found.append((edit, _without_middle(listed, longest // 2, longest // 2)))
        else:
            found.append((edit, _without_middle(listed, context if place else 0, context if place < last else 0)))
    return found


def _without_middle(words: list[str], before: int, after: int) -> str:
    if len(words) <= before + after + 1:
        return " ".join(words)
    kept = [*words[:before], "…", *(words[-after:] if after else [])]
    return " ".join(kept)


def in_plain_text(edits: Edits) -> str:
    """Return edits as text: `ends the tour [-18%-]{+21%+} sooner`."""
    marks = {"equal": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}
    return " ".join(marks[edit].format(words) for edit, words in edits).replace("-] {+", "-]{+")


def beginning(text: str | None, longest: int = 80) -> str:
    """Return the first words of a text in one line, at most so many characters."""
    line = one_line(text or "")
    if len(line) <= longest:
        return line
    cut = line[:longest]
    # Text without spaces is most likely Chinese or Japanese, whose characters are twice as wide.
    return (cut[: cut.rindex(" ")] if " " in cut else cut[: longest // 2]) + " …"
