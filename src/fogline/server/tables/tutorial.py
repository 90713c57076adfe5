"""The tutorial: a recorded game for learners, with a lesson at some of its steps.

`python -m fogline.server.tables.tutorial` plays the script below and writes `tutorial.json`. Every decision in it is
legal, and an audit of its record finds nothing wrong. Only what chance brings was chosen, so that everything happens
once.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import TypeAdapter

from fogline.game.actions import ActionError
from fogline.game.game import Game
from fogline.game.record import steps
from fogline.maps.board import Board
from fogline.server.http.api import REFUSALS
from fogline.server.http.file import File
from fogline.server.refused import Refused
from fogline.server.tables.decisions import route_asked
from fogline.server.wire.messages import answer, game_view
from fogline.server.wire.wire import ActionText, Answer, ChairInfo, Frame, Replay, StepNumber, TableInfo, You

TARGET = Path(__file__).with_name("tutorial.json")
MAP = "san_francisco"
LEARNER = 1
"""The seat that places the souvenirs, so that the learner sees that too."""

FRIEND = "Rosa"

router = APIRouter(prefix="/api")


@dataclass(frozen=True, slots=True)
class Lesson:
    """The lesson at a step: the learner does the action, or only reads."""

    name: str
    step: int
    does: bool
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tutorial:
    """A recorded game through the learner's eyes, the action of each of its steps, and its lessons in order."""

    replay: Replay
    actions: tuple[str, ...]
    lessons: tuple[Lesson, ...]


@router.get("/tutorial", response_model=Tutorial, responses=REFUSALS)
async def fetch_tutorial(request: Request) -> Response:
    """The guided first game."""
    return _file().answer(request, "no-cache")


@router.get("/tutorial/why-not", responses=REFUSALS)
async def why_not_in_tutorial(
    step: Annotated[StepNumber, Query(description="of the guided game")], action: Annotated[ActionText, Query()]
) -> Answer:
    """Whether the rules allow the learner an action at a step of the guided game, and if not, why."""
    games = _games()
    if step >= len(games):
        raise Refused("invalid", f"step: the game has steps 0 to {len(games) - 1}, not {step}")
    try:
        route, game = route_asked(action), games[step]
        refusal = game.why_not_route(route, LEARNER) if route else game.why_not(action, LEARNER)
    except ActionError as error:
        raise Refused("not_an_action", str(error)) from None
    return answer(0, None if refusal is None else Refused.by_rule(refusal))


@lru_cache(maxsize=1)
def _file() -> File:
    return File.of(TypeAdapter(Tutorial).dump_json(make_tutorial()), "application/json")


def make_tutorial() -> Tutorial:
    games = _games()
    actions = tuple(str(action) for action in games[-1].actions)
    lessons = tuple(Lesson(**entry | {"rules": tuple(entry["rules"])}) for entry in _content()["lessons"])
    frames: list[Frame] = []
    for step, game in enumerate(games):
        view = game.view(LEARNER, since=len(games[step - 1].events) if step else 0)
        deciding = () if view.acting is None else (view.acting,)
        frames.append(Frame(step, game_view(view, step, deciding), view.events))
    return Tutorial(Replay(_table(), str(LEARNER), len(frames), tuple(frames)), actions, lessons)


def _table() -> TableInfo:
    return TableInfo(
        id="tutorial",
        status="playing",
        map=MAP,
        clock="none",
        spectators=False,
        chairs=(ChairInfo("bot", FRIEND, "racer", 1, away=False), ChairInfo("person", "", "", None, away=False)),
        seating=(0, LEARNER),
        you=You(LEARNER, LEARNER, host=True),
        invite=None,
        deadline=None,
        commitment="",
        scheme=2,
        seals=(),
        salts=(),
        secret=None,
        again=None,
    )


@lru_cache(maxsize=1)
def _games() -> tuple[Game, ...]:
    """The game at each of its steps."""
    return tuple(game.copy() for game in steps(_content()["record"], Board.load(MAP)))


def _content() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(TARGET.read_text("utf-8"))
    return found


# The script.

DEAL = "blue blue red green red black purple orange blue"
"""Two cards for the friend, two for the learner, and the display."""

TICKETS = (
    *("sunset-mission", "richmond-twin_peaks"),  # the friend's
    *("pier_39-south_beach", "golden_gate_bridge-potrero_hill"),  # the learner's
    *("the_embarcadero-potrero_hill", "alcatraz-sunset"),  # those that the learner draws later
)

SCRIPT = """
    keep both
    keep first                                                      # welcome: 3.1 | keep! 2.5 9.1
    place pier_39                                                   # place! 2.8 5.1
    place union_square                                              # placeAgain! 2.8
    draw blue                                         > ferry
    draw purple                                       > green
    draw red                                          > black       # display! 3.2 3.3
    draw deck                                         > green       # blind! 3.2
    claim richmond-sunset blue3
    draw black                                        > blue        # firstCard! 3.2
    draw black                                        > purple      # secondCard! 3.5
    draw purple                                       > purple
    draw purple                                       > orange
    claim the_embarcadero-south_beach:1 red2                        # claim! 4.1 4.6
    claim sunset-twin_peaks:2 purple3                               # gotToken: 5.1
    draw ferry                                        > ferry       # twin: 4.8 | ferryFirst! 3.4
    draw blue                                         > ferry
    draw green                                        > ferry blue red black purple green
    claim pier_39-alcatraz green1 ferry1                            # reset: 3.7 | ferryRoute! 4.4
    token alcatraz                                                  # token! 5.2
    draw blue                                         > blue
    draw blue                                         > black
    draw deck                                         > ferry       # blindFerry! 3.6
    draw black                                        > red
    claim presidio-fort_mason blue3
    claim pier_39-the_embarcadero black2                            # payment! 4.3
    draw green                                        > orange      # completed: 6.3
    draw purple                                       > purple
    draw tickets                                                    # tickets! 6.1
    keep first                                                      # keepMore! 6.1 6.2
    claim japanese_tea_garden-haight_ashbury:2 green2
    draw black                                        > green
    draw deck                                         > black
    draw purple                                       > purple
    draw purple                                       > orange
    claim south_beach-potrero_hill black3                           # long! 1.8
    claim sunset-haight_ashbury purple3
    claim union_square-south_beach green1 ferry1                    # grey! 4.2
    draw orange                                       > orange
    draw orange                                       > orange
    draw red                                          > red
    draw red                                          > red
    claim golden_gate_bridge-presidio:2 orange2
    draw deck                                         > ferry
    draw deck                                         > ferry
    draw orange                                       > green
    draw orange                                       > black
    draw deck                                         > ferry
    draw red                                          > blue        # recycle: 3.8
    claim haight_ashbury-twin_peaks orange2
    claim the_embarcadero-alcatraz red2 ferry1                      # lastRound: 7.1 | lastTurn! 7.1
    draw green                                        > purple
    draw deck                                         > green
"""
"""A line for each action, the friend's and the learner's: the cards that come from the deck, and the lessons before it,
those with `!` by doing it.
"""

LAST_LESSON = ("score", ("9.1", "9.2", "9.3"))


def play_script() -> dict[str, Any]:
    """What `tutorial.json` holds."""
    game = Game._dealt(MAP, players=2, seed=0, cards=DEAL.split())
    game._stack_tickets(list(dict.fromkeys((*TICKETS, *game.board.ticket_number))))
    lessons: list[Lesson] = []
    for step, line in enumerate(SCRIPT.strip().splitlines()):
        move, _, told = line.partition("#")
        action, _, cards = move.partition(">")
        lessons += [_read_lesson(text, step) for text in told.split("|") if text.strip()]
        game._play(action.strip(), cards.split())
    lessons.append(Lesson(LAST_LESSON[0], len(game.actions), False, LAST_LESSON[1]))
    return {"record": game.record(), "lessons": [asdict(lesson) for lesson in lessons]}


def _read_lesson(text: str, step: int) -> Lesson:
    name, *rules = text.split()
    return Lesson(name[:-1], step, name.endswith("!"), tuple(rules))


if __name__ == "__main__":
    TARGET.write_text(json.dumps(play_script(), indent=1) + "\n", "utf-8")
