"""What a GPU does: `python benchmarks/gpu.py equality speed growth copies`, in any order. README.md says how.

Needs an NVIDIA GPU, numba's CUDA target and torch. Writes what it found into docs/data/performance-gpu.json, from which
`python benchmarks/engine.py --docs` makes its part of docs/performance.md, on any machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numba
import torch
from numba import cuda

from fogline.batch import Batch
from fogline.batch.cuda import check_gpu
from fogline.batch.lanes import Outputs
from fogline.game.game import PLAYER_COUNTS

FIGURES = Path(__file__).resolve().parent.parent / "docs" / "data" / "performance-gpu.json"
REPEATS = 7
MIXING = 300
"""Steps after which games are no longer at the same point: those that end together would all be dealt anew at once."""
WARM_UP = 0.3
"""Seconds: an idle GPU has slowed its clock down."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure batches on a GPU, and compare them with the CPU's.")
    parser.add_argument("parts", nargs="+", choices=sorted(PARTS), help="what to do")
    parser.add_argument("--games", type=int, default=1_000_000, help="games to compare, of 2, 3 and 4 players each")
    parser.add_argument("--lanes", type=int, default=1 << 17, help="games at the same time while comparing")
    parser.add_argument("--most", type=int, default=22, help="the largest batch of the growth curve, as a power of two")
    parser.add_argument("--json", type=Path, default=FIGURES, help="the file to write to (default: %(default)s)")
    arguments = parser.parse_args()
    check_gpu()
    found = json.loads(arguments.json.read_text("utf-8")) if arguments.json.exists() else {}
    found["machine"] = machine()
    for part in arguments.parts:
        found[part] = PARTS[part](arguments)
        found["date"] = datetime.now(UTC).strftime("%Y-%m-%d")
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return 0 if all(run["equal"] for run in found.get("equality", ())) else 1


def machine() -> dict[str, str]:
    return {
        "gpu": torch.cuda.get_device_name(),
        "numba": numba.__version__,
        "torch": torch.__version__,
        "python": sys.version.split()[0],
    }


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


# Equality.


def equality(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Plays the same games on the CPU and on the GPU: compares every output of every step, and in the end every byte
    kept.
    """
    return [_compare(players, arguments.games, arguments.lanes) for players in PLAYER_COUNTS]


def _compare(players: int, games: int, lanes: int) -> dict[str, Any]:
    here, there = (Batch(players=players, games=lanes, seed=players, device=device) for device in ("cpu", "cuda"))
    outputs = {name: torch.as_tensor(getattr(there, name), device="cuda") for name in Outputs._fields}
    steps, differing = 0, set[str]()
    while here.finished() < games:
        for batch in (here, there):
            batch.step(batch.sample())
        steps += 1
        differing |= {name for name, output in outputs.items() if not torch.equal(output, _on_gpu(getattr(here, name)))}
    for name, kept in (("games", "games"), ("counters", "counters"), ("lanes", "lanes")):
        if getattr(here.kept, kept).tobytes() != there.device.to_host(getattr(there.kept, kept)).tobytes():
            differing.add(name)
    compared = steps * sum(output.nbytes for output in here.outputs)
    say(f"{players} players: {here.finished():,} games, {steps} steps of {lanes:,} lanes, {differing or 'all equal'}")
    return {
        "players": players,
        "games": here.finished(),
        "steps": steps * lanes,
        "bytes": compared,
        "equal": not differing,
        "differing": sorted(differing),
    }


def _on_gpu(array: Any) -> torch.Tensor:
    return torch.from_numpy(array).cuda()


# Speed.


def speed(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    return list(_speeds())


def _speeds() -> Iterator[dict[str, Any]]:
    for players in PLAYER_COUNTS:
        batch = _mixed(players, 1 << 20, observe=False)
        yield _figure(batch, "random play, 512 steps a launch", 512, partial(batch.play_blind, 512))
        yield _figure(batch, "random play, 64 steps a launch", 64, partial(batch.play_blind, 64))
        for observe in (False, True):
            batch = _mixed(players, 1 << 18, observe=observe)
            what = "actions from outside, masks" + (" and observations" if observe else "")
            yield _figure(batch, what, 1, partial(_step, batch))


def _step(batch: Batch) -> None:
    batch.step(batch.sample())


def _mixed(players: int, games: int, *, observe: bool) -> Batch:
    """A batch whose games are not all at the same point."""
    batch = Batch(players=players, games=games, device="cuda", observe=observe)
    batch.random_steps(MIXING)
    return batch


def _figure(batch: Batch, what: str, steps: int, work: Callable[[], None]) -> dict[str, Any]:
    seconds = _seconds(work)
    rate = batch.games * steps / seconds
    say(f"{batch.players} players, {batch.games:,} games, {what}: {rate / 1e6:,.0f} M steps/s")
    return {"players": batch.players, "games": batch.games, "what": what, "steps_per_second": rate}


def _seconds(work: Callable[[], None]) -> float:
    """The median time of several runs, by the GPU's own clock."""
    start = time.perf_counter()
    while time.perf_counter() - start < WARM_UP:
        work()
        cuda.synchronize()
    return statistics.median(_run(work) for _ in range(REPEATS))


def _run(work: Callable[[], None]) -> float:
    begin, end = cuda.event(), cuda.event()
    begin.record()
    work()
    work()
    end.record()
    end.synchronize()
    return float(cuda.event_elapsed_time(begin, end)) / 2e3


# Growth.


def growth(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Time and memory of a step with masks and observations, from one game to millions."""
    return [_growth(1 << power) for power in range(arguments.most + 1)]


def _growth(games: int) -> dict[str, Any]:
    context = cuda.current_context()
    context.deallocations.clear()
    before = context.get_memory_info().free
    batch = Batch(players=2, games=games, device="cuda")
    taken = before - context.get_memory_info().free
    needed = sum(array.nbytes for array in (*batch.kept, *batch.outputs))
    batch.random_steps(MIXING)
    seconds = _seconds(partial(_step, batch))
    say(
        f"{games:,} games: {seconds * 1e6:,.0f} µs a step, {taken / 2**20:,.0f} MiB taken, {needed / 2**20:,.0f} needed"
    )
    return {"games": games, "seconds": seconds, "bytes_taken": taken, "bytes_needed": needed}


# Copies.


def copies(arguments: argparse.Namespace) -> dict[str, Any]:
    """Everything that crosses between host and GPU while a network plays and learns, by torch's profiler."""
    from fogline.envs.torch import TorchBatch  # noqa: PLC0415

    batch = TorchBatch(players=2, games=1 << 15, device="cuda")
    learner = torch.nn.Linear(batch.observations.shape[1], batch.masks.shape[1], device="cuda")
    optimizer = torch.optim.Adam(learner.parameters(), capturable=True)

    def iteration() -> None:
        logits = learner(batch.observations.float()).masked_fill(~batch.masks, -1e9)
        actions = torch.distributions.Categorical(logits=logits, validate_args=False).sample()
        batch.step(actions)
        loss = -(logits.log_softmax(1).gather(1, actions[:, None])[:, 0] * batch.rewards[:, 0]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    for _ in range(3):
        iteration()
    torch.cuda.synchronize()
    with torch.profiler.profile() as profile:
        for _ in range(20):
            iteration()
        torch.cuda.synchronize()
    found = _copied(profile)
    say(f"20 iterations: {found}")
    return found


def _copied(profile: Any) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace.json"
        profile.export_chrome_trace(str(trace))
        events = json.loads(trace.read_text("utf-8"))["traceEvents"]
    moved = [event for event in events if event.get("cat") == "gpu_memcpy"]
    crossing = [event for event in moved if "HtoD" in event["name"] or "DtoH" in event["name"]]
    kernels = [event for event in events if event.get("cat") == "kernel"]
    return {
        "iterations": 20,
        "kernels": len(kernels),
        "crossings": len(crossing),
        "bytes": sum(int(event.get("args", {}).get("bytes", 0)) for event in crossing),
    }


PARTS: dict[str, Callable[[argparse.Namespace], Any]] = {
    "equality": equality,
    "speed": speed,
    "growth": growth,
    "copies": copies,
}

if __name__ == "__main__":
    sys.exit(main())
