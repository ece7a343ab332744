"""Phrases: what is characteristic of the texts of a group, as words and short phrases in their written form.

A phrase's merit is the share of the group's texts that have it (a text that repeats it counts for more), times the
logarithm of how many more of them have it than of the other texts, times how important its words are to the group. A
word that often stands in one phrase is shown as that phrase.
"""

from __future__ import annotations

import polars as pl

from assets.analytical.vectors.stop_words import BOILERPLATE, FUNCTION_WORDS
from assets.analytical.vectors.tokens import SOLID_SCRIPTS, WORD, stems

TERMS = 10
"""Terms that are named for a group, at most."""

LONGEST = 3
"""Words of a phrase, at most."""

SHARE_OF_WORD = 0.25
"""A phrase stands for its word when so large a part of the word's texts in the group have the phrase."""

OWN_CASE = 0.7
"""A word is written with capitals when so large a part of its occurrences are."""

CANDIDATES = 300
"""Words of a group that may be named."""

_COMPOUND = rf"(?:{WORD})(?:[-‐‑](?:{WORD}))*"
_PIECE = rf"{_COMPOUND}|[{SOLID_SCRIPTS}]+|[^\s{SOLID_SCRIPTS}]"
_SOLID = rf"^[{SOLID_SCRIPTS}]"
_SOLID_FUNCTION = r"[的了和是在与與對对及等之其为為这這个個]"


def distinctive_terms(texts: pl.DataFrame, importance: pl.DataFrame) -> pl.DataFrame:
    """Return the most characteristic terms of each group.

    Args:
        texts: text, language, group (an integer; null for a text of no group).
        importance: group, stem, importance (up to 1) of the words that are important to each group.

    Returns:
        group, terms (list of strings, best first, at most `TERMS`), sorted by group.
    """
    phrases = _phrases(texts)
    groups = texts.select("group").with_row_index("row")
    sizes = groups.drop_nulls("group").group_by("group").agg(size=pl.len())
    found = phrases.group_by("row", "phrase").agg(emphasis=pl.len().cast(pl.Float64)).join(groups, on="row")
    everywhere = found.group_by("phrase").agg(everywhere=pl.len())
    inside = (
        found.with_columns(emphasis=(1 + pl.col("emphasis")).log(2).round(9))
        .drop_nulls("group")
        .group_by("group", "phrase")
        .agg(inside=pl.len(), emphasis=pl.col("emphasis").sum())
    )
    share = pl.col("inside") / pl.col("size")
    elsewhere = (pl.col("everywhere") - pl.col("inside") + 0.5) / (texts.height - pl.col("size") + 1)
    merits = (
        inside.join(everywhere, on="phrase")
        .join(sizes, on="group")
        .filter(pl.col("inside") >= pl.min_horizontal(pl.lit(2), "size"))
        .join(_importance(inside, importance), on=["group", "phrase"])
        .with_columns(merit=pl.col("emphasis") / pl.col("size") * (share / elsewhere).log() * pl.col("importance"))
        .with_columns(pl.col("merit").round(6))
        .filter(pl.col("merit") > 0)
        .join(_written(phrases), on="phrase")
        .sort("group", pl.col("merit"), "phrase", descending=[False, True, False])
    )
    chosen = {group: _chosen(rows) for (group,), rows in merits.partition_by("group", as_dict=True).items()}
    wanted = sizes.get_column("group").sort().to_list()
    return pl.DataFrame(
        {"group": wanted, "terms": [chosen.get(group, []) for group in wanted]},
        schema={"group": texts.schema["group"], "terms": pl.List(pl.String)},
    )


def _importance(phrases: pl.DataFrame, importance: pl.DataFrame) -> pl.DataFrame:
    """Return group, phrase, importance (that of its most important word) of the phrases that have any."""
    return (
        phrases.select("group", "phrase", stem=pl.col("phrase").str.split(" "))
        .explode("stem")
        .join(importance, on=["group", "stem"])
        .group_by("group", "phrase")
        .agg(pl.col("importance").max())
    )


def _phrases(texts: pl.DataFrame) -> pl.DataFrame:
    """Return row, phrase (stems joined by spaces), written, words of each phrase of content words."""
    pieces = (
        texts.with_row_index("row")
        .select("row", pl.col("language").fill_null("en"), written=pl.col("text").str.extract_all(_PIECE))
        .explode("written")
        .drop_nulls("written")
    )
    lower = pl.col("written").str.to_lowercase()
    kinds = pieces.select("language", "written").unique().with_columns(lower=lower)
    stemmed = [
        group.with_columns(
            stem=pl.Series(stems(group.get_column("lower").str.replace_all("[-‐‑]", "").to_list(), language))
        )
        for (language,), group in kinds.partition_by("language", as_dict=True).items()
    ]
    is_word = pl.col("written").str.contains(rf"^(?:{_COMPOUND})$")
    dull = sorted(set(stems(sorted(BOILERPLATE), "en")))
    known = pl.concat(stemmed).with_columns(
        is_word=is_word,
        is_function=pl.col("lower").is_in(sorted(FUNCTION_WORDS)) | ~is_word,
        is_dull=pl.col("lower").is_in(sorted(BOILERPLATE)) | pl.col("stem").is_in(dull),
    )
    pieces = pieces.join(known, on=["language", "written"], maintain_order="left")
    return pl.concat([_solid(pieces), *(_runs(pieces, words) for words in range(1, LONGEST + 1))])


def _runs(pieces: pl.DataFrame, words: int) -> pl.DataFrame:
    """Return the phrases of so many neighbouring words: no function word but a middle "of", one word that tells."""

    def at(column: str, place: int) -> pl.Expr:
        return pl.col(column).shift(-place)

    places = range(words)
    ends_well = ~at("is_function", 0) & ~at("is_function", words - 1)
    middle = pl.all_horizontal(
        [pl.lit(True), *(~at("is_function", place) | (at("lower", place) == "of") for place in range(1, words - 1))]
    )
    tells = pl.any_horizontal([~at("is_dull", place) & ~at("is_function", place) for place in places])
    same_text = at("row", words - 1) == pl.col("row")
    return (
        pieces.select(
            "row",
            phrase=pl.concat_str([at("stem", place) for place in places], separator=" "),
            written=pl.concat_str([at("written", place) for place in places], separator=" "),
            words=pl.lit(words),
            wanted=ends_well & middle & tells & same_text,
        )
        .filter("wanted")
        .drop("wanted")
    )


def _solid(pieces: pl.DataFrame) -> pl.DataFrame:
    """Return the runs of two and four characters of scripts that are written without spaces."""
    runs = pieces.filter(pl.col("written").str.contains(_SOLID)).select("row", run="written")
    found = []
    for size in (2, 4):
        parts = [
            runs.select("row", written=pl.col("run").str.slice(start).str.extract_all(f"(?s).{{{size}}}"))
            for start in range(size)
        ]
        cut = pl.concat(parts).explode("written").drop_nulls("written")
        found.append(cut.filter(~pl.col("written").str.contains(_SOLID_FUNCTION)).with_columns(words=pl.lit(size // 2)))
    return pl.concat(found).select("row", phrase="written", written="written", words="words")


def _written(phrases: pl.DataFrame) -> pl.DataFrame:
    """Return phrase, written (as it is mostly written, in lower case unless that is rare), words."""
    counted = (
        phrases.group_by("phrase", "words", "written")
        .agg(times=pl.len())
        .with_columns(lower=pl.col("written").str.to_lowercase(), times=pl.col("times").cast(pl.Int64))
    )
    counted = counted.with_columns(
        spelling=pl.col("times").sum().over("phrase", "lower"), capitals=pl.col("written") != pl.col("lower")
    )
    best = (
        counted.sort("phrase", -pl.col("spelling"), "lower", -pl.col("times"), "written")
        .group_by("phrase", "words", maintain_order=True)
        .agg(
            pl.col("lower").first(),
            spelt=pl.col("written").filter("capitals").first(),
            capital=pl.col("times").filter("capitals").sum() / pl.col("times").sum(),
        )
    )
    own = (pl.col("capital") >= OWN_CASE) & pl.col("spelt").is_not_null()
    return best.select("phrase", "words", written=pl.when(own).then("spelt").otherwise("lower"))


def _chosen(merits: pl.DataFrame) -> list[str]:
    """Return the terms of one group: the best words, each as the phrase that it mostly stands in, without repeats."""
    rows = merits.select("phrase", "written", "words", "inside").rows()
    longer = [row for row in rows if row[2] > 1]
    used: set[str] = set()
    terms: list[str] = []
    for phrase, written, _, inside in rows[:CANDIDATES]:
        if _parts(phrase) & used or _abbreviates(written, terms):
            continue
        holding = [
            row for row in longer if row[0] != phrase and (f" {phrase} " in f" {row[0]} " or _within(phrase, row[0]))
        ]
        fit = [row for row in holding if row[3] >= SHARE_OF_WORD * inside and not _parts(row[0]) & used]
        if fit:
            # Of the phrases that hold the word, the one in most texts, and of nearly as frequent ones the longest.
            most = max(row[3] for row in fit)
            phrase, written, _, _ = min(
                (row for row in fit if row[3] >= 0.7 * most), key=lambda row: (-row[2], -row[3], row[0])
            )
        used |= _parts(phrase)
        terms.append(written)
        if len(terms) == TERMS:
            break
    return terms


def _parts(phrase: str) -> set[str]:
    """Return the words of a phrase, or the characters of one that is written without spaces."""
    return set(phrase.split()) if phrase.isascii() or " " in phrase else {phrase, *phrase}


def _abbreviates(term: str, terms: list[str]) -> bool:
    """Return whether a term is made of the initials of one of the terms, with what may stand before them."""
    letters = term.removesuffix("s")
    initials = ["".join(word[0] for word in other.split()).upper() for other in terms if " " in other]
    return letters.isupper() and any(letters.endswith(word) for word in initials)


def _within(phrase: str, longer: str) -> bool:
    return " " not in longer and not longer.isascii() and phrase != longer and phrase in longer
