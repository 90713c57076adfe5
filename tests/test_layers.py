"""Who may import whom."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fogline
from fogline.commands.listed import LISTED

PACKAGE = Path(fogline.__file__).parent
RESEARCH = Path(__file__).parent.parent / "research"

LAYERS = (
    ("fogline.fairness", "fogline.compiler"),
    ("fogline.maps", "fogline.drawing"),
    ("fogline.rules",),
    ("fogline.game", "fogline.fairness.deal"),
    ("fogline",),
    ("fogline.knowledge",),
    ("fogline.batch",),
    ("fogline.players",),
    ("fogline.arena", "fogline.bench"),
    ("fogline.terminal", "fogline.server", "fogline.envs"),
    ("fogline.commands",),
    ("fogline.cli",),
    ("fogline.__main__",),
    ("research",),
)
"""A module imports from its own layer and those above it in this list. The package itself is its public face.

docs/architecture.md shows them in a picture: `python -m tests.layers` draws it.
"""


def layer(module: str) -> int:
    best = max((name for row in LAYERS for name in row if module == name or module.startswith(name + ".")), key=len)
    return next(number for number, row in enumerate(LAYERS) if best in row)


def imported(path: Path) -> set[str]:
    return {name for name in imports(path) if name.split(".")[0] in ("fogline", "research")}


def imports(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names.add(f"{module_name(path.parent / '__init__.py')}.{node.module}" if node.level else node.module or "")
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return names


def modules() -> list[Path]:
    return [*PACKAGE.rglob("*.py"), *RESEARCH.rglob("*.py")]


def module_name(path: Path) -> str:
    root = PACKAGE if path.is_relative_to(PACKAGE) else RESEARCH
    parts = (root.name, *path.relative_to(root).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_every_module_has_its_layer() -> None:
    for path in modules():
        name = module_name(path)
        assert name == "fogline" or layer(name) != layer("fogline"), name


def test_modules_import_only_from_their_own_layer_and_those_before() -> None:
    wrong = [
        f"{module_name(path)} imports {name}"
        for path in modules()
        for name in imported(path)
        if layer(name) > layer(module_name(path))
    ]
    assert wrong == []


def test_the_terminal_and_the_players_see_no_positions() -> None:
    """Secrets have one gate: what players and screens are made of imports the view, never the position."""
    for folder in ("players", "terminal"):
        for path in (PACKAGE / folder).rglob("*.py"):
            assert "fogline.game.position" not in imported(path), path
            assert not re.search(r"\bgame\.position\b|\.scores\(\)\[", path.read_text("utf-8")), path


def test_the_public_face_fits_on_a_screen() -> None:
    assert len(fogline.__all__) <= 25
    assert sorted(fogline.__all__) == fogline.__all__
    assert all(hasattr(fogline, name) for name in fogline.__all__)


def test_the_library_needs_numpy_and_numba_alone() -> None:
    code = (
        "import sys, numba; before = set(sys.modules);"  # which loads SciPy itself, where there is one
        "from fogline import *; print(*{name.split('.')[0] for name in set(sys.modules) - before})"
    )
    loaded = printed(code)
    assert not loaded & {"rich", "pytest", "hypothesis", "scipy", "torch", "gymnasium", "pettingzoo", "pyspiel"}


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["map", "--help"], []])
def test_the_help_loads_no_command(words: list[str]) -> None:
    """Whoever only looks shall not wait."""
    loaded = loaded_by(words)
    assert {name for name in loaded if name.startswith("fogline")} == {
        *("fogline", "fogline.cli", "fogline.commands", "fogline.commands.listed"),
    }
    assert not roots(loaded) & {"asyncio", "numba", "numpy", "rich", "sqlalchemy", "uvicorn"}


@pytest.mark.parametrize("command", [listed.name for listed in LISTED])
def test_no_command_loads_the_server_before_it_serves(command: str) -> None:
    loaded = loaded_by([*command.split(), "--help"])
    assert not roots(loaded) & {
        "alembic",
        "fastapi",
        "prometheus_client",
        "psycopg",
        "pydantic",
        "sqlalchemy",
        "uvicorn",
    }


def test_the_engine_and_the_players_import_what_is_always_installed() -> None:
    """Whatever else a module needs is in an extra, and loaded by name when it is asked for."""
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).parts[0] not in ("envs", "server"):
            assert roots(imports(path)) - sys.stdlib_module_names <= {"fogline", "numba", "numpy", "rich"}, path


def test_the_package_gives_what_its_modules_have() -> None:
    """Types, names and homes of what it gives are told in three places."""
    homes = {name: home for home, names in fogline._HOMES.items() for name in names.split()}
    assert sorted(homes) == fogline.__all__
    found = ast.walk(ast.parse((PACKAGE / "__init__.py").read_text("utf-8")))
    typed = [node for node in found if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fogline.")]
    assert {alias.name: node.module for node in typed for alias in node.names} == homes
    assert set(dir(fogline)) >= set(fogline.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        assert fogline.nothing  # type: ignore[attr-defined]


def loaded_by(words: list[str]) -> set[str]:
    """The modules that a command's help loads."""
    code = (
        "import sys, contextlib, io; from fogline.cli import main\n"
        f"with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()): main({words})\n"
        "print(*sys.modules)"
    )
    return printed(code)


def roots(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


def printed(code: str) -> set[str]:
    """The words that a program prints."""
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
