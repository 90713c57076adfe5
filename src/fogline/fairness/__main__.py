"""The program: `python -m fairness game.json`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from .check import check_fairness
from .faults import FairnessError
from .files import parse, read_receipt_file, record_texts
from .pieces import load_map


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check that nobody chose what chance brought in recorded games.")
    parser.add_argument("file", type=Path, help="a record, or a file with one a line")
    parser.add_argument("--map", type=Path, metavar="FILE", help="the map file, where the map is one of your own")
    parser.add_argument("--receipt", type=Path, metavar="FILE", help="what your browser kept of the game")
    options = parser.parse_args(arguments)
    try:
        map_data = None if options.map is None else load_map(options.map)
        receipt = None if options.receipt is None else read_receipt_file(options.receipt)
        texts = record_texts(options.file)
    except FairnessError as error:
        parser.error(str(error))
    return max([_tell(number, text, map_data, receipt) for number, text in enumerate(texts, 1)], default=0)


def _tell(number: int, text: str, map_data: dict[str, Any] | None, receipt: Any) -> int:
    """Says what is found in one record; 1 where it is not fair, or where a receipt does not show that it is."""
    try:
        proof = check_fairness(parse(text), map_data, receipt)
    except FairnessError as error:
        sys.stderr.write(f"game {number}: not fair: {error}\n")
        return 1
    unproven = receipt is not None and not proof.fair
    verdict = "fair" if proof.fair else "not proven" if unproven else "agrees with itself"
    sys.stdout.write(f"game {number}: {verdict}: {proof}\n")
    return int(unproven)


if __name__ == "__main__":
    sys.exit(main())
