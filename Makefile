# The two commands of the README are `make demo` and `make test`; each sets up all that it needs in .venv.

PYTHON ?= python3
BIN := .venv/bin
# A network that does not answer is given up soon.
APT := apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20

.PHONY: demo test check lint types layers docs-check unit order sites conformance bench chromium format clean

demo: .venv/ready-all
	$(BIN)/python demo/demo.py

test: check unit order sites conformance

check: lint types layers docs-check

lint: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python tools/limits.py

types: .venv/ready-dev
	$(BIN)/mypy

layers: .venv/ready-dev
	$(BIN)/lint-imports --no-cache

docs-check: .venv/ready-dev
	$(BIN)/python tools/reference.py --check
	$(BIN)/python tools/links.py

unit: .venv/ready-dev chromium
	rm -f .coverage .coverage.*
	PYTHONHASHSEED=0 $(BIN)/coverage run -m pytest -m "not sites"
	$(BIN)/coverage combine -q
	$(BIN)/python tools/coverage_gate.py

# What is answered must not hang on the order of a set: the layers that answer run under a second hash seed.
order: .venv/ready-dev
	PYTHONHASHSEED=1 $(BIN)/python -m pytest tests/domain tests/retrieval tests/services tests/operations tests/compare

# Real sites, made from pinned packages into .cache and served on loopback: a part of each, or all of it with
# REFDESK_TEST_SITES=full. Tools and registries that are missing are named beside the tests that they skip.
sites: .venv/ready-dev
	$(BIN)/python -m pytest -m sites -rs --timeout 900

conformance: .venv/ready-dev
	$(BIN)/python bench/conformance/run.py

bench: .venv/ready-dev
	$(BIN)/python -m bench

# Rendering is tested with Debian's own browser; without it that test is skipped and says so.
chromium:
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && $(APT) update -qq && \
		DEBIAN_FRONTEND=noninteractive $(APT) install -y -qq --no-install-recommends chromium </dev/null >/dev/null; } \
		|| echo "chromium cannot be installed here"

format: .venv/ready-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python tools/reference.py

clean:
	rm -rf .venv .cache build dist

# `python3 -m venv` needs ensurepip, which Debian packs separately; virtualenv from pip does without.
.venv/bin/python:
	$(PYTHON) -m venv .venv || { rm -rf .venv; $(PYTHON) -m pip install --user virtualenv && $(PYTHON) -m virtualenv .venv; } \
		|| { apt-get update && apt-get install -y python3-venv && $(PYTHON) -m venv .venv; }
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'

.venv/ready-all: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[all]'
	touch $@

.venv/ready-dev: .venv/ready-all
	$(BIN)/python -m pip install --quiet --group dev
	touch $@
