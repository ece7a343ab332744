"""Whether a text claims a formal result: a theorem, bound, guarantee or exact characterisation of its own."""

from __future__ import annotations

import re

from assets.analytical.facts.fact import Fact, Text
from assets.analytical.facts.patterns import any_of, joined

CUES = (
    "prove ", "proves", "proven", "proved", "provabl", "igorous", "heorem", "bound", "guarantee", "heory",
    "heoretic", "losed-form", "losed form", "inimax", "haracteri", "mpossib", "complexity", "regret",
    "onvergence", "dentifiab", "ardness", "NP-", "ormaliz", "ormalis", "ormally", "athematically",
    "nalytically", "chotomy", "symptotic", "threshold", "conditions", "phase boundar", "phase transition",
    "anarchy", "taxonomy of", "inequalit", " rate", "universal", "match",
)  # fmt: skip
"""A sentence without any of these claims no formal result: asked before the patterns below are tried."""

PROOF_CUES = (" prove", "rigorously", "provabl", "guarantee", "theor", "match")
ANALYSIS_CUES = (
    *("heoretical", "analytically", "mathematically", "formally", "rigorously", "formaliz", "formalis"),
    *("universal for", "characteriz", "characteris"),
)
"""A sentence without any of these holds no proof, or no formal analysis."""

_OWN = any_of("results? analys[ei]s work paper framework theory bounds? proofs? techniques? approach")
_WE = joined(
    rf"""(?:\b(?:[Ww]e|[Tt]his (?:paper|work|article|letter)|[Tt]he paper|[Aa]uthors|I)\b
    |\b(?:[Oo]ur|[Tt]hese|[Tt]he) (?:[\w-]+ ){{0,3}}?{_OWN})"""
)
_SAY = any_of(
    """proves? establish(?:es)? derives? provides? obtains? gives? shows? presents? develops? demonstrate
    characteri[sz]es? improve achieves? attains? yields? identif(?:y|ies) offers? bound analy[sz]e introduce
    formali[sz]e study investigate"""
)
_OF_WHAT = any_of(
    r"""upper lower generali[sz]ation regret error risk concentration approximation convergence complexity tail minimax
    tight matching statistical PAC(?:-Bayes(?:ian)?)? finite-sample excess mistake performance theoretical
    non-?asymptotic dimension-free oracle high-probability quantitative sharp efficiency revenue robustness privacy
    recovery optimality computable information-theoretic query"""
)
_A_RESULT = any_of("bounds? guarantees? rates? inequalit(?:y|ies) results? limits? thresholds?")
RESULT = joined(
    rf"""(?:{_OF_WHAT}[- ](?:[\w-]+[- ]){{0,2}}?{_A_RESULT}
    |bounds? on|(?:sample|query|computational|communication|statistical) complexity
    |convergence (?:guarantees?|rates?|analysis|results?|proofs?|bounds?)|guarantees? (?:for|on|that|of)|theorems?
    |impossibility|closed[- ]form|(?:necessary and )?sufficient conditions?
    |theoretical (?:foundations?|guarantees?|analys[ei]s|justifications?|results?|framework|understanding
    |characteri[sz]ations?|explanations?)|theory of|dichotomy|trichotomy|taxonomy of possible|price of anarchy
    |identifiability|NP-hard(?:ness)?|hardness
    |asymptotic(?:ally)? (?:normality|optimal|optimality|behaviou?r|distribution|analysis|consisten\w+)
    |exact characteri[sz]ation|phase (?:boundary|transition)s?|provabl[ey])"""
)
"""What is bounded or shown, in a syntax that Polars reads too: a text without it holds no bound."""

_OWN_RESULT = RESULT.replace("(?:", "(?:(?<!state-of-the-art )", 1)

_PROVEN = any_of("effective useful successful challenging difficult beneficial crucial valuable powerful")
_PROOF = re.compile(
    joined(
        rf"""{_WE} (?:[\w-]+,? ){{0,4}}?(?:proves?|rigorously (?:show|prove|establish|demonstrate))\b
        |\b(?:is|are|can be|was|were|been) (?:rigorously |formally |theoretically |also )?prove[dn]\b
        (?! (?:to be )?{_PROVEN})
        |\bprovabl[ey]\b|\b(?:theoretical|formal|convergence|generali[sz]ation) guarantees?\b
        |\b(?:[Oo]ur|[Tt]his|[Tt]hese|[Tt]he) (?:[\w-]+ ){{0,2}}?theor(?:y|ems?)\s
        (?:predicts?|shows?|explains?|proves?|reveals?|establish\w*|states?|implies|imply)
        |\b(?:first|main) (?:[\w-]+ ){{0,2}}theorem\b
        |\bprovid\w* (?:a |an )?(?:[\w-]+ ){{0,2}}(?:theory of|theoretical (?:foundation|framework|justification))
        |\b(?:match|matching|nearly match\w*) (?:the |a )?(?:[\w-]+ )?(?:optimal|lower|upper|minimax)"""
    )
)
_BOUND = re.compile(
    rf"{_WE} (?:[\w-]+,? ){{0,3}}?{_SAY}\b(?:(?!\b(?:existing|prior|previous)\b)[^.;]){{0,140}}?\b{_OWN_RESULT}"
)
_FORMALLY = any_of("theoretically analytically mathematically formally rigorously")
_ANALYSIS = re.compile(
    joined(
        rf"""{_WE} (?:[\w-]+,? ){{0,2}}?{_FORMALLY} (?:[\w-]+ ){{0,3}}?
        (?:show|establish|demonstrate|prove|analy[sz]e|characteri[sz]e|justify|derive|explain|study|investigate)
        |\bformally (?:show|prove|establish)|\bis universal for\b
        |\b[Tt]heoretical(?:ly)?,? (?:analys[ei]s|we|results?|findings) (?:[\w-]+ ){{0,3}}?
        (?:show|prove|reveal|establish|demonstrate|indicate|suggest|guarantee|we )\w*
        |\b[Tt]o formali[sz]e (?:this|our|the)\b|\b(?:[Oo]ur|[Tt]he|[Tt]hese) theoretical predictions\b
        |{_WE} (?:[\w-]+,? ){{0,2}}?characteri[sz]es?\s
        (?:what|when|how|the (?:exact|precise|conditions|set|class|optimal))
        |\b[Oo]ur (?:[\w-]+ ){{0,2}}?theoretical (?:analys[ei]s|results?|findings|contributions?)"""
    )
)


def find_theory(text: Text) -> list[Fact]:
    """Return at most one fact: the words that first claim a formal result, the clearest kind of claim first."""
    for detail, pattern, cues, shown in (
        ("proof", _PROOF, PROOF_CUES, text.signs.proof),
        ("bound", _BOUND, (), text.signs.bound),
        ("analysis", _ANALYSIS, ANALYSIS_CUES, text.signs.analysis),
    ):
        for start, end in text.sentences if shown else ():
            said = text.read[start:end]
            if cues and not any(cue in said for cue in cues):
                continue
            found = pattern.search(text.read, start, end)
            if found and any(cue in said for cue in CUES):
                return [Fact("theory", found.start(), found.end(), detail=detail)]
    return []
