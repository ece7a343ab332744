"""The fold rule: whether two variants are one paper, and which conflict they are when they look alike and are not.

The one place where what the texts say is weighed against titles, authors and ids. It is a pure function of the pair
and the settings: no other record, no order and no count in the corpus plays a part.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from assets.folded.agreement import authors_agree, authors_disjoint, ids_agree, titles_agree
from assets.folded.settings import FoldingSettings

FACTS: dict[str, pl.DataType | type[pl.DataType]] = {
    "a": pl.Int64,
    "b": pl.Int64,
    "jaccard": pl.Float64,
    "containment": pl.Float64,
    "similarity": pl.Float64,
    "same_list": pl.Boolean,
    "text_verdict": pl.String,
    "evidence": pl.String,
}
"""What is known of a pair of variants (rows a < b) before the rule is asked.

text_verdict: same, revised, truncated, template, near, unlike; none when a side has no text. evidence: what speaks for
two subjects, in words. same_list: records of both stand in lists of one list_key.
"""

VERDICT: dict[str, pl.DataType | type[pl.DataType]] = {
    **FACTS,
    "kind": pl.String,
    "conflict": pl.String,
    "detail": pl.String,
}
"""The rule's word on a pair: kind is set when it folds, conflict when it looks alike and does not."""

_ALIKE = ("same", "revised", "truncated")


def judge(facts: pl.DataFrame, variants: pl.DataFrame, settings: FoldingSettings) -> pl.DataFrame:
    """Return the pairs with the rule's word on each (columns VERDICT), in the order given.

    Args:
        facts: Pairs of variants, columns FACTS.
        variants: Columns title_form, authors, ids; a and b are row numbers.
        settings: The thresholds.
    """
    known = variants.select("title_form", "authors", "ids")
    plain = (
        facts.select(FACTS.keys())
        .with_row_index("pair")
        .with_columns(
            known.get_column(name).gather(facts.get_column(side)).alias(f"{name}_{side}")
            for side in ("a", "b")
            for name in known.columns
        )
    )

    def either_null(name: str) -> pl.Expr:
        return pl.col(f"{name}_a").is_null() | pl.col(f"{name}_b").is_null()

    simple = either_null("title_form") & either_null("ids") & either_null("authors")
    text_alone = _word_columns(plain.filter(simple).drop("^(title_form|authors|ids)_[ab]$")).with_columns(
        kind=pl.when(pl.col("text_verdict").is_in(_ALIKE)).then(
            pl.col("text_verdict").replace("same", "revised"),
        ),
        conflict=pl.when(pl.col("text_verdict").is_in(["template", "near"])).then("text_verdict"),
        detail=pl.col("evidence"),
    )
    weighed = [
        {**{k: row[k] for k in ("pair", *FACTS)}, **_weigh(row, settings)}
        for row in plain.filter(~simple).iter_rows(named=True)
    ]
    schema = {"pair": pl.UInt32, **VERDICT}
    return (
        pl.concat(
            [text_alone.select(pl.col(n).cast(t) for n, t in schema.items()), pl.DataFrame(weighed, schema=schema)]
        )
        .sort("pair")
        .drop("pair")
    )


def _word_columns(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.lit(None, pl.String).alias(name) for name in ("kind", "conflict", "detail"))


def _weigh(row: dict[str, Any], settings: FoldingSettings) -> dict[str, str | None]:
    """Return kind, conflict and detail of one pair whose titles, authors or ids have something to say."""
    texts = row["text_verdict"]
    titles = titles_agree(
        row["title_form_a"], row["title_form_b"], similarity=settings.title_similarity, same_text=texts == "same"
    )
    ids = ids_agree(row["ids_a"] or (), row["ids_b"] or ())
    authors = authors_agree(row["authors_a"], row["authors_b"])
    disjoint = authors_disjoint(row["authors_a"], row["authors_b"])
    evidence, jaccard = row["evidence"], row["jaccard"]

    def folds(kind: str, *why: str | None) -> dict[str, str | None]:
        return {"kind": kind, "conflict": None, "detail": _joined(*why)}

    def conflicts(kind: str | None, *why: str | None) -> dict[str, str | None]:
        return {"kind": None, "conflict": kind, "detail": _joined(*why)}

    alike = texts in _ALIKE
    text_kind = "revised" if texts == "same" else texts
    about_titles = {
        "equal": "titles equal",
        "alike": "titles alike",
        "unlike": f"titles differ: “{row['title_form_a']}” and “{row['title_form_b']}”",
        "unknown": None,
    }[titles]
    if ids == "contradict":
        ids_said = f"ids contradict: {', '.join(row['ids_a'])} and {', '.join(row['ids_b'])}"
        if alike or (texts == "none" and titles == "equal"):
            return conflicts("same_text_other_title", ids_said, about_titles, evidence)
        return conflicts(_look_alike(texts), ids_said, about_titles, evidence)
    if ids == "shared":
        shared = f"shared id {', '.join(sorted(set(row['ids_a']) & set(row['ids_b'])))}"
        if alike:
            return folds(text_kind, evidence, shared, about_titles)
        close = jaccard is not None and max(jaccard, row["containment"] - 0.2) >= settings.shared_id_similarity
        if texts == "template" or titles == "unlike" or (titles == "unknown" and texts != "none" and not close):
            return conflicts("shared_id", shared, about_titles, evidence)
        return folds("same_id", shared, about_titles, evidence)
    if titles == "unlike":
        return conflicts("same_text_other_title" if alike else _look_alike(texts), about_titles, evidence)
    if texts == "none":
        if titles == "equal" and authors == "agree":
            return folds("same_title", "titles equal and authors agree")
        if titles == "equal" and authors == "unknown" and row["same_list"]:
            return folds("same_title", "titles equal within one list")
        return conflicts(None)
    if alike:
        if disjoint and not (texts == "same" and titles == "equal" and len(row["title_form_a"].split()) >= 3):
            return conflicts("near", "no author in common", about_titles, evidence)
        return folds(text_kind, evidence, about_titles)
    if (
        texts in ("near", "unlike")
        and titles == "equal"
        and authors == "agree"
        and jaccard >= settings.floor
        and len(row["title_form_a"].split()) >= 3
    ):
        return folds("revised", evidence, "titles equal and authors agree")
    return conflicts(_look_alike(texts), about_titles, evidence)


def _look_alike(texts: str) -> str | None:
    return texts if texts in ("template", "near") else None


def _joined(*parts: str | None) -> str | None:
    return "; ".join(part for part in parts if part) or None
