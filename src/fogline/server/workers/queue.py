"""A fair queue: one owner's many items do not delay another's few."""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Queue(Generic[T]):
    """Owners come in turn, round and round; an owner's items come in their order."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def put(self, owner: str, item: T) -> None:
        self._waiting.setdefault(owner, deque()).append(item)

    def put_back(self, owner: str, item: T) -> None:
        """What was taken is the next to be taken."""
        self._waiting.setdefault(owner, deque()).appendleft(item)
        self._waiting.move_to_end(owner, last=False)

    def take(self) -> T:
        owner, items = self._waiting.popitem(last=False)
        item = items.popleft()
        if items:
            self._waiting[owner] = items  # behind all others
        return item

    def drop(self, owner: str, item: T) -> None:
        """Takes out an item that nobody waits for any more, if it is still there."""
        items = self._waiting.get(owner, deque())
        if item in items:
            items.remove(item)
            if not items:
                del self._waiting[owner]
