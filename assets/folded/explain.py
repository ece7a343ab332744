"""Explanations: why two records fold or do not, in words and figures, and how two versions of a text differ.

The same rule that folds is asked here about one pair; nothing is decided that folding would decide otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import polars as pl
from rapidfuzz.distance import Levenshtein

from assets.folded.canonical import canonical_text, title_form
from assets.folded.entries import normal_ids, text_keys
from assets.folded.pairs import judged
from assets.folded.settings import FoldingSettings
from assets.folded.subject import FUNCTION_CODES, codes_of
from assets.folded.texts import part_of, texts_of
from assets.folded.words import spaced_words, stable_hash

Edit = Literal["equal", "removed", "added"]

SHOWN_WORDS = 12
"""Words of each side that an explanation lists."""

_IDS = pl.List(pl.Struct({"scheme": pl.String, "value": pl.String, "version": pl.String}))


@dataclass(frozen=True)
class Side:
    """One record of a pair, as `occurrences` or `papers` has it."""

    text: str | None = None
    title: str | None = None
    authors: Sequence[str] | None = None
    external_ids: Sequence[dict[str, Any]] = ()


@dataclass(frozen=True)
class Explanation:
    """Why a pair folds or does not.

    Attributes:
        folds: Whether the rule joins the two.
        kind: Match kind when it does.
        conflict: Kind of conflict when it does not and they look alike.
        jaccard: Jaccard similarity of the word sets; None when a side has no text.
        containment: Share of the smaller word set that the larger contains; None when a side has no text.
        only_a: Words that only a has, those that recur first.
        only_b: Words that only b has, those that recur first.
        reasons: The verdict and its grounds, a sentence each.
    """

    folds: bool
    kind: str | None
    conflict: str | None
    jaccard: float | None
    containment: float | None
    only_a: list[str] = field(default_factory=list)
    only_b: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)


def explain_pair(a: Side, b: Side, settings: FoldingSettings, *, same_list: bool = False) -> Explanation:
    """Return why two records fold, or do not.

    Args:
        a: One record.
        b: The other.
        settings: The thresholds.
        same_list: Whether both stand in lists of one list_key; it counts when neither names authors.
    """
    sides = pl.DataFrame(
        {
            "text": [a.text, b.text],
            "title": [a.title, b.title],
            "authors": [list(s.authors) if s.authors else None for s in (a, b)],
            "external_ids": [[_id(i) for i in s.external_ids] for s in (a, b)],
        },
        schema={"text": pl.String, "title": pl.String, "authors": pl.List(pl.String), "external_ids": _IDS},
    )
    filled = sides.get_column("text").fill_null("")
    keys, words = text_keys(filled)
    texts = texts_of([part_of(keys, words)])
    rows = [int(np.flatnonzero(texts.keys == key)[0]) for key in keys]
    variants = sides.select(
        "authors", title_form=title_form(pl.col("title")), ids=normal_ids(pl.col("external_ids"))
    ).with_columns(
        row=pl.Series([0, 1]),
        variant_key=pl.Series([0, 1], dtype=pl.UInt64),
        title_key=stable_hash(pl.col("title_form")),
        text_row=pl.Series([row if text is not None else -1 for row, text in zip(rows, sides["text"], strict=True)]),
    )
    link = pl.DataFrame({"a": [0], "b": [1], "same_list": [same_list]})
    word = judged(link, variants, texts, settings, None).row(0, named=True)
    canonical = sides.select(canonical_text(pl.col("text"))).to_series()
    kind = word["kind"]
    if kind and a.text is not None and a.text == b.text:
        kind = "exact"
    elif kind and a.text is not None and canonical[0] == canonical[1]:
        kind = "markup"
    only_a, only_b = _own_words(a.text or "", b.text or ""), _own_words(b.text or "", a.text or "")
    return Explanation(
        folds=kind is not None,
        kind=kind,
        conflict=word["conflict"],
        jaccard=word["jaccard"],
        containment=word["containment"],
        only_a=only_a,
        only_b=only_b,
        reasons=_reasons(word, kind, only_a, only_b, settings),
    )


def _id(given: dict[str, Any]) -> dict[str, Any]:
    return {"scheme": given["scheme"], "value": given["value"], "version": given.get("version")}


def _reasons(
    word: dict[str, Any], kind: str | None, only_a: list[str], only_b: list[str], settings: FoldingSettings
) -> list[str]:
    said = [
        f"They fold: {kind}." if kind else f"They do not fold{': ' + word['conflict'] if word['conflict'] else ''}."
    ]
    if word["jaccard"] is None:
        said.append("At least one side has no text, so titles, authors and ids decide.")
    else:
        said.append(
            f"They share {word['jaccard']:.0%} of all words of both "
            f"(a revised copy needs {settings.revised_jaccard:.0%}), "
            f"and the longer contains {word['containment']:.0%} of the shorter (a cut copy needs "
            f"{settings.cut_containment:.0%}, at its beginning)."
        )
    if word["detail"]:
        said.append(f"Evidence: {word['detail']}.")
    for name, own in (("first", only_a), ("second", only_b)):
        if own:
            said.append(f"Only the {name} says: {', '.join(own)}.")
    return said


def _own_words(text: str, other: str) -> list[str]:
    mine, theirs = (spaced_words(pl.Series([t])).item().split() for t in (text, other))
    lacking = [word for word in dict.fromkeys(mine) if word not in set(theirs)]
    codes = dict(zip(lacking, codes_of(lacking).tolist(), strict=True)) if lacking else {}
    telling = [word for word in lacking if codes[word] not in FUNCTION_CODES]
    return sorted(telling, key=lambda word: -mine.count(word))[:SHOWN_WORDS]


def word_diff(old: str, new: str) -> list[tuple[Edit, str]]:
    """Return how to come from one text to the other: stretches that are equal, removed or added, in order.

    Joining the equal and removed stretches with spaces gives the old text's words, the equal and added ones the new's.
    """
    before, after = old.split(), new.split()
    edits: list[tuple[str, int, int, int, int]] = Levenshtein.opcodes(before, after).as_list()  # type: ignore[assignment]
    found: list[tuple[Edit, str]] = []
    for tag, old_start, old_end, new_start, new_end in edits:
        if tag == "equal":
            found.append(("equal", " ".join(before[old_start:old_end])))
            continue
        if old_end > old_start:
            found.append(("removed", " ".join(before[old_start:old_end])))
        if new_end > new_start:
            found.append(("added", " ".join(after[new_start:new_end])))
    return found
