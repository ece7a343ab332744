"""The fields of one record: by their labels, or by the shape of its lines."""

from __future__ import annotations

import re

from assets.parsed.external_ids import from_text, from_url
from assets.parsed.formats.layout import LONG, early_breaks, ends_sentence, is_cjk, is_prose, sentences, weight
from assets.parsed.formats.names import looks_like_authors, split_names
from assets.parsed.record import Record
from assets.parsed.spans import Span, trim

LABELS: dict[str, str] = {
    "title": r"(?:paper\s+)?title|(?:论文)?(?:标题|题目|题名|篇名)|タイトル|題名|論文題目|제목|titre|titel|"
    r"título|titolo|название",
    "authors": r"authors?(?:\s*\(s\))?|author names?|作者|著者|저자|auteurs?|autoren|autor(?:es)?|autori|авторы|by",
    "abstract": r"abstract|summary|摘\s*要|内容摘要|中文摘要|论文摘要|英文摘要|概要|要旨|抄録|초록|요약|résumé|"
    r"zusammenfassung|resumen|resumo|riassunto|аннотация",
    "url": r"links?|urls?|(?:paper|arxiv|abs|pdf)\s*(?:links?|urls?|page)|pdf|paper|链接|论文链接|论文地址|地址|"
    r"原文链接|リンク|링크|lien|quelle|html",
    "id": r"doi|arxiv(?:\s*id)?|openreview(?:\s*id)?|pmid|identifier|id|编号",
    "other": r"(?:[\w ]{1,10}链接)|(?:[\u4e00-\u9fff]{0,4}(?:时间|日期))|一句话总结|总结|亮点|评分|标签|"
    r"中文标题|标题翻译|摘要翻译|"
    r"keywords?|key words|subjects?|subject areas?|categor(?:y|ies)|comments?|date|published|"
    r"submitted(?: on)?|updated|venue|conference|journal|"
    r"year|affiliations?|institutions?|code|github|project(?: page)?|track|session|presentation|decision|ratings?|"
    r"tl;?dr|highlights?|doi|area|topics?|"
    r"关键词|关键字|分类|类别|日期|发布日期|发表日期|单位|机构|代码|代码链接|期刊|会议|备注|主题|领域|评论|"
    r"キーワード|키워드|mots[- ]clés|schlagwörter",
}  # fmt: skip
_LABEL = {
    field: re.compile(
        rf"^[\s>#*_•+\-・【\[]*(?:{names})\s*(?:】\s*[:：]?|\]?\s*[*_]*\s*(?:[:：]|\*\*))[ \t*_]*(?P<value>.*)$",
        re.IGNORECASE | re.DOTALL,
    )
    for field, names in LABELS.items()
}
_HEADED = re.compile(
    r"^#{1,6}\s*(?:" + "|".join(f"(?P<{field}>{names})" for field, names in LABELS.items()) + r")\s*$", re.IGNORECASE
)
_SECTION_WORDS = (
    "background objectives? methods? methodology results? conclusions? introduction purpose aims? findings motivation "
    "discussion significance design setting 背景 目的 方法 结果 结论 目标 引言"
)
_BOLD_LABEL = re.compile(
    rf"^[\s>•+\-]*\*\*(?!(?:{'|'.join(_SECTION_WORDS.split())})\W)[^*\n:：]{{1,24}}(?:[:：]\s*\*\*|\*\*\s*[:：])\s*",
    re.IGNORECASE,
)
"""A label in bold that is none of the parts of an abstract; what it says is no field that is read."""
_SUMMARY = re.compile(
    rf"^(?:<details[^<>]*>\s*)?<summary>\s*(?:<[bi]>|\*\*)*\s*(?:{LABELS['abstract']})[^<>]{{0,20}}(?:</[bi]>)?\s*</summary>\s*",
    re.IGNORECASE,
)
_ID_LINE = re.compile(
    r"^(?:Paper\s*)?[#\[(]?\d{1,5}[\].):：]?$|^(?:[\[(]?\d{1,5}[\]).]?\s+)?arXiv:\d{4}\.\d{4,5}(?:v\d+)?\b.{0,80}$",
    re.IGNORECASE,
)
_BUTTONS = re.compile(r"(?:\s*\[[^\[\]\n]{1,12}\]){2,}$")
"""What a site puts behind a title to be pressed: "[PDF] [Copy]"."""
_NUMBER = re.compile(r"^\s*(?:\[\d{1,5}\]|【\d{1,5}】|\(?\d{1,5}[.)、．]|#\d{1,5}[.:]?|\d{1,5}\t|№\s*\d+\.?)\s*")
_URL = re.compile(r"https?://[^\s<>\"'\])}，。）]+")
_DECORATION = re.compile(r"^[\s#*_>\-•\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d]+|[\s#*_]+$")


def label_of(line: str) -> tuple[str, int] | None:
    """Return which field a line is labelled as, and where its value begins in the line, or None."""
    if len(line) > 60 and not re.match(r".{0,40}[:：]|.{0,30}\*\*", line):
        return None
    if match := _HEADED.match(line):
        return next(f for f in LABELS if match[f]), len(line)
    if line.startswith("<") and (match := _SUMMARY.match(line)):
        return "abstract", match.end()
    for field, pattern in _LABEL.items():
        if match := pattern.match(line):
            return field, match.start("value")
    if "**" in line and (match := _BOLD_LABEL.match(line)):
        return "other", match.end()
    return None


def is_id_line(line: str) -> bool:
    """Return whether a line holds nothing but the number or the arXiv id of a record."""
    return bool(_ID_LINE.match(line))


def without_number(line: str) -> str:
    """Return a line without the number of its item."""
    return _NUMBER.sub("", line, count=1)


def has_number(line: str) -> bool:
    """Return whether a line begins with the number of an item."""
    return bool(_NUMBER.match(line))


def read_record(text: str, lines: list[Span], *, start: int, end: int) -> Record:
    """Return the record that the lines hold: labelled fields first, else title, authors, abstract by shape.

    Args:
        text: The decoded text.
        lines: Trimmed spans of the record's non-blank lines, separators left out.
        start: Where the record begins.
        end: Where the record ends, its separator included.
    """
    record = Record(start, end)
    if not apply_labels(text, lines, record):
        _read_shaped(text, lines, record)
    take_addresses(text, lines, record)
    return record


def apply_labels(text: str, lines: list[Span], record: Record) -> bool:
    """Set the fields of a record that labels in its lines name; return whether there were any."""
    labelled = [(index, label_of(text[a:b])) for index, (a, b) in enumerate(lines)]
    marks = [(index, mark) for index, mark in labelled if mark is not None]
    if not any(field in ("title", "abstract", "authors") for _, (field, _) in marks):
        return False
    _read_labelled(text, lines, marks, record)
    return True


def take_addresses(text: str, lines: list[Span], record: Record) -> None:
    """Set the address and ids that a record's lines hold outside its abstract."""
    own = "\n".join(text[a:b] for line in lines for a, b in _outside(line, record.abstract_span))
    record.ids += from_text(own)
    if record.url is None and (match := _URL.search(own)):
        record.url = match[0].rstrip(".,;")
        record.ids += from_url(record.url)


def _outside(line: Span, taken: Span | None) -> list[Span]:
    """Return what of a line lies outside a span."""
    if taken is None:
        return [line]
    parts = [(line[0], min(line[1], taken[0])), (max(line[0], taken[1]), line[1])]
    return [part for part in parts if part[0] < part[1]]


def _read_labelled(text: str, lines: list[Span], marks: list[tuple[int, tuple[str, int]]], record: Record) -> None:
    first = marks[0][0]
    before = [line for line in lines[:first] if not is_id_line(text[slice(*line)])]
    labelled_title = any(field == "title" for _, (field, _) in marks)
    if record.title is None and labelled_title and len(before) == 1 and has_number(text[slice(*before[0])]):
        # The title in its own language above a labelled translation.
        record.title = clean_title(text[slice(*before.pop())])
    loose: list[Span] = []
    for number, (index, (field, offset)) in enumerate(marks):
        last = marks[number + 1][0] if number + 1 < len(marks) else len(lines)
        if field in ("title", "authors"):
            # An abstract without a label of its own may follow.
            body = next((i for i in range(index + 1, last) if is_abstract_like(text[slice(*lines[i])])), last)
            loose += lines[body:last]
            last = body
        start, end = trim(text, lines[index][0] + offset, lines[last - 1][1])
        value = text[start:end]
        if field == "title" and record.title is None:
            record.title = clean_title(value)
        elif field == "authors" and record.authors is None:
            record.authors = split_names(_DECORATION.sub("", value)) or None
        elif field == "abstract" and (record.abstract is None or _is_original(value, record)):
            record.abstract, record.abstract_span = value, (start, end)
        elif field == "url" and record.url is None and (match := _URL.search(value)):
            record.url = match[0].rstrip(".,;")
            record.ids += from_url(record.url)
        elif field == "id":
            record.ids += from_text(text[lines[index][0] : end])
    if record.title is None and before:
        record.title = clean_title(text[before[0][0] : before[0][1]])
        rest = before[1:]
    else:
        rest = before
    if record.authors is None and rest and looks_like_authors(text[rest[0][0] : rest[0][1]]):
        record.authors = split_names(text[rest[0][0] : rest[0][1]]) or None
        rest = rest[1:]
    if record.abstract is None and (rest or loose):
        _take_abstract(text, rest or loose, record)


def _is_original(value: str, record: Record) -> bool:
    """Return whether an abstract is in the language of the title and the one before it is a translation."""
    return bool(
        record.title
        and record.abstract
        and is_cjk(record.abstract) != is_cjk(record.title)
        and is_cjk(value) == is_cjk(record.title)
    )


def _read_shaped(text: str, lines: list[Span], record: Record) -> None:
    """Title, authors and abstract by the shape of the lines: short, names, long."""
    if not lines:
        return
    head = _head_lines(text, lines)
    if head:
        title_end = head
        if head >= 2 and looks_like_authors(text[lines[head - 1][0] : lines[head - 1][1]]):
            title_end = head - 1
            record.authors = split_names(text[lines[head - 1][0] : lines[head - 1][1]]) or None
        elif head >= 2 and looks_like_authors(text[lines[1][0] : lines[1][1]]):
            title_end = 1
            record.authors = split_names(text[lines[1][0] : lines[1][1]]) or None
        record.title = clean_title(text[lines[0][0] : lines[title_end - 1][1]])
    if rest := lines[head:]:
        _take_abstract(text, rest, record)


def _take_abstract(text: str, lines: list[Span], record: Record) -> None:
    record.abstract_span = (lines[0][0], lines[-1][1])
    record.abstract = text[lines[0][0] : lines[-1][1]]


def _head_lines(text: str, lines: list[Span]) -> int:
    """Return how many lines at the top are title and authors; 0 when the lines begin with the abstract itself."""
    if len(lines) == 1:
        return 0 if is_abstract_like(text[lines[0][0] : lines[0][1]]) else 1
    bodies = [i for i, (a, b) in enumerate(lines) if _is_body(text[a:b])]
    if bodies and bodies[0]:
        # Long lines: whatever short lines come before the first long one.
        head = bodies[0]
        if ends_sentence(text[lines[0][0] : lines[0][1]]) and sentences(text[lines[0][0] : lines[0][1]]) > 1:
            return 0
        while (
            head > 2
            and is_prose(text[lines[head - 1][0] : lines[head - 1][1]])
            and ends_sentence(text[lines[head - 1][0] : lines[head - 1][1]])
        ):
            head -= 1
        return head
    early = early_breaks(text, lines)
    if early and early[0] <= 2:
        second = early[1] if len(early) > 1 and early[1] <= early[0] + 3 else None
        if second is not None and looks_like_authors(text[lines[early[0] + 1][0] : lines[second][1]]):
            return second + 1
        first = text[lines[0][0] : lines[early[0]][1]]
        if not (ends_sentence(first) and is_prose(first)):
            return early[0] + 1
    if (
        len(lines) >= 2
        and looks_like_authors(text[lines[1][0] : lines[1][1]])
        and not ends_sentence(text[lines[0][0] : lines[0][1]])
    ):
        return 2
    return 0 if is_prose(text[lines[0][0] : lines[-1][1]]) else 1


def _is_body(line: str) -> bool:
    return weight(line) >= LONG or (is_cjk(line) and is_abstract_like(line))


def is_abstract_like(piece: str) -> bool:
    """Return whether a piece is sentences rather than a title: long, or short and ended as a sentence."""
    if weight(piece) >= LONG:
        return is_prose(piece)
    return (
        weight(piece) >= 60
        and ends_sentence(piece)
        and is_prose(piece)
        and (sentences(piece) > 1 or weight(piece) > 130)
    )


def clean_title(value: str) -> str | None:
    """Return a title without its number, heading marks and emphasis around it; None when nothing is left."""
    value = _DECORATION.sub("", without_number(value.strip()))
    value = _BUTTONS.sub("", _DECORATION.sub("", without_number(value)))
    link = re.fullmatch(r"\[(.+)\]\((\S+?)\)\W*", value, re.DOTALL)
    if link:
        value = link[1]
    return value.strip() or None
