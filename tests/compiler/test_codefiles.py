"""Where compiled code is kept."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from fogline.compiler import codefiles
from fogline.compiler.codefiles import CodeFiles
from fogline.compiler.kernels import entry_point
from tests.conformance import ROOT

MODULE = "fogline.rules.calls"
KEY = (numba.types.intp, ("machine",), ("code",))


def test_code_comes_back_and_a_damaged_file_does_not(tmp_path: Path) -> None:
    files = CodeFiles(tmp_path, MODULE, "play")
    assert files.load(KEY) is None
    files.save(KEY, {"some": "code"})
    assert files.load(KEY) == {"some": "code"}
    for damage in (b"", b"\x80\x05X\x02\x00\x00\x00\xff\xff.", b"junk"):
        files.path(KEY).write_bytes(damage)
        assert files.load(KEY) is None


def test_code_that_cannot_be_kept_is_no_error(tmp_path: Path) -> None:
    CodeFiles(tmp_path / "nowhere", MODULE, "play").save(KEY, {"some": "code"})
    assert list(tmp_path.iterdir()) == []


def test_code_of_older_sources_goes_when_new_code_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = CodeFiles(tmp_path, MODULE, "play")
    files.save(KEY, 1)
    monkeypatch.setattr(codefiles, "_digest", lambda module: "f" * 16)
    files.save(KEY, 2)
    assert [path.name.split(".")[1] for path in tmp_path.iterdir()] == ["f" * 16]
    files.flush()
    assert list(tmp_path.iterdir()) == []


def test_another_signature_machine_or_source_has_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = CodeFiles(tmp_path, MODULE, "play")
    wider, narrower = (numba.from_dtype(np.dtype((np.record, [("seat", "u1", (seats,))]))) for seats in (4, 3))
    keys = [KEY, (wider, *KEY[1:]), (narrower, *KEY[1:]), (KEY[0], ("other",), KEY[2]), (*KEY[:2], ("other",))]
    paths = {files.path(key) for key in keys}
    monkeypatch.setattr(codefiles, "_digest", lambda module: "changed")
    paths.add(files.path(KEY))
    assert len(paths) == len(keys) + 1


def test_a_function_without_a_file_is_compiled_though_nothing_can_be_kept() -> None:
    names: dict[str, Any] = {}
    exec("def more(number):\n    return number + 1", names)
    assert entry_point(names["more"])(1) == 2


@pytest.mark.thorough
def test_processes_that_compile_side_by_side_do_not_disturb_each_other(tmp_path: Path) -> None:
    def play(name: str) -> subprocess.Popen[str]:
        code = f"from tests.interpreted import digest; print(digest({name!r}, 2, 4))"
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
        return subprocess.Popen(
            [sys.executable, "-c", code], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )

    names = ("tiny", "dead_end", "tiny")
    first = [process.communicate()[0] for process in [play(name) for name in names]]
    second = [process.communicate()[0] for process in [play(name) for name in names]]
    assert first[0] != first[1]
    assert first == second
    assert first[0] == first[2] != ""


def test_compiled_code_is_kept_and_used_again(tmp_path: Path) -> None:
    code = """if True:
        from fogline import Game
        from fogline.compiler.progress import on_compiling
        from fogline.rules import calls
        with on_compiling(lambda: print("compiling")):
            Game('tiny', seed=1)
        print(calls.begin.stats)"""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", code]
    runs = [
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout for _ in range(2)
    ]
    assert "cache_hits=Counter()" in runs[0]
    assert "cache_misses=Counter()" in runs[1]
    assert [run.count("compiling") for run in runs] == [1, 0]


def test_a_constant_that_changes_in_another_file_is_compiled_anew(tmp_path: Path) -> None:
    """Which Numba alone does not see, nor that a file is the same again."""
    package = tmp_path / "toy"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "rules.py").write_text(
        "from fogline.compiler.kernels import entry_point, kernel\n"
        "from toy import numbers\n\nSTEP = numbers.STEP\n\n\n"
        "@kernel\ndef more(number):\n    return number + STEP\n"
    )
    (package / "game.py").write_text(
        "from fogline.compiler.kernels import entry_point\nfrom toy.rules import (\n    more,\n)\n\n\n"
        "@entry_point\ndef play(number):\n    return more(number)\n"
    )
    code = "from toy.game import play; print(play(1), len(play.stats.cache_hits))"
    found = []
    for step in (1, 5, 5, 1):
        (package / "numbers.py").write_text(f"STEP = {step}  # as large as before\n")
        found.append(run_with(code, tmp_path))
    assert found == ["2 0", "6 0", "6 1", "2 0"]


def test_what_else_a_process_has_loaded_makes_no_difference(tmp_path: Path) -> None:
    """Else processes would compile the same code in turns, and forget each other's."""
    package = tmp_path / "toy"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "later.py").write_text("WORD = 1\n")
    (package / "game.py").write_text(
        "from fogline.compiler.kernels import entry_point\n\n\n"
        "@entry_point\ndef play(number):\n    return number + 1\n\n\n"
        "def seldom():\n    from toy import later\n\n    return later.WORD\n"
    )
    code = "from toy.game import play; print(play(1), len(play.stats.cache_hits))"
    found = [run_with(before + code, tmp_path) for before in ("", "import toy.later, fogline.maps.board; ", "")]
    assert found == ["2 0", "2 1", "2 1"]


def run_with(code: str, folder: Path) -> str:
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return ran.stdout.strip()
