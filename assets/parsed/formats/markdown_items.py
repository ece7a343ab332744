"""One paper in one line of Markdown: an item of a list, or a row that stands as text in JSON."""

from __future__ import annotations

import re

from assets.parsed.external_ids import from_text, from_url
from assets.parsed.formats.layout import LONG, is_prose, weight
from assets.parsed.formats.names import looks_like_authors, split_names
from assets.parsed.record import Record
from assets.parsed.spans import trim

MARKER = re.compile(r"^\s*(?:[-*+•]|\d{1,4}[.)]|\[\d{1,4}\])\s+(?:\[[ xX]\]\s+)?")
LINK = re.compile(
    r"(!?)\[((?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\)[^()\s]*)*)>?(?:\s+\"[^\"\n]*\")?\s*\)"
)
BOLD = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_ITALIC = re.compile(r"(?<![*\w])[*_](?=[^\s*_])([^*\n]+?)(?<=[^\s*_])[*_](?![*\w])")
_GENERIC = re.compile(
    r"^\W*(?:pdf|paper|papers|arxiv|abs|html|code|github|project(?: page)?|page|link|website|homepage|video|"
    r"slides|poster|demo|data|dataset|datasets|"
    r"model|models|blog|supp\w*|bibtex|openreview|here|download|url|doi|hugging ?face|hf|tweet|twitter|youtube|"
    r"论文|代码|链接|项目|主页|数据集|"
    r"\d{4}\.\d{4,5}(?:v\d+)?|https?://\S+|link|null|none|translate|read|kimi|summary)\W*$",
    re.IGNORECASE,
)
_DATE = re.compile(r"^\W*(?:\d{4}[-./]\d{1,2}(?:[-./]\d{1,2})?|\d{1,2}[./]\d{4}|(?:19|20)\d\d)\W*$")
_PAPER_HOST = re.compile(
    r"arxiv\.org|openreview\.net|openaccess\.thecvf|aclanthology|proceedings|doi\.org|papers?\.nips|neurips\.cc|"
    r"ecva\.net|springer|ieee|acm\.org|"
    r"sciencedirect|nature\.com|science\.org|biorxiv|medrxiv|pubmed|ncbi\.nlm|mdpi|jmlr|mlr\.press|aaai\.org|"
    r"ijcai\.org|isca-|usenix|semanticscholar|"
    r"\.pdf(?:$|[?#])",
    re.IGNORECASE,
)


def is_generic(text: str) -> bool:
    """Return whether a link's text says what kind of thing it leads to (PDF, Code) rather than a title."""
    return bool(_GENERIC.match(text)) or bool(_DATE.match(text))


def read_item(line: str) -> Record | None:
    """Return the paper that one line of Markdown names, or None when it names none; spans are within the line."""
    if not line.strip() or len(line) > 40_000:
        return None
    if line.lstrip().startswith("|"):
        return _read_row(line)
    record = Record(0, len(line))
    body_start = len(match[0]) if (match := MARKER.match(line)) else 0
    links = [m for m in LINK.finditer(line, body_start) if not m[1]]
    title_end = _take_title(line, body_start, links, record)
    if record.title is None:
        return None
    record.ids += from_text(line)
    for link in links:
        _take_address(link[3], record)
    if record.url is None and (bare := re.search(r"https?://[^\s<>\"')\]]+", line)):
        record.url = bare[0].rstrip(".,;")
    _take_rest(line, title_end, record)
    return record


def _take_title(line: str, start: int, links: list[re.Match[str]], record: Record) -> int:
    """Set the title: a link's text, bold text, or what stands before the first link; return where it ends."""
    bold = next((m for m in BOLD.finditer(line, start) if not is_generic(m[2]) and len(m[2].strip(" :：.")) > 3), None)
    linked = next((m for m in links if not is_generic(m[2]) and not m[3].startswith("#")), None)
    before_bold = linked and (bold is None or linked.start() <= bold.start() + 4)
    if linked and before_bold and _is_title(linked[2], linked[3], link_only=bold is None):
        record.title, record.url = _bare(linked[2]), linked[3] if linked[3].startswith("http") else None
        return linked.end()
    if bold and (weight(bold[2]) >= 12 or links) and not bold[2].rstrip().endswith((":", "：")):
        record.title = _bare(bold[2])
        return bold.end()
    first = links[0].start() if links else len(line)
    before = line[start:first].strip(" \t-–—:：,，.[(|>*_")
    if links and weight(before) >= 16 and not before.endswith(("here", "see")) and _PAPER_HOST.search(links[0][3]):
        names = re.match(r"(.+?[\w)\"”?!])[.,]\s+(.+)$", before)
        record.title = _bare(before if not names or not looks_like_authors(names[2]) else names[1])
        if names and looks_like_authors(names[2]):
            record.authors = split_names(names[2]) or None
        return first
    return start


def _is_title(text: str, url: str, *, link_only: bool) -> bool:
    if not url.startswith(("http", "/", ".")) or url.startswith("#"):
        return False
    if _PAPER_HOST.search(url):
        return weight(_bare(text)) >= 3
    return link_only and len(_bare(text).split()) >= 4


def _bare(text: str) -> str:
    return re.sub(r"^[\s*_`~\"“]+|[\s*_`~\"”]+$", "", text)


def _take_address(url: str, record: Record) -> None:
    if not url.startswith("http"):
        return
    record.ids += from_url(url)
    if record.url is None and (_PAPER_HOST.search(url) or from_url(url)):
        record.url = url


def _take_rest(line: str, at: int, record: Record) -> None:
    """Look for authors and an abstract after the title."""
    rest = line[at:]
    for italic in _ITALIC.finditer(rest):
        if record.authors is None and looks_like_authors(italic[1]):
            record.authors = split_names(italic[1]) or None
    if record.authors is None and (
        match := re.match(r"[\s,，.:：|*_-]*(?:by\s+)?([^\[\]|<]{3,400}?)\s+et\.?\s?al\.?", rest)
    ):
        record.authors = split_names(match[1]) or None
    if record.authors is None:
        rest = rest.lstrip(" ,，.:：|*_-—–\t")
        piece = re.split(r"\[|\*|<br|\||\(http|https?:|\*\*|[.。](?:\s|$)", rest, maxsplit=1)[0].strip(" ,，:：-–—*_.")
        if (
            piece
            and not is_generic(piece)
            and looks_like_authors(piece)
            and ("," in piece or len(piece.split()) in (2, 3))
        ):
            record.authors = split_names(piece) or None
    label = re.search(r"(?:abstract|摘要|summary)\W{0,4}[:：]\W{0,3}", rest, re.IGNORECASE)
    start, end = trim(line, at + (label.end() if label else 0), len(line))
    body = re.sub(r"^[\s.:：,，—–-]+", "", line[start:end])
    if label or (weight(body) >= LONG and is_prose(body) and "](" not in body[:80]):
        record.abstract_span = (end - len(body), end)
        record.abstract = body or None


def _read_row(line: str) -> Record | None:
    """A row of a pipe table without a header: the boldest or longest cell is the title."""
    cells = [c.strip() for c in line.strip().strip("|").split("|")]
    titled = [c for c in cells if BOLD.search(c) and not is_generic(_bare(c))] or [
        c for c in cells if len(c.split()) >= 3 and not LINK.fullmatch(c)
    ]
    if not titled:
        return None
    record = Record(0, len(line), title=_bare(LINK.sub(r"\2", titled[0])))
    record.ids += from_text(line)
    for cell in cells:
        if cell != titled[0] and record.authors is None and looks_like_authors(_bare(cell)):
            record.authors = split_names(_bare(cell)) or None
    for link in LINK.finditer(line):
        _take_address(link[3], record)
    return record
