"""Nobody is told anything that they may not know: all that leaves the server is the same, byte for byte, in two games
that differ in nothing but that.
"""

from __future__ import annotations

import asyncio
import io
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

import fogline.game.game
import fogline.game.view
from fogline.fairness import seal_of
from fogline.game.actions import Action, Claim
from fogline.game.game import Game
from fogline.game.view import View
from fogline.maps.board import Board
from fogline.maps.mapfile import CARDS
from fogline.players.player import PLAYERS, Player
from fogline.server.refused import Refused
from fogline.server.settings import Settings
from fogline.server.storage.database import connect
from fogline.server.storage.store import Store
from fogline.server.tables import decisions, hub
from fogline.server.tables.entries import Entry
from fogline.server.tables.live import Live
from fogline.server.tables.match import Match
from fogline.server.tables.people import person_of
from fogline.server.tables.table import Table
from fogline.server.wire import messages, replays
from fogline.server.wire.wire import Accepted, ChairInfo, Replay, TableInfo, write
from fogline.server.workers import bots
from tests.server import arrange
from tests.server.arrange import sit
from tests.server.evening import Evening, Heard, House, logging_to, tokens_of
from tests.server.pairs import (
    LOTS,
    NAMES,
    Seat,
    Story,
    Telling,
    any_texts,
    cast_of,
    hidden_cards,
    hidden_tickets,
    now,
    other_choices,
    other_story,
    play_story,
)
from tests.tier import pick

_REPLAY = TypeAdapter(Replay)
_TABLES = TypeAdapter(list[TableInfo])

Said = Iterator[tuple[str, bytes]]
"""The way it went out, and what was said."""


class Leak(AssertionError):
    """Two games that must look the same to a viewer do not."""


@dataclass
class Comparison:
    """What was compared, and how much of it was worth comparing."""

    pairs: int = 0
    impossible: int = 0  # pairs that could not have been played
    messages: int = 0
    bytes: int = 0
    steps: int = 0
    other_cards: int = 0  # steps at which the hidden cards of a pair differ
    other_tickets: int = 0
    other_secrets: int = 0  # cards or tickets
    other_choices: int = 0  # of first tickets

    def compare(self, one: Said, other: Said) -> None:
        for (way, to_one), (_, to_other) in zip(one, other, strict=True):
            self.messages += 1
            self.bytes += len(to_one)
            if _without_seals(to_one) != _without_seals(to_other):
                raise Leak(f"{way}: {_difference(to_one, to_other)}")

    def note(self, one: Table, other: Table, viewer: Seat) -> None:
        if one.match is None or other.match is None:
            return
        games = one.match.game, other.match.game
        cards = hidden_cards(games[0], viewer) != hidden_cards(games[1], viewer)
        tickets = hidden_tickets(games[0], viewer) != hidden_tickets(games[1], viewer)
        self.steps += 1
        self.other_cards += cards
        self.other_tickets += tickets
        self.other_secrets += cards or tickets
        self.other_choices += one.match.choices != other.match.choices


def _without_seals(said: bytes) -> bytes:
    """Without the seals of tickets kept, signed with a key that nobody has: what they are, test_messages.py holds."""
    return re.sub(rb'"seal":"[0-9a-f]{64}"', b'"seal":""', said)


def _difference(one: bytes, other: bytes) -> str:
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    part = slice(max(0, at - 60), at + 60)
    return f"{one[part]!r} and {other[part]!r}"


# All that is said to one person.


def said(table: Table, person: str, generator: random.Random) -> Said:
    """What the person gets without asking, and by two other ways out."""
    yield "live", Live(table).message(table.viewer(person), table.n - 1)
    for way in generator.choices(list(WAYS), list(WAYS.values()), k=2):
        yield from way(table, person, generator)


def _reconnected(table: Table, person: str, generator: random.Random) -> Said:
    after = generator.choice((0, table.n, table.n + 3, generator.randrange(table.n)))
    yield "reconnected", Live(table).message(table.viewer(person), after)


def _listed(table: Table, person: str, generator: random.Random) -> Said:
    yield "listed", _TABLES.dump_json([messages.table_info(table, table.viewer(person))])


def _answered(table: Table, person: str, generator: random.Random) -> Said:
    for text in any_texts(table.board, generator):
        yield "answered", _outcome(table, decisions.why_not, person, text)


def _decided(table: Table, person: str, generator: random.Random) -> Said:
    for text in any_texts(table.board, generator):
        step = generator.choice((_step(table), generator.randrange(_step(table) + 2)))
        yield "decided", _outcome(table, _played, person, step, text, now(table))


def _played(table: Table, person: str, step: int, text: str, at: float) -> Entry | int:
    """What the rules say is asked: the story has no cards with which another action could go on."""
    entry = decisions.play(table, person, step, text, at)
    refused = None if isinstance(entry, int) else decisions.why_not(table, person, text)
    if refused is not None:
        raise refused
    return entry


def _tried(table: Table, person: str, generator: random.Random) -> Said:
    """Whatever else a person may try."""
    at = now(table)
    yield "sit", _outcome(table, sit, person, "Zoe", "", at)
    yield "fill", _outcome(table, decisions.fill, person, generator.randrange(5), "racer", at)
    yield "invite", _outcome(table, decisions.invite, person, "", at)
    yield "watch", _outcome(table, decisions.watch, person, False, at)
    yield "start", _outcome(table, decisions.start, person, at)
    yield "leave", _outcome(table, decisions.leave, person, at)
    yield "come back", _outcome(table, decisions.come_back, person, at)
    yield "play again", _outcome(table, decisions.play_again, person, "another-table-01", at)


def _replayed(table: Table, person: str, generator: random.Random) -> Said:
    """One step of the game, through eyes that the person may have or not."""
    for eyes in generator.sample(["all", "public", *map(str, range(len(table.chairs)))], 2):
        yield "replayed", _replay(table, person, eyes, generator.randrange(_step(table) + 2))


WAYS: dict[Callable[[Table, str, random.Random], Said], float] = {
    _reconnected: 2,
    _listed: 1,
    _answered: 4,
    _decided: 2,
    _tried: 1,
    _replayed: 0.2,
}
"""By which ways something is said to a person, and how often we listen there."""


def _replay(table: Table, person: str, asked: str | None, at: int | None) -> bytes:
    viewer = table.viewer(person)
    try:
        eyes = replays.choose_eyes(table, viewer, asked)
        return _REPLAY.dump_json(replays.make_replay(replays.reel_of(table, viewer, eyes, at)))
    except Refused as refused:
        return _rejected(refused)


def _outcome(table: Table, ask: Callable[..., Entry | Refused | int | str | None], *arguments: Any) -> bytes:
    """What is answered; a decision is not carried out."""
    try:
        found = ask(table, *arguments)
    except Refused as refused:
        return _rejected(refused)
    if found is None or isinstance(found, Refused):
        return write(messages.answer(1, found))
    return write(Accepted(1, found if isinstance(found, int) else table.n + 1))


def _rejected(refused: Refused) -> bytes:
    return write(messages.rejection(1, refused))


def _step(table: Table) -> int:
    return table.match.step if table.match else 0


# Pairs of games.


CHOICES = pick(4, 8)
"""Games that are followed until the first tickets have been chosen."""


def compare(story: Story, viewer: Seat, comparison: Comparison) -> None:
    """Compares all that is said to the viewer of a story, and of another one which is the same for this viewer.

    Half of the stories are cut anywhere, so that not even what the viewer will see later is the same.
    """
    generator = random.Random(f"other {story.seed} {viewer}")
    if generator.random() < 0.5:
        story = story.cut(generator.randrange(story.players + 1, len(story.moves)))
    other = other_story(story, viewer, generator)
    if other is None:
        comparison.impossible += 1
        return
    for one, two, person in _told(story, other, viewer):
        _compare_tables(one, two, person, comparison)
        comparison.note(one, two, viewer)
    # Of the last step, the whole replay.
    comparison.compare(*(iter([("replay", _replay(table, person, None, None))]) for table in (one, two)))
    comparison.pairs += 1


def compare_choices(story: Story, viewer: Seat, comparison: Comparison) -> None:
    """The same, for as long as the first tickets are chosen."""
    other = other_choices(story, viewer, random.Random(f"choices {story.seed} {viewer}"))
    for one, two, person in _told(story, other, viewer):
        if one.match and not one.match.choosing:
            break
        _compare_tables(one, two, person, comparison)
        if one.match and one.match.choices:
            comparison.note(one, two, viewer)
    comparison.pairs += 1


def _told(story: Story, other: Story, viewer: Seat) -> Iterator[tuple[Table, Table, str]]:
    telling = Telling.of(story)
    cast, other_cast = cast_of(story.players), cast_of(story.players, other=True, chair=telling.chair_of(viewer))
    person = telling.person(viewer, cast)
    assert person == telling.person(viewer, other_cast)
    for one, two in zip(telling.tell(story, cast), telling.tell(other, other_cast), strict=True):
        yield one, two, person


def _compare_tables(one: Table, two: Table, person: str, comparison: Comparison) -> None:
    assert one.n == two.n
    comparison.compare(*(said(table, person, random.Random(f"{table.id} {table.n}")) for table in (one, two)))


def _all_pairs(board: str, players: int, seeds: range, how: Callable[[Story, Seat, Comparison], None]) -> Comparison:
    comparison = Comparison()
    for seed in seeds:
        story = play_story(Board.load(board), players, seed)
        for viewer in Telling.of(story).viewers:
            how(story, viewer, comparison)
    return comparison


@pytest.mark.rule("6.4", "10.1", "10.2", "10.3")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("board", "games", "cards"), [("san_francisco", pick(2, 6), 0.4), ("tiny", pick(8, 23), 0.0)])
def test_everything_that_is_said_is_the_same_whatever_a_viewer_may_not_know(
    board: str, games: int, cards: float, players: int
) -> None:
    """On the tiny map the deck is empty so soon that one of two players can work out what the other one holds."""
    comparison = _all_pairs(board, players, range(games), compare)
    assert comparison.pairs >= games * (players + 0.5)  # all seats but those of bots, and the spectator
    assert comparison.other_secrets > 0.9 * comparison.steps
    assert comparison.other_cards > cards * comparison.steps


@pytest.mark.rule("2.5")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", ["san_francisco", "tiny"])
def test_until_all_have_chosen_nobody_is_told_what_others_choose(board: str, players: int) -> None:
    comparison = _all_pairs(board, players, range(100, 100 + CHOICES), compare_choices)
    assert comparison.pairs >= CHOICES * players
    assert comparison.other_choices > 0.4 * comparison.steps
    assert comparison.other_secrets > 0.9 * comparison.steps


def test_the_salts_of_a_table_that_was_closed_are_told_to_nobody() -> None:
    """They are told once a game has begun, so that nobody can choose theirs by those of the others."""
    table = arrange.opened([arrange.person("Ann", seal_of("a1")), arrange.person("Bob"), arrange.OPEN_CHAIR])
    arrange.done(table, decisions.leave(table, "ann", 1.0))
    assert messages.table_info(table, table.viewer("bob")).salts == ()


# Leaks, each of which must be found.


def _show_all_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    def view(match: Match, seat: int | None, *, since: int = 0) -> fogline.game.view.View:
        return replace(match.game.open_view(since=since), seat=seat)

    monkeypatch.setattr(Match, "view", view)


def _show_events(kind: str) -> Callable[[pytest.MonkeyPatch], None]:
    hidden = {other: key for other, key in fogline.game.view._HIDDEN.items() if other != kind}
    return lambda monkeypatch: monkeypatch.setattr(fogline.game.view, "_HIDDEN", hidden)


def _show_in_views(**fields: Callable[..., Any]) -> Callable[[pytest.MonkeyPatch], None]:
    real = fogline.game.view.make_view

    def make_view(position: Any, events: Any, legal: Any, seat: Any, **since: int) -> fogline.game.view.View:
        shown: dict[str, Any] = {name: show(position, events, legal) for name, show in fields.items()}
        return replace(real(position, events, legal, seat, **since), **shown)

    return lambda monkeypatch: monkeypatch.setattr(fogline.game.game, "make_view", make_view)


def _show_in_tables(show: Callable[[Table], dict[str, Any]]) -> Callable[[pytest.MonkeyPatch], None]:
    real = messages.table_info
    return lambda monkeypatch: monkeypatch.setattr(
        messages, "table_info", lambda table, viewer: replace(real(table, viewer), **show(table))
    )


def _show_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    real = messages.match_view
    monkeypatch.setattr(
        messages, "match_view", lambda match, view: replace(real(match, view), chosen=str(match.choices))
    )


def _show_what_others_may_do(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Game.view

    def view(game: Game, seat: Any, **since: int) -> fogline.game.view.View:
        return replace(real(game, seat, **since), legal_actions=game.legal_actions)

    monkeypatch.setattr(Game, "view", view)


LEAKS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "all hands": _show_all_cards,
    "cards dealt": _show_events("deal"),
    "cards drawn blind": _show_events("draw"),
    "tickets offered": _show_events("offer"),
    "tickets kept": _show_events("keep"),
    "the deck": _show_in_views(discard=lambda position, *_: position.cards_of("deck")),
    "the offer of another": _show_in_views(offer=lambda position, *_: position.offered()),
    "what another may do": _show_what_others_may_do,
    "the ticket deck": _show_in_views(put_back=lambda position, *_: tuple(map(str, position.ticket_deck))),
    "what another put back": _show_in_views(
        put_back=lambda _position, events, _: fogline.game.view._put_back(events, 0)
    ),
    "first choices": _show_choices,
    "answers for another's hand": lambda patch: patch.setattr(Game, "out_of_turn", lambda game, seat: None),
    "replays through all eyes": lambda patch: patch.setattr(replays, "choose_eyes", lambda *_: "all"),
    "the secret": _show_in_tables(lambda table: {"secret": table.secret.hex()}),
    "the invitation": _show_in_tables(lambda table: {"invite": table.invite or None}),
    "who people are": _show_in_tables(
        lambda table: {"chairs": tuple(ChairInfo("person", chair.person, "", None, False) for chair in table.chairs)}
    ),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_every_leak_would_be_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proofs above are worth something only if they can fail."""
    LEAKS[leak](monkeypatch)
    with pytest.raises(Leak):
        _compare_some()


def _compare_some() -> None:
    """Where the deck is not empty at once, more can leak; but it takes longer."""
    _all_pairs("tiny", 3, range(4), compare)
    _all_pairs("san_francisco", 3, range(3), compare)


# The same with a real server: the bytes that leave it.


@dataclass(frozen=True)
class Pair:
    """Two stories that are the same for a viewer."""

    telling: Telling
    story: Story
    other: Story
    viewer: Seat


def _online(boards: tuple[str, ...], players: int) -> list[Pair]:
    """On each board a pair for the last seat, and one for a spectator."""
    pairs = []
    for seed, (board, viewer) in enumerate(product(boards, (players - 1, None)), 200):
        story = play_story(Board.load(board), players, seed).cut(players + 20)
        other = other_story(story, viewer, random.Random(seed))
        assert other is not None
        pairs.append(Pair(replace(Telling.of(story), bot=False), story, other, viewer))
    return pairs


def _tell_online(pairs: list[Pair], folder: Path, *, other: bool = False) -> tuple[House, list[Heard]]:
    """Tells one story of each pair, all at the same server, and what their viewers heard."""
    house, heard = House(folder), []
    with house.serving():
        for pair in pairs:
            cast = cast_of(pair.story.players, other=other, chair=pair.telling.chair_of(pair.viewer))
            story = pair.other if other else pair.story
            heard.append(Evening(house, pair.telling, story, cast, pair.viewer).tell())
    return house, heard


def _compare_online(pairs: list[Pair], folder: Path) -> Comparison:
    comparison = Comparison()
    (_, heard), (_, other_heard) = (_tell_online(pairs, folder, other=other) for other in (False, True))
    for one, other in zip(heard, other_heard, strict=True):
        comparison.compare(iter(one), iter(other))
    return comparison


@pytest.mark.rule("6.4", "10.1", "10.2", "10.3")
@pytest.mark.parametrize("players", pick([3], [2, 3, 4]))
def test_the_bytes_that_leave_a_server_are_the_same_whatever_a_viewer_may_not_know(
    players: int, tmp_path: Path
) -> None:
    pairs = _online(pick(("tiny",), ("san_francisco", "tiny")), players)
    comparison = _compare_online(pairs, tmp_path)
    assert comparison.messages > 80 * len(pairs)


def test_a_leak_of_a_real_server_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS["tickets offered"](monkeypatch)
    with pytest.raises(Leak):
        _compare_online(_online(("tiny",), 2), tmp_path)


# What whoever runs a server can read.


def test_log_and_metrics_are_the_same_whatever_is_hidden(tmp_path: Path) -> None:
    pairs = _online(("tiny",), 3)
    (house, _), (other_house, _) = (_tell_online(pairs, tmp_path, other=other) for other in (False, True))
    assert len(_log_lines(house)) > 100
    assert _log_lines(house) == _log_lines(other_house)
    assert _counted(house) == _counted(other_house)


def _log_lines(house: House) -> list[str]:
    """What was logged, without times and ports; in no order, because threads have none."""
    lines = [json.loads(line) for line in house.log.getvalue().splitlines()]
    untimed = ({key: value for key, value in line.items() if key not in ("time", "ms")} for line in lines)
    return sorted(re.sub(r"127\.0\.0\.1:\d+", "somewhere", json.dumps(line)) for line in untimed)


def _counted(house: House) -> list[str]:
    """The metrics, without those that tell how long something took, or since when it is counted."""
    lines = house.metrics.text().decode().splitlines()
    return [line for line in lines if not re.match(r"\w+(_bucket|_sum|_created)\b", line)]


def test_neither_log_nor_metrics_name_a_table_a_person_a_secret_or_a_card(tmp_path: Path) -> None:
    """At most six characters of a table's id, which is a key to it."""
    pairs = _online(("tiny",), 3)
    house, _ = _tell_online(pairs, tmp_path)
    text = house.log.getvalue() + house.metrics.text().decode()
    keys = {word for pair in pairs for word in _keys(pair)}
    assert [key for key in keys if key[:7] in text] == []
    words = {*NAMES, *CARDS, *pairs[0].story.tickets, "keep", "claim", "draw"}
    assert re.findall(rf"\b({'|'.join(words)})\b", text) == []


def _keys(pair: Pair) -> Iterator[str]:
    cast = cast_of(pair.story.players, chair=pair.telling.chair_of(pair.viewer))
    tokens = tokens_of(pair.telling, cast)
    yield from (pair.telling.id, cast.secret.hex(), LOTS.hex(), *cast.invites, *tokens)
    yield from (str(person_of(token)) for token in tokens)


def test_the_log_does_not_tell_what_a_bot_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim that is not legal still tells which cards the bot holds, or thinks it does."""

    class Cheat(Player):
        name, level, description = "cheat", 1, "claims what it cannot pay for"

        def choose(self, view: View) -> Action:
            return Claim("harbour-park", "blue", 1, 1)

    monkeypatch.setitem(PLAYERS, "cheat", Cheat)
    monkeypatch.setattr(bots, "QUICK", {"cheat"})
    log = io.StringIO()
    with logging_to(log):
        choosing = bots.Bots(Settings(arrange.OFFER)).choose("ann", "cheat", 1, Game("tiny", seed=1).view(0))
        assert asyncio.run(choosing).startswith("keep")
    assert "cheat" in log.getvalue()
    assert "blue" not in log.getvalue()


def test_the_log_does_not_tell_what_a_seat_has_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot is refused because the person came back, decided, and left again while it was thinking."""
    log = io.StringIO()
    with logging_to(log):
        asyncio.run(_decide_before_the_bot(tmp_path, monkeypatch))
    assert "not advanced" in log.getvalue()
    assert "keep" not in log.getvalue()


async def _decide_before_the_bot(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(connect(f"sqlite:///{folder}/fogline.db"), "test")
    running = hub.Hub(store, Settings(arrange.OFFER, bot_delay=60.0))
    settings: dict[str, Any] = {"clock": "none", "spectators": True, "autostart": True}
    game = await running.open([arrange.person("Ann"), arrange.person("Bob")], "ann", map="tiny", **settings)
    await running.do(game, lambda table: decisions.leave(table, "ann", 1.0))

    async def choose(_host: str, _name: str, _seed: int, _view: View) -> str:
        await running.do(game, lambda table: decisions.come_back(table, "ann", 2.0))
        await running.do(game, lambda table: decisions.play(table, "ann", 0, "keep first", 3.0))
        await running.do(game, lambda table: decisions.leave(table, "ann", 4.0))
        return "keep second"

    monkeypatch.setattr(running._bots, "choose", choose)
    await running._advance(game)
    await running.close()
    store.engine.dispose()
