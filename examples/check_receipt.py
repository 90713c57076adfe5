"""Compares a game's record with the receipt that your browser kept while you played.

    python check_receipt.py game.json receipt.json

The table cheated if its secret, id, seals or events are not those that you saw, even if its record agrees with
itself. This program needs only Python, and asks only whether it is the game that you saw. Whether each of its cards
comes from the secret is checked by `fogline audit --fairness --receipt receipt.json game.json`.
"""

import hashlib
import hmac
import json
import re
import sys
from pathlib import Path

HIDDEN = {"deal": "cards", "draw": "card", "offer": "tickets", "keep": "tickets"}


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def sign(key, text):
    return hmac.digest(key, text.encode(), "sha256")


def exact(value):
    return json.dumps(value, sort_keys=True)


def as_seen(number, event, seat, key):
    """An event as you were shown it: what others drew blind, were dealt, offered and kept is only counted."""
    hidden = HIDDEN.get(event["e"])
    if hidden is None or event["seat"] == seat or event.get("from") == "display":
        return event
    shown = {name: value for name, value in event.items() if name != hidden}
    shown |= {} if hidden == "card" else {"count": len(event[hidden])}
    return shown | ({"seal": sign(key, f"event {number} {exact(event)}").hex()} if event["e"] == "keep" else {})


def problems(record, receipt):
    """The proofs that the table has cheated."""
    told, players, chair, mine = record["fairness"], record["players"], receipt["chair"], sha256(receipt["salt"])
    seals, salts = told.get("seals", []), told["salts"]
    digests = [told["secret"], told.get("map", ""), *filter(None, seals)]
    form = exact([told.get("scheme"), told.get("rules"), players]) == f"[2, 1, {len(salts)}]" and len(seals) == players
    if not form or not all(re.fullmatch("[0-9a-f]{64}", text) for text in digests):
        return ["the record is not of the scheme that you saw"]
    context = f"fogline-fairness/2 {receipt['game']} {told['map']} {players} 1"
    parts = [salt or (f"sealed:{seal}" if seal else "none") for seal, salt in zip(seals, salts, strict=True)]
    key, order = sign(bytes.fromhex(told["secret"]), f"{context} {' '.join(parts)}"), list(range(players))
    for drawn, place in enumerate(range(players - 1, 0, -1)):
        other = int.from_bytes(sign(key, f"seating {drawn}"), "big") % (place + 1)
        order[place], order[other] = order[other], order[place]
    hashed, seat = "", None if chair is None else order.index(chair)
    for number, event in enumerate(record["events"][: receipt["seen"]["events"]]):
        hashed = sha256(hashed + exact(as_seen(number, event, seat, key)))
    commitment = sha256(f"{context} {told['secret']}")
    unsealed = [salt for seal, salt in zip(seals, salts, strict=True) if salt is not None and sha256(salt) != seal]
    left_out = receipt["revealed"] and salts[chair] != receipt["salt"]
    promises = {
        "the record is of another table": told["game"] == receipt["game"],
        "the secret is not the one of the commitment that you saw": commitment == receipt["commitment"],
        "the seals are not those that you saw before you revealed your salt": receipt["seals"] in ([], seals),
        "a salt is not the one that was sealed": not unsealed,
        "your seal was exchanged": not receipt["sealed"] or seals[chair] == mine,
        "your salt was left out, though it was taken in time": not left_out,
        "the secret seats the chairs in another order": told["seating"] == order,
        "what the record says happened is not what you were shown": hashed == receipt["seen"]["hash"],
        "the table showed you two different games": not receipt["differed"],
    }
    return [reason for reason, kept in promises.items() if not kept]


def doubts(record, receipt):
    """What remains open."""
    if not (receipt["sealed"] and receipt["seals"] and record["fairness"]["salts"][receipt["chair"]]):
        yield "your salt is not part of this game, so the table could have chosen the cards"
    if receipt["seen"]["events"] != len(record["events"]):
        yield f"you saw {receipt['seen']['events']} of {len(record['events'])} events: the rest may be another game"


if __name__ == "__main__":
    given = [json.loads(Path(path).read_text("utf-8")) for path in sys.argv[1:3]]
    found = problems(*given) or list(doubts(*given))
    print("\n".join(found) or "It is the game that you saw, with the secret, seals and salts that were promised.")
    sys.exit(bool(found))
