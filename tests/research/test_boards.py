"""The search for a board: what it proposes keeps the facts, and goes together better than what it began with."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from fogline.maps.mapfile import MapFile
from fogline.maps.reader import load_map, parse_map
from research.boards.candidates import MAPS, Range, Search, completed_alone, write_over
from research.boards.facts import broken_facts, distances
from tests.scripts import run
from tests.tier import pick

TEXT = (MAPS / "san_francisco.toml").read_text("utf-8")


def alone(map_file: MapFile) -> float:
    """On deals that no search has seen."""
    names = [place.id for place in map_file.locations]
    firsts, seconds = (
        np.array([names.index(getattr(t, end)) for t in map_file.tickets]) for end in ("first", "second")
    )
    generator = np.random.default_rng(99)
    orders = np.array([generator.permutation(len(map_file.tickets))[:10] for _ in range(400)])
    return float(completed_alone(distances(map_file), firsts, seconds, orders))


def test_the_built_in_board_keeps_what_is_known() -> None:
    assert broken_facts(parse_map(TEXT)) == []


def test_what_is_known_is_missed_where_it_is_gone() -> None:
    board = parse_map(TEXT)
    longer = dataclasses.replace(board.connections[0], length=3)
    ticket = dataclasses.replace(board.tickets[0], value=12)
    broken = {
        "one route of 5": dataclasses.replace(board, connections=(longer, *board.connections[1:])),
        "tickets are worth their shortest path": dataclasses.replace(board, tickets=(ticket, *board.tickets[1:])),
        "24 tickets": dataclasses.replace(board, tickets=board.tickets[1:]),
    }
    for fact, changed in broken.items():
        assert fact in broken_facts(changed)


def test_a_candidate_keeps_the_facts_and_tickets_go_together(tmp_path: Path) -> None:
    search = Search(parse_map(TEXT), shorter=8, values=Range(5, 7), most_at_one=5, seed=1)
    path = tmp_path / "candidate.toml"
    path.write_text(write_over(TEXT, search.best(pick(400, 4000)), "candidate"), "utf-8")
    found = load_map(path)
    assert broken_facts(found) == []
    assert alone(found) > alone(parse_map(TEXT)) + pick(0.5, 1.5)
    assert (
        sum(
            one.length != other.length
            for one, other in zip(found.connections, parse_map(TEXT).connections, strict=True)
        )
        == 8
    )


@pytest.mark.thorough
def test_what_players_make_of_a_board_is_told(tmp_path: Path) -> None:
    weights = "src/fogline/players/neural/neural.npz"
    run("boards.measure", weights, "--games", "60", "--players", "2", "--json", str(tmp_path / "found.json"))
    (found,) = json.loads((tmp_path / "found.json").read_text())["players"].values()
    assert 1 <= found["completed"] <= found["kept"] <= 2.5
    assert 30 < found["routes"] + found["tickets"] + found["tokens"] < 45
    assert 0 < found["ticket_share"] < 50
