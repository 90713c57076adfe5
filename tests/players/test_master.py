"""The master's trial of its candidates, and the games that it imagines for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fogline import Game
from fogline.envs.seats import rewards
from fogline.game.actions import Claim, action_numbers, board_actions
from fogline.game.position import copy_record
from fogline.knowledge.belief import Belief
from fogline.knowledge.card_counter import COUNTER, begin_counting, play_counted
from fogline.players.neural import master
from fogline.players.neural.lookahead import MARGIN, MARGIN_SHARE, Lookahead, Whims
from fogline.players.neural.master import AT_FIRST, AT_ONCE, ENOUGH, FIRST_LOOK, Allowance, Master, Trial
from fogline.players.neural.network import Network
from fogline.players.neural.neural import WEIGHTS, Neural, find_network
from fogline.players.neural.sampled_counters import counters_of
from fogline.players.neural.thought import Thought
from fogline.players.scripted.compiled_player import Planner
from fogline.rules.state import SECOND_CARD, TURN

GAMES = 6


def game_with_a_claim() -> Game:
    """From the middle of a game, where one can draw or claim."""
    game, neural = Game(seed=5), Neural(0)
    while len(game.actions) < 20 or not any(isinstance(action, Claim) for action in game.legal_actions()):
        game.play(neural.choose(game.view(game.seat)))
    return game


def look_ahead(game: Game, actions: list[int], turns: int, luck: np.ndarray, seed: int = 1) -> np.ndarray:
    """[action, game]"""
    view, network = game.view(game.seat), find_network(game.board, WEIGHTS)
    assert network is not None
    imagined = Belief(view).sample(GAMES, 3)
    same = np.tile(np.arange(GAMES), len(actions))
    ahead = Lookahead(view, network, np.random.default_rng(seed))
    counters = counters_of(view, imagined)
    worth = ahead.values(imagined[same], counters[same], np.repeat(actions, GAMES), turns, luck)
    return worth.reshape(len(actions), GAMES)


def thought_of(game: Game) -> Thought:
    network = find_network(game.board, WEIGHTS)
    assert network is not None
    return Thought(game.view(game.seat), network)


def test_the_same_action_with_the_same_luck_comes_to_the_same() -> None:
    game = game_with_a_claim()
    action = int(thought_of(game).legal[0])
    same = np.tile(np.arange(GAMES), 2)
    first, second = look_ahead(game, [action, action], 4, same)
    assert first == pytest.approx(second, abs=1e-5)
    first, second = look_ahead(game, [action, action], 4, np.arange(2 * GAMES))
    assert first != pytest.approx(second, abs=1e-5)


def test_without_the_time_for_a_look_it_does_what_the_network_likes_best(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_with_a_claim()
    thought = thought_of(game)
    liked = board_actions(game.board)[int(thought.legal[thought.logits.argmax()])]
    monkeypatch.setattr(Lookahead, "values", None)  # to look ahead would be an error
    assert Master(1, seconds=FIRST_LOOK / 2).choose(game.view(game.seat)) == liked
    with pytest.raises(TypeError):
        Master(1, seconds=FIRST_LOOK).choose(game.view(game.seat))


class Sure:
    """The network without any doubts: whims make no difference then."""

    def __init__(self, network: Network) -> None:
        self.network, self.claims = network, network.claims

    def __call__(self, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        logits, values = self.network(inputs)
        return 1e6 * logits, values


def worth_by_hand(game: Game, action: int, turns: int) -> float:
    """The real game is played on by `neural`, until the seat's turn has come so often, or to the end."""
    seat, neural, away = game.seat, Neural(0), False
    game.play(board_actions(game.board)[action])
    while not game.over:
        away = away or game.seat != seat
        if away and game.seat == seat and game.view(seat).phase == "turn":
            away, turns = False, turns - 1
            if turns == 0:
                return thought_of(game).value
        game.play(neural.choose(game.view(game.seat)))
    totals = [score.total for score in game.scores()]
    lead = totals[seat] - max(total for other, total in enumerate(totals) if other != seat)
    return (1 - MARGIN_SHARE) * rewards(game)[seat] + MARGIN_SHARE * max(-1, min(1, lead / MARGIN))


@pytest.mark.parametrize("turns", [1, 2, 6, 50])
@pytest.mark.parametrize("players", [2, 3])
def test_it_sees_what_would_come_until_its_own_turn_has_come_so_often(players: int, turns: int) -> None:
    """In the real game, with what all have really counted, and without whims."""
    for seed, begun in enumerate((1, 17, 34)):  # of three, the second places a stack after it has chosen its tickets
        game = Game(players=players, seed=seed)
        counter, record, planner = np.zeros(1, COUNTER), copy_record(game.position.array), Planner(seed)
        begin_counting(record, counter)
        while len(game.actions) < begun:
            chosen = planner.choose(game.view(game.seat))
            play_counted(game.board.tables, record, counter, action_numbers(game.board)[chosen])
            game.play(chosen)
        thought = thought_of(game)
        ahead = Lookahead(thought.view, Sure(thought.network), np.random.default_rng(1))  # type: ignore[arg-type]
        action = int(thought.legal[thought.logits.argsort()[-min(2, len(thought.legal))]])
        worth = ahead.values(record, counter, np.array([action]), turns, np.zeros(1, np.int64))
        assert worth.tolist() == pytest.approx([worth_by_hand(game, action, turns)], abs=1e-5)


def promising(best: int) -> Any:
    """A look ahead that sees a victory behind one action alone."""

    def values(ahead: Lookahead, *asked: Any, luck: np.ndarray) -> np.ndarray:
        *_, actions, turns = asked
        assert turns == 6, "a dozen turns of two players"
        return np.asarray(actions == best, np.float64)

    return values


def test_it_takes_the_candidate_that_is_worth_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever it is, of those that the network can think of."""
    thought = thought_of(game_with_a_claim())
    actions, logits = master.candidates_of(thought)
    assert 1 < len(actions) <= 8
    assert logits.tolist() == sorted(logits, reverse=True)
    for best in actions:
        monkeypatch.setattr(Lookahead, "values", promising(best))
        assert Master(1, iterations=4)._pick(thought) == best
        assert thought.value == 1.0, "what it has seen is what it hopes for"


def test_whims_depend_on_the_turn_and_not_on_how_many_decisions_came_before() -> None:
    whims = Whims(np.random.default_rng(1), 5, luck=np.array([0, 1, 0]))
    lanes, seats = np.arange(3), np.array([1, 1, 1])
    here = whims.of(lanes, seats, np.array([2, 2, 2]), np.full(3, TURN))
    assert here[0].tolist() == here[2].tolist() != here[1].tolist()
    later = whims.of(lanes[:2], seats[:2], np.array([2, 2]), np.full(2, SECOND_CARD))
    assert later[0].tolist() != here[0].tolist()
    for seat, turn in ((1, 3), (0, 2)):
        other = whims.of(lanes[:1], np.array([seat]), np.array([turn]), np.full(1, TURN))
        assert other[0].tolist() != here[0].tolist(), "another turn, or another's"
    assert whims.of(lanes[2:], seats[:1], np.array([2]), np.full(1, TURN)).tolist() == [here[2].tolist()]


def test_a_candidate_is_dropped_once_it_is_hopelessly_behind_and_not_before() -> None:
    trial = Trial(np.array([7, 8, 9]), np.zeros(3))
    noise = np.random.default_rng(0).normal(0, 0.1, (3, 2 * ENOUGH))
    worth = noise + np.array([[0.5], [0.49], [0.0]])
    trial.note(worth[:, : ENOUGH // 2])
    assert trial.alive.tolist() == [0, 1, 2]
    trial.note(worth[:, ENOUGH // 2 : ENOUGH])
    assert trial.alive.tolist() == [0, 1]
    trial.note(worth[:2, ENOUGH:])
    assert trial.games == 2 * ENOUGH
    assert trial.worth_of(0) == worth[0].mean()


def test_what_the_network_likes_decides_between_equals_alone() -> None:
    trial = Trial(np.array([7, 8]), np.log([0.9, 0.1]))
    assert trial.best == 0
    trial.note(np.zeros((2, 4)))
    assert trial.best == 0
    trial.note(np.array([[0.0] * 4, [0.1] * 4]))
    assert trial.best == 1


def test_it_imagines_as_many_games_as_its_budget_has_room_for() -> None:
    thought = thought_of(game_with_a_claim())
    over = Allowance(FIRST_LOOK, None)
    over.start -= 60
    for budget, games in ((Allowance(9, 75), 75), (over, AT_FIRST // 2), (Allowance(9, 1), 1)):
        trial = Trial(np.repeat(thought.legal[:1], 2), np.zeros(2))  # two equals, of which none is ever dropped
        Master(1)._look_ahead(thought.view, thought.network, trial, budget)
        assert trial.games == games


def test_it_imagines_more_games_at_once_as_it_goes_on() -> None:
    trial, budget = Trial(np.array([7, 8]), np.zeros(2)), Allowance(60, None)
    counts = [budget.more(trial) for _ in range(6)]
    assert [2 * count for count in counts] == [16, 16, 32, 64, AT_ONCE, AT_ONCE]
    budget.start -= 30
    assert 0 < 2 * budget.more(trial) <= AT_ONCE
    budget.start -= 60
    assert budget.more(trial) == 0


def test_in_the_games_that_it_imagines_others_have_tickets_that_suit_them(monkeypatch: pytest.MonkeyPatch) -> None:
    thought, game_count = thought_of(game_with_a_claim()), 8
    dealt: list[np.ndarray] = []
    monkeypatch.setattr(master, "redeal_tickets", lambda view, games, generator: dealt.append(games))
    trial = Trial(thought.legal[:2], np.zeros(2))
    Master(1)._look_ahead(thought.view, thought.network, trial, Allowance(9, game_count))
    assert sum(map(len, dealt)) == trial.games == game_count
