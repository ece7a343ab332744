"""`text`: what stands in a document -> what a person reads."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.parsed.markup import resolve_column, resolve_text

EXAMPLES = {
    # LaTeX
    r"""\emph{every} na\"ive $\Omega(n^2)$ 10\% --- ``so''""": "every naïve Ω(n²) 10% — “so”",
    r"speedups up to $6\times$": "speedups up to 6×",
    r"soft-$\ell_\infty$": "soft-ℓ∞",
    r"$\mathrm{CoT}(r(n)) \subsetneq \mathrm{CoT}(r(n)^{1+\varepsilon})$": "CoT(r(n)) ⊊ CoT(r(n)^(1+ε))",
    r"as in \citet{KM25} and \citep[p.~2]{A1, B2}": "as in [KM25] and [A1, B2]",
    r"the class \CoT of tasks": "the class CoT of tasks",
    r"\dataset{} and \norm{x}": "dataset and norm(x)",
    r"\emphMinimum length": "Minimum length",
    r"{\em big} steps, {\bf bold}": "big steps, bold",
    r"Erd\H{o}s, Garc\'{\i}a, \v{C}ech, \o re, Stra\ss e": "Erdős, García, Čech, øre, Straße",
    r"$\mathbb{R}^d$ and $x_{t+1} \in \mathcal{X}$": "ℝ^d and xₜ₊₁ ∈ X",
    r"$n\log n$ and $\sqrt{n \log n}$": "n log n and √(n log n)",
    r"$\frac{1}{2}$ of $\frac{a+b}{c}$": "1/2 of (a+b)/c",
    r"a \[ x = y \] b": "a x = y b",
    r"\begin{itemize}\item one \item two\end{itemize}": "• one • two",
    r"\href{https://a.example}{the code} at \url{https://b.example/x_y_z}": "the code at https://b.example/x_y_z",
    r"18\,\% and Smith~et~al.": "18% and Smith et al.",
    "O(n^2) in plain text": "O(n²) in plain text",
    # what is no LaTeX
    "100% sure, C:\\new\\dir": "100% sure, C:\\new\\dir",
    "it costs $5 and $7 more": "it costs $5 and $7 more",
    "between US$100 and $200": "between US$100 and $200",
    "don\\'t stop": "don't stop",
    "about ~10% of {a, b}": "about ~10% of {a, b}",
    # Markdown
    "*adversary-directed* and **bold** and _this_": "adversary-directed and bold and this",
    "a*b*c and A* search, p < 0.05 *": "a*b*c and A* search, p < 0.05 *",
    "`Toy-5k` and [text](https://a.example/b_(c))": "Toy-5k and text",
    "snake_case_name and __init__": "snake_case_name and __init__",
    "5 * 3 * 2": "5 * 3 * 2",
    # HTML
    "<em>every</em> na&iuml;ve &Omega;(n<sup>2</sup>)": "every naïve Ω(n²)",
    "a < b and c > d": "a < b and c > d",
    "&amp;lt; is decoded once": "&lt; is decoded once",
    "x<sub>0</sub> &gt; 0<br/>next": "x₀ > 0 next",
    "AT&T; R&D": "AT&T; R&D",
    # characters
    "ﬁne ﬂow": "fine flow",
    "shel\u200bves and ware\u00adhouse": "shelves and warehouse",
    "18\u2009% of\u00a0it": "18% of it",
    "Cafe\u0301": "Café",
    "45Â° and â€œsoâ€\x9d": "45° and “so”",
    "micro(cid:173)\nscope": "microscope",
    "a\x00b\x07c": "abc",
    # lines
    "more sens-\ning effort": "more sensing effort",
    "a two-\nmap planner": "a two-map planner",
    "one- and two-\ndimensional": "one- and two-dimensional",
    "effi- cient, two- and three-way": "efficient, two- and three-way",
    "state-of-the-\nart": "state-of-the-art",
    "non-\nLinear and co-\noperate; we cooperate": "non-Linear and cooperate; we cooperate",
    "两行\n中文": "两行中文",
    "line\r\nline\rline": "line line line",
    # prefixes
    "Abstract: We study": "We study",
    "**Abstract**: *We* study": "We study",
    "摘要：我们研究": "我们研究",
    "Abstract interpretation is a theory": "Abstract interpretation is a theory",
    "arXiv:2601.00001v2 Announce Type: new Abstract: We study": "We study",
    "Abstract(#br)We study": "We study",
}


@pytest.mark.parametrize(("raw", "text"), EXAMPLES.items())
def test_text_is_what_a_person_reads(raw: str, text: str) -> None:
    assert resolve_text(raw).text == text


def test_a_feed_prefix_leaves_its_id_behind() -> None:
    (identity,) = resolve_text("arXiv:2601.00001v2 Announce Type: replace-cross \nAbstract: We study").ids
    assert (identity.scheme, identity.value, identity.version) == ("arxiv", "2601.00001", "2")


FORMS = [
    r"We fit \emph{every} semi--norm of na\"ive H\"older maps with $\epsilon>0$ and $O(n^2)$ steps, 5\% of "
    r"\texttt{T-9}.",
    "We fit <em>every</em> semi&ndash;norm of na&iuml;ve H&ouml;lder maps with &epsilon; &gt; 0 and O(n<sup>2</sup>) "
    "steps, 5% of <code>T-9</code>.",
    r"We fit *every* semi–norm of naïve Hölder maps with $\epsilon > 0$ and $O(n^2)$ steps, 5% of `T-9`.",
    "We fit every semi–norm of naïve Hölder maps with ε > 0 and O(n²) steps, 5% of T-9.",
]


def test_one_text_in_four_notations_comes_out_equal() -> None:
    assert len({resolve_text(form).text for form in FORMS}) == 1


def test_formulas_are_compared_not_thrown_away() -> None:
    assert resolve_text(r"needs $\Omega(n^2)$ samples").text != resolve_text(r"needs $\Omega(n^3)$ samples").text


PIECES = st.sampled_from(
    [
        *EXAMPLES,
        "plain words",
        "é",
        "\n",
        "\n\n",
        " ",
        "- ",
        "$",
        "\\",
        "{",
        "}",
        "*",
        "_",
        "`",
        "<",
        ">",
        "&",
        "^",
        "~",
    ]
)


@given(st.lists(st.one_of(PIECES, st.text(max_size=12)), max_size=12).map(" ".join))
def test_a_column_gives_what_each_text_alone_gives(raw: str) -> None:
    column = resolve_column(pl.Series([raw, None, "plain"], dtype=pl.String))
    assert column.texts.to_list() == [resolve_text(raw).text or None, None, "plain"]


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "S", "Z", "Cc", "Mn"]), max_size=200))
def test_text_is_folded_and_holds_no_invisible_character(raw: str) -> None:
    text = resolve_text(raw).text
    assert text == " ".join(text.split(" ")).strip()
    assert not any(c in "\u00ad\u200b\ufeff\n\r\t" or ord(c) < 32 for c in text)
