"""Batches: every lane plays the very games that `Game` plays, and tells of them what a seat may know."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import numpy as np
import pytest
from numba import njit

from fogline.batch import Batch, histories
from fogline.batch.cpu import CpuDevice
from fogline.batch.simulate import random_game
from fogline.game.actions import Draw, action_numbers
from fogline.game.game import Game
from fogline.game.refusals import IllegalAction
from fogline.knowledge.belief import Belief
from fogline.knowledge.card_counter import count_of
from fogline.knowledge.observation import observation_of, split
from fogline.maps.mapfile import CARDS, COLOURS
from tests.batch.interpreted import lines
from tests.boards import load_board
from tests.conformance import ROOT
from tests.policies import action_weights, choose
from tests.seeds import seeds

HIDDEN = ("hand", "tickets", "deck", "ticket_deck")


def begin(board: str, players: int, lanes: int, seed: int) -> tuple[Batch, list[Game]]:
    """A batch, and the game of each lane."""
    batch = Batch(load_board(board), players, lanes, seed=seed)
    return batch, [Game(batch.board, players=players, seed=seed + lane) for lane in range(lanes)]


def compare(batch: Batch, games: list[Game]) -> None:
    for lane, game in enumerate(games):
        assert batch.position(lane).snapshot() == game.position.snapshot()
        assert batch.seats[lane] == game.seat
        assert np.array_equal(batch.masks[lane], game.legal_mask())
        assert np.array_equal(batch.observations[lane], observation_of(game.view(game.seat)))


def rewards_of(game: Game) -> list[float]:
    """1 for who has won alone, and together 0."""
    shares = [(seat in game.winners) / len(game.winners) for seat in range(game.players)]
    return [(game.players * share - 1) / (game.players - 1) for share in shares]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", ["san_francisco", "tiny"])
def test_a_lane_plays_the_games_of_its_seeds_and_tells_what_the_view_says(board: str, players: int) -> None:
    batch, games = begin(board, players, 3, seed=70)
    generator = random.Random(players)
    weights = [action_weights(batch.board, generator) for _ in games]
    seeds, scores = [game.seed for game in games], np.zeros((3, players), np.int16)
    compare(batch, games)
    while batch.finished() < (3 if board == "san_francisco" else 12):
        actions = [choose(game.legal_numbers(), weights[lane], generator) for lane, game in enumerate(games)]
        batch.step(actions)
        for lane, game in enumerate(games):
            game.play(actions[lane])
            assert batch.dones[lane] == game.over
            assert batch.rewards[lane] == pytest.approx(rewards_of(game) if game.over else [0.0] * players)
            if game.over:
                scores[lane] = [score.total for score in game.scores()]
                seeds[lane] += len(games)
                games[lane] = Game(batch.board, players=players, seed=seeds[lane])
        assert np.array_equal(batch.scores, scores)
        assert not batch.refused.any()
        compare(batch, games)


@pytest.mark.parametrize(("board", "players"), [("san_francisco", 2), ("tiny", 3), ("tiny", 4)])
def test_random_steps_play_the_games_that_simulate_plays(board: str, players: int) -> None:
    lanes, seed, steps = 4, 11, 210
    batch = Batch(load_board(board), players, lanes, seed=seed)
    expected = [random_positions(batch, seed + lane, lanes, steps) for lane in range(lanes)]
    for played in range(7, steps, 7):
        batch.random_steps(7)
        assert [batch.position(lane).snapshot() for lane in range(lanes)] == [row[played] for row in expected]
    assert batch.finished() > 0


def random_positions(batch: Batch, seed: int, stride: int, steps: int) -> list[bytes]:
    """Every position of a lane in random play; a game that is over gives way to the next at once."""
    found: list[bytes] = []
    while len(found) <= steps:
        game = Game(batch.board, players=batch.players, seed=seed)
        for action in random_game(batch.board, batch.players, seed).actions:
            found.append(game.position.snapshot())
            game.play(action)
        seed += stride
    return found


def test_after_random_steps_masks_observations_and_seats_are_those_of_the_games() -> None:
    batch, games = begin("tiny", 3, 4, seed=3)
    batch.random_steps(9)
    for game in games:
        for action in random_game(game.board, 3, game.seed).actions[:9]:
            game.play(action)
    compare(batch, games)
    masks, observations = batch.masks.copy(), batch.observations.copy()
    batch.play_blind(1)
    assert np.array_equal(batch.masks, masks)
    assert np.array_equal(batch.observations, observations)


def test_a_reset_begins_the_games_of_another_seed() -> None:
    batch, _ = begin("tiny", 2, 3, seed=0)
    batch.random_steps(500)
    assert batch.finished() > 0
    batch.reset(40)
    assert batch.finished() == 0
    compare(batch, [Game(batch.board, players=2, seed=40 + lane) for lane in range(3)])


def test_without_observations_the_games_are_the_same() -> None:
    seen, unseen = (Batch(load_board("tiny"), 2, 5, observe=observe) for observe in (True, False))
    for batch in (seen, unseen):
        batch.random_steps(33)
        batch.step(batch.masks.argmax(axis=1))
    assert unseen.observations.shape == (5, 0)
    assert seen.kept.games.tobytes() == unseen.kept.games.tobytes()
    assert np.array_equal(seen.masks, unseen.masks)


# Fairness.


@pytest.mark.rule("10.1", "10.2", "10.3")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", ["san_francisco", "tiny"])
def test_an_observation_stays_the_same_whatever_the_seat_may_not_know(board: str, players: int) -> None:
    """The belief finds games that look the same to the seat. What others noted down may be anything at all."""
    generator, changed = np.random.default_rng(players), 0
    for seed in seeds(3):
        batch, (game,) = begin(board, players, 1, seed=seed)
        for _ in range(60):
            batch.step([action := int(generator.choice(game.legal_numbers()))])
            game.play(action)
            if game.over:
                break
            if len(game.actions) % 4:
                continue
            observation = batch.observations.copy()
            for other in Belief(game.view(game.seat)).sample(5, seed=seed):
                changed += any(other[name].tobytes() != getattr(game.position, name).tobytes() for name in HIDDEN)
                disguised = Batch(batch.board, players, 1)
                disguised.kept.games[0] = other
                disguise(disguised.kept.counters[0], batch.kept.counters[0], game, other, generator)
                disguised.device.write(disguised.kept, disguised.outputs)
                assert np.array_equal(disguised.observations, observation)
    assert changed > 8


def disguise(counter: np.void, real: np.void, game: Game, other: np.void, generator: np.random.Generator) -> None:
    """What the deciding seat noted down as it is, and what the others did as anything."""
    seat = game.seat
    for field in ("put_back", "least", "drawn"):
        counter[field] = generator.integers(0, 5, counter[field].shape)
        counter[field][seat] = real[field][seat]
    hidden = [number for number in range(game.players) if number != seat]
    counter["drawn"][hidden] = 0  # of the cards since the last shuffle, what is not in the deck came to somebody
    counter["drawn"][hidden[-1]] = count_of(game.view(seat))["fresh"][0] - other["deck"]


def test_a_card_taken_from_the_display_is_observed_by_all_but_its_owner() -> None:
    batch, (game,) = begin("san_francisco", 2, 1, seed=7)
    taken: list[str] = []
    while len(taken) < 2:
        colours = [action for action in game.legal_actions() if isinstance(action, Draw) and action.source in COLOURS]
        action = colours[0] if colours else game.legal_actions()[0]
        taken += [action.source] if isinstance(action, Draw) else []
        game.play(action)
        batch.step([action_numbers(batch.board)[action]])
    certain = split(batch.board, 2, batch.observations)["certain"][0, 0].tolist()
    assert game.seat == 1
    assert dict(zip(CARDS, certain, strict=True)) == {card: taken.count(card) for card in CARDS}


# Faults.


def test_a_refused_action_changes_nothing_and_names_the_rule() -> None:
    batch, games = begin("san_francisco", 3, 3, seed=5)
    before = [batch.position(lane).snapshot() for lane in range(3)]
    legal = [game.legal_numbers()[0] for game in games]
    with pytest.raises(IllegalAction, match=r"2\.5 first keep one or both") as raised:
        batch.step([legal[0], 0, legal[2]])
    assert raised.value.rule == "2.5"
    assert "lane 1: draw deck" in raised.value.__notes__[0]
    assert batch.refused.tolist() == [False, True, False]
    assert [batch.position(lane).snapshot() == before[lane] for lane in range(3)] == [False, True, False]
    for lane in (0, 2):
        games[lane].play(legal[lane])
    compare(batch, games)


@pytest.mark.parametrize("number", [-1, 100_000])
def test_there_are_no_other_actions_than_those_with_a_number(number: int) -> None:
    batch, games = begin("tiny", 2, 2, seed=5)
    with pytest.raises(ValueError, match=f"lane 0: there is no action {number}, only 0 to {batch.actions - 1}"):
        batch.step([number, games[1].legal_numbers()[0]])


def test_a_batch_that_is_not_strict_marks_what_it_refused() -> None:
    batch = Batch(load_board("tiny"), 2, 3, strict=False)
    before = batch.kept.games.tobytes()
    batch.step([0, -1, 100_000])
    assert batch.refused.tolist() == [True, True, True]
    assert batch.kept.games.tobytes() == before
    with pytest.raises(IllegalAction, match=r"2\.5"):
        batch.check(np.array([0, -1, 100_000]))
    batch.step(batch.masks.argmax(axis=1))
    assert not batch.refused.any()


@pytest.mark.parametrize(
    ("actions", "told"),
    [
        ([0, 1], r"actions: 3 whole numbers are needed, not int64 in the shape \(2,\)"),
        ([[0, 1, 2]], r"not int64 in the shape \(1, 3\)"),
        ([0.0, 1.0, 2.0], "not float64"),
        ([True, False, True], "not bool"),
    ],
)
def test_actions_are_whole_numbers_one_for_each_lane(actions: list[object], told: str) -> None:
    batch = Batch(load_board("tiny"), 2, 3)
    before = batch.kept.games.tobytes()
    with pytest.raises(ValueError, match=told):
        batch.step(actions)
    assert batch.kept.games.tobytes() == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"players": 5}, "1.7 a game has 2 to 4 players, not 5"),
        ({"players": 2.0}, "1.7 a game has 2 to 4 players"),
        ({"games": 0}, "games: a batch has at least 1, not 0"),
        ({"games": True}, "games: a batch has at least 1, not True"),
        ({"seed": -1}, "a seed is a whole number"),
        ({"device": "tpu"}, "device: one of cpu, cuda, not 'tpu'"),
    ],
)
def test_bad_arguments_are_refused_by_name(arguments: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Batch(load_board("tiny"), **({"games": 2} | arguments))  # type: ignore[arg-type]


@pytest.mark.parametrize("steps", [0, -1, 1.0])
def test_random_steps_are_at_least_one(steps: int) -> None:
    with pytest.raises(ValueError, match="steps: at least 1"):
        Batch(load_board("tiny"), 2, 2).random_steps(steps)


def test_a_batch_takes_whole_numbers_of_numpy() -> None:
    batch = Batch(load_board("tiny"), np.int64(3), np.uint16(4), seed=np.uint64(2**64 - 1))
    batch.random_steps(np.int8(2))
    assert (type(batch.players), type(batch.games), batch.position(np.int32(3)).players) == (int, int, 3)
    with pytest.raises(ValueError, match="lane: 0 to 3, not 4"):
        batch.position(4)


@pytest.mark.parametrize("lanes", [1, 3, 1000])
def test_arrays_begin_where_other_libraries_take_them_without_a_copy(lanes: int) -> None:
    batch = Batch(load_board("tiny"), 2, lanes)
    for array in (*batch.outputs, batch.sample(), batch.kept.games):
        assert array.ctypes.data % 64 == 0
        assert array.flags.c_contiguous
        assert array.flags.writeable


# What is remembered.


@pytest.mark.parametrize("name", ["san_francisco", "tiny"])
def test_a_batch_that_remembers_tells_every_game_with_its_events(name: str) -> None:
    batch = Batch(load_board(name), 3, 5, seed=2**64 - 3, remember=True, strict=False)
    games = [Game(batch.board, players=3, seed=(2**64 - 3 + lane) % 2**64) for lane in range(5)]
    ended: list[Game | None] = [None] * 5
    for step in range(400):
        actions = batch.sample().copy()
        if step % 7 == 0:
            actions[step % 5] = -1
        batch.step(actions)
        for lane in np.flatnonzero(~batch.refused).tolist():
            games[lane].play(actions[lane])
            if games[lane].over:
                ended[lane] = games[lane]
                games[lane] = Game(batch.board, players=3, seed=(games[lane].seed + 5) % 2**64)
    assert [batch.game(lane) for lane in range(5)] == games
    assert [batch.last_game(lane) for lane in range(5)] == ended
    assert all(game is not None and game.over for game in ended)
    batch.reset(1)
    assert (batch.game(0).seed, batch.last_game(0)) == (1, None)


def test_a_game_may_be_longer_than_there_is_room_for_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for 3 actions is doubled several times."""
    games = []
    for room in (3, 256):
        monkeypatch.setattr(histories, "ROOM", room)
        batch = Batch(load_board("san_francisco"), 2, 2, seed=4, remember=True)
        for _ in range(20):
            batch.step(batch.sample())
        games.append([batch.game(lane) for lane in range(2)])
    assert games[0] == games[1]
    assert max(len(game.actions) for game in games[0]) > 6


def test_random_steps_that_are_remembered_are_the_same_as_others() -> None:
    batches = [Batch(load_board("tiny"), 2, 9, seed=4, remember=remember) for remember in (True, False)]
    for batch in batches:
        batch.random_steps(150)
    remembering, other = batches
    assert remembering.kept.games.tobytes() == other.kept.games.tobytes()
    assert remembering.game(8).position == other.position(8)
    with pytest.raises(ValueError, match="played blind"):
        remembering.play_blind(1)


def test_a_batch_that_does_not_remember_says_so() -> None:
    with pytest.raises(ValueError, match="remember=True"):
        Batch(load_board("tiny"), 2, 2).game(0)


# Compiling.


def test_a_first_batch_says_that_it_compiles(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def begin_and_compile(*_: object) -> None:
        njit(lambda number: number + 1)(1)

    monkeypatch.setattr(CpuDevice, "begin", begin_and_compile)
    batch = Batch(load_board("tiny"), 2, 2)
    batch.reset(1)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "compiles its rules for this map, once" in caplog.text


def test_a_batch_that_finds_its_code_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(2):
        caplog.clear()
        Batch(load_board("tiny"), 2, 2).step([9, 9])
    assert caplog.records == []


def test_without_a_gpu_the_error_says_what_is_missing() -> None:
    """In a process of its own, from which every GPU is hidden."""
    code = "from fogline.batch import Batch; Batch('tiny', device='cuda')"
    environment = os.environ | {"CUDA_VISIBLE_DEVICES": "-1", "NUMBA_DISABLE_JIT": "0"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    last = run.stderr.splitlines()[-1]
    assert 'device="cuda"' in last
    assert "needs an NVIDIA GPU with its driver" in last
    assert 'pip install "fogline[gpu]"' in last


# The same everywhere.


def test_any_number_of_cores_gives_the_same_bytes() -> None:
    batches = [Batch(load_board("tiny"), 3, 5003, seed=9, cores=cores) for cores in (1, 2, 5)]
    for batch in batches:
        batch.random_steps(40)
        for _ in range(60):
            batch.step(batch.masks.argmax(axis=1))
    assert batches[0].finished() > 5003
    for batch in batches[1:]:
        for array, other in zip((*batch.outputs, *batch.kept), (*batches[0].outputs, *batches[0].kept), strict=True):
            assert array.tobytes() == other.tobytes()


def test_interpreted_and_compiled_batches_are_equal_byte_for_byte() -> None:
    command = [sys.executable, "-m", "tests.batch.interpreted"]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == list(lines())
