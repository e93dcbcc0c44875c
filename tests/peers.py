"""The field's own tools, as npm packages under ``tests/node``: circom2 and snarkjs.

Shared by the script that makes the test vectors, the conformance tests and the benchmarks.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

NODE_DIR = Path(__file__).parent / "node"
SNARKJS = NODE_DIR / "node_modules" / "snarkjs" / "build" / "cli.cjs"
CIRCOM = NODE_DIR / "node_modules" / "circom2" / "cli.js"
PRIMES = {"bn254": "bn128", "bls12_381": "bls12381"}  #: proverd's curve name → circom's and snarkjs's


def missing() -> str | None:
    """Why the npm tools cannot run here, or None where they can."""
    if shutil.which("node") is None:
        return "node is not installed"
    for tool in (SNARKJS, CIRCOM):
        if not tool.exists():
            return f"{tool.parent.name} is not installed: run `npm ci` in tests/node"
    return None


def run_node(*arguments: str | Path, cwd: Path | None = None, check: bool = True) -> str:
    """Runs node with the given arguments and returns what it printed; raises with the output on failure."""
    command = ["node", *map(str, arguments)]
    result = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=600)
    output = result.stdout + result.stderr
    if check and result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed with {result.returncode}:\n{output}")
    return output


def snarkjs(*arguments: str | Path) -> str:
    """Runs the snarkjs command line, as a user would."""
    return run_node(SNARKJS, *arguments)


def compile_circom(source: Path, folder: Path, prime: str, level: str = "O2") -> None:
    """Compiles a circom file to ``circuit.r1cs`` and ``circuit.wasm`` in ``folder``.

    The compiler runs in a WASI sandbox that sees only its working directory, so the sources go there first.
    """
    for path in source.parent.glob("*.circom"):
        shutil.copy(path, folder)
    run_node(CIRCOM, "--r1cs", "--wasm", f"--{level}", "--prime", prime, source.name, cwd=folder)
    for path in source.parent.glob("*.circom"):
        (folder / path.name).unlink()
    (folder / f"{source.stem}.r1cs").rename(folder / "circuit.r1cs")
    wasm_folder = folder / f"{source.stem}_js"
    (wasm_folder / f"{source.stem}.wasm").rename(folder / "circuit.wasm")
    shutil.rmtree(wasm_folder)


def drive(jobs: list[dict[str, Any]]) -> list[Any]:
    """Runs many snarkjs calls in one node process (its start costs more than most calls).

    A job is ``{"call": "groth16.verify", "args": [...]}``; arguments ``{"json": path}`` stand for the parsed
    file. Returns for each job ``{"value": …}`` or ``{"error": message}``, in order.
    """
    text = json.dumps(jobs)
    command = ["node", str(NODE_DIR / "driver.mjs")]
    result = subprocess.run(command, input=text, capture_output=True, text=True, timeout=600)
    if result.returncode != 0:
        raise RuntimeError(f"driver.mjs failed with {result.returncode}:\n{result.stderr}")
    answers: list[Any] = json.loads(result.stdout)
    return answers
