"""Where compiled code is kept."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from fogline.rules import compiled
from fogline.rules.compiled import CodeFiles
from tests.conformance import ROOT

KEY = (numba.types.intp, ("machine",), ("code",))


def test_code_comes_back_and_a_damaged_file_does_not(tmp_path: Path) -> None:
    files = CodeFiles(tmp_path, "play")
    assert files.load(KEY) is None
    files.save(KEY, {"some": "code"})
    assert files.load(KEY) == {"some": "code"}
    for damage in (b"", b"\x80\x05X\x02\x00\x00\x00\xff\xff.", b"junk"):
        files.path(KEY).write_bytes(damage)
        assert files.load(KEY) is None


def test_code_that_cannot_be_kept_is_no_error(tmp_path: Path) -> None:
    CodeFiles(tmp_path / "nowhere", "play").save(KEY, {"some": "code"})
    assert list(tmp_path.iterdir()) == []


def test_code_of_older_sources_goes_when_new_code_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = CodeFiles(tmp_path, "play")
    files.save(KEY, 1)
    monkeypatch.setattr(compiled, "_SOURCES", "f" * 64)
    files.save(KEY, 2)
    assert [path.name.split(".")[1] for path in tmp_path.iterdir()] == ["f" * 16]
    files.flush()
    assert list(tmp_path.iterdir()) == []


def test_another_signature_machine_or_source_has_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = CodeFiles(tmp_path, "play")
    wider, narrower = (numba.from_dtype(np.dtype((np.record, [("seat", "u1", (seats,))]))) for seats in (4, 3))
    keys = [KEY, (wider, *KEY[1:]), (narrower, *KEY[1:]), (KEY[0], ("other",), KEY[2]), (*KEY[:2], ("other",))]
    paths = {files.path(key) for key in keys}
    monkeypatch.setattr(compiled, "_SOURCES", "changed")
    paths.add(files.path(KEY))
    assert len(paths) == len(keys) + 1


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
        from fogline.compiling import on_compiling
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
