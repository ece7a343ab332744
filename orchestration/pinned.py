"""Tells the UI that a rollback holds readers, or no longer does, at the moment when that changes."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from assets.contract.folder import DataFolder

if TYPE_CHECKING:
    from pydantic import SecretStr

LOG = logging.getLogger("paperfold")


def show_pin(folder: DataFolder, storage: SecretStr | None) -> None:
    """Record how the check of the release stands, where the data folder has records at all.

    Between refreshes the UI would otherwise show what held at the last one. Records that can't be written are logged:
    what readers see has changed already.
    """
    if not folder.dagster_home.exists():
        return
    import dagster as dg  # costs most of a second

    from assets.release.asset import judge_pin
    from orchestration.instance import open_instance

    try:
        with open_instance(folder, storage) as instance:
            instance.report_runless_asset_event(dg.AssetCheckEvaluation(**judge_pin(folder)))
    except Exception as error:  # noqa: BLE001 - whatever stands against it, the rollback itself is done
        LOG.warning(
            "The Dagster UI could not be told of the rollback (%s); the next refresh does.", type(error).__name__
        )
