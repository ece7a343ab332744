# Two commands are enough: `make run` and `make test`. See README.md.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

ifdef RAW
DATA ?= data
else
DATA ?= data/sample
endif
SAMPLES := data/samples/lists
PORT ?= 3000
LISTS := $(if $(RAW),$(RAW),$(SAMPLES))

.PHONY: run test test-slow dev bench lint docs lock clean

run: $(READY)
	@$(BIN)/paperfold build "$(LISTS)" --data "$(DATA)"

test: $(READY) lint
	@$(BIN)/pytest -m "not slow" -n 2 --dist loadfile

test-slow: $(READY) lint
	@$(BIN)/pytest -n 2 --dist loadfile

lint: $(READY)
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy

dev: $(READY)
	@$(BIN)/python -m orchestration.dev --data "$(DATA)" --samples "$(SAMPLES)" --port "$(PORT)"

bench: $(READY)
	@$(BIN)/python benchmarks/build.py
	@$(BIN)/python benchmarks/reading.py
	@$(BIN)/python benchmarks/folding.py

docs: $(READY)
	@$(BIN)/paperfold docs docs

lock:
	uv pip compile --universal --generate-hashes --no-header --no-annotate -p 3.11 --group dev --group build pyproject.toml -o requirements.txt

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(READY): requirements.txt pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "make: $(PYTHON) is not there; install Python 3.11 or newer, or name it: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: Python 3.11 or newer is needed, $(PYTHON) is $$($(PYTHON) -V); name another one: make PYTHON=python3.12" >&2; exit 1; }
	@echo "Setting up $(VENV) (once) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --require-hashes -r requirements.txt
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@
