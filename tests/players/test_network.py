"""The network: written once, it gives the same under numpy and torch; and its weights fit their map."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fogline.batch import Batch
from fogline.knowledge.observation import observation_length
from fogline.players.neural.network import Encoder, Network, columns, input_width, shapes
from fogline.players.neural.neural import WEIGHTS, encode
from fogline.players.neural.weights import OtherMap, WeightsError, load_weights, save_weights
from fogline.rules.state import SEATS
from tests.boards import load_board


def random_weights(board: str, seed: int = 1) -> dict[str, np.ndarray]:
    chance = np.random.default_rng(seed)
    return {
        name: (chance.normal(size=shape) / np.sqrt(shape[0])).astype(np.float16)
        for name, shape in shapes(load_board(board), 32, 2).items()
    }


def observations(board: str, players: int) -> np.ndarray:
    batch = Batch(load_board(board), players, 64, seed=players)
    batch.random_steps(30)
    return np.array(batch.observations)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_torch_and_numpy_agree(players: int) -> None:
    torch = pytest.importorskip("torch")
    board, seen = load_board("san_francisco"), observations("san_francisco", players)
    weights = {name: weight.astype(np.float32) for name, weight in random_weights("san_francisco").items()}
    here = Network(board, weights)(encode(board, players, seen))
    tensors = {name: torch.as_tensor(weight) for name, weight in weights.items()}
    encoder, counts = Encoder(board, torch, torch.as_tensor), torch.full((len(seen),), players)
    inputs = encoder(encoder.widen(torch.as_tensor(seen), players), counts)
    there = Network(board, tensors, torch, torch.as_tensor)(inputs)
    for mine, theirs in zip(here, there, strict=True):
        np.testing.assert_allclose(mine, theirs.numpy(), atol=1e-4)


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


def test_rows_do_not_touch_each_other() -> None:
    board, seen = load_board("san_francisco"), observations("san_francisco", 3)
    weights = {name: weight.astype(np.float32) for name, weight in random_weights("san_francisco").items()}
    network = Network(board, weights)
    logits, values = network(encode(board, 3, seen))
    for row in range(5):
        alone = network(encode(board, 3, seen[row : row + 1]))
        np.testing.assert_allclose(alone[0][0], logits[row], atol=1e-4)
        np.testing.assert_allclose(alone[1][0], values[row], atol=1e-5)
    assert np.abs(values).max() <= 1


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
