"""Lists of authors: whether a line is one, and the names in it."""

from __future__ import annotations

import re

from assets.parsed.formats.layout import is_cjk

_PARTICLES_WORDS = (
    "de del della di da dos das du van von der den ter ten la le el al bin ibn ben zu zur af av y e i dal lo jr sr "
    "ii iii "
    "and et und"
)
_PARTICLES = frozenset(_PARTICLES_WORDS.split())
LONGEST_NAME = 200
_SPLIT_WORD = re.compile(r"\s+(?:and|und|et|y|&)\s+(?=\S)|\s*&\s*", re.IGNORECASE)
_INITIALS = re.compile(r"^(?:[A-ZÀ-Þ]\.?[\s-]?){1,4}$")
_ET_AL = re.compile(r"[,;]?\s*(?:et\.?\s*al\b\.?|and others|等人?|ら|u\.?\s*a\.)\s*$", re.IGNORECASE)
_MARKS = re.compile(r"[\d*†‡§¶∗⁎¹²³⁴⁵⁶⁷⁸⁹⁰#]+(?=\s*$)|^[\d*†‡§¶∗#]+\s*|\^\{?[\d,*]+\}?|\$[^$]*\$")
_AFFILIATION = re.compile(r"\s*[(（][^()（）]*(?:\([^()]*\)[^()]*)*[)）]")
_CITED = re.compile(
    r"(?:[;.]\s*|,\s*)(?:In:?\s+)?(?:Proceedings of|Proc\.|Findings of|Advances in|Transactions (?:of|on)|Journal of|"
    r"PMLR\b).*$",
    re.DOTALL,
)
"""Where a paper appeared, behind its authors in one line."""
_BETWEEN = "·⋅∙‧・•|"
_NAME_TOKEN = re.compile(r"^[^\W\d_][^\W\d_.'’‘`\-‐-]*(?:[.'’‘`\-‐-][^\W\d_]*)*\.?$")


def looks_like_authors(line: str) -> bool:
    """Return whether a line reads as names of people."""
    line = _ET_AL.sub("", _CITED.sub("", line).strip().strip("*_")).strip()
    if not line or len(line) > 4000:
        return False
    if is_cjk(line):
        names = [n for n in re.split(r"[、，,;；·\s]+", line) if n]
        return all(len(n) <= 5 for n in names) and not re.search(r"[。：:？！]", line)
    if re.search(r"\b(?:19|20)\d\d\b", line):
        return False
    names = split_names(line)
    if not any(len(name.split()) > 1 or not name.isascii() for name in names):
        return False
    return sum(is_name(n) for n in names) >= 0.7 * len(names)


def is_name(text: str) -> bool:
    """Return whether a text reads as the name of one person."""
    tokens = text.replace(",", " ").split()
    if not 1 <= len(tokens) <= 7:
        return False
    capital = 0
    for token in tokens:
        if token.lower().strip(".") in _PARTICLES:
            continue
        if not _NAME_TOKEN.match(token):
            return False
        if not (token[0].isupper() or not token.isascii()):
            return False
        capital += 1
    return capital >= 1


def split_names(value: str) -> list[str]:
    """Return the names in a list of authors, in order, without affiliations, marks and "et al."."""
    value = re.sub(r"\s+", " ", _CITED.sub("", value)).strip().strip("*_ ")
    value = re.sub(
        r"^(?:by|authors?|作者|著者|저자|par|von)\s*[:：]\s*|^by\s+(?=[A-Z])", "", value, flags=re.IGNORECASE
    )
    value = _ET_AL.sub("", _AFFILIATION.sub("", value))
    value = _ET_AL.sub("", value).strip(" .,;，；、")
    if ";" in value or "；" in value:
        pieces = re.split(r"\s*[;；]+\s*", value)
    elif re.search(rf"\s[{_BETWEEN}]\s|·", value) and not re.fullmatch(r"[^,]*\w·\w[^,]*", value):
        pieces = re.split(rf"\s*[{_BETWEEN}]\s*", value)
    elif is_cjk(value):
        pieces = re.split(r"\s*[、，,]\s*|\s+(?=[\u4e00-\u9fff])", value)
    else:
        pieces = _split_commas(value)
    pieces = [piece for piece in pieces if len(piece) <= LONGEST_NAME]
    names = [
        _MARKS.sub("", piece).strip(" ,.;*_") if not piece.strip().endswith(".") else _clean(piece) for piece in pieces
    ]
    return [re.sub(r"\s+", " ", name) for name in names if name and any(c.isalpha() for c in name)]


def _clean(piece: str) -> str:
    """Keep the full stop of a last initial: "Adler D.G." but not of a sentence."""
    piece = _MARKS.sub("", piece).strip(" ,;*_")
    return piece if re.search(r"\b[A-Z]\.$", piece) else piece.rstrip(".")


def _split_commas(value: str) -> list[str]:
    pieces = [p for part in re.split(r"\s*[,、，]\s*(?:and\s+|&\s*)?", value) for p in _SPLIT_WORD.split(part)]
    pieces = [p for p in pieces if p.strip()]
    seconds = pieces[1::2]
    if len(pieces) >= 2 and len(pieces) % 2 == 0 and all(_INITIALS.match(p.strip()) for p in seconds):
        return [f"{surname}, {initials}" for surname, initials in zip(pieces[0::2], seconds, strict=True)]
    return pieces
