"""Names that the paper itself introduces: systems, methods, data sets, models that a reader would search for.

Three signs, the surest first: a verb of the paper's own (`we propose NAME`, `a benchmark called NAME`), a definition
right behind such a verb (`we introduce Long Expansion (NAME)`), and use as the paper's own (`our NAME`, or NAME as the
subject that outperforms others where no verb introduces anything). Notions in plain words are not names. The words
that tell are in introduction.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assets.analytical.facts import introduction as cue
from assets.analytical.facts.acronyms import Definition
from assets.analytical.facts.fact import Fact, Span, Text
from assets.analytical.facts.names import (
    TOKEN,
    Token,
    base_of,
    definitions,
    is_coined,
    is_name_shaped,
    plain_expansion,
    without_plural,
)

_CONTINUES = re.compile(
    r" (?:[A-Z][\w-]*|\d+(?:\.\d+)?[A-Z]?|(?:of|for|and|with|in|the|to) (?=[A-Z])[A-Z][\w-]*)(?![\w-])"
)
_VERSION = re.compile(r" (?:\d|v\d|V\d|Pro\b|X\b|Net\b)")
_EXPLAINED_WORD = re.compile(r"[\"”’']?(?:, (?:an?|the first|our|which) |: an? | \()")
_EXPLAINED_WORDS = re.compile(
    r"[\"”’']?(?:, (?!termed|named|called|dubbed|denoted|namely|abbrev)| \((?!i\.e)|: | [–—] |—|\.\s|\.?$|;)"
)
_OLD = re.compile(r"\b(?:existing|popular|standard|traditional|conventional|classical|well-known|recent|previous)\s*$")
_PROBLEM = re.compile(r"\s*(?:task|problem|setting|challenge)s?\b")
_FEW_MODIFIERS = 7


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
        self.by_expansion = {d.expansion.start: d for d in sorted(defined, key=lambda d: d.expansion)}
        self.short_forms = {without_plural(self.read[d.short.start : d.short.end]): d for d in defined}
        self.short_starts = {d.short.start for d in defined}
        self.found: dict[str, Fact] = {}

    # -- the three signs ---------------------------------------------------------------------------------------

    def by_verb(self) -> None:
        """Take what stands behind a verb of the paper's own, and what is called by a name in such a sentence."""
        signs = self.text.signs
        for start, end in self._naming_sentences():
            own, said = False, self.read[start:end]
            spoken = any(word in said for word in cue.SPEAKERS) and any(word in said for word in cue.SUBJECT_SIGNS)
            for verb in cue.VERB.finditer(self.read, start, end) if spoken else ():
                if cue.OWN_SUBJECT.search(self.read, max(start, verb.start() - 139), verb.start() + 1):
                    own = True
                    self._object(verb.end(), end)
            if signs.trained and ", a" in said:
                for trained in cue.TRAINED.finditer(self.read, start, end):
                    self._name_at(trained.end(), end, strict=True)
            if " novel " in said or " new " in said:
                for lead in cue.LEADS_TO.finditer(self.read, start, end):
                    self._name_at(lead.end(), end, strict=True)
            passive = cue.PASSIVE.search(self.read, start, end) if signs.passive else None
            if passive and not cue.OF_THIS_PAPER.search(self.read, start, end):
                passive = None
            if passive and not own:
                self._subject(start, passive.start() + 1)
            named = signs.called and any(word in said for word in cue.NAMING_SIGNS)
            for call in cue.CALLED.finditer(self.read, start, end) if named else ():
                of_this = "namely" not in call[0] and cue.OF_THIS_PAPER.search(self.read, start, call.start())
                if own or passive or of_this or "we " in call[0]:
                    self._called(call.end(), end)
            if own or passive:
                for built in cue.BUILT_ON.finditer(self.read, start, end):
                    self._built_on(built.end(), end)

    def by_own_use(self) -> None:
        """Take the names that follow `our`, unless they are common or stand for something that others introduced."""
        for our in cue.OUR.finditer(self.read) if self.text.signs.our else ():
            apart = cue.APART.search(self.read, our.end(), our.end() + 80)
            if apart and not re.search(r"[.,;:()]", self.read[our.end() : apart.end() - 2]):
                self._apart(apart.end(), self.text.sentence_at(our.start()).end)
            for definition in self._definitions_between(our.end(), our.end() + 40):
                before = self.read[our.end() : definition.expansion.start]
                at_head = re.fullmatch(r"[\w -]*", before) and not cue.BREAK.search(before)
                if at_head and len(before.split()) <= 2 and self._is_titled(definition):
                    self._take_definition(definition, before)
            token = TOKEN.match(self.read, our.end())
            if token and is_coined(token[0]) and not self._is_borrowed(token[0]):
                self._take(token.start(), token.end(), "use")

    def by_praise(self) -> None:
        """Take the names that the text uses as its own subject, where no verb introduces a name."""
        places: dict[str, list[Token]] = {}
        for token in self.text.tokens:
            if is_coined(token.text) and not self._is_borrowed(token.text):
                places.setdefault(base_of(token.text), []).append(token)
        for name, tokens in places.items():
            first = tokens[0].start
            if len(tokens) < 2 or cue.USED.search(self.read, max(0, first - 30), first):
                continue
            if any(self._is_praised(name, token) for token in tokens):
                self._take(first, first + len(name), "use")

    # -- where names stand -------------------------------------------------------------------------------------

    def _naming_sentences(self) -> Iterator[Span]:
        """Yield the sentences with a word that may be a name: spelled as one, or capitalised inside the sentence."""
        tokens, place = self.text.tokens, 0
        for sentence in self.text.sentences:
            found = False
            while place < len(tokens) and tokens[place].start < sentence.end:
                found = found or self._may_be_name(tokens[place], sentence)
                place += 1
            if found:
                yield sentence

    def _may_be_name(self, token: Token, sentence: Span) -> bool:
        if token.text in cue.NO_NAMES:
            return False
        inside = token.text[0].isupper() and token.start > sentence.start + 2
        return inside or token.start in self.short_starts or is_coined(token.text)

    def _object(self, start: int, end: int) -> None:
        """Take the name, or the definition, at the head of what a verb governs, and those listed with it."""
        modifiers = cue.MODIFIERS.match(self.read, start, end)
        place = self._name_at(modifiers.end() if modifiers else start, end)
        self._listed(place, end)
        for definition in self._definitions_between(start, end):
            before = self.read[start : definition.expansion.start]
            at_head = not cue.BREAK.search(cue.KINDS_OF.sub("", before))
            if definition.short.start >= start and at_head and len(before.split()) <= _FEW_MODIFIERS:
                self._take_definition(definition, before)
        for apart in cue.APART.finditer(self.read, start, end):
            set_off = apart[0].rstrip()[-1] in ",:—–-"
            if set_off or not cue.BREAK.search(cue.KINDS_OF.sub("", self.read[start : apart.start()])):
                self._apart(apart.end(), end)
        for comma in cue.BETWEEN_COMMAS.finditer(self.read, start, end):
            self._apart(comma.end(), end)

    def _listed(self, place: int | None, end: int) -> None:
        """Take the names that an enumeration adds to the one that ends at a place."""
        while place is not None and (following := cue.NEXT_ITEM.match(self.read, place, end)):
            place = self._name_at(following.end(), end, listed=True)

    def _apart(self, start: int, end: int) -> None:
        """Take a coined name that commas or brackets set apart: `a method, NAME, that`."""
        token = TOKEN.match(self.read, start, end)
        if token is None or not is_coined(token[0]) or self._is_defined_before(token[0], token.start()):
            return
        if start in self.short_starts and self.read[start - 1] == "(":
            return  # a definition, of whatever its expansion is
        if cue.STANDS_APART.match(self.read, token.end()):
            self._take(token.start(), token.end(), "verb")

    def _subject(self, start: int, end: int) -> None:
        """Take the name in the subject of `... is proposed`."""
        clause = start if end - start <= 160 else max(start, self.read.rfind(", ", end - 60, end) + 2)
        for definition in self._definitions_between(clause, end):
            before = self.read[clause : definition.expansion.start]
            if not cue.BREAK.search(before.split(", ")[-1]):
                self._take_definition(definition, before)
        for token in TOKEN.finditer(self.read, clause, end):
            last = self.read[token.end() : end].strip(" ,)") == ""
            alone = last or self.read[token.end() : token.end() + 2] in (", ", ") ")
            opened = token.start() == clause or re.search(
                r"(?:, | \(|[elw] )$", self.read[token.start() - 2 : token.start()]
            )
            if alone and opened and is_coined(token[0]) and not self._is_borrowed(token[0]):
                self._take(token.start(), token.end(), "verb")

    def _called(self, start: int, end: int) -> None:
        """Take what is called by a name: a name-shaped word, capitalised words, or a definition."""
        if definition := self.by_expansion.get(start):
            self._take_definition(definition, "", named=True)
            return
        token = TOKEN.match(self.read, start, end)
        if token is None or token[0] in cue.NO_NAMES:
            return
        closed = cue.CLOSED.match(self.read, token.end(), min(end, token.end() + 14))
        if is_name_shaped(token[0]) and (closed or is_coined(token[0])):
            self._listed(self._take_name(token, end), end)
            return
        if not token[0][0].isupper() or "namely" in self.read[start - 14 : start]:
            return
        if self._take_capitalised(token, end) is None and closed:
            self._take(token.start(), token.end(), "verb")

    def _built_on(self, start: int, end: int) -> None:
        """Take a coined name that an apposition explains: `built on NAME, a tokenizer that`."""
        token = TOKEN.match(self.read, start, end)
        explained = token and re.match(r", (?:an?|our) ", self.read[token.end() : token.end() + 6])
        if token and explained and is_coined(token[0]) and not self._is_borrowed(token[0]):
            self._take(token.start(), token.end(), "verb")

    def _name_at(self, start: int, end: int, *, strict: bool = False, listed: bool = False) -> int | None:
        """Take the name at a place and return where it ends; None when there is none.

        Args:
            start: The place.
            end: The end of the sentence.
            strict: Whether only a coined name counts.
            listed: Whether the place is a later item of an enumeration.
        """
        if definition := self.by_expansion.get(start):
            taken = self._take_definition(definition, "") or not listed
            return definition.short.end + 1 if taken else None
        token = TOKEN.match(self.read, start, end)
        if token is None or token[0] in cue.NO_NAMES:
            return None
        word = token[0]
        explained = cue.EXPLAINED.match(self.read, token.end())
        if is_name_shaped(word) and base_of(word) == word:
            coined = is_coined(word) and not self._is_defined_before(word, start)
            listed_elsewhere = explained and not listed and not strict and not word.endswith("s")
            if (coined and not self._is_modifier(token.end(), word)) or listed_elsewhere:
                return self._take_name(token, end)
            return None
        if word[0].isupper() and not strict:
            alone = explained or re.match(r" \(|[:,]| [—–]|—|\.?\s*$|\.\s", self.read[token.end() : token.end() + 60])
            return self._take_capitalised(token, end, one_will_do=bool(alone and not listed))
        return None

    # -- taking ------------------------------------------------------------------------------------------------

    def _take_name(self, token: re.Match[str], end: int) -> int:
        """Take a name with the version that belongs to it; return where it ends."""
        start, stop = token.span()
        if _VERSION.match(self.read, stop) and not self.by_expansion.get(stop):
            while following := _CONTINUES.match(self.read, stop, end):
                stop = following.end()
        self._take(start, stop, "verb")
        return stop

    def _take_capitalised(self, token: re.Match[str], end: int, *, one_will_do: bool = True) -> int | None:
        """Take capitalised words that a comma, a bracket or the sentence's end closes; return where they end."""
        start, stop = token.span()
        if long := cue.LONG_FORM.match(self.read, start, end):
            self._put(long[2], Fact("introduced", *long.span(2), long[1], "defined"))
            return long.end()
        while following := _CONTINUES.match(self.read, stop, end):
            stop = following.end()
        if stop == token.end():
            closed = one_will_do and _EXPLAINED_WORD.match(self.read, stop) is not None
        else:
            closed = _EXPLAINED_WORDS.match(self.read, stop, min(end, stop + 12)) is not None
        if not closed:
            return None
        self._take(start, stop, "verb")
        return stop

    def _take_definition(self, definition: Definition, before: str, *, named: bool = False) -> bool:
        """Take the short form of a definition, unless others gave it before or it names a problem or a family."""
        short = self.read[definition.short.start : definition.short.end]
        words = self.read[definition.expansion.start : definition.expansion.end]
        if (without_plural(short), plain_expansion(words)) in definitions() or _OLD.search(before):
            return False
        family = without_plural(short) != short and not words[0].isupper()
        if not named and (family or _PROBLEM.match(self.read, definition.short.end + 1)):
            return False
        self._put(without_plural(short), Fact("introduced", *definition.short, words, "defined"))
        return True

    def _take(self, start: int, end: int, detail: str) -> None:
        """Take the name of a span, at the place of its definition where the text has one."""
        base = base_of(self.read[start:end])
        single = without_plural(base)
        if definition := self.short_forms.get(single):
            words = self.read[definition.expansion.start : definition.expansion.end]
            if (single, plain_expansion(words)) not in definitions():
                self._put(single, Fact("introduced", *definition.short, words, detail))
            return
        self._put(single, Fact("introduced", start, start + len(base), None, detail))

    def _put(self, key: str, fact: Fact) -> None:
        if len(key) > 1 and (key not in self.found or fact.start < self.found[key].start):
            self.found[key] = fact

    # -- judging -----------------------------------------------------------------------------------------------

    def _definitions_between(self, start: int, end: int) -> Iterator[Definition]:
        return (definition for place, definition in self.by_expansion.items() if start <= place < end)

    def _is_titled(self, definition: Definition) -> bool:
        words = self.read[definition.expansion.start : definition.expansion.end].split()
        return sum(word[0].isupper() for word in words) * 2 > len(words)

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

    def _is_modifier(self, end: int, word: str) -> bool:
        """Return whether a short name in capitals only modifies what follows: `introduce an RGBX ranking method`."""
        short = len(word) <= 4 and word.isupper()
        return short and re.match(r" [a-z]+ing\b", self.read[end : end + 30]) is not None

    def _is_praised(self, name: str, token: Token) -> bool:
        """Return whether a mention is the subject of what papers say of their own systems."""
        after = token.start + len(name)
        if not cue.PRAISED.match(self.read[after : after + 48]):
            return False
        before = self.read[max(0, token.start - 60) : token.start]
        return before == "" or before.endswith((". ", ", ", "that ")) or cue.TESTED.search(before) is not None
