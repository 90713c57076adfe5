"""Messages: what each viewer of a table is told, and what nobody is."""

import hmac
import json
import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from fogline.fairness import Fairness, check_fairness, seal_of
from fogline.fairness.secret import RULES
from fogline.game.actions import KEEPS, parse_action
from fogline.server.refused import Refused
from fogline.server.tables import decisions
from fogline.server.tables.entries import Chair
from fogline.server.tables.table import Table
from fogline.server.wire.messages import answer, rejection, state_of, table_info
from fogline.server.wire.wire import SERVER_MESSAGE, Answer, Rejected, State, write
from tests.seeds import seeds
from tests.server.arrange import (
    OPEN_CHAIR,
    SECRET,
    bot,
    dealt,
    done,
    finished,
    imported,
    opened,
    person,
    person_in,
    play_some,
    started,
    viewers,
)

NAMES = ("Ann", "Bob", "Cat", "Dan")
GAMES = pytest.mark.parametrize(("board", "games"), [("san_francisco", 2), ("tiny", 12)])
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])


def moments(players: int, board: str, seed: int) -> Iterator[Table]:
    """A table whenever something has happened there, from its start to the end of a random game."""
    table = started(*NAMES[:players], map=board, clock="60s", secret=random.Random(seed).randbytes(32))
    yield table
    while table.status == "playing":
        play_some(table, 1, seed=1000 * seed + table.n, at=20.0 + table.n)
        yield table


def state(table: Table, who: str, after: int = 0) -> State:
    return state_of(table, table.viewer(who), after)


def closed() -> Table:
    table = opened([person("Ann", seal_of("a1")), person("Bob", seal_of("b1"))])
    done(table, decisions.leave(table, "ann", 1.0))
    return table


# Every message is what the wire says it is.


@GAMES
@PLAYERS
def test_every_viewer_is_told_what_the_wire_defines(players: int, board: str, games: int) -> None:
    for seed in seeds(games):
        for table in moments(players, board, seed):
            for who in viewers(table):
                told = state(table, who)
                assert SERVER_MESSAGE.validate_json(write(told)) == told


def test_so_is_every_viewer_of_a_table_that_is_not_played_at() -> None:
    over = finished("Ann", "Bob", map="tiny")
    not_begun = opened([person("Ann"), OPEN_CHAIR, bot("random"), bot()], host="hal", clock="3d")
    for table in (not_begun, closed(), over, imported(over.game_record(), "Ann", "")):
        for who in viewers(table):
            told = state(table, who)
            assert SERVER_MESSAGE.validate_json(write(told)) == told
            assert told.table.status == table.status


@GAMES
@PLAYERS
def test_who_follows_from_message_to_message_is_told_every_event_once(players: int, board: str, games: int) -> None:
    """Whatever messages are missed on the way: the next one tells all since the last."""
    for seed in seeds(games):
        generator = random.Random(seed)
        heard: dict[str, tuple[int, list[dict[str, Any]]]] = {who: (0, []) for who in (*NAMES[:players], "Eve")}
        for table in moments(players, board, seed):
            for name, (number, events) in heard.items():
                if generator.random() < 0.5 or table.status == "over":
                    told = state(table, name.lower(), number)
                    assert (told.n, told.after) == (table.n, number)
                    heard[name] = (told.n, [*events, *told.events])
        for name, (_, events) in heard.items():
            assert events == list(state(table, name.lower()).events)


def test_before_the_start_there_is_no_game_to_tell_of() -> None:
    for table in (opened([person("Ann"), OPEN_CHAIR]), closed()):
        assert (state(table, "ann").view, state(table, "ann").events) == (None, ())


def test_who_has_heard_more_than_there_is_hears_nothing_new() -> None:
    table = started("Ann", "Bob")
    told = state(table, "ann", after=1000)
    assert (told.n, told.after, told.events) == (table.n, table.n, ())


# Who is who.


def test_everyone_is_told_who_they_are() -> None:
    table = opened([bot(), person("Ann"), person("Bob")], host="hal")
    done(table, decisions.start(table, "hal", 1.0))
    yous = {who: state(table, who).table.you for who in ("hal", "ann", "bob", "eve", "")}
    assert (yous["hal"].chair, yous["hal"].seat, yous["hal"].host) == (None, None, True)
    assert (yous["ann"].chair, yous["ann"].seat, yous["ann"].host) == (1, table.seating.index(1), False)
    assert (yous["bob"].chair, yous["bob"].seat, yous["bob"].host) == (2, table.seating.index(2), False)
    assert yous["eve"] == yous[""]
    assert (yous["eve"].chair, yous["eve"].seat, yous["eve"].host) == (None, None, False)


def test_chairs_tell_who_sits_there() -> None:
    table = opened([person("Ann"), OPEN_CHAIR, bot("random"), bot()])
    chairs = state(table, "").table.chairs
    assert [(chair.kind, chair.name, chair.player, chair.away) for chair in chairs] == [
        ("person", "Ann", "", False),
        ("open", "", "", False),
        ("bot", "", "random", False),
        ("bot", "", "racer", False),
    ]
    levels = [chair.level for chair in chairs]
    assert levels[:2] == [None, None]
    assert all(level is not None and level >= 1 for level in levels[2:])


def test_everyone_is_told_who_is_away() -> None:
    table = started("Ann", "Bob")
    done(table, decisions.leave(table, "bob", 20.0))
    assert [chair.away for chair in state(table, "").table.chairs] == [False, True]
    done(table, decisions.come_back(table, "bob", 21.0))
    assert [chair.away for chair in state(table, "").table.chairs] == [False, False]


def test_nobody_is_told_anybody_s_id() -> None:
    """Who knows only the id cannot act as the person, but could tell where else they play."""
    ids = {name: f"id-of-{name}-0123456789abcdef" for name in NAMES[:2]}
    chairs = [Chair(kind="person", person=id, name=name) for name, id in ids.items()]
    table = opened(chairs, host=ids["Ann"], map="tiny")
    done(table, decisions.start(table, ids["Ann"], 1.0))
    play_some(table, 1000)
    for who in (*ids.values(), "eve", ""):
        assert b"id-of" not in write(state(table, who))


def test_everyone_is_told_when_the_clock_runs_out() -> None:
    table = started("Ann", "Bob", clock="60s")
    assert {state(table, who).table.deadline for who in viewers(table)} == {70.0}
    assert state(started("Ann", "Bob"), "ann").table.deadline is None


# The link, the salts, the secret.


def test_the_link_is_told_to_those_who_sit_and_to_the_host() -> None:
    table = opened([person("Ann"), OPEN_CHAIR], host="hal")
    told = {who: state(table, who).table.invite for who in ("hal", "ann", "eve", "")}
    assert told == {"hal": "invite-of-tests1", "ann": "invite-of-tests1", "eve": None, "": None}
    done(table, decisions.invite(table, "hal", "", 1.0))
    assert state(table, "hal").table.invite is None


def test_salts_are_told_once_the_game_has_begun() -> None:
    """Before, the last to sit down could choose theirs knowing the others'."""
    table = opened([person("Ann", seal_of("a1")), person("Bob", seal_of("b1"))], map="tiny")
    assert all(state(table, who).table.salts == () for who in viewers(table))
    assert all(state(table, who).table.seals == (seal_of("a1"), seal_of("b1")) for who in viewers(table))
    dealt(table, {"ann": "a1", "bob": "b1"}, 1.0)
    assert all(state(table, who).table.salts == ("a1", "b1") for who in viewers(table))
    play_some(table, 1000)
    assert all(state(table, who).table.salts == ("a1", "b1") for who in viewers(table))
    assert all(state(closed(), who).table.salts == () for who in viewers(closed()))


@GAMES
@PLAYERS
def test_the_secret_is_told_when_the_game_is_over_and_not_before(players: int, board: str, games: int) -> None:
    for seed in seeds(games):
        for table in moments(players, board, seed):
            for who in viewers(table):
                told = state(table, who)
                assert told.table.commitment == table.fairness.commitment
                if table.status == "over":
                    assert told.table.secret == table.secret.hex()
                else:
                    assert told.table.secret is None
                    assert table.secret.hex().encode() not in write(told)


def test_what_is_told_at_the_end_is_enough_to_check_the_game() -> None:
    table = finished("Ann", "Bob", "Cat")
    info = state(table, "").table
    told = {
        "scheme": info.scheme,
        "game": info.id,
        "map": table.digest,
        "rules": RULES,
        "commitment": info.commitment,
        "secret": info.secret,
        "seals": list(info.seals),
        "salts": list(info.salts),
        "seating": list(info.seating),
    }
    assert table.game_record()["fairness"] == told
    assert check_fairness(table.game_record()).commitment == info.commitment


def test_a_table_that_was_closed_keeps_its_secret() -> None:
    for who in viewers(closed()):
        assert SECRET.hex().encode() not in write(state(closed(), who))


def test_an_imported_game_has_no_secret_of_this_server() -> None:
    record = finished("Ann", "Bob", map="tiny", secret=bytes(32)).game_record()
    info = table_info(table := imported(record, "Ann", ""), table.viewer("ann"))
    assert (info.commitment, info.secret, info.salts, info.invite, info.again) == ("", None, (), None, None)
    assert [chair.name for chair in info.chairs] == ["Ann", ""]
    assert info.seating == (0, 1)


def test_everyone_is_told_where_the_rematch_is() -> None:
    table = finished("Ann", "Bob", map="tiny")
    assert state(table, "ann").table.again is None
    done(table, decisions.play_again(table, "bob", "another-table-01", 99.0))
    assert {state(table, who).table.again for who in viewers(table)} == {"another-table-01"}


# First tickets (2.5).


def chosen(players: int, choices: dict[int, str]) -> Table:
    table = started(*NAMES[:players])
    for seat, which in choices.items():
        done(table, decisions.play(table, person_in(table, seat), 0, f"keep {which}", 20.0))
    return table


@PLAYERS
def test_no_message_tells_what_another_keeps_until_all_have_chosen(players: int) -> None:
    """For each viewer, chosen or not: whatever the others keep, the message is the same to the last byte."""
    for own in (None, *KEEPS):
        for viewer in range(players):
            others = [seat for seat in range(players) if seat != viewer]
            deciders = others if own is None else others[:-1]
            mine = {} if own is None else {viewer: own}
            told = {
                write(state(table, person_in(table, viewer)))
                for keeps in product(KEEPS, repeat=len(deciders))
                if (table := chosen(players, mine | dict(zip(deciders, keeps, strict=True))))
            }
            assert len(told) == 1


@PLAYERS
def test_no_message_tells_a_spectator_what_anybody_keeps(players: int) -> None:
    deciders = range(players - 1)
    told = {
        write(state(chosen(players, dict(zip(deciders, keeps, strict=True))), ""))
        for keeps in product(KEEPS, repeat=players - 1)
    }
    assert len(told) == 1


def test_who_has_chosen_is_told_what_and_the_others_only_who_still_chooses() -> None:
    table = chosen(3, {1: "first"})
    for seat in range(3):
        view = state(table, person_in(table, seat)).view
        assert view is not None
        assert view.deciding == (0, 2)
        assert view.step == 0
        assert view.chosen == ("keep first" if seat == 1 else None)
        assert [choice.target for choice in view.legal] == ([] if seat == 1 else ["first", "second", "both"])
        assert len(view.offer) == 2
    spectator = state(table, "").view
    assert spectator is not None
    assert (spectator.chosen, spectator.offer, spectator.legal, spectator.seat) == (None, (), (), None)


def test_once_all_have_chosen_nothing_is_waiting() -> None:
    table = chosen(3, {1: "first", 2: "both", 0: "second"})
    for who in viewers(table):
        view = state(table, who).view
        assert view is not None
        assert view.chosen is None
        assert view.step == 3
        assert [seat.tickets for seat in view.seats] == [1, 1, 2]


def test_what_others_have_kept_is_sealed_with_a_key_that_nobody_has() -> None:
    """So it cannot be something else afterwards, and nobody can find out what it is by trying."""
    table = chosen(3, {1: "first", 2: "both", 0: "second"})
    fairness, match = table.fairness, table.match
    assert isinstance(fairness, Fairness)
    assert match is not None
    hidden = 0
    for who in viewers(table):
        for number, (shown, event) in enumerate(zip(state(table, who).events, match.game.events, strict=True)):
            text = f"event {number} {json.dumps(event, sort_keys=True)}"
            seal = hmac.digest(fairness.key, text.encode(), "sha256").hex()
            assert shown.get("seal") == (seal if event["e"] == "keep" and "tickets" not in shown else None)
            hidden += "seal" in shown
    assert hidden == 3 * 2 + 2 * 3  # from each of three by the other two, and all three from two who watch


# The game.


@GAMES
@PLAYERS
def test_what_others_hold_is_told_at_the_end_and_not_before(players: int, board: str, games: int) -> None:
    for seed in seeds(games):
        for table in moments(players, board, seed):
            for who in viewers(table):
                told = state(table, who)
                assert told.view is not None
                over = table.status == "over"
                assert all((seat.hand is not None) == over for seat in told.view.seats)
                assert all((seat.kept is not None) == over for seat in told.view.seats)
                assert all((seat.score is not None) == over for seat in told.view.seats)
                assert bool(told.view.winners) == over
                hidden = [event for event in told.events if secret_of(event) and event["seat"] != told.view.seat]
                assert not any({"card", "cards", "tickets"} & set(event) for event in hidden)


def secret_of(event: dict[str, Any]) -> bool:
    """Whether an event is one that only its seat sees whole (10.2)."""
    return event["e"] in ("deal", "offer", "keep") or (event["e"] == "draw" and event["from"] == "deck")


@GAMES
@PLAYERS
def test_the_choices_of_a_seat_are_what_it_may_do(players: int, board: str, games: int) -> None:
    kinds: set[str] = set()
    for seed in seeds(games):
        for table in moments(players, board, seed):
            for who in viewers(table):
                view = state(table, who).view
                assert view is not None
                assert bool(view.legal) == (view.seat in view.deciding)
                for choice in view.legal:
                    kinds.add(choice.kind)
                    assert decisions.why_not(table, who, choice.action) is None
                    assert str(parse_action(choice.action)) == choice.action
                    assert choice.action == " ".join(in_words(choice.kind, choice.target, choice.cards))
    assert {"draw", "claim", "keep", "place"} <= kinds


def in_words(kind: str, target: str | None, cards: dict[str, int] | None) -> Iterator[str]:
    """An action's text from its parts."""
    yield kind.replace("_", " ")
    if target is not None:
        yield target
    for card, count in (cards or {}).items():
        yield f"{card}{count}"


def test_a_message_is_json_that_any_client_can_read() -> None:
    told = json.loads(write(state(started("Ann", "Bob"), "ann")))
    assert told["type"] == "state"
    assert set(told) == {"type", "n", "after", "table", "view", "events"}
    assert told["view"]["deciding"] == [0, 1]


# Refusals.


def test_a_refusal_is_told_with_its_rule() -> None:
    table = started("Ann", "Bob")
    for text in ("draw deck", "pass", "claim nowhere-somewhere red1", "place castro", "nonsense", ""):
        refused = decisions.why_not(table, "ann", text)
        assert isinstance(refused, Refused)
        told = rejection(7, refused)
        assert (told.id, told.code, told.reason, told.rule) == (7, refused.code, refused.reason, refused.rule)
        assert told.key == refused.key
        again = SERVER_MESSAGE.validate_json(write(told))
        assert isinstance(again, Rejected)
        assert again == told
        said = answer(8, refused)
        assert (said.id, said.legal, said.reason, said.rule) == (8, False, refused.reason, refused.rule)
        assert SERVER_MESSAGE.validate_json(write(said)) == said


def test_what_is_legal_is_told_without_a_reason() -> None:
    assert decisions.why_not(started("Ann", "Bob"), "ann", "keep both") is None
    assert answer(3, None) == Answer(3, True, None, None)
