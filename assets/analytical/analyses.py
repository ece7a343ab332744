"""All analyses, in the order in which they run. A new one is a line here and its tables in the contract."""

from __future__ import annotations

from assets.analytical.analysis import Analysis
from assets.analytical.changes.analysis import ANALYSIS as CHANGES
from assets.analytical.changes.list_edits import ANALYSIS as LIST_EDITS
from assets.analytical.facts.checks import CHECKS as FACTS_CHECKS
from assets.analytical.facts.reading import FACTS_VERSION
from assets.analytical.facts.table import analyse_facts
from assets.analytical.search.index import write_index
from assets.analytical.similar.checks import CHECKS as SIMILAR_CHECKS
from assets.analytical.subjects import TABLES as SUBJECT_TABLES
from assets.analytical.subjects import analyse_subjects
from assets.analytical.terms.distinctive import CHECKS as DISTINCTIVE_CHECKS
from assets.analytical.terms.distinctive import make_terms
from assets.analytical.topics.checks import CHECKS as TOPIC_CHECKS
from assets.contract.check import Check
from assets.contract.schema import schema_checks

ANALYSES = (
    Analysis("facts", FACTS_VERSION, ("facts",), analyse_facts, FACTS_CHECKS),
    Analysis("search", "1", (), write_index),
    Analysis("terms", "1", ("terms",), make_terms, DISTINCTIVE_CHECKS),
    Analysis("subjects", "1", SUBJECT_TABLES, analyse_subjects, (*SIMILAR_CHECKS, *TOPIC_CHECKS)),
    LIST_EDITS,
    CHANGES,
)
TABLES = tuple(table for analysis in ANALYSES for table in analysis.tables)

VERSIONS = {analysis.name: analysis.version for analysis in ANALYSES}


def checks() -> list[Check]:
    """Return the checks of the analytical layer."""
    return [*schema_checks(TABLES), *(check for analysis in ANALYSES for check in analysis.checks)]
