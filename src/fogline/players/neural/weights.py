"""Files of weights: what a network has learnt, for which map, and how."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from fogline.maps.board import Board
from fogline.players.neural.network import shapes

FORMAT = 1


class WeightsError(ValueError):
    """A file that holds no weights."""


class OtherMap(WeightsError):
    """Weights that were learnt on another map."""


def save_weights(path: Path, board: Board, weights: dict[str, np.ndarray], told: dict[str, Any]) -> None:
    """Writes a file of weights; `told` says how they came to be."""
    about = {"format": FORMAT, "map": board.id, "board": board_digest(board), **told}
    half = path.with_name(f"{path.name}.part")  # readers of the folder must find whole files only
    with half.open("wb") as file:
        np.savez_compressed(file, **{"about": np.array(json.dumps(about)), **weights})  # type: ignore[arg-type]
    half.replace(path)


def load_weights(path: Path, board: Board) -> dict[str, np.ndarray]:
    """The weights, in 32 bits, if they are for this board."""
    about, found = _read(path)
    if about.get("board") != board_digest(board):
        raise OtherMap(f"{path} was trained on the map {about.get('map')!r}, which differs from {board.id!r} here")
    _check_shapes(path, board, found)
    return {name: weight.astype(np.float32) for name, weight in found.items()}


def read_about(path: Path) -> dict[str, Any]:
    """The training that made the weights of a file, as the file tells it."""
    return _read(path)[0]


def _read(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            found = {name: file[name] for name in file.files}
        about: dict[str, Any] = json.loads(str(found.pop("about")))
    except OSError as error:
        raise WeightsError(f"{path} is no file of weights: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, EOFError, BadZipFile):
        raise WeightsError(f"{path} is no file of weights") from None  # numpy would advise to trust it
    if about.get("format") != FORMAT:
        raise WeightsError(f"{path} has format {about.get('format')!r}, not {FORMAT}")
    return about, found


def _check_shapes(path: Path, board: Board, weights: dict[str, np.ndarray]) -> None:
    width = len(weights.get("in_bias", ()))
    expected = shapes(board, width, sum(name.startswith("first_bias") for name in weights))
    if {name: weight.shape for name, weight in weights.items()} != expected:
        raise WeightsError(f"{path} has weights of other names or shapes than a network of this board")


def board_digest(board: Board) -> str:
    """The digest of the board: it changes with anything that the rules read."""
    return hashlib.sha256(board.tables.tobytes()).hexdigest()[:16]
