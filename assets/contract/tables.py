"""The tables of a release, each described once.

A table is a dataframely schema: name, type, nullability, key and description of every column. What is derived
from it (Arrow schema, comments, dictionary) is in `arrow.py`; the rules that span tables are checks of the layer
that can break them.
"""

from __future__ import annotations

from typing import Any

import dataframely as dy

from assets.contract.vocabulary import (
    ALIAS_KINDS,
    CONFLICT_KINDS,
    DECISION_OUTCOMES,
    FACT_DETAILS,
    FACT_KINDS,
    FETCH_OUTCOMES,
    MATCH_KINDS,
    REJECT_REASONS,
)


def _words(words: dict[str, str]) -> str:
    return "; ".join(f"{word} ({meaning})" for word, meaning in words.items())


def _id(description: str, **options: Any) -> dy.String:
    return dy.String(description=description, regex=r"^[a-z]+_[0-9a-f]{20}$", **options)


def _count(description: str, **options: Any) -> dy.Int64:
    return dy.Int64(min=0, description=description, **options)


def _share(description: str) -> dy.Float64:
    return dy.Float64(nullable=True, min=0, max=1, description=description)


def _time(description: str) -> dy.Datetime:
    # Without a zone, and in UTC: DuckDB's Python clients before 2.0 can't fetch a time with a zone without pytz.
    return dy.Datetime(nullable=True, time_unit="us", description=f"{description} In UTC.")


def _external_ids(description: str) -> dy.List:
    return dy.List(
        dy.Struct(
            {
                "scheme": dy.String(regex="^[a-z]+$"),
                "value": dy.String(min_length=1),
                "version": dy.String(nullable=True),
            }
        ),
        description=description,
    )


class Files(dy.Schema):
    """Every file that the sources have at this moment, one row each (kept under work/, not published)."""

    document_id = _id("Hash of source, relative file name and content hash.", primary_key=True)
    source = dy.String(description="Name of the source that the file came from.")
    file_name = dy.String(description="Path of the file below its source, with forward slashes.")
    content_sha256 = dy.String(
        nullable=True, regex="^[0-9a-f]{64}$", description="SHA-256 of the bytes; null when they could not be read."
    )
    bytes = _count("Size of the file as it came, in bytes.")
    modified_at = _time("When the file was last changed, as its file system says.")
    snapshot_at = _time("The time that the source states for this content, else null.")
    encoding = dy.String(nullable=True, description="Encoding that the source states for this content, else null.")
    problem = dy.String(
        nullable=True, check=lambda c: c.is_in(list(REJECT_REASONS)), description="Reason why it is not stored, if so."
    )
    problem_detail = dy.String(nullable=True, description="What was found, for a person.")


class Sources(dy.Schema):
    """What the last fetch of every source came to, one row each (kept under work/, not published)."""

    source = dy.String(primary_key=True, description="Name of the source.")
    place = dy.String(description="Folder, file, pattern or address that it is read from.")
    outcome = dy.String(
        check=lambda c: c.is_in(list(FETCH_OUTCOMES)), description=f"What became of it: {_words(FETCH_OUTCOMES)}."
    )
    detail = dy.String(nullable=True, description="Why it failed, or what else a person should know.")
    documents = _count("Documents of the source that are read in this refresh.")
    new_documents = _count("Documents that the release before does not have.")
    gone_documents = _count("Documents of the release before that the source has no more.")


class Documents(dy.Schema):
    """One file of a source with its content at one time: a snapshot of a paper list."""

    document_id = _id("Hash of source, relative file name and content hash.", primary_key=True)
    source = dy.String(description="Name of the source that the file came from.")
    file_name = dy.String(description="Path of the file below its source, with forward slashes.")
    content_sha256 = dy.String(
        nullable=True, regex="^[0-9a-f]{64}$", description="SHA-256 of the bytes; null when they could not be read."
    )
    list_key = dy.String(
        description="Which list this is a snapshot of: the source's own name if it was given one, else venue and year, "
        "else the file name without its date."
    )
    heading = dy.String(nullable=True, description="The line or lines that name the list.")
    heading_start = _count("First character of the heading in the decoded text.", nullable=True)
    heading_end = _count("One past the last character of the heading in the decoded text.", nullable=True)
    venue = dy.String(nullable=True, description="Conference or journal named by the heading or the source.")
    year = dy.Int64(nullable=True, min=1900, max=2200, description="Year named by the heading or the source.")
    language = dy.String(nullable=True, regex="^[a-z]{2}$", description="Language of the heading, ISO 639-1.")
    format = dy.String(nullable=True, description="Format that was found in the content; null when not read.")
    encoding = dy.String(
        nullable=True,
        description="Codec of Python that the bytes were decoded with, or utf-8-repaired: UTF-8 whose damaged bytes "
        "were replaced; null when not decoded.",
    )
    bytes = _count("Size of the file as it came, in bytes.")
    chars_nonblank = _count("Characters of the decoded text that are not white space.")
    occurrences = _count("Occurrences read from this document.")
    rejects = _count("Rejects of this document.")
    snapshot_at = _time("Time of the snapshot, from the file name or the source; null when neither states one.")
    read_key = dy.String(
        description="Fingerprint of the reader's version and of the settings that this document was read with; "
        "an unchanged document with an equal key is not read again."
    )


class ParsedOccurrences(dy.Schema):
    """Occurrences as they were read, before folding (kept under work/, not published)."""

    occurrence_id = _id("Hash of document_id and position.", primary_key=True)
    document_id = _id("Document that the occurrence stands in.")
    position = dy.Int64(min=1, description="Position in the document, from 1.")
    char_start = _count("First character of the record in the decoded text.")
    char_end = _count("One past the last character of the record in the decoded text.")
    raw_text = dy.String(description="The whole record as it came: exactly the slice char_start to char_end.")
    text = dy.String(
        nullable=True,
        min_length=1,
        description="The abstract as a person would read it, plain Unicode (NFC); null when there is none.",
    )
    title = dy.String(nullable=True, min_length=1, description="Title of the paper, if the list gives one.")
    authors = dy.List(
        dy.String(min_length=1), nullable=True, description="Authors in order; null when the list gives none."
    )
    url = dy.String(nullable=True, description="The paper's own address, if the list gives one.")
    external_ids = _external_ids(
        "Ids of the paper elsewhere: scheme (doi, arxiv, openreview, pmid ...), value, version."
    )
    language = dy.String(nullable=True, regex="^[a-z]{2}$", description="Language of the text, ISO 639-1.")
    words = _count("Words in text; each Chinese, Japanese or Korean character counts as one.")
    detail = dy.String(nullable=True, description="What the reader was not sure of.")


class Occurrences(ParsedOccurrences):
    """One paper as it stands at one position of one document."""

    paper_id = _id("Paper that the occurrence belongs to.")
    match_kind = dy.String(
        check=lambda c: c.is_in(list(MATCH_KINDS)), description=f"How it came to its paper: {_words(MATCH_KINDS)}."
    )
    similarity = _share("Similarity to the matched occurrence, 0 to 1; null for first and where one side has no text.")
    version = dy.Int64(
        nullable=True,
        min=1,
        description="Which of the paper's distinct canonical texts this is, numbered from 1 in the order in which they "
        "appeared; null without a text.",
    )


class Rejects(dy.Schema):
    """Text that became no occurrence, or a part of one that is no abstract, with its reason."""

    document_id = _id("Document that the text stands in.", primary_key=True)
    occurrence_id = _id("Occurrence that the reject lies in, e.g. a placeholder; null when in none.", nullable=True)
    char_start = _count("First character in the decoded text; 0 when the file was not decoded.", primary_key=True)
    char_end = _count("One past the last character in the decoded text; 0 when the file was not decoded.")
    raw_text = dy.String(
        nullable=True,
        check=lambda c: c.str.len_chars() <= 2000,  # max_length counts bytes
        description="The text as it came, at most its first 2,000 characters.",
    )
    chars_nonblank = _count("Characters between char_start and char_end that are not white space.")
    reason = dy.String(
        primary_key=True,
        check=lambda c: c.is_in(list(REJECT_REASONS)),
        description=f"Why: {_words(REJECT_REASONS)}.",
    )
    detail = dy.String(nullable=True, description="What was found, for a person.")


class Papers(dy.Schema):
    """What remains after folding: one row per distinct paper."""

    paper_id = _id(
        "Id of the paper, derived from its content; keeps its meaning in every later release.", primary_key=True
    )
    text = dy.String(nullable=True, min_length=1, description="Abstract of the fullest, best-formed copy.")
    title = dy.String(nullable=True, min_length=1, description="Title from the copy that has the best one.")
    authors = dy.List(
        dy.String(min_length=1), nullable=True, description="Authors in order; null when no copy has any."
    )
    venues = dy.List(dy.String(), description="Venues of its documents, sorted.")
    years = dy.List(dy.Int64(), description="Years of its documents, sorted.")
    url = dy.String(nullable=True, description="The paper's own address, if a copy gives one.")
    external_ids = _external_ids("Ids of the paper elsewhere, from all copies: scheme, value, highest version.")
    language = dy.String(nullable=True, regex="^[a-z]{2}$", description="Language of the text, ISO 639-1.")
    words = _count("Words in text.")
    occurrence_count = dy.Int64(min=1, description="Occurrences folded into this paper, the first included.")
    document_count = dy.Int64(min=1, description="Documents that it stands in.")
    version_count = _count("Distinct canonical texts among its occurrences.")
    min_similarity = _share("Lowest similarity of any two members' texts; null when fewer than two have text.")
    field_sources = dy.Struct(
        {
            "text": dy.String(nullable=True),
            "title": dy.String(nullable=True),
            "authors": dy.String(nullable=True),
        },
        description="Which occurrence gave text, title and authors.",
    )
    representative_occurrence_id = _id("Occurrence whose text stands for the paper.")
    first_document_id = _id("First document that it stands in, by snapshot time, then file name.")
    last_document_id = _id("Last document that it stands in, by snapshot time, then file name.")


class Folds(dy.Schema):
    """The link of an occurrence to a paper that it did not begin, with its evidence."""

    occurrence_id = _id("The folded occurrence.", primary_key=True)
    paper_id = _id("Paper that it was folded into.")
    matched_occurrence_id = _id("Occurrence of the same paper that it was matched with.")
    match_kind = dy.String(
        check=lambda c: c.is_in([kind for kind in MATCH_KINDS if kind != "first"]), description="Kind of the match."
    )
    jaccard = _share("Jaccard similarity of the two word sets; null when one side has no text.")
    containment = _share("Share of the smaller word set that the larger one contains; null when one side has no text.")
    detail = dy.String(nullable=True, description="The evidence in words.")


class Conflicts(dy.Schema):
    """Texts or ids that agree while titles, ids or subjects say different papers: shown, never folded."""

    occurrence_id_a = _id("The smaller occurrence id of the pair.", primary_key=True)
    occurrence_id_b = _id("The larger occurrence id of the pair.", primary_key=True)
    kind = dy.String(
        check=lambda c: c.is_in(list(CONFLICT_KINDS)),
        description=f"Why the pair was not folded: {_words(CONFLICT_KINDS)}.",
    )
    jaccard = _share("Jaccard similarity of the two word sets; null when one side has no text.")
    detail = dy.String(nullable=True, description="The contradiction in words.")


class PaperAliases(dy.Schema):
    """The cumulative ledger of retired paper ids."""

    retired_paper_id = _id("An id that an earlier release had.", primary_key=True)
    paper_id = _id("The paper that it stands for now; null when withdrawn.", nullable=True)
    kind = dy.String(
        check=lambda c: c.is_in(list(ALIAS_KINDS)), description=f"What became of it: {_words(ALIAS_KINDS)}."
    )
    retired_after = dy.String(description="Id of the release that had it last.")
    content_keys = dy.List(
        dy.String(),
        nullable=True,
        description="Keys of the texts and titles that it held last; a text that returns gets its old id back by them.",
    )


def _stood_for(which: str) -> dy.Struct:
    names = ("text_key", "title_key", "variant_key", "source", "file_name")
    fields: dict[str, dy.Column] = {name: dy.String(nullable=True) for name in names}
    return dy.Struct(
        {**fields, "nth": dy.Int64(nullable=True)},
        nullable=True,
        description=f"What the {which} id, if it is an occurrence's, stands or stood for: keys of text, title and "
        "record, and where it stood; a decision is found again by it when the file has changed.",
    )


class Decisions(dy.Schema):
    """A person's word on a pair of papers or occurrences, and what it came to."""

    setting = dy.String(primary_key=True, description="Key of the decision in the settings, e.g. decision.2.same.")
    verdict = dy.String(
        check=lambda c: c.is_in(["same", "different"]), description="What the person said: same or different."
    )
    outcome = dy.String(
        check=lambda c: c.is_in(list(DECISION_OUTCOMES)), description=f"What it came to: {_words(DECISION_OUTCOMES)}."
    )
    id_a = _id("The first id, as the person gave it.")
    id_b = _id("The second id, as the person gave it.")
    paper_id_a = _id(
        "Paper that the first id speaks of in this release; null when nothing answers to it.", nullable=True
    )
    paper_id_b = _id("Paper that the second id speaks of; null when nothing answers to it.", nullable=True)
    stood_for_a = _stood_for("first")
    stood_for_b = _stood_for("second")


class Facts(dy.Schema):
    """Something read out of a paper's text, with the span that says it."""

    paper_id = _id("Paper that the fact was read from.", primary_key=True)
    kind = dy.String(
        primary_key=True,
        check=lambda c: c.is_in(list(FACT_KINDS)),
        description=f"Kind of fact: {_words(FACT_KINDS)}.",
    )
    value = dy.String(min_length=1, description="The fact as the text states it: exactly the slice of papers.text.")
    expansion = dy.String(
        nullable=True, description="What the name or acronym stands for, as the text says it; null where it does not."
    )
    detail = dy.String(
        nullable=True,
        check=lambda c: c.is_in([word for words in FACT_DETAILS.values() for word in words]),
        description="More on the fact, by kind: "
        + "; ".join(f"{kind}: {', '.join(words)}" for kind, words in FACT_DETAILS.items())
        + "; else null.",
    )
    char_start = _count("First character in papers.text.", primary_key=True)
    char_end = _count("One past the last character in papers.text.", primary_key=True)


class ListEdits(dy.Schema):
    """Papers that a snapshot of a list shows with another text, or in another order, than the snapshot before."""

    document_id = _id("The snapshot.", primary_key=True)
    paper_id = _id("A paper that stands in it and in the snapshot before.", primary_key=True)
    change = dy.String(
        check=lambda c: c.is_in(["revised", "moved"]),
        description="revised: its text differs in letters or digits; moved: it is one of the fewest papers that one "
        "would have to put elsewhere to come from the order of the snapshot before to this one.",
    )


class SimilarPapers(dy.Schema):
    """The papers nearest to each paper by the words that they share, and which words these are."""

    paper_id = _id("The paper.", primary_key=True)
    rank = dy.Int64(min=1, max=10, primary_key=True, description="1 for the nearest, at most 10.")
    similar_paper_id = _id("The paper that is near to it.")
    similarity = dy.Float64(
        min=0, max=1, description="Cosine of the two papers' weighted terms, 0 to 1; it falls as rank rises."
    )
    shared_terms = dy.List(
        dy.String(min_length=1),
        description="Terms that make the two alike, at most five, the most telling first, as they are mostly written.",
    )


class Topics(dy.Schema):
    """What the papers are about: a small number of topics, each named by its distinctive terms."""

    topic_id = _id("The topic; it keeps its id in later releases while it stays about the same.", primary_key=True)
    name = dy.String(min_length=1, description="Its two or three most distinctive terms.")
    terms = dy.List(dy.String(min_length=1), description="Its distinctive terms and phrases, best first, at most ten.")
    papers = _count("Papers whose main topic it is.")


class TopicPapers(dy.Schema):
    """Which topics a paper is about, and how much."""

    topic_id = _id("The topic.", primary_key=True)
    paper_id = _id("The paper.", primary_key=True)
    weight = dy.Float64(min=0, max=1, description="The topic's share of what the topics explain of the paper, 0 to 1.")
    rank = dy.Int64(min=1, description="1 for the paper's main topic, then by falling weight.")


class Terms(dy.Schema):
    """Words and phrases that set a list apart, by year; each also in the other years of its venue."""

    list_key = dy.String(description="Which list: list_key of its documents.")
    year = dy.Int64(nullable=True, description="Year of the list; null when neither list nor source names one.")
    venue = dy.String(nullable=True, description="Venue of the list, if one is named.")
    term = dy.String(min_length=1, description="The word or phrase in its commonest form, lower case.")
    words = dy.Int64(min=1, max=3, description="Words in it, 1 to 3.")
    papers = dy.Int64(min=1, description="Papers of the list that hold it in title or text.")
    share = dy.Float64(min=0, max=1, description="These as a share of the papers of the list.")
    distinctiveness = dy.Float64(
        description="Log-odds of the term here against all papers elsewhere, in standard deviations; 0 in a corpus of "
        "one list, where the commonest terms come first."
    )
    rank = dy.Int64(
        nullable=True,
        min=1,
        max=100,
        description="Place among the most distinctive of the list and year; null for one of the venue's other years.",
    )


TABLES: dict[str, type[dy.Schema]] = {
    "documents": Documents,
    "occurrences": Occurrences,
    "rejects": Rejects,
    "papers": Papers,
    "folds": Folds,
    "conflicts": Conflicts,
    "paper_aliases": PaperAliases,
    "decisions": Decisions,
    "facts": Facts,
    "list_edits": ListEdits,
    "similar_papers": SimilarPapers,
    "topics": Topics,
    "topic_papers": TopicPapers,
    "terms": Terms,
}
"""The published tables, in the order of the flow."""

WORK_TABLES: dict[str, type[dy.Schema]] = {
    "sources": Sources,
    "files": Files,
    "parsed_occurrences": ParsedOccurrences,
}
"""Tables between the steps, under work/ and never published."""


def describe(table: str) -> str:
    """Return the one-sentence description of a published or work table."""
    schema = {**TABLES, **WORK_TABLES}[table]
    return (schema.__doc__ or "").strip().splitlines()[0]
