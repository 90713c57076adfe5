"""What one client kept of a game while it was played."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .faults import exact, is_text, require
from .secret import Fairness, Source, seal_of


@dataclass(frozen=True, slots=True)
class Seen:
    """How far a receipt tells that the record is of the game that its owner saw."""

    events: int  # that its owner was shown
    of: int  # that the record has
    salted: bool  # whether its owner's salt, revealed after all seals were seen, is part of the game


def check_receipt(record: dict[str, Any], fairness: Source, receipt: Any) -> Seen:
    """What its owner saw; raises FairnessError where the record is not of that game."""
    told = record["fairness"]
    require(isinstance(fairness, Fairness), "the record is of the first scheme, and receipts are of the second")
    assert isinstance(fairness, Fairness)
    kept = _read_receipt(receipt, record["players"])
    for key, name in (("game", "table"), ("commitment", "commitment")):
        same = told[key] == kept[key]
        require(same, f"the receipt is of the {name} {exact(kept[key])}, and the record says {exact(told[key])}")
    for number, (seal, found) in enumerate(zip(kept["seals"], told["seals"], strict=bool(kept["seals"]))):
        require(seal == found, f"chair {number} had the seal {exact(seal)} before the deal, not {exact(found)}")
    salted = _is_salted(kept, fairness)
    require(not kept["differed"], "the table showed the receipt's owner two different games")
    count, chair = kept["seen"]["events"], kept["chair"]
    require(count <= len(record["events"]), f"the receipt saw {count} events, and the record has fewer")
    seat = None if chair is None else told["seating"].index(chair)
    seen = (as_seen(event, seat, number, fairness) for number, event in enumerate(record["events"][:count]))
    require(hash_events(seen) == kept["seen"]["hash"], f"the first {count} events are not those that the receipt saw")
    return Seen(count, len(record["events"]), salted)


def _is_salted(kept: dict[str, Any], fairness: Fairness) -> bool:
    """Whether the receipt's salt is part of the game, and was revealed only when all seals had been written down."""
    if not kept["sealed"]:
        return False
    seal, salt = fairness.seals[kept["chair"]], fairness.salts[kept["chair"]]
    require(seal == seal_of(kept["salt"]), f"the receipt's own seal is not the one of the record, {exact(seal)}")
    require(salt is not None or not kept["revealed"], "the receipt's salt was left out, though it was taken in time")
    return salt is not None and bool(kept["seals"])


def hash_events(events: Iterable[dict[str, Any]]) -> str:
    """The running hash of events as somebody was shown them: each is hashed together with the hash before it."""
    found = ""
    for event in events:
        found = hashlib.sha256(f"{found}{exact(event)}".encode()).hexdigest()
    return found


_HIDDEN = {"deal": "cards", "draw": "card", "offer": "tickets", "keep": "tickets"}


def as_seen(event: dict[str, Any], seat: int | None, number: int, fairness: Fairness) -> dict[str, Any]:
    """The event of this number as a seat, or without one a spectator, is shown it.

    Of what others were dealt, drew blind, were offered and kept, one is shown no more than how much it was. What they
    kept is also sealed: all else follows from the secret, but that they decided.
    """
    hidden = _HIDDEN.get(event["e"])
    if hidden is None or event.get("seat") == seat or event.get("from") == "display":
        return event
    shown = {key: value for key, value in event.items() if key != hidden}
    if hidden != "card":
        shown["count"] = len(event[hidden])
    return shown | {"seal": fairness.seal_event(number, event)} if event["e"] == "keep" else shown


def _read_receipt(receipt: Any, players: int) -> dict[str, Any]:
    keys = ("game", "commitment", "chair", "salt", "sealed", "revealed", "seals", "seen", "differed")
    require(type(receipt) is dict and set(keys) <= set(receipt), f"a receipt has {', '.join(keys)}")
    seals, seen, chair = receipt["seals"], receipt["seen"], receipt["chair"]
    require(type(seals) is list and len(seals) in (0, players), "the receipt is of a table with other chairs")
    require(chair is None or (type(chair) is int and 0 <= chair < players), "receipt: there is no such chair")
    require(is_text(receipt["salt"], "[0-9a-f]{1,64}"), "receipt: a salt has 1 to 64 characters of 0-9 and a-f")
    answers = all(type(receipt[key]) is bool for key in ("sealed", "revealed", "differed"))
    require(answers, "receipt: sealed, revealed and differed are true or false")
    require(chair is not None or not receipt["sealed"], "receipt: without a chair nothing can be sealed")
    good = type(seen) is dict and type(seen.get("events")) is int and seen["events"] >= 0 and "hash" in seen
    require(good, "receipt: seen must have the number of events and their hash")
    return dict(receipt)
