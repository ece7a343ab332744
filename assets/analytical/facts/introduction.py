"""The words by which a paper introduces a name: patterns over one sentence. How they combine is in introduced.py."""

from __future__ import annotations

import re

from assets.analytical.facts.patterns import any_of, joined, word_set

_PAPER = any_of("paper work study article letter report thesis manuscript authors? abstract")
_OWN_THING = any_of("contributions? solution method approach work team paper framework system idea")
_SUBJECT = joined(
    rf"""(?:\b[Ww]e|\bI|\b[Tt]h(?:is|e|e present|e current) (?:[\w-]+ )?{_PAPER}|\b[Ii]n th(?:is|e present) {_PAPER}
    |\b[Oo]ur (?:[\w-]+ ){{0,2}}{_OWN_THING}(?: (?:is|are|here is))?)"""
)
_INTRODUCE = any_of(
    r"""propos(?:e|es|ed|ing) introduc(?:e|es|ed|ing) present(?:s|ed|ing)? develop(?:s|ed|ing)? design(?:s|ed|ing)?
    devis(?:e|es|ed|ing) construct(?:s|ed|ing)? creat(?:e|es|ed|ing) build(?:s|ing)? built releas(?:e|es|ed|ing)
    contribut(?:e|es|ed|ing) describ(?:e|es|ing) formulat(?:e|es|ed) offers? publish open-sourc(?:e|es|ed|ing) unveil
    advocate suggest put\sforward implement(?:ed)? curat(?:e|es|ed) collect(?:ed)? gather(?:ed)? annotated? assembled?
    provide establish compile announce call named? dub termed? is are"""
)
VERB = re.compile(rf" {_INTRODUCE}\b(?!-)")
"""A verb that introduces and the space before it, behind which `OWN_SUBJECT` ends."""

SUBJECT_SIGNS = ("we ", "We ", "I ", "his ", "he ", "ur ", "we, ", "We, ")
SPEAKERS = (
    *("we ", "We ", "we,", "We,", "I ", "I,", "ur ", "paper", "work", "article", "letter", "study", "report"),
    *("thesis", "manuscript", "author", "abstract"),
)
NAMING_SIGNS = ("called", "named", "ubbed", "erm", "itled", "oined", "enote", "refer", "call", "name", "dub ")
"""A sentence without one of the first and one of the second holds no `OWN_SUBJECT`, and one without any of the third
no `CALLED`: asked before these are tried."""

OWN_SUBJECT = re.compile(
    rf"{_SUBJECT},?(?: [a-z]+,?){{0,3}} $|\b[Ww]e\b[^.;:]{{0,120}} and (?:also |then |further |thus |[a-z]+ly )?$"
)

TRAINED = re.compile(
    rf"{_SUBJECT},?(?: [a-z]+,?){{0,3}}? "
    + any_of("train pretrain pre-train cultivate obtain derive produce instantiate finetune fine-tune")
    + r"(?:ed)? (?=[^\W_][^\s,]*, an? )"
)
"""What is trained counts as introduced only where an apposition explains it: `we train NAME, a model`."""

LEADS_TO = re.compile(
    joined(
        r"""\b(?:motivates?|yields?|leads? to|results? in|gives? rise to
        |[Tt]o (?:address|tackle|overcome|solve|bridge|fill|mitigate|remedy|resolve)[^.;]{0,120}?
        |[Hh]ere,?|[Ss]pecifically,?) (?:to )?(?:a|the|an) (?:novel|new)"""
    )
    + " "
)
PASSIVE = re.compile(
    joined(
        r""",? (?:is|are|was|were|has been|have been)(?: also| then| first| further| therefore| thus| hereby)?\s
        (?:proposed|introduced|presented|developed|released)\b"""
    )
)
OF_THIS_PAPER = re.compile(r"\b(?:novel|new|[Tt]his (?:paper|work|article|letter|study)|[Hh]ere|[Ww]e|[Oo]ur)\b")

_NAMING = any_of(r"call name dub term denote(?:\sas|\sby)? refer\sto\sas")
CALLED = re.compile(
    joined(
        rf"""\b(?:called|named|dubbed|termed|titled|entitled|coined(?: as)?|denoted (?:as|by)|referred to as|termed as
        |named as|called as|nicknamed|namely|code-named
        |(?:we|which we|that we) {_NAMING}(?: (?:it|this|the|our|these|them)(?: [\w-]+){{0,4}}?)?(?: as)?
        |(?:we )?(?:call|name|dub|term)\s
        (?:it|this(?: [\w-]+){{1,2}}|the(?: [\w-]+){{1,4}}|our(?: [\w-]+){{1,4}})(?: as)?)
        ,?:? (?:the |a |an |as )?[\"“'‘]?"""
    )
)
_OWN_NOUN = any_of("approach method model framework system algorithm dataset benchmark")
OUR = re.compile(rf"[Oo](?<!\w[Oo])ur (?:proposed |novel |new |own |full |final |best |{_OWN_NOUN},? )?(?=[^\W_])")

_PRAISE = any_of(
    r"""achiev outperform surpass exceed improv attain obtain reduc deliver yield demonstrat shows?\b outscor beats?\b
    matches\b address leverag utiliz employ integrat introduc adopt enabl consists?\b compris generaliz provid sets?\b
    establish excels?\b combin maintains?\b preserv offers?\b dynamically performs?\b boosts?\b accelerat incorporat
    recovers?\b is\s(?:able|competitive|based|designed|trained|built)\b"""
)
PRAISED = re.compile(rf"^(?:'s|’s)? (?:[a-z]+ly |also |can |not only |thus |further |even |then |both )*{_PRAISE}")
"""What a text says of its own system, behind its name."""

_TESTS = any_of("evaluate validate test apply demonstrate benchmark train deploy instantiate implement assess use")
_QUALITY = any_of(
    """effectiveness superiority performance efficacy efficiency advantages? benefits? robustness utility potential
    capabilit(?:y|ies) core heart code evaluations? implementation generality versatility usefulness validity
    feasibility results design"""
)
_FINDING = any_of("demonstrates? shows? indicates? confirms? reveals? suggests? finds?")
TESTED = re.compile(
    joined(
        rf"""\b(?:(?:we|to|and) (?:[a-z]+ )?{_TESTS}|{_QUALITY} (?:of|for)(?: our| the proposed)?|{_FINDING} that
        |[Ww]ith|[Bb]y|[Uu]sing|[Uu]nlike .{{3,60}},|, ) $"""
    )
)
"""What stands before the name of the paper's own system where it is tested or praised."""

USED = re.compile(
    joined(
        r"""\b(?:using|such as|like|in|from|including|e\.g\.,?|e\.g|by|versus|vs\.?|recent|existing|popular|than|over|to
        |is|the|and|or|as)\s*[\"“(]?$"""
    )
)
"""What stands before the first mention of something that was there already."""

_THING = any_of(
    r"""method model framework approache? algorithm system architecture network dataset data\sset benchmark corpus tool
    toolkit library pipeline technique scheme strategy module mechanism agent metric measure paradigm platform loss
    estimator planner robot language resource package variant solution detector parser optimizer tokenizer transformer
    suite environment simulator component part stage contribution"""
)
APART = re.compile(rf"\b{_THING}s?(?:, |: | [—–-]+ |—| \(| )(?:the |namely )?(?=[^\W_])")
"""A thing whose name may follow set apart: `a method, NAME, that`."""

_GOES_ON = any_of(
    r"that which for to based using with in on by consist\w+ as is of from and\s[a-z] containing comprising can has"
)
STANDS_APART = re.compile(
    rf"(?:\s\([^()]*\))?(?:,(?! (?:and )?[A-Z])|\)|\.\s|\.?$| \(|:|;| [—–]|—| {_GOES_ON}(?![\w-]))"
)
_EXPLAINS = any_of(
    r"and which an? the for to that with by our in consist\w+ whose designed contain\w+ compris\w+ using based"
)
BETWEEN_COMMAS = re.compile(rf"[a-z\d]\)?, (?=[^\W_][^\s,]*[,.] ?(?:{_EXPLAINS} [a-z]|$))")

_SMALL = r"(?:of|for|and|with|in|the|to|via|from|by)"
LONG_FORM = re.compile(rf"([A-Z][\w-]+(?: (?:{_SMALL} ){{0,2}}[A-Z][\w-]+)+) \(([A-Z][\w-]*\w)\)")
"""Capitalised words with a name in brackets, whatever its spelling: `Gentle Ranking of Hills (Grouse)`."""

KINDS_OF = re.compile(
    r"\b"
    + any_of("family class set suite series collection variant version type kind form pair number couple")
    + r"s? of\b"
)
BUILT_ON = re.compile(
    r"\b"
    + any_of(
        """built based builds building relies operates consists? composed comprises comprising powered driven enabled
        consisting supported coupled paired together combined"""
    )
    + r" (?:on|upon|of|by|with|on top of|around|in)? ?(?=[^\W_])"
)
EXPLAINED = re.compile(r",? (?:an?|the first|our|the) [\w-]| [-–—] an? |, which |: an? ")
"""An explanation that follows a name: `NAME, a method`."""

_ARTICLES = any_of(
    r"""an? the our two three four several both novel new simple first , and yet but following also here as to of it
    this these (?:\w+\s)?(?:families|family|class|version|variant|suite|series|set|collection)\sof"""
)
_ADJECTIVE = r"[a-z]+(?:ed|al|ive|ic|able|ble|ous|ful|less|ly|ent|ant|ient|ing|-[a-z]+)"
_COMPOUND = r"[\w-]+-" + any_of(
    """based free driven aware level to-end efficient agnostic specific scale quality source art stage step wise shot
    theoretic inspired"""
)
MODIFIERS = re.compile(rf"(?:\s*(?:{_ARTICLES}|{_ADJECTIVE}|{_COMPOUND}))*\s*[\"“'‘*]?")
"""What may stand between a verb and the name that it governs."""

BREAK = re.compile(
    r"\b"
    + any_of(
        r"""that which to of using based\son by via through where who in\sorder from so because while as with under
        aims? into between when whose without against within for on in at among towards? over across about upon built
        trained consisting designed called named"""
    )
    + r"\b|[;:,]"
)
"""Where the head of an object has ended: a definition behind it is of something else."""

NEXT_ITEM = re.compile(r"(?:\s*\([^()]{1,60}\))?(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?:its \w+ |an? |the |our )?")

_CLOSERS = any_of(
    r"""that which to for and is in with by on as where using based from whose consist\w+ via of a the containing
    comprising can has have designed an"""
)
CLOSED = re.compile(rf"[\"”’'*]?(?:\s*[,.;:()–—]|\s+{_CLOSERS}\b|\s*$)")
"""What follows a name that is complete."""

NO_NAMES = word_set(
    """We I This The A An In On It Our These To For As By At And Or If From With Here Then Also However Moreover
    Furthermore Specifically Finally First Second Third Bayesian Gaussian Markov English Chinese French German
    Fourier Hilbert Wasserstein Transformer Transformers Lagrangian Newton Euclidean Riemannian Hamiltonian
    Hessian Python Monte Carlo Twitter Wikipedia Lipschitz Bellman Poisson Nash Arabic Japanese Spanish Italian
    Russian Hindi Korean African European American Indian"""
)
"""Capitalised words that begin no name of a system by themselves."""
