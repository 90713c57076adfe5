"""The evening: people from many places, who play against each other or against a bot, and take their time."""

from __future__ import annotations

import random
import time
from typing import Any

from crowd import Gather, Leader, Order, Pair
from stored import Seated

from fogline.fairness import seal_of


class Host(Leader):
    """Carries out the orders for an evening."""

    async def carry_out(self, order: Order) -> None:
        if isinstance(order, Gather):
            await self._gather(order)
        else:
            await super().carry_out(order)

    async def _gather(self, order: Gather) -> None:
        bots = [order.bot] * order.duels + [""] * (order.tables - order.duels)
        random.shuffle(bots)
        await self.all([self._gather_at(_address(number), bot) for number, bot in enumerate(bots)])

    async def _gather_at(self, address: str, bot: str) -> None:
        tokens = [(await self.post("/people", "", address))["token"] for _ in range(2)]
        if bot:
            pair: Pair = Duel(self, await self._open_duel(address, tokens, bot), address)
        else:
            pair = Pair(self, await self._open_sealed(address, tokens), address)
        await pair.come()
        self.pairs.append(pair)

    async def _open_duel(self, address: str, tokens: list[str], bot: str) -> Seated:
        """A person against a bot; a spectator watches."""
        chairs = [{"kind": "me"}, {"kind": "bot", "player": bot}]
        table = (await self.post("/tables", tokens[0], address, chairs=chairs, name="Ann"))["table"]
        return Seated(table["id"], (tokens[0], tokens[1]))

    async def _open_sealed(self, address: str, tokens: list[str]) -> Seated:
        """Two people, who bring sealed salts, as the page does, and reveal them."""
        salts = [random.randbytes(16).hex() for _ in tokens]
        chairs = [{"kind": "me"}, {"kind": "open"}]
        wanted: dict[str, Any] = {"chairs": chairs, "name": "Ann", "autostart": False}
        table = (await self.post("/tables", tokens[0], address, **wanted))["table"]
        for token, salt in zip(tokens, salts, strict=True):
            await self.post(f"/invites/{table['invite']}", token, address, name="Ann", seal=seal_of(salt))
        await self.post(f"/tables/{table['id']}/start", tokens[0], address)
        for token, salt in zip(tokens, salts, strict=True):
            await self.post(f"/tables/{table['id']}/reveal", token, address, salt=salt)
        return Seated(table["id"], (tokens[0], tokens[1]))


class Duel(Pair):
    """A person against a bot. The spectator measures how long the bot takes."""

    _asked_step = 0

    @property
    def nobody_decides(self) -> bool:
        view = self.states[0].get("view")
        return self.between_games or not view or not view["legal"]

    async def see(self, chair: int, state: dict[str, Any]) -> None:
        if chair == 1:
            self._watch_bot(state)
        await super().see(chair, state)

    def _watch_bot(self, state: dict[str, Any]) -> None:
        now, decides = time.perf_counter(), _bot_decides(state)
        if self.asked_at is not None and (not decides or self._asked_step != state["view"]["step"]):
            self.meter.answered(now - self.asked_at)
            self.asked_at = None
        if decides and self.asked_at is None:
            self.asked_at, self._asked_step = now, state["view"]["step"]

    async def leave(self) -> None:
        await super().leave()
        self.asked_at = None


def _bot_decides(state: dict[str, Any]) -> bool:
    view = state["view"]
    return bool(view) and state["table"]["seating"].index(1) in view["deciding"]


def _address(number: int) -> str:
    """An address of this machine, another one for each table."""
    return f"127.1.{number // 250}.{1 + number % 250}"
