-- The whole release in one row.
--
-- documents BIGINT: Documents of the release, unreadable ones included.
-- lists BIGINT: Distinct lists that the documents are snapshots of.
-- occurrences BIGINT: Papers as they stand in the documents, copies included.
-- papers BIGINT: Distinct papers.
-- folded BIGINT: Occurrences that were folded into a paper which another occurrence began.
-- conflicts BIGINT: Pairs that look alike and were kept apart.
-- rejects BIGINT: Stretches of text that became no occurrence, or no abstract.
-- fold_rate DOUBLE: Share of the occurrences that were folded, 0 to 1; null without occurrences.
-- first_snapshot_at TIMESTAMP: Time of the earliest snapshot in UTC, where one is known.
-- last_snapshot_at TIMESTAMP: Time of the latest snapshot in UTC, where one is known.
SELECT
    (SELECT count(*) FROM documents) AS documents,
    (SELECT count(DISTINCT list_key) FROM documents) AS lists,
    (SELECT count(*) FROM occurrences) AS occurrences,
    (SELECT count(*) FROM papers) AS papers,
    (SELECT count(*) FROM folds) AS folded,
    (SELECT count(*) FROM conflicts) AS conflicts,
    (SELECT count(*) FROM rejects) AS rejects,
    (SELECT count(*) FROM folds) / nullif((SELECT count(*) FROM occurrences), 0) AS fold_rate,
    (SELECT min(snapshot_at) FROM documents) AS first_snapshot_at,
    (SELECT max(snapshot_at) FROM documents) AS last_snapshot_at
