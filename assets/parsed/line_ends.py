"""Lines of a text joined into one: white space folded, hyphens of line ends undone.

A hyphen at a line end either broke a word (sens-/ing) or belongs to it (two-/map). It stays where the text itself
or common usage says that it belongs to the word.
"""

from __future__ import annotations

import re

_FIRST_PARTS = (
    "all anti audio auto best bi black bottom class closed co coarse cost cross data deep double end ex few fine "
    "first four free full gradient graph ground half hand hard head high human image in inter intra k key "
    "knowledge label large left lightweight light long loss low machine man many mean meta mid mini model multi "
    "multiple near neuro new no non of off on one open out over part per physics point post pre prior privacy "
    "problem pseudo quasi real right risk robot run sample second self semi shape short single six small so soft "
    "sparse speech state step strong sub super task test text third three time to token top trade two ultra un "
    "under up user value vector video vision visual weak well white whole wide word world x year zero"
)
KEEPS_HYPHEN = frozenset(_FIRST_PARTS.split())
"""First parts after which a hyphen at a line end is kept."""
_BROKEN = re.compile(r"(?<![\w-])((?:[^\W\d_]+-)*)([^\W\d_]+)[-\u2010\u00ad]\s*[\n\r\u2028\u0085]\s*([^\W\d_]+)")
_SPACED = re.compile(
    r"(?<![\w-])([^\W\d_]{2,})- (?!(?:and|or|to|und|oder|et|ou|y|e|bis|versus|vs|through)\b)([a-zß-ÿ]{2,})"
)
_HYPHEN_AT_END = re.compile(r"(?<=\w)[-\u2010]\s*[\n\r\u2028\u0085]\s*(?=\w)")
_SOFT = re.compile("\u00ad[ \t]*[\r\n]*[ \t]*(?=\\w)|\u00ad")
_HYPHEN_AND_BLANK = re.compile(r"[-\u2010]\s")
_CJK = "\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef"
_CJK_BREAK = re.compile(f"(?<=[{_CJK}])[ \t]*[\r\n]+[ \t]*(?=[{_CJK}])")


def join_lines(text: str) -> str:
    """Return the text on one line: one space between words, no hyphen that only ended a line."""
    if "\u00ad" in text:
        text = _SOFT.sub("", text)
    if _HYPHEN_AND_BLANK.search(text):
        whole = text.lower()
        text = _BROKEN.sub(lambda m: _rejoin(whole, m[1], m[2], m[3]), text)
        text = _HYPHEN_AT_END.sub("-", text)
        text = _SPACED.sub(lambda m: _rejoin_spaced(whole, m), text)
    if not text.isascii() and ("\n" in text or "\r" in text):
        text = _CJK_BREAK.sub("", text)
    return " ".join(text.split())


def _rejoin(whole: str, lead: str, first: str, second: str) -> str:
    if lead or second[0].isupper() or _keeps_hyphen(whole, first, second):
        return f"{lead}{first}-{second}"
    return f"{first}{second}"


def _rejoin_spaced(whole: str, match: re.Match[str]) -> str:
    first, second = match[1], match[2]
    return f"{first}-{second}" if _keeps_hyphen(whole, first, second) else f"{first}{second}"


def _keeps_hyphen(whole: str, first: str, second: str) -> bool:
    """Return whether the hyphen belongs to the word: as the same text writes it elsewhere, else by usage."""
    if re.search(rf"\b{re.escape((first + second).lower())}", whole):
        return False
    if re.search(rf"\b{re.escape(first.lower())}-{re.escape(second.lower())}", whole):
        return True
    return first.lower() in KEEPS_HYPHEN
