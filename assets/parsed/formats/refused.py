"""Kinds of text that are recognised and not read: named, so that a person knows what to save instead."""

from __future__ import annotations

import re

from assets.parsed.record import Format, Parsed, UnsupportedError

_KINDS = (
    ("cassette", r"\A\s*(?:---\s*)?interactions:\s*\n\s*-\s+request:", "a recorded exchange of a web service (YAML)"),
    ("lfs", r"\Aversion https://git-lfs\.github\.com/spec", "a Git LFS pointer, not the file itself"),
    ("annex", r"\A/annex/objects/|\A(?:\.\./)*\.git/annex/", "a git-annex pointer, not the file itself"),
    ("latex", r"\A(?:\s*%[^\n]*\n)*\s*\\document(?:class|style)\b", "a LaTeX document"),
    ("postscript", r"\A%!PS", "a PostScript document"),
    ("notebook", r"\A\s*\{\s*\"cells\"\s*:\s*\[\s*\{\s*\"cell_type\"", "a Jupyter notebook"),
    ("mail", r"\A(?:From \S+@|Return-Path:|Received:|MIME-Version:)", "an e-mail message"),
    ("patch", r"\A(?:diff --git|Index: |--- a/)", "a patch"),
    ("script", r"\A#!\s*/", "a script"),
)


def formats() -> tuple[Format, ...]:
    """Return one format per kind; each refuses what it recognises."""
    return tuple(_format(name, re.compile(pattern), kind) for name, pattern, kind in _KINDS)


def _format(name: str, pattern: re.Pattern[str], kind: str) -> Format:
    def probe(text: str) -> float:
        return 0.97 if pattern.search(text[:4000].replace("\r\n", "\n")) else 0.0

    def parse(text: str) -> Parsed:
        del text
        raise UnsupportedError(f"{kind}; export the list as RIS, BibTeX, CSV, JSON or plain text instead")

    return Format(name, probe, parse)
