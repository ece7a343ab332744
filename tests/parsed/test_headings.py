"""Headings: line -> venue, year, language."""

import pytest

from assets.parsed.heading import read_heading

HEADINGS = {
    "NeurIPS 2026 Papers": ("NeurIPS", 2026, "en"),
    "NeurIPS 2026 论文列表": ("NeurIPS", 2026, "zh"),
    "NeurIPS 2026 論文リスト": ("NeurIPS", 2026, "ja"),
    "ICML 2025 採択論文一覧": ("ICML", 2025, "ja"),
    "NeurIPS 2026 논문 목록": ("NeurIPS", 2026, "ko"),
    "2026년 NeurIPS 채택 논문 목록": ("NeurIPS", 2026, "ko"),
    "Articles acceptés à NeurIPS 2026": ("NeurIPS", 2026, "fr"),
    "Liste des articles de ToyConf 2024": ("ToyConf", 2024, "fr"),
    "Angenommene Beiträge der ToyConf 2026": ("ToyConf", 2026, "de"),
    "Liste der akzeptierten Artikel ToyConf 2026": ("ToyConf", 2026, "de"),
    "ToyConf 2026: artículos aceptados": ("ToyConf", 2026, "es"),
    "List of accepted papers for ToyConf 2014": ("ToyConf", 2014, "en"),
    "#### ToyConf 2020 Accepted Papers (1900)": ("ToyConf", 2020, "en"),
    "# ToyConf-2024-Papers": ("ToyConf", 2024, "en"),
    "ToyConf'17 Accepted Papers": ("ToyConf", 2017, "en"),
    "Accepted papers": (None, None, "en"),
    "示例会议 2026 论文列表": ("示例会议", 2026, "zh"),
    "第40届 ToyConf 2026 录用论文": ("ToyConf", 2026, "zh"),
    "ToyConf 2026 論文列表": ("ToyConf", 2026, "zh"),
}


@pytest.mark.parametrize(("line", "expected"), HEADINGS.items())
def test_a_heading_names_venue_year_and_language(line: str, expected: tuple[str | None, int | None, str]) -> None:
    assert read_heading(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "We study 2026 papers of ToyConf and find that most of them are short.",
        "Scheduling papers for reviewers",
        "A survey of articles on maps",
        "Home | Schedule | Papers | Sponsors",
        "Bakery demand changes with weather",
        "",
    ],
)
def test_other_lines_are_no_headings(line: str) -> None:
    assert read_heading(line) is None
