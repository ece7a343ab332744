"""HTML inside a text: tags, entities, raised and lowered characters.

Only tags that exist are taken for tags, so that `a < b and c > d` stays. Entities are decoded once: `&amp;lt;`
becomes `&lt;`. Whole pages are the business of `formats/page.py`.
"""

from __future__ import annotations

import html
import re

from assets.parsed.scripts import subscript, superscript

INLINE = (
    "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong tt u "
    "var "
    "italic bold sc monospace underline fixed-case tex-math inline-formula mml:math mml:mi jats:italic jats:bold"
)
BLOCK = (
    "p br div li ul ol h[1-6] hr tr td th table tbody thead blockquote section article pre title sec dl dt dd center "
    "jats:p jats:title jats:sec abstracttext"
)
_SUP = re.compile(r"<(jats:)?(sup|sub)\s*>([^<>]{0,60})</\1?\2\s*>", re.IGNORECASE)
_INLINE = re.compile(rf"</?(?:{'|'.join(INLINE.split())})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_BLOCK = re.compile(rf"</?(?:{'|'.join(BLOCK.split())})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_HIDDEN = re.compile(r"<!--.*?-->|<(script|style)\b[^>]*>.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_STRAY_SCRIPT = re.compile(r"</?(?:jats:)?su[bp]\s*>", re.IGNORECASE)
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
MIGHT_BE = re.compile(r"<[a-zA-Z/!]|&[#a-zA-Z]")


def resolve_html(text: str) -> str:
    """Return the text without tags, with entities decoded once and scripts as Unicode."""
    if "<" in text:
        text = _HIDDEN.sub(" ", text)
        text = _SUP.sub(
            lambda m: superscript(_entity(m[3])) if m[2].lower() == "sup" else subscript(_entity(m[3])), text
        )
        text = _INLINE.sub("", text)
        text = _BLOCK.sub("\n", text)
        text = _STRAY_SCRIPT.sub("", text)
    return _entity(text)


def _entity(text: str) -> str:
    return ENTITY.sub(lambda m: html.unescape(m[0]), text) if "&" in text else text
