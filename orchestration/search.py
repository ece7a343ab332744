"""`paperfold search`: ranked papers with a snippet, read from the index of the current release.

Words are brought to one form by the macros of the release itself, so that this command and `FROM search(...)` read
plain words alike. What only the command knows is here: phrases, exclusions, prefixes, suggestions.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import duckdb
from rich.padding import Padding
from rich.text import Text

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DATABASE, DataFolder
from assets.release.store import resolve_release
from orchestration.search_query import Query, parse_query
from orchestration.search_snippet import Snippet, cut_snippet, words_of
from orchestration.terminal import prose_console

_BATCH = 100
"""Papers whose text is compared with the phrases at one time."""
_PREFIX_TERMS = 1_000
"""Words that a prefix stands for at most, those in most papers first."""

_RANKED = """
WITH clauses AS (
    SELECT unnest($clauses::INTEGER[]) AS clause, unnest($terms::INTEGER[]) AS term_id
),
held AS (
    SELECT clauses.clause, postings.doc, sum(postings.frequency) AS frequency
    FROM search_index.postings AS postings JOIN clauses ON clauses.term_id = postings.term_id
    GROUP BY clauses.clause, postings.doc
),
weighed AS (
    SELECT clause, ln(1 + (any_value(corpus.papers) - count(*) + 0.5) / (count(*) + 0.5)) AS rarity
    FROM held CROSS JOIN search_index.corpus AS corpus
    GROUP BY clause
)
SELECT held.doc, sum(weighed.rarity * 2.2 * held.frequency / (held.frequency + indexed.damping))::FLOAT AS score
FROM held
JOIN weighed ON weighed.clause = held.clause
JOIN search_index.papers AS indexed ON indexed.doc = held.doc
WHERE held.doc NOT IN (
    SELECT doc FROM search_index.postings WHERE term_id IN (SELECT unnest($excluded::INTEGER[]))
)
GROUP BY held.doc
HAVING count(*) FILTER (held.clause < $required) = $required
ORDER BY score DESC, held.doc
"""
_TEXTS = """
SELECT papers.rowid, papers.paper_id, papers.title, papers.text
FROM papers JOIN (SELECT unnest($docs::INTEGER[]) AS doc) AS wanted ON papers.rowid = wanted.doc
"""
_SUGGESTED = """
SELECT term FROM search_index.terms
WHERE abs(length(term) - length($word)) < 3 AND damerau_levenshtein(term, $word) <= greatest(length($word) // 4, 1)
ORDER BY damerau_levenshtein(term, $word), papers DESC, term
LIMIT 3
"""


@dataclass(frozen=True)
class Found:
    """A paper that answers."""

    rank: int
    score: float
    paper_id: str
    title: Snippet | None
    snippet: Snippet | None


@dataclass(frozen=True)
class Answer:
    """What a search came to.

    Attributes:
        found: The papers, best first.
        unknown: Words of the query that no paper holds, each with words like it that papers hold.
    """

    found: Sequence[Found]
    unknown: dict[str, list[str]] = field(default_factory=dict)


def print_answer(answer: Answer, words: str) -> None:
    """Print papers with their snippets, marked on a terminal and plain elsewhere, or that nothing was found."""
    console = prose_console()
    for found in answer.found:
        title = _marked(found.title, "bold") if found.title else Text("(no title)", style="dim")
        console.print(Text.assemble(f"{found.rank:>3}  ", title))
        console.print(Text(f"     {found.paper_id}  score {found.score:.2f}", style="dim"))
        if found.snippet:
            console.print(Padding(_marked(found.snippet, ""), (0, 0, 0, 5)))
        console.print()
    if not answer.found:
        console.print(Text(f"No paper answers {words!r}."))
    for word, alike in answer.unknown.items():
        meant = f" Did you mean {' or '.join(alike)}?" if alike else ""
        console.print(Text(f"No paper holds {word!r}.{meant}"))


def _marked(snippet: Snippet, style: str) -> Text:
    text = Text(snippet.text, style=style)
    for start, end in snippet.hits:
        text.stylize("bold yellow", start, end)
    return text


def answer_json(answer: Answer) -> list[dict[str, object]]:
    """Return the papers as plain values, with the (start, end) of each part of the snippet that was asked for."""
    return [
        {
            "rank": found.rank,
            "score": found.score,
            "paper_id": found.paper_id,
            "title": found.title.text if found.title else None,
            "snippet": found.snippet.text if found.snippet else None,
            "hits": [list(hit) for hit in found.snippet.hits] if found.snippet else [],
        }
        for found in answer.found
    ]


def search_release(folder: DataFolder, words: str, limit: int) -> Answer:
    """Return the papers of the current release that answer a query.

    Raises:
        PaperfoldError: when there is no release, it has no index, or the query asks for nothing.
    """
    query = parse_query(words)
    database = folder.release(resolve_release(folder, None).release_id) / DATABASE
    try:
        with closing(duckdb.connect(str(database), read_only=True)) as connection:
            return _Search(connection, query).answer(limit)
    except duckdb.CatalogException as error:
        raise PaperfoldError(
            "The current release has no search index: an earlier version made it. Refresh it with `paperfold build`."
        ) from error
    except duckdb.IOException as error:
        raise PaperfoldError(f"The release can't be read: {str(error).splitlines()[0]}") from error


class _Search:
    """One query on one open release."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, query: Query) -> None:
        self._connection = connection
        self._query = query
        self._words = list(dict.fromkeys(self._forms(query.words)))
        self._phrases = [forms for forms in self._forms_of_each(query.phrases) if forms]
        self._prefixes = self._beginnings(query.prefixes)
        excluded = self._forms_of_each(query.excluded)
        self._excluded_words = [forms[0] for forms in excluded if len(forms) == 1]
        self._excluded_phrases = [forms for forms in excluded if len(forms) > 1]
        self._excluded_prefixes = self._beginnings(query.excluded_prefixes)

    def answer(self, limit: int) -> Answer:
        """Return the best papers, or which words no paper holds."""
        if not (self._words or self._phrases or self._prefixes):
            raise PaperfoldError(self._query.nothing_asked())
        required = list(dict.fromkeys(form for forms in self._phrases for form in forms))
        optional = [form for form in self._words if form not in required]
        ids = self._term_ids([*required, *optional, *self._excluded_words])
        clauses = [(number, ids[form]) for number, form in enumerate([*required, *optional]) if form in ids]
        begun = len(required) + len(optional)
        expanded = [self._expand(prefix) for prefix in self._prefixes]
        clauses += [(begun + number, term) for number, terms in enumerate(expanded) for term in terms.values()]
        excluded = [ids[form] for form in self._excluded_words if form in ids]
        excluded += [term for prefix in self._excluded_prefixes for term in self._expand(prefix).values()]
        unknown = [form for form in [*required, *optional] if form not in ids]
        unknown += [f"{prefix}*" for prefix, terms in zip(self._prefixes, expanded, strict=True) if not terms]
        sought = {*required, *optional, *(form for terms in expanded for form in terms)}
        taken = self._take(self._ranked(clauses, excluded, len(required)), limit)
        return Answer(self._show(taken, sought), {word: self._suggest(word) for word in unknown})

    def _ranked(
        self, clauses: Sequence[tuple[int, int]], excluded: Sequence[int], required: int
    ) -> list[tuple[int, float]]:
        given = {
            "clauses": [clause for clause, _ in clauses],
            "terms": [term for _, term in clauses],
            "excluded": list(excluded),
            "required": required,
        }
        return self._connection.execute(_RANKED, given).fetchall()

    def _take(self, ranked: Sequence[tuple[int, float]], limit: int) -> list[tuple[float, str, str | None, str | None]]:
        """Return score, paper_id, title and text of the first papers that hold every phrase and none excluded."""
        taken: list[tuple[float, str, str | None, str | None]] = []
        size = _BATCH if self._phrases or self._excluded_phrases else limit
        for start in range(0, len(ranked), size):
            batch = ranked[start : start + size]
            papers = {row[0]: row[1:] for row in self._rows(_TEXTS, docs=[doc for doc, _ in batch])}
            taken += [
                (round(float(score), 4), *papers[doc])
                for doc, score in batch
                if self._phrases_fit([part for part in papers[doc][1:] if part])
            ]
            if len(taken) >= limit:
                break
        return taken[:limit]

    def _show(self, taken: Sequence[tuple[float, str, str | None, str | None]], sought: Set[str]) -> list[Found]:
        """Return what is shown of each paper, the words that were asked for marked."""
        words = sorted({word for _, _, *parts in taken for part in parts if part for word in words_of(part)})
        forms = zip(words, self._forms_of_each(words), strict=True)
        marked = {word for word, held in forms if not sought.isdisjoint(held)}
        return [
            Found(
                rank,
                score,
                paper_id,
                cut_snippet(title, marked) if title else None,
                cut_snippet(text, marked) if text else None,
            )
            for rank, (score, paper_id, title, text) in enumerate(taken, 1)
        ]

    def _phrases_fit(self, parts: Sequence[str]) -> bool:
        wanted = [forms for forms in self._phrases if len(forms) > 1]
        if not wanted and not self._excluded_phrases:
            return True
        held = [f" {' '.join(forms)} " for forms in self._forms_of_each(parts)]
        holds = [any(f" {' '.join(phrase)} " in part for part in held) for phrase in wanted]
        return all(holds) and not any(
            f" {' '.join(phrase)} " in part for phrase in self._excluded_phrases for part in held
        )

    def _expand(self, prefix: str) -> dict[str, int]:
        """Return term -> number of the words that begin so; a plural counts by its singular, as the index does."""
        query = (
            "SELECT term, term_id FROM search_index.terms WHERE starts_with(term, $prefix) OR "
            f"term = search_stem($prefix) ORDER BY papers DESC, term LIMIT {_PREFIX_TERMS}"
        )
        return dict(self._rows(query, prefix=prefix))

    def _term_ids(self, forms: Sequence[str]) -> dict[str, int]:
        query = "SELECT term, term_id FROM search_index.terms WHERE term IN (SELECT unnest($forms::VARCHAR[]))"
        return dict(self._rows(query, forms=list(forms)))

    def _suggest(self, word: str) -> list[str]:
        known = word.rstrip("*")
        return [row[0] for row in self._rows(_SUGGESTED, word=known)] if len(known) > 3 else []

    def _forms(self, text: str) -> list[str]:
        return self._rows("SELECT search_words($text)", text=text)[0][0] or []

    def _forms_of_each(self, texts: Sequence[str]) -> list[list[str]]:
        query = "SELECT search_words(text) FROM (SELECT unnest($texts::VARCHAR[]) AS text)"
        return [row[0] for row in self._rows(query, texts=list(texts))]

    def _beginnings(self, prefixes: Sequence[str]) -> list[str]:
        """Return the last word of each prefix without case and accents, no plural undone."""
        words = "regexp_extract_all(search_plain(text), '[\\pL\\pN]+')"
        query = f"SELECT {words} FROM (SELECT unnest($texts::VARCHAR[]) AS text)"
        return [row[0][-1] for row in self._rows(query, texts=list(prefixes)) if row[0]]

    def _rows(self, query: str, **given: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(query, given).fetchall()
