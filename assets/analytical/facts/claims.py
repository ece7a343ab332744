"""Numeric claims: what a text states in figures, as outcome (result) or as the size of study, data or model (scale).

A value is the shortest stretch that a reader understands: the figure with its unit and what it counts. Figures inside
names, formulas, dates and enumerations are none; nor are spelled-out counts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from assets.analytical.facts.fact import Fact, Span, Text
from assets.analytical.facts.patterns import any_of, joined

RESULT, SCALE = "result", "scale"

_FIGURE = re.compile(r"\d(?:\d{0,2}(?:,\d{3})+|\d*)(?:\.\d+)?")
_ASCII_FIGURE = re.compile(_FIGURE.pattern.replace(r"\d", "[0-9]"))
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_PERCENT = r"(?:\s?[%％]|\s?percent(?:age points?)?\b|\s?pp\b)"
_FACTOR = r"(?:\s?×(?!\s?\d)|\s?[xX](?![\w×])(?!\s?\d)|[\s-]times\b|[\s-]?fold\b)"
_MAGNITUDE = r"(?:\s?[KMBTk](?!\w)|[\s-](?:thousand|million|billion|trillion)s?\b)"
_SHORT_UNITS = any_of(
    """ms μs µs ns sec secs s seconds? minutes? mins? hours? hrs? days? weeks? months? years? fps FPS Hz kHz MHz GHz
    KB MB GB TB MiB GiB metres? meters? km cm mm nm μm µm m dB mW kW W kg mg g N V pixels? px FLOPs? GFLOPs? TFLOPs?
    TFLOPS degrees? ° °C dollars? USD bits? bpp BLEU ROUGE mAP AP mIoU IoU F1 PSNR WER Elo nats"""
)
_PER = r"(?:/(?:s|sec|min|h|hour|day|km|image|frame|token))?"
_LONG_UNITS = any_of(
    "points? GPU[-\\s]hours? GPU[-\\s]days? frames?\\sper\\ssecond tokens?\\sper\\ssecond orders?\\sof\\smagnitude"
)
_UNIT = rf"(?:\s?{_SHORT_UNITS}{_PER}(?![\w-])|\s(?!data )(?:[A-Za-z][\w-]* ){{0,2}}?{_LONG_UNITS}\b)"
_ANY_UNIT = rf"(?:{_PERCENT}|{_FACTOR}|{_MAGNITUDE}|{_UNIT})"
_QUANTITY = rf"[~≈±+−-]?[$€£]?{_NUMBER}{_ANY_UNIT}?"
_LOW = r"(?:near(?:ly)?[- ]zero|zero|chance(?: level)?)"

_UNITS = re.compile(
    rf"(?P<share>{_PERCENT}|{_FACTOR})|(?P<size>{_MAGNITUDE}\+?(?:-[a-z]+(?:-[a-z]+)?)?)|(?P<measure>{_UNIT})"
)
_TO = re.compile(
    joined(
        rf"""(?:{_ANY_UNIT})?(?:\s?(?:to|–|—|-)\s?|\s(?:and|up to|down to)\s)
        (?:an? \w+ of |over |nearly |about )?(?:{_QUANTITY}|{_LOW})"""
    )
)
_VERSUS = re.compile(
    rf"(?:{_ANY_UNIT})?\s(?:\([^()]{{0,20}}\)\s)?(?:versus|vs\.?|compared (?:to|with)|against|instead of|rather than)\s"
    rf"(?:only )?(?:{_QUANTITY}|{_LOW})"
)
_BOUND_BEFORE = re.compile(rf"\b(?:from|between)\s(?:an? \w+ of )?(?:{_LOW} (?:to|up to) )?[~≈±+−-]?[$€£]?\.?$")
_LOW_BEFORE = re.compile(rf"\bfrom {_LOW} (?:up )?to (?:nearly |over |about )?$")
_HEDGE_BEFORE = re.compile(
    r"(?:\b(?:up to|more than|less than|fewer than|over|about|around|approximately|nearly|almost|roughly|at least|"
    r"at most|only|as (?:few|many|much|low|high) as|under|below|above|within|by|(?:average|mean|median|total) of)\s|"
    r"[~≈≥≤<>] ?)?[~≈±+−-]?[$€£]?\.?$"
)
_SCORED_BEFORE = re.compile(
    joined(
        r"""\b(?:accurac(?:y|ies)|F1|F-?scores?|F-measure|AUC|AUROC|AUPRC|BLEU|ROUGE(?:-\w)?|METEOR|mAP|AP|mIoU|IoU|PSNR|
        SSIM|FID|WER|CER|EER|RMSE|MSE|MAE|R²|R2|correlation|kappa|scores?|rates?|ratios?|errors?|precision|recall|
        perplexity|factors?|averages?|mean|median|speed-?ups?|gains?|improvements?|reductions?|performance|success|
        distance|latency|κ|ρ)
        (?: (?:scores?|rates?|values?|coefficients?|ratio|\(\w+\)))?
        (?:(?: (?:of|above|below|up to|over|under|at least|at most|as (?:low|high) as|to|exceeding|is|was|reaching|by|
        around|about|from|equal to))+ |\s?[=:≈]\s?)(?:nearly |about |up to |over )?[~≈±+−-]?\.?$"""
    )
)
_FUNCTION = r"""of for in on at to and or with from by as that which who is are was were has have had the a an than over
    under while when where across between per using via into through including such each we our it its their they these
    this only without respectively against within but not can after before during among below above here there now
    then today"""
_SMALL = any_of(_FUNCTION)
_ENDING = any_of(
    _FUNCTION
    + """ covering spanning show shows demonstrate demonstrates compared yielding collected annotated consisting
    containing suggest reveal confirm indicate outperform achieve scored generated drawn taken extracted made provided
    performed remain available"""
)
"""What ends the noun phrase behind a figure; a participle right behind the figure does not (300 annotated images)."""

_FIRST_WORD = re.compile(rf"\s(?!{_SMALL}\b)[A-Za-zα-ω][\w’'+-]*(?:/[A-Za-z]\w*)?")
_WORD = re.compile(rf"\s(?:and\s(?=[a-z-]+ [a-z]+s\b)|&\s)?(?!{_ENDING}\b)[A-Za-zα-ω][\w’'+-]*(?:/[A-Za-z]\w*)?")
_OF = re.compile(
    rf"\s(?:of|fewer|more|less|higher|lower|faster|better|smaller|larger|relative|absolute)(?=\s(?!{_SMALL}\b)[A-Za-z])"
)
_THAN = re.compile(
    r"\s(?:faster|slower|fewer|more|less|smaller|larger|higher|lower|better|cheaper|worse|longer|shorter)\b"
)
_PLURAL = re.compile(r"(?:people|children|men|women|data|[^\Ws]s)$")
_SINGULAR_S = re.compile(r"(?:us|is|'s|’s|ics)$")
_YEAR = re.compile(r"(?:19[5-9]|20[0-4])\d$")
_NOT_BEFORE = re.compile(r"(?:[\w$^_/²³(\[{·∼.]|(?<!\d),|\d\s[x×]\s|[=≤≥<>∈^_{\[×*]\s?|\d\s)$")
_NUMBERED = re.compile(
    joined(
        r"""(?:\b(?:[Ff]ig(?:ure|\.)?|[Tt]able|[Ss]ection|[Ee]q(?:uation|\.)?|[Tt]heorem|[Ll]emma|[Tt]rack|
        (?:[Ss]ub)?[Tt]asks?|[Pp]hase|[Ss]tage|[Ss]tep|[Vv]ersion|[Ll]evels?|[Tt]ypes?|[Ll]ayer|[Cc]hapter|[Cc]lass|
        [Pp]art|[Tt]op|[Rr]ank|[Nn]o\.|[Pp]ython|[Ww]eek|[Dd]ay|[Gg]rades?|[Rr]ound|[Aa]ppendix|GPT|Llama|Claude|
        Gemini|v|COVID|January|February|March|April|May|June|July|August|September|October|November|December|
        [Ii]ndustry|[Ww]eb)\s?)$"""
    )
)


def find_claims(text: Text, names: Collection[Span]) -> list[Fact]:
    """Return the numeric claims of a text in order, none overlapping; `detail` is result or scale.

    Args:
        text: The text.
        names: Spans of names: figures in them are no claims.
    """
    taken: list[Fact] = []
    passed = 0
    if not text.signs.figure:
        return taken
    for figure in (_ASCII_FIGURE if text.read.isascii() else _FIGURE).finditer(text.read):
        if figure.start() < passed or any(start <= figure.start() < end for start, end in names):
            continue
        if claim := _claim(text.read, figure):
            claim = claim._replace(start=max(claim.start, passed))
            taken.append(claim)
            passed = claim.end
    return taken


def _claim(read: str, figure: re.Match[str]) -> Fact | None:
    """Return what a figure states, if it states something: the kinds of figure that say most come first."""
    before = read[max(0, figure.start() - 70) : figure.start()]
    near = before[-16:].removesuffix("(") if _in_brackets(read, figure) else before[-16:]
    if before[-1:].isalnum() or not _is_figure(near):
        return None
    hedge = _HEDGE_BEFORE.search(before[-24:])
    start = figure.start() - (len(hedge[0]) if hedge else 0)
    if span := _range(read, figure, before, start):
        return Fact("claim", *span, detail=RESULT)
    unit = _UNITS.match(read, figure.end())
    if unit and unit["share"]:
        return Fact("claim", start, _share_end(read, unit.end()), detail=RESULT)
    if unit and unit["size"]:
        return Fact("claim", start, _noun_end(read, unit.end(), 4), detail=SCALE)
    scored = _SCORED_BEFORE.search(before)
    if scored and _ends(read, figure.end()):
        return Fact("claim", figure.start() - len(scored[0]), unit.end() if unit else figure.end(), detail=RESULT)
    if unit:
        return Fact("claim", start, unit.end(), detail=RESULT)
    if "." in figure[0] or before.endswith("."):
        return (
            Fact("claim", start, _noun_end(read, figure.end(), 2), detail=RESULT) if _ends(read, figure.end()) else None
        )
    end = figure.end() + (read.startswith("+", figure.end()))
    counted = _plural_end(read, end)
    if counted and figure[0] not in ("0", "1") and not _YEAR.match(figure[0]):
        return Fact("claim", start, counted, detail=SCALE)
    return None


def _in_brackets(read: str, figure: re.Match[str]) -> bool:
    """Return whether a figure opens a bracket and is more than the number of an item: `(12.6% better)`."""
    return read[figure.start() - 1 : figure.start()] == "(" and (
        "." in figure[0] or bool(_UNITS.match(read, figure.end()))
    )


def _is_figure(before: str) -> bool:
    """Return whether a figure is neither a part of a word or formula nor a number in a series (Table 3)."""
    plain = before.removesuffix(".") if re.search(r"(?:^|[\s~≈+−-])\.$", before) else before
    plain = re.sub(r"(?<![\w^])\(?[~≈±+−$€£-]$", "", plain)
    if plain.endswith(("-", "–", "−", "/", "$")):
        return False
    return _NOT_BEFORE.search(plain) is None and _NUMBERED.search(plain) is None


def _ends(read: str, end: int) -> bool:
    """Return whether a figure ends where it does, and is no part of a formula, a word or a date."""
    return re.match(r"[\w%^±+=/-]|\.\d|\s[=≤≥<>×]|\s?,?\s?[\])]\s?[\])]", read[end : end + 4]) is None


def _range(read: str, figure: re.Match[str], before: str, start: int) -> tuple[int, int] | None:
    """Return the span of two figures held against each other: `from 3% to 9%`, `0.49 versus 0.05`."""
    if low := _LOW_BEFORE.search(before):
        unit = _UNITS.match(read, figure.end())
        return figure.start() - len(low[0]), unit.end() if unit and not unit["size"] else figure.end()
    if versus := _VERSUS.match(read, figure.end()):
        return start, _noun_end(read, versus.end(), 3)
    second = _TO.match(read, figure.end())
    if second is None:
        return None
    bound = _BOUND_BEFORE.search(before)
    if " and " in second[0][:12] and not (bound and bound[0].startswith("between")):
        return None
    if bound:
        start = figure.start() - len(bound[0])
    whole = read[start : second.end()]
    if _YEAR.match(figure[0]) or (not bound and not re.search(r"[%×.]|[A-Za-z]{2,}$|\d[KMBTx]\b", whole)):
        counted = _plural_end(read, second.end())
        return (start, counted) if counted and not _YEAR.match(figure[0]) else None
    return start, _noun_end(read, second.end(), 3)


def _words_after(read: str, end: int, most: int) -> Iterator[re.Match[str]]:
    """Yield the words of the noun phrase that follows a place, at most so many."""
    for number in range(most):
        word = (_WORD if number else _FIRST_WORD).match(read, end)
        if word is None:
            return
        yield word
        end = word.end()


def _noun_end(read: str, end: int, most: int) -> int:
    """Return the end of the noun that a figure measures: the first plural, else the whole short phrase."""
    words = list(_words_after(read, end, most))
    for number, word in enumerate(words):
        following = words[number + 1][0] if number + 1 < len(words) else ""
        if _is_plural(word[0]) and not _is_plural(following):
            return word.end()
    return words[-1].end() if words and len(words) < most else end


def _plural_end(read: str, end: int) -> int | None:
    """Return the end of the plural noun that a whole number counts, if one follows within six words."""
    words = list(_words_after(read, end, 6))
    for number, word in enumerate(words):
        following = words[number + 1][0] if number + 1 < len(words) else ""
        if _is_plural(word[0]) and not _is_plural(following):
            return word.end()
    return None


def _is_plural(word: str) -> bool:
    return _PLURAL.search(word) is not None and _SINGULAR_S.search(word) is None


def _share_end(read: str, end: int) -> int:
    """Return the end of what a share is a share of: `60% of metric evaluations`, `3× fewer parameters`, `2× faster`."""
    if of := _OF.match(read, end):
        return _noun_end(read, of.end(), 4)
    than = _THAN.match(read, end)
    return than.end() if than else end
