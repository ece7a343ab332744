"""`text` from what stands in a document: the order of the steps that make plain, readable Unicode of it.

Most abstracts need nothing but their white space folded; Polars does that for whole columns and finds the few that
need more. Those go through `resolve_text` one by one, which is exact and slow. Both give the same result where a text
needs nothing; a test holds them to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl

from assets.parsed import hypertext, markdown, prefixes
from assets.parsed.characters import resolve_characters
from assets.parsed.latex import resolve_latex
from assets.parsed.line_ends import join_lines
from assets.parsed.record import ExternalId
from assets.parsed.shield import Shield

NEEDS_MORE = (
    r"[\\$`*~^{}\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufb00-\ufb06"
    r"\ufdd0-\ufdef\ufff9-\uffff\U000e0000-\U000e007f]"
    r"|<[A-Za-z/!]|&[#A-Za-z]|\(cid:|\]\(|(?:^|\W)_|\w[-\u2010]\s|--|''"
    r"|[ÂÃâåäæçèéïð][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|\d[\u00a0\u2009\u200a\u202f][%‰]"
    r"|[\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef][ \t]*[\r\n]"
    rf"|{prefixes.MIGHT_BE}"
)
"""A Polars pattern: a text without a match needs nothing but its white space folded."""

_DASHES = ((re.compile(r"(?<!-)---(?!-)"), "—"), (re.compile(r"(?<=[\w\])%“”])--(?=[\w(\[“$])|(?<=\s)--(?=\s)"), "–"))
_QUOTED = re.compile(r"``\s?([^`]{1,400}?)(?:''|(?<=[\w.,!?])\")", re.DOTALL)
_SINGLE_QUOTED = re.compile(r"(?<![\w`])`([^`'\n]{1,80})'(?![\w'])")
_NONCHARACTERS = re.compile("[\ufdd0-\ufdef]")


UNRESOLVED = "its markup could not be resolved, which is a fault of Paperfold; please report it"
_UNFOLDED = r"[^\S ]|  |^ | $"


@dataclass(frozen=True)
class Resolved:
    """A text as a person would read it, ids that its prefixes carried, and what could not be resolved."""

    text: str
    ids: tuple[ExternalId, ...] = ()
    detail: str | None = None


def resolve_text(raw: str) -> Resolved:
    """Return the plain text of an abstract or a title: prefixes, HTML, LaTeX, Markdown, characters, lines resolved."""
    shield = Shield()
    unprefixed = prefixes.strip_prefixes(_NONCHARACTERS.sub("", raw))
    text = unprefixed.text
    if hypertext.MIGHT_BE.search(text):
        text = _NONCHARACTERS.sub("", hypertext.resolve_html(text))
    if "`" in text:
        text = _SINGLE_QUOTED.sub(r"‘\1’", _QUOTED.sub(r"“\1”", text))
    text = resolve_latex(text, shield)
    if markdown.MIGHT_BE.search(text):
        text = markdown.resolve_markdown(text, shield)
    if "--" in text:
        for pattern, dash in _DASHES:
            text = pattern.sub(dash, text)
    text, detail = resolve_characters(shield.reveal(text))
    return Resolved(join_lines(text), unprefixed.ids, detail)


def _resolve_or_fold(raw: str) -> Resolved:
    """Resolve a text; should that fail, keep it with its markup rather than stop the reading of all others."""
    try:
        return resolve_text(raw)
    except Exception as error:  # noqa: BLE001
        folded = resolve_characters(raw)[0]
        return Resolved(" ".join(folded.split()), detail=f"{UNRESOLVED} ({type(error).__name__}: {error})")


def resolve_line(raw: str) -> str:
    """Return the plain text of a title or a name."""
    return resolve_text(raw).text


@dataclass(frozen=True)
class ResolvedColumn:
    """Resolved texts of a column, in its order; ids and details only for the rows that have some."""

    texts: pl.Series
    ids: dict[int, tuple[ExternalId, ...]]
    details: dict[int, str]


def resolve_column(raw: pl.Series) -> ResolvedColumn:
    """Return the plain text of each raw text; null where it is null or nothing remains."""
    texts = raw.cast(pl.String).alias("text")
    text = pl.col("text")
    needs = texts.to_frame().select(
        text.str.contains(NEEDS_MORE).fill_null(value=False).alias("more"),
        (text.str.contains(_UNFOLDED) | (text.str.len_bytes() != text.str.len_chars()))
        .fill_null(value=False)
        .alias("fold"),
    )
    rows = needs["more"].arg_true()
    resolved = [_resolve_or_fold(raw_text) for raw_text in texts.gather(rows)]
    folded = (needs["fold"] & ~needs["more"]).arg_true()
    if folded.len():
        texts = texts.scatter(
            folded,
            texts.gather(folded).str.replace_all(r"\s+", " ").str.strip_chars().str.normalize("NFC"),
        )
    if resolved:
        texts = texts.scatter(rows, pl.Series([r.text for r in resolved], dtype=pl.String))
    texts = texts.to_frame("text").select(pl.when(pl.col("text") != "").then(pl.col("text")))["text"]
    return ResolvedColumn(
        texts,
        {row: r.ids for row, r in zip(rows, resolved, strict=True) if r.ids},
        {row: r.detail for row, r in zip(rows, resolved, strict=True) if r.detail},
    )
