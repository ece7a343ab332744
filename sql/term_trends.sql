-- Which terms grow and which fall from one year of a venue to the next that it has.
--
-- venue VARCHAR: The venue.
-- term VARCHAR: The word or phrase, one that sets the venue apart in some year.
-- previous_year BIGINT: The year before, of those that the release has.
-- year BIGINT: The year.
-- previous_papers BIGINT: Papers that held it the year before.
-- papers BIGINT: Papers that hold it.
-- previous_share DOUBLE: Share of the venue's papers that held it the year before, 0 to 1.
-- share DOUBLE: Share of the venue's papers that hold it, 0 to 1.
-- change DOUBLE: The share less that of the year before.
-- trend VARCHAR: new (not there before), gone, grown (by half or more), fallen (by a third or more) or level.
WITH yearly AS (
    SELECT venue, year, term, sum(papers) AS papers
    FROM terms
    WHERE venue IS NOT NULL AND year IS NOT NULL
    GROUP BY venue, year, term
),
sizes AS (
    SELECT
        documents.venue,
        documents.year,
        count(DISTINCT (documents.list_key, occurrences.paper_id)) AS papers
    FROM documents JOIN occurrences ON occurrences.document_id = documents.document_id
    WHERE documents.venue IS NOT NULL AND documents.year IS NOT NULL
    GROUP BY documents.venue, documents.year
),
steps AS (
    SELECT venue, lag(year) OVER years AS previous_year, year, lag(papers) OVER years AS previous_size, papers AS size
    FROM sizes
    WINDOW years AS (PARTITION BY venue ORDER BY year)
    QUALIFY previous_year IS NOT NULL
),
known AS (
    SELECT DISTINCT venue, term FROM yearly
),
compared AS (
    SELECT
        steps.venue,
        known.term,
        steps.previous_year,
        steps.year,
        coalesce(before.papers, 0)::BIGINT AS previous_papers,
        coalesce(now.papers, 0)::BIGINT AS papers,
        coalesce(before.papers, 0) / steps.previous_size AS previous_share,
        coalesce(now.papers, 0) / steps.size AS share
    FROM steps
    JOIN known ON known.venue = steps.venue
    LEFT JOIN yearly AS before
        ON before.venue = steps.venue AND before.year = steps.previous_year AND before.term = known.term
    LEFT JOIN yearly AS now ON now.venue = steps.venue AND now.year = steps.year AND now.term = known.term
    WHERE before.papers IS NOT NULL OR now.papers IS NOT NULL
)
SELECT
    *,
    share - previous_share AS change,
    CASE
        WHEN previous_papers = 0 THEN 'new'
        WHEN papers = 0 THEN 'gone'
        WHEN share >= 1.5 * previous_share THEN 'grown'
        WHEN 1.5 * share <= previous_share THEN 'fallen'
        ELSE 'level'
    END AS trend
FROM compared
ORDER BY venue, year, abs(share - previous_share) DESC, term
