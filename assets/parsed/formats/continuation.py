"""Whether a paragraph goes on with the abstract before it or begins a new one.

Nothing but sense tells the paragraphs of an abstract with blank lines in it from the abstracts of a list. The signs
used here: how a paragraph begins, how the one before it ended, and how long it is.
"""

from __future__ import annotations

import re

from assets.parsed.formats.layout import ends_sentence, is_prose, weight
from assets.parsed.prefixes import LABEL_WORDS

SHORT = 130
"""Characters below which a paragraph is hardly an abstract of its own."""
MIDDLE = 420
"""Characters up to which a weak sign is enough."""

_LOWER = re.compile(r"^(?:[a-zà-ÿ]|[,;:)\]}…])")
_ITEM = re.compile(
    r"^(?:[-*•·▪◦‣–—]\s+|\(?(?:i{1,3}|iv|v|vi{0,3}|[1-9]|[a-h])[.)]\s|\([ivx\d]{1,4}\)|(?:RQ|C|H)?\d[:.)]\s|①|②|③|"
    r"④|⑤|[一二三四五][、.])",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"^(?:our (?:second|third|fourth|last|final|main|key|other|first)\b|(?:second|third|fourth|last)(?:ly)?,|"
    r"the (?:second|third|fourth|last) (?:result|contribution|part|question|step|task|experiment|method|one|"
    r"problem)\b|"
    r"(?:furthermore|moreover|additionally|in addition|besides|finally|lastly|overall|in (?:summary|conclusion|"
    r"particular|contrast|short|total)|to (?:summari[sz]e|conclude|sum up)|specifically|"
    r"more (?:specifically|precisely|concretely)|as a (?:result|consequence)|consequently|therefore|thus|hence|"
    r"accordingly|"
    r"nevertheless|nonetheless|on the other hand|by contrast|conversely|similarly|likewise|for (?:example|instance)|"
    r"that is|namely|notably|importantly|remarkably|here|then|next)[,:]|i\.e\.|e\.g\.|where\b|we conclude\b|"
    r"(?:the |our |all |source |full )*(?:code|codes|data|dataset|datasets|implementation|models?|demo|video|"
    r"software|"
    r"project(?: page)?|website|weights|checkpoints|results|supplementary|materials?|maps|benchmark)"
    r"(?:,? (?:and|&) [\w ,]{1,60})? (?:is|are|will be|can be|has been|have been)\b.{0,80}"
    r"(?:at|available|released|found|open|public|accessible|here)|"
    r"(?:code|data|project page|website|demo|video|keywords?|index terms|ccs concepts|github|repository|key words|"
    r"comments?|availability|contact|funding|conclusions?|results|methods?|findings|discussion|interpretation|"
    r"implications|significance|limitations|materials and methods|design|setting|participants|"
    r"main outcome measures?|registration|trial registration)(?:\s*[:：—–]| - )|"
    r"https?://|www\.|此外|另外|同时|最后|总之|综上|因此|然而|具体来说|具体而言|其次|第二|第三|再次|代码|关键词|"
    r"关键字|"
    r"さらに|また、|最後に|しかし|したがって|具体的には|또한|마지막으로|그러나|"
    r"de plus|en outre|enfin|par ailleurs|außerdem|darüber hinaus|schließlich|zudem)",
    re.IGNORECASE,
)
_WEAK_START = re.compile(
    r"^(?:our (?:results?|experiments?|approach|method|analysis|findings?|framework|algorithm|work|code|"
    r"contributions?|evaluation|model|theory|proofs?)|"
    r"these |those |such |it |its |they |their |however|both |this (?:is|was|result|approach|leads|allows|enables|"
    r"yields|suggests|shows|means|gives|"
    r"implies|method|work|framework|finding|algorithm|analysis|improves|reduces)|the (?:result|proposed|resulting|"
    r"former|latter|proof|key|main|"
    r"experiments?|evaluation|method|approach|algorithm|analysis|code)\b|experiments?\b|experimental|empirically|"
    r"theoretically|extensive|"
    r"results |we (?:also|further|then|finally|additionally|next|hope|release|publish|show|demonstrate|evaluate|"
    r"prove|find|validate|test|apply|obtain|achieve|observe|verify|report|"
    r"compare|establish|believe|use|derive|give)\b|"
    r"as an? |with (?:this|these)|using (?:this|these)|based on (?:this|these)|to (?:this end|address this|do so|"
    r"achieve this|overcome)|"
    r"first(?:ly)?,|while |when |on |across |compared |实验|结果|我们|该|本方法)",
    re.IGNORECASE,
)
# What speaks of something said before; "We show" and "On" begin abstracts just as well.
_BACK = re.compile(
    r"^(?:our (?:results?|experiments?|approach|method|analysis|findings?|framework|algorithm|code|contributions?|"
    r"evaluation|model|theory|proofs?)\b|these |those |such |it |its |they |their |however|both |this (?:is|was|result|"
    r"approach|leads|allows|enables|yields|suggests|shows|means|gives|implies|method|framework|finding|algorithm|"
    r"analysis|improves|reduces)\b|the (?:result|proposed|resulting|former|latter|proof|key|main|experiments?|"
    r"evaluation|method|approach|algorithm|analysis|code)s?\b|experiments?\b|experimental|results |"
    r"we (?:also|further|then|finally|additionally|next|hope|release|publish)\b|with (?:this|these)\b|"
    r"using (?:this|these)\b|based on (?:this|these)\b|to (?:this end|address this|do so|achieve this)\b|实验|结果|该|"
    r"本方法)",
    re.IGNORECASE,
)
_OPEN_END = re.compile(
    r"(?:[:：,，;；]|\b(?:and|or|that|of|the|to|is|are|as follows|following|by|where|with|for))\s*$|\$\$\s*$|"
    r"\\\]\s*$",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(r"[\w)\]]\s*$")
_NAME = re.compile(r"^[a-z]+(?:[A-Z0-9]|-[A-Z])|^[a-z][-‐]")
_PREFIX = re.compile(rf"\s*(?:arXiv:\s*\d|(?:{LABEL_WORDS})\s*[:：])", re.IGNORECASE)
_DISPLAY = re.compile(r"^(?:\$\$|\\\[|\\begin\{)")


TOO_SHORT = "too short for an abstract of its own"
LOWER_CASE = "it begins in lower case"
WEAK = "short, and it begins as a continuation does"
LEAST_LIKENESS = 0.5
"""Share of the usual length that a paragraph has at least that is an abstract among short ones."""


def begins_as_text(paragraph: str) -> bool:
    """Return whether a paragraph begins as a sentence does: no small letter, no mark that goes on."""
    return not _LOWER.match(paragraph) or bool(_NAME.match(paragraph))


def refers_back(paragraph: str) -> bool:
    """Return whether a paragraph plainly goes on with something or speaks of something said before."""
    return bool(_STRONG.match(paragraph) or _ITEM.match(paragraph) or _BACK.match(paragraph))


def is_alike(paragraph: str, usual: int) -> bool:
    """Return whether a short paragraph looks like the others of a list of short abstracts.

    Args:
        paragraph: The paragraph in question.
        usual: The length (see `layout.weight`) that the longer paragraphs of the list have.
    """
    return (
        usual < MIDDLE
        and weight(paragraph) >= LEAST_LIKENESS * usual
        and begins_as_text(paragraph)
        and ends_sentence(paragraph)
        and not refers_back(paragraph)
    )


def continues(before: str, paragraph: str) -> str | None:
    """Return why a paragraph belongs to the abstract before it, for a person to judge; None when it begins a new one.

    Args:
        before: The end of the text before the paragraph (its last hundred characters are enough).
        paragraph: The paragraph in question.
    """
    if _PREFIX.match(paragraph):
        return None
    size = weight(paragraph)
    if _DISPLAY.match(paragraph) or (before.rstrip().endswith(("$$", "\\]")) and size < MIDDLE):
        return "a displayed formula"
    if (size < MIDDLE or _LOWER.match(paragraph)) and _OPEN_END.search(before[-24:]):
        return "the paragraph before it does not end"
    if _ITEM.match(paragraph) and size < 2 * MIDDLE:
        return "an item of a list"
    if _STRONG.match(paragraph) and size < 3 * MIDDLE:
        return "it begins as a continuation does"
    if _LOWER.match(paragraph) and not _NAME.match(paragraph) and (size < MIDDLE or _UNFINISHED.search(before[-20:])):
        return LOWER_CASE
    if size < MIDDLE and _WEAK_START.match(paragraph):
        return WEAK
    if size < SHORT and is_prose(paragraph):
        return TOO_SHORT
    return None
