"""Powers, indices, fractions and roots in plain Unicode, alike for LaTeX and HTML.

What Unicode has as raised or lowered characters is written with them (n², x₀); what it has not is written out:
`(1+ε)` after a caret, a lone symbol beside its base (ℓ∞).
"""

from __future__ import annotations

import re

_RAISED = dict(zip("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ", strict=True))
_LOWERED = dict(zip("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))


def superscript(content: str) -> str:
    """Return what is raised: `2` -> `²`, `1+ε` -> `^(1+ε)`, `k` -> `^k`; primes and degrees stay as they are."""
    content = content.strip()
    if not content or content in ("′", "″", "∘", "*", "∗", "⋆", "†", "th", "st", "nd", "rd", "⊤"):
        return "°" if content == "∘" else content
    if all(c in _RAISED for c in content) and not re.search(r"[()=]", content):
        return "".join(_RAISED[c] for c in content)
    return f"^{content}" if _is_atom(content) else f"^({content})"


def subscript(content: str) -> str:
    """Return what is lowered: `0` -> `₀`, `∞` -> `∞`, `t+1` -> `ₜ₊₁`, `max` -> `ₘₐₓ`, `ε,δ` -> `_(ε,δ)`."""
    content = content.strip()
    if not content:
        return ""
    if all(c in _LOWERED for c in content) and not re.search(r"[()=]", content):
        return "".join(_LOWERED[c] for c in content)
    if len(content) == 1:
        return content if not content.isascii() else f"_{content}"
    return f"_{content}" if re.fullmatch(r"\w+", content) else f"_({content})"


def fraction(numerator: str, denominator: str) -> str:
    """Return a fraction on one line, with parentheses where they are needed."""
    return f"{_grouped(numerator.strip())}/{_grouped(denominator.strip())}"


def root(content: str) -> str:
    """Return a square root on one line."""
    return f"√{_grouped(content.strip())}"


def _grouped(content: str) -> str:
    return content if _is_atom(content) else f"({content})"


def _is_atom(content: str) -> bool:
    return bool(re.fullmatch(r"[\w.∞′°ℓ]+|\([^()]*\)", content)) or len(content) == 1
