"""`fogline train`."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from fogline.commands.command import Command, UsageError

FOLDER = Path(__file__).resolve().parents[3] / "training"
"""Scripts that come with the project's source, and not with the installed package."""

EXAMPLES = """\
  fogline train --out run                               the whole training, a quarter of an hour on one H200
  fogline train --out run --minutes 9                   only so long; what was learnt is in run/checkpoint.pt
  fogline train --out run --resume run/checkpoint.pt    and on from there
  fogline train --out less --without questions          what a part of the network is good for
  fogline train --out answer --start run/weights.npz --against run/weights.npz --decisions 2e9    how to beat it
  fogline train --out try --device cpu --games2 32 --games3 16 --games4 16 --width 64 --decisions 3e5
  fogline train --options                               all that can be set"""

GUIDE = """

while it trains, on cores that it leaves free:
  python training/evaluate.py run --watch               plays every file of weights against planners
  python training/curves.py run                         draws it all: run/curves.svg

when it has ended:
  fogline arena run/weights.npz neural --games 400      against the player that comes with Fogline
  fogline arena run/weights.npz planner --players 4     one seat against three planners
  python training/habits.py run/weights.npz             what it does: how many tickets it keeps, whether it blocks
  python training/foresight.py run/weights.npz          how far to look ahead with it
  FILE.npz stands for a player wherever one is named for the arena, the ladder or an environment

It needs an NVIDIA GPU and pip install "fogline[gpu]", and a checkout of the source, where training/ is;
--device cpu is for seeing it work. docs/players.md tells how it works."""


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--options", action="store_true", help="tell all that can be set, and do nothing")
    parser.set_defaults(others=[])  # whatever else is written goes on to the script
    parser.epilog = f"{parser.epilog}{GUIDE}"


def _train(arguments: argparse.Namespace) -> int:
    script = FOLDER / "selfplay.py"
    if not script.exists():
        raise UsageError("training/ is not here: it comes with the source of Fogline, not with the installed package")
    options = ["--help"] if arguments.options else arguments.others
    return subprocess.run([sys.executable, str(script), *options], check=False).returncode


COMMANDS = (Command("train", "train the neural player anew, on one GPU", EXAMPLES, _arguments, _train),)
