# Every target makes the virtual environment .venv first, where it is missing or out of date: `make play` with what
# playing needs, everything else also with the tools for development.
PYTHON ?= python3
SEED ?= 0
export PYTHON
# The tests start hundreds of programs: none should have to compile this project's sources anew.
unexport PYTHONDONTWRITEBYTECODE
BIN := .venv/bin
NODE := PATH="$(CURDIR)/$(BIN):$$PATH"
# Sets and their order come from the seed, too.
PYTEST = PYTHONHASHSEED=$(SEED) $(BIN)/python -m pytest -n auto --dist worksteal -q --seed $(SEED)

.PHONY: help ready play web tools test test-all check format bench bench-server docs site-docs wire lock clean
.DEFAULT_GOAL := help

help:  ## Say what there is to make
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

# Another interpreter than last time makes .venv anew.
ifneq ($(shell command -v $(PYTHON)),$(shell cat .venv/ready 2>/dev/null))
.PHONY: .venv/ready
endif

.venv/ready: pyproject.toml requirements.lock scripts/setup
	@scripts/setup

.venv/ready-dev: .venv/ready requirements-dev.lock
	@scripts/setup dev

# The page is built anew when one of its sources is newer.
PAGE := web/node_modules/.built
$(PAGE): scripts/web web/package-lock.json web/index.html web/vite.config.ts \
		$(shell find web/src web/public src/fogline/locales -type f) | .venv/ready
	@scripts/web

web: $(PAGE)  ## Build the page into the package

# Compiling takes one core, building the page mostly waits for others' servers.
play:  ## Play, in the browser
	@$(MAKE) --no-print-directory --jobs=2 $(PAGE) .venv/compiled
	@$(BIN)/fogline play

SOURCES := $(shell find src/fogline -name '*.py')
.venv/compiled: $(SOURCES) | .venv/ready
	@echo "==> Compiling the rules and the players, once"
	@$(BIN)/python -m fogline.server.run san_francisco & $(BIN)/python -m fogline.server.run tiny && wait $$!
	@touch $@

# Compiled once for all the processes that the tests start.
.venv/compiled-dev: $(SOURCES) tests/warm.py | .venv/ready-dev
	@echo "==> Compiling the rules and the players for the tests, once"
	@$(BIN)/python -m tests.warm san_francisco & $(BIN)/python -m tests.warm tiny dead_end && wait $$!
	@touch $@

web/node_modules/.tools: web/package-lock.json $(PAGE)
	@scripts/web tools

tools: .venv/ready-dev web/node_modules/.tools  ## Install what the tests need beside the dependencies
	@{ scripts/postgresql && scripts/openssh && scripts/chromium; } >/dev/null & scripts/torch && wait $$!

ready: $(PAGE)
	@$(MAKE) --no-print-directory --jobs=2 tools .venv/compiled-dev

test: ready  ## Run the tests that cover everything, in minutes; SEED=7 asks another question
	@echo "==> Testing the page's own logic" && $(NODE) && cd web && npm run --silent test
	@echo "==> Running the tests (four minutes on two cores)"
	@$(PYTEST)

test-all: ready  ## Run the thorough tests, too: mutants, kills, whole games of all; SEED=7 asks another question
	@echo "==> Testing the page's own logic" && $(NODE) && cd web && npm run --silent test
	@echo "==> Running all tests (25 minutes on two cores)"
	@$(PYTEST) --thorough

check: .venv/ready-dev web/node_modules/.tools  ## Lint, check the format and the types
	@echo "==> ruff" && $(BIN)/ruff check . && $(BIN)/ruff format --check .
	@echo "==> mypy --strict" && $(BIN)/mypy
	@echo "==> mypy --strict, as on Windows" && $(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32 src
	@echo "==> svelte-check and eslint" && $(NODE) && cd web && npm run --silent check

format: .venv/ready-dev  ## Format the code and mend what can be mended
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

bench: .venv/ready-dev  ## Measure the engine on this machine
	@$(BIN)/fogline bench

bench-server: .venv/ready-dev  ## Measure the table server on this machine
	@$(BIN)/python benchmarks/server.py

docs: ready  ## Regenerate what is generated in docs/: pictures of boards, layers and figures, conformance report, table of the observation
	@$(BIN)/fogline map draw san_francisco -o docs/data/board.svg
	@$(BIN)/fogline map draw san_francisco -o docs/data/board-dark.svg --dark
	@$(BIN)/python -m tests.layers
	@$(BIN)/python -m tests.front
	@$(BIN)/python -m fogline.envs.features docs/environments.md
	@$(PYTEST) -m rule --conformance docs/conformance.md tests

.venv/ready-site: .venv/ready requirements-site.lock
	@scripts/setup site

site-docs: .venv/ready-site  ## Build the site of the documents, with search and an API reference: build/site/html
	@$(BIN)/python site-docs/assemble.py build/site/pages
	@$(BIN)/python -m sphinx -q -W --keep-going -b html -c site-docs build/site/pages build/site/html
	@echo "==> build/site/html/index.html"

wire: .venv/ready  ## Write the page's types of all messages anew, from the server's
	@$(BIN)/python -m fogline.server.wire.typescript

LOCK := $(BIN)/uv pip compile -q --upgrade --universal --generate-hashes --python-version 3.11 pyproject.toml \
	--no-header --no-emit-index-url --no-annotate
lock: .venv/ready  ## Lock the newest allowed versions of all dependencies
	@$(BIN)/python -m pip install --quiet uv
	@$(LOCK) --extra play --extra postgresql --group build -o requirements.lock
	@$(LOCK) --extra play --extra postgresql --group dev -c requirements.lock -o requirements-dev.lock
	@$(LOCK) --group site -c requirements-dev.lock -o requirements-site.lock

clean:  ## Remove the virtual environment and all caches
	rm -rf web/node_modules src/fogline/server/client
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
