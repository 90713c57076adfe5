# Every target makes the virtual environment .venv first, where it is missing or out of date.
PYTHON ?= python3
export PYTHON
BIN := .venv/bin

.PHONY: help play web tools test check format bench bench-server docs wire lock clean
.DEFAULT_GOAL := help

help:  ## Say what there is to make
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

# Another interpreter than last time makes .venv anew.
ifneq ($(shell command -v $(PYTHON)),$(shell cat .venv/ready 2>/dev/null))
.PHONY: .venv/ready
endif

.venv/ready: pyproject.toml requirements.lock scripts/setup
	@scripts/setup

# The page is built anew when one of its sources is newer.
PAGE := web/node_modules/.built
$(PAGE): scripts/web web/package-lock.json web/index.html web/vite.config.ts \
		$(shell find web/src web/public src/fogline/locales -type f) | .venv/ready
	@scripts/web

web: $(PAGE)  ## Build the page into the package

play: .venv/ready $(PAGE)  ## Play, in the browser
	@$(BIN)/fogline play

tools: .venv/ready  ## Install what the tests need beside the dependencies: PostgreSQL, Chromium and torch
	@{ scripts/postgresql && scripts/chromium; } >/dev/null & scripts/torch && wait $$!

test: .venv/ready $(PAGE) tools  ## Run the tests, on all cores
	@echo "==> Testing the page's own logic" && PATH="$(CURDIR)/.venv/bin:$(PATH)" && cd web && npm run --silent test
	@echo "==> Compiling rules and players, once for all the processes that the tests start"
	@$(BIN)/python -m tests.warm san_francisco & $(BIN)/python -m tests.warm tiny dead_end; wait
	@echo "==> Running the tests (a quarter of an hour or more on two cores)"
	@$(BIN)/python -m pytest -n auto --dist worksteal -q

check: .venv/ready $(PAGE)  ## Lint, check the format and the types
	@echo "==> ruff" && $(BIN)/ruff check . && $(BIN)/ruff format --check .
	@echo "==> mypy --strict" && $(BIN)/mypy
	@echo "==> svelte-check and eslint" && PATH="$(CURDIR)/.venv/bin:$(PATH)" && cd web && npm run --silent check

format: .venv/ready  ## Format the code and mend what can be mended
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

bench: .venv/ready  ## Measure the engine on this machine
	@$(BIN)/fogline bench

bench-server: .venv/ready  ## Measure the table server on this machine
	@$(BIN)/python benchmarks/server.py

docs: .venv/ready  ## Regenerate what is generated in docs/: board pictures, conformance report, table of the observation
	@scripts/postgresql >/dev/null
	@$(BIN)/fogline map draw san_francisco -o docs/board.svg
	@$(BIN)/fogline map draw san_francisco -o docs/board-dark.svg --dark
	@$(BIN)/python -m fogline.envs.features docs/environments.md
	@$(BIN)/python -m pytest -n auto --dist worksteal -q -m rule --conformance docs/conformance.md tests

wire: .venv/ready  ## Write the page's types of all messages anew, from the server's
	@$(BIN)/python -m fogline.server.typescript

lock: .venv/ready  ## Lock the newest allowed versions of all dependencies
	@$(BIN)/python -m pip install --quiet uv
	@$(BIN)/uv pip compile -q --upgrade --universal --generate-hashes --python-version 3.11 --group dev pyproject.toml \
		--no-header --no-emit-index-url --no-annotate -o requirements.lock

clean:  ## Remove the virtual environment and all caches
	rm -rf web/node_modules src/fogline/server/client
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
