"""Subject: whether two similar texts speak of the same thing, told by what differs and not by how much.

A revision changes scattered words. A template keeps its form and changes its subject: one word gives way to another
wherever it stood, a part I becomes a part II, one set of figures becomes another. Functions over the word codes of one
pair belong here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from rapidfuzz.distance import LCSseq, Levenshtein

from assets.folded.codes import CodeSet
from assets.folded.texts import Codes
from assets.folded.words import hash_words

_FUNCTION_WORDS = (
    "a an and are as at be been being but by can could did do does for from had has have how however i if in into is "
    "it its may more most not of on only or our over s such than that the their them then there these they this those "
    "through thus to two under up us use used using was we were what when where whether which while who will with "
    "within without would you also both each between among about after all any because before during e g et al here "
    "hence other some new one show shows paper propose proposed approach method methods results based via "
    "emph mathrm mathbf mathcal mathbb mathsf texttt textbf textit textsc widetilde tilde hat bar sqrt leq geq times"
)
_SERIES_WORDS = (
    "part parts volume vol chapter paper no number task track phase stage study section lecture day session edition "
    "article report companion book letter year season week"
)
_NOTICES = "erratum errata corrigendum corrigenda correction retraction retracted addendum"
_NUMBER_WORDS = (
    "i ii iii iv v vi vii viii ix x xi xii first second third fourth fifth sixth one two three four five six seven "
    "eight nine ten"
)
_LETTERS = "a b c d e f g h i j k l m n o p q r s t u v w x y z"


def codes_of(words: Sequence[str]) -> Codes:
    """Return the codes of single words, as `texts.Texts.codes` holds them."""
    return (hash_words(pl.Series(words)).hashes >> np.uint64(32)).astype(np.uint32)


FUNCTION_CODES = frozenset(codes_of(_FUNCTION_WORDS.split()).tolist())
_SERIES_CODES = frozenset(codes_of(_SERIES_WORDS.split()).tolist())
_NOTICE_CODES = frozenset(codes_of(_NOTICES.split()).tolist())
_DIGITS = [str(n) for n in range(10_000)] + [f"0{n}" for n in range(10)] + [f"00{n}" for n in range(10)]
_FIGURES = codes_of([*_DIGITS, *_LETTERS.split()])
_NUMBERS = codes_of([*_NUMBER_WORDS.split(), *_DIGITS[:1000], *(_LETTERS.split())])
FIGURE_CODES = frozenset(_FIGURES.tolist())
_LETTER_CODES = frozenset(codes_of(_LETTERS.split()).tolist())
_NUMBER_CODES = frozenset(_NUMBERS.tolist())
TELLING = CodeSet(np.concatenate((_FIGURES, _NUMBERS, codes_of(_NOTICES.split()))))
"""Numbers, letters and notices: a pair that differs in one of them on both sides is looked at."""

ANNOUNCING = CodeSet(codes_of([*_SERIES_WORDS.split(), *_NOTICES.split()]))
"""Words by which a text says that it is a part of a series or a notice about another."""

PLAIN = CodeSet(np.concatenate((codes_of(_FUNCTION_WORDS.split()), _FIGURES)))
"""Function words and figures: they recur everywhere and are no subject."""

FUNCTIONAL = CodeSet(codes_of(_FUNCTION_WORDS.split()))
SERIES = CodeSet(codes_of(_SERIES_WORDS.split()))
NUMBERS = CodeSet(_NUMBERS)
NOTICES = CodeSet(codes_of(_NOTICES.split()))
"""Function words; words of a series; what may follow them; notices."""

MANY_FIGURES = 8
"""So many different figures on each side, and little else, are another set of data."""

ANNOUNCED_BY = 12
"""Words within which a text that is a part of a series says which part it is."""

NOTICED_BY = 3
"""Words within which a text says that it is a notice."""

OPENING_WORDS = 3
"""Words of its own, function words aside, with which each of two texts opens that go on alike."""

WHEREVER = 3
"""Times that a word gave way, to several words of the other text, to be the subject."""

LONGEST_SWAP = 10
"""Words in a stretch where one subject gave way to another; longer ones are sentences dropped, added or rewritten."""


OPEN_UNLIKE = "they open with unlike sentences and go on alike"
"""Evidence of an unlike opening, in words."""


@dataclass(frozen=True)
class Difference:
    """What speaks for two subjects: `kind` is swap, series, figures, opening or notice; codes of each side's words."""

    kind: str
    ours: tuple[int, ...]
    theirs: tuple[int, ...]

    def __str__(self) -> str:
        """Return the evidence in words (without the words themselves, which are hashed here)."""
        return {
            "swap": "one text's recurring words give way to the other's own wherever they stood",
            "series": "numbered parts of a series",
            "figures": "the figures differ and little else",
            "opening": OPEN_UNLIKE,
            "notice": "one is a notice about the other",
        }[self.kind]


def same_order(x: Sequence[int], y: Sequence[int]) -> float:
    """Return the share of the shorter text's words that stand in the same order in the other (0 to 1)."""
    return float(LCSseq.similarity(x, y)) / max(min(len(x), len(y)), 1)


def begins_like(x: Sequence[int], y: Sequence[int]) -> float:
    """Return the share of the shorter text's words that stand in the same order at the longer one's beginning."""
    short, long = (x, y) if len(x) <= len(y) else (y, x)
    return float(LCSseq.similarity(short, long[: len(short) + len(short) // 4 + 3])) / max(len(short), 1)


def longest_rewritten(x: Sequence[int], y: Sequence[int]) -> int:
    """Return the words of the longest stretch that was replaced as a whole (counted on its shorter side)."""
    return max((min(x1 - x0, y1 - y0) for x0, x1, y0, y1 in _edit_blocks(x, y)), default=0)


def other_subject(x: Sequence[int], y: Sequence[int]) -> Difference | None:
    """Return what speaks for two subjects in two similar word sequences, or None."""
    set_x, set_y = set(x), set(y)
    only_x, only_y = set_x - set_y, set_y - set_x
    if not (only_x or only_y):
        return None
    return (
        _notice(x, y, only_x, only_y)
        or _series(x, y, only_x | only_y)
        or _opening(x, y, only_x, only_y)
        or _figures(set_x & set_y, only_x, only_y)
        or _swap(x, y, only_x, only_y)
    )


def _notice(x: Sequence[int], y: Sequence[int], only_x: set[int], only_y: set[int]) -> Difference | None:
    if _NOTICE_CODES.isdisjoint(only_x) and _NOTICE_CODES.isdisjoint(only_y):
        return None
    for words, only, mine in ((x, only_x, True), (y, only_y, False)):
        found = tuple(w for w in words[:NOTICED_BY] if w in _NOTICE_CODES and w in only)
        if found:
            return Difference("notice", found if mine else (), () if mine else found)
    return None


def _series(x: Sequence[int], y: Sequence[int], differing: set[int]) -> Difference | None:
    """Each text's first number of one kind of series (part, volume, task) is not the other's."""
    if _NUMBER_CODES.isdisjoint(differing):
        return None
    common = _SERIES_CODES.intersection(x).intersection(y)
    if not common:
        return None
    firsts: list[dict[int, tuple[int, int]]] = []
    for words in (x, y):
        of_series: dict[int, tuple[int, int]] = {}
        for place in [place for place, word in enumerate(words[:-1]) if word in common]:
            if words[place + 1] in _NUMBER_CODES:
                of_series.setdefault(words[place], (words[place + 1], place))
        firsts.append(of_series)
    for series, (ours, our_place) in firsts[0].items():
        theirs, their_place = firsts[1].get(series, (ours, 0))
        if ours == theirs:
            continue
        announced = max(our_place, their_place) < ANNOUNCED_BY
        if announced or (ours not in y and theirs not in x):
            return Difference("series", (ours,), (theirs,))
    return None


def _opening(x: Sequence[int], y: Sequence[int], only_x: set[int], only_y: set[int]) -> Difference | None:
    """The texts open with unlike sentences, and all that follows is common: boilerplate behind two subjects."""
    if x[:3] == y[:3] or set(x[:3]) & set(y[:3]) - FUNCTION_CODES:
        return None
    blocks = _edit_blocks(x, y)
    if not blocks or len(blocks) > 2:
        return None
    x0, x1, y0, y1 = blocks[0]
    ours = {w for w in x[x0:x1] if w in only_x and w not in FUNCTION_CODES}
    theirs = {w for w in y[y0:y1] if w in only_y and w not in FUNCTION_CODES}
    if max(x0, y0) <= 2 and min(len(ours), len(theirs)) >= OPENING_WORDS:
        return Difference("opening", tuple(sorted(ours)), tuple(sorted(theirs)))
    return None


def _figures(shared: set[int], only_x: set[int], only_y: set[int]) -> Difference | None:
    if min(len(only_x), len(only_y)) < MANY_FIGURES:
        return None
    figures_x, figures_y = only_x & FIGURE_CODES, only_y & FIGURE_CODES
    if min(len(figures_x), len(figures_y)) < MANY_FIGURES:
        return None
    little_else = len(figures_x) + len(figures_y) >= 0.7 * (len(only_x) + len(only_y))
    if little_else and len(shared & FIGURE_CODES) <= min(len(figures_x), len(figures_y)):
        return Difference("figures", tuple(sorted(figures_x)), tuple(sorted(figures_y)))
    return None


def _edit_blocks(x: Sequence[int], y: Sequence[int]) -> list[tuple[int, int, int, int]]:
    """Return the stretches that differ, as (start, end) in x and in y; fewer than three equal words do not part two."""
    blocks: list[tuple[int, int, int, int]] = []
    edits: list[tuple[str, int, int, int, int]] = Levenshtein.opcodes(x, y).as_list()  # type: ignore[assignment]
    for tag, x0, x1, y0, y1 in edits:
        if tag == "equal":
            continue
        if blocks and x0 - blocks[-1][1] < 3 and y0 - blocks[-1][3] < 3:
            blocks[-1] = (blocks[-1][0], x1, blocks[-1][2], y1)
        else:
            blocks.append((x0, x1, y0, y1))
    return blocks


def _recurring(words: Sequence[int], own: set[int]) -> dict[int, int]:
    """Return how often those of a text's own words stand there that recur and may be its subject."""
    counts = Counter(word for word in words if word in own)
    return {w: n for w, n in counts.items() if n >= 2 and w not in FUNCTION_CODES and w not in FIGURE_CODES}


def _swap(x: Sequence[int], y: Sequence[int], only_x: set[int], only_y: set[int]) -> Difference | None:
    """A word that recurs on one side, and on the other has its own word in its place wherever it stood."""
    if not (only_x and only_y):
        return None
    count_x, count_y = _recurring(x, only_x), _recurring(y, only_y)
    both = count_x and count_y
    if not both and max([*count_x.values(), *count_y.values()], default=0) < WHEREVER:
        return None
    subject_x, subject_y = set(count_x), set(count_y)
    swaps: Counter[tuple[int, int]] = Counter()
    replaced_x: Counter[int] = Counter()
    replaced_y: Counter[int] = Counter()
    blocks = _edit_blocks(x, y)
    for x0, x1, y0, y1 in blocks:
        ours = [w for w in x[x0:x1] if w in only_x and w not in FUNCTION_CODES]
        theirs = [w for w in y[y0:y1] if w in only_y and w not in FUNCTION_CODES]
        # A lone letter on one side is a word broken up by markup (B{\'e}zier), not another subject.
        broken = (set(x[x0:x1]) ^ set(y[y0:y1])) & _LETTER_CODES
        if broken or not (ours and theirs) or max(x1 - x0, y1 - y0) > LONGEST_SWAP:
            continue
        swaps.update({(one, other) for one in ours for other in theirs})
        replaced_x.update(set(ours))
        replaced_y.update(set(theirs))
    steady = {pair: n for pair, n in swaps.items() if n >= 2 and (pair[0] in subject_x and pair[1] in subject_y)}
    if steady:
        return Difference("swap", tuple(sorted({p[0] for p in steady})), tuple(sorted({p[1] for p in steady})))
    for subject, replaced, count, mine in (
        (subject_x, replaced_x, count_x, True),
        (subject_y, replaced_y, count_y, False),
    ):
        everywhere = {w for w in subject if replaced[w] >= WHEREVER and replaced[w] >= count[w] - count[w] // 4}
        if everywhere and sum(replaced[w] for w in everywhere) >= 0.5 * len(blocks):
            found = tuple(sorted(everywhere))
            return Difference("swap", found if mine else (), () if mine else found)
    return None
