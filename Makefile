# `make demo` and `make test` work from a fresh clone; everything else is for developers.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: native
native: ## build the native module in place
	cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DPython_EXECUTABLE=$(abspath $(BIN)/python) -DPROVERD_IN_PLACE=ON >build.log 2>&1 || (cat build.log; false)
	cmake --build build -j 2
