"""Limits: buckets on a clock that stands where the test puts it, and doors that count who is inside."""

import dataclasses
from contextlib import ExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fogline.server.http.doors import Doors
from fogline.server.http.limits import Bucket, Buckets, Limits
from fogline.server.refused import Refused
from tests.server.arrange import refuses


class Clock:
    """Seconds that pass only when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def taken(bucket: Bucket, tries: int) -> int:
    return sum(bucket.take() for _ in range(tries))


@pytest.mark.parametrize(("rate", "at_once"), [(20, 60), (1, 3), (0.5, 1), (0.1, 1)])
def test_three_seconds_worth_can_be_had_at_once_and_at_least_one(rate: float, at_once: int) -> None:
    assert taken(Bucket(rate, Clock()), 1000) == at_once


def test_a_bucket_may_hold_more_seconds_worth() -> None:
    assert taken(Bucket(0.5, Clock(), seconds=60), 1000) == 30


def test_what_costs_more_takes_more() -> None:
    clock = Clock()
    bucket = Bucket(2, clock)
    assert bucket.take(4)
    assert not bucket.take(4)
    assert bucket.take(2)
    clock.now += 0.5
    assert not bucket.take(2)
    assert bucket.take()


def test_what_costs_more_than_a_bucketful_takes_a_full_bucket() -> None:
    clock = Clock()
    bucket = Bucket(2, clock)
    assert bucket.take(100)
    assert not bucket.take()
    clock.now += 2.5
    assert not bucket.take(100)
    clock.now += 0.5
    assert bucket.take(100)


def test_an_empty_bucket_fills_at_its_rate() -> None:
    clock = Clock()
    bucket = Bucket(2, clock)
    assert taken(bucket, 100) == 6
    clock.now += 0.25
    assert taken(bucket, 100) == 0
    clock.now += 0.25
    assert taken(bucket, 100) == 1
    clock.now += 2.0
    assert taken(bucket, 100) == 4


def test_to_be_refused_costs_nothing() -> None:
    clock = Clock()
    bucket = Bucket(1, clock)
    taken(bucket, 3)
    for _ in range(8):
        clock.now += 0.125
        bucket.take()
    clock.now += 1.0
    assert bucket.take()


def test_a_bucket_never_holds_more_than_it_can() -> None:
    clock = Clock()
    bucket = Bucket(2, clock)
    clock.now += 1_000_000.0
    assert taken(bucket, 100) == 6


@given(
    rate=st.sampled_from([0.25, 1, 3, 50]),
    steps=st.lists(st.tuples(st.sampled_from([0.0, 0.125, 1.0, 10.0]), st.integers(0, 8)), max_size=60),
)
def test_over_any_time_no_more_is_had_than_the_rate_and_one_bucketful(
    rate: float, steps: list[tuple[float, int]]
) -> None:
    clock = Clock()
    bucket = Bucket(rate, clock)
    times: list[float] = []
    for wait, tries in steps:
        clock.now += wait
        times += [clock.now] * taken(bucket, tries)
    for first, begin in enumerate(times):
        for last, end in enumerate(times[first:], first):
            assert last - first + 1 <= max(3 * rate, 1) + (end - begin) * rate + 1e-6


def test_everyone_has_a_bucket_of_their_own() -> None:
    buckets = Buckets(0, "requests")
    buckets.take("ann")
    buckets.take("bob")
    with refuses("too_many", "too many requests"):
        buckets.take("ann")
    with refuses("too_many", "too many requests"):
        buckets.take("bob")


def test_those_who_have_not_come_for_longest_are_forgotten() -> None:
    buckets = Buckets(0, "requests", most=2)
    buckets.take("ann")
    buckets.take("bob")
    with refuses("too_many"):
        buckets.take("ann")  # so bob is now the one who has not come for longest
    buckets.take("cat")
    with refuses("too_many"):
        buckets.take("ann")
    buckets.take("bob")  # as if for the first time


def test_those_who_share_an_address_may_come_together() -> None:
    buckets = Buckets.a_minute(12, "new people")
    for _ in range(12):
        buckets.take("a school")
    with refuses("too_many", "too many new people"):
        buckets.take("a school")


# Doors.


def doors(**limits: int) -> Doors:
    few = {"sockets_per_person": 2, "people_per_address": 2, "sockets": 100}
    return Doors(Limits(**(few | limits)))


def fill(found: Doors, *comers: tuple[str, str]) -> ExitStack:
    """All of these come in, and go when it is closed."""
    inside = ExitStack()
    for who, address in comers:
        inside.enter_context(found.opened(who, address))
    return inside


def refuse(found: Doors, who: str, address: str) -> None:
    with refuses("too_many", "too many sockets are open"), found.opened(who, address):
        pass


def test_a_person_has_so_many_doors_wherever_they_come_from() -> None:
    found = doors()
    with fill(found, ("ann", "here"), ("ann", "there")):
        refuse(found, "ann", "elsewhere")
        with found.opened("bob", "here"):
            pass
    with found.opened("ann", "elsewhere"):
        pass


def test_strangers_at_one_address_count_as_one_person() -> None:
    found = doors()
    with fill(found, ("", "here"), ("", "here")):
        refuse(found, "", "here")
        with found.opened("", "there"):
            pass


def test_an_address_has_as_many_doors_as_so_many_people() -> None:
    found = doors()
    with fill(found, ("ann", "here"), ("bob", "here"), ("cat", "here"), ("dan", "here")):
        refuse(found, "eve", "here")
        with found.opened("eve", "there"):
            pass


def test_there_are_so_many_doors_in_all() -> None:
    found = doors(sockets=3)
    with fill(found, ("ann", "a"), ("bob", "b"), ("cat", "c")):
        refuse(found, "dan", "d")
    with found.opened("dan", "d"):
        pass


def test_a_person_named_like_an_address_is_another() -> None:
    found = doors(people_per_address=100)
    with fill(found, ("ann", "here"), ("ann", "here"), ("here", "ann"), ("here", "ann")):
        refuse(found, "ann", "elsewhere")


def test_a_door_closes_whatever_happens_inside_and_nothing_is_remembered() -> None:
    found = doors(sockets=1)
    for _ in range(3):
        with pytest.raises(Refused), found.opened("ann", "here"), found.opened("bob", "there"):
            pass
    assert not found._open  # or it would grow with everyone who ever came


def test_all_limits_are_whole_numbers_and_allow_something() -> None:
    """`fogline serve --limit` changes them by their names, and takes whole numbers."""
    for field in dataclasses.fields(Limits):
        value = getattr(Limits(), field.name)
        assert type(value) is int, field.name
        assert value > 0, field.name
