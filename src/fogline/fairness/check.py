"""The check of a record: whether everything that chance brought comes from the secret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .entry import read_fairness
from .faults import exact, is_text, require, require_form
from .pieces import Pieces, built_in_map, read_pieces
from .receipt import Seen, check_receipt, read_receipt
from .secret import Fairness
from .table import Table


@dataclass(frozen=True, slots=True)
class Proof:
    """What was checked in a record, and comes from the secret."""

    commitment: str
    seating: tuple[int, ...]
    cards: int  # those that came from the deck
    tickets: int  # those that were offered
    scheme: int
    seen: Seen | None = None

    def __str__(self) -> str:
        chairs = " ".join(map(str, self.seating))
        found = f"commitment {self.commitment}, seating {chairs}, {self.cards} cards, {self.tickets} tickets"
        return f"{found}; {'; '.join(self.doubts) or 'it is the game that the receipt saw, with its salt'}"

    @property
    def fair(self) -> bool:
        """Whether nobody could have chosen what chance brought: only a receipt can show so."""
        return not self.doubts

    @property
    def doubts(self) -> tuple[str, ...]:
        """What is left open, of whoever ran the table."""
        if self.scheme == 1:
            return ("by the first scheme, under which the table itself could still choose the cards",)
        if self.seen is None:
            return ("without a receipt this shows only that the record agrees with itself",)
        doubts = []
        if not self.seen.salted:
            doubts.append("the receipt's salt is not part of the game, so the table could have chosen the cards")
        if self.seen.events < self.seen.of:
            doubts.append(
                f"the receipt saw {self.seen.events} of {self.seen.of} events, and the rest may be another game"
            )
        if self.seen.undealt:
            doubts.append(
                f"{self.seen.undealt} tables before this one took a salt, and the receipt saw no game of theirs: the "
                f"table could choose between {self.seen.undealt + 1} deals"
            )
        if self.seen.older:
            doubts.append(
                "the receipt was begun by an older page, which did not write down who was a bot, nor whether it gave "
                "its salt only once: the table could have chosen the cards"
            )
        return tuple(doubts)


def check_fairness(record: Any, map_data: dict[str, Any] | Pieces | None = None, receipt: Any = None) -> Proof:
    """Raises FairnessError unless everything that chance brought comes from the secret that the record reveals.

    A map of one's own must be given, as read from its TOML. With a receipt, the record must be of the game that the
    receipt's owner saw, and the secret and salts those that were committed to before any of them was known. What even
    that leaves open, the proof says.
    """
    require_form(type(record) is dict, "a record is a JSON object")
    require_form("fairness" in record, "the record has no fairness: it does not say where its chance comes from")
    require_form(type(record.get("players")) is int and record["players"] in (2, 3, 4), "players must be 2, 3 or 4")
    require_form(type(record.get("events")) is list, "events must be a list")
    require_form(is_text(record.get("map"), r"[a-z0-9_]{1,40}"), "map must be a map's id")
    pieces = _pieces_for(record["map"], map_data)
    require_form(record["map"] == pieces.map, f"the record is of the map {record['map']}, not {exact(pieces.map)}")

    kept = None if receipt is None else read_receipt(receipt, record["players"])
    told, fairness = record["fairness"], read_fairness(record["fairness"], record["players"])
    if isinstance(fairness, Fairness):
        given = [seal for seal in fairness.seals if seal is not None]
        require(len(set(given)) == len(given), "two chairs have the same seal")
        require(fairness.map == pieces.digest, f"the game was played on another edition of the map {pieces.map}")
    seating, seed = fairness.seating(), f"{fairness.record_seed:#018x}"
    require(told["commitment"] == fairness.commitment, "the secret is not the one of the commitment")
    require(told["seating"] == seating, f"the secret gives the seating {seating}, not {exact(told['seating'])}")
    require(record.get("seed") == seed, f"the secret gives the seed {seed}, not {exact(record.get('seed'))}")
    table = Table(record["events"], record["players"], pieces, fairness)
    table.follow()
    seen = None if kept is None else check_receipt(record, fairness, kept)
    scheme = 2 if isinstance(fairness, Fairness) else 1
    return Proof(fairness.commitment, tuple(seating), table.cards_seen, table.tickets_seen, scheme, seen)


def _pieces_for(map: str, given: dict[str, Any] | Pieces | None) -> Pieces:
    if isinstance(given, Pieces):
        return given
    return read_pieces(built_in_map(map) if given is None else given)
