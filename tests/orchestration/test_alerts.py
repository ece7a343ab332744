"""Alerts: failed runs and failed checks reach a receiver on loopback, once, in bounded time and without secrets."""

from __future__ import annotations

import json
import logging
import socket
import time
from pathlib import Path

import polars as pl
import pytest

from assets.contract.check import Check, Verdict
from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from assets.release.store import current_release
from orchestration.alert import Alert, payload, render, tell
from orchestration.settings import AlertSettings, load_settings
from orchestration.webhook import Patience, deliver
from tests.building import build, write_list
from tests.orchestration.receiver import SECRET, receiving
from tests.orchestration.test_materialize import Run

HASTE = Patience(budget_seconds=1.5, attempt_seconds=0.3, attempts=3, pause_seconds=0.05)
RUN_ID = "11111111-2222-3333-4444-555555555555"


def alert(**changes: object) -> Alert:
    checks = [{"check": "drift", "severity": "WARN", "says": "Counts are like before.", "found": "papers 3"}]
    return Alert(RUN_ID, "/srv/data", **{"reason": "A file is gone.", "failed_checks": checks, **changes})


def alerts(url: str, **changes: str) -> AlertSettings:
    return AlertSettings(webhook=url, **changes)


# --- delivery -------------------------------------------------------------------------------------------------------


def test_a_message_is_posted_once_as_json() -> None:
    with receiving() as receiver:
        assert deliver(receiver.url, {"text": "naïve — 论文"}, HASTE) is None
    assert receiver.received == [{"text": "naïve — 论文"}]
    assert receiver.headers[0]["Content-Type"] == "application/json"
    assert receiver.headers[0]["User-Agent"] == "Paperfold"


def test_what_may_pass_is_tried_again() -> None:
    with receiving(500, 429, 200) as receiver:
        assert deliver(receiver.url, {"text": "x"}, HASTE) is None
    assert len(receiver.received) == 3


def test_a_receiver_that_keeps_failing_is_given_up() -> None:
    with receiving(500) as receiver:
        assert deliver(receiver.url, {"text": "x"}, HASTE) == "the receiver answered 500, tried 3 times"
    assert len(receiver.received) == 3


@pytest.mark.parametrize("status", [302, 307, 400, 404, 410])
def test_a_refusal_and_a_redirect_are_not_tried_again_nor_followed(status: int) -> None:
    with receiving(status) as receiver:
        assert deliver(receiver.url, {"text": "x"}, HASTE) == f"the receiver answered {status}"
    assert len(receiver.received) == 1


def test_a_receiver_that_never_answers_costs_no_more_than_the_budget() -> None:
    with receiving(slow=True) as receiver:
        begin = time.monotonic()
        problem = deliver(receiver.url, {"text": "x"}, Patience(0.8, 30, 3, 0))
        assert time.monotonic() - begin < 5
    assert problem == "no answer within 0.8 seconds"


def test_a_port_where_nobody_listens_is_named_as_such() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}/{SECRET}"
    problem = deliver(url, {"text": "x"}, HASTE)
    assert problem == "no connection (Connection refused), tried 3 times"


# --- what is told ---------------------------------------------------------------------------------------------------


def test_a_failure_is_told_with_its_reason_checks_folder_and_link() -> None:
    settings = AlertSettings(ui_url="https://paperfold.example/ui/")
    assert render(alert(), settings).splitlines() == [
        "Paperfold: a run failed.",
        "A file is gone.",
        "WARN drift: Counts are like before. (papers 3)",
        f"Data folder /srv/data, run {RUN_ID}",
        f"https://paperfold.example/ui/runs/{RUN_ID}",
    ]


def test_a_failed_check_of_a_run_that_published_is_told_with_the_release() -> None:
    words = render(alert(reason=None, release_id="rel_1"), AlertSettings()).splitlines()
    assert words[:2] == ["Paperfold: 1 check did not pass.", "Readers have release rel_1."]


def test_nothing_is_told_of_a_run_without_a_failure() -> None:
    told: list[str] = []
    with receiving() as receiver:
        tell(alert(reason=None, failed_checks=()), alerts(receiver.url), told.append)
    assert told == receiver.received == []


def test_huge_rows_are_cut() -> None:
    row = {"check": "keys", "severity": "ERROR", "says": "Keys are unique.", "found": "x" * 1_000_000}
    many = [{**row, "check": f"keys_{number}"} for number in range(50)]
    told = alert(reason="y" * 1_000_000, failed_checks=many)
    settings = alerts("http://127.0.0.1:1/x", ui_url="http://127.0.0.1:3000")
    text = render(told, settings)
    assert len(text) <= 3000
    assert text.endswith(f"/runs/{RUN_ID}")
    assert len(json.dumps(payload(told, settings))) < 10_000


def test_slack_gets_text_alone_and_nothing_of_it_is_markup() -> None:
    told = alert(reason="<!channel> <https://evil.example|click> & go")
    message = payload(told, alerts("http://127.0.0.1:1/x", kind="slack"))
    assert list(message) == ["text"]
    assert "&lt;!channel&gt; &lt;https://evil.example|click&gt; &amp; go" in message["text"]


def test_no_secret_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LISTS_TOKEN", "tok-12345678")
    url = f"http://127.0.0.1:1/hooks/{SECRET}"
    # The secrets stand where the text is cut, too: half a secret would not be known as one.
    reason = f"{url} https://u:pw123456@h/l?key=k1 tok-12345678 " + "z" * 820 + " tok-12345678 " + "z" * 100
    row = {
        "check": "c",
        "severity": "WARN",
        "says": "s",
        "found": f"first: {{'url': 'https://u:pw123456@h/?a=k1'}} {SECRET}",
    }
    told = json.dumps(payload(alert(reason=reason, failed_checks=[row]), alerts(url)))
    for secret in (SECRET, "pw123456", "tok-1234", "key=k1", "a=k1"):
        assert secret not in told


def test_a_dead_receiver_is_logged_without_its_address() -> None:
    told: list[str] = []
    url = f"http://127.0.0.1:1/hooks/{SECRET}"
    tell(alert(), alerts(url), told.append, HASTE)
    assert len(told) == 2
    assert told[1].startswith("The alert of run 11111111 was not delivered to the webhook: no connection")
    assert SECRET not in "".join(told)


def test_a_wrong_address_in_the_settings_is_named_and_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERFOLD_ALERT__WEBHOOK", f"hooks.example/{SECRET}")
    with pytest.raises(PaperfoldError, match=r"alert\.webhook: expected an address") as caught:
        load_settings()
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None
    monkeypatch.setenv("PAPERFOLD_ALERT__WEBHOOK", f"https://hooks.example/{SECRET}")
    assert SECRET not in repr(load_settings())


# --- every way of starting a run ------------------------------------------------------------------------------------


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    path = tmp_path / "lists"
    write_list(path / "a.txt", "robot", "bread")
    return path


def warn(monkeypatch: pytest.MonkeyPatch, severity: str = "WARN") -> None:
    """Let a check of the release find something, with text of a list in it."""
    failing = pl.DataFrame({"raw_text": ["<script>" + "long " * 100_000]})
    check = Check(
        "drift", "Counts are like before.", ("papers",), lambda _: Verdict(False, {"papers": 3}, failing), severity
    )
    import assets.release.audit as audit

    others = [known for known in audit.RELEASE_CHECKS if known.name != "drift"]
    monkeypatch.setattr(audit, "RELEASE_CHECKS", (*others, check))


def test_a_build_that_succeeds_tells_nobody(folder: DataFolder, lists: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving() as receiver:
        monkeypatch.setenv("PAPERFOLD_ALERT__WEBHOOK", receiver.url)
        build(folder, lists)
    assert receiver.received == []


def test_a_check_that_only_warns_is_told_by_a_build(
    folder: DataFolder, lists: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    warn(monkeypatch)
    with receiving() as receiver:
        monkeypatch.setenv("PAPERFOLD_ALERT__WEBHOOK", receiver.url)
        monkeypatch.setenv("PAPERFOLD_ALERT__UI_URL", "http://127.0.0.1:3000")
        summary = build(folder, lists)
    (message,) = receiver.received
    assert summary["outcome"] == "published"
    assert message["outcome"] == "succeeded"
    assert message["release_id"] == current_release(folder)
    assert "WARN drift: Counts are like before. (papers 3; first: {'raw_text': '<script>long long" in message["text"]
    assert message["run_url"] == f"http://127.0.0.1:3000/runs/{message['run_id']}"
    assert len(message["text"]) < 1000
    assert [record.levelno for record in caplog.records if record.name == "paperfold"] == [logging.WARNING]


def test_a_failed_build_is_told_with_the_reason_that_the_command_line_shows(
    folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "a.bin").write_bytes(bytes(range(256)) * 8)
    with receiving() as receiver:
        monkeypatch.setenv("PAPERFOLD_ALERT__WEBHOOK", receiver.url)
        with pytest.raises(PaperfoldError, match="No paper could be read from 1 file") as caught:
            build(folder, tmp_path / "lists")
    (text,) = receiver.texts
    assert str(caught.value).splitlines()[0] in text


def test_a_build_with_a_dead_receiver_publishes_and_is_hardly_delayed(
    folder: DataFolder, lists: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    warn(monkeypatch)
    build(folder, lists)
    write_list(lists / "b.txt", "spill")
    with receiving(slow=True) as receiver:
        monkeypatch.setenv("PAPERFOLD_ALERT__WEBHOOK", receiver.url)
        begin = time.monotonic()
        assert build(folder)["outcome"] == "published"
        assert time.monotonic() - begin < 30
        assert receiver.received
    assert "was not delivered to the webhook: " in caplog.text
    assert SECRET not in caplog.text


@pytest.mark.dagster_home
def test_a_run_of_the_ui_is_told_of_once(folder: DataFolder, lists: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from orchestration.instance import open_instance
    from orchestration.sources import remember_paths
    from orchestration.watch import failed_runs

    remember_paths(folder, [lists])
    with receiving() as receiver:
        monkeypatch.setenv("PAPERFOLD_ALERT__WEBHOOK", receiver.url)
        assert Run(folder).result.success
        assert receiver.received == []
        (folder.work("folded") / "papers.parquet").unlink()
        failed = Run(folder, ["release"])
        assert not failed.result.success
        (message,) = receiver.received
        assert message["run_id"] == failed.result.run_id
        assert "No such file" in message["text"]
        warn(monkeypatch)
        assert Run(folder).result.success
        assert len(receiver.received) == 1, "the release is unchanged, and its checks were told of when it was new"
        write_list(lists / "b.txt", "spill")
        assert Run(folder).result.success
        assert receiver.received[1]["failed_checks"][0]["check"] == "drift"
        with open_instance(folder) as instance:
            assert told_by_sensor(instance, failed.result.run_id) == f"Run {failed.result.run_id} was told of."
        assert len(receiver.received) == 2
    assert failed_runs.default_status.value == "RUNNING"


@pytest.mark.dagster_home
def test_a_run_that_never_began_is_told_of_by_the_sensor(
    folder: DataFolder, lists: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from orchestration.instance import open_instance

    run = Run(folder)  # no source is known, so that no step begins
    assert not run.result.success
    with receiving() as receiver, open_instance(folder) as instance:
        monkeypatch.setenv("PAPERFOLD_ALERT__WEBHOOK", receiver.url)
        told_by_sensor(instance, run.result.run_id)
        told_by_sensor(instance, run.result.run_id)
    (text,) = receiver.texts
    assert "has no source yet. Name a folder of paper lists" in text


def told_by_sensor(instance, run_id: str) -> str:
    """Let the sensor look at a failed run; return what it says."""
    import dagster as dg

    from orchestration.watch import failed_runs

    run = instance.get_run_by_id(run_id)
    event = next(
        entry.dagster_event
        for entry in instance.all_logs(run_id)
        if entry.dagster_event and entry.dagster_event.event_type == dg.DagsterEventType.RUN_FAILURE
    )
    context = dg.build_run_status_sensor_context("failed_runs", event, instance, run).for_run_failure()
    return failed_runs(context).skip_message
