"""The closed sets of words that the tables use, the layers, and the contract's version."""

from __future__ import annotations

from typing import Literal

Severity = Literal["ERROR", "WARN"]
"""Of a check: whether what breaks it must not be published, or is only told."""

CONTRACT_VERSION = "2"
"""Part of every release id: a release of another contract version leads to a full build that keeps the ids."""

FETCH_OUTCOMES = {
    "new": "documents came or went",
    "unchanged": "the documents of the release before",
    "failed": "it could not be fetched, and its last documents stay",
}
REJECT_REASONS = {
    "structure": "separators, labels and markup between records",
    "heading_repeat": "the list's heading again",
    "page_furniture": "lines of the page around the list: menus, counters, page numbers, footers",
    "no_abstract": "a record without a title and without an abstract",
    "placeholder": "a site message in the place of the abstract",
    "too_short": "a text too short to be an abstract",
    "fragment": "a piece of text that belongs to no record",
    "unreadable_file": "the file could not be opened or read",
    "undecodable": "the bytes fit no encoding that is read",
    "unsupported_format": "a format that is recognised and not read; detail names it",
    "binary": "not text",
    "too_large": "larger than the limit in the settings",
}
MATCH_KINDS = {
    "first": "the occurrence that began its paper",
    "exact": "the same abstract as it came",
    "markup": "the same canonical text: equal after markup, white space, case, Unicode form, dashes and quotes",
    "revised": "a revised copy: words edited, a sentence added, dropped or moved",
    "truncated": "a cut copy",
    "same_id": "a shared DOI, arXiv or OpenReview id",
    "same_title": "one side has no text; titles equal and authors agree",
    "decision": "a person's word",
}
CONFLICT_KINDS = {
    "same_text_other_title": "equal texts under unlike titles or with contradicting ids",
    "template": "texts of one form that differ in their subject",
    "shared_id": "one id on unlike papers",
    "chain": "a pair that the rule accepts and that the paper's other members do not support",
    "near": "similar texts below what the rule accepts",
}
ALIAS_KINDS = {
    "merged": "the paper was folded into another",
    "split": "the paper's occurrences went to several papers; the id goes on with one of them",
    "withdrawn": "the paper's last occurrence went away",
}
DECISION_OUTCOMES = {
    "holds": "the papers are as the person said",
    "unresolved": "nothing in this release answers to one of the ids, or to one of them alone",
    "overruled": "another decision says otherwise",
}
FACT_KINDS = {
    "introduced": "a name that the paper itself introduces",
    "acronym": "a short form that the text defines",
    "dataset": "a data set or benchmark that it names",
    "model": "a model, baseline, library or training algorithm that it names",
    "url": "an address",
    "code_url": "an address of code",
    "citation": "a work that it cites",
    "claim": "a numeric claim",
    "theory": "the words that claim a formal result, once a paper",
}
FACT_DETAILS = {
    "introduced": ("verb", "defined", "use"),
    "url": ("data", "paper", "page"),
    "code_url": ("code",),
    "claim": ("result", "scale"),
    "theory": ("proof", "bound", "analysis"),
}
"""Kind of fact -> the words that its detail can be."""
LAYERS = ("raw", "parsed", "folded", "analytical", "release")

TABLE_LAYERS = {
    "documents": "parsed",
    "rejects": "parsed",
    "occurrences": "folded",
    "papers": "folded",
    "folds": "folded",
    "conflicts": "folded",
    "paper_aliases": "folded",
    "decisions": "folded",
    "facts": "analytical",
    "list_edits": "analytical",
    "similar_papers": "analytical",
    "topics": "analytical",
    "topic_papers": "analytical",
    "terms": "analytical",
}
"""Which layer makes a published table, and holds it under work/ until it is published."""
