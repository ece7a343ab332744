-- The distinct texts of each paper, in the order in which they appeared.
-- (stored)
--
-- paper_id VARCHAR: The paper.
-- version BIGINT: Number of the version, from 1.
-- occurrence_id VARCHAR: The occurrence that had this text first; its text is that of the version.
-- first_snapshot_at TIMESTAMP: Time of the earliest snapshot with this text in UTC; null where none is known.
-- last_snapshot_at TIMESTAMP: Time of the latest snapshot with this text in UTC; null where none is known.
-- occurrences BIGINT: Copies that have this text, print and markup aside.
-- documents BIGINT: Documents that they stand in.
-- kind VARCHAR: How the text came to the paper: first (it is the paper's own text), revised, truncated, same_id, same_title or decision.
-- similarity DOUBLE: Similarity to the text that it was matched with, 0 to 1; null for the paper's own text.
-- words BIGINT: Its words.
SELECT
    occurrences.paper_id,
    occurrences.version,
    arg_min(
        occurrences.occurrence_id,
        (
            coalesce(documents.snapshot_at, TIMESTAMP '9999-12-31'),
            documents.file_name,
            documents.source,
            documents.document_id,
            occurrences.position
        )
    ) AS occurrence_id,
    min(documents.snapshot_at) AS first_snapshot_at,
    max(documents.snapshot_at) AS last_snapshot_at,
    count(*) AS occurrences,
    count(DISTINCT occurrences.document_id) AS documents,
    coalesce(
        min(occurrences.match_kind) FILTER (occurrences.match_kind = 'first'),
        min(occurrences.match_kind) FILTER (occurrences.match_kind NOT IN ('exact', 'markup'))
    ) AS kind,
    CASE
        WHEN bool_or(occurrences.match_kind = 'first') THEN NULL
        ELSE min(occurrences.similarity) FILTER (occurrences.match_kind NOT IN ('exact', 'markup'))
    END AS similarity,
    max(occurrences.words) AS words
FROM occurrences JOIN documents ON documents.document_id = occurrences.document_id
WHERE occurrences.version IS NOT NULL
GROUP BY occurrences.paper_id, occurrences.version
ORDER BY occurrences.paper_id, occurrences.version
