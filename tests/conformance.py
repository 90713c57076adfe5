"""Which tests hold which rule: read from RULES.md and from the markers of the tests."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
HEADING = """# Conformance

Every rule of [RULES.md](../RULES.md), the tests that hold it, and whether they passed when this page was made, with
`make docs`. A test fails when a rule has no test, or when this page names other tests than there are.
"""


def rules() -> dict[str, str]:
    """Every rule's id and text, in order."""
    text = (ROOT / "RULES.md").read_text("utf-8")
    items = re.findall(r"^- \*\*(\d+\.\d+)\*\* (.*?)(?=^- \*\*|^## |\Z)", text, re.M | re.S)
    return {rule: " ".join(words.split()) for rule, words in items}


def chapters() -> dict[str, str]:
    text = (ROOT / "RULES.md").read_text("utf-8")
    return dict(re.findall(r"^## (\d+) (.*)$", text, re.M))


@cache
def marked_tests() -> dict[str, set[str]]:
    """The tests that are marked with each rule, from the source of the tests."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for rule in _marked(node):
                    found[rule].add(f"{path.relative_to(ROOT).as_posix()}::{node.name}")
    return dict(found)


def _marked(test: ast.FunctionDef) -> list[str]:
    """The ids in `@rule("1.1")` and `@pytest.mark.rule("1.1")`."""
    calls = [decorator for decorator in test.decorator_list if isinstance(decorator, ast.Call)]
    named = [call for call in calls if ast.unparse(call.func) in ("rule", "pytest.mark.rule")]
    return [argument.value for call in named for argument in call.args if isinstance(argument, ast.Constant)]  # type: ignore[misc]


def report(passed: dict[str, dict[str, bool]]) -> str:
    """The page, from the outcome of every test by rule."""
    texts, lines = rules(), [HEADING]
    held = sum(bool(passed.get(rule)) and all(passed[rule].values()) for rule in texts)
    lines.append(f"{held} of {len(texts)} rules hold.\n")
    for chapter, title in chapters().items():
        lines += [f"## {chapter} {title}\n", "| rule | | tests |", "|---|---|---|"]
        for rule, text in texts.items():
            if rule.split(".")[0] == chapter:
                lines.append(f"| {rule} | {text} | {_cell(passed.get(rule, {}))} |")
        lines.append("")
    return "\n".join(lines)


def _cell(tests: dict[str, bool]) -> str:
    if not tests:
        return "**no test**"
    return "<br>".join(f"{'pass' if ok else '**FAIL**'}: {_link(test)}" for test, ok in sorted(tests.items()))


def _link(test: str) -> str:
    path, name = test.split("::")
    return f"[{name.removeprefix('test_').replace('_', ' ')}](../{path})"


def named_tests(text: str) -> dict[str, set[str]]:
    """Which tests a page names for each rule."""
    found: dict[str, set[str]] = defaultdict(set)
    for rule, cell in re.findall(r"^\| (\d+\.\d+) \|.*\| (.*?) \|$", text, re.M):
        for words, path in re.findall(r"\[([^\]]*)\]\(\.\./(tests/[^)]*)\)", cell):
            found[rule].add(f"{path}::test_{words.replace(' ', '_')}")
    return found
