"""Comparison: what changed from one state of the lists to a later one, paper by paper."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from assets.analytical.changes.standing import earlier_than, snapshots, standing
from assets.contract.check import Tables
from assets.folded.canonical import canonical_text
from assets.folded.subject import begins_like, codes_of

CHANGES = {
    "new": "not seen before",
    "revised": "its text differs",
    "cut": "its text is a cut copy now",
    "listed": "on the list now, and known before",
    "dropped": "no longer on the list",
}
"""What can become of a paper on a list, in the order in which it is told."""

CHANGED = {
    "list_key": pl.String,
    "change": pl.String,
    "paper_id": pl.String,
    "position": pl.Int64,
    "previous_position": pl.Int64,
    "withdrawn": pl.Boolean,
    "title": pl.String,
    "text": pl.String,
    "previous_text": pl.String,
}
"""A row per list and paper that changed. withdrawn: the paper stands nowhere any more; previous_text: of revised and
cut papers."""

_CUT_SHARE = 0.9
"""A cut copy has at most this share of the words of the text that it was cut from."""

_CUT_BEGINNING = 0.9
"""And at least this share of its words stands, in the same order, at the beginning of that text."""

_LETTERS = r"[^\pL\pN]+"
_WORD = re.compile(r"\w+")


def compare(now: Tables, before: Tables | None) -> pl.DataFrame:
    """Return what changed between two releases (columns CHANGED), by list, kind of change and position.

    Args:
        now: documents, occurrences, papers, paper_aliases of the later one.
        before: documents, occurrences, papers of the earlier one; None where there is none, so that all is new.
    """
    here = standing(now)
    there = _under_todays_ids(standing(before), now["paper_aliases"].collect()) if before else here.clear()
    return _told(_differences(here, there, there["paper_id"], here["paper_id"]), now, before or now)


def compare_snapshots(tables: Tables, now: pl.DataFrame, before: pl.DataFrame) -> pl.DataFrame:
    """Return what changed between two snapshots of one list (columns CHANGED).

    Args:
        tables: documents, occurrences, papers of one release.
        now: The documents of the later snapshot, as `standing.snapshots` gives them.
        before: Those of the earlier one.
    """
    here, there = (standing(tables, side.with_columns(last=True)) for side in (now, before))
    known = standing(tables, earlier_than(snapshots(tables["documents"]), now))["paper_id"]
    every = pl.concat([here["paper_id"], there["paper_id"]])
    return _told(_differences(here, there, known, every), tables, tables)


def _under_todays_ids(there: pl.DataFrame, aliases: pl.DataFrame) -> pl.DataFrame:
    """Return what stood before with retired papers under the ids of their heirs; each pair of list and paper once."""
    heirs = aliases.filter(pl.col("paper_id").is_not_null()).select(paper_id="retired_paper_id", heir="paper_id")
    return (
        there.join(heirs, on="paper_id", how="left", maintain_order="left")
        .with_columns(paper_id=pl.coalesce("heir", "paper_id"))
        .sort("listed", "snapshot_at", descending=True, nulls_last=True, maintain_order=True)
        .unique(["list_key", "paper_id"], keep="first", maintain_order=True)
        .drop("heir")
    )


def _differences(here: pl.DataFrame, there: pl.DataFrame, known: pl.Series, remaining: pl.Series) -> pl.DataFrame:
    """Return the pairs of list and paper that may have changed, with `change` where the text need not be looked at.

    Args:
        here: What the lists show now.
        there: What they showed before.
        known: Papers that are not new wherever they turn up.
        remaining: Papers that are not gone altogether.
    """
    both = here.join(there, on=["list_key", "paper_id"], how="full", coalesce=True, suffix="_before")
    listed, was_listed = pl.col("listed").fill_null(False), pl.col("listed_before").fill_null(False)
    is_here, was_here = pl.col("occurrence_id").is_not_null(), pl.col("occurrence_id_before").is_not_null()
    is_known, remains = (
        pl.col("paper_id").is_in(known.unique().implode()),
        pl.col("paper_id").is_in(remaining.unique().implode()),
    )
    change = (
        pl.when(is_here & ~was_here & ~is_known)
        .then(pl.lit("new"))
        .when((was_listed & ~listed) | (was_here & ~remains))
        .then(pl.lit("dropped"))
        .when(listed & ~was_listed)
        .then(pl.lit("listed"))
    )
    return both.with_columns(
        change=change,
        withdrawn=~remains,
        compared=is_here & was_here & (pl.col("occurrence_id") != pl.col("occurrence_id_before")),
    ).filter(pl.col("change").is_not_null() | pl.col("compared"))


def _told(found: pl.DataFrame, now: Tables, before: Tables) -> pl.DataFrame:
    """Return the changes with titles and texts; those whose text was looked at and is the same are left out."""
    compared = found.filter(pl.col("compared") & (pl.col("change").is_null() | (pl.col("change") == "listed")))
    texts = _both_texts(compared, now, before)
    changed = texts.filter(_differ(pl.col("text_now"), pl.col("text_before")))
    kinds = [
        "cut" if is_cut(new, old) else "revised" for new, old in changed.select("text_now", "text_before").iter_rows()
    ]
    changed = changed.with_columns(of_text=pl.Series(kinds, dtype=pl.String))
    told = (
        found.join(changed, on=["list_key", "paper_id"], how="left", maintain_order="left")
        .with_columns(change=pl.coalesce("of_text", "change"))
        .filter(pl.col("change").is_not_null())
    )
    papers = pl.concat(
        [
            side["papers"]
            .select("paper_id", "title", "text")
            .join(ids.unique().to_frame("paper_id").lazy(), on="paper_id", how="semi")
            .collect()
            for side, ids in (
                (now, told.filter(~pl.col("withdrawn"))["paper_id"]),
                (before, told.filter(pl.col("withdrawn"))["paper_id"]),
            )
        ]
    ).unique("paper_id", keep="first")
    rank = pl.col("change").replace_strict({kind: place for place, kind in enumerate(CHANGES)}, return_dtype=pl.Int64)
    return (
        told.join(papers, on="paper_id", how="left", maintain_order="left")
        .with_columns(
            text=pl.coalesce("text_now", "text"), previous_text="text_before", previous_position="position_before"
        )
        .sort("list_key", rank, "position", "previous_position", "paper_id", nulls_last=True)
        .select(pl.col(name).cast(dtype) for name, dtype in CHANGED.items())
    )


def _both_texts(compared: pl.DataFrame, now: Tables, before: Tables) -> pl.DataFrame:
    """Return list_key, paper_id, text_now, text_before of pairs that have a text on both sides."""
    frame = compared.select("list_key", "paper_id", "occurrence_id", "occurrence_id_before")
    for tables, key, name in ((now, "occurrence_id", "text_now"), (before, "occurrence_id_before", "text_before")):
        texts = tables["occurrences"].select(pl.col("occurrence_id").alias(key), pl.col("text").alias(name))
        frame = texts.join(frame.lazy(), on=key).collect()
    return frame.filter(pl.col("text_now").is_not_null() & pl.col("text_before").is_not_null()).select(
        "list_key", "paper_id", "text_now", "text_before"
    )


def _differ(one: pl.Expr, other: pl.Expr) -> pl.Expr:
    """Return whether two texts differ in more than print, white space and punctuation."""
    in_letters = [text.str.to_lowercase().str.replace_all(_LETTERS, "") for text in (one, other)]
    return (one != other) & (canonical_text(one) != canonical_text(other)) & (in_letters[0] != in_letters[1])


def is_cut(text: str, whole: str) -> bool:
    """Return whether a text is the beginning of another, longer one."""
    short, long = (_WORD.findall(t.lower()) for t in (text, whole))
    if not short or len(short) > _CUT_SHARE * len(long):
        return False
    codes = codes_of([*short, *long]).tolist()
    return begins_like(codes[: len(short)], codes[len(short) :]) >= _CUT_BEGINNING


def counted(changed: pl.DataFrame) -> dict[str, int]:
    """Return kind of change -> number of papers, a paper that changed on several lists counted once."""
    counts: Sequence[tuple[str, int]] = changed.group_by("change").agg(pl.col("paper_id").n_unique()).rows()
    return {kind: dict(counts).get(kind, 0) for kind in CHANGES}
