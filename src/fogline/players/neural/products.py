"""Products of matrices of 32 bits, and what else the layers of a network need.

The sum of a product runs over its terms in their order, however many rows are computed together, and a product and a
sum are rounded one after the other. So a row's result is the same to the bit alone, in a batch, and on every processor.
The innermost loops run along the output: those the compiler turns into vectors without changing that order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.compiler.kernels import kernel

TILE = 4
"""Rows that are computed together, for as many terms at a time: each weight that is read serves several rows."""

SLAB = 64
"""Terms after which the next rows come: so many rows of weights stay in a core's cache."""

ZERO, ONE, TINY = np.float32(0), np.float32(1), np.float32(1e-5)


@kernel
def add_product(inputs: Any, weights: Any, outputs: Any) -> None:
    """Adds inputs[row, term] @ weights[term, number] to outputs[row, number]."""
    rows, terms = inputs.shape[0], inputs.shape[1]
    tiled = rows - rows % TILE
    for begin in range(0, terms, SLAB):
        end = min(begin + SLAB, terms)
        for row in range(0, tiled, TILE):
            add_rows(inputs, weights, outputs, row, begin, end)
        for row in range(tiled, rows):
            add_row(inputs[row], weights, outputs[row], begin, end)


@kernel
def add_row(inputs: Any, weights: Any, outputs: Any, begin: int, end: int) -> None:
    """Adds some terms to one row. Inputs that are 0 cost nothing, which are most of them."""
    for term in range(begin, end):
        if inputs[term] != ZERO:
            add_term(inputs[term], weights[term], outputs)


@kernel
def add_term(factor: Any, weights: Any, outputs: Any) -> None:
    for number in range(outputs.shape[0]):
        outputs[number] += factor * weights[number]


@kernel
def add_rows(inputs: Any, weights: Any, outputs: Any, row: int, begin: int, end: int) -> None:
    """Adds some terms to as many rows as a tile has."""
    tiled = end - (end - begin) % TILE
    for term in range(begin, tiled, TILE):
        add_tile(inputs, weights, outputs, row, term)
    for other in range(row, row + TILE):
        add_row(inputs[other], weights, outputs[other], tiled, end)


@kernel
def add_tile(inputs: Any, weights: Any, outputs: Any, row: int, term: int) -> None:
    """Adds four terms to four rows. It stands here in full, so that the sixteen factors stay in registers."""
    a, b, c, d = inputs[row], inputs[row + 1], inputs[row + 2], inputs[row + 3]
    a0, a1, a2, a3 = a[term], a[term + 1], a[term + 2], a[term + 3]
    b0, b1, b2, b3 = b[term], b[term + 1], b[term + 2], b[term + 3]
    c0, c1, c2, c3 = c[term], c[term + 1], c[term + 2], c[term + 3]
    d0, d1, d2, d3 = d[term], d[term + 1], d[term + 2], d[term + 3]
    to_a, to_b, to_c, to_d = outputs[row], outputs[row + 1], outputs[row + 2], outputs[row + 3]
    w0, w1, w2, w3 = weights[term], weights[term + 1], weights[term + 2], weights[term + 3]
    for number in range(to_a.shape[0]):
        p, q, r, s = w0[number], w1[number], w2[number], w3[number]
        to_a[number] = (((to_a[number] + a0 * p) + a1 * q) + a2 * r) + a3 * s
        to_b[number] = (((to_b[number] + b0 * p) + b1 * q) + b2 * r) + b3 * s
        to_c[number] = (((to_c[number] + c0 * p) + c1 * q) + c2 * r) + c3 * s
        to_d[number] = (((to_d[number] + d0 * p) + d1 * q) + d2 * r) + d3 * s


@kernel
def begin_rows(bias: Any, outputs: Any) -> None:
    """Every row begins as the bias."""
    for row in range(outputs.shape[0]):
        for number in range(bias.shape[0]):
            outputs[row, number] = bias[number]


@kernel
def relu(numbers: Any) -> None:
    for row in range(numbers.shape[0]):
        relu_row(numbers[row])


@kernel
def relu_row(numbers: Any) -> None:
    for number in range(numbers.shape[0]):
        numbers[number] = max(numbers[number], ZERO)


@kernel
def level(numbers: Any, levelled: Any) -> None:
    """Every row with mean 0 and variance 1."""
    for row in range(numbers.shape[0]):
        level_row(numbers[row], levelled[row])


@kernel
def level_row(numbers: Any, levelled: Any) -> None:
    count = np.float32(numbers.shape[0])
    mean = total(numbers) / count
    for number in range(numbers.shape[0]):
        levelled[number] = numbers[number] - mean
    deviation = np.sqrt(dot(levelled, levelled) / count + TINY)
    for number in range(numbers.shape[0]):
        levelled[number] = levelled[number] / deviation


@kernel
def total(numbers: Any) -> Any:
    """The sum, in four parts, because each addition waits for the one before it."""
    a, b, c, d = ZERO, ZERO, ZERO, ZERO
    tiled = numbers.shape[0] - numbers.shape[0] % TILE
    for n in range(0, tiled, TILE):
        a, b, c, d = a + numbers[n], b + numbers[n + 1], c + numbers[n + 2], d + numbers[n + 3]
    for n in range(tiled, numbers.shape[0]):
        a += numbers[n]
    return (a + b) + (c + d)


@kernel
def dot(one: Any, other: Any) -> Any:
    """The sum of the products, in four parts as well."""
    a, b, c, d = ZERO, ZERO, ZERO, ZERO
    tiled = one.shape[0] - one.shape[0] % TILE
    for n in range(0, tiled, TILE):
        a, b = a + one[n] * other[n], b + one[n + 1] * other[n + 1]
        c, d = c + one[n + 2] * other[n + 2], d + one[n + 3] * other[n + 3]
    for n in range(tiled, one.shape[0]):
        a += one[n] * other[n]
    return (a + b) + (c + d)
