"""LaTeX to plain Unicode: macros, accents, formulas.

Abstracts hold fragments of LaTeX among prose with percent signs, dollars and back slashes that are none. What is no
LaTeX is left as it stands. The table of symbols is pylatexenc's; its parser is not used, since it takes `%` for a
comment and `$5 and $7` for a formula. Results that later steps must not touch are shielded (see `shield.py`).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from assets.parsed.scripts import fraction, root, subscript, superscript
from assets.parsed.shield import Shield

MAX_DEPTH = 40
LOOK_AHEAD = 300
"""Tokens within which an argument must end; more would make damaged text cost quadratic time."""

ACCENTS = {
    '"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "d": "\u0323", "b": "\u0331", "r": "\u030a",
    "k": "\u0328",
}  # fmt: skip
MATH_ACCENTS = {
    "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303", "bar": "\u0304",
    "dot": "\u0307", "ddot": "\u0308", "vec": "\u20d7", "check": "\u030c", "breve": "\u0306", "acute": "\u0301",
    "grave": "\u0300",
}  # fmt: skip
_CONTENT = (
    "emph textbf textit texttt textsc textrm textsf textsl textup textmd text textnormal underline uline "
    "mathrm mathbf mathcal mathfrak mathsf mathit mathtt mathscr mathnormal boldsymbol bm pmb mbox hbox fbox "
    "operatorname mathop mathbin mathrel mathord ensuremath lowercase uppercase overline underbrace overbrace "
    "phantom url nolinkurl path section subsection subsubsection paragraph title author enquote keywords"
)
CONTENT = frozenset(_CONTENT.split())
"""Macros that stand for their argument."""
SECOND = frozenset({"href", "textcolor", "colorbox", "texorpdfstring"})
"""Macros that stand for their second argument (the first of texorpdfstring is LaTeX)."""
DROP_ARGUMENT = frozenset({"label", "color", "vspace", "hspace", "bibliographystyle", "bibliography", "input"})
_DROP = (
    "left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr middle displaystyle textstyle "
    "scriptstyle limits nolimits em it bf tt rm sf sc sl bfseries itshape ttfamily noindent newline linebreak par "
    "smallskip medskip bigskip centering small large Large protect relax xspace maketitle nonumber notag "
    "allowbreak nobreak footnotesize normalsize strut"
)
DROP = frozenset(_DROP.split())
_CITATIONS = (
    "cite citet citep citealt citealp citeauthor citeyear citeyearpar parencite textcite autocite footcite Citet "
    "Citep "
    "ref eqref autoref cref Cref pageref nocite"
)
CITATIONS = frozenset(_CITATIONS.split())
_OPERATORS = (
    "log ln lg exp sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan max min sup inf lim limsup liminf det "
    "dim ker deg gcd arg argmax argmin Pr hom mod poly polylog bmod"
)
OPERATORS = frozenset(_OPERATORS.split())
LETTER_MACROS = frozenset({"o", "O", "l", "L", "ss", "ae", "AE", "oe", "OE", "aa", "AA", "i", "j", "dh", "DH", "th"})
SPACES = {",": "\u2009", ":": " ", ";": " ", "!": "", " ": " ", "/": "", "-": "", "\\": " ", "@": "", "quad": " "}
SYMBOLS = {
    "epsilon": "ε", "phi": "φ", "varphi": "φ", "vartheta": "θ", "varrho": "ρ", "varsigma": "ς", "varnothing": "∅",
    "emptyset": "∅", "quad": " ", "qquad": " ", "dots": "…", "cdots": "…", "dotsc": "…", "dotsb": "…", "vdots": "⋮",
    "lvert": "|", "rvert": "|", "vert": "|", "mid": " | ", "lVert": "‖", "rVert": "‖", "Vert": "‖", "|": "‖",
    "ge": "≥", "geq": "≥", "geqslant": "≥", "le": "≤", "leq": "≤", "leqslant": "≤", "ne": "≠", "neq": "≠",
    "lesssim": "≲", "gtrsim": "≳", "sim": "∼", "to": "→", "gets": "←", "iff": "⇔", "implies": "⇒", "eps": "ε",
    "lbrace": "{", "rbrace": "}", "lbrack": "[", "rbrack": "]", "textbackslash": "\\", "textasciitilde": "~",
    "textasciicircum": "^", "textunderscore": "_", "textbar": "|", "textless": "<", "textgreater": ">",
    "textdollar": "$", "textpercent": "%", "textquotesingle": "'", "textquotedbl": '"', "LaTeX": "LaTeX", "TeX": "TeX",
    "item": " • ", "slash": "/", "nobreakspace": " ", "textendash": "–", "textemdash": "—", "textellipsis": "…",
    "prime": "′", "cdot": "·", "ast": "∗", "star": "⋆", "colon": ":", "setminus": "∖", "lt": "<", "gt": ">",
    "degree": "°", "textdegree": "°", "micro": "µ", "dag": "†", "S": "§", "P": "¶", "pounds": "£", "euro": "€",
    "texttimes": "×", "textmu": "µ", "i": "ı", "j": "ȷ", "imath": "ı", "jmath": "ȷ",
}  # fmt: skip
_LETTER_MACROS_WORDS = "o O l L ss ae AE oe OE aa AA i j dh DH th TH"
LETTER_MACROS = frozenset(_LETTER_MACROS_WORDS.split())
BLACKBOARD = {"N": "ℕ", "Z": "ℤ", "Q": "ℚ", "R": "ℝ", "C": "ℂ", "P": "ℙ", "H": "ℍ", "E": "𝔼", "1": "𝟙"}
RELATIONS = "=<>≤≥≠≈≡∼≃≅∝∈∉∋⊂⊃⊆⊇⊊⊋→←↔⇒⇐⇔↦≪≫≲≳⊢⊨∣≺≻⪯⪰≜≔"

TOKEN = re.compile(
    r"\\[a-zA-Z]+\*?|\\[\s\S]|\$\$?|[{}^_~&]|``|''|---?|[`'\"%]|[^\\${}^_~&`'\"%-]+|[\s\S]",
)
BRACED = re.compile(r"(?<=[^\W\d_])\{([^\W\d_]{1,2})\}(?=[^\W\d_])")
"""A letter that is left in braces when its accent is resolved: "Fr{é}chet"."""
# A price holds no command: "$\sim$10" is a formula before a number, "$5 and $6" are none.
DOLLAR_MATH = re.compile(
    r"\$\$(?P<display>[^$]+)\$\$|(?<![\\$])\$(?P<inline>(?:[^$\\]|\\[\s\S])+?)(?<!\\)\$(?!\d)"
    r"|(?<![\\$\w])\$(?P<sign>\s*\\[A-Za-z]+\s*|[<>=~±])\$(?=\d)"
)
BRACKET_MATH = re.compile(
    r"\\\((?P<p>[\s\S]{1,2000}?)\\\)|\\\[(?P<b>[\s\S]{1,2000}?)\\\]"
    r"|\\begin\{(?P<e>equation|align|gather|displaymath|math|multline|"
    r"eqnarray)\*?\}(?P<c>[\s\S]{1,4000}?)\\end\{(?P=e)\*?\}"
)
ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*\{[a-zA-Z]+\*?\}(?:\[[^\]\n]*\])?")
WINDOWS_PATH = re.compile(r"(?<![A-Za-z])[A-Za-z]:\\[\w\\.-]*")
FORMAT_GLUED = re.compile(
    r"^(emph|textbf|textit|texttt|textsc|mathrm|mathbf|mathcal|mathbb|mathsf|text(?=[A-Z]))(\w+)$"
)
TIE = re.compile(r"(?<=[a-z.\d])~(?=et\b|[A-Z\d\\$(\[])")
PLAIN_POWER = re.compile(r"(?<=[\w)\]])\^(?:\{(-?\w{1,4})\}|\((-?\d{1,4})\)|(-?\d{1,4}|[a-z](?![a-zA-Z])))")
PLAIN_INDEX = re.compile(r"(?<=[A-Za-zα-ωΑ-Ω)])_\{([^{}\s]{1,12})\}")


@cache
def _symbols() -> dict[str, str]:
    """Return macro name -> Unicode text, from pylatexenc's table and our own preferences."""
    from pylatexenc.latex2text import get_default_latex_context_db

    table = {
        spec.macroname: spec.simplify_repl
        for spec in get_default_latex_context_db().iter_macro_specs()
        if isinstance(spec.simplify_repl, str) and "%" not in spec.simplify_repl and spec.simplify_repl
    }
    return {**table, **{name: name for name in OPERATORS}, **SYMBOLS}


def looks_like_math(content: str, before: str, after: str) -> bool:
    """Return whether what stands between two dollars is a formula rather than prose between two prices."""
    if not content.strip() or len(content) > 400 or "\n\n" in content:
        return False
    if re.search(r"[\\^_{}]", content):
        return True
    if content[0].isspace() or content[-1].isspace():
        return False
    if before.isalnum() and content[0].isdigit():
        return False
    if (
        re.fullmatch(r"\d[\d,.]*\s*(?:k|m|bn|million|billion)?[^\w=<>+*/-]*", content, re.IGNORECASE)
        and after.isdigit()
    ):
        return False
    return len(re.findall(r"[A-Za-z]{3,}", content)) <= 1


def resolve_latex(text: str, shield: Shield) -> str:
    """Return the text with LaTeX macros, accents, quotes, dashes and formulas as plain Unicode."""
    if ":\\" in text:
        text = WINDOWS_PATH.sub(lambda m: shield.hide(m[0]), text)
    if "\\" in text:
        text = BRACKET_MATH.sub(lambda m: _shielded_math(m["p"] or m["b"] or m["c"], shield, m[0][1] != "("), text)
    text = _resolve_dollars(text, shield)
    if "\\" in text or TIE.search(text):
        text = ENVIRONMENT.sub(" ", text)
        text = _Reader(text, math=False, shield=shield).read()
    if "^" in text:
        text = PLAIN_POWER.sub(lambda m: superscript(m[1] or m[2] or m[3]), text)
    if "{" in text:
        text = BRACED.sub(r"\1", text)
    return PLAIN_INDEX.sub(lambda m: subscript(m[1]), text) if "_{" in text else text


def _resolve_dollars(text: str, shield: Shield) -> str:
    if text.count("$") < 2:
        return text
    parts, at = [], 0
    while match := DOLLAR_MATH.search(text, at):
        content = match["display"] or match["inline"] or match["sign"]
        before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
        if match["display"] is None and not looks_like_math(content, before, after):
            parts.append(text[at : match.start() + 1])
            at = match.start() + 1
            continue
        parts += [text[at : match.start()], _shielded_math(content, shield, match["display"] is not None)]
        at = match.end()
    return "".join([*parts, text[at:]])


def _shielded_math(content: str, shield: Shield, display: bool) -> str:
    formula = shield.hide(resolve_math(content))
    return f" {formula} " if display else formula


def resolve_math(content: str) -> str:
    """Return a formula as readable Unicode: powers and indices raised or lowered, relations with a space around."""
    content = re.sub(r"\\begin\s*\{[a-zA-Z]+\*?\}(\{[^}]*\})?|\\end\s*\{[a-zA-Z]+\*?\}", " ", content)
    shield = Shield()
    return tidy_math(shield.reveal(_Reader(content, math=True, shield=shield).read()))


def tidy_math(formula: str) -> str:
    """Return the formula with white space folded, one space around relations and none around plus and minus."""
    formula = re.sub(r"\s+", " ", formula).strip()
    formula = re.sub(rf"\s*([{RELATIONS}]+)\s*", r" \1 ", formula).strip()
    formula = re.sub(r"(?<=[\w)\]}])\s*([+±/×·−-])\s*(?=[\w(\[{√∑])", r"\1", formula)
    formula = re.sub(r"([(\[{⟨])\s+|\s+([)\]}⟩,;])", lambda m: m[1] or m[2], formula)
    return re.sub(r",(?=[^\s\d])", ", ", formula)


class _Reader:
    """Reads tokens of LaTeX left to right and gives the Unicode text of them."""

    def __init__(self, source: str, *, math: bool, shield: Shield) -> None:
        self.tokens = TOKEN.findall(source)
        self.at = 0
        self.math = math
        self.shield = shield

    def read(self, depth: int = 0, *, group: bool = False) -> str:
        out: list[str] = []
        while self.at < len(self.tokens):
            piece = self.tokens[self.at]
            if piece == "}" and group:
                self.at += 1
                break
            self._append(out, self._next(depth), piece)
        return "".join(out)

    def _append(self, out: list[str], part: str, piece: str) -> None:
        if self.math and piece[0] == "\\" and piece[1:].rstrip("*") in OPERATORS:
            if out and out[-1] and out[-1][-1].isalnum():
                out.append(" ")
            following = self._peek()
            if following[:1].isalnum() or (following[:1] == "\\" and following[1:2].isalpha()):
                part += " "
        out.append(part)

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _next(self, depth: int) -> str:
        piece = self.tokens[self.at]
        self.at += 1
        if piece[0] == "\\" and len(piece) > 1:
            return self._macro(piece, depth)
        if piece == "{":
            return self.read(depth + 1, group=True) if depth < MAX_DEPTH else ""
        if piece == "}":
            return ""
        if self.math:
            return self._math_token(piece, depth)
        if piece == "~":
            tied = self.at >= 2 and not self.tokens[self.at - 2][-1].isspace() and not self._peek()[:1].isspace()
            return " " if tied else piece
        return {"``": "“", "''": "”"}.get(piece, piece)

    def _math_token(self, piece: str, depth: int) -> str:
        if piece == "^":
            return superscript(self._argument(depth))
        if piece == "_":
            return subscript(self._argument(depth))
        return {"~": " ", "&": " ", "'": "′", "''": "″", "$": "", "$$": ""}.get(piece, piece)

    def _argument(self, depth: int) -> str:
        """Read what a macro or a script takes: a group, a macro, or one character."""
        self._skip_space()
        if self.at >= len(self.tokens):
            return ""
        piece = self.tokens[self.at]
        if piece == "{" or piece[0] == "\\":
            return self._next(depth + 1) if depth < MAX_DEPTH else self._skip()
        if len(piece) > 1:
            self.tokens[self.at] = piece[1:]
            return piece[0]
        self.at += 1
        return "" if piece == "}" else piece

    def _skip(self) -> str:
        self.at += 1
        return ""

    def _skip_space(self) -> None:
        while (piece := self._peek()) and piece.isspace():
            self.at += 1
        if piece[:1].isspace():
            self.tokens[self.at] = piece.lstrip()

    def _raw_group(self) -> str | None:
        """Read a group as it stands (keys, labels, addresses); None when there is none."""
        if self._peek() != "{":
            return None
        depth, start = 0, self.at
        for at in range(start, min(start + LOOK_AHEAD, len(self.tokens))):
            depth += (self.tokens[at] == "{") - (self.tokens[at] == "}")
            if depth == 0:
                self.at = at + 1
                return "".join(self.tokens[start + 1 : at])
        return None

    def _optional(self) -> None:
        """Skip arguments in square brackets."""
        while self._peek().startswith("["):
            ahead = range(self.at, min(self.at + LOOK_AHEAD, len(self.tokens)))
            end = next((at for at in ahead if "]" in self.tokens[at]), None)
            if end is None:
                return
            rest = self.tokens[end].partition("]")[2]
            self.tokens[end] = rest
            self.at = end if rest else end + 1

    def _macro(self, piece: str, depth: int) -> str:
        name = piece[1:].rstrip("*") or piece[1:]
        if not name[0].isalpha():
            return self._character(name, depth)
        if name in ACCENTS and len(name) == 1 and (self._peek() == "{" or self._peek()[:1].isspace()):
            return self._accent(ACCENTS[name], self._argument(depth))
        if name in MATH_ACCENTS:
            return self._accent(MATH_ACCENTS[name], self._argument(depth))
        if name in CITATIONS:
            self._optional()
            keys = self._raw_group()
            if keys is None:
                return name
            listed = ", ".join(key.strip() for key in keys.split(","))
            return self.shield.hide(f"[{listed}]")
        if name in CONTENT or name in ("mathbb", "mathds", "Bbb"):
            return self._content(name, depth)
        if name in SECOND:
            self._raw_group()
            return self._argument(depth)
        if name in DROP_ARGUMENT:
            self._raw_group()
            return ""
        if name in DROP:
            if self.math or self._peek()[:1].isspace():
                self._skip_space()
            if name in ("left", "right") and self._peek()[:1] == ".":
                self._argument(depth)
            return ""
        if name in ("frac", "dfrac", "tfrac", "nicefrac", "sfrac", "cfrac"):
            return fraction(self._argument(depth), self._argument(depth))
        if name == "sqrt":
            self._optional()
            return root(self._argument(depth))
        if name == "textsuperscript":
            return superscript(self._argument(depth))
        if name == "textsubscript":
            return subscript(self._argument(depth))
        if name == "footnote":
            return f" ({self._argument(depth)})"
        if name == "not":
            return unicodedata.normalize("NFC", self._argument(depth)[:1] + "\u0338")
        return self._symbol(name, depth)

    def _content(self, name: str, depth: int) -> str:
        if self._peek() != "{" and not self.math:
            return "" if self._peek() else name
        math, self.math = self.math, self.math and not name.startswith("text") and name not in ("mbox", "hbox")
        content = self._argument(depth)
        self.math = math
        if name in ("mathbb", "mathds", "Bbb"):
            return BLACKBOARD.get(content, content)
        return content

    def _symbol(self, name: str, depth: int) -> str:
        symbol = _symbols().get(name)
        if symbol is not None:
            if self._peek() == "{" and self.at + 1 < len(self.tokens) and self.tokens[self.at + 1] == "}":
                self.at += 2
            elif (self.math and name not in OPERATORS) or name in LETTER_MACROS:
                self._skip_space()
            return symbol
        if glued := FORMAT_GLUED.match(name):
            return BLACKBOARD.get(glued[2], glued[2]) if glued[1] == "mathbb" else glued[2]
        if self._peek() == "{":
            content = self._argument(depth)
            return f"{name}({content})" if content.strip() else name
        return name

    def _character(self, name: str, depth: int) -> str:
        if name in ACCENTS and name != "-":
            mark, saved = self.at, list(self.tokens[self.at : self.at + 2])
            composed = self._accent(ACCENTS[name], self._argument(depth))
            if len(composed) == 1:
                return composed
            self.at = mark
            self.tokens[self.at : self.at + 2] = saved
            return "" if self._peek() == "{" else name
        if name in SPACES:
            return SPACES[name]
        if name in "()[]":
            return "" if self.math or name in "()" else name
        if name.isspace():
            return " "
        if name == "|":
            return "‖"
        return self.shield.hide(name) if name in "*_$`<>#~^" else name

    def _accent(self, mark: str, content: str) -> str:
        base = {"ı": "i", "ȷ": "j"}.get(content, content)
        if not base.strip():
            return base
        return unicodedata.normalize("NFC", base[0] + mark + base[1:])
