"""Pairs of games that differ only in what one viewer may not know (chapter 10).

A story is a game that was played, with all that chance brought. `other_story` tells it again, so that one viewer lives
through the same game: every card that this viewer did not see may be another one, and so may every ticket, and which
of two tickets others have kept. `Telling` puts a story on a table, from its opening to the last action but one: with
the last one the game would be over, and everything known.
"""

from __future__ import annotations

import hashlib
import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

from fogline.fairness import Fairness, seal_of
from fogline.game.actions import KEEPS, Action, Draw, DrawTickets, Keep, action_numbers, board_actions
from fogline.game.events import Event
from fogline.game.game import Game
from fogline.game.refusals import IllegalAction
from fogline.maps.board import Board
from fogline.maps.mapfile import CARDS
from fogline.rules.setup import DEALT
from fogline.server.tables import decisions
from fogline.server.tables.clock import SECONDS
from fogline.server.tables.entries import Chair, Entry
from fogline.server.tables.table import Table
from tests.policies import action_weights, choose
from tests.server.arrange import OFFER, done, person_in

Seat = int | None
"""Whose eyes; None is a spectator."""

Moves = tuple[tuple[int, Action], ...]

EXCHANGES = 10
"""How often each hidden card is offered another place."""

LOTS = bytes(range(32))
"""The secret that the lots of all tables here come from."""

NOT_ACTIONS = ("", "draw", "keep none", "claim nowhere-market blue1", "place atlantis", "pass now", "\u2603")
NAMES = ("Ann", "Bob", "Cid", "Dot")
WATCHER = hashlib.sha256(b"a spectator").hexdigest()


# A game, with all that chance brought.


@dataclass(frozen=True, slots=True)
class Story:
    """A whole game."""

    board: Board
    players: int
    seed: int
    tickets: tuple[str, ...]  # the ticket deck after shuffling, from top to bottom
    cards: tuple[tuple[str, ...], ...]  # those that came from the deck: with the deal, then with each action
    moves: Moves  # who did what, in the order in which the rules take it
    events: tuple[tuple[Event, ...], ...]  # of the deal, then of each action

    def cut(self, moves: int) -> Story:
        """The story up to so many moves. What would come later may then be another thing in each story of a pair."""
        steps = slice(moves + 1)
        return replace(self, moves=self.moves[:moves], cards=self.cards[steps], events=self.events[steps])


class Untold(Exception):
    """Something else came from the deck than the story says."""


@dataclass(frozen=True, slots=True)
class ToldChance:
    """Chance that brings what a story says."""

    story: Story

    def deal(self, board: Board, players: int) -> Game:
        game = Game._dealt(board, players=players, seed=self.story.seed, cards=self.story.cards[0])
        game._stack_tickets(self.story.tickets)
        return self._as_told(game, game.events, 0)

    def play(self, game: Game, action: Action) -> None:
        step = len(game.actions) + 1
        self._as_told(game, game._play(action, self.story.cards[step]), step)

    def _as_told(self, game: Game, events: list[Event], step: int) -> Game:
        if _from_deck(events) != self.story.cards[step]:
            raise Untold(f"step {step}")
        return game


def play_story(board: Board, players: int, seed: int) -> Story:
    """A game to its end, each seat with a policy of its own; all draw blind more often than people do."""
    generator = random.Random(seed)
    game = Game(board, players=players, seed=seed)
    weights = [action_weights(board, generator) for _ in range(players)]
    for one in weights:
        one[action_numbers(board)[Draw("deck")]] *= generator.choice((5, 50))
    tickets = tuple(board.tickets[number].id for number in game.position.ticket_deck.tolist())
    moves: list[tuple[int, Action]] = []
    events = [list(game.events)]
    while not game.over:
        seat = game.seat
        events.append(game.play(choose(game.legal_numbers(), weights[seat], generator)))
        moves.append((seat, game.actions[-1]))
    cards = tuple(_from_deck(step) for step in events)
    return Story(board, players, seed, tickets, cards, tuple(moves), tuple(tuple(step) for step in events))


def can_be_played(story: Story) -> bool:
    """Whether all of it is legal: another hand may allow an action to one who passed, for example."""
    chance = ToldChance(story)
    try:
        game = chance.deal(story.board, story.players)
        for _, action in story.moves:
            chance.play(game, action)
    except (IllegalAction, Untold):
        return False
    return True


def _from_deck(events: list[Event]) -> tuple[str, ...]:
    return tuple(card for event in events for card in _deck_cards(event))


def _deck_cards(event: Event) -> list[str]:
    """The cards that an event took from the deck."""
    if event["e"] in ("deal", "display"):
        return list(event["cards"])
    return [event["card"]] if event["e"] == "flip" or event.get("from") == "deck" else []


# The same game for one viewer.


def other_story(story: Story, viewer: Seat, generator: random.Random) -> Story | None:
    """The story with everything changed that the viewer may not know; None where that could not have been played."""
    moves, tickets = _other_tickets(story, viewer, generator)
    other = replace(
        story,
        seed=generator.getrandbits(64),
        tickets=tickets,
        cards=_other_cards(story, viewer, generator),
        moves=moves,
    )
    return other if can_be_played(other) else None


def other_choices(story: Story, viewer: Seat, generator: random.Random) -> Story:
    """The story up to the last of the first choices, which all but the viewer make as they like (2.5)."""
    moves = tuple(
        (seat, action if seat == viewer else Keep(generator.choice(KEEPS)))
        for seat, action in story.moves[: story.players]
    )
    begun = replace(story.cut(story.players), moves=moves)
    tickets = _ticket_deck(begun, moves, viewer, generator)
    assert tickets is not None
    return replace(begun, tickets=tickets, cards=_other_cards(begun, viewer, generator))


def _other_cards(story: Story, viewer: Seat, generator: random.Random) -> tuple[tuple[str, ...], ...]:
    """Other cards for the others: exchanged between them, and with those in the deck, as far as all can still pay."""
    cards = [card for step in story.cards for card in step]
    ways, hidden = _card_ways(story), _hidden_places(story, viewer)
    for _ in range(EXCHANGES * len(hidden)):
        one, two = generator.choice(hidden), generator.choice(hidden)
        before = cards[one], cards[two]
        cards[two] = cards[one] if generator.random() < 0.5 else cards[two]
        cards[one] = before[1] if before[1] != before[0] else generator.choice(CARDS)
        if not _can_be_dealt(story, ways, cards):
            cards[one], cards[two] = before
    coming = iter(cards)
    return tuple(tuple(next(coming) for _ in step) for step in story.cards)


def _hidden_places(story: Story, viewer: Seat) -> list[int]:
    """Which of all cards that came from the deck the viewer did not see: dealt to others, or drawn blind by them."""
    hidden = [place for place in range(DEALT * story.players) if place // DEALT != viewer]
    place = len(story.cards[0])
    for (seat, action), cards in zip(story.moves, story.cards[1:], strict=True):
        if action == Draw("deck") and seat != viewer:
            hidden.append(place)
        place += len(cards)
    return hidden


_DECK, _DISPLAY, _DISCARD, _RECYCLE = range(-4, 0)
"""Where cards lie, besides the hands; and the discard pile becomes the deck."""

_Way = tuple[int, int, str, int]
"""From where, to where, which card (from the deck, any), how many."""


def _card_ways(story: Story) -> list[_Way]:
    """All ways that cards went in this game."""
    ways: list[_Way] = []
    for event in chain.from_iterable(story.events):
        kind, hand = event["e"], event.get("seat", _DISPLAY)
        ways += [(_DECK, hand, "", 1)] * len(_deck_cards(event))
        if kind == "draw" and event["from"] == "display":
            ways.append((_DISPLAY, hand, event["card"], 1))
        elif kind == "claim":
            ways += [(hand, _DISCARD, card, count) for card, count in event["cards"].items()]
        elif kind == "reset":
            ways += [(_DISPLAY, _DISCARD, card, 1) for card in event["cards"]]
        elif kind == "recycle":
            ways.append((_RECYCLE, _RECYCLE, "", 0))
    return ways


def _can_be_dealt(story: Story, ways: list[_Way], cards: list[str]) -> bool:
    """Whether the deck has each of these cards when it comes, and every hand what it pays."""
    piles = {where: dict.fromkeys(CARDS, 0) for where in (_DECK, _DISPLAY, _DISCARD, *range(story.players))}
    piles[_DECK] = dict(zip(CARDS, story.board.map_file.cards, strict=True))
    coming = iter(cards)
    for source, target, known, count in ways:
        if source == _RECYCLE:
            piles[_DECK], piles[_DISCARD] = piles[_DISCARD], piles[_DECK]
            continue
        card = known or next(coming)
        piles[source][card] -= count
        piles[target][card] += count
        if piles[source][card] < 0:
            return False
    return True


def _other_tickets(story: Story, viewer: Seat, generator: random.Random) -> tuple[Moves, tuple[str, ...]]:
    """Other tickets for the others, who may also have kept the other one of two."""
    for _ in range(3):
        moves = _other_keeps(story, viewer, generator)
        tickets = _ticket_deck(story, moves, viewer, generator)
        if tickets is not None:
            return moves, tickets
    tickets = _ticket_deck(story, story.moves, viewer, generator)
    assert tickets is not None
    return story.moves, tickets


def _other_keeps(story: Story, viewer: Seat, generator: random.Random) -> Moves:
    """As many tickets as before, which everyone may know (10.1)."""
    swapped: dict[Action, Action] = {Keep("first"): Keep("second"), Keep("second"): Keep("first")}
    offers = _offers(story, story.moves)
    free = {number for number, offer in offers.items() if len(offer) == 2 and story.moves[number][0] != viewer}
    return tuple(
        (seat, swapped.get(action, action) if number in free and generator.random() < 0.5 else action)
        for number, (seat, action) in enumerate(story.moves)
    )


def _ticket_deck(story: Story, moves: Moves, viewer: Seat, generator: random.Random) -> tuple[str, ...] | None:
    """A ticket deck from which the viewer is offered the same tickets; None where that cannot be."""
    before, after = _offers(story, story.moves), _offers(story, moves)
    seen: dict[int, str] = {}  # by place in the new deck
    for number, places in before.items():
        if story.moves[number][0] == viewer:
            for old, new in zip(places, after[number], strict=True):
                if seen.setdefault(new, story.tickets[old]) != story.tickets[old]:
                    return None
    rest = [ticket for ticket in story.tickets if ticket not in seen.values()]
    if len(seen) + len(rest) != len(story.tickets):
        return None
    generator.shuffle(rest)
    return tuple(seen[place] if place in seen else rest.pop() for place in range(len(story.tickets)))


def _offers(story: Story, moves: Moves) -> dict[int, list[int]]:
    """By the number of each keep: which places of the ticket deck the offer came from."""
    deck = deque(range(len(story.tickets)))
    offers: dict[int, list[int]] = {}
    offer: list[int] = []
    for number, (_, action) in enumerate(moves):
        if isinstance(action, DrawTickets) or number < story.players:
            offer = [deck.popleft() for _ in range(min(2, len(deck)))]
        if isinstance(action, Keep):
            offers[number] = offer
            deck.extend(place for at, place in enumerate(offer) if action.which not in ("both", KEEPS[at]))
    return offers


# How much a pair differs.


def hidden_cards(game: Game, viewer: Seat) -> object:
    """The cards that the viewer may not know: in the hands of others, and in the deck."""
    return [game.position.hand_of(seat) for seat in _others(game, viewer)], game.position.cards_of("deck")


def hidden_tickets(game: Game, viewer: Seat) -> object:
    """The tickets that the viewer may not know: kept by others, offered to them, and left in the ticket deck."""
    position = game.position
    size, top = len(position.ticket_deck), position.ticket_top
    left = [int(position.ticket_deck[(top + place) % size]) for place in range(position.ticket_count)]
    offer = () if game.seat == viewer else position.offered()
    return [position.tickets_of(seat) for seat in _others(game, viewer)], offer, left


def _others(game: Game, viewer: Seat) -> list[int]:
    return [seat for seat in range(game.players) if seat != viewer]


# A story at a table.


@dataclass(frozen=True, slots=True)
class Cast:
    """Who sits at a table, and what else not everybody may know of it."""

    people: tuple[str, ...]  # by chair
    invites: tuple[str, str]
    secret: bytes


def cast_of(players: int, *, other: bool = False, chair: int | None = None) -> Cast:
    """The cast of a table; another one differs in all that the viewer in this chair, or a spectator, may not know."""

    def word(what: str, *, known: bool) -> str:
        return hashlib.sha256(f"{what} {known or not other}".encode()).hexdigest()

    def by_chair(what: str) -> tuple[str, ...]:
        return tuple(word(f"{what} {number}", known=number == chair) for number in range(players))

    sits = chair is not None
    return Cast(
        people=by_chair("person"),
        invites=(word("invite", known=sits)[:16], word("new invite", known=sits)[:16]),
        secret=bytes.fromhex(word("secret", known=False)),
    )


class ToldTable(Table):
    """A table with the same lots and commitment whatever its secret is, or nothing of a pair would be the same."""

    @property
    def fairness(self) -> Fairness:
        found = super().fairness
        assert isinstance(found, Fairness)
        return replace(found, secret=LOTS)


@dataclass(frozen=True, slots=True)
class Telling:
    """How a story is told: which table it is, and who comes and goes."""

    seed: int
    players: int
    clock: str
    bot: bool  # whether the last chair is a bot's
    digest: str  # of the map

    @staticmethod
    def of(story: Story) -> Telling:
        generator = random.Random(f"telling {story.seed}")
        clock, bot = generator.choice(list(SECONDS)), generator.random() < 0.25
        return Telling(story.seed, story.players, clock, bot, OFFER.digests[story.board.id])

    @property
    def id(self) -> str:
        return f"table-{self.seed:010}"

    @property
    def seating(self) -> list[int]:
        """The chair of each seat."""
        seals = tuple(seal_of(salt) if salt else None for salt in self.salts)
        return Fairness(LOTS, self.id, self.digest, seals, self.salts).seating()

    @property
    def salts(self) -> tuple[str | None, ...]:
        bots = {self.players - 1} if self.bot else set()
        return tuple(None if chair in bots else f"{chair}ace" for chair in range(self.players))

    def seal(self, chair: int) -> str:
        """Of the last salt, as everyone sees it; those before it are others."""
        return seal_of(self.salts[chair] or "")

    @property
    def viewers(self) -> list[Seat]:
        """All who look at the table: the seats that no bot has, and a spectator."""
        return [seat for seat, chair in enumerate(self.seating) if not (self.bot and chair == self.players - 1)] + [
            None
        ]

    def chair_of(self, viewer: Seat) -> int | None:
        return None if viewer is None else self.seating[viewer]

    def person(self, viewer: Seat, cast: Cast) -> str:
        return WATCHER if viewer is None else cast.people[self.seating[viewer]]

    def tell(self, story: Story, cast: Cast) -> Iterator[Table]:
        """The table after each entry, from its opening to the last action but one. It is always the same one."""
        table = ToldTable(self.id, cast.secret, OFFER, ToldChance(story))
        generator = random.Random(f"entries {self.seed}")
        for happen in (self._lobby(table, story, cast), self._game(table, story, generator)):
            for entry in happen:
                done(table, entry)
                yield table

    def _lobby(self, table: Table, story: Story, cast: Cast) -> Iterator[Entry | int]:
        """People sit down, stand up, come with another seal; the host tries a bot, another link, and no spectators."""
        host, *guests = cast.people
        last, person = len(guests), guests[-1]
        yield self._opened(table, story, cast)
        for chair, guest in enumerate(guests, 1):
            yield decisions.sit(table, guest, NAMES[chair], seal_of(f"{chair}"), now(table), invite=cast.invites[0])
        yield decisions.leave(table, person, now(table))
        yield decisions.fill(table, host, last, "racer", now(table))
        yield decisions.fill(table, host, last, "", now(table))
        yield decisions.invite(table, host, cast.invites[1], now(table))
        yield decisions.watch(table, host, False, now(table))
        yield decisions.watch(table, host, True, now(table))
        yield decisions.sit(table, person, NAMES[last], "", now(table), invite=cast.invites[1])
        if self.bot:
            yield decisions.fill(table, host, last, "racer", now(table))
        for chair in range(self.players - self.bot):
            yield decisions.change(table, cast.people[chair], NAMES[chair], self.seal(chair), now(table))
        yield decisions.start(table, host, now(table))
        for chair in range(self.players - self.bot):
            yield decisions.reveal(table, cast.people[chair], self.salts[chair] or "", now(table))

    def _opened(self, table: Table, story: Story, cast: Cast) -> Entry:
        host = Chair(kind="person", person=cast.people[0], name=NAMES[0])
        chairs = [host] + [Chair(kind="open")] * (self.players - 1)
        map = story.board.id
        digest = table.offer.digests[map]
        settings = {"clock": self.clock, "spectators": True, "autostart": False}
        return decisions.open_table(
            host.person, chairs, map=map, digest=digest, invite=cast.invites[0], at=now(table), **settings
        )

    def _game(self, table: Table, story: Story, generator: random.Random) -> Iterator[Entry | int]:
        """The first tickets are chosen in any order; now and then somebody leaves, or comes back."""
        choices = list(story.moves[: self.players])
        generator.shuffle(choices)
        for seat, action in (*choices, *story.moves[self.players : -1]):
            if generator.random() < 0.05:
                yield self._come_or_go(table, generator.choice(self.viewers[:-1]))
            yield move(table, seat, action)

    def _come_or_go(self, table: Table, seat: Seat) -> Entry | int:
        assert seat is not None
        decide = decisions.come_back if seat in table.away else decisions.leave
        return decide(table, person_in(table, seat), now(table))


def move(table: Table, seat: int, action: Action) -> Entry | int:
    assert table.match is not None
    step = table.match.step
    if table.is_bot(seat):
        return decisions.play_bot(table, seat, step, str(action), now(table))
    return decisions.play(table, person_in(table, seat), step, str(action), now(table))


def any_texts(board: Board, generator: random.Random) -> list[str]:
    """Actions that may be legal or not, and what is no action at all."""
    actions = generator.choices(board_actions(board), k=3)
    return [*(str(action) for action in actions), generator.choice(NOT_ACTIONS)]


def now(table: Table) -> float:
    """A clock that runs with the log, and in time for all salts to be revealed."""
    return 1_000_000.0 + 2.5 * table.n
