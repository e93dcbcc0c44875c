"""Makes a synthetic circuit's constraint system, witness and development key for the other benchmarks.

    python -m benchmarks.make_circuit CURVE CONSTRAINTS FOLDER

One public input; a fifth of the wires are zero and a fifth one, the rest full-sized. The key is for
benchmarks only: whoever makes it could forge proofs.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from proverd.circuits.library import Synthetic, assign, record
from proverd.cli.main import main as proverd
from proverd.curves import CURVES
from proverd.formats import write_wtns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("curve", choices=CURVES)
    parser.add_argument("constraints", type=int)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    curve, folder = CURVES[arguments.curve], arguments.folder
    start = time.perf_counter()
    circuit = Synthetic(arguments.constraints)
    system = record(curve, circuit.synthesize)
    system.write_r1cs(folder / "circuit.r1cs")
    write_wtns(folder / "witness.wtns", curve, assign(system, circuit.synthesize).data)
    print(f"{folder.name}: circuit and witness in {time.perf_counter() - start:.1f} s", flush=True)
    if proverd(["setup", "--unsafe-dev", str(folder / "circuit.r1cs"), str(folder / "circuit.zkey")]) != 0:
        raise SystemExit("setup failed")
    print(f"{folder.name}: key after {time.perf_counter() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()
