"""A report as a reader has it: opened in headless Chromium, wide, on a phone, dark and printed."""

import base64
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ginsim
from ginsim.report.html import write_report

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="no chromium and chromedriver: apt-get install chromium chromium-driver"
)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
WIDE, PHONE = 1280, 390


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament with names that are long and a tuning, under a title that asks for trouble."""
    here = tmp_path_factory.mktemp("page")
    names = ["marjj:knock_at=5,until_turn=6", "threshold:knock_at=5", "greedy", "gin_only"]
    result = ginsim.tournament(names, pairs=300, seed=1, processes=1, chunk=100, out=here / "run")
    tuned = ginsim.tune(names[0], ["knock_at=0,5", "until_turn=3,6"], names[2:], pairs=16, rounds=1, seed=1)
    write_report(
        [result, tuned], here / "r.html", svg=False, title="<b>A title</b> & " + "averylongword" * 12
    )
    return here / "r.html"


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def opened(chromium: Any, page: Path) -> Any:
    """The page, freshly loaded and 1280 pixels wide."""
    look_at(chromium, WIDE, 900)
    for log in ("browser", "performance"):
        chromium.get_log(log)
    chromium.get(page.as_uri())
    return chromium


def look_at(chromium: Any, width: int, height: int, scheme: str = "light") -> None:
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def column(chromium: Any, title: str) -> list[str]:
    """The cells under a title in the first table that has it."""
    return chromium.execute_script(
        """
        for (const table of document.querySelectorAll("table")) {
          const heads = [...table.tHead.rows[0].cells].map((head) => head.innerText.trim());
          const place = heads.indexOf(arguments[0]);
          if (place >= 0) return [...table.tBodies[0].rows].map((row) => row.cells[place].innerText);
        }
        """,
        title,
    )


def head(chromium: Any, title: str) -> Any:
    return next(b for b in chromium.find_elements("css selector", "th button") if b.text.strip() == title)


def test_the_console_has_nothing_to_say_and_nothing_is_fetched(opened: Any, page: Path) -> None:
    assert opened.get_log("browser") == []
    events = [json.loads(entry["message"])["message"] for entry in opened.get_log("performance")]
    asked = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
    assert page.as_uri() in asked
    assert [url for url in asked if not url.startswith("data:")] == [page.as_uri()]


def test_every_picture_is_there(opened: Any) -> None:
    widths = opened.execute_script(
        "return [...document.images].map((one) => one.complete && one.naturalWidth)"
    )
    assert len(widths) == 7 + 3  # of the tournament, and of the tuning
    assert min(widths) >= 500


def test_tables_sort_numbers_as_numbers_and_turn_round(opened: Any) -> None:
    before = column(opened, "points per hand")
    values = sorted((float(text.split()[0]) for text in before), reverse=True)
    assert sorted(before, reverse=True) != sorted(before, key=lambda told: -float(told.split()[0]))
    for order in (values, values[::-1]):
        head(opened, "points per hand").click()
        assert [float(text.split()[0]) for text in column(opened, "points per hand")] == order
    sort = opened.execute_script(
        "return [...document.querySelector('table').tHead.rows[0].cells].map((c) => c.ariaSort)"
    )
    assert [one for one in sort if one] == ["ascending"]
    head(opened, "policy").click()
    assert column(opened, "policy") == sorted(column(opened, "policy"))


def test_tables_sort_by_the_keyboard(opened: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    opened.execute_script("arguments[0].focus()", head(opened, "policy"))
    assert opened.switch_to.active_element.text.strip() == "policy"
    opened.switch_to.active_element.send_keys(Keys.TAB, Keys.TAB, Keys.TAB)
    assert opened.switch_to.active_element.text.strip() == "points per hand"
    opened.switch_to.active_element.send_keys(Keys.ENTER)
    opened.switch_to.active_element.send_keys(Keys.SPACE)
    shown = [float(text.split()[0]) for text in column(opened, "points per hand")]
    assert shown == sorted(shown)
    assert len(set(shown)) > 2


@pytest.mark.parametrize("width", [WIDE, PHONE])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window(opened: Any, width: int, scheme: str) -> None:
    look_at(opened, width, 844, scheme)
    seen, whole, boxes = opened.execute_script(
        """
        const page = document.documentElement;
        const boxes = [...document.querySelectorAll(".scroll")];
        const wide = boxes.filter((one) => one.scrollWidth > one.clientWidth);
        return [page.clientWidth, page.scrollWidth, wide.length];
        """
    )
    assert width - 20 < seen <= width  # but for a scroll bar
    assert whole <= seen
    assert boxes > 3 or width == WIDE  # on a phone what is wide scrolls in a box of its own


def test_the_index_of_the_samples_fits_a_phone(chromium: Any) -> None:
    look_at(chromium, PHONE, 844)
    chromium.get((Path(__file__).parents[1] / "reports" / "index.html").as_uri())
    sizes = (
        "return [document.documentElement.scrollWidth, ...[...document.images].map((i) => i.naturalWidth)]"
    )
    whole, *pictures = chromium.execute_script(sizes)
    assert whole == PHONE
    assert min(pictures) > 0


def test_ink_and_paper_differ_in_light_and_dark(opened: Any) -> None:
    papers = []
    for scheme in ("light", "dark"):
        look_at(opened, WIDE, 900, scheme)
        colours = opened.execute_script(
            "const s = getComputedStyle(document.body); return [s.backgroundColor, s.color]"
        )
        paper, ink = (sum(map(int, colour.strip("rgb()").split(","))) for colour in colours)
        assert abs(paper - ink) > 450
        papers.append(paper)
    assert papers[0] > papers[1]


def test_it_prints(opened: Any) -> None:
    printed = opened.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})
    data = base64.b64decode(printed["data"])
    assert data.startswith(b"%PDF")
    assert data.count(b"/Type /Page\n") > 3
    assert opened.get_log("browser") == []
