"""Errors that are meant for a person: what was found, what was expected, what to do."""

from __future__ import annotations


class PaperfoldError(Exception):
    """Something that the user can mend; its text is shown as it is, without a traceback."""


class SettingsError(PaperfoldError):
    """A setting is wrong; the message names its key."""


class NothingReadError(PaperfoldError):
    """No occurrence could be read; the message names each file with its reason."""


class StaleWorkError(PaperfoldError):
    """The layers under work/ were made from different inputs, so they can't be published together."""


class AuditError(PaperfoldError):
    """A staged release broke a rule and was not published."""


class FolderBusyError(PaperfoldError):
    """Another process writes this data folder; the message names it."""
