-- Why text was rejected: a row per reason that occurs.
--
-- reason VARCHAR: The reason.
-- rejects BIGINT: Rejects with this reason.
-- documents BIGINT: Documents that have such rejects.
-- chars_nonblank BIGINT: Characters in them that are not white space.
-- example_file VARCHAR: File of the first of them.
-- example_text VARCHAR: Beginning of its text, at most 200 characters; null when nothing was decoded.
-- example_detail VARCHAR: What was found there.
SELECT
    rejects.reason,
    count(*) AS rejects,
    count(DISTINCT rejects.document_id) AS documents,
    sum(rejects.chars_nonblank)::BIGINT AS chars_nonblank,
    arg_min(documents.file_name, (documents.file_name, rejects.document_id, rejects.char_start)) AS example_file,
    left(arg_min_null(rejects.raw_text, (documents.file_name, rejects.document_id, rejects.char_start)), 200) AS example_text,
    arg_min_null(rejects.detail, (documents.file_name, rejects.document_id, rejects.char_start)) AS example_detail
FROM rejects JOIN documents ON documents.document_id = rejects.document_id
GROUP BY rejects.reason
ORDER BY count(*) DESC, rejects.reason
