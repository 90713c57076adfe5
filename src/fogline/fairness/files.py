"""Records in files, which may hold anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .faults import FairnessError


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


def parse(text: str, what: str = "the record") -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FairnessError(f"{what} is not JSON: {error}") from None
