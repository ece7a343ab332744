"""What is never told: credentials in addresses, and what the environment holds under a secret's name."""

from __future__ import annotations

import pytest

from orchestration.scrub import scrub


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("https://reader:hunter22@lists.example/a.txt", "https://[hidden]@lists.example/a.txt"),
        ("https://lists.example/a?token=abcdef#top is gone", "https://lists.example/a?[hidden] is gone"),
        ("postgresql://dagster:pw@db:5432/runs failed", "postgresql://[hidden]@db:5432/runs failed"),
        ("cut off: https://reader:hunter22", "cut off: https://[hidden]"),
        (
            "https://lists.example:8443/a, 'https://lists.example'.",
            "https://lists.example:8443/a, 'https://lists.example'.",
        ),
        ("[see](https://lists.example/a)", "[see](https://lists.example/a)"),
        ("papers fell by 12%: 3 of 24; a@b.example", "papers fell by 12%: 3 of 24; a@b.example"),
    ],
)
def test_credentials_in_addresses_are_hidden_and_the_rest_stays(text: str, told: str) -> None:
    assert scrub(text, environment={}) == told


def test_values_of_secret_variables_are_hidden() -> None:
    environment = {
        "HOOK_TOKEN": "abcdef123",
        "PGPASSWORD": "pass word",
        "PAPERFOLD_ALERT__WEBHOOK": "https://hooks.example/services/T00/B00/zyxw",
        "HOME": "/home/someone",
        "API_KEY": "short",
        "GIT_AUTHOR_NAME": "Someone Else",
    }
    text = "abcdef123, pass word, pass%20word, /services/T00/B00/zyxw, /home/someone, short, Someone Else"
    told = "[hidden], [hidden], [hidden], /[hidden], /home/someone, short, Someone Else"
    assert scrub(text, environment=environment) == told


def test_a_secret_within_another_leaves_nothing_behind() -> None:
    assert scrub("x-abcdefghij-x", ["abcdef", "abcdefghij"], {}) == "x-[hidden]-x"
