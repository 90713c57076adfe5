"""Tables: what the entries of a log add up to, however they come, and whatever people do."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise, permutations
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from fogline.fairness import Fairness, check_fairness, seal_of
from fogline.game.actions import Keep
from fogline.game.events import Event
from fogline.maps.board import Board
from fogline.server.refused import STATUS, Refused
from fogline.server.tables import decisions
from fogline.server.tables import entries as log
from fogline.server.tables.entries import Entry, write_entry
from fogline.server.tables.table import REVEAL_SECONDS, Table, Unreadable, Viewer
from fogline.server.wire.messages import state_of
from tests.seeds import seeds
from tests.server.arrange import (
    OFFER,
    OPEN_CHAIR,
    SECRET,
    TABLE,
    bot,
    dealt,
    done,
    finished,
    folded,
    imported,
    observable,
    opened,
    person,
    person_in,
    play_some,
    refuses,
    sit,
    started,
    tried,
    viewers,
)
from tests.tier import pick

# Seats.


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_are_drawn_by_lot_from_the_secret_and_the_salts(players: int) -> None:
    names, drawn = ("Ann", "Bob", "Cat", "Dan")[:players], set()
    for seed in seeds(400):
        secret = random.Random(seed).randbytes(32)
        salts = (f"{seed:02x}",) * players
        seals = tuple(map(seal_of, salts))
        table = opened([person(name, seals[0]) for name in names], secret=secret)
        dealt(table, {name.lower(): salts[0] for name in names})
        assert table.seating == tuple(Fairness(secret, TABLE, table.digest, seals, salts).seating())
        drawn.add(table.seating)
    assert drawn == set(permutations(range(players)))


def test_the_salt_of_each_chair_matters() -> None:
    deals = set()
    for salts in (("", "", ""), ("1", "", ""), ("", "1", ""), ("", "", "1")):
        given = {name: salt for name, salt in zip(("ann", "bob", "cat"), salts, strict=True) if salt}
        chairs = [
            person(name, seal_of(given[name.lower()]) if name.lower() in given else "")
            for name in ("Ann", "Bob", "Cat")
        ]
        table = dealt(opened(chairs), given)
        assert table.match is not None
        deals.add(str(table.match.game.events))
    assert len(deals) == 4


def test_everyone_plays_the_seat_that_they_drew() -> None:
    table = opened([person("Ann"), bot(), person("Bob")])
    done(table, decisions.start(table, "ann", 1.0))
    assert sorted(table.seating) == [0, 1, 2]
    for chair, who in ((0, "ann"), (2, "bob")):
        seat = table.seating.index(chair)
        assert table.viewer(who) == Viewer(chair, seat, host=who == "ann")
        assert person_in(table, seat) == who
        assert not table.is_bot(seat)
    assert table.is_bot(table.seating.index(1))


# Who looks on.


def test_a_viewer_sits_or_hosts_or_does_neither() -> None:
    table = opened([person("Ann"), OPEN_CHAIR, person("Bob"), bot()], host="hal")
    assert table.viewer("hal") == Viewer(None, None, host=True)
    assert table.viewer("ann") == Viewer(0, None, host=False)
    assert table.viewer("bob") == Viewer(2, None, host=False)
    assert table.viewer("eve") == Viewer(None, None, host=False)
    assert table.viewer("") == Viewer(None, None, host=False)  # whose id is empty, as that of a bot is


def test_spectators_look_on_only_where_the_host_wants_them() -> None:
    table = opened([person("Ann"), person("Bob")], host="hal", spectators=False)
    assert [who for who in viewers(table) if table.may_watch(who)] == ["hal", "ann", "bob"]
    done(table, decisions.watch(table, "hal", True, 1.0))
    assert all(table.may_watch(who) for who in viewers(table))


def test_who_was_sent_away_before_the_start_looks_on_no_longer() -> None:
    table = opened([person("Ann"), person("Bob")], spectators=False)
    done(table, decisions.fill(table, "ann", 1, "racer", 1.0))
    assert not table.may_watch("bob")


def test_who_left_a_game_still_looks_on() -> None:
    table = started("Ann", "Bob", spectators=False)
    done(table, decisions.leave(table, "bob", 20.0))
    assert table.may_watch("bob")


# The log.


def test_a_log_of_every_kind_of_entry_gives_the_same_table_again() -> None:
    """Applied as it comes, with `after`, or from its texts: at every number the table is the same."""
    live = Table(TABLE, SECRET, OFFER)
    following = Table(TABLE, SECRET, OFFER)
    texts: list[str] = []
    for entry in story():
        texts.append(write_entry(entry))
        live.apply(entry)
        following = following.after(entry)
        assert observable(following) == observable(live)
        assert observable(folded(texts, live)) == observable(live)
        assert live.n == len(texts)
        assert live.changed == entry.at
    assert {type(entry) for entry in story()} == set(get_args(Entry)) - {log.Closed, log.Imported}


def test_what_comes_after_an_entry_leaves_the_table_as_it_was() -> None:
    table = Table(TABLE, SECRET, OFFER)
    earlier: list[tuple[Table, dict[str, Any]]] = []
    for entry in story():
        table = table.after(entry)
        earlier.append((table, observable(table)))
    assert all(observable(one) == was for one, was in earlier)


def test_a_table_can_go_on_in_two_ways() -> None:
    """Of two entries that race for a number, one is never stored."""
    table = started("Ann", "Bob")
    before = observable(table)
    ways = [
        table.after(log.Moved(at=20.0, seat=seat, action=Keep(which), bot=False))
        for seat in (0, 1)
        for which in ("first", "both")
    ]
    assert [way.match.choices for way in ways if way.match] == [
        {seat: Keep(which)} for seat in (0, 1) for which in ("first", "both")
    ]
    assert observable(table) == before


@cache
def story() -> list[Entry]:
    """The life of a table, from its opening to the rematch."""
    table = Table(TABLE, SECRET, OFFER)
    entries: list[Entry] = []

    def happens(entry: Any) -> None:
        table.apply(entry)
        entries.append(entry)

    chairs = [person("Ann", seal_of("a1")), OPEN_CHAIR, OPEN_CHAIR, OPEN_CHAIR]
    wanted: dict[str, Any] = {"clock": "30s", "spectators": True, "autostart": False}
    digest = OFFER.digests["tiny"]
    happens(decisions.open_table("ann", chairs, map="tiny", digest=digest, invite="i1", at=0.0, **wanted))
    happens(sit(table, "bob", "Bob", seal_of("b0"), 1.0))
    happens(sit(table, "cat", "Cat", "", 2.0))
    happens(decisions.leave(table, "cat", 3.0))
    happens(decisions.fill(table, "ann", 2, "random", 4.0))
    happens(decisions.invite(table, "ann", "i2", 5.0))
    happens(decisions.watch(table, "ann", False, 6.0))
    happens(sit(table, "dan", "Dan", seal_of("d0"), 7.0))
    happens(decisions.start(table, "ann", 9.0))
    happens(decisions.reveal(table, "ann", "a1", 9.0))
    happens(decisions.reveal(table, "dan", "d0", 9.5))
    happens(decisions.run_out(table, 9.0 + REVEAL_SECONDS))
    assert table.match is not None
    generator, now = random.Random(3), 10.0
    while table.status == "playing":
        assert table.match is not None
        now += 1.0
        robots, (seat, *_) = table.bots_deciding(), table.match.deciding()
        if now == 14.0:
            happens(decisions.leave(table, "bob", now))
        elif now == 20.0:
            happens(decisions.come_back(table, "bob", now))
        elif robots:
            action = str(generator.choice(table.match.view(robots[0]).legal_actions))
            happens(decisions.play_bot(table, robots[0], table.match.step, action, now))
        elif now > 20.0 and not table.away:
            now += 100.0
            happens(decisions.run_out(table, now))
        else:
            action = str(generator.choice(table.match.view(seat).legal_actions))
            happens(decisions.play(table, person_in(table, seat), table.match.step, action, now))
    happens(decisions.play_again(table, "dan", "another-table-01", now))
    return entries


# Events.


@pytest.mark.parametrize("board", ["san_francisco", "tiny"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_events_after_each_entry_are_counted(players: int, board: str) -> None:
    table = started(*("Ann", "Bob", "Cat", "Dan")[:players], map=board)
    assert table.match is not None
    counts = [0, 0, table.match.event_count]
    while table.status == "playing":
        assert table.match is not None
        play_some(table, 1, seed=table.n)
        counts.append(len(table.match.view(None).events))
        assert table.event_counts == counts
    assert sorted(counts) == counts
    assert counts[2 : 2 + players] == [counts[2]] * players  # until all have chosen, nothing more has been shown


def test_a_game_that_is_over_proves_that_it_was_fair() -> None:
    for seed in seeds(5):
        table = finished("Ann", "Bob", "Cat", seed=seed, secret=random.Random(seed).randbytes(32))
        proof = check_fairness(table.game_record())
        assert proof.seating == table.seating
        assert proof.commitment == table.fairness.commitment


# Maps that changed.


@pytest.mark.parametrize("known", [[("san_francisco", OFFER.digests["tiny"])], [("tiny", "another map")], []])
def test_a_log_of_another_map_is_not_read(known: list[tuple[str, str]]) -> None:
    offer = replace(OFFER, editions=dict.fromkeys(known, Board.load("tiny")))
    over = finished("Ann", "Bob", map="tiny")
    entries: list[Entry] = [
        story()[0],
        log.Imported(at=0.0, record=over.game_record(), digest=OFFER.digests["tiny"], names=("", ""), host="ann"),
    ]
    for entry in entries:
        with pytest.raises(Unreadable, match="'tiny' that is not here, or has changed"):
            Table(TABLE, SECRET, offer).apply(entry)
        with pytest.raises(Unreadable, match="'tiny' that is not here, or has changed"):
            Table(TABLE, SECRET, offer).after(entry)


# Games from elsewhere.


def test_an_imported_game_is_nobody_s() -> None:
    record = finished("Ann", "Bob", map="tiny").game_record()
    table = imported(record, "Somebody", "", host="ann")
    assert (table.status, table.seating, table.n, table.map) == ("imported", (0, 1), 1, "tiny")
    assert [chair.name for chair in table.chairs] == ["Somebody", ""]
    assert table.viewer("ann") == Viewer(None, None, host=True)
    assert table.viewer("") == Viewer(None, None, host=False)
    assert table.game_record() == record
    assert table.bots_deciding() == []


def test_an_imported_game_can_be_hidden_and_shown() -> None:
    table = imported(finished("Ann", "Bob", map="tiny").game_record(), "", "")
    assert table.may_watch("eve")
    done(table, decisions.watch(table, "ann", False, 1.0))
    assert not table.may_watch("eve")
    assert table.may_watch("ann")
    assert not table.may_watch("")


# Anything at any time.

PEOPLE = ("ann", "bob", "cat", "eve")
TEXTS = ("keep both", "keep first", "draw deck", "draw tickets", "draw blue", "pass", "nonsense", "", "place castro")
TRANSITIONS = {
    ("open", "open"),
    ("open", "playing"),
    ("open", "closed"),
    ("open", "revealing"),
    ("revealing", "revealing"),
    ("revealing", "playing"),
    ("playing", "playing"),
    ("playing", "over"),
    ("over", "over"),
    ("closed", "closed"),
}
anybody = st.sampled_from(PEOPLE)
any_seed = st.integers(0, 2**32)
chairs = st.lists(st.sampled_from([OPEN_CHAIR, bot(), bot("random"), person("Ann")]), min_size=2, max_size=4).filter(
    lambda wanted: wanted.count(person("Ann")) <= 1
)

ANYTHING: dict[str, Callable[[Table, str, float], Any]] = {
    "sit": lambda table, who, now: sit(table, who, "Late", "", now),
    "change": lambda table, who, now: decisions.change(table, who, "Late", "", now),
    "reveal": lambda table, who, now: decisions.reveal(table, who, "0", now),
    "fill": lambda table, who, now: decisions.fill(table, who, 1, "racer", now),
    "free": lambda table, who, now: decisions.fill(table, who, 1, "", now),
    "invite": lambda table, who, now: decisions.invite(table, who, "", now),
    "hide": lambda table, who, now: decisions.watch(table, who, False, now),
    "show": lambda table, who, now: decisions.watch(table, who, True, now),
    "start": decisions.start,
    "play": lambda table, who, now: decisions.play(table, who, 0, "keep both", now),
    "leave": decisions.leave,
    "come back": decisions.come_back,
    "run out": lambda table, who, now: decisions.run_out(table, now),
}

before_the_start = precondition(lambda evening: evening.table.status == "open")
in_the_game = precondition(lambda evening: evening.table.status == "playing")
after_the_game = precondition(lambda evening: evening.table.status == "over")

STANDS = {"open", "revealing", "playing", "over", "closed"}
KNOWN = {*STATUS, *(kind.model_fields["kind"].default for kind in get_args(Entry)), *STANDS}
REACHED: Counter[str] = Counter()
"""What the machine has seen: a check that never meets what it checks would hold nothing."""


class Evening(RuleBasedStateMachine):
    """A table, and people who do anything at any time: bold, late, twice, out of turn."""

    @initialize(
        chairs=chairs,
        board=st.sampled_from(["tiny", "tiny", "san_francisco"]),
        clock=st.sampled_from(["none", "30s", "3d"]),
        spectators=st.booleans(),
        seed=any_seed,
    )
    def open(self, chairs: list[log.Chair], board: str, clock: str, spectators: bool, seed: int) -> None:
        self.now = 0.0
        secret = random.Random(seed).randbytes(32)
        self.table = opened(chairs, map=board, clock=clock, spectators=spectators, secret=secret)
        first: dict[str, Any] = {"clock": clock, "spectators": spectators, "autostart": False}
        digest, invite = OFFER.digests[board], self.table.invite
        entry = decisions.open_table("ann", chairs, map=board, digest=digest, invite=invite, at=0.0, **first)
        self.log = [write_entry(entry)]
        self.shown: dict[int | None, list[Event]] = {}

    def do(self, decide: Callable[[Table], Any]) -> None:
        """Something is decided, or refused; nothing else can happen."""
        table, before = self.table, observable(self.table)
        try:
            result = decide(table)
            if isinstance(result, get_args(Entry)):
                self.table = table.after(result)
        except Refused as refused:
            REACHED[refused.code] += 1
            result = table.n
        if isinstance(result, get_args(Entry)):
            self.log.append(write_entry(result))
            assert (table.status, self.table.status) in TRANSITIONS
            REACHED[result.kind] += 1
        else:
            assert result in (table.n, table.again)
        assert observable(table) == before
        assert set(REACHED) <= KNOWN

    @rule(seconds=st.sampled_from([0.1, 1.0, 29.0, 31.0, 300_000.0]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    # Before the start.

    @before_the_start
    @rule(who=anybody, name=st.sampled_from(["Ann", "Bob"]), salt=st.sampled_from(["", "0", "c0ffee"]))
    def somebody_sits_down(self, who: str, name: str, salt: str) -> None:
        self.do(lambda table: sit(table, who, name, seal_of(salt) if salt else "", self.now))

    @rule(who=anybody, salt=st.sampled_from(["0", "c0ffee"]))
    def somebody_reveals_a_salt(self, who: str, salt: str) -> None:
        self.do(lambda table: decisions.reveal(table, who, salt, self.now))

    @before_the_start
    @rule(chair=st.integers(0, 4), player=st.sampled_from(["", "racer", "random", "nobody"]))
    def the_host_fills_a_chair(self, chair: int, player: str) -> None:
        self.do(lambda table: decisions.fill(table, "ann", chair, player, self.now))

    @before_the_start
    @rule(link=st.sampled_from(["", "another-invite-1"]))
    def the_host_changes_the_link(self, link: str) -> None:
        self.do(lambda table: decisions.invite(table, "ann", link, self.now))

    @before_the_start
    @rule(guests=st.lists(anybody, max_size=3), salt=st.sampled_from(["", "0", "c0ffee"]))
    def the_game_begins(self, guests: list[str], salt: str) -> None:
        for who in guests:
            self.somebody_sits_down(who, who.title(), salt)
        for chair, found in enumerate(self.table.chairs):
            if found.kind == "open":
                self.the_host_fills_a_chair(chair, "racer")
        self.do(lambda table: decisions.start(table, "ann", self.now))

    @precondition(lambda evening: evening.table.status == "revealing")
    @rule()
    def everybody_reveals(self) -> None:
        for who in PEOPLE:
            for salt in ("0", "c0ffee"):
                self.somebody_reveals_a_salt(who, salt)

    @before_the_start
    @rule(tries=st.integers(0, 4))
    def the_host_gives_up_in_the_end(self, tries: int) -> None:
        if tries == 4:
            self.do(lambda table: decisions.leave(table, "ann", self.now))

    # While the game goes on.

    @in_the_game
    @rule(seed=any_seed, times=st.integers(1, 8), twice=st.booleans())
    def those_who_must_decide_do(self, seed: int, times: int, twice: bool) -> None:
        generator = random.Random(seed)
        for _ in range(times):
            match = self.table.match
            if match is None or not match.deciding():
                return
            seat, step = generator.choice(match.deciding()), match.step
            text = str(generator.choice(match.view(seat).legal_actions))
            for _ in range(1 + twice):
                self.decide(seat, step, text)

    def decide(self, seat: int, step: int, text: str) -> None:
        if self.table.is_bot(seat):
            self.do(lambda table: decisions.play_bot(table, seat, step, text, self.now))
        else:
            self.do(lambda table: decisions.play(table, person_in(table, seat), step, text, self.now))

    @in_the_game
    @rule(seat=st.integers(0, 3), text=st.sampled_from(TEXTS), off=st.integers(-3, 2))
    def a_seat_tries_something(self, seat: int, text: str, off: int) -> None:
        assert self.table.match is not None
        self.decide(seat % len(self.table.chairs), max(0, self.table.match.step + off), text)

    @precondition(lambda self: self.table.away)
    @rule(number=st.integers(0, 3))
    def somebody_comes_back(self, number: int) -> None:
        away = sorted(self.table.away)
        who = person_in(self.table, away[number % len(away)])
        self.do(lambda table: decisions.come_back(table, who, self.now))

    @in_the_game
    @rule()
    def the_clock_is_looked_at(self) -> None:
        late = self.table.deadline is not None and self.table.deadline <= self.now
        number = self.table.n
        self.do(lambda table: decisions.run_out(table, self.now))
        assert (self.table.n > number) == late

    # Afterwards.

    @after_the_game
    @rule(chair=st.integers(0, 3))
    def somebody_wants_to_play_again(self, chair: int) -> None:
        who = self.table.chairs[chair % len(self.table.chairs)].person
        self.do(lambda table: decisions.play_again(table, who, f"rematch-of-{who}", self.now))

    # At any time.

    @rule(chair=st.integers(0, 3))
    def somebody_who_sits_leaves(self, chair: int) -> None:
        who = self.table.chairs[chair % len(self.table.chairs)].person
        self.do(lambda table: decisions.leave(table, who, self.now))

    @rule(who=anybody, what=st.sampled_from(sorted(ANYTHING)))
    def somebody_does_something(self, who: str, what: str) -> None:
        self.do(lambda table: ANYTHING[what](table, who, self.now))

    @rule(who=anybody, text=st.sampled_from(TEXTS))
    def somebody_asks(self, who: str, text: str) -> None:
        def ask(table: Table) -> int:
            refused = decisions.why_not(table, who, text)
            assert refused is None or refused.code in STATUS
            return table.n

        self.do(ask)

    @rule()
    def the_server_is_started_anew(self) -> None:
        table = folded(self.log, self.table)
        assert observable(table) == observable(self.table)
        self.table = table

    @invariant()
    def the_table_is_whole(self) -> None:
        table = self.table
        REACHED[table.status] += 1
        sitting = [chair.person for chair in table.chairs if chair.person]
        assert len(set(sitting)) == len(sitting)
        assert all((chair.kind == "person") == bool(chair.person) for chair in table.chairs)
        begun = table.status in ("playing", "over")
        assert (table.match is not None) == begun
        assert sorted(table.seating) == (list(range(len(table.chairs))) if begun else [])
        assert not begun or table.full
        assert not (table.status in ("closed", "imported") and table.invite)
        assert not table.again or table.status == "over"

    @invariant()
    def what_is_due_is_what_is_waited_for(self) -> None:
        table = self.table
        deciding = table.match.deciding() if table.match else ()
        robots = [seat for seat in deciding if table.is_bot(seat)]
        people = [seat for seat in deciding if not table.is_bot(seat)]
        assert table.bots_deciding() == robots
        waited_for = bool(people and table.clock != "none") or table.status == "revealing"
        assert (table.deadline is not None) == waited_for
        assert (table.due(0.5) is not None) == bool(robots or table.deadline is not None)
        assert (table.status == "playing") == bool(deciding)

    @invariant()
    def what_was_shown_stays(self) -> None:
        """To each seat and to spectators, who follow the table from message to message."""
        table = self.table
        assert len(table.event_counts) == table.n + 1 == len(self.log) + 1
        assert all(before <= after for before, after in pairwise(table.event_counts))
        for who in viewers(table):
            viewer = table.viewer(who)
            state = state_of(table, viewer)
            if state.view is not None:
                before = self.shown.get(viewer.seat, [])
                events = list(state.events)
                assert events[: len(before)] == before
                assert len(events) == table.event_counts[-1]
                self.shown[viewer.seat] = events

    def teardown(self) -> None:
        if hasattr(self, "table"):
            self.the_server_is_started_anew()


def test_whatever_people_do_the_table_stays_whole() -> None:
    patient = settings(max_examples=pick(60, 120), stateful_step_count=40, suppress_health_check=[HealthCheck.too_slow])
    run_state_machine_as_test(Evening, settings=patient)
    assert {*STANDS, "locked", "revealed", "moved", "away", "forbidden", "conflict", "late"} <= set(REACHED)


def test_the_same_number_is_never_given_twice() -> None:
    """An entry that was refused takes no number."""
    table = started("Ann", "Bob")
    number = table.n
    with refuses("illegal", rule="2.5"):
        tried(table, decisions.play(table, "ann", 0, "draw deck", 20.0))
    assert table.n == number
    play_some(table, 1)
    assert table.n == number + 1
