"""Replays: a game once more, through eyes that may see it."""

import random
from functools import cache

import pytest
from pydantic import TypeAdapter

from fogline.game.game import Game
from fogline.game.record import audit
from fogline.players.player import PLAYERS
from fogline.server.tables import decisions
from fogline.server.tables.table import Table, Viewer
from fogline.server.wire.messages import state_of
from fogline.server.wire.replays import Eyes, choose_eyes, make_replay, reel_of
from fogline.server.wire.wire import GameView, Replay
from tests.seeds import seeds
from tests.server.arrange import (
    bot,
    done,
    finished,
    imported,
    observable,
    opened,
    person,
    person_in,
    play_some,
    refuses,
    started,
    viewers,
)

SPECTATOR = Viewer(None, None, host=False)


@cache
def running() -> Table:
    """In the middle of a game. All tests share it: a replay changes no table."""
    table = started("Ann", "Bob", "Cat")
    play_some(table, 60)
    assert table.status == "playing"
    return table


@cache
def over() -> Table:
    return finished("Ann", "Bob", "Cat")


def replay(table: Table, eyes: Eyes, at: int | None = None) -> Replay:
    return make_replay(reel_of(table, SPECTATOR, eyes, at))


def all_eyes(table: Table) -> list[Eyes]:
    return ["public", *range(len(table.chairs))]


def events_of(shown: Replay) -> list[dict[str, object]]:
    return [event for frame in shown.frames for event in frame.events]


# What it shows.


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_events_of_all_frames_are_those_that_the_viewer_saw(players: int) -> None:
    for seed in seeds(3):
        table = started(*("Ann", "Bob", "Cat", "Dan")[:players], secret=random.Random(seed).randbytes(32))
        for _ in range(4):
            play_some(table, 25, seed=seed)
            assert table.match is not None
            for eyes in all_eyes(table):
                seen = table.match.view(None if eyes == "public" else int(eyes)).events
                assert events_of(replay(table, eyes)) == list(seen)


def test_through_all_eyes_the_events_are_the_whole_game() -> None:
    table = over()
    assert table.match is not None
    assert events_of(replay(table, "all")) == table.match.game.events


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_frame_is_what_the_viewer_saw_then(players: int) -> None:
    """The first tickets apart, which are chosen at once and shown one after the other."""
    table = started(*("Ann", "Bob", "Cat", "Dan")[:players])
    seen: dict[Eyes, dict[int, GameView]] = {eyes: {} for eyes in all_eyes(table)}
    while table.status == "playing":
        play_some(table, 1, seed=table.n)
        for eyes, views in seen.items():
            view = state_of(table, Viewer(None, None if eyes == "public" else int(eyes), host=False)).view
            assert view is not None
            views[view.step] = view
    for eyes, views in seen.items():
        frames = replay(table, eyes).frames
        assert {frame.step: frame.view for frame in frames if frame.step >= players} == {
            step: view for step, view in views.items() if step >= players
        }


def test_frames_are_numbered_by_the_actions_before_them() -> None:
    table = over()
    assert table.match is not None
    shown = replay(table, "all")
    assert [frame.step for frame in shown.frames] == list(range(table.match.step + 1))
    assert [frame.view.step for frame in shown.frames] == [frame.step for frame in shown.frames]
    assert shown.steps == table.match.step + 1
    assert shown.frames[-1].view.phase == "over"


def test_through_all_eyes_everybody_s_cards_lie_on_the_table() -> None:
    for frame in replay(over(), "all").frames:
        assert all(seat.hand is not None and seat.kept is not None for seat in frame.view.seats)


@pytest.mark.parametrize("eyes", ["public", 0, 1, 2])
def test_through_other_eyes_nobody_s_do_before_the_end(eyes: Eyes) -> None:
    for table in (running(), over()):
        for frame in replay(table, eyes).frames:
            shown = [seat.hand is not None or seat.kept is not None for seat in frame.view.seats]
            assert shown == [frame.view.phase == "over"] * 3
            assert frame.view.seat == (None if eyes == "public" else eyes)


def test_a_replay_is_for_the_one_who_asked() -> None:
    table = running()
    shown = make_replay(reel_of(table, table.viewer("bob"), "public", None))
    assert shown.table.you.chair == 1
    assert shown.eyes == "public"


def test_a_replay_changes_nothing() -> None:
    for table in (running(), over()):
        before = observable(table)
        for eyes in all_eyes(table):
            replay(table, eyes)
        assert observable(table) == before


def test_a_replay_is_what_the_wire_defines() -> None:
    wire = TypeAdapter(Replay)
    for shown in (replay(running(), 1), replay(over(), "all"), replay(over(), "public", 30)):
        assert wire.validate_json(wire.dump_json(shown)) == shown


# One frame.


@pytest.mark.parametrize("eyes", ["all", "public", 2])
def test_one_frame_is_that_of_the_whole_replay(eyes: Eyes) -> None:
    whole = replay(over(), eyes)
    for at in (0, 1, 2, 3, 17, whole.steps - 1):
        part = replay(over(), eyes, at)
        assert part.frames == (whole.frames[at],)
        assert part.steps == whole.steps


def test_there_is_no_frame_after_the_last() -> None:
    steps = replay(over(), "all").steps
    with refuses("invalid", f"the game has steps 0 to {steps - 1}, not {steps}"):
        replay(over(), "all", steps)


# Whose eyes.


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_while_the_game_goes_on_one_looks_through_one_s_own_eyes_or_the_public_s(seat: int) -> None:
    table = running()
    viewer = table.viewer(person_in(table, seat))
    assert choose_eyes(table, viewer, None) == seat
    assert choose_eyes(table, viewer, str(seat)) == seat
    assert choose_eyes(table, viewer, "public") == "public"
    for other in ("all", str((seat + 1) % 3), str((seat + 2) % 3)):
        with refuses("forbidden", "your own eyes alone"):
            choose_eyes(table, viewer, other)


@pytest.mark.parametrize("who", ["hal", "eve", ""])
def test_while_the_game_goes_on_a_spectator_looks_through_the_public_s_eyes(who: str) -> None:
    """Even the host, where the host does not play."""
    table = opened([person("Ann"), person("Bob")], host="hal")
    done(table, decisions.start(table, "hal", 1.0))
    play_some(table, 20)
    assert choose_eyes(table, table.viewer(who), None) == "public"
    for other in ("all", "0", "1"):
        with refuses("forbidden", "your own eyes alone"):
            choose_eyes(table, table.viewer(who), other)


def test_once_it_is_over_anybody_looks_through_anybody_s_eyes() -> None:
    table = over()
    for who in viewers(table):
        assert choose_eyes(table, table.viewer(who), None) == "all"
        for asked, eyes in (("all", "all"), ("public", "public"), ("0", 0), ("1", 1), ("2", 2)):
            assert choose_eyes(table, table.viewer(who), asked) == eyes


@pytest.mark.parametrize("asked", ["", "3", "-1", "00", "1.0", "None", "ALL", " 1", "٢", "ann"])
def test_there_are_no_other_eyes(asked: str) -> None:
    for table in (running(), over()):
        with refuses("invalid", "eyes: say all, public, or a seat from 0 to 2"):
            choose_eyes(table, SPECTATOR, asked)


# When there is something to see.


def test_there_is_no_replay_before_the_first_turn() -> None:
    """While the first tickets are chosen, a game in turn order would tell too much."""
    not_begun = opened([person("Ann"), person("Bob")])
    gone = opened([person("Ann"), person("Bob")])
    done(gone, decisions.leave(gone, "ann", 1.0))
    choosing = started("Ann", "Bob", "Cat")
    play_some(choosing, 2)
    for table in (not_begun, gone, choosing):
        for eyes in all_eyes(table):
            with refuses("conflict", "nothing to see again before the first turn"):
                replay(table, eyes)


def test_there_is_a_replay_as_soon_as_all_have_chosen() -> None:
    table = started("Ann", "Bob", "Cat")
    play_some(table, 3)
    assert [frame.step for frame in replay(table, 1).frames] == [0, 1, 2, 3]


# Games from elsewhere.


def test_an_imported_game_is_shown_through_any_eyes() -> None:
    table = imported(over().game_record(), "Ann", "", "Cat")
    assert table.record is not None
    for who in viewers(table):
        viewer = table.viewer(who)
        assert choose_eyes(table, viewer, None) == "all"
        assert choose_eyes(table, viewer, "2") == 2
    for eyes in ("all", *all_eyes(over())):
        here, there = replay(table, eyes), replay(over(), eyes)
        assert here.frames == there.frames
        assert [chair.name for chair in here.table.chairs] == ["Ann", "", "Cat"]


def test_a_game_of_another_program_is_shown_as_its_record_tells_it() -> None:
    """Its chance need not come from a seed of ours: only the record says what came."""
    game = Game("tiny", players=2, seed=5)
    generator = random.Random(5)
    while not game.over:
        game.reseed(generator.getrandbits(64))
        game.play(generator.choice(game.legal_actions()))
    record = game.record() | {"seed": "0x0000000000000001"}
    assert not audit(record).from_seed
    assert events_of(replay(imported(record, "", ""), "all")) == game.events


# What bots had in mind.


@cache
def against_a_planner() -> Table:
    """A game that a person has played against two bots, of which one plans."""
    table = opened([person("Ann"), bot("planner"), bot("racer")])
    done(table, decisions.start(table, "ann", 10.0))
    players = [PLAYERS[chair.player or "planner"](7) for chair in table.chairs]
    while table.match is not None and (deciding := table.match.deciding()):
        seat, match = deciding[0], table.match
        action = str(players[table.seating[seat]].choose(match.view(seat)))
        if table.is_bot(seat):
            done(table, decisions.play_bot(table, seat, match.step, action, 20.0))
        else:
            done(table, decisions.play(table, person_in(table, seat), match.step, action, 20.0))
    return table


def test_what_a_bot_had_in_mind_is_shown_with_what_it_did() -> None:
    table = against_a_planner()
    assert table.match is not None
    frames = replay(table, "all").frames
    planner = table.seating.index(1)
    actors = [None, *table.match.actors]
    assert [frame.step for frame in frames if frame.mind] == [
        step for step, seat in enumerate(actors) if seat == planner
    ]
    minds = [frame.mind for frame in frames if frame.mind]
    assert all(mind.seat == planner for mind in minds)
    assert all(mind.ticket is None or mind.ticket in {t.id for t in table.board.tickets} for mind in minds)
    assert any(mind.ticket for mind in minds)
    assert any(mind.feared for mind in minds)
    alone = next(frame for frame in frames if frame.mind)
    assert replay(table, "all", at=alone.step).frames == (alone,)


def test_what_a_bot_has_in_mind_is_shown_to_nobody_s_eyes_alone() -> None:
    for eyes in all_eyes(against_a_planner()):
        assert not any(frame.mind for frame in replay(against_a_planner(), eyes).frames)
