"""Short forms: what counts as a definition, and how much of the words before or behind belongs to it."""

from __future__ import annotations

import pytest

from assets.analytical.facts.alignment import alignment_cost
from tests.analytical.facts.found import expanded

DEFINITIONS = [
    # before the short form
    ("We study gravel sorting networks (GSN) at scale.", {"GSN": "gravel sorting networks"}),
    ("Robots with many tired legs (RMTLs) fall over.", {"RMTLs": "Robots with many tired legs"}),
    ("Large kettle models (LKMs) boil.", {"LKMs": "Large kettle models"}),
    # ... across a hyphen behind the bracket
    ("Long barn memory (LBM)-based plans fail.", {"LBM": "Long barn memory"}),
    ("We use hedge-to-hedge (H2H) routing.", {"H2H": "hedge-to-hedge"}),
    # ... letters inside words, and words without a letter
    ("Autoregressive meadow models (ARMs) mow.", {"ARMs": "Autoregressive meadow models"}),
    ("Sparse matrix-matrix mowing (SpMM) is quick.", {"SpMM": "Sparse matrix-matrix mowing"}),
    ("An electrochromatogram (ECG) was drawn.", {"ECG": "electrochromatogram"}),
    ("The mean of the orchard (MO) was low.", {"MO": "mean of the orchard"}),
    # ... with more in the brackets
    ("Gravel sorting networks (GSNs; see below) work.", {"GSNs": "Gravel sorting networks"}),
    ("Gravel sorting networks (or GSN) work.", {"GSN": "Gravel sorting networks"}),
    # ... short forms that share letters
    (
        "We link Wide-Field Recall (WFR) and Patient Learning (PL). We introduce Patient Learning for Wide-Field "
        "Recall (PLWFR), which helps WFR by PL.",
        {"WFR": "Wide-Field Recall", "PL": "Patient Learning", "PLWFR": "Patient Learning for Wide-Field Recall"},
    ),
    # behind the short form
    ("We use TARN (tidal area recall network) here.", {"TARN": "tidal area recall network"}),
    ("BOGNet (Boundary-Oriented and Gentle Neural Networks) is new.",
     {"BOGNet": "Boundary-Oriented and Gentle Neural Networks"}),
    ("TARN, short for Tidal Area Recall Network, works.", {"TARN": "Tidal Area Recall Network"}),
    ("TARN, which stands for tidal area recall network, works.", {"TARN": "tidal area recall network"}),
    # by apposition
    ("We propose UniHedgeLM, a Unified Hedge Language Model that trims.",
     {"UniHedgeLM": "Unified Hedge Language Model"}),
    ("The tidal area recall network, or TARN for short, works.", {"TARN": "tidal area recall network"}),
]  # fmt: skip

NO_DEFINITIONS = [
    "The proportional (Kelly) mechanism is fair.",
    "It starts from an input string (prompt) and goes on.",
    "We compare latent-space prediction (VL-JEPA) with others.",
    "We test two devices (GPU and CPU) on it.",
    "The group of rotations, denoted by SE(3), acts on it.",
    "We evaluate four models (GPT-4o, Claude 3.5 Sonnet) on it.",
    "A plan is better than none (II) and worse than two (III).",
    "We propose FoxTarn, a unified Vision Transformer for hills.",
    "Everything is well (see Fig. 3).",
]


@pytest.mark.parametrize(("text", "expected"), DEFINITIONS, ids=[text[:40] for text, _ in DEFINITIONS])
def test_definitions(text: str, expected: dict[str, str]) -> None:
    assert expanded(text, "acronym") == expected


@pytest.mark.parametrize("text", NO_DEFINITIONS)
def test_brackets_that_define_nothing(text: str) -> None:
    assert expanded(text, "acronym") == {}


def test_a_short_form_that_is_defined_twice_is_one_fact() -> None:
    text = "A gravel sorting network (GSN) sorts. Gravel sorting networks (GSNs) sort."
    assert list(expanded(text, "acronym")) == ["GSN"]


def test_initials_cost_nothing_and_letters_inside_words_do() -> None:
    assert alignment_cost("gsn", "gravel sorting network") == 0
    assert alignment_cost("gsn", "gravel sorting the network") == 0.25
    assert alignment_cost("arm", "autoregressive model") == 2
    assert alignment_cost("gsn", "sorting network") is None
