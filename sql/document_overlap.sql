-- How much two documents have in common: a row per pair that shares a paper or belongs to one list.
-- (stored)
--
-- document_id_a VARCHAR: The document whose file name comes first.
-- document_id_b VARCHAR: The other document.
-- file_name_a VARCHAR: File name of the first document.
-- file_name_b VARCHAR: File name of the other document.
-- shared_papers BIGINT: Papers that stand in both.
-- jaccard DOUBLE: Shared papers over the papers of either, 0 to 1.
-- containment DOUBLE: Shared papers over the papers of the smaller document, 0 to 1.
WITH holdings AS (
    SELECT DISTINCT document_id, paper_id FROM occurrences
),
listed AS (
    SELECT documents.document_id, source, file_name, list_key, count(holdings.paper_id) AS papers
    FROM documents JOIN holdings ON holdings.document_id = documents.document_id
    GROUP BY ALL
),
shared AS (
    SELECT a.document_id AS one, b.document_id AS other, count(*) AS papers
    FROM holdings AS a JOIN holdings AS b ON a.paper_id = b.paper_id AND a.document_id < b.document_id
    GROUP BY ALL
),
pairs AS (
    SELECT one, other FROM shared
    UNION
    SELECT a.document_id, b.document_id
    FROM listed AS a JOIN listed AS b ON a.list_key = b.list_key AND a.document_id < b.document_id
),
-- Each pair once, the document whose file name comes first in front.
ordered AS (
    SELECT
        one,
        other,
        CASE WHEN (a.file_name, one) < (b.file_name, other) THEN one ELSE other END AS document_id_a,
        CASE WHEN (a.file_name, one) < (b.file_name, other) THEN other ELSE one END AS document_id_b
    FROM pairs
    JOIN listed AS a ON a.document_id = pairs.one
    JOIN listed AS b ON b.document_id = pairs.other
)
SELECT
    ordered.document_id_a,
    ordered.document_id_b,
    a.file_name AS file_name_a,
    b.file_name AS file_name_b,
    coalesce(shared.papers, 0) AS shared_papers,
    coalesce(shared.papers, 0) / (a.papers + b.papers - coalesce(shared.papers, 0)) AS jaccard,
    coalesce(shared.papers, 0) / least(a.papers, b.papers) AS containment
FROM ordered
JOIN listed AS a ON a.document_id = ordered.document_id_a
JOIN listed AS b ON b.document_id = ordered.document_id_b
LEFT JOIN shared ON shared.one = ordered.one AND shared.other = ordered.other
ORDER BY a.file_name, b.file_name, a.document_id, b.document_id
