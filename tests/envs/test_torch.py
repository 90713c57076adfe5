"""A batch as tensors: the same memory, the same games."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from fogline.batch import Batch
from fogline.envs.torch import TorchBatch, masked
from fogline.game.refusals import IllegalAction
from fogline.players.batch_players import BatchPlayers
from tests.boards import load_board


def make(players: int = 3, games: int = 5, **settings: object) -> TorchBatch:
    return TorchBatch(load_board("tiny"), players, games, seed=3, **settings)  # type: ignore[arg-type]


def any_legal(batch: TorchBatch, generator: torch.Generator) -> torch.Tensor:
    return torch.multinomial(batch.masks.float(), 1, generator=generator).squeeze(1)


def test_tensors_share_the_memory_of_the_batch() -> None:
    tensors = make()
    for name, array in tensors.batch.outputs._asdict().items():
        tensor = getattr(tensors, name)
        assert tensor.data_ptr() == array.ctypes.data
        assert tuple(tensor.shape) == array.shape
    assert (tensors.masks.dtype, tensors.observations.dtype) == (torch.bool, torch.uint8)
    assert tensors.masks.shape == (5, tensors.actions)
    assert tensors.observations.shape == (5, tensors.numbers)


def test_it_plays_the_games_of_a_batch() -> None:
    tensors, batch = make(), Batch(load_board("tiny"), 3, 5, seed=3)
    generator, ended = torch.Generator().manual_seed(0), 0
    for _ in range(60):
        actions = any_legal(tensors, generator)
        observations, rewards, dones = tensors.step(actions)
        batch.step(actions.numpy())
        assert np.array_equal(observations.numpy(), batch.observations)
        assert np.array_equal(rewards.numpy(), batch.rewards)
        assert np.array_equal(dones.numpy(), batch.dones)
        for name in ("masks", "scores", "seats", "refused"):
            assert np.array_equal(getattr(tensors, name).numpy(), getattr(batch, name))
        ended += int(dones.sum())
    assert ended > 0
    batch.reset(8)
    assert np.array_equal(tensors.reset(8).numpy(), batch.observations)


def test_compiled_players_choose_into_tensors() -> None:
    tensors, batch = make(), Batch(load_board("tiny"), 3, 5, seed=3)
    for _ in range(12):
        actions, expected = torch.full((5,), -1), np.full(5, -1)
        for name, mask in (("planner", tensors.seats == 0), ("random", tensors.seats != 0)):
            tensors.choose(name, actions, mask)
            BatchPlayers(batch, name).choose(expected, mask.numpy())
        assert actions.tolist() == expected.tolist()
        tensors.step(actions)
        batch.step(expected)
        assert not tensors.refused.any()


def test_actions_are_tensors_of_whole_numbers_on_the_same_device() -> None:
    tensors = make()
    for wrong, told in [
        ([0] * 5, "a tensor on cpu is needed, not list"),
        (torch.zeros(5, dtype=torch.int64, device="meta"), "a tensor on cpu is needed, not meta"),
        (torch.zeros(5), "5 whole numbers are needed, not float32"),
        (torch.zeros(4, dtype=torch.int64), r"not int64 in the shape \(4,\)"),
    ]:
        with pytest.raises(ValueError, match=told):
            tensors.step(wrong)


def test_a_strict_batch_raises_and_another_marks() -> None:
    with pytest.raises(IllegalAction, match=r"2\.5"):
        make().step(torch.zeros(5, dtype=torch.int64))
    lenient = make(strict=False)
    lenient.step(torch.zeros(5, dtype=torch.int64))
    assert lenient.refused.all()


def test_a_masked_choice_is_always_legal_and_as_likely_as_its_logits_say() -> None:
    torch.manual_seed(0)
    logits = torch.tensor([[5.0, 1.0, 0.0, 1.0]], requires_grad=True)
    masks = torch.tensor([[False, True, False, True]])
    choice: Any = masked(logits, masks)
    assert choice.probs.tolist() == [[0.0, 0.5, 0.0, 0.5]]
    assert set(choice.expand(torch.Size([200])).sample().tolist()) == {1, 3}
    assert choice.entropy().item() == pytest.approx(math.log(2))
    assert choice.log_prob(torch.tensor([1])).item() == pytest.approx(math.log(0.5))


def test_what_is_not_legal_gets_no_gradient_and_nothing_becomes_nan() -> None:
    logits = torch.randn(4, 6, requires_grad=True, generator=torch.Generator().manual_seed(1))
    masks = torch.tensor([[True, False, True, False, False, True]]).expand(4, -1)
    choice: Any = masked(logits, masks)
    (choice.log_prob(torch.tensor([0, 2, 5, 0])) + choice.entropy()).sum().backward()
    assert logits.grad is not None
    assert logits.grad.isfinite().all()
    assert not logits.grad[~masks].any()
    assert logits.grad[masks].all()
