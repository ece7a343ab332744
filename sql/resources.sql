-- Data sets and models that papers name, most used first.
--
-- name VARCHAR: The name, in its most frequent spelling.
-- kind VARCHAR: dataset (data sets and benchmarks) or model (models, baselines, libraries, training algorithms).
-- papers BIGINT: Papers that name it, those that introduce it left out.
-- introduced_in VARCHAR[]: Papers that introduce something of this name, sorted.
-- venues VARCHAR[]: Venues of the papers that name it, sorted.
-- years BIGINT[]: Years of the papers that name it, sorted.
-- spellings VARCHAR[]: All spellings, sorted; spellings that differ in case or by a plural count as one name.
WITH named AS (
    SELECT facts.kind, facts.paper_id, facts.value, lower(regexp_replace(facts.value, '([A-Z0-9a-z])s$', '\1')) AS key
    FROM facts
    WHERE facts.kind IN ('dataset', 'model')
),
spelled AS (
    SELECT kind, key, value, count(*) AS papers
    FROM named
    GROUP BY kind, key, value
),
shown AS (
    SELECT kind, key, first(value ORDER BY papers DESC, value) AS name, list_sort(list(value)) AS spellings
    FROM spelled
    GROUP BY kind, key
),
counted AS (
    SELECT
        named.kind,
        named.key,
        count(DISTINCT named.paper_id) AS papers,
        list_sort(list_distinct(flatten(list(papers.venues)))) AS venues,
        list_sort(list_distinct(flatten(list(papers.years)))) AS years
    FROM named
    JOIN papers ON papers.paper_id = named.paper_id
    GROUP BY named.kind, named.key
),
introduced AS (
    SELECT lower(regexp_replace(value, '([A-Z0-9a-z])s$', '\1')) AS key, list_sort(list(DISTINCT paper_id)) AS papers
    FROM facts
    WHERE kind = 'introduced'
    GROUP BY ALL
)
SELECT
    shown.name,
    shown.kind,
    counted.papers,
    coalesce(introduced.papers, []) AS introduced_in,
    counted.venues,
    counted.years,
    shown.spellings
FROM counted
JOIN shown ON shown.kind = counted.kind AND shown.key = counted.key
LEFT JOIN introduced ON introduced.key = counted.key
ORDER BY counted.papers DESC, shown.name, shown.kind
