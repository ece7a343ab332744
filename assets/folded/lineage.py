"""Lineage: which paper of the release before lives on in which cluster, and what became of the others.

Ids derive from content and then last: a cluster that holds what an earlier paper held takes over its id. Everything
here works on contents (a text with its title, as keys), so it is the same for every order of files and on every
machine.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import polars as pl

from assets.contract.arrow import conform, empty
from assets.contract.ids import paper_id
from assets.folded.words import hexadecimal

CONTENT = {"text_key": pl.UInt64, "title_key": pl.UInt64}
"""What a paper is known by from release to release; a null text_key: no text, a null title_key: no title."""

HELD = {**CONTENT, "variant_key": pl.UInt64}
"""Contents with the variant that holds them; the ledger keeps the content alone."""


@dataclass(frozen=True)
class Lineage:
    """The id of each cluster, and the ledger of retired ids."""

    ids: pl.DataFrame
    aliases: pl.DataFrame


def with_content_name(contents: pl.DataFrame) -> pl.DataFrame:
    """Return contents with `name`, as the ledger keeps it: the two keys in hexadecimal, `-` for a null one."""
    keys = [hexadecimal(contents.get_column(key)).fill_null("-") for key in CONTENT]
    return contents.with_columns(name=pl.select(pl.format("{}:{}", *keys)).to_series())


def trace(
    contents: pl.DataFrame,
    natural: pl.DataFrame,
    before: pl.DataFrame,
    ledger: pl.DataFrame,
    release_id: str | None,
    settled: pl.Series,
) -> Lineage:
    """Return the ids of the clusters and the new ledger.

    Args:
        contents: cluster and HELD: what each cluster holds, distinct.
        natural: cluster, paper_id: the id that each cluster's own content gives, for clusters that inherit none.
        before: paper_id and HELD: what each paper of the release before held, distinct.
        ledger: paper_aliases of the release before.
        settled: Ids of papers that are as they were and neither in contents nor in before.
        release_id: The release before; None for a first build.
    """
    if release_id is None:
        return Lineage(_numbered(natural, pl.Series(dtype=pl.String)), empty("paper_aliases"))
    retired = ledger_contents(ledger)
    claims = _claims(contents, before, retired)
    owner, heir = _settle(claims)
    taken = pl.concat([settled, before.get_column("paper_id"), ledger.get_column("retired_paper_id")])
    inherited = pl.DataFrame(
        {"cluster": list(owner), "paper_id": list(owner.values())}, schema={"cluster": pl.Int64, "paper_id": pl.String}
    )
    fresh = _numbered(natural.join(inherited, on="cluster", how="anti"), taken)
    ids = pl.concat([inherited, fresh.select("cluster", "paper_id")]).sort("cluster")
    return Lineage(ids, _ledger(claims, owner, heir, before, ledger, dict(ids.iter_rows()), release_id))


def _numbered(natural: pl.DataFrame, taken: pl.Series) -> pl.DataFrame:
    """Return cluster, paper_id with every id that is taken replaced by the next free one of the same content."""
    natural = natural.sort("paper_id", "cluster")
    met = taken.filter(taken.is_in(natural.get_column("paper_id").implode()))
    doubtful = natural.filter(pl.col("paper_id").is_in(met.implode()) | pl.col("paper_id").is_duplicated())
    if doubtful.is_empty():
        return natural
    seen = set(taken)
    used = seen | set(natural.get_column("paper_id"))
    renamed: dict[int, str] = {}
    for cluster, wanted in doubtful.select("cluster", "paper_id").iter_rows():
        new, attempt = wanted, 1
        while new in seen or (attempt > 1 and new in used):
            attempt += 1
            new = paper_id(wanted, str(attempt))
        seen.add(new)
        renamed[cluster] = new
    return natural.with_columns(
        paper_id=pl.col("cluster").replace_strict(renamed, default=pl.col("paper_id"), return_dtype=pl.String)
    )


def ledger_contents(ledger: pl.DataFrame) -> pl.DataFrame:
    """Return paper_id, text_key, title_key: what retired papers held last."""
    rows = [
        (retired, *(None if key == "-" else int(key, 16) for key in name.split(":")))
        for retired, names in ledger.select("retired_paper_id", "content_keys").iter_rows()
        for name in names or ()
    ]
    held = pl.DataFrame(rows, schema={"paper_id": pl.String, **CONTENT}, orient="row")
    return held.with_columns(variant_key=pl.lit(None, pl.UInt64))


def _claims(contents: pl.DataFrame, before: pl.DataFrame, retired: pl.DataFrame) -> pl.DataFrame:
    """Return cluster, paper_id, live, weight: how much of an earlier paper's content each cluster holds.

    An equal text with an equal title weighs 3, and 4 more when all else of the record is equal too. An equal text
    alone weighs 1, and counts only where a title is missing or where no second paper holds that text: the same text
    under another title may be another paper.
    """
    now = contents.select("cluster", *CONTENT).unique()
    found = []
    for papers, live in ((before, True), (retired, False)):
        same_variant = (
            contents.select("cluster", "variant_key")
            .unique()
            .join(papers.select("paper_id", "variant_key").unique(), on="variant_key")
        )
        found.append(same_variant.select("cluster", "paper_id", weight=pl.lit(4), live=pl.lit(live)))
        held = papers.select("paper_id", *CONTENT).unique()
        exact = now.join(held, on=list(CONTENT), nulls_equal=True).select("cluster", "paper_id", weight=pl.lit(3))
        contested = pl.concat(
            [
                side.filter(pl.col("text_key").is_not_null())
                .group_by("text_key")
                .agg(pl.col(owner).n_unique().alias("n"))
                for side, owner in ((now, "cluster"), (held, "paper_id"))
            ]
        ).filter(pl.col("n") > 1)
        texts = (
            now.filter(pl.col("text_key").is_not_null())
            .join(held, on="text_key", suffix="_held")
            .filter(pl.col("title_key").ne_missing(pl.col("title_key_held")))
        )
        uncontested = texts.join(contested, on="text_key", how="anti")
        untitled = texts.join(contested, on="text_key", how="semi").filter(
            pl.col("title_key").is_null() | pl.col("title_key_held").is_null()
        )
        found.append(
            pl.concat(
                [exact, *(t.select("cluster", "paper_id", weight=pl.lit(1)) for t in (uncontested, untitled))]
            ).with_columns(live=pl.lit(live))
        )
    return pl.concat(found).group_by("cluster", "paper_id", "live").agg(pl.col("weight").sum().cast(pl.Int64))


def _settle(claims: pl.DataFrame) -> tuple[dict[int, str], dict[str, int]]:
    """Return cluster -> the id that lives on in it, and id -> the cluster that holds most of its content."""
    ordered = claims.sort("live", "weight", "paper_id", "cluster", descending=[True, True, False, False])
    owner: dict[int, str] = {}
    heir: dict[str, int] = {}
    placed: set[str] = set()
    for cluster, paper in ordered.select("cluster", "paper_id").iter_rows():
        heir.setdefault(paper, cluster)
        if cluster not in owner and paper not in placed:
            owner[cluster] = paper
            placed.add(paper)
    return owner, heir


def _ledger(
    claims: pl.DataFrame,
    owner: dict[int, str],
    heir: dict[str, int],
    before: pl.DataFrame,
    ledger: pl.DataFrame,
    ids: dict[int, str],
    release_id: str,
) -> pl.DataFrame:
    living = set(owner.values())
    spread = dict(claims.group_by("paper_id").agg(pl.col("cluster").n_unique()).iter_rows())
    gone = before.filter(~pl.col("paper_id").is_in(list(living)))
    names = dict(with_content_name(gone).group_by("paper_id").agg(pl.col("name").unique().sort()).iter_rows())
    fate: dict[str, tuple[str | None, str]] = {}
    for paper in names:
        if paper in heir:
            fate[paper] = (ids[heir[paper]], "split" if spread[paper] > 1 else "merged")
        else:
            fate[paper] = (None, "withdrawn")
    rows = [
        {"retired_paper_id": p, "paper_id": to, "kind": kind, "retired_after": release_id, "content_keys": names[p]}
        for p, (to, kind) in fate.items()
    ]
    for row in ledger.iter_rows(named=True):
        retired, target = row["retired_paper_id"], row["paper_id"]
        if retired in living:
            continue
        if retired in heir:
            row["paper_id"], row["kind"] = ids[heir[retired]], row["kind"] if row["kind"] != "withdrawn" else "merged"
        elif target in fate:
            row["paper_id"] = fate[target][0]
            row["kind"] = row["kind"] if row["paper_id"] else "withdrawn"
        rows.append(row)
    table = defaultdict(list)
    for row in rows:
        for name in ("retired_paper_id", "paper_id", "kind", "retired_after", "content_keys"):
            table[name].append(row[name])
    frame = pl.DataFrame(table, schema=empty("paper_aliases").schema)
    return conform(frame.lazy(), "paper_aliases").sort("retired_paper_id").collect()
