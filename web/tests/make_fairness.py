"""Makes what the page's check of the shuffle must agree with Python on. From the repository's root:

.venv/bin/python web/tests/make_fairness.py > web/tests/fairness.json
"""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable
from random import Random
from typing import Any

from fogline import Board, Game
from fogline.actions import Claim
from fogline.fairness import CARDS, Chance, Fairness, FairnessError, check_fairness

COUNTS = (2, 3, 4)
SALTS = ("00ff", "", "c0ffee", "7ea")


def main() -> None:
    secrets = [bytes(range(start, start + 32)) for start in (0, 100, 200)]
    fairs = [Fairness(secret, f"table-{n}", SALTS[:players]) for n, secret in enumerate(secrets) for players in COUNTS]
    records = [_play("san_francisco", 2, 9), _play("san_francisco", 4, 4), _play("tiny", 3, 0)]
    content = {
        "derivations": [_derivation(fair) for fair in fairs],
        "boards": {name: _pieces(Board.load(name)) for name in ("san_francisco", "tiny")},
        "records": [{"record": record, "proof": _proof(record)} for record in records],
        "tampered": [_tampered(name, change, records[0]) for name, change in TAMPERING.items()],
    }
    sys.stdout.write(json.dumps(content, separators=(",", ":")) + "\n")


def _derivation(fair: Fairness) -> dict[str, Any]:
    chance = Chance(fair.seed(0))
    return fair.revealed() | {
        "seeds": [f"{fair.seed(step):#018x}" for step in range(3)],
        "numbers": [chance.below(bound) for bound in (44, 2, 1, 7, 1000, 24)],
    }


def _pieces(board: Board) -> dict[str, Any]:
    """As much of a plan as chance needs."""
    return {
        "id": board.id,
        "cards": dict(zip(CARDS, board.map_file.cards, strict=True)),
        "souvenirs": list(board.souvenirs),
        "tickets": [{"first": ticket.first, "second": ticket.second} for ticket in board.tickets],
        "locations": [{"id": place.id, "landmark": place.landmark} for place in board.locations],
    }


def _play(name: str, players: int, secret: int) -> dict[str, Any]:
    """A whole game in which everybody decides at random, and rather claims."""
    fair = Fairness(bytes([secret]) * 32, f"game-{secret}", SALTS[:players])
    game, random = Game(name, players=players, seed=fair.seed(0)), Random(secret)
    while not game.over:
        legal = game.legal_actions()
        claims = [action for action in legal if isinstance(action, Claim)]
        game.reseed(fair.seed(len(game.actions) + 1))
        game.play(random.choice(claims or legal))
    return game.record() | {"fairness": fair.revealed()}


def _proof(record: dict[str, Any]) -> dict[str, int]:
    proof = check_fairness(record)
    return {"cards": proof.cards, "tickets": proof.tickets}


def _tampered(name: str, change: Callable[[dict[str, Any]], None], record: dict[str, Any]) -> dict[str, Any]:
    """A record after a change, as the part that is new, and where Python says that it is wrong."""
    changed = copy.deepcopy(record)
    change(changed)
    try:
        check_fairness(changed)
    except FairnessError as error:
        parts = {key: value for key, value in changed.items() if key != "events" and value != record[key]}
        splice = _splice(record["events"], changed["events"])
        return {"name": name, "parts": parts, "splice": splice, "event": error.event}
    raise AssertionError(name)


def _splice(before: list[Any], after: list[Any]) -> list[Any]:
    """From which event on, how many make way, and for what."""
    same = next((at for at, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), len(after))
    left = next((at for at, pair in enumerate(zip(before[::-1], after[::-1], strict=False)) if pair[0] != pair[1]), 0)
    left = min(left, len(before) - same, len(after) - same)
    return [same, len(before) - same - left, after[same : len(after) - left]]


def _first(record: dict[str, Any], kind: str, **wanted: Any) -> dict[str, Any]:
    found = [event for event in record["events"] if event["e"] == kind]
    return next(event for event in found if all(event[key] == value for key, value in wanted.items()))


def _from_display(record: dict[str, Any]) -> dict[str, Any]:
    return _first(record, "draw", **{"from": "display"})


def _swap_tickets(record: dict[str, Any]) -> None:
    _first(record, "offer")["tickets"].reverse()


def _other_card(kind: str, **wanted: Any) -> Callable[[dict[str, Any]], None]:
    def change(record: dict[str, Any]) -> None:
        event = _first(record, kind, **wanted)
        event["card"] = "blue" if event["card"] != "blue" else "red"

    return change


def _drop(kind: str, **wanted: Any) -> Callable[[dict[str, Any]], None]:
    def change(record: dict[str, Any]) -> None:
        record["events"].remove(_first(record, kind, **wanted))

    return change


TAMPERING: dict[str, Callable[[dict[str, Any]], None]] = {
    "another secret": lambda record: record["fairness"].update(secret="11" * 32),
    "another salt": lambda record: record["fairness"].update(salts=["00fe", ""]),
    "seats exchanged": lambda record: record["fairness"]["seating"].reverse(),
    "another seed": lambda record: record.update(seed="0x0000000000000001"),
    "a card dealt to another": lambda record: _first(record, "deal")["cards"].reverse(),
    "another first display": lambda record: _first(record, "display")["cards"].sort(reverse=True),
    "tickets in another order": _swap_tickets,
    "a ticket that was not offered": lambda record: _first(record, "keep").update(tickets=["a-b"]),
    "another card turned up": _other_card("flip"),
    "another card drawn blind": _other_card("draw", **{"from": "deck"}),
    "a card that is not on display": lambda record: _first(record, "draw", **{"from": "display"}).update(
        card="rainbow"
    ),
    "a payment of nothing": lambda record: _first(record, "claim").update(cards={"red": 0}),
    "no token": _drop("token"),
    "a souvenir left out": _drop("place"),
    "a deck that was not recycled": _drop("recycle"),
    "an event that is none": lambda record: record["events"].insert(20, 7),
    "a game that stops in a turn": lambda record: record.update(events=record["events"][:3]),
}


if __name__ == "__main__":
    main()
