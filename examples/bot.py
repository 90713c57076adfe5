"""A bot that needs only the standard library: it opens a table against a bot of the server, or joins one, and plays. //
Run it with `python examples/bot.py http://127.0.0.1:8000 [INVITE]`.
"""

import json
import random
import sys
import time
from http.client import HTTPException
from urllib.request import Request, urlopen

SERVER = sys.argv[1].rstrip("/")
HEADERS = {"Content-Type": "application/json"}


def call(method, path, body=None):
    """Sends a request. Sends it again a second later while the server is away (also 503) or limits the rate (429)."""
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            return urlopen(Request(f"{SERVER}/api{path}", data, HEADERS, method=method), timeout=60)
        except OSError as error:
            if getattr(error, "code", 503) not in (429, 503):
                raise
            time.sleep(1)


def states(table):
    """Every state of a table, as a stream of lines; a broken stream is opened again."""
    while True:
        try:
            for line in call("GET", f"/tables/{table}/stream"):
                if line.strip():  # an empty line only says that the server is still there
                    yield json.loads(line)
        except (OSError, HTTPException):
            time.sleep(1)


def choose(view):
    """Claims the longest route that it can pay for; otherwise takes any legal action."""
    claims = [choice for choice in view["legal"] if choice["kind"] == "claim"]
    best = max(claims, key=lambda claim: sum(claim["cards"].values()), default=None)
    return (best or random.choice(view["legal"]))["action"]


HEADERS["Authorization"] = "Bearer " + json.load(call("POST", "/people"))["token"]
if len(sys.argv) > 2:
    state = json.load(call("POST", f"/invites/{sys.argv[2]}", {"name": "Example bot"}))
else:
    chairs = [{"kind": "me"}, {"kind": "bot", "player": "racer"}]
    state = json.load(call("POST", "/tables", {"name": "Example bot", "chairs": chairs}))

table, decided = state["table"]["id"], None
for state in states(table):
    view = state["view"]
    if state["table"]["status"] == "over":
        print("won by seats", view["winners"], "- I am seat", view["seat"])
        break
    if view and view["legal"] and view["step"] != decided:  # a state may be older than our last decision
        decided = view["step"]
        call("POST", f"/tables/{table}/actions", {"step": decided, "action": choose(view)})
