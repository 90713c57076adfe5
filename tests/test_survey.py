"""The survey of mutants: which it draws, and which tier it finds that notices them."""

import json
from pathlib import Path

import pytest

from tests.survey.__main__ import main
from tests.survey.mutant import draw

TOY = '''"""A toy."""

import logging

_LOGGER = logging.getLogger(__name__)
SPARE = True


def is_small(number: int | None) -> bool:
    """Less than 1."""
    _LOGGER.info("%s is asked for", number + 1)
    return number < 1
'''

TESTS = """
from toy.room.numbers import is_small

def test_of_another_machine():
    assert False

def test_is_small(request):
    assert is_small(0)
    assert not is_small(5)
    assert not request.config.getoption("thorough") or not is_small(1)
"""

OPTION = """
def pytest_addoption(parser):
    parser.addoption("--thorough", action="store_true")
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Its thorough tier sees more, and neither sees everything."""
    for name in ("src/toy/room", "tests/room"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "src/toy/room/numbers.py").write_text(TOY)
    (tmp_path / "tests/conftest.py").write_text(OPTION)
    (tmp_path / "tests/room/test_numbers.py").write_text(TESTS)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take longer to load than the toy to test
    return tmp_path


def test_only_what_makes_a_difference_is_drawn(toy: Path) -> None:
    found = {(mutant.source, mutant.broken) for mutant in draw(toy, [], 99, seed=1)}
    assert found == {
        *(("True", "(False)"), ("1", "(2)"), ("1", "(0)")),
        *(("number < 1", "(number <= 1)"), ("number < 1", "None")),
    }


def test_a_seed_draws_the_same_and_another_others(toy: Path) -> None:
    first, same, other = (draw(toy, [], 5, seed) for seed in (1, 1, 2))
    assert first == same != other
    assert set(first) == set(other)
    assert draw(toy, ["nowhere"], 5, seed=1) == []
    assert draw(toy, ["room"], 3, seed=1) == first[:3]


def test_the_first_tier_that_can_see_a_mutant_notices_it(toy: Path) -> None:
    main(["--root", str(toy), "--output", str(toy / "found.json"), "--thorough", "--processes=2"])
    assert (toy / "src/toy/room/numbers.py").read_text() == TOY
    found = {mutant["broken"]: mutant for mutant in json.loads((toy / "found.json").read_text())}
    assert {broken: mutant["verdict"] for broken, mutant in found.items()} == {
        **dict.fromkeys(("None", "(0)"), "quick"),
        **dict.fromkeys(("(number <= 1)", "(2)"), "thorough"),
        "(False)": "survived",
    }
    assert found["None"]["quick"] == "tests/room/test_numbers.py::test_is_small"
    assert found["(2)"]["thorough"] == found["None"]["quick"]


def test_when_the_time_is_over_nothing_is_tried(toy: Path) -> None:
    main(["--root", str(toy), "--output", str(toy / "found.json"), "--minutes=0"])
    assert {mutant["verdict"] for mutant in json.loads((toy / "found.json").read_text())} == {"open"}
