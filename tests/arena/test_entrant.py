"""Entrants: players by name, with a budget, or from a file of one's own; whatever is wrong is said in one line."""

from __future__ import annotations

import hashlib
import pickle
from pathlib import Path

import numpy as np
import pytest

from fogline.arena.entrant import parse_entrant, player_class
from fogline.arena.faults import ArenaError
from fogline.arena.match import make_match
from fogline.game.game import Game
from fogline.players.neural.neural import WEIGHTS
from fogline.players.neural.weights import save_weights
from fogline.players.player import PLAYERS
from fogline.players.scripted.compiled_player import Planner
from tests.arena.arrange import FIRST, write_player
from tests.boards import load_board

THINKER = """
class Thinker:
    name = "thinker"

    def __init__(self, seed, *, iterations=10):
        self.iterations = iterations

    def choose(self, view):
        return view.legal_actions[0]
"""


@pytest.mark.parametrize("name", PLAYERS)
def test_a_built_in_player_is_named_by_its_name(name: str) -> None:
    entrant = parse_entrant(name)
    assert (entrant.name, entrant.label, entrant.argument, entrant.own) == (name, name, name, False)
    assert type(entrant.make(7)) is PLAYERS[name]
    assert entrant.file_digest is None


@pytest.mark.parametrize(
    ("text", "seconds", "iterations", "label"),
    [
        ("search@1s", 1.0, None, "search@1s"),
        ("search@0.25s", 0.25, None, "search@0.25s"),
        ("search@200", 1.0, 200, "search@200"),
    ],
)
def test_a_budget_reaches_the_player(text: str, seconds: float, iterations: int | None, label: str) -> None:
    entrant = parse_entrant(text)
    player = entrant.make(0)
    assert (vars(player)["seconds"], vars(player)["iterations"]) == (seconds, iterations)
    assert (entrant.label, entrant.name) == (label, "search")


def test_only_a_budget_of_seconds_is_spent_by_the_clock() -> None:
    clocked = {text: parse_entrant(text).clocked for text in ("search", "search@1s", "search@200", "planner")}
    assert clocked == {"search": True, "search@1s": True, "search@200": False, "planner": False}


def test_a_player_of_ones_own_comes_from_its_file(tmp_path: Path) -> None:
    file = write_player(tmp_path)
    entrant = parse_entrant(f"{file}:First")
    assert (entrant.label, entrant.own) == ("first", True)
    assert entrant.file_digest == hashlib.sha256(FIRST.encode()).hexdigest()
    view = Game(seed=1).view(0)
    assert entrant.make(0).choose(view) == view.legal_actions[0]


def test_a_player_of_ones_own_may_take_a_budget(tmp_path: Path) -> None:
    entrant = parse_entrant(f"{write_player(tmp_path, THINKER)}:Thinker@30")
    assert vars(entrant.make(0)) == {"iterations": 30}
    assert entrant.label == "thinker@30"


def test_a_class_without_a_name_is_called_like_its_class(tmp_path: Path) -> None:
    file = write_player(tmp_path, FIRST.replace('name = "first"', ""))
    assert parse_entrant(f"{file}:First").label == "First"


def test_a_file_may_import_what_lies_beside_it(tmp_path: Path) -> None:
    write_player(tmp_path, FIRST, "beside_the_player.py")
    file = write_player(tmp_path, "from beside_the_player import First\nclass Second(First):\n    name = 'second'\n")
    assert parse_entrant(f"{file}:Second").label == "second"


def test_an_entrant_travels(tmp_path: Path) -> None:
    for text in ("racer", "search@1s", f"{write_player(tmp_path)}:First"):
        entrant = parse_entrant(text)
        assert pickle.loads(pickle.dumps(entrant)) == entrant


def test_only_the_built_in_players_themselves_are_played_compiled(tmp_path: Path) -> None:
    """A class of one's own may inherit a policy and choose otherwise, and a budget is more than a policy."""
    text = "from fogline.players.scripted.compiled_player import Planner\nclass Mine(Planner):\n    name = 'mine'\n"
    file = write_player(tmp_path, text)
    assert parse_entrant("planner").policy == Planner.policy
    assert parse_entrant(f"{file}:Mine").policy is None
    assert parse_entrant("search@200").policy is None
    assert parse_entrant("search").policy is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nobody", "there is no player 'nobody'; there are random, racer"),
        ("mine.py", "write mine.py:CLASS"),
        ("/no/such/mine.py:Mine", "there is no file /no/such/mine.py"),
        ("racer@1s", "racer takes no budget, not @1s"),
        ("racer@200", "racer takes no budget, not @200"),
        ("search@", "a budget is a time (@0.5s) or a number of iterations (@200), not ''"),
        ("search@soon", "not 'soon'"),
        ("search@0", "not '0'"),
        ("search@-1s", "not '-1s'"),
        ("search@1.5", "not '1.5'"),
        ("search@infs", "not 'infs'"),
        ("search@nans", "not 'nans'"),
    ],
)
def test_what_cannot_play_is_refused_in_clear_words(text: str, words: str) -> None:
    with pytest.raises(ArenaError) as refused:
        parse_entrant(text)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("class Other: pass", "has no class 'Mine'; a player is a class that is made with a seed"),
        ("class Mine: pass", "is not a player: a player is a class"),
        ("Mine = 3", "is not a player"),
        ("class Mine:\n    def choose(self, view): ...", "cannot be made"),
        ("class Mine(:", "cannot be loaded: SyntaxError"),
        ("import no_such_module", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"),
    ],
)
def test_a_file_without_a_player_is_refused_in_clear_words(tmp_path: Path, source: str, words: str) -> None:
    file = write_player(tmp_path, source)
    with pytest.raises(ArenaError) as refused:
        parse_entrant(f"{file}:Mine")
    assert words in str(refused.value)
    assert file in str(refused.value)


def test_a_file_that_is_not_python_is_refused_in_clear_words(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("class Mine: pass")
    with pytest.raises(ArenaError, match=r"mine\.txt is not a Python file: its name must end in \.py"):
        parse_entrant(f"{tmp_path}/mine.txt:Mine")


def test_a_player_that_takes_iterations_refuses_seconds(tmp_path: Path) -> None:
    file = write_player(tmp_path, THINKER)
    with pytest.raises(ArenaError, match="thinker takes a budget of iterations, not @1s"):
        parse_entrant(f"{file}:Thinker@1s")


def test_a_file_is_loaded_once(tmp_path: Path) -> None:
    source = f"{write_player(tmp_path)}:First"
    assert player_class(source) is player_class(source)


def test_weights_of_ones_own_play_under_the_name_of_their_file(tmp_path: Path) -> None:
    copied = tmp_path / "mine.npz"
    copied.write_bytes(WEIGHTS.read_bytes())
    entrant = parse_entrant(str(copied))
    assert (entrant.label, entrant.own, entrant.policy) == ("mine", True, None)
    assert entrant.file_digest == hashlib.sha256(copied.read_bytes()).hexdigest()
    view = Game(seed=1).view(0)
    assert entrant.make(1).choose(view) == parse_entrant("neural").make(1).choose(view)
    with pytest.raises(ArenaError, match=r"there is no file .*other\.npz"):
        parse_entrant(str(tmp_path / "other.npz"))


def test_who_has_not_learnt_a_map_is_not_measured_on_it() -> None:
    tiny = load_board("tiny")
    for name in ("neural", "master@5", "local"):
        with pytest.raises(ArenaError, match=f"{name} has not learnt the map 'tiny' as it is here"):
            make_match([parse_entrant(name), parse_entrant("random")], tiny, players=2, games=2, seed=0)


def test_a_file_without_weights_of_such_a_network_is_named(tmp_path: Path) -> None:
    board, weights = load_board("san_francisco"), tmp_path / "before.npz"
    save_weights(weights, board, {"in_bias": np.zeros(4, np.float16)}, {})
    (tmp_path / "text.npz").write_text("no weights")
    for name, fault in (("before", "has weights of other names or shapes"), ("text", "is no file of weights")):
        entrants = [parse_entrant(str(tmp_path / f"{name}.npz")), parse_entrant("random")]
        with pytest.raises(ArenaError, match=rf"{name}\.npz {fault}"):
            make_match(entrants, board, players=2, games=2, seed=0)
