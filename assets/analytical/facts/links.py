"""Addresses in a text, and whether one leads to code."""

from __future__ import annotations

import re

from assets.analytical.facts.fact import Fact

_URL = re.compile(
    r"(?:https?://|ftp://|(?<![\w@./-])www\.)[^\s<>\"“”«»{}|\\^`\x00]+"
    r"|(?<![\w@./-])(?:github\.com|gitlab\.com|bitbucket\.org|huggingface\.co|zenodo\.org|doi\.org|arxiv\.org|osf\.io"
    r"|[\w-]+\.github\.io|sites\.google\.com|bit\.ly|tinyurl\.com|goo\.gl|anonymous\.4open\.science)/[^\s<>\"“”«»{}|\\^`\x00]*",
    re.IGNORECASE,
)
SIGNS = ("://", "www.", ".com/", ".org/", ".io/", ".co/", ".ly/", ".gl/", ".science/", ".COM/", "WWW.")
"""A text without any of these has no address: asked before the pattern above is tried."""

_CODE_HOSTS = ("github.com", "gitlab.", "bitbucket.org", "4open.science", "codeocean.com", "sourceforge.net",
               "code.google.com", "pypi.", "colab.research.google.com", "git.")  # fmt: skip
_CODE_WORDS = re.compile(
    r"\b(?:codes?|codebase|implementation|source|software|package|library|toolbox|toolkit)\b", re.IGNORECASE
)
_DATA_WORDS = re.compile(r"\b(?:datasets?|data|corpus|corpora|benchmark|annotations)\b", re.IGNORECASE)
_OPENERS = {")": "(", "]": "[", "）": "（", "」": "「", "】": "【"}


def find_links(text: str) -> list[Fact]:
    """Return the addresses of a text in order: kind code_url or url; detail is code, data, paper or page."""
    found: list[Fact] = []
    if not any(sign in text for sign in SIGNS):
        return found
    for match in _URL.finditer(text):
        end = match.start() + len(_trimmed(match[0]))
        url = text[match.start() : end]
        if "." not in url.split("//")[-1]:
            continue
        use = _use(url.lower(), text[max(0, match.start() - 120) : match.start()])
        found.append(Fact("code_url" if use == "code" else "url", match.start(), end, detail=use))
    return found


def _trimmed(url: str) -> str:
    """Return an address without the marks that end the sentence or the parenthesis around it."""
    while url:
        last = url[-1]
        if last in ".,;:!?'’*_。，；、…~" or (last in _OPENERS and url.count(last) > url.count(_OPENERS[last])):
            url = url[:-1]
        else:
            break
    return url


def _use(url: str, before: str) -> str:
    """Return what an address leads to, by its host and by the words of its sentence before it."""
    said = re.split(r"[.!?]\s|https?:", before)[-1]
    if any(host in url for host in _CODE_HOSTS):
        only_data = _DATA_WORDS.search(said) and not _CODE_WORDS.search(said)
        return "data" if only_data and "github" not in url else "code"
    if "huggingface.co/datasets" in url or "kaggle.com/datasets" in url or "zenodo.org" in url:
        return "data"
    if "arxiv.org" in url or "doi.org" in url:
        return "paper"
    code, data = _CODE_WORDS.search(said), _DATA_WORDS.search(said)
    if code and not url.startswith(("https://huggingface.co", "huggingface.co")):
        return "code"
    return "data" if data else "page"
