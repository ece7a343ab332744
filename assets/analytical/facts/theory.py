"""Whether a text claims a formal result: a theorem, bound, guarantee or exact characterisation of its own."""

from __future__ import annotations

import re

from assets.analytical.facts.fact import Fact, Span, Text

CUES = (
    "prov", "heore", "bound", "guarantee", "heory", "losed-form", "losed form", "inimax", "haracteri", "mpossib",
    "complexity", "regret", "onverge", "igorous", "dentifiab", "ardness", "NP-", "ormal", "chotomy", "symptotic",
    "optimal", "threshold", "conditions", "hase ", "price of anarchy", "nalytic", "athematical", "taxonomy", "limit",
    "consisten", "rates", "inequalit",
)  # fmt: skip
"""A sentence without any of these claims no formal result: asked before the patterns below are tried."""

_WE = r"(?:\b(?:[Ww]e|[Tt]his (?:paper|work|article|letter)|[Tt]he paper|[Aa]uthors|I)\b|\b(?:[Oo]ur|[Tt]hese|[Tt]he) (?:[\w-]+ ){0,3}?(?:results?|analys[ei]s|work|paper|framework|theory|bounds?|proofs?|techniques?|approach))"
_SAY = (
    r"(?:prove|proves|establish|establishes|derive|derives|provide|provides|obtain|obtains|give|gives|show|shows|present|presents|develop|develops|"
    r"demonstrate|characterize|characterizes|characterise|characterises|improve|achieve|achieves|attain|attains|yield|yields|identify|identifies|offer|offers|bound|analyze|analyse|prove|introduce|formalize|formalise|study|investigate)"
)
_RESULT = (
    r"(?:(?<!state-of-the-art )(?:(?:upper|lower|generali[sz]ation|regret|error|risk|concentration|approximation|convergence|complexity|tail|minimax|tight|matching|"
    r"statistical|PAC(?:-Bayes(?:ian)?)?|finite-sample|excess|mistake|performance|theoretical|nonasymptotic|non-asymptotic|dimension-free|oracle|high-probability|quantitative|sharp|efficiency|revenue|robustness|privacy|recovery|optimality|computable|information-theoretic|query)[- ](?:[\w-]+[- ]){0,2}?(?:bounds?|guarantees?|rates?|inequalit(?:y|ies)|results?|limits?|thresholds?))"
    r"|bounds? on|(?:sample|query|computational|communication|statistical) complexity|convergence (?:guarantees?|rates?|analysis|results?|proofs?|bounds?)|guarantees? (?:for|on|that|of)|theorems?|impossibility|closed[- ]form|"
    r"(?:necessary and )?sufficient conditions?|theoretical (?:foundations?|guarantees?|analys[ei]s|justifications?|results?|framework|understanding|characteri[sz]ations?|explanations?)|theory of|"
    r"dichotomy|trichotomy|taxonomy of possible|price of anarchy|identifiability|NP-hard(?:ness)?|hardness|asymptotic(?:ally)? (?:normality|optimal|optimality|behaviou?r|distribution|analysis|consisten\w+)|exact characteri[sz]ation|phase (?:boundary|transition)s?|provabl[ey])"
)
_STRONG = re.compile(
    rf"{_WE} (?:[\w-]+,? ){{0,4}}?(?:prove|proves|rigorously (?:show|prove|establish|demonstrate))\b"
    r"|\b(?:is|are|can be|was|were|been) (?:rigorously |formally |theoretically |also )?prove[dn]\b(?! (?:to be )?(?:effective|useful|successful|challenging|difficult|beneficial|crucial|valuable|powerful))"
    r"|\bprovabl[ey]\b|\b(?:theoretical|formal|convergence|generali[sz]ation) guarantees?\b"
    r"|\b(?:[Oo]ur|[Tt]his|[Tt]hese|[Tt]he) (?:[\w-]+ ){0,2}?theor(?:y|ems?) (?:predicts?|shows?|explains?|proves?|reveals?|establish\w*|states?|implies|imply)"
    r"|\b(?:first|main) (?:[\w-]+ ){0,2}theorem\b|\bprovid\w* (?:a |an )?(?:[\w-]+ ){0,2}(?:theory of|theoretical (?:foundation|framework|justification))"
    r"|\b(?:match|matching|nearly match\w*) (?:the |a )?(?:[\w-]+ )?(?:optimal|lower|upper|minimax)",
)
_RESULTS = re.compile(
    rf"{_WE} (?:[\w-]+,? ){{0,3}}?{_SAY}\b(?:(?!\b(?:existing|prior|previous)\b)[^.;]){{0,90}}?\b{_RESULT}"
)
_DERIVE = re.compile(
    rf"{_WE} (?:[\w-]+,? ){{0,2}}?(?:theoretically|analytically|mathematically|formally|rigorously) (?:[\w-]+ ){{0,3}}?(?:show|establish|demonstrate|prove|analy[sz]e|characteri[sz]e|justify|derive|explain|study|investigate)"
    r"|\b[Tt]heoretical(?:ly)?,? (?:analys[ei]s|we|results?|findings) (?:[\w-]+ ){0,3}?(?:show|prove|reveal|establish|demonstrate|indicate|suggest|guarantee|we )\w*"
    r"|\b[Tt]o formali[sz]e (?:this|our|the)\b|\b(?:[Oo]ur|[Tt]he|[Tt]hese) theoretical predictions\b"
    rf"|{_WE} (?:[\w-]+,? ){{0,2}}?characteri[sz]es? (?:what|when|how|the (?:exact|precise|conditions|set|class|optimal))"
    r"|\b[Oo]ur (?:[\w-]+ ){0,2}?theoretical (?:analys[ei]s|results?|findings|contributions?)"
)


def find_theory(text: Text) -> list[Fact]:
    """Return at most one fact: the words that first claim a formal result, the clearest kind of claim first."""
    told = [Span(*span) for span in text.sentences if any(cue in text.read[span.start : span.end] for cue in CUES)]
    for detail, pattern in (("proof", _STRONG), ("bound", _RESULTS), ("analysis", _DERIVE)):
        for start, end in told:
            if found := pattern.search(text.read, start, end):
                return [Fact("theory", found.start(), found.end(), detail=detail)]
    return []
