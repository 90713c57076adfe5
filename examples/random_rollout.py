"""Random games in a batch, stepped by a loop in Python: how fast they go, and how they end.

    python examples/random_rollout.py                       # 4096 games at once, for five seconds
    python examples/random_rollout.py --players 4 --games 65536 --seconds 20
    python examples/random_rollout.py --blind               # choices are made compiled, and nobody looks

Without --blind, every step brings masks and observations to Python, which chooses: the loop in which a network
would. With it, the engine plays by itself.
"""

import argparse
import time

import numpy as np

from fogline.batch import Batch


def choose(masks: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """A legal action for each game, all equally likely."""
    counts, numbers = (
        masks.sum(axis=1),
        np.nonzero(masks)[1],
    )  # the legal actions of all games, one game after the other
    return numbers[np.cumsum(counts) - counts + generator.integers(counts)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", default="san_francisco", help="the name of a map, or the path of a map file")
    parser.add_argument("--players", type=int, default=2, help="2 to 4 (default 2)")
    parser.add_argument("--games", type=int, default=4096, help="games at once (default 4096)")
    parser.add_argument("--seconds", type=float, default=5.0, help="for how long (default 5)")
    parser.add_argument("--seed", type=int, default=0, help="of games and choices (default 0)")
    parser.add_argument("--blind", action="store_true", help="let the engine choose")
    options = parser.parse_args()
    batch = Batch(options.board, options.players, options.games, seed=options.seed)
    generator, totals = np.random.default_rng(options.seed), np.zeros(options.players)
    batch.play_blind(1)  # compiles before the clock starts
    batch.step(choose(batch.masks, generator))
    before, steps, ended, begun = batch.finished(), 0, 0, time.perf_counter()
    while time.perf_counter() - begun < options.seconds:
        if options.blind:
            batch.play_blind(100)
            steps += 100 * options.games
        else:
            batch.step(choose(batch.masks, generator))
            steps += options.games
            ended += int(batch.dones.sum())
            totals += batch.scores[batch.dones].sum(axis=0)
    seconds, played = time.perf_counter() - begun, batch.finished() - before
    print(f"{played / seconds:,.0f} games/s, {steps / seconds:,.0f} steps/s ({played:,} games)")
    if ended:
        print("mean scores by seat: " + ", ".join(f"{total / ended:.1f}" for total in totals))


if __name__ == "__main__":
    main()
