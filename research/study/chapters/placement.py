"""Chapter: where the second seat places its tokens."""

from __future__ import annotations

from fogline.arena.bootstrap import Estimate
from research.study.chapters.seats import EARLIER
from research.study.estimate import side
from research.study.placement import AS_IT_WISHES, AT_RANDOM, BEST_PAIR, RANDOM_BY, Placement
from research.study.study import Study
from research.study.words import listed, marked, percent, picture, table


def placement_chapter(placement: Placement, study: Study, stem: str) -> list[str]:
    names = {location.id: location.name for location in study.board.locations}
    order = sorted(placement.locations.items(), key=lambda item: item[1].value)
    policies = placement.policies
    mean = placement.anywhere.value
    best = listed([names[location] for location in placement.best])
    return [
        "## Where the second seat places its tokens",
        "",
        "With two players, seat 1 places two single tokens (rule 2.8). How often seat 0 wins, by how that is done; the "
        f"players are the same, the {placement.games:,} deals too:",
        "",
        *table(["seat 1 places", "seat 0 wins, %"], [[name, marked(policies[name], 0.5)] for name in policies]),
        "",
        f"The best pair found is {best}: of the pairs that looked best in random placements, the one with which "
        "seat 0 won least, then played again on fresh deals.",
        _placement_sentence(policies),
        "",
        *picture(stem, "placement", "Win share of seat 0 by location"),
        f"Placed at random in {RANDOM_BY * placement.games:,} games, seat 0 wins {percent(placement.anywhere)} %; by a "
        "location that has a token, the other being anywhere (bold is what differs from that mean):",
        "",
        *table(["location", "seat 0 wins, %"], [[names[name], marked(share, mean)] for name, share in order]),
        "",
        _location_sentence(placement),
        "",
        "The pairs that were tried, all on the same deals:",
        "",
        *table(
            ["pair", "seat 0 wins, %"],
            [[listed([names[one] for one in pair]), marked(share, 0.5)] for pair, share in placement.tried.items()],
        ),
        "",
    ]


def _location_sentence(placement: Placement) -> str:
    count = len(placement.locations)
    seen = sum(side(share, placement.anywhere.value) != 0 for share in placement.locations.values())
    if seen == 0:
        return "Between the locations no difference was seen."
    return f"{seen} of {count} locations differ from the mean; by chance alone it would be about {count / 20:.1f}."


def _placement_sentence(policies: dict[str, Estimate]) -> str:
    wishes, chance, pair = (policies[name] for name in (AS_IT_WISHES, AT_RANDOM, BEST_PAIR))
    gain, same = 100 * (chance.value - wishes.value), 100 * (pair.value - wishes.value)
    words = []
    if side(chance, EARLIER) == 0:
        words.append(f"At random it agrees with the {100 * EARLIER:.0f} % of the earlier experiment.")
    if wishes.high < chance.low:
        words.append(
            f"Placing by one's own plan instead of at random takes {gain:.1f} points of a hundred from seat 0."
        )
    elif wishes.low > chance.high:
        words.append(f"Placing by one's own plan instead of at random gives seat 0 {-gain:.1f} points of a hundred.")
    else:
        words.append("Between placing by one's own plan and at random no difference was seen.")
    if pair.low > wishes.high:
        words.append(
            f"None of the pairs tried does as well: with the best, seat 0 wins {same:.1f} points more than by the plan."
        )
    elif pair.high < wishes.low:
        words.append(f"The best pair does better than the plan, by {-same:.1f} points.")
    else:
        words.append("Between the best pair and the plan no difference was seen.")
    return " ".join(words)
