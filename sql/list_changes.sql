-- What changed from one snapshot of a list to the next, paper by paper.
--
-- list_key VARCHAR: The list.
-- previous_document_id VARCHAR: The snapshot before.
-- document_id VARCHAR: The snapshot.
-- order_known BOOLEAN: Whether both snapshots state their times; if not, the file names gave the order.
-- paper_id VARCHAR: The paper.
-- change VARCHAR: added, dropped, revised (its text differs), moved (its place among the papers that stand in both differs) or kept.
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
    SELECT document_id, paper_id, min(position) AS position, arg_min(occurrence_id, position) AS occurrence_id
    FROM occurrences
    GROUP BY document_id, paper_id
),
before AS (
    SELECT snapshots.document_id, places.paper_id, places.position, places.occurrence_id
    FROM snapshots JOIN places ON places.document_id = snapshots.previous_document_id
),
now AS (
    SELECT snapshots.document_id, places.paper_id, places.position, places.occurrence_id
    FROM snapshots JOIN places ON places.document_id = snapshots.document_id
    WHERE snapshots.previous_document_id IS NOT NULL
),
compared AS (
    SELECT
        coalesce(now.document_id, before.document_id) AS document_id,
        coalesce(now.paper_id, before.paper_id) AS paper_id,
        before.position AS previous_position,
        now.position AS position,
        before.position IS NOT NULL AND now.position IS NOT NULL AS in_both,
        before.occurrence_id AS previous_occurrence_id,
        now.occurrence_id AS occurrence_id
    FROM before FULL JOIN now ON now.document_id = before.document_id AND now.paper_id = before.paper_id
),
-- Texts are compared by their letters and digits, and only where the paper stands in both.
revised AS (
    SELECT compared.document_id, compared.paper_id
    FROM compared
    JOIN occurrences AS old ON old.occurrence_id = compared.previous_occurrence_id
    JOIN occurrences AS new ON new.occurrence_id = compared.occurrence_id
    WHERE compared.in_both
        AND old.text IS DISTINCT FROM new.text
        AND regexp_replace(lower(old.text), '[^\p{L}\p{N}]+', '', 'g')
            IS DISTINCT FROM regexp_replace(lower(new.text), '[^\p{L}\p{N}]+', '', 'g')
),
ranked AS (
    SELECT
        compared.*,
        revised.paper_id IS NOT NULL AS differs,
        row_number() OVER (PARTITION BY compared.document_id, in_both ORDER BY previous_position) AS previous_rank,
        row_number() OVER (PARTITION BY compared.document_id, in_both ORDER BY position) AS current_rank
    FROM compared
    LEFT JOIN revised ON revised.document_id = compared.document_id AND revised.paper_id = compared.paper_id
)
SELECT
    snapshots.list_key,
    snapshots.previous_document_id,
    snapshots.document_id,
    snapshots.order_known,
    ranked.paper_id,
    CASE
        WHEN ranked.previous_position IS NULL THEN 'added'
        WHEN ranked.position IS NULL THEN 'dropped'
        WHEN ranked.differs THEN 'revised'
        WHEN ranked.previous_rank <> ranked.current_rank THEN 'moved'
        ELSE 'kept'
    END AS change,
    ranked.previous_position,
    ranked.position
FROM ranked JOIN snapshots ON snapshots.document_id = ranked.document_id
ORDER BY snapshots.list_key, snapshots.document_id, ranked.position NULLS LAST, ranked.previous_position
