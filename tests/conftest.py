"""The conformance report, the program `fogline`, and one way for hypothesis to choose its examples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.conformance import report

if TYPE_CHECKING:
    from tests.program import Program

settings.register_profile("fogline", derandomize=True, deadline=None)
settings.load_profile("fogline")

_REPORTS: list[pytest.TestReport] = []


@pytest.fixture
def fogline(capsys: pytest.CaptureFixture[str]) -> Program:
    from tests.program import Program  # with all that the program loads, which most tests need not wait for

    return Program(capsys)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--conformance", metavar="FILE", help="write the report on every rule and its tests to this file")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    result = yield
    # The rules travel in the report, because tests may run in other processes.
    rules = [rule for marker in item.iter_markers("rule") for rule in marker.args]
    result.user_properties.append(("rules", rules))
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _REPORTS.append(report)


def pytest_sessionfinish(session: pytest.Session) -> None:
    target = session.config.getoption("--conformance")
    if not target or hasattr(session.config, "workerinput"):
        return
    passed: dict[str, dict[str, bool]] = defaultdict(dict)
    for result in _REPORTS:
        test = result.nodeid.split("[")[0]
        for name, rules in result.user_properties:
            for rule in rules if name == "rules" and isinstance(rules, list) else []:
                passed[rule][test] = passed[rule].get(test, True) and result.passed
    Path(target).write_text(report(passed), encoding="utf-8")
