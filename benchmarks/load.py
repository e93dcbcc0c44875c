"""Opening a large key: `Zkey.open`, `load_circuit` and `proverd inspect` on a key of about 1 GB.

    python -m benchmarks.load [--log-n 21] [--work FOLDER]

The key is as large as a real one of 2^21 wires on BN254, written in full (not sparse); its points are all
infinity, which loading does not tell from others. Cold: the file's pages leave the page cache first.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import common

COEFFICIENTS_PER_WIRE = 2
CHUNK = 1 << 24
PROGRAMS = {
    "Zkey.open": "from proverd.formats import Zkey; call = lambda: Zkey.open(path)",
    "load_circuit": "from proverd import load_circuit; call = lambda: load_circuit(path)",
}
HARNESS = """
import sys, time
path = sys.argv[1]
{}
start = time.perf_counter()
call()
print(time.perf_counter() - start)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--log-n", type=int, default=21, help="log₂ of wires and domain")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "proverd-benchmark")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    key = arguments.work / f"load_{arguments.log_n}.zkey"
    if not key.exists():
        write_large_key(key, 1 << arguments.log_n)
    rows = []
    for state in ("cold", "warm"):
        for name, program in PROGRAMS.items():
            if state == "cold":
                drop_from_page_cache(key)
            command = [sys.executable, "-c", HARNESS.format(program), str(key)]
            seconds = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            rows.append({"what": name, "pages": state, "seconds": seconds})
        if state == "cold":
            drop_from_page_cache(key)
        usage = common.run_measured([sys.executable, "-m", "proverd", "inspect", key])
        rows.append({"what": "proverd inspect", "pages": state, "seconds": usage.wall_seconds})
    for row in rows:
        print(f"{row['what']:16} {row['pages']}: {row['seconds']:.3f} s")
    common.write_result("load", rows, key_bytes=key.stat().st_size)


def write_large_key(path: Path, n: int) -> None:
    """A key with the header of a vector but n wires and a domain of n, all points infinity."""
    from proverd.formats import BinFile, Zkey, zkey

    source = common.VECTORS / "product_bn128" / "circuit.zkey"
    with Zkey.open(source) as small, BinFile.open(source, zkey.MAGIC, (zkey.VERSION,)) as file:
        curve, n_public = small.curve, small.header.n_public
        header = bytearray(file.view(zkey.HEADER))
        counts = 8 + curve.fp.nbytes + curve.fr.nbytes
        header[counts : counts + 12] = b"".join(value.to_bytes(4, "little") for value in (n, n_public, n))
        kept = {i: bytes(file.view(i)) for i in (zkey.PROTOCOL, zkey.IC, zkey.CONTRIBUTIONS)}
    g1, g2 = curve.g1_nbytes, curve.g2_nbytes
    entries = COEFFICIENTS_PER_WIRE * n
    zeros = {
        zkey.COEFFICIENTS: (entries.to_bytes(4, "little"), entries * zkey.COEFFICIENT_BYTES),
        zkey.A_QUERY: (b"", n * g1),
        zkey.B_G1_QUERY: (b"", n * g1),
        zkey.B_G2_QUERY: (b"", n * g2),
        zkey.L_QUERY: (b"", (n - n_public - 1) * g1),
        zkey.H_QUERY: (b"", n * g1),
    }
    sections = {**{i: (data, 0) for i, data in kept.items()}, zkey.HEADER: (bytes(header), 0), **zeros}
    with path.open("wb") as out:
        out.write(zkey.MAGIC + zkey.VERSION.to_bytes(4, "little") + len(sections).to_bytes(4, "little"))
        for section_id, (data, padding) in sorted(sections.items()):
            out.write(section_id.to_bytes(4, "little") + (len(data) + padding).to_bytes(8, "little") + data)
            for start in range(0, padding, CHUNK):
                out.write(bytes(min(CHUNK, padding - start)))
        out.flush()
        os.fsync(out.fileno())


def drop_from_page_cache(path: Path) -> None:
    with path.open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


if __name__ == "__main__":
    main()
