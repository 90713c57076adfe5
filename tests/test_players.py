"""Players that are programs: they choose legal actions, the same ones for the same seed, and the racer beats chance."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest

from fogline.actions import Action, Claim, Keep
from fogline.game import Game
from fogline.players.player import PLAYERS
from tests.boards import BOARDS, load_board

each_player = pytest.mark.parametrize("name", PLAYERS)


def play(names: Sequence[str], seed: int, board: str = "san_francisco") -> Game:
    """A game between players by name; every choice must be one of the view's."""
    game = Game(load_board(board), players=len(names), seed=seed)
    players = [PLAYERS[name](seed + seat) for seat, name in enumerate(names)]
    while not game.over:
        view = game.view(game.seat)
        action = players[game.seat].choose(view)
        assert action in view.legal_actions
        game.play(action)
    return game


def test_the_table_names_every_player_as_it_names_itself() -> None:
    assert {name: PLAYERS[name](0).name for name in PLAYERS} == {name: name for name in PLAYERS}
    assert {"random", "racer"} <= set(PLAYERS)


@each_player
def test_a_player_describes_itself(name: str) -> None:
    """In words that complete `who …`."""
    description = PLAYERS[name](0).description
    assert description == description.strip().rstrip(".")
    assert description[0].islower()


@each_player
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_player_finishes_every_game_with_legal_actions_alone(name: str, board: str, players: int) -> None:
    for seed in range(3):
        game = play([name] * players, seed, board)
        assert game.winners


@pytest.mark.parametrize("names", list(product(PLAYERS, repeat=3)), ids=",".join)
def test_players_play_with_one_another(names: tuple[str, ...]) -> None:
    assert play(names, 1, "tiny").over


@each_player
def test_the_same_seed_chooses_the_same_and_another_does_not(name: str) -> None:
    games = [play([name, name], seed=5).actions for _ in range(2)]
    assert games[0] == games[1]
    assert choices(name, 1) == choices(name, 1)
    assert any(choices(name, 1) != choices(name, seed) for seed in range(2, 6))


def choices(name: str, seed: int) -> list[Action]:
    """What a player with this seed chooses against itself, with the same chance for every seed."""
    game = Game(seed=9)
    players = [PLAYERS[name](seed), PLAYERS[name](seed)]
    while not game.over:
        game.play(players[game.seat].choose(game.view(game.seat)))
    return game.actions


@each_player
def test_a_player_needs_no_more_than_its_own_view(name: str) -> None:
    """What the other seat holds, and what lies in the deck, may be anything: the choice stays the same."""
    game = Game(players=2, seed=3)
    for seed in range(40):
        other = game.copy()
        hidden = other.position.array
        hidden["hand"][0, 1 - game.seat] = hidden["hand"][0, 1 - game.seat][::-1].copy()
        hidden["deck"][0] = hidden["deck"][0][::-1].copy()
        hidden["ticket_deck"][0] = hidden["ticket_deck"][0][::-1].copy()
        chosen = PLAYERS[name](seed).choose(game.view(game.seat))
        assert PLAYERS[name](seed).choose(other.view(game.seat)) == chosen
        game.play(chosen)


def test_random_chooses_every_legal_action_about_equally_often() -> None:
    view = Game(seed=1).view(0)
    counts = dict.fromkeys(view.legal_actions, 0)
    for seed in range(600):
        counts[PLAYERS["random"](seed).choose(view)] += 1
    assert len(counts) == 3
    assert all(150 < count < 250 for count in counts.values())


def test_the_racer_claims_the_longest_route_that_it_can_with_as_few_ferries_as_it_can() -> None:
    for seed in range(3):
        game = Game(seed=seed)
        racers = [PLAYERS["racer"](seed), PLAYERS["racer"](seed)]
        while not game.over:
            view = game.view(game.seat)
            claims = [action for action in view.legal_actions if isinstance(action, Claim)]
            chosen = racers[game.seat].choose(view)
            if claims:
                assert isinstance(chosen, Claim)
                assert (length(chosen), -chosen.ferries) == max((length(c), -c.ferries) for c in claims)
            game.play(chosen)


def length(claim: Claim) -> int:
    return claim.cards + claim.ferries


def test_the_racer_keeps_the_cheaper_ticket() -> None:
    for seed in range(10):
        view = Game(seed=seed).view(0)
        first, second = (view.board.ticket(ticket).value for ticket in view.offer)
        chosen = PLAYERS["racer"](0).choose(view)
        assert chosen in [Keep("first")] * (first <= second) + [Keep("second")] * (second <= first)


def test_the_racer_clearly_beats_the_random_player() -> None:
    """On both seats, in 60 games."""
    won = [seed % 2 in play(["racer", "random"][:: 1 - 2 * (seed % 2)], seed).winners for seed in range(60)]
    assert sum(won) >= 48
