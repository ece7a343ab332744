"""Names that a paper introduces: by a verb, by a definition behind a verb, by use as its own; and what is no name."""

from __future__ import annotations

import pytest

from tests.analytical.facts.found import expanded, facts, values

BY_VERB = [
    ("We propose FoxTarn, a unified sorter of gravel.", ["FoxTarn"]),
    ("To resolve this we propose FoxTarn, a unified sorter natively supporting hills.", ["FoxTarn"]),
    ("This paper presents FoxTarn - a novel sorter.", ["FoxTarn"]),
    ("In this work, we introduce Mole-Driver, the first sorter that digs.", ["Mole-Driver"]),
    ("We present Grouse, a bird.", ["Grouse"]),
    ("We propose a novel sorter, named FoxTarn, for gravel.", ["FoxTarn"]),
    ("We build a benchmark called HillBench that has hills.", ["HillBench"]),
    ("We thus develop a novel cascade algorithm, HillCut, for sorting.", ["HillCut"]),
    ("Our system, termed Hill-Walker, walks.", ["Hill-Walker"]),
    ("We propose two sorters called FoxTarn and OwlTarn. FoxTarn is quick.", ["FoxTarn", "OwlTarn"]),
    ("We present FoxTarn, a model built on HillCodec, a discrete tokenizer of hills.", ["FoxTarn", "HillCodec"]),
    ("A new method, FoxTarn, is proposed.", ["FoxTarn"]),
    # mathematical signs and digits
    ("This motivates a novel soft-ℓ∞ surrogate that is smooth.", ["soft-ℓ∞"]),
    ("We introduce H2Tarn-3, a sorter.", ["H2Tarn-3"]),
    ("We introduce FoxTarn 2, a sorter of gravel.", ["FoxTarn 2"]),
]

DEFINED = [
    ("We propose signed hedge decomposition (SHD), a sparse form.", {"SHD": "signed hedge decomposition"}),
    ("We introduce easily read Bayesian information gated erosion (BIGE) models, in which each sees little.",
     {"BIGE": "Bayesian information gated erosion"}),
    ("We introduce BOGNet (Boundary-Oriented and Gentle Neural Networks), an architecture.",
     {"BOGNet": "Boundary-Oriented and Gentle Neural Networks"}),
    ("We propose UniHedgeLM, a Unified Hedge Language Model that trims.",
     {"UniHedgeLM": "Unified Hedge Language Model"}),
    ("Furthermore we introduce Hill Selective Attention (HSA) as a routing mechanism.",
     {"HSA": "Hill Selective Attention"}),
    ("We present a framework named Gentle Ranking of Hills (Grouse).", {"Grouse": "Gentle Ranking of Hills"}),
]  # fmt: skip

BY_USE = [
    "Across 14 hills, we evaluate HillGED on paths. HillGED achieves a better score than others.",
    "We describe a hill graph method. Extensive tests show that our HillGED outperforms the baselines.",
]

NOTHING = [
    "We propose a framework for language models (LLMs are not new).",
    "Large language models (LLMs) are large. We study LLMs.",
    "We propose a method for deep gravel sorting networks (DGSN) that are old.",
    "We introduce the problem of hill-directed learning, and a parameter termed the perfect hill dimension.",
    "The Hill Examination Of Walkers (HEOW) is widely used. We introduce a web-based HEOW platform.",
    "Cross-hill recommendation (CHR) is proposed to alleviate sparsity.",
    "We propose a convolutional neural network (CNN) for hills.",
    "We fine-tune BERT on SQuAD. BERT outperforms LSTM. BERT achieves more.",
    "WalkBoltz, a hill model, is studied using WalkBoltz. Using WalkBoltz, we find hills.",
]


@pytest.mark.parametrize(("text", "names"), BY_VERB, ids=[text[:45] for text, _ in BY_VERB])
def test_a_verb_introduces_a_name(text: str, names: list[str]) -> None:
    assert values(text, "introduced") == names


@pytest.mark.parametrize(("text", "names"), DEFINED, ids=[text[:45] for text, _ in DEFINED])
def test_a_definition_behind_a_verb_introduces_a_name(text: str, names: dict[str, str]) -> None:
    assert expanded(text, "introduced") == names


@pytest.mark.parametrize("text", BY_USE)
def test_use_as_its_own_introduces_a_name_that_no_verb_does(text: str) -> None:
    assert values(text, "introduced") == ["HillGED"]
    assert [fact.detail for fact in facts(text, "introduced")] == ["use"]


@pytest.mark.parametrize("text", NOTHING, ids=[text[:45] for text in NOTHING])
def test_most_texts_introduce_nothing(text: str) -> None:
    assert values(text, "introduced") == []
