"""A trial: a mutant, and the test that notices it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.survey.mutant import Mutant
from tests.survey.stage import Stage
from tests.survey.tree import ITSELF, first_failure

VERDICTS = ("quick", "thorough", "survived", "open")


@dataclass
class Unbroken:
    """The sources as they are, and which tests pass and fail on them."""

    tree: Path
    options: list[str]
    passing: set[str] = field(default_factory=lambda: {ITSELF})
    failing: set[str] = field(default_factory=set)

    def failure(self, tree: Path, stage: Stage) -> str | None:
        """The first test that fails in another tree, but not here."""
        options = [*self.options, *(["--thorough"] if stage.thorough else [])]
        while True:
            left_out = [f"--deselect={test}" for test in sorted(self.failing)]
            test = first_failure(tree, *options, *left_out, *stage.tests)
            if test is None or test in self.passing or not first_failure(self.tree, *options, test):
                self.passing |= {test} if test else set()
                return test
            self.failing.add(test)


@dataclass
class Trial:
    mutant: Mutant
    tree: Path
    stages: list[Stage]
    passed: int = 0
    noticed: dict[str, str] = field(default_factory=dict)

    def decides(self, stage: Stage, unbroken: Unbroken) -> bool:
        """Stages of one trial may run side by side: what the quick tier notices counts for it, whoever is first."""
        if self.noticed:
            return False
        if test := unbroken.failure(self.tree, stage):
            self.noticed["thorough" if stage.thorough else "quick"] = test
        else:
            self.passed += 1
        return self.verdict != "open"

    @property
    def verdict(self) -> str:
        """The tier that notices the mutant, or `survived`, or `open`: there was no time for all stages."""
        ends = {**self.noticed, "survived": self.passed == len(self.stages), "open": True}
        return next(verdict for verdict in VERDICTS if ends.get(verdict))

    def as_json(self) -> dict[str, Any]:
        passed = {"passed": f"{self.passed} of {len(self.stages)} stages"}
        return self.mutant._asdict() | {"verdict": self.verdict} | passed | self.noticed


def table(trials: list[Trial]) -> str:
    """The verdicts by room."""
    rows: list[tuple[str, ...]] = [("room", "mutants", "quick", "thorough only", "survived", "open"), ("---",) * 6]
    for room in [*sorted({trial.mutant.room for trial in trials}), "all"]:
        counts = Counter(trial.verdict for trial in trials if room in (trial.mutant.room, "all"))
        rows.append((room, str(counts.total()), *(str(counts[verdict]) for verdict in VERDICTS)))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
