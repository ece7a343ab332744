"""Lines and blocks of a text, and what can be told from their shape alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assets.parsed.spans import WHITE, Span, lines_of, trim

LONG = 250
"""Characters from which a block is an abstract by its length alone (a CJK character counts as three)."""
RULE = re.compile(r"^[\s>]*(?:([*\-=_#~+·•—–－─═━＊])[ \t]?(?:\1[ \t]?){2,})$")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")
_SENTENCE_END = re.compile(r"[.!?。！？…](?:[\"'”’)\]]|\[\d+\])*(?:\s|$)|。|！|？")
_WORDS = re.compile(r"[^\W\d_]+|\s+")
_FUNCTION_WORDS = (
    "the of and to we is that for with this are by on as from our in a an le les la des de du une un et est que "
    "der die "
    "und das ist mit el los las en para con il che di per os uma é и в на что для med och att som het een van på "
    "w jest"
)
_FUNCTION = frozenset(_FUNCTION_WORDS.split())
_COMMONEST = (" the ", " of ", " and ", " to ", " a ", " in ")


@dataclass(slots=True)
class Block:
    """A run of lines without a blank line in it."""

    start: int
    end: int
    lines: list[Span]


def blocks_of(text: str, start: int = 0, end: int | None = None) -> list[Block]:
    """Return the runs of non-blank lines between two positions; spans are trimmed."""
    blocks: list[Block] = []
    run: list[Span] = []
    for line in lines_of(text, start, end):
        trimmed = trim(text, *line)
        if trimmed[0] < trimmed[1]:
            run.append(trimmed)
        elif run:
            blocks.append(Block(run[0][0], run[-1][1], run))
            run = []
    if run:
        blocks.append(Block(run[0][0], run[-1][1], run))
    return blocks


def is_rule(line: str) -> bool:
    """Return whether a line is a row of stars, dashes, equals signs or the like."""
    return len(line) >= 3 and bool(RULE.match(line))


def weight(piece: str) -> int:
    """Return the length of a text in Latin characters: a CJK character says as much as three."""
    if piece.isascii():
        return len(piece)
    return len(piece) + 2 * len(_CJK.findall(piece))


def is_cjk(piece: str) -> bool:
    """Return whether a text is written mainly in Chinese, Japanese or Korean characters."""
    return not piece.isascii() and 3 * len(_CJK.findall(piece)) > len(piece)


def ends_sentence(piece: str) -> bool:
    """Return whether a text ends as a sentence does."""
    tail = piece.rstrip(WHITE)[-6:]
    return bool(re.search(r"[.!?。！？…][\"'”’)\]*_]*$", tail))


def sentences(piece: str) -> int:
    """Return roughly how many sentence ends a text has."""
    return len(_SENTENCE_END.findall(piece))


def is_prose(piece: str) -> bool:
    """Return whether a text reads as sentences of a natural language rather than as code, data or a list of names."""
    return _reads_as_prose(piece[:300]) or (len(piece) > 300 and _reads_as_prose(piece[:1500]))


def _reads_as_prose(sample: str) -> bool:
    if sum(map(sample.count, _COMMONEST)) >= 4:
        return True
    rest = _WORDS.sub("", sample)
    if len(rest) > 0.3 * len(sample):
        return False
    if is_cjk(sample):
        return bool(re.search(r"[。，、,.．]|の|を|는|을|的|在|了", sample)) or len(sample) > 60
    tokens = sample.split()
    if len(tokens) < 4:
        return False
    function_words = sum(token in _FUNCTION for token in sample.lower().split())
    capitals = sum(token[0].isupper() for token in tokens)
    if capitals > 0.6 * len(tokens) and not sample.isupper():
        # Names and titles, unless it is long and has the small words of sentences: then Every Word Was Capitalised.
        return len(sample) >= 200 and function_words * 7 >= len(tokens)
    return function_words * 14 >= len(tokens)


def is_wrapped(text: str, lines: list[Span]) -> bool:
    """Return whether lines are one paragraph broken at a width: no line but the last ends early."""
    if len(lines) < 2:
        return False
    width = max(end - start for start, end in lines)
    return width <= 140 and not early_breaks(text, lines)


def early_breaks(text: str, lines: list[Span]) -> list[int]:
    """Return the indexes of lines that end although the next line's first word would still have fitted."""
    width = max(end - start for start, end in lines)
    found = []
    for index in range(len(lines) - 1):
        start, end = lines[index]
        following = text[lines[index + 1][0] : lines[index + 1][1]]
        first_word = re.match(r"\S+", following)
        if following[:1].islower() or text[end - 1] in "-\u2010\u00ad,":
            continue
        if end - start + 1 + len(first_word[0] if first_word else "") < width * 0.95 - 1:
            found.append(index)
    return found
