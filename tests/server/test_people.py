"""People: a secret that nobody guesses, and an id that does not give it away."""

import re

import pytest

from fogline.fairness import Fairness
from fogline.server.tables.people import new_key, new_token, person_of

SOME = 2_000


def test_every_token_is_new_and_makes_somebody() -> None:
    tokens = {new_token() for _ in range(SOME)}
    assert len(tokens) == SOME
    assert len({person_of(token) for token in tokens}) == SOME
    assert None not in {person_of(token) for token in tokens}


def test_a_token_has_256_bits() -> None:
    assert {len(new_token()) for _ in range(50)} == {43}  # six bits a letter


def test_a_token_is_always_the_same_person() -> None:
    token = new_token()
    assert person_of(token) == person_of(token)


def test_the_id_of_a_token_is_its_sha_256_for_ever() -> None:
    """Ids are stored: with another one, everybody would lose their seats."""
    assert person_of("A" * 43) == "0f007385b6f9d4b7eeb2748605afe1a984a0a3bfa3f014d09e2a784ce9e5cd1a"


@pytest.mark.parametrize("token", ["", *(begin + "A" * 41 for begin in ("A", "AAA", "AA\n", "\nAA", "A ", "A=", "Aé"))])
@pytest.mark.parametrize("turned", [1, -1])
def test_what_is_no_token_is_nobody(token: str, turned: int) -> None:
    assert person_of(token[::turned]) is None


def test_a_key_is_new_and_fits_into_a_link() -> None:
    keys = {new_key() for _ in range(SOME)}
    assert len(keys) == SOME
    assert all(re.fullmatch("[A-Za-z0-9_-]{16}", key) for key in keys)


def test_a_key_can_be_the_id_of_a_fair_table() -> None:
    assert Fairness(bytes(32), new_key(), "0" * 64, (None, None), (None, None)).seating()
