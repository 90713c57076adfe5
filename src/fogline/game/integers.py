"""Whole numbers from outside: Python's own, NumPy's, or any other type that acts as one."""

from __future__ import annotations

import operator
from typing import SupportsIndex

import numpy as np

Integer = SupportsIndex
"""The types that are accepted wherever a number is expected."""


def as_integer(value: object) -> int | None:
    """The value as a Python int, or None where it is not a whole number. True and False are not."""
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
