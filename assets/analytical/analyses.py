"""All analyses, in the order in which they run. A new one is a line here and its tables in the contract."""

from __future__ import annotations

from assets.analytical.analysis import Analysis
from assets.analytical.search.index import write_index
from assets.analytical.terms.distinctive import CHECKS as DISTINCTIVE_CHECKS
from assets.analytical.terms.distinctive import make_terms
from assets.contract.arrow import empty
from assets.contract.check import Check
from assets.contract.schema import schema_checks

ANALYSES = (
    Analysis(("facts",), lambda _: {"facts": empty("facts")}),
    Analysis((), write_index),
    Analysis(("terms",), make_terms, DISTINCTIVE_CHECKS),
)
TABLES = tuple(table for analysis in ANALYSES for table in analysis.tables)


def checks() -> list[Check]:
    """Return the checks of the analytical layer."""
    return [*schema_checks(TABLES), *(check for analysis in ANALYSES for check in analysis.checks)]
