"""Events in sentences."""

from __future__ import annotations

import pytest

from fogline.game.events import Event
from fogline.maps.board import Board
from fogline.terminal.story import tell, tell_all
from fogline.terminal.words import Words
from tests.arrange import first_turn
from tests.policies import play_out
from tests.seeds import seeds

BOARD = Board.load("san_francisco")
WORDS = Words(BOARD, ("You", "Racer"))


@pytest.mark.parametrize(
    ("events", "sentences"),
    [
        (
            [
                {"e": "claim", "seat": 1, "route": "castro-mission:1", "cards": {"green": 1}},
                {"e": "flip", "card": "red"},
                {"e": "token", "seat": 1, "location": "castro", "souvenir": "sea_lion"},
            ],
            ["Racer claimed Castro–Mission (green) with 1 green and took the sea lion token of Castro."],
        ),
        (
            [
                {"e": "draw", "seat": 1, "from": "display", "card": "blue"},
                {"e": "flip", "card": "red"},
                {"e": "draw", "seat": 1, "from": "deck"},
                {"e": "recycle"},
                {"e": "draw", "seat": 0, "from": "deck", "card": "ferry"},
            ],
            [
                "Racer took blue from the display and drew a card from the deck.",
                "The discard pile was shuffled and is the new deck (3.8).",
                "You drew ferry from the deck.",
            ],
        ),
        (
            [{"e": "draw", "seat": 1, "from": "deck"}, {"e": "draw", "seat": 1, "from": "deck"}],
            ["Racer drew 2 cards from the deck."],
        ),
        (
            [{"e": "offer", "seat": 1, "count": 2}, {"e": "keep", "seat": 1, "count": 1}],
            ["Racer drew 2 tickets and kept 1 ticket."],
        ),
        (
            [
                {"e": "offer", "seat": 0, "tickets": ["alcatraz-castro"]},
                {"e": "keep", "seat": 0, "tickets": ["alcatraz-castro"]},
            ],
            ["You drew 1 ticket and kept Alcatraz–Castro."],
        ),
        ([{"e": "offer", "seat": 0, "tickets": ["alcatraz-castro"]}], []),
        ([{"e": "deal", "seat": 1, "count": 2}, {"e": "display", "cards": ["red"]}], []),
    ],
)
def test_what_belongs_together_is_one_sentence(events: list[Event], sentences: list[str]) -> None:
    assert tell_all(WORDS, events) == sentences


@pytest.mark.parametrize("board", ["tiny", "san_francisco"])
@pytest.mark.parametrize("seat", [0, 1, None])
def test_every_event_of_whole_games_can_be_told(board: str, seat: int | None) -> None:
    for seed in seeds(8):
        game = play_out(first_turn(board, seed=seed), seed)
        events = game.view(seat).events
        assert all(tell(game.board, event).endswith(".") for event in events)
        assert tell_all(Words(game.board, ("You", "Racer")), events)[-1].startswith(("The last round", "Nobody"))
