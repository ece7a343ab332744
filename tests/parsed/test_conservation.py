"""Whatever is done to a document of any format: every character of it is accounted for, and nothing crashes."""

import os
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.parsed.list_writers import PAPERS, WRITERS, Paper

WORDS = st.sampled_from(
    [
        "the",
        "of",
        "and",
        "to",
        "we",
        "is",
        "that",
        "for",
        "with",
        "this",
        "ferries",
        "moss",
        "bread",
        "Über",
        "naïve",
        "论文",
        "模型",
        "data",
        "$x^2$",
        "\\emph{every}",
        "<em>so</em>",
        "`code`",
        "**bold**",
        "10%",
        "“so”",
        "O(n²)",
        "fi-",
        "nal",
        "two-",
        "map",
        "AB",
        "-",
        "7",
        "TY",
        "",
        "-",
        "{brace",
        "}",
        "[link](http://a.example/b)",
        "1.",
        "[2]",
        "|",
        "a;b",
        "|",
        "---",
        "***",
        "ER",
        "",
        "-",
        "PMID-",
        "5",
        "%0",
        "@article{x,",
        "&lt;",
        "ﬁne",
        "x\u200by",
        "shel\xadves",
        "\u2028",
        "\x0b",
        "café",
        "(cid:3)",
        "\\\\",
        "Abstract:",
        "摘要：",
        "Title:",
    ]
)
SENTENCE = st.lists(WORDS, min_size=1, max_size=40).map(lambda words: " ".join(words).strip() + ".")
DRAWN = st.builds(
    Paper,
    st.lists(WORDS, min_size=1, max_size=8).map(" ".join),
    st.lists(
        st.sampled_from(["Ada Beispiel", "B. Muster", "李明", "José O'Voorbeeld", "Toy Consortium"]), max_size=3
    ).map(tuple),
    st.lists(SENTENCE, min_size=1, max_size=5).map(" ".join),
    st.integers(1, 9),
)
JOINTS = [
    "",
    " ",
    "\n",
    "\n\n",
    "\r",
    "\t",
    "\x00",
    "\x1c",
    "\ufeff",
    "\u2028",
    '"',
    "{",
    "}",
    "<",
    "-----\n",
    "\\\\\n",
    "|",
    "ER  - \n",
    "论",
    "😀",
    ",",
]


def mangle(text: str, chance: random.Random) -> str:
    """Cut, repeat, move or spoil parts of a text."""
    for _ in range(chance.randint(0, 6)):
        if not text:
            break
        a, b = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
        b = min(b, a + chance.choice([1, 3, 20, 200, 5000]))
        kind = chance.randrange(6)
        if kind == 0:
            text = text[:a] + text[b:]
        elif kind == 1:
            text = text[:b] + text[a:]
        elif kind == 2:
            text = text[:a] + chance.choice(JOINTS) * chance.randint(1, 4) + text[a:]
        elif kind == 3:
            text = text[:a] + text[a:b][::-1] + text[b:]
        elif kind == 4:
            c = chance.randrange(len(text) + 1)
            text = text[:c] + text[a:b] + text[c:]
        else:
            text = text[:a] if chance.random() < 0.5 else text[a:]
    return text


def mangle_bytes(content: bytes, chance: random.Random) -> bytes:
    spoiled = bytearray(content)
    for _ in range(chance.randint(0, 3)):
        if spoiled:
            spoiled[chance.randrange(len(spoiled))] = chance.randrange(256)
    return bytes(spoiled)


@given(st.sampled_from(sorted(WRITERS)), st.lists(DRAWN, min_size=1, max_size=4), st.randoms(use_true_random=False))
@settings(
    max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_whatever_a_document_holds_every_character_is_accounted_for(read, kind, papers, chance) -> None:
    read(mangle(WRITERS[kind][1](tuple(papers)), chance), batch_chars=chance.choice([1, 300, 10**6]))


@given(st.binary(max_size=300))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_a_document_with_its_reason(read, content: bytes) -> None:
    got = read(content)
    assert got.documents.height == 1
    assert got.occurrences.height + got.rejects.height >= 1 or got.document["heading"]


KINDS = sorted(path for path in (Path(__file__).parent / "kinds").iterdir() if not path.name.endswith(".rows.json"))
# Read here, as tests themselves run without PAPERFOLD_ variables.
FUZZ_COUNT = int(os.environ.get("PAPERFOLD_FUZZ", "100000"))
FUZZ_SEED = int(os.environ.get("PAPERFOLD_FUZZ_SEED", "20260601"))
FUZZ_WORDS = (
    "the of and to we is that for with ferries moss bread Über 论文 data $x^2$ \\emph{so} <em>so</em> **bold** "
    "`c` 10% O(n²) fi- { } \\ | "
    "1. &lt; sh\u00ady cafe\u0301 (cid:3) Abstract: 摘要："
)


@pytest.mark.slow
def test_a_campaign_of_spoiled_documents_breaks_nothing(read) -> None:
    """Reads PAPERFOLD_FUZZ (100,000) spoiled documents of all formats, 500 at a time, under every rule."""
    wanted, seed = FUZZ_COUNT, FUZZ_SEED
    chance = random.Random(seed)
    words = [*FUZZ_WORDS.split(), "\n", "\n\n", "TY  -"]

    def text(least: int, most: int) -> str:
        return " ".join(chance.choices(words, k=chance.randint(least, most)))

    kinds = [path.read_bytes().decode("utf-8", "replace") for path in KINDS]
    done = 0
    while done < wanted:
        documents = {}
        for number in range(min(500, wanted - done)):
            drawn = [
                Paper(
                    text(1, 8),
                    tuple(chance.sample(["Ada Beispiel", "B. Muster", "李明"], chance.randint(0, 3))),
                    text(3, 60),
                    chance.randint(1, 9),
                )
                for _ in range(chance.randint(1, 4))
            ]
            papers = tuple(drawn if chance.random() < 0.5 else chance.sample(PAPERS, chance.randint(1, 3)))
            listed = chance.choice([w for _, w in WRITERS.values()])(papers)
            written = mangle(listed if chance.random() < 0.7 else chance.choice(kinds), chance)
            encoding = chance.choice(["utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "gb18030"])
            content = (
                mangle_bytes(written.encode(encoding, "replace"), chance)
                if chance.random() < 0.3
                else written.encode(encoding, "replace")
            )
            documents[f"{number}.txt"] = content
        read(documents, batch_chars=chance.choice([30_000, 10**6]))
        done += len(documents)
    print(f"{done} spoiled documents read, seed {seed}")


HOSTILE = {
    "stars": "*\n",
    "braces": "{",
    "brackets": "[",
    "tags": "<div>",
    "dollars": "$x ",
    "slashes": "\\(",
    "cites": "\\cite[",
    "arguments": "\\cite{",
    "underscores": "_a ",
    "quotes": '"',
    "cells": '"x,y\n',
    "entries": "@article{a,\n",
    "bold": "**a ",
    "links": "[a](b",
    "comments": "<!-- ",
    "headings": "# a\n",
    "names": "A, B, ",
    "digits": "1",
    "menu": "home  a  ",
    "lines": "\n",
    "spaces": " ",
    "records": "<record><title>",
    "json": "{x}\n",
    "rules": "* ",
    "pipes": "|a|b|\n|--|--|\n",
    "labels": "Title: \n",
    "numbers": "1. x\n2. y\n",
    "hyphens": "ab-\n",
    "entities": "&amp;",
    "mails": "\\\\\narXiv:1\n",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_repetition_takes_more_than_linear_work(read, kind: str) -> None:
    """A quadratic pattern would take minutes on these 120,000 characters."""
    piece = HOSTILE[kind]
    read("ToyConf 2026 Papers\n\n" + piece * (120_000 // len(piece)) + "x")
