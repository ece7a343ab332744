"""Markdown inside a text: emphasis, code, links, escapes.

Markers count only where they can't be anything else: a star opens before a word and closes after one, so that
`a*b*c`, `p < 0.05 *` and `A* search` stay. The structure of Markdown lists is the business of `formats/markdown.py`.
"""

from __future__ import annotations

import re

from assets.parsed.shield import Shield

_IMAGE = re.compile(r"!\[([^\]\n]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_LINK = re.compile(
    r"(?<![!\w])\[([^\[\]\n]+)\]\((?:<[^<>\n]{0,400}>|[^()\s]{0,400}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?)"
    r"(?:\s+\"[^\"\n]{0,200}\")?\)"
)
_CODE = re.compile(r"(?<![`\\\w])(`{1,2})(?=[^\s`])([^`\n]{1,200}?)(?<=[^\s`])\1(?![`\w'])")
_STRONG = re.compile(r"(?<![\w*\\])\*\*\*?(?=[^\s*])((?:[^*]|\*(?!\*)){1,600}?)(?<=[^\s*])\*\*\*?(?![\w*])")
_STRONG_START = re.compile(r"(?<![\w*\\])\*\*([^\W\d_]{1,12})\*\*(?=[^\W\d_])")
"""The letters of an acronym: "a **S**peech **R**ecogniser"."""
_STAR = re.compile(r"(?<![\w*\\])\*(?=[^\s*.,;:)\]])([^*]+?)(?<=[^\s*(\[])\*(?![\w*])")
_UNDER = re.compile(r"(?<![\w_\\/.])_(?=[^\W_])([^_]+?)(?<=[^\s_])_(?![\w_])")
_UNDER2 = re.compile(r"(?<![\w_\\])__(?=[^\W_])([^_\s]{0,80}\s[^_]{0,400}?)(?<=[^\s_])__(?![\w_])")
_STRIKE = re.compile(r"~~(?=\S)([^~\n]+?)(?<=\S)~~")
_ESCAPE = re.compile(r"\\([*_`\[\]#>!|.()+-])")
MIGHT_BE = re.compile(r"[*_`\[~]|\\[*_`\[\]#>!|]")


def resolve_markdown(text: str, shield: Shield) -> str:
    """Return the text without Markdown markers; what stood in code is shielded from later steps."""
    if "\\" in text:
        text = _ESCAPE.sub(lambda m: shield.hide(m[1]), text)
    if "`" in text:
        text = _CODE.sub(lambda m: shield.hide(m[2]), text)
    if "](" in text:
        text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    if "*" in text:
        text = _STAR.sub(r"\1", _STRONG.sub(r"\1", _STRONG_START.sub(r"\1", text)))
    if "_" in text:
        text = _UNDER.sub(r"\1", _UNDER2.sub(r"\1", text))
    return _STRIKE.sub(r"\1", text) if "~~" in text else text
