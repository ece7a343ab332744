"""From bytes to decoded text: unpacking, encodings, and the bytes that are no text at all.

What the text means is not decided here. Spans of the whole package count characters of what `decode` returns:
without a byte-order mark, line ends as they are, of the unpacked content.
"""

from __future__ import annotations

import codecs
import re
import zlib
from dataclasses import dataclass

from assets.parsed.options import REPAIRED
from assets.parsed.spans import count_nonblank


@dataclass(frozen=True)
class Decoded:
    """The text of a document and the encoding that it was decoded with."""

    text: str
    encoding: str


class DecodingError(Exception):
    """The bytes are no text that can be read: `reason` is a reject reason, the message is for a person."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


_ARCHIVE, _IMAGE = "unpack it", "images are not read"
_EXPORT = "save its text as plain text, or export the list as RIS, BibTeX, CSV or JSON"
MAGIC = (
    (b"%PDF-", "a PDF document", _EXPORT),
    (b"PK\x03\x04", "a ZIP archive or an Office document", f"{_ARCHIVE}, or {_EXPORT}"),
    (b"PK\x05\x06", "an empty ZIP archive", "there is nothing in it"),
    (b"\x89PNG\r\n", "a PNG image", _IMAGE),
    (b"\xff\xd8\xff", "a JPEG image", _IMAGE),
    (b"GIF8", "a GIF image", _IMAGE),
    (b"BM", "a BMP image", _IMAGE),
    (b"II*\x00", "a TIFF image", _IMAGE),
    (b"MM\x00*", "a TIFF image", _IMAGE),
    (b"RIFF", "a RIFF file (WebP image, sound or video)", _IMAGE),
    (b"7z\xbc\xaf'\x1c", "a 7-Zip archive", _ARCHIVE),
    (b"Rar!\x1a", "a RAR archive", _ARCHIVE),
    (b"BZh", "a bzip2 archive", f"{_ARCHIVE}; gzip and zstd are read as they are"),
    (b"\xfd7zXZ\x00", "an xz archive", f"{_ARCHIVE}; gzip and zstd are read as they are"),
    (b"SQLite format 3\x00", "an SQLite database", _EXPORT),
    (b"PAR1", "a Parquet file", _EXPORT),
    (b"ARROW1", "an Arrow file", _EXPORT),
    (b"\xd0\xcf\x11\xe0", "an old Office document", _EXPORT),
    (b"\x7fELF", "a program", "it holds no list"),
    (b"{\\rtf", "an RTF document", _EXPORT),
)
"""First bytes of kinds that are not read, the name of the kind, and what to do."""
GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
BOMS = (
    (codecs.BOM_UTF8, "utf-8", "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16"),
)
"""Marks, the codec of what follows, and the codec that takes the mark off by itself: the name that is published."""
MOST_DAMAGED = 0.05
"""Share of damaged places among non-ASCII characters up to which a text counts as UTF-8."""
_HINTS = {"ascii": "cp1252", "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}
"""Codecs in whose place browsers take a larger one, because pages do not keep to the smaller."""
_ESCAPES = ("unicode-escape", "raw-unicode-escape", "punycode", "idna", "utf-7")
"""Codecs of Python that are no encoding of pages."""
_ESCAPED = re.compile("[\udc80-\udcff]+")
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x7f]")
SAMPLE = 65536


def decode(
    content: bytes,
    *,
    encoding: str | None = None,
    hint: str | None = None,
    max_unpacked_bytes: int = 2 * 1024**3,
) -> Decoded:
    """Return the text of a file's bytes and the encoding that it was found to have.

    gzip and zstd contents are unpacked first. An encoding that is given is used strictly; else a byte-order mark
    decides, then strict UTF-8, then the hint where it fits, then a guess by content. A hint is what a server said of
    the content, which is often a default that nobody looked at. The encoding that is returned is one that may be
    given, so that stored contents can be decoded again exactly.

    Raises:
        DecodingError: when the content is empty, too large, binary, of a kind that is not read, or fits no encoding.
    """
    content = unpack(content, max_unpacked_bytes)
    if not content:
        raise DecodingError("too_short", "the file is empty")
    for magic, kind, advice in MAGIC:
        if content.startswith(magic) and _is_binary_kind(content, magic):
            raise DecodingError("unsupported_format", f"{kind}; {advice}")
    if content[257:262] == b"ustar":
        raise DecodingError("unsupported_format", f"a tar archive; {_ARCHIVE}")
    decoded = _decode_given(content, encoding) if encoding else _decode_hinted(content, hint)
    if _looks_binary(decoded.text[:SAMPLE]):
        raise DecodingError("binary", "control characters throughout: not text")
    if not count_nonblank(decoded.text):
        raise DecodingError("too_short", "nothing but white space")
    return decoded


def unpack(content: bytes, limit: int) -> bytes:
    """Return the content, unpacked as long as it is gzip or zstd.

    Raises:
        DecodingError: `too_large` beyond the limit, `unreadable_file` when the packed content is damaged.
    """
    for _ in range(4):
        if content.startswith(GZIP):
            content = _gunzip(content, limit)
        elif content.startswith(ZSTD):
            content = _unzstd(content, limit)
        else:
            break
    if len(content) > limit:
        raise _too_large(limit)
    return content


def _too_large(limit: int) -> DecodingError:
    return DecodingError(
        "too_large", f"larger than {limit:,} bytes when unpacked; raise max_unpacked_bytes or split the file"
    )


def _gunzip(content: bytes, limit: int) -> bytes:
    parts, size, rest = [], 0, content
    while rest.startswith(GZIP):
        unpacker = zlib.decompressobj(wbits=31)
        try:
            part = unpacker.decompress(rest, limit - size + 1)
            if unpacker.eof is False and not unpacker.unconsumed_tail:
                part += unpacker.flush()
        except zlib.error as error:
            raise DecodingError("unreadable_file", f"damaged gzip content: {error}") from error
        size += len(part)
        if size > limit:
            raise _too_large(limit)
        if not unpacker.eof:
            raise DecodingError("unreadable_file", "gzip content that is cut off")
        parts.append(part)
        rest = unpacker.unused_data
    return b"".join(parts)


def _unzstd(content: bytes, limit: int) -> bytes:
    import pyarrow as pa

    # PyArrow is a dependency already and unpacks zstd as a stream, so that the limit holds before memory does.
    parts, size = [], 0
    try:
        with pa.CompressedInputStream(pa.BufferReader(content), "zstd") as stream:
            while chunk := stream.read(min(1 << 20, limit + 1)):
                size += len(chunk)
                if size > limit:
                    raise _too_large(limit)
                parts.append(chunk)
    except (OSError, pa.ArrowException) as error:
        raise DecodingError("unreadable_file", f"damaged zstd content: {error}") from error
    return b"".join(parts)


def _is_binary_kind(content: bytes, magic: bytes) -> bool:
    """Short textual signatures ("BM", "II*", "GIF8") also begin sentences: ask for a binary byte near them."""
    return len(magic) > 4 or magic[0] >= 0x80 or bool(re.search(rb"[\x00-\x08\x0e-\x1a]", content[:512]))


def _decode_given(content: bytes, encoding: str) -> Decoded:
    if encoding == REPAIRED:
        return Decoded(_repair(content)[0], REPAIRED)
    codec = name = encoding
    for mark, marked, published in BOMS:
        if content.startswith(mark) and _codec(encoding) in (marked, published):
            content, codec, name = content[len(mark) :], marked, published
            break
    try:
        return Decoded(content.decode(codec), codecs.lookup(name).name)
    except LookupError as error:
        raise DecodingError("undecodable", f"unknown encoding {encoding!r} in the source's settings") from error
    except UnicodeDecodeError as error:
        raise DecodingError(
            "undecodable", f"not {encoding}, as the source's settings say: {error.reason} at byte {error.start}"
        ) from error


def _codec(encoding: str) -> str | None:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return None


def _decode_hinted(content: bytes, hint: str | None) -> Decoded:
    codec = _HINTS.get(known, known) if hint and (known := _codec(hint)) else None
    if codec in (None, "utf-8", *_ESCAPES) or any(content.startswith(mark) for mark, _, _ in BOMS):
        return _decode_found(content)
    if not content.isascii() and _is_utf8(content):
        # Text of another encoding is hardly ever valid UTF-8 by chance; the hint is wrong.
        return Decoded(content.decode("utf-8"), "utf-8")
    try:
        text = content.decode(codec or "")
    except (UnicodeError, LookupError):  # the latter of codecs that make no text, such as base64
        return _decode_found(content)
    if codec == "cp1252" and _plausible(text[:SAMPLE], codec) < 0 and not text.isascii():
        # Servers say Latin-1 of what they do not know, and nearly all bytes decode with it.
        return _decode_found(content)
    return Decoded(text, codec or "")


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _decode_found(content: bytes) -> Decoded:
    for mark, codec, name in BOMS:
        if content.startswith(mark):
            try:
                return Decoded(content[len(mark) :].decode(codec), name)
            except UnicodeDecodeError as error:
                if codec == "utf-8" and (repaired := _repaired(content)):
                    return repaired
                raise DecodingError(
                    "undecodable", f"begins as {codec} and is not: {error.reason} at byte {error.start}"
                ) from error
    if unmarked := _utf16_without_mark(content):
        return Decoded(content.decode(unmarked), unmarked)
    try:
        return Decoded(content.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        first = error
    if _looks_binary(content[:SAMPLE].decode("latin-1")):
        raise DecodingError("binary", "control characters throughout: not text")
    return _repaired(content) or _guess(content, first)


def _repaired(content: bytes) -> Decoded | None:
    """Return UTF-8 in which a few bytes are damaged or cut off, or None when it is not UTF-8 at heart."""
    text, damaged = _repair(content)
    intact = len(text) - len(text.encode("ascii", "ignore")) - damaged
    return Decoded(text, REPAIRED) if damaged <= MOST_DAMAGED * max(intact, 20) else None


def _repair(content: bytes) -> tuple[str, int]:
    """Decode UTF-8; a stray byte of Windows-1252 becomes its character, any other damage U+FFFD."""
    escaped = content.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")
    return _ESCAPED.subn(_character, escaped)


def _character(escaped: re.Match[str]) -> str:
    """Return what one run of undecodable bytes becomes."""
    text, start, end = escaped.string, escaped.start(), escaped.end()
    alone = end - start == 1 and text[max(start - 1, 0) : start].isascii() and text[end : end + 1].isascii()
    known = (
        escaped[0].encode("utf-8", "surrogateescape").decode("cp1252", "ignore") if alone and end < len(text) else ""
    )
    return known or "\ufffd"


def _utf16_without_mark(content: bytes) -> str | None:
    """UTF-16 of mostly Latin text has a NUL in every second byte, on one side only."""
    sample = content[:SAMPLE]
    if len(content) % 2 or b"\x00" not in sample:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    codec = "utf-16-le" if odd > 3 * even else "utf-16-be" if even > 3 * odd else None
    if codec is None or max(even, odd) < half * 0.1:
        return None
    try:
        text = content.decode(codec)
    except UnicodeDecodeError:
        return None
    return None if _looks_binary(text[:SAMPLE]) else codec


def _looks_binary(sample: str) -> bool:
    controls = len(CONTROL.findall(sample))
    return "\x00" in sample or controls > max(2, len(sample) * 0.01)


def _guess(content: bytes, utf8: UnicodeDecodeError) -> Decoded:
    """Decide between GB18030, Windows-1252 and what charset-normalizer finds, for bytes that are not UTF-8."""
    scores: list[tuple[float, str, str]] = []
    for codec in ("gb18030", "big5", "shift_jis", "euc_kr", "cp1252"):
        try:
            text = content.decode(codec)
        except UnicodeDecodeError:
            continue
        scores.append((_plausible(text[:SAMPLE], codec), codec, text))
    if scores:
        score, codec, text = max(scores, key=lambda s: s[0])
        if score > 0:
            return Decoded(text, codec)
    from charset_normalizer import from_bytes

    best = from_bytes(content[: 4 * SAMPLE]).best()
    if best is not None and best.encoding not in ("ascii", "utf_8"):
        try:
            return Decoded(content.decode(best.encoding), best.encoding)
        except UnicodeDecodeError:
            pass
    raise DecodingError("undecodable", f"no encoding fits; not UTF-8: {utf8.reason} at byte {utf8.start}")


COMMON_HAN = frozenset(
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经"
    "十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形"
    "相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题党程展"
    "论文列录模型数据学习方法研究网络算法图像语言我们"
)


def _plausible(text: str, codec: str) -> float:
    """Return how much the non-ASCII characters look like real text of the codec's languages; negative: not at all."""
    foreign = [c for c in text if c > "\x7f"]
    if not foreign:
        return -1.0
    if any("\ue000" <= c <= "\uf8ff" or c == "\ufffd" or "\x80" <= c <= "\x9f" for c in foreign):
        return -1.0
    if codec == "cp1252":
        # Letters of western languages stand between ASCII letters; bytes of Asian encodings come in runs.
        alone = len(re.findall(r"(?<![\x80-\uffff])[\x80-\uffff](?![\x80-\uffff])", text))
        usual = sum(c in "éèêëàâäçîïôöûüùßñáíóúåæøÉÖÜÄ‘’“”–—…•®©°±µ×·€£§ " for c in foreign)
        return (alone / len(foreign)) * (0.4 + 0.5 * usual / len(foreign)) - 0.2
    if codec == "gb18030":
        return sum(c in COMMON_HAN or "\u3000" <= c <= "\u3002" or "\uff00" <= c <= "\uff5e" for c in foreign) / len(
            foreign
        )
    if codec == "shift_jis":
        if any("\uff61" <= c <= "\uff9f" for c in foreign):
            return -1.0
        return sum("\u3040" <= c <= "\u30ff" for c in foreign) / len(foreign) * 1.2 + 0.05
    if codec == "euc_kr":
        return sum("\uac00" <= c <= "\ud7a3" for c in foreign) / len(foreign) * 0.9 - 0.4
    common_traditional = sum(c in COMMON_HAN or c in "，。、的論會個這為學時對們來國過說" for c in foreign)
    return common_traditional / len(foreign) - 0.05
