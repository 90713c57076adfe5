"""Whoever waits for the compiler is told so, and nobody else."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from numba import njit

from fogline.cli import main
from fogline.compiler.progress import on_compiling
from fogline.maps.board import Board
from fogline.server import run

SAID = "Compiling the rules, once ..."


def never_compiled() -> Callable[[float], float]:
    return njit(lambda number: number + 1)  # type: ignore[no-any-return]


def test_compiling_is_told_once_and_only_within() -> None:
    told: list[str] = []
    function = never_compiled()
    with on_compiling(lambda: told.append("compiling")):
        assert told == []
        function(1)
        function(1.0)
    assert told == ["compiling"]
    never_compiled()(1)
    assert told == ["compiling"]


def test_what_is_compiled_already_is_not_told_of() -> None:
    told: list[str] = []
    function = never_compiled()
    function(1)
    with on_compiling(lambda: told.append("compiling")):
        function(2)
    assert told == []


@pytest.fixture
def unserved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Everything that happens before somebody is served."""
    for name in ("_make_ready", "_spare_collections", "_allow_connections"):
        monkeypatch.setattr(run, name, lambda *_: None)
    monkeypatch.setattr(run.Server, "run", lambda self, sockets: None)
    monkeypatch.setattr("fogline.commands.play.set_up", lambda form, quiet: None)
    monkeypatch.setattr("fogline.commands.serve.set_up", lambda form: None)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def compile_something(board: Board) -> None:
    never_compiled()(1)


@pytest.mark.usefixtures("unserved")
def test_a_first_start_says_why_it_takes_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "warm_up", compile_something)
    assert main(["play", "--no-browser"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == SAID
    assert second.startswith("Fogline is at ")
    monkeypatch.setattr(run, "warm_up", lambda board: None)
    assert main(["play", "--no-browser"]) == 0
    assert SAID not in capsys.readouterr().out


@pytest.mark.usefixtures("unserved")
def test_a_server_says_it_in_its_log(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(run, "warm_up", compile_something)
    with caplog.at_level(logging.INFO, "fogline.server.run"):
        assert main(["serve", "--port=0"]) == 0
    assert caplog.messages == ["compiling the rules, once"]
    assert capsys.readouterr().out.startswith("Fogline serves on ")


def test_a_game_in_the_terminal_says_it_before_it_begins(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("fogline.commands.play.play", lambda board, **_: compile_something(board))
    assert main(["play", "--terminal", "--map", "tiny"]) == 0
    assert capsys.readouterr().out == f"{SAID}\n"
