-- How well each document was read, worst first.
-- (stored)
--
-- document_id VARCHAR: The document.
-- file_name VARCHAR: Its file name.
-- format VARCHAR: Format that was found; null when it was not read.
-- encoding VARCHAR: Encoding that was found; null when it was not decoded.
-- occurrences BIGINT: Papers that stand in it.
-- without_text BIGINT: Of these, how many have no abstract.
-- unsure BIGINT: Of these, how many the reader was not sure of (occurrences.detail says why).
-- folded BIGINT: Of these, how many were folded into a paper that another occurrence began.
-- rejects BIGINT: Stretches of text that were rejected.
-- rejected_share DOUBLE: Share of its non-blank characters in rejects outside any occurrence, 0 to 1; null when empty.
-- median_words DOUBLE: Median length of its abstracts in words; null without abstracts.
WITH read AS (
    SELECT
        document_id,
        count(*) FILTER (text IS NULL) AS without_text,
        count(detail) AS unsure,
        count(*) FILTER (match_kind <> 'first') AS folded,
        median(words) FILTER (text IS NOT NULL) AS median_words
    FROM occurrences
    GROUP BY document_id
),
rejected AS (
    SELECT document_id, sum(chars_nonblank) AS chars_nonblank
    FROM rejects
    WHERE occurrence_id IS NULL
    GROUP BY document_id
)
SELECT
    documents.document_id,
    documents.file_name,
    documents.format,
    documents.encoding,
    documents.occurrences,
    coalesce(read.without_text, 0) AS without_text,
    coalesce(read.unsure, 0) AS unsure,
    coalesce(read.folded, 0) AS folded,
    documents.rejects,
    (coalesce(rejected.chars_nonblank, 0) / nullif(documents.chars_nonblank, 0))::DOUBLE AS rejected_share,
    read.median_words
FROM documents
LEFT JOIN read ON read.document_id = documents.document_id
LEFT JOIN rejected ON rejected.document_id = documents.document_id
ORDER BY rejected_share DESC NULLS FIRST, documents.file_name, documents.document_id
