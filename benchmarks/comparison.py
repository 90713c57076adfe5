"""Comparisons: which programs are measured beside Fogline, where they live, and how they run.

Each is a small program in the folder others/. It runs in its own process and its own virtual environment, which is made
if missing. Fogline's own part runs in this environment, in the same loop.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from serving import Cores, available_cores, on_cores

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "others"
REQUIREMENTS = FOLDER / "requirements.txt"
ENVIRONMENT = HERE.parent / "build" / "others"

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Program:
    """One of the programs in others/, and what it is asked to play."""

    name: str
    games: tuple[str, ...]
    at_once: int | None = None  # on each core
    ours: bool = False

    def arguments(self, cores: int) -> list[str]:
        at_once = [] if self.at_once is None else [f"--at-once={self.at_once * cores}"]
        return [str(FOLDER / f"play_{self.name}.py"), *self.games, *at_once]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two programs that get the same task."""

    key: str
    title: str
    told: str
    ours: Program
    theirs: Program
    on_all_cores: bool = False  # too

    @property
    def programs(self) -> tuple[Program, Program]:
        return replace(self.ours, ours=True), self.theirs


COMPARISONS = (
    Comparison(
        "pgx",
        "Many games at once",
        "A step tells the legal actions and an observation, and where a game has ended the next begins. "
        "Choosing the actions counts.",
        Program("fogline", ("Fogline, 2 players",), 8192),
        Program("pgx", ("backgammon", "sparrow mahjong"), 1024),
        on_all_cores=True,
    ),
    Comparison(
        "pettingzoo",
        "One game through PettingZoo",
        "The same loop for all: `last`, a legal action from the mask, `step`. Every step tells an observation.",
        Program("pettingzoo", ("Fogline, 2 players",)),
        Program("pettingzoo", ("connect four", "Texas hold'em, no limit", "Hanabi")),
    ),
    Comparison(
        "openspiel",
        "One game through OpenSpiel",
        "The same loop in Python for all; Fogline's game is in Python as well, the others are in C++. What chance "
        "draws takes time, but is not counted. Nobody observes.",
        Program("openspiel", ("Fogline, 2 players",)),
        Program("openspiel", ("backgammon", "gin rummy", "Leduc poker")),
    ),
    Comparison(
        "catanatron",
        "One game from Python",
        "Whole games of four players who choose at random.",
        Program("fogline", ("Fogline, 4 players",)),
        Program("catanatron", ("Catan, 4 players",)),
    ),
)
NAMES = tuple(comparison.key for comparison in COMPARISONS)


@dataclass(frozen=True, slots=True)
class Row:
    """One measured game."""

    comparison: str
    library: str  # and its version
    game: str
    at_once: int
    cores: int
    steps_per_second: float
    games_per_second: float | None  # None for many games at once
    step: str


class Others:
    """One run of all comparisons; `left_out` says which programs did not run, and why."""

    def __init__(self, chosen: tuple[str, ...], environment: Path, seconds: float, repeats: int) -> None:
        self.chosen = chosen
        self.environment = environment
        self.seconds = seconds
        self.repeats = repeats
        self.rows: list[Row] = []
        self.left_out: list[dict[str, Any]] = []

    def install(self, progress: Progress) -> None:
        if self.chosen:
            progress("installing the other engines, where it has not been done before")
            make_environment(self.environment)

    def measure(self, progress: Progress) -> None:
        for comparison, program, cores in self._plan():
            progress(f"beside others: {comparison.title.lower()}, play_{program.name}, {_cores(cores)}")
            self._run(comparison, program, cores)

    def as_json(self) -> dict[str, Any]:
        return {"others": list(self.chosen), "beside": [asdict(row) for row in self.rows], "left_out": self.left_out}

    @property
    def failed(self) -> bool:
        """Whether one of the other programs did not run. Fogline may lack the libraries of an interface."""
        return any(not missing["ours"] for missing in self.left_out)

    def _plan(self) -> Iterator[tuple[Comparison, Program, frozenset[int]]]:
        one = Cores.one(available_cores()).server
        every = frozenset(os.sched_getaffinity(0)) if one else one
        for comparison in COMPARISONS:
            for cores in (one, every) if comparison.on_all_cores and every != one else (one,):
                for program in comparison.programs:
                    if program.ours or comparison.key in self.chosen:
                        yield comparison, program, cores

    def _run(self, comparison: Comparison, program: Program, cores: frozenset[int]) -> None:
        count = len(cores) or os.cpu_count() or 1
        python = sys.executable if program.ours else python_of(self.environment)
        command = [python, *program.arguments(count), f"--seconds={self.seconds}", f"--repeats={self.repeats}"]
        with on_cores(cores):
            environment = os.environ | {"JAX_PLATFORMS": "cpu", "PYTHONWARNINGS": "ignore"}
            done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if done.returncode:
            why = (done.stderr.strip() or "nothing was said").splitlines()[-1]
            what = f"{program.name}: {', '.join(program.games)}"
            self.left_out.append({"comparison": comparison.key, "ours": program.ours, "what": what, "why": why})
            return
        told = json.loads(done.stdout)
        for figure in told["figures"]:
            at_once = figure.pop("batch")
            self.rows.append(Row(comparison.key, told["library"], at_once=at_once, cores=count, **figure))


def make_environment(environment: Path) -> None:
    """A virtual environment with the versions in requirements.txt, made again when they change."""
    ready, wanted = environment / "ready", REQUIREMENTS.read_text("utf-8")
    if ready.exists() and ready.read_text("utf-8") == wanted:
        return
    subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True)
    install = [python_of(environment), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.run([*install, "--requirement", str(REQUIREMENTS)], check=False).returncode:
        sys.exit("the other engines cannot be installed; --others none measures Fogline alone")
    ready.write_text(wanted, "utf-8")


def python_of(environment: Path) -> str:
    return str(environment / "bin" / "python")


def _cores(cores: frozenset[int]) -> str:
    return "one core" if len(cores) == 1 else "all cores"
