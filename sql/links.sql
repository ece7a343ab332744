-- Addresses in the texts of papers, and what each leads to.
--
-- paper_id VARCHAR: The paper.
-- title VARCHAR: Its title.
-- url VARCHAR: The address as it stands in the text.
-- host VARCHAR: Its host, in lower case, without www.
-- use VARCHAR: What it leads to, by its host and the words before it: code, data, paper or page (anything else).
-- char_start BIGINT: First character in papers.text.
SELECT
    facts.paper_id,
    papers.title,
    facts.value AS url,
    lower(regexp_extract(facts.value, '^(?:[A-Za-z]+://)?(?:www\.)?([^/:?#]+)', 1)) AS host,
    facts.detail AS use,
    facts.char_start
FROM facts
JOIN papers ON papers.paper_id = facts.paper_id
WHERE facts.kind IN ('url', 'code_url')
ORDER BY host, url, facts.paper_id, facts.char_start
