"""The Dagster instance of a data folder: its own DAGSTER_HOME inside it, telemetry off, one run at a time.

Runs, events and schedules are kept in SQLite files there, or in a PostgreSQL database when the settings name one. Its
address is never written to disk: dagster.yaml names the variable that holds it, and every process that is started
from here has that variable.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import SecretStr

from assets.contract.disk import write_text_atomically
from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from orchestration.scrub import scrub

if TYPE_CHECKING:
    import dagster as dg

STORAGE_VARIABLE = "PAPERFOLD_DAGSTER__STORAGE"
CONFIG = "dagster.yaml"

_HEAD = "# Written by Paperfold, and kept up to date by it until you edit it. "
_BODY = """\
telemetry:
  enabled: false
nux:
  enabled: false
concurrency:
  runs:
    max_concurrent_runs: 1
# A run that never starts is recorded as failed, so that the next one gets its turn.
run_monitoring:
  enabled: true
  start_timeout_seconds: 300
# The steps print nothing, and capturing what they print starts two processes a step.
compute_logs:
  module: dagster._core.storage.noop_compute_log_manager
  class: NoOpComputeLogManager
"""
_POSTGRES = f"""\
storage:
  postgres:
    postgres_url:
      env: {STORAGE_VARIABLE}
"""


def dagster_home(folder: DataFolder, storage: SecretStr | None = None) -> Path:
    """Return the data folder's DAGSTER_HOME as an absolute path, made and configured.

    Raises:
        PaperfoldError: when dagster.yaml was edited and does not use the storage that the settings name.
    """
    home = folder.dagster_home.absolute()
    home.mkdir(parents=True, exist_ok=True)
    path, wanted = home / CONFIG, _config(storage)
    found = path.read_text(encoding="utf-8") if path.exists() else None
    if found is None or (found != wanted and _is_ours(found)):
        write_text_atomically(path, wanted)
    elif storage and STORAGE_VARIABLE not in found:
        raise PaperfoldError(
            f"{path} was edited and does not use the PostgreSQL storage of the settings (dagster.storage). "
            f"Remove the file to have it written anew, or add to it:\n{_POSTGRES}"
        )
    return home


def server_environment(folder: DataFolder, storage: SecretStr | None = None) -> dict[str, str]:
    """Return the environment of a process that serves a data folder: this one's with what names the folder's own."""
    own = {"DAGSTER_HOME": str(dagster_home(folder, storage)), "PAPERFOLD_DATA": str(folder.root.absolute())}
    return {**os.environ, **own, **({STORAGE_VARIABLE: storage.get_secret_value()} if storage else {})}


def open_instance(folder: DataFolder, storage: SecretStr | None = None) -> dg.DagsterInstance:
    """Return the Dagster instance of a data folder.

    Raises:
        PaperfoldError: when the storage that the settings name can't be used.
    """
    import dagster as dg  # costs most of a second, and only what runs assets needs it

    home = dagster_home(folder, storage)
    if storage is None:
        return dg.DagsterInstance.from_config(str(home))
    os.environ[STORAGE_VARIABLE] = storage.get_secret_value()
    try:
        return dg.DagsterInstance.from_config(str(home))
    except Exception as error:  # noqa: BLE001 - Dagster, SQLAlchemy and the driver each raise their own
        where = urlsplit(storage.get_secret_value())
        reason = str(error.__cause__ or error).strip().splitlines()[0]
        raise PaperfoldError(
            f"Dagster's PostgreSQL storage can't be used: {where.hostname}:{where.port or 5432}{where.path}: "
            f"{scrub(reason, [storage.get_secret_value()])}. Expected a running server and a database that is there "
            "(dagster.storage in the settings); without that setting SQLite is used."
        ) from None


def _config(storage: SecretStr | None) -> str:
    body = _BODY + (_POSTGRES if storage else "")
    return f"{_HEAD}({_digest(body)})\n{body}"


def _is_ours(text: str) -> bool:
    """Return whether a configuration is one that this or an earlier version wrote, and that nobody edited."""
    head, _, body = text.partition("\n")
    return head == f"{_HEAD}({_digest(body)})"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
