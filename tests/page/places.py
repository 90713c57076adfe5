"""Every page there is, in every state in which it looks different, and how to get there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from playwright.sync_api import BrowserContext, Page

from tests.page.hands import Mouse
from tests.page.screens import SCREENS, Visit
from tests.page.visitor import Visitor
from tests.page.words import like, said
from tests.server.playing import stream
from tests.server.serving import Person

HALFWAY = 12
"""Cars that somebody has left in the middle of a game."""

LONG_NAME = "Wilhelmina van der Berg"


@dataclass(frozen=True)
class Tables:
    """A person, and a table of theirs in every state."""

    person: Person
    waiting: str
    invite: str
    begun: str
    halfway: str
    over: str
    crowd: str

    @staticmethod
    def of(person: Person) -> Tables:
        waiting = person.open_table("me", "open", "racer", name="Ada")["table"]
        begun, halfway, over = (person.open_table("me", "planner", name="Ada")["table"]["id"] for _ in range(3))
        crowd = person.open_table("me", "racer", "random", "racer", name=LONG_NAME)["table"]["id"]
        play_on(person, halfway, is_halfway)
        play_on(person, crowd, is_halfway)
        play_on(person, over, lambda view: False)
        return Tables(person, waiting["id"], waiting["invite"], begun, halfway, over, crowd)

    def let_in(self, context: BrowserContext) -> None:
        """Makes a browser the person's own."""
        context.add_cookies([{"name": "fogline", "value": self.person.token, "url": self.person.url}])
        context.add_init_script("localStorage['fogline.seated'] = localStorage['fogline.known'] = '1'")


def is_halfway(view: dict[str, Any]) -> bool:
    """With something left to claim."""
    cars = view["seats"][view["seat"]]["cars"]
    return cars <= HALFWAY and view["phase"] == "turn" and any(choice["kind"] == "claim" for choice in view["legal"])


def play_on(person: Person, table: str, enough: Callable[[dict[str, Any]], bool]) -> None:
    """Plays on, claiming whatever can be claimed, until it is enough or the game is over."""
    decided = -1
    for state in stream(person, table):
        view = state["view"]
        if view["phase"] == "over" or (view["legal"] and enough(view)):
            return
        if view["legal"] and view["step"] != decided:
            decided = view["step"]
            claims = [choice for choice in view["legal"] if choice["kind"] == "claim"]
            person.play(table, decided, (claims or view["legal"])[0]["action"])


@dataclass(frozen=True)
class Place:
    """A page in one of its states."""

    name: str
    path: str  # with the names of tables
    seen: str  # a key: once its text is there, all is
    presses: tuple[str, ...] = ()  # keys of what is to be pressed then, or ROUTE
    stranger: bool = False  # for those who have no tables
    only: Literal["phone", "laptop"] | None = None  # where it looks like this

    def visit(self, visitor: Visitor, tables: Tables, language: str = "en") -> None:
        visitor.go(self.path.format(**vars(tables)))
        visitor.page.get_by_text(said(self.seen, language)).first.wait_for()
        for key in self.presses:
            if key == ROUTE:
                Mouse(visitor).touch_route(visitor.payable_routes()[0])
                visitor.dialog.wait_for()
            elif key == CLOSED_ROUTE:
                Mouse(visitor).touch_route(visitor.quiet_routes()[0])
                visitor.page.get_by_role("link", name=like("rule.link", language)).wait_for()
            else:
                name = said(key, language)
                by_name = visitor.page.get_by_role("button", name=name, exact=True)
                by_name.or_(visitor.page.locator("summary", has_text=name)).first.click()
        visitor.page.evaluate("document.fonts.ready")


ROUTE = "a route that can be claimed"
CLOSED_ROUTE = "a route that cannot"

PLACES = (
    Place("first visit", "/", "home.tagline", stranger=True),
    Place("home", "/", "games.title"),
    Place("choices", "/", "home.tagline", ("home.more",)),
    Place("settings", "/", "home.tagline", ("settings.title",)),
    Place("invitation", "/join/{invite}", "join.sit", stranger=True),
    Place("invitation that is over", "/join/" + 22 * "x", "join.over", stranger=True),
    Place("lobby", "/game/{waiting}", "invite.help"),
    Place("lobby of a stranger", "/game/{waiting}", "lobby.openWatching", stranger=True),
    Place("closing the table", "/game/{waiting}", "invite.help", ("lobby.close",)),
    Place("offer", "/game/{begun}", "offer.title"),
    Place("game", "/game/{halfway}", "prompt.turn"),
    Place("game of four", "/game/{crowd}", "prompt.turn"),
    Place("game of others", "/game/{halfway}", "menu.watching", stranger=True),
    Place("tickets", "/game/{halfway}", "prompt.turn", ("tabs.tickets",), only="phone"),
    Place("players", "/game/{halfway}", "prompt.turn", ("tabs.players",), only="phone"),
    Place("actions", "/game/{halfway}", "prompt.turn", ("actions.title",), only="laptop"),
    Place("actions on a phone", "/game/{halfway}", "prompt.turn", ("tabs.players", "actions.title"), only="phone"),
    Place("payment", "/game/{halfway}", "prompt.turn", (ROUTE,)),
    Place("refusal", "/game/{halfway}", "prompt.turn", (CLOSED_ROUTE,)),
    Place("menu", "/game/{halfway}", "prompt.turn", ("menu.title",)),
    Place("leaving", "/game/{halfway}", "prompt.turn", ("menu.title", "menu.leave")),
    Place("end", "/game/{over}", "end.verify"),
    Place("replay", "/game/{over}?at=20", "replay.eyes"),
    Place("moves", "/game/{over}?at=20", "replay.eyes", ("replay.moves",), only="phone"),
    Place("verification", "/verify", "verify.choose"),
    Place("verified game", "/verify?table={over}", "verify.consistent"),
    Place("rules", "/rules", "rules.figure.cards"),
    Place("tutorial", "/tutorial", "tutorial.next"),
    Place("about", "/about", "about.unofficial"),
    Place("nowhere", "/nowhere", "lost.help", stranger=True),
)


def part(number: int, parts: int) -> Sequence[Place]:
    """One of so many parts of all places. Those of strangers stand together: most parts need one visitor alone."""
    places = sorted(PLACES, key=lambda place: place.stranger)
    return places[number * len(places) // parts : (number + 1) * len(places) // parts]


def tour(
    visit: Visit,
    tables: Tables,
    language: str = "en",
    screens: Sequence[str] = ("laptop", "phone"),
    places: Sequence[Place] = PLACES,
    **settings: Any,
) -> Iterator[tuple[str, Page]]:
    """Goes to every place on the first of the screens, and looks at it on all of them.

    A place that is only found on a phone, or only on a laptop, is seen there whatever the screens.
    """

    @cache
    def let_in(stranger: bool) -> Visitor:
        visitor = visit(locale=language, **settings)
        if stranger:
            visitor.expected = ["status of 4(04|22)"]  # two of the places are nowhere
        else:
            tables.let_in(visitor.context)
        return visitor

    for place in places:
        visitor = let_in(place.stranger)
        kind = place.only
        fitting = [one for one in screens if kind is None or (kind == "phone") == (one == "phone")] or [str(kind)]
        for screen in fitting:
            visitor.page.set_viewport_size(SCREENS[screen])
            if screen == fitting[0]:
                place.visit(visitor, tables, language)
            yield f"{place.name}, {screen}", visitor.page
