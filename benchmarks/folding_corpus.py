"""A deterministic corpus of invented abstracts with planted copies and look-alikes, and the truth about it.

    python benchmarks/folding_corpus.py 100000 corpus.parquet [SEED]

Columns: doc_id, text, cluster (the truth), kind. Kinds of copies: exact, format, markup, light, heavy, cut, sentence.
Look-alikes (each a paper of its own): template, series, boilerplate, opening.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import polars as pl

COPIES = ("exact", "format", "markup", "light", "heavy", "cut", "sentence")
LOOK_ALIKES = ("template", "series", "boilerplate", "opening")
COPY_SHARE = 0.3
LOOK_ALIKE_SHARE = 0.05
_SMALL = (
    "the", "of", "and", "a", "to", "in", "is", "that", "for", "we", "with", "on", "are", "by", "this", "as", "from",
    "can", "which", "an", "be", "it", "our", "at", "or", "between", "these", "not", "more", "than",
)  # fmt: skip
_SYLLABLES = (
    "ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "wo", "ka", "len", "mar", "tor",
    "sin",     "pra", "clo", "dre", "fin", "gra",
)  # fmt: skip
_BOILERPLATE = (
    "This is an open access article under the terms of a licence which permits use and sharing in any medium.",
    "All rights are reserved by the publisher and no part may be copied without a written permission.",
    "Code and data are available on request and the supplement holds all proofs.",
)
_TEMPLATE = (
    "This report describes the entry of our team for the {0} task of the yearly contest. The {0} task asks for labels "
    "of {1} scenes and was held for the third time. We trained on {1} scenes alone and describe what failed. "
)


class Writer:
    """Writes invented sentences from a vocabulary with the frequencies of language."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        words = {"".join(self.chance.choices(_SYLLABLES, k=self.chance.randint(2, 4))) for _ in range(40_000)}
        self.words = sorted(words)
        self.chance.shuffle(self.words)
        self.weights = [1 / (rank + 20) for rank in range(len(self.words))]
        self.pool = self.chance.choices(self.words, self.weights, k=2_000_000)

    def word(self) -> str:
        if self.chance.random() < 0.4:
            return self.chance.choice(_SMALL)
        return self.pool[self.chance.randrange(len(self.pool))]

    def sentence(self) -> str:
        return " ".join(self.word() for _ in range(self.chance.randint(9, 30))).capitalize() + "."

    def abstract(self) -> str:
        return " ".join(self.sentence() for _ in range(self.chance.randint(4, 10)))

    def copy(self, text: str, kind: str) -> str:
        chance = self.chance
        if kind == "format":
            return chance.choice((str.upper, str.lower, lambda t: t.replace(". ", ".\n"), lambda t: f"  {t} "))(text)
        if kind == "markup":
            words = text.split(" ")
            for _ in range(4):
                place = chance.randrange(len(words))
                words[place] = chance.choice(("\\emph{%s}", "<i>%s</i>", "``%s''", "{\\em %s}")) % words[place]
            return " ".join(words)
        if kind in ("light", "heavy"):
            low, high = (0.01, 0.05) if kind == "light" else (0.10, 0.20)
            words = text.split(" ")
            for _ in range(max(1, round(chance.uniform(low, high) * len(words)))):
                place, what = chance.randrange(len(words)), chance.random()
                if what < 0.6:
                    words[place] = self.word()
                elif what < 0.8:
                    del words[place]
                else:
                    words.insert(place, self.word())
            return " ".join(words)
        if kind == "cut":
            return text[: int(len(text) * chance.uniform(0.3, 0.8))] + chance.choice((" ...", "…", " [...]", ""))
        if kind == "sentence":
            sentences = text.split(". ")
            place, what = chance.randrange(len(sentences)), chance.random()
            if what < 0.34:
                sentences.insert(place, self.sentence().rstrip("."))
            elif what < 0.67 and len(sentences) > 3:
                del sentences[place]
            else:
                sentences.insert(chance.randrange(len(sentences)), sentences.pop(place))
            return ". ".join(sentences)
        return text

    def look_alikes(self, kind: str) -> list[str]:
        if kind == "template":
            subjects = [
                (self.pool[self.chance.randrange(9999)] + "ol", self.pool[self.chance.randrange(9999)] + "em")
                for _ in range(3)
            ]
            rest = self.abstract()
            return [_TEMPLATE.format(*subject) + rest for subject in subjects]
        if kind == "series":
            head = self.sentence()
            return [f"In part {part} of this study we go on. {head} {self.abstract()}" for part in ("I", "II")]
        if kind == "boilerplate":
            line = self.chance.choice(_BOILERPLATE)
            return [f"{self.abstract()} {line}" for _ in range(4)]
        opening = self.sentence()
        return [f"{opening} {self.abstract()}" for _ in range(3)]


def corpus(size: int, seed: int = 7) -> pl.DataFrame:
    """Return `size` documents in random order."""
    writer = Writer(seed)
    rows: list[tuple[str, int, str]] = []
    cluster = 0
    while len(rows) < size:
        what = writer.chance.random()
        if what < LOOK_ALIKE_SHARE / 3:
            kind = writer.chance.choice(LOOK_ALIKES)
            for text in writer.look_alikes(kind):
                rows.append((text, cluster, kind))
                cluster += 1
            continue
        base = writer.abstract()
        rows.append((base, cluster, "base"))
        while writer.chance.random() < COPY_SHARE:
            kind = writer.chance.choice(COPIES)
            rows.append((writer.copy(base, kind), cluster, kind))
        cluster += 1
    rows = rows[:size]
    writer.chance.shuffle(rows)
    return pl.DataFrame(rows, schema=["text", "cluster", "kind"], orient="row").with_row_index("doc_id")


if __name__ == "__main__":
    made = corpus(int(sys.argv[1]), *map(int, sys.argv[3:4]))
    Path(sys.argv[2]).parent.mkdir(parents=True, exist_ok=True)
    made.write_parquet(sys.argv[2], row_group_size=100_000)
    print(made.get_column("kind").value_counts(sort=True))
