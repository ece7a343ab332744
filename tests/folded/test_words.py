"""Words: a text is the sequence of its words whatever the print, and its hashes tell texts apart as the words do."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.folded.words import hash_words, sequence_keys, spaced_words

texts = st.lists(st.text(st.sampled_from("abcXYZ019 .,-\n\t\x00éßΩαñ中文ﬁ—“”\u00ad\u0301ἀ"), max_size=60), max_size=8)


@settings(deadline=None)
@given(texts)
def test_hashes_stand_for_words(given_texts: list[str]) -> None:
    text = pl.Series("text", given_texts, dtype=pl.String)
    spelled = [[word for word in line.split(" ") if word] for line in spaced_words(text).to_list()]
    words = hash_words(text)
    assert words.counts.tolist() == [len(line) for line in spelled]
    flat = [word for line in spelled for word in line]
    named = dict(zip(flat, words.hashes.tolist(), strict=True))
    assert [named[word] for word in flat] == words.hashes.tolist()
    assert len(set(named.values())) == len(named)


@settings(deadline=None)
@given(texts)
def test_two_texts_share_a_key_when_they_have_the_same_words_in_order(given_texts: list[str]) -> None:
    text = pl.Series("text", given_texts, dtype=pl.String)
    spelled = [" ".join(line.split()) for line in spaced_words(text).to_list()]
    keys = sequence_keys(hash_words(text)).tolist()
    assert len(set(zip(spelled, keys, strict=True))) == len(set(spelled)) == len(set(keys))
    assert all((key == 0) == (line == "") for key, line in zip(keys, spelled, strict=True))


def test_a_word_longer_than_eight_bytes_is_read_to_its_end() -> None:
    long = ["internationalisation", "internationalization", "internat", "internati", "x" * 4000, "x" * 4001]
    hashes = hash_words(pl.Series(long)).hashes.tolist()
    assert len(set(hashes)) == len(long)


def test_a_text_has_its_words_wherever_it_stands_in_a_batch() -> None:
    text = [f"Paper {n} measures the {'very ' * (n % 40)}slow drift of glacier number {n}." for n in range(20_000)]
    whole = hash_words(pl.Series(text))
    keys = sequence_keys(whole)
    for place in (0, 1, 9_999, 19_999):
        alone = hash_words(pl.Series([text[place]]))
        assert whole.hashes[whole.offsets[place] : whole.offsets[place + 1]].tolist() == alone.hashes.tolist()
        assert keys[place] == sequence_keys(alone)[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("na\u00efve Bayes", "NAI\u0308VE bayes"),
        ("a hyphen-\n  ated word", "a hyphenated word"),
        ("of \u03b5 > 0", "of epsilon 0"),
        ("ef\ufb01cient", "efficient"),
    ],
)
def test_print_is_no_word(one: str, other: str) -> None:
    first, second = sequence_keys(hash_words(pl.Series([one, other]))).tolist()
    assert first == second
