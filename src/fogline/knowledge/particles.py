"""The particle filter: hidden cards drawn in many particles at once, as they may have come."""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.compiler.kernels import Record, as_int, kernel
from fogline.knowledge.card_count import Fog, records
from fogline.rules.chance import choose_below
from fogline.rules.state import CARD_COUNT, FERRY, SEATS

PARTICLE = records(
    ("weight", "f8"),
    ("drawn", "i8", (SEATS, CARD_COUNT)),  # the hidden cards that came to each seat
    ("pool", "i8", (CARD_COUNT,)),  # those of the shuffle that are still to come
    ("spare", "i8", (CARD_COUNT,)),  # those of them that no other seat must get
)
"""How the hidden cards may have come."""


@kernel
def draw_all(particles: Any, fog: Fog, source: Record) -> Any:
    """Tells all that others were dealt or drew blind, in every particle; returns the particles with their weights."""
    draws, bounds, bars, pools, needs = fog.draws, fog.bounds, fog.bars, fog.pools, fog.needs
    spare = np.empty_like(particles)
    for particle in range(particles.shape[0]):
        particles[particle].weight = 1.0
    for number in range(draws.shape[0]):
        draw = draws[number]
        if number == 0 or draws[number - 1].shuffle != draw.shuffle:
            fill_pools(particles, pools[draw.shuffle])
        for particle in range(particles.shape[0]):
            if particles[particle].weight > 0.0 and find_spare(particles[particle], draw.seat, needs[draw.shuffle]):
                draw_card(particles[particle], draw, bounds, source)
                check_bounds(particles[particle], draw, bounds, bars)
        if is_uneven(particles):
            resample(particles, spare, source)
            particles, spare = spare, particles
    return particles


@kernel
def fill_pools(particles: Any, pool: Any) -> None:
    for particle in range(particles.shape[0]):
        for card in range(CARD_COUNT):
            particles[particle].pool[card] = pool[card]


@kernel
def find_spare(particle: Record, drawing: int, needs: Any) -> bool:
    """Finds which cards may come to this seat; drops the particle when there are none, or too few for the others."""
    total = 0
    for card in range(CARD_COUNT):
        spare = particle.pool[card]
        for seat in range(SEATS):
            if seat != drawing:
                spare -= max(0, needs[seat, card] - particle.drawn[seat, card])
        particle.spare[card] = spare
        total += spare
        if spare < 0:
            particle.weight = 0.0
    if total == 0:
        particle.weight = 0.0
    return bool(particle.weight > 0.0)


@kernel
def draw_card(particle: Record, draw: Record, bounds: Any, source: Record) -> None:
    """Draws what the most pressing bound lacks, as likely as it must be drawn now, and else any card that is spare."""
    pressing = most_pressing(particle, draw, bounds)
    left, lacking, spare = 1, 0, 0
    for card in range(CARD_COUNT):
        spare += particle.spare[card]
    if pressing >= 0:
        left = bounds[pressing].draws - draw.number
        for card in range(CARD_COUNT):
            lacking += wanted(particle, draw.seat, bounds[pressing], card)
    place = choose_below(source, left * spare)
    card, share = -1, 0
    while place >= share:
        place -= share
        card += 1
        share = (left - lacking) * particle.spare[card]
        if pressing >= 0:
            share += spare * wanted(particle, draw.seat, bounds[pressing], card)
    # What chance would have brought, against what we did.
    particle.weight *= particle.pool[card] / draw.count * (left * spare) / share
    particle.pool[card] -= 1
    particle.drawn[draw.seat, card] += 1


@kernel
def most_pressing(particle: Record, draw: Record, bounds: Any) -> int:
    """The bound that lacks most cards for each that is still to be drawn before it; -1 when none lacks any."""
    found, most, room = -1, 0, 1
    for number in range(draw.first, draw.end):
        lacking, left = count_lacking(particle, draw.seat, bounds[number]), bounds[number].draws - draw.number
        if lacking * room > most * left:
            found, most, room = number, lacking, left
    return found


@kernel
def count_lacking(particle: Record, seat: int, bound: Record) -> int:
    lacking = 0
    for card in range(CARD_COUNT):
        lacking += max(0, -(bound.cards[card] + particle.drawn[seat, card]))
    return lacking


@kernel
def wanted(particle: Record, seat: int, bound: Record, card: int) -> int:
    """How many of a card the bound lacks, as far as there are any for it."""
    return as_int(max(0, min(particle.spare[card], -(bound.cards[card] + particle.drawn[seat, card]))))


@kernel
def check_bounds(particle: Record, draw: Record, bounds: Any, bars: Any) -> None:
    """Drops a particle with too few cards left to draw for what was paid, or with too many held at a pass."""
    seat = draw.seat
    for number in range(draw.first, draw.end):
        bound = bounds[number]
        left = bound.draws - draw.number - 1
        if count_lacking(particle, seat, bound) > left or (left == 0 and could_pay(particle, seat, bound, bars)):
            particle.weight = 0.0


@kernel
def could_pay(particle: Record, seat: int, bound: Record, bars: Any) -> bool:
    ferries = bound.cards[FERRY] + particle.drawn[seat, FERRY]
    for number in range(bound.first_bar, bound.end_bar):
        bar = bars[number]
        if bound.cards[bar.colour] + particle.drawn[seat, bar.colour] >= bar.cards and ferries >= bar.ferries:
            return True
    return False


@kernel
def total_weight(particles: Any) -> float:
    total = 0.0
    for particle in range(particles.shape[0]):
        total += particles[particle].weight
    return total


@kernel
def is_uneven(particles: Any) -> bool:
    """Whether the particles are worth less than half as many of equal weight, but something."""
    total, squares = 0.0, 0.0
    for particle in range(particles.shape[0]):
        total += particles[particle].weight
        squares += particles[particle].weight * particles[particle].weight
    return bool(0.0 < 2.0 * total * total < particles.shape[0] * squares)


@kernel
def resample(particles: Any, chosen: Any, source: Record) -> None:
    """Takes each particle as often as its weight says, chance deciding the fraction; then all weigh the same."""
    share = total_weight(particles) / chosen.shape[0]
    place = share * (choose_below(source, 1 << 30) + 0.5) / (1 << 30)
    particle, passed = 0, particles[0].weight
    for number in range(chosen.shape[0]):
        while passed < place:
            particle += 1
            passed += particles[particle].weight
        chosen[number] = particles[particle]
        chosen[number].weight = 1.0
        place += share


@kernel
def shuffled(count: int, source: Record) -> Any:
    """The numbers from 0 on in any order: particles that came from the same one stand side by side."""
    order = np.arange(count)
    for place in range(count - 1, 0, -1):
        other = choose_below(source, place + 1)
        order[place], order[other] = order[other], order[place]
    return order


@kernel
def deal_cards(game: Record, particle: Record, shown: Any, around: Any) -> None:
    """Each seat holds what it was seen to take and what it drew unseen; the rest is the deck."""
    for card in range(CARD_COUNT):
        left = around[card]
        for seat in range(SEATS):
            held = shown[seat, card] + particle.drawn[seat, card]
            game.hand[seat, card] = held
            left -= held
        game.deck[card] = left
