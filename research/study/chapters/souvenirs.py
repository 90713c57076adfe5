"""Chapter: what tokens are worth."""

from __future__ import annotations

from research.study.estimate import side
from research.study.study import SelfPlay, Study
from research.study.words import listed, marked, number, percent, picture, table


def souvenirs_chapter(study: Study, stem: str) -> list[str]:
    lines = ["## What tokens are worth", "", *picture(stem, "souvenirs", "Win share by number of souvenirs")]
    headings = ["different souvenirs", "points", *(f"seats of {n}, %" for n in study.self_play)]
    headings += [f"won of {n}, %" for n in study.self_play] + ["score of 2"]
    plays = list(study.self_play.values())
    rows = [
        [
            str(worth.count),
            str(worth.points),
            *(percent(play.souvenirs[worth.count].owned) for play in plays),
            *(marked(play.souvenirs[worth.count].won, play.fair) for play in plays),
            number(worth.score),
        ]
        for worth in plays[0].souvenirs
    ]
    lines += ["Seats: the share that ends with this many. Score: their points in all, in games of two.", ""]
    return [*lines, *table(headings, rows), "", *[_souvenir_sentence(play) for play in plays], ""]


def _souvenir_sentence(play: SelfPlay) -> str:
    more = [worth.count for worth in play.souvenirs if side(worth.won, play.fair) > 0]
    less = [worth.count for worth in play.souvenirs if side(worth.won, play.fair) < 0]
    if not more:
        return f"- With {play.players} players, no number of souvenirs was seen to win more than its share."
    few = f", with {listed([str(count) for count in less])} less" if less else ""
    many = listed([str(count) for count in more])
    return f"- With {play.players} players, seats with {many} win more than their share{few}."
