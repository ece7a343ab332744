"""From bytes to text: encodings, packed files, and what is no text."""

import gzip

import pyarrow as pa
import pytest

from assets.parsed.decoding import DecodingError, decode

CHINESE = (
    "示例会议 2026 "
    "论文列表\n\n本文研究渡轮在火车晚点时如何决定等待时间。我们观察九条渡轮一年，并将其延误与火车的延误进行比较。"
    "结果表明，简单的规则每天可以节省十一分钟。\n"
)
JAPANESE = "本研究では、遅れた列車を待つ渡し船の待ち時間を調べる。九隻の船を一年間観察し、列車の遅れと比べる。\n"
KOREAN = "본 연구에서는 늦은 열차를 기다리는 배의 대기 시간을 살펴본다. 우리는 아홉 척의 배를 일 년 동안 관찰한다.\n"
FRENCH = (
    "Les bateaux qui attendent les trains en retard perdent moins de temps : "
    "nous l’avons mesuré à Genève, près du château.\n"
)

FOUND = {
    ("utf-8", "utf-8"): CHINESE,
    ("utf-8-sig", "utf-8-sig"): CHINESE,
    ("utf-16-le", "utf-16-le"): CHINESE + FRENCH,
    ("utf-16-be", "utf-16-be"): CHINESE + FRENCH,
    ("gb18030", "gb18030"): CHINESE,
    ("big5", "big5"): "本文研究渡輪在火車晚點時如何決定等待時間，我們觀察這個問題與學習的時間。的論文\n",
    ("shift_jis", "shift_jis"): JAPANESE,
    ("euc_kr", "euc_kr"): KOREAN,
    ("cp1252", "cp1252"): FRENCH,
}


@pytest.mark.parametrize(("codecs", "text"), FOUND.items())
def test_the_encoding_is_found_in_the_content(codecs: tuple[str, str], text: str) -> None:
    codec, name = codecs
    decoded = decode(text.encode(codec))
    assert (decoded.encoding, decoded.text) == (name, text)
    assert decode(text.encode(codec), encoding=decoded.encoding) == decoded


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "gb18030", "cp1252"])
@pytest.mark.parametrize("given", [False, True])
def test_the_published_name_decodes_the_bytes_outside_paperfold_too(codec: str, given: bool) -> None:
    text = FRENCH if codec != "gb18030" else CHINESE
    content = text.encode(codec)
    decoded = decode(content, encoding=codec if given else None)
    assert content.decode(decoded.encoding) == decoded.text == text


def test_a_mark_in_front_of_the_encoding_that_is_set_is_no_text() -> None:
    decoded = decode(b"\xef\xbb\xbf" + FRENCH.encode(), encoding="utf8")
    assert (decoded.text, decoded.encoding) == (FRENCH, "utf-8-sig")
    big_endian = decode(b"\xfe\xff" + FRENCH.encode("utf-16-be"), encoding="UTF-16")
    assert (big_endian.text, big_endian.encoding) == (FRENCH, "utf-16")


def test_utf_16_with_a_mark_is_read_without_it() -> None:
    assert decode(FRENCH.encode("utf-16")).text == FRENCH


def test_a_setting_decides_and_is_strict() -> None:
    assert decode(CHINESE.encode("gb18030"), encoding="GB18030").encoding == "gb18030"
    with pytest.raises(DecodingError, match="not ascii, as the source's settings say") as caught:
        decode(CHINESE.encode("gb18030"), encoding="ascii")
    assert caught.value.reason == "undecodable"
    with pytest.raises(DecodingError, match="unknown encoding 'klingon'"):
        decode(b"text", encoding="klingon")


def test_a_few_damaged_bytes_spoil_no_utf_8() -> None:
    cut = decode(CHINESE.encode()[:-2])
    assert (cut.encoding, cut.text) == ("utf-8-repaired", CHINESE[:-2] + "\ufffd")
    stray = decode((CHINESE * 3).encode() + b"the na\xefve caf\xe9 of Jos\xe9 \x93so\x94.")
    assert stray.text.endswith("the naïve café of José “so”.")
    assert (
        decode(b"\xef\xbb\xbf" + (FRENCH * 3).encode() + b"\xe4\xb8", encoding="utf-8-repaired").text
        == FRENCH * 3 + "\ufffd"
    )


def zstd(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return sink.getvalue().to_pybytes()


@pytest.mark.parametrize("pack", [gzip.compress, zstd, lambda c: gzip.compress(c[:40]) + gzip.compress(c[40:])])
def test_packed_files_are_read_as_what_is_in_them(pack) -> None:
    assert decode(pack(CHINESE.encode())).text == CHINESE


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_unpacking_stops_at_the_limit(pack) -> None:
    with pytest.raises(DecodingError, match="larger than 1,000 bytes") as caught:
        decode(pack(b"0" * 50_000_000), max_unpacked_bytes=1000)
    assert caught.value.reason == "too_large"


REFUSED = {
    b"": ("too_short", "empty"),
    b"\r\n \n": ("too_short", "white space"),
    b"%PDF-1.7\n\xe2\xe3": ("unsupported_format", "PDF"),
    b"PK\x03\x04\x14\x00": ("unsupported_format", "ZIP"),
    b"\x89PNG\r\n\x1a\n": ("unsupported_format", "PNG"),
    b"\xff\xd8\xff\xe0\x00\x10JFIF": ("unsupported_format", "JPEG"),
    b"SQLite format 3\x00": ("unsupported_format", "SQLite"),
    b"\x01\x02\x00\x03" * 20: ("binary", "not text"),
    gzip.compress(b"0" * 1000, mtime=0)[:-12]: ("unreadable_file", "gzip"),
    b"\x28\xb5\x2f\xfdbroken": ("unreadable_file", "zstd"),
}


@pytest.mark.parametrize("content", REFUSED)
def test_what_is_no_text_is_refused_by_kind(content: bytes) -> None:
    reason, words = REFUSED[content]
    with pytest.raises(DecodingError, match=words) as caught:
        decode(content)
    assert caught.value.reason == reason


def test_a_sentence_that_begins_like_a_signature_is_text() -> None:
    assert decode(b"BM25 is a ranking function. II* is none.").encoding == "utf-8"
