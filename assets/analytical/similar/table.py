"""The table `similar_papers`: made whole, or carried on from the release before with what is new.

How near two rows are is for `neighbours.py`; here rows are papers.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from assets.analytical.similar.neighbours import NEAREST, Rows, first_of_each, in_order, nearest, shared_columns
from assets.analytical.vectors.vectors import Change, Vectors, listed
from assets.contract.arrow import polars_schema

TABLE = "similar_papers"


def similar_papers(change: Change, base: pl.LazyFrame | None) -> pl.DataFrame:
    """Return the table `similar_papers`.

    Args:
        change: The papers' vectors, and which of them are new.
        base: The table of the release before; None where there is none.
    """
    vectors, everything = change.vectors, np.arange(change.vectors.papers.height)
    if change.whole or base is None:
        pairs = first_of_each(nearest(vectors.matrix, everything, everything))
        return _table(vectors, pairs.with_columns(_shared(vectors, pairs)))
    before = base.collect()
    if not len(change.fresh) and not change.gone.len():
        return before
    return _table(vectors, _carried_on(change, before, everything))


def _carried_on(change: Change, before: pl.DataFrame, everything: Rows) -> pl.DataFrame:
    """Return the pairs of all papers: new ones asked anew, the others' from before, with the new papers among them."""
    vectors, fresh = change.vectors, change.fresh
    numbers = vectors.papers.select("paper_id").with_row_index("row").with_columns(pl.col("row").cast(pl.Int64))
    # Who lost a neighbour, or has fewer than there may be, asks anew: what would move up is not known.
    lost = before.filter(pl.col("similar_paper_id").is_in(change.gone.implode())).select("paper_id").unique()
    kept = (
        before.join(lost, on="paper_id", how="anti")
        .join(numbers, on="paper_id")
        .join(numbers.rename({"paper_id": "similar_paper_id", "row": "other"}), on="similar_paper_id")
        .filter(~pl.col("row").is_in(fresh))
    )
    asking = np.union1d(fresh, numbers.join(lost, on="paper_id").get_column("row").to_numpy())
    others = np.setdiff1d(everything, asking)
    anew = nearest(vectors.matrix, asking, everything)
    newcomers = nearest(vectors.matrix, others, fresh, NEAREST)
    computed = pl.concat([first_of_each(anew).drop("rank"), newcomers]).with_columns(
        shared_terms=pl.lit(None, pl.List(pl.String))
    )
    merged = first_of_each(in_order(pl.concat([kept.select(computed.columns), computed])))
    missing = merged.filter(pl.col("shared_terms").is_null())
    known = merged.filter(pl.col("shared_terms").is_not_null())
    return in_order(pl.concat([known, missing.with_columns(_shared(vectors, missing))]))


def _shared(vectors: Vectors, pairs: pl.DataFrame) -> pl.Series:
    sizes, columns = shared_columns(
        vectors.matrix, pairs.get_column("row").to_numpy(), pairs.get_column("other").to_numpy()
    )
    return listed(sizes, vectors.surfaces.gather(columns)).alias("shared_terms")


def _table(vectors: Vectors, pairs: pl.DataFrame) -> pl.DataFrame:
    ids = vectors.papers.get_column("paper_id")
    return pairs.with_columns(
        paper_id=ids.gather(pairs.get_column("row")), similar_paper_id=ids.gather(pairs.get_column("other"))
    ).select(pl.col(name).cast(dtype) for name, dtype in polars_schema(TABLE).items())
