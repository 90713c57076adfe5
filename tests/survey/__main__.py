"""Draws mutants and writes which tier of the tests notices them: `python -m tests.survey --mutants 60`."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from fogline.commands.command import console, progress_bar
from tests.conformance import ROOT
from tests.survey.mutant import Mutant, draw
from tests.survey.stage import Stage, stages
from tests.survey.tree import copy_tree, first_failure
from tests.survey.trial import Trial, Unbroken, table


def main(words: Sequence[str] | None = None) -> None:
    arguments = _parser().parse_args(words)
    with tempfile.TemporaryDirectory(prefix="survey-", ignore_cleanup_errors=True) as folder:
        unbroken = Unbroken(Path(folder) / "unbroken", arguments.options)
        copy_tree(arguments.root, unbroken.tree)
        if fault := first_failure(unbroken.tree, *arguments.options, "--collect-only", "tests"):
            raise SystemExit(f"The tests cannot be collected: {fault}")
        mutants = draw(unbroken.tree, arguments.rooms, arguments.mutants, arguments.seed)
        trials = [_trial(unbroken.tree, folder, mutant, arguments.thorough) for mutant in mutants]
        hold(trials, unbroken, arguments)
    console.print(f"{table(trials)}\nWritten to {arguments.output}")


def _trial(tree: Path, folder: str, mutant: Mutant, thorough: bool) -> Trial:
    """In a copy that shares all files but the broken one, and so takes no time."""
    broken = Path(tempfile.mkdtemp(dir=folder))
    shutil.copytree(tree, broken, copy_function=os.link, symlinks=True, dirs_exist_ok=True)
    mutant.apply(broken)
    return Trial(mutant, broken, stages(tree, mutant, thorough=thorough))


def hold(trials: list[Trial], unbroken: Unbroken, arguments: argparse.Namespace) -> None:
    """The first stage of all trials, then the second of all: wherever the time ends, all have had their share."""
    end = time.monotonic() + 60 * arguments.minutes
    turns = max((len(trial.stages) for trial in trials), default=0)
    order = [(trial, trial.stages[turn]) for turn in range(turns) for trial in trials if turn < len(trial.stages)]

    def take(trial: Trial, stage: Stage) -> None:
        if time.monotonic() < end and trial.decides(stage, unbroken):
            progress.console.print(trial.verdict, *trial.mutant, *trial.noticed.values(), markup=False, soft_wrap=True)

    with ThreadPoolExecutor(arguments.processes) as pool, progress_bar() as progress:
        task = progress.add_task("trying", total=len(order))
        try:
            for future in as_completed([pool.submit(take, *job) for job in order]):
                future.result()
                _write(trials, arguments.output)
                progress.advance(task)
        finally:
            pool.shutdown(cancel_futures=True)


def _write(trials: list[Trial], file: Path) -> None:
    """Again and again, so that nothing is lost."""
    found = [trial.as_json() for trial in trials]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.survey", description=__doc__)
    parser.add_argument("--mutants", type=int, default=60, metavar="N", help="how many, the same from each room")
    parser.add_argument("--rooms", nargs="+", default=[], metavar="ROOM", help="all by default")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another one draws other mutants")
    parser.add_argument("--thorough", action="store_true", help="try the thorough tier on what the quick tier misses")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), metavar="N", help="one a core by default")
    parser.add_argument("--minutes", type=float, default=60, metavar="N", help="start nothing more after that")
    parser.add_argument("--output", type=Path, default=ROOT / "build/survey.json", metavar="FILE")
    parser.add_argument("--root", type=Path, default=ROOT, metavar="FOLDER", help="another project, with src and tests")
    parser.add_argument("options", nargs="*", metavar="-- OPTIONS", help="of pytest, such as -- --ignore=tests/page")
    return parser


if __name__ == "__main__":
    main()
