"""Makes a network's inputs from observations."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from fogline.compiler.kernels import Record, entry_point, kernel
from fogline.maps.board import Board
from fogline.players.neural.features import write_features
from fogline.players.neural.inputs import columns, input_dtype, input_width
from fogline.players.neural.ways import measure_whole, ways_dtype


class Inputs(NamedTuple):
    """Inputs, twice the same memory."""

    bytes: Any  # [row, number]
    records: Any  # [row]


def new_inputs(board: Board, rows: int) -> Inputs:
    room = np.zeros((rows, input_width(board)), np.uint8)
    return Inputs(room, room.view(input_dtype(board))[:, 0])


def new_ways(board: Board) -> np.ndarray:
    """Room to find ways in, for those who work at the same time one each."""
    return _first_ways(board).copy()


@lru_cache(8)
def _first_ways(board: Board) -> np.ndarray:
    ways = np.zeros(1, ways_dtype(board))
    begin_ways(board.tables, ways)
    return ways


def encode(board: Board, players: int, observations: np.ndarray) -> np.ndarray:
    """A row of input for each observation of this many players."""
    inputs, observations = new_inputs(board, len(observations)), np.ascontiguousarray(observations)
    encode_all(board.tables, observations, columns(board, players), players, inputs, new_ways(board))
    return inputs.bytes  # type: ignore[no-any-return]


@entry_point
def begin_ways(board: Any, ways: Any) -> None:
    measure_whole(board[0], ways[0])


@entry_point
def encode_all(board: Any, observations: Any, columns: Any, players: int, inputs: Inputs, ways: Any) -> None:
    for row in range(observations.shape[0]):
        encode_one(board[0], observations[row], columns, players, inputs.bytes[row], inputs.records[row], ways[0])


@kernel
def encode_one(
    board: Record, observation: Any, columns: Any, players: int, numbers: Any, told: Record, ways: Record
) -> None:
    """Writes one input: widens the observation, as if four played and the others had nothing, and adds the features."""
    for place in range(numbers.shape[0]):
        numbers[place] = 0
    for place in range(columns.shape[0]):
        numbers[columns[place]] = observation[place]
    write_features(board, told, ways, players)
