"""A bot on the standard library alone: it opens a table against a bot of the server, or joins one, and plays.

    python examples/bot.py http://127.0.0.1:8000 [INVITE]
"""

import json
import random
import sys
from urllib.request import Request, urlopen

SERVER = sys.argv[1].rstrip("/")
HEADERS = {"Content-Type": "application/json"}


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    return urlopen(Request(f"{SERVER}/api{path}", data, HEADERS, method=method))


def choose(view):
    """Claims the longest route that it can pay for, and otherwise does anything that is legal."""
    claims = [choice for choice in view["legal"] if choice["kind"] == "claim"]
    best = max(claims, key=lambda claim: sum(claim["cards"].values()), default=None)
    return (best or random.choice(view["legal"]))["action"]


HEADERS["Authorization"] = "Bearer " + json.load(call("POST", "/people"))["token"]
if len(sys.argv) > 2:
    state = json.load(call("POST", f"/invites/{sys.argv[2]}", {"name": "Example bot"}))
else:
    chairs = [{"kind": "me"}, {"kind": "bot", "player": "racer"}]
    state = json.load(call("POST", "/tables", {"name": "Example bot", "chairs": chairs}))

table = f"/tables/{state['table']['id']}"
for line in call("GET", f"{table}/stream"):
    if not line.strip():
        continue  # keeps the stream alive
    view = json.loads(line)["view"]
    if view and view["legal"]:
        call("POST", f"{table}/actions", {"step": view["step"], "action": choose(view)})
    elif view and view["phase"] == "over":
        print("won by seats", view["winners"], "- I am seat", view["seat"])
        break
