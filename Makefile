# The one menu. Needs Python 3.11 or newer and make, nothing else.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
SAMPLE := sample/vault
.DEFAULT_GOAL := help
.PHONY: help demo serve test check lint types imports docs bench bench-scale lock clean

help: ## what there is to choose
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/ -/; s/^/make /'

$(VENV)/run.stamp: requirements/run.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes -r requirements/run.txt
	$(PIP) --no-build-isolation --no-deps -e .
	@touch $@

$(VENV)/dev.stamp: requirements/dev.txt $(VENV)/run.stamp
	$(PIP) --require-hashes -r requirements/dev.txt
	@touch $@

demo: $(VENV)/run.stamp ## set up, then search, read and walk the sample vault
	@PATH="$(abspath $(BIN)):$$PATH" sh sample/demo.sh

serve: $(VENV)/run.stamp ## serve the sample vault until Ctrl-C
	$(BIN)/trilith serve $(SAMPLE) --home .home

test: check ## set up, then every check and every test
	$(BIN)/python -m pytest -n 2

check: lint types imports ## style, types, import contracts

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev.stamp
	$(BIN)/mypy

imports: $(VENV)/dev.stamp
	$(BIN)/lint-imports

docs: $(VENV)/dev.stamp ## write the pages of docs/ that come from the code
	$(BIN)/python tools/build_docs.py

bench: $(VENV)/dev.stamp ## measure a vault of 5,000 notes; ten minutes
	$(BIN)/python bench/core.py

WORK ?= .bench
bench-scale: $(VENV)/dev.stamp ## measure vaults of 10,000, 50,000 and 100,000 notes, kept in $(WORK); hours the first time
	$(BIN)/python bench/core.py --notes 10000 --work $(WORK)/10000 --briefly
	$(BIN)/python bench/core.py --notes 50000 --work $(WORK)/50000 --briefly
	$(BIN)/python bench/core.py --notes 100000 --work $(WORK)/100000

LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate pyproject.toml
lock: $(VENV)/dev.stamp ## pin a new set of dependencies
	$(BIN)/$(LOCK) --group build -o requirements/run.txt
	$(BIN)/$(LOCK) --group dev -o requirements/dev.txt

clean: ## remove what make has built
	rm -rf $(VENV) .home .bench
