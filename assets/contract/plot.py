"""Small plots for the UI: bars as an SVG in a data address, inside Markdown that is short enough to be shown at once.

Dagster draws Markdown below 1,000 characters where it stands and puts longer one behind a link. A plot holds numbers
and words of ours; a label that comes from elsewhere is escaped, and the whole is encoded, so nothing in it is markup.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape

LONGEST = 999
"""Characters of the longest Markdown that the UI shows in its place."""

_HEIGHT = 48
_WIDTH = 300
_MOST_BARS = 30
_MOST_NAMES = 8
_NAME_CHARS = 18
_LETTERS = " font-family='sans-serif' font-size='11'"
_LIGHT, _DARK = "#9db8d9", "#24578f"


def plot_bars(words: str, totals: Sequence[int], parts: Sequence[int] = ()) -> str:
    """Return Markdown with a bar for each total, the share that is its part darker, and the words below.

    Of more than 30 bars neighbours are added up.
    """
    for most in (_MOST_BARS, _MOST_BARS // 2, _MOST_BARS // 4):
        drawn = _grouped(totals, most)
        highest = max(drawn, default=0) or 1
        paths = [_path(drawn, highest, _LIGHT if parts else _DARK)]
        if parts:
            paths.append(_path(_grouped(parts, most), highest, _DARK))
        markdown = _markdown(_svg(_HEIGHT, "".join(paths)), words)
        if len(markdown) <= LONGEST:
            break
    return markdown


def plot_named(words: str, rows: Sequence[tuple[str, int]]) -> str:
    """Return Markdown with a lying bar and a label for each row, and the words below; of many rows the first eight."""
    highest = max((number for _, number in rows), default=0) or 1
    markdown = ""
    for most in range(_MOST_NAMES, 0, -1):
        drawn = []
        for place, (name, number) in enumerate(rows[:most]):
            size = max(round(100 * number / highest), 1)
            drawn.append(f"<path d='M0 {place * 16}h{size}v14H0' fill='{_LIGHT}'/>")
            drawn.append(f"<text x='4' y='{place * 16 + 11}'>{escape(name[:_NAME_CHARS])} {number}</text>")
        left_out = len(rows) - most
        more = f"; {left_out} more" if left_out > 0 else ""
        markdown = _markdown(
            _svg(16 * min(most, len(rows)) or 1, "".join(drawn), " font-family='sans-serif' font-size='11'"),
            words + more,
        )
        if len(markdown) <= LONGEST:
            break
    return markdown


def histogram(numbers: Sequence[int], counts: Sequence[int], bins: int = 24) -> tuple[list[int], int]:
    """Return how often numbers fall into equal bins from 0 up to the last, and the width of a bin.

    What lies beyond the widest 99 % is in the last bin, so that one giant does not flatten all others.
    """
    pairs = sorted(zip(numbers, counts, strict=True))
    total, seen, high = sum(counts), 0, 0
    for number, count in pairs:
        seen += count
        high = number
        if seen >= 0.99 * total:
            break
    width = max(-(-(high + 1) // bins), 1)
    found = [0] * bins
    for number, count in pairs:
        found[min(number // width, bins - 1)] += count
    return found, width


def _grouped(numbers: Sequence[int], most: int) -> list[int]:
    """Return at most so many numbers, neighbours added up."""
    size = -(-len(numbers) // most) or 1
    return [sum(numbers[start : start + size]) for start in range(0, len(numbers), size)]


def _path(numbers: Sequence[int], highest: int, colour: str) -> str:
    step = max(_WIDTH // max(len(numbers), 1), 2)
    wide = min(step - 1, 24)
    heights = [round(_HEIGHT * number / highest) for number in numbers]
    bars = "".join(f"v-{height}h{wide}v{height}m{step - wide} 0" for height in heights)
    return f"<path d='M0 {_HEIGHT}{bars}' fill='{colour}'/>"


def _svg(height: int, content: str, more: str = "") -> str:
    return f"<svg xmlns='http://www.w3.org/2000/svg' width='{_WIDTH}' height='{height}'{more}>{content}</svg>"


def _markdown(svg: str, words: str) -> str:
    return f"![plot](data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()})\n\n{words}"
