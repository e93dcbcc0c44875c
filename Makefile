# `make demo` and `make test` work from a fresh clone; everything else is for developers (CONTRIBUTING.md).
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/bash

# The first interpreter that is new enough; `make PYTHON=…` chooses another.
PYTHON ?= $(firstword $(foreach p,python3 python3.14 python3.13 python3.12 python3.11,\
  $(shell $(p) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(p))))
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/pip --quiet --disable-pip-version-check
WHEELS := build/wheels

SOURCES := pyproject.toml CMakeLists.txt README.md LICENSE \
  $(shell find src -type f -not -name '*.so' -not -name '*.pyc' 2>/dev/null)

# In an environment of `make develop` the package is src itself; otherwise the wheel is installed.
DEVELOPING := $(wildcard $(VENV)/lib/python3*/site-packages/proverd.pth)
PACKAGE    := $(if $(DEVELOPING),native,$(VENV)/.package)

.PHONY: help
help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

.PHONY: demo
demo: $(PACKAGE) ## install into .venv and prove a bundled circuit: nothing else is needed
	@$(BIN)/python -m proverd demo

.PHONY: test
test: $(PACKAGE) $(VENV)/.test node ## install what the tests need and run all of them
	$(BIN)/python -m pytest $(PYTEST)

.PHONY: lint
lint: $(VENV)/.dev ## all static checks
	scripts/check

.PHONY: wheel
wheel: $(WHEELS)/.built ## build the wheel into build/wheels

.PHONY: check-wheel
check-wheel: $(WHEELS)/.built ## install the wheel into a clean environment without a compiler, and prove there
	scripts/check-wheel $(WHEELS)/*.whl

.PHONY: bench
bench: $(PACKAGE) $(VENV)/.bench node ## the benchmarks of docs/performance.md (an hour or so)
	$(BIN)/python -m benchmarks.import_time
	$(BIN)/python -m benchmarks.load
	for kernel in field ntt spmv msm pairing; do $(BIN)/python -m benchmarks.kernels.$$kernel || exit; done
	$(BIN)/python -m benchmarks.msm_vs_arkworks
	$(BIN)/python -m benchmarks.groth16py_vs_proverd
	$(BIN)/python -m benchmarks.prove_vs_snarkjs
	$(BIN)/python -m benchmarks.report

.PHONY: develop
develop: $(VENV)/.dev ## an environment in which src is the installed package, with every tool
	echo $(abspath src) > $$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/proverd.pth
	printf '#!/bin/sh\nexec "%s" -m proverd "$$@"\n' $(abspath $(BIN)/python) > $(BIN)/proverd
	chmod +x $(BIN)/proverd
	$(MAKE) native

.PHONY: native
native: ## build the native module in place
	@mkdir -p build
	cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DPython_EXECUTABLE=$(abspath $(BIN)/python) -DPROVERD_IN_PLACE=ON >build/cmake.log 2>&1 || (cat build/cmake.log; false)
	cmake --build build -j 2

.PHONY: clean
clean: ## remove the environment and everything that was built
	rm -rf $(VENV) build dist src/proverd/_native.*.so tests/node/node_modules

# --- what the targets above need --------------------------------------------------------------------

$(VENV)/.created:
	@scripts/check-prerequisites "$(PYTHON)"
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(WHEELS)/.built: $(VENV)/.created $(SOURCES)
	@echo "building the native module (a minute or two)"
	@rm -rf $(WHEELS)
	$(PIP) wheel --no-deps --wheel-dir $(WHEELS) .
	@touch $@

$(VENV)/.package: $(WHEELS)/.built
	$(PIP) install $(WHEELS)/*.whl
	$(PIP) install --force-reinstall --no-deps $(WHEELS)/*.whl
	@touch $@

# Requirements of one extra; proverd itself is not installed by it.
$(VENV)/.test $(VENV)/.bench: $(VENV)/.%: $(VENV)/.created pyproject.toml
	$(BIN)/python scripts/requirements.py $* | $(PIP) install -r /dev/stdin
	@touch $@

$(VENV)/.dev: $(VENV)/.created pyproject.toml
	$(BIN)/python scripts/requirements.py build dev | $(PIP) install -r /dev/stdin
	@touch $@

# Without npm the tests against snarkjs and circom2 skip, and say so; with CI=true they fail.
.PHONY: node
node:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory tests/node/node_modules/.installed; \
	else echo "npm is not installed: the tests against snarkjs will be skipped"; fi

tests/node/node_modules/.installed: tests/node/package-lock.json
	cd tests/node && npm ci --no-audit --no-fund --loglevel=error
	@touch $@
