"""Sits down at a table of a server by an invitation, and lets you play in the terminal; with `--bot` it plays itself.

    python examples/play.py http://127.0.0.1:8000 INVITATION [--bot]

This is the client for whoever does not trust the page of a server: it needs only Python, and is short enough to read.
It chooses a salt, seals it, reveals it only when all seals are there and in good order, and keeps a receipt in this
folder. After the game it compares the record with the receipt. docs/fairness.md says what that is worth.
"""

import json
import random
import re
import secrets
import sys
import time
from http.client import HTTPException
from pathlib import Path
from urllib.request import Request, urlopen

from check_receipt import doubts, exact, problems, sha256

HEADERS = {"Content-Type": "application/json"}


class Stopped(Exception):
    """The table does not go on as it should; the receipt is left as it was."""


def call(server, method, path, body=None):
    """Sends a request. Sends it again a second later while the server is away (also 503) or limits the rate (429)."""
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            return urlopen(Request(f"{server}/api{path}", data, HEADERS, method=method), timeout=60)
        except OSError as error:
            if getattr(error, "code", 503) not in (429, 503):
                raise
            time.sleep(1)


class Receipt:
    """What is kept of a table, in a file. It only moves forward: what is written down stays."""

    def __init__(self, table):
        self.path = Path(f"receipt-{table['id']}.json")
        if not re.fullmatch(r"[\w-]{1,64}", table["id"], re.ASCII) or table["scheme"] != 2 or self.path.exists():
            raise Stopped("this is no new table of the scheme that is known here")
        self.kept = {"game": table["id"], "commitment": table["commitment"], "salt": secrets.token_hex(16)}
        self.kept |= {"chair": None, "sealed": False, "seals": None, "given": False, "revealed": False}
        self.kept |= {"kinds": [], "undealt": [], "seen": {"events": 0, "hash": ""}, "differed": False}
        self.hashes = []  # after each event
        self.locked = False
        self.note(kinds=kinds_of(table))

    def note(self, **changes):
        self.kept |= changes
        self.path.write_text(exact(self.kept) + "\n")
        if json.loads(self.path.read_text()) != self.kept:
            raise Stopped("the receipt could not be kept")

    def hear(self, state):
        """Writes down what a state adds, and whether it contradicts what was there."""
        table, kept = state["table"], self.kept
        if table["id"] != kept["game"]:
            raise Stopped("the server answered with another table")
        chair, kinds, seals = table["you"]["chair"], kinds_of(table), table["seals"]
        sealed = chair is not None and seals[chair : chair + 1] == [sha256(kept["salt"])]
        if len(kinds) != len(kept["kinds"]):
            return self.note(differed=True)
        if table["status"] == "open":
            return None if self.locked else self.note(chair=chair, kinds=kinds, sealed=sealed)
        if not self.locked:
            self.lock(table, sealed)
        elif (chair, kinds) != (kept["chair"], kept["kinds"]) or seals != (kept["seals"] or seals):
            self.note(differed=True)
        return self.hash(state)

    def lock(self, table, sealed):
        """From here on chairs and seals stay; the salt is given only if they are in good order."""
        chair, kinds, seals = table["you"]["chair"], kinds_of(table), table["seals"]
        given = [seal for seal in seals if seal is not None]
        good = sealed and table["status"] == "revealing" and table["commitment"] == self.kept["commitment"]
        good = good and not self.kept["differed"] and len(seals) == len(kinds) and len(set(given)) == len(given)
        good = good and all(re.fullmatch("[0-9a-f]{64}", seal) for seal in given)
        good = good and all(kind == "person" or seal is None for kind, seal in zip(kinds, seals, strict=True))
        self.locked = True
        self.note(chair=chair, kinds=kinds, sealed=sealed, seals=seals if good else None, given=good)

    def hash(self, state):
        """Each event is the next one; what was shown before must be shown again."""
        hashes = [] if state["after"] == 0 else list(self.hashes)
        for event in state["events"]:
            hashes.append(sha256((hashes[-1] if hashes else "") + exact(event)))
        if any(old != new for old, new in zip(self.hashes, hashes, strict=False)):
            self.note(differed=True)
        elif len(hashes) > len(self.hashes):
            first = {} if self.hashes else {"undealt": undealt(self.path)}
            self.hashes = hashes
            self.note(seen={"events": len(hashes), "hash": hashes[-1]}, **first)


def kinds_of(table):
    return [chair["kind"] for chair in table["chairs"]]


def undealt(mine):
    """Other tables that took a salt, and of which no game was seen; each counts for one game."""
    others = [json.loads(path.read_text()) for path in Path().glob("receipt-*.json") if path != mine]
    counted = {table for other in others for table in other.get("undealt", [])}
    waiting = [other["game"] for other in others if other.get("given") and not other["seen"]["events"]]
    return sorted(set(waiting) - counted)


def states(server, table):
    """Every state of a table, as a stream of lines; a broken stream is opened again."""
    while True:
        try:
            for line in call(server, "GET", f"/tables/{table}/stream"):
                if line.strip():  # an empty line only says that the server is still there
                    yield json.loads(line)
        except (OSError, HTTPException):
            time.sleep(1)


def ask_person(state):
    """Shows what you see, and asks what you do."""
    view = state["view"]
    for event in state["events"]:
        print("  ", ", ".join(f"{key} {value}" for key, value in event.items() if key not in ("e", "seal")), event["e"])
    print(f"You are seat {view['seat']}. Display {view['display']}, hand {view['hand']}")
    print(f"Tickets {view['tickets']}, offered {view['offer']}")
    actions = [choice["action"] for choice in view["legal"]]
    print("\n".join(f"{number:4} {action}" for number, action in enumerate(actions, 1)))
    while True:
        answer = input("? ").strip()
        if answer.isdigit() and 0 < int(answer) <= len(actions):
            return actions[int(answer) - 1]


def choose(state):
    """What `--bot` does: put a better one here."""
    return random.choice(state["view"]["legal"])["action"]


def play(server, invite, decide):
    """Plays a whole game. Gives the receipt, and the record."""
    HEADERS["Authorization"] = "Bearer " + json.load(call(server, "POST", "/people"))["token"]
    table = json.load(call(server, "GET", f"/invites/{invite}"))
    receipt, decided = Receipt(table), None
    seal = sha256(receipt.kept["salt"])
    receipt.hear(json.load(call(server, "POST", f"/invites/{invite}", {"name": "Sealed", "seal": seal})))
    here = f"/tables/{table['id']}"
    for state in states(server, table["id"]):
        receipt.hear(state)
        view, kept, status = state["view"], receipt.kept, state["table"]["status"]
        if status == "revealing" and kept["given"] and not kept["revealed"] and not kept["differed"]:
            answer = json.load(call(server, "POST", f"{here}/reveal", {"salt": kept["salt"]}))
            receipt.note(revealed=answer["table"]["id"] == table["id"])
        if status == "closed":
            raise Stopped("the host has closed the table")
        if status == "over":
            break
        if view and view["legal"] and view["step"] != decided:  # a state may be older than our last decision
            decided = view["step"]
            call(server, "POST", f"{here}/actions", {"step": decided, "action": decide(state)})
    return receipt, json.load(call(server, "GET", f"{here}/record"))


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--bot"]
    receipt, record = play(arguments[0].rstrip("/"), arguments[1], choose if "--bot" in sys.argv else ask_person)
    Path(f"game-{receipt.kept['game']}.json").write_text(json.dumps(record) + "\n")
    found = problems(record, receipt.kept) or list(doubts(record, receipt.kept))
    print(f"The winners are the seats {record['winners']}. The record and the receipt are here: {receipt.path}")
    print("\n".join(found) or "It is the game that was shown here. Check its cards with `fogline audit --fairness`.")
    sys.exit(bool(found))
