"""What the tests ask of a text: the facts of a kind, as the words that they stand on."""

from __future__ import annotations

from assets.analytical.facts.fact import Fact
from assets.analytical.facts.reading import read_facts


def values(text: str, *kinds: str) -> list[str]:
    return [text[fact.start : fact.end] for fact in facts(text, *kinds)]


def facts(text: str, *kinds: str) -> list[Fact]:
    return [fact for fact in read_facts(text) if fact.kind in kinds]


def expanded(text: str, kind: str) -> dict[str, str | None]:
    return {text[fact.start : fact.end]: fact.expansion for fact in facts(text, kind)}
