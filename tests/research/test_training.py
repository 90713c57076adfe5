"""The training scripts, in small: on a CPU, for seconds."""

from __future__ import annotations

import csv
import hashlib
import importlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from fogline import Game
from fogline.batch import Batch
from fogline.players.neural.encoder import encode
from fogline.players.neural.inputs import input_places, input_width, observation_width
from fogline.players.neural.lookahead import MARGIN, MARGIN_SHARE
from fogline.players.neural.network import Network
from fogline.players.neural.neural import WEIGHTS
from fogline.players.neural.weights import load_weights, read_about
from fogline.rules.numbering import KEEP
from tests.boards import load_board
from tests.conformance import ROOT
from tests.scripts import run

torch = pytest.importorskip("torch")

Train = Callable[[Path, str], Path]

SMALL = "--device cpu --compile 0 --games2 8 --games3 4 --games4 4 --width 16 --blocks 1 --minibatch 128 --planners 0"
"""A training of 16 games at once: 512 decisions in an iteration."""


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def selfplay() -> Iterator[ModuleType]:
    """With one thread: several would wait for each other more than they work."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield importlib.import_module("research.training.selfplay")
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def train(selfplay: ModuleType) -> Train:
    """As on the command line, but in this process: torch takes seconds to load."""

    def train(out: Path, options: str) -> Path:
        selfplay.train(selfplay.parse([*SMALL.split(), "--out", str(out), *options.split()]))
        return out

    return train


@pytest.fixture(scope="module")
def folder(train: Train, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What two iterations leave behind."""
    return train(tmp_path_factory.mktemp("run"), "--decisions 1024 --snapshot 0.001")


def test_it_learns_and_leaves_weights_that_play(folder: Path) -> None:
    about = read_about(folder / "weights.npz")
    assert about["decisions"] == 1024
    assert about["args"]["games2"] == 8
    weights = load_weights(folder / "weights.npz", load_board("san_francisco"))
    assert all(np.isfinite(weight).all() for weight in weights.values())
    assert weights["second0"].any(), "at first they are 0"
    assert int(rows(folder / "log.csv")[-1]["decisions"]) == 1024


@pytest.mark.thorough
def test_the_same_seed_begins_the_same(train: Train, folder: Path, tmp_path: Path) -> None:
    train(tmp_path / "same", "--decisions 1024 --snapshot 0")
    train(tmp_path / "other", "--decisions 1024 --snapshot 0 --seed 2")
    board = load_board("san_francisco")
    mine, same, other = (
        load_weights(run / "weights.npz", board) for run in (folder, tmp_path / "same", tmp_path / "other")
    )
    assert all(np.array_equal(mine[name], same[name]) for name in mine)
    assert not np.array_equal(mine["in"], other["in"])


def test_it_goes_on_where_it_stopped(train: Train, folder: Path, tmp_path: Path) -> None:
    train(tmp_path, f"--decisions 2048 --resume {folder / 'checkpoint.pt'}")
    told = rows(tmp_path / "log.csv")
    assert int(told[-1]["iteration"]) == 4
    assert int(told[-1]["decisions"]) == 2048
    before, after = (read_about(run / "weights.npz")["seconds"] for run in (folder, tmp_path))
    assert after >= before


def test_all_that_was_learnt_is_there_again(selfplay: ModuleType, train: Train, tmp_path: Path) -> None:
    saved = train(tmp_path / "run", "--decisions 1024") / "checkpoint.pt"
    trainer = selfplay.Trainer(selfplay.parse(["--device", "cpu", "--compile", "0", "--resume", str(saved)]))
    state = torch.load(saved, weights_only=True)
    assert (trainer.decisions, trainer.iteration, trainer.progress) == (1024, 2, 1.0)
    for mine, name in ((trainer.weights, "weights"), (trainer.averaged, "averaged")):
        assert all(torch.equal(mine[key], tensor) for key, tensor in state[name].items())
        assert {*mine} == {*state[name]}
    assert len(trainer.league) == len(state["league"]) > 0
    moments = trainer.optimiser.state_dict()["state"]
    assert all(torch.equal(moments[key]["exp_avg"], old["exp_avg"]) for key, old in state["optimiser"]["state"].items())


def test_it_goes_on_with_the_same_settings(selfplay: ModuleType, folder: Path) -> None:
    saved = str(folder / "checkpoint.pt")
    before = selfplay.parse([*SMALL.split(), "--decisions", "1024"])
    after = selfplay.parse(["--resume", saved, "--entropy", "0.5"])
    for name, setting in asdict(after).items():
        given = {"resume": saved, "entropy": 0.5}
        of_a_part = getattr(selfplay.Args(), name)
        assert setting == given.get(name, of_a_part if name in selfplay.OF_A_PART else getattr(before, name))


@pytest.mark.thorough
def test_ctrl_c_keeps_what_was_learnt(tmp_path: Path) -> None:
    """By the program, as somebody types it; a terminal tells all of its processes."""
    options = [*SMALL.split(), "--out", str(tmp_path), "--decisions", "1e9", "--report", "0"]
    command = [sys.executable, "-m", "research.training.selfplay", *options, "--minutes", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True, cwd=ROOT) as program:
        assert program.stdout is not None
        assert any(line.startswith("seconds") for line in program.stdout), "it has begun to learn"
        os.killpg(program.pid, signal.SIGINT)
        last = program.stdout.read().splitlines()[-1]
    assert program.returncode == 0
    assert last == f"wrote {tmp_path}/weights.npz and {tmp_path}/checkpoint.pt"
    assert read_about(tmp_path / "weights.npz")["decisions"] > 0


@pytest.mark.thorough
def test_it_learns_against_planners(train: Train, tmp_path: Path) -> None:
    train(tmp_path, "--decisions 6144 --planners 0.5 --planners-from 0 --report 1e9")
    told = rows(tmp_path / "log.csv")[-1]
    assert float(told["planners"]) < 0.2, "they are stronger than beginners, and were met"


def new_trainer(selfplay: ModuleType, **other: float) -> Any:
    """As small as SMALL."""
    small = {"device": "cpu", "compile": False, "games2": 8, "games3": 4, "games4": 4, "width": 16, "blocks": 1}
    return selfplay.Trainer(selfplay.Args(**small, minibatch=64, **other))


def test_what_others_decide_is_not_learnt_from(selfplay: ModuleType) -> None:
    trainer = new_trainer(selfplay, planners=0.5, planners_from=0)
    trainer.iterate()
    learnable = trainer.rollout.learnable.flatten()
    assert trainer.decisions == len(learnable) == 512
    assert len(trainer.order) == 448, "in five games of two, half of the decisions: 432, and whole minibatches"
    chosen = learnable[trainer.order]
    assert chosen.sum() == min(len(chosen), learnable.sum())
    assert len({*trainer.order.tolist()}) == len(trainer.order)
    trainer.rollout.learnable[8:] = False
    learnable[8 * 16 :] = False
    parts = trainer._shuffled().split(64)
    assert min(int(learnable[part].sum()) for part in parts) > 0, "each update has something to learn from"


def test_advantages_count_alike_at_every_kind_of_table(selfplay: ModuleType) -> None:
    trainer = new_trainer(selfplay, planners=0.5, planners_from=0)
    kinds = trainer.kinds.repeat(50)
    assert sorted({*kinds.tolist()}) == [2, 3, 4, 5], "tables of two, three and four, and those with planners"
    generator = torch.Generator().manual_seed(1)
    advantages = torch.randn(len(kinds), generator=generator) * kinds + kinds
    counted = (torch.rand(len(kinds), generator=generator) < 0.8).float()
    normal = trainer._normal(advantages, counted, kinds)
    for kind in range(2, 6):
        here = normal[(kinds == kind) & (counted > 0)]
        assert here.mean().abs() < 1e-5
        assert (here.std(correction=0) - 1).abs() < 1e-4


def test_the_value_of_a_position_depends_on_whether_a_planner_sits_there(selfplay: ModuleType) -> None:
    trainer = new_trainer(selfplay, planners=0.5, planners_from=0)
    for name in ("worth", "planner_worth"):
        trainer.weights[name].data.normal_(generator=torch.Generator().manual_seed(len(name)))
    inputs, planned = trainer.rollout.inputs[-1], trainer.planned
    logits, values = trainer._judge(inputs, planned)
    same_logits, others = trainer._judge(inputs, ~planned)
    assert torch.equal(logits, same_logits), "what it does must not"
    assert planned.any()
    assert (values != others).all()
    assert torch.equal(values[~planned], trainer._judge(inputs, torch.zeros_like(planned))[1][~planned])


@pytest.mark.thorough
def test_planners_come_when_it_is_time(selfplay: ModuleType) -> None:
    trainer = new_trainer(selfplay, planners=0.5, planners_from=0.4, decisions=2048)
    seated = []
    for _ in range(3):
        trainer.iterate()
        seated.append((int(trainer.planned.sum()), len(trainer.order)))
    assert seated == [(0, 512), (0, 512), (4, 448)]


@pytest.fixture(scope="module")
def without(train: Train, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two iterations of a network that does without something."""
    return {
        thing: train(tmp_path_factory.mktemp(thing), f"--decisions 1024 --without {thing}")
        for thing in ("questions", "features")
    }


def test_a_network_without_features_cannot_tell_what_that_says(without: dict[str, Path], folder: Path) -> None:
    board = load_board("san_francisco")
    inputs = encode(board, 2, Batch(board, 2, 8).observations)
    other = inputs.copy()
    other[:, observation_width(board) :] = np.roll(other[:, observation_width(board) :], 1, axis=1)
    for out, knows in ((without["features"], False), (folder, True)):
        network = Network(board, load_weights(out / "weights.npz", board))
        assert np.allclose(network(inputs)[0], network(other)[0], atol=1e-6) != knows
    assert load_weights(without["features"] / "weights.npz", board)["route_fact"].any(), (
        "what is open it knows all the same"
    )


def test_a_network_without_questions_asks_none(without: dict[str, Path]) -> None:
    board = load_board("san_francisco")
    found = load_weights(without["questions"] / "weights.npz", board)
    weights = {name: torch.as_tensor(weight) for name, weight in found.items()}
    network = importlib.import_module("research.training.network").Network(board, weights, torch.device("cpu"))
    told = torch.ones((1, input_width(board)))
    assert not network.fit("route", network.route_facts(told), torch.ones((1, 16))).any()
    assert not network.fit("card", network.card_facts(told), torch.ones((1, 16))).any()
    assert weights["second0"].any(), "the rest has learnt"


@pytest.fixture(scope="module")
def known(folder: Path, without: dict[str, Path]) -> dict[str, Path]:
    return {"WITH": folder, "LESS": without["features"]}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--without luck", "--without luck: choose questions or features"),
        ("--without features --start WITH/weights.npz", "WITH/weights.npz was trained with it"),
        ("--without features --resume WITH/checkpoint.pt", "was trained with --without '': use the same"),
        ("--without questions --resume LESS/checkpoint.pt", "was trained with --without 'features': use the same"),
        ("--resume WITH/weights.npz", "WITH/weights.npz is no checkpoint"),
        ("--width 32 --resume WITH/checkpoint.pt", "WITH/checkpoint.pt was trained with --width 16 --blocks 1"),
        ("--blocks 2 --start WITH/weights.npz", "WITH/weights.npz was trained with --width 16 --blocks 1"),
        ("--width 32 --against WITH/weights.npz", "WITH/weights.npz was trained with --width 16 --blocks 1"),
        ("--out WITH", "WITH has another training; choose another --out, or --resume it"),
        ("--device cuda", "torch finds no GPU here"),
    ],
)
def test_what_cannot_be_is_told(options: str, told: str, train: Train, known: dict[str, Path], tmp_path: Path) -> None:
    if "cuda" in options and torch.cuda.is_available():
        pytest.skip("there is one here")
    for name, path in known.items():
        options, told = options.replace(name, str(path)), told.replace(name, str(path))
    with pytest.raises(SystemExit, match=re.escape(told)):
        train(tmp_path, f"--decisions 512 {options}")
    assert not any(tmp_path.iterdir()), "nothing was written"


@pytest.mark.thorough
def test_what_built_ways_tell_of_tickets_is_found() -> None:
    told = run("tickets", "--games", "20")
    assert re.findall(r"^(at first|in the end, more) +built -?[\d.]+  completed", told, re.M) == [
        "at first",
        "in the end, more",
    ]
    ends = re.findall(r"cars used +([\d.]+)% +([\d.]+)%  \([\d,]+ tickets\)$", told, re.M)
    assert len(ends) == 5
    predicted, alike = map(float, ends[-1])
    assert predicted > alike, "in the end much is built"


@pytest.mark.thorough
def test_it_learns_an_answer_to_other_weights(train: Train, folder: Path, tmp_path: Path) -> None:
    other = str(folder / "weights.npz")
    train(tmp_path, f"--decisions 4096 --against {other} --start {other} --report 1e9")
    told = rows(tmp_path / "log.csv")[-1]
    assert 0 < float(told["past_selves"]) < 1
    board = load_board("san_francisco")
    before, after = (load_weights(Path(file), board) for file in (other, tmp_path / "weights.npz"))
    assert np.abs(before["in"] - after["in"]).max() < 0.1, "it began with them"
    assert not np.array_equal(before["in"], after["in"])


@pytest.mark.thorough
def test_its_weights_are_evaluated_and_drawn(train: Train, tmp_path: Path) -> None:
    """Those of a file that was written anew, too; and nothing twice."""
    evaluate = importlib.import_module("research.training.evaluate")
    small = [str(tmp_path), "--games", "2", "--cores", "1", "--opponent", "random"]
    for decisions in (512, 1024):
        resumed = f" --resume {tmp_path / 'checkpoint.pt'}" if decisions > 512 else ""
        train(tmp_path, f"--decisions {decisions} --snapshot 0{resumed}")
        for _ in range(2):
            evaluate.main(small)
    told = rows(tmp_path / "evaluations.csv")
    assert [(row["file"], row["decisions"], row["players"]) for row in told] == [
        ("weights.npz", decisions, players) for decisions in ("512", "1024") for players in "234"
    ]
    assert run("training.curves", str(tmp_path), "-o", str(tmp_path / "c.svg")).strip() == str(tmp_path / "c.svg")
    assert "games won against planners" in (tmp_path / "c.svg").read_text("utf-8")


def test_what_cannot_be_evaluated_is_told(folder: Path, tmp_path: Path) -> None:
    script = [sys.executable, "-m", "research.training.evaluate"]
    for words, told in (
        ([str(tmp_path)], f"evaluate.py: there are no files of weights in {tmp_path}\n"),
        ([str(folder), "--opponent", "nobody"], "evaluate.py: there is no player 'nobody'"),
    ):
        wrong = subprocess.run([*script, *words], capture_output=True, text=True, check=False, cwd=ROOT)
        assert wrong.returncode == 1
        assert wrong.stderr.startswith(told)


@pytest.mark.thorough
def test_what_looking_ahead_would_gain_is_told(folder: Path) -> None:
    small = "--device cpu --positions 2 --chosen-by 2 --judged-by 2 --players 3"
    told = run("foresight", str(folder / "weights.npz"), *small.split())
    assert re.findall(r"^ +(\d|to the end)   -?[\d.]+ ± [\d.]+$", told, re.M) == [*"123468", "to the end"]


def test_a_choice_gains_what_it_is_worth_more_than_the_one_liked_best() -> None:
    foresight = importlib.import_module("research.foresight")
    worth = np.zeros((2, 4, len(foresight.HORIZONS) + 2))  # of four games two are to choose by, two to judge by
    worth[1, :2, 2] = 0.5  # three turns ahead the second looks better,
    worth[1, 2:, -1] = [1.0, 0.0]  # and it is
    for players, gain in ((2, 0.25), (3, 1 / 3)):  # of three, two rewards of -1/2 and 1 are as far apart as 0 and 1
        view = Game(players=players, seed=1).view(0)
        position = foresight.Position(view, np.array([7, 9]), np.array([0.0, -1.0]))
        assert foresight.gains([position], [worth], 2)[0].tolist() == pytest.approx([0, 0, gain, 0, 0, 0, 0])


def test_advantages_are_those_of_each_seat_alone(selfplay: ModuleType) -> None:
    """Against the definition: from the values of the seat's own decisions, and its own reward where the game ends."""
    steps, lanes, lam = 12, 7, 0.9
    chance = torch.Generator().manual_seed(3)
    values = torch.rand((steps + 1, lanes), generator=chance)
    seats = torch.randint(3, (steps + 1, lanes), generator=chance)
    dones = torch.rand((steps, lanes), generator=chance) < 0.15
    rewards = torch.randn((steps, lanes, 4), generator=chance) * dones[:, :, None]
    trainer = selfplay.Trainer.__new__(selfplay.Trainer)
    trainer.args = selfplay.Args(steps=steps)
    found, sure = trainer._advantages(values, seats, rewards, dones, torch.tensor(lam))
    for lane in range(lanes):
        for t in range(steps):
            happened = (values[:, lane], seats[:, lane], rewards[:, lane], dones[:, lane])
            expected = by_definition(happened, t, lam)
            assert bool(sure[t, lane]) == (expected is not None)
            assert float(found[t, lane]) == pytest.approx(expected or 0.0, abs=1e-5)


def by_definition(happened: tuple[Any, ...], t: int, lam: float) -> float | None:
    """The sum of (gain * lam ** k) over the seat's decisions from t on; None when its next one is not known."""
    values, seats, rewards, dones = happened
    seat, total, weight, here = int(seats[t]), 0.0, 1.0, t
    while True:
        for later in range(here, len(dones)):
            if dones[later]:
                return total + weight * float(rewards[later, seat] - values[here])
            if int(seats[later + 1]) == seat:
                total += weight * float(values[later + 1] - values[here])
                weight, here = weight * lam, later + 1
                break
        else:
            return None if here == t else total
        if here == len(dones):
            return total


def test_building_is_paid_for_at_first_and_winning_in_the_end(selfplay: ModuleType) -> None:
    args = selfplay.Args(device="cpu", compile=False, games2=2, games3=2, games4=2, width=16, blocks=1, minibatch=64)
    trainer = selfplay.Trainer(args)
    scores = torch.full((6, 4), -1000.0)
    scores[:2, :2] = torch.tensor([20.0, 30.0])
    built = torch.zeros((6, 4))
    built[0, 0] = 40.0
    won = torch.zeros((6, 4))
    won[:2, :2] = torch.tensor([-1.0, 1.0])
    lessons, later = torch.tensor([0, 0, 1.0, 0, 0, 0]), torch.tensor([0, 0, 0.0, 0, 0, 0])
    assert trainer._pay(won, scores + built, lessons)[:2, :2].tolist() == [[1.0, -1.0], [-1.0, 1.0]]
    assert trainer._pay(won, scores, later)[:2, :2].tolist() == [[-1.0, 1.0], [-1.0, 1.0]]
    margin = torch.tensor([0, 0, 0.0, 1.0, 0])
    assert trainer._pay(won, scores, margin)[0, :2].tolist() == [-0.25, 0.25]


def test_of_a_way_that_share_is_paid_for_that_is_built(selfplay: ModuleType) -> None:
    trainer = new_trainer(selfplay)
    board, places = trainer.board, input_places(trainer.board)
    inputs = torch.zeros((1, input_width(board)), dtype=torch.uint8)
    half, whole, failed = 3, 5, 8
    start = trainer.lessons.start
    for name, ticket, number in (
        ("wanted", half, 1),
        ("distance", half, int(start[half]) // 2),
        ("completed", whole, 1),
        ("wanted", failed, 1),
        ("distance", failed, 250),
    ):
        inputs[0, places[name][0] + ticket] = number
    value = [ticket.value for ticket in board.tickets]
    share = 1 - int(start[half]) // 2 / float(start[half])
    assert trainer.lessons.built(inputs).tolist() == pytest.approx([2 * (share * value[half] + value[whole])])


def test_now_and_then_tickets_are_drawn_and_kept_by_lot_and_the_chance_says_so(selfplay: ModuleType) -> None:
    trainer = new_trainer(selfplay)
    inputs, masks = trainer.rollout.inputs[-1], trainer.rollout.masks[-1]  # the first tickets are chosen
    schedule = torch.tensor([0.6, 0.3, 0, 0, 0, 0])
    logits, values = trainer._judge(inputs, trainer.planned)
    chances = logits.masked_fill(~masks, -torch.inf).softmax(1)
    expected = 0.4 * chances
    expected[:, KEEP : KEEP + 3] += 0.2
    counts = torch.zeros_like(chances)
    for _ in range(200):
        actions, log_probs, judged = trainer._choose(inputs, masks, trainer.planned, schedule)
        counts += torch.nn.functional.one_hot(actions, counts.shape[1])
        chosen = expected.gather(1, actions[:, None]).squeeze(1)
        assert torch.allclose(log_probs.exp(), chosen, atol=1e-4)
        assert torch.equal(judged, values)
    assert (counts.sum(0) / counts.sum() - expected.mean(0)).abs().max() < 0.05


def test_what_changes_while_it_trains_does_so_on_time(selfplay: ModuleType) -> None:
    trainer, found = new_trainer(selfplay, decisions=1000), []
    trainer.iteration = 100
    for trainer.decisions in (0, 120, 500, 1000):
        trainer.set_schedule()
        found.append([round(float(number), 4) for number in (*trainer.schedule, trainer.lr)])
    assert found == [
        [0.1, 0.01, 1.0, 0.5, 0.02, 0.96, 0.0005],
        [0.076, 0.0076, 0.5, 0.446, 0.0177, 0.9528, 0.0005],
        [0.0, 0.0, 0.0, 0.275, 0.0105, 0.93, 0.0003],
        [0.0, 0.0, 0.0, 0.05, 0.001, 0.9, 0.0],
    ]


def test_past_selves_join_the_league_in_time_and_one_of_them_plays(selfplay: ModuleType) -> None:
    trainer = new_trainer(selfplay, decisions=1000, league_every=0.25)
    sizes = []
    for trainer.decisions in (0, 100, 260, 300, 510):
        trainer.averaged["in"].fill_(trainer.decisions)
        trainer.meet_past_self()
        sizes.append(len(trainer.league))
        assert float(trainer.past["in"][0, 0]) in {float(self["in"][0, 0]) for self in trainer.league}
    assert sizes == [1, 1, 2, 2, 3]
    assert [float(self["in"][0, 0]) for self in trainer.league] == [0, 260, 510], "as they were then"


def test_the_weights_that_come_along_are_those_of_the_run_that_is_told() -> None:
    told = json.loads((ROOT / "research/training/neural/run.json").read_text("utf-8"))
    file = ROOT / told["weights"]
    assert file == WEIGHTS
    assert hashlib.sha256(file.read_bytes()).hexdigest() == told["sha256"]
    last, about = rows(ROOT / "research/training/neural/log.csv")[-1], read_about(file)
    assert about["decisions"] == int(last["decisions"])
    assert about["seconds"] == pytest.approx(float(last["seconds"]), abs=2)
    assert float(last["seconds"]) < 30 * 60


def test_that_run_had_the_settings_that_the_script_has(selfplay: ModuleType) -> None:
    """So that the command without any options makes such weights again."""
    of_a_part = {"out", "resume", "minutes", "snapshot"}
    differ = {name for name, setting in asdict(selfplay.Args()).items() if read_about(WEIGHTS)["args"][name] != setting}
    assert differ <= of_a_part


def test_the_master_weighs_an_end_as_that_run_did() -> None:
    """Or it would compare ends with the network's values in two currencies."""
    settings = read_about(WEIGHTS)["args"]
    assert (settings["last_margin"], settings["margin_points"]) == (MARGIN_SHARE, MARGIN)


def test_the_picture_of_that_run_is_up_to_date(tmp_path: Path) -> None:
    run("training.curves", str(ROOT / "research/training/neural"), "-o", str(tmp_path / "training.svg"))
    assert (tmp_path / "training.svg").read_bytes() == (ROOT / "docs/data/training.svg").read_bytes()


@pytest.mark.thorough
@pytest.mark.parametrize("option", ["--start", "--against", "--resume", "--board"])
def test_a_file_that_is_not_there_is_named(option: str, tmp_path: Path) -> None:
    missing = str(tmp_path / "none.npz")
    command = [
        sys.executable,
        "-m",
        "research.training.selfplay",
        *SMALL.split(),
        "--out",
        str(tmp_path),
        option,
        missing,
    ]
    wrong = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert wrong.returncode == 1
    assert missing in wrong.stderr
    assert "Traceback" not in wrong.stderr
