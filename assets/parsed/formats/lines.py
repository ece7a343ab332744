"""One abstract a line: whether the lines of a block are abstracts of their own or the lines of one paragraph.

A paragraph that is broken at a width practically never has every line end in a full stop. A paragraph with a sentence
a line has: there blank lines tell, or how the lines begin.
"""

from __future__ import annotations

from collections.abc import Callable

from assets.parsed.formats.continuation import MIDDLE, begins_as_text, refers_back
from assets.parsed.formats.fields import is_abstract_like, label_of
from assets.parsed.formats.layout import LONG, Block, ends_sentence, is_cjk, is_prose, sentences, weight
from assets.parsed.spans import Span

APART = "one line of a block of lines that each begin and end as sentences do: taken for an abstract of its own"
TOGETHER = "several lines that each begin and end as sentences do: taken for one abstract, as blank lines part others"
FEW = 5
"""Lines below which every one of them must read as an abstract of its own."""
LEAST_SHARE = 0.8
"""Share of the lines of a longer block that must read so."""
MOST_SENTENCES = 12
"""Lines from which a block is hardly one abstract with a sentence a line."""
LEAST_LINE = 40


def whole_lines(text: str, blocks: list[Block]) -> bool:
    """Lists without blank lines: most lines are abstracts by their length, titles may stand between them."""
    long_blocks = [b for b in blocks if b.end - b.start >= LONG or weight(text[b.start : b.end]) >= LONG]
    if not long_blocks or (len(long_blocks) > 2 and sum(len(b.lines) for b in long_blocks) < 2.5 * len(long_blocks)):
        return False
    many = [b for b in long_blocks if sum(_is_whole(text[a:z]) for a, z in b.lines) >= 2]
    return len(many) * 2 > len(long_blocks) and len(long_blocks) <= 3


def _is_whole(line: str) -> bool:
    """Return whether a line is an abstract of its own; in CJK lists short ones are."""
    return weight(line) >= LONG or (is_cjk(line) and is_abstract_like(line))


def sentence_lines(text: str, blocks: list[Block], is_aside: Callable[[Span], bool]) -> tuple[set[int], set[int]]:
    """Return the starts of the blocks whose lines are abstracts, and of those of which that is not sure and not done.

    Args:
        text: The decoded text.
        blocks: Runs of lines between blank lines.
        is_aside: Says of a line whether it is heading or furniture; such lines don't count.
    """
    several = [block for block in blocks if len(block.lines) > 1]
    alike = [block for block in several if _begin_and_end(text, block, is_aside)]
    if not alike:
        return set(), set()
    others = sum(len(b.lines) > 1 or is_abstract_like(text[b.start : b.end]) for b in blocks) - len(alike)
    lines = sum(len(block.lines) for block in alike)
    starts = {block.start for block in alike}
    if others > len(alike):
        return set(), set()
    if others or (len(alike) > 1 and lines < MOST_SENTENCES * len(alike)):
        return set(), starts
    return starts, set()


def _begin_and_end(text: str, block: Block, is_aside: Callable[[Span], bool]) -> bool:
    """Return whether the lines of a block each read as a short abstract of its own."""
    if not any(ends_sentence(text[slice(*line)]) for line in block.lines[:3]):
        return False
    lines = [line for line in block.lines if not is_aside(line)]
    if len(lines) > FEW and not ends_sentence(text[slice(*lines[0])]) and lines[0][1] - lines[0][0] < LONG // 2:
        lines = lines[1:]  # a heading in words that we don't know
    if len(lines) < 2:
        return False
    pieces = [text[slice(*line)] for line in lines]
    own = sum(_stands_alone(piece) for piece in pieces)
    if len(lines) >= FEW:
        if not all(begins_as_text(piece) for piece in pieces):
            return False
        one_abstract = len(lines) < MOST_SENTENCES and any(refers_back(piece) for piece in pieces)
        return own >= LEAST_SHARE * len(lines) and not one_abstract
    sizes = [weight(piece) for piece in pieces]
    return own == len(lines) and 2 * min(sizes) >= max(sizes)


def _stands_alone(line: str) -> bool:
    return (
        weight(line) >= LEAST_LINE
        and ends_sentence(line)
        and begins_as_text(line)
        and is_prose(line)
        and not refers_back(line)
        and label_of(line) is None
    )


def is_sure(line: str) -> bool:
    """Return whether a line is an abstract by itself, wherever it stands."""
    return weight(line) >= MIDDLE or (weight(line) >= LONG and sentences(line) > 1)
