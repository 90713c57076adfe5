"""A visitor: somebody at a browser, who sees the page and knows nothing else."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, WebError

from tests.page.words import catalogue, like, said

PROMPTS = ("turn", "second", "keep", "place", "token", "pass", "over")
"""What the prompt says when something is to be decided, or nothing any more."""

ENDS = re.compile("|".join(like(f"end.{end}").pattern for end in ("youWin", "wins", "shared")))
"""What the end screen may say."""


def _asks(prompt: str) -> str:
    """What the prompt begins with; that the last round runs stands behind it."""
    keys = [key for key in catalogue("en") if key.removesuffix("Last") == f"prompt.{prompt}"]
    return "|".join(like(key).pattern.removesuffix("$") for key in keys)


_SAID = [_asks(prompt) for prompt in PROMPTS]

# Whether the prompt asks for a decision and the log has told of something since it was last read.
_ASKED = """([prompts, before]) => {
    const said = document.querySelector(".prompt p")?.textContent?.trim() ?? "";
    const told = document.querySelector("[role=log]")?.textContent ?? "";
    const found = prompts.findIndex((prompt) => new RegExp(prompt).test(said));
    return found >= 0 && told !== before && { found, told };
}"""

# The middle of the first element found that lies open on the board.
_OPEN_SPOT = """(selector) => {
    for (const element of document.querySelectorAll(selector)) {
        const { left, top, width, height } = element.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        const hit = document.elementFromPoint(x, y);
        if (hit?.closest("[role=application]")) return [x, y];
    }
    return null;
}"""

# Until the board has stood where it is for some frames, and its names have found their places.
_AT_REST = """() => new Promise((done) => {
    let [before, still] = ["", 0];
    const look = () => {
        const { top, bottom } = document.querySelector("[role=application]").getBoundingClientRect();
        const { transform, willChange } = document.querySelector(".layer").style;
        const now = `${top} ${bottom} ${transform}`;
        still = now === before && willChange === "auto" ? still + 1 : 0;
        before = now;
        if (still === 4) done(); else requestAnimationFrame(look);
    };
    look();
})"""

_ROUTES = """(which) => [...document.querySelectorAll(`[data-route]${which}`)].map(
    (route) => [route.dataset.route, route.querySelectorAll(".space").length])"""


_POSITION = """() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    return {
        texts: all(".prompt p, [data-spot=display], [data-spot=hand], [data-spot^=seat-]").map((one) => one.innerText),
        tags: all(".mine button").map((tag) => tag.innerText),
        routes: all("[data-route]").map((route) => [route.dataset.route, route.getAttribute("class"), route.innerHTML]),
        stacks: all("[data-location]").map((location) => location.innerHTML),
    };
}"""


class Asked(NamedTuple):
    """A decision that the page asks for, and the log at that time."""

    prompt: str
    told: str


class Score(NamedTuple):
    """A player's points at the end, and what they are made of: routes, tickets and tokens."""

    total: int
    parts: tuple[int, ...]


class Visitor:
    """One browser window of somebody. What the browser complains about is kept in `troubles`."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context = context
        self.url = url
        self.troubles: list[str] = []
        self.expected: list[str] = []  # patterns of troubles that the test itself makes
        context.on("console", self._hear)
        context.on("weberror", self._fail)
        self.page = context.new_page()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"{message.text} ({message.location['url']})")

    def _fail(self, error: WebError) -> None:
        self.troubles.append(str(error.error))

    def unexpected(self) -> list[str]:
        return [one for one in self.troubles if not any(re.search(pattern, one) for pattern in self.expected)]

    # Where to.

    def go(self, path: str) -> None:
        self.page.goto(self.url + path)

    def button(self, key: str) -> Locator:
        return self.page.get_by_role("button", name=said(key))

    # What is seen of a game.

    def asked(self, before: Asked | None = None) -> Asked:
        """The next decision that the page asks for, after another one."""
        seen: dict[str, Any] = self.page.wait_for_function(_ASKED, arg=[_SAID, before and before.told]).json_value()
        return Asked(PROMPTS[seen["found"]], seen["told"])

    @property
    def prompt(self) -> Locator:
        return self.page.locator(".prompt p")

    def asks(self, before: Asked | None) -> Asked | None:
        """The same, or nothing if the page asks for nothing yet."""
        seen = self.page.evaluate(_ASKED, [_SAID, before and before.told])
        return Asked(PROMPTS[seen["found"]], seen["told"]) if seen else None

    def position(self) -> dict[str, Any]:
        """All that is seen of the game, apart from how it came about."""
        seen: dict[str, Any] = self.page.evaluate(_POSITION)
        return seen

    @property
    def board(self) -> Locator:
        return self.page.get_by_role("application")

    def told(self, key: str) -> Locator:
        """The lines of the log that tell of something; a phone shows the log in a tab."""
        log = self.page.get_by_role("log", include_hidden=True)
        return log.get_by_role("listitem", include_hidden=True).filter(has_text=like(key))

    @property
    def zoom(self) -> float:
        """How many pixels of the screen one of the board takes."""
        scale: float = self.page.locator("[role=application] svg").first.evaluate(
            "(svg) => svg.getBoundingClientRect().width / svg.width.baseVal.value"
        )
        return scale

    def let_the_board_rest(self) -> None:
        self.page.evaluate(_AT_REST)

    def payable_routes(self) -> list[str]:
        """The routes that glow, the longest first."""
        found: list[tuple[str, int]] = self.page.evaluate(_ROUTES, ".payable")
        return [route for route, _ in sorted(found, key=lambda one: -one[1])]

    def quiet_routes(self) -> list[str]:
        """The others, the longest first."""
        found: list[tuple[str, int]] = self.page.evaluate(_ROUTES, ":not(.payable)")
        return [route for route, _ in sorted(found, key=lambda one: -one[1])]

    def route_spot(self, route: str) -> tuple[float, float] | None:
        return self._spot(f'[data-route="{route}"] .space')

    def place_spot(self, location: str | None = None) -> tuple[float, float] | None:
        """Of a location that can be chosen now."""
        which = "" if location is None else f'="{location}"'
        return self._spot(f"[data-location{which}].place .ring")

    def _spot(self, selector: str) -> tuple[float, float] | None:
        found: list[float] | None = self.page.evaluate(_OPEN_SPOT, selector)
        return None if found is None else (found[0], found[1])

    @property
    def drawable(self) -> Locator:
        """What can be taken now: cards of the display first, then the deck."""
        return self.page.locator("[data-spot^=display-].can, [data-spot=deck].can")

    @property
    def ticket_deck(self) -> Locator:
        return self.page.get_by_role("button", name=like("tickets.draw"))

    @property
    def ticket_question(self) -> Locator:
        """Whether tickets shall really be drawn, where that is asked."""
        return self.page.get_by_role("group", name=said("tickets.ask"), exact=True)

    @property
    def offer(self) -> Locator:
        return self.page.get_by_role("region", name=said("offer.title"))

    @property
    def actions(self) -> Locator:
        return self.page.get_by_role("group", name=said("actions.title"), exact=True).get_by_role("button")

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    @property
    def heading(self) -> Locator:
        return self.page.get_by_role("heading", level=1)

    def scores(self) -> list[Score]:
        """What the end screen says about each seat."""
        cards = self.page.locator("section[aria-labelledby=end-title] > ol > li")
        return [Score(_number(card.locator(".total")), self._parts(card)) for card in cards.all()]

    @staticmethod
    def _parts(card: Locator) -> tuple[int, ...]:
        return tuple(_number(part) for part in card.get_by_role("definition").all())


def _number(shown: Locator) -> int:
    return int(shown.inner_text().replace("−", "-"))
