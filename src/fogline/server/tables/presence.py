"""Presence: who is at a table just now, and since when others are not. It is stored nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

How = Literal["here", "hidden", "gone"]
"""They look at the table; they have it open and look at something else; they have it open nowhere."""

LAPSES_AFTER = 150.0
"""Seconds after which what another server said of its people is no longer believed."""

_ORDER: dict[How, int] = {"gone": 0, "hidden": 1, "here": 2}


class Seen(NamedTuple):
    """How somebody is there. `since` is when they last looked, or, for those who do, when they began to."""

    how: How
    since: float


class Presence:
    """The people at one table, as this server and the others know of them."""

    def __init__(self, began: float) -> None:
        self.began = began  # what was before, nobody here knows
        self._open: dict[str, dict[object, bool]] = {}  # by person: where they have the table open, and whether hidden
        self._seen: dict[str, Seen] = {}
        self._elsewhere: dict[str, tuple[float, dict[str, Seen]]] = {}  # by server: when it said so, and what

    # What happens here.

    def enter(self, person: str, place: object, hidden: bool, at: float) -> bool:
        """Somebody opens the table, shows it or hides it. Whether that changes how they are there."""
        self._open.setdefault(person, {})[place] = hidden
        return self._look(person, at)

    def leave(self, person: str, place: object, at: float) -> bool:
        places = self._open.get(person, {})
        places.pop(place, None)
        if not places:
            self._open.pop(person, None)
        return self._look(person, at)

    def touch(self, person: str, at: float) -> bool:
        """Somebody has done something at the table without having it open, as programs may."""
        if person in self._open:
            return False
        self._seen[person] = Seen("gone", at)
        return True

    def forget_others(self, people: Iterable[str]) -> None:
        """Of those who do not sit at the table, nothing is kept once they have gone."""
        kept = {*people, *self._open}
        for person in self._seen.keys() - kept:
            del self._seen[person]

    def _look(self, person: str, at: float) -> bool:
        places, before = self._open.get(person), self._seen.get(person)
        how: How = "gone" if places is None else "hidden" if all(places.values()) else "here"
        if before is not None and before.how == how:
            return False
        if how == "here" or before is None or before.how == "here":
            self._seen[person] = Seen(how, at)
        else:
            self._seen[person] = Seen(how, before.since)  # hidden or gone: neither looks
        return True

    @property
    def attended(self) -> bool:
        """Whether anybody has the table open here."""
        return bool(self._open)

    # What other servers say.

    @property
    def here(self) -> Mapping[str, Seen]:
        """All that this server knows by itself."""
        return self._seen

    def hear(self, server: str, people: Mapping[str, Seen], at: float) -> None:
        self._elsewhere[server] = at, dict(people)

    # What there is to ask.

    def seen(self, person: str, at: float) -> Seen | None:
        """None for somebody who has not been seen since this table is in use."""
        found = [self._seen[person]] if person in self._seen else []
        for heard, people in self._elsewhere.values():
            if person in people:
                found.append(_lapsed(people[person], heard) if at - heard > LAPSES_AFTER else people[person])
        return max(found, key=lambda seen: (_ORDER[seen.how], seen.since), default=None)

    def absent(self, person: str, at: float) -> float:
        """For how many seconds nobody has seen somebody look at the table; 0 for those who do."""
        seen = self.seen(person, at)
        if seen is not None and seen.how == "here":
            return 0.0
        return max(0.0, at - (self.began if seen is None else max(seen.since, self.began)))


def _lapsed(seen: Seen, heard: float) -> Seen:
    return Seen("gone", heard if seen.how == "here" else seen.since)
