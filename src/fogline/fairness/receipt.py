"""What one client kept of a game while it was played."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .faults import exact, is_text, require, require_form
from .secret import Fairness, Source, seal_of


@dataclass(frozen=True, slots=True)
class Receipt:
    """A receipt as it was read. One that an older page has begun lacks what the others say."""

    game: str
    commitment: str
    salt: str
    chair: int | None
    sealed: bool  # the table has shown the salt's seal in that chair
    seals: list[str | None] | None  # of all chairs, as they were written down before the salt was given
    given: bool  # the salt
    revealed: bool  # in time, as the table said
    events: int  # that were shown
    hash: str  # of them
    differed: bool  # the table showed something else later
    kinds: list[str]  # who had the chairs at the lock
    undealt: int  # other tables that were given a salt before, and of which no game was seen
    older: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """How far a receipt tells that the record is of the game that its owner saw."""

    events: int  # that its owner was shown
    of: int  # that the record has
    salted: bool  # whether its owner's salt, revealed after all seals were seen, is part of the game
    undealt: int = 0  # other tables between which and this one the table could choose
    older: bool = False  # whether the receipt says too little to exclude all that a table could do


def check_receipt(record: dict[str, Any], fairness: Source, kept: Receipt) -> Seen:
    """What its owner saw; raises FairnessError where the record is not of that game."""
    told = record["fairness"]
    require(isinstance(fairness, Fairness), "the record is of the first scheme, and receipts are of the second")
    assert isinstance(fairness, Fairness)
    for name, own, found in (("table", kept.game, told["game"]), ("commitment", kept.commitment, told["commitment"])):
        require(own == found, f"the receipt is of the {name} {exact(own)}, and the record says {exact(found)}")
    for number, (seal, found) in enumerate(zip(kept.seals or (), told["seals"], strict=bool(kept.seals))):
        require(seal == found, f"chair {number} had the seal {exact(seal)} before the deal, not {exact(found)}")
    for number, (kind, seal) in enumerate(zip(kept.kinds, told["seals"], strict=bool(kept.kinds))):
        require(kind != "bot" or seal is None, f"chair {number} had a bot, and the record has a seal for it")
    salted = _is_salted(kept, fairness)
    require(not kept.differed, "the table showed the receipt's owner something else than before")
    count, chair = kept.events, kept.chair
    require(count <= len(record["events"]), f"the receipt saw {count} events, and the record has fewer")
    seat = None if chair is None else told["seating"].index(chair)
    seen = (as_seen(event, seat, number, fairness) for number, event in enumerate(record["events"][:count]))
    require(hash_events(seen) == kept.hash, f"the first {count} events are not those that the receipt saw")
    return Seen(count, len(record["events"]), salted, kept.undealt, kept.older)


def _is_salted(kept: Receipt, fairness: Fairness) -> bool:
    """Whether the receipt's salt is part of the game, and was revealed only when all seals had been written down."""
    if not kept.sealed or kept.chair is None:
        return False
    seal, salt = fairness.seals[kept.chair], fairness.salts[kept.chair]
    require(seal == seal_of(kept.salt), f"the receipt's own seal is not the one of the record, {exact(seal)}")
    require(salt is not None or not kept.revealed, "the receipt's salt was left out, though it was taken in time")
    return salt is not None and kept.given


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


_KEYS = ("game", "commitment", "chair", "salt", "sealed", "revealed", "seals", "seen", "differed")
_LATER_KEYS = ("kinds", "given", "undealt")
_KINDS = ("open", "person", "bot")


def read_receipt(receipt: Any, players: int) -> Receipt:
    """A receipt of a table with so many chairs; only its form is checked."""
    require_form(type(receipt) is dict and set(_KEYS) <= set(receipt), f"a receipt has {', '.join(_KEYS)}")
    seals, seen, chair = receipt["seals"], receipt["seen"], receipt["chair"]
    older = not set(_LATER_KEYS) & set(receipt)
    written = seals != [] if older else seals is not None
    listed = type(seals) is list and len(seals) == players and {type(seal) for seal in seals} <= {str, type(None)}
    require_form(listed or not written, "the receipt is of a table with other chairs")
    require_form(chair is None or (type(chair) is int and 0 <= chair < players), "receipt: there is no such chair")
    require_form(is_text(receipt["salt"], "[0-9a-f]{1,64}"), "receipt: a salt has 1 to 64 characters of 0-9 and a-f")
    require_form(
        type(receipt["game"]) is str and type(receipt["commitment"]) is str, "receipt: game and commitment are texts"
    )
    answers = all(type(receipt[key]) is bool for key in ("sealed", "revealed", "differed"))
    require_form(answers, "receipt: sealed, revealed and differed are true or false")
    require_form(chair is not None or not receipt["sealed"], "receipt: without a chair nothing can be sealed")
    require_form(receipt["sealed"] or not receipt["revealed"], "receipt: what was not sealed is not revealed")
    good = type(seen) is dict and type(seen.get("events")) is int and seen["events"] >= 0
    require_form(good and type(seen.get("hash")) is str, "receipt: seen must have the number of events and their hash")
    if not older:
        _check_later_keys(receipt, players)
    return Receipt(
        **{key: receipt[key] for key in ("game", "commitment", "salt", "chair", "sealed", "revealed", "differed")},
        seals=seals if written else None,
        given=written if older else receipt["given"],
        events=seen["events"],
        hash=seen["hash"],
        kinds=receipt.get("kinds", []),
        undealt=len(receipt.get("undealt", [])),
        older=older,
    )


def _check_later_keys(receipt: dict[str, Any], players: int) -> None:
    require_form(set(_LATER_KEYS) <= set(receipt), f"a receipt with one of {', '.join(_LATER_KEYS)} has them all")
    kinds, given, undealt = (receipt[key] for key in _LATER_KEYS)
    listed = type(kinds) is list and len(kinds) == players and all(is_text(kind, "|".join(_KINDS)) for kind in kinds)
    require_form(listed, f"receipt: kinds must list {players} of {', '.join(_KINDS)}")
    require_form(type(given) is bool, "receipt: given is true or false")
    bound = receipt["sealed"] and receipt["seals"] is not None
    require_form(bound or not given, "receipt: no salt is given before all seals are written down")
    require_form(given or not receipt["revealed"], "receipt: what was not given is not revealed")
    texts = type(undealt) is list and all(type(table) is str for table in undealt)
    require_form(texts, "receipt: undealt must list tables")
