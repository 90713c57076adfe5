# Every target makes the virtual environment .venv first, where it is missing or out of date.
PYTHON ?= python3
export PYTHON
BIN := .venv/bin

.PHONY: help play test check format bench docs lock clean
.DEFAULT_GOAL := help

help:  ## Say what there is to make
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

# Another interpreter than last time makes .venv anew.
ifneq ($(shell command -v $(PYTHON)),$(shell cat .venv/ready 2>/dev/null))
.PHONY: .venv/ready
endif

.venv/ready: pyproject.toml requirements.lock scripts/setup
	@scripts/setup

play: .venv/ready  ## Play a game in the terminal
	@$(BIN)/fogline play

test: .venv/ready  ## Run all the tests, on all cores
	@scripts/postgresql >/dev/null
	@echo "==> Running the tests (four minutes on two quiet cores)"
	@$(BIN)/python -m pytest -n auto --dist worksteal -q

check: .venv/ready  ## Lint, check the format and the types
	@echo "==> ruff" && $(BIN)/ruff check . && $(BIN)/ruff format --check .
	@echo "==> mypy --strict" && $(BIN)/mypy

format: .venv/ready  ## Format the code and mend what can be mended
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

bench: .venv/ready  ## Measure the engine on this machine
	@$(BIN)/fogline bench

docs: .venv/ready  ## Regenerate what is generated in docs/: the board pictures and the conformance report
	@scripts/postgresql >/dev/null
	@$(BIN)/fogline map draw san_francisco -o docs/board.svg
	@$(BIN)/fogline map draw san_francisco -o docs/board-dark.svg --dark
	@$(BIN)/python -m pytest -n auto --dist worksteal -q --conformance docs/conformance.md tests \
		--ignore tests/test_mutants.py --ignore tests/test_referee.py --ignore tests/test_conformance.py

lock: .venv/ready  ## Lock the newest allowed versions of all dependencies
	@$(BIN)/python -m pip install --quiet uv
	@$(BIN)/uv pip compile -q --upgrade --universal --generate-hashes --python-version 3.11 --group dev pyproject.toml \
		--no-header --no-emit-index-url --no-annotate -o requirements.lock

clean:  ## Remove the virtual environment and all caches
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
