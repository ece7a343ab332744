-- How many papers of each list and year have a topic as their main one.
--
-- list_key VARCHAR: The list.
-- year BIGINT: Year of the list's documents; null where none is known.
-- topic_id VARCHAR: The topic.
-- name VARCHAR: Its name.
-- papers BIGINT: Papers of the list and year whose main topic it is.
-- share DOUBLE: Of the list's papers of that year that have a topic, 0 to 1.
WITH listed AS (
    SELECT DISTINCT documents.list_key, documents.year, occurrences.paper_id
    FROM occurrences JOIN documents ON documents.document_id = occurrences.document_id
),
counted AS (
    SELECT listed.list_key, listed.year, topic_papers.topic_id, count(*) AS papers
    FROM listed JOIN topic_papers ON topic_papers.paper_id = listed.paper_id AND topic_papers.rank = 1
    GROUP BY listed.list_key, listed.year, topic_papers.topic_id
)
SELECT
    counted.list_key,
    counted.year,
    counted.topic_id,
    topics.name,
    counted.papers,
    counted.papers / sum(counted.papers) OVER (PARTITION BY counted.list_key, counted.year) AS share
FROM counted JOIN topics ON topics.topic_id = counted.topic_id
ORDER BY counted.list_key, counted.year NULLS LAST, counted.papers DESC, counted.topic_id
