"""All facts of one text: the rules of each kind, in the order in which they build on each other."""

from __future__ import annotations

import re

from assets.analytical.facts.acronyms import find_definitions
from assets.analytical.facts.citations import find_citations
from assets.analytical.facts.claims import find_claims
from assets.analytical.facts.fact import ALL_SIGNS, Fact, Signs, Span, Text
from assets.analytical.facts.introduced import find_introduced
from assets.analytical.facts.links import find_links
from assets.analytical.facts.names import without_plural
from assets.analytical.facts.resources import find_resources
from assets.analytical.facts.theory import find_theory

FACTS_VERSION = "1"
"""Version of the rules and lists: facts that another version read are read again."""


_IN_BRACKETS = re.compile(r"\((?<=[a-z] \()([A-Z]{2,6})s?\)")
"""Short forms that stand alone in brackets: defined, whatever the words before."""


def read_facts(whole: str, signs: Signs = ALL_SIGNS) -> list[Fact]:
    """Return the facts of a text, ordered by span and kind; every span lies inside the text.

    Args:
        whole: The text.
        signs: The signs that it shows; they change what the reading costs, not what it finds.
    """
    links = find_links(whole) if signs.link else []
    text = Text(whole, [Span(f.start, f.end) for f in links], signs)
    cited = find_citations(text.read) if signs.citation else []
    if cited:
        text = Text(whole, [Span(f.start, f.end) for f in (*links, *cited)], signs)
    definitions = find_definitions(text)
    acronyms = [Fact("acronym", *d.short, whole[d.expansion.start : d.expansion.end]) for d in definitions]
    introduced = find_introduced(text, definitions)
    own = {without_plural(whole[f.start : f.end]) for f in introduced}
    defined = {without_plural(whole[d.short.start : d.short.end]) for d in definitions}
    defined.update(_IN_BRACKETS.findall(text.read))
    resources = find_resources(text, own, defined)
    names = [Span(f.start, f.end) for f in (*introduced, *resources)]
    facts = [*links, *cited, *acronyms, *introduced, *resources, *find_claims(text, names), *find_theory(text)]
    return sorted(facts, key=lambda fact: (fact.start, fact.end, fact.kind))
