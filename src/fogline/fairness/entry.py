"""What a record carries as its `fairness`."""

from __future__ import annotations

from typing import Any

from .faults import exact, is_text, require_form
from .first_scheme import FirstFairness
from .secret import RULES, Fairness

_Kinds = dict[str, set[type]]

_FIRST_KEYS = ("game", "commitment", "secret", "salts", "seating")
_FIRST_LISTS: _Kinds = {"salts": {str}, "seating": {int}}
_KEYS = ("scheme", "game", "map", "rules", "commitment", "secret", "seals", "salts", "seating")
_LISTS: _Kinds = {"seals": {str, type(None)}, "salts": {str, type(None)}, "seating": {int}}


def read_fairness(entry: Any, players: int) -> Fairness | FirstFairness:
    """What a record carries as its `fairness`; only its form is checked, and that each salt is the one sealed."""
    first = type(entry) is dict and "scheme" not in entry
    _check_form(entry, players, _FIRST_KEYS if first else _KEYS, _FIRST_LISTS if first else _LISTS)
    secret, game, salts = bytes.fromhex(entry["secret"]), entry["game"], tuple(entry["salts"])
    if first:
        return FirstFairness(secret, game, salts)
    for key, known in (("scheme", 2), ("rules", RULES)):
        same = type(entry[key]) is int and entry[key] == known
        require_form(same, f"fairness: {key} is {exact(entry[key])}, and this program knows {known}")
    return Fairness(secret, game, entry["map"], tuple(entry["seals"]), salts)


def _check_form(entry: Any, players: int, keys: tuple[str, ...], lists: _Kinds) -> None:
    require_form(type(entry) is dict and set(entry) == set(keys), f"fairness must have {', '.join(keys)}")
    for key in ("commitment", "secret"):
        require_form(is_text(entry[key], "[0-9a-f]{64}"), f"fairness: {key} must be 64 characters of 0-9 and a-f")
    for key, kinds in lists.items():
        found = entry[key]
        listed = type(found) is list and len(found) == players and {type(value) for value in found} <= kinds
        require_form(listed, f"fairness: {key} must list {players}, one for each player")
