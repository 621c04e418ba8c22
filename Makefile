# make play   a game, from nothing          make test   lint, types and every test
# make long   sanitizers, the other architecture, a million plies, long fuzzing

.PHONY: help play test lint long bench bench-peers format clean
.DEFAULT_GOAL := help

BUILT := .venv/built
SOURCES := CMakeLists.txt pyproject.toml requirements-dev.lock tools/setup \
           $(wildcard native/*/*.hpp native/*/*.cpp)
PYTEST := .venv/bin/python -m pytest -n 2 -q

help:
	@sed -n '1,2s/^# //p' Makefile

$(BUILT): $(SOURCES)
	@tools/setup
	@touch $@

play: $(BUILT)
	@.venv/bin/honte play

test: $(BUILT) lint
	$(PYTEST)

lint: $(BUILT)
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/clang-format --dry-run --Werror $$(find native benchmarks -name '*.[ch]pp')
	.venv/bin/mypy

# A million plies a game against the oracles, a million inputs to the parsers, the native
# tests under each sanitizer and on the other architecture. About an hour on two cores.
long: $(BUILT) lint
	HONTE_LONG=1 HONTE_PLIES=1000000 HONTE_FUZZ=1000000 $(PYTEST)

bench: $(BUILT)
	.venv/bin/honte bench

# The same work in OpenSpiel, installed into build/peers, and the ratios.
bench-peers: $(BUILT)
	.venv/bin/python benchmarks/peers.py

format: $(BUILT)
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
	.venv/bin/clang-format -i $$(find native benchmarks -name '*.[ch]pp')

clean:
	rm -rf .venv build
