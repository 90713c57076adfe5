"""The shelf: recent results that may be asked for again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable


class Shelf:
    """Keeps results up to a number of bytes; the least recently used ones make room."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._things: OrderedDict[Hashable, bytes] = OrderedDict()

    def find(self, key: Hashable) -> bytes | None:
        if key in self._things:
            self._things.move_to_end(key)
        return self._things.get(key)

    def put(self, key: Hashable, thing: bytes) -> None:
        self._remove(key)
        self._things[key] = thing
        self._room -= len(thing)
        while self._room < 0:
            self._remove(next(iter(self._things)))

    def _remove(self, key: Hashable) -> None:
        self._room += len(self._things.pop(key, b""))
