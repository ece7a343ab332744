"""Ids of papers elsewhere, found in addresses and in the fields of a record.

Ids are taken from what a record says about itself (its link, its id field, its feed line), never from the running
text of an abstract, which cites the papers of others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from assets.parsed.record import ExternalId

ARXIV = r"(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d{1,3})?"
"""Pattern of an arXiv id, new or old, with its version."""
_ARXIV_URL = re.compile(rf"arxiv\.org/(?:abs|pdf|html|format)/({ARXIV})", re.IGNORECASE)
_ARXIV_MARK = re.compile(rf"\barXiv[:\s]\s*({ARXIV})", re.IGNORECASE)
_ARXIV_DOI = re.compile(rf"^10\.48550/arxiv\.({ARXIV})$", re.IGNORECASE)
_DOI = re.compile(r"\b(10\.\d{4,9}/[^\s\"'<>{}|\\^`]+)", re.IGNORECASE)
_OPENREVIEW = re.compile(r"openreview\.net/(?:forum|pdf|attachment)\?id=([\w-]{6,})", re.IGNORECASE)
_PMID_URL = re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/(\d{4,9})", re.IGNORECASE)
_PMC = re.compile(r"\b(PMC\d{4,9})\b")
_ACL = re.compile(r"aclanthology\.org/([\w.-]+?)(?:\.pdf)?/?$", re.IGNORECASE)


def arxiv(value: str) -> ExternalId | None:
    """Return the arXiv id that the value is or begins with, its version split off."""
    match = re.match(rf"\s*(?:arxiv:)?\s*({ARXIV})(?![\w.])", value, re.IGNORECASE)
    if not match:
        return None
    body, _, version = match[1].partition("v") if re.search(r"v\d{1,3}$", match[1]) else (match[1], "", "")
    return ExternalId("arxiv", body, version or None)


def doi(value: str) -> ExternalId | None:
    """Return the DOI in the value in lower case; arXiv's own DOIs become arXiv ids."""
    match = _DOI.search(unquote(value))
    if not match:
        return None
    found = match[1].rstrip(".,;:").lower()
    while found.endswith(")") and found.count("(") < found.count(")"):
        found = found[:-1].rstrip(".,;")
    if inner := _ARXIV_DOI.match(found):
        return arxiv(inner[1])
    return ExternalId("doi", found)


def from_url(url: str) -> list[ExternalId]:
    """Return the ids that an address holds."""
    found: list[ExternalId] = []
    if match := _ARXIV_URL.search(url):
        found.append(arxiv(match[1]) or ExternalId("arxiv", match[1]))
    if match := _OPENREVIEW.search(url):
        found.append(ExternalId("openreview", match[1]))
    if match := _PMID_URL.search(url):
        found.append(ExternalId("pmid", match[1]))
    if match := _ACL.search(url):
        found.append(ExternalId("acl", match[1]))
    if re.search(r"doi\.org/|/doi/|[?&]doi=", url) and (value := doi(url)):
        found.append(value)
    return found


def from_text(text: str) -> list[ExternalId]:
    """Return the ids that a record's own lines state: addresses, `arXiv:…` and `doi:…` marks."""
    found = [identity for url in re.findall(r"https?://[^\s<>\"'\])}]+", text) for identity in from_url(url)]
    found += [identity for value in _ARXIV_MARK.findall(text) if (identity := arxiv(value))]
    if re.search(r"\bdoi\b", text, re.IGNORECASE) and (value := doi(text)):
        found.append(value)
    return found


def unique(ids: Iterable[ExternalId]) -> list[ExternalId]:
    """Return the ids sorted, one per scheme and value, with the highest version that was seen."""
    best: dict[tuple[str, str], ExternalId] = {}
    for identity in ids:
        key = (identity.scheme, identity.value)
        if key not in best or int(identity.version or 0) > int(best[key].version or 0):
            best[key] = identity
    return [best[key] for key in sorted(best)]
