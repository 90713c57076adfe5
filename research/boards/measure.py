"""What trained players make of a board: a network plays against itself in games of two, three and four.

    python -m research.boards.measure run/weights.npz --board boards/candidate.toml

It tells how many tickets a seat keeps and completes, where the points come from, how often the first seat wins, and how
often the longest ferry goes within five turns. Always the action with the highest logit.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fogline.game.game import PLAYER_COUNTS
from fogline.maps.board import Board
from fogline.rules.state import TURN
from research.habits import SOON, Play
from research.study.played import Played


class SelfPlay(Play):
    """One network in all seats of some games at once, and when each route was claimed."""

    def __init__(self, board: Board, weights: Path, players: int, games: int, seed: int) -> None:
        super().__init__(board, weights, players, games, seed)
        self.turns = np.zeros((games, players), int)
        self.claimed = np.full((games, len(board.routes)), 999)  # in which turn of its owner

    def finish(self) -> Played:
        first, routes = self.network.claims.start, self.board.tables[0]["claim_route"]
        for moment in self.moments():
            begun = moment.records["phase"] == TURN
            self.turns[moment.lanes[begun], moment.seats[begun]] += 1
            claims = moment.actions >= first
            lanes, seats = moment.lanes[claims], moment.seats[claims]
            self.claimed[lanes, routes[moment.actions[claims] - first]] = self.turns[lanes, seats]
        return self.played


@dataclass
class Measured:
    """What is told of a board; means over seats and games."""

    kept: float
    completed: float
    routes: float  # points
    tickets: float
    tokens: float
    first_seat: float  # its win share, in percent
    longest_ferry: float  # claimed within five turns of a player, in percent of games
    turns: float  # of a player

    @property
    def ticket_share(self) -> float:
        """Of all points, in percent."""
        return 100 * self.tickets / (self.routes + self.tickets + self.tokens)


def measure(play: SelfPlay) -> Measured:
    played = play.finish()
    board, records, players = play.board, played.records, play.players
    values = np.array([ticket.value for ticket in board.tickets])
    lost = (played.kept & ~played.completed) @ values
    ferry = max(range(len(board.routes)), key=lambda n: (board.routes[n].ferries, board.routes[n].length))
    routes = played.owned @ np.array([board.map_file.route_points[route.length] for route in board.routes])
    tickets = played.completed @ values - lost
    return Measured(
        kept=float(played.kept.sum(2).mean()),
        completed=float(played.completed.sum(2).mean()),
        routes=float(routes.mean()),
        tickets=float(tickets.mean()),
        tokens=float((records["score"][:, :players] - routes - tickets).mean()),
        first_seat=float(100 * played.victory[:, 0].mean()),
        longest_ferry=float(100 * (play.claimed[:, ferry] <= SOON).mean()),
        turns=float(play.turns.mean()),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--board", default="san_francisco", help="a map or its file (%(default)s)")
    parser.add_argument("--games", type=int, default=4000, help="of each kind (%(default)s)")
    parser.add_argument("--players", type=int, nargs="+", default=PLAYER_COUNTS, help="the kinds (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here, too")
    options = parser.parse_args()
    board, found = Board.load(options.board), {}
    for players in options.players:
        one = measure(SelfPlay(board, options.weights, players, options.games, seed=players * 10**6))
        found[players] = {**vars(one), "ticket_share": one.ticket_share}
        print(
            f"{board.id}, {players}: " + "  ".join(f"{name} {n:.2f}" for name, n in found[players].items()), flush=True
        )
    if options.json:
        options.json.write_text(json.dumps({"board": board.id, "games": options.games, "players": found}, indent=1))


if __name__ == "__main__":
    main()
