"""Records in files, which may hold anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .faults import Damaged, FairnessError


def read(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise FairnessError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise FairnessError(f"{path} is not a text file") from None


def record_texts(path: Path) -> list[str]:
    """The records of a file: a single one, or one a line."""
    text = read(path)
    lines = [line for line in text.split("\n") if line.strip()]
    return lines if lines and all(line.startswith("{") for line in lines[:2]) else [text]


def read_receipt_file(path: Path) -> dict[str, Any]:
    found = parse(read(path), "the receipt")
    if type(found) is not dict:
        raise Damaged("a receipt is a JSON object")
    return found


def parse(text: str, what: str = "the record") -> Any:
    """As a browser reads it: 1.0 is 1, and NaN is no number."""
    try:
        return json.loads(text, parse_float=_number, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise Damaged(f"{what} is not JSON: {error}") from None


def _number(text: str) -> float | int:
    value = float(text)
    return int(value) if value.is_integer() else value


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")
