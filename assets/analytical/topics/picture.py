"""The picture of the topics: a bar per topic, and beside it its share of each list and year, as one SVG.

It is drawn by hand: a few dozen rectangles and lines of text do not need a charting library, and its bytes depend on
the tables alone.
"""

from __future__ import annotations

from html import escape

import polars as pl

PICTURE = "topics.svg"

MOST_COLUMNS = 12
"""Lists and years that are shown, the largest ones."""

_ROW, _TOP, _NAME, _BAR, _CELL, _MARGIN = 30, 132, 370, 190, 46, 28
_INK, _SOFT, _FAINT, _FILL = "#1f2933", "#616e7c", "#e4e7eb", "#2f6f8f"
_HEADING = 190
_LONGEST_NAME, _LONGEST_LABEL = 52, 20
_FONT = "ui-sans-serif, system-ui, 'Segoe UI', Helvetica, Arial, 'Noto Sans', 'Noto Sans CJK SC', sans-serif"


def sizes(
    topics: pl.DataFrame, topic_papers: pl.DataFrame, occurrences: pl.LazyFrame, documents: pl.LazyFrame
) -> pl.DataFrame:
    """Return list_key, year, topic_id, papers: for how many papers of each list and year a topic is the main one."""
    listed = (
        occurrences.select("document_id", "paper_id")
        .join(documents.select("document_id", "list_key", "year"), on="document_id")
        .select("list_key", "year", "paper_id")
        .unique()
    )
    main = topic_papers.lazy().filter(pl.col("rank") == 1).join(topics.lazy(), on="topic_id", how="semi")
    return (
        listed.join(main, on="paper_id")
        .group_by("list_key", "year", "topic_id")
        .agg(papers=pl.len().cast(pl.Int64))
        .sort("list_key", "year", "topic_id", nulls_last=True)
        .collect()
    )


def draw(topics: pl.DataFrame, counted: pl.DataFrame) -> str:
    """Return the picture as SVG.

    Args:
        topics: The table `topics`, in the order in which they are shown.
        counted: As `sizes` returns it.
    """
    columns = _columns(counted)
    if len(columns) == 1:
        columns = []  # the bars say it already
    left = _MARGIN + _NAME + _BAR + 70
    width = left + (max(len(columns) * _CELL + 60, _HEADING) + _MARGIN if columns else 0)
    height = _TOP + topics.height * _ROW + _MARGIN + 8
    total = int(topics.get_column("papers").sum())
    said = f"{topics.height} topics of {total:,} papers" if topics.height else "Too few papers for topics"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" aria-label="{escape(said)}" font-family="{_FONT}">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        _text(_MARGIN, 42, said, size=20, weight=600),
    ]
    if topics.height:
        parts.append(_text(_MARGIN, 64, "Papers by their main topic", size=13, fill=_SOFT))
        largest = max(1, *topics.get_column("papers"))
        parts += [
            part
            for place, (name, papers) in enumerate(topics.select("name", "papers").iter_rows())
            for part in _bar(place, name, papers, papers / largest, width)
        ]
        if columns:
            parts.append(_text(left, 42, "Share of each list and year", size=13, fill=_SOFT))
        shares = _shares(counted)
        for number, column in enumerate(columns):
            parts += _cells(left + number * _CELL, column, shares, topics.get_column("topic_id").to_list())
    return "\n".join([*parts, "</svg>", ""])


def _columns(counted: pl.DataFrame) -> list[tuple[str, int | None]]:
    """Return the largest lists with their years, in order of year and list."""
    largest = (
        counted.group_by("list_key", "year")
        .agg(pl.col("papers").sum())
        .sort(-pl.col("papers"), "list_key", "year")
        .head(MOST_COLUMNS)
        .sort("year", "list_key", nulls_last=True)
    )
    return [(list_key, year) for list_key, year in largest.select("list_key", "year").iter_rows()]


def _shares(counted: pl.DataFrame) -> dict[tuple[str, int | None, str], float]:
    shared = counted.with_columns(share=pl.col("papers") / pl.col("papers").sum().over("list_key", "year"))
    return {
        (list_key, year, topic): share
        for list_key, year, topic, share in shared.select("list_key", "year", "topic_id", "share").iter_rows()
    }


def _bar(place: int, name: str, papers: int, part: float, width: int) -> list[str]:
    y = _TOP + place * _ROW
    start = _MARGIN + _NAME
    return [
        f'<line x1="{_MARGIN}" y1="{y + _ROW}" x2="{width - _MARGIN}" y2="{y + _ROW}" stroke="{_FAINT}"/>',
        _text(_MARGIN, y + 20, _cut(name, _LONGEST_NAME), size=14, whole=name),
        f'<rect x="{start}" y="{y + 8}" width="{max(1.5, part * _BAR):.1f}" height="14" rx="2" fill="{_FILL}"/>',
        _text(start + round(part * _BAR) + 8, y + 20, f"{papers:,}", size=12, fill=_SOFT),
    ]


def _cells(
    x: int, column: tuple[str, int | None], shares: dict[tuple[str, int | None, str], float], topic_ids: list[str]
) -> list[str]:
    list_key, year = column
    # The year stands in most list keys already.
    label = list_key if year is None or str(year) in list_key else f"{list_key} {year}"
    turned = f'transform="rotate(-32 {x + 14} {_TOP - 8})"'
    parts = [_text(x + 14, _TOP - 8, _cut(label, _LONGEST_LABEL), size=11, fill=_SOFT, whole=label, more=turned)]
    for place, topic in enumerate(topic_ids):
        share = shares.get((list_key, year, topic), 0.0)
        if share:
            y, strength = _TOP + place * _ROW, min(1.0, 0.08 + 1.8 * share)
            parts.append(
                f'<rect x="{x}" y="{y + 3}" width="{_CELL - 4}" height="{_ROW - 6}" rx="3" fill="{_FILL}" '
                f'fill-opacity="{strength:.2f}"/>'
            )
            ink = "#ffffff" if strength > 0.5 else _INK
            said = f"{share:.0%}" if share >= 0.005 else "<1%"
            parts.append(_text(x + (_CELL - 4) // 2, y + 19, said, size=11, fill=ink, more='text-anchor="middle"'))
    return parts


def _text(
    x: int, y: int, text: str, *, size: int, fill: str = _INK, weight: int = 400, whole: str = "", more: str = ""
) -> str:
    """Return a line of text; `whole` is shown by viewers when the pointer rests on a text that was cut."""
    title = f"<title>{_safe(whole)}</title>" if whole and whole != text else ""
    heavier = f' font-weight="{weight}"' if weight != 400 else ""
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}"{heavier} {more}>{title}{_safe(text)}</text>'


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip(" ·") + "…"


def _safe(text: str) -> str:
    """Return text escaped, without the control characters that XML forbids."""
    return escape("".join(c for c in text if c.isprintable()))
