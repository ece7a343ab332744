"""Data sets and models that a text uses by name: listed names, and others where the words around them tell the kind.

Names that stand together in an enumeration share their kind. Each name is a fact once, at its first place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from assets.analytical.facts.fact import Fact, Text
from assets.analytical.facts.names import TOKEN, Token, base_of, common, is_name_shaped, known, without_plural
from assets.analytical.facts.patterns import any_of, joined, word_set

DATASET, MODEL = "dataset", "model"

_SIZE_WORDS = any_of(
    r"""\d+(?:\.\d+)?[BM]? v\d(?:\.\d)? V\d \d+x\d+B \d+B(?:-\w+)+ Sonnet Opus Haiku Pro Flash Turbo [Mm]ini
    Large(?!\sLanguage) Base
    Small Ultra Nano Instruct Chat XL Vision Coder Max Plus Medium Thinking Next"""
)
_VERSION = re.compile(rf"(?: {_SIZE_WORDS})+(?![\w-])")
_VARIANT_WORDS = any_of(r"base large small mini tiny turbo instruct chat v\d")
_VARIANT = re.compile(rf"(?:[-_]?v?\d[\w.]*|[-_][A-Z]\w*|[-_]{_VARIANT_WORDS}\b|[-_.]\w{{1,8}}|\+\+)+")
_CITED = r"(?:\(\x00+\)|\x00+)?"
_JOINS = r"(?:\b(?:and|or|as well as|versus)\b|\bvs\.?)?"
_BETWEEN = re.compile(rf"\s*{_CITED}\s*[,/&;]?\s*{_JOINS}\s*(?:\b(?:the|both)\b\s*)?{_CITED}")

_DATA = joined(
    r"""(?:data ?sets?|benchmarks?|corpus|corpora|leaderboards?|test ?sets?|benchmark suites?|challenges?|treebanks?
    |databases?|splits?|data\b|test-?beds?|validation sets?)"""
)
_DATA_AFTER = re.compile(rf"^(?:['’]s)?(?: ?\([^()]{{0,30}}\))? (?:[a-z][\w-]* ){{0,2}}?{_DATA}")
_SUCH_AS = r"(?:such as|including|like|namely|e\.g\.,?|i\.e\.,?)"
_DATA_BEFORE = re.compile(
    joined(
        rf"""\b{_DATA}(?:,? (?:{_SUCH_AS}|called|named|from|of)|,? \((?:{_SUCH_AS} ?)?|\s?[:(—–,]|, {_SUCH_AS})
        ?(?:the )?$|\b(?:data ?sets?|benchmarks?|corpora|corpus) $"""
    ).replace(")?(?:the", ") ?(?:the"),
    re.IGNORECASE,
)
_RUN = any_of(
    r"""[Ee]xperiment\w* evaluat\w+ [Ee]valuations? [Rr]esults? test\w* validat\w+ performance train\w* pre-?train\w*
    benchmark\w* accuracy improv\w+ gains? outperform\w* demonstrat\w+ compar\w+ fine-?tun\w+
    state[-\s]of[-\s]the[-\s]art SOTA achiev\w+ scores?"""
)
_MANY = any_of(
    r"""the both real public standard popular challenging large-scale widely\sused well-known recent four three two five
    publicly\savailable datasets? benchmarks?"""
)
_RUN_ON = re.compile(rf"\b{_RUN}\b[^.;:]{{0,70}}?\b(?:on|across|over)(?: {_MANY})*\s$")
_HARDWARE = any_of(
    """GPUs? CPUs? robots? hardware processors? chips? devices? models? LLMs? VLMs? MLLMs? backbones? architectures?
    platforms? networks? tasks? boards? cameras? problems? systems? machines? clusters? arms? manipulators?
    classification detection estimation translation segmentation"""
)
_NOT_DATA_AFTER = re.compile(rf"^(?:s?\b)?[- ](?:[\w-]+ )?{_HARDWARE}\b")
_MODELS = any_of(
    """models? LLMs? LMs? VLMs? MLLMs? LVLMs? VLAs? PLMs? backbones? baselines? architectures? encoders? tokenizers?
    checkpoints? optimi[sz]ers? solvers? librar(?:y|ies) toolkits? agents? detectors? algorithms? embeddings?
    famil(?:y|ies) series parsers? taggers? transformers? generators? classifiers?"""
)
_MODEL_AFTER = re.compile(rf"^ (?:[a-z][\w-]* )?{_MODELS}\b")
_METHODS = any_of(
    """methods? approaches systems? frameworks? networks techniques scores tools? packages? planners? policies
    simulators? competitors"""
)
_MODEL_BEFORE = re.compile(
    joined(
        rf"""\b(?:models?|algorithms?|baselines?|detectors?|optimizers?|simulators?|librar(?:y|ies)|toolkits?) $
        |\b(?:{_MODELS}|{_METHODS})(?:,? {_SUCH_AS}|,? \((?:{_SUCH_AS} ?)?|\s?[:—–]|, {_SUCH_AS}) ?(?:the )?$"""
    )
)
_BEATS = any_of(
    r"""outperform(?:s|ed|ing)? surpass(?:es|ed|ing)? exceed(?:s|ed|ing)? compared?\s(?:to|with|against)
    comparison\s(?:to|with) over than against versus vs\.? beats? beating relative\sto competitive\swith
    comparable\s(?:to|with) on\spar\swith superior\sto baselines?,? built\son based\son builds\son built\supon rivals?
    improv\w+\s(?:on|upon|over)"""
)
_KNOWN_AS = any_of(
    r"""the both strong prior previous recent state-of-the-art existing popular widely\sused standard vanilla original
    baseline closed-source proprietary open-source"""
)
_COMPARED = re.compile(rf"\b{_BEATS}(?: {_KNOWN_AS})* $")
_GOES_ON = any_of(
    """and or by on in with for at while when across as under without is are has using that which to from but"""
)
_IS_WHOLE = re.compile(rf"[.,;:)(]|\s?\x00|\s?$|\s(?:{_GOES_ON}\b|\()|'s|’s")
_APPOSED_MODEL = re.compile(
    rf"^, (?:an?|the|one of the) (?:[\w-]+ ){{0,5}}?(?:{_MODELS}|framework|simulator|library|tool|network|method)\b"
)
_APPOSED_DATA = re.compile(
    r"^, (?:an?|the|one of the) (?:[\w-]+ ){0,5}?(?:dataset|data set|benchmark|corpus|collection|database)\b"
)
_ON_TOP_OF = re.compile(r"(\S+) (?:with|using|atop|on top of|applied to|combined with) $")
_ITEM_END = re.compile(r"[,;:.)/]|\s?$|\s(?:and|or)\b|\s\(")
_ITEM_START = re.compile(r"(?:[,;(/]|\b(?:and|or|as|including|on|with|like|the))\s?$")
_NO_NAMES = word_set("""II III IV VI AI ML NLP CV US UK EU GPU CPU FLOPs""")


class Candidate(NamedTuple):
    """What may name a resource: the name, its span, its listed kind, and `sure` unless it is listed with a `?`."""

    name: str
    start: int
    end: int
    kind: str | None
    sure: bool


def find_resources(text: Text, own: Collection[str], defined: Collection[str]) -> list[Fact]:
    """Return the data sets and models that a text names, in order.

    Args:
        text: The text.
        own: Names that the paper introduces; they are not resources that it uses.
        defined: Short forms that the text defines; they count only where listed.
    """
    found: dict[tuple[str, str], Fact] = {}
    for group in _groups(text, own, defined):
        for candidate, kind in _judged(text.read, group, own):
            key = (kind, candidate.name)
            if key not in found:
                found[key] = Fact(kind, candidate.start, candidate.end)
    return sorted(found.values(), key=lambda fact: fact.start)


def _groups(text: Text, own: Collection[str], defined: Collection[str]) -> Iterator[list[Candidate]]:
    """Yield candidates, those of one enumeration together."""
    group: list[Candidate] = []
    for candidate in _candidates(text, own, defined):
        if group and not _joins(text.read, group[-1], candidate):
            yield group
            group = []
        group.append(candidate)
    if group:
        yield group


def _joins(read: str, left: Candidate, right: Candidate) -> bool:
    if right.start - left.end > 40:
        return False
    between = read[left.end : right.start]
    return between != " " and _BETWEEN.fullmatch(between) is not None


def _candidates(text: Text, own: Collection[str], defined: Collection[str]) -> Iterator[Candidate]:
    """Yield the names of a text in order: listed ones, and words that are spelled as names."""
    read, passed = text.read, 0
    for token in text.tokens:
        if token.start < passed or not _may_name(token.text):
            continue
        for word, start in _parts(token):
            if listed := _listed(read, word, start):
                passed = listed.end
                if listed.name not in own:
                    yield listed
                continue
            spelled = _spelling(word)
            if spelled is None:
                continue
            name, length, shaped = spelled
            if shaped and name not in defined and not any(other.startswith(name) for other in own):
                yield Candidate(name, start, start + length, None, True)
            elif not shaped and start > 1 and read[start - 2 : start] != ". ":
                yield Candidate(name, start, start + length, None, False)


@lru_cache(maxsize=1 << 16)
def _may_name(word: str) -> bool:
    """Return whether a word may be a name, or begin one, in some text: most words of most texts are known not to."""
    return "/" in word or word in _phrases() or _entry(word) is not None or _spelling(word) is not None


@lru_cache(maxsize=1 << 16)
def _spelling(word: str) -> tuple[str, int, bool] | None:
    """Return the name that a word may be, its length in the text and whether it is spelled as only names are."""
    base = base_of(word)
    single = without_plural(base)
    if single in common() or base in _NO_NAMES:
        return None
    if is_name_shaped(single) and len(single) > 2:
        return single, len(base), True
    return (word, len(word), False) if word[0].isupper() and len(word) > 3 and base == word else None


def _parts(token: Token) -> Iterator[tuple[str, int]]:
    """Yield the names of a word with slashes: `A/B` is two names, `CNN/DailyMail` one."""
    word = token.text
    if "/" not in word or word in known(DATASET):
        yield word, token.start
        return
    start = token.start
    for part in word.split("/"):
        if part:
            yield part, start
        start += len(part) + 1


def _listed(read: str, word: str, start: int) -> Candidate | None:
    """Return the listed name at a place, the longest first, with its version."""
    for name in _phrases().get(word, ()):
        if read.startswith(name, start) and not read[start + len(name) : start + len(name) + 1].isalnum():
            kind = DATASET if name in known(DATASET) else MODEL
            return _versioned(read, Candidate(name, start, start + len(name), kind, True))
    if entry := _entry(word):
        name, length, kind, sure = entry
        return _versioned(read, Candidate(name, start, start + length, kind, sure))
    return None


@lru_cache(maxsize=1 << 16)
def _entry(word: str) -> tuple[str, int, str, bool] | None:
    """Return what the lists say of a word: its name, how many of its characters name it, kind, and whether surely."""
    base = base_of(word)
    for name in dict.fromkeys((word, base, without_plural(base), base.removesuffix("s"), _before_ending(word))):
        for kind in (DATASET, MODEL):
            if name in known(kind):
                return name, len(name) + (base == name + "s"), kind, not known(kind)[name]
    stem = re.match(r"[A-Za-z+]*[A-Za-z+](?=[-\d_])", word)
    if stem and len(stem[0]) > 1 and _VARIANT.fullmatch(base, len(stem[0])):
        for kind in (MODEL, DATASET):
            if known(kind).get(stem[0]) is False:
                return base, len(base), kind, True
    return None


def _before_ending(word: str) -> str:
    """Return a name without what a lower-case participle adds: `ImageNet-pretrained` is ImageNet."""
    return re.sub(r"-(?:pre-?)?[a-z]{4,}$", "", word)


def _versioned(read: str, listed: Candidate) -> Candidate:
    if listed.kind == MODEL and (version := _VERSION.match(read, listed.end)):
        return listed._replace(name=read[listed.start : version.end()], end=version.end())
    return listed


@lru_cache(maxsize=1)
def _phrases() -> dict[str, tuple[str, ...]]:
    """Return first word -> the listed names of several words that begin with it, longest first."""
    phrases: dict[str, list[str]] = {}
    for kind in (DATASET, MODEL):
        for name in known(kind):
            if " " in name:
                first = TOKEN.match(name)
                phrases.setdefault(first[0] if first else name, []).append(name)
    return {first: tuple(sorted(names, key=len, reverse=True)) for first, names in phrases.items()}


def _judged(read: str, group: list[Candidate], own: Collection[str]) -> Iterator[tuple[Candidate, str]]:
    """Yield the members of an enumeration that are resources, with their kind."""
    if all(candidate.kind is None and not candidate.sure for candidate in group):
        return
    settled = all(candidate.kind and candidate.sure for candidate in group)
    told = None if settled else _told_kind(read, group) or _beside_own(read, group, own)
    sure = {candidate.kind for candidate in group if candidate.kind and candidate.sure}
    shared = told or (sure.pop() if len(sure) == 1 else None)
    for candidate in group:
        if candidate.kind:
            if candidate.sure or shared == candidate.kind:
                yield candidate, candidate.kind
        elif shared and (candidate.sure or (len(group) > 1 and _is_alone(read, candidate))):
            yield candidate, shared


def _is_alone(read: str, candidate: Candidate) -> bool:
    """Return whether a capitalised word is a whole item of an enumeration rather than a part of more words."""
    if read[candidate.start - 1] == "/":
        return True
    ends = _ITEM_END.match(read[candidate.end : candidate.end + 5])
    return bool(ends and _ITEM_START.search(read, max(0, candidate.start - 10), candidate.start))


def _beside_own(read: str, group: list[Candidate], own: Collection[str]) -> str | None:
    """Return model for what the paper's own system is put together with: `OWN with NAME`."""
    before = _ON_TOP_OF.search(read, max(0, group[0].start - 60), group[0].start)
    shaped = all(candidate.sure for candidate in group)
    return MODEL if before and shaped and without_plural(before[1]) in own else None


def _told_kind(read: str, group: list[Candidate]) -> str | None:
    """Return the kind that the words around an enumeration tell."""
    first, last = group[0], group[-1]
    before, after = read[max(0, first.start - 130) : first.start], read[last.end : last.end + 70]
    shaped = all(candidate.sure or candidate.kind for candidate in group)
    if _DATA_BEFORE.search(before):
        return DATASET
    if _MODEL_BEFORE.search(before):
        return MODEL
    if not shaped:
        return None
    if _DATA_AFTER.match(after):
        return DATASET
    compared = _COMPARED.search(before) and _IS_WHOLE.match(after)
    if compared or _MODEL_AFTER.match(after) or _APPOSED_MODEL.match(after):
        return MODEL
    run = _RUN_ON.search(before) and not _NOT_DATA_AFTER.match(after)
    return DATASET if run or _APPOSED_DATA.match(after) else None
