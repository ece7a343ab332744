"""Writes text lists of invented abstracts for benchmarks, with the share of markup that real abstracts have.

Shares, counted over 87,691 real abstracts: addresses 5.8 %, LaTeX commands 4.6 %, inline formulas 3.9 %, broken words
3.1 %, line breaks 2.1 %, ligatures 0.7 %, emphasis 0.4 %, blank lines inside 0.41 %. The length is that of real ones.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

_SYLLABLES = (
    "ba ke lo mi nu ra se ti vo wa zen dor fal gim hul jat kem lur mop nis pel qui rov sul tam er in on al ent ar ing"
)
_COMMON = "the of and to a in we is that for with on as are by our this from it an be which can not at or have"
_MARKUP = (
    (0.058, " Code is at https://example.org/{word}."),
    (0.046, " We call it \\emph{{{word}}} after Poincar\\'e."),
    (0.039, " It takes $O(n^2 \\log n)$ steps for $\\epsilon > 0$."),
    (0.031, " The effi- cient form of {word} is small."),
    (0.021, "\nA second line of {word} ends here."),
    (0.007, " The ﬁrst ﬂow of {word}."),
    (0.004, " It is *very* {word}."),
    (0.0041, "\n\nFurthermore, we find {word} in {word}."),
)


def _words(chance: random.Random) -> list[str]:
    syllables = _SYLLABLES.split()
    return sorted(
        {"".join(chance.choices(syllables, k=chance.choice((1, 2, 2, 3, 3, 4)))) for _ in range(20_000)}, key=len
    )


def abstracts(count: int, seed: int = 1) -> Iterator[str]:
    """Yield invented abstracts of about 1,100 characters."""
    chance = random.Random(seed)
    words, common = _words(chance), _COMMON.split()
    stock = chance.choices(words, [1 / (rank + 8) for rank in range(len(words))], k=100_000)
    stock = [chance.choice(common) if chance.random() < 0.45 else word for word in stock]
    for _ in range(count):
        parts = []
        for _ in range(chance.randint(6, 11)):
            at = chance.randrange(len(stock) - 40)
            sentence = " ".join(stock[at : at + chance.randint(14, 28)])
            parts.append(sentence[0].upper() + sentence[1:] + ".")
        text = " ".join(parts)
        for share, markup in _MARKUP:
            if chance.random() < share:
                text += markup.format(word=chance.choice(words))
        yield text


def write_list(path: Path, count: int, seed: int = 1) -> None:
    """Write a text list of so many abstracts in blank-line blocks under a heading."""
    write_blocks(path, abstracts(count, seed))


def write_blocks(path: Path, texts: Iterable[str]) -> None:
    """Write a text list of these abstracts in blank-line blocks under a heading."""
    with path.open("w", encoding="utf-8") as out:
        out.write("ToyConf 2026 Papers\n\n")
        for text in texts:
            out.write(f"{text}\n\n")
