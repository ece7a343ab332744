"""Signs that a text must show for a rule to find anything in it, looked for in a whole column of texts at once.

A sign only saves work: a rule whose sign is there may still find nothing, and one whose sign is missing finds nothing
anyway. So a sign is wider than its rule, never narrower. The rules belong to the module of their kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import starmap

import polars as pl

from assets.analytical.facts.fact import Signs
from assets.analytical.facts.links import SIGNS as LINK
from assets.analytical.facts.theory import ANALYSIS_CUES, PROOF_CUES, RESULT

_SPACE = r"[\s\x1c-\x1f]"
"""White space as Python's patterns know it."""

_TRAINED = ("train ", "trained ", "cultivate", "obtain", "derive", "produce", "instantiate", "finetune", "fine-tune")

_CITATION = r"\[[A-Z1-9]|(?:19|20)\d\d|in press|to appear|forthcoming| et\.? al|by [A-Z]"
_CALLED = (
    r"called|named|dubbed|termed|titled|coined|denote|referred to|namely|we (?:call|name|dub|term|refer)"
    rf"|(?:call|name|dub|term){_SPACE}(?:it|this|the|our)"
)
_PASSIVE = rf"(?:is|are|was|were|been)(?: [a-z]+)?{_SPACE}(?:proposed|introduced|presented|developed|released)"
_SPELLED = (
    rf"\p{{Uppercase}}\S{{0,20}},?{_SPACE}+(?:\(?(?:is )?short|(?:which )?stand|an? (?:acronym|abbreviation)|for)"
)


def signs_of(texts: pl.Series) -> Iterator[Signs]:
    """Yield the signs of each text of a column without nulls."""
    text = pl.lit(texts)
    found = pl.select(
        link=text.str.contains_any(list(LINK)),
        citation=text.str.contains(_CITATION),
        spelled=text.str.contains(_SPELLED),
        figure=text.str.contains(r"\d"),
        our=text.str.contains_any(["our ", "Our "]),
        called=text.str.contains(_CALLED),
        passive=text.str.contains(_PASSIVE),
        trained=text.str.contains_any(list(_TRAINED)),
        proof=text.str.contains_any(list(PROOF_CUES)),
        bound=text.str.contains(RESULT),
        analysis=text.str.contains_any(list(ANALYSIS_CUES)),
    )
    return starmap(Signs, found.select(Signs._fields).iter_rows())
