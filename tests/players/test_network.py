"""The network gives what it always gave, and the same as torch; its weights fit their map."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

from fogline.batch import Batch
from fogline.knowledge.observation import observation_length
from fogline.players.neural.encoder import encode
from fogline.players.neural.inputs import columns, input_width
from fogline.players.neural.network import ROWS, Network, shapes
from fogline.players.neural.neural import WEIGHTS
from fogline.players.neural.products import SLAB, TILE
from fogline.players.neural.weights import OtherMap, WeightsError, load_weights, save_weights
from fogline.rules.state import SEATS
from tests.boards import load_board
from tests.conformance import ROOT
from tests.weights import regular_weights

GOLDEN = ROOT / "tests/data/neural-network.npz"
"""Observations, and what the first network of this project, which NumPy computed, made of them: inputs, logits and
values. On the tiny map it had the weights of `regular_weights`.
"""


def random_weights(board: str, seed: int = 1, width: int = 32, blocks: int = 2) -> dict[str, np.ndarray]:
    chance = np.random.default_rng(seed)
    return {
        name: (chance.normal(size=shape) / np.sqrt(shape[0])).astype(np.float16)
        for name, shape in shapes(load_board(board), width, blocks).items()
    }


def observations(board: str, players: int) -> np.ndarray:
    batch = Batch(load_board(board), players, 64, seed=players)
    batch.random_steps(30)
    return np.array(batch.observations)


@pytest.mark.parametrize("board", ["san_francisco", "tiny"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_gives_what_it_always_gave(board: str, players: int) -> None:
    loaded, golden = load_board(board), np.load(GOLDEN)
    seen, inputs, logits, values = (
        golden[f"{board}_{players}_{name}"] for name in ("observations", "inputs", "logits", "values")
    )
    assert np.array_equal(encode(loaded, players, seen), inputs)
    network = Network(loaded, load_weights(WEIGHTS, loaded) if board == "san_francisco" else regular_weights(loaded))
    found = network(inputs)
    np.testing.assert_allclose(found[0], logits, rtol=0, atol=1e-4)
    np.testing.assert_allclose(found[1], values, rtol=0, atol=1e-4)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("width", "blocks"), [(32, 2), (SLAB + TILE + 1, 1), (2 * TILE - 1, 0)])
def test_torch_agrees(players: int, width: int, blocks: int) -> None:
    """Whatever the size of the network: also where it is no multiple of what is computed together."""
    torch = pytest.importorskip("torch")
    there = importlib.import_module("research.training.network")
    board, seen = load_board("san_francisco"), observations("san_francisco", players)
    weights = random_weights("san_francisco", 1, width, blocks)
    weights = {name: weight.astype(np.float32) for name, weight in weights.items()}
    inputs = encode(board, players, seen)
    tensors = {name: torch.as_tensor(weight) for name, weight in weights.items()}
    theirs = there.Network(board, tensors, torch.device("cpu"))(torch.as_tensor(inputs))
    for mine, other in zip(Network(board, weights)(inputs), theirs, strict=True):
        np.testing.assert_allclose(mine, other.numpy(), atol=1e-4)


@pytest.mark.parametrize("board", ["san_francisco", "tiny"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_input_begins_with_the_observation_as_if_four_played(board: str, players: int) -> None:
    loaded, seen = load_board(board), observations(board, players)
    inputs = encode(loaded, players, seen)
    assert inputs.shape == (len(seen), input_width(loaded))
    assert inputs.dtype == np.uint8
    assert np.array_equal(inputs[:, columns(loaded, players)], seen)
    rest = np.setdiff1d(np.arange(observation_length(loaded, SEATS)), columns(loaded, players))
    assert not inputs[:, rest].any()


@pytest.mark.parametrize("rows", [1, TILE - 1, TILE, TILE + 1, ROWS + TILE + 1])
def test_a_row_gives_the_same_alone_and_among_others(rows: int) -> None:
    """To the bit: so it makes no difference how many games the master imagines at once."""
    board, seen = load_board("san_francisco"), np.tile(observations("san_francisco", 3), (2, 1))
    weights = {name: weight.astype(np.float32) for name, weight in random_weights("san_francisco").items()}
    network, inputs = Network(board, weights), encode(board, 3, seen[:rows])
    logits, values = network(inputs)
    assert np.abs(values).max() <= 1
    for row in {0, 1 % rows, rows - 1, rows // 2}:
        alone = network(inputs[row : row + 1])
        assert np.array_equal(alone[0][0], logits[row])
        assert alone[1][0] == values[row]


def test_a_batch_of_none_gives_none() -> None:
    board = load_board("tiny")
    logits, values = Network(board, regular_weights(board))(encode(board, 2, observations("tiny", 2)[:0]))
    assert len(logits) == len(values) == 0


def test_weights_come_back_from_their_file(tmp_path: Path) -> None:
    board, weights = load_board("tiny"), random_weights("tiny")
    save_weights(tmp_path / "w.npz", board, weights, {"decisions": 7})
    found = load_weights(tmp_path / "w.npz", board)
    assert found.keys() == weights.keys()
    assert all(np.array_equal(found[name], weights[name].astype(np.float32)) for name in weights)


def test_weights_of_another_map_are_refused(tmp_path: Path) -> None:
    save_weights(tmp_path / "w.npz", load_board("tiny"), random_weights("tiny"), {})
    with pytest.raises(OtherMap, match="was trained on the map 'tiny', which differs from 'san_francisco' here"):
        load_weights(tmp_path / "w.npz", load_board("san_francisco"))


def test_what_is_no_file_of_weights_is_refused(tmp_path: Path) -> None:
    board = load_board("tiny")
    with pytest.raises(WeightsError, match=r"missing\.npz is no file of weights: No such file or directory$"):
        load_weights(tmp_path / "missing.npz", board)
    (tmp_path / "text.npz").write_text("no weights")
    with pytest.raises(WeightsError, match=r"text\.npz is no file of weights$"):
        load_weights(tmp_path / "text.npz", board)
    np.savez(tmp_path / "other.npz", numbers=np.zeros(3))
    with pytest.raises(WeightsError, match=r"other\.npz is no file of weights"):
        load_weights(tmp_path / "other.npz", board)
    weights = random_weights("tiny")
    save_weights(tmp_path / "whole.npz", board, weights, {})
    assert [path.name for path in tmp_path.glob("whole*")] == ["whole.npz"]
    damaged = (tmp_path / "whole.npz").read_bytes()
    for name, text in (("half", damaged[: len(damaged) // 2]), ("empty", b"")):
        (tmp_path / f"{name}.npz").write_bytes(text)
        with pytest.raises(WeightsError, match=rf"{name}\.npz is no file of weights"):
            load_weights(tmp_path / f"{name}.npz", board)
    np.save(tmp_path / "array.npy", np.zeros(3))
    (tmp_path / "array.npy").rename(tmp_path / "array.npz")
    with pytest.raises(WeightsError, match=r"array\.npz is no file of weights"):
        load_weights(tmp_path / "array.npz", board)
    about = np.array('{"format": "fogline-weights-0"}')
    np.savez(tmp_path / "newer.npz", about=about)
    with pytest.raises(WeightsError, match=r"newer\.npz has format 'fogline-weights-0', not "):
        load_weights(tmp_path / "newer.npz", board)
    save_weights(tmp_path / "short.npz", board, weights | {"in": weights["in"][1:]}, {})
    with pytest.raises(WeightsError, match="other names or shapes"):
        load_weights(tmp_path / "short.npz", board)


def test_the_weights_that_come_along_are_small_and_for_the_map_that_comes_along() -> None:
    assert WEIGHTS.stat().st_size < 8_000_000
    load_weights(WEIGHTS, load_board("san_francisco"))
