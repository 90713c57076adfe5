"""What has the network learnt? It plays against itself while this program counts what it does.

    python -m research.habits -o docs/habits.md           # the page, and docs/data/habits.svg
    python -m research.habits run/weights.npz --games 500

It counts how many tickets the network keeps, and what it would win if it kept others; which routes it claims early;
and whether it claims what the other needs: routes on the ways of the other's tickets, which it cannot see.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fogline import Board
from fogline.arena.bootstrap import Estimate
from fogline.arena.plotting import FAINT, INK, check_matplotlib, new_figure, picture_of, styled
from fogline.batch import Batch
from fogline.game.game import PLAYER_COUNTS
from fogline.knowledge.card_counter import COUNT, COUNTER
from fogline.knowledge.observation import observation_length, observe_seat, take_apart
from fogline.players.neural.encoder import encode
from fogline.players.neural.inputs import input_places
from fogline.players.neural.lookahead import play_lanes
from fogline.players.neural.neural import WEIGHTS, find_network
from fogline.rules.numbering import DRAW_TICKETS, KEEP
from fogline.rules.state import OVER, TURN
from fogline.rules.tickets import KEEP_BOTH, KEEP_FIRST, KEEP_SECOND
from research.study.estimate import estimate_mean, estimate_share, side
from research.study.played import Played
from research.study.words import percent, table

ROUTES_TOLD = 12
"""The number of routes to list: those claimed soonest."""
SOON = 5
"""A claim within this many turns is early."""


@dataclass
class Moment:
    """A step of all games that are not over: a row for each."""

    lanes: np.ndarray  # their numbers
    records: np.ndarray  # the games, secrets and all
    seats: np.ndarray  # who decides
    seen: dict[str, np.ndarray]  # what the deciding seat sees
    actions: np.ndarray  # what it does


Habit = Callable[[np.ndarray, dict[str, np.ndarray]], np.ndarray]
"""What a habit leaves of the legal actions: never this, or always that. If nothing is left, all stay legal."""


def keep_one(masks: np.ndarray, _: dict[str, np.ndarray]) -> np.ndarray:
    return without(masks, [KEEP + KEEP_BOTH])


def keep_both(masks: np.ndarray, _: dict[str, np.ndarray]) -> np.ndarray:
    return without(masks, [KEEP + KEEP_FIRST, KEEP + KEEP_SECOND])


def draw_none(masks: np.ndarray, _: dict[str, np.ndarray]) -> np.ndarray:
    return without(masks, [DRAW_TICKETS])


def draw_at_once(masks: np.ndarray, seen: dict[str, np.ndarray]) -> np.ndarray:
    """Draws tickets, whenever a turn begins with fewer than two."""
    now = masks[:, DRAW_TICKETS] & (seen["wanted"].sum(1) + seen["completed"].sum(1) < 2)
    return np.where(now[:, None], np.arange(masks.shape[1]) == DRAW_TICKETS, masks)


def without(masks: np.ndarray, actions: list[int]) -> np.ndarray:
    masks = masks.copy()
    masks[:, actions] = False
    return masks


HABITS: dict[str, Habit] = {
    "never keeps both of two tickets": keep_one,
    "always keeps both": keep_both,
    "never draws tickets later": draw_none,
    "draws tickets first, until it has two": draw_at_once,
}


class Play:
    """A network in all seats of some games at once, always taking the action with the highest logit."""

    def __init__(self, board: Board, weights: Path, players: int, games: int, seed: int) -> None:
        network = find_network(board, weights)
        if network is None:
            raise SystemExit(f"{weights} has not learnt {board.id}")
        self.network, self.board, self.players = network, board, players
        start = Batch(board, players, games, seed=seed)
        self.records, self.counters = start.kept.games, start.kept.counters
        self.observations, self.masks = start.observations, start.masks

    def moments(self, habit: Habit | None = None, seat: int = 0) -> Iterator[Moment]:
        """Yields every step. If a habit is given, that seat has it."""
        lanes, count = np.arange(len(self.records)), np.zeros(1, COUNT)
        while len(lanes):
            records, masks = self.records[lanes], self.masks[lanes]
            inputs = encode(self.board, self.players, self.observations[lanes])
            seen = take_apart(self.network.places, inputs)
            if habit is not None:
                left = habit(masks, seen)
                masks = np.where(((records["seat"] == seat) & left.any(1))[:, None], left, masks)
            actions = np.where(masks, self.network(inputs)[0], -np.inf).argmax(1)
            yield Moment(lanes, records, records["seat"].astype(int), seen, actions)
            told = self.observations, self.masks
            play_lanes(self.board.tables, self.records, self.counters, lanes, actions, count, *told)
            lanes = lanes[self.records["phase"][lanes] != OVER]

    @property
    def played(self) -> Played:
        return Played(self.board, self.players, self.records)


class Claims:
    """What is claimed in games of two, when, and whose way it lies on."""

    def __init__(self, play: Play) -> None:
        self.board, tables = play.board, play.board.tables[0]
        self.first, self.routes = play.network.claims.start, tables["claim_route"]
        self.soon = np.zeros(len(play.board.routes))
        self.turns = np.zeros((len(play.records), 2), int)
        # [on a way of one's own tickets or not, game]
        self.count, self.hit, self.chance = np.zeros((3, 2, len(play.records)))

    def note(self, moment: Moment) -> None:
        begun = moment.seen["phase"][:, TURN] > 0
        self.turns[moment.lanes[begun], moment.seats[begun]] += 1
        claim = np.flatnonzero(moment.actions >= self.first)
        if not len(claim):
            return
        rows, routes = np.arange(len(claim)), self.routes[moment.actions[claim] - self.first]
        soon = self.turns[moment.lanes[claim], moment.seats[claim]] <= SOON
        self.soon += np.bincount(routes[soon], minlength=len(self.soon))
        own, ready = moment.seen["path"][claim] > 0, moment.seen["ready"][claim] > 0
        others = self.others_ways(moment.records[claim], moment.seats[claim])
        instead = ready & (own == own[rows, routes][:, None])  # alike in that, and payable
        place = own[rows, routes].astype(int), moment.lanes[claim]
        self.count[place] += 1
        self.hit[place] += others[rows, routes]
        self.chance[place] += (instead & others).sum(1) / instead.sum(1)

    def parts(self, own: int) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        """Of claims on the seat's own ways or not: how many in all, how many on the other's ways, and how many by
        chance.
        """
        count = self.count[own]
        return (count, self.count.sum(0)), (self.hit[own], count), (self.chance[own], count)

    def others_ways(self, records: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """[record, route]: whether it lies on a shortest way of the other's tickets, with what the other has built."""
        observations = np.zeros((len(records), observation_length(self.board, 2)), np.uint8)
        nothing, count = np.zeros(1, COUNTER), np.zeros(1, COUNT)  # ways do not depend on what has been counted
        for row, seat in enumerate(1 - seats):
            observe_seat(self.board.tables, records[row : row + 1], nothing, count, seat, observations[row])
        return np.asarray(take_apart(input_places(self.board), encode(self.board, 2, observations))["path"] > 0)


@dataclass
class Tickets:
    """How many tickets a seat has, on average."""

    first: float  # kept of the first two
    kept: float
    completed: float


def watch(play: Play, claims: Claims | None = None) -> Tickets:
    print(f"watching {len(play.records):,} games of {play.players}", flush=True)
    first = np.zeros((len(play.records), play.players))
    for moment in play.moments():
        if claims is not None:
            claims.note(moment)
        at, held = (moment.lanes, moment.seats), moment.seen["wanted"].sum(1) + moment.seen["completed"].sum(1)
        first[at] = np.where(first[at] == 0, held, first[at])
    kept, completed = (part.sum(2).mean() for part in (play.played.kept, play.played.completed))
    return Tickets(first.mean(), kept, completed)


def contest(board: Board, weights: Path, habit: str, games: int) -> Estimate:
    """How often a seat with a habit wins against the network without it, each seat on the same deals."""
    print(f"one that {habit}", flush=True)
    won = []
    for seat in range(2):
        play = Play(board, weights, 2, games, seed=5 * 10**6)
        for _ in play.moments(HABITS[habit], seat):
            pass
        won.append(play.played.victory[:, seat])
    found = estimate_mean(np.mean(won, axis=0))
    assert found is not None
    return found


# The page.


def page(board: Board, weights: Path, games: int, command: str, picture: str) -> tuple[str, Claims]:
    plays = {players: Play(board, weights, players, games, seed=players * 10**6) for players in PLAYER_COUNTS}
    claims = Claims(plays[2])
    tickets = {players: watch(play, claims if players == 2 else None) for players, play in plays.items()}
    contests = {name: contest(board, weights, name, games) for name in HABITS}
    digest = hashlib.sha256(weights.read_bytes()).hexdigest()
    text = [
        "# What the neural player has learnt",
        "",
        f"Seen in {games:,} games each of two, three and four players on {board.name}, with the network in all seats, "
        "always taking the action that it prefers. The page is made, words and all, by",
        "",
        *("```", command, "```", ""),
        f"from weights with the hash `{digest[:16]}`. Figures are followed by half the width of their 95 % interval.",
        "",
        *ticket_lines(tickets, contests),
        *block_lines(claims),
        *route_lines(board, claims, picture),
    ]
    return "\n".join(text), claims


def ticket_lines(tickets: dict[int, Tickets], contests: dict[str, Estimate]) -> list[str]:
    rows = [f"| {n} | {t.first:.2f} | {t.kept:.2f} | {t.completed:.2f} |" for n, t in tickets.items()]
    return [
        *("## How many tickets does it keep?", ""),
        *("| players | kept of the first two | kept in all | completed |", "|---|--:|--:|--:|", *rows, ""),
        "Is that right? One of two players is the network with a habit forced on it, the other is free; each seat on "
        "the same deals:",
        "",
        *("| one that | wins, % | so the network |", "|---|--:|---|"),
        *[f"| {name} | {percent(won)} | {VERDICTS[side(won, 0.5)]} |" for name, won in contests.items()],
        "",
    ]


VERDICTS = {-1: "is right not to", 0: "was not seen to err", 1: "errs, and should"}


def block_lines(claims: Claims) -> list[str]:
    gap = estimate_mean((claims.hit - claims.chance)[0])  # claims of no use to the seat's own tickets, a game
    verdict = {
        -1: "It does not block: what is of no use to its own tickets it claims where the other does not need it.",
        0: "That it blocks was not seen: by chance it would be as much.",
        1: "It blocks: what is of no use to its own tickets it claims where the other needs it.",
    }
    rows = [
        [name, *(percent(estimate_share(part, whole)) for part, whole in claims.parts(own))]
        for own, name in ((1, "on a way of its own tickets"), (0, "on none of them"))
    ]
    return [
        *("## Does it block?", ""),
        "Games of two. A route is on the way of a ticket when it lies on a shortest one, with what is built; the "
        "other's tickets it cannot see. By chance: of all routes that it could have claimed then, on its own ways as "
        "little or as much, the share that is on the other's.",
        "",
        *table(["claims", "of all, %", "on the other's way, %", "by chance, %"], rows),
        "",
        verdict[side(gap, 0.0)],
        "",
    ]


def route_lines(board: Board, claims: Claims, picture: str) -> list[str]:
    first = [name(board, number) for number in claims.soon.argsort()[::-1][:3]]
    return [
        *("## Which routes does it claim first?", ""),
        f"In games of two, foremost *{first[0]}*, *{first[1]}* and *{first[2]}*.",
        "",
        f"![Routes claimed in the first {SOON} turns of a player, in percent of games]({picture})",
        "",
    ]


def name(board: Board, route: int) -> str:
    return board.routes[route].id.replace("_", " ")


def draw_routes(board: Board, claims: Claims, games: int, picture: Path) -> None:
    order = claims.soon.argsort()[::-1][:ROUTES_TOLD][::-1]
    with styled(9):
        figure = new_figure(8, 4)
        panel = figure.subplots()
        panel.barh([name(board, number) for number in order], 100 * claims.soon[order] / games, color=INK)
        panel.set_title(f"claimed within {SOON} turns, % of games of two", fontsize=9, loc="left")
        panel.grid(color=FAINT, linewidth=0.6, axis="x")
        panel.set_axisbelow(True)
        panel.spines[["top", "right"]].set_visible(False)
        figure.savefig(picture, metadata={"Date": None} if picture.suffix == ".svg" else None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", nargs="?", type=Path, default=WEIGHTS, help="a file of them (default: neural's own)")
    parser.add_argument("--games", type=int, default=4000, help="of each kind (default: %(default)s)")
    parser.add_argument("-o", type=Path, default=Path("habits.md"), metavar="FILE.md", help="the page (%(default)s)")
    arguments = parser.parse_args()
    if arguments.games < 2:
        parser.error("--games: at least 2, or there is no telling how sure a figure is")
    check_matplotlib()
    board, picture = Board.load(), picture_of(arguments.o, f"{arguments.o.stem}.svg")
    named = "" if arguments.weights == WEIGHTS else f" {arguments.weights}"
    command = f"python -m research.habits{named} --games {arguments.games} -o {arguments.o}"
    link = picture.relative_to(arguments.o.parent).as_posix()
    text, claims = page(board, arguments.weights, arguments.games, command, link)
    arguments.o.write_text(text, "utf-8")
    draw_routes(board, claims, arguments.games, picture)
    print(f"wrote {arguments.o} and {picture}")


if __name__ == "__main__":
    main()
