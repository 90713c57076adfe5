"""What users import says what it does: every public class, function and method of the API reference."""

import importlib
import inspect
from collections.abc import Iterator
from typing import Any

import pytest

import fogline

MODULES = (
    "fogline.arena.contest",
    "fogline.arena.entrant",
    "fogline.arena.match",
    "fogline.arena.pool",
    "fogline.arena.report",
    "fogline.batch.batch",
    "fogline.batch.simulate",
    "fogline.envs.gymnasium",
    "fogline.envs.openspiel",
    "fogline.envs.pettingzoo",
    "fogline.envs.stable_baselines3",
    "fogline.envs.torch",
    "fogline.fairness.deal",
    "fogline.knowledge.belief",
    "fogline.knowledge.observation",
    "fogline.players.batch_players",
    "fogline.players.player",
)


def members(thing: Any, name: str) -> Iterator[tuple[str, Any]]:
    """A class or function, and what it has in public; what it inherits is documented where it comes from."""
    yield name, thing
    if inspect.isclass(thing):
        for key, member in vars(thing).items():
            if not key.startswith("_") and (callable(member) or isinstance(member, property | staticmethod)):
                yield from members(getattr(thing, key), f"{name}.{key}")


def undocumented(things: dict[str, Any]) -> list[str]:
    found = (pair for name, thing in things.items() for pair in members(thing, name))
    return [name for name, thing in found if not inspect.getdoc(thing)]


def test_the_public_face_says_what_it_does() -> None:
    assert not undocumented({name: getattr(fogline, name) for name in fogline.__all__ if name != "Action"})


@pytest.mark.parametrize("name", MODULES)
def test_a_module_of_the_reference_says_what_it_does(name: str) -> None:
    if name == "fogline.envs.torch":
        pytest.importorskip("torch")
    module = importlib.import_module(name)
    public = {key: thing for key, thing in vars(module).items() if not key.startswith("_") and callable(thing)}
    own = {key: thing for key, thing in public.items() if getattr(thing, "__module__", None) == name}
    assert own
    assert not undocumented(own)
