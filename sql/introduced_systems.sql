-- Names that papers introduce: systems, methods, models, data sets, a row for each name and paper.
--
-- name VARCHAR: The name as the paper spells it, in the singular.
-- expansion VARCHAR: What it stands for, as the paper says it; null where it does not.
-- paper_id VARCHAR: The paper that introduces it.
-- title VARCHAR: The paper's title.
-- sign VARCHAR: What tells that the paper introduces it: verb (we propose NAME), defined (we propose Long Form (NAME)) or use (our NAME).
-- venues VARCHAR[]: Venues that the paper stands in.
-- years BIGINT[]: Years that the paper stands in.
-- other_papers BIGINT: Other papers that introduce something of the same name, whatever its case.
WITH names AS (
    SELECT
        paper_id,
        regexp_replace(value, '([A-Z0-9])(?:[''’]s|s)$', '\1') AS name,
        expansion,
        detail,
        char_start
    FROM facts
    WHERE kind = 'introduced'
)
SELECT
    names.name,
    names.expansion,
    names.paper_id,
    papers.title,
    names.detail AS sign,
    papers.venues,
    papers.years,
    count(*) OVER (PARTITION BY lower(names.name)) - 1 AS other_papers
FROM names
JOIN papers ON papers.paper_id = names.paper_id
ORDER BY lower(names.name), names.paper_id, names.char_start
