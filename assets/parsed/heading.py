"""Headings: which line names the list, and the venue, year and language that it names.

A heading consists of a venue, a year and a word for "list of papers" in one of several languages. A line that names
a list in words that are not known here is a heading without a venue.
"""

from __future__ import annotations

import re

from assets.parsed.furniture import is_furniture
from assets.parsed.language import script_language
from assets.parsed.record import Heading
from assets.parsed.spans import trim

LONGEST = 160

# language -> words for "list of papers", longest first; every word that may surround venue and year.
LIST_WORDS: dict[str, str] = {
    "zh": r"(?:论文|論文|文章)(?:列表|清单|目录|一览|合集|集锦|汇总|列表页|集|速递|速览)|(?:录用|接收|接受|入选|"
    r"收录|精选)(?:的)?(?:论文|文章)"
    r"(?:列表|清单|目录|汇总)?|会议(?:录用)?论文|每日论文|論文(?:列表|清單|目錄)|(?:錄用|接受|收錄)論文(?:列表|"
    r"清單)?|论文",
    "ja": r"論文(?:リスト|一覧|集|タイトル一覧)|(?:採択|採録|受理|発表)論文(?:リスト|一覧)?|採択(?:リスト|一覧)",
    "ko": r"(?:채택|게재|발표|학회)?\s*논문\s*(?:목록|리스트|모음|집)?",
    "fr": r"(?:liste\s+des\s+)?(?:articles|papiers|communications|contributions|publications)(?:\s+(?:acceptés|"
    r"acceptées|retenus|retenues|sélectionnés))?"
    r"|actes(?=\s+de)",
    "de": r"(?:liste\s+der\s+)?(?:(?:akzeptierte|angenommene|zugelassene)[nr]?\s+)?(?:beiträge|artikel|aufsätze|"
    r"veröffentlichungen|paper-?liste|"
    r"artikelliste|beitragsliste|papierliste|publikationen|tagungsbeiträge|konferenzbeiträge)|(?:akzeptierte|"
    r"angenommene)\s+papers?",
    "es": r"(?:lista\s+de\s+)?(?:artículos|trabajos|ponencias|publicaciones)(?:\s+(?:aceptados|aceptadas|"
    r"seleccionados))?",
    "it": r"(?:elenco\s+(?:degli|dei)\s+)?(?:articoli|lavori|contributi)(?:\s+(?:accettati|selezionati))",
    "pt": r"(?:lista\s+de\s+)?(?:artigos|trabalhos)(?:\s+(?:aceitos|aceites|selecionados))?",
    "ru": r"(?:список\s+)?(?:принятых\s+|принятые\s+)?(?:статей|статьи|доклады|докладов|публикации)",
    "en": r"(?:list\s+of\s+)?(?:all\s+)?(?:the\s+)?(?:accepted|selected|published|presented|conference|main[ "
    r"-](?:conference|track)|"
    r"oral|poster|spotlight|workshop|research|best)?\s*(?:papers|paper\s+(?:list|index|titles|abstracts)|"
    r"papers?\s+list|articles|abstracts|proceedings|"
    r"publications|posters|submissions)(?:\s+(?:list|index|accepted|overview|with\s+abstracts|and\s+abstracts))?|"
    r"accepted\s+list",
}  # fmt: skip
_LIST_WORD = {
    language: re.compile(
        rf"(?<![^\W\d_])(?:{words})(?![^\W\d_])" if language not in ("zh", "ja", "ko") else words, re.IGNORECASE
    )
    for language, words in LIST_WORDS.items()
}
_YEAR = re.compile(r"(?<!\d)(?:(19[5-9]\d|20\d\d)|['’](\d\d)|(?<=[A-Za-z])(19[89]\d|20[0-4]\d))(?!\d)")
_YEAR_MARK = re.compile(r"(?<=\d)\s*(?:年度?|년도?|г\.)")
_NOISE = re.compile(
    r"\b(?:accepted|for|at|of|the|in|from|by|to|and|list|all|daily|pour|de|des|du|la|le|les|à|au|aux|der|die|das|des|"
    r"auf|für|bei|zur|zum|von|del|en|el|los|las|della|do|da|dos|на|для|с|titles?|main|track|conference track|oral|"
    r"poster|spotlight|online|virtual|official|welcome)\b|上的|的|での|の|における|에서|의|和|及",
    re.IGNORECASE,
)
_MARKS = re.compile(r"^[\s#>*_=\-•·【\[（(\"“「『]+|[\s#*_=:：\-】\]」』\"”]+$")
_COUNT = re.compile(
    r"[(（\[]\s*(?:total\s*:?\s*)?[\d,]+\s*(?:papers|篇|件|편|articles)?\s*[)）\]]|[—–|"
    r":：,，]\s*[\d,]+\s*(?:papers|篇|件|편)\s*$",
    re.IGNORECASE,
)
_ACRONYM = r"(?P<venue>[A-Z][A-Za-z]*[A-Z][A-Za-z]*(?:[-&/+][A-Z][A-Za-z]+)?)"
_NAMED = (
    re.compile(rf"^{_ACRONYM}[ \-’']{{1,2}}(?P<year>(?:19[5-9]|20\d)\d)(?:[ ,:–-]+[\w-]+){{0,4}}$"),
    re.compile(
        rf"^(?:(?:The )?Proceedings|Advances|(?:\w+ )?(?:International|Annual|\d+(?:st|nd|rd|th)|Conference))\b.*"
        rf"\({_ACRONYM}[ \-’']{{1,2}}(?P<year>(?:19[5-9]|20\d)\d)\)$"
    ),
)
"""Lines that name a conference and a year and nothing else."""
NAMED_LINES = 8
"""Lines at the top of a document among which one that only names a conference counts as the heading."""
_VENUE = re.compile(r"^[^\W\d_][\w&+./’' \-–()·@]{0,60}$")
_SENTENCE = re.compile(r"[.!?。！？]\s*$|[.!?]\s+[A-Z]|[，,].*[，,].*[，,]|。")


def read_heading(line: str) -> tuple[str | None, int | None, str | None] | None:
    """Return venue, year and language of a line that names a list, or None when it names none.

    The line must hold a word for "list of papers"; one that also stands in titles ("Proceedings") must come with a
    year or be nearly all of the line.
    """
    if not line.strip() or len(line) > LONGEST:
        return None
    bare = _COUNT.sub(" ", _MARKS.sub("", line)).strip()
    if _SENTENCE.search(bare.replace("St.", "St")):
        return None
    found = _list_word(bare)
    if found is None:
        return None
    language, (start, end) = found
    rest = f"{bare[:start]} {bare[end:]}"
    rest = _YEAR_MARK.sub(" ", rest)
    years = [int(a or c or f"20{b}") for a, b, c in _YEAR.findall(rest)]
    venue = _venue(_YEAR.sub(" ", rest))
    if not years and not _names_list_alone(rest, venue):
        return None
    return venue, years[0] if years else None, language


def _list_word(line: str) -> tuple[str, tuple[int, int]] | None:
    """Return the language and span of the longest list word; the script of the line settles ties of zh and ja."""
    script = script_language(re.sub("[A-Za-z]", "", line))
    best: tuple[int, str, tuple[int, int]] | None = None
    for language, pattern in _LIST_WORD.items():
        for match in pattern.finditer(line):
            size = len(match[0].strip()) + (language == script)
            if match[0].strip() and (best is None or size > best[0]):
                best = (size, language, match.span())
    return None if best is None else (best[1], best[2])


def _venue(rest: str) -> str | None:
    rest = re.sub(r"[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]|:[a-z_]+:", " ", rest)
    rest = re.sub(r"[(（\[]\s*[)）\]]", " ", _NOISE.sub(" ", rest))
    rest = re.sub(r"\b\d{1,2}(?:st|nd|rd|th)\b|第\s*\d+\s*[届屆回]|제\s*\d+\s*회", " ", rest)
    rest = re.sub(r"\s+", " ", rest).strip(" -–—_|·•:：,，.、/&()（）[]《》「」“”\"'’+")
    if not rest or not _VENUE.match(rest) or len(rest.split()) > 6:
        return None
    return rest if any(c.isalpha() for c in rest) else None


def _names_list_alone(rest: str, venue: str | None) -> bool:
    """Without a year only `ICML Papers` and the bare list word are headings, not titles that speak of papers."""
    left = _NOISE.sub(" ", rest).split()
    if not left:
        return True
    return venue is not None and len(left) == 1 and (left[0].isupper() or sum(c.isupper() for c in left[0]) >= 2)


def find_heading(text: str, lines: list[tuple[int, int]]) -> Heading | None:
    """Return the heading among the lines near the top of a document, or None.

    Args:
        text: The decoded text.
        lines: Spans of the candidate lines, in order; the caller leaves out lines of abstracts.
    """
    fallback: Heading | None = None
    first = True
    for place, (start, end) in enumerate(lines):
        start, end = trim(text, start, end)
        line = text[start:end]
        if start == end or is_furniture(line):
            continue
        named = read_heading(line)
        alone, first = first, False
        if named is None and place < NAMED_LINES and fallback is None and (conference := _conference(line)):
            fallback = Heading(*_bare_span(text, start, end), *conference)
        if named is None or (named[0] is None and named[1] is None and not alone):
            continue
        venue, year, language = named
        heading = Heading(*_bare_span(text, start, end), venue, year, language)
        if heading.year is not None and heading.venue is not None:
            return heading
        fallback = fallback or heading
    return fallback


def _conference(line: str) -> tuple[str, int] | None:
    """Return the conference and year that a line consists of, without a word for "list of papers"."""
    bare = _MARKS.sub("", line)
    match = next((m for pattern in _NAMED if len(bare) <= LONGEST and (m := pattern.match(bare))), None)
    return (match["venue"], int(match["year"])) if match else None


def _bare_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave the marks of Markdown around a heading out of it."""
    line = text[start:end]
    left = re.match(r"(?:#{1,6}\s+|\*\*|__)*", line)
    right = re.search(r"(?:\s+#+|\*\*|__)*$", line)
    return trim(text, start + (left.end() if left else 0), end - (len(right[0]) if right else 0))
