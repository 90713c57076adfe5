"""Provable fairness: its derivation, whole games that pass, tampering that does not, and the folder on its own."""

from __future__ import annotations

import ast
import copy
import hashlib
import hmac
import json
import random
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fogline.fairness
from fogline.fairness import Fairness, FairnessError, Proof, check_fairness, seal_of
from fogline.fairness.deal import deal_fairly, play_fairly
from fogline.fairness.entry import read_fairness
from fogline.fairness.faults import Damaged
from fogline.fairness.files import parse
from fogline.fairness.first_scheme import FirstFairness, Generator
from fogline.fairness.pieces import CARDS, SOUVENIRS, read_pieces
from fogline.fairness.secret import Source, new_secret
from fogline.fairness.stream import Stream
from fogline.game.actions import board_actions
from fogline.game.game import Game
from fogline.game.record import audit, pieces_of, prove
from fogline.game.recordfile import RecordError
from fogline.maps.board import Board
from fogline.maps.digest import digest_rules
from fogline.maps.mapfile import CARDS as MAP_CARDS
from fogline.maps.mapfile import DEFAULTS
from fogline.maps.reader import built_in_maps
from tests.boards import BOARDS, DATA, load_board, map_data
from tests.conformance import ROOT
from tests.game.test_record import NO_VALUE, json_values, places_in, put, put_all
from tests.policies import action_weights, choose
from tests.program import Program
from tests.seeds import seeds
from tests.tier import pick

Record = dict[str, Any]
Event = dict[str, Any]

FOLDER = Path(fogline.fairness.__file__).parent
DEAD_END = DATA / "dead_end.toml"
PLAYERS = (2, 3, 4)

each_map = pytest.mark.parametrize("name", BOARDS)
each_number = pytest.mark.parametrize("players", PLAYERS)


@cache
def digest_of(name: str) -> str:
    return digest_rules(load_board(name).map_file)


def fairness_of(players: int, seed: int, name: str = "tiny") -> Fairness:
    """At whose table are people who revealed their salts, some who did not, and bots."""
    generator = random.Random(seed)
    salts = [generator.randbytes(generator.randrange(33)).hex() or None for _ in range(players)]
    seals = [None if salt is None else seal_of(salt) for salt in salts]
    late = [generator.random() < 0.2 for _ in salts]
    given = tuple(None if was_late else salt for salt, was_late in zip(salts, late, strict=True))
    return Fairness(generator.randbytes(32), f"table_{seed}-{players}", digest_of(name), tuple(seals), given)


def first_fairness_of(players: int, seed: int) -> FirstFairness:
    generator = random.Random(seed)
    salts = (generator.randbytes(generator.randrange(33)).hex() for _ in range(players))
    return FirstFairness(generator.randbytes(32), f"table_{seed}-{players}", tuple(salts))


def played(name: str, players: int, source: Source, seed: int) -> Record:
    """As a table does it; each seat with a policy of its own."""
    game, generator = deal_fairly(load_board(name), players, source), random.Random(seed)
    weights = [action_weights(game.board, generator) for _ in range(game.players)]
    actions = board_actions(game.board)
    while not game.over:
        play_fairly(game, actions[choose(game.legal_numbers(), weights[game.seat], generator)], source)
    return game.record() | {"fairness": source.revealed()}


@cache
def _json(name: str, players: int, seed: int, scheme: int) -> str:
    source = fairness_of(players, seed, name) if scheme == 2 else first_fairness_of(players, seed)
    return json.dumps(played(name, players, source, seed))


def fair_record(name: str = "tiny", players: int = 2, seed: int = 1, scheme: int = 2) -> Record:
    """A finished game's record, as read from a file; it may be changed."""
    record: Record = json.loads(_json(name, players, seed, scheme))
    return record


def checked(record: Record) -> Proof:
    return check_fairness(record, map_data(record["map"]))


def unfair(record: Any, data: dict[str, Any] | None = None) -> FairnessError:
    with pytest.raises(FairnessError) as raised:
        check_fairness(record, data)
    return raised.value


def is_fair(record: Record) -> bool:
    try:
        checked(record)
    except FairnessError:
        return False
    return True


def breaks_a_rule(record: Record) -> bool:
    try:
        audit(record, load_board(record["map"]))
    except RecordError:
        return True
    return False


# The derivation of the first scheme. These digests come from openssl:
# printf 'table-7:0:00ff--c0ffee' | openssl dgst -sha256 -mac HMAC ...

KNOWN = FirstFairness(bytes(range(32)), "table-7", ("00ff", "", "c0ffee"))


def test_the_first_derivation_is_that_of_the_document() -> None:
    assert KNOWN.commitment == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert KNOWN.digest("0").hex() == "f80e0794594e256a0bb865097ff5642e5c01d2104fcc18711d799c82154ab781"
    assert KNOWN.seed(0) == 0xF80E0794594E256A
    assert KNOWN.seed(1) == 0x7242EFD2EBC2AF61
    assert KNOWN.seed(57) == 0x32493B06B7725CC1
    assert KNOWN.player_seed(2, 57) == 0x633356820655525D
    assert KNOWN.digest("seating").hex().startswith("6c9a2c09" + "50fb7596")
    assert (0x6C9A2C09 % 3, 0x50FB7596 % 2) == (0, 0)  # so 0 1 2 becomes 2 1 0, and then 1 2 0
    assert KNOWN.seating() == [1, 2, 0]


def test_a_record_carries_what_anyone_needs_to_derive_it_again() -> None:
    assert KNOWN.revealed() == {
        "game": "table-7",
        "commitment": KNOWN.commitment,
        "secret": bytes(range(32)).hex(),
        "salts": ["00ff", "", "c0ffee"],
        "seating": [1, 2, 0],
    }


@each_number
def test_every_seating_comes_up_about_as_often(players: int) -> None:
    found = Counter(tuple(fairness_of(players, seed).seating()) for seed in range(2400))
    orders = {2: 2, 3: 6, 4: 24}[players]
    assert len(found) == orders
    assert all(0.6 < count * orders / 2400 < 1.4 for count in found.values())


def test_secrets_are_new_each_time_and_stay_out_of_logs() -> None:
    assert len({new_secret() for _ in range(100)}) == 100
    assert len(new_secret()) == 32
    assert repr(KNOWN) == "FirstFairness(game='table-7', salts=('00ff', '', 'c0ffee'))"
    assert "secret" not in repr(fairness_of(2, 1))


@pytest.mark.parametrize(
    ("secret", "game", "salts", "words"),
    [
        (bytes(31), "t", ("", ""), "32 bytes"),
        ("0" * 32, "t", ("", ""), "32 bytes"),
        (bytes(32), "", ("", ""), "id of a table"),
        (bytes(32), "a:b", ("", ""), "id of a table"),
        (bytes(32), "t\n", ("", ""), "id of a table"),
        (bytes(32), "t", ("",), "2 to 4 chairs"),
        (bytes(32), "t", ("",) * 5, "2 to 4 chairs"),
        (bytes(32), "t", ("", "C0FFEE"), "a salt is"),
        (bytes(32), "t", ("", "0" * 65), "a salt is"),
        (bytes(32), "t", ("", "0-0"), "a salt is"),
        (bytes(32), "t", ("", None), "a salt is"),
    ],
)
def test_what_would_be_ambiguous_is_refused(secret: Any, game: Any, salts: Any, words: str) -> None:
    with pytest.raises(FairnessError, match=words):
        FirstFairness(secret, game, salts)


# The derivation. These digests come from openssl, too: printf '%s' 'seating 0' | openssl dgst -sha256 -mac HMAC ...

NEW = Fairness(bytes(range(32)), "table-7", 64 * "a", (seal_of("00ff"), None, seal_of("7ea")), ("00ff", None, None))


def test_the_derivation_is_that_of_the_document() -> None:
    context = f"fogline-fairness/2 table-7 {64 * 'a'} 3 1"
    assert NEW.commitment == sha256(f"{context} {bytes(range(32)).hex()}")
    assert NEW.key == hmac.digest(NEW.secret, f"{context} 00ff none sealed:{seal_of('7ea')}".encode(), "sha256")
    numbers = [int.from_bytes(hmac.digest(NEW.key, f"57 {number}".encode(), "sha256"), "big") for number in range(3)]
    chance = NEW.chance(57)
    assert [chance.below(44), chance.below(2), chance.below(7)] == [numbers[0] % 44, numbers[1] % 2, numbers[2] % 7]
    assert NEW.player_seed(2, 57) == Stream(NEW.key, "player 2 57").below(2**64)


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_commitment_binds_all_that_the_secret_is_for() -> None:
    others = [
        replace(NEW, secret=bytes(32)),
        replace(NEW, game="table-8"),
        replace(NEW, map=64 * "b"),
        replace(NEW, seals=NEW.seals[:2], salts=NEW.salts[:2]),
    ]
    assert len({NEW.commitment, *(other.commitment for other in others)}) == 5
    for seals, salts in (((None,) * 3, (None,) * 3), (NEW.seals, (None,) * 3)):  # they come later
        assert replace(NEW, seals=seals, salts=salts).commitment == NEW.commitment


def test_every_seal_and_salt_makes_another_game() -> None:
    late = replace(NEW, salts=(None, None, None))
    keys = {NEW.key, late.key, replace(NEW, seals=(None, None, None), salts=(None, None, None)).key}
    assert len(keys) == 3


def test_the_numbers_of_a_stream_are_as_likely_as_each_other() -> None:
    chance = NEW.chance(0)
    found = Counter(chance.below(7) for _ in range(7000))
    assert sorted(found) == list(range(7))
    assert all(850 < count < 1150 for count in found.values())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"secret": bytes(31)}, "32 bytes"),
        ({"game": "a b"}, "id of a table"),
        ({"map": "0" * 63}, "digest of a map"),
        ({"seals": (None,), "salts": (None,)}, "2 to 4 chairs"),
        ({"salts": (None, None)}, "its place among seals and salts"),
        ({"seals": ("x", None, None)}, "a seal has 64"),
        ({"salts": ("", None, None)}, "a salt has 1 to 64"),
        ({"salts": ("AB", None, None)}, "a salt has 1 to 64"),
        ({"salts": ("01ff", None, None)}, "not the one that was sealed"),
        ({"salts": ("00ff", "00", None)}, "not the one that was sealed"),
    ],
)
def test_what_could_be_misread_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(FairnessError, match=words):
        replace(NEW, **changes)


# The same as the engine.


def test_the_generator_is_that_of_the_engine() -> None:
    game = Game("tiny")
    for seed in (0, 1, 2**32, 2**63, 2**64 - 1, *(first_fairness_of(2, number).seed(0) for number in range(200))):
        game.reseed(seed)
        assert game.position.array["chance"][0] == Generator(seed).state


@each_map
def test_the_first_scheme_deals_as_the_engine_does(name: str) -> None:
    """Which had a new seed for each action."""
    for seed in seeds(5):
        source, generator = first_fairness_of(3, seed), random.Random(seed)
        game = Game(load_board(name), players=3, seed=source.record_seed)
        other = deal_fairly(load_board(name), 3, source)
        while not game.over:
            action = generator.choice(game.legal_actions())
            game.reseed(source.seed(len(game.actions) + 1))
            assert play_fairly(other, action, source) == game.play(action)
        assert other.events == game.events


def test_the_words_are_those_of_the_map_files() -> None:
    assert CARDS == MAP_CARDS
    assert list(SOUVENIRS) == DEFAULTS["souvenirs"]


def test_the_pieces_are_those_of_the_board() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "maps.md").read_text("utf-8"), re.S)
    for data, board in (
        (tomllib.loads(example), Board.parse(example)),
        *((map_data(name), load_board(name)) for name in BOARDS),
    ):
        pieces = read_pieces(data)
        assert pieces == pieces_of(board)
        assert pieces.map == board.id
        assert tuple(pieces.cards.count(card) for card in CARDS) == board.map_file.cards
        assert pieces.cards == tuple(sorted(pieces.cards, key=CARDS.index))
        assert pieces.tickets == tuple(board.ticket_number)
        landmarks = [location.id for location in board.landmarks]
        assert list(pieces.landmarks.items()) == list(zip(landmarks, board.souvenirs, strict=False))


def test_the_page_knows_the_built_in_maps() -> None:
    """So that a server cannot show it others under their names."""
    text = (ROOT / "web/src/lib/digests.ts").read_text("utf-8")
    digests = {name: digest_rules(Board.load(name).map_file) for name in built_in_maps()}
    assert dict(re.findall(r'(\w+): "([0-9a-f]{64})"', text)) == digests


# Fair games.


def count_cards(events: list[Event]) -> int:
    dealt = sum(len(event["cards"]) for event in events if event["e"] in ("deal", "display"))
    return dealt + len([event for event in events if event["e"] == "flip" or event.get("from") == "deck"])


@each_map
@each_number
def test_every_fair_game_passes(name: str, players: int) -> None:
    for seed in seeds(100 if name == "tiny" else 40):
        record = fair_record(name, players, seed)
        offered = sum(len(event["tickets"]) for event in record["events"] if event["e"] == "offer")
        fairness = fairness_of(players, seed, name)
        proof = checked(record)
        cards, seating = count_cards(record["events"]), tuple(fairness.seating())
        assert proof == Proof(fairness.commitment, seating, cards, offered, scheme=2), seed
        if seed < 5:
            found = audit(record, load_board(name))
            assert (found.finished, found.fair, found.fairness) == (True, True, proof)
            assert prove(record, load_board(name)) == proof


@each_map
@each_number
def test_games_of_the_first_scheme_are_still_read(name: str, players: int) -> None:
    record = fair_record(name, players, scheme=1)
    proof = checked(record)
    assert (proof.scheme, proof.cards) == (1, count_cards(record["events"]))
    assert str(proof).endswith("by the first scheme, under which the table itself could still choose the cards")
    assert audit(record, load_board(name)).fair


def test_the_games_of_these_tests_see_everything_that_chance_can_do() -> None:
    kinds: Counter[str] = Counter()
    for name in BOARDS:
        for players in PLAYERS:
            for seed in seeds(40):
                events = fair_record(name, players, seed)["events"]
                kinds.update(event["e"] for event in events)
                kinds.update(event["reason"] for event in events[-1:])
                told = " ".join(event["e"] for event in events)
                kinds["reset in the deal"] += "display reset" in told
                kinds["two resets"] += bool(re.search("reset( recycle| flip)+ reset", told))
                kinds["recycle in a reset"] += bool(re.search("reset( flip)+ recycle( flip)+", told))
                kinds["recycle after a blind draw"] += "draw recycle" in told
                kinds["no display"] += {"e": "display", "cards": []} in events
                kinds["a single ticket"] += any(
                    event["e"] == "offer" and len(event["tickets"]) == 1 for event in events
                )
    rare = (
        "stuck",
        "last_round",
        "reset in the deal",
        "two resets",
        "recycle in a reset",
        "recycle after a blind draw",
    )
    for kind in ("recycle", "reset", "token", "pass", *rare, "no display", "a single ticket"):
        assert kinds[kind], kind


def test_built_in_maps_need_not_be_given() -> None:
    for name in ("tiny", "san_francisco"):
        assert check_fairness(fair_record(name)) == checked(fair_record(name))
    error = unfair(fair_record("dead_end"))
    assert str(error) == "the map dead_end does not come with the program: give its file"
    assert str(unfair(fair_record("tiny"), map_data("dead_end"))) == 'the record is of the map tiny, not "dead_end"'


@each_map
def test_a_game_may_stop_at_any_decision_and_nowhere_else(name: str) -> None:
    fairness, generator = fairness_of(3, 3, name), random.Random(3)
    game = deal_fairly(load_board(name), 3, fairness)
    decisions = {len(game.events)}
    while not game.over:
        play_fairly(game, generator.choice(game.legal_actions()), fairness)
        decisions.add(len(game.events))
    record = game.record() | {"fairness": fairness.revealed()}
    for length in range(len(game.events)):
        cut = record | {"events": game.events[:length]}
        if length in decisions or record["events"][length]["e"] in ("last_round", "end"):
            assert checked(cut).commitment == fairness.commitment
        else:
            error = unfair(cut, map_data(name))
            assert error.event == length
            assert error.reason.startswith("the record stops where")


def test_the_order_of_what_has_none_does_not_matter() -> None:
    record = fair_record("san_francisco", 4, 1)
    for event in record["events"]:
        if event["e"] == "reset":
            event["cards"].reverse()
        if event["e"] == "keep":
            event["tickets"].reverse()
    assert checked(record) == checked(fair_record("san_francisco", 4, 1))


# Tampering.

SAMPLES = (("san_francisco", 2, 1), ("san_francisco", 4, 2), ("tiny", 2, 2), ("tiny", 4, 3), ("dead_end", 3, 4))

each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=str)


def by_chance(events: list[Event]) -> Iterator[tuple[int, str, int | None]]:
    """Where every card that chance brought stands: its event, its key, and its place in a list."""
    for number, event in enumerate(events):
        if event["e"] in ("deal", "display"):
            yield from ((number, "cards", place) for place in range(len(event["cards"])))
        elif event["e"] == "flip" or event.get("from") == "deck":
            yield number, "card", None


@each_sample
def test_any_other_card_is_found_at_its_event(sample: tuple[str, int, int]) -> None:
    record = fair_record(*sample)
    for number, key, place in list(by_chance(record["events"]))[:: pick(4, 1)]:
        event = record["events"][number]
        for card in CARDS:
            changed = [*event[key][:place], card, *event[key][place + 1 :]] if place is not None else card
            if changed != event[key]:
                events = [*record["events"]]
                events[number] = event | {key: changed}
                error = unfair(record | {"events": events}, map_data(sample[0]))
                assert error.event == number
                assert json.dumps(event, sort_keys=True) in error.reason


@each_sample
def test_any_two_cards_that_change_places_are_found(sample: tuple[str, int, int]) -> None:
    """The deck is the same afterwards, so that the rules have nothing to say."""
    record = fair_record(*sample)
    flips = [number for number, event in enumerate(record["events"]) if event["e"] == "flip"]
    legal = 0
    for first, second in pairwise(flips):
        events = [*record["events"]]
        events[first], events[second] = events[second], events[first]
        if events[first] != events[second]:
            changed = record | {"events": events}
            assert unfair(changed, map_data(sample[0])).event == first
            legal += not breaks_a_rule(changed)
    assert legal or sample[0] != "san_francisco"


@each_sample
def test_any_other_order_of_tickets_is_found_at_its_event(sample: tuple[str, int, int]) -> None:
    record = fair_record(*sample)
    for number, event in enumerate(record["events"]):
        if event["e"] == "offer":
            offers = [event["tickets"][::-1], *([ticket, event["tickets"][-1]] for ticket in load_tickets(sample[0]))]
            for tickets in offers:
                if tickets != event["tickets"]:
                    events = [*record["events"]]
                    events[number] = event | {"tickets": tickets}
                    assert unfair(record | {"events": events}, map_data(sample[0])).event == number


def load_tickets(name: str) -> list[str]:
    return list(load_board(name).ticket_number)


@each_sample
@pytest.mark.parametrize("way", ["dropped", "repeated", "moved on"])
def test_any_event_dropped_repeated_or_moved_is_found(sample: tuple[str, int, int], way: str) -> None:
    """By this check or by the rules; by this check at once where chance brought the event."""
    record = fair_record(*sample)
    cards = {number for number, _, _ in by_chance(record["events"])}
    for number, event in list(enumerate(record["events"]))[:: pick(4, 1)]:
        changed = copy.deepcopy(record)
        events = changed["events"]
        if way == "dropped":
            del events[number]
        elif way == "repeated":
            events.insert(number, event)
        else:
            events.insert(number + 1, events.pop(number))
        if events == record["events"]:
            continue
        if not is_fair(changed):
            assert (unfair(changed, map_data(sample[0])).event or 0) >= number
        elif not breaks_a_rule(changed):  # two decisions between which chance brought nothing may change places
            assert way == "moved on"
            assert number not in cards


def test_a_missing_action_shifts_the_steps_and_is_found() -> None:
    """A pass, a choice of a token, a stack: none of them brings a card, but each has its number."""
    found = 0
    for seed in range(40):  # stated ones: with few colours, some cards may be the same by chance
        record = fair_record("dead_end", 3, seed)
        for number, event in enumerate(record["events"]):
            later = record["events"][number + 1 :]
            if event["e"] in ("pass", "place", "keep") and count_cards(later) > 14:
                events = record["events"][:number] + later
                assert unfair(record | {"events": events}, map_data("dead_end")).event is not None
                found += 1
    assert found > 40


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        ("keep", {"tickets": []}, "[] is not one or both of the tickets offered"),
        ("keep", {"tickets": ["nowhere-anywhere"]}, "is not one or both of the tickets offered"),
        ("keep", {"e": "pass"}, 'keep must come here, not {"e": "pass"'),
        ("place", {"e": "pass"}, 'place must come here, not {"count": 1, "e": "pass"'),
        ("draw", {"e": "place"}, "draw or claim or offer or pass must come here, not"),
        ("draw", {"from": "display", "card": "grey"}, '"grey" is not on display'),
        ("claim", {"cards": {"grey": 1}}, '{"grey": 1} is no payment'),
        ("claim", {"cards": {"red": -1}}, '{"red": -1} is no payment'),
        ("claim", {"cards": {"red": True}}, '{"red": true} is no payment'),
        ("claim", {"cards": ["red"]}, "is no event of a record"),
        ("token", {"location": "nowhere"}, "must come here, not"),
        ("token", {"more": 1}, "must come here, not"),
        ("draw", {"more": 1}, "is no event of a record"),
        ("draw", {"seat": 2}, "is no event of a record"),
        ("draw", {"seat": -1}, "is no event of a record"),
        ("draw", {"from": "sleeve"}, "is no event of a record"),
        ("place", {"count": 4}, "is no event of a record"),
        ("claim", {"seat": "0"}, "is no event of a record"),
        ("last_round", {"more": 1}, "is no event of a record"),
        ("end", {"reason": 7}, "is no event of a record"),
    ],
)
def test_what_cannot_be_followed_is_said_in_words(kind: str, change: Event, words: str) -> None:
    record = fair_record("san_francisco", 2, 3)
    number = next(number for number, event in enumerate(record["events"]) if event["e"] == kind)
    record["events"][number] |= change
    error = unfair(record)
    assert error.event == number
    assert words in error.reason


def test_nothing_follows_the_end() -> None:
    record = fair_record("san_francisco", 2, 3)
    error = unfair(record | {"events": [*record["events"], {"e": "last_round", "seat": 0}]})
    assert (error.reason[:26], error.event) == ("nothing can follow the end", len(record["events"]))


def test_piles_that_are_empty_bring_nothing() -> None:
    """On the tiny map, four seats have all eight cards and all eight tickets."""
    fairness = fairness_of(4, 1)
    game = deal_fairly(load_board("tiny"), 4, fairness)
    for action in (*["keep both"] * 4, "place park", "place hill"):
        play_fairly(game, action, fairness)
    record = game.record() | {"fairness": fairness.revealed()}
    assert checked(record).tickets == 8
    blind, offer = {"e": "draw", "seat": 0, "from": "deck", "card": "red"}, {"e": "offer", "seat": 0, "tickets": []}
    for event, words in ((blind, "the deck is empty"), (offer, "no ticket is left to offer")):
        error = unfair(record | {"events": [*game.events, event]})
        assert (error.reason, error.event) == (words, len(game.events))


def change_fairness(**changes: Any) -> Callable[[Record], None]:
    def tamper(record: Record) -> None:
        record["fairness"] |= changes

    return tamper


def new_commitment(record: Record) -> None:
    """Another secret, with its own commitment."""
    record["fairness"] = replace(source_of(record), secret=bytes(32)).revealed()


def new_commitment_and_seed(record: Record) -> None:
    new_commitment(record)
    record["seed"] = f"{source_of(record).record_seed:#018x}"


def source_of(record: Record) -> Fairness:
    found = read_fairness(record["fairness"], record["players"])
    assert isinstance(found, Fairness)
    return found


def other_salt(record: Record) -> None:
    """With its seal, and the seating and the seed that it gives."""
    source = source_of(record)
    other = replace(source, seals=(seal_of("0f"), *source.seals[1:]), salts=("0f", *source.salts[1:]))
    record["fairness"], record["seed"] = other.revealed(), f"{other.record_seed:#018x}"


def other_game(record: Record) -> None:
    """With the commitment that it gives."""
    other = replace(source_of(record), game="another")
    record["fairness"]["game"], record["fairness"]["commitment"] = "another", other.commitment


def other_seating(record: Record) -> None:
    record["fairness"]["seating"].reverse()


def other_seed(record: Record) -> None:
    record["seed"] = "0x0000000000000007"


def short_seed(record: Record) -> None:
    record["seed"] = f"{int(record['seed'], 16) >> 4:#x}"


@pytest.mark.parametrize(
    ("tamper", "words", "event"),
    [
        (change_fairness(secret="0" * 64), "the secret is not the one of the commitment", None),
        (change_fairness(commitment="0" * 64), "the secret is not the one of the commitment", None),
        (change_fairness(game="another"), "the secret is not the one of the commitment", None),
        (other_game, "the secret gives the se", None),
        (change_fairness(map="0" * 64), "the game was played on another edition of the map", None),
        (change_fairness(seals=[None] * 3, salts=[None] * 3), "the secret gives the se", None),
        (change_fairness(seating=[0, 0, 0]), "the secret gives the seating", None),
        (change_fairness(seating=[9, 9, 9]), "the secret gives the seating", None),
        (other_seating, "the secret gives the seating", None),
        (other_seed, "the secret gives the seed", None),
        (short_seed, "the secret gives the seed", None),
        (new_commitment, "the secret gives the se", None),
        (new_commitment_and_seed, "must come here, not", 0),
        (other_salt, "must come here, not", 1),
    ],
)
def test_any_other_secret_salt_seating_or_seed_is_found(
    tamper: Callable[[Record], None], words: str, event: int | None
) -> None:
    record = fair_record("san_francisco", 3, 7)
    tamper(record)
    error = unfair(record)
    assert words in error.reason
    assert error.event == event
    found = audit(record)  # the rules have nothing to say
    assert found.fair is False
    assert str(found.fairness) == str(error)


def test_a_game_whose_chance_came_from_elsewhere_is_found() -> None:
    """A table that deals as it promised, but later takes numbers that it likes, always or for a while."""
    fairness = fairness_of(2, 9, "san_francisco")
    other = replace(fairness, secret=bytes(32))
    for steps in (range(10_000), range(20, 30)):
        game, generator = deal_fairly(load_board("san_francisco"), 2, fairness), random.Random(9)
        while not game.over:
            source = other if len(game.actions) in steps else fairness
            play_fairly(game, generator.choice(game.legal_actions()), source)
        found = audit(game.record() | {"fairness": fairness.revealed()})
        assert (found.finished, found.fair) == (True, False)
        assert isinstance(found.fairness, FairnessError)
        assert found.fairness.event is not None


def test_a_record_without_a_secret_is_neither_fair_nor_unfair() -> None:
    record = fair_record("san_francisco")
    del record["fairness"]
    assert audit(record).fair is None
    assert str(unfair(record)).startswith("the record has no fairness")


# The form of a record's fairness.


@pytest.mark.parametrize(
    ("steps", "value", "words"),
    [
        ((), None, "fairness must have scheme, game, map, rules, commitment, secret, seals, salts, seating"),
        ((), [], "fairness must have scheme"),
        (("game",), NO_VALUE, "fairness must have scheme"),
        (("note",), "", "fairness must have scheme"),
        (("scheme",), NO_VALUE, "fairness must have game, commitment, secret, salts, seating"),
        (("scheme",), 3, "fairness: scheme is 3, and this program knows 2"),
        (("rules",), True, "fairness: rules is true, and this program knows 1"),
        (("map",), "00", "the digest of a map has 64"),
        (("game",), 7, "the id of a table is a text of"),
        (("game",), "a b", "the id of a table is a text of"),
        (("commitment",), None, "fairness: commitment must be 64 characters of 0-9 and a-f"),
        (("commitment",), "0" * 63, "fairness: commitment must be 64 characters"),
        (("secret",), "G" * 64, "fairness: secret must be 64 characters"),
        (("secret",), "0" * 64 + "\n", "fairness: secret must be 64 characters"),
        (("salts",), [None, None], "fairness: salts must list 3, one for each player"),
        (("salts", 1), 7, "fairness: salts must list 3"),
        (("salts", 1), "salt", "a salt has 1 to 64 characters of 0-9 and a-f"),
        (("seals", 1), "seal", "a seal has 64 characters of 0-9 and a-f"),
        (("seating",), {}, "fairness: seating must list 3"),
        (("seating", 0), True, "fairness: seating must list 3"),
        (("seating", 0), 1.0, "fairness: seating must list 3"),
    ],
)
def test_a_fairness_in_another_form_is_refused_in_words(steps: tuple[Any, ...], value: object, words: str) -> None:
    record = fair_record("tiny", 3)
    put(record, ("fairness", *steps), value)
    with pytest.raises(RecordError) as raised:
        audit(record)
    assert words in str(raised.value)
    assert words in str(unfair(record))


# Anything anywhere.


def check_judged(record: Any, data: dict[str, Any] | None = None) -> None:
    try:
        found: object = check_fairness(record, data)
    except FairnessError as error:
        found = error
    assert isinstance(found, Proof) or 0 < len(str(found)) < 600


places = st.deferred(lambda: st.sampled_from(list(places_in(fair_record("tiny", 3)))))


@settings(max_examples=pick(150, 800))
@given(changes=st.lists(st.tuples(places, json_values), min_size=1, max_size=2))
def test_any_value_anywhere_gives_a_proof_or_a_fairness_error(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    record = fair_record("tiny", 3)
    put_all(record, changes)
    check_judged(record)


@settings(max_examples=200)
@given(
    record=json_values
    | st.fixed_dictionaries(dict.fromkeys(("map", "players", "seed", "events", "fairness"), json_values))
)
def test_any_value_at_all_gives_a_fairness_error(record: Any) -> None:
    assert str(unfair(record))


@settings(max_examples=300)
@given(kept=st.integers(0, 40), order=st.lists(st.integers(0, 60), max_size=20))
def test_any_events_in_any_order_give_a_proof_or_a_fairness_error(kept: int, order: list[int]) -> None:
    record = fair_record("tiny", 2)
    events = record["events"]
    record["events"] = events[:kept] + [events[number % len(events)] for number in order]
    check_judged(record)


def test_every_value_of_every_event_may_be_of_any_kind() -> None:
    record, data = fair_record("dead_end", 3, 1), map_data("dead_end")
    values: list[Any] = [
        None,
        True,
        -1,
        10**400,
        1.5,
        "",
        "\ud800",
        [],
        [[]],
        [None, "red"],
        {},
        {"red": 10**9},
        {"x": 1},
    ]
    for number, event in list(enumerate(record["events"]))[:: pick(4, 1)]:
        for key in event:
            for value in values:
                events = [*record["events"]]
                events[number] = event | {key: value}
                check_judged(record | {"events": events}, data)
            events[number] = {other: event[other] for other in event if other != key}
            check_judged(record | {"events": events}, data)


def test_values_as_deep_as_json_can_be_give_a_fairness_error() -> None:
    value = json.loads("[" * 900 + "]" * 900)
    for steps in (
        ("map",),
        ("seed",),
        ("events", 0, "cards"),
        ("events", 0, "e"),
        ("events", 0),
        ("fairness", "salts"),
    ):
        record = fair_record()
        put(record, steps, value)
        unfair(record)


@settings(max_examples=300)
@given(
    key=st.sampled_from(["id", "cards", "tickets", "locations", "souvenirs"]),
    inner=st.sampled_from([None, "ferry", "harbour", 0]),
    value=json_values,
)
def test_any_map_gives_a_proof_or_a_fairness_error(key: str, inner: Any, value: Any) -> None:
    data = copy.deepcopy(map_data("tiny"))
    try:
        put(data, (key,) if inner is None else (key, inner), value)
    except (TypeError, LookupError):
        return
    check_judged(fair_record(), data)


def test_a_map_that_is_none_is_refused_in_words() -> None:
    assert "the map is damaged" in str(unfair(fair_record(), {}))
    assert "the map is damaged" in str(unfair(fair_record(), map_data("tiny") | {"cards": {"blue": "three"}}))
    assert "the map is too small" in str(unfair(fair_record(), map_data("tiny") | {"cards": {"blue": 7}}))


@pytest.mark.parametrize(
    "name", ["../tiny", "/etc/passwd", "tiny.toml", "", "a" * 41, "TINY", "tiny\n", "..", "a/b", None]
)
def test_a_record_does_not_choose_which_file_is_read(name: Any) -> None:
    assert str(unfair(fair_record() | {"map": name})) == "map must be a map's id"


# The folder alone.


@pytest.mark.parametrize("path", [path for path in FOLDER.glob("*.py") if path.name != "deal.py"], ids=lambda p: p.stem)
def test_the_folder_needs_nothing_but_python(path: Path) -> None:
    own = {path.stem for path in FOLDER.glob("*.py")} - {"deal"}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert str(node.module).split(".")[0] in (own if node.level == 1 else sys.stdlib_module_names)
        elif isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= sys.stdlib_module_names


Alone = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def alone(tmp_path: Path) -> Alone:
    """Runs a copy of the folder beside the maps, with nothing installed."""
    place = tmp_path / "alone"
    for folder in (FOLDER, FOLDER.parent / "maps"):
        shutil.copytree(folder, place / folder.name, ignore=shutil.ignore_patterns("__pycache__"))

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-E", "-S", "-W", "error", "-m", "fairness", *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=place, check=False)

    return run


def write(path: Path, *records: Record) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_the_folder_runs_alone(alone: Alone, tmp_path: Path) -> None:
    record = fair_record("san_francisco", 3, 7)
    ran = alone(write(tmp_path / "game.json", record))
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"game 1: agrees with itself: {checked(record)}\n", "")
    assert record["fairness"]["commitment"] in ran.stdout


def test_the_folder_runs_where_it_is(tmp_path: Path) -> None:
    path = write(tmp_path / "game.json", fair_record())
    for flags in ("-ES", "-B"):
        command = [sys.executable, flags, "-m", "fairness", path]
        ran = subprocess.run(command, capture_output=True, text=True, cwd=FOLDER.parent, check=False)
        assert (ran.returncode, ran.stderr) == (0, "")


def test_a_file_of_many_games_is_checked_to_its_end(alone: Alone, tmp_path: Path) -> None:
    swapped = fair_record("tiny", 2, 2)
    swapped["events"][0]["cards"] = ["black", "black"]
    path = write(tmp_path / "games.jsonl", fair_record("tiny", 2, 1), swapped, fair_record("tiny", 2, 3))
    with path.open("a", encoding="utf-8") as file:
        file.write("\n{broken\n")
    ran = alone(path)
    assert ran.returncode == 1
    assert [line[:12] for line in ran.stdout.splitlines()] == ["game 1: agre", "game 3: agre"]
    second, fourth = ran.stderr.splitlines()
    assert second.startswith('game 2: not fair: event 0: {"cards": [')
    assert second.endswith(
        '"e": "deal", "seat": 0} must come here, not {"cards": ["black", "black"], "e": "deal", "seat": 0}'
    )
    assert fourth.startswith("game 4: not fair: the record is not JSON: ")


def test_a_record_may_stand_on_many_lines(alone: Alone, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("\ufeff" + json.dumps(fair_record(), indent=2), encoding="utf-8")
    assert alone(path).stdout.startswith("game 1: agrees with itself: ")
    path.write_text(json.dumps(fair_record(), indent=2)[:-9], encoding="utf-8")
    assert alone(path).stderr.count("\n") == 1


def test_a_map_of_ones_own_is_given_with_its_file(alone: Alone, tmp_path: Path) -> None:
    path = write(tmp_path / "game.json", fair_record("dead_end", 3, 1))
    assert alone(path, "--map", DEAD_END).returncode == 0
    ran = alone(path)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == "game 1: not fair: the map dead_end does not come with the program: give its file\n"


def test_files_that_cannot_be_read_are_a_wrong_call(alone: Alone, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    assert "cannot be read: No such file" in alone(path).stderr
    path.write_bytes(b"\xff\xfe")
    ran = alone(path)
    assert ran.returncode == 2
    assert f"{path} is not a text file" in ran.stderr
    write(path, fair_record())
    ran = alone(path, "--map", path)
    assert ran.returncode == 2
    assert f"{path} is not TOML" in ran.stderr


def test_numbers_are_those_that_a_browser_reads() -> None:
    assert repr(parse("[1.0, 1e0, -0.0, 1.5, 2]")) == "[1, 1, 0, 1.5, 2]"
    for text in ("NaN", "[-Infinity]"):
        with pytest.raises(Damaged, match="is no number"):
            parse(text)


@pytest.mark.parametrize(
    "content", ["", "\n", "[]", "7", "{}", "null\nnull", "[" * 100_000, '{"a": ' + "9" * 5000 + "}"]
)
def test_garbage_gets_one_line(alone: Alone, tmp_path: Path, content: str) -> None:
    path = tmp_path / "game.json"
    path.write_text(content, encoding="utf-8")
    ran = alone(path)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("game 1: not fair: ")
    assert ran.stderr.count("\n") == 1


# fogline audit


def test_audit_says_that_chance_comes_from_the_secret(fogline: Program, tmp_path: Path) -> None:
    path = write(tmp_path / "games.jsonl", fair_record("tiny", 2, 1), fair_record("tiny", 2, 2))
    ran = fogline("audit", path)
    first, second, last = ran.out.splitlines()
    assert (ran.code, ran.err, last) == (0, "", "2 good, 0 bad")
    assert first.endswith("breaks no rule; chance comes from its secret")
    assert second.startswith("game 2: ")


def test_audit_finds_a_game_that_is_not_fair(fogline: Program, tmp_path: Path) -> None:
    record = fair_record("san_francisco", 2, 1)
    other_salt(record)
    ran = fogline("audit", write(tmp_path / "games.jsonl", fair_record(), record))
    assert (ran.code, ran.out.splitlines()[-1]) == (1, "1 good, 1 bad")
    assert ran.err.startswith("game 2: not fair: event 0: ")


def test_audit_with_fairness_tells_what_was_checked(fogline: Program, tmp_path: Path) -> None:
    record = fair_record("san_francisco", 3, 1)
    ran = fogline("audit", "--fairness", write(tmp_path / "game.json", record))
    assert (ran.code, ran.err) == (0, "")
    first, last = ran.out.splitlines()
    assert first.endswith(f"; breaks no rule; chance comes from its secret: {checked(record)}")
    assert last == "1 good, 0 bad"
    assert re.search(r"commitment [0-9a-f]{64}, seating \d \d \d, \d+ cards, \d+ tickets; without a receipt ", first)


def test_audit_with_fairness_names_the_event_that_was_changed(fogline: Program, tmp_path: Path) -> None:
    """Where the rules would stumble over a later one, too."""
    record = fair_record("san_francisco", 4, 1)
    flip = next(number for number, event in enumerate(record["events"]) if event["e"] == "flip")
    for event in record["events"][flip:]:
        if event["e"] == "flip":
            event["card"] = "ferry"
    path = write(tmp_path / "game.json", record)
    ran = fogline("audit", "--fairness", path)
    number = next(
        n for n, event in enumerate(fair_record("san_francisco", 4, 1)["events"]) if event != record["events"][n]
    )
    assert (ran.code, ran.out) == (1, "0 good, 1 bad\n")
    assert ran.err.startswith(f"game 1: not fair: event {number}: ")
    assert fogline("audit", path).code == 1


def test_audit_with_fairness_needs_a_secret(fogline: Program, tmp_path: Path) -> None:
    record = fair_record()
    del record["fairness"]
    path = write(tmp_path / "game.json", record)
    ran = fogline("audit", "--fairness", path)
    assert (ran.code, ran.out) == (1, "0 good, 1 bad\n")
    assert ran.err.startswith("game 1: not fair: the record has no fairness: ")
    assert fogline("audit", path).code == 0


def test_audit_with_fairness_takes_a_map_of_ones_own(fogline: Program, tmp_path: Path) -> None:
    path = write(tmp_path / "game.json", fair_record("dead_end", 3, 1))
    assert fogline("audit", "--fairness", path, "--map", DEAD_END).code == 0
    ran = fogline("audit", "--fairness", path)
    assert ran.code == 1
    assert "the map 'dead_end' does not come with the program: give its file" in ran.err
