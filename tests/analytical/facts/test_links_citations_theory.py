"""Addresses, citations and formal results."""

from __future__ import annotations

import pytest

from tests.analytical.facts.found import facts, values

LINKS = [
    ("Code: https://github.com/hill/walk.", ["https://github.com/hill/walk"], "code_url", "code"),
    ("Our code is at https://hills.example.org/walk).", ["https://hills.example.org/walk"], "code_url", "code"),
    ("The dataset is available at https://huggingface.co/datasets/hill/walk-2026",
     ["https://huggingface.co/datasets/hill/walk-2026"], "url", "data"),
    ("Videos: (see www.hills.example/a_(b)).", ["www.hills.example/a_(b)"], "url", "page"),
    ("Available at github.com/hill/walk, now.", ["github.com/hill/walk"], "code_url", "code"),
    ("It extends https://arxiv.org/abs/2601.00001v2.", ["https://arxiv.org/abs/2601.00001v2"], "url", "paper"),
]  # fmt: skip

CITATIONS = [
    ("[Moor et al., 2025] proposed it; see [Tarn et al., 2026].", ["[Moor et al., 2025]", "[Tarn et al., 2026]"]),
    ("It is old (Fell & Moor, 2025).", ["(Fell & Moor, 2025)"]),
    ("It is old (Fell et al., 2014; Moor, 2015).", ["(Fell et al., 2014; Moor, 2015)"]),
    ("It builds on prior work [Fell et al., 2025, Moor et al., 2025], and more.",
     ["[Fell et al., 2025, Moor et al., 2025]"]),
    ("Moor and Fell (2010) knew it, as did Tarn et al. (2011).", ["Moor and Fell (2010)", "Tarn et al. (2011)"]),
    ("In the model of [KM25] and of [DK26, AB19].", ["[KM25]", "[DK26, AB19]"]),
    ("It was presented in [1], and then [3, 7].", ["[1]", "[3, 7]"]),
    ("It was introduced by Moorland and Fell in the limit.", ["Moorland and Fell"]),
    ("We saw \"[M] is B\" and values in [1, 5], and 'B is [M]'.", []),
    ("BERT (2018), CVPR (2019), and in May (2020) we met.", []),
]  # fmt: skip

THEORY = [
    ("We prove that hills are steep.", "proof"),
    ("Our method comes with convergence guarantees.", "proof"),
    ("We derive generalization bounds for hills.", "bound"),
    ("We establish a trichotomy of rates.", "bound"),
    ("We theoretically show that hills erode.", "analysis"),
]
NO_THEORY = [
    "We show that our model outperforms others by 3%.",
    "This is proven to be effective in practice.",
    "We improve the bounding boxes of state-of-the-art results.",
    "Existing work has no theory of hills.",
]


@pytest.mark.parametrize(("text", "urls", "kind", "use"), LINKS)
def test_addresses(text: str, urls: list[str], kind: str, use: str) -> None:
    assert values(text, kind) == urls
    assert {fact.detail for fact in facts(text, "url", "code_url")} == {use}


@pytest.mark.parametrize(("text", "cited"), CITATIONS, ids=[text[:45] for text, _ in CITATIONS])
def test_citations(text: str, cited: list[str]) -> None:
    assert values(text, "citation") == cited


@pytest.mark.parametrize(("text", "detail"), THEORY)
def test_formal_results(text: str, detail: str) -> None:
    assert [fact.detail for fact in facts(text, "theory")] == [detail]


@pytest.mark.parametrize("text", NO_THEORY)
def test_what_is_no_formal_result(text: str) -> None:
    assert facts(text, "theory") == []


def test_nothing_is_read_out_of_addresses_and_citations() -> None:
    text = "See https://example.org/BERT-100x and [Moor et al., 2025]."
    assert [fact.kind for fact in facts(text, "model", "claim", "dataset", "introduced")] == []
