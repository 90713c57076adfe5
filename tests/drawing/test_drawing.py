"""The picture of a board: complete, the same every time, and nothing of the game hidden by anything else."""

from __future__ import annotations

from importlib import resources
from itertools import combinations
from xml.etree import ElementTree

import pytest

from fogline.drawing.board import draw
from fogline.drawing.coast import Coast
from fogline.drawing.geometry import CANVAS_BOX, Box, text_width
from fogline.drawing.layout import Layout, lay_out
from fogline.drawing.palette import DAY, SEATS
from fogline.drawing.panels import LEGEND_SIZE, title_size
from fogline.drawing.symbols import pattern, souvenir
from fogline.game.game import Game
from fogline.maps.board import Board
from fogline.maps.mapfile import COLOURS, DEFAULTS, GREY
from fogline.maps.reader import built_in_maps
from tests.policies import play_out

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=built_in_maps())
def board(request: pytest.FixtureRequest) -> Board:
    return Board.load(request.param)


@pytest.fixture
def layout(board: Board) -> Layout:
    return lay_out(board, title_size(board), LEGEND_SIZE)


def parse(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def groups(picture: ElementTree.Element, attribute: str) -> dict[str, ElementTree.Element]:
    return {group.attrib[attribute]: group for group in picture.iter(f"{SVG}g") if attribute in group.attrib}


def of_class(picture: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in picture.iter() if element.get("class") == name]


def tiny_with(old: str, new: str) -> Board:
    text = resources.files("fogline").joinpath("maps", "tiny.toml").read_text("utf-8")
    assert old in text
    return Board.parse(text.replace(old, new))


def test_land_may_be_written_either_way_round() -> None:
    corners = [(0.0, 0.0), (600.0, 0.0), (600.0, 400.0), (0.0, 400.0)]
    assert {piece[0]: piece[-1] for piece in Coast(corners[::-1]).pieces} == {
        piece[0]: piece[-1] for piece in Coast(corners).pieces
    }


def test_a_picture_is_one_svg_with_a_title_and_a_description(board: Board) -> None:
    picture = parse(draw(board))
    assert picture.tag == f"{SVG}svg"
    assert picture.get("role") == "img"
    assert board.name in str(picture.findtext(f"{SVG}title"))
    description = str(picture.findtext(f"{SVG}desc"))
    assert all(location.name in description for location in board.locations)


def test_a_picture_needs_nothing_from_elsewhere(board: Board) -> None:
    svg = draw(board)
    assert svg.count("http") == 1  # the namespace
    assert "<script" not in svg
    assert "href" not in svg


def test_every_reference_is_to_something_in_the_picture(board: Board) -> None:
    picture = parse(draw(board))
    ids = {element.attrib["id"] for element in picture.iter() if "id" in element.attrib}
    values = [value for element in picture.iter() for value in element.attrib.values()]
    assert {value[5:-1] for value in values if value.startswith("url(#")} <= ids


def test_the_same_board_gives_the_same_picture(board: Board) -> None:
    again = Board(board.map_file)
    assert draw(again) == draw(board)


def test_every_route_is_there_with_a_shape_for_each_space(board: Board) -> None:
    drawn = groups(parse(draw(board)), "data-route")
    assert list(drawn) == [route.id for route in board.routes]
    for route in board.routes:
        spaces = of_class(drawn[route.id], "space")
        assert len(spaces) == route.length
        assert {space.get("fill") for space in spaces} == {f"url(#day-{route.colour})"}


def test_every_location_is_there_with_its_name(board: Board) -> None:
    picture = parse(draw(board))
    assert list(groups(picture, "data-location")) == [location.id for location in board.locations]
    assert len(of_class(picture, "label")) == len(board.locations)
    words = " ".join(str(text.text) for text in picture.iter(f"{SVG}text"))
    assert all(word in words for location in board.locations for word in location.name.split())


def test_colours_differ_by_pattern_too() -> None:
    def marks(colour: str) -> str:
        return pattern(DAY, colour).partition("<g ")[2].partition(">")[2]

    assert len({marks(colour) for colour in (*COLOURS, GREY)}) == len(COLOURS) + 1


def test_spaces_lie_apart(layout: Layout) -> None:
    spaces = [box for row in layout.spaces.values() for box in row]
    assert [pair for pair in combinations(spaces, 2) if pair[0].overlap(pair[1])] == []


def test_spaces_stop_short_of_the_dots(layout: Layout) -> None:
    spaces = [box for row in layout.spaces.values() for box in row]
    for dot in layout.dots.values():
        assert all(space.distance(dot.middle) > dot.width / 2 for space in spaces)


def test_labels_hide_nothing_and_stay_on_the_canvas(layout: Layout) -> None:
    labels = [label.box for label in layout.labels.values()]
    others = [box for row in layout.spaces.values() for box in row]
    others += [*layout.dots.values(), layout.title, layout.legend]
    assert [pair for pair in combinations(labels, 2) if pair[0].overlap(pair[1])] == []
    assert [(label, box) for label in labels for box in others if label.overlap(box)] == []
    assert all(on_canvas(label) for label in labels)


def test_panels_hide_nothing(layout: Layout) -> None:
    assert not layout.title.overlap(layout.legend)
    for panel in (layout.title, layout.legend):
        assert on_canvas(panel)
        assert not any(panel.overlap(box) for row in layout.spaces.values() for box in row)
        assert not any(panel.overlap(dot) for dot in layout.dots.values())


def on_canvas(box: Box) -> bool:
    return box.left >= 0 and box.top >= 0 and box.right <= CANVAS_BOX.right and box.bottom <= CANVAS_BOX.bottom


def test_names_fit_their_labels(board: Board, layout: Layout) -> None:
    for location in board.locations:
        label = layout.labels[location.id]
        assert " ".join(label.lines) == location.name
        assert all(text_width(line, 15.5) * layout.scale < label.box.width for line in label.lines)


def test_a_bend_bulges_to_the_right_of_the_way() -> None:
    """The way from harbour to island leads left on the canvas, so a bend to its right goes up."""
    board = Board.load("tiny")
    (space,) = lay_out(board, (10, 10), (10, 10)).spaces["harbour-island"]
    straight = tiny_with("bend = 40", "bend = 0")
    (unbent,) = lay_out(straight, (10, 10), (10, 10)).spaces["harbour-island"]
    assert space.y < unbent.y - 30


def test_twins_lie_side_by_side() -> None:
    spaces = lay_out(Board.load("tiny"), (10, 10), (10, 10)).spaces
    (one,), (other,) = spaces["harbour-market:1"], spaces["harbour-market:2"]
    assert one.angle == other.angle
    assert one.height < one.distance(other.middle) + one.height / 2 < 1.5 * one.height


def test_a_crowded_map_has_its_panels_below_the_canvas() -> None:
    board = Board.load("tiny")
    layout = lay_out(board, (1190, 500), (300, 700))
    assert layout.title.top > CANVAS_BOX.bottom
    assert layout.bottom > layout.title.bottom


def test_locations_on_top_of_each_other_are_drawn_all_the_same() -> None:
    board = tiny_with("x = 640, y = 470", "x = 520, y = 250")
    assert len(of_class(parse(draw(board)), "space")) == sum(route.length for route in board.routes)


NAMES = ["Rock & Roll <Quay>", "It's 'here'", "小さな島", "A name as long as a map file lets any name become"]


@pytest.mark.parametrize("name", NAMES)
def test_names_are_escaped(name: str) -> None:
    board = tiny_with('name = "Harbour"', f'name = "{name}"')
    drawn = groups(parse(draw(board)), "data-location")["harbour"]
    assert drawn.findtext(f"{SVG}title") == name
    named = tiny_with('name = "Tiny"', f'name = "{name}"')
    assert name in str(parse(draw(named)).findtext(f"{SVG}title"))


def test_night_differs_from_day_in_colour_alone(board: Board) -> None:
    day, night = parse(draw(board)), parse(draw(board, dark=True))
    assert draw(board) != draw(board, dark=True)

    def places(picture: ElementTree.Element) -> list[str | None]:
        return [element.get("transform") for element in of_class(picture, "space")]

    assert places(day) == places(night)
    assert not ids(day) & ids(night)


def ids(picture: ElementTree.Element) -> set[str]:
    return {element.attrib["id"] for element in picture.iter() if "id" in element.attrib}


def test_ferry_symbols_are_shown() -> None:
    board = Board.load("tiny")
    drawn = groups(parse(draw(board)), "data-route")
    assert len(list(drawn["harbour-island"].iter(f"{SVG}circle"))) == 1
    assert len(list(drawn["harbour-park"].iter(f"{SVG}circle"))) == 0


def test_a_claimed_route_carries_a_car_on_each_space_in_its_owners_colour() -> None:
    board = Board.load("san_francisco")
    owners = {"sunset-twin_peaks:1": 0, "sunset-twin_peaks:2": 1, "castro-mission:1": 2, "twin_peaks-castro": 3}
    drawn = groups(parse(draw(board, owners=owners)), "data-route")
    for route in board.routes:
        cars = of_class(drawn[route.id], "car")
        assert len(cars) == (route.length if route.id in owners else 0)
        assert drawn[route.id].get("data-owner") == (str(owners[route.id]) if route.id in owners else None)
        for car in cars:
            assert SEATS[owners[route.id]][1] in {path.get("fill") for path in car.iter(f"{SVG}path")}


def test_seats_differ_by_emblem_too() -> None:
    route = "harbour-park"
    board = Board.load("tiny")
    pictures = [groups(parse(draw(board, owners={route: seat})), "data-route")[route] for seat in range(4)]
    shapes = [tuple(path.get("d") for path in picture.iter(f"{SVG}path")) for picture in pictures]
    assert len(set(shapes)) == 4


def test_landmarks_begin_with_the_first_souvenirs() -> None:
    board = Board.load("san_francisco")
    drawn = groups(parse(draw(board)), "data-location")
    found = {key: list(groups(group, "data-souvenir")) for key, group in drawn.items()}
    first = dict(zip([landmark.id for landmark in board.landmarks], board.souvenirs, strict=False))
    assert found == {key: [first[key]] if key in first else [] for key in drawn}


def test_stacks_are_shown_with_their_number() -> None:
    board = Board.load("tiny")
    stacks = {"market": ("crab", 3), "park": ("heart", 1), "hill": ("bell", 0)}
    drawn = groups(parse(draw(board, stacks=stacks)), "data-location")
    assert "3" in [text.text for text in drawn["market"].iter(f"{SVG}text")]
    assert list(groups(drawn["park"], "data-souvenir")) == ["heart"]
    assert not list(drawn["park"].iter(f"{SVG}text"))
    assert not groups(drawn["hill"], "data-souvenir")
    assert not groups(drawn["island"], "data-souvenir")


def test_a_souvenir_we_have_no_picture_of_is_a_coin_with_its_initial() -> None:
    assert ">P<" in souvenir("pagoda")
    assert len({souvenir(kind) for kind in DEFAULTS["souvenirs"]}) == 7
    assert not any("<text" in souvenir(kind) for kind in DEFAULTS["souvenirs"])


# In notebooks.


def test_a_notebook_shows_a_board_and_a_game() -> None:
    board = Board.load("tiny")
    assert board._repr_svg_() == draw(board)
    game = play_out(Game("tiny", seed=1), 1)
    view = game.view(None)
    assert game._repr_svg_() == draw(board, owners=view.owners, stacks=view.stacks) != draw(board)
