"""Sets of small numbers, kept as the bits of a 64-bit word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import overload

from fogline.compiler.kernels import kernel

ZERO = np.uint64(0)
ONE = np.uint64(1)

_PAIRS = np.uint64(0x5555555555555555)
_QUADS = np.uint64(0x3333333333333333)
_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
_SUM = np.uint64(0x0101010101010101)
_SHIFT_1, _SHIFT_2, _SHIFT_4, _SHIFT_56 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


def count_bits(bits: Any) -> int:
    """How many numbers the set holds."""
    return int(bits).bit_count()


@overload(count_bits)
def _compiled_count_bits(bits: Any) -> Callable[[Any], int]:
    # LLVM knows this pattern and makes it one instruction; interpreted, its multiplication would overflow.
    def count(bits: Any) -> int:
        bits = bits - ((bits >> _SHIFT_1) & _PAIRS)
        bits = (bits & _QUADS) + ((bits >> _SHIFT_2) & _QUADS)
        bits = (bits + (bits >> _SHIFT_4)) & _BYTES
        return np.int64((bits * _SUM) >> _SHIFT_56)  # type: ignore[return-value]

    return count


@overload(count_bits, target="cuda")
def _count_bits_on_a_gpu(bits: Any) -> Callable[[Any], int]:
    from numba import cuda  # noqa: PLC0415  (only where a kernel is being compiled)

    def count(bits: Any) -> int:
        return np.int64(cuda.popc(bits))  # type: ignore[return-value]

    return count


@kernel
def bit(number: int) -> Any:
    """The set that holds this number alone."""
    return ONE << np.uint64(number)


@kernel
def has_bit(bits: Any, number: int) -> bool:
    return (bits >> np.uint64(number)) & ONE != ZERO


@kernel
def write_bits(bits: Any, array: Any, first: int, count: int) -> None:
    """Writes 1 for each number of the set and 0 for each other one below `count` into an array, from `first` on."""
    for number in range(count):
        put(array, first + number, (bits >> np.uint64(number)) & ONE)


@kernel
def put(array: Any, place: int, value: Any) -> None:
    """Writes into an array. The index has no sign, so the compiler need not check whether it counts from the end."""
    array[np.uint64(place)] = value


@kernel
def nth_bit(bits: Any, n: int) -> int:
    """The n-th smallest number of the set, from 0."""
    for _ in range(n):
        bits &= bits - ONE
    return count_bits((bits & (~bits + ONE)) - ONE)
