"""Markers and the conformance report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.conformance import report

settings.register_profile("fogline", derandomize=True, deadline=None)
settings.load_profile("fogline")

OUTCOMES = pytest.StashKey[dict[str, dict[str, bool]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--conformance", metavar="FILE", help="write the report on every rule and its tests to this file")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[OUTCOMES] = defaultdict(dict)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    outcome = yield
    # Carried in the report, because tests may run in other processes.
    rules = [rule for marker in item.iter_markers("rule") for rule in marker.args]
    outcome.user_properties.append(("rules", rules))  # type: ignore[attr-defined]
    return outcome  # type: ignore[return-value]


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _REPORTS.append(report)


_REPORTS: list[pytest.TestReport] = []


def pytest_sessionfinish(session: pytest.Session) -> None:
    target = session.config.getoption("--conformance")
    if not target or hasattr(session.config, "workerinput"):
        return
    passed: dict[str, dict[str, bool]] = defaultdict(dict)
    for item in _REPORTS:
        test = item.nodeid.split("[")[0]
        for rule in dict(item.user_properties).get("rules", []):  # type: ignore[attr-defined]
            passed[rule][test] = passed[rule].get(test, True) and item.passed
    Path(target).write_text(report(passed), encoding="utf-8")
