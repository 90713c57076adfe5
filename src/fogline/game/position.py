"""A position: the record of one game, with its fields at hand in Python.

It holds everything, secrets included. What leaves for a player passes `fogline.game.view`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from fogline.maps.board import Board
from fogline.maps.mapfile import CARDS
from fogline.rules.state import PHASES, new_games


class Position:
    """`position.hand[seat]` is a view into the record, `position.seat` a plain number, and so on for `game_dtype`."""

    __slots__ = ("array", "board")

    def __init__(self, board: Board) -> None:
        self.board = board
        self.array = new_games(board, 1)

    def __getattr__(self, name: str) -> Any:
        try:
            field = self.array[name]
        except ValueError:
            raise AttributeError(name) from None
        return field[0] if field.ndim > 1 else field.item()

    def __eq__(self, other: object) -> bool:
        """Whether it is the same position of the same map, to the last hidden card."""
        if not isinstance(other, Position):
            return NotImplemented
        same_map = self.board is other.board or self.board.map_file == other.board.map_file
        return same_map and self.snapshot() == other.snapshot()

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.board, self.snapshot())

    def copy(self) -> Position:
        other = Position.__new__(Position)
        other.board, other.array = self.board, copy_record(self.array)
        return other

    def snapshot(self) -> bytes:
        """The whole record as bytes."""
        return self.array.tobytes()

    def restore(self, snapshot: bytes) -> None:
        """Becomes a copy of another position of the same board."""
        if len(snapshot) != self.array.nbytes:
            raise ValueError(f"a position on this board has {self.array.nbytes} bytes, not {len(snapshot)}")
        self.array.view(np.uint8)[:] = np.frombuffer(snapshot, np.uint8)

    # The record in the words of the map.

    @property
    def phase_name(self) -> str:
        return PHASES[self.phase]

    def cards_of(self, pile: str) -> dict[str, int]:
        """The cards of the deck, the display or the discard pile."""
        return _by_card(getattr(self, pile).tolist())

    def hand_of(self, seat: int) -> dict[str, int]:
        return _by_card(self.hand[seat].tolist())

    def tickets_of(self, seat: int) -> tuple[str, ...]:
        """The tickets kept, in the map's order."""
        kept = self.tickets.item(seat)
        return tuple(ticket.id for number, ticket in enumerate(self.board.tickets) if kept >> number & 1)

    def tokens_of(self, seat: int) -> tuple[str, ...]:
        owned = self.tokens.item(seat)
        return tuple(souvenir for kind, souvenir in enumerate(self.board.souvenirs) if owned >> kind & 1)

    def offered(self) -> tuple[str, ...]:
        return tuple(self.board.tickets[number].id for number in self.offer[: self.offer_count].tolist())

    def owners(self) -> dict[str, int]:
        """Who owns each claimed route."""
        routes = self.board.routes
        return {routes[number].id: seat for number, seat in enumerate(self.owner.tolist()) if seat >= 0}

    def open_routes_of(self, seat: int) -> list[str]:
        """The routes that the seat may claim, given the cards."""
        claims = _as_set(self.open[seat])
        return [route for route, its_claims in _claims_of_routes(self.board) if claims & its_claims]

    def stacks(self) -> dict[str, tuple[str, int]]:
        """The souvenir and the number of tokens on each location that has or had a stack."""
        pairs = zip(self.board.locations, self.souvenir.tolist(), self.stack.tolist(), strict=True)
        return {location.id: (self.board.souvenirs[kind], count) for location, kind, count in pairs if kind >= 0}


@lru_cache
def _claims_of_routes(board: Board) -> list[tuple[str, int]]:
    """Every route with the set of its claims."""
    sets = map(_as_set, board.tables["claims_of_route"][0])
    return [(route.id, claims) for route, claims in zip(board.routes, sets, strict=True)]


def _as_set(words: np.ndarray) -> int:
    """A set of claims as one number, bit by bit."""
    return int.from_bytes(words.astype("<u8").tobytes(), "little")


def copy_record(array: np.ndarray) -> np.ndarray:
    """A copy by bytes: NumPy's own copy goes field by field and takes forty times as long."""
    return np.frombuffer(bytearray(array.tobytes()), array.dtype)


def _restored(board: Board, snapshot: bytes) -> Position:
    position = Position(board)
    position.restore(snapshot)
    return position


def _by_card(counts: list[int]) -> dict[str, int]:
    return {card: count for card, count in zip(CARDS, counts, strict=True) if count}
