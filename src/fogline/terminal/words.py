"""Words: names and numbers as people say them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fogline.maps.board import Board


@dataclass(frozen=True, slots=True)
class Words:
    board: Board
    players: tuple[str, ...]  # names by seat
    dash: str = "–"

    def location(self, location_id: str) -> str:
        return self.board.location(location_id).name

    def ends(self, first: str, second: str) -> str:
        return f"{self.location(first)}{self.dash}{self.location(second)}"

    def ticket(self, ticket_id: str) -> str:
        ticket = self.board.ticket(ticket_id)
        return self.ends(ticket.first, ticket.second)

    def route(self, route_id: str) -> str:
        route = self.board.route(route_id)
        return f"{self.ends(route.first, route.second)} ({route.colour})"


def cards_text(cards: Mapping[str, int]) -> str:
    """Cards with their numbers: `2 green + 1 ferry`."""
    return " + ".join(f"{count} {card}" for card, count in cards.items())


def souvenir_text(souvenir: str) -> str:
    return souvenir.replace("_", " ")


def many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def listing(parts: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    return f" {last} ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else ""
