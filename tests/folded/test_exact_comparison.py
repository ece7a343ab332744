"""The exact comparison finds every pair that shares enough words, and says how far it came."""

import random

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.folded.entries import text_keys
from assets.folded.exact import similar_pairs
from assets.folded.texts import Texts, part_of, texts_of

VOCABULARY = [f"{a}{b}" for a in ("ka", "lo", "mi", "nu", "se") for b in ("ra", "ti", "vo", "zu", "pe", "go")]
sets = st.lists(st.sets(st.sampled_from(VOCABULARY), min_size=1, max_size=14), min_size=2, max_size=25, unique_by=str)


def read(given_texts: list[str]) -> Texts:
    keys, words = text_keys(pl.Series(given_texts))
    return texts_of([part_of(keys, words)])


@settings(deadline=None)
@given(sets, st.sampled_from([0.5, 2 / 3, 0.75, 1.0]))
def test_it_finds_what_comparing_all_pairs_finds(word_sets: list[set[str]], share: float) -> None:
    listed = sorted({" ".join(sorted(words)) for words in word_sets})
    expected = {
        (i, j)
        for i, one in enumerate(listed)
        for j, other in enumerate(listed)
        if i < j
        and len(set(one.split()) & set(other.split())) >= share * min(len(one.split()), len(other.split())) - 1e-9
    }
    a, b, compared = similar_pairs(read(listed), share)
    assert set(zip(a.tolist(), b.tolist(), strict=True)) == expected
    assert len(compared) == len(listed)


def test_text_that_repeats_itself_is_compared_as_far_as_the_work_allows() -> None:
    chance = random.Random(3)
    form = " ".join(chance.choice(VOCABULARY) for _ in range(60))
    listed = [f"{form} entry{n} of team{n}" for n in range(400)]
    _, _, compared = similar_pairs(read(listed), 2 / 3, measured=2_000)
    assert 0 < len(compared) < 20
    _, _, compared = similar_pairs(read(listed), 2 / 3, meetings=50_000)
    assert 0 < len(compared) < 20
