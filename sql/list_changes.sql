-- What changed from one snapshot of a list to the next, paper by paper.
-- (stored)
--
-- list_key VARCHAR: The list.
-- previous_document_id VARCHAR: The snapshot before.
-- document_id VARCHAR: The snapshot.
-- order_known BOOLEAN: Whether both snapshots state their times; if not, the file names gave the order.
-- paper_id VARCHAR: The paper.
-- change VARCHAR: added, dropped, revised (its text differs in letters or digits), moved (others kept their order, this one did not) or kept.
-- previous_position BIGINT: Its first position in the snapshot before; null when added.
-- position BIGINT: Its first position in the snapshot; null when dropped.
WITH snapshots AS (
    SELECT
        list_key,
        document_id,
        lag(document_id) OVER snapshot_order AS previous_document_id,
        coalesce(lag(snapshot_at) OVER snapshot_order < snapshot_at, false) AS order_known
    FROM documents
    WHERE occurrences > 0
    WINDOW snapshot_order AS (PARTITION BY list_key ORDER BY snapshot_at NULLS FIRST, file_name, document_id)
),
places AS (
    SELECT document_id, paper_id, min(position) AS position
    FROM occurrences
    GROUP BY document_id, paper_id
),
before AS (
    SELECT snapshots.document_id, places.paper_id, places.position
    FROM snapshots JOIN places ON places.document_id = snapshots.previous_document_id
),
now AS (
    SELECT snapshots.document_id, places.paper_id, places.position
    FROM snapshots JOIN places ON places.document_id = snapshots.document_id
    WHERE snapshots.previous_document_id IS NOT NULL
),
compared AS (
    SELECT
        coalesce(now.document_id, before.document_id) AS document_id,
        coalesce(now.paper_id, before.paper_id) AS paper_id,
        before.position AS previous_position,
        now.position AS position
    FROM before FULL JOIN now ON now.document_id = before.document_id AND now.paper_id = before.paper_id
)
SELECT
    snapshots.list_key,
    snapshots.previous_document_id,
    snapshots.document_id,
    snapshots.order_known,
    compared.paper_id,
    CASE
        WHEN compared.previous_position IS NULL THEN 'added'
        WHEN compared.position IS NULL THEN 'dropped'
        ELSE coalesce(list_edits.change, 'kept')
    END AS change,
    compared.previous_position,
    compared.position
FROM compared
JOIN snapshots ON snapshots.document_id = compared.document_id
LEFT JOIN list_edits ON list_edits.document_id = compared.document_id AND list_edits.paper_id = compared.paper_id
ORDER BY snapshots.list_key, snapshots.document_id, compared.position NULLS LAST, compared.previous_position
