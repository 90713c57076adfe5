"""The queue takes owners in turn."""

from collections.abc import Iterator

from fogline.server.workers.queue import Queue


def queue_of(*owners: str) -> Queue[str]:
    """Each has put in as often as it is named; what it put in is numbered."""
    queue: Queue[str] = Queue()
    for number, owner in enumerate(owners):
        queue.put(owner, f"{owner}{number}")
    return queue


def taken(queue: Queue[str]) -> Iterator[str]:
    while queue:
        yield queue.take()


def test_what_one_owner_puts_in_comes_in_its_order() -> None:
    assert list(taken(queue_of(*"aaa"))) == ["a0", "a1", "a2"]


def test_owners_come_in_turn_however_much_each_has_put_in() -> None:
    assert list(taken(queue_of(*"aaaabcb"))) == ["a0", "b4", "c5", "a1", "b6", "a2", "a3"]


def test_who_comes_back_comes_behind_all_others() -> None:
    queue = queue_of(*"aabb")
    assert queue.take() == "a0"
    queue.put("c", "c4")
    queue.put("a", "a5")
    assert list(taken(queue)) == ["b2", "a1", "c4", "b3", "a5"]


def test_what_is_put_back_is_the_next_to_be_taken() -> None:
    queue = queue_of(*"aabb")
    for taken_first in ("a0", "b2"):
        assert queue.take() == taken_first
        queue.put_back(taken_first[0], taken_first)
        assert queue.take() == taken_first
    assert list(taken(queue)) == ["a1", "b3"]


def test_what_nobody_waits_for_is_taken_out() -> None:
    queue = queue_of(*"abab")
    queue.drop("a", "a0")
    queue.drop("b", "b1")
    queue.drop("b", "b3")
    queue.drop("b", "b3")
    queue.drop("c", "c4")
    assert len(queue) == 1
    assert list(taken(queue)) == ["a2"]
