-- Short forms that papers define, with what they stand for: plural and case variants together, most frequent first.
--
-- acronym VARCHAR: The short form in the singular, in its most frequent spelling.
-- expansion VARCHAR: What it stands for, in its most frequent spelling.
-- papers BIGINT: Papers that define it so.
-- introduced BIGINT: Of these, how many introduce it as a name of their own.
-- meanings BIGINT: How many different expansions the short form has in all papers.
-- spellings VARCHAR[]: All spellings of the short form, sorted.
WITH defined AS (
    SELECT
        facts.paper_id,
        facts.value,
        regexp_replace(facts.value, '([A-Z0-9])(?:[''’]s|s)$', '\1') AS acronym,
        facts.expansion,
        lower(regexp_replace(facts.value, '([A-Z0-9])(?:[''’]s|s)$', '\1')) AS acronym_key,
        regexp_replace(
            regexp_replace(lower(facts.expansion), '[^\p{L}\p{N}]+', ' ', 'g'), '([^s])s( |$)', '\1\2', 'g'
        ) AS expansion_key,
        own.paper_id IS NOT NULL AS introduced
    FROM facts
    LEFT JOIN facts AS own
        ON own.paper_id = facts.paper_id AND own.char_start = facts.char_start AND own.kind = 'introduced'
    WHERE facts.kind = 'acronym'
),
spelled AS (
    SELECT acronym_key, expansion_key, acronym, expansion, count(*) AS papers
    FROM defined
    GROUP BY acronym_key, expansion_key, acronym, expansion
),
shown AS (
    SELECT
        acronym_key,
        expansion_key,
        first(acronym ORDER BY papers DESC, acronym) AS acronym,
        first(expansion ORDER BY papers DESC, expansion) AS expansion
    FROM spelled
    GROUP BY acronym_key, expansion_key
),
counted AS (
    SELECT
        acronym_key,
        expansion_key,
        count(DISTINCT paper_id) AS papers,
        count(DISTINCT paper_id) FILTER (introduced) AS introduced,
        list_sort(list(DISTINCT value)) AS spellings
    FROM defined
    GROUP BY acronym_key, expansion_key
)
SELECT
    shown.acronym,
    shown.expansion,
    counted.papers,
    counted.introduced,
    count(*) OVER (PARTITION BY counted.acronym_key) AS meanings,
    counted.spellings
FROM counted
JOIN shown ON shown.acronym_key = counted.acronym_key AND shown.expansion_key = counted.expansion_key
ORDER BY counted.papers DESC, shown.acronym, shown.expansion
