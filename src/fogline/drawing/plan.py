"""The plan of a board: everything that a page needs to draw it and to play on it.

It says where everything lies and holds the small pictures, as data. Colours that change from day to night are CSS
variables.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

from fogline.drawing.geometry import CANVAS_BOX, Box
from fogline.drawing.layout import Layout, lay_out
from fogline.drawing.palette import DAY, NIGHT, ROUTE_COLOURS, SEATS, Palette
from fogline.drawing.scenery import draw_scenery
from fogline.drawing.sizes import (
    LABEL_CORNER,
    LABEL_LINE,
    LABEL_PADDING,
    LABEL_SIZE,
    LOCATION_STACK,
    TRACK,
    WAKE,
    WAKE_GAP,
    car_fit,
    space_corner,
    space_fit,
)
from fogline.drawing.symbols import (
    cable_car,
    emblem,
    ferry,
    landmark,
    pattern,
    stop,
    token,
    token_count,
    tokens_below,
)
from fogline.maps.board import Board, Route
from fogline.maps.mapfile import CARDS, COLOURS, GREY, Location

NO_PANEL = (1.0, 1.0)
"""A page shows its title and its legend elsewhere."""


@dataclass(frozen=True, slots=True)
class Place:
    """A rectangle around its centre, turned by `angle` degrees."""

    x: float
    y: float
    width: float
    height: float
    angle: float


@dataclass(frozen=True, slots=True)
class PlanSpace(Place):
    """A space of a route: the radius of its corners, and the scale of a ferry or car on it."""

    corner: float
    ferry: float
    car: float


@dataclass(frozen=True, slots=True)
class PlanLabel:
    """A name on its plate; `base` is where its first line stands."""

    place: Place
    lines: tuple[str, ...]
    size: float
    line: float
    base: float
    corner: float


@dataclass(frozen=True, slots=True)
class PlanLocation:
    """A location: a dot of this radius, its name, and the scale of a stack of tokens there."""

    id: str
    name: str
    landmark: bool
    x: float
    y: float
    radius: float
    stack: float
    label: PlanLabel


@dataclass(frozen=True, slots=True)
class PlanRoute:
    """A route: its row of spaces, and a line of this width through them, dotted with a gap where there are ferries."""

    id: str
    first: str
    second: str
    colour: str
    length: int
    ferries: int
    twin: str | None
    points: int
    spaces: tuple[PlanSpace, ...]  # from its first location to its second
    track: tuple[tuple[float, float], ...]  # from dot to dot; empty for the second of a double route
    width: float
    gap: float | None


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
    tokens: dict[str, str]  # by souvenir, in a circle of radius 19
    tokens_below: tuple[str, ...]  # what can be seen below the top one, in a stack of none, one, two or three
    token_counts: tuple[str, ...]  # the number beside such a stack
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
    plate = PlanLabel(
        place=_place(label.box),
        lines=label.lines,
        size=LABEL_SIZE * scale,
        line=LABEL_LINE * scale,
        base=round(base, 1),
        corner=LABEL_CORNER * scale,
    )
    return PlanLocation(
        id=location.id,
        name=location.name,
        landmark=location.landmark,
        x=dot.x,
        y=dot.y,
        radius=dot.width / 2,
        stack=scale * (1.0 if location.landmark else LOCATION_STACK),
        label=plate,
    )


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
        spaces=tuple(_space(box, layout.scale) for box in layout.spaces[route.id]),
        track=tuple((round(x, 1), round(y, 1)) for x, y in layout.tracks.get(route.id, ())),
        width=(WAKE if route.ferries else TRACK) * layout.scale,
        gap=WAKE_GAP * layout.scale if route.ferries else None,
    )


def _space(box: Box, scale: float) -> PlanSpace:
    corner, ferry, car = (round(size(box, scale), 3) for size in (space_corner, space_fit, car_fit))
    return PlanSpace(**asdict(_place(box)), corner=corner, ferry=ferry, car=car)


def _place(box: Box) -> Place:
    upright = (box.angle + 90) % 180 - 90
    return Place(*(round(number, 1) for number in (box.x, box.y, box.width, box.height, upright)))


def _pictures(board: Board) -> Pictures:
    return Pictures(
        patterns="".join(pattern(_BY_NAME, colour) for colour in (*COLOURS, GREY)),
        tokens={kind: token(kind) for kind in board.souvenirs},
        tokens_below=tuple(tokens_below(count) for count in range(4)),
        token_counts=tuple(token_count(count) for count in range(4)),
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
