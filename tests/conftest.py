"""How the tests are run: with which seed, in which order, how much of them; and what is told of it in the end."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings

from tests import tier
from tests.conformance import report
from tests.seeds import RUN, Lots, seeded
from tests.timing import SLOW, Times, is_slow

if TYPE_CHECKING:
    from tests.program import Program

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each process of tests has a core, and they would fight for them

settings.register_profile("fogline", derandomize=True, deadline=None)
settings.load_profile("fogline")

_LOTS = Lots(lambda: RUN.stamp)
_REPORTS: list[pytest.TestReport] = []
_TIMES = pytest.StashKey[Times]()


@pytest.fixture
def fogline(capsys: pytest.CaptureFixture[str]) -> Program:
    from tests.program import Program  # with all that the program loads, which most tests need not wait for

    return Program(capsys)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--conformance", metavar="FILE", help="write the report on every rule and its tests to this file")
    parser.addoption("--seed", metavar="N", type=int, default=0, help="another run: other deals, in another order")
    parser.addoption("--thorough", action="store_true", help="also run what takes long")


def pytest_configure(config: pytest.Config) -> None:
    """Before any test is imported: some take their numbers from here."""
    RUN.seed = config.getoption("--seed")
    tier.thorough = config.getoption("--thorough")
    _LOTS.take_over()
    if not hasattr(config, "workerinput"):
        config.stash[_TIMES] = Times()


@pytest.hookimpl(tryfirst=True)  # before pytest puts those together that share something larger
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In any order; but one folder and one file after the other, for the sake of what their tests share."""
    if not tier.thorough:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("thorough")])
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]
    ranks = {place: seeded(str(place)).random() for item in items for place in (item.path, item.path.parent)}
    items.sort(key=lambda item: (ranks[item.path.parent], ranks[item.path], seeded(item.nodeid).random()))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    RUN.begin(item.nodeid)
    _LOTS.begin()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Runs a test, and in the quick tier once more if it passed but was slow: any program is sometimes interrupted."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    # An example in a docstring can run only once.
    if (
        not tier.thorough
        and isinstance(item, pytest.Function)
        and all(one.passed for one in reports)
        and is_slow(reports)
    ):
        item._initrequest()  # as if it had never run
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
    for one in reports:
        item.ihook.pytest_runtest_logreport(report=one)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    result = yield
    # The rules travel in the report, because tests may run in other processes.
    rules = [rule for marker in item.iter_markers("rule") for rule in marker.args]
    result.user_properties.append(("rules", rules))
    if result.failed:
        result.sections.append(("Seed", RUN.report()))
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _REPORTS.append(report)


@pytest.hookimpl(trylast=True)  # when the other processes have ended, and what they took is known
def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workerinput"):
        return
    if target := session.config.getoption("--conformance"):
        _write_conformance(Path(target))
    times = session.config.stash[_TIMES]
    for result in _REPORTS:
        times.add(result)
    if not tier.thorough:
        times.judge()
    if times.slow and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _write_conformance(target: Path) -> None:
    passed: dict[str, dict[str, bool]] = defaultdict(dict)
    for result in _REPORTS:
        test = result.nodeid.split("[")[0]
        for name, rules in result.user_properties:
            for rule in rules if name == "rules" and isinstance(rules, list) else []:
                passed[rule][test] = passed[rule].get(test, True) and result.passed
    target.write_text(report(passed), encoding="utf-8")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    terminalreporter.section("time of one process")
    for line in config.stash[_TIMES].lines():
        terminalreporter.line(line)
    for test in config.stash[_TIMES].slow:
        terminalreporter.line(f"too slow for the quick tier, which allows {SLOW:.0f} s: {test}", red=True)
    terminalreporter.section(RUN.report())
