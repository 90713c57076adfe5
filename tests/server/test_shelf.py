"""A shelf keeps what was asked for last."""

from fogline.server.workers.shelf import Shelf


def test_what_was_put_there_is_found() -> None:
    shelf = Shelf(10)
    shelf.put("a", b"123")
    shelf.put(("b", 1), b"")
    assert (shelf.find("a"), shelf.find(("b", 1)), shelf.find("c")) == (b"123", b"", None)


def test_what_nobody_has_asked_for_longest_makes_room() -> None:
    shelf = Shelf(10)
    for name in "abc":
        shelf.put(name, b"123")
    shelf.find("a")
    shelf.put("d", b"1234")
    assert [name for name in "abcd" if shelf.find(name)] == ["a", "c", "d"]


def test_the_same_put_there_again_takes_no_more_room() -> None:
    shelf = Shelf(10)
    for size in (3, 9, 3, 3):
        shelf.put("a", b"x" * size)
    shelf.put("b", b"1234567")
    assert (shelf.find("a"), shelf.find("b")) == (b"xxx", b"1234567")


def test_what_is_too_large_is_not_kept() -> None:
    shelf = Shelf(10)
    shelf.put("a", b"x" * 11)
    assert shelf.find("a") is None
    shelf.put("b", b"x" * 10)
    assert shelf.find("b") is not None
