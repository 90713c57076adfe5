"""What the seats of imagined games have counted, against what they have noted down in the real one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from fogline import Game
from fogline.game.actions import action_numbers
from fogline.game.position import copy_record
from fogline.knowledge.card_counter import COUNT, COUNTER, begin_counting, play_counted
from fogline.knowledge.observation import observation_length, observe_seat, split
from fogline.maps.board import Board
from fogline.maps.mapfile import CARDS
from fogline.players.neural.sampled_counters import counters_of
from fogline.players.scripted.compiled_player import Planner
from fogline.rules.numbering import KEEP

GAMES = range(6)


def moments(players: int, seed: int) -> Iterator[tuple[Game, np.ndarray]]:
    """Decisions in a game of planners, who at times draw tickets, with what all seats have really counted.

    It ends when tickets that were put back come up again: what became of those, nobody else can tell.
    """
    game, counter = Game(players=players, seed=seed), np.zeros(1, COUNTER)
    record, planners = copy_record(game.position.array), [Planner(seed) for seed in range(players)]
    begin_counting(record, counter)
    generator = np.random.default_rng(seed)
    while not game.over and offered(game) <= len(game.board.tickets):
        yield game, counter
        legal = game.legal_actions()
        tickets = [action for action in legal if action_numbers(game.board)[action] in range(KEEP - 1, KEEP + 2)]
        chosen = planners[game.seat].choose(game.view(game.seat))
        if tickets and generator.random() < 0.15:
            chosen = tickets[generator.integers(len(tickets))]
        game.play(chosen)
        play_counted(game.board.tables, record, counter, action_numbers(game.board)[chosen])


def offered(game: Game) -> int:
    return sum(len(event["tickets"]) for event in game.events if event["e"] == "offer")


def observed(game: Game, counter: np.ndarray, seat: int) -> np.ndarray:
    found = np.zeros(observation_length(game.board, game.players), np.uint8)
    observe_seat(game.board.tables, copy_record(game.position.array), counter, np.zeros(1, COUNT), seat, found)
    return found


def test_with_two_players_all_see_what_they_would_have_seen() -> None:
    """The real game is one that may be, too."""
    shuffled, put_back = 0, 0
    for seed in GAMES:
        for game, counter in moments(2, seed):
            told = counters_of(game.view(game.seat), game.position.array)
            for seat in range(2):
                assert observed(game, told, seat).tolist() == observed(game, counter, seat).tolist()
            put_back += bool(counter["put_back"][0, 1 - game.seat])
            shuffled += any(event["e"] == "recycle" for event in game.events)
    assert shuffled > 10
    assert put_back > 10, "or nothing was to be seen"


@pytest.mark.parametrize("players", [3, 4])
def test_with_more_its_own_count_is_exact_and_what_all_others_drew_adds_up(players: int) -> None:
    for seed in GAMES:
        for game, counter in moments(players, seed):
            seat, view = game.seat, game.view(game.seat)
            told = counters_of(view, game.position.array)
            assert observed(game, told, seat).tolist() == observed(game, counter, seat).tolist()
            others = [other for other in range(players) if other != seat]
            assert told["drawn"][0, seat].tolist() == counter["drawn"][0, seat].tolist()
            assert told["drawn"][0, others].sum(0).tolist() == counter["drawn"][0, others].sum(0).tolist()
            assert not (told["put_back"] & ~counter["put_back"]).any(), "nobody remembers a ticket that was another's"


def test_others_do_not_know_which_cards_came_to_it_unseen() -> None:
    """Its blind cards are as good as in the deck, to them."""
    game = Game(board := Board.load(), players=2, seed=3)
    view = game.view(game.seat)
    seen = split(board, 2, observed(game, counters_of(view, game.position.array), 1 - game.seat))
    unknown = {card: int(count) for card, count in zip(CARDS, seen["fresh"], strict=True)}
    shown = game.position.cards_of("display")
    hers = game.position.hand_of(1 - game.seat)
    whole = dict(zip(CARDS, board.map_file.cards, strict=True))
    resets = sum(event["e"] == "reset" for event in game.events)
    assert resets == 0
    assert unknown == {card: whole[card] - shown.get(card, 0) - hers.get(card, 0) for card in CARDS}
