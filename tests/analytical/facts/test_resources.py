"""Data sets and models by name: from the lists, from the words around them, and from their neighbours."""

from __future__ import annotations

import pytest

from assets.analytical.facts.names import common, definitions, known
from tests.analytical.facts.found import values

MODELS = [
    ("We compare GPT-4o, Claude 3.5 Sonnet, Llama-3.1 70B, and Qwen2.5-14B-Instruct.",
     ["GPT-4o", "Claude 3.5 Sonnet", "Llama-3.1 70B", "Qwen2.5-14B-Instruct"]),
    ("We use ResNet-18 and a BERT-based encoder.", ["ResNet-18", "BERT"]),
    ("Distances derive from CLIP-style features.", ["CLIP"]),
    ("Deep Q-Networks (DQNs) learn.", ["DQNs"]),
    # two models with a slash between them
    ("Large-scale LLaDA/Mist experiments agree.", ["LLaDA", "Mist"]),
    # told by the words before or behind
    ("Geometry-aware scores such as HHGuide, fHill, and HTM win.", ["HHGuide", "fHill", "HTM"]),
    ("It gives speedups of 3× over cuHills, which is good.", ["cuHills"]),
    ("We study this using WalkBoltz2, a modern hill model.", ["WalkBoltz2"]),
    ("We propose HillTune, a method. HillTune with DoublePrompt on a CLIP backbone wins.", ["DoublePrompt", "CLIP"]),
    # generic architectures and abbreviations are no names
    ("We train a CNN, an LSTM and a Transformer on a GPU.", []),
    ("A one-hidden-layer ReLU network is trained by SGD.", []),
]  # fmt: skip

DATASETS = [
    ("Tests on CIFAR-10, CIFAR100-LT, ImageNet-LT and COCO agree.",
     ["CIFAR-10", "CIFAR100-LT", "ImageNet-LT", "COCO"]),
    ("Two sources (CIFAR-100 and GiantCIFAR-100) are used.", ["CIFAR-100", "GiantCIFAR-100"]),
    ("It wins on the HILLMET benchmark.", ["HILLMET"]),
    ("We evaluate on MS COCO and SQuAD 2.0.", ["MS COCO", "SQuAD 2.0"]),
    ("Across Atari benchmarks it is best.", ["Atari"]),
    ("Results on datasets such as HillQA and MoorQA are good.", ["HillQA", "MoorQA"]),
    ("An ImageNet-pretrained encoder is used.", ["ImageNet"]),
    # short forms of tasks name no data set
    ("Long-Tailed Hiking (LTH) is hard. We run many LTH benchmarks.", []),
    ("We test on NER datasets and NLI benchmarks.", []),
    # a listed name that is also a word counts only beside a cue
    ("We replicate the adult brain. An Adult bird sang.", []),
    ("We use the Adult dataset.", ["Adult"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "names"), MODELS, ids=[text[:45] for text, _ in MODELS])
def test_models(text: str, names: list[str]) -> None:
    assert values(text, "model") == names


@pytest.mark.parametrize(("text", "names"), DATASETS, ids=[text[:45] for text, _ in DATASETS])
def test_datasets(text: str, names: list[str]) -> None:
    assert values(text, "dataset") == names


def test_what_the_paper_introduces_is_nothing_that_it_uses() -> None:
    text = "We introduce HillBench, a benchmark. On the HillBench benchmark, GPT-4 wins."
    assert values(text, "dataset", "model") == ["GPT-4"]


def test_a_name_is_a_fact_once() -> None:
    assert values("BERT is old. We tune BERT. BERT wins.", "model") == ["BERT"]


def test_the_lists_hold_each_name_once_and_in_one_list() -> None:
    datasets, models = set(known("dataset")), set(known("model"))
    assert datasets & models == set()
    assert (datasets | models) & common() == set()
    assert all(words == words.lower() for _, words in definitions())
