"""An entrant: a player as a match names it, with a budget where it takes one.

`racer` is a built-in player. `search@200` and `search@1s` are one with a budget of iterations or seconds.
`mine.py:Mine` is the class `Mine` in your file, and `mine.npz` the neural player with your weights.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from fogline.arena.faults import ArenaError
from fogline.maps.board import Board
from fogline.players.neural.neural import Neural
from fogline.players.neural.weights import WeightsError
from fogline.players.player import PLAYERS, Player

NPZ = ".npz"
"""The ending of a file of weights."""

MUST_HAVE = "a player is a class that is made with a seed, Mine(seed), and has a method choose(view)"


@dataclass(frozen=True, slots=True)
class Budget:
    """What a player may spend on a decision."""

    keyword: str  # "seconds" or "iterations"
    amount: float

    def __str__(self) -> str:
        return f"{self.amount:g}s" if self.keyword == "seconds" else str(self.amount)


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who plays. It holds only names, because it travels to every worker; the player is made there."""

    source: str  # the name of a built-in player, or FILE:CLASS or FILE.npz with the absolute path
    name: str
    budget: Budget | None

    @property
    def label(self) -> str:
        """The name with the budget, as in reports."""
        return self.name if self.budget is None else f"{self.name}@{self.budget}"

    @property
    def argument(self) -> str:
        """The entrant as on the command line."""
        return self.source if self.budget is None else f"{self.source}@{self.budget}"

    @property
    def policy(self) -> int | None:
        """The number of the compiled player, or None where Python must choose.

        Only for the built-in ones themselves: a class of your own may inherit the number and choose otherwise.
        """
        return None if self.own or self.budget is not None else getattr(PLAYERS[self.source], "policy", None)

    @property
    def own(self) -> bool:
        """Whether it comes from a file."""
        return self.source not in PLAYERS

    @property
    def clocked(self) -> bool:
        """Whether it decides by the clock: then no two games need be alike."""
        if self.budget is not None:
            return self.budget.keyword == "seconds"
        default = _parameters(player_class(self.source)).get("seconds")
        return default is not None and isinstance(default.default, (int, float))

    @property
    def slow(self) -> bool:
        """Whether it thinks for as long as its budget says."""
        return self.budget is not None or self.clocked

    @property
    def file_digest(self) -> str | None:
        """The SHA-256 of the player's own file: to repeat a match, you need the same file."""
        if not self.own:
            return None
        file = self.source if self.source.endswith(NPZ) else self.source.rpartition(":")[0]
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()

    def check_board(self, board: Board) -> None:
        """A player that must learn a map first can play other maps too, but not at the strength that is measured."""
        knows = getattr(player_class(self.source), "knows", None)
        try:
            known = knows is None or knows(board)
        except WeightsError as error:
            raise ArenaError(str(error)) from None
        if not known:
            raise ArenaError(f"{self.label} has not learnt the map {board.id!r} as it is here")

    def make(self, seed: int) -> Player:
        """A new player for one game."""
        budget = {} if self.budget is None else {self.budget.keyword: self.budget.amount}
        return cast(Player, player_class(self.source)(seed, **budget))


def parse_entrant(text: str) -> Entrant:
    """The entrant that a text names; raises ArenaError if its class is missing or does not take the budget."""
    file, colon, tail = text.rpartition(":")
    name, at, amount = tail.partition("@")
    budget = _parse_budget(text, amount) if at else None
    source = f"{Path(file).resolve()}:{name}" if colon else name
    if name.endswith(NPZ):
        source = str(Path(text).resolve())
    found = player_class(source)
    entrant = Entrant(source, getattr(found, "name", found.__name__), budget)
    if budget is not None:
        _check_budget(entrant, found, budget)
    _check_made(entrant)
    return entrant


@cache
def player_class(source: str) -> Any:
    """The class that makes the player, named as a built-in one, as FILE:CLASS or as FILE.npz."""
    if source.endswith(NPZ):
        return _neural_class(Path(source))
    file, colon, name = source.rpartition(":")
    if not colon:
        if name in PLAYERS:
            return PLAYERS[name]
        hint = f"; for a class of a file, write {name}:CLASS" if name.endswith(".py") else ""
        raise ArenaError(
            f"there is no player {name!r}; there are {', '.join(PLAYERS)}, FILE.npz and FILE.py:CLASS{hint}"
        )
    found = getattr(_load(Path(file)), name, None)
    if found is None:
        raise ArenaError(f"{file} has no class {name!r}; {MUST_HAVE}")
    if not isinstance(found, type) or not callable(getattr(found, "choose", None)):
        raise ArenaError(f"{source} is not a player: {MUST_HAVE}")
    return found


def _neural_class(path: Path) -> type[Neural]:
    """The neural player with the weights of a file."""
    if not path.is_file():
        raise ArenaError(f"there is no file {path}")
    return type("Neural", (Neural,), {"name": path.stem, "weights": path})


@cache
def _load(path: Path) -> ModuleType:
    """The module in a file. It can import what lies beside the file."""
    if not path.is_file():
        raise ArenaError(f"there is no file {path}")
    name = f"fogline_own_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ArenaError(f"{path} is not a Python file: its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickles look for it there
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise ArenaError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    return module


def _parse_budget(text: str, amount: str) -> Budget:
    try:
        budget = Budget("seconds", float(amount[:-1])) if amount.endswith("s") else Budget("iterations", int(amount))
    except ValueError:
        budget = Budget("seconds", math.nan)
    if not 0 < budget.amount < math.inf:
        raise ArenaError(f"{text}: a budget is a time (@0.5s) or a number of iterations (@200), not {amount!r}")
    return budget


def _check_budget(entrant: Entrant, found: Any, budget: Budget) -> None:
    parameters = _parameters(found)
    if budget.keyword in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return
    taken = [keyword for keyword in ("seconds", "iterations") if keyword in parameters]
    raise ArenaError(f"{entrant.name} takes {f'a budget of {taken[0]}' if taken else 'no budget'}, not @{budget}")


def _check_made(entrant: Entrant) -> None:
    """Makes one, to find faults now rather than in a worker."""
    try:
        entrant.make(0)
    except Exception as error:
        raise ArenaError(f"{entrant.argument} cannot be made: {error}; {MUST_HAVE}") from error


def _parameters(found: Any) -> Mapping[str, inspect.Parameter]:
    return cast(Mapping[str, inspect.Parameter], inspect.signature(found).parameters)
