"""Makes what the page's check of the shuffle must agree with Python on. From the repository's root:

PYTHONPATH=. .venv/bin/python web/tests/make_fairness.py > web/tests/fairness.json
"""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from random import Random
from typing import Any

from fogline import Board
from fogline.fairness import Fairness, FairnessError, check_fairness, seal_of
from fogline.fairness.deal import deal_fairly, play_fairly
from fogline.fairness.first_scheme import FirstFairness
from fogline.fairness.pieces import CARDS
from fogline.fairness.secret import Source
from fogline.game.actions import Claim
from fogline.maps.digest import digest_rules
from fogline.server.tables.match import FairChance, Match
from fogline.server.wire.messages import match_view
from tests import mutated
from tests.dishonest import CHEATS, DOUBTS, Evening, honest, sit_down

COUNTS = (2, 3, 4)
FIRST_SALTS = ("00ff", "", "c0ffee", "7ea")
SEALED = ("00ff", None, "c0ffee", "7ea")  # a bot has none
SALTS = ("00ff", None, None, "7ea")  # and one comes too late
EVENINGS = 4
"""Of each cheat; `make_fairness.py 100` makes more."""

CASES = 75
"""Changed records and receipts, for each evening."""


def main(evenings: int) -> None:
    secrets = [bytes(range(start, start + 32)) for start in (0, 100, 200)]
    tables = [(f"table-{n}", secret, players) for n, secret in enumerate(secrets) for players in COUNTS]
    records = [_play("san_francisco", 2, 9), _play("san_francisco", 4, 4), _play("tiny", 3, 0)]
    first = [_play("san_francisco", 3, 5, scheme=1), _play("tiny", 2, 6, scheme=1)]
    content = {
        "derivations": [_derivation(_source("tiny", *table, scheme)) for table in tables for scheme in (1, 2)],
        "boards": {name: _pieces(Board.load(name)) for name in ("san_francisco", "tiny")},
        "records": [{"record": record, "proof": _proof(record)} for record in (*records, *first)],
        "tampered": [_tampered(name, change, records[0]) for name, change in TAMPERING.items()],
        "honest": [_evening(honest, seed) for seed in range(evenings)],
        "cheats": {name: [_evening(cheat, seed) for seed in range(evenings)] for name, cheat in CHEATS.items()},
        "doubts": {name: [_evening(cheat, seed) for seed in range(evenings)] for name, cheat in DOUBTS.items()},
        "mutated": [_mutated(case) for case in mutated.cases(CASES * evenings, seed=1)],
        "drawn": [_drawn("tiny", 2, None), *(_drawn("tiny", players, 0) for players in COUNTS)],
        "bases": [mutated.base(number) for number in range(mutated.BASES)],
    }
    sys.stdout.write(json.dumps(content, separators=(",", ":")) + "\n")


def _source(map: str, game: str, secret: bytes, players: int, scheme: int) -> Source:
    if scheme == 1:
        return FirstFairness(secret, game, FIRST_SALTS[:players])
    seals = tuple(None if salt is None else seal_of(salt) for salt in SEALED[:players])
    return Fairness(secret, game, digest_rules(Board.load(map).map_file), seals, SALTS[:players])


def _derivation(source: Source) -> dict[str, Any]:
    numbers = []
    for step in (0, 57):
        chance = source.chance(step)
        numbers.append([chance.below(bound) for bound in (44, 2, 1, 7, 1000, 24)])
    return {"told": source.revealed(), "seed": f"{source.record_seed:#018x}", "numbers": numbers}


def _evening(cheat: Callable[[Any], Evening], seed: int) -> dict[str, Any]:
    """A short game, and the receipt of one who was there."""
    record, receipt = cheat(sit_down(Board.load("tiny"), COUNTS[seed % 3], seed))
    return {"record": record, "receipt": receipt}


def _drawn(name: str, players: int, seat: int | None, secret: int = 1) -> list[dict[str, Any]]:
    """What a seat or a spectator is shown of a game: every few events, the part of the view that follows from them."""
    source, random = _source(name, f"game-{secret}", bytes([secret]) * 32, players, 2), Random(secret)
    match, states, since = Match(Board.load(name), players, FairChance(source)), [], 0
    while True:
        if random.random() < 0.5 or match.game.over or match.step == 0:
            view = match.view(seat, since=since)
            told = asdict(match_view(match, view))
            shown = {key: told[key] for key in ("seat", "phase", "display", "hand", "tickets", "offer", "owners")}
            states.append({"after": since, "events": list(view.events), "view": shown})
            since = match.event_count
        if match.game.over:
            return states
        acting = random.choice(match.deciding())
        legal = match.view(acting).legal_actions
        claims = [action for action in legal if isinstance(action, Claim)]
        match.play(acting, random.choice(claims or legal))


def _mutated(case: mutated.Case) -> dict[str, Any]:
    word = mutated.ask_module(mutated.pair_of(case)).word
    changes = json.dumps([change._asdict() for change in case.changes])  # as text: it may hold half a character
    return {"base": case.base, "changes": changes, "word": word}


def _pieces(board: Board) -> dict[str, Any]:
    """As much of a plan as chance needs."""
    return {
        "id": board.id,
        "cars": board.map_file.cars,
        "route_points": board.map_file.route_points,
        "token_points": board.map_file.token_points,
        "cards": dict(zip(CARDS, board.map_file.cards, strict=True)),
        "souvenirs": list(board.souvenirs),
        "tickets": [{"first": one.first, "second": one.second, "value": one.value} for one in board.tickets],
        "routes": [
            {
                "id": route.id,
                "first": route.first,
                "second": route.second,
                "length": route.length,
                "colour": route.colour,
                "ferries": route.ferries,
                "twin": route.twin,
            }
            for route in board.routes
        ],
        "locations": [{"id": place.id, "landmark": place.landmark} for place in board.locations],
    }


def _play(name: str, players: int, secret: int, scheme: int = 2) -> dict[str, Any]:
    """A whole game in which everybody decides at random, and rather claims."""
    source = _source(name, f"game-{secret}", bytes([secret]) * 32, players, scheme)
    game, random = deal_fairly(Board.load(name), players, source), Random(secret)
    while not game.over:
        legal = game.legal_actions()
        claims = [action for action in legal if isinstance(action, Claim)]
        play_fairly(game, random.choice(claims or legal), source)
    return game.record() | {"fairness": source.revealed()}


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
    "another salt": lambda record: record["fairness"].update(salts=["00fe", None]),
    "another salt with its seal": lambda record: record["fairness"].update(
        salts=["00fe", None], seals=[seal_of("00fe"), None]
    ),
    "another id": lambda record: record["fairness"].update(game="game-8"),
    "another map": lambda record: record["fairness"].update(map="0" * 64),
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
    main(int(sys.argv[1]) if len(sys.argv) > 1 else EVENINGS)
