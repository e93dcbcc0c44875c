"""Whole-process proving time and peak memory: `proverd prove` against `snarkjs groth16 prove`, same files.

    python -m benchmarks.prove_vs_snarkjs [--constraints 32768 131072 524288] [--curves bn254 bls12_381]
        [--repeats 5] [--work FOLDER] [--rapidsnark PROVER]

Each repetition runs the provers one after another (A B A B …), so that a disturbance of the machine hits all
alike; the ratio is taken pair by pair and its median reported. Keys come from our development setup, which
snarkjs reads too, and stay in the work folder for the next run. Both proofs are verified by snarkjs.
`--rapidsnark` names a rapidsnark prover built elsewhere; it knows BN254 only.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks import common

SNARKJS_COMMAND = ["node", str(common.SNARKJS / "build" / "cli.cjs")]
PROVERD_COMMAND = [sys.executable, "-m", "proverd"]
SNARKJS_CURVE = {"bn254": "bn128", "bls12_381": "bls12381"}
FIELD_BYTES = 32
FIXED_ALLOWANCE_BYTES = 150_000_000


@dataclass(frozen=True)
class Files:
    """One circuit on disk, and where the provers' outputs go."""

    n_constraints: int
    folder: Path
    zkey: Path
    wtns: Path

    def outputs(self, prover: str) -> list[Path]:
        return [self.folder / f"{prover}_proof.json", self.folder / f"{prover}_public.json"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--constraints", type=int, nargs="+", default=[2**15, 2**17, 2**19])
    parser.add_argument("--curves", nargs="+", choices=SNARKJS_CURVE, default=list(SNARKJS_CURVE))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "proverd-benchmark")
    parser.add_argument("--rapidsnark", type=Path, help="a rapidsnark `prover` to run as a third")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    rows = []
    for curve in arguments.curves:
        circuits = [tiny(curve, arguments.work)]
        circuits += [synthetic(curve, n, arguments.work) for n in arguments.constraints]
        for files in circuits:
            rapidsnark = arguments.rapidsnark if curve == "bn254" else None
            rows.append(compare(curve, files, arguments.repeats, rapidsnark))
            print(describe(rows[-1]), flush=True)
    common.write_result("prove_vs_snarkjs", rows, repeats=arguments.repeats)


def tiny(curve: str, work: Path) -> Files:
    """The one-constraint vector: what remains is each prover's floor."""
    vector = common.VECTORS / f"product_{SNARKJS_CURVE[curve]}"
    folder = work / f"{curve}_1"
    folder.mkdir(exist_ok=True)
    return Files(1, folder, vector / "circuit.zkey", vector / "witness.wtns")


def synthetic(curve: str, constraints: int, work: Path) -> Files:
    """A synthetic circuit, its witness and its key; made in another process, whose memory is not ours."""
    folder = work / f"{curve}_{constraints}"
    files = Files(constraints, folder, folder / "circuit.zkey", folder / "witness.wtns")
    if not (files.zkey.exists() and files.wtns.exists()):
        folder.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "benchmarks.make_circuit", curve, str(constraints), folder]
        subprocess.run(command, check=True, cwd=common.ROOT)
    return files


def compare(curve: str, files: Files, repeats: int, rapidsnark: Path | None) -> common.Row:
    commands = {
        "proverd": [*PROVERD_COMMAND, "prove", files.zkey, files.wtns, *files.outputs("proverd")],
        "snarkjs": [*SNARKJS_COMMAND, "groth16", "prove", files.zkey, files.wtns, *files.outputs("snarkjs")],
    }
    if rapidsnark:
        commands["rapidsnark"] = [rapidsnark, files.zkey, files.wtns, *files.outputs("rapidsnark")]
    usages: dict[str, list[common.Usage]] = {name: [] for name in commands}
    for _ in range(repeats):
        for name, command in commands.items():
            usages[name].append(common.run_measured(command))
    check_proofs(files, list(commands))
    size = describe_key(files.zkey)
    peak = max(usage.peak_rss_bytes for usage in usages["proverd"])
    allowed = size["key_bytes"] + 12 * FIELD_BYTES * size["domain_size"] + FIXED_ALLOWANCE_BYTES
    return {
        "curve": curve,
        "n_constraints": files.n_constraints,
        **size,
        **{name: totals(usages[name]) for name in commands},
        **{
            f"{name}_over_proverd": ratio(usages[name], usages["proverd"])
            for name in commands
            if name != "proverd"
        },
        "peak_rss_bytes": peak,
        "allowed_rss_bytes": allowed,
    }


def totals(usages: list[common.Usage]) -> common.Row:
    return {
        "wall_seconds": common.summary([usage.wall_seconds for usage in usages]),
        "cpu_seconds": common.summary([usage.cpu_seconds for usage in usages]),
        "peak_rss_bytes": max(usage.peak_rss_bytes for usage in usages),
    }


def ratio(slower: list[common.Usage], faster: list[common.Usage]) -> common.Row:
    pairs = zip(slower, faster, strict=True)
    return common.summary([other.wall_seconds / ours.wall_seconds for other, ours in pairs])


def describe_key(zkey: Path) -> common.Row:
    from proverd.formats import Zkey

    with Zkey.open(zkey) as key:
        return {
            "n_wires": key.header.n_wires,
            "n_public": key.header.n_public,
            "domain_size": key.header.domain_size,
            "n_coefficients": key.n_coefficients,
            "key_bytes": zkey.stat().st_size,
        }


def check_proofs(files: Files, provers: list[str]) -> None:
    """Every prover's last proof against snarkjs's own verifier."""
    vkey = files.folder / "verification_key.json"
    export = [*SNARKJS_COMMAND, "zkey", "export", "verificationkey", str(files.zkey), str(vkey)]
    subprocess.run(export, check=True, stdout=subprocess.DEVNULL)
    for prover in provers:
        proof, public = files.outputs(prover)
        common.run_measured([*SNARKJS_COMMAND, "groth16", "verify", vkey, public, proof])


def describe(row: common.Row) -> str:
    provers = [name for name in ("proverd", "snarkjs", "rapidsnark") if name in row]
    times = ", ".join(f"{name} {row[name]['wall_seconds']['median']:.3f} s" for name in provers)
    faster = row["snarkjs_over_proverd"]
    within = "within" if row["peak_rss_bytes"] <= row["allowed_rss_bytes"] else "ABOVE"
    return (
        f"{row['curve']} domain {row['domain_size']}: {times}; "
        f"{faster['median']:.1f} times snarkjs [{faster['min']:.1f} to {faster['max']:.1f}]; "
        f"peak {row['peak_rss_bytes'] / 1e6:.0f} MB, {within} {row['allowed_rss_bytes'] / 1e6:.0f} MB allowed"
    )


if __name__ == "__main__":
    main()
