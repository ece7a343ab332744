-- Papers that answer a query, best first, ranked by BM25 over title and text. Any word of the query counts, the rare
-- ones most. Case, accents, plurals and LaTeX spellings make no difference; Chinese, Japanese and Korean are found by
-- pairs of characters. `results` limits the rows.
-- Call: search('learning model', results := 10)
--
-- rank BIGINT: Place in the answer, from 1.
-- score DOUBLE: BM25 score; comparable within one answer only.
-- paper_id VARCHAR: The paper.
-- title VARCHAR: Its title, if a list gives one.
-- snippet VARCHAR: The stretch of its text that answers best; null where it has no text.

-- LaTeX without its markup: accents and font commands go, other commands keep their name.
CREATE MACRO search_unmarked(text) AS regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    regexp_replace(text,
    '\{?\\(o|O|l|L|ae|AE|oe|OE|ss|i|j)\b(?:\{\}|\}|\s)?', '\1', 'g'),
    '\\(?:[`''^"~=.]|[cvHukrbdt]\b)\s*\{?\s*\\?([A-Za-z])\s*\}?', '\1', 'g'),
    '\\(?:emph|operatorname|mbox|underline|text[a-z]*|math[a-z]*|left|right|big[a-z]*)\b', '', 'g'),
    '\\(?:(?:leq?|geq?|times|cdot|approx|sim|to|rightarrow|in|subset[a-z]*|quad)\b|[,;:! ])', ' ', 'g'),
    '\\var([a-z])', ' \1', 'g'),
    '\\([A-Za-z]+)', ' \1 ', 'g');

-- Lower case without accents, raised and lowered signs as plain ones, without apostrophes and what only sets text;
-- unlike scripts stand apart.
CREATE MACRO search_plain(text) AS regexp_replace(regexp_replace(regexp_replace(replace(replace(replace(replace(
    translate(
        lower(strip_accents(search_unmarked(text))),
        '⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉ⁿⁱᵢⱼₖₙℝℕℤℚℂøłđıħµϵϕϑςϱ', '01234567890123456789niijknrnzqcoldihμεφθσρ'
    ),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    '[''’ʼ]s\b|[''’ʼ$^_{}]', '', 'g'),
    '([α-ω]{4,})|([α-ωℓ])', '\1 \2 ', 'g'),
    '([\x{3005}-\x{3007}\x{3041}-\x{30FF}\x{3400}-\x{9FFF}\x{AC00}-\x{D7AF}\x{F900}-\x{FAFF}\x{20000}-\x{3FFFF}]+)', ' \1 ', 'g');

-- The singular of an English plural and the word itself otherwise: the S stemmer of Harman (1991) with a few more
-- rules. What matters is that all forms of a word come to one, not that this one is a word.
CREATE MACRO search_stem(word) AS CASE
    WHEN length(word) < 4 OR NOT regexp_matches(word, '(?:s|[hxsoi]e|ia|ra|na|en)$') THEN word
    WHEN word IN ('news', 'lens', 'atlas', 'canvas') OR regexp_matches(word, '(?:[^pre]us|[^cgtn]pus|[^g]rus|is|ss|ias)$')
        THEN word
    WHEN word IN ('criteria', 'phenomena') THEN left(word, -1) || 'on'
    WHEN word = 'corpora' THEN 'corpus'
    WHEN word IN ('matrices', 'appendices') THEN left(word, -3) || 'x'
    WHEN word IN ('vertices', 'indices') THEN left(word, -4) || 'ex'
    WHEN word = 'children' THEN 'child'
    WHEN word = 'women' THEN 'woman'
    WHEN regexp_matches(word, '(?:[nprt]us|ias|lens|canvas|atlas)es$') THEN left(word, -2)
    WHEN regexp_matches(word, '(?:ly|the)ses$') THEN left(word, -2) || 'is'
    WHEN regexp_matches(word, '(?:ss|x|ch|sh|..o)es?$') THEN regexp_replace(word, 'es?$', '')
    WHEN regexp_matches(word, '..ies?$') THEN regexp_replace(word, 'ies?$', 'y')
    WHEN suffix(word, 's') THEN left(word, -1)
    ELSE word
END;

-- The words of a text as the index holds them: Greek letters and signs of mathematics by name, a run of Chinese,
-- Japanese or Korean as its pairs of characters.
CREATE MACRO search_words(text) AS flatten([
    CASE
        WHEN length(run) = 1 THEN [coalesce(MAP {
            'α': 'alpha', 'β': 'beta', 'γ': 'gamma', 'δ': 'delta', 'ε': 'epsilon', 'ζ': 'zeta', 'η': 'eta',
            'θ': 'theta', 'ι': 'iota', 'κ': 'kappa', 'λ': 'lambda', 'μ': 'mu', 'ν': 'nu', 'ξ': 'xi', 'ο': 'omicron',
            'π': 'pi', 'ρ': 'rho', 'σ': 'sigma', 'τ': 'tau', 'υ': 'upsilon', 'φ': 'phi', 'χ': 'chi', 'ψ': 'psi',
            'ω': 'omega', 'ℓ': 'ell', '∞': 'infty', '∇': 'nabla', '∂': 'partial', '√': 'sqrt', '∑': 'sum',
            '∏': 'prod', '∫': 'int'
        }[run], run)]
        WHEN regexp_matches(run, '^[\x{3005}-\x{3007}\x{3041}-\x{30FF}\x{3400}-\x{9FFF}\x{AC00}-\x{D7AF}\x{F900}-\x{FAFF}\x{20000}-\x{3FFFF}]')
            THEN [run[place:place + 1] FOR place IN range(1, length(run))]
        ELSE [search_stem(run)]
    END
    FOR run IN regexp_extract_all(search_plain(text), '[∞∇∂√∑∏∫]|[^\x00-/:-@\[-`{-©«-±´¶-¸»¿×÷\x{2000}-\x{206F}\x{20A0}-\x{20CF}\x{2190}-\x{2BFF}\x{2E00}-\x{2E7F}\x{3000}-\x{3004}\x{3008}-\x{3020}\x{3030}\x{FE10}-\x{FE6F}\x{FF00}-\x{FF0F}\x{FF1A}-\x{FF20}\x{FF3B}-\x{FF40}\x{FF5B}-\x{FF65}\x{E000}-\x{F8FF}\x{1F000}-\x{1FAFF}]+')
]);

-- BM25 as in Robertson and Zaragoza (2009) with k1 = 1.2 and b = 0.75; a word of the title counts as three.
CREATE MACRO search(query, results := 10) AS TABLE
WITH found AS MATERIALIZED (
    SELECT
        terms.term,
        terms.term_id,
        ln(1 + (corpus.papers - terms.papers + 0.5) / (terms.papers + 0.5)) AS rarity
    FROM (SELECT DISTINCT unnest(search_words(query)) AS term) AS asked
    JOIN search_index.terms AS terms ON terms.term = asked.term
    CROSS JOIN search_index.corpus AS corpus
),
scored AS (
    SELECT
        postings.doc,
        sum(found.rarity * 2.2 * postings.frequency / (postings.frequency + indexed.damping))::FLOAT AS score
    FROM search_index.postings AS postings
    JOIN found ON found.term_id = postings.term_id
    JOIN search_index.papers AS indexed ON indexed.doc = postings.doc
    GROUP BY postings.doc
),
best AS MATERIALIZED (
    SELECT doc, score FROM scored ORDER BY score DESC, doc LIMIT results
),
-- A doc is a place in the table of papers, so that only these texts are read; the id makes sure.
answers AS MATERIALIZED (
    SELECT best.doc, best.score, papers.paper_id, papers.title, regexp_replace(papers.text, '\s+', ' ', 'g') AS text
    FROM best
    JOIN papers ON papers.rowid = best.doc
    JOIN search_index.papers AS indexed ON indexed.doc = best.doc AND indexed.paper_id = papers.paper_id
),
-- The texts in words, or in words and characters where a script sets no words apart.
split AS (
    SELECT
        doc,
        CASE WHEN regexp_matches(text, '[\x{3005}-\x{3007}\x{3041}-\x{30FF}\x{3400}-\x{9FFF}\x{AC00}-\x{D7AF}\x{F900}-\x{FAFF}\x{20000}-\x{3FFFF}]{3}') THEN regexp_extract_all(text, '[\x{3005}-\x{3007}\x{3041}-\x{30FF}\x{3400}-\x{9FFF}\x{AC00}-\x{D7AF}\x{F900}-\x{FAFF}\x{20000}-\x{3FFFF}]|[^ \x{3005}-\x{3007}\x{3041}-\x{30FF}\x{3400}-\x{9FFF}\x{AC00}-\x{D7AF}\x{F900}-\x{FAFF}\x{20000}-\x{3FFFF}]+ ?| ')
            ELSE [word || ' ' FOR word IN string_split(text, ' ')] END AS pieces
    FROM answers
),
placed AS (
    SELECT
        doc,
        generate_subscripts(pieces, 1) AS place,
        ltrim(lower(strip_accents(unnest(pieces))), '([{“‘"''$*\-–—') AS piece
    FROM split
),
-- Near enough for showing a text: a word that holds what was asked for, or a character of an asked pair.
weighed AS (
    SELECT placed.doc, placed.place, coalesce(max(found.rarity), 0) AS weight
    FROM placed
    LEFT JOIN found ON CASE
        WHEN placed.piece >= '⺀' THEN contains(found.term, placed.piece)
        WHEN length(found.term) > 3 THEN contains(placed.piece, rtrim(found.term, 'y'))
        ELSE starts_with(placed.piece, found.term)
    END
    GROUP BY placed.doc, placed.place
),
windows AS (
    SELECT
        doc,
        place,
        sum(weight) OVER (PARTITION BY doc ORDER BY place RANGE BETWEEN CURRENT ROW AND 34 FOLLOWING) AS weight
    FROM weighed
),
begun AS (
    SELECT doc, greatest(arg_max(place, (round(weight, 4), -place)) - 5, 1) AS start FROM windows GROUP BY doc
)
SELECT
    row_number() OVER (ORDER BY answers.score DESC, answers.doc) AS rank,
    round(answers.score::DOUBLE, 4) AS score,
    answers.paper_id,
    answers.title,
    CASE WHEN begun.start > 1 THEN '… ' ELSE '' END
        || trim(array_to_string(split.pieces[begun.start:begun.start + 39], ''))
        || CASE WHEN len(split.pieces) > begun.start + 39 THEN ' …' ELSE '' END AS snippet
FROM answers
JOIN split ON split.doc = answers.doc
LEFT JOIN begun ON begun.doc = answers.doc
ORDER BY rank
