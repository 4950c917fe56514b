define HELP
make             environment, kernels and the launcher ./boomslang   (make EXE=name: under that name)
make run         the same, then the engine at its UCI prompt
make test        lint, types, layers, tests (TESTS=tests/eval for a part of the tests)
make format      the code in its shape: imports sorted, lines broken
make slow        all tests, the long ones too
make package     sdist and wheel in dist, checked; the wheel tried by pip, pipx and uv, and with the oldest libraries
make docs        the documentation as a site in build/site; a broken link is an error; the tour in it needs npm

make mcpb        dist/boomslang.mcpb for clients of MCP, and dist/server.json for their registry
make wheels      a wheel for this platform and Python that carries compiled kernels, in dist, tried
make release-check  package and wheels: all of a release that can be tried without publishing
make fuzz        mutated input for everything that reads what strangers write (INPUTS=100000)
make soak        short searches and changed options in one process, its memory watched (SEARCHES=100000)
make latency     how soon the engine stops and leaves (EXITS=100 of each kind)
make signals     commands end within a second, whenever they are asked to (TIMES=24 moments of each kind)
make page        how soon the page of `boomslang board` is there, and a line of the engine on it (needs Chromium)
make pictures    the pictures of `boomslang board` in docs, anew (needs Chromium)
make games       games against itself at short controls, every word checked (GAMES=3000)
make log         cost of the debug log (PAIRS=10)
make arm         bench, perft and Monte Carlo on AArch64, emulated by QEMU (Debian; an hour)
make bounds      kernel tests and games in a build that checks every index (GAMES=1000, TABLES=folders)
make damage      damaged books and networks, and damaged endgame tables (TABLES=folders)
make coverage    which lines the tests reach: kernels as plain Python, then what needs compiled ones
make chessground the board of `boomslang board`, anew from its package (needs npm)
make clean       remove what make has made
endef
export HELP

PYTHON ?= python3
EXE ?= boomslang
BIN := .venv/bin
CLI := $(BIN)/python -P cli/__main__.py
# Many tests wait for processes that they have started, so there is one worker more than processors. Files come in
# their order: those of a folder share a server and a browser, and the last ones are short.
WORKERS := -n $(shell $(PYTHON) -c 'import os; print(min(8, (os.cpu_count() or 1) + 1))') --dist loadfile --no-loadscope-reorder
PYTEST := $(BIN)/python -m pytest $(WORKERS)
# Tests start hundreds of processes, each of which would compile all modules that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: all help run test lint kernels collect format slow fuzz soak latency signals page pictures games log arm bounds damage coverage package mcpb wheels release-check docs chessground clean FORCE
.DEFAULT_GOAL := all

all: $(EXE)
	@$(CLI) warmup
	@echo "Paste this into a chess GUI: $(CURDIR)/$(EXE)"

help:
	@printf '%s\n' "$$HELP"

run: all
	@exec ./$(EXE)

# Installing and running the linters keeps one core busy, compiling the kernels and then the tests the other.
test:
	$(MAKE) --jobs=2 lint kernels collect
	$(PYTEST) $(TESTS)

# Tools that look for packages find ours here as in a wheel: one package, whose folders are links.
PACKAGES := cli core engine eval perft uci
build/typing: boomslang.py
	@rm -rf $@ && mkdir -p $@/boomslang
	@ln -s ../../../boomslang.py $@/boomslang/__init__.py
	@for name in $(PACKAGES); do ln -s ../../../$$name $@/boomslang/$$name; done
	@touch $@

lint: .venv/tools build/typing
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	cd build/typing && ../../$(BIN)/lint-imports --config ../../pyproject.toml

kernels: .venv/installed
	$(CLI) warmup --all

# Pytest compiles the modules of all tests; at once, each of its workers would do that.
collect: .venv/tools kernels
	$(BIN)/python -m pytest --collect-only -qqq $(TESTS)

format: .venv/tools
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

slow: .venv/tools
	$(PYTEST) -m "slow or not slow"

# These take minutes or hours, as the numbers say; they end with status 1 if anything was found.
INPUTS ?= 20000
SEARCHES ?= 20000
EXITS ?= 10
TIMES ?= 24
GAMES ?= 200
PAIRS ?= 10

fuzz: .venv/tools
	$(BIN)/python -m tests.stress.fuzz --inputs $(INPUTS)
	$(BIN)/python -m tests.stress.fuzz --whole --inputs 2000 uci cecp

soak: .venv/tools
	$(BIN)/python -m tests.stress.soak --searches $(SEARCHES)

latency: .venv/tools
	$(BIN)/python -m tests.stress.latency --stops 200 --exits $(EXITS)
	$(BIN)/python -m tests.stress.latency --stops 200 --exits 0 --load $(shell $(PYTHON) -c 'import os; print(os.cpu_count() or 1)')

signals: .venv/tools
	$(BIN)/python -m tests.stress.signals --times $(TIMES)

page: .venv/tools
	$(BIN)/python -m tests.stress.board_latency

pictures: .venv/tools
	$(BIN)/python -m tools.board_pictures docs

damage: .venv/tools
	$(BIN)/python -m tests.stress.damage
	$(if $(TABLES),$(BIN)/python -m tests.stress.damaged_tables --tables $(TABLES) --count 10000)

games: .venv/tools
	$(BIN)/python -m tests.stress.games --games $(GAMES)

log: .venv/tools
	$(BIN)/python -m tests.stress.log_cost --pairs $(PAIRS)

# From nothing: what an earlier run has downloaded and compiled is removed.
arm: .venv/tools
	rm -rf build/aarch64
	$(BIN)/python -m tests.stress.aarch64

# What asks for a cache of its own, many times over, would compile these kernels each time.
bounds: export BOOMSLANG_BOUNDS := 1
bounds: .venv/tools
	$(CLI) warmup --all
	$(PYTEST) tests/engine tests/eval tests/perft --ignore tests/core/jit/test_cache.py
	$(BIN)/python -m tests.stress.bounds --games $(GAMES)
	$(if $(TABLES),$(BIN)/python -m tests.stress.damaged_tables --tables $(TABLES) --count 1000)

# Processes that a signal ends would be held up by coverage, which writes its file before they end.
coverage: .venv/tools .venv/coverage
	$(BIN)/python -m coverage erase
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run -m pytest $(WORKERS) -m "not slow and not jit_only"
	$(BIN)/python -m coverage run -m pytest $(WORKERS) -m "not slow and jit_only" --ignore tests/cli/test_signals.py
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report

package: .venv/tools .venv/packaging
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl
	$(BIN)/python -m zipfile --list dist/*.whl
	ls -l dist
	BOOMSLANG_WHEEL=$$(echo dist/*.whl) $(BIN)/python -m pytest tests/package

wheels: .venv/tools .venv/packaging
	$(BIN)/python -m tools.wheel_kernels build/kernels
	BOOMSLANG_KERNELS=$(CURDIR)/build/kernels $(BIN)/python -m build --wheel --outdir dist .
	$(BIN)/twine check --strict dist/*
	ls -l dist
	BOOMSLANG_WHEEL=$$(ls -t dist/*.whl | head -1) $(BIN)/python -m pytest tests/package/test_kernels_in_wheel.py

release-check: package
	$(MAKE) wheels

mcpb: .venv/tools .venv/packaging
	rm -f dist/*.whl
	$(BIN)/python -m build --wheel --outdir dist .
	$(BIN)/python -m tools.mcp_bundle dist/*.whl

docs: .venv/docs $(if $(shell command -v npm),build/pyodide/package)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --config-file docs/mkdocs.yml --strict --quiet --site-dir $(CURDIR)/build/site
	$(BIN)/python .ci/tour_site.py build/site build/pyodide/package
	@echo "Open $(CURDIR)/build/site/index.html, or run $(BIN)/mkdocs serve --config-file docs/mkdocs.yml"

# Fetches a package of npm into a folder: its name with the version, its integrity, the folder. For another version
# change both lines: `npm view NAME@VERSION dist.integrity` tells the second.
define FETCH
@rm -rf $(3) && mkdir -p $(3)
@cd $(3) && npm pack --silent $(1) >/dev/null && mv *.tgz packed.tgz
@$(PYTHON) -c 'import base64, hashlib, sys; data = open(sys.argv[1], "rb").read(); \
  sys.exit("sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode() != sys.argv[2])' $(3)/packed.tgz $(2) || \
  { echo "The package $(1) is not what it was: nothing is changed" >&2; exit 1; }
@cd $(3) && tar xzf packed.tgz
endef
CHESSGROUND := @lichess-org/chessground@10.4.1
CHESSGROUND_IS := sha512-m6xyJToq5Qw4nlTKGx2Bmr7mxe+G7GaVNvb3/q862ls0NX6cQIPCh3uzyFTIn6A/WJdCkznN8/FZyN4bLazncQ==
PYODIDE := pyodide@314.0.7
PYODIDE_IS := sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==

chessground: .venv/installed
	$(call FETCH,$(CHESSGROUND),$(CHESSGROUND_IS),build/chessground)
	@cd build/chessground/package && cp LICENSE package.json dist/chessground.min.js assets/*.css "$(CURDIR)/cli/play/board/page/chessground"
	@rm -rf third_party/chessground/src && cp -r build/chessground/package/src third_party/chessground
	@cp build/chessground/package/LICENSE third_party/chessground

# For the tour of the documentation, and its test.
build/pyodide/package:
	$(call FETCH,$(PYODIDE),$(PYODIDE_IS),build/pyodide)

clean:
	@test ! -f $(LAUNCHERS) || while IFS= read -r name; do rm -f -- "$$name"; done < $(LAUNCHERS)
	rm -rf .venv boomslang build dist htmlcov .coverage* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	rm -rf __pycache__
	find benchmarks cli core engine eval perft tests tools uci -name __pycache__ -type d -prune -exec rm -rf {} +

# The launcher names everything by its full path, so it works from any folder and through links.
# The names of all that were made are kept, the last made as the last, for `where` and `make clean`.
LAUNCHERS := .venv/launchers
QUOTED = '$(subst ','\'',$(CURDIR)/$(1))'
define LAUNCHER
#!/bin/sh
exec $(call QUOTED,$(BIN)/python) -P $(call QUOTED,cli/__main__.py) "$$@"
endef
export LAUNCHER

$(EXE): .venv/installed FORCE
	@test ! -d $@ || { echo "EXE=$@ is a folder" >&2; exit 1; }
	@printf '%s\n' "$$LAUNCHER" > $@.new && chmod +x $@.new && mv -f $@.new $@
	@{ grep -vxF -e '$@' $(LAUNCHERS) 2>/dev/null; echo '$@'; } > $(LAUNCHERS).new && mv -f $(LAUNCHERS).new $(LAUNCHERS)

PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --use-pep517

.venv/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "Boomslang needs Python 3.11 or newer, and '$(PYTHON)' is not; try: make PYTHON=python3.13" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "Python's venv module is missing; on Debian or Ubuntu: sudo apt install python3-venv" >&2; exit 1; }
	@echo "Installing Boomslang and its libraries into .venv ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP_INSTALL) --editable .
	@touch $@

# pip knows dependency groups since 25.1; older ones are told the group's members.
define GROUP
import sys, tomllib
print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"][sys.argv[1]], sep="\n")
endef
export GROUP

.venv/tools: GROUP_NAME := dev
.venv/coverage: GROUP_NAME := coverage
.venv/packaging: GROUP_NAME := package
.venv/docs: GROUP_NAME := docs
.venv/coverage: | .venv/tools
.venv/tools .venv/coverage .venv/packaging .venv/docs: .venv/installed
	@echo "Installing the tools for $(GROUP_NAME) ..."
	@$(BIN)/python -c "$$GROUP" $(GROUP_NAME) > $@.txt
	@$(PIP_INSTALL) --no-compile --requirement $@.txt  # most of their modules are never imported
	@touch $@

FORCE:
