"""Compares a game's record with the receipt that your browser, or `play.py`, kept while you played.

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
TOLD = {"scheme", "game", "map", "rules", "commitment", "secret", "seals", "salts", "seating"}
FIRST = {"game", "commitment", "secret", "salts", "seating"}
LATER = {"kinds", "given", "undealt"}  # an older page did not write them down


class Damaged(Exception):
    """What cannot be read, or is of another scheme: that says nothing of who did what."""


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def sign(key, text):
    return hmac.digest(key, text.encode(), "sha256")


def exact(value):
    return json.dumps(value, sort_keys=True)


def is_text(value, pattern=".*"):
    return type(value) is str and re.fullmatch(pattern, value, re.DOTALL) is not None


def forms(record, receipt):
    """Whether each part of the two is what it should be."""
    told, players = record["fairness"], record["players"]

    def row(of, fits):
        return type(of) is list and len(of) == players and all(map(fits, of))

    yield type(players) is int and players in (2, 3, 4) and type(record["events"]) is list
    yield set(told) == TOLD and exact([told["scheme"], told["rules"]]) == "[2, 1]"
    yield all(is_text(told[key], "[0-9a-f]{64}") for key in ("map", "commitment", "secret"))
    yield is_text(told["game"], "[A-Za-z0-9_-]+") and row(told["seating"], lambda chair: type(chair) is int)
    yield row(told["seals"], lambda seal: seal is None or is_text(seal, "[0-9a-f]{64}"))
    yield row(told["salts"], lambda salt: salt is None or is_text(salt, "[0-9a-f]{1,64}"))
    sealed, revealed, seals, chair, seen = (receipt[key] for key in ("sealed", "revealed", "seals", "chair", "seen"))
    older = not LATER & set(receipt)
    yield all(type(answer) is bool for answer in (sealed, revealed, receipt["differed"]))
    yield all(is_text(text) for text in (receipt["game"], receipt["commitment"], seen["hash"]))
    yield is_text(receipt["salt"], "[0-9a-f]{1,64}") and type(seen["events"]) is int and seen["events"] >= 0
    yield seals == ([] if older else None) or row(seals, lambda seal: seal is None or is_text(seal))
    yield not sealed if chair is None else type(chair) is int and 0 <= chair < players
    yield sealed or not revealed
    if not older:
        given = receipt["given"]
        yield row(receipt["kinds"], lambda kind: is_text(kind, "open|person|bot"))
        yield type(given) is bool and (given or not revealed) and (not given or (sealed and seals is not None))
        yield type(receipt["undealt"]) is list and all(map(is_text, receipt["undealt"]))


def check_form(record, receipt):
    try:
        good = all(forms(record, receipt))
    except (AttributeError, IndexError, KeyError, TypeError):
        good = False
    if not good:
        raise Damaged("the record or the receipt is damaged, or of a version that is not known here")


def as_seen(number, event, seat, key):
    """An event as you were shown it: what others drew blind, were dealt, offered and kept is only counted."""
    hidden = HIDDEN.get(event["e"])
    if hidden is None or event.get("seat") == seat or event.get("from") == "display":
        return event
    shown = {name: value for name, value in event.items() if name != hidden}
    shown |= {} if hidden == "card" else {"count": len(event[hidden])}
    return shown | ({"seal": sign(key, f"event {number} {exact(event)}").hex()} if event["e"] == "keep" else {})


def hash_seen(events, seat, key):
    """The running hash; None where an event is none."""
    hashed = ""
    try:
        for number, event in enumerate(events):
            hashed = sha256(hashed + exact(as_seen(number, event, seat, key)))
    except (AttributeError, KeyError, TypeError, RecursionError):
        return None
    return hashed


def problems(record, receipt):
    """The proofs that the table has cheated."""
    if type(record) is dict and type(record.get("fairness")) is dict and set(record["fairness"]) == FIRST:
        return ["the record is of the first scheme, and the table that you saw was of the second"]
    check_form(record, receipt)
    told, players, chair, mine = record["fairness"], record["players"], receipt["chair"], sha256(receipt["salt"])
    seals, salts, seen = told["seals"], told["salts"], receipt["seen"]
    context = f"fogline-fairness/2 {told['game']} {told['map']} {players} 1"
    parts = [salt or (f"sealed:{seal}" if seal else "none") for seal, salt in zip(seals, salts, strict=True)]
    key, order = sign(bytes.fromhex(told["secret"]), f"{context} {' '.join(parts)}"), list(range(players))
    for drawn, place in enumerate(range(players - 1, 0, -1)):
        other = int.from_bytes(sign(key, f"seating {drawn}"), "big") % (place + 1)
        order[place], order[other] = order[other], order[place]
    seed = f"{int.from_bytes(sign(key, 'record 0'), 'big') % 2**64:#018x}"
    hashed = hash_seen(record["events"][: seen["events"]], None if chair is None else order.index(chair), key)
    commitment = sha256(f"{context} {told['secret']}")
    unsealed = [salt for seal, salt in zip(seals, salts, strict=True) if salt is not None and sha256(salt) != seal]
    left_out = receipt["revealed"] and salts[chair] != receipt["salt"]
    given, bots = [seal for seal in seals if seal], [kind == "bot" for kind in receipt.get("kinds", [])]
    promises = {
        "the record is of another table": told["game"] == receipt["game"],
        "the secret is not the one of the commitment that you saw": commitment == receipt["commitment"],
        "the record has another commitment than its secret": commitment == told["commitment"],
        "the seals are not those that you saw before you revealed your salt": (receipt["seals"] or seals) == seals,
        "two chairs have the same seal": len(set(given)) == len(given),
        "a bot has a seal": not any(bot and seal for bot, seal in zip(bots, seals, strict=False)),
        "a salt is not the one that was sealed": not unsealed,
        "your seal was exchanged": not receipt["sealed"] or seals[chair] == mine,
        "your salt was left out, though it was taken in time": not left_out,
        "the secret seats the chairs in another order": told["seating"] == order,
        "the secret gives another seed": record.get("seed") == seed,
        "what the record says happened is not what you were shown": hashed == seen["hash"],
        "you were shown more than the record has": seen["events"] <= len(record["events"]),
        "the table showed you something else than before": not receipt["differed"],
    }
    return [reason for reason, kept in promises.items() if not kept]


def doubts(record, receipt):
    """What remains open."""
    given, seen, undealt = (
        receipt.get("given", bool(receipt["seals"])),
        receipt["seen"]["events"],
        receipt.get("undealt"),
    )
    if not (receipt["sealed"] and given and record["fairness"]["salts"][receipt["chair"]]):
        yield "your salt is not part of this game, so the table could have chosen the cards"
    if seen != len(record["events"]):
        yield f"you saw {seen} of {len(record['events'])} events: the rest may be another game"
    if undealt:
        yield f"{len(undealt)} tables before this one took a salt of yours, and you saw no game of theirs"
    if undealt is None:
        yield "an older page began the receipt: it does not tell who was a bot, nor if the salt was given only once"


def number_of(text):
    """As a browser reads it: 1.0 is 1."""
    return int(float(text)) if float(text).is_integer() else float(text)


def no_number(text):
    raise ValueError(f"{text} is no number")


if __name__ == "__main__":
    try:
        texts = [Path(path).read_text("utf-8-sig") for path in sys.argv[1:3]]
        given = [json.loads(text, parse_float=number_of, parse_constant=no_number) for text in texts]
        found = problems(*given) or list(doubts(*given))
    except (Damaged, OSError, ValueError, RecursionError) as error:
        sys.exit(f"This cannot be checked: {error}")
    print("\n".join(found) or "It is the game that you saw, with the secret, seals and salts that were promised.")
    sys.exit(bool(found))
