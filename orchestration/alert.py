"""Alerts: what a person is told of a run that failed or has failed checks, and that each run is told of once.

The log is told always, a webhook when the settings name one. An alert never fails a run: whatever goes wrong on its
way is logged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from orchestration.scrub import scrub
from orchestration.settings import AlertSettings
from orchestration.webhook import Patience, deliver

if TYPE_CHECKING:
    import dagster as dg

ALERTED_TAG = "paperfold/alerted"
"""On a run that a person was told of."""

_TEXT_CHARS = 3000
_REASON_CHARS = 900
_CHECK_CHARS = 300
_CHECKS_SHOWN = 10


@dataclass(frozen=True)
class Alert:
    """What happened in one run.

    Attributes:
        run_id: The run.
        data: The data folder.
        reason: Why the run failed, in words; None when it succeeded.
        release_id: The release that readers get from it, if there is one.
        failed_checks: Each failed check: its name, severity, what it says and what it found.
    """

    run_id: str
    data: str
    reason: str | None = None
    release_id: str | None = None
    failed_checks: Iterable[Mapping[str, str]] = field(default=())

    @property
    def checks(self) -> list[Mapping[str, str]]:
        """The failed checks, each once, those that block first."""
        once = {row["check"]: row for row in self.failed_checks}
        return sorted(once.values(), key=lambda row: (row["severity"] != "ERROR", row["check"]))

    @property
    def is_due(self) -> bool:
        """Whether there is anything to tell."""
        return self.reason is not None or bool(self.checks)


def tell(alert: Alert, settings: AlertSettings, log: Callable[[str], Any], patience: Patience | None = None) -> None:
    """Tell the log, and the webhook if there is one; a delivery that fails is logged too."""
    if not alert.is_due:
        return
    log(render(alert, settings))
    if settings.webhook is None:
        return
    url = settings.webhook.get_secret_value()
    try:
        problem = deliver(url, payload(alert, settings), patience or Patience())
    except Exception as error:  # noqa: BLE001 - a refresh must not fail because its alert does
        problem = type(error).__name__
    if problem:
        log(scrub(f"The alert of run {alert.run_id[:8]} was not delivered to the webhook: {problem}.", [url]))


def tell_once(
    instance: dg.DagsterInstance,
    alert: Alert,
    settings: AlertSettings,
    log: Callable[[str], Any],
) -> None:
    """Tell of a run unless that was done before, and note on the run that it is done."""
    if not alert.is_due:
        return
    try:
        run = instance.get_run_by_id(alert.run_id)
        if run is None or ALERTED_TAG not in run.tags:
            tell(alert, settings, log)
            if run is not None:
                instance.add_run_tags(alert.run_id, {ALERTED_TAG: "yes"})
    except Exception as error:  # noqa: BLE001 - the records may be gone; the refresh is not to blame
        log(scrub(f"The alert of run {alert.run_id[:8]} could not be noted: {type(error).__name__}."))


def render(alert: Alert, settings: AlertSettings) -> str:
    """Return an alert as text of at most 3,000 characters, without secrets."""
    checks = alert.checks
    many = f"{len(checks)} check{'' if len(checks) == 1 else 's'} did not pass"
    lines = [f"Paperfold: {'a run failed' if alert.reason is not None else many}."]
    if alert.reason is not None:
        lines.append(_told(alert.reason, settings, _REASON_CHARS))
    elif alert.release_id:
        lines.append(f"Readers have release {alert.release_id}.")
    for row in checks[:_CHECKS_SHOWN]:
        found = f" ({row['found']})" if row.get("found") else ""
        lines.append(_told(f"{row['severity']} {row['check']}: {row['says']}{found}", settings, _CHECK_CHARS))
    if len(checks) > _CHECKS_SHOWN:
        lines.append(f"and {len(checks) - _CHECKS_SHOWN} more checks")
    lines.append(_told(f"Data folder {alert.data}, run {alert.run_id}", settings, _CHECK_CHARS))
    tail = f"\n{run_link(alert, settings)}" if settings.ui_url else ""
    return _cut("\n".join(lines), _TEXT_CHARS - len(tail)) + tail


def payload(alert: Alert, settings: AlertSettings) -> dict[str, Any]:
    """Return what is posted to the webhook."""
    text = render(alert, settings)
    if settings.kind == "slack":
        # These three are Slack's own markup; text of a list must not become a link or a call of a group.
        return {"text": text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")}
    return {
        "text": text,
        "outcome": "succeeded" if alert.reason is None else "failed",
        "run_id": alert.run_id,
        "run_url": run_link(alert, settings),
        "release_id": alert.release_id,
        "failed_checks": [
            {name: _told(str(value), settings, _CHECK_CHARS) for name, value in row.items()}
            for row in alert.checks[:_CHECKS_SHOWN]
        ],
    }


def run_link(alert: Alert, settings: AlertSettings) -> str | None:
    """Return the address of the run in the UI, if the settings name the UI's."""
    return f"{settings.ui_url}/runs/{alert.run_id}" if settings.ui_url else None


def _told(text: str, settings: AlertSettings, length: int) -> str:
    """Return a text without secrets, then cut: half a secret would not be known as one."""
    secrets = [settings.webhook.get_secret_value()] if settings.webhook else []
    return _cut(scrub(text, secrets), length)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"
