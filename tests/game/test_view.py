"""Secrets: whatever a seat may not know can be anything at all, and its view stays the same."""

import json
import random

import numpy as np
import pytest

from fogline import Game
from fogline.game.events import Event
from fogline.maps.mapfile import CARDS
from tests.boards import BOARDS, load_board
from tests.policies import action_weights, choose
from tests.seeds import seeds
from tests.tier import pick


def with_other_secrets(game: Game, seat: int | None, generator: random.Random) -> Game:
    """The same game, but with everything changed that the seat may not know (10.2, 10.3)."""
    other = game.copy()
    position = other.position
    hidden = [hand for hand in range(game.players) if hand != seat]
    if not game.over:  # at the end hands and tickets are public (10.4)
        for hand in hidden:
            position.hand[hand] = _other_cards(int(position.hand[hand].sum()), generator)
            position.tickets[hand] = _other_set(
                int(position.tickets[hand]).bit_count(), len(game.board.tickets), generator
            )
    if game.seat != seat:
        position.offer[:] = generator.sample(range(len(game.board.tickets)), len(position.offer))
    position.deck[:] = _other_cards(position.deck_count, generator)
    position.ticket_deck[:] = generator.sample(range(len(game.board.tickets)), len(game.board.tickets))
    position.array["ticket_top"] = generator.randrange(len(game.board.tickets))
    position.array["chance"] = generator.getrandbits(64)
    other.seed = generator.getrandbits(64)
    other.events = [_other_event(game, event, seat, generator) for event in game.events]
    return other


def _other_cards(count: int, generator: random.Random) -> list[int]:
    return (
        np.bincount(generator.choices(range(len(CARDS)), k=count), minlength=len(CARDS)).tolist()
        if count
        else [0] * len(CARDS)
    )


def _other_set(count: int, size: int, generator: random.Random) -> int:
    return sum(1 << number for number in generator.sample(range(size), count))


def _other_event(game: Game, event: Event, seat: int | None, generator: random.Random) -> Event:
    if (
        event.get("seat") == seat
        or event["e"] not in ("deal", "draw", "offer", "keep")
        or event.get("from") == "display"
    ):
        return event
    tickets = [ticket.id for ticket in game.board.tickets]
    if event["e"] == "deal":
        return event | {"cards": generator.choices(CARDS, k=len(event["cards"]))}
    if event["e"] == "draw":
        return event | {"card": generator.choice(CARDS)}
    return event | {"tickets": generator.sample(tickets, len(event["tickets"]))}


@pytest.mark.rule("6.4", "10.1", "10.2", "10.3", "10.4")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", BOARDS)
def test_a_view_stays_the_same_whatever_the_seat_may_not_know(board: str, players: int) -> None:
    for seed in seeds(pick(3, 12) if board == "san_francisco" else pick(8, 40)):
        generator = random.Random(seed)
        game = Game(load_board(board), players=players, seed=seed)
        weights = action_weights(game.board, generator)
        while True:
            for seat in (*range(players), None):
                changed = with_other_secrets(game, seat, generator)
                assert changed.view(seat) == game.view(seat)
            if game.over:
                break
            game.play(choose(game.legal_numbers(), weights, generator))


@pytest.mark.rule("10.2", "10.3")
def test_a_refusal_tells_no_secret() -> None:
    generator = random.Random(1)
    game = Game(players=3, seed=1)
    while not game.over:
        changed = with_other_secrets(game, game.seat, generator)
        refused = [number for number in range(len(game.legal_mask())) if not game.legal_mask()[number]]
        for number in generator.sample(refused, 5):
            assert changed.why_not(number) == game.why_not(number)
        game.play(generator.choice(game.legal_numbers()))


@pytest.mark.parametrize("hand", [0, 1, 2])
def test_the_changes_of_this_test_would_be_seen_by_the_one_they_are_hidden_from(hand: int) -> None:
    """The proof above is worth something only if it really changes things."""
    game = Game(players=3, seed=1)
    for _ in range(3):
        game.play("keep both")
    changed = with_other_secrets(game, (hand + 1) % 3, random.Random(1))
    assert changed.view(hand) != game.view(hand)


def test_only_the_acting_seat_is_told_its_legal_actions() -> None:
    game = Game(players=3, seed=1)
    assert game.view(0).legal_actions == tuple(game.legal_actions())
    assert game.view(1).legal_actions == game.view(None).legal_actions == ()


def test_there_is_no_view_from_a_seat_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="no seat 3 among 3 players"):
        Game(players=3, seed=1).view(3)


def test_what_a_player_does_to_its_view_does_not_reach_the_game() -> None:
    game = Game(players=2, seed=1)
    before = (game.position.snapshot(), json.dumps(game.record()))
    view = game.view(0)
    for event in view.events:
        for value in event.values():
            if isinstance(value, list):
                value.clear()
        event.clear()
    for table in (view.hand, view.display, view.discard, view.owners, view.stacks):
        table.clear()
    assert (game.position.snapshot(), json.dumps(game.record())) == before
    assert game.view(0).events
