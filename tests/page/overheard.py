"""What page and server say to each other, and a way to tell the page what the server did not say."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import WebSocket

from tests.page.visitor import Visitor

# Remembers the page's socket, so that the page can be told something else.
_OVERHEARD = """{
    const Socket = WebSocket;
    WebSocket = class extends Socket { constructor(...given) { super(...given); window.overheard = this; } };
    window.overheardTell = async (state, changes, events = []) => {
        const told = { ...state, after: 1, events, view: { ...state.view, ...changes } };
        overheard.onmessage(new MessageEvent("message", { data: JSON.stringify(told) }));
        await new Promise((done) => setTimeout(done));
    };
}"""


class Overheard:
    """To be made before the visitor comes to a table."""

    def __init__(self, visitor: Visitor) -> None:
        self.page = visitor.page
        self.state: dict[str, Any] = {}
        self.asked: list[str] = []  # about routes
        self.answered = 0
        visitor.context.add_init_script(_OVERHEARD)
        visitor.page.on("websocket", self._listen)

    def tell(self, events: list[dict[str, Any]] | None = None, **changes: Any) -> None:
        """The page takes it for the newest state that something is different in the view."""
        tell = "([state, changes, events]) => overheardTell(state, changes, events)"
        self.page.evaluate(tell, [self.state, changes, events or []])

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._hear_server)
        socket.on("framesent", self._hear_page)

    def _hear_server(self, message: str | bytes) -> None:
        told = json.loads(message)
        if told["type"] == "state":
            self.state = told
        self.answered += told["type"] == "answer"

    def _hear_page(self, message: str | bytes) -> None:
        question = json.loads(message)
        if question["type"] == "why_not":
            self.asked.append(question["action"].split()[1])
