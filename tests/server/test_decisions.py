"""Decisions: who may do what, and when; and a decision that is refused, late or repeated changes nothing."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from fogline.fairness import seal_of
from fogline.game.actions import Draw, Keep
from fogline.server.refused import Refused
from fogline.server.tables import decisions
from fogline.server.tables import entries as log
from fogline.server.tables.appends import _rematch
from fogline.server.tables.entries import Again, Chair
from fogline.server.tables.table import REVEAL_SECONDS, Table
from tests.server.arrange import (
    OFFER,
    OPEN_CHAIR,
    bot,
    dealt,
    done,
    finished,
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
)

AT = 50.0

# Who may do what, and when: all of it.


def _closed() -> Table:
    table = opened([person("Ann"), person("Bob")])
    done(table, decisions.leave(table, "ann", 1.0))
    return table


SALTS = {"ann": "a1", "bob": "b2"}


def sealed(*more: Chair) -> Table:
    """A table at which Ann and Bob have sealed their salts, and the host has started the game."""
    table = opened([person("Ann", seal_of("a1")), person("Bob", seal_of("b2")), *more])
    done(table, decisions.start(table, "ann", AT))
    return table


MOMENTS: dict[str, Callable[[], Table]] = {
    "open": lambda: opened([person("Ann"), person("Bob"), OPEN_CHAIR]),
    "full": lambda: opened([person("Ann"), person("Bob")]),
    "revealing": sealed,
    "playing": lambda: started("Ann", "Bob"),
    "over": lambda: finished("Ann", "Bob", map="tiny"),
    "closed": _closed,
    "imported": lambda: imported(finished("Ann", "Bob", map="tiny").game_record(), "Ann", "Bob"),
}
PEOPLE = {"host": "ann", "guest": "bob", "stranger": "eve", "nobody": ""}


def _play(table: Table, who: str) -> Any:
    return decisions.play(table, who, table.match.step if table.match else 0, "keep both", AT)


DECISIONS: dict[str, Callable[[Table, str], Any]] = {
    "sit": lambda table, who: sit(table, who, "New Name", "ab", AT),
    "change": lambda table, who: decisions.change(table, who, "New Name", "ab", AT),
    "reveal": lambda table, who: decisions.reveal(table, who, SALTS.get(who, "00"), AT),
    "give a chair to a bot": lambda table, who: decisions.fill(table, who, 1, "racer", AT),
    "free a chair": lambda table, who: decisions.fill(table, who, 1, "", AT),
    "make a link": lambda table, who: decisions.invite(table, who, "another-invite-1", AT),
    "send spectators away": lambda table, who: decisions.watch(table, who, False, AT),
    "start": lambda table, who: decisions.start(table, who, AT),
    "play": _play,
    "ask why not": lambda table, who: decisions.why_not(table, who, "keep both"),
    "leave": lambda table, who: decisions.leave(table, who, AT),
    "come back": lambda table, who: decisions.come_back(table, who, AT),
    "play again": lambda table, who: decisions.play_again(table, who, "another-table-01", AT),
}

# What comes of it, for the host, a guest, a stranger and nobody: the kind of the entry, "nothing" where nothing needs
# to happen, or the code of the refusal. Nobody sits down: the ways in ask for somebody first.
OUTCOMES = {
    "sit": {
        "open": "sat sat sat -",
        "full": "sat sat conflict -",
        "revealing playing over": "nothing nothing not_found -",
        "closed": "conflict conflict not_found -",
        "imported": "not_found not_found not_found -",
    },
    "change": {
        "open full": "sat sat forbidden forbidden",
        "revealing playing over": "nothing nothing forbidden forbidden",
        "closed": "conflict conflict forbidden forbidden",
        "imported": "forbidden forbidden forbidden forbidden",
    },
    "reveal": {
        "open full playing over closed": "conflict conflict forbidden forbidden",
        "revealing": "revealed revealed forbidden forbidden",
        "imported": "forbidden forbidden forbidden forbidden",
    },
    "give a chair to a bot": {
        "open full": "filled forbidden forbidden forbidden",
        "revealing playing over closed imported": "conflict forbidden forbidden forbidden",
    },
    "free a chair": {
        "open full": "stood forbidden forbidden forbidden",
        "revealing playing over closed imported": "conflict forbidden forbidden forbidden",
    },
    "make a link": {
        "open full": "invited forbidden forbidden forbidden",
        "revealing playing over closed imported": "conflict forbidden forbidden forbidden",
    },
    "send spectators away": {
        "open full revealing playing over closed imported": "watched forbidden forbidden forbidden",
    },
    "start": {
        "full": "started forbidden forbidden forbidden",
        "revealing playing over": "nothing forbidden forbidden forbidden",
        "open closed imported": "conflict forbidden forbidden forbidden",
    },
    "play": {
        "open full revealing closed": "conflict conflict forbidden forbidden",
        "playing": "moved moved forbidden forbidden",
        "over": "illegal illegal forbidden forbidden",
        "imported": "forbidden forbidden forbidden forbidden",
    },
    "ask why not": {
        "open full revealing closed": "conflict conflict forbidden forbidden",
        "playing": "legal legal forbidden forbidden",
        "over": "illegal illegal forbidden forbidden",
        "imported": "forbidden forbidden forbidden forbidden",
    },
    "leave": {
        "open full": "closed stood forbidden forbidden",
        "revealing": "conflict conflict forbidden forbidden",
        "playing": "away away forbidden forbidden",
        "over closed": "nothing nothing forbidden forbidden",
        "imported": "forbidden forbidden forbidden forbidden",
    },
    "come back": {
        "open full revealing closed": "conflict conflict forbidden forbidden",
        "playing over": "nothing nothing forbidden forbidden",
        "imported": "forbidden forbidden forbidden forbidden",
    },
    "play again": {
        "open full revealing playing closed": "conflict conflict forbidden forbidden",
        "over": "again again forbidden forbidden",
        "imported": "forbidden forbidden forbidden forbidden",
    },
}


@cache
def at_moment(moment: str) -> Table:
    """A table of the host Ann and the guest Bob. All tests share it: a decision changes no table."""
    return MOMENTS[moment]()


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("decision", DECISIONS)
def test_who_may_do_what_and_when(decision: str, moment: str) -> None:
    table = at_moment(moment)
    before = observable(table)
    (row,) = [row for moments, row in OUTCOMES[decision].items() if moment in moments.split()]
    expected = {who: what for who, what in zip(PEOPLE, row.split(), strict=True) if what != "-"}
    assert {who: outcome(table, decision, PEOPLE[who]) for who in expected} == expected
    assert observable(table) == before


def outcome(table: Table, decision: str, person: str) -> str:
    try:
        result = DECISIONS[decision](table, person)
        if decision == "play":
            tried(table, result)
    except Refused as refused:
        return refused.code
    if decision == "ask why not":
        return "legal" if result is None else str(result.code)
    if isinstance(result, int):
        assert result == table.n
        return "nothing"
    assert result.at == AT
    return str(result.kind)


# Opening a table.


def open_with(*chairs: Chair, **settings: Any) -> log.Opened:
    wanted = {"clock": "none", "spectators": True, "autostart": False} | settings
    digest = OFFER.digests["tiny"]
    return decisions.open_table("ann", list(chairs), map="tiny", digest=digest, invite="i1", at=AT, **wanted)


def test_a_table_is_opened_as_it_was_wanted() -> None:
    chairs = (person("Ann", "c0ffee"), bot("random"), OPEN_CHAIR)
    entry = open_with(*chairs, clock="3d", spectators=False, autostart=True)
    assert (entry.host, entry.invite, entry.map, entry.chairs, entry.at) == ("ann", "i1", "tiny", chairs, AT)
    assert (entry.clock, entry.spectators, entry.autostart) == ("3d", False, True)


@pytest.mark.parametrize("count", [0, 1, 5])
def test_a_table_has_two_to_four_chairs(count: int) -> None:
    with refuses("invalid", "2 to 4 chairs", rule="1.7"):
        open_with(*[bot()] * count)


def test_a_table_has_only_bots_that_there_are() -> None:
    with refuses("invalid", "there is no player 'deep blue'; there are random, racer"):
        open_with(person("Ann"), bot("deep blue"))


def test_a_host_need_not_sit() -> None:
    table = opened([bot(), OPEN_CHAIR], host="hal")
    assert table.viewer("hal").host
    assert table.chair_of("hal") is None
    done(table, decisions.fill(table, "hal", 1, "random", AT))
    done(table, decisions.start(table, "hal", AT))
    assert table.status == "playing"
    with refuses("forbidden", "you do not sit"):
        decisions.play(table, "hal", 0, "keep both", AT)
    with refuses("forbidden", "you do not sit"):
        decisions.leave(table, "hal", AT)


def test_a_host_who_does_not_sit_may_take_a_chair_or_close_the_table() -> None:
    table = opened([bot(), OPEN_CHAIR], host="hal")
    assert decisions.leave(table, "hal", AT) == log.Closed(at=AT)
    done(table, sit(table, "hal", "Hal", "", AT))
    assert table.chair_of("hal") == 1


# Sitting down.


def test_who_sits_down_takes_the_first_open_chair() -> None:
    table = opened([person("Ann"), OPEN_CHAIR, bot(), OPEN_CHAIR])
    done(table, sit(table, "bob", "Bob", "ab", AT))
    done(table, sit(table, "cat", "Cat", "cd", AT))
    assert [chair.person for chair in table.chairs] == ["ann", "bob", "", "cat"]
    assert table.chairs[1] == Chair(kind="person", person="bob", name="Bob", seal="ab")
    with refuses("conflict", "every chair at this table is taken"):
        sit(table, "dan", "Dan", "", AT)


def test_an_invitation_that_was_revoked_meanwhile_seats_nobody() -> None:
    table = opened([person("Ann"), OPEN_CHAIR])
    done(table, decisions.invite(table, "ann", "another-invite-1", AT))
    with refuses("not_found", "this invitation is over"):
        decisions.sit(table, "bob", "Bob", "", AT, invite="invite-of-tests1")
    done(table, decisions.sit(table, "bob", "Bob", "", AT, invite="another-invite-1"))


def test_who_sits_down_again_keeps_the_chair() -> None:
    table = opened([person("Ann"), OPEN_CHAIR, OPEN_CHAIR])
    done(table, sit(table, "bob", "Bob", "ab", AT))
    assert sit(table, "bob", "Bob", "ab", AT + 1) == table.n
    done(table, sit(table, "bob", "Robert", "ab", AT + 1))
    done(table, sit(table, "bob", "Robert", "ff", AT + 1))
    assert table.chairs[1] == Chair(kind="person", person="bob", name="Robert", seal="ff")
    assert table.chairs[2] == OPEN_CHAIR


def test_nobody_takes_the_seal_of_somebody_else() -> None:
    table = opened([person("Ann", seal_of("a1")), person("Bob"), OPEN_CHAIR])
    with refuses("conflict", "this is the seal of another chair"):
        sit(table, "cat", "Cat", seal_of("a1"))
    with refuses("conflict", "this is the seal of another chair"):
        decisions.change(table, "bob", "Bob", seal_of("a1"), AT)
    done(table, decisions.change(table, "ann", "Anna", seal_of("a1"), AT))  # her own, and a name
    done(table, sit(table, "cat", "Cat"))  # none is nobody's
    assert [chair.seal for chair in table.chairs] == [seal_of("a1"), "", ""]


def test_nobody_changes_name_or_seal_once_the_game_has_begun() -> None:
    table = started("Ann", "Bob")
    assert sit(table, "bob", "Robert", "ff", AT) == table.n


def test_a_chair_that_was_given_up_can_be_taken() -> None:
    table = opened([person("Ann"), person("Bob")])
    done(table, decisions.leave(table, "bob", AT))
    assert table.viewer("bob").chair is None
    done(table, sit(table, "cat", "Cat", "", AT))
    assert table.chair_of("cat") == 1


def test_a_refusal_says_whether_the_game_has_begun_or_never_will() -> None:
    with refuses("conflict", "the game has begun"):
        decisions.fill(at_moment("playing"), "ann", 1, "racer", AT)
    with refuses("conflict", "the host has closed this table"):
        decisions.change(at_moment("closed"), "bob", "Bobby", "", AT)


def test_who_was_sent_away_does_not_come_back_by_changing_their_name() -> None:
    table = opened([person("Ann"), person("Bob")])
    done(table, decisions.fill(table, "ann", 1, "", AT))
    with refuses("forbidden", "you do not sit at this table"):
        decisions.change(table, "bob", "Bob", "", AT)


# Salts.


def test_the_cards_are_dealt_when_all_who_sealed_a_salt_have_revealed_it() -> None:
    table = sealed(bot(), person("Cat"))
    assert (table.status, table.match) == ("revealing", None)
    for who, salt in SALTS.items():
        assert (table.status, table.match) == ("revealing", None)
        done(table, decisions.reveal(table, who, salt, AT))
        assert decisions.reveal(table, who, salt, AT) == table.n
    assert table.status == "playing"
    assert [chair.salt for chair in table.chairs] == ["a1", "b2", "", ""]


def test_for_a_salt_that_does_not_come_in_time_stands_its_seal() -> None:
    """So nobody makes another deal by leaving; the one who did not reveal is dealt in all the same."""
    table = sealed()
    done(table, decisions.reveal(table, "ann", "a1", AT + 1))
    assert table.due(0.0) == AT + REVEAL_SECONDS
    assert decisions.run_out(table, AT + REVEAL_SECONDS - 0.1) == table.n
    done(table, decisions.run_out(table, AT + REVEAL_SECONDS))
    assert table.status == "playing"
    told = table.fairness.revealed()
    assert (told["seals"], told["salts"]) == ([seal_of("a1"), seal_of("b2")], ["a1", None])


def test_no_salt_is_taken_but_the_one_that_was_sealed() -> None:
    table = sealed(person("Cat"))
    with refuses("invalid", "salt: this is not the salt of your seal"):
        decisions.reveal(table, "ann", "b2", AT)
    with refuses("invalid", "salt: this is not the salt of your seal"):
        decisions.reveal(table, "cat", "c3", AT)
    with refuses("forbidden", "you do not sit at this table"):
        decisions.reveal(table, "eve", "a1", AT)
    for who, salt in SALTS.items():
        done(table, decisions.reveal(table, who, salt, AT))
    with refuses("conflict", "salts are revealed when"):
        decisions.reveal(table, "cat", "c3", AT)


def test_no_salt_is_revealed_before_all_seals_are_final() -> None:
    table = opened([person("Ann", seal_of("a1")), OPEN_CHAIR])
    with refuses("conflict", "salts are revealed when"):
        decisions.reveal(table, "ann", "a1", AT)


def test_while_salts_are_revealed_the_chairs_stay_as_they_are() -> None:
    table = sealed(bot())
    assert decisions.start(table, "ann", AT) == table.n
    assert decisions.change(table, "bob", "Bob", seal_of("other"), AT) == table.n
    with refuses("conflict", "the game has begun"):
        decisions.fill(table, "ann", 2, "", AT)
    with refuses("conflict", "the cards are being dealt"):
        decisions.leave(table, "bob", AT)
    with refuses("not_found", "this invitation is over"):
        sit(table, "eve", "Eve", "", AT)


def test_a_rematch_begins_without_the_old_salts() -> None:
    table = opened([person("Ann", seal_of("a1")), bot()])
    dealt(table, {"ann": "a1"})
    assert [chair.seal + chair.salt for chair in _rematch(table, Again(at=AT, table="t", person="ann")).chairs] == [
        "",
        "",
    ]


# The host's chairs.


def test_the_host_gives_chairs_to_bots_and_takes_them_back() -> None:
    table = opened([person("Ann"), OPEN_CHAIR])
    done(table, decisions.fill(table, "ann", 1, "racer", AT))
    assert table.chairs[1] == Chair(kind="bot", player="racer")
    assert decisions.fill(table, "ann", 1, "racer", AT) == table.n
    done(table, decisions.fill(table, "ann", 1, "random", AT))
    assert table.chairs[1] == Chair(kind="bot", player="random")
    done(table, decisions.fill(table, "ann", 1, "", AT))
    assert table.chairs[1] == OPEN_CHAIR
    assert decisions.fill(table, "ann", 1, "", AT) == table.n


@pytest.mark.parametrize("player", ["", "racer"])
def test_the_host_may_send_a_guest_away(player: str) -> None:
    table = opened([person("Ann"), person("Bob", "ab")])
    done(table, decisions.fill(table, "ann", 1, player, AT))
    assert table.chair_of("bob") is None
    assert table.chairs[1].seal == ""  # it went with the guest


def test_the_host_s_own_chair_is_given_up_by_leaving_only() -> None:
    table = opened([person("Ann"), OPEN_CHAIR])
    for player in ("", "racer"):
        with refuses("conflict", "this chair is yours"):
            decisions.fill(table, "ann", 0, player, AT)


def test_there_are_no_other_chairs_and_no_other_bots() -> None:
    table = opened([person("Ann"), OPEN_CHAIR, OPEN_CHAIR])
    with refuses("invalid", "numbered from 0 to 2"):
        decisions.fill(table, "ann", 3, "racer", AT)
    with pytest.raises(Refused, match="there is no player 'zzz") as caught:
        decisions.fill(table, "ann", 1, "z" * 1000, AT)
    assert caught.value.code == "invalid"
    assert len(caught.value.reason) < 200  # it does not repeat all that was written


# The link and the spectators.


def test_a_link_can_be_made_anew_and_revoked() -> None:
    table = opened([person("Ann"), OPEN_CHAIR])
    done(table, decisions.invite(table, "ann", "another-invite-1", AT))
    assert table.invite == "another-invite-1"
    done(table, decisions.invite(table, "ann", "", AT))
    assert table.invite == ""


@pytest.mark.parametrize("moment", ["playing", "over", "closed", "imported"])
def test_a_link_lets_nobody_in_once_the_game_has_begun_or_never_will(moment: str) -> None:
    table = at_moment(moment)
    with pytest.raises(Refused, match="not_found: this invitation is over"):
        decisions.sit(table, "eve", "Eve", "", AT, invite=table.invite)


def test_to_let_spectators_in_twice_is_to_let_them_in() -> None:
    table = opened([person("Ann"), OPEN_CHAIR])
    assert decisions.watch(table, "ann", True, AT) == table.n
    done(table, decisions.watch(table, "ann", False, AT))
    assert decisions.watch(table, "ann", False, AT) == table.n
    done(table, decisions.watch(table, "ann", True, AT))
    assert table.spectators


# The start.


def test_a_game_starts_when_every_chair_is_taken() -> None:
    table = opened([person("Ann"), OPEN_CHAIR])
    with refuses("conflict", "a chair is still open"):
        decisions.start(table, "ann", AT)
    done(table, sit(table, "bob", "Bob", "", AT))
    done(table, decisions.start(table, "ann", AT))
    assert table.status == "playing"
    assert decisions.start(table, "ann", AT) == table.n


# Decisions in the game.


def at_first_turn(*people: str) -> Table:
    """Everybody has chosen first tickets, and the stacks are placed."""
    table = started(*people)
    assert table.match is not None
    while table.match.game.phase != "turn":
        play_some(table, 1)
    return table


def step_of(table: Table) -> int:
    assert table.match is not None
    return table.match.step


def test_a_decision_is_stored_as_the_action_s_own_text() -> None:
    table = at_first_turn("Ann", "Bob")
    entry = decisions.play(table, person_in(table, 0), step_of(table), "  DRAW   Deck ", AT)
    assert entry == log.Moved(at=AT, seat=0, action=Draw("deck"), bot=False)
    assert isinstance(entry, log.Moved)
    assert json.loads(entry.model_dump_json())["action"] == "draw deck"


@pytest.mark.parametrize("text", ["", " ", "draw", "draw deck deck", "claim", "keep none", "dräw deck", "\ud800", "0"])
def test_what_is_no_action_is_refused_as_such(text: str) -> None:
    table = at_first_turn("Ann", "Bob")
    with refuses("not_an_action"):
        decisions.play(table, person_in(table, 0), step_of(table), text, AT)
    refused = decisions.why_not(table, person_in(table, 0), text)
    assert refused is not None
    assert refused.code == "not_an_action"


def test_what_the_rules_forbid_is_refused_by_the_rule() -> None:
    table = at_first_turn("Ann", "Bob")
    first, second = person_in(table, 0), person_in(table, 1)
    with refuses("illegal", "passing is legal only", rule="8.3"):
        tried(table, decisions.play(table, first, step_of(table), "pass", AT))
    with refuses("illegal", "there is no route", rule="1.1"):
        tried(table, decisions.play(table, first, step_of(table), "claim nowhere-somewhere red1", AT))
    with refuses("illegal", "seat 0 must decide, not seat 1", rule="3.1"):
        tried(table, decisions.play(table, second, step_of(table), "draw deck", AT))


def test_one_may_ask_without_deciding() -> None:
    table = at_first_turn("Ann", "Bob")
    before = observable(table)
    assert decisions.why_not(table, person_in(table, 0), "draw deck") is None
    refused = decisions.why_not(table, person_in(table, 1), "draw deck")
    assert refused is not None
    assert (refused.code, refused.rule) == ("illegal", "3.1")
    assert observable(table) == before


def test_the_same_decision_twice_is_carried_out_once() -> None:
    table = at_first_turn("Ann", "Bob")
    first, step = person_in(table, 0), step_of(table)
    done(table, decisions.play(table, first, step, "draw deck", AT))
    for text in ("draw deck", " Draw DECK"):
        assert decisions.play(table, first, step, text, AT + 1) == table.n
    play_some(table, 20)
    assert decisions.play(table, first, step, "draw deck", AT + 2) == table.n


def test_the_same_decision_for_the_next_step_is_another_decision() -> None:
    table = at_first_turn("Ann", "Bob")
    first, step = person_in(table, 0), step_of(table)
    done(table, decisions.play(table, first, step, "draw deck", AT))
    done(table, decisions.play(table, first, step + 1, "draw deck", AT))
    assert step_of(table) == step + 2


def test_one_cannot_decide_otherwise_later() -> None:
    table = at_first_turn("Ann", "Bob")
    first, step = person_in(table, 0), step_of(table)
    done(table, decisions.play(table, first, step, "draw deck", AT))
    with refuses("late", "you have decided this already: draw deck"):
        decisions.play(table, first, step, "draw tickets", AT)
    with refuses("not_an_action"):
        decisions.play(table, first, step, "nonsense", AT)


@pytest.mark.parametrize("away", [-2, -1, 1, 2, 1000])
def test_a_decision_for_another_step_is_late(away: int) -> None:
    table = at_first_turn("Ann", "Bob")
    done(table, decisions.play(table, person_in(table, 0), step_of(table), "draw deck", AT))
    done(table, decisions.play(table, person_in(table, 0), step_of(table), "draw deck", AT))
    step = step_of(table) + away  # the two before were seat 0's
    with refuses("late", f"this decides step {step}, and the game is at step {step_of(table)}"):
        decisions.play(table, person_in(table, 1), step, "draw deck", AT)


def test_a_first_choice_can_be_sent_twice_before_and_after_the_others_choose() -> None:
    table = started("Ann", "Bob", "Cat")
    second = person_in(table, 1)
    done(table, decisions.play(table, second, 0, "keep first", AT))
    assert decisions.play(table, second, 0, "keep first", AT) == table.n
    with refuses("late", "you have decided this already: keep first"):
        decisions.play(table, second, 0, "keep both", AT)
    play_some(table, 10)
    assert decisions.play(table, second, 0, "keep first", AT) == table.n
    with refuses("late", "you have decided this already: keep first"):
        decisions.play(table, second, 0, "keep both", AT)


def test_when_the_game_is_over_the_rules_refuse_everything() -> None:
    table = at_moment("over")
    with refuses("illegal", "the game is over", rule="7.1"):
        tried(table, decisions.play(table, "ann", step_of(table), "draw deck", AT))


# Leaving and coming back.


def test_who_has_left_cannot_decide_before_coming_back() -> None:
    table = at_first_turn("Ann", "Bob")
    first = person_in(table, 0)
    done(table, decisions.leave(table, first, AT))
    assert decisions.leave(table, first, AT) == table.n
    with refuses("conflict", "a bot plays for you: come back first"):
        decisions.play(table, first, step_of(table), "draw deck", AT)
    done(table, decisions.come_back(table, first, AT))
    assert decisions.come_back(table, first, AT) == table.n
    done(table, decisions.play(table, first, step_of(table), "draw deck", AT))


def test_who_has_left_is_told_so_when_asking_what_is_legal() -> None:
    table = at_first_turn("Ann", "Bob")
    done(table, decisions.leave(table, person_in(table, 0), AT))
    refused = decisions.why_not(table, person_in(table, 0), "draw deck")
    assert refused is not None
    assert refused.code == "conflict"


def test_a_decision_of_before_may_be_repeated_by_one_who_has_left() -> None:
    """The answer may have been lost, and leaving takes nothing back."""
    table = at_first_turn("Ann", "Bob")
    first, step = person_in(table, 0), step_of(table)
    done(table, decisions.play(table, first, step, "draw deck", AT))
    done(table, decisions.leave(table, first, AT))
    assert decisions.play(table, first, step, "draw deck", AT) == table.n


def test_a_first_choice_may_be_repeated_by_one_who_has_left() -> None:
    table = started("Ann", "Bob", "Cat")
    first = person_in(table, 0)
    done(table, decisions.play(table, first, 0, "keep first", AT))
    done(table, decisions.leave(table, first, AT))
    assert decisions.play(table, first, 0, "keep first", AT) == table.n


def test_who_had_left_when_the_game_ended_is_told_that_it_is_over() -> None:
    table = started("Ann", "Bob", map="tiny")
    done(table, decisions.leave(table, "ann", AT))
    seat = table.viewer("ann").seat
    assert seat is not None
    while table.status == "playing":
        assert table.match is not None
        if seat in table.match.deciding():
            action = table.match.view(seat).legal_actions[0]
            done(table, decisions.play_bot(table, seat, step_of(table), str(action), AT))
        else:
            play_some(table, 1)
    assert decisions.come_back(table, "ann", AT) == table.n
    with refuses("illegal", "the game is over", rule="7.1"):
        tried(table, decisions.play(table, "ann", step_of(table), "draw deck", AT))


# Bots.


def test_a_bot_plays_for_its_own_seat_and_for_one_who_is_away() -> None:
    table = opened([person("Ann"), bot()])
    done(table, decisions.start(table, "ann", AT))
    robot, ann = table.seating.index(1), table.seating.index(0)
    assert decisions.play_bot(table, robot, 0, "keep both", AT) == log.Moved(
        at=AT, seat=robot, action=Keep("both"), bot=True
    )
    assert decisions.play_bot(table, ann, 0, "keep both", AT) == table.n  # she is there
    done(table, decisions.leave(table, "ann", AT))
    done(table, decisions.play_bot(table, ann, 0, "keep both", AT))
    assert table.match is not None
    assert table.match.deciding() == (robot,)


def test_a_bot_that_is_late_changes_nothing() -> None:
    table = opened([person("Ann"), bot()])
    done(table, decisions.start(table, "ann", AT))
    robot = table.seating.index(1)
    done(table, decisions.play_bot(table, robot, 0, "keep both", AT))
    assert decisions.play_bot(table, robot, 0, "keep both", AT) == table.n  # two servers asked it
    with refuses("late"):
        decisions.play_bot(table, robot, 0, "keep first", AT)
    with refuses("late"):
        decisions.play_bot(table, robot, 7, "draw deck", AT)


@pytest.mark.parametrize("moment", ["open", "full", "over", "closed"])
def test_no_bot_plays_before_the_start_or_after_the_end(moment: str) -> None:
    table = at_moment(moment)
    assert decisions.play_bot(table, 0, 0, "keep both", AT) == table.n


def test_a_bot_is_bound_by_the_rules() -> None:
    table = opened([person("Ann"), bot()])
    done(table, decisions.start(table, "ann", AT))
    with refuses("illegal", rule="2.5"):
        tried(table, decisions.play_bot(table, table.seating.index(1), 0, "draw deck", AT))


# Once more.


def test_a_rematch_is_opened_once_and_then_found() -> None:
    table = finished("Ann", "Bob", map="tiny")
    entry = decisions.play_again(table, "bob", "another-table-01", AT)
    assert entry == log.Again(at=AT, table="another-table-01", person="bob")
    done(table, entry)
    assert table.again == "another-table-01"
    assert decisions.play_again(table, "ann", "another-table-02", AT) == "another-table-01"
    assert decisions.play_again(table, "bob", "another-table-03", AT) == "another-table-01"
    with refuses("forbidden", "you do not sit"):
        decisions.play_again(table, "eve", "another-table-04", AT)


def test_there_is_no_rematch_of_a_game_that_goes_on() -> None:
    with refuses("conflict", "this game is not over yet"):
        decisions.play_again(at_moment("playing"), "ann", "another-table-01", AT)
    with refuses("conflict", "the game has not begun"):
        decisions.play_again(at_moment("open"), "ann", "another-table-01", AT)
