-- Numeric claims of papers, each with the sentence that it stands in.
--
-- paper_id VARCHAR: The paper.
-- title VARCHAR: Its title.
-- claim VARCHAR: The figure with its unit and what it counts, as it stands in the text.
-- kind VARCHAR: result (an outcome) or scale (size of the study, the data or the model).
-- context VARCHAR: The sentence.
-- char_start BIGINT: First character of the claim in papers.text.
-- char_end BIGINT: One past its last character.
SELECT
    facts.paper_id,
    papers.title,
    facts.value AS claim,
    facts.detail AS kind,
    regexp_extract(
        substr(papers.text, 1, facts.char_start), '(?s)^(?:.*[.!?]["”’)\]]*\s+)?((?:[^a-z\s].*)?)$', 1
    )
    || facts.value
    || coalesce(
        nullif(
            regexp_extract(
                substr(papers.text, facts.char_end + 1), '(?s)^(.*?[.!?]["”’)\]]*)(?:\s+[^a-z\s]|\s*$)', 1
            ),
            ''
        ),
        substr(papers.text, facts.char_end + 1)
    ) AS context,
    facts.char_start,
    facts.char_end
FROM facts
JOIN papers ON papers.paper_id = facts.paper_id
WHERE facts.kind = 'claim'
ORDER BY facts.paper_id, facts.char_start
