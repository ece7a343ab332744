"""Whatever the text: facts are slices of it, in order, the same each time, and keep the rules of the checks."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.analytical.facts.checks import CHECKS
from assets.analytical.facts.reading import read_facts
from assets.analytical.facts.signs import signs_of
from assets.analytical.facts.table import read_table
from assets.contract.schema import judge_schema
from assets.contract.vocabulary import FACT_DETAILS, FACT_KINDS
from tests.analytical.facts import test_acronyms, test_claims, test_introduced, test_links_citations_theory
from tests.analytical.facts.tables import papers

PIECES = [
    *[text for text, _ in test_acronyms.DEFINITIONS],
    *[text for text, _ in test_introduced.BY_VERB],
    *[text for text, _ in test_claims.CLAIMS],
    *[text for text, *_ in test_links_citations_theory.LINKS],
    *[text for text, _ in test_links_citations_theory.CITATIONS],
    "(", ")", "[", "]", "“", "…", "100%", "×", "GPT-4", "A/B", " et al.", "https://", "we propose ", ", ", "\n\n",
    "İ", "ß", "ﬁ", "e\u0301", "\u200b", "\U0001d4d0\U0001d4d1", "模型（CNN）", "\x00", "\ud7ff", "٣٤", "½", "X’s",
]  # fmt: skip

MANGLED = st.lists(
    st.one_of(
        st.sampled_from(PIECES),
        st.text(max_size=12),
        st.builds(lambda piece, cut: piece[cut:], st.sampled_from(PIECES), st.integers(0, 30)),
    ),
    max_size=12,
).map("".join)


@settings(max_examples=300, deadline=None)
@given(MANGLED)
def test_facts_are_slices_in_order_and_the_same_each_time(text: str) -> None:
    facts = read_facts(text)
    assert facts == read_facts(text)
    assert facts == sorted(facts, key=lambda fact: (fact.start, fact.end, fact.kind))
    for fact in facts:
        assert 0 <= fact.start < fact.end <= len(text)
        assert fact.kind in FACT_KINDS
        assert fact.detail is None or fact.detail in FACT_DETAILS[fact.kind]
        assert fact.expansion is None or fact.expansion in text


@settings(max_examples=300, deadline=None)
@given(MANGLED)
def test_signs_change_what_the_reading_costs_and_nothing_else(text: str) -> None:
    (signs,) = signs_of(pl.Series([text], dtype=pl.String))
    assert read_facts(text, signs) == read_facts(text)


@settings(max_examples=100, deadline=None)
@given(st.lists(MANGLED.filter(lambda text: bool(text) and text.isprintable()), min_size=1, max_size=4))
def test_the_table_of_any_texts_keeps_its_rules(texts: list[str]) -> None:
    table = papers(**{f"p{number}": text for number, text in enumerate(texts)})
    for facts in read_table(table):
        tables = {"facts": facts.lazy(), "papers": table.lazy()}
        assert judge_schema(tables, "facts").passed
        for check in CHECKS:
            assert check.judge(tables).passed, (check.name, check.judge(tables).failing)


def test_the_resource_files_are_in_the_package() -> None:
    from assets.analytical.facts.names import LISTS

    assert sorted(path.name for path in Path(LISTS).iterdir()) == [
        "common.txt", "datasets.txt", "definitions.txt", "models.txt",
    ]  # fmt: skip
