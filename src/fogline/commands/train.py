"""`fogline train`."""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from fogline.commands.command import Command, UsageError

FOLDER = Path(__file__).resolve().parents[3] / "training"
"""Scripts that come with the project's source, and not with the installed package."""

INSTALL = 'pip install -e ".[gpu,plots]" in a checkout of the source'

EXAMPLES = """\
  fogline train --out run                               the whole training, a quarter of an hour on one H200
  fogline train --out run --minutes 9                   only so long, or until ctrl-C; what was learnt is kept
  fogline train --out run --resume run/checkpoint.pt    and on from there, with the same settings
  fogline train --out less --without questions          what a part of the network is good for
  fogline train --out answer --start run/weights.npz --against run/weights.npz --decisions 1.7e9 \\
      --lr 2e-4 --entropy 0.01 --built 0 --try-keeps 0 --try-tickets 0 --margin 0.05    how to beat it
  fogline train --out try --device cpu --compile 0 --games2 64 --games3 0 --games4 0 --width 64 \\
      --minibatch 256 --average 0.99 --planners 0 --decisions 2e5       to see it work: in two minutes it beats random
  fogline train --options                               all that can be set"""

GUIDE = f"""

while it trains, on cores that it leaves free:
  python training/evaluate.py run --watch --cores 4     plays every file of weights against planners
  python training/curves.py run                         draws it all: run/curves.svg

when it has ended:
  fogline arena run/weights.npz neural --games 400      against the player that comes with Fogline
  fogline arena run/weights.npz planner --players 4     one seat against three planners
  python training/habits.py run/weights.npz             what it does: how many tickets it keeps, whether it blocks
  python training/foresight.py run/weights.npz          how far to look ahead with it
  FILE.npz stands for a player wherever one is named for the arena, the ladder or an environment

A whole training should come to 95 % against planners with two players, 76 % with three and 66 % with four.
It needs an NVIDIA GPU, and {INSTALL};
--device cpu is for seeing it work. docs/players.md tells how it works."""


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--options", action="store_true", help="tell all that can be set, and do nothing")
    parser.set_defaults(others=[])  # whatever else is written goes on to the script
    parser.epilog = f"{parser.epilog}{GUIDE}"


def _train(arguments: argparse.Namespace) -> int:
    script = FOLDER / "selfplay.py"
    if not script.exists():
        raise UsageError("training/ is not here: it comes with the source of Fogline, not with the installed package")
    if find_spec("torch") is None:
        raise UsageError(f"training needs torch, which is not here: {INSTALL}")
    return _run([sys.executable, str(script), *(["--help"] if arguments.options else arguments.others)])


def _run(command: list[str]) -> int:
    """Ctrl-C is for the script, which then keeps what was learnt; we wait for it as long as that takes."""
    with subprocess.Popen(command) as script:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            return script.wait()
        finally:
            signal.signal(signal.SIGINT, before)


COMMANDS = (Command("train", "train the neural player anew, on one GPU", EXAMPLES, _arguments, _train),)
