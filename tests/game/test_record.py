"""The game record: its format, its way through JSON and back, and audits that find every kind of tampering."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fogline.game.game import Game
from fogline.game.record import Audit, audit, replay
from fogline.game.recordfile import RecordError, read_records
from fogline.maps.board import Board
from fogline.maps.digest import digest_rules
from fogline.maps.mapfile import CARDS, COLOURS, FERRY
from tests.boards import BOARDS, DATA, load_board, map_data
from tests.policies import play_out
from tests.referee import Foul, Referee
from tests.seeds import seeds
from tests.tier import pick

Record = dict[str, Any]
Event = dict[str, Any]

PLAYERS = (2, 3, 4)
FUZZ = settings(derandomize=True, deadline=None)

each_map = pytest.mark.parametrize("name", BOARDS)
each_number = pytest.mark.parametrize("players", PLAYERS)


def played(name: str, players: int, seed: int) -> Game:
    return play_out(Game(load_board(name), players=players, seed=seed), seed)


@cache
def _json(name: str, players: int, seed: int) -> str:
    return json.dumps(played(name, players, seed).record())


def record_of(name: str = "tiny", players: int = 2, seed: int = 1) -> Record:
    """A finished game's record, as read from a file; it may be changed."""
    record: Record = json.loads(_json(name, players, seed))
    return record


def audited(record: Record) -> Audit:
    """The audit of a record whose map is one of the tests' boards."""
    return audit(record, load_board(record["map"]))


def error_of(record: Any, board: Board | None = None) -> RecordError:
    with pytest.raises(RecordError) as raised:
        audit(record, board)
    return raised.value


# The format.

SHAPES: dict[str, dict[str, type]] = {
    "deal": {"seat": int, "cards": list},
    "display": {"cards": list},
    "reset": {"cards": list},
    "offer": {"seat": int, "tickets": list},
    "keep": {"seat": int, "tickets": list},
    "place": {"seat": int, "location": str, "souvenir": str, "count": int},
    "draw": {"seat": int, "from": str, "card": str},
    "flip": {"card": str},
    "recycle": {},
    "claim": {"seat": int, "route": str, "cards": dict},
    "token": {"seat": int, "location": str, "souvenir": str},
    "pass": {"seat": int},
    "last_round": {"seat": int},
    "end": {"reason": str},
}


def records() -> Iterator[Record]:
    for name in BOARDS:
        for players in PLAYERS:
            yield from (record_of(name, players, seed) for seed in seeds(4))


def test_a_record_has_these_keys_in_this_order() -> None:
    keys = ["format", "map", "players", "seed", "events"]
    record = Game("tiny", players=3, seed=255).record()
    assert list(record) == keys
    assert list(record_of()) == [*keys, "scores", "winners"]
    assert {key: record[key] for key in keys[:-1]} == {
        "format": "fogline-record/1",
        "map": "tiny",
        "players": 3,
        "seed": "0x00000000000000ff",
    }


def test_events_have_the_keys_and_the_kinds_of_values_of_the_format() -> None:
    seen = set()
    for record in records():
        for event in record["events"]:
            shape = SHAPES[event["e"]]
            assert list(event) == ["e", *shape]
            assert {key: type(event[key]) for key in shape} == shape
            seen.add(event["e"])
    assert seen == set(SHAPES)


def test_events_speak_of_seats_cards_places_and_routes_of_the_map() -> None:
    for record in records():
        board = load_board(record["map"])
        known: dict[str, Any] = {
            "seat": range(record["players"]),
            "card": CARDS,
            "cards": CARDS,
            "tickets": board.ticket_number,
            "location": board.location_number,
            "souvenir": board.souvenirs,
            "route": board.route_number,
            "count": (1, 2, 3),
            "from": ("deck", "display"),
            "reason": ("last_round", "stuck"),
        }
        for event in record["events"]:
            for key in SHAPES[event["e"]]:
                values = event[key] if key in ("cards", "tickets") else [event[key]]
                assert all(value in known[key] for value in values)


GRAMMAR = re.compile(
    r"(deal ){%d}display CHANCE(offer keep ){%d}(place ){2}"
    r"((draw CHANCE(draw CHANCE)?|claim CHANCE(token )?|offer keep |pass )(last_round )?)*(end )?".replace(
        "CHANCE", "(recycle |flip |reset )*"
    )
    % (9, 9)
).pattern


def test_events_stand_in_the_order_in_which_things_happen_at_a_table() -> None:
    for record in records():
        kinds = "".join(f"{event['e']} " for event in record["events"])
        assert re.fullmatch(GRAMMAR.replace("{9}", f"{{{record['players']}}}"), kinds)


def test_scores_have_these_keys_in_this_order_and_add_up() -> None:
    for record in records():
        assert len(record["scores"]) == record["players"]
        for score in record["scores"]:
            assert list(score) == ["routes", "tickets", "tokens", "total", "completed", "failed"]
            assert score["total"] == score["routes"] + score["tickets"] + score["tokens"]
        assert set(record["winners"]) <= set(range(record["players"]))


# There and back.


@each_map
@each_number
def test_a_record_goes_through_json_and_comes_back_as_the_same_game(name: str, players: int) -> None:
    game = played(name, players, seed=5)
    again = replay(json.loads(json.dumps(game.record())), game.board)
    assert again.record() == game.record()
    assert again.actions == game.actions
    assert again.position.owners() == game.position.owners()


@each_map
@each_number
def test_an_audit_finds_nothing_in_a_random_game(name: str, players: int) -> None:
    for seed in seeds(10):
        found = audited(record_of(name, players, seed))
        assert (found.finished, found.from_seed) == (True, True)


def test_an_audit_needs_no_seed_and_says_when_chance_does_not_come_from_it() -> None:
    record = record_of("san_francisco")
    record["seed"] = "0x0"
    found = audit(record)
    assert (found.finished, found.from_seed) == (True, False)


def test_an_audit_accepts_a_game_that_was_given_new_seeds_on_the_way() -> None:
    game, chance = Game("san_francisco", players=3, seed=7), random.Random(7)
    while not game.over:
        game.reseed(chance.getrandbits(64))
        game.play(chance.choice(game.legal_numbers()))
    found = audit(json.loads(json.dumps(game.record())))
    assert (found.finished, found.from_seed) == (True, False)
    assert found.game.record() == game.record()


@each_map
def test_a_game_may_stop_at_any_decision_and_nowhere_else(name: str) -> None:
    game, chance = Game(load_board(name), players=3, seed=3), random.Random(3)
    decisions = {len(game.events)}
    while not game.over:
        game.play(chance.choice(game.legal_numbers()))
        decisions.add(len(game.events))
    record = {key: value for key, value in game.record().items() if key not in ("scores", "winners")}
    for length in range(0, len(game.events), 7 if name == "san_francisco" else 1):
        cut = record | {"events": game.events[:length]}
        if length in decisions:
            found = audited(cut)
            assert (found.finished, found.from_seed) == (False, True)
        else:
            error = error_of(cut, game.board)
            assert error.event == length
            assert error.reason.startswith("the record stops where")


def test_a_game_that_has_not_ended_has_no_scores_and_no_winners() -> None:
    record = Game("tiny", seed=1).record()
    results: list[Record] = [{"scores": []}, {"winners": []}, {"winners": [0], "scores": [{}, {}]}]
    for extra in results:
        error = error_of(record | extra)
        assert (error.rule, error.event) == ("7.1", None)


# A record that is padded: nothing in it is as long as somebody likes.


def test_a_fair_record_has_no_long_text_to_hide_a_book_in() -> None:
    record = next(read_records(DATA / "version-1" / "records.jsonl"))
    assert audit(record).fair
    record["fairness"]["game"] = "x" * 201
    assert str(error_of(record)) == "fairness: a text has at most 200 characters"


@pytest.mark.parametrize("key", ["location", "souvenir", "route", "tickets", "reason"])
def test_an_event_has_no_long_text(key: str) -> None:
    record = copy.deepcopy(record_of("tiny"))
    event = next(event for event in record["events"] if key in event)
    event[key] = ["x" * 201] if key == "tickets" else "x" * 201
    assert f"{key} of a {event['e']} event cannot be" in str(error_of(record))


# A map of one's own.


def test_a_record_of_ones_own_map_is_audited_with_that_map() -> None:
    record, board = record_of("dead_end", 3), load_board("dead_end")
    assert audit(record, board).from_seed
    assert str(error_of(record)) == "the map 'dead_end' does not come with the program: give its file"
    assert str(error_of(record, Board.load("tiny"))) == "the record is of the map dead_end, not tiny"
    assert str(error_of(record_of("tiny"), board)) == "the record is of the map tiny, not dead_end"


def test_a_record_does_not_choose_which_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in the current folder that happens to have the map's name is not the map."""
    monkeypatch.chdir(tmp_path)
    Path("dead_end").write_text((DATA / "dead_end.toml").read_text("utf-8"), encoding="utf-8")
    assert "does not come with the program" in str(error_of(record_of("dead_end")))


# Tampering with what happened: the audit stops at the same event as the referee.

SAMPLES = (("san_francisco", 2, 1), ("san_francisco", 4, 2), ("tiny", 2, 2), ("tiny", 4, 3), ("dead_end", 3, 4))


def verdict_of_referee(record: Record) -> int | None:
    """The first event that cannot come next, or the number after the last when more must follow; None where neither."""
    referee = Referee(map_data(record["map"]), record["players"])
    for number, event in enumerate(record["events"]):
        try:
            referee.apply(event)
        except Foul:
            return number
    return None if referee.over or referee.seat is not None else len(record["events"])


def other(chance: random.Random, value: object, values: Any) -> Any:
    return chance.choice([candidate for candidate in values if candidate != value])


def set_other(key: str, values: Callable[[Board], Any]) -> Callable[[Record, int, random.Random], None]:
    """Changes one value of an event that has it."""

    def tamper(record: Record, place: int, chance: random.Random) -> None:
        event = record["events"][place]
        event[key] = other(chance, event[key], values(load_board(record["map"])))

    return tamper


def swap(record: Record, place: int, chance: random.Random) -> None:
    events = record["events"]
    further = other(chance, place, range(max(0, place - 3), min(len(events), place + 4)))
    events[place], events[further] = events[further], events[place]


def delete(record: Record, place: int, chance: random.Random) -> None:
    del record["events"][place]


def double(record: Record, place: int, chance: random.Random) -> None:
    record["events"].insert(place, copy.deepcopy(record["events"][place]))


def insert(record: Record, place: int, chance: random.Random) -> None:
    record["events"].insert(place, copy.deepcopy(chance.choice(record["events"])))


def move_away(record: Record, place: int, chance: random.Random) -> None:
    event = record["events"].pop(place)
    record["events"].insert(chance.randrange(len(record["events"])), event)


def change_cards(record: Record, place: int, chance: random.Random) -> None:
    """One more card, one fewer, or another one: in a deal, a display, a reset or a payment."""
    cards = record["events"][place]["cards"]
    if isinstance(cards, list):
        number = chance.randrange(len(cards)) if cards else 0
        change = chance.choice(["more", "fewer", "other"]) if cards else "more"
        if change == "more":
            cards.append(chance.choice(CARDS))
        else:
            cards[number : number + 1] = [other(chance, cards[number], CARDS)] if change == "other" else []
        return
    paid = next(iter(cards))
    if chance.random() < 0.5:
        cards[paid] += 1
    else:
        cards[other(chance, paid, [card for card in CARDS if card not in cards])] = cards.pop(paid)


def change_payment(record: Record, place: int, chance: random.Random) -> None:
    """As many cards, but another number of ferries."""
    cards = record["events"][place]["cards"]
    total, ferries = sum(cards.values()), chance.randint(0, sum(cards.values()))
    colour = next((card for card in cards if card != FERRY), chance.choice(COLOURS))
    record["events"][place]["cards"] = {card: n for card, n in ((colour, total - ferries), (FERRY, ferries)) if n}


def change_tickets(record: Record, place: int, chance: random.Random) -> None:
    tickets = record["events"][place]["tickets"]
    if len(tickets) > 1 and chance.random() < 0.3:
        tickets.pop()
    else:
        tickets[-1] = other(chance, tickets[-1], load_board(record["map"]).ticket_number)


TAMPERINGS: dict[str, tuple[str, Callable[[Record, int, random.Random], None]]] = {
    "swap events": ("e", swap),
    "delete an event": ("e", delete),
    "double an event": ("e", double),
    "insert an event": ("e", insert),
    "move an event": ("e", move_away),
    "another seat": ("seat", set_other("seat", lambda board: range(5))),
    "another card": ("card", set_other("card", lambda board: CARDS)),
    "from elsewhere": ("from", set_other("from", lambda board: ("deck", "display"))),
    "other cards": ("cards", change_cards),
    "another payment": ("route", change_payment),
    "another route": ("route", set_other("route", lambda board: [*board.route_number, "nowhere"])),
    "another location": ("location", set_other("location", lambda board: [*board.location_number, "nowhere"])),
    "another souvenir": ("souvenir", set_other("souvenir", lambda board: [*board.souvenirs, "nothing"])),
    "another count": ("count", set_other("count", lambda board: range(5))),
    "other tickets": ("tickets", change_tickets),
    "another reason": ("reason", set_other("reason", lambda board: ("last_round", "stuck", "boredom"))),
}


@pytest.mark.parametrize("tampering", TAMPERINGS)
def test_tampering_is_found_at_the_first_event_that_is_wrong(tampering: str) -> None:
    chance, found = random.Random(tampering), 0
    for sample in SAMPLES:
        for record, place in tampered(tampering, sample, chance):
            wrong = verdict_of_referee(record)
            if wrong is None:
                check_harmless(record)
                continue
            found += 1
            error = error_of(record, load_board(record["map"]))
            assert error.event == wrong, f"{error} (after a change at {place} of {sample})"
            assert re.fullmatch(r"\d+\.\d+", error.rule or ""), str(error)
            assert str(error) == f"event {wrong}: {error.rule} {error.reason}"
    assert found


def tampered(tampering: str, sample: tuple[str, int, int], chance: random.Random) -> Iterator[tuple[Record, int]]:
    """The record of a sample, changed at one place each time."""
    key, tamper = TAMPERINGS[tampering]
    places = [number for number, event in enumerate(record_of(*sample)["events"]) if key in event]
    for place in chance.sample(places, min(len(places), pick(8, 25))):
        record = record_of(*sample)
        tamper(record, place, chance)
        yield record, place


def check_harmless(record: Record) -> None:
    """What the referee accepts is another game, as good as the first, but perhaps not with the scores of the record."""
    referee = Referee(map_data(record["map"]), record["players"])
    for event in record["events"]:
        referee.apply(event)
    if referee.over and (record["scores"], record["winners"]) == (referee.scores(), referee.winners()):
        assert audited(record).finished
    else:
        assert error_of(record, load_board(record["map"])).event is None


@pytest.mark.parametrize(
    ("change", "event", "rule", "words"),
    [
        ({"e": "end", "reason": "stuck"}, "end", "7.1", '"last_round"} must come here'),
        ({"e": "flip", "card": "blue"}, "place", "3.3", "no flip happens here"),
        ({"e": "recycle"}, "place", "3.8", "no recycle happens here"),
        ({"e": "keep", "seat": 0, "tickets": ["nothing"]}, "keep", "2.5", "not one or both of those offered"),
        ({"e": "place", "seat": 1, "location": "alcatraz", "souvenir": "crab", "count": 1}, "place", "2.8", "a stack"),
        ({"e": "pass", "seat": 1}, "place", "2.8", "first place the souvenirs"),
        ({"e": "draw", "seat": 0, "from": "deck", "card": "red"}, "place", "3.1", "seat 1 must decide, not seat 0"),
    ],
)
def test_what_is_wrong_is_said_in_words_with_the_rule(change: Event, event: str, rule: str, words: str) -> None:
    record = record_of("san_francisco")
    place = next(number for number, found in enumerate(record["events"]) if found["e"] == event)
    record["events"][place] = change
    error = error_of(record)
    assert (error.event, error.rule) == (place, rule)
    assert words in error.reason


def test_a_card_that_is_not_in_the_deck_cannot_be_drawn() -> None:
    """There are six blue cards; a seventh is dealt (1.4)."""
    record = record_of("san_francisco", 4, 1)
    deals = record["events"][:4]
    for deal in deals:
        deal["cards"] = ["blue", "blue"]
    error = error_of(record)
    assert error.event == 3
    assert error.rule in ("1.4", "2.4")


def test_a_record_cannot_go_on_after_the_end() -> None:
    record = record_of()
    length = len(record["events"])
    record["events"].append({"e": "pass", "seat": 0})
    assert (error_of(record).event, error_of(record).rule) == (length, "7.1")


# Tampering with the result.

NO_VALUE = object()


@pytest.mark.parametrize(
    ("steps", "value", "rule"),
    [
        (("scores", 0, "routes"), 99, "4.6"),
        (("scores", 1, "tickets"), 99, "9.1"),
        (("scores", 1, "tokens"), 99, "9.2"),
        (("scores", 0, "total"), 99, "9.1"),
        (("scores", 0, "completed"), ["alcatraz-sunset"], "9.1"),
        (("scores", 0, "failed"), [], "9.1"),
        (("scores", 0, "total"), NO_VALUE, "9.1"),
        (("scores", 0, "bonus"), 3, "9.1"),
        (("scores", 1), NO_VALUE, "9.1"),
        (("scores", 0), None, "4.6"),
        (("scores",), {}, "9.1"),
        (("scores",), NO_VALUE, "9.1"),
        (("winners",), [0, 1], "9.3"),
        (("winners",), [], "9.3"),
        (("winners",), 0, "9.3"),
        (("winners",), NO_VALUE, "9.3"),
    ],
)
def test_a_wrong_result_is_found_with_the_rule_of_what_is_wrong(
    steps: tuple[Any, ...], value: object, rule: str
) -> None:
    record = record_of("san_francisco")
    put(record, steps, value)
    error = error_of(record)
    assert (error.event, error.rule) == (None, rule)


def put(record: Record, steps: tuple[Any, ...], value: object) -> None:
    inside: Any = record
    for step in steps[:-1]:
        inside = inside[step]
    if value is NO_VALUE:
        del inside[steps[-1]]
    else:
        inside[steps[-1]] = value


@pytest.mark.parametrize("kind", [float, bool])
def test_the_numbers_of_a_result_are_whole_numbers(kind: type) -> None:
    """`1.0` and `true` are equal to 1 in Python, but not in a record."""
    record = next(found for found in records() if found["winners"] in ([0], [1]))
    record["winners"] = [kind(record["winners"][0])]
    assert error_of(record).rule == "9.3"
    record = next(found for found in records() if found["scores"][0]["tokens"] in (0, 1))
    record["scores"][0]["tokens"] = kind(record["scores"][0]["tokens"])
    assert error_of(record).rule in ("9.1", "9.2")


# The structure.


@pytest.mark.parametrize(
    ("steps", "value", "words"),
    [
        (("format",), "fogline-record/2", "; this program reads fogline-record/1"),
        (("format",), NO_VALUE, "missing keys: format"),
        (("extra",), 1, 'unknown keys: ["extra"]'),
        (("players",), 5, "players must be 2, 3 or 4"),
        (("players",), True, "players must be 2, 3 or 4"),
        (("players",), 2.0, "players must be 2, 3 or 4"),
        (("players",), [2], "players must be 2, 3 or 4"),
        (("map",), "../tiny", "map must be a map's id"),
        (("map",), None, "map must be a map's id"),
        (("map",), "atlantis", "the map 'atlantis' does not come with the program"),
        (("seed",), 7, "seed must be a text such as 0x"),
        (("seed",), "0x" + "f" * 17, "seed must be a text such as 0x"),
        (("seed",), "-0x1", "seed must be a text such as 0x"),
        (("seed",), "0xg", "seed must be a text such as 0x"),
        (("seed",), "0x1\n", "seed must be a text such as 0x"),
        (("events",), {}, "events must be a list"),
        (("events", 1), None, "event 1: an event is an object whose e is one of deal, display"),
        (("events", 1), {}, "event 1: an event is an object whose e is one of"),
        (("events", 1, "e"), "cheat", "event 1: an event is an object whose e is one of"),
        (("events", 1, "e"), ["deal"], "event 1: an event is an object whose e is one of"),
        (("events", 1, "note"), "", "event 1: a deal event has e, seat, cards; not ['cards', 'e', 'note', 'seat']"),
        (("events", 1, "seat"), NO_VALUE, "event 1: a deal event has e, seat, cards; not ['cards', 'e']"),
        (("events", 1, "seat"), "1", 'event 1: seat of a deal event cannot be "1"'),
        (("events", 1, "seat"), True, "event 1: seat of a deal event cannot be true"),
        (("events", 1, "seat"), -1, "event 1: seat of a deal event cannot be -1"),
        (("events", 1, "cards"), ["pink", "blue"], 'event 1: cards of a deal event cannot be ["pink", "blue"]'),
        (("events", 1, "cards"), {"blue": 2}, "event 1: cards of a deal event cannot be"),
        (("events", 3, "tickets"), [1], "event 3: tickets of a"),
        (("events", -1, "reason"), None, "reason of a"),
    ],
)
def test_a_record_in_another_form_is_refused_in_words(steps: tuple[Any, ...], value: object, words: str) -> None:
    record = record_of()
    put(record, steps, value)
    assert words in str(error_of(record))


@pytest.mark.parametrize("payment", [{}, {"blue": 0}, {"blue": -1}, {"pink": 1}, {"blue": 1.0}, ["blue"], None])
def test_a_payment_is_one_card_or_more_by_kind(payment: object) -> None:
    record = record_of()
    place = next(number for number, event in enumerate(record["events"]) if event["e"] == "claim")
    record["events"][place]["cards"] = payment
    assert f"event {place}: cards of a claim event cannot be" in str(error_of(record))


@pytest.mark.parametrize("value", [None, [], "record", 7, True])
def test_a_record_is_an_object(value: object) -> None:
    assert str(error_of(value)) == "a record is a JSON object"


# Files.


def written(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "games.jsonl"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_a_file_holds_one_record_on_many_lines_or_one_a_line(tmp_path: Path) -> None:
    first, second = record_of(seed=1), record_of(seed=2)
    line, other_line = json.dumps(first), json.dumps(second)
    for text, expected in (
        (json.dumps(first, indent=2), [first]),
        ("\n" + json.dumps(first, indent=2) + "\n\n", [first]),
        (line, [first]),
        (f"{line}\n", [first]),
        (f"{line}\n{other_line}\n", [first, second]),
        (f"{line}\n\n  \n{other_line}\n\n", [first, second]),
        (f"\n\n{line}\n{other_line}\n", [first, second]),
        (f"{line}\r\n{other_line}\r\n", [first, second]),
    ):
        assert list(read_records(written(tmp_path, text))) == expected
        assert list(read_records(str(tmp_path / "games.jsonl"))) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not JSON"),
        ("{", "the file is not JSON"),
        ("not JSON", "is not JSON"),
        ("[1, 2]", "a record is a JSON object"),
        ("{}\n{\n", "line 2 is not JSON"),
        ("{}\n\n[]\n", "line 3: a record is a JSON object"),
        ("{}\n" + "[" * 100_000, "line 2 is not JSON"),
        ("[" * 100_000, "the file is not JSON"),
        ('{"a": ' + "9" * 5000 + "}", "is not JSON"),
        (b"\xff\xfe\x00\x01", "is not a text file"),
        (b"{}\n\xff\n", "is not a text file"),
    ],
    ids=range(11),
)
def test_a_file_without_records_is_refused_in_words(tmp_path: Path, text: str | bytes, words: str) -> None:
    with pytest.raises(RecordError, match=words):
        list(read_records(written(tmp_path, text)))


def test_a_file_that_cannot_be_read_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="missing cannot be read: No such file or directory"):
        list(read_records(tmp_path / "missing"))
    with pytest.raises(RecordError, match="cannot be read: Is a directory"):
        list(read_records(tmp_path))


def test_records_before_a_broken_line_are_read(tmp_path: Path) -> None:
    found = read_records(written(tmp_path, f"{json.dumps(record_of())}\nbroken\n"))
    assert next(found) == record_of()
    with pytest.raises(RecordError, match="line 2"):
        next(found)


# Anything anywhere.

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 10)
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from([*SHAPES, *CARDS, "deck", "display", "harbour", "harbour-market:1", "harbour-hill", "0x1"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5) | st.sampled_from(["e", "seat", *CARDS]), inner, max_size=3)
    ),
    max_leaves=5,
)


def places_in(value: object, steps: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in pairs:
        yield (*steps, step)
        yield from places_in(inner, (*steps, step))


def put_all(value: Any, changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    for steps, new in changes:
        with suppress(TypeError, LookupError):  # the first change may have taken away the place of the second
            put(value, steps, new)


places = st.deferred(lambda: st.sampled_from(list(places_in(record_of("tiny", 3)))))


@settings(FUZZ, max_examples=600)
@given(changes=st.lists(st.tuples(places, json_values), min_size=1, max_size=2))
def test_any_value_anywhere_gives_an_audit_or_a_record_error(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    record = record_of("tiny", 3)
    put_all(record, changes)
    check_judged(record)


@settings(FUZZ, max_examples=200)
@given(
    record=json_values
    | st.fixed_dictionaries(dict.fromkeys(("format", "map", "players", "seed", "events"), json_values))
)
def test_any_value_at_all_gives_a_record_error(record: Any) -> None:
    error_of(record)


@settings(FUZZ, max_examples=300)
@given(kept=st.integers(0, 30), order=st.lists(st.integers(0, 30), max_size=20))
def test_any_events_in_any_order_give_an_audit_or_a_record_error(kept: int, order: list[int]) -> None:
    record = record_of("tiny", 2)
    events = record["events"]
    record["events"] = events[:kept] + [events[number % len(events)] for number in order]
    check_judged(record)


def check_judged(record: Record) -> None:
    try:
        found: object = audit(record)
    except RecordError as error:
        found = error
    assert isinstance(found, Audit) or str(found)


def test_values_as_deep_as_json_can_be_give_a_record_error() -> None:
    """However much of Python's stack reading them has left for the audit."""
    deepest = next(depth for depth in range(1000, 0, -1) if _reads(depth))
    for depth in range(deepest, deepest - 60, -1):
        value = json.loads("[" * depth + "]" * depth)
        for steps in (("format",), ("events", 0, "cards"), ("events", 0, "e"), ("scores", 0), ("winners",)):
            record = record_of()
            put(record, steps, value)
            error_of(record)


def _reads(depth: int) -> bool:
    try:
        json.loads("[" * depth + "]" * depth)
    except RecursionError:
        return False
    return True


# Who played, and on which map.


ABOUT = {
    "date": "2026-11-19",
    "program": "fogline 0.1.0",
    "seats": [{"name": "Ann"}, {"player": "planner", "version": "0.1.0"}],
}


def test_a_record_may_say_who_played_and_on_which_map() -> None:
    game = play_out(Game("tiny", seed=4), 1)
    record = json.loads(json.dumps(game.record(ABOUT)))
    assert record["about"] == ABOUT
    assert record["digest"] == digest_rules(game.board.map_file)
    assert audit(record).from_seed
    assert {key: value for key, value in record.items() if key not in ("about", "digest")} == game.record()


def test_what_is_said_of_a_game_is_the_record_s_own() -> None:
    about: dict[str, Any] = {"seats": [{}, {}]}
    record = Game("tiny", seed=4).record(about)
    about["seats"][0]["name"] = "Ann"
    assert record["about"] == {"seats": [{}, {}]}


@pytest.mark.parametrize("about", [{}, {"seats": [{}, {}]}, {"date": "2026-11-19T20:15:00+01:00"}, {"program": "mine"}])
def test_nothing_of_it_has_to_be_said(about: dict[str, Any]) -> None:
    assert not audit(Game("tiny", seed=4).record(about)).finished


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("about", [], "about has date, program, seats"),
        ("about", None, "about has date, program, seats"),
        ("about", {"place": "here"}, "about has date, program, seats"),
        ("about", {"date": "yesterday"}, "date is one of ISO 8601"),
        ("about", {"date": 20261119}, "date is a text"),
        ("about", {"program": "x" * 201}, "program is a text of at most 200"),
        ("about", {"seats": [{}]}, "seats lists all 2"),
        ("about", {"seats": "me"}, "seats lists all 2"),
        ("about", {"seats": [{}, "planner"]}, "seat 1 has name, player, version"),
        ("about", {"seats": [{}, {"elo": "1"}]}, "seat 1 has name, player, version"),
        ("about", {"seats": [{"name": 1}, {}]}, "seat 0: name is a text"),
        ("digest", 7, "digest must be 64"),
        ("digest", "f" * 63, "digest must be 64"),
        ("digest", "f" * 64, "another map tiny: the digest of this one is"),
    ],
)
def test_what_is_said_wrongly_is_named(key: str, value: Any, words: str) -> None:
    with pytest.raises(RecordError, match=words):
        audit(Game("tiny", seed=4).record({}) | {key: value})
