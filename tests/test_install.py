"""What is released: made from a clean clone as `python -m build` does it, and installed where nothing else is."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.conformance import ROOT

pytestmark = pytest.mark.thorough

HERE = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
"""Where programs are: Node may be among those that were installed for this project alone."""

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
"""What is installed shall be found where it is installed."""


def run(*command: str | Path, cwd: Path | None = None, path: str = HERE) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=cwd, env=ENVIRONMENT | {"PATH": path}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pip(python: Path | str, *words: str | Path, path: str = HERE) -> None:
    run(python, "-m", "pip", "--quiet", "--disable-pip-version-check", *words, path=path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("install")


@pytest.fixture(scope="module")
def clone(folder: Path) -> Path:
    """The files that git keeps, or would keep, as they are now."""
    names = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT).split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (folder / "clone" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / "clone" / name)
    return folder / "clone"


@pytest.fixture(scope="module")
def source(clone: Path, folder: Path) -> Path:
    """The source distribution."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder / "dist", cwd=clone)
    return next((folder / "dist").glob("*.tar.gz"))


@pytest.fixture(scope="module")
def wheel(source: Path, folder: Path) -> Path:
    """Made from the source distribution, and without Node: the page is in there."""
    pip(
        sys.executable,
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        folder / "dist",
        source,
        path=no_node(folder),
    )
    return next((folder / "dist").glob("*.whl"))


def no_node(folder: Path) -> str:
    """A search path that finds no Node, nor much else."""
    (folder / "bare").mkdir(exist_ok=True)
    return str(folder / "bare")


@pytest.fixture(scope="module")
def empty(folder: Path) -> Path:
    """The Python of an empty environment."""
    run(sys.executable, "-m", "venv", folder / "empty")
    return folder / "empty/bin/python"


@pytest.fixture(scope="module")
def engine(empty: Path, wheel: Path, folder: Path) -> Path:
    """`fogline`, in the environment where it alone is installed; of its dependencies, the versions that are locked."""
    pip(empty, "install", "-c", locked(folder), wheel)
    return empty.with_name("fogline")


@pytest.fixture(scope="module")
def player(engine: Path, wheel: Path, folder: Path) -> Path:
    """The same after the line for players."""
    pip(engine.with_name("python"), "install", "-c", locked(folder), f"{wheel}[play]")
    return engine


def locked(folder: Path) -> Path:
    """What is locked, without its hashes: our own wheel has none."""
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    path = folder / "constraints.txt"
    path.write_text("\n".join(line.rstrip("\\ ") for line in lock.splitlines() if "==" in line), encoding="utf-8")
    return path


def test_the_wheel_holds_the_page_the_maps_and_the_weights(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for part in ("server/client/index.html", "server/client/sw.js", "players/neural/neural.npz", "py.typed"):
        assert f"fogline/{part}" in names
    kept = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src/fogline").rglob("*.toml")}
    assert kept <= set(names)
    scripts = [name for name in names if re.fullmatch(r"fogline/server/client/assets/index-.*\.js", name)]
    assert len(scripts) == 1


def test_without_node_there_is_no_wheel_and_one_line_says_why(clone: Path, folder: Path) -> None:
    shutil.copytree(clone, folder / "other", ignore=shutil.ignore_patterns("client", "node_modules"))
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "none")]
    environment = ENVIRONMENT | {"PATH": no_node(folder)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder / "other", env=environment)
    assert done.returncode != 0
    assert re.fullmatch(r"fogline: the page has to be built, which needs Node 20\.19 or later .*\n", done.stderr)
    assert list((folder / "none").glob("*.whl")) == []


def test_the_engine_alone_plays_and_names_what_it_lacks(engine: Path, folder: Path) -> None:
    assert "play in the browser" in run(engine, "--help")
    run(engine, "record", folder / "game.json", "--map", "tiny", "--seats", "racer,random", "--seed", "7")
    assert "1 good, 0 bad" in run(engine, "audit", folder / "game.json")
    command = [str(engine), "play", "--no-browser"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.endswith('which is not installed: pip install "fogline[play]"\n')


def test_a_game_is_played_with_what_players_install(player: Path, folder: Path) -> None:
    environment = ENVIRONMENT | {"XDG_DATA_HOME": str(folder)}
    command = [str(player), "play", "--no-browser", "--map", "tiny"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        try:
            assert server.stdout is not None
            (url,) = next(found for line in server.stdout if (found := re.findall(r"http://\S+", line)))
            assert "assets/index-" in urlopen(url).read().decode()
            assert "won by seats" in run(player.with_name("python"), ROOT / "examples/bot.py", url)
        finally:
            server.kill()
