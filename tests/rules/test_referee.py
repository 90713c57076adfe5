"""The engine and the referee agree, event by event, on thousands of games."""

import pytest

from fogline import Game
from tests.agreement import PLAYERS, check_games
from tests.boards import BOARDS, map_data
from tests.referee import Foul, Referee
from tests.seeds import seeds
from tests.tier import pick

GAMES = 225
"""On each map and with each number of players, so many times:"""

CHUNKS = pick(1, 15)


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("name", BOARDS)
def test_engine_and_referee_agree(name: str, players: int, chunk: int) -> None:
    games = list(seeds(CHUNKS * GAMES))[chunk * GAMES : (chunk + 1) * GAMES]
    assert check_games(name, players, games) > GAMES


def test_the_referee_notices_a_wrong_event() -> None:
    game = Game(seed=1)
    referee = Referee(map_data("san_francisco"), 2)
    referee.apply(game.events[0])
    with pytest.raises(Foul):
        referee.apply(game.events[0])
    wrong_seat = game.events[1] | {"seat": 0}
    with pytest.raises(Foul):
        referee.apply(wrong_seat)
    referee.apply(game.events[1])
