# Every target sets up what it needs by itself; `make help` lists them.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet

.PHONY: help setup demo test check format bench golden mutants soak test-oldest clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

setup: $(READY) ## make .venv with everything development needs
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "byzanz-env needs Python 3.11 or newer: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) --constraint constraints.txt --editable '.[dev,train,peers]'
	@touch $@

demo: $(READY) ## watch a game of bots in the terminal
	@mkdir -p build
	@$(BIN)/byzanz record --players 4 --games 1 --seed 1 --agents random --out build/demo.jsonl
	@$(BIN)/byzanz replay build/demo.jsonl

test: $(READY) ## run the tests
	$(BIN)/python -m pytest

check: $(READY) ## format, lint and types, without changing anything
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(READY) ## put the sources in order
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY) ## measure the speed, and that of other environments in the same run
	$(BIN)/byzanz bench --peers --plot build/speed.png

golden: $(READY) ## write the golden games anew; the diff is the change of behaviour
	$(BIN)/python tests/golden.py

mutants: $(READY) ## put faults into the rules one at a time; each must break a test of that name
	$(BIN)/python tests/mutants.py

soak: $(READY) ## 1,000,000 random games and 10,000,000 batch decisions with every position checked
	$(BIN)/python tests/soak.py

test-oldest: ## run the tests with the oldest PettingZoo and Gymnasium we support
	$(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/python -m pip --disable-pip-version-check install --quiet --constraint constraints-oldest.txt --editable '.[dev]'
	.venv-oldest/bin/python -m pytest

clean: ## remove what was built
	rm -rf .venv .venv-oldest build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
