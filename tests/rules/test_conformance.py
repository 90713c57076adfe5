"""The conformance report leaves no rule out."""

from tests.conformance import ROOT, chapters, marked_tests, named_tests, report, rules


def test_every_rule_has_a_test() -> None:
    marked = marked_tests()
    assert [rule for rule in rules() if rule not in marked] == []


def test_tests_name_only_rules_that_exist() -> None:
    assert set(marked_tests()) <= set(rules())


def test_all_the_rules_are_found() -> None:
    assert list(chapters()) == [str(number) for number in range(1, 11)]
    assert len(rules()) == 57
    assert rules()["9.2"].startswith("Different souvenirs owned")


def test_the_page_names_the_tests_that_there_are_and_all_passed() -> None:
    page = (ROOT / "docs" / "conformance.md").read_text("utf-8")
    assert named_tests(page) == marked_tests()
    assert "FAIL" not in page
    assert all(f"| {rule} | {text} |" in page for rule, text in rules().items())


def test_a_rule_without_a_test_and_a_failing_test_show() -> None:
    page = report(
        {"1.1": {"tests/rules/test_1_pieces.py::test_a": True, "tests/rules/test_1_pieces.py::test_b": False}}
    )
    assert "pass: [a](../tests/rules/test_1_pieces.py)<br>**FAIL**: [b]" in page
    assert "0 of" in page
    assert "**no test**" in page
