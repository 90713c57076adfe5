"""How fast the table server is on this machine: `python benchmarks/server.py`. README.md says what is measured."""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from chart import Point, draw
from crowd import Crowd, Gather, Open, Order, Play, Result, Seat, Stay, Take, Visit
from databases import Databases, databases
from evening import Host
from plan import Plan, add_options, chosen_plan
from report import Figure, Report, conditions, into_document, percentile
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from serving import Cores, Served, available_cores, on_cores
from stored import Seated, open_engine, write_finished, write_remembered, write_running, write_with_bots_due
from troublemaker import Aim, Troublemaker

from fogline.players.player import PLAYERS
from fogline.server.workers.bots import usual_seconds

DOCS = Path(__file__).resolve().parent.parent / "docs"
NAME = "performance-server"

Clock = Callable[[], float]
"""The seconds that a process has computed so far."""

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)

_LOADED_BEFORE = 50
"""Tables that exist before memory is measured, so that what a server loads once does not count as theirs."""


_EVENING_BOT = "master"
_REMEMBERED = 30
"""Finished games, whose replays the troublemaker asks for."""

_EVENING_WARM_UP = 5.0
"""Seconds that do not count: workers start, people find their rhythm, and the troublemaker begins."""

_UNTIL_READY = 3.0
"""Seconds after which a worker that bots need has started."""


class Bench:
    """One run."""

    def __init__(
        self, plan: Plan, databases: Databases, folder: Path, available: frozenset[int], progress: Progress
    ) -> None:
        self.plan = plan
        self.databases = databases
        self.folder = folder
        self.cores, self.evening_cores = Cores.one(available), Cores.two(available)
        self.progress = progress
        self.report = Report(databases.kind, conditions(folder, apart=self.cores.apart))

    # What is measured.

    def play(self) -> None:
        """Whole games at many tables: as fast as possible, then at a fixed rate."""
        tables = self.plan.tables
        with self._server(self.databases.new()) as server, self._crowd(server) as crowd:
            self._ask(crowd, f"opening {tables} tables", Open(tables))
            self._ask(crowd, f"seating {self.plan.bot}", Seat(self.plan.bot_tables, self.plan.bot))
            whole = self._ask(crowd, f"whole games at {tables} tables", Play(tables))
            paced = Play(tables, seconds=self.plan.seconds, rate=float(tables), warm_up=min(2.0, self.plan.seconds))
            result = self._ask(crowd, f"{tables} moves a second at {tables} tables", paced)
        how = f"{tables} tables of two at once, {whole.games:,} whole games, {whole.moves + result.moves:,} moves"
        self._tell("errors", len(self.report.errors), "", how, below=1)
        self._tell("moves, all answering at once", whole.moves / whole.seconds, "a second", _busy(whole))
        p50, p99 = _percentiles_ms(result)
        how = f"from when a move is due to the other seat's view, at {tables} moves a second; {_busy(result)}"
        self._tell("p50 of a move", p50, "ms", how)
        self._tell("p99 of a move", p99, "ms", "of the same", below=100)
        self._tell(
            "moves carried out", result.moves / result.seconds, "a second", f"of {tables} a second that were due"
        )

    def curve(self) -> None:
        """More and more tables, where people answer at once."""
        database, seated = self._running_tables(max(self.plan.levels))
        with self._server(database) as server, self._crowd(server) as crowd:
            self._ask(crowd, "curve", Take(seated))
            for tables in self.plan.levels:
                order = Play(tables, seconds=self.plan.level_seconds, warm_up=min(1.0, self.plan.level_seconds))
                result = self._ask(crowd, f"curve: {tables} tables", order)
                self.report.curve.append(Point(tables, result.moves / result.seconds, *_percentiles_ms(result)))

    def bots(self) -> None:
        """What a decision of each kind of bot costs: two of them play against each other, and nobody else."""
        for bot in sorted(PLAYERS.values(), key=lambda player: player.level):
            with self._server(self.databases.new(), "--bot-delay=0") as server, self._crowd(server) as crowd:
                self._ask(crowd, f"{bot.name}: the first game", Seat(1, bot.name))
                time.sleep(_UNTIL_READY)
                before, decided_before = _of_all(server), server.metric("fogline_thinking_seconds_count")
                self._ask(crowd, f"{bot.name}: others", Seat(1 if usual_seconds(bot.name) else 20, bot.name))
                time.sleep(self.plan.bot_seconds)
                decided = server.metric("fogline_thinking_seconds_count") - decided_before
                how = f"of a core, with all that the server does for it; {decided:,.0f} decisions"
                cost = 1000 * (_of_all(server) - before) / max(1.0, decided)
                self._tell(f"a decision of {bot.name}", cost, "ms", how)

    def evening(self) -> None:
        """A thousand tables in the rhythm of people, some against the strongest bot; then with somebody who attacks."""
        plan, cores = self.plan, self.evening_cores
        database = self.databases.new()
        engine = open_engine(database)
        remembered = write_remembered(engine, _REMEMBERED, _EVENING_BOT)
        engine.dispose()
        order = Play(
            plan.evening_tables,
            seconds=plan.evening_seconds,
            rate=plan.evening_tables / 2,
            warm_up=min(_EVENING_WARM_UP, plan.evening_seconds),
        )
        served = Served(database, self.folder, cores.server, limited=True)
        with self._run(served) as server, Crowd(server.url, server.process_id, cores.crowd, Host) as crowd:
            clocks = {"server": server.cpu_seconds, "workers": server.workers_cpu_seconds, "crowd": crowd.cpu_seconds}
            gather = Gather(plan.evening_tables, plan.duels, _EVENING_BOT)
            self._ask(crowd, f"evening: {plan.evening_tables:,} tables", gather)
            quiet = self._ask(crowd, "evening: a quiet one", order, clocks)
            with Troublemaker(Aim(server.url, _EVENING_BOT, remembered), cores.troublemaker) as troublemaker:
                clocks["troublemaker"] = troublemaker.cpu_seconds
                troubled = self._ask(crowd, "evening: with trouble", order, clocks)
        where = "the crowd and the troublemaker on a core each" if cores.apart else "all on the same cores"
        where = f"server and workers on {len(cores.server)} cores, {where}"
        self._tell_evening("evening", quiet, where, below=50)
        self._tell_evening("evening with trouble", troubled, where)
        tried = ", ".join(f"{what}: {number:,}" for what, number in sorted(troublemaker.done.items()))
        times = _percentiles_ms(troubled)[1] / _percentiles_ms(quiet)[1]
        self._tell("evening: p99 with trouble", times, "times", tried, below=2)

    def _tell_evening(self, name: str, result: Result, where: str, below: float | None = None) -> None:
        plan = self.plan
        p50, p99 = _percentiles_ms(result)
        how = f"{plan.evening_tables - plan.duels:,} tables of two people, {plan.duels:,} of one against {_EVENING_BOT}"
        how += f", {result.moves / result.seconds:.0f} moves a second; {where}"
        self._tell(f"{name}: p50 of a move", p50, "ms", how)
        self._tell(f"{name}: p99 of a move", p99, "ms", f"{_busy(result)}; {_computed(result)}", below=below)
        how = f"{len(result.answers):,} decisions, with the usual delay"
        self._tell(f"{name}: p50 of a bot's answer", 1000 * percentile(result.answers, 0.5), "ms", how)
        self._tell(
            f"{name}: p95 of a bot's answer", 1000 * percentile(result.answers, 0.95), "ms", "of the same", below=3000
        )
        longest = 1000 * max(result.answers, default=math.nan)
        self._tell(f"{name}: longest answer of a bot", longest, "ms", "of the same")

    def memory(self) -> None:
        """Memory of idle tables in mid-game, and of sockets that say nothing."""
        last = _LOADED_BEFORE + self.plan.idle
        database, seated = self._running_tables(last)
        with self._server(database, "--forget-after=86400") as server, self._crowd(server) as crowd:
            self._ask(crowd, "memory", Take(seated))
            self._ask(crowd, "memory: warming up", Visit(0, _LOADED_BEFORE))
            before, loaded_before = server.memory(), server.metric("fogline_tables_loaded")
            self._ask(crowd, f"memory: {self.plan.idle:,} tables", Visit(_LOADED_BEFORE, last))
            idle, loaded = server.memory(), server.metric("fogline_tables_loaded") - loaded_before
            how = f"{loaded:,.0f} loaded, in mid-game, where both were, one moved, and both left: growth of RSS"
            self._tell("memory of an idle table", (idle - before) / loaded / 1000, "KB", how, below=50)
            self._ask(crowd, f"memory: {self.plan.idle_sockets:,} sockets", Stay(self.plan.idle_sockets))
            sockets, growth = server.metric("fogline_sockets"), server.memory() - idle
            self._tell(
                "memory of an idle socket", growth / sockets / 1000, "KB", f"{sockets:,.0f} open at those tables"
            )

    def start(self) -> None:
        """From the start of the process to its first answer, with many games in the database and with none."""
        empty, full = self.databases.new(), self._stored_games()
        open_engine(empty).dispose()
        seconds: dict[str, list[float]] = {empty: [], full: []}
        longest = 0.0
        task = self.progress.add_task("starts", total=2 * self.plan.starts)
        for _ in range(self.plan.starts):
            for database, taken in seconds.items():
                self.databases.chill(database)
                with self._server(database) as server:
                    taken.append(server.start_seconds)
                    if database == full:
                        longest = max(longest, _longest_wait(server, self.plan.after_start))
                self.progress.advance(task)
        self.progress.remove_task(task)
        how = f"median of {self.plan.starts}, from the start of the process to the first answer of /health"
        self._tell("start, empty database", statistics.median(seconds[empty]), "s", how)
        name = f"start, {self.plan.stored:,} stored games"
        self._tell(name, statistics.median(seconds[full]), "s", "in turn with the line above", below=3)
        how = f"of /health in {self.plan.after_start:g} s after it, while {self.plan.bots_due} bots that were due move"
        self._tell("longest answer after that start", 1000 * longest, "ms", how)

    # What it takes.

    @contextmanager
    def _server(self, database: str, *options: str) -> Iterator[Served]:
        with self._run(Served(database, self.folder, self.cores.server, *options)) as server:
            yield server

    @contextmanager
    def _run(self, served: Served) -> Iterator[Served]:
        with served as server:
            yield server
        self.report.errors += server.troubles()

    def _crowd(self, server: Served) -> Crowd:
        return Crowd(server.url, server.process_id, self.cores.crowd)

    def _ask(self, crowd: Crowd, what: str, order: Order, clocks: Mapping[str, Clock] = {}) -> Result:
        task = self.progress.add_task(what, total=None)
        before = {name: clock() for name, clock in clocks.items()}
        result = crowd.ask(order, lambda done, total: self.progress.update(task, completed=done, total=total))
        result.computed = {name: clock() - before[name] for name, clock in clocks.items()}
        self.progress.remove_task(task)
        self.report.errors += result.errors
        return result

    def _running_tables(self, tables: int) -> tuple[str, list[Seated]]:
        database, seated = self.databases.new(), []
        engine = open_engine(database)
        task = self.progress.add_task(f"writing {tables:,} tables", total=tables)
        for batch in write_running(engine, tables):
            seated += batch
            self.progress.advance(task, len(batch))
        self.progress.remove_task(task)
        engine.dispose()
        return database, seated

    def _stored_games(self) -> str:
        database = self.databases.new()
        engine = open_engine(database)
        task = self.progress.add_task(f"storing {self.plan.stored:,} games", total=self.plan.stored)
        for count in write_finished(engine, self.plan.stored):
            self.progress.advance(task, count)
        write_with_bots_due(engine, self.plan.bots_due)
        self.progress.remove_task(task)
        engine.dispose()
        return database

    def _tell(self, name: str, value: float, unit: str, how: str, below: float | None = None) -> None:
        self.report.figures.append(Figure(name, value, unit, how, below))


MEASURED: dict[str, Callable[[Bench], None]] = {
    "play": Bench.play,
    "curve": Bench.curve,
    "bots": Bench.bots,
    "evening": Bench.evening,
    "memory": Bench.memory,
    "start": Bench.start,
}


def _percentiles_ms(result: Result) -> tuple[float, float]:
    return 1000 * percentile(result.latencies, 0.5), 1000 * percentile(result.latencies, 0.99)


def _busy(result: Result) -> str:
    return f"the server's core {result.server_busy:.0%} busy, the crowd's {result.crowd_busy:.0%}"


def _computed(result: Result) -> str:
    seconds = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in result.computed.items())
    return f"of a core, warm-up included: {seconds}"


def _of_all(server: Served) -> float:
    return server.cpu_seconds() + server.workers_cpu_seconds()


def _longest_wait(server: Served, seconds: float) -> float:
    until, longest = time.perf_counter() + seconds, 0.0
    while time.perf_counter() < until:
        longest = max(longest, server.health_seconds())
        time.sleep(0.02)
    return longest


def _write_documents(report: Report, folder: Path) -> None:
    (folder / "data").mkdir(exist_ok=True)
    (folder / "data" / f"{NAME}.json").write_text(json.dumps(report.as_json(), indent=2) + "\n", "utf-8")
    (folder / "data" / f"{NAME}.svg").write_text(
        draw(report.curve, "Two people at each table, who answer at once"), "utf-8"
    )
    into_document(folder / f"{NAME}.md", report.markdown())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure how fast the table server is on this machine.")
    parser.add_argument("what", nargs="*", metavar="WHAT", help=f"some of {', '.join(MEASURED)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="smaller numbers, for a first impression")
    parser.add_argument(
        "--database", metavar="URL", help="postgresql://USER:PASSWORD@HOST/NAME: databases are made there, and dropped"
    )
    parser.add_argument("--folder", type=Path, help="where the files of SQLite are for the time being")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    parser.add_argument(
        "--docs",
        type=Path,
        nargs="?",
        const=DOCS,
        metavar="FOLDER",
        help=f"write all figures to {NAME}.md, and its .json and .svg in data/ (of docs/)",
    )
    add_options(parser.add_argument_group("how much (in a whole run)"))
    return parser


def _measure(what: list[str], plan: Plan, options: argparse.Namespace) -> Report:
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    shown = Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal, refresh_per_second=2)
    available = available_cores()
    with (
        tempfile.TemporaryDirectory(prefix="fogline-", dir=options.folder) as folder,
        databases(options.database, Path(folder)) as places,
        on_cores(Cores.one(available).crowd),
        shown as progress,
    ):
        bench = Bench(plan, places, Path(folder), available, progress)
        for name in what:
            MEASURED[name](bench)
    return bench.report


def main() -> int:
    parser = _parser()
    options = parser.parse_args()
    what, plan = options.what or list(MEASURED), chosen_plan(options)
    if unknown := set(what) - set(MEASURED):
        parser.error(f"{', '.join(sorted(unknown))}: there are {', '.join(MEASURED)}")
    if options.docs and set(what) != set(MEASURED):
        parser.error("--docs takes all figures of one run")
    report = _measure(what, plan, options)
    for table in report.tables():
        console.print(table)
    for error in report.errors[:20]:
        errors.print(f"[red]error[/] {error}", soft_wrap=True)
    if options.json:
        options.json.write_text(json.dumps(report.as_json(), indent=2) + "\n", "utf-8")
    if options.docs:
        _write_documents(report, options.docs)
    return 1 if report.errors else 0


if __name__ == "__main__":
    sys.exit(main())
