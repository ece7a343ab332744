"""Names that the paper itself introduces: systems, methods, data sets, models that a reader would search for.

Three signs, the surest first: a verb of the paper's own (`we propose NAME`, `a benchmark called NAME`), a definition
right behind such a verb (`we introduce Long Expansion (NAME)`), and use as the paper's own (`our NAME`, or NAME as the
subject that outperforms others where no verb introduces anything). Notions in plain words are not names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assets.analytical.facts.acronyms import Definition
from assets.analytical.facts.alignment import SMALL_WORDS
from assets.analytical.facts.fact import Fact, Span, Text
from assets.analytical.facts.names import (
    TOKEN,
    Token,
    base_of,
    common,
    definitions,
    is_name_shaped,
    known,
    plain_expansion,
    without_plural,
)

_SUBJECT = (
    r"(?:\b[Ww]e|\bI|\b[Tt]h(?:is|e|e present|e current) (?:[\w-]+ )?(?:paper|work|study|article|letter|report|thesis|manuscript|authors?|abstract)"
    r"|\b[Ii]n th(?:is|e present) (?:paper|work|study|article|letter|report)|\b[Oo]ur (?:[\w-]+ ){0,2}(?:contributions?|solution|method|approach|work|team|paper|framework|system|idea)(?: (?:is|are|here is))?)"
)
_VERB = (
    r"(?:propos(?:e|es|ed|ing)|introduc(?:e|es|ed|ing)|present(?:s|ed|ing)?|develop(?:s|ed|ing)?|design(?:s|ed|ing)?|"
    r"devis(?:e|es|ed|ing)|construct(?:s|ed|ing)?|creat(?:e|es|ed|ing)|build(?:s|ing)?|built|releas(?:e|es|ed|ing)|contribut(?:e|es|ed|ing)|"
    r"describ(?:e|es|ing)|formulat(?:e|es|ed)|offer(?:s)?|publish|open-sourc(?:e|es|ed|ing)|unveil|advocate|suggest|put forward|"
    r"implement(?:ed)?|curat(?:e|es|ed)|collect(?:ed)?|gather(?:ed)?|annotate(?:d)?|assemble(?:d)?|provide|establish|compile|announce|call|name|named|dub|term|termed|is|are)"
)
_VERBS = re.compile(rf"\b{_VERB}\b(?!-)")
_SUBJECT_BEFORE = re.compile(rf"{_SUBJECT},?(?: [a-z]+,?){{0,3}} $")
_LEADING = re.compile(
    r"\b(?:motivates?|yields?|leads? to|results? in|gives? rise to|[Tt]o (?:address|tackle|overcome|solve|bridge|fill|mitigate|remedy|resolve)[^.;]{0,120}?"
    r"|[Hh]ere,?|[Ss]pecifically,?) (?:to )?(?:a|the|an) (?:novel|new) "
)
_PASSIVE = re.compile(
    r"(?:\b(?:[Aa]n?|[Tt]he) (?:novel|new)\b[^.;]{0,120}?)?,? (?:is|are|was|were|has been|have been) (?:also |then |first |further |therefore |thus |hereby )?"
    r"(?:proposed|introduced|presented|developed|released)\b"
)
_OF_THIS_PAPER = re.compile(r"\b(?:novel|new|[Tt]his (?:paper|work|article|letter|study)|[Hh]ere|[Ww]e|[Oo]ur)\b")
_CALLED = re.compile(
    r"\b(?:called|named|dubbed|termed|titled|entitled|coined(?: as)?|denoted (?:as|by)|referred to as|termed as|named as|called as|nicknamed|namely|code-named|"
    r"(?:we|which we|that we) (?:call|name|dub|term|denote(?: as| by)?|refer to as)(?: (?:it|this|the|our|these|them)(?: [\w-]+){0,4}?)?(?: as)?|(?:we )?(?:call|name|dub|term) (?:it|this [\w-]+(?: [\w-]+)?|the [\w-]+(?: [\w-]+){0,3}|our [\w-]+(?: [\w-]+){0,3})(?: as)?)"
    r",?:? (?:the |a |an |as )?[\"“'‘]?"
)
_OUR = re.compile(
    r"\b[Oo]ur (?:proposed |novel |new |own |full |final |best |approach,? |method,? |model,? |framework,? |system,? |algorithm,? |dataset,? |benchmark,? )?(?=[^\W_])"
)
_PRAISED = re.compile(
    r"^(?:'s|’s)? (?:[a-z]+ly |also |can |not only |thus |further |even |then |both )*"
    r"(?:achiev|outperform|surpass|exceed|improv|attain|obtain|reduc|deliver|yield|demonstrat|shows?\b|outscor|beats?\b|"
    r"matches\b|address|leverag|utiliz|employ|integrat|introduc|adopt|enabl|consists?\b|compris|generaliz|"
    r"provid|sets?\b|establish|excels?\b|combin|maintains?\b|preserv|offers?\b|dynamically|"
    r"is (?:able|competitive|based|designed|trained|built)\b|performs?\b|boosts?\b|accelerat|incorporat|recovers?\b)"
)
_TESTED = re.compile(
    r"\b(?:(?:we|to|and) (?:[a-z]+ )?(?:evaluate|validate|test|apply|demonstrate|benchmark|train|deploy|instantiate|implement|assess|use|show that|find that)|"
    r"(?:effectiveness|superiority|performance|efficacy|efficiency|advantages?|benefits?|robustness|utility|potential|capabilit(?:y|ies)|core|heart|code|evaluations?|implementation|generality|versatility|usefulness|validity|feasibility|results|design) (?:of|for)(?: our| the proposed)?|"
    r"demonstrates? that|shows? that|indicates? that|confirms? that|reveals? that|suggests? that|[Ww]ith|[Bb]y|[Uu]sing|[Uu]nlike .{3,60},|, ) $"
)
_APART = re.compile(
    r"\b(?:method|model|framework|approach|algorithm|system|architecture|network|dataset|data set|benchmark|corpus|tool|toolkit|library|pipeline|technique|"
    r"scheme|strategy|module|mechanism|agent|metric|measure|paradigm|platform|loss|estimator|planner|robot|language|resource|package|variant|solution|detector|parser|optimizer|tokenizer|transformer|suite|environment|simulator|component|part|stage|module|contribution|variant|approache)s?(?:, |: | [—–-]+ |—| \(| )(?:the |namely )?(?=[^\W_])"
)
_STANDS_APART = re.compile(
    r"(?:\s\([^()]*\))?(?:,(?! (?:and )?[A-Z])|\)|\.\s|\.?$| \(|:|;| [—–]|—| (?:that|which|for|to|based|using|with|in|on|by|consist\w+|as|is|of|from|and [a-z])\b)"
)
_BETWEEN_COMMAS = re.compile(r"[a-z\d]\)?, (?=[^\W_][^\s,]*[,.] ?(?:(?:and|which|an?|the|for|to|that|with|by|our|in|consist\w+|whose|designed|contain\w+|compris\w+|using|based) [a-z]|$))")
_LONG_FORM = re.compile(
    r"([A-Z][\w-]+(?: (?:(?:of|for|and|with|in|the|to|via|from|by) ){0,2}[A-Z][\w-]+)+) \(([A-Z][\w-]*[\w])\)"
)
_KINDS_OF = re.compile(r"\b(?:family|class|set|suite|series|collection|variant|version|type|kind|form|pair|number|couple)s? of\b")
_TRAINED = re.compile(rf"{_SUBJECT},?(?: [a-z]+,?){{0,3}}? (?:train|pretrain|pre-train|cultivate|obtain|derive|produce|instantiate|finetune|fine-tune)(?:ed)? (?=[^\W_][^\s,]*, an? )")
_BUILT_ON = re.compile(
    r"\b(?:built|based|builds|building|relies|operates|consists?|composed|comprises|comprising|powered|driven|enabled|consisting|supported|coupled|paired|together|combined) "
    r"(?:on|upon|of|by|with|on top of|around|in)? ?(?=[^\W_])"
)
_APPOSED = re.compile(r",? (?:an?|the first|our|the) [\w-]| [-–—] an? |, which |: an? ")
_ADJECTIVES = re.compile(
    r"(?:\s*(?:an?|the|our|two|three|four|several|both|novel|new|simple|first|,|and|yet|but|following|also|here|as|to|of|it|this|these|"
    r"(?:\w+ )?(?:families|family|class|version|variant|suite|series|set|collection) of|[a-z]+(?:ed|al|ive|ic|able|ble|ous|ful|less|ly|ent|ant|ient|ing|-[a-z]+)|[\w-]+-(?:based|free|driven|aware|level|to-end|efficient|agnostic|specific|scale|quality|source|art|stage|step|wise|shot|theoretic|inspired)))*\s*[\"“'‘*]?"
)
_BREAK = re.compile(
    r"\b(?:that|which|to|of|using|based on|by|via|through|where|who|in order|from|so|because|while|as|with|under|aims?|into|between|when|whose|without|against|within|"
    r"for|on|in|at|among|toward|towards|over|across|about|upon|built|trained|consisting|designed|called|named)\b|[;:]|,"
)
_LIST_NEXT = re.compile(r"(?:\s*\([^()]{1,60}\))?(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?:its \w+ |an? |the |our )?")
_GENERIC_HEADS = frozenset(
    "model models network networks method methods algorithm algorithms framework system approach architecture".split()
)
_STOP = frozenset(
    "We I This The A An In On It Our These To For Our As By At And Or If From With Here Then Also However Moreover Furthermore "
    "Specifically Finally First Second Third Bayesian Gaussian Markov English Chinese French German Fourier Hilbert Wasserstein "
    "Transformer Transformers Lagrangian Newton Euclidean Riemannian Hamiltonian Hessian Python Monte Carlo Twitter Wikipedia "
    "Lipschitz Bellman Poisson Nash Arabic Japanese Spanish Italian Russian Hindi Korean African European American Indian".split()
)


def find_introduced(text: Text, defined: Sequence[Definition]) -> list[Fact]:
    """Return the names that the paper introduces, in order, each once; `detail` is verb, defined or use."""
    reader = _Reader(text, defined)
    reader.by_verb()
    reader.by_own_use()
    if not reader.found:
        reader.by_praise()
    return sorted(reader.found.values(), key=lambda fact: fact.start)


class _Reader:
    """Collects the names of one text, each at its first place."""

    def __init__(self, text: Text, defined: Sequence[Definition]) -> None:
        self.text, self.read = text, text.read
        self.defined = {d.short.start: d for d in defined}
        self.by_expansion = {d.expansion.start: d for d in defined}
        self.short_forms = {without_plural(self.read[d.short.start : d.short.end]): d for d in defined}
        self.found: dict[str, Fact] = {}

    # -- what is introduced ------------------------------------------------------------------------------------

    def by_verb(self) -> None:
        """Take what stands behind a verb of the paper's own, and what is called by a name in such a sentence."""
        for start, end in self._naming_sentences():
            own = False
            for verb in _VERBS.finditer(self.read, start, end):
                if _SUBJECT_BEFORE.search(self.read, max(start, verb.start() - 80), verb.start()):
                    own = True
                    self._object(verb.end(), end)
            for trained in _TRAINED.finditer(self.read, start, end):
                self._object(trained.end(), end, strict=True)
            for lead in _LEADING.finditer(self.read, start, end):
                self._object(lead.end(), end, strict=True)
            passive = _PASSIVE.search(self.read, start, end)
            if passive and not _OF_THIS_PAPER.search(self.read, start, end):
                passive = None
            if passive and not own:
                self._subject(start, passive.start() + 1)
            for call in _CALLED.finditer(self.read, start, end):
                if own or passive or "we " in call[0] or (
                    "namely" not in call[0] and self._speaks_of_itself(start, call.start())
                ):
                    self._called(call.end(), end)
            if own or passive:
                for built in _BUILT_ON.finditer(self.read, start, end):
                    self._apposed(built.end(), end)

    def _naming_sentences(self) -> Iterator[Span]:
        """Yield the sentences with a word that may be a name: spelled as one, or capitalised inside the sentence."""
        tokens, place = self.text.tokens, 0
        for sentence in self.text.sentences:
            found = False
            while place < len(tokens) and tokens[place].start < sentence.end:
                token = tokens[place]
                place += 1
                if not found and token.text not in _STOP:
                    found = self._is_coined(token.text) or (token.text[0].isupper() and token.start > sentence.start + 2)
                    found = found or token.start in self.defined
            if found:
                yield sentence

    def by_own_use(self) -> None:
        """Take the names that follow `our`, unless they are common or stand for something that others introduced."""
        for our in _OUR.finditer(self.read):
            for definition in self.defined.values():
                before = self.read[our.end() : definition.expansion.start]
                if our.end() <= definition.expansion.start < our.end() + 40 and not re.search(r"[^\w -]", before):
                    if len(before.split()) <= 2 and not _BREAK.search(before) and self._is_titled(definition):
                        self._take_definition(definition, before)
            apart = _APART.search(self.read, our.end(), our.end() + 80)
            if apart and not re.search(r"[.,;:()]", self.read[our.end() : apart.end() - 2]):
                self._apart(apart.end(), self.text.sentence_at(our.start()).end)
            token = TOKEN.match(self.read, our.end())
            if token and self._is_coined(token[0]) and not self._is_borrowed(token[0]):
                self._take(token.start(), token.end(), "use")

    def by_praise(self) -> None:
        """Take the names that the text uses as its own subject, where no verb introduces a name."""
        places: dict[str, list[Token]] = {}
        for token in self.text.tokens:
            if self._is_coined(token.text) and not self._is_borrowed(token.text):
                places.setdefault(base_of(token.text), []).append(token)
        for name, tokens in places.items():
            if len(tokens) > 1 and not self._is_used_first(tokens[0]):
                if any(self._is_praised(name, token) for token in tokens):
                    self._take(tokens[0].start, tokens[0].start + len(name), "use")

    # -- where names stand -------------------------------------------------------------------------------------

    def _object(self, start: int, end: int, *, strict: bool = False) -> None:
        """Take the name, or the definition, at the head of what a verb governs, and those listed with it."""
        head = start if strict else _ADJECTIVES.match(self.read, start, end).end()  # type: ignore[union-attr]
        place: int | None = self._name_at(head, end, strict=strict)
        while place is not None and (following := _LIST_NEXT.match(self.read, place, end)):
            place = self._name_at(following.end(), end, strict=False, listed=True)
        if not strict:
            self._definition_in(start, end)
            for comma in (*_APART.finditer(self.read, start, end), *_BETWEEN_COMMAS.finditer(self.read, start, end)):
                self._apart(comma.end(), end)

    def _apart(self, start: int, end: int) -> None:
        """Take a coined name that commas or brackets set apart: `a method, NAME, that`."""
        token = TOKEN.match(self.read, start, end)
        if token is None or not self._is_coined(token[0]) or self._is_defined_before(token[0], token.start()):
            return
        if _STANDS_APART.match(self.read, token.end()):
            self._take(token.start(), token.end(), "verb")

    def _definition_in(self, start: int, end: int) -> None:
        """Take a definition whose expansion is the head of the object: nothing but modifiers before it."""
        for definition in sorted(self.by_expansion.values()):
            if not start <= definition.expansion.start < end or definition.short.start < start:
                continue
            before = self.read[start : definition.expansion.start]
            if _BREAK.search(_KINDS_OF.sub("", before)) or len(before.split()) > 7:
                continue
            self._take_definition(definition, before)

    def _subject(self, start: int, end: int) -> None:
        """Take the name in the subject of `... is proposed`."""
        clause = max(start, self.read.rfind(", ", start, max(start, end - 60)) + 2 if end - start > 160 else start)
        for definition in sorted(self.by_expansion.values()):
            before = self.read[clause : definition.expansion.start]
            if clause <= definition.expansion.start < end and not _BREAK.search(before.split(", ")[-1]):
                self._take_definition(definition, before)
        for token in TOKEN.finditer(self.read, clause, end):
            alone = self.read[token.end() : end].strip(" ,)") == "" or self.read[token.end() : token.end() + 2] in (
                ", ",
                ") ",
            )
            opened = token.start() == clause or self.read[token.start() - 2 : token.start()] in (
                ", ",
                " (",
                "e ",
                "l ",
                "w ",
            )
            if (
                alone
                and opened
                and is_name_shaped(token[0])
                and self._is_coined(token[0])
                and not self._is_borrowed(token[0])
            ):
                self._take(token.start(), token.end(), "verb")

    def _called(self, start: int, end: int) -> None:
        """Take what is called by a name: a name-shaped word, capitalised words, or a definition."""
        if definition := self.by_expansion.get(start):
            self._take_definition(definition, "", named=True)
            return
        plain = "namely" in self.read[start - 14 : start]
        token = TOKEN.match(self.read, start, end)
        if token is None:
            return
        word = token[0]
        closed = re.match(
            r"[\"”'’*]?(?:\s*[,.;:()–—]|\s+(?:that|which|to|for|and|is|in|with|by|on|as|where|using|based|from|whose|consist\w+|via|of|a|the|containing|comprising|can|has|has|have|designed|an)\b|\s*$)",
            self.read[token.end() : token.end() + 14],
        )
        if is_name_shaped(word) and word not in _STOP and (closed or self._is_coined(word)):
            place: int | None = self._take_run(token, end)
            while place is not None and (following := _LIST_NEXT.match(self.read, place, end)):
                place = self._name_at(following.end(), end, strict=False, listed=True)
        elif word[0].isupper() and word not in _STOP and not plain:
            if self._take_run(token, end, closed_only=True) is None and closed:
                self._take(token.start(), token.end(), "verb")

    def _apposed(self, start: int, end: int) -> None:
        """Take a coined name that an apposition explains: `built on NAME, a tokenizer that`."""
        token = TOKEN.match(self.read, start, end)
        if token and is_name_shaped(token[0]) and self._is_coined(token[0]) and not self._is_borrowed(token[0]):
            if re.match(r", (?:an?|our) ", self.read[token.end() : token.end() + 6]):
                self._take(token.start(), token.end(), "verb")

    def _name_at(self, start: int, end: int, *, strict: bool, listed: bool = False) -> int | None:
        """Take the name at a place and return where it ends; None when there is none."""
        token = TOKEN.match(self.read, start, end)
        if token is None:
            return None
        word = token[0]
        after = self.read[token.end() : token.end() + 60]
        if definition := self.by_expansion.get(start):
            return None if listed and not self._take_definition(definition, "") else definition.short.end + 1
        apposed = (
            _APPOSED.match(after)
            or after.startswith((" (", ":", " —", " –", "—", ","))
            or re.match(r"\.?\s*$|\.\s", after)
        )
        if is_name_shaped(word) and base_of(word) == word and word not in _STOP:
            if (
                self._is_coined(word)
                and not self._is_defined_before(word, token.start())
                and not self._is_modifier(after, word)
            ):
                return self._take_run(token, end)
            if _APPOSED.match(after) and not listed and not strict and not word.endswith("s"):
                return self._take_run(token, end)
            return None
        if word[0].isupper() and word not in _STOP and not strict and apposed and not listed:
            return self._take_run(token, end, closed_only=True)
        if word[0].isupper() and word not in _STOP and not strict:
            return self._take_run(token, end, closed_only=True, several=True)
        return None

    # -- judging and taking ------------------------------------------------------------------------------------

    def _take_run(
        self, token: re.Match[str], end: int, *, closed_only: bool = False, several: bool = False
    ) -> int | None:
        """Take a name and the capitalised words or versions that belong to it; return where it ends."""
        start, stop = token.span()
        if definition := self.by_expansion.get(start):
            self._take_definition(definition, "", named=True)
            return definition.short.end + 1
        words = 1
        if closed_only and (long := _LONG_FORM.match(self.read, start, end)):
            self._put(long[2], Fact("introduced", *long.span(2), long[1], "defined"))
            return long.end()
        while following := re.compile(
            r" (?:[A-Z][\w-]*|\d+(?:\.\d+)?[A-Z]?|(?:of|for|and|with|in|the|to) (?=[A-Z])[A-Z][\w-]*)(?![\w-])"
        ).match(self.read, stop, end):
            stop, words = following.end(), words + 1
        if closed_only:
            after = self.read[stop : stop + 8]
            opened = re.match(r"[\"”’']?(?:, (?:an?|the|our|which|in) | \((?!i\.e)|: | [–—] |—|, )", after)
            ends = re.match(r"[\"”’']?(?:\.\s|\.?$|;)", after)
            if words == 1 and (several or not opened or self.read[start:stop].endswith("s") and "," not in after[:1]):
                return None
            if words == 1 and not re.match(r"[\"”’']?(?:, (?:an?|the first|our|which) |: an? | \()", after):
                return None
            if words > 1 and not (opened or ends) and not several:
                return None
            if several and (words < 2 or not (opened or ends)):
                return None
            if self.read[start:stop].split()[-1].lower() in ("dataset", "corpus") and words < 2:
                return None
        elif words > 1 and self.by_expansion.get(stop):
            stop = token.end()
        else:
            stop = (
                token.end()
                if words > 1 and not re.match(r" (?:\d|v\d|V\d|Pro\b|X\b|Net\b)", self.read[token.end() : stop])
                else stop
            )
        self._take(start, stop, "verb")
        return stop

    def _take_definition(self, definition: Definition, before: str, *, named: bool = False) -> bool:
        short = self.read[definition.short.start : definition.short.end]
        words = self.read[definition.expansion.start : definition.expansion.end]
        if (without_plural(short), plain_expansion(words)) in definitions():
            return False
        if not named and without_plural(short) != short and not words[0].isupper():
            return False  # plural and in lower case: a family of things rather than a name
        if not named and re.match(
            r"\s*(?:task|problem|setting|challenge)s?\b",
            self.read[definition.short.end + 1 : definition.short.end + 12],
        ):
            return False
        if re.search(
            r"\b(?:existing|popular|standard|traditional|conventional|classical|well-known|recent|previous)\s*$", before
        ):
            return False
        self._put(without_plural(short), Fact("introduced", *definition.short, words, "defined"))
        return True

    def _take(self, start: int, end: int, detail: str) -> None:
        name = self.read[start:end]
        base = base_of(name)
        if without_plural(base) in self.short_forms:
            definition = self.short_forms[without_plural(base)]
            words = self.read[definition.expansion.start : definition.expansion.end]
            if (without_plural(base), plain_expansion(words)) not in definitions():
                self._put(without_plural(base), Fact("introduced", *definition.short, words, detail))
            return
        self._put(without_plural(base), Fact("introduced", start, start + len(base), None, detail))

    def _put(self, key: str, fact: Fact) -> None:
        if len(key) > 1 and (key not in self.found or fact.start < self.found[key].start):
            self.found[key] = fact

    def _is_titled(self, definition: Definition) -> bool:
        words = self.read[definition.expansion.start : definition.expansion.end].split()
        return sum(word[0].isupper() for word in words) * 2 > len(words)

    def _is_coined(self, word: str) -> bool:
        """Return whether a word is spelled as a name and is on no list."""
        base = without_plural(base_of(word))
        return (
            is_name_shaped(base)
            and base == without_plural(word)
            and base not in common()
            and base not in known("dataset")
            and base not in known("model")
        )

    def _is_borrowed(self, word: str) -> bool:
        """Return whether a text defines a word without introducing it."""
        base = without_plural(base_of(word))
        definition = self.short_forms.get(base)
        if definition is None or base in self.found:
            return False
        words = self.read[definition.expansion.start : definition.expansion.end]
        return not words[0].isupper() or (base, plain_expansion(words)) in definitions() or word != base

    def _is_defined_before(self, word: str, place: int) -> bool:
        """Return whether the text defined a word before a place, as it does for what it only uses there."""
        definition = self.short_forms.get(without_plural(base_of(word)))
        return definition is not None and definition.short.start < place

    def _is_modifier(self, after: str, word: str) -> bool:
        """Return whether a name only modifies what follows: `an RGBX method`, unlike `NAME, a method`."""
        return (
            False if len(word) > 4 or any(c.islower() for c in word) else re.match(r" [a-z]+ing\b", after) is not None
        )

    def _is_praised(self, name: str, token: Token) -> bool:
        after = self.read[token.start + len(name) : token.start + len(name) + 48]
        before = self.read[max(0, token.start - 60) : token.start]
        return bool(_PRAISED.match(after)) and (
            bool(_TESTED.search(before)) or before == "" or before[-2:] in (". ", ", ") or before.endswith("that ")
        )

    def _is_used_first(self, token: Token) -> bool:
        """Return whether the first mention is of something that is there already: `using NAME`, `such as NAME`."""
        before = self.read[max(0, token.start - 30) : token.start]
        return (
            re.search(
                r"\b(?:using|such as|like|in|from|including|e\.g\.,?|e\.g|by|versus|vs\.?|recent|existing|popular|than|over|to|is|the|and|or|as)\s*[\"“(]?$",
                before,
            )
            is not None
        )

    def _speaks_of_itself(self, start: int, end: int) -> bool:
        return re.search(r"\b(?:we|our|this paper|novel|new)\b", self.read[start:end], re.IGNORECASE) is not None
