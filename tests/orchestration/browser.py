"""A headless Chromium on the UI, where one is installed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.orchestration.served import wait_for

SHOTS = "PAPERFOLD_SCREENSHOTS"
"""A folder that screenshots are written into, for a person to look at; none are kept without it."""


class Browser:
    """A browser with the few acts that the tests need."""

    def __init__(self, driver: Any, url: str) -> None:
        from selenium.common.exceptions import NoAlertPresentException

        self.driver, self.url, self.no_alert = driver, url, NoAlertPresentException

    @property
    def text(self) -> str:
        """All text that the page shows."""
        return self.driver.find_element("tag name", "body").text

    def open(self, path: str, *awaited: str, seconds: float = 90) -> str:
        """Open a page of the UI, wait until it shows all these texts, and return what it shows."""
        self.driver.get(f"{self.url}{path}")
        for text in awaited:
            wait_for(lambda wanted=text: wanted in self.text, seconds, f"{text!r} on {path}")
        return self.text

    def press(self, label: str) -> None:
        path = f"//*[normalize-space(text())='{label}']"
        buttons = wait_for(
            lambda: [found for found in self.driver.find_elements("xpath", path) if found.is_displayed()],
            60,
            f"button {label!r}",
        )
        buttons[0].click()

    def pictures(self) -> list[dict[str, Any]]:
        """Return the pictures in data addresses that the page shows, with their real width and height."""
        script = (
            "return [...document.querySelectorAll('img')].filter(i => i.src.startsWith('data:'))"
            ".map(i => ({src: i.src, width: i.naturalWidth, height: i.naturalHeight}))"
        )
        return self.driver.execute_script(script)

    def run(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def shoot(self, name: str) -> None:
        if place := os.environ.get(SHOTS):
            Path(place).mkdir(parents=True, exist_ok=True)
            self.driver.save_screenshot(str(Path(place) / f"{name}.png"))


@contextmanager
def browsing(url: str, profile: Path) -> Iterator[Browser]:
    """Yield a browser on a UI; skip the test where there is none."""
    webdriver = pytest.importorskip("selenium.webdriver")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not (chromium and driver):
        pytest.skip("no Chromium with its chromedriver (Debian: apt-get install chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in ("headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-sync"):
        options.add_argument(f"--{flag}")
    options.add_argument("--disable-background-networking")
    options.add_argument("--disable-component-update")
    options.add_argument("--window-size=1500,1800")
    options.add_argument(f"--user-data-dir={profile}")
    running = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        yield Browser(running, url)
    finally:
        running.quit()
