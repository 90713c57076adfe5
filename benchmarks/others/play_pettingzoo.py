"""PettingZoo: its classic games, and Fogline, in the loop of PettingZoo's own documentation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from clock import Game, Played, main


def play(environment: Any) -> Played:
    environment.reset()
    steps = 0
    for agent in environment.agent_iter():
        observation, _, termination, truncation, _ = environment.last()
        if termination or truncation:
            environment.step(None)
        else:
            environment.step(environment.action_space(agent).sample(observation["action_mask"]))
            steps += 1
    return Played(steps, 1)


def _game(module: str, step: str) -> Callable[[int], Game]:
    return lambda _: Game(step, partial(play, import_module(module).env()))


GAMES = {
    "Fogline, 2 players": _game("fogline.envs.pettingzoo", "an action of a seat"),
    "connect four": _game("pettingzoo.classic.connect_four_v3", "a disc dropped"),
    "Texas hold'em, no limit": _game("pettingzoo.classic.texas_holdem_no_limit_v6", "a bet, a call or a fold"),
    "Hanabi": _game("pettingzoo.classic.hanabi_v5", "a card played or discarded, or a hint"),
}

if __name__ == "__main__":
    main("PettingZoo", ("pettingzoo",), GAMES)
