"""What a file's name says: date and list."""

import pytest

from assets.parsed.snapshot import list_key, name_without_date, snapshot_time

DATES = {
    "list_2026-06-01.txt": "2026-06-01 00:00:00",
    "20260601.md": "2026-06-01 00:00:00",
    "neurips-20260601T0930Z.txt": "2026-06-01 09:30:00",
    "11-May-2026/AI/README.md": "2026-05-11 00:00:00",
    "May 11, 2026.txt": "2026-05-11 00:00:00",
    "toy.2026.06.01.json": "2026-06-01 00:00:00",
    "2026年6月1日.txt": "2026-06-01 00:00:00",
    "01.06.2026 list.txt": "2026-06-01 00:00:00",
    "archive/2026-03.json": "2026-03-01 00:00:00",
}


@pytest.mark.parametrize(("name", "date"), DATES.items())
def test_a_date_in_the_name_is_the_time_of_the_snapshot(name: str, date: str) -> None:
    assert str(snapshot_time(name))[:19] == date


@pytest.mark.parametrize(
    "name",
    ["000_e138ed453176565f.txt", "NeurIPS 2026.txt", "2310.11641.json", "v1.2.3.txt", "list.txt", "2026-13-41.txt"],
)
def test_other_numbers_are_no_dates(name: str) -> None:
    assert snapshot_time(name) is None


def test_snapshots_of_one_list_have_one_key() -> None:
    assert name_without_date("lists/toy_2026-06-01.txt") == name_without_date("lists/toy_2026-07-15.txt") == "lists/toy"
    assert list_key("mine", "ToyConf", 2026, "a.txt") == "mine"
    assert list_key(None, "ToyConf", 2026, "a.txt") == list_key(None, "TOYCONF", 2026, "b.txt") == "toyconf 2026"
    assert list_key(None, None, 2026, "20260601.md") == "20260601.md"
