"""Numeric claims: what a text states in figures, as outcome (result) or as the size of study, data or model (scale).

A value is the shortest stretch that a reader understands: the figure with its unit and what it counts. Figures inside
names, formulas, dates and enumerations are none; nor are spelled-out counts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from assets.analytical.facts.fact import Fact, Span, Text

_N = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_START = r"(?<![\w.,$^_/²³=≥≤<>∈(\[{·+∼-])(?<!\d\s)(?<![=≥≤<>∈+*^×] )(?<!\d x )"
_HEDGE = r"(?:(?:up to|more than|less than|fewer than|over|about|around|approximately|nearly|almost|roughly|at least|at most|only|as (?:few|many|much|low|high) as|under|below|above|within|by|an? (?:average|mean|median|total) of)\s+|[~≈<>≥≤+±]\s?)?"
_SIGN = r"(?:[~≈±+−-])?"
_FACTOR = r"(?:\s?×(?!\s?\d)|\s?x(?![\w×])(?!\s?\d)|\s?X\b(?!\s?\d)|[\s-]times\b|[\s-]?fold\b)"
_PERCENT = r"(?:\s?%|\s?％|\s?percent(?:age points?)?\b|\s?pp\b)"
_MAGNITUDE = r"(?:\s?[KMBTk](?![\w])|[\s-](?:thousand|million|billion|trillion)s?\b)"
_UNIT = (
    r"(?:[\s-]?(?:ms|μs|µs|ns|sec|secs|s|seconds?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|fps|FPS|Hz|kHz|MHz|GHz|KB|MB|GB|TB|MiB|GiB|metres?|meters?|km|cm|mm|nm|μm|µm|m|"
    r"dB|mW|kW|W|kg|mg|g|N|V|pixels?|px|tokens?/s|FLOPs?|GFLOPs?|TFLOPs?|TFLOPS|degrees?|°C?|dollars?|USD|bits?|bpp|BLEU|ROUGE|mAP|AP|mIoU|IoU|F1|PSNR|WER|Elo|nats|perplexity)(?:/(?:s|sec|min|h|hour|day|km|image|frame|token))?(?![\w-])"
    r"|\s(?:[A-Za-z][\w-]* ){0,2}?(?:points?|GPU[- ]hours?|GPU[- ]days?|frames? per second|tokens? per second|orders? of magnitude)\b)"
)
_QUANTITY = rf"{_SIGN}[$€£]?{_N}(?:{_PERCENT}|{_FACTOR}|{_MAGNITUDE}|{_UNIT})?"
_LOW = r"(?:near[- ]zero|zero|chance(?: level)?|nearly zero)"

_RANGES = re.compile(
    rf"\b(?:from|between)\s+(?:an? \w+ of )?(?:{_QUANTITY}|{_LOW})(?: \w+)?\s+(?:to|and|up to|down to)\s+(?:an? \w+ of |over |nearly |about )?(?:{_QUANTITY}|{_LOW})"
    rf"|{_START}{_QUANTITY}\s*(?:\([^()]{{0,20}}\)\s*)?(?:versus|vs\.?|compared (?:to|with)|against|instead of|rather than)\s+(?:only )?(?:{_QUANTITY}|{_LOW})"
    rf"|{_START}{_QUANTITY}\s?(?:to|–|—|-)\s?{_QUANTITY}"
)
_SHARES = re.compile(rf"{_HEDGE}{_START}[~≈±+−-]?{_N}(?:\s?[-–/]\s?{_N}{_PERCENT}?)?(?:{_PERCENT}|{_FACTOR})")
_SIZES = re.compile(rf"{_HEDGE}{_START}[$€£]?{_N}(?:{_MAGNITUDE})\+?")
_MEASURES = re.compile(rf"{_HEDGE}{_START}[+−-]?{_N}{_UNIT}")
_COUNTS = re.compile(rf"{_HEDGE}{_START}(?:\d{{1,3}}(?:,\d{{3}})+|\d+)\+?(?=\s[A-Za-z])")
_SCORES = re.compile(
    rf"\b(?:accurac(?:y|ies)|F1|F-?scores?|F-measure|F1[- ]scores?|AUC|AUROC|AUPRC|BLEU|ROUGE(?:-\w)?|METEOR|mAP|AP|mIoU|IoU|PSNR|SSIM|FID|WER|CER|EER|RMSE|MSE|MAE|R²|R2|correlation|kappa|scores?|rates?|ratios?|errors?|precision|recall|"
    rf"perplexity|factors?|average|averages|mean|median|speed-?ups?|gains?|improvements?|reductions?|performance|success|distance|latency|κ|ρ|r|α)"
    rf"(?: (?:scores?|rates?|values?|coefficients?|ratio|\(\w+\)))?(?: (?:of|above|below|up to|over|under|at least|at most|as (?:low|high) as|to|exceeding|is|was|reaching|by|around|about|from|equal to)| ?[=:≈])+ (?:nearly |about |up to |over )?{_SIGN}{_N}(?![\w%^±+-]|\.\d)(?:{_PERCENT}|{_FACTOR}|{_UNIT})?"
)
_DECIMALS = re.compile(rf"(?:{_HEDGE}){_START}[+−-]?(?:0?\.\d+|\d+\.\d+)(?![\w.^/]|\.\d|\s?[=≤≥<>])")

_SMALL = (
    r"of|for|in|on|at|to|and|or|with|from|by|as|that|which|who|is|are|was|were|has|have|had|the|a|an|than|over|under|while|when|where|across|"
    r"between|per|using|via|into|through|covering|spanning|including|such|each|we|our|it|its|their|they|these|this|only|without|respectively|"
    r"show|shows|demonstrate|demonstrates|against|within|but|not|can|after|before|during|compared|among|yielding|collected|annotated|consisting|containing|suggest|reveal|confirm|indicate|"
    r"below|above|outperform|achieve|scored|generated|drawn|taken|extracted|made|provided|performed|remain|available"
)
_WORD = re.compile(rf"\s(?:and\s(?=[a-z-]+ [a-z]+s\b)|&\s)?(?!(?:{_SMALL})\b)[A-Za-zα-ω][\w’'+-]*(?:/[A-Za-z]\w*)?")
_OF = re.compile(
    rf"\s(?:of|fewer|more|less|higher|lower|faster|better|smaller|larger|relative|absolute)\s(?!(?:{_SMALL})\b)(?=[A-Za-z])"
)
_THAN = re.compile(r"\s(?:faster|slower|fewer|more|less|smaller|larger|higher|lower|better|cheaper|worse|longer|shorter)\b")
_SINGULAR_S = re.compile(r"(?:ss|us|is|ous|'s|’s|ics)$")
_YEAR = re.compile(r"(?:19[5-9]|20[0-4])\d(?:s\b|[-–]\d{2,4})?$")
_DATED = re.compile(r"\b(?:19|20)\d\d$")
_NUMBERED = re.compile(
    r"(?:\b(?:[Ff]ig(?:ure|\.)?|[Tt]able|[Ss]ection|[Ee]q(?:uation|\.)?|[Tt]heorem|[Ll]emma|[Tt]rack|[Tt]ask|[Ss]ubtask|[Ss]ubtasks|[Pp]hase|[Ss]tage|[Ss]tep|[Vv]ersion|[Ll]evels?|[Tt]ype|[Tt]ypes|[Ll]ayer|[Cc]hapter|[Cc]lass|[Pp]art|[Tt]op|[Rr]ank|[Nn]o\.|[Pp]ython|"
    r"[Ww]eek|[Dd]ay|[Gg]rades?|[Rr]ound|[Aa]ppendix|GPT|Llama|Claude|Gemini|v|COVID|January|February|March|April|May|June|July|August|September|October|November|December|[Ii]ndustry|[Ww]eb)\s?)$"
)


def find_claims(text: Text, names: Collection[Span]) -> list[Fact]:
    """Return the numeric claims of a text in order, none overlapping; `detail` is result or scale.

    Args:
        text: The text.
        names: Spans of names: figures in them are no claims.
    """
    taken: list[tuple[int, int, str]] = []
    for start, end, detail in _claims(text.read):
        if all(end <= a or start >= b for a, b, _ in taken) and all(end <= a or start >= b for a, b in names):
            taken.append((start, end, detail))
    return [Fact("claim", start, end, detail=detail) for start, end, detail in sorted(taken)]


def _claims(read: str) -> Iterator[tuple[int, int, str]]:
    """Yield candidates, the kinds of figure that say most first."""
    for found in _RANGES.finditer(read):
        if (
            _is_figure(read, found.start(), found[0])
            and re.search(r"\d", found[0])
            and _says_something(found[0], read[found.end() : found.end() + 30])
        ):
            yield found.start(), _through_noun(read, found.end(), 3), "result"
    for found in _SHARES.finditer(read):
        if _is_figure(read, found.start(), found[0]):
            yield found.start(), _share_end(read, found.end()), "result"
    for found in _SIZES.finditer(read):
        if _is_figure(read, found.start(), found[0]):
            end = found.end()
            if hyphened := re.match(r"-[a-z]+(?:-[a-z]+)?", read[end : end + 30]):
                end += hyphened.end()
            yield found.start(), _through_noun(read, end, 4), "scale"
    for found in _SCORES.finditer(read):
        if _is_figure(read, found.start(), found[0]):
            yield found.start(), found.end(), "result"
    for found in _MEASURES.finditer(read):
        if _is_figure(read, found.start(), found[0]):
            yield found.start(), found.end(), "result"
    for found in _COUNTS.finditer(read):
        figure = found[0].split()[-1]
        if _is_figure(read, found.start(), found[0]) and not _YEAR.search(figure) and figure not in ("0", "1"):
            end = _plural_end(read, found.end())
            if end:
                yield found.start(), end, "scale"
    for found in _DECIMALS.finditer(read):
        if _is_figure(read, found.start(), found[0]) and not re.match(
            r"\s?[,)\]]?\s?[\])]", read[found.end() : found.end() + 3]
        ):
            yield found.start(), _through_noun(read, found.end(), 2), "result"


def _is_figure(read: str, start: int, figure: str) -> bool:
    """Return whether a figure is neither numbered (Table 3), dated, nor a part of a formula."""
    before = read[max(0, start - 14) : start]
    return not (_NUMBERED.search(before) or _DATED.search(figure.strip()) or re.search(r"[=≤≥^_{\[∈]\s?$", before))


def _says_something(figure: str, after: str) -> bool:
    """Return whether a range is more than two bare whole numbers that may count anything: `1 to 5`."""
    return (
        re.search(r"[%×.]|near|zero|chance|from|versus|vs|compared|[A-Za-z]{2,}$|\d[KMBT]", figure) is not None
        or re.match(r" [a-z]+s\b", after) is not None
    )


def _through_noun(read: str, end: int, most: int) -> int:
    """Return the end of the words that a figure counts, at most so many."""
    last = end
    for _ in range(most):
        word = _WORD.match(read, end)
        if word is None:
            break
        end = word.end()
        if word[0].endswith("s") and not _SINGULAR_S.search(word[0]):
            last = end
            nxt = _WORD.match(read, end)
            if nxt is None or not nxt[0].endswith("s"):
                break
        elif _WORD.match(read, end) is None:
            last = end
    return last


def _plural_end(read: str, end: int) -> int | None:
    """Return the end of the plural noun that a whole number counts, if one follows within five words."""
    last = None
    for _ in range(6):
        word = _WORD.match(read, end)
        if word is None:
            break
        end = word.end()
        plural = re.search(r"(?:people|children|men|women|data|\w[a-z]*[^\Ws]s|LLMs|GPUs|\w+ies)$", word[0])
        if plural and not _SINGULAR_S.search(word[0]):
            last = end
            if re.match(r"\s[\w-]+s\b", read[end : end + 24]) is None:
                break
    return last


def _share_end(read: str, end: int) -> int:
    """Return the end of what a share is a share of: `60% of metric evaluations`, `3× fewer parameters`."""
    if of := _OF.match(read, end):
        return _through_noun(read, of.end() - 1, 4)
    than = _THAN.match(read, end)
    return than.end() if than else end
