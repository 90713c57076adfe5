"""A second, independent statement of the rules, written from RULES.md alone: plain, slow, and easy to believe.

It is fed the events of a game one by one. It says what the seat to decide may do, accepts an event that can come next
and refuses any other with the id of the rule it breaks. It shares no code with the engine: that is its whole worth.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

COLOURS = ("blue", "green", "black", "purple", "red", "orange")
FERRY = "ferry"
GREY = "grey"
CARDS = (*COLOURS, FERRY)

DISPLAY_SIZE = 5  # 2.4
RESET_FERRIES = 3  # 3.7
MOST_RESETS = 3  # 3.7
LAST_ROUND_CARS = 2  # 7.1

# What a map file may leave out.
DEFAULT_CARS = 20  # 1.7
DEFAULT_CARDS = {**dict.fromkeys(COLOURS, 6), FERRY: 8}  # 1.4
DEFAULT_SOUVENIRS = ["bell", "lantern", "sourdough", "heart", "crab", "sea_lion", "fortune_cookie"]  # 1.6
DEFAULT_TOKEN_POINTS = [0, 0, 1, 2, 4, 6, 9, 12]  # 9.2

Event = dict[str, Any]
Pile = dict[str, int]  # how many of each card; every card is a key


class Foul(Exception):
    """An event that cannot come next; `rule` is the id of the rule it breaks."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{rule} {message}")
        self.rule = rule


class Payment(NamedTuple):
    """One way to pay for a route: so many `cards` of `colour` (none when all are ferries) and so many `ferries`."""

    claim: str  # the text of the action
    colour: str
    cards: int
    ferries: int


@dataclass(frozen=True)
class Route:
    id: str
    ends: tuple[str, str]
    length: int
    colour: str
    ferries: int
    points: int
    twin: str | None
    payments: tuple[Payment, ...]


@dataclass
class Stack:
    souvenir: str
    tokens: int


# ---------------------------------------------------------------- the map


def ticket_id(entry: dict[str, Any]) -> str:
    return "-".join(entry["between"])


def payments(route: str, length: int, colour: str, symbols: int) -> tuple[Payment, ...]:
    """Every payment for a route by 4.2, 4.3 and 4.4; the one of ferries only comes once, whatever the colours."""
    found = [Payment(f"claim {route} ferry{length}", FERRY, 0, length)]
    for paid in COLOURS if colour == GREY else (colour,):
        for ferries in range(symbols, length):
            cards = length - ferries
            text = f"claim {route} {paid}{cards}" + (f" ferry{ferries}" if ferries else "")
            found.append(Payment(text, paid, cards, ferries))
    return tuple(found)


def routes_of(map_data: dict[str, Any]) -> dict[str, Route]:
    """The routes by id; two colours on one connection make a double route (1.2)."""
    routes = {}
    for entry in map_data["routes"]:
        first, second = entry["between"]
        length, symbols = entry["length"], entry.get("ferries", 0)
        names = [f"{first}-{second}"]
        if len(entry["colours"]) == 2:
            names = [f"{first}-{second}:1", f"{first}-{second}:2"]
        for name, twin, colour in zip(names, reversed(names), entry["colours"], strict=True):
            routes[name] = Route(
                id=name,
                ends=(first, second),
                length=length,
                colour=colour,
                ferries=symbols,
                points=map_data["route_points"][length],  # 1.8
                twin=twin if twin != name else None,
                payments=payments(name, length, colour, symbols),
            )
    return routes


# ---------------------------------------------------------------- the shape of events


def is_number(value: object) -> bool:
    return type(value) is int


def is_text(value: object) -> bool:
    return type(value) is str


def is_texts(value: object) -> bool:
    return type(value) is list and all(type(item) is str for item in value)


def is_payment(value: object) -> bool:
    return type(value) is dict and all(
        type(card) is str and type(count) is int and count > 0 for card, count in value.items()
    )


SHAPES: dict[str, dict[str, Callable[[object], bool]]] = {
    "deal": {"e": is_text, "seat": is_number, "cards": is_texts},
    "display": {"e": is_text, "cards": is_texts},
    "reset": {"e": is_text, "cards": is_texts},
    "flip": {"e": is_text, "card": is_text},
    "recycle": {"e": is_text},
    "offer": {"e": is_text, "seat": is_number, "tickets": is_texts},
    "keep": {"e": is_text, "seat": is_number, "tickets": is_texts},
    "place": {"e": is_text, "seat": is_number, "location": is_text, "souvenir": is_text, "count": is_number},
    "draw": {"e": is_text, "seat": is_number, "from": is_text, "card": is_text},
    "claim": {"e": is_text, "seat": is_number, "route": is_text, "cards": is_payment},
    "token": {"e": is_text, "seat": is_number, "location": is_text, "souvenir": is_text},
    "pass": {"e": is_text, "seat": is_number},
    "last_round": {"e": is_text, "seat": is_number},
    "end": {"e": is_text, "reason": is_text},
}


def check_shape(event: object) -> str:
    """The kind of a well-formed event."""
    if type(event) is not dict:
        raise Foul("record", "an event is an object")
    kind = event.get("e")
    if type(kind) is not str or kind not in SHAPES:
        raise Foul("record", f"an event is one of {', '.join(SHAPES)}")
    shape = SHAPES[kind]
    if event.keys() != shape.keys():
        raise Foul("record", f"the keys of {kind} are {', '.join(shape)}")
    for key, fits in shape.items():
        if not fits(event[key]):
            raise Foul("record", f"{kind}: the value of {key} is malformed")
    return kind


# ---------------------------------------------------------------- what may be due

# The kinds of event that may come when something is due; where it is not named here, only an event of its own name.
ACCEPTED = {"turn": ("draw", "claim", "offer", "pass"), "second": ("draw",), "over": ()}  # 3.1, 3.2

# The rule that is broken when a consequence that is due does not come,
RULE_OF_CONSEQUENCE = {"recycle": "3.8", "flip": "3.9", "reset": "3.7", "token": "5.3", "last_round": "7.1"}
# and the one broken by an event that cannot come while a seat may choose its action.
RULE_OF_KIND = {
    "deal": "2.4",
    "display": "2.4",
    "recycle": "3.8",
    "flip": "3.3",
    "reset": "3.7",
    "offer": "3.1",
    "keep": "6.1",
    "place": "2.7",
    "claim": "3.1",
    "token": "5.1",
    "pass": "8.3",
    "last_round": "7.1",
    "end": "7.1",
}


class Referee:
    def __init__(self, map_data: dict[str, Any], players: int) -> None:
        if not 2 <= players <= 4:
            raise ValueError("1.7 a game has 2 to 4 players")
        self.players = players
        self.locations = list(map_data["locations"])
        self.routes = routes_of(map_data)
        self.tickets = {ticket_id(entry): entry for entry in map_data["tickets"]}
        self.token_points: list[int] = map_data.get("token_points", DEFAULT_TOKEN_POINTS)

        # 1.4 the transport cards; all of them are in the deck at first.
        cards = map_data.get("cards", DEFAULT_CARDS)
        self.deck: Pile = {card: cards.get(card, 0) for card in CARDS}
        self.discard: Pile = dict.fromkeys(CARDS, 0)
        self.display: list[str] = []
        self.slots = 0  # of the display; five from the moment it is laid out
        self.turned_up = False  # cards came into the display since it was last looked at (3.7)
        self.resets = 0  # that followed one another (3.7)

        # 2.5 the ticket deck: tickets nobody has seen, in an order nobody knows, above those put at the bottom.
        self.unseen = set(self.tickets)
        self.bottom: deque[str] = deque()
        self.offered: list[str] = []

        # What each seat has.
        seats = range(players)
        self.hands: list[Pile] = [dict.fromkeys(CARDS, 0) for _ in seats]
        self.kept: list[list[str]] = [[] for _ in seats]
        self.cars: list[int] = [map_data.get("cars", DEFAULT_CARS) for _ in seats]
        self.points = [0 for _ in seats]  # 2.1
        self.souvenirs: list[set[str]] = [set() for _ in seats]
        self.owners: dict[str, int] = {}  # route -> seat
        self.open_to = [dict(self.routes) for _ in seats]  # the routes that each seat may still claim

        # 2.2, 2.3 the stacks on the landmarks; the last two kinds are set aside.
        kinds = map_data.get("souvenirs", DEFAULT_SOUVENIRS)
        landmarks = [name for name, place in map_data["locations"].items() if place.get("landmark", False)]
        self.stack_size = 3 if players == 4 else 2
        self.stacks = {place: Stack(kind, self.stack_size) for place, kind in zip(landmarks, kinds[:-2], strict=True)}
        self.set_aside: deque[str] = deque(kinds[-2:])

        # Where the game stands: `step` of `actor`, once the consequences of the last event are done; `due` comes next.
        self.steps = deque(self._set_up())
        self.step, self.actor = self.steps.popleft()
        self.due = self.step
        self.claimed: Route | None = None  # in this turn
        self.passes = 0  # in succession (8.4)
        self.turns_left: int | None = None  # of the last round, once it has begun (7.1)
        self.reason = ""  # why the game ends

    def _set_up(self) -> list[tuple[str, int]]:
        """The steps of chapter 2 in their order, and the first turn (2.6)."""
        seats = range(self.players)
        last = self.players - 1
        placing = (1, 1) if self.players == 2 else (last, last - 1)  # 2.8, 2.7
        return [
            *(("deal", seat) for seat in seats),
            ("display", 0),
            *((step, seat) for seat in seats for step in ("offer", "keep")),
            *(("place", seat) for seat in placing),
            ("turn", 0),
        ]

    # ------------------------------------------------------------ what may be chosen

    @property
    def over(self) -> bool:
        return self.due == "over"

    @property
    def seat(self) -> int | None:
        """Who decides now. A token that cannot be chosen is taken without a decision (5.1, 5.2)."""
        if self.due in ("turn", "second", "keep", "place") or (self.due == "token" and len(self._token_places()) == 2):
            return self.actor
        return None

    def choices(self) -> set[str]:
        """Every legal action, as text, of the seat that decides now."""
        if self.seat is None:
            return set()
        if self.due == "turn":
            return self._actions() or {"pass"}  # 8.3
        if self.due == "second":
            return self._second_draws()
        if self.due == "keep":
            return {"keep first", "keep second", "keep both"} if len(self.offered) == 2 else {"keep first"}  # 6.1
        if self.due == "place":
            return {f"place {place}" for place in self._free_places()}
        return {f"token {place}" for place in self._token_places()}  # 5.2

    def _actions(self) -> set[str]:
        """What the turn may be (3.1); nothing when the seat is stuck."""
        actions = self._claims()
        actions.update(f"draw {card}" for card in self.display)  # 3.2
        if any(self.deck.values()):  # 8.1
            actions.add("draw deck")
        if self.unseen or self.bottom:  # 6.1
            actions.add("draw tickets")
        return actions

    def _second_draws(self) -> set[str]:
        """What the second card may be: no ferry card of the display (3.5)."""
        draws = {f"draw {card}" for card in self.display if card != FERRY}
        if any(self.deck.values()):  # 8.1
            draws.add("draw deck")
        return draws

    def _claims(self) -> set[str]:
        """Open routes, enough cars (4.5), and a payment from the hand (4.1)."""
        hand, cars = self.hands[self.actor], self.cars[self.actor]
        held = hand[FERRY]
        return {
            claim
            for route in self.open_to[self.actor].values()
            if route.length <= cars
            for claim, colour, cards, ferries in route.payments
            if cards <= hand[colour] and ferries <= held
        }

    def _free_places(self) -> list[str]:
        """The locations without a stack (2.7, 2.8)."""
        return [place for place in self.locations if place not in self.stacks]

    def _token_places(self) -> list[str]:
        """The ends of the route just claimed that hold a token of a kind that the player does not own (5.1, 5.4)."""
        assert self.claimed is not None
        owned = self.souvenirs[self.actor]
        stacks = [(place, self.stacks.get(place)) for place in self.claimed.ends]
        return [place for place, stack in stacks if stack and stack.tokens and stack.souvenir not in owned]

    # ------------------------------------------------------------ events

    def apply(self, event: dict[str, Any]) -> None:
        """Accepts the next event, or raises Foul and changes nothing."""
        kind = check_shape(event)
        if kind not in ACCEPTED.get(self.due, (self.due,)):
            self._refuse(kind)
        if "seat" in event and event["seat"] != self.actor:
            raise Foul("1.7", f"{kind}: seat {self.actor} is the one in turn")
        HANDLERS[kind](self, event)
        self._settle()

    def _refuse(self, kind: str) -> NoReturn:
        if self.due in ("turn", "second"):
            raise Foul(RULE_OF_KIND[kind], f"{kind} cannot come now: seat {self.actor} is to act")
        raise Foul(self._rule_of_due(), f"{kind} cannot come now: the game is at {self.due}")

    def _rule_of_due(self) -> str:
        if self.due in ("deal", "display"):
            return "2.4"
        if self.due in ("offer", "keep"):
            return self._ticket_rule()
        if self.due == "place":
            return self._place_rule()
        if self.due in ("end", "over"):
            return self._end_rule()
        return RULE_OF_CONSEQUENCE[self.due]

    def _ticket_rule(self) -> str:
        return "2.5" if self.steps else "6.1"

    def _place_rule(self) -> str:
        return "2.8" if self.players == 2 else "2.7"

    def _end_rule(self) -> str:
        return "7.1" if self.reason == "last_round" else "8.4"

    # Each handler checks the whole event before it changes anything.

    def _deal(self, event: Event) -> None:
        """2.4: every seat is dealt two cards."""
        if len(event["cards"]) != 2:
            raise Foul("2.4", "every seat is dealt 2 cards")
        self._check_in_deck(event["cards"])
        for card in event["cards"]:
            move(card, self.deck, self.hands[self.actor])
        self.step = "done"

    def _lay_out(self, event: Event) -> None:
        """2.4: the display is turned up."""
        cards = event["cards"]
        if len(cards) != min(DISPLAY_SIZE, sum(self.deck.values())):
            raise Foul("2.4", "the display is five cards, or as many as there are")
        self._check_in_deck(cards)
        self.slots = DISPLAY_SIZE
        for card in cards:
            self._turn_up(card)
        self.step = "done"

    def _flip(self, event: Event) -> None:
        """3.3, 3.9: one card is turned up into the display."""
        self._check_in_deck([event["card"]])
        self._turn_up(event["card"])

    def _reset(self, event: Event) -> None:
        """3.7: the whole display is discarded."""
        if sorted(event["cards"]) != sorted(self.display):
            raise Foul("3.7", "a reset discards the whole display")
        for card in self.display:
            self.discard[card] += 1
        self.display.clear()
        self.resets += 1

    def _recycle(self, event: Event) -> None:
        """3.8: the discard pile becomes the deck."""
        self.deck, self.discard = self.discard, self.deck

    def _offer(self, event: Event) -> None:
        """2.5, 6.1: from the top, first those nobody has seen."""
        tickets = event["tickets"]
        hidden = len(self.unseen)
        if hidden + len(self.bottom) == 0:
            raise Foul("6.1", "no ticket is left")
        if len(tickets) != min(2, hidden + len(self.bottom)):
            raise Foul(self._ticket_rule(), "the top 2 tickets are offered, or the only one")
        if len(set(tickets)) != len(tickets):
            raise Foul("1.5", "there is one of each ticket")
        for position, ticket in enumerate(tickets):
            on_top = ticket in self.unseen if position < hidden else ticket == self.bottom[position - hidden]
            if not on_top:
                raise Foul(self._ticket_rule(), f"{ticket} cannot be on top of the ticket deck")
        for ticket in tickets:
            if ticket in self.unseen:
                self.unseen.remove(ticket)
            else:
                self.bottom.popleft()
        self.offered = tickets[:]
        self.step = "keep" if self.step == "turn" else "done"  # in the set-up the keep is a step of its own
        self.passes = 0

    def _keep(self, event: Event) -> None:
        """2.5, 6.1: one or two of those offered; the other goes to the bottom."""
        tickets = event["tickets"]
        if not tickets or len(set(tickets)) != len(tickets) or not set(tickets) <= set(self.offered):
            raise Foul(self._ticket_rule(), "one or two of the tickets offered are kept")
        self.kept[self.actor].extend(tickets)
        self.bottom.extend(ticket for ticket in self.offered if ticket not in tickets)
        self.offered = []
        self.step = "done"

    def _place(self, event: Event) -> None:
        """2.7, 2.8: a set-aside stack goes to a location without one."""
        rule = self._place_rule()
        size = 1 if self.players == 2 else self.stack_size
        if event["location"] not in self._free_places():
            raise Foul(rule, f"{event['location']} is not a location without a stack")
        if event["souvenir"] != self.set_aside[0]:
            raise Foul(rule, f"the souvenir to place is {self.set_aside[0]}")
        if event["count"] != size:
            raise Foul(rule, f"the stack to place has {size}")
        self.stacks[event["location"]] = Stack(self.set_aside.popleft(), size)
        self.step = "done"

    def _draw(self, event: Event) -> None:
        """3.2: the first or the second card of a turn."""
        card = event["card"]
        if event["from"] == "deck":
            self._draw_blind(card)
        elif event["from"] == "display":
            self._draw_open(card)
        else:
            raise Foul("3.2", "a card is drawn from the deck or the display")
        is_last = self.step == "second" or (event["from"] == "display" and card == FERRY)  # 3.4, 3.6
        self.step = "done" if is_last else "second"
        self.passes = 0

    def _draw_blind(self, card: str) -> None:
        if not any(self.deck.values()):
            raise Foul("8.1", "the deck is empty")
        self._check_in_deck([card])
        move(card, self.deck, self.hands[self.actor])

    def _draw_open(self, card: str) -> None:
        if card not in self.display:
            raise Foul("3.2", f"no {card} card in the display")
        if self.step == "second" and card == FERRY:
            raise Foul("3.5", "a ferry card in the display cannot be the second card")
        self.display.remove(card)
        self.hands[self.actor][card] += 1

    def _claim(self, event: Event) -> None:
        """4.1: a route is claimed and paid for."""
        route = self.routes.get(event["route"])
        if route is None:
            raise Foul("1.1", f"no route {event['route']}")
        if route.id not in self.open_to[self.actor]:
            self._refuse_closed(route)
        if route.length > self.cars[self.actor]:
            raise Foul("4.5", f"{route.length} cars are needed, {self.cars[self.actor]} left")
        self._check_payment(route, event["cards"])
        for card, count in event["cards"].items():
            move(card, self.hands[self.actor], self.discard, count)
        self.cars[self.actor] -= route.length
        self.points[self.actor] += route.points  # 4.6
        self._close(route)
        self.claimed = route
        self.step = "token"
        self.passes = 0

    def _check_payment(self, route: Route, cards: dict[str, int]) -> None:
        hand = self.hands[self.actor]
        colours = [card for card in cards if card != FERRY]
        if sum(cards.values()) != route.length:
            raise Foul("4.1", f"the payment is {route.length} cards")
        if len(colours) > 1:
            raise Foul("4.2", "the cards of a payment are of one colour")
        for colour in colours:
            if colour not in COLOURS or route.colour not in (GREY, colour):
                raise Foul("4.2", f"the route is {route.colour}, not {colour}")
        if cards.get(FERRY, 0) < route.ferries:
            raise Foul("4.4", f"the payment holds at least {route.ferries} ferry cards")
        if any(hand[card] < count for card, count in cards.items()):
            raise Foul("4.1", "the player does not hold these cards")

    def _refuse_closed(self, route: Route) -> NoReturn:
        if route.id in self.owners:
            raise Foul("4.9", "the route is claimed already")
        if route.twin and self.owners[route.twin] == self.actor:
            raise Foul("4.7", "nobody owns both routes of a double route")
        raise Foul("4.8", "with 2 players the twin of a claimed route is closed")

    def _close(self, route: Route) -> None:
        """Nobody may claim the route again (4.9), nor its owner the twin (4.7), nor, with 2 players, anyone (4.8)."""
        self.owners[route.id] = self.actor
        for seat, still_open in enumerate(self.open_to):
            still_open.pop(route.id, None)
            if route.twin and (seat == self.actor or self.players == 2):
                still_open.pop(route.twin, None)

    def _token(self, event: Event) -> None:
        """5.1, 5.2: one token from an end of the route just claimed."""
        place = event["location"]
        if place not in self._token_places():
            raise Foul("5.1", f"no token at {place} to take")
        stack = self.stacks[place]
        if event["souvenir"] != stack.souvenir:
            raise Foul("5.1", f"the token at {place} is a {stack.souvenir}")
        stack.tokens -= 1
        self.souvenirs[self.actor].add(stack.souvenir)
        self.step = "done"

    def _pass(self, event: Event) -> None:
        """8.3: only a player with no possible action passes."""
        if self._actions():
            raise Foul("8.3", "passing is legal only without any other action")
        self.passes += 1
        self.step = "done"

    def _begin_last_round(self, event: Event) -> None:
        """7.1: every player has one more turn, beginning with the next."""
        self.turns_left = self.players
        self._next_turn()

    def _end(self, event: Event) -> None:
        """7.1, 8.4: the game is over, for the right reason."""
        if event["reason"] != self.reason:
            raise Foul(self._end_rule(), f"the reason is {self.reason}")
        self.step = "over"

    # ------------------------------------------------------------ cards

    def _check_in_deck(self, cards: list[str]) -> None:
        if any(cards.count(card) > self.deck.get(card, 0) for card in cards):
            raise Foul("1.4", f"the deck does not hold {', '.join(cards)}")

    def _turn_up(self, card: str) -> None:
        self.deck[card] -= 1
        self.display.append(card)
        self.turned_up = True

    # ------------------------------------------------------------ what comes next

    def _settle(self) -> None:
        """Finds what is due after an event: first its consequences, then the next step."""
        self.due = self._consequence()
        if self.due:
            return
        self.turned_up, self.resets = False, 0  # 3.7: from here on the display stands
        if self.step == "second" and not self._second_draws():  # 3.10
            self.step = "done"
        if self.step == "token" and not self._token_places():  # 5.1
            self.step = "done"
        if self.step == "done":
            self._next_step()
        self.due = self.step

    def _consequence(self) -> str:
        """What happens by itself to deck and display; nothing when they are at rest."""
        has_deck = any(self.deck.values())
        if not has_deck and any(self.discard.values()):  # 3.8
            return "recycle"
        if has_deck and len(self.display) < self.slots:  # 3.3, 3.9
            return "flip"
        too_many = self.display.count(FERRY) >= RESET_FERRIES
        if self.turned_up and too_many and has_deck and self.resets < MOST_RESETS:  # 3.7
            return "reset"
        return ""

    def _next_step(self) -> None:
        if self.steps:
            self.step, self.actor = self.steps.popleft()
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        if self.turns_left is None and self.cars[self.actor] <= LAST_ROUND_CARS:  # 7.1, 7.2
            self.step = "last_round"
            return
        if self.turns_left is not None:
            self.turns_left -= 1
        if self.turns_left == 0:  # 7.1
            self.step, self.reason = "end", "last_round"
        elif self.passes == self.players:  # 8.4
            self.step, self.reason = "end", "stuck"
        else:
            self._next_turn()

    def _next_turn(self) -> None:
        self.step, self.actor = "turn", (self.actor + 1) % self.players

    # ------------------------------------------------------------ scoring

    def scores(self) -> list[dict[str, Any]]:
        """The scores of chapter 9, once the game is over."""
        return [self._score(seat) for seat in range(self.players)]

    def _score(self, seat: int) -> dict[str, Any]:
        completed, failed, value = [], [], 0
        for ticket, entry in self.tickets.items():
            if ticket not in self.kept[seat]:
                continue
            if self._joined(seat, *entry["between"]):  # 9.1
                completed.append(ticket)
                value += entry["value"]
            else:
                failed.append(ticket)
                value -= entry["value"]
        tokens = self.token_points[len(self.souvenirs[seat])]  # 9.2
        return {
            "routes": self.points[seat],
            "tickets": value,
            "tokens": tokens,
            "total": self.points[seat] + value + tokens,
            "completed": completed,
            "failed": failed,
        }

    def _joined(self, seat: int, start: str, goal: str) -> bool:
        """6.3: whether an unbroken line of the seat's own routes joins the two locations."""
        lines = [self.routes[route].ends for route, owner in self.owners.items() if owner == seat]
        reached, frontier = {start}, [start]
        while frontier:
            here = frontier.pop()
            for first, second in lines:
                there = second if here == first else first
                if here in (first, second) and there not in reached:
                    reached.add(there)
                    frontier.append(there)
        return goal in reached

    def winners(self) -> list[int]:
        """9.3: most points; of those tied, most completed tickets; of those still tied, all."""
        ranks = [(score["total"], len(score["completed"])) for score in self.scores()]
        return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]


def move(card: str, source: Pile, target: Pile, count: int = 1) -> None:
    source[card] -= count
    target[card] += count


HANDLERS: dict[str, Callable[[Referee, Event], None]] = {
    "deal": Referee._deal,
    "display": Referee._lay_out,
    "reset": Referee._reset,
    "flip": Referee._flip,
    "recycle": Referee._recycle,
    "offer": Referee._offer,
    "keep": Referee._keep,
    "place": Referee._place,
    "draw": Referee._draw,
    "claim": Referee._claim,
    "token": Referee._token,
    "pass": Referee._pass,
    "last_round": Referee._begin_last_round,
    "end": Referee._end,
}
