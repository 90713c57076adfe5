"""Trains the neural player from nothing, by playing against itself on one GPU: proximal policy optimisation.

    python -m research.training.selfplay --out run                            # on a GPU; ctrl-C keeps what was learnt
    python -m research.training.selfplay --out run --minutes 9 --resume run/checkpoint.pt
    python -m research.training.selfplay --out answer --against run/weights.npz --minutes 10     # how it can be beaten
    python -m research.training.selfplay --out try --device cpu --games2 64 --games3 32 --games4 32 --width 64

One network plays all seats of games of two, three and four players at once, all of them on the GPU, where nothing is
copied to the host between two steps. It writes to OUT: log.csv, a line for each report; checkpoint.pt, to resume from;
and in the end NAME.npz, the averaged weights, which `fogline arena OUT/NAME.npz planner` lets play.

docs/players.md tells what makes it work: the questions asked of every route (`research.training.network`), and
at first a reward for every part of a ticket's way that is built, without which it never learns to complete any.
"""

from __future__ import annotations

import argparse
import csv
import math
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import numpy as np
import torch
from torch import Tensor

from fogline import Board
from fogline.envs.torch import TorchBatch
from fogline.knowledge.observation import take_apart
from fogline.maps.mapfile import MapError
from fogline.players.neural.encoder import encode
from fogline.players.neural.inputs import input_places, input_width, observation_width
from fogline.players.neural.network import CARD_FEATURES, ROUTE_FEATURES, shapes
from fogline.players.neural.weights import WeightsError, load_weights, save_weights
from fogline.rules.numbering import DRAW_TICKETS, KEEP
from fogline.rules.state import SEATS
from research.training.network import Encoder, Network


@dataclass
class Args:
    """What can be set. The comments are the help texts."""

    board: str = "san_francisco"  # the name of a map, or the path of a map file
    device: str = "cuda"  # cuda or cpu
    out: str = "run"  # the folder to write to
    name: str = "weights"  # of the file with the weights
    resume: str = ""  # a checkpoint to go on from, with its settings where no others are given
    start: str = ""  # a file of weights to begin with, instead of random ones
    against: str = ""  # a file of weights for all seats but one: the training finds the best response to it
    seed: int = 1  # of games, choices and the first weights
    games2: int = 28672  # games of two players at once
    games3: int = 2048  # of three
    games4: int = 2048  # of four
    steps: int = 32  # decisions in each game between two updates
    decisions: float = 2.4e9  # decisions in the whole training: the schedule ends there
    minutes: float = 1e9  # stop after this many, wherever the schedule is
    width: int = 640  # of the network
    blocks: int = 3  # of the network, each of two layers
    without: str = ""  # leave a part of the network out, to measure its use: questions or features
    minibatch: int = 32768  # decisions in an update
    lr: float = 5e-4  # the step size of Adam at the beginning
    last_lr: float = 2e-5  # and in the end
    clip: float = 0.2  # how far a choice's probability may move in one iteration
    gae_lambda: float = 0.96  # how far an advantage looks beyond the next value, at first
    last_gae_lambda: float = 0.9  # and in the end: better values allow a shorter look
    value: float = 0.5  # the weight of the value's loss
    entropy: float = 0.02  # the bonus for trying things, at first
    last_entropy: float = 0.001  # and in the end
    margin: float = 0.5  # the share of the points' margin in the reward, beside who won, at first
    last_margin: float = 0.05  # and in the end
    margin_points: float = 40.0  # the margin beyond which more counts nothing
    built: float = 1.0  # at first, the reward for the built share of a ticket's way; 0 for none
    built_from: float = 0.04  # the share of the training at which that reward begins to fade
    built_until: float = 0.2  # the share at which it has ended
    try_keeps: float = 0.1  # how often tickets are kept at random, at first
    try_tickets: float = 0.01  # how often tickets are drawn at random, at first
    try_until: float = 0.5  # the share of the training at which both have ended
    league: float = 0.1  # the share of games in which past selves have all seats but one
    planners: float = 0.8  # the share of the games of two in which a planner has the other seat
    planners_from: float = 0.25  # the share of the training at which planners join: they are slow
    league_every: float = 0.04  # the share of the training after which the present self joins them
    average: float = 0.999  # how much of the averaged weights stays after each update
    max_grad_norm: float = 1.0  # longer gradients are shortened
    report: float = 10.0  # seconds between two reports
    snapshot: float = 60.0  # seconds between two files of weights, NAME-0001.npz and so on; 0 for only the last
    compile: bool = True  # whether torch compiles the network, which pays on a GPU


OF_A_PART = ("out", "name", "start", "resume", "device", "compile", "minutes", "report", "snapshot")
"""Settings of one part of a training, which a resumed training does not take over."""

PLANNER = "planner_"
"""The prefix of a second value head, for tables with planners: training knows who sits there."""


def all_shapes(board: Board, args: Args) -> dict[str, tuple[int, ...]]:
    """The weights that play, and those that only training needs."""
    found = shapes(board, args.width, args.blocks)
    return found | {PLANNER + name: found[name] for name in ("value", "value_bias", "worth")}


def first_weights(board: Board, args: Args) -> dict[str, Tensor]:
    """Weights such that layers keep the scale of their input, blocks change nothing at first, and all actions are as
    likely.
    """
    weights = {}
    for name, shape in all_shapes(board, args).items():
        std = 0.0
        if len(shape) == 2 and not name.startswith("second") and not name.endswith("worth"):
            std = 0.01 if name in ("action", "route_question", "card_question") else math.sqrt(2 / shape[0])
        weights[name] = torch.randn(shape) * std
    return weights


def left_out(board: Board, args: Args) -> dict[str, list[int]]:
    """Rows of weights that stay 0: those of a part that is left out."""
    if args.without == "questions":
        names = [f"{kind}_question{end}" for kind in ("route", "card") for end in ("", "_bias")]
        return {name: list(range(shapes(board, args.width, args.blocks)[name][0])) for name in names}
    if args.without == "features":
        told = range(observation_width(board), input_width(board))
        return {"in": list(told), "route_fact": list(ROUTE_FEATURES), "card_fact": list(CARD_FEATURES)}
    if args.without:
        raise SystemExit(f"--without {args.without}: choose questions or features")
    return {}


TOLD = ("policy_loss", "value_loss", "entropy", "kl", "clipped", "explained")
"""How an iteration went."""


class Tables:
    """Games of two, three and four players, side by side like one batch; `lanes` counts all of them."""

    def __init__(self, board: Board, args: Args) -> None:
        self.device = torch.device(args.device)
        self.encoder = Encoder(board, self.device)
        tell = self.encoder.__call__
        self.encode = torch.compile(tell, dynamic=False) if args.compile else tell
        self.batches, self.places, at = [], [], 0
        for players, games in ((2, args.games2), (3, args.games3), (4, args.games4)):
            if games:
                batch = TorchBatch(board, players, games, device=args.device, seed=args.seed << 32, strict=False)
                self.batches.append(batch)
                self.places.append(slice(at, at + games))
                at += games
        self.lanes = at
        self.players = torch.cat([torch.full((b.games,), b.players, device=self.device) for b in self.batches])
        self.wide = torch.cat([self._widen(batch) for batch in self.batches])

    def _widen(self, batch: TorchBatch) -> Tensor:
        return self.encoder.widen(batch.observations, batch.players)

    def look(self, inputs: Tensor, masks: Tensor, seats: Tensor) -> None:
        """Writes the deciding seats' inputs, the masks, and the seats."""
        for batch, place in zip(self.batches, self.places, strict=True):
            self.wide[place], masks[place], seats[place] = self._widen(batch), batch.masks, batch.seats
        inputs.copy_(self.encode(self.wide, self.players))

    def step(self, actions: Tensor, rewards: Tensor, scores: Tensor, dones: Tensor) -> None:
        """Pads to four seats: a missing one gets no reward, and a score below all others."""
        for batch, place in zip(self.batches, self.places, strict=True):
            batch.step(actions[place])
            rewards[place, : batch.players], scores[place, : batch.players] = batch.rewards, batch.scores
            dones[place] = batch.dones

    def finished(self) -> list[int]:
        """The number of games that have ended, by number of players."""
        return [batch.batch.finished() for batch in self.batches]


class Recorded:
    """Work on tensors that stay in place. A GPU records it once as a graph and then repeats it.

    Thousands of small kernels then start at once, however busy the host is.
    """

    def __init__(self, work: Callable[[], None], device: torch.device) -> None:
        self.work, self.on_gpu = work, device.type == "cuda"
        self.runs = 0
        self.graph: Any = None

    def __call__(self) -> None:
        self.runs += 1
        if not self.on_gpu:
            self.work()
        elif self.runs <= 2:  # the first call makes compiled kernels and more, which must exist before recording
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                self.work()
            torch.cuda.current_stream().wait_stream(stream)
        else:
            if self.graph is None:
                torch.cuda.synchronize()
                self.graph = torch.cuda.CUDAGraph()
                with torch.cuda.graph(self.graph, capture_error_mode="thread_local"):
                    self.work()
            self.graph.replay()


class Lessons:
    """The early reward for building towards tickets, finished or not."""

    def __init__(self, board: Board, device: torch.device) -> None:
        self.places = input_places(board)
        self.value = torch.tensor([ticket.value for ticket in board.tickets], device=device)
        self.start = torch.from_numpy(_empty_distances(board)).to(device).clamp(min=1).float()

    def built(self, inputs: Tensor) -> Tensor:
        """Twice the points of completed tickets, and for others the share of their way that is built."""
        seen = take_apart(self.places, inputs)
        share = (1 - seen["distance"].float() / self.start).clamp(min=0) * seen["wanted"] + seen["completed"]
        return 2 * (share * self.value).sum(1)


def _empty_distances(board: Board) -> np.ndarray:
    """How far the ends of each ticket are on an empty board."""
    at, end, _ = input_places(board)["distance"]
    return encode(board, 2, TorchBatch(board, 2, 1).observations.numpy())[0, at:end]


class Rollout:
    """What happened in some steps of all games: tensors of (steps, lanes, ...) on the device."""

    def __init__(self, tables: Tables, steps: int, width: int, actions: int) -> None:
        lanes, device = tables.lanes, tables.device

        def room(*shape: int, dtype: torch.dtype = torch.float32, more: int = 0) -> Tensor:
            return torch.zeros((steps + more, lanes, *shape), dtype=dtype, device=device)

        self.steps, self.tables = steps, tables
        self.inputs, self.masks = room(width, dtype=torch.uint8, more=1), room(actions, dtype=torch.bool, more=1)
        self.seats, self.values = room(dtype=torch.int64, more=1), room(more=1)
        self.actions, self.log_probs = room(dtype=torch.int64), room()
        self.rewards, self.dones = room(SEATS), room(dtype=torch.bool)
        self.learnable = room(dtype=torch.bool)
        self.scores = torch.full((lanes, SEATS), -1000.0, device=device)
        self.built = torch.zeros((lanes, SEATS), device=device)
        tables.look(self.inputs[steps], self.masks[steps], self.seats[steps])

    def begin(self) -> None:
        """Carries the last step over as the first."""
        for tensor in (self.inputs, self.masks, self.seats, self.values):
            tensor[0] = tensor[self.steps]


class Trainer:
    """One network, its averaged copy, the games that it plays, and what it learns from them."""

    def __init__(self, args: Args) -> None:
        torch.manual_seed(args.seed)
        self.args, self.board = args, Board.load(args.board)
        self.tables = Tables(self.board, args)
        self.device = self.tables.device
        first = first_weights(self.board, args)
        for name, rows in left_out(self.board, args).items():
            first[name].index_fill_(0, torch.tensor(rows), 0.0)
        self.weights = {name: tensor.to(self.device).requires_grad_() for name, tensor in first.items()}
        self.averaged = {name: tensor.detach().clone() for name, tensor in self.weights.items()}
        self.parameters = list(self.weights.values())
        self.left_out = [
            (self.weights[name], torch.tensor(rows, device=self.device))
            for name, rows in left_out(self.board, args).items()
        ]
        on_gpu = self.device.type == "cuda"
        self.lr = torch.tensor(args.lr, device=self.device)
        self.optimiser = torch.optim.Adam(self.parameters, lr=self.lr, eps=1e-5, fused=on_gpu, capturable=on_gpu)
        self.network = self._network(self.weights)
        self.past = {name: tensor.clone() for name, tensor in self.averaged.items()}
        self.rival = self._network(self.past)
        self.league: list[dict[str, Tensor]] = []
        self.lessons = Lessons(self.board, self.device)
        self.rollout = Rollout(self.tables, args.steps, first["in"].shape[0], self.tables.batches[0].actions)
        self.duels = torch.zeros((2, 2), device=self.device)  # [past selves or planners]: games, and how many were won
        self.decisions, self.seconds, self.iteration = 0, 0.0, 0
        self.schedule = torch.zeros(6, device=self.device)
        self.told = torch.zeros(len(TOLD), device=self.device)
        make = (lambda f: torch.compile(f, dynamic=False)) if args.compile else (lambda f: f)
        self.choose, self.losses = make(self._choose), make(self._losses)
        self.answer, self.pay = make(self._answer), make(self._pay)
        self._begin()
        self._sit_down()

    def _begin(self) -> None:
        """Loads the weights of other trainings, if asked for."""
        args = self.args
        if args.start and args.without:
            raise SystemExit(f"--without {args.without}: {args.start} was trained with it")
        if args.start:
            for name, tensor in self._read(args.start).items():
                self.weights[name].data.copy_(tensor)
                self.averaged[name].copy_(tensor)
        if args.resume:
            self.load(args.resume)
        if args.against:
            self.league = [self._read(args.against)]

    def _read(self, path: str) -> dict[str, Tensor]:
        found = load_weights(Path(path), self.board)
        self._check_size(path, found)
        return {name: torch.from_numpy(weight).to(self.device) for name, weight in found.items()}

    def _check_size(self, path: str, found: Mapping[str, np.ndarray | Tensor]) -> None:
        width, blocks = len(found["in_bias"]), sum(name.startswith("first_bias") for name in found)
        if (width, blocks) != (self.args.width, self.args.blocks):
            raise SystemExit(f"{path} was trained with --width {width} --blocks {blocks}: use the same")

    def _network(self, weights: dict[str, Tensor]) -> Network:
        return Network(self.board, weights, self.device)

    def _sit_down(self) -> None:
        """Decides who plays where: once at the beginning, and once more when planners come."""
        self.planners_play = self.planners_are_due
        self.rivals, self.planned, self.mine = self._seat_others()
        self.kinds = torch.where(self.planned, SEATS + 1, self.tables.players)
        self.order = self._shuffled()
        self.play, self.learn = Recorded(self._play, self.device), Recorded(self._learn, self.device)

    @property
    def planners_are_due(self) -> bool:
        args = self.args
        return args.planners > 0 and args.games2 > 0 and not args.against and self.progress >= args.planners_from

    def _seat_others(self) -> tuple[Tensor, Tensor, Tensor]:
        """The lanes of past selves, by number; whether a planner sits in a lane; and the learner's seat there, or -1.

        The first lanes of each kind of game are for past selves, the next for planners. Side by side they are quicker,
        because a GPU works on neighbouring lanes together. A planner takes as long on a GPU for few lanes as for many,
        so games of three and four do without.
        """
        args, players = self.args, self.tables.players
        rivals, planned = torch.zeros((2, self.tables.lanes), dtype=torch.bool, device=self.device)
        for batch, place in zip(self.tables.batches, self.tables.places, strict=True):
            past = place.start + round(batch.games * (1.0 if args.against else args.league))
            rivals[place.start : past] = True
            if batch.players == 2 and self.planners_play:
                planned[past : min(place.stop, past + round(batch.games * args.planners))] = True
        lanes = torch.arange(self.tables.lanes, device=self.device)
        return lanes[rivals], planned, torch.where(rivals | planned, lanes % players, -1)

    @property
    def size(self) -> int:
        return sum(weights.numel() for weights in self.parameters)

    # The schedule.

    @property
    def progress(self) -> float:
        return min(1.0, self.decisions / self.args.decisions)

    def between(self, first: float, last: float) -> float:
        return first + (last - first) * self.progress

    def fading(self, first: float, start: float, end: float) -> float:
        """1 until `start`, 0 from `end` on."""
        return first * min(1.0, max(0.0, (end - self.progress) / max(1e-9, end - start)))

    def set_schedule(self) -> None:
        """Sets what changes during the training."""
        args = self.args
        keeps, whims = (self.fading(first, 0, args.try_until) for first in (args.try_keeps, args.try_tickets))
        built = self.fading(args.built, args.built_from, args.built_until)
        margin = self.between(args.margin, args.last_margin)
        entropy = self.between(args.entropy, args.last_entropy)
        gae_lambda = self.between(args.gae_lambda, args.last_gae_lambda)
        self.schedule.copy_(torch.tensor([keeps, whims, built, margin, entropy, gae_lambda]))
        wave = 0.5 * (1 + math.cos(math.pi * self.progress))
        lr = args.last_lr + (args.lr - args.last_lr) * wave
        self.lr.fill_(lr * min(1.0, (self.iteration + 1) / 20))

    def _learnt_at_once(self) -> int:
        """Decisions to learn from in an iteration: the mean number of the learner's, in whole minibatches.

        Their number varies, but a recorded update always has the same length.
        """
        steps, minibatch = self.args.steps, self.args.minibatch
        own = float(torch.where(self.mine >= 0, 1 / self.tables.players, 1.0).sum()) * steps
        return min(self.tables.lanes * steps, math.ceil(own / minibatch) * minibatch)

    def _shuffled(self) -> Tensor:
        """The learner's own decisions in random order, filled up with those of past selves and planners."""
        others = ~self.rollout.learnable.flatten()
        lots = torch.rand(len(others), device=self.device)
        chosen = (lots + others).argsort()[: self._learnt_at_once()]
        return chosen[torch.randperm(len(chosen), device=self.device)]

    def iterate(self) -> None:
        """Plays some steps of all games, and then makes the updates."""
        if self.planners_are_due and not self.planners_play:
            self._sit_down()
        self.set_schedule()
        self.play()
        self.order.copy_(self._shuffled())
        self.learn()
        if self.device.type == "cuda":
            torch.cuda.synchronize()  # or the host would run ahead, and the clock with it
        self.decisions += self.tables.lanes * self.args.steps
        self.iteration += 1

    # Playing.

    @torch.no_grad()
    def _play(self) -> None:
        rollout, tables, steps, schedule = self.rollout, self.tables, self.args.steps, self.schedule
        rollout.begin()
        for t in range(steps):
            inputs, masks, seats = rollout.inputs[t], rollout.masks[t], rollout.seats[t]
            actions, rollout.log_probs[t], rollout.values[t] = self.choose(inputs, masks, self.planned, schedule)
            rollout.learnable[t] = self._let_others_play(t, actions)
            rollout.actions[t] = actions
            tables.step(rollout.actions[t], rollout.rewards[t], rollout.scores, rollout.dones[t])
            self._count_duels(t)
            built = rollout.built.scatter(1, seats[:, None], self.lessons.built(inputs)[:, None])
            rollout.rewards[t] = self.pay(rollout.rewards[t], rollout.scores + schedule[2] * built, schedule)
            over = rollout.dones[t][:, None]
            rollout.rewards[t].masked_fill_(~over, 0.0)
            rollout.built.copy_(built.masked_fill(over, 0.0))
            tables.look(rollout.inputs[t + 1], rollout.masks[t + 1], rollout.seats[t + 1])
        rollout.values[steps] = self.choose(rollout.inputs[steps], rollout.masks[steps], self.planned, schedule)[2]

    def _let_others_play(self, t: int, actions: Tensor) -> Tensor:
        """Lets past selves and planners decide in their lanes; returns the lanes of the learner."""
        rollout, rivals = self.rollout, self.rivals
        theirs = (self.mine >= 0) & (rollout.seats[t] != self.mine)
        if len(rivals):
            chosen = self.answer(rollout.inputs[t][rivals], rollout.masks[t][rivals])
            actions[rivals] = torch.where(theirs[rivals], chosen, actions[rivals])
        if self.planners_play:
            asked = theirs & self.planned
            place, batch = self.tables.places[0], self.tables.batches[0]
            batch.choose("planner", actions[place], asked[place])
        return ~theirs

    def _count_duels(self, t: int) -> None:
        """Counts the learner's results in games with others that have just ended."""
        rewards = self.rollout.rewards[t].gather(1, self.mine.clamp(min=0)[:, None]).squeeze(1)
        won = (1 + rewards * (self.tables.players - 1)) / self.tables.players
        ended = self.rollout.dones[t] & (self.mine >= 0)
        for row, lanes in enumerate((ended & ~self.planned, ended & self.planned)):
            self.duels[row] += torch.stack([lanes.sum(), (won * lanes).sum()])

    def _answer(self, inputs: Tensor, masks: Tensor) -> Tensor:
        with torch.autocast(self.device.type, torch.bfloat16):
            logits, _ = self.rival(inputs)
        return _sample(logits.float().masked_fill(~masks, -torch.inf))

    def _judge(self, inputs: Tensor, planned: Tensor) -> tuple[Tensor, Tensor]:
        """The logits, and the values against the players who sit there."""
        with torch.autocast(self.device.type, torch.bfloat16):
            told, hidden = self.network.trunk(inputs)
            values = torch.where(planned, self.network.value(hidden, PLANNER), self.network.value(hidden))
            return self.network.logits(told, hidden).float(), values.float()

    def _choose(
        self, inputs: Tensor, masks: Tensor, planned: Tensor, schedule: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Samples from the network, mixed with random choices of tickets. The probability is the mixture's."""
        logits, values = self._judge(inputs, planned)
        chances = logits.masked_fill(~masks, -torch.inf).softmax(1)
        lot = torch.zeros_like(chances)
        keeps = masks[:, KEEP : KEEP + 3].float()
        lot[:, KEEP : KEEP + 3] = keeps / keeps.sum(1, keepdim=True).clamp(min=1)
        lot[:, DRAW_TICKETS] = masks[:, DRAW_TICKETS].float()
        often = schedule[0] * masks[:, KEEP + 2 : KEEP + 3] + schedule[1] * masks[:, DRAW_TICKETS : DRAW_TICKETS + 1]
        mixed = ((1 - often) * chances + often * lot).clamp(min=1e-30).log()
        actions = _sample(mixed.masked_fill(~masks, -torch.inf))
        return actions, mixed.gather(1, actions[:, None]).squeeze(1), values

    def _pay(self, won: Tensor, totals: Tensor, schedule: Tensor) -> Tensor:
        """The reward of every seat whose game has ended: who won, and by how much.

        While building is paid for, its points count like scored ones, and the seat with the most wins.
        """
        paid, margin = schedule[2], schedule[3]
        best = totals.topk(2, 1).values
        lead = totals - torch.where(totals == best[:, :1], best[:, 1:], best[:, :1])
        lost = -1 / (self.tables.players[:, None] - 1.0)
        ahead = torch.where(lead > 0, 1.0, torch.where(lead < 0, lost, 0.0))
        won = torch.where(paid > 0, ahead, won)
        return (1 - margin) * won + margin * (lead / self.args.margin_points).clamp(-1, 1)

    # Learning.

    @torch.no_grad()
    def _advantages(
        self, values: Tensor, seats: Tensor, rewards: Tensor, dones: Tensor, lam: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Generalised advantage estimates along each seat's own decisions, and which of them are known.

        Going backwards, every lane keeps what each seat can expect from its next decision on. At the end of a game that
        is its reward. After the last step only the seat that decides then has a value, so nothing is learnt from the
        last decision of the others.
        """
        steps = self.args.steps
        seat = seats[steps][:, None]
        expected = torch.zeros_like(rewards[0]).scatter(1, seat, values[steps][:, None])
        known = torch.zeros_like(expected, dtype=torch.bool).scatter(1, seat, True)
        found, sure = [], []
        for t in reversed(range(steps)):
            done, seat = dones[t][:, None], seats[t][:, None]
            expected, known = torch.where(done, rewards[t], expected), known | done
            sure.append(known.gather(1, seat).squeeze(1))
            advantage = torch.where(sure[-1], expected.gather(1, seat).squeeze(1) - values[t], 0.0)
            found.append(advantage)
            expected = expected.scatter(1, seat, (values[t] + lam * advantage)[:, None])
            known = known.scatter(1, seat, True)
        return torch.stack(found[::-1]), torch.stack(sure[::-1])

    def _normal(self, advantages: Tensor, weights: Tensor, kinds: Tensor) -> Tensor:
        """Normalised to mean 0 and variance 1 for each number of players; otherwise large rewards would dominate."""
        found = torch.zeros_like(advantages)
        for kind in range(2, SEATS + 2):
            here = kinds == kind
            counted = weights * here
            mean = (advantages * counted).sum() / counted.sum().clamp(min=1)
            spread = (((advantages - mean) ** 2 * counted).sum() / counted.sum().clamp(min=1)).sqrt()
            found += here * (advantages - mean) / (spread + 1e-8)
        return found

    def _learn(self) -> None:
        """One epoch of updates from one rollout; `told` says how it went."""
        args, rollout = self.args, self.rollout
        happened = (rollout.values, rollout.seats, rollout.rewards, rollout.dones)
        advantages, sure = self._advantages(*happened, self.schedule[5])
        weights = (sure & rollout.learnable).float().flatten()
        returns = (advantages + rollout.values[:-1]).flatten()
        kinds = self.kinds.repeat(args.steps)
        normal = self._normal(advantages.flatten(), weights, kinds)
        inputs, masks = rollout.inputs[:-1].flatten(0, 1), rollout.masks[:-1].flatten(0, 1)
        actions, log_probs = rollout.actions.flatten(), rollout.log_probs.flatten()
        self.told.zero_()
        parts = self.order.split(args.minibatch)
        for part in parts:
            taken = (inputs[part], masks[part], actions[part], log_probs[part], normal[part], returns[part])
            loss, numbers = self.losses(*taken, weights[part], kinds[part] > SEATS, self.schedule[4])
            self.optimiser.zero_grad(set_to_none=True)
            loss.backward()
            for weight, rows in self.left_out:
                weight.grad.index_fill_(0, rows, 0.0)
            torch.nn.utils.clip_grad_norm_(self.parameters, args.max_grad_norm, foreach=True)
            self.optimiser.step()
            with torch.no_grad():
                torch._foreach_lerp_(list(self.averaged.values()), self.parameters, 1 - args.average)
                self.told[:-1] += numbers / len(parts)
        self.told[-1] = 1 - (advantages**2).mean() / returns.var()

    def _losses(self, *taken: Tensor) -> tuple[Tensor, Tensor]:
        inputs, masks, actions, log_probs, advantages, returns, weights, planned, bonus = taken
        logits, values = self._judge(inputs, planned)
        logs = logits.masked_fill(~masks, -1e9).log_softmax(1)
        log_ratio = logs.gather(1, actions[:, None]).squeeze(1) - log_probs
        ratio, clip, count = log_ratio.exp(), self.args.clip, weights.sum().clamp(min=1)

        def mean(numbers: Tensor) -> Tensor:
            return (numbers * weights).sum() / count

        policy = -mean(torch.min(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages))
        value = mean((values - returns) ** 2)
        entropy = mean(-(logs.exp() * logs.masked_fill(~masks, 0.0)).sum(1))
        loss = policy + self.args.value * value - bonus * entropy
        clipped = mean(((ratio - 1).abs() > clip).float())
        return loss, torch.stack([policy, value, entropy, mean(ratio - 1 - log_ratio), clipped]).detach()

    # The league.

    def meet_past_self(self) -> None:
        """Sometimes adds the present self to the league; every iteration plays against one of the league."""
        if not self.args.against and len(self.league) <= self.progress / self.args.league_every:
            self.league.append({name: tensor.half() for name, tensor in self.averaged.items()})
        chosen = self.league[int(torch.randint(len(self.league), ()))]
        for name, tensor in chosen.items():
            self.past[name].copy_(tensor)

    # Files.

    def save(self) -> None:
        """Writes everything needed to resume. The old file stays until the new one is complete."""
        state = {"args": asdict(self.args), "decisions": self.decisions, "seconds": self.seconds}
        state |= {"iteration": self.iteration, "weights": self.weights, "averaged": self.averaged}
        state |= {"league": self.league, "optimiser": self.optimiser.state_dict()}
        whole = Path(self.args.out) / "checkpoint.pt"
        half = whole.with_suffix(".part")
        torch.save(state, half)
        half.replace(whole)

    def load(self, path: str) -> None:
        state = read_checkpoint(path, self.device)
        if state["args"]["without"] != self.args.without:
            raise SystemExit(f"{path} was trained with --without '{state['args']['without']}': use the same")
        self._check_size(path, state["weights"])
        self.decisions, self.seconds, self.iteration = state["decisions"], state["seconds"], state["iteration"]
        for mine, name in ((self.weights, "weights"), (self.averaged, "averaged")):
            for key, tensor in mine.items():
                tensor.data.copy_(state[name][key])
        self.league = state["league"]
        self.optimiser.load_state_dict(state["optimiser"])
        for group in self.optimiser.param_groups:
            group["lr"], group["capturable"] = self.lr, self.device.type == "cuda"
        for batch in self.tables.batches:  # not the first games once more
            batch.reset((self.args.seed << 32) + self.decisions)
        self.tables.look(*(tensor[-1] for tensor in (self.rollout.inputs, self.rollout.masks, self.rollout.seats)))

    def export(self, name: str) -> None:
        """Writes the averaged weights, which play."""
        args = self.args
        weights = {key: self.averaged[key].half().cpu().numpy() for key in shapes(self.board, args.width, args.blocks)}
        told = {"decisions": self.decisions, "seconds": round(self.seconds), "args": asdict(self.args)}
        save_weights(Path(self.args.out) / f"{name}.npz", self.board, weights, told)


def read_checkpoint(path: str, device: torch.device) -> dict[str, Any]:
    try:
        found: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
        return found | {"args": asdict(Args()) | found["args"]}
    except (RuntimeError, UnpicklingError, KeyError, TypeError):
        raise SystemExit(f"{path} is no checkpoint: a training writes one as checkpoint.pt") from None


class Report:
    """A line on the screen and a row of log.csv, now and then."""

    def __init__(self, trainer: Trainer) -> None:
        self.trainer, self.path = trainer, Path(trainer.args.out) / "log.csv"
        self.games, self.decisions, self.time = trainer.tables.finished(), trainer.decisions, time.monotonic()

    def has_news(self) -> bool:
        """Whether as many games of every kind have ended as there are tables. Just after the start, none has."""
        tables = self.trainer.tables
        ended = (now - then for now, then in zip(tables.finished(), self.games, strict=True))
        return all(games >= batch.games for games, batch in zip(ended, tables.batches, strict=True))

    def tell(self) -> None:
        trainer, now = self.trainer, time.monotonic()
        games, decisions = trainer.tables.finished(), trainer.decisions - self.decisions
        row = {"seconds": round(trainer.seconds, 1), "iteration": trainer.iteration, "decisions": trainer.decisions}
        row |= {"per_second": decisions / (now - self.time), "length": decisions / max(1, sum(games) - sum(self.games))}
        row |= {"lr": float(trainer.lr), **dict(zip(TOLD, trainer.told.tolist(), strict=True)), **self._ends()}
        self.games, self.decisions, self.time = games, trainer.decisions, now
        new = not self.path.exists()
        with self.path.open("a", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, list(row))
            if new:
                table.writeheader()
            table.writerow(row)
        print("  ".join(f"{name} {number:.4g}" for name, number in row.items()), flush=True)

    def _ends(self) -> dict[str, float]:
        """The mean of each seat's last scores, how often the first seat won, and the shares won against others."""
        found = {}
        for batch in self.trainer.tables.batches:
            scores = batch.scores.float()
            found[f"score{batch.players}"] = float(scores.mean())
            found[f"first{batch.players}"] = float((scores.argmax(1) == 0).float().mean())
        seen = take_apart(self.trainer.network.places, self.trainer.rollout.inputs[-1])
        for name, (games, won) in zip(("past_selves", "planners"), self.trainer.duels.tolist(), strict=True):
            found[name] = won / games if games else math.nan
        self.trainer.duels.zero_()
        found["wanted"] = float(seen["wanted"].sum(1).float().mean())
        found["completed"] = float(seen["completed"].sum(1).float().mean())
        return found


def _sample(logits: Tensor) -> Tensor:
    """Samples by Gumbel's trick: in one pass, without a copy to the host."""
    noise = torch.rand_like(logits).clamp(1e-20, 1.0)
    return (logits - (-noise.log()).clamp(min=1e-20).log()).argmax(1)


def train(args: Args, stop: Sequence[bool] = ()) -> None:
    """Trains until the schedule or the minutes are over, or `stop` has an entry."""
    check(args)
    Path(args.out).mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    trainer = Trainer(args)
    report, before = Report(trainer), trainer.seconds
    reported = saved = before
    print(f"ready after {time.monotonic() - begun:.1f} s: {trainer.size:,} weights", flush=True)
    while not stop and trainer.progress < 1 and time.monotonic() - begun < 60 * args.minutes:
        trainer.meet_past_self()
        trainer.iterate()
        trainer.seconds = before + time.monotonic() - begun
        if trainer.seconds - reported >= args.report and report.has_news():
            report.tell()
            reported = trainer.seconds
        if args.snapshot and trainer.seconds - saved >= args.snapshot:
            saved = trainer.seconds
            trainer.export(f"{args.name}-{int(trainer.seconds):04d}")
            trainer.save()
    report.tell()
    trainer.save()
    trainer.export(args.name)
    print(f"wrote {args.out}/{args.name}.npz and {args.out}/checkpoint.pt")


def check(args: Args) -> None:
    """Checks the settings before anything is written."""
    if args.device == "cuda" and not torch.cuda.is_available():
        raise SystemExit("torch finds no GPU here; --device cpu is for seeing it work")
    if (Path(args.out) / "log.csv").exists() and not args.resume:
        raise SystemExit(f"{args.out} has another training; choose another --out, or --resume it")


def on_interrupt() -> list[bool]:
    """A list that gets an entry when the user presses Ctrl-C."""
    stop: list[bool] = []
    signal.signal(signal.SIGINT, lambda *_: stop.append(True))
    return stop


def parse(words: list[str] | None = None) -> Args:
    """The command line: an option for each field, with its comment from above as the help."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = Path(__file__).read_text("utf-8").splitlines()
    for field in fields(Args):
        line = next(line for line in source if line.startswith(f"    {field.name}: "))
        told = f"{line.partition('  # ')[2]} (default {field.default})"
        kind = (lambda text: text.lower() in ("1", "true", "yes")) if field.type == "bool" else type(field.default)
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=kind, default=argparse.SUPPRESS, help=told)
    given = vars(parser.parse_args(words))
    before = read_checkpoint(given["resume"], torch.device("cpu"))["args"] if given.get("resume") else {}
    return Args(**{name: setting for name, setting in before.items() if name not in OF_A_PART} | given)


if __name__ == "__main__":
    try:
        train(parse(), on_interrupt())
    except (OSError, MapError, WeightsError) as error:
        raise SystemExit(f"selfplay.py: {error}") from None
