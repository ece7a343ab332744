"""What the name of a system looks like, and the lists of names that many papers use.

Which name a paper introduces, and which is a data set or a model, belongs to the modules of these kinds.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from assets.analytical.facts.patterns import word_set

LISTS = Path(__file__).parent / "names"

TOKEN = re.compile(
    r"[^\W_]['’]?(?:\w|[-+/@·](?=[\w∞])|\.(?=[\da-z])|['’](?=[\dA-Z])|[∞\u207a-\u209c])*(?:\+\+|\+(?![\w(]))?"
)
"""A word with the marks that stand inside names: hyphen, dot, slash, plus. A final plural or dot stays outside."""

_IN_PLAIN_WORDS = re.compile(
    r"^(?:non|pre|post|multi|semi|sub|anti|inter|intra|cross|self|low|high|meta|re|un|all|near|few|zero|one|two|single|"
    r"quasi|pseudo|state|real|open|closed)-[A-Z]|-as-|^[A-Z]{2,}s?-[a-z]{4,}$"
)
"""A name inside a compound of plain words: `non-BERT`, `API-accessible`, `LLM-as-a-judge`."""

_MARKED = re.compile(r"[A-Z0-9\u0080-\U0010ffff]\S*")
"""What follows, up to white space, a character that no plain word has."""

_LONG = 40
"""Characters from which a stretch without white space is not worth keeping in a cache."""

_ADJECTIVES = word_set(
    """based style like driven derived free guided aware augmented level generated only trained type assisted
    enhanced powered encoded finetuned specific enabled complete hard hardness completeness optimal weighted
    norm regularized constrained inspired compatible centric related pretrained tuned initialized conditioned
    equipped"""
)
"""Endings that make an adjective of a name: `CLIP-style` names CLIP."""


class Token(NamedTuple):
    """A word of a text and its span."""

    text: str
    start: int
    end: int


def marked_tokens(read: str) -> list[Token]:
    """Return the words of a text that are not plain: with a capital, a digit after a letter, or a sign inside."""
    tokens = []
    for marked in _MARKED.finditer(read):
        start, end = marked.span()
        while start and not read[start - 1].isspace():
            start -= 1
        words = _marked_words if end - start < _LONG else _marked_words.__wrapped__
        tokens += [Token(word, start + place, start + place + len(word)) for word, place in words(read[start:end])]
    return tokens


@lru_cache(maxsize=1 << 16)
def _marked_words(stretch: str) -> tuple[tuple[str, int], ...]:
    """Return the words of a stretch without white space that are not plain, and where they begin in it."""
    return tuple((found[0], found.start()) for found in TOKEN.finditer(stretch) if not _is_plain(found[0]))


def _is_plain(word: str) -> bool:
    """Return whether a word is in lower case throughout, or a figure."""
    return word.isascii() and (word.islower() or word[0].isdigit()) and not re.search(r"[A-Z]|[a-z]\d", word)


@lru_cache(maxsize=1 << 16)
def is_name_shaped(word: str) -> bool:
    """Return whether a word is spelled as only names are: a capital or a digit inside, or a mathematical sign."""
    inner = word[1:]
    if not inner or inner == "s":
        return False
    if inner.islower() and inner.isascii():
        return False
    letters = [c for c in word if c.isalpha()]
    if len(letters) < 2:
        return False
    if word[0].isdigit():
        # 3DMatch and 300W are names; 3D, 2D-to-3D, 10k, 64K-token and 5G are quantities.
        return re.match(r"\d+[A-Z]{1,2}[a-z]{2}|\d+[A-Z]{2,}\w|\dD\d[A-Z]", word) is not None and not word.startswith(
            ("2D", "3D-")
        )
    if any(c.isupper() for c in inner):
        return not _is_title_compound(word) and not _IN_PLAIN_WORDS.search(word)
    if any(c.isdigit() for c in inner):
        return word[0].isupper() or ("-" not in word and re.search(r"[a-z]{3}", word) is not None)
    return any(ord(c) > 0x2000 and c not in "–—’‘“”…" for c in inner)


def _is_title_compound(word: str) -> bool:
    """Return whether a word is only capitalised words put together: `Multi-Agent`, `Kullback-Leibler`, `Yes/No`."""
    parts = re.split(r"[-/]", word)
    return len(parts) > 1 and all(re.fullmatch(r"[A-Z]?[a-zà-ÿ']*|\d+", part) for part in parts)


@lru_cache(maxsize=1 << 16)
def base_of(word: str) -> str:
    """Return a name without an ending that makes an adjective or a possessive of it."""
    stem, _, ending = word.rpartition("-")
    if stem and ending in _ADJECTIVES:
        return stem.removesuffix("-pre").removesuffix("-fine")
    return word[:-2] if word.endswith(("'s", "’s")) else word


@lru_cache(maxsize=1 << 16)
def is_coined(word: str) -> bool:
    """Return whether a word is spelled as a name, in the singular, and is on no list."""
    base = without_plural(base_of(word))
    return (
        is_name_shaped(base)
        and base == without_plural(word)
        and base not in common()
        and base not in known("dataset")
        and base not in known("model")
    )


def without_plural(word: str) -> str:
    """Return a short form without its plural ending: `LLMs` is `LLM`."""
    if len(word) > 2 and word.endswith("s") and (word[-2].isupper() or word[-2].isdigit()):
        return word[:-1]
    return word[:-2] if word.endswith(("'s", "’s")) else word


def plain_expansion(words: str) -> str:
    """Return an expansion as definitions.txt spells it: singular, lower case, hyphens as spaces."""
    plain = " ".join(words.lower().replace("-", " ").split())
    if plain.endswith("ies"):
        return plain[:-3] + "y"
    return plain[:-1] if plain.endswith("s") and not plain.endswith(("ss", "is", "us")) else plain


@lru_cache(maxsize=1)
def common() -> frozenset[str]:
    """Return the abbreviations and terms that many papers use: no paper introduces them by using them."""
    return frozenset(_lines("common.txt"))


@lru_cache(maxsize=1)
def definitions() -> frozenset[tuple[str, str]]:
    """Return the pairs of short form and expansion (singular, lower case) that many papers give."""
    return frozenset(tuple(line.split(" = ", 1)) for line in _lines("definitions.txt"))  # type: ignore[misc]


@lru_cache(maxsize=2)
def known(kind: str) -> MappingProxyType[str, bool]:
    """Return the listed names of a kind, dataset or model: name -> whether it counts only beside a cue."""
    return MappingProxyType({line.removesuffix(" ?"): line.endswith(" ?") for line in _lines(f"{kind}s.txt")})


def _lines(file: str) -> list[str]:
    lines = (LISTS / file).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]
