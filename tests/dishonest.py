"""A table that cheats: ways to bring a bot what it likes, each with a record that agrees with itself.

Only what somebody kept while they played, their receipt, tells that the record is not of their game, or that nobody can
say whether it is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from fogline.fairness import Fairness, FairnessError, as_seen, check_fairness, hash_events, seal_of
from fogline.fairness.deal import deal_fairly, play_fairly
from fogline.fairness.first_scheme import FirstFairness
from fogline.fairness.secret import Source
from fogline.game.actions import board_actions
from fogline.game.game import Game
from fogline.game.record import replay
from fogline.maps.board import Board
from fogline.maps.digest import digest_rules
from tests.policies import action_weights, choose

HONEST_CHAIR, FAVOURED_CHAIR = 0, 1
"""Where somebody sits who keeps a receipt, and the bot that the table favours."""

SomeSource = TypeVar("SomeSource", bound=Source)

TRIES = 40
"""How many secrets, ids or salts the table tries, to take the one that it likes best."""


class Evening(NamedTuple):
    """A game as it is told afterwards, and what the honest player kept of it."""

    record: dict[str, Any]
    receipt: dict[str, Any]


class Sitting(NamedTuple):
    """What is fixed when somebody has sat down, and before the cards are dealt."""

    board: Board
    promised: Fairness  # with the secret, id, seals and salts that the table has promised
    salt: str
    generator: random.Random


def sit_down(board: Board, players: int, seed: int) -> Sitting:
    """An honest player, a bot, and others who have salts of their own."""
    generator = random.Random(seed)
    salts = [None if chair == FAVOURED_CHAIR else generator.randbytes(16).hex() for chair in range(players)]
    seals = tuple(None if salt is None else seal_of(salt) for salt in salts)
    digest = digest_rules(board.map_file)
    promised = Fairness(generator.randbytes(32), f"table-{seed}", digest, seals, tuple(salts))
    return Sitting(board, promised, salts[HONEST_CHAIR] or "", generator)


def play_out(sitting: Sitting, source: Source) -> Game:
    """A game whose cards come from this source."""
    game = deal_fairly(sitting.board, len(source.seating()), source)
    weights = [action_weights(sitting.board, sitting.generator) for _ in range(game.players)]
    actions = board_actions(sitting.board)
    while not game.over:
        number = choose(game.legal_numbers(), weights[game.seat], sitting.generator)
        play_fairly(game, actions[number], source)
    return game


def told(game: Game, source: Source) -> dict[str, Any]:
    return game.record() | {"fairness": source.revealed()}


def kept(sitting: Sitting, shown: Game, seat: int, source: Fairness) -> dict[str, Any]:
    """What the honest player has written down: the promise as it was, and the events as they were shown."""
    promised = sitting.promised
    events = [as_seen(event, seat, number, source) for number, event in enumerate(shown.events)]
    return {
        "game": promised.game,
        "commitment": promised.commitment,
        "salt": sitting.salt,
        "chair": HONEST_CHAIR,
        "seals": list(promised.seals),
        "sealed": True,
        "revealed": True,
        "seen": {"events": len(events), "hash": hash_events(events)},
        "differed": False,
        "kinds": kinds_at(promised),
        "given": True,
        "undealt": [],
    }


def kinds_at(promised: Fairness) -> list[str]:
    """Whom the table has shown to the honest player: bots bring no salt."""
    return ["bot" if seal is None else "person" for seal in promised.seals]


def favours(source: Source, board: Board) -> int:
    """How much a deal pleases the bot: it moves first, and has ferries."""
    seat = source.seating().index(FAVOURED_CHAIR)
    dealt = deal_fairly(board, len(source.seating()), source).events[seat]["cards"]
    return 2 * (seat == 0) + int(dealt.count("ferry"))


def best_of(sources: Iterable[SomeSource], board: Board) -> SomeSource:
    return max(sources, key=lambda source: favours(source, board))


def honest(sitting: Sitting) -> Evening:
    return as_shown(sitting, sitting.promised)


def as_shown(sitting: Sitting, source: Fairness) -> Evening:
    """The game is played by this source before everyone's eyes, and the record tells of it."""
    game = play_out(sitting, source)
    return Evening(told(game, source), kept(sitting, game, source.seating().index(HONEST_CHAIR), source))


# The cheats.


def secret_after_the_salt(sitting: Sitting) -> Evening:
    """The table knows the salts, and only then takes a secret."""
    promised = sitting.promised
    tried = (replace(promised, secret=sitting.generator.randbytes(32)) for _ in range(TRIES))
    return as_shown(sitting, best_of(tried, sitting.board))


def another_id(sitting: Sitting) -> Evening:
    """The secret stays, and the id of the record is taken until the cards are good."""
    tried = (replace(sitting.promised, game=f"{sitting.promised.game}-{number}") for number in range(TRIES))
    return as_shown(sitting, best_of(tried, sitting.board))


def salt_for_the_bot(sitting: Sitting) -> Evening:
    """The bot's chair, too, has a salt: the last one, taken when all others are known."""
    tried = (with_own_salt(sitting.promised, FAVOURED_CHAIR, salt) for salt in new_salts(sitting))
    return as_shown(sitting, best_of(tried, sitting.board))


def another_game(sitting: Sitting) -> Evening:
    """People are shown a game whose cards the table likes; the record is of one that nobody played."""
    promised = sitting.promised
    tried = [replace(promised, secret=sitting.generator.randbytes(32)) for _ in range(TRIES)]
    seat = promised.seating().index(HONEST_CHAIR)
    source = best_of(tried, sitting.board)
    shown = kept(sitting, play_out(sitting, source), seat, source)
    return Evening(told(play_out(sitting, promised), promised), shown)


def salt_left_out(sitting: Sitting) -> Evening:
    """The table says that a salt did not come in time, if it likes the deal without it better."""
    return as_shown(sitting, with_salts(sitting.promised, {HONEST_CHAIR: None}))


def another_seal(sitting: Sitting) -> Evening:
    """At the last moment the table puts a seal of its own in the place of the honest one, to reveal what it likes."""
    tried = (with_own_salt(sitting.promised, HONEST_CHAIR, salt) for salt in new_salts(sitting))
    return unrevealed(sitting, best_of(tried, sitting.board))


def choice_after_the_game(sitting: Sitting) -> Evening:
    """Nobody saw which ticket the bot kept: when all is over, it is the one that was the better choice."""
    while True:
        record, receipt = honest(sitting)
        seat = record["fairness"]["seating"].index(FAVOURED_CHAIR)
        for offer, keep in zip(record["events"], record["events"][1:], strict=False):
            if keep["e"] == "keep" and keep["seat"] == seat and len(keep["tickets"]) == 1:
                decided = keep["tickets"]
                keep["tickets"] = [ticket for ticket in offer["tickets"] if ticket not in decided]
                with suppress(FairnessError):
                    check_fairness(record)  # nobody drew the ticket that lies elsewhere now
                    scored = replay(record, sitting.board).record()
                    return Evening(scored | {"fairness": record["fairness"]}, receipt)
                keep["tickets"] = decided


def another_past(sitting: Sitting) -> Evening:
    """In the middle of the game people are shown another one; the record is of the first."""
    record, receipt = honest(sitting)
    return Evening(record, receipt | {"differed": True})


def the_first_scheme(sitting: Sitting) -> Evening:
    """A record by the scheme of older games, which bound so little that the table can take the id that it likes."""
    promised = sitting.promised
    salts = tuple(salt or "" for salt in promised.salts)
    tried = [FirstFairness(promised.secret, f"{promised.game}-{number}", salts) for number in range(TRIES)]
    source = best_of(tried, sitting.board)
    game, seat = play_out(sitting, source), source.seating().index(HONEST_CHAIR)
    return Evening(told(game, source), kept(sitting, game, seat, promised))


def seal_for_the_bot(sitting: Sitting) -> Evening:
    """Before the salts are revealed, the bot has a seal: whoever sees that reveals nothing."""
    with_bot = with_own_salt(sitting.promised, FAVOURED_CHAIR, "b07")
    return unrevealed(sitting, with_salts(with_bot, {HONEST_CHAIR: None}))


def copied_seal(sitting: Sitting) -> Evening:
    """The bot has the very seal of the honest player, so that their chairs can be exchanged when the salt is known."""
    promised, salt = sitting.promised, sitting.salt
    copied = with_own_salt(promised, FAVOURED_CHAIR, salt)
    found = best_of((copied, with_salts(copied, {FAVOURED_CHAIR: None})), sitting.board)
    record, receipt = as_shown(sitting, found)
    return Evening(record, receipt | {"seals": list(found.seals), "kinds": ["person"] * len(found.seals)})


def bot_called_a_person(sitting: Sitting) -> Evening:
    """For the one message with the seals the bot is a person, who has a salt, and reveals it or not."""
    bot = with_own_salt(sitting.promised, FAVOURED_CHAIR, sitting.generator.randbytes(16).hex())
    found = best_of((bot, with_salts(bot, {FAVOURED_CHAIR: None})), sitting.board)
    record, receipt = as_shown(sitting, found)
    return Evening(record, receipt | {"seals": list(found.seals)})


# Where nobody can say afterwards whether it was a cheat: what is shown to be fair must not be one of these.


def salt_too_late(sitting: Sitting) -> Evening:
    """The table lets no salt in but that of a friend, who has given the last seal: any text that it liked."""
    friend = 2 if len(sitting.promised.seals) > 2 else HONEST_CHAIR

    def with_seal(seal: str) -> Fairness:
        seals = list(sitting.promised.seals)
        if friend != HONEST_CHAIR:
            seals[friend] = seal
        return replace(sitting.promised, seals=tuple(seals), salts=(None,) * len(seals))

    found = best_of((with_seal(seal_of(salt)) for salt in new_salts(sitting)), sitting.board)
    record, receipt = as_shown(sitting, found)
    return Evening(record, receipt | {"revealed": False, "seals": list(found.seals)})


def salt_known_before(sitting: Sitting) -> Evening:
    """The salt is part of the game, though its owner never gave it: who else knew it, nobody can say."""
    record, receipt = honest(sitting)
    return Evening(record, receipt | {"given": False, "revealed": False})


def tables_before(sitting: Sitting) -> Evening:
    """Tables take a salt and are not there any more, until one of them has a deal that the table likes."""
    record, receipt = honest(sitting)
    return Evening(record, receipt | {"undealt": ["earlier-1", "earlier-2"]})


def older_receipt(sitting: Sitting) -> Evening:
    """A page of former times gave its salt for an empty list of seals, too, and its receipt does not tell."""
    record, receipt = honest(sitting)
    return Evening(record, {key: receipt[key] for key in receipt if key not in ("kinds", "given", "undealt")})


def half_a_game(sitting: Sitting) -> Evening:
    """The connection is cut in the middle: what came later, only the record says."""
    record, receipt = honest(sitting)
    seat, half = record["fairness"]["seating"].index(HONEST_CHAIR), len(record["events"]) // 2
    events = [as_seen(event, seat, at, sitting.promised) for at, event in enumerate(record["events"][:half])]
    return Evening(record, receipt | {"seen": {"events": half, "hash": hash_events(events)}})


def with_salts(source: Fairness, salts: dict[int, str | None]) -> Fairness:
    """With other salts for some chairs, or without them."""
    changed = tuple(salts.get(chair, salt) for chair, salt in enumerate(source.salts))
    return replace(source, salts=changed)


def with_own_salt(source: Fairness, chair: int, salt: str) -> Fairness:
    """With this salt for a chair, and its seal."""
    seals = (*source.seals[:chair], seal_of(salt), *source.seals[chair + 1 :])
    return replace(source, seals=seals, salts=(*source.salts[:chair], salt, *source.salts[chair + 1 :]))


def new_salts(sitting: Sitting) -> list[str]:
    return [sitting.generator.randbytes(16).hex() for _ in range(TRIES)]


def unrevealed(sitting: Sitting, source: Fairness) -> Evening:
    """The honest player saw at the last moment that something was wrong, and kept the salt."""
    record, receipt = as_shown(sitting, source)
    return Evening(record, receipt | {"seals": None, "given": False, "revealed": False})


CHEATS: dict[str, Callable[[Sitting], Evening]] = {
    "the secret chosen after the salts": secret_after_the_salt,
    "another id": another_id,
    "a salt for the bot": salt_for_the_bot,
    "another game": another_game,
    "a salt left out": salt_left_out,
    "another seal": another_seal,
    "a choice after the game": choice_after_the_game,
    "another past": another_past,
    "the first scheme": the_first_scheme,
    "a seal for the bot": seal_for_the_bot,
    "a copied seal": copied_seal,
    "a bot called a person": bot_called_a_person,
}

SEEN_IN_THE_RECORD = {"a copied seal"}
"""Cheats whose record does not even agree with itself."""

DOUBTS: dict[str, Callable[[Sitting], Evening]] = {
    "a salt too late": salt_too_late,
    "half a game": half_a_game,
    "a salt known before": salt_known_before,
    "tables before": tables_before,
    "an older receipt": older_receipt,
}
