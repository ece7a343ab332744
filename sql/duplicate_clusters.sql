-- Papers that were seen more than once, with where and how each copy was matched.
-- (stored)
--
-- paper_id VARCHAR: The paper.
-- occurrence_count BIGINT: Its occurrences.
-- document_count BIGINT: Documents that it stands in.
-- match_kinds VARCHAR[]: Kinds of match by which its copies were folded, sorted.
-- min_similarity DOUBLE: Lowest similarity of any two members' texts, 0 to 1.
-- occurrences STRUCT(occurrence_id VARCHAR, document_id VARCHAR, file_name VARCHAR, "position" BIGINT, match_kind VARCHAR, similarity DOUBLE)[]: The copies, in the order of file name and position.
SELECT
    papers.paper_id,
    papers.occurrence_count,
    papers.document_count,
    list_sort(list(DISTINCT occurrences.match_kind) FILTER (occurrences.match_kind <> 'first')) AS match_kinds,
    papers.min_similarity,
    list({
        'occurrence_id': occurrences.occurrence_id,
        'document_id': occurrences.document_id,
        'file_name': documents.file_name,
        'position': occurrences.position,
        'match_kind': occurrences.match_kind,
        'similarity': occurrences.similarity
    } ORDER BY documents.file_name, occurrences.position, occurrences.occurrence_id) AS occurrences
FROM papers
JOIN occurrences ON occurrences.paper_id = papers.paper_id
JOIN documents ON documents.document_id = occurrences.document_id
WHERE papers.occurrence_count > 1
GROUP BY papers.paper_id, papers.occurrence_count, papers.document_count, papers.min_similarity
ORDER BY papers.occurrence_count DESC, papers.paper_id
