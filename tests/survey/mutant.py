"""Mutants: small changes to a source, drawn at random, that a test should notice."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

PAIRS = (
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn)),
    *((ast.Add, ast.Sub), (ast.BitAnd, ast.BitOr), (ast.LShift, ast.RShift), (ast.And, ast.Or)),
)
OTHER: dict[type[ast.AST], Any] = {**dict(PAIRS), **{second: first for first, second in PAIRS}}
GONE = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Continue, ast.Break)
UNSEEN_FIELDS = {"annotation", "returns", "decorator_list"}
UNSEEN_FILES = {"cuda.py", "env.py"}  # the first need a GPU, the second is Alembic's


class Mutant(NamedTuple):
    """A piece of a source file, in bytes, and what stands there instead."""

    file: str
    line: int
    start: int
    end: int
    source: str
    broken: str

    @property
    def room(self) -> str:
        """The folder of the package, or the package itself."""
        return Path(self.file).parts[1:-1][:2][-1]

    def apply(self, root: Path) -> None:
        """To a copy, whose files may be links to files that other copies share."""
        path = root / self.file
        source = path.read_bytes()
        path.unlink()
        path.write_bytes(source[: self.start] + self.broken.encode() + source[self.end :])


def draw(root: Path, rooms: list[str], number: int, seed: int) -> list[Mutant]:
    """Equally many from each room, where it has as many."""
    files = [path for path in sorted((root / "src").rglob("*.py")) if path.name not in UNSEEN_FILES]
    every = [mutant for path in files for mutant in mutants(root, path)]
    random.Random(seed).shuffle(every)
    found: dict[str, list[Mutant]] = {room: [] for room in sorted({mutant.room for mutant in every})}
    for mutant in every:
        found[mutant.room].append(mutant)
    chosen = (found[room] for room in found if not rooms or room in rooms)
    return [mutant for row in zip_longest(*chosen) for mutant in row if mutant is not None][:number]


def mutants(root: Path, path: Path) -> Iterator[Mutant]:
    source, file = path.read_bytes(), path.relative_to(root).as_posix()
    starts = [0, *(place + 1 for place, byte in enumerate(source) if byte == ord("\n"))]
    for old, text in dict.fromkeys(change for node in _seen(ast.parse(source)) for change in _changes(node)):
        start = starts[old.lineno - 1] + old.col_offset
        end = starts[(old.end_lineno or 0) - 1] + (old.end_col_offset or 0)
        yield Mutant(file, old.lineno, start, end, source[start:end].decode(), text)


def _seen(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that make a difference when the program runs, and whose places are known."""
    yield node
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in UNSEEN_FIELDS and not _is_unseen(child):
                yield from _seen(child)


def _is_unseen(node: ast.AST) -> bool:
    match node:
        case ast.If(ast.Name("TYPE_CHECKING")) | ast.Expr(ast.Constant()) | ast.JoinedStr():
            return True  # Python 3.11 does not know where the parts of the last stand
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("_LOGGER")))):
            return True
    return False


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """What stands for a node, or for a part of it."""
    match node:
        case ast.expr():
            yield from ((node, f"({text})") for text in _expressions(node))
        case ast.Return(ast.expr() as value) if ast.unparse(value) != "None":
            yield value, "None"
        case ast.AugAssign(target, operator, value) if type(operator) in OTHER:
            yield node, ast.unparse(ast.AugAssign(target, OTHER[type(operator)](), value))
    if isinstance(node, ast.If | ast.While | ast.IfExp) and not isinstance(node.test, ast.Compare | ast.UnaryOp):
        yield node.test, f"(not ({ast.unparse(node.test)}))"
    kept = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name | ast.Tuple)
    if isinstance(node, GONE) and not kept:
        yield node, "pass"


def _expressions(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Compare(left, [operator, *others], values):
            yield ast.unparse(ast.Compare(left, [OTHER[type(operator)](), *others], values))
        case ast.BinOp(left, operator, right) if type(operator) in OTHER:
            yield ast.unparse(ast.BinOp(left, OTHER[type(operator)](), right))
        case ast.BoolOp(operator, values):
            yield ast.unparse(ast.BoolOp(OTHER[type(operator)](), values))
        case ast.UnaryOp(ast.Not(), operand):
            yield ast.unparse(operand)
        case ast.Constant(bool(value)):
            yield str(not value)
        case ast.Constant(int(value) | float(value)):
            yield from (str(value + 1), str(value - 1))
