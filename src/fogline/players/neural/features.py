"""Features: what follows from an observation. How far each ticket is, which routes lie on its way, what is missing to
pay for them.

A network could learn all this from the observation, but it would take long. So it is computed first, from the
observation alone: nothing that the seat may not know can enter. Everything here reads and writes an input, a record of
`inputs.input_dtype`, in which the observation stands already, as if four played.
"""

from __future__ import annotations

from typing import Any

from fogline.compiler.kernels import Record, as_int, kernel
from fogline.maps.mapfile import SET_ASIDE
from fogline.players.neural.inputs import CARDS_TOLD, CARS_TOLD, EVEN
from fogline.players.neural.ways import find_distances, find_ways, price, ticket_distance
from fogline.rules.state import CARD_COUNT, COLOUR_COUNT, FERRY, OFFERED, SEATS


@kernel
def write_features(board: Record, told: Record, ways: Record, players: int) -> None:
    """Writes all features of an observation with this many players."""
    write_lack(board, told)
    write_shortest(board, told, ways)
    write_quickest(board, told, ways)
    write_threat(board, told, ways, players)
    write_souvenirs(board, told, ways.touched)
    write_pressure(board, told, ways.touched)
    write_flags(told, players)
    write_worth(board, told, players)


@kernel
def most_colours(cards: Any) -> int:
    """The number of cards of the colour that there is most of."""
    most = 0
    for colour in range(COLOUR_COUNT):
        most = max(most, as_int(cards[colour]))
    return most


@kernel
def serving(cards: Any, most: int, colour: int) -> int:
    """How many of these cards have the route's colour; on a grey route it is the one that there is most of."""
    return most if colour < 0 else as_int(cards[colour])


@kernel
def write_lack(board: Record, told: Record) -> None:
    """Cards missing for each open route, in the colour that serves it best."""
    most = most_colours(told.hand)
    for route in range(told.lack.shape[0]):
        symbols = as_int(board.route_ferries[route])
        ferries = as_int(told.hand[FERRY]) - symbols
        best = serving(told.hand, most, board.route_colour[route])
        missing = as_int(board.route_length[route]) - symbols - best - max(ferries, 0)
        told.lack[route] = max(-ferries, 0) + max(missing, 0) if told.open[route] > 0 else 0
        told.ready[route] = told.open[route] > 0 and told.lack[route] == 0


@kernel
def write_shortest(board: Record, told: Record, ways: Record) -> None:
    """The ways of tickets by the spaces that must be built."""
    for route in range(ways.cost.shape[0]):
        length = as_int(board.route_length[route])
        ways.cost[route] = price(length, told.open[route] > 0, told.owned[0, route] > 0)
    find_distances(board, ways)
    write_distances(board, told, ways)
    find_ways(board, ways)
    for route in range(ways.cost.shape[0]):
        told.path[route], told.slack[route] = min(ways.path[route], 255), ways.slack[route]
    write_need(board, told, told.path, told.need)


@kernel
def write_distances(board: Record, told: Record, ways: Record) -> None:
    """How far each ticket is, and which tickets count: those that are wanted, and within reach of one's cars."""
    for place in range(2 * OFFERED):
        told.offer[place] = 0
    for ticket in range(told.distance.shape[0]):
        distance, value = ticket_distance(board, ways, ticket), as_int(board.ticket_value[ticket])
        within = distance <= told.cars[0]
        told.distance[ticket], told.within[ticket] = distance, within
        ways.points[ticket] = value if within and told.wanted[ticket] > 0 else 0
        for place in range(OFFERED):
            if told.offered[place, ticket] > 0:
                told.offer[place], told.offer[OFFERED + place] = value, distance


@kernel
def write_quickest(board: Record, told: Record, ways: Record) -> None:
    """The ways of the same tickets by half turns: two to claim a route, one for a missing card that lies on display,
    two for any other.
    """
    most = most_colours(told.display)
    for route in range(ways.cost.shape[0]):
        lack, shown = as_int(told.lack[route]), serving(told.display, most, board.route_colour[route])
        half_turns = 2 + lack + max(lack - shown, 0)
        ways.cost[route] = price(half_turns, told.open[route] > 0, told.owned[0, route] > 0)
    find_distances(board, ways)
    find_ways(board, ways)
    for route in range(ways.cost.shape[0]):
        told.quick[route], told.detour[route] = min(ways.path[route], 255), ways.slack[route]
    for ticket in range(told.turns.shape[0]):
        told.turns[ticket] = ticket_distance(board, ways, ticket)
    write_need(board, told, told.quick, told.call)


@kernel
def write_need(board: Record, told: Record, path: Any, need: Any) -> None:
    """Cards missing for the routes on the ways, by colour; for grey routes nothing counts as held."""
    for card in range(CARD_COUNT):
        need[card] = 0
    for route in range(path.shape[0]):
        if path[route] > 0:
            colour, length = board.route_colour[route], as_int(board.route_length[route])
            if colour < 0:
                need[FERRY] += length
            else:
                need[colour] += max(0, length - as_int(told.hand[colour]))


@kernel
def write_threat(board: Record, told: Record, ways: Record, players: int) -> None:
    """How far each ticket is for the next player, and how much it has built of the tickets that each route would
    continue.
    """
    for route in range(ways.cost.shape[0]):
        is_open = not is_taken(told, route) and not is_barred(board, told, route, players)
        ways.cost[route] = price(as_int(board.route_length[route]), is_open, told.owned[1, route] > 0)
    find_distances(board, ways)
    for ticket in range(told.theirs.shape[0]):
        left = ticket_distance(board, ways, ticket)
        told.theirs[ticket] = left
        known = told.wanted[ticket] > 0 or told.completed[ticket] > 0
        hidden = not known and 0 < left <= told.cars[1]
        ways.points[ticket] = max(as_int(ways.whole[ticket]) - left, 0) if hidden else 0
    find_ways(board, ways)
    for route in range(ways.cost.shape[0]):
        told.threat[route] = min(ways.path[route], 255)


@kernel
def is_taken(told: Record, route: int) -> bool:
    for seat in range(SEATS):
        if told.owned[seat, route] > 0:
            return True
    return False


@kernel
def is_barred(board: Record, told: Record, route: int, players: int) -> bool:
    """Whether the route's twin closes it to the next player (4.7, 4.8)."""
    twin = as_int(board.route_twin[route])
    if twin < 0:
        return False
    return is_taken(told, twin) if players == 2 else told.owned[1, twin] > 0


@kernel
def write_souvenirs(board: Record, told: Record, new: Any) -> None:
    """How many ends of an open route have a token of a kind that the seat does not own."""
    kinds = told.tokens.shape[1]
    for location in range(new.shape[0]):
        new[location] = 0
        for other in range(SET_ASIDE):
            if told.set_aside[other, location] > 0 and told.tokens[0, kinds - SET_ASIDE + other] == 0:
                new[location] = told.stack[location] > 0
    for kind in range(board.landmarks.shape[0]):
        location = board.landmarks[kind]
        if told.tokens[0, kind] == 0:
            new[location] = told.stack[location] > 0
    for route in range(told.souvenirs.shape[0]):
        ends = new[board.route_first[route]] + new[board.route_second[route]]
        told.souvenirs[route] = ends if told.open[route] > 0 else 0


@kernel
def write_pressure(board: Record, told: Record, touched: Any) -> None:
    """At how many ends of an unclaimed route one other seat has built: 2 where it would join two lines."""
    for route in range(told.pressure.shape[0]):
        told.pressure[route] = 0
    for seat in range(1, SEATS):
        for location in range(touched.shape[0]):
            touched[location] = 0
        for route in range(told.pressure.shape[0]):
            if told.owned[seat, route] > 0:
                touched[board.route_first[route]] = touched[board.route_second[route]] = 1
        for route in range(told.pressure.shape[0]):
            ends = touched[board.route_first[route]] + touched[board.route_second[route]]
            told.pressure[route] = max(told.pressure[route], ends)
    for route in range(told.pressure.shape[0]):
        if is_taken(told, route):
            told.pressure[route] = 0


@kernel
def write_flags(told: Record, players: int) -> None:
    """Small numbers, each as an input of its own."""
    for card in range(CARD_COUNT):
        told.shown[card] = told.display[card] > 0
        for held in range(CARDS_TOLD):
            told.holds[card * CARDS_TOLD + held] = told.hand[card] > held
    for seat in range(SEATS):
        for cars in range(CARS_TOLD + 1):
            told.fleet[seat * (CARS_TOLD + 1) + cars] = seat < players and told.cars[seat] == cars
    for count in range(2, SEATS + 1):
        told.players[count - 2] = players == count


@kernel
def write_worth(board: Record, told: Record, players: int) -> None:
    """The points if all ended now, how many more than the best of the others, and the points of wanted tickets."""
    stake, completed = 0, 0
    for ticket in range(told.wanted.shape[0]):
        value = as_int(board.ticket_value[ticket])
        stake += value * as_int(told.wanted[ticket])
        completed += value * as_int(told.completed[ticket])
    mine, best = points_of(board, told, 0) + completed - stake, -EVEN
    for seat in range(1, players):
        best = max(best, points_of(board, told, seat))
    told.worth[0], told.worth[1], told.worth[2] = signed_byte(mine), signed_byte(mine - best), signed_byte(stake)


@kernel
def points_of(board: Record, told: Record, seat: int) -> int:
    """A seat's points for routes and tokens."""
    owned = 0
    for kind in range(told.tokens.shape[1]):
        owned += as_int(told.tokens[seat, kind])
    return as_int(told.points[seat]) + as_int(board.token_points[owned])


@kernel
def signed_byte(number: int) -> int:
    """A number that may be negative, as a byte."""
    return min(max(number + EVEN, 0), 255)
