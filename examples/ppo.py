"""Proximal policy optimisation by self-play, in one file: one network plays all seats of many games at once.

    python examples/ppo.py --minutes 3                      # on the CPU
    python examples/ppo.py --device cuda --games 8192       # on a GPU, where games and network stay together
    python examples/ppo.py --players 4 --lr 1e-4 --help     # every field of Args is an option

It prints a line for each iteration and writes the same to OUT.csv, and the network to OUT.pt, which
examples/evaluate_policy.py lets play in the arena. Needs torch: pip install "fogline[torch]".
"""

import argparse
import csv
import time
from dataclasses import asdict, dataclass, fields
from math import isnan, nan
from pathlib import Path

import torch
from torch import Tensor, nn

from fogline import Board
from fogline.envs.torch import TorchBatch, masked
from fogline.game.actions import board_actions
from fogline.knowledge.observation import features


@dataclass
class Args:
    """The settings. The comments are the help texts."""

    board: str = "san_francisco"  # the name of a map, or the path of a map file
    players: int = 2  # 2 to 4
    device: str = "cpu"  # cpu or cuda
    seed: int = 1  # of games, choices and network
    games: int = 256  # games at once
    steps: int = 128  # decisions in each game between two updates
    iterations: int = 1000000  # rollouts with their updates, at most
    minutes: float = 10.0  # minutes of training, at most
    width: int = 256  # of the two hidden layers
    lr: float = 1e-3  # the step size of Adam
    gamma: float = 1.0  # what a reward loses for each of a seat's own decisions until it comes
    gae_lambda: float = 0.95  # how far an advantage looks beyond the next value
    epochs: int = 3  # times that each decision is learnt from
    minibatches: int = 8  # updates in an epoch
    clip: float = 0.2  # how far a choice's probability may move in one iteration
    entropy: float = 0.01  # the bonus for exploration
    value: float = 0.5  # the weight of the value's loss
    max_grad_norm: float = 0.5  # longer gradients are shortened
    evaluate_every: int = 10  # iterations between two matches against random play; 0 is never
    evaluate_games: int = 512  # games of such a match
    out: str = "ppo"  # where to write, without the ending: OUT.csv and OUT.pt


class Agent(nn.Module):
    """A network with a head for actions and one for the value: the result of the game for the deciding seat."""

    def __init__(self, board: Board, players: int, width: int) -> None:
        super().__init__()
        most = [feature.most for feature in features(board, players) for _ in range(feature.length)]
        self.register_buffer("scale", 1.0 / torch.tensor(most, dtype=torch.float32), persistent=False)
        self.body = nn.Sequential(nn.Linear(len(most), width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy, self.critic = nn.Linear(width, len(board_actions(board))), nn.Linear(width, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)  # at first, all legal actions are about equally likely
        nn.init.orthogonal_(self.critic.weight, 1.0)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of all actions, legal or not, and values."""
        hidden = self.body(observations * self.scale)
        return self.policy(hidden), self.critic(hidden).squeeze(-1)


class Rollout:
    """What happened in some steps of all games: tensors of (steps, games, ...) on the batch's device."""

    def __init__(self, batch: TorchBatch, steps: int) -> None:
        def room(like: Tensor) -> Tensor:
            return torch.zeros((steps, *like.shape), dtype=like.dtype, device=like.device)

        self.steps = steps
        self.observations, self.masks = room(batch.observations), room(batch.masks)
        self.seats, self.rewards, self.dones = room(batch.seats), room(batch.rewards), room(batch.dones)
        self.actions = torch.zeros((steps, batch.games), dtype=torch.int64, device=batch.device)
        self.log_probs = torch.zeros((steps, batch.games), device=batch.device)
        self.values = torch.zeros_like(self.log_probs)

    @torch.no_grad()
    def play(self, batch: TorchBatch, agent: Agent) -> None:
        for t in range(self.steps):
            # The batch writes its tensors anew at every step: these are copies.
            self.observations[t], self.masks[t], self.seats[t] = batch.observations, batch.masks, batch.seats
            logits, self.values[t] = agent(batch.observations)
            choice = masked(logits, batch.masks)
            self.actions[t] = choice.sample()
            self.log_probs[t] = choice.log_prob(self.actions[t])
            _, self.rewards[t], self.dones[t] = batch.step(self.actions[t])

    @torch.no_grad()
    def advantages(self, last_seats: Tensor, last_values: Tensor, gamma: float, lam: float) -> tuple[Tensor, Tensor]:
        """Generalised advantage estimates along each seat's own decisions, and which of them are known.

        A value belongs to the seat that decides. So the next value of a decision is that of the same seat's next
        decision, however many steps later; what others do in between is part of the world. Going backwards, each game
        keeps for every seat the value and the advantage of its next decision and the reward until then. Where a game
        ends, the next value of all seats is 0, and each seat gets its own reward, even if another decided last.

        After the last step only the seat that decides then has a value. The last decisions of the other seats have no
        next value, so nothing is learnt from them; the decisions before them use their values as usual.
        """
        players = self.rewards.shape[2]
        value, advantage, reward = (torch.zeros_like(self.rewards[0]) for _ in range(3))  # (games, players)
        known = torch.zeros_like(value, dtype=torch.bool)
        value.scatter_(1, last_seats.long()[:, None], last_values[:, None])
        known.scatter_(1, last_seats.long()[:, None], True)
        found, learnable = torch.zeros_like(self.values), torch.zeros_like(self.dones)
        for t in reversed(range(self.steps)):
            done = self.dones[t][:, None].expand(-1, players)
            value, advantage = value.masked_fill(done, 0.0), advantage.masked_fill(done, 0.0)
            reward, known = torch.where(done, self.rewards[t], reward), known | done
            seat = self.seats[t].long()[:, None]
            delta = reward.gather(1, seat) + gamma * value.gather(1, seat) - self.values[t][:, None]
            mine = delta + gamma * lam * advantage.gather(1, seat)
            learnable[t] = known.gather(1, seat).squeeze(1)
            found[t] = torch.where(learnable[t], mine.squeeze(1), 0.0)
            value = value.scatter(1, seat, self.values[t][:, None])
            advantage = advantage.scatter(1, seat, found[t][:, None])
            reward, known = reward.scatter(1, seat, 0.0), known.scatter(1, seat, True)
        return found, learnable


def learn(
    agent: Agent, optimiser: torch.optim.Optimizer, rollout: Rollout, batch: TorchBatch, args: Args
) -> dict[str, float]:
    """Some epochs of updates from one rollout; returns the metrics of the last one."""
    with torch.no_grad():
        _, last_values = agent(batch.observations)
    advantages, learnable = rollout.advantages(batch.seats, last_values, args.gamma, args.gae_lambda)
    names = ("observations", "masks", "actions", "log_probs", "values")
    flat = {name: getattr(rollout, name).flatten(0, 1) for name in names}
    flat["advantages"] = advantages.flatten()
    numbers = learnable.flatten().nonzero().squeeze(1)
    told: dict[str, Tensor] = {}
    for _ in range(args.epochs):
        order = numbers[torch.randperm(len(numbers), device=numbers.device)]
        for part in order.tensor_split(args.minibatches):
            loss, told = losses(agent, {name: tensor[part] for name, tensor in flat.items()}, args)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
            optimiser.step()
    return {name: float(tensor) for name, tensor in told.items()}


def losses(agent: Agent, taken: dict[str, Tensor], args: Args) -> tuple[Tensor, dict[str, Tensor]]:
    logits, values = agent(taken["observations"])
    choice = masked(logits, taken["masks"])
    log_ratio = choice.log_prob(taken["actions"]) - taken["log_probs"]
    ratio, advantages = log_ratio.exp(), taken["advantages"]
    normal = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    policy = -torch.min(normal * ratio, normal * ratio.clamp(1 - args.clip, 1 + args.clip)).mean()
    value = 0.5 * (values - (taken["values"] + advantages)).square().mean()
    entropy = choice.entropy().mean()
    loss = policy - args.entropy * entropy + args.value * value
    moved = ((ratio - 1) - log_ratio).mean()
    told = {"policy_loss": policy, "value_loss": value, "entropy": entropy, "kl": moved}
    return loss, {name: tensor.detach() for name, tensor in told.items()}


@torch.no_grad()
def win_rate(agent: Agent, args: Args) -> float:
    """The share of victories in one game a lane: the agent has one seat, each in turn, and random play the rest.

    Ties count by their shares. With 2 players, random play has 0.5.
    """
    games, players = args.evaluate_games, args.players
    batch = TorchBatch(args.board, players, games, device=args.device, seed=args.seed + 2**40)
    mine = torch.arange(games, device=batch.device) % players
    won, over = torch.zeros(games, device=batch.device), torch.zeros(games, dtype=torch.bool, device=batch.device)
    while not over.all():
        logits, _ = agent(batch.observations)
        logits = torch.where((batch.seats == mine)[:, None], logits, 0.0)  # equal logits are random play
        _, rewards, dones = batch.step(masked(logits, batch.masks).sample())
        reward = rewards.gather(1, mine[:, None]).squeeze(1)
        won = torch.where(dones & ~over, (1 + reward * (players - 1)) / players, won)
        over |= dones
    return float(won.mean())


def save(agent: Agent, args: Args) -> None:
    torch.save({"args": asdict(args), "weights": agent.state_dict()}, f"{args.out}.pt")


def load(path: str | Path, device: str = "cpu") -> tuple[Agent, Args]:
    """An agent from a checkpoint, and its settings."""
    saved = torch.load(path, map_location=device, weights_only=True)
    args = Args(**saved["args"])
    agent = Agent(Board.load(args.board), args.players, args.width).to(device)
    agent.load_state_dict(saved["weights"])
    return agent.eval(), args


def log(row: dict[str, float], args: Args) -> None:
    """Writes a line to the screen and a row to the CSV file."""
    first = row["iteration"] == 1
    with Path(f"{args.out}.csv").open("w" if first else "a", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(row))
        if first:
            table.writeheader()
        table.writerow(row)
    print("  ".join(f"{name} {number:.4g}" for name, number in row.items() if not isnan(number)), flush=True)


def train(args: Args) -> None:
    torch.manual_seed(args.seed)
    batch = TorchBatch(args.board, args.players, args.games, device=args.device, seed=args.seed)
    agent = Agent(batch.board, args.players, args.width).to(batch.device)
    optimiser = torch.optim.Adam(agent.parameters(), lr=args.lr, eps=1e-5)
    rollout = Rollout(batch, args.steps)
    if args.evaluate_every:
        print(f"before training, against random play: win_rate {win_rate(agent, args):.3f}", flush=True)
    begun = time.monotonic()
    for iteration in range(1, args.iterations + 1):
        rollout.play(batch, agent)
        told = learn(agent, optimiser, rollout, batch, args)
        seconds = time.monotonic() - begun
        last = iteration == args.iterations or seconds > 60 * args.minutes
        due = args.evaluate_every > 0 and (last or iteration % args.evaluate_every == 0)
        row = {"iteration": iteration, "seconds": seconds, "decisions": iteration * args.steps * args.games}
        row |= {"games": batch.batch.finished(), **told, "win_rate": win_rate(agent, args) if due else nan}
        log(row, args)
        if due or last:
            save(agent, args)
        if last:
            break
    print(f"wrote {args.out}.csv and {args.out}.pt; examples/evaluate_policy.py lets it play in the arena")


def parse() -> Args:
    """The command line: an option for each field, with its comment from above as the help."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = Path(__file__).read_text("utf-8").splitlines()
    for field in fields(Args):
        line = next(line for line in source if line.startswith(f"    {field.name}: "))
        told = f"{line.partition('  # ')[2]} (default {field.default})"
        parser.add_argument(
            f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default, help=told
        )
    return Args(**vars(parser.parse_args()))


if __name__ == "__main__":
    train(parse())
