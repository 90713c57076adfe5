"""The ladder: everyone meets everyone, known strengths are found again, and the same seed gives the same page."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from fogline.arena.blocks import sum_blocks
from fogline.arena.bootstrap import Estimate
from fogline.arena.entrant import parse_entrant
from fogline.arena.faults import ArenaError
from fogline.arena.guests import invite
from fogline.arena.ladder import Ladder, _rung, climb, make_ladder
from fogline.arena.ladderfile import ladder_page
from fogline.arena.pool import Alone
from fogline.arena.rating import ELO
from fogline.arena.report import Report, Standing
from fogline.players.player import PLAYERS
from fogline.players.ratings import FILE, ratings
from tests.arena.arrange import simulate
from tests.boards import load_board
from tests.conformance import ROOT


def ladder_of(*names: str, games: int = 12, slow_games: int = 4, seed: int = 1) -> Ladder:
    entrants = [parse_entrant(name) for name in names]
    return make_ladder(entrants, load_board("tiny"), games=games, slow_games=slow_games, seed=seed)


def test_two_meet_once_and_at_larger_tables_each_is_alone_once() -> None:
    ladder = ladder_of("random", "racer", "planner")
    assert [pair for pair, _ in ladder.matches(2)] == [(0, 1), (0, 2), (1, 2)]
    for players in (3, 4):
        matches = dict(ladder.matches(players))
        assert set(matches) == {(a, b) for a in range(3) for b in range(3) if a != b}
        for (first, second), match in matches.items():
            assert match.labels == (ladder.labels[first], ladder.labels[second])
            assert match.lineup == (0,) + (1,) * (players - 1)


def test_matches_with_a_player_that_thinks_for_long_are_shorter() -> None:
    ladder = ladder_of("random", "racer", "search@1s", "search@5", games=12, slow_games=4)
    assert ladder.slow == ["search@1s", "search@5"]
    assert ladder.clocked == ["search@1s"]
    for pair, match in ladder.matches(2):
        assert match.games == (12 if pair == (0, 1) else 4)
    page = ladder_page(ladder, [], "today", None)
    assert "Matches of `search@1s`, `search@5`, which think for long, have 4 games." in page
    assert "By the clock, and so not quite the same at another time: `search@1s`." in page


@pytest.mark.parametrize("players", [2, 3, 4])
def test_known_strengths_are_found_again_with_random_at_0(players: int) -> None:
    ladder = ladder_of("racer", "random", "planner", games=6000)
    strengths = {"racer": 0.5, "random": 0.0, "planner": 1.2}
    generator = np.random.default_rng(1)
    played = {
        pair: sum_blocks(match, simulate(match, [strengths[label] for label in match.labels], generator))
        for pair, match in ladder.matches(players)
    }
    rung = _rung(ladder, players, played)
    for label, rating in zip(ladder.labels, rung.ratings, strict=True):
        assert rating.value == pytest.approx(ELO * strengths[label], abs=12)
        assert rating.low <= rating.value <= rating.high
    assert [ladder.labels[number] for number in rung.order] == ["planner", "racer", "random"]
    chance = np.exp(1.2) / (np.exp(1.2) + (players - 1) * np.exp(0.5))  # of a planner alone among racers
    assert rung.shares[2, 0].value == pytest.approx(chance, abs=0.02)
    assert len(rung.shares) == 6


def test_the_same_seed_gives_the_same_page() -> None:
    command = ["fogline", "ladder"]
    first, second = (
        ladder_page(climb(ladder_of("racer", "random"), Alone()), command, "2026-01-01", "ladder.svg") for _ in range(2)
    )
    assert first == second
    other = climb(ladder_of("racer", "random", seed=50), Alone())
    assert ladder_page(other, command, "2026-01-01", "ladder.svg") != first


def test_a_page_says_all_there_is_to_know() -> None:
    ladder = climb(ladder_of("racer", "random", "planner"), Alone())
    page = ladder_page(ladder, ["fogline", "ladder", "--seed", "1"], "2026-01-01", None)
    for words in (
        "on Tiny: everyone against everyone, in matches of 12 games",
        "## 2 players",
        "## 4 players",
        "| `random` | 0 | fixed | does anything that is legal |",
        "alone against 3 of the column; equals win 25%",
        "on 2026-01-01 by:\n\n```\nfogline ladder --seed 1\n```",
    ):
        assert words in page
    assert "![" not in page
    assert "by the clock" not in page


def test_a_ladder_without_random_stands_on_its_last_player() -> None:
    ladder = climb(ladder_of("planner", "racer"), Alone())
    assert ladder.anchor == 1
    assert all(rung.ratings[1].value == 0 for rung in ladder.rungs)


def test_a_ladder_needs_two_different_players() -> None:
    for names in (["racer"], ["racer", "racer"]):
        with pytest.raises(ArenaError, match="two or more players, all different"):
            ladder_of(*names)


def test_ratings_are_told_by_the_players_names_without_their_budgets() -> None:
    elo = climb(ladder_of("random", "racer", "search@2", games=12, slow_games=4), Alone()).elo()
    assert list(elo) == ["2", "3", "4"]
    for found in elo.values():
        assert set(found) == {"random", "racer", "search"}
        assert found["random"] == 0


def test_the_ratings_that_levels_show_are_those_of_the_page_and_go_up_with_the_levels() -> None:
    page, file = (ROOT / "docs/ladder.md").read_text("utf-8"), json.loads(FILE.read_text("utf-8"))
    assert file["command"] in page
    for players, elo in file["elo"].items():
        rows = page.split(f"## {players} players")[1].split("## ")[0]
        told = re.findall(r"\| \d \| `(\w+)` \| (-?\d+) \|", rows)
        told += re.findall(r"\| `(\w+)(?:@\w+)?` \| (-?\d+) \| -?\d+ to ", rows)
        assert elo == {name: int(value) for name, value in told}
        levels = [PLAYERS[name].level for name in sorted(elo, key=elo.__getitem__)]
        assert levels == sorted(levels)
    assert ratings() == file["elo"]["2"]


def guest_report(guest: str, host: str, games: int, share: Estimate, elo: Estimate) -> Report:
    def standing(name: str, share: Estimate, elo: Estimate) -> Standing:
        return Standing(name, games, share, elo, 0, 0, 0, 0, 0, 0, [], 0)

    nothing = Estimate(0, 0, 0)
    told = [standing(guest, share, elo), standing(host, nothing, nothing)]
    return Report("", {}, "", {}, "tiny", 2, 0, [], games, games, 0, 0, {}, [], told, None)


def test_matches_of_the_same_guest_count_together() -> None:
    """Three times as many games weigh three times as much, and two halves know more than each."""
    first = guest_report("slow@1s", "racer", 300, Estimate(0.8, 0.7, 0.9), Estimate(200, 100, 300))
    more = guest_report("slow@1s", "racer", 100, Estimate(0.6, 0.4, 0.8), Estimate(100, 0, 200))
    (guest,) = invite([first, more], ["random", "racer"], load_board("tiny"))
    assert (guest.name, guest.host, guest.games) == ("slow@1s", "racer", 400)
    assert guest.share.value == pytest.approx(0.75)
    assert guest.ahead.value == pytest.approx(175)
    assert guest.share.high - guest.share.value == pytest.approx((0.075**2 + 0.05**2) ** 0.5)


def test_a_guest_may_be_rated_by_another() -> None:
    ladder = climb(ladder_of("random", "racer", games=12), Alone())
    sure = Estimate(0.9, 0.9, 0.9)
    reports = [
        guest_report("a", "racer", 10, sure, Estimate(200, 150, 250)),
        guest_report("b", "a", 10, sure, Estimate(50, 0, 100)),
    ]
    ladder = replace(ladder, guests=invite(reports, ladder.labels, load_board("tiny")))
    elo = ladder.elo()["2"]
    assert elo["a"] == elo["racer"] + 200
    assert elo["b"] == elo["racer"] + 250
    with pytest.raises(ArenaError, match="a match of b against a does not tell how a guest stands in this ladder"):
        invite(reports[1:], ladder.labels, load_board("tiny"))


def test_what_does_not_tell_how_a_guest_stands_is_refused() -> None:
    even = Estimate(0.5, 0.4, 0.6)
    report = guest_report("a", "racer", 10, even, Estimate(0, -10, 10))
    with pytest.raises(ArenaError, match="the match of a was played on elsewhere, the ladder is on tiny"):
        invite([replace(report, map="elsewhere")], ["racer"], load_board("tiny"))
    crowded = replace(report, standings=[*report.standings, report.standings[0]])
    with pytest.raises(ArenaError, match="a match of a against racer against a does not tell"):
        invite([crowded], ["racer"], load_board("tiny"))
