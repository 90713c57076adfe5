"""Provable fairness: a game's record shows by itself that nobody chose what chance brought.

When a table is opened it shows its commitment, a SHA-256 over a secret and over all that the secret will be used for.
Everyone who sits down commits to a salt of their own in the same way: that is their seal. When all have done so, they
reveal their salts, the cards are dealt, and after the game the table reveals the secret. Secret and salts give every
number that chance needs. So anyone can work out who sits where, which card comes from the deck each time and in which
order the tickets lie, and compare:

    python -m fairness game.json [--receipt receipt.json] [--map my_city.toml]

A receipt is what one client kept of a game while it was played: its salt, the commitment and the seals that it saw
before it gave the salt, and a hash of all events that it was shown. Without a receipt a record shows only that it
agrees with itself, and without the salt of its owner the table could still have chosen the cards.

This folder needs nothing but Python, and knows nothing of the program that ran the table; only `deal.py`, with which
the table deals, does. It is meant to be read: `secret.py`, `stream.py`, `table.py`, `receipt.py`, `check.py`. It asks
where chance came from, not whether the decisions were legal: `fogline audit` asks that. A record that passes both is a
game by the rules in which people decided, the secret did the rest, and there was nothing else.
"""

from .check import Proof, check_fairness
from .faults import FairnessError
from .receipt import as_seen, hash_events
from .secret import Fairness, seal_of

__all__ = ["Fairness", "FairnessError", "Proof", "as_seen", "check_fairness", "hash_events", "seal_of"]
