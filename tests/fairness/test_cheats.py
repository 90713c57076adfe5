"""Cheats of the table itself: the command, the library and the example find each, and let honest games pass."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fogline.fairness import FairnessError, as_seen, hash_events
from fogline.game.record import audit, prove
from fogline.game.recordfile import RecordError
from fogline.maps.board import Board
from tests import mutated
from tests.conformance import ROOT
from tests.dishonest import CHEATS, DOUBTS, SEEN_IN_THE_RECORD, Evening, honest, sit_down
from tests.program import Program
from tests.seeds import seeds
from tests.tier import pick

EXAMPLE = ROOT / "examples/check_receipt.py"
PLAYERS = (2, 3, 4)
DOUBTFUL_SALT = ("the receipt's salt is not part of the game, so the table could have chosen the cards",)

each_cheat = pytest.mark.parametrize("cheat", CHEATS)
each_doubt = pytest.mark.parametrize("doubt", DOUBTS)


def evening(cheat: str | None, seed: int, map: str = "tiny") -> Evening:
    sitting = sit_down(Board.load(map), PLAYERS[seed % 3], seed)
    return honest(sitting) if cheat is None else (CHEATS | DOUBTS)[cheat](sitting)


def check_with_example(found: Evening, folder: Path) -> subprocess.CompletedProcess[str]:
    """As it is run by somebody who has nothing but Python."""
    paths = [folder / "game.json", folder / "receipt.json"]
    for path, value in zip(paths, found, strict=True):
        path.write_text(json.dumps(value))
    return subprocess.run([sys.executable, "-I", "-S", EXAMPLE, *paths], capture_output=True, text=True, check=False)


def example(question: str, found: Evening) -> list[str]:
    """What the example says, without a process for each of many games."""
    namespace: dict[str, object] = {"__name__": "example"}
    exec(compile(EXAMPLE.read_text("utf-8"), EXAMPLE, "exec"), namespace)
    return list(namespace[question](*found))  # type: ignore[operator]


def problems(found: Evening) -> list[str]:
    return example("problems", found)


@each_cheat
def test_a_cheat_is_found_every_time(cheat: str) -> None:
    for seed in seeds(pick(20, 100)):
        found = evening(cheat, seed)
        if cheat not in SEEN_IN_THE_RECORD:
            prove(found.record)  # which agrees with itself
        with pytest.raises(FairnessError):
            prove(found.record, receipt=found.receipt)
        assert problems(found), seed


@each_cheat
def test_a_cheat_on_the_real_board_is_found(cheat: str) -> None:
    for seed in seeds(pick(2, 20)):
        found = evening(cheat, seed, "san_francisco")
        with pytest.raises(FairnessError):
            prove(found.record, receipt=found.receipt)
        assert problems(found), seed


def test_no_honest_game_is_called_unfair() -> None:
    for seed in seeds(pick(100, 10_000)):
        found = evening(None, seed)
        assert prove(found.record, receipt=found.receipt).fair, seed
        assert problems(found) + example("doubts", found) == [], seed


@each_doubt
def test_what_may_be_a_cheat_is_never_called_fair(doubt: str) -> None:
    for seed in seeds(pick(20, 100)):
        found = evening(doubt, seed)
        proof = prove(found.record, receipt=found.receipt)
        assert (proof.fair, len(proof.doubts)) == (False, 1), seed
        assert (problems(found), len(example("doubts", found))) == ([], 1), seed


def test_the_cheats_would_be_worth_it() -> None:
    """Else finding them would show nothing: with forty tries the bot nearly always moves first."""
    for cheat in (
        "the secret chosen after the salts",
        "another id",
        "a salt for the bot",
        "another seal",
        "the first scheme",
    ):
        first = [evening(cheat, seed).record["fairness"]["seating"][0] == 1 for seed in seeds(20)]
        assert sum(first) >= 18, cheat


@each_cheat
def test_the_command_and_the_example_say_what_is_wrong(cheat: str, fogline: Program, tmp_path: Path) -> None:
    found = evening(cheat, 1)
    ran = check_with_example(found, tmp_path)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert ran.stdout.strip()
    game, receipt = tmp_path / "game.json", tmp_path / "receipt.json"
    assert fogline("audit", "--fairness", game).code == int(cheat in SEEN_IN_THE_RECORD)
    audited = fogline("audit", "--fairness", "--receipt", receipt, game)
    assert audited.code == 1
    assert audited.err.startswith("game 1: not fair: ")


def test_the_command_and_the_example_let_an_honest_game_pass(fogline: Program, tmp_path: Path) -> None:
    found = evening(None, 1)
    assert check_with_example(found, tmp_path).returncode == 0
    audited = fogline("audit", "--fairness", "--receipt", tmp_path / "receipt.json", tmp_path / "game.json")
    assert (audited.code, audited.err) == (0, "")
    assert "it is the game that the receipt saw" in " ".join(audited.out.split())


@each_doubt
def test_the_command_and_the_example_say_what_is_left_open(doubt: str, fogline: Program, tmp_path: Path) -> None:
    found = evening(doubt, 2)
    ran = check_with_example(found, tmp_path)
    assert (ran.returncode, ran.stderr) == (1, "")
    audited = fogline("audit", "--fairness", "--receipt", tmp_path / "receipt.json", tmp_path / "game.json")
    assert audited.code == 1
    assert audited.err.startswith("game 1: not proven to be fair: ")


def test_changed_anywhere_all_checkers_say_the_same_of_a_record_and_its_receipt() -> None:
    """The page is asked the same in `web/tests/receipts.test.ts`. The example does not ask for cards and map."""
    words: Counter[str] = Counter()
    for seed in seeds(pick(1, 20)):
        for case in mutated.cases(pick(400, 1000), seed):
            pair = mutated.pair_of(case)
            found = mutated.ask_module(pair)
            words[found.word] += 1
            assert found.of_the_game or mutated.ask_example(pair) == found.word, case
            assert found.word in ("cheat", "damaged") or is_not_kinder(pair, found.word), case
    assert min(words[word] for word in ("fair", "doubt", "cheat", "damaged")) > 20


def is_not_kinder(pair: list[Any], word: str) -> bool:
    """The command asks for the rules, too."""
    try:
        audit(pair[0])
        return prove(pair[0], receipt=pair[1]).fair == (word == "fair")
    except (FairnessError, RecordError):
        return True


@pytest.mark.parametrize("content", ["null", "[]", "7", "", "{}", "{broken"])
def test_a_file_that_is_no_receipt_never_passes_in_silence(content: str, fogline: Program, tmp_path: Path) -> None:
    check_with_example(evening(None, 1), tmp_path)
    game, receipt = tmp_path / "game.json", tmp_path / "receipt.json"
    receipt.write_text(content)
    for options in (["--fairness"], []):
        assert fogline("audit", *options, "--receipt", receipt, game).code != 0
    command = [sys.executable, "-m", "fogline.fairness", str(game), "--receipt", str(receipt)]
    assert subprocess.run(command, capture_output=True, check=False).returncode != 0
    ran = subprocess.run([sys.executable, EXAMPLE, game, receipt], capture_output=True, text=True, check=False)
    assert ran.returncode != 0
    assert ran.stderr.startswith("This cannot be checked: ")


def test_somebody_without_a_chair_compares_what_they_saw() -> None:
    found = evening(None, 3)
    sitting = sit_down(Board.load("tiny"), PLAYERS[3 % 3], 3)
    events = [as_seen(event, None, at, sitting.promised) for at, event in enumerate(found.record["events"])]
    watched = found.receipt | {"chair": None, "sealed": False, "given": False, "revealed": False, "seals": None}
    watched["seen"] = {"events": len(events), "hash": hash_events(events)}
    assert prove(found.record, receipt=watched).doubts == DOUBTFUL_SALT
    assert problems(Evening(found.record, watched)) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kinds": ["person"]}, "kinds must list 3 of open, person, bot"),
        ({"kinds": ["person", "bot", "cat"]}, "kinds must list 3 of open, person, bot"),
        ({"given": 1}, "given is true or false"),
        ({"given": False}, "what was not given is not revealed"),
        ({"revealed": False, "seals": None}, "no salt is given before all seals are written down"),
        ({"sealed": False}, "what was not sealed is not revealed"),
        ({"undealt": 3}, "undealt must list tables"),
        ({"game": 7}, "game and commitment are texts"),
        ({"seals": []}, "a table with other chairs"),
        ({"seen": {}}, "seen must have the number of events and their hash"),
        ({"chair": 7}, "there is no such chair"),
        ({"seals": [None]}, "a table with other chairs"),
        ({"salt": None}, "receipt: a salt has 1 to 64"),
        ({"chair": None}, "without a chair nothing can be sealed"),
        ({"differed": "no"}, "true or false"),
        ({"seen": {"events": 10_000, "hash": ""}}, "and the record has fewer"),
    ],
)
def test_a_receipt_that_is_none_is_refused_in_words(change: dict[str, object], words: str) -> None:
    found = evening(None, 1)
    with pytest.raises(FairnessError, match=words):
        prove(found.record, receipt=found.receipt | change)
    nothing: tuple[object, ...] = ([], 7, {})
    for receipt in nothing:
        with pytest.raises(FairnessError, match="a receipt has game, commitment"):
            prove(found.record, receipt=receipt)


def test_a_receipt_that_is_no_file_is_a_wrong_call(fogline: Program, tmp_path: Path) -> None:
    check_with_example(evening(None, 1), tmp_path)
    ran = fogline("audit", "--fairness", "--receipt", tmp_path / "none.json", tmp_path / "game.json")
    assert ran.code == 2
    assert "none.json cannot be read" in ran.err
