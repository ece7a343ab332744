"""What a person may set about folding: thresholds with their meaning, and decisions on pairs.

Only values and their meaning belong here. Where each default comes from is measured in docs/folding.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

RULE_VERSION = "2"
"""Changes when the rule or the saved index changes, so that an index of another version is rebuilt."""


class FoldingSettings(BaseModel):
    """The thresholds of the fold rule."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    revised_jaccard: float = Field(
        default=0.5,
        ge=0.3,
        le=1.0,
        description="Lowest Jaccard similarity of two texts' word sets for a revised copy. Heavy revisions (one word "
        "in five edited) lie above .5; companion papers of one group below.",
    )
    plain_jaccard: float = Field(
        default=0.7,
        ge=0.3,
        le=1.0,
        description="From this Jaccard on, a revised copy needs no look at the order of its words. Below it the texts "
        "must also agree in order: companion papers share vocabulary, revisions share sequences.",
    )
    revised_order: float = Field(
        default=0.65,
        ge=0.0,
        le=1.0,
        description="Lowest share of the shorter text's words that stand in the same order in the other, asked of "
        "pairs between revised_jaccard and plain_jaccard.",
    )
    framed_jaccard: float = Field(
        default=0.6,
        ge=0.3,
        le=1.0,
        description="Below this Jaccard a stretch of more than rewritten_words that was replaced as a whole speaks for "
        "another body in the same frame of boilerplate.",
    )
    rewritten_words: int = Field(
        default=14, ge=1, description="Longest stretch of words that a revision at low Jaccard replaces as a whole."
    )
    rewritten_share: float = Field(
        default=0.3,
        ge=0.0,
        le=1.0,
        description="Longest such stretch, as a share of the shorter text's words, below plain_jaccard: a third of a "
        "text replaced as a whole is another body in the same frame.",
    )
    short_words: int = Field(
        default=20,
        ge=0,
        description="Texts with fewer distinct words are short: what they share may be boilerplate alone.",
    )
    short_jaccard: float = Field(
        default=0.8, ge=0.3, le=1.0, description="Lowest Jaccard similarity for a revised copy of a short text."
    )
    truncated_containment: float = Field(
        default=0.9,
        ge=0.5,
        le=1.0,
        description="From this share of the shorter text's words on that the longer contains, a copy with a sentence "
        "dropped or added needs no look at the order of its words.",
    )
    cut_containment: float = Field(
        default=0.75,
        ge=0.5,
        le=1.0,
        description="Lowest share of the shorter text's words that the longer contains for a cut copy; less than 1 "
        "because the longer may be a revised one.",
    )
    truncated_beginning: float = Field(
        default=0.75,
        ge=0.5,
        le=1.0,
        description="Lowest share of a cut copy's words that stand, in the same order, at the longer one's beginning.",
    )
    plain_containment: float = Field(
        default=0.95,
        ge=0.5,
        le=1.0,
        description="From this containment on a cut copy needs no look at what was rewritten.",
    )
    cut_rewritten_words: int = Field(
        default=8, ge=1, description="Longest stretch of words in which a cut copy may differ from the longer text."
    )
    truncated_words: int = Field(
        default=12,
        ge=3,
        description="Fewest words of a cut copy: shorter texts are openings that many papers share.",
    )
    truncated_share: float = Field(
        default=0.12,
        ge=0.0,
        le=1.0,
        description="Shortest cut copy, as a share of the longer text's words.",
    )
    near_jaccard: float = Field(
        default=0.4,
        ge=0.0,
        le=1.0,
        description="From this Jaccard on, a candidate pair that is not folded is published in conflicts.",
    )
    floor: float = Field(
        default=0.3,
        ge=0.0,
        le=1.0,
        description="Lowest similarity that any two texts of one paper may have, unless a shared id or a decision "
        "joined them.",
    )
    shared_id_similarity: float = Field(
        default=0.3,
        ge=0.0,
        le=1.0,
        description="Lowest Jaccard (or containment less .2) of two texts that share an id and have no titles to "
        "compare; below it the id is that of a volume or was copied.",
    )
    title_similarity: float = Field(
        default=0.8,
        ge=0.0,
        le=1.0,
        description="Lowest similarity (normalised edit distance of the words) of two titles that count as alike.",
    )
    common_shingle: int = Field(
        default=16,
        ge=2,
        description="A shingle in more texts than this is common: its texts are paired with their neighbours only, "
        "so that boilerplate costs no quadratic time.",
    )
    shared_shingles: float = Field(
        default=0.1,
        ge=0.0,
        le=1.0,
        description="Share of the smaller text's kept shingles that two texts must share on rare lists to be measured.",
    )
    neighbours: int = Field(
        default=3,
        ge=1,
        description="How many neighbours on a common shingle's list each text is paired with.",
    )
    sketch_bins: int = Field(
        default=3,
        ge=1,
        le=16,
        description="In how many of sixteen bins the sketches of two such neighbours must agree.",
    )
    overlapping_bits: float = Field(
        default=0.62,
        ge=0.0,
        le=1.0,
        description="Share of the smaller text's signature that the other's must overlap for a pair to be measured; "
        "a Jaccard of .5 means .67 at least.",
    )

    def fingerprint(self) -> str:
        """Return a hash over all values and the version of the rule; an index of another one is rebuilt."""
        return hashlib.sha256(f"{RULE_VERSION}:{self.model_dump_json()}".encode()).hexdigest()


@dataclass(frozen=True, order=True)
class Decision:
    """A person's word on a pair: `same` or `different`, with two paper or occurrence ids."""

    verdict: Literal["same", "different"]
    first: str
    second: str

    def __post_init__(self) -> None:
        for value in (self.first, self.second):
            if not value.startswith(("pap_", "occ_")):
                raise ValueError(f"decision: {value!r} is no id; expected an id that begins with pap_ or occ_")


def decisions_fingerprint(decisions: Sequence[Decision]) -> str:
    """Return a hash over the decisions, whatever their order."""
    return hashlib.sha256(repr(sorted(decisions)).encode()).hexdigest()
