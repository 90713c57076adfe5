"""How smooth the page is, and how much of it there is to load: `python benchmarks/page.py`. README.md says how."""

from __future__ import annotations

import argparse
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from report import into_document, percentile
from rich.console import Console
from rich.table import Table

from fogline.bench import machine

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, Page, Request, sync_playwright  # noqa: E402

from tests.page.conftest import ARGUMENTS  # noqa: E402
from tests.page.hands import Mouse  # noqa: E402
from tests.page.places import is_halfway, play_on  # noqa: E402
from tests.page.screens import SCREENS  # noqa: E402
from tests.page.visitor import Visitor  # noqa: E402
from tests.server.serving import Person, Served  # noqa: E402

DOCUMENT = ROOT / "docs" / "performance-page.md"
FRAMES = 60.0
"""Frames a second: a browser without a screen draws no more."""

console = Console(highlight=False)

# The time of every drawn frame, and whether anything moved in it.
_COUNT_FRAMES = """() => {
    window.frames_seen = [];
    const see = (now) => {
        const flying = document.getAnimations().some((animation) => animation.playState === "running");
        window.frames_seen.push([now, flying]);
        window.next_frame = requestAnimationFrame(see);
    };
    window.next_frame = requestAnimationFrame(see);
}"""
_FRAMES_SEEN = "() => { cancelAnimationFrame(window.next_frame); return window.frames_seen; }"

# The time at which something can be pressed and the browser is idle.
_WATCH_FOR = """(selector) => {
    const look = () =>
        document.querySelector(selector)?.getBoundingClientRect().width
            ? requestIdleCallback(() => (window.interactive_at = performance.now()))
            : requestAnimationFrame(look);
    look();
}"""

FIRST_BUTTON = "main button.primary, main .primary"
FIRST_CARD = "[data-spot=deck]"
PROMPT = ".prompt p"


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number."""

    name: str
    shown: str
    how: str


@dataclass(frozen=True, slots=True)
class Frames:
    """The milliseconds between one frame and the next."""

    between: list[float]

    def __str__(self) -> str:
        rate = 1000 / statistics.mean(self.between) if self.between else math.nan
        return f"{min(rate, FRAMES):.0f}, one in twenty later than {percentile(self.between, 0.95):.0f} ms"


class Bench:
    """One run in one browser, at tables of one person."""

    def __init__(self, browser: Browser, url: str, seconds: float, loads: int) -> None:
        self.browser = browser
        self.person = Person(url)
        self.seconds = seconds
        self.loads = loads
        self.figures: list[Figure] = []
        self.table = self._open_table()
        play_on(self.person, self.table, is_halfway)

    def frames(self) -> None:
        """Panning, zooming, and cards that fly."""
        for screen in ("laptop", "phone"):
            with self._game(screen, self.table) as visitor:
                for what, move in (("panning", self._pan), ("zooming", self._zoom)):
                    shown = str(self._count(visitor.page, move))
                    self._tell(f"frames a second, {what}, {screen}", shown, f"{self.seconds:g} s with the mouse")
            with self._game(screen, self._open_table()) as visitor:
                self._tell(f"frames a second, cards flying, {screen}", str(self._draw(visitor)), "while anything flies")

    def load(self) -> None:
        """What the first visit loads, and when the page can be used."""
        for name, path, wanted in (("first page", "/", FIRST_BUTTON), ("game", f"/game/{self.table}", FIRST_CARD)):
            visits = [self._first_visit(path, wanted) for _ in range(self.loads)]
            self._tell(f"first load, {name}", f"{visits[0][0] / 1000:.0f} KB", "as sent: gzip, with fonts and pictures")
            how = f"median of {self.loads}, on loopback: it can be pressed, and the browser idles"
            self._tell(f"interactive after, {name}", f"{statistics.median(at for _, at in visits):.0f} ms", how)

    # What it takes.

    @contextmanager
    def _game(self, screen: str, table: str) -> Iterator[Visitor]:
        visitor = self._visitor(screen)
        visitor.go(f"/game/{table}")
        visitor.page.locator(PROMPT).wait_for()
        visitor.page.wait_for_timeout(500)
        yield visitor
        visitor.context.close()

    def _visitor(self, screen: str) -> Visitor:
        context = self.browser.new_context(viewport=SCREENS[screen], locale="en-GB")
        context.add_cookies([{"name": "fogline", "value": self.person.token, "url": self.person.url}])
        return Visitor(context, self.person.url)

    def _open_table(self) -> str:
        return str(self.person.open_table("me", "racer", name="Ada")["table"]["id"])

    def _count(self, page: Page, move: Callable[[Page, float, float], None]) -> Frames:
        """Moves something over the middle of the board, and counts frames."""
        box = page.get_by_role("application").bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.keyboard.press("0")
        for _ in range(3):
            page.mouse.wheel(0, -200)  # where all is seen, nothing can be panned
        page.wait_for_timeout(500)
        page.evaluate(_COUNT_FRAMES)
        move(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        return Frames(_between(page.evaluate(_FRAMES_SEEN)))

    def _pan(self, page: Page, x: float, y: float) -> None:
        page.mouse.down()
        for turn in self._turns():
            page.mouse.move(x + 90 * math.sin(turn), y + 60 * math.sin(1.7 * turn))
        page.mouse.up()

    def _zoom(self, page: Page, _x: float, _y: float) -> None:
        for turn in self._turns():
            page.mouse.wheel(0, 12 * math.copysign(1, math.sin(turn)))

    def _turns(self) -> Iterator[float]:
        """Once around in two seconds."""
        began = time.monotonic()
        while (passed := time.monotonic() - began) < self.seconds:
            yield passed * math.pi

    def _draw(self, visitor: Visitor) -> Frames:
        """Draws cards, turn after turn; the other seat acts at random."""
        hand = Mouse(visitor)
        before = visitor.asked()
        hand.decide(before.prompt)
        visitor.page.evaluate(_COUNT_FRAMES)
        until = time.monotonic() + 2 * self.seconds
        while time.monotonic() < until:
            before = visitor.asked(before)
            if before.prompt == "turn":
                hand.draw()
            else:
                hand.decide(before.prompt)
        return Frames(_between(visitor.page.evaluate(_FRAMES_SEEN), flying=True))

    def _first_visit(self, path: str, wanted: str) -> tuple[int, float]:
        """Bytes, and milliseconds."""
        visitor = self._visitor("laptop")
        page, loaded = visitor.page, list[Request]()

        def remember(request: Request) -> None:
            loaded.append(request)

        page.on("requestfinished", remember)
        page.add_init_script(f"({_WATCH_FOR})({wanted!r})")
        visitor.go(path)
        page.wait_for_function("() => window.interactive_at")
        page.wait_for_load_state("networkidle")
        at = float(page.evaluate("window.interactive_at"))
        sent = sum(request.sizes()["responseBodySize"] for request in loaded)
        visitor.context.close()
        return sent, at

    def _tell(self, name: str, shown: str, how: str) -> None:
        self.figures.append(Figure(name, shown, how))


def _between(seen: list[tuple[float, bool]], *, flying: bool = False) -> list[float]:
    return [now - before for (before, _), (now, flies) in pairwise(seen) if flies or not flying]


def _markdown(figures: list[Figure], load: float) -> str:
    on = machine()
    return "\n".join(
        [
            f"Measured on {datetime.now(UTC).date().isoformat()}: {on['processor']}, {on['cores']} cores, "
            f"no graphics card, load {load:.1f} before the run.",
            "",
            "| what | figure |",
            "|---|---:|",
            *(f"| {figure.name} | {figure.shown} |" for figure in figures),
        ]
    )


def _screen_table(figures: list[Figure]) -> Table:
    table = Table(title="The page", title_justify="left")
    table.add_column("what")
    table.add_column("figure", justify="right")
    table.add_column("how", style="dim")
    for figure in figures:
        table.add_row(figure.name, figure.shown, figure.how)
    return table


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure the page in a browser that draws without a graphics card.")
    parser.add_argument("what", nargs="*", metavar="WHAT", help="some of frames, load (default: both)")
    parser.add_argument("--seconds", type=float, default=4.0, help="time for each movement (4)")
    parser.add_argument("--loads", type=int, default=5, help="first visits to each page (5)")
    parser.add_argument(
        "--docs",
        type=Path,
        nargs="?",
        const=DOCUMENT,
        metavar="FILE",
        help="write all figures to docs/performance-page.md",
    )
    return parser


MEASURED: dict[str, Callable[[Bench], None]] = {"frames": Bench.frames, "load": Bench.load}


def main() -> int:
    parser = _parser()
    options = parser.parse_args()
    what = options.what or list(MEASURED)
    if unknown := set(what) - set(MEASURED):
        parser.error(f"{', '.join(sorted(unknown))}: there are {', '.join(MEASURED)}")
    if options.docs and set(what) != set(MEASURED):
        parser.error("--docs takes all figures of one run")
    load = os.getloadavg()[0]
    found = subprocess.run([ROOT / "scripts/chromium", "--find"], capture_output=True, text=True, check=True)
    with tempfile.TemporaryDirectory(prefix="fogline-") as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found.stdout.strip(), args=ARGUMENTS)
        with Served(f"sqlite:///{folder}/fogline.db", Path(folder), "--bot-delay=0.4") as served:
            bench = Bench(browser, served.url, options.seconds, options.loads)
            for name in what:
                MEASURED[name](bench)
        browser.close()
    console.print(_screen_table(bench.figures))
    if options.docs:
        into_document(options.docs, _markdown(bench.figures, load))
    return 0


if __name__ == "__main__":
    sys.exit(main())
