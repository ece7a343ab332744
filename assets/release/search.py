"""Whether the search index in a database says what the papers in it say."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import duckdb
import polars as pl

from assets.contract.check import SHOWN_ROWS, Verdict

_SAMPLE = 200
"""Papers whose words are compared with their postings, spread evenly over the table."""

_MISPLACED = """
    SELECT coalesce(papers.paper_id, indexed.paper_id) AS subject, 'paper at another place, or at none' AS what
    FROM papers FULL JOIN search_index.papers AS indexed
        ON indexed.doc = papers.rowid AND indexed.paper_id = papers.paper_id
    WHERE papers.paper_id IS NULL OR indexed.paper_id IS NULL
"""
_MISCOUNTED = """
    SELECT coalesce(terms.term, counted.term_id::VARCHAR) AS subject, 'postings differ from the count of papers' AS what
    FROM search_index.terms AS terms
    FULL JOIN (SELECT term_id, count(*) AS papers FROM search_index.postings GROUP BY term_id) AS counted
        ON counted.term_id = terms.term_id
    WHERE terms.papers IS DISTINCT FROM counted.papers
"""
_MISSPELT = f"""
    WITH sampled AS (
        SELECT rowid AS doc, paper_id, title, text FROM papers
        WHERE rowid % greatest((SELECT count(*) // {_SAMPLE} FROM papers), 1) = 0
    ),
    held AS (
        SELECT DISTINCT doc, paper_id, unnest(search_words(coalesce(text, '') || ' ' || coalesce(title, ''))) AS term
        FROM sampled
    ),
    posted AS (
        SELECT postings.doc, terms.term
        FROM search_index.postings AS postings
        JOIN sampled ON sampled.doc = postings.doc
        JOIN search_index.terms AS terms ON terms.term_id = postings.term_id
    )
    SELECT coalesce(held.paper_id, 'doc ' || posted.doc) || ': ' || coalesce(held.term, posted.term) AS subject,
        'word without a posting, or posting without the word' AS what
    FROM held FULL JOIN posted ON posted.doc = held.doc AND posted.term = held.term
    -- Single characters of scripts without spaces stand in the index beside the pairs that a text is read as.
    WHERE (held.term IS NULL AND NOT (length(posted.term) = 1 AND posted.term >= '⺀')) OR posted.term IS NULL
"""


def check_search_index(database: Path) -> Verdict:
    """Judge whether the search index of a database agrees with its papers; the failing rows name paper or word."""
    failing, found = [], 0
    with closing(duckdb.connect(str(database), read_only=True)) as connection:
        try:
            for query in (_MISPLACED, _MISCOUNTED, _MISSPELT):
                rows = connection.execute(f"SELECT *, count(*) OVER () FROM ({query}) LIMIT {SHOWN_ROWS}").fetchall()
                found += rows[0][2] if rows else 0
                failing += [row[:2] for row in rows]
            papers, postings = connection.execute(
                "SELECT (SELECT count(*) FROM search_index.papers), (SELECT count(*) FROM search_index.postings)"
            ).fetchall()[0]
        except duckdb.CatalogException as error:
            return Verdict(False, {"papers": 0}, pl.DataFrame({"subject": ["search_index"], "what": [str(error)]}))
    frame = pl.DataFrame(failing[:SHOWN_ROWS], schema={"subject": pl.String, "what": pl.String}, orient="row")
    return Verdict(not failing, {"papers": papers, "postings": postings, "differences": found}, frame)
