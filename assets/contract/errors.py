"""Errors that are meant for a person: what was found, what was expected, what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assets.contract.check import Check, Verdict


class PaperfoldError(Exception):
    """Something that the user can mend; its text is shown as it is, without a traceback."""


class SettingsError(PaperfoldError):
    """A setting is wrong; the message names its key."""


class NothingReadError(PaperfoldError):
    """No occurrence could be read; the message names each file with its reason."""


class StaleWorkError(PaperfoldError):
    """The layers under work/ were made from different inputs, so they can't be published together."""


class AuditError(PaperfoldError):
    """A staged release broke a rule and was not published; `judged` holds each check with its verdict."""

    def __init__(self, message: str, judged: Sequence[tuple[Check, Verdict]]) -> None:
        super().__init__(message)
        self.judged = judged


class FolderBusyError(PaperfoldError):
    """Another process writes this data folder; the message names it."""
