"""The game at a table: first tickets are chosen by all at once, and chance comes from the table's secret alone."""

import copy
import random
from itertools import permutations, product
from typing import Any

import pytest

from fogline.fairness import Fairness, check_fairness, seal_of
from fogline.game.actions import ActionError, Draw, Keep, parse_action
from fogline.game.events import Event
from fogline.game.game import Game
from fogline.maps.board import Board
from fogline.server.tables.match import FairChance, Match
from tests.seeds import seeds
from tests.server.arrange import OFFER, SECRET, TABLE

KEEPS = (Keep("first"), Keep("second"), Keep("both"))
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])


def fairness(board: str, players: int, *, secret: bytes = SECRET, salt: str = "") -> Fairness:
    """Each chair has a salt of its own, or none has any."""
    salts = tuple(f"{salt}{chair:02x}" if salt else None for chair in range(players))
    seals = tuple(seal_of(one) if one else None for one in salts)
    return Fairness(secret, TABLE, OFFER.digests[board], seals, salts)


def new_match(players: int, board: str = "san_francisco", **chance: Any) -> Match:
    return Match(OFFER.boards[board], players, FairChance(fairness(board, players, **chance)))


def chosen(players: int, choices: dict[int, Keep]) -> Match:
    """A match in which these seats have chosen their first tickets, in this order."""
    match = new_match(players)
    for seat, keep in choices.items():
        match.play(seat, keep)
    return match


def at_first_turn(players: int = 3) -> Match:
    match = chosen(players, dict.fromkeys(range(players), Keep("both")))
    while match.game.phase == "place":
        match.play(match.game.seat, match.game.legal_actions()[0])
    return match


def everything(match: Match) -> tuple[Any, ...]:
    """A match to the last detail."""
    game = match.game
    views = [match.view(seat) for seat in (None, *range(game.players))]
    copied = dict(match.choices), list(match.actors), list(game.actions), copy.deepcopy(game.events)
    return game.position.snapshot(), match.event_count, match.deciding(), views, *copied


# The first tickets (2.5).


@PLAYERS
def test_all_seats_are_offered_their_first_tickets_at_once(players: int) -> None:
    match = new_match(players)
    assert match.choosing
    assert match.deciding() == tuple(range(players))
    views = [match.view(seat) for seat in range(players)]
    assert all(view.legal_actions == KEEPS for view in views)
    assert len({ticket for view in views for ticket in view.offer}) == 2 * players


@PLAYERS
def test_a_spectator_is_offered_nothing(players: int) -> None:
    view = new_match(players).view(None)
    assert (view.offer, view.legal_actions, view.hand, view.tickets) == ((), (), {}, ())


@PLAYERS
def test_the_offers_are_those_of_a_game_in_which_they_choose_in_turn(players: int) -> None:
    for keeps in product(KEEPS, repeat=players):
        game = FairChance(fairness("san_francisco", players)).deal(OFFER.boards["san_francisco"], players)
        for seat, keep in enumerate(keeps):
            assert new_match(players).view(seat).offer == game.view(seat).offer
            game.play(keep)


@PLAYERS
def test_any_order_of_arrival_gives_the_same_game(players: int) -> None:
    for keeps in list(product(KEEPS, repeat=players))[::5]:
        found = []
        for order in permutations(range(players)):
            match = chosen(players, {seat: keeps[seat] for seat in order})
            assert match.game.actions == list(keeps)
            found.append(everything(match))
        assert all(one == found[0] for one in found)


@PLAYERS
def test_the_game_is_the_same_as_if_they_had_chosen_in_turn(players: int) -> None:
    chance = FairChance(fairness("san_francisco", players))
    game = chance.deal(OFFER.boards["san_francisco"], players)
    for _ in range(players):
        chance.play(game, Keep("second"))
    match = chosen(players, {seat: Keep("second") for seat in reversed(range(players))})
    assert match.game.position.snapshot() == game.position.snapshot()
    assert match.game.events == game.events


@PLAYERS
def test_nobody_sees_what_another_keeps_until_all_have_chosen(players: int) -> None:
    """Whatever the others have chosen so far, one's own view is the same to the last detail."""
    for viewer in (None, *range(players)):
        others = [seat for seat in range(players) if seat != viewer][: players - 1]
        for count in range(1, len(others) + 1):
            keeps = list(product(KEEPS, repeat=count))
            matches = [chosen(players, dict(zip(others, one, strict=False))) for one in keeps]
            assert all(match.choosing for match in matches)
            assert all(match.view(viewer) == matches[0].view(viewer) for match in matches)


@PLAYERS
def test_nobody_s_view_changes_when_another_has_chosen(players: int) -> None:
    for viewer in (None, *range(players)):
        match = new_match(players)
        before = match.view(viewer)
        for seat in [seat for seat in range(players) if seat != viewer][: players - 1]:
            match.play(seat, Keep("first"))
            assert match.view(viewer) == before


@PLAYERS
def test_until_all_have_chosen_only_the_deal_has_been_shown(players: int) -> None:
    match = new_match(players)
    for seat in range(players):
        for viewer in (None, *range(players)):
            assert {event["e"] for event in match.view(viewer).events} <= {"deal", "display", "reset", "flip"}
            assert len(match.view(viewer).events) == match.event_count
        match.play(seat, Keep("both"))
    assert [event["e"] for event in match.view(None).events[-2 * players :]] == ["offer", "keep"] * players
    assert match.event_count == len(match.game.events)


def test_once_all_have_chosen_everyone_sees_how_many_each_kept() -> None:
    match = chosen(3, {2: Keep("both"), 0: Keep("first"), 1: Keep("both")})
    for viewer in (None, 0, 1, 2):
        assert [seat.tickets for seat in match.view(viewer).seats] == [1, 2, 2]
    assert not match.choosing


def test_who_has_chosen_waits_for_the_others() -> None:
    match = chosen(3, {1: Keep("first")})
    assert match.deciding() == (0, 2)
    assert match.view(1).legal_actions == ()
    assert match.view(1).offer == new_match(3).view(1).offer  # they may still look at it
    assert str(match.why_not(1, "keep both")).startswith("2.5 you have chosen")


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_nothing_but_to_keep_tickets_is_legal_before_that(seat: int) -> None:
    match = new_match(3)
    assert match.why_not(seat, Keep("first")) is None
    assert match.why_not(seat, "keep both") is None
    for text in ("draw deck", "pass", "draw tickets", "place castro", "claim castro-mission:1 green1"):
        refusal = match.why_not(seat, text)
        assert refusal is not None, text
        assert refusal.rule == "2.5"
    with pytest.raises(ActionError):
        match.why_not(seat, "keep none")


# Afterwards.


def test_afterwards_one_seat_decides_at_a_time() -> None:
    match = at_first_turn()
    assert match.deciding() == (0,)
    assert match.why_not(0, "draw deck") is None
    assert str(match.why_not(1, "draw deck")) == "3.1 seat 0 must decide, not seat 1"


def test_nobody_decides_when_the_game_is_over() -> None:
    match = new_match(2, "tiny")
    play_on(match, random.Random(1))
    assert match.game.over
    assert match.deciding() == ()
    assert match.why_not(0, "draw deck") is not None


def test_a_step_tells_who_decided_it_and_what() -> None:
    match = at_first_turn(2)
    step = match.step
    match.play(0, Draw("deck"))
    assert match.step == step + 1
    assert match.played(0, step) == Draw("deck")
    assert match.played(1, step) is None  # it was not theirs
    assert match.played(0, step + 1) is None  # not decided yet
    assert match.played(0, 0) == match.played(1, 0) == Keep("both")  # all first tickets are of step 0


def test_a_first_choice_is_known_as_soon_as_it_is_made() -> None:
    match = chosen(3, {1: Keep("first")})
    assert match.step == 0
    assert match.played(1, 0) == Keep("first")
    assert match.played(0, 0) is None


@PLAYERS
def test_every_action_has_the_seat_that_decided_it(players: int) -> None:
    match = new_match(players)
    decided = play_on(match, random.Random(players))
    assert match.actors[:players] == list(range(players))  # carried out in turn order (2.5)
    assert match.actors[players:] == decided[players:]
    assert len(match.actors) == match.step


# What is shown.


@pytest.mark.parametrize("board", ["san_francisco", "tiny"])
@PLAYERS
def test_what_was_shown_stays_as_it_was_shown(players: int, board: str) -> None:
    """Events already seen are never taken back, told otherwise, or told more of."""
    for seed in seeds(4 if board == "san_francisco" else 30):
        generator = random.Random(seed)
        match = new_match(players, board, secret=generator.randbytes(32))
        shown: dict[int | None, list[Event]] = {viewer: [] for viewer in (None, *range(players))}
        while True:
            for viewer, events in shown.items():
                events.extend(match.view(viewer, since=len(events)).events)
                assert list(match.view(viewer).events) == events
                assert len(events) == match.event_count
            if match.game.over:
                break
            play_on(match, generator, count=1)


def test_a_copy_goes_on_by_itself() -> None:
    for match in (new_match(3), chosen(3, {1: Keep("first")}), chosen(3, {1: Keep("first"), 0: Keep("both")})):
        before = everything(match)
        other = match.copy()
        assert everything(other) == before
        play_on(other, random.Random(1), count=20)
        assert everything(match) == before
        assert other.step > match.step


# Chance.


@PLAYERS
@pytest.mark.parametrize("board", ["san_francisco", "tiny"])
def test_all_chance_comes_from_the_secret(players: int, board: str) -> None:
    for seed in seeds(5):
        generator = random.Random(seed)
        fair = fairness(board, players, secret=generator.randbytes(32), salt="c0ffee")
        match = Match(OFFER.boards[board], players, FairChance(fair))
        play_on(match, generator)
        proof = check_fairness(match.game.record() | {"fairness": fair.revealed()})
        assert proof.commitment == fair.commitment


def test_another_secret_or_salt_is_another_game() -> None:
    deals = {
        str(match.game.events)
        for match in (new_match(3), new_match(3, secret=bytes(32)), new_match(3, salt="00"), new_match(3, salt="01"))
    }
    assert len(deals) == 4


def test_a_chance_of_one_s_own_can_be_given() -> None:
    class Scripted:
        """The same deal each time."""

        def deal(self, board: Board, players: int) -> Game:
            return Game(board, players=players, seed=7)

        def play(self, game: Game, action: Any) -> None:
            game.play(action)

    match = Match(OFFER.boards["tiny"], 2, Scripted())
    assert match.game.events == Game("tiny", players=2, seed=7).events


def play_on(match: Match, generator: random.Random, count: int = 10_000) -> list[int]:
    """Seats decide at random, so many times or until the game is over; returns who did."""
    decided: list[int] = []
    while match.deciding() and len(decided) < count:
        seat = generator.choice(match.deciding())
        action = generator.choice(match.view(seat).legal_actions)
        assert match.why_not(seat, action) is None
        assert parse_action(str(action)) == action
        match.play(seat, action)
        decided.append(seat)
    return decided
