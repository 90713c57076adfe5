"""A position: one game's record with its fields at hand in Python.

It holds everything, the secrets too. What leaves for a player leaves through `fogline.view` alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.board import Board
from fogline.mapfile import CARDS
from fogline.rules.state import PHASES, new_games


class Position:
    """`position.hand[seat]` is a view into the record, `position.seat` a plain number, and so on for `game_dtype`."""

    __slots__ = ("_arrays", "_numbers", "array", "board")

    def __init__(self, board: Board) -> None:
        self.board = board
        self.array = new_games(board, 1)
        layout = self.array.dtype
        names = layout.names or ()
        self._arrays: dict[str, Any] = {name: self.array[name][0] for name in names if layout[name].shape}
        self._numbers: dict[str, Any] = {name: self.array[name] for name in names if not layout[name].shape}

    def __getattr__(self, name: str) -> Any:
        if name in self._numbers:
            return self._numbers[name].item()
        try:
            return self._arrays[name]
        except KeyError:
            raise AttributeError(name) from None

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.board, self.snapshot())

    def copy(self) -> Position:
        return _restored(self.board, self.snapshot())

    def snapshot(self) -> bytes:
        """The whole record as bytes."""
        return self.array.tobytes()

    def restore(self, snapshot: bytes) -> None:
        """Takes on another position of the same board."""
        if len(snapshot) != self.array.nbytes:
            raise ValueError(f"a position on this board has {self.array.nbytes} bytes, not {len(snapshot)}")
        self.array.view(np.uint8)[:] = np.frombuffer(snapshot, np.uint8)

    # The record in the words of the map.

    @property
    def phase_name(self) -> str:
        return PHASES[self.phase]

    def cards_of(self, pile: str) -> dict[str, int]:
        """The cards of the deck, the display or the discard pile."""
        return _by_card(self._arrays[pile].tolist())

    def hand_of(self, seat: int) -> dict[str, int]:
        return _by_card(self.hand[seat].tolist())

    def tickets_of(self, seat: int) -> tuple[str, ...]:
        """The tickets kept, in the map's order."""
        kept = int(self.tickets[seat])
        return tuple(ticket.id for number, ticket in enumerate(self.board.tickets) if kept >> number & 1)

    def tokens_of(self, seat: int) -> tuple[str, ...]:
        owned = int(self.tokens[seat])
        return tuple(souvenir for kind, souvenir in enumerate(self.board.souvenirs) if owned >> kind & 1)

    def offered(self) -> tuple[str, ...]:
        return tuple(self.board.tickets[number].id for number in self.offer[: self.offer_count].tolist())

    def owners(self) -> dict[str, int]:
        """Who owns each claimed route."""
        routes = self.board.routes
        return {routes[number].id: seat for number, seat in enumerate(self.owner.tolist()) if seat >= 0}

    def open_routes_of(self, seat: int) -> list[str]:
        """The routes that the seat may claim, given the cards."""
        claims = np.unpackbits(self.open[seat].astype("<u8").view(np.uint8), bitorder="little")
        numbers = {claim.route for claim, is_open in zip(self.board.claims, claims.tolist(), strict=False) if is_open}
        return [self.board.routes[number].id for number in sorted(numbers)]

    def stacks(self) -> dict[str, tuple[str, int]]:
        """The souvenir and the number of tokens on each location that holds or held a stack."""
        pairs = zip(self.board.locations, self.souvenir.tolist(), self.stack.tolist(), strict=True)
        return {location.id: (self.board.souvenirs[kind], count) for location, kind, count in pairs if kind >= 0}


def _restored(board: Board, snapshot: bytes) -> Position:
    position = Position(board)
    position.restore(snapshot)
    return position


def _by_card(counts: list[int]) -> dict[str, int]:
    return {card: count for card, count in zip(CARDS, counts, strict=True) if count}
