"""Who may import whom."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import fogline

PACKAGE = Path(fogline.__file__).parent

LAYERS = (
    ("fogline.fairness",),
    ("fogline.mapfile",),
    ("fogline.mapreader",),
    ("fogline.board", "fogline.compiling"),
    ("fogline.rules",),
    (
        "fogline.actions",
        "fogline.position",
        "fogline.refusals",
        "fogline.events",
        "fogline.score",
        "fogline.view",
        "fogline.game",
        "fogline.recordfile",
        "fogline.record",
    ),
    ("fogline",),
    ("fogline.sight", "fogline.cardcount", "fogline.simulate", "fogline.picture", "fogline.drawing"),
    ("fogline.belief", "fogline.tally", "fogline.observation", "fogline.batch"),
    ("fogline.players",),
    ("fogline.arena", "fogline.bench"),
    ("fogline.study",),
    ("fogline.terminal", "fogline.server", "fogline.envs"),
    ("fogline.commands",),
    ("fogline.cli",),
    ("fogline.__main__",),
)
"""A module imports from its own layer and those above it in this list. The package itself is its public face."""


def layer(module: str) -> int:
    best = max((name for row in LAYERS for name in row if module == name or module.startswith(name + ".")), key=len)
    return next(number for number, row in enumerate(LAYERS) if best in row)


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return {name for name in names if name.split(".")[0] == "fogline"}


def module_name(path: Path) -> str:
    parts = ("fogline", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_every_module_has_its_layer() -> None:
    for path in PACKAGE.rglob("*.py"):
        name = module_name(path)
        assert name == "fogline" or layer(name) != layer("fogline"), name


def test_modules_import_only_from_their_own_layer_and_those_before() -> None:
    wrong = [
        f"{module_name(path)} imports {name}"
        for path in PACKAGE.rglob("*.py")
        for name in imported(path)
        if layer(name) > layer(module_name(path))
    ]
    assert wrong == []


def test_the_terminal_and_the_players_see_no_positions() -> None:
    """Secrets have one gate: what players and screens are made of imports the view, never the position."""
    for folder in ("players", "terminal"):
        for path in (PACKAGE / folder).rglob("*.py"):
            assert "fogline.position" not in imported(path), path
            assert not re.search(r"\bgame\.position\b|\.scores\(\)\[", path.read_text("utf-8")), path


def test_the_public_face_fits_on_a_screen() -> None:
    assert len(fogline.__all__) <= 25
    assert sorted(fogline.__all__) == fogline.__all__
    assert all(hasattr(fogline, name) for name in fogline.__all__)


def test_the_library_needs_numpy_and_numba_alone() -> None:
    code = (
        "import sys, numba; before = set(sys.modules);"  # which loads SciPy itself, where there is one
        "import fogline; print(*{name.split('.')[0] for name in set(sys.modules) - before})"
    )
    loaded = printed(code)
    assert not loaded & {"rich", "pytest", "hypothesis", "scipy", "torch", "gymnasium", "pettingzoo", "pyspiel"}


def test_a_command_that_serves_nobody_starts_without_the_server() -> None:
    code = "import sys, fogline.cli; print(*{name.split('.')[0] for name in sys.modules})"
    assert not printed(code) & {"alembic", "fastapi", "psycopg", "sqlalchemy", "uvicorn"}


def printed(code: str) -> set[str]:
    """The words that a program prints."""
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
