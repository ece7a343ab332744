"""Characters that look alike or like nothing: invisible marks, ligatures, mojibake, glyph numbers.

What is done here never joins or parts words; lines and hyphens are the business of `line_ends.py`.
"""

from __future__ import annotations

import re
import unicodedata

LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_LIGATURE = re.compile("[ﬀ-ﬆ]")
_INVISIBLE = re.compile(
    "[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"
    "\ufdd0-\ufdef\ufffe\uffff\U000e0000-\U000e007f]"
)
# A joiner belongs to scripts that need it and to emoji; beside Latin letters it is a leftover.
_JOINER = re.compile("(?<=[\x00-\u02ff])[\u200c\u200d]|[\u200c\u200d](?=[\x00-\u02ff])|[\u200c\u200d]$")
_THIN_BEFORE_PERCENT = re.compile("(?<=\\d)[\u00a0\u2009\u200a\u202f](?=[%‰])")
_MOJIBAKE = re.compile("[ÂÃâåäæçèéïð][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]")
_GLYPH = re.compile(r"\(cid:(\d+)\)")
SURROGATES = re.compile("[\ud800-\udfff]")


def resolve_characters(text: str) -> tuple[str, str | None]:
    """Return the text with its characters repaired, and what could not be repaired."""
    detail = None
    if not text.isascii() and _MOJIBAKE.search(text):
        text = repair_mojibake(text)
    if "(cid:" in text:
        text, unknown = _resolve_glyphs(text)
        detail = f"{unknown} glyph number(s) without a known character left out" if unknown else None
    text = _INVISIBLE.sub("", text)
    if text.isascii():
        return text, detail
    text = SURROGATES.sub("\ufffd", text)
    text = _LIGATURE.sub(lambda m: LIGATURES[m[0]], text)
    if "\u200c" in text or "\u200d" in text:
        text = _JOINER.sub("", text)
    text = _THIN_BEFORE_PERCENT.sub("", text)
    return unicodedata.normalize("NFC", text), detail


def repair_mojibake(text: str) -> str:
    """Return the text with characters repaired that were decoded with the wrong encoding, where that is certain."""
    from ftfy import TextFixerConfig, fix_encoding

    return fix_encoding(text, TextFixerConfig(explain=False))


def _resolve_glyphs(text: str) -> tuple[str, int]:
    """PDF extraction writes `(cid:N)` for glyphs that it can't name; 173 is the soft hyphen of common fonts."""
    unknown = 0

    def name(match: re.Match[str]) -> str:
        nonlocal unknown
        if match[1] in ("173", "45"):
            return "-"
        unknown += 1
        return ""

    return _GLYPH.sub(name, text), unknown
