"""Abstracts that follow each other without any separator: the next begins where a full stop touches a capital.

Dumps of databases join abstracts so ("... than controls.PURPOSE: To compare ..."). The sign is trusted only in
stretches too long for one abstract, and only where the pieces have the length of abstracts.
"""

from __future__ import annotations

import re

LEAST_WHOLE = 3000
"""Characters of a stretch below which it is taken for one abstract."""
LEAST_PIECE = 400
"""Characters that an abstract cut out of a stretch has at least."""
DETAIL = "no separator before or after it; cut where a full stop touches the next sentence"
_TOUCHING = re.compile(
    r"(?<=[a-z0-9)%\]][.!?])(?=(?:[A-Z]{4,}[A-Z /&]*:|(?:Background|Objectives?|Purpose|Aims?|Introduction|"
    r"Context|Importance|"
    r"Methods?)\b|(?:We|The|This|In|A|An|Our|To|Recent|Although|While)\s))"
)


def glued_starts(text: str, start: int, end: int) -> list[int]:
    """Return where abstracts begin in a stretch of text: its start, and after that each touching sentence."""
    starts = [start]
    if end - start < LEAST_WHOLE:
        return starts
    for match in _TOUCHING.finditer(text, start, end):
        if match.start() - starts[-1] >= LEAST_PIECE:
            starts.append(match.start())
    if len(starts) > 1 and end - starts[-1] < LEAST_PIECE // 4:
        starts.pop()
    return starts
