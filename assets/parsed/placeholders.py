"""Site messages that stand in the place of an abstract.

Two ways to know one: its shape, and that one document gives the same text under three or more unlike titles. Equal
texts across documents are a matter for conflicts, not for reading.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from assets.parsed.record import Record

_SHAPE = re.compile(
    r"^[\W_]*(?:"
    r"t\.?b\.?[acd]\.?|n\.?/?a\.?|none|null|nil|nan|empty|unknown|unavailable|missing|pending|todo|placeholder|"
    r"lorem ipsum.{0,40}|"
    r"(?:abstracts?\s+)?to be (?:announced|added|determined|confirmed|published|provided|updated)|"
    r"coming soon|forthcoming|withdrawn|"
    r"embargoed?|"
    r"(?:an?\s+|the\s+|this\s+)?(?:no\s+)?abstracts?(?:\s+(?:text|information))?(?:\s+(?:is|are|was|were|has|will|"
    r"has been|will be))?(?:\s+(?:not|currently|yet|no longer|be))*\s+"
    r"(?:available|provided|found|supplied|given|present|included|missing|unavailable|withheld|embargoed|listed|"
    r"required|shown|displayed|"
    r"announced|added|submitted|uploaded|online)(?:\s+(?:for|at|in|on|yet|from|online|here|by)\b.{0,80})?|"
    r"no abstracts?|without (?:an )?abstract|abstract|not (?:available|provided|applicable|found|yet available)|"
    r"see (?:the )?(?:pdf|paper|full text|link|website|attached).{0,60}|"
    r"(?:please )?(?:sign|log) in to (?:view|see|read).{0,80}|(?:full text|content|abstract) (?:is )?(?:only "
    r")?available (?:to|for|in|at|from).{0,80}|"
    r"(?:this|the) (?:paper|article|submission|abstract|work) (?:has been|was|is) (?:withdrawn|retracted|removed|"
    r"under embargo).{0,120}|"
    r"(?:暂无|无|没有|暂时没有|尚无|缺少)(?:中文|英文)?(?:摘要|简介|内容)(?:信息|内容)?|摘要(?:暂缺|缺失|待补充|"
    r"未提供|待定)|待定|待补充|无|暂无|"
    r"抄録なし|要旨なし|アブストラクトなし|(?:抄録|要旨)は(?:ありません|未公開です)|なし|초록\s*(?:없음|"
    r"이?\s*없습니다)|없음|"
    r"pas de résumé(?: disponible)?|résumé (?:non|pas) disponible|kein(?:e)? (?:abstract|zusammenfassung)(?: "
    r"verfügbar| vorhanden)?|sin resumen|resumen no disponible"
    r")[\W_]*$",
    re.IGNORECASE,
)
_MESSAGE = re.compile(
    r"^[\W_]*(?:requests for (?:name changes|changes of names?) in (?:the electronic|these|the)?\s*proceedings\b"
    r"|do not remove: this comment is monitored|(?:an )?error (?:occurred|404|500)|404 not found|page not found|"
    r"access denied|"
    r"are you a robot|please (?:enable|turn on) (?:javascript|cookies)|just a moment|checking your browser|"
    r"we are sorry, (?:but )?(?:the|this|an)|(?:please )?(?:sign|log) in to (?:view|see|read|continue|access))",
    re.IGNORECASE,
)


def is_placeholder(text: str) -> bool:
    """Return whether a text has the shape of a site message or a note that there is no abstract."""
    return (len(text) <= 300 and bool(_SHAPE.match(text))) or bool(_MESSAGE.match(text))


def title_key(title: str) -> str:
    """Return a title folded for comparison: letters and digits, lower case."""
    return re.sub(r"[\W_]+", "", title).casefold()


def repeated_texts(records: Sequence[Record], least_titles: int) -> set[str]:
    """Return the folded abstracts that stand under at least so many unlike titles of one document."""
    titles: dict[str, set[str]] = defaultdict(set)
    for record in records:
        if record.title and record.abstract and len(record.abstract) < 20_000:
            titles[text_key(record.abstract)].add(title_key(record.title))
    return {text for text, under in titles.items() if len(under) >= least_titles}


def text_key(text: str) -> str:
    """Return an abstract folded for comparison within a document: white space and case."""
    return " ".join(text.split()).casefold()
