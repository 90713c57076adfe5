"""The environments of Gymnasium play the rules' own games, and tell the learner what its view says, no more."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from fogline.envs.gymnasium import RENDER_MODES, FoglineEnv, FoglineVectorEnv
from fogline.game.game import Game
from fogline.game.refusals import IllegalAction
from fogline.knowledge.observation import observation_of
from fogline.knowledge.seat_state import seat_state_of
from fogline.players.player import PLAYERS
from fogline.players.scripted.plan import new_plans
from fogline.players.scripted.policies import decide_one
from fogline.rules.random_play import first_choice_state
from tests.boards import load_board

COMPILED = [name for name, player in PLAYERS.items() if hasattr(player, "policy")]


def first_legal(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """A player whose choices are easy to repeat."""
    return np.asarray(masks.argmax(axis=1))


def any_legal(infos: dict[str, Any], generator: random.Random) -> np.ndarray:
    return np.array([generator.choice(np.flatnonzero(mask).tolist()) for mask in infos["action_mask"]])


def seen_at_the_end(game: Game, seat: int) -> np.ndarray:
    """What a seat observes when nobody decides any more."""
    return observation_of(replace(game.view(seat), acting=seat))


class Told:
    """One lane's games told once more by `Game`, in which the others decide by their views."""

    def __init__(self, envs: FoglineVectorEnv, lane: int, seed: int, choose: Callable[[Told], int]) -> None:
        self.envs, self.seed, self.learner, self.choose = envs, seed + lane, lane % envs.players, choose
        self.begin()

    def begin(self) -> None:
        self.game = Game(self.envs.board, players=self.envs.players, seed=self.seed)
        self.state = first_choice_state(np.uint64(self.seed))
        self.let_others_decide()

    def let_others_decide(self) -> None:
        while not self.game.over and self.game.seat != self.learner:
            self.game.play(self.choose(self))

    def step(self, action: int) -> Game | None:
        """Returns the game if it has ended."""
        self.game.play(action)
        self.let_others_decide()
        if not self.game.over:
            return None
        ended = self.game
        self.seed += self.envs.num_envs
        self.learner = (self.learner + 1) % self.envs.players
        self.begin()
        return ended


def compiled_choice(policies: list[int]) -> Callable[[Told], int]:
    def choose(told: Told) -> int:
        game, board = told.game, told.envs.board
        policy = policies[(game.seat - told.learner) % game.players - 1]
        seat_state = seat_state_of(game.view(game.seat))
        number, told.state = decide_one(board.tables, seat_state, new_plans(board, 1), policy, np.uint64(told.state))
        return int(number)

    return choose


def reward_of(game: Game, seat: int) -> float:
    share = (seat in game.winners) / len(game.winners)
    return (game.players * share - 1) / (game.players - 1)


def follow(envs: FoglineVectorEnv, choose: Callable[[Told], int], steps: int) -> int:
    """Plays at random and compares all that is told; returns how many games have ended."""
    generator, ended = random.Random(steps), 0
    observations, infos = envs.reset(seed=5)
    told = [Told(envs, lane, 5, choose) for lane in range(envs.num_envs)]
    for _ in range(steps):
        actions = any_legal(infos, generator)
        learners = [lane.learner for lane in told]
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        over = [lane.step(int(action)) for lane, action in zip(told, actions, strict=True)]
        assert terminations.tolist() == [game is not None for game in over]
        assert not truncations.any()
        assert rewards == pytest.approx(
            [0 if g is None else reward_of(g, s) for g, s in zip(over, learners, strict=True)]
        )
        for number, lane in enumerate(told):
            assert envs.batch.position(number).snapshot() == lane.game.position.snapshot()
            assert np.array_equal(observations[number], observation_of(lane.game.view(lane.learner)))
            assert np.array_equal(infos["action_mask"][number], lane.game.legal_mask())
            assert infos["seat"][number] == lane.learner
        ended += check_ends(infos, over, learners)
    return ended


def check_ends(infos: dict[str, Any], over: list[Game | None], learners: list[int]) -> int:
    ended = [number for number, game in enumerate(over) if game is not None]
    assert ("final_obs" in infos) == ("final_info" in infos) == bool(ended)
    for number in ended:
        game, seat = over[number], learners[number]
        assert game is not None
        assert np.array_equal(infos["final_obs"][number], seen_at_the_end(game, seat))
        assert infos["final_info"]["seat"][number] == seat
        assert infos["final_info"]["scores"][number].tolist() == [score.total for score in game.scores()]
        assert infos["_final_obs"][number]
        assert infos["_final_info"][number]
    return len(ended)


@pytest.mark.parametrize("players", [2, 3])
def test_compiled_opponents_choose_what_they_choose_by_their_views(players: int) -> None:
    names = [COMPILED[(place + 1) % len(COMPILED)] for place in range(players - 1)]
    envs = FoglineVectorEnv(3, map=load_board("tiny"), players=players, opponents=names)
    policies = [PLAYERS[name].policy for name in names]  # type: ignore[attr-defined]
    assert follow(envs, compiled_choice(policies), steps=40) > 3


@pytest.mark.parametrize("name", COMPILED)
def test_every_compiled_player_can_be_the_opponent(name: str) -> None:
    envs = FoglineVectorEnv(2, map=load_board("san_francisco"), opponents=(name,))
    follow(envs, compiled_choice([PLAYERS[name].policy]), steps=12)  # type: ignore[attr-defined]


@pytest.mark.parametrize("players", [2, 3])
def test_a_function_on_batches_can_be_the_opponent(players: int) -> None:
    envs = FoglineVectorEnv(3, map=load_board("tiny"), players=players, opponents=first_legal)
    assert follow(envs, lambda told: int(told.game.legal_mask().argmax()), steps=40) > 3


def test_a_function_and_compiled_players_sit_at_one_table() -> None:
    envs = FoglineVectorEnv(3, map=load_board("tiny"), players=3, opponents=(first_legal, "racer"))
    racer = compiled_choice([-1, PLAYERS["racer"].policy])  # type: ignore[attr-defined]

    def choose(told: Told) -> int:
        place = (told.game.seat - told.learner) % 3
        return int(told.game.legal_mask().argmax()) if place == 1 else racer(told)

    assert follow(envs, choose, steps=40) > 3


def test_players_that_see_views_follow_the_very_games_of_the_batch() -> None:
    envs = FoglineVectorEnv(2, map=load_board("tiny"), players=3, opponents=("search@2", "racer"))
    generator, ended = random.Random(1), 0
    _, infos = envs.reset(seed=3)
    assert envs.tables is not None
    for _ in range(25):
        _, _, terminations, _, infos = envs.step(any_legal(infos, generator))
        ended += int(terminations.sum())
        for lane, game in envs.tables.games.items():
            assert envs.batch.position(lane).snapshot() == game.position.snapshot()
    assert ended > 0


# The learner's seat.


@pytest.mark.parametrize("seat", [0, 2])
def test_the_learner_keeps_a_seat_that_is_given(seat: int) -> None:
    assert seats_of(seat) == [[seat] * 3] * 4


def test_the_learner_takes_all_seats_in_turn() -> None:
    assert seats_of("turn") == [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]]


def test_the_learner_takes_seats_by_lot() -> None:
    seats = seats_of("random")
    assert {seat for lane in seats for seat in lane} == {0, 1, 2}
    assert seats not in (seats_of("turn"), [[lane[0]] * 3 for lane in seats])


def seats_of(seat: int | str) -> list[list[int]]:
    """The learner's seats in the first three games of each of four lanes."""
    envs = FoglineVectorEnv(4, map=load_board("tiny"), players=3, opponents="random", seat=seat)
    _, infos = envs.reset(seed=2)
    found = [[int(number)] for number in infos["seat"]]
    while min(map(len, found)) < 3:
        _, _, terminations, _, infos = envs.step(first_legal(np.zeros(0), infos["action_mask"]))
        for lane in np.flatnonzero(terminations):
            found[lane].append(int(infos["seat"][lane]))
    return [lane[:3] for lane in found]


# As Gymnasium has it.


@pytest.mark.parametrize("players", [2, 3])
def test_gymnasium_finds_no_fault(players: int) -> None:
    check_env(gymnasium.make("Fogline-v0", map="tiny", players=players, opponents="racer").unwrapped)


def test_gymnasium_finds_no_fault_on_the_map_of_the_game() -> None:
    check_env(gymnasium.make("Fogline-v0").unwrapped)


def test_what_is_told_lies_in_the_spaces() -> None:
    envs = gymnasium.make_vec("Fogline-v0", num_envs=5, map="tiny", players=3)
    generator = random.Random(0)
    observations, infos = envs.reset(seed=0)
    for _ in range(60):
        actions = any_legal(infos, generator)
        assert actions in envs.action_space
        observations, _, _, _, infos = envs.step(actions)
        assert observations in envs.observation_space
        for number in np.flatnonzero(infos.get("_final_obs", [])):
            assert infos["final_obs"][number] in envs.unwrapped.single_observation_space


def test_a_sample_of_the_space_with_the_mask_is_legal() -> None:
    envs = FoglineVectorEnv(4, map="tiny", opponents="random", strict=True)
    _, infos = envs.reset(seed=0)
    for _ in range(20):
        _, _, _, _, infos = envs.step(envs.action_space.sample(mask=tuple(infos["action_mask"])))
    assert not infos["refused"].any()


def test_one_game_is_told_as_many_are() -> None:
    env, envs = FoglineEnv(map="tiny", seat=1), FoglineVectorEnv(1, map="tiny", seat=1)
    generator = random.Random(4)
    (observation, info), (observations, infos) = env.reset(seed=9), envs.reset(seed=9)
    terminated = False
    while not terminated:
        assert np.array_equal(observation, observations[0])
        assert np.array_equal(info["action_mask"], infos["action_mask"][0])
        assert np.array_equal(env.action_masks(), info["action_mask"])
        (action,) = any_legal(infos, generator)
        observation, reward, terminated, truncated, info = env.step(action)
        observations, rewards, terminations, _, infos = envs.step(np.array([action]))
        assert (reward, terminated, truncated) == (rewards[0], terminations[0], False)
    assert np.array_equal(observation, infos["final_obs"][0])
    assert info["scores"] == infos["final_info"]["scores"][0].tolist()
    assert not info["action_mask"].any()
    assert not env.action_masks().any()
    with pytest.raises(gymnasium.error.ResetNeeded, match="the game is over"):
        env.step(0)


def test_the_mode_in_which_games_begin_anew_is_declared_and_understood_by_wrappers() -> None:
    envs = gymnasium.make_vec("Fogline-v0", num_envs=4, map="tiny", opponents="random")
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    counted = RecordEpisodeStatistics(envs)
    _, infos = counted.reset(seed=1)
    lengths, found = np.zeros(4, int), []
    for _ in range(60):
        _, _, terminations, _, infos = counted.step(first_legal(np.zeros(0), infos["action_mask"]))
        lengths += 1
        found += [(int(infos["episode"]["l"][lane]), int(lengths[lane])) for lane in np.flatnonzero(terminations)]
        lengths[terminations] = 0
    assert len(found) > 4
    assert all(told == counted for told, counted in found)


def test_gymnasium_s_own_vectors_of_single_games_play_the_same_games() -> None:
    made = SyncVectorEnv([lambda: FoglineEnv(map="tiny", seat=0)] * 3, autoreset_mode=AutoresetMode.SAME_STEP)
    envs = FoglineVectorEnv(3, map="tiny", seat=0)
    (observations, infos), (others, _) = envs.reset(seed=6), made.reset(seed=6)
    terminations, generator = np.zeros(3, bool), random.Random(0)
    while not terminations.any():
        assert np.array_equal(observations, others)
        actions = any_legal(infos, generator)
        observations, rewards, terminations, _, infos = envs.step(actions)
        others, other_rewards, other_terminations, _, other_infos = made.step(actions)
        assert np.array_equal(rewards, other_rewards)
        assert np.array_equal(terminations, other_terminations)
    assert set(infos) == set(other_infos)
    for lane in np.flatnonzero(terminations):
        assert np.array_equal(infos["final_obs"][lane], other_infos["final_obs"][lane])


def test_what_was_told_does_not_change_later() -> None:
    envs = FoglineVectorEnv(2, map="tiny", opponents="random")
    observations, infos = envs.reset(seed=1)
    copies = observations.copy(), {name: array.copy() for name, array in infos.items()}
    envs.step(first_legal(observations, infos["action_mask"]))
    assert np.array_equal(observations, copies[0])
    assert all(np.array_equal(infos[name], copies[1][name]) for name in infos)


def test_any_number_of_cores_plays_the_same_games() -> None:
    told = []
    for cores in (1, 3):
        envs = FoglineVectorEnv(3000, map="tiny", players=3, seat="random", cores=cores)
        observations, infos = envs.reset(seed=8)
        for _ in range(30):
            observations, rewards, _, _, infos = envs.step(first_legal(observations, infos["action_mask"]))
        told.append((observations.tobytes(), rewards.tobytes(), infos["seat"].tobytes()))
    assert told[0] == told[1]


INTERPRETED = """
import hashlib, numpy as np
from fogline.envs.gymnasium import FoglineVectorEnv
envs = FoglineVectorEnv(2, map="tiny", players=3, opponents=("racer", "dreamer"), seat="random", cores=1)
observations, infos = envs.reset(seed=2)
told, ended = hashlib.sha256(observations), 0
for _ in range(20):
    observations, rewards, terminations, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    ended += terminations.sum()
    for array in (observations, rewards, infos["action_mask"], infos["seat"], *infos.get("final_obs", ())):
        told.update(b"" if array is None else array)
print(ended > 0, told.hexdigest())
"""


def test_interpreted_and_compiled_opponents_play_the_same_games() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", INTERPRETED],
            env=os.environ | {"NUMBA_DISABLE_JIT": interpreted},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for interpreted in ("0", "1")
    ]
    assert told[0] == told[1]
    assert told[0].startswith("True")


def test_without_a_seed_the_games_are_others_each_time() -> None:
    envs = FoglineVectorEnv(8, map="tiny")
    assert len({envs.reset()[0].tobytes() for _ in range(3)}) == 3


# Pictures.


@pytest.mark.parametrize("mode", RENDER_MODES)
def test_there_are_pictures_of_every_kind(mode: str) -> None:
    kind = np.ndarray if mode == "rgb_array" else str
    env = FoglineEnv(map="tiny", opponents="random", render_mode=mode)
    _, info = env.reset(seed=1)
    assert isinstance(env.render(), kind)
    terminated = False
    while not terminated:
        _, _, terminated, _, info = env.step(int(info["action_mask"].argmax()))
    assert isinstance(env.render(), kind)
    envs = FoglineVectorEnv(2, map="tiny", render_mode=mode)
    envs.reset(seed=1)
    assert [type(picture) for picture in envs.render() or ()] == [kind] * 2


def test_a_picture_is_of_the_game_as_it_stands_and_at_the_end_of_the_end() -> None:
    env = FoglineEnv(map="tiny", opponents="random", seat=0)
    _, info = env.reset(seed=1)
    terminated = False
    while not terminated:
        assert env.envs.pictured(0).position.snapshot() == env.envs.batch.position(0).snapshot()
        _, _, terminated, _, info = env.step(int(info["action_mask"].argmax()))
    ended = env.envs.pictured(0, last=True)
    assert ended.over
    assert [score.total for score in ended.scores()] == info["scores"]


def test_without_a_mode_there_is_no_picture() -> None:
    env = FoglineEnv(map="tiny")
    env.reset(seed=1)
    assert env.render() is None
    assert env.envs.render() is None


# Faults.


def test_an_action_that_is_not_legal_changes_nothing_and_is_told() -> None:
    envs = FoglineVectorEnv(3, map="tiny", seat=0)
    observations, infos = envs.reset(seed=1)
    before = [envs.batch.position(lane).snapshot() for lane in range(3)]
    legal = first_legal(observations, infos["action_mask"])
    others, rewards, terminations, _, infos = envs.step(np.array([0, legal[1], 100_000]))
    assert infos["refused"].tolist() == [True, False, True]
    assert [envs.batch.position(lane).snapshot() == before[lane] for lane in range(3)] == [True, False, True]
    assert np.array_equal(others[[0, 2]], observations[[0, 2]])
    assert not rewards.any()
    assert not terminations.any()


def test_a_strict_environment_raises_with_the_rule_and_changes_nothing_anywhere() -> None:
    envs = FoglineVectorEnv(3, map="tiny", seat=0, strict=True)
    observations, infos = envs.reset(seed=1)
    before = envs.batch.kept.games.tobytes()
    actions = first_legal(observations, infos["action_mask"])
    actions[1] = 0
    with pytest.raises(IllegalAction, match=r"2\.5") as raised:
        envs.step(actions)
    assert "game 1: draw deck" in raised.value.__notes__[0]
    actions[1] = -1
    with pytest.raises(ValueError, match=r"actions: in game 1, there is no action -1, only 0 to \d+"):
        envs.step(actions)
    assert envs.batch.kept.games.tobytes() == before


def test_an_opponent_that_breaks_a_rule_is_told_so() -> None:
    envs = FoglineVectorEnv(2, map="tiny", seat=1, opponents=lambda observations, masks: np.zeros(len(masks), int))
    with pytest.raises(IllegalAction, match=r"2\.5"):
        envs.reset(seed=1)
    envs = FoglineVectorEnv(2, map="tiny", seat=1, opponents=lambda observations, masks: [0.5])
    with pytest.raises(ValueError, match="actions: 2 whole numbers are needed, not float64"):
        envs.reset(seed=1)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"opponents": ("grandmaster",)}, "opponents: there is no player 'grandmaster'"),
        ({"opponents": ("racer", "racer")}, "opponents: 1 or 1 for 2 players, not 2"),
        ({"opponents": ("racer",) * 2, "players": 4}, "opponents: 1 or 3 for 4 players, not 2"),
        ({"opponents": (7,)}, "opponents: names of players, or functions"),
        ({"opponents": ("racer@1s",)}, "racer takes no budget"),
        ({"seat": 2}, "seat: 0 to 1, turn or random, not 2"),
        ({"seat": "mine"}, "seat: 0 to 1, turn or random, not 'mine'"),
        ({"seat": True}, "seat: 0 to 1"),
        ({"render_mode": "human"}, "render_mode: one of ansi, svg, rgb_array, not 'human'"),
        ({"players": 5}, "2 to 4 players"),
    ],
)
def test_bad_settings_are_refused_by_name(settings: dict[str, Any], told: str) -> None:
    for make in (lambda: FoglineVectorEnv(2, map="tiny", **settings), lambda: FoglineEnv(map="tiny", **settings)):
        with pytest.raises(ValueError, match=told):
            make()


def test_there_are_no_options_and_no_steps_before_a_reset() -> None:
    for env in (FoglineEnv(map="tiny"), FoglineVectorEnv(2, map="tiny")):
        with pytest.raises(gymnasium.error.ResetNeeded, match="no game has begun"):
            env.step(np.zeros(2, int) if isinstance(env, FoglineVectorEnv) else 0)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="options: there are none, not 'level'"):
            env.reset(seed=1, options={"level": 3})


@pytest.mark.parametrize("actions", [[0], [[0, 1]], [0.0, 1.0]])
def test_actions_are_whole_numbers_one_for_each_game(actions: list[Any]) -> None:
    envs = FoglineVectorEnv(2, map="tiny")
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="actions: 2 whole numbers are needed"):
        envs.step(np.array(actions))


@pytest.mark.parametrize(
    ("module", "library", "extra"), [("gymnasium", "gymnasium", "rl"), ("torch", "torch", "torch")]
)
def test_without_its_library_an_environment_names_the_extra(module: str, library: str, extra: str) -> None:
    code = f"import sys; sys.modules[{library!r}] = None; import fogline.envs.{module}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stderr.splitlines()[-1] == (
        f'ImportError: fogline.envs.{module} needs {library}: pip install "fogline[{extra}]"'
    )


def test_the_library_brings_no_library_of_an_environment() -> None:
    code = (
        "import sys, fogline, fogline.batch; print(*(name for name in ('gymnasium', 'torch') if name in sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "\n"


# Masks in the observation.


@pytest.mark.parametrize("players", [2, 3])
def test_a_mask_may_be_part_of_the_observation(players: int) -> None:
    settings: dict[str, Any] = {"map": "tiny", "players": players, "seat": 0, "opponents": "random"}
    made = [lambda: FoglineEnv(observe_mask=True, **settings)] * 3
    envs, plain = FoglineVectorEnv(3, observe_mask=True, **settings), FoglineVectorEnv(3, **settings)
    single = SyncVectorEnv(made, autoreset_mode=AutoresetMode.SAME_STEP)
    (seen, infos), (others, _), (expected, _) = (each.reset(seed=6) for each in (envs, single, plain))
    terminations = np.zeros(3, bool)
    while not terminations.any():  # then single games begin others than a lane's
        assert envs.observation_space.contains(seen)
        assert np.array_equal(seen["action_mask"], infos["action_mask"])
        assert np.array_equal(seen["observation"], expected)
        assert all(np.array_equal(seen[name], others[name]) for name in ("observation", "action_mask"))
        actions = first_legal(expected, seen["action_mask"])
        seen, _, terminations, _, infos = envs.step(actions)
        others, _, _, _, other_infos = single.step(actions)
        expected, _, _, _, plain_infos = plain.step(actions)
    for lane in np.flatnonzero(terminations):
        last = infos["final_obs"][lane]
        assert np.array_equal(last["observation"], plain_infos["final_obs"][lane])
        assert not last["action_mask"].any()
        assert all(np.array_equal(last[name], other_infos["final_obs"][lane][name]) for name in last)


def test_one_game_with_its_mask_in_the_observation_is_as_gymnasium_wants_it() -> None:
    check_env(gymnasium.make("Fogline-v0", map="tiny", observe_mask=True).unwrapped)
    env = FoglineEnv(map="tiny", observe_mask=True, seat=np.int64(1))
    seen, info = env.reset(seed=np.uint16(3))
    assert np.array_equal(seen["action_mask"], info["action_mask"])
    assert np.array_equal(env.envs.action_masks()[0], env.action_masks())
