"""Broken rules: for every rule of RULES.md a change to the source that breaks it."""

from __future__ import annotations

from typing import NamedTuple


class Mutant(NamedTuple):
    """A piece of source, in a file of the package, and what breaks the rule in its place."""

    rule: str
    file: str
    source: str
    broken: str


MUTANTS = [
    Mutant("1.1", "maps/san_francisco.toml", '["castro", "painted_ladies"], length = 2, colours = ["grey"] },', '["castro", "painted_ladies"], length = 2, colours = ["grey", "red"] },'),
    Mutant("1.2", "maps/board.py", "twin = ids[1 - i] if double else None", "twin = None"),
    Mutant("1.3", "maps/san_francisco.toml", '["pier_39", "alcatraz"], length = 2, colours = ["grey"], ferries = 1', '["pier_39", "alcatraz"], length = 2, colours = ["grey"]'),
    Mutant("1.4", "maps/mapfile.py", "FERRY: 8", "FERRY: 7"),
    Mutant("1.5", "maps/san_francisco.toml", '    { between = ["fort_mason", "union_square"], value = 3 },\n', ""),
    Mutant("1.6", "rules/tokens.py", "3 if players == 4 else 2", "2"),
    Mutant("1.7", "game/game.py", "PLAYER_COUNTS = (2, 3, 4)", "PLAYER_COUNTS = (1, 2, 3, 4, 5)"),
    Mutant("1.7", "maps/mapfile.py", '"cars": 20', '"cars": 21'),
    Mutant("1.8", "rules/routes.py", "+= board.route_points[length]", "+= length"),
    Mutant("1.8", "maps/san_francisco.toml", "[0, 1, 2, 4, 7, 10]", "[0, 1, 2, 4, 8, 10]"),
    Mutant("2.1", "rules/setup.py", "game.points[seat] = 0", "game.points[seat] = 1"),
    Mutant("2.2", "rules/setup.py", "game.souvenir[board.landmarks[kind]] = kind", "game.souvenir[board.landmarks[kind]] = 0"),
    Mutant("2.3", "rules/tokens.py", "3 if players == 4 else 2", "3 if players >= 3 else 2"),
    Mutant("2.4", "rules/setup.py", "DEALT = 2", "DEALT = 3"),
    Mutant("2.4", "rules/state.py", "DISPLAY_SLOTS = 5", "DISPLAY_SLOTS = 4"),
    Mutant("2.5", "rules/tickets.py", "OFFERED, game.ticket_count", "1, game.ticket_count"),
    Mutant("2.5", "rules/tickets.py", "            game.ticket_count += 1\n", ""),
    Mutant("2.6", "rules/setup.py", "game.seat = 0  # 2.6", "game.seat = 1"),
    Mutant("2.7", "rules/setup.py", "game.seat -= 1", "game.seat -= 0"),
    Mutant("2.7", "rules/tokens.py", "if game.souvenir[location] == NO_SOUVENIR:", "if True:"),
    Mutant("2.8", "rules/tokens.py", "1 if game.players == 2 else stack_size(game.players)", "stack_size(game.players)"),
    Mutant("2.8", "rules/setup.py", "if game.players > 2:", "if True:"),
    Mutant("3.1", "rules/legal.py", "return game.phase == TURN and count_legal(board, game) == 0", "return game.phase == TURN"),
    Mutant("3.2", "rules/turns.py", "if game.phase == SECOND_CARD or took_ferry", "if True or took_ferry"),
    Mutant("3.3", "rules/turns.py", "    fill_display(game, tape)\n", "    if claims:\n        fill_display(game, tape)\n"),
    Mutant("3.4", "rules/turns.py", "or took_ferry or", "or"),
    Mutant("3.5", "rules/legal.py", "    if game.phase == TURN:\n        if game.display[FERRY] > 0:", "    if True:\n        if game.display[FERRY] > 0:"),
    Mutant("3.6", "rules/turns.py", "took_ferry = action == DRAW_DISPLAY + FERRY", "took_ferry = game.hand[game.seat, FERRY] > 0"),
    Mutant("3.7", "rules/cards.py", "RESET_FERRIES = 3", "RESET_FERRIES = 4"),
    Mutant("3.7", "rules/cards.py", "MOST_RESETS = 3", "MOST_RESETS = 2"),
    Mutant("3.7", "rules/cards.py", "MOST_RESETS = 3", "MOST_RESETS = 4"),
    Mutant("3.7", "rules/cards.py", "resets < MOST_RESETS and game.deck_count > 0", "resets < MOST_RESETS"),
    Mutant("3.8", "rules/cards.py", "    note(tape, card)\n    recycle_when_empty(game, tape)", "    note(tape, card)"),
    Mutant("3.8", "rules/turns.py", "    recycle_when_empty(game, tape)\n", ""),
    Mutant("3.9", "rules/turns.py", "    fill_display(game, tape)\n", "    if draws:\n        fill_display(game, tape)\n"),
    Mutant("3.10", "rules/cards.py", "game.display_count > game.display[FERRY]", "game.display_count > 0"),
    Mutant("4.1", "rules/routes.py", "    game.cars[seat] -= length\n", ""),
    Mutant("4.1", "rules/cards.py", "game.hand[game.seat, card] -= count", "game.hand[game.seat, card] -= 0"),
    Mutant("4.2", "maps/board.py", "colours = range(len(COLOURS)) if route.colour == GREY else", "colours = range(len(COLOURS)) if True else"),
    Mutant("4.3", "maps/board.py", "for ferries in range(route.ferries, route.length):", "for ferries in range(route.ferries, route.ferries + 1):"),
    Mutant("4.4", "maps/board.py", "for ferries in range(route.ferries, route.length):", "for ferries in range(route.length):"),
    Mutant("4.5", "rules/routes.py", "            game.open[game.seat, word] &= board.claims_within[cars, word]", "            pass"),
    Mutant("4.6", "rules/routes.py", "    game.points[seat] += board.route_points[length]\n", ""),
    Mutant("4.7", "rules/routes.py", "close_route(board, game, owner, twin)  # 4.7", "pass"),
    Mutant("4.8", "rules/routes.py", "if game.players == 2:", "if False:"),
    Mutant("4.8", "rules/routes.py", "if game.players == 2:\n            close_route(board, game, 1 - owner, twin)", "for seat in range(game.players):\n            close_route(board, game, seat, twin)"),
    Mutant("4.9", "rules/routes.py", "close_route(board, game, seat, route)  # 4.9", "pass"),
    Mutant("5.1", "rules/turns.py", "    if at_first:\n        take_token(game, first)\n", "    if at_first:\n        pass\n"),
    Mutant("5.1", "rules/tokens.py", "game.stack[location] > 0 and", "game.souvenir[location] >= 0 and"),
    Mutant("5.2", "rules/turns.py", "if at_first and at_second:", "if False:"),
    Mutant("5.3", "rules/turns.py", "if at_first and at_second:", "if False:"),
    Mutant("5.4", "rules/tokens.py", " and (game.tokens[game.seat] >> game.souvenir[location]) & 1 == 0", ""),
    Mutant("6.1", "rules/legal.py", "0b001 if game.offer_count == 1 else 0b111", "0b111"),
    Mutant("6.1", "rules/tickets.py", "game.ticket_top + game.ticket_count)", "game.ticket_top + 0)"),
    Mutant("6.2", "rules/tickets.py", "game.tickets[game.seat] |= bit(ticket)", "game.tickets[game.seat] = bit(ticket)"),
    Mutant("6.3", "rules/routes.py", "if line[location] == merged:", "if location == second:"),
    Mutant("6.4", "game/view.py", '"offer": "tickets", "keep": "tickets"}', "}"),
    Mutant("7.1", "rules/turns.py", "LAST_ROUND_CARS = 2", "LAST_ROUND_CARS = 1"),
    Mutant("7.1", "rules/turns.py", "LAST_ROUND_CARS = 2", "LAST_ROUND_CARS = 3"),
    Mutant("7.1", "rules/turns.py", "game.turns_left = game.players", "game.turns_left = game.players - 1"),
    Mutant("7.2", "rules/turns.py", "    elif game.cars[game.seat] <= LAST_ROUND_CARS:", "    if game.cars[game.seat] <= LAST_ROUND_CARS:"),
    Mutant("8.1", "rules/legal.py", "    if game.deck_count > 0:\n        actions |= 1 << DRAW_DECK", "    if True:\n        actions |= 1 << DRAW_DECK"),
    Mutant("8.2", "rules/legal.py", "return game.phase == TURN and count_legal(board, game) == 0", "return game.phase == TURN"),
    Mutant("8.3", "rules/legal.py", "return game.phase == TURN and count_legal(board, game) == 0", "return False"),
    Mutant("8.4", "rules/turns.py", "game.passes == game.players", "game.passes == game.players + 1"),
    Mutant("8.4", "rules/turns.py", "    if action != PASS:\n        game.passes = 0  # 8.4\n", ""),
    Mutant("8.5", "rules/turns.py", "    elif game.passes == game.players:\n", "    elif False:\n"),
    Mutant("9.1", "rules/scoring.py", "else -value", "else 0"),
    Mutant("9.2", "maps/mapfile.py", "[0, 0, 1, 2, 4, 6, 9, 12]", "[0, 0, 1, 3, 4, 6, 9, 12]"),
    Mutant("9.3", "rules/scoring.py", "count_completed(board, game, other) > completed", "False"),
    Mutant("9.3", "rules/scoring.py", "if game.score[other] > game.score[seat]:", "if False:"),
    Mutant("10.1", "game/view.py", ' or event.get("from") == "display"', ""),
    Mutant("10.2", "game/view.py", 'return shown if hidden == "card"', 'return event if hidden == "card"'),
    Mutant("10.2", "game/view.py", "position.hand_of(seat) if opened else None", "position.hand_of(seat)"),
    Mutant("10.3", "game/view.py", "deck_count=position.deck_count,", "deck_count=position.chance % 97,"),
    Mutant("10.4", "game/view.py", "kept=position.tickets_of(seat) if opened else None", "kept=None"),
]  # fmt: skip
