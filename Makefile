# make play   a game, from nothing          make test   lint, types and every test
# make long   sanitizers, the other architecture, a million plies, long fuzzing
# make docs   the documentation site, into build/site

.PHONY: help play test lint long bench bench-peers docs format clean
.DEFAULT_GOAL := help

BUILT := .venv/built
TOOLS := .venv/tools
SOURCES := CMakeLists.txt pyproject.toml requirements.lock tools/setup \
           $(shell find native -name '*.[ch]pp')
PYTEST := .venv/bin/python -m pytest -q
TIMING = $$(grep -rl --include='*.py' 'mark\.timing' tests)

# The tests start Python hundreds of times: let it keep what it has compiled.
export PYTHONDONTWRITEBYTECODE =

help:
	@sed -n '1,3s/^# //p' Makefile

# An environment breaks when the system's Python changes version; tools/setup makes it again.
BROKEN := $(shell .venv/bin/python -c 'import pip' 2>/dev/null || echo broken)
.PHONY: broken
broken:

$(BUILT): $(SOURCES) $(BROKEN)
	@tools/setup
	@touch $@

$(TOOLS): $(BUILT) requirements-dev.lock
	@tools/setup --tools
	@tools/native-tests rules --build
	@touch $@

play: $(BUILT)
	@.venv/bin/honte play

# Tests about wall-clock time run last and alone.
test: $(TOOLS) lint
	$(PYTEST) -n 5 --dist worksteal -m "not timing"
	$(PYTEST) -m timing $(TIMING)

lint: $(TOOLS)
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/clang-format --dry-run --Werror $$(find native benchmarks -name '*.[ch]pp')
	.venv/bin/mypy

# A million plies a game against the oracles, a million inputs to the parsers, the native
# tests under each sanitizer and on the other architecture, types as on Windows and macOS. About
# an hour on two cores.
long: $(TOOLS) lint
	tools/cross-check types
	HONTE_LONG=1 HONTE_PLIES=1000000 HONTE_FUZZ=1000000 $(PYTEST) -n 2 --dist worksteal -m "not timing"
	HONTE_LONG=1 $(PYTEST) -m timing $(TIMING)

bench: $(BUILT)
	.venv/bin/honte bench

# The same work in other libraries, each installed into build/peers, and the ratios.
bench-peers: $(TOOLS)
	.venv/bin/python benchmarks/peers.py

docs: $(TOOLS)
	@tools/setup --docs
	NO_MKDOCS_2_WARNING=1 .venv/bin/python -m mkdocs build --quiet --strict
	.venv/bin/python -m tools.site.check build/site

format: $(TOOLS)
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
	.venv/bin/clang-format -i $$(find native benchmarks -name '*.[ch]pp')

clean:
	rm -rf .venv build
