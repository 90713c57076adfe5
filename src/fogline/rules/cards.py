"""Chapter 3: transport cards, the deck, the display and the discard pile."""

from __future__ import annotations

from fogline.compiler.kernels import Record, Tape, kernel
from fogline.rules.chance import RECYCLE, RESET, note, pick_card
from fogline.rules.state import CARD_COUNT, COLOUR_COUNT, DISPLAY_SLOTS, FERRY

RESET_FERRIES = 3
MOST_RESETS = 3


@kernel
def take_from_deck(game: Record, tape: Tape) -> int:
    """Takes the top card of the deck (3.2); the caller says where it goes."""
    card = pick_card(game, tape)
    game.deck[card] -= 1
    game.deck_count -= 1
    note(tape, card)
    recycle_when_empty(game, tape)
    return card


@kernel
def take_from_display(game: Record, card: int) -> None:
    """Takes a card of this colour from the display (3.2)."""
    game.display[card] -= 1
    game.display_count -= 1


@kernel
def fill_display(game: Record, tape: Tape) -> None:
    """Turns up cards until the display is full or no card is left (3.3, 3.9), with ferry resets in between (3.7)."""
    resets = 0
    while can_turn_up(game):
        while can_turn_up(game):
            game.display[take_from_deck(game, tape)] += 1
            game.display_count += 1
        # An empty deck means an empty discard pile too (3.8): then there is no reset.
        if game.display[FERRY] >= RESET_FERRIES and resets < MOST_RESETS and game.deck_count > 0:
            discard_display(game, tape)
            resets += 1


@kernel
def can_turn_up(game: Record) -> bool:
    return game.display_count < DISPLAY_SLOTS and game.deck_count > 0


@kernel
def discard_display(game: Record, tape: Tape) -> None:
    """A ferry reset (3.7)."""
    for card in range(CARD_COUNT):
        game.discard[card] += game.display[card]
        game.display[card] = 0
    game.discard_count += game.display_count
    game.display_count = 0
    note(tape, RESET)


@kernel
def pay(game: Record, card: int, count: int) -> None:
    """Moves cards from the acting seat's hand to the discard pile (4.1)."""
    game.hand[game.seat, card] -= count
    game.discard[card] += count
    game.discard_count += count


@kernel
def recycle_when_empty(game: Record, tape: Tape) -> None:
    """The discard pile becomes the deck, at once (3.8)."""
    if game.deck_count == 0 and game.discard_count > 0:
        for card in range(CARD_COUNT):
            game.deck[card] = game.discard[card]
            game.discard[card] = 0
        game.deck_count = game.discard_count
        game.discard_count = 0
        game.recycled = 1
        note(tape, RECYCLE)


@kernel
def second_card_possible(game: Record) -> bool:
    """Whether a second card can be taken: blind, or from the display unless it is a ferry (3.5, 3.10)."""
    return game.deck_count > 0 or game.display_count > game.display[FERRY]


@kernel
def displayed_colours(game: Record) -> int:
    """The colours on display, the ferry left out (3.5), as a set."""
    colours = 0
    for colour in range(COLOUR_COUNT):
        if game.display[colour] > 0:
            colours |= 1 << colour
    return colours
