# Everything runs in .venv, which these targets build themselves from Python and the package index.
# Stamp files inside .venv record what is installed, so that a second `make test` starts at once.

VENV := .venv
CONSTRAINTS := constraints.txt
BIN := $(VENV)/bin
CORE := $(VENV)/.core-stamp
DEV := $(VENV)/.dev-stamp
BENCH := $(VENV)/.bench-stamp
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
# The build is not isolated, because an isolated one would fetch an unpinned build backend.
INSTALL := $(PIP) install --quiet --no-build-isolation -c $(CONSTRAINTS)
# For example: make test PYTEST_ARGS="-k joints -x"
PYTEST_ARGS ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help size demo test test-quick test-long test-lowest test-browser check bench clean

help:
	@echo "make demo    install the core into $(VENV) and run the demonstration"
	@echo "make test    install the development tools too and run every test"
	@echo "make test-quick  for daily work: every test but the slow ones, in a minute"
	@echo "make test-long   many times as many random examples, new ones each time (half an hour)"
	@echo "make test-lowest every test with the oldest packages that are allowed, in $(VENV)-lowest"
	@echo "make test-browser pages in a real browser (Debian: apt install chromium)"
	@echo "make check   formatting, lint, types and layer rules"
	@echo "make bench   time everything against Pinocchio, SciPy, MuJoCo, Drake and Exudyn (about 10 minutes)"
	@echo "make size    lines of code by package"
	@echo "make clean   remove caches and build products (keeps $(VENV))"

demo: $(CORE)
	@$(BIN)/poinsot demo

# Bytecode is kept, whatever the environment says: tests start some hundred processes, each of which
# would compile our modules again.
test test-quick test-long: export PYTHONDONTWRITEBYTECODE :=

test: $(DEV)
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal $(PYTEST_ARGS)

# What takes a second or more in a usual run is marked slow.
test-quick: $(DEV)
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not slow" $(PYTEST_ARGS)

test-long: $(DEV)
	@POINSOT_EXAMPLES=15 $(BIN)/python -m pytest -q -n 2 --dist worksteal $(PYTEST_ARGS)

# Has an environment of its own; needs Python 3.11 or 3.12, for which such old packages have wheels.
test-lowest:
	@$(MAKE) --no-print-directory VENV=.venv-lowest CONSTRAINTS=tests/lowest.txt test

# Needs Chromium on the path; Debian's package is called chromium.
test-browser: $(DEV)
	@POINSOT_BROWSER=1 $(BIN)/python -m pytest -q tests/browser $(PYTEST_ARGS)

check: $(DEV)
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

size: $(CORE)
	@$(BIN)/python -m benchmarks.size

bench: $(BENCH)
	@$(BIN)/python -m benchmarks.tree
	@$(BIN)/python -m benchmarks.loops
	@$(BIN)/python -m benchmarks.simulate
	@$(BIN)/python -m benchmarks.batch_simulate
	@$(BIN)/python -m benchmarks.events
	@$(BIN)/python -m benchmarks.gallery
	@$(BIN)/python -m benchmarks.threads
	@$(BIN)/python -m benchmarks.cache
	@$(BIN)/python -m benchmarks.symbolic
	@$(BIN)/python -m benchmarks.reach
	@$(BIN)/python -m benchmarks.startup
	@$(BIN)/python -m benchmarks.sweeps
	@$(BIN)/python -m benchmarks.derivatives
	@$(BIN)/python -m benchmarks.laws
	@$(BIN)/python -m benchmarks.sensitivities
	@$(BIN)/python -m benchmarks.kinematics
	@$(BIN)/python -m benchmarks.planar
	@$(BIN)/python -m benchmarks.impact
	@$(BIN)/python -m benchmarks.bounces

clean:
	@rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	@for d in src tests benchmarks examples; do \
	    if [ -d $$d ]; then find $$d -type d -name __pycache__ -prune -exec rm -rf {} +; fi; done
	@echo "clean; to start from nothing, remove $(VENV) as well"

$(CORE): pyproject.toml $(CONSTRAINTS) | $(BIN)/python
	@echo "Installing poinsot and its core dependencies (about 150 MB the first time) ..."
	@$(PIP) install --quiet -c $(CONSTRAINTS) hatchling
	@$(INSTALL) -e .
	@touch $@
	@echo "Installed."

# The development install contains the core one: it sets both stamps.
$(DEV): pyproject.toml $(CONSTRAINTS) | $(BIN)/python
	@echo "Installing poinsot, the test tools and the oracles (about 700 MB the first time) ..."
	@$(PIP) install --quiet -c $(CONSTRAINTS) hatchling
	@$(INSTALL) -e '.[dev]'
	@touch $(CORE) $@
	@echo "Installed."

# Peers that only the benchmarks need.
$(BENCH): pyproject.toml $(CONSTRAINTS) | $(DEV)
	@echo "Installing the peers to measure against (about 150 MB more) ..."
	@$(INSTALL) -e '.[dev,bench]'
	@touch $@
	@echo "Installed."

# Reached only when .venv has no working interpreter, hence --clear. A candidate is run rather than
# looked up: some version managers put a python3.11 on the path that only prints an error.
$(BIN)/python:
	@for p in $(PYTHON) python3.11 python3 python; do \
	    if $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	        echo "Making $(VENV) with $$p ($$($$p --version)) ..."; \
	        $$p -m venv --clear $(VENV) && exit 0; \
	        echo "error: '$$p -m venv' failed; install Python's venv module (Debian: python3-venv)" >&2; \
	        exit 1; \
	    fi; \
	done; \
	echo "error: poinsot needs Python 3.11 or newer, and none of python3.11, python3, python is;" \
	     "install one, or name it: make PYTHON=/path/to/python" >&2; \
	exit 1
