"""One proof with the key loaded, against arkworks's prover through `groth16py`, BN254, same key and witness.

    python -m benchmarks.groth16py_vs_proverd [--constraints 32768 131072] [--repeats 5] [--work FOLDER]

Both in this process, in turn; the ratio is taken pair by pair. Ours includes its verification of the proof.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import groth16py

import proverd
from benchmarks import common
from benchmarks.prove_vs_snarkjs import Files, synthetic


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--constraints", type=int, nargs="+", default=[2**15, 2**17])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "proverd-benchmark")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    rows = []
    for n in arguments.constraints:
        rows.append(compare(synthetic("bn254", n, arguments.work), arguments.repeats) | {"n_constraints": n})
        print(rows[-1])
    common.write_result("groth16py_vs_proverd", rows, repeats=arguments.repeats)


def compare(files: Files, repeats: int) -> common.Row:
    with warnings.catch_warnings(action="ignore", category=proverd.KeyWarning):  # a development key, as meant
        circuit = proverd.load_circuit(files.zkey)
    their_key, _ = groth16py.import_zkey(str(files.zkey))
    ours, theirs = [], []
    for _ in range(repeats + 1):  # the first warms up and is dropped
        ours.append(seconds(lambda: circuit.prove(files.wtns)))
        theirs.append(seconds(lambda: groth16py.prove_wtns(their_key, str(files.wtns))))
    pairs = zip(theirs[1:], ours[1:], strict=True)
    return {
        "proverd_s": common.summary(ours[1:]),
        "groth16py_s": common.summary(theirs[1:]),
        "ratio": common.summary([other / our for other, our in pairs]),
    }


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
