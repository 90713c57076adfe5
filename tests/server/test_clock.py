"""Clocks: how long people may take, and what happens when they take longer."""

import random

import pytest

from fogline.server.tables import decisions
from fogline.server.tables.clock import SECONDS
from fogline.server.tables.entries import Away, Back, Moved
from fogline.server.tables.table import Table
from tests.seeds import seeds
from tests.server.arrange import bot, done, finished, imported, opened, person, person_in, play_some, started

DELAY = 0.5
"""Seconds that a bot takes, here."""


def decide(table: Table, seat: int, action: str, at: float) -> None:
    """The person in a seat decides."""
    assert table.match is not None
    done(table, decisions.play(table, person_in(table, seat), table.match.step, action, at))


def choose_all(table: Table, at: float) -> None:
    """Everybody who has not chosen first tickets yet does."""
    assert table.match is not None
    for seat in table.match.deciding():
        decide(table, seat, "keep both", at)


def at_first_turn(*people: str, at: float = 100.0, clock: str = "30s") -> Table:
    """Everybody has chosen, the stacks are placed, and seat 0 has just begun its turn."""
    table = started(*people, clock=clock)
    assert table.match is not None
    choose_all(table, at)
    while table.match.game.phase == "place":
        decide(table, table.match.game.seat, str(table.match.game.legal_actions()[0]), at)
    return table


def with_bots(*, clock: str = "30s") -> Table:
    """A game of two people and a bot that has just begun, at second 10."""
    table = opened([person("Ann"), bot(), person("Bob")], clock=clock)
    done(table, decisions.start(table, "ann", 10.0))
    return table


def seats_of(table: Table) -> tuple[int, int, int]:
    """The seats of Ann, the bot and Bob."""
    ann, robot, bob = (table.seating.index(chair) for chair in range(3))
    return ann, robot, bob


# How long.


def test_the_clocks_are_of_these_seconds() -> None:
    assert SECONDS == {"none": None, "30s": 30, "60s": 60, "1d": 24 * 3600, "3d": 3 * 24 * 3600}


@pytest.mark.parametrize("clock", SECONDS)
def test_a_clock_runs_from_the_start_and_from_the_beginning_of_each_turn(clock: str) -> None:
    seconds = {"none": None, "30s": 30.0, "60s": 60.0, "1d": 86_400.0, "3d": 259_200.0}[clock]
    for table, began in ((started("Ann", "Bob", clock=clock), 10.0), (at_first_turn("Ann", "Bob", clock=clock), 100.0)):
        assert table.deadline == (None if seconds is None else began + seconds)


def test_there_is_no_clock_before_the_start_and_after_the_end() -> None:
    closed = opened([person("Ann"), person("Bob")], clock="30s")
    assert closed.deadline is None
    done(closed, decisions.leave(closed, "ann", 1.0))
    over = finished("Ann", "Bob", map="tiny", clock="30s")
    for table in (closed, over, imported(over.game_record(), "Ann", "Bob")):
        assert table.deadline is None
        assert table.due(DELAY) is None
        assert decisions.run_out(table, 1e12) == table.n


def test_the_first_tickets_have_one_clock_for_all() -> None:
    table = started("Ann", "Bob", "Cat", clock="30s")
    for seat in (2, 0):
        decide(table, seat, "keep both", 25.0)
        assert table.deadline == 40.0
    decide(table, 1, "keep both", 39.0)
    assert table.deadline == 39.0 + 30.0  # now the last seat places a stack


def test_a_turn_has_one_clock_whatever_it_asks() -> None:
    """A second card, the tickets to keep and the token to take belong to the turn that brings them."""
    seen: set[str] = set()
    for seed in seeds(6):
        generator = random.Random(seed)
        table = at_first_turn("Ann", "Bob", "Cat")
        assert table.match is not None
        at, deadline = 100.0, 130.0
        while table.match.deciding():
            assert table.deadline == deadline
            at += generator.uniform(0.0, 20.0)
            (seat,) = table.match.deciding()
            decide(table, seat, str(generator.choice(table.match.view(seat).legal_actions)), at)
            assert table.match is not None
            if table.match.game.phase in ("second_card", "keep_tickets", "token"):
                seen.add(table.match.game.phase)
                assert table.match.deciding() == (seat,)
            else:
                deadline = at + 30.0
        assert table.deadline is None
    assert seen == {"second_card", "keep_tickets", "token"}


def test_what_happens_beside_the_game_gives_nobody_more_time() -> None:
    table = at_first_turn("Ann", "Bob", "Cat")
    away = person_in(table, 1)
    done(table, decisions.watch(table, "ann", False, 110.0))
    assert table.deadline == 130.0
    done(table, decisions.leave(table, away, 115.0))
    assert table.deadline == 130.0
    done(table, decisions.come_back(table, away, 125.0))
    assert table.deadline == 130.0  # or two people could keep a third waiting for ever


# When it runs out.


def test_a_clock_that_has_not_run_out_sends_nobody_away() -> None:
    table = at_first_turn("Ann", "Bob")
    assert decisions.run_out(table, 129.999) == table.n


def test_without_a_clock_nobody_is_sent_away() -> None:
    table = started("Ann", "Bob")
    assert decisions.run_out(table, 1e12) == table.n


def test_who_does_not_decide_in_time_is_sent_away_and_nobody_else() -> None:
    table = at_first_turn("Ann", "Bob", "Cat")
    assert decisions.run_out(table, 130.0) == Away(at=130.0, seat=0, why="clock")
    done(table, decisions.run_out(table, 130.0))
    assert table.away == {0}
    assert table.deadline is None
    assert decisions.run_out(table, 1e12) == table.n


def test_all_who_have_not_chosen_first_tickets_are_sent_away() -> None:
    table = started("Ann", "Bob", "Cat", "Dan", clock="30s")
    decide(table, 1, "keep both", 20.0)
    for seat in (0, 2, 3):
        assert table.due(DELAY) == 40.0 if seat == 0 else table.due(DELAY) is not None
        assert decisions.run_out(table, 40.0) == Away(at=40.0, seat=seat, why="clock")
        done(table, decisions.run_out(table, 40.0))
    assert table.away == {0, 2, 3}
    assert decisions.run_out(table, 1e12) == table.n
    assert table.bots_deciding() == [0, 2, 3]


def test_a_choice_that_comes_while_others_are_sent_away_still_counts() -> None:
    table = started("Ann", "Bob", "Cat", clock="30s")
    done(table, decisions.run_out(table, 40.0))
    decide(table, 1, "keep first", 40.1)
    done(table, decisions.run_out(table, 40.2))
    assert table.away == {0, 2}


def test_a_bot_plays_on_until_the_person_comes_back() -> None:
    table = at_first_turn("Ann", "Bob")
    assert table.match is not None
    ann, step = person_in(table, 0), table.match.step
    done(table, decisions.run_out(table, 130.0))
    assert table.bots_deciding() == [0]
    done(table, decisions.play_bot(table, 0, step, "draw deck", 131.0))
    done(table, decisions.come_back(table, ann, 150.0))
    assert table.away == set()
    assert table.bots_deciding() == []
    assert table.deadline == 180.0  # a fresh clock, in the middle of the turn
    decide(table, 0, "draw deck", 179.0)
    assert table.deadline == 179.0 + 30.0


def test_who_comes_back_to_the_first_tickets_has_a_fresh_clock() -> None:
    table = started("Ann", "Bob", clock="30s")
    decide(table, 1, "keep both", 15.0)
    done(table, decisions.run_out(table, 40.0))
    done(table, decisions.come_back(table, person_in(table, 0), 41.0))
    assert table.deadline == 71.0
    assert decisions.run_out(table, 70.9) == table.n


def test_after_a_bot_s_turn_the_next_person_has_a_fresh_clock() -> None:
    table = at_first_turn("Ann", "Bob")
    assert table.match is not None
    done(table, decisions.run_out(table, 130.0))
    for at in (131.0, 132.0):
        done(table, decisions.play_bot(table, 0, table.match.step, "draw deck", at))
    assert table.match.deciding() == (1,)
    assert table.deadline == 162.0


def test_who_is_away_again_is_sent_away_again() -> None:
    table = at_first_turn("Ann", "Bob")
    done(table, decisions.run_out(table, 130.0))
    done(table, decisions.come_back(table, person_in(table, 0), 140.0))
    assert decisions.run_out(table, 169.9) == table.n
    assert decisions.run_out(table, 170.0) == Away(at=170.0, seat=0, why="clock")


# Bots have no clock.


def test_a_bot_has_no_clock() -> None:
    table = with_bots()
    assert table.match is not None
    ann, robot, bob = seats_of(table)
    assert table.bots_deciding() == [robot]
    assert table.deadline == 40.0
    decide(table, ann, "keep both", 12.0)
    decide(table, bob, "keep both", 12.0)
    assert table.bots_deciding() == [robot]
    assert table.due(1e6) == 12.0 + 1e6  # the bot alone is waited for
    assert decisions.run_out(table, 1e12) == table.n


def test_a_clock_sends_no_bot_away() -> None:
    table = with_bots()
    ann, robot, bob = seats_of(table)
    for seat in sorted((ann, bob)):
        assert decisions.run_out(table, 40.0) == Away(at=40.0, seat=seat, why="clock")
        done(table, decisions.run_out(table, 40.0))
    assert table.bots_deciding() == [0, 1, 2]
    assert robot not in table.away


# When something is due.


def test_a_bot_is_due_after_its_delay_and_a_clock_when_it_runs_out() -> None:
    table = with_bots()
    assert table.match is not None
    _, robot, _ = seats_of(table)
    assert table.due(DELAY) == 10.0 + DELAY
    assert table.due(100.0) == 40.0
    done(table, decisions.play_bot(table, robot, 0, "keep first", 11.0))
    assert table.due(DELAY) == 40.0


def test_without_clocks_and_bots_nothing_is_due() -> None:
    assert started("Ann", "Bob").due(DELAY) is None


def test_what_happens_beside_the_game_does_not_keep_a_bot_waiting() -> None:
    """Else somebody could stop a game for ever by leaving and coming back."""
    table = with_bots()
    for number in range(5):
        done(table, decisions.watch(table, "ann", number % 2 == 1, 10.1 + number))
        assert table.due(DELAY) == 10.0 + DELAY
    ann, robot, _ = seats_of(table)
    done(table, decisions.leave(table, "bob", 20.0))
    done(table, decisions.come_back(table, "bob", 20.4))
    assert table.due(DELAY) == 10.0 + DELAY
    decide(table, ann, "keep both", 21.0)
    assert robot in table.bots_deciding()


def test_for_one_who_leaves_in_the_middle_of_a_turn_a_bot_plays_on_within_its_delay() -> None:
    table = at_first_turn("Ann", "Bob")
    done(table, decisions.leave(table, person_in(table, 0), 120.0))
    due = table.due(DELAY)
    assert due is not None
    assert due <= 120.0 + DELAY


@pytest.mark.parametrize("clock", ["none", "60s"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_at_every_moment_of_a_game_what_is_due_can_be_done(players: int, clock: str) -> None:
    """People sleep and come back. What is due, a clock or a bot, can be done, and changes the table."""
    for seed in seeds(5):
        generator = random.Random(seed)
        names = ("Ann", "Bob", "Cat", "Dan")[:players]
        table = started(*names, clock=clock, map="tiny")
        now = 10.0
        while table.status == "playing":
            due = table.due(DELAY)
            assert (due is None) == (table.deadline is None and not table.bots_deciding())
            if due is not None and generator.random() < 0.6:
                now = max(now, due)
                entry = do_what_is_due(table, now, generator)
                assert isinstance(entry, Moved | Away)
                done(table, entry)
            elif table.away and generator.random() < 0.3:
                seat = generator.choice(sorted(table.away))
                entry = decisions.come_back(table, person_in(table, seat), now)
                assert isinstance(entry, Back)
                done(table, entry)
            elif not table.bots_deciding():
                play_some(table, 1, seed=generator.randrange(100), at=now)
        assert table.due(DELAY) is None


def do_what_is_due(table: Table, now: float, generator: random.Random) -> object:
    assert table.match is not None
    if table.deadline is not None and table.deadline <= now:
        return decisions.run_out(table, now)
    seat = table.bots_deciding()[0]
    action = generator.choice(table.match.view(seat).legal_actions)
    return decisions.play_bot(table, seat, table.match.step, str(action), now)
