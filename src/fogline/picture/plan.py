"""The plan of a board: all that a page needs to draw it and to play on it.

Where everything lies, and the small pictures, as data; colours that change from day to night are CSS variables.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from fogline.board import Board, Route
from fogline.mapfile import CARDS, COLOURS, GREY, Location
from fogline.picture.geometry import CANVAS_BOX, Box
from fogline.picture.labels import LABEL_LINE, LABEL_PADDING, LABEL_SIZE
from fogline.picture.layout import Layout, lay_out
from fogline.picture.palette import DAY, NIGHT, ROUTE_COLOURS, SEATS, Palette
from fogline.picture.scenery import draw_scenery
from fogline.picture.symbols import cable_car, emblem, ferry, landmark, pattern, souvenir, stop

NO_PANEL = (1.0, 1.0)
"""A page has its title and its legend elsewhere."""


@dataclass(frozen=True, slots=True)
class Place:
    """A rectangle around its centre, turned by so many degrees."""

    x: float
    y: float
    width: float
    height: float
    angle: float


@dataclass(frozen=True, slots=True)
class PlanLabel:
    """A name on its plate; `base` is where its first line stands."""

    place: Place
    lines: tuple[str, ...]
    size: float
    line: float
    base: float


@dataclass(frozen=True, slots=True)
class PlanLocation:
    """A location: a dot of this radius, and its name."""

    id: str
    name: str
    landmark: bool
    x: float
    y: float
    radius: float
    label: PlanLabel


@dataclass(frozen=True, slots=True)
class PlanRoute:
    """A route: its row of spaces."""

    id: str
    first: str
    second: str
    colour: str
    length: int
    ferries: int
    twin: str | None
    points: int
    spaces: tuple[Place, ...]  # from its first location to its second
    track: tuple[tuple[float, float], ...]  # from dot to dot; empty for the second of a double route


@dataclass(frozen=True, slots=True)
class PlanTicket:
    """A ticket: two locations and a value."""

    id: str
    first: str
    second: str
    value: int


@dataclass(frozen=True, slots=True)
class Pictures:
    """Pieces of SVG around the origin."""

    patterns: str  # `url(#web-blue)` and so on
    souvenirs: dict[str, str]
    cars: tuple[str, ...]  # by seat, 44 long and 26 high
    emblems: tuple[str, ...]  # by seat, in a circle of radius 9
    ferry: str
    stop: str
    landmark: str


@dataclass(frozen=True, slots=True)
class Plan:
    """A board on a canvas of `width` by `height`."""

    id: str
    name: str
    width: float
    height: float
    scale: float  # of spaces, dots and labels
    cars: int
    cards: dict[str, int]
    route_points: tuple[int, ...]  # by length, from 0
    token_points: tuple[int, ...]  # by number of different souvenirs, from 0
    souvenirs: tuple[str, ...]
    locations: tuple[PlanLocation, ...]
    routes: tuple[PlanRoute, ...]
    tickets: tuple[PlanTicket, ...]
    scenery: str
    pictures: Pictures
    colours: dict[str, str]  # of routes and cards
    seats: tuple[tuple[str, str], ...]  # the emblem and colour of each
    day: dict[str, str]  # CSS variables
    night: dict[str, str]


def make_plan(board: Board) -> Plan:
    """The same board gives the same plan."""
    layout = lay_out(board, NO_PANEL, NO_PANEL)
    facts = board.map_file
    return Plan(
        id=board.id,
        name=board.name,
        width=CANVAS_BOX.width,
        height=layout.bottom,
        scale=layout.scale,
        cars=facts.cars,
        cards=dict(zip(CARDS, facts.cards, strict=True)),
        route_points=facts.route_points,
        token_points=facts.token_points,
        souvenirs=facts.souvenirs,
        locations=tuple(_location(location, layout) for location in board.locations),
        routes=tuple(_route(board, route, layout) for route in board.routes),
        tickets=tuple(PlanTicket(ticket.id, ticket.first, ticket.second, ticket.value) for ticket in board.tickets),
        scenery=draw_scenery(board, layout, _BY_NAME),
        pictures=_pictures(board),
        colours=ROUTE_COLOURS,
        seats=SEATS,
        day=_variables(DAY),
        night=_variables(NIGHT),
    )


def _location(location: Location, layout: Layout) -> PlanLocation:
    dot, label, scale = layout.dots[location.id], layout.labels[location.id], layout.scale
    base = label.box.top + (LABEL_PADDING[1] + LABEL_LINE * 0.77) * scale
    plate = PlanLabel(_place(label.box), label.lines, LABEL_SIZE * scale, LABEL_LINE * scale, round(base, 1))
    return PlanLocation(location.id, location.name, location.landmark, dot.x, dot.y, dot.width / 2, plate)


def _route(board: Board, route: Route, layout: Layout) -> PlanRoute:
    return PlanRoute(
        id=route.id,
        first=route.first,
        second=route.second,
        colour=route.colour,
        length=route.length,
        ferries=route.ferries,
        twin=route.twin,
        points=board.map_file.route_points[route.length],
        spaces=tuple(_place(box) for box in layout.spaces[route.id]),
        track=tuple((round(x, 1), round(y, 1)) for x, y in layout.tracks.get(route.id, ())),
    )


def _place(box: Box) -> Place:
    upright = (box.angle + 90) % 180 - 90
    return Place(*(round(number, 1) for number in (box.x, box.y, box.width, box.height, upright)))


def _pictures(board: Board) -> Pictures:
    return Pictures(
        patterns="".join(pattern(_BY_NAME, colour) for colour in (*COLOURS, GREY)),
        souvenirs={kind: souvenir(kind) for kind in board.souvenirs},
        cars=tuple(cable_car(seat) for seat in range(len(SEATS))),
        emblems=tuple(emblem(name) for name, _ in SEATS),
        ferry=ferry(),
        stop=stop(_BY_NAME),
        landmark=landmark(_BY_NAME),
    )


def _variables(palette: Palette) -> dict[str, str]:
    """The palette as CSS variables: `--sea`, `--hill-near`, `--walls-0`."""
    variables: dict[str, str] = {}
    for field in fields(palette):
        value = getattr(palette, field.name)
        values = {f"-{i}": one for i, one in enumerate(value)} if isinstance(value, tuple) else {"": value}
        variables |= {f"--{field.name.replace('_', '-')}{suffix}": str(one) for suffix, one in values.items()}
    del variables["--theme"]
    return variables


def _by_name() -> Palette:
    """A palette whose colours are the names of those variables."""
    names = {field.name: f"var(--{field.name.replace('_', '-')})" for field in fields(Palette)}
    walls = tuple(f"var(--walls-{i})" for i in range(len(DAY.walls)))
    return Palette(**(names | {"theme": "web", "walls": walls}))  # type: ignore[arg-type]


_BY_NAME = _by_name()
