"""Numeric claims: the figure with what it counts, results and scale told apart; and the figures that claim nothing."""

from __future__ import annotations

import pytest

from tests.analytical.facts.found import facts

CLAIMS = [
    ("Here 17 senior hill walkers took part.", [("17 senior hill walkers", "scale")]),
    ("This yields 7,480 data points.", [("7,480 data points", "scale")]),
    ("We test it across 16 hill and valley benchmarks.", [("16 hill and valley benchmarks", "scale")]),
    ("It is trained on 100B hill tokens and 60B moor tokens.",
     [("100B hill tokens", "scale"), ("60B moor tokens", "scale")]),
    ("It supports a 64K-token context window today.", [("64K-token context window", "scale")]),
    ("We release 1.2 million annotated images.", [("1.2 million annotated images", "scale")]),
    ("They fell 0.08 to 0.47 Hill points below it.", [("0.08 to 0.47 Hill points", "result")]),
    ("It has a mean of 0.49 versus 0.05.", [("mean of 0.49 versus 0.05", "result")]),
    ("It rises from near-zero to 0.12.", [("from near-zero to 0.12", "result")]),
    ("Errors fall from 16% to 2% here.", [("from 16% to 2%", "result")]),
    ("It wins in 60% of hill metric evaluations.", [("60% of hill metric evaluations", "result")]),
    ("It gives speedups up to 6× over others.", [("up to 6×", "result")]),
    ("It is 2-3x better.", [("2-3x better", "result")]),
    ("It reaches compression factors above 10.", [("factors above 10", "result")]),
    ("It runs at 25 FPS and needs 3.5 ms.", [("25 FPS", "result"), ("3.5 ms", "result")]),
    ("An accuracy of 91.3 is reached.", [("accuracy of 91.3", "result")]),
]  # fmt: skip

NONE = [
    "We ask three questions of four models in six settings.",
    "A 3-level taxonomy with 11-category codes and a 2-layer network.",
    "In 2021, and for WMT 2014 papers, Table 3 and Section 4 say so.",
    "The rate is Θ(n²) for C = 0 and O(1/√n), with σ ∈ (0, 1/2) and k ≥ 3 and x^2.",
    "We use GPT-4, ResNet-18, CIFAR-10, Llama-3.1 70B and 3D maps.",
    "First, (1) we plan; second, (2) we do; 3) we rest.",
    "It was published [12] and then again [3, 7].",
    "See https://example.org/2024/100-hills for it.",
]


@pytest.mark.parametrize(("text", "claims"), CLAIMS, ids=[text[:45] for text, _ in CLAIMS])
def test_claims(text: str, claims: list[tuple[str, str]]) -> None:
    assert [(text[fact.start : fact.end], fact.detail) for fact in facts(text, "claim")] == claims


@pytest.mark.parametrize("text", NONE, ids=[text[:45] for text in NONE])
def test_figures_that_claim_nothing(text: str) -> None:
    assert facts(text, "claim") == []
