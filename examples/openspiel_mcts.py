"""A search of OpenSpiel plays against random players.

    python examples/openspiel_mcts.py --map tiny --games 20 --simulations 50
    python examples/openspiel_mcts.py --players 3                            # the large map: some 20 seconds a game
    python examples/openspiel_mcts.py --search mcts                          # the search that sees all cards

Needs `pip install "fogline[rl]"`.
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
from open_spiel.python.bots.uniform_random import UniformRandomBot

import fogline.envs.openspiel  # noqa: F401  (registers python_fogline)

EXPLAINED = """
ismcts  information-set search. Before each simulation it deals all that its seat cannot see anew, so that it agrees
        with everything that the seat has seen; then it searches as if those cards were the real ones. It is fair.
mcts    plain search on the real state: it sees every hand and every ticket. Nobody may play so at a table, but it
        shows what knowing all of that is worth.

A simulation walks down the tree that was searched so far, and plays on at random to the end of the game from there.
More simulations choose better and take longer, in proportion. Exploration is the constant c of UCT: higher tries
actions that look bad more often. Rewards are 1 for who wins alone and 0 in all: the value printed is the average of
what the search got, so 0 is what it would get if it were no better than the others.
"""


def make_search(name, game, simulations, exploration, generator):
    evaluator = RandomRolloutEvaluator(n_rollouts=1, random_state=generator)
    if name == "mcts":
        return MCTSBot(game, exploration, simulations, evaluator, random_state=generator)
    return ISMCTSBot(game, evaluator, exploration, simulations, random_state=generator)


def play(game, bots, generator, talk):
    """One game; a bot for each seat."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            action = generator.choice(outcomes, p=chances)
        else:
            player = state.current_player()
            action = bots[player].step(state)
            if talk:
                print(f"  seat {player}: {state.action_to_string(player, action)}")
        state.apply_action(action)
    return state.returns()


def main():
    parser = argparse.ArgumentParser(
        description="A search of OpenSpiel plays against random players.",
        epilog=EXPLAINED,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--search", choices=["ismcts", "mcts"], default="ismcts", help="which search (see below)")
    parser.add_argument("--simulations", type=int, default=50, help="how many for each decision (default 50)")
    parser.add_argument("--exploration", type=float, default=1.4, help="the constant c of UCT (default 1.4)")
    parser.add_argument("--games", type=int, default=1, help="how many games (default 1)")
    parser.add_argument("--players", type=int, default=2, help="2 to 4: the search, and random players (default 2)")
    parser.add_argument("--map", default="san_francisco", help="a built-in map, or a map file (default san_francisco)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same games (default 0)")
    parser.add_argument("--talk", action="store_true", help="tell every action")
    chosen = parser.parse_args()

    game = pyspiel.load_game("python_fogline", {"players": chosen.players, "map": chosen.map})
    total = 0.0
    for number in range(chosen.games):
        generator = np.random.RandomState(chosen.seed + number)
        seat = number % chosen.players  # every seat in turn: who begins has an advantage
        bots = [UniformRandomBot(player, generator) for player in range(chosen.players)]
        bots[seat] = make_search(chosen.search, game, chosen.simulations, chosen.exploration, generator)
        returns = play(game, bots, generator, chosen.talk)
        total += returns[seat]
        print(f"game {number + 1}: {chosen.search} in seat {seat} gets {returns[seat]:+.2f}")
    print(f"on average {total / chosen.games:+.2f}")


if __name__ == "__main__":
    main()
